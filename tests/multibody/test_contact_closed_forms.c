/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts against more closed forms: balls that spin, roll and come to rest, a block on a slope, a disk that spins on
 * its face, a ball against a rod on a hinge. */
#include <math.h>
#include <string.h>

#include "support/touching.h"

#define G 9.81
#define R 0.1 /* of balls, of 1 kg */

static const double skin[3] = {R, 0, 0}, none[3] = {0, 0, 0};

static void finish(lg_motion *mo, lg_mechanism *m)
{
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* A ball at height z above ground that is tilted, from velocity v along x and spin w about y. */
static lg_motion *thrown(lg_mechanism **m, double friction, double e, double tilt, double z, double h, double v,
                         double w)
{
    const double at[3] = {(z + R) * sin(tilt), 0, (z + R) * cos(tilt)}, twist[6] = {v, 0, 0, 0, w, 0};
    double pose[7];
    *m = touch_ground(friction, e, tilt);
    touch_body(*m, "ball", 1, NULL, at, 0);
    touch_surface(*m, "ball", "ball", LG_SURFACE_SPHERE, skin, friction, e);
    lg_motion *mo = touch_motion_by(*m, h, LG_IMPACT_POISSON, 0.1);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
    motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
    return mo;
}

/* Spins and falls: it bounces with e v, and slips or ends the impact rolling, with 2/7 of its spin. */
static void spin_drops(void **unused)
{
    (void)unused;
    const double drop = 0.5, w = 40, v = sqrt(2 * G * drop), t = 0.4;
    for (int k = 0; k < 6; k++) {
        const double friction = k % 2 ? 0.5 : 0.1, e = 0.4 * (k / 2), slips = friction * (1 + e) * v;
        const double across = fmin(slips, 2.0 / 7 * R * w);
        lg_mechanism *m;
        suite_case("mu = %g, e = %g", friction, e);
        lg_motion *mo = thrown(&m, friction, e, 0, drop, 0.01, 0, w);
        touch_watch watch = touch_begin(mo);
        touch_run(&watch, mo, (int64_t)(t / 0.01 + 0.5));
        if (e > 0) suite_near1("up", touch_v(mo, 0, 2), e * v - G * (t - v / G), 1e-12, 1);
        if (e > 0) suite_near1("across", touch_v(mo, 0, 0), across, 1e-12, 1);
        if (e > 0) suite_near1("spin", touch_v(mo, 0, 4), w - 2.5 * across / R, 1e-11, 1);
        if (e == 0 && k % 2) suite_near1("rolls", touch_v(mo, 0, 0), 2.0 / 7 * R * w, 1e-12, 1);
        finish(mo, m);
    }
}

/* Each bounce has e of the velocity before, until that is below the capture speed: it rests when the series ends. */
static void bounces_end(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        const double e = 0.3 + 0.2 * k, v = sqrt(2 * G), end = v / G * (1 + e) / (1 - e), h = 0.001;
        lg_mechanism *m;
        suite_case("e = %g", e);
        lg_motion *mo = thrown(&m, 0.5, e, 0, 1, h, 0, 0);
        touch_watch w = touch_begin(mo);
        touch_run(&w, mo, (int64_t)((end - 0.2 / (G * (1 - e))) / h) - 1);
        suite_above("moves", fabs(touch_v(mo, 0, 2)), 1e-4);
        touch_run(&w, mo, (int64_t)(0.2 / (G * (1 - e)) / h) + 3);
        suite_near1("rests", touch_v(mo, 0, 2), 0, 1e-13, 1);
        suite_near1("lies", touch_x(mo, 0, 2), R, 1e-15, 1);
        suite_near1("impacts", (double)lg_motion_impacts(mo), 1 + floor(log(0.1 / v) / log(e)), 0, 1);
        finish(mo, m);
    }
}

