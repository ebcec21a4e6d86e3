/* SPDX-License-Identifier: BSD-3-Clause */
/* Code for widths beyond 1 only: callbacks lane by lane, and the table that wide.c calls. */
#include "integrators/engine/lanes.h"

#include <string.h>

#include "integrators/collocation/stages.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/inexact.h"
#include "integrators/engine/rule.h"
#include "integrators/engine/step.h"

/* Carves doubles, not reals: of one lane, or of all lanes one after the other. */
lg_lanes *lg_lanes_carve(lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n), count = sz(P->S->parameter_count), m = sz(P->m), rows = m * n;
    const size_t controls = sz(P->S->callbacks.control_count);
    const size_t matrix = P->constant_metric ? 0 : n * n;
    lg_lanes local, *home = (lg_lanes *)lg_take(a, sizeof *home), *o = home ? home : &local;
    o->param = lg_take_doubles(a, LANES * count);
    lg_align(a);
    o->wide_param = lg_take_doubles(a, LANES * count);
    o->control = controls ? lg_take_doubles(a, LANES * controls) : NULL;
    lg_align(a);
    o->wide_control = controls ? lg_take_doubles(a, LANES * controls) : NULL;
    o->g = lg_take_doubles(a, sz(P->element_size));
    o->end = lg_take_doubles(a, sz(P->element_size));
    o->xi = lg_take_doubles(a, n);
    o->out = lg_take_doubles(a, (rows > matrix ? rows : matrix) + n);
    o->drift = lg_take_doubles(a, n);
    o->matrix = lg_take_doubles(a, matrix), o->inverse = lg_take_doubles(a, matrix);
    return home;
}

/* Do callbacks see one lane at a time? So do those that understand lanes, if the lanes are at different times. */
int lg_lane_by_lane(const lg_workspace *w, const real *t)
{
    const lg_system *S = w->plan->S;
    const int one_time = S->callbacks.time_dependent && !(S->callbacks.lanes & LG_LANES_OWN_TIMES);
    return S->callbacks.lanes == LG_LANES_ONE || (one_time && any(*t != splat((*t)[0])));
}

/* Selects one lane's parameters, controls and configuration. */
static void lanes_turn_to(const lg_workspace *w, const real *g, int l)
{
    const lg_lanes *o = w->lanes;
    o->single->parameter_values = o->param + l * o->single->parameter_count;
    if (o->control) w->field->control = o->control + l * o->single->callbacks.control_count;
    lanes_get(o->g, g, w->plan->element_size, l);
}

/* The callback for one lg_callback_kind; NULL where the value is 0, or differences replace it. */
typedef struct lanes_callback {
    const char *name;
    lg_field_fn at;
    lg_field_along_fn along;
    int differs; /* 1: differences replace it */
} lanes_callback;

static lanes_callback lanes_callback_of(const lg_system *S, lg_callback_kind q)
{
    switch (q) {
    case LG_CALLBACK_POTENTIAL:
        return (lanes_callback){"potential", S->callbacks.potential, NULL, 0};
    case LG_CALLBACK_GRADIENT:
        return (lanes_callback){"potential_gradient", S->callbacks.potential_gradient, NULL,
                                S->callbacks.potential && !S->callbacks.potential_gradient};
    case LG_CALLBACK_FORCE:
        return (lanes_callback){"force", NULL, S->callbacks.force, 0};
    case LG_CALLBACK_METRIC:
        return (lanes_callback){"metric", S->callbacks.metric, NULL, !S->callbacks.metric};
    case LG_CALLBACK_METRIC_GRADIENT:
        return (lanes_callback){"metric_gradient", NULL, S->callbacks.metric_gradient,
                                S->callbacks.metric && !S->callbacks.metric_gradient};
    case LG_CALLBACK_HOLONOMIC:
        return (lanes_callback){"holonomic", S->callbacks.holonomic, NULL, 0};
    case LG_CALLBACK_HOLONOMIC_ROWS:
        return (lanes_callback){"holonomic_differential", S->callbacks.holonomic_differential, NULL,
                                S->callbacks.holonomic && !S->callbacks.holonomic_differential};
    case LG_CALLBACK_HOLONOMIC_RATE:
        return (lanes_callback){"holonomic_rate", S->callbacks.holonomic_rate, NULL,
                                S->callbacks.time_dependent && !S->callbacks.holonomic_rate};
    case LG_CALLBACK_HOLONOMIC_ACCELERATION:
        return (lanes_callback){"holonomic_acceleration", NULL, S->callbacks.holonomic_acceleration,
                                !S->callbacks.holonomic_acceleration || !(S->callbacks.lanes & LG_LANES_DERIVATIVES)};
    }
    return (lanes_callback){"", NULL, NULL, 1};
}

