/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms from files: the samples, URDF and MJCF element by element against what they mean. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/mechanism.h"
#include "support/mechanisms.h"

#define ROBOTS LG_TEST_DATA "/../../examples/robots/"

/* ---- reading ---- */

static lg_mechanism *read_sample(const char *name, const lg_mechanism_file *options)
{
    char path[512];
    lg_mechanism *m;
    (void)snprintf(path, sizeof path, ROBOTS "%s", name);
    suite_case("%s", name);
    const lg_status st = lg_mechanism_read(&m, path, options);
    mechanism_well(st, m);
    return m;
}

static lg_motion *started(lg_mechanism *m, double h, const double *q)
{
    lg_motion *mo;
    mechanism_well(lg_mechanism_compile(m), m);
    suite_ok("motion", motion_create(&mo, m, NULL, h));
    motion_well(lg_motion_start_joints(mo, 0, q, NULL, 1), mo);
    return mo;
}

static void finish(lg_motion *mo, lg_mechanism *m)
{
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* ---- samples ---- */

/* Energy balance, gap and slip of each sample over a second under small torques. */
static void samples(void **unused)
{
    static const struct {
        const char *name;
        int bodies, joints, wheels, motors, freedoms;
    } files[] = {{"arm.urdf", 7, 7, 0, 7, 7},    {"fourbar.urdf", 3, 4, 0, 3, 1}, {"quadruped.urdf", 12, 12, 0, 12, 12},
                 {"rover.urdf", 5, 4, 3, 4, 2},  {"scara.urdf", 6, 6, 0, 5, 5},   {"cart_pole.xml", 2, 2, 0, 1, 2},
                 {"fourbar.xml", 3, 4, 0, 1, 1}, {"mecanum.urdf", 5, 4, 4, 4, 3}};
    (void)unused;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        lg_mechanism *m = read_sample(files[i].name, NULL);
        lg_motion *mo = started(m, 0.002, NULL);
        double u[16];
        assert_int_equal(lg_mechanism_body_count(m), files[i].bodies);
        assert_int_equal(lg_mechanism_joint_count(m), files[i].joints);
        assert_int_equal(lg_mechanism_wheel_count(m), files[i].wheels);
        assert_int_equal(lg_mechanism_motor_count(m), files[i].motors);
        assert_int_equal(lg_mechanism_freedoms(m), files[i].freedoms);
        for (int k = 0; k < 16; k++) u[k] = 0.02 * (k + 1);
        motion_well(lg_motion_set_control(mo, u), mo);
        const double H0 = lg_motion_energy(mo);
        motion_well(lg_motion_step(mo, 500), mo);
        suite_below("balance", fabs(lg_motion_energy(mo) - H0 - lg_motion_work(mo)), 1e-11 * (1 + fabs(H0)));
        suite_above("it moves", fabs(lg_motion_work(mo)), 1e-9);
        suite_below("gap", lg_motion_gap(mo), 1e-13);
        suite_below("slip", lg_motion_slip(mo), 1e-12);
        finish(mo, m);
    }
}

/* The arm of the file moves as that of the gallery. */
static void arm_moves_as_the_gallerys(void **unused)
{
    (void)unused;
    lg_mechanism *m = read_sample("arm.urdf", NULL), *g;
    lg_motion *mo = started(m, 0.005, NULL), *gallery;
    const int arm = lg_gallery_index("arm");
    const double torque[7] = {2, -20, 1, -8, 0.3, -1, 0.1};
    suite_ok("gallery", lg_gallery_create(&g, arm));
    suite_ok("motion", motion_create(&gallery, g, NULL, 0.005));
    motion_well(lg_gallery_start(gallery, arm), gallery);
    motion_well(lg_motion_set_control(mo, torque), mo);
    for (int i = 0; i < 4; i++) {
        double q[7], v[7], want_q[7], want_v[7];
        motion_well(lg_motion_step(mo, 25), mo);
        motion_well(lg_motion_step(gallery, 25), gallery);
        motion_well(lg_motion_positions(mo, q, v), mo);
        motion_well(lg_motion_positions(gallery, want_q, want_v), gallery);
        suite_near("positions", q, want_q, 7, 1e-12, 1);
        suite_near("velocities", v, want_v, 7, 1e-11, 1);
    }
    finish(mo, m);
    finish(gallery, g);
}

