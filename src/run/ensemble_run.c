/* SPDX-License-Identifier: BSD-3-Clause */
/* Running an ensemble: units of instances, sorted by class into blocks of as many as go at a time, all steps of a block
 * in a wide workspace; and what happens when a step fails. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "run/ensemble_private.h"

#if defined(_OPENMP) && defined(__GNUC__) && !defined(__clang__)
#include <pthread.h>

/* A forked child inherits the record of GCC's idle OpenMP threads, but not the threads, and would wait for them for
 * ever. So the parent lets them go before a fork; both make new ones when they need some. Clang's OpenMP does so by
 * itself. */
static void before_fork(void)
{
    (void)omp_pause_resource_all(omp_pause_soft); /* refused within a parallel region, that is in a callback */
}

__attribute__((constructor)) static void watch_forks(void)
{
    (void)pthread_atfork(before_fork, NULL, NULL);
}
#endif

static void do_unit(lg_ensemble *E, int64_t u, int thread, lg_unit_task task, void *context)
{
    const int64_t first = u * E->span;
    task(E, E->workers[thread], first, u < E->units - 1 ? first + E->span : E->count, context);
}

void lg_ensemble_each(lg_ensemble *E, lg_unit_task task, void *context)
{
    const int64_t units = E->units;
    int64_t u = 0;
    E->busy = 1;
#ifdef _OPENMP
    if (E->threads > 1) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(E->threads)
        for (u = 0; u < units; u++) do_unit(E, u, omp_get_thread_num(), task, context);
        u = units;
    }
#endif
    for (; u < units; u++) do_unit(E, u, 0, task, context);
    E->busy = 0;
}

/* Steps from here to the next look. */
static int64_t next_look(const lg_ensemble *E, int64_t step)
{
    return E->period > 0 ? E->period - step % E->period : INT64_MAX;
}

/* The work for every instance. */
typedef struct run {
    int64_t steps, every;
    lg_ensemble_observer observer;
    void *context;
} run;

/* ---- one by one ---- */

/* 1: the observer wants no more of this instance. */
static int observe(const run *r, int64_t i, const lg_motion *mo, lg_error *e)
{
    if (!r->observer(i, mo, r->context)) return 0;
    (void)lg_fail(e, LG_ERROR_INTERRUPTED, "lg_ensemble_run: the observer asked to stop at step %lld",
                  (long long)mo->engine->step_index(mo));
    return 1;
}

static void run_one(lg_ensemble *E, lg_worker *worker, int64_t i, const run *r)
{
    lg_error e = {LG_OK, ""};
    int64_t until = r->every, look = next_look(E, E->steps[i]);
    lg_motion *mo = lg_worker_load(worker, E, i, &e);
    for (int64_t k = 0; mo != NULL && k < r->steps; k++) {
        if (E->engine->step(mo, &e)) break;
        if (--look == 0) {
            look = E->period;
            lg_extremes_add(&E->figures[i], mo->engine->energy(mo), lg_ensemble_residual(mo));
        }
        if (r->observer == NULL || --until > 0) continue;
        until = r->every;
        if (observe(r, i, mo, &e)) break;
    }
    if (mo != NULL) lg_worker_store(E, i, mo);
    if (e.status != LG_OK) lg_ensemble_mark(E, i, e.status, e.message);
}

/* ---- several at a time ---- */

static int healthy(const lg_ensemble_block *b)
{
    for (int l = 0; l < b->E->width; l++)
        if (b->live[l]) return l;
    return -1;
}

/* Lanes without an instance follow the first that has one. */
static void pad(lg_ensemble_block *b)
{
    const int from = healthy(b);
    for (int l = 0; from >= 0 && l < b->E->width; l++) {
        if (b->live[l]) continue;
        b->E->engine->copy(b, l, from);
        b->t0[l] = b->t0[from], b->step[l] = b->step[from];
    }
}

static void store_figures(lg_ensemble_block *b, int l)
{
    if (b->E->figures != NULL) b->E->figures[b->instance[l]] = b->figures[l];
}

/* Lane l's instance, whose state the motion holds, leaves. */
static void retire_lane(lg_ensemble_block *b, int l, const lg_error *e)
{
    store_figures(b, l);
    lg_worker_store(b->E, b->instance[l], b->motion);
    lg_ensemble_mark(b->E, b->instance[l], e->status, e->message);
    b->live[l] = 0;
}

/* The step that all lanes together could not do. */
static void step_one_by_one(lg_ensemble_block *b)
{
    const lg_ensemble_engine *engine = b->E->engine;
    lg_error e = {LG_OK, ""};
    for (int l = 0; l < b->E->width; l++) {
        if (!b->live[l]) continue;
        engine->get(b, l);
        if (engine->step(b->motion, &e)) {
            retire_lane(b, l, &e);
            continue;
        }
        engine->put(b, l);
        b->step[l] += 1;
    }
    pad(b);
}

