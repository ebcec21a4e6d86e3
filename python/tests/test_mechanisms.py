# SPDX-License-Identifier: BSD-3-Clause
"""Descriptions of mechanisms: parts, parameters, files, the gallery."""
import pathlib

import numpy as np
import pytest

import liegrp

ROBOTS = pathlib.Path(__file__).parents[2] / 'examples' / 'robots'


def pendulum(**joint):
    """A rod that hangs from a hinge."""
    m = liegrp.Mechanism()
    m.add_body('rod', mass=2.0, inertia=[0.1, 0.1, 0.01], position=[0, 0, -0.5])
    m.add_joint('hinge', 'revolute', None, 'rod', axis=[0, 1, 0], **joint)
    m.add_motor('drive', 'hinge')
    return m


def test_parts():
    m = pendulum(damping=0.1, lower=-1, upper=1, friction=0.3, friction_speed=0.01)
    assert m.add_body('bob', mass=1, inertia=np.diag([1, 2, 3.0])) == 1
    assert m.add_joint('pin', 'revolute', 'rod', 'bob', on_bodies=True, parent_point=[0, 0, -0.5]) == 1
    assert m.add_gear('gear', 'pin', 'hinge', ratio=2) == 0
    assert m.add_spring('spring', None, 'bob', stiffness=10, damping=1) == 0
    assert m.add_wheel('wheel', 'bob', radius=0.1, kind='ball', contact='slides', ground_point=[0, 0, -9]) == 0
    assert (m.bodies, m.joints, m.motors) == (['rod', 'bob'], ['hinge', 'pin'], ['drive'])
    assert (m.gears, m.springs, m.wheels) == (['gear'], ['spring'], ['wheel'])
    hinge, wheel = m.describe('joint', 'hinge'), m.describe('wheel', 'wheel')
    assert (hinge['upper'], hinge['damping'], hinge['parent']) == (1, 0.1, None)
    assert (hinge['friction'], hinge['friction_speed']) == (0.3, 0.01)
    assert (wheel['kind'], wheel['contact'], wheel['ground_point'][2]) == ('ball', 'slides', -9)
    assert list(m.describe('body', 'bob')['inertia']) == [1, 2, 3, 0, 0, 0]


def test_rollers():
    m = pendulum()
    m.add_wheel('omni', 'rod', radius=0.1, contact='omni', roller_angle=-0.5)
    assert (m.describe('wheel', 'omni')['contact'], m.parameters['omni.roller_angle']) == ('omni', -0.5)
    with pytest.raises(liegrp.ArgumentError, match='belongs to a wheel with rollers'):
        m.add_wheel('rolls', 'rod', radius=0.1, roller_angle=-0.5)
    with pytest.raises(liegrp.ArgumentError, match='must be finite'):
        m.add_wheel('nan', 'rod', radius=0.1, contact='omni', roller_angle=np.nan)


def test_gears_and_rows():
    m = pendulum()
    m.add_body('other', mass=1, inertia=[1, 1, 1], position=[1, 0, 0])
    m.add_joint('axle', 'revolute', None, 'other', point=[1, 0, 0], axis=[0, 1, 0])
    m.add_gear('gear', 'axle', 'hinge', ratio=3, offset=0.5)
    motion = liegrp.Motion(m, step=0.01)
    with pytest.raises(liegrp.ArgumentError, match='gear'):
        motion.start({'hinge': 0.3})
    motion.start({'hinge': 0.3}, project=True)
    motion.step(50)
    assert m.freedoms == 1 and m.row_count == m.rank == 11
    assert motion.joint('axle')[0] == pytest.approx(3 * motion.joint('hinge')[0] + 0.5)


@pytest.mark.parametrize('inertia', ([1, 2], [1, 2, 3, 4], [[1, 2, 3]], [[1, 1, 0], [0, 1, 0], [0, 0, 1]]))
def test_wrong_inertia(inertia):
    with pytest.raises(liegrp.ArgumentError, match='inertia must be'):
        liegrp.Mechanism().add_body('b', mass=1, inertia=inertia)


