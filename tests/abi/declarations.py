#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""declarations.py INCLUDE [STORED]: prints what a program is compiled against, one line for each function, type, member
of a struct with its position, enumerator with its position, variable and macro of the public headers, as the compiler
$CC preprocesses them. With STORED, a file of such lines, prints the differences instead and fails if there are any: a
line that is missing breaks programs (another signature, a member that moved or went), a new one wants review. Write the
reviewed list with
    tests/abi/declarations.py include >tests/abi/declarations.txt"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

COMMENT = re.compile(r'/\*.*?\*/', re.S)
MARKER = re.compile(r'# (?:line )?\d+ "([^"]*)"')
ATTRIBUTE = re.compile(r'__attribute__ *\(\((?:[^()]|\([^()]*\))*\)\)|__extension__')
MACRO = re.compile(r'^[ \t]*#[ \t]*define (LG_(?!VERSION_)\w+(?:\([^)]*\))?)([^\\\n]*)', re.M)
TYPE = re.compile(r'(typedef )?(struct|union|enum) ?(\w*) ?\{(.*)\} ?(\w*)$')


def plain(text):
    """Text without attributes, with single spaces between words alone."""
    text = re.sub(r'\s+', ' ', ATTRIBUTE.sub('', text))
    text = re.sub(r' ?([()\[\]]) ?', r'\1', text)
    return re.sub(r' ?\* ?', ' *', re.sub(r' ?, ?', ', ', text)).replace('* *', '**').replace('( *', '(*').strip()


def preprocessed(include):
    """These headers as the compiler sees them, without those of the system."""
    command = shlex.split(os.environ.get('CC', 'cc')) + ['-std=c11', '-E', '-I', str(include), str(include / 'liegrp/liegrp.h')]
    own, kept = False, []
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        marker = MARKER.match(line)
        if marker:
            own = pathlib.Path(marker.group(1)).resolve().is_relative_to(include.resolve())
        elif own and not line.startswith('#'):
            kept.append(line)
    return '\n'.join(kept)


def pieces(text, end):
    """Parts of the text that `end` ends outside of parentheses and braces; the body of a function ends one, too."""
    begin, depth = 0, 0
    for i, c in enumerate(text):
        depth += (c in '({') - (c in ')}')
        if depth == 0 and (c == end or (c == '}' and re.match(r'[^{=]*\)\s*\{', text[begin:i]))):
            yield plain(text[begin:i + (c == '}')])
            begin = i + 1
    if text[begin:].strip():
        yield plain(text[begin:])


def lines(include):
    """The lines of the list."""
    for piece in pieces(preprocessed(include), ';'):
        made = TYPE.match(piece)
        if made:
            typedef, kind, tag, body, alias = made.groups()
            name = tag or alias
            for i, member in enumerate(pieces(body, ',' if kind == 'enum' else ';')):
                yield f'{kind} {name}[{i}] {member}'
            if typedef:
                yield f'typedef {kind} {tag} {alias}'
        elif piece:
            yield piece.split('{')[0].strip()
    for header in sorted(include.rglob('*.h')):
        for macro, value in MACRO.findall(COMMENT.sub('', header.read_text())):
            yield f'#define {macro} {"" if "(" in macro else value.strip()}'.strip()


def main():
    include = pathlib.Path(sys.argv[1])
    now = list(dict.fromkeys(lines(include)))
    if len(sys.argv) < 3:
        print('\n'.join(now))
        return
    stored = pathlib.Path(sys.argv[2]).read_text().splitlines()
    for sign, some, others in ('missing or changed', stored, set(now)), ('not in the list', now, set(stored)):
        for line in some:
            if line not in others:
                print(f'{sign}: {line}')
    if now != stored:
        sys.exit('the declarations are not those of the reviewed list, or their order is another')
    print(f'ok: {len(now)} declarations')


main()
