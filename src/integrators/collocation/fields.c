/* SPDX-License-Identifier: BSD-3-Clause */
/* The system's fields at the stages of collocation. Callbacks are called directly, on all lanes or lane by lane; fields
 * that need more than one callback go through engine/callbacks.h. */
#include "integrators/collocation/stages.h"

#include "integrators/engine/callbacks.h"
#include "integrators/engine/lanes.h"
#include "integrators/engine/workspace.h"

/* Do all callbacks of a step see a whole block? */
static int fields_at_once(const lg_workspace *w)
{
#if LANES == 1
    (void)w;
    return 1;
#else
    return !lg_lane_by_lane(w, &w->stages->node[0]->t);
#endif
}

/* Selects the callbacks that are called here. */
static void fields_choose(lg_workspace *w)
{
    const lg_plan *P = w->plan;
    const lg_callbacks *S = &P->S->callbacks;
    lg_stages *o = w->stages;
    o->at_once = fields_at_once(w);
    o->along_at_once = o->at_once && (LANES == 1 || S->lanes & LG_LANES_DERIVATIVES);
    o->covectors = P->constant_metric && !P->holonomic ? S->covectors : NULL;
    o->gradient = w->field->gradient ? NULL : S->potential_gradient;
    o->row_rates = S->time_dependent ? NULL : S->covectors_derivative;
    o->together = P->rate_form && o->covectors && o->row_rates && (o->gradient || !P->potential)
                      ? lg_callbacks_together(S)
                      : NULL;
    o->spreads = (!o->at_once && (o->covectors || o->gradient)) || (!o->along_at_once && P->rate_form && o->row_rates);
}

/* Separate stores: the callback's stores follow at once, and a memset() before them would be slower. */
KERNEL void fields_clear(real *v, int count)
{
    for (int i = 0; i < count; i++) ((volatile real *)v)[i] = splat(0);
}

static int fields_failed(lg_workspace *w, const char *what, int code)
{
    w->field->failed = what;
    return lg_workspace_fail_callback(w, code);
}

/* ---- callbacks that see one lane at a time ---- */

#if LANES > 1

/* Sets the arguments of these callbacks. */
static void fields_begin_lanes(lg_workspace *w)
{
    const lg_system *S = w->plan->S;
    const lg_lanes *o = w->lanes;
    lg_stages *s = w->stages;
    for (int i = 0; i < s->blocks * LANES; i++) {
        const int l = i % LANES;
        const double *t = (const double *)&s->node[i / LANES]->t + l;
        const double *control = o->control ? o->control + l * S->callbacks.control_count : w->field->control;
        s->lane_call[i] = (lg_call){S->context, o->param + l * S->parameter_count, *t, 1, control, t};
    }
}

/* Copies the configurations of block `at`, lane after lane, if a callback sees one lane. */
KERNEL void fields_spread(const lg_workspace *w, int at)
{
    const int e = w->plan->element_size;
    if (!w->stages->spreads) return;
    double *to = w->stages->apart + at * LANES * e;
    for (int l = 0; l < LANES; l++) lanes_get(to + l * e, w->stages->node[at]->g, e, l);
}

typedef enum fields_kind { FIELDS_COVECTORS, FIELDS_GRADIENT, FIELDS_ROW_RATES, FIELDS_TOGETHER } fields_kind;

/* Evaluates one of these fields at every lane of block `at`; those with a direction take xi. `count` numbers a lane,
 * the drift's from number `drift` on. The results go to the stages' `answers`, lane after lane. */
KERNEL int fields_by_lane(fields_kind kind, int count, int drift, lg_workspace *w, int at, const real *xi)
{
    const lg_stages *o = w->stages;
    const int e = w->plan->element_size, n = w->plan->n, half = drift + n;
    double *along = w->lanes->xi;
    fields_clear(o->answers, count);
    for (int l = 0; l < LANES; l++) {
        const lg_call *c = &o->lane_call[at * LANES + l];
        const double *g = o->apart + (at * LANES + l) * e;
        double *out = as_doubles(o->answers) + l * count;
        int code;
        if (xi) lanes_get(along, xi, n, l);
        code = kind == FIELDS_COVECTORS  ? o->covectors(c, g, out, out + drift)
               : kind == FIELDS_GRADIENT ? o->gradient(c, g, out)
               : kind == FIELDS_ROW_RATES
                   ? o->row_rates(c, g, along, out, out + drift)
                   : o->together(c, g, along, out, out + drift, out + half, out + half + drift, out + 2 * half);
        if (code) return code;
    }
    return 0;
}

