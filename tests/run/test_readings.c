/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of models, runs, ensembles, monitors and motions with an argument that is missing, of a wrong size or out
 * of range: each reports it, or returns an empty result. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <liegrp/catalog/catalog.h>
#include <liegrp/multibody/gallery.h>
#include <liegrp/run/run.h>

#include "run/model_private.h"
#include "support/mechanisms.h"
#include "support/run_models.h"

/* Models ---------------------------------------------------------------------------------------------------------- */

static const lg_parameter ranges[] = {{"closed", "kg", "", 1, 0, 2, 0},          {"open", "", "", 1, 0, 2, 1},
                                      {"above", NULL, "", 1, 0, INFINITY, 1},    {"least", "", "", 1, 0, INFINITY, 0},
                                      {"below", "s", "", -1, -INFINITY, 0, 1},   {"most", "", "", -1, -INFINITY, 0, 0},
                                      {"any", "", "", 1, -INFINITY, INFINITY, 1}};

/* The text of each range, and the values that it allows. */
static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value;
        const char *words; /* NULL: allowed */
    } cases[] = {{"closed", 2, NULL},     {"closed", 3, "in [0, 2] (kg), got 3"},
                 {"open", 1, NULL},       {"open", 2, "in (0, 2), got 2"},
                 {"above", 1e300, NULL},  {"above", 0, "> 0, got 0"},
                 {"least", 0, NULL},      {"least", -1, ">= 0, got -1"},
                 {"below", -1e300, NULL}, {"below", 0, "< 0 (s), got 0"},
                 {"most", 0, NULL},       {"most", 1, "<= 0, got 1"},
                 {"any", -7, NULL},       {"any", INFINITY, "finite, got inf"},
                 {"any", NAN, "finite"},  {"nothing", 1, "closed, open, above, least, below, most, any"},
                 {NULL, 1, "'(NULL)'"}};
    lg_model_definition d = run_models_sleigh;
    lg_model *M;
    d.parameters = ranges, d.parameter_count = sizeof ranges / sizeof ranges[0];
    suite_ok("create", lg_model_create(&M, &d));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double now = NAN;
        suite_case("%s = %g", cases[i].name != NULL ? cases[i].name : "(NULL)", cases[i].value);
        suite_status("set", lg_model_set(M, cases[i].name, cases[i].value), cases[i].words ? LG_ERROR_ARGUMENT : LG_OK);
        if (cases[i].words != NULL) suite_contains("message", lg_model_message(M), cases[i].words);
        if (cases[i].words != NULL) continue;
        suite_ok("get", lg_model_get(M, &now, cases[i].name));
        assert_true(now == cases[i].value);
    }
    lg_model_destroy(M);
    d.parameters = NULL, d.parameter_count = 0;
    suite_ok("create", lg_model_create(&M, &d));
    suite_status("set", lg_model_set(M, "c", 1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_model_message(M), "it has none");
    lg_model_destroy(M);
}

