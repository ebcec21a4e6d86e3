/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles in which instances fail, for every reason there is: they are retired with their last good state, status and
 * text, and the others change by not one bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/ensembles.h"

static const int widths[] = {1, 2, 4, 8}, threads[] = {1, 2, 4};

static int has(int width)
{
    return lg_width_supported(width);
}

enum { MANY = 43, LONG = 40 };

/* How instance i of the frail ball is made to fail, 0: not at all; and at which step. */
static int ailment(int64_t i)
{
    return i % 7 == 3 ? 1 + (int)(i / 7) % FRAIL_KINDS : 0;
}

static lg_status make_frail(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)mo;
    const int from = context != NULL; /* with a context no instance fails */
    lg_status status = ensemble_vary(i, M, NULL, NULL);
    if (status == LG_OK && !from) status = lg_model_set(M, "kind", ailment(i));
    if (status == LG_OK) status = lg_model_set(M, "when", 0.05 * (double)(3 + i % 20) - 0.01);
    return status;
}

typedef struct end {
    double t, g[8], p[8];
    lg_status status;
    int64_t steps;
    lg_ensemble_figures seen;
    char reason[LG_MESSAGE_SIZE];
} end;

static lg_ensemble *open_frail(const lg_model_definition *d, const char *method, int width, int threads_, int64_t count,
                               void *healthy)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E = NULL;
    lg_model *M = NULL;
    suite_ok("model", lg_model_create(&M, d));
    o.method = method, o.retraction = "cayley", o.step = 0.05, o.project = 1;
    o.width = width, o.threads = threads_, o.monitor = 2;
    if (lg_ensemble_create(&E, M, count, &o) != LG_OK) suite_fail("create: %s", lg_ensemble_message(E));
    suite_ok("set", lg_ensemble_set_all(E, make_frail, healthy));
    lg_model_destroy(M);
    return E;
}

static void read_end(const lg_ensemble *E, int64_t i, end *x)
{
    memset(x, 0, sizeof *x);
    x->status = lg_ensemble_status(E, i);
    x->steps = lg_ensemble_steps(E, i);
    suite_ok("monitor", lg_ensemble_read(E, &x->seen, i));
    snprintf(x->reason, sizeof x->reason, "%s", lg_ensemble_reason(E, i));
    suite_ok("state", lg_ensemble_state(E, &x->t, x->g, x->p, i));
}

static int steady(int64_t i, const lg_motion *mo, void *context)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    const int64_t *until = context;
    return i == 5 && lg_integrator_step_index(it) >= *until;
}

/* Those that fail keep their last good state and say why; the others are where they are among healthy ones. */
static void compare_failures(const lg_ensemble *E, const lg_ensemble *well, end *first, int begin)
{
    int64_t retired = 0;
    for (int64_t i = 0; i < MANY; i++) {
        char step[40];
        end now, healthy;
        read_end(E, i, &now);
        read_end(well, i, &healthy);
        suite_status("those that nothing ails", healthy.status, LG_OK);
        retired += now.status != LG_OK;
        assert_int_equal(now.status == LG_OK, ailment(i) == 0 && i != 5);
        if (now.status == LG_OK) {
            suite_same_bits("the others' g", now.g, healthy.g, 6);
            suite_same_bits("the others' p", now.p, healthy.p, 5);
        } else {
            assert_in_range(now.steps, i == 5 ? 17 : 0, LONG - 1);
            snprintf(step, sizeof step, "step %d", (int)now.steps + (i != 5));
            suite_contains("reason", now.reason, step);
            suite_near1("t", now.t, 0.05 * (double)now.steps, 1e-15, 1);
        }
        if (begin) first[i] = now;
        assert_memory_equal(&first[i], &now, sizeof now);
    }
    assert_int_equal(lg_ensemble_retired(E), retired);
}

static void fail_together(const char *method, int w, int k, int lanes, end *first)
{
    const lg_model_definition d = ensemble_frail_ball(lanes);
    int64_t until = 17, steps[MANY];
    suite_case("failures of %s, width %d, %d threads, %d", method, widths[w], threads[k], lanes);
    lg_ensemble *E = open_frail(&d, method, widths[w], threads[k], MANY, NULL);
    lg_ensemble *well = open_frail(&d, method, widths[w], threads[k], MANY, &until);
    suite_ok("run", lg_ensemble_run(E, LONG, 1, steady, &until));
    suite_ok("run", lg_ensemble_run(well, LONG, 1, NULL, NULL));
    for (int64_t i = 0; i < MANY; i++) steps[i] = lg_ensemble_steps(E, i);
    suite_ok("run", lg_ensemble_run(E, 2, 1, NULL, NULL)); /* without those that are retired */
    suite_ok("run", lg_ensemble_run(well, 2, 1, NULL, NULL));
    for (int64_t i = 0; i < MANY; i++) assert_int_equal(lg_ensemble_steps(E, i) - steps[i], steps[i] == LONG ? 2 : 0);
    compare_failures(E, well, first, w == 0 && k == 0 && !lanes);
    lg_ensemble_destroy(E);
    lg_ensemble_destroy(well);
}

