/* SPDX-License-Identifier: BSD-3-Clause */
/* Close encounters: a rolling disk that nearly falls flat and turns over quickly, and tops that are let go with their
 * axis at rest, whose tips have cusps. Which is cheaper for an error at the end: the best constant step of `gauss`,
 * not known beforehand, or adaptive steps? build/benchmarks/bench_encounters [--quick] */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "benchmarks/suite/measure.h"

enum { ELEMENT = 8, DIM = 6, ROWS = 16, ERRORS = 3, REPEATS = 3 };

#define TOO_LONG 0.5 /* seconds: runs that take longer are not repeated, and shorter steps are not tried */

static const double errors[ERRORS] = {1e-3, 1e-6, 1e-9};

typedef struct encounter {
    const char *name;
    const lg_system *S;
    double g[ELEMENT], xi[DIM], T;
    int size;                 /* of an element */
    double end[ELEMENT];      /* where it leads */
    double shortest, longest; /* steps that were found last */
} encounter;

/* To the end, with steps of T/steps or for a tolerance > 0 in ROWS rows. Nonzero: it failed. */
static int move(encounter *e, lg_integrator *it, long steps, double tolerance)
{
    if (lg_integrator_start(it, 0, e->g, e->xi, LG_START_REACTION, 1) != LG_OK) return 1;
    if (tolerance > 0 && lg_integrator_set_tolerance(it, tolerance) != LG_OK) return 1;
    e->shortest = (double)INFINITY, e->longest = 0;
    for (long k = 0; k < steps; k++) {
        if (lg_integrator_step(it) != LG_OK) return 1;
        const double found = fabs(lg_integrator_found_step(it));
        if (found < e->shortest) e->shortest = found;
        if (found > e->longest) e->longest = found;
    }
    return 0;
}

/* The least time of some runs, NaN if they fail; the end to g. */
static double run(encounter *e, long steps, double tolerance, double *g)
{
    double least = (double)NAN;
    for (int k = 0; k < REPEATS; k++) {
        lg_integrator *it = NULL;
        int bad = lg_integrator_create(&it, e->S, "gauss", "exp", e->T / (double)steps) != LG_OK;
        const double begin = bench_clock();
        bad = bad || move(e, it, steps, tolerance);
        const double took = 1e-9 * (bench_clock() - begin);
        if (!bad) memcpy(g, lg_integrator_configuration(it), (size_t)e->size * sizeof *g);
        lg_integrator_destroy(it);
        if (bad) return (double)NAN;
        if (!(took >= least)) least = took;
        if (took > TOO_LONG) break;
    }
    return least;
}

static double off(const encounter *e, const double *g)
{
    double most = 0;
    for (int i = 0; i < e->size; i++) most = fmax(most, fabs(g[i] - e->end[i]));
    return most;
}

/* The least times for each error: of constant steps, and of found ones. */
static void climb(encounter *e, double *constant, double *found, int quick)
{
    double g[ELEMENT];
    for (int k = 0; k < ERRORS; k++) constant[k] = found[k] = (double)NAN;
    for (double n = 8; n < (quick ? 200 : 3e5); n *= 1.15) {
        const double took = run(e, lround(ceil(n)), 0, g);
        if (isnan(took)) continue;
        const double error = off(e, g);
        for (int k = 0; k < ERRORS; k++)
            if (error <= errors[k] && !(constant[k] <= took)) constant[k] = took;
        if (error < 0.1 * errors[ERRORS - 1] || took > TOO_LONG) break;
    }
    for (double q = 1; q <= (quick ? 6 : 12.5); q += 0.5) {
        const double took = run(e, ROWS, pow(10, -q), g), error = off(e, g);
        for (int k = 0; k < ERRORS; k++)
            if (error <= errors[k] && !(found[k] <= took)) found[k] = took;
    }
}

static int race(encounter *e, lg_model *M, int quick)
{
    double constant[ERRORS], found[ERRORS];
    e->size = lg_group_element_size(e->S->group);
    if (isnan(run(e, ROWS, 1e-13, e->end))) return 1;
    printf("%-28s steps of %.2g to %.2g;", e->name, e->shortest, e->longest);
    climb(e, constant, found, quick);
    for (int k = 0; k < ERRORS; k++)
        printf("  %g: %.0f, %.0f us, %.2f", errors[k], 1e6 * constant[k], 1e6 * found[k], constant[k] / found[k]);
    putchar('\n');
    lg_model_destroy(M);
    return 0;
}

/* A disk that leans at 1.3 rad and turns slowly: the slower, the nearer it comes to the ground. */
static int disk(double turning, int quick)
{
    char name[40];
    encounter e = {.T = 8, .name = name};
    lg_model *M = NULL;
    double given[DIM];
    (void)snprintf(name, sizeof name, "disk that turns at %g rad/s", turning);
    if (lg_catalog_create(&M, "rolling-disk") != LG_OK || lg_model_system(M, &e.S) != LG_OK) return 1;
    if (lg_model_initial(M, e.g, given, NULL) != LG_OK) return 1;
    e.g[2] = sin(1.3), e.g[3] = sin(0.65), e.g[4] = e.g[5] = 0, e.g[6] = cos(0.65);
    e.xi[4] = e.xi[5] = turning;
    return race(&e, M, quick);
}

/* A symmetric top whose axis is at rest, `lean` off the vertical. */
static int top(double I3, double lean, double spin, int quick)
{
    encounter e = {.T = 20, .name = I3 < 1 ? "slender top, cusps" : "flat top, cusps"};
    lg_model *M = NULL;
    double given[DIM];
    if (lg_catalog_create(&M, "heavy-top") != LG_OK || lg_model_set(M, "I2", 1) != LG_OK ||
        lg_model_set(M, "I3", I3) != LG_OK || lg_model_set(M, "chi1", 0) != LG_OK ||
        lg_model_set(M, "chi2", 0) != LG_OK || lg_model_system(M, &e.S) != LG_OK)
        return 1;
    if (lg_model_initial(M, e.g, given, NULL) != LG_OK) return 1;
    e.g[0] = sin(0.5 * lean), e.g[1] = e.g[2] = 0, e.g[3] = cos(0.5 * lean);
    e.xi[2] = spin;
    return race(&e, M, quick);
}

int main(int argc, char **argv)
{
    static const double turning[] = {0.8, 0.4, 0.2, 0.1};
    const int quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    int bad = 0;
    puts("error: the best constant step, found steps, their ratio");
    for (int k = 0; k < 4 && !bad; k++) bad = disk(turning[k], quick);
    bad = bad || top(2.2, 0.5, 3, quick) || top(0.2, 0.1, 8, quick);
    if (bad) fputs("bench_encounters: a motion could not be made\n", stderr);
    return bad;
}
