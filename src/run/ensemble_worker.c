/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's desk: instances come from their rows into a scalar and go back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "run/begin.h"
#include "run/ensemble_private.h"

/* ---- classes ---- */

/* The next class, of which desk->M is an instance: a scalar and, where there is a form for it, a wide work. */
static lg_status add_seat(lg_desk *desk, const lg_ensemble *E, lg_error *e)
{
    lg_integrator **scalar = &desk->scalar[desk->classes];
    lg_status status = lg_integrator_create(scalar, &desk->M->system, E->method, E->retraction, E->h);
    if (status == LG_OK && E->width > 1 && lg_wide_has_form(*scalar)) {
        status = lg_wide_create(&desk->wide[desk->classes], *scalar, E->width);
        if (status != LG_OK) (void)lg_fail(e, status, "lg_ensemble: %s", lg_status_text(status));
    } else if (status != LG_OK) {
        (void)lg_fail(e, status, "%s", *scalar != NULL ? lg_integrator_message(*scalar) : lg_status_text(status));
    }
    if (status == LG_OK) {
        desk->classes++;
        return LG_OK;
    }
    lg_integrator_destroy(*scalar);
    *scalar = NULL;
    return status;
}

lg_status lg_desk_catch_up(lg_desk *desk, const lg_ensemble *E, lg_error *e)
{
    lg_status status = LG_OK;
    while (status == LG_OK && desk->classes < E->classes) {
        memcpy(desk->M->param, E->class_parameters + (size_t)desk->classes * E->np, E->np * sizeof(double));
        desk->M->ready = 0;
        status = lg_model_assemble(desk->M);
        if (status != LG_OK) (void)lg_fail(e, status, "%s", lg_model_message(desk->M));
        if (status == LG_OK) status = add_seat(desk, E, e);
    }
    return status;
}

/* The class of desk->M among those that the desk knows from `from` on; -1: none of them. */
static int find_class(const lg_desk *desk, int from)
{
    for (int c = from; c < desk->classes; c++)
        if (lg_integrator_fits(desk->scalar[c], &desk->M->system)) return c;
    return -1;
}

/* Catches up with the other desks; if desk->M is of none of their classes either, it makes one. `param` holds its
 * parameters. */
static lg_status learn_class(lg_desk *desk, lg_ensemble *E, const double *param, int *which, lg_error *e)
{
    const int known = desk->classes;
    lg_status status = lg_desk_catch_up(desk, E, e);
    memcpy(desk->M->param, param, E->np * sizeof *param);
    desk->M->ready = 0;
    if (status == LG_OK && (status = lg_model_assemble(desk->M)) != LG_OK)
        (void)lg_fail(e, status, "%s", lg_model_message(desk->M));
    if (status != LG_OK || (*which = find_class(desk, known)) >= 0) return status;
    if (desk->classes == LG_CLASSES)
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_ensemble: more than %d structures among the instances", LG_CLASSES);
    status = add_seat(desk, E, e);
    if (status != LG_OK) return status;
    if (lg_snapshot_size(&desk->scalar[desk->classes - 1]->plan) > E->image_size && E->image_size > 0) {
        lg_integrator_destroy(desk->scalar[--desk->classes]);
        lg_wide_destroy(desk->wide[desk->classes]);
        desk->scalar[desk->classes] = NULL, desk->wide[desk->classes] = NULL;
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_ensemble: the state of this instance is larger than the first's");
    }
    *which = E->classes;
    memcpy(E->class_parameters + (size_t)E->classes * E->np, param, E->np * sizeof *param);
    E->classes++;
    return LG_OK;
}

/* ---- the desk ---- */

static lg_status copy_model(lg_desk *desk, const lg_ensemble *E, const lg_model_definition *d, lg_error *e)
{
    const lg_status status = lg_model_create(&desk->M, d);
    if (status != LG_OK)
        return lg_fail(e, status, "%s", desk->M != NULL ? lg_model_message(desk->M) : lg_status_text(status));
    lg_desk_reset(desk, E);
    return LG_OK;
}

void lg_desk_reset(lg_desk *desk, const lg_ensemble *E)
{
    lg_model *M = desk->M;
    memcpy(M->param, E->parameters, E->np * sizeof *M->param);
    memcpy(M->initial, E->initial, (size_t)(M->columns + M->n) * sizeof *M->initial);
    M->ready = 0;
}

lg_status lg_desk_open(lg_desk **out, lg_ensemble *E, const lg_model_definition *d, lg_error *e)
{
    const lg_system *S = NULL;
    lg_desk *desk = calloc(1, sizeof *desk);
    lg_status status;
    *out = NULL;
    if (desk == NULL) return lg_fail(e, LG_ERROR_MEMORY, "lg_ensemble: out of memory");
    status = copy_model(desk, E, d, e);
    if (status == LG_OK) {
        desk->g0 = calloc((size_t)(desk->M->group->element_size + desk->M->n), sizeof *desk->g0);
        desk->xi0 = desk->g0 != NULL ? desk->g0 + desk->M->group->element_size : NULL;
        if (desk->g0 == NULL) status = lg_fail(e, LG_ERROR_MEMORY, "lg_ensemble: out of memory");
    }
    if (status == LG_OK && E->classes == 0) { /* the first one */
        int which;
        status = lg_model_system(desk->M, &S);
        if (status != LG_OK) (void)lg_fail(e, status, "%s", lg_model_message(desk->M));
        if (status == LG_OK) status = learn_class(desk, E, E->parameters, &which, e);
    } else if (status == LG_OK) {
        status = lg_desk_catch_up(desk, E, e);
    }
    *out = desk;
    return status;
}

