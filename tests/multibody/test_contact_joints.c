/* SPDX-License-Identifier: BSD-3-Clause */
/* Stops and dry friction of joints: closed forms, and that what holds still does not creep. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/touching.h"

#define G 9.81

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, origin[3] = {0, 0, 0};

static void finish(lg_motion *mo, lg_mechanism *m)
{
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static lg_joint joint(lg_joint_kind kind, const double *axis)
{
    lg_joint j = lg_joint_default("joint", kind, NULL, "b");
    memcpy(j.axis, axis, sizeof j.axis);
    return j;
}

static void start(lg_motion *mo, double q, double v)
{
    motion_well(lg_motion_start_joints(mo, 0, &q, &v, 0), mo);
}

static double position(const lg_motion *mo)
{
    double q[8];
    suite_ok("positions", lg_motion_positions(mo, q, NULL));
    return q[0];
}

static double velocity(const lg_motion *mo)
{
    double q[8], v[8];
    suite_ok("velocities", lg_motion_positions(mo, q, v));
    return v[0];
}

/* ---- stops ---- */

/* A rod of 1 kg and 1 m falls from the horizontal and strikes a stop where it hangs. */
static void pendulum_strikes(void **unused)
{
    const double inertia[3] = {1.0 / 12, 1.0 / 12, 1.0 / 12}, at[3] = {0.5, 0, 0};
    (void)unused;
    for (int k = 0; k < 3; k++)
        for (int law = 0; law < 3; law++) {
            const double e = 0.5 * k;
            lg_mechanism *m = touch_empty();
            lg_joint j = joint(LG_JOINT_REVOLUTE, y_axis);
            suite_case("e = %g, %s", e, lg_impact_law_name((lg_impact_law)law));
            touch_body(m, "b", 1, inertia, at, 0);
            j.stops = 1, j.upper = 0.5 * SUITE_PI, j.stop_restitution = e;
            mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
            lg_motion *mo = touch_motion_by(m, 0.01, (lg_impact_law)law, 0.01);
            start(mo, 0, 0);
            touch_watch w = touch_begin(mo);
            touch_run(&w, mo, 49);
            suite_near1("lost", touch_account(mo).impact_normal, (1 - e * e) * 0.5 * G, 1e-12, 1);
            suite_near1("energy", lg_motion_energy(mo) - w.H0, -(1 - e * e) * 0.5 * G, 1e-12, 1);
            suite_below("joint", lg_motion_gap(mo), 1e-14);
            assert_int_equal(lg_motion_impacts(mo), 1);
            touch_run(&w, mo, 400);
            if (k == 0) suite_near1("hangs", position(mo), 0.5 * SUITE_PI, 1e-14, 1);
            if (k == 2) suite_near1("keeps H", lg_motion_energy(mo), w.H0, 1e-12, 10);
            finish(mo, m);
        }
}

/* A slide of 1 kg without weight between two stops: it goes to and fro with e^n of its velocity. */
static void slide_between(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const double e = k == 0 ? 1 : 0.9, h = 0.01, v0 = 1.7;
        lg_mechanism *m = touch_empty();
        lg_joint j = joint(LG_JOINT_PRISMATIC, x_axis);
        suite_case("e = %g", e);
        touch_body(m, "b", 1, NULL, origin, 0);
        j.stops = 1, j.lower = -0.3, j.upper = 0.5, j.stop_restitution = e;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        lg_motion *mo = touch_motion(m, h);
        start(mo, 0, v0);
        touch_watch w = touch_begin(mo);
        double x = 0, v = v0;
        for (int i = 0; i < 400; i++) {
            for (double left = h; left > 0;) { /* to the next stop, or to the end */
                const double to = v > 0 ? (0.5 - x) / v : (-0.3 - x) / v, t = fmin(left, to);
                x += v * t, left -= t;
                if (t == to && left > 0) v *= -e;
            }
            touch_run(&w, mo, 1);
            suite_near1("x", position(mo), x, 1e-12, 1);
        }
        suite_near1("v", fabs(velocity(mo)), fabs(v), 1e-12, 1);
        suite_above("impacts", (double)lg_motion_impacts(mo), 5);
        finish(mo, m);
    }
}

/* Stops at the ends of a screw, a cylindrical and a composed joint, and of one coordinate: a motor pushes against them,
 * and nothing yields. */
