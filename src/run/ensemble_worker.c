/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's worker: instances are loaded from their rows into a representative and stored again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "run/begin.h"
#include "run/ensemble_private.h"

/* ---- classes ---- */

/* The next class, of which worker->M is an instance: a representative and, where there is a form for it, a wide
 * workspace. */
static lg_status add_representative(lg_worker *worker, const lg_ensemble *E, lg_error *e)
{
    lg_integrator **representative = &worker->representative[worker->classes];
    lg_status status = lg_integrator_create(representative, &worker->M->system, E->method, E->retraction, E->h);
    if (status == LG_OK && E->tolerance != 0) status = lg_integrator_set_tolerance(*representative, E->tolerance);
    if (status == LG_OK && E->width > 1 && lg_wide_has_form(*representative)) {
        status = lg_wide_create(&worker->wide[worker->classes], *representative, E->width);
        if (status != LG_OK) (void)lg_fail(e, status, "lg_ensemble: %s", lg_status_text(status));
    } else if (status != LG_OK) {
        (void)lg_fail(e, status, "%s",
                      *representative != NULL ? lg_integrator_message(*representative) : lg_status_text(status));
    }
    if (status == LG_OK) {
        worker->classes++;
        return LG_OK;
    }
    lg_integrator_destroy(*representative);
    *representative = NULL;
    return status;
}

lg_status lg_worker_catch_up(lg_worker *worker, const lg_ensemble *E, lg_error *e)
{
    lg_status status = LG_OK;
    while (status == LG_OK && worker->classes < E->classes) {
        memcpy(worker->M->param, E->class_parameters + (size_t)worker->classes * E->np, E->np * sizeof(double));
        worker->M->ready = 0;
        status = lg_model_assemble(worker->M);
        if (status != LG_OK) (void)lg_fail(e, status, "%s", lg_model_message(worker->M));
        if (status == LG_OK) status = add_representative(worker, E, e);
    }
    return status;
}

/* The class of worker->M among those that the worker knows from `from` on; -1: none of them. */
static int find_class(const lg_worker *worker, int from)
{
    for (int c = from; c < worker->classes; c++)
        if (lg_integrator_fits(worker->representative[c], &worker->M->system)) return c;
    return -1;
}

/* Catches up with the other workers; if worker->M is of none of their classes either, it makes one. `param` holds its
 * parameters. */
static lg_status learn_class(lg_worker *worker, lg_ensemble *E, const double *param, int *which, lg_error *e)
{
    const int known = worker->classes;
    lg_status status = lg_worker_catch_up(worker, E, e);
    memcpy(worker->M->param, param, E->np * sizeof *param);
    worker->M->ready = 0;
    if (status == LG_OK && (status = lg_model_assemble(worker->M)) != LG_OK)
        (void)lg_fail(e, status, "%s", lg_model_message(worker->M));
    if (status != LG_OK || (*which = find_class(worker, known)) >= 0) return status;
    if (worker->classes == LG_CLASSES)
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_ensemble: more than %d structures among the instances", LG_CLASSES);
    status = add_representative(worker, E, e);
    if (status != LG_OK) return status;
    if (lg_instance_size(worker->representative[worker->classes - 1]) > E->snapshot_size && E->snapshot_size > 0) {
        lg_integrator_destroy(worker->representative[--worker->classes]);
        lg_wide_destroy(worker->wide[worker->classes]);
        worker->representative[worker->classes] = NULL, worker->wide[worker->classes] = NULL;
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_ensemble: the state of this instance is larger than the first's");
    }
    *which = E->classes;
    memcpy(E->class_parameters + (size_t)E->classes * E->np, param, E->np * sizeof *param);
    E->classes++;
    return LG_OK;
}

/* ---- the worker ---- */

static lg_status copy_model(lg_worker *worker, const lg_ensemble *E, const lg_model_definition *d, lg_error *e)
{
    const lg_status status = lg_model_create(&worker->M, d);
    if (status != LG_OK)
        return lg_fail(e, status, "%s", worker->M != NULL ? lg_model_message(worker->M) : lg_status_text(status));
    lg_worker_reset(worker, E);
    return LG_OK;
}

void lg_worker_reset(lg_worker *worker, const lg_ensemble *E)
{
    lg_model *M = worker->M;
    memcpy(M->param, E->parameters, E->np * sizeof *M->param);
    memcpy(M->initial, E->initial, (size_t)(M->columns + M->n) * sizeof *M->initial);
    M->ready = 0;
}

lg_status lg_worker_create(lg_worker **out, lg_ensemble *E, const lg_model_definition *d, lg_error *e)
{
    const lg_system *S = NULL;
    lg_worker *worker = calloc(1, sizeof *worker);
    lg_status status;
    *out = NULL;
    if (worker == NULL) return lg_fail(e, LG_ERROR_MEMORY, "lg_ensemble: out of memory");
    status = copy_model(worker, E, d, e);
    if (status == LG_OK) {
        worker->g0 = calloc((size_t)(worker->M->group->element_size + worker->M->n), sizeof *worker->g0);
        worker->xi0 = worker->g0 != NULL ? worker->g0 + worker->M->group->element_size : NULL;
        if (worker->g0 == NULL) status = lg_fail(e, LG_ERROR_MEMORY, "lg_ensemble: out of memory");
    }
    if (status == LG_OK && E->classes == 0) { /* the first one */
        int which;
        status = lg_model_system(worker->M, &S);
        if (status != LG_OK) (void)lg_fail(e, status, "%s", lg_model_message(worker->M));
        if (status == LG_OK) status = learn_class(worker, E, E->parameters, &which, e);
    } else if (status == LG_OK) {
        status = lg_worker_catch_up(worker, E, e);
    }
    *out = worker;
    return status;
}

