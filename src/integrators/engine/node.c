/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the quantities of a node: metric, rows, drift, right side, potential, frame. */
#include "integrators/engine/callbacks.h"
#include "integrators/engine/rule.h"

#include "base/small.h"
#include "integrators/engine/lanes.h"
#include "integrators/engine/sized.h"

KERNEL int node_apply(int n, int diagonal, real *restrict y, const real *restrict M, const real *restrict x)
{
    small_apply(n, diagonal, y, M, x);
    return 0;
}

void lg_raise(const lg_plan *P, real *v, const lg_node *b, const real *p)
{
    if (P->diagonal)
        (void)LG_SIZED_COLUMNS(P->n, node_apply, 1, v, b->metric_inverse, p);
    else
        (void)LG_SIZED_COLUMNS(P->n, node_apply, 0, v, b->metric_inverse, p);
}

void lg_lower(const lg_plan *P, real *p, const lg_node *b, const real *v)
{
    const int n = P->n;
    for (int i = 0; i < n; i++) {
        real s = P->diagonal ? b->metric[i] * v[i] : b->metric[i * n] * v[0];
        for (int j = 1; !P->diagonal && j < n; j++) s = s + b->metric[i * n + j] * v[j];
        p[i] = s;
    }
}

/* The metric of a node, b->metric, and its inverse. */
static int node_metric(lg_workspace *w, lg_node *b)
{
    const int n = w->plan->n;
    return lg_evaluate(w, LG_CALLBACK_METRIC, &b->t, b->g, NULL, b->metric, n * n) ||
           lg_invert_metric(w, b->metric_inverse, b->metric);
}

#ifdef LG_TANGENT
/* Velocity rows and drift: callbacks see values alone. */
static int node_covectors(lg_workspace *w, lg_node *b)
{
    return w->plan->drift ? lg_evaluate_rows(w, b, b->rows + w->plan->holonomic * w->plan->n) : 0;
}
#else
/* Scalar stores, volatile so that the compiler does not make them a memset(): with wide stores in front of the
 * callback's scalar ones a step takes 8 ns more (bench_steps), presumably because the loads that follow cannot be
 * forwarded. */
static void node_clear(real *v, int count)
{
    for (int i = 0; i < count; i++) ((volatile real *)v)[i] = splat(0);
}

/* Velocity rows and drift. */
static int node_covectors(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_system *S = P->S;
    lg_call c = {S->context, S->parameter_values, lane_of(b->t, 0), LANES, w->field->control, (const double *)&b->t};
    real *A = b->rows + P->holonomic * P->n;
    int code = 0;
    if (!P->drift) return 0;
#if LANES > 1
    if (lg_lane_by_lane(w, &b->t)) return lg_evaluate_rows(w, b, A);
    c.control = w->lanes->wide_control;
#endif
    node_clear(b->drift, P->n);
    if (S->callbacks.covectors) {
        node_clear(A, P->nonholonomic * P->n);
        code = S->callbacks.covectors(&c, as_doubles(b->g), as_doubles(A), as_doubles(b->drift));
        w->field->failed = "covectors";
    } else {
        code = S->callbacks.drift(&c, as_doubles(b->g), as_doubles(b->drift));
        w->field->failed = "drift";
    }
    return code ? lg_workspace_fail_callback(w, code) : 0;
}
#endif

/* Rows of the holonomic constraints, and b = -phi_t. */
static int node_holonomic(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const int first = P->holonomic * P->n;
    if (lg_evaluate(w, LG_CALLBACK_HOLONOMIC_ROWS, &b->t, b->g, NULL, b->rows, first)) return 1;
    for (int j = first; !P->constant_rows && w->constants.given_rows && j < P->m * P->n; j++)
        b->rows[j] = w->constants.given_rows[j - first];
    if (!P->affine) return 0;
    if (lg_evaluate(w, LG_CALLBACK_HOLONOMIC_RATE, &b->t, b->g, NULL, b->right_side, P->holonomic)) return 1;
    for (int a = 0; a < P->holonomic; a++) b->right_side[a] = -b->right_side[a];
    return 0;
}

int lg_node_evaluate_rows(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    if (!P->constant_metric && node_metric(w, b)) return 1;
    if (P->holonomic && node_holonomic(w, b)) return 1;
    if (P->nonholonomic && node_covectors(w, b)) return 1;
    lg_node_sides(w, b);
    return 0;
}

void lg_node_sides(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const int n = P->n;
    if (!P->sides) return;
    int still = 1; /* most callbacks that return rows have no drift */
    for (int i = 0; P->drift && i < n; i++) still &= !any(nonzero(b->drift[i]));
    for (int a = P->holonomic; a < P->m; a++) {
        real s = splat(0);
        for (int i = 0; !still && i < n; i++) s = s + b->rows[a * n + i] * b->drift[i];
        b->right_side[a] = s;
    }
}

int lg_node_evaluate_gradient(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    if (!P->potential || (!P->fused && !P->method.gonzalez)) return 0;
    if (P->method.gonzalez && lg_evaluate(w, LG_CALLBACK_POTENTIAL, &b->t, b->g, NULL, &b->potential, 1)) return 1;
    return lg_evaluate(w, LG_CALLBACK_GRADIENT, &b->t, b->g, NULL, b->gradient, P->n);
}

void lg_row_residual(real *s, const lg_plan *P, const lg_node *b, int a, const real *v)
{
    const int n = P->n;
    const real *A = b->rows + a * n;
    *s = a < P->holonomic && P->affine ? -b->right_side[a] : splat(0);
    for (int i = 0; i < n; i++) *s = *s + A[i] * (a >= P->holonomic && P->drift ? v[i] - b->drift[i] : v[i]);
}

/* For constant rows only beta changes. */
static int node_frame(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    return P->m && (P->method.rule->needs & LG_NEEDS_FRAME) ? lg_frame(w, b) : 0;
}

int lg_node_evaluate_trial(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    if ((!P->constant_rows || P->drift || !P->constant_metric) && lg_node_evaluate_rows(w, b)) return 1;
    return node_frame(w, b);
}

int lg_node_evaluate(lg_workspace *w, lg_node *b)
{
    if (!w->plan->fused) w->energy = splat((double)NAN);
    if (b == w->next) w->length = splat(0); /* a start: the node that the last step left is gone */
    return lg_node_evaluate_rows(w, b) || node_frame(w, b) || lg_node_evaluate_gradient(w, b);
}
