/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of motions, for joints of every kind. */
#include <math.h>

#include "run/model_private.h"
#include "run/motion_columns.h"
#include "support/mechanisms.h"
#include "support/suite.h"

/* Two bodies whose only joint is of each kind in turn: every column has a unit and a meaning, a row read back is the
 * same. */
static void test_columns_of_joints(void **state)
{
    (void)state;
    static const lg_joint_kind kinds[] = {LG_JOINT_REVOLUTE,  LG_JOINT_PRISMATIC, LG_JOINT_CYLINDRICAL,
                                          LG_JOINT_UNIVERSAL, LG_JOINT_SPHERICAL, LG_JOINT_PLANAR,
                                          LG_JOINT_FREE};
    static const char *const units[] = {"rad", "m", "m", "rad", "rad", "m", "m"};
    static const double origin[3] = {0, 0, 0}, between[3] = {0.6, 0, 0}, axis[3] = {0, 0, 1};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        lg_mechanism *m = NULL;
        lg_motion *mo = NULL;
        lg_model *c = NULL;
        double row[64], again[64];
        suite_case("joint of kind %d", (int)k);
        suite_ok("mechanism", lg_mechanism_create(&m));
        mechanism_add_body(m, "a", 0.3, 0, 0);
        mechanism_add_body(m, "b", 0.9, 0, 0);
        mechanism_add_joint(m, "hinge", LG_JOINT_REVOLUTE, NULL, "a", origin, axis);
        mechanism_add_joint(m, "joint", kinds[k], "a", "b", between, axis);
        mechanism_well(lg_mechanism_compile(m), m);
        suite_ok("columns", lg_model_of_mechanism(&c, m, NULL));
        motion_well(lg_motion_create(&mo, c, NULL), mo);
        suite_status("before the start", lg_motion_row(mo, row), LG_ERROR_ARGUMENT);
        motion_well(lg_motion_start(mo, 0, NULL, 0), mo);
        const int count = lg_model_column_count(c);
        for (int i = 0; i < count; i++) {
            if (lg_model_column(c, i)->unit == NULL || lg_model_column(c, i)->meaning[0] == '\0')
                suite_fail("column %s", lg_model_column(c, i)->name);
            assert_int_equal(lg_model_column_find(c, lg_model_column(c, i)->name), i);
        }
        assert_null(lg_model_column(c, -1));
        assert_null(lg_model_column(c, count));
        assert_null(lg_model_column(c, count));
        assert_int_equal(lg_model_column_find(c, "nothing"), -1);
        assert_int_equal(lg_model_column_find(c, NULL), -1);
        int at = lg_model_column_find(c, "joint");
        if (at < 0) at = lg_model_column_find(c, "joint_1");
        if (at < 0) at = lg_model_column_find(c, "b_x"); /* a free joint's columns are its body's */
        assert_true(at >= 0);
        assert_string_equal(lg_model_column(c, at)->unit, units[k]);
        suite_ok("row", lg_motion_row(mo, row));
        motion_well(lg_motion_start(mo, 0, row, 0), mo);
        suite_ok("row", lg_motion_row(mo, again));
        suite_near("row", again, row, count, 1e-12, 1);
        suite_status("no row", lg_motion_row(mo, NULL), LG_ERROR_ARGUMENT);
        suite_status("no motion", lg_motion_row(NULL, row), LG_ERROR_ARGUMENT);
        suite_status("no motion", lg_motion_start(NULL, 0, row, 0), LG_ERROR_ARGUMENT);
        lg_motion_destroy(mo);
        lg_model_destroy(c);
        lg_mechanism_destroy(m);
    }
}

/* A motor pushes a joint that slides and turns one that turns. */
static void test_columns_of_motors(void **state)
{
    (void)state;
    static const double origin[3] = {0, 0, 0}, axis[3] = {0, 0, 1};
    for (int slides = 0; slides < 2; slides++) {
        lg_mechanism *m = NULL;
        lg_model *c = NULL;
        const lg_motor motor = lg_motor_default("drive", "joint");
        suite_case("a joint that %s", slides ? "slides" : "turns");
        suite_ok("mechanism", lg_mechanism_create(&m));
        mechanism_add_body(m, "a", 0.3, 0, 0);
        mechanism_add_joint(m, "joint", slides ? LG_JOINT_PRISMATIC : LG_JOINT_REVOLUTE, NULL, "a", origin, axis);
        mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
        mechanism_well(lg_mechanism_compile(m), m);
        suite_ok("columns", lg_model_of_mechanism(&c, m, NULL));
        const int at = lg_model_column_find(c, "joint_tau");
        assert_true(at >= 0);
        assert_string_equal(lg_model_column(c, at)->unit, slides ? "N" : "N m");
        suite_contains("meaning", lg_model_column(c, at)->meaning,
                       slides ? "force of motor drive" : "torque of motor drive");
        lg_model_destroy(c);
        lg_mechanism_destroy(m);
    }
}

