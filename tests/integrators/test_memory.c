/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: a step on the small groups allocates nothing, an integrator of a system up to n = 8 takes less than 8 KiB.
 * What happens when an allocation fails: tests/faults.
 *
 * Allocations are counted (support/allocations.h), not under sanitizers. */
#include <stdlib.h>
#include <string.h>

#include "integrators/engine/wide.h"
#include "run/watch.h"
#include "support/allocations.h"
#include "support/roster.h"
#include "support/systems.h"

/* Steps, and everything that is read between them. */
static long allocations_of_steps(lg_integrator *it, int count)
{
    double v[SUITE_DIM];
    lg_status status = LG_OK;
    long before = allocations;
    for (int k = 0; k < count && status == LG_OK; k++) {
        status = lg_integrator_step(it);
        double sum = lg_integrator_energy(it) + lg_integrator_energy_post(it) + lg_integrator_constraint_residual(it) +
                     lg_integrator_normal_part(it) + lg_integrator_time(it);
        (void)sum;
        lg_status_ignore(lg_integrator_velocity(it, v));
    }
    long after = allocations;
    if (status != LG_OK) suite_fail("step: %s", lg_integrator_message(it));
    return after - before;
}

static const char *const methods[] = {"gni:trapezoidal", "gni:euler-a", "gni:euler-b", "gni:midpoint"};
static const char *const retractions[] = {"cayley", "exp", "second-kind", "exp:order=4"};

static void test_a_step_allocates_nothing(void **state)
{
    (void)state;
    only_if_counted();
    for (int i = 0; i < TEST_SYSTEMS * 16; i++) {
        test_system t;
        lg_integrator *it = NULL;
        test_system_make(&t, test_system_names[i / 16]);
        suite_case("%s, %s, %s", t.name, methods[i / 4 % 4], retractions[i % 4]);
        suite_ok("create", lg_integrator_create(&it, &t.S, methods[i / 4 % 4], retractions[i % 4], 0.02));
        long before = allocations;
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
        assert_int_equal(allocations, before);
        assert_int_equal(allocations_of_steps(it, 20), 0);
        before = allocations;
        suite_ok("reset", lg_integrator_reset(it));
        assert_int_equal(allocations, before);
        lg_integrator_destroy(it);
    }
}

static int read_all(int64_t i, const lg_motion *mo, void *context)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    double v[SUITE_DIM];
    (void)i;
    lg_status_ignore(lg_integrator_velocity(it, v));
    *(double *)context += lg_integrator_energy(it) + lg_integrator_constraint_residual(it);
    return 0;
}

static lg_ensemble *open_ensemble(const lg_model *M, const char *method, int threads, int width)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E = NULL;
    o.method = method, o.threads = threads, o.width = width;
    if (lg_ensemble_create(&E, M, 19, &o) != LG_OK) suite_fail("%s", lg_ensemble_message(E));
    return E;
}

/* An ensemble that runs and is looked at; with several threads OpenMP may take something, but not for a step. */
static void test_ensembles_step_without_allocating(void **state)
{
    static const char *const some[] = {"gni", "sem", "dla", "rk4", "sem@yoshida4"};
    (void)state;
    only_if_counted();
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++)
        for (int k = 0; k < 15; k++) {
            const int two = k >= 10; /* threads */
            lg_model *M = NULL;
            double sum = 0;
            suite_case("ensemble of %s, %s, %d", *name, some[k % 5], k / 5);
            suite_ok("model", lg_catalog_create(&M, *name));
            lg_ensemble *E = open_ensemble(M, some[k % 5], two ? 2 : 1, k < 5);
            if (two) suite_ok("OpenMP begins", lg_ensemble_run(E, 1, 1, NULL, NULL));
            const long before = allocations;
            suite_ok("run", lg_ensemble_run(E, 3, 1, two ? NULL : read_all, &sum));
            const long few = allocations;
            suite_ok("run", lg_ensemble_run(E, two ? 60 : 12, 2, two ? NULL : read_all, &sum));
            const long many = allocations;
            if (!two) suite_ok("visit", lg_ensemble_visit(E, read_all, &sum));
            assert_int_equal(allocations, many);
            assert_true(many - few < (two ? 60 : 1)); /* 60 steps */
            if (!two) assert_int_equal(few, before);
            lg_ensemble_destroy(E);
            lg_model_destroy(M);
        }
}

/* A linearised step and all that is asked of it. */
static long allocations_of_linearisation(lg_integrator *it)
{
    static double J[60 * 60], in[60], out[60];
    lg_linearisation *lin = NULL;
    suite_ok("create", lg_linearisation_create(&lin, it));
    const long before = allocations;
    lg_status status = lg_linearisation_step(lin, it);
    if (status == LG_OK) status = lg_linearisation_jacobian(lin, J);
    if (status == LG_OK) status = lg_linearisation_apply(lin, out, in);
    if (status == LG_OK) status = lg_linearisation_apply_transposed(lin, in, out);
    const long after = allocations;
    if (status != LG_OK) suite_fail("linearise: %s", lg_linearisation_message(lin));
    lg_linearisation_destroy(lin);
    return after - before;
}

