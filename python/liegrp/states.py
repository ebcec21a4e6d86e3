# SPDX-License-Identifier: BSD-3-Clause
"""What can be read from an integrator: its state, at present."""
from __future__ import annotations

import functools

import numpy as np

from ._callbacks import taken
from ._core import ArgumentError, Ended, Pinned, ffi, lib, one_of
from ._map import pointer
from ._types import Array, ArrayLike

# Vectors by name: the function of C and where their length comes from.
_VECTORS = {
    'g': lib.lg_integrator_configuration,
    'p': lib.lg_integrator_momentum,
    'p_plus': lib.lg_integrator_momentum_plus,
    'p_minus': lib.lg_integrator_momentum_minus,
    'step_velocity': lib.lg_integrator_step_velocity,
    'multipliers': lib.lg_integrator_multipliers,
    'holonomic_multipliers': lib.lg_integrator_holonomic_multipliers,
}


def _let_go(owner, view):
    """What a view is destroyed with: nothing but the end of a reference to its owner."""


class State(Pinned):
    """The present state of an integrator, as observers and controllers see it: it lives as long as the function that
    gets it is at work. Arrays are copies.

    >>> it = liegrp.Integrator(liegrp.Model('rolling-ball'), step=0.1).start()
    >>> (it.t, it.step_index)
    (0.0, 0)
    """

    _pointer = Ended('keep what is read of it, such as state.g')

    def __init__(self, pointer, model):
        self._pointer, self.model, self._views = pointer, model, {}
        n = model.dim
        self._sizes = {'g': model.group.element_size, 'multipliers': model.constraint_count,
                       'holonomic_multipliers': model.holonomic_count}
        self._sizes.update((name, n) for name in _VECTORS if name not in self._sizes)

    def view(self, name: str) -> Array:
        """A read-only view of 'g', 'p', 'p_plus', 'p_minus', 'step_velocity', 'multipliers' or 'holonomic_multipliers'.
        It keeps its integrator alive, costs no copy, and shows something else after the next call that changes the
        integrator. The view of a state that a function gets is a copy.

        >>> it = liegrp.Integrator(liegrp.Model('rolling-ball'), step=0.1).start()
        >>> it.view('p').shape
        (5,)
        """
        at, size = self._at(name), self._sizes[name]
        if type(self) is State:  # of an integrator that the library owns
            return taken(at, size)
        if size == 0:
            return np.empty(0)
        shown = self._views.get((name, at))
        if shown is None:
            kept = ffi.gc(at, functools.partial(_let_go, self._pointer))
            shown = self._views[name, at] = memoryview(ffi.buffer(kept, 8 * size)).toreadonly()
        return np.frombuffer(shown)

    def _at(self, name):
        """Where a vector is."""
        at = one_of(name, _VECTORS, 'vector')(self._pointer)
        if at == ffi.NULL:
            self.model._raise_failure()
            raise ArgumentError(f'{name}: the integrator is not started; call start()')
        return at

    def _vector(self, name):
        """A copy of a vector."""
        return np.frombuffer(ffi.buffer(self._at(name), 8 * self._sizes[name])).copy()

    def _figure(self, function):
        """A number for which the library calls the system's functions."""
        value = function(self._pointer)
        if value != value:
            self.model._raise_failure()
        return value

    @property
    def t(self) -> float:
        """The time t_k.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start(t0=2).t
        2.0
        """
        return lib.lg_integrator_time(self._pointer)

    @property
    def step_index(self) -> int:
        """k, the number of steps since the start.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().step(3).step_index
        3
        """
        return lib.lg_integrator_step_index(self._pointer)

    @property
    def step_size(self) -> float:
        """The step h.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).step_size
        0.1
        """
        return lib.lg_integrator_step_size(self._pointer)

    @property
    def g(self) -> Array:
        """The configuration g_k, (k,).

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().g
        array([0., 0., 0., 1.])
        """
        return self._vector('g')

    @property
    def xi(self) -> Array:
        """The body velocity J(g_k)^-1 p, (n,).

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().xi.shape
        (3,)
        """
        xi = np.empty(self._sizes['p'])
        self.model._check(lib.lg_integrator_velocity(self._pointer, pointer(xi)),
                          lambda: lib.lg_integrator_message(self._pointer))
        return xi

    @property
    def p(self) -> Array:
        """The momentum at the node, which satisfies the constraints, (n,).

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().p.shape
        (3,)
        """
        return self._vector('p')

    @property
    def p_plus(self) -> Array:
        """The momentum that arrives at the node, (n,).

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().p_plus.shape
        (3,)
        """
        return self._vector('p_plus')

    @property
    def p_minus(self) -> Array:
        """The momentum that leaves the node, (n,), for methods that know it (gni, rattle, variational).

        >>> liegrp.Integrator(liegrp.Model('suslov'), 'gni', step=0.1).start().p_minus.shape
        (3,)
        """
        return self._vector('p_minus')

    @property
    def step_velocity(self) -> Array:
        """The velocity of the last step, a quantity of its middle, (n,); zeros before the first one.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().step_velocity
        array([0., 0., 0.])
        """
        return self._vector('step_velocity')

    @property
    def multipliers(self) -> Array:
        """The multipliers lambda of the velocity constraints, (m,): p' = ... + A^T lambda.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().step().multipliers.shape
        (1,)
        """
        return self._vector('multipliers')

    @property
    def holonomic_multipliers(self) -> Array:
        """The multipliers sigma of the holonomic constraints: p' = ... + d phi^T sigma.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().holonomic_multipliers.shape
        (0,)
        """
        return self._vector('holonomic_multipliers')

    @property
    def energy(self) -> float:
        """H(g_k, p).

        >>> it = liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start()
        >>> first = it.energy
        >>> abs(it.step(100).energy - first) < 1e-13
        True
        """
        return self._figure(lib.lg_integrator_energy)

    @property
    def energy_post(self) -> float:
        """H(g_k, p^-) of the GNI; NaN for other methods.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().energy_post
        nan
        """
        return self._figure(lib.lg_integrator_energy_post)

    @property
    def constraint_residual(self) -> float:
        """The largest |A (xi - Y)|.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().step().constraint_residual < 1e-14
        True
        """
        return self._figure(lib.lg_integrator_constraint_residual)

    @property
    def holonomic_residual(self) -> float:
        """The largest |phi(t, g)|.

        >>> liegrp.Integrator(liegrp.Model('double-spherical-pendulum'), step=0.01).start().holonomic_residual < 1e-12
        True
        """
        return self._figure(lib.lg_integrator_holonomic_residual)

    @property
    def normal_part(self) -> float:
        """|p^- - p| in the metric J^-1 for the GNI; if it grows, that is the parasitic mode. NaN for other methods.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().normal_part
        nan
        """
        return lib.lg_integrator_normal_part(self._pointer)

    @property
    def step_work(self) -> float:
        """The work of forces and moving constraints in the last step, for sem; NaN for other methods.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().step().step_work
        0.0
        """
        return lib.lg_integrator_step_work(self._pointer)

    @property
    def iterations(self) -> int:
        """Newton iterations, or residual evaluations, of the last step.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().step().iterations > 0
        True
        """
        return lib.lg_integrator_iterations(self._pointer)

    def interpolate(self, s: ArrayLike) -> tuple[float, Array, Array]:
        """(t, g, xi) within the last step at the fraction s, 0 <= s <= 1: for drawing, of order 2.

        >>> it = liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().step()
        >>> it.interpolate(0.5)[0]
        0.05
        """
        t, g, xi = ffi.new('double *'), np.empty(self._sizes['g']), np.empty(self._sizes['p'])
        self.model._check(lib.lg_integrator_interpolate(self._pointer, t, pointer(g), pointer(xi), s),
                          lambda: ffi.NULL)
        return t[0], g, xi
