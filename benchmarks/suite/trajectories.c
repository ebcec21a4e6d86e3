/* SPDX-License-Identifier: BSD-3-Clause */
/* Trajectories of chains that fall from a horizontal row: the time that each method takes for an error of the links'
 * centres, over a ladder of steps, the start of the solver included. A method that is asked for a tolerance has a
 * ladder of these. */
#include "benchmarks/suite/trajectories.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/suite/racer.h"

#define TOO_LONG 0.4 /* seconds: runs that take longer are not repeated, and shorter steps are not tried */

enum { TARGETS = 5, LINKS_MOST = 32, METHODS_MOST = 10, REPEATS = 3 };

static const double targets[TARGETS] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};

/* A setting: a step, or a tolerance. */
typedef struct trial {
    double step, tolerance; /* one of them is 0 */
    double solver;          /* of the stages; 0: the method's own */
} trial;

/* A method, and the least time in which it came as close as each target. */
typedef struct contestant {
    const char *name;
    const bench_mechanism_peer *peer;
    int tolerant;            /* 1: tolerances instead of steps */
    int solves;              /* 1: tolerances of its stages too */
    double factor;           /* between steps of its ladder */
    double seconds[TARGETS]; /* NaN: it never did */
    trial best[TARGETS];
} contestant;

static void read_centres(bench_racer *r, double *x)
{
    if (r->peer != NULL) {
        r->peer->centres(r->opened, x);
        return;
    }
    for (int b = 0; b < r->what->links; b++) {
        double pose[7];
        lg_status_ignore(lg_motion_body_pose(r->mo, pose, b));
        memcpy(x + 3 * b, pose, 3 * sizeof *x);
    }
}

static int prepare(bench_racer *r, const trial *t)
{
    if (bench_racer_open(r) != NULL) return 1;
    if (t->solver > 0 && lg_motion_set_solver(r->mo, t->solver) != LG_OK) return 1;
    return t->tolerance > 0 && lg_motion_set_tolerance(r->mo, t->tolerance) != LG_OK;
}

/* The end at `time`; returns the least time of some runs, NaN: it failed. */
static double finish(const bench_mechanism *what, const contestant *c, const trial *t, double time, int repeats,
                     double *x)
{
    const long steps = t->step > 0 ? lround(ceil(time / t->step - 1e-9)) : 1;
    bench_mechanism own = *what;
    own.h = time / (double)steps;
    bench_racer r = {.what = &own, .peer = c->peer, .name = c->name};
    double least = (double)NAN;
    int bad = prepare(&r, t);
    for (int k = 0; k < repeats && !bad; k++) {
        bench_racer_start(&r);
        const double begin = bench_clock();
        bad = bench_racer_step(&r, steps);
        const double took = 1e-9 * (bench_clock() - begin);
        if (!bad && !(took >= least)) least = took;
        if (took > TOO_LONG) break;
    }
    if (!bad) read_centres(&r, x);
    bench_racer_close(&r);
    return bad ? (double)NAN : least;
}

static double distance(const double *x, const double *y, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        if (!(fabs(x[i] - y[i]) <= most)) most = fabs(x[i] - y[i]);
    return most; /* NaN: an end exploded */
}

/* 1: it came closer than the last target, or takes too long. */
static int try(contestant *c, const bench_mechanism *what, const trial *t, double time, const double *truth)
{
    double x[3 * LINKS_MOST];
    const double seconds = finish(what, c, t, time, REPEATS, x);
    if (isnan(seconds)) return 0;
    const double off = distance(x, truth, 3 * what->links);
    for (int i = 0; i < TARGETS; i++)
        if (off <= targets[i] && !(c->seconds[i] <= seconds)) c->seconds[i] = seconds, c->best[i] = *t;
    return off < targets[TARGETS - 1] || seconds > TOO_LONG;
}

/* Tolerances of the stages that are tried for each step; 0: the method has none. */
static const double loose[] = {0, 1e-12, 1e-10, 1e-8, 1e-6, 1e-5};

