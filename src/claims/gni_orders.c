/* SPDX-License-Identifier: BSD-3-Clause */
#include "claims/harness.h"

const claim claims_gni_orders[] = {
    {0},
};
