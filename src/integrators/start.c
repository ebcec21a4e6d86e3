/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts: from a velocity or a momentum to the state (g_0, p^-_0), and back to the last start (docs/theory.md section
 * 4). reaction  p^-_0 = J xi_0 + (h/2) A^T lambda_0 + h (w_0 - 1/2) dV legendre  p^-_0 = J xi_0 paper     p^-_0 =
 * (dtau^-1_{h xi_0})^* J xi_0 with the multiplier of the continuous equation, C lambda = -A'(xi - Y) + A Y' - A J^-1
 * (ad*_xi J xi + dT - dV - J' xi). */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "integrators/integrator.h"
#include "mechanics/gram.h"

/* How far a quaternion, or any element, may be from the group and still be taken (and projected). */
#define ELEMENT_TOLERANCE 1e-6
/* |A (xi - Y)| relative to its terms above which an initial velocity is refused. */
#define VELOCITY_TOLERANCE 1e-9

typedef struct scratch {
    double *M, *J, *Jinv;                      /* n x n; a constant full metric and its inverse are the work's */
    double *dA, *AW, *C;                       /* m x n, m x m */
    double *xi, *Y, *dY, *p, *force, *t1, *t2; /* n */
    double *rhs;
    const double *A; /* the node's rows */
} scratch;

/* The work holds the metric as a full matrix. */
static int has_metric(const lg_plan *P)
{
    return P->constant_metric && !P->diagonal;
}

static scratch carve(lg_arena *a, const lg_plan *P)
{
    size_t n = sz(P->n), m = sz(P->m);
    scratch o = {.M = lg_take_doubles(a, n * n)};
    if (!has_metric(P)) o.J = lg_take_doubles(a, n * n), o.Jinv = lg_take_doubles(a, n * n);
    o.dA = lg_take_doubles(a, m * n), o.AW = lg_take_doubles(a, m * n);
    double **vector[] = {&o.xi, &o.Y, &o.dY, &o.p, &o.force, &o.t1, &o.t2};
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) *vector[i] = lg_take_doubles(a, n);
    o.C = lg_take_doubles(a, m * m);
    o.rhs = lg_take_doubles(a, m);
    return o;
}

size_t lg_start_bytes(const lg_plan *P)
{
    lg_arena a = {NULL, 0};
    (void)carve(&a, P);
    return a.used;
}

void lg_copy_node(const lg_plan *P, lg_node *to, const lg_node *from)
{
    size_t n = (size_t)P->n * sizeof(double);
    to->t = from->t, to->iterations = from->iterations;
    memcpy(to->g, from->g, (size_t)P->gn * sizeof(double));
    memcpy(to->pp, from->pp, n), memcpy(to->pm, from->pm, n), memcpy(to->pt, from->pt, n), memcpy(to->xi, from->xi, n);
    if (P->m) memcpy(to->lambda, from->lambda, (size_t)P->m * sizeof(double));
    if (P->m && from->A != to->A) memcpy(to->A, from->A, (size_t)P->m * n);
    if (P->drift) memcpy(to->Y, from->Y, n);
    if (P->potential) memcpy(to->dV, from->dV, n);
}

static lg_status callback_failed(lg_integrator *it, int code)
{
    lg_work_fail(it->work, LG_ERROR_CALLBACK, it->field.failed, code, 0, 0);
    return lg_explain(it, "lg_integrator_start", &it->error);
}

/* b->g = g0 on the group, or a refusal. */
static lg_status place(lg_integrator *it, lg_node *b, double t0, const double *g0)
{
    const lg_group *G = it->S.group;
    double off = G->residual ? G->residual(G, g0, it->work->scratch) : 0;
    b->t = t0;
    if (!isfinite(t0) || !lg_all_finite(g0, it->plan.gn))
        return lg_fail(&it->error, LG_ERROR_NOT_FINITE, "lg_integrator_start: t0 or g0 is not finite");
    if (!(off <= ELEMENT_TOLERANCE))
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_start: g0 is off the group %s by %.3g; expected less than %g", G->name, off,
                       ELEMENT_TOLERANCE);
    lg_status st = LG_OK;
    if (off > 0 && G->project)
        st = G->project(G, b->g, g0, it->work->scratch);
    else
        memcpy(b->g, g0, (size_t)it->plan.gn * sizeof *g0);
    if (st != LG_OK) return lg_fail(&it->error, st, "lg_integrator_start: g0 cannot be projected onto %s", G->name);
    if (lg_work_evaluate(it->work, b)) return lg_explain(it, "lg_integrator_start", &it->error);
    const double *values;
    int count;
    if (!lg_find_not_finite(it, b, &values, &count)) return LG_OK;
    lg_work_fail(it->work, LG_ERROR_NOT_FINITE, "a field of the system", 0, 0, 0);
    return lg_explain(it, "lg_integrator_start", &it->error);
}

