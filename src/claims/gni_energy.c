/* SPDX-License-Identifier: BSD-3-Clause */
/* [P0]: energy and constraints of the geometric nonholonomic integrator (GNI). */
#include "claims/harness.h"

const claim claims_gni_energy[] = {
    {0},
};
