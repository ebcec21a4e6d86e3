# SPDX-License-Identifier: BSD-3-Clause
"""Motions of mechanisms: steps, readings, functions in Python, whole runs."""
import re
import signal
import subprocess
import threading

import numpy as np
import pytest

import liegrp

GALLERY = list(liegrp.gallery())


def motion_of(name, *arguments, **more):
    return liegrp.Motion(liegrp.Mechanism.gallery(name), *arguments, **more)


@pytest.mark.parametrize('name', GALLERY)
def test_rows_are_those_of_the_tool(name, tmp_path):
    result = motion_of(name).run(steps=40, every=7, output=tmp_path / 'own.npy', accuracy=False)
    subprocess.run([liegrp.tool(), 'run', name, '--steps', '40', '--every', '7', '--output', 'tool.npy'], check=True,
                   cwd=tmp_path, stdout=subprocess.DEVNULL)
    expected = np.load(tmp_path / 'tool.npy')
    assert result.rows.dtype == expected.dtype and result.rows.tobytes() == expected.tobytes()
    assert np.load(tmp_path / 'own.npy').tobytes() == expected.tobytes()


def test_numpy_reads_every_file_that_is_written(tmp_path):
    """Names of columns that numpy.load() has no room for are refused before the run, on the spot of its limit."""
    def header(longer):
        """Bytes of a file that was written and read, or that were refused: with a joint's name longer by so much."""
        mechanism = liegrp.Mechanism()
        for i in range(100):
            mechanism.add_body(f'b{i}', mass=1, inertia=[1, 1, 1])
            mechanism.add_joint(f'j{i}' + (longer if i == 0 else 0) * 'x', 'revolute', None, f'b{i}', axis=[0, 0, 1])
        output = tmp_path / f'{longer}.npy'
        try:
            liegrp.Motion(mechanism).run(steps=1, output=output, accuracy=False)
        except liegrp.ArgumentError as raised:
            size, most = re.search(r'(\d+) bytes long, .* (\d+); take csv', str(raised)).groups()
            assert int(most) == 10000 and not output.exists()
            return int(size)
        assert len(np.load(output)) == 2
        return int.from_bytes(output.read_bytes()[8:10], 'little')

    low, high = 0, 6000
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if header(middle) <= 10000 else (low, middle)
    assert 10000 - 64 <= header(low) <= 10000 < header(high) <= 10000 + 64


@pytest.mark.parametrize('name', GALLERY)
def test_properties_of_the_gallery(name):
    motion = motion_of(name)
    first, model = motion.energy, motion.model
    motion.step(20)
    assert abs(motion.energy - first - motion.work) < 1e-10 * max(1, abs(first))
    assert motion.gap < 1e-9 and motion.slip < 1e-9 and motion.iterations > 0
    assert motion.t == pytest.approx(20 * motion.step_size)
    assert motion.poses.shape == (motion.body_count, 7) and motion.twists.shape == (motion.body_count, 6)
    assert np.linalg.norm(motion.poses[:, 3:], axis=1) == pytest.approx(1)
    row = motion.row
    assert row['energy'] == motion.energy and len(model.units) == len(model.meanings) == len(row)
    assert row.dtype == model.dtype and model.dtype.names == tuple(model.columns)
    if len(motion.contacts) == 0:  # a system of equations has none
        assert motion.g.shape == (model.group.element_size,) and motion.xi.shape == motion.p.shape == (model.dim,)
    for i, body in enumerate(motion.mechanism.bodies):
        assert (motion.pose(body) == motion.poses[i]).all() and (motion.twist(body) == motion.twists[i]).all()
    for joint in motion.mechanism.joints:
        at = motion.joint_index(joint)
        q, v = motion.joint(joint)
        if at >= 0:
            assert (motion.positions[at:at + len(q)] == q).all() and (motion.velocities[at:at + len(q)] == v).all()
        assert np.isfinite(motion.joint_wrench(joint)).all()


@pytest.mark.parametrize('name', GALLERY)
def test_checkpoints(name):
    motion, other = motion_of(name), motion_of(name)
    motion.step(5)
    other.load(motion.save())
    motion.step(5)
    other.step(5)
    assert (motion.poses == other.poses).all() and motion.energy == other.energy
    with pytest.raises(liegrp.ArgumentError):
        other.load(b'no checkpoint')


@pytest.mark.parametrize('name', GALLERY)
def test_start_poses(name):
    motion = motion_of(name)
    other = motion_of(name)
    other.start_poses(motion.poses, motion.twists, project=True)
    assert other.poses == pytest.approx(motion.poses, abs=1e-9)
    assert other.twists == pytest.approx(motion.twists, abs=1e-7)


