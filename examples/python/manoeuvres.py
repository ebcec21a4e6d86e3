# SPDX-License-Identifier: BSD-3-Clause
"""Three manoeuvres, each solved from a straight line to its target: a quadrotor flips, a cart parks with its trailer, a
cat turns while it falls.

Solved with N, 2 N, 4 N and 8 N steps, each from the one before, a manoeuvre shows the order of its cost. With a file the
motion gets a page.

    python3 manoeuvres.py [quadrotor|trailer|cat [N [LEVELS [PAGE.html]]]]
"""
import math
import sys

import numpy as np

import liegrp


def trailer():
    """A cart on a plane, pushed along itself and turned, and a trailer on its hitch; wheels do not slip sideways. Both
    are to be a metre aside."""
    m = liegrp.Mechanism()
    m.add_body('cart', mass=1, inertia=[0.1, 0.1, 0.1], position=[0, 0, 0.1])
    m.add_joint('ground', 'planar', None, 'cart', point=[0, 0, 0.1], axis=[0, 0, 1], second=[1, 0, 0])
    m.add_body('trailer', mass=0.5, inertia=[0.05, 0.05, 0.05], position=[-1, 0, 0.1])
    m.add_joint('hitch', 'revolute', 'cart', 'trailer', point=[-0.2, 0, 0.1], axis=[0, 0, 1])
    for name in ('cart', 'trailer'):
        m.add_wheel(name, name, radius=0.1, contact='edge')
    m.add_thruster('push', 'cart', axis=[1, 0, 0])
    m.add_thruster('turn', 'cart', axis=[0, 0, 1], force=0, torque=1)
    return m, {'ground_1': 0, 'ground_2': 1, 'ground_3': 0, 'hitch': 0}, 4.0


def cat():
    """Two halves, joined by two angles that its muscles move against friction; nothing else turns it. Its front turns by
    1 rad about the length, and the spine is straight and at rest again; the rest follows, since there is no momentum."""
    m = liegrp.Mechanism()
    for name, x in (('front', 0.15), ('back', -0.15)):
        m.add_body(name, mass=1, inertia=[0.02, 0.01, 0.01], position=[x, 0, 0])
    m.add_joint('spine', 'universal', 'front', 'back', point=[0, 0, 0], axis=[0, 1, 0], second=[0, 0, 1], damping=0.05)
    m.add_motor('bend', 'spine.1')
    m.add_motor('swing', 'spine.2')
    return m, {'front_rx': 1, 'front_ry': 0, 'front_rz': 0, 'spine_1': 0, 'spine_2': 0, 'spine_vel_1': 0,
               'spine_vel_2': 0}, 2.0


def quadrotor():
    """In a plane with two propellers, which only push; a whole turn ends where it began."""
    m = liegrp.Mechanism(gravity=[0, 0, -9.81])
    m.add_body('frame', mass=1, inertia=[0.02, 0.02, 0.02])
    m.add_joint('air', 'planar', None, 'frame', axis=[0, 1, 0], second=[1, 0, 0])
    for name, x in (('left', -0.15), ('right', 0.15)):
        m.add_thruster(name, 'frame', point=[x, 0, 0], lower=0, upper=100)
    return m, {'air_1': 0, 'air_2': 0, 'air_3': 2 * math.pi}, 1.2


def halve(nodes):
    """Between each two nodes their mean."""
    finer = np.repeat(nodes, 2, axis=0)[:-1]
    finer[1::2] = (nodes[:-1] + nodes[1:]) / 2
    return finer


def solve(build, steps, coarse=None):
    """From a straight line, or from the optimum with half of the steps, which leads to the same minimum."""
    mechanism, target, time = build()
    optimum = liegrp.Optimum(mechanism, steps=steps, time=time, target=target, rest=build is not cat)
    if coarse is not None:
        optimum.guess(halve(coarse.g), halve(coarse.p), np.repeat(coarse.u, 2, axis=0))
    return optimum.solve(200)


def page(optimum, name):
    """The motion, in a browser."""
    motion = optimum.motion()
    held = lambda state, u: optimum.u[min(round(state.t / motion.step_size), optimum.steps - 1)]
    motion.run(steps=optimum.steps, control=held).view(name)


def main():
    build = {'quadrotor': quadrotor, 'trailer': trailer, 'cat': cat}[sys.argv[1] if len(sys.argv) > 1 else 'quadrotor']
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 10 if build is cat else 20
    costs, optimum = [], None
    for level in range(int(sys.argv[3]) if len(sys.argv) > 3 else 4):
        optimum = solve(build, first << level, optimum)
        costs.append(optimum.cost)
        print(f'{build.__name__}: cost {optimum.cost:.9g} with {optimum.steps} steps after {optimum.iterations} iterations')
    if len(costs) > 2:
        print(f'order {np.log2((costs[-3] - costs[-2]) / (costs[-2] - costs[-1])):.2f}')
    if len(sys.argv) > 4:
        page(optimum, sys.argv[4])


if __name__ == '__main__':
    main()
