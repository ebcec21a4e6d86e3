/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of motions, and impacts: against closed forms, and what a step to an event must keep. */
#include <math.h>
#include <string.h>

#include "support/mechanisms.h"

static const double y_axis[3] = {0, 1, 0};

/* ---- a disk that falls onto the plane and rolls on ---- */

enum { RADIUS = 1 };

static lg_mechanism *disk(int lands)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "disk", 0, 0, RADIUS);
    mechanism_add_body(m, "post", 3, 0, 0);
    mechanism_add_joint(m, "foot", LG_JOINT_FIXED, NULL, "post", y_axis, y_axis);
    if (lands) {
        lg_wheel w = lg_wheel_default("rim", "disk");
        w.radius = RADIUS;
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static int height(const lg_motion *mo, double *f, void *unused)
{
    double pose[7];
    (void)unused;
    if (lg_motion_body_pose(mo, pose, 0) != LG_OK) return 1;
    *f = pose[2] - RADIUS;
    return 0;
}

static void landing(void **unused)
{
    (void)unused;
    lg_mechanism *air = disk(0), *ground = disk(1);
    lg_motion *flies, *rolls;
    const double pose[14] = {0, 0, RADIUS + 0.3, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 1}, twist[12] = {1.5, 0, 0.2, 0, -2, 0};
    const lg_motion_event event = lg_motion_event_default(height, NULL);
    double after[6], lost, T;
    int found = 0;
    motion_well(motion_create(&flies, air, NULL, 0.01), flies);
    motion_well(motion_create(&rolls, ground, NULL, 0.01), rolls);
    motion_well(lg_motion_start_poses(flies, 2, pose, twist, 1), flies);
    const double H = lg_motion_energy(flies);
    while (!found) motion_well(lg_motion_step_to_event(flies, &found, &event), flies);
    assert_int_equal(found, -1);
    /* a step is exact under gravity: 0.3 + 0.2 t - 9.81 t^2/2 = 0 */
    suite_near1("time", lg_motion_time(flies), 2 + (0.2 + sqrt(0.04 + 2 * 9.81 * 0.3)) / 9.81, 1e-11, 1);
    suite_near1("energy", lg_motion_energy(flies), H, 1e-13, H);
    motion_well(lg_motion_continue(rolls, &lost, flies), rolls);
    suite_near1("time", lg_motion_time(rolls), lg_motion_time(flies), 0, 1);
    /* about the contact: m r v + I w stays, with I = 0.03 about y */
    const double w = (1 * RADIUS * 1.5 + 0.03 * -2) / (1 * RADIUS * RADIUS + 0.03);
    suite_ok("twist", lg_motion_body_twist(rolls, after, 0));
    suite_near1("w", after[4], w, 1e-10, 1);
    suite_near1("v", after[0], w * RADIUS, 1e-10, 1);
    suite_near1("falls", after[2], 0, 1e-12, 1);
    T = 0.5 * (1.5 * 1.5 + 0.04 + 2 * 9.81 * 0.3 + 0.03 * 4);
    suite_near1("lost", lost, T - 0.5 * (w * w + 0.03 * w * w), 1e-9, T);
    motion_well(lg_motion_step(rolls, 100), rolls);
    suite_near1("balance", lg_motion_energy(rolls) - H, lg_motion_work(rolls), 1e-12, H);
    suite_below("gap", lg_motion_gap(rolls), 1e-14);
    suite_below("slip", lg_motion_slip(rolls), 1e-13);
    /* lifts off again: fewer rows take nothing */
    motion_well(lg_motion_continue(flies, &lost, rolls), flies);
    suite_near1("nothing lost", lost, 0, 1e-14, T);
    lg_motion_destroy(flies), lg_motion_destroy(rolls);
    lg_mechanism_destroy(air), lg_mechanism_destroy(ground);
}

/* The state is beyond the root, wherever the search ends, and no event is found twice. */
static void far_side(void **unused)
{
    (void)unused;
    lg_mechanism *air = disk(0);
    for (int k = 0; k < 40; k++) {
        const double pose[14] = {0, 0, RADIUS + 0.1 + 0.013 * k, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 1};
        const double twist[12] = {0.1, 0, 0.02 * k, 0, -1, 0};
        lg_motion_event event = lg_motion_event_default(height, NULL);
        lg_motion *mo;
        double f;
        int found = 0;
        event.tolerance = k % 2 ? 1e-3 : 0;
        suite_case("height %g", pose[2]);
        motion_well(motion_create(&mo, air, NULL, 0.01), mo);
        motion_well(lg_motion_start_poses(mo, 0, pose, twist, 1), mo);
        while (!found) motion_well(lg_motion_step_to_event(mo, &found, &event), mo);
        assert_int_equal(found, -1);
        assert_int_equal(height(mo, &f, NULL), 0);
        assert_true(f <= 0);
        motion_well(lg_motion_step_to_event(mo, &found, &event), mo);
        assert_int_equal(found, 0);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(air);
}

/* ---- a leg whose knee locks when it is straight ---- */

static lg_mechanism *leg(lg_joint_kind knee)
{
    static const double hip_at[3] = {0, 0, 2}, knee_at[3] = {0, 0, 1};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "thigh", 0, 0, 1.5);
    mechanism_add_body(m, "shank", 0, 0, 0.5);
    mechanism_add_joint(m, "hip", LG_JOINT_REVOLUTE, NULL, "thigh", hip_at, y_axis);
    mechanism_add_joint(m, "knee", knee, "thigh", "shank", knee_at, y_axis);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static int knee_angle(const lg_motion *mo, double *f, void *calls)
{
    ++*(int *)calls;
    return lg_motion_joint(mo, f, NULL, 1) != LG_OK;
}

/* Angular momentum about the hip. */
static double about_hip(const lg_motion *mo)
{
    double linear[3], angular[3];
    suite_ok("momentum", lg_motion_momentum(mo, linear, angular));
    return angular[1] - 2 * linear[0];
}

static void stop(void **unused)
{
    (void)unused;
    lg_mechanism *bends = leg(LG_JOINT_REVOLUTE), *straight = leg(LG_JOINT_FIXED);
    lg_motion *mo, *locked;
    const double q[2] = {-0.3 + 8 * atan(1), 0.8}, v[2] = {1, -4}; /* the hip after a turn */
    int calls = 0, found = 0;
    double lost, f, rate;
    const lg_motion_event event = lg_motion_event_default(knee_angle, &calls);
    motion_well(motion_create(&mo, bends, NULL, 0.02), mo);
    motion_well(motion_create(&locked, straight, NULL, 0.02), locked);
    motion_well(lg_motion_start_joints(mo, 0, q, v, 1), mo);
    const double H = lg_motion_energy(mo);
    assert_int_equal(lg_motion_continue(locked, &lost, mo), LG_ERROR_INCONSISTENT);
    while (!found) motion_well(lg_motion_step_to_event(mo, &found, &event), mo);
    assert_int_equal(found, -1);
    assert_true(calls < 2 * 100);
    suite_ok("knee", lg_motion_joint(mo, &f, NULL, 1));
    suite_near1("straight", f, 0, 1e-10, 1);
    suite_near1("energy", lg_motion_energy(mo), H, 1e-13, fabs(H) + 50);
    const double L = about_hip(mo), T = lg_motion_energy(mo);
    motion_well(lg_motion_continue(locked, &lost, mo), locked);
    /* 0.03 about y for both, at 0.5 and 1.5 from the hip */
    const double inertia = 2 * 0.03 + 0.25 + 2.25;
    suite_ok("hip", lg_motion_joint(locked, &f, &rate, 0));
    suite_near1("rate", rate, L / inertia, 1e-9, 1);
    suite_above("turns kept", f, 3);
    suite_above("lost", lost, 0.01);
    suite_near1("work", lg_motion_work(locked), -lost, 1e-9, T);
    motion_well(lg_motion_step(locked, 50), locked);
    suite_near1("balance", lg_motion_energy(locked) - H, lg_motion_work(locked), 1e-12, fabs(H) + 50);
    lg_motion_destroy(mo), lg_motion_destroy(locked);
    lg_mechanism_destroy(bends), lg_mechanism_destroy(straight);
}

/* ---- without an event, and refusals ---- */

static int fails(const lg_motion *mo, double *f, void *context)
{
    (void)mo;
    *f = NAN;
    return *(int *)context;
}

static void refusals(void **unused)
{
    (void)unused;
    lg_mechanism *m = leg(LG_JOINT_REVOLUTE), *other = disk(0); /* the names of its bodies are others */
    lg_motion *a, *b;
    int calls = 0, found, code = 0;
    const double q[2] = {0.5, 0.3};
    double pa[7], pb[7];
    lg_motion_event event = lg_motion_event_default(knee_angle, &calls);
    event.direction = LG_CROSSING_UP;
    motion_well(motion_create(&a, m, NULL, 0.01), a);
    motion_well(motion_create(&b, m, NULL, 0.01), b);
    assert_int_equal(lg_motion_step_to_event(a, &found, &event), LG_ERROR_ARGUMENT);
    motion_well(lg_motion_start_joints(a, 0, q, NULL, 1), a), motion_well(lg_motion_start_joints(b, 0, q, NULL, 1), b);
    for (int i = 0; i < 20; i++) {
        motion_well(lg_motion_step_to_event(a, &found, &event), a);
        motion_well(lg_motion_step(b, 1), b);
        assert_int_equal(found, 0);
    }
    event = lg_motion_event_default(fails, &code);
    assert_int_equal(lg_motion_step_to_event(a, &found, &event), LG_ERROR_NOT_FINITE);
    code = 7;
    assert_int_equal(lg_motion_step_to_event(a, &found, &event), LG_ERROR_CALLBACK);
    assert_non_null(strstr(lg_motion_message(a), "returned 7"));
    event.tolerance = 1;
    assert_int_equal(lg_motion_step_to_event(a, &found, &event), LG_ERROR_ARGUMENT);
    motion_well(lg_motion_body_pose(a, pa, 1), a), motion_well(lg_motion_body_pose(b, pb, 1), b);
    assert_memory_equal(pa, pb, sizeof pa); /* the bits of steps without events */
    lg_motion *c;
    motion_well(motion_create(&c, other, NULL, 0.01), c);
    assert_int_equal(lg_motion_continue(c, NULL, a), LG_ERROR_ARGUMENT);
    assert_non_null(strstr(lg_motion_message(c), "bodies"));
    lg_motion_destroy(a), lg_motion_destroy(b), lg_motion_destroy(c);
    lg_mechanism_destroy(m), lg_mechanism_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(landing),
        cmocka_unit_test(far_side),
        cmocka_unit_test(stop),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
