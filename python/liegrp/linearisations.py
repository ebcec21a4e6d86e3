# SPDX-License-Identifier: BSD-3-Clause
"""The derivative of a step."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._core import Pinned, create, lib, text
from ._map import one, pointer
from ._types import Array, ArrayLike

if TYPE_CHECKING:
    from .integrators import Integrator


class Linearisation(Pinned):
    """The derivative of steps of an integrator. Inputs, in this order: eta (n), p (n), controls, h (1), parameters.
    Outputs: eta (n), p (n), multipliers (holonomic ones first). eta is left-trivialised, g exp(eta). Derivatives that
    are not known, see `unknown`, are NaN.

    >>> it = liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start()
    >>> lin = liegrp.Linearisation(it).compute(it)
    >>> lin.A.shape
    (6, 6)
    """

    def __init__(self, integrator: Integrator) -> None:
        self._pointer = create('lg_linearisation', lambda slot: lib.lg_linearisation_create(slot, integrator._pointer),
                               lib.lg_linearisation_destroy, lib.lg_linearisation_message)
        self.model, self._keep = integrator.model, (integrator._system, integrator.retraction)
        self.shape = lib.lg_linearisation_rows(self._pointer), lib.lg_linearisation_columns(self._pointer)

    def _done(self, status):
        self.model._check(status, lambda: lib.lg_linearisation_message(self._pointer))
        return self

    def compute(self, integrator: Integrator) -> Linearisation:
        """The derivative of the step that the integrator would make next.

        >>> it = liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start()
        >>> liegrp.Linearisation(it).compute(it).shape
        (7, 16)
        """
        return self._done(lib.lg_linearisation_compute(self._pointer, integrator._pointer))

    def step(self, integrator: Integrator) -> Linearisation:
        """compute(), then that step.

        >>> it = liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start()
        >>> lin = liegrp.Linearisation(it).step(it)
        >>> it.step_index
        1
        """
        return self._done(lib.lg_linearisation_step(self._pointer, integrator._pointer))

    @property
    def jacobian(self) -> Array:
        """dy/dx, all outputs by all inputs.

        >>> it = liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start()
        >>> lin = liegrp.Linearisation(it).compute(it)
        >>> lin.jacobian.shape == lin.shape
        True
        """
        J = np.empty(self.shape)
        self._done(lib.lg_linearisation_jacobian(self._pointer, pointer(J)))
        return J

    @property
    def unknown(self) -> str:
        """The parameters whose derivatives are not known, and why; '' if there are none.

        >>> it = liegrp.Integrator(liegrp.Model('rigid-body'), step=0.1).start()
        >>> liegrp.Linearisation(it).compute(it).unknown
        ''
        """
        return text(lib.lg_linearisation_message(self._pointer))

    @property
    def A(self) -> Array:
        """The derivative of (eta, p) by (eta, p), (2n, 2n).

        >>> it = liegrp.Integrator(liegrp.Model('suslov'), 'gni', step=0.1).start()
        >>> bool(numpy.isclose(numpy.linalg.det(liegrp.Linearisation(it).compute(it).A), it.determinant()))
        True
        """
        n = self.model.dim
        return self.jacobian[:2 * n, :2 * n]

    @property
    def B(self) -> Array:
        """The derivative of (eta, p) by the controls, (2n, control_count).

        >>> it = liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start()
        >>> liegrp.Linearisation(it).compute(it).B.shape
        (6, 0)
        """
        n = self.model.dim
        return self.jacobian[:2 * n, 2 * n:2 * n + self.model.control_count]

    def apply(self, x: ArrayLike) -> Array:
        """(dy/dx) x without forming the matrix.

        >>> it = liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start()
        >>> lin = liegrp.Linearisation(it).compute(it)
        >>> lin.apply(numpy.zeros(lin.shape[1])).shape == (lin.shape[0],)
        True
        """
        x, y = one(x, self.shape[1:], 'x'), np.empty(self.shape[0])
        self._done(lib.lg_linearisation_apply(self._pointer, pointer(y), pointer(x)))
        return y

    def apply_transposed(self, y: ArrayLike) -> Array:
        """(dy/dx)^T y without forming the matrix.

        >>> it = liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start()
        >>> lin = liegrp.Linearisation(it).compute(it)
        >>> lin.apply_transposed(numpy.zeros(lin.shape[0])).shape == (lin.shape[1],)
        True
        """
        y, x = one(y, self.shape[:1], 'y'), np.empty(self.shape[1])
        self._done(lib.lg_linearisation_apply_transposed(self._pointer, pointer(x), pointer(y)))
        return x
