/* SPDX-License-Identifier: BSD-3-Clause */
/* SE(2) as (x, y, cos, sin). Cayley is geodesic: log cay(x) = (2 atan(w/2)/w) x, w the angle of x. */
#include "groups/se2.h"

#include "integrators/factors/legendre.h"
#include "integrators/factors/rotation.h"
#include "integrators/steps/quadrature.h"

KERNEL int se2_step(lg_workspace *w, const lg_block *b, legendre_dual dual, legendre_derivative derivative,
                    legendre_map map, double h, const real *p_minus, real *xi, const real *g0, real *g1, real *p_plus)
{
    real x[3], W[4];
    int it = legendre_solve(w, b, 3, b->factor->diagonal, dual, derivative, h, p_minus, xi);
    for (int i = 0; i < 3; i++) x[i] = h * xi[i];
    map(W, x);
    se2_compose(g1, g0, W);
    small_renormalise(2, g1 + 2);
    se2_coAd(p_plus, W, p_minus);
    return it;
}

static int se2_flow_exp(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                        real *g1, real *p_plus)
{
    return se2_step(w, b, se2_dexp_inv_dual, se2_dexp_inv_dual_derivative, se2_exp, h, p_minus, xi, g0, g1, p_plus);
}

static int se2_flow_cayley(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                           real *g1, real *p_plus)
{
    return se2_step(w, b, se2_dcay_inv_dual, se2_dcay_inv_dual_derivative, se2_cay, h, p_minus, xi, g0, g1, p_plus);
}

/* ---- the arc ---- */

static int se2_advance_exp(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,
                           real *k)
{
    (void)w, (void)f;
    se2_exp(W, x);
    se2_compose(g1, g0, W);
    small_renormalise(2, g1 + 2);
    *k = splat(1);
    return 0;
}

static int se2_advance_cay(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,
                           real *k)
{
    (void)w, (void)f;
    se2_cay(W, x);
    se2_compose(g1, g0, W);
    small_renormalise(2, g1 + 2);
    *k = arctan2_ratio(0.25 * x[2] * x[2], splat(1));
    return 0;
}

static int se2_points(lg_workspace *w, const lg_factor_plan *f, const lg_quadrature_node *c, int count, const real *y,
                      const real *g0, real *U, real *g, int stride)
{
    (void)w, (void)f;
    for (int k = 0; k < count; k++, U += stride, g += stride) {
        real x[3];
        for (int i = 0; i < 3; i++) x[i] = c[k].c * y[i];
        se2_exp(U, x);
        se2_compose(g, g0, U);
    }
    return 0;
}

static int se2_transport(lg_workspace *w, const lg_factor_plan *f, const real *W, const real *p, real *out)
{
    (void)w, (void)f;
    se2_coAd(out, W, p);
    return 0;
}

static int se2_dual_exp(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *p, real *out)
{
    (void)w, (void)f;
    se2_dexp_inv_dual(out, x, p);
    return 0;
}

static int se2_dual_cay(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *p, real *out)
{
    (void)w, (void)f;
    se2_dcay_inv_dual(out, x, p);
    return 0;
}

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

static void se2_settle(const lg_factor_plan *f, real *g)
{
    (void)f;
    small_renormalise(2, g + 2);
}

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
