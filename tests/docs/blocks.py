#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""blocks.py SOURCE BUILD: every block of C and Python in the pages below is a run of lines of the file that the comment
above it names, `<!-- examples/tutorial/cart.c -->`; every program of the tutorial is shown; and a program in C prints
what its twin in Python prints."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PAGES = ('docs/tutorial.md', 'docs/coming-from.md', 'docs/scenes.md')
source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
errors, shown = [], set()

for page in PAGES:
    text = (source / page).read_text()
    blocks = list(re.finditer(r'^(?:<!-- ([\w./-]+) -->\n)?```(?:c|python)\n(.*?)^```$', text, re.M | re.S))
    if not blocks:
        errors.append(f'{page} has no blocks')
    for block in blocks:
        place = f'{page}:{text.count(chr(10), 0, block.start()) + 1}'
        if not block[1] or not (source / block[1]).is_file():
            errors.append(f'{place}: no comment above the block says of which file it is')
        elif '\n' + block[2] not in '\n' + (source / block[1]).read_text():
            errors.append(f'{place}: the block differs from {block[1]}')
        else:
            shown.add(block[1])

names = {path.stem for path in (source / 'examples/tutorial').glob('*.c')}
twins = {path.stem for path in (source / 'examples/python/tutorial').glob('*.py')}
if names != twins or not names:
    errors.append(f'programs without a twin in the other language: {sorted(names ^ twins)}')
programs = [f'examples/tutorial/{name}.c' for name in names] + [f'examples/python/tutorial/{name}.py' for name in twins]
errors += [f'{program} is on no page' for program in sorted(set(programs) - shown)]

with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / 'examples').symlink_to((source / 'examples').resolve())  # programs open files there
    for name in sorted(names & twins):
        said = [subprocess.run(command, cwd=folder, text=True, capture_output=True,
                               env={**os.environ, 'PYTHONPATH': str(build / 'python'), 'MPLBACKEND': 'Agg'})
                for command in ([build / 'examples/tutorial' / f'tutorial_{name}'],
                                [sys.executable, source / 'examples/python/tutorial' / f'{name}.py'])]
        if any(one.returncode for one in said):
            errors.append(f'{name} fails:\n' + '\n'.join(one.stderr for one in said))
        elif said[0].stdout != said[1].stdout or not said[0].stdout:
            errors.append(f'{name} prints in C\n{said[0].stdout}and in Python\n{said[1].stdout}')

print(*errors, f'{len(shown)} programs on {len(PAGES)} pages, {len(errors)} errors', sep='\n')
sys.exit(bool(errors))
