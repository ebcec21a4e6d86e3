/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles: every instance ends where it would have ended alone, to the last bit, for every system of the catalog,
 * every kind of method, every width of this machine and several threads; failed instances do not affect others. */
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

/* ---- as alone ---- */

/* The first run is observed at every step, the second now and then: between them the instances rest. */
static const ensemble_plan plan = {.count = 11, .steps = {9, 14}, .every = {1, 5}, .after = 4};

/* At every width, with another number of threads from width to width and from case to case. */
static void same_as_alone(const ensemble_case *x)
{
    static int turn;
    ensemble_truth *truth = ensemble_alone(x, &plan);
    if (truth == NULL) return; /* the method refuses the system */
    for (int w = 0; w < 4; w++) {
        const int count = threads[(w + turn) % 3];
        if (!has(widths[w])) continue;
        suite_case("%s, %s, %s, width %d, %d threads", x->definition->name, x->method, x->retraction, widths[w], count);
        ensemble_compare(x, &plan, truth, widths[w], count);
    }
    turn++;
    ensemble_forget(truth, &plan);
}

static void test_catalog(void **state)
{
    static const char *const methods[] = {"gni", "sem", "dla:midpoint", "rk4", "sem@suzuki4", "gauss"};
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++)
        for (int k = suite_reduced() ? (int)(name - lg_catalog_names()) % 3 : 0; k < 6; k += suite_reduced() ? 3 : 1) {
            const ensemble_case x = {lg_catalog_definition(*name), methods[k], k % 2 ? "exp" : "cayley", ensemble_vary,
                                     0};
            same_as_alone(&x);
        }
}

static void test_methods(void **state)
{
    static const char *const methods[] = {
        "gni:euler-a",  "gni:midpoint", "gni@yoshida4", "gni-r",         "nsv",         "smv",           "sml", "rkmk4",
        "sem:gonzalez", "sem:gauss=2",  "variational",  "sem@kahan-li8", "dla:midleft", "nsv@kahan-li6", "dla"};
    static const char *const systems[] = {"rolling-ball", "suslov",           "rigid-body",
                                          "heavy-top",    "chaplygin-sleigh", "rolling-disk"};
    static const char *const retractions[] = {"exp", "cayley", "second-kind", "exp:order=4"};
    (void)state;
    for (int s = 0; s < 6; s++)
        for (int k = 0; k < 15; k++) {
            const ensemble_case x = {lg_catalog_definition(systems[s]), methods[k], retractions[(s + k) % 4],
                                     ensemble_vary, 0};
            same_as_alone(&x);
        }
}

/* Numbers of stages and forms of collocation: more and fewer stages than lanes. */
static void test_collocation(void **state)
{
    static const char *const methods[] = {"gauss:stages=1", "gauss:stages=3,stage", "gauss:stages=5,rate",
                                          "gauss:stages=16"};
    static const char *const systems[] = {"rolling-ball", "suslov", "heavy-top", "chaplygin-sleigh", "rolling-disk"};
    (void)state;
    for (int s = 0; s < 5; s++)
        for (int k = 0; k < 4; k++) {
            const ensemble_case x = {lg_catalog_definition(systems[s]), methods[k], k % 2 ? "exp" : "cayley",
                                     ensemble_vary, 0};
            same_as_alone(&x);
        }
}

/* Every instance finds its steps: rows fall between its nodes, in runs that end there too. */
static void test_tolerances(void **state)
{
    static const char *const methods[] = {"gauss", "gauss:stages=5", "gauss:stages=2,stage"};
    static const double tolerances[] = {1e-10, 1e-6, 1e-3};
    int k = 0;
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++, k++) {
        const ensemble_case x = {lg_catalog_definition(*name), methods[k % 3], "exp", ensemble_vary, tolerances[k % 3]};
        same_as_alone(&x);
    }
    for (k = 0; k < 3; k++) {
        const ensemble_case mixed = {lg_catalog_definition("suslov"), methods[k], "exp", ensemble_mix, 1e-8};
        same_as_alone(&mixed);
    }
}

