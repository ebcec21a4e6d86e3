# SPDX-License-Identifier: BSD-3-Clause
"""Controls that are velocities: shortest ways where only some directions are driven.

    python3 geodesics.py

As many constraints as velocities prescribe the motion, and the controls say which one it is.
"""
import numpy as np

import liegrp


def driven(group, velocity, controls):
    """The system on this group whose velocity is velocity(call, g)."""
    return liegrp.System(group, np.ones(group.dim), covectors=np.eye(group.dim), drift=velocity, controls=controls)


def heisenberg(c, g):
    """A plane curve and the area that it sweeps."""
    u, v = c.u
    return [u, v, (g[0] * v - g[1] * u) / 2]


def cart(c, g):
    """It drives along itself and turns."""
    drive, turn = c.u
    return [drive, 0, turn]


def main():
    plane = driven(liegrp.Rn(3), heisenberg, ['u', 'v'])
    sides, area, time = 6, 0.7, 2
    loop = liegrp.Optimum(plane, steps=sides, time=time, target=([0, 0, area], None)).solve(tolerance=1e-12)
    polygon = 2 * sides * np.tan(np.pi / sides) * area / time
    print(f'area {area}: cost {loop.cost:.12f}, of a regular polygon {polygon:.12f}')
    edges = np.linalg.norm(np.diff(loop.g[:, :2], axis=0), axis=1)
    print(f'its edges are equal to {np.ptp(edges):.0e}')

    robot = driven(liegrp.SE2, cart, ['drive', 'turn'])
    parking = liegrp.Optimum(robot, steps=20, time=2, target=([0, 1, 1, 0], None)).solve()
    turns = np.flatnonzero(np.diff(np.sign(parking.u[:, 0])))
    print(f'sideways by 1: cost {parking.cost:.5f}, it changes gear {len(turns)} times')


if __name__ == '__main__':
    main()
