# SPDX-License-Identifier: BSD-3-Clause
"""Systems from functions: in Python, compiled, mixed; what they raise; what is refused."""
import traceback

import numpy as np
import pytest

import liegrp
from liegrp import SO3, Rn

J = np.diag([2.0, 3.0, 4.0])
down = np.array([0.0, 0, 1])


def heavy(**more):
    """A heavy top about its fixed point, V = m g l e_3.R e_3."""
    def V(c, q):
        return c['mgl'] * SO3.act(q, down)[2]

    def dV(c, q):
        return c['mgl'] * np.cross(down, SO3.act_inverse(q, down))
    given = dict(parameters={'mgl': liegrp.Parameter(1.5, 'N m', 'weight', 0.0)}, potential=V, potential_gradient=dV,
                 initial=(SO3.exp([0.5, 0, 0]), [0.1, 0.2, 3.0]), name='heavy')
    return liegrp.System(SO3, J, **{**given, **more})


@pytest.mark.parametrize('method', ['sem', 'gni', 'gauss', 'rk4'])
def test_in_python(method):
    it = liegrp.Motion(heavy(), method, step=0.01)
    first, spatial = it.energy, SO3.coAd_apply(SO3.inverse(it.g), it.p)
    it.step(100)
    assert abs(it.energy - first) < (1e-12 if method in ('sem', 'gauss') else 1e-4)
    np.testing.assert_allclose(SO3.coAd_apply(SO3.inverse(it.g), it.p)[2], spatial[2], rtol=1e-8)


def compiled_heavy():
    @liegrp.compiled('potential')
    def V(c, q, out):
        out[0] = c[1][0] * (1 - 2 * (q[0] * q[0] + q[1] * q[1]))
        return 0

    @liegrp.compiled('potential_gradient')
    def dV(c, q, out):
        a = 2 * (q[0] * q[2] - q[3] * q[1])
        b = 2 * (q[1] * q[2] + q[3] * q[0])
        out[0] = -c[1][0] * b
        out[1] = c[1][0] * a
        return 0
    return V, dV


@pytest.mark.parametrize('method', ['sem', 'gni'])
def test_compiled(method):
    V, dV = compiled_heavy()
    fast, mixed, slow = heavy(potential=V, potential_gradient=dV), heavy(potential=V), heavy()
    p = [liegrp.Motion(system, method, step=0.01).step(50).p for system in (fast, mixed, slow)]
    np.testing.assert_allclose(p[0], p[2], rtol=1e-12)
    np.testing.assert_allclose(p[1], p[2], rtol=1e-12)


def test_context():
    @liegrp.compiled('potential')
    def V(c, q, out):
        out[0] = c[0][0] * c[0][1] * q[0] + c[5][0]
        return 0
    system = liegrp.System(Rn(1), [1.0], potential=V, context=[2.0, 3.0], time_dependent=True)
    assert system.energy([1.0], [0.0], t=0.5) == 6.5
    system.context[1] = 5
    assert system.energy([1.0], [0.0]) == 10
    with pytest.raises(liegrp.ArgumentError, match='unknown function'):
        liegrp.compiled('potentials')


def test_wrong_gradient_is_found():
    with pytest.raises(liegrp.ArgumentError, match='potential_gradient'):
        heavy(potential_gradient=lambda c, q: -c['mgl'] * np.cross(down, SO3.act_inverse(q, down)))
    system = heavy(potential_gradient=lambda c, q: np.zeros(3), check=False)
    with pytest.raises(liegrp.ArgumentError, match='potential_gradient'):
        system.check()


def test_velocity_constraints():
    """The Suslov problem as a system of one's own takes the catalog's steps."""
    model = liegrp.Model('suslov')
    I = np.array([[model[f'I{min(i, j)}{max(i, j)}'] for j in (1, 2, 3)] for i in (1, 2, 3)])
    g, xi = model.initial()
    lines = model.parameters
    a = [[lines.get('a1', 0.0), lines.get('a2', 0.0), lines.get('a3', 1.0)]]
    constant = liegrp.System(SO3, I, covectors=a, initial=(g, xi))
    varying = liegrp.System(SO3, lambda parameters: I, covectors=lambda c, q: np.array(a), constraint_count=1,
                            covectors_derivative=lambda c, q, eta: np.zeros((1, 3)), initial=lambda parameters: (g, xi))
    ends = [liegrp.Motion(system, 'sem', step=0.1).step(50) for system in (model, constant, varying)]
    for end in ends[1:]:
        np.testing.assert_allclose(end.p, ends[0].p, rtol=1e-11, atol=1e-11)
    assert constant.constraint_count == varying.constraint_count == 1 and ends[1].integrator.multipliers.shape == (1,)


