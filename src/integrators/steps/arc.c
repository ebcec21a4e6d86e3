/* SPDX-License-Identifier: BSD-3-Clause */
/* What the open form needs of one factor: advance, points along the geodesic arc, Ad*. Where log tau(x) is parallel to
 * x: exp everywhere; Cayley on SO(3), log cay(x) = (2 atan(|x|/2)/|x|) x, and on SE(2) with the angle for |x|. */
#include "groups/se2.h"
#include "groups/se3.h"
#include "groups/so3.h"

#include "base/small.h"
#include "integrators/steps/gauss.h"
#include "integrators/engine/workspace.h"

/* A truncated series has the exponential for tau, and on R^n and T^n all retractions of ours are it. */
int lg_arc_is_exponential(const lg_factor_plan *f)
{
    const int abelian = f->group->kind == LG_KIND_RN || f->group->kind == LG_KIND_TORUS;
    return f->retraction->kind == LG_RETRACTION_EXP || f->retraction->kind == LG_RETRACTION_SERIES ||
           (abelian && f->retraction->kind != LG_RETRACTION_USER);
}

int lg_arc_is_geodesic(const lg_factor_plan *f)
{
    const int planar = f->group->kind == LG_KIND_SO3 || f->group->kind == LG_KIND_SE2;
    return lg_arc_is_exponential(f) || (planar && f->retraction->kind == LG_RETRACTION_CAYLEY);
}

/* arctan(u)/u for any u, from u^2. */
KERNEL real arctan_ratio(real u2)
{
    return arctan2_ratio(u2, splat(1));
}

/* ---- R^n and T^n ---- */

static int rn_advance(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,
                      real *k)
{
    (void)w;
    for (int i = 0; i < f->n; i++) W[i] = x[i], g1[i] = g0[i] + x[i];
    *k = splat(1);
    return 0;
}

static int torus_advance(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,
                         real *k)
{
    (void)w;
    for (int i = 0; i < f->n; i++) W[i] = x[i], g1[i] = lg_wrap(g0[i] + x[i]);
    *k = splat(1);
    return 0;
}

static int rn_points(lg_workspace *w, const lg_factor_plan *f, const lg_gauss *c, int count, const real *y,
                     const real *g0, real *U, real *g, int stride)
{
    (void)w, (void)U;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < f->n; i++) g[k * stride + i] = g0[i] + c[k].c * y[i];
    return 0;
}

static int torus_points(lg_workspace *w, const lg_factor_plan *f, const lg_gauss *c, int count, const real *y,
                        const real *g0, real *U, real *g, int stride)
{
    (void)w, (void)U;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < f->n; i++) g[k * stride + i] = lg_wrap(g0[i] + c[k].c * y[i]);
    return 0;
}

static int abelian_transport(lg_workspace *w, const lg_factor_plan *f, const real *W, const real *p, real *out)
{
    (void)w, (void)W;
    for (int i = 0; i < f->n; i++) out[i] = p[i];
    return 0;
}

/* ---- SO(3) ---- */

static int so3_advance_exp(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,
                           real *k)
{
    (void)w, (void)f;
    so3_exp(W, x);
    so3_compose(g1, g0, W);
    small_renormalise(4, g1);
    *k = splat(1);
    return 0;
}

static int so3_advance_cay(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,
                           real *k)
{
    (void)w, (void)f;
    so3_cay(W, x);
    so3_compose(g1, g0, W);
    small_renormalise(4, g1);
    *k = arctan_ratio(0.25 * so3_dot(x, x));
    return 0;
}

static int so3_points(lg_workspace *w, const lg_factor_plan *f, const lg_gauss *c, int count, const real *y,
                      const real *g0, real *U, real *g, int stride)
{
    (void)w, (void)f;
    for (int k = 0; k < count; k++, U += stride, g += stride) {
        real x[3];
        for (int i = 0; i < 3; i++) x[i] = c[k].c * y[i];
        so3_exp(U, x);
        so3_compose(g, g0, U);
    }
    return 0;
}

