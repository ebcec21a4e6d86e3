/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors over steps that are halved, and the slopes through those that say something. */
#include <liegrp/run/convergence.h>
#include <liegrp/run/run.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/begin.h"
#include "run/engine.h"
#include "run/model_private.h"
#include "run/reference.h"

/* An error of a method must be this many times the reference's own, or its slope is the reference's. */
#define ABOVE_REFERENCE 10
/* Rounding of a run relative to the scale: that of one step, which a run adds up at random. */
#define ROUNDING 1e-14

/* One step size: its errors and their floors, or the reason of a failure. */
static lg_status measure(lg_convergence_level *level, lg_model *M, const lg_reference *R, const lg_motion_options *o)
{
    const size_t n = (size_t)R->group->dim, size = (size_t)R->group->element_size;
    const lg_run_course course = {o, R->project};
    lg_error error = {LG_OK, ""};
    lg_motion *mo = NULL;
    lg_end_state end = {malloc((size + n) * sizeof *end.g), NULL, NAN};
    lg_status status = lg_run_arrive(&mo, M, &course, level->step, level->steps, &error);
    if (end.g == NULL) status = lg_fail(&error, LG_ERROR_MEMORY, "out of memory");
    for (int i = 0; i < R->columns; i++) {
        const lg_convergence_column *c = &R->column[i];
        level->error[i] = NAN;
        level->floor[i] = ABOVE_REFERENCE * c->error + ROUNDING * sqrt((double)level->steps) * c->scale;
    }
    if (status == LG_OK) {
        end.p = end.g + size;
        end.energy = lg_motion_energy(mo);
        lg_status_ignore(lg_motion_state(mo, end.g, NULL, end.p));
        lg_reference_compare(R, level->error, &end, &R->state);
    }
    free(end.g);
    level->status = status;
    if (status != LG_OK) memcpy(level->message, error.message, sizeof level->message);
    lg_motion_destroy(mo);
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

static lg_status convergence_check(lg_model *M, const lg_reference *R, const lg_motion_options *o, int64_t steps,
                                   int levels, lg_error *e)
{
    const lg_group *group;
    if (levels < 2 || levels > LG_CONVERGENCE_LEVELS)
        return lg_fail(e, LG_ERROR_ARGUMENT, "levels must be from 2 to %d, got %d", LG_CONVERGENCE_LEVELS, levels);
    const lg_status status = lg_reference_group(&group, M, e);
    if (status != LG_OK) return status;
    if (group != R->group)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_convergence_measure: the reference is that of another model");
    if (!(fabs(o->step * (double)steps - R->time) <= 1e-12 * fabs(R->time)))
        return lg_fail(e, LG_ERROR_ARGUMENT, "%lld steps of %g do not end at the reference's t = %g", (long long)steps,
                       o->step, R->time);
    return LG_OK;
}

/* LG_OK: there is a reference. */
static lg_status check_reference(const lg_reference *R, lg_error *e)
{
    if (R == NULL) return lg_fail(e, LG_ERROR_ARGUMENT, "lg_convergence_measure: a pointer is NULL");
    if (R->error.status == LG_OK && R->state.g != NULL) return LG_OK;
    return lg_fail(e, LG_ERROR_ARGUMENT, "lg_convergence_measure: this reference failed: %.200s", R->error.message);
}

lg_status lg_convergence_measure(lg_model *M, lg_convergence *c, const lg_reference *R, const lg_motion_options *given,
                                 int64_t steps, int levels)
{
    lg_error error = {LG_OK, ""};
    lg_motion_options o;
    if (c == NULL) return LG_ERROR_ARGUMENT;
    memset(c, 0, sizeof *c);
    for (int i = 0; i < LG_CONVERGENCE_COLUMNS; i++) c->order[i] = NAN;
    lg_status status = check_reference(R, &error);
    if (status == LG_OK) status = lg_reference_options(&o, M, given, steps, &error);
    if (status == LG_OK) status = convergence_check(M, R, &o, steps, levels, &error);
    if (status != LG_OK) {
        memcpy(c->message, error.message, sizeof c->message);
        return status;
    }
    c->columns = R->columns;
    c->levels = levels;
    for (int k = 0; k < levels; k++) {
        lg_convergence_level *level = &c->level[k];
        level->steps = steps << k;
        level->step = R->time / (double)level->steps;
        status = measure(level, M, R, &o);
        if (status == LG_OK || lg_run_is_numeric(status)) continue;
        memcpy(c->message, level->message, sizeof c->message);
        return status;
    }
    for (int i = 0; i < c->columns; i++) c->order[i] = slope(c, i);
    return LG_OK;
}

/* The configuration after `steps` steps of h. */
static lg_status arrive(double *g, lg_model *M, const lg_motion_options *o, double h, int64_t steps)
{
    const lg_run_course course = {o, 0};
    lg_error error = {LG_OK, ""};
    lg_motion *mo = NULL;
    lg_status status = lg_run_arrive(&mo, M, &course, h, steps, &error);
    if (status == LG_OK) status = lg_motion_state(mo, g, NULL, NULL);
    lg_motion_destroy(mo);
    return status;
}

double lg_run_observed_order(lg_model *M, const lg_motion_options *given, int64_t steps)
{
    lg_error error = {LG_OK, ""};
    lg_motion_options o;
    const lg_group *G;
    double *g, coarse = NAN, fine = NAN;
    if (lg_reference_options(&o, M, given, steps, &error) != LG_OK || lg_reference_group(&G, M, &error) != LG_OK)
        return NAN;
    const size_t size = (size_t)G->element_size;
    g = malloc(3 * size * sizeof *g);
    if (g == NULL) return NAN;
    lg_status status = arrive(g, M, &o, o.step, steps);
    if (status == LG_OK) status = arrive(g + size, M, &o, o.step / 2, 2 * steps);
    if (status == LG_OK) status = arrive(g + 2 * size, M, &o, o.step / 4, 4 * steps);
    if (status == LG_OK) status = lg_group_distance(G, &coarse, g, g + size);
    if (status == LG_OK) status = lg_group_distance(G, &fine, g + size, g + 2 * size);
    free(g);
    return status == LG_OK ? log2(coarse / fine) : NAN;
}