/* tool0 has no mass and became part of link7. */
static void merged_links_are_found(void **unused)
{
    (void)unused;
    lg_mechanism *m = read_sample("arm.urdf", NULL);
    double pose[7], half = sqrt(0.5);
    int body;
    suite_ok("link", lg_mechanism_link(m, &body, pose, "tool0"));
    assert_int_equal(body, lg_mechanism_body(m, "link7"));
    suite_near("pose", pose, (const double[7]){0, 0, 0.1, 0, 0, half, half}, 7, 1e-15, 1);
    suite_ok("link", lg_mechanism_link(m, &body, pose, "link3"));
    assert_int_equal(body, 2);
    suite_near("pose", pose, (const double[7]){0, 0, 0, 0, 0, 0, 1}, 7, 0, 1);
    suite_ok("link", lg_mechanism_link(m, &body, NULL, "base_link"));
    assert_int_equal(body, -1);
    suite_status("link", lg_mechanism_link(m, &body, NULL, "nobody"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_mechanism_body(m, "tool0"), -1);
    assert_true(mechanism_remarked(m, "arm.urdf:12: meshes of package 'arm_description' are not shown: it is not found"));
    assert_true(mechanism_remarked(m, "<gazebo> is not read"));
    assert_null(lg_mechanism_remark(m, lg_mechanism_remark_count(m)));
    lg_mechanism_destroy(m);
}

/* A root that floats falls freely; links that fixed joints connect move as one, merged or not. */
static void quadruped_falls(void **unused)
{
    (void)unused;
    lg_mechanism_file options = lg_mechanism_file_default();
    double P[3], pose[2][7], mass = 6.9 + 0.001 + 4 * (0.6 + 1.0 + 0.2 + 0.06);
    options.root = LG_ROOT_FLOATING, options.position[2] = 3;
    for (int keep = 0; keep < 2; keep++) {
        options.keep_fixed = keep;
        lg_mechanism *m = read_sample("quadruped.urdf", &options);
        lg_motion *mo = started(m, 0.001, NULL);
        assert_int_equal(lg_mechanism_body_count(m), keep ? 18 : 13);
        assert_int_equal(lg_mechanism_freedoms(m), 18);
        motion_well(lg_motion_set_control(mo, (const double[12]){1, -1, 2, 0.5, 1, 1, -1, 1, 0.2, 0.1, 0.5, 1}), mo);
        motion_well(lg_motion_step(mo, 100), mo);
        motion_well(lg_motion_momentum(mo, P, NULL), mo);
        suite_near("momentum", P, (const double[3]){0, 0, -mass * 9.81 * 0.1}, 3, 1e-12, mass);
        motion_well(lg_motion_body_pose(mo, pose[keep], lg_mechanism_body(m, "RL_calf")), mo);
        finish(mo, m);
    }
    suite_near("merged and not", pose[0], pose[1], 7, 1e-5, 1);
}

static void gripper_mimics(void **unused)
{
    (void)unused;
    lg_mechanism *m = read_sample("scara.urdf", NULL);
    lg_motion *mo = started(m, 0.002, NULL);
    double left, right;
    assert_int_equal(lg_mechanism_motor_count(m), 5); /* none for the joint that mimics */
    motion_well(lg_motion_set_control(mo, (const double[5]){1, 0, 0, 0, 0.5}), mo);
    motion_well(lg_motion_step(mo, 50), mo);
    motion_well(lg_motion_joint(mo, &left, NULL, lg_mechanism_joint(m, "left_finger_joint")), mo);
    motion_well(lg_motion_joint(mo, &right, NULL, lg_mechanism_joint(m, "right_finger_joint")), mo);
    suite_above("the finger moves", fabs(left), 1e-3);
    suite_near1("mimic", right, left, 1e-15, 1);
    finish(mo, m);
}

/* The wheels of the rover turn at the rates of its course. */
static void rover_rolls(void **unused)
{
    (void)unused;
    lg_mechanism *m = read_sample("rover.urdf", NULL);
    lg_motion *mo = started(m, 0.002, NULL);
    double twist[6], rate[2];
    int base;
    suite_ok("link", lg_mechanism_link(m, &base, NULL, "base_footprint"));
    motion_well(lg_motion_set_control(mo, (const double[4]){0.3, 0.1, 0, 0}), mo);
    motion_well(lg_motion_step(mo, 500), mo);
    motion_well(lg_motion_joint(mo, NULL, &rate[0], lg_mechanism_joint(m, "left_wheel_joint")), mo);
    motion_well(lg_motion_joint(mo, NULL, &rate[1], lg_mechanism_joint(m, "right_wheel_joint")), mo);
    motion_well(lg_motion_body_twist(mo, twist, base), mo);
    suite_near1("spin", twist[5], (rate[1] - rate[0]) * 0.1 / 0.4, 1e-12, 1);
    suite_above("it drives", fabs(rate[0]), 0.5);
    finish(mo, m);
}

/* Opposite torques front and rear drive the base to its left, and nowhere else. */
static void mecanum_drives_sideways(void **unused)
{
    (void)unused;
    lg_mechanism *m = read_sample("mecanum.urdf", NULL);
    lg_motion *mo = started(m, 0.002, NULL);
    double twist[6];
    motion_well(lg_motion_set_control(mo, (const double[4]){-0.3, 0.3, 0.3, -0.3}), mo);
    motion_well(lg_motion_step(mo, 500), mo);
    motion_well(lg_motion_body_twist(mo, twist, lg_mechanism_body(m, "base")), mo);
    suite_above("to the left", twist[1], 0.4);
    twist[1] = 0;
    suite_near("and nowhere else", twist, (const double[6]){0}, 6, 1e-12, 1);
    finish(mo, m);
}

/* One four-bar in both formats; the step of MJCF is kept. */
static void both_formats_agree(void **unused)
{
    (void)unused;
    double q[2][3];
    for (int i = 0; i < 2; i++) {
        lg_mechanism *m = read_sample(i ? "fourbar.xml" : "fourbar.urdf", NULL);
        suite_near1("step", lg_mechanism_file_step(m), i ? 0.002 : 0, 0, 1);
        lg_motion *mo = started(m, 0.0005, NULL);
        motion_well(lg_motion_step(mo, 600), mo);
        for (int k = 0; k < 3; k++) motion_well(lg_motion_joint(mo, &q[i][k], NULL, k), mo);
        finish(mo, m);
    }
    suite_above("it moves", fabs(q[0][0]), 0.1);
    suite_near("angles", q[0], q[1], 3, 1e-5, 1);
}

/* ---- what values mean ---- */

static const lg_body *body_of(const lg_mechanism *m, const char *name)
{
    return MB_BODY(m, lg_mechanism_body(m, name));
}

/* Roll, pitch and yaw about fixed axes; inertia turned; bodies of fixed links summed up. */
static void places_and_inertia(void **unused)
{
    (void)unused;
    const double a = 0.3, b = -0.7, c = 1.1;
    const double R[9] = {cos(c) * cos(b),
                         cos(c) * sin(b) * sin(a) - sin(c) * cos(a),
                         cos(c) * sin(b) * cos(a) + sin(c) * sin(a),
                         sin(c) * cos(b),
                         sin(c) * sin(b) * sin(a) + cos(c) * cos(a),
                         sin(c) * sin(b) * cos(a) - cos(c) * sin(a),
                         -sin(b),
                         cos(b) * sin(a),
                         cos(b) * cos(a)};
    lg_mechanism *m =
        mechanism_of_text("<robot name='r'><link name='base'/>"
                          "<link name='one'><inertial><origin xyz='0.1 0.2 0.3' rpy='0.3 -0.7 1.1'/><mass value='2'/>"
                          "<inertia ixx='0.2' iyy='0.3' izz='0.4' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                          "<link name='two'><inertial><origin xyz='0 0 1'/><mass value='3'/></inertial></link>"
                          "<joint name='j' type='continuous'><parent link='base'/><child link='one'/>"
                          "<origin xyz='1 2 3' rpy='0.3 -0.7 1.1'/><axis xyz='0 0 2'/></joint>"
                          "<joint name='k' type='fixed'><parent link='one'/><child link='two'/><origin xyz='0 1 0' "
                          "rpy='1.5707963267948966 0 "
                          "0'/></joint></robot>",
                          NULL);
    const lg_body *one = body_of(m, "one");
    double Q[9], want[6], point[3];
    lg_so3_to_matrix(Q, one->attitude);
    suite_near("attitude", Q, R, 9, 1e-15, 1);
    suite_near("position", one->position, (const double[3]){1, 2, 3}, 3, 0, 1);
    suite_near1("mass", one->mass, 5, 0, 1);
    /* two's point of 3 kg is at (0, 1, 0) + (0, -1, 0) of one */
    memcpy(point, (const double[3]){0.1 * 2 / 5, 0.2 * 2 / 5, 0.3 * 2 / 5}, sizeof point);
    suite_near("centre", one->centre, point, 3, 1e-15, 1);
    const double d[3] = {0.1, 0.2, 0.3}, mu = 2 * 3 / 5.0;
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int i = 0; i < 6; i++) {
        const int x = at[i][0], y = at[i][1];
        want[i] = mu * ((x == y ? 0.14 : 0) - d[x] * d[y]);
        for (int k = 0; k < 3; k++) want[i] += R[3 * x + k] * (0.2 + 0.1 * k) * R[3 * y + k];
    }
    suite_near("inertia", one->inertia, want, 6, 1e-15, 1);
    lg_mechanism_destroy(m);
}

