/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts in the steps of gauss, whose parts end at events, against closed forms and an event-driven reference. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/touching.h"

#include "multibody/motion.h"

#define G 9.81

static const double ball[3] = {0.1, 0, 0}, no_lift[3] = {0, 0, 0}, rod_ends[6] = {-0.5, 0, 0, 0.5, 0, 0};
static const double rod_inertia[3] = {1.0 / 12, 1.0 / 12, 1.0 / 12};

static lg_motion *gauss_motion_by(lg_mechanism *m, double h, lg_impact_law law)
{
    lg_motion *mo = NULL;
    lg_contact_options o = lg_contact_options_default();
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, "gauss", h), mo);
    o.law = law;
    motion_well(lg_motion_set_contact(mo, &o), mo);
    return mo;
}

static lg_motion *gauss_motion(lg_mechanism *m, double h)
{
    return gauss_motion_by(m, h, LG_IMPACT_POISSON);
}

static void start_with(lg_motion *mo, double vx, double vy, double vz)
{
    double v[6] = {vx, vy, vz, 0, 0, 0}, pose[7];
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
    motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
}

static void finish(lg_motion *mo, lg_mechanism *m)
{
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* Steps, each of which keeps the account to `exact` and its gaps. */
static void run(touch_watch *w, lg_motion *mo, int64_t steps, double exact)
{
    for (int64_t k = 0; k < steps; k++) {
        motion_well(lg_motion_step(mo, 1), mo);
        touch_look(w, mo);
        suite_below("balance", w->balance, exact * w->size);
        suite_below("overlap", -w->gap, 1e-12);
        suite_below("cone", w->cone, 1e-12);
    }
}

static void add_rod(lg_mechanism *m, const double *at, double lean, double friction, double e)
{
    lg_surface rod = lg_surface_default("rod", "rod");
    touch_body(m, "rod", 1, rod_inertia, at, lean);
    rod.kind = LG_SURFACE_HULL, rod.points = 2, rod.point = rod_ends, rod.friction = friction, rod.restitution = e;
    mechanism_well(lg_mechanism_add_surface(m, NULL, &rod), m);
}

/* ---- impacts ---- */

/* The height of a ball above the ground at t, dropped from `drop`. */
static double bounced(double t, double drop, double e)
{
    double v = sqrt(2 * G * drop);
    t -= v / G;
    if (t < 0) return drop - 0.5 * G * (t + v / G) * (t + v / G);
    for (v *= e; t > 2 * v / G; v *= e) t -= 2 * v / G;
    return v * t - 0.5 * G * t * t;
}

static void bounces(void **unused)
{
    const double top[3] = {0, 0, 1.1};
    (void)unused;
    for (int k = 0; k < 3; k++) {
        const double h = 0.05 / (1 << k);
        lg_mechanism *m = touch_ground(0.5, 0.8, 0);
        suite_case("h = %g", h);
        touch_body(m, "ball", 1, NULL, top, 0);
        touch_surface(m, "ball", "ball", LG_SURFACE_SPHERE, ball, 0.5, 0.8);
        lg_motion *mo = gauss_motion(m, h);
        start_with(mo, 0, 0, 0);
        touch_watch w = touch_begin(mo);
        for (int i = 1; i * h < 3.25; i++) {
            run(&w, mo, 1, 1e-13);
            suite_near1("height", touch_x(mo, 0, 2) - 0.1, bounced(i * h, 1, 0.8), 1e-12, 1);
        }
        run(&w, mo, (int64_t)(1.5 / h), 1e-13);
        suite_near1("rest", touch_x(mo, 0, 2), 0.1, 1e-15, 1);
        suite_near1("velocity", touch_v(mo, 0, 2), 0, 1e-14, 1);
        const lg_account a = touch_account(mo);
        suite_near1("all is lost", a.impact_normal + a.landing + a.node, G, 1e-12, G);
        suite_above("impacts", (double)lg_motion_impacts(mo), 14);
        finish(mo, m);
    }
}

/* A rod of 1 kg and 1 m that leans by 0.7 rad falls by 0.5 m on smooth ground. */
static void rod_strikes(void **unused)
{
    const double c = cos(0.7), s = sin(0.7), v = sqrt(G), t = v / G, at[3] = {0, 0, 0.5 + 0.5 * s};
    (void)unused;
    for (int k = 0; k < 3; k++)
        for (int law = 0; law < 3; law++) {
            const double e = 0.5 * k, J = (1 + e) * v / (1 + 3 * c * c), h = 0.01;
            lg_mechanism *m = touch_ground(0, e, 0);
            suite_case("e = %g, %s", e, lg_impact_law_name((lg_impact_law)law));
            add_rod(m, at, 0.7, 0, e);
            lg_motion *mo = gauss_motion_by(m, h, (lg_impact_law)law);
            start_with(mo, 0, 0, 0);
            touch_watch w = touch_begin(mo);
            run(&w, mo, 32, 1e-13);
            if (k > 0) { /* the end leaves, and the rod flies */
                suite_near1("v", touch_v(mo, 0, 2), J - v - G * (32 * h - t), 1e-12, 1);
                suite_near1("w", touch_v(mo, 0, 4), -6 * J * c, 1e-11, 1);
            }
            suite_near1("loss", touch_account(mo).impact_normal, 0.5 * (1 - e * e) * v * v / (1 + 3 * c * c), 1e-12, 1);
            assert_int_equal(lg_motion_impacts(mo), 1);
            finish(mo, m);
        }
}

/* A rod of 1 kg and 1 m on a hinge falls from the horizontal and strikes a stop where it hangs. */
static void pendulum_strikes(void **unused)
{
    const double at[3] = {0.5, 0, 0};
    (void)unused;
    for (int k = 0; k < 3; k++) {
        const double e = 0.5 * k;
        double q[8];
        lg_mechanism *m = touch_empty();
        lg_joint j = lg_joint_default("joint", LG_JOINT_REVOLUTE, NULL, "b");
        suite_case("e = %g", e);
        j.axis[1] = 1, j.axis[2] = 0;
        touch_body(m, "b", 1, rod_inertia, at, 0);
        j.stops = 1, j.upper = 0.5 * SUITE_PI, j.stop_restitution = e;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        lg_motion *mo = gauss_motion(m, 0.05);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
        touch_watch w = touch_begin(mo);
        run(&w, mo, 10, 1e-12);
        suite_near1("lost", touch_account(mo).impact_normal, (1 - e * e) * 0.5 * G, 1e-12, 1);
        assert_int_equal(lg_motion_impacts(mo), 1);
        run(&w, mo, 100, 1e-12);
        suite_ok("positions", lg_motion_positions(mo, q, NULL));
        if (k == 0) suite_near1("hangs", q[0], 0.5 * SUITE_PI, 1e-13, 1);
        if (k == 2) suite_near1("keeps H", lg_motion_energy(mo), w.H0, 1e-12, 10);
        finish(mo, m);
    }
}

/* ---- friction ---- */

static void slides_to_rest(void **unused)
{
    const double half[3] = {0.2, 0.1, 0.1}, at[3] = {0, 0, 0.1};
    (void)unused;
    for (int k = 0; k < 3; k++) {
        const double h = 0.1 / (1 << 2 * k);
        lg_mechanism *m = touch_ground(0.3, 0, 0);
        suite_case("h = %g", h);
        touch_thing(m, "block", LG_SURFACE_BOX, half, at, 0, 0.3, 0);
        lg_motion *mo = gauss_motion(m, h);
        start_with(mo, 2, 0, 0);
        touch_watch w = touch_begin(mo);
        run(&w, mo, (int64_t)(1 / h + 0.5), 1e-12);
        suite_near1("distance", touch_x(mo, 0, 0), 0.6795786612300374, 1e-12, 1);
        const double there = touch_x(mo, 0, 0);
        run(&w, mo, (int64_t)(1 / h + 0.5), 1e-12);
        suite_near1("at rest", touch_x(mo, 0, 0), there, 1e-15, 1);
        suite_near1("height", touch_x(mo, 0, 2), 0.1, 1e-14, 1);
        suite_near1("lost", touch_account(mo).friction, 2, 1e-12, 1);
        finish(mo, m);
    }
}

/* Moved along a slope of 0.3 rad in 4 s. */
static double crept(double friction, double h)
{
    const double tilt = 0.3, half[3] = {0.2, 0.1, 0.1}, at[3] = {0.1 * sin(tilt), 0, 0.1 * cos(tilt)};
    lg_mechanism *m = touch_ground(friction, 0, tilt);
    touch_thing(m, "block", LG_SURFACE_BOX, half, at, tilt, friction, 0);
    lg_motion *mo = gauss_motion(m, h);
    start_with(mo, 0, 0, 0);
    touch_watch w = touch_begin(mo);
    run(&w, mo, (int64_t)(4 / h + 0.5), 1e-12);
    const double x = hypot(touch_x(mo, 0, 0) - at[0], touch_x(mo, 0, 2) - at[2]);
    finish(mo, m);
    return x;
}

static void on_a_slope(void **unused)
{
    const double tilt = 0.3, slip = tan(tilt);
    (void)unused;
    suite_below("creep", crept(1.0002 * slip, 0.1), 1e-12);
    suite_near1("slip", crept(0.999 * slip, 0.1), 8 * G * (sin(tilt) - 0.999 * slip * cos(tilt)), 1e-11, 1);
}

/* A ball slides, then rolls. */
static void bowls(void **unused)
{
    const double at[3] = {0, 0, 0.1}, stop = 10 / (7 * 0.2 * G);
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const double h = 0.1 / (1 << k);
        lg_mechanism *m = touch_ground(0.2, 0, 0);
        suite_case("h = %g", h);
        touch_body(m, "ball", 1, NULL, at, 0);
        touch_surface(m, "ball", "ball", LG_SURFACE_SPHERE, ball, 0.2, 0);
        lg_motion *mo = gauss_motion(m, h);
        start_with(mo, 5, 0, 0);
        touch_watch w = touch_begin(mo);
        run(&w, mo, (int64_t)(1.5 / h + 0.5), 1e-12);
        suite_near1("v", touch_v(mo, 0, 0), 25.0 / 7, 1e-12, 1);
        suite_near1("rolls", touch_v(mo, 0, 0) - 0.1 * touch_v(mo, 0, 4), 0, 1e-12, 1);
        suite_near1("x", touch_x(mo, 0, 0), 5 * stop - 0.1 * G * stop * stop + 25.0 / 7 * (1.5 - stop), 1e-12, 1);
        suite_near1("lost", touch_account(mo).friction, 25.0 / 7, 1e-12, 1);
        finish(mo, m);
    }
}

