/* SPDX-License-Identifier: BSD-3-Clause */
/* Actuators of MJCF with activations: states as MuJoCo (3.14) has them by its RK4 with steps of 1e-4; what is refused.
 */
#include <stdio.h>
#include <string.h>

#include "support/mechanisms.h"

/* A filter and an integrator of each kind on hinges, a slide and a site. MuJoCo's filterexact is of order one in RK4,
 * and so are its limits: they are compared in other tests. */
#define LINKS                                                                                                          \
    "<mujoco><compiler angle='radian'/><worldbody><body pos='0 0 1'><joint name='x' axis='0 1 0' damping='0.1' "       \
    "range='-2 1'/>"                                                                                                   \
    "<inertial pos='0 0 -.3' mass='1.2' diaginertia='.02 .03 .015'/><body pos='0 0 -.5'>"                              \
    "<joint name='y' axis='1 .3 0'/><inertial pos='0.05 0 -.2' mass='.7' diaginertia='.01 .012 .008'/>"                \
    "<body name='end' pos='0 0 -.4'><joint name='z' type='slide' axis='0 0 1' stiffness='80'/>"                        \
    "<inertial pos='0 0.02 0' mass='.4' diaginertia='.004 .005 .006'/><site name='s' pos='0.1 0 0'/></body></body>"    \
    "</body></worldbody><actuator>"
#define ALL                                                                                                            \
    LINKS "<general name='g1' joint='x' dyntype='filter' dynprm='0.07' gainprm='3' gear='1.5'/>"                       \
          "<general name='p1' joint='y' gainprm='12' biastype='affine' biasprm='0 -12 -.4' dyntype='filter' "          \
          "dynprm='0.05'/><intvelocity name='i1' joint='x' kp='6' kv='.3' actrange='-9 9'/>"                           \
          "<cylinder name='c1' joint='z' timeconst='.1' area='2' bias='0 -3 -1'/>"                                     \
          "<general name='g2' joint='y' dyntype='integrator' gainprm='2' biastype='affine' biasprm='0 -2 -.3'/>"       \
          "<general name='g3' site='s' dyntype='filter' dynprm='0.2' gear='0 0 1 0 0.1 0'/>"                           \
          "<position name='p2' joint='z' kp='50'/><velocity name='v2' joint='x' kv='.5'/></actuator>"                  \
          "<keyframe><key name='k' qpos='.2 .1 .03' qvel='.5 -1 .2' ctrl='2 .6 .7 -1.5 .4 1 .3 .2' "                   \
          "act='.1 -.2 .05 .3 .02 -.15'/></keyframe></mujoco>"

#define LIMITS                                                                                                         \
    LINKS "<position name='p1' joint='y' kp='12' kv='.4' timeconst='.05' ctrlrange='-.3 .2'/>"                         \
          "<position name='p2' joint='x' kp='20' dampratio='.5' inheritrange='.4'/>"                                   \
          "<velocity name='v' joint='z' kv='3' ctrlrange='-.1 .1'/>"                                                   \
          "<general name='g' joint='z' dyntype='filter' dynprm='.1' ctrlrange='-.5 .5' gainprm='3'/>"                  \
          "<general name='t' site='s' dyntype='filterexact' dynprm='.1' ctrlrange='-.4 .5' gainprm='2'/>"              \
          "<intvelocity name='i' joint='y' kp='4' dampratio='.7' actrange='-5 5'/></actuator>"                         \
          "<keyframe><key name='k' ctrl='1 2 -1 1.5 -2 .4'/></keyframe></mujoco>"

