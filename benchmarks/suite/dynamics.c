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

/* ---- other libraries ---- */

enum { AXES = 7, LIBRARIES = 8 };

/* The arm in one library; ours has no peer. */
typedef struct arm {
    const bench_dynamics_peer *peer;
    void *opened;
    lg_dynamics *d;
    int masses; /* 1: the mass matrix, 0: inverse dynamics */
    double q[AXES], v[AXES], a[AXES], to[AXES * AXES];
} arm;

static double call_arm(void *context, long count)
{
    arm *x = context;
    lg_status st = LG_OK;
    for (long i = 0; i < count && st == LG_OK; i++) {
        x->q[0] += 1e-9;
        if (x->peer != NULL && x->masses) x->peer->mass_matrix(x->opened, x->to, x->q);
        if (x->peer != NULL && !x->masses) x->peer->inverse(x->opened, x->to, x->q, x->v, x->a);
        if (x->peer != NULL) continue;
        st = lg_dynamics_set(x->d, x->q, x->masses ? NULL : x->v);
        if (st == LG_OK) st = x->masses ? lg_dynamics_mass_matrix(x->d, x->to) : lg_dynamics_inverse(x->d, x->to, x->a);
    }
    return st == LG_OK ? x->to[0] : (double)NAN;
}

/* Every library has the same numbers. */
static void agree(bench_report *report, const arm *a, const arm *b)
{
    double largest = 0, off = 0;
    for (int i = 0; i < AXES * (a->masses ? AXES : 1); i++) {
        largest = fmax(largest, fabs(a->to[i]));
        off = fmax(off, fabs(a->to[i] - b->to[i]));
    }
    if (!(off <= 1e-12 * largest))
        bench_fail(report, "dynamics: %s and liegrp differ by %g of the largest %s", b->peer->name, off / largest,
                   a->masses ? "mass" : "torque");
}

static void report_arms(bench_report *report, arm (*arms)[2], bench_case *cases, int count)
{
    for (int i = 0; i < count; i++) {
        bench_row(report);
        bench_text(report, i == 0 ? "liegrp" : arms[i][0].peer->name);
        for (int k = 0; k < 2; k++) {
            bench_number(report, cases[2 * i + k].median);
            bench_number(report, bench_ratio(&cases[k], &cases[2 * i + k]));
            if (i > 0) agree(report, &arms[0][k], &arms[i][k]);
        }
    }
}

/* An arm of seven axes in all libraries, in one process. */
static void beside(bench_report *report, const bench_settings *s)
{
    const bench_mechanism what = {"arm", AXES, 0, 0, 1e-3, 0};
    bench_racer chain = {.what = &what, .name = "sem"};
    arm arms[LIBRARIES][2] = {{{0}}};
    bench_case cases[2 * LIBRARIES] = {{0}};
    const char *why = bench_racer_open(&chain);
    int count = 1;
    if (why == NULL && lg_dynamics_create(&arms[0][0].d, chain.m) != LG_OK) why = "out of memory";
    for (int i = 0; s->dynamics_peers[i] != NULL && count < LIBRARIES; i++) {
        bench_report_version(report, s->dynamics_peers[i]->name, s->dynamics_peers[i]->version);
        arms[count][0].peer = s->dynamics_peers[i], arms[count][0].opened = s->dynamics_peers[i]->open(&what);
        count += arms[count][0].opened != NULL;
    }
    for (int i = 0; i < 2 * count; i++) {
        arm *x = &arms[i / 2][i % 2];
        *x = arms[i / 2][0], x->masses = i % 2;
        for (int k = 0; k < AXES; k++) x->q[k] = 0.3 * sin(k), x->v[k] = 0.4 * cos(k), x->a[k] = 1 + 0.1 * k;
        cases[i] = (bench_case){.run = call_arm, .context = x, .count = s->quick ? 2 : 20000};
    }
    if (why == NULL) bench_time(report, cases, 2 * count), report_arms(report, arms, cases, count);
    if (why != NULL) bench_fail(report, "dynamics: the arm: %s", why);
    for (int i = 1; i < count; i++) arms[i][0].peer->close(arms[i][0].opened);
    lg_dynamics_destroy(arms[0][0].d);
    bench_racer_close(&chain);
}

static void bench_beside(bench_report *report, const bench_settings *s)
{
    bench_table(report, "arm", "An arm of seven axes in other libraries: ns a call, each with its state");
    bench_column(report, "library", NULL);
    bench_column(report, "inverse dynamics", "%.0f"), bench_column(report, "liegrp/library", "%.2f");
    bench_column(report, "mass matrix", "%.0f"), bench_column(report, "liegrp/library", "%.2f");
    bench_tell(s, "arm");
    beside(report, s);
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
    if (s->dynamics_peers != NULL && s->dynamics_peers[0] != NULL) bench_beside(report, s);
}
