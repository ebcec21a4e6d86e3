# SPDX-License-Identifier: BSD-3-Clause
"""Descriptions of parts: structs of the library that are filled from keywords, and read back as dictionaries."""
from __future__ import annotations

import numpy as np

from ._core import ArgumentError, default, ffi, flag, lib, one_of, real, text
from ._map import pointer, reals


def listed(sentence):
    """All texts until there is none."""
    found = []
    while (said := text(sentence(len(found)))) is not None:
        found.append(said)
    return found


def words_of(given):
    """One word or several as strings of C, ended with NULL, and what must live as long as they do."""
    kept = [ffi.new('char[]', str(word).encode()) for word in ([given] if isinstance(given, str) else given)]
    return ffi.new('const char *[]', [*kept, ffi.NULL]), kept


JOINTS, WHEELS, CONTACTS, ACTIVATIONS, SURFACES = (
    {name: number for number, name in enumerate(listed(names))} for names in (
        lib.lg_joint_kind_name, lib.lg_wheel_kind_name, lib.lg_contact_name, lib.lg_activation_name,
        lib.lg_surface_kind_name))
SHAPES = {name: getattr(lib, 'LG_SHAPE_' + name.upper()) for name in (
    'axes', 'sphere', 'ellipsoid', 'cylinder', 'torus', 'box', 'rod', 'plane', 'mesh')}
SHADES = {name: getattr(lib, 'LG_SHADE_' + name.upper()) for name in (
    'body', 'second', 'wheel', 'metal', 'mark', 'ground', 'ghost')}
ROOTS = {'as-written': lib.LG_ROOT_AS_WRITTEN, 'fixed': lib.LG_ROOT_FIXED, 'floating': lib.LG_ROOT_FLOATING}
FILE_CONTACTS = {'none': lib.LG_FILE_CONTACTS_NONE, 'all': lib.LG_FILE_CONTACTS_ALL,
                 'ground': lib.LG_FILE_CONTACTS_GROUND, 'joints': lib.LG_FILE_CONTACTS_JOINTS}
RULES = {'smaller': lib.LG_FRICTION_SMALLER, 'greater': lib.LG_FRICTION_GREATER}
_CHOICES = {('lg_joint', 'kind'): JOINTS, ('lg_wheel', 'kind'): WHEELS, ('lg_wheel', 'contact'): CONTACTS,
            ('lg_sphere_contact', 'contact'): {name: CONTACTS[name] for name in ('rolls', 'slides')},
            ('lg_motor', 'activation'): ACTIVATIONS, ('lg_thruster', 'activation'): ACTIVATIONS,
            ('lg_surface', 'kind'): SURFACES, ('lg_surface', 'rule'): RULES,
            ('lg_shape', 'kind'): SHAPES, ('lg_shape', 'shade'): SHADES}


_FLAGS = ('on_bodies', 'in_space', 'inside', 'held', 'stops', 'ignored')


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


def fill_terms(struct, terms):
    """Sets the terms of a tendon, (joint, coefficient), (body, point) or a pulley's divisor each. Returns what must live
    as long as the struct."""
    array, kept = ffi.new('lg_tendon_term[]', len(terms)), []
    for to, term in zip(array, terms):
        if not isinstance(term, (str, tuple, list)):
            to.kind, to.number = lib.LG_TENDON_PULLEY, real(term, 'divisor of a pulley')
            continue
        if isinstance(term, str) or len(term) != 2:
            raise ArgumentError(f"a term must be ('joint', coefficient), ('body', point) or a pulley's divisor, "
                                f'got {term!r}')
        name, value = term
        if name is not None:
            kept.append(ffi.new('char[]', name.encode()))
            to.name = kept[-1]
        if np.ndim(value):
            to.kind, to.point = lib.LG_TENDON_POINT, numbers(value, 3, 'point of a tendon')
        else:
            to.kind, to.number = lib.LG_TENDON_JOINT, real(value, 'coefficient')
    struct.term, struct.terms = array, len(terms)
    return [array, *kept]