/* Calls a callback that understands lanes. */
static int lanes_call_at_once(lg_workspace *w, const lanes_callback *f, const real *t, const real *g, const real *xi,
                              real *out, int count)
{
    const lg_system *S = w->plan->S;
    const lg_call c = {S->context, S->parameter_values, (*t)[0], LANES, w->lanes->wide_control, (const double *)t};
    const double *at = (const double *)g;
    for (int i = 0; i < count; i++) out[i] = splat(0);
    w->field->failed = f->name;
    if (f->along) return f->along(&c, at, (const double *)xi, as_doubles(out));
    return f->at ? f->at(&c, at, as_doubles(out)) : 0;
}

int lg_evaluate(lg_workspace *w, lg_callback_kind q, const real *t, const real *g, const real *xi, real *out, int count)
{
    const lg_lanes *o = w->lanes;
    const lanes_callback f = lanes_callback_of(w->plan->S, q);
    int code = 0;
    if (!f.differs && !lg_lane_by_lane(w, t)) {
        code = lanes_call_at_once(w, &f, t, g, xi, out, count);
        return code ? lg_workspace_fail_callback(w, code) : 0;
    }
    for (int l = 0; l < LANES && !code; l++) {
        lanes_turn_to(w, g, l);
        if (xi) lanes_get(o->xi, xi, w->plan->n, l);
        code = lg_field_evaluate(w->field, q, (*t)[l], o->g, o->xi, o->out);
        lg_inexact_note(w, l);
        lanes_put(out, o->out, count, l);
    }
    return code ? lg_workspace_fail_callback(w, code) : 0;
}

int lg_evaluate_mean(lg_workspace *w, lg_mean_kind kind, duration h, const lg_node *a, const lg_node *b, real *out,
                     int count)
{
    const lg_lanes *o = w->lanes;
    for (int l = 0; l < LANES; l++) {
        lanes_turn_to(w, a->g, l);
        lanes_get(o->end, b->g, w->plan->element_size, l);
        const double t = a->t[l] + 0.5 * h;
        const int code = lg_field_evaluate_mean(w->field, kind, t, h, o->g, o->end, o->out, count);
        if (code) return lg_workspace_fail_callback(w, code);
        lanes_put(out, o->out, count, l);
    }
    return 0;
}

int lg_evaluate_rows(lg_workspace *w, lg_node *b, real *A)
{
    const lg_lanes *o = w->lanes;
    const lg_system *S = o->single;
    const int n = w->plan->n, count = S->callbacks.covectors ? w->plan->nonholonomic * n : 0;
    for (int l = 0; l < LANES; l++) {
        lanes_turn_to(w, b->g, l);
        const lg_call c = lg_system_call(S, (const double *)&b->t + l, w->field->control);
        memset(o->drift, 0, sz(n) * sizeof(double));
        memset(o->out, 0, sz(count) * sizeof(double));
        const int code = S->callbacks.covectors ? S->callbacks.covectors(&c, o->g, o->out, o->drift)
                                                : S->callbacks.drift(&c, o->g, o->drift);
        w->field->failed = S->callbacks.covectors ? "covectors" : "drift";
        if (code) return lg_workspace_fail_callback(w, code);
        lanes_put(A, o->out, count, l);
        lanes_put(b->drift, o->drift, n, l);
    }
    return 0;
}

int lg_move_lanes(lg_workspace *w, real *moved, const real *g, const real *eta, mask which)
{
    const lg_lanes *o = w->lanes;
    for (int l = 0; l < LANES; l++) {
        if (!which[l]) continue;
        lanes_get(o->g, g, w->plan->element_size, l), lanes_get(o->xi, eta, w->plan->n, l);
        const int code = lg_field_move(w->field, w->field->moved, o->g, o->xi);
        if (code) return lg_workspace_fail_callback(w, code);
        lanes_put(moved, w->field->moved, w->plan->element_size, l);
    }
    return 0;
}

/* Both derivatives, by callbacks that understand lanes. */
static int lanes_rates_at_once(lg_workspace *w, const lg_node *b, const real *xi, real *A, real *Y, real *partial)
{
    const lg_system *S = w->plan->S;
    const int rows = w->plan->nonholonomic * w->plan->n, all = rows + w->plan->n;
    const lg_call c = {S->context, S->parameter_values, b->t[0], LANES, w->lanes->wide_control, (const double *)&b->t};
    for (int i = 0; i < rows; i++) A[i] = splat(0);
    for (int i = 0; i < w->plan->n; i++) Y[i] = splat(0);
    w->field->failed = "covectors_derivative";
    int code =
        S->callbacks.covectors_derivative(&c, (const double *)b->g, (const double *)xi, as_doubles(A), as_doubles(Y));
    if (code || !S->callbacks.time_dependent) return code;
    for (int i = 0; i < all; i++) partial[i] = splat(0);
    w->field->failed = "covectors_rate";
    code = S->callbacks.covectors_rate(&c, (const double *)b->g, as_doubles(partial), as_doubles(partial + rows));
    for (int i = 0; i < rows; i++) A[i] = A[i] + partial[i];
    for (int i = 0; i < w->plan->n; i++) Y[i] = Y[i] + partial[rows + i];
    return code;
}

