# SPDX-License-Identifier: BSD-3-Clause
"""Motions that are given: functions and their derivatives, tables, bodies, failures."""
import ctypes

import numpy as np
import pytest

import liegrp
from liegrp._jets import Jet


def swing(motion=None, **values):
    """A pendulum on a hinge that is driven."""
    m = liegrp.Mechanism()
    m.add_body('rod', mass=2.0, inertia=[0.2, 0.2, 0.01], position=[0, 0, -0.5])
    m.add_joint('hinge', 'revolute', None, 'rod', axis=[0, 1, 0])
    m.add_drive('drive', 'hinge', motion, **values)
    return m


def torque(q, bend):
    """Of the swing: I q'' + m g l sin q."""
    return (0.2 + 2 * 0.25) * bend + 2 * 9.81 * 0.5 * np.sin(q)


def test_jets():
    """Against differences of order eight."""
    functions = [lambda t: 1 / (2 + t) - t**3 * 0.5, lambda t: np.exp(-t) * np.cos(3 * t), lambda t: 2**t + t**2.5,
                 lambda t: np.sqrt(1 + t) / np.log(2 + t), lambda t: np.tanh(t) - np.sinh(t) / np.cosh(2 * t),
                 lambda t: np.arctan(t) + np.arcsin(t / 3) * np.arccos(t / 4), lambda t: np.tan(t) * abs(-t),
                 lambda t: t**t if t > 0.2 else t, lambda t: np.square(t) - (+t) * np.float64(2), lambda t: t**0 + t**1]
    w, h, t = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280]), 0.01, 0.4
    for f in functions:
        q = f(Jet(t, 1.0))
        def df(s):
            return sum(c * (f(s + (i + 1) * h) - f(s - (i + 1) * h)) for i, c in enumerate(w)) / h
        bend = sum(c * (df(t + (i + 1) * h) - df(t - (i + 1) * h)) for i, c in enumerate(w)) / h
        np.testing.assert_allclose([q.x, q.rate, q.bend], [f(t), df(t), bend], rtol=1e-10, atol=1e-10)
    assert (Jet(1) <= 2) and (Jet(3) >= Jet(3)) and not Jet(3) < 1 and 1 < Jet(2)
    assert Jet(1, 2) == 1 and Jet(1, 2) == Jet(1, 3) and Jet(0) != 1 and not Jet(0, 1) and Jet(2)
    assert repr(Jet(1.0, 2.0)) == 'Jet(1.0, 2.0, 0.0)'


def test_special_value():
    """A function that treats t = 0 apart."""
    mo = liegrp.Motion(swing(lambda t: 1.0 if t == 0 else np.sin(t) / t), 'gauss', step=0.01).start(t0=-0.005).step(2)
    assert abs(mo.positions[0] - np.sin(0.015) / 0.015) < 1e-14


def test_function_that_steps():
    """A function of a drive does not move the motion that calls it."""
    kept = {}

    def steps(t):
        if 'mo' in kept:
            kept['mo'].step(1)
        return 0.3 * np.sin(t)
    mo = liegrp.Motion(swing(steps), 'gauss', step=0.01)
    other = liegrp.Motion(swing(lambda t: t), 'gauss', step=0.01)
    kept['mo'] = mo
    with pytest.raises(liegrp.ArgumentError, match='called by a function that this motion calls'):
        mo.step(10)
    kept['mo'] = other
    mo.step(1)
    assert other.t > 0


def test_turns():
    """Poses tell a driven angle up to whole turns, and its drive tells the turn."""
    m = liegrp.Mechanism.gallery('four-bar')
    m.add_drive('d', 'a', lambda t: 3 * t)
    mo = liegrp.Motion(m, step=0.005).step(600)
    p = liegrp.Motion(m, step=0.005).start_poses(mo.poses, mo.twists, t0=mo.t, project=True)
    assert p.remark is None and abs(p.energy - mo.energy) < 1e-10
    np.testing.assert_allclose(p.poses[:, :3], mo.poses[:, :3], atol=1e-12)
    m = liegrp.Mechanism()
    m.add_body('b', mass=1, inertia=[0.2, 0.3, 0.4], position=[0.1, 0, -0.5])
    m.add_joint('j', 'composed', None, 'b', motions=[('prismatic', [1, 0, 0]), ('revolute', [0, 1, 0], [0, 0, 0])])
    m.add_drive('d', 'j.2', lambda t: 5 * t)
    mo = liegrp.Motion(m, step=0.005).step(400)
    p = liegrp.Motion(m, step=0.005).start_poses(mo.poses, mo.twists, t0=mo.t)
    np.testing.assert_allclose(p.positions, mo.positions, atol=1e-12)
    assert abs(p.positions[1] - 10) < 1e-12


@pytest.mark.parametrize('motion', [lambda t: 0.3 * np.sin(2 * t), lambda t: (
    0.3 * np.sin(2 * t), 0.6 * np.cos(2 * t), -1.2 * np.sin(2 * t)), lambda t: np.array([0.3 * np.sin(2 * t)])[0]])
