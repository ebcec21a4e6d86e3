/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of a step of an instance in an ensemble, loads and stores included: by width, with callbacks that see all
 * lanes or one at a time; by threads, next to a loop of pure arithmetic in the same run; by the number of instances,
 * with the memory of each. Every instance has parameters of its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <liegrp/liegrp.h>

#include "benchmarks/suite/bench.h"

enum { STEPS = 100, SOME = 256, ROUNDS = 15, WIDTHS = 4, MOST_THREADS = 10 };
static const double step_size = 0.01;

/* Systems --------------------------------------------------------------------------------------------------------- */

/* The rolling ball's rows and drift by one callback, instead of constant rows and a drift. */

enum { MASS, RADIUS, OMEGA, I1 };

static int ball_inertia(const lg_call *c, double *J, double *rows, char *why)
{
    const double *param = c->param;
    (void)rows, (void)why;
    J[0] = J[6] = param[MASS];
    for (int i = 0; i < 3; i++) J[12 + 6 * i] = param[I1 + i];
    return 0;
}

static int ball_covectors(const lg_call *c, const double *g, double *mu, double *Y)
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

typedef enum rows { ALL_LANES, ONE_LANE, ROWS_ALL_LANES, ROWS_ONE_LANE } rows;
static lg_model_definition definition_of(const char *system, rows how)
{
    lg_model_definition d = *lg_catalog_definition(system);
    if (how == ONE_LANE || how == ROWS_ONE_LANE) d.callbacks.lanes = 0;
    if (how == ROWS_ALL_LANES || how == ROWS_ONE_LANE) {
        d.has_constant_rows = 0;
        d.configure = ball_inertia;
        d.callbacks.drift = NULL;
        d.callbacks.covectors_derivative = NULL;
        d.callbacks.covectors = ball_covectors;
    }
    return d;
}

/* No ball is homogeneous, so that Newton's iteration has work to do. In the other systems the masses vary. */
static lg_status vary(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    const lg_model_definition *d = lg_model_describe(M);
    const double some = 1e-6 * (double)i;
    lg_status st;
    (void)mo, (void)context;
    if (strcmp(d->name, "rolling-ball") != 0)
        return lg_model_set(M, d->parameters[0].name, d->parameters[0].value * (1 + some));
    st = lg_model_set(M, "Omega", 0.5 + some);
    if (st == LG_OK) st = lg_model_set(M, "I1", 0.6 + some);
    return st == LG_OK ? lg_model_set(M, "I3", 0.75) : st;
}

/* Cases ----------------------------------------------------------------------------------------------------------- */

/* An ensemble that is measured. */
typedef struct crowd {
    const char *system, *method, *retraction;
    rows how;
    int64_t count;
    int width, threads;
    lg_model_definition definition;
    lg_ensemble *E;
} crowd;

static double run_crowd(void *context, long count)
{
    const crowd *c = context;
    double t = 0;
    for (long done = 0; done < count; done += STEPS * (long)c->count)
        if (lg_ensemble_run(c->E, STEPS, 1, NULL, NULL) != LG_OK) return (double)NAN;
    return lg_ensemble_state(c->E, &t, NULL, NULL, 0) == LG_OK ? t : (double)NAN;
}

/* What its callbacks see, if it has any. */
static const char *description(const crowd *c)
{
    const lg_model_definition *d = &c->definition;
    if (c->how == ROWS_ALL_LANES || c->how == ROWS_ONE_LANE)
        return d->callbacks.lanes ? "lanes, rows too" : "one by one, rows too";
    if (d->callbacks.drift == NULL && d->callbacks.covectors == NULL && d->callbacks.potential == NULL) return "none";
    return d->callbacks.lanes ? "lanes" : "one by one";
}

/* Nonzero: failure, with the reason in the report. */
static int open_crowd(crowd *c, bench_report *r)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_model *M = NULL;
    lg_status st;
    c->definition = definition_of(c->system, c->how);
    o.method = c->method, o.retraction = c->retraction, o.step = step_size, o.width = c->width, o.threads = c->threads;
    st = lg_model_create(&M, &c->definition);
    if (st == LG_OK) st = lg_ensemble_create(&c->E, M, c->count, &o);
    if (st == LG_OK) st = lg_ensemble_set_all(c->E, vary, NULL);
    lg_model_destroy(M);
    if (st != LG_OK) bench_fail(r, "%s: %s", c->system, lg_ensemble_message(c->E));
    return st != LG_OK;
}

/* The least number of instance steps in a round; `count` is a multiple of the crowd's size. */
static bench_case case_of(crowd *c, int64_t instances)
{
    const int64_t runs = instances > c->count ? (instances + c->count - 1) / c->count : 1;
    const bench_case out = {
        .name = c->system, .run = run_crowd, .context = c, .count = (long)(runs * c->count) * STEPS};
    return out;
}

