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
#include "integrators/engine/workspace.h"

typedef void (*dual_kernel)(real *out, const real *x, const real *mu);
typedef void (*derivative_kernel)(real *M, const real *x, const real *mu);

static int no_convergence(lg_workspace *w, const lg_block *b, int iterations, double residual2)
{
    lg_workspace_fail(w, LG_ERROR_CONVERGENCE, b->factor->group->name, 0, iterations, sqrt(residual2));
    return -1;
}

/* The iterations of every lane, for the node: at width 1 what the flow returns. */
KERNEL void note_iterations(lg_workspace *w, real count)
{
    if (LANES > 1) w->flow_iterations = greater(w->flow_iterations, count);
}

/* xi from p for one factor; returns the iterations, or -1. */
KERNEL int legendre(lg_workspace *w, const lg_block *b, int n, int diagonal, dual_kernel dual,
                    derivative_kernel derivative, double h, const real *p, real *xi)
{
    real x[6], v[6], F[6], M[36], D[36], column[6], snapshot[6], d2 = splat(0), count = splat(0);
    double tolerance2 = w->tolerance * w->tolerance;
    mask live = every_lane();
    small_apply(n, diagonal, xi, b->Jinv, p);
    for (int it = 1; it <= w->iterations_max; it++) {
        for (int i = 0; i < n; i++) x[i] = h * xi[i];
        small_apply(n, diagonal, v, b->J, xi);
        dual(F, x, v);
        derivative(D, x, v);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) column[i] = diagonal ? (i == j ? b->J[i] : splat(0)) : b->J[i * n + j];
            dual(snapshot, x, column);
            for (int i = 0; i < n; i++) M[i * n + j] = snapshot[i] + h * D[i * n + j];
        }
        for (int i = 0; i < n; i++) F[i] = F[i] - p[i];
        small_solve(n, M, F);
        for (int i = 0; i < n; i++) xi[i] = sel(live, xi[i] - F[i], xi[i]);
        d2 = small_dot(n, F, F);
        if (LANES > 1) count = sel(live, splat(it), count);
        live = both(live, d2 > tolerance2 * small_dot(n, xi, xi));
        if (any(live)) continue;
        note_iterations(w, count);
        return it;
    }
    return no_convergence(w, b, w->iterations_max, lane_of(d2, 0));
}

/* ---- R^n and T^n: xi = J^-1 p, g_1 = g_0 + h xi ---- */

KERNEL int abelian(const lg_block *b, int wrapped, double h, const real *p_minus, real *xi, const real *g0, real *g1,
                   real *p_plus)
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

static int flow_rn(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                   real *g1, real *p_plus)
{
    (void)w;
    return abelian(b, 0, h, p_minus, xi, g0, g1, p_plus);
}

static int flow_torus(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                      real *g1, real *p_plus)
{
    (void)w;
    return abelian(b, 1, h, p_minus, xi, g0, g1, p_plus);
}

/* ---- SO(3) with Cayley: p = J xi + (h/2) xi x J xi + (h^2/4)(xi.J xi) xi, a polynomial ---- */

/* e = M^-1 F by cofactors; the numerators do not wait for the one division. */
KERNEL void solve3(real *e, const real *M, const real *F)
{
    real c0[3], c1[3], c2[3];
    small_cross(c0, M + 3, M + 6);
    small_cross(c1, M + 6, M);
    small_cross(c2, M, M + 3);
    const real r = 1.0 / (M[0] * c0[0] + (M[1] * c0[1] + M[2] * c0[2]));
    const real x = c0[0] * F[0] + (c1[0] * F[1] + c2[0] * F[2]);
    const real y = c0[1] * F[0] + (c1[1] * F[1] + c2[1] * F[2]);
    const real z = c0[2] * F[0] + (c1[2] * F[1] + c2[2] * F[2]);
    e[0] = r * x, e[1] = r * y, e[2] = r * z;
}

