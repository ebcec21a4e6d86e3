/* SPDX-License-Identifier: BSD-3-Clause */
/* Running an ensemble of motions: blocks of as many instances as go at a time, and what happens when a step fails. */
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "multibody/ensemble.h"

enum { MB_LANES_MOST = 8 };

static void do_unit(lg_motion_ensemble *E, int64_t u, int thread, mb_task task, void *context)
{
    const int64_t first = u * E->width, last = first + E->width;
    task(E, &E->workers[thread], first, last < E->count ? last : E->count, context);
}

void mb_each(lg_motion_ensemble *E, mb_task task, void *context)
{
    int64_t u = 0;
    E->busy = 1;
#ifdef _OPENMP
    if (E->threads > 1) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(E->threads)
        for (u = 0; u < E->units; u++) do_unit(E, u, omp_get_thread_num(), task, context);
        u = E->units;
    }
#endif
    for (; u < E->units; u++) do_unit(E, u, 0, task, context);
    E->busy = 0;
}

typedef struct run {
    int64_t steps, every;
    lg_motion_ensemble_observer observer;
    void *context;
} run;

/* 1: the observer wants no more of the scalar's instance. */
static int observe(lg_motion_ensemble *E, const run *r, int64_t i, const mb_sparse *mo)
{
    lg_error e;
    if (!r->observer(i, &mo->head, r->context)) return 0;
    (void)lg_fail(&e, LG_ERROR_INTERRUPTED, "lg_motion_ensemble_run: the observer asked to stop at step %lld",
                  (long long)mo->count);
    mb_retire(E, i, e.status, e.message);
    return 1;
}

/* ---- one by one ---- */

static void run_one(lg_motion_ensemble *E, mb_sparse *mo, int64_t i, const run *r)
{
    double *state = E->state + (size_t)i * E->size;
    mb_unpack(mo, state, E->t0[i], E->steps[i]);
    for (int64_t k = 0; k < r->steps; k++) {
        const lg_status st = mb_sparse_step(mo, 1);
        if (st != LG_OK) {
            mb_retire(E, i, st, mo->head.error.message);
            break;
        }
        if (r->observer != NULL && (k + 1) % r->every == 0 && observe(E, r, i, mo)) break;
    }
    mb_pack(mo, state);
    E->steps[i] = mo->count;
}

/* ---- several at a time ---- */

/* Instances side by side. A lane that is not live holds a copy of one that is, which costs nothing but its place. */
typedef struct block {
    lg_motion_ensemble *E;
    mb_wide *wide;
    mb_sparse *scalar;
    int live[MB_LANES_MOST];
    int64_t first;
} block;

static int healthy(const block *b)
{
    for (int l = 0; l < b->E->width; l++)
        if (b->live[l]) return l;
    return -1;
}

static void load(const block *b, int l, const double *from)
{
    mb_span span[MB_SPANS_MOST];
    int state;
    (void)b->E->table->spans(b->wide, span, &state);
    for (int i = 0; i < state; i++)
        for (int k = 0; k < span[i].count; k++) span[i].at[k * b->E->width + l] = *from++;
}

static void store(const block *b, int l, double *to)
{
    mb_span span[MB_SPANS_MOST];
    int state;
    (void)b->E->table->spans(b->wide, span, &state);
    for (int i = 0; i < state; i++)
        for (int k = 0; k < span[i].count; k++) *to++ = span[i].at[k * b->E->width + l];
}

/* The scalar becomes lane l, in all that can be read. */
static void get(const block *b, int l)
{
    const int64_t i = b->first + l;
    mb_sparse *mo = b->scalar;
    mb_span from[MB_SPANS_MOST], to[MB_SPANS_MOST];
    int state;
    const int count = b->E->table->spans(b->wide, from, &state);
    (void)mb_motion_spans(mo, to, &state);
    for (int s = 0; s < count; s++)
        for (int k = 0; k < to[s].count; k++) to[s].at[k] = from[s].at[k * b->E->width + l];
    (void)mb_choice_follow(&mo->choice);
    if (mo->plan.block != mo->mechanism->plan.block) /* lanes were placed with the rows as compiled */
        mb_node_rows(&mo->plan, &mo->numbers.node[mo->numbers.now], 0);
    mo->t0 = b->E->t0[i], mo->count = b->E->steps[i], mo->t = mo->t0 + (double)mo->count * mo->h;
    mo->started = mo->stepped = 1;
}

