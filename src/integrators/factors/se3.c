/* SPDX-License-Identifier: BSD-3-Clause */
/* SE(3) as (translation, unit quaternion). Cayley is not geodesic here. */
#include "groups/se3.h"

#include "integrators/factors/legendre.h"
#include "integrators/factors/rotation.h"
#include "integrators/steps/quadrature.h"

KERNEL int se3_step(lg_workspace *w, const lg_block *b, legendre_dual dual, legendre_derivative derivative,
                    legendre_map map, double h, const real *p_minus, real *xi, const real *g0, real *g1, real *p_plus)
{
    real x[6], W[7];
    int it = legendre_solve(w, b, 6, b->factor->diagonal, dual, derivative, h, p_minus, xi);
    for (int i = 0; i < 6; i++) x[i] = h * xi[i];
    map(W, x);
    se3_compose(g1, g0, W);
    small_renormalise(4, g1 + 3);
    se3_coAd(p_plus, W, p_minus);
    return it;
}

static int se3_flow_exp(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                        real *g1, real *p_plus)
{
    return se3_step(w, b, se3_dexp_inv_dual, se3_dexp_inv_dual_derivative, se3_exp, h, p_minus, xi, g0, g1, p_plus);
}

static int se3_flow_cayley(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                           real *g1, real *p_plus)
{
    return se3_step(w, b, se3_dcay_inv_dual, se3_dcay_inv_dual_derivative, se3_cay, h, p_minus, xi, g0, g1, p_plus);
}

/* ---- the arc ---- */

static int se3_advance_exp(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,
                           real *k)
{
    (void)w, (void)f;
    se3_exp(W, x);
    se3_compose(g1, g0, W);
    small_renormalise(4, g1 + 3);
    *k = splat(1);
    return 0;
}

static int se3_advance_cay(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,
                           real *k)
{
    (void)w, (void)f;
    se3_cay(W, x);
    se3_compose(g1, g0, W);
    small_renormalise(4, g1 + 3);
    *k = splat(1); /* not geodesic */
    return 0;
}

static int se3_points(lg_workspace *w, const lg_factor_plan *f, const lg_quadrature_node *c, int count, const real *y,
                      const real *g0, real *U, real *g, int stride)
{
    (void)w, (void)f;
    for (int k = 0; k < count; k++, U += stride, g += stride) {
        real x[6];
        for (int i = 0; i < 6; i++) x[i] = c[k].c * y[i];
        se3_exp(U, x);
        se3_compose(g, g0, U);
    }
    return 0;
}

static int se3_transport(lg_workspace *w, const lg_factor_plan *f, const real *W, const real *p, real *out)
{
    (void)w, (void)f;
    se3_coAd(out, W, p);
    return 0;
}

static int se3_dual_exp(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *p, real *out)
{
    (void)w, (void)f;
    se3_dexp_inv_dual(out, x, p);
    return 0;
}

static int se3_dual_cay(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *p, real *out)
{
    (void)w, (void)f;
    se3_dcay_inv_dual(out, x, p);
    return 0;
}

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

static void se3_settle(const lg_factor_plan *f, real *g)
{
    (void)f;
    small_renormalise(4, g + 3);
}

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
