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

const level_set sphere_set = {.s = 4,
                              .r = 3,
                              .metric = sphere_metric,
                              .metric_gradient = sphere_metric_gradient,
                              .V = sphere_V,
                              .dV = sphere_dV,
                              .phi = sphere,
                              .dphi = sphere_slope,
                              .chart = polar_chart,
                              .jacobian = polar_jacobian,
                              .rows = sphere_rows,
                              .q0 = {1.1, 0.4, 0.3},
                              .u0 = {0.3, 1.2, 0}};

void level_space_open(level_space *o, const discrete_rule *r)
{
    const level_set *L = &sphere_set;
    o->rule = r;
    o->S = lg_system_default(lg_rn(L->s));
    o->S.context = o;
    o->S.callbacks.metric = L->metric, o->S.callbacks.metric_gradient = L->metric_gradient;
    o->S.callbacks.potential = L->V, o->S.callbacks.potential_gradient = L->dV;
    o->S.callbacks.holonomic_count = 1, o->S.callbacks.holonomic = L->phi,
    o->S.callbacks.holonomic_differential = L->dphi;
    o->S.constraint_count = 1, o->S.callbacks.covectors = L->rows;
    o->S.callbacks.discrete_slope_1 = space_slope_1, o->S.callbacks.discrete_slope_2 = space_slope_2;
    o->S.callbacks.discrete_constraint = space_constraint;
}

lg_pullback *level_set_pull_back(const level_space *o, const char *name)
{
    const level_set *L = &sphere_set;
    lg_pullback *p = NULL;
    if (lg_pullback_create(&p, &o->S, L->r, name, L->chart, L->jacobian, NULL) != LG_OK)
        suite_fail("%s", lg_pullback_message(p));
    return p;
}

void level_set_initial(const lg_pullback *p, double *u)
{
    const level_set *L = &sphere_set;
    const lg_system *Q = lg_pullback_system(p);
    memcpy(u, L->u0, sizeof L->u0);
    double mu[3] = {0}, Y[3] = {0}, sum = 0;
    lg_call c = {.context = Q->context, .lanes = 1};
    Q->callbacks.covectors(&c, L->q0, mu, Y);
    for (int i = 0; i < 2; i++) sum += mu[i] * (u[i] - Y[i]);
    u[2] = Y[2] - sum / mu[2];
}
