/* SPDX-License-Identifier: BSD-3-Clause */
/* [P1]: the discrete Lagrange-d'Alembert integrators (DLA). */
#include "claims/harness.h"

const claim claims_dla[] = {
    {0},
};
