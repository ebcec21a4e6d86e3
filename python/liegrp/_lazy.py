# SPDX-License-Identifier: BSD-3-Clause
"""Functions that need optional packages, which are imported at the call."""
from __future__ import annotations

from typing import Any

from .models import Model


def from_sympy(name: str, configuration: Any, **functions: Any) -> Model:
    """The Model whose energies, constraints and forces are expressions of SymPy: liegrp.symbols.from_sympy(), which
    says what `functions` are.

    >>> from liegrp.symbols import Reals
    >>> point = Reals('x y')
    >>> x, y = point
    >>> liegrp.from_sympy('my-spring', point, kinetic=(point.dot[0]**2 + point.dot[1]**2) / 2, potential=8 * x**2).dim
    2
    """
    from .symbols import from_sympy as made
    return made(name, configuration, **functions)
