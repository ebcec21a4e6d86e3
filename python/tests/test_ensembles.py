# SPDX-License-Identifier: BSD-3-Clause
"""Ensembles: the bits of single runs, arrays, failures."""
import numpy as np
import pytest

import liegrp


@pytest.mark.parametrize('name', ('rolling-ball', 'snakeboard', 'heavy-top', 'suslov', 'mobile-robot'))
@pytest.mark.parametrize('method, tolerance', (('sem', None), ('gni', None), ('gauss', 1e-9)))
@pytest.mark.parametrize('threads', (1, 2))
def test_bits_of_single_runs(name, method, tolerance, threads):
    model = liegrp.Model(name)
    ensemble = liegrp.Ensemble(model, 11, method, step=model.default_step, tolerance=tolerance, threads=threads,
                               project=True)
    g, xi = model.initial()
    speeds = np.linspace(0.5, 1.5, 11)
    ensemble.start_state(g, xi * speeds[:, None])
    samples = ensemble.run(30, every=10)
    assert not ensemble.retired.any() and (ensemble.steps_done() == 30).all() and ensemble.threads <= threads
    for i, speed in enumerate(speeds):
        it = liegrp.Motion(model, method, step=model.default_step, tolerance=tolerance)
        it.start_state(g, xi * speed, project=True)
        for k in range(3):
            it.step(10)
            assert (it.g == samples.g[i, k]).all() and (it.p == samples.p[i, k]).all()
            assert it.energy == samples.energy[i, k] and it.t == samples.t[i, k]
    assert (ensemble.g == samples.g[:, -1]).all()
    assert (ensemble.xi == samples.xi[:, -1]).all() and (ensemble.energy == samples.energy[:, -1]).all()


def test_parameters_and_initial_data():
    ball = liegrp.Model('rolling-ball')
    omega, x = np.linspace(0.1, 1, 7), np.linspace(1, 2, 7)
    ensemble = liegrp.Ensemble(ball, 7, step=0.1, parameters={'Omega': omega}, initial={'x': x})
    ensemble.run(20)
    for i in range(7):
        rows = liegrp.run(liegrp.Model('rolling-ball', Omega=omega[i], initial={'x': x[i]}), step=0.1, steps=20).rows
        assert rows['x'][-1] == ensemble.g[i, 0] and rows['energy'][-1] == ensemble.energy[i]
    assert 'instances' not in repr(ensemble) and len(ensemble) == 7
    with pytest.raises(liegrp.ArgumentError, match='Omega'):
        ensemble.start(parameters={'Omega': np.zeros(3)})
    ensemble.start(parameters={'Omega': np.array([1, np.nan, 1, 1, 1, 1, 1])})
    assert ensemble.retired.sum() == 1 and 'Omega' in ensemble.reason(1)


NAMES = [
    (lambda E: liegrp.Ensemble('heavy-top', 3, mm=[1, 2, 3]), "unknown parameter 'mm' of heavy-top; .*mean 'm'"),
    (lambda E: liegrp.Ensemble('heavy-top', 3, parameters={'mm': 1}), "unknown parameter 'mm'"),
    (lambda E: liegrp.Ensemble('heavy-top', 3, parameters={'m': 1}, m=2), "'m' is given twice"),
    (lambda E: liegrp.Ensemble('heavy-top', 3, initial={'x_1': 1}), "unknown initial value 'x_1' .*mean 'xi_1'"),
    (lambda E: E.start(parameters={'mm': 1}), "unknown parameter 'mm'"),
    (lambda E: E.start({'qq': 1}), "unknown initial value 'qq'"),
    (lambda E: E.start(parameters={1: 1}), 'unknown parameter 1'),
    (lambda E: E.model.set(m=5.0, gg=1.0), "unknown parameter 'gg'"),
    (lambda E: E.model.set({'m': 5.0}, m=5.0), "'m' is given twice"),
    (lambda E: E.model.set_initial(qx=0.1, x_1=1), "unknown initial value 'x_1'"),
    (lambda E: liegrp.Model('heavy-top', {'m': 1}, m=2), "'m' is given twice"),
]


@pytest.mark.parametrize('call, words', NAMES)
def test_unknown_names_are_refused_before_anything_is_set(call, words):
    ensemble = liegrp.Ensemble(liegrp.Model('heavy-top'), 3, step=0.1)
    before = ensemble.model.parameters, ensemble.model.initial(), ensemble.energy
    with pytest.raises(liegrp.ArgumentError, match=words):
        call(ensemble)
    after = ensemble.model.parameters, ensemble.model.initial(), ensemble.energy
    assert repr(before) == repr(after) and not ensemble.retired.any()


