/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine over numbers that carry derivatives: the sources of width.c with `real` of base/tangent.h, whose operators
 * make this unit C++ (src/meson.build), and the evaluation of one stage of a step with the derivatives of its residual
 * and of the state behind it. Compiled with -DLG_TANGENT=2, 4, 8, -DLG_DIRECTIONS=N and -DLANES=N+1; it needs
 * neither headers nor the library of C++. With -DLG_CURVED and -DLANES=2N+1 the numbers have second derivatives, too,
 * and it has implicit steps alone. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "integrators/engine/width.h"

#include "integrators/factors/list.c"
#include "integrators/factors/rates.c"

#include "integrators/engine/compensation.c"
#include "integrators/engine/inexact.c"
#include "integrators/engine/metric.c"
#include "integrators/engine/node.c"
#include "integrators/engine/solver.c"
#include "integrators/engine/spans.c"
#include "integrators/engine/step.c"
#include "integrators/engine/tangent.h"
#include "integrators/engine/workspace.c"
#include "integrators/rules/frame.c"
#include "integrators/rules/shared.c"
#include "integrators/rules/state.c"
#include "integrators/steps/energy_momentum.c"
#ifndef LG_CURVED
#include "integrators/rules/discrete.c"
#include "integrators/rules/reflection.c"
#include "integrators/steps/points.c"
#include "integrators/steps/variational.c"
#endif

/* ---- scratch ---- */

/* `count` vectors of `size` numbers of a block that is divided anew in every call. */
static void tangent_vectors(real **vector[], size_t count, lg_arena *a, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        a->used = (a->used + sizeof(real) - 1) / sizeof(real) * sizeof(real);
        *vector[i] = (real *)lg_borrow(a, size * sizeof(real));
    }
}

#define TANGENT_VECTORS(a, size, ...)                                                                                  \
    do {                                                                                                               \
        real **vectors[] = {__VA_ARGS__};                                                                              \
        tangent_vectors(vectors, sizeof vectors / sizeof vectors[0], a, size);                                         \
    } while (0)

/* ---- callbacks ---- */

/* x += a y, derivatives alone. */
KERNEL void tangent_add(real &x, double a, const real &y)
{
    for (int k = 0; k < TANGENT_VECTORS; k++) x.d[k] += a * y.d[k];
}

/* The number that is input `input` of the stage, along the directions of this pass. */
static real tangent_input(const lg_tangent_task *o, double value, int input)
{
#ifdef LG_CURVED
    real x = splat(value);
    memcpy(x.d, o->directions + input * o->stride + o->first, LG_DIRECTIONS * sizeof(double));
    return x;
#else
    return tangent_along(value, input - o->first);
#endif
}

/* out += the derivatives of a callback along a change x of its input j. */
static void tangent_chain(const lg_tangent_task *o, int j, const real &x, real *out, int count)
{
    const double *slope = o->slope + j * count;
    for (int i = 0; i < count; i++)
        if (slope[i] != 0) tangent_add(out[i], slope[i], x);
}

/* The change eta_j of an element of factor f. */
static real tangent_eta(const lg_workspace *w, const lg_tangent_task *o, const lg_factor_plan *f, int j, const real *g)
{
    const double *left = o->left + j * w->plan->element_size;
    real eta = splat(0);
    for (int i = f->element_offset; i < f->element_offset + f->element_size; i++) tangent_add(eta, left[i], g[i]);
    return eta;
}

/* out += the derivatives of a callback along the change of g. */
static void tangent_chain_element(const lg_workspace *w, const lg_tangent_task *o, const real *g, real *out, int count)
{
    const lg_plan *P = w->plan;
    for (int i = 0; o->elements > P->n && i < P->element_size; i++)
        if (o->acts[i]) tangent_chain(o, i, g[i], out, count);
    for (int k = 0; o->elements == P->n && k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        for (int j = f->offset; j < f->offset + f->n; j++)
            if (o->acts[j]) tangent_chain(o, j, tangent_eta(w, o, f, j, g), out, count);
    }
}