static double slip_stick_error(double h, double exact)
{
    lg_mechanism *m = touch_ellipsoid();
    lg_motion *mo = gauss_motion(m, h);
    touch_ellipsoid_starts(mo);
    touch_watch w = touch_begin(mo);
    run(&w, mo, (int64_t)(1 / h + 0.5), exact);
    const double error = touch_ellipsoid_error(mo);
    finish(mo, m);
    return error;
}

static void slips_and_sticks(void **unused)
{
    (void)unused;
    for (int k = 1; k < 4; k++) {
        suite_case("h = 1/%d", 10 * k);
        suite_below("error", slip_stick_error(0.1 / k, k == 1 ? 1e-10 : 1e-12), k == 1 ? 1e-10 : 1e-12);
    }
}

/* When the ellipsoid begins to stick: the beginning of the last part of the step in which it does. */
static double stick_time(double h)
{
    lg_mechanism *m = touch_ellipsoid();
    lg_motion *mo = gauss_motion(m, h);
    lg_contact_state s = {.mode = LG_CONTACT_SLIPS};
    touch_ellipsoid_starts(mo);
    while (s.mode == LG_CONTACT_SLIPS && lg_motion_time(mo) < 1) {
        motion_well(lg_motion_step(mo, 1), mo);
        suite_ok("contact", lg_motion_contact(mo, &s, 0));
    }
    assert_int_equal(s.mode, LG_CONTACT_STICKS);
    const double t = mb_of(mo)->saved[3].t;
    suite_above("in the step", t, lg_motion_time(mo) - h);
    finish(mo, m);
    return t;
}

