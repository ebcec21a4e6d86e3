# SPDX-License-Identifier: BSD-3-Clause
"""Mechanisms: bodies connected by joints, wheels that roll, springs, motors and gears."""
from __future__ import annotations

import os
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np

from ._callbacks import compiled_function
from ._core import (ArgumentError, Pinned, check, create, default, error, ffi, flag, lib, nearest, one_of, real,
                    scene_of, text)
from ._descriptions import (FILE_CONTACTS, ROOTS, as_dictionary, described, fill, fill_terms, inertia_numbers, listed,
                            numbers, words_of)
from ._drives import Drives
from ._map import pointer, reals
from ._notebook import of_mechanism
from ._types import Array, ArrayLike, Function, Path
from .models import Model, catalog


def gallery() -> dict[str, str]:
    """The mechanisms of the gallery: name -> description.

    >>> 'four-bar' in liegrp.gallery()
    True
    """
    return {text(lib.lg_gallery_name(i)): text(lib.lg_gallery_text(i)) for i in range(lib.lg_gallery_count())}


class Parameters(MutableMapping):
    """The numbers of a mechanism by name, 'crank.mass'. They can be set until it is compiled.

    >>> isinstance(liegrp.Mechanism.gallery('four-bar').parameters, liegrp.Parameters)
    True
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism

    def _index(self, name):
        index = lib.lg_mechanism_parameter(self._mechanism.pointer, str(name).encode())
        if index < 0:
            raise KeyError(f'{self._mechanism.name} has no parameter {name!r}{nearest(name, self)}')
        return index

    def __getitem__(self, name):
        return lib.lg_mechanism_parameter_value(self._mechanism.pointer, self._index(name))

    def __setitem__(self, name, value):
        m = self._mechanism.pointer
        check(lib.lg_mechanism_set_parameter(m, str(name).encode(), real(value, name)),
              lambda: lib.lg_mechanism_message(m))

    def __delitem__(self, name):
        raise TypeError('parameters of a mechanism cannot be deleted')

    def __len__(self):
        return lib.lg_mechanism_parameter_count(self._mechanism.pointer)

    def __iter__(self):
        m = self._mechanism.pointer
        for i in range(len(self)):
            room = ffi.new('char[]', lib.lg_mechanism_parameter_name(m, ffi.NULL, 0, i) + 1)
            lib.lg_mechanism_parameter_name(m, room, len(room), i)
            yield text(room)

    def unit(self, name: str) -> str:
        """The unit of a parameter, such as 'kg m^2'.

        >>> liegrp.Mechanism.gallery('four-bar').parameters.unit('crank.mass')
        'kg'
        """
        return text(lib.lg_mechanism_parameter_unit(self._mechanism.pointer, self._index(name)))

    def __repr__(self):
        return f'Parameters({dict(self)})'


class Mechanism(Pinned):
    """Bodies connected by joints, wheels, springs, motors and gears, described by name, in any order.

    Units are SI, angles radians, quaternions (x, y, z, w). The world is the body None. compile() closes the
    description; a Motion does so if needed. An error in the description raises ArgumentError, which names the part.

    >>> m = liegrp.Mechanism()
    >>> m.add_body('link', mass=1.2, inertia=[0.1, 0.1, 0.01], position=[0, 0, 1])
    0
    >>> m.add_joint('elbow', 'revolute', None, 'link', point=[0, 0, 1.5], axis=[0, 1, 0], damping=0.02)
    0
    >>> m.add_motor('motor', 'elbow')
    0
    >>> m.compile().freedoms
    1
    """

    def __init__(self, gravity: ArrayLike = (0, 0, -9.81)) -> None:
        self._own(create('lg_mechanism', lib.lg_mechanism_create, lib.lg_mechanism_destroy))
        self.set_gravity(gravity)

    def _own(self, pointer, name='mechanism'):
        self.pointer = pointer
        self.name = name
        self.compiled = False
        self._model, self._drives = None, Drives()
        return self

    @classmethod
    def gallery(cls, name: str) -> Mechanism:
        """A mechanism of the gallery by name, not compiled yet: its parameters can still be set. Its motions start from
        a state of its own.

        >>> liegrp.Mechanism.gallery('four-bar').compile().freedoms
        1
        """
        index = lib.lg_gallery_index(str(name).encode())
        if index < 0:
            raise ArgumentError(f'there is no mechanism {name!r} in the gallery; there are {", ".join(gallery())}'
                                f'{nearest(name, gallery())}')
        pointer = create('lg_mechanism', lambda slot: lib.lg_gallery_describe(slot, index), lib.lg_mechanism_destroy,
                         lib.lg_mechanism_message)
        return cls.__new__(cls)._own(pointer, name)

    @classmethod
    def read(cls, path: Path, *, root: str = 'as-written', keep_fixed: bool = False, position: ArrayLike | None = None,
             attitude: ArrayLike | None = None, least_inertia: float = 0.0,
             ignore: Sequence[str] = (), packages: Mapping[str, Path] | Sequence[Path] = (),
             sensors: bool = False, within: Path | None = None, contacts: bool | str = False) -> Mechanism:
        """A mechanism from a URDF or MJCF file, not compiled yet: add what the file lacks.

        root: 'as-written', 'fixed' or 'floating'; keep_fixed: links that fixed joints connect stay bodies of their own;
        position (3) and attitude (4, x, y, z, w): of the root link's frame. least_inertia (kg m^2; 0: none): moments of
        a body that the motion needs and that has none; one without mass gets the mass that has them at 0.1 m, too.
        ignore: names of elements and attributes that would change the motion, are not read, and are left out.
        packages: where packages of ROS are, whose meshes package://NAME/FILE are shown: a dictionary of names and
        folders, or folders that contain packages; the environment variable ROS_PACKAGE_PATH is searched too.
        sensors: those of MJCF that are functions of the state are columns of rows, behind all others.
        within: files that the model names may be anywhere below this folder; None: below that of the model's file.
        contacts: 'all' or True: limits of joints are stops, their friction (frictionloss) is dry friction, and shapes
        that collide touch; 'ground': these touch planes alone; 'joints': they touch nothing; 'none' or False.
        `remarks` lists what was not read, such bodies, and names that ignored nothing.

        >>> liegrp.Mechanism.read('no-such-file.urdf')
        Traceback (most recent call last):
        OSError: ...
        """
        options = default('lg_mechanism_file', lib.lg_mechanism_file_init)
        options.root = one_of(root, ROOTS, 'root')
        options.keep_fixed = flag(keep_fixed, 'keep_fixed')
        options.sensors = flag(sensors, 'sensors')
        if isinstance(contacts, bool):
            contacts = 'all' if contacts else 'none'
        options.contacts = one_of(contacts, FILE_CONTACTS, 'contacts')
        fill('lg_mechanism_file', options, {'position': position, 'attitude': attitude,
                                            'least_inertia': least_inertia})
        folders = ([f'{name}={folder}' for name, folder in packages.items()] if isinstance(packages, Mapping)
                   else [packages] if isinstance(packages, (str, os.PathLike)) else packages)
        words = [words_of(ignore), words_of(folders)]
        options.ignore, options.packages = (word[0] for word in words)
        if within is not None:
            words.append(ffi.new('char[]', str(within).encode()))
            options.within = words[-1]
        pointer = create('lg_mechanism', lambda slot: lib.lg_mechanism_read(slot, str(path).encode(), options),
                         lib.lg_mechanism_destroy, lib.lg_mechanism_message)
        del words  # they had to live until here
        return cls.__new__(cls)._own(pointer, str(path))

    def write(self, path: Path, *, ignore: Sequence[str] = ()) -> Mechanism:
        """Writes the mechanism as MJCF (.xml, .mjcf) or URDF (.urdf) that MuJoCo reads; compiles it first.

        It is written as it is assembled, with all digits. An existing file is replaced. What the format cannot say is an
        error that names it; ignore: words of such errors, whose things are left out. `remarks` lists these, and what
        readers of the file treat differently.

        >>> liegrp.Mechanism.gallery('bicycle').write('bicycle.xml')
        Traceback (most recent call last):
        liegrp._core.UnsupportedError: ...
        """
        if not self.compiled:
            self.compile()
        words, kept = words_of(ignore)
        self._check(lib.lg_mechanism_write(self.pointer, str(path).encode(), words))
        del kept  # it had to live until here
        return self

    def _check(self, status):
        check(status, lambda: lib.lg_mechanism_message(self.pointer))

    def _add(self, kind, values):
        struct, _kept = described(kind, values)
        index = ffi.new('int *')
        self._check(getattr(lib, f'lg_mechanism_add_{kind}')(self.pointer, index, struct))
        return index[0]

    def add_body(self, name: str, *, mass: float, inertia: ArrayLike, centre: ArrayLike | None = None,
                 position: ArrayLike | None = None, attitude: ArrayLike | None = None) -> int:
        """Adds a rigid body and returns its number.

        mass: kg. inertia: about the centre of mass in the body's axes, kg m^2; three principal moments, or xx, yy, zz,
        xy, xz, yz, or a 3 x 3 matrix. centre (3): the centre of mass in the body's frame, m. position (3) and attitude
        (4, x, y, z, w): of the frame at assembly.

        >>> liegrp.Mechanism().add_body('ball', mass=1, inertia=[0.4, 0.4, 0.4])
        0
        """
        return self._add('body', {'name': name, 'mass': mass, 'inertia': inertia_numbers(inertia), 'centre': centre,
                                  'position': position, 'attitude': attitude})

    def add_joint(self, name: str, kind: str = 'revolute', parent: str | None = None, child: str | None = None, *,
                  point: ArrayLike | None = None, axis: ArrayLike | None = None, second: ArrayLike | None = None,
                  on_bodies: bool | None = None, in_space: bool | None = None, parent_point: ArrayLike | None = None,
                  parent_frame: ArrayLike | None = None, child_point: ArrayLike | None = None,
                  child_frame: ArrayLike | None = None, length: float | None = None, stiffness: float | None = None,
                  rest: float | None = None, damping: float | None = None, lower: float | None = None,
                  upper: float | None = None, friction: float | None = None,
                  friction_speed: float | None = None, armature: float | None = None, stops: bool | None = None,
                  stop_restitution: float | None = None,
                  motions: Sequence[tuple[str, ArrayLike] | tuple[str, ArrayLike, ArrayLike]] | None = None) -> int:
        """Adds a joint between a parent and a child (None: the world) and returns its number.

        kind: 'fixed', 'revolute', 'prismatic', 'cylindrical', 'universal', 'spherical', 'planar', 'distance', 'free' or
        'composed', which has motions, 1 to 6 hinges and slides in series from the parent to the child with nothing
        between: ('revolute', axis, point) or ('prismatic', axis), axis (3) and point (3) at assembly, in space. Its
        positions are those of the motions, 'name.1' and so on.
        point (3), axis (3), second (3): at assembly, in space. With on_bodies=True the points (3) and frames (3 x 3,
        columns are the joint's axes, the axis third) on both bodies count instead. stiffness, rest, damping: of a
        spring on each of its lengths and angles; of a rotation vector there is damping alone. lower, upper: limits that
        Motion.limit() watches; with stops they hold each length and angle between them, and impacts there have the
        restitution stop_restitution (0 to 1). friction (N m or N): dry friction, which sticks under any smaller load;
        with a friction_speed (rad/s or m/s) a force -friction tanh(rate/friction_speed) instead. armature (kg m^2 or
        kg): inertia of a rotor that turns with the joint.

        >>> liegrp.Mechanism().add_joint('hinge', 'revolute', None, 'door', axis=[0, 0, 1], stiffness=2.0)
        0
        """
        return self._add('joint', {
            'name': name, 'kind': kind, 'parent': parent, 'child': child, 'point': point, 'axis': axis,
            'second': second, 'on_bodies': on_bodies, 'in_space': in_space, 'parent_point': parent_point,
            'parent_frame': parent_frame, 'child_point': child_point, 'child_frame': child_frame, 'length': length,
            'stiffness': stiffness, 'rest': rest, 'damping': damping, 'lower': lower, 'upper': upper,
            'friction': friction, 'friction_speed': friction_speed, 'armature': armature, 'stops': stops,
            'stop_restitution': stop_restitution, 'motions': motions})

    def add_wheel(self, name: str, body: str, *, radius: float, kind: str = 'disk', contact: str = 'rolls',
                  tube: float | None = None, centre: ArrayLike | None = None, axle: ArrayLike | None = None,
                  ground_normal: ArrayLike | None = None, ground_point: ArrayLike | None = None,
                  ground_velocity: ArrayLike | None = None, ground_spin: float | None = None,
                  roller_angle: float | None = None, friction: float | None = None,
                  restitution: float | None = None, friction_along: float | None = None) -> int:
        """Adds a wheel that is part of a body and touches a plane, and returns its number.

        radius, tube: m. kind: 'disk' or 'ball'. contact: 'rolls', 'edge' (no slip sideways: a skate), 'slides',
        'real', which lifts off and slips with friction and restitution, or 'omni', a disk with rollers around its rim, which does not slip along the axis of the roller that touches.
        roller_angle (rad, -pi/2 to pi/2): of 'omni', from the heading axle x ground_normal to that axis on the ground,
        counterclockwise seen from above: 0 an omni wheel, pi/4 and -pi/4 mecanum wheels.
        centre (3), axle (3, default y): in the body's frame. The ground is a plane through ground_point (3) with the
        normal ground_normal (3, default z), whose material moves with ground_velocity (3) and turns with ground_spin.
        friction_along: of a disk with 'real' contact, Coulomb's mu along the heading, from 0 to friction, which is that
        across then: a skate.

        >>> liegrp.Mechanism().add_wheel('left', 'axle', radius=0.1, contact='rolls')
        0
        """
        return self._add('wheel', {
            'name': name, 'body': body, 'radius': radius, 'kind': kind, 'contact': contact, 'tube': tube,
            'centre': centre, 'axle': axle, 'ground_normal': ground_normal, 'ground_point': ground_point,
            'ground_velocity': ground_velocity, 'ground_spin': ground_spin, 'roller_angle': roller_angle,
            'friction': friction, 'restitution': restitution, 'friction_along': friction_along})

    def add_spring(self, name: str, parent: str | None = None, child: str | None = None, *, stiffness: float,
                   parent_point: ArrayLike | None = None, child_point: ArrayLike | None = None,
                   rest: float | None = None, damping: float | None = None) -> int:
        """Adds a spring and damper between points of two bodies (None: the world) and returns its number.

        stiffness: N/m. rest: length at which it is slack, m, default that at assembly. damping: N s/m.

        >>> liegrp.Mechanism().add_spring('spring', None, 'ball', stiffness=100, rest=0.2)
        0
        """
        return self._add('spring', {
            'name': name, 'parent': parent, 'child': child, 'stiffness': stiffness, 'parent_point': parent_point,
            'child_point': child_point, 'rest': rest, 'damping': damping})

    def add_motor(self, name: str, joint: str, *, ratio: float = 1, rotor_inertia: float = 0,
                  position_gain: float = 0, velocity_gain: float = 0, lower: float | None = None,
                  upper: float | None = None, control_gain: float = 0, control_lower: float | None = None,
                  control_upper: float | None = None, activation: str = 'none', time_constant: float = 0,
                  activation_lower: float | None = None, activation_upper: float | None = None,
                  damping_gain: float = 0) -> int:
        """Adds a motor on a length or an angle of a joint; its number is that of its control.

        joint: 'hinge' of one position, 'hook.2' of several, or the name of a coordinate or of a tendon.

        The motor turns `ratio` times as fast as the joint, with the inertia rotor_inertia (kg m^2). Its control u is
        its torque or force; with a position_gain kp the position that it follows with kp (u - ratio q) - kv ratio q',
        with a velocity_gain kv alone the velocity, kv (u - ratio q'). A control_gain g makes it g u - kp ratio q - kv ratio
        q'. lower, upper: limits of its torque or force; control_lower, control_upper: of u. activation: 'filter' of
        time_constant T, T a' = u - a, or 'integrator', a' = u: a, between activation_lower and activation_upper, takes
        the place of u. A damping_gain d makes a brake of it, -d u ratio q', for u >= 0.

        >>> liegrp.Mechanism().add_motor('motor', 'hinge', position_gain=50, velocity_gain=2, lower=-3, upper=3)
        0
        """
        return self._add('motor', {'name': name, 'joint': joint, 'ratio': ratio, 'rotor_inertia': rotor_inertia,
                                   'position_gain': position_gain, 'velocity_gain': velocity_gain, 'lower': lower,
                                   'upper': upper, 'control_gain': control_gain, 'control_lower': control_lower,
                                   'control_upper': control_upper, 'activation': activation,
                                   'time_constant': time_constant, 'activation_lower': activation_lower,
                                   'activation_upper': activation_upper, 'damping_gain': damping_gain})

    def add_coordinate(self, name: str, joint: str, *, stiffness: float = 0, rest: float = 0, damping: float = 0,
                       friction: float = 0, friction_speed: float = 0, armature: float = 0,
                       lower: float | None = None, upper: float | None = None, stops: bool = False,
                       stop_restitution: float = 0) -> int:
        """Gives a position of a joint a name and numbers of its own, and returns its number.

        joint: 'hinge' of one position, 'hook.2' of several: a length or an angle. The other numbers are those of
        add_joint(), for this position alone. Motors and gears may name the coordinate in place of the joint.

        >>> liegrp.Mechanism().add_coordinate('tilt', 'hook.2', stiffness=2.0, damping=0.1)
        0
        """
        return self._add('coordinate', {
            'name': name, 'joint': joint, 'stiffness': stiffness, 'rest': rest, 'damping': damping,
            'friction': friction, 'friction_speed': friction_speed, 'armature': armature, 'lower': lower,
            'upper': upper, 'stops': stops, 'stop_restitution': stop_restitution})

    def add_tendon(self, name: str, terms: Sequence[tuple[str, float] | tuple[str | None, ArrayLike] | float], *,
                   stiffness: float = 0, damping: float = 0, rest: float | tuple[float, float] | None = None,
                   held: bool = False, change: float = 0) -> int:
        """Adds a tendon, a length that is a sum, and returns its number. Motors may name it in place of a joint.

        terms, in the order of the tendon: ('hinge', 0.5), a position of a joint times a coefficient; ('arm', [x, y, z]),
        a point in a body's frame (None: the world), m, whose distance from the point before it counts; a number, a
        pulley: the branch ends, and later distances are divided by it. stiffness (N/m or N m/rad), damping: of the
        length. rest: where the spring is slack, one length or (least, greatest); default the length at assembly.
        held: the length is held at that of the poses described plus `change`; it joins at most 4 bodies then, the world among them.

        >>> liegrp.Mechanism().add_tendon('cable', [(None, [0, 0, 1]), ('arm', [0.1, 0, 0]), ('wrist', 0.02)],
        ...                               stiffness=500, rest=(0, 0.6))
        0
        """
        struct, _kept = described('tendon', {'name': name, 'stiffness': stiffness, 'damping': damping,
                                              'held': held, 'change': change})
        _terms = fill_terms(struct, terms)
        if rest is not None:
            struct.rest_lower, struct.rest_upper = numbers(rest, 2, 'rest') if np.ndim(rest) else [real(rest, 'rest')] * 2
        index = ffi.new('int *')
        self._check(lib.lg_mechanism_add_tendon(self.pointer, index, struct))
        return index[0]

    def add_thruster(self, name: str, body: str, *, point: ArrayLike | None = None, axis: ArrayLike | None = None,
                     force: float = 1, torque: float = 0, lower: float | None = None,
                     upper: float | None = None, activation: str = 'none', time_constant: float = 0,
                     activation_lower: float | None = None, activation_upper: float | None = None) -> int:
        """Adds a thruster or a propeller, and returns its number. Its control follows those of the motors, and is held
        between lower and upper.

        point (3), axis (3, default z): in the body's frame. force (N), torque (N m): along the axis and about it, for a
        control of 1. activation and its numbers: as of add_motor().

        >>> liegrp.Mechanism().add_thruster('front', 'frame', point=[0.2, 0, 0], torque=0.016)
        0
        """
        return self._add('thruster', {'name': name, 'body': body, 'point': point, 'axis': axis, 'force': force,
                                      'torque': torque, 'lower': lower, 'upper': upper,
                                      'activation': activation, 'time_constant': time_constant,
                                      'activation_lower': activation_lower, 'activation_upper': activation_upper})

    def add_drive(self, name: str, joint: str | None = None, motion: Function | None = None, *,
                  body: str | None = None, times: ArrayLike | None = None, values: ArrayLike | None = None) -> int:
        """Gives a position of a joint, or the pose of a body, a motion in time, and returns the drive's number.

        joint: named as that of add_motor(). motion(t) returns q, which is differentiated if it is made of + - * / **
        and numpy's functions of one number, or (q, q', q''); of a body (pose, twist, derivative of the twist): the pose
        (7) of its frame in space, the velocity of the frame's origin and the angular velocity (6), in space. A numba
        cfunc, or a function pointer of ctypes or cffi, of the type lg_drive_fn runs without Python. Instead: times (n,)
        and values (n,) or (n, 7), a cubic spline with two continuous derivatives.

        >>> m = liegrp.Mechanism()
        >>> m.add_drive('crank drive', 'crank', lambda t: 10 * t + 0.1 * np.sin(t))
        0
        """
        struct, _kept = described('drive', {'name': name, 'joint': joint, 'body': body})
        if motion is not None:
            function = compiled_function(motion, 'lg_drive_fn', 'motion')
            self._drives.given[name] = motion
            struct.motion = lib._lgp_drive if function is None else function
            if function is None:
                struct.context = self._drives.add(name, motion, 3 if body is None else 19)
        if times is not None or values is not None:
            t, x = reals(() if times is None else times, 'times'), reals(() if values is None else values, 'values')
            wanted = (t.size,) if body is None else (t.size, 7)
            if t.ndim != 1 or x.shape != wanted:
                raise ArgumentError(f'drive {name!r}: times must have the shape (n,) and values '
                                    f'{"(n,)" if body is None else "(n, 7)"}, got {t.shape} and {x.shape}')
            struct.count, struct.times, struct.values = t.size, pointer(t), pointer(x)
        index = ffi.new('int *')
        self._check(lib.lg_mechanism_add_drive(self.pointer, index, struct))
        return index[0]

    def add_gear(self, name: str, joint: str, driver: str | None, *, ratio: float = 1, offset: float = 0,
                 quadratic: float = 0, cubic: float = 0, quartic: float = 0) -> int:
        """Adds a gear and returns its number. With q of the driver, q_joint = offset + ratio q + quadratic q^2 + cubic
        q^3 + quartic q^4; driver None with ratio 0 holds the joint at the offset.

        joint, driver: named as that of add_motor().

        >>> liegrp.Mechanism().add_gear('gear', 'slow', 'fast', ratio=0.1)
        0
        """
        return self._add('gear', {'name': name, 'joint': joint, 'driver': driver, 'ratio': ratio, 'offset': offset,
                                  'quadratic': quadratic, 'cubic': cubic, 'quartic': quartic})

    def add_sphere_contact(self, name: str, parent: str | None = None, child: str | None = None, *,
                           parent_radius: float, child_radius: float, contact: str = 'rolls', inside: bool = False,
                           parent_centre: ArrayLike | None = None, child_centre: ArrayLike | None = None) -> int:
        """Adds a contact of two spheres, one on each body (None: the world), and returns its number.

        parent_radius, child_radius: m, about parent_centre (3) and child_centre (3) in the bodies' frames. contact:
        'rolls' or 'slides'. inside: the child's sphere is inside the parent's, a ball in a bowl.

        >>> liegrp.Mechanism().add_sphere_contact('foot', None, 'ball', parent_radius=0.5, child_radius=0.2)
        0
        """
        return self._add('sphere_contact', {
            'name': name, 'parent': parent, 'child': child, 'parent_radius': parent_radius,
            'child_radius': child_radius, 'contact': contact, 'inside': inside, 'parent_centre': parent_centre,
            'child_centre': child_centre})

    def add_surface(self, name: str, body: str | None, kind: str, *, half: ArrayLike | None = None,
                    position: ArrayLike | None = None, attitude: ArrayLike | None = None, friction: float = 0.5,
                    restitution: float = 0, group: int = 0, points: ArrayLike | None = None,
                    viscous: float = 0, contype: int = 1, conaffinity: int = 1, priority: int = 0,
                    rule: str = 'smaller', friction_along: float | None = None, triangles: ArrayLike | None = None,
                    heights: ArrayLike | None = None) -> int:
        """Adds a surface of a body (None: the world), which touches others, and returns its number.

        kind and half, m: 'point'; 'sphere', radius; 'capsule', radius and half its segment along z; 'box', half its
        sides (3); 'cylinder' about z, radius and half its height; 'disk' across z, radius; 'ellipsoid', half its axes
        (3); 'torus' about z, radius and that of the tube; 'hull', the convex hull of points (n, 3); 'plane', the
        half-space below x and y, whose normal is z; terrain of the world: 'triangles', numbers (n, 3) of points, and
        'heights' (rows, columns) over a grid of x and y, half being half its sides (2). position (3), attitude (4, x,
        y, z, w): of the surface's frame in that of the body. friction: Coulomb's mu; restitution: e of impacts, 0 to 1; of two surfaces the smaller
        counts. viscous (s/m): c of the force -c N u with which it slides instead, the greater of two. friction_along: mu
        along the heading, from 0 to friction, which is that across then: a blade on a plane. The heading is z x the
        plane's normal of capsules, cylinders, disks and tori, and x of others. Surfaces of one group other than 0, of one body, of bodies with a joint between them that is not 'free', and where contype of
        one and conaffinity of the other have no bit in common, either way, do not touch. Of two surfaces with different
        priority the values of the greater one count. rule: 'smaller', or 'greater': the greater friction of two
        surfaces that both say so.

        docs/contact.md says which kinds touch each other. Motions by `sem` and `gauss` have contacts.

        >>> m = liegrp.Mechanism()
        >>> m.add_body('ball', mass=1, inertia=[0.1, 0.1, 0.1], position=[0, 0, 2])
        0
        >>> m.add_surface('skin', 'ball', 'sphere', half=0.5, restitution=0.8)
        0
        >>> m.add_surface('ground', None, 'plane', restitution=1)
        1
        >>> liegrp.Motion(m, step=0.01).step(60).impacts
        1
        """
        return self._add('surface', {
            'name': name, 'body': body, 'kind': kind, 'half': half, 'position': position, 'attitude': attitude,
            'friction': friction, 'restitution': restitution, 'group': group, 'points': points, 'viscous': viscous,
            'contype': contype, 'conaffinity': conaffinity, 'priority': priority, 'rule': rule,
            'friction_along': friction_along, 'triangles': triangles, 'heights': heights})

    def add_surface_pair(self, name: str, first: str, second: str, *, ignored: bool = False,
                         friction: float | None = None, restitution: float | None = None,
                         viscous: float | None = None) -> int:
        """Says what two surfaces are to each other, and returns the pair's number.

        ignored: they pass through each other; otherwise they touch, even of one group or with a joint between their
        bodies. friction, restitution: of this pair; None: the smaller of both surfaces. viscous (s/m): None: the
        greater of both.

        >>> m = liegrp.Mechanism()
        >>> m.add_surface_pair('ice', 'sledge', 'lake', friction=0.02)
        0
        """
        return self._add('surface_pair', {'name': name, 'first': first, 'second': second, 'ignored': ignored,
                                          'friction': friction, 'restitution': restitution, 'viscous': viscous})

    def surface_meeting(self, first: str, second: str) -> dict[str, object]:
        """What two surfaces are to each other, compiling first: touch, a reason in words (why not, or the rule of the
        friction), friction, restitution, viscous.

        >>> m = liegrp.Mechanism()
        >>> m.add_body('ball', mass=1, inertia=[0.1, 0.1, 0.1], position=[0, 0, 2])
        0
        >>> m.add_surface('skin', 'ball', 'sphere', half=0.5, friction=0.3)
        0
        >>> m.add_surface('ground', None, 'plane', friction=1)
        1
        >>> m.surface_meeting('skin', 'ground')['friction'], m.surface_meeting('skin', 'ground')['reason']
        (0.3, 'the smaller friction of both')
        """
        if not self.compiled:
            self.compile()
        meeting = ffi.new('lg_surface_meeting *')
        self._check(lib.lg_mechanism_surface_meeting(self.pointer, meeting, self.index('surface', first, self.surfaces),
                                                     self.index('surface', second, self.surfaces)))
        return {'touch': bool(meeting.touch), 'reason': text(lib.lg_meeting_reason_text(meeting.reason)),
                'friction': meeting.friction, 'restitution': meeting.restitution, 'viscous': meeting.viscous}

    def set_gravity(self, gravity: ArrayLike) -> None:
        """Sets the acceleration of gravity (3), m/s^2.

        >>> m = liegrp.Mechanism()
        >>> m.set_gravity([0, 0, -1.62])
        >>> m.parameters['gravity.z']
        -1.62
        """
        self._check(lib.lg_mechanism_set_gravity(self.pointer, numbers(gravity, 3, 'gravity')))

    def keep_order(self) -> None:
        """Eliminates constraints in the order of their parts instead of one with little fill.

        >>> m = liegrp.Mechanism.gallery('four-bar')
        >>> m.keep_order()
        """
        self._check(lib.lg_mechanism_keep_order(self.pointer))

    def compile(self) -> Mechanism:
        """Finds names, graph and rank, and closes the joints. Afterwards nothing can be added or set.

        >>> liegrp.Mechanism.gallery('four-bar').compile().compiled
        True
        """
        self._check(lib.lg_mechanism_compile(self.pointer))
        self.compiled = True
        return self

    @property
    def model(self) -> Model:
        """The mechanism as a Model, for motions, runs and ensembles: columns, units, meanings. Compiles the
        mechanism. Parameters that are set on the model, model['crank.mass'] = 2, apply to later motions; the mechanism
        keeps its own.

        >>> liegrp.Mechanism.gallery('double-pendulum').model.columns[:4]
        ['step', 't', 'shoulder', 'elbow']
        """
        if self._model is None:
            if not self.compiled:
                self.compile()
            self._model = Model._of(self)
        return self._model

    @property
    def parameters(self) -> Parameters:
        """Its numbers by name, such as parameters['crank.mass']; units are SI.

        >>> m = liegrp.Mechanism.gallery('four-bar')
        >>> m.parameters['crank.mass'] = 0.5
        """
        return Parameters(self)

    def _names(self, kind):
        return listed(lambda i: getattr(lib, f'lg_mechanism_{kind}_name')(self.pointer, i))

    def _read(self, kind, i):
        struct = default('lg_' + kind, getattr(lib, f'lg_{kind}_init'))
        self._check(getattr(lib, f'lg_mechanism_read_{kind}')(self.pointer, struct, i))
        return as_dictionary('lg_' + kind, struct) if kind != 'drive' else self._drive(struct)

    def _drive(self, struct):
        """The description of a drive as a dictionary."""
        name, count = text(struct.name), struct.count
        out = {'name': name, 'joint': text(struct.joint), 'body': text(struct.body)}
        if struct.motion != ffi.NULL:
            return {**out, 'motion': self._drives.given.get(name)}
        columns = 1 if struct.body == ffi.NULL else 7
        values = np.array(ffi.unpack(struct.values, count * columns))
        return {**out, 'times': np.array(ffi.unpack(struct.times, count)),
                'values': values if columns == 1 else values.reshape(count, 7)}

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies, in the order of poses and twists.

        >>> liegrp.Mechanism.gallery('four-bar').bodies
        ['crank', 'coupler', 'rocker']
        """
        return self._names('body')

    @property
    def joints(self) -> list[str]:
        """Names of the joints.

        >>> liegrp.Mechanism.gallery('four-bar').joints
        ['a', 'b', 'c', 'd']
        """
        return self._names('joint')

    @property
    def wheels(self) -> list[str]:
        """Names of the wheels.

        >>> liegrp.Mechanism.gallery('vehicle').wheels
        ['left wheel', 'right wheel', 'caster wheel']
        """
        return self._names('wheel')

    @property
    def springs(self) -> list[str]:
        """Names of the springs.

        >>> len(liegrp.Mechanism.gallery('andrews').springs)
        1
        """
        return self._names('spring')

    @property
    def motors(self) -> list[str]:
        """Names of the motors, in the order of controls.

        >>> len(liegrp.Mechanism.gallery('arm').motors)
        7
        """
        return self._names('motor')

    @property
    def coordinates(self) -> list[str]:
        """Names of the coordinates.

        >>> liegrp.Mechanism.gallery('arm').coordinates
        []
        """
        return self._names('coordinate')

    @property
    def tendons(self) -> list[str]:
        """Names of the tendons.

        >>> liegrp.Mechanism.gallery('arm').tendons
        []
        """
        return self._names('tendon')

    @property
    def thrusters(self) -> list[str]:
        """Names of the thrusters; their controls follow those of the motors.

        >>> liegrp.Mechanism.gallery('arm').thrusters
        []
        """
        return self._names('thruster')

    @property
    def drives(self) -> list[str]:
        """Names of the drives.

        >>> liegrp.Mechanism.gallery('arm').drives
        []
        """
        return self._names('drive')

    @property
    def gears(self) -> list[str]:
        """Names of the gears.

        >>> liegrp.Mechanism.gallery('arm').gears
        []
        """
        return self._names('gear')

    @property
    def sphere_contacts(self) -> list[str]:
        """Names of the contacts of spheres.

        >>> liegrp.Mechanism.gallery('arm').sphere_contacts
        []
        """
        return self._names('sphere_contact')

    @property
    def surfaces(self) -> list[str]:
        """Names of the surfaces.

        >>> liegrp.Mechanism.gallery('arm').surfaces
        []
        """
        return self._names('surface')

    @property
    def surface_pairs(self) -> list[str]:
        """Names of the pairs of surfaces.

        >>> liegrp.Mechanism.gallery('arm').surface_pairs
        []
        """
        return self._names('surface_pair')

    def describe(self, kind: str, name: str) -> dict[str, Any]:
        """The description of a part: a dictionary of the arguments of its add_...().

        >>> liegrp.Mechanism.gallery('four-bar').describe('joint', 'a')['kind']
        'revolute'
        """
        kinds = {'body': self.bodies, 'joint': self.joints, 'wheel': self.wheels, 'spring': self.springs,
                 'motor': self.motors, 'gear': self.gears, 'coordinate': self.coordinates,
                 'tendon': self.tendons, 'thruster': self.thrusters, 'drive': self.drives,
                 'sphere_contact': self.sphere_contacts, 'surface': self.surfaces,
                 'surface_pair': self.surface_pairs}
        return self._read(kind, self.index(kind, name, one_of(kind, kinds, 'kind of a part')))

    def index(self, kind: str, name: str, names: Sequence[str]) -> int:
        """The number of a part among `names`.

        >>> liegrp.Mechanism.gallery('four-bar').index('body', 'rocker', ['crank', 'coupler', 'rocker'])
        2
        """
        if name not in names:
            raise ArgumentError(f'there is no {kind} {name!r} in {self.name}; there are {", ".join(names) or "none"}'
                                f'{nearest(name, names)}')
        return names.index(name)

    @property
    def scene(self) -> dict[str, Any]:
        """Bodies and shapes to draw: 'bodies', a list of names, and 'shapes', dictionaries with the fields of
        lg_shape. Motion.poses has the poses of the bodies. Compiles the mechanism.

        >>> scene = liegrp.Mechanism.gallery('bicycle').scene
        >>> [shape['name'] for shape in scene['shapes'] if shape['rolls_on'] >= 0]
        ['rear wheel', 'front wheel']
        """
        if not self.compiled:
            self.compile()
        made = create('lg_scene', lambda slot: lib.lg_mechanism_scene(self.pointer, slot), lib.lg_scene_destroy,
                      lib.lg_scene_message)
        return scene_of(made)

    def add_shape(self, kind: str, body: str | None = None, *, name: str = '', shade: str = 'body',
                  position: ArrayLike | None = None, attitude: ArrayLike | None = None,
                  dimensions: Sequence[float] = (),
                  end: ArrayLike | None = None, end_body: str | None = None, rolls_on: int = -1, trail: int = 0,
                  colour: ArrayLike | None = None, mesh: Path | None = None, scale: ArrayLike | None = None) -> int:
        """Gives a body (None: space) a shape of your own, which replaces those that `scene` would find: 'axes',
        'sphere', 'ellipsoid', 'cylinder', 'torus', 'box', 'rod', 'plane' or 'mesh', with the dimensions of
        lg_shape_kind. colour: red, green, blue and, if you like, opacity, from 0 to 1; None: that of the shade. mesh: an
        STL, OBJ or MSH file, scale (3): factors of its coordinates. Its number.

        >>> m = liegrp.Mechanism.gallery('double-pendulum')
        >>> m.add_shape('sphere', m.bodies[0], name='bob', dimensions=[0.1])
        0
        >>> m.scene['shapes'][0]['kind']
        'sphere'
        """
        at = -1 if body is None else self.index('body', body, self.bodies)
        ending = at if end_body is None else self.index('body', end_body, self.bodies)
        return self._add('shape', {'name': name, 'kind': kind, 'shade': shade, 'body': at, 'position': position,
                                   'attitude': attitude, 'dimensions': dimensions, 'end_body': ending, 'end': end,
                                   'rolls_on': rolls_on, 'trail': trail, 'scale': scale,
                                   'mesh': None if mesh is None else str(mesh),
                                   'colour': colour})

    @property
    def row_count(self) -> int:
        """Rows of joints, wheels and gears, of a compiled mechanism.

        >>> liegrp.Mechanism.gallery('four-bar').compile().row_count
        20
        """
        return lib.lg_mechanism_row_count(self.pointer)

    @property
    def rank(self) -> int:
        """The rank of these rows.

        >>> liegrp.Mechanism.gallery('four-bar').compile().rank
        17
        """
        return lib.lg_mechanism_rank(self.pointer)

    @property
    def freedoms(self) -> int:
        """Degrees of freedom of the velocity: 6 per body minus the rank.

        >>> liegrp.Mechanism.gallery('four-bar').compile().freedoms
        1
        """
        return lib.lg_mechanism_freedoms(self.pointer)

    @property
    def redundant(self) -> list[str]:
        """Sentences on the joints, wheels and gears with redundant rows.

        >>> len(liegrp.Mechanism.gallery('four-bar').compile().redundant)
        1
        """
        return listed(lambda i: lib.lg_mechanism_redundant(self.pointer, i))

    @property
    def remarks(self) -> list[str]:
        """Elements of the file that were ignored, and how far assembly moved bodies from the given poses.

        >>> liegrp.Mechanism.gallery('four-bar').remarks
        []
        """
        return listed(lambda i: lib.lg_mechanism_remark(self.pointer, i))

    @property
    def files(self) -> list[str]:
        """Further files that read() opened: those of <include>, and meshes whose mass counts.

        >>> liegrp.Mechanism.gallery('four-bar').files
        []
        """
        return listed(lambda i: lib.lg_mechanism_file_name(self.pointer, i))

    @property
    def keys(self) -> list[str]:
        """Names of the starts that the file gives (<key> of MJCF), for Motion.start(key=...); one without a name is
        called by its number.

        >>> liegrp.Mechanism.gallery('four-bar').keys
        []
        """
        return listed(lambda i: lib.lg_mechanism_key_name(self.pointer, i))

    @property
    def sites(self) -> list[str]:
        """Names of the sites of the file.

        >>> liegrp.Mechanism.gallery('four-bar').sites
        []
        """
        return listed(lambda i: lib.lg_mechanism_site_name(self.pointer, i))

    def site(self, name: str) -> tuple[str | None, Array]:
        """The place of a site of the file: (name of its body or None for the world, pose (7) in that body's frame).

        >>> liegrp.Mechanism.gallery('four-bar').site('tip')
        Traceback (most recent call last):
        liegrp.ArgumentError: there is no site 'tip' in four-bar
        """
        return self._placed('site', name)

    def _placed(self, noun, name):
        body, pose = ffi.new('int *'), np.empty(7)
        found = getattr(lib, f'lg_mechanism_{noun}')
        status = found(self.pointer, body, ffi.from_buffer('double[]', pose), str(name).encode())
        if status != lib.LG_OK:
            raise error(status, f'there is no {noun} {name!r} in {self.name}')
        return (self.bodies[body[0]] if body[0] >= 0 else None), pose

    def link(self, name: str) -> tuple[str | None, Array]:
        """The place of a link of the file: (name of its body or None for the world, pose (7) in that body's frame).

        >>> liegrp.Mechanism.gallery('four-bar').link('rocker')[0]
        'rocker'
        """
        return self._placed('link', name)

    def __repr__(self):
        return f'<liegrp.Mechanism {self.name}: {len(self.bodies)} bodies, {len(self.joints)} joints>'

    def _repr_html_(self):
        return of_mechanism(self)


def model_of(thing: Any) -> Model:
    """The Model that is meant: itself, that of a mechanism, or of a name of the catalog or the gallery."""
    if isinstance(thing, Mechanism):
        return thing.model
    if isinstance(thing, Model):
        return thing
    if not isinstance(thing, str):
        raise ArgumentError('expected a Model, a Mechanism, or the name of one in catalog() or gallery(); got '
                            f'{type(thing).__name__}')
    if thing in catalog():
        return Model(thing)
    if thing not in gallery():
        known = [*catalog(), *gallery()]
        raise ArgumentError(f'unknown system {thing!r}; liegrp.catalog() and liegrp.gallery() list all'
                            f'{nearest(thing, known)}')
    return Mechanism.gallery(thing).model
