# SPDX-License-Identifier: BSD-3-Clause
"""Derives the fields of a system from the user's expressions: metric, rows, drift and their derivatives.

Derivatives are left-trivialised: D f(g).eta = d/ds f(g exp(s eta)) at s = 0.
"""
import random

import mpmath
import numpy as np
import sympy

from .refusals import refuse

ZERO = sympy.Integer(0)
DIGITS = 60


class Derived:
    """The functions of a system as formulas; empty lists and None for those that it does not have.

    `metric` (n x n) and `metric_slope` (n; None: the metric is constant), `potential`, `slope`, `hessian`, `rows`
    (m x n), `drift` (n), `rows_along`, `drift_along`, `rows_rate`, `drift_rate`, `positions`, `differential`, `rate`,
    `acceleration`, `force`, `force_along`. `eta` are the symbols of a direction, `dxi` and `du` those of changes of the
    velocity and the controls.
    """

    def __init__(self, problem):
        self.problem = problem
        self.n = len(problem.velocities)
        self.eta = [sympy.Symbol(f'eta{i + 1}', real=True) for i in range(self.n)]
        self.dxi = [sympy.Symbol(f'dxi{i + 1}', real=True) for i in range(self.n)]
        self.du = [sympy.Symbol(f'du{i + 1}', real=True) for i in range(len(problem.controls))]
        self._eta_moves = self._moves(self.eta)
        self._axis_moves = [self._moves([sympy.Integer(i == k) for i in range(self.n)]) for k in range(self.n)]

    # ---- derivatives ----

    def _moves(self, eta):
        found, at = {}, 0
        for factor in self.problem.factors:
            found.update(factor.moved(eta[at:at + factor.dim]))
            at += factor.dim
        return found

    @staticmethod
    def _moved(expression, moves):
        return sympy.Add(*[sympy.diff(expression, s) * moves[s]
                           for s in sorted(expression.free_symbols & moves.keys(), key=str)])

    def along(self, expression, eta=None):
        """D f.eta, by default with the symbols `eta`."""
        return self._moved(expression, self._eta_moves if eta is None else self._moves(eta))

    def gradient(self, expression):
        """<dV, e_i> for every basis vector."""
        return [self._moved(expression, moves) for moves in self._axis_moves]

    def _rate(self, expression):
        return sympy.diff(expression, self.problem.time) if self.problem.time is not None else ZERO

    def steady(self, expression):
        """The expression, without coordinates if it has one value on the whole group, such as R11^2 + R21^2 + R31^2.

        It is evaluated at random elements and parameters, with enough digits to distinguish rounding from a small
        value. Functions with jumps and kinks may have another value elsewhere."""
        coordinates = expression.free_symbols & set(self.problem.coordinates)
        if not coordinates or expression.has(sympy.Abs, sympy.sign):
            return expression
        identity = expression.subs(dict(zip(self.problem.coordinates, identity_of(self.problem))))
        if identity.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo):
            return expression
        try:
            return identity if self._agree(expression, identity) else expression
        except (ArithmeticError, ValueError, TypeError):
            return expression

    def _agree(self, one, other):
        """Whether two expressions have the same values, relative to the terms of the first."""
        symbols = sorted(one.free_symbols - set(self.problem.coordinates), key=str)
        terms = sympy.Add.make_args(sympy.expand(one))
        values = sympy.lambdify([self.problem.coordinates, symbols], [[other], terms], 'mpmath',
                                dummify=True)
        chance = random.Random(1)
        with mpmath.workdps(DIGITS):
            for _ in range(6):
                element = [mpmath.mpf(v.p) / v.q for v in element_of(self.problem, chance)]
                (fixed,), found = values(element, [mpmath.mpf(chance.uniform(0.5, 2)) for _ in symbols])
                if not abs(sum(found) - fixed) <= mpmath.mpf(10) ** (20 - DIGITS) * sum(map(abs, found)):
                    return False
        return True

    # ---- the parts of a system ----

    def kinetic(self, T):
        """Metric and slope of T, which must be quadratic in the velocities."""
        xi, what = self.problem.velocities, 'kinetic energy'
        T = sympy.expand(T)
        self.metric = sympy.Matrix(self.n, self.n, lambda i, j: sympy.diff(T, xi[i], xi[j]))
        if self.metric.free_symbols & set(xi):
            refuse(f'{what} is not quadratic in the velocities {_listed(xi)}: {_higher(T, xi, 2)}')
        self._nothing(T.subs({s: 0 for s in xi}), f'{what} has a part without velocities, which belongs to the '
                      'potential with the opposite sign')
        for s in xi:
            self._nothing(sympy.diff(T, s).subs({s: 0 for s in xi}), f'{what} has a part that is linear in {s}; such '
                          'terms (magnetic, or of moving frames) are forces')
        for i, s in enumerate(xi):
            if all(entry == 0 for entry in self.metric.row(i)):
                refuse(f'{what} does not depend on the velocity {s}: something with a mass must move with it')
        self.metric = self.metric.applyfunc(self.steady)
        self.metric_slope = None
        if self.metric.free_symbols & set(self.problem.coordinates):
            half = sympy.Rational(1, 2) * (sympy.Matrix(xi).T * self.metric * sympy.Matrix(xi))[0]
            self.metric_slope = self.gradient(half)

    def _nothing(self, expression, what):
        if sympy.expand(expression) != 0 and self.steady(expression) != 0 and sympy.simplify(expression) != 0:
            refuse(f'{what}: {expression}')

    def conservative(self, V):
        """V with its gradient, and the derivative of that."""
        self.potential = V
        self.slope = self.gradient(V)
        self.hessian = [self.along(entry) for entry in self.slope]

    def velocity_constraints(self, constraints):
        """Rows and drift of expressions that are linear in the velocities: A (xi - Y) = 0."""
        xi = self.problem.velocities
        A, b = sympy.zeros(len(constraints), self.n), sympy.zeros(len(constraints), 1)
        for k, expression in enumerate(constraints):
            expanded = sympy.expand(expression)
            row = [sympy.diff(expanded, s) for s in xi]
            if any(entry.free_symbols & set(xi) for entry in row):
                refuse(f'velocity constraint {k + 1} is not linear in the velocities {_listed(xi)}: '
                       f'{_higher(expanded, xi, 1)}')
            if all(entry == 0 for entry in row):
                refuse(f'velocity constraint {k + 1} contains no velocity: {expression}; functions of the '
                       'configuration that are 0 belong to position_constraints')
            A[k, :], b[k] = sympy.Matrix([row]), expanded.subs({s: 0 for s in xi})
        self.rows = A.applyfunc(self.steady)
        self.drift = self._drift(b.applyfunc(self.steady))
        self.rows_along = self.rows.applyfunc(self.along)
        self.drift_along = [self.along(entry) for entry in self.drift]
        self.rows_rate, self.drift_rate = self.rows.applyfunc(self._rate), [self._rate(e) for e in self.drift]

    def _drift(self, b):
        """A vector field Y with A Y = -b. On the velocities whose columns are constant and suffice, if there are such;
        otherwise the shortest."""
        if all(entry == 0 for entry in b):
            return [ZERO] * self.n
        m, columns = self.rows.rows, []
        for j in range(self.n):
            if not self.rows[:, j].free_symbols & set(self.problem.coordinates + [self.problem.time]):
                if self.rows[:, columns + [j]].rank() == len(columns) + 1:
                    columns.append(j)
        Y = [ZERO] * self.n
        if len(columns) == m:
            for j, value in zip(columns, -self.rows[:, columns].inv() * b):
                Y[j] = value
            return Y
        gram = (self.rows * self.rows.T).applyfunc(self.steady)
        return list(-self.rows.T * (gram.inv(method='ADJ') * b))

    def position_constraints(self, constraints):
        """phi = 0 with its first and second derivatives."""
        self.positions = constraints
        self.differential = [self.gradient(phi) for phi in constraints]
        self.rate = [self._rate(phi) for phi in constraints]
        self.acceleration = []
        for phi in constraints:
            first = self.along(phi, self.problem.velocities)
            second = self.along(first, self.problem.velocities)
            self.acceleration.append(second + 2 * self._rate(first) + self._rate(self._rate(phi)))
        for k, row in enumerate(self.differential):
            if all(entry == 0 for entry in row):
                refuse(f'position constraint {k + 1} contains no coordinate: {constraints[k]}')

    def forces(self, forces):
        """The covector of pairs (velocity, force along it)."""
        xi = self.problem.velocities
        self.force = [ZERO] * self.n
        for k, (velocity, force) in enumerate(forces):
            row = [sympy.diff(sympy.expand(velocity), s) for s in xi]
            if any(entry.free_symbols & set(xi) for entry in row) or all(entry == 0 for entry in row):
                refuse(f'force {k + 1}: {velocity} is not linear in the velocities {_listed(xi)}; a force is given as '
                       '(velocity of its point or angle, force)')
            self.force = [old + force * entry for old, entry in zip(self.force, row)]
        changes = [*zip(xi, self.dxi), *zip(self.problem.controls, self.du)]
        self.force_along = [self.along(f) + sympy.Add(*[sympy.diff(f, s) * change for s, change in changes])
                            for f in self.force]

    # ---- numbers ----

    def examine(self):
        """Refuses indefinite metrics and dependent constraints, tested with numbers at a random element."""
        problem, chance = self.problem, random.Random(2)
        velocities = problem.velocities
        time = [problem.time] if problem.time is not None else []
        rows = [*self.differential, *self.rows.tolist()]
        values = ([float(v) for v in element_of(problem, chance)], [p.value for p in problem.parameters.values()],
                  [0.37] * len(time))
        signature = [problem.coordinates, list(problem.parameters), time]
        with np.errstate(all='ignore'):
            J = np.array(sympy.lambdify(signature, self.metric.tolist(), 'numpy', dummify=True)(*values), dtype=float)
            A = np.array(sympy.lambdify(signature, rows, 'numpy', dummify=True)(*values), dtype=float)
        unit = np.ones(self.n)  # velocities of which each alone has the same energy: units do not matter
        if np.isfinite(J).all():
            unit[np.diag(J) > 0] = np.diag(J)[np.diag(J) > 0] ** -0.5
            sizes, axes = np.linalg.eigh(J * np.outer(unit, unit))
            if not sizes[0] > 1e-13 * abs(sizes[-1]):
                refuse('kinetic energy is not positive with the default parameters: it is '
                       f'{sizes[0] / 2:.3g} for the velocity {_vector(velocities, axes[:, 0] * unit)}')
        if rows and np.isfinite(A).all():
            A = A * unit
            lengths = np.linalg.norm(A, axis=1, keepdims=True)
            left, sizes, _ = np.linalg.svd(A / np.where(lengths > 0, lengths, 1))
            if len(A) > self.n or sizes[-1] <= 1e-12 * sizes[0]:
                names = [f'position constraint {k + 1}' for k in range(len(self.positions))]
                names += [f'velocity constraint {k + 1}' for k in range(self.rows.rows)]
                involved = [name for name, share in zip(names, left[:, -1]) if abs(share) > 1e-6]
                refuse(f'{len(A)} constraints on {self.n} velocities' if len(A) > self.n else
                       f'constraints are dependent: {", ".join(involved)}')


