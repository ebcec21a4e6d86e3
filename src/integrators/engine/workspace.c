/* SPDX-License-Identifier: BSD-3-Clause */
/* A workspace: all its pointers, set in one place, and its constants. */
#include "integrators/engine/workspace.h"

#include <stdint.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/collocation/collocation.h"
#include "integrators/collocation/instances.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/lanes.h"
#include "integrators/engine/rule.h"
#include "retractions/retraction.h"

/* Structures that hold reals, and reals, aligned as these are. */
static void *workspace_place(lg_arena *a, size_t bytes)
{
    a->used = (a->used + sizeof(real) - 1) / sizeof(real) * sizeof(real);
    return lg_take(a, bytes);
}

static real *workspace_take(lg_arena *a, size_t count)
{
    return (real *)workspace_place(a, count * sizeof(real));
}

/* `count` vectors of `size` numbers. */
static void workspace_vectors(real **vector[], size_t count, lg_arena *a, size_t size)
{
    for (size_t i = 0; i < count; i++) *vector[i] = workspace_take(a, size);
}

#define WORKSPACE_VECTORS(a, size, ...)                                                                                \
    do {                                                                                                               \
        real **vectors[] = {__VA_ARGS__};                                                                              \
        workspace_vectors(vectors, sizeof vectors / sizeof vectors[0], a, size);                                       \
    } while (0)

/* Numbers of the system: at width 1 they are those of the integrator's copy of it. */
static real *workspace_adopt(lg_arena *a, const double *numbers, size_t count)
{
    if (!numbers) return NULL;
    return LANES > 1 ? workspace_take(a, count) : (real *)(uintptr_t)numbers;
}

/* Entries of a metric: the matrix or its diagonal. */
static size_t workspace_metric_entries(const lg_plan *P)
{
    return sz(P->n) * (P->diagonal ? 1 : sz(P->n));
}

static int workspace_has_frame(const lg_plan *P)
{
    return P->m && (P->method.rule->needs & LG_NEEDS_FRAME);
}

/* Are rows and metric, and so all that depends only on them, constant? */
static int workspace_is_constant(const lg_plan *P)
{
    return P->constant_rows && P->constant_metric;
}

static void carve_constants(lg_constants *o, lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n), m = sz(P->m);
    WORKSPACE_VECTORS(a, workspace_metric_entries(P), &o->metric, &o->metric_inverse);
    if (P->constant_rows && P->m) o->rows = workspace_take(a, m * n);
    o->given_rows = workspace_adopt(a, P->S->covector_matrix, sz(P->nonholonomic) * n);
    if (workspace_is_constant(P) && workspace_has_frame(P)) {
        WORKSPACE_VECTORS(a, m * n, &o->frame, &o->frame_raised);
        o->frame_factor = workspace_take(a, m * m);
    }
    o->projector_inverse = P->S->projector_metric ? workspace_take(a, n * n) : NULL;
    o->given_projector = workspace_adopt(a, P->S->projector_metric, n * n);
    if (workspace_is_constant(P)) o->reflector = workspace_take(a, m * n);
    if (workspace_is_constant(P) && P->compensated) o->reflector_rest = workspace_take(a, m * n);
    if (P->constant_rows && P->drift) o->reflector_drift = workspace_take(a, m * n);
}

static lg_node *carve_node(const lg_constants *constants, lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n), m = sz(P->m);
    lg_node local, *home = (lg_node *)workspace_place(a, sizeof *home), *b = home ? home : &local;
    memset(b, 0, sizeof *b);
    b->g = workspace_take(a, sz(P->element_size));
    b->metric = constants->metric, b->metric_inverse = constants->metric_inverse, b->rows = constants->rows;
    if (!P->constant_metric) WORKSPACE_VECTORS(a, n * n, &b->metric, &b->metric_inverse);
    if (!P->constant_rows) b->rows = workspace_take(a, m * n);
    b->drift = P->drift ? workspace_take(a, n) : NULL;
    b->right_side = P->sides ? workspace_take(a, m) : NULL;
    if (workspace_has_frame(P)) {
        b->frame = constants->frame, b->frame_raised = constants->frame_raised;
        b->frame_factor = constants->frame_factor;
        if (!workspace_is_constant(P)) {
            WORKSPACE_VECTORS(a, m * n, &b->frame, &b->frame_raised);
            b->frame_factor = workspace_take(a, m * m);
        }
        b->frame_right_side = P->affine ? workspace_take(a, m) : NULL;
    }
    b->gradient = P->potential ? workspace_take(a, n) : NULL;
    WORKSPACE_VECTORS(a, n, &b->p_plus, &b->p_minus, &b->p_tilde, &b->xi);
    b->lambda = workspace_take(a, m);
    b->carry = P->method.collocation_stages || P->compensated ? workspace_take(a, n + sz(P->element_size)) : NULL;
    b->balance = P->keeps_energy ? workspace_take(a, LG_BALANCE_ENTRIES) : NULL;
    return home;
}

