/* SPDX-License-Identifier: BSD-3-Clause */
#include "level_sets.h"

#include <math.h>
#include <string.h>

#include "matrix.h"

/* ---- discretisations: L_d = h sum w_i L(v_i, v), v_i = (1 - a_i) v_0 + a_i v_1; omega_d with nodes of its own ---- */

const discrete_rule discrete_rules[RULES] = {{"midpoint", {0.5, 0}, {1, 0}, {0.5, 0}, {1, 0}},
                                             {"alpha=0", {0, 0}, {1, 0}, {0, 0}, {1, 0}},
                                             {"trapezoidal", {0, 1}, {0.5, 0.5}, {0, 1}, {0.5, 0.5}},
                                             {"symmetric-alpha=0.2", {0.2, 0.8}, {0.5, 0.5}, {0.2, 0.8}, {0.5, 0.5}},
                                             {"midleft", {0.5, 0}, {1, 0}, {0, 0}, {1, 0}}};

/* D_1 (end 0) or D_2 (end 1) of L_d. */
static int space_slope(const lg_call *c, double h, const double *v0, const double *v1, int end, double *out)
{
    const level_space *o = c->context;
    const discrete_rule *r = o->rule;
    int s = o->S.group->dim;
    double v[8], at[8], M[64], p[8], dT[8], dV[8];
    for (int i = 0; i < s; i++) v[i] = (v1[i] - v0[i]) / h;
    for (int k = 0; k < 2; k++) {
        double share = end ? r->a[k] : 1 - r->a[k];
        memset(M, 0, sizeof M), memset(dT, 0, sizeof dT), memset(dV, 0, sizeof dV);
        for (int i = 0; i < s; i++) at[i] = (1 - r->a[k]) * v0[i] + r->a[k] * v1[i];
        o->S.callbacks.metric(c, at, M);
        o->S.callbacks.metric_gradient(c, at, v, dT);
        o->S.callbacks.potential_gradient(c, at, dV);
        mat_apply(p, M, v, s, s);
        for (int i = 0; i < s; i++) out[i] += r->w[k] * ((end ? p[i] : -p[i]) + h * share * (dT[i] - dV[i]));
    }
    return 0;
}

static int space_slope_1(const lg_call *c, double h, const double *v0, const double *v1, double *out)
{
    return space_slope(c, h, v0, v1, 0, out);
}

static int space_slope_2(const lg_call *c, double h, const double *v0, const double *v1, double *out)
{
    return space_slope(c, h, v0, v1, 1, out);
}

static int space_constraint(const lg_call *c, double h, const double *v0, const double *v1, double *out)
{
    const level_space *o = c->context;
    int s = o->S.group->dim;
    *out = 0;
    for (int k = 0; k < 2; k++) {
        double at[8], mu[8] = {0}, Y[8] = {0};
        for (int i = 0; i < s; i++) at[i] = (1 - o->rule->b[k]) * v0[i] + o->rule->b[k] * v1[i];
        o->S.callbacks.covectors(c, at, mu, Y);
        for (int i = 0; i < s; i++) *out += o->rule->u[k] * mu[i] * ((v1[i] - v0[i]) / h - Y[i]);
    }
    return 0;
}

/* ---- linear: R^4, v4 = .5 v1 - .3 v2 + .2 v3, L = 1/2 |v'|^2 - v1^2 - v2^2 - v4^2, dv3 - v2 dv1 ---- */

static int unit_metric_4(const lg_call *c, const double *v, double *M)
{
    (void)c, (void)v;
    mat_identity(M, 4);
    return 0;
}

static int no_gradient(const lg_call *c, const double *v, const double *u, double *dT)
{
    (void)c, (void)v, (void)u, (void)dT;
    return 0;
}

static int linear_V(const lg_call *c, const double *v, double *V)
{
    (void)c;
    *V = v[0] * v[0] + v[1] * v[1] + v[3] * v[3];
    return 0;
}

