# SPDX-License-Identifier: BSD-3-Clause
"""Arguments that say something else than they seem to: refused, not taken in silence."""
import numpy as np
import pytest

import liegrp

BALL = liegrp.Model('rolling-ball')
VEHICLE = liegrp.Mechanism.gallery('vehicle').compile()
SIZES = BALL.group.element_size, BALL.dim
# Each takes one number.
SCALARS = {
    'model step': lambda x: liegrp.Motion(BALL, step=x),
    'model tolerance': lambda x: liegrp.Motion(BALL, 'gauss', step=0.1, tolerance=x),
    'start t0': lambda x: liegrp.Motion(BALL, step=0.1).start(t0=x),
    'start value': lambda x: liegrp.Motion(BALL, step=0.1).start({'x': x}),
    'run_to': lambda x: liegrp.Motion(BALL, step=0.1).run_to(x),
    'run step': lambda x: liegrp.run(BALL, step=x, steps=2),
    'run time': lambda x: liegrp.run(BALL, step=0.5, time=x),
    'run tolerance': lambda x: liegrp.run(BALL, 'gauss', step=0.1, steps=2, tolerance=x),
    'Ensemble step': lambda x: liegrp.Ensemble(BALL, 2, step=x),
    'Ensemble t0': lambda x: liegrp.Ensemble(BALL, 2, step=0.1).start_state(*BALL.initial(), t0=x),
    'Motion step': lambda x: liegrp.Motion(VEHICLE, step=x),
    'Motion tolerance': lambda x: liegrp.Motion(VEHICLE, 'gauss', tolerance=x),
    'Motion t0': lambda x: liegrp.Motion(VEHICLE).start(t0=x),
    'Ensemble of a mechanism step': lambda x: liegrp.Ensemble(VEHICLE, 2, step=x),
    'Ensemble of a mechanism t0': lambda x: liegrp.Ensemble(VEHICLE, 2).start_joints(t0=x),
    'parameter': lambda x: liegrp.Model('rolling-ball', Omega=x),
    'initial value': lambda x: liegrp.Model('rolling-ball', initial={'x': x}),
    'parameter of a System': lambda x: liegrp.System(liegrp.Rn(1), [1.0], parameters={'k': x}),
    'parameter of a Mechanism': lambda x: liegrp.Mechanism.gallery('vehicle').parameters.update({'chassis.mass': x}),
    'mass': lambda x: liegrp.Mechanism().add_body('a', mass=x, inertia=[1, 1, 1]),
    'convergence step': lambda x: liegrp.convergence(BALL, step=x, levels=2),
    'convergence time': lambda x: liegrp.convergence(BALL, step=0.5, time=x, levels=2),
    'Chaplygin step': lambda x: liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3], step=x),
}


@pytest.mark.parametrize('name', SCALARS)
@pytest.mark.parametrize('wrong', [True, np.True_, '0.5', np.nan, np.inf, 1j, [0.5, 0.5]], ids=repr)
def test_numbers_are_finite_numbers(name, wrong):
    with pytest.raises(liegrp.Error, match='must be a number|finite'):
        SCALARS[name](wrong)


@pytest.mark.parametrize('name', [name for name in SCALARS if name.endswith(' step')])
def test_no_step_is_zero(name):
    with pytest.raises(liegrp.ArgumentError, match='step must not be 0'):
        SCALARS[name](0)


def test_a_time_that_is_no_multiple_of_the_step():
    with pytest.raises(liegrp.ArgumentError, match='multiple of the step'):
        liegrp.convergence(BALL, step=0.4, time=1.0, levels=2)


FLAGS = {
    'start': lambda x: liegrp.Motion(BALL, step=0.1).start(project=x),
    'run project': lambda x: liegrp.run(BALL, step=0.1, steps=1, project=x),
    'run accuracy': lambda x: liegrp.run(BALL, step=0.1, steps=1, accuracy=x),
    'run resume': lambda x: liegrp.run(BALL, step=0.1, steps=1, resume=x),
    'Ensemble': lambda x: liegrp.Ensemble(BALL, 2, step=0.1, project=x),
    'Motion.start': lambda x: liegrp.Motion(VEHICLE).start(project=x),
    'Motion.run': lambda x: liegrp.Motion(VEHICLE).run(steps=1, accuracy=x),
    'Ensemble.start_joints': lambda x: liegrp.Ensemble(VEHICLE, 2).start_joints(project=x),
    'System': lambda x: liegrp.System(liegrp.Rn(1), [1.0], time_dependent=x),
    'joint': lambda x: liegrp.Mechanism().add_joint('a', on_bodies=x),
}


