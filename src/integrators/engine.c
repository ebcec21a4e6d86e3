/* SPDX-License-Identifier: BSD-3-Clause */
/* A work: its memory, its constants, what it evaluates at a node; and the driver of a step. */
#include "integrators/engine.h"

#include <string.h>

#include "base/dense.h"
#include "mechanics/gram.h"

static real *take(lg_arena *a, size_t count)
{
    return lg_take(a, count * sizeof(real));
}

static void carve_node(lg_node *b, lg_arena *a, const lg_plan *P)
{
    size_t n = sz(P->n), m = sz(P->m);
    b->g = take(a, sz(P->gn));
    b->A = P->constant_rows ? NULL : take(a, m * n);
    b->Y = P->drift ? take(a, n) : NULL;
    b->dV = P->potential ? take(a, n) : NULL;
    b->pp = take(a, n), b->pm = take(a, n), b->pt = take(a, n), b->xi = take(a, n);
    b->lambda = take(a, m);
}

/* Every pointer of a work, in one place. */
static lg_work *carve(lg_arena *a, const lg_plan *P, lg_field *field)
{
    lg_work local, *home = lg_take(a, sizeof *home), *w = home ? home : &local;
    size_t n = sz(P->n), m = sz(P->m), nn = P->diagonal ? n : n * n;
    memset(w, 0, sizeof *w);
    w->plan = P;
    w->field = field;
    w->blocks = lg_take(a, sz(P->factor_count) * sizeof *w->blocks);
    carve_node(&w->node[0], a, P);
    carve_node(&w->node[1], a, P);
    if (P->constant_rows && P->m) w->node[0].A = w->node[1].A = take(a, m * n);
    w->J = take(a, nn), w->Jinv = take(a, nn);
    w->Pinv = P->S->projector_metric ? take(a, n * n) : w->Jinv;
    w->AW = take(a, m * n), w->C = take(a, m * m), w->rhs = take(a, m);
    w->KJ = P->constant_rows && P->drift ? take(a, m * n) : NULL;
    w->kick = take(a, n);
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        size_t size = f->diagonal ? sz(f->n) : sz(f->n * f->n);
        lg_block block = {lg_flow_choose(f),
                          f,
                          f->at,
                          f->gat,
                          w->J,
                          w->Jinv}; /* a part of the whole metric where it lies in one piece */
        if (P->diagonal && home)
            block.J += f->at, block.Jinv += f->at;
        else if (!P->diagonal && P->factor_count > 1)
            block.J = take(a, size), block.Jinv = take(a, size);
        if (home) w->blocks[k] = block;
    }
    w->inverse = P->fused ? NULL : lg_take_doubles(a, n * n);
    size_t step = lg_dense_bytes(P), start = lg_start_bytes(P);
    w->dense = lg_take(a, step > start ? step : start);
    w->scratch = lg_take(a, lg_field_work_bytes(field));
    field->work = w->scratch; /* a displacement never happens inside another operation */
    w->now = &w->node[0], w->next = &w->node[1];
    return home;
}

size_t lg_work_bytes(const lg_plan *P, lg_field *field)
{
    lg_arena a = {NULL, 0};
    carve(&a, P, field);
    return a.used;
}

lg_work *lg_work_bind(void *memory, const lg_plan *P, lg_field *field)
{
    lg_arena a = {memory, 0};
    return carve(&a, P, field);
}

/* Metric at a node into w->J, w->Jinv (dense); w->AW is not yet in use there. */
static int load_metric(lg_work *w, double t, const real *g)
{
    int n = w->plan->n, code = lg_field_metric(w->field, t, g, w->J);
    if (code) return lg_work_fail_callback(w, code);
    if (!lg_all_finite(w->J, n * n)) return lg_work_fail(w, LG_ERROR_NOT_FINITE, "metric", 0, 0, 0);
    if (lg_spd_inverse(w->Jinv, w->J, n, w->dense) != LG_OK)
        return lg_work_fail(w, LG_ERROR_SINGULAR, "metric", 0, 0, 0);
    return 0;
}

