#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bindings.py OUTPUT.c INCLUDE-FOLDER COMPILER...: the C source of the module liegrp._liegrp, from the public headers.

The headers are the only description of the interface. The preprocessor takes the comments and macros away; what cffi
does not read (attributes, bodies of inline functions, `static` extents) is taken away here.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import cffi

SOURCE = '#include <liegrp/liegrp.h>\n'
# cffi knows the types that they declare.
STANDARD = ('stddef.h', 'stdint.h', 'stdio.h')
PARTS = ('callbacks', 'ensembles', 'mechanisms')
CONSTANT = re.compile(r'^#define (LG_[A-Z0-9_]+)[ \t]+([-0-9.][0-9.eEuxX]*)[ \t]*(?:/\*.*)?$', re.M)


def preprocessed(include, compiler):
    """The declarations of all public headers, without comments and macros."""
    with tempfile.TemporaryDirectory() as empty:
        for name in STANDARD:
            (pathlib.Path(empty) / name).touch()
        return subprocess.run(
            [*compiler, '-E', '-P', '-nostdinc', '-I', empty, '-I', str(include), '-x', 'c', '-'],
            input=SOURCE, text=True, stdout=subprocess.PIPE, check=True).stdout


def without_bodies(text):
    """Inline functions as declarations."""
    out, at = [], 0
    for match in re.finditer(r'static inline ([^{;]*?)\s*\{', text):
        depth, end = 1, match.end()
        while depth:
            depth += {'{': 1, '}': -1}.get(text[end], 0)
            end += 1
        out += [text[at:match.start()], match.group(1), ';']
        at = end
    return ''.join(out) + text[at:]


def constants(include):
    """Macros that are numbers. Integers only as `...`: the compiler knows the value."""
    lines = []
    for header in sorted(pathlib.Path(include).rglob('*.h')):
        for name, value in CONSTANT.findall(header.read_text()):
            lines.append(f'#define {name} ...' if re.fullmatch(r'[0-9]+u?', value) else f'static const double {name};')
    return '\n'.join(dict.fromkeys(lines))


def declarations(include, compiler):
    """What cffi reads."""
    text = without_bodies(preprocessed(include, compiler))
    text = re.sub(r'__attribute__\(\((?:[^()]|\([^()]*\))*\)\)', '', text)
    text = re.sub(r'\[static ([^\]]*)\]', r'[\1]', text)
    return text + '\n' + constants(include)


def main():
    output, include, compiler = sys.argv[1], sys.argv[2], sys.argv[3:]
    here = pathlib.Path(__file__).parent
    builder = cffi.FFI()
    builder.cdef(declarations(include, compiler))
    # Functions of Python's that the library calls, and helpers in C.
    for part in PARTS:
        builder.cdef((here / f'{part}.cdef').read_text())
    builder.set_source('liegrp._liegrp', SOURCE + '\n'.join((here / f'{part}.c').read_text() for part in PARTS))
    builder.emit_c_code(output)


if __name__ == '__main__':
    main()