/* Metric, rows and C at the node. */
static lg_status prepare(lg_integrator *it, const lg_node *b, scratch *o)
{
    const lg_plan *P = &it->plan;
    int n = P->n, m = P->m, code = 0;
    if (has_metric(P))
        o->J = it->work->J, o->Jinv = it->work->Jinv;
    else
        code = lg_field_metric(&it->field, b->t, b->g, o->J);
    if (code) return callback_failed(it, code);
    o->A = b->A;
    memset(o->Y, 0, (size_t)n * sizeof *o->Y);
    if (P->drift) memcpy(o->Y, b->Y, (size_t)n * sizeof *o->Y);
    if (!lg_all_finite(o->J, n * n))
        return lg_fail(&it->error, LG_ERROR_NOT_FINITE,
                       "lg_integrator_start: the metric is not finite at g0; a callback returned NaN");
    if (!has_metric(P) && lg_spd_inverse(o->Jinv, o->J, n, o->M) != LG_OK)
        return lg_fail(&it->error, LG_ERROR_SINGULAR, "lg_integrator_start: the metric is not positive definite at g0");
    gram_rows(o->AW, o->A, o->Jinv, 0, m, n);
    int bad = m ? gram_factor(o->C, o->AW, o->A, m, n) : 0;
    if (bad)
        return lg_fail(&it->error, LG_ERROR_SINGULAR, "lg_integrator_start: row %d depends on the rows before it at g0",
                       bad);
    return LG_OK;
}

/* xi <- xi - J^-1 A^T C^-1 A (xi - Y), or a refusal that names the row. */
static lg_status make_consistent(lg_integrator *it, scratch *o, int project)
{
    int n = it->plan.n, m = it->plan.m;
    for (int a = 0; a < m; a++) {
        double s = 0, size = 0;
        for (int i = 0; i < n; i++) {
            s += o->A[a * n + i] * (o->xi[i] - o->Y[i]);
            size += fabs(o->A[a * n + i]) * (fabs(o->xi[i]) + fabs(o->Y[i]));
        }
        o->rhs[a] = s;
        if (!project && !(fabs(s) <= VELOCITY_TOLERANCE * fmax(size, 1e-300)))
            return lg_fail(&it->error, LG_ERROR_INCONSISTENT,
                           "lg_integrator_start: xi0 violates constraint %d: A (xi0 - Y) = %.6g, expected 0; add "
                           "LG_START_PROJECT to project it",
                           a + 1, s);
    }
    if (!project || !m) return LG_OK;
    gram_solve(o->C, o->rhs, m);
    for (int i = 0; i < n; i++)
        for (int a = 0; a < m; a++) o->xi[i] -= o->AW[a * n + i] * o->rhs[a];
    return LG_OK;
}