static void step_together(lg_ensemble_block *b)
{
    if (b->E->engine->step_lanes(b)) {
        step_one_by_one(b);
        return;
    }
    for (int l = 0; l < b->E->width; l++) b->step[l] += 1;
}

/* How far it is to the next look at any lane, since the last one. */
static int64_t nearest(const lg_ensemble_block *b)
{
    int64_t least = INT64_MAX;
    for (int l = 0; l < b->E->width; l++)
        if (b->live[l] && b->due[l] < least) least = b->due[l];
    return least;
}

/* After a step: the monitor looks at the lanes whose turn it is. `passed` is how many steps that took. */
static void look_at_block(lg_ensemble_block *b, int64_t passed)
{
    double energy[LG_WIDTH_MOST], constraint[LG_WIDTH_MOST];
    const lg_ensemble_engine *engine = b->E->engine;
    const int apart = engine->figures == NULL || engine->figures(b, energy, constraint);
    for (int l = 0; l < b->E->width; l++) {
        b->due[l] -= passed;
        if (!b->live[l] || b->due[l] > 0) continue;
        b->due[l] = b->E->period;
        if (apart) {
            engine->get(b, l);
            energy[l] = b->motion->engine->energy(b->motion), constraint[l] = lg_ensemble_residual(b->motion);
        }
        lg_extremes_add(&b->figures[l], energy[l], constraint[l]);
    }
}

static void observe_block(lg_ensemble_block *b, const run *r)
{
    lg_error e = {LG_OK, ""};
    for (int l = 0; l < b->E->width; l++) {
        if (!b->live[l]) continue;
        b->E->engine->get(b, l);
        store_figures(b, l);
        if (observe(r, b->instance[l], b->motion, &e)) retire_lane(b, l, &e); /* the lane continues without observer */
    }
}

/* The instances into lanes; what cannot be loaded is retired. */
static void load_block(lg_ensemble_block *b, const int64_t *who, int count)
{
    lg_ensemble *E = b->E;
    for (int l = 0; l < E->width; l++) {
        lg_error e = {LG_OK, ""};
        b->live[l] = 0;
        if (l >= count) continue;
        if (E->engine->load(b, l, who[l], &e) != LG_OK) {
            lg_ensemble_mark(E, who[l], e.status, e.message);
            continue;
        }
        b->live[l] = 1;
        b->instance[l] = who[l];
        b->t0[l] = E->t0[who[l]], b->step[l] = (double)E->steps[who[l]];
        b->due[l] = next_look(E, E->steps[who[l]]);
        if (E->figures != NULL) b->figures[l] = E->figures[who[l]];
    }
    pad(b);
    if (E->engine->place != NULL) E->engine->place(b);
}

static void run_block(lg_ensemble *E, lg_worker *worker, int which, const int64_t *who, int count, const run *r)
{
    lg_ensemble_block b = {.E = E, .wide = worker->wide[which], .motion = worker->motion[which]};
    int64_t until = r->every, look, passed = 0;
    load_block(&b, who, count);
    look = nearest(&b);
    for (int64_t k = 0; k < r->steps && healthy(&b) >= 0; k++) {
        step_together(&b);
        if (++passed == look) {
            look_at_block(&b, passed);
            look = nearest(&b);
            passed = 0;
        }
        if (r->observer == NULL || --until > 0) continue;
        until = r->every;
        observe_block(&b, r);
    }
    for (int l = 0; l < E->width; l++) {
        if (!b.live[l]) continue;
        store_figures(&b, l);
        E->steps[b.instance[l]] = (int64_t)b.step[l];
        E->engine->save(&b, l, lg_ensemble_record(E, b.instance[l]));
    }
}

/* ---- units ---- */

static void run_unit(lg_ensemble *E, lg_worker *worker, int64_t first, int64_t last, void *context)
{
    const run *r = context;
    int64_t who[LG_WIDTH_MOST];
    for (int which = 0; which < worker->classes; which++) {
        const int width = worker->wide[which] != NULL ? E->width : 1;
        int count = 0;
        for (int64_t i = first; i < last; i++) {
            if (E->status[i] != LG_OK || E->class_of[i] != which) continue;
            who[count++] = i;
            if (count < width) continue;
            if (width > 1)
                run_block(E, worker, which, who, count, r);
            else
                run_one(E, worker, i, r);
            count = 0;
        }
        if (count > 1)
            run_block(E, worker, which, who, count, r);
        else if (count == 1)
            run_one(E, worker, who[0], r);
    }
}

