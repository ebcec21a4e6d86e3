/* SPDX-License-Identifier: BSD-3-Clause */
#include "user_systems.h"

#include <string.h>

#include "matrix.h"

/* ---- what the plain system says, with its own context ---- */

static lg_call plain_call(const lg_call *c, double t)
{
    const user_system *u = c->context;
    lg_call d = *c;
    d.context = u->plain->context;
    d.t = t;
    return d;
}

#define PLAIN(name)                                                                                                    \
    static int plain_##name(const lg_call *c, const double *g, double *out)                                            \
    {                                                                                                                  \
        const user_system *u = c->context;                                                                             \
        const lg_call d = plain_call(c, c->t);                                                                         \
        return u->plain->callbacks.name(&d, g, out);                                                                   \
    }
PLAIN(potential)
PLAIN(potential_gradient)
PLAIN(drift)
PLAIN(holonomic)
PLAIN(holonomic_differential)
PLAIN(holonomic_rate)

static int plain_force(const lg_call *c, const double *g, const double *xi, double *out)
{
    const user_system *u = c->context;
    const lg_call d = plain_call(c, c->t);
    return u->plain->callbacks.force(&d, g, xi, out);
}

static int plain_covectors(const lg_call *c, const double *g, double *mu, double *Y)
{
    const user_system *u = c->context;
    const lg_call d = plain_call(c, c->t);
    return u->plain->callbacks.covectors(&d, g, mu, Y);
}

static int plain_derivative(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    const user_system *u = c->context;
    const lg_call d = plain_call(c, c->t);
    return u->plain->callbacks.covectors_derivative(&d, g, eta, dmu, dY);
}

/* ---- L_d = (h/2)(L(g0, xi) + L(g1, xi)), omega_d = (A_0 (xi - Y_0) + A_1 (xi - Y_1))/2 ---- */

/* h xi of the pair. */
static int increment(const user_system *u, const double *g0, const double *g1, double *x)
{
    const lg_group *G = u->S.group;
    double back[SUITE_ELEMENT], W[SUITE_ELEMENT];
    lg_status st = lg_group_inverse(G, back, g0);
    if (st == LG_OK) st = lg_group_compose(G, W, back, g1);
    if (st == LG_OK) st = lg_retraction_tau_inv(u->r, G, x, W);
    return st == LG_OK ? 0 : (int)st;
}

/* side (dtau^-1_{-side h xi})^* J xi - (h/2) dV at the end g. */
static int slope(const lg_call *c, double h, const double *g0, const double *g1, double side, double *out)
{
    const user_system *u = c->context;
    const lg_group *G = u->S.group;
    const int n = lg_group_dim(G);
    double x[SUITE_DIM], xi[SUITE_DIM], p[SUITE_DIM], dV[SUITE_DIM] = {0};
    int code = increment(u, g0, g1, x);
    if (code) return code;
    for (int i = 0; i < n; i++) xi[i] = x[i] / h, x[i] *= -side;
    system_momentum(u->plain, c->t, g0, xi, p);
    if (lg_retraction_dtau_inv_dual(u->r, G, out, x, p) != LG_OK) return 1;
    const lg_call d = plain_call(c, side < 0 ? c->t : c->t + h);
    if (u->plain->callbacks.potential_gradient != NULL)
        code = u->plain->callbacks.potential_gradient(&d, side < 0 ? g0 : g1, dV);
    for (int i = 0; i < n; i++) out[i] = side * out[i] - 0.5 * h * dV[i];
    return code;
}

static int slope_1(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    return slope(c, h, g0, g1, -1, out);
}

static int slope_2(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    return slope(c, h, g0, g1, 1, out);
}

static int constraint(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    const user_system *u = c->context;
    const int n = lg_group_dim(u->S.group), holonomic = u->plain->callbacks.holonomic_count;
    double x[SUITE_DIM], A[6 * SUITE_DIM], b[6];
    const int code = increment(u, g0, g1, x);
    for (int end = 0; !code && end < 2; end++) {
        const int m = system_rows(u->plain, c->t + end * h, end ? g1 : g0, A, b);
        for (int a = holonomic; a < m; a++) out[a - holonomic] += 0.5 * (mat_dot(A + a * n, x, n) / h - b[a]);
    }
    return code;
}

void user_system_open(user_system *u, const lg_system *plain, const char *retraction)
{
    u->plain = plain;
    u->r = lg_retraction_named(retraction);
    u->S = *plain;
    lg_system *S = &u->S;
    S->context = u;
    if (S->callbacks.potential != NULL) S->callbacks.potential = plain_potential;
    if (S->callbacks.potential_gradient != NULL) S->callbacks.potential_gradient = plain_potential_gradient;
    if (S->callbacks.drift != NULL) S->callbacks.drift = plain_drift;
    if (S->callbacks.holonomic != NULL) S->callbacks.holonomic = plain_holonomic;
    if (S->callbacks.holonomic_differential != NULL) S->callbacks.holonomic_differential = plain_holonomic_differential;
    if (S->callbacks.holonomic_rate != NULL) S->callbacks.holonomic_rate = plain_holonomic_rate;
    if (S->callbacks.force != NULL) S->callbacks.force = plain_force;
    if (S->callbacks.covectors != NULL) S->callbacks.covectors = plain_covectors;
    if (S->callbacks.covectors_derivative != NULL) S->callbacks.covectors_derivative = plain_derivative;
    S->callbacks.discrete_slope_1 = slope_1;
    S->callbacks.discrete_slope_2 = slope_2;
    if (S->constraint_count > 0) S->callbacks.discrete_constraint = constraint;
}
