/* SPDX-License-Identifier: BSD-3-Clause */
/* SO(3) as unit quaternions. Cayley is geodesic: log cay(x) = (2 atan(|x|/2)/|x|) x. */
#include "groups/so3.h"

#include "integrators/factors/closed.h"
#include "integrators/factors/rotation.h"

/* ---- SO(3) with Cayley: p = J xi + (h/2) xi x J xi + (h^2/4)(xi.J xi) xi, a polynomial ---- */

/* e = M^-1 F by cofactors; the numerators do not wait for the one division. */
KERNEL void so3_solve(real *e, const real *M, const real *F)
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
KERNEL void so3_cayley_residual(real *F, real *M, const real *J, int diagonal, const real *u, const real *P)
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
KERNEL int so3_cayley_legendre(lg_workspace *w, const lg_block *b, int diagonal, duration h, const real *p, real *u)
{
    const double tolerance2 = w->tolerance * w->tolerance;
    const int most = w->iterations_max;
    real J[9], F[3], M[9], e[3], P[3], d2 = splat(0), count = splat(0);
    mask live = every_lane();
    for (int i = 0; i < (diagonal ? 3 : 9); i++) J[i] = b->J[i];
    for (int i = 0; i < 3; i++) P[i] = (0.5 * h) * p[i];
    small_apply(3, diagonal, u, b->Jinv, P);
    for (int it = 1; it <= most; it++) {
        so3_cayley_residual(F, M, J, diagonal, u, P);
        so3_solve(e, M, F);
        for (int i = 0; i < 3; i++) u[i] = sel(live, u[i] - e[i], u[i]);
        d2 = small_dot(3, e, e);
        if (LANES > 1) count = sel(live, splat(it), count);
        live = both(live, d2 > tolerance2 * small_dot(3, u, u));
        if (any(live)) continue;
        legendre_note_iterations(w, count);
        return it;
    }
    return legendre_failed(w, b, most, lane_of(d2, 0) * (4 / (seconds(h) * seconds(h))));
}

/* g_1 = g_0 (u, 1)/sqrt(1 + |u|^2), f = 2/(1 + |u|^2); the factor 1.5 - |g_0|^2/2 stops round-off from accumulating. */
KERNEL void so3_cayley_advance(real *g1, const real *g0, const real *u, real f)
{
    const real q[4] = {u[0], u[1], u[2], splat(1)}, r = (1.5 - 0.5 * small_dot(4, g0, g0)) * root(0.5 * f);
    real g[4];
    so3_compose(g, g0, q);
    for (int i = 0; i < 4; i++) g1[i] = r * g[i];
}

KERNEL int so3_cayley_step(lg_workspace *w, const lg_block *b, int diagonal, duration h, const real *p_minus, real *xi,
                           const real *g0, real *g1, real *p_plus)
{
    const real p[3] = {p_minus[0], p_minus[1], p_minus[2]};
    const duration k = 2 / h;
    real u[3], c[3], d[3];
    int it = so3_cayley_legendre(w, b, diagonal, h, p, u);
    if (it < 0) return it;
    const real f = 2.0 / (1.0 + small_dot(3, u, u));
    small_cross(c, p, u); /* W^T p = p + f (p x u + (p x u) x u) */
    small_cross(d, c, u);
    for (int i = 0; i < 3; i++) p_plus[i] = p[i] + f * (c[i] + d[i]);
    for (int i = 0; i < 3; i++) xi[i] = k * u[i];
    so3_cayley_advance(g1, g0, u, f);
    return it;
}

static int so3_flow_cayley_diagonal(lg_workspace *w, const lg_block *b, duration h, const real *p_minus, real *xi,
                                    const real *g0, real *g1, real *p_plus)
{
    return so3_cayley_step(w, b, 1, h, p_minus, xi, g0, g1, p_plus);
}

static int so3_flow_cayley(lg_workspace *w, const lg_block *b, duration h, const real *p_minus, real *xi,
                           const real *g0, real *g1, real *p_plus)
{
    return so3_cayley_step(w, b, 0, h, p_minus, xi, g0, g1, p_plus);
}

/* ---- SO(3) with exp ---- */