void lg_worker_destroy(lg_worker *worker)
{
    if (worker == NULL) return;
    for (int c = 0; c < worker->classes; c++) {
        lg_wide_destroy(worker->wide[c]);
        lg_integrator_destroy(worker->representative[c]);
    }
    lg_model_destroy(worker->M);
    free(worker->g0);
    free(worker);
}

size_t lg_worker_bytes(const lg_worker *worker)
{
    const lg_model *M = worker->M;
    size_t bytes = sizeof *worker + lg_model_bytes(M) + (size_t)(M->group->element_size + M->n) * sizeof *worker->g0;
    for (int c = 0; c < worker->classes; c++) {
        bytes += lg_integrator_bytes(worker->representative[c]);
        if (worker->wide[c] != NULL) bytes += lg_wide_bytes(worker->wide[c]);
    }
    return bytes;
}

/* ---- instances ---- */

/* The class of the model's present system. */
static lg_status classify(lg_worker *worker, lg_ensemble *E, const double *param, int *which, lg_error *e)
{
    lg_status status;
    *which = find_class(worker, 0);
    if (*which >= 0) return LG_OK;
#ifdef _OPENMP
    omp_set_lock(&E->lock);
#endif
    status = learn_class(worker, E, param, which, e);
#ifdef _OPENMP
    omp_unset_lock(&E->lock);
#endif
    return status;
}

/* System, class and initial data of worker->M into a representative that has started. */
static lg_status worker_begin(lg_worker *worker, lg_ensemble *E, int64_t i, double t0, const double *g0,
                              const double *xi0, lg_error *e)
{
    const lg_system *S = NULL;
    lg_model *M = worker->M;
    double *param = E->param + (size_t)i * E->np;
    int which, project = E->project;
    lg_integrator *representative;
    lg_status status = lg_model_system(M, &S);
    memcpy(param, M->param, E->np * sizeof *param);
    if (status != LG_OK) return lg_fail(e, status, "%s", lg_model_message(M));
    if (g0 == NULL) {
        status = lg_run_initial(M, &project, worker->g0, worker->xi0, e);
        g0 = worker->g0, xi0 = worker->xi0;
    }
    if (status == LG_OK) status = classify(worker, E, param, &which, e);
    if (status != LG_OK) return status;
    representative = worker->representative[which];
    status = lg_integrator_adopt(representative, &M->system, e);
    if (status != LG_OK) return status;
    lg_instance_set_control(representative, lg_ensemble_control(E, i));
    status = lg_integrator_start(representative, t0, g0, xi0, E->start, project);
    if (status != LG_OK) return lg_fail(e, status, "%s", lg_integrator_message(representative));
    E->class_of[i] = (unsigned char)which;
    E->t0[i] = t0;
    lg_worker_store(representative, E, i);
    if (E->figures != NULL)
        lg_extremes_begin(&E->figures[i], lg_integrator_energy(representative),
                          lg_integrator_constraint_residual(representative));
    return LG_OK;
}

lg_status lg_worker_place(lg_worker *worker, lg_ensemble *E, int64_t i, double t0, const double *g0, const double *xi0,
                          lg_error *e)
{
    lg_status status;
    E->class_of[i] = LG_NO_CLASS;
    E->steps[i] = 0;
    if (g0 == NULL) memset(lg_ensemble_control(E, i), 0, E->nc * sizeof(double));
    status = worker_begin(worker, E, i, t0, g0, xi0, e);
    lg_ensemble_mark(E, i, status, e->message);
    return status;
}

lg_integrator *lg_worker_load(lg_worker *worker, const lg_ensemble *E, int64_t i, lg_error *e)
{
    lg_model *M = worker->M;
    lg_integrator *representative = worker->representative[E->class_of[i]];
    lg_status status;
    memcpy(M->param, E->param + (size_t)i * E->np, E->np * sizeof *M->param);
    M->ready = 0;
    status = lg_model_assemble(M);
    if (status != LG_OK) {
        (void)lg_fail(e, status, "%s", lg_model_message(M));
        return NULL;
    }
    if (lg_integrator_adopt(representative, &M->system, e) != LG_OK) return NULL;
    status = lg_instance_load(representative, lg_ensemble_control(E, i), E->t0[i], E->steps[i],
                              E->t0[i] + (double)E->steps[i] * E->h, lg_ensemble_snapshot(E, i), e);
    return status == LG_OK ? representative : NULL;
}

void lg_worker_store(const lg_integrator *representative, lg_ensemble *E, int64_t i)
{
    E->steps[i] = lg_integrator_step_index(representative);
    lg_instance_save(representative, lg_ensemble_snapshot(E, i));
}