/* The time of the event against an event-driven collocation of order 16 by other code, and that of short steps. */
static void sticks_in_time(void **unused)
{
    const double exact = stick_time(0.0125);
    (void)unused;
    suite_near1("reference", exact, 0.3675474907807935, 1e-11, 1);
    suite_near1("h = 1/20", stick_time(0.05), exact, 1e-11, 1);
    suite_near1("h = 1/20, reference", stick_time(0.05), 0.3675474907807935, 1e-11, 1);
}

/* ---- several contacts ---- */

/* Five balls in a row without gravity; the first comes with 1 m/s. */
static void cradles(void **unused)
{
    const double right[5] = {0, 0, 0, 0, 1};
    (void)unused;
    for (double gap = 0; gap < 0.2; gap += 0.1003) {
        char name[8] = "b0";
        double poses[35] = {0}, twists[30] = {1}, v[5];
        lg_mechanism *m = touch_empty();
        mechanism_well(lg_mechanism_set_gravity(m, no_lift), m);
        for (int i = 0; i < 5; i++) {
            const double at[3] = {0.2 * i - (i == 0 ? gap : 0), 0, 0};
            name[1] = (char)('0' + i);
            touch_body(m, name, 1, NULL, at, 0);
            touch_surface(m, name, name, LG_SURFACE_SPHERE, ball, 0, 1);
            memcpy(poses + 7 * i, at, sizeof at), poses[7 * i + 6] = 1;
        }
        lg_motion *mo = gauss_motion_by(m, 0.05, LG_IMPACT_SEQUENTIAL);
        motion_well(lg_motion_start_poses(mo, 0, poses, twists, 0), mo);
        touch_watch w = touch_begin(mo);
        run(&w, mo, 8, 1e-12);
        for (int i = 0; i < 5; i++) v[i] = touch_v(mo, i, 0);
        suite_near("sequential", v, right, 5, 1e-12, 1);
        finish(mo, m);
    }
}