def _listed(symbols):
    return ', '.join(map(str, symbols))


def _vector(symbols, values):
    return ', '.join(f'{s} = {v:.3g}' for s, v in zip(symbols, values) if abs(v) > 1e-9)


def _higher(expression, xi, degree):
    """The terms that do not belong to a polynomial of this degree."""
    def is_wrong(term):
        try:
            return sympy.Poly(term, *xi).total_degree() > degree
        except sympy.PolynomialError:
            return True
    return ', '.join(str(term) for term in sympy.Add.make_args(expression) if is_wrong(term))


def identity_of(problem):
    """The coordinates of the identity, in the order of problem.coordinates."""
    found = []
    for factor in problem.factors:
        stored = dict(zip((slot.symbol for slot in factor.stored()), factor.identity()))
        written = factor.written()
        found += [written[s].subs(stored) if s in written else sympy.Integer(stored[s]) for s in factor.coordinates]
    return found


def element_of(problem, chance):
    """The coordinates of a random element, as rational numbers."""
    found = []
    for factor in problem.factors:
        numbers = [sympy.Rational(chance.randint(-2000, 2000), 1000) for _ in range(factor.size)]
        if numbers[factor.unit]:
            numbers[factor.unit] = _on_sphere(numbers[factor.unit][1:])
        stored = dict(zip((slot.symbol for slot in factor.stored()), numbers))
        written = factor.written()
        found += [written[s].subs(stored) if s in written else stored[s] for s in factor.coordinates]
    return found


def _on_sphere(numbers):
    """A rational vector of length 1, by stereographic projection."""
    square = sum(v * v for v in numbers)
    return [2 * v / (1 + square) for v in numbers] + [(1 - square) / (1 + square)]
