# SPDX-License-Identifier: BSD-3-Clause
"""Models: systems with named parameters and initial data, from the catalog or from shared objects."""
from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._algebra import seed_of
from ._core import (ArgumentError, Pinned, check, check_names, create, ffi, lib, merged, nearest, real, scene_of, text,
                    texts)
from ._map import items, one, pointer
from ._notebook import of_mechanism, of_model
from ._types import Array, ArrayLike, Path, RandomSource
from .rotations import of_pointer

if TYPE_CHECKING:
    from .groups import Group

_NOTHING: Mapping[str, float] = MappingProxyType({})


class Parameter(NamedTuple):
    """A parameter: default value, unit, meaning, the range of values; `open`: without its ends.

    >>> liegrp.Parameter(9.81, 'm/s^2', 'gravity').low
    -inf
    """

    value: float
    unit: str = ''
    meaning: str = ''
    low: float = -np.inf
    high: float = np.inf
    open: bool = False


def catalog() -> list[str]:
    """The names of the systems of the literature.

    >>> 'rolling-ball' in liegrp.catalog()
    True
    """
    return texts(lib.lg_catalog_names())


class Model(Pinned):
    """A system with named parameters and initial data.

    Model(name) takes one of catalog(); parameters are set by keyword or as a dictionary, initial values by column.
    `name`, `summary`, `source`, `remark`, `group`, `dim`, `default_step` say what it is.

    >>> ball = liegrp.Model('rolling-ball', Omega=0.9, initial={'x': 1.5})
    >>> ball['Omega']
    0.9
    """

    _owner = None  # of functions in Python, see System
    _given = frozenset()  # 'configuration', 'velocity': initial data of a description, which a start must not move
    mechanism = None  # the Mechanism that it is the model of

    def __init__(self, name: str, parameters: Mapping[str, float] | None = None,
                 initial: Mapping[str, float] | None = None, **values: float) -> None:
        if name not in catalog():
            mechanism = isinstance(name, str) and lib.lg_gallery_index(name.encode()) >= 0
            raise ArgumentError(f'{name!r} is a mechanism; take liegrp.Mechanism.gallery({name!r})' if mechanism else
                                f'unknown system {name!r}; liegrp.catalog() lists all{nearest(name, catalog())}')
        self._take(lambda slot: lib.lg_catalog_create(slot, name.encode()))
        self.set(merged(parameters, values))
        self.set_initial(initial or {})

    def _take(self, make, keep=()):
        """Takes the C model that make(slot) creates."""
        self._keep = keep
        try:
            # Its sources outlive it, in any order of garbage collection.
            self._pointer = create('lg_model', make, lambda M, keep=keep: lib.lg_model_destroy(M), lib.lg_model_message)
        except Exception:
            self._raise_failure()
            raise
        about = self._definition = lib.lg_model_describe(self._pointer)
        self.name, self.default_step = text(lib.lg_model_name(self._pointer)), lib.lg_model_default_step(self._pointer)
        self.control_count = lib.lg_model_control_count(self._pointer)
        self._columns = [lib.lg_model_column(self._pointer, i) for i in range(lib.lg_model_column_count(self._pointer))]
        if about == ffi.NULL:  # of a mechanism
            m, self.source, self.remark = self.mechanism.pointer, '', None
            self.summary = (f'a mechanism of {lib.lg_mechanism_body_count(m)} bodies and '
                            f'{lib.lg_mechanism_joint_count(m)} joints')
            return
        self.summary, self.source, self.remark = text(about.summary), text(about.source), text(about.remark)
        self.group  # the parameters may be refused

    @classmethod
    def _of(cls, mechanism):
        """The model of a compiled mechanism, which it keeps alive."""
        model, of = cls.__new__(cls), mechanism.pointer
        model.mechanism = mechanism
        if mechanism._drives.functions:
            model._owner = mechanism._drives
        model._take(lambda slot: lib.lg_model_of_mechanism(slot, of, mechanism.name.encode()), of)
        return model

    @functools.cached_property
    def _parameter_names(self):
        about = self._definition
        if about == ffi.NULL:
            return list(self.mechanism.parameters)
        return [text(about.parameters[i].name) for i in range(about.parameter_count)]

    @functools.cached_property
    def group(self) -> Group:
        """The group of the configuration.

        >>> liegrp.Model('suslov').group
        <group SO(3)>
        """
        return of_pointer(self._system().group, self._pointer)

    @functools.cached_property
    def _sizes(self):
        """Numbers of g, xi and p."""
        return self.group.element_size, self.dim, self.dim

    @functools.cached_property
    def dim(self) -> int:
        """n, the dimension of the group.

        >>> liegrp.Model('suslov').dim
        3
        """
        return self.group.dim

    @functools.cached_property
    def constraint_count(self) -> int:
        """Number of velocity constraints.

        >>> liegrp.Model('suslov').constraint_count
        1
        """
        return self._system().constraint_count

    @functools.cached_property
    def holonomic_count(self) -> int:
        """Number of holonomic constraints.

        >>> liegrp.Model('suslov').holonomic_count
        0
        """
        return self._system().callbacks.holonomic_count

    def _has_failed(self):
        """Whether the exception of a Python callback waits to be raised."""
        return self._owner is not None and self._owner.failure is not None

    def _raise_failure(self):
        """Raises the exception that a callback in Python raised."""
        if self._owner is not None:
            self._owner.raise_failure()

    def _check(self, status, message=None):
        """A callback's exception as it was, else the exception of the status."""
        if status == lib.LG_OK:
            return
        self._raise_failure()
        check(status, message or (lambda: lib.lg_model_message(self._pointer)))

    def _system(self):
        """The C system for the present parameters; valid until the next set()."""
        slot = ffi.new('const lg_system **')
        self._check(lib.lg_model_system(self._pointer, slot))
        return slot[0]

    def set(self, parameters: Mapping[str, float] = _NOTHING, **values: float) -> None:
        """Sets parameters, from a dictionary or by keyword.

        >>> liegrp.Model('rolling-ball').set(Omega=-1.0)
        """
        given = merged(parameters, values)
        check_names(given, self._parameter_names, 'parameter', self.name)
        for name, value in given.items():
            self._check(lib.lg_model_set(self._pointer, name.encode(), real(value, name)))

    def __getitem__(self, name):
        value = ffi.new('double *')
        if lib.lg_model_get(self._pointer, value, str(name).encode()) != lib.LG_OK:
            raise KeyError(f'{self.name} has no parameter {name!r}; it has {", ".join(self.parameters) or "none"}'
                           f'{nearest(name, self.parameters)}')
        return value[0]

    def __setitem__(self, name, value):
        self.set({name: value})

    @property
    def parameters(self) -> dict[str, float]:
        """The present values of the parameters, a dictionary.

        >>> sorted(liegrp.Model('suslov').parameters)[:1]
        ['I11']
        """
        return {name: self[name] for name in self._parameter_names}

    @property
    def parameter_info(self) -> dict[str, Parameter]:
        """Default, unit, meaning and range of each parameter: a dictionary of Parameter.

        >>> liegrp.Model('rolling-ball').parameter_info['Omega'].unit
        'rad/s'
        """
        found = {}
        if self.mechanism is not None:
            values = self.mechanism.parameters
            return {name: Parameter(values[name], values.unit(name)) for name in values}
        for i in range(len(self._parameter_names)):
            p = self._definition.parameters[i]
            found[text(p.name)] = Parameter(p.value, text(p.unit) or '', text(p.meaning) or '', p.low, p.high,
                                            bool(p.open))
        return found

    def set_initial(self, values: Mapping[str, float] = _NOTHING, **more: float) -> None:
        """Sets initial values by column: configuration columns and xi_1 ... xi_n.

        >>> liegrp.Model('rolling-ball').set_initial(x=1.5, xi_1=0.1)
        """
        given = merged(values, more)
        if not given:
            return
        check_names(given, self._initial_names(), 'initial value', self.name)
        for column, value in given.items():
            self._check(lib.lg_model_set_initial(self._pointer, column.encode(), real(value, column)))

    def _initial_names(self):
        """The names of initial values: columns of the configuration, velocities and activations."""
        return [*self.configuration_columns, *self._named(lib.LG_COLUMN_VELOCITY),
                *self._named(lib.LG_COLUMN_ACTIVATION)]

    def _named(self, kind):
        """The names of the columns of this kind."""
        return [text(column.name) for column in self._columns if column.kind == kind]

    def initial(self) -> tuple[Array, Array]:
        """(g0, xi0): the initial element (k,) and body velocity (n,), the defaults as changed by set_initial().

        >>> [part.shape for part in liegrp.Model('rolling-ball').initial()]
        [(6,), (5,)]
        """
        g, xi = np.empty(self.group.element_size), np.empty(self.dim)
        self._check(lib.lg_model_initial(self._pointer, pointer(g), pointer(xi), ffi.NULL))
        return g, xi

    @property
    def columns(self) -> list[str]:
        """The names of the columns of a run, in order.

        >>> liegrp.Model('rolling-ball').columns[:4]
        ['step', 't', 'x', 'y']
        """
        return [text(column.name) for column in self._columns]

    @property
    def units(self) -> dict[str, str]:
        """The units of the columns: '-' for pure numbers, '' if unknown.

        >>> liegrp.Model('two-wheeled-robot').units['phi_left']
        'rad'
        """
        said = self._said('unit')
        return {text(column.name): text(column.unit) or said.get(text(column.name), '') for column in self._columns}

    def _said(self, what):
        """Units or meanings of columns by the definition, and the units of time and energies."""
        found = {}
        if self._definition == ffi.NULL:
            return found
        if what == 'unit':
            found['t'] = 's'
            if any(p.unit for p in self.parameter_info.values()):
                found.update(energy='J', energy_post='J')
        column = self._definition.callbacks.columns
        while column and column.name:
            found[text(column.name)] = text(getattr(column, what)) or ''
            column += 1
        return found

    @property
    def meanings(self) -> dict[str, str]:
        """The meanings of the columns.

        >>> liegrp.Mechanism.gallery('four-bar').model.meanings['gap']
        'how far joints, wheels and gears are open, largest |phi|'
        """
        said = self._said('meaning')
        return {text(column.name): text(column.meaning) or said.get(text(column.name), '') for column in self._columns}

    @property
    def dtype(self) -> np.dtype:
        """Of rows: `step` as int64, all others as float64.

        >>> liegrp.Model('suslov').dtype['step']
        dtype('int64')
        """
        return np.dtype([(name, '<f8' if i else '<i8') for i, name in enumerate(self.columns)])

    @property
    def configuration_columns(self) -> list[str]:
        """The names of the columns of the configuration, which have initial values.

        >>> liegrp.Model('rolling-ball').configuration_columns
        ['x', 'y', 'qx', 'qy', 'qz', 'qw']
        """
        return self._named(lib.LG_COLUMN_CONFIGURATION)

    @property
    def controls(self) -> list[str]:
        """The names of the controls.

        >>> liegrp.Model('rolling-ball').controls
        []
        """
        if self.mechanism is not None:
            return self.mechanism.motors + self.mechanism.thrusters
        named = self._definition.callbacks.controls
        return [text(named[i].name) if named != ffi.NULL else f'u_{i + 1}' for i in range(self.control_count)]

    @property
    def invariants(self) -> dict[str, str]:
        """The quantities that the motion conserves: a dictionary of names and meanings.

        >>> len(liegrp.Model('rolling-ball').invariants) > 0
        True
        """
        about = self._definition
        return {text(about.invariants[i].name): text(about.invariants[i].meaning)
                for i in range(0 if about == ffi.NULL else about.invariant_count)}

    @property
    def scene(self) -> dict[str, Any]:
        """Bodies and shapes to draw with the present parameters: 'bodies', a list of names, and 'shapes',
        dictionaries with the fields of lg_shape. poses() computes the poses of the bodies.

        >>> [shape['kind'] for shape in liegrp.Model('chaplygin-top').scene['shapes'][:2]]
        ['plane', 'sphere']
        """
        slot = ffi.new('const lg_scene **')
        self._check(lib.lg_model_scene(self._pointer, slot))
        return scene_of(slot[0])

    def poses(self, g: ArrayLike, t: ArrayLike = 0.0) -> Array:
        """Poses of the bodies of `scene` at time t in the configuration g: (bodies, 7), position and quaternion
        x, y, z, w. g may be an array of elements (..., k) and t one of times; the result is (..., bodies, 7).

        >>> liegrp.Model('two-wheeled-robot').poses([0.5, 0, 1, 0, 0, 0])[:, :3].tolist()
        [[0.5, 0.0, 0.0], [0.5, 0.2, 0.1], [0.5, -0.2, 0.1]]
        """
        slot = ffi.new('const lg_scene **')
        self._check(lib.lg_model_scene(self._pointer, slot))
        g, t = items(g, self.group._g, 'g'), np.asarray(t, dtype=np.float64)
        shape = np.broadcast_shapes(g.shape[:-1], t.shape)
        g, t = np.broadcast_to(g, (*shape, g.shape[-1])), np.broadcast_to(t, shape)
        out = np.empty((*shape, lib.lg_scene_body_count(slot[0]), lib.LG_POSE_SIZE))
        for i in np.ndindex(shape):
            element, poses = np.ascontiguousarray(g[i]), np.empty(out.shape[-2:])
            self._check(lib.lg_model_poses(self._pointer, pointer(poses), t[i], pointer(element)))
            out[i] = poses
        return out

    def energy(self, g: ArrayLike, p: ArrayLike, t: float = 0.0) -> float:
        """H(g, p) = p.J(g)^-1 p / 2 + V(g) at time t, of one element (k,) and momentum (n,).

        >>> ball = liegrp.Model('rolling-ball')
        >>> ball.energy(ball.initial()[0], numpy.zeros(5))
        0.0
        """
        g, p = one(g, self.group._g, 'g'), one(p, self.group._xi, 'p')
        H, why = ffi.new('double *'), ffi.new('lg_error *')
        self._check(lib.lg_system_energy(self._system(), H, t, pointer(g), pointer(p), why), lambda: why.message)
        return H[0]

    def projectors(self, g: ArrayLike, t: float = 0.0) -> tuple[Array, Array, Array]:
        """(P*, Q*, Pi) on covectors at g: n x n matrices, P* + Q* = 1, and the momentum J Y of the drift, n numbers.

        >>> P, Q, Pi = liegrp.Model('suslov').projectors([0, 0, 0, 1])
        >>> bool(numpy.allclose(P @ P, P))
        True
        """
        g, n, why = one(g, self.group._g, 'g'), self.dim, ffi.new('lg_error *')
        P, Q, Pi = np.empty((n, n)), np.empty((n, n)), np.empty(n)
        self._check(lib.lg_system_projectors(self._system(), pointer(P), pointer(Q), pointer(Pi), t, pointer(g), why),
                    lambda: why.message)
        return P, Q, Pi

    def check(self, g: ArrayLike | None = None, points: int = 20, tolerance: float = 0.0,
              rng: RandomSource = 1) -> None:
        """Compares all given derivatives with differences, at random elements near g (by default the initial one), and
        finds inconsistencies. An Error names the callback, the entry and both values.

        >>> liegrp.Model('rolling-ball').check()
        """
        g = self.initial()[0] if g is None else one(g, self.group._g, 'g')
        state, why = ffi.new('lg_rng *', {'state': seed_of(rng)}), ffi.new('lg_error *')
        self._check(lib.lg_system_check(self._system(), state, pointer(g), points, tolerance, why),
                    lambda: why.message)

    def info(self) -> str:
        """Description of the model as text: summary, source, parameters, columns.

        >>> print(liegrp.Model('rolling-ball').info().splitlines()[0].split(':')[0])
        rolling-ball
        """
        lines = [f'{self.name}: {self.summary or ""}']
        lines += [f'  {label}: {value}' for label, value in (('source', self.source), ('remark', self.remark)) if value]
        lines.append(f'  group: {self.group.name}, {self.constraint_count} velocity constraints, '
                     f'{self.holonomic_count} holonomic constraints')
        for name, p in self.parameter_info.items():
            lines.append(f'  parameter {name} = {self[name]:g} {p.unit}: {p.meaning}')
        lines += [f'  control {name}' for name in self.controls]
        lines += [f'  invariant {name}: {meaning}' for name, meaning in self.invariants.items()]
        lines.append(f'  columns: {", ".join(self.columns)}')
        return '\n'.join(lines)

    def __repr__(self):
        return f'<model {self.name}' + ('>' if self.mechanism is not None else f' on {self.group.name}>')

    def _repr_html_(self):
        return of_mechanism(self.mechanism) if self.mechanism is not None else of_model(self)


