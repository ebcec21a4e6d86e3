# SPDX-License-Identifier: BSD-3-Clause
"""One motion of a mechanism: start, step, events, linearisation, checkpoints, whole runs."""
from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ._callbacks import compiled_function
from ._core import ArgumentError, Pinned, check_counts, create, ffi, flag, lib, nearest, one_of, real, step_of, text
from ._map import one
from ._motion_calls import Calls, pointer, vector
from ._motion_state import MotionState
from ._types import Array, ArrayLike, Function, Path
from .mechanisms import Mechanism
from .runs import Result

DIRECTIONS = {'both': lib.LG_CROSSING_BOTH, 'up': lib.LG_CROSSING_UP, 'down': lib.LG_CROSSING_DOWN}
_PIECE = 64  # steps between which signals are seen


class Motion(MotionState):
    """A motion of a mechanism with step h.

    method: 'sem' (keeps energy and joints), 'rattle' (symplectic; no wheels that roll, dampers, wrenches) or 'gauss'
    (trajectories); the first two also with '@suzuki4' and the like. tolerance: lets 'gauss' find its own steps; `step`
    is then the interval of states. A step that fails is tried again as up to 2^halvings steps. The mechanism is
    compiled if it is not; `step` defaults to what suits it. It starts as start() does.

    >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('double-pendulum'), step=0.01)
    >>> H = motion.energy
    >>> abs(motion.step(100).energy - H) < 1e-10
    True
    """

    def __init__(self, mechanism: Mechanism, method: str = 'sem', step: float | None = None, *, tolerance: float = 0,
                 halvings: int = 0) -> None:
        if not mechanism.compiled:
            mechanism.compile()
        self.mechanism = mechanism
        self.method = method
        step = step_of(step, mechanism.default_step)
        self.pointer = create('lg_motion', lambda slot: lib.lg_motion_create(slot, mechanism.pointer, method.encode(),
                                                                             step),
                              lib.lg_motion_destroy, lib.lg_motion_message)
        self.position_count = lib.lg_motion_position_count(self.pointer)
        self.body_count = lib.lg_mechanism_body_count(mechanism.pointer)
        self.motor_count = lib.lg_mechanism_motor_count(mechanism.pointer)
        self._calls = Calls(self)
        self._check(lib.lg_motion_set_halvings(self.pointer, halvings))
        if real(tolerance, 'tolerance'):
            self._check(lib.lg_motion_set_tolerance(self.pointer, tolerance))
        self.start()

    def _check(self, status):
        self._calls.reraise()
        super()._check(status)

    def _done(self, status):
        self._check(status)
        return self

    def start(self, positions: ArrayLike | Mapping[str, float] | None = None,
              velocities: ArrayLike | Mapping[str, float] | None = None, *, t0: float = 0.0,
              project: bool = True) -> Motion:
        """Starts at time t0 from positions and velocities (position_count), or from dictionaries of them by the names
        of Columns; what these leave out stays as without them. {'elbow': 0.3} is a position; {'elbow_vel': 1}, in
        either dictionary, a velocity, and so is {'elbow': 1} in that of the velocities. Without both it starts
        as assembled and at rest, or from the own state of a mechanism of the gallery.

        project: poses and velocities go to the nearest ones that satisfy loops, wheels and gears; otherwise they must.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('four-bar')).start({'a_vel': 12})
        >>> round(motion.joint('a')[1][0], 6)
        12.0
        """
        self._calls.check_free()
        t0, project = real(t0, 't0'), flag(project, 'project')
        if isinstance(positions, Mapping) or isinstance(velocities, Mapping):
            return self._start_columns(positions, velocities, t0, project)
        if positions is None and velocities is None and self.mechanism.gallery_index >= 0:
            self._check(lib.lg_gallery_start(self.pointer, self.mechanism.gallery_index))
            return self._at(t0)
        q = vector(positions, self.position_count, 'positions')
        v = vector(velocities, self.position_count, 'velocities')
        return self._done(lib.lg_motion_start(self.pointer, t0, pointer(q), pointer(v), project))

    def _row(self, columns, positions, velocities):
        """The row of what dictionaries say by name; NaN elsewhere."""
        names = columns.names
        end = len(names) - 4 - self.motor_count
        floats = end - 2 - 2 * self.position_count  # 7 numbers of a pose and 6 of a twist each
        joints = self.position_count - 6 * floats
        half = 2 + joints + 7 * floats
        rates = dict(zip(names[2:2 + joints], names[half:]))
        for k in range(floats):
            rates.update(zip(names[2 + joints + 7 * k:][:3], names[half + joints + 6 * k:]))
        row = np.full(len(names), np.nan)
        for what, values in (('position', positions), ('velocity', velocities)):
            if not isinstance(values, (Mapping, type(None))):
                raise ArgumentError('positions and velocities must be both dictionaries or both arrays, got '
                                    f'{type(positions).__name__} and {type(velocities).__name__}')
            known = names[half if what == 'velocity' else 2:end]
            for name, value in (values or {}).items():
                column = rates.get(name, name) if what == 'velocity' else name
                if column not in known:
                    raise ArgumentError(f'there is no {what} {name!r} of {self.mechanism.name}; there are '
                                        f'{", ".join(known)}{nearest(name, known)}')
                at = names.index(column)
                if not np.isnan(row[at]):
                    raise ArgumentError(f'{column!r} is given twice')
                row[at] = real(value, column)
        return row

    def _at(self, t0):
        """The state that was started at time 0, at time t0."""
        if t0 != 0:
            q, v = self.positions, self.velocities
            self._check(lib.lg_motion_start(self.pointer, t0, pointer(q), pointer(v), 1))
        return self

    def _start_columns(self, positions, velocities, t0, project):
        columns = Columns(self.mechanism)
        row = self._row(columns, positions, velocities)
        self.start()
        self._check(lib.lg_motion_columns_start(columns.pointer, self.pointer, pointer(row), project))
        return self._at(t0)

    def start_poses(self, poses: ArrayLike, twists: ArrayLike | None = None, *, t0: float = 0.0,
                    project: bool = True) -> Motion:
        """Starts from poses (bodies, 7) and twists (bodies, 6); without twists at rest.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('vehicle'))
        >>> motion = motion.start_poses(motion.poses)
        >>> bool(abs(motion.twists).max() == 0)
        True
        """
        self._calls.check_free()
        g = one(poses, (self.body_count, 7), 'poses')
        xi = None if twists is None else one(twists, (self.body_count, 6), 'twists')
        return self._done(lib.lg_motion_start_poses(self.pointer, real(t0, 't0'), pointer(g), pointer(xi),
                                                    flag(project, 'project')))

    @property
    def controls(self) -> Array:
        """Torque or force of each motor (motors), which holds until it is set again.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('vehicle'))
        >>> motion.controls = [0.1, 0.2]
        >>> motion.controls
        array([0.1, 0.2])
        """
        columns = Columns(self.mechanism)
        row = columns.row(self)
        return row[len(row) - 4 - self.motor_count:len(row) - 4].copy()

    @controls.setter
    def controls(self, u: ArrayLike) -> None:
        self._calls.check_free()
        u = one(u, (self.motor_count,), 'controls')
        self._check(lib.lg_motion_set_control(self.pointer, pointer(u)))

    def set_wrench(self, wrench: Function) -> Motion:
        """Sets wrenches of your own: wrench(t, poses (bodies, 7), twists (bodies, 6)) returns (bodies, 6), force in
        space and torque about the centre of mass in space. There the poses are of the centre of mass. A numba cfunc, or
        a function pointer of ctypes or cffi, of the type lg_wrench_fn runs without Python. None: no wrenches.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('double-pendulum'))
        >>> motion.set_wrench(lambda t, poses, twists: -0.1 * twists).step(10).work < 0
        True
        """
        self._calls.check_free()
        function = ffi.NULL if wrench is None else compiled_function(wrench, 'lg_wrench_fn', 'wrench')
        python = function is None
        self._calls.wrench = wrench
        return self._done(lib.lg_motion_set_wrench(self.pointer, lib._lgp_wrench if python else function,
                                                   self._calls.handle if python else ffi.NULL))

    def set_solver(self, tolerance: float) -> Motion:
        """Sets the relative change at which the stages of 'gauss' have come to rest, from 1e-16 to 1e-3.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('arm'), 'gauss').set_solver(1e-8)
        """
        return self._done(lib.lg_motion_set_solver(self.pointer, tolerance))

    @property
    def tolerance(self) -> float:
        """The tolerance for which steps are found; 0 without.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('arm'), 'gauss', tolerance=1e-9).tolerance
        1e-09
        """
        return lib.lg_motion_tolerance(self.pointer)

    @property
    def found_step(self) -> float:
        """The last step that was found for the tolerance, s.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('arm'), 'gauss', tolerance=1e-9).step()
        >>> motion.found_step > 0
        True
        """
        return lib.lg_motion_found_step(self.pointer)

    def step(self, steps: int = 1) -> Motion:
        """Makes `steps` steps. After an error the state is that after the last step that succeeded. Ctrl-C stops it
        between steps.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).step(100)
        >>> motion.t
        1.0
        """
        check_counts(steps)
        self._calls.check_free()
        while steps > 0:
            piece = min(steps, _PIECE)
            self._check(lib.lg_motion_step(self.pointer, piece))
            steps -= piece
        return self

    def step_to_event(self, value: Function, direction: str = 'both', tolerance: float = 0) -> int:
        """Makes one step, or the part of it up to where value(state) changes its sign. Returns 1 if it rises there, -1
        if it falls, 0 without an event. direction: 'both', 'up' or 'down'; tolerance: in steps.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('double-pendulum'))
        >>> while not motion.step_to_event(lambda state: state.positions[0] - 0.5): pass
        >>> bool(abs(motion.positions[0] - 0.5) < 1e-9)
        True
        """
        self._calls.check_free()
        if not callable(value):
            raise ArgumentError(f'value must be a function value(state), got {value!r}')
        event = ffi.new('lg_motion_event *')
        lib.lg_motion_event_init(event, ffi.sizeof('lg_motion_event'), lib._lgp_motion_event, self._calls.handle)
        event.direction = one_of(direction, DIRECTIONS, 'direction')
        event.tolerance = tolerance
        found = ffi.new('int *')
        self._calls.event = value
        self._check(lib.lg_motion_step_to_event(self.pointer, found, event))
        return found[0]

    def continue_from(self, other: Motion) -> float:
        """Goes on from where a motion of another mechanism with the same bodies is, such as a robot that lands. Returns
        the kinetic energy that the plastic impact takes, J.

        >>> before, after = [liegrp.Motion(liegrp.Mechanism.gallery('vehicle')) for _ in range(2)]
        >>> abs(after.continue_from(before.step(10))) < 1e-12
        True
        """
        self._calls.check_free()
        lost = ffi.new('double *')
        self._check(lib.lg_motion_continue(self.pointer, lost, other.pointer))
        return lost[0]

    def _linearise(self, function, spin):
        self._calls.check_free()
        k = lib.lg_motion_freedoms(self.pointer, ffi.NULL)
        A, B, C = np.zeros((k, k)), np.zeros((k, self.motor_count)), np.zeros((2 * self.position_count, k))
        spin = vector(spin, 3, 'spin')
        self._check(function(self.pointer, pointer(A), pointer(B) if B.size else ffi.NULL, pointer(C), pointer(spin)))
        return A, B, C

    def linearise(self, spin: ArrayLike | None = None) -> tuple[Array, Array, Array]:
        """Matrices A (k, k), B (k, motors), C (2 position_count, k) of y' = A y + B u' at the present state, where C y
        are changes of positions and velocities. spin (3): angular velocity of the axes from which the motion is
        steady.

        >>> A, B, C = liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).linearise()
        >>> A.shape, B.shape, C.shape
        ((9, 9), (9, 2), (20, 9))
        """
        return self._linearise(lib.lg_motion_linearise, spin)

    def linearise_step(self, spin: ArrayLike | None = None) -> tuple[Array, Array, Array]:
        """The same of the next step: y1 = A y + B u'.

        >>> A, B, C = liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).linearise_step()
        >>> A.shape
        (9, 9)
        """
        return self._linearise(lib.lg_motion_linearise_step, spin)

    def save(self) -> bytes:
        """A checkpoint of the state, from which load() goes on to the bit.

        >>> len(liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).save()) > 0
        True
        """
        data = bytearray(lib.lg_motion_saved_bytes(self.pointer))
        self._check(lib.lg_motion_save(self.pointer, ffi.from_buffer(data), len(data)))
        return bytes(data)

    def load(self, data: bytes) -> Motion:
        """Takes the state of a checkpoint of the same mechanism, method and step.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('vehicle'))
        >>> kept = motion.save()
        >>> motion.step(10).load(kept).t
        0.0
        """
        self._calls.check_free()
        return self._done(lib.lg_motion_load(self.pointer, ffi.from_buffer(data), len(data)))

    def run(self, *, steps: int | None = None, time: float | None = None, every: int = 1, output: Path | None = None,
            format: str | None = None, control: Function | None = None, observer: Function | None = None,
            progress: Function | None = None, accuracy: bool = True, checkpoint: Path | None = None,
            checkpoint_every: float = 0.0, resume: bool = False) -> Result:
        """Runs on from the present state; the rows, with the fields of Columns, are those of `liegrp run`, bit for bit.
        Returns a Result.

        steps (default 1000) or time, s, a multiple of the step. A row every `every` steps. output: a file too; format:
        'csv', 'npy', by default by its ending. control(state, u) returns the motors' controls (motors) of the coming
        step; u are those before. observer(state) sees every state, the first one too; True stops the run.
        progress(step, steps), about ten times a second; True stops the run. accuracy: measure the accuracy once the run
        is over. checkpoint, checkpoint_every, resume: as `liegrp run`.

        Where the run fails or a function raises, the exception has the Result so far as its attribute `result`. Ctrl-C
        raises KeyboardInterrupt; the motion is then at the last step.

        >>> rows = liegrp.Motion(liegrp.Mechanism.gallery('four-bar')).run(time=1).rows
        >>> len(rows), bool(numpy.ptp(rows['energy']) < 1e-10)
        (201, True)
        """
        settings = dict(locals())
        self._calls.check_free()
        from ._motion_run import run
        return run(self, Columns(self.mechanism), settings)

    def __repr__(self):
        return f'<liegrp.Motion of {self.mechanism.name}, {self.method}, h = {self.step_size}, t = {self.t}>'


