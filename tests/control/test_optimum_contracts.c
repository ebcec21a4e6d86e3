/* SPDX-License-Identifier: BSD-3-Clause */
/* What optima of mechanisms promise besides: iterations allocate nothing and repeat their bits, costates follow their
 * frames, bad input is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "control/mechanism.h"
#include "support/allocations.h"
#include "support/reaching.h"

/* Iterations allocate nothing, and have the same bits when they are repeated, also from a moved start and back. */
static void test_memory(void **state)
{
    (void)state;
    lg_mechanism *m = exhibit("four-bar", "a");
    double target[8], nodes[2][21 * 8];
    int rows[16] = {0};
    const int n = assembled(m, target);
    rows[0] = rows[n] = 1, target[0] += 0.2;
    lg_optimum_problem p = problem_of(m, 20, 0.5, target);
    p.target_rows = rows;
    for (int i = 0; i < 2; i++) {
        lg_optimum *o = open(&p);
        const long before = allocations;
        (void)solve(o, 40, 1e-9);
        assert_int_equal(allocations, before);
        memcpy(nodes[i], lg_optimum_configurations(o), 21 * sz(n) * sizeof(double));
        lg_optimum_destroy(o);
    }
    assert_memory_equal(nodes[0], nodes[1], 21 * sz(n) * sizeof(double));
    lg_mechanism_destroy(m);
}

/* Costates are what they were when the vectors of a frame are numbered in another way. */
static void test_frames(void **state)
{
    (void)state;
    enum { NODE = 3 };
    lg_mechanism *m = arm(INFINITY);
    const double target[2] = {0.3, 0};
    const lg_optimum_problem p = problem_of(m, 10, 0.25, target);
    lg_optimum *o = open(&p);
    (void)solve(o, 40, 1e-9);
    const size_t numbers = mb_course_frame(o->course), n = sz(o->course->at.n), k = sz(o->k);
    double *frames = malloc(11 * numbers * sizeof *frames), *own = lg_steer_frame(o, &o->now, NODE), before[4];
    lg_iterate from = o->now;
    assert_non_null(frames);
    memcpy(frames, o->now.frame, 11 * numbers * sizeof *frames);
    from.frame = frames;
    for (size_t half = 0; half < 2; half++)
        for (size_t i = 0; i < n; i++) {
            double *first = own + half * k * n + i, *second = first + n;
            const double x = *first;
            *first = *second, *second = x;
        }
    memcpy(before, o->costate + NODE * 4, sizeof before);
    o->moves->carry(o, &from);
    const double *after = o->costate + NODE * 4, size = fabs(before[0]) + fabs(before[1]);
    const double want[4] = {before[1], before[0], before[2], before[3]};
    suite_near("costate", after, want, 4, 1e-12, size);
    assert_true(fabs(before[0] - before[1]) > 0.01 * size);
    free(frames);
    lg_optimum_destroy(o);
    lg_mechanism_destroy(m);
}

/* ---- refusals ---- */

static void expect(const lg_optimum_problem *p, lg_status want, const char *words)
{
    lg_optimum *o = NULL;
    suite_case("%s", words);
    const lg_status st = lg_optimum_create(&o, p);
    if (st != want || !strstr(lg_optimum_message(o), words))
        suite_fail("%s instead of %s: %s", lg_status_name(st), lg_status_name(want), lg_optimum_message(o));
    lg_optimum_destroy(o);
}

/* An arm with one thing that has no derivative. */
static lg_mechanism *spoiled(int how)
{
    lg_mechanism *m;
    lg_motor motor = lg_motor_default("more", "a");
    lg_drive drive = lg_drive_default("led", "a");
    mechanism_well(lg_gallery_describe(&m, lg_gallery_index("four-bar")), m);
    if (how == 0) motor.position_gain = 10;
    if (how == 1) motor.activation = LG_ACTIVATION_FILTER, motor.time_constant = 0.1;
    static const double times[3] = {0, 1, 2};
    drive.count = 3, drive.times = times, drive.values = times;
    if (how == 2) mechanism_well(lg_mechanism_add_drive(m, NULL, &drive), m);
    if (how < 2) mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const words[] = {"'more' is a servo", "'more' has an activation", "drive 'led'",
                                        "has no motors"};
    lg_mechanism *m = arm(INFINITY), *none;
    const double target[2] = {0.3, 0}, broken[2] = {NAN, 0};
    const lg_optimum_problem good = problem_of(m, 10, 0.5, target);
    lg_optimum_problem p = good;
    const lg_system S = lg_system_default(lg_so3());
    for (int i = 0; i < 4; i++) {
        lg_mechanism *bad = spoiled(i);
        p.mechanism = bad;
        expect(&p, i < 3 ? LG_ERROR_UNSUPPORTED : LG_ERROR_ARGUMENT, words[i]);
        lg_mechanism_destroy(bad);
    }
    none = exhibit("gripper", NULL);
    p.mechanism = none;
    expect(&p, LG_ERROR_UNSUPPORTED, "contacts");
    lg_mechanism_destroy(none);
    assert_int_equal(lg_mechanism_create(&none), LG_OK);
    p.mechanism = none;
    expect(&p, LG_ERROR_ARGUMENT, "not compiled");
    lg_mechanism_destroy(none);
    p = good, p.system = &S;
    expect(&p, LG_ERROR_ARGUMENT, "a system and a mechanism");
    p = good, p.mechanism = NULL;
    expect(&p, LG_ERROR_ARGUMENT, "no system and no mechanism");
    p = good, p.method = "gni";
    expect(&p, LG_ERROR_ARGUMENT, "no method 'gni'");
    p = good, p.retraction = "cay";
    expect(&p, LG_ERROR_UNSUPPORTED, "no retraction, got 'cay'");
    p = good, p.start_g = broken;
    expect(&p, LG_ERROR_NOT_FINITE, "start_g");
    p = good, p.target_g = broken;
    expect(&p, LG_ERROR_NOT_FINITE, "target_g");
    lg_mechanism_destroy(m);
}

/* A start that opens a loop is refused; an end that the loop does not allow is named. */
static void test_impossible(void **state)
{
    (void)state;
    lg_mechanism *m = exhibit("four-bar", "a");
    double q[8], target[8];
    int rows[16] = {1, 1};
    const int n = assembled(m, q);
    memcpy(target, q, sizeof q);
    lg_optimum_problem p = problem_of(m, 10, 0.5, target);
    p.target_rows = rows;
    q[1] += 0.1, p.start_g = q;
    expect(&p, LG_ERROR_INCONSISTENT, "is open by");
    assert_true(n >= 2);
    p.start_g = NULL, target[0] += 0.1, target[1] -= 0.3;
    lg_optimum *o = open(&p);
    assert_int_equal(lg_optimum_solve(o, 40, 1e-9), LG_ERROR_CONVERGENCE);
    suite_case("%s", lg_optimum_message(o));
    assert_true(isfinite(lg_optimum_configurations(o)[10 * n]));
    lg_optimum_destroy(o);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
