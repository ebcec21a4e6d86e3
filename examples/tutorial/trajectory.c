/* SPDX-License-Identifier: BSD-3-Clause */
/* Where exactly is the sleigh after ten seconds? */
#include <liegrp/liegrp.h>
#include <math.h>
#include <stdio.h>

/* The state at t = 10, and how many steps it took. */
static lg_status arrive(double *g, const char *method, double h, double tol)
{
    lg_model *sleigh = NULL;
    const lg_system *S = NULL;
    lg_integrator *it = NULL;
    double g0[4], xi0[3];
    lg_status st = lg_catalog_create(&sleigh, "chaplygin-sleigh");
    if (st == LG_OK) st = lg_model_system(sleigh, &S);
    if (st == LG_OK) st = lg_model_initial(sleigh, g0, xi0, NULL);
    if (st == LG_OK) st = lg_integrator_create(&it, S, method, "exp", h);
    if (st == LG_OK && tol > 0) st = lg_integrator_set_tolerance(it, tol);
    if (st == LG_OK)
        st = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0);
    const int steps = (int)lround(10 / h);
    for (int k = 0; k < steps && st == LG_OK; k++) st = lg_integrator_step(it);
    for (int i = 0; i < 4 && st == LG_OK; i++)
        g[i] = lg_integrator_configuration(it)[i];
    if (st != LG_OK) fprintf(stderr, "%s\n", lg_integrator_message(it));
    lg_integrator_destroy(it);
    lg_model_destroy(sleigh);
    return st;
}

int main(void)
{
    double truth[4], g[4];
    lg_status st = arrive(truth, "gauss", 0.1, 1e-12);
    printf("gauss        (%.9f, %.9f)\n", truth[0], truth[1]);
    for (double h = 0.1; h > 0.02 && st == LG_OK; h /= 2) {
        st = arrive(g, "sem", h, 0);
        printf("sem %-7g  (%.9f, %.9f), off by %.1e\n", h, g[0], g[1],
               hypot(g[0] - truth[0], g[1] - truth[1]));
    }
    return st != LG_OK;
}
