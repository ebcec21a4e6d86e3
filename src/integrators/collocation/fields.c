/* SPDX-License-Identifier: BSD-3-Clause */
/* What the stages of collocation ask of the system. Callbacks that understand lanes are called with no more ado than
 * that takes; the others by engine/callbacks.h. */
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

/* Which callbacks are called here. */
static void fields_choose(lg_workspace *w)
{
    const lg_plan *P = w->plan;
    const lg_callbacks *S = &P->S->callbacks;
    lg_stages *o = w->stages;
    const int at_once = fields_at_once(w), along = LANES == 1 || S->lanes & LG_LANES_DERIVATIVES;
    o->covectors = at_once && P->constant_metric && !P->holonomic ? S->covectors : NULL;
    o->gradient = at_once && !w->field->gradient ? S->potential_gradient : NULL;
    o->row_rates = at_once && along && !S->time_dependent ? S->covectors_derivative : NULL;
}

/* Before the sweeps of a step: times of all blocks are known. */
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
}

/* Stores one by one: the callback's own follow at once, and a memset() before them would be slower. */
KERNEL void fields_clear(real *v, int count)
{
    for (int i = 0; i < count; i++) ((volatile real *)v)[i] = splat(0);
}

static int fields_failed(lg_workspace *w, const char *what, int code)
{
    w->field->failed = what;
    return lg_workspace_fail_callback(w, code);
}

/* Rows and drift of block `at`; the right sides only where they are needed. */
KERNEL int fields_at(int m, int n, lg_workspace *w, int at)
{
    const lg_plan *P = w->plan;
    const lg_stages *o = w->stages;
    lg_node *b = o->node[at];
    if (P->constant_metric && P->constant_rows && !P->drift) return 0;
    if (!o->covectors) return lg_node_evaluate_rows(w, b);
    fields_clear(b->rows, m * n), fields_clear(b->drift, n);
    const int code = o->covectors(&o->call[at], as_doubles(b->g), as_doubles(b->rows), as_doubles(b->drift));
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
    fields_clear(dV, n);
    const int code = o->gradient(&o->call[at], as_doubles(b->g), as_doubles(dV));
    return code ? fields_failed(w, "potential_gradient", code) : 0;
}

/* A', Y' along xi at block `at`, m velocity rows. */
KERNEL int fields_row_rates(int m, int n, lg_workspace *w, int at, const real *xi)
{
    const lg_stages *o = w->stages;
    real *A = o->rows_rate, *Y = A + m * n;
    lg_node *b = o->node[at];
    if (!o->row_rates) return lg_evaluate_row_rates(w, b, xi, A, Y, o->partial);
    fields_clear(A, m * n), fields_clear(Y, n);
    const int code =
        o->row_rates(&o->call[at], as_doubles(b->g), (const double *)xi, as_doubles(A), as_doubles(Y));
    return code ? fields_failed(w, "covectors_derivative", code) : 0;
}
