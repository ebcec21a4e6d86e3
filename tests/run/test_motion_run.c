/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_run() and the columns of a mechanism: a run is the steps of a motion, its rows are its readings, its
 * figures are those of its states, its accuracy is measured; rows start motions; refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/run/run.h>

#include "support/mechanisms.h"

typedef struct exhibit {
    lg_mechanism *m;
    lg_motion *mo;
    lg_model *c;
    int i;
} exhibit;

static exhibit open_exhibit(const char *name, const char *method, double step)
{
    exhibit e = {NULL, NULL, NULL, lg_gallery_index(name)};
    lg_motion_options o = lg_motion_options_default();
    o.method = method, o.step = step;
    mechanism_well(lg_gallery_create(&e.m, e.i), e.m);
    assert_int_equal(lg_model_of_mechanism(&e.c, e.m, NULL), LG_OK);
    motion_well(lg_motion_create(&e.mo, e.c, &o), e.mo);
    motion_well(lg_motion_start(e.mo, 0, NULL, 1), e.mo);
    return e;
}

static void close_exhibit(exhibit *e)
{
    lg_motion_destroy(e->mo);
    lg_model_destroy(e->c);
    lg_mechanism_destroy(e->m);
}

/* Rows ------------------------------------------------------------------------------------------------------------ */

typedef struct seen {
    lg_motion *mo; /* makes the same steps */
    const lg_model *c;
    double *row;
    int64_t every, rows;
} seen;

static int compare_row(const double *row, int columns, void *context)
{
    seen *s = context;
    if (s->rows++ > 0) motion_well(lg_motion_step(s->mo, s->every), s->mo);
    assert_int_equal(columns, lg_model_column_count(s->c));
    assert_int_equal(lg_motion_row(s->mo, s->row), LG_OK);
    assert_memory_equal(row, s->row, (size_t)columns * sizeof *row);
    return 0;
}

static double value(const exhibit *e, const double *row, const char *name)
{
    const int i = lg_model_column_find(e->c, name);
    if (i < 0) fail_msg("there is no column %s", name);
    return row[i];
}

/* The whole gallery: a run's rows are those of a motion that is stepped by hand, bit for bit. */
static void rows(void **unused)
{
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++) {
        suite_case("%s", lg_gallery_name(i));
        exhibit e = open_exhibit(lg_gallery_name(i), NULL, 0), own = open_exhibit(lg_gallery_name(i), NULL, 0);
        lg_run_options o = lg_run_options_default();
        lg_run_result f = lg_run_result_default();
        seen s = {own.mo, own.c, calloc((size_t)lg_model_column_count(own.c), sizeof(double)), 3, 0};
        o.steps = 21, o.every = 3, o.row = compare_row, o.row_context = &s;
        assert_int_equal(lg_run(e.mo, &f, &o), LG_OK);
        assert_int_equal(s.rows, 8);
        assert_int_equal(f.steps, 21);
        suite_near1("time", f.time, 21 * lg_gallery_step(i), 1e-13, 1);
        suite_below("balance", f.balance, 1e-10);
        suite_below("gap", f.holonomic, 1e-12);
        suite_below("slip", f.constraint, 1e-11);
        suite_near1("work", f.work, lg_motion_work(e.mo), 1e-13, 1);
        suite_below("resolution", f.resolution, 0.03);
        free(s.row);
        close_exhibit(&own);
        close_exhibit(&e);
    }
}

static void columns(void **unused)
{
    (void)unused;
    exhibit e = open_exhibit("bicycle", NULL, 0);
    double *row = calloc((size_t)lg_model_column_count(e.c), sizeof *row), pose[7], twist[6], q;
    motion_well(lg_motion_step(e.mo, 7), e.mo);
    assert_int_equal(lg_motion_row(e.mo, row), LG_OK);
    assert_int_equal((int)value(&e, row, "step"), 7);
    motion_well(lg_motion_body_pose(e.mo, pose, 0), e.mo);
    motion_well(lg_motion_body_twist(e.mo, twist, 0), e.mo);
    motion_well(lg_motion_joint(e.mo, &q, NULL, lg_mechanism_joint(e.m, "steer")), e.mo);
    suite_near1("frame_y", value(&e, row, "frame_y"), pose[1], 0, 1);
    suite_near1("frame_qw", value(&e, row, "frame_qw"), pose[6], 0, 1);
    suite_near1("frame_vx", value(&e, row, "frame_vx"), twist[0], 1e-14, 1);
    suite_near1("steer", value(&e, row, "steer"), q, 0, 1);
    suite_near1("energy", value(&e, row, "energy"), lg_motion_energy(e.mo), 0, 1);
    assert_string_equal(lg_model_column(e.c, lg_model_column_find(e.c, "steer_vel"))->unit, "rad/s");
    assert_int_equal(lg_model_column_find(e.c, "saddle"), -1);
    assert_null(lg_model_column(e.c, -1));
    assert_null(lg_model_column(e.c, lg_model_column_count(e.c)));
    for (int i = 0; i < lg_model_column_count(e.c); i++) {
        assert_int_equal(lg_model_column_find(e.c, lg_model_column(e.c, i)->name), i);
        suite_above("words", (double)strlen(lg_model_column(e.c, i)->meaning), 3);
    }
    free(row);
    close_exhibit(&e);
}

