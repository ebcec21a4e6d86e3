/* SPDX-License-Identifier: BSD-3-Clause */
/* SO(2) as (cos, sin). Ad is the identity, and so is the tangent of the exponential, which coordinates of the second
 * kind and truncated series are here: xi = J^-1 p, g_1 = g_0 exp(h xi). Cayley: log cay(x) = 2 atan(x/2). */
#include "groups/so2.h"

#include "integrators/factors/closed.h"
#include "integrators/factors/rotation.h"

/* ---- flows ---- */

/* g_1 = g_0 W, kept at length 1. */
KERNEL void so2_move(real *g1, const real *g0, const real *W)
{
    so2_compose(g1, g0, W);
    small_renormalise(2, g1);
}

static int so2_flow_exp(lg_workspace *w, const lg_block *b, duration h, const real *p_minus, real *xi, const real *g0,
                        real *g1, real *p_plus)
{
    real x[1], W[2];
    (void)w;
    xi[0] = b->Jinv[0] * p_minus[0];
    x[0] = h * xi[0];
    so2_exp(W, x);
    so2_move(g1, g0, W);
    p_plus[0] = p_minus[0];
    return 0;
}

static int so2_flow_cayley(lg_workspace *w, const lg_block *b, duration h, const real *p_minus, real *xi,
                           const real *g0, real *g1, real *p_plus)
{
    real x[1], W[2];
    int it = legendre_solve(w, b, 1, 1, so2_dcay_inv_dual, so2_dcay_inv_dual_derivative, h, p_minus, xi);
    x[0] = h * xi[0];
    so2_cay(W, x);
    so2_move(g1, g0, W);
    p_plus[0] = p_minus[0];
    return it;
}

/* ---- the arc ---- */

LG_CLOSED_ADVANCE(so2_advance_exp, so2, exp, 2, 0, splat(1))
LG_CLOSED_ADVANCE(so2_advance_cay, so2, cay, 2, 0, arctan2_ratio(0.25 * x[0] * x[0], splat(1)))
LG_CLOSED_POINTS(so2_points, so2, 1)

/* Ad* = 1, and (dexp^-1_x)^* = 1. */
static int so2_transport(lg_workspace *w, const lg_factor_plan *f, const real *W, const real *p, real *out)
{
    (void)w, (void)f, (void)W;
    out[0] = p[0];
    return 0;
}

LG_CLOSED_DUAL(so2_dual_cay, so2_dcay_inv_dual)

static lg_status so2_rate(const lg_factor_plan *f, real *out, const real *g, const real *xi, real *W, void *work)
{
    (void)f, (void)W, (void)work;
    out[0] = -g[1] * xi[0];
    out[1] = g[0] * xi[0];
    return LG_OK;
}

static void so2_coad(real *out, const real *xi, const real *p)
{
    (void)xi, (void)p;
    out[0] = splat(0);
}

LG_CLOSED_SETTLE(so2_settle, 2, 0)

static void so2_increments(const lg_factor_plan *f, const real *W, const real *g, const real *rest, const real *p,
                           real *dg, real *dp)
{
    (void)f, (void)p;
    plane_increment(dg, g, rest, W);
    dp[0] = splat(0);
}

/* ---- the tables ---- */

static const lg_factor lg_factor_so2[] = {
    {
        .retractions = LG_SERVES(EXP) | LG_SERVES(SECOND_KIND) | LG_SERVES(SERIES),
        .facts = LG_FACTOR_EXPONENTIAL | LG_FACTOR_GEODESIC | LG_FACTOR_FUSED | LG_FACTOR_WIDE | LG_FACTOR_TURNS,
        .flow = {so2_flow_exp, so2_flow_exp},
        .advance = so2_advance_exp,
        .points = so2_points,
        .transport = so2_transport,
        .dual = so2_transport,
        LG_FACTOR_RATES(so2),
        .increments = so2_increments,
    },
    {
        .retractions = LG_SERVES(CAYLEY),
        .facts = LG_FACTOR_GEODESIC | LG_FACTOR_FUSED | LG_FACTOR_WIDE,
        .flow = {so2_flow_cayley, so2_flow_cayley},
        .advance = so2_advance_cay,
        .points = so2_points,
        .transport = so2_transport,
        .dual = so2_dual_cay,
        LG_FACTOR_RATES(so2),
        .increments = so2_increments,
    },
    {.retractions = LG_SERVES_ALL, LG_GENERIC_FLOW, LG_GENERIC_ARC, LG_FACTOR_RATES(so2)},
};
