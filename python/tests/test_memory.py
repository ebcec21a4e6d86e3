# SPDX-License-Identifier: BSD-3-Clause
"""Memory of C that Python sees: views keep their owners, functions get arrays that they cannot write, addresses have
types, objects of C are not copied by accident."""
import copy
import ctypes
import gc
import pickle
import subprocess
import sys

import cffi
import numpy as np
import pytest

import liegrp

NUMBERS = ctypes.POINTER(ctypes.c_double)
POTENTIAL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, NUMBERS, NUMBERS)


def spring(**more):
    return liegrp.System(liegrp.Rn(1), [1.0], initial=([1.0], [0.5]), **more)


def churn():
    """Memory that was freed is used again."""
    gc.collect()
    return ([np.full(3, 7.0) for _ in range(500)],
            [liegrp.Motion('suslov', step=0.1).start_state([0, 0, 0, 1], [0, 0, 0]) for _ in range(50)])


@pytest.mark.parametrize('name', ['g', 'p', 'p_plus', 'p_minus', 'step_velocity', 'multipliers'])
def test_a_view_keeps_its_integrator(name):
    it = liegrp.Motion('suslov', 'gni', step=0.1).step()
    view, expected = it.integrator.view(name), getattr(it.integrator, name, None)
    expected = getattr(it, name) if expected is None else expected
    np.testing.assert_array_equal(view, expected)
    part = view[1:]
    del it, view
    kept = churn()
    np.testing.assert_array_equal(part, expected[1:])
    with pytest.raises(ValueError):
        part.flags.writeable = True
    assert kept


def test_a_view_ends_with_its_last_reference():
    import weakref
    it = liegrp.Motion('suslov', step=0.1)
    pointer = weakref.ref(it.pointer)
    view = it.integrator.view('p')
    del it
    gc.collect()
    assert pointer() is not None
    del view
    gc.collect()
    assert pointer() is None


def test_views_of_states_outlive_their_runs():
    seen = []
    liegrp.run('suslov', step=0.1, steps=3, observer=lambda state: seen.append((state.integrator.view('p'), state.p)))
    kept = churn()
    for view, copied in seen:
        np.testing.assert_array_equal(view, copied)
        assert not view.flags.writeable and kept


WRITERS = {
    'potential': lambda c, q: q.fill(2) or 0.0, 'potential_gradient': lambda c, q: q.fill(2) or [0.0],
    'force': lambda c, q, xi: xi.fill(2) or [0.0], 'metric_gradient': lambda c, q, xi: xi.fill(2) or [0.0],
    'holonomic': lambda c, q: q.fill(2) or [0.0], 'poses': lambda c, q: q.fill(2) or np.zeros((1, 7)),
}


@pytest.mark.parametrize('name', WRITERS)
def test_functions_cannot_write_what_they_are_given(name):
    more = {'potential': dict(), 'potential_gradient': dict(potential=lambda c, q: 0.0), 'force': dict(),
            'metric_gradient': dict(metric=lambda c, q: np.eye(2)),
            'holonomic': dict(holonomic_count=1, holonomic_differential=lambda c, q: [[1.0, 0.0]]),
            'poses': dict(look=lambda c: {'bodies': ['a'], 'shapes': []})}[name]
    inertia = None if name == 'metric_gradient' else [1.0, 1.0]
    system = liegrp.System(liegrp.Rn(2), inertia, check=False, **{name: WRITERS[name]}, **more)
    with pytest.raises(ValueError, match='read-only'):
        if name == 'poses':
            system.poses([0.0, 0.0])
        else:
            it = liegrp.Motion(system, step=0.1, started=False)
            it.start().step()
            it.energy


def test_parameters_and_controls_cannot_be_written():
    def f(c, q, xi):
        for array in (c.parameters, c.u):
            with pytest.raises(ValueError, match='read-only'):
                array[0] = 5
        return [0.0]
    system = spring(force=f, parameters={'k': 1.0}, controls=['u'], check=False)
    assert liegrp.Motion(system, step=0.1).step().t == 0.1 and system['k'] == 1


