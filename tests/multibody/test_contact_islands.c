/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that nothing but contacts couples move in islands: an impact is made by what it touches, and the others make
 * their step as if there were none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/touching.h"

enum { BALLS = 24 };

static void ball(lg_mechanism *m, int i, double x, double y, double z)
{
    char name[16];
    snprintf(name, sizeof name, "ball%d", i);
    touch_body(m, name, 1, NULL, (double[3]){x, y, z}, 0);
    touch_surface(m, name, name, LG_SURFACE_SPHERE, (double[3]){0.1, 0, 0}, 0.4, 0.5);
}

/* Columns of three balls, which start at different heights. */
static lg_mechanism *columns(void)
{
    lg_mechanism *m = touch_ground(1, 1, 0);
    for (int i = 0; i < BALLS; i++) ball(m, i, 0.4 * (i / 3), 0.01 * (i % 3), 0.15 + 0.3 * (i % 3) + 0.017 * (i / 3));
    return m;
}

static void start(lg_motion *mo, double faster)
{
    double v[6 * BALLS] = {0};
    for (int i = 0; i < BALLS; i++) v[6 * i] = 0.05 * faster * sin(i), v[6 * i + 4] = faster * cos(i);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 0), mo);
}

static int none(double t, const double *poses, const double *twists, double *wrenches, void *context)
{
    (void)t, (void)poses, (void)twists, (void)wrenches, (void)context;
    return 0;
}

static void states(double *x, const lg_motion *mo)
{
    for (int i = 0; i < BALLS; i++) {
        suite_ok("pose", lg_motion_body_pose(mo, x + 13 * i, i));
        suite_ok("twist", lg_motion_body_twist(mo, x + 13 * i + 7, i));
    }
}

/* A function of wrenches may couple bodies: with one that gives none, the mechanism makes its steps as a whole. Flights
 * of balls are exact, but for their attitudes, so that both end alike. */
static void like_the_whole(void **unused)
{
    lg_mechanism *m[2] = {columns(), columns()};
    lg_motion *mo[2];
    double x[13 * BALLS], y[13 * BALLS];
    (void)unused;
    lg_contact_options o = lg_contact_options_default();
    o.capture_speed = 1e-4, o.events = 1000; /* of the whole, and of each island */
    for (int k = 0; k < 2; k++) {
        mo[k] = touch_motion(m[k], 0.01);
        motion_well(lg_motion_set_contact(mo[k], &o), mo[k]);
        start(mo[k], 1);
    }
    motion_well(lg_motion_set_wrench(mo[1], none, NULL), mo[1]);
    touch_watch w[2] = {touch_begin(mo[0]), touch_begin(mo[1])};
    for (int i = 0; i < 24; i++) { /* after which something rests, and slips */
        suite_case("step %d", i);
        for (int k = 0; k < 2; k++) touch_run(&w[k], mo[k], 1);
        states(x, mo[0]), states(y, mo[1]);
        for (int b = 0; b < BALLS; b++)
            for (int n = 0; n < 2; n++)
                suite_near("places and twists", x + 13 * b + 7 * n, y + 13 * b + 7 * n, 3 + 3 * n, 1e-11, 1);
        const lg_account a = touch_account(mo[0]), b = touch_account(mo[1]);
        suite_near1("impacts take", a.impact_normal, b.impact_normal, 1e-11, 1);
        suite_near1("their friction takes", a.impact_friction, b.impact_friction, 1e-11, 1);
        assert_int_equal(lg_motion_impacts(mo[0]), lg_motion_impacts(mo[1]));
    }
    suite_above("impacts", (double)lg_motion_impacts(mo[0]), 20);
    for (int k = 0; k < 2; k++) lg_motion_destroy(mo[k]), lg_mechanism_destroy(m[k]);
}

/* A box that turns in flight, whose steps are not exact, and a ball that bounces, or falls all the time. */
static void fly(double *state, double ball_at)
{
    static const double half[3] = {0.1, 0.15, 0.05};
    lg_mechanism *m = touch_ground(1, 1, 0);
    double v[12] = {0};
    touch_thing(m, "box", LG_SURFACE_BOX, half, (double[3]){2, 0, 5}, 0.3, 0.4, 0.5);
    touch_body(m, "ball", 1, NULL, (double[3]){0, 0, ball_at}, 0);
    touch_surface(m, "ball", "ball", LG_SURFACE_SPHERE, (double[3]){0.1, 0, 0}, 0.4, 0.9);
    lg_surface_pair p = lg_surface_pair_default("p", "box", "ball");
    p.ignored = 1;
    mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &p), m);
    lg_motion *mo = touch_motion(m, 0.01);
    v[3] = 5, v[4] = 3, v[5] = 1;
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 0), mo);
    motion_well(lg_motion_step(mo, 60), mo);
    assert_int_equal(lg_motion_impacts(mo) > 0, ball_at < 1);
    suite_ok("pose", lg_motion_body_pose(mo, state, 0));
    suite_ok("twist", lg_motion_body_twist(mo, state + 7, 0));
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

static void apart(void **unused)
{
    double with[13], without[13];
    (void)unused;
    fly(with, 0.15), fly(without, 9);
    suite_same_bits("an impact of others", with, without, 13);
}