/* No instance may have failed, and instances that ran equally long must agree to the last bit. */
static void check(bench_report *r, const crowd *c, const crowd *other)
{
    double g[16], p[16], g1[16], p1[16], t, t1;
    const int64_t last = c->count - 1;
    memset(g, 0, sizeof g), memset(p, 0, sizeof p), memset(g1, 0, sizeof g1), memset(p1, 0, sizeof p1);
    if (lg_ensemble_retired(c->E) > 0) bench_fail(r, "%s: %s", c->system, lg_ensemble_reason(c->E, 0));
    if (lg_ensemble_state(c->E, &t, g, p, last) != LG_OK || lg_ensemble_state(other->E, &t1, g1, p1, last) != LG_OK ||
        t != t1 || memcmp(g, g1, sizeof g) != 0 || memcmp(p, p1, sizeof p) != 0)
        bench_fail(r, "%s, %s: an instance depends on the width or the threads", c->system, c->method);
}

/* By width -------------------------------------------------------------------------------------------------------- */

static const crowd subjects[] = {
    {.system = "rolling-ball", .method = "gni", .retraction = "cayley"},
    {.system = "rolling-ball", .method = "gni", .retraction = "cayley", .how = ONE_LANE},
    {.system = "rolling-ball", .method = "gni", .retraction = "cayley", .how = ROWS_ALL_LANES},
    {.system = "rolling-ball", .method = "gni", .retraction = "cayley", .how = ROWS_ONE_LANE},
    {.system = "rolling-ball", .method = "gni", .retraction = "exp"},
    {.system = "rolling-ball", .method = "sem", .retraction = "cayley"},
    {.system = "rolling-ball", .method = "sem", .retraction = "exp"},
    {.system = "chaplygin-sleigh", .method = "gni", .retraction = "exp"},
    {.system = "heavy-top", .method = "variational", .retraction = "exp"},
    {.system = "heavy-top", .method = "sem", .retraction = "exp"},
    {.system = "rolling-disk", .method = "sem", .retraction = "exp"},
    {.system = "rolling-ball", .method = "gauss", .retraction = "exp"}, /* width 1: its stages in the lanes */
    {.system = "heavy-top", .method = "gauss", .retraction = "exp"},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static void write_widths(bench_report *r, const crowd *c, const bench_case *t, int widths)
{
    bench_table(r, "widths",
                "a step of one of 256 instances, in runs of 100 steps on one thread: nanoseconds by width");
    bench_column(r, "system", "");
    bench_column(r, "method", "");
    bench_column(r, "retraction", "");
    bench_column(r, "callbacks see", "");
    bench_column(r, "width", "%.0f");
    bench_column(r, "ns", "%.1f");
    bench_column(r, "speed-up", "%.2f");
    for (int k = 0; k < SUBJECTS * widths; k++) {
        const int alone = k - k % widths;
        bench_row(r);
        bench_text(r, c[k].system);
        bench_text(r, c[k].method);
        bench_text(r, c[k].retraction);
        bench_text(r, description(&c[k]));
        bench_number(r, c[k].width);
        bench_timing(r, &t[k]);
        bench_number(r, bench_ratio(&t[alone], &t[k]));
        check(r, &c[k], &c[alone]);
    }
}

/* The bounds for the ball: subject 0, and subject 2 by callbacks. */
static void conclude_widths(bench_report *r, const bench_case *t, int widths)
{
    static const double bound[] = {0, 0, 35, 20};
    char name[BENCH_NAME];
    for (int k = 2; k < widths; k++) {
        const int width = 1 << k;
        snprintf(name, sizeof name, "rolling ball, gni, cayley, width %d, ns", width);
        bench_figure(r, name, t[k].median, "rolling ball, gni, cayley, width %d: %.1f ns (meant to be at most %.0f)",
                     width, t[k].median, bound[k]);
    }
    if (widths < WIDTHS) return;
    const double ns = t[2 * widths + widths - 1].median;
    bench_figure(r, "rolling ball, gni, cayley, width 8, rows by callback, ns", ns,
                 "the same through a callback for rows and drift that sees all lanes, width 8: %.1f ns (meant to be at "
                 "most 45)",
                 ns);
}

static void by_width(bench_report *r, const bench_settings *s)
{
    crowd c[SUBJECTS * WIDTHS];
    bench_case t[SUBJECTS * WIDTHS];
    int widths = 1, bad = 0, count = 0;
    while (widths < WIDTHS && lg_width_supported(1 << widths)) widths++;
    memset(c, 0, sizeof c), memset(t, 0, sizeof t);
    for (int i = 0; i < SUBJECTS; i++)
        for (int k = 0; k < widths && !bad; k++, count++) {
            c[count] = subjects[i];
            c[count].count = s->quick ? 16 : SOME, c[count].width = 1 << k, c[count].threads = 1;
            bad = open_crowd(&c[count], r);
            t[count] = case_of(&c[count], c[count].count);
        }
    if (!bad) {
        bench_tell(s, "ensembles: by width");
        bench_time(r, t, count);
        write_widths(r, c, t, widths);
        conclude_widths(r, t, widths);
    }
    for (int i = 0; i < count; i++) lg_ensemble_destroy(c[i].E);
}

/* By threads ------------------------------------------------------------------------------------------------------ */

/* Chains of multiplications and additions, dealt out like the instances. */
static double run_arithmetic(void *context, long count)
{
    enum { CHAINS = 128 };
    const int threads = *(const int *)context;
    double sum = 0;
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(+ : sum)
#endif
    for (int u = 0; u < CHAINS; u++) {
        double x = 1 + 1e-3 * u;
        for (long k = 0; k < count / CHAINS * 8; k++) x = x * 0.999 + 0.001;
        sum += x;
    }
    return sum;
}

typedef struct by_threads_job {
    int threads[MOST_THREADS], count; /* 1, 2, 4, ... and all of them */
    crowd crowds[2 * MOST_THREADS];
    bench_case cases[3 * MOST_THREADS]; /* the arithmetic, two crowds, each with 1, 2, ... threads */
} by_threads_job;

static int count_threads(int *threads)
{
    int count = 0, all = 1;
#ifdef _OPENMP
    all = omp_get_num_procs();
#endif
    for (int n = 1; n <= all && count < MOST_THREADS; n *= 2) threads[count++] = n;
    if (count < MOST_THREADS && threads[count - 1] < all) threads[count++] = all;
    return count;
}

/* The speed-up in the quietest rounds, since threads are sensitive to other load on the machine. */
static double at_best(const bench_case *one, const bench_case *many)
{
    return one->low / many->low;
}

static void write_threads(bench_report *r, const by_threads_job *j)
{
    static const char *const work[] = {"arithmetic", "rolling ball, gni, cayley", "rolling ball, sem, cayley"};
    char title[200];
    snprintf(title, sizeof title,
             "%.0f instances in runs of 100 steps by threads, wall time: nanoseconds per step, speed-up (of medians, "
             "of least times), the latter over arithmetic's",
             (double)j->crowds[0].count);
    bench_table(r, "threads", title);
    bench_column(r, "work", "");
    bench_column(r, "threads", "%.0f");
    bench_column(r, "ns", "%.2f");
    bench_column(r, "least ns", "%.2f");
    bench_column(r, "speed-up", "%.2f");
    bench_column(r, "at best", "%.2f");
    bench_column(r, "of arithmetic's", "%.2f");
    for (int w = 0; w < 3; w++)
        for (int k = 0; k < j->count; k++) {
            const bench_case *pure = &j->cases[0], *one = &j->cases[w * j->count];
            const double best = at_best(one, one + k), share = best / at_best(pure, pure + k);
            char name[BENCH_NAME];
            bench_row(r);
            bench_text(r, work[w]);
            bench_number(r, j->threads[k]);
            bench_timing(r, one + k);
            bench_number(r, one[k].low);
            bench_number(r, bench_ratio(one, one + k));
            bench_number(r, best);
            bench_number(r, share);
            if (w > 0) check(r, &j->crowds[(w - 1) * j->count + k], &j->crowds[(w - 1) * j->count]);
            if (w == 0 || k == 0) continue;
            snprintf(name, sizeof name, "%s, %d threads, speed-up over arithmetic's", work[w], j->threads[k]);
            bench_figure(r, name, share,
                         "%s, %d threads: %.2f times as fast as one, %.2f of the gain of arithmetic (%.2f; if that is "
                         "far from %d the processors had other work, and the figure is meaningless)%s",
                         work[w], j->threads[k], best, share, at_best(pure, pure + k), j->threads[k],
                         j->threads[k] == 2 ? " (meant to be at least 0.90)" : "");
        }
}

static void by_threads(bench_report *r, const bench_settings *s)
{
    static const char *const methods[] = {"gni", "sem"};
    by_threads_job *j = calloc(1, sizeof *j);
    int bad = 0, opened = 0;
    if (j == NULL) {
        bench_fail(r, "out of memory");
        return;
    }
    j->count = count_threads(j->threads);
    for (int k = 0; k < j->count; k++)
        j->cases[k] = (bench_case){.name = "arithmetic", .run = run_arithmetic, .context = &j->threads[k]};
    for (int i = 0; i < 2 * j->count && !bad; i++, opened++) {
        crowd *c = &j->crowds[i];
        *c = (crowd){.system = "rolling-ball", .method = methods[i / j->count], .retraction = "cayley"};
        c->count = (s->quick ? 64 : SOME) * j->threads[j->count - 1], c->width = lg_width_best(),
        c->threads = j->threads[i % j->count];
        bad = open_crowd(c, r);
        j->cases[j->count + i] = case_of(c, c->count);
    }
    for (int i = 0; i < 3 * j->count; i++) j->cases[i].wall = 1, j->cases[i].count = j->cases[3 * j->count - 1].count;
    if (!bad) {
        bench_tell(s, "ensembles: by threads");
        bench_time(r, j->cases, 3 * j->count);
        write_threads(r, j);
    }
    for (int i = 0; i < opened; i++) lg_ensemble_destroy(j->crowds[i].E);
    free(j);
}

/* By count -------------------------------------------------------------------------------------------------------- */

static const int64_t counts[] = {8, 64, 512, 4096, 100000};
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* Bytes of g, p and the parameters. */
static double state_bytes(const crowd *c, bench_report *r)
{
    double bytes = (double)NAN;
    lg_motion *mo = NULL;
    if (lg_ensemble_motion(&mo, c->E, 0) == LG_OK) {
        const lg_group *G = lg_integrator_group(lg_motion_integrator(mo));
        bytes = (double)sizeof(double) * (lg_group_element_size(G) + lg_group_dim(G) + c->definition.parameter_count);
    } else {
        bench_fail(r, "%s: no instance", c->system);
    }
    lg_motion_destroy(mo);
    return bytes;
}

static void write_counts(bench_report *r, const crowd *c, const bench_case *t, int n)
{
    bench_table(
        r, "counts",
        "the rolling ball, cayley, in runs of 100 steps on one thread, widest vectors: nanoseconds per step and "
        "bytes per instance, over those of g, p and the parameters");
    bench_column(r, "method", "");
    bench_column(r, "instances", "%.0f");
    bench_column(r, "ns", "%.1f");
    bench_column(r, "bytes an instance", "%.0f");
    bench_column(r, "over the state's", "%.2f");
    for (int i = 0; i < n; i++) {
        const double bytes = (double)lg_ensemble_bytes(c[i].E) / (double)c[i].count, state = state_bytes(&c[i], r);
        bench_row(r);
        bench_text(r, c[i].method);
        bench_number(r, (double)c[i].count);
        bench_timing(r, &t[i]);
        bench_number(r, bytes);
        bench_number(r, bytes / state);
        check(r, &c[i], &c[i]);
        if (i + 1 < n && strcmp(c[i + 1].method, c[i].method) == 0) continue;
        const int sem = strcmp(c[i].method, "sem") == 0;
        bench_figure(r, sem ? "memory of sem over the state's" : "memory of gni over the state's", bytes / state,
                     "%s, %.0f instances: %.0f bytes each, %.2f of g, p and parameters (meant to be at most %d)",
                     c[i].method, (double)c[i].count, bytes, bytes / state, sem ? 8 : 2);
    }
}

static void by_count(bench_report *r, const bench_settings *s)
{
    static const char *const methods[] = {"gni", "sem"};
    const int most = s->quick ? 3 : COUNTS;
    crowd c[2 * COUNTS];
    bench_case t[2 * COUNTS];
    int bad = 0, opened = 0;
    memset(c, 0, sizeof c), memset(t, 0, sizeof t);
    for (; opened < 2 * most && !bad; opened++) {
        crowd *now = &c[opened];
        *now = (crowd){.system = "rolling-ball", .method = methods[opened / most], .retraction = "cayley"};
        now->count = counts[opened % most], now->width = lg_width_best(), now->threads = 1;
        bad = open_crowd(now, r);
        t[opened] = case_of(now, s->quick ? 8 : SOME);
    }
    if (!bad) {
        bench_tell(s, "ensembles: by count");
        bench_time(r, t, opened);
        write_counts(r, c, t, opened);
    }
    for (int i = 0; i < opened; i++) lg_ensemble_destroy(c[i].E);
}

/* Threads first: OpenMP's would otherwise be kept on the processor that bench_begin() pins this one to. */
void bench_ensembles(bench_report *r, const bench_settings *s)
{
    bench_report_protocol(r, s->quick ? 3 : BENCH_ROUNDS, s->quick ? 1 : 3, -1);
    by_threads(r, s);
    bench_begin(r, s, ROUNDS);
    by_width(r, s);
    by_count(r, s);
    bench_say(r,
              "Threads: wall time, unpinned, in %d rounds; the gain is that of the least times, next to that of a "
              "loop of multiplications and additions in the same rounds.",
              s->quick ? 3 : BENCH_ROUNDS);
}
