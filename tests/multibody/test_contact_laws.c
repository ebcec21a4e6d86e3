/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts against closed forms: bounces, slides, impacts of rods, rows and blocks, ladders, stacks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/touching.h"

#define G 9.81

static const double ball[3] = {0.1, 0, 0}, no_lift[3] = {0, 0, 0};

static void start_poses(lg_motion *mo, const double *poses, const double *twists)
{
    motion_well(lg_motion_start_poses(mo, 0, poses, twists, 0), mo);
}

/* A thing from its place with velocity v in space; the other velocities are 0. */
static void start_with(lg_motion *mo, double vx, double vy, double vz)
{
    double v[6] = {vx, vy, vz, 0, 0, 0}, pose[7];
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
    start_poses(mo, pose, v);
}

static void finish(lg_motion *mo, lg_mechanism *m)
{
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* ---- a ball that bounces ---- */

/* Its height above the ground at t, dropped from `drop`. */
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
    (void)unused;
    for (int k = 0; k < 3; k++) {
        const double h = 0.02 / (1 << k), top[3] = {0, 0, 1.1};
        lg_mechanism *m = touch_ground(0.5, 0.8, 0);
        suite_case("h = %g", h);
        touch_body(m, "ball", 1, NULL, top, 0);
        touch_surface(m, "ball", "ball", LG_SURFACE_SPHERE, ball, 0.5, 0.8);
        lg_motion *mo = touch_motion(m, h);
        start_with(mo, 0, 0, 0);
        touch_watch w = touch_begin(mo);
        for (int i = 1; i * h < 3.25; i++) {
            touch_run(&w, mo, 1);
            suite_near1("height", touch_x(mo, 0, 2) - 0.1, bounced(i * h, 1, 0.8), 1e-12, 1);
        }
        touch_run(&w, mo, (int64_t)(1.5 / h));
        suite_near1("rest", touch_x(mo, 0, 2), 0.1, 1e-15, 1);
        suite_near1("velocity", touch_v(mo, 0, 2), 0, 1e-14, 1);
        const lg_account a = touch_account(mo);
        suite_near1("all is lost", a.impact_normal + a.landing + a.node, G, 1e-12, G);
        suite_above("impacts", (double)lg_motion_impacts(mo), 14);
        finish(mo, m);
    }
}

/* ---- a block on the flat and on a slope ---- */

static void slides_to_rest(void **unused)
{
    const double half[3] = {0.2, 0.1, 0.1}, at[3] = {0, 0, 0.1};
    (void)unused;
    for (int k = 0; k < 3; k++) {
        const double h = 0.01 / (1 << k);
        lg_mechanism *m = touch_ground(0.3, 0, 0);
        suite_case("h = %g", h);
        touch_thing(m, "block", LG_SURFACE_BOX, half, at, 0, 0.3, 0);
        lg_motion *mo = touch_motion(m, h);
        start_with(mo, 2, 0, 0);
        touch_watch w = touch_begin(mo);
        touch_run(&w, mo, (int64_t)(1 / h));
        suite_near1("distance", touch_x(mo, 0, 0), 0.6795786612300374, 0.3 * G * h * h / 4, 1);
        const double there = touch_x(mo, 0, 0);
        touch_run(&w, mo, (int64_t)(1 / h));
        suite_near1("at rest", touch_x(mo, 0, 0), there, 1e-15, 1);
        suite_near1("height", touch_x(mo, 0, 2), 0.1, 1e-14, 1);
        suite_near1("lost", touch_account(mo).friction + touch_account(mo).node, 2, 1e-12, 1);
        finish(mo, m);
    }
}