/* Housner's block of 0.2 by 0.8 m rocks from 0.15 rad: its first impact loses the share 1 - r^2. */
static void block_rocks(void **unused)
{
    const double half[3] = {0.1, 0.1, 0.4}, tilt = 0.15, R = sqrt(0.17), lean = atan(0.25) - tilt;
    const double at[3] = {0, 0, R * cos(lean)};
    lg_mechanism *m = touch_ground(2, 0, 0);
    (void)unused;
    touch_thing(m, "block", LG_SURFACE_BOX, half, at, tilt, 2, 0);
    lg_motion *mo = gauss_motion(m, 0.05);
    start_with(mo, 0, 0, 0);
    touch_watch w = touch_begin(mo);
    while (lg_motion_impacts(mo) == 0 && lg_motion_time(mo) < 3) run(&w, mo, 1, 1e-12);
    const lg_account a = touch_account(mo);
    suite_near1("share", (a.impact_normal + a.impact_friction) / (G * (at[2] - 0.4)), 0.16868512110726652, 1e-12, 1);
    suite_near1("lost on its edge", a.friction + a.landing + a.node, 0, 1e-12, 1);
    finish(mo, m);
}

/* A smooth ladder leaves the wall where the sine of its angle is 2/3 of that at the start. */
static void ladder_leaves(void **unused)
{
    const double start = 1.2, at[3] = {0.5 * cos(start), 0, 0.5 * sin(start)};
    (void)unused;
    lg_mechanism *m = touch_ground(0, 0, 0);
    lg_surface wall = lg_surface_default("wall", NULL);
    wall.kind = LG_SURFACE_PLANE, wall.friction = 0;
    touch_tilt(wall.attitude, 0.5 * SUITE_PI);
    mechanism_well(lg_mechanism_add_surface(m, NULL, &wall), m);
    add_rod(m, at, start, 0, 0);
    lg_motion *mo = gauss_motion(m, 0.05);
    start_with(mo, 0, 0, 0);
    touch_watch w = touch_begin(mo);
    run(&w, mo, 9, 1e-12);
    /* it slides on, with the horizontal velocity that it had when it left */
    const double sine = 2.0 / 3 * sin(start), turn = sqrt(3 * G * (sin(start) - sine));
    suite_near1("speed", touch_v(mo, 0, 0), 0.5 * turn * sine, 1e-12, 1);
    finish(mo, m);
}

/* ---- dry friction ---- */

