#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""embed_truth.py OUTPUT.c INPUT.json...: the lists of the multiprecision values in data whose names begin with a
group's, as arrays of long double, so that the command line carries them along: bench/truth.h. The build runs it."""
import json
import sys

GROUPS = ('SO3', 'SE2', 'SE3', 'SO4')
WANTED = {'exp', 'cay', ''}


def literal(text):
    if 'x' in text:
        return text + 'L'
    return text + ('L' if '.' in text or 'e' in text else '.0L')


def main():
    out, table = [], []
    for path in sys.argv[2:]:
        with open(path) as f:
            data = json.load(f)
        for key, items in data.items():
            group, _, kind = key.partition('_')
            if group not in GROUPS or kind not in WANTED:
                continue
            for field in items[0]:
                values = [x for item in items for x in item[field]]
                name = '%s_%s' % (key, field)
                out.append('static const long double %s[] = {%s};' % (name, ', '.join(literal(x) for x in values)))
                table.append('{"%s", "%s", %d, %d, %s},' % (key, field, len(items), len(items[0][field]), name))
    with open(sys.argv[1], 'w') as f:
        f.write('#include "benchmarks/suite/truth.h"\n\n%s\n\nconst bench_truth bench_truths[] = {%s\n{0, 0, 0, 0, 0}};\n' %
                ('\n'.join(out), '\n'.join(table)))


if __name__ == '__main__':
    main()