void lg_desk_close(lg_desk *desk)
{
    if (desk == NULL) return;
    for (int c = 0; c < desk->classes; c++) {
        lg_wide_destroy(desk->wide[c]);
        lg_integrator_destroy(desk->scalar[c]);
    }
    lg_model_destroy(desk->M);
    free(desk->g0);
    free(desk);
}

size_t lg_desk_bytes(const lg_desk *desk)
{
    const lg_model *M = desk->M;
    size_t bytes = sizeof *desk + lg_model_bytes(M) + (size_t)(M->group->element_size + M->n) * sizeof *desk->g0;
    for (int c = 0; c < desk->classes; c++) {
        bytes += lg_integrator_bytes(desk->scalar[c]);
        if (desk->wide[c] != NULL) bytes += lg_wide_bytes(desk->wide[c]);
    }
    return bytes;
}

/* ---- instances ---- */

/* The class of the model's present system. */
static lg_status classify(lg_desk *desk, lg_ensemble *E, const double *param, int *which, lg_error *e)
{
    lg_status status;
    *which = find_class(desk, 0);
    if (*which >= 0) return LG_OK;
#ifdef _OPENMP
    omp_set_lock(&E->lock);
#endif
    status = learn_class(desk, E, param, which, e);
#ifdef _OPENMP
    omp_unset_lock(&E->lock);
#endif
    return status;
}

/* System, class and initial data of desk->M into a scalar that has started. */
static lg_status begin(lg_desk *desk, lg_ensemble *E, int64_t i, double t0, const double *g0, const double *xi0,
                       lg_error *e)
{
    const lg_system *S = NULL;
    lg_model *M = desk->M;
    double *param = E->param + (size_t)i * E->np;
    int which, project = E->project;
    lg_integrator *scalar;
    lg_status status = lg_model_system(M, &S);
    memcpy(param, M->param, E->np * sizeof *param);
    if (status != LG_OK) return lg_fail(e, status, "%s", lg_model_message(M));
    if (g0 == NULL) {
        status = lg_run_initial(M, &project, desk->g0, desk->xi0, e);
        g0 = desk->g0, xi0 = desk->xi0;
    }
    if (status == LG_OK) status = classify(desk, E, param, &which, e);
    if (status != LG_OK) return status;
    scalar = desk->scalar[which];
    status = lg_integrator_adopt(scalar, &M->system, e);
    if (status != LG_OK) return status;
    memcpy(scalar->control, lg_ensemble_control(E, i), E->nc * sizeof *scalar->control);
    status = lg_integrator_start(scalar, t0, g0, xi0, E->start, project);
    if (status != LG_OK) return lg_fail(e, status, "%s", lg_integrator_message(scalar));
    E->class_of[i] = (unsigned char)which;
    E->t0[i] = t0;
    lg_desk_store(scalar, E, i);
    if (E->monitor != NULL)
        lg_monitor_begin(&E->monitor[i], lg_integrator_energy(scalar), lg_integrator_constraint_residual(scalar));
    return LG_OK;
}

lg_status lg_desk_place(lg_desk *desk, lg_ensemble *E, int64_t i, double t0, const double *g0, const double *xi0,
                        lg_error *e)
{
    lg_status status;
    E->class_of[i] = LG_NO_CLASS;
    E->steps[i] = 0;
    if (g0 == NULL) memset(lg_ensemble_control(E, i), 0, E->nc * sizeof(double));
    status = begin(desk, E, i, t0, g0, xi0, e);
    lg_ensemble_mark(E, i, status, e->message);
    return status;
}

lg_integrator *lg_desk_load(lg_desk *desk, const lg_ensemble *E, int64_t i, lg_error *e)
{
    lg_model *M = desk->M;
    lg_integrator *scalar = desk->scalar[E->class_of[i]];
    lg_status status;
    memcpy(M->param, E->param + (size_t)i * E->np, E->np * sizeof *M->param);
    M->ready = 0;
    status = lg_model_assemble(M);
    if (status != LG_OK) {
        (void)lg_fail(e, status, "%s", lg_model_message(M));
        return NULL;
    }
    if (lg_integrator_adopt(scalar, &M->system, e) != LG_OK) return NULL;
    memcpy(scalar->control, lg_ensemble_control(E, i), E->nc * sizeof *scalar->control);
    scalar->started = 1;
    scalar->step = E->steps[i];
    scalar->t0 = scalar->base_t = E->t0[i];
    scalar->base_step = 0;
    lg_error_clear(&scalar->error);
    if (!lg_snapshot_load(scalar->work, E->t0[i] + (double)E->steps[i] * E->h, lg_ensemble_image(E, i))) return scalar;
    (void)lg_explain(scalar, "lg_ensemble", e);
    return NULL;
}

void lg_desk_store(const lg_integrator *scalar, lg_ensemble *E, int64_t i)
{
    E->steps[i] = scalar->step;
    lg_snapshot_save(scalar->work, lg_ensemble_image(E, i));
}