/* ---- implicit steps ---- */

static void carve_trial(lg_trial *o, lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n);
    WORKSPACE_VECTORS(a, n, &o->x, &o->log_W, &o->impulse, &o->p_minus, &o->p_plus, &o->v_minus, &o->v_plus);
    o->W = workspace_take(a, sz(P->element_size)), o->scale = workspace_take(a, sz(P->factor_count));
    o->half_change = workspace_take(a, P->constant_metric ? 0 : n);
    o->correction = workspace_take(a, P->holonomic ? n : 0);
}

static void carve_solver(lg_solver_scratch *o, lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n), nz = sz(lg_implicit_size(P));
    WORKSPACE_VECTORS(a, n, &o->residual, &o->next_residual, &o->step, &o->H_change, &o->step_H);
    o->inverse_jacobian = workspace_take(a, n * n);
    o->unknown = workspace_take(a, nz);
    o->held = workspace_take(a, LANES > 1 ? nz - n : 0);
}

static void carve_multipliers(lg_implicit *o, lg_arena *a, const lg_plan *P)
{
    const unsigned needs = P->method.rule->needs;
    const size_t n = sz(P->n), m = sz(P->m), k = m + 2 * sz(P->holonomic);
    lg_shared_scratch *shared = &o->shared;
    lg_discrete_scratch *discrete = &o->discrete;
    o->multiplier.matrix = workspace_take(a, k * k), o->multiplier.value = workspace_take(a, k);
    if (needs & LG_NEEDS_FRAME) {
        WORKSPACE_VECTORS(a, m * m, &shared->alignment, &shared->polar);
        WORKSPACE_VECTORS(a, m, &shared->aligned, &shared->column);
        shared->free_momentum = workspace_take(a, n);
        shared->frame_transported = workspace_take(a, m * n);
    } else {
        WORKSPACE_VECTORS(a, n, &discrete->residual, &discrete->raised, &discrete->drift);
        discrete->differential = workspace_take(a, m * n);
        discrete->point = workspace_take(a, sz(P->element_size));
        discrete->rows = workspace_take(a, sz(P->nonholonomic) * n);
    }
}

static void carve_holonomic(lg_holonomic_scratch *o, lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n), holonomic = sz(P->holonomic);
    WORKSPACE_VECTORS(a, holonomic, &o->phi, &o->rate);
    if (P->method.step->acts != LG_ACTS_ALONG_ARC) return;
    WORKSPACE_VECTORS(a, holonomic * n, &o->mean_rows, &o->end_rows, &o->momentum_rows, &o->raised_0, &o->raised_1,
                      &o->point_rows);
}

static void carve_arc(lg_arc_scratch *o, lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n), element_size = sz(P->element_size), nodes = sz(P->method.nodes);
    o->transported = workspace_take(a, n);
    const int means = P->mean_gradient || P->mean_force;
    o->covector = P->force || P->method.gonzalez || !P->constant_metric || means ? workspace_take(a, n) : NULL;
    o->mean = means ? workspace_take(a, n) : NULL;
    o->velocity = P->constant_metric ? NULL : workspace_take(a, n);
    if (P->method.gonzalez) o->gradients = workspace_take(a, 2 * n);
    if (!P->geodesics) return;
    WORKSPACE_VECTORS(a, nodes * element_size, &o->U, &o->points);
    o->covectors = workspace_take(a, nodes * n);
}

