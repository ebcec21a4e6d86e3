/* SPDX-License-Identifier: BSD-3-Clause */
/* Redundant rows and singular configurations: messages name redundant rows; mechanisms that are assembled flat or
 * stretched, rows that contradict each other, joints that are turned over and passages through singular configurations
 * are refused with a message, and leave the state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_mechanisms.h"

static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

static lg_mechanism *empty(void)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    return m;
}

/* Cranks of length 1 on pivots 2 m apart, a coupler of 2 m: a parallelogram. `tilt` turns the last axis. */
static lg_mechanism *four_bar(double angle, double gravity, double tilt)
{
    const double c = cos(angle), s = sin(angle), g[3] = {0, -gravity, 0};
    const double A[3] = {0, 0, 0}, B[3] = {c, s, 0}, C[3] = {2 + c, s, 0}, D[3] = {2, 0, 0}, axis[3] = {tilt, 0, 1};
    lg_mechanism *m = empty();
    mechanism_well(lg_mechanism_set_gravity(m, g), m);
    mechanism_add_body(m, "crank", 0.5 * c, 0.5 * s, 0);
    mechanism_add_body(m, "coupler", 1 + c, s, 0);
    mechanism_add_body(m, "rocker", 2 + 0.5 * c, 0.5 * s, 0);
    mechanism_add_joint(m, "hip", LG_JOINT_REVOLUTE, NULL, "crank", A, z_axis);
    mechanism_add_joint(m, "knee", LG_JOINT_REVOLUTE, "crank", "coupler", B, z_axis);
    mechanism_add_joint(m, "ankle", LG_JOINT_REVOLUTE, "coupler", "rocker", C, z_axis);
    mechanism_add_joint(m, "toe", LG_JOINT_REVOLUTE, NULL, "rocker", D, axis);
    return m;
}

static void refused(lg_mechanism *m, lg_status want, const char *text, const char *name)
{
    suite_status(lg_mechanism_message(m), lg_mechanism_compile(m), want);
    suite_contains("what", lg_mechanism_message(m), text);
    suite_contains("where", lg_mechanism_message(m), name);
    lg_mechanism_destroy(m);
}

/* A step that runs away far from singular configurations is too large, and nothing else. */
static void too_large(void **unused)
{
    (void)unused;
    for (int i = 0; i < 12; i++) {
        const double v = i < 6 ? 100 : 1000, h = 0.05 * (1 + i % 6);
        suite_case("%g rad/s, h = %g", v, h);
        lg_mechanism *m = four_bar(1, 9.81, 0);
        mechanism_well(lg_mechanism_compile(m), m);
        lg_motion *mo;
        motion_well(motion_create(&mo, m, NULL, h), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, (double[3]){v, -v, 0}, 1), mo);
        assert_int_not_equal(lg_motion_step(mo, 1), LG_OK);
        suite_contains("what", lg_motion_message(mo), "take a smaller step");
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

static void sentences(void **unused)
{
    (void)unused;
    lg_mechanism *m = four_bar(1, 9.81, 0);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_mechanism_row_count(m), 20);
    assert_int_equal(lg_mechanism_rank(m), 17);
    assert_string_equal(lg_mechanism_redundant(m, 0),
                        "joint 'toe': rows 3, 4 and 5 depend on those of 'hip', 'knee' and 'ankle'");
    assert_null(lg_mechanism_redundant(m, 1));
    assert_null(lg_mechanism_redundant(m, -1));
    lg_mechanism_destroy(m);
}

static void singular_assemblies(void **unused)
{
    static const double zero[3] = {0, 0, 0}, middle[3] = {1, 0, 0}, end[3] = {2, 0, 0};
    (void)unused;
    suite_case("flat four-bar");
    refused(four_bar(0, 9.81, 0), LG_ERROR_SINGULAR, "singular configuration", "'toe'");
    suite_case("nearly flat four-bar");
    refused(four_bar(1e-8, 9.81, 0), LG_ERROR_SINGULAR, "singular configuration", "'toe'");
    suite_case("a tilted axis");
    refused(four_bar(1, 9.81, 1e-9), LG_ERROR_ARGUMENT, "exact to 1e-12", "'toe'");
    suite_case("an axis that locks");
    refused(four_bar(1, 9.81, 1e-5), LG_ERROR_ARGUMENT, "nothing can move", "'toe'");
    suite_case("a stretched chain");
    lg_mechanism *m = empty();
    mechanism_add_body(m, "left", 0.5, 0, 0);
    mechanism_add_body(m, "right", 1.5, 0, 0);
    mechanism_add_joint(m, "wall", LG_JOINT_SPHERICAL, NULL, "left", zero, z_axis);
    mechanism_add_joint(m, "link", LG_JOINT_SPHERICAL, "left", "right", middle, z_axis);
    mechanism_add_joint(m, "other wall", LG_JOINT_SPHERICAL, NULL, "right", end, z_axis);
    refused(m, LG_ERROR_SINGULAR, "stretched", "'other wall'");
    suite_case("collinear distances");
    m = empty();
    mechanism_add_body(m, "ball", 1, 0, 0);
    for (int i = 0; i < 2; i++) {
        lg_joint d = lg_joint_default(i ? "right rod" : "left rod", LG_JOINT_DISTANCE, NULL, "ball");
        d.parent_point[0] = 2 * i;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &d), m);
    }
    refused(m, LG_ERROR_SINGULAR, "singular configuration", "'right rod'");
}

