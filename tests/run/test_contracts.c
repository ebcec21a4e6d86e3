/* SPDX-License-Identifier: BSD-3-Clause */
/* What models, runs, references, ensembles, and monitors refuse, and what they say; objects that are
 * not there or were refused; runs of systems whose callbacks fail. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/failing.h"
#include "support/motions.h"
#include "support/run_models.h"

/* ---- definitions ---- */

static const lg_parameter unnamed = {"", "", "", 1, 0, 2, 1};
static const lg_group *no_group(void)
{
    return NULL;
}
static const lg_group *(*const no_factors[])(void) = {lg_so3, no_group};

static int refuses(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c;
    (void)J;
    (void)rows;
    (void)why;
    return 1;
}

static int no_start(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    (void)g0;
    (void)xi0;
    return 1;
}

/* One thing is wrong with a definition that is sound otherwise. */
static void spoil(lg_model_definition *d, int k)
{
    static const lg_invariant nothing = {0};
    switch (k) {
    case 0:
        d->name = NULL;
        break;
    case 1:
        d->group = NULL, d->factors = NULL;
        break;
    case 2:
        d->group = lg_so3, d->factors = no_factors;
        break;
    case 3:
        d->group = NULL, d->factors = no_factors, d->factor_count = 0;
        break;
    case 4:
        d->configure = NULL;
        break;
    case 5:
        d->initial = NULL;
        break;
    case 6:
        d->parameter_count = -1;
        break;
    case 7:
        d->parameters = NULL, d->parameter_count = 1;
        break;
    case 8:
        d->invariant_count = -1;
        break;
    case 9:
        d->invariants = NULL, d->invariant_count = 1;
        break;
    case 10:
        d->constraint_count = -1;
        break;
    case 11:
        d->callbacks.holonomic_count = -1;
        break;
    case 12:
        d->callbacks.control_count = -1;
        break;
    case 13:
        d->constraint_count = 1, d->callbacks.covectors = NULL, d->has_constant_rows = 0;
        break;
    case 14:
        d->step = NAN;
        break;
    case 15:
        d->step = -0.1;
        break;
    case 16:
        d->step = INFINITY;
        break;
    case 17:
        d->parameters = &unnamed, d->parameter_count = 1;
        break;
    case 18:
        d->invariants = &nothing, d->invariant_count = 1;
        break;
    case 19:
        d->group = no_group, d->factors = NULL;
        break;
    case 20:
        d->group = NULL, d->factors = no_factors, d->factor_count = 2;
        break;
    case 21:
        d->size = 0;
        break;
    case 22:
        d->size = sizeof *d + 8;
        break;
    default:
        suite_fail("no way %d", k);
    }
}

enum { WAYS = 23 };

static void test_definitions(void **state)
{
    (void)state;
    static const char *const said[WAYS] = {"no name",
                                           "group or factors",
                                           "group or factors",
                                           "their number",
                                           "configure or initial",
                                           "configure or initial",
                                           "parameters",
                                           "parameters",
                                           "invariants",
                                           "invariants",
                                           "negative",
                                           "negative",
                                           "negative",
                                           "constant rows",
                                           "step",
                                           "step",
                                           "step",
                                           "name",
                                           "name",
                                           "group is NULL",
                                           "factor 2: the group is NULL",
                                           "size",
                                           "newer header"};
    static const lg_model_definition *const all[] = {&run_models_rod, &run_models_sleigh, &run_models_links};
    for (int m = 0; m < 3; m++) {
        for (int k = 0; k < WAYS; k++) {
            lg_model_definition d = *all[m];
            lg_model *M = NULL;
            suite_case("%s, spoiled in way %d", all[m]->name, k);
            spoil(&d, k);
            if (lg_model_create(&M, &d) == LG_OK) suite_fail("it is taken");
            suite_contains("message", lg_model_message(M), said[k]);
            assert_null(lg_model_describe(M));
            assert_int_equal(lg_model_column_count(M), 0);
            lg_model_destroy(M);
        }
    }
    suite_status("into NULL", lg_model_create(NULL, &run_models_rod), LG_ERROR_ARGUMENT);
    lg_model *M = NULL;
    suite_status("NULL", lg_model_create(&M, NULL), LG_ERROR_ARGUMENT);
    suite_contains("NULL", lg_model_message(M), "NULL");
    lg_model_destroy(M);
}

/* ---- objects that are not there ---- */

