/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of a monitor: runs of 1e5 steps with lg_monitor_observe() after every step against the same runs without it,
 * in turn. It must be below 5 %. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <liegrp/liegrp.h>

#include "benchmarks/support.h"

#define STEPS 100000
#define BOUND 0.05

enum { SYSTEMS = 4 };

typedef struct run {
    const char *name, *system, *method, *retraction;
    lg_model *M;
    lg_motion *mo;
} run;

static run runs[SYSTEMS] = {
    {"ball, gni, cayley", "rolling-ball", "gni", "cayley", NULL, NULL},
    {"ball, gni, exp", "rolling-ball", "gni", "exp", NULL, NULL},
    {"ball, sem, exp", "rolling-ball", "sem", "exp", NULL, NULL},
    {"disk, sem, exp", "rolling-disk", "sem", "exp", NULL, NULL},
};

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "monitors: %s: %s\n", what, why);
    exit(1);
}

static void open_run(run *r)
{
    lg_motion_options o = lg_motion_options_default();
    if (lg_catalog_create(&r->M, r->system) != LG_OK) fail(r->system, lg_model_message(r->M));
    o.method = r->method, o.retraction = r->retraction, o.step = 0.01;
    lg_status st = lg_motion_create(&r->mo, r->M, &o);
    if (st == LG_OK) st = lg_motion_start(r->mo, 0, NULL, 1);
    if (st != LG_OK) fail(r->name, lg_motion_message(r->mo));
}

/* Every round makes the same steps from the initial state. */
static double run_plain(void *context, long count)
{
    run *r = context;
    if (lg_motion_reset(r->mo) != LG_OK) fail(r->name, lg_motion_message(r->mo));
    for (long k = 0; k < count; k++)
        if (lg_motion_step(r->mo, 1) != LG_OK) fail(r->name, lg_motion_message(r->mo));
    return lg_motion_energy(r->mo);
}

static double run_monitored(void *context, long count)
{
    run *r = context;
    lg_monitor *m;
    lg_monitor_figures f = lg_monitor_figures_default();
    if (lg_motion_reset(r->mo) != LG_OK) fail(r->name, lg_motion_message(r->mo));
    if (lg_monitor_create(&m, r->mo, count, 0) != LG_OK) fail(r->name, "no monitor");
    lg_monitor_observe(m, r->mo);
    for (long k = 0; k < count; k++) {
        if (lg_motion_step(r->mo, 1) != LG_OK) fail(r->name, lg_motion_message(r->mo));
        lg_monitor_observe(m, r->mo);
    }
    if (lg_monitor_read(m, &f) != LG_OK || !isfinite(f.energy.deviation)) fail(r->name, "no figures");
    lg_monitor_destroy(m);
    return f.energy.deviation + lg_motion_energy(r->mo);
}

/* The cost from the least times of both. Other load on the machine disturbs it and the median alike, so the smaller
 * counts. */
static double least_cost(const bench_case *with, const bench_case *without)
{
    return with->low / without->low - 1;
}

int main(int argc, char **argv)
{
    bench_options o = bench_parse(argc, argv, "monitors: nanoseconds per step with a monitor and without");
    static const char *const names[] = {"cost_median", "cost_least"};
    bench_case c[2 * SYSTEMS] = {{0}};
    int over = 0;
    for (int i = 0; i < SYSTEMS; i++) {
        open_run(&runs[i]);
        c[2 * i] = (bench_case){.name = runs[i].name, .run = run_plain, .context = &runs[i]};
        c[2 * i + 1] = (bench_case){.name = "  and a monitor", .run = run_monitored, .context = &runs[i]};
        c[2 * i].count = c[2 * i + 1].count = o.quick ? 1000 : STEPS;
    }
    bench_open(&o, "monitors");
    bench_measure(c, 2 * SYSTEMS, &o);
    if (!o.json) printf("%-24s %8s %20s %8s %8s\n", "", "ns/step", "", "median", "least");
    for (int k = 0; k < 2 * SYSTEMS; k++) {
        const int with = k % 2;
        const double values[2] = {with ? bench_ratio(&c[k], &c[k - 1]) - 1 : NAN,
                                  with ? least_cost(&c[k], &c[k - 1]) : NAN};
        over |= with && !(fmin(values[0], values[1]) < BOUND);
        if (o.json) {
            bench_json_case(&o, &c[k], names, values, 2);
            continue;
        }
        printf("%-24s %8.1f [%7.1f .. %7.1f]", c[k].name, c[k].median, c[k].low, c[k].high);
        if (with) printf(" %6.2f %% %6.2f %%", 100 * values[0], 100 * values[1]);
        printf("\n");
    }
    bench_close(&o);
    for (int i = 0; i < SYSTEMS; i++) {
        lg_motion_destroy(runs[i].mo);
        lg_model_destroy(runs[i].M);
    }
    return over && !o.quick; /* all of a thousand steps are sampled */
}
