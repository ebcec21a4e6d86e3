# SPDX-License-Identifier: BSD-3-Clause
"""How uncertainty spreads along a nonholonomic motion.

A sleigh on a blade starts with an uncertain pose and an uncertain velocity. A liegrp.Trajectory carries the covariance
along the motion, S P S^T, by the derivatives of its steps. An ensemble of samples, none of which slips across its
blade, spreads as much.

    python3 covariance.py [SAMPLES]
"""
import sys

import numpy as np

import liegrp

STEP, STEPS = 0.05, 60
SPREAD = np.array([0.002, 0.001, 0.003, 0.002, 0.004])  # of x, y, angle in the body; of the speed along it and the turn


def main():
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    model = liegrp.Model('chaplygin-sleigh')
    motion = liegrp.Motion(model, 'sem', step=STEP)
    g, xi = motion.g, motion.xi
    G = model.group
    # Deviations (eta, dp) of the start: of the pose, and of the two velocities that the blade lets be.
    velocities = np.eye(3)[[0, 2]]
    momenta = np.array([motion.start_state(g, v).p for v in velocities])
    T = np.block([[np.eye(3), np.zeros((3, 2))], [np.zeros((3, 3)), momenta.T]])
    start = T @ np.diag(SPREAD**2) @ T.T
    motion.start_state(g, xi)

    path = liegrp.Trajectory(motion, STEPS).run()
    S = path.sensitivity().start
    covariance = S @ start @ S.T
    predicted = np.sqrt(np.diag(covariance)[:3])

    draws = np.random.default_rng(1).standard_normal((samples, 5)) * SPREAD
    ensemble = liegrp.Ensemble(model, samples, 'sem', step=STEP)
    ensemble.start_state(G.compose(g, G.exp(draws[:, :3])), xi + draws[:, 3:] @ velocities)
    ensemble.run(STEPS)
    eta = G.log(G.compose(G.inverse(motion.g), ensemble.g))
    seen = eta.std(axis=0)

    for name, p, s in zip(('along the blade', 'across', 'angle'), predicted, seen):
        print(f'{name:16} predicted {p:.5f}   of {samples} samples {s:.5f}')
    off = np.abs(seen / predicted - 1).max()
    print(f'off by {100 * off:.1f} %')
    return 0 if off < 5 / np.sqrt(2 * samples) + 0.02 else 1


if __name__ == '__main__':
    sys.exit(main())