#define DAMPERS                                                                                                        \
    LINKS "<damper name='d1' joint='x' kv='2' ctrlrange='0 1.5' gear='1.3'/>"                                          \
          "<general name='d2' joint='y' gaintype='affine' gainprm='0 0 -.8' ctrlrange='0 2' dyntype='filter' "         \
          "dynprm='.1'/><motor name='m' joint='z' gear='2'/><general name='d3' joint='z' gaintype='affine' "           \
          "gainprm='0 0 -3' ctrlrange='0 5'/></actuator>"                                                              \
          "<keyframe><key name='k' qvel='1 -2 .5' ctrl='2.5 1 .4 1.5'/></keyframe></mujoco>"

/* Of each actuator of a file the activation; those of thrusters are the last. */
static const struct {
    const char *text;
    double state[6], act[6]; /* at t = 0.5 from its key */
    int acts[6];             /* the controls that have one */
} files[] = {{ALL,
              {0.7502494892204239, 0.4099823029507898, 0.09891466525827668, 1.458269624188718, -0.0077095734718956015,
               -0.23830738236969612},
              {1.9984980683860714, 0.5999636800561892, 0.4, -1.4878716954016455, 0.22, 0.9056022515825175},
              {0, 1, 2, 3, 4, 7}},
             {LIMITS,
              {0.11584328443342434, 0.1746243840621607, -0.02531223975246893, 0.09913943577507407,
               -0.012970163353059573, -0.07512482313278415},
              {0.1999909200140473, 0.49663102650045776, 0.2, -0.39730482120036553},
              {0, 3, 4, 5}},
             {DAMPERS,
              {0.08758154224032468, -0.08587575019365412, -0.03572942537714628, -0.09903048630933446,
               0.42253816244096554, 0.00477625211179606},
              {1.5, 0.9932620530009155},
              {0, 1}}};
enum { FILES = sizeof files / sizeof files[0] };

static void compare(lg_mechanism *m, int i, double tolerance)
{
    lg_motion *mo;
    double q[6];
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, "gauss:stages=4", 0.01), mo);
    motion_well(lg_motion_start_key(mo, 0, 0), mo);
    motion_well(lg_motion_step(mo, 50), mo);
    motion_well(lg_motion_positions(mo, q, q + 3), mo);
    suite_near("state", q, files[i].state, 6, tolerance, 1);
    for (int k = 0; k < 6 && (k == 0 || files[i].acts[k] > 0); k++)
        suite_near1("activation", lg_motion_activation(mo, files[i].acts[k]), files[i].act[k], tolerance, 1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void as_mujoco(void **unused)
{
    (void)unused;
    for (int i = 0; i < FILES; i++) {
        suite_case("file %d", i);
        compare(mechanism_of_text(files[i].text, NULL), i, 1e-10);
    }
}

static void starts(void **unused)
{
    static const double want[6] = {.1, -.2, .05, .3, .02, -.15};
    lg_motion *mo;
    (void)unused;
    lg_mechanism *m = mechanism_of_text(ALL, NULL);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, "sem", 0.01), mo);
    for (int again = 0; again < 2; again++) {
        motion_well(again ? lg_motion_reset(mo) : lg_motion_start_key(mo, 0, 0), mo);
        for (int k = 0; k < 6; k++) suite_near1("act", lg_motion_activation(mo, files[0].acts[k]), want[k], 0, 1);
        motion_well(lg_motion_step(mo, 3), mo);
    }
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* What is written has the same motors. */
static void written(void **unused)
{
    static const char path[] = "test_files_mjcf_actuators.xml";
    (void)unused;
    lg_mechanism *m = mechanism_of_text(
        LINKS "<general joint='x' dyntype='filter' dynprm='0.07' gainprm='3' gear='1.5' ctrlrange='-1 1'/>"
              "<intvelocity joint='y' kp='4' kv='.3' actrange='-.5 .5'/>"
              "<position joint='z' kp='7' ctrlrange='-.1 .2'/><velocity joint='x' kv='.3'/>"
              "<damper joint='y' kv='3' ctrlrange='0 2'/><general joint='y' gaintype='affine' gainprm='0 0 -.8' "
              "ctrlrange='0 2' dyntype='filter' dynprm='.1'/></actuator></mujoco>",
        NULL);
    mechanism_well(lg_mechanism_compile(m), m);
    mechanism_well(lg_mechanism_write(m, path, NULL), m);
    lg_mechanism *n;
    mechanism_well(lg_mechanism_read(&n, path, NULL), n);
    (void)remove(path);
    assert_int_equal(lg_mechanism_motor_count(n), 6);
    for (int i = 0; i < 6; i++) {
        lg_motor a = lg_motor_default(NULL, NULL), b = a;
        suite_case("motor %d", i);
        mechanism_well(lg_mechanism_read_motor(m, &a, i), m);
        mechanism_well(lg_mechanism_read_motor(n, &b, i), n);
        const double x[] = {a.ratio,         a.position_gain, a.velocity_gain,    a.control_lower,
                            a.control_upper, a.time_constant, a.activation_lower, a.activation_upper};
        const double y[] = {b.ratio,         b.position_gain, b.velocity_gain,    b.control_lower,
                            b.control_upper, b.time_constant, b.activation_lower, b.activation_upper};
        suite_same_bits("numbers", y, x, 8);
        suite_same_bits("brake", &b.damping_gain, &a.damping_gain, 1);
        assert_int_equal(a.activation, b.activation);
    }
    lg_mechanism_destroy(m), lg_mechanism_destroy(n);
}

