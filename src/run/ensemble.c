/* SPDX-License-Identifier: BSD-3-Clause */
/* An ensemble: creation, instances, getters. Stepping is ensemble_run.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/sized.h"
#include "base/width.h"
#include "run/ensemble_private.h"

static const lg_sized kind = LG_SIZED_AS(lg_ensemble_options, width, "start from lg_ensemble_options_default()");

void lg_ensemble_options_init(lg_ensemble_options *options, size_t size)
{
    const lg_ensemble_options own = {.size = sizeof own, .method = "sem", .retraction = "exp"};
    lg_sized_give(&kind, options, size, &own);
}

/* ---- creation ---- */

static lg_status check_options(lg_ensemble *E, const lg_model *M, int64_t count, const lg_ensemble_options *o)
{
    lg_error *e = &E->error;
    if (M == NULL || M->definition == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_ensemble_create: %s", M ? lg_model_message(M) : "the model is NULL");
    if (o->method == NULL || o->retraction == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_ensemble_create: start from lg_ensemble_options_default()");
    if (count < 1)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_ensemble_create: %lld instances; expected at least 1",
                       (long long)count);
    if (o->start != LG_START_REACTION && o->start != LG_START_LEGENDRE && o->start != LG_START_PAPER)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_ensemble_create: unknown start %d; expected LG_START_REACTION, _LEGENDRE or _PAPER",
                       (int)o->start);
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
    if (o->tolerance != 0) E->width = 1; /* each has its own step size: the lanes hold stages */
    return LG_OK;
}

static char *copy_text(const char *text)
{
    const size_t room = strlen(text) + 1;
    char *copy = malloc(room);
    return copy != NULL ? memcpy(copy, text, room) : NULL;
}

static lg_status out_of_memory(lg_ensemble *E)
{
    return lg_fail(&E->error, LG_ERROR_MEMORY, "lg_ensemble_create: out of memory for %lld instances",
                   (long long)E->count);
}

