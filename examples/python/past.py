# SPDX-License-Identifier: BSD-3-Clause
"""An arm of two links swings up, and its hand past a ball that the optimum without it goes through.

At all nodes the hand stays outside of the ball, and then the elbow and its rate within bounds too. Below a ceiling, along
which the hand slides, the cost converges with order 2.

    python3 past.py [PICTURE.svg]
"""
import sys

import numpy as np

import liegrp

BALL, RADIUS, HAND = np.array([-0.4, 0, -0.4]), 0.1, 0.05
LENGTH, TIME = 0.5, 0.6


def build():
    """Two links that hang, with a motor in each joint."""
    arm = liegrp.Mechanism(gravity=[0, 0, -9.81])
    for name, parent, joint, height in (('upper', None, 'shoulder', 0), ('lower', 'upper', 'elbow', -LENGTH)):
        arm.add_body(name, mass=1, inertia=[0.02, 0.02, 0.02], position=[0, 0, height], centre=[0, 0, -LENGTH / 2])
        arm.add_joint(joint, 'revolute', parent, name, point=[0, 0, height], axis=[0, 1, 0])
        arm.add_motor(f'{joint} motor', joint)
    return arm


def hand(q):
    """Where the lower link ends, (..., 2): x and z."""
    upper, lower = q[..., 0], q[..., 0] + q[..., 1]
    return -LENGTH * np.stack([np.sin(upper) + np.sin(lower), np.cos(upper) + np.cos(lower)], -1)


def optimum(arm, steps, **more):
    swing = liegrp.Optimum(arm, steps=steps, time=TIME, target={'shoulder': 1, 'elbow': 0}, rest=True, **more)
    return swing.solve()


def draw(path, free, past):
    """Links at every other node, without the ball and past it."""
    import matplotlib
    matplotlib.use('Agg')
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, 2, figsize=(8, 4), sharey=True)
    for ax, swing, title in zip(axes, (free, past), ('without the ball', 'past it')):
        for q in swing.g[::2]:
            elbow = -LENGTH * np.array([np.sin(q[0]), np.cos(q[0])])
            ax.plot(*zip((0, 0), elbow, hand(q)), color='0.6')
        ax.plot(*hand(swing.g).T, '.-', color='C0')
        ax.add_patch(pyplot.Circle(BALL[[0, 2]], RADIUS, color='C3'))
        ax.set_aspect('equal'), ax.set_title(f'{title}: cost {swing.cost:.3f}')
    figure.savefig(path)


def main():
    arm = build()
    ball = {'body': 'lower', 'point': (0, 0, -LENGTH), 'radius': HAND, 'at': BALL, 'sphere': RADIUS}
    ceiling = {'body': 'lower', 'point': (0, 0, -LENGTH), 'radius': HAND, 'at': (0, 0, -0.35), 'half space': (0, 0, -1)}
    free, past = optimum(arm, 20), optimum(arm, 20, avoid=[ball])
    through = np.linalg.norm(hand(free.g) - BALL[[0, 2]], axis=1).min() - RADIUS
    print(f'without the ball: cost {free.cost:.6f}, the hand comes to {through:.3f} m from it')
    print(f'past it: cost {past.cost:.6f}, {past.iterations} iterations, nearest {past.path_values[1:].min() + HAND:.6f} m')

    motion = past.motion()
    for u in past.u:
        motion.set_control(u).step()
    print(f'replayed, the arm ends {abs(motion.positions - [1, 0]).max():.1e} rad from the target')

    near = optimum(arm, 20, avoid=[ball], bounds={'elbow': (-0.1, 1.5), 'elbow_vel': (-8, 8)})
    print(f'with bounds of the elbow: cost {near.cost:.6f}, elbow up to {near.g[:, 1].max():.6f}')

    last = optimum(arm, 20, avoid=[ceiling])
    costs = [last.cost]
    for steps in (40, 80):
        finer = liegrp.Optimum(arm, steps=steps, time=TIME, target={'shoulder': 1, 'elbow': 0}, rest=True,
                               avoid=[ceiling])
        t = np.linspace(0, last.steps, steps + 1)
        nodes = [np.stack([np.interp(t, np.arange(last.steps + 1), column) for column in part.T], 1)
                 for part in (last.g, last.p)]
        last = finer.guess(*nodes, np.repeat(last.u, 2, axis=0)).solve()
        costs.append(last.cost)
    order = np.log2((costs[0] - costs[1]) / (costs[1] - costs[2]))
    print(f'below a ceiling: costs {costs[0]:.6f}, {costs[1]:.6f}, {costs[2]:.6f} of 20, 40, 80 steps, order {order:.2f}')
    if len(sys.argv) > 1:
        draw(sys.argv[1], free, past)


if __name__ == '__main__':
    main()