static void climb(contestant *c, const bench_mechanism *what, double time, const double *truth, int quick)
{
    for (int i = 0; i < TARGETS; i++) c->seconds[i] = (double)NAN;
    if (c->tolerant) {
        for (int k = 2; k <= (quick ? 8 : 26); k++) {
            const trial t = {.tolerance = pow(10, -0.5 * k)};
            if (try(c, what, &t, time, truth)) break;
        }
        return;
    }
    const double least = quick ? 0.004 : 4e-4;
    const size_t solvers = c->solves ? sizeof loose / sizeof loose[0] : 1;
    for (size_t s = 0; s < solvers; s++)
        for (double h = 0.2; h >= least; h /= c->factor) {
            const trial t = {.step = h, .solver = loose[s]};
            if (try(c, what, &t, time, truth)) break;
        }
}

static int gather(contestant *all, const bench_settings *s)
{
    int count = 0;
    all[count++] = (contestant){.name = "gauss", .factor = 1.19, .solves = 1};
    all[count++] = (contestant){.name = "gauss", .tolerant = 1};
    all[count++] = (contestant){.name = "sem@kahan-li8", .factor = 1.35};
    for (int i = 0; s->mechanism_peers != NULL && s->mechanism_peers[i] != NULL && count < METHODS_MOST; i++)
        if (s->mechanism_peers[i]->centres != NULL)
            all[count++] =
                (contestant){.name = s->mechanism_peers[i]->name, .peer = s->mechanism_peers[i], .factor = 1.35};
    return count;
}

static void race(bench_report *report, const bench_settings *s, const bench_mechanism *what, double time)
{
    contestant all[METHODS_MOST];
    const contestant exact = {.name = "gauss"}, other = {.name = "gauss:stages=16"};
    double truth[3 * LINKS_MOST], check[3 * LINKS_MOST];
    const int count = gather(all, s);
    const trial best = {.tolerance = 1e-13};
    if (isnan(finish(what, &exact, &best, time, 1, truth)) || isnan(finish(what, &other, &best, time, 1, check))) {
        bench_fail(report, "trajectories: %s: no truth", what->name);
        return;
    }
    const double sure = distance(truth, check, 3 * what->links);
    for (int k = 0; k < count; k++) climb(&all[k], what, time, truth, s->quick);
    for (int i = 0; i < TARGETS && 3 * sure < targets[i]; i++)
        for (int k = 0; k < count; k++) {
            char name[64];
            (void)snprintf(name, sizeof name, "%s%s", all[k].name, all[k].tolerant ? ", tolerance" : "");
            if (isnan(all[k].seconds[i])) continue;
            bench_row(report);
            bench_text(report, what->name), bench_number(report, time), bench_number(report, targets[i]);
            bench_text(report, name);
            bench_number(report, all[k].tolerant ? all[k].best[i].tolerance : all[k].best[i].step);
            bench_number(report, all[k].best[i].solver > 0 ? all[k].best[i].solver : (double)NAN);
            bench_number(report, 1e6 * all[k].seconds[i]);
            bench_number(report, all[k].seconds[i] / all[0].seconds[i]);
        }
}

void bench_trajectories(bench_report *report, const bench_settings *s)
{
    static const struct {
        bench_mechanism what;
        double time;
    } races[] = {
        {{"revolute chain, 10 links", 10, 0, 0, 0, 0}, 1}, {{"revolute chain, 10 links", 10, 0, 0, 0, 0}, 10},
        {{"revolute chain, 5 links", 5, 0, 0, 0, 0}, 10},  {{"spherical chain, 10 links", 10, 1, 0, 0, 0}, 1},
        {{"revolute chain, 30 links", 30, 0, 0, 0, 0}, 1}, {{"four-bar", 3, 0, 1, 0, 6}, 10},
    };
    bench_table(report, "trajectories", "Trajectories: the time for an error of the links' centres");
    bench_column(report, "mechanism", NULL), bench_column(report, "t", "%g"), bench_column(report, "error, m", "%g");
    bench_column(report, "method", NULL), bench_column(report, "h or tolerance", "%.3g");
    bench_column(report, "of the stages", "%.0e"), bench_column(report, "us", "%.0f"),
        bench_column(report, "relative to gauss", "%.2f");
    for (size_t i = 0; i < (s->quick ? 1 : sizeof races / sizeof races[0]); i++) {
        bench_tell(s, "trajectory of a %s", races[i].what.name);
        race(report, s, &races[i].what, races[i].time);
    }
}
