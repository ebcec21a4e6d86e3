/* SPDX-License-Identifier: BSD-3-Clause */
/* SE(2) as (x, y, cos, sin). Cayley is geodesic: log cay(x) = (2 atan(w/2)/w) x, w the angle of x. */
#include "groups/se2.h"

#include "integrators/factors/closed.h"
#include "integrators/factors/rotation.h"

LG_CLOSED_FLOW(se2_flow_exp, se2, exp, 3, 4, 2, 2)
LG_CLOSED_FLOW(se2_flow_cayley, se2, cay, 3, 4, 2, 2)

/* ---- the arc ---- */

LG_CLOSED_ADVANCE(se2_advance_exp, se2, exp, 2, 2, splat(1))
LG_CLOSED_ADVANCE(se2_advance_cay, se2, cay, 2, 2, arctan2_ratio(0.25 * x[2] * x[2], splat(1)))
LG_CLOSED_POINTS(se2_points, se2, 3)
LG_CLOSED_DUAL(se2_transport, se2_coAd)
LG_CLOSED_DUAL(se2_dual_exp, se2_dexp_inv_dual)
LG_CLOSED_DUAL(se2_dual_cay, se2_dcay_inv_dual)

KERNEL lg_status se2_rate(const lg_factor_plan *f, real *out, const real *g, const real *xi, real *W, void *work)
{
    (void)f, (void)W, (void)work;
    out[0] = g[2] * xi[0] - g[3] * xi[1];
    out[1] = g[3] * xi[0] + g[2] * xi[1];
    out[2] = -g[3] * xi[2];
    out[3] = g[2] * xi[2];
    return LG_OK;
}

/* (w p_2, -w p_1, v_2 p_1 - v_1 p_2). */
KERNEL void se2_coad(real *out, const real *xi, const real *p)
{
    out[0] = xi[2] * p[1];
    out[1] = -xi[2] * p[0];
    out[2] = xi[1] * p[0] - xi[0] * p[1];
}

LG_CLOSED_SETTLE(se2_settle, 2, 2)

/* dr = R t, and Ad*_W (m, n) = (R^T m, n + t_2 m_1 - t_1 m_2). */
static void se2_increments(const lg_factor_plan *f, const real *W, const real *g, const real *rest, const real *p,
                           real *dg, real *dp)
{
    const real d = 1.0 - W[2], r = 0.5 * plane_excess(W + 2, d);
    (void)f;
    dg[0] = g[2] * W[0] - g[3] * W[1];
    dg[1] = g[3] * W[0] + g[2] * W[1];
    plane_increment(dg + 2, g + 2, rest + 2, W + 2);
    dp[0] = (W[3] * p[1] - d * p[0]) - r * p[0];
    dp[1] = (-W[3] * p[0] - d * p[1]) - r * p[1];
    dp[2] = W[1] * p[0] - W[0] * p[1];
}

/* ---- the tables ---- */

static const lg_factor lg_factor_se2[] = {
    {
        .retractions = LG_SERVES(EXP),
        .facts = LG_FACTOR_EXPONENTIAL | LG_FACTOR_GEODESIC | LG_FACTOR_FUSED | LG_FACTOR_WIDE,
        .flow = {se2_flow_exp, se2_flow_exp},
        .advance = se2_advance_exp,
        .points = se2_points,
        .transport = se2_transport,
        .dual = se2_dual_exp,
        LG_FACTOR_RATES(se2),
        .increments = se2_increments,
    },
    {
        .retractions = LG_SERVES(CAYLEY),
        .facts = LG_FACTOR_GEODESIC | LG_FACTOR_FUSED | LG_FACTOR_WIDE,
        .flow = {se2_flow_cayley, se2_flow_cayley},
        .advance = se2_advance_cay,
        .points = se2_points,
        .transport = se2_transport,
        .dual = se2_dual_cay,
        LG_FACTOR_RATES(se2),
        .increments = se2_increments,
    },
    {
        .retractions = LG_SERVES(SERIES),
        .facts = LG_FACTOR_EXPONENTIAL | LG_FACTOR_GEODESIC | LG_FACTOR_WIDE,
        LG_GENERIC_FLOW,
        .advance = se2_advance_exp,
        .points = se2_points,
        .transport = se2_transport,
        .dual = se2_dual_exp,
        LG_FACTOR_RATES(se2),
    },
    {.retractions = LG_SERVES_ALL, LG_GENERIC_FLOW, LG_GENERIC_ARC, LG_FACTOR_RATES(se2)},
};
