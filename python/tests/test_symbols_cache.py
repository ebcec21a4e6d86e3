# SPDX-License-Identifier: BSD-3-Clause
"""The folder of what from_sympy compiled before, and the files and compilers that it may meet."""
import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip('sympy')

import liegrp  # noqa: E402
from liegrp.symbols import Reals, from_sympy  # noqa: E402

POINT = Reals('x y')


def made(**more):
    return from_sympy('trust', POINT, kinetic='(xdot**2 + ydot**2)/2', **more)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder of its own, with the shared object of made()."""
    tmp_path.chmod(0o700)
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    made()
    kept, = (tmp_path / 'liegrp').iterdir()
    return kept


def test_a_damaged_file_is_built_again(place):
    whole, first = place.read_bytes(), place.stat().st_ino
    made()
    assert place.stat().st_ino == first
    for damaged in (b'', whole[:100], whole[:-1], whole[:-80], whole[:3000] + bytes([whole[3000] ^ 1]) + whole[3001:]):
        place.unlink()
        place.write_bytes(damaged)
        made()
        assert place.read_bytes() == whole
    place.unlink()
    place.symlink_to('/dev/null')
    made()
    assert place.read_bytes() == whole and not place.is_symlink()


def test_what_others_can_write_is_not_loaded(place, monkeypatch, tmp_path):
    for path, mode in ((place, 0o666), (place, 0o664), (place.parent, 0o777), (place.parent, 0o770), (tmp_path, 0o777)):
        before = path.stat().st_mode
        path.chmod(mode)
        with pytest.raises(liegrp.Error, match='can write it .*XDG_CACHE_HOME'):
            made()
        path.chmod(before)
    tmp_path.chmod(0o1777)
    made()
    owner = place.stat().st_uid
    monkeypatch.setattr(os, 'geteuid', lambda: owner + 1)
    with pytest.raises(liegrp.Error, match='belongs to the user .*XDG_CACHE_HOME'):
        made()


@pytest.mark.skipif(os.geteuid() != 0, reason='gives files away')
def test_what_another_user_owns_is_not_loaded(place, tmp_path):
    for path in (place, place.parent, tmp_path):
        os.chown(path, 12345, 12345)
        with pytest.raises(liegrp.Error, match='belongs to the user 12345, .*XDG_CACHE_HOME'):
            made()
        os.chown(path, 0, 0)
    made()


def test_folders_that_cannot_be(monkeypatch, tmp_path):
    (tmp_path / 'file').write_text('')
    (tmp_path / 'liegrp').write_text('')
    wrong = ((tmp_path / 'file', 'file'), (tmp_path, 'liegrp is no folder'), ('/proc/1', 'No such file'))
    for base, message in wrong:
        monkeypatch.setenv('XDG_CACHE_HOME', str(base))
        with pytest.raises(liegrp.Error, match=f'{message}.*Set XDG_CACHE_HOME to a folder .* out='):
            made()
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path / 'new'))
    monkeypatch.setattr(os, 'access', lambda path, mode, **_: not mode & os.W_OK)
    with pytest.raises(liegrp.Error, match='new/liegrp cannot be written. Set XDG_CACHE_HOME'):
        made()
    monkeypatch.undo()
    monkeypatch.setenv('XDG_CACHE_HOME', 'relative')  # the standard ignores it
    monkeypatch.setenv('HOME', str(tmp_path))
    monkeypatch.chdir(tmp_path)
    made()
    assert (tmp_path / '.cache' / 'liegrp').is_dir() and not (tmp_path / 'relative').exists()


def test_files_that_cannot_be_written(tmp_path):
    for out in (dict(out=tmp_path / 'none' / 'x.so'), dict(source=tmp_path / 'none' / 'x.c'), dict(out=tmp_path)):
        with pytest.raises(liegrp.Error, match='cannot be written'):
            made(**out)
    assert list(tmp_path.iterdir()) == []


def test_compilers_that_are_none(monkeypatch, tmp_path):
    for command, message in (('true', 'made no file'), ("'a", 'is no command'), ('/nowhere/cc', 'cannot be started')):
        monkeypatch.setenv('CC', command)
        with pytest.raises(liegrp.Error, match=message):
            made(out=tmp_path / 'x.so')
    monkeypatch.setenv('CC', '  ')
    monkeypatch.setenv('PATH', str(tmp_path))
    with pytest.raises(liegrp.Error, match='no C compiler: install one'):
        made(out=tmp_path / 'x.so')
    assert list(tmp_path.iterdir()) == []


def test_two_processes_at_once(tmp_path):
    program = ("from liegrp.symbols import Reals, from_sympy\nr = Reals('x')\n"
               "print(from_sympy('both', r, kinetic='xdot**2/2').energy([0], [2]))")
    where = {**os.environ, 'XDG_CACHE_HOME': str(tmp_path), 'PYTHONPATH': os.pathsep.join(sys.path)}
    pair = [subprocess.Popen([sys.executable, '-c', program], stdout=subprocess.PIPE, text=True, env=where)
            for _ in range(2)]
    assert [process.communicate()[0] for process in pair] == ['2.0\n', '2.0\n']
    assert [path.suffix for path in pathlib.Path(tmp_path / 'liegrp').iterdir()] == ['.so']
