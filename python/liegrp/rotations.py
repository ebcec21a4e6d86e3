# SPDX-License-Identifier: BSD-3-Clause
"""Rotations and poses: SO2, SO3, SE2, SE3, SE23, with their actions on points and their conversions.

The name of each conversion of a quaternion says its order. Elements have x, y, z, w.
"""
from __future__ import annotations

import numpy as np

from ._core import ArgumentError, ffi, lib, texts
from ._map import Operation, items
from ._types import Array, ArrayLike, Out
from .groups import Group, Rn, product


class Acting(Group):
    """A group that acts on points of the plane or of space."""

    def __init__(self, prefix, points):
        super().__init__(getattr(lib, prefix)())
        self._prefix, self._x = prefix, (points,)

    def _special(self, name, kind, function=None, batch=None, **fields):
        """The operation of C of this group alone, made once. `batch` is one for many elements of any group."""
        key = ('special', name, *fields.values())
        if key not in self._operations:
            function = ffi.addressof(lib, function or f'{self._prefix}_{name}')
            many = batch and (lambda *arguments: getattr(lib, batch)(self._pointer, *arguments))
            self._operations[key] = Operation(f'{self.name}.{name}', kind, function, many, **fields)
        return self._operations[key]

    def act(self, g: ArrayLike, x: ArrayLike, out: Out = None) -> Array:
        """g x for points (..., d), d = 2 or 3.

        >>> liegrp.SE2.act([5, 6, 0, 1], [1, 0])
        array([5., 7.])
        """
        return self._special('act', 'plain_2')(self._x, out, (g, self._g, 'g'), (x, self._x, 'x'))

    def act_inverse(self, g: ArrayLike, x: ArrayLike, out: Out = None) -> Array:
        """g^-1 x for points (..., d).

        >>> liegrp.SE2.act_inverse([5, 6, 0, 1], [5, 7])
        array([1., 0.])
        """
        return self._special('act_inverse', 'plain_2')(self._x, out, (g, self._g, 'g'), (x, self._x, 'x'))

    def act_jacobian(self, g: ArrayLike, x: ArrayLike, side: str = 'right', out: Out = None) -> Array:
        """d (g exp(eta)) x / d eta at 0 ('right'), or d (exp(eta) g) x / d eta ('left'), (..., d, n).

        >>> liegrp.SO2.act_jacobian([1, 0], [1, 2])
        array([[-2.],
               [ 1.]])
        """
        if side not in ('right', 'left'):
            raise ArgumentError(f"side must be 'right' or 'left', got {side!r}")
        return self._special(f'act_{side}_jacobian', 'plain_2')(
            self._x + self._xi, out, (g, self._g, 'g'), (x, self._x, 'x'))


class PlaneRotations(Acting):
    """SO(2): elements (cos, sin).

    >>> liegrp.SO2.identity()
    array([1., 0.])
    """

    def from_angle(self, angle: ArrayLike, out: Out = None) -> Array:
        """The rotation by an angle in radians, (...) -> (..., 2).

        >>> liegrp.SO2.from_angle(0)
        array([1., 0.])
        """
        return self._special('from_angle', 'plain_1', 'lgp_so2_from_angle')(self._g, out, (angle, (), 'angle'))

    def to_angle(self, g: ArrayLike, out: Out = None) -> Array:
        """The angle in (-pi, pi], (..., 2) -> (...).

        >>> liegrp.SO2.to_angle([0, 1]).round(4)
        1.5708
        """
        return self._special('to_angle', 'plain_1', 'lgp_so2_to_angle')((), out, (g, self._g, 'g'))


class PlanePoses(Acting):
    """SE(2): elements (x, y, cos, sin), velocities (v1, v2, theta).

    >>> liegrp.SE2.identity()
    array([0., 0., 1., 0.])
    """

    def from_xytheta(self, p: ArrayLike, out: Out = None) -> Array:
        """The pose of x, y and the angle theta in radians, (..., 3) -> (..., 4).

        >>> liegrp.SE2.from_xytheta([1, 2, 0])
        array([1., 2., 1., 0.])
        """
        return self._special('from_xytheta', 'plain_1')(self._g, out, (p, (3,), 'p'))

    def to_xytheta(self, g: ArrayLike, out: Out = None) -> Array:
        """x, y, theta, (..., 4) -> (..., 3).

        >>> liegrp.SE2.to_xytheta([1, 2, 1, 0])
        array([1., 2., 0.])
        """
        return self._special('to_xytheta', 'plain_1')((3,), out, (g, self._g, 'g'))


