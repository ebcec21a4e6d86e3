/* SPDX-License-Identifier: BSD-3-Clause */
/* [P0]: the discrete momentum equation of the GNI and horizontal symmetries. */
#include "claims/harness.h"

const claim claims_gni_momentum[] = {
    {0},
};
