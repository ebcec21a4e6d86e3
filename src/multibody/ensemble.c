/* SPDX-License-Identifier: BSD-3-Clause */
/* An ensemble of motions: creation, states, getters. Stepping is ensemble_run.c. */
#include "multibody/ensemble.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/sized.h"
#include "base/width.h"
#include "multibody/checkpoint.h"

#include <liegrp/base/width.h>

enum { MB_THREADS_MOST = 4096 };

static const lg_sized kind =
    LG_SIZED_AS(lg_motion_ensemble_options, width, "start from lg_motion_ensemble_options_default()");

void lg_motion_ensemble_options_init(lg_motion_ensemble_options *options, size_t size)
{
    const lg_motion_ensemble_options own = {.size = sizeof own, .method = "sem", .step = 1e-3};
    lg_sized_give(&kind, options, size, &own);
}

/* ---- states ---- */

int mb_motion_spans(mb_sparse *mo, mb_span *span, int *state)
{
    const mb_totals totals = {&mo->work, mo->motor_work, &mo->scale, &mo->pivot, &mo->jumped};
    return mb_spans(&mo->numbers, mb_stages(mo), totals, span, state);
}

/* With a tolerance a motion is between two nodes of its own: behind its state stands where it is. The bytes. */
static size_t list_adaptive(mb_sparse *mo, void *at, int reads)
{
    lg_tape t = {.at = at, .reads = reads};
    if (mb_is_adaptive(mo)) mb_list_adaptive(&t, mo);
    return t.used;
}

void mb_unpack(mb_sparse *mo, const double *state, double t0, int64_t steps)
{
    mb_span span[MB_SPANS_MOST];
    int count;
    (void)mb_motion_spans(mo, span, &count);
    for (int i = 0; i < count; i++) {
        memcpy(span[i].at, state, sz(span[i].count) * sizeof *state);
        state += span[i].count;
    }
    mb_node *n = &mo->numbers.node[mo->numbers.now];
    (void)mb_choice_follow(&mo->choice);
    mb_node_place(&mo->plan, n, n->q);
    mb_node_rows(&mo->plan, n, 0);
    mo->t0 = t0, mo->count = steps, mo->t = t0 + (double)steps * mo->h;
    mo->started = 1, mo->stepped = 0, mo->numbers.sweeps = 0;
    if (mo->adaptive != NULL) mb_adaptive_forget(mo->adaptive);
    (void)list_adaptive(mo, (void *)(uintptr_t)state, 1);
}

void mb_pack(const mb_sparse *mo, double *state)
{
    mb_span span[MB_SPANS_MOST];
    mb_sparse copy = *mo; /* the list is of pointers that may be written to; they are only read */
    int count;
    (void)mb_motion_spans(&copy, span, &count);
    for (int i = 0; i < count; i++) {
        memcpy(state, span[i].at, sz(span[i].count) * sizeof *state);
        state += span[i].count;
    }
    (void)list_adaptive(&copy, state, 0);
}

/* ---- creation ---- */

static const mb_lanes_table *table_of(int width)
{
    LG_IF_WIDTH_8(if (width == 8) return &mb_lanes_8;)
    LG_IF_WIDTH_4(if (width == 4) return &mb_lanes_4;)
    return width == 2 ? &mb_lanes_2 : NULL;
}

static lg_status check_options(lg_motion_ensemble *E, int64_t count, const lg_motion_ensemble_options *o)
{
    lg_error *e = &E->error;
    if (count < 1)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_motion_ensemble_create: %lld instances; expected at least 1",
                       (long long)count);
    if (o->threads < 0 || o->threads > MB_THREADS_MOST)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_motion_ensemble_create: %d threads; expected 0 (as many as there are) to %d", o->threads,
                       MB_THREADS_MOST);
    if (o->halvings < 0 || o->halvings > 30)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_motion_ensemble_create: %lld halvings; expected 0 to 30",
                       (long long)o->halvings);
    E->width = lg_width_choose(o->width);
    if (E->width == 0)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_motion_ensemble_create: width %d; this machine has 1 to %d in powers of 2, and 0 takes the "
                       "best",
                       o->width, lg_width_best());
    if (mb_method_is_gauss(o->method)) E->width = 1; /* its lanes hold stages */
    E->tolerance = o->tolerance;
    E->table = table_of(E->width);
    return LG_OK;
}