static void test_failures(void **state)
{
    static const char *const methods[] = {"gni", "sem", "rk4", "gni@yoshida4", "gauss"};
    static end first[MANY];
    (void)state;
    for (int m = 0; m < 5; m++) {
        int seen[LG_STATUS_COUNT] = {0};
        for (int w = 0; w < 4; w++)
            for (int k = 0; has(widths[w]) && k < 6; k++) fail_together(methods[m], w, k / 2, k % 2, first);
        for (int i = 0; i < MANY; i++) seen[first[i].status]++;
        assert_true(seen[LG_OK] && seen[LG_ERROR_CALLBACK] && seen[LG_ERROR_INTERRUPTED]);
        assert_true(seen[LG_ERROR_NOT_FINITE] || m == 4); /* stages that are not finite do not converge */
        assert_true(seen[LG_ERROR_CONVERGENCE] || m == 2);
    }
}

/* What fails alone fails in the ensemble with the same status, at the same step and in the same words. */
static void fail_as_alone(const char *method)
{
    const lg_model_definition d = ensemble_frail_ball(0);
    lg_ensemble *E = open_frail(&d, method, 0, 2, MANY, NULL);
    for (int k = 0; k < LONG; k++) suite_ok("run", lg_ensemble_run(E, 1, 1, NULL, NULL)); /* each begins at a desk */
    for (int64_t i = 0; i < MANY; i++) {
        lg_model *M = NULL;
        const lg_system *S = NULL;
        lg_integrator *it = NULL;
        double g[8], xi[8];
        suite_case("%s, instance %d alone", method, (int)i);
        suite_ok("model", lg_model_create(&M, &d));
        suite_ok("make", make_frail(i, M, NULL, NULL));
        suite_ok("system", lg_model_system(M, &S));
        suite_ok("initial", lg_model_initial(M, g, xi, NULL));
        suite_ok("create", lg_integrator_create(&it, S, method, "cayley", 0.05));
        suite_ok("start", lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 1));
        suite_status("status", lg_ensemble_status(E, i), lg_integrator_run(it, LONG, 1, NULL, NULL));
        assert_int_equal(lg_ensemble_steps(E, i), lg_integrator_step_index(it));
        const char *alone = strchr(lg_integrator_message(it), ' '), *reason = strchr(lg_ensemble_reason(E, i), ' ');
        assert_string_equal(alone ? alone : "", reason ? reason : "");
        lg_integrator_destroy(it);
        lg_model_destroy(M);
    }
    lg_ensemble_destroy(E);
}

static void test_failures_are_those_alone(void **state)
{
    static const char *const methods[] = {"sem", "gni", "dla", "rk4", "rkmk4", "sem@yoshida4", "nsv", "gauss"};
    (void)state;
    for (int m = 0; m < 8; m++) fail_as_alone(methods[m]);
}

/* Instances that begin at times of their own: each sees its own time, alone or among others. */
static int see_time(int64_t i, const lg_motion *mo, void *context)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    int *wrong = context;
    wrong[i] += lg_integrator_time(it) != 0.3 * (double)i + (double)lg_integrator_step_index(it) * 0.05;
    return 0;
}

static lg_status make_late(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)mo, (void)context;
    const lg_status status = lg_model_set(M, "kind", i == 4 ? 1 : i == 6 ? 2 : 0);
    return status == LG_OK ? lg_model_set(M, "when", 0.3 * (double)i + 0.26) : status;
}

