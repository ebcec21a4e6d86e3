/* SPDX-License-Identifier: BSD-3-Clause */
/* Pull-back along a chart: the callbacks of the system on R^r. docs/theory.md, section on the two formulations ([P1]
 * section 4). */
#include "mechanics/pullback.h"

#include <string.h>

#include "base/dense.h"

/* ---- one call ---- */

size_t lg_pull_bind(lg_pull *k, char *memory)
{
    lg_arena a = {memory, 0};
    lg_field_part(&k->f, &a);
    k->f.work = lg_part(&a, lg_field_work_bytes(&k->f));
    return a.used;
}

/* The arrays of S for the parameters of a call. */
static int pull_arrays(lg_pull *k)
{
    const lg_system *given = &k->o->S;
    lg_system *S = &k->S;
    const size_t n = sz(k->o->s), m = sz(S->constraint_count);
    char why[LG_MESSAGE_SIZE] = "";
    lg_call c = k->call;
    c.context = S->context;
    if (S->callbacks.metric && !S->covector_matrix) return 0;
    if (!S->parameter_count ||
        !memcmp(S->parameter_values, given->parameter_values, sz(S->parameter_count) * sizeof(double)))
        return 0;
    if (!S->callbacks.arrays) return (int)LG_ERROR_UNSUPPORTED;
    memset(k->inertia, 0, n * n * sizeof *k->inertia);
    memset(k->rows, 0, m * n * sizeof *k->rows);
    const int code = S->callbacks.arrays(&c, k->inertia, S->covector_matrix ? k->rows : NULL, why);
    if (!S->callbacks.metric) S->inertia = k->inertia, S->inertia_diagonal = NULL;
    if (S->covector_matrix) S->covector_matrix = k->rows;
    return code;
}

int lg_pull_open(lg_pull *k, const lg_call *c)
{
    k->o = c->context;
    k->call = *c;
    k->call.context = k->o->context;
    k->S = k->o->S;
    k->S.parameter_values = c->param;
    lg_field_init(&k->f, &k->S, NULL);
    k->f.control = c->control;
    (void)lg_pull_bind(k, (char *)k->block);
    return pull_arrays(k);
}

int lg_pull_chart(lg_pull *k, const double *q, double *v)
{
    memset(v, 0, sz(k->o->s) * sizeof *v);
    return k->o->chart(&k->call, q, v);
}

int lg_pull_jacobian(lg_pull *k, const double *q)
{
    memset(k->DJ, 0, sz(k->o->s * k->o->r) * sizeof *k->DJ);
    return k->o->jacobian(&k->call, q, k->DJ);
}

/* k->point = J(q), k->DJ. */
int lg_pull_look(lg_pull *k, const lg_call *c, const double *q)
{
    int code = lg_pull_open(k, c);
    if (!code) code = lg_pull_chart(k, q, k->point);
    return code ? code : lg_pull_jacobian(k, q);
}

/* out = DJ^T p. */
static void pull(const lg_pull *k, double *out, const double *p)
{
    lg_matvec_transposed(out, k->DJ, p, k->o->s, k->o->r);
}

/* ---- the continuous system ---- */

/* M* = DJ^T M DJ. */
static int pulled_metric(const lg_call *c, const double *q, double *out)
{
    lg_pull k;
    int code = lg_pull_look(&k, c, q), s, r;
    if (!code) code = lg_field_metric(&k.f, c->t, k.point, k.M);
    if (code) return code;
    s = k.o->s, r = k.o->r;
    lg_matmul(k.T, k.M, k.DJ, s, s, r);
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) {
            out[i * r + j] = 0;
            for (int l = 0; l < s; l++) out[i * r + j] += k.DJ[l * r + i] * k.T[l * r + j];
        }
    for (int i = 0; i < r; i++) /* symmetric to the bit */
        for (int j = 0; j < i; j++) out[i * r + j] = out[j * r + i] = 0.5 * (out[i * r + j] + out[j * r + i]);
    return 0;
}

