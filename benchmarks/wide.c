/* SPDX-License-Identifier: BSD-3-Clause */
/* What a step of an instance costs in a block of 2, 4 or 8, against the same step alone: one thread, everything in the
 * first cache. Systems of the catalog under gni and sem; the rolling ball also with its rows by a callback, which sees
 * one lane at a time or all of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "integrators/engine/wide.h"

#include "support.h"

enum { LANES_MOST = 8, STEPS = 800, KINDS = 4 };

/* ---- the rolling ball's rows by a callback ---- */

enum { MASS, RADIUS, OMEGA, I1 };

static int rows_of_lanes(const lg_call *c, const double *g, double *mu, double *Y)
{
    const int L = c->lanes;
    for (int l = 0; l < L; l++) {
        const double r = c->param[RADIUS * L + l], Omega = c->param[OMEGA * L + l];
        mu[l] = 1, mu[6 * L + l] = 1;
        mu[3 * L + l] = -r, mu[7 * L + l] = r;
        Y[l] = -Omega * g[L + l], Y[L + l] = Omega * g[l];
    }
    return 0;
}

static int rows_alone(const lg_call *c, const double *g, double *mu, double *Y)
{
    const double r = c->param[RADIUS], Omega = c->param[OMEGA];
    mu[0] = 1, mu[6] = 1;
    mu[3] = -r, mu[7] = r;
    Y[0] = -Omega * g[1], Y[1] = Omega * g[0];
    return 0;
}

enum { CATALOG, ROWS_ALONE, ROWS_OF_LANES };

/* ---- blocks ---- */

typedef struct subject {
    const char *system, *method, *retraction;
    int rows;
    double h;
} subject;

typedef struct runner {
    lg_model *M; /* its group is the integrator's */
    lg_integrator *seat;
    lg_wide *W;
    int width;
    int64_t step;
    double h;
    long apart;
} runner;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "wide: %s: %s\n", what, why);
    exit(1);
}

static double *moved(const double *from, int count, double factor)
{
    double *to = from ? malloc((size_t)count * sizeof *to) : NULL;
    for (int i = 0; to && i < count; i++) to[i] = from[i] * factor;
    return to;
}

static void put_instance(runner *r, const lg_system *S, int l, const double *g0, double *xi0)
{
    lg_error e;
    lg_system T = *S;
    const int n = S->group->dim;
    double *inertia = moved(S->inertia, n * n, 1 + 0.02 * l), xi[64];
    double *diagonal = moved(S->inertia_diagonal, n, 1 + 0.02 * l);
    T.inertia = inertia, T.inertia_diagonal = diagonal;
    for (int i = 0; i < n; i++) xi[i] = xi0[i] * (1 + 0.03 * l);
    if (lg_integrator_adopt(r->seat, &T, &e) != LG_OK) fail(e.message, "adopt");
    if (lg_integrator_start(r->seat, 0, g0, xi, LG_START_PROJECT) != LG_OK) fail("start", lg_message(r->seat));
    if (r->W) lg_wide_put(r->W, l, r->seat);
    free(inertia), free(diagonal);
}

static runner open_runner(const subject *s, int width)
{
    runner r = {.width = width, .h = s->h};
    lg_model *M = NULL;
    const lg_system *from = NULL;
    double g0[64], xi0[64];
    if (lg_catalog_open(&M, s->system) != LG_OK || lg_model_system(M, &from) != LG_OK ||
        lg_model_initial(M, g0, xi0, NULL) != LG_OK)
        fail(s->system, lg_model_message(M));
    lg_system S = *from;
    if (s->rows != CATALOG) {
        S.covector_matrix = NULL, S.drift = NULL, S.covectors_derivative = NULL;
        S.covectors = s->rows == ROWS_ALONE ? rows_alone : rows_of_lanes;
        S.lanes = s->rows == ROWS_OF_LANES;
    }
    if (lg_integrator_create(&r.seat, &S, s->method, s->retraction, s->h) != LG_OK)
        fail(s->system, lg_message(r.seat));
    if (width > 1 && lg_wide_create(&r.W, r.seat, width) != LG_OK) fail(s->system, "no wide form");
    for (int l = 0; l < width; l++) put_instance(&r, &S, l, g0, xi0);
    r.M = M;
    return r;
}