def test_wrong_parts():
    m = pendulum()
    with pytest.raises(liegrp.ArgumentError, match='revolut.*expected one of'):
        m.add_joint('x', 'revolut', None, 'rod')
    with pytest.raises(liegrp.ArgumentError, match='axis must have 3 numbers'):
        m.add_joint('x', axis=[1, 2])
    with pytest.raises(liegrp.ArgumentError, match='rod'):
        m.add_body('rod', mass=1, inertia=[1, 1, 1])
    with pytest.raises(liegrp.ArgumentError, match='mass'):
        m.add_body('light', mass=-1, inertia=[1, 1, 1])
    with pytest.raises(liegrp.ArgumentError, match="no joint 'knee'.*hinge"):
        m.describe('joint', 'knee')
    assert m.index('joint', 'hinge', m.joints) == 0


def test_compiled_mechanisms_do_not_change():
    m = pendulum().compile()
    assert m.compiled
    for change in (m.keep_order, lambda: m.set_gravity([0, 0, 0]), lambda: m.parameters.update({'rod.mass': 1})):
        with pytest.raises(liegrp.ArgumentError, match='compiled'):
            change()


def test_gravity_and_order():
    m = pendulum()
    m.set_gravity([0, 0, 0])
    m.keep_order()
    motion = liegrp.Motion(m, step=0.01)
    motion.start({'hinge_vel': 1.0})
    motion.step(10)
    assert motion.velocities == pytest.approx([1.0])


@pytest.mark.parametrize('name', liegrp.gallery())
def test_parameters_of_the_gallery(name):
    m = liegrp.Mechanism.gallery(name)
    assert isinstance(m.parameters, liegrp.Parameters)
    assert len(m.parameters) == len(dict(m.parameters)) >= 3 + 10 * len(m.bodies)
    mass = m.bodies[0] + '.mass'
    assert m.parameters.unit(mass) == 'kg'
    m.parameters[mass] = 2 * m.parameters[mass]
    assert m.parameters[mass] == m.describe('body', m.bodies[0])['mass']
    with pytest.raises(KeyError):
        m.parameters['no such']
    with pytest.raises(liegrp.ArgumentError):
        m.parameters['no such'] = 1
    with pytest.raises(TypeError):
        del m.parameters[mass]
    m.compile()
    assert m.freedoms == 6 * len(m.bodies) - m.rank and m.model.default_step > 0
    assert bool(m.redundant) == (m.row_count > m.rank)


def test_files():
    m = liegrp.Mechanism.read(ROBOTS / 'quadruped.urdf', root='floating', position=[0, 0, 1])
    assert any('watched, not enforced' in remark for remark in m.remarks)
    body, pose = m.link('trunk')
    assert body == 'trunk' and pose.shape == (7,)
    assert liegrp.Motion(m).pose('trunk')[2] == pytest.approx(1)
    with pytest.raises(liegrp.ArgumentError, match='no link'):
        m.link('tail')
    assert liegrp.Mechanism.read(ROBOTS / 'cart_pole.xml').compile().freedoms == 2


def test_wrong_files(tmp_path):
    with pytest.raises(OSError):
        liegrp.Mechanism.read(tmp_path / 'none.urdf')
    (tmp_path / 'bad.urdf').write_text('<robot name="r"><link name="a"></robot>')
    with pytest.raises(liegrp.ArgumentError, match='bad.urdf:1'):
        liegrp.Mechanism.read(tmp_path / 'bad.urdf')
    with pytest.raises(liegrp.ArgumentError, match='root'):
        liegrp.Mechanism.read(ROBOTS / 'arm.urdf', root='flying')
    with pytest.raises(liegrp.ArgumentError, match='four-bar'):
        liegrp.Mechanism.gallery('five-bar')


