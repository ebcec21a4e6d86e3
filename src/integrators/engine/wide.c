/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of instances: creation, and what moves between a lane and a scalar. A lane is every width-th number of the
 * wide work's arrays, in the order in which the scalar has its own (work.c). */
#include "integrators/engine/wide.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/width.h"
#include "integrators/engine/lanes.h"

struct lg_wide {
    const lg_wide_table *table;
    int width;
    size_t bytes;
    lg_system S, single; /* as callbacks see it that understand lanes, and as the others do */
    lg_plan plan;
    lg_field field;
    lg_lanes *lanes;
    void *work;
};

static const lg_wide_table *table_of(int width)
{
    if (width < 2 || !lg_width_choose(width)) return NULL;
#if defined(__x86_64__)
    if (width == 8) return &lg_wide_table_x8;
    if (width == 4) return &lg_wide_table_x4;
#endif
    return &lg_wide_table_x2;
}

/* ---- what has a wide form ---- */

static int rule_number(const lg_plan *P)
{
    const lg_rule *const rules[LG_WIDE_RULES] = {&lg_rule_none, &lg_rule_reflection, &lg_rule_shared};
    for (int i = 0; i < LG_WIDE_RULES; i++)
        if (P->method.rule == rules[i]) return i;
    return -1;
}

static int inner_number(const lg_plan *P)
{
    const lg_inner *const inners[LG_WIDE_INNERS] = {&lg_inner_variational, &lg_inner_energy_momentum};
    for (int i = 0; i < LG_WIDE_INNERS; i++)
        if (P->method.inner == inners[i]) return i;
    return -1;
}

/* Closed steps, flow by flow. */
static int has_flows(const lg_plan *P)
{
    for (int k = 0; k < P->flow_count; k++)
        if (!(P->flows[k].table->facts & LG_FACTOR_FUSED)) return 0;
    return P->method.rule != &lg_rule_shared;
}

/* Solved steps. Frames of two nodes are aligned at any width up to three rows; variational steps with more than a
 * potential at the nodes are points.c. */
static int has_arcs(const lg_plan *P)
{
    const int aligned = P->m <= 3 || P->method.raw || (P->constant_rows && P->constant_metric);
    for (int k = 0; k < P->factor_count; k++)
        if (!(P->factors[k].table->facts & LG_FACTOR_WIDE)) return 0;
    if (P->method.rule != &lg_rule_shared || !aligned) return 0;
    return P->method.inner == &lg_inner_energy_momentum ||
           (P->constant_metric && !P->force && !P->geodesics && P->exact_tangent);
}

int lg_wide_has_form(const lg_integrator *it)
{
    const lg_plan *P = &it->plan;
    if (rule_number(P) < 0 || inner_number(P) < 0) return 0;
    return P->fused ? has_flows(P) : has_arcs(P);
}

/* ---- creation ---- */

/* Everything, in one place; `o` is a local while the size is learnt. */
static void carve(lg_wide *o, lg_arena *a, const lg_integrator *it)
{
    const lg_wide_settings settings = {it->work->tolerance, it->work->implicit_tolerance, it->work->iterations_max,
                                       it->work->evaluations_max};
    lg_factor_plan *factors = lg_take(a, sz(it->plan.factor_count + 1) * sizeof *factors);
    lg_field_carve(&o->field, a);
    if (factors) memcpy(factors, it->plan.factors, sz(it->plan.factor_count + 1) * sizeof *factors);
    o->plan = it->plan;
    o->plan.S = &o->S;
    if (factors) o->plan.factors = factors, o->plan.flows = factors + (it->plan.flows - it->plan.factors);
    o->table->adapt(&o->plan, rule_number(&it->plan), inner_number(&it->plan));
    lg_align(a);
    void *memory = lg_take(a, o->table->bytes(&o->plan, &o->field));
    if (!memory) return;
    o->work = o->table->bind(memory, &o->plan, &o->field, &settings, &o->lanes);
    o->lanes->single = &o->single;
    o->field.control = o->lanes->control;
    o->S.parameter_values = o->lanes->wide_param;
}

/* They are the integrator's; the work has those of every lane. */
static void forget_numbers(lg_system *S)
{
    S->inertia = S->inertia_diagonal = S->covector_matrix = S->projector_metric = NULL;
}

lg_status lg_wide_create(lg_wide **W, const lg_integrator *it, int width)
{
    lg_wide probe = {.table = table_of(width), .width = width, .S = it->S};
    lg_arena a = {NULL, 0};
    *W = NULL;
    if (!probe.table || !lg_wide_has_form(it)) return LG_ERROR_UNSUPPORTED;
    lg_field_init(&probe.field, &probe.S, it->plan.retraction);
    carve(&probe, &a, it);
    const size_t head = (sizeof probe + LG_ALIGN - 1) / LG_ALIGN * LG_ALIGN;
    const size_t bytes = (head + a.used + LG_ALIGN - 1) / LG_ALIGN * LG_ALIGN;
    lg_wide *o = aligned_alloc(LG_ALIGN, bytes);
    if (!o) return LG_ERROR_MEMORY;
    memset(o, 0, bytes);
    o->table = probe.table, o->width = width, o->bytes = bytes;
    o->S = o->single = it->S;
    lg_field_init(&o->field, &o->single, it->plan.retraction);
    a = (lg_arena){(char *)o + head, 0};
    carve(o, &a, it);
    forget_numbers(&o->S), forget_numbers(&o->single);
    for (int l = 0; l < width; l++) lg_wide_put(o, l, it);
    *W = o;
    return LG_OK;
}

