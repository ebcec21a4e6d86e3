/* SPDX-License-Identifier: BSD-3-Clause */
/* The GNI on a groupoid, [P2] (48): P*(p^- - p^+) = 0 and Q*(p^- + p^+) = 2 Q* Pi over the point between two elements,
 * that is p^- = (P - Q)* p^+ + 2 Q* Pi; then source(g) = q, F^-L_d(g) = p^- for the next element. */
#include "groupoids/gni.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "mechanics/standalone.h"
#include "mechanics/gram.h"

/* ---- life ---- */

static void carve_node(lg_gni_node *b, lg_arena *a, const lg_groupoid_system *S)
{
    const size_t n = sz(S->groupoid->dim), m = sz(S->constraint_count);
    b->x = lg_take_doubles(a, sz(S->groupoid->base_size));
    b->g = lg_take_doubles(a, sz(S->groupoid->element_size));
    b->p_plus = lg_take_doubles(a, n);
    b->p_minus = lg_take_doubles(a, n);
    b->p_tilde = lg_take_doubles(a, n);
    b->lambda = lg_take_doubles(a, m);
    b->A = lg_take_doubles(a, m * n);
    b->Y = lg_take_doubles(a, n);
    b->Jinv = lg_take_doubles(a, n * n);
}

static void gni_carve(lg_groupoid_gni *it, lg_arena *a)
{
    const lg_groupoid_system *S = &it->slopes.S;
    const size_t n = sz(S->groupoid->dim), m = sz(S->constraint_count);
    lg_gni_scratch *s = &it->s;
    lg_legendre_carve(&it->slopes, a);
    carve_node(&it->now, a, S);
    carve_node(&it->next, a, S);
    double **const vectors[] = {&s->eta, &s->from, &s->R, &s->trial, &s->s, &s->v, &s->w};
    double **const squares[] = {&s->H, &s->M, &s->J};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = lg_take_doubles(a, n);
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++) *squares[i] = lg_take_doubles(a, n * n);
    s->AW = lg_take_doubles(a, m * n);
    s->C = lg_take_doubles(a, m * m);
    s->u = lg_take_doubles(a, m);
    s->pivots = lg_take(a, n * sizeof(int));
}

/* Jinv = J^-1 of the matrix in scratch J. */
static lg_status invert_metric(lg_groupoid_gni *it, double *Jinv)
{
    const int n = it->slopes.S.groupoid->dim;
    lg_status status = lg_check_definite(it->s.J, n, "metric", it->s.M, &it->error);
    if (status == LG_OK && lg_spd_inverse(Jinv, it->s.J, n, it->s.M) != LG_OK)
        status = lg_fail(&it->error, LG_ERROR_SINGULAR, "metric: it has no inverse");
    return status;
}

/* Stores the constant fields in both nodes, and removes the user's arrays from the system. */
static lg_status load(lg_groupoid_gni *it)
{
    lg_groupoid_system *S = &it->slopes.S;
    const int n = S->groupoid->dim, mn = S->constraint_count * n;
    lg_status status = LG_OK;
    for (int i = 0; i < n * n && !S->metric; i++)
        it->s.J[i] = S->inertia ? S->inertia[i] : i % (n + 1) ? 0 : S->inertia_diagonal[i / n];
    if (!S->metric) status = invert_metric(it, it->now.Jinv);
    memcpy(it->next.Jinv, it->now.Jinv, sz(n * n) * sizeof(double));
    for (int i = 0; i < mn && S->covector_matrix; i++) it->now.A[i] = it->next.A[i] = S->covector_matrix[i];
    S->scales = S->inertia = S->inertia_diagonal = S->covector_matrix = NULL;
    return status;
}

static lg_status gni_build(lg_groupoid_gni **out, const lg_groupoid_system *S, double h, lg_error *e)
{
    lg_groupoid_gni probe;
    lg_arena a = {NULL, lg_round_up(sizeof probe)};
    memset(&probe, 0, sizeof probe);
    lg_status status = lg_legendre_take(&probe.slopes.S, S, h, e);
    if (status != LG_OK) return status;
    gni_carve(&probe, &a);
    lg_groupoid_gni *it = lg_reserve(a.used);
    if (!it) return lg_fail(e, LG_ERROR_MEMORY, "lg_groupoid_gni_create: out of memory");
    *it = probe;
    it->bytes = a.used;
    a = (lg_arena){(char *)it, lg_round_up(sizeof probe)};
    gni_carve(it, &a);
    it->h = it->slopes.h = h;
    it->slopes.error = &it->error;
    it->tolerance = 1e-11;
    it->iterations_max = 50;
    status = load(it);
    if (status != LG_OK) {
        *e = it->error;
        lg_release(it);
        return status;
    }
    *out = it;
    return LG_OK;
}