/* Names of joints that are those of other columns. */
static void names(void **unused)
{
    static const double origin[3] = {0, 0, 0}, far[3] = {1, 0, 0}, farther[3] = {2, 0, 0}, axis[3] = {0, 1, 0};
    lg_mechanism *m;
    lg_model *c;
    (void)unused;
    mechanism_well(lg_mechanism_create(&m), m);
    mechanism_add_body(m, "a", 0.5, 0, 0);
    mechanism_add_body(m, "b", 1.5, 0, 0);
    mechanism_add_body(m, "c", 2.5, 0, 0);
    mechanism_add_joint(m, "t", LG_JOINT_REVOLUTE, NULL, "a", origin, axis);
    mechanism_add_joint(m, "t_vel", LG_JOINT_UNIVERSAL, "a", "b", far, axis);
    mechanism_add_joint(m, "energy", LG_JOINT_SPHERICAL, "b", "c", farther, axis);
    assert_int_equal(lg_model_of_mechanism(&c, m, NULL), LG_ERROR_ARGUMENT);
    suite_contains("not compiled", lg_model_message(c), "lg_mechanism_compile()");
    lg_model_destroy(c);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_model_of_mechanism(&c, m, NULL), LG_OK);
    static const char *const expected[] = {
        "step",     "t",     "t_2",         "t_vel_1",     "t_vel_2",      "energy_1",     "energy_2",
        "energy_3", "t_vel", "t_vel_vel_1", "t_vel_vel_2", "energy_vel_1", "energy_vel_2", "energy_vel_3",
        "energy",   "work",  "dampers",     "friction",    "gap",          "slip"};
    assert_int_equal(lg_model_column_count(c), (int)(sizeof expected / sizeof expected[0]));
    for (int i = 0; i < lg_model_column_count(c); i++) assert_string_equal(lg_model_column(c, i)->name, expected[i]);
    lg_model_destroy(c);
    lg_mechanism_destroy(m);
}

/* Starting -------------------------------------------------------------------------------------------------------- */

static double *blank_row(const exhibit *e)
{
    const int count = lg_model_column_count(e->c);
    double *row = malloc((size_t)count * sizeof *row);
    for (int i = 0; i < count; i++) row[i] = (double)NAN;
    return row;
}

static void set(const exhibit *e, double *row, const char *name, double x)
{
    row[lg_model_column_find(e->c, name)] = x;
}

/* A row of a motion starts another in the same state. */
static void starts(void **unused)
{
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++) {
        suite_case("%s", lg_gallery_name(i));
        exhibit e = open_exhibit(lg_gallery_name(i), NULL, 0), own = open_exhibit(lg_gallery_name(i), NULL, 0);
        const int count = lg_model_column_count(e.c), last = lg_model_column_find(e.c, "energy");
        double *row = calloc(2 * (size_t)count, sizeof *row);
        motion_well(lg_motion_step(e.mo, 5), e.mo);
        assert_int_equal(lg_motion_row(e.mo, row), LG_OK);
        motion_well(lg_motion_start(own.mo, 0, row, 1), own.mo);
        assert_int_equal(lg_motion_row(own.mo, row + count), LG_OK);
        for (int k = 2; k <= last; k++)
            if (!column_is_past(lg_model_column(e.c, k)->name))
                suite_near1(lg_model_column(e.c, k)->name, row[count + k], row[k], 1e-11, fmax(1, fabs(row[k])));
        free(row);
        close_exhibit(&own);
        close_exhibit(&e);
    }
}