def test_start():
    motion = motion_of('double-pendulum')
    motion.start_joints([0.1, 0.2], [0.3, 0.4], t0=2)
    assert motion.positions == pytest.approx([0.1, 0.2]) and motion.velocities == pytest.approx([0.3, 0.4])
    assert motion.t == 2
    motion.start({'elbow': 0.5}, elbow_vel=1.0)
    assert motion.positions[1] == pytest.approx(0.5) and motion.velocities[1] == pytest.approx(1)
    for wrong in (lambda: motion.start_joints([1]), lambda: motion.start({'knee': 1})):
        with pytest.raises(liegrp.ArgumentError):
            wrong()
    loop = motion_of('four-bar')
    with pytest.raises(liegrp.ArgumentError):
        loop.start_joints(loop.positions + 0.1)


def test_point_and_momentum():
    motion = motion_of('vehicle')
    motion.step(10)
    x, v = motion.point('chassis')
    assert (x == motion.pose('chassis')[:3]).all()
    at = motion.float_index('chassis')
    assert motion.velocities[at:at + 3] == pytest.approx(v)
    masses = [motion.mechanism.describe('body', body)['mass'] for body in motion.mechanism.bodies]
    linear, angular = motion.momentum
    assert linear == pytest.approx(np.dot(masses, motion.twists[:, :3])) and angular.shape == (3,)


def test_motors():
    motion = motion_of('vehicle')
    assert motion.model.control_count == len(motion.controls) == 2
    motion.set_control([0.5, -0.5])
    assert list(motion.controls) == [0.5, -0.5]
    motion.step(50)
    total = sum(motion.motor_work(name) for name in motion.mechanism.motors)
    assert 0 < total and motion.work < total  # dampers take the rest
    account = motion.account
    assert account['motors'] == pytest.approx(total) and account['dampers'] == pytest.approx(motion.work - total)
    assert motion.wheel_force('left wheel')[2] > 0
    for wrong in ([1], [np.nan, 0]):
        with pytest.raises(liegrp.Error):
            motion.set_control(wrong)


def test_limit():
    m = liegrp.Mechanism()
    m.add_body('rod', mass=1, inertia=[1, 1, 1])
    m.add_joint('hinge', 'revolute', None, 'rod', axis=[0, 1, 0], lower=-0.5, upper=0.2)
    assert liegrp.Motion(m).limit() == (pytest.approx(0.2), 'hinge')


def test_wrenches():
    motion = motion_of('double-pendulum')
    motion.set_wrench(lambda t, poses, twists: -0.2 * twists)
    first = motion.energy
    motion.step(100)
    assert motion.work < -0.1 and abs(motion.energy - first - motion.work) < 1e-10
    assert motion.account['wrench'] == motion.work and motion.account['motors'] == 0
    motion.set_wrench(lambda t, poses, twists: 1 / 0)
    before = motion.poses
    with pytest.raises(ZeroDivisionError):
        motion.step()
    assert (motion.poses == before).all()
    motion.set_wrench(lambda t, poses, twists: np.zeros(5))
    with pytest.raises(ValueError):
        motion.step()
    motion.set_wrench(None)
    motion.step()


def test_compiled_wrench():
    import numba  # takes a second
    numbers = numba.types.CPointer(numba.types.float64)

    @numba.cfunc(numba.types.int32(numba.types.float64, numbers, numbers, numbers, numba.types.voidptr))
    def drag(t, poses, twists, wrench, context):
        for i in range(12):
            wrench[i] += -0.2 * twists[i]
        return 0
    fast, slow = motion_of('double-pendulum'), motion_of('double-pendulum')
    fast.set_wrench(drag)
    slow.set_wrench(lambda t, poses, twists: -0.2 * twists)
    fast.step(20)
    slow.step(20)
    assert (fast.positions == slow.positions).all()


def test_events():
    motion = motion_of('double-pendulum')
    while not (found := motion.step_to_event(lambda state: state.positions[0] - 0.5, 'up')):
        assert motion.t < 5
    assert found == 1 and motion.positions[0] == pytest.approx(0.5, abs=1e-9)
    end = motion.t + 2.5 * motion.step_size
    assert [motion.step_to_event(lambda state: state.t - end, 'down') for _ in range(4)] == [0, 0, 0, 0]
    with pytest.raises(ZeroDivisionError):
        motion.step_to_event(lambda state: 1 / 0)
    with pytest.raises(liegrp.ArgumentError, match='direction'):
        motion.step_to_event(lambda state: 1, 'sideways')


