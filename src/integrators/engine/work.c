/* SPDX-License-Identifier: BSD-3-Clause */
/* A work: its memory, carved in one place, and its constants. */
#include <stdint.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/engine/engine.h"
#include "integrators/engine/lanes.h"
#include "mechanics/gram.h"

/* Structures that hold reals, and reals, aligned as these are. */
static void *place(lg_arena *a, size_t bytes)
{
    a->used = (a->used + sizeof(real) - 1) / sizeof(real) * sizeof(real);
    return lg_take(a, bytes);
}

static real *take(lg_arena *a, size_t count)
{
    return place(a, count * sizeof(real));
}

/* Numbers of the system: at width 1 they stand in the integrator's copy of it. */
static real *adopt(lg_arena *a, const double *numbers, size_t count)
{
    if (!numbers) return NULL;
    return LANES > 1 ? take(a, count) : (real *)(uintptr_t)numbers;
}

/* Entries of a metric: the matrix or its diagonal. */
static size_t metric_entries(const lg_plan *P)
{
    return sz(P->n) * (P->diagonal ? 1 : sz(P->n));
}

static int has_frame(const lg_plan *P)
{
    return P->m && (P->method.rule->needs & LG_NEEDS_FRAME);
}

static void carve_frame(real **N, real **NJ, real **L, lg_arena *a, const lg_plan *P)
{
    size_t n = sz(P->n), m = sz(P->m);
    *N = take(a, m * n), *NJ = take(a, m * n), *L = take(a, m * m);
}

static lg_node *carve_node(const lg_workspace *w, lg_arena *a, const lg_plan *P)
{
    size_t n = sz(P->n), m = sz(P->m);
    lg_node local, *home = place(a, sizeof *home), *b = home ? home : &local;
    memset(b, 0, sizeof *b);
    b->g = take(a, sz(P->element_size));
    b->J = w->J, b->Jinv = w->Jinv, b->A = w->A;
    if (!P->constant_metric) b->J = take(a, n * n), b->Jinv = take(a, n * n);
    if (!P->constant_rows) b->A = take(a, m * n);
    b->Y = P->drift ? take(a, n) : NULL;
    b->b = P->sides ? take(a, m) : NULL;
    if (has_frame(P)) {
        b->N = w->N, b->NJ = w->NJ, b->L = w->L;
        if (!P->constant_rows || !P->constant_metric) carve_frame(&b->N, &b->NJ, &b->L, a, P);
        b->beta = P->affine ? take(a, m) : NULL;
    }
    b->dV = P->potential ? take(a, n) : NULL;
    b->p_plus = take(a, n), b->p_minus = take(a, n), b->p_tilde = take(a, n), b->xi = take(a, n);
    b->lambda = take(a, m);
    return home;
}

/* The open form's vectors: none where every step is closed. */
static lg_implicit *carve_implicit(lg_arena *a, const lg_plan *P)
{
    if (P->fused) return NULL;
    lg_implicit local, *home = place(a, sizeof *home), *o = home ? home : &local;
    memset(o, 0, sizeof *o);
    int kicks = P->holonomic || (P->method.rule->needs & (LG_NEEDS_FRAME | LG_IS_DISCRETE)); /* unknown multipliers */
    size_t n = sz(P->n), m = kicks ? sz(P->m) : 0, holonomic = sz(P->holonomic), element_size = sz(P->element_size),
           k = m + 2 * holonomic;
    size_t gauss = sz(P->method.gauss);
    int arcs = (P->method.inner->needs & LG_NEEDS_GEODESICS) && P->geodesics;
    real **vector[] = {&o->x, &o->y,     &o->c,    &o->D,  &o->p_minus, &o->p_plus, &o->R,
                       &o->S, &o->trial, &o->step, &o->Hy, &o->sH,      &o->f,      &o->f1};
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) *vector[i] = take(a, n);
    o->W = take(a, element_size), o->k = take(a, sz(P->factor_count)), o->mid = take(a, element_size);
    o->H = take(a, n * n);
    o->Jm = P->constant_metric ? NULL : take(a, n * n);
    o->NT = take(a, m * n);
    o->O = take(a, m * m), o->Y = take(a, m * m), o->M = take(a, k * k), o->z = take(a, k), o->z1 = take(a, k);
    o->U = arcs ? take(a, gauss * element_size) : NULL;
    o->points = arcs ? take(a, gauss * element_size) : NULL;
    o->G = arcs ? take(a, gauss * n) : NULL;
    o->dv = take(a, P->constant_metric ? 0 : n), o->u = take(a, holonomic ? n : 0);
    o->Gb = take(a, holonomic * n), o->G1 = take(a, holonomic * n), o->Kh = take(a, holonomic * n),
    o->phi = take(a, holonomic);
    o->GJ0 = take(a, holonomic * n), o->GJ1 = take(a, holonomic * n);
    o->rows = take(a, kicks ? sz(P->nonholonomic) * n : 0);
    o->zn = take(a, sz(lg_implicit_size(P)));
    o->held = take(a, LANES > 1 ? sz(lg_implicit_size(P)) - n : 0);
    return home;
}

