/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts are part of a motion's state: runs repeat to the bit, from checkpoints, clones, resets, in ensembles and
 * threads, and a step that fails changes nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/touching.h"

enum { BODIES = 5, NUMBERS = 13 * BODIES + 12 };

/* A box, a ball, a disk that is thrown, and two capsules on a hinge with stops and dry friction. */
static lg_mechanism *things(void)
{
    static const double box[3] = {0.1, 0.15, 0.05}, ball[3] = {0.1, 0, 0}, disk[3] = {0.15, 0, 0};
    static const double capsule[3] = {0.05, 0.1, 0}, y_axis[3] = {0, 1, 0};
    lg_mechanism *m = touch_ground(0.4, 0.3, 0);
    const double inertia[3] = {0.01, 0.01, 0.004};
    touch_body(m, "box", 1, inertia, (double[3]){0, 0, 0.4}, 0.3);
    touch_body(m, "ball", 1, NULL, (double[3]){0.02, 0, 0.8}, 0);
    touch_body(m, "disk", 1, inertia, (double[3]){1, 0, 0.4}, 1);
    touch_body(m, "one", 1, inertia, (double[3]){3, 0, 0.4}, 0);
    touch_body(m, "two", 1, inertia, (double[3]){3, 0, 0.8}, 0);
    touch_surface(m, "box", "box", LG_SURFACE_BOX, box, 0.5, 0.2);
    touch_surface(m, "ball", "ball", LG_SURFACE_SPHERE, ball, 0.5, 0.2);
    touch_surface(m, "disk", "disk", LG_SURFACE_DISK, disk, 0.5, 0.2);
    touch_surface(m, "one", "one", LG_SURFACE_CAPSULE, capsule, 0.5, 0.2);
    touch_surface(m, "two", "two", LG_SURFACE_CAPSULE, capsule, 0.5, 0.2);
    static const char *const apart[][2] = {{"box", "ball"}, {"box", "disk"},  {"box", "one"},
                                           {"box", "two"},  {"ball", "disk"}, {"ball", "one"},
                                           {"ball", "two"}, {"disk", "one"},  {"disk", "two"}};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", (int)i);
        lg_surface_pair p = lg_surface_pair_default(name, apart[i][0], apart[i][1]);
        p.ignored = 1;
        mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &p), m);
    }
    lg_joint j = lg_joint_default("hinge", LG_JOINT_REVOLUTE, "one", "two");
    memcpy(j.axis, y_axis, sizeof y_axis);
    j.point[0] = 3, j.point[2] = 0.6, j.stops = 1, j.lower = -0.7, j.upper = 0.7, j.stop_restitution = 0.4;
    j.friction = 0.2;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    return m;
}

static void start(lg_motion *mo, double faster)
{
    double v[64] = {0};
    for (int k = 0; k < lg_motion_position_count(mo); k++) v[k] = faster * sin(k + 1);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 0), mo);
}

/* All that can be read of it. */
static void numbers(double *x, const lg_motion *mo)
{
    const lg_account a = touch_account(mo);
    double *end = x + 13 * BODIES;
    for (int b = 0; b < BODIES; b++) {
        suite_ok("pose", lg_motion_body_pose(mo, x + 13 * b, b));
        suite_ok("twist", lg_motion_body_twist(mo, x + 13 * b + 7, b));
    }
    const double rest[12] = {lg_motion_time(mo),
                             lg_motion_energy(mo),
                             lg_motion_work(mo),
                             (double)lg_motion_impacts(mo),
                             a.friction,
                             a.landing,
                             a.impact_normal,
                             a.impact_friction,
                             a.node,
                             a.motors,
                             a.servos,
                             a.dampers};
    memcpy(end, rest, sizeof rest);
}

static void expect_same(const char *what, const lg_motion *a, const lg_motion *b)
{
    double x[NUMBERS], y[NUMBERS];
    numbers(x, a), numbers(y, b);
    suite_same_bits(what, x, y, NUMBERS);
    for (int i = 0; i < lg_motion_contact_count(a); i++) {
        lg_contact_state s, t;
        suite_ok("contact", lg_motion_contact(a, &s, i)), suite_ok("contact", lg_motion_contact(b, &t, i));
        if (memcmp(&s, &t, sizeof s) != 0) suite_fail("%s: contact %d differs", what, i);
    }
}

