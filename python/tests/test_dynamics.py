# SPDX-License-Identifier: BSD-3-Clause
"""What a controller asks: arrays of states, against motions, and what is refused."""
import numpy as np
import pytest

import liegrp


def states(name, count=4, seed=1):
    """Random states of a mechanism of the gallery."""
    d = liegrp.Dynamics(liegrp.Mechanism.gallery(name))
    return d, *np.random.default_rng(seed).normal(size=(3, count, d.count))


def test_arrays_are_broadcast():
    d, q, v, a = states('arm', 6)
    q = q.reshape(2, 3, 7)
    v, a = v[:3], a[0]
    tau = d.inverse(q, v, a)
    assert tau.shape == (2, 3, 7)
    for i in np.ndindex(2, 3):
        assert np.array_equal(tau[i], d.inverse(q[i], v[i[1]], a))
    assert d.mass_matrix(q[:0]).shape == (0, 3, 7, 7)
    assert np.allclose(np.einsum('...ij,j->...i', d.mass_matrix(q), a) + d.bias(q, v), tau)


def test_every_result_at_each_state():
    d, q, v, a = states('four-bar', 4)
    tool = 'rocker', [0.1, 0, 0.2]
    calls = (d.mass_matrix, lambda q: d.inverse(q, None, a[0]), d.bias, d.gravity, d.passive, d.rows, d.centre,
             lambda q: d.pose(q, *tool), lambda q: d.twist(q, v[0], *tool), lambda q: d.jacobian(q, *tool),
             lambda q: d.jacobian_rate(q, v[0], *tool), d.centre_jacobian, d.centroidal)
    for call in calls:
        whole, single = call(q.reshape(2, 2, -1)), call(q[3])
        for array, one in zip(*((r if isinstance(r, tuple) else (r,)) for r in (whole, single))):
            assert array.shape == (2, 2) + one.shape and np.array_equal(array[1, 1], one)
    bad = np.zeros((2, 2, d.count))
    bad[1, 0] = np.nan
    with pytest.raises(liegrp.Error, match=r'not finite.*\(state \(1, 0\)\)'):
        d.gravity(bad)


def test_figures_of_a_motion():
    motion = liegrp.Motion('arm', 'gauss', step=0.01)
    d = liegrp.Dynamics(motion.mechanism)
    motion.step(10)
    q, v, body = motion.positions, motion.velocities, motion.mechanism.bodies[-1]
    position, velocity = motion.point(body, [0.1, 0.2, 0.3])
    assert np.allclose(d.pose(q, body, [0.1, 0.2, 0.3])[:3], position, atol=1e-12)
    assert np.allclose(d.twist(q, v, body, [0.1, 0.2, 0.3])[:3], velocity, atol=1e-12)
    linear, _ = motion.momentum
    A, bend = d.centroidal(q, v)
    assert np.allclose(A[:3] @ v, linear, atol=1e-12)
    a = d.acceleration(q, v, motion.controls)
    assert np.allclose(d.motors(q, v, a), motion.controls, atol=1e-9)
    mass = A[0, 0] / d.centre_jacobian(q)[0, 0]
    assert np.allclose(d.centre_jacobian(q) * mass, A[:3])
    assert bend.shape == (6,) and d.centre(q).shape == (3,)
    assert d.jacobian_rate(q, v, body).shape == (6, 7)
    assert np.allclose(d.bias(q, np.zeros(7)), d.gravity(q) - d.passive(q))


def test_loops():
    motion = liegrp.Motion('bricard', step=0.001)
    motion.step(5)
    d = liegrp.Dynamics(motion.mechanism)
    q, v = motion.positions, motion.velocities
    a = d.acceleration(q, v)
    G, drift, bend = d.rows(q, v)
    assert np.allclose(G @ a, -bend, atol=1e-9) and np.allclose(G @ v, drift, atol=1e-9)
    assert np.allclose(d.admissible(q, v, a), a, atol=1e-9)
    with pytest.raises(liegrp.ArgumentError, match='does not allow this acceleration'):
        d.motors(q, v, a + 1)
    with pytest.raises(liegrp.Error, match='0 motors have rank 0 on 1 freedoms'):
        d.motors(q, v, d.admissible(q, v, a + 1))
    with pytest.raises(liegrp.ArgumentError, match=r"is open by .*\(state \(1,\)\)"):
        d.acceleration([q, q + 0.1])


def test_reach():
    d, q, _, near = states('arm', 5, 3)
    wanted = d.pose(q, 'link7', [0, 0, 0.1])
    found, off = d.reach(q + 0.2 * near, 'link7', wanted, point=[0, 0, 0.1])
    assert off.max() < 1e-9
    assert np.allclose(d.pose(found, 'link7', [0, 0, 0.1])[:, :3], wanted[:, :3], atol=1e-8)
    both = np.stack([d.pose(q, 'link3'), d.pose(q, 'link7')], axis=1)
    found, off = d.reach(q + 0.05, ['link3', 'link7'], both, weight=[[1, 1], [1, 0]])
    assert off.max() < 1e-9 and found.shape == (5, 7)
    far = wanted[0].copy()
    far[:3] += 100
    nearest, off = d.reach(q[0], 'link7', far, weight=[1, 0])
    assert off[0] > 90 and off[1] == 0 and np.isfinite(nearest).all()
    with pytest.raises(liegrp.ArgumentError, match='the quaternion is zero'):
        d.reach(q, 'link7', np.zeros(7))
    with pytest.raises(liegrp.ArgumentError, match='pose must have the shape'):
        d.reach(q, ['link7'], wanted[0])


def test_coordinates():
    d = liegrp.Dynamics(liegrp.Mechanism.gallery('vehicle'))
    motion = liegrp.Motion('vehicle')
    first = motion.float_index('chassis')
    assert d.coordinates('chassis') == slice(first, first + 6)
    with pytest.raises(liegrp.ArgumentError, match='no joint or body'):
        d.coordinates('nothing')
    four_bar = liegrp.Dynamics(liegrp.Mechanism.gallery('four-bar'))
    assert four_bar.coordinates('a') == slice(0, 1)
    for name in (four_bar.mechanism.joints[-1], 'rocker'):
        with pytest.raises(liegrp.ArgumentError, match='closes a loop, or a body on joints'):
            four_bar.coordinates(name)


def test_refusals():
    d, q, v, a = states('arm')
    with pytest.raises(liegrp.ArgumentError, match='must be a Mechanism'):
        liegrp.Dynamics('arm')
    with pytest.raises(liegrp.ArgumentError, match='q must have the shape'):
        d.gravity(np.zeros(6))
    with pytest.raises(liegrp.ArgumentError, match='q is None'):
        d.gravity(None)
    with pytest.raises(liegrp.ArgumentError, match='do not fit together: q .*v'):
        d.bias(q, v[:3])
    with pytest.raises(liegrp.Error, match='not finite'):
        d.gravity(np.full(7, np.nan))
    with pytest.raises(liegrp.ArgumentError, match='link'):
        d.jacobian(q, 'link9')
    assert a.shape == q.shape and 'Dynamics' in repr(d)
