#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes accuracy.json: multiprecision values for the accuracy sweep of tests/groups/test_accuracy.c and
tests/groups/test_coefficients.c.

    python3 data/generate_accuracy.py          (Python 3 with mpmath; a minute)

The values come from matrix definitions with 400 digits, not from the closed forms that the library uses:
exp and dexp = sum ad^j/(j+1)! as power series of matrices, Cayley from (1 - x/2)^-1 (1 + x/2), its tangent from
dcay_x y = (1 - x/2)^-1 y (1 + x/2)^-1, inverses by solving. Inputs are hexadecimal doubles, exactly what the library
gets. Elements are stored as the library does: SO(3) quaternion x, y, z, w; SE(2) x, y, cos, sin; SE(3) translation,
quaternion; SE_2(3) position, velocity, quaternion. `g` is the element rounded to double, `inv` the logarithm (inverse
Cayley map) of that rounded element, whose rotation part is taken up to a positive factor."""
import json
import os
import random

from mpmath import atan2, cos, cot, factorial, matrix, mp, mpf, nstr, pi, sin, sqrt, bernoulli, eye, lu_solve, tan

mp.dps = 400
DIGITS = 19
RNG = random.Random(20240611)


def number(x):
    return nstr(x, DIGITS, strip_zeros=True, min_fixed=-5, max_fixed=5)


def numbers(m):
    return [number(x) for x in m]


def hexes(values):
    return [float(x).hex() for x in values]


def hat3(w):
    return matrix([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def norm(v):
    return sqrt(sum(x * x for x in v))


class SO3:
    dim, rotation, translation = 3, slice(0, 3), slice(0, 0)

    @staticmethod
    def hat(w):
        return hat3(w)

    @staticmethod
    def vee(x):
        return [x[2, 1], x[0, 2], x[1, 0]]

    @staticmethod
    def translate(x):
        return []


class SE3:
    dim, rotation, translation = 6, slice(3, 6), slice(0, 3)

    @staticmethod
    def hat(xi):
        m = matrix(4, 4)
        m[:3, :3] = hat3(xi[3:])
        for i in range(3):
            m[i, 3] = xi[i]
        return m

    @staticmethod
    def vee(x):
        return [x[0, 3], x[1, 3], x[2, 3], x[2, 1], x[0, 2], x[1, 0]]


class SE2:
    dim, rotation, translation = 3, slice(2, 3), slice(0, 2)

    @staticmethod
    def hat(xi):
        return matrix([[0, -xi[2], xi[0]], [xi[2], 0, xi[1]], [0, 0, 0]])

    @staticmethod
    def vee(x):
        return [x[0, 2], x[1, 2], x[1, 0]]


class SE23:
    dim, rotation, translation = 9, slice(6, 9), slice(0, 6)

    @staticmethod
    def hat(xi):
        m = matrix(5, 5)
        m[:3, :3] = hat3(xi[6:])
        for i in range(3):
            m[i, 3] = xi[3 + i]
            m[i, 4] = xi[i]
        return m

    @staticmethod
    def vee(x):
        return [x[0, 4], x[1, 4], x[2, 4], x[0, 3], x[1, 3], x[2, 3], x[2, 1], x[0, 2], x[1, 0]]


GROUPS = {'SO3': SO3, 'SE2': SE2, 'SE3': SE3, 'SE23': SE23}


def translations(G, m):
    """What an element of SO(3), SE(3) or SE_2(3) has before its quaternion, from its matrix."""
    return [m[i, j] for j in {SO3: [], SE3: [3], SE23: [4, 3]}[G] for i in range(3)]


def unit(n, i):
    return [mpf(1) if k == i else mpf(0) for k in range(n)]


def columns(G, image):
    """The matrix of a linear map of the algebra, given on matrices."""
    cols = [G.vee(image(G.hat(unit(G.dim, i)))) for i in range(G.dim)]
    return matrix([[cols[j][i] for j in range(G.dim)] for i in range(G.dim)])


def series(x, shift):
    """sum_j x^j / (j + shift)!  (shift 0: exp; shift 1: what dexp is of ad)."""
    n = x.rows
    term = eye(n) / factorial(shift)
    total = term.copy()
    for j in range(1, 400):
        term = term * x / (j + shift)
        total = total + term
        size = max(abs(e) for e in term)
        if size == 0 or (j > 8 and size < mpf(10) ** -395):
            break
    return total


def tau_exp(G, xi):
    m = series(G.hat(xi), 0)
    if G is SE2:
        return [m[0, 2], m[1, 2], cos(xi[2]), sin(xi[2])]
    w = xi[G.rotation]
    t = norm(w)
    s = sin(t / 2) / t if t > 0 else mpf(1) / 2
    q = [s * x for x in w] + [cos(t / 2)]
    return translations(G, m) + q


def tau_cay(G, xi):
    x = G.hat(xi)
    n = x.rows
    m = (eye(n) - x / 2) ** -1 * (eye(n) + x / 2)
    if G is SE2:
        return [m[0, 2], m[1, 2], m[0, 0], m[1, 0]]
    w = xi[G.rotation]
    r = sqrt(1 + sum(x * x for x in w) / 4)
    q = [x / 2 / r for x in w] + [1 / r]
    return translations(G, m) + q


def tangent(G, xi, kind):
    x = G.hat(xi)
    n = x.rows
    if kind == 'exp':
        ad = columns(G, lambda y: x * y - y * x)
        d = series(ad, 1)
    else:
        left, right = (eye(n) - x / 2) ** -1, (eye(n) + x / 2) ** -1
        d = columns(G, lambda y: left * y * right)
    return d, d ** -1


def rotation_inverse(G, g, kind):
    if G is SE2:
        a = atan2(g[3], g[2])
        return [a if kind == 'exp' else 2 * tan(a / 2)]
    v, w = g[-4:-1], g[-1]
    n = norm(v)
    if n == 0:
        return [mpf(0)] * 3
    if kind == 'cay':
        return [2 * x / w for x in v]
    if w < 0:
        v, w = [-x for x in v], -w
    return [2 * atan2(n, w) * x / n for x in v]


def inverse(G, g, kind):
    """xi with tau(xi) = g: the translation is linear in v, so solve for it column by column."""
    w = rotation_inverse(G, g, kind)
    if G is SO3:
        return w
    k = G.dim - len(w)
    tau = tau_exp if kind == 'exp' else tau_cay
    m = matrix(k, k)
    for j in range(k):
        e = unit(k, j)
        image = tau(G, e + w)
        for i in range(k):
            m[i, j] = image[i]
    return list(lu_solve(m, matrix(g[:k]))) + w


def direction(n):
    while True:
        u = [RNG.gauss(0, 1) for _ in range(n)]
        r = sum(x * x for x in u) ** 0.5
        if r > 0.1:
            return [x / r for x in u]


def rounded(values):
    return [mpf(float(x)) for x in values]


def thetas():
    tiny = [10 ** (-160 + 159 * k / 37) for k in range(37)]
    seams = [1e-8, 1e-6, 1e-4, 1e-3, 1e-2, 0.999999999, 1.000000001, 1.999999999, 2.000000001]
    wide = [0.1 + (3.1415926535897931 - 0.1) * k / 15 for k in range(15)]
    edge = [3.1415926535897931 - 10.0 ** -k for k in (1, 3, 6, 9, 12, 15)] + [3.1415926535897931]
    return tiny + seams + wide + edge


def entry(G, kind, xi):
    xi = rounded(xi)
    tau = (tau_exp if kind == 'exp' else tau_cay)(G, xi)
    d, di = tangent(G, xi, kind)
    g = rounded(tau)
    return {'xi': hexes(xi), 'tau': numbers(tau), 'dtau': numbers(d), 'dtau_inv': numbers(di), 'g': hexes(g),
            'inv': numbers(inverse(G, g, kind))}


def sweep(name, kind):
    G = GROUPS[name]
    out = []
    for k, t in enumerate(thetas()):
        if name in ('SE3', 'SE23') and k % 2 and t < 1e-2:
            continue
        u = direction(3) if name != 'SE2' else [1.0 if RNG.random() < 0.5 else -1.0]
        v = direction(G.dim - len(u)) if name != 'SO3' else []
        size = RNG.choice([1.0, 1.0, 1.0, 1e3, 1e-3])
        xi = [size * x for x in v] + [t * x for x in u]
        out.append(entry(G, kind, xi))
    return out


def logs_near_pi(name):
    """Logarithms of elements whose angle is pi - 10^-k, k = 1..15, and pi; for SO(3) from the rounded matrix too."""
    G = GROUPS[name]
    out = []
    for k in list(range(1, 16)) + [0]:
        t = pi - (mpf(10) ** -k if k else 0)
        u = [mpf(x) for x in (direction(3) if name != 'SE2' else [1.0])]
        u = [x / norm(u) for x in u]
        v = [mpf(x) for x in direction(G.dim - len(u))] if name != 'SO3' else []
        xi = v + [t * x for x in u]
        g = rounded(tau_exp(G, xi))
        if k == 0 and name != 'SE2':
            g[-1] = mpf(0)
        item = {'below_pi': '1e-%d' % k if k else '0', 'g': hexes(g), 'inv': numbers(inverse(G, g, 'exp'))}
        if name == 'SO3':
            item['matrix'] = hexes(series(hat3(xi), 0))
            item['w'] = numbers(xi)
        out.append(item)
    return out


def coefficient_series(shift, x, derivative):
    total, n = mpf(0), derivative
    while True:
        falling = mpf(1)
        for i in range(derivative):
            falling *= n - i
        term = (-1) ** n * falling * x ** (n - derivative) / factorial(2 * n + shift)
        total += term
        if n > 8 + derivative and abs(term) < mpf(10) ** -60 or x == 0:
            return total
        n += 1


def E_value(x, derivative):
    """E = (1 - (t/2) cot(t/2))/x and its derivatives in x = t^2 (by differences of a 400-digit value)."""
    def E(y):
        if y < mpf(1) / 4:
            return sum(abs(bernoulli(2 * n)) * y ** (n - 1) / factorial(2 * n) for n in range(1, 160))
        t = sqrt(y)
        return (1 - t / 2 * cot(t / 2)) / y
    if derivative == 0:
        return E(x)
    if x < mpf(1) / 8:
        total = mpf(0)
        for n in range(1 + derivative, 160):
            falling = mpf(1)
            for i in range(derivative):
                falling *= n - 1 - i
            total += abs(bernoulli(2 * n)) * falling * x ** (n - 1 - derivative) / factorial(2 * n)
        return total
    d = mpf(10) ** -60
    if derivative == 1:
        return (E(x + d) - E(x - d)) / (2 * d)
    return (E(x + d) - 2 * E(x) + E(x - d)) / d ** 2


def coefficients():
    """Of x = t^2 exactly (x is the input): names as in src/groups/coefficients.h."""
    seams = [1.0, 2.0, 10.0 ** 0.5]
    angles = [1e-160, 1e-80, 1e-20, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.1, 0.3, 0.5, 0.9, 1.4, 1.9, 2.5, 3.0, 3.1,
              3.1415926, 3.3, 4.0, 5.0, 6.0, 6.2]
    angles += [s + e for s in seams for e in (-1e-3, -1e-9, 0.0, 1e-9, 1e-3)]
    out = []
    for t in angles:
        x = mpf(t * t)
        item = {'x': (t * t).hex()}
        root = sqrt(x)
        item['S'] = number(coefficient_series(1, x / 4, 0))
        item['c'] = number(cos(root / 2))
        item['A'] = number(coefficient_series(1, x, 0))
        for name, shift in (('B', 2), ('C', 3)):
            for d, mark in enumerate(('', '1', '2')):
                item[name + mark] = number(coefficient_series(shift, x, d))
        for d, mark in enumerate(('', '1', '2')):
            item['E' + mark] = number(E_value(x, d))
        out.append(item)
    return out


def main():
    data = {'_doc': 'made by generate_accuracy.py; matrices row-major'}
    for name in GROUPS:
        if name == 'SE23':
            data['coefficients'] = coefficients()
        for kind in ('exp', 'cay'):
            data[name + '_' + kind] = sweep(name, kind)
        data[name + '_near_pi'] = logs_near_pi(name)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'accuracy.json')
    with open(path, 'w', encoding='ascii') as f:
        f.write('{\n')
        for i, key in enumerate(data):
            value = data[key]
            f.write(json.dumps(key) + ': ')
            if isinstance(value, list):
                f.write('[\n' + ',\n'.join(json.dumps(v, separators=(',', ':')) for v in value) + ']')
            else:
                f.write(json.dumps(value))
            f.write(',\n' if i + 1 < len(data) else '\n')
        f.write('}\n')


if __name__ == '__main__':
    main()
