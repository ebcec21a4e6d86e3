# SPDX-License-Identifier: BSD-3-Clause
"""One trajectory of a model: start, step, events, checkpoints, whole runs."""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from ._callbacks import compiled_function
from ._calls import Calls
from ._core import (ArgumentError, Error, check, check_counts, check_names, create, default, ffi, flag, lib, merged,
                    one_of, real, step_of)
from ._descriptions import listed
from ._map import one, pointer, reals, vector
from ._types import Array, ArrayLike, Function, Path
from .integrators import STARTS
from .mechanisms import Mechanism, model_of
from .models import Model
from .retractions import Retraction
from .runs import Result, run_on
from .states import State

_CROSSINGS = {'both': lib.LG_CROSSING_BOTH, 'up': lib.LG_CROSSING_UP, 'down': lib.LG_CROSSING_DOWN}
_LAWS = {name: number for number, name in enumerate(listed(lib.lg_impact_law_name))}
_NOTHING: Mapping[str, float] = MappingProxyType({})
_MOVED = 1e-8  # relative change of a configuration by a projection: more is a violation, less round-off
_PIECE = 64  # steps between which signals are seen
_OK = lib.LG_OK


class Motion(State):
    """One trajectory of a model by a method, with a step of h; it starts from the model's initial state.

    model: a Model, System or Mechanism, or the name of one in catalog() or gallery(); its parameters are those at this
    moment. method: NAME[:OPTION,...][@COMPOSITION], see methods(); a mechanism's sem, rattle and gauss are sparse, and
    other methods take its bodies as a system. retraction: a name or a Retraction. step: by default the model's own.
    tolerance: lets `gauss` choose its steps; `step` is then the interval of states. A step that fails is tried again as
    up to 2^halvings steps. start: 'reaction', 'legendre' or 'paper', for gni, rattle and variational. key, project: as
    start(). started: False leaves it without a state, for start() or load(). Functions that change the state return the
    motion. An exception of a Python function is raised by the call that needed the function.

    >>> motion = liegrp.Motion('double-pendulum', step=0.01)
    >>> H = motion.energy
    >>> abs(motion.step(100).energy - H) < 1e-10
    True
    """

    _owned = True
    _contact = None  # arguments of set_contact()
    _begun = None  # arguments of a start from the model's initial state, as long as that is the state

    def __init__(self, model: Model | Mechanism | str, method: str = 'sem', retraction: str | Retraction = 'exp',
                 step: float | None = None, *, tolerance: float | None = None, halvings: int = 0,
                 start: str = 'reaction', key: str | None = None, project: bool = False,
                 started: bool = True) -> None:
        model = model_of(model)
        options = default('lg_motion_options', lib.lg_motion_options_init)
        how = Retraction.of(retraction)
        kept = [ffi.new('char[]', word.encode()) for word in (method, how.name)]
        options.method = kept[0]
        if how._factors:
            options.own_retraction = how._pointer
        else:
            options.retraction = kept[1]
        options.step, options.halvings = step_of(step, model.default_step), halvings
        options.tolerance = 0 if tolerance is None else real(tolerance, 'tolerance')
        options.start = one_of(start, STARTS, 'start')
        self._take(model, lambda slot: lib.lg_motion_create(slot, model._pointer, options), how._pointer)
        self.method, self._how = method, {'retraction': retraction, 'start': start}
        if started:
            self.start(key=key, project=project)

    def _take(self, model, make, of=None):
        """Takes the C motion that make(slot) creates, of an ensemble or with a retraction that is to outlive it."""
        try:
            # The model, or the ensemble that has its own, outlives it, in any order of garbage collection.
            made = create('lg_motion', make, lambda mo, kept=(model._pointer, of): lib.lg_motion_destroy(mo),
                          lib.lg_motion_message)
        except Exception:
            model._raise_failure()
            raise
        super().__init__(made, model)
        self._calls, self._of = Calls(model), of

    def _check(self, status):
        self._calls.reraise()
        check(status, lambda: lib.lg_motion_message(self.pointer))

    def _check_free(self):
        """Called before the state changes."""
        self._calls.check_free()
        self._begun = None

    def _done(self, status):
        self._check(status)
        return self

    def start(self, initial: Mapping[str, float] | ArrayLike | None = None, *, t0: float | None = None,
              key: str | None = None, project: bool = False, **values: float) -> Motion:
        """Starts at time t0 (0) from positions and velocities by the names of columns: a dictionary, keywords, or a row
        of a run, whose other columns are ignored. Values that are not given are the model's initial ones, or those of
        `key`, a start of the file by its name (Mechanism.keys), which sets the controls too, and is at its own time.

        project: the state moves to the nearest one that satisfies the constraints. Otherwise given values must satisfy
        them; a velocity that is not given is projected in any case.

        >>> motion = liegrp.Motion('four-bar').start(a_vel=12, project=True)
        >>> round(motion.joint('a')[1][0], 6)
        12.0
        """
        self._check_free()
        project = flag(project, 'project')
        if key is not None:
            if not isinstance(initial, (Mapping, type(None))):
                raise ArgumentError('a row and key exclude each other; give single values by name')
            return self._start_key(key, t0, merged(initial, values), project)
        t0 = 0.0 if t0 is None else real(t0, 't0')
        if not isinstance(initial, (Mapping, type(None))):
            return self._started(t0, self._row(initial), project)
        given = merged(initial, values)
        if not given:
            if self.model._given and not project:
                self._start_given(t0)
            else:
                self._started(t0, None, project)
            self._begun = {'t0': t0, 'project': project}
            return self
        check_names(given, self.model._initial_names(), 'position or velocity', self.model.name)
        row = np.full(len(self.model.columns), np.nan)
        for name, value in given.items():
            row[self.model.columns.index(name)] = real(value, name)
        return self._started(t0, row, project)

    def _start_key(self, key, t0, given, project):
        keys, row = self.mechanism.keys, np.empty(len(self.model.columns))
        if key not in keys:
            raise ArgumentError(f'there is no key {key!r} in {self.model.name}; there are {", ".join(keys) or "none"}')
        self.model._check(lib.lg_model_key(self.model._pointer, pointer(row), keys.index(key)))
        check_names(given, self.model._initial_names(), 'position or velocity', self.model.name)
        controls = [self.model.columns.index(name) for name in self.model._named(lib.LG_COLUMN_CONTROL)]
        for name, value in given.items():
            row[self.model.columns.index(name)] = real(value, name)
        if controls:
            self.set_control(row[controls])
        return self._started(row[1] if t0 is None else real(t0, 't0'), row, project)

    def _started(self, t0, row, project):
        return self._done(lib.lg_motion_start(self.pointer, t0, pointer(row), project))

    def _row(self, row):
        """A row as numbers."""
        names = getattr(getattr(row, 'dtype', None), 'names', None)
        if names is not None:
            if list(names) != self.model.columns:
                raise ArgumentError(f'the row is of another model than {self.model.name}: it has {", ".join(names)}')
            row = [float(row[name]) for name in names]
        return one(row, (len(self.model.columns),), 'initial')

    def _start_given(self, t0):
        """Refuses initial data of a description that the projection of a start would change."""
        (g, xi), said = self.model.initial(), None
        if 'velocity' in self.model._given:
            try:
                self.start_state(g, xi, t0=t0)
            except ArgumentError as refused:
                if refused.status != 'LG_ERROR_INCONSISTENT':
                    raise
                said = str(refused).split('; set project')[0]
        self.start_state(g, xi, t0=t0, project=True)
        moved = abs(self.g - g).max()
        if said is None and moved > _MOVED * (1 + abs(g).max()):
            said = f'the configuration violates the constraints: the nearest that satisfies them is {moved:.3g} away'
        if said is not None:
            raise ArgumentError(f'initial data of {self.model.name}: {said}. The nearest that satisfy the constraints '
                                f'are {self.g.tolist()} and {self.xi.tolist()}; give these, or project=True to take '
                                'the nearest', 'LG_ERROR_INCONSISTENT')
        return self

    def start_state(self, g: ArrayLike | None = None, xi: ArrayLike | None = None, *, t0: float = 0.0,
                    project: bool = False) -> Motion:
        """Starts at time t0 from g (k,) and the velocity xi (n,); None: the model's initial ones. project as start().

        >>> liegrp.Motion('suslov').start_state([0, 0, 0, 1], [0, 0.5, 0], project=True).t
        0.0
        """
        self._check_free()
        g0, xi0 = self.model.initial() if g is None or xi is None else (None, None)
        g = g0 if g is None else one(g, self.model.group._g, 'g')
        xi = xi0 if xi is None else one(xi, self.model.group._xi, 'xi')
        return self._done(lib.lg_motion_start_state(self.pointer, real(t0, 't0'), pointer(g), pointer(xi),
                                                    flag(project, 'project')))

    def start_joints(self, positions: ArrayLike | None = None, velocities: ArrayLike | None = None, *, t0: float = 0.0,
                     project: bool = False) -> Motion:
        """Starts a mechanism from `positions` and `velocities` (position_count); without them as assembled, at rest.

        >>> liegrp.Motion('double-pendulum').start_joints([0.1, 0.2], [0, 1]).velocities
        array([0., 1.])
        """
        self._check_free()
        q, v = (vector(value, self.position_count, name) for value, name in ((positions, 'positions'),
                                                                             (velocities, 'velocities')))
        return self._done(lib.lg_motion_start_joints(self.pointer, real(t0, 't0'), pointer(q), pointer(v),
                                                     flag(project, 'project')))

    def start_poses(self, poses: ArrayLike, twists: ArrayLike | None = None, *, t0: float = 0.0,
                    project: bool = False) -> Motion:
        """Starts a mechanism from poses (bodies, 7) and twists (bodies, 6); without twists at rest.

        >>> motion = liegrp.Motion('vehicle')
        >>> bool(abs(motion.start_poses(motion.poses).twists).max() == 0)
        True
        """
        self._check_free()
        g = one(poses, (self.body_count, 7), 'poses')
        xi = None if twists is None else one(twists, (self.body_count, 6), 'twists')
        return self._done(lib.lg_motion_start_poses(self.pointer, real(t0, 't0'), pointer(g), pointer(xi),
                                                    flag(project, 'project')))

    def reset(self) -> Motion:
        """Returns to the state of the last start.

        >>> liegrp.Motion('suslov').step(5).reset().step_index
        0
        """
        self._check_free()
        return self._done(lib.lg_motion_reset(self.pointer))

    def set_control(self, u: ArrayLike) -> Motion:
        """Sets the controls (control_count,), of a mechanism the torque or force of each motor, the wanted position or
        velocity of a servo. They hold until they are set again. Two axes, (degree + 1, control_count): polynomials inside
        each step of `gauss`, by their values at the nodes of Gauss quadrature, as Optimum.u has them.

        >>> liegrp.Motion('vehicle').set_control([0.1, 0.2]).controls
        array([0.1, 0.2])
        """
        self._check_free()
        u, count = reals(u, 'u'), self.model.control_count
        if u.ndim != 2:
            return self._done(lib.lg_motion_set_control(self.pointer, pointer(one(u, (count,), 'u'))))
        u = one(u, (len(u), count), 'u')
        return self._done(lib.lg_motion_set_control_nodes(self.pointer, len(u) - 1, pointer(u)))

    def set_activation(self, name: str, activation: float) -> Motion:
        """Sets the activation of a motor or thruster at the present time. A start sets it to 0, or to that of its column.

        >>> liegrp.Motion('vehicle').set_activation('left motor', 0.1)
        Traceback (most recent call last):
        liegrp._core.ArgumentError: ...
        """
        self._check_free()
        return self._done(lib.lg_motion_set_activation(self.pointer, self._control_of(name),
                                                       real(activation, 'activation')))

    @property
    def controls(self) -> Array:
        """The controls that a mechanism's motors have.

        >>> liegrp.Motion('vehicle').controls.shape
        (2,)
        """
        self.mechanism  # rows of other models have no controls
        return np.array([self.row[name] for name in self.model._named(lib.LG_COLUMN_CONTROL)])

    def set_wrench(self, wrench: Function | None) -> Motion:
        """Sets wrenches of your own on the bodies of a mechanism: wrench(t, poses (bodies, 7), twists (bodies, 6))
        returns (bodies, 6), force in space and torque about the centre of mass in space. There the poses are of the
        centre of mass. A numba cfunc, or a function pointer of ctypes or cffi, of the type lg_wrench_fn runs without
        Python. None: no wrenches.

        >>> motion = liegrp.Motion('double-pendulum')
        >>> motion.set_wrench(lambda t, poses, twists: -0.1 * twists).step(10).work < 0
        True
        """
        self._check_free()
        self.mechanism  # raises for other models
        function = ffi.NULL if wrench is None else compiled_function(wrench, 'lg_wrench_fn', 'wrench')
        python = function is None
        self._calls.wrench = wrench
        return self._done(lib.lg_motion_set_wrench(self.pointer, lib._lgp_wrench if python else function,
                                                   self._calls.handle if python else ffi.NULL))

    def set_contact(self, *, law: str = 'poisson', capture_speed: float = 0.01, localise: bool = True,
                    events: int = 50, separate: bool = False) -> Motion:
        """Sets how a mechanism's contacts land from here on.

        law of impacts: 'poisson'; 'newton', which may gain energy where there is friction; 'sequential', one contact
        after the other, the fastest first. capture_speed (m/s, of stops also rad/s): what comes down slower stays,
        without an impact. localise: an impact ends the step in which it happens, and another one begins; otherwise
        whatever lands in a step loses its normal velocity. events: the most impacts in a step. separate: starts that
        overlap are moved apart, and `remark` says so, instead of being refused.

        >>> m = liegrp.Mechanism()
        >>> m.add_body('pendulum', mass=1, inertia=[0.1, 0.1, 0.1], position=[1, 0, 0])
        0
        >>> m.add_joint('hinge', 'revolute', None, 'pendulum', axis=[0, 1, 0], upper=1, stops=True)
        0
        >>> motion = liegrp.Motion(m, step=0.01).set_contact(law='sequential', capture_speed=1e-3)
        >>> float(motion.step(100).positions[0])
        1.0
        """
        self._calls.check_free()
        self.mechanism  # raises for other models
        options = {'law': law, 'capture_speed': capture_speed, 'localise': localise, 'events': events, 'separate': separate}
        self._check(lib.lg_motion_set_contact(self.pointer, contact_options(**options)))
        self._contact = options
        return self

    @property
    def on_impact(self) -> Function | None:
        """A function of yours that each impact calls: on_impact(t, impacts). Records of the contacts that took part:
        contact, its number in `contacts`; surfaces (2) and joint as there; approach, the speed at which they came
        together; impulse (3), on the second surface in space; loss, J. Steps that are taken back, because they fail or
        an event is sought in them, have called it. None: none.

        >>> m = liegrp.Mechanism()
        >>> m.add_body('ball', mass=1, inertia=[0.1, 0.1, 0.1], position=[0, 0, 2])
        0
        >>> m.add_surface('skin', 'ball', 'sphere', half=0.5)
        0
        >>> m.add_surface('ground', None, 'plane')
        1
        >>> motion = liegrp.Motion(m, step=0.01)
        >>> motion.on_impact = lambda t, impacts: print(f"{t:.4f} s, {impacts['loss'].sum():.3f} J")
        >>> _ = motion.step(60)
        0.5530 s, 14.715 J
        """
        return self._calls.impact

    @on_impact.setter
    def on_impact(self, impact: Function | None) -> None:
        self._check_free()
        self.mechanism  # raises for other models
        self._calls.impact = impact
        self._check(lib.lg_motion_set_impact(self.pointer, ffi.NULL if impact is None else lib._lgp_impact,
                                             self._calls.handle))

    def set_step(self, step: float) -> Motion:
        """Sets the length of the steps that follow; negative: back in time. Time goes on from the present state; reset()
        keeps the new length.

        >>> liegrp.Motion('vehicle').step(2).set_step(0.005).step().t
        0.025
        """
        self._check_free()
        return self._done(lib.lg_motion_set_step(self.pointer, real(step, 'step')))

    def set_parameters(self, parameters: Mapping[str, float] = _NOTHING, **values: float) -> Motion:
        """Sets parameters of this motion, from a dictionary or by keyword; those of its model stay. The motion starts
        again where it is, with the velocities that it has: reset() comes back to this state.

        >>> motion = liegrp.Motion('furuta').set_parameters({'pendulum.mass': 0.2})
        >>> motion.parameters['pendulum.mass'], motion.model['pendulum.mass']
        (0.2, 0.12)
        """
        given = merged(parameters, values)
        which = self._parameter_numbers(given)
        values = np.array([real(value, name) for name, value in given.items()])
        self._check_free()
        return self._done(lib.lg_motion_set_parameters(self.pointer, which, pointer(values), len(given)))

    def _parameter_numbers(self, names):
        """The numbers of parameters as C takes them."""
        if isinstance(names, str):
            raise ArgumentError(f'parameters are a list of names, got {names!r}')
        model = self.model
        if model.mechanism is None:
            check_names(names, model._parameter_names, 'parameter', model.name)
            return ffi.new('int[]', [model._parameter_names.index(name) for name in names])
        try:
            return ffi.new('int[]', [model.mechanism.parameters._index(name) for name in names])
        except KeyError as e:
            raise ArgumentError(e.args[0]) from None

    @property
    def parameters(self) -> dict[str, float]:
        """The values of the parameters of this motion, a dictionary.

        >>> liegrp.Motion('rolling-ball').parameters == liegrp.Model('rolling-ball').parameters
        True
        """
        return {name: lib.lg_motion_parameter(self.pointer, i) for i, name in enumerate(self.model._parameter_names)}

    def set_tolerance(self, tolerance: float) -> Motion:
        """Lets the method `gauss` choose its steps from here on; 0: steps of h again.

        >>> liegrp.Motion('suslov', 'gauss').set_tolerance(1e-9).tolerance
        1e-09
        """
        self._check_free()
        return self._done(lib.lg_motion_set_tolerance(self.pointer, real(tolerance, 'tolerance')))

    def set_solver(self, tolerance: float) -> Motion:
        """Sets the tolerance of the solver of implicit steps: the relative residual, or the relative change of the
        stages of a mechanism's `gauss`, from 1e-16 to 1e-3.

        >>> motion = liegrp.Motion('arm', 'gauss').set_solver(1e-8)
        """
        self._check_free()
        return self._done(lib.lg_motion_set_solver(self.pointer, real(tolerance, 'tolerance')))

    def step(self, n: int = 1) -> Motion:
        """Makes n steps. After an error the state is that after the last successful step. Ctrl-C stops it between
        steps.

        >>> liegrp.Motion('vehicle').step(100).t
        1.0
        """
        if type(n) is int and n == 1:  # the usual case, quickly
            if self._calls.at_work or self.model._owner is not None:
                self._calls.check_free()
            self._begun = None
            status = lib.lg_motion_step(self.pointer, 1)
            return self if status == _OK else self._done(status)
        check_counts(n)
        self._check_free()
        while n > 0:
            piece = min(n, _PIECE)
            self._check(lib.lg_motion_step(self.pointer, piece))
            n -= piece
        return self

    def run_to(self, t: float) -> Motion:
        """Makes full steps while they fit, then one that ends at t exactly. Ctrl-C stops it between steps.

        >>> liegrp.Motion('suslov', step=0.1).run_to(0.25).t
        0.25
        """
        self._check_free()
        t, h = real(t, 't'), self.step_size
        while (t - self.t) / h > 2 * _PIECE:
            self._check(lib.lg_motion_step(self.pointer, _PIECE))
        return self._done(lib.lg_motion_run_to(self.pointer, t))

    def step_to_event(self, f: Function, direction: str = 'both', tolerance: float = 0) -> int:
        """Makes one step, or the part of it up to where f(state) changes its sign. Returns 1 if it rises there, -1 if
        it falls, 0 without an event. f may be compiled, of the type lg_motion_event_fn. direction: 'both', 'up' or
        'down'; tolerance: in steps, by default 1e-10.

        >>> motion = liegrp.Motion('double-pendulum')
        >>> while not motion.step_to_event(lambda state: state.positions[0] - 0.5): pass
        >>> bool(abs(motion.positions[0] - 0.5) < 1e-9)
        True
        """
        self._check_free()
        function = compiled_function(f, 'lg_motion_event_fn', 'event')
        event = default('lg_motion_event', lib.lg_motion_event_init,
                        *((function, ffi.NULL) if function else (lib._lgp_motion_event, self._calls.handle)))
        event.direction, event.tolerance = one_of(direction, _CROSSINGS, 'direction'), tolerance
        found = ffi.new('int *')
        self._calls.event = f
        self._check(lib.lg_motion_step_to_event(self.pointer, found, event))
        return found[0]

    def continue_from(self, other: Motion) -> float:
        """Continues from the state of a motion of another mechanism with the same bodies, such as a robot that lands.
        Returns the kinetic energy that the plastic impact takes, J.

        >>> before, after = [liegrp.Motion('vehicle') for _ in range(2)]
        >>> abs(after.continue_from(before.step(10))) < 1e-12
        True
        """
        self._check_free()
        lost, _ = ffi.new('double *'), (self.mechanism, other.mechanism)
        self._check(lib.lg_motion_continue(self.pointer, lost, other.pointer))
        return lost[0]

    def _linearise(self, function, spin):
        self._calls.check_free()
        k, positions = lib.lg_motion_freedoms(self.pointer, ffi.NULL), self.position_count
        A, B, C = np.zeros((k, k)), np.zeros((k, self.model.control_count)), np.zeros((2 * positions, k))
        spin = vector(spin, 3, 'spin')
        self._check(function(self.pointer, pointer(A), pointer(B if B.size else None), pointer(C), pointer(spin)))
        return A, B, C

    def linearise(self, spin: ArrayLike | None = None) -> tuple[Array, Array, Array]:
        """Matrices A (k, k), B (k, motors), C (2 position_count, k) of y' = A y + B u' of a mechanism at the present
        state, where C y are changes of positions and velocities. spin (3): angular velocity of the axes from which the
        motion is steady. Linearisation differentiates the steps of other models.

        >>> A, B, C = liegrp.Motion('vehicle').linearise()
        >>> A.shape, B.shape, C.shape
        ((9, 9), (9, 2), (20, 9))
        """
        return self._linearise(lib.lg_motion_linearise, spin)

    def linearise_step(self, spin: ArrayLike | None = None) -> tuple[Array, Array, Array]:
        """Matrices A, B, C of the next step, y1 = A y + B u', as linearise().

        >>> A, B, C = liegrp.Motion('vehicle').linearise_step()
        >>> A.shape
        (9, 9)
        """
        return self._linearise(lib.lg_motion_linearise_step, spin)

    def linearise_along(self) -> tuple[Array, Array, Array]:
        """Matrices A (k, k), B (k, motors) and h (k) of the next step of a mechanism, y1 = A y + B u' + h h', y1 on the
        basis of the state after the step: products of A along a motion are derivatives. Trajectory stores them.

        >>> A, B, h = liegrp.Motion('vehicle').linearise_along()
        >>> A.shape, B.shape, h.shape
        ((9, 9), (9, 2), (9,))
        """
        self._calls.check_free()
        k = lib.lg_motion_freedoms(self.pointer, ffi.NULL)
        A, B, h = np.zeros((k, k)), np.zeros((k, self.model.control_count)), np.zeros(k)
        self._check(lib.lg_motion_linearise_along(self.pointer, pointer(A), pointer(B if B.size else None), pointer(h)))
        return A, B, h

    def linearise_parameters(self, *names: str) -> tuple[Array, Array]:
        """P (k, names) and D (2 position_count, names) of the next step of a mechanism and its parameters: with the A of
        linearise_along() y1 = A y + P p', and positions and velocities change by C y + D p'. D is 0 but for parameters
        that move joints, wheels or centres of mass. Trajectory stores them.

        >>> P, D = liegrp.Motion('vehicle').linearise_parameters('chassis.mass', 'gravity.z')
        >>> P.shape, D.shape
        ((9, 2), (20, 2))
        """
        which = self._parameter_numbers(names)
        self._calls.check_free()
        P = np.zeros((lib.lg_motion_freedoms(self.pointer, ffi.NULL), len(names)))
        D = np.zeros((2 * self.position_count, len(names)))
        self._check(lib.lg_motion_linearise_parameters(self.pointer, pointer(P), pointer(D), which, len(names)))
        return P, D

    def resolution(self, steps: int = 16) -> dict[str, Any]:
        """How well the step resolves the motion, from `steps` steps that are repeated in smaller ones: a dictionary of
        the figures of lg_resolution, `worst` and `suffices`.

        >>> liegrp.Motion('suslov', step=0.01).resolution()['suffices']
        True
        """
        self._calls.check_free()
        found = default('lg_resolution', lib.lg_resolution_init)
        self._check(lib.lg_motion_resolution(self.pointer, found, steps))
        figures = {name: getattr(found, name) for name, _ in ffi.typeof('lg_resolution').fields if name != 'size'}
        return {**figures, 'worst': lib.lg_resolution_worst(found), 'suffices': bool(lib.lg_resolution_suffices(found))}

    def save(self) -> bytes:
        """A checkpoint of the state; a motion that loads it continues to the bit.

        >>> len(liegrp.Motion('vehicle').save()) > 0
        True
        """
        data = bytearray(lib.lg_motion_saved_bytes(self.pointer))
        self._check(lib.lg_motion_save(self.pointer, ffi.from_buffer(data), len(data)))
        return bytes(data)

    def load(self, data: bytes) -> Motion:
        """Takes the state of a checkpoint of the same model, method and step.

        >>> motion = liegrp.Motion('vehicle')
        >>> kept = motion.save()
        >>> motion.step(10).load(kept).t
        0.0
        """
        self._check_free()
        return self._done(lib.lg_motion_load(self.pointer, ffi.from_buffer(data), len(data)))

    def copy(self) -> Motion:
        """Another motion that continues from the present state.

        >>> motion = liegrp.Motion('suslov')
        >>> motion.copy().step(2).step_index, motion.step_index
        (2, 0)
        """
        self._calls.check_free()
        other = type(self).__new__(type(self))
        other._take(self.model, lambda slot: lib.lg_motion_clone(slot, self.pointer), self._of)
        other.method, other._how, other._contact = self.method, self._how, self._contact
        return other if self._calls.wrench is None else other.set_wrench(self._calls.wrench)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def run(self, *, steps: int | None = None, time: float | None = None, every: int = 1, output: Path | None = None,
            format: str | None = None, control: ArrayLike | Function | None = None, observer: Function | None = None,
            progress: Function | None = None, monitor: bool = False, monitor_every: int = 0, accuracy: bool = True,
            checkpoint: Path | None = None, checkpoint_every: float = 0.0, resume: bool = False) -> Result:
        """Makes a run from the present state and returns a Result; arguments as liegrp.run().

        >>> rows = liegrp.Motion('four-bar').run(time=1).rows
        >>> len(rows), bool(numpy.ptp(rows['energy']) < 1e-10)
        (201, True)
        """
        return run_on(self, {name: value for name, value in locals().items() if name != 'self'})

    def __repr__(self):
        return f'<liegrp.Motion of {self.model.name}, {self.method}, h = {self.step_size}, t = {self.t}>'


