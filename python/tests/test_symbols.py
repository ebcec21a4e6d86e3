# SPDX-License-Identifier: BSD-3-Clause
"""Systems from symbols: those of the catalog, the same bits in all lanes, what is refused, what a plug-in is."""
import doctest
import importlib
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import sympy

import liegrp
import systems
from liegrp import symbols
from liegrp.symbols import Angles, Circle, Planar, Pose, Reals, Rotation, from_sympy


@pytest.fixture(autouse=True, scope='module')
def cache(tmp_path_factory):
    """Shared objects of these tests alone."""
    patch = pytest.MonkeyPatch()
    patch.setenv('XDG_CACHE_HOME', str(tmp_path_factory.mktemp('cache')))
    yield
    patch.undo()


def both(made, method, steps):
    """Motions of a model and of its like in the catalog after some steps, with the same controls."""
    catalog = liegrp.Model(made.name)
    g, xi = catalog.initial()
    found = [liegrp.Motion(model, method, step=catalog.default_step, started=False) for model in (made, catalog)]
    return [motion.start_state(g, xi).step(steps) for motion in found]


@pytest.mark.parametrize('make', systems.ALL, ids=lambda make: make.__name__)
def test_steps_are_those_of_the_catalog(make):
    made = make()
    for method in ('sem', 'gauss', 'rkmk4'):
        one, other = both(made, method, 1)
        scale = 1 + np.abs(other.p).max()
        assert np.abs(one.g - other.g).max() <= 1e-14 * scale, method
        assert np.abs(one.p - other.p).max() <= 1e-14 * scale, method
        assert abs(one.energy - other.energy) <= 1e-14 * (1 + abs(other.energy)), method


def test_a_wrong_slope_would_be_found(monkeypatch):
    from liegrp.symbols.derive import Derived
    right = Derived.gradient
    monkeypatch.setattr(Derived, 'gradient', lambda self, V: [1.001 * entry for entry in right(self, V)])
    body = Rotation()
    with pytest.raises(liegrp.Error, match='potential_gradient'):
        from_sympy('wrong', body, kinetic=body.w.dot(body.w) / 2, potential=body.R[2, 2])


# ---- the groups ----

def bodies():
    """A body with everything on each factor: (factor, T, V)."""
    m = sympy.Integer(2)
    turning, planar, rotating, posed = Circle('o'), Planar('b'), Rotation('r'), Pose('p')
    flat, round_ = Reals('x y'), Angles('a')
    x, y = flat
    a, = round_
    return [
        (flat, m * (flat.dot[0]**2 + flat.dot[1]**2 * (1 + x**2)) / 2, x**2 * y + sympy.exp(-y**2)),
        (round_, (2 + sympy.cos(a)) * round_.dot[0]**2, sympy.sin(a)**3),
        (turning, turning.w**2, sympy.cos(2 * turning.theta)),
        (planar, m * (planar.xdot**2 + planar.ydot**2) / 2 + planar.w**2, planar.x * planar.c + planar.y**2),
        (rotating, rotating.w.dot(rotating.w) + rotating.W[2]**2 * rotating.R[0, 1]**2, rotating.R[2, 2]**2),
        (posed, m * posed.xdot.dot(posed.xdot) / 2 + posed.w.dot(posed.w), posed.x[2] + posed.R[0, 0] * posed.x[1]**2)]


@pytest.mark.parametrize('body', bodies(), ids=lambda body: type(body[0]).__name__)
def test_energy_is_kept_on_every_group(body):
    factor, kinetic, potential = body
    model = from_sympy('body', factor, kinetic=kinetic, potential=potential, initial={factor.velocities[0]: 0.7})
    run = liegrp.run(model, 'gauss', step=0.05, steps=40)
    assert np.ptp(run.rows['energy']) <= 1e-13 * (1 + abs(run.rows['energy']).max())


class Written(Exception):
    """Comes before a compiler is started."""


def text_of(*given, **more):
    """The text in C of a system."""
    def stop(text, *_):
        raise Written(text)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Written) as written:
        patch.setattr(symbols.build, 'compiled', stop)
        from_sympy('text', *given, **more)
    return str(written.value)


def test_what_is_constant_on_the_group_is_a_constant_metric():
    body = Pose()
    assert 'int metric(' not in text_of(body, kinetic=body.xdot.dot(body.xdot) + body.W.dot(body.W))