def test_affine_constraint():
    """A point on a belt that moves with 2 m/s: x' = 2."""
    belt = liegrp.System(Rn(2), [1.0, 1.0], covectors=[[1.0, 0.0]], drift=lambda c, g: np.array([2.0, 0.0]),
                         coordinates=['x', 'y'])
    rows = liegrp.run(belt, step=0.5, steps=4).rows
    np.testing.assert_allclose(rows['x'], 2 * rows['t'], rtol=0, atol=1e-13)
    it = liegrp.Motion(belt, step=0.5)  # the default velocity is projected
    assert it.xi[0] == pytest.approx(2) and it.slip < 1e-14
    with pytest.raises(liegrp.ArgumentError, match='constraint'):
        it.start_state()
    both = liegrp.System(Rn(2), [1.0, 1.0], constraint_count=1,
                         covectors=lambda c, g: (np.array([[1.0, 0.0]]), np.array([2.0, 0.0])))
    np.testing.assert_allclose(liegrp.run(both, step=0.5, steps=4).rows['q_1'], rows['x'], rtol=0, atol=1e-13)


def sleigh(xi, **more):
    return liegrp.System(liegrp.SE2, [1, 1, 0.5], covectors=[[0, 1, 0]], initial=([0, 0, 1, 0], xi), **more)


def test_initial_velocities_that_violate_constraints_are_refused():
    words = r'initial data of system: .*violates constraint 1: .* = 0\.3, .*\[1\.0, 0\.0, 0\.2\]; .*project=True'
    with pytest.raises(liegrp.ArgumentError, match=words) as caught:
        sleigh([1, 0.3, 0.2])
    assert caught.value.status == 'LG_ERROR_INCONSISTENT'
    wrong = sleigh([1, 0.3, 0.2], check=False)
    for use in (lambda: liegrp.Motion(wrong, step=0.1), lambda: liegrp.run(wrong, step=0.1, steps=2),
                lambda: liegrp.Ensemble(wrong, 3, step=0.1), lambda: liegrp.convergence(wrong, step=0.1, levels=2),
                lambda: liegrp.run(liegrp.with_inputs(wrong, np.eye(3)), step=1)):
        with pytest.raises(liegrp.ArgumentError, match='initial data of system'):
            use()
    with pytest.raises(liegrp.ArgumentError) as caught:
        liegrp.run(wrong, step=0.1, steps=2)
    assert len(caught.value.result.rows) == 0
    moved = sleigh([1, 0.3, 0.2], project=True)
    for it in (liegrp.Motion(moved, step=0.1), liegrp.Motion(wrong, step=0.1, project=True)):
        np.testing.assert_allclose(it.xi, [1, 0, 0.2], atol=1e-15)
    assert liegrp.run(wrong, step=0.1, steps=2, project=True).steps == liegrp.run(moved, step=0.1, steps=2).steps == 2
    assert liegrp.Ensemble(wrong, 3, step=0.1, project=True).xi[1, 1] == 0
    liegrp.Motion(sleigh([1, 0, 0.2]), step=0.1)


def test_initial_data_are_checked_for_the_present_parameters():
    belt = liegrp.System(Rn(2), [1.0, 1.0], covectors=[[1.0, 0.0]], parameters={'v': 2.0},
                         drift=lambda c, g: np.array([c['v'], 0.0]), initial=([0, 0], [2, 1]))
    assert liegrp.Motion(belt, step=0.1).xi[1] == 1
    belt.set(v=3.0)
    with pytest.raises(liegrp.ArgumentError, match='= -1, expected 0'):
        liegrp.Motion(belt, step=0.1)
    follows = liegrp.System(Rn(2), [1.0, 1.0], covectors=[[1.0, 0.0]], parameters={'v': 2.0},
                            drift=lambda c, g: np.array([c['v'], 0.0]), initial=lambda p: ([0, 0], [p['v'], 1]))
    follows.set(v=3.0)
    assert liegrp.run(follows, step=0.1, steps=1).rows['xi_1'][0] == pytest.approx(3)


