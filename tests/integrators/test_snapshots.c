/* SPDX-License-Identifier: BSD-3-Clause */
/* Scalars and snapshots: under every method, an instance continues bit for bit in another integrator that takes its
 * numbers and its snapshot, and a snapshot is small. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrators/engine/wide.h"
#include "support/bench.h"
#include "support/suite.h"

enum { BEFORE = 7, AFTER = 9, ROOM = 20000 };

static double snapshot[ROOM];

/* The scalar takes the state that `it` is in. */
static void take_state(lg_integrator *scalar, const lg_integrator *it)
{
    lg_error e = {LG_OK, ""};
    assert_true(lg_snapshot_size(&it->plan) <= ROOM);
    if (!lg_integrator_fits(scalar, &it->S)) suite_fail("the scalar does not fit");
    suite_ok("adopt", lg_integrator_adopt(scalar, &it->S, &e));
    lg_snapshot_save(it->workspace, snapshot);
    assert_int_equal(lg_snapshot_load(scalar->workspace, lg_integrator_time(it), snapshot), 0);
    scalar->started = 1;
    scalar->step = it->step, scalar->base_t = it->base_t, scalar->base_step = it->base_step;
}

static void same(const lg_integrator *a, const lg_integrator *b)
{
    const int n = a->plan.n;
    suite_same_bits("g", lg_integrator_configuration(a), lg_integrator_configuration(b), a->plan.element_size);
    suite_same_bits("p~", lg_integrator_momentum(a), lg_integrator_momentum(b), n);
    suite_same_bits("p^-", lg_integrator_momentum_minus(a), lg_integrator_momentum_minus(b), n);
}

static void same_steps(lg_integrator *a, lg_integrator *b)
{
    for (int k = 0; k < AFTER; k++) {
        suite_ok("step", lg_integrator_step(a));
        suite_ok("step in the scalar", lg_integrator_step(b));
        same(a, b);
        suite_same_bits("p^+", lg_integrator_momentum_plus(a), lg_integrator_momentum_plus(b), a->plan.n);
        suite_same_bits("xi", lg_integrator_step_velocity(a), lg_integrator_step_velocity(b), a->plan.n);
        suite_same_bits("multipliers", lg_integrator_holonomic_multipliers(a), lg_integrator_holonomic_multipliers(b),
                        a->plan.m);
        assert_int_equal(lg_integrator_iterations(a), lg_integrator_iterations(b));
    }
}

/* S with numbers that are `factor` times its own. */
static lg_system scaled(const lg_system *S, double factor, double (*numbers)[SUITE_MATRIX])
{
    const int n = S->group->dim, m = S->constraint_count;
    const double *from[] = {S->inertia, S->inertia_diagonal, S->covector_matrix, S->projector_metric};
    const int count[] = {n * n, n, m * n, n * n};
    for (int k = 0; k < 4; k++)
        for (int i = 0; from[k] && i < count[k]; i++) numbers[k][i] = from[k][i] * (k == 2 ? 1 / factor : factor);
    lg_system T = *S;
    if (T.inertia) T.inertia = numbers[0];
    if (T.inertia_diagonal) T.inertia_diagonal = numbers[1];
    if (T.covector_matrix) T.covector_matrix = numbers[2];
    if (T.projector_metric) T.projector_metric = numbers[3];
    return T;
}

static int move(const char *name, const lg_system *S, const char *method, const char *retraction, double h,
                const double *g0, const double *xi0)
{
    lg_integrator *it = NULL, *scalar = NULL;
    double numbers[4][SUITE_MATRIX];
    const lg_system T = scaled(S, 1.07, numbers);
    suite_case("%s, %s, %s", name, method, retraction);
    int runs = lg_integrator_create(&it, S, method, retraction, h) == LG_OK &&
               lg_integrator_start(it, 0.3, g0, xi0, LG_START_REACTION, 1) == LG_OK;
    if (runs) {
        suite_ok("create", lg_integrator_create(&scalar, &T, method, retraction, h));
        take_state(scalar, it); /* right after the start */
        same(scalar, it);
        for (int k = 0; k < BEFORE; k++)
            runs = runs && lg_integrator_step(it) == LG_OK && lg_integrator_step(scalar) == LG_OK;
    }
    if (runs) {
        same(scalar, it);
        take_state(scalar, it);
        same(scalar, it);
        same_steps(it, scalar);
    }
    lg_integrator_destroy(it);
    lg_integrator_destroy(scalar);
    return runs;
}

static void test_goes_on_in_a_seat(void **state)
{
    static const char *const retractions[] = {"exp", "cayley", "second-kind"};
    test_system t;
    int cases = 0;
    (void)state;
    for (int i = 0; bench_system(&t, i); i++)
        for (const char *const *method = lg_method_names(); *method; method++)
            for (int k = 0; k < 6; k++) {
                char spec[80];
                snprintf(spec, sizeof spec, "%s%s", *method, k % 2 ? "@suzuki4" : "");
                cases += move(t.name, &t.S, spec, retractions[k / 2], t.h, t.g0, t.xi0);
            }
    printf("%d cases\n", cases);
    assert_true(cases > 2000);
}

