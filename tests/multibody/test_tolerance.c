/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of mechanisms that are found for a tolerance: the error that comes, what the states keep, rows anywhere,
 * motions that begin at rest and at an equilibrium, controls and functions that change, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/run/run.h>

#include "multibody/motion.h"
#include "support/matrix.h"
#include "support/mechanism_systems.h"
#include "support/random_mechanisms.h"

enum { NUMBERS = 13 * MECHANISM_MOST };

static int read_state(const lg_motion *mo, const lg_mechanism *m, double *x)
{
    const int bodies = lg_mechanism_body_count(m);
    suite_ok("state", lg_motion_state(mo, x, NULL, x + 7 * bodies));
    return 13 * bodies;
}

/* Rows that are h apart; the gallery's own start. */
static lg_motion *course(const lg_mechanism *m, int i, double tolerance, double h)
{
    lg_motion *mo = NULL;
    motion_well(motion_create(&mo, m, "gauss", h), mo);
    motion_well(lg_motion_set_tolerance(mo, tolerance), mo);
    motion_well(lg_gallery_start(mo, i), mo);
    return mo;
}

static double time_of(int i)
{
    return strcmp(lg_gallery_name(i), "andrews") == 0 ? 0.02 : 1;
}

/* How far `rows` rows to the same time end from x. */
static double off(const lg_mechanism *m, int i, double tolerance, int rows, const double *x)
{
    double y[NUMBERS];
    lg_motion *mo = course(m, i, tolerance, time_of(i) / rows);
    motion_well(lg_motion_step(mo, rows), mo);
    const int count = read_state(mo, m, y);
    lg_motion_destroy(mo);
    return suite_distance(x, y, count) / (1 + mat_norm(x, count));
}

/* Not more than ten tolerances after up to a hundred steps, wherever the rows are. */
static void errors(void **unused)
{
    static const double tolerances[] = {1e-4, 1e-7, 1e-10};
    (void)unused;
    for (int i = 0; i < gallery_without_contacts(); i++) {
        lg_mechanism *m = gallery_mechanism(i, 0);
        double x[NUMBERS];
        lg_motion *mo = course(m, i, 1e-13, 0.2 * time_of(i));
        motion_well(lg_motion_step(mo, 5), mo);
        (void)read_state(mo, m, x);
        lg_motion_destroy(mo);
        for (int k = 0; k < 3; k++)
            for (int rows = 1; rows <= 81; rows *= 9) {
                suite_case("%s, %g, %d rows", lg_gallery_name(i), tolerances[k], rows);
                suite_below("error", off(m, i, tolerances[k], rows, x), 10 * tolerances[k]);
            }
        lg_mechanism_destroy(m);
    }
}

