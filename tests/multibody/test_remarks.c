/* SPDX-License-Identifier: BSD-3-Clause */
/* Effects that a user may not expect: the ground pulls on a wheel, assembly or the projection at a start moves bodies.
 * A remark reports each, with names and numbers, and there is no remark without such an effect. */
#include <math.h>
#include <stdio.h>

#include <liegrp/liegrp.h>

#include "support/mechanisms.h"

static const char *const methods[] = {"sem", "gauss"};

/* A ball whose centre of mass is below its centre. */
static lg_mechanism *eccentric(double gravity)
{
    const double g[3] = {0, 0, -gravity};
    lg_mechanism *m;
    lg_body b = lg_body_default("ball");
    lg_wheel w = lg_wheel_default("contact", "ball");
    b.mass = 1, b.position[2] = 0.05;
    for (int k = 0; k < 3; k++) b.inertia[k] = 0.004;
    w.kind = LG_WHEEL_BALL, w.radius = 0.1, w.centre[2] = 0.05;
    suite_ok("create", lg_mechanism_create(&m));
    mechanism_well(lg_mechanism_set_gravity(m, g), m);
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static lg_motion *roll(const lg_mechanism *m, const char *method, double speed)
{
    const double pose[7] = {0, 0, 0.05, 0, 0, 0, 1}, twist[6] = {0.1 * speed, 0, 0, 0, speed, 0};
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, 1e-3), mo);
    motion_well(lg_motion_start_poses(mo, 0, pose, twist, 1), mo);
    return mo;
}

typedef struct least {
    double force, time, lift;
} least;

static int watch(const lg_motion *mo, void *context)
{
    least *l = context;
    double f[3];
    if (lg_motion_wheel_force(mo, f, 0) != LG_OK) return 0; /* the first state */
    if (f[2] < 0 && isnan(l->lift)) l->lift = lg_motion_time(mo);
    if (f[2] < l->force) l->force = f[2], l->time = lg_motion_time(mo);
    return 0;
}

