# SPDX-License-Identifier: BSD-3-Clause
"""The extension module, texts, and statuses as exceptions."""
from __future__ import annotations

import difflib
import json
import math
import operator

import numpy as np

from ._liegrp import ffi, lib


def text(pointer):
    """A C string as str; None for NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode('utf-8', 'replace')


def texts(pointers):
    """An array of C strings that ends with NULL, as a list."""
    found = []
    while pointers[len(found)] != ffi.NULL:
        found.append(text(pointers[len(found)]))
    return found


def version() -> str:
    """The version of the library.

    >>> liegrp.version() == liegrp.__version__
    True
    """
    return text(lib.lg_version())


class Error(RuntimeError):
    """An error of the library; `status` is its name in C, such as 'LG_ERROR_CONVERGENCE'.

    >>> issubclass(liegrp.ArgumentError, liegrp.Error)
    True
    """

    def __init__(self, message, status='LG_ERROR_ARGUMENT'):
        super().__init__(message)
        self.status = status


class ArgumentError(Error, ValueError):
    """A value that is wrong: the message says where, and what would be right.

    >>> liegrp.Model('rolling-bal')
    Traceback (most recent call last):
    liegrp._core.ArgumentError: unknown system 'rolling-bal'; liegrp.catalog() lists all; did you mean 'rolling-ball'?
    """


class DomainError(ArgumentError):
    """An operation is not defined for some elements, such as the logarithm of a quaternion 0.

    `result` is the whole result, NaN for these elements; `where` is a boolean array that says which they are. Both are
    None where the error does not come from an operation on arrays.

    >>> try:
    ...     liegrp.SO3.log([[0, 0, 0, 1], [0, 0, 0, 0]])
    ... except liegrp.DomainError as error:
    ...     error.where
    array([False,  True])
    """

    def __init__(self, message, status='LG_ERROR_DOMAIN', result=None, where=None):
        super().__init__(message, status)
        self.result, self.where = result, where


class ConvergenceError(Error):
    """An iteration did not converge: usually the step is too large.

    >>> issubclass(liegrp.ConvergenceError, ArithmeticError)
    False
    """


class UnsupportedError(ArgumentError):
    """The combination is not supported; the message says why, and what fits.

    >>> liegrp.Motion('rolling-ball', 'gauss:stages=77')
    Traceback (most recent call last):
        ...
    liegrp._core.ArgumentError: ...
    """

    def __init__(self, message: str, status: str = 'LG_ERROR_UNSUPPORTED') -> None:
        super().__init__(message, status)


# The Python exceptions of statuses; others are Error.
_EXCEPTIONS = {
    lib.LG_ERROR_ARGUMENT: ArgumentError,
    lib.LG_ERROR_DOMAIN: DomainError,
    lib.LG_ERROR_INCONSISTENT: ArgumentError,
    lib.LG_ERROR_UNSUPPORTED: UnsupportedError,
    lib.LG_ERROR_CONVERGENCE: ConvergenceError,
}


def error(status, message=None):
    """The exception of a status with its message."""
    name = text(lib.lg_status_name(status))
    message = message or text(lib.lg_status_text(status))
    if status == lib.LG_ERROR_MEMORY:
        return MemoryError(message)
    if status == lib.LG_ERROR_IO:
        return OSError(message)
    return _EXCEPTIONS.get(status, Error)(message, name)


def check(status, message=None) -> None:
    """Raises unless the status is LG_OK. `message` is a C string or a function that gives one."""
    if status != lib.LG_OK:
        pointer = message() if callable(message) else message
        raise error(status, text(pointer) if pointer is not None else None)


def scene_of(scene):
    """A scene of C as a dictionary."""
    slot = ffi.new('const char **')
    scene = ffi.cast('lg_scene *', scene)
    check(lib.lg_scene_json(scene, slot), lambda: lib.lg_scene_message(scene))
    return json.loads(text(slot[0]))


def create(kind, make, destroy, message=None):
    """A C object that Python owns: make(slot) fills the slot, message(object) is the reason of a failure."""
    slot = ffi.new(kind + ' **')
    status = make(slot)
    if status != lib.LG_OK:
        said = text(message(slot[0])) if message is not None and slot[0] != ffi.NULL else None
        destroy(slot[0])
        raise error(status, said)
    return ffi.gc(slot[0], destroy)


def default(kind, init, *arguments):
    """A struct that says its size, with the library's defaults."""
    options = ffi.new(kind + ' *')
    init(options, ffi.sizeof(kind), *arguments)
    return options