static void stops_hold(void **unused)
{
    static const lg_joint_kind kinds[] = {LG_JOINT_REVOLUTE, LG_JOINT_PRISMATIC, LG_JOINT_CYLINDRICAL,
                                          LG_JOINT_UNIVERSAL, LG_JOINT_COMPOSED};
    (void)unused;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int by_coordinate = 0; by_coordinate < 2; by_coordinate++) {
            lg_mechanism *m = touch_empty();
            lg_joint j = joint(kinds[k], y_axis);
            lg_coordinate c = lg_coordinate_default("first", k < 2 ? "joint" : "joint.1");
            lg_motor motor = lg_motor_default("motor", k < 2 ? "joint" : "joint.1");
            suite_case("%s, coordinate %d", lg_joint_kind_name(kinds[k]), by_coordinate);
            touch_body(m, "b", 1, NULL, (double[3]){0, 0, -0.3}, 0);
            memcpy(j.second, x_axis, sizeof j.second);
            if (kinds[k] == LG_JOINT_COMPOSED) {
                j.motions = 2;
                j.motion[0].kind = LG_JOINT_REVOLUTE, j.motion[1].kind = LG_JOINT_PRISMATIC;
                memcpy(j.motion[0].axis, y_axis, sizeof y_axis), memcpy(j.motion[1].axis, y_axis, sizeof y_axis);
            }
            if (by_coordinate)
                c.stops = 1, c.lower = -0.4, c.upper = 0.2, c.stop_restitution = 0.5;
            else
                j.stops = 1, j.lower = -0.4, j.upper = 0.2, j.stop_restitution = 0.5;
            mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
            if (by_coordinate) mechanism_well(lg_mechanism_add_coordinate(m, NULL, &c), m);
            mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
            lg_motion *mo = touch_motion(m, 0.005);
            motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
            touch_watch w = touch_begin(mo);
            for (int side = -1; side < 2; side += 2) {
                const double u = side * 30.0;
                motion_well(lg_motion_set_control(mo, &u), mo);
                touch_run(&w, mo, 400);
                suite_near1("at the stop", position(mo), side < 0 ? -0.4 : 0.2, 1e-12, 1);
            }
            suite_above("impacts", (double)lg_motion_impacts(mo), 2);
            finish(mo, m);
        }
}

/* ---- dry friction ---- */

static lg_mechanism *slider(double friction, double stiffness, int by_coordinate)
{
    lg_mechanism *m = touch_empty();
    lg_joint j = joint(LG_JOINT_PRISMATIC, x_axis);
    lg_coordinate c = lg_coordinate_default("x", "joint");
    const lg_motor motor = lg_motor_default("motor", "joint");
    touch_body(m, "b", 1, NULL, origin, 0);
    j.stiffness = stiffness, j.friction = by_coordinate ? 0 : friction, c.friction = friction;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    if (by_coordinate) mechanism_well(lg_mechanism_add_coordinate(m, NULL, &c), m);
    mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    return m;
}

static void holds_and_slides(void **unused)
{
    const double F = 5;
    (void)unused;
    for (int by_coordinate = 0; by_coordinate < 2; by_coordinate++) {
        lg_mechanism *m = slider(F, 0, by_coordinate);
        lg_motion *mo = touch_motion(m, 0.01);
        double u = F * (1 - 1e-9);
        lg_contact_state s;
        start(mo, 0, 0);
        motion_well(lg_motion_set_control(mo, &u), mo);
        touch_watch w = touch_begin(mo);
        w.size = 1; /* H is 0 */
        touch_run(&w, mo, 1000);
        suite_near1("holds", position(mo), 0, 1e-12, 1);
        motion_well(lg_motion_contact(mo, &s, 0), mo);
        assert_int_equal(s.mode, LG_CONTACT_STICKS);
        suite_near1("force", s.force[0], -u, 1e-12, F);
        u = F + 0.25;
        motion_well(lg_motion_set_control(mo, &u), mo);
        touch_run(&w, mo, 100);
        suite_near1("slides", position(mo), 0.125, 1e-12, 1);
        suite_near1("velocity", velocity(mo), 0.25, 1e-12, 1);
        motion_well(lg_motion_contact(mo, &s, 0), mo);
        assert_int_equal(s.mode, LG_CONTACT_SLIPS);
        suite_near1("force", s.force[0], -F, 1e-12, F);
        suite_near1("heat", touch_account(mo).friction + touch_account(mo).node, 0.125 * F, 3e-12, 1);
        u = 0;
        motion_well(lg_motion_set_control(mo, &u), mo);
        touch_run(&w, mo, 20);
        suite_near1("stops", position(mo), 0.125 + 0.5 * 0.0625 / F, F * 1e-4, 1);
        const double there = position(mo);
        touch_run(&w, mo, 1000);
        suite_near1("rests", position(mo), there, 1e-12, 1);
        suite_near1("rest", velocity(mo), 0, 1e-12, 1);
        finish(mo, m);
    }
}