static void same_bits(void **unused)
{
    (void)unused;
    for (int law = 0; law < 3; law++) {
        lg_mechanism *m[2] = {things(), things()};
        lg_motion *mo[2];
        suite_case("%s", lg_impact_law_name((lg_impact_law)law));
        for (int k = 0; k < 2; k++) {
            mo[k] = touch_motion_by(m[k], 0.005, (lg_impact_law)law, 0.02);
            start(mo[k], 1);
        }
        for (int i = 0; i < 20; i++) {
            motion_well(lg_motion_step(mo[0], 10), mo[0]);
            for (int k = 0; k < 10; k++) motion_well(lg_motion_step(mo[1], 1), mo[1]);
            expect_same("another run", mo[0], mo[1]);
        }
        suite_above("impacts", (double)lg_motion_impacts(mo[0]), 5);
        for (int k = 0; k < 2; k++) lg_motion_destroy(mo[k]), lg_mechanism_destroy(m[k]);
    }
}

/* At each of many times: a checkpoint, a clone and the motion itself go on alike. */
static void saved_and_loaded(void **unused)
{
    lg_mechanism *m = things();
    lg_motion *mo = touch_motion_by(m, 0.005, LG_IMPACT_SEQUENTIAL, 0.02), *other = NULL, *copy;
    (void)unused;
    motion_well(motion_create(&other, m, "sem", 0.005), other);
    lg_contact_options o = lg_contact_options_default();
    o.law = LG_IMPACT_SEQUENTIAL, o.capture_speed = 0.02;
    motion_well(lg_motion_set_contact(other, &o), other);
    start(mo, 1), start(other, 2);
    motion_well(lg_motion_step(other, 33), other);
    const size_t bytes = lg_motion_saved_bytes(mo);
    void *state = malloc(bytes);
    for (int i = 0; i < 25; i++) {
        suite_case("step %d", 8 * i);
        suite_ok("save", lg_motion_save(mo, state, bytes));
        motion_well(lg_motion_load(other, state, bytes), other);
        motion_well(lg_motion_clone(&copy, mo), mo);
        expect_same("a checkpoint", mo, other), expect_same("a clone", mo, copy);
        motion_well(lg_motion_step(mo, 8), mo);
        motion_well(lg_motion_step(other, 8), other), motion_well(lg_motion_step(copy, 8), copy);
        expect_same("a checkpoint that goes on", mo, other), expect_same("a clone that goes on", mo, copy);
        lg_motion_destroy(copy);
    }
    free(state);
    motion_well(lg_motion_reset(mo), mo);
    start(other, 1);
    expect_same("a reset", mo, other);
    assert_int_equal(lg_motion_impacts(mo), 0);
    motion_well(lg_motion_step(mo, 100), mo), motion_well(lg_motion_step(other, 100), other);
    expect_same("a reset that goes on", mo, other);
    lg_motion_destroy(mo), lg_motion_destroy(other), lg_mechanism_destroy(m);
}

/* ---- steps that fail ---- */

static int fails(double t, const double *poses, const double *twists, double *wrench, void *at)
{
    int *left = at;
    (void)t, (void)poses, (void)twists, (void)wrench;
    return *left > 0 && --*left == 0 ? 7 : 0;
}

static void failed_steps(void **unused)
{
    lg_mechanism *m = things();
    lg_motion *mo = touch_motion(m, 0.005), *untouched;
    int left = 0, failed = 0;
    (void)unused;
    motion_well(lg_motion_set_wrench(mo, fails, &left), mo);
    start(mo, 1);
    for (int i = 0; i < 60; i++) {
        motion_well(lg_motion_clone(&untouched, mo), mo);
        left = 1 + i % 17;
        const lg_status st = lg_motion_step(mo, 1);
        left = 0;
        suite_case("step %d", i);
        if (st != LG_OK) {
            failed++;
            suite_status("failed", st, LG_ERROR_CALLBACK);
            expect_same("after a failure", mo, untouched);
        }
        motion_well(lg_motion_step(mo, 2), mo);
        lg_motion_destroy(untouched);
    }
    suite_above("failures", failed, 20);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* ---- ensembles ---- */

enum { INSTANCES = 6, STEPS = 60 };

static int look(int64_t i, const lg_motion *mo, void *context)
{
    numbers((double *)context + NUMBERS * i, mo);
    return 0;
}

/* A setter that changes the options of the motion that it is shown: such instances are retired, and no others. */
static lg_status change(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)M;
    return i % 3 != 0 ? LG_OK : lg_motion_set_contact(mo, context);
}

