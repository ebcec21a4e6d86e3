# SPDX-License-Identifier: BSD-3-Clause
"""Surfaces, stops and dry friction: descriptions, readings, laws of impact, and what is refused."""
import warnings

import numpy as np
import pytest

import liegrp

G = 9.81


def ball(z=2.0, restitution=0.8, friction=0.2, **more):
    """A homogeneous ball of 1 kg and radius 0.5 m above the ground."""
    m = liegrp.Mechanism()
    m.add_body('ball', mass=1, inertia=[0.1, 0.1, 0.1], position=[0, 0, z])
    m.add_surface('skin', 'ball', 'sphere', half=0.5, friction=friction, restitution=restitution, **more)
    m.add_surface('ground', None, 'plane', friction=1, restitution=1)
    return m


def pendulum(**joint):
    m = liegrp.Mechanism()
    m.add_body('bob', mass=1, inertia=[1e-3, 1e-3, 1e-3], position=[1, 0, 0])
    m.add_joint('hinge', 'revolute', None, 'bob', axis=[0, 1, 0], **joint)
    return m


def test_bounces():
    seen = []
    motion = liegrp.Motion(ball(), step=0.01)
    motion.on_impact = lambda t, impacts: seen.append((t, impacts.copy()))
    assert motion.on_impact is not None and motion.impacts == 0
    fall = np.sqrt(2 * 1.5 / G)
    motion.run_to(fall + 0.8 * fall)  # the top of the first bounce
    assert abs(motion.poses[0, 2] - (0.5 + 0.64 * 1.5)) < 1e-12
    assert motion.impacts == 1 == len(seen)
    t, impact = seen[0]
    assert abs(t - fall) < 1e-12 and len(impact) == 1
    assert list(impact['surfaces'][0]) == [0, 1] or list(impact['surfaces'][0]) == [1, 0]
    assert abs(impact['approach'][0] - G * fall) < 1e-11
    assert abs(impact['impulse'][0] - [0, 0, 1.8 * G * fall]).max() < 1e-11
    assert abs(impact['loss'][0] - 0.36 * 1.5 * G) < 1e-11
    motion.on_impact = None
    motion.step(100)
    assert len(seen) == 1 and motion.impacts > 1


def test_an_impact_that_raises():
    motion = liegrp.Motion(ball(), step=0.01)

    def fails(t, impacts):
        raise KeyError('mine')

    motion.on_impact = fails
    with pytest.raises(KeyError, match='mine'):
        motion.step(100)
    assert abs(motion.t - 0.55) < 1e-9 and motion.impacts == 0  # the step is taken back


def test_bowls():
    motion = liegrp.Motion(ball(0.5, restitution=0), step=0.01)
    motion.start_poses([[0, 0, 0.5, 0, 0, 0, 1]], [[5, 0, 0, 0, 0, 0]])
    contact = motion.step().contacts[0]
    assert contact['mode'] == 'slips' and contact['joint'] == -1
    assert abs(abs(contact['force']) - [0.2 * G, 0, G]).max() < 1e-9
    assert abs(np.linalg.norm(contact['normal']) - 1) < 1e-14
    motion.step(100)
    assert abs(motion.twists[0, 0] - 5 / 7 * 5) < 1e-12
    assert motion.contacts[0]['mode'] == 'sticks' and abs(motion.contacts[0]['gap']) < 1e-12
    assert motion.contacts['slip'].shape == (1, 3)


@pytest.mark.parametrize('restitution, lost', [(0, 1), (0.5, 0.75), (1, 0)])
def test_stops(restitution, lost):
    m = pendulum(lower=-np.pi / 4, upper=np.pi / 4, stops=True, stop_restitution=restitution)
    assert m.describe('joint', 'hinge')['stops'] and m.describe('joint', 'hinge')['stop_restitution'] == restitution
    motion = liegrp.Motion(m, step=0.002)
    loss = []
    motion.on_impact = lambda t, impacts: loss.append((impacts['joint'][0], impacts['loss'].sum()))
    while not loss:
        motion.step()
    height = np.sin(np.pi / 4)
    assert loss[0][0] == 0 and abs(loss[0][1] - lost * G * height) < 1e-9
    while motion.t < 2:
        motion.step()
        assert -np.pi / 4 - 1e-9 < motion.positions[0] < np.pi / 4 + 1e-9
    if restitution == 0:  # it lies on the stop, which holds it back
        stop = motion.contacts[motion.contacts['mode'] != 'open'][0]
        assert abs(stop['force'][0] + G * np.cos(np.pi / 4)) < 1e-9


