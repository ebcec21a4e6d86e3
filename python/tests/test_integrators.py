# SPDX-License-Identifier: BSD-3-Clause
"""Motions of models and their integrators: steps, state, events, checkpoints, derivatives."""
import math
import threading

import numpy as np
import pytest

import liegrp

BALL = liegrp.Model('rolling-ball', Omega=0.9)
METHODS = ['sem', 'gni', 'gni:midpoint', 'dla', 'nsv', 'sml', 'rk4', 'sem@suzuki4', 'gauss:stages=2']


def started(method='sem', model=BALL, step=0.1, **more):
    return liegrp.Motion(model, method, step=step, **more)


@pytest.mark.parametrize('method', METHODS)
def test_many_steps_are_single_steps(method):
    many, single = started(method).step(200), started(method)
    for _ in range(200):
        single.step()
    assert many.step_index == single.step_index == 200 and many.t == single.t
    for name in ('g', 'p', 'xi'):
        np.testing.assert_array_equal(getattr(many, name), getattr(single, name))
    for name in ('p_plus', 'p_minus', 'step_velocity', 'multipliers'):
        np.testing.assert_array_equal(getattr(many.integrator, name), getattr(single.integrator, name))
    assert many.slip < 1e-10 and many.iterations == single.iterations


def test_state():
    it = started('gni').step(5)
    assert it.g.shape == (6,) and it.xi.shape == (5,) and it.integrator.holonomic_multipliers.shape == (0,)
    np.testing.assert_array_equal(it.p, (it.integrator.p_plus + it.integrator.p_minus) / 2)
    inner = it.integrator
    assert inner.energy_post > 0 and inner.normal_part >= 0 and math.isnan(inner.step_work) and it.step_size == 0.1
    kept, seen = it.g, it.integrator.view('g')
    it.step()
    assert not np.array_equal(kept, it.g)
    np.testing.assert_array_equal(it.integrator.view('g'), it.g)
    with pytest.raises(ValueError):
        seen[0] = 1
    with pytest.raises(liegrp.ArgumentError, match='unknown vector'):
        it.integrator.view('q')
    with pytest.raises(liegrp.ArgumentError, match='not started'):
        liegrp.Motion(BALL, step=0.1, started=False).g
    pendulum = started(model=liegrp.Model('double-spherical-pendulum'), step=0.01).step(10)
    assert pendulum.gap < 1e-12 and pendulum.integrator.holonomic_multipliers.shape == (2,)
    assert started(model=liegrp.Model('suslov')).step(3).integrator.step_work == pytest.approx(0, abs=1e-14)
    assert isinstance(it, liegrp.State)


def test_starts():
    g, xi = BALL.initial()
    first, it = (started('gni', start=start) for start in ('legendre', 'reaction'))
    assert not np.array_equal(first.integrator.p_minus, it.integrator.p_minus)
    with pytest.raises(liegrp.ArgumentError, match='LEGENDRE|expected one of'):
        started('gni', start='Legendre')
    with pytest.raises(liegrp.ArgumentError, match='violat|constraint'):
        it.start_state(g, xi + 1)
    assert it.start_state(g, xi + 1, project=True, t0=2).t == 2
    p = it.integrator.p_minus
    it.integrator.start_momentum(g, p)
    np.testing.assert_array_equal(it.integrator.p_minus, p)
    with pytest.raises(liegrp.ArgumentError, match=r'g must have the shape \(6,\)'):
        it.start_state(np.zeros(5))
    it.start({'x': 0.5}, xi_3=0.1, project=True)
    assert it.g[0] == it.row['x'] == 0.5 and it.start(it.row, t0=3, project=True).t == 3 and it.g[0] == 0.5
    for wrong, words in (({'nosuch': 1}, "unknown position or velocity 'nosuch'"), ({'xi_1': 1}, 'violat|constraint'),
                         ({'energy': 1}, 'unknown position or velocity'), (np.zeros(3), 'initial must have the shape'),
                         (liegrp.Motion('suslov').row, 'the row is of another model')):
        with pytest.raises(liegrp.ArgumentError, match=words):
            it.start(wrong)
    it.start()
    assert it.step(3).reset().step_index == 0


def test_refusals():
    with pytest.raises(liegrp.ArgumentError, match='unknown method'):
        liegrp.Motion(BALL, 'semm')
    with pytest.raises(liegrp.ArgumentError, match='at least 0'):
        started().step(-1)
    for count in (float('nan'), 2.5, '3', None):
        with pytest.raises(TypeError):
            started().step(count)
    with pytest.raises(liegrp.Error, match='not started|start'):
        liegrp.Motion(BALL, started=False).step()
    with pytest.raises(liegrp.UnsupportedError):
        liegrp.Motion(BALL, 'sem', tolerance=1e-6)
    assert 'sem' in liegrp.methods() and 'yoshida4' in liegrp.compositions()


def test_convergence_error_leaves_the_state():
    it = started('sem', liegrp.Model('heavy-top'), 5.0)
    g, p = it.g, it.p
    with pytest.raises(liegrp.ConvergenceError, match='h = 5 is too large') as caught:
        it.step()
    assert caught.value.status == 'LG_ERROR_CONVERGENCE' and it.step_index == 0
    np.testing.assert_array_equal(np.append(it.g, it.p), np.append(g, p))


def test_settings():
    it = started(model=liegrp.Model('heavy-top'), step=0.01).set_solver(1e-13)
    it.integrator.set_solver(1e-13, 200)
    it.integrator.set_newton(1e-9, 20)
    assert it.step().step_index == 1
    with pytest.raises(liegrp.ArgumentError, match='positive|tolerance'):
        it.integrator.set_newton(-1.0)


