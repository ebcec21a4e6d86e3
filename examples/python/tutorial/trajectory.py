# SPDX-License-Identifier: BSD-3-Clause
"""Where exactly is the sleigh after ten seconds?"""
from math import hypot
import liegrp

sleigh = liegrp.Model('chaplygin-sleigh')


def arrive(method, h, **how):
    end = liegrp.run(sleigh, method, 'exp', step=h, time=10, **how).rows[-1]
    return end['x'], end['y']


truth = arrive('gauss', 0.1, tolerance=1e-12)
print('gauss        (%.9f, %.9f)' % truth)
for h in 0.1, 0.05, 0.025:
    x, y = arrive('sem', h)
    print(f'sem {h:<7g}  ({x:.9f}, {y:.9f}), '
          f'off by {hypot(x - truth[0], y - truth[1]):.1e}')