/* Moved along a slope of 0.3 rad in 4 s. */
static double crept(double friction, double h, lg_surface_kind kind)
{
    const double tilt = 0.3, half[3] = {0.2, 0.1, 0.1}, up = kind == LG_SURFACE_CYLINDER ? half[1] : 0.1;
    const double at[3] = {up * sin(tilt), 0, up * cos(tilt)};
    lg_mechanism *m = touch_ground(friction, 0, tilt);
    touch_thing(m, "block", kind, half, at, tilt, friction, 0);
    lg_motion *mo = touch_motion(m, h);
    start_with(mo, 0, 0, 0);
    touch_watch w = touch_begin(mo);
    touch_run(&w, mo, (int64_t)(4 / h + 0.5));
    const double x = hypot(touch_x(mo, 0, 0) - at[0], touch_x(mo, 0, 2) - at[2]);
    finish(mo, m);
    return x;
}

static void on_a_slope(void **unused)
{
    const double tilt = 0.3, slip = tan(tilt);
    static const lg_surface_kind kinds[] = {LG_SURFACE_BOX, LG_SURFACE_CYLINDER};
    (void)unused;
    for (int k = 0; k < 2; k++)
        for (double h = 0.01; h > 0.004; h *= 0.5) {
            suite_case("%s, h = %g", lg_surface_kind_name(kinds[k]), h);
            suite_below("creep", crept(1.0002 * slip, h, kinds[k]), 1e-12);
            suite_near1("slip", crept(0.999 * slip, h, kinds[k]), 8 * G * (sin(tilt) - 0.999 * slip * cos(tilt)), 1e-11,
                        1);
        }
}

/* ---- a ball that slides, then rolls ---- */

static void bowls(void **unused)
{
    static const double bounds[4] = {7e-5, 4e-6, 4e-6, 4e-7}; /* of x: the step in which it begins to roll */
    const double at[3] = {0, 0, 0.1}, stop = 10 / (7 * 0.2 * G);
    (void)unused;
    for (int k = 0; k < 4; k++) {
        const double h = 0.02 / (1 << k);
        lg_mechanism *m = touch_ground(0.2, 0, 0);
        suite_case("h = %g", h);
        touch_body(m, "ball", 1, NULL, at, 0);
        touch_surface(m, "ball", "ball", LG_SURFACE_SPHERE, ball, 0.2, 0);
        lg_motion *mo = touch_motion(m, h);
        start_with(mo, 5, 0, 0);
        touch_watch w = touch_begin(mo);
        touch_run(&w, mo, (int64_t)(1.5 / h + 0.5));
        suite_near1("v", touch_v(mo, 0, 0), 25.0 / 7, 1e-12, 1);
        suite_near1("rolls", touch_v(mo, 0, 0) - 0.1 * touch_v(mo, 0, 4), 0, 1e-12, 1);
        suite_near1("x", touch_x(mo, 0, 0), 5 * stop - 0.1 * G * stop * stop + 25.0 / 7 * (1.5 - stop), bounds[k], 1);
        suite_near1("lost", touch_account(mo).friction + touch_account(mo).node, 25.0 / 7, 1e-12, 1);
        finish(mo, m);
    }
}

/* ---- impacts ---- */