def test_events_and_times():
    it = started().run_to(0.25)
    assert it.t == 0.25 and it.step().t == 0.35
    x = it.g[0]
    seen = []

    def crossing(state):
        seen.append((state.t, state.model['Omega'], state.g.shape, state.xi.shape))
        return state.t - 0.4
    assert it.step_to_event(crossing, 'up') == 1 and it.t == pytest.approx(0.4, abs=1e-11)
    assert it.step_to_event(crossing, 'up', 1e-9) == 0 and it.t == pytest.approx(0.5, abs=1e-11)
    assert seen[0] == (0.35, 0.9, (6,), (5,)) and it.g[0] != x
    with pytest.raises(ZeroDivisionError):
        it.step_to_event(lambda state: 1 / 0)


def test_run_to_looks_for_signals_without_other_steps():
    far, steps = started(step=1e-3), started(step=1e-3)
    np.testing.assert_array_equal(far.run_to(150.0005).g, steps.step(150000).run_to(150.0005).g)


def test_tolerance():
    it = started('gauss', tolerance=1e-9).step(3)
    assert it.tolerance == 1e-9 and it.found_step > 0 and it.step_error < 1e-10
    assert it.set_tolerance(0).tolerance == 0


@pytest.mark.parametrize('method', METHODS)
def test_checkpoints_and_copies(method):
    it = started(method).step(7)
    other, copy = liegrp.Motion(BALL, method, step=0.1, started=False).load(it.save()), it.copy()
    for each in (it, other, copy):
        each.step(5)
    assert it.save() == other.save() == copy.save()
    with pytest.raises(liegrp.ArgumentError, match='checkpoint'):
        it.load(b'nonsense')


def test_diagnostics():
    it = started('gni', step=0.05)
    assert it.integrator.reversibility(20) < 1e-11
    assert abs(it.integrator.determinant()) == pytest.approx(1, abs=1e-8)
    assert it.integrator.parasitic_growth()[1] >= 1
    assert it.resolution(4)['samples'] == 4
    with pytest.raises(liegrp.UnsupportedError, match='sparse step, which has no integrator'):
        liegrp.Motion('four-bar').integrator
    assert isinstance(liegrp.Motion('four-bar', 'sem:gauss=2').integrator, liegrp.Integrator)


def test_derivatives_by_parameters():
    """By I1, and by a switch, which has none."""
    ends = []
    for value in (2.0 - 1e-5, 2.0 + 1e-5, 2.0):
        it = liegrp.Motion(liegrp.Model('rigid-body', I1=value), step=0.1)
        it.integrator.start_momentum([0, 0, 0, 1], [1, 0.2, 0.3])
        J = liegrp.Linearisation(it).compute(it).jacobian
        ends.append(it.step().p)
    np.testing.assert_allclose(J[3:6, 7], (ends[1] - ends[0]) / 2e-5, rtol=0, atol=1e-9)
    it = started('sem', liegrp.Model('biinvariant-so3'))
    lin = liegrp.Linearisation(it).compute(it)
    assert 'distribution' in lin.unknown and np.isnan(lin.jacobian).any(axis=0).sum() == 1


def test_linearisation():
    it = started('gni', liegrp.Model('suslov'))
    lin = liegrp.Linearisation(it).compute(it)
    J = lin.jacobian
    assert lin.shape == J.shape
    np.testing.assert_array_equal(lin.A, J[:6, :6])
    assert lin.B.shape == (6, 0)
    x, y = np.random.default_rng(0).standard_normal(J.shape[1]), np.random.default_rng(1).standard_normal(J.shape[0])
    np.testing.assert_allclose(lin.apply(x), J @ x, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(lin.apply_transposed(y), y @ J, rtol=1e-12, atol=1e-12)
    G, p, g = it.model.group, it.integrator.p_minus, it.g
    end = []
    for s in (1e-6, -1e-6):
        it.integrator.start_momentum(g, p + s * np.array([0, 1, 0]))
        end.append(it.step().integrator.p_minus)
    np.testing.assert_allclose((end[0] - end[1]) / 2e-6, J[3:6, 4], rtol=0, atol=1e-8)
    it.integrator.start_momentum(g, p)
    assert liegrp.Linearisation(it).step(it) and it.step_index == 1 and G.dim == 3
    with pytest.raises(liegrp.ArgumentError):
        lin.apply(np.zeros(3))


def test_rows():
    result = liegrp.run(BALL, step=0.1, steps=3)
    assert started().step(3).row.tolist() == pytest.approx(result.rows[3].tolist(), nan_ok=True)


def test_values_of_the_paper():
    """The exact solution of the Suslov problem is approached with order 2."""
    errors = []
    for h in (0.02, 0.01):
        a, b = (started('sem', liegrp.Model('suslov'), step).run_to(1.0).xi for step in (h, h / 8))
        errors.append(np.linalg.norm(a - b))
    assert 3.5 < errors[0] / errors[1] < 4.5


def test_the_lock_is_released():
    """Two threads step at a time: the second one gets on while the first one is in C."""
    passed, stop = [], threading.Event()

    def count():
        while not stop.is_set():
            passed.append(1)
    thread = threading.Thread(target=count)
    it = started(model=liegrp.Model('suslov'))
    thread.start()
    before = len(passed)
    it.step(3 * 10**5)
    during = len(passed) - before
    stop.set()
    thread.join()
    assert during > 1000


def test_repr():
    assert repr(liegrp.Motion('suslov', step=0.1)) == '<liegrp.Motion of suslov, sem, h = 0.1, t = 0.0>'