/* With v = J u: F = v + u x v + (u.v) u - P and M = dF/du = J + u^ J - v^ + (u.v) + 2 u v^T. */
KERNEL void cayley_residual(real *F, real *M, const real *J, int diagonal, const real *u, const real *P)
{
    real v[3], c[3], t[3];
    small_apply(3, diagonal, v, J, u);
    const real s = u[0] * v[0] + (u[1] * v[1] + u[2] * v[2]);
    for (int i = 0; i < 3; i++) t[i] = u[i] + u[i];
    if (diagonal) { /* u^ J - v^ has (0,1) = u_2 (J_2 - J_1), (0,2) = u_1 (J_2 - J_1) and so on */
        const real a = J[2] - J[1], b = J[0] - J[2], d = J[1] - J[0];
        const real au = a * u[2], bu = b * u[0], du = d * u[1];
        c[0] = au * u[1], c[1] = bu * u[2], c[2] = du * u[0];
        M[0] = (J[0] + s) + t[0] * v[0], M[1] = au + t[0] * v[1], M[2] = a * u[1] + t[0] * v[2];
        M[3] = b * u[2] + t[1] * v[0], M[4] = (J[1] + s) + t[1] * v[1], M[5] = bu + t[1] * v[2];
        M[6] = du + t[2] * v[0], M[7] = d * u[0] + t[2] * v[1], M[8] = (J[2] + s) + t[2] * v[2];
    } else {
        small_cross(c, u, v);
        for (int j = 0; j < 3; j++) {
            M[j] = (J[j] + t[0] * v[j]) + (u[1] * J[6 + j] - u[2] * J[3 + j]);
            M[3 + j] = (J[3 + j] + t[1] * v[j]) + (u[2] * J[j] - u[0] * J[6 + j]);
            M[6 + j] = (J[6 + j] + t[2] * v[j]) + (u[0] * J[3 + j] - u[1] * J[j]);
        }
        M[0] = M[0] + s, M[1] = M[1] + v[2], M[2] = M[2] - v[1];
        M[3] = M[3] - v[2], M[4] = M[4] + s, M[5] = M[5] + v[0];
        M[6] = M[6] + v[1], M[7] = M[7] - v[0], M[8] = M[8] + s;
    }
    for (int i = 0; i < 3; i++) F[i] = (v[i] - P[i]) + (c[i] + s * u[i]);
}

/* u = h xi/2 from p. */
KERNEL int legendre_cayley(lg_workspace *w, const lg_block *b, int diagonal, double h, const real *p, real *u)
{
    const double tolerance2 = w->tolerance * w->tolerance;
    const int most = w->iterations_max;
    real J[9], F[3], M[9], e[3], P[3], d2 = splat(0), count = splat(0);
    mask live = every_lane();
    for (int i = 0; i < (diagonal ? 3 : 9); i++) J[i] = b->J[i];
    for (int i = 0; i < 3; i++) P[i] = (0.5 * h) * p[i];
    small_apply(3, diagonal, u, b->Jinv, P);
    for (int it = 1; it <= most; it++) {
        cayley_residual(F, M, J, diagonal, u, P);
        solve3(e, M, F);
        for (int i = 0; i < 3; i++) u[i] = sel(live, u[i] - e[i], u[i]);
        d2 = small_dot(3, e, e);
        if (LANES > 1) count = sel(live, splat(it), count);
        live = both(live, d2 > tolerance2 * small_dot(3, u, u));
        if (any(live)) continue;
        note_iterations(w, count);
        return it;
    }
    return no_convergence(w, b, most, lane_of(d2, 0) * (4 / (h * h)));
}

/* g_1 = g_0 (u, 1)/sqrt(1 + |u|^2), f = 2/(1 + |u|^2); the factor 1.5 - |g_0|^2/2 keeps round-off from adding up. */
KERNEL void advance_cayley(real *g1, const real *g0, const real *u, real f)
{
    const real q[4] = {u[0], u[1], u[2], splat(1)}, r = (1.5 - 0.5 * small_dot(4, g0, g0)) * root(0.5 * f);
    real g[4];
    so3_compose(g, g0, q);
    for (int i = 0; i < 4; i++) g1[i] = r * g[i];
}

KERNEL int so3_cayley(lg_workspace *w, const lg_block *b, int diagonal, double h, const real *p_minus, real *xi,
                      const real *g0, real *g1, real *p_plus)
{
    const real p[3] = {p_minus[0], p_minus[1], p_minus[2]};
    const double k = 2 / h;
    real u[3], c[3], d[3];
    int it = legendre_cayley(w, b, diagonal, h, p, u);
    if (it < 0) return it;
    const real f = 2.0 / (1.0 + small_dot(3, u, u));
    small_cross(c, p, u); /* W^T p = p + f (p x u + (p x u) x u) */
    small_cross(d, c, u);
    for (int i = 0; i < 3; i++) p_plus[i] = p[i] + f * (c[i] + d[i]);
    for (int i = 0; i < 3; i++) xi[i] = k * u[i];
    advance_cayley(g1, g0, u, f);
    return it;
}

static int flow_so3_cayley_diagonal(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi,
                                    const real *g0, real *g1, real *p_plus)
{
    return so3_cayley(w, b, 1, h, p_minus, xi, g0, g1, p_plus);
}