def test_wrenches_cannot_write_what_they_are_given():
    motion = liegrp.Motion(liegrp.Mechanism.gallery('double-pendulum'), step=0.01)
    for which in (0, 1):
        motion.set_wrench(lambda t, *arrays: arrays[which].fill(0))
        with pytest.raises(ValueError, match='read-only'):
            motion.step()


def test_what_a_function_keeps_stays_sound():
    kept = []

    def force(c, q, xi):
        kept.append((c, q, xi, c.parameters, float(q[0])))
        return -q
    system = spring(force=force, parameters={'k': 2.0}, check=False)
    liegrp.Motion(system, step=0.1).step(3)
    del system
    churn()
    for c, q, xi, parameters, number in kept:
        assert q[0] == number and parameters[0] == 2
        for read in (lambda: c.t, lambda: c['k'], lambda: c.parameters, lambda: c.u):
            with pytest.raises(liegrp.ArgumentError, match='has returned'):
                read()


def numbers_of_another_type():
    """Compiled functions of other types than potentials have."""
    from numba import cfunc, types
    pointer = types.CPointer(types.float64)
    return [ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda c: 0),
            ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, NUMBERS, NUMBERS)(lambda c, g, out: 0.0),
            ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_double, NUMBERS)(lambda c, g, out: 0),
            ctypes.CDLL(None).puts, POTENTIAL(), cfunc(types.int64(pointer, pointer, pointer))(lambda c, g, out: 0),
            liegrp.compiled('force_mean')(lambda c, h, g0, g1, out: 0), cffi.FFI().NULL, cffi.FFI().new('double *'),
            cffi.FFI().callback('int(void *, double *)', lambda c, g: 0), cffi.FFI().cast('int(*)(void)', 0)]


@pytest.mark.parametrize('wrong', [1, True, 2**40, 'V', None.__class__, *numbers_of_another_type()],
                         ids=lambda wrong: type(wrong).__name__)
def test_addresses_need_a_type(wrong):
    if wrong is type(None):
        wrong = type('Address', (), {'address': 4096})()
    m = liegrp.Motion(liegrp.Mechanism.gallery('double-pendulum'), step=0.01)
    it = liegrp.Motion('suslov', step=0.1)
    for call in (lambda: spring(potential=wrong), lambda: spring(invariants={'a': wrong}),
                 lambda: it.step_to_event(wrong), lambda: m.set_wrench(wrong)):
        with pytest.raises(liegrp.ArgumentError, match='must be a|has no type'):
            call()


def test_a_number_is_no_function():
    """In another process: they ended with a segmentation fault."""
    for call in ("liegrp.System(liegrp.Rn(1), [1.0], potential=1)", "liegrp.System(liegrp.Rn(1), [1.0], drift=1)",
                 "liegrp.System(liegrp.Rn(1), [1.0], covectors=3, constraint_count=1)",
                 "liegrp.Motion('suslov', step=0.1).step_to_event(1)"):
        done = subprocess.run([sys.executable, '-c', f'import liegrp\n{call}'], capture_output=True, text=True)
        assert done.returncode == 1 and 'ArgumentError' in done.stderr, call


def test_functions_of_ctypes_and_cffi():
    other = cffi.FFI()

    def V(c, q, out):
        out[0] = q[0]**2
        return 0
    for function in (POTENTIAL(V), other.callback('int(void *, double *, double *)', V)):
        system = spring(potential=function)
        assert system.energy([3.0], [0.0]) == 9
    done = spring(potential=POTENTIAL(V))  # the system keeps it
    churn()
    assert done.energy([2.0], [0.0]) == 4


def test_compiled_functions_are_kept():
    def made():
        @liegrp.compiled('potential')
        def V(c, q, out):
            out[0] = q[0]**2
            return 0
        return spring(potential=V)
    systems = [made() for _ in range(3)]
    churn()
    assert [system.energy([2.0], [0.0]) for system in systems] == [4, 4, 4]