/* Systems that the catalog has none of: a moving holonomic constraint, forces, J(q). */
static void test_models_of_ones_own(void **state)
{
    static const lg_model_definition *const all[] = {&run_models_rod, &run_models_sleigh, &run_models_links};
    static const char *const methods[] = {"sem", "gni", "dla", "rk4", "sem@yoshida4", "gauss", "gauss:stages=4,stage"};
    (void)state;
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < 7; k++) {
            const ensemble_case x = {all[s], methods[k], "exp", ensemble_vary, 0};
            same_as_alone(&x);
        }
}

/* Instances of several structures, between each other: the inertia of every third is full. */
static void test_classes(void **state)
{
    static const char *const methods[] = {"gni", "sem", "nsv", "rk4", "gauss"};
    static const char *const systems[] = {"suslov", "veselova-top", "rattleback"};
    (void)state;
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < 5; k++) {
            const ensemble_case x = {lg_catalog_definition(systems[s]), methods[k], k % 2 ? "exp" : "cayley",
                                     ensemble_mix, 0};
            same_as_alone(&x);
        }
}

/* Nothing set: all are as the model was. */
static void test_an_ensemble_as_it_comes(void **state)
{
    (void)state;
    for (int w = 0; w < 4; w++) {
        lg_ensemble_options o = lg_ensemble_options_default();
        lg_ensemble *E = NULL;
        lg_model *M = NULL;
        const lg_system *S = NULL;
        lg_integrator *it = NULL;
        double t, g[8], p[8];
        if (!has(widths[w])) continue;
        suite_case("as it comes, width %d", widths[w]);
        o.width = widths[w];
        suite_ok("model", lg_catalog_create(&M, "heavy-top"));
        suite_ok("m", lg_model_set(M, "m", 1.25));
        suite_ok("x", lg_model_set_initial(M, "xi_2", 0.3));
        suite_ok("system", lg_model_system(M, &S));
        suite_ok("initial", lg_model_initial(M, g, p, NULL));
        suite_ok("create", lg_integrator_create(&it, S, "sem", "exp", lg_model_describe(M)->step));
        suite_ok("start", lg_integrator_start(it, 0, g, p, LG_START_REACTION, 0));
        suite_ok("run", lg_integrator_run(it, 20, 1, NULL, NULL));
        suite_ok("create", lg_ensemble_create(&E, M, 21, &o));
        suite_ok("m", lg_model_set(M, "m", 2)); /* it is read, not kept */
        suite_ok("run", lg_ensemble_run(E, 20, 1, NULL, NULL));
        for (int64_t i = 0; i < 21; i++) {
            suite_ok("state", lg_ensemble_state(E, &t, g, p, i));
            suite_same_bits("g", g, lg_integrator_configuration(it), 4);
            suite_same_bits("p", p, lg_integrator_momentum(it), 3);
            assert_true(t == lg_integrator_time(it));
        }
        lg_ensemble_destroy(E);
        lg_integrator_destroy(it);
        lg_model_destroy(M);
    }
}

/* An instance continues from a motion with another structure: the inertia is full. */
static void test_going_on_from_a_motion(void **state)
{
    static const char *const methods[] = {"sem", "gni", "gauss", "rk4"};
    (void)state;
    for (int k = 0; k < 4; k++)
        for (int width = 1; width <= lg_width_best(); width *= 2) {
            lg_motion_options of = lg_motion_options_default();
            lg_ensemble_options o = lg_ensemble_options_default();
            lg_model *M = NULL;
            lg_motion *mo = NULL;
            lg_ensemble *E = NULL;
            double t, g[4], p[3], alone[2][4];
            char method[16], retraction[] = "cayley"; /* the caller's, and gone after the call */
            suite_case("going on, %s, width %d", methods[k], width);
            (void)snprintf(method, sizeof method, "%s", methods[k]);
            of.method = methods[k], of.retraction = "cayley";
            o.method = method, o.retraction = retraction, o.width = width;
            suite_ok("model", lg_catalog_create(&M, "suslov"));
            suite_ok("I12", lg_model_set(M, "I12", 0));
            suite_ok("I13", lg_model_set(M, "I13", 0));
            suite_ok("I23", lg_model_set(M, "I23", 0));
            suite_ok("create", lg_ensemble_create(&E, M, 5, &o));
            memset(method, 'x', sizeof method - 1), memset(retraction, 'x', sizeof retraction - 1);
            suite_ok("I12", lg_model_set(M, "I12", 0.1));
            suite_ok("motion", lg_motion_create(&mo, M, &of));
            suite_ok("start", lg_motion_start(mo, 0.5, NULL, 1));
            suite_ok("step", lg_motion_step(mo, 7));
            suite_ok("set", lg_ensemble_set(E, 3, mo));
            suite_ok("run", lg_ensemble_run(E, 6, 1, NULL, NULL));
            suite_ok("step", lg_motion_step(mo, 6));
            suite_ok("alone", lg_motion_state(mo, alone[0], NULL, alone[1]));
            suite_ok("state", lg_ensemble_state(E, &t, g, p, 3));
            suite_same_bits("g", g, alone[0], 4);
            suite_same_bits("p", p, alone[1], 3);
            assert_true(t == lg_motion_time(mo));
            assert_int_equal(lg_ensemble_steps(E, 3), 13);
            lg_motion_destroy(mo);
            lg_ensemble_destroy(E);
            lg_model_destroy(M);
        }
}

