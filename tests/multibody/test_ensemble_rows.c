/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles of a mechanism: starts from rows and states, rows in observers, figures of the monitor, as of a motion
 * alone. */
#include <math.h>

#include <liegrp/base/width.h>
#include <liegrp/multibody/gallery.h>

#include "support/mechanisms.h"

enum { INSTANCES = 11, COLUMNS = 16 };

typedef struct rows {
    lg_model *M;
    double row[INSTANCES][COLUMNS];
} rows;

static lg_status begin_row(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    double row[COLUMNS];
    (void)context;
    assert_null(M);
    for (int k = 0; k < COLUMNS; k++) row[k] = (double)NAN;
    row[lg_model_column_find(lg_motion_model(mo), "elbow")] = 0.1 * (double)i;
    return lg_motion_start(mo, 0.2, row, 0);
}

static int keep_row(int64_t i, const lg_motion *mo, void *context)
{
    rows *r = context;
    return lg_motion_row(mo, r->row[i]) != LG_OK;
}

/* Instances 1 and 2 start where instance 4 is, by its state and by its row. */
static void start_again(lg_ensemble *E, int columns)
{
    double g[14], xi[12], row[3][COLUMNS];
    lg_motion *mo[3];
    suite_ok("motion", lg_ensemble_motion(&mo[0], E, 4));
    suite_ok("state", lg_motion_state(mo[0], g, xi, NULL));
    suite_ok("row", lg_motion_row(mo[0], row[0]));
    suite_ok("start", lg_ensemble_start_state(E, 1, 0.5, g, xi, 1));
    suite_ok("start", lg_ensemble_start(E, 2, 0.5, row[0], 1));
    suite_ok("run", lg_ensemble_run(E, 3, 1, NULL, NULL));
    for (int by = 1; by <= 2; by++) {
        motion_well(by == 1 ? lg_motion_start_state(mo[0], 0.5, g, xi, 1) : lg_motion_start(mo[0], 0.5, row[0], 1),
                    mo[0]);
        motion_well(lg_motion_step(mo[0], 3), mo[0]);
        suite_ok("motion", lg_ensemble_motion(&mo[by], E, by));
        suite_ok("row", lg_motion_row(mo[0], row[1]));
        suite_ok("row", lg_motion_row(mo[by], row[2]));
        suite_same_bits("instance", row[2], row[1], columns);
        lg_motion_destroy(mo[by]);
    }
    lg_motion_destroy(mo[0]);
}

/* Instances start from rows and are seen by their rows; the monitor has the extremes of what is seen. */
static void seen_by_rows(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    mechanism_well(lg_gallery_create(&m, 0), m);
    rows r = {.M = motion_model(m)};
    const int columns = lg_model_column_count(r.M);
    assert_in_range(columns, 1, COLUMNS);
    for (int width = 1; width <= lg_width_best(); width *= 2) {
        lg_ensemble_options o = lg_ensemble_options_default();
        lg_ensemble *E;
        o.width = width, o.threads = 1, o.monitor = 2, o.step = 0.01;
        suite_ok("create", lg_ensemble_create(&E, r.M, INSTANCES, &o));
        suite_ok("set all", lg_ensemble_set_all(E, begin_row, NULL));
        suite_ok("run", lg_ensemble_run(E, 9, 3, keep_row, &r));
        for (int64_t i = 0; i < INSTANCES; i++) {
            lg_ensemble_figures f, seen;
            double row[COLUMNS];
            lg_motion *mo;
            motion_well(motion_create(&mo, m, "sem", 0.01), mo);
            motion_well(begin_row(i, NULL, mo, NULL), mo);
            seen.energy_first = seen.energy_low = seen.energy_high = lg_motion_energy(mo);
            seen.constraint = fmax(lg_motion_gap(mo), lg_motion_slip(mo));
            for (int k = 1; k <= 9; k++) {
                motion_well(lg_motion_step(mo, 1), mo);
                if (k % 2 != 0) continue;
                seen.energy_low = fmin(seen.energy_low, lg_motion_energy(mo));
                seen.energy_high = fmax(seen.energy_high, lg_motion_energy(mo));
                seen.constraint = fmax(seen.constraint, fmax(lg_motion_gap(mo), lg_motion_slip(mo)));
            }
            suite_ok("row", lg_motion_row(mo, row));
            suite_same_bits("instance", r.row[i], row, columns);
            suite_ok("figures", lg_ensemble_read(E, &f, i));
            suite_same_bits("instance", &f.energy_first, &seen.energy_first, 4);
            lg_motion_destroy(mo);
        }
        start_again(E, columns);
        lg_ensemble_destroy(E);
    }
    lg_mechanism_destroy(m);
}

static void refused(lg_ensemble *E, const lg_mechanism *m, const char *method, double h, const char *words)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start(mo, 0, NULL, 0), mo);
    suite_status(words, lg_ensemble_set(E, 0, mo), LG_ERROR_ARGUMENT);
    suite_contains(words, lg_ensemble_message(E), words);
    lg_motion_destroy(mo);
}

static void motions_that_do_not_fit(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    lg_ensemble *E;
    lg_ensemble_options o = lg_ensemble_options_default();
    mechanism_well(lg_gallery_create(&m, 0), m);
    o.step = 0.01;
    suite_ok("create", lg_ensemble_create(&E, motion_model(m), 2, &o));
    refused(E, m, "sem", 0.02, "another method, step or solver");
    refused(E, m, "gni", 0.01, "mixed systems");
    lg_ensemble_destroy(E);
    lg_mechanism_destroy(m);
}

int main(void)
{
    suite_begin("rows of ensembles");
    const struct CMUnitTest tests[] = {cmocka_unit_test(seen_by_rows), cmocka_unit_test(motions_that_do_not_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
