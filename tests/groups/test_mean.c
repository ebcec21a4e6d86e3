/* SPDX-License-Identifier: BSD-3-Clause */
/* The mean of elements of every group: its defining equation, its invariances, weights, what is refused. */
#include <math.h>
#include <string.h>

#include "support/roster.h"

enum { COUNT = 5 };

/* Elements near a random one. */
static void draw(const roster_group *r, double *g, double spread, lg_rng *rng)
{
    const size_t k = (size_t)lg_group_element_size(r->G);
    double at[SUITE_ELEMENT], xi[SUITE_DIM], e[SUITE_ELEMENT];
    suite_algebra(r->like, xi, rng, 1.5);
    suite_ok("exp", lg_group_exp(r->like, at, xi));
    for (size_t i = 0; i < COUNT; i++) {
        suite_algebra(r->like, xi, rng, spread);
        suite_ok("exp", lg_group_exp(r->like, e, xi));
        suite_ok("compose", lg_group_compose(r->like, g + i * k, at, e));
    }
}

/* |sum_i w_i log(mean^-1 g_i)|. */
static double miss(const lg_group *G, const double *mean, const double *g, const double *w)
{
    const size_t k = (size_t)lg_group_element_size(G);
    double e[SUITE_ELEMENT], xi[SUITE_DIM], sum[SUITE_DIM] = {0}, size = 0;
    for (size_t i = 0; i < COUNT; i++) {
        suite_ok("between", lg_group_between(G, e, mean, g + i * k));
        suite_ok("log", lg_group_log(G, xi, e));
        for (int c = 0; c < lg_group_dim(G); c++) sum[c] += (w != NULL ? w[i] : 1.) / COUNT * xi[c];
    }
    for (int c = 0; c < lg_group_dim(G); c++) size = fmax(size, fabs(sum[c]));
    return size;
}

static double apart(const lg_group *G, const double *a, const double *b)
{
    double d;
    suite_ok("distance", lg_group_distance(G, &d, a, b));
    return d;
}

static void every_group(void **unused)
{
    static const double w[COUNT] = {0, 1, 0.5, 2, 0.25};
    (void)unused;
    for (int n = 0; n < ROSTER_GROUPS; n++) {
        const roster_group *r = &roster_groups()[n];
        const lg_group *G = r->G;
        const size_t k = (size_t)lg_group_element_size(G);
        lg_rng rng = suite_rng(7000 + (uint64_t)n);
        for (int trial = 0; trial < suite_count(20); trial++) {
            double g[COUNT * SUITE_ELEMENT], h[COUNT * SUITE_ELEMENT], mean[SUITE_ELEMENT], other[SUITE_ELEMENT];
            double b[SUITE_ELEMENT], want[SUITE_ELEMENT];
            suite_case("group %s, trial %d", r->label, trial);
            draw(r, g, 0.4, &rng);
            suite_ok("mean", lg_group_mean(G, mean, g, NULL, COUNT));
            suite_below("equation", miss(G, mean, g, NULL), 1e-12);
            suite_ok("mean", lg_group_mean(G, other, g, w, COUNT));
            suite_below("weighted", miss(G, other, g, w), 1e-12);
            memcpy(b, g + k, k * sizeof *b); /* moved from both sides, and inverted */
            for (size_t i = 0; i < COUNT; i++) {
                suite_ok("compose", lg_group_compose(G, h + i * k, b, g + i * k));
                suite_ok("compose", lg_group_compose(G, h + i * k, h + i * k, g + 2 * k));
            }
            suite_ok("mean", lg_group_mean(G, other, h, NULL, COUNT));
            suite_ok("compose", lg_group_compose(G, want, b, mean));
            suite_ok("compose", lg_group_compose(G, want, want, g + 2 * k));
            suite_below("moved", apart(G, other, want), 1e-10);
            for (size_t i = 0; i < COUNT; i++) suite_ok("inverse", lg_group_inverse(G, h + i * k, g + i * k));
            suite_ok("mean", lg_group_mean(G, other, h, NULL, COUNT));
            suite_ok("inverse", lg_group_inverse(G, want, mean));
            suite_below("inverted", apart(G, other, want), 1e-10);
            suite_ok("in place", lg_group_mean(G, g, g, NULL, COUNT));
            suite_same_bits("in place", g, mean, (int)k);
            for (size_t i = 1; i < COUNT; i++) memcpy(h + i * k, h, k * sizeof *h);
            suite_ok("of one", lg_group_mean(G, other, h, NULL, COUNT));
            suite_below("of one", apart(G, other, h), 1e-13);
        }
    }
}

static void refused(void **unused)
{
    const lg_group *G = lg_so2();
    static const double g[6] = {1, 0, -1, 0, 0, 1}, minus[3] = {1, -1, 1}, nothing[3] = {0, 0, 0}, bad[3] = {1, NAN, 1};
    static const double none[2] = {NAN, 0};
    double r[2] = {7, 7};
    (void)unused;
    suite_status("count", lg_group_mean(G, r, g, NULL, 0), LG_ERROR_ARGUMENT);
    suite_status("negative", lg_group_mean(G, r, g, minus, 3), LG_ERROR_ARGUMENT);
    suite_status("no weight", lg_group_mean(G, r, g, nothing, 3), LG_ERROR_ARGUMENT);
    suite_status("NaN", lg_group_mean(G, r, g, bad, 3), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_group_mean(G, r, NULL, NULL, 3), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_group_mean(NULL, r, g, NULL, 3), LG_ERROR_ARGUMENT);
    assert_int_not_equal(lg_group_mean(G, r, none, NULL, 1), LG_OK);
    assert_true(r[0] == 7 && r[1] == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_group), cmocka_unit_test(refused)};
    suite_begin("groups/mean");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
