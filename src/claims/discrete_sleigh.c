/* SPDX-License-Identifier: BSD-3-Clause */
/* [P3]: the discrete Chaplygin sleigh's momentum map. */
#include "claims/harness.h"

const claim claims_discrete_sleigh[] = {
    {0},
};
