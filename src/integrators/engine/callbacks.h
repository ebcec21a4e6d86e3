/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluation of the system's callbacks: one kind at one (t, g), in every lane. */
#ifndef LG_INTEGRATORS_CALLBACKS_H
#define LG_INTEGRATORS_CALLBACKS_H

#include "integrators/engine/workspace.h"

/* Callbacks at (t, g); the forces, the metric's gradient and the acceleration of phi also take xi. */
typedef enum lg_callback_kind {
    LG_CALLBACK_POTENTIAL,
    LG_CALLBACK_GRADIENT,
    LG_CALLBACK_FORCE,
    LG_CALLBACK_METRIC,
    LG_CALLBACK_METRIC_GRADIENT,
    LG_CALLBACK_HOLONOMIC,
    LG_CALLBACK_HOLONOMIC_ROWS,
    LG_CALLBACK_HOLONOMIC_RATE,
    LG_CALLBACK_HOLONOMIC_ACCELERATION
} lg_callback_kind;

/* Callbacks between two nodes. */
typedef enum lg_mean_kind { LG_MEAN_HOLONOMIC, LG_MEAN_POTENTIAL, LG_MEAN_FORCE } lg_mean_kind;

/* For one instance, with time t in the middle: `count` numbers; returns the callback's code. */
static inline int lg_field_evaluate_mean(lg_field *f, lg_mean_kind kind, double t, double h, const double *g0,
                                         const double *g1, double *out, int count)
{
    const lg_callbacks *c = &f->S->callbacks;
    const lg_mean_fn of[] = {c->holonomic_mean, c->potential_mean, c->force_mean};
    static const char *const names[] = {"holonomic_mean", "potential_mean", "force_mean"};
    const lg_call call = lg_field_call(f, &t);
    for (int i = 0; i < count; i++) out[i] = 0;
    f->failed = names[kind];
    return of[kind](&call, h, g0, g1, out);
}

/* For one instance; returns the callback's code. */
static inline int lg_field_evaluate(lg_field *f, lg_callback_kind kind, double t, const double *g, const double *xi,
                                    double *out)
{
    switch (kind) {
    case LG_CALLBACK_POTENTIAL:
        return lg_field_potential(f, t, g, out);
    case LG_CALLBACK_GRADIENT:
        return lg_field_gradient(f, t, g, out);
    case LG_CALLBACK_FORCE:
        return lg_field_force(f, t, g, xi, out);
    case LG_CALLBACK_METRIC:
        return lg_field_metric(f, t, g, out);
    case LG_CALLBACK_METRIC_GRADIENT:
        return lg_field_metric_gradient(f, t, g, xi, out);
    case LG_CALLBACK_HOLONOMIC:
        return lg_field_holonomic(f, t, g, out);
    case LG_CALLBACK_HOLONOMIC_ROWS:
        return lg_field_holonomic_rows(f, t, g, out);
    case LG_CALLBACK_HOLONOMIC_RATE:
        return lg_field_holonomic_rate(f, t, g, out);
    case LG_CALLBACK_HOLONOMIC_ACCELERATION:
        return lg_field_hidden_rate(f, t, g, xi, out);
    }
    return 0;
}

/* In every lane, `count` numbers. 0, or nonzero with w->failure set. */
#if LANES == 1
static inline int lg_evaluate(lg_workspace *w, lg_callback_kind kind, const real *t, const real *g, const real *xi,
                              real *out, int count)
{
    const int code = lg_field_evaluate(w->field, kind, *t, g, xi, out);
    (void)count;
    return code ? lg_workspace_fail_callback(w, code) : 0;
}
/* A', Y' along xi at b, whose rows are the velocity rows; `partial` is scratch of their size, beyond width 1. */
static inline int lg_evaluate_row_rates(lg_workspace *w, const lg_node *b, const real *xi, real *A, real *Y,
                                        real *partial)
{
    const int code = lg_field_rows_rate(w->field, b->t, b->g, xi, A, Y);
    (void)partial;
    return code ? lg_workspace_fail_callback(w, code) : 0;
}
static inline int lg_evaluate_mean(lg_workspace *w, lg_mean_kind kind, duration h, const lg_node *a, const lg_node *b,
                                   real *out, int count)
{
    const int code = lg_field_evaluate_mean(w->field, kind, a->t + 0.5 * h, h, a->g, b->g, out, count);
    return code ? lg_workspace_fail_callback(w, code) : 0;
}
#else
LG_ENGINE int lg_evaluate(lg_workspace *w, lg_callback_kind kind, const real *t, const real *g, const real *xi,
                          real *out, int count);
LG_ENGINE int lg_evaluate_mean(lg_workspace *w, lg_mean_kind kind, duration h, const lg_node *a, const lg_node *b,
                               real *out, int count);
LG_ENGINE int lg_evaluate_row_rates(lg_workspace *w, const lg_node *b, const real *xi, real *A, real *Y, real *partial);
/* lanes.c: do callbacks see one lane at a time? If so, these evaluate rows and drift. */
LG_ENGINE int lg_lane_by_lane(const lg_workspace *w, const real *t);
LG_ENGINE int lg_evaluate_rows(lg_workspace *w, lg_node *b, real *A);
/* moved = g tau(eta) in the lanes `which`. 0, or nonzero with w->failure set. */
LG_ENGINE int lg_move_lanes(lg_workspace *w, real *moved, const real *g, const real *eta, mask which);
LG_ENGINE struct lg_lanes *lg_lanes_carve(lg_arena *a, const lg_plan *plan);
#endif
/* Jinv = J^-1 in every lane, n x n. */
LG_ENGINE int lg_invert_metric(lg_workspace *w, real *Jinv, const real *J);

#endif