static int pulled_potential(const lg_call *c, const double *q, double *V)
{
    lg_pull k;
    int code = lg_pull_open(&k, c);
    if (!code) code = lg_pull_chart(&k, q, k.point);
    return code ? code : lg_field_potential(&k.f, c->t, k.point, V);
}

static int pulled_gradient(const lg_call *c, const double *q, double *out)
{
    lg_pull k;
    int code = lg_pull_look(&k, c, q);
    if (!code) code = lg_field_gradient(&k.f, c->t, k.point, k.vector);
    if (!code) pull(&k, out, k.vector);
    return code;
}

static int pulled_force(const lg_call *c, const double *q, const double *u, double *out)
{
    lg_pull k;
    int code = lg_pull_look(&k, c, q);
    if (code) return code;
    lg_matvec(k.vector, k.DJ, u, k.o->s, k.o->r);
    code = lg_field_force(&k.f, c->t, k.point, k.vector, k.other);
    if (!code) pull(&k, out, k.other);
    return code;
}

/* Y* with DJ Y* = Y, by least squares: Y is tangent. */
static int pulled_drift(lg_pull *k, double *Y)
{
    int s = k->o->s, r = k->o->r;
    if (lg_norm_max(k->vector, s) == 0) return 0;
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) {
            k->M[i * r + j] = 0;
            for (int l = 0; l < s; l++) k->M[i * r + j] += k->DJ[l * r + i] * k->DJ[l * r + j];
        }
    pull(k, Y, k->vector);
    if (lg_cholesky(k->M, r, NULL) != LG_OK) return (int)LG_ERROR_SINGULAR;
    lg_cholesky_solve(k->M, r, Y);
    return 0;
}

static int pulled_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    lg_pull k;
    int code = lg_pull_look(&k, c, q);
    if (!code) code = lg_field_rows(&k.f, c->t, k.point, k.T, k.vector);
    if (code) return code;
    lg_matmul(mu, k.T, k.DJ, k.S.constraint_count, k.o->s, k.o->r);
    return pulled_drift(&k, Y);
}

/* ---- the discrete system ---- */

/* D_1 L_d^V (end 0) or D_2 L_d^V (end 1):
 *   sum_i weight_i [-+ M(v_i) v + h (1 - alpha_i or alpha_i) (dT - dV)(v_i, v)],  v = (v_1 - v_0)/h. */
static int slope_on_space(lg_pull *k, const lg_call *c, double h, const double *v0, const double *v1, int end,
                          double *out)
{
    const lg_pull_rule *N = &k->o->action;
    double v[LG_PULL_MOST], at[LG_PULL_MOST];
    int s = k->o->s;
    memset(out, 0, sz(s) * sizeof *out);
    for (int l = 0; l < s; l++) v[l] = (v1[l] - v0[l]) / h;
    for (int i = 0; i < N->count; i++) {
        double a = N->alpha[i], w = N->weight[i], t = c->t + a * h, share = h * (end ? a : 1 - a);
        for (int l = 0; l < s; l++) at[l] = (1 - a) * v0[l] + a * v1[l];
        int code = lg_field_metric(&k->f, t, at, k->M);
        if (!code) code = lg_field_metric_gradient(&k->f, t, at, v, k->vector);
        if (!code) code = lg_field_gradient(&k->f, t, at, k->other);
        if (code) return code;
        lg_matvec(k->T, k->M, v, s, s);
        for (int l = 0; l < s; l++) out[l] += w * ((end ? k->T[l] : -k->T[l]) + share * (k->vector[l] - k->other[l]));
    }
    return 0;
}

