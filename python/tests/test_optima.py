# SPDX-License-Identifier: BSD-3-Clause
"""Optimal control: the costs of known optima, what can be read, what is refused."""
import numpy as np
import pytest

import liegrp


@pytest.fixture
def body():
    made = liegrp.with_inputs(liegrp.Model('rigid-body'), np.eye(3), names=['x', 'y', 'z'])
    made.set(I1=1, I2=1.5, I3=2.2)
    return made


def turn(angle=2.0):
    return liegrp.SO3.exp(angle * np.array([1, 2, 3]) / np.sqrt(14))


def test_rigid_body(body):
    slew = liegrp.Optimum(body, steps=20, time=1.5, target=(turn(), np.zeros(3))).solve()
    assert slew.cost == pytest.approx(24.449688520964, rel=1e-11)
    assert slew.figures['solved'] and slew.figures['end_rank'] == 6 and slew.iterations <= 8
    assert slew.steps == 20 and slew.t[-1] == slew.time == pytest.approx(1.5)
    assert slew.costates.shape == (21, 6) and slew.gains.shape == (20, 3, 6)
    motion = liegrp.Motion(body, step=1.5 / 20)
    motion.start_state([0, 0, 0, 1], [0, 0, 0])
    for k, u in enumerate(slew.u):
        assert np.allclose(motion.g, slew.g[k], atol=1e-12) and np.allclose(motion.p, slew.p[k], atol=1e-11)
        motion.set_control(u)
        motion.step()
    assert np.allclose(motion.g, turn(), atol=1e-11)


def test_sleigh():
    sleigh = liegrp.with_inputs(liegrp.Model('chaplygin-sleigh'), [[1, 0], [0, 0], [0, 1]])
    parked = liegrp.Optimum(sleigh, steps=20, time=4, target=([0, 1, 1, 0], [0, 0, 0])).solve()
    assert parked.cost == pytest.approx(4.703736292009, rel=1e-9)


def test_limits_and_guess(body):
    free = liegrp.Optimum(body, steps=10, time=1.5, target=(turn(), np.zeros(3))).solve()
    most = abs(free.u).max()
    held = liegrp.Optimum(body, steps=10, time=1.5, target=(turn(), np.zeros(3)),
                          limits={'z': (-0.9 * most, 0.9 * most)})
    held.guess(free.g, free.p, free.u).solve()
    assert abs(held.u).max() < 0.9 * most and held.cost > free.cost
    nearer = free.move(target=(turn(1.9), None)).solve()
    assert nearer.iterations <= 5 and np.allclose(nearer.g[-1], turn(1.9))


def test_rows(body):
    part = liegrp.Optimum(body, steps=10, target=(turn(), np.zeros(3)), rows=[0, 0, 0, 1, 1, 1],
                          start=(None, [0.1, 0, 0])).solve()
    assert part.figures['end_count'] == 3 and np.allclose(part.p[-1], 0, atol=1e-9)


@pytest.mark.parametrize('arguments, message', [
    ({'steps': 0}, 'steps must be'), ({'steps': True}, 'steps must be'), ({'time': (2, 1)}, '0 < low < high'),
    ({'time': -1}, 'time -1'), ({'limits': {'w': (0, 1)}}, 'w'), ({'limits': {'x': (1, 1)}}, 'limits 1 and 1'),
    ({'limits': {'x': 3}}, 'pair'), ({'effort': np.zeros((3, 3))}, 'pivot 1'), ({'effort': [1, 2]}, 'effort'),
    ({'rows': [1]}, '6 truth values'), ({'target': [0, 0, 0, 1]}, 'pair'),
    ({'target': ([1, 1, 1, 1], None)}, 'off the'),
    ({'start': ([0, 0, 1], None)}, 'start: g'), ({'method': 'best'}, 'method'), ({'time_weight': 1}, 'time is given')])
def test_refused(body, arguments, message):
    with pytest.raises((liegrp.Error, ValueError), match=message):
        liegrp.Optimum(body, **arguments)


def test_impossible():
    two = liegrp.System(liegrp.Rn(3), [1, 1, 1], controls=['x', 'y'], force=lambda c, g, xi: [*c.u, 0])
    no = liegrp.Optimum(two, target=([0, 0, 5], None))
    with pytest.raises(liegrp.ConvergenceError):
        no.solve(30)
    assert np.isfinite(no.g).all()
    with pytest.raises(liegrp.ArgumentError, match='no gains'):
        no.gains
    with pytest.raises(liegrp.ArgumentError, match='no controls'):
        liegrp.Optimum('rolling-ball')


