# SPDX-License-Identifier: BSD-3-Clause
"""What of from_sympy's input could run or reach the text in C: texts, names, numbers."""
import pytest

sympy = pytest.importorskip('sympy')

import liegrp  # noqa: E402
from liegrp.symbols import Planar, Reals, Rotation, from_sympy  # noqa: E402

POINT = Reals('x y')
DX, DY = POINT.dot
T = (DX**2 + DY**2) / 2
COMPILED = {}  # one folder serves the tests that change nothing in it


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    """The folder above that of shared objects."""
    if 'cache' not in COMPILED:
        COMPILED['cache'] = tmp_path_factory.mktemp('cache')
    monkeypatch.setenv('XDG_CACHE_HOME', str(COMPILED['cache']))


def made(**more):
    return from_sympy('trust', POINT, kinetic=T, **more)


# ---- texts ----

RUNS = ['__import__("os").system("touch ran")', 'open("ran", "w")', 'x.__class__', '[x][0]', '(lambda: 1)()',
        'x if x else y', 'sin(x=1)', 'sin(*[x])', 'f"{x}"', '"x"', 'True', '1j', '{x}', 'x < y', 'x and y', '(y := x)',
        'gamma(x)', 'sin()', 'x +', 'x; y', 'x\0', '9**9**9**9', '2**(10**9)',
        '(' * 150 + '-' * 3000 + 'x', 'x' * 20000]