static void divide_units(lg_motion_ensemble *E, int threads)
{
#ifdef _OPENMP
    if (threads == 0) threads = omp_get_max_threads();
    if (threads > omp_get_thread_limit()) threads = omp_get_thread_limit();
#else
    threads = 1;
#endif
    E->units = (E->count - 1) / E->width + 1;
    E->threads = E->units < threads ? (int)E->units : threads;
}

static lg_status out_of_memory(lg_motion_ensemble *E)
{
    return lg_fail(&E->error, LG_ERROR_MEMORY, "lg_motion_ensemble_create: out of memory for %lld instances",
                   (long long)E->count);
}

static lg_status make_worker(lg_motion_ensemble *E, mb_worker *w, const lg_motion_ensemble_options *o)
{
    lg_status st = mb_sparse_create(&w->scalar, E->mechanism, o->method, o->step);
    if (st == LG_OK) st = mb_sparse_set_halvings(w->scalar, (int)o->halvings);
    if (st == LG_OK && o->tolerance != 0) st = mb_sparse_set_tolerance(w->scalar, o->tolerance);
    if (st != LG_OK)
        return lg_fail(&E->error, st, "%s", w->scalar != NULL ? w->scalar->head.error.message : lg_status_text(st));
    if (E->width == 1) return LG_OK;
    const mb_sparse *mo = w->scalar;
    if (mb_stages(mo) > MB_STAGES_MOST)
        return lg_fail(&E->error, LG_ERROR_UNSUPPORTED, "lg_motion_ensemble_create: more than %d sub-steps",
                       (int)MB_STAGES_MOST);
    for (int s = 0; s < mb_stages(mo); s++) E->part[s] = mb_stage_step(mo, mo->h, s);
    void *memory = lg_reserve(E->table->bytes(&E->mechanism->plan, mb_stages(mo)));
    if (memory == NULL) return out_of_memory(E);
    w->wide = E->table->make(memory, &E->mechanism->plan, mb_stages(mo), E->part, mo->h, mo->numbers.rattle);
    return LG_OK;
}

static lg_status allocate(lg_motion_ensemble *E)
{
    const size_t count = (size_t)E->count;
    mb_span span[MB_SPANS_MOST];
    int state;
    (void)mb_motion_spans(E->workers[0].scalar, span, &state);
    for (int i = 0; i < state; i++) E->size += sz(span[i].count);
    E->size += (list_adaptive(E->workers[0].scalar, NULL, 0) + sizeof(double) - 1) / sizeof(double);
    if ((uint64_t)E->count > SIZE_MAX / 16 / (E->size + 8))
        return lg_fail(&E->error, LG_ERROR_ARGUMENT,
                       "lg_motion_ensemble_create: %lld instances of %zu bytes exceed the address space",
                       (long long)E->count, E->size * sizeof(double));
    E->state = malloc(count * E->size * sizeof *E->state);
    E->assembled = malloc(E->size * sizeof *E->assembled);
    E->t0 = calloc(count, sizeof *E->t0);
    E->steps = calloc(count, sizeof *E->steps);
    E->status = calloc(count, sizeof *E->status);
    E->started = calloc(count, sizeof *E->started);
    E->reason = calloc(count, sizeof *E->reason);
    if (E->state == NULL || E->assembled == NULL || E->t0 == NULL || E->steps == NULL || E->status == NULL ||
        E->started == NULL || E->reason == NULL)
        return out_of_memory(E);
    return LG_OK;
}

static lg_status assemble(lg_motion_ensemble *E)
{
    for (int k = 0; k < E->threads; k++) { /* every motion learns where the world is */
        mb_sparse *mo = E->workers[k].scalar;
        const lg_status st = mb_sparse_start(mo, 0, NULL, NULL, 1);
        if (st != LG_OK) return lg_fail(&E->error, st, "%s", mo->head.error.message);
    }
    mb_pack(E->workers[0].scalar, E->assembled);
    for (int64_t i = 0; i < E->count; i++) {
        memcpy(E->state + (size_t)i * E->size, E->assembled, E->size * sizeof *E->state);
        E->started[i] = 1;
    }
    return LG_OK;
}

