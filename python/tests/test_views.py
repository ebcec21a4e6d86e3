# SPDX-License-Identifier: BSD-3-Clause
"""Pages of runs: their data, compared methods, notebooks, and refusals."""
import base64
import json
import re
import subprocess

import liegrp
import numpy as np
import pytest


@pytest.fixture(autouse=True, scope='module')
def pages(tmp_path_factory):
    """The page of the tool, which says whether this build has pages."""
    page = tmp_path_factory.mktemp('pages') / 'page.html'
    run = subprocess.run([liegrp.tool(), 'run', 'suslov', '--steps', '3', '--quiet', '--view', page], capture_output=True,
                         text=True)
    if run.returncode == 2 and 'without three.js' in run.stderr:
        pytest.skip(run.stderr)
    assert run.returncode == 0, run.stderr
    return page.read_text(encoding='utf-8')


def test_the_page_of_the_tool(pages):
    """Its text but for the data."""
    def frame(text):
        return re.sub(r'(id="liegrp-data">).*?(</script>)', r'\1\2', text, flags=re.DOTALL)
    assert frame(liegrp.run('suslov', steps=3).view().html) == frame(pages)


def test_missing_page(monkeypatch, tmp_path):
    """The message names the missing file."""
    monkeypatch.setattr(liegrp.views, '__file__', str(tmp_path / 'views.py'))
    with pytest.raises(liegrp.UnsupportedError, match=re.escape(str(tmp_path / 'view.html'))):
        liegrp.run('suslov', steps=3).view()


def data(page):
    found = re.search(r'id="liegrp-data">(.*?)</script>', page.html, re.DOTALL)
    return json.loads(found[1])


def column(track, name):
    return np.frombuffer(base64.b64decode(next(c['values'] for c in track['columns'] if c['name'] == name)), '<f8')


def test_rows_of_a_model(tmp_path):
    result = liegrp.run('rolling-disk', time=1.0)
    page = result.view(tmp_path / 'disk.html')
    assert (tmp_path / 'disk.html').read_text(encoding='utf-8') == page.html
    track, = data(page)['tracks']
    assert track['rows'] == len(result.rows)
    for name in result.rows.dtype.names:
        assert np.array_equal(column(track, name), result.rows[name].astype(float), equal_nan=True)
    assert 'View of rolling-disk: sem' in repr(page)


def bouncing():
    m = liegrp.Mechanism()
    m.add_body('ball', mass=1, inertia=[0.004] * 3, position=[0, 0, 0.5])
    m.add_surface('skin', 'ball', 'sphere', half=0.1, friction=0.3, restitution=0.8)
    m.add_surface('ground', None, 'plane', friction=1, restitution=1)
    return m


@pytest.mark.parametrize('every', [1, 3])
def test_contacts(every):
    """Those of the motion, found by a repetition with its options of contact."""
    motion = liegrp.Motion(bouncing(), step=0.01).set_contact(capture_speed=0.5)
    forces = []
    result = motion.run(steps=300, every=every, observer=lambda state: forces.append(state.contacts['force'][0].copy()))
    track, = data(result.view())['tracks']
    counts = np.frombuffer(base64.b64decode(track['contacts']['counts']), '<u4')
    values = np.frombuffer(base64.b64decode(track['contacts']['values']), '<f4').reshape(-1, 12)
    assert len(counts) == len(result.rows) and counts.max() == track['contacts']['most'] == 1
    assert np.array_equal(values[:, 9:], np.float32(forces[::every])[counts == 1]) and values[-1, 11] > 9
    assert not track['note']
    assert 'contacts' not in data(liegrp.run('four-bar', steps=3).view())['tracks'][0]


def test_contacts_of_a_run_that_cannot_be_repeated():
    """The page says from when on contacts are missing."""
    motion, force = liegrp.Motion(bouncing(), step=0.01), [0]

    result = motion.set_wrench(lambda t, poses, twists: np.full((1, 6), force[0])).run(steps=150)
    force[0] = 1e-3
    track, = data(result.view())['tracks']
    assert track['rows'] == 151 and 'contacts are shown up to t = 0: a repetition' in track['note']


def test_compare():
    tracks = data(liegrp.run('chaplygin-sleigh', time=2.0).view(compare=['gni', 'rk4']))['tracks']
    assert [t['label'] for t in tracks] == ['sem', 'gni', 'rk4']
    other = liegrp.run('chaplygin-sleigh', 'gni', time=2.0)
    assert np.array_equal(column(tracks[1], 'energy'), other.rows['energy'])
    with pytest.raises(liegrp.ArgumentError):
        liegrp.run('chaplygin-sleigh', steps=2).view(compare='nosuchmethod')


def test_motion():
    motion = liegrp.Motion(liegrp.Mechanism.gallery('double-pendulum'), step=0.01)
    result = motion.run(time=0.5)
    tracks = data(result.view(compare='rattle'))['tracks']
    assert [t['rows'] for t in tracks] == [51, 51]
    assert np.allclose(column(tracks[0], 'elbow'), column(tracks[1], 'elbow'), atol=1e-3)
    assert not np.array_equal(column(tracks[0], 'elbow'), column(tracks[1], 'elbow'))
    later = data(motion.run(time=0.5).view(compare='rattle'))['tracks']  # from where the first one ends
    assert column(later[1], 't')[0] == 0.5
    assert column(later[1], 'elbow')[0] == pytest.approx(column(tracks[0], 'elbow')[-1])


def test_notebook_and_texts():
    page = liegrp.run('suslov', steps=3).view()
    shown = page._repr_html_()
    assert shown.startswith('<iframe') and 'srcdoc="&lt;!DOCTYPE' in shown and shown.count('<') == 2
    assert isinstance(page, liegrp.View)


def test_refusals(tmp_path):
    with pytest.raises(OSError):
        liegrp.run('suslov', steps=3).view(tmp_path / 'nowhere' / 'a.html')
    result = liegrp.run('suslov', steps=3)
    result._source = None
    with pytest.raises(liegrp.ArgumentError, match='what made them'):
        result.view()
    with pytest.raises(OSError):
        liegrp.View('nothing').save(tmp_path / 'nowhere' / 'a.html')
