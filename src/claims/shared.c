/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared multipliers without the energy-momentum step (nsv, smv): what orthonormal rows repair. */
#include "claims/harness.h"

const claim claims_shared[] = {
    {0},
};
