/* SPDX-License-Identifier: BSD-3-Clause */
/* Wheels, springs, motors, dampers and gears: what they must keep, and what they may do to the energy. */
#include <math.h>
#include <string.h>

#include "support/mechanisms.h"

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

typedef struct vehicle_options {
    double ground_velocity, ground_spin, damping;
    int ball; /* a ball instead of the caster's wheel */
} vehicle_options;

static void add_body(lg_mechanism *m, const char *name, double mass, double inertia, const double *at)
{
    lg_body b = lg_body_default(name);
    b.mass = mass;
    for (int k = 0; k < 3; k++) b.inertia[k] = inertia * (1 + 0.1 * k), b.position[k] = at[k];
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
}

static void add_wheel(lg_mechanism *m, const char *name, const char *body, double radius, const vehicle_options *o)
{
    lg_wheel w = lg_wheel_default(name, body);
    w.radius = radius;
    w.ground_velocity[0] = o->ground_velocity, w.ground_spin = o->ground_spin;
    if (o->ball && strcmp(name, "caster wheel") == 0) w.kind = LG_WHEEL_BALL;
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
}

/* A chassis on two driven wheels and a caster. The driven wheels share an axle: one of their rows across is redundant.
 */
static lg_mechanism *vehicle(const vehicle_options *o)
{
    static const double chassis[3] = {0.1, 0, 0.15}, left[3] = {0, 0.2, 0.1}, right[3] = {0, -0.2, 0.1};
    static const double fork[3] = {0.38, 0, 0.1}, caster[3] = {0.36, 0, 0.05}, swivel[3] = {0.4, 0, 0.1};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    add_body(m, "chassis", 5, 0.1, chassis);
    add_body(m, "left", 0.5, 0.002, left);
    add_body(m, "right", 0.5, 0.002, right);
    add_body(m, "fork", 0.2, 0.001, fork);
    add_body(m, "caster", 0.2, 0.0005, caster);
    static const struct {
        const char *name, *parent, *child;
        const double *point, *axis;
    } joints[] = {{"left axle", "chassis", "left", left, y_axis},
                  {"right axle", "chassis", "right", right, y_axis},
                  {"swivel", "chassis", "fork", swivel, z_axis},
                  {"caster axle", "fork", "caster", caster, y_axis}};
    for (int i = 0; i < 4; i++) {
        lg_joint j = lg_joint_default(joints[i].name, LG_JOINT_REVOLUTE, joints[i].parent, joints[i].child);
        memcpy(j.point, joints[i].point, sizeof j.point), memcpy(j.axis, joints[i].axis, sizeof j.axis);
        j.damping = o->damping;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    add_wheel(m, "left wheel", "left", 0.1, o);
    add_wheel(m, "right wheel", "right", 0.1, o);
    add_wheel(m, "caster wheel", "caster", 0.05, o);
    const lg_motor a = lg_motor_default("left motor", "left axle"), b = lg_motor_default("right motor", "right axle");
    mechanism_well(lg_mechanism_add_motor(m, NULL, &a), m);
    mechanism_well(lg_mechanism_add_motor(m, NULL, &b), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void drive(const vehicle_options *o, const char *method, int rows, int rank)
{
    static const double u[2] = {0.3, 0.2};
    lg_mechanism *m = vehicle(o);
    lg_motion *mo;
    assert_int_equal(lg_mechanism_row_count(m), rows);
    assert_int_equal(lg_mechanism_rank(m), rank);
    motion_well(motion_create(&mo, m, method, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    motion_well(lg_motion_set_control(mo, u), mo);
    const double H = lg_motion_energy(mo);
    for (int i = 0; i < 5; i++) {
        motion_well(lg_motion_step(mo, 60), mo);
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-12, 1 + fabs(lg_motion_work(mo)));
        suite_below("gap", lg_motion_gap(mo), 1e-13);
        suite_below("slip", lg_motion_slip(mo), 1e-12);
    }
    suite_above("work of a motor", lg_motion_motor_work(mo, 0), 0.1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void vehicles(void **unused)
{
    static const vehicle_options options[] = {
        {0, 0, 0, 0}, {0, 0, 0.01, 0}, {0.2, 0, 0, 0}, {0, 0.3, 0, 0}, {0, 0.3, 0.01, 1}};
    (void)unused;
    for (int i = 0; i < 5; i++) {
        suite_case("vehicle %d", i);
        drive(&options[i], "sem", 29, 28);
    }
    suite_case("vehicle, order 4");
    drive(&options[1], "sem@suzuki4", 29, 28);
}

/* Two masses on a rail with springs, against the closed form of the midpoint rule. */
static void springs(void **unused)
{
    static const double origin[3] = {0, 0, 0}, at[3] = {1.3, 0, 0};
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    mechanism_well(lg_mechanism_create(&m), NULL);
    add_body(m, "mass", 2, 0.1, at);
    lg_joint rail = lg_joint_default("rail", LG_JOINT_PRISMATIC, NULL, "mass");
    memcpy(rail.point, origin, sizeof origin), memcpy(rail.axis, x_axis, sizeof x_axis);
    rail.on_bodies = 0, rail.stiffness = 3, rail.rest = 0.2;
    memcpy(rail.point, at, sizeof at);
    mechanism_well(lg_mechanism_add_joint(m, NULL, &rail), m);
    lg_spring s = lg_spring_default("spring", NULL, "mass");
    s.stiffness = 5, s.rest = 1;
    mechanism_well(lg_mechanism_add_spring(m, NULL, &s), m);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, 0.05), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    const double H = lg_motion_energy(mo);
    motion_well(lg_motion_step(mo, 200), mo);
    /* 2 x'' = -3 (x - 0.2) - 5 (x + 0.3) about x = -0.1125, frequency w with tan(w h/2) = h/2 sqrt(4) */
    double q, w = 2 / 0.05 * atan(0.05 / 2 * 2);
    suite_ok("position", lg_motion_joint(mo, &q, NULL, 0));
    suite_near1("position", q, -0.1125 + 0.1125 * cos(w * 10), 1e-11, 1);
    suite_near1("energy", lg_motion_energy(mo), H, 1e-12, fabs(H));
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* A spring whose ends meet, slack there, from its middle: the closed form of the midpoint rule. */
static void spring_without_length(void **unused)
{
    static const double at[3] = {0, 0, 0}, v[6] = {0.6, 0, 0.8, 0, 0, 0};
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_set_gravity(m, at), m);
    add_body(m, "mass", 2, 0.1, at);
    lg_spring s = lg_spring_default("spring", NULL, "mass");
    s.stiffness = 8;
    mechanism_well(lg_mechanism_add_spring(m, NULL, &s), m);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, 0.05), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    motion_well(lg_motion_step(mo, 3), mo); /* at rest in the middle */
    suite_near1("energy at rest", lg_motion_energy(mo), 0, 1e-30, 1);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    motion_well(lg_motion_step(mo, 200), mo);
    double pose[7];
    suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
    const double x = 0.5 * sin(2 / 0.05 * atan(0.05) * 10); /* frequency 2, its period a little longer */
    suite_near("position", pose, (const double[3]){0.6 * x, 0, 0.8 * x}, 3, 1e-12, 1);
    suite_near1("energy", lg_motion_energy(mo), 1, 1e-12, 1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* A pinion and a slider that a gear couples: the slider's mass acts as inertia. */
static void gears(void **unused)
{
    static const double a[3] = {0, 0, 0}, b[3] = {0, 2, 0};
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    mechanism_well(lg_mechanism_create(&m), NULL);
    add_body(m, "pinion", 1, 0.2, a);
    add_body(m, "rack", 3, 0.1, b);
    mechanism_add_joint(m, "axle", LG_JOINT_REVOLUTE, NULL, "pinion", a, x_axis);
    mechanism_add_joint(m, "slide", LG_JOINT_PRISMATIC, NULL, "rack", b, z_axis);
    lg_gear g = lg_gear_default("teeth", "slide", "axle");
    g.ratio = 0.5;
    mechanism_well(lg_mechanism_add_gear(m, NULL, &g), m);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_mechanism_freedoms(m), 1);
    motion_well(motion_create(&mo, m, NULL, 0.02), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    const double H = lg_motion_energy(mo);
    motion_well(lg_motion_step(mo, 200), mo);
    double angle, length, rate;
    suite_ok("axle", lg_motion_joint(mo, &angle, &rate, 0));
    suite_ok("slide", lg_motion_joint(mo, &length, NULL, 1));
    suite_near1("gear", length, 0.5 * angle, 1e-13, 10);
    suite_near1("energy", lg_motion_energy(mo), H, 1e-12, 100);
    suite_near1("fall", rate, -3 * 9.81 * 0.5 / (0.2 + 3 * 0.25) * 4, 2e-2, 60); /* Cayley's angle at h = 0.02 */
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static int push(double t, const double *poses, const double *twists, double *wrench, void *context)
{
    (void)t, (void)poses;
    if (context != NULL) return *(const int *)context;
    for (int k = 0; k < 3; k++) wrench[k] = -0.3 * twists[k], wrench[3 + k] = -0.01 * twists[3 + k];
    return 0;
}

/* User-supplied drag: the balance counts it; a failure of the callback leaves the state. */
static void wrenches(void **unused)
{
    static const double point[3] = {0, 0, 0};
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "bob", 0.3, 0, -0.4);
    mechanism_add_joint(m, "pivot", LG_JOINT_SPHERICAL, NULL, "bob", point, z_axis);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    const double v[3] = {0.5, 0.2, 3};
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    motion_well(lg_motion_set_wrench(mo, push, NULL), mo);
    const double H = lg_motion_energy(mo);
    motion_well(lg_motion_step(mo, 500), mo);
    suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-12, fabs(H));
    suite_below("drag", lg_motion_work(mo), -0.1);
    double before[7], after[7];
    int code = 42;
    suite_ok("pose", lg_motion_body_pose(mo, before, 0));
    motion_well(lg_motion_set_wrench(mo, push, &code), mo);
    suite_status("failing callback", lg_motion_step(mo, 1), LG_ERROR_CALLBACK);
    suite_contains("message", lg_motion_message(mo), "42");
    suite_ok("pose", lg_motion_body_pose(mo, after, 0));
    suite_same_bits("state after a failure", after, before, 7);
    motion_well(lg_motion_set_wrench(mo, NULL, NULL), mo);
    motion_well(lg_motion_step(mo, 10), mo);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* The pivot of a pendulum at rest carries its weight; wheels at rest carry the vehicle. */
static void reactions(void **unused)
{
    static const double point[3] = {0, 0, 0};
    static const vehicle_options none = {0, 0, 0, 0};
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    double f[6], sum[3] = {0, 0, 0};
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "bob", 0, 0, -0.5);
    mechanism_add_joint(m, "pivot", LG_JOINT_REVOLUTE, NULL, "bob", point, y_axis);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    suite_status("before a step", lg_motion_joint_wrench(mo, f, 0), LG_ERROR_ARGUMENT);
    motion_well(lg_motion_step(mo, 5), mo);
    suite_ok("wrench", lg_motion_joint_wrench(mo, f, 0));
    suite_near("weight", f, (const double[6]){0, 0, 9.81, 0, 0, 0}, 6, 1e-12, 10);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
    m = vehicle(&none);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    motion_well(lg_motion_step(mo, 5), mo);
    for (int i = 0; i < 3; i++) {
        suite_ok("force", lg_motion_wheel_force(mo, f, i));
        suite_above("load", f[2], 0.1);
        for (int k = 0; k < 3; k++) sum[k] += f[k];
    }
    suite_near1("the ground carries the vehicle", sum[2], 6.4 * 9.81, 1e-10, 60);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vehicles), cmocka_unit_test(springs),  cmocka_unit_test(spring_without_length),
        cmocka_unit_test(gears),    cmocka_unit_test(wrenches), cmocka_unit_test(reactions),
    };
    suite_begin("multibody/mechanisms");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