/* Options, and of the model what instances begin with. */
static lg_status copy_origin(lg_ensemble *E, const lg_model *M, const lg_ensemble_options *o)
{
    const size_t rest = (size_t)(M->columns + M->n);
    E->np = (size_t)M->definition->parameter_count;
    E->nc = (size_t)M->definition->callbacks.control_count;
    E->h = o->step != 0 ? o->step : lg_model_default_step(M);
    E->tolerance = o->tolerance;
    E->start = o->start;
    E->project = o->project;
    E->period = o->monitor;
    E->method = copy_text(o->method);
    E->retraction = copy_text(o->retraction);
    E->parameters = malloc((E->np + rest) * sizeof(double));
    E->class_parameters = malloc((LG_CLASSES * E->np + 1) * sizeof(double));
    if (E->method == NULL || E->retraction == NULL || E->parameters == NULL || E->class_parameters == NULL)
        return out_of_memory(E);
    E->initial = E->parameters + E->np;
    memcpy(E->parameters, M->param, E->np * sizeof(double));
    memcpy(E->initial, M->initial, rest * sizeof(double));
    return LG_OK;
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

static lg_status allocate(lg_ensemble *E)
{
    const size_t numbers = E->np + E->nc + E->snapshot_size + 1, watched = E->period > 0 ? sizeof *E->figures : 0;
    const size_t each = numbers * sizeof(double) + sizeof(int64_t) + watched + 2;
    size_t count = (size_t)E->count;
    double *at;
    if ((uint64_t)E->count > SIZE_MAX / 2 / each)
        return lg_fail(&E->error, LG_ERROR_ARGUMENT,
                       "lg_ensemble_create: %lld instances of %zu bytes exceed the address space", (long long)E->count,
                       each);
    at = malloc(count * each);
    E->reasons = calloc((size_t)E->units, sizeof *E->reasons);
    E->param = at;
    if (at == NULL || E->reasons == NULL) return out_of_memory(E);
    at += count * E->np;
    E->control = at, at += count * E->nc;
    E->snapshot = at, at += count * E->snapshot_size;
    E->t0 = at, at += count;
    E->steps = (int64_t *)at;
    E->figures = watched > 0 ? (lg_ensemble_figures *)(E->steps + count) : NULL;
    E->status = (unsigned char *)(E->steps + count) + count * watched;
    E->class_of = E->status + count;
    return LG_OK;
}

/* The first instance as the model is, and all others as the first. What the model lacks is no failure. */
static lg_status ensemble_fill(lg_ensemble *E)
{
    const size_t snapshot = E->snapshot_size * sizeof(double), np = E->np * sizeof(double);
    lg_worker *worker = E->workers[0];
    memset(E->snapshot, 0, snapshot);
    memset(E->control, 0, (size_t)E->count * E->nc * sizeof *E->control);
    E->t0[0] = 0;
    lg_worker_reset(worker, E);
    (void)lg_worker_place(worker, E, 0, 0, NULL, NULL, &E->model_error);
    for (int64_t i = 1; i < E->count; i++) {
        memcpy(E->param + (size_t)i * E->np, E->param, np);
        memcpy(lg_ensemble_snapshot(E, i), E->snapshot, snapshot);
    }
    for (int64_t i = 1; i < E->count; i++) E->t0[i] = 0;
    for (int64_t i = 1; E->figures != NULL && i < E->count; i++) E->figures[i] = E->figures[0];
    memset(E->steps, 0, (size_t)E->count * sizeof *E->steps);
    memset(E->status, E->status[0], (size_t)E->count);
    memset(E->class_of, E->class_of[0], (size_t)E->count);
    return E->model_error.status == LG_ERROR_MEMORY ? out_of_memory(E) : LG_OK;
}

static lg_status ensemble_create(lg_ensemble *E, const lg_model *M, int64_t count, const lg_ensemble_options *o)
{
    lg_status status = check_options(E, M, count, o);
    if (status != LG_OK) return status;
    E->count = count;
    status = copy_origin(E, M, o);
    if (status != LG_OK) return status;
    divide_units(E, o->threads);
    E->workers = calloc((size_t)E->threads, sizeof *E->workers);
    if (E->workers == NULL) return out_of_memory(E);
    for (int k = 0; k < E->threads; k++) {
        status = lg_worker_create(&E->workers[k], E, M->definition, &E->error);
        if (status != LG_OK) return status;
        if (k == 0) E->snapshot_size = lg_instance_size(E->workers[0]->representative[0]);
    }
    status = allocate(E);
    if (status == LG_OK) status = ensemble_fill(E);
    E->made = status == LG_OK;
    return status;
}

/* All but the message. */
static void release(lg_ensemble *E)
{
    for (int k = 0; E->workers != NULL && k < E->threads; k++) lg_worker_destroy(E->workers[k]);
    for (int64_t u = 0; E->reasons != NULL && u < E->units; u++) {
        while (E->reasons[u] != NULL) {
            lg_reason *r = E->reasons[u];
            E->reasons[u] = r->next;
            free(r);
        }
    }
    free(E->workers);
    free(E->reasons);
    free(E->param);
    free(E->parameters);
    free(E->class_parameters);
    free(E->method);
    free(E->retraction);
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

/* ---- instances ---- */

static int exists(const lg_ensemble *E, int64_t i)
{
    return E != NULL && E->made && i >= 0 && i < E->count;
}

static lg_status no_such(lg_ensemble *E, const char *function, int64_t i)
{
    return lg_fail(&E->error, LG_ERROR_ARGUMENT, "%s: no instance %lld; there are %lld, from 0", function, (long long)i,
                   (long long)E->count);
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

/* All workers know all classes, so that stepping has nothing to make. */
static lg_status share_classes(lg_ensemble *E)
{
    lg_status status = LG_OK;
    for (int k = 0; status == LG_OK && k < E->threads; k++) status = lg_worker_catch_up(E->workers[k], E, &E->error);
    return status;
}

/* What was learnt about an instance becomes the ensemble's last error. */
static lg_status conclude(lg_ensemble *E, int64_t i, lg_status status, const lg_error *e)
{
    lg_status settled;
    if (status != LG_OK) (void)lg_fail(&E->error, status, "instance %lld: %.280s", (long long)i, e->message);
    settled = share_classes(E);
    return status != LG_OK ? status : settled;
}

lg_status lg_ensemble_set(lg_ensemble *E, int64_t i, const lg_model *M)
{
    lg_error e = {LG_OK, ""};
    lg_status status = lg_ensemble_ready(E);
    lg_model *mine;
    if (status != LG_OK) return status;
    mine = E->workers[0]->M;
    if (!exists(E, i)) return no_such(E, "lg_ensemble_set", i);
    if (M == NULL || !lg_model_same(M, mine))
        return lg_fail(&E->error, LG_ERROR_ARGUMENT,
                       "lg_ensemble_set: mixed systems: an ensemble of %s, a model of %s; make an ensemble for each",
                       mine->definition->name, M && M->definition ? M->definition->name : "nothing");
    memcpy(mine->param, M->param, E->np * sizeof(double));
    memcpy(mine->initial, M->initial, (size_t)(M->columns + M->n) * sizeof(double));
    mine->ready = 0;
    status = lg_worker_place(E->workers[0], E, i, 0, NULL, NULL, &e);
    return conclude(E, i, status, &e);
}

lg_status lg_ensemble_start(lg_ensemble *E, int64_t i, double t0, const double *g0, const double *xi0)
{
    lg_error e = {LG_OK, ""};
    lg_status status = lg_ensemble_ready(E);
    lg_model *mine;
    if (status != LG_OK) return status;
    if (!exists(E, i)) return no_such(E, "lg_ensemble_start", i);
    if (g0 == NULL || xi0 == NULL) return lg_fail(&E->error, LG_ERROR_ARGUMENT, "lg_ensemble_start: g0 or xi0 is NULL");
    mine = E->workers[0]->M;
    memcpy(mine->param, E->param + (size_t)i * E->np, E->np * sizeof(double));
    mine->ready = 0;
    status = lg_worker_place(E->workers[0], E, i, t0, g0, xi0, &e);
    return conclude(E, i, status, &e);
}

typedef struct setting {
    lg_ensemble_setter setter;
    void *context;
} setting;

/* A setter may return anything. */
static void mark_refused(lg_ensemble *E, int64_t i, lg_status status, const char *text)
{
    lg_error e = {LG_OK, ""};
    if ((int)status < 0 || (int)status >= LG_STATUS_COUNT)
        (void)lg_fail(&e, LG_ERROR_CALLBACK, "lg_ensemble_set_all: the setter returned %d", (int)status);
    else
        (void)lg_fail(&e, status, "%s", text[0] != '\0' ? text : lg_status_text(status));
    lg_ensemble_mark(E, i, e.status, e.message);
}

static void set_unit(lg_ensemble *E, lg_worker *worker, int64_t first, int64_t last, void *context)
{
    const setting *s = context;
    for (int64_t i = first; i < last; i++) {
        lg_error e = {LG_OK, ""};
        lg_status status;
        lg_worker_reset(worker, E);
        lg_error_clear(&worker->M->error);
        status = s->setter(i, worker->M, s->context);
        if (status == LG_OK) {
            (void)lg_worker_place(worker, E, i, 0, NULL, NULL, &e);
            continue;
        }
        E->class_of[i] = LG_NO_CLASS;
        E->steps[i] = 0;
        memcpy(E->param + (size_t)i * E->np, worker->M->param, E->np * sizeof(double));
        memset(lg_ensemble_control(E, i), 0, E->nc * sizeof(double));
        mark_refused(E, i, status, lg_model_message(worker->M));
    }
}

lg_status lg_ensemble_set_all(lg_ensemble *E, lg_ensemble_setter setter, void *context)
{
    setting s = {setter, context};
    const lg_status status = lg_ensemble_ready(E);
    if (status != LG_OK) return status;
    if (setter == NULL) return lg_fail(&E->error, LG_ERROR_ARGUMENT, "lg_ensemble_set_all: the setter is NULL");
    lg_ensemble_each(E, set_unit, &s);
    return share_classes(E);
}

/* ---- getters ---- */

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
    bytes += (size_t)E->count * ((E->np + E->nc + E->snapshot_size + 1) * sizeof(double) + sizeof *E->steps + 2);
    if (E->figures != NULL) bytes += (size_t)E->count * sizeof *E->figures;
    bytes += strlen(E->method) + strlen(E->retraction) + 2 + (LG_CLASSES + 1) * E->np * sizeof(double);
    for (int k = 0; k < E->threads; k++) bytes += sizeof *E->workers + lg_worker_bytes(E->workers[k]);
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

/* A snapshot begins with g and p~. */
lg_status lg_ensemble_state(const lg_ensemble *E, double *t, double *g, double *p, int64_t i)
{
    const lg_status status = has_state(E, i);
    const lg_model *M;
    const double *snapshot;
    if (status != LG_OK) return status;
    M = E->workers[0]->M;
    snapshot = lg_ensemble_snapshot(E, i);
    if (t != NULL) *t = E->t0[i] + (double)E->steps[i] * E->h;
    if (g != NULL) memcpy(g, snapshot, (size_t)M->group->element_size * sizeof *g);
    if (p != NULL) memcpy(p, snapshot + M->group->element_size, (size_t)M->n * sizeof *p);
    return LG_OK;
}

/* The ensemble is const; a worker is scratch. */
lg_status lg_ensemble_integrator(lg_integrator **copy, const lg_ensemble *E, int64_t i)
{
    lg_error e = {LG_OK, ""};
    lg_integrator *representative;
    lg_status status = has_state(E, i);
    if (copy == NULL) return LG_ERROR_ARGUMENT;
    *copy = NULL;
    if (status != LG_OK) return status;
    representative = lg_worker_load(E->workers[0], E, i, &e);
    if (representative == NULL) return e.status;
    status = lg_integrator_clone(copy, representative);
    if (status != LG_OK) {
        lg_integrator_destroy(*copy);
        *copy = NULL;
        return status;
    }
    lg_instance_set_first(*copy);
    return LG_OK;
}
