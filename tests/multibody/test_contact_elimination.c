/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which bodies and joints of a graph are eliminated is that of least degree, found here by a look at all
 * of them; joints wait for the bodies that they connect. */
#include <stdlib.h>
#include <string.h>

#include "multibody/contact/solver/elimination.h"
#include "support/suite.h"

enum { MOST = 60 };

typedef struct graph {
    int count, late;
    char joined[MOST][MOST], fill[MOST][MOST];
} graph;

static int degree(const graph *g, const char *done, int i)
{
    int of = 0;
    for (int k = 0; k < g->count; k++) of += !done[k] && k != i && (g->joined[i][k] || g->fill[i][k]);
    return of;
}

static int waits(const graph *g, const char *done, int i)
{
    for (int k = 0; k < g->late && i >= g->late; k++)
        if (g->joined[i][k] && !done[k]) return 1;
    return 0;
}

static int least(const graph *g, const char *done)
{
    int best = -1;
    for (int i = 0; i < g->count; i++)
        if (!done[i] && !waits(g, done, i) && (best < 0 || degree(g, done, i) < degree(g, done, best))) best = i;
    return best;
}

/* Eliminates the vertices one after the other, and compares. */
static void expect_order(graph *g, const mb_elimination *e)
{
    char done[MOST] = {0};
    int later = 0;
    for (int p = 0; p < g->count; p++) {
        const int k = least(g, done);
        assert_int_equal(e->order[p], k);
        assert_int_equal(e->first[p], later);
        done[k] = 1;
        for (int i = 0; i < g->count; i++) {
            if (done[i] || !(g->joined[k][i] || g->fill[k][i])) continue;
            assert_int_equal(e->later[later++], i);
            for (int j = 0; j < g->count; j++)
                if (!done[j] && j != i && (g->joined[k][j] || g->fill[k][j])) g->fill[i][j] = 1;
        }
    }
    assert_int_equal(e->first[g->count], later);
    assert_int_equal(e->blocks, 2 * later);
}

static void make(graph *g, lg_rng *rng, int i)
{
    memset(g, 0, sizeof *g);
    g->count = 1 + (int)(lg_rng_uniform(rng) * MOST), g->late = i % 3 == 0 ? g->count : 1 + (g->count - 1) / 2;
    const double each = i % 7 == 0 ? 0 : 3.0 * lg_rng_uniform(rng) / g->count;
    for (int a = 0; a < g->count; a++)
        for (int b = 0; b < a; b++) {
            const int both_late = b >= g->late;
            g->joined[a][b] = g->joined[b][a] = (char)(!both_late && lg_rng_uniform(rng) < each);
        }
}

static void orders(void **unused)
{
    lg_rng rng = suite_rng(1);
    mb_elimination e = {0};
    lg_arena a = {NULL, 0};
    static graph g;
    (void)unused;
    mb_elimination_take(&e, &a, MOST, MOST * MOST);
    a.base = lg_reserve(a.used), a.used = 0;
    assert_non_null(a.base);
    void *memory = a.base;
    mb_elimination_take(&e, &a, MOST, MOST * MOST);
    for (int i = 0; i < 500; i++) {
        suite_case("graph %d", i);
        make(&g, &rng, i);
        mb_elimination_begin(&e, g.count);
        for (int k = 0; k < g.count; k++)
            for (int b = 0; b < g.count; b++)
                if (g.joined[k][b]) mb_elimination_join(&e, k, b);
        assert_true(mb_elimination_order(&e, g.late));
        expect_order(&g, &e);
    }
    lg_release(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(orders)};
    suite_begin("contact_elimination");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