def falling_ball(on_ground):
    m = liegrp.Mechanism()
    m.add_body('ball', mass=1, inertia=[0.1, 0.1, 0.1], position=[0, 0, 0.5 if on_ground else 2])
    if on_ground:
        m.add_wheel('contact', 'ball', radius=0.5, kind='ball')
    return liegrp.Motion(m, step=0.01)


def test_impact():
    air, ground = falling_ball(False), falling_ball(True)
    air.start_joints(velocities=[1, 0, 0, 0, 0, 0])
    while not air.step_to_event(lambda state: state.pose('ball')[2] - 0.5):
        pass
    lost = ground.continue_from(air)
    assert lost == pytest.approx(0.5 * 9.81 * 2 * 1.5 + 0.5 * (1 - 1 / 1.4), rel=1e-3)
    ground.step(10)
    assert ground.pose('ball')[2] == pytest.approx(0.5, abs=1e-12)


def test_linearise():
    motion = motion_of('balancing-robot')
    A, B, C = motion.linearise()
    step = motion.linearise_step()[0]
    assert max(np.linalg.eigvals(A).real) > 1 and B.shape[1] == 2 and C.shape[0] == 2 * motion.position_count
    discrete = np.sort(abs(np.linalg.eigvals(step)))
    assert discrete == pytest.approx(np.sort(np.exp(motion.step_size * np.linalg.eigvals(A).real)), abs=1e-3)


def test_tolerance():
    motion = motion_of('arm', 'gauss', step=0.05, tolerance=1e-9)
    motion.step(4)
    assert motion.tolerance == 1e-9 and motion.found_step > 0 and motion.method == 'gauss'
    plain = motion_of('arm', 'gauss', step=0.05)
    plain.set_solver(1e-10)
    plain.step(4)
    assert plain.positions == pytest.approx(motion.positions, abs=1e-7)
    with pytest.raises(liegrp.UnsupportedError):
        motion_of('arm').set_solver(1e-8)
    with pytest.raises(liegrp.ArgumentError):
        motion_of('arm', 'euler')


def test_run():
    motion, seen = motion_of('vehicle'), []

    def control(state, u):
        assert isinstance(state, liegrp.State) and not isinstance(state, liegrp.Motion)
        return [0.1 * state.t, 0]
    result = motion.run(time=1, every=10, control=control, observer=lambda state: seen.append(state.t))
    assert len(seen) == result.steps + 1 == 101 and len(result.rows) == 11
    assert result.rows['t'][-1] == result.time == motion.t == pytest.approx(1)
    torques = [name for name in result.rows.dtype.names if name.endswith('_tau')]
    assert (result.rows[torques[0]] == 0.1 * result.rows['t']).all() and (result.rows[torques[1]] == 0).all()
    assert result.balance < 1e-12 and result.error_position > 0
    kept = []
    motion_of('vehicle').run(steps=3, observer=lambda state: kept.append(state))
    with pytest.raises(liegrp.ArgumentError, match='has returned'):
        kept[0].t
    again = motion_of('vehicle').run(steps=100, observer=lambda state: state.t >= 0.5, accuracy=False)
    assert again.interrupted and again.steps == 50
    with pytest.raises(liegrp.ArgumentError, match='steps'):
        motion.step(-1)
    for wrong in ({'steps': -1}, {'steps': 1, 'time': 1}, {'every': 0}, {'time': -1}):
        with pytest.raises(liegrp.ArgumentError):
            motion.run(**wrong)
    with pytest.raises(ZeroDivisionError) as raised:
        motion.run(steps=5, control=lambda state, u: 1 / 0)
    assert raised.value.result.steps == 0


def test_run_goes_on(tmp_path):
    whole = motion_of('arm').run(steps=50, accuracy=False)
    place = {'checkpoint': tmp_path / 'run.ckpt', 'output': tmp_path / 'run.npy', 'accuracy': False}
    stop = motion_of('arm').run(steps=50, observer=lambda state: state.t > 0.1, **place)
    assert stop.interrupted
    motion_of('arm').run(steps=50, resume=True, **place)
    assert np.load(tmp_path / 'run.npy').tobytes() == whole.rows.tobytes()


def test_ctrl_c():
    motion = motion_of('arm')
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])

    def begun(step, steps):
        if not timer.ident:
            timer.start()
    with pytest.raises(KeyboardInterrupt) as raised:
        motion.run(steps=100000000, every=1000000, progress=begun, accuracy=False)
    assert 0 < raised.value.result.steps < 100000000 and motion.t > 0


