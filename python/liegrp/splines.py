# SPDX-License-Identifier: BSD-3-Clause
"""Cubic splines on groups."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._core import ArgumentError, DomainError, Pinned, check, create, ffi, lib, text
from ._map import items, one, pointer, reals
from ._types import Array, ArrayLike

if TYPE_CHECKING:
    from .groups import Group


class Spline(Pinned):
    """A curve on a group, made of cubic pieces; by Spline.bspline() or Spline.hermite(). `begin` and `end` are times.

    Calling it gives (g, xi, acceleration) at times (...): elements (..., k), velocities g^-1 dg/dt and their
    derivatives (..., n). Outside [begin, end] is a DomainError.

    >>> line = liegrp.Spline.hermite(liegrp.Rn(1), [0, 1], [[0], [2]], [[2], [2]])
    >>> g, xi, acceleration = line([0.25, 0.5])
    >>> g[:, 0], xi[:, 0]
    (array([0.5, 1. ]), array([2., 2.]))
    """

    def __init__(self, group, make):
        why = ffi.new('lg_error *')
        self.group = group
        self._pointer = create('lg_spline', lambda slot: make(slot, why), lib.lg_spline_destroy, lambda s: why.message)
        self.begin, self.end = lib.lg_spline_begin(self._pointer), lib.lg_spline_end(self._pointer)

    @classmethod
    def bspline(cls, group: Group, control: ArrayLike, t0: float = 0.0, h: float = 1.0) -> Spline:
        """The B-spline of control elements (count, k), count >= 4, on [t0, t0 + (count - 3) h]. It is C^2 and passes
        near them.

        >>> curve = liegrp.Spline.bspline(liegrp.Rn(1), [[0], [1], [2], [3]])
        >>> curve.end, curve(0.5)[0]
        (1.0, array([1.5]))
        """
        control = items(control, group._g, 'control')
        if control.ndim != 2:
            raise ArgumentError(f'control must have the shape (count, {group.element_size}), got {control.shape}')
        return cls(group, lambda slot, why: lib.lg_spline_create_bspline(
            slot, group._pointer, pointer(control), len(control), t0, h, why))

    @classmethod
    def hermite(cls, group: Group, times: ArrayLike, g: ArrayLike, xi: ArrayLike) -> Spline:
        """The curve through elements g (count, k) at increasing times with the velocities xi (count, n); it is C^1.

        >>> liegrp.Spline.hermite(liegrp.Rn(1), [0, 2], [[0], [1]], [[0], [0]])(1)[0]
        array([0.5])
        """
        times = reals(times, 'times')
        if times.ndim != 1:
            raise ArgumentError(f'times must have the shape (count,), got {times.shape}')
        g, xi = one(g, (times.size,) + group._g, 'g'), one(xi, (times.size,) + group._xi, 'xi')
        return cls(group, lambda slot, why: lib.lg_spline_create_hermite(
            slot, group._pointer, pointer(times), pointer(g), pointer(xi), times.size, why))

    def __call__(self, t: ArrayLike) -> tuple[Array, Array, Array]:
        t = reals(t, 't')
        k, n = self.group.element_size, self.group.dim
        g, xi, a = np.empty(t.shape + (k,)), np.empty(t.shape + (n,)), np.empty(t.shape + (n,))
        status = lib.lgp_spline(self._pointer, t.size, pointer(t), pointer(g), pointer(xi), pointer(a), k, n)
        if status == lib.LG_ERROR_DOMAIN:
            outside = ~((t >= self.begin) & (t <= self.end))
            raise DomainError(f'a time is outside [{self.begin:g}, {self.end:g}], where the spline is: '
                              f'{t[outside].flat[0]!r}', text(lib.lg_status_name(status)), (g, xi, a), outside)
        check(status)
        return g, xi, a
