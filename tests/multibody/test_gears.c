/* SPDX-License-Identifier: BSD-3-Clause */
/* Gears with powers of their driver, and joints that are held: what steps keep, accelerations, the dense step, bad
 * input. Motions: test_oracle.c; files: test_files_mjcf_equalities.c. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/dynamics.h>
#include <liegrp/multibody/parameters.h>

#include "support/mechanism_systems.h"

static const double origin[3] = {0, 0, 0}, along[3] = {1, 0, 0}, axis[3] = {0.1, 1, 0.2}, up[3] = {0, 0.1, 1};

/* A carriage, a hinge or slide on it, and a hinge on that; the second follows the first, and the third the second. */
static lg_mechanism *train(lg_joint_kind first, lg_joint_kind second)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", 0.3, 0, 0);
    mechanism_add_body(m, "b", 0.5, 0.1, 0.4);
    mechanism_add_body(m, "c", 0.9, 0, 0.3);
    mechanism_add_joint(m, "x", first, NULL, "a", origin, first == LG_JOINT_PRISMATIC ? along : axis);
    mechanism_add_joint(m, "y", second, "a", "b", (const double[3]){0.4, 0, 0},
                        second == LG_JOINT_PRISMATIC ? up : axis);
    mechanism_add_joint(m, "z", LG_JOINT_REVOLUTE, "b", "c", (const double[3]){0.7, 0, 0.4}, axis);
    lg_gear one = lg_gear_default("one", "y", "x"), two = lg_gear_default("two", "z", "y");
    one.ratio = 0, one.quadratic = 0.7, one.cubic = -0.2, one.quartic = 0.1;
    two.ratio = 0.3, two.offset = 0.1, two.quadratic = -0.4;
    mechanism_well(lg_mechanism_add_gear(m, NULL, &one), m);
    mechanism_well(lg_mechanism_add_gear(m, NULL, &two), m);
    mechanism_well(lg_mechanism_keep_order(m), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static double one_of(double x)
{
    return x * x * (0.7 + x * (-0.2 + x * 0.1));
}

static void started(lg_motion **mo, const lg_mechanism *m, const char *method, double h, double x, double rate)
{
    const double y = one_of(x), q[3] = {x, y, 0.1 + y * (0.3 - 0.4 * y)};
    const double dy = x * (1.4 + x * (-0.6 + x * 0.4)) * rate, v[3] = {rate, dy, (0.3 - 0.8 * y) * dy};
    motion_well(motion_create(mo, m, method, h), *mo);
    motion_well(lg_motion_start_joints(*mo, 0, q, v, 0), *mo);
}

static void positions(const lg_motion *mo, double *q, double *v)
{
    for (int j = 0; j < 3; j++) suite_ok("joint", lg_motion_joint(mo, q + j, v + j, j));
}

static void refused(lg_mechanism *m, const lg_gear *g, const char *words)
{
    suite_status(words, lg_mechanism_add_gear(m, NULL, g), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), words);
}

