# SPDX-License-Identifier: BSD-3-Clause
"""Retractions: maps tau from the algebra to the group with tau(0) = e and dtau_0 = 1."""
from __future__ import annotations

from typing import TYPE_CHECKING

from ._algebra import seed_of
from ._core import ArgumentError, Constant, Pinned, UnsupportedError, check, create, ffi, lib, text, texts
from ._types import RandomSource

if TYPE_CHECKING:
    from .groups import Group

_KEPT = {}


def retractions() -> list[str]:
    """The names of the retractions.

    >>> 'cayley' in liegrp.retractions()
    True
    """
    return texts(lib.lg_retraction_names())


class Retraction(Constant, Pinned):
    """A retraction by name, or one for each factor of a product.

    >>> liegrp.Retraction('cayley').is_symmetric
    True
    >>> liegrp.Retraction('exp', 'cayley').supports(liegrp.SO3 * liegrp.SE2)
    True
    """

    def __init__(self, *names: str | Retraction) -> None:
        if len(names) == 1:
            self._pointer, self._factors = named(names[0]), ()
        else:
            self._factors = tuple(Retraction.of(name) for name in names)
            if not names:
                raise ArgumentError('a retraction needs a name; see liegrp.retractions()')
            array = ffi.new('const lg_retraction *[]', [r._pointer for r in self._factors])
            self._pointer = create('lg_retraction', lambda slot: lib.lg_retraction_create_product(
                slot, array, len(names)), lib.lg_retraction_destroy)
        self.name = text(self._pointer.name)

    @staticmethod
    def of(retraction: str | Retraction) -> Retraction:
        """A Retraction as it is, or that of a name.

        >>> liegrp.Retraction.of('exp') is liegrp.Retraction.of('exp')
        True
        """
        if isinstance(retraction, Retraction):
            return retraction
        if retraction not in _KEPT:
            _KEPT[retraction] = Retraction(retraction)
        return _KEPT[retraction]

    @property
    def is_symmetric(self) -> bool:
        """tau(-xi) = tau(xi)^-1?

        >>> liegrp.Retraction('exp').is_symmetric
        True
        """
        return bool(self._pointer.flags & lib.LG_RETRACTION_SYMMETRIC)

    def supports(self, group: Group) -> bool:
        """Does it work on this group?

        >>> liegrp.Retraction('exp').supports(liegrp.SE3)
        True
        """
        return bool(lib.lg_retraction_supports(self._pointer, group._pointer))

    def require(self, group: Group) -> None:
        """Raises UnsupportedError where supports() is False.

        >>> liegrp.Retraction('exp').require(liegrp.SE3)
        """
        if not self.supports(group):
            fit = [name for name in retractions() if Retraction.of(name).supports(group)]
            raise UnsupportedError(f'the retraction {self.name} does not work on {group.name}; these do: '
                                   f'{", ".join(fit) or "none"}')

    def check(self, group: Group, points: int = 20, tolerance: float = 1e-06, rng: RandomSource = 0) -> None:
        """Do the map, its inverse and its tangents fit together on this group? Otherwise an Error says what does not.

        >>> liegrp.Retraction('cayley').check(liegrp.SO3)
        """
        state, why = ffi.new('lg_rng *', {'state': seed_of(rng)}), ffi.new('lg_error *')
        check(lib.lg_retraction_check(self._pointer, group._pointer, state, points, tolerance, why),
              lambda: why.message)

    def __repr__(self):
        return f'<retraction {self.name}>'


def named(name):
    """The library's own retraction of that name."""
    found = lib.lg_retraction_named(name.encode()) if isinstance(name, str) else ffi.NULL
    if found == ffi.NULL:
        raise ArgumentError(f'unknown retraction {name!r}; expected one of {", ".join(retractions())}')
    return found