static int so3_transport(lg_workspace *w, const lg_factor_plan *f, const real *W, const real *p, real *out)
{
    (void)w, (void)f;
    so3_unrotate(out, W, p);
    return 0;
}

/* ---- SE(2), SE(3) ---- */

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
    *k = arctan_ratio(0.25 * x[2] * x[2]);
    return 0;
}

static int se2_points(lg_workspace *w, const lg_factor_plan *f, const lg_gauss *c, int count, const real *y,
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
    *k = splat(1); /* not geodesic; unused */
    return 0;
}

static int se3_points(lg_workspace *w, const lg_factor_plan *f, const lg_gauss *c, int count, const real *y,
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

/* ---- (dtau^-1_x)^* ---- */

static int abelian_dual(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *p, real *out)
{
    (void)w, (void)x;
    for (int i = 0; i < f->n; i++) out[i] = p[i];
    return 0;
}

#define DUAL(name)                                                                                                     \
    static int name##_dual(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *p, real *out)          \
    {                                                                                                                  \
        (void)w, (void)f;                                                                                              \
        name##_inv_dual(out, x, p);                                                                                    \
        return 0;                                                                                                      \
    }
DUAL(so3_dexp)
DUAL(so3_dcay)
DUAL(se2_dexp)
DUAL(se2_dcay)
DUAL(se3_dexp)
DUAL(se3_dcay)

static const lg_arc arc_rn = {rn_advance, rn_points, abelian_transport, abelian_dual},
                    arc_torus = {torus_advance, torus_points, abelian_transport, abelian_dual},
                    arc_so3_exp = {so3_advance_exp, so3_points, so3_transport, so3_dexp_dual},
                    arc_so3_cay = {so3_advance_cay, so3_points, so3_transport, so3_dcay_dual},
                    arc_se2_exp = {se2_advance_exp, se2_points, se2_transport, se2_dexp_dual},
                    arc_se2_cay = {se2_advance_cay, se2_points, se2_transport, se2_dcay_dual},
                    arc_se3_exp = {se3_advance_exp, se3_points, se3_transport, se3_dexp_dual},
                    arc_se3_cay = {se3_advance_cay, se3_points, se3_transport, se3_dcay_dual};

const lg_arc *lg_arc_choose(const lg_factor_plan *f)
{
    int exponential = lg_arc_is_exponential(f), cayley = f->retraction->kind == LG_RETRACTION_CAYLEY;
    switch (f->group->kind) {
    case LG_KIND_RN:
        return exponential ? &arc_rn : LG_WIDTH_1(&lg_arc_generic);
    case LG_KIND_TORUS:
        return exponential ? &arc_torus : LG_WIDTH_1(&lg_arc_generic);
    case LG_KIND_SO3:
        return exponential ? &arc_so3_exp : cayley ? &arc_so3_cay : LG_WIDTH_1(&lg_arc_generic);
    case LG_KIND_SE2:
        return exponential ? &arc_se2_exp : cayley ? &arc_se2_cay : LG_WIDTH_1(&lg_arc_generic);
    case LG_KIND_SE3:
        return exponential ? &arc_se3_exp : cayley ? &arc_se3_cay : LG_WIDTH_1(&lg_arc_generic);
    default:
        return LG_WIDTH_1(&lg_arc_generic);
    }
}

int lg_transport_all(lg_workspace *w, const real *W, const real *p, real *out)
{
    const lg_plan *P = w->plan;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (f->group->abelian) { /* Ad* is the identity */
            for (int i = f->offset; i < f->offset + f->n; i++) out[i] = p[i];
            continue;
        }
        if (w->arcs[k]->transport(w, f, W + f->element_offset, p + f->offset, out + f->offset)) return 1;
    }
    return 0;
}
