/* SPDX-License-Identifier: BSD-3-Clause */
/* R^n: vectors under addition. Every built-in retraction is the identity: xi = J^-1 p, g_1 = g_0 + h xi. */
#include "integrators/factors/abelian.h"

static int rn_flow(lg_workspace *w, const lg_block *b, duration h, const real *p_minus, real *xi, const real *g0,
                   real *g1, real *p_plus)
{
    (void)w;
    return abelian_flow(b, 0, h, p_minus, xi, g0, g1, p_plus);
}

static int rn_advance(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,
                      real *k)
{
    (void)w;
    for (int i = 0; i < f->n; i++) W[i] = x[i], g1[i] = g0[i] + x[i];
    *k = splat(1);
    return 0;
}

static int rn_points(lg_workspace *w, const lg_factor_plan *f, const lg_quadrature_node *c, int count, const real *y,
                     const real *g0, real *U, real *g, int stride)
{
    (void)w, (void)U;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < f->n; i++) g[k * stride + i] = g0[i] + c[k].c * y[i];
    return 0;
}

static const lg_factor lg_factor_rn[] = {
    {
        .retractions = LG_SERVES_OURS,
        .facts = LG_FACTOR_EXPONENTIAL | LG_FACTOR_GEODESIC | LG_FACTOR_FUSED | LG_FACTOR_WIDE,
        .flow = {rn_flow, rn_flow},
        .advance = rn_advance,
        .points = rn_points,
        .transport = abelian_transport,
        .dual = abelian_dual,
        .rate = abelian_rate,
        .settle = abelian_settle,
        .increments = abelian_increments,
    },
    {.retractions = LG_SERVES_ALL, LG_GENERIC_FLOW, LG_GENERIC_ARC, .rate = abelian_rate, .settle = abelian_settle},
};