/* Backspin: m v - I w/R stays, so that it comes back if R w > 5/2 v; the slip u takes m u^2/7. */
static void draws_back(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        const double h = 0.01 / (1 << k), v = 2, w = -60, slip = v - R * w;
        lg_mechanism *m;
        suite_case("h = %g", h);
        lg_motion *mo = thrown(&m, 0.2, 0, 0, 0, h, v, w);
        touch_watch watch = touch_begin(mo);
        touch_run(&watch, mo, (int64_t)(0.5 / h + 0.5));
        suite_near1("slips", touch_v(mo, 0, 0), v - 0.2 * G * 0.5, 1e-12, slip);
        touch_run(&watch, mo, (int64_t)(1 / h + 0.5));
        suite_near1("comes back", touch_v(mo, 0, 0), 5.0 / 7 * v + 2.0 / 7 * R * w, 1e-12, 1);
        suite_near1("rolls", touch_v(mo, 0, 0) - R * touch_v(mo, 0, 4), 0, 1e-12, 1);
        suite_near1("lost", touch_account(mo).friction + touch_account(mo).node, slip * slip / 7, 1e-11, 1);
        finish(mo, m);
    }
}

/* From rest on a slope it rolls with 5/7 g sin, or slips if mu < 2/7 tan. */
static void rolls_down(void **unused)
{
    (void)unused;
    const double tilt = 0.3, c = cos(tilt), s = sin(tilt), t = 1;
    for (int k = 0; k < 2; k++) {
        const double friction = k ? 0.05 : 0.4, a = k ? G * (s - friction * c) : 5.0 / 7 * G * s;
        const double spins = k ? 2.5 * friction * G * c : a;
        lg_mechanism *m;
        suite_case("mu = %g", friction);
        lg_motion *mo = thrown(&m, friction, 0, tilt, 0, 0.01, 0, 0);
        touch_watch w = touch_begin(mo);
        touch_run(&w, mo, 100);
        suite_near1("v", c * touch_v(mo, 0, 0) - s * touch_v(mo, 0, 2), a * t, 1e-11, 1);
        suite_near1("spin", R * touch_v(mo, 0, 4), spins * t, 1e-11, 1);
        suite_near1("x", c * touch_x(mo, 0, 0) - s * touch_x(mo, 0, 2), 0.5 * a * t * t, 1e-11, 1);
        finish(mo, m);
    }
}

/* Pushed up a slope: it stops after v^2/(2 g (sin + mu cos)), and stays if mu > tan, or comes back: one step later,
 * since a step in which it turns holds still. */
static void up_a_slope(void **unused)
{
    (void)unused;
    const double half[3] = {0.2, 0.1, 0.05}, tilt = 0.3, c = cos(tilt), s = sin(tilt), v = 2;
    for (int k = 0; k < 6; k++) {
        const double h = 0.01 / (1 << k / 2), friction = k % 2 ? 0.5 : 0.1, at[3] = {0.05 * s, 0, 0.05 * c};
        const double up = G * (s + friction * c), down = fmax(0, G * (s - friction * c)), t = 1.2 - v / up;
        const double twist[6] = {-v * c, 0, v * s, 0, 0, 0};
        double pose[7];
        lg_mechanism *m = touch_ground(friction, 0, tilt);
        suite_case("h = %g, mu = %g", h, friction);
        touch_thing(m, "block", LG_SURFACE_BOX, half, at, tilt, friction, 0);
        lg_motion *mo = touch_motion(m, h);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
        suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
        motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
        touch_watch w = touch_begin(mo);
        touch_run(&w, mo, (int64_t)(1.2 / h + 0.5));
        const double x = s * touch_x(mo, 0, 2) - c * touch_x(mo, 0, 0);
        suite_near1("x", x, 0.5 * v * v / up - 0.5 * down * t * t, down * t * h + G * h * h, 1);
        suite_near1("v", s * touch_v(mo, 0, 2) - c * touch_v(mo, 0, 0), -down * t, friction > s / c ? 1e-12 : G * h, 1);
        suite_near1("height", s * touch_x(mo, 0, 0) + c * touch_x(mo, 0, 2), 0.05, 1e-14, 1);
        finish(mo, m);
    }
}

