# SPDX-License-Identifier: BSD-3-Clause
"""Maps between the algebra and the group, their derivatives, and sums and differences with Jacobians."""
from __future__ import annotations

from ._core import ArgumentError, ffi, lib
from ._map import Operation
from ._types import Array, ArrayLike, Out
from .retractions import Retraction


class Calculus:
    """k = element_size, n = dim. All methods broadcast and take `out`. A retraction is a name of
    liegrp.retractions() or a Retraction."""

    def exp(self, xi: ArrayLike, out: Out = None) -> Array:
        """exp(xi), elements (..., k).

        >>> liegrp.SO3.exp([0, 0, numpy.pi]).round(12)
        array([0., 0., 1., 0.])
        """
        return self.tau(xi, 'exp', out)

    def log(self, g: ArrayLike, out: Out = None) -> Array:
        """log(g), vectors (..., n): the inverse of exp(), angles up to pi.

        >>> liegrp.SO2.log(liegrp.SO2.from_angle(0.5))
        array([0.5])
        """
        return self.tau_inv(g, 'exp', out)

    def cay(self, xi: ArrayLike, out: Out = None) -> Array:
        """The Cayley map cay(xi) = (1 - xi/2)^-1 (1 + xi/2), elements (..., k).

        >>> liegrp.Rn(1).cay([3])
        array([3.])
        """
        return self.tau(xi, 'cayley', out)

    def cay_inv(self, g: ArrayLike, out: Out = None) -> Array:
        """The inverse of cay(), vectors (..., n).

        >>> liegrp.SO2.cay_inv(liegrp.SO2.cay([0.25]))
        array([0.25])
        """
        return self.tau_inv(g, 'cayley', out)

    def _map(self, name, kind, retraction):
        """The operation lg_retraction_NAME, made once for each retraction."""
        r = Retraction.of(retraction)
        key = (name, r)
        if key not in self._operations:
            r.require(self)
            function, G = getattr(lib, 'lg_batch_' + name), self._pointer
            self._operations[key] = Operation(f'{self.name}.{name} with {r.name}', kind,
                                              ffi.addressof(lib, 'lg_retraction_' + name),
                                              lambda *arguments: function(r._pointer, G, *arguments),
                                              G=G, r=r._pointer)
        return self._operations[key]

    def tau(self, xi: ArrayLike, retraction: str | Retraction = 'exp', out: Out = None) -> Array:
        """tau(xi), elements (..., k).

        >>> liegrp.SO2.tau([0.5], 'exp') == liegrp.SO2.exp([0.5])
        array([ True,  True])
        """
        return self._map('tau', 'retraction_1', retraction)(self._g, out, (xi, self._xi, 'xi'))

    def tau_inv(self, g: ArrayLike, retraction: str | Retraction = 'exp', out: Out = None) -> Array:
        """tau^-1(g), vectors (..., n).

        >>> liegrp.Rn(2).tau_inv([1, 2], 'cayley')
        array([1., 2.])
        """
        return self._map('tau_inv', 'retraction_1', retraction)(self._xi, out, (g, self._g, 'g'))

    def dtau(self, xi: ArrayLike, retraction: str | Retraction = 'exp', out: Out = None) -> Array:
        """The matrix of the right-trivialised tangent, (..., n, n): d/ds tau(xi + s eta) = hat(dtau_xi eta) tau(xi).

        >>> liegrp.SO3.dtau([0, 0, 0])[0]
        array([1., 0., 0.])
        """
        return self._map('dtau', 'retraction_1', retraction)(self._M, out, (xi, self._xi, 'xi'))

    def dtau_inv(self, xi: ArrayLike, retraction: str | Retraction = 'exp', out: Out = None) -> Array:
        """The inverse of dtau(xi), (..., n, n).

        >>> liegrp.SO3.dtau_inv([0, 0, 0], 'cayley')[0]
        array([1., 0., 0.])
        """
        return self._map('dtau_inv', 'retraction_1', retraction)(self._M, out, (xi, self._xi, 'xi'))

    def dtau_apply(self, xi: ArrayLike, eta: ArrayLike, retraction: str | Retraction = 'exp', out: Out = None) -> Array:
        """dtau_xi eta, (..., n).

        >>> liegrp.Rn(2).dtau_apply([1, 1], [3, 4])
        array([3., 4.])
        """
        return self._map('dtau_apply', 'retraction_2', retraction)(
            self._xi, out, (xi, self._xi, 'xi'), (eta, self._xi, 'eta'))

    def dtau_inv_apply(self, xi: ArrayLike, eta: ArrayLike, retraction: str | Retraction = 'exp',
                       out: Out = None) -> Array:
        """dtau_xi^-1 eta, (..., n).

        >>> liegrp.Rn(2).dtau_inv_apply([1, 1], [3, 4])
        array([3., 4.])
        """
        return self._map('dtau_inv_apply', 'retraction_2', retraction)(
            self._xi, out, (xi, self._xi, 'xi'), (eta, self._xi, 'eta'))

    def dtau_dual(self, xi: ArrayLike, mu: ArrayLike, retraction: str | Retraction = 'exp', out: Out = None) -> Array:
        """dtau_xi^* mu with <dtau_xi^* mu, eta> = <mu, dtau_xi eta>, (..., n).

        >>> liegrp.Rn(2).dtau_dual([1, 1], [3, 4])
        array([3., 4.])
        """
        return self._map('dtau_dual', 'retraction_2', retraction)(
            self._xi, out, (xi, self._xi, 'xi'), (mu, self._xi, 'mu'))

    def dtau_inv_dual(self, xi: ArrayLike, mu: ArrayLike, retraction: str | Retraction = 'exp',
                      out: Out = None) -> Array:
        """(dtau_xi^-1)^* mu, (..., n).

        >>> liegrp.Rn(2).dtau_inv_dual([1, 1], [3, 4])
        array([3., 4.])
        """
        return self._map('dtau_inv_dual', 'retraction_2', retraction)(
            self._xi, out, (xi, self._xi, 'xi'), (mu, self._xi, 'mu'))

    def right_plus(self, a: ArrayLike, xi: ArrayLike, out: Out = None) -> Array:
        """a exp(xi), elements (..., k).

        >>> liegrp.Rn(1).right_plus([1], [2])
        array([3.])
        """
        return self._binary('right_plus', self._g, out, (a, self._g, 'a'), (xi, self._xi, 'xi'))

    def left_plus(self, a: ArrayLike, xi: ArrayLike, out: Out = None) -> Array:
        """exp(xi) a, elements (..., k).

        >>> liegrp.Rn(1).left_plus([1], [2])
        array([3.])
        """
        return self._binary('left_plus', self._g, out, (a, self._g, 'a'), (xi, self._xi, 'xi'))

    def right_minus(self, a: ArrayLike, b: ArrayLike, out: Out = None) -> Array:
        """log(b^-1 a), (..., n): a = right_plus(b, right_minus(a, b)).

        >>> liegrp.Rn(1).right_minus([3], [1])
        array([2.])
        """
        return self._binary('right_minus', self._xi, out, (a, self._g, 'a'), (b, self._g, 'b'))

    def left_minus(self, a: ArrayLike, b: ArrayLike, out: Out = None) -> Array:
        """log(a b^-1), (..., n): a = left_plus(b, left_minus(a, b)).

        >>> liegrp.Rn(1).left_minus([3], [1])
        array([2.])
        """
        return self._binary('left_minus', self._xi, out, (a, self._g, 'a'), (b, self._g, 'b'))

    def right_jacobian(self, xi: ArrayLike, out: Out = None) -> Array:
        """J_r(xi), (..., n, n): exp(xi + d) = exp(xi) exp(J_r d) to first order.

        >>> liegrp.SO3.right_jacobian([0, 0, 0])[0]
        array([1., 0., 0.])
        """
        return self._unary('right_jacobian', self._M, out, xi, self._xi, 'xi')

    def left_jacobian(self, xi: ArrayLike, out: Out = None) -> Array:
        """J_l(xi), (..., n, n): exp(xi + d) = exp(J_l d) exp(xi) to first order; dtau() of exp.

        >>> liegrp.SO3.left_jacobian([0, 0, 0])[0]
        array([1., 0., 0.])
        """
        return self._unary('left_jacobian', self._M, out, xi, self._xi, 'xi')

    def right_jacobian_inv(self, xi: ArrayLike, out: Out = None) -> Array:
        """J_r(xi)^-1, (..., n, n).

        >>> liegrp.SO3.right_jacobian_inv([0, 0, 0])[0]
        array([1., 0., 0.])
        """
        return self._unary('right_jacobian_inv', self._M, out, xi, self._xi, 'xi')

    def left_jacobian_inv(self, xi: ArrayLike, out: Out = None) -> Array:
        """J_l(xi)^-1, (..., n, n).

        >>> liegrp.SO3.left_jacobian_inv([0, 0, 0])[0]
        array([1., 0., 0.])
        """
        return self._unary('left_jacobian_inv', self._M, out, xi, self._xi, 'xi')

    def _pair(self, name, a, b):
        """Both Jacobians of a function of two arguments."""
        both = self._operation(name, 'group_pair')((2,) + self._M, None, a, b)
        return both[..., 0, :, :], both[..., 1, :, :]

    def compose_jacobians(self, a: ArrayLike, b: ArrayLike, side: str = 'right') -> tuple[Array, Array]:
        """(J_a, J_b) of compose(), (..., n, n) each; small changes are a exp(d) ('right') or exp(d) a ('left').

        >>> [J.item() for J in liegrp.Rn(1).compose_jacobians([1], [2])]
        [1.0, 1.0]
        """
        return self._pair(f'compose_{sided(side)}_jacobian', (a, self._g, 'a'), (b, self._g, 'b'))

    def inverse_jacobian(self, a: ArrayLike, side: str = 'right', out: Out = None) -> Array:
        """The Jacobian of inverse(), (..., n, n).

        >>> liegrp.Rn(1).inverse_jacobian([1])
        array([[-1.]])
        """
        return self._unary(f'inverse_{sided(side)}_jacobian', self._M, out, a, self._g, 'a')

    def between_jacobians(self, a: ArrayLike, b: ArrayLike, side: str = 'right') -> tuple[Array, Array]:
        """(J_a, J_b) of between(), (..., n, n) each.

        >>> [J.item() for J in liegrp.Rn(1).between_jacobians([1], [2])]
        [-1.0, 1.0]
        """
        return self._pair(f'between_{sided(side)}_jacobian', (a, self._g, 'a'), (b, self._g, 'b'))

    def plus_jacobians(self, a: ArrayLike, xi: ArrayLike, side: str = 'right') -> tuple[Array, Array]:
        """(J_a, J_xi) of right_plus() or left_plus(), (..., n, n) each.

        >>> [J.item() for J in liegrp.Rn(1).plus_jacobians([1], [2])]
        [1.0, 1.0]
        """
        return self._pair(f'{sided(side)}_plus_jacobian', (a, self._g, 'a'), (xi, self._xi, 'xi'))

    def minus_jacobians(self, a: ArrayLike, b: ArrayLike, side: str = 'right') -> tuple[Array, Array]:
        """(J_a, J_b) of right_minus() or left_minus(), (..., n, n) each.

        >>> [J.item() for J in liegrp.Rn(1).minus_jacobians([1], [2])]
        [1.0, -1.0]
        """
        return self._pair(f'{sided(side)}_minus_jacobian', (a, self._g, 'a'), (b, self._g, 'b'))


def sided(side):
    """'right' or 'left'."""
    if side not in ('right', 'left'):
        raise ArgumentError(f"side must be 'right' or 'left', got {side!r}")
    return side