/* Gathers numbers `first` to `first` + n of their results of `count` numbers. */
KERNEL void fields_gather(real *to, const lg_workspace *w, int first, int n, int count)
{
    for (int i = 0; i < n; i++) to[i] = lanes_gather(as_doubles(w->stages->answers) + first + i, count);
}

KERNEL int fields_covectors_by_lane(int m, int n, lg_workspace *w, int at)
{
    const lg_node *b = w->stages->node[at];
    const int rows = m * n, count = rows + n, code = fields_by_lane(FIELDS_COVECTORS, count, rows, w, at, NULL);
    fields_gather(b->rows, w, 0, rows, count), fields_gather(b->drift, w, rows, n, count);
    return code;
}

KERNEL int fields_gradient_by_lane(int n, lg_workspace *w, int at, real *dV)
{
    const int code = fields_by_lane(FIELDS_GRADIENT, n, 0, w, at, NULL);
    fields_gather(dV, w, 0, n, n);
    return code;
}

KERNEL int fields_row_rates_by_lane(int m, int n, lg_workspace *w, int at, const real *xi)
{
    const int rows = m * n, count = rows + n, code = fields_by_lane(FIELDS_ROW_RATES, count, rows, w, at, xi);
    fields_gather(w->stages->rows_rate, w, 0, count, count);
    return code;
}

KERNEL int fields_together_by_lane(int m, int n, lg_workspace *w, int at, const real *xi)
{
    const lg_stages *o = w->stages;
    const lg_node *b = o->node[at];
    const int rows = m * n, half = rows + n, count = 2 * half + n;
    const int code = fields_by_lane(FIELDS_TOGETHER, count, rows, w, at, xi);
    fields_gather(b->rows, w, 0, rows, count), fields_gather(b->drift, w, rows, n, count);
    fields_gather(o->rows_rate, w, half, half, count), fields_gather(o->extra, w, 2 * half, n, count);
    return code;
}

/* Calls it on the block, or lane by lane. */
#define FIELDS_CALL(at_once, together, by_lane) ((at_once) ? (together) : (by_lane))

#else

KERNEL void fields_spread(const lg_workspace *w, int at)
{
    (void)w, (void)at;
}

#define FIELDS_CALL(at_once, together, by_lane) (together)

#endif

/* ---- fields for the sweeps ---- */

/* Called before the sweeps of a step, when the times of all blocks are set. */
static void fields_begin(lg_workspace *w)
{
    const lg_system *S = w->plan->S;
    lg_stages *o = w->stages;
#if LANES == 1
    const double *control = w->field->control;
#else
    const double *control = w->lanes->wide_control;
#endif
    fields_choose(w);
    for (int b = 0; b < o->blocks; b++) {
        const real *t = &o->node[b]->t;
        o->call[b] = (lg_call){S->context, S->parameter_values, lane_of(*t, 0), LANES, control, (const double *)t};
    }
#if LANES > 1
    if (o->spreads) fields_begin_lanes(w);
#endif
}

KERNEL int fields_covectors_at_once(int m, int n, lg_workspace *w, int at)
{
    const lg_stages *o = w->stages;
    const lg_node *b = o->node[at];
    fields_clear(b->rows, m * n), fields_clear(b->drift, n);
    return o->covectors(&o->call[at], as_doubles(b->g), as_doubles(b->rows), as_doubles(b->drift));
}

KERNEL int fields_gradient_at_once(int n, lg_workspace *w, int at, real *dV)
{
    const lg_stages *o = w->stages;
    fields_clear(dV, n);
    return o->gradient(&o->call[at], as_doubles(o->node[at]->g), as_doubles(dV));
}

KERNEL int fields_row_rates_at_once(int m, int n, lg_workspace *w, int at, const real *xi)
{
    const lg_stages *o = w->stages;
    real *A = o->rows_rate, *Y = A + m * n;
    fields_clear(A, m * n + n);
    return o->row_rates(&o->call[at], as_doubles(o->node[at]->g), (const double *)xi, as_doubles(A), as_doubles(Y));
}