static void projection(void **unused)
{
    (void)unused;
    exhibit e = open_exhibit("four-bar", NULL, 0);
    double *row = blank_row(&e), v;
    set(&e, row, "a", 0.3);
    assert_int_equal(lg_motion_start(e.mo, 0, row, 0), LG_ERROR_INCONSISTENT);
    assert_non_null(strstr(lg_motion_message(e.mo), "joint 'd' is open"));
    motion_well(lg_gallery_start(e.mo, e.i), e.mo);
    motion_well(lg_motion_start(e.mo, 0, row, 1), e.mo);
    suite_below("gap", lg_motion_gap(e.mo), 1e-14);
    motion_well(lg_gallery_start(e.mo, e.i), e.mo);
    set(&e, row, "a", (double)NAN), set(&e, row, "a_vel", 5);
    assert_int_equal(lg_motion_start(e.mo, 0, row, 0), LG_ERROR_INCONSISTENT);
    free(row);
    close_exhibit(&e);
    /* positions that satisfy everything, velocities that were not given: those are projected */
    e = open_exhibit("bicycle", NULL, 0);
    row = blank_row(&e);
    set(&e, row, "frame_x", 5), set(&e, row, "rear axle", 1);
    motion_well(lg_motion_start(e.mo, 0, row, 0), e.mo);
    motion_well(lg_motion_joint(e.mo, NULL, &v, lg_mechanism_joint(e.m, "rear axle")), e.mo);
    suite_near1("rear axle_vel", v, 4.6 / 0.3, 0.05, 15);
    free(row);
    close_exhibit(&e);
}

static void quaternions(void **unused)
{
    double pose[7];
    (void)unused;
    exhibit e = open_exhibit("bicycle", NULL, 0);
    double *row = blank_row(&e);
    set(&e, row, "frame_qz", 0.6);
    motion_well(lg_motion_start(e.mo, 0, row, 1), e.mo);
    motion_well(lg_motion_body_pose(e.mo, pose, 0), e.mo);
    suite_near1("qz", pose[5], 0.6, 1e-12, 1);
    suite_near1("qw", pose[6], 0.8, 1e-12, 1);
    set(&e, row, "frame_qz", 1.2);
    assert_int_equal(lg_motion_start(e.mo, 0, row, 1), LG_ERROR_ARGUMENT);
    assert_non_null(strstr(lg_motion_message(e.mo), "'frame'"));
    free(row);
    close_exhibit(&e);
}

/* Runs ------------------------------------------------------------------------------------------------------------ */

/* The reported error compared with the true one, from a run with a step that is sixteen times smaller. */
static void accuracy(void **unused)
{
    static const char *const methods[] = {"sem", "sem@suzuki4"};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        suite_case("%s", methods[k]);
        exhibit e = open_exhibit("double-pendulum", methods[k], 0.005),
                fine = open_exhibit("double-pendulum", methods[k], 0.005 / 16);
        lg_run_options o = lg_run_options_default();
        lg_run_result f = lg_run_result_default();
        double a[7], b[7], position = 0;
        o.steps = 100;
        assert_int_equal(lg_run(e.mo, &f, &o), LG_OK);
        motion_well(lg_motion_step(fine.mo, 1600), fine.mo);
        for (int body = 0; body < 2; body++) {
            motion_well(lg_motion_body_pose(e.mo, a, body), e.mo);
            motion_well(lg_motion_body_pose(fine.mo, b, body), fine.mo);
            for (int i = 0; i < 3; i++) position = hypot(position, a[i] - b[i]);
        }
        assert_int_equal(f.error_steps, 100);
        suite_above("error", f.error_position, 0.7 * position);
        suite_below("error", f.error_position, 3 * position);
        assert_int_equal(f.resolved, 1);
        close_exhibit(&fine);
        close_exhibit(&e);
    }
    exhibit coarse = open_exhibit("double-pendulum", "sem", 0.12);
    lg_run_options o = lg_run_options_default();
    lg_run_result f = lg_run_result_default();
    o.steps = 30;
    assert_int_equal(lg_run(coarse.mo, &f, &o), LG_OK);
    assert_int_equal(f.resolved, 0);
    lg_resolution r = lg_resolution_default();
    assert_int_equal(lg_motion_resolution(coarse.mo, &r, 4), LG_OK);
    assert_int_equal(r.samples, 4);
    assert_int_equal(lg_motion_resolution(coarse.mo, &r, 0), LG_ERROR_ARGUMENT);
    close_exhibit(&coarse);
}