def test_controls():
    robot = liegrp.Model('two-wheeled-robot')
    u = np.random.default_rng(1).uniform(-0.1, 0.1, (5, 4, 2))
    ensemble = liegrp.Ensemble(robot, 5, step=0.02)
    samples = ensemble.run(20, every=5, controls=u)
    for i in range(5):
        it = liegrp.Motion(robot, 'sem', step=0.02)
        for k in range(4):
            it.set_control(u[i, k]).step(5)
            assert (it.g == samples.g[i, k]).all()
    ensemble.set_controls(u[:, 0])
    ensemble.run(5, controls=[0.1, 0.2])  # the same for all
    with pytest.raises(liegrp.ArgumentError, match='no controls'):
        liegrp.Ensemble(liegrp.Model('suslov'), 2).set_controls(np.zeros((2, 0)))
    with pytest.raises(liegrp.ArgumentError, match=r'steps|every'):
        ensemble.run(-1)
    with pytest.raises(liegrp.ArgumentError, match=r'every'):
        ensemble.run(5, every=0)
    with pytest.raises(liegrp.ArgumentError, match='shared out'):
        ensemble.run(7, controls=u)
    with pytest.raises(liegrp.ArgumentError, match='controls'):
        ensemble.run(4, controls=u[..., :1].repeat(3, axis=2))


CLOCKS = [(pieces, every) for pieces in (1, 2, 5, 20) for every in (1, 3, 5, 7, 10, 12, 20)]


