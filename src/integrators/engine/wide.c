/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of instances: creation, and copies between a lane and a scalar. A lane is every width-th number of the
 * wide workspace's arrays, in the order in which the scalar has its own (spans.c). */
#include "integrators/engine/wide.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/width.h"
#include "integrators/collocation/collocation.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/lanes.h"
#include "integrators/engine/rule.h"

struct lg_wide {
    const lg_engine_table *table;
    int width;
    size_t bytes;
    lg_system S, single; /* as callbacks see it that understand lanes, and as the others do */
    lg_plan plan;
    lg_field field;
    lg_lanes *lanes;
    void *work;
};

#ifdef LG_TANGENTS
/* The table of second derivatives with vectors of this width. */
static const lg_engine_table *wide_curved_table_of(int width)
{
    LG_IF_WIDTH_8(if (width == 8) return &lg_curved_table_8;)
    LG_IF_WIDTH_4(if (width == 4) return &lg_curved_table_4;)
    (void)width;
    return &lg_curved_table_2;
}
#endif

/* The table of a width, or of tangents with vectors of -width, or of -width/LG_CURVED_LANES with second derivatives. */
static const lg_engine_table *wide_table_of(int width)
{
#ifdef LG_TANGENTS
    if (width <= -LG_CURVED_LANES) return wide_curved_table_of(-width / LG_CURVED_LANES);
    if (width < 0) {
        LG_IF_WIDTH_8(if (width == -8) return &lg_tangent_table_8;)
        LG_IF_WIDTH_4(if (width == -4) return &lg_tangent_table_4;)
        return &lg_tangent_table_2;
    }
#endif
    if (width < 2 || !lg_width_choose(width)) return NULL;
    LG_IF_WIDTH_8(if (width == 8) return &lg_engine_table_8;)
    LG_IF_WIDTH_4(if (width == 4) return &lg_engine_table_4;)
    return &lg_engine_table_2;
}

/* ---- what has a wide form ---- */

/* Metrics that depend on the configuration are inverted in all lanes at once up to this size (metric.c). */
enum { WIDE_METRIC_MOST = 8 };

/* Explicit steps, flow by flow. */
static int wide_has_flows(const lg_plan *P)
{
    for (int k = 0; k < P->flow_count; k++)
        if (!(P->flows[k].table->facts & LG_FACTOR_FUSED)) return 0;
    return 1;
}

/* Frames of two nodes are aligned at any width up to three rows; Cholesky's are not aligned. */
static int wide_is_aligned(const lg_plan *P)
{
    return P->m <= 3 || P->method.raw || P->method.cholesky || (P->constant_rows && P->constant_metric) ||
           !(P->method.rule->needs & LG_NEEDS_FRAME);
}

/* Implicit steps. */
static int wide_has_arcs(const lg_plan *P)
{
    const int aligned = wide_is_aligned(P);
    for (int k = 0; k < P->factor_count; k++)
        if (!(P->factors[k].table->facts & LG_FACTOR_WIDE)) return 0;
    if (!(P->method.step->wide & LG_WIDE_POTENTIAL_ONLY)) return aligned;
    return aligned && P->constant_metric && !P->force && !P->geodesics && P->exact_tangent;
}

/* Collocation of the method's own steps. */
static int wide_has_rates(const lg_integrator *it)
{
    const lg_plan *P = &it->plan;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor *T = P->factors[k].table;
        if (!T->rate || !T->settle || (!T->coad && !P->factors[k].group->abelian)) return 0;
    }
    return P->stages == 1 && lg_integrator_tolerance(it) == 0;
}

#ifdef LG_TANGENTS
/* Tangents of variational steps with more than a potential at the ends; points lie on the arc that tau takes. */
static int wide_has_tangents_of_points(const lg_plan *P)
{
    if (P->fused || !(P->method.rule->wide & P->method.step->wide & LG_WIDE_TANGENT)) return 0;
    for (int k = 0; k < P->factor_count; k++) {
        const unsigned facts = P->factors[k].table->facts;
        if (!(facts & LG_FACTOR_WIDE) || (P->geodesics && !(facts & LG_FACTOR_GEODESIC))) return 0;
    }
    return P->exact_tangent && wide_is_aligned(P);
}

/* Are A' and Y' along a motion derivatives that the system gives? Kernels of the catalog know no partial ones. */
static int wide_has_rates_of_rows(const lg_plan *P)
{
    const lg_callbacks *c = &P->S->callbacks;
    const int partial = !c->time_dependent || (c->covectors_rate && !(c->lanes & LG_LANES_TANGENTS));
    return !P->drift || (c->covectors_derivative && partial);
}

