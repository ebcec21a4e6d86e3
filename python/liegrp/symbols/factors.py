# SPDX-License-Identifier: BSD-3-Clause
"""The factors of a configuration: groups with symbols for their elements and velocities.

Each factor knows its symbols, how they move along a left-trivialised direction (`moved`), the place of their values in
an element (`stored`), and the C code that reads them there.
"""
from typing import NamedTuple

import sympy

from .refusals import refuse


class Slot(NamedTuple):
    """A number of an element: the symbol that stands for it in formulas of C."""

    symbol: sympy.Symbol
    index: int  # in the factor's part of an element


def _names(names):
    """'x y' or a list, as a list of names."""
    found = names.replace(',', ' ').split() if isinstance(names, str) else list(names)
    if not found:
        refuse('a factor without coordinates: give their names, such as "x y"')
    return found


def _real(name):
    return sympy.Symbol(name, real=True)


def hat(w):
    """The matrix of the cross product with w.

    >>> hat((1, 2, 3))[2, 1]
    1
    """
    return sympy.Matrix([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


class Factor:
    """Base of all factors: `velocities`, the left-trivialised velocity as symbols (n of them); `coordinates`, the
    symbols that configurations are written in; `columns`, the names of coordinates of R^n and T^n."""

    columns = ()
    unit = slice(0)  # which of its numbers have length 1

    def moved(self, eta):
        """d/ds of the coordinates along g exp(s eta), a dictionary."""
        raise NotImplementedError

    def written(self):
        """The coordinates as formulas of the stored numbers, a dictionary; those that are stored are left out."""
        return {}

    def __iter__(self):
        return iter(self.coordinates)

    def __repr__(self):
        return f'<{type(self).__name__} {", ".join(map(str, self.coordinates))}>'


class Reals(Factor):
    """R^n: coordinates by name; `dot` are their velocities.

    >>> plane = Reals('x y')
    >>> x, y = plane
    >>> plane.dot[0]
    xdot
    """

    maker = 'lg_rn'

    def __init__(self, names):
        self.columns = _names(names)
        self.coordinates = [_real(name) for name in self.columns]
        self.velocities = [_real(name + 'dot') for name in self.columns]
        self.dot = self.velocities
        self.dim = self.size = len(self.columns)
        self.call = f'{self.maker}({self.dim})'

    def stored(self):
        return [Slot(symbol, i) for i, symbol in enumerate(self.coordinates)]

    def moved(self, eta):
        return dict(zip(self.coordinates, eta))

    def identity(self):
        return [0] * self.size


class Angles(Reals):
    """T^n: angles by name; `dot` are their velocities. What depends on them must have the period 2 pi.

    >>> Angles('phi psi').dim
    2
    """

    maker = 'lg_torus'


class _Turning(Factor):
    """Base for planar rotations: cosine `c` and sine `s` are coordinates, and replace cos(theta), sin(theta)."""

    def _turn(self, name):
        self.theta = _real(name + 'theta')
        self.c, self.s = _real(name + 'costheta'), _real(name + 'sintheta')

    def spelled(self):
        """Expressions that the user may write, and the coordinates that replace them."""
        return {sympy.cos(self.theta): self.c, sympy.sin(self.theta): self.s}


class Circle(_Turning):
    """SO(2): `c`, `s` (or cos and sin of `theta`), angular velocity `w`.

    >>> Circle().w
    w
    """

    call = 'lg_so2()'
    dim, size = 1, 2
    unit = slice(0, 2)

    def __init__(self, name=''):
        self._turn(name)
        self.w = _real(name + 'w')
        self.coordinates, self.velocities = [self.c, self.s], [self.w]

    def stored(self):
        return [Slot(self.c, 0), Slot(self.s, 1)]

    def moved(self, eta):
        return {self.c: -self.s * eta[0], self.s: self.c * eta[0]}

    def identity(self):
        return [1, 0]


class Planar(_Turning):
    """SE(2), a body on the plane: position `x`, `y`; `c`, `s` (or cos and sin of `theta`); velocity in the body's axes
    `v` = (v1, v2), in space `xdot`, `ydot`; angular velocity `w`.

    >>> body = Planar()
    >>> body.xdot
    costheta*v1 - sintheta*v2
    """

    call = 'lg_se2()'
    dim, size = 3, 4
    unit = slice(2, 4)

    def __init__(self, name=''):
        self._turn(name)
        self.x, self.y = _real(name + 'x'), _real(name + 'y')
        self.v, self.w = sympy.Matrix([_real(name + 'v1'), _real(name + 'v2')]), _real(name + 'w')
        self.coordinates = [self.x, self.y, self.c, self.s]
        self.velocities = [*self.v, self.w]
        self.xdot, self.ydot = self._space(*self.v)

    def _space(self, a, b):
        return self.c * a - self.s * b, self.s * a + self.c * b

    def stored(self):
        return [Slot(symbol, i) for i, symbol in enumerate(self.coordinates)]

    def moved(self, eta):
        dx, dy = self._space(eta[0], eta[1])
        return {self.x: dx, self.y: dy, self.c: -self.s * eta[2], self.s: self.c * eta[2]}

    def identity(self):
        return [0, 0, 1, 0]


class _Rotating(Factor):
    """Base for rotations in space: R from the unit quaternion (x, y, z, w)."""

    def _turn(self, name):
        self.R = sympy.Matrix(3, 3, lambda i, j: _real(f'{name}R{i + 1}{j + 1}'))
        self.q = [_real(name + 'q' + letter) for letter in 'xyzw']
        self.w = sympy.Matrix([_real(f'{name}w{i + 1}') for i in range(3)])
        self.W = self.R * self.w

    def _turned(self, eta):
        return dict(zip(self.R, self.R * hat(eta)))

    def written(self):
        x, y, z, w = self.q
        return dict(zip(self.R, [
            1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
            2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
            2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]))


class Rotation(_Rotating):
    """SO(3), an attitude: the matrix `R` (body to space), angular velocity `w` in the body's axes, `W` = R w in space.

    >>> body = Rotation()
    >>> body.R[2, 2], body.w[0]
    (R33, w1)
    """

    call = 'lg_so3()'
    dim, size = 3, 4
    unit = slice(0, 4)

    def __init__(self, name=''):
        self._turn(name)
        self.coordinates, self.velocities = list(self.R), list(self.w)

    def stored(self):
        return [Slot(symbol, i) for i, symbol in enumerate(self.q)]

    def moved(self, eta):
        return self._turned(eta)

    def identity(self):
        return [0, 0, 0, 1]


class Pose(_Rotating):
    """SE(3), a body in space: position `x` (3 numbers); matrix `R` (body to space); velocity `v` in the body's axes,
    `xdot` = R v in space; angular velocity `w` in the body's axes, `W` = R w in space.

    >>> Pose('b').x.T
    Matrix([[bx1, bx2, bx3]])
    """

    call = 'lg_se3()'
    dim, size = 6, 7
    unit = slice(3, 7)

    def __init__(self, name=''):
        self._turn(name)
        self.x = sympy.Matrix([_real(f'{name}x{i + 1}') for i in range(3)])
        self.v = sympy.Matrix([_real(f'{name}v{i + 1}') for i in range(3)])
        self.xdot = self.R * self.v
        self.coordinates, self.velocities = [*self.x, *self.R], [*self.v, *self.w]

    def stored(self):
        return [Slot(symbol, i) for i, symbol in enumerate([*self.x, *self.q])]

    def moved(self, eta):
        return {**dict(zip(self.x, self.R * sympy.Matrix(eta[:3]))), **self._turned(eta[3:])}

    def identity(self):
        return [0, 0, 0, 0, 0, 0, 1]