static lg_status create(lg_motion_ensemble *E, const lg_mechanism *mechanism, int64_t count,
                        const lg_motion_ensemble_options *given)
{
    lg_motion_ensemble_options o;
    lg_motion_ensemble_options_init(&o, sizeof o);
    lg_status st = given != NULL ? lg_sized_take(&kind, &o, given, &E->error) : LG_OK;
    if (st == LG_OK) st = check_options(E, count, &o);
    if (st != LG_OK) return st;
    E->mechanism = mechanism, E->count = count, E->halvings = (int)o.halvings;
    divide_units(E, o.threads);
    E->workers = calloc(sz(E->threads), sizeof *E->workers);
    if (E->workers == NULL) return out_of_memory(E);
    for (int k = 0; k < E->threads && st == LG_OK; k++) st = make_worker(E, &E->workers[k], &o);
    if (st == LG_OK) st = allocate(E);
    return st == LG_OK ? assemble(E) : st;
}

lg_status lg_motion_ensemble_create(lg_motion_ensemble **E, const lg_mechanism *mechanism, int64_t count,
                                    const lg_motion_ensemble_options *options)
{
    if (E == NULL) return LG_ERROR_ARGUMENT;
    *E = calloc(1, sizeof **E);
    return *E != NULL ? create(*E, mechanism, count, options) : LG_ERROR_MEMORY;
}

void lg_motion_ensemble_destroy(lg_motion_ensemble *E)
{
    if (E == NULL) return;
    for (int k = 0; E->workers != NULL && k < E->threads; k++) {
        mb_sparse_destroy(E->workers[k].scalar);
        lg_release(E->workers[k].wide);
    }
    for (int64_t i = 0; E->reason != NULL && i < E->count; i++) free(E->reason[i]);
    free(E->workers), free(E->state), free(E->assembled), free(E->t0), free(E->steps), free(E->status);
    free(E->started), free(E->reason), free(E);
}

/* ---- instances ---- */

void mb_retire(lg_motion_ensemble *E, int64_t i, lg_status status, const char *reason)
{
    free(E->reason[i]);
    E->reason[i] = NULL;
    E->status[i] = status;
    if (status == LG_OK) return;
    const size_t room = strlen(reason) + 1;
    E->reason[i] = malloc(room);
    if (E->reason[i] != NULL) memcpy(E->reason[i], reason, room);
}

static void keep(lg_motion_ensemble *E, int64_t i, const mb_sparse *mo)
{
    mb_pack(mo, E->state + (size_t)i * E->size);
    E->t0[i] = mo->t0, E->steps[i] = mo->count, E->started[i] = 1;
    mb_retire(E, i, LG_OK, "");
}

/* LG_OK: the ensemble exists and is not at work. */
static lg_status ready(lg_motion_ensemble *E)
{
    if (E == NULL || E->reason == NULL || E->busy) return LG_ERROR_ARGUMENT;
    lg_error_clear(&E->error);
    return LG_OK;
}

static lg_status check_motion(const lg_motion_ensemble *E, const mb_sparse *mo, int64_t i, const char *name,
                              lg_error *e)
{
    const mb_sparse *own = E->workers[0].scalar;
    if (i < 0 || i >= E->count)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: there is no instance %lld; there are %lld", name, (long long)i,
                       (long long)E->count);
    if (mo == NULL || mo->numbers.plan == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the motion is %s", name, mo == NULL ? "NULL" : "not created");
    if (mo->mechanism != own->mechanism || mo->composition != own->composition || mo->h != own->h)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "%s: the motion is of another mechanism, method or step; create it with those of the ensemble",
                       name);
    if (mb_sparse_tolerance(mo) != E->tolerance)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the motion has the tolerance %g, the ensemble %g", name,
                       mb_sparse_tolerance(mo), E->tolerance);
    return LG_OK;
}