lg_status lg_ensemble_run(lg_ensemble *E, int64_t steps, int64_t every, lg_ensemble_observer observer, void *context)
{
    run r = {steps, every, observer, context};
    const lg_status status = lg_ensemble_ready(E);
    if (status != LG_OK) return status;
    if (steps < 0 || every < 1)
        return lg_fail(&E->error, LG_ERROR_ARGUMENT, "lg_ensemble_run: %lld steps, every %lld; expected >= 0 and >= 1",
                       (long long)steps, (long long)every);
    if (steps > 0) lg_ensemble_each(E, run_unit, &r);
    return LG_OK;
}

/* ---- controls ---- */

typedef struct steering {
    int64_t first, last;
    const double *u; /* of the first */
} steering;

/* Has instance i a state that changes with the controls? That of a retired one does, too. */
static int feels_control(const lg_ensemble *E, const lg_worker *worker, int64_t i)
{
    return E->class_of[i] != LG_NO_CLASS && E->engine->feels_control != NULL &&
           E->engine->feels_control(worker->motion[E->class_of[i]]);
}

static void steer(lg_ensemble *E, lg_worker *worker, int64_t i, const double *u)
{
    lg_error e = {LG_OK, ""};
    lg_motion *mo = feels_control(E, worker, i) ? lg_worker_load(worker, E, i, &e) : NULL;
    lg_status status = e.status;
    if (mo != NULL && (status = lg_motion_set_control(mo, u)) != LG_OK)
        (void)lg_fail(&e, status, "%s", lg_motion_message(mo));
    if (status == LG_OK) memcpy(lg_ensemble_control(E, i), u, E->nc * sizeof *u);
    if (status == LG_OK && mo != NULL) lg_worker_store(E, i, mo);
    if (status != LG_OK && E->status[i] == LG_OK) lg_ensemble_mark(E, i, status, e.message);
}

static void steer_unit(lg_ensemble *E, lg_worker *worker, int64_t first, int64_t last, void *context)
{
    const steering *s = context;
    const int64_t from = first > s->first ? first : s->first, to = last < s->last ? last : s->last;
    for (int64_t i = from; i < to; i++) steer(E, worker, i, s->u + (size_t)(i - s->first) * E->nc);
}

lg_status lg_ensemble_set_controls(lg_ensemble *E, int64_t first, const double *u, int64_t count)
{
    static const char name[] = "lg_ensemble_set_controls";
    steering s = {first, first, u};
    const lg_status status = lg_ensemble_ready(E);
    if (status != LG_OK) return status;
    if (first < 0 || count < 0 || first > E->count || count > E->count - first)
        return lg_fail(&E->error, LG_ERROR_ARGUMENT, "%s: no instances %lld to %lld + %lld; there are %lld, from 0",
                       name, (long long)first, (long long)first, (long long)count, (long long)E->count);
    if (E->nc == 0 || u == NULL)
        return lg_fail(&E->error, LG_ERROR_ARGUMENT, "%s: %s", name,
                       u == NULL                     ? "the controls are NULL"
                       : E->model->mechanism != NULL ? "the mechanism has no motors"
                                                     : "the model has no controls; set lg_callbacks::control_count");
    for (size_t k = 0; k < (size_t)count * E->nc; k++)
        if (!isfinite(u[k]))
            return lg_fail(&E->error, LG_ERROR_NOT_FINITE, "%s: control %zu of instance %lld is not finite", name,
                           k % E->nc + 1, (long long)first + (long long)(k / E->nc));
    s.last = first + count;
    if (count <= E->span)
        steer_unit(E, E->workers[0], first, first + count, &s);
    else
        lg_ensemble_each(E, steer_unit, &s);
    return LG_OK;
}

/* ---- to be looked at ---- */

static void visit_unit(lg_ensemble *E, lg_worker *worker, int64_t first, int64_t last, void *context)
{
    const run *r = context;
    for (int64_t i = first; i < last; i++) {
        lg_error e = {LG_OK, ""};
        const lg_motion *mo = E->class_of[i] != LG_NO_CLASS ? lg_worker_load(worker, E, i, &e) : NULL;
        if (mo != NULL) (void)r->observer(i, mo, r->context);
    }
}

lg_status lg_ensemble_visit(lg_ensemble *E, lg_ensemble_observer observer, void *context)
{
    run r = {0, 1, observer, context};
    const lg_status status = lg_ensemble_ready(E);
    if (status != LG_OK) return status;
    if (observer == NULL) return lg_fail(&E->error, LG_ERROR_ARGUMENT, "lg_ensemble_visit: the observer is NULL");
    lg_ensemble_each(E, visit_unit, &r);
    return LG_OK;
}