class Pinned:
    """Base of objects that wrap an object of C, which Python can neither copy nor send to another process."""

    __slots__ = ()

    def __reduce_ex__(self, protocol):
        kind = type(self).__name__
        how = 'its copy() does that' if hasattr(self, 'copy') else f'make another {kind}'
        raise TypeError(f'{kind} stands for an object in C, which cannot be copied or pickled so: {how}')


class Ended:
    """A class attribute for an attribute that objects lose: __getattr__() would slow down all other attributes."""

    def __init__(self, advice):
        self._advice = advice

    def __get__(self, thing, owner):
        if thing is None:
            return self
        raise ArgumentError(f'this state was that of a function that has returned; {self._advice}')


class Constant:
    """Base of objects that never change: they are their own copies."""

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def flag(value, name):
    """A truth value; anything else, such as the text 'no', is refused."""
    if not isinstance(value, (bool, np.bool_)) and not (isinstance(value, (int, np.integer)) and value in (0, 1)):
        raise ArgumentError(f'{name} must be True or False, got {value!r}')
    return bool(value)


def step_of(value, default):
    """The step h of an argument: a finite number but 0, or the default for None."""
    h = default if value is None else real(value, 'step')
    if h == 0:
        raise ArgumentError('step must not be 0; None takes the step that suits the model')
    return h


def check_counts(steps, every=1):
    """Refuses counts out of range and values that are not whole numbers."""
    if isinstance(steps, (bool, np.bool_)) or isinstance(every, (bool, np.bool_)):
        raise ArgumentError(f'steps and every must be whole numbers, got {steps} and {every}')
    if operator.index(steps) < 0 or operator.index(every) < 1:
        raise ArgumentError(f'steps must be at least 0 and every at least 1, got {steps} and {every}')


def real(value, name):
    """A finite number as float: no truth value, text, complex number or array."""
    if isinstance(value, (str, bytes, bool, np.bool_)):
        raise ArgumentError(f'{name} must be a number, got {value!r}')
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ArgumentError(f'{name} must be a number, got {value!r}') from None
    if not math.isfinite(number):
        raise ArgumentError(f'{name} must be finite, got {number}')
    return number


def one_of(name, choices, what):
    """The value of a name in a dictionary, or an error that lists the names."""
    if not isinstance(name, str) or name not in choices:
        raise ArgumentError(f'unknown {what} {name!r}; expected one of {", ".join(map(repr, choices))}'
                            f'{nearest(name, choices)}')
    return choices[name]


def nearest(name, names):
    """The name that may have been meant, as the end of a message; '' if none is near."""
    near = difflib.get_close_matches(str(name), [*names], 1)
    return f'; did you mean {near[0]!r}?' if near else ''


def check_names(given, known, what, whose):
    """Refuses unknown names, before any value is used."""
    for name in given:
        if not isinstance(name, str) or name not in known:
            raise ArgumentError(f'unknown {what} {name!r} of {whose}; it has {", ".join(known) or "none"}'
                                f'{nearest(name, known)}')


def merged(values, more):
    """Values by name from a dictionary and from keywords, each of them once."""
    values = dict(values or {})
    for name in more:
        if name in values:
            raise ArgumentError(f'{name!r} is given twice: in a dictionary and by keyword')
    return {**values, **more}
