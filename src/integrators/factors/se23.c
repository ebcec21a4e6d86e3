/* SPDX-License-Identifier: BSD-3-Clause */
/* SE_2(3) as (position, velocity, unit quaternion): steps by the group's descriptor; rates in closed form. */
#include "groups/se23.h"

#include "integrators/engine/workspace.h"
#include "integrators/factors/closed.h"
#include "integrators/factors/rotation.h"

static lg_status se23_rate(const lg_factor_plan *f, real *out, const real *g, const real *xi, real *W, void *work)
{
    (void)f, (void)W, (void)work;
    so3_rotate(out, g + 6, xi);
    so3_rotate(out + 3, g + 6, xi + 3);
    quaternion_rate(out + 6, g + 6, xi + 6);
    return LG_OK;
}

/* (k, m, n) -> (k x w, m x w, n x w + k x a + m x b). */
static void se23_coad(real *out, const real *xi, const real *p)
{
    real ka[3], mb[3];
    small_cross(out, p, xi + 6);
    small_cross(out + 3, p + 3, xi + 6);
    small_cross(out + 6, p + 6, xi + 6);
    small_cross(ka, p, xi);
    small_cross(mb, p + 3, xi + 3);
    for (int i = 0; i < 3; i++) out[6 + i] = out[6 + i] + (ka[i] + mb[i]);
}

LG_CLOSED_SETTLE(se23_settle, 4, 6)

static const lg_factor lg_factor_se23[] = {
    {
        .retractions = LG_SERVES(EXP) | LG_SERVES(SERIES),
        .facts = LG_FACTOR_EXPONENTIAL | LG_FACTOR_GEODESIC,
        LG_GENERIC_FLOW,
        LG_GENERIC_ARC,
        LG_FACTOR_RATES(se23),
    },
    {.retractions = LG_SERVES_ALL, LG_GENERIC_FLOW, LG_GENERIC_ARC, LG_FACTOR_RATES(se23)},
};
