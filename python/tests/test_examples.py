# SPDX-License-Identifier: BSD-3-Clause
"""The programs in examples/python, in the pages of docs/ on Python and in the README run."""
import pathlib
import re
import runpy
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PAGES = {name: re.findall(r'^```python\n(.*?)^```$', (ROOT / name).read_text(), re.M | re.S)
         for name in ('docs/python.md', 'docs/from-sympy.md', 'README.md')}


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs an example as a program, without another start of Python: what it prints."""
    def program(name, *arguments):
        path = str(ROOT / 'examples' / 'python' / name)
        monkeypatch.setattr(sys, 'argv', [path, *map(str, arguments)])
        try:
            runpy.run_path(path, run_name='__main__')
        except SystemExit as ended:
            assert not ended.code
        return capsys.readouterr().out
    return program


def test_tutorial(run, tmp_path, monkeypatch):
    """Drawing takes a third of the time. The programs of docs/tutorial.md, which the suite runs too, draw pictures like
    the first four."""
    figure = pytest.importorskip('matplotlib.figure').Figure
    draw = figure.savefig
    monkeypatch.setattr(figure, 'savefig', lambda self, path: path.touch() if path.stem in (
        'body', 'top', 'cart', 'robot') else draw(self, path))
    said = run('tutorial.py', tmp_path)
    assert 'refused: potential_gradient' in said and 'observed order of sem: 2.00' in said
    assert len(list(tmp_path.glob('*.png'))) == 7


def test_snakeboard_gait(run):
    said = run('snakeboard_gait.py', 4)
    assert float(re.search(r'goes ([0-9.]+) m', said)[1]) > 5


@pytest.mark.parametrize('name', PAGES)
def test_page(name):
    assert PAGES[name]
    pytest.importorskip('numba')
    pytest.importorskip('sympy')
    space = {}
    for i, block in enumerate(PAGES[name]):
        exec(compile(block, f'{name}, block {i + 1}', 'exec'), space)