def test_dry_friction():
    m = pendulum(friction=9.9)
    motion = liegrp.Motion(m, step=0.01).step(200)
    assert abs(motion.positions[0]) < 1e-14 and motion.contacts[0]['mode'] == 'sticks'
    assert motion.contacts[0]['joint'] == 0 and list(motion.contacts[0]['surfaces']) == [-1, -1]
    assert liegrp.Motion(pendulum(friction=9.7), step=0.01).step(50).positions[0] > 1e-3
    m = liegrp.Mechanism(gravity=[0, 0, 0])
    m.add_body('block', mass=2, inertia=[1, 1, 1])
    m.add_joint('rail', 'prismatic', None, 'block', axis=[1, 0, 0])
    m.add_coordinate('way', 'rail', friction=4, lower=-1, upper=0.5, stops=True, stop_restitution=0.5)
    assert m.describe('coordinate', 'way')['stops']
    motion = liegrp.Motion(m, step=0.01).start_joints([0], [1.0]).step(200)
    assert abs(motion.positions[0] - 0.25) < 1e-12 and abs(motion.velocities[0]) < 1e-12  # v^2/2a


def test_descriptions():
    m = ball(position=[0, 0, 0.1], attitude=[0, 0, 0, 2], group=3)
    m.add_surface('keel', 'ball', 'hull', points=[[0, 0, -0.1], [0.1, 0, 0]])
    m.add_surface_pair('free', 'skin', 'ground', friction=0.9)
    m.add_surface_pair('none', 'keel', 'ground', ignored=True)
    assert m.surfaces == ['skin', 'ground', 'keel'] and m.surface_pairs == ['free', 'none']
    skin = m.describe('surface', 'skin')
    assert (skin['kind'], skin['group'], skin['body'], skin['points']) == ('sphere', 3, 'ball', None)
    assert list(skin['half']) == [0.5, 0, 0] and list(skin['attitude']) == [0, 0, 0, 1]
    assert m.describe('surface', 'keel')['points'].tolist() == [[0, 0, -0.1], [0.1, 0, 0]]
    pair = m.describe('surface_pair', 'none')
    assert pair['ignored'] and all(pair[name] is None for name in ('friction', 'restitution', 'viscous'))
    assert skin['friction_along'] is None
    m.add_surface('blade', 'ball', 'point', friction=0.6, friction_along=0.01, position=[0, 0, -0.2])
    assert m.describe('surface', 'blade')['friction_along'] == 0.01
    m.add_wheel('skate', 'ball', radius=0.01, contact='real', friction=0.6, friction_along=0, ground_point=[0, 0, -1])
    assert m.describe('wheel', 'skate')['friction_along'] == 0
    again = liegrp.Mechanism()
    assert skin['contype'] == 1 and skin['priority'] == 0 and skin['rule'] == 'smaller'
    again.add_surface(**skin)
    again.add_surface_pair(**pair)
    assert again.describe('surface', 'skin')['friction'] == 0.2
    assert m.parameters['skin.friction'] == 0.2
    assert liegrp.Motion(m, step=0.01).contacts.size == 15  # a wheel has 13, the pair that is ignored none


