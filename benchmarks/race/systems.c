/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/race/race.h"

const race_system race_systems[RACE_SYSTEMS] = {
    {"chaplygin-sphere", "Omega", 0, 0.25}, {"rolling-disk", NULL, 0, 0.05}, {"heavy-top", NULL, 0, 0.1},
    {"particle-quadratic", NULL, 0, 0.1},   {"cvt", NULL, 0, 0.1},           {"suslov", NULL, 0, 0.25},
    {"mobile-arm", "kx", 0, 0.05},
};
const double race_times[RACE_TIMES] = {10, 100, 1000};
const double race_errors[RACE_ERRORS] = {1e-3, 1e-6, 1e-9, 1e-12};

static int complain(race_course *c, const char *why)
{
    snprintf(c->motion.message, sizeof c->motion.message, "%s: %s", c->motion.label, why);
    return 1;
}

int race_open(race_course *c, const race_system *system)
{
    memset(c, 0, sizeof *c);
    if (bench_motion_open(&c->motion, system->name, NULL, system->parameter, system->value)) return 1;
    c->equations = problem_find(system->name);
    if (c->equations == NULL) return complain(c, "there are no equations");
    if (c->equations->size != c->motion.element + c->motion.dim) return complain(c, "the equations have another size");
    c->data.param = c->motion.S->parameter_values;
    if (c->equations->prepare != NULL) c->equations->prepare(&c->data);
    c->reduction = problem_reduced(system->name);
    c->reduced.param = c->data.param;
    if (c->reduction != NULL && c->reduction->reduced.prepare != NULL) c->reduction->reduced.prepare(&c->reduced);
    return 0;
}

void race_close(race_course *c)
{
    bench_motion_close(&c->motion);
}

int race_set_time(race_course *c, double T)
{
    c->T = T;
    c->truth = NULL;
    for (int i = 0; i < race_end_count; i++)
        if (strcmp(race_ends[i].system, c->motion.label) == 0 && race_ends[i].T == T) c->truth = &race_ends[i];
    if (c->truth == NULL) return complain(c, "no true end is known at this time");
    for (int i = 0; i < c->equations->size; i++)
        if (!(fabs(c->truth->start[i] - c->motion.y0[i]) <= 1e-15))
            return complain(c, "the known end belongs to another start; run race_truth");
    return 0;
}

/* The turns between two angles that are equal modulo 2 pi. */
static double unwrap(double difference)
{
    return difference - 2 * 3.14159265358979323846 * nearbyint(difference / (2 * 3.14159265358979323846));
}

/* The numbers of one factor. */
static double factor_error(const lg_group *f, const double *y, const double *end)
{
    const int size = lg_group_element_size(f);
    double dot = 0, worst = 0;
    for (int i = 0; i < size; i++) dot += y[i] * end[i];
    const double sign = f->kind == LG_KIND_SO3 && dot < 0 ? -1 : 1;
    for (int i = 0; i < size; i++) {
        const double d = f->kind == LG_KIND_TORUS ? unwrap(y[i] - end[i]) : y[i] - sign * end[i];
        worst = race_larger(worst, fabs(d));
    }
    return worst;
}

double race_error(const race_course *c, const double *y)
{
    const lg_group *G = c->motion.S->group;
    const double *end = c->truth->end;
    double worst = 0;
    int at = 0;
    for (int i = 0; i < lg_group_factor_count(G); i++) {
        const lg_group *f = lg_group_factor(G, i);
        worst = race_larger(worst, factor_error(f, y + at, end + at));
        at += lg_group_element_size(f);
    }
    for (int i = at; i < c->equations->size; i++) worst = race_larger(worst, fabs(y[i] - end[i]));
    return worst;
}
