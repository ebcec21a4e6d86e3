#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes operations.json: multiprecision values of compose, inverse, Ad and Ad* on SO(3), SE(2), SE(3), SO(4), and of
exp, Cayley, their inverses and tangents on SO(4), for `liegrp bench groups`.

    python3 data/generate_operations.py        (Python 3 with mpmath; half a minute)

From matrices with 120 digits, as in generate_accuracy.py, whose groups and storage these are; SO(4) as 4 x 4 matrices in
the basis e_i e_j^T - e_j e_i^T for (i, j) = (1,0), (2,0), (2,1), (3,0), (3,1), (3,2). Inputs are hexadecimal doubles.
Rotations are rounded to doubles and so no longer quite rotations: they stand for the nearest rotation, but in products
and inverses, which are polynomials of what was given."""
import json
import os

from mpmath import eye, matrix, mp, mpf, nstr

from generate_accuracy import GROUPS, RNG, columns, direction, hexes, numbers, rounded, series, tangent, tau_exp

COUNT = 24
PAIRS = [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]


class SO4:
    dim = 6

    @staticmethod
    def hat(x):
        m = matrix(4, 4)
        for c, (i, j) in zip(x, PAIRS):
            m[i, j], m[j, i] = c, -c
        return m

    @staticmethod
    def vee(m):
        return [(m[i, j] - m[j, i]) / 2 for i, j in PAIRS]


def flat(m):
    return [m[i, j] for i in range(m.rows) for j in range(m.cols)]


def polar(m):
    for _ in range(12):
        m = (m + (m ** -1).T) / 2
    return m


def rotation3(q):
    x, y, z, w = [c / mp.sqrt(sum(a * a for a in q)) for c in q]
    return matrix([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                   [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                   [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def as_matrix(name, g):
    if name == 'SO4':
        return polar(matrix([g[0:4], g[4:8], g[8:12], g[12:16]]))
    if name == 'SO3':
        return rotation3(g)
    m = eye(3 if name == 'SE2' else 4)
    if name == 'SE2':
        r = mp.sqrt(g[2] ** 2 + g[3] ** 2)
        m[0, 0] = m[1, 1] = g[2] / r
        m[1, 0], m[0, 1] = g[3] / r, -g[3] / r
        m[0, 2], m[1, 2] = g[0], g[1]
    else:
        m[:3, :3] = rotation3(g[3:])
        for i in range(3):
            m[i, 3] = g[i]
    return m


def quaternion_product(a, b):
    return [a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]]


def moved(R, v):
    return [sum(R[i, j] * v[j] for j in range(len(v))) for i in range(len(v))]


def compose(name, a, b):
    if name == 'SO4':
        return flat(matrix([a[0:4], a[4:8], a[8:12], a[12:16]]) * matrix([b[0:4], b[4:8], b[8:12], b[12:16]]))
    if name == 'SO3':
        return quaternion_product(a, b)
    k = 2 if name == 'SE2' else 3
    t = [x + y for x, y in zip(a[:k], moved(as_matrix(name, a)[:k, :k], b[:k]))]
    if name == 'SE2':
        return t + [a[2] * b[2] - a[3] * b[3], a[3] * b[2] + a[2] * b[3]]
    return t + quaternion_product(a[3:], b[3:])


def conjugate(q):
    return [-q[0], -q[1], -q[2], q[3]]


def inverse(name, a):
    if name == 'SO4':
        return flat(matrix([a[0:4], a[4:8], a[8:12], a[12:16]]).T)
    if name == 'SO3':
        return conjugate(a)
    k = 2 if name == 'SE2' else 3
    t = [-x for x in moved(as_matrix(name, a)[:k, :k].T, a[:k])]
    return t + ([a[2], -a[3]] if name == 'SE2' else conjugate(a[3:]))


def tau(name, G, xi, kind='exp'):
    if name != 'SO4':
        return tau_exp(G, xi)
    x = G.hat(xi)
    return flat(series(x, 0) if kind == 'exp' else (eye(4) - x / 2) ** -1 * (eye(4) + x / 2))


def tau_inv(G, g, kind):
    m = as_matrix('SO4', g)
    return G.vee(mp.logm(m) if kind == 'exp' else 2 * (m - eye(4)) * (m + eye(4)) ** -1)


def algebra(G, size):
    return rounded([size * x for x in direction(G.dim)])


def operation(name, G):
    a, b = (rounded(tau(name, G, algebra(G, 3 * RNG.random()))) for _ in range(2))
    p = rounded([RNG.gauss(0, 1) for _ in range(G.dim)])
    m = as_matrix(name, a)
    Ad = columns(G, lambda x: m * x * m ** -1)
    coAd = Ad.T * matrix(p)
    return {'a': hexes(a), 'b': hexes(b), 'p': hexes(p), 'compose': numbers(compose(name, a, b)),
            'inverse': numbers(inverse(name, a)), 'Ad': numbers(flat(Ad)), 'coAd': numbers(list(coAd))}


def maps(G, kind, size):
    xi = algebra(G, size)
    d, d_inv = tangent(G, xi, kind)
    g = rounded(tau('SO4', G, xi, kind))
    return {'xi': hexes(xi), 'tau': numbers(tau('SO4', G, xi, kind)), 'dtau': numbers(flat(d)),
            'dtau_inv': numbers(flat(d_inv)), 'g': hexes(g), 'inv': numbers(tau_inv(G, g, kind))}


def main():
    mp.dps = 120
    out = {'_doc': 'made by generate_operations.py; matrices row-major'}
    for name, G in list(GROUPS.items()) + [('SO4', SO4)]:
        out[name] = [operation(name, G) for _ in range(COUNT)]
    sizes = [10.0 ** -k for k in (8, 6, 4, 3, 2, 1)] + [0.1 + 2.9 * k / (COUNT - 7) for k in range(COUNT - 6)]
    for kind in ('exp', 'cay'):
        out['SO4_' + kind] = [maps(SO4, kind, s) for s in sizes]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'operations.json'), 'w') as f:
        f.write('{\n' + ',\n'.join('%s: %s' % (json.dumps(k), json.dumps(v) if k == '_doc' else
                                              '[\n' + ',\n'.join(json.dumps(e, separators=(',', ':')) for e in v) + '\n]')
                                    for k, v in out.items()) + '\n}\n')


if __name__ == '__main__':
    main()