/* x'' = -k x -+ F: half periods about +-F/k, each shorter by 2 F/k, until |x| <= F/k. */
static double rings(double h, double *rest)
{
    const double k = 40, F = 1.5, x0 = 0.42;
    lg_mechanism *m = slider(F, k, 0);
    lg_motion *mo = touch_motion(m, h);
    start(mo, x0, 0);
    touch_watch w = touch_begin(mo);
    double error = 0;
    const double period = SUITE_PI / sqrt(k);
    for (int i = 1; i * h < 5 * period; i++) {
        touch_run(&w, mo, 1);
        const double t = i * h;
        const int n = (int)(t / period), sign = n % 2 == 0 ? 1 : -1;
        const double amplitude = x0 - 2 * n * F / k - F / k;
        error = fmax(error, fabs(position(mo) - sign * (F / k + amplitude * cos((t - n * period) * sqrt(k)))));
    }
    touch_run(&w, mo, (int64_t)(2 / h));
    *rest = position(mo);
    touch_run(&w, mo, (int64_t)(2 / h));
    suite_near1("no creep", position(mo), *rest, 1e-15, 1);
    finish(mo, m);
    return error;
}

/* Where it turns, a step holds still: its phase is of order 1, and its energy of order 2. */
static void sticks_and_slips(void **unused)
{
    double rest;
    (void)unused;
    for (int k = 0; k < 4; k++) {
        const double h = 0.01 / (1 << k), error = rings(h, &rest);
        suite_case("h = %g", h);
        suite_below("error", error, 0.9 * h);
        suite_below("rest", fabs(fabs(rest) - 0.03), 3 * h * h);
    }
}

/* Hinges that turn each other, held against their weight. */
static lg_mechanism *arm(int links, lg_rng *rng)
{
    lg_mechanism *m = touch_empty();
    char name[16], other[16], hinge[16];
    for (int i = 0; i < links; i++) {
        snprintf(name, sizeof name, "b%d", i), snprintf(other, sizeof other, "b%d", i - 1);
        snprintf(hinge, sizeof hinge, "hinge%d", i);
        touch_body(m, name, 1, (double[3]){0.01, 0.012, 0.004}, (double[3]){0.3 * i + 0.15, 0, 0}, 0);
        lg_joint j = lg_joint_default(hinge, LG_JOINT_REVOLUTE, i > 0 ? other : NULL, name);
        j.point[0] = 0.3 * i;
        for (int k = 0; k < 3; k++) j.axis[k] = k == 1 ? 1 : 0.3 * (2 * lg_rng_uniform(rng) - 1);
        j.friction = (8 - i) * (links - i);
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    return m;
}

static void arms_hold(void **unused)
{
    (void)unused;
    for (int i = 0; i < 12; i++) {
        lg_rng rng = suite_rng(300 + (uint64_t)i);
        const int links = 1 + i % 4;
        const double h = 0.01 / (1 << i % 3);
        lg_mechanism *m = arm(links, &rng);
        suite_case("arm %d: %d links, h = %g", i, links, h);
        lg_motion *mo = touch_motion(m, h);
        double q0[8], q[8], v[8];
        for (int k = 0; k < links; k++) v[k] = 6 * lg_rng_uniform(&rng) - 3;
        motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
        touch_watch w = touch_begin(mo);
        touch_run(&w, mo, (int64_t)(2 / h));
        suite_ok("positions", lg_motion_positions(mo, q0, v));
        for (int step = 0; step * h < 2; step++) {
            touch_run(&w, mo, 1);
            suite_ok("positions", lg_motion_positions(mo, q, v));
            for (int k = 0; k < links; k++) suite_near1("rest", v[k], 0, 1e-13, 1);
        }
        for (int k = 0; k < links; k++) suite_near1("creep", q[k], q0[k], 1e-14, 1);
        finish(mo, m);
    }
}

int main(void)
{
    suite_begin("contact_joints");
    const struct CMUnitTest tests[] = {cmocka_unit_test(pendulum_strikes), cmocka_unit_test(slide_between),
                                       cmocka_unit_test(stops_hold),       cmocka_unit_test(holds_and_slides),
                                       cmocka_unit_test(sticks_and_slips), cmocka_unit_test(arms_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
