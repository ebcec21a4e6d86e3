/* SPDX-License-Identifier: BSD-3-Clause */
/* What is evaluated at a node, and the driver of a step. */
#include "integrators/engine/engine.h"

#include "base/dense.h"
#include "integrators/engine/lanes.h"
#include "integrators/engine/sized.h"

void lg_raise(const lg_plan *P, real *v, const lg_node *b, const real *p)
{
    const int n = P->n;
    for (int i = 0; i < n; i++) {
        real s = P->diagonal ? b->Jinv[i] * p[i] : b->Jinv[i * n] * p[0];
        for (int j = 1; !P->diagonal && j < n; j++) s = s + b->Jinv[i * n + j] * p[j];
        v[i] = s;
    }
}

void lg_lower(const lg_plan *P, real *p, const lg_node *b, const real *v)
{
    const int n = P->n;
    for (int i = 0; i < n; i++) {
        real s = P->diagonal ? b->J[i] * v[i] : b->J[i * n] * v[0];
        for (int j = 1; !P->diagonal && j < n; j++) s = s + b->J[i * n + j] * v[j];
        p[i] = s;
    }
}

/* Metric at a node into b->J, b->Jinv. */
static int evaluate_metric(lg_workspace *w, lg_node *b)
{
    const int n = w->plan->n;
    return lg_evaluate(w, LG_CALLBACK_METRIC, &b->t, b->g, NULL, b->J, n * n) || lg_invert_metric(w, b->Jinv, b->J);
}

#if LANES == 1
int lg_invert_metric(lg_workspace *w, real *Jinv, const real *J)
{
    const int n = w->plan->n;
    if (!lg_all_finite(J, n * n)) return lg_workspace_fail(w, LG_ERROR_NOT_FINITE, "metric", 0, 0, 0);
    if (lg_spd_inverse(Jinv, J, n, w->dense) != LG_OK)
        return lg_workspace_fail(w, LG_ERROR_SINGULAR, "metric", 0, 0, 0);
    return 0;
}
#endif

/* Scalar stores, volatile so that the compiler does not make them a memset(): with wide stores in front of the
 * callback's scalar ones a step takes 8 ns more (bench_steps), presumably because the loads that follow cannot be
 * forwarded. */
static void clear(real *v, int count)
{
    for (int i = 0; i < count; i++) ((volatile real *)v)[i] = splat(0);
}

/* Velocity rows and drift. */
static int evaluate_covectors(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_system *S = P->S;
    lg_call c = {S->context, S->parameter_values, lane_of(b->t, 0), LANES, w->field->control, (const double *)&b->t};
    real *A = b->A + P->holonomic * P->n;
    int code = 0;
    if (!P->drift) return 0;
#if LANES > 1
    if (lg_lane_by_lane(w, &b->t)) return lg_evaluate_rows(w, b, A);
    c.control = w->lanes->wide_control;
#endif
    clear(b->Y, P->n);
    if (S->callbacks.covectors) {
        clear(A, P->nonholonomic * P->n);
        code = S->callbacks.covectors(&c, as_doubles(b->g), as_doubles(A), as_doubles(b->Y));
        w->field->failed = "covectors";
    } else {
        code = S->callbacks.drift(&c, as_doubles(b->g), as_doubles(b->Y));
        w->field->failed = "drift";
    }
    return code ? lg_workspace_fail_callback(w, code) : 0;
}

/* Rows of the position constraints. */
static int evaluate_positions(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const int first = P->holonomic * P->n;
    if (lg_evaluate(w, LG_CALLBACK_HOLONOMIC_ROWS, &b->t, b->g, NULL, b->A, first)) return 1;
    for (int j = first; !P->constant_rows && w->rows && j < P->m * P->n; j++) b->A[j] = w->rows[j - first];
    if (!P->affine) return 0;
    if (lg_evaluate(w, LG_CALLBACK_HOLONOMIC_RATE, &b->t, b->g, NULL, b->b, P->holonomic)) return 1;
    for (int a = 0; a < P->holonomic; a++) b->b[a] = -b->b[a];
    return 0;
}

int lg_workspace_evaluate_rows(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const int n = P->n;
    if (!P->constant_metric && evaluate_metric(w, b)) return 1;
    if (P->holonomic && evaluate_positions(w, b)) return 1;
    if (P->nonholonomic && evaluate_covectors(w, b)) return 1;
    if (!P->sides) return 0;
    int still = 1; /* most callbacks that return rows have no drift */
    for (int i = 0; P->drift && i < n; i++) still &= !any(b->Y[i] != 0.0);
    for (int a = P->holonomic; a < P->m; a++) {
        real s = splat(0);
        for (int i = 0; !still && i < n; i++) s = s + b->A[a * n + i] * b->Y[i];
        b->b[a] = s;
    }
    return 0;
}

