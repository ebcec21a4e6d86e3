/* SPDX-License-Identifier: BSD-3-Clause */
/* <replicate> of MJCF: copies of copies, and of the elements that refer to them. Positions at t = 0.3 from rest are
 * MuJoCo's (3.14), by its RK4 with steps of 1e-4; so are names and orders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/files/reader.h"
#include "support/mechanisms.h"
#include "support/motions.h"

static const char nested[] =
    "<mujoco><default><geom density='500'/><default class='k'><geom density='900'/></default></default><worldbody>"
    "<body name='z'><joint name='k' axis='1 0 0'/><geom size='.1' pos='0 0.2 0'/></body>"
    "<replicate count='2' offset='1 0 0' euler='0 0 30' sep='-'><frame pos='0.1 0.2 0' euler='10 20 30'>"
    "<body name='a' pos='0 0.1 0'><joint name='i' axis='1 0 0.3'/><geom size='.1' pos='0 0.2 0.1'/>"
    "<replicate count='3' offset='0 1 0' euler='40 0 0' childclass='k'><frame pos='0 0 0.3' euler='0 50 0'>"
    "<body name='b' euler='0 0 20'><joint name='j' axis='0 1 0'/><geom size='.1' pos='0.2 0 0.1'/>"
    "<site name='s'/></body>"
    "<geom size='0.05' pos='0.1 0 0'/></frame></replicate></body></frame></replicate></worldbody>"
    "<actuator><motor joint='k' name='first'/><motor joint='j' name='m'/><motor joint='i' name='n'/>"
    "<motor joint='k' name='last'/></actuator><equality><joint joint1='i' joint2='k'/></equality>"
    "<sensor><jointpos name='p' joint='j'/><framepos name='q' objtype='site' objname='s'/></sensor></mujoco>";

static void as_mujoco(void **unused)
{
    static const char *const joints[] = {"k", "i-0", "j0-0", "j1-0", "j2-0", "i-1", "j0-1", "j1-1", "j2-1"},
                             *const motors[] = {"first", "last", "n-0",  "m0-0", "m1-0",
                                                "m2-0",  "n-1",  "m0-1", "m1-1", "m2-1"};
    static const double want[] = {-0.52262992788273,  -0.22399151522349797, 1.7502341570028714,
                                  1.165018526181988,  0.4437343638873356,   -0.22529533716396627,
                                  2.4780332541610792, 2.108381399897214,    1.452747137557667};
    static const double place[] = {-0.2096844300555234, 1.1251293989628555, 0.8528694644927339}; /* of q2-1 */
    (void)unused;
    double u[10], row[128];
    lg_motion *mo;
    lg_mechanism_file o = lg_mechanism_file_default();
    o.sensors = 1;
    lg_mechanism *m = mechanism_of_text(nested, &o);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_true(mechanism_remarked(m, "<joint> refers to what is copied and to what is not: it does not act"));
    assert_int_equal(lg_mechanism_gear_count(m), 0);
    for (int i = 0; i < 10; i++) {
        lg_motor motor = lg_motor_default(NULL, NULL);
        mechanism_well(lg_mechanism_read_motor(m, &motor, i), m);
        assert_string_equal(motor.name, motors[i]);
        u[i] = i + 1;
    }
    assert_int_equal(motion_create(&mo, m, "gauss:stages=4", 0.005), LG_OK);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    motion_well(lg_motion_set_control(mo, u), mo);
    motion_well(lg_motion_step(mo, 60), mo);
    for (int i = 0; i < 9; i++) {
        double q;
        motion_well(lg_motion_joint(mo, &q, NULL, lg_mechanism_joint(m, joints[i])), mo);
        suite_near1(joints[i], q, want[i], 1e-9, 1);
    }
    motion_well(lg_motion_row(mo, row), mo);
    suite_near("q2-1", row + lg_model_column_find(motion_model(m), "q2-1_x"), place, 3, 1e-9, 1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* A motor on a tendon of a copied joint belongs to the copy; a reference to one copy is one. */
static void through_tendons(void **unused)
{
    (void)unused;
    static const char text[] =
        "<mujoco><worldbody><replicate count='2' offset='1 0 0'><body name='a'><joint name='i'/>"
        "<geom size='.1'/></body>"
        "</replicate></worldbody><tendon><fixed name='t'><joint joint='i' coef='1'/></fixed></tendon>"
        "<actuator><motor joint='i1' name='one'/></actuator><sensor><jointpos name='s' joint='i0'/></sensor></mujoco>";
    lg_mechanism *m = mechanism_of_text(text, NULL);
    lg_motor motor = lg_motor_default(NULL, NULL);
    mechanism_well(lg_mechanism_read_motor(m, &motor, 0), m);
    assert_string_equal(motor.joint, "i1");
    assert_int_equal(lg_mechanism_motor_count(m), 1);
    assert_true(mechanism_remarked(m, "(2 times, first here)"));
    lg_mechanism_destroy(m);
}

/* Many copies, each with a search of many elements. */
static void bounds(void **unused)
{
    enum { MANY = 5000 };
    char *text = malloc(MANY * 128 + 1024);
    (void)unused;
    assert_non_null(text);
    char *at = text + sprintf(text, "<mujoco><worldbody>");
    for (int i = 0; i < MANY; i++)
        at += sprintf(at, "<replicate count='1'><body name='b%d'><joint/><geom size='1'/></body></replicate>", i);
    at += sprintf(at, "</worldbody><sensor>");
    for (int i = 0; i < MANY; i++) at += sprintf(at, "<gyro site='s'/>");
    (void)sprintf(at, "</sensor></mujoco>");
    mechanism_rejected(LG_ERROR_ARGUMENT, text, "too many copies, and elements that may refer to them");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_mujoco),
        cmocka_unit_test(through_tendons),
        cmocka_unit_test(bounds),
    };
    suite_begin("multibody/files_mjcf_copies");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
