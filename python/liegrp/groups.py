# SPDX-License-Identifier: BSD-3-Clause
"""Lie groups: arrays of elements, not objects for each."""
from __future__ import annotations

import functools

import numpy as np

from ._algebra import Algebra
from ._calculus import Calculus
from ._core import ArgumentError, Constant, Pinned, create, ffi, lib, text
from ._map import items, pointer, reals
from ._types import Array, ArrayLike


class Group(Constant, Pinned, Algebra, Calculus):
    """A Lie group. Elements are arrays (..., k), algebra vectors and momenta (..., n), operators (..., n, n).

    `name`, `dim` n, `element_size` k, `matrix_size` m, `is_abelian`, `factors` say what it is. Groups are made by
    liegrp.SO2, SO3, SE2, SE3, SE23, Rn(), Tn(), SO(), SOpq(), Sp(), quadratic() and product().

    >>> (liegrp.SE3.dim, liegrp.SE3.element_size)
    (6, 7)
    """

    def __init__(self, pointer, keep=(), factors=()):
        self._pointer, self._keep = pointer, keep
        self.name = text(lib.lg_group_name(pointer))
        self.dim, self.element_size = lib.lg_group_dim(pointer), lib.lg_group_element_size(pointer)
        self.matrix_size, self.is_abelian = lib.lg_group_matrix_size(pointer), bool(pointer.abelian)
        self.factors = tuple(factors) or (self,)
        self._g, self._xi = (self.element_size,), (self.dim,)
        self._M, self._R = (self.dim, self.dim), (self.matrix_size, self.matrix_size)
        self._operations = {}

    def __mul__(self, other):
        if not isinstance(other, Group):
            return NotImplemented
        return product(*self.factors, *other.factors)

    def __repr__(self):
        return f'<group {self.name}: {self.dim} dimensions, elements of {self.element_size} numbers>'

    def split(self, g: ArrayLike) -> list[Array]:
        """The parts of elements (..., k) of a product, one view for each factor.

        >>> [part.shape for part in (liegrp.SO3 * liegrp.Rn(2)).split(numpy.zeros((5, 6)))]
        [(5, 4), (5, 2)]
        """
        ends = np.cumsum([factor.element_size for factor in self.factors])
        return np.split(items(g, self._g, 'g'), ends[:-1], axis=-1)

    def join(self, *parts: ArrayLike) -> Array:
        """Elements (..., k) of a product from one array for each factor; the parts are broadcast.

        >>> (liegrp.SO2 * liegrp.Rn(1)).join([1, 0], [[5], [6]])
        array([[1., 0., 5.],
               [1., 0., 6.]])
        """
        if len(parts) != len(self.factors):
            raise ArgumentError(f'{self.name} has {len(self.factors)} factors, got {len(parts)} parts')
        parts = [items(part, factor._g, factor.name) for part, factor in zip(parts, self.factors)]
        shape = np.broadcast_shapes(*(part.shape[:-1] for part in parts))
        return np.concatenate([np.broadcast_to(part, shape + part.shape[-1:]) for part in parts], axis=-1)


def created(make, keep=(), factors=()):
    """A group that Python owns."""
    return Group(create('lg_group', make, lib.lg_group_destroy), keep, factors)


@functools.lru_cache(maxsize=None)
def Rn(n: int) -> Group:
    """R^n, vectors under addition.

    >>> liegrp.Rn(3).compose([1, 2, 3], [1, 1, 1])
    array([2., 3., 4.])
    """
    return created(lambda slot: lib.lg_group_create_rn(slot, n))


@functools.lru_cache(maxsize=None)
def Tn(n: int) -> Group:
    """The torus T^n, angles in (-pi, pi].

    >>> liegrp.Tn(1).compose([3], [3]).round(3)
    array([-0.283])
    """
    return created(lambda slot: lib.lg_group_create_torus(slot, n))


@functools.lru_cache(maxsize=None)
def SO(n: int) -> Group:
    """SO(n) as n x n matrices, elements of n^2 numbers, row-major. For n = 3 SO3, with quaternions, is faster.

    >>> liegrp.SO(4).dim
    6
    """
    return created(lambda slot: lib.lg_group_create_so(slot, n))


@functools.lru_cache(maxsize=None)
def SOpq(p: int, q: int) -> Group:
    """SO(p, q), matrices that keep the metric diag(1, ..., -1, ...); SOpq(3, 1) is the Lorentz group.

    >>> liegrp.SOpq(3, 1).dim
    6
    """
    return created(lambda slot: lib.lg_group_create_so_pq(slot, p, q))


@functools.lru_cache(maxsize=None)
def Sp(n: int) -> Group:
    """The symplectic group of 2n x 2n matrices.

    >>> liegrp.Sp(1).dim
    3
    """
    return created(lambda slot: lib.lg_group_create_sp(slot, n))


def quadratic(P: ArrayLike) -> Group:
    """The group Y^T P Y = P of an invertible n x n matrix P.

    >>> liegrp.quadratic(numpy.diag([1.0, 1.0, -1.0])).dim
    3
    """
    P = reals(P, 'P')
    if P.ndim != 2 or P.shape[0] != P.shape[1]:
        raise ArgumentError(f'P must be a square matrix, got {P.shape}')
    return created(lambda slot: lib.lg_group_create_quadratic(slot, pointer(P), len(P)))


@functools.lru_cache(maxsize=None)
def product(*factors: Group) -> Group:
    """The direct product; it concatenates the elements and the vectors of its factors. Also written G1 * G2.

    >>> (liegrp.SO3 * liegrp.Rn(2)).element_size
    6
    """
    if len(factors) == 1:
        return factors[0]
    factors = [part for factor in factors for part in factor.factors]
    array = ffi.new('const lg_group *[]', [factor._pointer for factor in factors])
    return created(lambda slot: lib.lg_group_create_product(slot, array, len(factors)), factors, factors)