static void pulled_wheels(void **unused)
{
    (void)unused;
    lg_mechanism *m = eccentric(9.81);
    for (int k = 0; k < 2; k++) {
        lg_motion *mo = roll(m, methods[k], 30);
        lg_run_options o = lg_run_options_default();
        lg_run_result r = lg_run_result_default();
        least l = {INFINITY, NAN, NAN};
        double force, time;
        suite_case("%s", methods[k]);
        o.steps = 2000, o.observe = watch, o.observe_context = &l;
        motion_well(lg_run(mo, &r, &o), mo);
        suite_near1("force", r.wheel_force, l.force, 1e-12, 10);
        suite_near1("when", r.wheel_force_time, l.time, 1e-12, 1);
        suite_near1("first", r.lift_time, l.lift, 1e-12, 1);
        suite_near1("as it was found", r.wheel_force, -7.65, 1e-3, 1);
        assert_int_equal(r.wheel, 0);
        suite_ok("of the wheel", lg_motion_wheel_normal(mo, &force, &time, 0));
        suite_same_bits("force", &force, &r.wheel_force, 1);
        suite_same_bits("time", &time, &r.wheel_force_time, 1);
        assert_int_equal(lg_motion_wheel_normal(mo, &force, &time, 1), LG_ERROR_ARGUMENT);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo); /* at rest: its weight */
        motion_well(lg_run(mo, &r, &o), mo);
        suite_near1("weight", r.wheel_force, 9.81, 1e-9, 1);
        assert_true(isnan(r.lift_time));
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* Without weight wheels that only just touch are not pulled by rounding. */
static void rounding_is_no_pull(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    lg_wheel w = lg_wheel_default("contact", "ball");
    const double none[3] = {0, 0, 0}, pose[7] = {0, 0, 0.1, 0, 0, 0, 1}, twist[6] = {0.3, 0.2, 0, -2, 3, 1};
    w.kind = LG_WHEEL_BALL, w.radius = 0.1;
    suite_ok("create", lg_mechanism_create(&m));
    mechanism_well(lg_mechanism_set_gravity(m, none), m);
    mechanism_add_body(m, "ball", 0, 0, 0.1);
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    mechanism_well(lg_mechanism_compile(m), m);
    for (int k = 0; k < 2; k++) {
        lg_motion *mo;
        lg_run_options o = lg_run_options_default();
        lg_run_result r = lg_run_result_default();
        motion_well(motion_create(&mo, m, methods[k], 0.01), mo);
        motion_well(lg_motion_start_poses(mo, 0, pose, twist, 1), mo);
        motion_well(lg_run(mo, &r, &o), mo);
        suite_below("force", fabs(r.wheel_force), 1e-9);
        assert_true(isnan(r.lift_time));
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* Four wheels of a rigid cart: which carries what is not determined. */
static void shared_loads(void **unused)
{
    (void)unused;
    static const char *const name[] = {"a", "b", "c", "d"};
    lg_mechanism *m;
    lg_motion *mo;
    lg_run_options o = lg_run_options_default();
    lg_run_result r = lg_run_result_default();
    suite_ok("create", lg_mechanism_create(&m));
    mechanism_add_body(m, "cart", 0, 0, 0.1);
    for (int i = 0; i < 4; i++) {
        lg_wheel w = lg_wheel_default(name[i], "cart");
        w.kind = LG_WHEEL_BALL, w.radius = 0.1, w.contact = LG_CONTACT_SLIDES;
        w.centre[0] = i % 2 ? 1 : -1, w.centre[1] = i / 2 ? 1 : -1;
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    o.steps = 10;
    motion_well(lg_run(mo, &r, &o), mo);
    for (int i = 0; i < 4; i++) {
        double force, time;
        suite_ok("of a wheel", lg_motion_wheel_normal(mo, &force, &time, i));
        assert_true(isnan(force) && isnan(time));
    }
    assert_int_equal(r.wheel, -1);
    assert_true(isnan(r.wheel_force) && isnan(r.lift_time));
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

static void assembly(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        lg_mechanism *m;
        lg_wheel w = lg_wheel_default("front", "cart");
        w.kind = LG_WHEEL_BALL, w.radius = 0.1;
        suite_ok("create", lg_mechanism_create(&m));
        mechanism_add_body(m, "cart", 0, 0, k ? 5 : 0.1 + 1e-9);
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
        assert_int_equal(lg_mechanism_remark_count(m), 0);
        mechanism_well(lg_mechanism_compile(m), m);
        assert_int_equal(lg_mechanism_remark_count(m), k);
        if (k)
            suite_contains("remark", lg_mechanism_remark(m, 0), "assembly moved body 'cart' by 4.9 m");
        else
            assert_null(lg_mechanism_remark(m, 0));
        assert_null(lg_mechanism_remark(m, k));
        lg_mechanism_destroy(m);
    }
}

static void starts(void **unused)
{
    (void)unused;
    lg_mechanism *m = eccentric(9.81);
    const double far[7] = {0, 0, 2.05, 0, 0, 0, 1}, near[7] = {0, 0, 0.05, 0, 0, 0, 1};
    const double slips[6] = {3, 0, 0, 0, 0, 0}, rolls[6] = {1.5, 0, 0, 0, 30, 0};
    lg_motion *mo;
    motion_well(motion_create(&mo, m, NULL, 1e-3), mo);
    assert_null(lg_motion_remark(mo));
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    assert_null(lg_motion_remark(mo));
    motion_well(lg_motion_start_poses(mo, 0, far, NULL, 1), mo);
    suite_contains("poses", lg_motion_remark(mo), "projection moved body 'ball' by 2 m");
    motion_well(lg_motion_start_poses(mo, 0, near, rolls, 1), mo);
    assert_null(lg_motion_remark(mo));
    motion_well(lg_motion_start_poses(mo, 0, near, slips, 1), mo);
    suite_contains("velocities", lg_motion_remark(mo), "projection changed the velocity of body 'ball' by");
    suite_contains("velocities", lg_motion_remark(mo), "and changed the angular velocity of body 'ball' by");
    motion_well(lg_motion_start_joints(mo, 0, NULL, slips, 1), mo);
    suite_contains("velocities", lg_motion_remark(mo), "changed the velocity");
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulled_wheels), cmocka_unit_test(rounding_is_no_pull),
        cmocka_unit_test(shared_loads),  cmocka_unit_test(assembly),
        cmocka_unit_test(starts),
    };
    suite_begin("multibody/remarks");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
