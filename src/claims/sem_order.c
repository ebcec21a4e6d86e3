/* SPDX-License-Identifier: BSD-3-Clause */
/* sem: orders, compositions, frames, long runs. */
#include "claims/harness.h"

const claim claims_sem_order[] = {
    {0},
};