/* lambda_0 in o->rhs. */
static lg_status continuous_multiplier(lg_integrator *it, const lg_node *b, scratch *o)
{
    const lg_plan *P = &it->plan;
    int n = P->n, m = P->m, code;
    lg_status st = it->S.group->ad(it->S.group, o->M, o->xi, it->work->scratch);
    if (st != LG_OK) return lg_fail(&it->error, st, "lg_integrator_start: ad fails on %s", it->S.group->name);
    lg_matvec_transposed(o->force, o->M, o->p, n, n);
    if ((code = lg_field_gradient(&it->field, b->t, b->g, o->t1))) return callback_failed(it, code);
    for (int i = 0; i < n; i++) o->force[i] -= o->t1[i];
    if ((code = lg_field_metric_gradient(&it->field, b->t, b->g, o->xi, o->t1))) return callback_failed(it, code);
    if ((code = lg_field_metric_rate(&it->field, b->t, b->g, o->xi, o->t2))) return callback_failed(it, code);
    for (int i = 0; i < n; i++) o->force[i] += o->t1[i] - o->t2[i];
    if ((code = lg_field_rows_rate(&it->field, b->t, b->g, o->xi, o->dA, o->dY))) return callback_failed(it, code);
    for (int a = 0; a < m; a++) {
        double s = 0;
        for (int i = 0; i < n; i++)
            s += o->A[a * n + i] * o->dY[i] - o->dA[a * n + i] * (o->xi[i] - o->Y[i]) - o->AW[a * n + i] * o->force[i];
        o->rhs[a] = s;
    }
    gram_solve(o->C, o->rhs, m);
    return LG_OK;
}

/* p^-_0 into b->pm for the start asked for. */
static lg_status depart(lg_integrator *it, lg_node *b, scratch *o, int start)
{
    const lg_plan *P = &it->plan;
    int n = P->n, m = P->m;
    memcpy(b->pm, o->p, (size_t)n * sizeof *b->pm);
    if (start == LG_START_PAPER) {
        for (int i = 0; i < n; i++) o->t1[i] = it->h * o->xi[i];
        lg_status st =
            lg_retraction_dtau_inv_dual_with(P->retraction, it->S.group, b->pm, o->t1, o->p, it->work->scratch);
        if (st != LG_OK) return lg_fail(&it->error, st, "lg_integrator_start: the retraction's tangent fails at h xi0");
    }
    if (start != LG_START_REACTION) return LG_OK;
    double shift = it->h * (P->w0 - P->w1) / 2; /* h (w_0 - 1/2); 0 at the midpoint */
    int code = shift != 0 ? lg_field_gradient(&it->field, b->t, b->g, o->t1) : 0;
    if (code) return callback_failed(it, code);
    for (int i = 0; shift != 0 && i < n; i++) b->pm[i] += shift * o->t1[i];
    if (!m) return LG_OK;
    lg_status st = continuous_multiplier(it, b, o);
    for (int a = 0; st == LG_OK && a < m; a++)
        for (int i = 0; i < n; i++) b->pm[i] += 0.5 * it->h * o->A[a * n + i] * o->rhs[a];
    return st;
}

/* p^+ is the reflection of p^- (an involution), which also gives p~ and the multipliers. */
static lg_status reflect_back(lg_integrator *it, lg_node *b)
{
    int n = it->plan.n, m = it->plan.m;
    double h = it->h;
    memcpy(b->pp, b->pm, (size_t)n * sizeof *b->pp);
    if (lg_reflect(it->work, h, b)) return lg_explain(it, "lg_integrator_start", &it->error);
    for (int i = 0; i < n; i++) { /* what came out as p^- is p^+ */
        double other = b->pm[i];
        b->pm[i] = b->pp[i];
        b->pp[i] = other;
    }
    for (int a = 0; a < m; a++) b->lambda[a] = -b->lambda[a];
    if (lg_all_finite(b->pm, n) && lg_all_finite(b->pp, n)) return LG_OK;
    lg_work_fail(it->work, LG_ERROR_NOT_FINITE, "the initial momentum", 0, 0, 0);
    return lg_explain(it, "lg_integrator_start", &it->error);
}

/* The new node becomes the state, and what reset comes back to. */
static lg_status accept(lg_integrator *it, double t0)
{
    lg_work *w = it->work;
    lg_node *b = w->next;
    int n = it->plan.n;
    const double *part[4] = {b->pp, b->pm, b->pt, b->xi};
    memset(b->xi, 0, (size_t)n * sizeof *b->xi);
    b->iterations = 0;
    w->next = w->now, w->now = b;
    it->t0 = t0, it->step = 0, it->started = 1;
    memcpy(it->first_g, b->g, (size_t)it->plan.gn * sizeof *b->g);
    for (int k = 0; k < 4; k++) memcpy(it->first + k * n, part[k], (size_t)n * sizeof(double));
    for (int a = 0; a < it->plan.m; a++) it->first_lambda[a] = b->lambda[a];
    it->error.status = LG_OK;
    it->error.message[0] = 0;
    return LG_OK;
}