def terms_of(struct):
    """The terms of a tendon as fill_terms() takes them."""
    out = []
    for term in ffi.unpack(struct.term, struct.terms):
        if term.kind == lib.LG_TENDON_PULLEY:
            out.append(term.number)
        else:
            point = term.kind == lib.LG_TENDON_POINT
            out.append((text(term.name), np.array(list(term.point)) if point else term.number))
    return out


def fill_points(struct, points):
    """Sets the points (n, 3) of a hull or of triangles. Returns what must live as long as the struct."""
    array = np.ascontiguousarray(reals(points, 'points'))
    if array.ndim != 2 or array.shape[1] != 3:
        raise ArgumentError(f'points must have the shape (n, 3), got {array.shape}')
    buffer = pointer(array)
    struct.points, struct.point = len(array), buffer
    return [buffer]


def fill_triangles(struct, triangles):
    """Sets the triangles (n, 3) of terrain, numbers of points. Returns what must live as long as the struct."""
    array = np.asarray(triangles)
    if array.ndim != 2 or array.shape[1] != 3 or not np.issubdtype(array.dtype, np.integer):
        raise ArgumentError(f'triangles must be integers of the shape (n, 3), got {array.dtype} {array.shape}')
    array = np.ascontiguousarray(np.clip(array, -1, 2**31 - 1), dtype=np.int32)
    buffer = ffi.from_buffer('int[]', array)
    struct.triangles, struct.triangle = len(array), buffer
    return [buffer, array]


def fill_heights(struct, heights):
    """Sets the heights (rows, columns) of terrain. Returns what must live as long as the struct."""
    array = np.ascontiguousarray(reals(heights, 'heights'))
    if array.ndim != 2:
        raise ArgumentError(f'heights must have the shape (rows, columns), got {array.shape}')
    buffer = pointer(array)
    struct.rows, struct.columns, struct.height = *array.shape, buffer
    return [buffer]


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
        if name == 'points':
            kept += fill_points(struct, value)
            continue
        if name == 'triangles':
            kept += fill_triangles(struct, value)
            continue
        if name == 'heights':
            kept += fill_heights(struct, value)
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
    """A description from keywords, and what must live as long as it. Dimensions that a shape or a surface does not need
    are 0, and a colour of three numbers is opaque."""
    if 'dimensions' in values:
        dimensions = list(np.ravel(values['dimensions']))
        values = {**values, 'dimensions': dimensions + [0] * (3 - len(dimensions))}
    if kind == 'surface' and values['half'] is not None:
        half = list(np.ravel(values['half']))
        values = {**values, 'half': half + [0] * (3 - len(half))}
    if np.shape(values.get('colour')) == (3,):
        values = {**values, 'colour': [*values['colour'], 1]}
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
        if name in ('motion', 'terms', 'rest_upper') or \
                kind == 'lg_surface' and name in ('point', 'triangle', 'rows', 'columns'):
            continue
        if name == 'triangles':
            out[name] = np.array(ffi.unpack(struct.triangle, 3 * value)).reshape(-1, 3) if value else None
            continue
        if name == 'height':
            size = struct.rows * struct.columns
            out['heights'] = np.array(ffi.unpack(value, size)).reshape(struct.rows, -1) if size else None
            continue
        if name == 'points':
            out[name] = np.array(ffi.unpack(struct.point, 3 * value)).reshape(-1, 3) if value else None
            continue
        if (kind == 'lg_surface_pair' and name in ('friction', 'restitution', 'viscous') or name == 'friction_along') and \
                value < 0:
            value = None
        if name == 'rest_lower':
            out['rest'] = None if value == np.inf else (value, struct.rest_upper)
            continue
        if name == 'term':
            out['terms'] = terms_of(struct)
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
