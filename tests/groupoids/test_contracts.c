/* SPDX-License-Identifier: BSD-3-Clause */
/* The GNI's object on groupoids: what is refused and how it is said, steps that depend on the state
 * alone and allocate nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocations.h"
#include "support/groupoids.h"

enum { ACTION_TOP = 20, ATIYAH_MIXED = 18, PAIR_PARTICLE = 0, GROUP_SUSLOV = 13 };

static void must(const lg_groupoid_gni *it, lg_status status)
{
    if (status != LG_OK) suite_fail("%s: %s", lg_status_name(status), lg_groupoid_gni_message(it));
}

/* An integrator at rest in the system's initial point with p^- = J xi_0, roughly. */
static lg_groupoid_gni *open(groupoid_world *w, int k)
{
    lg_groupoid_gni *it = NULL;
    double x[SUITE_ELEMENT];
    groupoid_world_make(w, k, lg_retraction_exp(), 0.5, 0.5, NULL);
    suite_case("%s on %s", w->t.name, w->gpd->name);
    must(it, lg_groupoid_gni_create(&it, &w->S, w->t.h));
    groupoid_world_point(w, x, w->t.g0);
    must(it, lg_groupoid_gni_start(it, 0, x, w->t.xi0));
    return it;
}

static void close(groupoid_world *w, lg_groupoid_gni *it)
{
    lg_groupoid_gni_destroy(it);
    groupoid_world_free(w);
}

/* ---- refusals ---- */

static void refuse(const lg_groupoid_system *S, double h, lg_status want, const char *word)
{
    lg_groupoid_gni *it = NULL;
    double v[SUITE_ELEMENT] = {0};
    lg_error e;
    suite_case("refusal: %s", word);
    suite_status("create", lg_groupoid_gni_create(&it, S, h), want);
    assert_non_null(it); /* it holds the message */
    suite_contains("message", lg_groupoid_gni_message(it), word);
    assert_int_not_equal(lg_groupoid_gni_start(it, 0, v, v), LG_OK);
    assert_int_not_equal(lg_groupoid_gni_start_element(it, 0, v), LG_OK);
    assert_int_not_equal(lg_groupoid_gni_step(it), LG_OK);
    suite_contains("message after a step", lg_groupoid_gni_message(it), word);
    lg_groupoid_gni_destroy(it);
    if (want != LG_ERROR_ARGUMENT) return;
    suite_status("legendre", lg_groupoid_legendre(S, v, v, NULL, 0, h, v, &e), want);
    suite_contains("message of the transformation", e.message, word);
}

static void test_refusals(void **state)
{
    (void)state;
    groupoid_world w;
    static const double indefinite[9] = {1, 2, 0, 2, 1, 0, 0, 0, 1}, skew[9] = {1, 0.5, 0, 0, 1, 0, 0, 0, 1};
    static const double scales[3] = {1, -1, 1}, row[3] = {0, 0, 1};
    groupoid_world_make(&w, ACTION_TOP, lg_retraction_exp(), 0.5, 0.5, NULL);
#define CHANGED(change, h, status, word)                                                                               \
    do {                                                                                                               \
        lg_groupoid_system S = w.S;                                                                                    \
        change;                                                                                                        \
        refuse(&S, h, status, word);                                                                                   \
    } while (0)
    refuse(NULL, 0.1, LG_ERROR_ARGUMENT, "NULL");
    CHANGED(S.size = 3, 0.1, LG_ERROR_ARGUMENT, "size");
    CHANGED(S.groupoid = NULL, 0.1, LG_ERROR_ARGUMENT, "groupoid is NULL");
    CHANGED(S.lagrangian = NULL, 0.1, LG_ERROR_ARGUMENT, "lagrangian");
    CHANGED(S.lagrangian = NULL; S.slope_plus = groupoid_exact_plus, 0.1, LG_ERROR_ARGUMENT, "slope_minus");
    CHANGED(S.scales = scales, 0.1, LG_ERROR_ARGUMENT, "entry 2");
    CHANGED((void)S, 0, LG_ERROR_ARGUMENT, "step 0");
    CHANGED((void)S, NAN, LG_ERROR_ARGUMENT, "nan");
    CHANGED((void)S, INFINITY, LG_ERROR_ARGUMENT, "inf");
    CHANGED(S.inertia = NULL, 0.1, LG_ERROR_ARGUMENT, "0 metrics");
    CHANGED(S.inertia_diagonal = row, 0.1, LG_ERROR_ARGUMENT, "2 metrics");
    CHANGED(S.constraint_count = 3, 0.1, LG_ERROR_ARGUMENT, "3 constraints");
    CHANGED(S.constraint_count = 0, 0.1, LG_ERROR_ARGUMENT, "number of rows");
    CHANGED(S.covector_matrix = row, 0.1, LG_ERROR_ARGUMENT, "both");
    CHANGED(S.covectors = NULL, 0.1, LG_ERROR_ARGUMENT, "neither");
    CHANGED(S.inertia = indefinite, 0.1, LG_ERROR_SINGULAR, "pivot 2");
    CHANGED(S.inertia = skew, 0.1, LG_ERROR_SINGULAR, "symmetric");
    CHANGED(lg_groupoid broken = *S.groupoid; broken.multiply = NULL;
            S.groupoid = &broken, 0.1, LG_ERROR_ARGUMENT, "multiply");
#undef CHANGED
    groupoid_world_free(&w);
}