def test_what_is_small_or_far_away_is_not_constant():
    dx, dy = POINT.dot
    assert 'int metric(' in text_of(POINT, kinetic=1e-15 * ((1 + x**2) * dx**2 + dy**2))
    assert 'int metric(' in text_of(POINT, kinetic=(1 + 1e-15 * x**2) * dx**2 + dy**2)
    assert 'int metric(' in text_of(POINT, kinetic=(2 + sympy.sign(x - 50)) * dx**2 + dy**2)
    assert 'int covectors(' in text_of(POINT, kinetic=T,
                                       velocity_constraints=[1e-14 * (sympy.cos(x) * dx + sympy.sin(x) * dy)])
    assert 'int metric(' in text_of(POINT, kinetic=dx**2 / x**2 + dy**2)


def test_scales_do_not_matter():
    made = from_sympy('scales', POINT, kinetic=1e3 * DX**2 + 1e-11 * DY**2)
    assert made.energy([0, 0], [1, 1]) == pytest.approx(1 / 4e3 + 1 / 4e-11)
    three = Reals('x y z')
    rows = [1e7 * three.dot[0] + 1e7 * three.dot[2], 1e-7 * three.dot[1]]
    assert from_sympy('rows', three, kinetic=three.dot[0]**2 + three.dot[1]**2 + three.dot[2]**2,
                      velocity_constraints=rows).dim == 3


# ---- lanes and time ----

def test_lanes_have_the_bits_of_one(tmp_path):
    """The tool's ensembles take several instances a call."""
    made = tmp_path / 'made.so'
    body, given = Planar(), {'m': 1.0, 'k': 0.3, 'rate': 2.0}
    m, k, rate, t = sympy.symbols('m k rate t')
    from_sympy('lanes', body, parameters=given, time=t, out=made, step=0.01,
               kinetic=m * (body.xdot**2 + body.ydot**2 + body.w**2 * (1 + body.x**2)) / 2,
               potential=k * sympy.sin(body.x + body.c) * sympy.cos(rate * t),
               velocity_constraints=[body.v[1] - k * sympy.sin(rate * t) * body.c],
               initial={body.v[0]: 0.3, body.w: 0.2, 'v2': 0})
    rows = []
    for width in ('1', '2', '8'):
        command = [liegrp.tool(), 'sweep', str(made), '--param', 'k=0.1:0.5:9', '--steps', '50', '--output', '-', '--quiet']
        rows.append(subprocess.run(command, env={**os.environ, 'LIEGRP_WIDTH': width}, check=True,
                                   stdout=subprocess.PIPE).stdout)
    assert rows[0].count(b'\n') >= 9
    assert rows[0] == rows[1] == rows[2]


def test_the_text_does_not_depend_on_hashes():
    """Another process, where sets have another order, finds what this one has compiled."""
    disk = next(make for make in systems.ALL if make.__name__ == 'rolling_disk')
    disk()
    folder = symbols.build.cache.folder()
    kept = sorted(folder.iterdir())
    assert any(path.name.startswith('rolling-disk-') for path in kept)
    seed = '1' if os.environ.get('PYTHONHASHSEED') != '1' else '2'
    subprocess.run([sys.executable, '-c', 'import systems; systems.rolling_disk()'], check=True,
                   env={**os.environ, 'PYTHONHASHSEED': seed, 'PYTHONPATH': os.pathsep.join(sys.path)})
    assert sorted(folder.iterdir()) == kept


@pytest.mark.parametrize('method', ['gauss', 'rkmk4'])
def test_constraints_that_move(method):
    """A bead on a rod that turns with w: its distance is cosh(w t), in the rod's frame. The constraint depends on the
    place and the time together; check=False, so that it is the motion that tells."""
    bead, t, w = Reals('x y'), sympy.Symbol('t'), sympy.Symbol('w')
    x, y = bead
    across = y * sympy.cos(w * t) - x * sympy.sin(w * t)
    model = from_sympy('bead', bead, kinetic=(bead.dot[0]**2 + bead.dot[1]**2) / 2, position_constraints=[across],
                       parameters={w: 1.3}, time=t, initial={x: 1, bead.dot[1]: w}, check=False)
    end = liegrp.Motion(model, method, step=0.01).start_state(*model.initial()).step(100)
    error = end.g - np.cosh(1.3) * np.array([np.cos(1.3), np.sin(1.3)])
    assert np.abs(error).max() < (1e-13 if method == 'gauss' else 1e-8)
    model.check()


