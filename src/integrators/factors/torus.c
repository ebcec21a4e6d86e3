/* SPDX-License-Identifier: BSD-3-Clause */
/* T^n: angles in (-pi, pi]. Every built-in retraction is the identity modulo 2 pi. */
#include "integrators/factors/abelian.h"

static int torus_flow(lg_workspace *w, const lg_block *b, duration h, const real *p_minus, real *xi, const real *g0,
                      real *g1, real *p_plus)
{
    (void)w;
    return abelian_flow(b, 1, h, p_minus, xi, g0, g1, p_plus);
}

static int torus_advance(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,
                         real *k)
{
    (void)w;
    for (int i = 0; i < f->n; i++) W[i] = x[i], g1[i] = lg_wrap(g0[i] + x[i]);
    *k = splat(1);
    return 0;
}

static int torus_points(lg_workspace *w, const lg_factor_plan *f, const lg_quadrature_node *c, int count, const real *y,
                        const real *g0, real *U, real *g, int stride)
{
    (void)w, (void)U;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < f->n; i++) g[k * stride + i] = lg_wrap(g0[i] + c[k].c * y[i]);
    return 0;
}

static void torus_settle(const lg_factor_plan *f, real *g)
{
    for (int i = 0; i < f->n; i++) g[i] = lg_wrap(g[i]);
}

static const lg_factor lg_factor_torus[] = {
    {
        .retractions = LG_SERVES_OURS,
        .facts = LG_FACTOR_EXPONENTIAL | LG_FACTOR_GEODESIC | LG_FACTOR_FUSED | LG_FACTOR_WIDE | LG_FACTOR_ANGLES |
                 LG_FACTOR_TURNS,
        .flow = {torus_flow, torus_flow},
        .advance = torus_advance,
        .points = torus_points,
        .transport = abelian_transport,
        .dual = abelian_dual,
        .rate = abelian_rate,
        .settle = torus_settle,
        .increments = abelian_increments,
    },
    {
        .retractions = LG_SERVES_ALL,
        .facts = LG_FACTOR_ANGLES | LG_FACTOR_TURNS,
        LG_GENERIC_FLOW,
        LG_GENERIC_ARC,
        .rate = abelian_rate,
        .settle = torus_settle,
    },
};