def test_terrain():
    """A ball on heights and on triangles rests where it rests on a plane, and both are told as they were given."""
    heights, corner = np.zeros((3, 4)), np.array([[-3, -3, 0], [3, -3, 0], [3, 3, 0], [-3, 3, 0]])
    triangles = np.array([[0, 1, 2], [0, 2, 3]])
    for ground in ({'kind': 'heights', 'half': [3, 3], 'heights': heights},
                   {'kind': 'triangles', 'points': corner, 'triangles': triangles}):
        m = liegrp.Mechanism()
        m.add_body('ball', mass=1, inertia=[0.1, 0.1, 0.1], position=[0, 0, 0.5])
        m.add_surface('skin', 'ball', 'sphere', half=0.5)
        m.add_surface('terrain', None, **ground)
        told = m.describe('surface', 'terrain')
        for name in ('heights', 'triangles', 'points'):
            assert np.array_equal(told[name], ground.get(name)) if name in ground else told[name] is None
        motion = liegrp.Motion(m, step=0.01).step(20)
        assert abs(motion.pose('ball')[2] - 0.5) < 1e-12
        assert abs(motion.contacts['force'][:, 2].sum() - G) < 1e-9
        again = liegrp.Mechanism()
        again.add_surface(**told)
        assert again.describe('surface', 'terrain')['kind'] == ground['kind']
    with pytest.raises(liegrp.ArgumentError, match='triangles must be integers'):
        again.add_surface('x', None, 'triangles', points=corner, triangles=[[0.5, 1, 2]])
    with pytest.raises(liegrp.ArgumentError, match='heights must have the shape'):
        again.add_surface('x', None, 'heights', half=[1, 1], heights=[0, 1])
    with pytest.raises(liegrp.Error, match='names point 4; there are 4'):
        again.add_surface('x', None, 'triangles', points=corner, triangles=[[0, 1, 4]])
    with pytest.raises(liegrp.ArgumentError, match='the height in row 0, column 1 is nan; it must be finite'):
        again.add_surface('x', None, 'heights', half=[1, 1], heights=[[0, np.nan], [0, 0]])
    with pytest.raises(liegrp.ArgumentError, match="surface 'x': a point is not finite"):
        again.add_surface('x', None, 'triangles', points=corner + [0, 0, np.inf], triangles=triangles)
    m = liegrp.Mechanism()
    m.add_surface('terrain', None, 'heights', half=[3, 3], heights=heights)
    m.add_body('drum', mass=1, inertia=[1, 1, 1], position=[0, 0, 2])
    m.add_surface('side', 'drum', 'cylinder', half=[0.1, 0.2])
    with pytest.raises(liegrp.Error, match=r"'terrain' \(heights\) and 'side' \(cylinder\) cannot touch: terrain"):
        m.compile()


def test_separate():
    motion = liegrp.Motion(ball(), step=0.01, started=False).set_contact(separate=True)
    motion.start_poses([[0, 0, 0.4, 0, 0, 0, 1]])
    assert abs(motion.poses[0, 2] - 0.5) < 1e-12 and 'overlapped by up to 0.1 m were moved apart' in motion.remark
    motion.set_contact()
    with pytest.raises(liegrp.Error, match='overlap by 0.1 m'):
        motion.start_poses([[0, 0, 0.4, 0, 0, 0, 1]])


def test_laws():
    motion = liegrp.Motion(ball(), step=0.01).set_contact(law='newton', capture_speed=0.5)
    again = motion.copy().step(1000)
    motion.step(1000)
    assert (again.poses == motion.poses).all() and motion.impacts == again.impacts
    assert motion.impacts < liegrp.Motion(ball(), step=0.01).step(1000).impacts
    kept = liegrp.Motion(ball(), step=0.01, started=False).load(motion.save())
    assert kept.impacts == motion.impacts and (kept.step(9).poses == motion.step(9).poses).all()
    plastic = liegrp.Motion(ball(), step=0.01).set_contact(localise=False).step(80)
    assert plastic.impacts == 0 and abs(plastic.poses[0, 2] - 0.5) < 1e-12
    assert liegrp.Motion(ball(), step=0.01).set_contact(events=0).step(80).impacts == 0


