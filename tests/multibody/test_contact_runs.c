/* SPDX-License-Identifier: BSD-3-Clause */
/* Long runs with contacts: H - H_0 - account stays at round-off in every step, and what rests does not creep. The suite
 * `long` makes 10^5 steps, LG_TEST_STEPS. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/touching.h"

static int steps = 2000;

static void finish(lg_motion *mo, lg_mechanism *m)
{
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* Round-off that is not biased grows like the root of the steps; c is what one step adds, in units in the last place of
 * the energies. */
static void keeps_balance(lg_motion *mo, double c, void (*drive)(lg_motion *mo, int step))
{
    touch_watch w = touch_begin(mo);
    for (int k = 0; k < steps; k++) {
        if (drive != NULL) drive(mo, k);
        touch_run(&w, mo, 1);
        suite_below("balance over the root of the steps", w.balance, (2 + c * sqrt(k + 1.0)) * SUITE_EPS * w.size);
    }
}

static void start_rolling(lg_motion *mo, double height, double vx, double wx, double wy)
{
    const double pose[7] = {0, 0, height, 0, 0, 0, 1}, v[6] = {vx, 0.05, 0, wx, wy, 0.3};
    motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
}

/* It never comes to rest with e = 1; with e = 0.8 it rolls after some seconds. */
static void bounces(void **unused)
{
    const double half[3] = {0.1, 0.1, 0.1};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const double e = k == 0 ? 1 : 0.8;
        lg_mechanism *m = touch_ground(0.3, e, 0);
        suite_case("e = %g", e);
        touch_thing(m, "b", LG_SURFACE_SPHERE, half, (double[3]){0, 0, 1}, 0, 0.3, e);
        lg_motion *mo = touch_motion(m, 0.01);
        start_rolling(mo, 1, 2, 1, -2);
        keeps_balance(mo, 4, NULL);
        suite_above("impacts", (double)lg_motion_impacts(mo), 0.0075 * steps);
        finish(mo, m);
    }
}

static void rolls(void **unused)
{
    const double half[3] = {0.2, 0.15, 0.1};
    lg_mechanism *m = touch_ground(0.9, 0, 0);
    (void)unused;
    touch_thing(m, "b", LG_SURFACE_ELLIPSOID, half, (double[3]){0, 0, 0.1}, 0, 0.9, 0);
    lg_motion *mo = touch_motion(m, 0.01);
    start_rolling(mo, 0.1, 0.1, -0.5, 1);
    keeps_balance(mo, 0.2, NULL);
    suite_above("it rolls", hypot(touch_v(mo, 0, 3), touch_v(mo, 0, 4)), 0.1);
    finish(mo, m);
}

static void shake(lg_motion *mo, int step)
{
    const double u = 3 * sin(0.013 * step);
    motion_well(lg_motion_set_control(mo, &u), mo);
}

/* A motor drives a pendulum with dry friction from stop to stop: it does a hundred times the work that H ever has. */
static void swings(void **unused)
{
    lg_mechanism *m = touch_empty();
    lg_joint j = lg_joint_default("joint", LG_JOINT_REVOLUTE, NULL, "b");
    const lg_motor motor = lg_motor_default("motor", "joint");
    (void)unused;
    touch_body(m, "b", 1, NULL, (double[3]){0, 0, -0.3}, 0);
    j.axis[1] = 1, j.axis[2] = 0;
    j.stops = 1, j.lower = -0.6, j.upper = 0.4, j.stop_restitution = 0.7, j.friction = 0.3;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    lg_motion *mo = touch_motion(m, 0.01);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    keeps_balance(mo, 8, shake);
    suite_above("impacts", (double)lg_motion_impacts(mo), 0.03 * steps);
    suite_above("friction, J", touch_account(mo).friction, 9e-4 * steps);
    finish(mo, m);
}

static void rests(void **unused)
{
    lg_mechanism *m = touch_stack(4, 0.5);
    lg_motion *mo = touch_motion(m, 0.005);
    (void)unused;
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    keeps_balance(mo, 0.02, NULL);
    for (int i = 0; i < 4; i++) {
        suite_near1("x", touch_x(mo, i, 0), 0, 1e-12, 1);
        suite_near1("z", touch_x(mo, i, 2), 0.1 + 0.2 * i, 1e-12, 1);
    }
    finish(mo, m);
}

/* After 10^4 steps, 50 s, it stands still: its feet do not move in as many again. */
static void stands(void **unused)
{
    lg_mechanism *m = touch_quadruped();
    lg_motion *mo = touch_motion(m, 0.005);
    const int whole = steps;
    double before[12], after[12];
    (void)unused;
    touch_stand(mo);
    steps = whole < 20000 ? whole : 10000;
    keeps_balance(mo, 1, NULL);
    touch_feet(before, mo);
    if (whole >= 20000) {
        keeps_balance(mo, 1, NULL);
        touch_feet(after, mo);
        suite_near("feet", after, before, 12, 1e-12, 1);
        steps = whole - 20000;
        keeps_balance(mo, 1, NULL);
    }
    steps = whole;
    finish(mo, m);
}

int main(void)
{
    const char *asked = getenv("LG_TEST_STEPS");
    suite_begin("contact_runs");
    steps = asked != NULL ? atoi(asked) : suite_count(steps);
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounces), cmocka_unit_test(rolls), cmocka_unit_test(swings),
                                       cmocka_unit_test(rests), cmocka_unit_test(stands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
