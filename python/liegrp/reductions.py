# SPDX-License-Identifier: BSD-3-Clause
"""Chaplygin systems, reduced by their connection to shape space."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._core import Pinned, check, check_counts, create, ffi, lib, real, step_of
from ._map import one, pointer
from ._types import Array, ArrayLike
from .models import Model


class Chaplygin(Pinned):
    """The reduction of a model whose rows are a principal connection: a step moves the shape r alone, the group element
    is reconstructed. It is the projection of `dla:midpoint`.

    shape: the directions (indices of the body velocity, from 0) that make up the shape; the others make up the group.

    >>> robot = liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3], step=0.1)
    >>> robot.start([0, 0, 0, 0], [0.5, 1.0]).step(10).shape.shape
    (2,)
    """

    def __init__(self, model: Model, shape: Sequence[int], retraction: str = 'exp', step: float | None = None) -> None:
        self.model = model
        self._size, self._n, self._s = model.group.element_size, model.dim, len(shape)
        step = step_of(step, model.default_step)
        self._pointer = create('lg_chaplygin', lambda slot: lib.lg_chaplygin_create(
            slot, model._system(), list(shape), len(shape), retraction.encode(), step), lib.lg_chaplygin_destroy,
            lib.lg_chaplygin_message)

    def _done(self, status):
        self.model._raise_failure()
        check(status, lambda: lib.lg_chaplygin_message(self._pointer))
        return self

    def _read(self, function, *shape, at=()):
        out = np.empty(shape)
        self._done(function(self._pointer, pointer(out), *map(pointer, at)))
        return out

    def start(self, g: ArrayLike, v: ArrayLike, t0: float = 0.0) -> Chaplygin:
        """Starts at time t0 from an element (k,) and the shape's velocity (s,).

        >>> liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3]).start([0, 0, 0, 0], [1, 1], t0=2).t
        2.0
        """
        g, v = one(g, (self._size,), 'g'), one(v, (self._s,), 'v')
        return self._done(lib.lg_chaplygin_start(self._pointer, real(t0, 't0'), pointer(g), pointer(v)))

    def step(self, steps: int = 1) -> Chaplygin:
        """Makes `steps` steps.

        >>> liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3], step=0.5).start([0, 0, 0, 0], [1, 1]).step(2).t
        1.0
        """
        check_counts(steps)
        for _ in range(steps):
            self._done(lib.lg_chaplygin_step(self._pointer))
        return self

    @property
    def t(self) -> float:
        """The time.

        >>> liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3]).start([0, 0, 0, 0], [1, 1]).t
        0.0
        """
        return lib.lg_chaplygin_time(self._pointer)

    @property
    def g(self) -> Array:
        """The reconstructed element (k,).

        >>> liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3]).start([0, 0, 0, 0], [1, 1]).g
        array([0., 0., 0., 0.])
        """
        return np.array(ffi.unpack(lib.lg_chaplygin_configuration(self._pointer), self._size))

    @property
    def shape(self) -> Array:
        """r (s,).

        >>> liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3]).start([0, 0, 0, 0], [1, 1]).shape
        array([0., 0.])
        """
        out = np.empty(self._s)
        lib.lg_chaplygin_shape(self._pointer, pointer(out))
        return out

    @property
    def momentum(self) -> Array:
        """P (s,), the covector on shape space that is the state.

        >>> liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3]).start([0, 0, 0, 0], [1, 1]).momentum.shape
        (2,)
        """
        return np.array(ffi.unpack(lib.lg_chaplygin_momentum(self._pointer), self._s))

    @property
    def velocity(self) -> Array:
        """v = J*(r)^-1 P (s,).

        >>> liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3]).start([0, 0, 0, 0], [1, 1]).velocity
        array([1., 1.])
        """
        return self._read(lib.lg_chaplygin_velocity, self._s)

    @property
    def energy(self) -> float:
        """P.J*^-1 P / 2 + V at r.

        >>> liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3]).start([0, 0, 0, 0], [1, 1]).energy > 0
        True
        """
        return lib.lg_chaplygin_energy(self._pointer)

    def connection(self, r: ArrayLike) -> Array:
        """A(r) (n - s, s): the group's velocity is -A(r) r'.

        >>> liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3]).connection([0, 0]).shape
        (2, 2)
        """
        return self._read(lib.lg_chaplygin_connection, self._n - self._s, self._s, at=[one(r, (self._s,), 'r')])

    def metric(self, r: ArrayLike) -> Array:
        """J*(r) (s, s), the kinetic metric of the reduced Lagrangian.

        >>> liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3]).metric([0, 0]).shape
        (2, 2)
        """
        return self._read(lib.lg_chaplygin_metric, self._s, self._s, at=[one(r, (self._s,), 'r')])

    def force(self, r: ArrayLike, v: ArrayLike) -> Array:
        """F(r, v) (s,), the gyroscopic force of the connection's curvature; it does no work.

        >>> liegrp.Chaplygin(liegrp.Model('mobile-robot'), [2, 3]).force([0, 0], [1, 2]).shape
        (2,)
        """
        return self._read(lib.lg_chaplygin_force, self._s, at=[one(r, (self._s,), 'r'), one(v, (self._s,), 'v')])