/* x'' = -k x -+ F: half periods about +-F/k, each shorter by 2 F/k, until |x| <= F/k. */
static void rings(void **unused)
{
    const double k = 40, F = 1.5, x0 = 0.42, still = 0, period = SUITE_PI / sqrt(k), h = 0.05;
    lg_mechanism *m = touch_empty();
    lg_joint j = lg_joint_default("joint", LG_JOINT_PRISMATIC, NULL, "b");
    double q[8];
    (void)unused;
    j.axis[0] = 1, j.axis[2] = 0, j.stiffness = k, j.friction = F;
    touch_body(m, "b", 1, NULL, no_lift, 0);
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    lg_motion *mo = gauss_motion(m, h);
    motion_well(lg_motion_start_joints(mo, 0, &x0, &still, 0), mo);
    touch_watch w = touch_begin(mo);
    for (int i = 1; i * h < 5 * period; i++) {
        const double t = i * h;
        const int n = (int)(t / period), sign = n % 2 == 0 ? 1 : -1;
        const double amplitude = x0 - 2 * n * F / k - F / k;
        run(&w, mo, 1, 1e-12);
        suite_ok("positions", lg_motion_positions(mo, q, NULL));
        suite_near1("x", q[0], sign * (F / k + amplitude * cos((t - n * period) * sqrt(k))), 1e-12, 1);
    }
    run(&w, mo, 40, 1e-12);
    suite_ok("positions", lg_motion_positions(mo, q, NULL));
    suite_near1("rests", fabs(q[0]), 0.03, 1e-12, 1);
    finish(mo, m);
}

/* ---- order, state, options ---- */

/* The velocities of an ellipsoid that slips on, after 0.3 s in these steps. */
static void slipped(double *v, const char *method, int steps)
{
    static const double half[3] = {0.2, 0.15, 0.1}, inertia[3] = {0.0065, 0.01, 0.0125};
    static const double pose[7] = {0, 0, 0.1, 0, 0, 0, 1}, twist[6] = {1, 0.5, 0, 0, 3, 2};
    lg_mechanism *m = touch_ground(0.1, 0, 0);
    lg_motion *mo = NULL;
    touch_body(m, "b", 1, inertia, no_lift, 0);
    touch_surface(m, "s", "b", LG_SURFACE_ELLIPSOID, half, 0.1, 0);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, method, 0.3 / steps), mo);
    motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
    motion_well(lg_motion_step(mo, steps), mo);
    suite_ok("twist", lg_motion_body_twist(mo, v, 0));
    finish(mo, m);
}

/* Twice the number of stages: seen with up to four; eight show by what they reach with long steps. */
static void order_between_events(void **unused)
{
    static const int steps[4] = {64, 64, 32, 16};
    double want[6], v[6];
    (void)unused;
    slipped(want, "gauss", 20);
    for (int s = 1; s <= 8; s += s == 4 ? 4 : 1) {
        double error[2] = {0, 0};
        char method[32];
        snprintf(method, sizeof method, "gauss:stages=%d", s);
        suite_case("%s", method);
        for (int k = 0; k < 2; k++) {
            slipped(v, method, (s == 8 ? 4 : steps[s - 1]) << k);
            for (int i = 0; i < 6; i++) error[k] = fmax(error[k], fabs(v[i] - want[i]));
        }
        if (s < 8) suite_near1("order", log2(error[0] / error[1]), 2 * s, 0.1, 1);
        if (s == 8) suite_below("error", error[0], 1e-9), suite_below("error of half the step", error[1], 1e-12);
    }
}

/* Things thrown at rough ground: no step fails, none overlaps, and the account is as exact as the motion. */
static void thrown(void **unused)
{
    static const lg_surface_kind kinds[] = {LG_SURFACE_SPHERE, LG_SURFACE_BOX, LG_SURFACE_ELLIPSOID,
                                            LG_SURFACE_CAPSULE};
    (void)unused;
    for (int i = 0; i < 24; i++) {
        lg_rng rng = suite_rng((uint64_t)(100 + i));
        double number[14], length = 0;
        for (int k = 0; k < 14; k++) number[k] = 2 * lg_rng_uniform(&rng) - 1;
        const double half[3] = {0.1 + 0.03 * number[0], 0.12 + 0.04 * number[1], 0.07 + 0.02 * number[2]};
        const double friction = 0.5 * (1 + number[3]), e = 0.3 * (1 + number[4]);
        double pose[7] = {0, 0, 0.4}, twist[6];
        for (int k = 0; k < 4; k++) pose[3 + k] = number[5 + k], length += number[5 + k] * number[5 + k];
        for (int k = 0; k < 4; k++) pose[3 + k] /= sqrt(length);
        for (int k = 0; k < 3; k++) twist[k] = number[9 + k], twist[3 + k] = 6 * number[11 + k % 3];
        lg_mechanism *m = touch_ground(friction, e, 0);
        suite_case("%s %d: mu = %g, e = %g", lg_surface_kind_name(kinds[i % 4]), i, friction, e);
        touch_thing(m, "thing", kinds[i % 4], half, (double[3]){0, 0, 0.4}, 0, friction, e);
        lg_motion *mo = gauss_motion(m, 0.02);
        motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
        touch_watch w = touch_begin(mo);
        run(&w, mo, 75, 1e-9);
        finish(mo, m);
    }
}