lg_status lg_groupoid_gni_create(lg_groupoid_gni **it, const lg_groupoid_system *S, double h)
{
    lg_error e = {LG_OK, ""};
    if (!it) return LG_ERROR_ARGUMENT;
    *it = NULL;
    lg_status status = gni_build(it, S, h, &e);
    if (status == LG_OK || status == LG_ERROR_MEMORY) return status;
    *it = lg_reserve(sizeof **it); /* it only holds its message */
    if (*it) {
        (*it)->error = e;
        (*it)->bytes = sizeof **it;
    }
    return status;
}

void lg_groupoid_gni_destroy(lg_groupoid_gni *it)
{
    if (it && it->busy) return; /* called by a callback of its own */
    lg_release(it);
}

size_t lg_groupoid_gni_bytes(const lg_groupoid_gni *it)
{
    return it ? it->bytes : 0;
}

/* ---- at a node ---- */

static double time_of(const lg_groupoid_gni *it, int64_t k)
{
    return it->t0 + (double)k * it->h;
}

/* J^-1, A and Y at the node's point. */
static lg_status evaluate(lg_groupoid_gni *it, lg_gni_node *b, double t)
{
    const lg_groupoid_system *S = &it->slopes.S;
    const lg_call c = lg_legendre_call(&it->slopes, t);
    const int n = S->groupoid->dim, m = S->constraint_count;
    if (S->metric) {
        memset(it->s.J, 0, sz(n * n) * sizeof(double));
        int code = S->metric(&c, b->x, it->s.J);
        if (code) return lg_fail(&it->error, LG_ERROR_CALLBACK, "callback metric returned %d", code);
        lg_status status = invert_metric(it, b->Jinv);
        if (status != LG_OK) return status;
    }
    if (S->covectors) {
        memset(b->A, 0, sz(m * n) * sizeof(double));
        memset(b->Y, 0, sz(n) * sizeof(double));
        int code = S->covectors(&c, b->x, b->A, b->Y);
        if (code) return lg_fail(&it->error, LG_ERROR_CALLBACK, "callback covectors returned %d", code);
    }
    if (!lg_all_finite(b->A, m * n) || !lg_all_finite(b->Y, n))
        return lg_fail(&it->error, LG_ERROR_NOT_FINITE, "callback covectors: a value is not finite");
    return LG_OK;
}

/* out = (P - Q)* in + 2 Q* Pi = in - 2 A^T u and p_tilde = in - A^T u, u = C^-1 A J^-1 (in - J Y); lambda = -2 u/h. */
static lg_status reflect(lg_groupoid_gni *it, lg_gni_node *b, double *out, const double *in)
{
    const int n = it->slopes.S.groupoid->dim, m = it->slopes.S.constraint_count;
    const lg_gni_scratch *s = &it->s;
    gram_rows(s->AW, b->A, b->Jinv, 0, m, n);
    int bad = gram_factor(s->C, s->AW, b->A, m, n);
    if (bad) return lg_fail(&it->error, LG_ERROR_SINGULAR, "covectors: row %d depends on the rows before it", bad);
    for (int a = 0; a < m; a++) s->u[a] = lg_dot(s->AW + a * n, in, n) - lg_dot(b->A + a * n, b->Y, n);
    gram_solve(s->C, s->u, m);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int a = 0; a < m; a++) sum += b->A[a * n + i] * s->u[a];
        b->p_tilde[i] = in[i] - sum;
        out[i] = in[i] - 2 * sum;
    }
    for (int a = 0; a < m; a++) b->lambda[a] = -2 * s->u[a] / it->h;
    if (!lg_all_finite(out, n)) return lg_fail(&it->error, LG_ERROR_NOT_FINITE, "the reflected momentum is not finite");
    return LG_OK;
}

