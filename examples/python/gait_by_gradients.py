# SPDX-License-Identifier: BSD-3-Clause
"""A gait of the snakeboard, trained by gradients.

The torques of rotor and axles are Fourier series in time. Their coefficients are trained so that the board goes far
with little effort: a liegrp.Trajectory gives the gradient with respect to the torques of all steps by one sweep
backward, and scipy.optimize takes it as it is. Without SciPy steps of steepest descent do, which need more runs.

    python3 gait_by_gradients.py [RUNS]
"""
import sys

import numpy as np

import liegrp

try:
    from scipy.optimize import minimize
except ImportError:
    minimize = None

PERIOD, PERIODS, HARMONICS, STEPS = 2.0, 3, 2, 30  # steps of a period
EFFORT = 0.3  # metres that a unit of effort, the integral of the squared torques, is worth


class Gait:
    """The cost of coefficients (2 torques, harmonics, sine and cosine), and its gradient."""

    def __init__(self):
        board = liegrp.with_inputs(liegrp.Model('snakeboard'), [[0, 0], [0, 0], [-1, 0], [1, 0], [0, 1]],
                                   names=['rotor', 'axles'])
        self.h = PERIOD / STEPS
        self.motion = liegrp.Motion(board, 'sem', step=self.h)
        self.motion.start_state(np.array([0, 0, 1, 0, 0, 0.3]), np.zeros(5))  # axles turned a little: a way out of rest
        self.path = liegrp.Trajectory(self.motion, PERIODS * STEPS)
        t = (np.arange(PERIODS * STEPS) + 0.5) * self.h
        angle = 2 * np.pi / PERIOD * np.arange(1, HARMONICS + 1)[:, None] * t
        self.waves = np.array([np.sin(angle), np.cos(angle)])  # (2, harmonics, steps)
        self.runs = 0

    def __call__(self, flat):
        coefficients = flat.reshape(2, HARMONICS, 2)
        torques = np.einsum('ahw,whs->sa', coefficients, self.waves)
        self.motion.reset()
        self.path.run(torques)
        self.runs += 1
        x, y, cosine, sine = self.path.states[-1, :4]
        distance = np.hypot(x, y)
        nodes = np.zeros((self.path.steps + 1, self.path.deviations))
        along = -np.array([x, y]) / max(distance, 1e-12)  # the derivative of -distance by x and y, turned into the body
        nodes[-1, :2] = cosine * along[0] + sine * along[1], cosine * along[1] - sine * along[0]
        gradient = self.path.gradient(nodes, 2 * EFFORT * self.h * torques).controls
        cost = EFFORT * self.h * (torques**2).sum() - distance
        return cost, np.einsum('sa,whs->ahw', gradient, self.waves).ravel()


def descend(cost, x, iterations):
    """Steepest descent: a step is halved until the cost falls enough."""
    value, slope = cost(x)
    length = 0.1
    for _ in range(iterations):
        while True:
            trial = cost(x - length * slope)
            if trial[0] < value - 0.3 * length * slope @ slope or length < 1e-6:
                break
            length /= 2
        x, (value, slope), length = x - length * slope, trial, 2 * length
    return x


def main():
    iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    gait = Gait()
    x = np.array([[[0.3, 0], [0, 0]], [[0, 0.05], [0, 0]]]).ravel()
    first, slope = gait(x)
    difference = (gait(x + 1e-6 * slope)[0] - gait(x - 1e-6 * slope)[0]) / 2e-6
    print(f'gradient against differences: {abs(difference / (slope @ slope) - 1):.0e}')
    if minimize is not None:
        x = minimize(gait, x, jac=True, method='L-BFGS-B', options={'maxiter': iterations}).x
    else:
        x = descend(gait, x, iterations)
    last = gait(x)[0]
    position = gait.path.states[-1, :2]
    print(f'cost {first:.3f} -> {last:.3f} in {gait.runs} runs')
    print(f'the board goes {np.hypot(*position):.2f} m in {PERIODS * PERIOD:g} s')
    return 0 if last < first - 0.1 else 1


if __name__ == '__main__':
    sys.exit(main())
