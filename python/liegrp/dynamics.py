# SPDX-License-Identifier: BSD-3-Clause
"""Dynamics of a mechanism at given states, for controllers."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._core import ArgumentError, Pinned, create, error, ffi, flag, lib, text
from ._map import items, pointer, reals, vector
from ._types import Array, ArrayLike
from .mechanisms import Mechanism


class Dynamics(Pinned):
    """Mass matrix, forces, accelerations, controls and Jacobians of a mechanism, over arrays of states.

    A state is n positions q and n velocities v in the order of motion.positions and motion.velocities. An acceleration
    is the rate of v. Arrays q, v, a, ... (..., n) are broadcast; results have their shape in front. Velocities None:
    at rest. The equations of motion are M a + c = B u + tau + G^T lambda, G a + bend = 0 (lg_dynamics in C).

    >>> arm = liegrp.Dynamics(liegrp.Mechanism.gallery('arm'))
    >>> q, v, a = numpy.random.default_rng(1).normal(size=(3, 10, arm.count))
    >>> tau = arm.inverse(q, v, a)
    >>> numpy.allclose(tau, (arm.mass_matrix(q) @ a[..., None])[..., 0] + arm.bias(q, v))
    True
    """

    def __init__(self, mechanism: Mechanism) -> None:
        if not isinstance(mechanism, Mechanism):
            raise ArgumentError(f'mechanism must be a Mechanism, got {mechanism!r}')
        self.mechanism = mechanism if mechanism.compiled else mechanism.compile()
        self._pointer = create('lg_dynamics', lambda slot: lib.lg_dynamics_create(slot, mechanism.pointer),
                               lib.lg_dynamics_destroy, lib.lg_dynamics_message)
        self._motors = lib.lg_mechanism_motor_count(self.mechanism.pointer)

    @property
    def count(self) -> int:
        """n, the number of positions and of velocities.

        >>> liegrp.Dynamics(liegrp.Mechanism.gallery('arm')).count
        7
        """
        return lib.lg_dynamics_count(self._pointer)

    @property
    def row_count(self) -> int:
        """Rows of loops, gears, wheels and contacts; 0: a tree.

        >>> liegrp.Dynamics(liegrp.Mechanism.gallery('four-bar')).row_count
        5
        """
        return lib.lg_dynamics_row_count(self._pointer)

    def coordinates(self, name: str) -> slice:
        """The coordinates of a joint of the tree, or of a body that floats.

        >>> liegrp.Dynamics(liegrp.Mechanism.gallery('arm')).coordinates('axis2')
        slice(1, 2, None)
        """
        joints, bodies, count = self.mechanism.joints, self.mechanism.bodies, ffi.new('int *', 6)
        if name in joints:
            first = lib.lg_dynamics_joint_index(self._pointer, count, joints.index(name))
        else:
            body = self.mechanism.index('joint or body', name, joints + bodies) - len(joints)
            first = lib.lg_dynamics_float_index(self._pointer, body)
        if first < 0:
            raise ArgumentError(f'{name!r} has no coordinates: it is a joint that closes a loop, or a body on joints')
        return slice(first, first + count[0])

    def _body(self, body):
        return self.mechanism.index('body', body, self.mechanism.bodies)

    def _each(self, what, shapes, q, v, *, body=(), point=None, weight=None, number=0, **further):
        """What is asked at each state: arrays of these shapes, (...) in front of each."""
        n = self.count
        given = {'q': (q, n), 'v': (v, n), **further}
        arrays = {name: None if value is None else items(value, (size,), name) for name, (value, size) in given.items()}
        if arrays['q'] is None:
            raise ArgumentError('q is None; give the positions (..., n)')
        try:
            shape = np.broadcast_shapes(*(a.shape[:-1] for a in arrays.values() if a is not None))
        except ValueError:
            said = ', '.join(f'{name} {a.shape}' for name, a in arrays.items() if a is not None)
            raise ArgumentError(f'the shapes do not fit together: {said}') from None
        q, v, *inputs = (None if a is None else np.ascontiguousarray(np.broadcast_to(a, shape + a.shape[-1:]))
                         for a in arrays.values())
        results = [np.empty(shape + item) for item in shapes]
        numbers = ffi.new('int[]', list(body))
        asked = ffi.new('lgp_asked *', {
            'what': what, 'number': number, 'body': numbers, 'point': pointer(point), 'weight': pointer(weight),
            'to': [pointer(result) for result in results], 'in': [pointer(a) for a in inputs],
            'to_size': [int(np.prod(item)) for item in shapes], 'in_size': [size for _, size in further.values()]})
        at = ffi.new('int64_t *')
        status = lib.lgp_dynamics(self._pointer, asked, pointer(q), pointer(v), int(np.prod(shape)), at)
        if status != lib.LG_OK:
            place = f' (state {tuple(map(int, np.unravel_index(at[0], shape)))})' if shape else ''
            raise error(status, text(lib.lg_dynamics_message(self._pointer)) + place)
        return results[0] if len(results) == 1 else tuple(results)

    def _frame(self, what, shapes, q, v, body, point):
        return self._each(what, shapes, q, v, body=[self._body(body)], point=vector(point, 3, 'point'))

    def mass_matrix(self, q: ArrayLike) -> Array:
        """M (..., n, n), with the kinetic energy 1/2 v.Mv.

        >>> four_bar = liegrp.Dynamics(liegrp.Mechanism.gallery('four-bar'))
        >>> four_bar.mass_matrix(numpy.zeros((5, 3))).shape
        (5, 3, 3)
        """
        return self._each(lib.LGP_MASS_MATRIX, [(self.count, self.count)], q, None)

    def inverse(self, q: ArrayLike, v: ArrayLike | None, a: ArrayLike) -> Array:
        """M a + c (..., n): the forces along the coordinates for an acceleration.

        >>> arm = liegrp.Dynamics(liegrp.Mechanism.gallery('arm'))
        >>> arm.inverse(numpy.zeros(7), None, numpy.zeros(7)).shape
        (7,)
        """
        n = self.count
        return self._each(lib.LGP_INVERSE, [(n,)], q, v, a=(a, n))

    def bias(self, q: ArrayLike, v: ArrayLike | None = None) -> Array:
        """c (..., n): Coriolis and centrifugal forces + gravity() - passive().

        >>> arm = liegrp.Dynamics(liegrp.Mechanism.gallery('arm'))
        >>> bool((arm.bias(numpy.zeros(7)) == arm.gravity(numpy.zeros(7))).all())
        True
        """
        return self._each(lib.LGP_BIAS, [(self.count,)], q, v)

    def gravity(self, q: ArrayLike) -> Array:
        """The forces (..., n) that hold the mechanism against gravity alone.

        >>> liegrp.Dynamics(liegrp.Mechanism.gallery('arm')).gravity(numpy.zeros((2, 7))).shape
        (2, 7)
        """
        return self._each(lib.LGP_GRAVITY, [(self.count,)], q, None)

    def passive(self, q: ArrayLike, v: ArrayLike | None = None) -> Array:
        """The forces (..., n) of springs, dampers and dry friction.

        >>> snake = liegrp.Dynamics(liegrp.Mechanism.gallery('snake'))
        >>> bool(abs(snake.passive(numpy.full(snake.count, 0.1))).max() > 0)
        True
        """
        return self._each(lib.LGP_PASSIVE, [(self.count,)], q, v)

    def acceleration(self, q: ArrayLike, v: ArrayLike | None = None, u: ArrayLike | None = None,
                     tau: ArrayLike | None = None) -> Array:
        """The acceleration (..., n) with controls u (..., motors) and further forces tau (..., n) along the
        coordinates. Loops and wheels are obeyed; the state must satisfy them.

        >>> arm = liegrp.Dynamics(liegrp.Mechanism.gallery('arm'))
        >>> q = numpy.full(7, 0.3)
        >>> bool(numpy.allclose(arm.acceleration(q, u=arm.gravity(q)), 0))
        True
        """
        n = self.count
        return self._each(lib.LGP_ACCELERATION, [(n,)], q, v, u=(u, self._motors), tau=(tau, n))

    def motors(self, q: ArrayLike, v: ArrayLike | None, a: ArrayLike, *, least: bool = False) -> Array:
        """The controls (..., motors) for an acceleration: inverse dynamics of the motors that are there. An error has
        the rank of the motors if they do not reach it, or if several controls do; least=True takes the shortest.

        >>> arm = liegrp.Dynamics(liegrp.Mechanism.gallery('arm'))
        >>> q, v, a = numpy.full((3, 7), 0.3)
        >>> bool(numpy.allclose(arm.motors(q, v, a), arm.inverse(q, v, a)))
        True
        """
        return self._each(lib.LGP_MOTORS, [(self._motors,)], q, v, number=flag(least, 'least'), a=(a, self.count))

    def admissible(self, q: ArrayLike, v: ArrayLike | None, a: ArrayLike) -> Array:
        """The nearest acceleration (..., n) that loops and wheels allow, in the kinetic metric.

        >>> motion = liegrp.Motion('four-bar', step=0.001)
        >>> d = liegrp.Dynamics(motion.mechanism)
        >>> a = d.admissible(motion.positions, motion.velocities, [1, 0, 0])
        >>> G, drift, bend = d.rows(motion.positions, motion.velocities)
        >>> bool(abs(G @ a + bend).max() < 1e-12)
        True
        """
        return self._each(lib.LGP_ADMISSIBLE, [(self.count,)], q, v, a=(a, self.count))

    def rows(self, q: ArrayLike, v: ArrayLike | None = None) -> tuple[Array, Array, Array]:
        """G (..., rows, n), drift and bend (..., rows) of loops, gears, wheels and contacts: G v = drift and
        G a + bend = 0.

        >>> G, drift, bend = liegrp.Dynamics(liegrp.Mechanism.gallery('bricard')).rows(numpy.zeros(5))
        >>> G.shape, drift.shape
        ((5, 5), (5,))
        """
        r = self.row_count
        return self._each(lib.LGP_ROWS, [(r, self.count), (r,), (r,)], q, v)

    def pose(self, q: ArrayLike, body: str, point: ArrayLike | None = None) -> Array:
        """The pose (..., 7) of a frame at a point of a body, with the body's axes: position, quaternion x, y, z, w.

        >>> liegrp.Dynamics(liegrp.Mechanism.gallery('arm')).pose(numpy.zeros((4, 7)), 'link7').shape
        (4, 7)
        """
        return self._frame(lib.LGP_POSE, [(7,)], q, None, body, point)

    def twist(self, q: ArrayLike, v: ArrayLike, body: str, point: ArrayLike | None = None) -> Array:
        """The twist (..., 6) of that frame: velocity of the point, angular velocity, in space.

        >>> arm = liegrp.Dynamics(liegrp.Mechanism.gallery('arm'))
        >>> q, v = numpy.full((2, 7), 0.2)
        >>> bool(numpy.allclose(arm.jacobian(q, 'link7') @ v, arm.twist(q, v, 'link7')))
        True
        """
        return self._frame(lib.LGP_TWIST, [(6,)], q, v, body, point)

    def jacobian(self, q: ArrayLike, body: str, point: ArrayLike | None = None) -> Array:
        """J (..., 6, n) of that frame: its twist is J v.

        >>> liegrp.Dynamics(liegrp.Mechanism.gallery('arm')).jacobian(numpy.zeros(7), 'link7', [0, 0, 0.1]).shape
        (6, 7)
        """
        return self._frame(lib.LGP_JACOBIAN, [(6, self.count)], q, None, body, point)

    def jacobian_rate(self, q: ArrayLike, v: ArrayLike, body: str, point: ArrayLike | None = None) -> Array:
        """J' (..., 6, n): the frame accelerates by J a + J' v.

        >>> liegrp.Dynamics(liegrp.Mechanism.gallery('arm')).jacobian_rate(numpy.zeros(7), numpy.ones(7), 'link7').shape
        (6, 7)
        """
        return self._frame(lib.LGP_JACOBIAN_RATE, [(6, self.count)], q, v, body, point)

    def centre(self, q: ArrayLike) -> Array:
        """The centre of mass (..., 3) of all bodies.

        >>> liegrp.Dynamics(liegrp.Mechanism.gallery('arm')).centre(numpy.zeros((2, 7))).shape
        (2, 3)
        """
        return self._each(lib.LGP_CENTRE, [(3,)], q, None)

    def centre_jacobian(self, q: ArrayLike) -> Array:
        """J (..., 3, n): the centre of mass moves with J v.

        >>> liegrp.Dynamics(liegrp.Mechanism.gallery('arm')).centre_jacobian(numpy.zeros(7)).shape
        (3, 7)
        """
        return self._each(lib.LGP_CENTRE_JACOBIAN, [(3, self.count)], q, None)

    def centroidal(self, q: ArrayLike, v: ArrayLike | None = None) -> tuple[Array, Array]:
        """A (..., 6, n) and A' v (..., 6): A v is the linear momentum, and the angular one about the centre of mass.

        >>> A, bend = liegrp.Dynamics(liegrp.Mechanism.gallery('arm')).centroidal(numpy.zeros(7), numpy.ones(7))
        >>> A.shape, bend.shape
        ((6, 7), (6,))
        """
        return self._each(lib.LGP_CENTROIDAL, [(6, self.count), (6,)], q, v)

    def reach(self, q: ArrayLike, body: str | Sequence[str], pose: ArrayLike, *, point: ArrayLike | None = None,
              weight: ArrayLike | None = None) -> tuple[Array, Array]:
        """Inverse kinematics: positions (..., n) near q in which a frame on `body` has the pose (..., 7), and how far
        it is off (..., 2): the largest distance (m) and angle (rad). Off is below 1e-9 where the pose is reached
        (lengths of the mechanism's size); elsewhere the positions are the nearest that were found. Loops and limits of joints are kept.

        Several bodies: a list of k names, poses (..., k, 7). point: the frames' origins in the bodies, (3) or (k, 3).
        weight: of position and attitude, (2) or (k, 2); 0 leaves it free.

        >>> arm = liegrp.Dynamics(liegrp.Mechanism.gallery('arm'))
        >>> q, off = arm.reach(numpy.zeros(7), 'link7', arm.pose(numpy.full(7, 0.3), 'link7'))
        >>> bool(off.max() < 1e-9)
        True
        """
        bodies, n = [body] if isinstance(body, str) else list(body), self.count
        count = len(bodies)
        points, weights = (None if value is None else np.ascontiguousarray(np.broadcast_to(
            reals(value, name), (count, size))) for value, name, size in ((point, 'point', 3), (weight, 'weight', 2)))
        poses = items(pose, (7,) if isinstance(body, str) else (count, 7), 'pose')
        poses = poses.reshape(poses.shape[:-1 if isinstance(body, str) else -2] + (7 * count,))
        return self._each(lib.LGP_REACH, [(n,), (2,)], q, None, body=[self._body(each) for each in bodies], point=points,
                          weight=weights, number=count, pose=(poses, 7 * count))

    def __repr__(self):
        return f'Dynamics({self.mechanism!r})'