/* A row of a floating body places a motion; quaternions that are not unit and rows without a number are refused. */
static void test_rows_that_place(void **state)
{
    (void)state;
    lg_mechanism *m = NULL, *other = NULL;
    lg_motion *mo = NULL;
    lg_model *c = NULL, *its = NULL;
    double row[64], again[64];
    suite_case("a body that floats");
    suite_ok("mechanism", lg_mechanism_create(&m));
    mechanism_add_body(m, "a", 0.3, 0.1, 0);
    mechanism_well(lg_mechanism_compile(m), m);
    suite_ok("columns", lg_model_of_mechanism(&c, m, NULL));
    motion_well(lg_motion_create(&mo, c, NULL), mo);
    motion_well(lg_motion_start(mo, 0, NULL, 0), mo);
    suite_ok("row", lg_motion_row(mo, row));
    const int x = lg_model_column_find(c, "a_x"), w = lg_model_column_find(c, "a_qw");
    assert_true(x >= 0 && w >= 3);
    row[1] = 0.5, row[x] = 2, row[w] = 0.6, row[w - 1] = 0.8;
    motion_well(lg_motion_columns_place(c->bodies, mo->bodies, row), mo);
    suite_ok("row", lg_motion_row(mo, again));
    suite_near("row", again + 1, row + 1, w, 1e-12, 1);
    for (int i = 0; i < 4; i++) row[w - 3 + i] = NAN;
    row[w - 1] = 0.28; /* the others keep the proportions of the default, 0, 0, 0, 1 */
    motion_well(lg_motion_start(mo, 0, row, 0), mo);
    suite_ok("row", lg_motion_row(mo, again));
    suite_near1("w", again[w], 0.96, 1e-12, 1);
    suite_near1("z", again[w - 1], 0.28, 1e-12, 1);
    suite_status("no number", lg_motion_columns_place(c->bodies, mo->bodies, row), LG_ERROR_ARGUMENT);
    suite_contains("no number", lg_motion_message(mo), "'a_qx' is not finite");
    for (int i = 0; i < 4; i++) row[w - 3 + i] = 0.1;
    suite_status("short", lg_motion_columns_place(c->bodies, mo->bodies, row), LG_ERROR_ARGUMENT);
    suite_status("short", lg_motion_start(mo, 0, row, 0), LG_ERROR_ARGUMENT);
    row[w] = 1.1, row[w - 1] = row[w - 2] = row[w - 3] = NAN;
    suite_status("long", lg_motion_start(mo, 0, row, 0), LG_ERROR_ARGUMENT);
    suite_contains("long", lg_motion_message(mo), "the quaternion of body 'a' does not have length 1");
    row[w] = 0.5; /* and nothing left to scale */
    suite_status("alone", lg_motion_start(mo, 0, row, 0), LG_ERROR_ARGUMENT);
    suite_ok("other", lg_mechanism_create(&other));
    mechanism_add_body(other, "a", 0.3, 0.1, 0);
    mechanism_well(lg_mechanism_compile(other), other);
    suite_ok("columns", lg_model_of_mechanism(&its, other, NULL));
    suite_status("another mechanism", lg_motion_columns_place(its->bodies, mo->bodies, row), LG_ERROR_ARGUMENT);
    suite_contains("another mechanism", lg_motion_message(mo), "of another mechanism");
    lg_motion_destroy(mo);
    lg_model_destroy(its);
    lg_model_destroy(c);
    lg_mechanism_destroy(m);
    lg_mechanism_destroy(other);
}

int main(void)
{
    suite_begin("columns of motions");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns_of_joints),
                                       cmocka_unit_test(test_columns_of_motors),
                                       cmocka_unit_test(test_rows_that_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
