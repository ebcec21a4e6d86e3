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

static lg_call fields_call(const lg_workspace *w, const lg_node *b)
{
    const lg_system *S = w->plan->S;
#if LANES == 1
    const double *control = w->field->control;
#else
    const double *control = w->lanes->wide_control;
#endif
    return (lg_call){S->context, S->parameter_values, lane_of(b->t, 0), LANES, control, (const double *)&b->t};
}

/* Stores one by one: the callback's own follow at once, and a memset() before them would be slower. */
static void fields_clear(real *v, int count)
{
    for (int i = 0; i < count; i++) ((volatile real *)v)[i] = splat(0);
}

static int fields_failed(lg_workspace *w, const char *what, int code)
{
    w->field->failed = what;
    return lg_workspace_fail_callback(w, code);
}

/* Rows and drift; the right sides only where they are needed. */
static int fields_covectors(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_call c = fields_call(w, b);
    fields_clear(b->rows, P->m * P->n), fields_clear(b->drift, P->n);
    const int code = P->S->callbacks.covectors(&c, as_doubles(b->g), as_doubles(b->rows), as_doubles(b->drift));
    if (code) return fields_failed(w, "covectors", code);
    if (!P->rate_form) lg_node_sides(w, b);
    return 0;
}

static int fields_at(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    if (P->constant_metric && P->constant_rows && !P->drift) return 0;
    if (w->stages->at_once && P->constant_metric && !P->holonomic && P->S->callbacks.covectors)
        return fields_covectors(w, b);
    return lg_node_evaluate_rows(w, b);
}

/* dV at b. */
static int fields_gradient(lg_workspace *w, lg_node *b, real *dV)
{
    const lg_callbacks *S = &w->plan->S->callbacks;
    if (!w->stages->at_once || !S->potential_gradient || w->field->gradient)
        return lg_evaluate(w, LG_CALLBACK_GRADIENT, &b->t, b->g, NULL, dV, w->plan->n);
    const lg_call c = fields_call(w, b);
    fields_clear(dV, w->plan->n);
    const int code = S->potential_gradient(&c, as_doubles(b->g), as_doubles(dV));
    return code ? fields_failed(w, "potential_gradient", code) : 0;
}

/* A', Y' along xi at b. */
static int fields_row_rates(lg_workspace *w, lg_node *b, const real *xi)
{
    const lg_plan *P = w->plan;
    const lg_stages *o = w->stages;
    const lg_callbacks *S = &P->S->callbacks;
    const int rows = P->nonholonomic * P->n;
    real *A = o->rows_rate, *Y = A + rows;
    if (!o->at_once || !S->covectors_derivative || S->time_dependent ||
        (LANES > 1 && !(S->lanes & LG_LANES_DERIVATIVES)))
        return lg_evaluate_row_rates(w, b, xi, A, Y, o->partial);
    const lg_call c = fields_call(w, b);
    fields_clear(A, rows), fields_clear(Y, P->n);
    const int code = S->covectors_derivative(&c, as_doubles(b->g), (const double *)xi, as_doubles(A), as_doubles(Y));
    return code ? fields_failed(w, "covectors_derivative", code) : 0;
}
