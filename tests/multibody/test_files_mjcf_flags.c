/* SPDX-License-Identifier: BSD-3-Clause */
/* MJCF: flags that turn constraints off, conventions of Euler angles, masses without inertia, joints without names.
 * Positions at t = 0.3 from rest are MuJoCo's (3.14), by its RK4 with steps of 1e-4. */
#include "support/mechanisms.h"
#include "support/motions.h"

#define PAIR(flags)                                                                                                    \
    "<mujoco><option><flag " flags "/></option><worldbody><body name='a'><joint name='x' axis='1 0 0' "                \
    "frictionloss='0.3'/><inertial pos='0 0.2 0' mass='1' diaginertia='0.02 0.03 0.04'/></body>"                       \
    "<body name='c' pos='1 0 0'><joint name='y' axis='1 0 0'/><inertial pos='0 0.3 0.1' mass='1' "                     \
    "diaginertia='0.02 0.03 0.04'/></body></worldbody><equality><joint joint1='x' joint2='y'/></equality></mujoco>"
#define TURNED(sequence)                                                                                               \
    "<mujoco><compiler angle='radian' eulerseq='" sequence "'/><worldbody><body name='b' euler='0.3 0.5 0.7'>"         \
    "<joint name='x' axis='1 0.5 0'/><inertial pos='0.1 0 0.1' mass='2' diaginertia='1 0.9 0.8'/></body></worldbody>"  \
    "</mujoco>"

#define DRIVEN(flags)                                                                                                  \
    "<mujoco><option><flag " flags "/></option><worldbody><body name='a' gravcomp='0.5'><joint name='x' axis='1 0 0' " \
    "stiffness='3' springref='20' damping='0.2'/><inertial pos='0 0.2 0' mass='1' diaginertia='0.02 0.03 0.04'/>"      \
    "</body><body name='c' pos='1 0 0'><joint name='y' axis='1 0 0' springdamper='0.3 0.7'/><inertial "                \
    "pos='0 0.3 0.1' mass='1' diaginertia='0.02 0.03 0.04'/></body></worldbody><tendon><fixed name='t' "               \
    "stiffness='2' damping='.3' springlength='0.4'><joint joint='x' coef='1'/><joint joint='y' coef='-.5'/></fixed>"   \
    "</tendon><actuator><motor joint='x' ctrlrange='-1 .5' gear='1.5'/><position joint='y' kp='2' kv='.1' "            \
    "ctrlrange='-.2 .2'/></actuator><keyframe><key ctrl='2 1'/></keyframe></mujoco>"

static void as_mujoco(void **unused)
{
    static const struct {
        const char *text, *joint[2];
        double q[2];
    } cases[] = {
        {PAIR("constraint='disable'"), {"x", "y"}, {-1.3754719457125284, -1.124399905686416}},
        {PAIR("equality='disable' frictionloss='disable'"), {"x", "y"}, {-1.3754719457125284, -1.124399905686416}},
        {DRIVEN(""), {"x", "y"}, {0.2797341344588701, -0.4032980647696857}},
        {DRIVEN("spring='disable'"), {"x", "y"}, {-0.1656819593160595, -0.46833186063408727}},
        {DRIVEN("damper='disable'"), {"x", "y"}, {0.5468011297892712, -0.7050540170683156}},
        {DRIVEN("spring='disable' damper='disable'"), {"x", "y"}, {-0.870475786349106, -0.7985435151972088}},
        {DRIVEN("clampctrl='disable'"), {"x", "y"}, {0.8717196188501103, -0.08240548251379143}},
        {DRIVEN("actuation='disable'"), {"x", "y"}, {0.07815021231997771, -0.5719796622228432}},
        {TURNED("xYz"), {"x"}, {0.08140505014121512}},
        {TURNED("XyZ"), {"x"}, {0.0749001129910265}},
        {TURNED("zzx"), {"x"}, {0.0813337638863795}},
        {"<mujoco><worldbody><body name='b'><joint name='x' axis='1 0 0'/><inertial pos='0 0.2 0' mass='2' "
         "diaginertia='0.1 0.1 0.1'/><body pos='0 0.1 0'><inertial pos='0 0 0.4' mass='2'/></body></body></worldbody>"
         "</mujoco>",
         {"x"},
         {-0.5640232283138666}},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lg_motion *mo;
        suite_case("%s", cases[i].text);
        lg_mechanism *m = mechanism_of_text(cases[i].text, NULL);
        mechanism_well(lg_mechanism_compile(m), m);
        assert_int_equal(motion_create(&mo, m, "gauss:stages=4", 0.005), LG_OK);
        const int key = lg_mechanism_key_count(m) > 0;
        motion_well(key ? lg_motion_start_key(mo, 0, 0) : lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
        motion_well(lg_motion_step(mo, 60), mo);
        for (int k = 0; k < 2 && cases[i].joint[k] != NULL; k++) {
            double q;
            motion_well(lg_motion_joint(mo, &q, NULL, lg_mechanism_joint(m, cases[i].joint[k])), mo);
            suite_near1(cases[i].joint[k], q, cases[i].q[k], 1e-9, 1);
        }
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

static void refused(void **unused)
{
    (void)unused;
    mechanism_rejected(LG_ERROR_UNSUPPORTED, PAIR("equality='disable'"), "frictionloss of <joint> is not read");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, PAIR("constraint='disable' other='disable'"),
                       "other of <flag> is not read");
    mechanism_rejected(LG_ERROR_ARGUMENT,
                       "<mujoco><worldbody><body name='b'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1' "
                       "fullinertia='1 1 1 0 0 0'/></body></worldbody></mujoco>",
                       "body 'b': <inertial> has both diaginertia and fullinertia");
}

/* A joint without a name is called by its body, and not as a joint that has that name. */
static void names(void **unused)
{
    static const char *const joints[] = {"b", "b_1", "c_2", "c"};
    (void)unused;
    lg_mechanism *m = mechanism_of_text("<mujoco><default><geom size='.1' pos='0 0 .1'/></default><worldbody>"
                                        "<body name='b'><joint axis='1 0 0'/><joint axis='0 1 0'/><geom/></body>"
                                        "<body name='d'><joint name='b_1' axis='1 0 0'/><geom/></body>"
                                        "<body name='c'><joint axis='1 0 0'/><geom/></body>"
                                        "<body name='e'><joint name='c' axis='1 0 0'/><geom/></body>"
                                        "</worldbody><actuator><motor joint='c'/></actuator></mujoco>",
                                        NULL);
    for (int i = 0; i < 4; i++) assert_string_equal(lg_mechanism_joint_name(m, i), joints[i]);
    lg_coordinate own = lg_coordinate_default(NULL, NULL);
    mechanism_well(lg_mechanism_read_coordinate(m, &own, 0), m);
    assert_string_equal(own.name, "b_1_2");
    mechanism_well(lg_mechanism_read_coordinate(m, &own, 1), m);
    assert_string_equal(own.name, "b_2");
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_mujoco),
        cmocka_unit_test(refused),
        cmocka_unit_test(names),
    };
    suite_begin("multibody/files_mjcf_flags");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
