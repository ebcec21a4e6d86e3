/* SPDX-License-Identifier: BSD-3-Clause */
/* MJCF: motors and servos, hinges of one body with numbers of their own, equality, against states of MuJoCo and what
 * elements mean. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/groups/se3.h>

#include "support/mechanisms.h"

#define INERTIAL "<inertial pos='0 0 0.1' mass='1' diaginertia='0.1 0.1 0.1'/>"

static lg_motion *started(lg_mechanism *m, const char *method, double h, const double *q)
{
    lg_motion *mo = NULL;
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, q, NULL, 1), mo);
    return mo;
}

/* ---- motors ---- */

static const char file[] =
    "<mujoco><worldbody><body name=\"arm\" pos=\"0 0 1\"><inertial mass=\"1\" pos=\"0 0 -0.3\" "
    "diaginertia=\"0.03 0.03 0.002\"/><joint axis=\"0 1 0\" name=\"j\"/></body></worldbody><actuator>%s</actuator>"
    "</mujoco>";

/* MuJoCo 3.14, RK4 with steps of 1e-4, at t = 1 from q = 0.3. */
static void motors_as_mujocos(void **unused)
{
    static const struct {
        const char *motor;
        double control, q, v;
    } cases[] = {
        {"<position joint=\"j\" name=\"s\" kp=\"20\" kv=\"2\"/>", 0, -0.00005182780447955259, 0.0012490725866262458},
        {"<position joint=\"j\" name=\"s\" kp=\"20\" kv=\"2\"/>", 0.5, 0.43766493425031283, -0.0005707323881884945},
        {"<velocity joint=\"j\" name=\"s\" kv=\"2\"/>", 0, 0.06648189862893085, -0.10832261142783396},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        double to[2];
        const double q = 0.3;
        suite_case("%s, %g", cases[i].motor, cases[i].control);
        (void)snprintf(text, sizeof text, file, cases[i].motor);
        lg_mechanism *m = mechanism_of_text(text, NULL);
        suite_near1("remarks", lg_mechanism_remark_count(m), 0, 0, 1);
        lg_motion *mo = started(m, "gauss", 0.02, &q);
        motion_well(lg_motion_set_control(mo, &cases[i].control), mo);
        motion_well(lg_motion_step(mo, 50), mo);
        suite_ok("joint", lg_motion_joint(mo, &to[0], &to[1], 0));
        suite_near1("q", to[0], cases[i].q, 1e-10, 1);
        suite_near1("v", to[1], cases[i].v, 1e-10, 1);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* Attributes of the file become those of the motor. */
static void attributes(void **unused)
{
    static const struct {
        const char *motor;
        double ratio, kp, kv, lower, upper;
    } cases[] = {
        {"<position joint=\"j\"/>", 1, 1, 0, -INFINITY, INFINITY},
        {"<position joint=\"j\" kp=\"3\" gear=\"-2\" forcerange=\"-1 4\"/>", -2, 3, 0, -1, 4},
        {"<position joint=\"j\" forcerange=\"-1 4\" forcelimited=\"false\"/>", 1, 1, 0, -INFINITY, INFINITY},
        {"<velocity joint=\"j\"/>", 1, 0, 1, -INFINITY, INFINITY},
        {"<velocity joint=\"j\" kv=\"3\" forcerange=\"-2 2\"/>", 1, 0, 3, -2, 2},
        {"<motor joint=\"j\" ctrlrange=\"-1 1\"/>", 1, 0, 0, -1, 1},
        {"<motor joint=\"j\" ctrlrange=\"-1 1\" forcerange=\"-2 0.5\"/>", 1, 0, 0, -1, 0.5},
        {"<position joint=\"j\" ctrlrange=\"-1 1\"/>", 1, 1, 0, -INFINITY, INFINITY},
        {"<general joint=\"j\"/>", 1, 0, 0, -INFINITY, INFINITY},
        {"<general joint=\"j\" gainprm=\"5\" gear=\"2\" ctrlrange=\"-1 3\"/>", 10, 0, 0, -1, 3},
        {"<general joint=\"j\" gainprm=\"-5\" forcerange=\"-10 20\"/>", -5, 0, 0, -4, 2},
        {"<general joint=\"j\" gainprm=\"7\" biastype=\"affine\" biasprm=\"0 -7 -0.5\" forcerange=\"-1 2\"/>", 1, 7,
         0.5, -1, 2},
        {"<general joint=\"j\" gainprm=\"0.5\" biastype=\"affine\" biasprm=\"0 -100 -10\"/>", 1, 100, 10, -INFINITY,
         INFINITY},
        {"<general joint=\"j\" gainprm=\"7\" biastype=\"affine\" biasprm=\"0 0 -7\"/>", 1, 0, 7, -INFINITY, INFINITY},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        lg_motor d = lg_motor_default(NULL, NULL);
        suite_case("%s", cases[i].motor);
        (void)snprintf(text, sizeof text, file, cases[i].motor);
        lg_mechanism *m = mechanism_of_text(text, NULL);
        mechanism_well(lg_mechanism_read_motor(m, &d, 0), m);
        const double read[] = {d.ratio, d.position_gain, d.velocity_gain, d.lower, d.upper};
        for (int k = 0; k < 5; k++) assert_true(read[k] == (&cases[i].ratio)[k]);
        assert_true(d.control_gain == (strstr(cases[i].motor, "\"0.5\" bias") != NULL ? 0.5 : 0));
        suite_near1("remarks", lg_mechanism_remark_count(m), 0, 0, 1);
        lg_mechanism_destroy(m);
    }
}

/* A range of the force of all actuators on a joint is one of its only motor; a ratio turns it. */
static void joint_force_ranges(void **unused)
{
    static const char ranged[] =
        "<mujoco><worldbody><body name='p'>" INERTIAL "<joint name='a' axis='0 1 0' "
        "actuatorfrcrange='-2 3'/><joint name='b' axis='1 0 0' actuatorfrcrange='-1 1'/></body>"
        "</worldbody><actuator>%s</actuator></mujoco>";
    static const char *const names[] = {"actuatorfrcrange", NULL};
    lg_mechanism_file ignoring = lg_mechanism_file_default();
    lg_motor d = lg_motor_default(NULL, NULL);
    char text[1024];
    (void)unused;
    ignoring.ignore = names;
    (void)snprintf(text, sizeof text, ranged, "<motor joint='a' gear='-2' forcerange='-9 0.5'/>");
    lg_mechanism *m = mechanism_of_text(text, NULL);
    mechanism_well(lg_mechanism_read_motor(m, &d, 0), m);
    assert_true(d.lower == -1.5 && d.upper == 0.5);
    lg_mechanism_destroy(m);
    m = mechanism_of_text(text, &ignoring);
    mechanism_well(lg_mechanism_read_motor(m, &d, 0), m);
    assert_true(d.lower == -9 && d.upper == 0.5);
    assert_true(mechanism_remarked(m, "actuatorfrcrange of <joint> is ignored, as you ask"));
    lg_mechanism_destroy(m);
    (void)snprintf(text, sizeof text, ranged, "<motor joint='b'/><position joint='b' kp='2'/>");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, text, "actuatorfrcrange of joint 'b': a limit of the sum of several");
    (void)snprintf(text, sizeof text, ranged, "<motor joint='a' forcerange='4 5'/>");
    mechanism_rejected(LG_ERROR_ARGUMENT, text, "actuatorfrcrange of joint 'a', -2 to 3, leaves its actuator no force");
}

/* ---- hinges ---- */

/* Two hinges of one body with numbers of their own, and a motor on the second: MuJoCo 3.14, RK4 with steps of 1e-4. */
static void hinges_as_mujocos(void **unused)
{
    static const char text[] =
        "<mujoco><worldbody><body name='p' pos='0 0 1'><inertial mass='1' pos='0 0 -0.3' diaginertia='0.03 0.03 0.002'/>"
        "<joint axis='1 0 0' name='a' damping='0.3'/><joint axis='0 1 0' name='b' damping='0.2' stiffness='2' "
        "range='-20 40'/></body></worldbody><actuator><motor joint='b' name='push'/></actuator></mujoco>";
    static const double q[2] = {0.4, -0.3},
                        right[4] = {-0.0234639328924274, -0.1281831241779459, 0.5811239453280208, 0.05377791026550696};
    (void)unused;
    lg_mechanism *m = mechanism_of_text(text, NULL);
    double to[4];
    int joint;
    suite_near1("remarks", lg_mechanism_remark_count(m), 1, 0, 1);
    suite_contains("remark", lg_mechanism_remark(m, 0), "1 joint limit is watched, not enforced");
    lg_motion *mo = started(m, "gauss", 0.02, q);
    suite_near1("limit", lg_motion_limit(mo, &joint), -0.3 + 20 * acos(-1.) / 180, 1e-14, 1);
    motion_well(lg_motion_run_to(mo, 1), mo);
    suite_ok("positions", lg_motion_positions(mo, to, to + 2));
    suite_near("state", to, right, 4, 1e-10, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* ---- equality ---- */

/* q_a = c0 + ref_a + c1 (q_b - ref_b), weld and motor. */
static void equality(void **unused)
{
    (void)unused;
    lg_mechanism *m = mechanism_of_text("<mujoco><compiler angle='radian'/><worldbody>"
                                        "<body name='p'>" INERTIAL "<joint name='a' ref='0.2' axis='0 1 0'/></body>"
                                        "<body name='q' pos='0 1 0'>" INERTIAL
                                        "<joint name='b' ref='0.3' axis='0 1 0' armature='0.01'/></body>"
                                        "<body name='w' pos='0 1 1'>" INERTIAL "<freejoint/></body></worldbody>"
                                        "<equality><joint joint1='a' joint2='b' polycoef='0 -2 0 0 0'/>"
                                        "<weld body1='q' body2='w' relpose='0 0 1 1 0 0 0'/>"
                                        "<joint joint1='b' joint2='a' active='false'/></equality>"
                                        "<actuator><motor name='drive' joint='b' gear='50'/></actuator></mujoco>",
                                        NULL);
    lg_motion *mo = started(m, NULL, 0.005, NULL);
    double a, b, one[7], two[7], p[3];
    lg_joint with_rotor = lg_joint_default(NULL, LG_JOINT_REVOLUTE, NULL, NULL);
    lg_motor drive = lg_motor_default(NULL, NULL);
    suite_ok("joint", lg_mechanism_read_joint(m, &with_rotor, lg_mechanism_joint(m, "b")));
    suite_near1("armature", with_rotor.armature, 0.01, 0, 1);
    suite_ok("motor", lg_mechanism_read_motor(m, &drive, 0));
    suite_near1("ratio", drive.ratio, 50, 0, 1);
    assert_true(mechanism_remarked(m, "not active"));
    assert_string_equal(lg_mechanism_motor_name(m, 0), "drive");
    assert_int_equal(lg_mechanism_freedoms(m), 1);
    motion_well(lg_motion_set_control(mo, (const double[1]){3. / 50}), mo);
    motion_well(lg_motion_step(mo, 100), mo);
    motion_well(lg_motion_joint(mo, &a, NULL, lg_mechanism_joint(m, "a")), mo);
    motion_well(lg_motion_joint(mo, &b, NULL, lg_mechanism_joint(m, "b")), mo);
    suite_above("it moves", fabs(b - 0.3), 0.1);
    suite_near1("coupled", a - 0.2, -2 * (b - 0.3), 1e-14, 1);
    motion_well(lg_motion_body_pose(mo, one, lg_mechanism_body(m, "q")), mo);
    motion_well(lg_motion_body_pose(mo, two, lg_mechanism_body(m, "w")), mo);
    lg_se3_act(p, one, (const double[3]){0, 0, 1});
    suite_near("welded", two, p, 3, 1e-14, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* Constraints without a name that share a line. */
static void unnamed_in_one_line(void **unused)
{
    (void)unused;
    lg_mechanism *m =
        mechanism_of_text("<mujoco><worldbody><body name='p'>" INERTIAL "<joint name='a' axis='0 1 0'/></body>"
                          "<body name='q' pos='0 1 0'>" INERTIAL "<joint name='b' axis='0 1 0'/></body>"
                          "<body name='r' pos='0 2 0'>" INERTIAL "<joint name='c' axis='0 1 0'/></body></worldbody>"
                          "<equality><joint joint1='a' joint2='b'/><joint joint1='c' joint2='b'/></equality></mujoco>",
                          NULL);
    lg_gear g = lg_gear_default(NULL, NULL, NULL);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_mechanism_freedoms(m), 1);
    suite_ok("gear", lg_mechanism_read_gear(m, &g, 1));
    assert_string_equal(g.name, "joint1_2");
    lg_mechanism_destroy(m);
}

/* ref is where a joint starts, beyond half a turn too, and where three hinges have two ways to the same pose. The
 * springdamper of the first of these is MuJoCo's. */
static void starts_at_ref(void **unused)
{
    static const struct {
        const char *name;
        double start;
    } joints[] = {{"far", 5.5}, {"geared", 11}, {"a", 0.184}, {"b", 0}, {"c", -0.405}};
    lg_mechanism *m = mechanism_of_text(
        "<mujoco><compiler angle='radian'/><worldbody>"
        "<body><joint name='far' axis='0 1 0' ref='5.5' stiffness='2' springref='5.5'/>" INERTIAL "</body>"
        "<body pos='0 5 0'><joint name='geared' axis='0 1 0' ref='11'/>" INERTIAL "</body>"
        "<body pos='0.281 0.412 0.484' zaxis='0.556 0.081 -0.728'>"
        "<joint name='a' axis='0.271 0.831 0.485' ref='0.184' springdamper='0.333 1.822'/>"
        "<joint name='b' axis='0.212 0.702 0.373' damping='1.626'/>"
        "<joint name='c' axis='0.62 0.445 0.677' ref='-0.405' stiffness='0.179' damping='1.141'/>"
        "<geom type='cylinder' size='0.067 0.118' pos='0.294 -0.134 -0.048' zaxis='0.507 -0.056 -0.046'/></body>"
        "</worldbody><equality><joint joint1='geared' joint2='far' polycoef='0 2 0 0 0'/></equality></mujoco>",
        NULL);
    lg_motion *mo;
    lg_coordinate a = lg_coordinate_default(NULL, NULL);
    (void)unused;
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, 1e-3), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++) {
        double q[6];
        int position;
        const int j = lg_mechanism_joint_position(m, &position, joints[i].name);
        motion_well(lg_motion_joint(mo, q, NULL, j), mo);
        suite_near1(joints[i].name, q[position], joints[i].start, 1e-14, 10);
    }
    suite_ok("coordinate", lg_mechanism_read_coordinate(m, &a, 0));
    assert_string_equal(a.name, "a");
    suite_near1("stiffness", a.stiffness, 1.939644441395318e-05, 1e-9, 1.9e-5);
    suite_near1("damping", a.damping, 4.288378407447458e-05, 1e-9, 4.2e-5);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
    m = mechanism_of_text("<mujoco><worldbody><body><joint type='slide'/><joint axis='0 1 1' ref='30'/>"
                          "<joint type='slide'/>" INERTIAL "</body></worldbody></mujoco>",
                          NULL);
    suite_status("slides are parallel", lg_mechanism_compile(m), LG_ERROR_SINGULAR);
    suite_contains("message", lg_mechanism_message(m), "depend on each other where it is described");
    lg_mechanism_destroy(m);
}

/* Two actuators of one joint, and a body without a joint that stays a body: neither has a name. */
static void unnamed_parts(void **unused)
{
    static const char text[] =
        "<mujoco><worldbody><body name='p'>" INERTIAL
        "<joint name='a' axis='0 1 0'/><body name='tip' pos='0 0 1'>" INERTIAL
        "</body></body></worldbody><actuator><motor joint='a'/><motor joint='a' gear='2'/></actuator></mujoco>";
    lg_mechanism_file options = lg_mechanism_file_default();
    (void)unused;
    options.keep_fixed = 1;
    lg_mechanism *m = mechanism_of_text(text, &options);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_mechanism_body_count(m), 2);
    assert_string_equal(lg_mechanism_joint_name(m, 1), "tip");
    assert_string_equal(lg_mechanism_motor_name(m, 0), "a");
    assert_string_equal(lg_mechanism_motor_name(m, 1), "a_2");
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motors_as_mujocos), cmocka_unit_test(attributes),          cmocka_unit_test(hinges_as_mujocos),
        cmocka_unit_test(equality),          cmocka_unit_test(unnamed_in_one_line), cmocka_unit_test(starts_at_ref),
        cmocka_unit_test(unnamed_parts),     cmocka_unit_test(joint_force_ranges),
    };
    suite_begin("multibody/files_mjcf");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
