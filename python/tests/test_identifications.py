# SPDX-License-Identifier: BSD-3-Clause
"""Identification: values and errors, what can be read, what is refused."""
import numpy as np
import pytest

import liegrp

RNG = np.random.default_rng(5)


def drop(mass=1.0, damping=0.4):
    """A body on a damped hinge."""
    m = liegrp.Mechanism()
    m.add_body('rod', mass=mass, inertia=[0.01, 0.01, 0.01], position=[0.5, 0, 0])
    m.add_joint('hinge', 'revolute', None, 'rod', point=[0, 0, 0], axis=[0, 1, 0], damping=damping)
    return m


def test_values_errors_prediction():
    rows = liegrp.run(drop(), step=0.01, steps=300).rows
    noisy = rows['hinge'] + 1e-3 * RNG.standard_normal(len(rows))
    fit = liegrp.Identification(drop(damping=0.1), {'hinge': noisy}, rows['t'], free=['hinge.damping'],
                                start=['hinge', 'hinge_vel'], sigma=1e-3, step=0.01)
    assert 'hinge.damping' in repr(fit) and np.isnan(fit.errors['hinge.damping'])
    with pytest.raises(liegrp.ArgumentError):
        fit.covariance
    fit.solve()
    assert abs(fit.values['hinge.damping'] - 0.4) < 4 * fit.errors['hinge.damping'] < 0.01
    assert abs(fit.values['hinge_vel']) < 4 * fit.errors['hinge_vel']
    assert fit.figures['rank'] == 3 and fit.figures['solved'] and abs(fit.figures['scatter'] - 1) < 0.1
    assert np.abs(fit.predicted['hinge'] - rows['hinge']).max() < 1e-3
    assert fit.covariance.shape == (3, 3) and '+-' in repr(fit)
    assert np.array_equal(fit.t, rows['t'])


def test_identify_with_controls():
    robot, u = liegrp.Model('two-wheeled-robot'), np.column_stack([np.sin(np.arange(60.0)), np.full(60, 0.2)])
    motion, path = liegrp.Motion(robot, step=0.05), []
    for step in u:
        motion.set_control(step).step()
        path.append([motion.t, *motion.g[:2]])
    t, x, y = np.transpose(path)
    fit = liegrp.identify(robot, {'x': x, 'y': y}, t, free={'m': 5.0, 'c': 0.01}, controls=u, step=0.05)
    assert fit.values['m'] == pytest.approx(10, rel=1e-8) and fit.values['c'] == pytest.approx(0.02, rel=1e-8)
    with pytest.raises(liegrp.ArgumentError, match='the last sample needs 60'):
        liegrp.identify(robot, {'x': x, 'y': y}, t, free=['m'], controls=u[:59], step=0.05)


def test_undetermined():
    rows = liegrp.run(drop(damping=0), step=0.01, steps=100).rows
    hinge = {'t': rows['t'], 'hinge': rows['hinge']}
    fit = liegrp.Identification(drop(damping=0), hinge, free=['rod.mass', 'gravity.z', 'rod.inertia_yy'], sigma=1e-3, step=0.01)
    with pytest.raises(liegrp.Error, match='2 of 3 combinations|1 of 3 combinations'):
        fit.solve()
    assert np.isinf(fit.errors['rod.mass']) or np.isinf(fit.errors['gravity.z'])


@pytest.mark.parametrize('change, words', [
    ({'free': ['rod.mas']}, 'rod.mas'),
    ({'free': 'rod.mass'}, 'list of names'),
    ({'free': []}, '0 unknowns'),
    ({'start': ['knee']}, 'knee'),
    ({'data': {'knee': [0.0]}, 'times': [1.0]}, 'knee'),
    ({'data': {'hinge': [0.0]}, 'times': None}, 'no times'),
    ({'data': {'hinge': [0.0]}, 'times': [1.0, 2.0]}, 'hinge'),
    ({'data': {'hinge': [0.0]}, 'times': [-1.0]}, 'expected a time from 0 on'),
    ({'sigma': {'knee': 1.0}}, 'knee'),
    ({'sigma': {}}, 'hinge'),
    ({'sigma': -1.0}, 'positive'),
    ({'controls': [[1.0]]}, 'shape'),
])
def test_refusals(change, words):
    given = {'data': {'hinge': [0.1, 0.2]}, 'times': [0.5, 1.0], 'free': ['rod.mass'], **change}
    with pytest.raises(liegrp.ArgumentError, match=words):
        liegrp.identify(drop(), given.pop('data'), given.pop('times'), **given)