/* ---- wrong use ---- */

static void refused(const char *word, lg_status want, const lg_model *M, int64_t count, const lg_ensemble_options *o)
{
    lg_ensemble *E = NULL;
    suite_status(word, lg_ensemble_create(&E, M, count, o), want);
    suite_contains(word, lg_ensemble_message(E), word);
    assert_int_equal(lg_ensemble_count(E), 0);
    assert_int_equal(lg_ensemble_retired(E), 0);
    suite_status("run", lg_ensemble_run(E, 1, 1, NULL, NULL), want);
    suite_status("start", lg_ensemble_start(E, 0, 0, NULL, 0), want);
    suite_status("status", lg_ensemble_status(E, 0), LG_ERROR_ARGUMENT);
    lg_ensemble_destroy(E);
}

static void test_wrong_creations(void **state)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_model *M = NULL, *broken = NULL;
    (void)state;
    suite_case("wrong creations");
    suite_ok("model", lg_catalog_create(&M, "rolling-ball"));
    suite_status("NULL", lg_ensemble_create(NULL, M, 1, NULL), LG_ERROR_ARGUMENT);
    suite_status("no such system", lg_catalog_create(&broken, "nothing"), LG_ERROR_ARGUMENT);
    refused("the model is NULL", LG_ERROR_ARGUMENT, NULL, 1, NULL);
    refused("unknown system", LG_ERROR_ARGUMENT, broken, 1, NULL);
    refused("0 instances", LG_ERROR_ARGUMENT, M, 0, NULL);
    refused("-3 instances", LG_ERROR_ARGUMENT, M, -3, NULL);
    refused("exceed the address space", LG_ERROR_ARGUMENT, M, INT64_MAX, NULL);
    refused("exceed the address space", LG_ERROR_ARGUMENT, M, INT64_MAX / 100, NULL);
    for (int width = -1; width < 20; width++) {
        if (width == 0 || has(width)) continue;
        o.width = width;
        refused("this machine has 1 to", LG_ERROR_ARGUMENT, M, 4, &o);
    }
    o.width = 0, o.threads = -1;
    refused("threads", LG_ERROR_ARGUMENT, M, 4, &o);
    o.threads = 5000;
    refused("threads", LG_ERROR_ARGUMENT, M, 4, &o);
    o.threads = 0, o.start = 99;
    refused("unknown start", LG_ERROR_ARGUMENT, M, 4, &o);
    o.start = 0, o.method = "nothing";
    refused("nothing", LG_ERROR_ARGUMENT, M, 4, &o);
    o.method = "variational";
    refused("takes no velocity constraints", LG_ERROR_UNSUPPORTED, M, 4, &o);
    o.method = "gni", o.retraction = "caley";
    refused("caley", LG_ERROR_ARGUMENT, M, 4, &o);
    o = lg_ensemble_options_default();
    o.halvings = 31;
    refused("31 halvings", LG_ERROR_ARGUMENT, M, 4, &o);
    o = lg_ensemble_options_default();
    o.size = 8;
    refused("lg_ensemble_options_default", LG_ERROR_ARGUMENT, M, 4, &o);
    o = lg_ensemble_options_default();
    o.monitor = -1;
    refused("a monitor every -1 steps", LG_ERROR_ARGUMENT, M, 4, &o);
    o.monitor = 0, o.step = NAN;
    refused("the step is nan", LG_ERROR_ARGUMENT, M, 4, &o);
    o.step = 0, o.tolerance = 1e-9;
    refused("'sem' has steps of one length; use gauss", LG_ERROR_UNSUPPORTED, M, 4, &o);
    o.method = "gauss", o.tolerance = 1e-20;
    refused("from 1e-14", LG_ERROR_ARGUMENT, M, 4, &o);
    o.tolerance = NAN;
    refused("from 1e-14", LG_ERROR_ARGUMENT, M, 4, &o);
    lg_model_destroy(M);
    lg_model_destroy(broken);
}

