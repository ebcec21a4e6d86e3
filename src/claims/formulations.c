/* SPDX-License-Identifier: BSD-3-Clause */
/* [P1] sections 4 and 5: the two formulations, and Chaplygin reduction. */
#include "claims/harness.h"

const claim claims_formulations[] = {
    {0},
};
