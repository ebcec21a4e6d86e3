# SPDX-License-Identifier: BSD-3-Clause
"""Python functions that the library calls: arguments as arrays, results into C, exceptions kept for later.

The context of a system is a block of numbers. The handle of its Owner lies before it, for lgp_owner(). When a function
raises, the owner keeps the exception, the callback returns 1, and the caller of the library raises it again.
"""
from __future__ import annotations

import ctypes
from collections.abc import Mapping

import numpy as np

from ._core import ArgumentError, Pinned, check, ffi, lib, nearest, one_of
from ._descriptions import described
from ._map import reals
from ._types import Array, Function

# Fields of lg_callbacks: inputs (g element, v vector, u controls, h number), and shapes of outputs (n dim, m velocity constraints,
# s holonomic constraints, b bodies of the scene with p numbers each).
FIELDS = {
    'metric': ('g', ('nn',)),
    'metric_gradient': ('gv', ('n',)),
    'potential': ('g', ('',)),
    'potential_gradient': ('g', ('n',)),
    'potential_hessian': ('gv', ('n',)),
    'force': ('gv', ('n',)),
    'force_derivative': ('gvvvu', ('n',)),
    'covectors': ('g', ('mn', 'n')),
    'drift': ('g', ('n',)),
    'covectors_derivative': ('gv', ('mn', 'n')),
    'covectors_rate': ('g', ('mn', 'n')),
    'holonomic': ('g', ('s',)),
    'holonomic_differential': ('g', ('sn',)),
    'holonomic_rate': ('g', ('s',)),
    'holonomic_acceleration': ('gv', ('s',)),
    'discrete_constraint': ('hgg', ('m',)),
    'discrete_slope_1': ('hgg', ('n',)),
    'discrete_slope_2': ('hgg', ('n',)),
    'holonomic_mean': ('hgg', ('sn',)),
    'potential_mean': ('hgg', ('n',)),
    'force_mean': ('hgg', ('n',)),
    'poses': ('g', ('bp',)),
}
# Arguments of functions that are no fields: invariants f(c, g, p).
OTHERS = {'invariant': ('gv', ('',))}


class _Over:
    """Replaces the data of a Call once its function has returned."""

    def __getattr__(self, name):
        raise ArgumentError('the c of a function is invalid once the function has returned; keep the values that you '
                            'need, such as c.t')


OVER = _Over()


class Call(Pinned):
    """Time, parameters and controls, the first argument of every callback. It is valid until the callback returns;
    arrays read from it are copies.

    >>> def potential(c, g):
    ...     return 0.5 * c['k'] * g[0]**2
    >>> liegrp.System(liegrp.Rn(1), [1.0], parameters={'k': 2.0}, potential=potential).energy([1], [0])
    1.0
    """

    __slots__ = ('_c', '_owner')

    def __init__(self, c, owner):
        self._c, self._owner = c, owner

    @property
    def t(self) -> float:
        """The time.

        >>> liegrp.System(liegrp.Rn(1), [1.0], potential=lambda c, g: c.t, time_dependent=True).energy([0], [0], t=3)
        3.0
        """
        return self._c.t

    @property
    def parameters(self) -> Array:
        """The values of the parameters, in their order: an array.

        >>> V = lambda c, g: c.parameters.sum()
        >>> liegrp.System(liegrp.Rn(1), [1.0], parameters={'a': 1, 'b': 2}, potential=V).energy([0], [0])
        3.0
        """
        return taken(self._c.param, len(self._owner.parameters))

    def __getitem__(self, name):
        return self._c.param[self._owner.parameters[name]]

    @property
    def u(self) -> Array:
        """The controls, (control_count,).

        >>> f = lambda c, g, xi: c.u
        >>> motion = liegrp.Motion(liegrp.System(liegrp.Rn(1), [1.0], force=f, controls=['u']), step=0.5)
        >>> motion.set_control([2.0]).step().p
        array([1.])
        """
        if self._c.control == ffi.NULL:
            return np.zeros(self._owner.control_count)
        return taken(self._c.control, self._owner.control_count)


def view(pointer, size) -> Array:
    """`size` numbers of C as an array, for this package alone: they may be written, and vanish with what owns them."""
    if size == 0:
        return np.empty(0)
    return np.frombuffer(ffi.buffer(pointer, 8 * size), dtype=np.float64)


