/* SPDX-License-Identifier: BSD-3-Clause */
/* SE(3) as (translation, unit quaternion). Cayley is not geodesic here. */
#include "groups/se3.h"

#include "integrators/factors/closed.h"
#include "integrators/factors/rotation.h"

LG_CLOSED_FLOW(se3_flow_exp, se3, exp, 6, 7, 4, 3)
LG_CLOSED_FLOW(se3_flow_cayley, se3, cay, 6, 7, 4, 3)

/* ---- the arc ---- */

LG_CLOSED_ADVANCE(se3_advance_exp, se3, exp, 4, 3, splat(1))
LG_CLOSED_ADVANCE(se3_advance_cay, se3, cay, 4, 3, splat(1)) /* not geodesic */
LG_CLOSED_POINTS(se3_points, se3, 6)
LG_CLOSED_DUAL(se3_transport, se3_coAd)
LG_CLOSED_DUAL(se3_dual_exp, se3_dexp_inv_dual)
LG_CLOSED_DUAL(se3_dual_cay, se3_dcay_inv_dual)

KERNEL lg_status se3_rate(const lg_factor_plan *f, real *out, const real *g, const real *xi, real *W, void *work)
{
    (void)f, (void)W, (void)work;
    so3_rotate(out, g + 3, xi);
    quaternion_rate(out + 3, g + 3, xi + 3);
    return LG_OK;
}

/* (m, n) -> (m x w, n x w + m x v). */
KERNEL void se3_coad(real *out, const real *xi, const real *p)
{
    real mv[3];
    small_cross(out, p, xi + 3);
    small_cross(out + 3, p + 3, xi + 3);
    small_cross(mv, p, xi);
    for (int i = 0; i < 3; i++) out[3 + i] = out[3 + i] + mv[i];
}

LG_CLOSED_SETTLE(se3_settle, 4, 3)

/* dr = R t, and Ad*_W (m, n) = (R^T m, R^T (n + m x t)). */
static void se3_increments(const lg_factor_plan *f, const real *W, const real *g, const real *rest, const real *p,
                           real *dg, real *dp)
{
    real y[3], moved[3];
    (void)f;
    so3_rotate(dg, g + 3, W);
    quaternion_increment(dg + 3, g + 3, rest + 3, W + 3);
    small_cross(y, p, W);
    for (int i = 0; i < 3; i++) moved[i] = p[3 + i] + y[i];
    quaternion_turn_increment(dp, W + 3, p);
    quaternion_turn_increment(dp + 3, W + 3, moved);
    for (int i = 0; i < 3; i++) dp[3 + i] = dp[3 + i] + y[i];
}

/* ---- the tables ---- */

static const lg_factor lg_factor_se3[] = {
    {
        .retractions = LG_SERVES(EXP),
        .facts = LG_FACTOR_EXPONENTIAL | LG_FACTOR_GEODESIC | LG_FACTOR_FUSED | LG_FACTOR_WIDE,
        .flow = {se3_flow_exp, se3_flow_exp},
        .advance = se3_advance_exp,
        .points = se3_points,
        .transport = se3_transport,
        .dual = se3_dual_exp,
        LG_FACTOR_RATES(se3),
        .increments = se3_increments,
    },
    {
        .retractions = LG_SERVES(CAYLEY),
        .facts = LG_FACTOR_FUSED | LG_FACTOR_WIDE,
        .flow = {se3_flow_cayley, se3_flow_cayley},
        .advance = se3_advance_cay,
        .points = se3_points,
        .transport = se3_transport,
        .dual = se3_dual_cay,
        LG_FACTOR_RATES(se3),
        .increments = se3_increments,
    },
    {
        .retractions = LG_SERVES(SERIES),
        .facts = LG_FACTOR_EXPONENTIAL | LG_FACTOR_GEODESIC | LG_FACTOR_WIDE,
        LG_GENERIC_FLOW,
        .advance = se3_advance_exp,
        .points = se3_points,
        .transport = se3_transport,
        .dual = se3_dual_exp,
        LG_FACTOR_RATES(se3),
    },
    {.retractions = LG_SERVES_ALL, LG_GENERIC_FLOW, LG_GENERIC_ARC, LG_FACTOR_RATES(se3)},
};