static int flow_so3_cayley(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                           real *g1, real *p_plus)
{
    return so3_cayley(w, b, 0, h, p_minus, xi, g0, g1, p_plus);
}

/* ---- SO(3) with exp ---- */

KERNEL int so3_exponential(lg_workspace *w, const lg_block *b, int diagonal, double h, const real *p_minus, real *xi,
                           const real *g0, real *g1, real *p_plus)
{
    real x[3], q[4];
    int it = legendre(w, b, 3, diagonal, so3_dexp_inv_dual, so3_dexp_inv_dual_derivative, h, p_minus, xi);
    for (int i = 0; i < 3; i++) x[i] = h * xi[i];
    so3_exp(q, x);
    so3_compose(g1, g0, q);
    small_renormalise(4, g1);
    so3_unrotate(p_plus, q, p_minus);
    return it;
}

static int flow_so3_exp_diagonal(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi,
                                 const real *g0, real *g1, real *p_plus)
{
    return so3_exponential(w, b, 1, h, p_minus, xi, g0, g1, p_plus);
}

static int flow_so3_exp(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                        real *g1, real *p_plus)
{
    return so3_exponential(w, b, 0, h, p_minus, xi, g0, g1, p_plus);
}

/* ---- SE(2), SE(3) ---- */

typedef void (*map_kernel)(real *g, const real *x);

KERNEL int planar(lg_workspace *w, const lg_block *b, dual_kernel dual, derivative_kernel derivative, map_kernel map,
                  double h, const real *p_minus, real *xi, const real *g0, real *g1, real *p_plus)
{
    real x[3], W[4];
    int it = legendre(w, b, 3, b->factor->diagonal, dual, derivative, h, p_minus, xi);
    for (int i = 0; i < 3; i++) x[i] = h * xi[i];
    map(W, x);
    se2_compose(g1, g0, W);
    small_renormalise(2, g1 + 2);
    se2_coAd(p_plus, W, p_minus);
    return it;
}

KERNEL int spatial(lg_workspace *w, const lg_block *b, dual_kernel dual, derivative_kernel derivative, map_kernel map,
                   double h, const real *p_minus, real *xi, const real *g0, real *g1, real *p_plus)
{
    real x[6], W[7];
    int it = legendre(w, b, 6, b->factor->diagonal, dual, derivative, h, p_minus, xi);
    for (int i = 0; i < 6; i++) x[i] = h * xi[i];
    map(W, x);
    se3_compose(g1, g0, W);
    small_renormalise(4, g1 + 3);
    se3_coAd(p_plus, W, p_minus);
    return it;
}

static int flow_se2_exp(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                        real *g1, real *p_plus)
{
    return planar(w, b, se2_dexp_inv_dual, se2_dexp_inv_dual_derivative, se2_exp, h, p_minus, xi, g0, g1, p_plus);
}

static int flow_se2_cayley(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                           real *g1, real *p_plus)
{
    return planar(w, b, se2_dcay_inv_dual, se2_dcay_inv_dual_derivative, se2_cay, h, p_minus, xi, g0, g1, p_plus);
}

static int flow_se3_exp(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                        real *g1, real *p_plus)
{
    return spatial(w, b, se3_dexp_inv_dual, se3_dexp_inv_dual_derivative, se3_exp, h, p_minus, xi, g0, g1, p_plus);
}

static int flow_se3_cayley(lg_workspace *w, const lg_block *b, double h, const real *p_minus, real *xi, const real *g0,
                           real *g1, real *p_plus)
{
    return spatial(w, b, se3_dcay_inv_dual, se3_dcay_inv_dual_derivative, se3_cay, h, p_minus, xi, g0, g1, p_plus);
}

lg_flow lg_flow_choose(const lg_factor_plan *f)
{
    int exponential = f->retraction->kind == LG_RETRACTION_EXP;
    if (f->generic) return LG_WIDTH_1(lg_flow_generic);
    switch (f->group->kind) {
    case LG_KIND_RN:
        return flow_rn;
    case LG_KIND_TORUS:
        return flow_torus;
    case LG_KIND_SO3:
        if (exponential) return f->diagonal ? flow_so3_exp_diagonal : flow_so3_exp;
        return f->diagonal ? flow_so3_cayley_diagonal : flow_so3_cayley;
    case LG_KIND_SE2:
        return exponential ? flow_se2_exp : flow_se2_cayley;
    case LG_KIND_SE3:
        return exponential ? flow_se3_exp : flow_se3_cayley;
    case LG_KIND_USER:
    case LG_KIND_QUADRATIC:
    case LG_KIND_PRODUCT:
        break;
    }
    return LG_WIDTH_1(lg_flow_generic);
}