def taken(pointer, size) -> Array:
    """`size` numbers of C as an array of their own that cannot be written: bytes are copied faster than an array."""
    if size == 0:
        return np.empty(0)
    return np.frombuffer(ffi.buffer(pointer, 8 * size)[:])  # of float64


class Owner:
    """The functions of a system, the sizes of their arguments, and the exception of one that failed."""

    def __init__(self, sizes, parameters, control_count=0, context=()):
        self.sizes, self.control_count, self.failure = {**sizes, 'b': 0, 'p': lib.LG_POSE_SIZE}, control_count, None
        self.parameters = {name: i for i, name in enumerate(parameters)}
        self.functions = {}
        self.block = np.zeros(1 + len(context))
        self.block[1:] = context
        self.handle = ffi.new_handle(self)
        self.block[:1].view(np.uint64)[0] = int(ffi.cast('uintptr_t', self.handle))
        self.context = ffi.cast('char *', ffi.from_buffer(self.block)) + 8

    def add(self, name, function, kind=None):
        """A function in Python as name(c, pointers...)."""
        inputs, outputs = kind or FIELDS[name]
        lengths = {'g': self.sizes['g'], 'v': self.sizes['n'], 'u': self.control_count, 'h': None}
        sizes, count = [lengths[i] for i in inputs], len(inputs)
        fixed = None if 'bp' in outputs else self.shapes(outputs)

        def call(c, pointers):
            shapes = fixed or self.shapes(outputs)
            given = [at if size is None else taken(at, size) for at, size in zip(pointers, sizes)]
            seen = Call(c, self)
            try:
                found = function(seen, *given)
            finally:
                seen._c = OVER
            if found is None:
                raise ArgumentError(f'{name} returned None; it must return {wanted(shapes[0])}')
            if len(shapes) == 1:
                found = (found,)
            elif not isinstance(found, tuple):
                found = (found, None)
            for at, value, shape in zip(pointers[count:], found, shapes):
                if value is not None:
                    put(at, value, shape, name)
        self.functions[name] = call

    def add_look(self, look):
        """A function in Python as the look: what it returns is added to the scene."""
        def call(c, pointers):
            seen = Call(c, self)
            try:
                found = look(seen)
            finally:
                seen._c = OVER
            if not isinstance(found, Mapping) or set(found) != {'bodies', 'shapes'}:
                raise ArgumentError(f"look must return a dictionary {{'bodies': names, 'shapes': dictionaries}}, got {found!r}")
            scene, bodies = pointers[0], list(found['bodies'])
            for name in bodies:
                check(lib.lg_scene_add_body(scene, ffi.NULL, str(name).encode()), lambda: lib.lg_scene_message(scene))
            for shape in found['shapes']:
                add_shape(scene, dict(shape), bodies)
            self.sizes['b'] = len(bodies)
        self.functions['look'] = call

    def shapes(self, outputs):
        """The shapes of outputs that are given as letters."""
        return [tuple(self.sizes[letter] for letter in letters) for letters in outputs]

    def raise_failure(self):
        """Raises the exception that a function raised."""
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure


def wanted(shape):
    """Description of the value that a function must return, for messages."""
    return f'an array of shape {shape}' if shape else 'a number'


def put(pointer, value, shape, name):
    """Writes what a function returned."""
    if type(value) is float and shape == ():
        pointer[0] = value
        return
    array = reals(value, name)
    if shape == () and array.size == 1:
        pointer[0] = array.item()
        return
    if array.shape != shape:
        raise ArgumentError(f'{name} must return {wanted(shape)}, got {array.shape}')
    ffi.memmove(pointer, array, array.nbytes)


def add_shape(scene, values, bodies):
    """A shape as a dictionary: the fields of lg_shape, bodies by number or name, None or -1 for space."""
    known = [name for name, _ in ffi.typeof('lg_shape').fields if name != 'size']
    for name in values:
        if name not in known:
            raise ArgumentError(f'a shape has no {name!r}; it has {", ".join(known)}{nearest(name, known)}')
    if 'kind' not in values:
        raise ArgumentError(f'a shape needs a kind: {values!r}')
    for name in ('body', 'end_body'):
        body = values.get(name, values.get('body'))
        if isinstance(body, str) and body not in bodies:
            raise ArgumentError(f'{name} of a shape: there is no body {body!r}; there are {bodies}')
        values[name] = -1 if body is None else bodies.index(body) if isinstance(body, str) else body
    shape, _kept = described('shape', values)
    check(lib.lg_scene_add(scene, ffi.NULL, shape), lambda: lib.lg_scene_message(scene))