/* Lane l becomes the scalar. */
static void put(const block *b, int l)
{
    mb_span from[MB_SPANS_MOST], to[MB_SPANS_MOST];
    int state;
    const int count = b->E->table->spans(b->wide, to, &state);
    (void)mb_motion_spans(b->scalar, from, &state);
    for (int s = 0; s < count; s++)
        for (int k = 0; k < from[s].count; k++) to[s].at[k * b->E->width + l] = from[s].at[k];
}

/* Lane `to` becomes lane `from`. */
static void copy(const block *b, int to, int from)
{
    const int width = b->E->width;
    mb_span span[MB_SPANS_MOST];
    int state;
    const int count = b->E->table->spans(b->wide, span, &state);
    for (int s = 0; s < count; s++)
        for (int k = 0; k < span[s].count; k++) span[s].at[k * width + to] = span[s].at[k * width + from];
}

/* The step lane by lane, as each instance would make it alone. */
static void step_apart(block *b)
{
    for (int l = 0; l < b->E->width; l++) {
        if (!b->live[l]) continue;
        get(b, l);
        const lg_status st = mb_sparse_step(b->scalar, 1);
        put(b, l);
        if (st == LG_OK) continue;
        mb_retire(b->E, b->first + l, st, b->scalar->head.error.message);
        mb_pack(b->scalar, b->E->state + (size_t)(b->first + l) * b->E->size);
        b->live[l] = 0;
    }
    const int from = healthy(b);
    for (int l = 0; l < b->E->width && from >= 0; l++)
        if (!b->live[l]) copy(b, l, from);
}

static void show(block *b, const run *r)
{
    for (int l = 0; l < b->E->width; l++) {
        if (!b->live[l]) continue;
        get(b, l);
        if (!observe(b->E, r, b->first + l, b->scalar)) continue;
        mb_pack(b->scalar, b->E->state + (size_t)(b->first + l) * b->E->size);
        b->live[l] = 0;
    }
}

static void run_block(block *b, const run *r)
{
    lg_motion_ensemble *E = b->E;
    const int model = healthy(b);
    for (int l = 0; l < E->width; l++) load(b, l, E->state + (size_t)(b->first + (b->live[l] ? l : model)) * E->size);
    E->table->place(b->wide);
    for (int64_t k = 0; k < r->steps && healthy(b) >= 0; k++) {
        if (E->table->step(b->wide)) step_apart(b);
        for (int l = 0; l < E->width; l++)
            if (b->live[l]) E->steps[b->first + l]++;
        if (r->observer != NULL && (k + 1) % r->every == 0) show(b, r);
    }
    for (int l = 0; l < E->width; l++)
        if (b->live[l]) store(b, l, E->state + (size_t)(b->first + l) * E->size);
}

static void run_unit(lg_motion_ensemble *E, mb_worker *worker, int64_t first, int64_t last, void *context)
{
    const run *r = context;
    block b = {.E = E, .wide = worker->wide, .scalar = worker->scalar, .first = first};
    int live = 0;
    for (int64_t i = first; i < last; i++) live += b.live[i - first] = E->status[i] == LG_OK;
    if (live > 1) {
        run_block(&b, r);
        return;
    }
    for (int64_t i = first; i < last; i++)
        if (b.live[i - first]) run_one(E, worker->scalar, i, r);
}

lg_status lg_motion_ensemble_run(lg_motion_ensemble *E, int64_t steps, int64_t every,
                                 lg_motion_ensemble_observer observer, void *context)
{
    run r = {steps, every, observer, context};
    if (E == NULL || E->reason == NULL || E->busy) return LG_ERROR_ARGUMENT;
    lg_error_clear(&E->error);
    if (steps < 0 || every < 1)
        return lg_fail(&E->error, LG_ERROR_ARGUMENT,
                       "lg_motion_ensemble_run: %lld steps, every %lld; expected at least 0 and 1", (long long)steps,
                       (long long)every);
    mb_each(E, run_unit, &r);
    return LG_OK;
}