@pytest.mark.parametrize('name', FLAGS)
@pytest.mark.parametrize('wrong', ['no', 'False', 2, 0.5, [True]], ids=repr)
def test_flags_are_truth_values(name, wrong):
    with pytest.raises(liegrp.ArgumentError, match='must be True or False'):
        FLAGS[name](wrong)


ARRAYS = {
    'compose': lambda x: liegrp.SO3.compose(x, [0, 0, 0, 1]),
    'start': lambda x: liegrp.Motion(liegrp.Model('suslov'), step=0.1).start_state(x, [0, 0, 0]),
    'energy': lambda x: liegrp.Model('suslov').energy(x, [0, 0, 0]),
    'Ensemble': lambda x: liegrp.Ensemble('suslov', 3).start_state(x, [0, 0, 0]),
    'spline': lambda x: liegrp.Spline.hermite(liegrp.Rn(1), x, np.zeros((4, 1)), np.zeros((4, 1))),
    'attitude': lambda x: liegrp.Mechanism().add_body('a', mass=1, inertia=[1, 1, 1], attitude=x),
    'context': lambda x: liegrp.System(liegrp.Rn(1), [1.0], context=x),
}


@pytest.mark.parametrize('name', ARRAYS)
@pytest.mark.parametrize('wrong', [['0', '0', '0', '1'], [False, False, False, True], [0, 0, 0, 1j], [0, None, 0, 1],
                                   np.array([0, 0, 0, 1 + 0j]), [[0], [0, 0]]], ids=repr)
def test_arrays_are_real_numbers(name, wrong):
    with pytest.raises(liegrp.ArgumentError, match='real number'):
        ARRAYS[name](wrong)


def test_objects_that_stand_for_numbers():
    from fractions import Fraction
    sums = liegrp.Rn(2).compose([Fraction(1, 2), 1], np.array([1, 2], dtype=np.float32))
    np.testing.assert_array_equal(sums, [1.5, 3])


@pytest.mark.parametrize('call', [
    lambda E: E.start_state(np.zeros((3, 1)), np.zeros(5)), lambda E: E.start_state(0.0, np.zeros(5)),
    lambda E: E.start_state(np.zeros(6), np.zeros((2, 5))), lambda E: E.set_controls(np.zeros((3, 1))),
    lambda E: E.set_controls(0.1), lambda E: E.run(6, controls=0.1), lambda E: E.run(6, controls=np.zeros((3, 2))),
    lambda E: E.run(6, controls=np.zeros((2, 3, 2))), lambda E: E.run(6, controls=np.zeros((3, 3, 1))),
    lambda E: E.start(parameters={E.model._parameter_names[0]: [[1.0]]})])
def test_ensembles_broadcast_over_instances_alone(call):
    with pytest.raises(liegrp.ArgumentError, match='must have the shape'):
        call(liegrp.Ensemble('two-wheeled-robot', 3, step=0.02))


def test_shapes_of_mechanisms_are_exact():
    motion = liegrp.Motion(VEHICLE)
    with pytest.raises(liegrp.ArgumentError, match="poses must have the shape .5, 7., got"):
        motion.start_poses(np.zeros((7, 5)))
    for wrong in (np.zeros(2), np.zeros((3, 1))):
        with pytest.raises(liegrp.ArgumentError, match='point'):
            motion.point('chassis', wrong)
    with pytest.raises(liegrp.ArgumentError, match='3 numbers'):
        liegrp.Mechanism().add_body('a', mass=1, inertia=[1, 1, 1], position=[[1], [2], [3]])
    for frame in (np.eye(3), np.eye(3).ravel()):
        liegrp.Mechanism().add_joint('a', on_bodies=True, parent_frame=frame)


@pytest.mark.parametrize('name', ['observer', 'progress'])
def test_what_is_called_is_a_function(name):
    with pytest.raises(liegrp.ArgumentError, match=f'{name} must be a function'):
        liegrp.run(BALL, step=0.1, steps=1, **{name: 5})
    with pytest.raises(liegrp.ArgumentError, match=f'{name} must be a function'):
        liegrp.Motion(VEHICLE).run(steps=1, **{name: 5})


@pytest.mark.parametrize('count', [True, np.True_])
def test_counts_are_no_truth_values(count):
    for call in (liegrp.Motion(VEHICLE).step, liegrp.Ensemble(BALL, 2).run, lambda n: liegrp.run(BALL, steps=n)):
        with pytest.raises(liegrp.ArgumentError, match='whole numbers'):
            call(count)
