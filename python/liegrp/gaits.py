# SPDX-License-Identifier: BSD-3-Clause
"""Gaits: motions that close on their own start, displaced by a symmetry."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._core import ArgumentError, check_names, real
from ._types import Array, ArrayLike
from .mechanisms import model_of
from .models import Model
from .motions import Motion
from .optima import Optimum
from .trajectories import Trajectory


class Gait(Optimum):
    """The cheapest motion that ends in its own start, displaced: g_N = D g_0, p_N = p_0. Its start is free but for its
    place and its phase: the momentum, and all of the shape but the first angle that the system depends on.

    displacement: D = exp(displacement), at most n numbers, the missing ones are 0. None leaves a component of
    log((D g_0)^-1 g_N) free. Displacements must be symmetries of the system, as poses on a plane and angles that
    nothing depends on are. Of a mechanism it is a dictionary of positions, {'chassis_x': 1, 'left axle': None}, which
    are added: g and p are positions and velocities.
    start_free: 2 n truth values, which coordinates (eta, p) of the start are free instead.
    The others are those of Optimum. solve() finds the gait, gait() does all at once.

    >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u - 0.5 * xi)
    >>> ride = liegrp.Gait(cart, [3.0], time=2.0).solve()
    >>> bool(abs(ride.cost - 0.5 * 2 * 0.75**2) < 1e-3), ride.displacement
    (True, array([3.]))
    """

    def __init__(self, model: Model | str | Any,
                 displacement: Sequence[float | None] | Mapping[str, float | None] = (), *, steps: int = 20,
                 time: float | tuple[float, float] = 1.0, method: str = 'sem', retraction: str = 'exp',
                 start: tuple[ArrayLike | None, ArrayLike | None] | Mapping[str, float] | None = None,
                 start_free: Sequence[bool] | None = None, **options: Any) -> None:
        self._how = method, retraction
        self.model = model = model_of(model)
        if model.mechanism is not None:
            D, rows = self._joints(displacement, method)
            super().__init__(model, steps=steps, time=time, method=method, retraction=retraction, start=start,
                             target=(D, None), rows=rows, closes=True, start_free=start_free, **options)
            return
        if isinstance(displacement, Mapping):
            raise ArgumentError('displacement has names for a mechanism; of a system it is a list of numbers')
        if not 0 <= len(displacement) <= model.dim:
            raise ArgumentError(f'displacement must have at most {model.dim} numbers, got {len(displacement)}')
        by = [*displacement, *[0.0] * (model.dim - len(displacement))]
        D = model.group.exp([0.0 if x is None else real(x, 'displacement') for x in by])
        rows = [x is not None for x in by] + [True] * model.dim
        super().__init__(model, steps=steps, time=time, method=method, retraction=retraction, start=start,
                         target=(D, None), rows=rows, closes=True, start_free=start_free, **options)

    def _joints(self, displacement, method):
        """Differences of joint positions, and which conditions hold."""
        if not isinstance(displacement, Mapping):
            raise ArgumentError("displacement must be a dictionary of positions, such as {'chassis_x': 1}")
        motion = Motion(self.model, method, step=1.0)
        names = self._names(motion)[:motion.position_count]
        check_names(displacement, names, 'position', self.model.name)
        by = [displacement.get(name, 0.0) for name in names]
        rows = [x is not None for x in by] + [True] * len(by)
        return np.array([0.0 if x is None else real(x, name) for x, name in zip(by, names)]), rows

    @property
    def displacement(self) -> Array:
        """log(g_N g_0^-1), (n,): what a period displaces. Of a mechanism g_N - g_0.

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u - xi)
        >>> liegrp.gait(cart, [3.0]).displacement
        array([3.])
        """
        g = self.g
        if self.model.mechanism is not None:
            return g[-1] - g[0]
        group = self.model.group
        return group.log(group.compose(g[-1], group.inverse(g[0])))

    @property
    def multipliers(self) -> Array:
        """The Floquet multipliers (2n,) of the gait under its controls, the largest first: what is left after a period
        of a deviation of (eta, p). Displacements by symmetries have 1; directions off velocity constraints have 0. Of a
        mechanism there is one for each of its freedoms.

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u - xi)
        >>> liegrp.gait(cart, [3.0]).multipliers.real.round(3)
        array([1.   , 0.368])
        """
        method, retraction = self._how
        if self.model.mechanism is not None:
            return Trajectory(self.motion(), self.steps).run(self.u).multipliers()
        motion = Motion(self.model, method, retraction, step=self.time / self.steps)
        motion.integrator.start_momentum(self.g[0], self.p[0])
        if self.u.ndim == 3:  # a trajectory is of such controls from its creation on
            motion.set_control(self.u[0])
        return Trajectory(motion, self.steps).run(self.u).multipliers()


def gait(model: Model | str | Any, displacement: Sequence[float | None] | Mapping[str, float | None] = (), *,
         steps: int = 20, time: float | tuple[float, float] = 1.0, guess: ArrayLike | None = None, iterations: int = 100,
         tolerance: float = 1e-9, **options: Any) -> Gait:
    """The gait of a model, solved: see Gait.

    guess: configurations (steps + 1, k) of a first guess, such as a sine of the shape. Without one the search starts
    from a motion with random controls. With a free time, (low, high), the gait with the time in the middle comes first.
    options: those of Gait and Optimum.

    >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u - 0.5 * xi)
    >>> ride = liegrp.gait(cart, [3.0], time=(1, 9), time_weight=0.1)
    >>> bool(abs(ride.time - 3 * 0.5 / (2 * 0.1)**0.5) < 1e-2)
    True
    """
    if not np.ndim(time):
        return Gait(model, displacement, steps=steps, time=time, **options).guess(guess).solve(iterations, tolerance)
    free = Gait(model, displacement, steps=steps, time=time, **options)
    given = {name: value for name, value in options.items() if name != 'time_weight'}
    first = gait(model, displacement, steps=steps, time=free.time, guess=guess, iterations=iterations,
                 tolerance=tolerance, **given)
    return free.guess(first.g, first.p, first.u).solve(iterations, tolerance)