static lg_history *carve_memory(lg_arena *a, const lg_plan *P, int home)
{
    lg_history *stages = place(a, sz(P->stages) * sizeof *stages);
    for (int i = 0; i < P->stages; i++) {
        lg_history memory = {.H = take(a, sz(P->n * P->n)), .D = take(a, LG_HISTORY * sz(lg_implicit_size(P)))};
        if (home) stages[i] = memory;
    }
    return stages;
}

static void carve_blocks(lg_workspace *w, lg_arena *a, const lg_plan *P, int home)
{
    w->blocks = lg_take(a, sz(P->flow_count) * sizeof *w->blocks);
    w->arcs = lg_take(a, (P->fused ? 0 : sz(P->factor_count)) * sizeof *w->arcs);
    for (int k = 0; home && !P->fused && k < P->factor_count; k++)
        w->arcs[k] = lg_factor_choose(P->factors[k].group, P->factors[k].retraction);
    for (int k = 0; k < P->flow_count; k++) {
        const lg_factor_plan *f = &P->flows[k];
        size_t size = f->diagonal ? sz(f->n) : sz(f->n * f->n);
        const lg_flow flow = lg_factor_choose(f->group, f->retraction)->flow[f->diagonal];
        lg_block block = {flow, f,      f->offset, f->element_offset,
                          w->J, w->Jinv}; /* a part of the metric if in one piece */
        if (P->diagonal && home)
            block.J += f->offset, block.Jinv += f->offset;
        else if (!P->diagonal && P->flow_count > 1)
            block.J = take(a, size), block.Jinv = take(a, size);
        if (home) w->blocks[k] = block;
    }
}

#if LANES == 1
static void carve_scratch(lg_workspace *w, lg_arena *a, const lg_plan *P, lg_field *field)
{
    size_t step = P->method.inner->needs & LG_IS_DIRECT ? lg_direct_bytes(field) : lg_dense_bytes(P);
    size_t start = lg_start_bytes(P, field);
    w->dense = lg_take(a, step > start ? step : start);
    size_t operations = lg_field_work_bytes(field);
    size_t geodesics = P->geodesics ? lg_retraction_work_bytes(lg_retraction_exp(), P->S->group) : 0;
    w->scratch = lg_take(a, operations > geodesics ? operations : geodesics);
    field->work = w->scratch; /* a displacement never happens inside another operation */
}
#else
/* What callbacks need that see one lane at a time; lg_invert_metric() takes a matrix of it. */
static void carve_scratch(lg_workspace *w, lg_arena *a, const lg_plan *P, lg_field *field)
{
    w->lanes = lg_lanes_carve(a, P);
    w->dense = lg_take_doubles(a, P->constant_metric ? 0 : 3 * sz(P->n) * sz(P->n));
    w->scratch = lg_take(a, lg_field_work_bytes(field));
    field->work = w->scratch;
}
#endif

/* Every pointer of a work, in one place. */
static lg_workspace *carve(lg_arena *a, const lg_plan *P, lg_field *field)
{
    lg_workspace local, *home = place(a, sizeof *home), *w = home ? home : &local;
    size_t n = sz(P->n), m = sz(P->m);
    memset(w, 0, sizeof *w);
    w->plan = P;
    w->field = field;
    w->J = take(a, metric_entries(P)), w->Jinv = take(a, metric_entries(P));
    if (P->constant_rows && P->m) w->A = take(a, m * n);
    w->rows = adopt(a, P->S->covector_matrix, sz(P->nonholonomic) * n);
    if (P->constant_rows && P->constant_metric && has_frame(P)) carve_frame(&w->N, &w->NJ, &w->L, a, P);
    w->now = carve_node(w, a, P), w->next = carve_node(w, a, P);
    w->spare = P->stages > 1 ? carve_node(w, a, P) : NULL;
    if (P->method.rule->needs & LG_NEEDS_MIDDLE) {
        w->middle = carve_node(w, a, P);
        w->stage = take(a, m * n), w->C2 = take(a, m * m);
    }
    w->Pinv = P->S->projector_metric ? take(a, n * n) : NULL;
    w->projector = adopt(a, P->S->projector_metric, n * n);
    w->AW = take(a, m * n), w->C = take(a, m * m), w->rhs = take(a, m);
    w->KJ = P->constant_rows && P->drift ? take(a, m * n) : NULL;
    w->kick = take(a, n);
    w->hidden = take(a, m);
    carve_blocks(w, a, P, home != NULL);
    w->implicit = carve_implicit(a, P);
    if (!P->fused) w->history = carve_memory(a, P, home != NULL);
    if (LANES > 1 && !P->fused && P->stages > 1) w->undo = carve_memory(a, P, home != NULL);
    carve_scratch(w, a, P, field);
    return home;
}