/* Two wheels of one axle that ask for different velocities along it. */
static void grounds(void **unused)
{
    (void)unused;
    for (int belts = 0; belts < 2; belts++) {
        lg_mechanism *m = empty();
        mechanism_add_body(m, "axle", 0, 0, 0.3);
        for (int i = 0; i < 2; i++) {
            lg_wheel w = lg_wheel_default(i ? "right" : "left", "axle");
            w.radius = 0.3, w.centre[1] = i ? -0.5 : 0.5;
            w.ground_velocity[1] = i && belts ? 0.5 : 0.2;
            mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
        }
        if (belts) {
            refused(m, LG_ERROR_ARGUMENT, "moving ground", "'right'");
            continue;
        }
        mechanism_well(lg_mechanism_compile(m), m);
        assert_string_equal(lg_mechanism_redundant(m, 0), "wheel 'right': row 3 depends on those of 'left'");
        lg_mechanism_destroy(m);
    }
}

/* The branch of a parallelogram, 0, and the other, on which its cranks turn against each other. */
static int branch(const lg_motion *mo)
{
    double hip, toe;
    suite_ok("hip", lg_motion_joint(mo, &hip, NULL, 0));
    suite_ok("toe", lg_motion_joint(mo, &toe, NULL, 3));
    return fabs(sin(0.5 * (hip - toe))) > 1e-6;
}

/* A step of `mo`, and of a motion that reads its checkpoint, which therefore contains all that a refusal depends on. */
static lg_status step_both(lg_motion *mo, lg_motion *other)
{
    const size_t size = lg_motion_saved_bytes(mo);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    suite_ok("save", lg_motion_save(mo, bytes, size));
    motion_well(lg_motion_load(other, bytes, size), other);
    const lg_status st = lg_motion_step(mo, 1);
    suite_status("the one that read", lg_motion_step(other, 1), st);
    assert_string_equal(lg_motion_message(other), lg_motion_message(mo));
    free(bytes);
    return st;
}

/* Runs into the flat configuration at angle -1 until the motion is refused. */
static void passage(double h, double rate, double gravity, int halvings)
{
    lg_mechanism *m = four_bar(1, gravity, 0);
    lg_motion *mo, *other;
    const double v[3] = {-rate, rate, -rate};
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, h), mo);
    motion_well(motion_create(&other, m, NULL, h), other);
    motion_well(lg_motion_set_halvings(mo, halvings), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    const double H = lg_motion_energy(mo);
    double before[24], after[24];
    lg_status st = LG_OK;
    for (int k = 0; k < 300 && st == LG_OK; k++) {
        for (int b = 0; b < 3; b++) suite_ok("pose", lg_motion_body_pose(mo, before + 7 * b, b));
        before[21] = lg_motion_time(mo), before[22] = lg_motion_energy(mo), before[23] = lg_motion_gap(mo);
        st = step_both(mo, other);
        suite_near1("energy", lg_motion_energy(mo), H, 1e-10, fabs(H) + 30);
        assert_int_equal(branch(mo), 0);
    }
    if (st != LG_OK) {
        for (int b = 0; b < 3; b++) suite_ok("pose", lg_motion_body_pose(mo, after + 7 * b, b));
        after[21] = lg_motion_time(mo), after[22] = lg_motion_energy(mo), after[23] = lg_motion_gap(mo);
        suite_same_bits("the state after a refusal", after, before, 24);
        assert_true(st == LG_ERROR_SINGULAR || st == LG_ERROR_CONVERGENCE);
        suite_status("no wrench of a step that failed", lg_motion_joint_wrench(mo, after, 0), LG_ERROR_ARGUMENT);
    }
    lg_motion_destroy(mo), lg_motion_destroy(other);
    lg_mechanism_destroy(m);
}