def test_keys(tmp_path):
    """A named start: positions, controls and time, with values in place of its own."""
    (tmp_path / 'keyed.xml').write_text("""<mujoco><worldbody><body name="p"><joint name="j" axis="0 1 0"/>
        <geom size="0.1" pos="0 0 0.3"/></body></worldbody><actuator><motor name="m" joint="j"/></actuator>
        <keyframe><key name="bent" time="0.5" qpos="0.3" qvel="-1" ctrl="0.2"/><key qpos="1 2"/></keyframe></mujoco>""")
    m = liegrp.Mechanism.read(tmp_path / 'keyed.xml').compile()
    assert m.keys == ['bent', '1']
    motion = liegrp.Motion(m, key='bent', step=0.01)
    assert (motion.t, motion.positions[0], motion.velocities[0], motion.controls[0]) == (0.5, 0.3, -1, 0.2)
    assert motion.start(key='bent', t0=1, j=0.4).t == 1 and motion.positions[0] == pytest.approx(0.4)
    rows = liegrp.run(m, key='bent', steps=3, step=0.01).rows
    assert rows['t'][0] == 0.5 and rows['j_tau'][-1] == 0.2
    with pytest.raises(liegrp.ArgumentError, match="there is no key 'bend'"):
        motion.start(key='bend')
    with pytest.raises(liegrp.Error, match='keyed.xml:3: qpos of key'):
        motion.start(key='1')
    with pytest.raises(liegrp.ArgumentError, match='exclude'):
        motion.start([0.0], key='bent')


def test_sensors(tmp_path):
    """Sensors are columns where they are asked for; a point of a body is followed by the name of its site."""
    (tmp_path / 'sensed.xml').write_text("""<mujoco><worldbody><body name="p"><joint name="j" axis="0 1 0"/>
        <geom size="0.1" pos="0 0 0.3"/><site name="tip" pos="0 0 0.5"/></body></worldbody>
        <sensor><framepos name="end" objtype="site" objname="tip"/></sensor></mujoco>""")
    m = liegrp.Mechanism.read(tmp_path / 'sensed.xml', sensors=True).compile()
    body, pose = m.site('tip')
    assert m.sites == ['tip'] and body == 'p'
    motion = liegrp.Motion(m).start(j=0.3)
    assert motion.row['end_x'] == pytest.approx(motion.point(body, pose[:3])[0][0])
    assert 'end_x' not in liegrp.Mechanism.read(tmp_path / 'sensed.xml').compile().model.columns
    with pytest.raises(liegrp.ArgumentError, match="there is no site 'top'"):
        m.site('top')


def test_shapes_of_ones_own():
    m = liegrp.Mechanism.gallery('double-pendulum')
    first, second = m.bodies
    assert m.add_shape('rod', first, name='link', shade='second', dimensions=[0.1], end=[0, 0, -1], end_body=second) == 0
    scene = m.scene
    assert scene['bodies'] == [first, second]
    assert [s['name'] for s in scene['shapes'] if s['body'] == 0 and s['kind'] == 'rod'] == ['link']
    assert scene['shapes'][0]['end_body'] == 1 and scene['shapes'][0]['shade'] == 'second'
    for wrong in ({'kind': 'cone'}, {'kind': 'box', 'dimensions': [-1]}, {'kind': 'box', 'dimensions': [1] * 4},
                  {'kind': 'box', 'body': 'nobody'}):
        with pytest.raises(liegrp.ArgumentError):
            m.add_shape(**wrong)


def test_servos():
    m = pendulum()
    m.add_motor('servo', 'hinge', position_gain=1e6, velocity_gain=2e4, lower=-30, upper=30, ratio=1)
    servo = m.describe('motor', 'servo')
    assert (servo['position_gain'], servo['velocity_gain'], servo['upper']) == (1e6, 2e4, 30)
    assert m.model.units['hinge_set'] == 'rad'
    motion = liegrp.Motion(m, step=0.005)
    energy = motion.energy
    motion.set_control([0, 0.6]).step(400)
    assert motion.joint('hinge')[0] == pytest.approx(0.6, abs=1e-4)
    assert motion.energy - energy == pytest.approx(motion.work, abs=1e-10)
    with pytest.raises(liegrp.ArgumentError, match='lower <= upper'):
        m = pendulum()
        m.add_motor('servo', 'hinge', lower=1, upper=0)