static int never(int64_t i, const lg_motion *mo, void *context)
{
    (void)i, (void)mo;
    ++*(int *)context;
    return 0;
}

static void test_wrong_calls(void **state)
{
    lg_ensemble *E = NULL;
    lg_model *M = NULL, *other = NULL;
    lg_motion *mo = NULL, *copy = NULL;
    double g[6] = {1, 1, 0, 0, 0, 1}, xi[5] = {0};
    int calls = 0;
    lg_ensemble_figures seen;
    (void)state;
    suite_case("wrong calls");
    suite_ok("model", lg_catalog_create(&M, "rolling-ball"));
    suite_ok("model", lg_catalog_create(&other, "chaplygin-sphere"));
    suite_ok("create", lg_ensemble_create(&E, M, 3, NULL));
    suite_ok("motion", lg_motion_create(&mo, other, NULL));
    suite_status("not started", lg_ensemble_set(E, 0, mo), LG_ERROR_ARGUMENT);
    suite_contains("not started", lg_ensemble_message(E), "the motion is not started");
    suite_ok("start", lg_motion_start(mo, 0, NULL, 0));
    suite_status("mixed", lg_ensemble_set(E, 0, mo), LG_ERROR_ARGUMENT);
    suite_contains("mixed", lg_ensemble_message(E),
                   "mixed systems: an ensemble of rolling-ball, a motion of chaplygin");
    suite_status("NULL", lg_ensemble_set(E, 0, NULL), LG_ERROR_ARGUMENT);
    lg_motion_destroy(mo);
    suite_ok("motion", lg_motion_create(&mo, M, &(lg_motion_options){sizeof(lg_motion_options), .step = 0.5}));
    suite_ok("start", lg_motion_start(mo, 0, NULL, 0));
    suite_status("step", lg_ensemble_set(E, 0, mo), LG_ERROR_ARGUMENT);
    suite_contains("step", lg_ensemble_message(E), "another method, retraction, step");
    assert_int_equal(lg_ensemble_retired(E), 0); /* nothing was touched */
    for (int64_t i = -1; i < 4; i += 4) {
        suite_status("set", lg_ensemble_set(E, i, mo), LG_ERROR_ARGUMENT);
        suite_contains("set", lg_ensemble_message(E), "there are 3, from 0");
        suite_status("start", lg_ensemble_start_state(E, i, 0, g, xi, 0), LG_ERROR_ARGUMENT);
        suite_status("state", lg_ensemble_state(E, NULL, g, NULL, i), LG_ERROR_ARGUMENT);
        suite_status("status", lg_ensemble_status(E, i), LG_ERROR_ARGUMENT);
        suite_status("start", lg_ensemble_start(E, i, 0, NULL, 0), LG_ERROR_ARGUMENT);
        suite_status("motion", lg_ensemble_motion(&copy, E, i), LG_ERROR_ARGUMENT);
        suite_contains("reason", lg_ensemble_reason(E, i), "no such instance");
        suite_status("monitor", lg_ensemble_read(E, &seen, i), LG_ERROR_ARGUMENT);
        assert_int_equal(lg_ensemble_steps(E, i), -1);
        assert_null(copy);
    }
    suite_status("no monitor", lg_ensemble_read(E, &seen, 0), LG_ERROR_ARGUMENT);
    suite_status("start", lg_ensemble_start_state(E, 0, 0, NULL, xi, 0), LG_ERROR_ARGUMENT);
    suite_status("start", lg_ensemble_start_state(E, 0, 0, g, NULL, 0), LG_ERROR_ARGUMENT);
    suite_status("motion", lg_ensemble_motion(NULL, E, 0), LG_ERROR_ARGUMENT);
    suite_status("set all", lg_ensemble_set_all(E, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("visit", lg_ensemble_visit(E, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("steps", lg_ensemble_run(E, -1, 1, never, &calls), LG_ERROR_ARGUMENT);
    suite_status("every", lg_ensemble_run(E, 1, 0, never, &calls), LG_ERROR_ARGUMENT);
    suite_ok("no steps", lg_ensemble_run(E, 0, 1, never, &calls));
    assert_int_equal(calls, 0);
    suite_ok("more than there are", lg_ensemble_run(E, 5, 6, never, &calls));
    assert_int_equal(calls, 0);
    assert_int_equal(lg_ensemble_steps(E, 2), 5);
    suite_ok("visit", lg_ensemble_visit(E, never, &calls));
    assert_int_equal(calls, 3);
    suite_status("NULL", lg_ensemble_run(NULL, 1, 1, NULL, NULL), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_ensemble_bytes(NULL) + (size_t)lg_ensemble_count(NULL) + (size_t)lg_ensemble_width(NULL), 0);
    assert_non_null(lg_ensemble_message(NULL));
    lg_ensemble_destroy(NULL);
    lg_ensemble_destroy(E);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_model_destroy(other);
}

/* LIEGRP_WIDTH where the program leaves it open, and what the machine lacks is what it has. */
static void test_width(void **state)
{
    static const char *const asked[] = {"1", "2", "4", "8", "3", "eight"};
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_model *M = NULL;
    (void)state;
    suite_ok("model", lg_catalog_create(&M, "rolling-ball"));
    for (int k = 0; k < 6; k++) {
        lg_ensemble *E = NULL;
        int want = k < 4 ? 1 << k : lg_width_best();
        while (!has(want)) want /= 2;
        suite_case("LIEGRP_WIDTH=%s", asked[k]);
        setenv("LIEGRP_WIDTH", asked[k], 1);
        o.method = "gni";
        suite_ok("create", lg_ensemble_create(&E, M, 3, &o));
        assert_int_equal(lg_ensemble_width(E), want);
        lg_ensemble_destroy(E);
        o.method = "rkmk4"; /* has no wide form */
        suite_ok("create", lg_ensemble_create(&E, M, 3, &o));
        assert_int_equal(lg_ensemble_width(E), 1);
        lg_ensemble_destroy(E);
    }
    unsetenv("LIEGRP_WIDTH");
    lg_model_destroy(M);
}

/* ---- memory ---- */

/* Per instance at most twice (g, p, parameters) for gni and eight times for sem. */
static void test_bytes(void **state)
{
    static const char *const methods[] = {"gni", "sem"};
    static const size_t most[] = {2, 8};
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_model *M = NULL;
    (void)state;
    suite_ok("model", lg_catalog_create(&M, "rolling-ball"));
    for (int k = 0; k < 2; k++) {
        enum { COUNT = 20000, STATE = 6 + 5 + 6 };
        lg_ensemble *E = NULL;
        suite_case("bytes of %s", methods[k]);
        o.method = methods[k];
        suite_ok("create", lg_ensemble_create(&E, M, COUNT, &o));
        const size_t each = lg_ensemble_bytes(E) / COUNT, state_bytes = STATE * sizeof(double);
        printf("%s: %zu bytes an instance, %.2f times its state\n", methods[k], each,
               (double)each / (double)state_bytes);
        if (each > most[k] * state_bytes) suite_fail("%zu bytes an instance, at most %zu", each, most[k] * state_bytes);
        lg_ensemble_destroy(E);
    }
    lg_model_destroy(M);
}

int main(void)
{
    suite_begin("ensemble");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_catalog),
                                       cmocka_unit_test(test_methods),
                                       cmocka_unit_test(test_collocation),
                                       cmocka_unit_test(test_tolerances),
                                       cmocka_unit_test(test_models_of_ones_own),
                                       cmocka_unit_test(test_classes),
                                       cmocka_unit_test(test_an_ensemble_as_it_comes),
                                       cmocka_unit_test(test_going_on_from_a_motion),
                                       cmocka_unit_test(test_wrong_creations),
                                       cmocka_unit_test(test_wrong_calls),
                                       cmocka_unit_test(test_width),
                                       cmocka_unit_test(test_bytes)};
    return cmocka_run_group_tests_name("ensemble", tests, NULL, NULL);
}
