# SPDX-License-Identifier: BSD-3-Clause
"""What can be read of a motion of a mechanism."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._core import ArgumentError, Ended, Pinned, check, ffi, lib, text
from ._map import one
from ._motion_calls import pointer
from ._types import Array, ArrayLike

_POINTERS = (ffi.typeof('lg_motion *'), ffi.typeof('const lg_motion *'))


class MotionState(Pinned):
    """A state of a motion: what a Motion tells, and what its observers, controllers and events are shown, which is
    sound as long as they are at work.

    Arrays are copies. Poses are of the body's frame, position and quaternion (x, y, z, w); twists are the velocity of
    the centre of mass and the angular velocity, both in space.

    >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('vehicle'))
    >>> motion.run(steps=3, observer=lambda state: not isinstance(state, liegrp.MotionState)).steps
    3
    """

    pointer = Ended('keep what is read of it, such as state.positions')

    def shown(self, motion_pointer: Any) -> MotionState:
        """The state at a pointer of C's, of the same mechanism. It lives as long as this motion.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('vehicle'))
        >>> motion.shown(motion.pointer).t
        0.0
        """
        if not isinstance(motion_pointer, ffi.CData) or ffi.typeof(motion_pointer) not in _POINTERS:
            raise ArgumentError(f'expected a pointer to an lg_motion, got {motion_pointer!r}')
        state = MotionState()
        state.__dict__.update(mechanism=self.mechanism, position_count=self.position_count, pointer=motion_pointer,
                              body_count=self.body_count, motor_count=self.motor_count, owner=self)
        return state

    def _check(self, status):
        check(status, lambda: lib.lg_motion_message(self.pointer))

    @property
    def t(self) -> float:
        """The time, s.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).t
        0.0
        """
        return lib.lg_motion_time(self.pointer)

    @property
    def step_size(self) -> float:
        """The step h, s.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).step_size
        0.01
        """
        return lib.lg_motion_step_size(self.pointer)

    @property
    def energy(self) -> float:
        """H = T + V, J.

        >>> round(liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).energy, 3)
        8.633
        """
        return lib.lg_motion_energy(self.pointer)

    @property
    def work(self) -> float:
        """The work of motors, dampers, moving ground and wrenches since the start, J.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).work
        0.0
        """
        return lib.lg_motion_work(self.pointer)

    @property
    def gap(self) -> float:
        """How far joints, wheels and gears are open, at most.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).gap < 1e-12
        True
        """
        return lib.lg_motion_gap(self.pointer)

    @property
    def slip(self) -> float:
        """The largest violation of the velocities' rows.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).slip < 1e-12
        True
        """
        return lib.lg_motion_slip(self.pointer)

    @property
    def remark(self) -> str | None:
        """What the projection at the last start moved or changed, if more than rounding.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('four-bar')).start({'a_vel': 3})
        >>> motion.remark.startswith('projection changed the velocity of body')
        True
        """
        found = lib.lg_motion_remark(self.pointer)
        return None if found == ffi.NULL else text(found)

    @property
    def iterations(self) -> int:
        """Sweeps of the last step.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).step()
        >>> motion.iterations > 0
        True
        """
        return lib.lg_motion_iterations(self.pointer)

    def _positions(self, velocities):
        out = np.empty(self.position_count)
        none = ffi.NULL
        self._check(lib.lg_motion_positions(self.pointer, none if velocities else pointer(out),
                                            pointer(out) if velocities else none))
        return out

    @property
    def positions(self) -> Array:
        """Positions of the joints, then six numbers of each body that floats (position_count); rad and m.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).positions.shape
        (10,)
        """
        return self._positions(False)

    @property
    def velocities(self) -> Array:
        """Velocities of the positions (position_count).

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).velocities.shape
        (10,)
        """
        return self._positions(True)

    @property
    def poses(self) -> Array:
        """Poses of all bodies (bodies, 7): position and quaternion of the frame.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).poses.shape
        (5, 7)
        """
        out = np.empty((self.body_count, 7))
        self._check(lib.lgp_motion_poses(self.pointer, pointer(out), ffi.NULL, self.body_count))
        return out

    @property
    def twists(self) -> Array:
        """Twists of all bodies (bodies, 6): velocity of the centre of mass, angular velocity; in space.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).twists.shape
        (5, 6)
        """
        out = np.empty((self.body_count, 6))
        self._check(lib.lgp_motion_poses(self.pointer, ffi.NULL, pointer(out), self.body_count))
        return out

    def pose(self, body: str) -> Array:
        """The pose (7) of a body's frame.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).pose('chassis').shape
        (7,)
        """
        out = np.empty(7)
        self._check(lib.lg_motion_body_pose(self.pointer, pointer(out), self._body(body)))
        return out

    def twist(self, body: str) -> Array:
        """The twist (6) of a body.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).twist('chassis').shape
        (6,)
        """
        out = np.empty(6)
        self._check(lib.lg_motion_body_twist(self.pointer, pointer(out), self._body(body)))
        return out

    def point(self, body: str, point: ArrayLike = (0, 0, 0)) -> tuple[Array, Array]:
        """Position (3) and velocity (3) in space of a point given in a body's frame.

        >>> x, v = liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).point('chassis', [0.1, 0, 0])
        >>> x.shape, v.shape
        ((3,), (3,))
        """
        x, v = np.empty(3), np.empty(3)
        given = one(point, (3,), 'point')
        self._check(lib.lg_motion_point(self.pointer, pointer(x), pointer(v), self._body(body), pointer(given)))
        return x, v

    def joint(self, name: str) -> tuple[Array, Array]:
        """Positions and velocities of one joint, as many as it has; joints that close loops included.

        >>> q, v = liegrp.Motion(liegrp.Mechanism.gallery('four-bar')).joint('a')
        >>> q.shape
        (1,)
        """
        index = self._joint(name)
        freedoms = {'fixed': 0, 'revolute': 1, 'prismatic': 1, 'cylindrical': 2, 'universal': 2, 'spherical': 3,
                    'planar': 3, 'distance': 0, 'free': 6}[self.mechanism.describe('joint', name)['kind']]
        q, v = np.empty(freedoms), np.empty(freedoms)
        self._check(lib.lg_motion_joint(self.pointer, pointer(q), pointer(v), index))
        return q, v

    def joint_wrench(self, name: str) -> Array:
        """The mean wrench (6) that a joint exerted on its child in the last step: force and torque about the joint's
        point, in space.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('four-bar')).step()
        >>> motion.joint_wrench('a').shape
        (6,)
        """
        out = np.empty(6)
        self._check(lib.lg_motion_joint_wrench(self.pointer, pointer(out), self._joint(name)))
        return out

    def wheel_force(self, name: str) -> Array:
        """The mean force (3) of the ground on a wheel in the last step, in space.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).step()
        >>> bool(motion.wheel_force('left wheel')[2] > 0)
        True
        """
        out = np.empty(3)
        index = self.mechanism.index('wheel', name, self.mechanism.wheels)
        self._check(lib.lg_motion_wheel_force(self.pointer, pointer(out), index))
        return out

    def motor_work(self, name: str) -> float:
        """The work of one motor since the start, J.

        >>> motion = liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).step(10)
        >>> motion.motor_work(motion.mechanism.motors[0]) > 0
        True
        """
        return lib.lg_motion_motor_work(self.pointer, self.mechanism.index('motor', name, self.mechanism.motors))

    def limit(self) -> tuple[float, str | None]:
        """(distance, joint): how far joints are from their limits, negative beyond one, and the name of the nearest;
        (inf, None) where none has limits.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).limit()
        (inf, None)
        """
        joint = ffi.new('int *', -1)
        distance = lib.lg_motion_limit(self.pointer, joint)
        return distance, self.mechanism.joints[joint[0]] if joint[0] >= 0 else None

    @property
    def momentum(self) -> tuple[Array, Array]:
        """Linear momentum (3), and angular momentum (3) about the origin.

        >>> linear, angular = liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).momentum
        >>> linear.shape
        (3,)
        """
        linear, angular = np.empty(3), np.empty(3)
        self._check(lib.lg_motion_momentum(self.pointer, pointer(linear), pointer(angular)))
        return linear, angular

    def joint_index(self, name: str) -> int:
        """The index of a joint's first position among `positions`; -1: it closes a loop.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('four-bar')).joint_index('a')
        0
        """
        return lib.lg_motion_joint_index(self.pointer, ffi.NULL, self._joint(name))

    def float_index(self, name: str) -> int:
        """The index of a body's first position among `positions`; -1: it does not float.

        >>> liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).float_index('chassis')
        4
        """
        return lib.lg_motion_float_index(self.pointer, self._body(name))

    def _body(self, name):
        return self.mechanism.index('body', name, self.mechanism.bodies)

    def _joint(self, name):
        return self.mechanism.index('joint', name, self.mechanism.joints)
