# SPDX-License-Identifier: BSD-3-Clause
"""The Chaplygin sleigh by SciPy's solve_ivp and by liegrp: a path, an event, a long run."""
from math import cos, sin
import liegrp
from scipy.integrate import solve_ivp

m, I, a = 1.0, 0.3, 0.2


# With solve_ivp: equations from which the blade's force has been eliminated by hand.
def sleigh(t, y):
    x, y, theta, v, w = y
    return [v * cos(theta), v * sin(theta), w, a * w * w, -m * a * v * w / (I + m * a * a)]


def energy(y):
    return (m * y[3] ** 2 + (I + m * a * a) * y[4] ** 2) / 2


def line(t, y):
    return y[0] - 1


line.terminal, line.direction = True, 1
start = [0, 0, 0, -0.6, 1.0]

# With liegrp: the inertia, and the row of the blade.
body = liegrp.System(liegrp.SE2, [[m, 0, 0], [0, m, m * a], [0, m * a, I + m * a * a]],
                     covectors=[[0, 1, 0]], initial=([0, 0, 1, 0], [-0.6, 0, 1]))

# 1. Where is it at t = 10?
path = solve_ivp(sleigh, (0, 10), start, method='DOP853', rtol=1e-10, atol=1e-12)
rows = liegrp.run(body, 'gauss', step=0.5, time=10, tolerance=1e-10).rows
print(f'solve_ivp: ({path.y[0, -1]:.8f}, {path.y[1, -1]:.8f})')
print(f'liegrp:    ({rows["x"][-1]:.8f}, {rows["y"][-1]:.8f})')

# 2. When does it cross x = 1?
found = solve_ivp(sleigh, (0, 100), start, method='DOP853', rtol=1e-10, atol=1e-12, events=line)
it = liegrp.Motion(body, 'gauss', step=0.1)
while not it.step_to_event(lambda state: state.g[0] - 1, 'up'):
    pass
print(f'solve_ivp: t = {found.t_events[0][0]:.8f}')
print(f'liegrp:    t = {it.t:.8f}')

# 3. What is left of the energy at t = 2000?
late = solve_ivp(sleigh, (0, 2000), start)  # its default tolerances
rows = liegrp.run(body, 'sem', step=0.5, time=2000, accuracy=False).rows
print(f'solve_ivp: off by {abs(energy(late.y[:, -1]) / energy(start) - 1):.0e}')
print('liegrp:    off by less than 1e-12:', abs(rows['energy'][-1] / rows['energy'][0] - 1) < 1e-12)
