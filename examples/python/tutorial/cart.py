# SPDX-License-Identifier: BSD-3-Clause
"""A cart: a body on the plane, and wheels that do not slip sideways."""
import liegrp

m, I, a = 1, 0.3, 0.2  # mass a ahead of the axle
cart = liegrp.System(
    liegrp.SE2, [[m, 0, 0], [0, m, m * a], [0, m * a, I + m * a * a]],
    covectors=[[0, 1, 0]],  # sideways velocity = 0
    initial=([0, 0, 1, 0],  # x, y, cos, sin
             [-0.6, 0, 1]))  # forward, sideways, turning

result = liegrp.run(cart, 'sem', 'exp', step=0.02, steps=1000)
end = result.rows[-1]
slip = 'yes' if result.rows['constraint'].max() < 1e-15 else 'no'
print(f't = {end["t"]:.0f}: at ({end["x"]:.6f}, {end["y"]:.6f}), '
      f'H = {end["energy"]:.12f}, slip below 1e-15: {slip}')

liegrp.plot(result, 'x:y/energy_change/constraint').savefig('cart.png')