/* Real files contain inertias that no distribution of mass has, and links with inertia but no mass: both are used
 * unchanged, with a remark. */
static void odd_inertia(void **unused)
{
    (void)unused;
    lg_mechanism *m = mechanism_of_text(
        "<robot name='r'><link name='base'/><link name='one'><inertial><mass value='2'/>"
        "<inertia ixx='1.05' iyy='1.05' izz='1' ixy='0.55'/></inertial></link>"
        "<link name='two'><inertial><mass value='0'/><inertia ixx='1' iyy='2' izz='3'/></inertial></link>"
        "<joint name='j' type='continuous'><parent link='base'/><child link='one'/></joint>"
        "<joint name='k' type='fixed'><parent link='one'/><child link='two'/></joint></robot>",
        NULL);
    assert_true(mechanism_remarked(m, "link 'one': no distribution of mass has its inertia")); /* 0.5, 1, 1.6 */
    assert_true(mechanism_remarked(m, "link 'two' has an inertia but no mass"));
    suite_near("inertia", body_of(m, "one")->inertia, (const double[6]){2.05, 3.05, 4, 0.55, 0, 0}, 6, 1e-15, 4);
    lg_mechanism_destroy(m);
}

#define INERTIAL "<inertial pos='0 0 0.1' mass='1' diaginertia='0.1 0.1 0.1'/>"

