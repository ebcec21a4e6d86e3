# SPDX-License-Identifier: BSD-3-Clause
"""Operations that every group has: products, adjoint actions, matrices."""
from __future__ import annotations

import operator

import numpy as np

from ._core import ArgumentError, DomainError, check, ffi, lib
from ._map import Operation, items, one, pointer
from ._types import Array, ArrayLike, NDArray, Out, RandomSource, Shape


def seed_of(rng):
    """The seed of the library's generator: an int, or drawn from a NumPy generator; None: a new one each time."""
    if isinstance(rng, (int, np.integer)):
        return int(rng) % 2**64
    try:
        return int(np.random.default_rng(rng).integers(2**64, dtype=np.uint64))
    except (TypeError, ValueError):
        raise ArgumentError(f'rng must be an int, a numpy.random.Generator or None, got {rng!r}') from None


def shape_of(shape):
    """The shape of an array of elements, given as a number or several."""
    try:
        sides = tuple(map(operator.index, shape if np.iterable(shape) else (shape,)))
    except TypeError:
        sides = (-1,)
    if any(side < 0 for side in sides):
        advice = '; pass a generator by name: rng=...' if hasattr(shape, 'random') else ''
        raise ArgumentError(f'shape must be a number of elements or a tuple of such numbers, got {shape!r}{advice}')
    return sides


