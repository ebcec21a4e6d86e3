# SPDX-License-Identifier: BSD-3-Clause
"""What needs packages that not everybody has: they are imported when it is called."""


def from_sympy(name, configuration, **functions):
    """A Model whose energies, constraints and forces are expressions of SymPy: see liegrp.symbols.from_sympy().

    >>> from liegrp.symbols import Reals
    >>> point = Reals('x y')
    >>> liegrp.from_sympy('my-spring', point, lagrangian=(point.dot[0]**2 + point.dot[1]**2) / 2 - 8 * point.coordinates[0]**2).dim
    2
    """
    from .symbols import from_sympy as made
    return made(name, configuration, **functions)