def run(model: Model | Mechanism | str, method: str = 'sem', retraction: str | Retraction = 'exp', *,
        step: float | None = None, tolerance: float | None = None, halvings: int = 0, start: str = 'reaction',
        key: str | None = None, project: bool = False, steps: int | None = None, time: float | None = None, every: int = 1,
        output: Path | None = None, format: str | None = None, control: ArrayLike | Function | None = None,
        observer: Function | None = None, progress: Function | None = None, monitor: bool = False,
        monitor_every: int = 0, accuracy: bool = True, checkpoint: Path | None = None, checkpoint_every: float = 0.0,
        resume: bool = False) -> Result:
    """Runs a model from its initial state; the rows are those of `liegrp run`, bit for bit. Returns a Result.

    model, method, retraction, step, tolerance, halvings, start: as Motion. key, project: as Motion.start().
    steps (default 1000) or time, a multiple of the step. A row every `every` steps.
    output: a file too; format: 'csv', 'npy', 'npz' or 'hdf5', by default by its ending.
    control: constants, or a function control(state, u) that returns those of the coming step; u are those before.
    observer: a function observer(state), called with every state; True stops the run.
    progress: a function progress(step, steps), about ten times a second; True stops the run.
    monitor: also watch energy, invariants, residuals: Result.monitor, a dictionary of lg_monitor_figures.
    accuracy: measure the accuracy once the run is over. checkpoint, checkpoint_every, resume: as `liegrp run`.

    The run releases Python's lock. If it fails or a function raises, the exception has the Result so far as its
    attribute `result`. Ctrl-C stops the run within about 0.1 s: the file is completed with the rows so far, then
    KeyboardInterrupt is raised, with `result`.

    >>> rows = liegrp.run('rolling-ball', step=0.1, time=10).rows
    >>> bool(numpy.ptp(rows['constraint']) < 1e-14)
    True
    >>> liegrp.run('four-bar', time=1).rows['a'].shape
    (201,)
    """
    settings = dict(locals())
    of_motion = ('model', 'method', 'retraction', 'step', 'tolerance', 'halvings', 'start')
    motion = Motion(**{name: settings.pop(name) for name in of_motion}, started=False)
    try:
        motion.start(key=settings.pop('key'), project=settings.pop('project'))
    except Exception as failure:
        figures = default('lg_run_result', lib.lg_run_result_init)
        failure.result = Result(np.empty(0, motion.model.dtype), figures, motion)
        raise
    return run_on(motion, settings)


def contact_options(law='poisson', capture_speed=0.01, localise=True, events=50, separate=False):
    """lg_contact_options of the arguments of Motion.set_contact()."""
    options = default('lg_contact_options', lib.lg_contact_options_init)
    options.law, options.events = one_of(law, _LAWS, 'law'), events
    options.capture_speed, options.localise = real(capture_speed, 'capture_speed'), flag(localise, 'localise')
    options.separate = flag(separate, 'separate')
    return options


def check_given(model, method='sem', retraction='exp', step=None):
    """Refuses initial data that a model was described with and that violate its constraints at t = 0."""
    if not model._given or model.constraint_count + model.holonomic_count == 0:
        return
    try:
        motion = Motion(model, method, retraction, step, started=False)
    except Error:  # the method does not suit the model, which is said where it runs
        return
    motion.start()