/* Twice the state for gni, eight times for sem. */
static void test_sizes(void **state)
{
    test_system t;
    (void)state;
    for (int i = 0; bench_system(&t, i); i++)
        for (int k = 0; k < 2; k++) {
            lg_integrator *it = NULL;
            const size_t size = (size_t)(t.S.group->element_size + t.S.group->dim);
            const lg_status st = lg_integrator_create(&it, &t.S, k ? "sem" : "gni", "exp", t.h);
            suite_case("snapshot of %s, %s", t.name, k ? "sem" : "gni");
            if (st == LG_OK && it->plan.fused) assert_true(lg_snapshot_size(&it->plan) <= 2 * size);
            if (st == LG_OK && k && !t.S.callbacks.metric && !t.S.callbacks.holonomic_count && t.S.group->dim <= 6)
                assert_true(lg_snapshot_size(&it->plan) <= 8 * size);
            lg_integrator_destroy(it);
        }
}

/* ---- what does not fit ---- */

static void test_structure(void **state)
{
    static const double diagonal[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, full[9] = {1, 0.1, 0, 0.1, 2, 0, 0, 0, 3};
    static const double bad[9] = {1, 2, 0, 2, 2, 0, 0, 0, 3}, row[3] = {0, 0, 1}, none[3] = {0, 0, 0};
    static const double numbers[3] = {1, 2, 3}, negative[3] = {1, -2, 3};
    lg_integrator *it = NULL;
    lg_error e = {LG_OK, ""};
    lg_system S = lg_system_default(lg_so3()), T;
    (void)state;
    S.inertia = full, S.constraint_count = 1, S.covector_matrix = row;
    suite_case("structure");
    suite_ok("create", lg_integrator_create(&it, &S, "gni", "exp", 0.1));
    assert_true(lg_integrator_fits(it, &S));
    T = S, T.inertia = diagonal; /* alone it would have the flow of a diagonal inertia: other bits */
    assert_false(lg_integrator_fits(it, &T));
    T = S, T.covector_matrix = NULL, T.constraint_count = 0;
    assert_false(lg_integrator_fits(it, &T));
    T = S, T.group = lg_rn(3);
    assert_false(lg_integrator_fits(it, &T));
    T = S, T.projector_metric = full;
    assert_false(lg_integrator_fits(it, &T));
    T = S, T.inertia = bad;
    assert_true(lg_integrator_fits(it, &T));
    suite_status("indefinite", lg_integrator_adopt(it, &T, &e), LG_ERROR_SINGULAR);
    suite_contains("message", e.message, "inertia");
    T = S, T.covector_matrix = none;
    suite_status("no row", lg_integrator_adopt(it, &T, &e), LG_ERROR_SINGULAR);
    suite_ok("back", lg_integrator_adopt(it, &S, &e));
    lg_integrator_destroy(it);
    S.inertia = NULL, S.inertia_diagonal = numbers;
    suite_ok("create", lg_integrator_create(&it, &S, "gni", "exp", 0.1));
    T = S, T.inertia_diagonal = NULL, T.inertia = diagonal;
    assert_true(lg_integrator_fits(it, &T));
    T = S, T.inertia_diagonal = negative;
    suite_status("negative", lg_integrator_adopt(it, &T, &e), LG_ERROR_SINGULAR);
    lg_integrator_destroy(it);
}

/* An inertia that couples factors, where it did not: another flow. */
static void test_coupling(void **state)
{
    const lg_group *const factors[2] = {lg_rn(1), lg_rn(1)};
    static const double apart[4] = {1, 0, 0, 2}, together[4] = {1, 0.3, 0.3, 2};
    lg_group *G = NULL;
    lg_integrator *it = NULL;
    (void)state;
    suite_case("coupling");
    suite_ok("product", lg_group_create_product(&G, factors, 2));
    lg_system S = lg_system_default(G), T;
    S.inertia = apart;
    T = S, T.inertia = together;
    suite_ok("create", lg_integrator_create(&it, &S, "variational", "exp", 0.1));
    assert_true(lg_integrator_fits(it, &S));
    assert_false(lg_integrator_fits(it, &T));
    lg_integrator_destroy(it);
    suite_ok("create", lg_integrator_create(&it, &T, "variational", "exp", 0.1));
    assert_false(lg_integrator_fits(it, &S));
    assert_false(lg_wide_has_form(it));
    lg_integrator_destroy(it);
    lg_group_destroy(G);
}

static void test_no_wide_work(void **state)
{
    static const int widths[] = {0, 1, 3, 16, -2};
    test_system t;
    lg_integrator *it = NULL;
    lg_wide *W = (lg_wide *)&t;
    (void)state;
    test_system_make(&t, "ball_formal");
    suite_case("widths");
    suite_ok("create", lg_integrator_create(&it, &t.S, "gni", "exp", 0.1));
    for (int i = 0; i < 5; i++) {
        suite_status("width", lg_wide_create(&W, it, widths[i]), LG_ERROR_UNSUPPORTED);
        assert_null(W);
    }
    suite_ok("width 2", lg_wide_create(&W, it, 2));
    assert_int_equal(lg_wide_width(W), 2);
    assert_true(lg_wide_bytes(W) > 1000);
    lg_wide_destroy(W);
    lg_wide_destroy(NULL);
    lg_integrator_destroy(it);
}

int main(void)
{
    suite_begin("snapshots");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on_in_a_seat), cmocka_unit_test(test_sizes),        cmocka_unit_test(test_structure),
        cmocka_unit_test(test_coupling),          cmocka_unit_test(test_no_wide_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