/* Tangents of baselines: where the continuous equations difference nothing. */
static int wide_has_tangents_of_rates(const lg_plan *P)
{
    const lg_callbacks *c = &P->S->callbacks;
    if (!(P->method.step->needs & LG_IS_DIRECT) || P->method.collocation_stages) return 0;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (!(f->table->facts & LG_FACTOR_WIDE) || !f->table->rate || (!f->table->coad && !f->group->abelian)) return 0;
        if (!f->group->abelian && !(f->retraction->flags & LG_RETRACTION_SYMMETRIC)) return 0;
    }
    return P->exact_tangent && P->constant_metric && (!P->holonomic || c->holonomic_acceleration) &&
           wide_has_rates_of_rows(P);
}

/* Tangents of collocation: with what the multipliers of its nodes contain. */
static int wide_has_tangents_of_stages(const lg_plan *P)
{
    return !P->holonomic && (!P->m || P->constant_metric) && wide_has_rates_of_rows(P);
}
#endif

int lg_tangent_width(const lg_integrator *it)
{
#ifdef LG_TANGENTS
    const lg_plan *P = &it->plan;
    const int means = P->mean_rows || P->mean_gradient || P->mean_force;
    const int large = !P->constant_metric && P->n > WIDE_METRIC_MOST;
    if (P->compensated || P->differenced || means || large) return 0;
    /* callbacks are differenced with controls that are held, those inside a step reach kernels alone */
    if (lg_integrator_degree(it) && !(P->S->callbacks.lanes & LG_LANES_TANGENTS)) return 0;
    if (P->method.collocation_stages && !wide_has_tangents_of_stages(P)) return 0;
    const int has = lg_wide_has_form(it) || wide_has_tangents_of_points(P) || wide_has_tangents_of_rates(P);
    return has ? -lg_width_choose(0) : 0;
#else
    (void)it;
    return 0;
#endif
}

int lg_curved_width(const lg_integrator *it)
{
    const lg_plan *P = &it->plan;
    const int silent = P->constant_metric && !P->potential && !P->force && !P->drift && !P->holonomic;
    if (strcmp(P->method.step->name, "energy-momentum") || !lg_wide_has_form(it)) return 0;
    if (!silent && !(P->S->callbacks.lanes & LG_LANES_TANGENTS)) return 0;
    for (int k = 0; k < P->factor_count; k++)
        if (!P->factors[k].group->abelian && !(P->factors[k].retraction->flags & LG_RETRACTION_SYMMETRIC)) return 0;
    return LG_CURVED_LANES * lg_tangent_width(it);
}

int lg_wide_has_form(const lg_integrator *it)
{
    const lg_plan *P = &it->plan;
    const unsigned forms = P->method.rule->wide & P->method.step->wide;
    if (P->method.collocation_stages) return (forms & LG_WIDE_COLLOCATION) && wide_has_rates(it);
    if (P->fused) return (forms & LG_WIDE_EXPLICIT) && wide_has_flows(P);
    return (forms & LG_WIDE_IMPLICIT) && wide_has_arcs(P);
}

/* Replaces rule, free step and factors of the plan by those of the table's width. */
static void wide_adapt(lg_plan *plan, lg_factor_plan *factors, const lg_engine_table *T)
{
    lg_method *M = &plan->method;
    for (const lg_rule *const *r = T->rules; *r; r++)
        if (!strcmp((*r)->name, M->rule->name)) {
            M->rule = *r;
            break;
        }
    for (const lg_free_step *const *f = T->free_steps; *f; f++)
        if (!strcmp((*f)->name, M->step->name)) {
            M->step = *f;
            break;
        }
    for (int k = 0; factors && k < plan->factor_count + 1; k++)
        if (factors[k].group) factors[k].table = T->factor(factors[k].group, factors[k].retraction);
}

/* ---- creation ---- */

/* Carves everything in one place; `o` is a local while the size is measured. */
static void wide_carve(lg_wide *o, lg_arena *a, const lg_plan *plan, const lg_wide_settings *settings)
{
    lg_factor_plan *factors = lg_take(a, sz(plan->factor_count + 1) * sizeof *factors);
    lg_field_carve(&o->field, a);
    if (factors) memcpy(factors, plan->factors, sz(plan->factor_count + 1) * sizeof *factors);
    o->plan = *plan;
    o->plan.S = &o->S;
    if (factors) o->plan.factors = factors, o->plan.flows = factors + (plan->flows - plan->factors);
    wide_adapt(&o->plan, factors, o->table);
    if (o->table->stage) o->plan.accounts_work = 0; /* nobody asks for its derivatives */
    lg_align(a);
    void *memory = lg_take(a, o->table->bytes(&o->plan, &o->field));
    if (!memory) return;
    o->work = o->table->bind(memory, &o->plan, &o->field, settings, &o->lanes);
    o->lanes->single = &o->single;
    o->field.control = o->lanes->control;
    o->S.parameter_values = o->lanes->wide_param;
}

