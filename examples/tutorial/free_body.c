/* SPDX-License-Identifier: BSD-3-Clause */
/* A free body that turns about its middle axis, and tumbles. */
#include <liegrp/liegrp.h>
#include <stdio.h>

/* Makes the steps, and prints the velocity every two seconds. */
static lg_status tumble(lg_integrator *it)
{
    lg_status st = LG_OK;
    double xi[3];
    for (int k = 0; k <= 200 && st == LG_OK; k++) {
        st = lg_integrator_velocity(it, xi);
        if (st == LG_OK && k % 40 == 0)
            printf("t = %4.1f: velocity (%7.4f, %7.4f, %7.4f), H = %.12f\n",
                   lg_integrator_time(it), xi[0], xi[1], xi[2],
                   lg_integrator_energy(it));
        if (st == LG_OK && k < 200) st = lg_integrator_step(it);
    }
    return st;
}

int main(void)
{
    const double inertia[3] = {1, 2, 3};  /* about the axes of the body */
    const double g0[4] = {0, 0, 0, 1};    /* attitude: x, y, z, w */
    const double xi0[3] = {0.01, 2, 0.0}; /* angular velocity in the body */
    lg_system S = lg_system_default(lg_so3());
    S.inertia_diagonal = inertia;
    lg_integrator *it = NULL;
    lg_status st = lg_integrator_create(&it, &S, "sem", "exp", 0.05);
    if (st == LG_OK)
        st = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0);
    if (st == LG_OK) st = tumble(it);
    if (st != LG_OK) fprintf(stderr, "%s\n", lg_integrator_message(it));
    lg_integrator_destroy(it);
    return st != LG_OK;
}
