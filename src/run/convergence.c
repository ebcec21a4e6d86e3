/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors over steps that are halved, and the slopes through those that say something. */
#include <liegrp/run/convergence.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/begin.h"
#include "run/model_private.h"
#include "run/reference.h"

/* An error of a method must be this many times the reference's own, or its slope is the reference's. */
#define ABOVE_REFERENCE 10
/* Rounding of a run relative to the scale: that of one step, which a run adds up at random. */
#define ROUNDING 1e-14

/* One step size: its errors, their floors, or why there are none. */
static lg_status measure(lg_convergence_level *level, lg_model *M, const lg_reference *R, const lg_run_options *o)
{
    lg_error error = {LG_OK, ""};
    lg_integrator *it = NULL;
    lg_status status = lg_run_begin(&it, M, o, level->step, &error);
    if (status == LG_OK) status = lg_run_advance_by(it, o, level->steps, &error);
    for (int i = 0; i < R->columns; i++) {
        const lg_convergence_column *c = &R->column[i];
        level->error[i] = NAN;
        level->floor[i] = ABOVE_REFERENCE * c->error + ROUNDING * sqrt((double)level->steps) * c->scale;
    }
    if (status == LG_OK) {
        const size_t n = (size_t)M->n, size = (size_t)M->group->element_size;
        lg_end_state end = {malloc((size + n) * sizeof *end.g), NULL, lg_integrator_energy(it)};
        if (end.g == NULL) {
            status = lg_fail(&error, LG_ERROR_MEMORY, "out of memory");
        } else {
            end.p = end.g + size;
            memcpy(end.g, lg_integrator_configuration(it), size * sizeof *end.g);
            memcpy(end.p, lg_integrator_momentum(it), n * sizeof *end.p);
            lg_reference_compare(R, level->error, &end, &R->state);
        }
        free(end.g);
    }
    level->status = status;
    if (status != LG_OK) memcpy(level->message, error.message, sizeof level->message);
    lg_integrator_destroy(it);
    return status;
}

/* Slope of least squares of log(error) over log(h) in column i; marks what it goes through. */
static double slope(lg_convergence *c, int i)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    int used = 0;
    for (int k = 0; k < c->levels; k++) {
        lg_convergence_level *level = &c->level[k];
        if (isnan(level->error[i])) continue; /* this step was too large */
        if (!(level->error[i] > level->floor[i])) break;
        level->used[i] = 1;
        x += log(fabs(level->step));
        y += log(level->error[i]);
        used++;
    }
    if (used < 2) return NAN;
    x /= used;
    y /= used;
    for (int k = 0; k < c->levels; k++) {
        const lg_convergence_level *level = &c->level[k];
        if (!level->used[i]) continue;
        xx += (log(fabs(level->step)) - x) * (log(fabs(level->step)) - x);
        xy += (log(fabs(level->step)) - x) * (log(level->error[i]) - y);
    }
    return xy / xx;
}

static lg_status convergence_check(const lg_model *M, const lg_reference *R, const lg_run_options *o, int levels,
                                   lg_error *e)
{
    lg_status status;
    if (M == NULL || M->definition == NULL || R == NULL || o == NULL) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_convergence_measure: %s",
                       M == NULL || R == NULL || o == NULL ? "a pointer is NULL" : lg_model_message(M));
    }
    if (R->error.status != LG_OK || R->state.g == NULL) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_convergence_measure: this reference failed: %.200s", R->error.message);
    }
    if (levels < 2 || levels > LG_CONVERGENCE_LEVELS) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "levels must be from 2 to %d, got %d", LG_CONVERGENCE_LEVELS, levels);
    }
    status = lg_reference_check(o, e);
    if (status != LG_OK) return status;
    if (M->group != R->group) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_convergence_measure: the reference is that of another model");
    }
    const double h = lg_run_step(M, o);
    if (!(fabs(h * (double)o->steps - R->time) <= 1e-12 * fabs(R->time))) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "%lld steps of %g do not end at the reference's t = %g",
                       (long long)o->steps, h, R->time);
    }
    return LG_OK;
}

lg_status lg_convergence_measure(lg_model *M, lg_convergence *c, const lg_reference *R, const lg_run_options *given,
                                 int levels)
{
    lg_error error = {LG_OK, ""};
    lg_run_options own;
    lg_status status;
    if (c == NULL) return LG_ERROR_ARGUMENT;
    const lg_run_options *options = given != NULL ? &own : NULL;
    memset(c, 0, sizeof *c);
    for (int i = 0; i < LG_CONVERGENCE_COLUMNS; i++) c->order[i] = NAN;
    status = given != NULL ? lg_run_options_take(&own, given, &error) : LG_OK;
    if (status == LG_OK) status = convergence_check(M, R, options, levels, &error);
    if (status != LG_OK) {
        memcpy(c->message, error.message, sizeof c->message);
        return status;
    }
    c->columns = R->columns;
    c->levels = levels;
    for (int k = 0; k < levels; k++) {
        lg_convergence_level *level = &c->level[k];
        level->steps = options->steps << k;
        level->step = R->time / (double)level->steps;
        status = measure(level, M, R, options);
        if (status == LG_OK || lg_run_is_numeric(status)) continue;
        memcpy(c->message, level->message, sizeof c->message);
        return status;
    }
    for (int i = 0; i < c->columns; i++) c->order[i] = slope(c, i);
    return LG_OK;
}

/* The configuration after `steps` steps of h. */
static lg_status arrive(double *g, lg_model *M, const lg_run_options *o, double h, int64_t steps)
{
    lg_error error = {LG_OK, ""};
    lg_integrator *it = NULL;
    lg_status status = lg_run_begin(&it, M, o, h, &error);
    if (status == LG_OK) status = lg_run_advance_by(it, o, steps, &error);
    if (status == LG_OK) memcpy(g, lg_integrator_configuration(it), (size_t)M->group->element_size * sizeof *g);
    lg_integrator_destroy(it);
    return status;
}

double lg_run_observed_order(lg_model *M, const lg_run_options *given)
{
    lg_error error = {LG_OK, ""};
    lg_run_options own;
    const lg_run_options *options = &own;
    lg_status status;
    double *g, coarse = NAN, fine = NAN;
    if (M == NULL || M->definition == NULL || given == NULL) return NAN;
    if (lg_run_options_take(&own, given, &error) != LG_OK || lg_run_check(options, &error) != LG_OK) return NAN;
    const size_t size = (size_t)M->group->element_size;
    const double h = lg_run_step(M, options);
    g = malloc(3 * size * sizeof *g);
    if (g == NULL) return NAN;
    status = arrive(g, M, options, h, options->steps);
    if (status == LG_OK) status = arrive(g + size, M, options, h / 2, 2 * options->steps);
    if (status == LG_OK) status = arrive(g + 2 * size, M, options, h / 4, 4 * options->steps);
    if (status == LG_OK) status = lg_group_distance(M->group, &coarse, g, g + size);
    if (status == LG_OK) status = lg_group_distance(M->group, &fine, g + size, g + 2 * size);
    free(g);
    return status == LG_OK ? log2(coarse / fine) : NAN;
}
