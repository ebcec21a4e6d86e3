/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts of an optimum on the page of its run: controls with their limits, and the iterations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/optimise.h"

/* Points that a control has in each step: its ends, and of polynomials some between. */
static int points_of(const optimise_job *j)
{
    return j->degree > 1 ? 9 : 2;
}

/* Control i as a staircase, or as curves inside the steps, and its limits as lines. x has room for points_of() numbers
 * a step, and so has y behind it. */
static lg_status add_control(const optimise_job *j, lg_view *v, int chart, int colour, int i, double *x)
{
    const int steps = lg_optimum_steps(j->o), points = points_of(j), nodes = (int)j->degree + 1;
    const double h = j->run.o.motion.step, limits[2] = {j->low[i], j->high[i]};
    double *y = x + points * steps, values[8];
    cli_column c;
    cli_control_of(&c, &j->run.S, i);
    for (int k = 0; k < points * steps; k++) {
        const double part = (double)(k % points) / (points - 1);
        const double *u = j->run.controls.of[i].table.values + k / points * nodes;
        memcpy(values, u, (size_t)nodes * sizeof *u);
        x[k] = cli_begins(&j->run.S) + (k / points + part) * h;
        lg_status_ignore(lg_control_at(&y[k], (int)j->degree, values, 1, part));
    }
    lg_status status = lg_view_curve(v, chart, c.name, colour, 0, x, y, (int64_t)points * steps);
    const double ends[2] = {x[0], x[points * steps - 1]};
    for (int k = 0; status == LG_OK && k < 2; k++) {
        char label[180];
        snprintf(label, sizeof label, "limit of %s", c.name);
        const double level[2] = {limits[k], limits[k]};
        if (isfinite(limits[k])) status = lg_view_curve(v, chart, label, colour, 1, ends, level, 2);
    }
    return status;
}

/* A chart for controls of one unit, so that an axis has one. */
static lg_status add_controls(const optimise_job *j, lg_view *v, double *x)
{
    lg_status status = LG_OK;
    for (int first = 0; status == LG_OK && first < j->c; first++) {
        cli_column c, other;
        char title[80];
        int chart = -1, colour = 0, seen = 0;
        cli_control_of(&c, &j->run.S, first);
        for (int i = 0; i < first; i++) cli_control_of(&other, &j->run.S, i), seen |= strcmp(other.unit, c.unit) == 0;
        if (seen) continue;
        const int pure = c.unit[0] == '\0' || strcmp(c.unit, "-") == 0;
        snprintf(title, sizeof title, "controls%s%s", pure ? "" : ", ", pure ? "" : c.unit);
        status =
            lg_view_chart(v, &chart, title,
                          j->degree > 0 ? "Polynomials inside each step; dashed lines are limits, which hold at nodes"
                                        : "Constant during each step; dashed lines are limits",
                          "t", 0);
        for (int i = first; status == LG_OK && i < j->c; i++) {
            cli_control_of(&other, &j->run.S, i);
            if (strcmp(other.unit, c.unit) == 0) status = add_control(j, v, chart, colour++, i, x);
        }
    }
    return status;
}

static lg_status add_iterations(const optimise_job *j, lg_view *v)
{
    const size_t points = (size_t)j->points;
    int cost = -1, lacks = -1;
    double *x = calloc(4 * points, sizeof *x);
    if (x == NULL) return LG_ERROR_MEMORY;
    for (size_t i = 0; i < points; i++) {
        x[i] = (double)i;
        x[points + i] = j->point[i].cost, x[2 * points + i] = j->point[i].defect, x[3 * points + i] = j->point[i].end;
    }
    lg_status status = lg_view_chart(v, &cost, "iterations: cost", "", "iteration", 0);
    if (status == LG_OK) status = lg_view_curve(v, cost, "cost", 0, 0, x, x + points, j->points);
    if (status == LG_OK)
        status = lg_view_chart(v, &lacks, "iterations: errors of steps and end",
                               "The largest defect of a step, and of an end condition", "iteration", 1);
    if (status == LG_OK) status = lg_view_curve(v, lacks, "steps", 0, 0, x, x + 2 * points, j->points);
    if (status == LG_OK) status = lg_view_curve(v, lacks, "end", 1, 0, x, x + 3 * points, j->points);
    free(x);
    return status;
}

lg_status optimise_add_charts(lg_view *v, void *context)
{
    const optimise_job *j = context;
    double *x = calloc(2 * (size_t)(points_of(j) * lg_optimum_steps(j->o)), sizeof *x);
    lg_status status = x != NULL ? add_controls(j, v, x) : LG_ERROR_MEMORY;
    free(x);
    if (status == LG_OK) status = optimise_add_distances(j, v);
    return status == LG_OK ? add_iterations(j, v) : status;
}
