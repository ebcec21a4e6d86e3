# SPDX-License-Identifier: BSD-3-Clause
"""Models of the catalog and of shared objects."""
import os
import pathlib
import subprocess

import numpy as np
import pytest

import liegrp

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize('name', liegrp.catalog())
def test_catalog(name):
    model = liegrp.Model(name)
    g, xi = model.initial()
    assert g.shape == (model.group.element_size,) and xi.shape == (model.dim,)
    assert model.group.is_valid(g, 1e-9) and model.name == name and model.default_step > 0
    assert list(model.parameters) == list(model.parameter_info)
    assert all(info.value == model[key] for key, info in model.parameter_info.items())
    assert set(model.configuration_columns) <= set(model.columns)
    assert len(model.controls) == model.control_count
    assert all('inv_' + key in model.columns for key in model.invariants)
    said = model.info()
    assert all(key in said for key in model.parameters) and name in repr(model)
    P, Q, Pi = model.projectors(g)
    np.testing.assert_allclose(P + Q, np.eye(model.dim), rtol=0, atol=1e-10)
    model.check(points=3)


def test_parameters_and_initial_data():
    model = liegrp.Model('rolling-ball', {'r': 2.0}, {'x': 1.5}, Omega=0.9)
    assert (model['Omega'], model['r']) == (0.9, 2.0) and model.initial()[0][0] == 1.5
    model['Omega'] = -1
    model.set(r=3)
    model.set_initial({'xi_1': 0.25})
    assert model.parameters == {**model.parameters, 'Omega': -1.0, 'r': 3.0} and model.initial()[1][0] == 0.25
    with pytest.raises(liegrp.ArgumentError, match="unknown parameter 'omega'"):
        model.set(omega=1)
    with pytest.raises(KeyError, match='Omega'):
        model['omega']
    with pytest.raises(liegrp.ArgumentError, match='must be'):
        model.set(r=-1)
    with pytest.raises(liegrp.ArgumentError, match="unknown initial value 'z'"):
        model.set_initial(z=1)
    with pytest.raises(liegrp.ArgumentError, match="did you mean 'rolling-ball'"):
        liegrp.Model('rolling-bal')
    assert isinstance(liegrp.Model('suslov').parameter_info['I11'], liegrp.Parameter)


def test_energy():
    model = liegrp.Model('suslov')
    it = liegrp.Motion(model, step=0.1)
    assert model.energy(it.g, it.p) == it.energy
    with pytest.raises(liegrp.ArgumentError, match=r'p must have the shape \(3,\), got \(2,\)'):
        model.energy(it.g, [1, 2])


@pytest.fixture(scope='module')
def plugin(tmp_path_factory):
    """The example system as a shared object that leaves the functions of libliegrp undefined."""
    path = tmp_path_factory.mktemp('plugin') / 'my-system.so'
    subprocess.run(['cc', '-shared', '-fPIC', '-I', ROOT / 'include', ROOT / 'examples/my_system.c', '-o', path],
                   check=True)
    return path


def test_load(plugin):
    model = liegrp.load(plugin)
    assert model.name and len(liegrp.run(model, steps=20).rows) == 21
    name, value = next(iter(model.parameters.items()))
    assert liegrp.load(plugin, {name: value})[name] == value


def test_load_refuses(tmp_path):
    with pytest.raises(OSError):
        liegrp.load(tmp_path / 'none.so')
    (tmp_path / 'empty.c').write_text('int nothing;\n')
    subprocess.run(['cc', '-shared', '-fPIC', tmp_path / 'empty.c', '-o', tmp_path / 'empty.so'], check=True)
    with pytest.raises(liegrp.ArgumentError, match='does not define liegrp_system'):
        liegrp.load(tmp_path / 'empty.so')
    (tmp_path / 'null.c').write_text('const void *liegrp_system(void) { return 0; }\n')
    subprocess.run(['cc', '-shared', '-fPIC', tmp_path / 'null.c', '-o', tmp_path / 'null.so'], check=True)
    with pytest.raises(liegrp.ArgumentError, match='returned NULL'):
        liegrp.load(tmp_path / 'null.so')
    (tmp_path / 'number.c').write_text('int liegrp_system = 5;\n')
    subprocess.run(['cc', '-shared', '-fPIC', tmp_path / 'number.c', '-o', tmp_path / 'number.so'], check=True)
    with pytest.raises(liegrp.ArgumentError, match='as a variable'):
        liegrp.load(tmp_path / 'number.so')
    os.mkfifo(tmp_path / 'pipe.so')
    with pytest.raises(OSError, match='no regular file'):
        liegrp.load(tmp_path / 'pipe.so')