/* The state at the end of next.g: p^+ = F^+L_d(g), p^- its reflection. */
static lg_status arrive(lg_groupoid_gni *it, int64_t k)
{
    const lg_groupoid *gpd = it->slopes.S.groupoid;
    lg_gni_node *b = &it->next;
    lg_status status = gpd->target(gpd, b->x, b->g, it->slopes.work);
    if (status != LG_OK) return lg_fail(&it->error, status, "the groupoid '%s' has no target there", gpd->name);
    status = lg_legendre_slope(&it->slopes, LG_PLUS, b->g, b->p_plus);
    if (status == LG_OK) status = evaluate(it, b, time_of(it, k));
    if (status == LG_OK) status = reflect(it, b, b->p_minus, b->p_plus);
    b->accuracy = it->slopes.accuracy;
    return status;
}

static void commit(lg_groupoid_gni *it, int64_t k)
{
    const lg_gni_node node = it->now;
    it->now = it->next;
    it->next = node;
    it->k = k;
    it->started = 1;
    lg_error_clear(&it->error);
}

/* Prefixes the message of a failure with `where`. */
static lg_status place(lg_groupoid_gni *it, lg_status status, const char *where)
{
    lg_error inner = it->error;
    return lg_fail(&it->error, status, "%s: %s", where, inner.message);
}

/* Locks the integrator; its callbacks must not call it. Every function that enters it leaves it. */
static lg_status enter(lg_groupoid_gni *it, const char *caller)
{
    if (!it || !it->slopes.S.groupoid) return LG_ERROR_ARGUMENT;
    if (it->busy)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT, "%s: called by a callback of this integrator, which is at work",
                       caller);
    it->busy = 1;
    return LG_OK;
}

static lg_status leave(lg_groupoid_gni *it, lg_status status)
{
    it->busy = 0;
    return status;
}

/* ---- starts ---- */

/* Checks that `count` initial numbers are given and finite. */
static lg_status check_data(lg_groupoid_gni *it, const char *caller, const char *what, const double *v, int count)
{
    if (!v && count > 0) return lg_fail(&it->error, LG_ERROR_ARGUMENT, "%s: %s is NULL", caller, what);
    if (!lg_all_finite(v, count)) return lg_fail(&it->error, LG_ERROR_NOT_FINITE, "%s: %s is not finite", caller, what);
    return LG_OK;
}

static lg_status start(lg_groupoid_gni *it, double t0, const double *x0, const double *p0)
{
    const char *caller = "lg_groupoid_gni_start";
    const lg_groupoid *gpd = it->slopes.S.groupoid;
    lg_status status = check_data(it, caller, "the time", &t0, 1);
    if (status == LG_OK) status = check_data(it, caller, "the point", x0, gpd->base_size);
    if (status == LG_OK) status = check_data(it, caller, "the momentum", p0, gpd->dim);
    if (status != LG_OK) return status;
    const double before = it->t0;
    lg_gni_node *b = &it->next;
    it->t0 = t0;
    if (gpd->base_size > 0) memcpy(b->x, x0, sz(gpd->base_size) * sizeof *x0);
    memcpy(b->p_minus, p0, sz(gpd->dim) * sizeof *p0);
    status = gpd->unit(gpd, b->g, b->x, it->slopes.work);
    if (status != LG_OK) (void)lg_fail(&it->error, status, "the groupoid '%s' has no unit there", gpd->name);
    if (status == LG_OK) status = evaluate(it, b, t0);
    if (status == LG_OK)
        status = reflect(it, b, b->p_plus, b->p_minus); /* an involution: gives the momentum before the reflection */
    if (status != LG_OK) {
        it->t0 = before;
        return place(it, status, caller);
    }
    for (int a = 0; a < it->slopes.S.constraint_count; a++) b->lambda[a] = -b->lambda[a];
    b->accuracy = 0;
    b->iterations = 0;
    commit(it, 0);
    return LG_OK;
}

lg_status lg_groupoid_gni_start(lg_groupoid_gni *it, double t0, const double *x0, const double *p0)
{
    const lg_status status = enter(it, "lg_groupoid_gni_start");
    return status == LG_OK ? leave(it, start(it, t0, x0, p0)) : status;
}

static lg_status start_element(lg_groupoid_gni *it, double t0, const double *g0)
{
    const char *caller = "lg_groupoid_gni_start_element";
    lg_status status = check_data(it, caller, "the time", &t0, 1);
    if (status == LG_OK) status = check_data(it, caller, "the element", g0, it->slopes.S.groupoid->element_size);
    if (status != LG_OK) return status;
    const double before = it->t0;
    it->t0 = t0;
    it->slopes.t = t0;
    it->slopes.accuracy = 0;
    it->next.iterations = 0;
    memcpy(it->next.g, g0, sz(it->slopes.S.groupoid->element_size) * sizeof *g0);
    status = arrive(it, 1);
    if (status != LG_OK) {
        it->t0 = before;
        return place(it, status, caller);
    }
    commit(it, 1);
    return LG_OK;
}