size_t lg_workspace_bytes(const lg_plan *P, lg_field *field)
{
    lg_arena a = {NULL, 0};
    carve(&a, P, field);
    return a.used;
}

lg_workspace *lg_workspace_bind(void *memory, const lg_plan *P, lg_field *field)
{
    lg_arena a = {memory, 0};
    return carve(&a, P, field);
}

void lg_workspace_forget(lg_workspace *w)
{
    for (int i = 0; w->history && i < w->plan->stages; i++) w->history[i].h = splat(0);
}

/* ---- what differs between instances ---- */

static void add(lg_span *s, int *k, const real *at, size_t count)
{
    if (at && count) s[(*k)++] = (lg_span){(double *)(uintptr_t)at, (int)count};
}

int lg_workspace_constants(const lg_workspace *w, lg_span *s)
{
    const lg_plan *P = w->plan;
    const size_t n = sz(P->n), m = sz(P->m);
    int k = 0;
    add(s, &k, w->J, P->constant_metric ? metric_entries(P) : 0);
    add(s, &k, w->Jinv, P->constant_metric ? metric_entries(P) : 0);
    add(s, &k, w->A, m * n), add(s, &k, w->rows, sz(P->nonholonomic) * n);
    add(s, &k, w->N, m * n), add(s, &k, w->NJ, m * n), add(s, &k, w->L, m * m);
    if (P->constant_rows && P->constant_metric) add(s, &k, w->AW, m * n), add(s, &k, w->KJ, m * n);
    add(s, &k, w->Pinv, n * n), add(s, &k, w->projector, n * n);
    return k;
}

int lg_workspace_block(const lg_workspace *w, int block, lg_span *s)
{
    const lg_block *b = &w->blocks[block];
    const size_t size = sz(b->factor->n) * (b->factor->diagonal ? 1 : sz(b->factor->n));
    int k = 0;
    if (w->plan->diagonal || b->J == w->J) return 0;
    add(s, &k, b->J, size), add(s, &k, b->Jinv, size);
    return k;
}

int lg_workspace_node(const lg_workspace *w, int which, lg_span *s)
{
    const lg_plan *P = w->plan;
    const lg_node *b = which ? w->next : w->now;
    const size_t n = sz(P->n), m = sz(P->m);
    int k = 0;
    add(s, &k, &b->t, 1), add(s, &k, b->g, sz(P->element_size));
    if (b->J != w->J) add(s, &k, b->J, n * n), add(s, &k, b->Jinv, n * n);
    if (b->A != w->A) add(s, &k, b->A, m * n);
    add(s, &k, b->Y, n), add(s, &k, b->b, m);
    if (b->N != w->N) add(s, &k, b->N, m * n), add(s, &k, b->NJ, m * n), add(s, &k, b->L, m * m);
    add(s, &k, b->beta, m), add(s, &k, b->dV, n), add(s, &k, &b->V, 1);
    add(s, &k, b->p_plus, n), add(s, &k, b->p_minus, n), add(s, &k, b->p_tilde, n), add(s, &k, b->xi, n);
    add(s, &k, b->lambda, m), add(s, &k, &b->work, 1), add(s, &k, &b->iterations, 1);
    if (!which) add(s, &k, &w->length, 1);
    return k;
}

/* Of a step that is solved, does an snapshot have room for what is only reported, velocity, multipliers, work and
 * iterations? Eight times g and p is the goal; what other rules go on from is not looked into. */
static int has_report(const lg_plan *P)
{
    const size_t state = sz(P->element_size + P->n), memory = sz(P->stages) * lg_history_size(P);
    if (P->fused) return 0;
    return P->method.rule != &lg_rule_shared || state + memory + sz(P->n + P->m) + 2 <= 8 * state;
}

size_t lg_history_size(const lg_plan *P)
{
    return 3 + sz(P->n * P->n) + LG_HISTORY * sz(lg_implicit_size(P));
}

size_t lg_state_size(const lg_plan *P)
{
    const size_t momenta = P->method.rule == &lg_rule_shared ? 1 : 3;
    return sz(P->element_size) + momenta * sz(P->n) + (has_report(P) ? sz(P->n + P->m) + 2 : 0);
}

