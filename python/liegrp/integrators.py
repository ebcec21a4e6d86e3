# SPDX-License-Identifier: BSD-3-Clause
"""Methods, and the integrator inside a motion."""
from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ._callbacks import taken
from ._core import ArgumentError, Pinned, UnsupportedError, ffi, lib, one_of, real, text, texts
from ._map import one, pointer
from ._types import Array, ArrayLike

STARTS = {'reaction': lib.LG_START_REACTION, 'legendre': lib.LG_START_LEGENDRE, 'paper': lib.LG_START_PAPER}
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


def methods() -> dict[str, str]:
    """The methods and what they are: a dictionary of names and summaries.

    >>> 'sem' in liegrp.methods()
    True
    """
    return {name: text(lib.lg_method_summary(name.encode())) for name in texts(lib.lg_method_names())}


def compositions() -> dict[str, str]:
    """The compositions that may follow '@' in a method's name, and what they are.

    >>> 'suzuki4' in liegrp.compositions()
    True
    """
    return {name: text(lib.lg_composition_summary(name.encode())) for name in texts(lib.lg_composition_names())}


def _let_go(owner, view):
    """The destructor of a view, whose arguments keep its owner alive until then."""


class Integrator(Pinned):
    """The integrator inside a motion, Motion.integrator: momenta before and after the reactions, multipliers, the
    solver, diagnostics. It is the motion's, and moves with it.

    >>> it = liegrp.Motion('rolling-ball', 'gni', step=0.1).step().integrator
    >>> it.p_plus.shape, it.p_minus.shape, it.multipliers.shape
    ((5,), (5,), (2,))
    """

    def __init__(self, motion: Any) -> None:
        self.motion, self.model = motion, motion.model
        if lib.lg_motion_integrator(motion.pointer) == ffi.NULL:
            method = text(lib.lg_motion_method(motion.pointer))
            raise UnsupportedError(f'{method} of a mechanism is its sparse step, which has no integrator; '
                                   f"'sem:gauss=1' and other methods have one")
        n = self.model.dim
        self._sizes = {'g': self.model.group.element_size, 'multipliers': self.model.constraint_count,
                       'holonomic_multipliers': self.model.holonomic_count}
        self._sizes.update((name, n) for name in _VECTORS if name not in self._sizes)

    @property
    def _pointer(self):
        return lib.lg_motion_integrator(self.motion.pointer)

    @property
    def _free(self):
        """The pointer for functions that change the state."""
        self.motion._check_free()
        return self._pointer

    def _done(self, status):
        """Raises what failed."""
        self.model._check(status, lambda: lib.lg_integrator_message(self._pointer))

    def view(self, name: str) -> Array:
        """A read-only view of 'g', 'p', 'p_plus', 'p_minus', 'step_velocity', 'multipliers' or 'holonomic_multipliers'.
        It keeps its motion alive, costs no copy, and changes with the next call that changes the motion. For the state
        in a callback it is a copy.

        >>> liegrp.Motion('rolling-ball').integrator.view('p').shape
        (5,)
        """
        at, size = self._at(name), self._sizes[name]
        if size == 0 or not self.motion._owned:
            return taken(at, size)
        kept = ffi.gc(at, functools.partial(_let_go, self.motion.pointer))
        return np.frombuffer(memoryview(ffi.buffer(kept, 8 * size)).toreadonly())

    def _at(self, name):
        """Where a vector is."""
        at = one_of(name, _VECTORS, 'vector')(self._pointer)
        if at == ffi.NULL:
            self.model._raise_failure()
            raise ArgumentError(f'{name}: the motion is not started; call start()')
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
    def p_plus(self) -> Array:
        """The momentum that arrives at the node, (n,).

        >>> liegrp.Motion('suslov', step=0.1).integrator.p_plus.shape
        (3,)
        """
        return self._vector('p_plus')

    @property
    def p_minus(self) -> Array:
        """The momentum that leaves the node, (n,), for methods that know it (gni, rattle, variational).

        >>> liegrp.Motion('suslov', 'gni', step=0.1).integrator.p_minus.shape
        (3,)
        """
        return self._vector('p_minus')

    @property
    def step_velocity(self) -> Array:
        """The velocity of the last step, a quantity of its middle, (n,); zeros before the first one.

        >>> liegrp.Motion('suslov', step=0.1).integrator.step_velocity
        array([0., 0., 0.])
        """
        return self._vector('step_velocity')

    @property
    def multipliers(self) -> Array:
        """The multipliers lambda of the velocity constraints, (m,): p' = ... + A^T lambda.

        >>> liegrp.Motion('suslov', step=0.1).step().integrator.multipliers.shape
        (1,)
        """
        return self._vector('multipliers')

    @property
    def holonomic_multipliers(self) -> Array:
        """The multipliers sigma of the holonomic constraints: p' = ... + d phi^T sigma.

        >>> liegrp.Motion('suslov', step=0.1).integrator.holonomic_multipliers.shape
        (0,)
        """
        return self._vector('holonomic_multipliers')

    @property
    def energy_post(self) -> float:
        """H(g_k, p^-) of the GNI; NaN for other methods.

        >>> liegrp.Motion('suslov', step=0.1).integrator.energy_post
        nan
        """
        return self._figure(lib.lg_integrator_energy_post)

    @property
    def normal_part(self) -> float:
        """|p^- - p| in the metric J^-1 for the GNI; if it grows, that is the parasitic mode. NaN for other methods.

        >>> liegrp.Motion('suslov', step=0.1).integrator.normal_part
        nan
        """
        return lib.lg_integrator_normal_part(self._pointer)

    @property
    def step_work(self) -> float:
        """The work of forces and moving constraints in the last step, for sem; NaN for other methods.

        >>> liegrp.Motion('suslov', step=0.1).step().integrator.step_work
        0.0
        """
        return lib.lg_integrator_step_work(self._pointer)

    def start_momentum(self, g: ArrayLike, p: ArrayLike, t0: float = 0.0) -> None:
        """Starts from the method's own momentum (n,): p^- of gni, rattle and variational, p^+ of dla, else p.

        >>> motion = liegrp.Motion('suslov', 'gni', step=0.1)
        >>> motion.integrator.start_momentum(motion.g, motion.integrator.p_minus)
        >>> motion.step_index
        0
        """
        g, p = one(g, self.model.group._g, 'g'), one(p, self.model.group._xi, 'p')
        self._done(lib.lg_integrator_start_momentum(self._free, real(t0, 't0'), pointer(g), pointer(p)))

    def set_newton(self, tolerance: float = 1e-08, iterations: int = 50) -> None:
        """Newton's relative tolerance on the last correction, and the largest number of iterations.

        >>> liegrp.Motion('suslov', step=0.1).integrator.set_newton(1e-10, 20)
        """
        self._done(lib.lg_integrator_set_newton(self._free, tolerance, iterations))

    def set_solver(self, tolerance: float = 1e-14, evaluations: int = 100) -> None:
        """The relative tolerance on the residual of implicit steps, and the largest number of their evaluations.

        >>> liegrp.Motion('suslov', step=0.1).integrator.set_solver(1e-13, 200)
        """
        self._done(lib.lg_integrator_set_solver(self._free, tolerance, evaluations))

    def reversibility(self, steps: int = 100) -> float:
        """The defect of `steps` steps forward and back; round-off for symmetric methods.

        >>> liegrp.Motion('suslov', step=0.1).integrator.reversibility(10) < 1e-12
        True
        """
        defect = ffi.new('double *')
        self._done(lib.lg_diagnostics_reversibility(self._pointer, defect, steps))
        return defect[0]

    def determinant(self) -> float:
        """The determinant of the next step's derivative on (eta, p).

        >>> round(liegrp.Motion('suslov', 'gni', step=0.1).integrator.determinant(), 6)
        -1.0
        """
        found = ffi.new('double *')
        self._done(lib.lg_diagnostics_determinant(self._pointer, found))
        return found[0]

    def parasitic_growth(self) -> tuple[float, int]:
        """(rate, count) of the parasitic mode of the GNI at the present state; (nan, 0) for other methods.

        >>> liegrp.Motion('suslov', 'gni', step=0.1).integrator.parasitic_growth()[1]
        1
        """
        rate, count = ffi.new('double *'), ffi.new('int *')
        self._done(lib.lg_diagnostics_parasitic_growth(self._pointer, rate, count))
        return rate[0], count[0]
