/* SPDX-License-Identifier: BSD-3-Clause */
/* What SO(3) and SE(3) share. */
#ifndef LG_INTEGRATORS_FACTORS_ROTATION_H
#define LG_INTEGRATORS_FACTORS_ROTATION_H

#include "base/lane.h"

/* q' = q (w, 0)/2. */
KERNEL void quaternion_rate(real *out, const real *q, const real *w)
{
    out[0] = 0.5 * (q[3] * w[0] + q[1] * w[2] - q[2] * w[1]);
    out[1] = 0.5 * (q[3] * w[1] + q[2] * w[0] - q[0] * w[2]);
    out[2] = 0.5 * (q[3] * w[2] + q[0] * w[1] - q[1] * w[0]);
    out[3] = -0.5 * (q[0] * w[0] + q[1] * w[1] + q[2] * w[2]);
}

#endif
