#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""coverage.py BUILD [--missing FILE] [--least PERCENT]: which lines and branches of src/ and cli/ the tests reached.

BUILD was compiled by scripts/coverage.sh and its tests were run. Prints a table by folder of src/, and cli, and
fails if a folder of FLOOR has fewer than PERCENT of its branches taken.

How a branch is counted. It is one way out of a condition in the source: `if (a && b)` has four. The same source is
compiled several times: once for each vector width, and a header's functions once for each file that includes it. A
branch that was taken in one of these counts as taken, and counts once. Functions are not inlined and conditions are not
rearranged before they are counted (coverage.sh), so that one condition of the source is one in the object. A line that
ends in `LCOV_EXCL_BR_LINE: REASON` is left out, and so are those between `LCOV_EXCL_BR_START: REASON` and
`LCOV_EXCL_BR_STOP`; the table shows how many branches that are.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FLOOR = ['base', 'groups', 'retractions', 'mechanics', 'integrators', 'run', 'cli']
EXCLUDED = re.compile(r'LCOV_EXCL_BR_LINE: \S')
START, STOP = re.compile(r'LCOV_EXCL_BR_START: \S'), 'LCOV_EXCL_BR_STOP'


def room_of(path):
    parts = path.split('/')
    if parts[0] == 'src' and len(parts) > 2:
        return parts[1]
    return 'cli' if parts[0] == 'cli' else None


def counts_of(data):
    """Lines of one object from gcov: (path, line, [(count, [count of each branch])]) with an entry per function."""
    out = subprocess.run(['gcov', '--json-format', '--stdout', '--branch-probabilities', data],
                         stdout=subprocess.PIPE, check=True).stdout
    found = []
    for text in out.splitlines():
        document = json.loads(text)
        for file in document['files']:
            where = os.path.join(document['current_working_directory'], file['file'])
            path = os.path.relpath(os.path.realpath(where), ROOT)
            if room_of(path) is None:
                continue
            lines = collections.defaultdict(list)
            for line in file['lines']:
                lines[line['line_number']].append((line['count'], [b['count'] for b in line['branches']]))
            found += [(path, number, entries) for number, entries in lines.items()]
    return found


class Line:
    """One line of the source, merged over objects."""

    def __init__(self):
        self.count = 0
        self.shapes = {}  # branch counts by number of branches, which differs between vector widths

    def add(self, entries):
        self.count += sum(count for count, _ in entries)
        branches = [b for _, some in entries for b in some]
        if branches:
            old = self.shapes.get(len(branches), [0] * len(branches))
            self.shapes[len(branches)] = [a + b for a, b in zip(old, branches)]

    def branches(self):
        return [b for shape in self.shapes.values() for b in shape]


def measure(build):
    data = []
    for folder, _, names in os.walk(build):
        if os.path.relpath(folder, build).split('/')[0] in ('src', 'cli'):
            data += [os.path.join(folder, name) for name in names if name.endswith('.gcno')]
    lines = collections.defaultdict(Line)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(counts_of, sorted(data)):
            for path, number, entries in found:
                lines[path, number].add(entries)
    return lines


def left_out(text):
    """For each line of a source: are its branches left out?"""
    inside, out = False, []
    for line in text.split('\n'):
        inside = (inside or START.search(line) is not None) and STOP not in line
        out.append(inside or EXCLUDED.search(line) is not None)
    return out


class Room:
    def __init__(self):
        self.lines = self.reached = self.branches = self.taken = self.excluded = 0

    def row(self, name):
        def percent(a, b):
            return 100.0 * a / b if b else 100.0
        return (f'{name:12} {self.lines:6} {percent(self.reached, self.lines):7.1f} {self.branches:9} '
                f'{percent(self.taken, self.branches):7.1f} {self.branches - self.taken:7} {self.excluded:9}')


def tally(lines, missing):
    rooms = collections.defaultdict(Room)
    sources = {}
    for (path, number), line in sorted(lines.items()):
        if path not in sources:
            with open(os.path.join(ROOT, path), encoding='utf-8') as f:
                text = f.read()
            sources[path] = list(zip(text.split('\n'), left_out(text)))
        text, excluded = sources[path][number - 1]
        branches = line.branches()
        room = rooms[room_of(path)]
        room.lines += 1
        room.reached += line.count > 0
        if excluded:
            room.excluded += len(branches)
            continue
        room.branches += len(branches)
        room.taken += sum(b > 0 for b in branches)
        if missing is not None and not all(branches):
            shown = ' '.join('x' if b > 0 else '-' for b in branches)
            print(f'{path}:{number}: [{shown}] {text.strip()}', file=missing)
    return rooms


def main():
    arguments = argparse.ArgumentParser(description='branch coverage by folder')
    arguments.add_argument('build')
    arguments.add_argument('--missing', metavar='FILE', help='writes the branches that were not taken')
    arguments.add_argument('--least', type=float, default=92.0, metavar='PERCENT')
    o = arguments.parse_args()
    lines = measure(os.path.abspath(o.build))
    if o.missing:
        with open(o.missing, 'w', encoding='utf-8') as f:
            rooms = tally(lines, f)
    else:
        rooms = tally(lines, None)
    print(f'{"folder":12} {"lines":>6} {"reached":>7} {"branches":>9} {"taken":>7} {"missing":>7} {"excluded":>9}')
    low = []
    for name in FLOOR + sorted(set(rooms) - set(FLOOR)):
        room = rooms[name]
        print(room.row(name))
        if name in FLOOR and room.taken < o.least / 100 * room.branches:
            low.append(name)
    if low:
        print(f'below {o.least:g} % of branches: {", ".join(low)}')
    return 1 if low else 0


if __name__ == '__main__':
    sys.exit(main())