@pytest.mark.parametrize('text', RUNS, ids=range(len(RUNS)))
def test_nothing_of_a_text_runs(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    places = [dict(kinetic=text), dict(kinetic=T, potential=text), dict(lagrangian=text),
              dict(kinetic=T, velocity_constraints=[text]), dict(kinetic=T, position_constraints=[text]),
              dict(kinetic=T, forces=[(text, 1)]), dict(kinetic=T, forces=[(DX, text)]),
              dict(kinetic=T, invariants={'a': text}), dict(kinetic=T, initial={'x': text})]
    for place in places:
        with pytest.raises(liegrp.ArgumentError, match='cannot be read|is too long'):
            from_sympy('text', POINT, **place)
    with pytest.raises(liegrp.ArgumentError, match='cannot be read|is too long'):
        body = Rotation()
        from_sympy('text', body, kinetic=body.w.dot(body.w), initial={body: (text, 0, 0, 1)})
    assert not (tmp_path / 'ran').exists()


class Tricky:
    """Its text is code, which SymPy once ran."""

    def __str__(self):
        return '__import__("os").system("touch ran")'

    __repr__ = __str__


def test_nothing_of_an_object_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for thing in (Tricky(), [Tricky()], None, ['x'], {'x'}):
        with pytest.raises(liegrp.ArgumentError, match='no expression'):
            made(potential=thing)
    assert not (tmp_path / 'ran').exists()


def test_texts_are_expressions():
    body = Planar()
    model = from_sympy('texts', body, kinetic='m*(v1**2 + v2^2)/2 + w**2/4', parameters={'m': 2.0, 'k': 3.0},
                       potential='k*cos(theta) + sqrt(4)*exp(-1)*abs(-pi)/E', forces=[('w', '-k*w')],
                       velocity_constraints=['v2 - (1/3)*v1'], initial={'theta': 'k/2', 'v1': '3e-1'},
                       project=True)
    g, _ = model.initial()
    assert g[2:] == pytest.approx([float(sympy.cos(1.5)), float(sympy.sin(1.5))])
    expected = (9 + 1) / 4 + 4 + 3 + float(2 * sympy.exp(-2) * sympy.pi)
    assert model.energy([0, 0, 1, 0], [3, 1, 2]) == pytest.approx(expected, rel=1e-15)
    micro = Reals('\u00b5')
    assert from_sympy('micro', micro, kinetic='\u00b5dot**2', potential='2*\u00b5').energy([1], [0]) == 2


# ---- names and numbers ----

K = sympy.Symbol('k')
REFUSED = [
    (dict(parameters={'1': 2.0}), "parameter '1' reads like a number"),
    (dict(controls=['-1e3']), "control '-1e3' reads like a number"),
    (dict(invariants={'1': POINT.coordinates[0]}), "invariant '1' reads like a number"),
    (dict(time='inf'), "time 'inf' reads like a number"),
    (dict(parameters={'a\nb': 2.0}), 'letters that can be printed'),
    (dict(parameters={'\x1b[31m': 2.0}), 'letters that can be printed'),
    (dict(parameters={'a,b': 2.0}), 'without commas'),
    (dict(invariants={'a"b': 1}), 'quotes'),
    (dict(parameters={3: 2.0}), '3 is no symbol and no name'),
    (dict(parameters={'k': 1.0, K: 2.0}), "parameters: 'k' is given twice"),
    (dict(parameters=[K]), 'expected a dictionary'),
    (dict(parameters={'k': liegrp.Parameter(1.0, 'N\0')}), 'without control characters'),
    (dict(controls='u1'), 'controls: expected a list'),
    (dict(controls=K), 'controls: expected a list'),
    (dict(controls=['k', K]), 'a name is given twice'),
    (dict(controls={'k': 1}), "unit of the control k 1: expected a text"),
    (dict(velocity_constraints='xdot'), 'velocity_constraints: expected a list'),
    (dict(position_constraints=POINT.coordinates[0]), 'position_constraints: expected a list'),
    (dict(units={'xx': 'm'}), "units: 'xx' is no column of this system; these are step, t, x, y"),
    (dict(summary='a\0b'), 'without control characters'),
    (dict(remark=3), 'expected a text'),
    (dict(initial={'x': 1, POINT.coordinates[0]: 2}), "initial: 'x' is given twice"),
    (dict(initial={'xdot': 1, DX: 2}), "initial: 'xdot' is given twice"),
    (dict(initial=3), 'initial: expected a dictionary'),
    (dict(potential=sympy.Float('1e400')), 'larger than any'),
    (dict(potential=10**400 * POINT.coordinates[0]), 'larger than any'),
    (dict(step=float('nan')), 'step nan: expected a positive number'),
    (dict(step=float('inf')), 'step inf: expected'),
    (dict(step=-0.1), 'step -0.1: expected'),
    (dict(step='a'), "step 'a': expected"),
    (dict(step=None), 'step None: expected'),
]


@pytest.mark.parametrize('wrong, message', REFUSED, ids=range(len(REFUSED)))
def test_names_and_numbers_that_are_refused(wrong, message):
    with pytest.raises(liegrp.ArgumentError, match=message):
        made(**wrong)


def test_other_names_that_are_refused():
    for name in ('1', '', 'a\n', 'a=b', ' a', 3, '\0', '\ud800'):
        with pytest.raises(liegrp.ArgumentError):
            from_sympy(name, POINT, kinetic=T)
    one, board, body = Reals('1'), Planar(), Rotation()
    with pytest.raises(liegrp.ArgumentError, match="coordinate '1' reads like a number"):
        from_sympy('one', one, kinetic=one.dot[0]**2)
    with pytest.raises(liegrp.ArgumentError, match='is given twice'):
        from_sympy('board', board, kinetic=board.v.dot(board.v) + board.w**2, initial={'theta': 1, board.c: 1})
    with pytest.raises(liegrp.ArgumentError, match='quaternion'):
        from_sympy('body', body, kinetic=body.w.dot(body.w), initial={body: 1})


def test_names_may_be_anything_else():
    """Nothing of them reaches the text in C as it is, and none of them hides a function of Python."""
    names = ['int', 'sin', 'lambda', 'numpy', 'exp(x)', '%s%n', '??/', "x'", 'a*/b', '\\', 'a b', '\\theta_{1}',
             '\u03c9', 'E', 'I', 'q1', 'out', 'lanes']
    ways = Reals(names)
    given = {'k ' + name: 1.0 + i for i, name in enumerate(names)}
    weights = [sympy.Symbol(name) for name in given]
    factor = 1 + sympy.cos(ways.coordinates[0])**2 * sympy.Symbol('cos')
    model = from_sympy('*/ ??/ # %s \\', ways, parameters={**given, 'cos': 0.5}, summary='??/ */ %s \\',
                       remark='a\nb \\', kinetic=sum(v**2 for v in ways.dot) * factor,
                       potential=sum(a * q for a, q in zip(weights, ways.coordinates)),
                       invariants={name: q for name, q in zip(names, ways.coordinates)})
    assert model.name == '*/ ??/ # %s \\' and model.summary == '??/ */ %s \\'
    for i in range(len(names)):
        assert model.energy([float(k == i) for k in range(len(names))], [0] * len(names)) == 1.0 + i
    from_sympy('n' * 300, POINT, kinetic=T)


def test_a_comment_does_not_end_early(tmp_path):
    """A splice of lines, or a trigraph that is one, could bring * and / together."""
    from_sympy('a*??//b', POINT, kinetic=T, source=tmp_path / 'a.c')
    comment, _, rest = (tmp_path / 'a.c').read_text().partition('*/')
    assert 'from_sympy' in comment and '??' not in comment and '\\' not in comment and rest.startswith('\n#include')


def test_numbers_of_any_size():
    large = sympy.Rational(10**400 + 1, 10**400 * 3)
    assert made(potential=large * POINT.coordinates[0]).energy([3, 0], [0, 0]) == 1