/* A box that is thrown: from a checkpoint and as a clone it goes on to the bit. */
static void saved_and_loaded(void **unused)
{
    const double half[3] = {0.1, 0.15, 0.05}, pose[7] = {0, 0, 0.3, 0.1, 0.2, 0.1, sqrt(0.94)};
    const double twist[6] = {1, 0.3, 0, 2, -3, 1};
    lg_mechanism *m = touch_ground(0.4, 0.4, 0);
    lg_motion *mo, *other = NULL, *copy;
    (void)unused;
    touch_thing(m, "box", LG_SURFACE_BOX, half, (double[3]){0, 0, 0.3}, 0, 0.4, 0.4);
    mo = gauss_motion(m, 0.02);
    motion_well(motion_create(&other, m, "gauss", 0.02), other);
    motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
    motion_well(lg_motion_start_poses(other, 0, pose, twist, 0), other);
    motion_well(lg_motion_step(other, 7), other);
    const size_t bytes = lg_motion_saved_bytes(mo);
    void *state = malloc(bytes);
    for (int i = 0; i < 20; i++) {
        double x[3][15];
        suite_case("step %d", 3 * i);
        suite_ok("save", lg_motion_save(mo, state, bytes));
        motion_well(lg_motion_load(other, state, bytes), other);
        motion_well(lg_motion_clone(&copy, mo), mo);
        for (int k = 0; k < 3; k++) {
            lg_motion *one = k == 0 ? mo : k == 1 ? other : copy;
            motion_well(lg_motion_step(one, 3), one);
            suite_ok("pose", lg_motion_body_pose(one, x[k], 0)),
                suite_ok("twist", lg_motion_body_twist(one, x[k] + 7, 0));
            x[k][13] = lg_motion_energy(one), x[k][14] = touch_account(one).friction;
        }
        suite_same_bits("a checkpoint", x[0], x[1], 15), suite_same_bits("a clone", x[0], x[2], 15);
        lg_motion_destroy(copy);
    }
    free(state);
    lg_motion_destroy(other), finish(mo, m);
}

static void expect_refused(lg_mechanism *m, const char *words)
{
    lg_motion *mo = NULL;
    mechanism_well(lg_mechanism_compile(m), m);
    suite_status("created", motion_create(&mo, m, "gauss", 0.01), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_motion_message(mo), words);
    suite_contains("message", lg_motion_message(mo), "use sem");
    finish(mo, m);
}