/* A contact that has opened has no force: two balls that bounced off each other, and are islands again. */
static void leaving(void **unused)
{
    lg_mechanism *m = touch_empty();
    lg_contact_state c;
    double v[12] = {0};
    (void)unused;
    ball(m, 0, 0, 0, 0), ball(m, 1, 0.203, 0, 0);
    lg_motion *mo = touch_motion(m, 0.01);
    v[0] = 1;
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 0), mo);
    motion_well(lg_motion_step(mo, 1), mo);
    suite_ok("contact", lg_motion_contact(mo, &c, 0));
    suite_near1("mean force", fabs(c.force[0]), 0.75 / 0.01, 1e-12, 100);
    motion_well(lg_motion_step(mo, 2), mo);
    suite_ok("contact", lg_motion_contact(mo, &c, 0));
    suite_above("gap", c.gap, 0);
    suite_near1("no force", fabs(c.force[0]), 0, 0, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

typedef struct told {
    int count, stop;
    double last, loss;
} told;

static int tell(double t, const lg_impact *impacts, int count, void *context)
{
    told *to = context;
    if (t < to->last) suite_fail("an impact at %.17g is told after one at %.17g", t, to->last);
    to->last = t;
    for (int i = 0; i < count; i++) to->loss += impacts[i].loss;
    return ++to->count == to->stop ? 7 : 0;
}

/* All islands' impacts are told in the order of time, with what they took; and a step that is aborted is not made. */
static void telling(void **unused)
{
    lg_mechanism *m = columns();
    lg_motion *mo = touch_motion(m, 0.01), *untouched;
    told to = {.last = -1};
    double x[13 * BALLS], y[13 * BALLS];
    (void)unused;
    motion_well(lg_motion_set_impact(mo, tell, &to), mo);
    start(mo, 1);
    motion_well(lg_motion_step(mo, 20), mo);
    const lg_account a = touch_account(mo);
    assert_int_equal(to.count, lg_motion_impacts(mo));
    suite_near1("losses", to.loss, a.impact_normal + a.impact_friction, 1e-12, 10);
    motion_well(lg_motion_clone(&untouched, mo), mo);
    lg_status st = LG_OK;
    for (to.stop = to.count + 1; st == LG_OK && lg_motion_time(mo) < 1; st = lg_motion_step(mo, 1)) {
        lg_motion_destroy(untouched);
        motion_well(lg_motion_clone(&untouched, mo), mo);
    }
    suite_status("aborted", st, LG_ERROR_CALLBACK);
    states(x, mo), states(y, untouched);
    suite_same_bits("after an aborted step", x, y, 13 * BALLS);
    assert_int_equal(lg_motion_impacts(mo), lg_motion_impacts(untouched));
    lg_motion_destroy(mo), lg_motion_destroy(untouched), lg_mechanism_destroy(m);
}

enum { ROW = 14 };

static int count_struck(double t, const lg_impact *impacts, int count, void *context)
{
    int *struck = context;
    (void)t, (void)impacts;
    if (struck[0] < 2) struck[1 + struck[0]] = count;
    struck[0]++;
    return 0;
}

/* A ball lands on the ground next to a row at rest, and hits it later in the same step: at first it is struck alone. */
static void struck_alone(void **unused)
{
    lg_mechanism *m = touch_ground(1, 1, 0);
    double v[6 * (ROW + 1)] = {0};
    int struck[3] = {0};
    (void)unused;
    for (int i = 0; i < ROW; i++) ball(m, i, 0.2 * i, 0, 0.1);
    ball(m, ROW, -0.205, 0, 0.102);
    lg_motion *mo = touch_motion(m, 0.01);
    motion_well(lg_motion_set_impact(mo, count_struck, struck), mo);
    v[6 * ROW] = 1, v[6 * ROW + 2] = -0.5;
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 0), mo);
    touch_watch w = touch_begin(mo);
    touch_run(&w, mo, 1);
    suite_above("impacts", struck[0], 1);
    assert_int_equal(struck[1], 1);
    suite_above("contacts of the row", struck[2], ROW);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* Checkpoints and clones go on alike, while islands join and part, until they rest. */
static void saved_and_loaded(void **unused)
{
    lg_mechanism *m = columns();
    lg_motion *mo = touch_motion(m, 0.01), *other = NULL, *copy;
    double x[13 * BALLS], y[13 * BALLS];
    (void)unused;
    motion_well(motion_create(&other, m, "sem", 0.01), other);
    start(mo, 1), start(other, 2);
    touch_watch w = touch_begin(mo);
    const size_t bytes = lg_motion_saved_bytes(mo);
    void *state = malloc(bytes);
    for (int i = 0; i < 12; i++) {
        suite_case("step %d", 12 * i);
        suite_ok("save", lg_motion_save(mo, state, bytes));
        motion_well(lg_motion_load(other, state, bytes), other);
        motion_well(lg_motion_clone(&copy, mo), mo);
        touch_run(&w, mo, 12);
        motion_well(lg_motion_step(other, 12), other), motion_well(lg_motion_step(copy, 12), copy);
        states(x, mo), states(y, other);
        suite_same_bits("a checkpoint", y, x, 13 * BALLS);
        states(y, copy);
        suite_same_bits("a clone", y, x, 13 * BALLS);
        lg_motion_destroy(copy);
    }
    free(state);
    lg_motion_destroy(mo), lg_motion_destroy(other), lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_the_whole), cmocka_unit_test(apart),        cmocka_unit_test(leaving),
        cmocka_unit_test(telling),        cmocka_unit_test(struck_alone), cmocka_unit_test(saved_and_loaded),
    };
    suite_begin("multibody/contact_islands");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