def test_forces_along_one_velocity_add_up():
    point = Reals('x y')
    push = [(point.dot[0], 2), (point.dot[0] + point.dot[1], 1), (point.dot[1], -3)]
    model = from_sympy('pushed', point, kinetic=(point.dot[0]**2 + point.dot[1]**2) / 2, forces=push)
    rows = liegrp.run(model, 'gauss', step=0.1, steps=10).rows
    assert [rows['x'][-1], rows['y'][-1]] == pytest.approx([1.5, -1.0], abs=1e-13)


def test_the_derivative_of_a_force():
    """check() compares it with differences; of a body that turns, with controls and a parameter."""
    body, u, c = Rotation(), sympy.Symbol('u'), sympy.Symbol('c')
    push = [(body.w[0], -c * body.w[0]**3 + u * body.R[2, 0]), (body.w[1], sympy.sin(u) * body.w[2])]
    model = from_sympy('damped', body, kinetic=sum(w**2 for w in body.w) / 2, forces=push, controls=[u],
                       parameters={c: 0.3}, initial={body.w[0]: 1})
    assert model._definition.callbacks.force_derivative
    model.check(points=30)


def test_a_drift_of_rows_that_turn():
    """No column of the rows is constant: the drift is the shortest one, and the constraint is what was written."""
    point, t = Reals('x y z'), sympy.Symbol('t')
    (dx, dy, dz), z = point.dot, point.coordinates[2]
    model = from_sympy('conveyor', point, kinetic=(dx**2 + dy**2 + dz**2) / 2, time=t, initial={dz: 1.5, z: 0.2},
                       project=True,
                       velocity_constraints=[sympy.cos(z) * dx + 2 * sympy.sin(z) * dy - sympy.cos(t) - 2])
    rows = liegrp.run(model, 'gauss', step=0.05, steps=40).rows
    p = [rows[f'p_{i}'] for i in (1, 2)]
    kept = np.cos(rows['z']) * p[0] + 2 * np.sin(rows['z']) * p[1] - np.cos(rows['t']) - 2
    assert abs(kept[1:]).max() < 1e-13


@pytest.mark.parametrize('varies', [0, 1])
def test_invariants_of_velocities_and_time(varies):
    """J has off-diagonal entries, constant and not: the velocity is J^-1 p."""
    point, t = Reals('x y'), sympy.Symbol('t')
    x, y = point
    dx, dy = point.dot
    model = from_sympy('free', point, kinetic=(dx**2 + dx * dy + 2 * dy**2) / 2 * (1 + varies * x**2), time=t,
                       initial={dx: 0.3, dy: -0.4, x: 0.2}, invariants={'dx': dx, 'dy': dy, 'left': y - t * dy})
    rows = liegrp.run(model, 'gauss', step=0.1, steps=20).rows
    J = np.array([[1, 0.5], [0.5, 2]])
    v = np.linalg.solve(J, [rows['p_1'], rows['p_2']]) / (1 + varies * rows['x']**2)
    assert abs(v[0] - rows['inv_dx']).max() < 1e-14 and abs(v[1] - rows['inv_dy']).max() < 1e-14
    assert abs(rows['y'] - rows['t'] * v[1] - rows['inv_left']).max() < 1e-14


# ---- what a plug-in is ----

def test_files_are_kept_and_found_again(tmp_path):
    point, k = Reals('x'), sympy.Symbol('k')
    x, = point
    out, source = tmp_path / 'spring.so', tmp_path / 'spring.c'
    model = from_sympy('my spring', point, lagrangian=point.dot[0]**2 / 2 - k * x**2 / 2, parameters={k: 4.0},
                       initial={x: 1}, units={'x': 'm'}, out=out, source=source, summary='a "spring" \\ ω',
                       invariants={'H': point.dot[0]**2 / 2 + k * x**2 / 2})
    again = liegrp.load(out)
    assert again.parameters == model.parameters == {'k': 4.0}
    assert again.summary == 'a "spring" \\ ω'
    rows = liegrp.run(again, steps=100, step=0.01).rows
    assert abs(rows['x'] - np.cos(2 * rows['t'])).max() < 1e-3
    assert np.ptp(rows['inv_H']) < 1e-12
    told = subprocess.run([liegrp.tool(), 'info', str(out)], check=True, capture_output=True, text=True).stdout
    assert 'spring' in told