static void test_times(void **state)
{
    enum { COUNT = 11 };
    (void)state;
    for (int w = 0; w < 4; w++)
        for (int k = 0; has(widths[w]) && k < 4; k++) {
            const int lanes = k % 2;
            const lg_model_definition d = ensemble_frail_ball(lanes);
            lg_ensemble *E = open_frail(&d, k / 2 ? "gauss" : "gni", widths[w], 1, COUNT, NULL);
            double g0[6] = {1, 1, 0, 0, 0, 1}, xi0[5] = {0.1, 0.2, 0.3, 0.4, 0.5}; /* is projected */
            int wrong[COUNT] = {0};
            suite_case("times, width %d, %d", widths[w], lanes);
            suite_ok("set", lg_ensemble_set_all(E, make_late, NULL));
            for (int64_t i = 0; i < COUNT; i++)
                suite_ok("start", lg_ensemble_start_state(E, i, 0.3 * (double)i, g0, xi0, 1));
            suite_ok("run", lg_ensemble_run(E, 3, 1, see_time, wrong));
            suite_ok("run", lg_ensemble_run(E, 6, 2, see_time, wrong));
            suite_ok("visit", lg_ensemble_visit(E, see_time, wrong));
            for (int64_t i = 0; i < COUNT; i++) {
                double t;
                assert_int_equal(wrong[i], 0);
                assert_int_equal(lg_ensemble_steps(E, i), i == 4 || i == 6 ? 5 : 9);
                suite_ok("state", lg_ensemble_state(E, &t, NULL, NULL, i));
                suite_near1("t", t, 0.3 * (double)i + 0.05 * (double)lg_ensemble_steps(E, i), 1e-15, 1);
            }
            suite_contains("reason", lg_ensemble_reason(E, 4), "step 6, t = 1.5: callback drift returned 7");
            lg_ensemble_destroy(E);
        }
}

static int leave(int64_t i, const lg_motion *mo, void *context)
{
    const int64_t *who = context;
    (void)mo;
    return who != NULL && i == *who;
}

/* Instance i continues from a motion of the model at its start. */
static void continue_from(lg_ensemble *E, int64_t i, lg_model *M, const char *method)
{
    lg_motion_options o = lg_motion_options_default();
    lg_motion *mo = NULL;
    o.method = method, o.retraction = "cayley", o.step = 0.05;
    suite_ok("motion", lg_motion_create(&mo, M, &o));
    suite_ok("start", lg_motion_start(mo, 0, NULL, 1));
    suite_ok("set", lg_ensemble_set(E, i, mo));
    lg_motion_destroy(mo);
}

/* A retired instance costs only its lane: the others continue together, not one by one. */
static void test_lanes_of_the_retired(void **state)
{
    const lg_model_definition d = ensemble_frail_ball(1);
    (void)state;
    for (int w = 1; w < 4; w++)
        for (int stop = 0; has(widths[w]) && stop < 2; stop++) {
            suite_case("lanes of the retired, width %d", widths[w]);
            int64_t healthy = 1, last = widths[w] - 1;
            lg_ensemble *E = open_frail(&d, "gni", widths[w], 1, widths[w], &healthy);
            lg_model *M = NULL;
            suite_ok("model", lg_model_create(&M, &d));
            suite_ok("kind", lg_model_set(M, "kind", 2)); /* NaN from the second step on, or after it has left */
            suite_ok("when", lg_model_set(M, "when", stop ? 1 : 0.06));
            continue_from(E, widths[w] - 1, M, "gni");
            const long before = ensemble_frail_calls(1);
            suite_ok("run", lg_ensemble_run(E, 100, 1, leave, stop ? &last : NULL));
            assert_int_equal(lg_ensemble_retired(E), 1);
            assert_true(ensemble_frail_calls(1) - before < 60); /* loading, and the one step that failed */
            lg_model_destroy(M);
            lg_ensemble_destroy(E);
        }
}

/* Instances that cannot begin, and that are mended. */
static lg_status refuse(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)mo, (void)context;
    if (i % 4 == 1) return lg_model_set(M, "I11", -1);         /* out of range */
    if (i % 4 == 2) return lg_model_set(M, "I12", 100);        /* no inertia */
    if (i % 4 == 3) return lg_model_set_initial(M, "qw", 0.2); /* no quaternion */
    return lg_model_set(M, "I11", 1 + 0.1 * (double)i);
}

