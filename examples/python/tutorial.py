# SPDX-License-Identifier: BSD-3-Clause
# %% [markdown]
# # From nothing to a nonholonomic robot of your own
# A quarter of an hour with liegrp. Run it cell by cell (`# %%` marks cells for VS Code, Spyder, Jupytext), or as a
# whole: `python3 tutorial.py [FOLDER]`. Pictures go to FOLDER, by default a temporary one.

# %%
import pathlib
import sys
import tempfile

import matplotlib
import numpy as np

matplotlib.use('Agg')
import liegrp  # noqa: E402

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 and not sys.argv[1].startswith('-') else tempfile.mkdtemp())
FOLDER.mkdir(exist_ok=True)


def keep(figure, name):
    figure.savefig(FOLDER / name)
    print(f'{FOLDER / name}')
    matplotlib.pyplot.close(figure)


# %% [markdown]
# ## 1. A free rigid body
# A system is a group, an inertia and initial data. The configuration of a body that turns is a unit quaternion
# (x, y, z, w) in SO(3); its velocity is in the body's frame. This one turns about its middle axis, which is unstable.

# %%
body = liegrp.System(liegrp.SO3, [1.0, 2.0, 3.0], initial=([0, 0, 0, 1], [0.01, 2, 0]))
result = liegrp.run(body, step=0.05, time=40)
print(f'the energy moves by {np.ptp(result.rows["energy"]):.0e}')
keep(liegrp.plot(result, 'xi_*/energy_change', title='a body that tumbles'), 'body.png')


# %% [markdown]
# ## 2. A potential of your own
# A potential and its gradient. Gradients are left-trivialised: <dV(g), eta> = d/ds V(g exp(s eta)) at s = 0. Here the
# body hangs from a point, and its centre of mass is at r in its frame: V = m g z, dV = m g r x (vertical in the body).

# %%
r, weight = np.array([0, 0, 0.5]), 9.81


def height(c, q):
    return weight * liegrp.SO3.act(q, r)[2]


def height_gradient(c, q):
    return weight * np.cross(r, liegrp.SO3.act_inverse(q, [0, 0, 1]))


top = liegrp.System(liegrp.SO3, [1.0, 1.0, 0.5], potential=height, potential_gradient=height_gradient,
                    initial=(liegrp.SO3.exp([0.4, 0, 0]), [0, 0, 20]))
result = liegrp.run(top, step=0.01, time=3)
print(f'the top keeps its energy to {np.ptp(result.rows["energy"]):.0e}')
keep(liegrp.plot(result, 'e3_x:e3_y/energy_change', title='a heavy top'), 'top.png')

# %% [markdown]
# A wrong sign does not pass: the gradient is compared with differences as soon as the system is made.

# %%
try:
    liegrp.System(liegrp.SO3, [1.0, 1.0, 0.5], potential=height, potential_gradient=lambda c, q: -height_gradient(c, q))
except liegrp.ArgumentError as refused:
    print(f'refused: {refused}')

# %% [markdown]
# ## 3. A constraint: a wheel
# A cart on the plane, SE(2), with velocity (forward, sideways, turning) in its frame. Its wheels do not slip sideways:
# a row (0, 1, 0) on the velocity. The centre of mass lies `a` ahead of the axle. This is the Chaplygin sleigh.

# %%
m, I, a = 1.0, 0.3, 0.2
inertia = [[m, 0, 0], [0, m, m * a], [0, m * a, I + m * a * a]]
cart = liegrp.System(liegrp.SE2, inertia, covectors=[[0, 1, 0]], name='cart',
                     initial=([0, 0, 1, 0], [-0.6, 0, 1]))
result = liegrp.run(cart, step=0.02, time=20)
print(f'sideways slip: {result.constraint:.0e}; energy moves by {np.ptp(result.rows["energy"]):.0e}')
keep(liegrp.plot(result, title='a cart that is left alone'), 'cart.png')

# %% [markdown]
# ## 4. A controller
# Two motors: a thrust along the cart and a torque. with_inputs() gives a model the force B u with a constant matrix B
# (a function `force` of your own could be anything else). A controller sees the state before each step; an observer
# that returns True stops the run.

# %%
robot = liegrp.with_inputs(cart, [[1, 0], [0, 0], [0, 1]], names=['thrust', 'torque'])


def steer(state, u):
    """Drives towards the point (3, 2)."""
    x, y, cosine, sine = state.g
    ahead, aside = cosine * (3 - x) + sine * (2 - y), -sine * (3 - x) + cosine * (2 - y)
    return [0.8 * np.tanh(ahead) - 1.0 * state.xi[0], 1.5 * np.arctan2(aside, abs(ahead)) - 1.0 * state.xi[2]]