lg_status lg_motion_ensemble_set(lg_motion_ensemble *E, int64_t i, const lg_motion *motion)
{
    const mb_sparse *mo = mb_of(motion);
    const char *name = "lg_motion_ensemble_set";
    lg_status st = ready(E);
    if (st == LG_OK) st = check_motion(E, mo, i, name, &E->error);
    if (st != LG_OK) return st;
    if (!mo->started) return lg_fail(&E->error, LG_ERROR_ARGUMENT, "%s: the motion is not started", name);
    if (mo->wrench != NULL)
        return lg_fail(&E->error, LG_ERROR_UNSUPPORTED, "%s: the motion has a wrench function; ensembles have none",
                       name);
    keep(E, i, mo);
    return LG_OK;
}

typedef struct setting {
    lg_motion_ensemble_setter setter;
    void *context;
} setting;

static void set_unit(lg_motion_ensemble *E, mb_worker *worker, int64_t first, int64_t last, void *context)
{
    const setting *s = context;
    mb_sparse *mo = worker->scalar;
    for (int64_t i = first; i < last; i++) {
        mb_unpack(mo, E->assembled, 0, 0);
        lg_error_clear(&mo->head.error);
        lg_status st = s->setter(i, &mo->head, s->context);
        if ((int)st < 0 || st >= LG_STATUS_COUNT) st = LG_ERROR_CALLBACK;
        if (st == LG_OK && mo->wrench != NULL)
            st = lg_fail(&mo->head.error, LG_ERROR_UNSUPPORTED,
                         "lg_motion_ensemble_set_all: the setter gave a wrench function; ensembles have none");
        if (st == LG_OK && mb_sparse_tolerance(mo) != E->tolerance)
            st = lg_fail(&mo->head.error, LG_ERROR_ARGUMENT,
                         "lg_motion_ensemble_set_all: the setter changed the tolerance from %g to %g", E->tolerance,
                         mb_sparse_tolerance(mo));
        if (st == LG_OK && !mo->started)
            st =
                lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "lg_motion_ensemble_set_all: the setter left no started motion");
        if (st == LG_OK) {
            keep(E, i, mo);
        } else {
            E->started[i] = 0;
            mb_retire(E, i, st, mo->head.error.message);
        }
        if (mo->wrench != NULL && lg_motion_set_wrench(&mo->head, NULL, NULL) != LG_OK) return;
        mo->halvings = E->halvings;
        if (mo->adaptive != NULL && mb_sparse_tolerance(mo) != E->tolerance) mb_adaptive_set(mo->adaptive, E->tolerance);
    }
}

lg_status lg_motion_ensemble_set_all(lg_motion_ensemble *E, lg_motion_ensemble_setter setter, void *context)
{
    setting s = {setter, context};
    const lg_status st = ready(E);
    if (st != LG_OK) return st;
    if (setter == NULL) return lg_fail(&E->error, LG_ERROR_ARGUMENT, "lg_motion_ensemble_set_all: the setter is NULL");
    mb_each(E, set_unit, &s);
    return LG_OK;
}

/* Where the controls are in a state. */
static size_t control_at(const lg_motion_ensemble *E)
{
    mb_span span[MB_SPANS_MOST];
    const mb_sparse *mo = E->workers[0].scalar;
    size_t at = 0;
    int state;
    (void)mb_motion_spans(E->workers[0].scalar, span, &state);
    for (int i = 0; i < state && span[i].at != mo->numbers.control; i++) at += sz(span[i].count);
    return at;
}

