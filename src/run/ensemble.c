/* SPDX-License-Identifier: BSD-3-Clause */
/* An ensemble: creation, instances, getters. Stepping is ensemble_run.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/sized.h"
#include "base/width.h"
#include "multibody/motion.h"
#include "run/ensemble_private.h"

static const lg_sized kind = LG_SIZED_AS(lg_ensemble_options, width, "start from lg_ensemble_options_default()");

void lg_ensemble_options_init(lg_ensemble_options *options, size_t size)
{
    const lg_ensemble_options own = {.size = sizeof own};
    lg_sized_give(&kind, options, size, &own);
}

/* ---- creation ---- */

/* How many, on how many threads, how wide. */
static lg_status check_numbers(lg_ensemble *E, int64_t count, const lg_ensemble_options *o)
{
    lg_error *e = &E->error;
    if (count < 1)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_ensemble_create: %lld instances; expected at least 1",
                       (long long)count);
    if (o->threads < 0 || o->threads > LG_THREADS_MOST)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_ensemble_create: %d threads; expected 0 (as many as there are) to %d",
                       o->threads, LG_THREADS_MOST);
    if (o->monitor < 0)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_ensemble_create: a monitor every %lld steps; expected 0 (none) or more",
                       (long long)o->monitor);
    E->width = lg_width_choose(o->width);
    if (E->width == 0)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_ensemble_create: width %d; this machine has 1 to %d in powers of 2, and 0 takes the best",
                       o->width, lg_width_best());
    return LG_OK;
}

/* The engine, as lg_motion_create() chooses it. */
static lg_status choose_engine(lg_ensemble *E, const lg_model *M, const lg_ensemble_options *o)
{
    const lg_motion_options of = {sizeof of,    o->method, o->retraction, o->step,
                                  o->tolerance, o->start,  o->halvings,   NULL};
    lg_error *e = &E->error;
    if (!lg_model_is_made(M))
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_ensemble_create: %s", M ? lg_model_message(M) : "the model is NULL");
    const lg_status status = lg_motion_options_take(&E->o, M, &of, e);
    if (status != LG_OK) return status;
    E->engine = M->mechanism != NULL ? &lg_ensemble_sparse : &lg_ensemble_dense;
    if (M->mechanism != NULL && !lg_method_is_sparse(E->o.method))
        return lg_fail(
            e, LG_ERROR_UNSUPPORTED,
            "lg_ensemble_create: ensembles of mechanisms have sem, rattle and gauss, got '%.40s'; step motions "
            "one by one (lg_motion)",
            E->o.method);
    if (o->contact != NULL && M->mechanism == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_ensemble_create: options of contact are for mechanisms, and %.60s is a definition; set "
                       "lg_ensemble_options::contact to NULL",
                       lg_model_name(M));
    /* lanes that hold stages */
    const lg_mechanism *m = M->mechanism;
    if (o->tolerance != 0 || (m != NULL && (mb_method_is_gauss(E->o.method) || m->plan.contacts > 0))) E->width = 1;
    return LG_OK;
}

static lg_status out_of_memory(lg_ensemble *E)
{
    return lg_fail(&E->error, LG_ERROR_MEMORY, "lg_ensemble_create: out of memory for %lld instances",
                   (long long)E->count);
}

/* How the instances are dealt out: units large enough that taking one costs nothing beside it, and enough of them that
 * no thread waits long for the last. */
static void divide_units(lg_ensemble *E, int requested)
{
    int64_t threads = requested, lanes = E->width, share;
#ifdef _OPENMP
    if (threads == 0) threads = omp_get_max_threads();
    if (threads > omp_get_thread_limit()) threads = omp_get_thread_limit();
#else
    threads = 1;
#endif
    if (threads > LG_THREADS_MOST) threads = LG_THREADS_MOST;
    share = E->count / (8 * threads * lanes);
    E->span = (int)(lanes * (share < 1 ? 1 : share > LG_SPAN_MOST ? LG_SPAN_MOST : share));
    E->units = (E->count - 1) / E->span + 1;
    E->threads = (int)(threads < E->units ? threads : E->units);
}