result = liegrp.run(robot, step=0.02, time=20, control=steer,
                    observer=lambda state: np.hypot(state.g[0] - 3, state.g[1] - 2) < 0.1)
print(f'the robot arrives at ({result.rows["x"][-1]:.2f}, {result.rows["y"][-1]:.2f}) at t = {result.time:.2f}')
keep(liegrp.plot(result, 'x:y/xi_1,xi_3', title='a robot that drives to (3, 2)'), 'robot.png')

# %% [markdown]
# ## 5. An event
# When does the cart cross the line y = 0.5? The step is made again with another length until it ends there, so the
# state at the event satisfies constraints and energy as every other.

# %%
it = liegrp.Motion(cart, step=0.02).start_state([0, 0, 1, 0], [1, 0, 0.5])
before = it.energy
while not it.step_to_event(lambda state: state.g[1] - 0.5):
    pass
print(f'at t = {it.t:.6f} the cart is at y = {it.g[1]:.12f}; energy moves by {abs(it.energy - before):.0e}')

# %% [markdown]
# ## 6. A long run, and which method
# `sem` keeps energy and constraints to round-off. `gni` is faster, and fine where the motion does not contract; here it
# does (the cart swings round and runs straight), and a parasitic mode grows until it reverses the cart.

# %%
runs = {method: liegrp.run(cart, method, 'cayley', step=0.1, time=400, accuracy=False) for method in ('sem', 'gni')}
figure, frame = matplotlib.pyplot.subplots()
for method, result in runs.items():
    speed = result.rows['xi_1']
    print(f'{method}: energy moves by {np.ptp(result.rows["energy"]):.0e}, slowest speed {speed.min():.2f}')
    frame.plot(result.rows['t'], speed, label=method, linewidth=0.8)
frame.set(xlabel='t', ylabel='speed along the cart')
frame.legend()
keep(figure, 'methods.png')
order = liegrp.convergence(cart, 'sem', step=0.1, levels=3)
print(f'observed order of sem: {order.order():.2f}')

# %% [markdown]
# ## 7. From an ensemble to a gait
# Now without thrust: can the robot drive by a torque that swings? Many gaits run side by side, one instance each,
# in one call. A gait is a torque A sin(w t) + B cos(w t); the map of (A, w) shows which goes farthest, and a random
# search makes the best one better. examples/python/snakeboard_gait.py does so for a snakeboard.

# %%
wiggler = liegrp.with_inputs(cart, [[0], [0], [1]], names=['torque'])
times = (np.arange(150) + 0.5) * 0.1


def distances(gaits):
    """How far gaits (count, 3) of (A, B, w) come in 15 s from rest."""
    A, B, w = gaits.T[:, :, None]
    ensemble = liegrp.Ensemble(wiggler, len(gaits), step=0.05)
    ensemble.start_state([0, 0, 1, 0], [0, 0, 0])
    ensemble.run(300, controls=(A * np.sin(w * times) + B * np.cos(w * times))[:, :, None])
    return np.where(ensemble.retired, 0, np.hypot(*ensemble.g[:, :2].T))


amplitudes, rates = np.meshgrid(np.linspace(0, 2, 20), np.linspace(0.5, 5, 20))
found = distances(np.stack([0 * amplitudes, amplitudes, rates], axis=-1).reshape(-1, 3)).reshape(20, 20)
figure, frame = matplotlib.pyplot.subplots()
figure.colorbar(frame.pcolormesh(amplitudes, rates, found), label='distance in 15 s')
frame.set(xlabel='amplitude', ylabel='rate')
keep(figure, 'gaits.png')

rng = np.random.default_rng(1)
best = np.array([0, amplitudes.flat[found.argmax()], rates.flat[found.argmax()]])
for _ in range(10):
    trial = np.vstack([best, best + 0.1 * rng.standard_normal((63, 3))])
    trial[:, :2] *= np.minimum(1, 2 / np.hypot(*trial[:, :2].T))[:, None]  # no torque above 2
    best = trial[distances(trial).argmax()]
print(f'the best gait on the map goes {found.max():.2f} m, after the search {distances(best[None])[0]:.2f} m')

# %% [markdown]
# ## 8. The same with bodies, joints and wheels
# Larger robots are mechanisms: described by parts, from URDF and MJCF files, or from the gallery.

# %%
motion = liegrp.Motion(liegrp.Mechanism.gallery('vehicle'), step=0.01)
result = motion.run(time=5, control=lambda state, u: [0.3, 0.3 + 0.2 * np.sin(state.t)])
print(f'energy balance {result.balance:.0e}, wheels slip by {result.constraint:.0e}')
keep(liegrp.plot(result, 'chassis_x:chassis_y/work,energy_change/gap,slip', title='a vehicle'), 'vehicle.png')