class Columns(Pinned):
    """The columns of a mechanism: `names`, `units` and `meanings`.

    >>> liegrp.Columns(liegrp.Mechanism.gallery('double-pendulum')).names[:4]
    ['step', 't', 'shoulder', 'elbow']
    """

    def __init__(self, mechanism: Mechanism) -> None:
        if not mechanism.compiled:
            mechanism.compile()
        self.mechanism = mechanism
        self.pointer = create('lg_motion_columns', lambda slot: lib.lg_motion_columns_create(slot, mechanism.pointer),
                              lib.lg_motion_columns_destroy)
        count = range(lib.lg_motion_columns_count(self.pointer))
        self.names = [text(lib.lg_motion_columns_name(self.pointer, i)) for i in count]
        self.units = [text(lib.lg_motion_columns_unit(self.pointer, i)) for i in count]
        self.meanings = [text(lib.lg_motion_columns_meaning(self.pointer, i)) for i in count]

    def index(self, name: str) -> int:
        """The number of a column.

        >>> liegrp.Columns(liegrp.Mechanism.gallery('four-bar')).index('t')
        1
        """
        return self.mechanism.index('column', name, self.names)

    def row(self, motion: Motion) -> Array:
        """The row (columns) of a motion's present state.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('vehicle'))
        >>> liegrp.Columns(motion.mechanism).row(motion)[1]
        0.0
        """
        row = np.empty(len(self.names))
        motion._check(lib.lg_motion_columns_row(self.pointer, pointer(row), motion.pointer))
        return row

    @property
    def dtype(self) -> np.dtype:
        """Of rows: `step` as int64, all others as float64.

        >>> liegrp.Columns(liegrp.Mechanism.gallery('four-bar')).dtype['step']
        dtype('int64')
        """
        return np.dtype([(name, '<i8' if i == 0 else '<f8') for i, name in enumerate(self.names)])
