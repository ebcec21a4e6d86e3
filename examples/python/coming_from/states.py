# SPDX-License-Identifier: BSD-3-Clause
"""The state of a free body as other libraries store it.

Here: g = (x, y, z, qx, qy, qz, qw), xi = (v, w), both velocities in the body's axes."""
import numpy as np
from liegrp import SE3, SO3


def to_mujoco(g, xi):
    """qpos = (position, qw, qx, qy, qz); qvel = (velocity in space, w in the body)."""
    q = SE3.rotation(g)
    return np.concatenate([g[:3], SO3.to_quat_wxyz(q)]), np.concatenate([SO3.act(q, xi[:3]), xi[3:]])


def from_mujoco(qpos, qvel):
    q = SO3.from_quat_wxyz(qpos[3:])
    return np.concatenate([qpos[:3], q]), np.concatenate([SO3.act_inverse(q, qvel[:3]), qvel[3:]])


def to_drake(g, xi):
    """q = (qw, qx, qy, qz, position); v = (w in space, velocity in space)."""
    q = SE3.rotation(g)
    return np.concatenate([SO3.to_quat_wxyz(q), g[:3]]), np.concatenate([SO3.act(q, xi[3:]), SO3.act(q, xi[:3])])


def from_drake(q, v):
    turn = SO3.from_quat_wxyz(q[:4])
    return np.concatenate([q[4:], turn]), np.concatenate([SO3.act_inverse(turn, v[3:]), SO3.act_inverse(turn, v[:3])])
