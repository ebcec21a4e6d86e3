# SPDX-License-Identifier: BSD-3-Clause
"""The extension module, texts, and statuses as exceptions."""
from ._liegrp import ffi, lib


def text(pointer):
    """A C string as str; None for NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode('utf-8', 'replace')


def version():
    """The version of the library, such as '0.1.0'."""
    return text(lib.lg_version())


class Error(RuntimeError):
    """What the library refused or could not do; `status` is its name in C, such as 'LG_ERROR_DOMAIN'."""

    def __init__(self, message, status='LG_ERROR_ARGUMENT'):
        super().__init__(message)
        self.status = status


class ArgumentError(Error, ValueError):
    """A value that is wrong: the message says where, and what would be right."""


# The Python exceptions of statuses; others are Error.
_EXCEPTIONS = {
    lib.LG_ERROR_ARGUMENT: ArgumentError,
    lib.LG_ERROR_DOMAIN: ArgumentError,
    lib.LG_ERROR_INCONSISTENT: ArgumentError,
    lib.LG_ERROR_UNSUPPORTED: ArgumentError,
}


def error(status, message=None):
    """The exception of a status with its message."""
    name = text(lib.lg_status_name(status))
    if status == lib.LG_ERROR_MEMORY:
        return MemoryError(message or text(lib.lg_status_text(status)))
    return _EXCEPTIONS.get(status, Error)(message or text(lib.lg_status_text(status)), name)


def check(status, message=None):
    """Raises unless the status is LG_OK. `message` is a C string or a function that gives one."""
    if status != lib.LG_OK:
        pointer = message() if callable(message) else message
        raise error(status, text(pointer) if pointer is not None else None)