static void carve_lagrangian(lg_lagrangian_scratch *o, lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n);
    const int points = !P->constant_metric || P->force || P->geodesics; /* points.c */
    WORKSPACE_VECTORS(a, n, &o->slope, &o->share_0, &o->share_1, &o->momentum);
    o->gradient = points ? NULL : workspace_take(a, n);
    o->fraction = points ? workspace_take(a, n) : NULL;
    o->point = points ? workspace_take(a, sz(P->element_size)) : NULL;
    if (P->method.step->acts == LG_ACTS_AT_POINTS && !P->constant_metric) o->mean_inverse = workspace_take(a, n * n);
}

static lg_implicit *carve_implicit(lg_arena *a, const lg_plan *P)
{
    if (P->fused) return NULL;
    lg_implicit local, *home = (lg_implicit *)workspace_place(a, sizeof *home), *o = home ? home : &local;
    memset(o, 0, sizeof *o);
    carve_trial(&o->trial, a, P);
    carve_solver(&o->solver, a, P);
    if (P->holonomic || (P->method.rule->needs & (LG_NEEDS_FRAME | LG_IS_DISCRETE))) carve_multipliers(o, a, P);
    if (P->holonomic) carve_holonomic(&o->holonomic, a, P);
    if (P->method.step->acts == LG_ACTS_ALONG_ARC)
        carve_arc(&o->arc, a, P);
    else
        carve_lagrangian(&o->lagrangian, a, P);
    return home;
}

static lg_history *carve_history(lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n);
    lg_history *stages = (lg_history *)workspace_place(a, sz(P->stages) * sizeof *stages);
    for (int i = 0; i < P->stages; i++) {
        const lg_history history = {.inverse_jacobian = workspace_take(a, n * n),
                                    .differences = workspace_take(a, LG_HISTORY * sz(lg_implicit_size(P)))};
        if (stages) stages[i] = history;
    }
    return stages;
}

/* ---- stages of collocation ---- */

static lg_stages *carve_stages(const lg_constants *constants, lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n), m = sz(P->m), e = sz(P->element_size), s = sz(P->method.collocation_stages);
    const size_t blocks = P->instances ? s : (s + LANES - 1) / LANES, rows = sz(P->nonholonomic) * n + n;
    if (!P->instances && P->stage_width != LANES) return NULL;
    lg_stages local, *home = (lg_stages *)workspace_place(a, sizeof *home), *o = home ? home : &local;
    memset(o, 0, sizeof *o);
    o->blocks = (int)blocks;
    for (size_t b = 0; b < blocks; b++) o->node[b] = carve_node(constants, a, P);
    if (!P->instances) WORKSPACE_VECTORS(a, s * blocks, &o->weights, &o->inverse, &o->columns);
    o->rate = workspace_take(a, blocks * (e + n + m));
    WORKSPACE_VECTORS(a, n, &o->velocity, &o->force, &o->extra);
    o->call = (lg_call *)workspace_place(a, blocks * sizeof *o->call);
    o->free_momenta = workspace_take(a, P->rate_form ? 0 : blocks * n);
    for (size_t b = 0; home && b < blocks; b++) {
        o->elements[b] = o->node[b]->g;
        o->momenta[b] = P->m && !P->rate_form ? o->free_momenta + b * n : o->node[b]->p_tilde;
    }
    o->lane_call = (lg_call *)workspace_place(a, LANES > 1 ? blocks * LANES * sizeof *o->lane_call : 0);
    o->apart = lg_take_doubles(a, LANES > 1 ? blocks * LANES * e : 0);
    lg_align(a);
    o->answers = workspace_take(a, LANES > 1 ? (lg_callbacks_together(&P->S->callbacks) ? 2 * rows + n : rows) : 0);
    lg_sweep_choose(o, P);
    o->raised = workspace_take(a, m * n), o->gram = workspace_take(a, m * m);
    o->residual = workspace_take(a, blocks * m);
    WORKSPACE_VECTORS(a, rows, &o->rows_rate, &o->partial);
    const size_t controls = blocks * sz(P->S->callbacks.control_count);
    o->controls = workspace_take(a, controls);
    o->lane_controls = lg_take_doubles(a, LANES > 1 ? LANES * controls : 0);
    lg_align(a);
    if (LANES > 1) return home;
    o->vector = workspace_take(a, n), o->element = workspace_take(a, 2 * e), o->matrix = workspace_take(a, n * n);
    return home;
}