def test_initial_values(tmp_path):
    body, board, k = Rotation(), Planar('b'), sympy.Symbol('k')
    model = from_sympy('placed', [body, board], parameters={k: 0.5},
                       kinetic=body.w.dot(body.w) + board.xdot**2 + board.ydot**2 + board.w**2,
                       potential=k * board.x**2,
                       initial={body: (0, 0, 1, 0), board.theta: k, board.x: 2 * k, body.w[1]: 3})
    g, xi = model.initial()
    assert np.allclose(g, [0, 0, 1, 0, 1, 0, np.cos(0.5), np.sin(0.5)], atol=1e-16)
    assert xi.tolist() == [0, 3, 0, 0, 0, 0]


def test_compilers_that_are_not_there(monkeypatch, tmp_path):
    point = Reals('x')
    monkeypatch.setenv('CC', '/nowhere/cc')
    with pytest.raises(liegrp.Error, match='cannot be started'):
        from_sympy('none', point, kinetic=3.25 * point.dot[0]**2)
    monkeypatch.setenv('CC', 'false')
    with pytest.raises(liegrp.Error, match='false .* failed'):
        from_sympy('none', point, kinetic=3.25 * point.dot[0]**2, out=tmp_path / 'x.so')
    assert not (tmp_path / 'x.so').exists()


# ---- refusals, in the user's symbols ----

x, y, l, q = sympy.symbols('x y l q')
POINT, BODY, BOARD = Reals('x y'), Rotation(), Planar()
DX, DY = POINT.dot
T = (DX**2 + DY**2) / 2
REFUSED = [
    (dict(kinetic=T, potential=l * x), "undefined symbol 'l'"),
    (dict(kinetic=T, potential=sympy.Symbol('xdt')), "did you mean 'xdot'"),
    (dict(kinetic=T * DX), r'not quadratic in the velocities xdot, ydot: .*xdot\*\*3'),
    (dict(kinetic=sympy.sin(DX)), 'not quadratic'),
    (dict(kinetic=T + DX), 'linear in xdot'),
    (dict(kinetic=T + x), 'part without velocities'),
    (dict(kinetic=DX**2), 'does not depend on the velocity ydot'),
    (dict(kinetic=(DX + DY)**2), 'not positive'),
    (dict(kinetic=DX**2 - DY**2), 'not positive'),
    (dict(kinetic=T, potential=DX), 'must not depend on a velocity'),
    (dict(kinetic=T, velocity_constraints=[DX * DY]), r'not linear in the velocities .*xdot\*ydot'),
    (dict(kinetic=T, velocity_constraints=[x - y]), 'contains no velocity'),
    (dict(kinetic=T, velocity_constraints=[DX, DY, DX + DY]), '3 constraints on 2 velocities'),
    (dict(kinetic=T, position_constraints=[DX]), 'must not depend on a velocity'),
    (dict(kinetic=T, position_constraints=[sympy.Integer(1)]), 'contains no coordinate'),
    (dict(kinetic=T, forces=[(x, 1)]), 'not linear in the velocities'),
    (dict(kinetic=T, forces=[1]), 'expected a pair'),
    (dict(kinetic=T, potential=sympy.gamma(x)), 'gamma .* cannot be computed'),
    (dict(kinetic=T, potential=sympy.Max(x, 0)), 'Max .* cannot be computed'),
    (dict(kinetic=T, potential=sympy.Piecewise((x, x > 0), (0, True))), 'Piecewise .* cannot be computed'),
    (dict(kinetic=T, potential=sympy.I * x), 'no real number'),
    (dict(kinetic=T, potential=sympy.Function('f')(x)), 'function of the time'),
    (dict(kinetic=T, potential=sympy.Matrix([x, y])), 'no expression'),
    (dict(kinetic=T, initial={'z': 1}), "'z' is no coordinate and no velocity"),
    (dict(kinetic=T, initial={x: y}), 'must not depend on a coordinate'),
    (dict(kinetic=T, initial={POINT: (1, 2)}), 'quaternion'),
    (dict(kinetic=T, parameters={x: 1}), "name 'x' is a coordinate and a parameter"),
    (dict(kinetic=T, parameters={'a=b': 1}), "parameter 'a=b' needs a name without '='"),
    (dict(kinetic=T, controls=['']), "control '' needs a name without '='"),
    (dict(kinetic=T, invariants={'a=b': x}), "invariant 'a=b' needs a name without '='"),
    (dict(kinetic=T, parameters={l: float('nan')}), "parameter 'l': its value nan is not a finite number"),
    (dict(kinetic=T, parameters={l: liegrp.Parameter(-1.0, low=0, high=5)}), "'l': -1 is outside its range from 0"),
    (dict(kinetic=T, parameters={l: liegrp.Parameter(0.0, low=0, open=True)}), 'from 0 to inf, bounds not allowed'),
    (dict(kinetic=T, parameters={l: 'one'}), "parameter 'l': not numbers: value 'one'"),
    (dict(kinetic=T, lagrangian=T), 'either kinetic'),
    (dict(lagrangian=T - x, potential=x), 'do not give both'),
    (dict(), 'either kinetic'),
]