void lg_wide_destroy(lg_wide *W)
{
    free(W);
}

int lg_wide_width(const lg_wide *W)
{
    return W->width;
}

size_t lg_wide_bytes(const lg_wide *W)
{
    return W->bytes;
}

/* ---- between lanes and seats ---- */

static void to_lane(const lg_span *lane, const lg_span *scalar, int count, int width, int l)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < scalar[k].count; i++) lane[k].at[i * width + l] = scalar[k].at[i];
}

static void from_lane(const lg_span *lane, const lg_span *scalar, int count, int width, int l)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < scalar[k].count; i++) scalar[k].at[i] = lane[k].at[i * width + l];
}

/* Every array that an instance has, with its place in the scalar. */
static void exchange(const lg_wide *W, int l, const lg_workspace *scalar,
                     void (*move)(const lg_span *lane, const lg_span *scalar, int count, int width, int l))
{
    lg_span a[LG_SPANS], b[LG_SPANS];
    const lg_wide_table *T = W->table;
    (void)T->constants(W->work, a);
    move(a, b, lg_workspace_constants(scalar, b), W->width, l);
    for (int k = 0; k < W->plan.flow_count; k++) {
        (void)T->block(W->work, k, a);
        move(a, b, lg_workspace_block(scalar, k, b), W->width, l);
    }
    for (int which = 0; which < 2; which++) {
        (void)T->node(W->work, which, a);
        move(a, b, lg_workspace_node(scalar, which, b), W->width, l);
    }
    for (int i = 0; i < W->plan.stages; i++) {
        (void)T->history(W->work, i, a);
        move(a, b, lg_workspace_history(scalar, i, b), W->width, l);
    }
}

/* Values of a lane, where they stand lane after lane and number by number. */
static void put_values(const lg_wide *W, double *single, double *wide, int lane, const double *values, int count)
{
    for (int i = 0; i < count; i++) single[lane * count + i] = wide[i * W->width + lane] = values[i];
}

void lg_wide_put(lg_wide *W, int lane, const lg_integrator *scalar)
{
    const lg_lanes *o = W->lanes;
    put_values(W, o->param, o->wide_param, lane, scalar->S.parameter_values, W->S.parameter_count);
    put_values(W, o->control, o->wide_control, lane, scalar->control, W->S.callbacks.control_count);
    exchange(W, lane, scalar->work, to_lane);
}

void lg_wide_get(const lg_wide *W, int lane, lg_integrator *scalar)
{
    const int count = W->S.parameter_count, controls = W->S.callbacks.control_count;
    double *values = (double *)(uintptr_t)scalar->S.parameter_values; /* the scalar's own copy */
    for (int i = 0; i < count; i++) values[i] = W->lanes->param[lane * count + i];
    for (int i = 0; i < controls; i++) scalar->control[i] = W->lanes->control[lane * controls + i];
    exchange(W, lane, scalar->work, from_lane);
    scalar->started = 1;
}

/* Lane `from` onto lane `to` of some arrays. */
static void copy_lane(const lg_span *s, int count, int width, int to, int from)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < s[k].count; i++) s[k].at[i * width + to] = s[k].at[i * width + from];
}

void lg_wide_copy(lg_wide *W, int to, int from)
{
    lg_span s[LG_SPANS];
    const lg_wide_table *T = W->table;
    const lg_lanes *o = W->lanes;
    const int count = W->S.parameter_count, controls = W->S.callbacks.control_count, width = W->width;
    put_values(W, o->param, o->wide_param, to, o->param + from * count, count);
    if (controls) put_values(W, o->control, o->wide_control, to, o->control + from * controls, controls);
    copy_lane(s, T->constants(W->work, s), width, to, from);
    for (int k = 0; k < W->plan.flow_count; k++) copy_lane(s, T->block(W->work, k, s), width, to, from);
    for (int which = 0; which < 2; which++) copy_lane(s, T->node(W->work, which, s), width, to, from);
    for (int i = 0; i < W->plan.stages; i++) copy_lane(s, T->history(W->work, i, s), width, to, from);
}

static double *save(const lg_span *s, int count, int width, int l, double *to)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < s[k].count; i++) *to++ = s[k].at[i * width + l];
    return to;
}

void lg_wide_save(const lg_wide *W, int lane, double *snapshot)
{
    lg_span s[LG_SPANS];
    snapshot = save(s, W->table->state(W->work, s), W->width, lane, snapshot);
    for (int i = 0; i < W->plan.stages; i++)
        snapshot = save(s, W->table->history(W->work, i, s), W->width, lane, snapshot);
}

double lg_wide_time(const lg_wide *W, int lane)
{
    lg_span s[LG_SPANS];
    (void)W->table->node(W->work, 0, s);
    return s[0].at[lane];
}

int lg_wide_step(lg_wide *W, double h, const double *t1)
{
    return W->table->step(W->work, h, t1);
}

int lg_wide_figures(lg_wide *W, double *energy, double *residual)
{
    return W->table->figures(W->work, energy, residual);
}
