/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart: a body on the plane, and wheels that do not slip sideways. */
#include <liegrp/liegrp.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    const double m = 1, I = 0.3, a = 0.2; /* mass a ahead of the axle */
    const double inertia[9] = {m, 0, 0, 0, m, m * a, 0, m * a, I + m * a * a};
    const double wheels[3] = {0, 1, 0}; /* sideways velocity = 0 */
    const double g0[4] = {0, 0, 1, 0};  /* x, y, cos, sin */
    const double xi0[3] = {-0.6, 0, 1}; /* forward, sideways, turning */
    lg_system S = lg_system_default(lg_se2());
    S.inertia = inertia;
    S.constraint_count = 1;
    S.covector_matrix = wheels;
    lg_integrator *it = NULL;
    lg_status st = lg_integrator_create(&it, &S, "sem", "exp", 0.02);
    if (st == LG_OK)
        st = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0);
    double slip = 0;
    for (int k = 0; k < 1000 && st == LG_OK; k++) {
        st = lg_integrator_step(it);
        slip = fmax(slip, lg_integrator_constraint_residual(it));
    }
    const double *g = lg_integrator_configuration(it);
    if (st == LG_OK)
        printf("t = %.0f: at (%.6f, %.6f), H = %.12f, slip below 1e-15: %s\n",
               lg_integrator_time(it), g[0], g[1], lg_integrator_energy(it),
               slip < 1e-15 ? "yes" : "no");
    else
        fprintf(stderr, "%s\n", lg_integrator_message(it));
    lg_integrator_destroy(it);
    return st != LG_OK;
}
