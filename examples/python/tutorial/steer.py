# SPDX-License-Identifier: BSD-3-Clause
"""The cart parks: it stops a metre to its left, and heads as before."""
from math import hypot
import liegrp

m, I, a = 1, 0.3, 0.2
cart = liegrp.System(
    liegrp.SE2, [[m, 0, 0], [0, m, m * a], [0, m * a, I + m * a * a]],
    covectors=[[0, 1, 0]], initial=([0, 0, 1, 0], [0, 0, 0]))
robot = liegrp.with_inputs(cart, [[1, 0], [0, 0], [0, 1]],
                           names=['thrust', 'torque'])

# The controls that are held in each step.
parked = liegrp.Optimum(
    robot, steps=20, time=4, target=([0, 1, 1, 0], [0, 0, 0]),
    limits={'thrust': (-1, 1), 'torque': (-0.6, 0.6)})
parked.solve(tolerance=1e-10)
print(f'effort {parked.cost:.6f}')

# The motion with these controls.
motion = liegrp.Motion(robot, step=4 / 20)
for u in parked.u:
    motion.set_control(u).step()
most = abs(parked.u).max(axis=0)
print(f'thrust up to {most[0]:.3f}, torque up to {most[1]:.3f}')
close = hypot(motion.g[0], motion.g[1] - 1) < 1e-9
print('it parks to 1e-9 m:', 'yes' if close else 'no')