static lg_instances *carve_instances(lg_arena *a, const lg_plan *P)
{
    const size_t s = sz(P->method.collocation_stages), numbers = sz(P->element_size) + sz(P->n) + sz(P->m);
    lg_instances local, *home = (lg_instances *)workspace_place(a, sizeof *home), *o = home ? home : &local;
    memset(o, 0, sizeof *o);
    WORKSPACE_VECTORS(a, s * numbers, &o->rates, &o->memory);
    if (home) lg_tableau_make(&o->tableau, P->method.collocation_stages);
    return home;
}

/* ---- all of it ---- */

static void carve_blocks(lg_workspace *w, lg_arena *a, const lg_plan *P, int home)
{
    w->blocks = (lg_block *)lg_take(a, sz(P->flow_count) * sizeof *w->blocks);
    for (int k = 0; k < P->flow_count; k++) {
        const lg_factor_plan *f = &P->flows[k];
        size_t size = f->diagonal ? sz(f->n) : sz(f->n * f->n);
        const lg_flow flow = f->table->flow[f->diagonal];
        lg_block block = {flow,
                          f,
                          f->offset,
                          f->element_offset,
                          w->constants.metric,
                          w->constants.metric_inverse}; /* a part of the metric if in one piece */
        if (P->diagonal && home)
            block.J += f->offset, block.Jinv += f->offset;
        else if (!P->diagonal && P->flow_count > 1)
            block.J = workspace_take(a, size), block.Jinv = workspace_take(a, size);
        if (home) w->blocks[k] = block;
    }
}

#if LANES == 1
static void carve_scratch(lg_workspace *w, lg_arena *a, const lg_plan *P, lg_field *field)
{
    size_t step = P->method.step->needs & LG_IS_DIRECT ? lg_accelerations_bytes(field) : lg_dense_bytes(P);
    size_t start = lg_start_bytes(P, field);
    w->dense = (double *)lg_take(a, step > start ? step : start);
    size_t operations = lg_field_work_bytes(field);
    size_t geodesics = P->geodesics ? lg_retraction_work_bytes(lg_retraction_exp(), P->S->group) : 0;
    w->scratch = lg_take(a, operations > geodesics ? operations : geodesics);
    field->work = w->scratch; /* a displacement never happens inside another operation */
}
#else
/* Scratch for callbacks that see one lane at a time; lg_invert_metric() uses a matrix of it. */
static void carve_scratch(lg_workspace *w, lg_arena *a, const lg_plan *P, lg_field *field)
{
    w->lanes = lg_lanes_carve(a, P);
#ifdef LG_TANGENT
    w->dense = (double *)workspace_place(a, lg_dense_bytes(P));
#else
    w->dense = lg_take_doubles(a, P->constant_metric ? 0 : 3 * sz(P->n) * sz(P->n));
#endif
    w->scratch = lg_take(a, lg_field_work_bytes(field));
    field->work = w->scratch;
}
#endif

static lg_middle_scratch *carve_middle(const lg_constants *constants, lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n), m = sz(P->m);
    lg_middle_scratch local, *home = (lg_middle_scratch *)workspace_place(a, sizeof *home), *o = home ? home : &local;
    o->node = carve_node(constants, a, P);
    o->kicked = workspace_take(a, n), o->residual = workspace_take(a, m);
    o->rows_raised = workspace_take(a, m * n), o->matrix = workspace_take(a, m * m);
    return home;
}

static void carve_reflection(lg_reflection_scratch *o, lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n), m = sz(P->m);
    const int own = workspace_is_constant(P) && !(P->method.step->needs & LG_IS_DIRECT);
    o->raised = own ? NULL : workspace_take(a, m * n);
    o->gram = workspace_take(a, m * m);
    o->u = workspace_take(a, m), o->kept = workspace_take(a, m);
    o->rest = P->compensated ? workspace_take(a, m) : NULL;
}