/* Options that are not those of the ensemble are refused, and an ensemble with options runs by them. */
static void options_of_ensembles(lg_mechanism *m, lg_ensemble *E, lg_motion *mo, lg_ensemble_options *o)
{
    static const struct {
        lg_impact_law law;
        double capture;
        int localise, events;
    } others[] = {{LG_IMPACT_NEWTON, 0.01, 1, 50},
                  {LG_IMPACT_POISSON, 0.02, 1, 50},
                  {LG_IMPACT_POISSON, 0.01, 0, 50},
                  {LG_IMPACT_POISSON, 0.01, 1, 49}};
    for (int k = 0; k < 4; k++) {
        lg_contact_options own = lg_contact_options_default();
        lg_ensemble *of_own;
        double seen[NUMBERS * INSTANCES], alone[NUMBERS];
        own.law = others[k].law, own.capture_speed = others[k].capture, own.localise = others[k].localise;
        own.events = others[k].events;
        motion_well(lg_motion_set_contact(mo, &own), mo);
        suite_status("options of its own", lg_ensemble_set(E, 0, mo), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_ensemble_message(E), "the motion has other options of contact");
        suite_ok("set", lg_ensemble_set_all(E, change, &own));
        for (int i = 0; i < INSTANCES; i++)
            suite_status("changed", lg_ensemble_status(E, i), i % 3 == 0 ? LG_ERROR_ARGUMENT : LG_OK);
        o->contact = &own;
        suite_ok("ensemble", lg_ensemble_create(&of_own, motion_model(m), INSTANCES, o));
        own = lg_contact_options_default(); /* they were copied */
        motion_well(lg_motion_reset(mo), mo);
        for (int i = 0; i < INSTANCES; i++) suite_ok("instance", lg_ensemble_set(of_own, i, mo));
        suite_ok("run", lg_ensemble_run(of_own, STEPS, STEPS, look, seen));
        motion_well(lg_motion_step(mo, STEPS), mo);
        numbers(alone, mo);
        for (int i = 0; i < INSTANCES; i++) suite_same_bits("an instance", seen + NUMBERS * i, alone, NUMBERS);
        lg_ensemble_destroy(of_own);
        motion_well(lg_motion_set_contact(mo, &own), mo);
    }
    lg_contact_options bad = lg_contact_options_default();
    lg_ensemble *none;
    bad.capture_speed = -1, o->contact = &bad;
    suite_status("bad", lg_ensemble_create(&none, motion_model(m), 1, o), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_ensemble_message(none), "capture_speed is -1");
    lg_ensemble_destroy(none);
    bad.size = 0;
    suite_status("without a size", lg_ensemble_create(&none, motion_model(m), 1, o), LG_ERROR_ARGUMENT);
    lg_ensemble_destroy(none);
    o->contact = NULL;
}

