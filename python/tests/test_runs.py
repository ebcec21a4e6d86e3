# SPDX-License-Identifier: BSD-3-Clause
"""Runs: the bits of the command line, files, functions, signals."""
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import liegrp

TOOL = liegrp.tool()
MODEL = liegrp.Model('rolling-ball', Omega=0.9)


@pytest.mark.parametrize('name,options', [
    ('rolling-ball', dict(step=0.1, steps=100)),
    ('suslov', dict(method='gni', step=0.05, steps=100, every=7)),
    ('chaplygin-sphere', dict(retraction='cayley', step=0.05, time=3.0)),
    ('rattleback', dict(method='gauss', tolerance=1e-9, step=0.1, steps=20)),
    ('double-spherical-pendulum', dict(method='rattle', steps=50, start='legendre')),
], ids=lambda value: value if isinstance(value, str) else '')
def test_the_bits_of_the_tool(tmp_path, name, options):
    arguments = [word for key, value in options.items() for word in (f'--{key}', str(value))]
    subprocess.run([TOOL, 'run', name, *arguments, '--format', 'npy', '--output', tmp_path / 'tool', '--quiet'],
                   check=True)
    wanted = np.load(tmp_path / 'tool')
    result = liegrp.run(liegrp.Model(name), output=tmp_path / 'own.npy', **options)
    assert result.rows.dtype == wanted.dtype and result.rows.tobytes() == wanted.tobytes()
    assert np.load(tmp_path / 'own.npy').tobytes() == wanted.tobytes()


def test_result():
    result = liegrp.run(MODEL, step=0.1, time=10, monitor=True)
    assert result.steps == 100 and result.time == pytest.approx(10) and len(result.rows) == 101
    assert result.figures()['energy_slope'] == result.energy_slope and not result.interrupted
    assert result['x'][0] == MODEL.initial()[0][0]
    np.testing.assert_array_equal(result.array('t', 'x')[:, 1], result.rows['x'])
    assert result.monitor['samples'] == 101 and set(result.monitor['invariants']) == set(MODEL.invariants)
    assert result.error_steps > 0 and liegrp.run(MODEL, steps=5, accuracy=False).error_steps == 0
    assert '100 steps' in repr(result) and isinstance(result, liegrp.Result)


def test_files(tmp_path):
    liegrp.run(MODEL, steps=3, output=tmp_path / 'rows.csv')
    assert (tmp_path / 'rows.csv').read_text().startswith('step,t,x,y,')
    liegrp.run(MODEL, steps=3, output=tmp_path / 'rows', format='npy')
    assert len(np.load(tmp_path / 'rows')) == 4
    with pytest.raises(OSError):
        liegrp.run(MODEL, steps=3, output=tmp_path / 'no' / 'rows.csv')
    with pytest.raises(liegrp.ArgumentError, match="unknown format 'xml'"):
        liegrp.run(MODEL, steps=3, format='xml')


def test_refusals():
    with pytest.raises(liegrp.ArgumentError, match='exclude'):
        liegrp.run(MODEL, steps=3, time=1)
    with pytest.raises(liegrp.ArgumentError, match='opposite directions'):
        liegrp.run(MODEL, step=0.3, time=-1)
    with pytest.raises(liegrp.ArgumentError, match='at least'):
        liegrp.run(MODEL, steps=-3)
    with pytest.raises(liegrp.ArgumentError, match='unknown method'):
        liegrp.run(MODEL, 'semm')
    with pytest.raises(liegrp.ArgumentError, match='no controls'):
        liegrp.run(MODEL, control=lambda state, u: u)


def test_a_time_between_two_steps():
    """As in the tool, the run ends at the nearest multiple, with a warning."""
    with pytest.warns(UserWarning, match='time 1 is not a multiple of the step 0.3; the run ends at the .* t = 0.9'):
        assert liegrp.run(MODEL, step=0.3, time=1).steps == 3
    with pytest.warns(UserWarning, match='multiple'):
        assert liegrp.Motion(liegrp.Mechanism.gallery('vehicle'), step=0.3).run(time=1).steps == 3


