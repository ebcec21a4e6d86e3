# SPDX-License-Identifier: BSD-3-Clause
"""A robot from a file holds a pose, says what a motion takes, and follows a path."""
import numpy as np

import liegrp

robot = liegrp.Mechanism.read('examples/robots/arm.urdf')
ask = liegrp.Dynamics(robot)
rest = np.zeros(7)

# The torques that hold a pose, and those that move from it with axis2 at 1 rad/s^2.
pose = np.array([0.2, 0.7, -0.3, 0.9, 0.4, -0.6, 0.1])
hold = ask.motors(pose, rest, rest)
start = ask.motors(pose, rest, np.array([0, 1, 0, 0, 0, 0, 0]))
print(f'axis2: {hold[1]:.3f} N m hold the pose, {start[1]:.3f} N m move it')

motion = liegrp.Motion(robot, step=1e-3)
motion.start_joints(pose).set_control(hold).step(1000)
moved = np.abs(motion.positions - pose).max()
print('held for a second to 1e-6 rad:', 'yes' if moved < 1e-6 else 'no')

# Where the joints have to be for a tool that is 0.2 m further along y.
there = ask.pose(pose, 'link7') + [0, 0.2, 0, 0, 0, 0, 0]
goal, off = ask.reach(pose, 'link7', there)
print('the tool reaches the place:', 'yes' if off.max() < 1e-9 else 'no')

# The way there in a second, from rest to rest: what it takes, and a correction of what is missed.
motion.start_joints(pose)
for i in range(1000):
    s = (i + 0.5) / 1000
    way = goal - pose
    q, v, a = (pose + way * s**3 * (10 - 15 * s + 6 * s**2), way * 30 * s**2 * (1 - s)**2,
               way * 60 * s * (1 - s) * (1 - 2 * s))
    a = a + 40 * (v - motion.velocities) + 400 * (q - motion.positions)
    motion.set_control(ask.motors(motion.positions, motion.velocities, a)).step()
missed = np.linalg.norm(motion.pose('link7')[:3] - there[:3])
print('the tool arrives to a millimetre:', 'yes' if missed < 1e-3 else 'no')
