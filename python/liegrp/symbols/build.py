# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the C code of a plug-in to a shared object with the system's compiler, or takes it from the cache."""
import hashlib
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile

from .._core import Error, version
from . import cache

# As the library is compiled: no fused operations, so that every lane and every machine has the same bits.
FLAGS = ('-shared', '-fPIC', '-std=c11', '-O2', '-ffp-contract=off', '-fno-math-errno')


def include_folder():
    """The folder of the headers, searched in this order: $LIEGRP_INCLUDE; the sources of a build folder; the package;
    the prefix that the package is installed in; the system."""
    places = [os.environ.get('LIEGRP_INCLUDE')]
    try:
        from .._build import INCLUDE
        places.append(INCLUDE)
    except ImportError:
        pass
    places += [parent / 'include' for parent in pathlib.Path(__file__).parents]
    places += ['/usr/include', '/usr/local/include']
    for place in places:
        if place and (pathlib.Path(place) / 'liegrp' / 'liegrp.h').is_file():
            return str(place)
    raise Error('the headers of liegrp are not there: install liegrp for C (Debian: libliegrp-dev), or set '
                'LIEGRP_INCLUDE to the folder that has liegrp/liegrp.h', 'LG_ERROR_IO')


def compiler():
    """The compiler as a list of words: $CC, or cc, gcc, clang."""
    try:
        named = shlex.split(os.environ.get('CC') or '')
    except ValueError as error:
        raise Error(f'CC={os.environ["CC"]!r} is no command: {error}', 'LG_ERROR_IO') from None
    if named:
        return named
    for name in ('cc', 'gcc', 'clang'):
        if shutil.which(name):
            return [name]
    raise Error('no C compiler: install one (Debian: gcc), or set CC; source= alone writes the C file', 'LG_ERROR_IO')


def write(path, data):
    """Writes a file atomically, and synchronises it to the disk."""
    path = pathlib.Path(path)
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix='.' + path.name[:100], delete=False) as file:
            try:
                file.write(data)
                file.flush()
                os.fchmod(file.fileno(), 0o644)
                os.fsync(file.fileno())
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise Error(f'{path} cannot be written: {error.strerror}', 'LG_ERROR_IO') from None


def made_by(command, text, name):
    """The bytes of the shared object of a text."""
    try:
        with tempfile.TemporaryDirectory() as scratch:
            source, made = pathlib.Path(scratch) / 'system.c', pathlib.Path(scratch) / 'system.so'
            source.write_text(text)
            try:
                done = subprocess.run([*command, str(source), '-o', str(made), '-lm'], capture_output=True, text=True,
                                      errors='replace')
            except OSError as error:
                raise Error(f'the compiler {command[0]!r} cannot be started: {error}', 'LG_ERROR_IO') from None
            if done.returncode != 0:
                raise Error(f'{name}: {shlex.join(command)} failed:\n{done.stderr[-2000:]}', 'LG_ERROR_IO')
            if not made.is_file():
                raise Error(f'{name}: {shlex.join(command)} says that all is well, and made no file; set CC to a C '
                            'compiler', 'LG_ERROR_IO')
            return made.read_bytes()
    except OSError as error:
        raise Error(f'{name}: no temporary files for the compiler: {error}; set TMPDIR to a folder that can be '
                    'written', 'LG_ERROR_IO') from None


def compiled(text, name, out=None):
    """The path of the shared object of a text. Without `out` it is kept in the cache, under a name made from the text,
    the compiler and the version."""
    command = [*compiler(), *FLAGS, '-I', include_folder()]
    if out is not None:
        write(out, made_by(command, text, name))
        return str(out)
    sign = hashlib.sha256('\0'.join([text, *command, version()]).encode()).hexdigest()[:20]
    plain = ''.join(letter if letter.isascii() and letter.isalnum() else '-' for letter in name)
    kept = cache.folder() / f'{plain[:60]}-{sign}.so'
    if not cache.has(kept):
        write(kept, cache.sealed(made_by(command, text, name)))
    return str(kept)
