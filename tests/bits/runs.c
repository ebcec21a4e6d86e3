/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs: every system of the catalog under every method, composition and retraction that takes it, some instances with
 * parameters and initial velocities of their own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"

enum { COUNT = 11, STEPS = 8, FIGURES = 4 + 3 * BITS_NUMBERS };

typedef struct setup {
    const lg_model_definition *system;
    const char *method, *retraction;
} setup;

/* ---- instances ---- */

static double around(lg_rng *rng, double size)
{
    return size * (2 * lg_rng_uniform(rng) - 1);
}

/* Every parameter up to 2 % off its default, where that makes a system; velocities too. */
static lg_status vary(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    const lg_model_definition *d = lg_model_describe(M);
    lg_rng rng = {977 + (uint64_t)i};
    double g[BITS_NUMBERS], xi[BITS_NUMBERS], before;
    const lg_system *S = NULL;
    (void)mo, (void)context;
    for (int k = 0; k < d->parameter_count; k++) {
        const char *name = d->parameters[k].name;
        const double factor = 1 + around(&rng, 0.02);
        lg_status status = lg_model_get(M, &before, name);
        if (status != LG_OK) return status;
        if (lg_model_set(M, name, before * factor) == LG_OK && lg_model_system(M, &S) == LG_OK) continue;
        if ((status = lg_model_set(M, name, before)) != LG_OK) return status;
    }
    lg_status status = lg_model_system(M, &S);
    if (status == LG_OK) status = lg_model_initial(M, g, xi, NULL);
    for (int k = 0; status == LG_OK && k < lg_group_dim(S->group); k++) {
        char name[16];
        snprintf(name, sizeof name, "xi_%d", k + 1);
        status = lg_model_set_initial(M, name, xi[k] + around(&rng, 0.05));
    }
    return status;
}

/* ---- what an instance ends with ---- */

static double figures[COUNT][FIGURES];
static int figure_count;

/* t, g, p~, xi, energy, residual of the constraints, steps. */
static int read_end(int64_t i, const lg_motion *mo, void *context)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    const size_t n = (size_t)lg_group_dim(lg_integrator_group(it)),
                 e = (size_t)lg_group_element_size(lg_integrator_group(it));
    double *f = figures[i], xi[BITS_NUMBERS];
    (void)context;
    lg_status_ignore(lg_integrator_velocity(it, xi));
    f[0] = lg_integrator_time(it), f[1] = (double)lg_integrator_step_index(it), f[2] = lg_integrator_energy(it),
    f[3] = lg_integrator_constraint_residual(it);
    memcpy(f + 4, lg_integrator_configuration(it), e * sizeof *f);
    memcpy(f + 4 + e, lg_integrator_momentum(it), n * sizeof *f);
    memcpy(f + 4 + e + n, xi, n * sizeof *f);
    if (i == 0) figure_count = (int)(4 + e + 2 * n); /* the same for all */
    return 0;
}

static lg_status alone(lg_model *M, const setup *x, int64_t i)
{
    lg_motion_options o = lg_motion_options_default();
    lg_motion *mo = NULL;
    o.method = x->method, o.retraction = x->retraction;
    lg_status status = lg_motion_create(&mo, M, &o);
    if (status == LG_OK) status = lg_motion_start(mo, 0, NULL, 1);
    const int started = status == LG_OK;
    if (started) status = lg_motion_step(mo, STEPS);
    if (started) (void)read_end(i, mo, NULL);
    lg_motion_destroy(mo);
    return status;
}

/* 0: the method or the retraction refuses the system. */
static int one_by_one(const setup *x, lg_status *end)
{
    for (int64_t i = 0; i < COUNT; i++) {
        lg_model *M = NULL;
        lg_status status = lg_model_create(&M, x->system);
        if (status == LG_OK) status = vary(i, M, NULL, NULL);
        end[i] = status == LG_OK ? alone(M, x, i) : status;
        lg_model_destroy(M);
        if (i == 0 && end[i] == LG_ERROR_UNSUPPORTED) return 0;
    }
    return 1;
}

static int together(const setup *x, const bits_ways *ways, lg_status *end)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_model *M = NULL;
    lg_ensemble *E = NULL;
    o.method = x->method, o.retraction = x->retraction, o.width = ways->width, o.threads = ways->threads, o.project = 1;
    lg_status status = lg_model_create(&M, x->system);
    if (status == LG_OK) status = lg_ensemble_create(&E, M, COUNT, &o);
    if (status == LG_OK) status = lg_ensemble_set_all(E, vary, NULL);
    if (status == LG_OK) status = lg_ensemble_run(E, STEPS / 2, 1, NULL, NULL);
    if (status == LG_OK) status = lg_ensemble_run(E, STEPS - STEPS / 2, 1, NULL, NULL);
    if (status == LG_OK) status = lg_ensemble_visit(E, read_end, NULL);
    for (int64_t i = 0; i < COUNT; i++) end[i] = status == LG_OK ? lg_ensemble_status(E, i) : status;
    lg_ensemble_destroy(E);
    lg_model_destroy(M);
    return status != LG_ERROR_UNSUPPORTED;
}

static void one_line(const setup *x, const bits_ways *ways)
{
    char words[120];
    lg_status end[COUNT];
    uint64_t digest = bits_none();
    if (!bits_wanted(ways)) return;
    memset(figures, 0, sizeof figures);
    figure_count = 0;
    if (!(ways->width == 0 ? one_by_one(x, end) : together(x, ways, end))) return;
    for (int i = 0; i < COUNT; i++) {
        const double status = end[i];
        bits_instance(end[i] == LG_OK);
        bits_fold(&digest, &status, 1);
        bits_fold(&digest, figures[i], (size_t)figure_count);
    }
    snprintf(words, sizeof words, "run %s %s %s", x->system->name, x->method, x->retraction);
    bits_line(words, digest);
}

static void all_methods(const lg_model_definition *system, const bits_ways *ways)
{
    static const char *const retractions[] = {"exp", "cayley", "second-kind", "exp:order=4"};
    static const char *const composed[] = {"sem@suzuki4",   "gni@yoshida4",         "nsv@kahan-li6",
                                           "sem@kahan-li8", "dla@yoshida4",         "smv@suzuki4",
                                           "sem:gauss=1",   "variational@yoshida4", NULL};
    for (int list = 0; list < 2; list++)
        for (const char *const *method = list == 0 ? lg_method_names() : composed; *method != NULL; method++)
            for (int r = 0; r < 4; r++) {
                const setup x = {system, *method, retractions[r]};
                one_line(&x, ways);
            }
}

void bits_of_runs(const bits_ways *ways)
{
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++)
        all_methods(lg_catalog_definition(*name), ways);
    all_methods(&bits_large, ways);
    all_methods(&bits_wheel, ways);
}