static void refused(void **unused)
{
    const double box[3] = {0.1, 0.1, 0.1}, at[3] = {0, 0, 0.1}, above[3] = {0, 0, 0.4};
    lg_contact_options o = lg_contact_options_default();
    (void)unused;
    lg_mechanism *m = touch_ground(0.5, 0, 0);
    suite_case("two boxes");
    touch_thing(m, "one", LG_SURFACE_BOX, box, at, 0, 0.5, 0),
        touch_thing(m, "two", LG_SURFACE_BOX, box, above, 0, 0.5, 0);
    expect_refused(m, "surfaces 'one' and 'two'");
    suite_case("many contacts");
    m = touch_ground(0.5, 0, 0);
    for (int i = 0; i < 9; i++) {
        char name[8] = "b0";
        name[1] = (char)('0' + i);
        touch_body(m, name, 1, NULL, (double[3]){i, 0, 0.1}, 0);
        lg_surface s = lg_surface_default(name, name);
        s.kind = LG_SURFACE_BOX, s.friction = 0.5, s.group = 1;
        memcpy(s.half, box, sizeof box);
        mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
    }
    expect_refused(m, "at most 64 contacts and the mechanism has 72");
    suite_case("options");
    m = touch_ground(0.5, 0.9, 0);
    touch_body(m, "ball", 1, NULL, (double[3]){0, 0, 0.2}, 0);
    touch_surface(m, "ball", "ball", LG_SURFACE_SPHERE, ball, 0.5, 0.9);
    lg_motion *mo = gauss_motion(m, 1);
    o.localise = 0;
    suite_status("localise", lg_motion_set_contact(mo, &o), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_motion_message(mo), "localise is 0");
    suite_status("tolerance", lg_motion_set_tolerance(mo, 1e-9), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_motion_message(mo), "steps with contacts");
    o = lg_contact_options_default(), o.events = 3;
    motion_well(lg_motion_set_contact(mo, &o), mo);
    start_with(mo, 0, 0, 0);
    suite_status("events", lg_motion_step(mo, 1), LG_ERROR_CONVERGENCE);
    suite_contains("message", lg_motion_message(mo), "more than 3 impacts and other events");
    suite_near1("stays", touch_x(mo, 0, 2), 0.2, 0, 1);
    suite_near1("stays", touch_v(mo, 0, 2), 0, 0, 1);
    finish(mo, m);
}

/* A cylinder that lands all but flat: its lowest point runs around the rim. The status names the face, and
 * sem, which its message advises, sets the face down. */
static void nearly_flat(void **unused)
{
    static const char *const methods[] = {"gauss", "sem"};
    const double half[3] = {0.1, 0.05, 0.05}, tilt = 1e-7;
    const double pose[7] = {0, 0, 0.2, tilt / 6, tilt / 2, 0.1, sqrt(0.99)}, twist[6] = {0.3, 0.1, 0, 0, 0, 0.4};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        lg_mechanism *m = touch_ground(0, 0, 0);
        lg_motion *mo = NULL;
        lg_status st = LG_OK;
        double x[2][7], t = 0;
        suite_case("%s", methods[k]);
        touch_thing(m, "drum", LG_SURFACE_CYLINDER, half, (double[3]){0, 0, 0.2}, 0, 0, 0);
        mechanism_well(lg_mechanism_compile(m), m);
        motion_well(motion_create(&mo, m, methods[k], 0.02), mo);
        motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
        for (int i = 0; i < 60 && st == LG_OK; i++) {
            t = lg_motion_time(mo);
            suite_ok("pose", lg_motion_body_pose(mo, x[0], 0));
            st = lg_motion_step(mo, 1);
        }
        suite_status(lg_motion_message(mo), st, k == 0 ? LG_ERROR_CONVERGENCE : LG_OK);
        if (k == 0) {
            suite_contains("message", lg_motion_message(mo), "a face of 'drum' is tilted by");
            suite_contains("message", lg_motion_message(mo), "rad on 'ground', and its lowest point runs around");
            suite_contains("message", lg_motion_message(mo), "take sem, which sets such a face down");
            suite_ok("pose", lg_motion_body_pose(mo, x[1], 0));
            suite_same_bits("the state stays", x[1], x[0], 7);
            suite_same_bits("the time stays", &t, (double[]){lg_motion_time(mo)}, 1);
        }
        finish(mo, m);
    }
}

int main(void)
{
    suite_begin("contact_events");
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounces),
                                       cmocka_unit_test(rod_strikes),
                                       cmocka_unit_test(pendulum_strikes),
                                       cmocka_unit_test(slides_to_rest),
                                       cmocka_unit_test(on_a_slope),
                                       cmocka_unit_test(bowls),
                                       cmocka_unit_test(slips_and_sticks),
                                       cmocka_unit_test(sticks_in_time),
                                       cmocka_unit_test(cradles),
                                       cmocka_unit_test(block_rocks),
                                       cmocka_unit_test(ladder_leaves),
                                       cmocka_unit_test(rings),
                                       cmocka_unit_test(order_between_events),
                                       cmocka_unit_test(thrown),
                                       cmocka_unit_test(saved_and_loaded),
                                       cmocka_unit_test(nearly_flat),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
