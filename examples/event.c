/* SPDX-License-Identifier: BSD-3-Clause */
/* When does a ball that rolls on a turntable leave it? The step that would cross the rim is repeated with a smaller
 * size, so that it ends there: the rolling constraint holds at the rim as everywhere else. */
#include <liegrp/liegrp.h>

#include <math.h>
#include <stdio.h>

/* f > 0: beyond the rim, whose radius is the context. */
static int beyond(const lg_call *c, const double *g, const double *xi, double *f)
{
    const double *radius = c->context;
    (void)xi; /* g = (x, y, quaternion) */
    *f = g[0] * g[0] + g[1] * g[1] - *radius * *radius;
    return 0;
}

/* Follows the ball to the rim and prints where it leaves. */
static lg_status follow(lg_integrator *it, const lg_event *rim)
{
    int found = 0;
    lg_status status = LG_OK;
    double t, g[6];
    while (status == LG_OK && !found && lg_integrator_time(it) < 100)
        status = lg_integrator_step_to_event(it, &found, rim);
    if (status != LG_OK || !found) return status;
    const double *end = lg_integrator_configuration(it);
    printf("leaves at t = %.9f, step %lld, (x, y) = (%.6f, %.6f)\n", lg_integrator_time(it),
           (long long)lg_integrator_step_index(it), end[0], end[1]);
    printf("|r - R| = %.0e, |mu (xi - Y)| = %.0e\n", fabs(hypot(end[0], end[1]) - *(const double *)rim->context),
           lg_integrator_constraint_residual(it));
    status = lg_integrator_interpolate(it, &t, g, NULL, 0.5); /* for drawing: the middle of the last step */
    if (status == LG_OK) printf("on the way, t = %.9f: (x, y) = (%.6f, %.6f)\n", t, g[0], g[1]);
    return status;
}

int main(void)
{
    const double radius = 3;
    lg_event rim = lg_event_default(beyond, &radius);
    rim.direction = LG_CROSSING_UP;
    const lg_system *S = NULL;
    double g0[6], xi0[5];
    lg_model *ball = NULL;
    lg_integrator *it = NULL;
    lg_status status = lg_catalog_create(&ball, "rolling-ball");
    if (status == LG_OK) status = lg_model_system(ball, &S);
    if (status == LG_OK) status = lg_model_initial(ball, g0, xi0, NULL);
    if (status != LG_OK) {
        fprintf(stderr, "%s\n", lg_model_message(ball));
        lg_model_destroy(ball);
        return 1;
    }
    status = lg_integrator_create(&it, S, "sem", "exp", 0.05);
    if (status == LG_OK) status = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0);
    if (status == LG_OK) status = follow(it, &rim);
    if (status != LG_OK) fprintf(stderr, "%s\n", lg_integrator_message(it));
    lg_integrator_destroy(it);
    lg_model_destroy(ball);
    return status != LG_OK;
}