lg_status lg_groupoid_gni_start_element(lg_groupoid_gni *it, double t0, const double *g0)
{
    const lg_status status = enter(it, "lg_groupoid_gni_start_element");
    return status == LG_OK ? leave(it, start_element(it, t0, g0)) : status;
}

lg_status lg_groupoid_gni_set_newton(lg_groupoid_gni *it, double tolerance, int iterations)
{
    if (!it) return LG_ERROR_ARGUMENT;
    if (!(tolerance > 0) || !isfinite(tolerance) || iterations < 1)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_groupoid_gni_set_newton: tolerance %g, iterations %d; both must be positive", tolerance,
                       iterations);
    it->tolerance = tolerance;
    it->iterations_max = iterations;
    return LG_OK;
}

/* ---- the step ---- */

static lg_status step(lg_groupoid_gni *it)
{
    char where[96];
    if (!it->started) return lg_fail(&it->error, LG_ERROR_ARGUMENT, "lg_groupoid_gni_step: start it first");
    it->slopes.t = time_of(it, it->k);
    lg_status status = lg_gni_solve(it);
    if (status == LG_OK) status = arrive(it, it->k + 1);
    if (status == LG_OK) {
        commit(it, it->k + 1);
        return LG_OK;
    }
    (void)snprintf(where, sizeof where, "lg_groupoid_gni_step: step %lld, from t = %.9g", (long long)it->k + 1,
                   it->slopes.t);
    return place(it, status, where);
}

lg_status lg_groupoid_gni_step(lg_groupoid_gni *it)
{
    const lg_status status = enter(it, "lg_groupoid_gni_step");
    return status == LG_OK ? leave(it, step(it)) : status;
}

/* ---- reading ---- */

const char *lg_groupoid_gni_message(const lg_groupoid_gni *it)
{
    return it ? it->error.message : LG_NO_OBJECT("integrator");
}

double lg_groupoid_gni_time(const lg_groupoid_gni *it)
{
    return it ? time_of(it, it->k) : NAN;
}

int64_t lg_groupoid_gni_step_index(const lg_groupoid_gni *it)
{
    return it ? it->k : 0;
}

const double *lg_groupoid_gni_base(const lg_groupoid_gni *it)
{
    return it ? it->now.x : NULL;
}

const double *lg_groupoid_gni_element(const lg_groupoid_gni *it)
{
    return it ? it->now.g : NULL;
}

const double *lg_groupoid_gni_momentum_plus(const lg_groupoid_gni *it)
{
    return it ? it->now.p_plus : NULL;
}

const double *lg_groupoid_gni_momentum_minus(const lg_groupoid_gni *it)
{
    return it ? it->now.p_minus : NULL;
}

const double *lg_groupoid_gni_momentum(const lg_groupoid_gni *it)
{
    return it ? it->now.p_tilde : NULL;
}

lg_status lg_groupoid_gni_velocity(const lg_groupoid_gni *it, double *xi)
{
    if (!it || !it->started || !xi) return LG_ERROR_ARGUMENT;
    const int n = it->slopes.S.groupoid->dim;
    lg_matvec(xi, it->now.Jinv, it->now.p_tilde, n, n);
    return LG_OK;
}

const double *lg_groupoid_gni_multipliers(const lg_groupoid_gni *it)
{
    return it ? it->now.lambda : NULL;
}

double lg_groupoid_gni_constraint_residual(const lg_groupoid_gni *it)
{
    if (!it || !it->started) return NAN;
    const int n = it->slopes.S.groupoid->dim, m = it->slopes.S.constraint_count;
    double largest = 0;
    for (int a = 0; a < m; a++) {
        double row = 0;
        for (int i = 0; i < n; i++)
            row += it->now.A[a * n + i] * (lg_dot(it->now.Jinv + i * n, it->now.p_tilde, n) - it->now.Y[i]);
        largest = fmax(largest, fabs(row));
    }
    return largest;
}

double lg_groupoid_gni_slope_error(const lg_groupoid_gni *it)
{
    return it && it->started ? it->now.accuracy : NAN;
}

int lg_groupoid_gni_iterations(const lg_groupoid_gni *it)
{
    return it ? it->now.iterations : 0;
}