def pendulum(name='elbow'):
    m = liegrp.Mechanism()
    m.add_body('link', mass=1, inertia=[0.1, 0.1, 0.1], position=[0.5, 0, 0])
    m.add_joint(name, 'revolute', None, 'link', axis=[0, 1, 0])
    return liegrp.Motion(m, step=0.01)


@pytest.mark.parametrize('given, q, v', [({'elbow': 0.3}, 0.3, 0), ({'elbow_vel': 1}, 0, 1), ({}, 0, 0),
                                         ({'elbow': 0.3, 'elbow_vel': -1}, 0.3, -1)])
def test_dictionaries_set_what_they_are_for(given, q, v):
    motion = pendulum().start(given, t0=5)
    assert (motion.positions[0], motion.velocities[0], motion.t) == (pytest.approx(q), pytest.approx(v), 5)
    assert pendulum().start(**given).t == 0


@pytest.mark.parametrize('given, words', [
    ({'elbo': 1}, "unknown position or velocity 'elbo' .*mean 'elbow'"),
    ({'energy': 1}, "unknown position or velocity 'energy'"),
    ({'t': 1}, "position or velocity 't'"), ({'elbow': np.nan}, 'elbow must be finite'),
    ({'elbow': True}, 'elbow must be a number'), ({'elbow': '1'}, 'elbow must be a number'),
    ({'elbow': [1, 2]}, 'elbow must be a number'), ([1.0], 'initial must have the shape')])
def test_dictionaries_that_are_wrong(given, words):
    motion = pendulum().start({'elbow': 0.2})
    with pytest.raises(liegrp.ArgumentError, match=words):
        motion.start(given)
    assert motion.positions[0] == pytest.approx(0.2)
    with pytest.raises(liegrp.ArgumentError, match="'elbow' is given twice"):
        motion.start({'elbow': 1}, elbow=2)


@pytest.mark.parametrize('name', ['double-pendulum', 'four-bar', 'vehicle'])
def test_a_mechanism_of_the_gallery_starts_as_it_does_at_any_time(name):
    m = liegrp.Mechanism.gallery(name)
    first, later = liegrp.Motion(m), liegrp.Motion(m).start(t0=5)
    assert later.t == 5
    np.testing.assert_allclose(later.positions, first.positions, atol=1e-12)
    np.testing.assert_allclose(later.velocities, first.velocities, atol=1e-12)
    np.testing.assert_array_equal(later.controls, first.controls)
    ensemble = liegrp.Ensemble(m, 2)
    np.testing.assert_array_equal(ensemble.positions[1], first.positions)
    np.testing.assert_array_equal(ensemble.velocities[1], first.velocities)


def test_a_motion_of_an_ensemble_has_its_tolerance():
    ensemble = liegrp.Ensemble(liegrp.Mechanism.gallery('double-pendulum'), 2, 'gauss', tolerance=1e-9).run(2)
    motion = ensemble.motion(1)
    assert motion.tolerance == 1e-9
    np.testing.assert_array_equal(motion.step().positions, ensemble.run(1).positions[1])


def ball(height):
    m = liegrp.Mechanism()
    m.add_body('ball', mass=1, inertia=[.004] * 3, position=[0, 0, height])
    m.add_wheel('contact', 'ball', radius=.1, kind='ball', centre=[0, 0, .05])
    return m


@pytest.mark.parametrize('method', ['sem', 'gauss'])
def test_pulled_wheels_are_told(method):
    motion = liegrp.Motion(ball(.05), method, step=1e-3)
    motion.start_poses([[0, 0, .05, 0, 0, 0, 1]], [[3, 0, 0, 0, 30, 0]], project=True)
    with pytest.warns(RuntimeWarning, match="pulls on wheel 'contact' with up to 7.65 N"):
        result = motion.run(steps=2000, accuracy=False)
    assert result.wheel == 'contact' and result.wheel_force == pytest.approx(-7.65, abs=1e-3)
    assert result.wheel_forces == {'contact': (result.wheel_force, result.wheel_force_time)}
    assert 0 < result.lift_time < result.wheel_force_time


