/* SPDX-License-Identifier: BSD-3-Clause */
/* Every verb of a motion that is NULL, and of one whose creation failed. */
#include <math.h>

#include <liegrp/run/motion.h>

#include "support/suite.h"

static void test_nothing(void **state)
{
    lg_motion *none = NULL;
    double row[8] = {0};
    (void)state;
    suite_case("NULL");
    suite_status("create", lg_motion_create(&none, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_contains("create", lg_motion_message(none), "the model is NULL");
    lg_motion *const both[] = {NULL, none};
    for (int k = 0; k < 2; k++) {
        lg_motion *mo = both[k], *copy;
        int found;
        suite_status("clone", lg_motion_clone(&copy, mo), LG_ERROR_ARGUMENT);
        suite_status("start", lg_motion_start(mo, 0, NULL, 0), LG_ERROR_ARGUMENT);
        suite_status("start_state", lg_motion_start_state(mo, 0, row, row, 0), LG_ERROR_ARGUMENT);
        suite_status("reset", lg_motion_reset(mo), LG_ERROR_ARGUMENT);
        suite_status("control", lg_motion_set_control(mo, row), LG_ERROR_ARGUMENT);
        suite_status("halvings", lg_motion_set_halvings(mo, 1), LG_ERROR_ARGUMENT);
        suite_status("tolerance", lg_motion_set_tolerance(mo, 1e-6), LG_ERROR_ARGUMENT);
        suite_status("solver", lg_motion_set_solver(mo, 1e-6), LG_ERROR_ARGUMENT);
        suite_status("step", lg_motion_step(mo, 1), LG_ERROR_ARGUMENT);
        suite_status("run_to", lg_motion_run_to(mo, 1), LG_ERROR_ARGUMENT);
        suite_status("event", lg_motion_step_to_event(mo, &found, NULL), LG_ERROR_ARGUMENT);
        suite_status("save", lg_motion_save(mo, row, 8), LG_ERROR_ARGUMENT);
        suite_status("load", lg_motion_load(mo, row, 8), LG_ERROR_ARGUMENT);
        suite_status("row", lg_motion_row(mo, row), LG_ERROR_ARGUMENT);
        suite_status("state", lg_motion_state(mo, row, row, row), LG_ERROR_ARGUMENT);
        assert_true(lg_motion_saved_bytes(mo) == 0 && lg_motion_model(mo) == NULL && lg_motion_step_index(mo) == 0);
        assert_true(isnan(lg_motion_time(mo)) && isnan(lg_motion_step_size(mo)) && lg_motion_tolerance(mo) == 0);
        assert_string_equal(lg_motion_method(mo), "");
        assert_null(lg_motion_integrator(mo));
    }
    assert_true(lg_motion_message(NULL)[0] != '\0');
    lg_motion_destroy(NULL);
    lg_motion_destroy(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing)};
    suite_begin("motion of nothing");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
