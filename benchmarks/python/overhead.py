#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""overhead.py [--quick]: the cost of Python compared with C, in one run: steps, callbacks, operations on arrays.

    PYTHONPATH=build/python OPENBLAS_NUM_THREADS=1 python3 benchmarks/python/overhead.py

A row is a time per step or per element and its ratio to the first row of its table, which is C. The rows of a table are
measured in turn, 15 times; the least time counts. SciPy's Rotation is measured, too, where
it is installed. --quick measures next to nothing: it shows that everything runs.
"""
import sys
import timeit

import numpy as np

import liegrp
from liegrp._liegrp import ffi, lib

QUICK = '--quick' in sys.argv
COUNT = 10 if QUICK else 10**4
ROUNDS = 15


def once(function):
    """The time of a call, the mean over 20 ms."""
    timer = timeit.Timer(function)
    number = 1 if QUICK else max(1, int(0.02 / max(1e-7, timer.timeit(1))))
    return timer.timeit(number) / number


def table(title, *cases):
    """Prints rows of (what, function, things that a call does); all are measured in turn, ratios are to the first."""
    best = [float('inf')] * len(cases)
    for _ in range(1 if QUICK else ROUNDS):
        best = [min(least, once(function) / calls) for least, (_, function, calls) in zip(best, cases)]
    print(f'\n### {title}\n| what | ns | ratio |\n|---|---|---|')
    for (what, _, _), time in zip(cases, best):
        print(f'| {what} | {1e9 * time:.0f} | {time / best[0]:.2f} |')


def steps(method):
    """Steps of the rolling ball."""
    it = liegrp.Motion(liegrp.Model('rolling-ball'), method, step=0.01)
    many = 10 if QUICK else 10000
    options = dict(step=0.01, steps=many, accuracy=False)
    table(f'A step of the rolling ball, `{method}`',
          ('in C, many steps in a call',
           lambda: lib.lg_motion_step(it.pointer, many), many),
          ('lg_motion_step() through cffi', lambda: lib.lg_motion_step(it.pointer, 1), 1),
          ('step()', it.step, 1),
          ('step(1000)', lambda: it.step(1000), 1000),
          ('step() and a copy of g', lambda: it.step().g, 1),
          ('run(), rows included', lambda: liegrp.run(it.model, method, **options), many),
          ('run() with an observer in Python',
           lambda: liegrp.run(it.model, method, observer=lambda state: None, **options), many))


def compiled_spring():
    """V = 3/2 q^2 and its gradient for numba."""
    @liegrp.compiled('potential')
    def V(c, q, out):
        out[0] = 1.5 * q[0] * q[0]
        return 0

    @liegrp.compiled('potential_gradient')
    def dV(c, q, out):
        out[0] = 3 * q[0]
        return 0
    return V, dV


def callbacks(method):
    """Steps of a spring whose functions are numba's or Python's."""
    V, dV = compiled_spring()
    many = 10 if QUICK else 200
    fields = [('without them, the free particle', {}),
              ('compiled by numba', dict(potential=V, potential_gradient=dV)),
              ('in Python', dict(potential=lambda c, q: 1.5 * q[0]**2, potential_gradient=lambda c, q: 3 * q))]
    cases = []
    for what, functions in fields:
        spring = liegrp.System(liegrp.Rn(1), [1.0], initial=([1.0], [0.0]), **functions)
        it = liegrp.Motion(spring, method, step=0.01)
        cases.append((what, lambda it=it: it.step(many), many))
    table(f'A step of a spring (one degree of freedom), `{method}`: its potential and gradient', *cases)


def batch(function, *arguments):
    """A function lg_batch_* on arrays."""
    b = ffi.new('lg_batch *')
    lib.lg_batch_init(b, ffi.sizeof('lg_batch'), COUNT)
    pointers = [ffi.from_buffer('double[]', a) if isinstance(a, np.ndarray) else a for a in arguments]
    head = [a for a in pointers if ffi.typeof(a).kind == 'pointer']
    arrays = pointers[len(head):]
    return lambda: function(*head, b, *arrays)


def operations(G):
    """Operations on many elements, and on one."""
    g, h = G.random(COUNT, rng=1), G.random(COUNT, rng=2)
    xi = 0.3 * np.random.default_rng(0).standard_normal((COUNT, G.dim))
    out, vectors = np.empty_like(g), np.empty_like(xi)
    exp = lib.lg_retraction_exp()
    cases = [
        ('compose', batch(lib.lg_batch_compose, G._pointer, out, g, h), lambda o: G.compose(g, h, out=o), out),
        ('exp', batch(lib.lg_batch_tau, exp, G._pointer, out, xi), lambda o: G.exp(xi, out=o), out),
        ('log', batch(lib.lg_batch_tau_inv, exp, G._pointer, vectors, g), lambda o: G.log(g, out=o), vectors),
    ]
    for name, in_c, in_python, into in cases:
        table(f'{name} on {COUNT} elements of {G.name}, for each', ('in C', in_c, COUNT),
              (f'{name}(..., out=o)', lambda: in_python(into), COUNT), (f'{name}(...)', lambda: in_python(None), COUNT))
    a, b = g[0], h[0]
    table(f'One element of {G.name}', ('lg_group_compose() through cffi', in_c_one(G, a, b), 1),
          ('compose()', lambda: G.compose(a, b), 1), ('exp()', lambda: G.exp(xi[0]), 1))


def in_c_one(G, a, b):
    """lg_group_compose() of two elements."""
    out, a, b = ffi.new('double[]', G.element_size), ffi.from_buffer('double[]', a), ffi.from_buffer('double[]', b)
    return lambda: lib.lg_group_compose(G._pointer, out, a, b)


def scipy_rotations():
    """Rotations of SciPy."""
    try:
        from scipy.spatial.transform import Rotation
    except ImportError:
        return
    q, p = (liegrp.SO3.random(COUNT, rng=seed) for seed in (1, 2))
    a, b = Rotation.from_quat(q), Rotation.from_quat(p)
    xi = 0.3 * np.random.default_rng(0).standard_normal((COUNT, 3))
    title = f'{COUNT} rotations, for each'
    table(title, ('SO3.compose', lambda: liegrp.SO3.compose(q, p), COUNT), ('SciPy: a * b', lambda: a * b, COUNT))
    table(title, ('SO3.exp', lambda: liegrp.SO3.exp(xi), COUNT),
          ('SciPy: from_rotvec', lambda: Rotation.from_rotvec(xi), COUNT))
    table(title, ('SO3.log', lambda: liegrp.SO3.log(q), COUNT), ('SciPy: as_rotvec', a.as_rotvec, COUNT))
    R = a.as_matrix()
    table(title, ('SO3.to_matrix', lambda: liegrp.SO3.to_matrix(q), COUNT), ('SciPy: as_matrix', a.as_matrix, COUNT))
    table(title, ('SO3.from_matrix', lambda: liegrp.SO3.from_matrix(R), COUNT),
          ('SciPy: from_matrix', lambda: Rotation.from_matrix(R), COUNT))
    table(title, ('SO3.distance', lambda: liegrp.SO3.distance(liegrp.SO3.identity(), q), COUNT),
          ('SciPy: magnitude', a.magnitude, COUNT))


def main():
    for method in ('gni', 'sem'):
        steps(method)
    for method in ('gni', 'sem'):
        callbacks(method)
    for G in (liegrp.SO3, liegrp.SE3):
        operations(G)
    scipy_rotations()


if __name__ == '__main__':
    main()