def test_activations():
    m = pendulum()
    m.add_motor('slow', 'hinge', activation='filter', time_constant=0.2, control_lower=-1, control_upper=1)
    m.add_thruster('fan', m.bodies[0], activation='integrator', activation_upper=0.5)
    assert m.describe('motor', 'slow')['activation'] == 'filter'
    motion = liegrp.Motion(m, step=0.01)
    motion.start(fan_act=0.1).set_control([0] * (len(m.motors) - 1) + [3, 0.2]).step(10)
    assert motion.activation('slow') == pytest.approx(1 - np.exp(-0.5), abs=1e-12)
    assert motion.activation('fan') == motion.row['fan_act'] == pytest.approx(0.12, abs=1e-12)
    assert motion.set_activation('fan', 0.3).activation('fan') == 0.3
    with pytest.raises(liegrp.ArgumentError, match='held between'):
        motion.set_activation('fan', 0.6)
    with pytest.raises(liegrp.ArgumentError, match="unknown activation of a motor"):
        pendulum().add_motor('slow', 'hinge', activation='muscle')


def test_coordinates():
    m = liegrp.Mechanism()
    m.add_body('nut', mass=2, inertia=[0.4, 0.4, 0.4])
    m.add_joint('screw', 'cylindrical', None, 'nut')
    assert m.add_coordinate('turn', 'screw.2', damping=0.1, armature=0.2, upper=3) == 0
    m.add_gear('thread', 'turn', 'screw.1', ratio=5)
    assert m.coordinates == ['turn'] and m.describe('coordinate', 'turn')['joint'] == 'screw.2'
    m.parameters['turn.damping'] = 0
    motion = liegrp.Motion(m, method='gauss', step=0.01).step(70)
    acceleration = -9.81 * 2 / (2 + 25 * 0.6)
    assert motion.joint('screw')[0] == pytest.approx([acceleration * 0.7**2 / 2, 5 * acceleration * 0.7**2 / 2])
    assert motion.limit()[1] == 'screw'


def test_thrusters():
    m = liegrp.Mechanism()
    m.add_body('frame', mass=2, inertia=[0.02, 0.03, 0.04])
    for i, x in enumerate((-0.1, 0.1)):
        assert m.add_thruster(f'p{i}', 'frame', point=[x, 0, 0], force=3, torque=0.1) == i
    assert m.thrusters == m.model.controls == ['p0', 'p1'] and 'p1_thrust' in m.model.columns
    motion = liegrp.Motion(m, step=0.01).set_control([4, 4]).step(100)
    assert motion.poses[0][2] == pytest.approx((24 / 2 - 9.81) / 2)
    assert motion.motor_work('p0') + motion.motor_work('p1') == pytest.approx(motion.work)


def test_tendons():
    m = liegrp.Mechanism()
    for i, name in enumerate(('upper', 'lower')):
        m.add_body(name, mass=1, inertia=[0.02, 0.02, 0.01], position=[0, 0, -0.3 * i])
        m.add_joint(('hip', 'knee')[i], 'revolute', (None, 'upper')[i], name, point=[0, 0, 0.15 - 0.3 * i], axis=[0, 1, 0])
    terms = [(None, [0.2, 0, 0.1]), ('upper', [0.05, 0, 0]), ('lower', [0.05, 0, 0]), 2.0, ('lower', [0, 0, 0.1]),
             ('upper', [0, 0.1, 0]), ('knee', 0.02)]
    assert m.add_tendon('cable', terms, stiffness=300, damping=1, rest=(0, 0.6)) == 0
    assert m.add_tendon('coupling', [('hip', 1), ('knee', -2)], stiffness=4) == 1
    m.add_motor('winch', 'cable')
    assert m.tendons == ['cable', 'coupling'] and m.model.controls == ['winch'] and m.model.units['cable_tau'] == 'N'
    told = m.describe('tendon', 'cable')
    assert told['rest'] == (0, 0.6) and told['terms'][3] == 2 and told['terms'][6] == ('knee', 0.02)
    assert list(told['terms'][1][1]) == [0.05, 0, 0] and m.describe('tendon', 'coupling')['rest'] is None
    motion = liegrp.Motion(m, step=0.01).start(hip=0.4, knee_vel=3).set_control([-5])
    energy = motion.energy
    motion.step(100)
    assert motion.energy - energy == pytest.approx(motion.work, abs=1e-11) and motion.work != 0
    for wrong in ('hip', ('hip',), ('hip', [1, 2])):
        with pytest.raises(liegrp.ArgumentError):
            liegrp.Mechanism().add_tendon('t', [wrong])
    with pytest.raises(liegrp.ArgumentError, match='coefficient'):
        liegrp.Mechanism().add_tendon('t', [('hip', np.nan)])