/* A callback that understands these numbers, by its kind; NULL otherwise. */
static lg_field_fn tangent_field(const lg_callbacks *c, int kind)
{
    switch (kind) {
    case LG_CALLBACK_POTENTIAL:
        return c->potential;
    case LG_CALLBACK_GRADIENT:
        return c->potential_gradient;
    case LG_CALLBACK_METRIC:
        return c->metric;
    case LG_CALLBACK_HOLONOMIC:
        return c->holonomic;
    case LG_CALLBACK_HOLONOMIC_ROWS:
        return c->holonomic_differential;
    case LG_CALLBACK_HOLONOMIC_RATE:
        return c->holonomic_rate;
    default:
        return NULL;
    }
}

/* Calls such a callback, whose answer is LG_TANGENT_ANSWER then. */
static int tangent_ask(lg_workspace *w, int kind, const real *t, const real *g, const real *xi, real *out, int count)
{
    const lg_system *S = w->plan->S;
    const lg_callbacks *c = &S->callbacks;
    const int lanes = TANGENT_ORDERS > 1 ? -LG_CURVED_LANES * LG_TANGENT : -LG_TANGENT;
    const lg_call call = {S->context, S->parameter_values, t->v, lanes, w->lanes->wide_control, (const double *)t};
    const double *at = (const double *)g, *velocity = (const double *)xi;
    double *to = as_doubles(out), *drift = as_doubles(out + count - w->plan->n);
    const lg_field_fn field = tangent_field(c, kind);
    if (kind == LG_TANGENT_ROWS) return c->covectors ? c->covectors(&call, at, to, drift) : c->drift(&call, at, drift);
    if (kind == LG_CALLBACK_FORCE) return c->force ? c->force(&call, at, velocity, to) : 0;
    if (kind == LG_TANGENT_ROW_RATES) return c->covectors_derivative(&call, at, velocity, to, drift);
    if (kind == LG_CALLBACK_METRIC_GRADIENT)
        return c->metric_gradient ? c->metric_gradient(&call, at, velocity, to) : 0;
    return field ? field(&call, at, to) : 0;
}

static int tangent_call(lg_workspace *w, int kind, const real *t, const real *g, const real *xi, real *out, int count)
{
    const lg_lanes *lanes = w->lanes;
    for (int i = 0; i < count; i++) out[i] = splat(0);
    if ((w->plan->S->callbacks.lanes & LG_LANES_TANGENTS) &&
        tangent_ask(w, kind, t, g, xi, out, count) == LG_TANGENT_ANSWER)
        return 0;
    lg_tangent_task *o = lanes->task;
    const int n = w->plan->n;
    if (o->to_stages || TANGENT_ORDERS > 1) /* stages of collocation are off the group; values have no second ones */
        return lg_workspace_fail_status(w, LG_ERROR_UNSUPPORTED, "derivatives of a callback");
    lanes_get(lanes->g, g, w->plan->element_size, LANES - 1);
    if (xi) lanes_get(lanes->xi, xi, n, LANES - 1);
    const int code = o->call(o, kind, t->v, lanes->g, xi ? lanes->xi : NULL, count);
    if (code) {
        w->field->failed = o->failed;
        return lg_workspace_fail_callback(w, code);
    }
    for (int i = 0; i < count; i++) out[i] = splat(o->value[i]);
    tangent_chain_element(w, o, g, out, count);
    const int e = o->elements, time = e + n, controls = o->controls, more = controls + w->plan->S->parameter_count;
    for (int j = 0; xi && j < n; j++)
        if (o->acts[e + j]) tangent_chain(o, e + j, xi[j], out, count);
    if (o->acts[time]) tangent_chain(o, time, *t, out, count);
    for (int j = 0; j < more; j++)
        if (o->acts[time + 1 + j])
            tangent_chain(o, time + 1 + j,
                          tangent_input(o, 0, j < controls ? o->first_control + j : o->first_parameter + j - controls),
                          out, count);
    return 0;
}

