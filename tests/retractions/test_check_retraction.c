/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_retraction_check(): every retraction of the library passes on every group, and an error in any operation or flag
 * is found. */
#include <math.h>
#include <string.h>

#include "planted.h"
#include "roster.h"
#include "suite.h"

static void test_all_retractions(void **state)
{
    (void)state;
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        for (int j = 0; j < ROSTER_RETRACTIONS; j++) {
            const lg_retraction *r = roster_retractions()[j];
            lg_error e = {LG_OK, ""};
            lg_rng rng = suite_rng(22000 + (uint64_t)(i * ROSTER_RETRACTIONS + j));
            suite_case("%s on %s", r->name, roster_groups()[i].label);
            expect("check", lg_retraction_check(r, roster_groups()[i].G, &rng, POINTS, 0, &e), LG_OK, &e);
        }
    }
}

/* ---- retractions ---- */

static const lg_retraction *retraction_base;

#define RETRACTION_UNARY(m, name, call, count, rows)                                                                   \
    static lg_status spoiled_##name(const lg_retraction *r, const lg_group *G, double *out, const double *in, void *w) \
    {                                                                                                                  \
        double x[SUITE_MATRIX], other[SUITE_MATRIX];                                                                   \
        plant.base = G;                                                                                                \
        const int both = mirrored(m) && call(retraction_base, G, other, mirror(G, m, x, in)) == LG_OK;                 \
        const lg_status st = call(retraction_base, G, out, in);                                                        \
        (void)r, (void)w;                                                                                              \
        for (int i = 0; both && i < (count); i++) change(&out[i], other[i]);                                           \
        if (st == LG_OK) spoil(m, out, count, rows, in, NULL);                                                         \
        return st;                                                                                                     \
    }
#define RETRACTION_BINARY(m, name, call, count, rows)                                                                  \
    static lg_status spoiled_##name(const lg_retraction *r, const lg_group *G, double *out, const double *a,           \
                                    const double *b, void *w)                                                          \
    {                                                                                                                  \
        double x[SUITE_MATRIX], other[SUITE_MATRIX];                                                                   \
        plant.base = G;                                                                                                \
        const int both = mirrored(m) && call(retraction_base, G, other, mirror(G, m, x, a), b) == LG_OK;               \
        const lg_status st = call(retraction_base, G, out, a, b);                                                      \
        (void)r, (void)w;                                                                                              \
        for (int i = 0; both && i < (count); i++) change(&out[i], other[i]);                                           \
        if (st == LG_OK) spoil(m, out, count, rows, a, NULL);                                                          \
        return st;                                                                                                     \
    }
RETRACTION_UNARY(TAU, tau, lg_retraction_tau, E, 0)
RETRACTION_UNARY(TAU_INV, tau_inv, lg_retraction_tau_inv, N, 0)
RETRACTION_UNARY(DTAU, dtau, lg_retraction_dtau, NN, N)
RETRACTION_UNARY(DTAU_INV, dtau_inv, lg_retraction_dtau_inv, NN, N)
RETRACTION_BINARY(DUAL, dual, lg_retraction_dtau_inv_dual, N, 0)
RETRACTION_BINARY(DERIVATIVE, derivative, lg_retraction_dtau_inv_dual_derivative, NN, N)

static lg_retraction spoiled_retraction(const lg_retraction *base)
{
    const lg_retraction r = {.size = sizeof r,
                             .name = "spoiled",
                             .flags = base->flags,
                             .tau = spoiled_tau,
                             .tau_inv = spoiled_tau_inv,
                             .dtau = spoiled_dtau,
                             .dtau_inv = spoiled_dtau_inv,
                             .dtau_inv_dual = spoiled_dual,
                             .dtau_inv_dual_derivative = spoiled_derivative};
    retraction_base = base;
    plant.member = -1;
    return r;
}

static void over_retraction_members(const lg_retraction *base, const lg_group *G, uint64_t stream)
{
    for (int m = TAU; m <= DERIVATIVE; m++) {
        for (int j = 0; j < KINDS; j++) {
            const lg_retraction r = spoiled_retraction(base);
            lg_error e = {LG_OK, ""};
            lg_rng rng = suite_rng(stream + (uint64_t)(m * KINDS + j));
            plant.member = m, plant.kind = (kind)j, plant.changed = 0;
            suite_case("%s of %s on %s, %s", member_names[m], base->name, G->name, kind_names[j]);
            const lg_status st = lg_retraction_check(&r, G, &rng, POINTS, 0, &e);
            if (harmless(G, m) || !plant.changed) continue;
            found++;
            if (st == LG_OK || strstr(e.message, "lg_retraction_check: spoiled on") == NULL) miss(G, m, j, e.message);
        }
    }
}

static void test_planted_retractions(void **state)
{
    const lg_group *const groups[] = {lg_so3(), lg_se2(), lg_se3(), lg_so2(), lg_rn(2), lg_torus(2)};
    const lg_retraction *const base[] = {lg_retraction_exp(), lg_retraction_cayley(), lg_retraction_second_kind()};
    (void)state;
    missed = found = 0;
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        for (size_t j = 0; j < sizeof base / sizeof base[0]; j++)
            over_retraction_members(base[j], groups[i], 51000 + 1000 * (3 * i + j));
    if (missed > 0) suite_fail("%d of %d planted errors were not found", missed, found);
    assert_true(found > 400);
}

