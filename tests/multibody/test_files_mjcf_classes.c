/* SPDX-License-Identifier: BSD-3-Clause */
/* MJCF: classes, sections, copies and positions at assembly as MuJoCo (3.14) has them: positions at t = 0.3 from rest,
 * its RK4 with steps of 1e-4. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mechanisms.h"
#include "support/motions.h"

static const struct {
    const char *what, *text, *joint[3];
    double q[3];
} cases[] = {
    {"capsule partial size",
     "<mujoco><default><geom type='capsule' size='.1 .3'/></default><worldbody><body name='b'><joint name="
     "'x' axis='1 0 0'/><geom size='.05' pos='0 .1 0'/></body></worldbody></mujoco>",
     {"x"},
     {-0.8985663037265791}},
    {"biasprm partial",
     "<mujoco><default><general biastype='affine' gainprm='10' biasprm='0 -10 -3'/></default><worldbody><b"
     "ody name='b'><joint name='x' axis='1 0 0'/><inertial pos='0.1 0.05 0.02' mass='1' diaginertia='0.02 "
     "0.03 0.04'/></body></worldbody><actuator><general joint='x' gainprm='10' biasprm='0 -10'/></actuator"
     "></mujoco>",
     {"x"},
     {-0.031237734848606705}},
    {"nested three levels",
     "<mujoco><default><geom type='box' size='.1 .3 .2'/><default class='k'><geom size='.2 .1'/></default>"
     "</default><worldbody><body name='b'><joint name='x' axis='1 0 0'/><geom size='.05' pos='0 .1 0' clas"
     "s='k'/></body></worldbody></mujoco>",
     {"x"},
     {-1.5220245662384164}},
    {"universal ref second only",
     "<mujoco><worldbody><body name='b'><joint name='x' axis='1 0 0' stiffness='3'/><joint name='z' axis='"
     "0 1 0' stiffness='2' ref='90' springref='10'/><inertial pos='0.1 0.05 0.02' mass='1' diaginertia='0."
     "02 0.03 0.04'/></body></worldbody></mujoco>",
     {"x", "z"},
     {-0.366654087796238, -0.005507220267060383}},
    {"universal ref",
     "<mujoco><worldbody><body name='b'><joint name='x' axis='1 0 0' stiffness='3' ref='30'/><joint name='"
     "z' axis='0 1 0' stiffness='2' ref='40' springref='10'/><inertial pos='0.1 0.05 0.02' mass='1' diagin"
     "ertia='0.02 0.03 0.04'/></body></worldbody></mujoco>",
     {"x", "z"},
     {-0.8721464470421495, 0.2496224326787595}},
    {"planar ref",
     "<mujoco><worldbody><body name='b'><joint name='x' type='slide' axis='1 0 0' stiffness='30'/><joint n"
     "ame='z' type='slide' axis='0 0 1' stiffness='20'/><joint name='h' axis='0 1 0' ref='70' stiffness='1"
     "' springref='20'/><inertial pos='0.1 0.05 0.02' mass='1' diaginertia='0.02 0.03 0.04'/></body></worl"
     "dbody></mujoco>",
     {"x", "z", "h"},
     {0.036777189101485384, -0.43102335568024414, 0.41316075879623515}},
    {"two defaults",
     "<mujoco><default><joint damping='.2'/></default><default><joint stiffness='3'/><default class='in'><"
     "joint damping='.7'/></default></default><worldbody><body name='b'><joint name='x' axis='1 0 0'/><joi"
     "nt name='y' axis='0 1 0' class='in'/><inertial pos='0.1 0.05 0.02' mass='1' diaginertia='0.02 0.03 0"
     ".04'/></body></worldbody></mujoco>",
     {"x", "y"},
     {-0.20880394871922697, 0.23981153404654412}},
    {"two default order rev",
     "<mujoco><default><joint damping='.2'/></default><default><joint damping='3'/></default><worldbody><b"
     "ody name='b'><joint name='x' axis='1 0 0'/><inertial pos='0.1 0.05 0.02' mass='1' diaginertia='0.02 "
     "0.03 0.04'/></body></worldbody></mujoco>",
     {"x"},
     {-0.048221315438563936}},
    {"class in 1st, main in 2nd",
     "<mujoco><default><default class='in'><joint stiffness='1'/></default></default><default><joint dampi"
     "ng='3'/></default><worldbody><body name='b'><joint name='x' axis='1 0 0' class='in'/><inertial pos='"
     "0.1 0.05 0.02' mass='1' diaginertia='0.02 0.03 0.04'/></body></worldbody></mujoco>",
     {"x"},
     {-0.7137868844643933}},
    {"replicate euler radian",
     "<mujoco><compiler angle='radian' eulerseq='zyx'/><worldbody><replicate count='3' euler='.3 .4 .5' of"
     "fset='.1 0 1'><body name='c' pos='0 .2 0' euler='.1 .2 .3'><joint name='y' axis='0 1 0'/><geom size="
     "'.1 .2 .3' type='box' pos='.1 0 0'/></body></replicate></worldbody></mujoco>",
     {"y0", "y1", "y2"},
     {0.8964615514399314, 0.5101094447799054, 0.03110437654350775}},
    {"replicate 10",
     "<mujoco><worldbody><replicate count='10' offset='1 0 0' euler='0 0 10'><body name='b'><joint name='x"
     "' axis='1 0 0'/><geom size='.1' pos='0.1 0.2 0.3'/></body></replicate></worldbody></mujoco>",
     {"x00", "x01", "x02"},
     {-0.7611046996769434, -0.7611046996769434, -0.7611046996769434}},
    {"fromgeom true no geoms armature",
     "<mujoco><compiler inertiafromgeom='true'/><worldbody><body name='b'><joint name='x' axis='1 0 0' arm"
     "ature='1'/><inertial pos='0.1 0.05 0.02' mass='1' diaginertia='0.02 0.03 0.04'/><body name='c'><join"
     "t name='y'/><geom size='.1' pos='1 0 0'/></body></body></worldbody></mujoco>",
     {"x", "y"},
     {-0.021444991990224243, 0.001559618077772911}},
    {"inertial in frame + geoms",
     "<mujoco><worldbody><body name='b'><joint name='x' axis='1 0 0'/><frame pos='0 .1 0' euler='30 0 0'><"
     "inertial pos='0.1 0.05 0.02' mass='1' diaginertia='0.02 0.03 0.04'/></frame><geom size='.1' pos='0 0"
     " .2'/></body></worldbody></mujoco>",
     {"x"},
     {-1.4906080195946212}},
    {"eq default inactive",
     "<mujoco><default><equality active='false'/></default><worldbody><body name='b'><joint name='x' type="
     "'slide' axis='0 0 1'/><inertial pos='0.1 0.05 0.02' mass='1' diaginertia='0.02 0.03 0.04'/></body><b"
     "ody name='c'><joint name='y' type='slide' axis='0 0 1' stiffness='10'/><inertial pos='0.1 0.05 0.02'"
     " mass='1' diaginertia='0.02 0.03 0.04'/></body></worldbody><equality><joint joint1='x' joint2='y'/><"
     "/equality></mujoco>",
     {"x", "y"},
     {-0.44144999999998236, -0.40931870790111696}},
    {"two options",
     "<mujoco><option timestep='0.01'><flag gravity='disable'/></option><option gravity='0 0 -9.81'/><worl"
     "dbody><body name='b'><joint name='x' type='slide'/><inertial pos='0.1 0.05 0.02' mass='1' diaginerti"
     "a='0.02 0.03 0.04'/></body></worldbody></mujoco>",
     {"x"},
     {0}},
};

/* The position of a hinge or slide of this name. */
static double position_of(const lg_motion *mo, const lg_mechanism *m, const char *name)
{
    double q[6], v[6];
    int position;
    const int k = lg_mechanism_joint_position(m, &position, name);
    assert_true(k >= 0 && position >= 0);
    motion_well(lg_motion_joint(mo, q, v, k), mo);
    return q[position];
}