int lg_evaluate(lg_workspace *w, lg_callback_kind kind, const real *t, const real *g, const real *xi, real *out,
                int count)
{
    return tangent_call(w, kind, t, g, xi, out, count);
}

int lg_evaluate_rows(lg_workspace *w, lg_node *b, real *A)
{
    const int n = w->plan->n, rows = w->plan->nonholonomic * n;
    real *out = w->lanes->rows;
    if (tangent_call(w, LG_TANGENT_ROWS, &b->t, b->g, NULL, out, rows + n)) return 1;
    for (int i = 0; !w->plan->constant_rows && i < rows; i++) A[i] = out[i];
    for (int i = 0; i < n; i++) b->drift[i] = out[rows + i];
    return 0;
}

int lg_evaluate_row_rates(lg_workspace *w, const lg_node *b, const real *xi, real *A, real *Y, real *)
{
    const int n = w->plan->n, rows = w->plan->nonholonomic * n;
    real *out = w->lanes->rows;
    if (tangent_call(w, LG_TANGENT_ROW_RATES, &b->t, b->g, xi, out, rows + n)) return 1;
    for (int i = 0; i < rows; i++) A[i] = out[i];
    for (int i = 0; i < n; i++) Y[i] = out[rows + i];
    return 0;
}

int lg_evaluate_mean(lg_workspace *w, lg_mean_kind, duration, const lg_node *, const lg_node *, real *, int)
{
    return lg_workspace_fail_status(w, LG_ERROR_UNSUPPORTED, "a mean"); /* tangent_form() */
}

/* g tau(eta) by the operations of the factors. */
int lg_move_lanes(lg_workspace *w, real *moved, const real *g, const real *eta, mask)
{
    const lg_plan *P = w->plan;
    real *W = w->lanes->rows, k;
    for (int i = 0; i < P->factor_count; i++) {
        const lg_factor_plan *f = &P->factors[i];
        const int at = f->element_offset;
        if (f->table->advance(w, f, eta + f->offset, g + at, W, moved + at, &k)) return 1;
    }
    return 0;
}

/* ---- inputs ---- */

/* Controls that are polynomials: those at a stage, or at the end, where `weights` are of their values at the nodes. */
static void tangent_steer(const lg_tangent_task *o, const double *weights, real *control)
{
    const int c = o->controls / o->control_nodes;
    for (int j = 0; j < c; j++) {
        control[j] = splat(0);
        for (int i = j; i < o->controls; i += c)
            control[j] = control[j] + weights[i / c] * tangent_input(o, o->control[i], o->first_control + i);
    }
}

/* Parameters and controls, for callbacks that understand these numbers. */
static void tangent_values(const lg_workspace *w, const lg_tangent_task *o)
{
    real *param = (real *)w->lanes->wide_param, *control = (real *)w->lanes->wide_control;
    for (int i = 0; i < w->plan->S->parameter_count; i++)
        param[i] = tangent_input(o, o->parameters[i], o->first_parameter + i);
    if (w->stages) w->stages->steered = o->to_stages != NULL;
    if (o->to_stages) {
        const int c = o->controls / o->control_nodes;
        for (int k = 0; k < w->stages->blocks; k++)
            tangent_steer(o, o->to_stages + k * o->control_nodes, w->stages->controls + k * c);
        tangent_steer(o, o->to_end, control);
        return;
    }
    for (int i = 0; i < o->controls; i++) control[i] = tangent_input(o, o->control[i], o->first_control + i);
}

