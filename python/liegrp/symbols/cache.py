# SPDX-License-Identifier: BSD-3-Clause
"""The cache of compiled shared objects.

Its files are loaded and run, so only the user may be able to write there, and each file ends with a checksum.
"""
import hashlib
import os
import pathlib
import stat

from .._core import Error

SEAL = b'\nliegrp-sha256 '  # after the end of a shared object, where no loader looks
ADVICE = 'Set XDG_CACHE_HOME to a folder that is yours alone, or give out=FILE.so'
OVERFLOW = 65534  # in a container, the owner of files of outside users


def _base():
    """$XDG_CACHE_HOME, or ~/.cache. A relative path would be another folder in each working directory; the standard
    ignores it."""
    named = os.environ.get('XDG_CACHE_HOME') or ''
    if os.path.isabs(named):
        return pathlib.Path(named)
    try:
        return pathlib.Path.home() / '.cache'
    except RuntimeError as error:
        raise Error(f'compiled systems cannot be kept: {error}. {ADVICE}', 'LG_ERROR_IO') from None


def folder():
    """The folder of shared objects; it is created if missing, for the user alone."""
    place = _base() / 'liegrp'
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        place.mkdir(exist_ok=True, mode=0o700)
        place = place.resolve(strict=True)
        found, above = place.stat(), [(path, path.stat()) for path in place.parents]
    except FileExistsError as error:
        raise Error(f'compiled systems cannot be kept: {error.filename} is no folder. {ADVICE}',
                    'LG_ERROR_IO') from None
    except OSError as error:
        raise Error(f'compiled systems cannot be kept: {error.filename}: {error.strerror}. {ADVICE}',
                    'LG_ERROR_IO') from None
    _check(place, found)
    for path, about in above:
        _check_above(path, about)
    if not os.access(place, os.W_OK | os.X_OK):
        raise Error(f'compiled systems cannot be kept: {place} cannot be written. {ADVICE}', 'LG_ERROR_IO')
    return place


def _refuse(path, why):
    raise Error(f'compiled systems are not taken from {path}: {why}. {ADVICE}', 'LG_ERROR_IO')


def _check(path, found):
    """Refuses a path that belongs to another user or that others can write."""
    if found.st_uid != os.geteuid():
        _refuse(path, f'it belongs to the user {found.st_uid}, and this process runs as {os.geteuid()}')
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        _refuse(path, f'others can write it (mode {stat.S_IMODE(found.st_mode):o}); chmod go-w helps')


def _check_above(path, found):
    """Refuses a folder above that anyone but the user and root can rename, and so replace. In a sticky folder, such as
    /tmp, users rename only their own."""
    if found.st_uid not in (0, os.geteuid(), OVERFLOW):
        _refuse(path, f'it belongs to the user {found.st_uid}, and this process runs as {os.geteuid()}')
    if found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX:
        _refuse(path, f'everybody can write it (mode {stat.S_IMODE(found.st_mode):o})')


def sealed(data):
    """The bytes, followed by their checksum."""
    return data + SEAL + hashlib.sha256(data).hexdigest().encode()


def has(path):
    """Whether a file exists and is intact. A damaged one is built again."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), 'rb') as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                return False
            _check(path, found)
            data, _, _ = (whole := file.read()).rpartition(SEAL)
            return whole == sealed(data)
    except OSError:
        return False
