/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms as models: runs, copies, ensembles and orders of convergence of any method. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/run/convergence.h>
#include <liegrp/run/ensemble.h>
#include <liegrp/run/mechanism.h>
#include <liegrp/run/run.h>

#include "support/mechanism_systems.h"

static lg_model *model_of(lg_mechanism *m, const lg_motion *start, const char *name, double step)
{
    lg_model *M;
    if (lg_mechanism_model(&M, m, start, name, step) != LG_OK) suite_fail("%s", lg_model_message(M));
    return M;
}

static int keep_last(const double *row, int columns, void *context)
{
    memcpy(context, row, (size_t)columns * sizeof *row);
    return 0;
}

static int push(const lg_integrator *it, double *u, void *context)
{
    (void)it, (void)context;
    memcpy(u, gallery_controls, 2 * sizeof *u);
    return 0;
}

/* A run of the model is the motion itself, and its columns have the bodies' names. */
static void runs(void **unused)
{
    double row[400] = {0}, g[7 * MECHANISM_MOST];
    const int i = lg_gallery_index("vehicle");
    (void)unused;
    lg_mechanism *m = gallery_mechanism(i, 1);
    lg_motion *mo = gallery_motion(m, i, "sem", 0.01);
    motion_well(lg_motion_step(mo, 5), mo);
    lg_model *M = model_of(m, mo, "vehicle", 0.01);
    assert_string_equal(lg_model_describe(M)->name, "vehicle");
    assert_string_equal(lg_model_column(M, 0), "chassis_x");
    assert_string_equal(lg_model_column(M, 3), "qx");
    assert_string_equal(lg_model_column(M, 7 + 6), "qw_2");
    assert_string_equal(lg_model_describe(M)->callbacks.controls[0].unit, "N m");
    lg_run_options o = lg_run_options_default();
    lg_run_result result = lg_run_result_default();
    o.method = "sem:cholesky", o.retraction = "cayley", o.steps = 20, o.row = keep_last, o.row_context = row;
    o.control = push;
    if (lg_run(M, &result, &o) != LG_OK) suite_fail("%s", lg_model_message(M));
    motion_well(lg_motion_step(mo, 20), mo);
    suite_ok("state", lg_motion_state(mo, g, NULL));
    suite_near("columns", row + 2, g, lg_model_column_count(M), 1e-12, 1);
    lg_model_destroy(M);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* Another model of the same definition, and an ensemble, whose model is gone, make the same motion. */
static void copies(void **unused)
{
    const int i = lg_gallery_index("four-bar");
    (void)unused;
    lg_mechanism *m = gallery_mechanism(i, 0);
    lg_motion *mo = gallery_motion(m, i, "sem", 0.005);
    lg_model *M = model_of(m, mo, NULL, 0.005), *again;
    lg_ensemble *E;
    lg_run_options o = lg_run_options_default();
    lg_run_result result = lg_run_result_default();
    double row[2][400] = {{0}};
    suite_ok("copy", lg_model_create(&again, lg_model_describe(M)));
    o.method = "gni", o.steps = 10, o.row = keep_last;
    for (int k = 0; k < 2; k++) {
        o.row_context = row[k];
        if (lg_run(k ? again : M, &result, &o) != LG_OK) suite_fail("%s", lg_model_message(k ? again : M));
    }
    suite_same_bits("copy", row[1], row[0], 2 + 21);
    suite_near1("order", lg_run_observed_order(M, &o), 2, 0.1, 1);
    lg_ensemble_options options = lg_ensemble_options_default();
    options.method = "gni", options.threads = 2;
    suite_ok("ensemble", lg_ensemble_create(&E, M, 3, &options));
    lg_model_destroy(M);
    lg_model_destroy(again);
    suite_ok("run", lg_ensemble_run(E, 10, 1, NULL, NULL));
    double t, g[21];
    suite_ok("state", lg_ensemble_state(E, &t, g, NULL, 2));
    suite_near("ensemble", g, row[0] + 2, 21, 1e-13, 1);
    lg_ensemble_destroy(E);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* From rest, as assembled; what is refused. */
static void refusals(void **unused)
{
    (void)unused;
    lg_mechanism *m = gallery_mechanism(lg_gallery_index("furuta"), 0), *other, *raw;
    lg_motion *mo;
    double g[14], xi[12];
    lg_model *M = model_of(m, NULL, NULL, 0);
    suite_ok("initial", lg_model_initial(M, g, xi, NULL));
    for (int k = 0; k < 12; k++) assert_true(xi[k] == 0);
    assert_true(lg_model_default_step(M) == 0.01);
    lg_model_destroy(M);
    mechanism_well(lg_gallery_create(&other, lg_gallery_index("chain")), other);
    motion_well(lg_motion_create(&mo, m, "sem", 0.01), mo);
    suite_status("not started", lg_mechanism_model(&M, m, mo, NULL, 0), LG_ERROR_ARGUMENT);
    suite_contains("words", lg_model_message(M), "not been started");
    lg_model_destroy(M);
    suite_status("another", lg_mechanism_model(&M, other, mo, NULL, 0), LG_ERROR_ARGUMENT);
    suite_contains("words", lg_model_message(M), "another mechanism");
    lg_model_destroy(M);
    suite_status("step", lg_mechanism_model(&M, m, NULL, NULL, -1), LG_ERROR_ARGUMENT);
    suite_contains("words", lg_model_message(M), "step");
    lg_model_destroy(M);
    suite_status("none", lg_mechanism_model(&M, NULL, NULL, NULL, 0), LG_ERROR_ARGUMENT);
    lg_model_destroy(M);
    mechanism_well(lg_mechanism_create(&raw), NULL);
    suite_status("not compiled", lg_mechanism_model(&M, raw, NULL, NULL, 0), LG_ERROR_ARGUMENT);
    suite_contains("words", lg_model_message(M), "lg_mechanism_compile()");
    lg_model_destroy(M);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(raw), lg_mechanism_destroy(other), lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs),
        cmocka_unit_test(copies),
        cmocka_unit_test(refusals),
    };
    suite_begin("run/mechanism");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
