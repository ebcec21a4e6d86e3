# SPDX-License-Identifier: BSD-3-Clause
"""Groups over arrays: identities on every group, shapes, aliases, elements that fail."""
import json
import math
import pathlib

import numpy as np
import pytest

import liegrp
from liegrp import SE2, SE3, SE23, SO2, SO3

TRUTH = json.loads((pathlib.Path(__file__).parents[2] / 'tests/data/retractions.json').read_text())
near = dict(rtol=1e-11, atol=1e-11)


def samples(G, count=40, rng=3):
    """Elements and vectors."""
    xi = 0.4 * np.random.default_rng(rng).standard_normal((count, G.dim))
    return G.random(count, rng=rng), xi


def numbers(texts):
    """Nested lists of decimal texts as an array."""
    return np.array(texts, dtype=np.float64)


def same(G, a, b):
    """Equal elements: as matrices, since q and -q are the same rotation."""
    np.testing.assert_allclose(G.to_matrix(a), G.to_matrix(b), **near)


def test_axioms(G):
    a, xi = samples(G)
    b, c = G.random(40, rng=4), G.random(40, rng=5)
    same(G, G.compose(G.compose(a, b), c), G.compose(a, G.compose(b, c)))
    same(G, G.compose(a, G.inverse(a)), G.identity(40))
    same(G, G.compose(a, G.between(a, b)), b)
    np.testing.assert_allclose(G.to_matrix(G.compose(a, b)), G.to_matrix(a) @ G.to_matrix(b), **near)
    same(G, G.from_matrix(G.to_matrix(a)), a)
    np.testing.assert_allclose(G.vee(G.hat(xi)), xi, **near)
    assert G.is_valid(a).all() and (G.residual(a) < 1e-12).all()
    same(G, G.project(a), a)
    G.check()


def test_adjoint(G):
    g, xi = samples(G)
    eta, p = samples(G, rng=6)[1], samples(G, rng=7)[1]
    conjugated = G.to_matrix(g) @ G.hat(eta) @ G.to_matrix(G.inverse(g))
    np.testing.assert_allclose(G.hat(G.Ad_apply(g, eta)), conjugated, **near)
    np.testing.assert_allclose(np.einsum('kij,kj->ki', G.Ad(g), eta), G.Ad_apply(g, eta), **near)
    np.testing.assert_allclose(np.einsum('kij,kj->ki', G.coAd(g), p), G.coAd_apply(g, p), **near)
    np.testing.assert_allclose(np.sum(G.coAd_apply(g, p) * eta, -1), np.sum(p * G.Ad_apply(g, eta), -1), **near)
    np.testing.assert_allclose(G.hat(G.ad_apply(xi, eta)), G.hat(xi) @ G.hat(eta) - G.hat(eta) @ G.hat(xi), **near)
    np.testing.assert_allclose(np.einsum('kij,kj->ki', G.ad(xi), eta), G.ad_apply(xi, eta), **near)
    np.testing.assert_allclose(np.einsum('kij,kj->ki', G.coad(xi), p), G.coad_apply(xi, p), **near)
    np.testing.assert_array_equal(G.coad(xi), np.swapaxes(G.ad(xi), -1, -2))