/* Rods strike rough ground obliquely: with Newton's law some of these impacts add energy, which is told. */
static void rough_rods(void **unused)
{
    const double ends[6] = {-0.5, 0, 0, 0.5, 0, 0}, inertia[3] = {1.0 / 12, 1.0 / 12, 1.0 / 12};
    (void)unused;
    for (int law = 0; law < 3; law++) {
        double most = 0;
        for (int i = 0; i < 20; i++) {
            const double lean = 0.6 + 0.04 * i, at[3] = {0, 0, 0.01 + 0.5 * sin(lean)};
            const double v[6] = {-5, 0, -3, 0, -10, 0};
            double pose[7];
            lg_mechanism *m = touch_ground(0.7, 0.98, 0);
            lg_surface rod = lg_surface_default("rod", "rod");
            suite_case("%s, leaning %g", lg_impact_law_name((lg_impact_law)law), lean);
            touch_body(m, "rod", 1, inertia, at, lean);
            rod.kind = LG_SURFACE_HULL, rod.points = 2, rod.point = ends, rod.friction = 0.7, rod.restitution = 0.98;
            mechanism_well(lg_mechanism_add_surface(m, NULL, &rod), m);
            lg_motion *mo = touch_motion_by(m, 0.01, (lg_impact_law)law, 0.01);
            motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
            suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
            start_poses(mo, pose, v);
            touch_watch w = touch_begin(mo);
            w.gains = law == LG_IMPACT_NEWTON;
            for (int k = 0; k < 20 && lg_motion_impacts(mo) == 0; k++) touch_run(&w, mo, 1);
            const lg_account a = touch_account(mo);
            const double gain = lg_motion_impact_gain(mo), lost = a.impact_normal + a.impact_friction;
            if (lg_motion_impacts(mo) == 1) suite_near1("gain", gain, fmax(0, -lost), 1e-12, 1);
            most = fmax(most, gain);
            motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
            suite_near1("of a new start", lg_motion_impact_gain(mo), 0, 0, 1);
            finish(mo, m);
        }
        suite_case("%s", lg_impact_law_name((lg_impact_law)law));
        if (law == LG_IMPACT_NEWTON)
            suite_above("gain", most, 0.05);
        else
            suite_near1("gain", most, 0, 0, 1);
    }
    if (!isnan(lg_motion_impact_gain(NULL))) suite_fail("a gain of no motion");
}

/* A rod of 1 kg and 1 m that leans by 0.7 rad falls by 0.5 m on smooth ground. */
static void rod_strikes(void **unused)
{
    const double c = cos(0.7), s = sin(0.7), ends[6] = {-0.5, 0, 0, 0.5, 0, 0}, v = sqrt(G), t = v / G;
    const double inertia[3] = {1.0 / 12, 1.0 / 12, 1.0 / 12}, at[3] = {0, 0, 0.5 + 0.5 * s};
    (void)unused;
    for (int k = 0; k < 3; k++)
        for (int law = 0; law < 3; law++) {
            const double e = 0.5 * k, J = (1 + e) * v / (1 + 3 * c * c), h = 0.01;
            lg_mechanism *m = touch_ground(0, e, 0);
            lg_surface rod = lg_surface_default("rod", "rod");
            suite_case("e = %g, %s", e, lg_impact_law_name((lg_impact_law)law));
            touch_body(m, "rod", 1, inertia, at, 0.7);
            rod.kind = LG_SURFACE_HULL, rod.points = 2, rod.point = ends, rod.friction = 0, rod.restitution = e;
            mechanism_well(lg_mechanism_add_surface(m, NULL, &rod), m);
            lg_motion *mo = touch_motion_by(m, h, (lg_impact_law)law, 0.01);
            start_with(mo, 0, 0, 0);
            touch_watch w = touch_begin(mo);
            touch_run(&w, mo, 32);
            if (k > 0) { /* the end leaves, and the rod flies */
                suite_near1("v", touch_v(mo, 0, 2), J - v - G * (32 * h - t), 1e-12, 1);
                suite_near1("w", touch_v(mo, 0, 4), -6 * J * c, 1e-11, 1);
            }
            suite_near1("loss", touch_account(mo).impact_normal, 0.5 * (1 - e * e) * v * v / (1 + 3 * c * c), 1e-12, 1);
            assert_int_equal(lg_motion_impacts(mo), 1);
            finish(mo, m);
        }
}