@pytest.mark.parametrize('every', [1, 7])
def test_work_up_to_each_row(every):
    result = liegrp.run('two-wheeled-robot', step=0.02, steps=70, every=every, control=[0.1, 0.2])
    rows = result.rows
    assert result.work_so_far[-1] == pytest.approx(result.work, abs=1e-15)
    np.testing.assert_allclose(rows['energy'] - rows['energy'][0], result.work_so_far, atol=1e-14)
    seen = []
    observed = liegrp.run('two-wheeled-robot', step=0.02, steps=70, control=[0.1, 0.2],
                          observer=lambda state: seen.append(state.t))
    assert len(seen) == 71 and observed.work_so_far[-1] == result.work_so_far[-1]
    assert result.units['phi_left'] == 'rad' and result.units['energy'] == 'J'


def test_observer_and_progress():
    seen = []
    result = liegrp.run(MODEL, step=0.1, steps=10, observer=lambda state: seen.append((state.t, state.g)))
    np.testing.assert_array_equal([t for t, _ in seen], result.rows['t'])
    assert seen[3][1][0] == result.rows['x'][3]
    kept = []
    liegrp.run(MODEL, step=0.1, steps=2, observer=kept.append)
    with pytest.raises(liegrp.ArgumentError):
        kept[0].g
    for read in (lambda s: s.t, lambda s: s.energy, lambda s: s.integrator, lambda s: s.row):
        with pytest.raises(liegrp.ArgumentError, match='has returned'):
            read(kept[0])
    with pytest.raises(liegrp.ArgumentError):
        kept[0].xi
    result = liegrp.run(MODEL, step=0.1, steps=10, observer=lambda state: state.step_index == 4)
    assert result.interrupted and result.steps == 4
    told = []
    liegrp.run(MODEL, step=0.1, steps=10, progress=lambda step, steps: told.append((step, steps)))
    assert told and told[0][1] == 10

    def bad(state):
        if state.step_index == 5:
            raise LookupError('five')
    with pytest.raises(LookupError) as caught:
        liegrp.run(MODEL, step=0.1, steps=10, observer=bad)
    assert len(caught.value.result.rows) == 6


def test_failure_has_the_rows_so_far():
    def V(c, g):
        if c.t > 0.55:
            raise LookupError
        return 0.0
    system = liegrp.System(liegrp.Rn(1), [1.0], potential=V, time_dependent=True, initial=([0.0], [1.0]), check=False)
    with pytest.raises(LookupError) as caught:
        liegrp.run(system, 'gni', step=0.1, steps=100)
    assert 1 < len(caught.value.result.rows) < 10


def test_checkpoint(tmp_path):
    keep, output = tmp_path / 'keep', tmp_path / 'rows.npy'
    options = dict(step=0.1, steps=20, output=output, checkpoint=keep)
    liegrp.run(MODEL, observer=lambda state: state.step_index == 9, **options)
    assert keep.exists() and not output.exists()
    liegrp.run(MODEL, resume=True, **options)
    assert np.load(output).tobytes() == liegrp.run(MODEL, step=0.1, steps=20).rows.tobytes()


def interrupt_soon(seconds=0.15, begun=None):
    """Ctrl-C, as the terminal sends it, so long after the event `begun`."""
    def send():
        if begun is not None:
            begun.wait()
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send, daemon=True).start()


def test_ctrl_c_stops_a_run(tmp_path):
    begun = threading.Event()
    with pytest.raises(KeyboardInterrupt) as caught:
        interrupt_soon(begun=begun)
        liegrp.run(MODEL, steps=10**9, every=10**6, step=1e-4, progress=lambda step, steps: begun.set(), output=tmp_path / 'rows.npy', accuracy=False)
    result = caught.value.result
    assert result.interrupted and 0 < result.steps < 10**9
    assert np.load(tmp_path / 'rows.npy').tobytes() == result.rows.tobytes()


def test_ctrl_c_stops_steps():
    it = liegrp.Motion(MODEL, step=1e-4)
    with pytest.raises(KeyboardInterrupt):
        interrupt_soon()
        it.step(10**9)
    done = it.step_index  # 0 where the machine was so busy that the signal came before the first step
    assert done < 10**9 and it.step().step_index == done + 1
    with pytest.raises(KeyboardInterrupt):
        interrupt_soon()
        it.run_to(1e6)
    end = it.t + 0.00025
    assert it.run_to(end).t == end