/* The derivatives of constants that begin with number `at`, of `all`. */
static int tangent_spread(const lg_workspace *w, const lg_tangent_task *o, const lg_span *s, int spans, int at, int all)
{
    const int first = o->first_parameter - o->first; /* the direction of parameter 0 */
    const int begin = first < 0 ? -first : 0, last = LG_DIRECTIONS - first, count = w->plan->S->parameter_count;
    for (int k = 0; k < spans; at += s[k++].count) {
        real *x = (real *)s[k].at;
        for (int i = 0; i < s[k].count; i++) x[i] = splat(x[i].v);
        for (int j = begin; j < count && j < last; j++)
            for (int i = 0; i < s[k].count; i++) {
                const double slope = o->constants[j * all + at + i];
                if (slope != 0) tangent_set(x[i], first + j, slope);
            }
    }
    return at;
}

/* The derivatives of the constants. */
static void tangent_constants_vary(const lg_workspace *w, const lg_tangent_task *o)
{
    lg_span s[LG_SPANS];
    if (!o->constants) return;
    int at = tangent_spread(w, o, s, lg_workspace_constants(w, s), 0, o->constants_count);
    for (int k = 0; k < w->plan->flow_count; k++)
        at = tangent_spread(w, o, s, lg_workspace_block(w, k, s), at, o->constants_count);
}

#ifdef LG_CURVED

/* No collocation. */
void lg_sweep_choose(lg_stages *, const lg_plan *)
{
}
int lg_instances_spans(lg_instances *, const lg_plan *, lg_span *)
{
    return 0;
}

#else

/* ---- collocation ---- */

#include "integrators/collocation/tangent.c"

/* ---- baselines ---- */

#include "integrators/steps/tangent.c"

#endif

/* ---- second derivatives ---- */

#include "integrators/engine/curved.c"

/* ---- one stage ---- */

/* Node now: the state, its time, and everything that a step from there needs. */
static int tangent_depart(lg_workspace *w, const lg_tangent_task *o, int nz, const real &whole)
{
    lg_node *a = w->now;
    const int n = w->plan->n, e = w->plan->element_size;
    w->field->failed = "the coordinates near an element";
    const int code = o->chart(w->lanes->task, o->g);
    if (code) return lg_workspace_fail_callback(w, code);
    a->t = o->t0 + o->before * whole;
    w->next->t = o->t0 + (o->before + o->share) * whole;
    for (int i = 0; i < e; i++) a->g[i] = splat(o->g[i]);
    for (int j = 0; j < n; j++) {
        const real eta = tangent_input(o, 0, nz + j);
        w->vector[j] = eta;
        for (int i = 0; i < e; i++) tangent_add(a->g[i], o->basis[j * e + i], eta);
        a->p_tilde[j] = a->p_plus[j] = a->p_minus[j] = tangent_input(o, o->p[j], nz + n + j);
    }
    w->destination = w->next;
    if (TANGENT_ORDERS > 1) {
        real *g;
        if (tangent_curve(w, o->g, &g)) return 1;
        for (int i = 0; i < e; i++) a->g[i] = g[i];
    }
    return lg_node_evaluate(w, a);
}

/* F at the solution z. Where h varies xi varies so that h xi does not: z is but a coordinate of the solution. */
static int tangent_residual(lg_workspace *w, const lg_tangent_task *o, int nz, const real &whole, real *F)
{
    lg_node *a = w->now, *b = w->next;
    const duration h = o->share * whole;
    const int n = w->plan->n;
    real *z = w->implicit->solver.unknown, *lagged = w->history->differences;
    for (int i = 0; i < nz; i++) {
        z[i] = tangent_input(o, o->z[i], i);
        tangent_add(z[i], -o->z[i] / o->h, whole);
    }
    lg_implicit_scatter(w, z, b->xi);
    w->implicit->trial.departing = w->plan->method.rule->depart(w, h, a);
    if (lg_step_residual(w, h, a, b->xi, b, F)) return 1;
    for (int i = 0; i < n; i++) b->p_plus[i] = w->implicit->trial.p_plus[i];
    lg_implicit_gather(w, b->xi, lagged);
    for (int i = n; i < nz; i++) F[i] = z[i] - lagged[i];
    return 0;
}