/* The first class is that of the model. */
static lg_status make_workers(lg_ensemble *E)
{
    const size_t np = E->model->definition != NULL ? (size_t)E->model->definition->parameter_count : 0;
    E->workers = calloc((size_t)E->threads, sizeof *E->workers);
    E->class_parameters = malloc((LG_CLASSES * np + 1) * sizeof(double));
    if (E->workers == NULL || E->class_parameters == NULL) return out_of_memory(E);
    if (np > 0) memcpy(E->class_parameters, E->model->param, np * sizeof(double));
    E->classes = 1;
    for (int k = 0; k < E->threads; k++) {
        const lg_status status = lg_worker_create(&E->workers[k], E, &E->error);
        if (status != LG_OK) return status;
    }
    return LG_OK;
}

static lg_status allocate(lg_ensemble *E)
{
    E->size = E->engine->size(E->workers[0]->motion[0], &E->control_at);
    E->nc = (size_t)lg_model_control_count(E->model);
    const size_t watched = E->period > 0 ? sizeof *E->figures : 0, count = (size_t)E->count;
    const size_t each = (E->size + 1) * sizeof(double) + sizeof(int64_t) + watched + 2;
    if ((uint64_t)E->count > SIZE_MAX / 2 / each)
        return lg_fail(&E->error, LG_ERROR_ARGUMENT,
                       "lg_ensemble_create: %lld instances of %zu bytes exceed the address space", (long long)E->count,
                       each);
    E->record = malloc(count * each);
    E->reasons = calloc((size_t)E->units, sizeof *E->reasons);
    if (E->model->mechanism != NULL) E->origin = calloc(E->size, sizeof *E->origin);
    if (E->record == NULL || E->reasons == NULL || (E->origin == NULL && E->model->mechanism != NULL))
        return out_of_memory(E);
    E->t0 = E->record + count * E->size;
    E->steps = (int64_t *)(E->t0 + count);
    E->figures = watched > 0 ? (lg_ensemble_figures *)(E->steps + count) : NULL;
    E->status = (unsigned char *)(E->steps + count) + count * watched;
    E->class_of = E->status + count;
    return LG_OK;
}

/* The first instance as the model is, and all others as the first. A model that does not start is no failure. */
static lg_status ensemble_fill(lg_ensemble *E)
{
    const lg_beginning begin = {.project = E->project};
    memset(E->record, 0, E->size * sizeof *E->record);
    E->t0[0] = 0;
    lg_worker_reset(E->workers[0], E);
    (void)lg_worker_place(E->workers[0], E, 0, &begin, &E->model_error);
    if (E->origin != NULL) memcpy(E->origin, E->record, E->size * sizeof *E->record);
    for (int64_t i = 1; i < E->count; i++) memcpy(lg_ensemble_record(E, i), E->record, E->size * sizeof *E->record);
    for (int64_t i = 1; i < E->count; i++) E->t0[i] = 0;
    for (int64_t i = 1; E->figures != NULL && i < E->count; i++) E->figures[i] = E->figures[0];
    memset(E->steps, 0, (size_t)E->count * sizeof *E->steps);
    memset(E->status, E->status[0], (size_t)E->count);
    memset(E->class_of, E->class_of[0], (size_t)E->count);
    return E->model_error.status == LG_ERROR_MEMORY ? out_of_memory(E) : LG_OK;
}

static lg_status ensemble_create(lg_ensemble *E, const lg_model *M, int64_t count, const lg_ensemble_options *o)
{
    lg_status status = check_numbers(E, count, o);
    if (status == LG_OK) status = choose_engine(E, M, o);
    if (status == LG_OK) status = lg_model_copy(&E->model, M, &E->error);
    if (status != LG_OK) return status;
    E->count = count;
    E->project = o->project;
    E->period = o->monitor;
    divide_units(E, o->threads);
    E->contact_given = o->contact;
    status = make_workers(E);
    E->contact_given = NULL;
    if (status == LG_OK) status = allocate(E);
    if (status == LG_OK) status = ensemble_fill(E);
    E->made = status == LG_OK;
    return status;
}

