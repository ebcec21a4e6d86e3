# SPDX-License-Identifier: BSD-3-Clause
"""The cart with two motors and a controller that drives to a point."""
from math import atan2, hypot, tanh
import liegrp

m, I, a = 1, 0.3, 0.2
cart = liegrp.System(
    liegrp.SE2, [[m, 0, 0], [0, m, m * a], [0, m * a, I + m * a * a]],
    covectors=[[0, 1, 0]], initial=([0, 0, 1, 0], [0, 0, 0]))

# A thrust along the cart and a torque: the force is this matrix times u.
robot = liegrp.with_inputs(cart, [[1, 0], [0, 0], [0, 1]],
                           names=['thrust', 'torque'])


def steer(state, u):
    """Drives towards (3, 2)."""
    x, y = 3 - state.g[0], 2 - state.g[1]
    ahead = state.g[2] * x + state.g[3] * y
    aside = -state.g[3] * x + state.g[2] * y
    return [0.8 * tanh(ahead) - 1.0 * state.xi[0],
            1.5 * atan2(aside, abs(ahead)) - 1.0 * state.xi[2]]


def arrived(state):
    return hypot(state.g[0] - 3, state.g[1] - 2) <= 0.1


result = liegrp.run(robot, 'sem', 'exp', step=0.02, time=100,
                    control=steer, observer=arrived)
end, work = result.rows[-1], result.work
small = 'yes' if result.balance < 1e-14 else 'no'
print(f't = {end["t"]:.2f}: at ({end["x"]:.4f}, {end["y"]:.4f}), '
      f'work of the motors {work:.6f} J')
print(f'energy - work below 1e-14 J: {small}')

liegrp.plot(result, 'x:y/xi_1,xi_3').savefig('robot.png')