def sphere(place, velocity, **more):
    return liegrp.System(Rn(3), [1.0, 1, 1], holonomic=lambda c, x: [(x @ x - 1) / 2], holonomic_count=1,
                         holonomic_differential=lambda c, x: x[np.newaxis], initial=(place, velocity), **more)


def test_initial_configurations_off_their_constraints_are_refused():
    with pytest.raises(liegrp.ArgumentError, match='g0 violates holonomic constraint 1: phi = 0.22'):
        sphere([1.2, 0, 0], [0, 1, 0])
    with pytest.raises(liegrp.ArgumentError, match='rate of holonomic constraint 1'):
        sphere([1, 0, 0], [0.5, 1, 0])
    it = liegrp.Motion(sphere([1.2, 0, 0], [0, 1, 0], project=True), step=0.1)
    assert it.g == pytest.approx([1, 0, 0])
    model = liegrp.Model('double-spherical-pendulum')
    column = model.configuration_columns[0]
    model.set_initial({column: model.initial()[0][0] + 0.1})
    with pytest.raises(liegrp.ArgumentError, match='configuration of double-spherical-pendulum violates'):
        liegrp.Motion(model, step=0.01)
    with pytest.raises(liegrp.ArgumentError, match='initial'):
        liegrp.run(model, step=0.01, steps=1)
    assert liegrp.Motion(model, step=0.01, started=False).start(project=True).gap < 1e-12


@pytest.mark.parametrize('initial', [([0.0],), [0.0], ([0.0], None), ([0.0], [True]), (['0'], [0.0]), 1.0,
                                     ([0.0], [1j]), ([[0.0]], [0.0]), ([0.0], [np.nan]), ([np.inf], [0.0])], ids=repr)
def test_initial_data_that_are_wrong(initial):
    with pytest.raises(liegrp.Error, match='initial|finite'):
        liegrp.Motion(liegrp.System(Rn(1), [1.0], initial=initial), step=0.1).start()


def test_holonomic_constraint():
    pendulum = liegrp.System(Rn(3), [1.0, 1, 1], holonomic=lambda c, x: [(x @ x - 1) / 2], holonomic_count=1,
                             holonomic_differential=lambda c, x: x[np.newaxis], potential=lambda c, x: 9.81 * x[2],
                             potential_gradient=lambda c, x: [0, 0, 9.81], initial=([1, 0, 0], [0, 0.5, 0]))
    it = liegrp.Motion(pendulum, 'sem', step=0.01)
    first = it.energy
    it.step(100)
    assert abs(it.g @ it.g - 1) < 1e-12 and abs(it.energy - first) < 1e-12


def test_metric_forces_controls_invariants():
    """x'' = u - c x' with a mass that depends on x only in name; the invariant is the time that passed."""
    cart = liegrp.System(Rn(1), metric=lambda c, x: [[2.0]], metric_gradient=lambda c, x, xi: [0.0],
                         force=lambda c, x, xi: c.u - c['damping'] * xi, parameters={'damping': 0.0},
                         controls=['push'], invariants={'half': lambda c, x, p: c.parameters[0] + p[0] / 2},
                         coordinates=['x'])
    assert cart.controls == ['push'] and list(cart.invariants) == ['half']
    rows = liegrp.run(cart, step=0.1, steps=10, control=lambda state, u: [4.0]).rows
    np.testing.assert_allclose(rows['xi_1'], 2 * rows['t'], rtol=1e-12)
    assert liegrp.run(cart, step=0.1, steps=10, control=[4.0]).rows.tobytes() == rows.tobytes()
    np.testing.assert_allclose(rows['inv_half'], rows['p_1'] / 2, rtol=1e-14)
    it = liegrp.Motion(cart, step=0.1).set_control([4.0]).step(10)
    assert it.xi[0] == pytest.approx(2)
    B = liegrp.Linearisation(it).compute(it).B
    ends = [it.copy().set_control([u]).step() for u in (5.0, 4.0)]
    np.testing.assert_allclose(B[:, 0], [ends[0].g[0] - ends[1].g[0], ends[0].p[0] - ends[1].p[0]], rtol=1e-9)
    with pytest.raises(liegrp.ArgumentError):
        it.set_control([1, 2])


class Stop(Exception):
    pass