int lg_workspace_evaluate_gradient(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    if (!P->potential || (!P->fused && !P->method.gonzalez)) return 0;
    if (P->method.gonzalez && lg_evaluate(w, LG_CALLBACK_POTENTIAL, &b->t, b->g, NULL, &b->V, 1)) return 1;
    return lg_evaluate(w, LG_CALLBACK_GRADIENT, &b->t, b->g, NULL, b->dV, P->n);
}

void lg_row_residual(real *s, const lg_plan *P, const lg_node *b, int a, const real *v)
{
    const int n = P->n;
    const real *A = b->A + a * n;
    *s = a < P->holonomic && P->affine ? -b->b[a] : splat(0);
    for (int i = 0; i < n; i++) *s = *s + A[i] * (a >= P->holonomic && P->drift ? v[i] - b->Y[i] : v[i]);
}

/* The frame at a node; of constant rows only beta changes. */
static int evaluate_frame(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    return P->m && (P->method.rule->needs & LG_NEEDS_FRAME) ? lg_frame(w, b) : 0;
}

int lg_workspace_evaluate(lg_workspace *w, lg_node *b)
{
    if (b == w->next) w->length = splat(0); /* a start: the node that the last step left is gone */
    return lg_workspace_evaluate_rows(w, b) || evaluate_frame(w, b) || lg_workspace_evaluate_gradient(w, b);
}

/* ---- the step ---- */

/* *s, which is v_0, becomes v_0 + ... + v_{n-1}. */
KERNEL int add_all(int n, real *s, const real *v)
{
    for (int i = 1; i < n; i++) *s = *s + v[i];
    return 0;
}

/* 0 where every number of the new state is finite: then so is their sum, and it less itself is 0. */
static int not_finite(lg_workspace *w, const lg_node *b)
{
    const int n = w->plan->n, element_size = w->plan->element_size;
    real s = b->g[0], r = b->p_minus[0];
    (void)LG_SIZED_COLUMNS(element_size, add_all, &s, b->g);
    (void)LG_SIZED_COLUMNS(n, add_all, &r, b->p_minus);
    s = s + r;
    if (!any((s - s == 0.0) == 0)) return 0;
    return lg_workspace_fail(w, LG_ERROR_NOT_FINITE, "the new state", 0, (int)lane_of(b->iterations, 0), 0);
}

static int substep(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    const lg_method *M = &w->plan->method;
    b->work = splat(0);
    w->destination = b;
    if (M->rule->middle_kick ? M->rule->middle_kick(w, h, a, b)
                             : M->inner->explicit(w, h, a, M->rule->depart(w, h, a), b))
        return 1;
    if (M->rule->arrive(w, h, a, b)) return 1;
    if (not_finite(w, b)) return 1;
    if (w->history) lg_history_push(w, h, b);
    return 0;
}

/* A composition: sub-steps of unequal length, each from the memory of its own; the state stays in w->now until the end.
 */
static int composed(lg_workspace *w, double h, real t1)
{
    const lg_plan *P = w->plan;
    lg_node *a = w->now, *b = w->next;
    const real t0 = a->t;
    double sum = 0, last = 1;
    real work = splat(0), most = splat(0);
    for (int i = 0; i < P->stages; i++) {
        double c = lg_plan_stage(P, i);
        sum += c;
        b->t = i == P->stages - 1 ? t1 : t0 + sum * h;
        w->slot = i;
        if (i && P->method.rule->rescale) P->method.rule->rescale(w, c / last, a);
        if (substep(w, c * h, a, b)) {
            lg_history_undo(w, i);
            return 1;
        }
        most = greater(most, b->iterations);
        work = work + b->work;
        last = c;
        lg_node *free_one = i ? a : w->spare; /* the state itself is never written to */
        a = b;
        b = free_one;
    }
    a->iterations = most;
    a->work = work;
    w->spare = b;
    w->next = w->now;
    w->now = a;
    return 0;
}

int lg_workspace_step(lg_workspace *w, double h, const double *t1)
{
    lg_node *a = w->now, *b = w->next;
    real end = splat(t1[0]);
#if LANES > 1
    for (int l = 1; l < LANES; l++) end[l] = t1[l];
#endif
    w->length = splat(0);
    if (w->plan->stages > 1) {
        if (composed(w, h, end)) return 1;
    } else {
        b->t = end;
        if (substep(w, h, a, b)) return 1;
        w->now = b, w->next = a;
    }
    w->length = splat(h);
    return 0;
}

void lg_workspace_back(lg_workspace *w)
{
    lg_node *b = w->now;
    w->now = w->next, w->next = b;
    w->length = splat(0);
}
