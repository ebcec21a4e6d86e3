/* SPDX-License-Identifier: BSD-3-Clause */
/* [P2] section 8: the GNI on groupoids is the specialised step. */
#include "claims/harness.h"

const claim claims_groupoid_forms[] = {
    {0},
};