static int linear_dV(const lg_call *c, const double *v, double *dV)
{
    (void)c;
    dV[0] = 2 * v[0], dV[1] = 2 * v[1], dV[3] = 2 * v[3];
    return 0;
}

static int linear_rows(const lg_call *c, const double *v, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = -v[1], mu[2] = 1;
    return 0;
}

static int plane(const lg_call *c, const double *v, double *phi)
{
    (void)c;
    *phi = v[3] - 0.5 * v[0] + 0.3 * v[1] - 0.2 * v[2];
    return 0;
}

static int plane_slope(const lg_call *c, const double *v, double *d)
{
    (void)c, (void)v;
    d[0] = -0.5, d[1] = 0.3, d[2] = -0.2, d[3] = 1;
    return 0;
}

static int linear_chart(const lg_call *c, const double *q, double *v)
{
    (void)c;
    memcpy(v, q, 3 * sizeof *v);
    v[3] = 0.5 * q[0] - 0.3 * q[1] + 0.2 * q[2];
    return 0;
}

static int linear_jacobian(const lg_call *c, const double *q, double *D)
{
    static const double J[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, -0.3, 0.2};
    (void)c, (void)q;
    memcpy(D, J, sizeof J);
    return 0;
}

/* ---- pendulum: the circle in R^2, V = -3 x, no rows ---- */

static int unit_metric_2(const lg_call *c, const double *v, double *M)
{
    (void)c, (void)v;
    mat_identity(M, 2);
    return 0;
}

static int pendulum_V(const lg_call *c, const double *v, double *V)
{
    (void)c;
    *V = -3 * v[0];
    return 0;
}

static int pendulum_dV(const lg_call *c, const double *v, double *dV)
{
    (void)c, (void)v;
    dV[0] = -3;
    return 0;
}

static int circle(const lg_call *c, const double *v, double *phi)
{
    (void)c;
    *phi = 0.5 * (v[0] * v[0] + v[1] * v[1] - 1);
    return 0;
}

static int circle_slope(const lg_call *c, const double *v, double *d)
{
    (void)c;
    d[0] = v[0], d[1] = v[1];
    return 0;
}

static int angle_chart(const lg_call *c, const double *q, double *v)
{
    (void)c;
    v[0] = cos(q[0]), v[1] = sin(q[0]);
    return 0;
}

static int angle_jacobian(const lg_call *c, const double *q, double *D)
{
    (void)c;
    D[0] = -sin(q[0]), D[1] = cos(q[0]);
    return 0;
}

/* ---- sphere x R in R^4 = (x, y, z, w): M(v), V, dw - y dx - (z/2) dy with a drift along the sphere and w ---- */

static int sphere_metric(const lg_call *c, const double *v, double *M)
{
    (void)c;
    M[0] = 1 + 0.3 * v[3] * v[3], M[5] = 1.4, M[10] = 1.1, M[15] = 0.8 + 0.5 * v[0] * v[0];
    M[1] = M[4] = 0.2 * v[2];
    return 0;
}

static int sphere_metric_gradient(const lg_call *c, const double *v, const double *u, double *dT)
{
    (void)c;
    dT[0] = 0.5 * v[0] * u[3] * u[3], dT[2] = 0.2 * u[0] * u[1], dT[3] = 0.3 * v[3] * u[0] * u[0];
    return 0;
}

static int sphere_V(const lg_call *c, const double *v, double *V)
{
    (void)c;
    *V = 0.5 * v[2] + 0.5 * v[3] * v[3] + v[0] * v[3] / 3;
    return 0;
}

static int sphere_dV(const lg_call *c, const double *v, double *dV)
{
    (void)c;
    dV[0] = v[3] / 3, dV[2] = 0.5, dV[3] = v[3] + v[0] / 3;
    return 0;
}

static int sphere_rows(const lg_call *c, const double *v, double *mu, double *Y)
{
    (void)c;
    mu[0] = -v[1], mu[1] = -0.5 * v[2], mu[3] = 1;
    Y[0] = -0.2 * v[1], Y[1] = 0.2 * v[0], Y[3] = 0.1 * v[2];
    return 0;
}

