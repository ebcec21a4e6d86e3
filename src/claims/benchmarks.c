/* SPDX-License-Identifier: BSD-3-Clause */
/* The problems on which nonholonomic integrators fail: which method drifts where. */
#include "claims/harness.h"

const claim claims_benchmarks[] = {
    {0},
};