def test_retractions(map_on):
    G, name = map_on
    xi, mu = samples(G)[1], samples(G, rng=8)[1]
    if name == 'exp':
        same(G, G.exp(xi), G.tau(xi))
        np.testing.assert_allclose(G.log(G.exp(xi)), xi, **near)
    if name == 'cayley':
        same(G, G.cay(xi), G.tau(xi, name))
        np.testing.assert_allclose(G.cay_inv(G.cay(xi)), xi, **near)
    np.testing.assert_allclose(G.tau_inv(G.tau(xi, name), name), xi, **near)
    D, inverse = G.dtau(xi, name), G.dtau_inv(xi, name)
    np.testing.assert_allclose(np.einsum('kij,kj->ki', D, mu), G.dtau_apply(xi, mu, name), **near)
    np.testing.assert_allclose(np.einsum('kij,kj->ki', inverse, mu), G.dtau_inv_apply(xi, mu, name), **near)
    np.testing.assert_allclose(np.einsum('kji,kj->ki', D, mu), G.dtau_dual(xi, mu, name), **near)
    np.testing.assert_allclose(np.einsum('kji,kj->ki', inverse, mu), G.dtau_inv_dual(xi, mu, name), **near)
    liegrp.Retraction(name).check(G)
    if 'order' in name:  # its tangent is a truncated series
        return
    np.testing.assert_allclose(D @ inverse, np.broadcast_to(np.eye(G.dim), D.shape), rtol=1e-9, atol=1e-9)
    e = 1e-6
    difference = (G.to_matrix(G.tau(xi + e * mu, name)) - G.to_matrix(G.tau(xi - e * mu, name))) / (2 * e)
    np.testing.assert_allclose(G.hat(G.dtau_apply(xi, mu, name)) @ G.to_matrix(G.tau(xi, name)), difference,
                               rtol=0, atol=1e-8)


