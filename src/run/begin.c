/* SPDX-License-Identifier: BSD-3-Clause */
/* What starts, ensembles and measurements of orders share: initial data that are checked or projected, motions that
 * have arrived somewhere. */
#include "run/begin.h"

#include <math.h>
#include <stdlib.h>

#include "run/model_private.h"

/* |phi| above which an initial configuration that was given is refused. */
#define POSITION_TOLERANCE 1e-9

/* Given initial data are checked here, since the start, which projects the default velocity, would move them too. */
lg_status lg_run_check_configuration(lg_error *e, const lg_model *M, const double *columns, const double *g0)
{
    const lg_system *S = &M->system;
    static const double t = 0;
    const lg_call call = lg_system_call(S, &t, NULL);
    lg_status status = LG_OK;
    double *phi;
    int given = 0;
    for (int i = 0; i < M->columns; i++) given |= !isnan(columns[i]);
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

lg_status lg_run_arrive(lg_motion **motion, lg_model *M, const lg_run_course *course, double h, int64_t steps,
                        lg_error *e)
{
    lg_motion_options o = *course->o;
    o.step = h;
    lg_status status = lg_motion_create(motion, M, &o);
    if (status == LG_OK) status = lg_motion_start(*motion, 0, NULL, course->project);
    if (status == LG_OK) status = lg_motion_step(*motion, steps);
    if (status == LG_OK) return LG_OK;
    return lg_fail(e, status, "%s", *motion != NULL ? lg_motion_message(*motion) : lg_status_text(status));
}

int lg_run_is_numeric(lg_status status)
{
    return status == LG_ERROR_CONVERGENCE || status == LG_ERROR_DOMAIN || status == LG_ERROR_SINGULAR ||
           status == LG_ERROR_NOT_FINITE || status == LG_ERROR_CALLBACK;
}