static int regulate(const lg_motion *mo, double *u, void *context)
{
    int *calls = context;
    u[0] = 0.02 * lg_motion_time(mo);
    return (*calls)++ == 50;
}

static int stop_at_third(const lg_motion *mo, void *context)
{
    (void)context;
    return lg_motion_time(mo) > 0.012;
}

static void callbacks(void **unused)
{
    (void)unused;
    exhibit e = open_exhibit("furuta", NULL, 0);
    lg_run_options o = lg_run_options_default();
    lg_run_result f = lg_run_result_default();
    int calls = 0;
    o.steps = 40, o.control = regulate, o.control_context = &calls;
    assert_int_equal(lg_run(e.mo, &f, &o), LG_OK);
    assert_int_equal(calls, 41); /* the last row has a control too */
    suite_near1("work of the motor and the dampers", f.energy_high - f.energy_first, f.work, 1, 1);
    suite_below("balance", f.balance, 1e-14);
    assert_int_equal(lg_run(e.mo, &f, &o), LG_ERROR_CALLBACK);
    assert_int_equal(f.steps, 9);
    assert_non_null(strstr(f.message, "callback returned 1"));
    o.control = NULL, o.observe = stop_at_third;
    motion_well(lg_gallery_start(e.mo, e.i), e.mo);
    assert_int_equal(lg_run(e.mo, &f, &o), LG_OK);
    assert_int_equal(f.steps, 3);
    assert_int_equal(f.interrupted, 1);
    close_exhibit(&e);
}

static void files(void **unused)
{
    char name[] = "/tmp/liegrp-motion-XXXXXX", line[512];
    const int descriptor = mkstemp(name);
    int lines = 0;
    (void)unused;
    assert_true(descriptor >= 0);
    exhibit e = open_exhibit("furuta", NULL, 0);
    lg_run_options o = lg_run_options_default();
    lg_run_result f = lg_run_result_default();
    o.steps = 10, o.output = name;
    assert_int_equal(lg_run(e.mo, &f, &o), LG_OK);
    FILE *file = fopen(name, "r");
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(
        line, "step,t,turn,swing,turn_vel,swing_vel,turn_tau,energy,work,motors,servos,dampers,friction,gap,slip\n");
    while (fgets(line, sizeof line, file) != NULL) lines++;
    assert_int_equal(lines, 11);
    (void)fclose(file);
    o.output = "/nowhere/at/all.csv";
    assert_int_equal(lg_run(e.mo, &f, &o), LG_ERROR_IO);
    (void)close(descriptor);
    (void)unlink(name);
    close_exhibit(&e);
}

static void refusals(void **unused)
{
    (void)unused;
    exhibit e = open_exhibit("furuta", NULL, 0);
    lg_run_options o = lg_run_options_default();
    lg_run_result f = lg_run_result_default();
    assert_int_equal(lg_run(NULL, &f, &o), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_run(e.mo, NULL, &o), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_run(e.mo, &f, NULL), LG_ERROR_ARGUMENT);
    o.steps = -1;
    assert_int_equal(lg_run(e.mo, &f, &o), LG_ERROR_ARGUMENT);
    assert_non_null(strstr(f.message, "the number of steps"));
    o.steps = 1, o.every = 0;
    assert_int_equal(lg_run(e.mo, &f, &o), LG_ERROR_ARGUMENT);
    o.every = 1, o.accuracy = 2;
    assert_int_equal(lg_run(e.mo, &f, &o), LG_ERROR_ARGUMENT);
    o.accuracy = 1, o.format = 7;
    assert_int_equal(lg_run(e.mo, &f, &o), LG_ERROR_ARGUMENT);
    o.format = LG_FORMAT_CSV, o.size = 3;
    assert_int_equal(lg_run(e.mo, &f, &o), LG_ERROR_ARGUMENT);
    o = lg_run_options_default();
    lg_motion *fresh;
    motion_well(motion_create(&fresh, e.m, NULL, 0.01), fresh);
    assert_int_equal(lg_run(fresh, &f, &o), LG_ERROR_ARGUMENT);
    assert_non_null(strstr(f.message, "not started"));
    lg_motion_destroy(fresh);
    close_exhibit(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),     cmocka_unit_test(columns),    cmocka_unit_test(names),
        cmocka_unit_test(starts),   cmocka_unit_test(projection), cmocka_unit_test(quaternions),
        cmocka_unit_test(accuracy), cmocka_unit_test(callbacks),  cmocka_unit_test(files),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