static void test_null_arguments(void **state)
{
    (void)state;
    groupoid_world w;
    lg_groupoid_gni *it = open(&w, ACTION_TOP);
    double v[SUITE_ELEMENT] = {0}, bad[3] = {0, NAN, 0};
    lg_error e;
    suite_status("create into NULL", lg_groupoid_gni_create(NULL, &w.S, 0.1), LG_ERROR_ARGUMENT);
    suite_status("step of NULL", lg_groupoid_gni_step(NULL), LG_ERROR_ARGUMENT);
    suite_status("start of NULL", lg_groupoid_gni_start(NULL, 0, v, v), LG_ERROR_ARGUMENT);
    suite_status("no point", lg_groupoid_gni_start(it, 0, NULL, v), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_groupoid_gni_message(it), "the point is NULL");
    suite_status("no momentum", lg_groupoid_gni_start(it, 0, v, NULL), LG_ERROR_ARGUMENT);
    suite_status("no element", lg_groupoid_gni_start_element(it, 0, NULL), LG_ERROR_ARGUMENT);
    suite_status("NaN", lg_groupoid_gni_start(it, 0, v, bad), LG_ERROR_NOT_FINITE);
    suite_status("NaN time", lg_groupoid_gni_start(it, NAN, v, v), LG_ERROR_NOT_FINITE);
    suite_status("velocity into NULL", lg_groupoid_gni_velocity(it, NULL), LG_ERROR_ARGUMENT);
    suite_status("tolerance", lg_groupoid_gni_set_newton(it, 0, 10), LG_ERROR_ARGUMENT);
    suite_status("iterations", lg_groupoid_gni_set_newton(it, 1e-9, 0), LG_ERROR_ARGUMENT);
    suite_status("legendre of NULL", lg_groupoid_legendre(&w.S, v, v, NULL, 0, 0.1, NULL, &e), LG_ERROR_ARGUMENT);
    suite_contains("NULL", lg_groupoid_gni_message(NULL), "NULL was passed");
    assert_true(lg_groupoid_gni_bytes(NULL) == 0 && lg_groupoid_gni_bytes(it) > 100);
    assert_true(isnan(lg_groupoid_gni_time(NULL)) && isnan(lg_groupoid_gni_constraint_residual(NULL)));
    lg_groupoid_gni_destroy(it);
    suite_ok("create", lg_groupoid_gni_create(&it, &w.S, 0.1));
    suite_status("step before the start", lg_groupoid_gni_step(it), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_groupoid_gni_message(it), "start");
    assert_int_not_equal(lg_groupoid_gni_velocity(it, v), LG_OK);
    assert_true(isnan(lg_groupoid_gni_slope_error(it)));
    close(&w, it);
    it = open(&w, GROUP_SUSLOV);
    must(it, lg_groupoid_gni_start(it, 0, NULL, w.t.xi0)); /* the base is one point */
    must(it, lg_groupoid_gni_step(it));
    close(&w, it);
}

/* ---- failing steps ---- */

typedef struct snapshot {
    double t, x[SUITE_ELEMENT], g[GROUPOID_ELEMENT], p[3][SUITE_DIM], lambda[SUITE_DIM];
    int64_t k;
} snapshot;

static void take(snapshot *s, const groupoid_world *w, const lg_groupoid_gni *it)
{
    const size_t n = sizeof(double) * (size_t)w->gpd->dim;
    memset(s, 0, sizeof *s);
    s->t = lg_groupoid_gni_time(it), s->k = lg_groupoid_gni_step_index(it);
    memcpy(s->x, lg_groupoid_gni_base(it), sizeof(double) * (size_t)w->gpd->base_size);
    memcpy(s->g, lg_groupoid_gni_element(it), sizeof(double) * (size_t)w->gpd->element_size);
    memcpy(s->p[0], lg_groupoid_gni_momentum_plus(it), n);
    memcpy(s->p[1], lg_groupoid_gni_momentum_minus(it), n);
    memcpy(s->p[2], lg_groupoid_gni_momentum(it), n);
    memcpy(s->lambda, lg_groupoid_gni_multipliers(it), sizeof(double) * (size_t)w->t.S.constraint_count);
}

