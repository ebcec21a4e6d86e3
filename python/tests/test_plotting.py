# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of runs."""
import sys

import matplotlib
import numpy as np
import pytest

import liegrp
from liegrp.plotting import Rows

matplotlib.use('Agg')


@pytest.mark.parametrize('name', liegrp.gallery())
def test_mechanisms(name):
    result = liegrp.Motion(liegrp.Mechanism.gallery(name)).run(steps=10, accuracy=False)
    figure = liegrp.plot(result, title=name)
    labels = [(frame.get_ylabel() or frame.get_legend().get_texts()[0].get_text()).partition(' [')[0]
              for frame in figure.axes]
    assert 'energy_change' in labels and ('gap' in labels or result.rows['gap'].max() == 0)
    matplotlib.pyplot.close(figure)


@pytest.mark.parametrize('name', ('rolling-ball', 'snakeboard', 'heavy-top', 'particle', 'two-wheeled-robot'))
def test_models(name):
    """Drawing takes most of the time; the tutorial draws its figures."""
    result = liegrp.run(liegrp.Model(name), steps=20, accuracy=False)
    figure = liegrp.plot(result)
    assert len(figure.axes) >= 2 and all(frame.lines for frame in figure.axes)
    matplotlib.pyplot.close(figure)


def test_columns():
    rows = liegrp.run(liegrp.Model('rolling-ball'), steps=20, accuracy=False).rows
    figure = liegrp.plot(rows, 'x:y/xi_*,energy_change/e3_z')
    frames = figure.axes
    assert [len(frame.lines) for frame in frames] == [1, 6, 1]
    assert (frames[0].lines[0].get_xdata() == rows['x']).all() and frames[0].get_xlabel() == 'x'
    assert (frames[1].lines[-1].get_ydata() == rows['energy'] - rows['energy'][0]).all()
    q = np.array([rows[name] for name in ('qx', 'qy', 'qz', 'qw')])
    assert frames[2].lines[0].get_ydata() == pytest.approx(liegrp.SO3.act(q.T, [0, 0, 1])[:, 2])
    assert len(Rows(rows).chosen('motion')) == 2
    matplotlib.pyplot.close(figure)


def test_rounding():
    """It lies in a band and does not fill the height; what a method loses is shown as before."""
    result = liegrp.run('two-wheeled-robot', steps=50, accuracy=False)
    balance, residual = liegrp.plot(result, 'balance/constraint').axes
    noise = 1e-13 * np.abs(result.rows['energy']).max()
    low, high = balance.get_ylim()
    assert high - low == pytest.approx(10 * noise) and balance.patches and balance.get_yscale() == 'linear'
    assert residual.get_yscale() == 'log' and residual.get_ylim() == pytest.approx((1e-18, 1)) and residual.patches
    lossy = liegrp.run('chaplygin-sleigh', 'rk4', step=0.5, steps=50, accuracy=False)
    lost = liegrp.plot(lossy, 'energy_change').axes[0]
    assert not lost.patches and np.diff(lost.get_ylim()) > 1e-7
    path = liegrp.plot(result, 'x:y').axes[0]
    assert not path.patches and path.get_yscale() == 'linear'
    matplotlib.pyplot.close('all')


def test_units():
    """Curves of other units have a panel of their own."""
    result = liegrp.run('rigid-body', steps=5, accuracy=False)
    frames = liegrp.plot(result, 'inv_*_change,energy_change').axes
    units = [{line.get_label().partition(' [')[2] for line in frame.lines if ' [' in line.get_label()}
             for frame in frames]
    assert len(frames) == 3 and all(len(unit) <= 1 for unit in units)
    matplotlib.pyplot.close('all')


def test_wrong():
    rows = liegrp.run(liegrp.Model('suslov'), steps=2, accuracy=False).rows
    for columns, said in (('nope', "'nope'"), ('a_*', 'matches'), ('e4_x', 'e4_x'), ('qx:nope', 'nope')):
        with pytest.raises(liegrp.ArgumentError, match=said.replace('*', r'\*')):
            liegrp.plot(rows, columns)
    with pytest.raises(liegrp.ArgumentError, match='structured array'):
        liegrp.plot(np.zeros(3))


def test_work_and_balance_of_a_model():
    result = liegrp.run('two-wheeled-robot', step=0.02, steps=50, control=[0.1, 0.2])
    source = Rows(result)
    np.testing.assert_array_equal(source['work'], result.work_so_far)
    assert np.abs(source['balance']).max() < 1e-14 < source['work'].max()
    figure = liegrp.plot(result, 'phi_left/work')
    assert [frame.get_ylabel() for frame in figure.axes] == ['phi_left [rad]', 'work [J]']
    assert figure.axes[0].get_xlabel() == 't [s]'
    assert Rows(liegrp.run('heavy-top', steps=1)).label('p_1') == 'p_1 [kg m²/s]'
    matplotlib.pyplot.close(figure)
    with pytest.raises(liegrp.ArgumentError, match="'balance' needs the Result of a run"):
        liegrp.plot(result.rows, 'balance')
    with pytest.raises(liegrp.ArgumentError, match='does not account for work'):
        liegrp.plot(liegrp.run('two-wheeled-robot', 'gauss', steps=3, control=[0.1, 0.2]), 'work')


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, 'matplotlib', None)
    with pytest.raises(ImportError, match='python3-matplotlib'):
        liegrp.plot(liegrp.run(liegrp.Model('suslov'), steps=2, accuracy=False))