static lg_status begin(lg_integrator *it, double t0, const double *g0, const double *vector)
{
    if (!it) return LG_ERROR_ARGUMENT;
    if (!it->made) return it->error.status == LG_OK ? LG_ERROR_ARGUMENT : it->error.status;
    if (!g0 || !vector)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_start: g0 or the initial velocity (momentum) is NULL");
    if (!lg_all_finite(vector, it->plan.n))
        return lg_fail(&it->error, LG_ERROR_NOT_FINITE,
                       "lg_integrator_start: the initial velocity (momentum) is not finite");
    return place(it, it->work->next, t0, g0);
}

/* A start that fails leaves the state as it was, the metric at its node included. */
static lg_status end(lg_integrator *it, lg_status st, double t0)
{
    if (st == LG_OK) return accept(it, t0);
    lg_error e = it->error;
    if (it->started && !it->plan.constant_metric) (void)lg_work_evaluate(it->work, it->work->now);
    it->error = e;
    return st;
}

lg_status lg_integrator_start(lg_integrator *it, double t0, const double *g0, const double *xi0, int start)
{
    int kind = start & ~(int)LG_START_PROJECT;
    lg_status st = begin(it, t0, g0, xi0);
    if (!it || !it->made) return st;
    if (st == LG_OK && kind != LG_START_REACTION && kind != LG_START_LEGENDRE && kind != LG_START_PAPER)
        st = lg_fail(&it->error, LG_ERROR_ARGUMENT,
                     "lg_integrator_start: unknown start %d; expected LG_START_REACTION, _LEGENDRE or _PAPER", start);
    lg_arena arena = {(char *)it->work->dense, 0};
    scratch o = carve(&arena, &it->plan);
    lg_node *b = it->work->next;
    if (st == LG_OK) st = prepare(it, b, &o);
    if (st == LG_OK) {
        memcpy(o.xi, xi0, (size_t)it->plan.n * sizeof *xi0);
        st = make_consistent(it, &o, (start & LG_START_PROJECT) != 0);
    }
    if (st == LG_OK) {
        lg_matvec(o.p, o.J, o.xi, it->plan.n, it->plan.n);
        st = depart(it, b, &o, kind);
    }
    if (st == LG_OK) st = reflect_back(it, b);
    if (st == LG_OK && kind == LG_START_REACTION)
        for (int a = 0; a < it->plan.m; a++) b->lambda[a] = o.rhs[a];
    if (st == LG_OK) memcpy(b->pt, o.p, (size_t)it->plan.n * sizeof *b->pt); /* row 0 is the initial state itself */
    return end(it, st, t0);
}

lg_status lg_integrator_start_momentum(lg_integrator *it, double t0, const double *g0, const double *p_minus0)
{
    lg_status st = begin(it, t0, g0, p_minus0);
    if (!it || !it->made) return st;
    if (st == LG_OK) {
        memcpy(it->work->next->pm, p_minus0, (size_t)it->plan.n * sizeof *p_minus0);
        st = reflect_back(it, it->work->next);
    }
    return end(it, st, t0);
}

lg_status lg_integrator_reset(lg_integrator *it)
{
    lg_status st = lg_not_ready(it, "lg_integrator_reset");
    if (st != LG_OK) return st;
    lg_work *w = it->work;
    lg_node *b = w->next;
    int n = it->plan.n;
    double *part[4] = {b->pp, b->pm, b->pt, b->xi};
    b->t = it->t0, b->iterations = 0;
    memcpy(b->g, it->first_g, (size_t)it->plan.gn * sizeof *b->g);
    for (int k = 0; k < 4; k++) memcpy(part[k], it->first + k * n, (size_t)n * sizeof(double));
    for (int a = 0; a < it->plan.m; a++) b->lambda[a] = it->first_lambda[a];
    if (lg_work_evaluate(w, b)) return end(it, lg_explain(it, "lg_integrator_reset", &it->error), it->t0);
    w->next = w->now, w->now = b;
    it->step = 0;
    it->error.status = LG_OK;
    it->error.message[0] = 0;
    return LG_OK;
}
