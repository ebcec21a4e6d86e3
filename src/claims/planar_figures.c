/* SPDX-License-Identifier: BSD-3-Clause */
/* [P0], [P1]: what the figures of the planar examples show. */
#include "claims/harness.h"

const claim claims_planar_figures[] = {
    {0},
};