class Rotations(Acting):
    """SO(3): unit quaternions (x, y, z, w); algebra vectors are rotation vectors and angular velocities.

    >>> liegrp.SO3.identity()
    array([0., 0., 0., 1.])
    """

    def from_quat_xyzw(self, q: ArrayLike, out: Out = None) -> Array:
        """Quaternions x, y, z, w, of any length but 0, as elements.

        >>> liegrp.SO3.from_quat_xyzw([0, 0, 0, 2])
        array([0., 0., 0., 1.])
        """
        return self._special('from_quat_xyzw', 'checked_1', 'lg_so3_project', 'lg_batch_project')(
            self._g, out, (q, (4,), 'q'))

    def to_quat_xyzw(self, g: ArrayLike) -> Array:
        """The quaternions x, y, z, w of elements: a copy.

        >>> liegrp.SO3.to_quat_xyzw([0, 0, 0, 1])
        array([0., 0., 0., 1.])
        """
        return items(g, self._g, 'g').copy()

    def from_quat_wxyz(self, q: ArrayLike, out: Out = None) -> Array:
        """Quaternions w, x, y, z, of any length but 0, as elements.

        >>> liegrp.SO3.from_quat_wxyz([2, 0, 0, 0])
        array([0., 0., 0., 1.])
        """
        return self._special('from_quat_wxyz', 'checked_1', 'lg_so3_from_wxyz')(self._g, out, (q, (4,), 'q'))

    def to_quat_wxyz(self, g: ArrayLike, out: Out = None) -> Array:
        """The quaternions w, x, y, z of elements.

        >>> liegrp.SO3.to_quat_wxyz([0, 0, 0, 1])
        array([1., 0., 0., 0.])
        """
        return self._special('to_quat_wxyz', 'plain_1', 'lg_so3_to_wxyz')((4,), out, (g, self._g, 'g'))

    def from_axis_angle(self, axis: ArrayLike, angle: ArrayLike, out: Out = None) -> Array:
        """The rotation about an axis (..., 3) of any length but 0 by an angle (...) in radians.

        >>> liegrp.SO3.from_axis_angle([0, 0, 2], 0)
        array([0., 0., 0., 1.])
        """
        axis, angle = items(axis, (3,), 'axis'), np.asarray(angle, dtype=np.float64)
        both = np.empty(np.broadcast_shapes(axis.shape[:-1], angle.shape) + (4,))
        both[..., :3], both[..., 3] = axis, angle
        return self._special('from_axis_angle', 'checked_1', 'lgp_so3_from_axis_angle')(
            self._g, out, (both, (4,), 'axis and angle'))

    def to_axis_angle(self, g: ArrayLike) -> tuple[Array, Array]:
        """(axis, angle): unit vectors (..., 3) and angles (...) in [0, pi].

        >>> liegrp.SO3.to_axis_angle(liegrp.SO3.exp([0, 0, 0.5]))[1].round(12)
        0.5
        """
        both = self._special('to_axis_angle', 'checked_1', 'lgp_so3_to_axis_angle')((4,), None, (g, self._g, 'g'))
        return both[..., :3], both[..., 3]

    def from_euler(self, angles: ArrayLike, convention: str, out: Out = None) -> Array:
        """Euler angles (..., 3) in radians. A convention is three letters, the axes in the order of the angles: capital
        letters turn about the axes of the body as they are by then, 'ZYX' is yaw, pitch, roll; small letters turn about
        the axes of space.

        >>> liegrp.SO3.from_euler([0, 0, 0], 'ZYX')
        array([0., 0., 0., 1.])
        """
        return self._euler('from_euler', convention)(self._g, out, (angles, (3,), 'angles'))

    def to_euler(self, g: ArrayLike, convention: str, out: Out = None) -> Array:
        """Euler angles (..., 3) in radians; see from_euler(). In gimbal lock the third one is 0.

        >>> liegrp.SO3.to_euler(liegrp.SO3.from_euler([0.1, 0.2, 0.3], 'ZYX'), 'ZYX').round(12)
        array([0.1, 0.2, 0.3])
        """
        return self._euler('to_euler', convention)((3,), out, (g, self._g, 'g'))

    def _euler(self, name, convention):
        known = texts(lib.lg_so3_euler_names())
        if convention not in known:
            raise ArgumentError(f'unknown convention {convention!r}; expected one of {", ".join(known)}')
        letters = self._keep_text(convention)
        return self._special(name, 'euler', convention=letters)

    def _keep_text(self, convention):
        """The C string of a convention, made once; it lives as long as the group."""
        return self._operations.setdefault(('text', convention), ffi.new('char[]', convention.encode()))


class SpacePoses(Acting):
    """SE(3): elements (r, q) = translation, then quaternion x, y, z, w; velocities (v, omega) in the body's frame.

    SE_2(3): elements (position, velocity, quaternion).

    >>> liegrp.SE3.identity()
    array([0., 0., 0., 0., 0., 0., 1.])
    """

    def rotation(self, g: ArrayLike) -> Array:
        """The rotations of poses, elements (..., 4) of SO3: a view.

        >>> liegrp.SE3.rotation(liegrp.SE3.identity())
        array([0., 0., 0., 1.])
        """
        return items(g, self._g, 'g')[..., -4:]

    def translation(self, g: ArrayLike) -> Array:
        """The positions of poses, (..., 3): a view.

        >>> liegrp.SE3.translation(liegrp.SE3.identity())
        array([0., 0., 0.])
        """
        return items(g, self._g, 'g')[..., :3]

    def from_parts(self, *parts: ArrayLike) -> Array:
        """Elements from translations (..., 3) (of SE_2(3) positions and velocities) and elements of SO3 (..., 4).

        >>> liegrp.SE3.from_parts([1, 2, 3], liegrp.SO3.identity())
        array([1., 2., 3., 0., 0., 0., 1.])
        """
        vectors = self.dim // 3 - 1
        if len(parts) != vectors + 1:
            raise ArgumentError(f'{self.name} has {vectors} vectors and a rotation, got {len(parts)} parts')
        return product(*[Rn(3)] * vectors, SO3).join(*parts)


SO2 = PlaneRotations('lg_so2', 2)
SO3 = Rotations('lg_so3', 3)
SE2 = PlanePoses('lg_se2', 2)
SE3 = SpacePoses('lg_se3', 3)
SE23 = SpacePoses('lg_se23', 3)

_KINDS = {group._pointer.kind: group for group in (SO2, SO3, SE2, SE3, SE23)}


def of_pointer(pointer, keep):
    """The group of a C descriptor, which `keep` keeps alive."""
    kind = pointer.kind
    if kind in _KINDS:
        return _KINDS[kind]
    if kind != lib.LG_KIND_PRODUCT:
        return Group(pointer, keep)
    factors = [of_pointer(lib.lg_group_factor(pointer, i), keep) for i in range(lib.lg_group_factor_count(pointer))]
    return Group(pointer, (keep, factors), factors)