@pytest.mark.parametrize('wrong, message', REFUSED, ids=range(len(REFUSED)))
def test_refusals(wrong, message):
    with pytest.raises(liegrp.ArgumentError, match=message):
        from_sympy('wrong', POINT, **wrong)


def test_refusals_of_other_groups():
    rolling = [BODY.w[0], 2 * BODY.w[0]]
    with pytest.raises(liegrp.ArgumentError, match='dependent: velocity constraint 1, velocity constraint 2'):
        from_sympy('wrong', BODY, kinetic=BODY.w.dot(BODY.w), velocity_constraints=rolling)
    with pytest.raises(liegrp.ArgumentError, match='the angle theta itself'):
        from_sympy('wrong', BOARD, kinetic=BOARD.v.dot(BOARD.v) + BOARD.w**2, potential=BOARD.theta)
    with pytest.raises(liegrp.ArgumentError, match='no factor'):
        from_sympy('wrong', 'SE(2)', kinetic=1)
    with pytest.raises(liegrp.ArgumentError, match='one factor'):
        from_sympy('wrong', [], kinetic=1)
    with pytest.raises(liegrp.ArgumentError, match='without coordinates'):
        Reals('')


def test_a_matrix_of_one_entry_is_that_entry():
    w = BODY.w
    made = from_sympy('matrix', BODY, kinetic=w.T * sympy.diag(1, 2, 3) * w / 2)
    assert made.energy([0, 0, 0, 1], [1, 2, 3]) == pytest.approx((1 + 2 + 3) / 2)


def test_all_functions_and_constants_have_their_values():
    """The compiler's ISO C has no names for constants."""
    point = Reals('x y')
    x, y = point
    parts = [sympy.tan(x / 3), sympy.cot(x + 2), sympy.sec(x / 3), sympy.sinh(x), sympy.cosh(x * y), sympy.tanh(x),
             sympy.asin(x / 4), sympy.acos(x / 4), sympy.atan(x), sympy.atan2(y + 2, x), sympy.Abs(x + 3), sympy.sign(x + 3),
             (x + 3)**sympy.Rational(3, 2), (x + 3)**sympy.Float(1.3), sympy.exp(-x**2), sympy.log(x + 3),
             sympy.pi * x**3 / 7, (x + 3)**-2, sympy.sqrt(x + 3), (x + 3)**y, sympy.sin(sympy.cos(x))]
    numbers = [sympy.sqrt(2) / 2, sympy.log(2), sympy.log(10), 2 / sympy.pi, 2 / sympy.sqrt(sympy.pi), sympy.pi / 2,
               sympy.E, sympy.GoldenRatio]
    functions = len(parts)
    parts += [number * x + number for number in numbers]
    weights = sympy.symbols(f'a0:{len(parts)}')
    made = from_sympy('functions', point, kinetic=(point.dot[0]**2 + point.dot[1]**2) / 2, initial={x: 0.3, y: 0.2},
                      potential=sum(a * part for a, part in zip(weights, parts)), parameters={a: 1.0 for a in weights})
    for i, part in enumerate(parts):
        made.set({str(b): float(b == weights[i]) for b in weights})
        assert made.energy([0.3, 0.2], [0, 0]) == pytest.approx(float(part.subs({x: 0.3, y: 0.2})),
                                                                rel=1e-14 if i < functions else 1e-15), part