static int first_coordinate(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)c;
    *f = g[0] - 0.05 + 1e-3 * xi[0];
    return 0;
}

/* Events, steps to a time and dense output allocate nothing either. */
static void events(lg_integrator *it)
{
    const lg_event crossing = {.size = sizeof(lg_event), .value = first_coordinate};
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    int found;
    for (int k = 0; k < 20; k++) suite_ok("event", lg_integrator_step_to_event(it, &found, &crossing));
    suite_ok("step to", lg_integrator_step_to(it, lg_integrator_time(it) + 0.007));
    suite_ok("between", lg_integrator_interpolate(it, NULL, g, xi, 0.3));
}

/* The methods that solve their steps as a whole, compositions and baselines; where a system refuses one, the next. */
static void test_open_steps_allocate_nothing(void **state)
{
    (void)state;
    static const char *const open[] = {
        "sem",   "sem:gonzalez",        "sem:gauss=8",     "nsv", "smv",   "sml",           "gni-r",
        "dla",   "dla:alpha=0.3",       "dla:trapezoidal", "rk4", "rkmk4", "sem@kahan-li8", "gni@yoshida4",
        "gauss", "gauss:stages=3,stage"};
    enum { METHODS = sizeof open / sizeof open[0] };
    only_if_counted();
    for (int i = 0; i < TEST_SYSTEMS * METHODS * 2; i++) {
        test_system t;
        lg_integrator *it = NULL;
        test_system_make(&t, test_system_names[i / 2 / METHODS]);
        suite_case("%s, %s, %d", t.name, open[i / 2 % METHODS], i % 2);
        lg_status made = lg_integrator_create(&it, &t.S, open[i / 2 % METHODS], i % 2 ? "exp" : "cayley", 0.02);
        if (made != LG_ERROR_UNSUPPORTED) {
            suite_ok("create", made);
            long before = allocations;
            suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
            assert_int_equal(allocations_of_steps(it, 20), 0);
            events(it);
            suite_ok("reset", lg_integrator_reset(it));
            assert_int_equal(allocations, before);
            assert_int_equal(allocations_of_linearisation(it), 0);
        }
        lg_integrator_destroy(it);
    }
}

/* Blocks: lanes to and from a scalar, snapshots, steps together. */
static void test_wide_steps_allocate_nothing(void **state)
{
    static double snapshot[2000];
    static const char *const wide[] = {"gni", "sem", "sem@yoshida4"};
    (void)state;
    only_if_counted();
    for (int i = 0; i < TEST_SYSTEMS * 3; i++) {
        test_system t;
        lg_integrator *it = NULL;
        lg_wide *W = NULL;
        lg_error e = {LG_OK, ""};
        test_system_make(&t, test_system_names[i / 3]);
        suite_case("wide %s, %s", t.name, wide[i % 3]);
        suite_ok("create", lg_integrator_create(&it, &t.S, wide[i % 3], "exp", 0.02));
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
        const int made = lg_wide_create(&W, it, 2) == LG_OK;
        assert_int_equal(made, lg_wide_has_form(it));
        const long before = allocations;
        suite_ok("adopt", lg_integrator_adopt(it, &t.S, &e));
        for (int k = 0; made && k < 20; k++) {
            const double t1[2] = {0.02 * (k + 1), 0.02 * (k + 1)};
            assert_int_equal(lg_wide_step(W, 0.02, t1), 0);
            lg_wide_get(W, 0, it);
            lg_wide_put(W, 1, it);
            lg_wide_copy(W, 0, 1);
            lg_wide_save(W, 1, snapshot);
            assert_int_equal(lg_snapshot_load(it->workspace, t1[1], snapshot), 0);
        }
        assert_int_equal(allocations, before);
        lg_wide_destroy(W);
        lg_integrator_destroy(it);
    }
}

/* Steps with a user's group, a user's retraction, and failing steps allocate nothing. */
static void test_generic_steps_allocate_nothing(void **state)
{
    (void)state;
    only_if_counted();
    for (int i = 0; i < TEST_SYSTEMS * 2; i++) {
        test_system t;
        lg_group user;
        lg_retraction mine;
        lg_integrator *it = NULL;
        test_system_make(&t, test_system_names[i / 2]);
        roster_user_group(&user, t.S.group, 1);
        roster_user_retraction(&mine, lg_retraction_cayley());
        if (i % 2) t.S.group = &user;
        suite_case("%s, user's %s", t.name, i % 2 ? "group" : "retraction");
        suite_ok("create", lg_integrator_create_with(&it, &t.S, "gni", i % 2 ? lg_retraction_cayley() : &mine, 0.02));
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
        assert_int_equal(allocations_of_steps(it, 20), 0);
        suite_ok("newton", lg_integrator_set_newton(it, 1e-300, 1));
        long before = allocations;
        (void)!lg_integrator_step(it);
        assert_int_equal(allocations, before);
        lg_integrator_destroy(it);
    }
}