static void test_beginnings(void **state)
{
    static const lg_status want[] = {LG_OK, LG_ERROR_ARGUMENT, LG_ERROR_ARGUMENT, LG_ERROR_ARGUMENT};
    static const char *const words[] = {"", "I11", "positive definite", "quaternion"};
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E = NULL;
    lg_model *M = NULL;
    const double g0[4] = {0, 0, 0, 1}, xi0[3] = {1, 0, 0};
    double g[4], p[3];
    lg_motion *mo = NULL;
    (void)state;
    suite_case("beginnings");
    o.threads = 2;
    suite_ok("model", lg_catalog_create(&M, "suslov"));
    suite_ok("create", lg_ensemble_create(&E, M, 21, &o));
    suite_ok("set", lg_ensemble_set_all(E, refuse, NULL));
    suite_ok("run", lg_ensemble_run(E, 5, 1, NULL, NULL));
    assert_int_equal(lg_ensemble_retired(E), 15);
    for (int64_t i = 0; i < 21; i++) {
        suite_status("status", lg_ensemble_status(E, i), want[i % 4]);
        suite_contains("reason", lg_ensemble_reason(E, i), words[i % 4]);
        suite_status("state", lg_ensemble_state(E, NULL, g, p, i), want[i % 4]);
        assert_int_equal(lg_ensemble_steps(E, i), i % 4 ? 0 : 5);
    }
    suite_status("parameters that are refused", lg_ensemble_start_state(E, 2, 0, g0, xi0, 0), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_ensemble_message(E), "positive definite");
    suite_ok("parameters that are not", lg_ensemble_start_state(E, 3, 2.5, g0, (const double[3]){0, 0, 0}, 0));
    suite_ok("motion", lg_motion_create(&mo, M, NULL));
    suite_ok("start", lg_motion_start(mo, 0, NULL, 0));
    suite_ok("mended", lg_ensemble_set(E, 1, mo));
    const size_t bytes = lg_ensemble_bytes(E);
    for (int k = 0; k < 5; k++)
        suite_status("spoilt", lg_ensemble_start_state(E, 0, 0, g0, (const double[3]){0, 0, 1}, 0),
                     LG_ERROR_INCONSISTENT);
    assert_in_range(lg_ensemble_bytes(E), bytes + 20, bytes + 400); /* one reason */
    assert_int_equal(lg_ensemble_steps(E, 0), 0);
    suite_ok("mended", lg_ensemble_set(E, 0, mo));
    assert_int_equal(lg_ensemble_bytes(E), bytes);
    assert_int_equal(lg_ensemble_retired(E), 13);
    assert_string_equal(lg_ensemble_reason(E, 1), "");
    suite_ok("run", lg_ensemble_run(E, 5, 1, NULL, NULL));
    suite_ok("state", lg_ensemble_state(E, &g[0], NULL, NULL, 3));
    suite_near1("t", g[0], 2.5 + 5 * lg_model_describe(M)->step, 1e-15, 1);
    assert_int_equal(lg_ensemble_steps(E, 0), 5);
    assert_int_equal(lg_ensemble_steps(E, 4), 10);
    assert_int_equal(lg_ensemble_steps(E, 1), 5);
    lg_motion_destroy(mo);
    lg_ensemble_destroy(E);
    lg_model_destroy(M);
}

/* A model that does not start: an ensemble of retired ones, until they are set. */
static void test_a_model_that_does_not_start(void **state)
{
    lg_ensemble *E = NULL;
    lg_model *M = NULL;
    (void)state;
    suite_case("a model that does not start");
    suite_ok("model", lg_catalog_create(&M, "suslov"));
    suite_ok("xi", lg_model_set_initial(M, "xi_3", 1));
    suite_ok("create", lg_ensemble_create(&E, M, 5, NULL));
    assert_int_equal(lg_ensemble_retired(E), 5);
    suite_status("status", lg_ensemble_status(E, 4), LG_ERROR_INCONSISTENT);
    suite_contains("reason", lg_ensemble_reason(E, 4), "violates constraint 1");
    suite_ok("start", lg_ensemble_start_state(E, 4, 0, (const double[4]){0, 0, 0, 1}, (const double[3]){1, 0, 0}, 0));
    assert_int_equal(lg_ensemble_retired(E), 4);
    suite_ok("run", lg_ensemble_run(E, 3, 1, NULL, NULL));
    assert_int_equal(lg_ensemble_steps(E, 4), 3);
    assert_int_equal(lg_ensemble_steps(E, 3), 0);
    lg_ensemble_destroy(E);
    lg_model_destroy(M);
}

/* ---- calls from inside ---- */

typedef struct inside {
    lg_ensemble *E;
    int asked;
} inside;

