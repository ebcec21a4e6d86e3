/* SPDX-License-Identifier: BSD-3-Clause */
/* Halved steps of ensembles. */
#include "support/ensembles.h"

static const int widths[] = {1, 2, 4, 8};

enum { HALVED = 7, HALVED_STEPS = 20 };

static lg_status vary(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)mo, (void)context;
    return lg_model_set(M, "I11", 1 + 0.3 * (double)i);
}

static int count_steps(int64_t i, const lg_motion *mo, void *context)
{
    int64_t *seen = context;
    assert_true(lg_motion_step_index(mo) == seen[i] && lg_motion_time(mo) == 12.0 * (double)seen[i]);
    seen[i]++;
    return 0;
}

/* A step that fails is halved as that of a motion alone, at every width; it counts as one, and without halvings it
 * retires the instance. */
static void test_halvings(void **state)
{
    double alone[40], row[40];
    (void)state;
    lg_model *M;
    suite_ok("model", lg_catalog_create(&M, "suslov"));
    const int columns = lg_model_column_count(M);
    assert_true(columns <= 40);
    for (int k = 0; k < 8; k++) {
        lg_ensemble *E;
        lg_ensemble_options o = lg_ensemble_options_default();
        int retired = 0;
        if (!lg_width_supported(widths[k / 2])) continue;
        suite_case("width %d, %d halvings", widths[k / 2], k % 2 ? 4 : 0);
        o.width = widths[k / 2], o.halvings = k % 2 ? 4 : 0, o.step = 12;
        suite_ok("create", lg_ensemble_create(&E, M, HALVED, &o));
        suite_ok("set", lg_ensemble_set_all(E, vary, NULL));
        int64_t seen[HALVED] = {0};
        for (int i = 0; i < HALVED; i++) seen[i] = 1;
        suite_ok("run", lg_ensemble_run(E, HALVED_STEPS, 1, count_steps, seen));
        for (int64_t i = 0; i < HALVED; i++) {
            lg_motion *mo, *copy;
            lg_motion_options p = lg_motion_options_default();
            suite_ok("parameter", vary(i, M, NULL, NULL));
            p.step = o.step, p.halvings = o.halvings;
            suite_ok("motion", lg_motion_create(&mo, M, &p));
            suite_ok("start", lg_motion_start(mo, 0, NULL, 0));
            const lg_status status = lg_motion_step(mo, HALVED_STEPS);
            suite_status("an instance is as a motion", lg_ensemble_status(E, i), status);
            retired += status != LG_OK;
            if (status == LG_OK) {
                suite_ok("instance", lg_ensemble_motion(&copy, E, i));
                suite_ok("row", lg_motion_row(mo, alone));
                suite_ok("row", lg_motion_row(copy, row));
                suite_same_bits("row", row, alone, columns);
                lg_motion_destroy(copy);
            }
            lg_motion_destroy(mo);
        }
        if ((retired > 0) != (k % 2 == 0)) suite_fail("%d of %d instances are retired", retired, HALVED);
        suite_ok("I11", lg_model_set(M, "I11", 1));
        lg_ensemble_destroy(E);
    }
    lg_model_destroy(M);
}

int main(void)
{
    suite_begin("ensemble halvings");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_halvings)};
    return cmocka_run_group_tests_name("ensemble halvings", tests, NULL, NULL);
}