static void as_mujoco(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lg_motion *mo;
        suite_case("%s", cases[i].what);
        lg_mechanism *m = mechanism_of_text(cases[i].text, NULL);
        mechanism_well(lg_mechanism_compile(m), m);
        motion_well(motion_create(&mo, m, "gauss", 0.002), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
        motion_well(lg_motion_step(mo, 150), mo);
        for (int k = 0; k < 3 && cases[i].joint[k] != NULL; k++)
            suite_near1(cases[i].joint[k], position_of(mo, m, cases[i].joint[k]), cases[i].q[k], 1e-11, 1);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

#define SLIDE                                                                                                          \
    "<worldbody><body><joint name='x' type='slide'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>"       \
    "</worldbody>"

/* In MuJoCo all kinds of actuators share their defaults. */
static void defaults_of_actuators(void **unused)
{
    (void)unused;
    mechanism_rejected(LG_ERROR_UNSUPPORTED,
                       "<mujoco><default><general gainprm='5'/></default>" SLIDE
                       "<actuator><position joint='x'/></actuator></mujoco>",
                       "gainprm in the defaults of <general> acts on <position> too in MuJoCo");
    mechanism_rejected(LG_ERROR_UNSUPPORTED,
                       "<mujoco><default><position kp='50'/></default>" SLIDE
                       "<actuator><general joint='x'/></actuator></mujoco>",
                       "kp in the defaults of <position> acts on <general> too");
    static const double ratio[] = {2, 7, 7}, upper[] = {1, 1, 1};
    lg_mechanism *m = mechanism_of_text(
        "<mujoco><default><general gear='5' forcerange='-1 1'/><motor gear='6'/><position gear='7'/><default class='in'>"
        "<motor gear='2'/><velocity ctrlrange='-3 3'/></default></default>" SLIDE
        "<actuator><motor name='a' class='in' "
        "joint='x'/><position name='p' joint='x' kp='3'/><motor name='b' joint='x'/></actuator></mujoco>",
        NULL);
    for (int i = 0; i < 3; i++) {
        lg_motor motor = lg_motor_default(NULL, NULL);
        mechanism_well(lg_mechanism_read_motor(m, &motor, i), m);
        suite_near1("gear", motor.ratio, ratio[i], 0, 1);
        suite_near1("forcerange", motor.upper, upper[i], 0, 1);
    }
    lg_mechanism_destroy(m);
}

/* Files whose copies or defaults would take memory or time without bounds. */
static void bounds(void **unused)
{
    enum { MANY = 1000000 };
    char *text = malloc(MANY + 4096);
    (void)unused;
    assert_non_null(text);
    char *at = text + sprintf(text, "<mujoco><worldbody><body><joint/><replicate count='9999'><geom name='");
    memset(at, 'a', MANY);
    (void)sprintf(at + MANY, "' size='1'/></replicate></body></worldbody></mujoco>");
    mechanism_rejected(LG_ERROR_ARGUMENT, text, "names of more than 64 MiB");
    at = text + sprintf(text, "<mujoco><default>");
    for (int i = 0; i < 65; i++) at += sprintf(at, "<geom/>");
    (void)sprintf(at, "</default>" SLIDE "</mujoco>");
    mechanism_rejected(LG_ERROR_ARGUMENT, text, "65 elements in a <default>, more than 64");
    free(text);
}

/* The inner numbers come first in names, as in MuJoCo; a copy of a copy has both places. */
static void nested_copies(void **unused)
{
    static const struct {
        const char *name;
        double x, z;
    } bodies[] = {{"c-00", 0, 0}, {"c-10", 0, 2}, {"c-01", 1, 0.5}, {"c-11", 1, 2.5}};
    lg_mechanism *m = mechanism_of_text(
        "<mujoco><worldbody><replicate count='2' offset='1 0 0.5'><body name='b'><geom size='0.1'/><joint name='h'/>"
        "<frame pos='0 3 0'><replicate count='2' offset='0 0 2' sep='-'><body name='c'><joint name='k'/>"
        "<geom size='0.1'/></body></replicate></frame></body></replicate></worldbody></mujoco>",
        NULL);
    (void)unused;
    assert_int_equal(lg_mechanism_body_count(m), 6);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        lg_body b = lg_body_default(NULL);
        suite_case("%s", bodies[i].name);
        suite_ok("body", lg_mechanism_read_body(m, &b, lg_mechanism_body(m, bodies[i].name)));
        suite_near("place", b.position, (const double[3]){bodies[i].x, 3, bodies[i].z}, 3, 1e-15, 1);
    }
    assert_true(lg_mechanism_joint(m, "k-10") >= 0);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_copies),
        cmocka_unit_test(as_mujoco),
        cmocka_unit_test(defaults_of_actuators),
        cmocka_unit_test(bounds),
    };
    suite_begin("multibody/files_mjcf_classes");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