def test_exceptions_come_out_as_they_were():
    raised = Stop('here')
    armed = [False]

    def V(c, q):
        if armed[0]:
            raise raised
        return 0.0
    system = liegrp.System(Rn(1), [1.0], potential=V, initial=([0.0], [1.0]))
    it = liegrp.Motion(system, 'sem', step=0.1).step(3)
    other = it.copy()
    armed[0] = True
    with pytest.raises(Stop) as caught:
        it.step(5)
    assert caught.value is raised and 'in V' in ''.join(traceback.format_exception(raised))
    armed[0] = False
    assert it.step_index == 3 and it.t == other.t
    assert it.step(2).save() == other.step(2).save()
    armed[0] = True
    with pytest.raises(Stop):
        system.energy([0.0], [0.0])
    with pytest.raises(Stop):
        system.check()
    with pytest.raises(Stop) as caught:
        liegrp.run(system)
    assert caught.value.result.steps == 0


def test_exceptions_of_invariants_and_initial_data():
    def bad(*_):
        raise Stop
    with pytest.raises(Stop):
        liegrp.System(Rn(1), [1.0], initial=bad)
    with pytest.raises(Stop):
        liegrp.System(Rn(1), bad)
    with pytest.raises(Stop):
        liegrp.run(liegrp.System(Rn(1), [1.0], invariants={'x': bad}), steps=2)
    working = [True]
    system = liegrp.System(Rn(1), [1.0], potential=lambda c, g: 0.0 if working[0] else bad())
    it = liegrp.Motion(system, step=0.1)
    working[0] = False
    with pytest.raises(Stop):
        it.energy


def test_refusals():
    with pytest.raises(liegrp.ArgumentError, match='unknown function'):
        liegrp.System(Rn(1), [1.0], potentail=lambda c, g: 0.0)
    with pytest.raises(liegrp.ArgumentError, match='constraint_count must say'):
        liegrp.System(Rn(2), [1.0, 1.0], covectors=lambda c, g: [[1, 0]])
    with pytest.raises(liegrp.ArgumentError, match='either an inertia or'):
        liegrp.System(Rn(1))
    with pytest.raises(liegrp.ArgumentError, match=r'potential_gradient must return .* shape \(2,\), got \(\)'):
        liegrp.System(Rn(2), [1.0, 1.0], potential=lambda c, g: 0.0, potential_gradient=lambda c, g: 0.0)
    with pytest.raises(liegrp.ArgumentError, match='2 coordinates, got 1'):
        liegrp.System(Rn(2), [1.0, 1.0], coordinates=['x'])
    with pytest.raises(liegrp.Error, match='pivot|positive'):
        liegrp.System(Rn(1), [-1.0])
    with pytest.raises(liegrp.ArgumentError, match='must be a function in Python, a cfunc'):
        liegrp.System(Rn(1), [1.0], potential='x**2')
    with pytest.raises(liegrp.ArgumentError, match='must be >= 0'):
        heavy().set(mgl=-1)


def test_parameters_reach_the_inertia():
    system = liegrp.System(Rn(1), lambda parameters: [parameters['m']], parameters={'m': 2.0},
                           initial=([0.0], [1.0]))
    assert liegrp.Motion(system, step=0.1).p[0] == 2
    system['m'] = 5
    assert liegrp.Motion(system, step=0.1).p[0] == 5


def test_many_systems_go_away():
    for _ in range(200):
        liegrp.Motion(heavy(check=False), step=0.1).step()


def test_call_is_a_view():
    seen = []
    liegrp.System(Rn(1), [1.0], potential=lambda c, g: seen.append(type(c)) or 0.0)
    assert seen[0] is liegrp.Call


def blade(**changed):
    """A planar body with a look of its own."""
    def look(c):
        return {'bodies': ['blade'], 'shapes': [
            {'name': 'ice', 'kind': 'plane', 'shade': 'ground'},
            {'name': 'plate', 'kind': 'box', 'body': 'blade', 'dimensions': [c['length'], 0.1, 0.2], 'rolls_on': 0}]}

    def poses(c, g):
        half = np.arctan2(g[3], g[2]) / 2
        return [[g[0], g[1], 0.1, 0, 0, np.sin(half), np.cos(half)]]
    given = {'look': look, 'poses': poses, **changed}
    return liegrp.System(liegrp.SE2, [1, 1, 0.5], covectors=[[0, 1, 0]], parameters={'length': 2.0},
                         initial=([0, 0, 1, 0], [1, 0, 1]), **given)


