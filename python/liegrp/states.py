# SPDX-License-Identifier: BSD-3-Clause
"""Quantities of the state of a motion."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._core import ArgumentError, Ended, Pinned, UnsupportedError, check, default, ffi, lib, real, text
from ._map import one, pointer
from ._types import Array, ArrayLike
from .integrators import Integrator

_MODES = ('open', 'sticks', 'slips')
_CONTACT = np.dtype([('mode', 'U6'), ('surfaces', int, 2), ('joint', int), ('wheel', int), ('gap', float), ('normal', float, 3),
                     ('point', float, 3), ('force', float, 3), ('slip', float, 3)])
_NULL, _OK, _DOUBLES = ffi.NULL, lib.LG_OK, ffi.typeof('double[]')


class State(Pinned):
    """The readings of a motion. Observers, controllers and events get a State, which ends when they return; a Motion
    is a State too.

    Arrays are copies. Only motions of mechanisms have bodies, joints, wheels, positions and velocities. Poses are of
    the body's frame, position and quaternion (x, y, z, w). Twists are the velocity of the centre of mass and the
    angular velocity, both in space.

    >>> seen = []
    >>> _ = liegrp.run('suslov', step=0.1, steps=2, observer=lambda state: seen.append(state.t))
    >>> seen
    [0.0, 0.1, 0.2]
    """

    pointer = Ended('keep what is read of it, such as state.row')
    _owned = False  # by what reads it

    def __init__(self, pointer: Any, model: Any) -> None:
        self.pointer, self.model = pointer, model

    def _check_free(self):
        raise ArgumentError('a state that a function is shown can be read, not changed')

    def _check(self, status):
        self.model._check(status, lambda: lib.lg_motion_message(self.pointer))

    def _figure(self, function):
        """A number for which the library may call functions of the model's."""
        value = function(self.pointer)
        if value != value:
            self.model._raise_failure()
        return value

    @property
    def t(self) -> float:
        """The time.

        >>> liegrp.Motion('suslov').start(t0=2).t
        2.0
        """
        return lib.lg_motion_time(self.pointer)

    @property
    def step_index(self) -> int:
        """k, the number of steps since the start, or since an event.

        >>> liegrp.Motion('suslov').step(3).step_index
        3
        """
        return lib.lg_motion_step_index(self.pointer)

    @property
    def step_size(self) -> float:
        """The step h.

        >>> liegrp.Motion('suslov', step=0.1).step_size
        0.1
        """
        return lib.lg_motion_step_size(self.pointer)

    def _vector(self, which):
        """g, xi or p: the number of the argument."""
        out = np.empty(self.model._sizes[which])
        arguments = [_NULL, _NULL, _NULL]
        arguments[which] = ffi.from_buffer(_DOUBLES, out)
        if lib.lg_motion_state(self.pointer, *arguments) != _OK:
            self.model._raise_failure()
            raise ArgumentError('the motion is not started; call start()')
        return out

    @property
    def g(self) -> Array:
        """The configuration, an element (k,) of model.group; of a mechanism for each body its centre of mass and
        quaternion.

        >>> liegrp.Motion('suslov').g
        array([0., 0., 0., 1.])
        """
        return self._vector(0)

    @property
    def xi(self) -> Array:
        """The velocity J(g)^-1 p, (n,).

        >>> liegrp.Motion('suslov').xi.shape
        (3,)
        """
        return self._vector(1)

    @property
    def p(self) -> Array:
        """The momentum at the node, which satisfies the constraints, (n,).

        >>> liegrp.Motion('suslov').p.shape
        (3,)
        """
        return self._vector(2)

    @property
    def row(self) -> np.void:
        """The row of the state as runs write it: a record with the names model.columns.

        >>> liegrp.Motion('suslov').row['t']
        0.0
        """
        return self._record(lib.lg_motion_row)

    def _record(self, read, *arguments):
        """The row that read(motion, row, *arguments) writes."""
        row = np.empty(lib.lg_model_column_count(self.model._pointer))
        self._check(read(self.pointer, pointer(row), *arguments))
        record = np.empty(1, self.model.dtype)
        record[0] = tuple(row)
        return record[0]

    def interpolate(self, s: float) -> np.void:
        """The row at the fraction s, from 0 to 1, of the last step: its number, time, configuration or positions,
        velocities and controls, NaN in other columns. It is off by O(h^2); with `gauss` it has the order of the method. Of the sparse
        step of a mechanism positions are off by O(h^4) and velocities by O(h^3), and joints are open by as much;
        motion.start(row, t0=row['t'], project=True) closes them.

        >>> liegrp.Motion('double-pendulum', step=0.1).step().interpolate(0.5)['t']
        0.05
        """
        return self._record(lib.lg_motion_interpolate, real(s, 's'))

    @property
    def energy(self) -> float:
        """H = T + V.

        >>> round(liegrp.Motion('vehicle').energy, 3)
        8.633
        """
        return self._figure(lib.lg_motion_energy)

    @property
    def work(self) -> float:
        """The work since the start by everything outside H: motors, drives, dampers, forces, moving ground, wrenches;
        nan where the method does not know it.

        >>> liegrp.Motion('vehicle').work
        0.0
        """
        return self._figure(lib.lg_motion_work)

    @property
    def account(self) -> dict[str, float]:
        """What changed H since the start, by kinds, as lg_account has them: H - H_0 = motors + drives + servos + dampers
        + ground + wrench - friction - landing - impact_normal - impact_friction - node. nan where `work` is.

        >>> motion = liegrp.Motion('furuta', step=0.01).step(100)
        >>> abs(motion.account['motors'] + motion.account['dampers'] - motion.work) < 1e-15
        True
        """
        account = default('lg_account', lib.lg_account_init)
        known = lib.lg_motion_account(self.pointer, account) == lib.LG_OK
        return {name: getattr(account, name) if known else np.nan
                for name, _ in ffi.typeof('lg_account').fields if name != 'size'}

    @property
    def gap(self) -> float:
        """The largest residual of the positions of joints, wheels and gears, and of holonomic constraints.

        >>> liegrp.Motion('vehicle').gap < 1e-12
        True
        """
        return self._figure(lib.lg_motion_gap)

    @property
    def slip(self) -> float:
        """The largest |A (xi - Y)| over all rows of the velocity.

        >>> liegrp.Motion('suslov').step().slip < 1e-14
        True
        """
        return self._figure(lib.lg_motion_slip)

    @property
    def iterations(self) -> int:
        """Sweeps, Newton iterations or residual evaluations of the last step.

        >>> liegrp.Motion('vehicle').step().iterations > 0
        True
        """
        return lib.lg_motion_iterations(self.pointer)

    @property
    def tolerance(self) -> float:
        """The tolerance for which steps are chosen; 0 without.

        >>> liegrp.Motion('arm', 'gauss', tolerance=1e-9).tolerance
        1e-09
        """
        return lib.lg_motion_tolerance(self.pointer)

    @property
    def found_step(self) -> float:
        """The size of the last step that was chosen for the tolerance; nan without.

        >>> liegrp.Motion('arm', 'gauss', tolerance=1e-9).step().found_step > 0
        True
        """
        return lib.lg_motion_found_step(self.pointer)

    @property
    def step_error(self) -> float:
        """The estimated error of the step `found_step`; nan without a tolerance.

        >>> liegrp.Motion('suslov').step_error
        nan
        """
        return lib.lg_motion_step_error(self.pointer)

    @property
    def remark(self) -> str | None:
        """The largest change by the projection at the last start of a mechanism, if it is more than rounding.

        >>> motion = liegrp.Motion('four-bar').start(a_vel=3, project=True)
        >>> motion.remark.startswith('projection changed the velocity of body')
        True
        """
        return text(lib.lg_motion_remark(self.pointer))

    @property
    def integrator(self) -> Integrator:
        """The integrator that makes the steps: p^+, p^-, multipliers, diagnostics. The sparse step of mechanisms, by
        sem, rattle and gauss, has none.

        >>> liegrp.Motion('suslov').step().integrator.multipliers.shape
        (1,)
        """
        return Integrator(self)

    @property
    def mechanism(self) -> Any:
        """The Mechanism that moves. Motions of other models have none, and no poses, joints or wheels.

        >>> liegrp.Motion('suslov').mechanism
        Traceback (most recent call last):
        liegrp._core.UnsupportedError: suslov is no mechanism: its motions have no bodies, joints or wheels; ...
        """
        if self.model.mechanism is None:
            raise UnsupportedError(f'{self.model.name} is no mechanism: its motions have no bodies, joints or wheels; '
                                   'read g, xi, p or row')
        return self.model.mechanism

    @property
    def position_count(self) -> int:
        """Numbers of `positions`.

        >>> liegrp.Motion('vehicle').position_count
        10
        """
        return self.mechanism and lib.lg_motion_position_count(self.pointer)

    @property
    def body_count(self) -> int:
        """Number of bodies.

        >>> liegrp.Motion('vehicle').body_count
        5
        """
        return lib.lg_mechanism_body_count(self.mechanism.pointer)

    def _positions(self, velocities):
        out = np.empty(self.position_count)
        none = ffi.NULL
        self._check(lib.lg_motion_positions(self.pointer, none if velocities else pointer(out),
                                            pointer(out) if velocities else none))
        return out

    @property
    def positions(self) -> Array:
        """Positions of the joints, then six numbers of each body that floats (position_count); rad and m.

        >>> liegrp.Motion('vehicle').positions.shape
        (10,)
        """
        return self._positions(False)

    @property
    def velocities(self) -> Array:
        """Velocities of the positions (position_count).

        >>> liegrp.Motion('vehicle').velocities.shape
        (10,)
        """
        return self._positions(True)

    @property
    def poses(self) -> Array:
        """Poses of all bodies (bodies, 7): position and quaternion of the frame.

        >>> liegrp.Motion('vehicle').poses.shape
        (5, 7)
        """
        out = np.empty((self.body_count, 7))
        self._check(lib.lgp_motion_poses(self.pointer, pointer(out), ffi.NULL, self.body_count))
        return out

    @property
    def twists(self) -> Array:
        """Twists of all bodies (bodies, 6): velocity of the centre of mass, angular velocity; in space.

        >>> liegrp.Motion('vehicle').twists.shape
        (5, 6)
        """
        out = np.empty((self.body_count, 6))
        self._check(lib.lgp_motion_poses(self.pointer, ffi.NULL, pointer(out), self.body_count))
        return out

    def pose(self, body: str) -> Array:
        """The pose (7) of a body's frame.

        >>> liegrp.Motion('vehicle').pose('chassis').shape
        (7,)
        """
        out = np.empty(7)
        self._check(lib.lg_motion_body_pose(self.pointer, pointer(out), self._body(body)))
        return out

    def twist(self, body: str) -> Array:
        """The twist (6) of a body.

        >>> liegrp.Motion('vehicle').twist('chassis').shape
        (6,)
        """
        out = np.empty(6)
        self._check(lib.lg_motion_body_twist(self.pointer, pointer(out), self._body(body)))
        return out

    def point(self, body: str, point: ArrayLike = (0, 0, 0)) -> tuple[Array, Array]:
        """Position (3) and velocity (3) in space of a point given in a body's frame.

        >>> x, v = liegrp.Motion('vehicle').point('chassis', [0.1, 0, 0])
        >>> x.shape, v.shape
        ((3,), (3,))
        """
        x, v = np.empty(3), np.empty(3)
        given = one(point, (3,), 'point')
        self._check(lib.lg_motion_point(self.pointer, pointer(x), pointer(v), self._body(body), pointer(given)))
        return x, v

    def joint(self, name: str) -> tuple[Array, Array]:
        """Positions and velocities of one joint, as many as it has; joints that close loops included.

        >>> q, v = liegrp.Motion('four-bar').joint('a')
        >>> q.shape
        (1,)
        """
        index, count = self._joint(name), ffi.new('int *')
        lib.lg_motion_joint_index(self.pointer, count, index)
        q, v = np.empty(count[0]), np.empty(count[0])
        self._check(lib.lg_motion_joint(self.pointer, pointer(q), pointer(v), index))
        return q, v

    def joint_wrench(self, name: str) -> Array:
        """The mean wrench (6) that a joint exerted on its child in the last step: force and torque about the joint's
        point, in space.

        >>> motion = liegrp.Motion('four-bar').step()
        >>> motion.joint_wrench('a').shape
        (6,)
        """
        out = np.empty(6)
        self._check(lib.lg_motion_joint_wrench(self.pointer, pointer(out), self._joint(name)))
        return out

    def wheel_force(self, name: str) -> Array:
        """The mean force (3) of the ground on a wheel in the last step, in space.

        >>> motion = liegrp.Motion('vehicle').step()
        >>> bool(motion.wheel_force('left wheel')[2] > 0)
        True
        """
        out = np.empty(3)
        index = self.mechanism.index('wheel', name, self.mechanism.wheels)
        self._check(lib.lg_motion_wheel_force(self.pointer, pointer(out), index))
        return out

    def sphere_contact_force(self, name: str) -> Array:
        """The mean force (3) of the parent on the child at a contact of spheres in the last step, in space.

        >>> m = liegrp.Mechanism()
        >>> m.add_body('ball', mass=1, inertia=[0.016, 0.016, 0.016], position=[0, 0, 0.7])
        0
        >>> m.add_sphere_contact('foot', None, 'ball', parent_radius=0.5, child_radius=0.2)
        0
        >>> round(float(liegrp.Motion(m, step=0.01).step().sphere_contact_force('foot')[2]), 6)
        9.81
        """
        out = np.empty(3)
        index = self.mechanism.index('sphere_contact', name, self.mechanism.sphere_contacts)
        self._check(lib.lg_motion_sphere_contact_force(self.pointer, pointer(out), index))
        return out

    def motor_work(self, name: str) -> float:
        """The work of one motor or thruster since the start, J.

        >>> motion = liegrp.Motion('vehicle').step(10)
        >>> motion.motor_work(motion.mechanism.motors[0]) > 0
        True
        """
        return lib.lg_motion_motor_work(self.pointer, self._control_of(name))

    def activation(self, name: str) -> float:
        """The activation of a motor or thruster at the present time; of one that acts at once its control, within its
        limits.

        >>> liegrp.Motion('vehicle').set_control([0.1, 0.2]).activation('left motor')
        0.1
        """
        return lib.lg_motion_activation(self.pointer, self._control_of(name))

    def _control_of(self, name):
        return self.mechanism.index('motor or thruster', name, self.mechanism.motors + self.mechanism.thrusters)

    def drive_force(self, name: str) -> float | Array:
        """The mean force of a drive during the last step: of a joint's position the force or torque along it, N or N m;
        of a body (6,), the force in space and the torque about the origin of its frame.

        >>> m = liegrp.Mechanism(gravity=[0, 0, 0])
        >>> m.add_body('rotor', mass=1, inertia=[0.1, 0.1, 0.1])
        0
        >>> m.add_joint('axle', 'revolute', None, 'rotor')
        0
        >>> m.add_drive('motor', 'axle', lambda t: t**2)
        0
        >>> round(liegrp.Motion(m, 'gauss', step=0.1).step(3).drive_force('motor'), 12)
        0.2
        """
        index = self.mechanism.index('drive', name, self.mechanism.drives)
        out = np.empty(6 if self.mechanism.describe('drive', name)['joint'] is None else 1)
        self._check(lib.lg_motion_drive(self.pointer, pointer(out), ffi.NULL, index))
        return out if out.size > 1 else float(out[0])

    def drive_work(self, name: str) -> float:
        """The work of a drive since the start, J.

        >>> m = liegrp.Mechanism()
        >>> m.add_body('lift', mass=2, inertia=[1, 1, 1])
        0
        >>> m.add_joint('rail', 'prismatic', None, 'lift')
        0
        >>> m.add_drive('motor', 'rail', times=[0, 1], values=[0, 0.5])
        0
        >>> round(liegrp.Motion(m, step=0.1).step(10).drive_work('motor'), 12)
        9.81
        """
        out = np.empty(1)
        index = self.mechanism.index('drive', name, self.mechanism.drives)
        self._check(lib.lg_motion_drive(self.pointer, ffi.NULL, pointer(out), index))
        return float(out[0])

    @property
    def contacts(self) -> np.ndarray:
        """The contacts of a mechanism at the end of the last step, one record for each corner, end or rim of two
        surfaces, each stop and each dry friction, in a fixed order.

        mode: 'open', 'sticks' or 'slips'; surfaces (2): numbers among Mechanism.surfaces, -1 of joints; joint: of a
        stop or dry friction, wheel: of one with real contact, -1 of others; gap: m, of stops also rad; normal (3), point (3): in space, from the first
        surface to the second; force (3): on the second, N, the mean over the step, of a joint in force[0] along its
        coordinate; slip (3): velocity of the second along the first.

        >>> m = liegrp.Mechanism()
        >>> m.add_body('ball', mass=1, inertia=[0.1, 0.1, 0.1], position=[0, 0, 0.5])
        0
        >>> m.add_surface('skin', 'ball', 'sphere', half=0.5)
        0
        >>> m.add_surface('ground', None, 'plane')
        1
        >>> contact = liegrp.Motion(m, step=0.01).step(5).contacts[0]
        >>> str(contact['mode']), round(float(contact['force'][2]), 6)
        ('sticks', 9.81)
        """
        count = self.mechanism and lib.lg_motion_contact_count(self.pointer)
        raw, out = ffi.new('lg_contact_state[]', count), np.empty(count, _CONTACT)
        self._check(lib.lgp_motion_contacts(self.pointer, raw, count))
        for to, one_of_them in zip(out, raw):
            to['mode'] = _MODES[one_of_them.mode]
            for name in _CONTACT.names[1:]:
                value = getattr(one_of_them, 'surface' if name == 'surfaces' else name)
                to[name] = value if isinstance(value, (int, float)) else list(value)
        return out

    @property
    def impacts(self) -> int:
        """Impacts since the start.

        >>> liegrp.Motion('vehicle').impacts
        0
        """
        return self.mechanism and lib.lg_motion_impacts(self.pointer)

    @property
    def impact_gain(self) -> float:
        """The energy in J that impacts have added since the start, not less what others took: 0 with the laws 'poisson'
        and 'sequential'; 'newton' may add some where there is friction. `account` contains it.

        >>> liegrp.Motion('vehicle').impact_gain
        0.0
        """
        return self.mechanism and lib.lg_motion_impact_gain(self.pointer)

    def limit(self) -> tuple[float, str | None]:
        """(distance, joint) of the joint nearest to a limit, negative beyond it; (inf, None) if no joint has limits.

        >>> liegrp.Motion('vehicle').limit()
        (inf, None)
        """
        joint, names = ffi.new('int *', -1), self.mechanism.joints
        distance = lib.lg_motion_limit(self.pointer, joint)
        return distance, names[joint[0]] if joint[0] >= 0 else None

    @property
    def momentum(self) -> tuple[Array, Array]:
        """Linear momentum (3), and angular momentum (3) about the origin.

        >>> linear, angular = liegrp.Motion('vehicle').momentum
        >>> linear.shape
        (3,)
        """
        linear, angular = np.empty(3), np.empty(3)
        self.mechanism  # raises for other models
        self._check(lib.lg_motion_momentum(self.pointer, pointer(linear), pointer(angular)))
        return linear, angular

    def joint_index(self, name: str) -> int:
        """The index of a joint's first position among `positions`; -1: it closes a loop.

        >>> liegrp.Motion('four-bar').joint_index('a')
        0
        """
        return lib.lg_motion_joint_index(self.pointer, ffi.NULL, self._joint(name))

    def float_index(self, name: str) -> int:
        """The index of a body's first position among `positions`; -1: it does not float.

        >>> liegrp.Motion('vehicle').float_index('chassis')
        4
        """
        return lib.lg_motion_float_index(self.pointer, self._body(name))

    def _body(self, name):
        return self.mechanism.index('body', name, self.mechanism.bodies)

    def _joint(self, name):
        return self.mechanism.index('joint', name, self.mechanism.joints)
