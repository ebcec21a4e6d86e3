/* SPDX-License-Identifier: BSD-3-Clause */
/* The first program of a new user: a rotation, and a run of a system of the catalog. Prints only the version if all is
 * well. */
#include <liegrp/liegrp.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STRING_(x)     #x
#define STRING(x)      STRING_(x)
#define HEADER_VERSION STRING(LG_VERSION_MAJOR) "." STRING(LG_VERSION_MINOR) "." STRING(LG_VERSION_PATCH)

/* log(exp(w)) = w. */
static int rotation(void)
{
    const double w[3] = {0.3, -0.2, 0.5};
    double q[4], v[3];
    if (lg_group_exp(lg_so3(), q, w) != LG_OK || lg_group_log(lg_so3(), v, q) != LG_OK) return 0;
    return fabs(v[0] - w[0]) + fabs(v[1] - w[1]) + fabs(v[2] - w[2]) < 1e-14;
}

/* A group that needs LAPACKE. */
static int quadratic(void)
{
    lg_group *G = NULL;
    double g[16], x[6] = {0.1, 0.2, -0.3, 0.4, 0.5, -0.6};
    const int good =
        lg_group_create_so(&G, 4) == LG_OK && lg_group_exp(G, g, x) == LG_OK && lg_group_is_valid(G, g, 1e-13);
    lg_group_destroy(G);
    return good;
}

static int ball(void)
{
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    lg_run_result result = lg_run_result_default();
    lg_run_options options = lg_run_options_default();
    options.steps = 10;
    const int good = lg_catalog_create(&M, "rolling-ball") == LG_OK && lg_motion_create(&mo, M, NULL) == LG_OK &&
                     lg_motion_start(mo, 0, NULL, 0) == LG_OK && lg_run(mo, &result, &options) == LG_OK &&
                     result.steps == 10 && result.constraint < 1e-12;
    if (!good) fprintf(stderr, "%s %s\n", lg_motion_message(mo), result.message);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    return good;
}

int main(void)
{
    if (!rotation() || !quadratic() || !ball()) return 1;
    if (strcmp(lg_version(), HEADER_VERSION) != 0) return 1; /* the headers are another version's */
    puts(lg_version());
    return 0;
}
