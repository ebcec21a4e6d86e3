# SPDX-License-Identifier: BSD-3-Clause
"""A ball is thrown at the ground, bounces, and rolls."""
import liegrp

m = liegrp.Mechanism()
m.add_body('ball', mass=1, inertia=[0.4 * 0.1 * 0.1] * 3, position=[0, 0, 1.1])
m.add_surface('skin', 'ball', 'sphere', half=0.1, friction=0.3, restitution=0.6)
m.add_surface('ground', None, 'plane', friction=1, restitution=1)

motion = liegrp.Motion(m, step=0.01).set_contact(capture_speed=0.1)
motion.start_poses([[0, 0, 1.1, 0, 0, 0, 1]], [[2, 0, 0, 0, 0, 0]])


def tell(t, impacts):
    for impact in impacts:
        print(f'{t:.4f} s: comes at {impact["approach"]:.4f} m/s, loses {impact["loss"]:.4f} J')


motion.on_impact = tell
H = motion.energy
motion.step(400)
v = motion.twist('ball')
slip = 'yes' if abs(v[0] - 0.1 * v[4]) < 1e-12 else 'no'
print(f'it rolls: height {motion.pose("ball")[2]:.6f} m, {v[0]:.6f} m/s forwards, slip below 1e-12: {slip}')
balance = 'yes' if abs(motion.energy - H - motion.work) < 1e-12 else 'no'
print(f'{motion.impacts} impacts and friction took {-motion.work:.4f} J; balance below 1e-12: {balance}')