def test_composed_joints(tmp_path):
    motions = [('revolute', [0, 0, 1], [0, 0, 0.5]), ('prismatic', [1, 0, 0]), ('revolute', [0, 1, 1], [0.1, 0, 0])]
    m = liegrp.Mechanism()
    m.add_body('hand', mass=1, inertia=[0.02, 0.03, 0.04], position=[0.2, 0, 0])
    m.add_joint('wrist', 'composed', None, 'hand', motions=motions, armature=0.01)
    m.add_coordinate('reach', 'wrist.2', stiffness=50)
    m.add_motor('turn', 'wrist.1')
    read = m.describe('joint', 'wrist')['motions']
    assert [(kind, list(axis), list(point)) for kind, axis, point in read] == [
        ('revolute', [0, 0, 1], [0, 0, 0.5]), ('prismatic', [1, 0, 0], [0, 0, 0]), ('revolute', [0, 1, 1], [0.1, 0, 0])]
    motion = liegrp.Motion(m, step=0.01).start({'wrist_1': 0.1, 'reach': 0.2, 'wrist_3': 0.3})
    before = motion.energy
    motion.step(50)
    assert motion.joint('wrist')[0].shape == (3,)
    assert abs(motion.energy - motion.work - before) < 1e-11
    for wrong in ([('ball', [0, 0, 1])], ['revolute'], [('revolute', [0, 0])], motions * 3):
        with pytest.raises(liegrp.ArgumentError):
            liegrp.Mechanism().add_joint('j', 'composed', motions=wrong)
    hub = tmp_path / 'hub.urdf'
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    joint = '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{0}"/></joint>'
    hub.write_text('<robot name="r"><link name="w"/><link name="h"/>' + f'<link name="a">{inertial}</link>'
                   f'<link name="b">{inertial}</link>' + joint.format('h', 'w') + joint.format('a', 'h')
                   + joint.format('b', 'h') + '</robot>')
    with pytest.raises(liegrp.ArgumentError, match='read it with a least inertia'):
        liegrp.Mechanism.read(hub)
    assert any('least inertia' in remark for remark in liegrp.Mechanism.read(hub, least_inertia=1e-6).remarks)


def test_looks(tmp_path, monkeypatch):
    monkeypatch.delenv('ROS_PACKAGE_PATH', raising=False)
    (tmp_path / 'meshes').mkdir()
    corners = 'vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0'
    (tmp_path / 'meshes/a.stl').write_text(f'solid\nfacet normal 0 0 1\nouter loop\n{corners}\nendloop\nendfacet\nendsolid\n')
    path = tmp_path / 'robot.urdf'
    path.write_text('<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" '
                    'izz="1"/></inertial><visual><geometry><mesh filename="package://p/a.stl"/></geometry><material '
                    'name="m"><color rgba="1 0 0 0.5"/></material></visual></link><joint name="j" type="continuous">'
                    '<parent link="a"/><child link="b"/></joint></robot>')
    assert any("package 'p' are not shown" in remark for remark in liegrp.Mechanism.read(path).remarks)
    for packages in ({'p': tmp_path / 'meshes'}, [f'p={tmp_path}/meshes'], f'p={tmp_path}/meshes'):
        scene = liegrp.Mechanism.read(path, packages=packages).scene
        shape = scene['shapes'][0]
        assert (shape['kind'], shape['colour'], shape['opacity']) == ('mesh', [1, 0, 0], 0.5)
        assert scene['meshes'][shape['mesh']]['triangles'] == 1
        assert scene['parents'] == [-1]
    with pytest.raises(OSError, match='is no folder'):
        liegrp.Mechanism.read(path, packages={'p': tmp_path / 'none'})
    (tmp_path / 'bots').mkdir()
    model = tmp_path / 'bots/robot.xml'
    model.write_text('<mujoco><include file="../part.xml"/></mujoco>')
    (tmp_path / 'part.xml').write_text('<mujocoinclude><worldbody><body name="b"><joint/><geom size="1"/></body>'
                                       '</worldbody></mujocoinclude>')
    with pytest.raises(liegrp.ArgumentError, match='allow it: --within FOLDER'):
        liegrp.Mechanism.read(model)
    assert liegrp.Mechanism.read(model, within=tmp_path).bodies == ['b']
    m = liegrp.Mechanism.gallery('double-pendulum')
    m.add_shape('mesh', m.bodies[0], mesh=tmp_path / 'meshes/a.stl', scale=[1, 2, -1], colour=[0, 0.5, 1])
    shape = m.scene['shapes'][0]
    assert (shape['scale'], shape['colour'], shape['opacity']) == ([1, 2, -1], [0, 0.5, 1], 1)
    with pytest.raises(liegrp.ArgumentError, match='a mesh needs a file'):
        m.add_shape('mesh')