static void ensembles(void **unused)
{
    lg_mechanism *m = things();
    lg_motion *mo[INSTANCES];
    (void)unused;
    mechanism_well(lg_mechanism_compile(m), m);
    for (int i = 0; i < INSTANCES; i++) {
        motion_well(motion_create(&mo[i], m, "sem", 0.005), mo[i]);
        start(mo[i], 1 + 0.1 * i);
    }
    for (int threads = 1; threads < 4; threads++) {
        double *seen = calloc((size_t)NUMBERS * INSTANCES, sizeof *seen), alone[NUMBERS];
        lg_ensemble *E;
        lg_ensemble_options o = lg_ensemble_options_default();
        suite_case("%d threads", threads);
        o.method = "sem", o.step = 0.005, o.threads = threads;
        suite_ok("ensemble", lg_ensemble_create(&E, motion_model(m), INSTANCES, &o));
        for (int i = 0; i < INSTANCES; i++) {
            motion_well(lg_motion_reset(mo[i]), mo[i]);
            suite_ok("instance", lg_ensemble_set(E, i, mo[i]));
            motion_well(lg_motion_step(mo[i], STEPS), mo[i]);
        }
        suite_ok("run", lg_ensemble_run(E, STEPS, STEPS, look, seen));
        for (int i = 0; i < INSTANCES; i++) {
            lg_motion *copy;
            numbers(alone, mo[i]);
            suite_same_bits("an instance", seen + NUMBERS * i, alone, NUMBERS);
            suite_ok("motion", lg_ensemble_motion(&copy, E, i));
            numbers(seen, copy);
            suite_same_bits("a motion of an instance", seen, alone, NUMBERS);
            lg_motion_destroy(copy);
        }
        options_of_ensembles(m, E, mo[0], &o);
        lg_ensemble_destroy(E), free(seen);
    }
    for (int i = 0; i < INSTANCES; i++) lg_motion_destroy(mo[i]);
    lg_mechanism_destroy(m);
}

/* ---- many ---- */

enum { GRIPS = 10 };

static int watch_box(int64_t i, const lg_motion *mo, void *context)
{
    const lg_account a = touch_account(mo);
    double *x = (double *)context + 14 * i;
    suite_ok("pose", lg_motion_body_pose(mo, x, 0));
    suite_ok("twist", lg_motion_body_twist(mo, x + 7, 0));
    x[13] = a.friction;
    return 0;
}

/* The fingers press with a part of what they do now. */
static void grip(double *u, const lg_motion *mo, int i)
{
    const double *now = lg_motion_control(mo), part = 0.1 * (1 + i % GRIPS);
    u[0] = now[0], u[1] = part * now[1], u[2] = part * now[2];
}

/* A thousand grippers with a box in the air, of which every tenth grips as hard: it slips through the weak ones. */
static void grippers(void **unused)
{
    const int count = suite_reduced() ? 30 : 1000, gripper = lg_gallery_index("gripper");
    double *seen = calloc(14 * (size_t)count, sizeof *seen), alone[14], u[3];
    lg_ensemble *E;
    lg_mechanism *m;
    lg_motion *mo;
    lg_ensemble_options o = lg_ensemble_options_default();
    (void)unused;
    suite_ok("gallery", lg_gallery_create(&m, gripper));
    motion_well(motion_create(&mo, m, "sem", lg_gallery_step(gripper)), mo);
    o.step = lg_gallery_step(gripper), o.threads = 2;
    suite_ok("ensemble", lg_ensemble_create(&E, motion_model(m), count, &o));
    motion_well(lg_gallery_start(mo, gripper), mo);
    motion_well(lg_motion_step(mo, 100), mo); /* the box is in the air */
    for (int i = 0; i < count; i++) {
        grip(u, mo, i);
        suite_ok("instance", lg_ensemble_set(E, i, mo));
        suite_ok("grip", lg_ensemble_set_controls(E, i, u, 1));
    }
    suite_ok("run", lg_ensemble_run(E, 5, 5, watch_box, seen));
    assert_int_equal(lg_ensemble_retired(E), 0);
    for (int i = 0; i < GRIPS; i++) {
        lg_motion *one;
        motion_well(lg_motion_clone(&one, mo), mo);
        grip(u, one, i);
        motion_well(lg_motion_set_control(one, u), one);
        motion_well(lg_motion_step(one, 5), one);
        (void)watch_box(0, one, alone);
        for (int k = i; k < count; k += GRIPS) suite_same_bits("box", seen + 14 * k, alone, 14);
        lg_motion_destroy(one);
    }
    const double before = touch_account(mo).friction;
    suite_above("friction of one that slips", seen[13] - before, 1e-3);
    suite_below("of one that holds", fabs(seen[14 * (GRIPS - 1) + 13] - before), 1e-9);
    lg_ensemble_destroy(E), free(seen);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

int main(void)
{
    suite_begin("contact_states");
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits), cmocka_unit_test(saved_and_loaded),
                                       cmocka_unit_test(failed_steps), cmocka_unit_test(ensembles),
                                       cmocka_unit_test(grippers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