@pytest.mark.parametrize('values, said', [
    ({'friction': -0.1}, "surface 'skin': friction is -0.1"),
    ({'restitution': 1.5}, 'restitution is 1.5; it must be from 0 to 1'),
    ({'half': 0}, r'half\[0\] is 0; of kind sphere it must be positive'),
    ({'half': [1, 2, 3, 4]}, 'half must have 3 numbers'),
    ({'friction': np.nan}, 'friction must be finite, got nan'),
    ({'attitude': [0, 0, 0, 0]}, 'quaternion of length 0'),
    ({'rule': 'mean'}, "rule of a surface.*'mean'"),
    ({'kind': 'spehre'}, "kind of a surface.*'spehre'"),
    ({'points': [[0, 0, 0]]}, 'a sphere has no points; only a hull has'),
    ({'kind': 'hull', 'half': None}, 'a hull has 0 points; give 1 to 4096'),
    ({'kind': 'hull', 'half': None, 'points': [1, 2, 3]}, r'points must have the shape \(n, 3\)'),
    ({'kind': 'hull', 'half': None, 'points': np.zeros((10 ** 6, 3))}, 'a hull has 1000000 points; give 1 to 4096'),
])
def test_refused_surfaces(values, said):
    with pytest.raises(liegrp.ArgumentError, match=said):
        liegrp.Mechanism().add_surface(**{'name': 'skin', 'body': 'ball', 'kind': 'sphere', 'half': 0.5, **values})


@pytest.mark.parametrize('points', [
    [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0.5, 0.5, 0]],
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]],
])
def test_refused_hulls(points):
    """Fewer than four points, flat ones, and such as are there twice, where they touch more than planes."""
    m = ball()
    m.add_body('plate', mass=1, inertia=[1, 1, 1], position=[0, 0, 9])
    m.add_surface('sole', 'plate', 'hull', points=points)
    with pytest.raises(liegrp.Error, match="surface 'sole' is a hull that touches.*is flat: give it four points"):
        m.compile()


def test_refused_pairs_and_stops():
    m = ball()
    m.add_surface_pair('a', 'skin', 'sky')
    with pytest.raises(liegrp.ArgumentError, match="surface pair 'a'.*'sky'"):
        m.compile()
    m = ball()
    m.add_body('box', mass=1, inertia=[1, 1, 1], position=[0, 0, 9])
    m.add_surface('sides', 'box', 'box', half=[0.1, 0.1, 0.1])
    m.add_body('ring', mass=1, inertia=[1, 1, 1], position=[0, 0, 12])
    m.add_surface('tyre', 'ring', 'torus', half=[0.3, 0.1])
    with pytest.raises(liegrp.Error, match=r"'sides' \(box\) and 'tyre' \(torus\) cannot touch.*lg_surface_pair"):
        m.compile()
    for given, said in (({'lower': 1, 'upper': 1}, 'leave no room; lower must be less than upper'),
                        ({}, 'it has stops, but no limits'),
                        ({'upper': 1, 'stop_restitution': 2}, 'stop_restitution is 2')):
        with pytest.raises(liegrp.ArgumentError, match=said):
            pendulum(stops=True, **given)
    with pytest.raises(liegrp.ArgumentError, match='stops must be True or False'):
        pendulum(upper=1, stops='yes')


def rod(law):
    """A rod of 1 kg and 1 m that strikes rough ground obliquely, and its motion."""
    m = liegrp.Mechanism()
    lean = 1.22
    m.add_body('rod', mass=1, inertia=[1 / 12] * 3, position=[0, 0, 0.01 + 0.5 * np.sin(lean)],
               attitude=[0, np.sin(lean / 2), 0, np.cos(lean / 2)])
    m.add_surface('ends', 'rod', 'hull', points=[[-0.5, 0, 0], [0.5, 0, 0]], friction=0.7, restitution=0.98)
    m.add_surface('ground', None, 'plane', friction=1, restitution=1)
    motion = liegrp.Motion(m, step=0.01).set_contact(law=law)
    return motion.start_poses(motion.poses, [[-5, 0, -3, 0, -10, 0]])


def test_a_law_that_gains():
    motion = rod('newton')
    with pytest.warns(RuntimeWarning, match='impacts added 0.0.* J: Newton.s law') as told:
        result = motion.run(steps=3)
    assert told[0].filename == __file__
    assert motion.impact_gain > 0.01
    lost = result.account['impact_normal'] + result.account['impact_friction']
    assert abs(lost + motion.impact_gain) < 1e-12
    for law in ('poisson', 'sequential'):
        motion = rod(law)
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            motion.run(steps=3)
        assert motion.impact_gain == 0 and motion.impacts > 0
    assert liegrp.Motion('furuta', step=0.01).impact_gain == 0