class Algebra:
    """k = element_size, n = dim, m = matrix_size. All methods broadcast and take `out`."""

    def _operation(self, name, kind='group_1', prefix='lg_group_'):
        """The operation lg_group_NAME, made once, with lg_batch_NAME for many elements if there is one."""
        if name not in self._operations:
            function, many, G = getattr(lib, 'lg_batch_' + name, None), None, self._pointer
            if function is not None:
                many = (lambda *arguments: function(G, *arguments))
            self._operations[name] = Operation(
                f'{self.name}.{name}', kind, ffi.addressof(lib, prefix + name), many, G=G)
        return self._operations[name]

    def _unary(self, name, item, out, value, of, called):
        return self._operation(name)(item, out, (value, of, called))

    def _binary(self, name, item, out, a, b):
        return self._operation(name, 'group_2')(item, out, a, b)

    def identity(self, shape: Shape = ()) -> Array:
        """The element e, or an array of them: shape (*shape, k).

        >>> liegrp.SO3.identity()
        array([0., 0., 0., 1.])
        """
        e = np.empty(self.element_size)
        check(lib.lg_group_identity(self._pointer, pointer(e)))
        shape = shape_of(shape)
        return np.broadcast_to(e, shape + e.shape).copy()

    def compose(self, a: ArrayLike, b: ArrayLike, out: Out = None) -> Array:
        """a b, elements (..., k).

        >>> liegrp.Rn(2).compose([1, 2], [[10, 20], [30, 40]])
        array([[11., 22.],
               [31., 42.]])
        """
        return self._binary('compose', self._g, out, (a, self._g, 'a'), (b, self._g, 'b'))

    def inverse(self, a: ArrayLike, out: Out = None) -> Array:
        """a^-1, elements (..., k).

        >>> liegrp.SO2.to_angle(liegrp.SO2.inverse(liegrp.SO2.from_angle(0.5)))
        array(-0.5)
        """
        return self._unary('inverse', self._g, out, a, self._g, 'a')

    def between(self, a: ArrayLike, b: ArrayLike, out: Out = None) -> Array:
        """a^-1 b, the way from a to b, elements (..., k).

        >>> liegrp.Rn(1).between([1], [5])
        array([4.])
        """
        return self._binary('between', self._g, out, (a, self._g, 'a'), (b, self._g, 'b'))

    def Ad(self, g: ArrayLike, out: Out = None) -> Array:
        """The matrix of Ad_g, (..., n, n): Ad_g eta = (g hat(eta) g^-1)^vee.

        >>> liegrp.SO3.Ad(liegrp.SO3.identity())[0]
        array([1., 0., 0.])
        """
        return self._unary('Ad', self._M, out, g, self._g, 'g')

    def Ad_apply(self, g: ArrayLike, eta: ArrayLike, out: Out = None) -> Array:
        """Ad_g eta, (..., n).

        >>> liegrp.SO3.Ad_apply(liegrp.SO3.identity(), [1, 2, 3])
        array([1., 2., 3.])
        """
        return self._binary('Ad_apply', self._xi, out, (g, self._g, 'g'), (eta, self._xi, 'eta'))

    def coAd(self, g: ArrayLike, out: Out = None) -> Array:
        """The matrix of Ad*_g, the transpose of that of Ad_g, (..., n, n).

        >>> liegrp.SO3.coAd(liegrp.SO3.identity())[0]
        array([1., 0., 0.])
        """
        return self._unary('coAd', self._M, out, g, self._g, 'g')

    def coAd_apply(self, g: ArrayLike, p: ArrayLike, out: Out = None) -> Array:
        """Ad*_g p with <Ad*_g p, eta> = <p, Ad_g eta>, (..., n).

        >>> liegrp.SO3.coAd_apply(liegrp.SO3.identity(), [1, 2, 3])
        array([1., 2., 3.])
        """
        return self._binary('coAd_apply', self._xi, out, (g, self._g, 'g'), (p, self._xi, 'p'))

    def ad(self, xi: ArrayLike, out: Out = None) -> Array:
        """The matrix of ad_xi, (..., n, n): ad_xi eta = [xi, eta].

        >>> liegrp.SO3.ad([0, 0, 1]) @ [1, 0, 0]
        array([0., 1., 0.])
        """
        return self._unary('ad', self._M, out, xi, self._xi, 'xi')

    def ad_apply(self, xi: ArrayLike, eta: ArrayLike, out: Out = None) -> Array:
        """[xi, eta], (..., n).

        >>> liegrp.SO3.ad_apply([0, 0, 1], [1, 0, 0])
        array([0., 1., 0.])
        """
        return self._binary('ad_apply', self._xi, out, (xi, self._xi, 'xi'), (eta, self._xi, 'eta'))

    def coad(self, xi: ArrayLike, out: Out = None) -> Array:
        """The matrix of ad*_xi, the transpose of that of ad_xi, (..., n, n).

        >>> (liegrp.SO3.coad([1, 2, 3]) == liegrp.SO3.ad([1, 2, 3]).T).all()
        True
        """
        return self._unary('coad', self._M, out, xi, self._xi, 'xi')

    def coad_apply(self, xi: ArrayLike, p: ArrayLike, out: Out = None) -> Array:
        """ad*_xi p with <ad*_xi p, eta> = <p, ad_xi eta>, (..., n).

        >>> liegrp.SO3.coad_apply([0, 0, 1], [0, 1, 0])
        array([1., 0., 0.])
        """
        return self._binary('coad_apply', self._xi, out, (xi, self._xi, 'xi'), (p, self._xi, 'p'))

    def hat(self, xi: ArrayLike, out: Out = None) -> Array:
        """The matrix of an algebra vector, (..., m, m).

        >>> liegrp.SO2.hat([2])
        array([[ 0., -2.],
               [ 2.,  0.]])
        """
        return self._unary('hat', self._R, out, xi, self._xi, 'xi')

    def vee(self, X: ArrayLike, out: Out = None) -> Array:
        """The algebra vector of a matrix, (..., n): the inverse of hat().

        >>> liegrp.SO2.vee([[0, -2], [2, 0]])
        array([2.])
        """
        return self._unary('vee', self._xi, out, X, self._R, 'X')

    def to_matrix(self, g: ArrayLike, out: Out = None) -> Array:
        """The matrix of an element, (..., m, m).

        >>> liegrp.SE2.to_matrix([5, 6, 0, 1])
        array([[ 0., -1.,  5.],
               [ 1.,  0.,  6.],
               [ 0.,  0.,  1.]])
        """
        return self._unary('to_matrix', self._R, out, g, self._g, 'g')

    def from_matrix(self, R: ArrayLike, out: Out = None, tolerance: float = 1e-6) -> Array:
        """The element of a matrix (..., m, m): the nearest one to a matrix whose numbers are off by at most
        tolerance (1 + the largest of them). Another matrix is a DomainError that says how far it is off;
        tolerance=inf takes the nearest element however far that is. NaN stays NaN.

        >>> liegrp.SO3.from_matrix(numpy.eye(3))
        array([0., 0., 0., 1.])
        """
        R = items(R, self._R, 'R')
        try:
            g = self._unary('from_matrix', self._g, out, R, self._R, 'R')
        except DomainError as none:
            none.args = (f'{none.args[0].partition(": ")[0]}: {self._no_element(R, none.where)}',)
            raise
        if tolerance < np.inf:
            apart = self.to_matrix(g)
            np.abs(np.subtract(apart, R, out=apart), out=apart)
            if apart.size == 0 or apart.max() <= tolerance:
                return g
            off = apart.max(axis=(-2, -1))
            far = off > tolerance * (1 + np.abs(R).max(axis=(-2, -1)))
            if far.any():
                at = np.unravel_index(np.argmax(np.where(far, off, 0)), off.shape)
                raise DomainError(f'{self.name}.from_matrix: {int(far.sum())} of {off.size} matrices are not in the '
                                  f'group; R{list(map(int, at)) if at else ""} is {off[at]:.3g} from the nearest '
                                  f'element, more than tolerance={tolerance:g} allows; tolerance=inf takes the nearest',
                                  result=np.where(far[..., None], np.nan, g), where=far)
        return g

    def _no_element(self, R, where):
        """Why the first of these matrices has no element near it."""
        at = np.unravel_index(np.argmax(where), where.shape)
        M = R[at]
        if not np.isfinite(M).all():
            return f'R{list(map(int, at)) if at else ""} has numbers that are not finite'
        sign = ', a reflection' if np.linalg.det(M) < 0 else ''
        return (f'R{list(map(int, at)) if at else ""} with the determinant {np.linalg.det(M):.3g}{sign} has no nearest '
                f'element ({int(where.sum())} of {where.size} matrices)')

    def residual(self, g: ArrayLike, out: Out = None) -> Array:
        """How far an element is from the group, (...): 0 on it.

        >>> liegrp.SO3.residual([0, 0, 0, 1])
        array(0.)
        """
        return self._operation('residual', prefix='lgp_')((), out, (g, self._g, 'g'))

    def is_valid(self, g: ArrayLike, tolerance: float = 1e-12) -> NDArray[np.bool_]:
        """Is residual() at most the tolerance? (...), booleans.

        >>> liegrp.SO3.is_valid([[0, 0, 0, 1], [0, 0, 0, 2]])
        array([ True, False])
        """
        return np.asarray(self.residual(g) <= tolerance)

    def project(self, g: ArrayLike, out: Out = None) -> Array:
        """The nearest element, (..., k).

        >>> liegrp.SO3.project([0, 0, 0, 1.5])
        array([0., 0., 0., 1.])
        """
        return self._unary('project', self._g, out, g, self._g, 'g')

    def random(self, shape: Shape = (), rng: RandomSource = None) -> Array:
        """Random elements (*shape, k). `rng` is a seed, a NumPy generator, or None for others each time.

        >>> (liegrp.SE3.random(3, rng=1) == liegrp.SE3.random(3, rng=1)).all()
        True
        """
        shape = shape_of(shape)
        state = ffi.new('lg_rng *', {'state': seed_of(rng)})
        result = np.empty(shape + self._g)
        k = self.element_size
        check(lib.lgp_random(self._pointer, result.size // k, pointer(result), k, state))
        return result

    def check(self, points: int = 20, tolerance: float = 1e-06, rng: RandomSource = 0) -> None:
        """Do the operations satisfy the axioms and fit together? Otherwise an Error says which does not.

        >>> liegrp.SE3.check()
        """
        state, why = ffi.new('lg_rng *', {'state': seed_of(rng)}), ffi.new('lg_error *')
        check(lib.lg_group_check(self._pointer, state, points, tolerance, why), lambda: why.message)

    def interpolate(self, a: ArrayLike, b: ArrayLike, s: ArrayLike, out: Out = None) -> Array:
        """a exp(s log(a^-1 b)), (..., k): from a (s = 0) to b (s = 1). `s` is a number or an array (...).

        >>> liegrp.Rn(2).interpolate([0, 0], [2, 4], [0, 0.5])
        array([[0., 0.],
               [1., 2.]])
        """
        b, s = items(b, self._g, 'b'), np.asarray(s, dtype=np.float64)[..., np.newaxis]
        try:
            shape = np.broadcast_shapes(b.shape[:-1], s.shape[:-1])
        except ValueError:
            raise ArgumentError(f'interpolate: the shapes do not fit together: b {b.shape}, s {s.shape[:-1]}') from None
        both = np.empty(shape + (self.element_size + 1,))
        both[..., :-1], both[..., -1:] = b, s
        return self._operation('interpolate', 'group_2', prefix='lgp_')(
            self._g, out, (a, self._g, 'a'), (both, (self.element_size + 1,), 'b and s'))

    def mean(self, elements: ArrayLike, weights: ArrayLike | None = None) -> Array:
        """The mean (k) of elements (m, k), where sum_i w_i log(mean^-1 g_i) = 0; weights (m), None: equal ones.

        >>> liegrp.Rn(2).mean([[0, 0], [2, 4]])
        array([1., 2.])
        """
        elements = items(elements, self._g, 'elements')
        if elements.ndim != 2:
            raise ArgumentError(f'mean: elements must have the shape (m, {self.element_size}), not {elements.shape}')
        if weights is not None:
            weights = one(weights, elements.shape[:1], 'weights')
        result = np.empty(self.element_size)
        if weights is not None and not (np.all(weights >= 0) and weights.sum() > 0):
            raise ArgumentError(f'mean: weights must be finite, not negative and not all 0, got {weights}')
        check(lib.lg_group_mean(self._pointer, pointer(result), pointer(elements), pointer(weights), len(elements)))
        return result

    def distance(self, a: ArrayLike, b: ArrayLike, out: Out = None) -> Array:
        """|log(a^-1 b)|, (...). On SE(2) and SE(3) it adds lengths and radians.

        >>> liegrp.Rn(2).distance([0, 0], [3, 4])
        array(5.)
        """
        return self._binary('distance', (), out, (a, self._g, 'a'), (b, self._g, 'b'))