static void keeps(void **unused)
{
    (void)unused;
    for (int i = 0; i < gallery_without_contacts(); i++) {
        lg_mechanism *m = gallery_mechanism(i, 0);
        lg_motion *mo = course(m, i, 1e-5, time_of(i) / 37);
        const double H = lg_motion_energy(mo);
        suite_case("%s", lg_gallery_name(i));
        assert_true(isnan(lg_motion_found_step(mo)) && isnan(lg_motion_step_error(mo)));
        for (int n = 0; n < 40; n++) {
            motion_well(lg_motion_step(mo, 1), mo);
            if (lg_motion_work(mo) == 0) suite_near1("energy", lg_motion_energy(mo), H, 1e-14, 10 + fabs(H));
            suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-5, 10 + fabs(H));
            suite_below("gap", lg_motion_gap(mo), 5e-15);
            suite_below("slip", lg_motion_slip(mo), 1e-12);
            suite_above("step", lg_motion_found_step(mo), 0);
            suite_below("estimate", lg_motion_step_error(mo), 1e-6);
        }
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* Half of the mechanisms drawn begin where no row of the state is round: none may be refused that fixed steps move. */
static void drawn(void **unused)
{
    const int count = suite_count(40);
    int moved = 0;
    (void)unused;
    for (int i = 0; i < count; i++) {
        lg_rng rng = suite_rng(5000 + (uint64_t)i);
        random_mechanism r;
        double x[3][NUMBERS], v[6 * RANDOM_BODIES];
        suite_case("mechanism %d of family %d", i, i % RANDOM_NEARLY);
        random_mechanism_draw(&r, (random_family)(i % RANDOM_NEARLY), 2 + i % 5, 0.5, &rng);
        suite_normal(v, 6 * RANDOM_BODIES, &rng);
        const double h = 0.05 * sqrt(r.size);
        for (int k = 0; k < 6 * RANDOM_BODIES; k++) v[k] *= i % 3 == 0 ? 0 : 1 / sqrt(r.size);
        lg_status st = lg_mechanism_compile(r.m);
        for (int k = 0; k < 3 && st == LG_OK; k++) {
            lg_motion *mo;
            motion_well(motion_create(&mo, r.m, "gauss", h), mo);
            motion_well(lg_motion_set_tolerance(mo, k == 0 ? 1e-12 : k == 1 ? 1e-9 : 1e-6), mo);
            st = lg_motion_start_joints(mo, 0, NULL, v, 1);
            if (st == LG_OK) st = lg_motion_step(mo, 6);
            if (st == LG_OK) (void)read_state(mo, r.m, x[k]);
            lg_motion_destroy(mo);
        }
        if (st == LG_OK) {
            const int bodies = 7 * r.bodies;
            suite_below("1e-9", suite_distance(x[1], x[0], bodies), 1e-8 * (1 + r.size));
            suite_below("1e-6", suite_distance(x[2], x[0], bodies), 1e-5 * (1 + r.size));
            moved++;
        }
        lg_mechanism_destroy(r.m);
    }
    suite_above("share that moves", moved, 0.8 * count);
}

/* Controls that change at a row begin another trajectory, and so does a function of one's own. */
static int push(double t, const double *poses, const double *twists, double *wrench, void *context)
{
    (void)poses, (void)twists, (void)context;
    wrench[2] += 0.5 * sin(4 * t);
    return 0;
}

static void forces(void **unused)
{
    const int i = lg_gallery_index("arm");
    lg_mechanism *m = gallery_mechanism(i, 0);
    double x[2][NUMBERS];
    int count = 0;
    (void)unused;
    for (int k = 0; k < 2; k++) {
        lg_motion *mo = NULL;
        motion_well(motion_create(&mo, m, "gauss", k ? 0.005 : 0.1), mo);
        if (k == 0) motion_well(lg_motion_set_tolerance(mo, 1e-11), mo);
        motion_well(lg_gallery_start(mo, i), mo);
        for (int part = 0; part < 3; part++) {
            const double own[7] = {0.3 * part, -0.2, 0.1 * part, 0, 0.05, 0, 0.01};
            motion_well(lg_motion_set_control(mo, own), mo);
            motion_well(lg_motion_set_wrench(mo, part == 1 ? push : NULL, NULL), mo);
            motion_well(lg_motion_step(mo, k ? 40 : 2), mo);
        }
        suite_near1("time", lg_motion_time(mo), 0.6, 1e-14, 1);
        count = read_state(mo, m, x[k]);
        lg_motion_destroy(mo);
    }
    suite_near("state", x[0], x[1], count, 1e-9, 1 + mat_norm(x[1], count));
    lg_mechanism_destroy(m);
}

static int angle(const lg_motion *mo, double *value, void *context)
{
    double q[1];
    const double *level = context;
    const lg_status st = lg_motion_joint(mo, q, NULL, 0);
    *value = q[0] - *level;
    return st != LG_OK;
}

static void events(void **unused)
{
    const int i = lg_gallery_index("double-pendulum");
    lg_mechanism *m = gallery_mechanism(i, 0);
    double t[2], level;
    (void)unused;
    lg_motion *before = course(m, i, 1e-12, 0.23);
    motion_well(lg_motion_step(before, 1), before);
    suite_ok("level", lg_motion_joint(before, &level, NULL, 0));
    lg_motion_destroy(before);
    for (int k = 0; k < 2; k++) {
        lg_motion *mo = course(m, i, 1e-12, k ? 0.013 : 0.05);
        lg_motion_event e = lg_motion_event_default(angle, &level);
        e.tolerance = 1e-12;
        int found = 0;
        for (int n = 0; n < 20 && !found; n++) motion_well(lg_motion_step_to_event(mo, &found, &e), mo);
        assert_true(found != 0);
        t[k] = lg_motion_time(mo);
        motion_well(lg_motion_step(mo, 3), mo);
        lg_motion_destroy(mo);
    }
    suite_near1("time", t[0], 0.23, 1e-10, 1);
    suite_near1("time", t[0], t[1], 1e-10, 1);
    lg_mechanism_destroy(m);
}

static void runs(void **unused)
{
    const int i = lg_gallery_index("four-bar");
    lg_mechanism *m = gallery_mechanism(i, 0);
    lg_run_options o = lg_run_options_default();
    lg_run_result result;
    lg_motion *mo = course(m, i, 1e-9, 0.05);
    (void)unused;
    memset(&result, 0, sizeof result);
    result.size = sizeof result;
    o.steps = 100;
    motion_well(lg_run(mo, &result, &o), mo);
    suite_above("shortest", result.found_shortest, 1e-4);
    suite_above("longest", result.found_longest, result.found_shortest);
    suite_below("longest", result.found_longest, 1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static int useless(double t, const double *poses, const double *twists, double *wrench, void *context)
{
    (void)t, (void)poses, (void)twists, (void)context;
    wrench[0] = 0;
    return 3;
}

static void refusals(void **unused)
{
    const int i = lg_gallery_index("chain");
    lg_mechanism *m = gallery_mechanism(i, 0);
    double x[NUMBERS], y[NUMBERS];
    lg_motion *mo;
    (void)unused;
    motion_well(motion_create(&mo, m, NULL, 0.1), mo);
    assert_int_equal(lg_motion_set_tolerance(mo, 1e-6), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_motion_message(mo), "gauss");
    assert_true(lg_motion_tolerance(mo) == 0);
    lg_motion_destroy(mo);
    mo = course(m, i, 1e-6, 0.1);
    const double wrong[] = {-1e-6, 9e-15, 0.2, NAN, INFINITY};
    for (int k = 0; k < 5; k++) {
        assert_int_equal(lg_motion_set_tolerance(mo, wrong[k]), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_motion_message(mo), "1e-14");
    }
    suite_near1("tolerance", lg_motion_tolerance(mo), 1e-6, 0, 1);
    motion_well(lg_motion_step(mo, 3), mo);
    const int count = read_state(mo, m, x);
    motion_well(lg_motion_set_wrench(mo, useless, NULL), mo);
    assert_int_equal(lg_motion_step(mo, 1), LG_ERROR_CALLBACK);
    (void)read_state(mo, m, y);
    suite_same_bits("state", y, x, count);
    motion_well(lg_motion_set_wrench(mo, NULL, NULL), mo);
    motion_well(lg_motion_step(mo, 1), mo);
    motion_well(lg_motion_set_tolerance(mo, 0), mo);
    motion_well(lg_motion_step(mo, 1), mo);
    lg_motion_destroy(mo);
    assert_int_equal(lg_motion_set_tolerance(NULL, 1e-6), LG_ERROR_ARGUMENT);
    assert_true(isnan(lg_motion_found_step(NULL)));
    lg_mechanism_destroy(m);
}

/* As integrators/test_tolerance.c. */
static int third_time(void *context)
{
    int *asked = context;
    return ++*asked == 3;
}

static int ages(void *context)
{
    mb_adaptive *c = context;
    c->step_size.substeps = LG_SUBSTEPS_MOST - 1;
    return 0;
}

static void too_far(lg_motion *mo, const char *words)
{
    assert_int_equal(lg_motion_step(mo, 1), LG_ERROR_CONVERGENCE);
    suite_contains("too far", lg_motion_message(mo), words);
    suite_contains("too far", lg_motion_message(mo), "the limit is 1e+06: set h to at most");
    assert_true(lg_motion_time(mo) == 0);
}

/* Rows that are too many steps away, also where a step that fails is halved. */
static void far(void **unused)
{
    const int i = lg_gallery_index("chain");
    lg_mechanism *m = gallery_mechanism(i, 0);
    (void)unused;
    suite_case("too far");
    lg_motion *mo = course(m, i, 1e-6, 1e12);
    too_far(mo, "h = 1e+12, the interval between states");
    motion_well(lg_motion_set_halvings(mo, 30), mo);
    too_far(mo, "h = 1e+12, the interval between states");
    lg_motion_destroy(mo);
    mo = course(m, i, 1e-6, 1e3);
    mb_set_pause(mo->bodies, (lg_pause){ages, mo->bodies->adaptive});
    too_far(mo, "h = 1000, the interval between states");
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* Stopped on the way, it continues to the same bits, and so does a motion that reads a checkpoint. */
static void stopped(void **unused)
{
    const int i = lg_gallery_index("chain");
    lg_mechanism *m = gallery_mechanism(i, 0);
    double x[NUMBERS], y[NUMBERS], z[NUMBERS];
    int asked = 0;
    (void)unused;
    suite_case("stopped on the way");
    lg_motion *whole = course(m, i, 1e-6, 50), *mo = course(m, i, 1e-6, 50), *read = course(m, i, 1e-6, 50);
    const int count = read_state(whole, m, x);
    motion_well(lg_motion_step(whole, 1), whole);
    const int sweeps = (int)whole->bodies->numbers.sweeps;
    motion_well(lg_motion_set_halvings(mo, 2), mo);
    motion_well(lg_motion_set_halvings(read, 2), read);
    mb_set_pause(mo->bodies, (lg_pause){third_time, &asked});
    assert_int_equal(lg_motion_step(mo, 1), LG_ERROR_INTERRUPTED);
    suite_contains("message", lg_motion_message(mo), "stopped on the way");
    (void)read_state(mo, m, y);
    suite_same_bits("state", y, x, count);
    const size_t size = lg_motion_saved_bytes(mo);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    motion_well(lg_motion_save(mo, bytes, size), mo);
    motion_well(lg_motion_load(read, bytes, size), read);
    motion_well(lg_motion_step(mo, 1), mo);
    motion_well(lg_motion_step(read, 1), read);
    assert_int_equal((int)mo->bodies->numbers.sweeps, sweeps);
    (void)read_state(whole, m, x), (void)read_state(mo, m, y), (void)read_state(read, m, z);
    suite_same_bits("continues", y, x, count);
    suite_same_bits("a checkpoint continues", z, x, count);
    free(bytes);
    lg_motion_destroy(whole), lg_motion_destroy(mo), lg_motion_destroy(read);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors),   cmocka_unit_test(keeps),  cmocka_unit_test(drawn),
        cmocka_unit_test(forces),   cmocka_unit_test(events), cmocka_unit_test(runs),
        cmocka_unit_test(refusals), cmocka_unit_test(far),    cmocka_unit_test(stopped),
    };
    suite_begin("multibody/tolerance");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
