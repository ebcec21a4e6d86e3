# SPDX-License-Identifier: BSD-3-Clause
"""A step of systems from symbols, compared with the same systems written by hand in the catalog.

    PYTHONPATH=build/python:python/tests python3 benchmarks/python/symbols.py [STEPS]

The two take turns in one run; the smallest of seven times counts.
"""
import sys
import time

import liegrp
import systems


def seconds(motion, start, steps):
    motion.start_state(*start)
    begin = time.perf_counter()
    motion.step(steps)
    return time.perf_counter() - begin


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    print(f'{"system":28} {"method":6} {"symbols":>9} {"by hand":>9} {"ratio":>6}')
    for make in systems.ALL:
        made = make()
        catalog = liegrp.Model(made.name)
        start = catalog.initial()
        for method in ('gni', 'sem', 'gauss'):
            try:
                pair = [liegrp.Motion(model, method, step=catalog.default_step, started=False)
                        for model in (made, catalog)]
                times = [min(column) for column in zip(*[[seconds(it, start, steps) for it in pair] for _ in range(7)])]
            except liegrp.Error:  # the method does not take the system
                continue
            print(f'{made.name:28} {method:6} {1e9 * times[0] / steps:6.0f} ns {1e9 * times[1] / steps:6.0f} ns '
                  f'{times[0] / times[1]:6.2f}')


if __name__ == '__main__':
    main()
