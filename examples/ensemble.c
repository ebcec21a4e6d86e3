/* SPDX-License-Identifier: BSD-3-Clause */
/* A thousand rollouts of a hovercraft on SE(2) under random thrusts that change every second: which of them ends
 * nearest to a landing place? Each has its own drag; one that leaves the field is stopped. The best one is repeated
 * alone and ends with the same bits. */
#include <liegrp/liegrp.h>

#include <math.h>
#include <stdio.h>

enum { MASS, INERTIA, DRAG };
enum { ROLLOUTS = 1000, SECONDS = 8, STEPS = 20, CONTROLS = 2 };

static const lg_parameter parameters[] = {
    {"m", "kg", "mass", 1, 0, INFINITY, 1},
    {"I", "kg m^2", "moment of inertia", 0.2, 0, INFINITY, 1},
    {"drag", "1/s", "force and torque of the air by velocity", 0.3, 0, INFINITY, 0},
};

static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    const double *param = c->param;
    (void)rows, (void)why;
    J[0] = J[4] = param[MASS];
    J[8] = param[INERTIA];
    return 0;
}

static int initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c, (void)xi0;
    g0[2] = 1; /* at the origin, at rest, along x */
    return 0;
}

/* Thrust along the craft and torque, for L instances: value i of instance l is at [i * L + l]. */
static int force(const lg_call *c, const double *g, const double *xi, double *f)
{
    const int L = c->lanes;
    (void)g;
    for (int l = 0; l < L; l++) {
        const double drag = c->param[DRAG * L + l];
        f[l] = c->control[l] - drag * xi[l];
        f[L + l] = -drag * xi[L + l];
        f[2 * L + l] = c->control[L + l] - drag * xi[2 * L + l];
    }
    return 0;
}

static const lg_model_definition hovercraft = {
    .size = sizeof(lg_model_definition),
    .name = "hovercraft",
    .group = lg_se2,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .parameters = parameters,
    .configure = configure,
    .initial = initial,
    .step = 1.0 / STEPS,
    .callbacks = {.force = force, .control_count = CONTROLS, .lanes = 1},
};

static double thrust[SECONDS][ROLLOUTS * CONTROLS]; /* for every second, one rollout after the other */

static lg_status choose(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)mo, (void)context;
    return lg_model_set(M, "drag", 0.2 + 0.2 * (double)i / ROLLOUTS);
}

/* Called by several threads, in the order of the steps for each instance. */
static int watch(int64_t i, const lg_motion *mo, void *context)
{
    double g[4];
    (void)i, (void)context;
    if (lg_motion_state(mo, g, NULL, NULL) != LG_OK) return 1;
    return fabs(g[0]) > 10 || fabs(g[1]) > 10;
}

static lg_status fly(lg_ensemble *E)
{
    lg_status status = lg_ensemble_set_all(E, choose, NULL);
    for (int k = 0; k < SECONDS && status == LG_OK; k++) {
        status = lg_ensemble_set_controls(E, 0, thrust[k], ROLLOUTS);
        if (status == LG_OK) status = lg_ensemble_run(E, STEPS, 1, watch, NULL);
    }
    return status;
}

static double miss(const double *g)
{
    return hypot(g[0] - 4, g[1] - 3);
}

/* The element that the best rollout still in the field has reached. */
static int64_t choose_best(const lg_ensemble *E, double *g)
{
    int64_t best = -1;
    double other[4];
    for (int64_t i = 0; i < ROLLOUTS; i++) {
        if (lg_ensemble_status(E, i) != LG_OK || lg_ensemble_state(E, NULL, other, NULL, i) != LG_OK) continue;
        if (best >= 0 && miss(other) >= miss(g)) continue;
        best = i;
        for (int k = 0; k < 4; k++) g[k] = other[k];
    }
    return best;
}

/* Runs instance i alone; 1: it ends elsewhere. */
static int again(lg_model *M, int64_t i, const double *g)
{
    lg_motion_options o = lg_motion_options_default();
    lg_motion *mo = NULL;
    double alone[4];
    o.retraction = "cayley";
    int bad = choose(i, M, NULL, NULL) != LG_OK || lg_motion_create(&mo, M, &o) != LG_OK ||
              lg_motion_start(mo, 0, NULL, 0) != LG_OK;
    for (int k = 0; k < SECONDS && !bad; k++)
        bad = lg_motion_set_control(mo, thrust[k] + i * CONTROLS) != LG_OK || lg_motion_step(mo, STEPS) != LG_OK;
    bad = bad || lg_motion_state(mo, alone, NULL, NULL) != LG_OK;
    for (int k = 0; k < 4 && !bad; k++) bad = alone[k] != g[k];
    lg_motion_destroy(mo);
    return bad;
}

int main(void)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E = NULL;
    lg_model *M = NULL;
    lg_rng rng = {1};
    double g[4] = {0};
    int64_t best = -1;
    int bad = 1;
    for (int k = 0; k < SECONDS; k++)
        for (int j = 0; j < ROLLOUTS * CONTROLS; j++)
            thrust[k][j] = (j % CONTROLS ? 0.2 : 1) * (2 * lg_rng_uniform(&rng) - 1);
    o.retraction = "cayley";
    if (lg_model_create(&M, &hovercraft) != LG_OK)
        fprintf(stderr, "%s\n", lg_model_message(M));
    else if (lg_ensemble_create(&E, M, ROLLOUTS, &o) != LG_OK || fly(E) != LG_OK)
        fprintf(stderr, "%s\n", lg_ensemble_message(E));
    else
        best = choose_best(E, g);
    if (best >= 0) {
        bad = again(M, best, g);
        printf("%lld of %d left the field; number %lld lands at (%.3f, %.3f), %.3f m off%s\n",
               (long long)lg_ensemble_retired(E), ROLLOUTS, (long long)best, g[0], g[1], miss(g),
               bad ? ", but alone it does not" : "");
    }
    lg_ensemble_destroy(E);
    lg_model_destroy(M);
    return bad;
}
