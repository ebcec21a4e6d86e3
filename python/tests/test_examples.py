# SPDX-License-Identifier: BSD-3-Clause
"""The programs in examples/python, in the pages of docs/ on Python and in the README run."""
import pathlib
import re

import pytest
from matplotlib.figure import Figure

import liegrp

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / 'examples' / 'python'
PAGES = {name: re.findall(r'^```python\n(.*?)^```$', (ROOT / name).read_text(), re.M | re.S)
         for name in ('docs/python.md', 'docs/from-sympy.md', 'docs/questions.md', 'README.md')}


def test_tutorial(program, tmp_path, monkeypatch):
    """Drawing takes a third of the time. The programs of docs/tutorial.md, which the suite runs too, draw pictures like
    the first four."""
    draw = Figure.savefig
    monkeypatch.setattr(Figure, 'savefig', lambda self, path: path.touch() if path.stem in (
        'body', 'top', 'cart', 'robot') else draw(self, path))
    said = program(EXAMPLES / 'tutorial.py', tmp_path)
    assert 'refused: potential_gradient' in said and 'observed order of sem: 2.00' in said
    assert len(list(tmp_path.glob('*.png'))) == 7


def test_snakeboard_gait(program):
    said = program(EXAMPLES / 'snakeboard_gait.py', 4)
    assert float(re.search(r'goes ([0-9.]+) m', said)[1]) > 5


def test_gait_by_gradients(program):
    said = program(EXAMPLES / 'gait_by_gradients.py', 12)
    assert float(re.search(r'differences: ([0-9.e-]+)', said)[1]) < 1e-7
    assert float(re.search(r'goes ([0-9.]+) m', said)[1]) > 2


def test_fit(program):
    said = program(EXAMPLES / 'fit.py')
    assert float(re.search(r'gradient off differences: ([0-9.e-]+)', said)[1]) < 1e-9


def test_covariance(program):
    said = program(EXAMPLES / 'covariance.py', 2000)
    assert float(re.search(r'off by ([0-9.]+) %', said)[1]) < 6


def test_computed_torque(program):
    said = program(EXAMPLES / 'computed_torque.py')
    assert float(re.search(r'to ([0-9.e-]+) m', said)[1]) < 1e-6


def test_reach(program):
    said = program(EXAMPLES / 'reach.py')
    assert float(re.search(r'controls end ([0-9.e-]+) rad', said)[1]) < 1e-9
    assert float(re.search(r'with gains ([0-9.e-]+)', said)[1]) < 1e-2


def test_past(program):
    said = program(EXAMPLES / 'past.py')
    assert 'comes to -0.052 m' in said and 'cost 5.600432' in said and 'elbow up to 1.500000' in said
    assert float(re.search(r'nearest ([0-9.e-]+) m', said)[1]) == pytest.approx(0.05, abs=1e-6)
    assert float(re.search(r'arm ends ([0-9.e-]+) rad', said)[1]) < 1e-9
    assert float(re.search(r'order ([0-9.]+)', said)[1]) == pytest.approx(2, abs=0.2)


def test_gait_optimum(program):
    said = program(EXAMPLES / 'gait_optimum.py')
    assert float(re.search(r'effort ([0-9.]+)', said)[1]) == pytest.approx(0.40909369, rel=1e-7)
    assert '1.0000 0.4458 0.0000' in said and 'a stride of 1.25' in said


def test_snake_gait(program):
    said = program(EXAMPLES / 'snake_gait.py', 3, 12)
    assert float(re.search(r'closed to ([0-9.e-]+)', said)[1]) < 1e-8
    assert 0.4 < float(re.search(r'links, ([0-9.]+) m', said)[1]) < 0.5


@pytest.mark.parametrize('name', ['quadrotor', 'trailer', 'cat'])
def test_manoeuvres(program, tmp_path, name):
    page = [tmp_path / 'page.html'] if pathlib.Path(liegrp.__file__).with_name('view.html').exists() else []
    said = program(EXAMPLES / 'manoeuvres.py', name, 10 if name == 'cat' else 20, 4, *page)
    assert float(re.search(r'order ([0-9.]+)', said)[1]) == pytest.approx(2, abs=0.15)
    assert all(file.stat().st_size > 1e5 for file in page)


def test_geodesics(program):
    said = program(EXAMPLES / 'geodesics.py')
    cost, polygon = (float(re.search(word + r' ([0-9.]+)', said)[1]) for word in ('cost', 'polygon'))
    assert cost == pytest.approx(polygon, rel=1e-11) and polygon == pytest.approx(4.2 * 3**-0.5, rel=1e-11)
    assert float(re.search(r'equal to ([0-9.e-]+)', said)[1]) < 1e-8
    assert 'cost 2.80641, it changes gear 2 times' in said


def test_slew(program):
    said = program(EXAMPLES / 'slew.py')
    assert 'least effort: 24.378458' in said
    assert float(re.search(r'ends ([0-9.e-]+) rad', said)[1]) < 1e-3


@pytest.mark.parametrize('name', PAGES)
def test_page(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    assert PAGES[name]
    space = {}
    for i, block in enumerate(PAGES[name]):
        exec(compile(block, f'{name}, block {i + 1}', 'exec'), space)
