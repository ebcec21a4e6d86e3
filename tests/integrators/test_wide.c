/* SPDX-License-Identifier: BSD-3-Clause */
/* Wide works: every system of the tests and of the catalog, under every method, composition and retraction that has a
 * wide form, at every width of the machine, ends to the bit where its instances end alone. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/base/width.h>

#include "support/bench.h"
#include "support/blocks.h"
#include "support/laned.h"

/* Long enough for one lane after another to start anew between steps that are done together. */
enum { STEPS = 20, RESTART = 6 };

/* Steps done together and apart, over all cases of a test. */
typedef struct tally {
    long cases, at_once, apart;
} tally;

static block shared;

static void walk(tally *sum, const char *name, const lg_system *S, const char *method, const char *retraction, double h,
                 const double *g0, const double *xi0, int width)
{
    suite_case("%s, %s, %s, width %d", name, method, retraction, width);
    if (!block_open(&shared, S, method, retraction, h, g0, xi0, width)) return;
    for (int k = 0; k < (suite_reduced() ? 5 : STEPS); k++) {
        if (k % RESTART == 4) block_restart(&shared, k / RESTART % width);
        block_step(&shared);
    }
    block_compare(&shared);
    sum->cases++, sum->at_once += shared.at_once, sum->apart += shared.apart;
    if (shared.apart > shared.at_once)
        printf("%s %s %s %d: %ld apart\n", name, method, retraction, width, shared.apart);
    block_close(&shared);
}

static void walk_all(tally *sum, const char *name, const lg_system *S, double h, const double *g0, const double *xi0)
{
    static const char *const retractions[] = {"exp", "cayley", "exp:order=4"}, *const compositions[] = {"",
                                                                                                        "@yoshida4"};
    static const char *const compensated[] = {"sem:compensated", "gni:compensated", "gni:alpha=0.3,compensated",
                                              "variational:compensated", NULL};
    const char *const *const lists[] = {lg_method_names(), compensated};
    for (int k = 0; k < 2; k++)
        for (const char *const *method = lists[k]; *method; method++)
            for (int c = 0; c < 2; c++)
                for (int r = 0; r < 3; r++)
                    for (int width = 2; width <= lg_width_best(); width *= 2) {
                        char spec[80];
                        snprintf(spec, sizeof spec, "%s%s", *method, compositions[c]);
                        walk(sum, name, S, spec, retractions[r], h, g0, xi0, width);
                    }
}

static void report(const char *what, const tally *sum)
{
    printf("%s: %ld cases, %ld steps together, %ld apart\n", what, sum->cases, sum->at_once, sum->apart);
    assert_true(sum->cases > 100);
    assert_true(sum->apart < sum->at_once / 20);
}

static void test_systems(void **state)
{
    tally sum = {0, 0, 0};
    test_system t;
    (void)state;
    for (int i = 0; bench_system(&t, i); i++) walk_all(&sum, t.name, &t.S, t.h, t.g0, t.xi0);
    report("systems", &sum);
}

static void test_catalog(void **state)
{
    tally sum = {0, 0, 0};
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name; name++) {
        lg_model *M = NULL;
        const lg_system *S = NULL;
        double g[SUITE_ELEMENT], xi[SUITE_DIM];
        suite_ok(*name, lg_catalog_create(&M, *name));
        suite_ok(*name, lg_model_initial(M, g, xi, NULL));
        suite_ok(*name, lg_model_system(M, &S));
        walk_all(&sum, *name, S, lg_model_describe(M)->step, g, xi);
        lg_model_destroy(M);
    }
    report("catalog", &sum);
}

/* Projectors with a metric of their own. */
static void test_projectors(void **state)
{
    tally sum = {0, 0, 0};
    test_system t;
    (void)state;
    for (int i = 0; bench_system(&t, i); i++) {
        double metric[SUITE_MATRIX];
        const int n = t.S.group->dim;
        for (int k = 0; k < n * n; k++) metric[k] = k % (n + 1) ? 0.1 : 1 + 0.3 * (k % n);
        if (!t.S.constraint_count || t.S.callbacks.holonomic_count || t.S.projector_metric) continue;
        t.S.projector_metric = metric;
        for (int width = 2; width <= lg_width_best(); width *= 2) {
            walk(&sum, t.name, &t.S, "gni", "exp", t.h, t.g0, t.xi0, width);
            walk(&sum, t.name, &t.S, "gni@yoshida4", "cayley", t.h, t.g0, t.xi0, width);
        }
    }
    printf("projectors: %ld cases\n", sum.cases);
    assert_true(sum.cases > 20);
}

/* ---- callbacks ---- */

static const char *const closed_and_solved[] = {"gni", "variational:euler-a", "sem", "sem@yoshida4", "nsv", NULL};

/* Callbacks that understand lanes see all of them in one call, laid out as lg_call says. */
static void test_lane_callbacks(void **state)
{
    tally sum = {0, 0, 0};
    test_system t;
    long together = 0;
    (void)state;
    for (int i = 0; bench_system(&t, i); i++)
        for (const char *const *method = closed_and_solved; *method; method++)
            for (int width = 2; width <= lg_width_best(); width *= 2) {
                laned o;
                const lg_system S = laned_make(&o, &t.S, 1);
                walk(&sum, t.name, &S, *method, "exp", t.h, t.g0, t.xi0, width);
                together += o.together;
            }
    report("callbacks that understand lanes", &sum);
    assert_true(together > 10 * sum.cases);
}

/* Callbacks that fail, or return NaN, in one lane or two, at different times: these instances are retired with the
 * message that they get alone, and the others do not change by a bit. */
static void test_failures(void **state)
{
    test_system t;
    long cases = 0, retired = 0;
    (void)state;
    for (int i = 0; bench_system(&t, i); i++)
        for (const char *const *method = closed_and_solved; *method; method++)
            for (int width = 2; width <= lg_width_best(); width *= 2)
                for (int lanes = 0; lanes < 2; lanes++) {
                    laned o;
                    const lg_system S = laned_make(&o, &t.S, lanes);
                    o.fate[1] = LANED_FAILS, o.from[1] = 7.5 * t.h;
                    o.fate[width - 1] = i % 2 ? LANED_FAILS : LANED_SPOILS, o.from[width - 1] = 12.2 * t.h;
                    suite_case("failures in %s, %s, width %d, lanes %d", t.name, *method, width, lanes);
                    if (!block_open(&shared, &S, *method, "exp", t.h, t.g0, t.xi0, width)) continue;
                    for (int k = 0; k < 18; k++) block_step(&shared);
                    for (int l = 0; l < width; l++) {
                        if (shared.retired[l]) assert_true(l == 1 || l == width - 1);
                        retired += shared.retired[l];
                    }
                    assert_true(shared.apart <
                                (width < 8 ? 6 : 9)); /* a retired lane does not hold up the others: else 10 */
                    cases++;
                    block_close(&shared);
                }
    printf("failures: %ld cases, %ld instances retired\n", cases, retired);
    assert_true(lg_width_best() > 2 ? retired > cases : 2 * retired > cases); /* at width 2 only one fails */
}

int main(void)
{
    suite_begin("wide");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_systems),        cmocka_unit_test(test_catalog),  cmocka_unit_test(test_projectors),
        cmocka_unit_test(test_lane_callbacks), cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