static int sphere(const lg_call *c, const double *v, double *phi)
{
    (void)c;
    *phi = 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - 1);
    return 0;
}

static int sphere_slope(const lg_call *c, const double *v, double *d)
{
    (void)c;
    memcpy(d, v, 3 * sizeof *d);
    return 0;
}

static int polar_chart(const lg_call *c, const double *q, double *v)
{
    (void)c;
    v[0] = sin(q[0]) * cos(q[1]), v[1] = sin(q[0]) * sin(q[1]), v[2] = cos(q[0]), v[3] = q[2];
    return 0;
}

static int polar_jacobian(const lg_call *c, const double *q, double *D)
{
    (void)c;
    D[0] = cos(q[0]) * cos(q[1]), D[1] = -sin(q[0]) * sin(q[1]);
    D[3] = cos(q[0]) * sin(q[1]), D[4] = sin(q[0]) * cos(q[1]);
    D[6] = -sin(q[0]), D[11] = 1;
    return 0;
}

/* ---- the three together ---- */

const level_set level_sets[SETS] = {{"linear",
                                     4,
                                     3,
                                     unit_metric_4,
                                     no_gradient,
                                     linear_V,
                                     linear_dV,
                                     plane,
                                     plane_slope,
                                     linear_chart,
                                     linear_jacobian,
                                     linear_rows,
                                     {0.3, -0.2, 0.5},
                                     {0.9, 0.6, -0.18}},
                                    {"pendulum",
                                     2,
                                     1,
                                     unit_metric_2,
                                     no_gradient,
                                     pendulum_V,
                                     pendulum_dV,
                                     circle,
                                     circle_slope,
                                     angle_chart,
                                     angle_jacobian,
                                     NULL,
                                     {0.9},
                                     {0.5}},
                                    {"sphere",
                                     4,
                                     3,
                                     sphere_metric,
                                     sphere_metric_gradient,
                                     sphere_V,
                                     sphere_dV,
                                     sphere,
                                     sphere_slope,
                                     polar_chart,
                                     polar_jacobian,
                                     sphere_rows,
                                     {1.1, 0.4, 0.3},
                                     {0.3, 1.2, 0}}};

void level_space_open(level_space *o, const level_set *L, const discrete_rule *r)
{
    o->rule = r;
    o->S = lg_system_default(lg_rn(L->s));
    o->S.context = o;
    o->S.callbacks.metric = L->metric, o->S.callbacks.metric_gradient = L->metric_gradient;
    o->S.callbacks.potential = L->V, o->S.callbacks.potential_gradient = L->dV;
    o->S.callbacks.holonomic_count = 1, o->S.callbacks.holonomic = L->phi,
    o->S.callbacks.holonomic_differential = L->dphi;
    o->S.constraint_count = L->rows != NULL, o->S.callbacks.covectors = L->rows;
    o->S.callbacks.discrete_slope_1 = space_slope_1, o->S.callbacks.discrete_slope_2 = space_slope_2;
    o->S.callbacks.discrete_constraint = L->rows ? space_constraint : NULL;
}

lg_pullback *level_set_pull_back(const level_set *L, const level_space *o, const char *name)
{
    lg_pullback *p = NULL;
    if (lg_pullback_create(&p, &o->S, L->r, name, L->chart, L->jacobian, NULL) != LG_OK)
        suite_fail("%s", lg_pullback_message(p));
    return p;
}

/* Initial data: u0 with its last component such that the row holds, if there is one. */
void level_set_initial(const level_set *L, const lg_pullback *p, double *u, double *v, double *w)
{
    const lg_system *Q = lg_pullback_system(p);
    memcpy(u, L->u0, sizeof L->u0);
    if (L->rows) {
        double mu[3] = {0}, Y[3] = {0}, sum = 0;
        lg_call c = {.context = Q->context, .lanes = 1};
        Q->callbacks.covectors(&c, L->q0, mu, Y);
        for (int i = 0; i < 2; i++) sum += mu[i] * (u[i] - Y[i]);
        u[2] = Y[2] - sum / mu[2];
    }
    suite_ok("point", lg_pullback_point(p, v, L->q0));
    suite_ok("velocity", lg_pullback_velocity(p, w, L->q0, u));
}

