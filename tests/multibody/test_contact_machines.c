/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines that touch: servos that stand, drives that move the ground, wheels beside surfaces, ellipsoids without
 * friction. */
#include <math.h>
#include <string.h>

#include "support/touching.h"

#define G 9.81

static const double x_axis[3] = {1, 0, 0};

static void finish(lg_motion *mo, lg_mechanism *m)
{
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* ---- four legs with three servos each ---- */

static void stands(void **unused)
{
    lg_mechanism *m = touch_quadruped();
    lg_motion *mo = touch_motion(m, 0.005);
    double before[12], after[12];
    (void)unused;
    touch_stand(mo);
    touch_watch w = touch_begin(mo);
    touch_run(&w, mo, 1600);
    touch_feet(before, mo);
    touch_run(&w, mo, 400);
    touch_feet(after, mo);
    suite_near("feet", after, before, 12, 1e-12, 1);
    finish(mo, m);
}

/* It is pushed sideways for .1 s while it stands, and stands again. */
static int push(double t, const double *poses, const double *twists, double *wrench, void *context)
{
    (void)poses, (void)twists, (void)context;
    if (t > 1 && t < 1.1) wrench[1] += 30;
    return 0;
}

static void is_pushed(void **unused)
{
    lg_mechanism *m = touch_quadruped();
    lg_motion *mo = touch_motion(m, 0.005);
    double most = 0;
    (void)unused;
    touch_stand(mo);
    motion_well(lg_motion_set_wrench(mo, push, NULL), mo);
    touch_watch w = touch_begin(mo);
    for (int i = 0; i < 600; i++) touch_run(&w, mo, 1), most = fmax(most, fabs(touch_v(mo, 0, 1)));
    suite_above("it sways", most, 0.05);
    suite_below("and stands", fabs(touch_v(mo, 0, 1)), 1e-3);
    suite_above("upright", touch_x(mo, 0, 2), 0.3);
    finish(mo, m);
}

/* An open loop: diagonal legs swing together, three times a second, with bent knees. */
static void gait(double *u, double t)
{
    const double ramp = fmin(1, t), turn = 6 * 3.14159265358979324 * t;
    for (int leg = 0; leg < 4; leg++) {
        const double phase = leg == 0 || leg == 3 ? turn : turn + 3.14159265358979324;
        u[3 * leg] = 0, u[3 * leg + 1] = 0.6 - 0.2 * ramp * cos(phase);
        u[3 * leg + 2] = -1.2 - 0.5 * ramp * fmax(0, -sin(phase));
    }
}

/* Its way is that of a gait of .6 m/s, in which feet stick and lift off; nothing of it is held. */
static void trots(void **unused)
{
    lg_mechanism *m = touch_quadruped();
    lg_motion *mo = touch_motion(m, 0.002);
    double u[12];
    int steps = 0;
    (void)unused;
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    touch_watch w = touch_begin(mo);
    const double way = suite_count(10); /* m */
    for (; touch_x(mo, 0, 0) < way && steps < 15000; steps++) {
        gait(u, 0.002 * steps);
        motion_well(lg_motion_set_control(mo, u), mo);
        touch_run(&w, mo, 1);
        if (!(touch_x(mo, 0, 2) > 0.2)) suite_fail("it fell after %g m", touch_x(mo, 0, 0));
    }
    suite_above("way, m", touch_x(mo, 0, 0), way - 1e-9);
    suite_below("sideways, m", fabs(touch_x(mo, 0, 1)), 1);
    suite_above("impacts", (double)lg_motion_impacts(mo), 5 * way);
    suite_below("balance", w.balance, 1e-11 * w.size);
    finish(mo, m);
}

/* ---- ground that moves ---- */

static int shakes(double t, double *q, void *context)
{
    const double w = *(const double *)context;
    q[0] = 0.05 * (1 - cos(w * t)), q[1] = 0.05 * w * sin(w * t), q[2] = 0.05 * w * w * cos(w * t);
    return 0;
}

/* A table on a slide that a drive moves carries a block: it sticks below a = mu g, and the drive does the work. */
static double carried(double omega, lg_joint_kind kind, const double *axis, touch_watch *w)
{
    const double half[3] = {0.1, 0.1, 0.1};
    lg_mechanism *m = touch_empty();
    lg_surface top = lg_surface_default("top", "table");
    lg_joint j = lg_joint_default("rail", kind, NULL, "table");
    lg_drive drive = lg_drive_default("drive", "rail");
    touch_body(m, "table", 5, NULL, (double[3]){0, 0, 0}, 0);
    top.kind = LG_SURFACE_PLANE, top.friction = 0.5;
    mechanism_well(lg_mechanism_add_surface(m, NULL, &top), m);
    touch_thing(m, "block", LG_SURFACE_BOX, half, (double[3]){0, 0, 0.1}, 0, 0.5, 0);
    memcpy(j.axis, axis, sizeof j.axis);
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    drive.motion = shakes, drive.context = &omega;
    mechanism_well(lg_mechanism_add_drive(m, NULL, &drive), m);
    lg_motion *mo = touch_motion(m, 0.005);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    *w = touch_begin(mo);
    touch_run(w, mo, 400);
    const double slip = hypot(touch_x(mo, 1, 0) - touch_x(mo, 0, 0), touch_x(mo, 1, 1));
    suite_above("the drive works", fabs(touch_account(mo).drives), 1e-3);
    finish(mo, m);
    return slip;
}

static void carries(void **unused)
{
    static const double z_axis[3] = {0, 0, 1};
    touch_watch w;
    (void)unused;
    suite_case("along, slower than slip");
    suite_below("sticks", carried(9, LG_JOINT_PRISMATIC, x_axis, &w), 1e-12);
    suite_case("along, faster");
    suite_above("slips", carried(20, LG_JOINT_PRISMATIC, x_axis, &w), 1e-3);
    suite_case("up and down: the block is thrown");
    suite_below("goes straight up", carried(20, LG_JOINT_PRISMATIC, z_axis, &w), 1e-12);
}

/* ---- a wheel that rolls for ever, and a surface beside it ---- */

static void rolls_beside(void **unused)
{
    const double half[3] = {0.1, 0, 0};
    lg_mechanism *m = touch_ground(0.5, 0.5, 0);
    lg_wheel wheel = lg_wheel_default("wheel", "b");
    (void)unused;
    touch_body(m, "b", 1, NULL, (double[3]){0, 0, 0.1}, 0);
    wheel.kind = LG_WHEEL_BALL, wheel.radius = 0.1;
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &wheel), m);
    touch_body(m, "c", 1, NULL, (double[3]){1, 0, 0.4}, 0);
    touch_surface(m, "skin", "c", LG_SURFACE_SPHERE, half, 0.5, 0.5);
    touch_surface(m, "rim", "b", LG_SURFACE_SPHERE, (double[3]){0.1, 0, 0}, 0.5, 0.5);
    lg_surface_pair p = lg_surface_pair_default("rolls", "rim", "ground");
    p.ignored = 1;
    mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &p), m);
    lg_motion *mo = touch_motion(m, 0.005);
    double poses[14] = {0, 0, 0.1, 0, 0, 0, 1, 1, 0.01, 0.13, 0, 0, 0, 1};
    double twists[12] = {1, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0};
    motion_well(lg_motion_start_poses(mo, 0, poses, twists, 0), mo);
    touch_watch w = touch_begin(mo);
    touch_run(&w, mo, 400);
    suite_below("wheel", lg_motion_gap(mo), 1e-13);
    suite_above("impacts", (double)lg_motion_impacts(mo), 2);
    suite_below("it was struck", touch_v(mo, 0, 0), 0.9);
    finish(mo, m);
}