@pytest.mark.parametrize('pieces, every', CLOCKS)
def test_samples_have_one_clock_for_all_pieces(pieces, every):
    u = np.random.default_rng(1).uniform(-0.1, 0.1, (2, pieces, 2))
    ensemble = liegrp.Ensemble(liegrp.Model('two-wheeled-robot'), 2, step=0.02)
    samples = ensemble.run(20, every=every, controls=u)
    it = liegrp.Motion(ensemble.model, step=0.02)
    times, places = [], []
    for k in range(20):
        it.set_control(u[1, k * pieces // 20]).step()
        if (k + 1) % every == 0:
            times.append(it.t), places.append(it.g)
    np.testing.assert_array_equal(samples.t[1], times)
    np.testing.assert_array_equal(samples.g[1], places)


@pytest.mark.parametrize('pieces, every', CLOCKS)
def test_samples_of_motions_have_one_clock(pieces, every):
    u = np.random.default_rng(2).uniform(-1, 1, (2, pieces, 2))
    ensemble = liegrp.Ensemble(liegrp.Mechanism.gallery('vehicle'), 2, step=0.01)
    samples = ensemble.run(20, every=every, controls=u)
    motion = liegrp.Motion(ensemble.model, step=0.01)
    places = []
    for k in range(20):
        motion.set_control(u[1, k * pieces // 20])
        motion.step()
        if (k + 1) % every == 0:
            places.append(motion.positions)
    np.testing.assert_array_equal(samples.positions[1], places)
    assert samples.t.shape == (2, 20 // every)


def test_what_cannot_be_sampled_is_said():
    ensemble = liegrp.Ensemble(liegrp.Model('two-wheeled-robot'), 3, step=0.02)
    with pytest.raises(liegrp.ArgumentError, match='every = 6 is more than the 5 steps'):
        ensemble.run(5, every=6)
    with pytest.raises(liegrp.ArgumentError, match='multiple of the pieces'):
        ensemble.run(10, controls=np.zeros((3, 3, 2)))
    with pytest.raises(liegrp.ArgumentError, match='0 pieces'):
        ensemble.run(10, controls=np.zeros((3, 0, 2)))
    ensemble.start_state(np.full(6, np.nan), np.zeros(5))
    with pytest.warns(RuntimeWarning, match='all 3 instances are retired, so none moves; the first: '):
        ensemble.run(2)


def test_figures_and_memory():
    ensemble = liegrp.Ensemble(liegrp.Model('snakeboard'), 4, step=0.1, monitor=5)
    ensemble.run(50)
    figures = ensemble.figures()
    assert figures['energy_high'] == pytest.approx(figures['energy_first']) and (figures['constraint'] < 1e-13).all()
    assert ensemble.bytes > 0 and ensemble.width in (1, 2, 4, 8)
    with pytest.raises(liegrp.ArgumentError):
        liegrp.Ensemble(liegrp.Model('rolling-ball'), 4).figures()


def test_failures_stay_local():
    model = liegrp.Model('rolling-ball')
    g, xi = model.initial()
    velocities = np.tile(xi, (4, 1))
    velocities[2] = np.nan
    ensemble = liegrp.Ensemble(model, 4, step=0.1)
    ensemble.start_state(g, velocities)
    ensemble.run(5)
    assert list(ensemble.retired) == [False, False, True, False] and ensemble.reason(2) and not ensemble.reason(1)
    samples = ensemble.state()
    assert (samples.t[[0, 1, 3]] == 0.5).all()


def test_functions_in_python():
    def force(c, g, xi):
        return -0.1 * xi
    spring = liegrp.System(liegrp.Rn(1), [1.0], initial=([1.0], [0.0]), potential=lambda c, q: 0.5 * q[0]**2,
                           potential_gradient=lambda c, q: q, force=force)
    ensemble = liegrp.Ensemble(spring, 3, step=0.1, threads=2)
    assert ensemble.threads == 1
    ensemble.run(10)
    it = liegrp.Motion(spring, 'sem', step=0.1).step(10)
    assert (ensemble.g == it.g).all()
    broken = liegrp.System(liegrp.Rn(1), [1.0], force=lambda c, g, xi: [1 / (2 - c.t)] if c.t < 0.5 else 1 / 0,
                           check=False, time_dependent=True)
    with pytest.raises(ZeroDivisionError):
        liegrp.Ensemble(broken, 2, step=0.1).run(10)


def test_with_inputs():
    board = liegrp.Model('snakeboard', m=2.0)
    B = [[0, 0], [0, 0], [-1, 0], [1, 0], [0, 1]]
    driven = liegrp.with_inputs(board, B, names=['rotor', 'axles'])
    assert driven['m'] == 2 and driven.controls == ['rotor', 'axles'] and not driven.invariants
    own = liegrp.System(board.group, np.diag([2, 2, 0.75, 0.25, 0.25]), controls=['rotor', 'axles'],
                        constraint_count=2, force=lambda c, g, xi: np.array(B) @ c.u,
                        covectors=lambda c, g: [[0, -1, 0, 0, 0], [np.sin(g[5]), 0, np.cos(g[5]), 0, 0]])
    g, xi = [0, 0, 1, 0, 0.1, 0.3], [0, 0, 0, 0.5, 0.4]
    u = [0.1, -0.2]
    states = [liegrp.Motion(each, step=0.05).start_state(g, xi).set_control(u).step(20) for each in (driven, own)]
    assert states[0].g == pytest.approx(states[1].g, abs=1e-9)
    ensemble = liegrp.Ensemble(driven, 9, step=0.05)
    ensemble.start_state(g, xi)
    ensemble.set_controls(u)
    ensemble.run(20)
    assert (ensemble.g == states[0].g).all()
    free = liegrp.System(board.group, np.diag([2, 2, 0.75, 0.25, 0.25]), constraint_count=2,
                         covectors=lambda c, g: [[0, -1, 0, 0, 0], [np.sin(g[5]), 0, np.cos(g[5]), 0, 0]])
    it = liegrp.Motion(liegrp.with_inputs(free, B), 'sem', step=0.05).start_state(g, xi).set_control(u).step(20)
    assert (it.g == states[1].g).all()
    for wrong in ([[1, 2]], np.zeros((4, 2))):
        with pytest.raises(liegrp.ArgumentError, match='matrix'):
            liegrp.with_inputs(board, wrong)
    with pytest.raises(liegrp.ArgumentError, match='of its own'):
        liegrp.with_inputs(own, B)
    with pytest.raises(liegrp.ArgumentError, match='names'):
        liegrp.with_inputs(board, B, names=['one'])


@pytest.mark.parametrize('name', liegrp.gallery())
@pytest.mark.parametrize('method, tolerance', (('sem', 0), ('gauss', 1e-8)))
def test_motions_have_the_bits_of_single_ones(name, method, tolerance):
    m = liegrp.Mechanism.gallery(name).compile()
    if method == 'gauss' and len(liegrp.Motion(m).contacts) > 0:
        with pytest.raises(liegrp.UnsupportedError, match='contacts'):
            liegrp.Ensemble(m, 5, method, tolerance=tolerance)
        return
    ensemble = liegrp.Ensemble(m, 5, method, tolerance=tolerance)
    single = liegrp.Motion(m, method, tolerance=tolerance)
    velocities = single.velocities * np.linspace(0.9, 1.1, 5)[:, None]
    ensemble.start_joints(np.tile(single.positions, (5, 1)), velocities, project=True)
    samples = ensemble.run(6, every=3)
    assert not ensemble.retired.any() and ensemble.positions.shape == (5, single.position_count)
    for i in range(5):
        start = liegrp.Motion(m, method, tolerance=tolerance)
        start.start_joints(single.positions, velocities[i], project=True)
        start.step(6)
        assert (start.positions == samples.positions[i, 1]).all() and (start.poses == samples.poses[i, 1]).all()
        assert start.energy == samples.energy[i, 1] == ensemble.energy[i] and start.work == samples.work[i, 1]
        assert (ensemble.velocities[i] == start.velocities).all() and (ensemble.positions[i] == start.positions).all()


def test_motions_with_controls():
    m = liegrp.Mechanism.gallery('vehicle')
    u = np.random.default_rng(2).uniform(-1, 1, (4, 3, 2))
    ensemble = liegrp.Ensemble(m, 4, step=0.01, threads=2)
    ensemble.run(9, controls=u)
    motion = liegrp.Motion(m, step=0.01)
    for k in range(3):
        motion.set_control(u[3, k])
        motion.step(3)
    assert (motion.positions == ensemble.positions[3]).all() and ensemble.state().work[3] == motion.work
    taken = ensemble.motion(3)
    taken.step(2)
    ensemble.continue_from(0, motion)
    ensemble.set_controls(u[3, 2])
    ensemble.run(2)
    assert (ensemble.positions[0] == taken.positions).all() and (ensemble.steps_done() >= 2).all()
    assert isinstance(ensemble.state(), liegrp.Samples) and ensemble.bytes > 0


def test_motions_that_fail():
    ensemble = liegrp.Ensemble(liegrp.Mechanism.gallery('double-pendulum'), 3, step=0.01)
    positions = np.zeros((3, 2))
    positions[1] = np.nan
    ensemble.start_joints(positions)
    assert list(ensemble.retired) == [False, True, False] and ensemble.reason(1)
    ensemble.run(2)
    assert np.isfinite(ensemble.energy[[0, 2]]).all()
    with pytest.raises(liegrp.ArgumentError, match='positions'):
        ensemble.start_joints(np.zeros((2, 2)))


def test_mechanisms_start_by_columns():
    ensemble = liegrp.Ensemble('double-pendulum', 3, step=0.01, initial={'elbow': [0.1, 0.2, 0.3], 'shoulder_vel': 1})
    motion = liegrp.Motion('double-pendulum', step=0.01).start(elbow=0.2, shoulder_vel=1)
    np.testing.assert_array_equal(ensemble.run(4).positions[1], motion.step(4).positions)
    ensemble.start({'elbow': [0.1, 0.2, 0.3]})
    assert (ensemble.steps_done() == 0).all()
    loops = liegrp.Ensemble('four-bar', 2, initial={'a_vel': [np.nan, 1]})
    assert list(loops.retired) == [False, True] and 'violates joint' in loops.reason(1) and loops.reason(0) == ''
    for call, words in ((lambda: ensemble.start({'knee': 1}), "unknown initial value 'knee'"),
                        (lambda: ensemble.start(parameters={'g': 1}), 'before it is compiled'),
                        (lambda: ensemble.start_state([0.0], [0.0]), 'start_joints'), (lambda: ensemble.g, 'have no g'),
                        (lambda: liegrp.Ensemble('suslov', 2).positions, 'is no mechanism'),
                        (lambda: liegrp.Ensemble('four-bar', 2, 'gni'), 'have sem, rattle and gauss'),
                        (lambda: liegrp.Ensemble('four-bar', 2, 'sem', 'cayley'), 'has no retraction')):
        with pytest.raises((liegrp.UnsupportedError, liegrp.ArgumentError), match=words):
            call()


def test_what_both_kinds_have():
    for of in ('double-pendulum', 'heavy-top'):
        ensemble = liegrp.Ensemble(of, 5, step=0.01, monitor=2).run(20)
        motion = liegrp.Motion(ensemble.model, step=0.01).step(20)
        figures = ensemble.figures()
        assert (figures['constraint'] < 1e-13).all() and figures['energy_first'] == pytest.approx(motion.energy)
        taken = ensemble.motion(4)
        np.testing.assert_array_equal(taken.row.tolist(), motion.row.tolist())
        copy = taken.copy()
        del ensemble, taken
        np.testing.assert_array_equal(copy.step().row.tolist(), motion.step().row.tolist())
        other = liegrp.Ensemble(motion.model, 2, step=0.01).continue_from(1, motion).run(3)
        assert other.energy[1] == motion.step(3).energy
        with pytest.raises(liegrp.ArgumentError, match='another method'):
            other.continue_from(0, liegrp.Motion(motion.model, step=0.02))
        with pytest.raises(liegrp.ArgumentError, match='mixed systems'):
            other.continue_from(0, liegrp.Motion('suslov', step=0.01))
        with pytest.raises(liegrp.ArgumentError, match='no instance 2'):
            other.motion(2)