/* The pose of a body of MJCF at these positions of its joints. */
static void pose_at(const char *joints, const double *q, double *pose)
{
    char text[1024];
    (void)snprintf(text, sizeof text,
                   "<mujoco><worldbody><body name='b' pos='1 2 3' euler='30 20 10'>" INERTIAL
                   "%s</body></worldbody></mujoco>",
                   joints);
    lg_mechanism *m = mechanism_of_text(text, NULL);
    lg_motion *mo = started(m, 0.01, q);
    suite_case("%s", joints);
    motion_well(lg_motion_body_pose(mo, pose, 0), mo);
    finish(mo, m);
}

/* g <- g moved by one joint: along its axis, or about it through the point. */
static void move(double *g, int slides, const double *axis, const double *point, double q)
{
    double to[7] = {0, 0, 0, 0, 0, 0, 1}, back[7] = {0, 0, 0, 0, 0, 0, 1}, turn[7] = {0, 0, 0, 0, 0, 0, 1}, w[3];
    for (int k = 0; k < 3; k++) to[k] = point[k], back[k] = -point[k], w[k] = q * axis[k];
    if (slides)
        memcpy(turn, w, sizeof w);
    else
        lg_so3_exp(turn + 3, w);
    lg_se3_compose(g, g, to);
    lg_se3_compose(g, g, turn);
    lg_se3_compose(g, g, back);
}