def test_scene_and_poses():
    disk = liegrp.Model('rolling-disk', r=0.5)
    scene = disk.scene
    shape = next(s for s in scene['shapes'] if s['name'] == 'disk')
    assert scene['bodies'] == ['disk'] and shape['dimensions'][0] == 0.5
    assert scene['shapes'][shape['rolls_on']]['kind'] == 'plane'
    g = disk.initial()[0]
    assert (disk.poses(g) == g).all()
    assert disk.poses([g, g, g], t=[0, 1, 2]).shape == (3, 1, 7)
    table = liegrp.Model('chaplygin-sphere', Omega=0.5)
    poses = table.poses(table.initial()[0], t=[0.0, np.pi])
    assert poses[:, 0, 5].tolist() == pytest.approx([0, np.sqrt(0.5)])
    with pytest.raises(liegrp.ArgumentError):
        disk.poses([1, 2, 3])


def test_scene_of_a_system_of_ones_own():
    puck = liegrp.System(liegrp.SE2, [1.0, 1.0, 0.5])
    assert [s['kind'] for s in puck.scene['shapes']] == ['axes']
    assert puck.poses([1, 2, 0, 1])[0] == pytest.approx([1, 2, 0, 0, 0, np.sqrt(0.5), np.sqrt(0.5)])


def test_the_model_of_a_mechanism():
    m = liegrp.Mechanism.gallery('vehicle')
    model = m.model
    assert model is m.model and model.mechanism is m and model.name == 'vehicle' and m.compiled
    assert model.controls == m.motors and model.control_count == 2 and not model.invariants
    assert model['chassis.mass'] == m.parameters['chassis.mass'] == model.parameter_info['chassis.mass'].value
    assert model.parameters == dict(m.parameters) and '5 bodies' in model.info() and model.scene == m.scene
    assert model.units['chassis_x'] == 'm' and model.meanings['t'] == 'time'
    motion = liegrp.Motion(model)
    np.testing.assert_allclose(model.poses(motion.g), motion.poses, atol=1e-14)
    assert model.energy(motion.g, motion.p) == pytest.approx(motion.energy)
    model.set_initial(chassis_x=2.0)
    assert liegrp.Motion(model).row['chassis_x'] == pytest.approx(2)
    assert motion.row['chassis_x'] != 2
    for call, words in ((lambda: model.set({'chassis.mas': 1}), "unknown parameter 'chassis.mas'"),
                        (model.initial, 'start a motion'),
                        (lambda: liegrp.Model('vehicle'), "take liegrp.Mechanism.gallery\\('vehicle'\\)"),
                        (lambda: liegrp.run('vehicel'), "mean 'vehicle'")):
        with pytest.raises(liegrp.ArgumentError, match=words):
            call()


def test_parameters_of_the_model_of_a_mechanism():
    model, described = liegrp.Mechanism.gallery('four-bar').model, liegrp.Mechanism.gallery('four-bar')
    before, described.parameters['crank.mass'] = liegrp.Motion(model), 3.0
    model['crank.mass'] = 3.0
    assert model['crank.mass'] == model.parameters['crank.mass'] == 3 and model.mechanism.parameters['crank.mass'] == 0.4
    heavy = liegrp.Motion(described).step(5).row
    assert liegrp.Motion(model).step(5).row == heavy and before.step(5).row != heavy
    assert liegrp.run(model, steps=5).rows[-1] == liegrp.run(described, steps=5).rows[-1]
    assert liegrp.Ensemble(model, 1).run(5).motion(0).row == heavy
    model.set({'crank.mass': -1})
    with pytest.raises(liegrp.ArgumentError, match="four-bar: body 'crank': mass is -1 kg"):
        liegrp.Motion(model)
    model.set({'crank.mass': 0.4})
    assert liegrp.Motion(model).step(5).row == liegrp.Motion('four-bar').step(5).row
