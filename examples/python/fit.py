# SPDX-License-Identifier: BSD-3-Clause
"""A mass, a damper and a length of a pendulum on a rotating arm, fitted to measured angles by gradients.

A liegrp.Trajectory gives the gradient of the sum of squares with respect to parameters of the mechanism by one sweep
backward, and scipy.optimize minimises it; liegrp.identify() does the same without gradients.

    python3 fit.py
"""
import sys

import numpy as np
from scipy.optimize import minimize

import liegrp

STEPS, NOISE = 80, 1e-4
TRUE = {'pendulum.mass': 0.15, 'swing.damping': 0.0008, 'pendulum.centre_z': 0.01}


def measure(u):
    """The angles of another furuta pendulum, with noise."""
    motion = liegrp.Motion('furuta').set_parameters(TRUE)
    path = liegrp.Trajectory(motion, STEPS).run(u)
    return path.states[:, :2] + NOISE * np.random.default_rng(1).standard_normal((STEPS + 1, 2))


def main():
    u = 0.05 * np.sin(0.2 * np.arange(STEPS))[:, None]
    measured = measure(u)
    motion = liegrp.Motion('furuta')
    names, first = list(TRUE), motion.parameters
    scale = np.array([0.12, 0.0005, 0.05])
    guess = np.array([first[name] for name in names])
    positions, velocities = motion.positions, motion.velocities
    path = liegrp.Trajectory(motion, STEPS, names)
    calls = 0

    def cost(x):
        nonlocal calls
        calls += 1
        motion.set_parameters(dict(zip(names, guess + scale * x))).start_joints(positions, velocities)
        off = (path.run(u).states[:, :2] - measured) / NOISE
        states = np.hstack([2 * off / NOISE, np.zeros_like(off)])
        return (off**2).sum() / off.size, path.gradient_by_states(states).parameters * scale / off.size

    found = minimize(cost, np.zeros(3), jac=True, method='BFGS', options={'gtol': 0.02})
    values = guess + scale * found.x
    for name, value in zip(names, values):
        print(f'{name:18} {value:.6f}, of {TRUE[name]:g}')
    e, direction = 1e-4, np.array([0.5, -0.3, 0.4])
    slope = cost(found.x + 0.1)[1] @ direction
    difference = sum(w * (cost(found.x + 0.1 + j * e * direction)[0] - cost(found.x + 0.1 - j * e * direction)[0]) / e
                     for j, w in zip((1, 2, 3, 4), (4 / 5, -1 / 5, 4 / 105, -1 / 280)))
    print(f'{calls} runs; residual {found.fun:.3f} of the noise; gradient off differences: '
          f'{abs(slope / difference - 1):.1e}')
    return 0 if np.allclose(values, list(TRUE.values()), rtol=0.05) and found.fun < 1.2 else 1


if __name__ == '__main__':
    sys.exit(main())
