/* SPDX-License-Identifier: BSD-3-Clause */
/* How a run begins: options that make sense, initial data that are checked or projected, an integrator that has
 * started; and its steps, with the caller's controls. */
#include "run/begin.h"

#include <math.h>
#include <stdlib.h>

#include "base/sized.h"
#include "integrators/diagnostics/diagnostics.h"
#include "run/model_private.h"
#include "run/format.h"

static const lg_sized kind = LG_SIZED_AS(lg_run_options, finish, "start from lg_run_options_default()");

void lg_run_options_init(lg_run_options *options, size_t size)
{
    const lg_run_options own = {
        .size = sizeof own, .method = "sem", .retraction = "exp", .steps = 1000, .every = 1, .accuracy = 1};
    lg_sized_give(&kind, options, size, &own);
}

lg_status lg_run_options_take(lg_run_options *own, const lg_run_options *given, lg_error *e)
{
    lg_run_options_init(own, sizeof *own);
    return lg_sized_take(&kind, own, given, e);
}

lg_status lg_run_check(const lg_run_options *o, lg_error *e)
{
    if (!isfinite(o->step)) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "the step must be finite, or 0 for the model's own step, got %g", o->step);
    }
    if (o->steps < 0 || o->steps > INT64_C(1000000000000000)) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "the number of steps must be in [0, 1e15], got %lld", (long long)o->steps);
    }
    if (o->every < 1) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "rows every %lld steps: it must be at least 1", (long long)o->every);
    }
    if (o->monitor_every < 0) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "a monitor every %lld steps: it must be at least 1, or 0 for a good one",
                       (long long)o->monitor_every);
    }
    if (o->accuracy != 0 && o->accuracy != 1) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "accuracy is %lld: expected 1 to measure it, 0 not to",
                       (long long)o->accuracy);
    }
    if (o->start != LG_START_REACTION && o->start != LG_START_LEGENDRE && o->start != LG_START_PAPER) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "unknown start %d", (int)o->start);
    }
    return lg_format_check(o->format, e);
}

double lg_run_step(const lg_model *M, const lg_run_options *o)
{
    return o->step != 0 ? o->step : lg_model_default_step(M);
}

/* |phi| above which an initial configuration of the user's is refused. */
#define POSITION_TOLERANCE 1e-9

/* What the user gives is checked; the start, which projects the default velocity, would move it as well. */
static lg_status check_configuration(lg_error *e, const lg_model *M, const double *g0)
{
    const lg_system *S = &M->system;
    static const double t = 0;
    const lg_call call = lg_system_call(S, &t, NULL);
    lg_status status = LG_OK;
    double *phi;
    int given = 0;
    for (int i = 0; i < M->columns; i++) given |= !isnan(M->initial[i]);
    if (!given || S->callbacks.holonomic_count == 0) return LG_OK;
    phi = calloc((size_t)S->callbacks.holonomic_count, sizeof *phi);
    if (phi == NULL) return lg_fail(e, LG_ERROR_MEMORY, "out of memory");
    if (S->callbacks.holonomic(&call, g0, phi) == 0) { /* what it has to say is said by the start */
        for (int i = S->callbacks.holonomic_count - 1; i >= 0; i--) {
            if (fabs(phi[i]) <= POSITION_TOLERANCE) continue;
            status =
                lg_fail(e, LG_ERROR_INCONSISTENT,
                        "the initial configuration of %s violates holonomic constraint %d: phi = %.6g, expected 0; "
                        "set project = 1 to project it",
                        M->definition->name, i + 1, phi[i]);
        }
    }
    free(phi);
    return status;
}

lg_status lg_run_initial(lg_model *M, int *project, double *g0, double *xi0, lg_error *e)
{
    int given = 0;
    lg_status status = lg_model_initial(M, g0, xi0, &given);
    if (status != LG_OK) return lg_fail(e, status, "%s", lg_model_message(M));
    if (*project) return LG_OK;
    *project = !given;
    return check_configuration(e, M, g0);
}

lg_status lg_run_begin(lg_integrator **it, lg_model *M, const lg_run_options *o, double h, lg_error *e)
{
    const lg_system *S = NULL;
    int project = o->project;
    double *g0;
    lg_status status;
    *it = NULL;
    status = lg_model_system(M, &S);
    if (status != LG_OK) return lg_fail(e, status, "%s", lg_model_message(M));
    if (o->control != NULL && S->callbacks.control_count == 0) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_run: control is set, but %s has no controls", M->definition->name);
    }
    g0 = malloc((size_t)(M->group->element_size + M->n) * sizeof *g0);
    if (g0 == NULL) return lg_fail(e, LG_ERROR_MEMORY, "out of memory");
    status = lg_run_initial(M, &project, g0, g0 + M->group->element_size, e);
    if (status == LG_OK) {
        status = lg_integrator_create(it, S, o->method, o->retraction, h);
        if (status == LG_OK && o->tolerance != 0) status = lg_integrator_set_tolerance(*it, o->tolerance);
        if (status == LG_OK) status = lg_integrator_start(*it, 0.0, g0, g0 + M->group->element_size, o->start, project);
        if (status != LG_OK)
            (void)lg_fail(e, status, "%s", *it != NULL ? lg_integrator_message(*it) : lg_status_text(status));
    }
    free(g0);
    return status;
}

lg_status lg_run_advance(lg_integrator *it, const lg_run_options *o, double *control, lg_error *e)
{
    lg_status status = LG_OK;
    if (o->control != NULL) {
        const int code = o->control(it, control, o->control_context);
        if (code != 0) {
            return lg_fail(e, LG_ERROR_CALLBACK, "lg_run: the controls' callback returned %d before step %lld", code,
                           (long long)lg_integrator_step_index(it) + 1);
        }
        status = lg_integrator_set_control(it, control);
    }
    if (status == LG_OK) status = lg_integrator_step(it);
    return status == LG_OK ? LG_OK : lg_fail(e, status, "%s", lg_integrator_message(it));
}

lg_status lg_run_advance_by(lg_integrator *it, const lg_run_options *o, int64_t steps, lg_error *e)
{
    double *control = calloc((size_t)lg_integrator_system(it)->callbacks.control_count + 1, sizeof *control);
    lg_status status = control != NULL ? LG_OK : lg_fail(e, LG_ERROR_MEMORY, "out of memory");
    for (int64_t k = 0; status == LG_OK && k < steps; k++) status = lg_run_advance(it, o, control, e);
    free(control);
    return status;
}

int lg_run_is_numeric(lg_status status)
{
    return status == LG_ERROR_CONVERGENCE || status == LG_ERROR_DOMAIN || status == LG_ERROR_SINGULAR ||
           status == LG_ERROR_NOT_FINITE || status == LG_ERROR_CALLBACK;
}
