/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_walk SYSTEM METHOD RETRACTION H STEPS: only these steps, whose instructions instructions.sh counts. */
#include <stdio.h>
#include <stdlib.h>

#include <liegrp/liegrp.h>

int main(int argc, char **argv)
{
    double g0[64], xi0[64];
    const lg_system *S;
    lg_model *M = NULL;
    lg_integrator *it = NULL;
    int bad = argc != 6 || lg_catalog_create(&M, argv[1]) != LG_OK || lg_model_system(M, &S) != LG_OK ||
              lg_model_initial(M, g0, xi0, NULL) != LG_OK ||
              lg_integrator_create(&it, S, argv[2], argv[3], atof(argv[4])) != LG_OK ||
              lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1) != LG_OK ||
              lg_integrator_run(it, atol(argv[5]), 1, NULL, NULL) != LG_OK;
    if (bad)
        fprintf(stderr, "bench_walk: %s\n",
                it != NULL ? lg_integrator_message(it) : "SYSTEM METHOD RETRACTION H STEPS");
    lg_integrator_destroy(it);
    lg_model_destroy(M);
    return bad;
}