static void same_pose(const double *got, const double *want)
{
    suite_near("position", got, want, 3, 1e-13, 1);
    suite_near1("attitude", lg_so3_distance(got + 3, want + 3), 0, 1e-7, 1);
}

/* Joints of MJCF act one after the other, each in the frame that those before have moved. */
static void several_joints(void **unused)
{
    (void)unused;
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1}, none[3] = {0, 0, 0},
                        p[3] = {0.1, 0.2, 0.3};
    const double radian = 3.14159265358979323846 / 180;
    double start[7] = {1, 2, 3, 0, 0, 0, 1}, want[7], got[7];
    suite_ok("euler", lg_so3_from_euler(start + 3, (const double[3]){30 * radian, 20 * radian, 10 * radian}, "XYZ"));

    memcpy(want, start, sizeof want);
    move(want, 0, y, p, 0.6), move(want, 0, x, p, -0.4);
    pose_at("<joint axis='0 1 0' pos='0.1 0.2 0.3'/><joint axis='1 0 0' pos='0.1 0.2 0.3'/>",
            (const double[]){0.6, -0.4}, got);
    same_pose(got, want);

    memcpy(want, start, sizeof want);
    move(want, 1, z, none, 0.5), move(want, 0, z, p, 0.9);
    pose_at("<joint type='slide'/><joint pos='0.1 0.2 0.3'/>", (const double[]){0.5, 0.9}, got);
    same_pose(got, want);

    /* x, z and y: the frame's first axis is z, since y x z = x */
    memcpy(want, start, sizeof want);
    move(want, 1, x, none, 0.2), move(want, 1, z, none, -0.3), move(want, 0, y, p, 0.7);
    pose_at("<joint type='slide' axis='1 0 0'/><joint type='slide'/><joint axis='0 1 0' pos='0.1 0.2 0.3'/>",
            (const double[]){-0.3, 0.2, 0.7}, got);
    same_pose(got, want);

    /* with ref the pose of the file is that at position ref */
    memcpy(want, start, sizeof want);
    move(want, 0, y, p, 0.6 - 45 * radian);
    pose_at("<joint axis='0 1 0' pos='0.1 0.2 0.3' ref='45'/>", (const double[]){0.6}, got);
    same_pose(got, want);
    memcpy(want, start, sizeof want);
    move(want, 1, y, none, 0.6 - 0.25);
    pose_at("<joint type='slide' axis='0 1 0' ref='0.25'/>", (const double[]){0.6}, got);
    same_pose(got, want);

    /* a free joint's position is its pose; a ball's rotation vector is in the axes of the body */
    pose_at("<freejoint/>", (const double[]){0.1, 0.2, 0.3, 0, 0, 0}, got);
    same_pose(got, (const double[]){0.1, 0.2, 0.3, 0, 0, 0, 1});
    memcpy(want, start, sizeof want);
    move(want, 0, (const double[]){0.4, -0.5, 0.6}, p, 1);
    pose_at("<joint type='ball' pos='0.1 0.2 0.3'/>", (const double[]){0.4, -0.5, 0.6}, got);
    same_pose(got, want);
}