/* ---- DLA with the user's discrete Lagrangian on R^n, written for the test ---- */

void user_dla_start(user_dla *d, const lg_system *S, double h, const double *q0, const double *u0)
{
    double M[64] = {0};
    int n = S->group->dim;
    lg_call c = {.context = S->context, .lanes = 1};
    memset(d, 0, sizeof *d);
    d->S = S, d->h = h;
    memcpy(d->q, q0, sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++) d->step[i] = h * u0[i];
    S->callbacks.metric(&c, q0, M);
    mat_apply(d->p, M, u0, n, n);
}

/* z = (q_{k+1} - q_k, lambda, sigma): D_1 L_d + p^+ - lambda mu(q_k) - sigma dphi(q_k), omega_d, phi(q_{k+1}). */
static void user_dla_residual(const user_dla *d, const double *z, double *R, double *q1, double *p1)
{
    const lg_system *S = d->S;
    int n = S->group->dim, m = S->constraint_count, holonomic = S->callbacks.holonomic_count;
    double mu[8] = {0}, Y[8] = {0}, dphi[8] = {0}, minus[8] = {0}, plus[8] = {0};
    lg_call c = {.context = S->context, .lanes = 1};
    for (int i = 0; i < n; i++) q1[i] = d->q[i] + z[i];
    S->callbacks.discrete_slope_1(&c, d->h, d->q, q1, minus);
    S->callbacks.discrete_slope_2(&c, d->h, d->q, q1, plus);
    if (m) S->callbacks.covectors(&c, d->q, mu, Y);
    if (holonomic) S->callbacks.holonomic_differential(&c, d->q, dphi);
    for (int i = 0; i < n; i++)
        R[i] = minus[i] + d->p[i] - (m ? z[n] * mu[i] : 0) - (holonomic ? z[n + m] * dphi[i] : 0);
    R[n] = 0, R[n + m] = 0;
    if (m) S->callbacks.discrete_constraint(&c, d->h, d->q, q1, R + n);
    if (holonomic) S->callbacks.holonomic(&c, q1, R + n + m);
    if (holonomic) R[n + m] /= d->h;
    memcpy(p1, plus, sizeof plus);
}

void user_dla_step(user_dla *d)
{
    int n = d->S->group->dim, m = d->S->constraint_count, N = n + m + d->S->callbacks.holonomic_count;
    double z[10] = {0}, R[10], moved[10], D[100], delta[10], q1[8], p1[8], size = 1;
    memcpy(z, d->step, sizeof(double) * (size_t)n);
    for (int k = 0; k < 40 && size > 1e-10; k++) {
        for (int j = 0; j < N; j++) {
            double keep = z[j], e = 1e-5;
            z[j] = keep - e, user_dla_residual(d, z, R, q1, p1);
            z[j] = keep + e, user_dla_residual(d, z, moved, q1, p1);
            z[j] = keep;
            for (int i = 0; i < N; i++) D[i * N + j] = (moved[i] - R[i]) / (2 * e);
        }
        user_dla_residual(d, z, R, q1, p1);
        if (!mat_solve(delta, D, R, N)) suite_fail("plain DLA: singular");
        size = mat_norm(delta, N);
        for (int i = 0; i < N; i++) z[i] -= delta[i];
    }
    if (!(size <= 1e-10)) suite_fail("plain DLA does not converge");
    user_dla_residual(d, z, R, q1, p1);
    memcpy(d->q, q1, sizeof(double) * (size_t)n);
    memcpy(d->p, p1, sizeof(double) * (size_t)n);
    memcpy(d->step, z, sizeof(double) * (size_t)n);
    d->lambda[0] = m ? z[n] : 0;
    d->sigma[0] = z[n + m];
}