def test_functions(motion):
    m = swing(motion)
    assert m.drives == ['drive'] and m.describe('drive', 'drive')['motion'] is motion
    mo = liegrp.Motion(m, 'gauss', step=0.01)
    H = mo.energy
    mo.step(100)
    assert abs(mo.positions[0] - 0.3 * np.sin(2)) < 1e-14
    x, w = np.polynomial.legendre.leggauss(10)
    q = 0.3 * np.sin(2 * (0.995 + 0.005 * x))
    assert abs(mo.drive_force('drive') - np.dot(w, torque(q, -4 * q)) / 2) < 1e-10
    assert abs(mo.drive_work('drive') - (mo.energy - H)) < 1e-12
    assert mo.work == pytest.approx(mo.drive_work('drive'), abs=1e-14)
    rows = mo.run(time=0.5).rows
    assert abs(rows['drive_work'][-1] - mo.drive_work('drive')) < 1e-14


def test_compiled():
    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.c_void_p)
    def ramp(t, out, context):
        out[0], out[1], out[2] = t, 1, 0
        return 0
    mo = liegrp.Motion(swing(ramp), step=0.01).step(10)
    assert abs(mo.positions[0] - 0.1) < 1e-15
    ensemble = liegrp.Ensemble(swing(ramp), 3, step=0.01)
    ensemble.run(10)
    assert abs(ensemble.motion(2).positions[0] - 0.1) < 1e-15


def test_tables():
    times = np.linspace(0, 1, 11)
    m = swing(times=times, values=times**3)
    told = m.describe('drive', 'drive')
    np.testing.assert_array_equal(told['times'], times)
    np.testing.assert_array_equal(told['values'], times**3)
    mo = liegrp.Motion(m, 'gauss', step=0.1).step(5)
    assert abs(mo.positions[0] - 0.125) < 1e-14
    with pytest.raises(liegrp.DomainError, match='is from t = 0 to 1'):
        mo.step(6)
    assert mo.t == pytest.approx(1.0)
    for values, words in (({'times': times, 'values': times[:3]}, r'got \(11,\) and \(3,\)'),
                          ({'times': times}, r'got \(11,\) and \(0,\)'), ({'times': [0, 0], 'values': [1, 2]}, 'increase'),
                          ({}, 'give a function, or a table')):
        with pytest.raises(liegrp.ArgumentError, match=words):
            swing(**values)


def test_bodies():
    m = liegrp.Mechanism()
    m.add_body('ship', mass=10, inertia=[1, 2, 3], centre=[0.1, 0, 0])
    m.add_body('bob', mass=1, inertia=[0.1] * 3, position=[0, 0, -1])
    m.add_joint('ball', 'spherical', 'ship', 'bob')

    def heave(t):
        s, c = np.sin(t), np.cos(t)
        return [0, 0, s, 0, 0, 0, 1], [0, 0, c, 0, 0, 0], [0, 0, -s, 0, 0, 0]
    m.add_drive('sea', body='ship', motion=heave)
    mo = liegrp.Motion(m, 'gauss', step=0.02).step(50)
    np.testing.assert_allclose(mo.pose('ship'), heave(1)[0], atol=1e-14)
    force = mo.drive_force('sea')
    assert abs(force[2] - 11 * (9.81 - np.sin(0.99))) < 1e-3 and abs(force[4] + 0.1 * 10 * (9.81 - np.sin(0.99))) < 1e-3
    assert m.describe('drive', 'sea')['body'] == 'ship'
    table = liegrp.Mechanism()
    table.add_body('ship', mass=10, inertia=[1, 2, 3])
    times = np.linspace(0, 1, 21)
    table.add_drive('sea', body='ship', times=times, values=[heave(t)[0] for t in times])
    assert table.describe('drive', 'sea')['values'].shape == (21, 7)
    np.testing.assert_allclose(liegrp.Motion(table, step=0.05).step(20).pose('ship'), heave(1)[0], atol=1e-14)


def test_failures():
    def late(t):
        if t > 0.05:
            raise KeyError('late')
        return t
    mo = liegrp.Motion(swing(late), step=0.01)
    with pytest.raises(KeyError, match='late'):
        mo.step(10)
    assert mo.t == pytest.approx(0.05)
    import math
    with pytest.raises(liegrp.ArgumentError, match="returns q alone and cannot be differentiated .*return"):
        liegrp.Motion(swing(math.sin))
    with pytest.raises(liegrp.ArgumentError, match=r"must return q, or \(q, q', q''\), got \(2,\)"):
        liegrp.Motion(swing(lambda t: (t, 1)))
    with pytest.raises(liegrp.ArgumentError, match='motion must be a function'):
        swing(3)
    with pytest.raises(liegrp.Error, match='starts? at|to start at'):
        liegrp.Motion(swing(lambda t: t)).start(hinge=0.5)
    with pytest.raises(liegrp.UnsupportedError, match='use sem'):
        liegrp.Motion(swing(lambda t: t), 'rattle')