/* Five balls in a row without gravity; the first comes with 1 m/s. */
static void cradle(double *v, lg_impact_law law, double gap)
{
    char name[8];
    double poses[35] = {0}, twists[30] = {1};
    lg_mechanism *m = touch_empty();
    mechanism_well(lg_mechanism_set_gravity(m, no_lift), m);
    for (int i = 0; i < 5; i++) {
        const double at[3] = {0.2 * i - (i == 0 ? gap : 0), 0, 0};
        snprintf(name, sizeof name, "b%d", i);
        touch_body(m, name, 1, NULL, at, 0);
        touch_surface(m, name, name, LG_SURFACE_SPHERE, ball, 0, 1);
        memcpy(poses + 7 * i, at, sizeof at), poses[7 * i + 6] = 1;
    }
    lg_motion *mo = touch_motion_by(m, 0.01, law, 0.01);
    start_poses(mo, poses, twists);
    touch_watch w = touch_begin(mo);
    touch_run(&w, mo, 40);
    for (int i = 0; i < 5; i++) v[i] = touch_v(mo, i, 0);
    finish(mo, m);
}

static void cradles(void **unused)
{
    const double right[5] = {0, 0, 0, 0, 1};
    (void)unused;
    for (double gap = 0; gap < 0.2; gap += 0.1003) {
        double v[5], sum = 0, energy = 0;
        cradle(v, LG_IMPACT_SEQUENTIAL, gap);
        suite_near("sequential", v, right, 5, 1e-12, 1);
        cradle(v, LG_IMPACT_POISSON, gap);
        for (int i = 0; i < 5; i++) sum += v[i], energy += v[i] * v[i];
        suite_near1("momentum", sum, 1, 1e-12, 1);
        suite_below("energy", energy, 1 + 1e-12);
        suite_above("another answer", fabs(v[4] - 1), 1e-2);
    }
}

/* Equal balls, the line of whose centres is turned by 30 degrees from the velocity. */
static void oblique_balls(void **unused)
{
    (void)unused;
    for (int slips = 0; slips < 2; slips++)
        for (int law = 0; law < 3; law++) {
            const double friction = slips ? 0.05 : 0.1, e = 0.9, vn = sqrt(0.75);
            double poses[14] = {-0.3 - 0.2 * vn, -0.1, 0, 0, 0, 0, 1}, twists[12] = {1};
            lg_mechanism *m = touch_empty();
            suite_case("mu = %g, %s", friction, lg_impact_law_name((lg_impact_law)law));
            mechanism_well(lg_mechanism_set_gravity(m, no_lift), m);
            touch_body(m, "a", 1, NULL, poses, 0), touch_body(m, "b", 1, NULL, no_lift, 0);
            touch_surface(m, "a", "a", LG_SURFACE_SPHERE, ball, friction, e);
            touch_surface(m, "b", "b", LG_SURFACE_SPHERE, ball, friction, e);
            lg_motion *mo = touch_motion_by(m, 0.01, (lg_impact_law)law, 0.01);
            poses[13] = 1;
            start_poses(mo, poses, twists);
            touch_watch w = touch_begin(mo);
            w.gains = law == LG_IMPACT_NEWTON;
            touch_run(&w, mo, 60);
            const double vx = touch_v(mo, 1, 0), vy = touch_v(mo, 1, 1), c = vn, s = 0.5;
            suite_near1("along the centres", c * vx + s * vy, 0.5 * (1 + e) * vn, 1e-12, 1);
            suite_near1("across", s * vx - c * vy, slips ? 0.5 * friction * (1 + e) * vn : 0.5 / 7, 1e-12, 1);
            finish(mo, m);
        }
}

/* Housner's block of 0.2 by 0.8 m rocks from 0.15 rad: its first impact loses the share 1 - r^2. */
static void block_rocks(void **unused)
{
    const double half[3] = {0.1, 0.1, 0.4}, tilt = 0.15, R = sqrt(0.17), lean = atan(0.25) - tilt;
    const double at[3] = {0, 0, R * cos(lean)};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const double h = k == 0 ? 0.01 : 0.0025;
        lg_mechanism *m = touch_ground(2, 0, 0);
        suite_case("h = %g", h);
        touch_thing(m, "block", LG_SURFACE_BOX, half, at, tilt, 2, 0);
        lg_motion *mo = touch_motion(m, h);
        start_with(mo, 0, 0, 0);
        touch_watch w = touch_begin(mo);
        while (lg_motion_impacts(mo) == 0) touch_run(&w, mo, 1);
        const lg_account a = touch_account(mo);
        const double falling = G * (at[2] - 0.4) - a.friction - a.landing - a.node;
        suite_near1("share", (a.impact_normal + a.impact_friction) / falling, 0.16868512110726652, 1e-12, 1);
        suite_near1("lost on its edge", (a.friction + a.landing + a.node) / falling, 0, 0.5 * h * h * h, 1);
        finish(mo, m);
    }
}

