/* SPDX-License-Identifier: BSD-3-Clause */
/* Files with links without mass, and with several joints in a body: what becomes motions of one joint, what stays where
 * it is, what gets a least inertia, what is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/multibody/parameters.h>

#include "multibody/files/reader.h"
#include "support/dynamic_states.h"
#include "support/mechanisms.h"

#define HEAVY                                                                                                          \
    "<inertial><origin xyz='0.1 0.2 -0.2'/><mass value='1'/><inertia ixx='0.02' iyy='0.03' izz='0.01' ixy='0' ixz='0'" \
    " iyz='0'/></inertial>"
#define LIGHT                                                                                                          \
    "<inertial><mass value='1e-9'/><inertia ixx='1e-10' iyy='1e-10' izz='1e-10' ixy='0' ixz='0' iyz='0'/></inertial>"
#define JOINT(name, type, parent, child, rest)                                                                         \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" rest "</joint>"

static lg_mechanism *read_compiled(const char *text, const lg_mechanism_file *options)
{
    lg_mechanism *m = mechanism_of_text(text, options);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void expect_remark(const lg_mechanism *m, const char *part)
{
    if (!mechanism_remarked(m, part)) suite_fail("no remark has '%s'", part);
}

static void expect_kind(const lg_mechanism *m, const char *name, lg_joint_kind kind)
{
    lg_joint j = lg_joint_default(NULL, LG_JOINT_FIXED, NULL, NULL);
    const int i = lg_mechanism_joint(m, name);
    assert_true(i >= 0);
    suite_ok("joint", lg_mechanism_read_joint(m, &j, i));
    assert_int_equal(j.kind, kind);
}

/* MuJoCo 3.14, RK4 with steps of 1e-4 s: three hinges of one body, after 1 s. */
static void three_hinges(void **unused)
{
    static const char text[] =
        "<mujoco><worldbody><body name='p' pos='0 0 1'>"
        "<inertial pos='0 0 -0.3' mass='1' diaginertia='0.03 0.03 0.002'/>"
        "<joint name='a' axis='0 0 1'/><joint name='b' axis='0 1 0'/><joint name='c' axis='1 0 0'/></body></worldbody>"
        "</mujoco>";
    const double q[3] = {0.2, 0.3, 0}, v[3] = {0, 0, 2};
    const double wanted[6] = {-0.10865234876206203, 0.01751892639453546, -0.3990765850259756,
                              -0.5875597275501337,  1.3930812690297718,  0.1986916175697284};
    double to[6];
    lg_motion *mo;
    (void)unused;
    lg_mechanism *m = read_compiled(text, NULL);
    expect_kind(m, "a+b+c", LG_JOINT_COMPOSED);
    motion_well(motion_create(&mo, m, "gauss", 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, q, v, 0), mo);
    motion_well(lg_motion_run_to(mo, 1), mo);
    suite_ok("positions", lg_motion_positions(mo, to, to + 3));
    suite_near("after 1 s", to, wanted, 6, 1e-10, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* Joints of a body with positions at assembly: at these the body is where the file says. */
static void references(void **unused)
{
    static const char text[] =
        "<mujoco><compiler angle='radian'/><worldbody><body name='p' pos='0.1 0.2 1' euler='0.3 0.4 0.5'>"
        "<inertial pos='0 0 -0.3' mass='1' diaginertia='0.03 0.03 0.02'/>"
        "<joint name='a' axis='0 0 1' pos='0.1 0 0' ref='0.7'/><joint name='s' type='slide' axis='0 1 1' ref='0.2'/>"
        "<joint name='b' axis='0 1 0' pos='0 0.1 0.2' ref='-0.4'/><joint name='c' axis='1 0 1' ref='1.1'/></body>"
        "</worldbody><equality><joint joint1='a' joint2='c' polycoef='0 0.5'/></equality>"
        "<actuator><motor name='m' joint='s'/></actuator></mujoco>";
    const double q[4] = {0.7, 0.2, -0.4, 1.1};
    double pose[2][7], to[4];
    lg_motion *mo;
    (void)unused;
    lg_mechanism *m = read_compiled(text, NULL);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    suite_ok("pose", lg_motion_body_pose(mo, pose[0], 0));
    suite_ok("positions", lg_motion_positions(mo, to, NULL));
    suite_near("as assembled", to, q, 4, 1e-13, 1);
    motion_well(lg_motion_start_joints(mo, 0, q, NULL, 0), mo);
    suite_ok("pose", lg_motion_body_pose(mo, pose[1], 0));
    suite_near("poses", pose[1], pose[0], 7, 1e-13, 1);
    suite_near("of the file", pose[0], (const double[3]){0.1, 0.2, 1}, 3, 1e-13, 1);
    const double u = 1;
    motion_well(lg_motion_set_control(mo, &u), mo);
    motion_well(lg_motion_step(mo, 20), mo);
    suite_ok("positions", lg_motion_positions(mo, to, NULL));
    suite_near1("coupled", to[0] - 0.7, 0.5 * (to[3] - 1.1), 1e-12, 1);
    suite_near1("work", lg_motion_motor_work(mo, 0), to[1] - 0.2, 1e-12, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* Two slides and a hinge across them: a planar joint. */
static void planar_base(void **unused)
{
    static const char text[] =
        "<robot name='r'><link name='world'/><link name='bx'/><link name='by'/><link name='base'>" HEAVY
        "</link>" JOINT("x", "prismatic", "world", "bx", "<axis xyz='1 0 0'/>")
            JOINT("y", "prismatic", "bx", "by", "<axis xyz='0 1 0'/>")
                JOINT("yaw", "continuous", "by", "base", "<axis xyz='0 0 1'/>") "</robot>";
    const double u[3] = {2, -1, 0}, q[3] = {0, 0, 0.3};
    double to[6];
    lg_motion *mo;
    int body;
    (void)unused;
    lg_mechanism *m = read_compiled(text, NULL);
    expect_kind(m, "x+y+yaw", LG_JOINT_PLANAR);
    expect_remark(m, "link 'bx' has no mass and is no body: joints 'x' and 'y' act in series");
    assert_int_equal(lg_mechanism_freedoms(m), 3);
    suite_status("a frame", lg_mechanism_link(m, &body, NULL, "bx"), LG_ERROR_ARGUMENT);
    motion_well(motion_create(&mo, m, "gauss", 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, q, NULL, 0), mo);
    motion_well(lg_motion_set_control(mo, u), mo);
    motion_well(lg_motion_run_to(mo, 0.5), mo);
    suite_ok("positions", lg_motion_positions(mo, to, to + 3));
    suite_near1("energy", lg_motion_energy(mo) - lg_motion_work(mo), -9.81 * 0.2, 1e-11, 1);
    suite_near1("work", lg_motion_work(mo), 2 * to[0] - to[1], 1e-11, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* Frames between hinges and slides askew, with dampers and mimics, against links of 1e-9 kg. */
static void light_links(void **unused)
{
#define CHAIN(a, b, c)                                                                                                 \
    "<robot name='r'><link name='world'/><link name='a'>" a "</link><link name='b'>" b                                 \
    "</link><link name='arm'>" HEAVY "</link><link name='c'>" c "</link><link name='hand'>" HEAVY                      \
    "</link>" JOINT("j1", "continuous", "world", "a", "<origin xyz='0 0 0.5' rpy='0.2 0 0.4'/><axis xyz='0 0 1'/>")    \
        JOINT("j2", "prismatic", "a", "b",                                                                             \
              "<origin xyz='0.1 0 0' rpy='0 0.7 0'/><axis xyz='1 0 0'/>"                                               \
              "<dynamics damping='0.4'/>") JOINT("j3", "continuous", "b", "arm",                                       \
                                                 "<origin xyz='0 0.2 0' rpy='0.3 0 0'/><axis xyz='0 1 0'/>"            \
                                                 "<dynamics damping='0.1'/>")                                          \
            JOINT("j4", "continuous", "arm", "c", "<origin xyz='0 0.2 0.1'/><axis xyz='1 1 0'/>")                      \
                JOINT("j5", "continuous", "c", "hand",                                                                 \
                      "<origin xyz='0.1 0 0.1'/><axis xyz='0 0 1'/><mimic joint='j2' "                                 \
                      "multiplier='2'/>") "</robot>"
    static const char *const text[2] = {CHAIN("", "", ""), CHAIN(LIGHT, LIGHT, LIGHT)};
    const double u[4] = {0.5, 1, -0.3, 0.2}, q[5] = {0.2, 0.1, -0.3, 0.4, 0.2}, v[5] = {1, 0.5, -1, 0.7, 1};
    double to[2][10];
    (void)unused;
    for (int light = 0; light < 2; light++) {
        lg_motion *mo;
        lg_mechanism *m = read_compiled(text[light], NULL);
        assert_int_equal(lg_mechanism_body_count(m), light ? 5 : 2);
        motion_well(motion_create(&mo, m, "gauss", 0.002), mo);
        motion_well(lg_motion_start_joints(mo, 0, q, v, 1), mo);
        motion_well(lg_motion_set_control(mo, u), mo);
        motion_well(lg_motion_run_to(mo, 0.3), mo);
        suite_ok("positions", lg_motion_positions(mo, to[light], to[light] + 5));
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
    suite_near("of light links", to[0], to[1], 10, 1e-6, fmax(1, dynamic_largest(to[1], 10)));
}

/* What carries nothing stays on its parent; its visuals are shown there. */
static void ends(void **unused)
{
    static const char text[] =
        "<robot name='r'><link name='world'/><link name='arm'>" HEAVY
        "</link><link name='lidar'/><link name='lens'/>" JOINT("a", "continuous", "world", "arm", "<axis xyz='0 1 0'/>")
            JOINT("spin", "continuous", "arm", "lidar", "<origin xyz='0 0 0.3'/><axis xyz='0 0 1'/>")
                JOINT("tilt", "continuous", "lidar", "lens", "<origin xyz='0 0.1 0'/><axis xyz='0 1 0'/>") "</robot>";
    double pose[7];
    int body = -1;
    (void)unused;
    lg_mechanism *m = read_compiled(text, NULL);
    expect_remark(m, "link 'lidar' has no mass and carries nothing: joint 'spin' is left out");
    expect_remark(m, "link 'lens' has no mass and carries nothing: joint 'tilt' is left out");
    assert_int_equal(lg_mechanism_freedoms(m), 1);
    assert_int_equal(lg_mechanism_motor_count(m), 1);
    suite_ok("link", lg_mechanism_link(m, &body, pose, "lens"));
    assert_int_equal(body, 0);
    suite_near("place", pose, (const double[3]){0, 0.1, 0.3}, 3, 1e-15, 1);
    lg_mechanism_destroy(m);
}

/* A motor, or a mimic, of a joint that is left out. */
static void left_out(void **unused)
{
    static const char *const text[] = {
        "<mujoco><worldbody><body name='b'><inertial pos='0 0 0.1' mass='1' diaginertia='1 1 1'/><joint name='j'/>"
        "<body name='tip'><joint name='k'/></body></body></worldbody><actuator><motor joint='k'/></actuator></mujoco>",
        "<robot name='r'><link name='world'/><link name='arm'>" HEAVY "</link><link name='tip'/>"
        "<joint name='k' type='continuous'><parent link='arm'/><child link='tip'/></joint>"
        "<joint name='j' type='continuous'><parent link='world'/><child link='arm'/><mimic joint='k'/></joint>"
        "</robot>"};
    (void)unused;
    for (int i = 0; i < 2; i++)
        mechanism_rejected(LG_ERROR_ARGUMENT, text[i], "its link has no mass, and it is left out");
}

static const char branches[] =
    "<robot name='r'><link name='world'/><link name='hub'/><link name='l'>" HEAVY "</link><link name='r'>" HEAVY
    "</link>" JOINT("h", "continuous", "world", "hub", "<axis xyz='0 1 0'/>")
        JOINT("jl", "continuous", "hub", "l", "<origin xyz='0 0.3 0'/><axis xyz='1 0 0'/>")
            JOINT("jr", "continuous", "hub", "r", "<origin xyz='0 -0.3 0'/><axis xyz='1 0 0'/>") "</robot>";

/* A hub without mass that carries two bodies: refused, or with a least inertia. */
static void least(void **unused)
{
    lg_mechanism_file options = lg_mechanism_file_default();
    lg_mechanism *m = NULL;
    (void)unused;
    mechanism_rejected(LG_ERROR_ARGUMENT, branches, "link 'hub' has no mass, but joint 'h' lets it move");
    options.least_inertia = -1;
    suite_status("negative", mb_read_text(&m, "text", branches, sizeof branches - 1, &options), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), "least_inertia is -1; it must not be negative");
    lg_mechanism_destroy(m);
    options.least_inertia = 1e-6;
    m = read_compiled(branches, &options);
    expect_remark(m, "link 'hub' has no mass: it gets the least inertia, 1e-06 kg m^2 about each axis, and 0.0001 kg");
    assert_int_equal(lg_mechanism_freedoms(m), 3);
    lg_mechanism_destroy(m);
}

/* A loop that a composed joint closes. */
static void composed_loop(void **unused)
{
    static const char text[] =
        "<robot name='r'><link name='world'/><link name='a'>" HEAVY "</link><link name='b'>" HEAVY "</link>"
        "<joint name='ja' type='continuous'><parent link='world'/><child link='a'/><axis xyz='0 1 0'/></joint>"
        "<joint name='jb' type='continuous'><parent link='a'/><child link='b'/><origin xyz='0 0 0.5'/>"
        "<axis xyz='0 1 0'/></joint>"
        "<liegrp><loop_joint name='gantry' type='composed' link1='world' link2='b'><origin xyz='0.1 0 0.9'/>"
        "<motion type='prismatic' axis='1 0 0'/><motion type='prismatic' axis='1 0 1'/>"
        "<motion type='revolute' axis='0 1 0' point='0 0 0.1'/></loop_joint></liegrp></robot>";
    double v[2] = {1, -0.5}, q[3];
    lg_motion *mo;
    (void)unused;
    lg_mechanism *m = read_compiled(text, NULL);
    assert_int_equal(lg_mechanism_freedoms(m), 2);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    const double H = lg_motion_energy(mo);
    motion_well(lg_motion_step(mo, 30), mo);
    suite_near1("energy", lg_motion_energy(mo), H, 1e-12, 10);
    suite_ok("joint", lg_motion_joint(mo, q, NULL, lg_mechanism_joint(m, "gantry")));
    suite_above("it slides", fabs(q[0]) + fabs(q[1]), 1e-3);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* Moments that no distribution of mass has: A + B < C. Parameters of the mechanism can be set all the same. */
static void unbalanced(void **unused)
{
    static const char text[] =
        "<robot name='r'><link name='w'/><link name='f'><inertial><origin xyz='0 0 0.01'/><mass value='0.003'/>"
        "<inertia ixx='1.486e-06' ixy='0' ixz='0' iyy='2e-07' iyz='0' izz='8.31e-07'/></inertial></link>" JOINT(
            "a", "continuous", "w", "f", "<axis xyz='0 1 0'/>") "</robot>";
    lg_body b = lg_body_default("x");
    double q = 0.3, a;
    lg_dynamics *d;
    (void)unused;
    lg_mechanism *m = mechanism_of_text(text, NULL);
    expect_remark(m, "link 'f': no distribution of mass has its inertia, moments 2e-07 + 8.31e-07 < 1.486e-06 kg m^2");
    mechanism_well(lg_mechanism_set_parameter(m, "a.damping", 0), m);
    b.mass = 1, b.inertia[0] = 3, b.inertia[1] = b.inertia[2] = 1;
    suite_status("of calls", lg_mechanism_add_body(m, NULL, &b), LG_ERROR_ARGUMENT);
    mechanism_well(lg_mechanism_compile(m), m);
    dynamics_well(lg_dynamics_create(&d, m), d);
    dynamics_well(lg_dynamics_set(d, &q, NULL), d);
    dynamics_well(lg_dynamics_acceleration(d, &a, NULL, NULL), d);
    suite_near1("acceleration", a, 0.003 * 9.81 * 0.01 * sin(q) / (2e-7 + 0.003 * 1e-4), 1e-11, 100);
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
}

/* A frame that a spring holds is a body, and needs a mass. */
static void held(void **unused)
{
    static const char text[] =
        "<robot name='r'><link name='world'/><link name='arm'>" HEAVY "</link><link name='hook'/>"
        "<joint name='a' type='continuous'><parent link='world'/><child link='arm'/><axis xyz='0 1 0'/></joint>"
        "<joint name='b' type='continuous'><parent link='arm'/><child link='hook'/><origin xyz='0 0 0.3'/>"
        "<axis xyz='0 0 1'/></joint>"
        "<liegrp><spring name='s' link1='world' link2='hook' stiffness='1'/></liegrp></robot>";
    (void)unused;
    mechanism_rejected(LG_ERROR_ARGUMENT, text, "link 'hook' has no mass, but joint 'b' lets it move");
}

/* ---- point masses ---- */

#define POINT(m, at, I)                                                                                                \
    "<inertial><origin xyz='" at "'/><mass value='" m "'/><inertia ixx='" I "' iyy='" I "' izz='" I                    \
    "' ixy='0' ixz='0' "                                                                                               \
    "iyz='0'/></inertial>"

/* The mass matrix and the gravity of a file at a state. */
static void matrix_of(const char *text, const lg_mechanism_file *options, const double *q, double *M, double *g)
{
    lg_dynamics *d;
    lg_mechanism *m = read_compiled(text, options);
    dynamics_well(lg_dynamics_create(&d, m), d);
    dynamics_well(lg_dynamics_set(d, q, NULL), d);
    dynamics_well(lg_dynamics_mass_matrix(d, M), d);
    dynamics_well(lg_dynamics_gravity(d, g), d);
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
}

/* One and two pendulums of points: closed forms. */
static void point_pendulums(void **unused)
{
    static const char one[] = "<robot name='r'><link name='w'/><link name='arm'>" POINT(
        "2", "0 0.3 -1.5", "0") "</link>" JOINT("a", "continuous", "w", "arm", "<axis xyz='0 1 0'/>") "</robot>",
                      two[] = "<robot name='r'><link name='w'/><link name='u'>" POINT(
                          "2", "0 0 -1.5",
                          "0") "</link><link name='l'>" POINT("3", "0 0 -0.7",
                                                              "0") "</link>" JOINT("a", "continuous", "w", "u",
                                                                                   "<axis xyz='0 1 0'/>")
                          JOINT("b", "continuous", "u", "l", "<origin xyz='0 0 -1.5'/><axis xyz='0 1 0'/>") "</robot>";
    const double q[2] = {0.4, -0.7}, c = cos(q[1]), m1 = 2, m2 = 3, l1 = 1.5, l2 = 0.7;
    const double wanted[4] = {(m1 + m2) * l1 * l1 + m2 * l2 * l2 + 2 * m2 * l1 * l2 * c,
                              m2 * l2 * l2 + m2 * l1 * l2 * c, m2 * l2 * l2 + m2 * l1 * l2 * c, m2 * l2 * l2};
    double M[4], g[2];
    (void)unused;
    matrix_of(one, NULL, q, M, g);
    suite_near1("inertia", M[0], 2 * 2.25, 1e-14, 5);
    suite_near1("gravity", g[0], 2 * 9.81 * 1.5 * sin(0.4), 1e-13, 10);
    matrix_of(two, NULL, q, M, g);
    suite_near("inertia", M, wanted, 4, 1e-13, 20);
    suite_near1("gravity", g[1], m2 * 9.81 * l2 * sin(q[0] + q[1]), 1e-13, 10);
    for (int k = 0; k < 2; k++) { /* steps */
        lg_motion *mo;
        lg_mechanism *m = read_compiled(two, NULL);
        expect_remark(m, "link 'l' lacks inertia: 0.003 kg on the axis of 'b' count with it");
        motion_well(motion_create(&mo, m, k ? "gauss" : "sem", 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, q, NULL, 0), mo);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_step(mo, 100), mo);
        suite_near1("energy", lg_motion_energy(mo), H, 1e-12, 100);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* Points on hinges askew and on slides of moving links, against points with a tiny inertia. */
static void point_masses(void **unused)
{
#define POINTS(I)                                                                                                      \
    "<robot name='r'><link name='w'/><link name='arm'>" HEAVY                                                          \
    "</link><link name='tip'>" POINT("0.5", "0.2 0.1 0.3", I) "</link><link name='bead'>" POINT(                       \
        "0.3", "0 0 0.1", I) "</link>" JOINT("a", "continuous", "w", "arm", "<axis xyz='0 1 0.2'/>")                   \
        JOINT("b", "continuous", "arm", "tip", "<origin xyz='0.1 0.2 -0.5' rpy='0.4 0 0'/><axis xyz='1 0 1'/>")        \
            JOINT("s", "prismatic", "arm", "bead", "<origin xyz='0 0.2 0'/><axis xyz='1 1 0'/>") "</robot>"
    const double q[3] = {0.3, -0.5, 0.2};
    double M[2][9], g[2][3];
    (void)unused;
    matrix_of(POINTS("0"), NULL, q, M[0], g[0]);
    matrix_of(POINTS("1e-11"), NULL, q, M[1], g[1]);
    suite_near("inertia", M[0], M[1], 9, 1e-10, 1);
    suite_near("gravity", g[0], g[1], 3, 1e-12, 10);
}

/* Point masses that the motion does not allow: on the axis of a hinge, or on a ball. */
static void pointless(void **unused)
{
    static const char text[] = "<robot name='r'><link name='w'/><link name='arm'>" POINT(
        "1", "0 0.3 0", "0") "</link>" JOINT("a", "continuous", "w", "arm", "<axis xyz='0 1 0'/>") "</robot>";
    lg_mechanism_file options = lg_mechanism_file_default();
    double M, g;
    lg_mechanism *m = NULL;
    (void)unused;
    suite_status("on the axis", mb_read_text(&m, "text", text, sizeof text - 1, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), "link 'arm' has no inertia about an axis");
    suite_contains("message", lg_mechanism_message(m), "least inertia");
    lg_mechanism_destroy(m);
    options.least_inertia = 1e-5;
    matrix_of(text, &options, (const double[1]){0}, &M, &g);
    suite_near1("inertia", M, 1e-5, 1e-15, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_hinges),
        cmocka_unit_test(references),
        cmocka_unit_test(planar_base),
        cmocka_unit_test(light_links),
        cmocka_unit_test(ends),
        cmocka_unit_test(least),
        cmocka_unit_test(left_out),
        cmocka_unit_test(held),
        cmocka_unit_test(unbalanced),
        cmocka_unit_test(composed_loop),
        cmocka_unit_test(point_pendulums),
        cmocka_unit_test(point_masses),
        cmocka_unit_test(pointless),
    };
    suite_begin("multibody/files_massless");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