@pytest.mark.parametrize('threads', [1, 3])
def test_ensembles(threads):
    m = ball()
    options = {'law': 'newton', 'capture_speed': 0.5, 'events': 7}
    height = np.linspace(0.6, 3, 7)
    ensemble = liegrp.Ensemble(m, 7, step=0.01, threads=threads, contact=options).start({'ball_z': height})
    plain = liegrp.Ensemble(m, 7, step=0.01, threads=threads).start({'ball_z': height})
    ensemble.run(300), plain.run(300)
    for i in range(7):
        for E, own in ((ensemble, options), (plain, {})):
            motion = liegrp.Motion(m, step=0.01).start({'ball_z': height[i]}).set_contact(**own).step(300)
            assert (E.motion(i).poses == motion.poses).all() and E.motion(i).impacts == motion.impacts
    assert any(ensemble.motion(i).impacts != plain.motion(i).impacts for i in range(7))
    for contact, said in (({'speed': 1}, "unknown option of contact 'speed'"), (5, 'contact must be a dictionary'),
                          ({'law': 'hertz'}, 'hertz'), ({'capture_speed': 0}, 'capture_speed is 0'),
                          ({'events': -1}, 'events -1')):
        with pytest.raises(liegrp.ArgumentError, match=said):
            liegrp.Ensemble(m, 2, step=0.01, contact=contact)
    with pytest.raises(liegrp.ArgumentError, match='the motion has no contacts'):
        liegrp.Ensemble('furuta', 2, contact=options)
    with pytest.raises(liegrp.ArgumentError, match='options of contact are for mechanisms, and suslov is a definition'):
        liegrp.Ensemble('suslov', 2, contact=options)


def test_who_touches():
    m = ball(0.5)
    m.add_joint('loose', 'free', None, 'ball')
    assert liegrp.Motion(m, step=0.01).contacts.size == 1  # a free joint holds nothing
    m = ball(0.5)
    m.add_joint('mast', 'prismatic', None, 'ball', axis=[0, 0, 1])
    assert liegrp.Motion(m, step=0.01).contacts.size == 1  # nor does a rail of the world
    m = ball(0.5)
    m.add_body('rail', mass=1, inertia=[1, 1, 1], position=[0, 0, 0.5])
    m.add_surface('top', 'rail', 'plane')
    m.add_joint('mast', 'prismatic', 'rail', 'ball', axis=[0, 0, 1])
    m.add_surface_pair('rails', 'top', 'ground', ignored=True)
    assert liegrp.Motion(m, step=0.01).contacts.size == 1  # bodies with a joint between them are neighbours
    m = ball(0.5, group=1)
    m.add_surface('floor', None, 'plane', group=1)
    assert liegrp.Motion(m, step=0.01).contacts.size == 1
    m = ball(0.5)
    m.add_surface('floor', None, 'plane')
    m.add_surface_pair('planes', 'floor', 'ground')
    with pytest.raises(liegrp.ArgumentError, match="surface pair 'planes': .* are both of the world, and never touch"):
        m.compile()


def test_refused_twice():
    m = ball(0.5)
    m.add_wheel('tyre', 'ball', kind='ball', radius=0.5)
    with pytest.raises(liegrp.ArgumentError, match="surface 'skin' touches plane 'ground', on which wheel 'tyre'"):
        m.compile()
    m = ball(0.5)
    m.add_wheel('tyre', 'ball', kind='ball', radius=0.5, ground_normal=[1, 0, 0], ground_point=[-0.5, 0, 0])
    m.compile()
    m = ball(1)
    corners = np.random.default_rng(1).uniform(-0.1, 0.1, (4096, 3))
    for i in range(10):
        m.add_surface(f'hull {i}', 'ball', 'hull', points=corners)
    with pytest.raises(liegrp.Error, match='more than 40000 contacts'):
        m.compile()