def test_ctrl_c_within_python_functions():
    system = liegrp.System(liegrp.Rn(1), [1.0], potential=lambda c, g: 0.5 * g[0]**2, initial=([1.0], [0.0]))
    with pytest.raises(KeyboardInterrupt):
        interrupt_soon()
        liegrp.run(system, steps=10**7, every=10**5, accuracy=False)
    ensemble = liegrp.Ensemble(system, 3, step=0.01)
    with pytest.raises(KeyboardInterrupt):
        interrupt_soon()
        ensemble.run(10**7)
    done = ensemble.steps_done()
    assert done[0] < 10**7 and (done == done[0]).all()


@pytest.mark.parametrize('method', ['sem', 'gni'])
def test_a_run_ends_wherever_a_function_fails(method):
    """Also in the energy of a state, where the library continues with NaN."""
    calls, last = 0, 0

    def V(c, g):
        nonlocal calls
        calls += 1
        if calls == last:
            raise LookupError
        return 0.5 * g[0]**2
    system = liegrp.System(liegrp.Rn(1), [1.0], potential=V, initial=([1.0], [0.0]))
    for last in range(1, 80):
        calls = 0
        with pytest.raises(LookupError) as caught:
            liegrp.run(system, method, steps=20000, every=1000, accuracy=False)
        assert caught.value.result.steps < 20000


def test_as_a_program():
    """The import does not load numba, and prints nothing."""
    said = subprocess.run([sys.executable, '-c', 'import liegrp, sys; print("numba" in sys.modules)'], check=True,
                          capture_output=True, text=True)
    assert said.stdout.strip() == 'False' and said.stderr == ''


def test_the_benchmark_runs(program):
    said = program(pathlib.Path(__file__).parents[2] / 'benchmarks/python/overhead.py', '--quick')
    assert said.count('\n### ') == said.count('|---|---|---|') >= 6


def test_results_go_to_other_processes():
    result = liegrp.run('rolling-ball', steps=3, monitor=True)
    there = pickle.loads(pickle.dumps(result))
    assert there.rows.tobytes() == result.rows.tobytes() and there.rows.dtype == result.rows.dtype
    np.testing.assert_equal(there.figures(), result.figures())
    np.testing.assert_equal(there.monitor, result.monitor)
    with pytest.raises(liegrp.ArgumentError, match='do not say what made them'):
        there.view()


def test_names_and_mechanisms_instead_of_models():
    rows = liegrp.run('rolling-ball', steps=3).rows.tobytes()
    assert rows == liegrp.run(liegrp.Model('rolling-ball'), steps=3).rows.tobytes()
    assert liegrp.Motion('suslov').model.name == 'suslov'
    assert liegrp.Ensemble('suslov', 2).model.name == 'suslov'
    mechanism = liegrp.Mechanism.gallery('four-bar')
    rows = liegrp.run('four-bar', steps=3).rows
    for model in (mechanism, mechanism.model):
        for result in (liegrp.run(model, steps=3), liegrp.Motion(model).run(steps=3)):
            assert result.rows.tobytes() == rows.tobytes()
        assert liegrp.Ensemble(model, 2).run(3).energy[1] == rows['energy'][-1]
        assert liegrp.run(model, 'gni', steps=3).columns == list(rows.dtype.names)
    for make in (liegrp.run, liegrp.Motion, lambda m: liegrp.Ensemble(m, 2)):
        with pytest.raises(liegrp.ArgumentError, match='expected a Model, a Mechanism, or the name of one'):
            make(3.5)


@pytest.mark.parametrize('ending', ['npy', 'npz', 'h5'])
def test_formats_have_the_rows_of_the_tool(tmp_path, ending):
    ours, theirs = tmp_path / f'ours.{ending}', tmp_path / f'theirs.{ending}'
    liegrp.run('rolling-ball', steps=20, output=ours)
    subprocess.run([TOOL, 'run', 'rolling-ball', '--steps', '20', '--quiet', '--output', str(theirs)], check=True)
    if ending == 'npy':
        assert ours.read_bytes() == theirs.read_bytes()
    elif ending == 'npz':
        one, other = np.load(ours), np.load(theirs)
        assert one['rows'].tobytes() == other['rows'].tobytes()
        assert '"system": "rolling-ball"' in str(one['provenance'])
    else:
        assert ours.read_bytes()[:4] == b'\x89HDF'