/* The gears' equations hold at every node, through many turns too; the energy is exact where the step has it so. */
static void kept(void **unused)
{
    static const char *const methods[] = {"sem", "rattle", "gauss:stages=3"};
    (void)unused;
    for (int k = 0; k < 12; k++) {
        const lg_joint_kind first = k & 1 ? LG_JOINT_PRISMATIC : LG_JOINT_REVOLUTE;
        suite_case("%s, %d", methods[k / 4], k % 4);
        lg_mechanism *m = train(first, k & 2 ? LG_JOINT_PRISMATIC : LG_JOINT_REVOLUTE);
        assert_int_equal(lg_mechanism_freedoms(m), 1);
        lg_motion *mo;
        double q[3], v[3], before, after;
        started(&mo, m, methods[k / 4], 0.002, 0.5, 1);
        before = lg_motion_energy(mo);
        for (int n = 0; n < 20; n++) {
            motion_well(lg_motion_step(mo, 10), mo);
            positions(mo, q, v);
            const double y = one_of(q[0]), size = 1 + fabs(q[1]) + fabs(q[2]);
            suite_near1("y", q[1], y, 1e-12, size);
            suite_near1("z", q[2], 0.1 + y * (0.3 - 0.4 * y), 1e-12, size);
            suite_near1("y'", v[1], q[0] * (1.4 + q[0] * (-0.6 + q[0] * 0.4)) * v[0], 1e-11, 1 + fabs(v[1]));
        }
        after = lg_motion_energy(mo);
        suite_near1("energy", after, before, k / 4 == 1 ? 1e-3 : 1e-11, fabs(before) + 10);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* Accelerations from the equations of motion against differences of order 4 along a motion. */
static void accelerations(void **unused)
{
    (void)unused;
    const double h = 0.001;
    lg_mechanism *m = train(LG_JOINT_REVOLUTE, LG_JOINT_PRISMATIC);
    lg_motion *mo;
    lg_dynamics *d;
    double q[5][3], v[5][3], a[3];
    started(&mo, m, "gauss:stages=4", h, 0.5, -1.3);
    for (int n = 0; n < 5; n++) {
        positions(mo, q[n], v[n]);
        motion_well(lg_motion_step(mo, 1), mo);
    }
    suite_ok("dynamics", lg_dynamics_create(&d, m));
    suite_ok("state", lg_dynamics_set(d, q[2], v[2]));
    suite_ok("acceleration", lg_dynamics_acceleration(d, a, NULL, NULL));
    for (int j = 0; j < 3; j++)
        suite_near1("acceleration", a[j], (v[0][j] - 8 * v[1][j] + 8 * v[3][j] - v[4][j]) / (12 * h), 1e-8, 10);
    lg_dynamics_destroy(d), lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* A joint without driver stays, and its reaction is that of a joint that has no position. */
static void held(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    double q[2], v[2];
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", 0.3, 0, 0);
    mechanism_add_body(m, "b", 0.8, 0, 0);
    mechanism_add_joint(m, "x", LG_JOINT_REVOLUTE, NULL, "a", origin, axis);
    mechanism_add_joint(m, "y", LG_JOINT_REVOLUTE, "a", "b", (const double[3]){0.5, 0, 0}, axis);
    lg_gear g = lg_gear_default("stop", "y", NULL);
    refused(m, &g, "gear 'stop' has no driver: name one, or set ratio 1");
    g.ratio = 0, g.offset = 0.4;
    mechanism_well(lg_mechanism_add_gear(m, NULL, &g), m);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_mechanism_freedoms(m), 1);
    motion_well(motion_create(&mo, m, "sem", 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    motion_well(lg_motion_step(mo, 100), mo);
    for (int j = 0; j < 2; j++) suite_ok("joint", lg_motion_joint(mo, q + j, v + j, j));
    suite_near1("y", q[1], 0.4, 1e-13, 1), suite_near1("y'", v[1], 0, 1e-12, 1);
    suite_above("it moves", fabs(v[0]), 0.01);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* The mechanism as a system: a driver that is a length has its value at every configuration, an angle has not. */
static void dense(void **unused)
{
    (void)unused;
    const lg_system *S;
    for (int k = 0; k < 2; k++) {
        lg_mechanism *m = train(LG_JOINT_PRISMATIC, LG_JOINT_PRISMATIC);
        lg_motion *mo;
        started(&mo, m, "sem", 0.01, 0.5, 1);
        mechanism_both_steps(m, mo, 0.01, 20, 1e-10);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
    lg_mechanism *m = train(LG_JOINT_REVOLUTE, LG_JOINT_PRISMATIC);
    suite_status("an angle", lg_mechanism_system(m, &S), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_mechanism_message(m), "gear 'one'");
    suite_contains("message", lg_mechanism_message(m), "must be a length; use the sparse step");
    lg_mechanism_destroy(m);
}

static void bad_input(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    lg_gear g = lg_gear_default("g", "x", "y");
    mechanism_well(lg_mechanism_create(&m), NULL);
    g.ratio = 0;
    refused(m, &g, "ratio 0 must be finite and not 0");
    g.quartic = NAN;
    refused(m, &g, "quartic nan must be finite");
    g.quartic = 1, g.cubic = INFINITY;
    refused(m, &g, "cubic inf");
    g.cubic = 0, g.driver = NULL;
    refused(m, &g, "gear 'g' has no driver: name one, or set ratio 0 and the powers to 0");
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept), cmocka_unit_test(accelerations), cmocka_unit_test(held),
                                       cmocka_unit_test(dense), cmocka_unit_test(bad_input)};
    suite_begin("multibody/gears");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