/* A monitor takes its memory when it is made. */
static void test_observing_allocates_nothing(void **state)
{
    static const char *const watched[] = {"sem", "nsv", "gni", "gni:midpoint", "dla", "rk4", "gni@yoshida4"};
    enum { METHODS = sizeof watched / sizeof watched[0] };
    (void)state;
    only_if_counted();
    for (int i = 0; i < TEST_SYSTEMS * METHODS; i++) {
        test_system t;
        lg_integrator *it = NULL;
        lg_monitor *m = NULL;
        lg_monitor_figures f = lg_monitor_figures_default();
        test_system_make(&t, test_system_names[i / METHODS]);
        suite_case("%s, %s", t.name, watched[i % METHODS]);
        if (lg_integrator_create(&it, &t.S, watched[i % METHODS], "exp", 0.02) == LG_OK) {
            suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
            suite_ok("monitor", lg_monitor_create_for(&m, NULL, it, 0, 1));
            const long before = allocations;
            for (int k = 0; k < 600; k++) { /* until blocks are merged */
                suite_ok("step", lg_integrator_step(it));
                (void)lg_monitor_observer(it, m);
            }
            suite_ok("read", lg_monitor_read(m, &f));
            assert_int_equal(allocations, before);
            assert_int_equal(f.samples, 600);
        }
        lg_monitor_destroy(m);
        lg_integrator_destroy(it);
    }
}

/* What docs/performance.md says of memory: n = 8 and the catalog. */
static void bytes_below(const lg_system *S, const char *method, const char *retraction, size_t most)
{
    lg_integrator *it = NULL;
#ifdef LG_RED_ZONES
    most = SIZE_MAX; /* red zones are longer than the arrays */
#endif
    const lg_status st = lg_integrator_create(&it, S, method, retraction, 0.02);
    if (st != LG_ERROR_UNSUPPORTED && st != LG_ERROR_ARGUMENT) suite_ok("create", st);
    if (st == LG_OK && lg_integrator_bytes(it) >= most) suite_fail("%zu bytes", lg_integrator_bytes(it));
    lg_integrator_destroy(it);
}

static void test_bytes_of_catalog(void **state)
{
    static const char *const any[] = {"gni", "gni:midpoint", "sem", "nsv", "dla", "rk4", "rkmk4", "sml", "rattle"};
    enum { ANY = sizeof any / sizeof any[0] };
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name; name++)
        for (int i = 0; i < ANY * 4; i++) {
            lg_model *M = NULL;
            const lg_system *S = NULL;
            const int explicit_step = strncmp(any[i / 4], "gni", 3) == 0;
            suite_case("bytes of %s, %s, %s", *name, any[i / 4], retractions[i % 4]);
            suite_ok("model", lg_catalog_create(&M, *name));
            suite_ok("system", lg_model_system(M, &S));
            bytes_below(S, any[i / 4], retractions[i % 4], (explicit_step ? 12 : 14) * 1024);
            lg_model_destroy(M);
        }
}

static void test_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < TEST_SYSTEMS * 16; i++) {
        test_system t;
        test_system_make(&t, test_system_names[i / 16]);
        suite_case("bytes of %s, %s, %s", t.name, methods[i / 4 % 4], retractions[i % 4]);
        bytes_below(&t.S, methods[i / 4 % 4], retractions[i % 4], 9 * 1024);
    }
    static const double J[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const lg_group *factors[] = {lg_rn(2), lg_so3(), lg_so3()};
    lg_group *eight = NULL;
    suite_ok("product", lg_group_create_product(&eight, factors, 3));
    for (int i = 0; i < 8; i++) { /* n = 8, full and diagonal inertia, rows by matrix */
        double full[64] = {0}, rows[24] = {0};
        lg_system S = lg_system_default(i % 2 ? eight : lg_rn(8));
        for (int j = 0; j < 8; j++) full[9 * j] = J[j];
        full[1] = full[8] = 0.1;
        full[15] = full[57] = 0.1;
        for (int j = 0; j < 3; j++) rows[9 * j] = 1;
        if (i / 2 % 2) {
            S.inertia = full;
        } else {
            S.inertia_diagonal = J;
        }
        S.constraint_count = 3;
        S.covector_matrix = rows;
        suite_case("bytes of n = 8, %d", i);
        bytes_below(&S, i / 4 ? "gni:midpoint" : "gni", "exp", 9 * 1024);
    }
    lg_group_destroy(eight);
    assert_int_equal(lg_integrator_bytes(NULL), 0);
}

int main(void)
{
    suite_begin("memory");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_step_allocates_nothing),
                                       cmocka_unit_test(test_open_steps_allocate_nothing),
                                       cmocka_unit_test(test_ensembles_step_without_allocating),
                                       cmocka_unit_test(test_generic_steps_allocate_nothing),
                                       cmocka_unit_test(test_observing_allocates_nothing),
                                       cmocka_unit_test(test_wide_steps_allocate_nothing),
                                       cmocka_unit_test(test_bytes),
                                       cmocka_unit_test(test_bytes_of_catalog)};
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