static double run_alone(void *context, long count)
{
    runner *r = context;
    if (lg_run_steps(r->seat, count, 1, NULL, NULL) != LG_OK) fail("step", lg_message(r->seat));
    return lg_configuration(r->seat)[0];
}

static void step_apart(runner *r, const double *t1)
{
    for (int l = 0; l < r->width; l++) {
        lg_wide_get(r->W, l, r->seat);
        if (lg_work_step(r->seat->work, r->h, t1 + l)) fail("step", "a lane fails");
        lg_wide_put(r->W, l, r->seat);
    }
    r->apart++;
}

static double run_block(void *context, long count)
{
    runner *r = context;
    double t1[LANES_MOST];
    for (long k = 0; k < count; k += r->width) {
        r->step++;
        for (int l = 0; l < r->width; l++) t1[l] = (double)r->step * r->h;
        if (lg_wide_step(r->W, r->h, t1)) step_apart(r, t1);
    }
    return lg_wide_time(r->W, 0);
}

/* ---- report ---- */

static const subject subjects[] = {
    {"rolling-ball", "gni", "cayley", CATALOG, 0.01},
    {"rolling-ball", "gni", "cayley", ROWS_OF_LANES, 0.01},
    {"rolling-ball", "gni", "cayley", ROWS_ALONE, 0.01},
    {"rolling-ball", "gni", "exp", CATALOG, 0.01},
    {"rolling-ball", "sem", "cayley", CATALOG, 0.01},
    {"rolling-ball", "sem", "exp", CATALOG, 0.01},
    {"heavy-top", "variational", "exp", CATALOG, 0.01},
    {"heavy-top", "sem", "exp", CATALOG, 0.01},
    {"chaplygin-sleigh", "gni", "exp", CATALOG, 0.01},
    {"rolling-disk", "sem", "exp", CATALOG, 0.01},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0], CASES = SUBJECTS * KINDS };

static void print_case(bench_options *o, const bench_case *c, const bench_case *alone)
{
    static const char *const names[] = {"speedup", "steps_apart"};
    const runner *r = c->context;
    const double values[] = {bench_ratio(alone, c), (double)r->apart};
    if (o->json)
        bench_json_case(o, c, names, values, 2);
    else
        printf("%-56s %8.1f [%6.1f .. %6.1f] %6.2f %ld\n", c->name, c->median, c->low, c->high, values[0], r->apart);
}

int main(int argc, char **argv)
{
    static const char *const rows[] = {"", ", rows by callback one by one", ", rows by callback of lanes"};
    static bench_case c[CASES];
    static runner runners[CASES];
    static char names[CASES][80];
    bench_options o = bench_parse(argc, argv, "wide: nanoseconds per step and instance in blocks");
    int count = 0, first[CASES];
    for (int i = 0; i < SUBJECTS; i++)
        for (int width = 1, alone = count; width <= lg_width_best(); width *= 2, count++) {
            const subject *s = &subjects[i];
            snprintf(names[count], sizeof names[count], "%s %s %s%s, width %d", s->system, s->method, s->retraction,
                     rows[s->rows], width);
            runners[count] = open_runner(s, width);
            c[count] = (bench_case){.name = names[count],
                                    .run = width > 1 ? run_block : run_alone,
                                    .context = &runners[count],
                                    .count = o.quick ? 80 : STEPS};
            first[count] = alone;
        }
    bench_open(&o, "wide");
    bench_measure(c, count, &o);
    if (!o.json) printf("%-56s %8s %18s %6s %s\n", "", "ns/step", "", "to 1", "steps apart");
    for (int k = 0; k < count; k++) print_case(&o, &c[k], &c[first[k]]);
    bench_close(&o);
    for (int k = 0; k < count; k++) {
        lg_integrator_destroy(runners[k].seat);
        lg_wide_destroy(runners[k].W);
        lg_model_destroy(runners[k].M);
    }
    return 0;
}
