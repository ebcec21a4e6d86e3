# SPDX-License-Identifier: BSD-3-Clause
"""A free body that turns about its middle axis, and tumbles."""
import liegrp

body = liegrp.System(
    liegrp.SO3, [1, 2, 3],  # inertia about the axes of the body
    initial=([0, 0, 0, 1],  # attitude: x, y, z, w
             [0.01, 2, 0]))  # angular velocity in the body

result = liegrp.run(body, 'sem', 'exp', step=0.05, steps=200)
for row in result.rows[::40]:
    print(f't = {row["t"]:4.1f}: velocity ({row["xi_1"]:7.4f}, '
          f'{row["xi_2"]:7.4f}, {row["xi_3"]:7.4f}), '
          f'H = {row["energy"]:.12f}')

liegrp.plot(result, 'xi_*/energy_change').savefig('free_body.png')
