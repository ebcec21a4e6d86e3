/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/race/race.h"

/* A ladder has ended where this many points in a row bring no smaller error, once the errors are small at all. */
enum { PATIENCE = 6 };
static const double small = 1e-5;

/* Nanoseconds of a run, over at least `least` of them altogether. */
static double time_runs(race_car *car, double least)
{
    double y[BENCH_STATE], ns = 0;
    const double begin = bench_clock();
    for (int n = 1;; n++) {
        if (race_car_run(car, y)) return INFINITY;
        ns = bench_clock() - begin;
        if (ns >= least) return ns / n;
    }
}

/* Adds the point; the seconds that a run took. */
static double add(race_ladder *l, race_course *c, race_setting s)
{
    double y[BENCH_STATE] = {0};
    race_car *car = race_car_open(l->racer, c, s);
    race_point *p = &l->point[l->count];
    if (car == NULL) return 0;
    const double begin = bench_clock();
    const int bad = race_car_run(car, y);
    const double ns = bench_clock() - begin;
    if (!bad) {
        *p = (race_point){s, race_error(c, y), bench_motion_energy(&c->motion, y), ns};
        if (ns < 1e7) p->ns = fmin(p->ns, time_runs(car, 1e5));
        if (isfinite(p->error)) l->count++;
    }
    race_car_close(car);
    return 1e-9 * ns;
}

/* A whole number of steps to T, about a factor apart. */
static double step_of(const race_limits *limits, double T, int k)
{
    return T / ceil(T / fmin(8, T) * pow(limits->factor, k) - 1e-9);
}

/* Steps from coarse to fine. */
static void climb_steps(race_ladder *l, race_course *c, const race_limits *limits, double solver)
{
    const double begin = bench_clock();
    double best = INFINITY;
    int worse = 0;
    for (int k = 0; k < limits->steps && l->count < RACE_POINTS; k++) {
        const race_setting s = {step_of(limits, c->T, k), solver};
        const int before = l->count;
        const double seconds = add(l, c, s);
        const int better = l->count > before && l->point[before].error < best;
        if (better) best = l->point[before].error;
        worse = better ? 0 : worse + 1;
        if ((best < small && worse >= PATIENCE) || seconds > limits->run) return;
        if (1e-9 * (bench_clock() - begin) > limits->ladder) return;
    }
}

/* Tolerances from fine to coarse: a coarse one can let a motion end in a state where steps become tiny. Those that all
 * tables ask for are tried in any case. */
static void climb_tolerances(race_ladder *l, race_course *c, const race_limits *limits)
{
    const double begin = bench_clock();
    int useless = 0;
    for (int k = limits->decades * limits->fine; k >= limits->fine && useless < 2; k--) {
        const int before = l->count;
        (void)add(l, c, (race_setting){pow(10, -(double)k / limits->fine), 0});
        if (l->count > before) useless = l->point[before].error > race_errors[0] ? useless + 1 : 0;
        if (1e-9 * (bench_clock() - begin) > limits->ladder) break;
    }
    for (int e = 0; e < RACE_ERRORS; e++)
        if (race_at(l, race_errors[e]) == NULL) (void)add(l, c, (race_setting){race_errors[e], 0});
}

void race_climb(race_ladder *l, const race_racer *r, race_course *c, const race_limits *limits)
{
    l->racer = r;
    l->count = 0;
    if (r->kind == RACE_ADAPTIVE) climb_tolerances(l, c, limits);
    if (r->kind == RACE_FIXED || (r->kind == RACE_OURS && r->solvers == 0)) climb_steps(l, c, limits, 0);
    for (int i = 0; r->kind == RACE_OURS && i < r->solvers; i++) climb_steps(l, c, limits, race_solvers[i]);
}

const race_point *race_cheapest(const race_ladder *l, double error)
{
    const race_point *best = NULL;
    for (int i = 0; i < l->count; i++) {
        const race_point *p = &l->point[i];
        if (p->error <= error && (best == NULL || p->ns < best->ns)) best = p;
    }
    return best;
}

const race_point *race_at(const race_ladder *l, double tolerance)
{
    for (int i = 0; i < l->count; i++)
        if (l->racer->kind == RACE_ADAPTIVE && fabs(log(l->point[i].with.setting / tolerance)) < 1e-6)
            return &l->point[i];
    return NULL;
}

double race_least(const race_ladder *l)
{
    double least = INFINITY;
    for (int i = 0; i < l->count; i++) least = fmin(least, l->point[i].error);
    return isfinite(least) ? least : (double)NAN;
}

/* Timing ----------------------------------------------------------------------------------------------------------- */

/* A point that is timed anew. */
typedef struct runner {
    race_point *point;
    race_car *car;
} runner;

enum { RUNNERS = 2048, NEAR = 3, FEW = 3 };
static const double long_run = 2e7; /* nanoseconds; those are timed FEW times */
static const double near = 1.3;

static int is_asked(const race_ladder *l, const race_point *p)
{
    for (int e = 0; e < RACE_ERRORS; e++)
        if (race_at(l, race_errors[e]) == p) return 1;
    return 0;
}

/* Is it among the NEAR cheapest for one of the errors, and not much more expensive than the cheapest? */
static int may_win(const race_ladder *l, const race_point *p)
{
    for (int e = 0; e < RACE_ERRORS; e++) {
        const race_point *best = race_cheapest(l, race_errors[e]);
        int cheaper = 0;
        if (best == NULL || p->error > race_errors[e] || p->ns > near * best->ns) continue;
        for (int i = 0; i < l->count; i++) cheaper += l->point[i].error <= race_errors[e] && l->point[i].ns < p->ns;
        if (cheaper < NEAR) return 1;
    }
    return is_asked(l, p);
}

void race_time(race_ladder *ladders, int count, race_course *c, const race_limits *limits)
{
    runner *all = calloc(RUNNERS, sizeof *all);
    int n = 0;
    if (all == NULL) return; /* then the times of the climb are kept */
    for (int k = 0; k < count; k++)
        for (int i = 0; i < ladders[k].count && n < RUNNERS; i++) {
            race_point *p = &ladders[k].point[i];
            if (!may_win(&ladders[k], p)) continue;
            all[n].car = race_car_open(ladders[k].racer, c, p->with);
            if (all[n].car != NULL) all[n++].point = p;
        }
    for (int round = 0; round < limits->rounds; round++)
        for (int i = 0; i < n; i++)
            if (round < FEW || all[i].point->ns < long_run)
                all[i].point->ns = fmin(all[i].point->ns, time_runs(all[i].car, 5e5));
    for (int i = 0; i < n; i++) race_car_close(all[i].car);
    free(all);
}
