# SPDX-License-Identifier: BSD-3-Clause
"""The derivative of a step."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._core import Pinned, create, lib, text
from ._map import one, pointer
from ._types import Array, ArrayLike

if TYPE_CHECKING:
    from .motions import Motion


class Linearisation(Pinned):
    """The derivative of steps of a motion that has an integrator (Motion.linearise() is that of the sparse step of
    mechanisms). Inputs, in this order: eta (n), p (n), controls, h (1), parameters.
    Outputs: eta (n), p (n), multipliers (holonomic ones first). eta is left-trivialised, g exp(eta). Derivatives that
    are not known, see `unknown`, are NaN.

    >>> motion = liegrp.Motion('suslov', step=0.1)
    >>> lin = liegrp.Linearisation(motion).compute(motion)
    >>> lin.A.shape
    (6, 6)
    """

    def __init__(self, motion: Motion) -> None:
        it = motion.integrator._pointer
        self._pointer = create('lg_linearisation', lambda slot: lib.lg_linearisation_create(slot, it),
                               lib.lg_linearisation_destroy, lib.lg_linearisation_message)
        self.model, self._keep = motion.model, motion.pointer
        self.shape = lib.lg_linearisation_rows(self._pointer), lib.lg_linearisation_columns(self._pointer)

    def _done(self, status):
        self.model._check(status, lambda: lib.lg_linearisation_message(self._pointer))
        return self

    def compute(self, motion: Motion) -> Linearisation:
        """The derivative of the step that the motion would make next.

        >>> motion = liegrp.Motion('suslov', step=0.1)
        >>> liegrp.Linearisation(motion).compute(motion).shape
        (7, 16)
        """
        return self._done(lib.lg_linearisation_compute(self._pointer, motion.integrator._pointer))

    def step(self, motion: Motion) -> Linearisation:
        """compute(), then that step.

        >>> motion = liegrp.Motion('suslov', step=0.1)
        >>> lin = liegrp.Linearisation(motion).step(motion)
        >>> motion.step_index
        1
        """
        self.compute(motion)
        motion.step()
        return self

    @property
    def jacobian(self) -> Array:
        """dy/dx, all outputs by all inputs.

        >>> motion = liegrp.Motion('suslov', step=0.1)
        >>> lin = liegrp.Linearisation(motion).compute(motion)
        >>> lin.jacobian.shape == lin.shape
        True
        """
        J = np.empty(self.shape)
        self._done(lib.lg_linearisation_jacobian(self._pointer, pointer(J)))
        return J

    @property
    def unknown(self) -> str:
        """The parameters whose derivatives are not known, and why; '' if all are known.

        >>> motion = liegrp.Motion('rigid-body', step=0.1)
        >>> liegrp.Linearisation(motion).compute(motion).unknown
        ''
        """
        return text(lib.lg_linearisation_message(self._pointer))

    @property
    def A(self) -> Array:
        """The derivative of (eta, p) by (eta, p), (2n, 2n).

        >>> motion = liegrp.Motion('suslov', 'gni', step=0.1)
        >>> A = liegrp.Linearisation(motion).compute(motion).A
        >>> bool(numpy.isclose(numpy.linalg.det(A), motion.integrator.determinant()))
        True
        """
        n = self.model.dim
        return self.jacobian[:2 * n, :2 * n]

    @property
    def B(self) -> Array:
        """The derivative of (eta, p) by the controls, (2n, control_count), of polynomials by those at all nodes, (2n,
        (degree + 1) control_count).

        >>> motion = liegrp.Motion('suslov', step=0.1)
        >>> liegrp.Linearisation(motion).compute(motion).B.shape
        (6, 0)
        """
        n = self.model.dim
        return self.jacobian[:2 * n, 2 * n:self.shape[1] - 1 - len(self.model._parameter_names)]

    def apply(self, x: ArrayLike) -> Array:
        """(dy/dx) x without forming the matrix.

        >>> motion = liegrp.Motion('suslov', step=0.1)
        >>> lin = liegrp.Linearisation(motion).compute(motion)
        >>> lin.apply(numpy.zeros(lin.shape[1])).shape == (lin.shape[0],)
        True
        """
        x, y = one(x, self.shape[1:], 'x'), np.empty(self.shape[0])
        self._done(lib.lg_linearisation_apply(self._pointer, pointer(y), pointer(x)))
        return y

    def apply_transposed(self, y: ArrayLike) -> Array:
        """(dy/dx)^T y without forming the matrix.

        >>> motion = liegrp.Motion('suslov', step=0.1)
        >>> lin = liegrp.Linearisation(motion).compute(motion)
        >>> lin.apply_transposed(numpy.zeros(lin.shape[0])).shape == (lin.shape[1],)
        True
        """
        y, x = one(y, self.shape[:1], 'y'), np.empty(self.shape[1])
        self._done(lib.lg_linearisation_apply_transposed(self._pointer, pointer(x), pointer(y)))
        return x
