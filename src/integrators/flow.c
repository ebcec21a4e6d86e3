/* SPDX-License-Identifier: BSD-3-Clause */
/* Fused flows, one a factor: given p = p^- less its potential part,
 *   solve (dtau^-1_{h xi})^* J xi = p,   g_1 = g_0 tau(h xi),   p' = Ad*_{tau(h xi)} p
 * (docs/theory.md section 3; the transported p carries the momentum exactly whatever Newton's residual is).
 * Newton starts at J^-1 p, converges quadratically and stops when the correction is below the tolerance (1e-8): the
 * next one would be round-off. A lane that is finished no longer moves. */
#include "groups/se2.h"
#include "groups/se3.h"
#include "groups/so3.h"

#include "base/small.h"
#include "integrators/engine.h"

typedef void (*dual_kernel)(real *out, const real *x, const real *mu);
typedef void (*derivative_kernel)(real *M, const real *x, const real *mu);

static int no_convergence(lg_work *w, const lg_block *b, int iterations, real residual2)
{
    double r = 0;
#if LANES == 1
    r = sqrt(residual2);
#else
    (void)residual2;
#endif
    lg_work_fail(w, LG_ERROR_CONVERGENCE, b->factor->group->name, 0, iterations, r);
    return -1;
}

/* xi from p for one factor; returns the iterations, or -1. */
K int legendre(lg_work *w, const lg_block *b, int n, int diagonal, dual_kernel dual, derivative_kernel derivative, double h,
               const real *p, real *xi)
{
    real x[6], v[6], F[6], M[36], D[36], column[6], image[6], d2 = splat(0);
    double tolerance2 = w->tolerance * w->tolerance;
    mask live = splat(0) < splat(1);
    small_apply(n, diagonal, xi, b->Jinv, p);
    for (int it = 1; it <= w->iterations_max; it++) {
        for (int i = 0; i < n; i++) x[i] = h * xi[i];
        small_apply(n, diagonal, v, b->J, xi);
        dual(F, x, v);
        derivative(D, x, v);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) column[i] = diagonal ? (i == j ? b->J[i] : splat(0)) : b->J[i * n + j];
            dual(image, x, column);
            for (int i = 0; i < n; i++) M[i * n + j] = image[i] + h * D[i * n + j];
        }
        for (int i = 0; i < n; i++) F[i] = F[i] - p[i];
        small_solve(n, M, F);
        for (int i = 0; i < n; i++) xi[i] = sel(live, xi[i] - F[i], xi[i]);
        d2 = small_dot(n, F, F);
        live = both(live, d2 > tolerance2 * small_dot(n, xi, xi));
        if (!any(live)) return it;
    }
    return no_convergence(w, b, w->iterations_max, d2);
}

/* q <- q / |q| */
K void unit(real *q)
{
    real r = 1.0 / root(small_dot(4, q, q));
    for (int i = 0; i < 4; i++) q[i] = q[i] * r;
}

/* Keeps a quaternion that is unit to round-off from drifting: one step of Newton for 1/|q|, no root. */
K void renormalise(real *q)
{
    real r = 1.5 - 0.5 * small_dot(4, q, q);
    for (int i = 0; i < 4; i++) q[i] = q[i] * r;
}

/* ---- R^n and T^n: xi = J^-1 p, g_1 = g_0 + h xi ---- */

K int abelian(const lg_block *b, int wrapped, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    int n = b->factor->n;
    small_apply(n, b->factor->diagonal, xi, b->Jinv, pm);
    for (int i = 0; i < n; i++) {
        real q = g0[i] + h * xi[i];
        g1[i] = wrapped ? lg_wrap(q) : q;
        pp[i] = pm[i];
    }
    return 0;
}

static int flow_rn(lg_work *w, const lg_block *b, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    (void)w;
    return abelian(b, 0, h, pm, xi, g0, g1, pp);
}

static int flow_torus(lg_work *w, const lg_block *b, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    (void)w;
    return abelian(b, 1, h, pm, xi, g0, g1, pp);
}

/* ---- SO(3) with Cayley: p = J xi + (h/2) xi x J xi + (h^2/4)(xi.J xi) xi, a polynomial ---- */

K int legendre_cayley(lg_work *w, const lg_block *b, int diagonal, double h, const real *p, real *xi)
{
    double k = 0.5 * h, k2 = k * k, tolerance2 = w->tolerance * w->tolerance;
    real v[3], F[3], M[9], d2 = splat(0);
    mask live = splat(0) < splat(1);
    small_apply(3, diagonal, xi, b->Jinv, p);
    for (int it = 1; it <= w->iterations_max; it++) {
        small_apply(3, diagonal, v, b->J, xi);
        real s = k2 * small_dot(3, xi, v);
        small_cross(F, xi, v);
        for (int i = 0; i < 3; i++) F[i] = v[i] + k * F[i] + s * xi[i] - p[i];
        for (int i = 0; i < 3; i++) { /* J + (h/2)(xi^ J - (J xi)^) + (h^2/4)((xi.J xi) + 2 xi (J xi)^T) */
            int a = (i + 1) % 3, c = (i + 2) % 3;
            for (int j = 0; j < 3; j++) {
                real m = (2 * k2) * xi[i] * v[j];
                if (!diagonal) m = m + b->J[3 * i + j] + k * (xi[a] * b->J[3 * c + j] - xi[c] * b->J[3 * a + j]);
                else if (j == i) m = m + b->J[i];
                else if (j == c) m = m + k * (xi[a] * b->J[c]);
                else m = m - k * (xi[c] * b->J[a]);
                if (j == i) m = m + s;
                else if (j == c) m = m - k * v[a];
                else m = m + k * v[c];
                M[3 * i + j] = m;
            }
        }
        small_solve3(M, F);
        for (int i = 0; i < 3; i++) xi[i] = sel(live, xi[i] - F[i], xi[i]);
        d2 = small_dot(3, F, F);
        live = both(live, d2 > tolerance2 * small_dot(3, xi, xi));
        if (!any(live)) return it;
    }
    return no_convergence(w, b, w->iterations_max, d2);
}

