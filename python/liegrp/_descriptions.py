# SPDX-License-Identifier: BSD-3-Clause
"""Descriptions of parts: structs of the library that are filled from keywords, and read back as dictionaries."""
from __future__ import annotations

import numpy as np

from ._core import ArgumentError, default, ffi, flag, lib, one_of, real, text
from ._map import reals


def listed(sentence):
    """All texts until there is none."""
    found = []
    while (said := text(sentence(len(found)))) is not None:
        found.append(said)
    return found


JOINTS, WHEELS, CONTACTS = ({name: number for number, name in enumerate(listed(names))} for names in (
    lib.lg_joint_kind_name, lib.lg_wheel_kind_name, lib.lg_contact_name))
SHAPES = {name: getattr(lib, 'LG_SHAPE_' + name.upper()) for name in (
    'axes', 'sphere', 'ellipsoid', 'cylinder', 'torus', 'box', 'rod', 'plane')}
SHADES = {name: getattr(lib, 'LG_SHADE_' + name.upper()) for name in (
    'body', 'second', 'wheel', 'metal', 'mark', 'ground', 'ghost')}
ROOTS = {'as-written': lib.LG_ROOT_AS_WRITTEN, 'fixed': lib.LG_ROOT_FIXED, 'floating': lib.LG_ROOT_FLOATING}
_CHOICES = {('lg_joint', 'kind'): JOINTS, ('lg_wheel', 'kind'): WHEELS, ('lg_wheel', 'contact'): CONTACTS,
            ('lg_sphere_contact', 'contact'): {name: CONTACTS[name] for name in ('rolls', 'slides')},
            ('lg_shape', 'kind'): SHAPES, ('lg_shape', 'shade'): SHADES}


_FLAGS = ('on_bodies', 'in_space', 'inside')


def inertia_numbers(inertia):
    """An inertia as xx, yy, zz, xy, xz, yz: from these six, three principal moments or a symmetric 3 x 3 matrix."""
    array = reals(inertia, 'inertia')
    if array.shape == (3,):
        return [*array, 0, 0, 0]
    if array.shape == (6,):
        return list(array)
    if array.shape == (3, 3) and (array == array.T).all():
        return [array[0, 0], array[1, 1], array[2, 2], array[0, 1], array[0, 2], array[1, 2]]
    raise ArgumentError('inertia must be 3 principal moments, 6 numbers (xx, yy, zz, xy, xz, yz) or a symmetric 3 x 3 '
                        f'matrix, got an array of shape {array.shape}')


def fill_motions(struct, motions):
    """Sets the motions of a composed joint, (kind, axis) or (kind, axis, point) each."""
    if len(motions) > len(struct.motion):
        raise ArgumentError(f'a composed joint has at most {len(struct.motion)} motions, got {len(motions)}')
    struct.motions = len(motions)
    for to, motion in zip(struct.motion, motions):
        if isinstance(motion, str) or not 2 <= len(motion) <= 3:
            raise ArgumentError(f"a motion must be ('revolute', axis, point) or ('prismatic', axis), got {motion!r}")
        to.kind = one_of(motion[0], {name: JOINTS[name] for name in ('revolute', 'prismatic')}, 'kind of a motion')
        to.axis = numbers(motion[1], 3, 'axis of a motion')
        to.point = numbers(motion[2], 3, 'point of a motion') if len(motion) == 3 else [0, 0, 0]


def motions_of(struct):
    """The motions of a joint as fill_motions() takes them."""
    words = {number: word for word, number in JOINTS.items()}
    return [(words[m.kind], np.array(list(m.axis)), np.array(list(m.point))) for m in struct.motion[0:struct.motions]]


def fill(kind, struct, values):
    """Sets the members of a description that are not None. Returns what must live as long as it."""
    kept = []
    members = dict(ffi.typeof(kind).fields)
    for name, value in values.items():
        if value is None:
            continue
        if name == 'motions':
            fill_motions(struct, value)
            continue
        if (kind, name) in _CHOICES:
            value = one_of(value, _CHOICES[kind, name], f'{name} of a {kind[3:]}')
        if members[name].type.kind == 'pointer':
            value = ffi.new('char[]', value.encode())
            kept.append(value)
        elif members[name].type.kind == 'array':
            value = numbers(value, members[name].type.length, name)
        elif name in _FLAGS:
            value = flag(value, name)
        elif members[name].type.cname == 'double':
            value = real(value, name)
        setattr(struct, name, value)
    return kept


def described(kind, values):
    """A description from keywords, and what must live as long as it. Dimensions that a shape does not need are 0."""
    if 'dimensions' in values:
        dimensions = list(np.ravel(values['dimensions']))
        values = {**values, 'dimensions': dimensions + [0] * (3 - len(dimensions))}
    struct = default('lg_' + kind, getattr(lib, f'lg_{kind}_init'))
    return struct, fill('lg_' + kind, struct, values)


def numbers(value, count, name):
    """`count` numbers as a list."""
    array = reals(value, name)
    if array.shape != (count,) and not (count == 9 and array.shape == (3, 3)):
        raise ArgumentError(f'{name} must have {count} numbers, got the shape {array.shape}')
    return list(array.ravel())


def as_dictionary(kind, struct):
    """A description as a dictionary: names as str, numbers as float, arrays as NumPy arrays."""
    out = {}
    for name, member in ffi.typeof(kind).fields:
        value = getattr(struct, name)
        if name == 'motion':
            continue
        if name == 'motions':
            value = motions_of(struct)
        elif member.type.kind == 'array':
            value = np.array(list(value))
        elif member.type.kind == 'pointer':
            value = text(value)
        elif (kind, name) in _CHOICES:
            value = {number: word for word, number in _CHOICES[kind, name].items()}[value]
        if name != 'size':
            out[name] = value
    return out
