/* SPDX-License-Identifier: BSD-3-Clause */
/* Every verb of an integrator and of a linearisation, of one that is NULL, one whose creation failed, and one that has
 * not started; and with nowhere to put the answer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/catalog/catalog.h>
#include <liegrp/integrators/diagnostics.h>
#include <liegrp/integrators/linearisation.h>

#include "integrators/diagnostics/diagnostics.h"
#include "suite.h"

static lg_model *M;
static const lg_system *S;
static double g0[16], xi0[8], u[8], numbers[4096];

static int open_system(void **state)
{
    (void)state;
    return lg_catalog_create(&M, "rolling-ball") != LG_OK || lg_model_system(M, &S) != LG_OK ||
           lg_model_initial(M, g0, xi0, NULL) != LG_OK;
}

static int close_system(void **state)
{
    (void)state;
    lg_model_destroy(M);
    return 0;
}

/* All verbs are refused with this status; `made`: there is an integrator, which has not started. */
static void refuses(lg_integrator *it, lg_status want, int made)
{
    lg_integrator *copy = NULL;
    lg_linearisation *lin = NULL;
    lg_resolution r = lg_resolution_default();
    suite_status("step", lg_integrator_step(it), want);
    suite_status("run", lg_integrator_run(it, 3, 1, NULL, NULL), want);
    suite_status("reset", lg_integrator_reset(it), want);
    suite_status("resolution", lg_diagnostics_resolution(it, &r, 3), want);
    assert_int_equal(lg_integrator_saved_bytes(it), 0);
    suite_status("save", lg_integrator_save(it, numbers, sizeof numbers), LG_ERROR_ARGUMENT);
    suite_status("load", lg_integrator_load(it, numbers, 8), LG_ERROR_ARGUMENT);
    if (made) return;
    assert_null(lg_integrator_system(it));
    suite_status("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1), want);
    suite_status("control", lg_integrator_set_control(it, u), want);
    suite_status("clone", lg_integrator_clone(&copy, it), LG_ERROR_ARGUMENT);
    assert_true(copy == NULL || strlen(lg_integrator_message(copy)) > 0);
    lg_integrator_destroy(copy);
    suite_status("linearise", lg_linearisation_create(&lin, it), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_linearisation_message(lin), "there is no integrator");
    suite_status("compute", lg_linearisation_compute(lin, it), LG_ERROR_ARGUMENT);
    assert_true(lg_linearisation_rows(lin) == 0 && lg_linearisation_columns(lin) == 0);
    suite_status("apply", lg_linearisation_apply(lin, numbers, numbers), LG_ERROR_ARGUMENT);
    lg_linearisation_destroy(lin);
}

static void test_integrators(void **state)
{
    (void)state;
    lg_integrator *it = NULL;
    suite_case("NULL");
    refuses(NULL, LG_ERROR_ARGUMENT, 0);
    suite_status("nowhere", lg_integrator_create(NULL, S, "sem", "exp", 0.1), LG_ERROR_ARGUMENT);
    suite_status("nowhere", lg_integrator_create_with(NULL, S, "sem", lg_retraction_named("exp"), 0.1),
                 LG_ERROR_ARGUMENT);
    suite_case("a creation that failed");
    suite_status("create", lg_integrator_create(&it, S, "nothing", "exp", 0.1), LG_ERROR_ARGUMENT);
    refuses(it, LG_ERROR_ARGUMENT, 0);
    suite_contains("message", lg_integrator_message(it), "nothing");
    lg_integrator_destroy(it);
    suite_case("not started");
    suite_ok("create", lg_integrator_create(&it, S, "sem", NULL, 0.1));
    refuses(it, LG_ERROR_ARGUMENT, 1);
    suite_status("nowhere", lg_integrator_clone(NULL, it), LG_ERROR_ARGUMENT);
    suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1));
    suite_status("nowhere", lg_integrator_save(it, NULL, lg_integrator_saved_bytes(it)), LG_ERROR_ARGUMENT);
    suite_status("too short", lg_integrator_save(it, numbers, 8), LG_ERROR_ARGUMENT);
    suite_status("no bytes", lg_integrator_load(it, NULL, 100), LG_ERROR_ARGUMENT);
    suite_ok("it continues", lg_integrator_step(it));
    lg_integrator_destroy(it);
}

static void test_linearisations(void **state)
{
    (void)state;
    lg_integrator *it;
    lg_linearisation *lin;
    suite_ok("create", lg_integrator_create(&it, S, "sem", "exp", 0.1));
    suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1));
    suite_status("nowhere", lg_linearisation_create(NULL, it), LG_ERROR_ARGUMENT);
    suite_status("none", lg_linearisation_compute(NULL, it), LG_ERROR_ARGUMENT);
    suite_status("none", lg_linearisation_step(NULL, it), LG_ERROR_ARGUMENT);
    assert_true(lg_linearisation_rows(NULL) == 0 && lg_linearisation_columns(NULL) == 0);
    suite_ok("linearise", lg_linearisation_create(&lin, it));
    suite_status("none yet", lg_linearisation_apply(lin, numbers, numbers), LG_ERROR_ARGUMENT);
    suite_ok("compute", lg_linearisation_compute(lin, it));
    const int rows = lg_linearisation_rows(lin), columns = lg_linearisation_columns(lin);
    double *J = calloc((size_t)(rows * columns), sizeof *J), *in = calloc((size_t)columns, sizeof *in), out[64];
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    in[1] = 1;
    suite_ok("apply", lg_linearisation_apply(lin, out, in));
    for (int i = 0; i < rows; i++) suite_near1("a column", out[i], J[i * columns + 1], 1e-12, 1);
    suite_status("nowhere", lg_linearisation_apply(lin, NULL, in), LG_ERROR_ARGUMENT);
    suite_status("of nothing", lg_linearisation_apply(lin, out, NULL), LG_ERROR_ARGUMENT);
    suite_status("nowhere", lg_linearisation_apply_transposed(lin, NULL, out), LG_ERROR_ARGUMENT);
    suite_status("of nothing", lg_linearisation_apply_transposed(lin, in, NULL), LG_ERROR_ARGUMENT);
    suite_status("nowhere", lg_linearisation_jacobian(lin, NULL), LG_ERROR_ARGUMENT);
    free(in);
    free(J);
    lg_linearisation_destroy(lin);
    lg_integrator_destroy(it);
}

static void test_resolutions(void **state)
{
    (void)state;
    lg_resolution r = lg_resolution_default();
    assert_true(isnan(lg_resolution_worst(NULL)));
    assert_false(lg_resolution_suffices(NULL));
    r.size = 3;
    assert_true(isnan(lg_resolution_worst(&r)));
    assert_false(lg_resolution_suffices(&r));
    r = lg_resolution_default();
    r.failed = 1;
    assert_true(isinf(lg_resolution_worst(&r)));
}

int main(void)
{
    suite_begin("nothing");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_integrators), cmocka_unit_test(test_linearisations),
                                       cmocka_unit_test(test_resolutions)};
    return cmocka_run_group_tests(tests, open_system, close_system);
}
