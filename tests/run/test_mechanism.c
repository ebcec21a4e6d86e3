/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of mechanisms with methods of systems: the columns are the mechanism's, the motion is that of the sparse step;
 * orders of convergence; refusals. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/run/convergence.h>
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
    const int count = lg_model_column_count(M);
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
        suite_near("row", row[k], row[0], count - 2, k == 2 ? 1e-4 : 1e-9, 1); /* but for gap and slip */
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
    suite_status("parameters", lg_model_set(M, "nothing", 1), LG_ERROR_UNSUPPORTED);
    suite_contains("words", lg_model_message(M), "lg_mechanism_set_parameter()");
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
        cmocka_unit_test(refusals),
    };
    suite_begin("run/mechanism");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
