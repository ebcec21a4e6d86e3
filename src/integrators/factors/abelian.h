/* SPDX-License-Identifier: BSD-3-Clause */
/* What R^n and T^n share: Ad* and the tangents of every retraction of ours are the identity. */
#ifndef LG_INTEGRATORS_FACTORS_ABELIAN_H
#define LG_INTEGRATORS_FACTORS_ABELIAN_H

#include "integrators/engine/workspace.h"
#include "integrators/steps/quadrature.h"

#include "base/small.h"

/* xi = J^-1 p, g_1 = g_0 + h xi. */
KERNEL int abelian_flow(const lg_block *b, int wrapped, duration h, const real *p_minus, real *xi, const real *g0,
                        real *g1, real *p_plus)
{
    const int n = b->factor->n, diagonal = b->factor->diagonal;
    const real *Jinv = b->Jinv;
    if (!diagonal) small_apply(n, 0, xi, Jinv, p_minus);
    for (int i = 0; i < n; i++) {
        const real p = p_minus[i], x = diagonal ? Jinv[i] * p : xi[i], q = g0[i] + h * x;
        xi[i] = x;
        g1[i] = wrapped ? lg_wrap(q) : q;
        p_plus[i] = p;
    }
    return 0;
}

static inline int abelian_transport(lg_workspace *w, const lg_factor_plan *f, const real *W, const real *p, real *out)
{
    (void)w, (void)W;
    for (int i = 0; i < f->n; i++) out[i] = p[i];
    return 0;
}

static inline int abelian_dual(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *p, real *out)
{
    (void)w, (void)x;
    for (int i = 0; i < f->n; i++) out[i] = p[i];
    return 0;
}

static inline lg_status abelian_rate(const lg_factor_plan *f, real *out, const real *g, const real *xi, real *W,
                                     void *work)
{
    (void)g, (void)W, (void)work;
    for (int i = 0; i < f->n; i++) out[i] = xi[i];
    return LG_OK;
}

/* Nothing to settle on R^n. */
static inline void abelian_settle(const lg_factor_plan *f, real *g)
{
    (void)f, (void)g;
}

static inline void abelian_increments(const lg_factor_plan *f, const real *W, const real *g, const real *rest,
                                      const real *p, real *dg, real *dp)
{
    (void)g, (void)rest, (void)p;
    for (int i = 0; i < f->n; i++) dg[i] = W[i], dp[i] = splat(0);
}

#endif