static lg_workspace *carve_workspace(lg_arena *a, const lg_plan *P, lg_field *field)
{
    lg_workspace local, *home = (lg_workspace *)workspace_place(a, sizeof *home), *w = home ? home : &local;
    const size_t n = sz(P->n);
    memset(w, 0, sizeof *w);
    w->plan = P;
    w->field = field;
    carve_constants(&w->constants, a, P);
    w->now = carve_node(&w->constants, a, P), w->next = carve_node(&w->constants, a, P);
    w->spare = P->stages > 1 || P->method.collocation_stages ? carve_node(&w->constants, a, P) : NULL;
    if (P->method.rule->needs & LG_NEEDS_MIDDLE) w->middle = carve_middle(&w->constants, a, P);
    carve_reflection(&w->reflection, a, P);
    w->kicked = P->fused && P->potential ? workspace_take(a, n) : NULL, w->vector = workspace_take(a, n);
    carve_blocks(w, a, P, home != NULL);
    w->implicit = carve_implicit(a, P);
    w->compensation = P->compensated ? workspace_take(a, 2 * (n + sz(P->element_size))) : NULL;
    w->stages = carve_stages(&w->constants, a, P);
    w->instances = P->instances ? carve_instances(a, P) : NULL;
    for (int k = 0; LANES == 1 && P->method.collocation_stages && k < LG_INTERNAL_NODES; k++)
        w->internal[k] = carve_node(&w->constants, a, P);
    if (!P->fused) w->history = carve_history(a, P);
    if (LANES > 1 && !P->fused && P->stages > 1) w->undo = carve_history(a, P);
    carve_scratch(w, a, P, field);
    return home;
}

size_t lg_workspace_bytes(const lg_plan *P, lg_field *field)
{
    lg_arena a = {NULL, 0};
    carve_workspace(&a, P, field);
    return a.used;
}

lg_workspace *lg_workspace_bind(void *memory, const lg_plan *P, lg_field *field)
{
    lg_arena a = {(char *)memory, 0};
    return carve_workspace(&a, P, field);
}

/* ---- constants: they are worked out at width 1 ---- */

#if LANES == 1

static void workspace_load_blocks(lg_workspace *w, const double *J, double *M)
{
    int n = w->plan->n;
    for (int k = 0; k < w->plan->flow_count && w->blocks[k].J != w->constants.metric && !w->plan->diagonal; k++) {
        const lg_block *b = &w->blocks[k];
        int at = b->factor->offset, nf = b->factor->n;
        for (int i = 0; i < nf; i++) {
            if (b->factor->diagonal)
                b->J[i] = J[(at + i) * n + at + i], b->Jinv[i] = 1 / b->J[i];
            else
                for (int j = 0; j < nf; j++) b->J[i * nf + j] = J[(at + i) * n + at + j];
        }
        if (!b->factor->diagonal) (void)lg_spd_inverse(b->Jinv, b->J, nf, M);
    }
}

static int workspace_load_rows(lg_workspace *w, const double *J)
{
    if (lg_reflect_constant(w, J)) return 1;
    return workspace_has_frame(w->plan) ? lg_frame_constant(w) : 0;
}

int lg_workspace_load(lg_workspace *w)
{
    const lg_plan *P = w->plan;
    int n = P->n;
    lg_arena a = {(char *)w->dense, 0};
    double *M = lg_borrow_doubles(&a, sz(n * n)), *J = lg_borrow_doubles(&a, sz(n * n)); /* as lg_dense */
    if (w->constants.projector_inverse &&
        lg_spd_inverse(w->constants.projector_inverse, P->S->projector_metric, n, M) != LG_OK)
        return lg_workspace_fail(w, LG_ERROR_SINGULAR, "projector_metric", 0, 0, 0);
    if (P->m && P->constant_rows)
        memcpy(w->constants.rows, P->S->covector_matrix, sz(P->m * n) * sizeof *w->constants.rows);
    lg_collocation_reload(w);
    if (!P->constant_metric) return 0;
    (void)lg_field_metric(w->field, 0, NULL, J);
    for (int i = 0; P->diagonal && i < n; i++)
        w->constants.metric[i] = J[i * n + i], w->constants.metric_inverse[i] = 1 / w->constants.metric[i];
    if (!P->diagonal) {
        memcpy(w->constants.metric, J, sz(n * n) * sizeof *J);
        if (lg_spd_inverse(w->constants.metric_inverse, J, n, M) != LG_OK)
            return lg_workspace_fail(w, LG_ERROR_SINGULAR, "inertia", 0, 0, 0);
    }
    workspace_load_blocks(w, J, M);
    return P->m && P->constant_rows ? workspace_load_rows(w, J) : 0;
}
#endif