lg_status lg_motion_ensemble_set_controls(lg_motion_ensemble *E, int64_t first, const double *u, int64_t count)
{
    const char *name = "lg_motion_ensemble_set_controls";
    const lg_status st = ready(E);
    if (st != LG_OK) return st;
    const size_t each = sz(E->mechanism->plan.controls);
    if (first < 0 || count < 0 || first > E->count - count)
        return lg_fail(&E->error, LG_ERROR_ARGUMENT, "%s: instances %lld to %lld; there are 0 to %lld", name,
                       (long long)first, (long long)(first + count - 1), (long long)E->count - 1);
    if (u == NULL || each == 0)
        return lg_fail(&E->error, LG_ERROR_ARGUMENT, "%s: %s", name,
                       u == NULL ? "the controls are NULL" : "the mechanism has no motors");
    for (size_t k = 0; k < (size_t)count * each; k++)
        if (!isfinite(u[k]))
            return lg_fail(&E->error, LG_ERROR_NOT_FINITE, "%s: motor '%.60s' of instance %lld gets %g", name,
                           lg_mechanism_motor_name(E->mechanism, (int)(k % each)),
                           (long long)first + (int64_t)(k / each), u[k]);
    const size_t at = control_at(E);
    for (int64_t i = 0; i < count; i++)
        memcpy(E->state + (size_t)(first + i) * E->size + at, u + (size_t)i * each, each * sizeof *u);
    return LG_OK;
}

lg_status lg_motion_ensemble_read(const lg_motion_ensemble *E, lg_motion *motion, int64_t i)
{
    mb_sparse *mo = mb_of(motion);
    if (E == NULL || E->reason == NULL || E->busy || mo == NULL) return LG_ERROR_ARGUMENT;
    const lg_status st = check_motion(E, mo, i, "lg_motion_ensemble_read", &mo->head.error);
    if (st != LG_OK) return st;
    if (!E->started[i])
        return lg_fail(&mo->head.error, E->status[i], "lg_motion_ensemble_read: instance %lld: %s", (long long)i,
                       lg_motion_ensemble_reason(E, i));
    if (!mo->started) {
        const lg_status started = mb_sparse_start(mo, 0, NULL, NULL, 1);
        if (started != LG_OK) return started;
    }
    mb_unpack(mo, E->state + (size_t)i * E->size, E->t0[i], E->steps[i]);
    return LG_OK;
}

/* ---- getters ---- */

const char *lg_motion_ensemble_message(const lg_motion_ensemble *E)
{
    return E != NULL ? E->error.message : "lg_motion_ensemble_message: the ensemble is NULL";
}

int64_t lg_motion_ensemble_count(const lg_motion_ensemble *E)
{
    return E != NULL ? E->count : 0;
}

int lg_motion_ensemble_width(const lg_motion_ensemble *E)
{
    return E != NULL ? E->width : 0;
}

int lg_motion_ensemble_threads(const lg_motion_ensemble *E)
{
    return E != NULL ? E->threads : 0;
}

size_t lg_motion_ensemble_bytes(const lg_motion_ensemble *E)
{
    if (E == NULL || E->reason == NULL) return 0;
    const mb_sparse *mo = E->workers[0].scalar;
    const size_t wide = E->width > 1 ? E->table->bytes(&E->mechanism->plan, mb_stages(mo)) : 0;
    const size_t each = (E->size + 1) * sizeof(double) + sizeof *E->steps + sizeof *E->status + sizeof *E->reason + 1;
    return sizeof *E + (size_t)E->count * each + sz(E->threads) * (sizeof *E->workers + mo->bytes + wide);
}

int64_t lg_motion_ensemble_retired(const lg_motion_ensemble *E)
{
    int64_t retired = 0;
    for (int64_t i = 0; E != NULL && E->status != NULL && i < E->count; i++) retired += E->status[i] != LG_OK;
    return retired;
}

/* 1: there is such an instance. */
static int has(const lg_motion_ensemble *E, int64_t i)
{
    return E != NULL && E->reason != NULL && i >= 0 && i < E->count;
}

lg_status lg_motion_ensemble_status(const lg_motion_ensemble *E, int64_t i)
{
    return has(E, i) ? E->status[i] : LG_ERROR_ARGUMENT;
}

const char *lg_motion_ensemble_reason(const lg_motion_ensemble *E, int64_t i)
{
    if (!has(E, i)) return "";
    return E->reason[i] != NULL ? E->reason[i] : E->status[i] != LG_OK ? lg_status_text(E->status[i]) : "";
}

int64_t lg_motion_ensemble_steps(const lg_motion_ensemble *E, int64_t i)
{
    return has(E, i) ? E->steps[i] : -1;
}