/* All but the message. */
static void release(lg_ensemble *E)
{
    for (int k = 0; E->workers != NULL && k < E->threads; k++) lg_worker_destroy(E->workers[k], E);
    for (int64_t u = 0; E->reasons != NULL && u < E->units; u++) {
        while (E->reasons[u] != NULL) {
            lg_reason *r = E->reasons[u];
            E->reasons[u] = r->next;
            free(r);
        }
    }
    lg_model_destroy(E->model);
    free(E->workers);
    free(E->reasons);
    free(E->record);
    free(E->origin);
    free(E->class_parameters);
#ifdef _OPENMP
    omp_destroy_lock(&E->lock);
#endif
}

lg_status lg_ensemble_create(lg_ensemble **out, const lg_model *M, int64_t count, const lg_ensemble_options *options)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E;
    lg_status status;
    if (out == NULL) return LG_ERROR_ARGUMENT;
    *out = E = calloc(1, sizeof *E);
    if (E == NULL) return LG_ERROR_MEMORY;
#ifdef _OPENMP
    omp_init_lock(&E->lock);
#endif
    status = options != NULL ? lg_sized_take(&kind, &o, options, &E->error) : LG_OK;
    if (status == LG_OK) status = ensemble_create(E, M, count, &o);
    if (status != LG_OK) {
        const lg_error e = E->error;
        release(E);
        memset(E, 0, sizeof *E); /* but for the message, `made` above all */
        E->error = e;
    }
    return status;
}

void lg_ensemble_destroy(lg_ensemble *E)
{
    if (E == NULL) return;
    if (E->made) release(E);
    free(E);
}

lg_status lg_ensemble_ready(lg_ensemble *E)
{
    if (E == NULL || E->busy) return LG_ERROR_ARGUMENT;
    if (!E->made) return E->error.status != LG_OK ? E->error.status : LG_ERROR_ARGUMENT;
    lg_error_clear(&E->error);
    return LG_OK;
}

/* The link that points to the reason of instance i, or the last one of its list. */
static lg_reason **find_reason(const lg_ensemble *E, int64_t i)
{
    lg_reason **at = &E->reasons[i / E->span];
    while (*at != NULL && (*at)->instance != i) at = &(*at)->next;
    return at;
}

void lg_ensemble_mark(lg_ensemble *E, int64_t i, lg_status status, const char *text)
{
    lg_reason **at = find_reason(E, i), *r = *at;
    if (r != NULL) {
        *at = r->next;
        free(r);
    }
    E->status[i] = (unsigned char)status;
    if (status == LG_OK || text == NULL) return;
    r = malloc(sizeof *r + strlen(text) + 1);
    if (r == NULL) return; /* then the status speaks for itself */
    r->instance = i;
    strcpy(r->text, text);
    r->next = E->reasons[i / E->span];
    E->reasons[i / E->span] = r;
}

/* ---- getters ---- */

static int exists(const lg_ensemble *E, int64_t i)
{
    return E != NULL && E->made && i >= 0 && i < E->count;
}

const char *lg_ensemble_message(const lg_ensemble *E)
{
    return E != NULL ? E->error.message : LG_NO_OBJECT("ensemble");
}

int64_t lg_ensemble_count(const lg_ensemble *E)
{
    return E != NULL && E->made ? E->count : 0;
}

int lg_ensemble_width(const lg_ensemble *E)
{
    return E == NULL || !E->made ? 0 : E->workers[0]->wide[0] != NULL ? E->width : 1;
}

int lg_ensemble_threads(const lg_ensemble *E)
{
    return E != NULL && E->made ? E->threads : 0;
}

