/* SPDX-License-Identifier: BSD-3-Clause */
/* [P2] section 5: the nonholonomic Euler methods, RATTLE, affine constraints, reduction. */
#include "claims/harness.h"

const claim claims_euler[] = {
    {0},
};