KERNEL int fields_together_at_once(int m, int n, lg_workspace *w, int at, const real *xi)
{
    const lg_stages *o = w->stages;
    const lg_node *b = o->node[at];
    real *A = o->rows_rate, *Y = A + m * n;
    fields_clear(b->rows, m * n), fields_clear(b->drift, n), fields_clear(A, m * n + n), fields_clear(o->extra, n);
    return o->together(&o->call[at], as_doubles(b->g), (const double *)xi, as_doubles(b->rows), as_doubles(b->drift),
                       as_doubles(A), as_doubles(Y), as_doubles(o->extra));
}

/* Rows, drift and metric of block `at`, evaluated first there; right sides only if they are needed. */
KERNEL int fields_at(int m, int n, lg_workspace *w, int at)
{
    const lg_plan *P = w->plan;
    const lg_stages *o = w->stages;
    lg_node *b = o->node[at];
    fields_spread(w, at);
    if (P->constant_metric && P->constant_rows && !P->drift) return 0;
    if (!o->covectors) return lg_node_evaluate_rows(w, b);
    const int code =
        FIELDS_CALL(o->at_once, fields_covectors_at_once(m, n, w, at), fields_covectors_by_lane(m, n, w, at));
    if (code) return fields_failed(w, "covectors", code);
    if (!P->rate_form) lg_node_sides(w, b);
    return 0;
}

/* dV at block `at`. */
KERNEL int fields_gradient(int n, lg_workspace *w, int at, real *dV)
{
    const lg_stages *o = w->stages;
    lg_node *b = o->node[at];
    if (!o->gradient) return lg_evaluate(w, LG_CALLBACK_GRADIENT, &b->t, b->g, NULL, dV, n);
    const int code =
        FIELDS_CALL(o->at_once, fields_gradient_at_once(n, w, at, dV), fields_gradient_by_lane(n, w, at, dV));
    return code ? fields_failed(w, "potential_gradient", code) : 0;
}

/* Rows, drift, A' and Y' along xi, and dV (in the stages' `extra`) at block `at`, all that it needs. */
KERNEL int fields_together(int m, int n, lg_workspace *w, int at, const real *xi)
{
    fields_spread(w, at);
    const int code = FIELDS_CALL(w->stages->along_at_once, fields_together_at_once(m, n, w, at, xi),
                                 fields_together_by_lane(m, n, w, at, xi));
    return code ? fields_failed(w, "together", code) : 0;
}

/* The force at block `at`, by the controls of its stages. */
static int fields_steered_force(lg_workspace *w, int at, const real *xi, real *f)
{
    const lg_stages *o = w->stages;
    const lg_node *b = o->node[at];
    const int c = w->plan->S->callbacks.control_count;
#if LANES == 1
    const double *held = w->field->control;
    w->field->control = o->controls + at * c;
    const int bad = lg_evaluate(w, LG_CALLBACK_FORCE, &b->t, b->g, xi, f, w->plan->n);
    w->field->control = held;
#else
    lg_lanes *lanes = w->lanes;
    double *held = lanes->control, *wide = lanes->wide_control;
    lanes->control = o->lane_controls + at * LANES * c, lanes->wide_control = as_doubles(o->controls + at * c);
    const int bad = lg_evaluate(w, LG_CALLBACK_FORCE, &b->t, b->g, xi, f, w->plan->n);
    lanes->control = held, lanes->wide_control = wide;
#endif
    return bad;
}

/* A', Y' along xi at block `at`, m velocity rows. */
KERNEL int fields_row_rates(int m, int n, lg_workspace *w, int at, const real *xi)
{
    const lg_stages *o = w->stages;
    real *A = o->rows_rate;
    if (!o->row_rates) return lg_evaluate_row_rates(w, o->node[at], xi, A, A + m * n, o->partial);
    const int code = FIELDS_CALL(o->along_at_once, fields_row_rates_at_once(m, n, w, at, xi),
                                 fields_row_rates_by_lane(m, n, w, at, xi));
    return code ? fields_failed(w, "covectors_derivative", code) : 0;
}