def test_exception():
    """An exception of a function in Python comes out of solve()."""
    def force(c, g, xi):
        if g[0] > 0.5:
            raise ZeroDivisionError('too far')
        return c.u
    cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=force, check=False)
    with pytest.raises(ZeroDivisionError):
        liegrp.Optimum(cart, steps=5, target=([1.0], [0.0])).solve()


def arm(torque=5):
    made = liegrp.Mechanism()
    for name, parent, joint, height in (('upper', None, 'shoulder', 0), ('lower', 'upper', 'elbow', -0.5)):
        made.add_body(name, mass=1, inertia=[0.02, 0.02, 0.02], position=[0, 0, height - 0.25])
        made.add_joint(joint, 'revolute', parent, name, point=[0, 0, height], axis=[0, 1, 0])
        made.add_motor(f'{joint} motor', joint, lower=-torque, upper=torque)
    return made


def test_mechanism():
    reach = liegrp.Optimum(arm(), steps=20, time=0.4, target={'elbow': 0.3}, rest=True).solve()
    assert reach.figures['end_count'] == 3 and reach.g.shape == reach.p.shape == (21, 2)
    assert reach.costates.shape == (21, 4) and reach.gains.shape == (20, 2, 4)
    assert abs(reach.costates[:, 2:]).max() > 0 and abs(reach.u).max() <= 5
    motion = reach.motion()
    for k, u in enumerate(reach.u):
        assert np.allclose(motion.positions, reach.g[k], atol=1e-9)
        motion.set_control(u).step()
    assert motion.positions[1] == pytest.approx(0.3, abs=1e-9) and np.allclose(motion.velocities, 0, atol=1e-9)
    again = liegrp.Optimum(reach.model, steps=20, time=0.4, start=motion, target={'elbow': 0.3, 'elbow_vel': 0})
    assert np.allclose(again.g[0], motion.positions) and again.figures['end_count'] == 2
    held = liegrp.Optimum(reach.model, steps=20, time=0.4, start={'shoulder': 0.1}, limits={'elbow motor': (-1, 1)},
                          target=([0.1, 0.2], None), rows=[1, 1, 0, 0]).solve()
    assert held.g[0] == pytest.approx([0.1, 0]) and abs(held.u[:, 1]).max() <= 1


def test_parked():
    park = liegrp.Optimum('vehicle', steps=8, time=1, target={'chassis_x': 0.1, 'chassis_rz': 0}, rest=True).solve()
    assert park.g[-1, 4] == pytest.approx(0.1) and park.figures['end_rank'] < park.figures['end_count']


@pytest.mark.parametrize('arguments, message', [
    ({'target': {'knee': 1}}, 'knee'), ({'target': {'elbow': 1}, 'rows': [1, 0, 0, 0]}, 'a dictionary names'),
    ({'target': ([0, 0], None), 'rest': True}, 'exclude each other'), ({'start': {'knee': 1}}, 'knee'),
    ({'limits': {'elbow motor': (-9, 9)}}, 'beyond its own'), ({'method': 'gni'}, 'gni'),
    ({'start': liegrp.Motion('furuta').start()}, 'motion of furuta'), ({'target': {'elbow': np.nan}}, 'elbow')])
def test_mechanism_refused(arguments, message):
    with pytest.raises((liegrp.Error, ValueError), match=message):
        liegrp.Optimum(arm(), **arguments)


def test_mechanism_without():
    with pytest.raises(liegrp.ArgumentError, match='no motors'):
        liegrp.Optimum('double-pendulum')
    with pytest.raises(liegrp.UnsupportedError, match='contacts'):
        liegrp.Optimum('gripper')
    with pytest.raises(liegrp.ArgumentError, match='for mechanisms'):
        liegrp.Optimum(liegrp.with_inputs(liegrp.Model('rigid-body'), np.eye(3)), rest=True)


def test_bounds_and_path():
    """A unit mass whose velocity is bounded, by bounds and by functions with and without derivatives."""
    cart = liegrp.System(liegrp.Rn(1), [1.0], controls=['push'], force=lambda c, g, xi: c.u)

    def move(**more):
        return liegrp.Optimum(cart, steps=20, target=([1.0], [0.0]), **more).solve()
    bound = move(bounds=([-np.inf, -np.inf], [np.inf, 1.2]))
    assert bound.p.max() == pytest.approx(1.2, abs=1e-8) and bound.cost > move().cost
    assert move(path=lambda t, g, p, u: 1.2 - p).cost == pytest.approx(bound.cost, rel=1e-7)
    known = move(path=lambda t, g, p, u: (1.2 - p, [[0, -1] + [0] * (u is not None)]))
    assert known.cost == pytest.approx(bound.cost, rel=1e-7)
    assert known.path_multipliers.sum() == pytest.approx(bound.path_multipliers.sum(), rel=1e-5)
    assert move().path_values.shape == (21, 0)

    def late(t, g, p, u):
        if t > 0.5:
            raise ZeroDivisionError('late')
        return 1.0
    with pytest.raises(ZeroDivisionError):
        move(path=late)
    with pytest.raises(liegrp.ArgumentError, match='must return 1 numbers'):
        move(path=lambda t, g, p, u: np.ones(1 if u is not None and t == 0 else 2))
    with pytest.raises(liegrp.ConvergenceError, match='path inequality 1 stays violated by 0.5 at node 20'):
        move(path=lambda t, g, p, u: 0.5 - g)