/* Flags that claim what is not there. */
static void test_flags(void **state)
{
    const lg_retraction *const base[] = {lg_retraction_second_kind(), lg_retraction_second_kind(),
                                         lg_retraction_series(2)};
    const unsigned flag[] = {LG_RETRACTION_SYMMETRIC, LG_RETRACTION_COMMUTING, LG_RETRACTION_EXACT};
    const char *const name[] = {"LG_RETRACTION_SYMMETRIC", "LG_RETRACTION_COMMUTING", "LG_RETRACTION_EXACT"};
    const lg_group *const groups[] = {lg_so3(), lg_se2(), lg_se3()};
    (void)state;
    for (int i = 0; i < 9; i++) {
        lg_retraction r = spoiled_retraction(base[i % 3]);
        lg_error e = {LG_OK, ""};
        lg_rng rng = suite_rng(61000 + (uint64_t)i);
        suite_case("%s on %s with %s", base[i % 3]->name, groups[i / 3]->name, name[i % 3]);
        expect("as it is", lg_retraction_check(&r, groups[i / 3], &rng, POINTS, 0, &e), LG_OK, &e);
        r.flags |= flag[i % 3];
        suite_status("with the flag", lg_retraction_check(&r, groups[i / 3], &rng, POINTS, 0, &e), LG_ERROR_ARGUMENT);
        suite_contains("message", e.message, name[i % 3]);
    }
}

/* ---- closed forms with a wrong branch ---- */

/* Vectors shorter or longer than `limit` take the wrong branch of the operation `branch`. */
static struct {
    int member, inside;
    double limit;
} branch;

static int wrong_branch(int m, const double *xi, int n)
{
    double norm = 0;
    for (int i = 0; i < n; i++) norm += xi[i] * xi[i];
    norm = sqrt(norm);
    return m == branch.member && (branch.inside ? norm <= branch.limit : norm > branch.limit);
}

/* A wrong branch: a number is off to first order in xi, or is NaN for xi = 0. */
static void take_branch(int m, double *out, const double *xi, int n)
{
    const double length = branch.limit > 0 ? fabs(xi[0]) + fabs(xi[1]) : (double)NAN;
    if (wrong_branch(m, xi, n)) out[1] += branch.inside ? length : 0.05;
}

#define BRANCHED(m, name)                                                                                              \
    static lg_status branched_##name(const lg_retraction *r, const lg_group *G, double *out, const double *xi,         \
                                     void *work)                                                                       \
    {                                                                                                                  \
        double x[SUITE_DIM];                                                                                           \
        (void)r, (void)work;                                                                                           \
        memcpy(x, xi, (size_t)G->dim * sizeof *x);                                                                     \
        const lg_status st = lg_retraction_##name(lg_retraction_exp(), G, out, x);                                     \
        if (st == LG_OK) take_branch(m, out, x, G->dim);                                                               \
        return st;                                                                                                     \
    }
BRANCHED(TAU, tau)
BRANCHED(DTAU, dtau)
BRANCHED(DTAU_INV, dtau_inv)

/* The branch depends on the result. */
static lg_status branched_tau_inv(const lg_retraction *r, const lg_group *G, double *xi, const double *g, void *work)
{
    double x[SUITE_DIM];
    (void)r, (void)work;
    const lg_status st = lg_retraction_tau_inv(lg_retraction_exp(), G, x, g);
    if (st != LG_OK) return st;
    memcpy(xi, x, (size_t)G->dim * sizeof *x);
    take_branch(TAU_INV, xi, x, G->dim);
    return LG_OK;
}

static void test_branches(void **state)
{
    static const struct {
        double limit;
        int inside;
    } cases[] = {{0, 1}, {2e-4, 1}, {1e-3, 1}, {0.03, 1}, {0.2, 1}, {2, 0}};
    static const int members[] = {TAU, TAU_INV, DTAU, DTAU_INV};
    const lg_group *const groups[] = {lg_so3(), lg_se2(), lg_se3()};
    (void)state;
    for (int i = 0; i < 3 * 4 * 6; i++) {
        const lg_group *G = groups[i % 3];
        const lg_retraction r = {.size = sizeof r,
                                 .name = "branched",
                                 .flags = lg_retraction_exp()->flags,
                                 .tau = branched_tau,
                                 .tau_inv = branched_tau_inv,
                                 .dtau = branched_dtau,
                                 .dtau_inv = branched_dtau_inv};
        lg_error e = {LG_OK, ""};
        lg_rng rng = suite_rng(71000 + (uint64_t)i);
        branch.member = members[i / 3 % 4], branch.limit = cases[i / 12].limit, branch.inside = cases[i / 12].inside;
        suite_case("%s on %s, wrong %s %g", member_names[branch.member], G->name, branch.inside ? "up to" : "beyond",
                   branch.limit);
        if (lg_retraction_check(&r, G, &rng, POINTS, 0, &e) == LG_OK) suite_fail("it was not found");
    }
}

int main(void)
{
    suite_begin("checks of retractions");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_retractions),
        cmocka_unit_test(test_planted_retractions),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_branches),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
