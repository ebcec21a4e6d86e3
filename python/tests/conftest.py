# SPDX-License-Identifier: BSD-3-Clause
import runpy
import sys

import pytest

import liegrp

GROUPS = [liegrp.SO2, liegrp.SO3, liegrp.SE2, liegrp.SE3, liegrp.SE23, liegrp.Rn(3), liegrp.Tn(2), liegrp.SO(4),
          liegrp.SO3 * liegrp.Rn(2), liegrp.SE2 * liegrp.Tn(1) * liegrp.SO2]


@pytest.fixture(params=GROUPS, ids=lambda G: G.name)
def G(request):
    return request.param


@pytest.fixture(params=[(G, name) for G in GROUPS for name in liegrp.retractions()
                        if liegrp.Retraction(name).supports(G)], ids=lambda pair: f'{pair[0].name}-{pair[1]}')
def map_on(request):
    return request.param


@pytest.fixture
def program(monkeypatch, capsys):
    """Runs a script as a program, without another start of Python: what it prints."""
    def run(path, *arguments):
        monkeypatch.setattr(sys, 'argv', [str(path), *map(str, arguments)])
        try:
            runpy.run_path(str(path), run_name='__main__')
        except SystemExit as ended:
            assert not ended.code
        return capsys.readouterr().out
    return run
