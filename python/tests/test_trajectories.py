# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories: gradients against differences of whole runs, forward against backward, and what is refused."""
import numpy as np
import pytest

import liegrp

ROBOT = liegrp.Model('two-wheeled-robot')
STEPS = 10


@pytest.fixture
def path():
    motion = liegrp.Motion(ROBOT, 'gni', step=0.05).step(2)
    return liegrp.Trajectory(motion, STEPS)


def test_gradient_by_controls(path):
    """Of how far the robot comes in x, with a price of controls; p^- of gni jumps with them."""
    u, du = np.random.default_rng(0).standard_normal((2, STEPS, 2))
    copy = path.motion.copy()

    def cost(controls):
        motion = copy.copy()
        for each in controls:
            motion.set_control(each).step()
        return motion.g[0] + 0.1 * (controls**2).sum()

    path.run(u)
    nodes = np.zeros((STEPS + 1, path.deviations))
    cosine, sine = path.states[-1, 2:4]
    nodes[-1, :2] = cosine, -sine
    gradient = path.gradient(nodes, 0.2 * u)
    found = sum(w * (cost(u + j * 0.02 * du) - cost(u - j * 0.02 * du)) / 0.02
                for j, w in zip((1, 2, 3, 4), (4 / 5, -1 / 5, 4 / 105, -1 / 280)))
    assert (gradient.controls * du).sum() == pytest.approx(found, rel=1e-11)
    assert isinstance(gradient, liegrp.Gradient) and gradient.start.shape == (10,) and gradient.step.shape == ()
    assert gradient.parameters.shape == (len(ROBOT.parameters),)


def test_forward_and_backward(path):
    path.run()
    rng = np.random.default_rng(1)
    nodes = rng.standard_normal((STEPS + 1, path.deviations))
    change = {'start': rng.standard_normal(10), 'controls': rng.standard_normal((STEPS, 2)), 'step': 0.3,
              'parameters': rng.standard_normal(len(ROBOT.parameters))}
    z, gradient = path.apply(**change), path.gradient(nodes)
    back = sum((getattr(gradient, name) * x).sum() for name, x in change.items())
    assert back == pytest.approx((nodes * z).sum(), rel=1e-12)
    S = path.sensitivity(4)
    ahead = S.start @ change['start'] + np.einsum('ksc,sc->k', S.controls, change['controls']) + S.step * 0.3
    np.testing.assert_allclose(ahead + S.parameters @ change['parameters'], z[4], rtol=1e-11, atol=1e-11)
    np.testing.assert_array_equal(path.monodromy(), path.sensitivity().start)
    multipliers = path.multipliers()
    assert np.prod(multipliers).real == pytest.approx(np.linalg.det(path.monodromy()), rel=1e-9, abs=1e-12)
    assert (np.diff(np.abs(multipliers)) <= 1e-15).all()


def test_mechanism():
    motion = liegrp.Motion('furuta')
    A, B, h = motion.set_control([0.1]).linearise_along()
    path = liegrp.Trajectory(motion, 3).run(np.full((3, 1), 0.1))
    assert path.unknown == '' and path.t.tolist() == pytest.approx([0, 0.005, 0.01, 0.015])
    assert path.states[-1].tolist() == [*motion.positions, *motion.velocities]
    assert path.basis(0).shape == (4, 4) and path.sensitivity(1).start.shape == A.shape
    np.testing.assert_allclose(path.sensitivity(1).controls[:, 0], B, rtol=1e-8)
    assert path.sensitivity(1).step.shape == h.shape


def test_parameters_of_a_mechanism():
    """Of a sum of angles, against differences of runs whose motion gets other parameters; one moves a joint."""
    motion, names = liegrp.Motion('furuta'), ['pendulum.mass', 'swing.damping', 'pendulum.centre_z']
    path, run = liegrp.Trajectory(motion, STEPS, names), liegrp.Motion('furuta')
    q, v, first = motion.positions, motion.velocities, motion.parameters
    for mass in (0.12, 0.2):
        motion.set_parameters({'pendulum.mass': mass}).start_joints(q, v)
        states = np.ones((STEPS + 1, 4))
        path.run()
        gradient = path.gradient_by_states(states)
        S = path.sensitivity()
        assert gradient.parameters.shape == (3,) and S.parameters.shape == (4, 3)
        for i, (name, e) in enumerate(zip(names, (mass / 128, 0.0005 / 128, 0.001))):
            slope = 0
            for j, w in zip((1, 2, 3, 4), (4 / 5, -1 / 5, 4 / 105, -1 / 280)):
                for sign in (1, -1):
                    value = {'pendulum.mass': mass, **{name: (mass if i == 0 else first[name]) + sign * j * e}}
                    run.set_parameters({**first, **value}).start_joints(q, v)
                    slope += sign * w / e * liegrp.Trajectory(run, STEPS).run().states.sum()
            assert gradient.parameters[i] == pytest.approx(slope, rel=1e-10)
    P, D = motion.linearise_parameters(*names)
    assert P.shape == (4, 3) and D.shape == (4, 3) and abs(D[:, :2]).max() < 1e-8 < abs(D[:, 2]).max()