static void load_blocks(lg_work *w, const double *J)
{
    int n = w->plan->n;
    for (int k = 0; k < w->plan->factor_count && w->blocks[k].J != w->J && !w->plan->diagonal; k++) {
        const lg_block *b = &w->blocks[k];
        int at = b->factor->at, nf = b->factor->n;
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
static int load_rows(lg_work *w, const double *J)
{
    const lg_plan *P = w->plan;
    int n = P->n, m = P->m;
    gram_rows(w->AW, w->now->A, w->Pinv, P->projector_diagonal, m, n);
    int bad = gram_factor(w->C, w->AW, w->now->A, m, n);
    if (bad) return lg_work_fail(w, LG_ERROR_SINGULAR, "covector_matrix", bad, 0, 0);
    for (int j = 0; j < n; j++) {
        for (int a = 0; a < m; a++) w->rhs[a] = w->AW[a * n + j];
        gram_solve(w->C, w->rhs, m);
        for (int a = 0; a < m; a++) w->AW[a * n + j] = w->rhs[a];
    }
    if (w->KJ) lg_matmul(w->KJ, w->AW, J, m, n, n);
    return 0;
}

int lg_work_load(lg_work *w)
{
    const lg_plan *P = w->plan;
    int n = P->n;
    double *J = w->dense + lg_round_up(sz(n * n) * sizeof *J) / sizeof *J; /* lg_dense's M and D */
    if (P->S->projector_metric && lg_spd_inverse(w->Pinv, P->S->projector_metric, n, w->dense) != LG_OK)
        return lg_work_fail(w, LG_ERROR_SINGULAR, "projector_metric", 0, 0, 0);
    if (P->m && P->constant_rows) memcpy(w->now->A, P->S->covector_matrix, sz(P->m * n) * sizeof *w->now->A);
    if (!P->constant_metric) return 0;
    (void)lg_field_metric(w->field, 0, NULL, J);
    for (int i = 0; P->diagonal && i < n; i++) w->J[i] = J[i * n + i], w->Jinv[i] = 1 / w->J[i];
    if (!P->diagonal) {
        memcpy(w->J, J, sz(n * n) * sizeof *J);
        if (lg_spd_inverse(w->Jinv, J, n, w->dense) != LG_OK)
            return lg_work_fail(w, LG_ERROR_SINGULAR, "inertia", 0, 0, 0);
    }
    load_blocks(w, J);
    return P->m && P->constant_rows ? load_rows(w, J) : 0;
}

/* Scalar stores, volatile so that the compiler does not make them a memset(): with wide stores in front of the
 * callback's scalar ones a step takes 8 ns more (bench_steps), presumably because the loads that follow cannot be
 * forwarded. */
static void clear(real *v, int count)
{
    for (int i = 0; i < count; i++) ((volatile real *)v)[i] = splat(0);
}

int lg_work_evaluate_rows(lg_work *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_system *S = P->S;
    lg_call c = {S->context, S->parameter_values, b->t, LANES};
    int code = 0;
    if (!P->constant_metric && load_metric(w, b->t, b->g)) return 1;
    if (P->drift) clear(b->Y, P->n);
    if (S->covectors) {
        clear(b->A, P->m * P->n);
        code = S->covectors(&c, b->g, b->A, b->Y);
        w->field->failed = "covectors";
    } else if (S->drift) {
        code = S->drift(&c, b->g, b->Y);
        w->field->failed = "drift";
    }
    return code ? lg_work_fail_callback(w, code) : 0;
}

int lg_work_evaluate_gradient(lg_work *w, lg_node *b)
{
    int code = w->plan->potential && w->plan->fused ? lg_field_gradient(w->field, b->t, b->g, b->dV) : 0;
    return code ? lg_work_fail_callback(w, code) : 0;
}

int lg_work_evaluate(lg_work *w, lg_node *b)
{
    return lg_work_evaluate_rows(w, b) || lg_work_evaluate_gradient(w, b);
}

/* ---- the step ---- */

/* 0 where every number of the new state is finite: then so is their sum, and it less itself is 0. */
static int not_finite(lg_work *w, const lg_node *b)
{
    const int n = w->plan->n, gn = w->plan->gn;
    real s = b->g[0], r = b->pm[0];
    for (int i = 1; i < gn; i++) s = s + b->g[i];
    for (int i = 1; i < n; i++) r = r + b->pm[i];
    s = s + r;
    if (!any((s - s == 0.0) == 0)) return 0;
    return lg_work_fail(w, LG_ERROR_NOT_FINITE, "the new state", 0, b->iterations, 0);
}

int lg_work_step(lg_work *w, double h, double t1)
{
    const lg_method *M = w->plan->method;
    lg_node *a = w->now, *b = w->next;
    b->t = t1;
    if (M->inner->closed(w, h, a, M->rule->depart(w, h, a), b)) return 1;
    if (M->rule->arrive(w, h, a, b)) return 1;
    if (not_finite(w, b)) return 1;
    w->now = b, w->next = a;
    return 0;
}
