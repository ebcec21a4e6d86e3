/* SPDX-License-Identifier: BSD-3-Clause */
#include "claims/drawn.h"

const claim claims_gni_average[] = {
    {0},
};