static void nobody(lg_model *M)
{
    double value, g[SUITE_ELEMENT], xi[SUITE_DIM];
    const lg_system *S;
    lg_motion *mo = NULL;
    model_run o = model_run_default();
    lg_run_result f = lg_run_result_default();
    lg_reference *R = NULL;
    lg_ensemble *E = NULL;
    lg_monitor *m = NULL;
    const lg_ensemble_options eo = lg_ensemble_options_default();
    suite_status("set", lg_model_set(M, "a", 1), LG_ERROR_ARGUMENT);
    suite_status("get", lg_model_get(M, &value, "a"), LG_ERROR_ARGUMENT);
    suite_status("initial", lg_model_set_initial(M, "x", 1), LG_ERROR_ARGUMENT);
    suite_status("system", lg_model_system(M, &S), LG_ERROR_ARGUMENT);
    suite_status("start", lg_model_initial(M, g, xi, NULL), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_model_column_count(M), 0);
    assert_null(lg_model_column(M, 0));
    assert_int_equal(lg_model_column_find(M, "t"), -1);
    lg_model_write(M, g, g, NULL);
    assert_true(isnan(lg_run_observed_order(M, &o.motion, o.run.steps)));
    suite_status("motion", lg_motion_create(&mo, M, &o.motion), LG_ERROR_ARGUMENT);
    assert_true(lg_motion_message(mo)[0] != '\0');
    suite_status("row", lg_motion_row(mo, g), LG_ERROR_ARGUMENT);
    suite_status("run", model_run_whole(M, &f, &o), LG_ERROR_ARGUMENT);
    assert_true(f.message[0] != '\0');
    suite_status("reference", lg_reference_create(&R, M, &o.motion, o.run.steps, o.project), LG_ERROR_ARGUMENT);
    assert_true(lg_reference_message(R)[0] != '\0');
    lg_convergence c;
    memset(&c, 0, sizeof c);
    suite_status("convergence", lg_convergence_measure(M, &c, R, &o.motion, o.run.steps, 3), LG_ERROR_ARGUMENT);
    lg_reference_destroy(R);
    suite_status("ensemble", lg_ensemble_create(&E, M, 3, &eo), LG_ERROR_ARGUMENT);
    assert_true(lg_ensemble_message(E)[0] != '\0');
    lg_ensemble_destroy(E);
    suite_status("monitor", lg_monitor_create(&m, mo, 10, 1), LG_ERROR_ARGUMENT);
    assert_null(m);
    lg_motion_destroy(mo);
}

