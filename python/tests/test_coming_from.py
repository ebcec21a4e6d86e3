# SPDX-License-Identifier: BSD-3-Clause
"""What docs/coming-from.md says of other libraries' numbers, against closed forms written out here."""
import importlib.util
import pathlib

import numpy as np
import pytest

from liegrp import SE2, SE3, SE23, SO3

ROOT = pathlib.Path(__file__).parents[2]
RNG = np.random.default_rng(5)
TURN = np.array([0.3, -1.1, 0.7])
TWIST = np.array([0.4, 1.3, -0.2, *TURN])


def states():
    spec = importlib.util.spec_from_file_location('states', ROOT / 'examples/python/coming_from/states.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def hat(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def left_so3(w):
    """1 + (1 - cos t)/t^2 [w] + (t - sin t)/t^3 [w]^2."""
    t, W = np.linalg.norm(w), hat(w)
    return np.eye(3) + (1 - np.cos(t)) / t**2 * W + (t - np.sin(t)) / t**3 * W @ W


def series(matrix):
    """sum ad^k/(k + 1)!, the left Jacobian of any group."""
    total, term = np.eye(len(matrix)), np.eye(len(matrix))
    for k in range(1, 60):
        term = term @ matrix / (k + 1)
        total = total + term
    return total


def blocks(rows):
    return np.block([[b if not np.isscalar(b) else b * np.eye(3) for b in row] for row in rows])


def rotation(q):
    """The matrix of a quaternion with its scalar last."""
    x, y, z, w = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def test_rotations():
    t, axis = np.linalg.norm(TURN), TURN / np.linalg.norm(TURN)
    q = SO3.exp(TURN)
    assert np.allclose(q, [*np.sin(t / 2) * axis, np.cos(t / 2)], atol=1e-15)
    assert np.allclose(SO3.to_quat_wxyz(q), np.roll(q, 1), atol=0)
    R = np.eye(3) + np.sin(t) * hat(axis) + (1 - np.cos(t)) * hat(axis) @ hat(axis)
    assert np.allclose(rotation(q), R, atol=1e-15) and np.allclose(SO3.to_matrix(q), R, atol=1e-15)
    assert np.allclose(SO3.left_jacobian(TURN), left_so3(TURN), atol=1e-15)
    assert np.allclose(SO3.right_jacobian(TURN), left_so3(-TURN), atol=1e-15)
    assert np.allclose(SO3.right_jacobian_inv(TURN), np.linalg.inv(left_so3(-TURN)), atol=1e-14)
    assert np.allclose(SO3.Ad(q), R, atol=1e-15) and np.allclose(SO3.ad(TURN), hat(TURN), atol=0)


def test_poses():
    """Tangents (v, w), Ad = [R, [t]R; 0, R], ad = [[w], [v]; 0, [w]]: manif's and Sophus'."""
    g = SE3.exp(TWIST)
    v, w = TWIST[:3], TWIST[3:]
    R, t = rotation(g[3:]), g[:3]
    assert np.allclose(t, left_so3(w) @ v, atol=1e-15)
    assert np.allclose(SE3.Ad(g), blocks([[R, hat(t) @ R], [0, R]]), atol=1e-15)
    assert np.allclose(SE3.ad(TWIST), blocks([[hat(w), hat(v)], [0, hat(w)]]), atol=0)
    J = SE3.left_jacobian(TWIST)
    assert np.allclose(J, series(SE3.ad(TWIST)), atol=1e-14) and np.allclose(J[3:, :3], 0, atol=0)
    assert np.allclose(J[:3, :3], left_so3(w), atol=1e-15) and np.allclose(J[3:, 3:], left_so3(w), atol=1e-15)
    assert np.allclose(SE3.right_jacobian(TWIST), series(-SE3.ad(TWIST)), atol=1e-14)
    assert np.allclose(SE3.dtau(TWIST), J, atol=1e-15)


def test_gtsam():
    """Tangents (w, v): the blocks are exchanged, Ad = [R, 0; [t]R, R]."""
    g, swap = SE3.exp(TWIST), blocks([[0, 1], [1, 0]])
    R = rotation(g[3:])
    assert np.allclose(swap @ SE3.Ad(g) @ swap.T, blocks([[R, 0], [hat(g[:3]) @ R, R]]), atol=1e-15)


def test_plane():
    """x, y, cos, sin; exp by V = [sin t/t, -(1 - cos t)/t; ...]; manif's right Jacobian of SE(2)."""
    x, y, t = 0.7, -0.4, 1.3
    s, c = np.sin(t), np.cos(t)
    V = np.array([[s, -(1 - c)], [1 - c, s]]) / t
    assert np.allclose(SE2.exp([x, y, t]), [*V @ [x, y], c, s], atol=1e-15)
    right = np.array([[s / t, (1 - c) / t, (t * x - y + y * c - x * s) / t**2],
                      [(c - 1) / t, s / t, (x + t * y - x * c - y * s) / t**2], [0, 0, 1]])
    assert np.allclose(SE2.right_jacobian([x, y, t]), right, atol=1e-15)
    assert np.allclose(SE2.left_jacobian([x, y, t]), series(SE2.ad([x, y, t])), atol=1e-14)


def test_extended_poses():
    """Here (position, velocity, rotation); manif has the rotation in the middle."""
    xi = np.array([0.1, 0.2, 0.3, -0.4, 0.5, 0.6, *TURN])
    g = SE23.exp(xi)
    assert np.allclose(g[:3], left_so3(TURN) @ xi[:3], atol=1e-15)
    assert np.allclose(g[3:6], left_so3(TURN) @ xi[3:6], atol=1e-15)
    assert np.allclose(g[6:], SO3.exp(TURN), atol=0)
    R = rotation(g[6:])
    order = blocks([[1, 0, 0], [0, 0, 1], [0, 1, 0]])
    manif = blocks([[R, hat(g[:3]) @ R, 0], [0, R, 0], [0, hat(g[3:6]) @ R, R]])
    assert np.allclose(order @ SE23.Ad(g) @ order.T, manif, atol=1e-15)


@pytest.mark.parametrize('side', ['right', 'left'])
def test_sides(side):
    """plus, minus and the Jacobian of exp, on their sides."""
    a, b, small = SE3.exp(TWIST), SE3.random(rng=RNG), 1e-6 * RNG.standard_normal(6)
    plus, minus, J = (getattr(SE3, f'{side}_{name}') for name in ('plus', 'minus', 'jacobian'))
    order = (lambda p, q: (p, q)) if side == 'right' else (lambda p, q: (q, p))
    assert np.allclose(plus(b, TWIST), SE3.compose(*order(b, a)), atol=1e-15)
    assert np.allclose(minus(a, b), SE3.log(SE3.compose(*order(SE3.inverse(b), a))), atol=1e-15)
    assert np.allclose(SE3.between(b, a), SE3.compose(SE3.inverse(b), a), atol=1e-15)
    assert np.allclose(minus(SE3.exp(TWIST + small), a), J(TWIST) @ small, atol=1e-11)


@pytest.mark.parametrize('name', ['mujoco', 'drake'])
def test_states(name):
    """The velocities are those of the positions, in the frames that the page names; there and back is the same."""
    module, g, xi, h = states(), SE3.random(rng=RNG), TWIST, 1e-5
    q, v = getattr(module, 'to_' + name)(g, xi)
    again = getattr(module, 'from_' + name)(q, v)
    assert np.allclose(again[0], g, atol=1e-15) and np.allclose(again[1], xi, atol=1e-14)
    ahead, behind = (SE3.compose(g, SE3.exp(sign * h * xi)) for sign in (1, -1))
    R = rotation(g[3:])
    velocity = (ahead[:3] - behind[:3]) / (2 * h)
    spin = (rotation(ahead[3:]) - rotation(behind[3:])) / (2 * h) @ R.T
    in_space = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
    if name == 'mujoco':
        assert np.allclose(q, [*g[:3], g[6], *g[3:6]], atol=0)
        assert np.allclose(v, [*velocity, *R.T @ in_space], atol=1e-9)
    else:
        assert np.allclose(q, [g[6], *g[3:6], *g[:3]], atol=0)
        assert np.allclose(v, [*in_space, *velocity], atol=1e-9)
