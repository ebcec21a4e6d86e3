/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy-momentum step with shared multipliers (sem): what it keeps. */
#include "claims/harness.h"

const claim claims_sem[] = {
    {0},
};