int lg_evaluate_row_rates(lg_workspace *w, const lg_node *b, const real *xi, real *A, real *Y, real *partial)
{
    const lg_lanes *o = w->lanes;
    const lg_callbacks *c = &w->plan->S->callbacks;
    const int known = c->covectors_derivative && (c->covectors_rate || !c->time_dependent);
    const int n = w->plan->n, rows = w->plan->nonholonomic * n;
    int code = 0;
    if (known && (c->lanes & LG_LANES_DERIVATIVES) && !lg_lane_by_lane(w, &b->t))
        code = lanes_rates_at_once(w, b, xi, A, Y, partial);
    else
        for (int l = 0; l < LANES && !code; l++) {
            lanes_turn_to(w, b->g, l);
            lanes_get(o->xi, xi, n, l);
            code = lg_field_rows_rate(w->field, b->t[l], o->g, o->xi, o->out, o->drift);
            lanes_put(A, o->out, rows, l);
            lanes_put(Y, o->drift, n, l);
        }
    return code ? lg_workspace_fail_callback(w, code) : 0;
}

/* ---- the table ---- */

#define LANES_TABLE_(width) lg_engine_table_##width
#define LANES_TABLE(width)  LANES_TABLE_(width)

static const lg_rule *const table_rules[] = {&lg_rule_none, &lg_rule_reflection, &lg_rule_shared, &lg_rule_instances,
                                             NULL};
static const lg_free_step *const table_free_steps[] = {&lg_free_step_variational, &lg_free_step_energy_momentum,
                                                       &lg_free_step_instances, NULL};

static void *table_bind(void *memory, const lg_plan *plan, lg_field *field, const lg_wide_settings *settings,
                        lg_lanes **lanes)
{
    lg_workspace *w = lg_workspace_bind(memory, plan, field);
    w->tolerance = settings->tolerance, w->iterations_max = settings->iterations_max;
    w->implicit_tolerance = settings->implicit_tolerance, w->evaluations_max = settings->evaluations_max;
    *lanes = w->lanes;
    return w;
}

static int table_constants(const void *w, lg_span *s)
{
    return lg_workspace_constants((const lg_workspace *)w, s);
}

static int table_block(const void *w, int k, lg_span *s)
{
    return lg_workspace_block((const lg_workspace *)w, k, s);
}

static int table_node(const void *w, int which, lg_span *s)
{
    return lg_workspace_node((const lg_workspace *)w, which, s);
}

static int table_state(const void *w, lg_span *s)
{
    return lg_workspace_state((const lg_workspace *)w, s);
}

static int table_history(const void *w, int stage, lg_span *s)
{
    return lg_workspace_history((const lg_workspace *)w, stage, s);
}

static int table_step(void *w, double h, const double *t1)
{
    return lg_step((lg_workspace *)w, h, t1);
}

/* H(p~) and the largest |A (xi - Y)|, as in report.c. */
static int table_figures(void *work, double *energy, double *residual)
{
    lg_workspace *w = (lg_workspace *)work;
    const lg_plan *P = w->plan;
    const lg_node *b = w->now;
    real *v = w->vector, V = splat(0), T = splat(0), most = splat(0), s;
    if (P->potential && lg_evaluate(w, LG_CALLBACK_POTENTIAL, &b->t, b->g, NULL, &V, 1)) return 1;
    lg_raise(P, v, b, b->p_tilde);
    for (int i = 0; i < P->n; i++) T = T + b->p_tilde[i] * v[i];
    for (int a = 0; a < P->m; a++) {
        lg_row_residual(&s, P, b, a, v);
        s = magnitude(s);
        most = sel(s <= most, most, s);
    }
    const real H = 0.5 * T + V;
    for (int l = 0; l < LANES; l++) energy[l] = H[l], residual[l] = most[l];
    return 0;
}

static int table_collocate(void *work, lg_stage_task *task, lg_failure *failure)
{
    lg_workspace *w = (lg_workspace *)work;
    const int bad = lg_stages_solve(w, task);
    if (bad) *failure = w->failure;
    return bad;
}

static int table_fields(void *work, lg_stage_task *task, lg_failure *failure)
{
    lg_workspace *w = (lg_workspace *)work;
    const int bad = lg_stages_fields(w, task);
    if (bad) *failure = w->failure;
    return bad;
}

const lg_engine_table LANES_TABLE(LANES) = {.lanes = LANES,
                                            .rules = table_rules,
                                            .free_steps = table_free_steps,
                                            .factor = lg_factor_choose,
                                            .bytes = lg_workspace_bytes,
                                            .bind = table_bind,
                                            .constants = table_constants,
                                            .block = table_block,
                                            .node = table_node,
                                            .state = table_state,
                                            .history = table_history,
                                            .step = table_step,
                                            .figures = table_figures,
                                            .collocate = table_collocate,
                                            .fields = table_fields,
                                            .eliminate = lg_stages_eliminate};
