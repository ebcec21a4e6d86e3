/* SPDX-License-Identifier: BSD-3-Clause */
/* The Chaplygin sleigh, a body on the plane whose blade does not slip sideways, as a system of your own. */
#include <liegrp/liegrp.h>
#include <stdio.h>

int main(void)
{
    const double m = 1, I = 1, a = 0.2; /* the centre of mass lies a ahead of the blade */
    const double inertia[9] = {m, 0, 0, 0, m, m * a, 0, m * a, I + m * a * a}, blade[3] = {0, 1, 0};
    const double g0[4] = {0, 0, 1, 0};  /* x, y, cos, sin */
    const double xi0[3] = {-0.6, 0, 1}; /* velocity along the blade, across it, turning */
    lg_system S = lg_system_default(lg_se2());
    S.inertia = inertia, S.constraint_count = 1, S.covector_matrix = blade;
    lg_integrator *it = NULL;
    lg_status st = lg_integrator_create(&it, &S, "sem", "cayley", 0.01);
    if (st == LG_OK) st = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0);
    while (st == LG_OK && lg_integrator_time(it) < 10) st = lg_integrator_step(it);
    if (st != LG_OK)
        fprintf(stderr, "%s\n", lg_integrator_message(it));
    else
        printf("x = %.6f, H = %.6f, drift sideways %.0e\n", *lg_integrator_configuration(it), lg_integrator_energy(it),
               lg_integrator_constraint_residual(it));
    lg_integrator_destroy(it);
    return st != LG_OK;
}
