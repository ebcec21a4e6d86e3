# SPDX-License-Identifier: BSD-3-Clause
"""The programs in examples/python, in the pages of docs/ on Python and in the README run."""
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PAGES = {name: re.findall(r'^```python\n(.*?)^```$', (ROOT / name).read_text(), re.M | re.S)
         for name in ('docs/python.md', 'docs/from-sympy.md', 'README.md')}


def run(*command):
    return subprocess.run([sys.executable, *map(str, command)], check=True, text=True, stdout=subprocess.PIPE).stdout


def test_tutorial(tmp_path):
    pytest.importorskip('matplotlib')
    said = run(ROOT / 'examples' / 'python' / 'tutorial.py', tmp_path)
    assert 'refused: potential_gradient' in said and 'observed order of sem: 2.00' in said
    assert len(list(tmp_path.glob('*.png'))) == 7


def test_snakeboard_gait():
    said = run(ROOT / 'examples' / 'python' / 'snakeboard_gait.py', 4)
    assert float(re.search(r'goes ([0-9.]+) m', said)[1]) > 5


@pytest.mark.parametrize('name', PAGES)
def test_page(name):
    assert PAGES[name]
    pytest.importorskip('numba')
    pytest.importorskip('sympy')
    space = {}
    for i, block in enumerate(PAGES[name]):
        exec(compile(block, f'{name}, block {i + 1}', 'exec'), space)
