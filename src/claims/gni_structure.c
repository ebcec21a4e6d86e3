/* SPDX-License-Identifier: BSD-3-Clause */
/* The GNI: volume, reversibility, the parasitic mode, starts, compositions. */
#include "claims/harness.h"

const claim claims_gni_structure[] = {
    {0},
};