KERNEL int so3_exp_step(lg_workspace *w, const lg_block *b, int diagonal, duration h, const real *p_minus, real *xi,
                        const real *g0, real *g1, real *p_plus)
{
    real x[3], q[4];
    int it = legendre_solve(w, b, 3, diagonal, so3_dexp_inv_dual, so3_dexp_inv_dual_derivative, h, p_minus, xi);
    for (int i = 0; i < 3; i++) x[i] = h * xi[i];
    so3_exp(q, x);
    so3_compose(g1, g0, q);
    small_renormalise(4, g1);
    so3_unrotate(p_plus, q, p_minus);
    return it;
}

static int so3_flow_exp_diagonal(lg_workspace *w, const lg_block *b, duration h, const real *p_minus, real *xi,
                                 const real *g0, real *g1, real *p_plus)
{
    return so3_exp_step(w, b, 1, h, p_minus, xi, g0, g1, p_plus);
}

static int so3_flow_exp(lg_workspace *w, const lg_block *b, duration h, const real *p_minus, real *xi, const real *g0,
                        real *g1, real *p_plus)
{
    return so3_exp_step(w, b, 0, h, p_minus, xi, g0, g1, p_plus);
}

/* ---- the arc ---- */

LG_CLOSED_ADVANCE(so3_advance_exp, so3, exp, 4, 0, splat(1))
LG_CLOSED_ADVANCE(so3_advance_cay, so3, cay, 4, 0, arctan2_ratio(0.25 * so3_dot(x, x), splat(1)))
LG_CLOSED_POINTS(so3_points, so3, 3)
LG_CLOSED_DUAL(so3_transport, so3_unrotate)
LG_CLOSED_DUAL(so3_dual_exp, so3_dexp_inv_dual)
LG_CLOSED_DUAL(so3_dual_cay, so3_dcay_inv_dual)

KERNEL lg_status so3_rate(const lg_factor_plan *f, real *out, const real *g, const real *xi, real *W, void *work)
{
    (void)f, (void)W, (void)work;
    quaternion_rate(out, g, xi);
    return LG_OK;
}

/* ad*_w p = p x w. */
KERNEL void so3_coad(real *out, const real *xi, const real *p)
{
    small_cross(out, p, xi);
}

LG_CLOSED_SETTLE(so3_settle, 4, 0)

static void so3_increments(const lg_factor_plan *f, const real *W, const real *g, const real *rest, const real *p,
                           real *dg, real *dp)
{
    (void)f;
    quaternion_increment(dg, g, rest, W);
    quaternion_turn_increment(dp, W, p);
}

/* ---- the tables ---- */

static const lg_factor lg_factor_so3[] = {
    {
        .retractions = LG_SERVES(EXP),
        .facts = LG_FACTOR_EXPONENTIAL | LG_FACTOR_GEODESIC | LG_FACTOR_FUSED | LG_FACTOR_WIDE,
        .flow = {so3_flow_exp, so3_flow_exp_diagonal},
        .advance = so3_advance_exp,
        .points = so3_points,
        .transport = so3_transport,
        .dual = so3_dual_exp,
        LG_FACTOR_RATES(so3),
        .increments = so3_increments,
    },
    {
        .retractions = LG_SERVES(CAYLEY),
        .facts = LG_FACTOR_GEODESIC | LG_FACTOR_FUSED | LG_FACTOR_WIDE,
        .flow = {so3_flow_cayley, so3_flow_cayley_diagonal},
        .advance = so3_advance_cay,
        .points = so3_points,
        .transport = so3_transport,
        .dual = so3_dual_cay,
        LG_FACTOR_RATES(so3),
        .increments = so3_increments,
    },
    {
        .retractions = LG_SERVES(SERIES),
        .facts = LG_FACTOR_EXPONENTIAL | LG_FACTOR_GEODESIC | LG_FACTOR_WIDE,
        LG_GENERIC_FLOW,
        .advance = so3_advance_exp,
        .points = so3_points,
        .transport = so3_transport,
        .dual = so3_dual_exp,
        LG_FACTOR_RATES(so3),
    },
    {.retractions = LG_SERVES_ALL, LG_GENERIC_FLOW, LG_GENERIC_ARC, LG_FACTOR_RATES(so3)},
};
