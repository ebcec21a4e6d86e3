# SPDX-License-Identifier: BSD-3-Clause
"""A thousand seconds of a heavy top: which method keeps the energy?"""
import numpy as np
import liegrp

top = liegrp.Model('heavy-top')
print('energy, J       until 10     until 100    until 1000')
for method in 'sem', 'gauss', 'variational', 'rk4':
    rows = liegrp.run(top, method, step=0.05, time=1000).rows
    error = np.abs(rows['energy'] - rows['energy'][0])
    words = [f'{error[:20 * time + 1].max():10.1e}'
             for time in (10, 100, 1000)]
    print(f'{method:12}', *('below 1e-9' if float(word) < 1e-9 else word
                            for word in words), sep='  ')