int lg_workspace_state(const lg_workspace *w, lg_span *s)
{
    const lg_plan *P = w->plan;
    const lg_node *b = w->now;
    const size_t n = sz(P->n);
    int k = 0;
    add(s, &k, b->g, sz(P->element_size)), add(s, &k, b->p_tilde, n);
    if (P->method.rule != &lg_rule_shared) add(s, &k, b->p_plus, n), add(s, &k, b->p_minus, n);
    if (!has_report(P)) return k;
    add(s, &k, b->xi, n), add(s, &k, b->lambda, sz(P->m)), add(s, &k, &b->work, 1), add(s, &k, &b->iterations, 1);
    return k;
}

int lg_workspace_history(const lg_workspace *w, int stage, lg_span *s)
{
    const lg_plan *P = w->plan;
    const lg_history *memory = w->history ? &w->history[stage] : NULL;
    int k = 0;
    if (!memory) return 0;
    add(s, &k, &memory->h, 1), add(s, &k, &memory->known, 1), add(s, &k, &memory->order, 1);
    add(s, &k, memory->H, sz(P->n * P->n)), add(s, &k, memory->D, LG_HISTORY * sz(lg_implicit_size(P)));
    return k;
}

/* ---- constants: they are worked out at width 1 ---- */

#if LANES == 1

static void load_blocks(lg_workspace *w, const double *J)
{
    int n = w->plan->n;
    for (int k = 0; k < w->plan->flow_count && w->blocks[k].J != w->J && !w->plan->diagonal; k++) {
        const lg_block *b = &w->blocks[k];
        int at = b->factor->offset, nf = b->factor->n;
        for (int i = 0; i < nf; i++) {
            if (b->factor->diagonal)
                b->J[i] = J[(at + i) * n + at + i], b->Jinv[i] = 1 / b->J[i];
            else
                for (int j = 0; j < nf; j++) b->J[i * nf + j] = J[(at + i) * n + at + j];
        }
        if (!b->factor->diagonal) (void)lg_spd_inverse(b->Jinv, b->J, nf, w->dense);
    }
}

/* K = C^-1 A J'^-1 in AW, K J in KJ: the constant reflection p -> p - 2 A^T (K p - K J Y). */
static int load_rows(lg_workspace *w, const double *J)
{
    const lg_plan *P = w->plan;
    int n = P->n, m = P->m;
    gram_rows(w->AW, w->A, w->Pinv ? w->Pinv : w->Jinv, P->projector_diagonal, m, n);
    int bad = gram_factor(w->C, w->AW, w->A, m, n);
    if (bad) return lg_workspace_fail(w, LG_ERROR_SINGULAR, "covector_matrix", bad, 0, 0);
    for (int j = 0; j < n; j++) {
        for (int a = 0; a < m; a++) w->rhs[a] = w->AW[a * n + j];
        gram_solve(w->C, w->rhs, m);
        for (int a = 0; a < m; a++) w->AW[a * n + j] = w->rhs[a];
    }
    if (w->KJ) lg_matmul(w->KJ, w->AW, J, m, n, n);
    if (!has_frame(P)) return 0;
    w->loading = 1;
    bad = lg_frame(w, w->now);
    w->loading = 0;
    return bad;
}

int lg_workspace_load(lg_workspace *w)
{
    const lg_plan *P = w->plan;
    int n = P->n;
    double *J = w->dense + lg_round_up(sz(n * n) * sizeof *J) / sizeof *J; /* the second matrix of lg_dense */
    if (w->Pinv && lg_spd_inverse(w->Pinv, P->S->projector_metric, n, w->dense) != LG_OK)
        return lg_workspace_fail(w, LG_ERROR_SINGULAR, "projector_metric", 0, 0, 0);
    if (P->m && P->constant_rows) memcpy(w->A, P->S->covector_matrix, sz(P->m * n) * sizeof *w->A);
    if (!P->constant_metric) return 0;
    (void)lg_field_metric(w->field, 0, NULL, J);
    for (int i = 0; P->diagonal && i < n; i++) w->J[i] = J[i * n + i], w->Jinv[i] = 1 / w->J[i];
    if (!P->diagonal) {
        memcpy(w->J, J, sz(n * n) * sizeof *J);
        if (lg_spd_inverse(w->Jinv, J, n, w->dense) != LG_OK)
            return lg_workspace_fail(w, LG_ERROR_SINGULAR, "inertia", 0, 0, 0);
    }
    load_blocks(w, J);
    return P->m && P->constant_rows ? load_rows(w, J) : 0;
}
#endif
