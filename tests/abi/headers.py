#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""headers.py INCLUDE OLDER NEWER LAYOUT: from the present headers makes two more sets. In OLDER each public struct that
grows lacks its last member, in NEWER each has one more. LAYOUT becomes a C file that compiles if the last member of each
fills its last 8 bytes, so that no member can be added where an older struct has padding. Prints the names of these
structs."""
import pathlib
import re
import shutil
import sys

STRUCT = re.compile(r'^(?:typedef )?struct (lg_\w+) \{\n(.*?)^\}', re.M | re.S)
COMMENT = re.compile(r'/\*.*?\*/', re.S)
MADE_BY_THE_LIBRARY = {'lg_call'}  # grows without a size
LAYOUT = """_Static_assert(sizeof(void *) != 8 || (sizeof((({name} *)0)->{last}) == 8 &&
                                       offsetof({name}, {last}) + 8 == sizeof({name})),
               "{name}: the last member, {last}, is not 8 bytes wide");
"""
EXTRA = '    double of_a_newer_header;\n'


def blank(text):
    """The text with its comments as spaces, so that offsets stay."""
    return COMMENT.sub(lambda m: re.sub(r'[^\n]', ' ', m.group()), text)


def members(body):
    """Ends of the members' declarations in the body of a struct, and the declarations."""
    found, begin, depth = [], 0, 0
    for i, c in enumerate(body):
        depth += (c == '(') - (c == ')')
        if c == ';' and depth == 0:
            found.append((i + 1, ' '.join(body[begin:i].split())))
            begin = i + 1
    return found


def grows(name, declarations):
    """Structs that may grow: those with a size, and lg_callbacks, the last member of two of them."""
    return name == 'lg_callbacks' or declarations[0][1] == 'size_t size'


def last_number(declaration):
    """What a member's declaration adds at the end of the struct: its name, of an array the last element."""
    function, plain = re.search(r'\(\*(\w+)\)', declaration), re.search(r'(\w+)(?:\[(\d+)\])?$', declaration)
    if function:
        return function.group(1)
    return plain.group(1) + (f'[{int(plain.group(2)) - 1}]' if plain.group(2) else '')


def layout(text):
    """The assertions for the structs of a header."""
    for m in STRUCT.finditer(blank(text)):
        found = members(m.group(2))
        if (grows(m.group(1), found) or m.group(1) in MADE_BY_THE_LIBRARY) and found[-1][1] != 'lg_callbacks callbacks':
            yield LAYOUT.format(name=m.group(1), last=last_number(found[-1][1]))


def change(text, names):
    """The older and the newer text of a header."""
    older, newer, after = '', '', 0
    plain = blank(text)
    for m in STRUCT.finditer(plain):
        found = members(m.group(2))
        if not grows(m.group(1), found):
            continue
        names.append(m.group(1))
        begin, end = m.start(2), m.end(2)
        last, declaration = found[-1]
        if declaration == 'lg_callbacks callbacks':  # grows by that
            continue
        before = found[-2][0]
        older += text[after:begin + before] + '\n'
        newer += text[after:end] + EXTRA
        after = end
    return older + text[after:], newer + text[after:]


def main():
    include, older, newer, asserts = map(pathlib.Path, sys.argv[1:])
    names, lines = [], ['#include <liegrp/liegrp.h>\n#include <stddef.h>\n']
    for to in older, newer:
        shutil.copytree(include, to, dirs_exist_ok=True)
    for header in sorted(include.rglob('*.h')):
        lines += layout(header.read_text())
        a, b = change(header.read_text(), names)
        (older / header.relative_to(include)).write_text(a)
        (newer / header.relative_to(include)).write_text(b)
    asserts.write_text(''.join(lines))
    print('\n'.join(sorted(names)))


main()