/* DJ(q_end)^T D_end L_d^V(J(q0), J(q1)). */
static int pulled_slope(const lg_call *c, double h, const double *q0, const double *q1, int end, double *out)
{
    lg_pull k;
    double v0[LG_PULL_MOST], v1[LG_PULL_MOST], p[LG_PULL_MOST];
    int code = lg_pull_open(&k, c);
    if (!code) code = lg_pull_chart(&k, q0, v0);
    if (!code) code = lg_pull_chart(&k, q1, v1);
    if (!code) code = lg_pull_jacobian(&k, end ? q1 : q0);
    if (code) return code;
    if (k.o->user) {
        lg_call own = *c;
        own.context = k.S.context;
        memset(p, 0, sz(k.o->s) * sizeof *p);
        code = (end ? k.S.callbacks.discrete_slope_2 : k.S.callbacks.discrete_slope_1)(&own, h, v0, v1, p);
    } else
        code = slope_on_space(&k, c, h, v0, v1, end, p);
    if (!code) pull(&k, out, p);
    return code;
}

static int pulled_slope_1(const lg_call *c, double h, const double *q0, const double *q1, double *out)
{
    return pulled_slope(c, h, q0, q1, 0, out);
}

static int pulled_slope_2(const lg_call *c, double h, const double *q0, const double *q1, double *out)
{
    return pulled_slope(c, h, q0, q1, 1, out);
}

/* sum_i weight_i mu(v_i) (v - Y(v_i)). */
static int constraint_on_space(lg_pull *k, const lg_call *c, double h, const double *v0, const double *v1, double *out)
{
    const lg_pull_rule *N = &k->o->constraint;
    int s = k->o->s, m = k->S.constraint_count;
    double at[LG_PULL_MOST];
    memset(out, 0, sz(m) * sizeof *out);
    for (int i = 0; i < N->count; i++) {
        double a = N->alpha[i];
        for (int l = 0; l < s; l++) at[l] = (1 - a) * v0[l] + a * v1[l];
        int code = lg_field_rows(&k->f, c->t + a * h, at, k->T, k->vector);
        if (code) return code;
        for (int l = 0; l < s; l++) k->vector[l] = (v1[l] - v0[l]) / h - k->vector[l];
        for (int b = 0; b < m; b++) out[b] += N->weight[i] * lg_dot(k->T + b * s, k->vector, s);
    }
    return 0;
}

static int pulled_constraint(const lg_call *c, double h, const double *q0, const double *q1, double *out)
{
    lg_pull k;
    double v0[LG_PULL_MOST], v1[LG_PULL_MOST];
    int code = lg_pull_open(&k, c);
    if (!code) code = lg_pull_chart(&k, q0, v0);
    if (!code) code = lg_pull_chart(&k, q1, v1);
    if (code) return code;
    if (!k.o->user) return constraint_on_space(&k, c, h, v0, v1, out);
    lg_call own = *c;
    own.context = k.S.context;
    return k.S.callbacks.discrete_constraint(&own, h, v0, v1, out);
}

void lg_pull_make_system(lg_pullback *o)
{
    lg_system *P = &o->pulled;
    const lg_system *S = &o->S;
    *P = lg_system_default(lg_rn(o->r));
    P->context = o;
    P->callbacks.metric = pulled_metric;
    P->callbacks.potential = S->callbacks.potential ? pulled_potential : NULL;
    P->callbacks.potential_gradient = S->callbacks.potential ? pulled_gradient : NULL;
    P->callbacks.force = S->callbacks.force ? pulled_force : NULL;
    P->callbacks.control_count = S->callbacks.control_count;
    P->constraint_count = S->constraint_count;
    P->callbacks.covectors = S->constraint_count ? pulled_rows : NULL;
    P->callbacks.discrete_constraint = S->constraint_count ? pulled_constraint : NULL;
    P->callbacks.discrete_slope_1 = pulled_slope_1;
    P->callbacks.discrete_slope_2 = pulled_slope_2;
    P->parameter_count = S->parameter_count;
    P->parameters = S->parameters;
    P->parameter_values = S->parameter_values;
    P->callbacks.time_dependent = S->callbacks.time_dependent;
}