def test_pluses_and_jacobians(G):
    a, xi = samples(G)
    b = G.right_plus(a, xi)
    same(G, b, G.compose(a, G.exp(xi)))
    np.testing.assert_allclose(G.right_minus(b, a), xi, **near)
    np.testing.assert_allclose(G.left_minus(G.left_plus(a, xi), a), xi, **near)
    np.testing.assert_allclose(G.right_jacobian(xi) @ G.right_jacobian_inv(xi),
                               np.broadcast_to(np.eye(G.dim), (40, G.dim, G.dim)), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(G.left_jacobian(xi), G.dtau(xi), **near)
    np.testing.assert_allclose(G.left_jacobian(xi) @ G.left_jacobian_inv(xi),
                               np.broadcast_to(np.eye(G.dim), (40, G.dim, G.dim)), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(G.distance(a, b), np.linalg.norm(xi, axis=-1), **near)
    same(G, G.interpolate(a, b, 0.25), G.right_plus(a, 0.25 * xi))
    assert G.interpolate(a[0], b[0], np.linspace(0, 1, 5)).shape == (5, G.element_size)


def change(G, f, at, side, size):
    """The derivative of f at an element by differences, in the sense of `side`."""
    plus, minus = (G.right_plus, G.right_minus) if side == 'right' else (G.left_plus, G.left_minus)
    e = 1e-5 * np.eye(size)
    return (minus(f(plus(at, e)), f(at)) - minus(f(plus(at, -e)), f(at))).T / 2e-5


@pytest.mark.parametrize('side', ['right', 'left'])
def test_jacobians_by_differences(G, side):
    a, b, xi = G.random(rng=1), G.right_plus(G.random(rng=1), samples(G)[1][0]), samples(G)[1][1]
    plus, minus = (G.right_plus, G.right_minus) if side == 'right' else (G.left_plus, G.left_minus)
    close = dict(rtol=0, atol=2e-8)
    Ja, Jb = G.compose_jacobians(a, b, side)
    np.testing.assert_allclose(Ja, change(G, lambda x: G.compose(x, b), a, side, G.dim), **close)
    np.testing.assert_allclose(Jb, change(G, lambda x: G.compose(a, x), b, side, G.dim), **close)
    np.testing.assert_allclose(G.inverse_jacobian(a, side), change(G, G.inverse, a, side, G.dim), **close)
    Ja, Jb = G.between_jacobians(a, b, side)
    np.testing.assert_allclose(Ja, change(G, lambda x: G.between(x, b), a, side, G.dim), **close)
    Ja, Jxi = G.plus_jacobians(a, xi, side)
    np.testing.assert_allclose(Ja, change(G, lambda x: plus(x, xi), a, side, G.dim), **close)
    Ja, Jb = G.minus_jacobians(b, a, side)
    e = 1e-5 * np.eye(G.dim)
    np.testing.assert_allclose(Ja, ((minus(plus(b, e), a) - minus(plus(b, -e), a)) / 2e-5).T, **close)
    with pytest.raises(liegrp.ArgumentError, match='side'):
        G.inverse_jacobian(a, 'up')


def test_broadcasting_gives_the_same_bits(G):
    a, xi = samples(G, 6)
    b = G.random(rng=9)
    grid = G.compose(a.reshape(2, 3, -1), b)
    for i in range(6):
        np.testing.assert_array_equal(grid[i // 3, i % 3], G.compose(a[i], b))
    pairs = G.compose(a[:, np.newaxis], a)
    np.testing.assert_array_equal(pairs[2, 3], G.compose(a[2], a[3]))
    np.testing.assert_array_equal(G.exp(np.asfortranarray(xi)), G.exp(xi))
    np.testing.assert_array_equal(G.exp(xi[::2]), G.exp(xi)[::2])
    assert G.compose(a[:0], b).shape == (0, G.element_size)


@pytest.mark.parametrize('name, inputs', [
    ('between', 'gg'), ('right_plus', 'gx'), ('left_plus', 'gx'), ('right_minus', 'gg'), ('left_minus', 'gg'),
    ('distance', 'gg'), ('coAd', 'g'), ('coad', 'x'), ('to_matrix', 'g'), ('hat', 'x'), ('project', 'g'),
    ('dtau_apply', 'xx'), ('dtau_inv_apply', 'xx'), ('dtau_dual', 'xx'), ('dtau_inv_dual', 'xx'),
    ('left_jacobian', 'x'), ('right_jacobian', 'x'), ('left_jacobian_inv', 'x'), ('right_jacobian_inv', 'x'),
    ('inverse_jacobian', 'g'), ('compose_jacobians', 'gg'), ('between_jacobians', 'gg'), ('plus_jacobians', 'gx'),
    ('minus_jacobians', 'gg')])
def test_many_elements_have_the_bits_of_one(G, name, inputs):
    a, xi = samples(G, 101)
    many = [{'g': a, 'x': xi}[i] for i in inputs]

    def f(*arguments):
        result = getattr(G, name)(*arguments)
        return np.concatenate(result, axis=-1) if isinstance(result, tuple) else result

    for arrays in (many, [many[0][7], *many[1:]]):  # one with many, too
        got = f(*arrays)
        for k in range(0, 101 if len(got) == 101 else 0, 10):
            np.testing.assert_array_equal(got[k], f(*(x[k] if x.ndim == 2 else x for x in arrays)))


def test_matrices_have_the_bits_of_one(G):
    R = G.to_matrix(samples(G, 101)[0])
    got = G.from_matrix(R)
    for k in range(0, 101, 10):
        np.testing.assert_array_equal(got[k], G.from_matrix(R[k]))


def test_out_and_aliases(G):
    a, _ = samples(G)
    b = G.random(40, rng=9)
    right = G.compose(a, b)
    out = np.empty_like(a)
    assert G.compose(a, b, out=out) is out
    np.testing.assert_array_equal(out, right)
    alias = a.copy()
    np.testing.assert_array_equal(G.compose(alias, b, out=alias), right)
    long = np.concatenate([a, a])
    np.testing.assert_array_equal(G.compose(long[:40], b, out=long[1:41]), right)
    for wrong in (np.empty((39, G.element_size)), np.empty_like(a, dtype=np.float32), a.tolist(),
                  np.empty((80, G.element_size))[::2]):
        with pytest.raises(liegrp.ArgumentError, match='out must be'):
            G.compose(a, b, out=wrong)


def test_inputs_are_not_copied():
    q = SO3.random(5, rng=0)
    assert liegrp._map.items(q, (4,), 'q') is q


def test_shapes_are_refused():
    with pytest.raises(liegrp.ArgumentError, match=r'xi must have the shape \(\.\.\., 3\), got \(2, 4\)'):
        SO3.exp(np.zeros((2, 4)))
    with pytest.raises(liegrp.ArgumentError, match=r'a \(2, 4\), b \(3, 4\)'):
        SO3.compose(np.ones((2, 4)), np.ones((3, 4)))
    with pytest.raises(liegrp.ArgumentError, match='do not fit together'):
        SO3.interpolate(np.ones(4), np.ones((2, 4)), [1, 2, 3])


def test_elements_that_fail():
    q = SO3.random(10, rng=1)
    q[[3, 7]] = 0
    with pytest.raises(liegrp.DomainError, match=r'2 of 10 elements, the first one at \(3,\)') as caught:
        SO3.log(q)
    error = caught.value
    assert error.where.tolist() == [i in (3, 7) for i in range(10)] and error.status == 'LG_ERROR_DOMAIN'
    assert np.isnan(error.result[[3, 7]]).all()
    np.testing.assert_array_equal(error.result[:3], SO3.log(q[:3]))
    q[:] = SO3.identity()
    q[2] = math.nan
    assert np.isnan(SO3.log(q)).any(axis=-1).tolist() == [i == 2 for i in range(10)]
    with pytest.raises(liegrp.UnsupportedError, match='does not work'):
        SO3.tau(np.zeros(3), liegrp.Retraction('exp', 'exp'))


@pytest.mark.parametrize('key', ['SO3_exp', 'SO3_cay', 'SE2_exp', 'SE2_cay', 'SE3_exp', 'SE3_cay'])
def test_values(key):
    """Values with 25 digits that come from elsewhere."""
    G, name = getattr(liegrp, key[:3]), {'exp': 'exp', 'cay': 'cayley'}[key[4:]]
    cases = [case for case in TRUTH[key] if np.max(np.abs(numbers(case['xi']))) < 3]
    xi = np.array([[float.fromhex(x) for x in case['xi_hex']] for case in cases])
    for what, computed in (('tau', G.to_matrix(G.tau(xi, name))), ('dtau', G.dtau(xi, name)),
                           ('dtau_inv', G.dtau_inv(xi, name))):
        np.testing.assert_allclose(computed, [numbers(case[what]) for case in cases], rtol=1e-13, atol=1e-14)


def test_rotations():
    q = SO3.from_quat_xyzw([0.1, 0.2, 0.3, 2.0])
    np.testing.assert_allclose(q, np.array([0.1, 0.2, 0.3, 2.0]) / math.sqrt(4.14), **near)
    np.testing.assert_array_equal(SO3.to_quat_wxyz(q), q[[3, 0, 1, 2]])
    np.testing.assert_allclose(SO3.from_quat_wxyz(SO3.to_quat_wxyz(q)), q, **near)
    np.testing.assert_array_equal(SO3.to_quat_xyzw(q), q)
    quarter = SO3.from_axis_angle([[0, 0, 5]], [math.pi / 2, math.pi])
    np.testing.assert_allclose(SO3.act(quarter, [1, 0, 0]), [[0, 1, 0], [-1, 0, 0]], **near)
    np.testing.assert_allclose(SO3.act_inverse(quarter, SO3.act(quarter, [1, 2, 3])), [[1, 2, 3]] * 2, **near)
    axis, angle = SO3.to_axis_angle(quarter[0])
    np.testing.assert_allclose([*axis, angle], [0, 0, 1, math.pi / 2], **near)
    x = SO3.from_axis_angle([1, 0, 0], 0.3)
    z = SO3.from_axis_angle([0, 0, 1], 0.7)
    np.testing.assert_allclose(SO3.from_euler([0.7, 0, 0.3], 'ZYX'), SO3.compose(z, x), **near)
    np.testing.assert_allclose(SO3.to_euler(SO3.compose(z, x), 'xyz'), [0.3, 0, 0.7], **near)
    with pytest.raises(liegrp.ArgumentError, match='unknown convention'):
        SO3.from_euler([0, 0, 0], 'ZZX')


@pytest.mark.parametrize('G', [SO2, SO3, SE2, SE3, SE23], ids=lambda G: G.name)
def test_act(G):
    g, xi = samples(G, 5)
    x = np.random.default_rng(2).standard_normal((5, 2 if G in (SO2, SE2) else 3))
    d = x.shape[-1]
    R = G.to_matrix(g)
    moved = np.einsum('kij,kj->ki', R[:, :d, :d], x) + (R[:, :d, -1] if G not in (SO2, SO3) else 0)
    if G is SE23:
        moved = np.einsum('kij,kj->ki', R[:, :3, :3], x) + g[:, :3]
    np.testing.assert_allclose(G.act(g, x), moved, **near)
    np.testing.assert_allclose(G.act_inverse(g, G.act(g, x)), x, **near)
    for side, plus in (('right', G.right_plus), ('left', G.left_plus)):
        moved = G.act(plus(g, 1e-6 * xi), x) - G.act(plus(g, -1e-6 * xi), x)
        np.testing.assert_allclose(np.einsum('kij,kj->ki', G.act_jacobian(g, x, side), xi), moved / 2e-6,
                                   rtol=0, atol=1e-8)


def test_parts_of_poses():
    angle = np.array([0.1, -3.0])
    np.testing.assert_allclose(SO2.to_angle(SO2.from_angle(angle)), angle, **near)
    np.testing.assert_allclose(SE2.to_xytheta(SE2.from_xytheta([[1, 2, 0.5]])), [[1, 2, 0.5]], **near)
    g = SE3.from_parts([[1, 2, 3]], SO3.random(4, rng=0))
    assert g.shape == (4, 7)
    np.testing.assert_array_equal(SE3.rotation(g), SO3.random(4, rng=0))
    np.testing.assert_array_equal(SE3.translation(g)[2], [1, 2, 3])
    assert SE23.from_parts([1, 2, 3], [4, 5, 6], SO3.identity()).tolist() == [1, 2, 3, 4, 5, 6, 0, 0, 0, 1]
    with pytest.raises(liegrp.ArgumentError, match='2 vectors and a rotation'):
        SE23.from_parts([1, 2, 3], SO3.identity())


def test_products():
    G = SO3 * liegrp.Rn(2) * SE2
    assert (G.name, G.dim, G.element_size, len(G.factors)) == (G.name, 8, 10, 3)
    assert G is liegrp.product(SO3, liegrp.Rn(2), SE2) or G.factors == liegrp.product(SO3, liegrp.Rn(2), SE2).factors
    a, b = G.random(5, rng=0), G.random(5, rng=1)
    parts = [F.compose(x, y) for F, x, y in zip(G.factors, G.split(a), G.split(b))]
    np.testing.assert_array_equal(G.join(*parts), G.compose(a, b))
    with pytest.raises(liegrp.ArgumentError, match='3 factors, got 1'):
        G.join(a)
    assert 'SO(3)' in repr(G)


def test_matrix_groups():
    assert liegrp.SO(4).check() is None and liegrp.Sp(1).dim == 3
    boost = liegrp.SOpq(3, 1).exp(0.1 * np.arange(6))
    P = np.diag([1.0, 1, 1, -1])
    np.testing.assert_allclose(boost.reshape(4, 4).T @ P @ boost.reshape(4, 4), P, **near)
    G = liegrp.quadratic(P)
    assert G.dim == 6 and G.is_valid(boost)
    with pytest.raises(liegrp.ArgumentError, match='square'):
        liegrp.quadratic(np.ones((2, 3)))
    assert isinstance(G, liegrp.Group) and liegrp.Tn(2).is_abelian


def test_retraction_objects():
    r = liegrp.Retraction('exp', 'cayley')
    G = SO3 * SE2
    assert r.supports(G) and not r.supports(SO3) and r.is_symmetric
    xi = 0.3 * np.arange(6)
    np.testing.assert_array_equal(G.tau(xi, r)[:4], SO3.exp(xi[:3]))
    np.testing.assert_array_equal(G.tau(xi, r)[4:], SE2.cay(xi[3:]))
    with pytest.raises(liegrp.UnsupportedError, match='does not work on'):
        r.require(SO3)
    with pytest.raises(liegrp.ArgumentError, match='unknown retraction'):
        SO3.tau([0, 0, 0], 'cailey')
    assert liegrp.Retraction.of('exp') is liegrp.Retraction.of('exp')


def test_random():
    assert SO3.random((2, 3)).shape == (2, 3, 4)
    assert not np.array_equal(SO3.random(), SO3.random())
    one, two = (SO3.random(rng=np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(one, two)
    assert SO3.random(np.int64(2)).shape == SO3.identity([2]).shape == (2, 4)
    for shape, words in ((np.random.default_rng(5), 'by name: rng=...'), (2.5, 'got 2.5'), (-1, 'got -1'),
                         ((2, 'a'), 'tuple')):
        with pytest.raises(liegrp.ArgumentError, match=words):
            SO3.random(shape)
        with pytest.raises(liegrp.ArgumentError, match='shape'):
            SO3.identity(shape)
    with pytest.raises(liegrp.ArgumentError, match='Generator or None, got 2.5'):
        SO3.random(rng=2.5)


def test_splines():
    g, xi = SE3.random(4, rng=0), np.zeros((4, 6))
    g = np.stack([SE3.exp(0.2 * k * np.arange(6)) for k in range(4)])
    curve = liegrp.Spline.hermite(SE3, np.arange(4.0), g, xi)
    np.testing.assert_allclose(curve(np.arange(4.0))[0], g, **near)
    curve = liegrp.Spline.bspline(SE3, g, t0=1.0, h=0.5)
    assert (curve.begin, curve.end) == (1.0, 1.5)
    place, velocity, acceleration = curve([1.1, 1.2])
    np.testing.assert_allclose(velocity, np.broadcast_to(0.4 * np.arange(6), (2, 6)), **near)
    np.testing.assert_allclose(acceleration, np.zeros((2, 6)), rtol=0, atol=1e-9)
    with pytest.raises(liegrp.DomainError, match='outside') as caught:
        curve([1.1, 2.0])
    assert caught.value.where.tolist() == [False, True]


def test_from_matrix_says_what_is_wrong():
    wrong = {'0.01 from the nearest': 1.01 * np.eye(3), 'determinant -1, a reflection': np.diag([1, 1, -1.0]),
             'determinant 0 ': np.zeros((3, 3)), 'not finite': np.diag([1, 1, np.inf])}
    for words, R in wrong.items():
        with pytest.raises(liegrp.DomainError, match=words):
            liegrp.SO3.from_matrix(R)
    many = np.array([np.eye(3), 1.01 * np.eye(3), np.eye(3)])
    with pytest.raises(liegrp.DomainError, match=r'1 of 3 matrices are not in the group; R\[1\]') as info:
        liegrp.SO3.from_matrix(many)
    np.testing.assert_array_equal(info.value.where, [False, True, False])
    np.testing.assert_array_equal(np.isnan(info.value.result[:, 0]), [False, True, False])
    np.testing.assert_array_equal(liegrp.SO3.from_matrix(many, tolerance=np.inf), [[0, 0, 0, 1]] * 3)
    assert np.isnan(liegrp.SO3.from_matrix(np.full((3, 3), np.nan))).all()
    pose = np.eye(4)
    pose[3, 0] = 1e-3
    with pytest.raises(liegrp.DomainError, match='0.001 from the nearest'):
        liegrp.SE3.from_matrix(pose)
    with pytest.raises(liegrp.DomainError, match='from the nearest'):
        liegrp.SO(4).from_matrix(1.001 * np.eye(4))


def test_mean():
    rng = np.random.default_rng(3)
    for G in (liegrp.SO3, liegrp.SE3, liegrp.SE2, liegrp.Rn(3)):
        g = G.compose(G.random(rng=1), G.exp(0.3 * rng.standard_normal((7, G.dim))))
        w = rng.uniform(size=7)
        mean = G.mean(g, w)
        assert abs(w @ G.log(G.compose(G.inverse(mean), g))).max() < 1e-13
        with pytest.raises(liegrp.ArgumentError, match='weights must have the shape'):
            G.mean(g, w[:3])
        with pytest.raises(liegrp.ArgumentError, match='not negative'):
            G.mean(g, -w)
        with pytest.raises(liegrp.ArgumentError, match=r'elements must have the shape \(m, '):
            G.mean(g[0])