def test_avoid():
    def swing(**more):
        return liegrp.Optimum(arm(1e3), steps=10, time=0.6, target={'shoulder': 1, 'elbow': 0}, rest=True,
                              effort=[1, 1], **more)
    ball = {'body': 'lower', 'point': (0, 0, -0.25), 'radius': 0.05, 'at': (-0.4, 0, -0.4), 'sphere': 0.1}
    past = swing(avoid=[ball]).solve()
    assert past.cost == pytest.approx(5.66097308772, rel=1e-6) and past.path_values.min() > -1e-8
    held = swing(bounds={'elbow': (-0.5, 1), 'shoulder_vel': (-np.inf, 3)}).solve()
    assert held.g[:, 1].max() < 1 + 1e-6 and held.p[:, 0].max() < 3 + 1e-5
    for wrong, message in (({'bounds': {'knee': (0, 1)}}, 'knee'), ({'avoid': [{'body': 'lower'}]}, 'must have'),
                           ({'avoid': [{**ball, 'body': 'hand'}]}, 'hand'), ({'avoid': [{**ball, 'far': 1}]}, 'far'),
                           ({'bounds': {'elbow': 1}}, 'pair'), ({'path': 3}, 'function')):
        with pytest.raises(liegrp.Error, match=message):
            swing(**wrong)


def test_free_parameters():
    """The weight of a top is an unknown: with the best one the same optimum is found when it is given."""
    top = liegrp.with_inputs(liegrp.Model('heavy-top'), np.eye(3))
    target = liegrp.SO3.exp([0.5, 0.2, 0]), None
    free = liegrp.Optimum(top, steps=20, time=1, target=target, free={'g': (1, 20)}).solve()
    best = free.parameters['g']
    assert 1 < best < 20 and free.parameters['m'] == top.parameters['m']
    assert free.cost <= liegrp.Optimum(top, steps=20, time=1, target=target).solve().cost
    top.set(g=best)
    assert liegrp.Optimum(top, steps=20, time=1, target=target).solve().cost == pytest.approx(free.cost, rel=1e-6)
    for wrong, message in ((['I1'], 'constant arrays'), (['h'], "'h'"), ('g', 'names of parameters'),
                           ({'g': 3}, 'pair'), ({'g': (2, 1)}, 'bounds 2 and 1')):
        with pytest.raises(liegrp.Error, match=message):
            liegrp.Optimum(top, steps=20, target=target, free=wrong)
    with pytest.raises(liegrp.ArgumentError, match='parameters of a system'):
        liegrp.Optimum(arm(), free=['g'])
def test_controls_inside_a_step(body):
    slew = liegrp.Optimum(body, steps=4, time=1.5, target=(turn(), np.zeros(3)), method='gauss', degree=7).solve(
        tolerance=1e-11)
    assert slew.cost == pytest.approx(24.354774534876256, abs=1e-11)
    assert slew.u.shape == (4, 8, 3) and slew.gains.shape == (4, 8, 3, 6) and slew.control(0.7).shape == (3,)
    motion = liegrp.Motion(body, 'gauss', step=1.5 / 4)
    motion.start_state([0, 0, 0, 1], [0, 0, 0])
    for u in slew.u:
        motion.set_control(u).step()
    assert np.allclose(motion.g, turn(), atol=1e-11)
    path = liegrp.Trajectory(motion, 4).run(slew.u)
    assert path.gradient(np.zeros((5, 6))).controls.shape == (4, 24)
    with pytest.raises(liegrp.UnsupportedError, match='use gauss'):
        liegrp.Optimum(body, steps=4, degree=1)
    with pytest.raises(liegrp.ArgumentError, match='degree'):
        liegrp.Optimum(body, steps=4, degree=1.5, method='gauss')
    with pytest.raises(liegrp.ArgumentError, match='from 0 to 1.5'):
        slew.control(2)
