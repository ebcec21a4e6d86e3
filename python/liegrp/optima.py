# SPDX-License-Identifier: BSD-3-Clause
"""Optimal control."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ._core import ArgumentError, Pinned, check_names, create, default, ffi, lib, real
from ._map import one, pointer, reals
from ._paths import set_avoid, set_bounds, set_path
from ._types import Array, ArrayLike
from .mechanisms import model_of
from .models import Model
from .motions import Motion

Ends = tuple[ArrayLike | None, ArrayLike | None]


class Optimum(Pinned):
    """The controls that bring a model from a state to a target at the least cost, h sum of u.R u / 2, with the steps of
    a method as equations: what the method keeps exactly holds exactly in the optimum. Controls are held during a step,
    or are polynomials inside it.

    model: a Model, a System or a name of catalog(), with controls; liegrp.with_inputs() adds them to a model. Or a
    Mechanism, its Model, or a name of gallery(), whose controls are its motors and thrusters.
    steps, method, retraction: of the motion. time: its length, or (low, high): it is free between these, and a unit of
    it costs `time_weight`.
    start: (g, p), configuration and momentum; None for the identity, and for rest.
    target: (g, p); None is free. rows: 2 n truth values, which components of log(target^-1 g) and of p - target
    must be 0; by default all.
    effort: R (controls, controls), or its diagonal; by default 1, or 1/limit^2 of a motor with limits. limits: a
    dictionary of controls' names and pairs (low, high); motors have their own besides.
    degree: of the polynomials that controls of a system are inside each step of `method='gauss'`, 0 to 7; limits hold
    at their nodes. The cost converges with order 2 (degree + 1); 0: they are held.
    closes: True for a motion of a system that ends in its own start, displaced by the target's g: see Gait.
    start_free: 2 n truth values, which coordinates (eta, p) of a system's start are free.
    bounds: of the numbers of (g, p) at all nodes, (low, high), two arrays; of a mechanism also a dictionary of names
    and pairs, such as {'elbow': (-1, 2), 'elbow_vel': (-3, 3)}.
    path: a function of (t, g, p, u) whose numbers must be >= 0 at all nodes, u is None at the last one, with a degree it
    has (degree + 1, controls) numbers; inf where one does not hold. It may return (values, jacobian), with respect to
    (eta, p, u), else differences find that.
    avoid: of a mechanism, dictionaries such as
    {'body': 'hand', 'point': (0, 0, 0.1), 'at': (1, 0, 0.5), 'sphere': 0.2}: a point of a body's frame, or with
    'radius' a ball about it, stays out of a sphere of this radius, of a 'box' with these half edges, or of a
    'half space' behind the plane with this normal.
    free: names of parameters of a system that are unknowns too, or a dictionary of names and bounds (low, high); the
    model has the first guess, and `parameters` the result.
    Bounds, path and avoid hold where steps meet; a start that is given must satisfy them. path_values has their values.

    Of a mechanism g and p are positions and velocities, as Motion.positions has them. start: None for the model's own
    start, a dictionary as Motion.start() takes it, or a Motion at it. target: a dictionary such as
    {'elbow': 1.2, 'elbow_vel': 0}; what it does not name is free. rest: True lets all velocities end at 0. A floating
    body has BODY_x, BODY_y, BODY_z and its rotation vector BODY_rx, BODY_ry, BODY_rz.

    >>> turned = liegrp.Optimum('furuta', steps=20, time=0.5, target={'turn': 1}, rest=True).solve()
    >>> motion = turned.motion()
    >>> for u in turned.u:
    ...     motion.set_control(u).step()
    <...
    >>> bool(abs(motion.positions[0] - 1) < 1e-9 and abs(motion.velocities).max() < 1e-9)
    True

    The optimum is a local one: another guess may lead to a better one.

    >>> body = liegrp.System(liegrp.SO3, [1, 1, 1], controls=['x', 'y', 'z'], force=lambda c, g, xi: c.u)
    >>> slew = liegrp.Optimum(body, steps=10, time=1.5, target=(liegrp.SO3.exp([0, 0, 2]), [0, 0, 0])).solve()
    >>> bool(abs(slew.cost / (24 / 1.5**3 / (1 - 1 / 100)) - 1) < 1e-10)
    True
    """

    def __init__(self, model: Model | str | Any, *, steps: int = 40, time: float | tuple[float, float] = 1.0,
                 method: str = 'sem', retraction: str = 'exp', start: Ends | Mapping[str, float] | Motion | None = None,
                 target: Ends | Mapping[str, float] | None = None, rest: bool = False,
                 rows: Sequence[bool] | None = None, effort: ArrayLike | None = None,
                 limits: Mapping[str, tuple[float, float]] | None = None, time_weight: float = 0.0,
                 closes: bool = False, start_free: Sequence[bool] | None = None,
                 bounds: Mapping[str, tuple[float, float]] | Ends | None = None,
                 path: Callable[..., Any] | None = None, avoid: Sequence[Mapping[str, Any]] = (),
                 free: Sequence[str] | Mapping[str, tuple[float, float]] = (), degree: int = 0) -> None:
        self.model = model = model_of(model)
        self._path, names_of = None, None
        self._c, self._method = model.control_count, method
        self._nodes = (counted(degree, 'degree', 0) + 1, self._c) if degree else (self._c,)
        problem = default('lg_optimum_problem', lib.lg_optimum_problem_init,
                          ffi.NULL if model.mechanism is not None else model._system())
        names = [ffi.new('char[]', word.encode()) for word in (method, retraction)]
        problem.method, problem.retraction = names
        problem.steps, problem.time_weight = counted(steps), real(time_weight, 'time_weight')
        if np.ndim(time):
            problem.time_low, problem.time_high = (real(t, 'time') for t in pair(time, 'time'))
            if not 0 < problem.time_low < problem.time_high:
                raise ArgumentError(f'time must be a number or (low, high) with 0 < low < high, got {time!r}')
            problem.time = (problem.time_low * problem.time_high) ** 0.5
        else:
            problem.time = real(time, 'time')
        if model.mechanism is not None:
            start, target, rows, names_of = self._of_mechanism(problem, start, target, rest, rows)
        else:
            self._size, self._n = model.group.element_size, model.dim
            if rest:
                raise ArgumentError("rest is for mechanisms; give the target's p")
        kept = [*self._ends(start, 'start'), *self._ends(target, 'target'), self._effort(effort), *self._limits(limits)]
        fields = ('start_g', 'start_p', 'target_g', 'target_p', 'effort', 'control_low', 'control_high')
        for field, array in zip(fields, kept):
            setattr(problem, field, pointer(array))
        kept += [self._flags(rows, 'rows'), self._flags(start_free, 'start_free')]
        problem.target_rows, problem.start_free = kept[-2:]
        problem.closes, problem.degree = bool(closes), degree
        if len(free):
            kept.append(self._free(problem, free))
        if bounds is not None:
            kept.append(set_bounds(problem, bounds, self._size + self._n, names_of, model))
        if len(avoid):
            kept.append(set_avoid(problem, avoid))
        if path is not None:
            at = [np.array(kept[0]) if kept[0] is not None else model.group.identity(),
                  np.array(kept[1]) if kept[1] is not None else np.zeros(self._n)]
            self._path = set_path(problem, path, (self._size, self._n, self._nodes), at)
        self._pointer = create('lg_optimum', lambda slot: lib.lg_optimum_create(slot, problem), lib.lg_optimum_destroy,
                               lib.lg_optimum_message)
        self._keep = model, kept

    def _of_mechanism(self, problem, start, target, rest, rows):
        """Start, target and rows as the problem takes them."""
        if isinstance(start, Motion) and start.model is not self.model:
            raise ArgumentError(f'start is a motion of {start.model.name}, not of this {self.model.name}')
        motion = start
        if not isinstance(start, Motion):
            motion = Motion(self.model, self._method, step=problem.time / problem.steps)
        problem.mechanism = lib.lg_model_mechanism(lib.lg_motion_model(motion.pointer))
        self._size = self._n = n = motion.position_count
        if start is None or isinstance(start, Mapping):
            motion.start(start or None)
        if not isinstance(start, (tuple, list)):
            start = motion.positions, motion.velocities
        if isinstance(target, (tuple, list)):
            if rest:
                raise ArgumentError('rest and a pair exclude each other; give velocities of 0 in the target')
            return start, target, rows, self._names(motion)
        if rows is not None:
            raise ArgumentError('rows are for a pair; a dictionary names what it holds')
        names = self._names(motion)
        target = dict(target or {})
        check_names(target, names, 'position or velocity', self.model.name)
        goal, held = np.zeros(2 * n), np.zeros(2 * n, bool)
        goal[:n] = start[0] if start[0] is not None else 0
        for name, value in target.items():
            goal[names.index(name)], held[names.index(name)] = real(value, name), True
        held[n:] |= bool(rest)
        return start, (goal[:n], goal[n:]), held, names

    def _names(self, motion):
        """The names of positions, then of velocities."""
        named, turns = [[], []], {'_qx': '_rx', '_qy': '_ry', '_qz': '_rz', '_qw': None}
        for i, kind in enumerate((lib.LG_COLUMN_CONFIGURATION, lib.LG_COLUMN_VELOCITY)):
            for name in self.model._named(kind):
                turn = turns.get(name[-3:], '') if i == 0 else ''
                if turn is not None:
                    named[i].append(name[:-3] + turn if turn else name)
        return named[0] + named[1]

    def motion(self) -> Motion:
        """A Motion of the mechanism at the first node, with the optimum's steps: with its controls it passes the nodes.

        >>> liegrp.Optimum('furuta', steps=20, time=0.5, target={'turn': 1}).motion().step_size
        0.025
        """
        if self.model.mechanism is None:
            raise ArgumentError('this is for mechanisms; create a Motion and start it at g[0], p[0]')
        motion = Motion(self.model, self._method, step=self.time / self.steps)
        return motion.start_joints(self.g[0], self.p[0])

    def _ends(self, ends, name):
        """The two parts of a state as arrays or None."""
        g, p = pair((None, None) if ends is None else ends, name)
        return [None if g is None else one(g, (self._size,), f'{name}: g'),
                None if p is None else one(p, (self._n,), f'{name}: p')]

    def _flags(self, flags, name):
        """2 n truth values, or NULL."""
        if flags is None:
            return ffi.NULL
        held = np.asarray(flags)
        if held.shape != (2 * self._n,) or held.dtype.kind not in 'bi':
            raise ArgumentError(f'{name} must be {2 * self._n} truth values, got {flags!r}')
        return ffi.new('int[]', [int(bool(flag)) for flag in held])

    def _effort(self, effort):
        """R, from its diagonal too."""
        if effort is None:
            return None
        effort = reals(effort, 'effort')
        return one(np.diag(effort) if effort.ndim == 1 else effort, (self._c, self._c), 'effort')

    def _limits(self, limits):
        """Two arrays of all controls, or None."""
        if not limits:
            return None, None
        check_names(limits, self.model.controls, 'control', self.model.name)
        bounds = np.array([[-np.inf] * self._c, [np.inf] * self._c])
        for name, limit in limits.items():
            bounds[:, self.model.controls.index(name)] = pair(limit, f'limits of {name}')
        return np.ascontiguousarray(bounds[0]), np.ascontiguousarray(bounds[1])

    def _free(self, problem, free):
        """Flags and bounds of the parameters."""
        names = list(self.model.parameters)
        if isinstance(free, str) or self.model.mechanism is not None:
            raise ArgumentError(f'free must be names of parameters of a system, got {free!r}')
        check_names(free, names, 'parameter', self.model.name)
        flags = ffi.new('int[]', [int(name in free) for name in names])
        low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
        for name in free if isinstance(free, Mapping) else ():
            low[names.index(name)], high[names.index(name)] = pair(free[name], f'bounds of {name}')
        problem.parameter_free, problem.parameter_low, problem.parameter_high = flags, pointer(low), pointer(high)
        return flags, low, high

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters of a system, with the best values of those that are free.

        >>> swing = liegrp.System(liegrp.Rn(1), [1.0], parameters={'wind': 0.0}, controls=['push'],
        ...                       force=lambda c, g, xi: c.u + c['wind'])
        >>> moved = liegrp.Optimum(swing, target=([1.0], [0.5]), free=['wind']).solve()
        >>> round(moved.parameters['wind'], 6)
        0.5
        """
        values = self._array(lib.lg_optimum_parameters, lib.lg_optimum_parameter_count(self._pointer))
        return dict(zip(self.model.parameters, values.tolist())) if len(values) else {}

    def _done(self, status):
        if self._path is not None and status != lib.LG_OK:
            self._path.reraise()
        self.model._check(status, lambda: lib.lg_optimum_message(self._pointer))
        return self

    def guess(self, g: ArrayLike | None = None, p: ArrayLike | None = None, u: ArrayLike | None = None,
              time: float = 0.0) -> Optimum:
        """Sets the nodes g (N + 1, k) and p (N + 1, n), the controls u (as `u` has them) and the free time that solve()
        begins with. Nodes need not be a motion. By default configurations are equally spaced between start and target,
        momenta too, and controls are 0.

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u)
        >>> move = liegrp.Optimum(cart, steps=4, target=([1.0], [0.0]))
        >>> move.guess(g=[[0], [0], [0], [0], [0]]).solve().iterations
        1
        """
        rows = self.steps + 1
        g, p, u = (None if value is None else one(value, shape, name) for value, shape, name in (
            (g, (rows, self._size), 'g'), (p, (rows, self._n), 'p'), (u, (rows - 1, *self._nodes), 'u')))
        return self._done(lib.lg_optimum_guess(self._pointer, pointer(g), pointer(p), pointer(u), real(time, 'time')))

    def move(self, start: Ends = (None, None), target: Ends = (None, None)) -> Optimum:
        """Moves start or target, and keeps nodes, controls and multipliers: the next solve() begins at this optimum.
        For continuation, and for control by prediction. None: unchanged.

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u)
        >>> move = liegrp.Optimum(cart, steps=4, target=([1.0], [0.0])).solve()
        >>> bool(numpy.isclose(move.move(target=([2.0], None)).solve().g[-1, 0], 2))
        True
        """
        parts = [*self._ends(start, 'start'), *self._ends(target, 'target')]
        return self._done(lib.lg_optimum_move(self._pointer, *map(pointer, parts)))

    def solve(self, iterations: int = 100, tolerance: float = 1e-9) -> Optimum:
        """Solves the problem, from the guess or from the last result; `tolerance` is relative. A ConvergenceError says
        what cannot be satisfied; the best point so far stays readable.

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u)
        >>> liegrp.Optimum(cart, target=([9.0], [0.0]), limits={'push': (-1, 1)}).solve()
        Traceback (most recent call last):
            ...
        liegrp._core.ConvergenceError: lg_optimum_solve: no motion satisfies all conditions ...
        """
        return self._done(lib.lg_optimum_solve(self._pointer, iterations, real(tolerance, 'tolerance')))

    def _array(self, function, *shape):
        """A copy of numbers of the optimum."""
        count = int(np.prod(shape))
        if count == 0:
            return np.zeros(shape)
        return np.frombuffer(ffi.buffer(function(self._pointer), 8 * count)).copy().reshape(shape)

    @property
    def steps(self) -> int:
        """N.

        >>> slew = liegrp.Optimum(liegrp.with_inputs(liegrp.Model('rigid-body'), [[1], [0], [0]]), steps=5)
        >>> slew.steps
        5
        """
        return lib.lg_optimum_steps(self._pointer)

    @property
    def t(self) -> Array:
        """The times of the nodes (N + 1,).

        >>> liegrp.Optimum(liegrp.with_inputs(liegrp.Model('rigid-body'), [[1], [0], [0]]), steps=2).t
        array([0. , 0.5, 1. ])
        """
        return np.linspace(0, self.figures['time'], self.steps + 1)

    @property
    def g(self) -> Array:
        """The configurations of the nodes (N + 1, k).

        >>> liegrp.Optimum(liegrp.with_inputs(liegrp.Model('rigid-body'), [[1], [0], [0]])).g.shape
        (41, 4)
        """
        return self._array(lib.lg_optimum_configurations, self.steps + 1, self._size)

    @property
    def p(self) -> Array:
        """The momenta of the nodes (N + 1, n).

        >>> liegrp.Optimum(liegrp.with_inputs(liegrp.Model('rigid-body'), [[1], [0], [0]])).p.shape
        (41, 3)
        """
        return self._array(lib.lg_optimum_momenta, self.steps + 1, self._n)

    @property
    def u(self) -> Array:
        """The controls of the steps (N, controls), with a degree at the nodes of each (N, degree + 1, controls): what
        Motion.set_control() takes for a step.

        >>> liegrp.Optimum(liegrp.with_inputs(liegrp.Model('rigid-body'), [[1], [0], [0]])).u.shape
        (40, 1)
        """
        return self._array(lib.lg_optimum_controls, self.steps, *self._nodes)

    def control(self, t: float) -> Array:
        """The controls at time t (controls,).

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u)
        >>> move = liegrp.Optimum(cart, steps=1, method='gauss', degree=1, target=([1.0], [0.0])).solve()
        >>> move.control(0.25).round(9), round(move.cost, 9)
        (array([3.]), 6.0)
        """
        u = np.empty(self._c)
        if lib.lg_optimum_control_at(self._pointer, real(t, 't'), pointer(u)) != lib.LG_OK:
            raise ArgumentError(f't must be from 0 to {self.time:g}, got {t!r}')
        return u

    @property
    def costates(self) -> Array:
        """The derivative of the least cost with respect to the nodes (eta, p), (N + 1, 2n).

        >>> liegrp.Optimum(liegrp.with_inputs(liegrp.Model('rigid-body'), [[1], [0], [0]])).costates.shape
        (41, 6)
        """
        return self._array(lib.lg_optimum_costates, self.steps + 1, 2 * self._n)

    @property
    def path_values(self) -> Array:
        """The values of path inequalities (N + 1, m): those of `path`, of `avoid`, then distances from `bounds`, of
        each number from the lower and from the upper one.

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u)
        >>> slow = liegrp.Optimum(cart, steps=20, target=([1.0], [0.0]), path=lambda t, g, p, u: 1.2 - p).solve()
        >>> slow.path_values.shape, bool(slow.path_values.min() > -1e-8)
        ((21, 1), True)
        """
        return self._array(lib.lg_optimum_path, self.steps + 1, lib.lg_optimum_path_count(self._pointer))

    @property
    def path_multipliers(self) -> Array:
        """The multipliers of path inequalities (N + 1, m), as path_values: how the least cost grows with what must be
        exceeded.

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u)
        >>> slow = liegrp.Optimum(cart, steps=20, target=([1.0], [0.0]), bounds=([-9, -9], [9, 1.2])).solve()
        >>> slow.path_multipliers.shape
        (21, 4)
        """
        return self._array(lib.lg_optimum_path_multipliers, self.steps + 1, lib.lg_optimum_path_count(self._pointer))

    @property
    def gains(self) -> Array:
        """The regulator along the optimum, K (N, controls, 2n): u + K (log(g_k^-1 g), p - p_k). With a degree it has
        (N, degree + 1, controls, 2n) numbers.

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u)
        >>> liegrp.Optimum(cart, target=([1.0], [0.0])).solve().gains.shape
        (40, 1, 2)
        """
        K = np.empty((self.steps, *self._nodes, 2 * self._n))
        if lib.lg_optimum_gains(self._pointer, pointer(K)) != lib.LG_OK:
            raise ArgumentError('there are no gains before solve() has succeeded')
        return K

    @property
    def figures(self) -> dict[str, float]:
        """Cost, time, and what the present point lacks: defect, end, stationarity, complementarity; iterations;
        end_rank of end_count end conditions are independent; solved; penalty of the end in the gains.

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u)
        >>> liegrp.Optimum(cart, target=([1.0], [0.0])).solve().figures['end_rank']
        2
        """
        f = ffi.new('lg_optimum_figures *')
        self._done(lib.lg_optimum_read(self._pointer, f, ffi.sizeof('lg_optimum_figures')))
        return {name: getattr(f, name) for name, _ in ffi.typeof('lg_optimum_figures').fields}

    @property
    def cost(self) -> float:
        """The cost.

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u)
        >>> liegrp.Optimum(cart).cost
        0.0
        """
        return self.figures['cost']

    @property
    def time(self) -> float:
        """The time of the motion.

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u)
        >>> fast = liegrp.Optimum(cart, steps=20, time=(0.1, 9), time_weight=1, effort=[1e-4],
        ...                       target=([1.0], [0.0]), limits={'push': (-1, 1)}).solve()
        >>> bool(abs(fast.time - 2) < 0.01)
        True
        """
        return self.figures['time']

    @property
    def iterations(self) -> int:
        """The iterations of the last solve().

        >>> cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u)
        >>> liegrp.Optimum(cart, target=([1.0], [0.0])).solve().iterations
        1
        """
        return self.figures['iterations']


def pair(value, name):
    """Two things."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ArgumentError(f'{name} must be a pair, got {value!r}')
    return value


def counted(value, name='steps', least=1):
    """A whole number, such as that of steps, which C checks."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value < 2**31:
        raise ArgumentError(f'{name} must be a {"positive " if least else ""}whole number, got {value!r}')
    return int(value)
