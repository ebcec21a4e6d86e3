# SPDX-License-Identifier: BSD-3-Clause
"""The ledger and orders of convergence."""
import os
import subprocess

import numpy as np
import pytest

import liegrp
from liegrp import verification


def test_verify():
    claims = liegrp.verify('gni-parasitic-growth', 'start-order')
    assert [claim.name for claim in claims] == ['gni-parasitic-growth', 'start-order']
    for claim in claims:
        assert isinstance(claim, liegrp.Claim) and claim.holds and claim.text and claim.source
        for m in claim.measures:
            assert isinstance(m, liegrp.Measure) and m.claim == claim.name and m.passed
            if not m.control and not m.skipped:
                assert not (m.value < m.low or m.value > m.high)
    with pytest.raises(liegrp.ArgumentError, match='unknown claim'):
        liegrp.verify('nonsense')


def test_names():
    with pytest.raises(liegrp.ArgumentError, match='as in verify'):
        liegrp.verify(['sem'])


def test_failures():
    measure = {'control': False, 'passed': False, 'skipped': False, 'system': 's', 'method': 'gni', 'retraction': 'exp',
               'what': 'w', 'value': 2.0, 'low': None, 'high': 1.0, 'bound_from': 'b'}
    claim = verification._claim({'id': 'c', 'verdict': 'fails', 'text': 't', 'source': 's', 'seconds': 0.1,
                                 'measures': [measure]})
    assert not claim.holds and not claim.measures[0].passed and np.isnan(claim.measures[0].low)


def test_tool(monkeypatch, tmp_path):
    said = subprocess.run([liegrp.tool(), '--version'], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert liegrp.version() in said
    monkeypatch.setattr(verification, '__file__', str(tmp_path / 'lib/python3/dist-packages/liegrp/verification.py'))
    monkeypatch.setenv('PATH', str(tmp_path))
    with pytest.raises(FileNotFoundError, match='Debian package'):
        liegrp.tool()
    (tmp_path / 'liegrp').write_text('#!/bin/sh\n')
    os.chmod(tmp_path / 'liegrp', 0o755)
    assert liegrp.tool() == str(tmp_path / 'liegrp')
    (tmp_path / 'bin').mkdir()
    (tmp_path / 'liegrp').rename(tmp_path / 'bin/liegrp')
    assert liegrp.tool() == str(tmp_path / 'bin/liegrp')  # the tool of the same prefix comes before the PATH


def test_convergence():
    ball = liegrp.Model('rolling-ball')
    found = liegrp.convergence(ball, 'sem', 'cayley', step=0.1, levels=4)
    assert isinstance(found, liegrp.Convergence) and found.errors.shape == (4, len(found.columns))
    assert found.order() == pytest.approx(2, abs=0.05) and found.order('momentum') == pytest.approx(2, abs=0.05)
    assert found.steps == pytest.approx(0.1 / 2.0**np.arange(4))
    assert liegrp.convergence(ball, 'sem@suzuki4', step=0.1, levels=3).order() == pytest.approx(4, abs=0.3)
    with pytest.raises(liegrp.ArgumentError):
        liegrp.convergence(ball, levels=1)
    with pytest.raises(liegrp.ArgumentError):
        liegrp.convergence(ball, 'no-method')


def test_convergence_of_a_mechanism():
    m = liegrp.Mechanism.gallery('double-pendulum')
    found = liegrp.convergence(m, step=0.01, levels=3)
    assert found.columns[:2] == ['upper position', 'upper attitude'] and set(found.kinds[:5]) == {'reconstructed'}
    assert found.order() == pytest.approx(2, abs=0.05) and found.order('lower attitude') == pytest.approx(2, abs=0.1)
    assert liegrp.convergence(m, 'sem:gauss=4', 'cayley', step=0.01, levels=3).order() == pytest.approx(2, abs=0.1)
    with pytest.raises(liegrp.UnsupportedError, match='has no retraction'):
        liegrp.convergence(m, 'sem', 'cayley', step=0.01)


def test_convergence_of_a_name():
    found = liegrp.convergence('rolling-ball', step=0.1, levels=3)
    assert found.order() == pytest.approx(2, abs=0.1)
    with pytest.raises(liegrp.ArgumentError, match='not a multiple of the step 0.3; 0.9 and 1.2 are'):
        liegrp.convergence('rolling-ball', step=0.3)