def test_set_parameters():
    motion = liegrp.Motion('furuta').step(3)
    with pytest.raises(liegrp.ArgumentError, match="body 'pendulum': mass is 0"):
        motion.set_parameters({'pendulum.mass': 0})
    with pytest.raises(liegrp.ArgumentError, match="no parameter 'pendulum.mas'"):
        motion.set_parameters({'pendulum.mas': 1})
    with pytest.raises(liegrp.Error, match='nan'):
        motion.set_parameters({'pendulum.mass': np.nan})
    assert motion.parameters['pendulum.mass'] == 0.12 and motion.step_index == 3
    q = motion.positions
    copy = motion.set_parameters({'pendulum.mass': 0.2}).copy()
    assert copy.parameters['pendulum.mass'] == 0.2 and motion.step_index == 0
    np.testing.assert_allclose(motion.positions, q, rtol=1e-14)
    assert motion.step(5).energy == copy.step(5).energy
    ball = liegrp.Motion('rolling-ball', step=0.05).set_parameters(Omega=0.5)
    other = liegrp.Motion(liegrp.Model('rolling-ball', Omega=0.5), step=0.05).start_state(ball.g, ball.xi)
    np.testing.assert_allclose(ball.step(5).g, other.step(5).g, rtol=1e-12)
    with pytest.raises(liegrp.UnsupportedError, match='lg_trajectory_of_motion'):
        liegrp.Trajectory(ball, 3, ['Omega'])
    with pytest.raises(liegrp.ArgumentError, match='a list of names'):
        liegrp.Trajectory(motion, 3, 'arm.mass')


def test_sensitivity_by_the_step():
    """Against runs whose step is set anew; of gni that would change p^-, too."""
    path = liegrp.Trajectory(liegrp.Motion(ROBOT, 'sem', step=0.05), STEPS)
    path.motion.set_control([1, 0.5])
    ends = []
    for h in (0.05 - 1e-4, 0.05 + 1e-4, 0.05):
        motion = path.motion.copy().set_step(h)
        ends.append(motion.step(STEPS).g[:2])
    cosine, sine = motion.g[2:4]
    turned = path.run().sensitivity().step[:2]
    np.testing.assert_allclose((ends[1] - ends[0]) / 2e-4, [cosine * turned[0] - sine * turned[1],
                                                            sine * turned[0] + cosine * turned[1]], rtol=1e-5)
    with pytest.raises(liegrp.ArgumentError, match='finite and not 0'):
        path.motion.set_step(0)


def test_refusals(path):
    with pytest.raises(liegrp.ArgumentError, match='no run yet'):
        path.states
    with pytest.raises(liegrp.ArgumentError, match='no run yet'):
        path.monodromy()
    with pytest.raises(liegrp.ArgumentError, match='steps must be'):
        liegrp.Trajectory(path.motion, 0)
    with pytest.raises(liegrp.ArgumentError, match='controls must have the shape'):
        path.run(np.zeros((3, 2)))
    u = np.zeros((STEPS, 2))
    u[6, 1] = np.nan
    with pytest.raises(liegrp.Error, match='the step from node 6 of 10'):
        path.run(u)
    assert path.reached == 6 and path.states.shape[0] == 7 and path.t.shape == (7,)
    assert np.isnan(path.apply()[7:]).all()
    with pytest.raises(liegrp.ArgumentError, match='reached node 6, not 10'):
        path.gradient(np.zeros((STEPS + 1, 10)))
    with pytest.raises(liegrp.ArgumentError, match='nodes 0 to 10'):
        path.sensitivity(11)
    with pytest.raises(liegrp.UnsupportedError):
        path.basis(0)