def load(path: Path, parameters: Mapping[str, float] | None = None, initial: Mapping[str, float] | None = None,
         **values: float) -> Model:
    """The Model of a shared object that defines `const lg_model_definition *liegrp_system(void)`. It need not be linked
    with libliegrp: this process provides its functions.

    >>> liegrp.load('./no-such-file.so')
    Traceback (most recent call last):
    OSError: ...
    """
    path = os.path.abspath(os.fspath(path))
    if lib.lgp_make_global() != 0:
        raise OSError('the functions of libliegrp cannot be made visible for shared objects')
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would wait for its writer
        raise OSError(f'{path}: it is no regular file')
    library = ctypes.CDLL(path)
    try:
        function = library.liegrp_system
    except AttributeError:
        raise ArgumentError(f'{path} does not define liegrp_system; define and export '
                            'const lg_model_definition *liegrp_system(void)') from None
    if not lib.lgp_is_function(ffi.cast('void *', ctypes.cast(function, ctypes.c_void_p).value)):
        raise ArgumentError(f'{path} defines liegrp_system as a variable; it must be the function '
                            'const lg_model_definition *liegrp_system(void)')
    function.restype, function.argtypes = ctypes.c_void_p, ()
    definition = ffi.cast('const lg_model_definition *', function() or 0)
    if definition == ffi.NULL:
        raise ArgumentError(f'{path}: liegrp_system() returned NULL; it must return the definition of your system')
    model = Model.__new__(Model)
    model._take(lambda slot: lib.lg_model_create(slot, definition), library)
    model.set(merged(parameters, values))
    model.set_initial(initial or {})
    return model