static void add_link(lg_mechanism *m, const char *name, double mass, double length, double x, double y)
{
    lg_body b = lg_body_default(name);
    b.mass = mass, b.position[0] = x, b.position[1] = y;
    for (int k = 0; k < 3; k++) b.inertia[k] = mass * length * length / 12;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
}

/* Cranks of 1 m on pivots that are `apart`. */
static lg_mechanism *parallelogram(double angle, double apart, const double *mass, const double *gravity)
{
    const double c = cos(angle), s = sin(angle);
    const double A[3] = {0, 0, 0}, B[3] = {c, s, 0}, C[3] = {apart + c, s, 0}, D[3] = {apart, 0, 0};
    lg_mechanism *m = empty();
    mechanism_well(lg_mechanism_set_gravity(m, gravity), m);
    add_link(m, "crank", mass[0], 1, 0.5 * c, 0.5 * s);
    add_link(m, "coupler", mass[1], 1, c + 0.5 * apart, s);
    add_link(m, "rocker", mass[2], 1, apart + 0.5 * c, 0.5 * s);
    mechanism_add_joint(m, "hip", LG_JOINT_REVOLUTE, NULL, "crank", A, z_axis);
    mechanism_add_joint(m, "knee", LG_JOINT_REVOLUTE, "crank", "coupler", B, z_axis);
    mechanism_add_joint(m, "ankle", LG_JOINT_REVOLUTE, "coupler", "rocker", C, z_axis);
    mechanism_add_joint(m, "toe", LG_JOINT_REVOLUTE, NULL, "rocker", D, z_axis);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* A heavy link takes light ones through the flat configuration: the kinetic metric hardly sees these turn back. Steps
 * that succeed stay on the parallelogram's branch. */
static void light_links(void **unused)
{
    static const struct {
        double angle, apart, rate, h, mass[3];
    } cases[] = {{-0.01244, 1.14851, -1.44861, 0.0157824, {1.17581, 1.85538, 86.7794}},
                 {0.00422986, 0.668723, 1.67398, 0.00397257, {0.577762, 0.0984419, 24.7727}},
                 {2.95605, 0.374495, -7.50816, 0.00909462, {0.277286, 0.329392, 2.31932}},
                 {0.451148, 0.561593, -6.43055, 0.00398184, {0.189662, 0.237607, 0.303035}},
                 {3.13708, 0.756868, 2.81819, 0.0588883, {3.97722, 5.67044, 67.7431}},
                 {-0.0193786, 0.579928, -0.409876, 0.161404, {0.0450042, 0.0297151, 60.4221}}};
    static const double gravities[2][3] = {{0, 0, 0}, {0, -9.81, 0}};
    int steps = 0;
    (void)unused;
    for (int i = 0; i < 12; i++) {
        const double w = cases[i / 2].rate, v[3] = {w, -w, w};
        suite_case("light links %d", i);
        lg_mechanism *m = parallelogram(cases[i / 2].angle, cases[i / 2].apart, cases[i / 2].mass, gravities[i % 2]);
        lg_motion *mo;
        motion_well(motion_create(&mo, m, NULL, cases[i / 2].h), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
        for (int k = 0; k < 130 && lg_motion_step(mo, 1) == LG_OK; k++, steps++) assert_int_equal(branch(mo), 0);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    suite_above("steps", steps, 50);
}

static void passages(void **unused)
{
    static const double steps[] = {0.05, 0.03, 0.02, 0.007};
    (void)unused;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 12; k++)
            for (int g = 0; g < 2; g++) {
                suite_case("h = %g, rate %d, gravity %d", steps[i], k, g);
                passage(steps[i], 3 + 0.37 * k, 9.81 * g, k % 2 ? 0 : 6);
            }
}

/* A three-link arm with frames on its bodies, from poses that are off by so much. */
static void approximate(double off, int turned, lg_rng *rng)
{
    static const char *const names[] = {"upper", "lower", "hand"};
    lg_mechanism *m = empty();
    for (int b = 0; b < 3; b++) {
        double e[7];
        suite_normal(e, 7, rng);
        lg_body d = lg_body_default(names[b]);
        d.mass = 1, d.inertia[0] = d.inertia[1] = d.inertia[2] = 0.02;
        for (int k = 0; k < 3; k++) d.position[k] = (k == 2 ? -0.5 - b : 0) + off * e[k];
        double q[4] = {off * e[3], off * e[4], off * e[5], 1};
        if (turned == b + 1) q[0] = 1, q[3] = 0;
        lg_status_ignore(lg_so3_project(d.attitude, q));
        mechanism_well(lg_mechanism_add_body(m, NULL, &d), m);
        lg_joint j = lg_joint_default(names[b], b == 1 ? LG_JOINT_UNIVERSAL : LG_JOINT_REVOLUTE,
                                      b ? names[b - 1] : NULL, names[b]);
        j.on_bodies = 1, j.parent_point[2] = b ? -0.5 : 0, j.child_point[2] = 0.5;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    lg_motion *mo;
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    suite_below("gap", lg_motion_gap(mo), 1e-13);
    double pose[7];
    const double up[3] = {0, 0, 1};
    double axis[3];
    suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
    lg_so3_act(axis, pose + 3, up);
    suite_above("the axis points up", axis[2], 0.999);
    motion_well(lg_motion_step(mo, 10), mo);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void assemblies(void **unused)
{
    lg_rng rng = suite_rng(1);
    (void)unused;
    for (int i = 0; i < 40; i++) {
        const double off = pow(10, -3 + 0.07 * i);
        suite_case("poses off by %g", off);
        approximate(off, i % 4, &rng);
    }
}

/* A wheel above or below its ground; a disk that lies flat; a loop that is too short. */
static void wheels_and_parts(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        lg_mechanism *m = empty();
        mechanism_add_body(m, "disk", 0.1, 0.2, i == 0 ? 5 : -2);
        lg_wheel w = lg_wheel_default("tyre", "disk");
        w.radius = 0.5;
        if (i == 2) w.axle[1] = 0, w.axle[2] = 1;
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
        if (i == 2) {
            refused(m, LG_ERROR_CONVERGENCE, "flat", "'tyre'");
            continue;
        }
        mechanism_well(lg_mechanism_compile(m), m);
        lg_motion *mo;
        double pose[7];
        motion_well(motion_create(&mo, m, NULL, 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
        suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
        suite_near1("height", pose[2], 0.5, 1e-12, 1);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    lg_mechanism *m = four_bar(1, 9.81, 0);
    lg_joint d = lg_joint_default("rod", LG_JOINT_DISTANCE, NULL, "coupler");
    d.parent_point[1] = 9, d.length = 0.5;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &d), m);
    refused(m, LG_ERROR_CONVERGENCE, "do not close", "'rod'");
}

/* A pendulum of any size closes: lengths are small relative to the mechanism. */
static void sizes(void **unused)
{
    static const double zero[3] = {0, 0, 0};
    (void)unused;
    for (int i = -4; i <= 5; i++) {
        const double size = pow(10, i);
        suite_case("size %g", size);
        lg_mechanism *m = empty();
        lg_motion *mo;
        lg_body b = lg_body_default("bob");
        b.mass = 1, b.position[0] = 0.6 * size, b.position[2] = -0.8 * size;
        for (int k = 0; k < 3; k++) b.inertia[k] = 0.02 * size * size;
        mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
        mechanism_add_joint(m, "pivot", LG_JOINT_REVOLUTE, NULL, "bob", zero, y_axis);
        mechanism_well(lg_mechanism_compile(m), m);
        motion_well(motion_create(&mo, m, NULL, 0.01 * sqrt(size)), mo);
        motion_well(lg_motion_start_joints(mo, 0, (const double[1]){1}, NULL, 1), mo);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_step(mo, 50), mo);
        suite_near1("energy", lg_motion_energy(mo), H, 1e-13, 9.81 * size);
        suite_below("gap", lg_motion_gap(mo), 1e-14 * fmax(1, size));
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* At rest without gravity all is rounding, and nothing moves. */
static void rest(void **unused)
{
    static const double none[3] = {0, 0, 0};
    lg_rng rng = suite_rng(2);
    int at_rest = 0;
    (void)unused;
    for (int i = 0; i < 60; i++) {
        random_mechanism r;
        lg_motion *mo;
        suite_case("at rest %d", i);
        random_mechanism_draw(&r, (random_family)(i % RANDOM_NEARLY), 2 + i % 7, 1, &rng);
        mechanism_well(lg_mechanism_set_gravity(r.m, none), r.m);
        if (lg_mechanism_compile(r.m) == LG_OK) {
            at_rest++;
            motion_well(motion_create(&mo, r.m, NULL, 0.004 * sqrt(r.size)), mo);
            motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
            motion_well(lg_motion_step(mo, 20), mo);
            lg_motion_destroy(mo);
        }
        lg_mechanism_destroy(r.m);
    }
    suite_above("mechanisms at rest", at_rest, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences),  cmocka_unit_test(too_large),        cmocka_unit_test(singular_assemblies),
        cmocka_unit_test(grounds),    cmocka_unit_test(passages),         cmocka_unit_test(light_links),
        cmocka_unit_test(assemblies), cmocka_unit_test(wheels_and_parts), cmocka_unit_test(sizes),
        cmocka_unit_test(rest),
    };
    suite_begin("multibody/singular");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