def owner_of(c):
    """The owner whose context the call has."""
    return ffi.from_handle(lib.lgp_owner(c))


def failed(kind, failure, traceback):
    """Keeps the exception that left a callback, also one that came before its first line (Ctrl-C)."""
    if traceback is not None:
        owner_of(traceback.tb_frame.f_locals['c']).failure = failure.with_traceback(traceback)
    return 1


def define(name):
    """Makes _lgp_NAME call the function `name` of the owner."""
    @ffi.def_extern(name='_lgp_' + name, onerror=failed, error=1)
    def callback(c, *pointers):
        owner_of(c).functions[name](c, pointers)
        return 0


for _name in (*FIELDS, 'look', 'configure', 'initial'):
    define(_name)


def compiled_function(function, kind, name):
    """The function pointer of the type `kind` of a function that has this type, a cfunc of numba or a function pointer
    of ctypes or cffi; None for a function in Python. Whoever stores the pointer keeps the function."""
    found = address_of(function)
    if found is None:
        if callable(function) and not hasattr(function, 'address') and not isinstance(function, ffi.CData):
            return None
        raise ArgumentError(f'{name} must be a function in Python, a cfunc of numba, or a function pointer of ctypes '
                            f'or cffi, got {function!r}: an address alone has no type')
    address, result, given = found
    member = ffi.typeof(kind) if isinstance(kind, str) else kind
    wanted = sort_of(member.result.cname), [sort_of(each.cname) for each in member.args]
    if address == 0 or (result, given) != wanted:
        raise ArgumentError(f'{name} must be a C function {wanted[0]}({", ".join(wanted[1])}), got '
                            + (f'{result}({", ".join(given)})' if address else 'NULL'))
    return ffi.cast(kind, address)


def sort_of(name):
    """'pointer', or the name of another type in C, in cffi or in numba."""
    return 'pointer' if '*' in name else {'float64': 'double', 'int32': 'int', 'none': 'void'}.get(name, name)


def sort_of_ctypes(kind):
    """'pointer', or the name in C of a type of ctypes."""
    if kind is None:
        return 'void'
    if issubclass(kind, (ctypes._Pointer, ctypes.c_void_p, ctypes.c_char_p, ctypes.Array)):
        return 'pointer'
    return {ctypes.c_double: 'double', ctypes.c_int: 'int'}.get(kind, kind.__name__)


def address_of(function):
    """(address, result, arguments) of a compiled function that has a type; None of anything else."""
    if isinstance(function, ffi.CData):
        member = ffi.typeof(function)
        if member.kind == 'function':
            return (int(ffi.cast('uintptr_t', function)), sort_of(member.result.cname),
                    [sort_of(each.cname) for each in member.args])
    elif isinstance(function, ctypes._CFuncPtr):
        if function.argtypes is None:
            raise ArgumentError(f'{function!r} has no type: set its argtypes and restype')
        return (ctypes.cast(function, ctypes.c_void_p).value or 0, sort_of_ctypes(function.restype),
                [sort_of_ctypes(each) for each in function.argtypes])
    elif hasattr(function, 'address') and hasattr(function, '_sig'):  # numba
        return (function.address, sort_of(str(function._sig.return_type)),
                [sort_of(str(each)) for each in function._sig.args])
    return None


def compiled(name: str) -> Function:
    """Decorator: a function of this signature compiled by numba, which the library calls without Python.

    `name` is that of a function of System, or 'invariant'. The function gets pointers, writes its outputs and
    returns 0, as in C: (c, g, out), (c, g, xi, out), (c, h, g0, g1, out); `covectors` has two outputs, rows and drift.
    c[0][i] is number i of System(context=...), c[1][i] parameter i, c[4][i] control i, c[5][0] the time.

    >>> @liegrp.compiled('potential')
    ... def V(c, g, out):
    ...     out[0] = 0.5 * c[1][0] * g[0]**2
    ...     return 0
    >>> liegrp.System(liegrp.Rn(1), [1.0], parameters={'k': 2.0}, potential=V).energy([1], [0])
    1.0
    """
    known = {**FIELDS, **OTHERS}
    inputs, outputs = one_of(name, known, 'function')
    from numba import cfunc, types
    numbers = types.CPointer(types.float64)
    given = [types.float64 if i == 'h' else numbers for i in inputs]
    return cfunc(types.int32(types.CPointer(numbers), *given, *[numbers] * len(outputs)))
