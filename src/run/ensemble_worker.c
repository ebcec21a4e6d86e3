/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's worker: instances are loaded from their records into a motion and stored again. How they begin. */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "run/ensemble_private.h"

/* ---- the worker ---- */

void lg_worker_reset(lg_worker *worker, const lg_ensemble *E)
{
    lg_model *M = worker->M;
    if (M == NULL) return;
    memcpy(M->param, E->model->param, (size_t)M->definition->parameter_count * sizeof *M->param);
    memcpy(M->initial, E->model->initial, (size_t)(M->columns + M->n) * sizeof *M->initial);
    M->ready = 0;
    lg_error_clear(&M->error);
}

lg_status lg_worker_catch_up(lg_worker *worker, lg_ensemble *E, lg_error *e)
{
    lg_status status = LG_OK;
    while (status == LG_OK && worker->classes < E->classes) {
        if (worker->M != NULL) {
            const size_t np = (size_t)worker->M->definition->parameter_count;
            memcpy(worker->M->param, E->class_parameters + (size_t)worker->classes * np, np * sizeof(double));
            worker->M->ready = 0;
        }
        status = E->engine->add(worker, E, e);
    }
    return status;
}

lg_status lg_worker_create(lg_worker **out, lg_ensemble *E, lg_error *e)
{
    lg_worker *worker = *out = calloc(1, sizeof *worker);
    if (worker == NULL) return lg_fail(e, LG_ERROR_MEMORY, "lg_ensemble: out of memory");
    const lg_status status = E->model->definition != NULL ? lg_model_copy(&worker->M, E->model, e) : LG_OK;
    return status == LG_OK ? lg_worker_catch_up(worker, E, e) : status;
}

void lg_worker_destroy(lg_worker *worker, const lg_ensemble *E)
{
    if (worker == NULL) return;
    while (worker->classes > 0) E->engine->remove(worker);
    lg_model_destroy(worker->M);
    free(worker);
}

/* ---- instances ---- */

void lg_worker_store(lg_ensemble *E, int64_t i, const lg_motion *mo)
{
    E->engine->clock(mo, &E->t0[i], &E->steps[i]);
    E->engine->pack(mo, lg_ensemble_record(E, i));
}

void lg_worker_begin(lg_ensemble *E, int64_t i, int which, const lg_motion *mo)
{
    E->class_of[i] = (unsigned char)which;
    lg_worker_store(E, i, mo);
    if (E->figures != NULL) lg_extremes_begin(&E->figures[i], mo->engine->energy(mo), lg_ensemble_residual(mo));
    lg_ensemble_mark(E, i, LG_OK, NULL);
}

/* Instance i has the parameters of worker->M, whether they make a system or not. */
static void keep_parameters(const lg_worker *worker, lg_ensemble *E, int64_t i)
{
    const lg_model *M = worker->M;
    if (M != NULL)
        memcpy(lg_ensemble_record(E, i), M->param, (size_t)M->definition->parameter_count * sizeof *M->param);
}

lg_status lg_worker_place(lg_worker *worker, lg_ensemble *E, int64_t i, const lg_beginning *b, lg_error *e)
{
    int which = 0;
    E->class_of[i] = LG_NO_CLASS;
    E->steps[i] = 0;
    keep_parameters(worker, E, i);
    lg_status status = worker->M != NULL ? E->engine->classify(worker, E, i, &which, e) : LG_OK;
    if (status == LG_OK) {
        lg_motion *mo = worker->motion[which];
        E->engine->give_control(mo, lg_ensemble_control(E, i));
        status = b->g != NULL ? lg_motion_start_state(mo, b->t0, b->g, b->xi, b->project)
                              : lg_motion_start(mo, b->t0, b->row, b->project);
        if (status == LG_OK)
            lg_worker_begin(E, i, which, mo);
        else
            (void)lg_fail(e, status, "%s", lg_motion_message(mo));
    }
    if (status != LG_OK) lg_ensemble_mark(E, i, status, e->message);
    return status;
}

lg_motion *lg_worker_load(lg_worker *worker, const lg_ensemble *E, int64_t i, lg_error *e)
{
    lg_motion *mo = worker->motion[E->class_of[i]];
    return E->engine->unpack(mo, lg_ensemble_record(E, i), E->t0[i], E->steps[i], e) == LG_OK ? mo : NULL;
}

/* ---- set by the caller ---- */

/* All workers know all classes, so that stepping has nothing to make. */
static lg_status share_classes(lg_ensemble *E)
{
    lg_status status = LG_OK;
    for (int k = 0; status == LG_OK && k < E->threads; k++) status = lg_worker_catch_up(E->workers[k], E, &E->error);
    return status;
}

/* The failure of an instance becomes the ensemble's last error. */
static lg_status conclude(lg_ensemble *E, int64_t i, lg_status status, const lg_error *e)
{
    lg_status settled;
    if (status != LG_OK) (void)lg_fail(&E->error, status, "instance %lld: %.280s", (long long)i, e->message);
    settled = share_classes(E);
    return status != LG_OK ? status : settled;
}

/* worker 0's model has the parameters of instance i, and else what the model that all were made from had. */
static void take_parameters(lg_ensemble *E, const double *param)
{
    lg_model *M = E->workers[0]->M;
    lg_worker_reset(E->workers[0], E);
    if (M != NULL) memcpy(M->param, param, (size_t)M->definition->parameter_count * sizeof *param);
}