/* Removes the integrator's numbers; the workspace has those of every lane. */
static void wide_clear_numbers(lg_system *S)
{
    S->inertia = S->inertia_diagonal = S->covector_matrix = S->projector_metric = NULL;
}

/* The size in front of the arena. */
static size_t wide_head(void)
{
    return lg_aligned(sizeof(lg_wide));
}

size_t lg_wide_place_bytes(const lg_plan *plan, int width)
{
    const lg_wide_settings none = {0};
    lg_wide probe = {.table = wide_table_of(width), .S = *plan->S};
    lg_arena a = {NULL, 0};
    lg_field_init(&probe.field, &probe.S, plan->retraction);
    wide_carve(&probe, &a, plan, &none);
    return wide_head() + lg_aligned(a.used);
}

lg_wide *lg_wide_place(void *memory, const lg_plan *plan, const lg_wide_settings *settings, int width)
{
    lg_wide *o = memory;
    lg_arena a = {(char *)memory + wide_head(), 0};
    memset(o, 0, sizeof *o);
    o->table = wide_table_of(width), o->width = o->table->lanes, o->bytes = lg_wide_place_bytes(plan, width);
    o->S = o->single = *plan->S;
    lg_field_init(&o->field, &o->single, plan->retraction);
    wide_carve(o, &a, plan, settings);
    wide_clear_numbers(&o->S), wide_clear_numbers(&o->single);
    return o;
}

lg_status lg_wide_create(lg_wide **W, const lg_integrator *it, int width)
{
    const lg_wide_settings settings = {it->workspace->tolerance, it->workspace->implicit_tolerance,
                                       it->workspace->iterations_max, it->workspace->evaluations_max};
    lg_plan plan = it->plan;
    plan.instances = plan.method.collocation_stages > 0;
    *W = NULL;
    if (width < 2 || !wide_table_of(width) || !lg_wide_has_form(it)) return LG_ERROR_UNSUPPORTED;
    void *memory = lg_reserve(lg_wide_place_bytes(&plan, width));
    if (!memory) return LG_ERROR_MEMORY;
    *W = lg_wide_place(memory, &plan, &settings, width);
    for (int l = 0; l < width; l++) lg_wide_put(*W, l, it);
    return LG_OK;
}

void lg_wide_destroy(lg_wide *W)
{
    lg_release(W);
}

int lg_wide_width(const lg_wide *W)
{
    return W->width;
}

size_t lg_wide_bytes(const lg_wide *W)
{
    return W->bytes;
}

/* ---- between lanes and the scalar ---- */

static void wide_to_lane(const lg_span *lane, const lg_span *scalar, int count, int width, int l)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < scalar[k].count; i++) lane[k].at[i * width + l] = scalar[k].at[i];
}

static void wide_from_lane(const lg_span *lane, const lg_span *scalar, int count, int width, int l)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < scalar[k].count; i++) scalar[k].at[i] = lane[k].at[i * width + l];
}