/* Every way to write a rotation about z by 90 degrees; Euler sequences; radians. */
static void rotations(void **unused)
{
    (void)unused;
    static const char *const ways[] = {"quat='1 0 0 1'", "axisangle='0 0 2 90'", "euler='0 0 90'",
                                       "xyaxes='0 3 0 -1 1 0'"};
    const double half = sqrt(0.5);
    char text[512];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        (void)snprintf(text, sizeof text,
                       "<mujoco><worldbody><body name='b' %s>" INERTIAL "<joint/></body></worldbody></mujoco>",
                       ways[i]);
        lg_mechanism *m = mechanism_of_text(text, NULL);
        suite_case("%s", ways[i]);
        suite_near("attitude", body_of(m, "b")->attitude, (const double[4]){0, 0, half, half}, 4, 1e-15, 1);
        lg_mechanism_destroy(m);
    }
    lg_mechanism *m =
        mechanism_of_text("<mujoco><compiler angle='radian' eulerseq='ZYX'/><worldbody>"
                          "<body name='b' euler='0.3 -0.7 1.1'>" INERTIAL "<joint range='-1 0.5'/></body>"
                          "<body name='c' zaxis='0 1 1'>" INERTIAL "<joint name='k'/></body></worldbody></mujoco>",
                          NULL);
    double q[4], z[3];
    suite_ok("euler", lg_so3_from_euler(q, (const double[3]){0.3, -0.7, 1.1}, "zyx")); /* about fixed axes */
    suite_near("attitude", body_of(m, "b")->attitude, q, 4, 1e-15, 1);
    lg_so3_act(z, body_of(m, "c")->attitude, (const double[3]){0, 0, 1});
    suite_near("zaxis", z, (const double[3]){0, half, half}, 3, 1e-15, 1);
    suite_near1("upper", MB_JOINT_OF(m, 0)->upper, 0.5, 0, 1);
    lg_mechanism_destroy(m);
}

/* Classes inherit from those around them; what an element says itself counts. */
static void default_classes(void **unused)
{
    (void)unused;
    lg_mechanism *m =
        mechanism_of_text("<mujoco><option><flag gravity='disable'/></option><default><joint damping='1' axis='0 1 0'/>"
                          "<default class='a'>"
                          "<joint damping='2' range='-90 90'/><default class='b'>"
                          "<joint stiffness='5' springref='18'/></default></default>"
                          "</default><worldbody><body name='p'>" INERTIAL "<joint name='main'/>"
                          "<body name='q' childclass='a'>" INERTIAL "<joint name='of body'/>"
                          "<body name='r'>" INERTIAL
                          "<joint name='own' class='b' damping='7'/></body></body></body></worldbody></mujoco>",
                          NULL);
    const double damping[3] = {1, 2, 7}, right = 1.5707963267948966;
    for (int i = 0; i < 3; i++) {
        const lg_joint *j = MB_JOINT_OF(m, i);
        suite_case("%s", j->name);
        suite_near1("damping", j->damping, damping[i], 0, 1);
        suite_near1("axis", j->axis[1], 1, 0, 1);
        if (i > 0) suite_near1("upper", j->upper, right, 1e-15, 1);
        suite_near1("stiffness", j->stiffness, i == 2 ? 5 : 0, 0, 1);
        suite_near1("rest", j->rest, i == 2 ? right / 5 : 0, 1e-15, 1);
    }
    suite_near("gravity", m->gravity, (const double[3]){0, 0, 0}, 3, 0, 1);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples),
        cmocka_unit_test(arm_moves_as_the_gallerys),
        cmocka_unit_test(merged_links_are_found),
        cmocka_unit_test(quadruped_falls),
        cmocka_unit_test(gripper_mimics),
        cmocka_unit_test(rover_rolls),
        cmocka_unit_test(mecanum_drives_sideways),
        cmocka_unit_test(both_formats_agree),
        cmocka_unit_test(places_and_inertia),
        cmocka_unit_test(several_joints),
        cmocka_unit_test(odd_inertia),
        cmocka_unit_test(rotations),
        cmocka_unit_test(default_classes),
    };
    suite_begin("files");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
