# SPDX-License-Identifier: BSD-3-Clause
"""Systems from symbols: energies, constraints and forces as expressions of SymPy become a plug-in in C.

The user writes expressions such as R[2, 2] and w[0]; left-trivialised derivatives are derived from them. The result
is a Model like those of the catalog; `liegrp run ./system.so` takes the same shared object.
"""
from collections.abc import Mapping

try:
    import sympy
except ImportError as error:  # pragma: no cover
    raise ImportError('liegrp.symbols needs SymPy (Debian: python3-sympy)') from error

from .._core import nearest
from ..motions import check_given
from ..models import load
from . import build
from .derive import Derived
from .factors import Angles, Circle, Factor, Planar, Pose, Reals, Rotation, hat
from .problem import Problem, by_name, check_name, check_words, listed, suitable_step
from .refusals import refuse
from .source import Source

__all__ = ['Angles', 'Circle', 'Factor', 'Planar', 'Pose', 'Reals', 'Rotation', 'from_sympy', 'hat']

VELOCITY, CONTROL, TIME, PLACE = 'a velocity', 'a control', 'the time', 'a coordinate'


def from_sympy(name, configuration, *, kinetic=None, potential=0, lagrangian=None, velocity_constraints=(),
               position_constraints=(), forces=(), controls=(), parameters=None, initial=None, invariants=None,
               project=False, time=None, step=0.0, summary='', remark='', units=None, source=None, out=None,
               check=True):
    """A Model whose functions are expressions of SymPy.

    name: of the system, such as 'my-robot'.
    configuration: a factor or a list of factors: Reals, Angles, Circle, Rotation, Planar, Pose.
    kinetic, potential: T, quadratic in the velocities, and V; or lagrangian = T - V.
    velocity_constraints, position_constraints: expressions that are 0, or sympy.Eq; the former linear in velocities.
    forces: pairs (velocity of a point or an angle, force along it).
    controls: symbols, or a dictionary of symbols and their units.
    parameters: a dictionary of symbols and their values, or liegrp.Parameter(value, unit, meaning, low, high, open).
    initial: a dictionary of coordinates or velocities and their values, which may depend on parameters; an attitude is
    given as its factor and a quaternion (x, y, z, w), an angle of the plane as its `theta`. They must satisfy the
    constraints; project=True: a start moves them to the nearest data that do. Velocities of which none is given are
    always projected.
    invariants: a dictionary of names and expressions that the motion conserves.
    time: the symbol of the time, if something depends on it.
    step: that suits the motion. units: a dictionary of columns and units.
    source, out: files that keep the text in C and the shared object.
    check: compare all derivatives with differences.

    >>> from liegrp.symbols import Rotation
    >>> body = Rotation()
    >>> top = liegrp.from_sympy('my-top', body, kinetic=(body.w[0]**2 + body.w[1]**2 + 2 * body.w[2]**2) / 2,
    ...                         potential=9.81 * body.R[2, 2], initial={body.w[2]: 5})
    >>> top.dim
    3
    """
    problem = Problem(name, configuration, parameters, controls, time)
    problem.summary, problem.remark, problem.step = summary or name, remark, suitable_step(step)
    problem.units = by_name('units', units or {})
    for what, words in {'summary': summary, **{f'unit of {s}': unit for s, unit in problem.units.items()}}.items():
        check_words(what, words)
    check_words('remark', remark, '\n')
    derived = Derived(problem)
    T, V = _energies(problem, kinetic, potential, lagrangian)
    derived.kinetic(T)
    derived.conservative(V)
    derived.velocity_constraints([problem.read(e, f'velocity constraint {i + 1}', (CONTROL,))
                                  for i, e in enumerate(listed('velocity_constraints', velocity_constraints))])
    derived.position_constraints([problem.read(e, f'position constraint {i + 1}', (CONTROL, VELOCITY))
                                  for i, e in enumerate(listed('position_constraints', position_constraints))])
    derived.forces(_forces(problem, forces))
    invariants = by_name('invariants', invariants or {})
    for label in invariants:
        check_name('invariant', label)
    problem.invariants = {label: problem.read(e, f'invariant {label!r}', (CONTROL,)) for label, e in invariants.items()}
    problem.initial_element, problem.initial_velocity = _initial(problem, initial or {})
    derived.examine()
    problem.warn_unused()
    text = Source(problem, derived).text()
    if source is not None:
        build.write(source, text.encode())
    model = load(build.compiled(text, name, out))
    unknown = [label for label in problem.units if label not in model.columns]
    if unknown:
        refuse(f'units: {unknown[0]!r} is no column of this system; these are {", ".join(model.columns)}')
    if check:
        model.check()
    if not project:
        model._given = frozenset(kind for kind, values in (('configuration', problem.initial_element),
                                                           ('velocity', problem.initial_velocity)) if values)
        if check:
            check_given(model, step=model.default_step or 1.0)
    return model