/* Visits every array of an instance, with its position in the scalar. */
static void wide_exchange(const lg_wide *W, int l, const lg_workspace *scalar,
                          void (*move)(const lg_span *lane, const lg_span *scalar, int count, int width, int l))
{
    lg_span a[LG_SPANS], b[LG_SPANS];
    const lg_engine_table *T = W->table;
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

/* Writes the values of a lane to both arrays, lane after lane and number by number. */
static void wide_put_values(const lg_wide *W, double *single, double *wide, int lane, const double *values, int count)
{
    for (int i = 0; i < count; i++) single[lane * count + i] = wide[i * W->width + lane] = values[i];
}

void lg_wide_set_values(lg_wide *W, const double *parameters, const double *control)
{
    const lg_lanes *o = W->lanes;
    for (int l = 0; l < W->width; l++) {
        wide_put_values(W, o->param, o->wide_param, l, parameters, W->S.parameter_count);
        wide_put_values(W, o->control, o->wide_control, l, control, W->S.callbacks.control_count);
    }
}

void lg_wide_set_constants(lg_wide *W, const lg_workspace *scalar)
{
    lg_span a[LG_SPANS], b[LG_SPANS];
    (void)W->table->constants(W->work, a);
    const int count = lg_workspace_constants(scalar, b);
    for (int l = 0; l < W->width; l++) wide_to_lane(a, b, count, W->width, l);
}

void lg_wide_set_numbers(lg_wide *W, int lane, const lg_workspace *scalar)
{
    lg_span a[LG_SPANS], b[LG_SPANS];
    (void)W->table->constants(W->work, a);
    wide_to_lane(a, b, lg_workspace_constants(scalar, b), W->width, lane);
    for (int k = 0; k < W->plan.flow_count; k++) {
        (void)W->table->block(W->work, k, a);
        wide_to_lane(a, b, lg_workspace_block(scalar, k, b), W->width, lane);
    }
}

int lg_wide_stage(lg_wide *W, struct lg_tangent_task *task, lg_failure *failure)
{
    return W->table->stage(W->work, task, failure);
}

int lg_wide_collocate(lg_wide *W, struct lg_stage_task *task, lg_failure *failure)
{
    return W->table->collocate(W->work, task, failure);
}

int lg_wide_fields(lg_wide *W, struct lg_stage_task *task, lg_failure *failure)
{
    return W->table->fields(W->work, task, failure);
}

int lg_wide_eliminate(const lg_wide *W, double *A, int n, int stride)
{
    return W->table->eliminate(A, n, stride);
}

void lg_wide_put(lg_wide *W, int lane, const lg_integrator *scalar)
{
    const lg_lanes *o = W->lanes;
    wide_put_values(W, o->param, o->wide_param, lane, scalar->S.parameter_values, W->S.parameter_count);
    wide_put_values(W, o->control, o->wide_control, lane, scalar->control, W->S.callbacks.control_count);
    wide_exchange(W, lane, scalar->workspace, wide_to_lane);
}

void lg_wide_get(const lg_wide *W, int lane, lg_integrator *scalar)
{
    const int count = W->S.parameter_count, controls = W->S.callbacks.control_count;
    double *values = (double *)(uintptr_t)scalar->S.parameter_values; /* the scalar's own copy */
    for (int i = 0; i < count; i++) values[i] = W->lanes->param[lane * count + i];
    for (int i = 0; i < controls; i++) scalar->control[i] = W->lanes->control[lane * controls + i];
    wide_exchange(W, lane, scalar->workspace, wide_from_lane);
    lg_collocation_reload(scalar->workspace);
    scalar->started = 1;
}

/* Copies lane `from` to lane `to` in some arrays. */
static void wide_copy_lane(const lg_span *s, int count, int width, int to, int from)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < s[k].count; i++) s[k].at[i * width + to] = s[k].at[i * width + from];
}

void lg_wide_copy(lg_wide *W, int to, int from)
{
    lg_span s[LG_SPANS];
    const lg_engine_table *T = W->table;
    const lg_lanes *o = W->lanes;
    const int count = W->S.parameter_count, controls = W->S.callbacks.control_count, width = W->width;
    wide_put_values(W, o->param, o->wide_param, to, o->param + from * count, count);
    if (controls) wide_put_values(W, o->control, o->wide_control, to, o->control + from * controls, controls);
    wide_copy_lane(s, T->constants(W->work, s), width, to, from);
    for (int k = 0; k < W->plan.flow_count; k++) wide_copy_lane(s, T->block(W->work, k, s), width, to, from);
    for (int which = 0; which < 2; which++) wide_copy_lane(s, T->node(W->work, which, s), width, to, from);
    for (int i = 0; i < W->plan.stages; i++) wide_copy_lane(s, T->history(W->work, i, s), width, to, from);
}

static double *wide_save(const lg_span *s, int count, int width, int l, double *to)
{
    for (int k = 0; k < count; k++)
        for (int i = 0; i < s[k].count; i++) *to++ = s[k].at[i * width + l];
    return to;
}

void lg_wide_save(const lg_wide *W, int lane, double *snapshot)
{
    lg_span s[LG_SPANS];
    snapshot = wide_save(s, W->table->state(W->work, s), W->width, lane, snapshot);
    for (int i = 0; i < W->plan.stages; i++)
        snapshot = wide_save(s, W->table->history(W->work, i, s), W->width, lane, snapshot);
}

int lg_wide_step(lg_wide *W, double h, const double *t1)
{
    return W->table->step(W->work, h, t1);
}

int lg_wide_figures(lg_wide *W, double *energy, double *residual)
{
    return W->table->figures(W->work, energy, residual);
}
