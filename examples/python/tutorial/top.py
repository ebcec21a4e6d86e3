# SPDX-License-Identifier: BSD-3-Clause
"""A heavy top: a body that turns about a fixed point, and its weight."""
import numpy as np
import liegrp
from liegrp import SO3

weight, length = 9.81, 0.5  # m g, and where m is


def height(c, q):
    """V = m g z: the centre of mass is at (0, 0, length) in the body."""
    return weight * length * SO3.to_matrix(q)[2, 2]


def height_gradient(c, q):
    """dV = m g (r x vertical), the vertical as the body sees it."""
    R = SO3.to_matrix(q)
    return [-weight * length * R[2, 1], weight * length * R[2, 0], 0]


# System() compares the gradient with differences: a wrong sign is found.
start = [np.sin(0.2), 0, 0, np.cos(0.2)]  # 0.4 rad about x
top = liegrp.System(SO3, [1, 1, 0.5], initial=(start, [0, 0, 20]),
                    potential=height, potential_gradient=height_gradient)

result = liegrp.run(top, 'sem', 'exp', step=0.01, steps=600)
rows = result.rows
q = np.stack([rows['qx'], rows['qy'], rows['qz'], rows['qw']], axis=-1)
lean = np.arccos(SO3.to_matrix(q[1:])[:, 2, 2])
print(f'H = {rows["energy"][-1]:.9f}, the axis leans by '
      f'{lean.min():.4f} to {lean.max():.4f} rad')

liegrp.plot(result, 'e3_x:e3_y/energy_change').savefig('top.png')
