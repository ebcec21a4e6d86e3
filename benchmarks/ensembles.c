/* SPDX-License-Identifier: BSD-3-Clause */
/* What a step of an instance costs in an ensemble: the rolling ball with as many parameters as instances, by width and
 * threads, its drift called for several instances at once or one by one; loading and storing are in it. How well
 * threads share the work is told beside a loop of nothing but arithmetic in the same run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <liegrp/liegrp.h>

#include "support.h"

enum { INSTANCES = 2048, STEPS = 100, CASES = 40 };

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "ensembles: %s: %s\n", what, why);
    exit(1);
}

static lg_status vary(int64_t i, lg_model *M, void *context)
{
    lg_status status = lg_model_set(M, "Omega", 0.5 + 1e-4 * (double)i);
    (void)context;
    return status == LG_OK ? lg_model_set(M, "I1", 0.6 + 1e-5 * (double)i) : status;
}

static lg_ensemble *open_ensemble(const lg_model_definition *d, const char *method, int width, int threads)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E = NULL;
    lg_model *M = NULL;
    o.method = method, o.retraction = "cayley", o.step = 0.01, o.width = width, o.threads = threads;
    if (lg_model_create(&M, d) != LG_OK) fail("model", lg_model_message(M));
    if (lg_ensemble_create(&E, M, INSTANCES, &o) != LG_OK) fail("create", lg_ensemble_message(E));
    if (lg_ensemble_set_all(E, vary, NULL) != LG_OK) fail("set", lg_ensemble_message(E));
    lg_model_destroy(M);
    return E;
}

/* `count` is a multiple of the instances. */
static double run_ensemble(void *context, long count)
{
    double t = 0;
    if (lg_ensemble_run(context, count / INSTANCES, 1, NULL, NULL) != LG_OK) fail("run", lg_ensemble_message(context));
    if (lg_ensemble_state(context, 0, &t, NULL, NULL) != LG_OK) fail("state", "there is none");
    return t;
}

/* A chain of multiplications and additions, dealt out like the instances. */
static double run_arithmetic(void *context, long count)
{
    const int threads = *(const int *)context;
    double sum = 0;
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) reduction(+ : sum)
#endif
    for (int u = 0; u < 128; u++) {
        double x = 1 + 1e-3 * u;
        for (long k = 0; k < count / 128 * 4; k++) x = x * 0.999 + 0.001;
        sum += x;
    }
    return sum;
}

typedef struct table {
    bench_case c[CASES];
    char name[CASES][80];
    int alone[CASES]; /* the case with one thread, or with width 1 */
    int count;
} table;

static void add(table *t, bench_run run, void *context, int alone, const bench_options *o, const char *name)
{
    snprintf(t->name[t->count], sizeof t->name[0], "%s", name);
    t->c[t->count] = (bench_case){
        .name = t->name[t->count], .run = run, .context = context, .count = (long)INSTANCES * (o->quick ? 4 : STEPS)};
    t->alone[t->count++] = alone;
}

/* All widths in one thread, the best one in two. */
static void add_ensembles(table *t, const lg_model_definition *d, const char *method, const char *what,
                          const bench_options *o)
{
    char name[80];
    const int first = t->count, best = lg_width_best();
    for (int width = 1; width <= best; width *= 2) {
        snprintf(name, sizeof name, "rolling-ball %s%s, width %d", method, what, width);
        add(t, run_ensemble, open_ensemble(d, method, width, 1), first, o, name);
    }
    snprintf(name, sizeof name, "rolling-ball %s%s, width %d, 2 threads", method, what, best);
    add(t, run_ensemble, open_ensemble(d, method, best, 2), t->count - 1, o, name);
}

int main(int argc, char **argv)
{
    static table t;
    static int threads[2] = {1, 2};
    bench_options o = bench_parse(argc, argv, "ensembles: nanoseconds per step and instance");
    const lg_model_definition *ball = lg_catalog_definition("rolling-ball");
    lg_model_definition one_by_one = *ball;
    one_by_one.lanes = 0;
    add(&t, run_arithmetic, &threads[0], 0, &o, "arithmetic");
    add(&t, run_arithmetic, &threads[1], 0, &o, "arithmetic, 2 threads");
    add_ensembles(&t, ball, "gni", "", &o);
    add_ensembles(&t, &one_by_one, "gni", ", drift one by one", &o);
    add_ensembles(&t, ball, "sem", "", &o);
    bench_open(&o, "ensembles");
    bench_measure(t.c, t.count, &o);
    if (!o.json) printf("%-56s %8s %18s %8s %s\n", "", "ns/step", "", "speedup", "of arithmetic's");
    for (int k = 0; k < t.count; k++) {
        static const char *const names[] = {"speedup", "of_arithmetic"};
        const bench_case *c = &t.c[k];
        const int two = strstr(c->name, "2 threads") != NULL;
        const double speedup = bench_ratio(&t.c[t.alone[k]], c);
        const double values[] = {speedup, two ? speedup / bench_ratio(&t.c[0], &t.c[1]) : 1};
        if (o.json)
            bench_json_case(&o, c, names, values, two ? 2 : 1);
        else
            printf(two ? "%-56s %8.1f [%6.1f .. %6.1f] %8.2f %.2f\n" : "%-56s %8.1f [%6.1f .. %6.1f] %8.2f\n", c->name,
                   c->median, c->low, c->high, values[0], values[1]);
    }
    bench_close(&o);
    for (int k = 2; k < t.count; k++) lg_ensemble_destroy(t.c[k].context);
    return 0;
}