static void test_nobody(void **state)
{
    (void)state;
    suite_case("no model");
    nobody(NULL);
    suite_case("a refused model");
    lg_model_definition d = run_models_rod;
    lg_model *M = NULL;
    d.configure = NULL;
    suite_status("create", lg_model_create(&M, &d), LG_ERROR_ARGUMENT);
    nobody(M);
    lg_model_destroy(M);
    suite_case("no objects");
    assert_null(lg_reference_method(NULL));
    assert_true(isnan(lg_reference_step(NULL)));
    assert_int_equal(lg_reference_column_count(NULL), 0);
    assert_int_equal(lg_ensemble_threads(NULL), 0);
    assert_int_equal(lg_ensemble_width(NULL), 0);
    assert_int_equal(lg_ensemble_count(NULL), 0);
    assert_int_equal(lg_model_column_count(NULL), 0);
    assert_null(lg_model_column(NULL, 0));
    assert_int_equal(lg_model_column_find(NULL, "t"), -1);
    suite_status("ensemble", lg_ensemble_run(NULL, 1, 1, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("ensemble", lg_ensemble_status(NULL, 0), LG_ERROR_ARGUMENT);
    suite_status("result", lg_run(NULL, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("into NULL", lg_reference_create(NULL, NULL, NULL, 1000, 0), LG_ERROR_ARGUMENT);
    suite_status("into NULL", lg_model_of_mechanism(NULL, NULL, NULL), LG_ERROR_ARGUMENT);
}

/* ---- wrong options of runs ---- */

static void spoil_options(model_run *o, int k)
{
    switch (k) {
    case 0:
        o->motion.step = NAN;
        break;
    case 1:
        o->motion.step = INFINITY;
        break;
    case 2:
        o->run.steps = -1;
        break;
    case 3:
        o->run.steps = INT64_MAX;
        break;
    case 4:
        o->run.every = 0;
        break;
    case 5:
        o->run.monitor_every = -1;
        break;
    case 6:
        o->run.accuracy = 2;
        break;
    case 7:
        o->motion.start = (lg_start)77;
        break;
    case 8:
        o->run.format = (lg_format)77;
        break;
    case 9:
        o->motion.method = "nonsense";
        break;
    case 10:
        o->motion.retraction = "nonsense";
        break;
    case 11:
        o->motion.method = "gauss", o->motion.tolerance = -1;
        break;
    case 12:
        o->motion.tolerance = 1e-9;
        break; /* of sem */
    case 13:
        o->run.output = "/nowhere/file.csv";
        break;
    case 14:
        o->run.output = "/nowhere/file.npy", o->run.format = LG_FORMAT_NPY;
        break;
    case 15:
        o->run.size = sizeof o->run + 8;
        break;
    default:
        suite_fail("no way %d", k);
    }
}

enum { WRONG_OPTIONS = 16 };

static void test_options(void **state)
{
    (void)state;
    static const char *const said[WRONG_OPTIONS] = {
        "the step is", "the step is",   "number of steps", "number of steps", "at least 1", "monitor",
        "accuracy",    "unknown start", "unknown format",  "nonsense",        "nonsense",   "tolerance",
        "gauss",       "No such file",  "No such file",    "newer header"};
    lg_model *M = NULL;
    suite_ok("rod", lg_model_create(&M, &run_models_sleigh));
    for (int k = 0; k < WRONG_OPTIONS; k++) {
        model_run o = model_run_default();
        lg_run_result f = lg_run_result_default();
        suite_case("options spoiled in way %d", k);
        spoil_options(&o, k);
        const lg_status status = model_run_whole(M, &f, &o);
        if (status == LG_OK) suite_fail("they are taken");
        suite_contains("message", f.message, said[k]);
        if (k < 4 || k == 7 || (k > 8 && k < 13)) assert_true(isnan(lg_run_observed_order(M, &o.motion, o.run.steps)));
    }
    const lg_run_options o = lg_run_options_default();
    lg_run_result f = lg_run_result_default();
    lg_motion *mo;
    suite_ok("motion", lg_motion_create(&mo, M, NULL));
    suite_status("not started", lg_run(mo, &f, &o), LG_ERROR_ARGUMENT);
    suite_contains("not started", f.message, "lg_motion_start()");
    suite_ok("start", lg_motion_start(mo, 0, NULL, 0));
    suite_status("no result", lg_run(mo, NULL, &o), LG_ERROR_ARGUMENT);
    suite_status("no options", lg_run(mo, &f, NULL), LG_ERROR_ARGUMENT);
    suite_contains("no options", f.message, "NULL");
    assert_string_equal(lg_motion_message(mo), f.message);
    f.size = sizeof f + 8;
    suite_status("a larger result", lg_run(mo, &f, &o), LG_ERROR_ARGUMENT);
    suite_contains("a larger result", lg_motion_message(mo), "newer header");
    assert_true(isnan(lg_run_observed_order(M, NULL, 0)));
    lg_motion_destroy(mo);
    lg_model_destroy(M);
}

/* ---- what the model's own functions refuse ---- */

static void test_own_functions(void **state)
{
    (void)state;
    lg_model_definition d = run_models_sleigh;
    lg_model *M = NULL;
    const lg_system *S;
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    suite_case("configure");
    d.configure = refuses;
    suite_ok("create", lg_model_create(&M, &d));
    if (lg_model_system(M, &S) == LG_OK) suite_fail("a system");
    suite_contains("message", lg_model_message(M), "refused");
    lg_model_destroy(M);
    suite_case("initial");
    d = run_models_sleigh;
    d.initial = no_start;
    suite_ok("create", lg_model_create(&M, &d));
    if (lg_model_initial(M, g, xi, NULL) == LG_OK) suite_fail("a start");
    assert_true(lg_model_message(M)[0] != '\0');
    lg_model_destroy(M);
    suite_ok("create", lg_model_create(&M, &run_models_sleigh));
    suite_status("no place", lg_model_system(M, NULL), LG_ERROR_ARGUMENT);
    suite_status("not finite", lg_model_set_initial(M, lg_model_column(M, 2)->name, NAN), LG_ERROR_ARGUMENT);
    suite_status("no column", lg_model_set_initial(M, NULL, 1), LG_ERROR_ARGUMENT);
    suite_contains("no column", lg_model_message(M), "NULL");
    assert_null(lg_model_column(M, -1));
    assert_null(lg_model_column(M, 1000));
    suite_ok("without places", lg_model_initial(M, NULL, NULL, NULL));
    lg_model_destroy(M);
}

/* ---- runs of what fails ---- */

/* A definition whose callbacks fail (support/failing_system.c takes them from a system). */
static void trap(lg_model_definition *d, const lg_model_definition *base)
{
    lg_system whole = {.size = sizeof whole, .callbacks = base->callbacks}, failing;
    failing_callbacks(&failing, &whole);
    *d = *base;
    d->callbacks = failing.callbacks;
}

static lg_status run_once(lg_model *M, const char *method, char *message, size_t room)
{
    model_run o = model_run_default();
    lg_run_result f = lg_run_result_default();
    lg_monitor *m = NULL;
    o.motion.method = method;
    o.run.steps = 40;
    o.run.monitor = &m;
    const lg_status status = model_run_whole(M, &f, &o);
    lg_monitor_destroy(m);
    snprintf(message, room, "%s", f.message);
    return status;
}

static lg_status reference_once(lg_model *M, const char *method, char *message, size_t room)
{
    model_run o = model_run_default();
    lg_reference *R = NULL;
    lg_convergence c;
    memset(&c, 0, sizeof c);
    o.motion.method = method;
    o.run.steps = 4;
    lg_status status = lg_reference_create(&R, M, &o.motion, o.run.steps, o.project);
    snprintf(message, room, "%s", lg_reference_message(R));
    if (status == LG_OK) {
        status = lg_convergence_measure(M, &c, R, &o.motion, o.run.steps, 3);
        snprintf(message, room, "%s", c.message);
    }
    lg_reference_destroy(R);
    return status;
}

static void test_failing_runs(void **state)
{
    (void)state;
    static const lg_model_definition *const all[] = {&run_models_rod, &run_models_sleigh, &run_models_links};
    static const char *const methods[] = {"sem", "gauss", "gni"};
    lg_status (*const ways[])(lg_model *, const char *, char *, size_t) = {run_once, reference_once};
    char message[512];
    for (int i = 0; i < 3 * 3 * 2; i++) {
        lg_model_definition d;
        lg_model *M = NULL;
        const char *method = methods[i / 3 % 3];
        trap(&d, all[i % 3]);
        suite_ok("create", lg_model_create(&M, &d));
        suite_case("%s, %s, %s", d.name, method, i < 9 ? "run" : "reference");
        failing_at(0, LG_OK);
        const lg_status sound = ways[i / 9](M, method, message, sizeof message);
        const int calls = failing_calls();
        if (sound != LG_OK) suite_fail("%s", message);
        for (int k = 1; k <= calls; k += 1 + (k > 3 ? calls / 12 : 0)) {
            failing_from(k, LG_ERROR_IO);
            const lg_status status = ways[i / 9](M, method, message, sizeof message);
            /* measurements of accuracy, behind the run, do without what fails */
            if (status == LG_OK && k < calls / 8)
                suite_fail("call %d of %d, %s, failed, and nothing is said", k, calls, failing_operation());
            if (status != LG_OK && message[0] == '\0') suite_fail("no message");
        }
        failing_at(0, LG_OK);
        suite_ok("afterwards", ways[i / 9](M, method, message, sizeof message));
        lg_model_destroy(M);
    }
}

/* ---- words ---- */

static void test_iterations_by_name(void **state)
{
    static const char *const counted[][2] = {{"sem", "residual evaluations"}, {"gni", "Newton iterations"}};
    lg_model *M = NULL;
    (void)state;
    suite_ok("open", lg_catalog_create(&M, "suslov"));
    for (int k = 0; k < 2; k++) {
        model_run o = model_run_default();
        lg_run_result f = lg_run_result_default();
        suite_case("what %s counts", counted[k][0]);
        o.motion.method = counted[k][0], o.motion.step = 0.02, o.run.steps = 50;
        suite_ok("run", model_run_whole(M, &f, &o));
        assert_string_equal(f.iterations, counted[k][1]);
    }
    lg_model_destroy(M);
}

int main(void)
{
    suite_begin("contracts of runs");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definitions),  cmocka_unit_test(test_nobody),
                                       cmocka_unit_test(test_options),      cmocka_unit_test(test_own_functions),
                                       cmocka_unit_test(test_failing_runs), cmocka_unit_test(test_iterations_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