/* Everything that would take the place of what is being worked on. */
static void ask_from_inside(inside *o, int64_t i, const lg_motion *mo)
{
    const double zero[8] = {0};
    const lg_status want = LG_ERROR_ARGUMENT;
    const int64_t other = (i + 1) % 9;
    lg_motion *copy = NULL;
    double t;
    lg_status s[8];
    s[0] = lg_ensemble_run(o->E, 1, 1, NULL, NULL);
    s[1] = lg_ensemble_state(o->E, &t, NULL, NULL, other);
    s[2] = lg_ensemble_motion(&copy, o->E, other);
    s[3] = lg_ensemble_start_state(o->E, other, 0, zero, zero, 0);
    s[4] = lg_ensemble_set(o->E, other, mo);
    s[5] = lg_ensemble_set_all(o->E, make_frail, NULL);
    s[6] = lg_ensemble_visit(o->E, steady, NULL);
    s[7] = lg_ensemble_status(o->E, i) == LG_OK ? want : LG_OK;
    for (int k = 0; k < 8; k++) suite_status("from inside", s[k], want);
    assert_null(copy);
    o->asked++;
}

static int observe_inside(int64_t i, const lg_motion *mo, void *context)
{
    (void)mo;
    ask_from_inside(context, i, mo);
    return 0;
}

static lg_status set_inside(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)mo;
    int64_t healthy = 1;
    ask_from_inside(context, i, NULL);
    return make_frail(i, M, NULL, &healthy);
}

/* Setters and observers that call the ensemble are refused, and change nothing. */
static void test_calls_from_inside(void **state)
{
    const lg_model_definition d = ensemble_frail_ball(0);
    static const char *const methods[] = {"sem", "rk4"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        int64_t healthy = 1;
        lg_ensemble *E = open_frail(&d, methods[k], 0, 1, 9, &healthy);
        lg_ensemble *plain = open_frail(&d, methods[k], 0, 1, 9, &healthy);
        inside o = {E, 0};
        suite_case("calls from inside, %s", methods[k]);
        suite_ok("set", lg_ensemble_set_all(E, set_inside, &o));
        suite_ok("run", lg_ensemble_run(E, 7, 1, observe_inside, &o));
        suite_ok("visit", lg_ensemble_visit(E, observe_inside, &o));
        assert_int_equal(o.asked, 9 * (1 + 7 + 1));
        suite_ok("run", lg_ensemble_run(plain, 7, 1, NULL, NULL));
        for (int64_t i = 0; i < 9; i++) {
            end a, b;
            read_end(E, i, &a);
            read_end(plain, i, &b);
            assert_memory_equal(&a, &b, sizeof a);
        }
        lg_ensemble_destroy(E);
        lg_ensemble_destroy(plain);
    }
}

/* A setter that returns numbers which are not a status. */
static lg_status refuse_oddly(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    static const int odd[] = {0, 256, -1, 300, LG_STATUS_COUNT, LG_ERROR_DOMAIN};
    (void)M, (void)mo, (void)context;
    return (lg_status)odd[i];
}

static void test_odd_statuses(void **state)
{
    static const char *const words[] = {"", "returned 256", "returned -1", "returned 300", "the setter returned", " "};
    lg_ensemble *E = NULL;
    lg_model *M = NULL;
    (void)state;
    suite_case("odd statuses");
    suite_ok("model", lg_catalog_create(&M, "suslov"));
    suite_ok("create", lg_ensemble_create(&E, M, 6, NULL));
    suite_ok("set", lg_ensemble_set_all(E, refuse_oddly, NULL));
    assert_int_equal(lg_ensemble_retired(E), 5);
    for (int64_t i = 0; i < 6; i++) {
        const lg_status want = i == 0 ? LG_OK : i == 5 ? LG_ERROR_DOMAIN : LG_ERROR_CALLBACK;
        suite_status("status", lg_ensemble_status(E, i), want);
        suite_status("state", lg_ensemble_state(E, NULL, NULL, NULL, i), want);
        suite_contains("reason", lg_ensemble_reason(E, i), words[i]);
    }
    lg_ensemble_destroy(E);
    lg_model_destroy(M);
}

int main(void)
{
    suite_begin("ensemble failures");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failures),
                                       cmocka_unit_test(test_failures_are_those_alone),
                                       cmocka_unit_test(test_times),
                                       cmocka_unit_test(test_lanes_of_the_retired),
                                       cmocka_unit_test(test_beginnings),
                                       cmocka_unit_test(test_a_model_that_does_not_start),
                                       cmocka_unit_test(test_calls_from_inside),
                                       cmocka_unit_test(test_odd_statuses)};
    return cmocka_run_group_tests_name("ensemble failures", tests, NULL, NULL);
}