/* ---- a ladder leaves the wall ---- */

static void ladder_leaves(void **unused)
{
    const double inertia[3] = {1.0 / 12, 1.0 / 12, 1.0 / 12}, start = 1.2, ends[6] = {-0.5, 0, 0, 0.5, 0, 0};
    const double at[3] = {0.5 * cos(start), 0, 0.5 * sin(start)};
    (void)unused;
    for (int k = 0; k < 3; k++) {
        const double h = 0.005 / (1 << 2 * k);
        lg_mechanism *m = touch_ground(0, 0, 0);
        lg_surface wall = lg_surface_default("wall", NULL), rod = lg_surface_default("rod", "rod");
        lg_contact_state s = {0};
        suite_case("h = %g", h);
        wall.kind = LG_SURFACE_PLANE, wall.friction = 0;
        touch_tilt(wall.attitude, 0.5 * SUITE_PI);
        mechanism_well(lg_mechanism_add_surface(m, NULL, &wall), m);
        touch_body(m, "rod", 1, inertia, at, start);
        rod.kind = LG_SURFACE_HULL, rod.points = 2, rod.point = ends, rod.friction = 0;
        mechanism_well(lg_mechanism_add_surface(m, NULL, &rod), m);
        lg_motion *mo = touch_motion(m, h);
        start_with(mo, 0, 0, 0);
        touch_watch w = touch_begin(mo);
        assert_int_equal(lg_motion_contact_count(mo), 4);
        /* the upper end, -x of the rod, on the wall */
        int upper = -1;
        for (int i = 0; i < 4; i++) {
            motion_well(lg_motion_contact(mo, &s, i), mo);
            if (s.surface[0] == 1 && fabs(s.gap) < 1e-12) upper = i;
        }
        assert_true(upper >= 0);
        do {
            touch_run(&w, mo, 1);
            motion_well(lg_motion_contact(mo, &s, upper), mo);
        } while (s.mode != LG_CONTACT_OPEN && lg_motion_time(mo) < 0.5);
        suite_near1("time", lg_motion_time(mo), 0.407707335855738, 4 * h, 1);
        suite_near1("sine", touch_x(mo, 0, 2) / at[2], 2.0 / 3, 8 * h, 1);
        finish(mo, m);
    }
}

/* ---- a ball leaves a ball ---- */

/* From rest at an angle, without friction, on a fixed ball: it leaves where the cosine is 2/3 of that at the start. */
static void ball_leaves(void **unused)
{
    const double big[3] = {1, 0, 0}, start = 0.3, at[3] = {1.1 * sin(start), 0, 1.1 * cos(start)};
    (void)unused;
    for (int k = 0; k < 4; k++) {
        const double h = 0.005 / (1 << k % 3), friction = k == 3 ? 0.6 : 0;
        lg_mechanism *m = touch_empty();
        lg_contact_state s = {.mode = LG_CONTACT_STICKS};
        suite_case("h = %g, mu = %g", h, friction);
        touch_body(m, "ball", 1, NULL, at, 0);
        touch_surface(m, "ball", "ball", LG_SURFACE_SPHERE, ball, friction, 0);
        touch_surface(m, "world", NULL, LG_SURFACE_SPHERE, big, friction, 0);
        lg_motion *mo = touch_motion(m, h);
        start_with(mo, 0, friction > 0 ? 0.2 : 0, 0);
        touch_watch w = touch_begin(mo);
        while (s.mode != LG_CONTACT_OPEN && lg_motion_time(mo) < 3) {
            touch_run(&w, mo, 1);
            motion_well(lg_motion_contact(mo, &s, 0), mo);
        }
        assert_int_equal(s.mode, LG_CONTACT_OPEN);
        if (friction == 0) suite_near1("cosine", touch_x(mo, 0, 2) / at[2], 2.0 / 3, 6 * h, 1);
        finish(mo, m);
    }
}