def test_unused_parameters_are_told():
    with pytest.warns(UserWarning, match='nothing depends on the parameter k'):
        from_sympy('unused', POINT, kinetic=T, parameters={'k': 1.0})


@pytest.mark.parametrize('name', ['factors', 'parse', 'problem', 'derive', 'emit', 'source', 'cache', 'build'])
def test_examples(name):
    module = importlib.import_module(f'liegrp.symbols.{name}')
    assert doctest.testmod(module, extraglobs={'liegrp': liegrp}, optionflags=doctest.ELLIPSIS).failed == 0


def test_the_benchmark_runs(program):
    said = program(pathlib.Path(__file__).parents[2] / 'benchmarks/python/symbols.py', 20)
    assert said.count(' ns ') >= 2 * len(systems.ALL)


def test_public_names():
    assert set(symbols.__all__) <= set(dir(symbols))
    assert symbols.hat((1, 2, 3)) == -symbols.hat((1, 2, 3)).T
    assert issubclass(Angles, symbols.Factor)
    assert liegrp.from_sympy('lazy', POINT, kinetic=T).dim == 2


def test_initial_data_that_violate_constraints_are_refused():
    body = Planar()
    skate = dict(kinetic=(body.v[0]**2 + body.v[1]**2 + body.w**2) / 2, velocity_constraints=[body.v[1]])
    with pytest.raises(liegrp.ArgumentError, match='initial data of skate-wrong: .*violates constraint 1: .*0.3'):
        from_sympy('skate-wrong', body, initial={body.v[0]: 1.0, body.v[1]: 0.3}, **skate)
    moved = from_sympy('skate-wrong', body, initial={body.v[0]: 1.0, body.v[1]: 0.3}, project=True, **skate)
    assert liegrp.Motion(moved, step=0.1).xi[1] == 0
    point = Reals('x y')
    x, y = point
    circle = dict(kinetic=(point.dot[0]**2 + point.dot[1]**2) / 2,
                  position_constraints=[x**2 + y**2 - 1])
    with pytest.raises(liegrp.ArgumentError, match='initial data of circle-wrong: .*configuration violates'):
        from_sympy('circle-wrong', point, initial={x: 1.5}, **circle)
    from_sympy('circle-wrong', point, initial={x: 1.0, point.dot[1]: 2.0}, **circle)


def test_given_angular_velocity(tmp_path):
    body, t = symbols.Rotation(), sympy.Symbol('t')
    w = [0.3 * sympy.cos(5 * t), 0.3 * sympy.sin(5 * t), 0.05]
    M = liegrp.from_sympy('coning', body, kinetic=sum(x**2 for x in body.w) / 2, time=t,
                          velocity_constraints=[sympy.Eq(body.w[i], w[i]) for i in range(3)],
                          initial={body.w[0]: 0.3, body.w[2]: 0.05})
    fine, coarse = (liegrp.Motion(M, 'gauss', step=h).run_to(1).row for h in (0.02, 0.1))
    assert all(abs(fine[name] - coarse[name]) < 1e-14 for name in ('qx', 'qy', 'qz', 'qw'))


def test_time_in_the_kinetic_energy():
    time = sympy.Symbol('t')
    xdot, tau, taudot = sympy.symbols('xdot tau taudot')
    with pytest.raises(liegrp.ArgumentError, match=r"Let the time be a coordinate, Reals\('tau'\): add taudot\*\*2/2"):
        liegrp.from_sympy('m', symbols.Reals('x'), kinetic=(1 + time) * xdot**2 / 2, time=time)
    M = liegrp.from_sympy('m', symbols.Reals('x tau'), kinetic=(1 + tau) * xdot**2 / 2 + taudot**2 / 2,
                          velocity_constraints=[sympy.Eq(taudot, 1)], initial={xdot: 1, taudot: 1})
    assert abs(liegrp.Motion(M, 'gauss', step=0.01).run_to(1).row['x'] - np.log(2)) < 1e-14