static void same_state(const char *what, const snapshot *a, const snapshot *b)
{
    if (memcmp(a, b, sizeof *a) != 0) suite_fail("%s: the states differ", what);
}

static void test_no_convergence(void **state)
{
    (void)state;
    for (int k = 0; k < GROUPOID_CASES; k++) {
        if (strncmp(groupoid_cases[k].system, "so3_", 4) == 0) continue; /* J = 1: free motion is the solution */
        groupoid_world w;
        lg_groupoid_gni *it = open(&w, k);
        snapshot before, after;
        must(it, lg_groupoid_gni_step(it));
        take(&before, &w, it);
        must(it, lg_groupoid_gni_set_newton(it, 1e-300, 1));
        suite_status("step", lg_groupoid_gni_step(it), LG_ERROR_CONVERGENCE);
        suite_contains("message", lg_groupoid_gni_message(it), "smaller step");
        suite_contains("message", lg_groupoid_gni_message(it), "after 1 corrections");
        take(&after, &w, it);
        same_state("after a failure", &after, &before);
        must(it, lg_groupoid_gni_set_newton(it, 1e-11, 50));
        must(it, lg_groupoid_gni_step(it));
        close(&w, it);
    }
}

/* Wraps the system's own callbacks: L_d with noise of 1e-7, constant, or not finite; rows that vanish. */
static const groupoid_world *wrapped;

static int noisy(const lg_call *c, double h, const double *g, double *L)
{
    int code = wrapped->S.lagrangian(c, h, g, L);
    *L += 1e-7 * sin(1e7 * g[4]);
    return code;
}

static int flat(const lg_call *c, double h, const double *g, double *L)
{
    (void)c, (void)h, (void)g;
    *L = 3;
    return 0;
}

static int undefined(const lg_call *c, double h, const double *g, double *L)
{
    (void)c, (void)h, (void)g;
    *L = NAN;
    return 0;
}

static int vanishing_rows(const lg_call *c, const double *x, double *mu, double *Y)
{
    (void)c, (void)x, (void)mu, (void)Y;
    return 0;
}

static int infinite_rows(const lg_call *c, const double *x, double *mu, double *Y)
{
    (void)c, (void)x, (void)mu;
    Y[0] = INFINITY;
    return 0;
}

static int constant_metric(const lg_call *c, const double *x, double *J)
{
    (void)c, (void)x;
    memcpy(J, wrapped->t.S.inertia, 9 * sizeof *J);
    return 0;
}

static int negative_metric(const lg_call *c, const double *x, double *J)
{
    (void)c, (void)x;
    J[0] = J[4] = 1, J[8] = -1;
    return 0;
}

/* The status of the start or of the first step, and a word of its message. */
static void fails(const lg_groupoid_system *S, lg_status want, const char *word)
{
    lg_groupoid_gni *it = NULL;
    double x[3];
    suite_case("first step: %s", word);
    must(it, lg_groupoid_gni_create(&it, S, wrapped->t.h));
    groupoid_world_point(wrapped, x, wrapped->t.g0);
    lg_status status = lg_groupoid_gni_start(it, 0, x, wrapped->t.xi0);
    if (status == LG_OK) status = lg_groupoid_gni_step(it);
    suite_status("first step", status, want);
    suite_contains("message", lg_groupoid_gni_message(it), word);
    lg_groupoid_gni_destroy(it);
}

static void test_bad_systems(void **state)
{
    (void)state;
    groupoid_world w;
    lg_groupoid_gni *it = open(&w, ACTION_TOP), *other = NULL;
    wrapped = &w;
#define WITH(change, status, word)                                                                                     \
    do {                                                                                                               \
        lg_groupoid_system S = w.S;                                                                                    \
        change;                                                                                                        \
        fails(&S, status, word);                                                                                       \
    } while (0)
    WITH(S.lagrangian = noisy, LG_ERROR_CONVERGENCE, "differences have an error");
    WITH(S.lagrangian = flat, LG_ERROR_SINGULAR, "regular");
    WITH(S.lagrangian = undefined, LG_ERROR_NOT_FINITE, "lagrangian");
    WITH(S.covectors = vanishing_rows, LG_ERROR_SINGULAR, "row 1");
    WITH(S.covectors = infinite_rows, LG_ERROR_NOT_FINITE, "covectors");
    WITH(S.inertia = NULL; S.metric = negative_metric, LG_ERROR_SINGULAR, "pivot 3");
#undef WITH
    lg_groupoid_system S = w.S;
    S.inertia = NULL;
    S.metric = constant_metric;
    must(other, lg_groupoid_gni_create(&other, &S, w.t.h));
    must(other, lg_groupoid_gni_start(other, 0, lg_groupoid_gni_base(it), lg_groupoid_gni_momentum_minus(it)));
    must(it, lg_groupoid_gni_step(it));
    must(other, lg_groupoid_gni_step(other));
    suite_same_bits("with a metric by callback", lg_groupoid_gni_momentum_minus(other),
                    lg_groupoid_gni_momentum_minus(it), 3);
    lg_groupoid_gni_destroy(other);
    close(&w, it);
}

