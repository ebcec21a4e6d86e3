# SPDX-License-Identifier: BSD-3-Clause
"""A satellite turns by 115 degrees from rest to rest: with the least effort, with weak motors, and in the least time.

    python3 slew.py
"""
import numpy as np

import liegrp

AXIS, ANGLE, TIME = np.array([1, 2, 3]) / np.sqrt(14), 2.0, 1.5


def main():
    satellite = liegrp.with_inputs(liegrp.Model('rigid-body'), np.eye(3), names=['x', 'y', 'z'])
    satellite.set(I1=1, I2=1.5, I3=2.2)
    ends = {'start': ([0, 0, 0, 1], [0, 0, 0]), 'target': (liegrp.SO3.exp(ANGLE * AXIS), [0, 0, 0])}

    slew = liegrp.Optimum(satellite, steps=40, time=TIME, **ends).solve()
    print(f'least effort: {slew.cost:.6f} after {slew.iterations} iterations, torques up to {abs(slew.u).max():.2f}')

    weak = {name: (-7, 7) for name in satellite.controls}
    limited = liegrp.Optimum(satellite, steps=40, time=TIME, limits=weak, **ends).solve()
    print(f'with limits:  {limited.cost:.6f}, torques up to {abs(limited.u).max():.2f}')

    fast = liegrp.Optimum(satellite, steps=40, time=(0.5, 5), time_weight=1, effort=[1e-4, 1e-4, 1e-4], limits=weak,
                          **ends).solve()
    print(f'least time:   {fast.time:.4f} s')

    motion = liegrp.Motion(satellite, step=TIME / 40)
    motion.start_state(ends['start'][0], [0.01, 0, 0])  # not quite at rest
    for k in range(40):
        log = liegrp.SO3.log(liegrp.SO3.compose(liegrp.SO3.inverse(slew.g[k]), motion.g))
        motion.set_control(slew.u[k] + slew.gains[k] @ np.concatenate([log, motion.p - slew.p[k]]))
        motion.step()
    left = liegrp.SO3.log(liegrp.SO3.compose(liegrp.SO3.inverse(slew.g[40]), motion.g))
    print(f'a disturbed start ends {np.linalg.norm(left):.1e} rad from the target')


if __name__ == '__main__':
    main()