size_t lg_ensemble_bytes(const lg_ensemble *E)
{
    size_t bytes;
    if (E == NULL) return 0;
    bytes = sizeof *E;
    if (!E->made) return bytes;
    bytes += (size_t)E->count * ((E->size + 1) * sizeof(double) + sizeof *E->steps + 2);
    if (E->figures != NULL) bytes += (size_t)E->count * sizeof *E->figures;
    for (int k = 0; k < E->threads; k++) bytes += sizeof *E->workers + E->engine->bytes(E->workers[k], E);
    for (int64_t u = 0; u < E->units; u++) {
        bytes += sizeof *E->reasons;
        for (const lg_reason *r = E->reasons[u]; r != NULL; r = r->next) bytes += sizeof *r + strlen(r->text) + 1;
    }
    return bytes;
}

int64_t lg_ensemble_retired(const lg_ensemble *E)
{
    int64_t retired = 0;
    for (int64_t i = 0; i < lg_ensemble_count(E); i++) retired += E->status[i] != LG_OK;
    return retired;
}

lg_status lg_ensemble_status(const lg_ensemble *E, int64_t i)
{
    return exists(E, i) ? (lg_status)E->status[i] : LG_ERROR_ARGUMENT;
}

const char *lg_ensemble_reason(const lg_ensemble *E, int64_t i)
{
    const lg_reason *r;
    if (!exists(E, i)) return "no such instance";
    if (E->status[i] == LG_OK) return "";
    r = *find_reason(E, i);
    if (r != NULL) return r->text;
    if (E->class_of[i] == LG_NO_CLASS && E->status[i] == (unsigned char)E->model_error.status)
        return E->model_error.message; /* it has never been set */
    return lg_status_text((lg_status)E->status[i]);
}

int64_t lg_ensemble_steps(const lg_ensemble *E, int64_t i)
{
    return exists(E, i) ? E->steps[i] : -1;
}

lg_status lg_ensemble_read(const lg_ensemble *E, lg_ensemble_figures *figures, int64_t i)
{
    if (!exists(E, i) || E->figures == NULL || figures == NULL) return LG_ERROR_ARGUMENT;
    if (E->class_of[i] == LG_NO_CLASS) return (lg_status)E->status[i];
    *figures = E->figures[i];
    return LG_OK;
}

/* LG_OK if instance i has a state, and no thread is at work on it. */
static lg_status has_state(const lg_ensemble *E, int64_t i)
{
    if (!exists(E, i) || E->busy) return LG_ERROR_ARGUMENT;
    return E->class_of[i] == LG_NO_CLASS ? (lg_status)E->status[i] : LG_OK;
}

/* The ensemble is const; a worker is scratch. */
lg_status lg_ensemble_state(const lg_ensemble *E, double *t, double *g, double *p, int64_t i)
{
    lg_error e = {LG_OK, ""};
    const lg_status status = has_state(E, i);
    if (status != LG_OK) return status;
    if (t != NULL) *t = E->t0[i] + (double)E->steps[i] * E->o.step;
    if (g == NULL && p == NULL) return LG_OK;
    const lg_motion *mo = lg_worker_load(E->workers[0], E, i, &e);
    return mo != NULL ? mo->engine->state(mo, g, NULL, p) : e.status;
}

lg_status lg_ensemble_motion(lg_motion **copy, const lg_ensemble *E, int64_t i)
{
    lg_error e = {LG_OK, ""};
    if (copy == NULL) return LG_ERROR_ARGUMENT;
    *copy = NULL;
    lg_status status = has_state(E, i);
    if (status != LG_OK) return status;
    const lg_motion *like = E->workers[0]->motion[E->class_of[i]];
    status = like->engine->like(copy, like, E->o.step);
    if (status == LG_OK) status = E->engine->unpack(*copy, lg_ensemble_record(E, i), E->t0[i], E->steps[i], &e);
    if (status == LG_OK) {
        E->engine->remember(*copy);
        return LG_OK;
    }
    lg_motion_destroy(*copy);
    *copy = NULL;
    return status;
}