static void test_no_model(void **state)
{
    (void)state;
    static const wchar_t half_of_a_pair[] = {0xd800, 0};
    lg_model *M, *other;
    lg_model_definition d = run_models_sleigh;
    assert_null(lg_model_describe(NULL));
    assert_true(isnan(lg_model_default_step(NULL)));
    d.name = NULL;
    suite_status("create", lg_model_create(&M, &d), LG_ERROR_ARGUMENT);
    assert_true(isnan(lg_model_default_step(M)));
    suite_status("set", lg_model_set(M, "c", 1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_model_message(M), "has no name");
    lg_model_destroy(M);
    const lg_invariant unnamed = {"", NULL, NULL};
    d = run_models_sleigh;
    d.invariants = &unnamed, d.invariant_count = 1;
    suite_status("create", lg_model_create(&M, &d), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_model_message(M), "invariant 1 of motor-sleigh has no name");
    assert_false(lg_model_same(M, M));
    suite_ok("create", lg_model_create(&other, &run_models_sleigh));
    assert_false(lg_model_same(other, M));
    assert_true(lg_model_same(other, other));
    lg_model_destroy(other);
    lg_model_destroy(M);
    suite_status("failed", lg_model_failed(&M, LG_ERROR_DOMAIN, "here: %ls", half_of_a_pair), LG_ERROR_DOMAIN);
    assert_string_equal(lg_model_message(M), "");
    lg_model_destroy(M);
}

/* Rows, figures ---------------------------------------------------------------------------------------------------- */

static void test_rows(void **state)
{
    (void)state;
    lg_model *M, *none;
    lg_motion *mo, *of_none;
    lg_monitor *m;
    double row[64];
    lg_model_definition nameless = run_models_sleigh;
    nameless.name = NULL;
    suite_ok("model", lg_catalog_create(&M, "suslov"));
    suite_status("none", lg_model_create(&none, &nameless), LG_ERROR_ARGUMENT);
    suite_ok("motion", lg_motion_create(&mo, M, NULL));
    suite_status("not started", lg_motion_row(mo, row), LG_ERROR_ARGUMENT);
    suite_ok("start", lg_motion_start(mo, 0, NULL, 1));
    suite_ok("row", lg_motion_row(mo, row));
    assert_true(row[0] == 0 && row[1] == 0);
    suite_status("a model that failed", lg_motion_create(&of_none, none, NULL), LG_ERROR_ARGUMENT);
    suite_contains("a model that failed", lg_motion_message(of_none), lg_model_message(none));
    suite_status("a motion that failed", lg_motion_row(of_none, row), LG_ERROR_ARGUMENT);
    suite_status("no row", lg_motion_row(mo, NULL), LG_ERROR_ARGUMENT);
    suite_status("no motion", lg_motion_row(NULL, row), LG_ERROR_ARGUMENT);
    lg_monitor_figures f = lg_monitor_figures_default();
    lg_monitor_quantity q;
    suite_status("a motion that failed", lg_monitor_create(&m, of_none, 10, 0), LG_ERROR_ARGUMENT);
    suite_ok("monitor", lg_monitor_create(&m, mo, 10, 0));
    suite_status("no figures", lg_monitor_read(m, NULL), LG_ERROR_ARGUMENT);
    f.size = 3;
    suite_status("of no size", lg_monitor_read(m, &f), LG_ERROR_ARGUMENT);
    suite_status("no monitor", lg_monitor_invariant(NULL, &q, 0), LG_ERROR_ARGUMENT);
    suite_status("nowhere to put it", lg_monitor_invariant(m, NULL, 0), LG_ERROR_ARGUMENT);
    suite_status("before the first", lg_monitor_invariant(m, &q, -1), LG_ERROR_ARGUMENT);
    suite_status("behind the last", lg_monitor_invariant(m, &q, 100), LG_ERROR_ARGUMENT);
    lg_monitor_destroy(m);
    lg_motion_destroy(of_none);
    lg_motion_destroy(mo);
    lg_model_destroy(none);
    lg_model_destroy(M);
}

/* Results and options of callers that know less, or nothing. */
static void test_sizes(void **state)
{
    (void)state;
    lg_model *M;
    lg_motion *mo;
    lg_run_options o = lg_run_options_default();
    lg_motion_options how = lg_motion_options_default();
    lg_run_result f = lg_run_result_default();
    suite_ok("model", lg_catalog_create(&M, "suslov"));
    suite_ok("motion", lg_motion_create(&mo, M, &how));
    suite_ok("start", lg_motion_start(mo, 0, NULL, 1));
    o.steps = 3;
    f.size = offsetof(lg_run_result, energy_slope_half);
    f.error_steps = 77;
    suite_ok("an older result", lg_run(mo, &f, &o));
    assert_int_equal(f.steps, 3);
    assert_int_equal(f.error_steps, 77); /* there is no such field */
    f.size = 5;
    suite_status("of no size", lg_run(mo, &f, &o), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "its size is 5");
    suite_status("of no size, no motion", lg_run(NULL, &f, &o), LG_ERROR_ARGUMENT);
    assert_true(isnan(lg_run_observed_order(NULL, &how, 3)) && isnan(lg_run_observed_order(M, &how, -1)));
    how.size = 5;
    assert_true(isnan(lg_run_observed_order(M, &how, 3)));
    lg_motion_destroy(mo);
    lg_model_destroy(M);
}

/* Ensembles -------------------------------------------------------------------------------------------------------- */

static void test_ensembles(void **state)
{
    (void)state;
    lg_model *M;
    lg_ensemble *E;
    lg_ensemble_figures f;
    lg_ensemble_options o = lg_ensemble_options_default();
    suite_ok("model", lg_catalog_create(&M, "suslov"));
    for (int k = 0; k < 2; k++) {
        if (k == 0) o.size = 8;
        if (k == 1) o = lg_ensemble_options_default(), o.retraction = "none";
        suite_status("create", lg_ensemble_create(&E, M, 3, &o), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_ensemble_message(E), k == 0 ? "lg_ensemble_options_default" : "none");
        assert_true(lg_ensemble_width(E) == 0 && lg_ensemble_threads(E) == 0 && lg_ensemble_bytes(E) > 0);
        suite_status("run", lg_ensemble_run(E, 1, 1, NULL, NULL), LG_ERROR_ARGUMENT);
        suite_status("read", lg_ensemble_read(E, &f, 0), LG_ERROR_ARGUMENT);
        assert_string_equal(lg_ensemble_reason(E, 0), "no such instance");
        assert_int_equal(lg_ensemble_steps(E, 0), -1);
        lg_ensemble_destroy(E);
    }
    assert_true(lg_ensemble_width(NULL) == 0 && lg_ensemble_threads(NULL) == 0 && lg_ensemble_bytes(NULL) == 0);
    suite_ok("xi", lg_model_set_initial(M, "xi_3", 1)); /* it violates the constraint: none starts */
    o = lg_ensemble_options_default();
    suite_ok("create", lg_ensemble_create(&E, M, 3, &o));
    const size_t bare = lg_ensemble_bytes(E);
    suite_status("no figures are kept", lg_ensemble_read(E, &f, 0), LG_ERROR_ARGUMENT);
    lg_ensemble_destroy(E);
    o.monitor = 1;
    suite_ok("create", lg_ensemble_create(&E, M, 3, &o));
    assert_true(lg_ensemble_bytes(E) >= bare + 3 * sizeof f);
    suite_status("never started", lg_ensemble_read(E, &f, 0), LG_ERROR_INCONSISTENT);
    suite_status("nowhere to put it", lg_ensemble_read(E, NULL, 0), LG_ERROR_ARGUMENT);
    suite_status("behind the last", lg_ensemble_read(E, &f, 3), LG_ERROR_ARGUMENT);
    lg_ensemble_destroy(E);
    lg_model_destroy(M);
}

/* Motions --------------------------------------------------------------------------------------------------------- */

/* Joints that are called as the columns of every motion. */
static void test_names_of_figures(void **state)
{
    (void)state;
    enum { FIGURES = 6 };
    static const char *const figures[FIGURES] = {"energy", "work", "dampers", "friction", "gap", "slip"};
    static const double axis[3] = {0, 1, 0};
    lg_mechanism *m;
    lg_model *c;
    mechanism_well(lg_mechanism_create(&m), m);
    for (int i = 0; i < FIGURES; i++) {
        const double at[3] = {i, 0, 0};
        char body[8] = "a", before[8] = "a";
        body[0] = (char)('a' + i), before[0] = (char)('a' + i - 1);
        mechanism_add_body(m, body, i + 0.5, 0, 0);
        mechanism_add_joint(m, figures[i], LG_JOINT_REVOLUTE, i > 0 ? before : NULL, body, at, axis);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    suite_status("no mechanism", lg_model_of_mechanism(&c, NULL, NULL), LG_ERROR_ARGUMENT);
    lg_model_destroy(c);
    suite_ok("columns", lg_model_of_mechanism(&c, m, NULL));
    for (int i = 0; i < FIGURES; i++) {
        char joint[16];
        snprintf(joint, sizeof joint, "%s_2", figures[i]);
        assert_int_equal(lg_model_column_find(c, figures[i]), lg_model_column_count(c) - FIGURES + i);
        assert_int_equal(lg_model_column_find(c, joint), 2 + i);
    }
    assert_null(lg_model_column(c, -1));
    assert_null(lg_model_column(NULL, 0));
    lg_model_destroy(c);
    lg_mechanism_destroy(m);
}

/* A quaternion that is given in part, and one that nothing can complete. */
static void test_quaternions(void **state)
{
    (void)state;
    lg_mechanism *m;
    lg_motion *mo;
    lg_model *c;
    double row[128], pose[7];
    const int bicycle = lg_gallery_index("bicycle");
    mechanism_well(lg_gallery_create(&m, bicycle), m);
    suite_ok("model", lg_model_of_mechanism(&c, m, NULL));
    motion_well(lg_motion_create(&mo, c, NULL), mo);
    for (int i = 0; i < lg_model_column_count(c); i++) row[i] = NAN;
    double *q = row + lg_model_column_find(c, "frame_qx");
    q[0] = q[1] = 0, q[2] = 0.6, q[3] = 0.8;
    motion_well(lg_motion_start(mo, 0, row, 1), mo);
    motion_well(lg_motion_body_pose(mo, pose, 0), mo);
    suite_near1("qz", pose[5], 0.6, 1e-12, 1);
    q[3] = 0.7; /* of length 0.92 */
    suite_status("too short", lg_motion_start(mo, 0, row, 1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "does not have length 1");
    q[0] = NAN; /* which is 0 and stays so */
    suite_status("nothing to scale", lg_motion_start(mo, 0, row, 1), LG_ERROR_ARGUMENT);
    lg_motion_destroy(mo);
    lg_model_destroy(c);
    lg_mechanism_destroy(m);
}

static void test_resolutions(void **state)
{
    (void)state;
    static const char *const methods[] = {NULL, "sem@suzuki4", "gauss"};
    const int i = lg_gallery_index("double-pendulum");
    lg_mechanism *m;
    mechanism_well(lg_gallery_create(&m, i), m);
    for (int k = 0; k < 4; k++) {
        lg_motion *mo;
        lg_resolution r = lg_resolution_default();
        suite_case("%s, tolerance %d", methods[k % 3] != NULL ? methods[k % 3] : "default", k == 3);
        motion_well(motion_create(&mo, m, methods[k == 3 ? 2 : k], 0.01), mo);
        suite_status("not started", lg_motion_resolution(mo, &r, 4), LG_ERROR_ARGUMENT);
        if (k == 3) motion_well(lg_motion_set_tolerance(mo, 1e-9), mo);
        motion_well(lg_gallery_start(mo, i), mo);
        suite_ok("resolution", lg_motion_resolution(mo, &r, 4));
        assert_int_equal(r.samples, 4);
        suite_status("no motion", lg_motion_resolution(NULL, &r, 4), LG_ERROR_ARGUMENT);
        suite_status("nowhere to put it", lg_motion_resolution(mo, NULL, 4), LG_ERROR_ARGUMENT);
        r.size = 5;
        suite_status("of no size", lg_motion_resolution(mo, &r, 4), LG_ERROR_ARGUMENT);
        lg_run_result f = lg_run_result_default();
        f.size = offsetof(lg_run_result, energy_slope_half);
        lg_run_options o = lg_run_options_default();
        o.steps = 3;
        suite_ok("an older result", lg_run(mo, &f, &o));
        assert_int_equal(f.steps, 3);
        f.size = 5;
        suite_status("of no size", lg_run(mo, &f, &o), LG_ERROR_ARGUMENT);
        f = lg_run_result_default();
        suite_ok("with its accuracy", lg_run(mo, &f, &o));
        assert_int_equal(f.error_steps, 3);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

int main(void)
{
    suite_begin("readings");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ranges),      cmocka_unit_test(test_no_model),
                                       cmocka_unit_test(test_rows),        cmocka_unit_test(test_sizes),
                                       cmocka_unit_test(test_ensembles),   cmocka_unit_test(test_names_of_figures),
                                       cmocka_unit_test(test_quaternions), cmocka_unit_test(test_resolutions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
