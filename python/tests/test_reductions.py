# SPDX-License-Identifier: BSD-3-Clause
"""Chaplygin systems on shape space."""
import numpy as np
import pytest

import liegrp


def test_projection_of_dla():
    robot = liegrp.Model('mobile-robot')
    reduced = liegrp.Chaplygin(robot, [2, 3], step=0.1)
    g, v = [0.1, 0.2, 0.3, 0.4], np.array([0.5, 1.0])
    xi = np.concatenate([-reduced.connection(g[2:]) @ v, v])
    it = liegrp.Motion(robot, 'dla:midpoint', step=0.1).start_state(g, xi, t0=1.0)
    reduced.start(g, v, t0=1.0)
    assert reduced.velocity == pytest.approx(v) and reduced.momentum == pytest.approx(reduced.metric(g[2:]) @ v)
    assert reduced.energy == pytest.approx(it.energy)
    for _ in range(20):
        reduced.step()
        it.step()
        assert reduced.g == pytest.approx(it.g, abs=1e-11) and reduced.t == it.t
    assert (reduced.shape == reduced.g[2:]).all()
    assert reduced.force(g[2:], v) @ v == pytest.approx(0, abs=1e-12)


def test_wrong():
    robot = liegrp.Model('mobile-robot')
    for shape in ([3], [0, 4], [3, 3]):
        with pytest.raises(liegrp.ArgumentError):
            liegrp.Chaplygin(robot, shape)
    with pytest.raises(liegrp.ArgumentError):
        liegrp.Chaplygin(robot, [2, 3]).start([0, 0, 0, 0], [1])
