# SPDX-License-Identifier: BSD-3-Clause
"""A snake of links on wheels that do not slip sideways finds its gait from a sine of its shape.

Only motors in its joints move it, against friction of head and joints. The guess is a snake that glides along a sine;
the optimum is the motion that ends as it starts, a wavelength ahead, at the least effort.

    python3 snake_gait.py [LINKS [STEPS]]
"""
import sys
import time

import numpy as np

import liegrp

LENGTH, PERIOD, WAVE = 0.1, 2.0, 0.5  # of a link; of the gait; of the sine, along the snake


def build(links):
    """Link 0 is on the plane by a planar joint; each link has a wheel below its middle."""
    snake = liegrp.Mechanism()
    for i in range(links):
        name, at = f's{i}', [LENGTH * i, 0, 0.03]
        snake.add_body(name, mass=0.2, inertia=[1e-4, 2e-4, 2e-4], position=at, centre=[LENGTH / 2, 0, 0])
        snake.add_joint(f'j{i}', 'revolute' if i else 'planar', f's{i - 1}' if i else None, name, point=at,
                        axis=[0, 0, 1], second=[1, 0, 0], damping=0.02 if i else 0.1)
        snake.add_wheel(name, name, radius=0.03, contact='edge', centre=[LENGTH / 2, 0, 0])
        if i:
            snake.add_motor(f'm{i}', f'j{i}')
    return snake


def sine(links, steps, swing=0.6):
    """Positions of a snake on a sine that swings by so many radians, and how far it gets in a period."""
    s = np.linspace(0, 1, steps + 1)[:, None]
    headings = swing * np.sin(2 * np.pi * (s + LENGTH * np.arange(links) / WAVE))
    ahead = WAVE * np.cos(swing * np.sin(2 * np.pi * s[1:])).mean()
    aside = np.append(0, np.cumsum(ahead / steps * np.tan((headings[1:, 0] + headings[:-1, 0]) / 2)))
    return np.column_stack([ahead * s, aside, headings[:, 0], np.diff(headings)]), ahead


def main():
    links = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 16
    began = time.perf_counter()
    shape, ahead = sine(links, steps)
    speeds = np.gradient(shape, PERIOD / steps, axis=0)
    gait = liegrp.Gait(build(links), {'j0_1': ahead}, steps=steps, time=PERIOD, start=(shape[0], None))
    gait.guess(shape, speeds).solve(100)
    print(f'{links} links, {ahead:.3f} m in {PERIOD:g} s: effort {gait.cost:.6g} after {gait.iterations} iterations, '
          f'{time.perf_counter() - began:.1f} s')
    print(f'joints swing by {abs(gait.g[:, 3:]).max():.3f} rad, torques up to {abs(gait.u).max():.3f} N m')
    print(f'closed to {max(abs(gait.p[-1] - gait.p[0]).max(), abs(gait.displacement[1:]).max()):.1e}; multipliers',
          *(f'{abs(m):.3g}' for m in gait.multipliers))


if __name__ == '__main__':
    main()