static void tangent_store(const lg_tangent_task *o, int row, int columns, const real &x)
{
    for (int k = 0; k < LG_DIRECTIONS && o->first + k < columns; k++)
        o->partial[row * o->width + o->first + k] = tangent_get(x, k);
}

/* eta, p and lambda of node next. */
static int tangent_read(lg_workspace *w, const lg_tangent_task *o, int nz, int columns, duration h)
{
    const lg_node *b = w->next;
    const int n = w->plan->n;
    lanes_get(o->g1, b->g, w->plan->element_size, LANES - 1);
    const int code = o->chart(w->lanes->task, o->g1);
    if (code) return lg_workspace_fail_callback(w, code);
    for (int k = 0; k < w->plan->factor_count; k++) {
        const lg_factor_plan *f = &w->plan->factors[k];
        for (int j = f->offset; j < f->offset + f->n; j++)
            tangent_store(o, nz + j, columns, tangent_eta(w, o, f, j, b->g));
    }
    const real *p = w->plan->method.rule->depart(w, h, b);
    lanes_get(o->p1, p, n, LANES - 1);
    for (int j = 0; j < n; j++) tangent_store(o, nz + n + j, columns, p[j]);
    for (int r = 0; r < w->plan->m; r++) tangent_store(o, nz + 2 * n + r, columns, b->lambda[r]);
    return 0;
}

/* The derivatives along the directions from o->first on. */
static int tangent_pass(lg_workspace *w, lg_tangent_task *o, int nz, int columns)
{
    const lg_rule *rule = w->plan->method.rule;
    lg_node *a = w->now, *b = w->next;
    const real whole = tangent_input(o, o->h, nz + 2 * w->plan->n + o->controls);
    const duration h = o->share * whole;
    real *F = w->history ? w->history->differences + nz : NULL;
    tangent_values(w, o);
    tangent_constants_vary(w, o);
    if (tangent_depart(w, o, nz, whole)) return 1;
    if (nz ? tangent_residual(w, o, nz, whole, F) : w->plan->method.step->advance(w, h, a, rule->depart(w, h, a), b))
        return 1;
    if (rule->arrive(w, h, a, b)) return 1;
    if (o->ratio != 0 && rule->rescale) rule->rescale(w, o->ratio, b);
    if (TANGENT_ORDERS > 1) return tangent_weigh(w, o, nz, F, h);
    for (int i = 0; i < nz; i++) tangent_store(o, i, columns, F[i]);
    return tangent_read(w, o, nz, columns, h);
}

static int tangent_stage(void *work, lg_tangent_task *o, lg_failure *failure)
{
    lg_workspace *w = (lg_workspace *)work;
    const int nz = w->implicit ? lg_implicit_size(w->plan) : 0;
    const int first = nz + 2 * w->plan->n, columns = first + o->controls + 1 + w->plan->S->parameter_count;
    const int directions = TANGENT_ORDERS > 1 ? o->count : columns;
    w->lanes->task = o;
#ifndef LG_CURVED
    if (w->stages && sensitivity_prepare(w, o)) {
        *failure = w->failure;
        return 1;
    }
#endif
    o->first_control = first, o->first_parameter = first + o->controls + 1;
    for (o->first = 0; o->first < directions; o->first += LG_DIRECTIONS) {
        if (!tangent_pass(w, o, nz, columns)) continue;
        *failure = w->failure;
        return 1;
    }
    return 0;
}

/* ---- the table ---- */

#ifdef LG_CURVED
size_t lg_dense_bytes(const lg_plan *)
{
    return 0;
}
#else
/* Scratch of points.c, as generic.c carves it at width 1. */
static lg_dense tangent_carve(lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n), e = sz(P->element_size);
    lg_dense d = {};
    TANGENT_VECTORS(a, n * n, &d.M, &d.D, &d.J);
    TANGENT_VECTORS(a, n, &d.x, &d.v, &d.f, &d.trial, &d.delta, &d.half);
    TANGENT_VECTORS(a, e, &d.W, &d.U);
    return d;
}