def test_spheres_that_part():
    m = liegrp.Mechanism()
    m.add_body('ball', mass=1, inertia=[0.016] * 3, position=[0.05, 0, 0.7])
    m.add_sphere_contact('foot', None, 'ball', parent_radius=0.5, child_radius=0.2)
    assert m.describe('sphere_contact', 'foot')['contact'] == 'rolls' and m.sphere_contacts == ['foot']
    with pytest.raises(liegrp.ArgumentError, match="'rolls'.*'slides'"):
        m.add_sphere_contact('edge', None, 'ball', parent_radius=0.5, child_radius=0.2, contact='edge')
    motion = liegrp.Motion(m, step=0.002)
    motion.start()
    with pytest.warns(RuntimeWarning, match="spheres of 'foot' pull each other"):
        result = motion.run(time=1.2)
    assert result.lift_time > 0 and result.wheel is None
    force, time = result.sphere_contact_forces['foot']
    assert force < -1 and time > result.lift_time
    # a ball leaves where the cosine is 10/17 of that at the start
    motion.start()
    height = motion.pose('ball')[2]
    motion.step(round(result.lift_time / 0.002))
    assert motion.pose('ball')[2] == pytest.approx(10 / 17 * height, abs=6e-3)
    assert np.linalg.norm(motion.sphere_contact_force('foot')) < 5


def test_what_is_moved_is_told():
    m = ball(5)
    motion = liegrp.Motion(m, step=1e-3)
    assert len(m.remarks) == 1 and "assembly moved body 'ball' by 4.95 m" in m.remarks[0]
    assert motion.remark is None
    motion.start_poses([[0, 0, 2.05, 0, 0, 0, 1]], project=True)
    assert motion.remark == "projection moved body 'ball' by 2 m"
    assert motion.start().remark is None


def test_what_only_mechanisms_have():
    motion = liegrp.Motion('suslov')
    for call in (lambda: motion.poses, lambda: motion.twists, lambda: motion.positions, lambda: motion.velocities,
                 lambda: motion.pose('a'), lambda: motion.point('a'), lambda: motion.joint('a'), motion.limit,
                 lambda: motion.joint_wrench('a'), lambda: motion.wheel_force('a'), lambda: motion.motor_work('a'),
                 lambda: motion.momentum, lambda: motion.joint_index('a'), lambda: motion.float_index('a'),
                 lambda: motion.controls, lambda: motion.set_wrench(None), motion.linearise, motion.linearise_step,
                 motion.start_joints, lambda: motion.start_poses([]), lambda: motion.continue_from(motion_of('arm')),
                 lambda: motion_of('arm').continue_from(motion)):
        with pytest.raises(liegrp.UnsupportedError, match='suslov is no mechanism'):
            call()
    assert motion.step().t == motion.step_size


@pytest.mark.parametrize('method', ['gni', 'sem:gauss=2', 'sem:cholesky'])
def test_other_methods_have_the_columns_of_a_mechanism(method):
    motion, own = motion_of('double-pendulum', method, step=0.001), motion_of('double-pendulum', step=0.001)
    rows = motion.run(steps=20, accuracy=False).rows
    assert rows.dtype == own.model.dtype
    assert rows['elbow'][-1] == pytest.approx(own.step(20).positions[1], abs=1e-5) and motion.gap < 1e-9


def test_interpolate():
    for of, method in (('rolling-ball', 'gni'), ('double-pendulum', 'sem'), ('double-pendulum', 'sem:gauss=2')):
        motion, half = (liegrp.Motion(of, method, step=h).run_to(0.1) for h in (0.01, 0.005))
        with pytest.raises(liegrp.ArgumentError, match='expected a fraction of the last step'):
            motion.interpolate(1.5)
        before, after = half.row, motion.step().row
        row, end = motion.interpolate(0.5), motion.interpolate(1)
        assert row['t'] == pytest.approx(before['t'] + 0.005) and end['t'] == after['t'] and np.isnan(row['energy'])
        half.step()
        for name in motion.model._initial_names():
            assert row[name] == pytest.approx(half.row[name], abs=1e-3)  # both are of order 2
            assert end[name] == pytest.approx(after[name], abs=1e-13)
        half.start(row, t0=row['t'], project=True)
        assert half.t == row['t']
    seen = []
    liegrp.Motion('double-pendulum').run(steps=3, observer=lambda state: seen.append(state.t > 0 and
                                                                                    state.interpolate(0)['t']))
    assert seen == pytest.approx([0, 0, 0.005, 0.01])


def test_a_retraction_for_each_factor():
    both = liegrp.Retraction('exp', 'cayley')
    motion = liegrp.Motion('rolling-ball', 'gni', both)
    named = liegrp.Motion('rolling-ball', 'gni', 'cayley')  # R^2 has one retraction
    copy = motion.copy()
    for m in (motion, named, copy):
        m.step(3)
    assert np.array_equal(motion.g, named.g) and np.array_equal(copy.g, motion.g)
    with pytest.raises(liegrp.ArgumentError, match='has no retraction'):
        liegrp.Motion('double-pendulum', 'sem', both)