def test_looks(tmp_path):
    system = blade()
    assert system.scene['bodies'] == ['blade']
    assert [(s['kind'], s['body'], s['dimensions'][0]) for s in system.scene['shapes']] == [('plane', -1, 0), ('box', 0, 2)]
    system.set(length=3)
    assert system.scene['shapes'][1]['dimensions'] == [3, 0.1, 0.2]
    np.testing.assert_allclose(system.poses([1, 2, 0, 1]), [[1, 2, 0.1, 0, 0, 0.5**0.5, 0.5**0.5]], atol=1e-15)
    liegrp.run(system, steps=20).view(tmp_path / 'page.html')
    assert '"plate"' in (tmp_path / 'page.html').read_text()


@pytest.mark.parametrize('answer, words', [
    (None, 'look must return'), ({'bodies': []}, 'look must return'),
    ({'bodies': ['a'], 'shapes': [{'kind': 'cone'}]}, "unknown kind of a shape 'cone'"),
    ({'bodies': ['a'], 'shapes': [{'name': 'x'}]}, 'needs a kind'),
    ({'bodies': ['a'], 'shapes': [{'kind': 'box', 'texture': 'red'}]}, "no 'texture'"),
    ({'bodies': ['a'], 'shapes': [{'kind': 'box', 'colour': [2, 0, 0]}]}, 'red, green and blue'),
    ({'bodies': ['a'], 'shapes': [{'kind': 'box', 'body': 'b'}]}, "no body 'b'"),
    ({'bodies': ['a'], 'shapes': [{'kind': 'box', 'body': 1}]}, 'no body 1'),
    ({'bodies': ['a'], 'shapes': [{'kind': 'box', 'dimensions': [-1]}]}, 'dimension')])
def test_looks_that_are_wrong(answer, words):
    with pytest.raises(liegrp.ArgumentError, match=words):
        blade(look=lambda c: answer).scene


def test_poses_that_are_wrong():
    with pytest.raises(liegrp.ArgumentError, match='both or neither'):
        blade(poses=None)
    with pytest.raises(liegrp.ArgumentError, match=r'poses must return an array of shape \(1, 7\)'):
        blade(poses=lambda c, g: np.zeros(7)).poses([0, 0, 1, 0])
    with pytest.raises(ZeroDivisionError):
        blade(poses=lambda c, g: 1 / 0).poses([0, 0, 1, 0])
    with pytest.raises(ZeroDivisionError):
        blade(look=lambda c: 1 / 0).scene
    with pytest.raises(ZeroDivisionError):
        liegrp.run(blade(poses=lambda c, g: 1 / 0), steps=3).view()


@pytest.mark.parametrize('functions', [
    {'potential': lambda c, g: None}, {'potential': lambda c, g: g[0], 'potential_gradient': lambda c, g: None},
    {'force': lambda c, g, xi: None}, {'covectors': lambda c, g: None, 'constraint_count': 1},
], ids=lambda functions: list(functions)[-1])
def test_what_returns_nothing_is_refused(functions):
    with pytest.raises(liegrp.ArgumentError, match='returned None; it must return'):
        liegrp.System(liegrp.Rn(2), [1.0, 1.0], initial=([1.0, 1.0], [0.0, 0.0]), **functions)


def test_force_derivative():
    """Of a force with controls: linearised steps are those of differences, and check() looks at it."""
    def force(c, g, xi):
        return np.array([-xi[0]**3 + c.u[0] * np.cos(g[0])])

    def derivative(c, g, xi, eta, dxi, du):
        assert du.shape == (1,)
        return -3 * xi**2 * dxi + du * np.cos(g) - c.u * np.sin(g) * eta

    def jacobian(**more):
        system = liegrp.System(liegrp.Rn(1), [1.0], force=force, controls=['u'], initial=([0.3], [0.7]), **more)
        assert system.check() is None
        motion = liegrp.Motion(system, step=0.1).set_control([0.5])
        return liegrp.Linearisation(motion).compute(motion).jacobian

    np.testing.assert_allclose(jacobian(force_derivative=derivative), jacobian(), rtol=1e-11, atol=1e-12)
    with pytest.raises(liegrp.ArgumentError, match='force_derivative: entry 1'):
        jacobian(force_derivative=lambda c, g, xi, eta, dxi, du: derivative(c, g, xi, eta, dxi, 2 * du))