def test_ensembles_of_a_system_that_is_not_the_last_one():
    """The group of an ensemble's models was that of the system made last: of another dimension, in another memory."""
    call = ("import liegrp, numpy, threading\n"
            "A = liegrp.System(liegrp.SO3, [1.0, 2, 3], initial=([0, 0, 0, 1], [0.1, 0.2, 3]))\n"
            "B = liegrp.System(liegrp.Rn(1), [1.0])\n"
            "for make in range(2):\n"
            "    E = liegrp.Ensemble(A, 3, step=0.1).run(10)\n"
            "    it = liegrp.Motion(A, step=0.1).step(10)\n"
            "    assert (E.g == it.g).all() and (E.xi == it.xi).all(), E.g\n"
            "thread = threading.Thread(target=lambda: print(liegrp.Ensemble(A, 2, step=0.1).run(1).g.shape))\n"
            "thread.start(); thread.join()\n"
            "assert (liegrp.with_inputs(A, numpy.eye(3)).group.dim, B.dim) == (3, 1)")
    done = subprocess.run([sys.executable, '-c', call], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, '(2, 4)'), done.stderr


def objects():
    """One of each kind that stands for an object of C."""
    it = liegrp.Motion('suslov', step=0.1)
    m = liegrp.Mechanism.gallery('double-pendulum').compile()
    return [it.model, m.model, spring(), liegrp.Ensemble('suslov', 2), liegrp.Linearisation(it), m, it.integrator,
            liegrp.Trajectory(it, 2),
            liegrp.Ensemble(m, 2), liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3]),
            liegrp.Spline.hermite(liegrp.Rn(1), [0, 1], [[0], [2]], [[2], [2]])]


@pytest.mark.parametrize('thing', objects(), ids=lambda thing: type(thing).__name__)
def test_objects_of_c_are_not_copied(thing):
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match='stands for an object in C'):
            copied(thing)


@pytest.mark.parametrize('name', ['suslov', 'double-pendulum'])
def test_copies_of_motions_go_their_own_way(name):
    it = liegrp.Motion(name, step=0.01)
    for copied in (copy.copy, copy.deepcopy):
        other = copied(it)
        assert (other.step(3).step_index, it.step_index) == (3, 0)
        assert other.save() == it.copy().step(3).save()
    with pytest.raises(TypeError, match='copy'):
        pickle.dumps(it)
    kept = []
    liegrp.run('suslov', step=0.1, steps=1, observer=lambda state: kept.append(pytest.raises(
        TypeError, copy.copy, state)))
    assert len(kept) == 2


def test_groups_and_retractions_are_their_own_copies():
    for thing in (liegrp.SO3, liegrp.SE2 * liegrp.Rn(2), liegrp.Retraction('cayley')):
        assert copy.copy(thing) is thing and copy.deepcopy(thing) is thing


def test_a_function_cannot_move_the_motion_that_calls_it():
    m = liegrp.Mechanism.gallery('double-pendulum').compile()
    motion, other = liegrp.Motion(m, step=0.01), liegrp.Motion(m, step=0.01)
    calls = [lambda: motion.step(), lambda: motion.start(), lambda: motion.load(b''), lambda: motion.run(steps=1),
             lambda: motion.linearise(), lambda: motion.start_poses(motion.poses), lambda: motion.set_wrench(None),
             lambda: motion.step_to_event(lambda state: 1.0), lambda: motion.continue_from(other),
             lambda: motion.set_control([]), lambda: motion.copy()]
    for call in calls:
        def wrench(t, poses, twists):
            call()
            return 0 * twists
        motion.set_wrench(wrench)
        before = motion.positions
        with pytest.raises(liegrp.ArgumentError, match='called by a function that this motion calls'):
            motion.step()
        assert motion.t == 0 and (motion.positions == before).all()
    motion.set_wrench(lambda t, poses, twists: (other.step(), 0 * twists)[1])
    assert motion.step().t == 0.01
    with pytest.raises(liegrp.ArgumentError, match='called by a function'):
        motion.run(steps=2, observer=lambda state: motion.step())


@pytest.mark.parametrize('answer', [0.0, [0.0] * 6, np.zeros((3, 6)), None, 'x', np.zeros((2, 6), dtype=complex)])
def test_wrenches_have_the_shape_of_bodies(answer):
    motion = liegrp.Motion(liegrp.Mechanism.gallery('double-pendulum'), step=0.01)
    motion.set_wrench(lambda t, poses, twists: answer)
    with pytest.raises(liegrp.ArgumentError, match='wrench'):
        motion.step()
