/* SPDX-License-Identifier: BSD-3-Clause */
/* Wheels with real contact, and surfaces that slide by the viscous law. */
#include <math.h>
#include <string.h>

#include "support/touching.h"

static lg_wheel real_wheel(lg_wheel_kind kind, double friction)
{
    lg_wheel w = lg_wheel_default("wheel", "body");
    w.kind = kind, w.contact = LG_CONTACT_REAL, w.radius = 0.1, w.friction = friction;
    return w;
}

static lg_mechanism *on_wheel(const lg_wheel *w, double height)
{
    lg_mechanism *m = touch_empty();
    touch_body(m, "body", 2, NULL, (double[]){0, 0, height}, 0);
    mechanism_well(lg_mechanism_add_wheel(m, NULL, w), m);
    return m;
}

/* A ball that slides at first rolls at 5/7 of its speed; the ground bears its weight. */
static void ball_rolls(void **unused)
{
    double force[3];
    lg_contact_state s;
    (void)unused;
    const lg_wheel w = real_wheel(LG_WHEEL_BALL, 0.3);
    lg_mechanism *m = on_wheel(&w, 0.1);
    lg_motion *mo = touch_motion(m, 0.005);
    motion_well(lg_motion_start_poses(mo, 0, (double[]){0, 0, 0.1, 0, 0, 0, 1}, (double[]){2, 0, 0, 0, 0, 0}, 0), mo);
    touch_watch watch = touch_begin(mo);
    touch_run(&watch, mo, 200);
    suite_near1("5/7 of the speed", touch_v(mo, 0, 0), 10.0 / 7, 1e-12, 2);
    suite_ok("force", lg_motion_wheel_force(mo, force, 0));
    suite_near("force", force, (double[]){0, 0, 2 * 9.81}, 3, 1e-12, 20);
    suite_ok("contact", lg_motion_contact(mo, &s, 0));
    assert_true(s.wheel == 0 && s.joint == -1 && s.surface[0] == -1 && s.mode == LG_CONTACT_STICKS);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* A wheel that is thrown up lifts off, and comes down; a disk has a rim, a torus is higher by its tube. */
static void lifts_off(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        lg_wheel w = real_wheel(k < 2 ? LG_WHEEL_DISK : LG_WHEEL_BALL, 0.4);
        if (k == 1) w.tube = 0.02;
        const double rest = 0.1 + w.tube, pose[7] = {0, 0, rest, 0, 0, 0, 1};
        suite_case("wheel %d", k);
        lg_mechanism *m = on_wheel(&w, rest);
        lg_motion *mo = touch_motion(m, 0.01);
        motion_well(lg_motion_start_poses(mo, 0, pose, (double[]){0, 0, 1, 0, 0, 0}, 0), mo);
        touch_watch watch = touch_begin(mo);
        touch_run(&watch, mo, 10);
        suite_near1("flies", touch_x(mo, 0, 2), rest + 0.1 - 0.5 * 9.81 * 0.01, 1e-12, 1);
        touch_run(&watch, mo, 20);
        suite_near1("stands", touch_x(mo, 0, 2), rest, 1e-12, 1);
        assert_int_equal(lg_motion_impacts(mo), 1);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

static void refuses(const char *why, lg_wheel w)
{
    lg_mechanism *m = touch_empty();
    touch_body(m, "body", 1, NULL, (double[]){0, 0, 0.1}, 0);
    suite_status(why, lg_mechanism_add_wheel(m, NULL, &w), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), why);
    lg_mechanism_destroy(m);
}

static void refused(void **unused)
{
    lg_wheel w = real_wheel(LG_WHEEL_DISK, -1);
    (void)unused;
    refuses("friction -1 must be finite", w);
    w.friction = 1, w.restitution = 2;
    refuses("restitution 2 from 0 to 1", w);
    w.restitution = 0, w.ground_spin = 1;
    refuses("real contact is on ground that stands", w);
    assert_string_equal(lg_contact_name(LG_CONTACT_REAL), "real");
}

/* A wheel and a surface of its body on one plane are two models of one contact; a pair may ignore the surface, and
 * another plane is not the wheel's ground. */
static void wheel_and_surface(void **unused)
{
    const double half[3] = {0.1, 0, 0};
    (void)unused;
    for (int contact = 0; contact < 2; contact++)
        for (int well = 0; well < 3; well++) {
            lg_mechanism *m = touch_ground(0.5, 0, 0);
            lg_wheel w = lg_wheel_default("wheel", "b");
            lg_surface_pair p = lg_surface_pair_default("pair", "tyre", "ground");
            w.contact = contact ? LG_CONTACT_REAL : LG_CONTACT_ROLLS, w.radius = 0.1, w.ground_point[0] = 3;
            if (well == 2) w.ground_point[2] = -1;
            touch_body(m, "b", 1, NULL, (double[3]){0, 0, well == 2 ? -0.9 : 0.1}, 0);
            touch_surface(m, "tyre", "b", LG_SURFACE_SPHERE, half, 0.5, 0);
            mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
            p.ignored = 1;
            if (well == 1) mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &p), m);
            suite_case("contact %d, %d", contact, well);
            const lg_status st = lg_mechanism_compile(m);
            suite_status(lg_mechanism_message(m), st, well ? LG_OK : LG_ERROR_ARGUMENT);
            if (!well)
                suite_contains("message", lg_mechanism_message(m),
                               "surface 'tyre' touches plane 'ground', on which wheel 'wheel' of its body is: two "
                               "models of one contact; leave one, or let an lg_surface_pair ignore them");
            lg_mechanism_destroy(m);
        }
}