K int so3_cayley(lg_work *w, const lg_block *b, int diagonal, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    int it = legendre_cayley(w, b, diagonal, h, pm, xi);
    real q[4] = {(0.5 * h) * xi[0], (0.5 * h) * xi[1], (0.5 * h) * xi[2], splat(1)}, c[3], d[3];
    real f = 2.0 / (1.0 + small_dot(3, q, q));
    so3_compose(g1, g0, q);
    unit(g1);
    small_cross(c, pm, q); /* W^T p = p + f (p x u + (p x u) x u), u = h xi/2 */
    small_cross(d, c, q);
    for (int i = 0; i < 3; i++) pp[i] = pm[i] + f * (c[i] + d[i]);
    return it;
}

static int flow_so3_cayley_diagonal(lg_work *w, const lg_block *b, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    return so3_cayley(w, b, 1, h, pm, xi, g0, g1, pp);
}

static int flow_so3_cayley(lg_work *w, const lg_block *b, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    return so3_cayley(w, b, 0, h, pm, xi, g0, g1, pp);
}

/* ---- SO(3) with exp ---- */

K int so3_exponential(lg_work *w, const lg_block *b, int diagonal, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    real x[3], q[4];
    int it = legendre(w, b, 3, diagonal, so3_dexp_inv_dual, so3_dexp_inv_dual_derivative, h, pm, xi);
    for (int i = 0; i < 3; i++) x[i] = h * xi[i];
    so3_exp(q, x);
    so3_compose(g1, g0, q);
    renormalise(g1);
    so3_unrotate(pp, q, pm);
    return it;
}

static int flow_so3_exp_diagonal(lg_work *w, const lg_block *b, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    return so3_exponential(w, b, 1, h, pm, xi, g0, g1, pp);
}

static int flow_so3_exp(lg_work *w, const lg_block *b, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    return so3_exponential(w, b, 0, h, pm, xi, g0, g1, pp);
}

/* ---- SE(2), SE(3) ---- */

typedef void (*map_kernel)(real *g, const real *x);

/* (cos, sin) back on the circle. */
K void renormalise2(real *z)
{
    real r = 1.5 - 0.5 * (z[0] * z[0] + z[1] * z[1]);
    z[0] = z[0] * r, z[1] = z[1] * r;
}

K int planar(lg_work *w, const lg_block *b, dual_kernel dual, derivative_kernel derivative, map_kernel map, double h, const real *pm,
             real *xi, const real *g0, real *g1, real *pp)
{
    real x[3], W[4];
    int it = legendre(w, b, 3, b->factor->diagonal, dual, derivative, h, pm, xi);
    for (int i = 0; i < 3; i++) x[i] = h * xi[i];
    map(W, x);
    se2_compose(g1, g0, W);
    renormalise2(g1 + 2);
    se2_coAd(pp, W, pm);
    return it;
}

K int spatial(lg_work *w, const lg_block *b, dual_kernel dual, derivative_kernel derivative, map_kernel map, double h, const real *pm,
              real *xi, const real *g0, real *g1, real *pp)
{
    real x[6], W[7];
    int it = legendre(w, b, 6, b->factor->diagonal, dual, derivative, h, pm, xi);
    for (int i = 0; i < 6; i++) x[i] = h * xi[i];
    map(W, x);
    se3_compose(g1, g0, W);
    renormalise(g1 + 3);
    se3_coAd(pp, W, pm);
    return it;
}

static int flow_se2_exp(lg_work *w, const lg_block *b, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    return planar(w, b, se2_dexp_inv_dual, se2_dexp_inv_dual_derivative, se2_exp, h, pm, xi, g0, g1, pp);
}

static int flow_se2_cayley(lg_work *w, const lg_block *b, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    return planar(w, b, se2_dcay_inv_dual, se2_dcay_inv_dual_derivative, se2_cay, h, pm, xi, g0, g1, pp);
}

static int flow_se3_exp(lg_work *w, const lg_block *b, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    return spatial(w, b, se3_dexp_inv_dual, se3_dexp_inv_dual_derivative, se3_exp, h, pm, xi, g0, g1, pp);
}

static int flow_se3_cayley(lg_work *w, const lg_block *b, double h, const real *pm, real *xi, const real *g0, real *g1, real *pp)
{
    return spatial(w, b, se3_dcay_inv_dual, se3_dcay_inv_dual_derivative, se3_cay, h, pm, xi, g0, g1, pp);
}

lg_flow lg_flow_choose(const lg_factor_plan *f)
{
    int exponential = f->retraction->kind == LG_RETRACTION_EXP;
    if (f->generic) return lg_flow_generic;
    switch (f->group->kind) {
    case LG_KIND_RN: return flow_rn;
    case LG_KIND_TORUS: return flow_torus;
    case LG_KIND_SO3:
        if (exponential) return f->diagonal ? flow_so3_exp_diagonal : flow_so3_exp;
        return f->diagonal ? flow_so3_cayley_diagonal : flow_so3_cayley;
    case LG_KIND_SE2: return exponential ? flow_se2_exp : flow_se2_cayley;
    case LG_KIND_SE3: return exponential ? flow_se3_exp : flow_se3_cayley;
    case LG_KIND_USER:
    case LG_KIND_QUADRATIC:
    case LG_KIND_PRODUCT: break;
    }
    return lg_flow_generic;
}