/* As lg_ensemble_ready(), for instance i. */
static lg_status ready_for(lg_ensemble *E, const char *function, int64_t i)
{
    const lg_status status = lg_ensemble_ready(E);
    if (status != LG_OK || (i >= 0 && i < E->count)) return status;
    return lg_fail(&E->error, LG_ERROR_ARGUMENT, "%s: no instance %lld; there are %lld, from 0", function, (long long)i,
                   (long long)E->count);
}

lg_status lg_ensemble_set(lg_ensemble *E, int64_t i, const lg_motion *mo)
{
    static const char name[] = "lg_ensemble_set";
    lg_error e = {LG_OK, ""};
    int which = 0;
    lg_status status = ready_for(E, name, i);
    if (status != LG_OK) return status;
    if (mo == NULL || mo->engine == NULL || !mo->engine->started(mo))
        return lg_fail(&E->error, LG_ERROR_ARGUMENT, "%s: the motion is %s", name, mo == NULL ? "NULL" : "not started");
    if (mo->engine->control_degree(mo))
        return lg_fail(&E->error, LG_ERROR_UNSUPPORTED,
                       "%s: the motion's controls are polynomials inside a step; instances hold theirs", name);
    status = E->engine->fits(E, mo, name, &E->error);
    if (status != LG_OK) return status;
    E->class_of[i] = LG_NO_CLASS;
    E->engine->pack(mo, lg_ensemble_record(E, i));
    take_parameters(E, lg_ensemble_record(E, i));
    if (E->workers[0]->M != NULL) status = E->engine->classify(E->workers[0], E, i, &which, &e);
    if (status == LG_OK)
        lg_worker_begin(E, i, which, mo);
    else
        lg_ensemble_mark(E, i, status, e.message);
    return conclude(E, i, status, &e);
}

static lg_status start_instance(lg_ensemble *E, int64_t i, const lg_beginning *begin)
{
    lg_error e = {LG_OK, ""};
    take_parameters(E, lg_ensemble_record(E, i));
    const lg_status status = lg_worker_place(E->workers[0], E, i, begin, &e);
    return conclude(E, i, status, &e);
}

lg_status lg_ensemble_start(lg_ensemble *E, int64_t i, double t0, const double *row, int project)
{
    const lg_beginning begin = {.t0 = t0, .row = row, .project = project};
    const lg_status status = ready_for(E, "lg_ensemble_start", i);
    return status == LG_OK ? start_instance(E, i, &begin) : status;
}

lg_status lg_ensemble_start_state(lg_ensemble *E, int64_t i, double t0, const double *g, const double *xi, int project)
{
    const lg_beginning begin = {.t0 = t0, .g = g, .xi = xi, .project = project};
    const lg_status status = ready_for(E, "lg_ensemble_start_state", i);
    if (status != LG_OK) return status;
    if (g == NULL || xi == NULL)
        return lg_fail(&E->error, LG_ERROR_ARGUMENT, "lg_ensemble_start_state: g or xi is NULL");
    return start_instance(E, i, &begin);
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

/* Of a mechanism: the motion, as the setter left it, is instance i. */
static lg_status take_motion(lg_ensemble *E, lg_motion *mo, int64_t i)
{
    static const char name[] = "lg_ensemble_set_all: the setter";
    if (!mo->engine->started(mo)) return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "%s left no started motion", name);
    const lg_status status = E->engine->fits(E, mo, name, &mo->error);
    if (status == LG_OK) lg_worker_begin(E, i, 0, mo);
    return status;
}

/* The motion is as the model says; no instance of the ensemble if that is not known. */
static lg_motion *prepare_motion(lg_ensemble *E, lg_worker *worker)
{
    lg_error e = {LG_OK, ""};
    lg_motion *mo = worker->M == NULL ? worker->motion[0] : NULL;
    if (mo == NULL) return NULL;
    (void)E->engine->unpack(mo, E->model_error.status == LG_OK ? E->origin : NULL, 0, 0, &e);
    lg_error_clear(&mo->error);
    return mo;
}

static void set_unit(lg_ensemble *E, lg_worker *worker, int64_t first, int64_t last, void *context)
{
    const lg_beginning begin = {.project = E->project};
    const setting *s = context;
    for (int64_t i = first; i < last; i++) {
        lg_error e = {LG_OK, ""};
        lg_motion *mo = prepare_motion(E, worker);
        lg_worker_reset(worker, E);
        memset(lg_ensemble_control(E, i), 0, E->nc * sizeof(double));
        lg_status status = s->setter(i, worker->M, mo, s->context);
        if (status == LG_OK && mo != NULL)
            status = take_motion(E, mo, i);
        else if (status == LG_OK)
            (void)lg_worker_place(worker, E, i, &begin, &e);
        if (status != LG_OK) {
            E->class_of[i] = LG_NO_CLASS;
            E->steps[i] = 0;
            keep_parameters(worker, E, i);
            mark_refused(E, i, status, mo != NULL ? lg_motion_message(mo) : lg_model_message(worker->M));
        }
        if (mo != NULL) E->engine->restore(E, mo);
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
