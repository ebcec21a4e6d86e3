# SPDX-License-Identifier: BSD-3-Clause
"""The cheapest stride of a snakeboard with friction, whether it is stable, and a longer one.

    python3 gait_optimum.py
"""
import numpy as np

import liegrp


def rows(c, g):
    """No wheel slips: v2 = 0, and sin(phi) v1 + cos(phi) omega = 0 with the axles at phi and -phi."""
    return [[0, -1, 0, 0, 0], [np.sin(g[5]), 0, np.cos(g[5]), 0, 0]]


def force(c, g, xi):
    """Friction, and two motors: between board and rotor, and at the axles."""
    return [-0.2 * xi[0], 0, -0.2 * xi[2] - c.u[0], c.u[0], c.u[1]]


def main():
    board = liegrp.System(liegrp.product(liegrp.SE2, liegrp.Tn(2)), [1, 1, 0.75, 0.25, 0.25], covectors=rows,
                          constraint_count=2, controls=['rotor', 'axles'], force=force)
    s = np.linspace(0, 1, 13)
    swing = 0.3 * np.sin(2 * np.pi * s)  # of rotor and axles, while the board rolls from 0 to 1
    guess = np.stack([s, 0 * s, 1 + 0 * s, 0 * s, swing, swing], axis=1)
    stride = liegrp.gait(board, [1], steps=12, time=4, guess=guess)
    print(f'effort {stride.cost:.8f} after {stride.iterations} iterations, torques up to {abs(stride.u).max():.3f}')
    print('multipliers', *(f'{abs(m):.4f}' for m in stride.multipliers))
    longer = stride.move(target=(board.group.exp([1.25, 0, 0, 0, 0]), None)).solve()
    print(f'a stride of {longer.displacement[0]:.2f}: {longer.cost:.8f} after {longer.iterations} iterations')


if __name__ == '__main__':
    main()
