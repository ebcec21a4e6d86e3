/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of mechanisms with methods of systems: the columns are the mechanism's, the motion is that of the sparse step;
 * orders of convergence; parameters; refusals. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/parameters.h>
#include <liegrp/run/convergence.h>
#include <liegrp/run/ensemble.h>
#include <liegrp/run/run.h>

#include "support/mechanism_systems.h"

static lg_model *model_of(lg_mechanism *m, const char *name)
{
    lg_model *M;
    if (lg_model_of_mechanism(&M, m, name) != LG_OK) suite_fail("%s", lg_model_message(M));
    return M;
}

static int keep_last(const double *row, int columns, void *context)
{
    memcpy(context, row, (size_t)columns * sizeof *row);
    return 0;
}

static int push(const lg_motion *mo, double *u, void *context)
{
    (void)mo, (void)context;
    memcpy(u, gallery_controls, 2 * sizeof *u);
    return 0;
}

/* A run by a method of systems has the rows of the sparse step. */
static void runs(void **unused)
{
    static const char *const methods[] = {"sem", "sem:cholesky", "sem:gauss=2"};
    double row[3][400] = {{0}};
    (void)unused;
    lg_mechanism *m = gallery_mechanism(lg_gallery_index("vehicle"), 1);
    lg_model *M = model_of(m, "vehicle");
    assert_string_equal(lg_model_name(M), "vehicle");
    assert_ptr_equal(lg_model_mechanism(M), m);
    assert_null(lg_model_describe(M));
    assert_int_equal(lg_model_column(M, 2)->kind, LG_COLUMN_CONFIGURATION);
    for (int k = 0; k < 3; k++) {
        model_run o = model_run_default();
        lg_run_result result = lg_run_result_default();
        lg_motion *mo = NULL;
        suite_case("%s", methods[k]);
        o.motion.method = methods[k], o.motion.step = 0.01, o.run.steps = 20, o.run.accuracy = 0;
        if (k > 0) o.motion.retraction = "cayley"; /* as the sparse step turns */
        o.run.row = keep_last, o.run.row_context = row[k], o.run.control = push;
        if (model_run_motion(&mo, M, &result, &o) != LG_OK) suite_fail("%s", result.message);
        assert_true((lg_motion_integrator(mo) == NULL) == (k == 0));
        suite_below("balance", result.balance, 1e-10);
        suite_near("row", row[k], row[0], lg_model_column_find(M, "work") + 1, k == 2 ? 1e-4 : 1e-9, 1);
        lg_motion_destroy(mo);
    }
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

/* Orders of every kind of method, from the model's initial state. */
static void orders(void **unused)
{
    static const char *const methods[] = {"sem", "gni", "rk4", "sem:cholesky"};
    (void)unused;
    lg_mechanism *m = gallery_mechanism(lg_gallery_index("four-bar"), 0);
    lg_model *M = model_of(m, NULL);
    for (int k = 0; k < 4; k++) {
        lg_motion_options o = lg_motion_options_default();
        suite_case("%s", methods[k]);
        o.method = methods[k], o.step = 0.02;
        suite_near1("order", lg_run_observed_order(M, &o, 10), k == 2 ? 4 : 2, 0.3, 1);
    }
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

/* The row after a few steps of a motion of the model, by a method. */
static void row_of(double *row, lg_model *M, const char *method)
{
    lg_motion_options o = lg_motion_options_default();
    lg_motion *mo;
    o.method = method;
    if (lg_motion_create(&mo, M, &o) != LG_OK || lg_motion_start(mo, 0, NULL, 1) != LG_OK ||
        lg_motion_step(mo, 5) != LG_OK)
        suite_fail("%s", lg_motion_message(mo));
    suite_ok("row", lg_motion_row(mo, row));
    lg_motion_destroy(mo);
}

/* Parameters that the model gets give the motion of a mechanism that had them from the beginning, to the bit; motions
 * and ensembles that exist, and the mechanism, keep theirs. */
static void parameters(void **unused)
{
    static const char *const methods[] = {"sem", "gauss", "rk4"};
    static double before[400], want[400], have[400];
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++) {
        lg_mechanism *m, *other;
        char name[160];
        double mass, gravity;
        suite_case("%s", lg_gallery_name(i));
        suite_ok("mechanism", lg_gallery_create(&m, i));
        (void)snprintf(name, sizeof name, "%s.mass", lg_mechanism_body_name(m, 0));
        lg_model *M = model_of(m, NULL), *oracle;
        assert_true(lg_model_column_count(M) < 400);
        suite_ok("mass", lg_model_get(M, &mass, name));
        suite_ok("gravity", lg_model_get(M, &gravity, "gravity.z"));
        lg_motion *mo;
        lg_ensemble *E;
        suite_ok("motion", lg_motion_create(&mo, M, NULL));
        row_of(before, M, "sem");
        suite_ok("mass", lg_model_set(M, name, 1.5 * mass));
        suite_ok("gravity", lg_model_set(M, "gravity.z", -3));
        suite_ok("mass", lg_model_get(M, have, name));
        assert_true(have[0] == 1.5 * mass && lg_motion_model(mo) == M && lg_model_mechanism(M) == m);
        suite_ok("describe", lg_gallery_describe(&other, i));
        suite_ok("mass", lg_mechanism_set_parameter(other, name, 1.5 * mass));
        suite_ok("gravity", lg_mechanism_set_parameter(other, "gravity.z", -3));
        mechanism_well(lg_mechanism_compile(other), other);
        oracle = model_of(other, NULL);
        for (int k = i < gallery_without_contacts() ? 2 : 0; k >= 0; k--) {
            row_of(have, M, methods[k]);
            row_of(want, oracle, methods[k]);
            suite_same_bits(methods[k], have, want, lg_model_column_count(M));
        }
        suite_ok("ensemble", lg_ensemble_create(&E, M, 2, NULL));
        suite_ok("mass", lg_model_set(M, name, mass));
        suite_ok("gravity", lg_model_set(M, "gravity.z", gravity));
        row_of(have, M, "sem");
        suite_same_bits("set back", have, before, lg_model_column_count(M));
        lg_model_destroy(oracle), lg_mechanism_destroy(other);
        suite_ok("a motion keeps them", lg_motion_start(mo, 0, NULL, 1));
        suite_ok("step", lg_motion_step(mo, 5));
        suite_ok("row", lg_motion_row(mo, have));
        suite_same_bits("a motion keeps them", have, before, lg_model_column_count(M));
        lg_motion_destroy(mo);
        int columns = 0; /* instances have their state, not the step before it */
        while (columns < lg_model_column_count(M) && !column_is_past(lg_model_column(M, columns)->name)) columns++;
        lg_model_destroy(M), lg_mechanism_destroy(m);
        suite_ok("an ensemble has its own", lg_ensemble_run(E, 5, 5, NULL, NULL));
        suite_ok("motion", lg_ensemble_motion(&mo, E, 1));
        suite_ok("row", lg_motion_row(mo, have));
        suite_same_bits("an ensemble keeps them", have, want, columns);
        lg_motion_destroy(mo);
        lg_ensemble_destroy(E);
    }
}

/* Parameters that do not fit together are refused where they are compiled, and taken back; initial values and the look
 * stay. */
static void parameters_that_are_refused(void **unused)
{
    (void)unused;
    lg_mechanism *m = gallery_mechanism(lg_gallery_index("double-pendulum"), 0);
    lg_model *M = model_of(m, "pendulum");
    const lg_system *S;
    const lg_scene *scene;
    lg_motion *mo;
    lg_ensemble *E;
    suite_ok("initial", lg_model_set_initial(M, "elbow", 0.4));
    suite_ok("mass", lg_model_set(M, "upper.mass", -1));
    suite_status("motion", lg_motion_create(&mo, M, NULL), LG_ERROR_ARGUMENT);
    suite_contains("motion", lg_motion_message(mo), "body 'upper'");
    lg_motion_destroy(mo);
    suite_status("system", lg_model_system(M, &S), LG_ERROR_ARGUMENT);
    suite_contains("system", lg_model_message(M), "body 'upper'");
    suite_status("scene", lg_model_scene(M, &scene), LG_ERROR_ARGUMENT);
    suite_status("ensemble", lg_ensemble_create(&E, M, 1, NULL), LG_ERROR_ARGUMENT);
    suite_contains("ensemble", lg_ensemble_message(E), "body 'upper'");
    lg_ensemble_destroy(E);
    suite_ok("mass", lg_model_set(M, "upper.mass", 3));
    suite_ok("motion", lg_motion_create(&mo, M, NULL));
    suite_ok("start", lg_motion_start(mo, 0, NULL, 1));
    double row[400];
    suite_ok("row", lg_motion_row(mo, row));
    suite_near1("elbow", row[lg_model_column_find(M, "elbow")], 0.4, 1e-12, 1);
    suite_ok("initial", lg_model_set_initial(M, "elbow", 0.6));
    suite_ok("start", lg_motion_start(mo, 0, NULL, 1));
    suite_ok("row", lg_motion_row(mo, row));
    suite_near1("elbow", row[lg_model_column_find(M, "elbow")], 0.6, 1e-12, 1);
    suite_ok("scene", lg_model_scene(M, &scene));
    assert_true(lg_scene_shape_count(scene) > 0);
    suite_ok("system", lg_model_system(M, &S));
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

/* A motion that its own integrator moves is read where it is: bodies, joints, columns, controls; its work is that of no
 * sum, or 0 at a start. */
static void moved_by_its_integrator(void **unused)
{
    static double want[400], have[400], g[400], xi[400], pose[7], other_pose[7];
    const double u = 0.25;
    (void)unused;
    lg_mechanism *m;
    suite_ok("mechanism", lg_gallery_create(&m, lg_gallery_index("furuta")));
    lg_model *M = model_of(m, NULL);
    const int columns = lg_model_column_count(M), work = lg_model_column_find(M, "work");
    lg_motion_options o = lg_motion_options_default();
    lg_motion *mo, *own;
    o.method = "sem:gauss=2";
    suite_ok("create", lg_motion_create(&mo, M, &o));
    suite_ok("start", lg_motion_start(mo, 0, NULL, 1));
    suite_ok("steps", lg_motion_step(mo, 3));
    suite_ok("clone", lg_motion_clone(&own, mo));
    lg_integrator *it = lg_motion_integrator(mo);
    suite_ok("control", lg_integrator_set_control(it, &u));
    suite_ok("control", lg_motion_set_control(own, &u));
    suite_ok("a step of the integrator", lg_integrator_step(it));
    suite_ok("a body", lg_motion_body_pose(mo, pose, 1));
    suite_ok("a step", lg_motion_step(own, 1));
    suite_ok("a body", lg_motion_body_pose(own, other_pose, 1));
    suite_same_bits("pose", pose, other_pose, 7);
    suite_ok("row", lg_motion_row(mo, have));
    suite_ok("row", lg_motion_row(own, want));
    assert_true(isnan(have[work]) && isfinite(want[work]) && isnan(lg_motion_work(mo)));
    have[work] = want[work] = 0;
    suite_same_bits("row", have, want, columns);
    suite_ok("state", lg_motion_state(own, g, xi, NULL));
    suite_ok("start", lg_integrator_start(it, 0.7, g, xi, LG_START_REACTION, 1));
    suite_ok("start", lg_motion_start_state(own, 0.7, g, xi, 1));
    for (int k = 0; k < 2; k++) {
        suite_ok("row", lg_motion_row(mo, have));
        suite_ok("row", lg_motion_row(own, want));
        assert_true(lg_motion_step_index(mo) == 2 * k);
        suite_same_bits("from a start", have, want, columns);
        suite_ok("steps", lg_motion_step(mo, 2));
        suite_ok("steps", lg_motion_step(own, 2));
    }
    lg_motion_destroy(mo), lg_motion_destroy(own);
    lg_model_destroy(M), lg_mechanism_destroy(m);
}

static void refusals(void **unused)
{
    lg_mechanism *raw;
    lg_model *M;
    double value;
    (void)unused;
    suite_status("no mechanism", lg_model_of_mechanism(&M, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_contains("words", lg_model_message(M), "is NULL");
    lg_model_destroy(M);
    mechanism_well(lg_mechanism_create(&raw), NULL);
    suite_status("not compiled", lg_model_of_mechanism(&M, raw, NULL), LG_ERROR_ARGUMENT);
    suite_contains("words", lg_model_message(M), "lg_mechanism_compile()");
    lg_model_destroy(M);
    lg_mechanism_destroy(raw);
    lg_mechanism *m = gallery_mechanism(lg_gallery_index("furuta"), 0);
    M = model_of(m, NULL);
    suite_status("parameters", lg_model_set(M, "nothing", 1), LG_ERROR_ARGUMENT);
    suite_contains("words", lg_model_message(M), "there is no parameter 'nothing'; the nearest ones are");
    suite_status("NULL", lg_model_set(M, NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("not finite", lg_model_set(M, "gravity.z", NAN), LG_ERROR_ARGUMENT);
    suite_status("parameters", lg_model_get(M, &value, "nothing"), LG_ERROR_ARGUMENT);
    suite_status("no column", lg_model_set_initial(M, "nothing", 1), LG_ERROR_ARGUMENT);
    suite_contains("words", lg_model_message(M), "unknown initial value 'nothing'");
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs),
        cmocka_unit_test(orders),
        cmocka_unit_test(parameters),
        cmocka_unit_test(moved_by_its_integrator),
        cmocka_unit_test(parameters_that_are_refused),
        cmocka_unit_test(refusals),
    };
    suite_begin("run/mechanism");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