def test_ignored(tmp_path):
    path = tmp_path / 'robot.xml'
    path.write_text('<mujoco><worldbody><body name="p"><joint name="j" frictionloss="0.1"/><geom size="0.1"/></body>'
                    '</worldbody></mujoco>')
    with pytest.raises(liegrp.UnsupportedError, match='frictionloss of <joint> is not read'):
        liegrp.Mechanism.read(path)
    for ignore in ('frictionloss', ['frictionloss']):
        m = liegrp.Mechanism.read(path, ignore=ignore)
        assert any('frictionloss of <joint> is ignored, as you ask' in remark for remark in m.remarks)
        assert m.describe('body', 'p')['mass'] == pytest.approx(1000 * 4 / 3 * np.pi * 1e-3)


def test_written(tmp_path):
    arm = liegrp.Mechanism.gallery('arm')
    for name in ('arm.xml', 'arm.urdf'):
        assert arm.write(tmp_path / name) is arm
        again = liegrp.Mechanism.read(tmp_path / name)
        assert again.bodies == arm.bodies
        q = np.linspace(-1, 1, 7)
        np.testing.assert_allclose(liegrp.Dynamics(again).mass_matrix(q), liegrp.Dynamics(arm).mass_matrix(q), atol=1e-12)
    bicycle = liegrp.Mechanism.gallery('bicycle')
    with pytest.raises(liegrp.UnsupportedError, match='touches a plane .rolls., which MJCF cannot say'):
        bicycle.write(tmp_path / 'bicycle.xml')
    bicycle.write(tmp_path / 'bicycle.xml', ignore='wheel')
    assert any('ignored, as you ask' in remark for remark in bicycle.remarks)
    assert 'ignored, as you ask' in (tmp_path / 'bicycle.xml').read_text()


def test_gears_and_held_tendons():
    def chain():
        m = liegrp.Mechanism()
        for name, x in (('a', 0.5), ('b', 1.5)):
            m.add_body(name, mass=1, inertia=[0.1, 0.1, 0.1], position=[x, 0, 0])
        m.add_joint('p', 'revolute', None, 'a', axis=[0, 1, 0])
        m.add_joint('q', 'revolute', 'a', 'b', point=[1, 0, 0], axis=[0, 1, 0])
        return m
    m = chain()
    with pytest.raises(liegrp.ArgumentError, match='has no driver'):
        m.add_gear('g', 'q', None)
    m.add_gear('g', 'q', 'p', ratio=0.5, quadratic=-0.3, cubic=0.1, quartic=0.2)
    motion = liegrp.Motion(m, step=0.01).step(40)
    p, q = motion.positions
    assert abs(q - p * (0.5 + p * (-0.3 + p * (0.1 + p * 0.2)))) < 1e-13
    m = chain()
    m.add_tendon('cord', [(None, [0, 0, 1]), ('b', [0.2, 0, 0])], held=True, change=-0.1)
    motion = liegrp.Motion(m, step=0.01, project=True).step(40)
    assert motion.gap < 1e-13
    assert m.freedoms == 1
