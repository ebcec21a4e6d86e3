/* SPDX-License-Identifier: BSD-3-Clause */
/* What a controller asks of revolute chains: a state, and with it inverse dynamics, mass matrix, acceleration. */
#include "benchmarks/suite/dynamics.h"

#include <math.h>
#include <stdlib.h>

#include "benchmarks/suite/racer.h"

enum { STATE, INVERSE, MASSES, ACCELERATION, CALLS };

typedef struct asked {
    lg_dynamics *d;
    int what, n;
    double *q, *to; /* n; n x n */
} asked;

static double run(void *context, long count)
{
    asked *a = context;
    lg_status st = LG_OK;
    for (long i = 0; i < count && st == LG_OK; i++) {
        a->q[0] += 1e-9;
        st = lg_dynamics_set(a->d, a->q, a->q);
        if (st == LG_OK && a->what == INVERSE) st = lg_dynamics_inverse(a->d, a->to, a->q);
        if (st == LG_OK && a->what == MASSES) st = lg_dynamics_mass_matrix(a->d, a->to);
        if (st == LG_OK && a->what == ACCELERATION) st = lg_dynamics_acceleration(a->d, a->to, NULL, NULL);
    }
    return st == LG_OK ? a->to[0] : (double)NAN;
}

/* A row; *inverse is the time of inverse dynamics per body. */
static void ask(bench_report *report, const bench_settings *s, int links, long count, double *inverse)
{
    static const char *const names[CALLS] = {"state", "inverse", "mass matrix", "acceleration"};
    const bench_mechanism what = {"chain", links, 0, 0, 1e-3, 0};
    bench_racer chain = {.what = &what, .name = "sem"};
    const char *why = bench_racer_open(&chain);
    bench_case cases[CALLS] = {{0}};
    asked a[CALLS] = {{0}};
    lg_dynamics *d = NULL;
    const size_t n = (size_t)links;
    double *q = calloc(n, sizeof *q), *to = calloc(n * n, sizeof *to);
    if (why == NULL && (q == NULL || to == NULL || lg_dynamics_create(&d, chain.m) != LG_OK)) why = "out of memory";
    for (size_t i = 0; q != NULL && i < n; i++) q[i] = 0.3 * sin((double)i);
    for (int i = 0; i < CALLS; i++) {
        a[i] = (asked){.d = d, .what = i, .n = links, .q = q, .to = to};
        cases[i] = (bench_case){.name = names[i], .run = run, .context = &a[i], .count = s->quick ? 2 : count};
    }
    if (why == NULL) {
        bench_time(report, cases, CALLS);
        bench_row(report);
        bench_number(report, links);
        for (int i = 0; i < CALLS; i++) bench_number(report, cases[i].median / links);
        *inverse = cases[INVERSE].median / links;
    } else {
        bench_fail(report, "dynamics: %d links: %s", links, why);
    }
    lg_dynamics_destroy(d);
    bench_racer_close(&chain);
    free(q), free(to);
}

void bench_dynamics(bench_report *report, const bench_settings *s)
{
    static const struct {
        int links;
        long count;
    } chains[] = {{7, 20000}, {10, 20000}, {100, 2000}, {1000, 20}};
    double inverse[4] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    bench_table(report, "dynamics", "What a controller asks of a revolute chain: ns per body, each with its state");
    bench_column(report, "links", "%.0f"), bench_column(report, "state", "%.0f");
    bench_column(report, "inverse dynamics", "%.0f"), bench_column(report, "mass matrix", "%.0f");
    bench_column(report, "acceleration", "%.0f");
    for (int i = 0; i < 4; i++) {
        if (s->quick && chains[i].links > 100) continue;
        bench_tell(s, "chain, %d links", chains[i].links);
        ask(report, s, chains[i].links, chains[i].count, &inverse[i]);
    }
    if (!s->quick)
        bench_figure(report, "growth of inverse dynamics", inverse[3] / inverse[1],
                     "inverse dynamics of 1000 links takes %.2f of the time per body of 10 links",
                     inverse[3] / inverse[1]);
}