/* ---- what a step depends on ---- */

static void test_a_step_depends_on_the_state_alone(void **state)
{
    (void)state;
    for (int k = 0; k < GROUPOID_CASES; k++) {
        groupoid_world w;
        lg_groupoid_gni *it = open(&w, k), *other = NULL;
        double g[GROUPOID_ELEMENT];
        snapshot a, b;
        must(other, lg_groupoid_gni_create(&other, &w.S, w.t.h));
        for (int i = 0; i < 3; i++) must(it, lg_groupoid_gni_step(it));
        memcpy(g, lg_groupoid_gni_element(it), sizeof(double) * (size_t)w.gpd->element_size);
        must(other, lg_groupoid_gni_start(other, 0, lg_groupoid_gni_base(it), lg_groupoid_gni_momentum_minus(it)));
        must(it, lg_groupoid_gni_step(it));
        must(other, lg_groupoid_gni_step(other));
        take(&a, &w, it);
        take(&b, &w, other);
        assert_true(a.k == 4 && b.k == 1 && fabs(a.t - 4 * w.t.h) < 1e-15 && b.t == w.t.h);
        b.t = a.t, b.k = a.k;
        same_state("from the state", &a, &b);
        must(other, lg_groupoid_gni_start_element(other, 0, g));
        assert_true(lg_groupoid_gni_time(other) == w.t.h && lg_groupoid_gni_step_index(other) == 1);
        must(other, lg_groupoid_gni_step(other));
        take(&b, &w, other);
        b.t = a.t, b.k = a.k;
        same_state("from the element", &a, &b);
        lg_groupoid_gni_destroy(other);
        close(&w, it);
    }
}

static void test_memory(void **state)
{
    (void)state;
    if (!COUNTED) skip();
    for (int k = 0; k < GROUPOID_CASES; k++) {
        groupoid_world w;
        lg_groupoid_gni *it = open(&w, k);
        suite_case("memory: %s on %s", w.t.name, w.gpd->name);
        long before = allocations;
        lg_status status = LG_OK;
        for (int i = 0; i < 10 && status == LG_OK; i++) status = lg_groupoid_gni_step(it);
        lg_status failed = lg_groupoid_gni_set_newton(it, 1e-300, 1);
        if (failed == LG_OK) failed = lg_groupoid_gni_step(it);
        const long after = allocations;
        assert_int_equal(status, LG_OK);
        assert_int_equal(failed, LG_ERROR_CONVERGENCE);
        if (w.t.S.group->work_bytes < 1000) assert_int_equal(after - before, 0); /* L_d itself uses public operations */
        assert_true(lg_groupoid_gni_bytes(it) < 16384);
        lg_groupoid_gni_destroy(it);
        before = allocations;
        suite_ok("create", lg_groupoid_gni_create(&it, &w.S, w.t.h));
        assert_int_equal(allocations - before, 1); /* one block */
        lg_groupoid_gni_destroy(it);
        fail_at = allocations;
        status = lg_groupoid_gni_create(&it, &w.S, w.t.h);
        fail_at = -1;
        suite_status("create without memory", status, LG_ERROR_MEMORY);
        assert_null(it);
        lg_groupoid *gpd = NULL;
        fail_at = allocations;
        status = lg_groupoid_create_group(&gpd, lg_so3(), NULL, NULL);
        fail_at = -1;
        suite_status("a groupoid without memory", status, LG_ERROR_MEMORY);
        assert_null(gpd);
        groupoid_world_free(&w);
    }
}

int main(void)
{
    suite_begin("groupoids/contracts");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_null_arguments),

        cmocka_unit_test(test_no_convergence),
        cmocka_unit_test(test_bad_systems),
        cmocka_unit_test(test_a_step_depends_on_the_state_alone),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