size_t lg_dense_bytes(const lg_plan *P)
{
    lg_arena a = {NULL, 0};
    if (P->instances) return sensitivity_bytes(P);
    if (!(P->method.rule->wide & P->method.step->wide & LG_WIDE_TANGENT)) return 0;
    if (P->method.step->needs & LG_IS_DIRECT)
        (void)baseline_carve(&a, P);
    else
        (void)tangent_carve(&a, P);
    return a.used;
}

lg_dense lg_dense_of(const lg_workspace *w)
{
    lg_arena a = {(char *)w->dense, 0};
    return tangent_carve(&a, w->plan);
}
#endif

lg_lanes *lg_lanes_carve(lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n);
    lg_lanes local, *home = (lg_lanes *)lg_take(a, sizeof *home), *o = home ? home : &local;
    memset(o, 0, sizeof *o);
    o->g = lg_take_doubles(a, sz(P->element_size));
    o->xi = lg_take_doubles(a, n);
    const size_t rows = P->drift ? (sz(P->nonholonomic) + 1) * n : 0, e = sz(P->element_size);
    const size_t elements = TANGENT_ORDERS > 1 ? 3 * e : e; /* tangent_curve() */
    o->rows = workspace_take(a, rows > elements ? rows : elements);
    o->wide_param = (double *)workspace_take(a, sz(P->S->parameter_count));
    o->wide_control = (double *)workspace_take(a, sz(P->S->callbacks.control_count));
    return home;
}

#ifdef LG_CURVED
static const lg_rule *const tangent_rules[] = {&lg_rule_shared, NULL};
static const lg_free_step *const tangent_free_steps[] = {&lg_free_step_energy_momentum, NULL};
#else
static const lg_rule *const tangent_rules[] = {
    &lg_rule_none, &lg_rule_reflection, &lg_rule_shared, &lg_rule_discrete, &tangent_collocation_rule, &baseline_rule,
    NULL};
static const lg_free_step *const tangent_free_steps[] = {&lg_free_step_variational, &lg_free_step_energy_momentum,
                                                         &tangent_collocation_step, &baseline_step_rk4,
                                                         &baseline_step_rkmk4,      NULL};
#endif

static void *tangent_bind(void *memory, const lg_plan *plan, lg_field *field, const lg_wide_settings *settings,
                          lg_lanes **lanes)
{
    lg_workspace *w = lg_workspace_bind(memory, plan, field);
    w->tolerance = settings->tolerance, w->iterations_max = settings->iterations_max;
    w->evaluations_max = settings->evaluations_max;
    *lanes = w->lanes;
    return w;
}

static int tangent_constants(const void *w, lg_span *s)
{
    return lg_workspace_constants((const lg_workspace *)w, s);
}

static int tangent_block(const void *w, int k, lg_span *s)
{
    return lg_workspace_block((const lg_workspace *)w, k, s);
}

#ifdef LG_CURVED
#define TANGENT_TABLE_(vector) lg_curved_table_##vector
#else
#define TANGENT_TABLE_(vector) lg_tangent_table_##vector
#endif
#define TANGENT_TABLE(vector)  TANGENT_TABLE_(vector)

extern const lg_engine_table TANGENT_TABLE(LG_TANGENT) = {.lanes = LANES,
                                                          .rules = tangent_rules,
                                                          .free_steps = tangent_free_steps,
                                                          .factor = lg_factor_choose,
                                                          .bytes = lg_workspace_bytes,
                                                          .bind = tangent_bind,
                                                          .constants = tangent_constants,
                                                          .block = tangent_block,
                                                          .stage = tangent_stage};
}
