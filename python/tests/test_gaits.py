# SPDX-License-Identifier: BSD-3-Clause
"""Gaits: what they cost, that they close, their multipliers, what is refused."""
import numpy as np
import pytest

import liegrp


@pytest.fixture
def board():
    return liegrp.with_inputs(liegrp.Model('snakeboard'), [[0, 0], [0, 0], [-1, 0], [1, 0], [0, 1]],
                              names=['rotor', 'axles'])


@pytest.fixture
def cart():
    return liegrp.System(liegrp.Rn(1), [2.0], controls=['push'], force=lambda c, g, xi: c.u - 0.5 * xi)


def test_stride_from_rest(board):
    """Without friction and from rest to rest; a period after the other goes on by the displacement."""
    stride = liegrp.gait(board, [1], steps=10, time=4, start_free=[False] * 10)
    assert np.allclose(stride.displacement, [1, 0, 0, 0, 0], atol=1e-9) and np.allclose(stride.p[0], 0)
    assert sum(abs(stride.multipliers) < 1e-9) == 2  # constraints
    motion = liegrp.Motion(board, step=0.4)
    motion.start_state(stride.g[0], np.zeros(5))
    for u in [*stride.u, *stride.u]:
        motion.set_control(u).step()
    assert np.allclose(motion.g, board.group.exp([2, 0, 0, 0, 0]), atol=1e-7)
    before = stride.cost
    longer = stride.move(target=(board.group.exp([1.1, 0, 0, 0, 0]), None)).solve()
    assert longer is stride and longer.cost > before and longer.displacement[0] == pytest.approx(1.1)


def test_cart(cart):
    """Friction decides: a force of 0.5 v, and multipliers 1 and exp(-0.5 T/m), to the order of the method."""
    ride = liegrp.gait(cart, [3.0], time=2.0)
    assert ride.cost == pytest.approx(0.5 * 2 * 0.75**2, rel=1e-3) and ride.iterations <= 3
    assert np.allclose(ride.multipliers, [1, np.exp(-0.5)], atol=1e-3)
    free = liegrp.gait(cart, [3.0], time=(1, 9), time_weight=0.1)
    assert free.time == pytest.approx(3 * 0.5 / 0.2**0.5, rel=1e-3)


def test_free_displacement(cart):
    """With nothing to gain the cart stays."""
    rest = liegrp.Gait(cart, [None], start_free=[0, 1]).guess(p=np.ones((21, 1))).solve()
    assert abs(rest.displacement[0]) < 1e-8 and rest.figures['end_count'] == 1


@pytest.fixture
def cart_on_rail():
    cart = liegrp.Mechanism()
    cart.add_body('cart', mass=2, inertia=[1, 1, 1])
    cart.add_joint('rail', 'prismatic', None, 'cart', axis=[1, 0, 0], damping=0.5)
    cart.add_motor('push', 'rail')
    return cart


def test_mechanism(cart_on_rail):
    """The cart of test_cart() as a mechanism, and a vehicle whose wheels roll on."""
    ride = liegrp.gait(cart_on_rail, {'rail': 3.0}, time=2.0)
    assert ride.cost == pytest.approx(0.5625, rel=1e-9) and np.allclose(ride.displacement, [3])
    assert np.allclose(ride.multipliers, [1, np.exp(-0.5)], atol=1e-3)
    free = {'chassis_x': 0.5, 'left axle': None, 'right axle': None, 'caster axle': None}
    drive = liegrp.gait('vehicle', free, steps=6, time=2.0)
    assert drive.displacement[4] == pytest.approx(0.5) and np.allclose(drive.p[-1], drive.p[0], atol=1e-9)
    further = drive.move(target=(2 * np.where(np.arange(10) == 4, 0.5, 0), None)).solve()
    assert further is drive and drive.displacement[4] == pytest.approx(1)


@pytest.mark.parametrize('displacement, message', [
    ([1], 'must be a dictionary'), ({'rial': 1}, "did you mean 'rail'"), ({'rail': 'x'}, 'rail')])
def test_mechanism_refused(cart_on_rail, displacement, message):
    with pytest.raises((liegrp.Error, ValueError), match=message):
        liegrp.Gait(cart_on_rail, displacement)


@pytest.mark.parametrize('arguments, message', [
    ({'displacement': {'x': 1}}, 'has names for a mechanism'),
    ({'displacement': [0] * 6}, 'at most 5 numbers'), ({'displacement': [0, 0, 0, 0, 0.3]}, 'no symmetry'),
    ({'displacement': [1, 0, 0, 0, None]}, 'end condition 5 must hold'), ({'displacement': ['a']}, 'displacement'),
    ({'start_free': [1]}, '10 truth values'), ({'start_free': [1] + [0] * 9}, 'start_free 1 must be 0'),
    ({'time': (2, 1)}, '0 < low < high'), ({'limits': {'rotor': (1, 1)}}, 'limits 1 and 1')])
def test_refused(board, arguments, message):
    with pytest.raises((liegrp.Error, ValueError), match=message):
        liegrp.Gait(board, **arguments)


def test_no_controls():
    with pytest.raises(liegrp.ArgumentError, match='no controls'):
        liegrp.gait('snakeboard', [1])