/* A cylinder that spins on its face touches with points of its rim: it slows down by 2 mu g/R, and loses all. */
static void disk_spins(void **unused)
{
    (void)unused;
    const double radius = 0.2, half[3] = {radius, 0.05, 0}, at[3] = {0, 0, 0.05}, w0 = 12, friction = 0.2;
    const double inertia[3] = {0.0108, 0.0108, 0.02}, slows = 2 * friction * G / radius;
    for (int k = 0; k < 3; k++) {
        const double h = 0.01 / (1 << k), twist[6] = {0, 0, 0, 0, 0, w0};
        double pose[7];
        lg_mechanism *m = touch_ground(friction, 0, 0);
        suite_case("h = %g", h);
        touch_body(m, "disk", 1, inertia, at, 0);
        touch_surface(m, "disk", "disk", LG_SURFACE_CYLINDER, half, friction, 0);
        lg_motion *mo = touch_motion(m, h);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
        suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
        motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
        touch_watch w = touch_begin(mo);
        touch_run(&w, mo, (int64_t)(0.4 / h + 0.5));
        suite_near1("spin", touch_v(mo, 0, 5), w0 - 0.4 * slows, w0 * w0 * h * h, 1);
        touch_run(&w, mo, (int64_t)(0.3 / h + 0.5));
        suite_near1("rests", touch_v(mo, 0, 5), 0, 1e-12, 1);
        suite_near1("place", hypot(touch_x(mo, 0, 0), touch_x(mo, 0, 1)), 0, 1e-12, 1);
        suite_near1("lost", touch_account(mo).friction + touch_account(mo).node, 0.5 * 0.02 * w0 * w0, 1e-12, 1);
        finish(mo, m);
    }
}

/* A rod of 2 kg on a hinge is struck at a distance d, without weight: J = (1 + e) v/(1/m + d^2/I). */
static void rod_is_struck(void **unused)
{
    (void)unused;
    for (int k = 0; k < 6; k++) {
        const double e = 0.5 * (k % 3), d = k < 3 ? 0.7 : 0.9, v = 3, about = 2.0 / 12 + 2 * 0.25;
        const double J = (1 + e) * v / (1 + d * d / about), inertia[3] = {2.0 / 12, 2.0 / 12, 0.001};
        const double centre[3] = {0, 0, 0.5}, at[3] = {-0.15 - 0.02, 0, 1 - d}, small[3] = {0.05, 0, 0};
        const double twists[12] = {0, 0, 0, 0, 0, 0, v, 0, 0, 0, 0, 0};
        double poses[14];
        lg_mechanism *m = touch_empty();
        suite_case("e = %g, d = %g", e, d);
        mechanism_well(lg_mechanism_set_gravity(m, none), m);
        touch_body(m, "rod", 2, inertia, centre, 0);
        lg_joint j = lg_joint_default("hinge", LG_JOINT_REVOLUTE, NULL, "rod");
        j.axis[1] = 1, j.axis[0] = j.axis[2] = 0, j.point[2] = 1;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        touch_body(m, "ball", 1, NULL, at, 0);
        touch_surface(m, "ball", "ball", LG_SURFACE_SPHERE, skin, 0, e);
        lg_surface knob = lg_surface_default("knob", "rod");
        knob.kind = LG_SURFACE_SPHERE, knob.position[2] = 0.5 - d, knob.restitution = e;
        memcpy(knob.half, small, sizeof small);
        mechanism_well(lg_mechanism_add_surface(m, NULL, &knob), m);
        lg_motion *mo = touch_motion(m, 0.01);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
        for (int b = 0; b < 2; b++) suite_ok("pose", lg_motion_body_pose(mo, poses + 7 * b, b));
        motion_well(lg_motion_start_poses(mo, 0, poses, twists, 0), mo);
        touch_watch w = touch_begin(mo);
        touch_run(&w, mo, 1);
        assert_int_equal(lg_motion_impacts(mo), 1);
        if (e > 0) suite_near1("ball", touch_v(mo, 1, 0), v - J, 1e-12, 1);
        if (e > 0) suite_near1("rod", touch_v(mo, 0, 4), -d * J / about, 1e-11, 1);
        suite_near1("lost", touch_account(mo).impact_normal, 0.5 * J * v * (1 - e), 1e-12, 1);
        finish(mo, m);
    }
}

int main(void)
{
    suite_begin("contact_closed_forms");
    const struct CMUnitTest tests[] = {cmocka_unit_test(spin_drops),   cmocka_unit_test(bounces_end),
                                       cmocka_unit_test(draws_back),   cmocka_unit_test(rolls_down),
                                       cmocka_unit_test(up_a_slope),   cmocka_unit_test(disk_spins),
                                       cmocka_unit_test(rod_is_struck)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