#define REFUSED(actuator, words) mechanism_rejected(LG_ERROR_UNSUPPORTED, LINKS actuator "</actuator></mujoco>", words)
#define WRONG(actuator, words)   mechanism_rejected(LG_ERROR_ARGUMENT, LINKS actuator "</actuator></mujoco>", words)

static void refused(void **unused)
{
    (void)unused;
    REFUSED("<general joint='x' dyntype='muscle'/>", "dyntype 'muscle' is not read, but activations of first order");
    REFUSED("<muscle joint='x'/>", "<muscle> is not read");
    REFUSED("<general site='s' dyntype='filter' forcerange='-1 1'/>", "give actrange");
    WRONG("<position joint='x' timeconst='-1'/>", "the time constant of <position> is -1");
    WRONG("<position joint='y' inheritrange='1'/>", "needs a range");
    WRONG("<general joint='x' dyntype='integrator' actrange='1 -1'/>", "lower limit 1, upper limit -1");
    REFUSED("<damper joint='x'/>", "<damper> is a damper, which is read with a ctrlrange from 0");
    REFUSED("<damper joint='x' ctrlrange='0 1' forcerange='-1 1'/>", "without forcerange");
    REFUSED("<damper site='s' ctrlrange='0 1'/>", "<damper> is a damper, and what it pushes has no length");
    REFUSED("<general joint='x' gaintype='affine' gainprm='1 2'/>", "is read only as that of a damper");
    mechanism_rejected(LG_ERROR_UNSUPPORTED,
                       "<mujoco><worldbody><body><joint name='x' actuatorfrcrange='-1 1'/><geom size='1'/></body>"
                       "</worldbody><actuator><damper joint='x' ctrlrange='0 1'/></actuator></mujoco>",
                       "actuatorfrcrange of joint 'x': a limit of the sum of several actuators, of a damper");
    REFUSED("<motor joint='x' timeconst='1'/>", "timeconst of <motor> is not read");
    mechanism_rejected(LG_ERROR_UNSUPPORTED,
                       "<mujoco><default><general dyntype='filter'/></default><worldbody><body><joint name='x'/>"
                       "<geom size='1'/></body></worldbody><actuator><position joint='x'/></actuator></mujoco>",
                       "dyntype in the defaults of <general> acts on <position> too");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_mujoco),
        cmocka_unit_test(starts),
        cmocka_unit_test(written),
        cmocka_unit_test(refused),
    };
    suite_begin("multibody/files_mjcf_actuators");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