/* The tippe top of Rauch-Wojciechowski, Skoeldstam and Glad turns over by the viscous law, and by no other. Values of
 * an independent program, at this step. */
static void tippe_top_turns(void **unused)
{
    const double m0 = 0.02, R = 0.02, a = 0.3 * R, tilt = 0.1, I1 = 131.0 / 350 * m0 * R * R, I3 = 0.4 * m0 * R * R;
    const double gravity[3] = {0, 0, -9.82}, pose[7] = {0, 0, R - a * cos(tilt), 0, sin(tilt / 2), 0, cos(tilt / 2)};
    const double twist[6] = {0, 0, 0, 155 * sin(tilt), 0, 155 * cos(tilt)};
    (void)unused;
    lg_mechanism *m = touch_ground(0.3, 0, 0);
    mechanism_well(lg_mechanism_set_gravity(m, gravity), m);
    touch_body(m, "top", m0, (double[]){I1, I1, I3, 0, 0, 0}, pose, tilt);
    lg_surface s = lg_surface_default("peel", "top");
    s.half[0] = R, s.position[2] = a, s.viscous = 0.3;
    mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
    lg_motion *mo = touch_motion(m, 1e-3);
    motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
    touch_watch watch = touch_begin(mo);
    double at[7];
    watch.gains = 0;
    touch_run(&watch, mo, 12000);
    suite_ok("pose", lg_motion_body_pose(mo, at, 0));
    suite_near1("turned", acos(1 - 2 * (at[3] * at[3] + at[4] * at[4])), 3.140999, 1e-5, 1);
    suite_near1("friction", touch_account(mo).friction, 0.0250504, 2e-6, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* A block that slides by the viscous law comes to rest as exp(-c g t), and a pair may have a law of its own. */
static void viscous_block(void **unused)
{
    (void)unused;
    for (int own = 0; own < 2; own++) {
        const double half[3] = {0.2, 0.1, 0.1}, c = own ? 0.4 : 0.2, h = 0.002;
        lg_mechanism *m = touch_ground(0.5, 0, 0);
        touch_body(m, "block", 3, NULL, (double[]){0, 0, 0.1}, 0);
        lg_surface s = lg_surface_default("block", "block");
        s.kind = LG_SURFACE_BOX, s.viscous = 0.2;
        for (int k = 0; k < 3; k++) s.half[k] = half[k];
        mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
        lg_surface_pair p = lg_surface_pair_default("oil", "ground", "block");
        p.viscous = 0.4;
        if (own) mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &p), m);
        lg_motion *mo = touch_motion(m, h);
        motion_well(lg_motion_start_poses(mo, 0, (double[]){0, 0, 0.1, 0, 0, 0, 1}, (double[]){1, 0, 0, 0, 0, 0}, 0),
                    mo);
        touch_watch watch = touch_begin(mo);
        touch_run(&watch, mo, 250);
        const double q = (1 - 0.5 * c * 9.81 * h) / (1 + 0.5 * c * 9.81 * h); /* of the midpoint rule, a step */
        suite_case("c = %g", c);
        suite_near1("speed", touch_v(mo, 0, 0), pow(q, 250), 1e-10, 1);
        suite_near1("law", touch_v(mo, 0, 0), exp(-c * 9.81 * 0.5), 1e-5, 1);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* ---- skates ---- */

/* An upright body of 1 kg on a blade below its centre that may move and turn on the ground; `slope` is the tangent of
 * the angle by which gravity leans to x. kind 0: a surface whose first axis is the heading; 1: a wheel across y. */
static lg_mechanism *on_blade(int wheel, double along, double across, double slope)
{
    const double none[3] = {0, 0, 0}, ground[3] = {0, 0, wheel ? -0.01 : 0};
    lg_mechanism *m = touch_ground(1, 0, 0);
    lg_joint j = lg_joint_default("upright", LG_JOINT_COMPOSED, NULL, "sled");
    lg_wheel w = real_wheel(LG_WHEEL_DISK, across);
    j.motions = 4;
    for (int i = 0; i < 4; i++) {
        j.motion[i].kind = i == 3 ? LG_JOINT_REVOLUTE : LG_JOINT_PRISMATIC;
        for (int k = 0; k < 3; k++) j.motion[i].axis[k] = k == (i == 3 ? 2 : i);
    }
    touch_body(m, "sled", 1, NULL, none, 0);
    mechanism_well(lg_mechanism_set_gravity(m, (double[]){slope * 9.81, 0, -9.81}), m);
    lg_surface s = lg_surface_default("blade", "sled");
    s.kind = LG_SURFACE_POINT, s.friction = across, s.friction_along = along;
    w.body = "sled", w.radius = 0.01, w.friction_along = along, memcpy(w.ground_point, ground, sizeof ground);
    if (wheel)
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    else
        mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    return m;
}

/* Runs for a second from velocities of x, y and the angle; returns the places and velocities of x and y. */
static void skate(double *x, lg_mechanism *m, double h, double vx, double vy, double turns)
{
    lg_motion *mo = touch_motion(m, h);
    motion_well(lg_motion_start_joints(mo, 0, NULL, (double[]){vx, vy, 0, turns}, 0), mo);
    const double H = lg_motion_energy(mo);
    for (double k = 0; k < 1 / h - 0.5; k++) {
        motion_well(lg_motion_step(mo, 1), mo);
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-13, 10);
    }
    for (int k = 0; k < 2; k++) x[k] = touch_x(mo, 0, k), x[2 + k] = touch_v(mo, 0, k);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* Without friction along it, a blade that turns with w moves down a slope by s sin^2(wt), and across by s (wt -
 * sin(2wt)/2), s = g/(2 w^2): a cycloid; the error is of order 2. It needs the friction 2 g sin(wt) at most. */
static void skate_on_slope(void **unused)
{
    const double slope = 0.4, w = 3, s = 9.81 * slope / (2 * w * w);
    const double exact[4] = {s * sin(w) * sin(w), s * (w - 0.5 * sin(2 * w)), s * w * sin(2 * w),
                             s * w * (1 - cos(2 * w))};
    (void)unused;
    for (int wheel = 0; wheel < 2; wheel++) {
        double x[4], miss[2] = {0};
        suite_case(wheel ? "wheel" : "surface");
        for (int k = 0; k < 2; k++) {
            skate(x, on_blade(wheel, 0, 0.81, slope), k ? 0.005 : 0.01, 0, 0, w);
            for (int i = 0; i < 4; i++) miss[k] = fmax(miss[k], fabs(x[i] - exact[i]));
        }
        suite_below("error", miss[0], 1e-3);
        suite_near1("order", miss[0] / miss[1], 4, 0.02, 1);
        skate(x, on_blade(wheel, 0, 0.75, slope), 0.005, 0, 0, w);
        suite_above("less friction is not enough", fabs(x[1] - exact[1]), 1e-3);
    }
}

/* Straight along and across the blade the coefficients are their own; at an angle u_y/u_y0 =
 * (u_x/u_x0)^((mu_y/mu_x)^2). */
static void skate_slides(void **unused)
{
    const double a = 0.1, b = 0.3;
    double x[4];
    (void)unused;
    for (int wheel = 0; wheel < 2; wheel++) {
        suite_case(wheel ? "wheel" : "surface");
        skate(x, on_blade(wheel, a, b, 0), 0.01, 5, 0, 0);
        suite_near1("along", x[2], 5 - 9.81 * a, 1e-12, 5);
        suite_near1("nothing across", fabs(x[1]) + fabs(x[3]), 0, 1e-13, 1);
        skate(x, on_blade(wheel, a, b, 0), 0.01, 0, 5, 0);
        suite_near1("across", x[3], 5 - 9.81 * b, 1e-12, 5);
        double miss[2];
        for (int k = 0; k < 2; k++) {
            skate(x, on_blade(wheel, a, b, 0), k ? 0.01 : 0.02, 3, 4, 0);
            miss[k] = fabs(x[3] / 4 - pow(x[2] / 3, b * b / (a * a)));
        }
        suite_below("power law", miss[0], 1e-3);
        suite_near1("order", miss[0] / miss[1], 4, 0.1, 1);
    }
}

/* It rests on a slope that leans by f to both axes as long as (f/mu_x)^2 + (f/mu_y)^2 < 1. */
static void skate_rests(void **unused)
{
    (void)unused;
    for (int k = 0; k < 4; k++) {
        const double a = 0.2, b = 0.5, f = (k % 2 ? 1.0002 : 0.9998) / sqrt(1 / (a * a) + 1 / (b * b));
        double x[4];
        suite_case("%s, %g", k / 2 ? "wheel" : "surface", f);
        lg_mechanism *m = on_blade(k / 2, a, b, 0);
        mechanism_well(lg_mechanism_set_gravity(m, (double[]){9.81 * f, 9.81 * f, -9.81}), m);
        skate(x, m, 0.01, 0, 0, 0);
        if (k % 2)
            suite_above("it moves", hypot(x[0], x[1]), 1e-5);
        else
            suite_below("creep", hypot(x[0], x[1]), 1e-13);
    }
}

static void refuse_blade(lg_surface s, const char *words)
{
    lg_mechanism *m = touch_ground(1, 0, 0);
    touch_body(m, "b", 1, NULL, (double[]){0, 0, 1}, 0), touch_body(m, "other", 1, NULL, (double[]){0, 2, 1}, 0);
    touch_surface(m, "ball", "other", LG_SURFACE_SPHERE, (double[]){0.1, 0, 0}, 0.5, 0);
    lg_status st = lg_mechanism_add_surface(m, NULL, &s);
    if (st == LG_OK) st = lg_mechanism_compile(m);
    suite_status(words, st,
                 s.kind == LG_SURFACE_SPHERE && s.friction_along < s.friction ? LG_ERROR_UNSUPPORTED
                                                                              : LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), words);
    lg_mechanism_destroy(m);
}

static void skates_refused(void **unused)
{
    lg_surface s = lg_surface_default("blade", "b");
    lg_wheel w = real_wheel(LG_WHEEL_DISK, 0.5);
    (void)unused;
    s.half[0] = 0.1, s.friction_along = 0.1;
    refuse_blade(s, "'ball' and 'blade': one has friction_along, which counts on planes alone");
    s.friction_along = 0.6;
    refuse_blade(s, "friction_along is 0.6; it must be from 0 to the friction, 0.5, which is that across");
    s.friction_along = NAN;
    refuse_blade(s, "friction_along is nan");
    s.friction_along = 0.1, s.kind = LG_SURFACE_PLANE;
    refuse_blade(s, "a plane has no heading");
    w.friction_along = 0.6;
    refuses("friction_along is 0.6; it must be from 0 to the friction, 0.5, which is that across the heading", w);
    w.friction_along = 0.1, w.kind = LG_WHEEL_BALL;
    refuses("friction_along belongs to a disk with contact real", w);
    w.kind = LG_WHEEL_DISK, w.contact = LG_CONTACT_EDGE;
    refuses("friction_along belongs to a disk with contact real", w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_rolls),      cmocka_unit_test(lifts_off),     cmocka_unit_test(refused),
        cmocka_unit_test(tippe_top_turns), cmocka_unit_test(viscous_block), cmocka_unit_test(wheel_and_surface),
        cmocka_unit_test(skate_on_slope),  cmocka_unit_test(skate_slides),  cmocka_unit_test(skate_rests),
        cmocka_unit_test(skates_refused),
    };
    suite_begin("multibody/contact_wheels");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