/* ---- an ellipsoid on ice ---- */

/* Contacts without friction that stay closed are rows of joints: they take nothing, however many steps. */
static void slides_on_ice(void **unused)
{
    const double half[3] = {0.2, 0.15, 0.1};
    (void)unused;
    for (int two = 0; two < 2; two++) {
        lg_mechanism *m = touch_ground(0, 0, 0);
        touch_thing(m, "b", LG_SURFACE_ELLIPSOID, half, (double[3]){-0.25, 0, 0.1}, 0, 0, 0);
        if (two) {
            touch_thing(m, "c", LG_SURFACE_ELLIPSOID, half, (double[3]){0.25, 0, 0.1}, 0, 0, 0);
            lg_joint j = lg_joint_default("hinge", LG_JOINT_UNIVERSAL, "b", "c");
            j.point[2] = 0.1, j.axis[1] = 1, j.axis[2] = 0, j.second[0] = 1, j.second[2] = 0;
            mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        }
        lg_motion *mo = touch_motion(m, 0.01);
        double pose[14] = {-0.25, 0, 0.1, 0, 0, 0, 1, 0.25, 0, 0.1, 0, 0, 0, 1};
        double v[12] = {0.3, 0.1, 0, 1, 0.5 - 0.5 * two, 2, 0.3, 1.1, 0, -1, 0, 2}; /* of two: all joints move */
        motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
        touch_watch w = touch_begin(mo);
        for (int k = 0; k < 100; k++) {
            touch_run(&w, mo, 100);
            suite_near1("energy", lg_motion_energy(mo), w.H0, 1e-12, w.size);
        }
        suite_below("node", fabs(touch_account(mo).node), 1e-14 * w.size);
        finish(mo, m);
    }
}

/* It rocks so hard that it leaves the ground, and comes back: what pulls is let go. */
static void leaves_ice(void **unused)
{
    const double half[3] = {0.3, 0.2, 0.1};
    int open = 0, closed = 0;
    (void)unused;
    lg_mechanism *m = touch_ground(0, 0, 0);
    touch_thing(m, "b", LG_SURFACE_ELLIPSOID, half, (double[3]){0, 0, 0.1}, 0, 0, 0);
    lg_motion *mo = touch_motion(m, 0.005);
    double pose[7] = {0, 0, 0.1, 0, 0, 0, 1}, v[6] = {0, 0, 0, 2, 12, 0};
    motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
    touch_watch w = touch_begin(mo);
    for (int k = 0; k < 400; k++) {
        lg_contact_state c;
        touch_run(&w, mo, 1);
        motion_well(lg_motion_contact(mo, &c, 0), mo);
        suite_above("does not pull", c.force[2], -1e-300);
        open += c.gap > 1e-3, closed += c.gap < 1e-12;
    }
    suite_above("in the air", open, 10);
    suite_above("on the ground", closed, 10);
    finish(mo, m);
}

int main(void)
{
    suite_begin("contact_machines");
    const struct CMUnitTest tests[] = {cmocka_unit_test(stands),       cmocka_unit_test(is_pushed),
                                       cmocka_unit_test(trots),        cmocka_unit_test(carries),
                                       cmocka_unit_test(rolls_beside), cmocka_unit_test(slides_on_ice),
                                       cmocka_unit_test(leaves_ice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
