/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of a motion of a definition: its integrator gets the numbers of another system of the same structure. */
#include <stdlib.h>
#include <string.h>

#include "integrators/engine/wide.h"
#include "integrators/integrator.h"
#include "run/dense.h"

lg_status lg_dense_adopt(lg_dense *d, const double *param, lg_error *e)
{
    lg_model *M = d->M;
    memcpy(M->param, param, sz(d->it->S.parameter_count) * sizeof *param);
    M->ready = 0;
    lg_scene_destroy(M->scene);
    M->scene = NULL;
    const lg_status status = lg_model_assemble(M);
    if (status != LG_OK) return lg_fail(e, status, "%s", lg_model_message(M));
    const lg_status taken = lg_integrator_adopt(d->it, &M->system, e);
    return taken == LG_OK && d->whole != NULL ? lg_integrator_adopt(d->whole, &M->system, e) : taken;
}

/* *varied = a copy of the model with these parameters, which make a system of the same structure. */
static lg_status dense_vary(lg_model **varied, lg_dense *d, const int *which, const double *values, int count)
{
    lg_error *e = &d->head.error;
    const lg_system *S = NULL;
    lg_status status = lg_model_copy(varied, d->M, e);
    for (int i = 0; i < count && status == LG_OK; i++)
        if ((status = lg_model_set(*varied, d->M->definition->parameters[which[i]].name, values[i])) != LG_OK)
            return lg_fail(e, status, "lg_motion_set_parameters: %.300s", lg_model_message(*varied));
    if (status == LG_OK && (status = lg_model_system(*varied, &S)) != LG_OK)
        return lg_fail(e, status, "lg_motion_set_parameters: %.300s", lg_model_message(*varied));
    if (status != LG_OK) return status;
    lg_system own = *S;
    own.group = d->M->group;
    if (lg_integrator_fits(d->it, &own)) return LG_OK;
    return lg_fail(e, LG_ERROR_UNSUPPORTED,
                   "lg_motion_set_parameters: with these parameters %.60s is a system of another structure; create a "
                   "motion of it",
                   lg_model_name(d->M));
}

/* Starts again where it is, with other parameters; if that fails the motion is as it was. */
static lg_status dense_restart(lg_dense *d, const double *param, const double *old)
{
    const int started = d->it->started;
    const double t = started ? lg_integrator_time(d->it) : 0;
    lg_status status = started ? lg_integrator_velocity(d->it, d->xi) : LG_OK;
    if (status != LG_OK) return lg_fail(&d->head.error, status, "%s", lg_integrator_message(d->it));
    if (started) {
        memcpy(d->g, lg_integrator_configuration(d->it), sz(d->M->group->element_size) * sizeof *d->g);
        lg_status_ignore(lg_integrator_follow(d->before, d->it));
    }
    const lg_dense_totals now = d->now;
    status = lg_dense_adopt(d, param, &d->head.error);
    if (status == LG_OK && started) status = lg_dense_begin(d, t, 1);
    if (status == LG_OK) return LG_OK;
    const lg_error why = d->head.error;
    lg_status_ignore(lg_dense_adopt(d, old, &d->head.error));
    if (started) lg_status_ignore(lg_integrator_follow(d->it, d->before));
    d->now = now, d->head.error = why;
    return status;
}

lg_status lg_dense_set_parameters(lg_motion *mo, const int *which, const double *values, int count)
{
    lg_dense *d = lg_dense_of(mo);
    lg_model *varied = NULL;
    if (mo->bodies != NULL)
        return lg_fail(
            &mo->error, LG_ERROR_UNSUPPORTED,
            "lg_motion_set_parameters: %.40s makes steps of the mechanism's system, which has no parameters; "
            "create the motion with sem or gauss, or another motion after lg_model_set()",
            d->method);
    const size_t bytes = sz(d->it->S.parameter_count) * sizeof(double);
    double *old = malloc(bytes + 1);
    lg_status status = old != NULL ? dense_vary(&varied, d, which, values, count)
                                   : lg_fail(&mo->error, LG_ERROR_MEMORY, "lg_motion: out of memory");
    if (status == LG_OK) {
        memcpy(old, d->M->param, bytes);
        status = dense_restart(d, varied->param, old);
    }
    lg_model_destroy(varied), free(old);
    return status;
}