def _energies(problem, kinetic, potential, lagrangian):
    """T and V."""
    if (kinetic is None) == (lagrangian is None):
        refuse('give either kinetic (and potential) or lagrangian')
    if lagrangian is None:
        return (problem.read(kinetic, 'kinetic energy', (CONTROL, TIME)),
                problem.read(potential, 'potential energy', (CONTROL, VELOCITY)))
    if potential != 0:
        refuse('the lagrangian T - V contains the potential; do not give both')
    L = sympy.expand(problem.read(lagrangian, 'lagrangian', (CONTROL,)))
    rest = L.subs({s: 0 for s in problem.velocities})
    T = sympy.expand(L - rest)
    return problem.read(T, 'kinetic energy, the part of the lagrangian with velocities', (TIME,)), -rest


def _forces(problem, forces):
    found = []
    for i, pair in enumerate(listed('forces', forces)):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            refuse(f'force {i + 1}: expected a pair (velocity, force along it), got {pair!r}')
        found.append((problem.read(pair[0], f'velocity of force {i + 1}', (CONTROL, TIME)),
                      problem.read(pair[1], f'force {i + 1}')))
    return found


def _initial(problem, initial):
    """Formulas by index of the element, and by index of the velocity."""
    element, velocity, at = {}, {}, 0
    places, angles, attitudes = {}, {}, {}
    for factor in problem.factors:
        for slot in factor.stored():
            places[slot.symbol.name] = at + slot.index
        if hasattr(factor, 'theta'):
            angles[factor.theta.name] = [at + slot.index for slot in factor.stored()
                                         if slot.symbol in (factor.c, factor.s)]
        if hasattr(factor, 'q'):
            attitudes[factor] = at + factor.size - 4
        at += factor.size
    velocities = {s.name: i for i, s in enumerate(problem.velocities)}
    if not isinstance(initial, Mapping):
        refuse(f'initial: expected a dictionary, got {initial!r}')
    for key, value in initial.items():
        if isinstance(key, Factor):
            if key not in attitudes or isinstance(value, str) or not hasattr(value, '__len__') or len(value) != 4:
                refuse(f'initial: {key!r} needs a quaternion (x, y, z, w) of an attitude; other factors are given '
                       'coordinate by coordinate')
            for i, entry in enumerate(value):
                element[attitudes[key] + i] = _value(problem, key, entry)
            continue
        label = getattr(key, 'name', str(key))
        if any(index in element for index in angles.get(label, [places.get(label)])) or \
                velocities.get(label) in velocity:
            refuse(f'initial: {label!r} is given twice')
        if label in places:
            element[places[label]] = _value(problem, label, value)
        elif label in angles:
            formula = _value(problem, label, value)
            element.update(zip(angles[label], (sympy.cos(formula), sympy.sin(formula))))
        elif label in velocities:
            velocity[velocities[label]] = _value(problem, label, value)
        else:
            refuse(f'initial: {label!r} is no coordinate and no velocity; these are '
                   f'{", ".join([*places, *angles, *velocities])}'
                   f'{nearest(label, [*places, *angles, *velocities])}')
    return element, velocity


def _value(problem, label, value):
    return problem.read(value, f'initial value of {label}', (CONTROL, TIME, VELOCITY, PLACE))