def test_refused_motions():
    with pytest.raises(liegrp.Error, match="'rattle' knows no contacts, as of surface '.*'; use sem or gauss"):
        liegrp.Motion(ball(), 'rattle')
    with pytest.raises(liegrp.Error, match="contacts.*run forwards only"):
        liegrp.Motion(ball(), step=-0.01)
    with pytest.raises(liegrp.ArgumentError, match="'ground'.*overlap by 0.1 m|'skin'.*overlap by 0.1 m"):
        liegrp.Motion(ball(0.4))
    with pytest.raises(liegrp.ArgumentError, match="joint 'hinge' is at 0, beyond its stop at -0.5"):
        liegrp.Motion(pendulum(lower=-1, upper=-0.5, stops=True))
    motion = liegrp.Motion(ball())
    for given, said in (({'law': 'hertz'}, "law.*'hertz'"), ({'capture_speed': 0}, 'capture_speed is 0'),
                        ({'events': -1}, 'events -1'), ({'localise': 'no'}, 'localise must be True or False')):
        with pytest.raises(liegrp.ArgumentError, match=said):
            motion.set_contact(**given)
    with pytest.raises(liegrp.ArgumentError, match='the motion has no contacts; add surfaces'):
        liegrp.Motion('vehicle').set_contact()
    with pytest.raises(liegrp.ArgumentError, match='the motion has no contacts; add surfaces'):
        liegrp.Motion('vehicle').on_impact = print
    assert liegrp.Motion('vehicle').contacts.size == 0


def test_meetings():
    m = ball(1)
    m.add_body('other', mass=1, inertia=[0.1, 0.1, 0.1], position=[0, 0, 9])
    m.add_surface('hard', 'other', 'sphere', half=0.5, friction=0.9, priority=2, contype=2)
    m.add_surface('slick', 'other', 'sphere', half=0.2, friction=0.1, contype=4, conaffinity=4)
    assert m.surface_meeting('hard', 'ground') == {
        'touch': True, 'reason': 'values of the greater priority', 'friction': 0.9, 'restitution': 0, 'viscous': 0}
    assert m.surface_meeting('ground', 'slick')['reason'] == 'contype and conaffinity have no bit in common'
    assert m.surface_meeting('hard', 'slick')['reason'] == 'both are of one body'
    with pytest.raises(liegrp.ArgumentError, match="'sky'"):
        m.surface_meeting('hard', 'sky')


ROBOT = """<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1"/><body name="b" pos="0 0 1"><freejoint/>
<geom name="skin" type="box" size=".1 .1 .1" friction=".3"/><body pos="0 0 .5"><joint name="j" range="-9 9"/>
<body pos="0 0 .5"><joint/><geom name="head" type="cylinder" size=".1 .1" condim="6"/></body></body></body></worldbody></mujoco>"""


def test_contacts_of_a_file(tmp_path):
    path = tmp_path / 'robot.xml'
    path.write_text(ROBOT.replace('<joint name', '<geom size=".1" contype="0" conaffinity="0"/><joint name'))
    read = liegrp.Mechanism.read
    assert read(path).surfaces == read(path, contacts='joints').surfaces == []
    assert read(path).describe('joint', 'j')['stops'] == 0 and read(path, contacts='joints').describe('joint', 'j')['stops']
    m = read(path, contacts='ground', ignore=['condim'])
    assert m.surfaces == ['floor', 'skin', 'head'] and m.surface_meeting('floor', 'head')['friction'] == 1
    assert not m.surface_meeting('skin', 'head')['touch']
    assert read(path, contacts=True, ignore=['condim']).surface_meeting('skin', 'head')['touch']
    with pytest.raises(liegrp.Error, match='condim 6'):
        read(path, contacts='ground')
    hills = tmp_path / 'hills.xml'
    hills.write_text(ROBOT.replace('<worldbody>', '<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 0 0 0"/>'
                                   '</asset><worldbody>').replace('type="plane" size="0 0 1"', 'type="hfield" hfield="h"'))
    with pytest.raises(liegrp.Error, match=r"would touch '\w+' \((heights|box|cylinder)\)"):
        read(hills, contacts=True, ignore=['condim'])
    with pytest.raises(liegrp.ArgumentError, match="contacts.*'grund'"):
        read(path, contacts='grund')