/* ---- an ellipsoid slips and sticks ---- */

static double slip_stick_error(double h)
{
    lg_mechanism *m = touch_ellipsoid();
    double xi[6], out[6];
    lg_motion *mo = touch_motion(m, h);
    touch_ellipsoid_starts(mo);
    touch_watch w = touch_begin(mo);
    suite_near1("H", lg_motion_energy(mo), 1.6748429057025431, 1e-14, 1);
    touch_run(&w, mo, (int64_t)(1 / h + 0.5));
    suite_ok("state", lg_motion_state(mo, NULL, xi, out));
    const double error = touch_ellipsoid_error(mo);
    finish(mo, m);
    return error;
}

static void slips_and_sticks(void **unused)
{
    double slope = 0;
    (void)unused;
    for (int k = 0; k < 4; k++) {
        const double h = 0.01 / (1 << k), error = slip_stick_error(h);
        suite_case("h = %g", h);
        suite_below("error", error, 9 * h * h);
        slope -= (k - 1.5) * log2(error) / 5;
    }
    suite_near1("order", slope, 2, 0.1, 1);
}

/* ---- a stack ---- */

/* A force at its foot, with slip at mu M g, moves the whole stack. */
static void stack_is_pushed(int count, double force)
{
    const double friction = 0.5, slip = friction * count * G, a = force > slip ? (force - slip) / count : 0;
    lg_mechanism *m = touch_stack(count, friction);
    suite_case("%d boxes pushed by %g N", count, force);
    lg_motion *mo = touch_motion(m, 0.005);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    motion_well(lg_motion_set_control(mo, &force), mo);
    touch_watch w = touch_begin(mo);
    touch_run(&w, mo, 100);
    double worst = 0, sunk = 0;
    for (int i = 0; i < count; i++) {
        worst = fmax(worst, fabs(touch_x(mo, i, 0) - 0.125 * a));
        sunk = fmax(sunk, fabs(touch_x(mo, i, 2) - 0.1 - 0.2 * i));
        worst = fmax(worst, fabs(touch_x(mo, i, 1)));
    }
    suite_below("x", worst, force > 55 ? 3e-12 : 1e-12);
    suite_below("z", sunk, 1e-12);
    finish(mo, m);
}

static void stacks(void **unused)
{
    static const double forces[] = {0, 48, 50, 52, 55, 58};
    (void)unused;
    for (int k = 0; k < 6; k++) stack_is_pushed(10, forces[k]);
    stack_is_pushed(7, 34.3), stack_is_pushed(7, 35.3), stack_is_pushed(13, 65);
    for (int count = 5; count <= 20; count += 5)
        for (int k = 0; k < 4; k++) stack_is_pushed(count, (0.98 + 0.01 * (k < 2 ? k : k + 1)) * 0.5 * count * G);
}

int main(void)
{
    suite_begin("contact_laws");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces),       cmocka_unit_test(slides_to_rest), cmocka_unit_test(on_a_slope),
        cmocka_unit_test(bowls),         cmocka_unit_test(rod_strikes),    cmocka_unit_test(rough_rods),
        cmocka_unit_test(cradles),       cmocka_unit_test(oblique_balls),  cmocka_unit_test(block_rocks),
        cmocka_unit_test(ladder_leaves), cmocka_unit_test(ball_leaves),    cmocka_unit_test(slips_and_sticks),
        cmocka_unit_test(stacks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
