# SPDX-License-Identifier: BSD-3-Clause
"""An arm of three axes hangs, and reaches forward and up with the least effort; its motors have limits.

The optimum's steps are those of a motion: its controls, replayed, end at the target. With the optimum's gains the arm
gets there from another start as well.

    python3 reach.py
"""
import numpy as np

import liegrp

TARGET, TIME, STEPS = {'turn': 0.8, 'shoulder': -1.2, 'elbow': -0.9}, 1.0, 30


def build():
    """A column that turns, and two links below it. Torques are those of small gear motors."""
    arm = liegrp.Mechanism(gravity=[0, 0, -9.81])
    parts = [('column', None, 'turn', [0, 0, 1], 0, 8), ('upper', 'column', 'shoulder', [0, 1, 0], 0, 15),
             ('lower', 'upper', 'elbow', [0, 1, 0], -0.4, 8)]
    for name, parent, joint, axis, height, torque in parts:
        arm.add_body(name, mass=1, inertia=[0.02, 0.02, 0.02], position=[0, 0, height],
                     centre=[0, 0, -0.2 if parent else 0])
        arm.add_joint(joint, 'revolute', parent, name, point=[0, 0, height], axis=axis, damping=0.05)
        arm.add_motor(f'{joint} motor', joint, lower=-torque, upper=torque)
    return arm


def follow(reach, motion, gains):
    """How far the motion with the optimum's controls ends from the target."""
    for k, u in enumerate(reach.u):
        away = np.concatenate([motion.positions - reach.g[k], motion.velocities - reach.p[k]])
        motion.set_control(u + gains[k] @ away)
        motion.step()
    return np.linalg.norm(motion.positions - reach.g[-1])


def main():
    arm = build()
    reach = liegrp.Optimum(arm, steps=STEPS, time=TIME, target=TARGET, rest=True).solve()
    most = dict(zip(arm.motors, abs(reach.u).max(0)))
    print(f'reached after {reach.iterations} iterations, with torques up to '
          f'{", ".join(f"{torque:.1f}" for torque in most.values())} N m')
    print(f'its controls end {follow(reach, reach.motion(), 0 * reach.gains):.1e} rad from the target')
    other = reach.motion().start_joints([0.02, -0.02, 0.02])
    print(f'another start ends {follow(reach, other, 0 * reach.gains):.3f} rad from it, ', end='')
    print(f'with gains {follow(reach, reach.motion().start_joints([0.02, -0.02, 0.02]), reach.gains):.1e}')


if __name__ == '__main__':
    main()
