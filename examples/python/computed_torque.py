# SPDX-License-Identifier: BSD-3-Clause
"""Computed torque: the tool of a seven-axis arm goes from pose to pose along a smooth path.

Inverse kinematics finds joint positions for the poses; between them the path is q_d(t). The controls are those that the
mechanism needs to accelerate by a = a_d + kd (v_d - v) + kp (q_d - q), so that errors obey e'' + kd e' + kp e = 0,
whatever the arm does. Controls are held during a step of 1 ms; a is that of its middle, where the state is predicted
from the last a.

    python3 computed_torque.py
"""
import numpy as np

import liegrp

STEP, KP, KD = 1e-3, 2500, 100
MOVES = [[0, 0, 0], [-0.1, 0.2, 0.1], [-0.2, 0, -0.1], [0, 0, 0]]  # of the tool, m; a second for each


def plan(arm, tool):
    """Joint positions that bring the tool to places around the first one, with its attitude."""
    q = [np.array([0.2, 0.7, -0.3, 0.9, 0.4, -0.6, 0.1])]
    first = arm.pose(q[0], tool)
    for move in MOVES:
        q.append(arm.reach(q[-1], tool, first + [*move, 0, 0, 0, 0])[0])
    return np.array(q[1:])


def path(corners, t):
    """q_d and its derivatives (3, ..., n) at times t: from rest to rest, with continuous accelerations."""
    i = np.minimum(np.asarray(t, int), len(corners) - 2)
    s, by = (t - i)[..., None], np.diff(corners, axis=0)[i]
    return np.array([corners[i] + by * s**3 * (10 - 15 * s + 6 * s**2), by * 30 * s**2 * (1 - s)**2,
                     by * 60 * s * (1 - s) * (1 - 2 * s)])


def main():
    motion = liegrp.Motion('arm', step=STEP)
    arm, tool = liegrp.Dynamics(motion.mechanism), motion.mechanism.bodies[-1]
    corners = plan(arm, tool)
    motion.start_joints(corners[0], project=True)
    times = STEP * np.arange(round((len(corners) - 1) / STEP))
    a, places = np.zeros(arm.count), []
    for t in times:
        q, v, (qd, vd, ad) = motion.positions, motion.velocities, path(corners, t + STEP / 2)
        q, v = q + STEP / 2 * (v + STEP / 4 * a), v + STEP / 2 * a
        a = ad + KD * (vd - v) + KP * (qd - q)
        motion.set_control(arm.motors(q, v, a)).step()
        places.append(motion.pose(tool)[:3])
    off = np.linalg.norm(places - arm.pose(path(corners, times + STEP)[0], tool)[:, :3], axis=1)
    print(f'the tool follows its path to {off.max():.1e} m')


main()
