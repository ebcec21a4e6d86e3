/* SPDX-License-Identifier: BSD-3-Clause */
/* The account of impacts, in which a motion goes on with other constraints, and of rattle. */
#include <math.h>

#include <liegrp/multibody/gallery.h>

#include "support/accounts.h"
#include "support/mechanisms.h"

static const struct {
    const char *method;
    double tolerance;
} ways[] = {{"sem", 0}, {"sem@suzuki4", 0}, {"gauss", 0}, {"gauss", 1e-10}};
enum { WAYS = sizeof ways / sizeof *ways };

static lg_motion *begin(const lg_mechanism *m, int way)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, ways[way].method, 0.01), mo);
    if (ways[way].tolerance > 0) motion_well(lg_motion_set_tolerance(mo, ways[way].tolerance), mo);
    return mo;
}

/* Two carts on one rail; coupled: they have become one. */
static lg_mechanism *carts(int coupled)
{
    static const double x_axis[3] = {1, 0, 0};
    lg_mechanism *m;
    lg_gear gear = lg_gear_default("coupling", "second", "first");
    const lg_motor motor = lg_motor_default("motor", "first");
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 2; i++) {
        const double at[3] = {i, 0, 0};
        mechanism_add_body(m, i ? "two" : "one", i, 0, 0);
        mechanism_add_joint(m, i ? "second" : "first", LG_JOINT_PRISMATIC, NULL, i ? "two" : "one", at, x_axis);
    }
    mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    if (coupled) mechanism_well(lg_mechanism_add_gear(m, NULL, &gear), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* The first cart is pushed from 2 to 2.1 m/s before it meets the second, and takes half of its energy along. */
static void of_impacts(void **unused)
{
    const double v[2] = {2, 0}, q[2] = {-0.205, 0}, u = 1, lost = 0.25 * 2.1 * 2.1;
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        lg_mechanism *m[2] = {carts(0), carts(1)};
        lg_motion *a = begin(m[0], way), *b = begin(m[1], way);
        suite_case("%s, tolerance %g", ways[way].method, ways[way].tolerance);
        motion_well(lg_motion_set_control(a, &u), a);
        motion_well(lg_motion_start_joints(a, 0, q, v, 1), a);
        motion_well(lg_motion_step(a, 10), a);
        for (int again = 0; again < 2; again++) {
            double got;
            motion_well(again ? lg_motion_reset(b) : lg_motion_continue(b, &got, a), b);
            if (again == 0) suite_near1("lost", got, lost, 1e-12, 1);
            for (int k = 0; k < 2; k++) {
                suite_near1("motors", account_of(b).motors, 0.205, 1e-12, 1);
                suite_near1("impact", account_of(b).impact_normal, lost, 1e-12, 1);
                suite_near1("node", account_of(b).node, 0, 1e-12, 1);
                suite_near1("balance", lg_motion_energy(b) - 2, account_sum(b), 1e-12, 1);
                motion_well(lg_motion_step(b, 20), b);
            }
        }
        lg_motion_destroy(a), lg_motion_destroy(b);
        for (int i = 0; i < 2; i++) lg_mechanism_destroy(m[i]);
    }
}

/* A ball comes down at 1 m/s on a belt that is 1.5 m/s slower than it: the belt makes it turn. */
static void of_scrubbing(void **unused)
{
    const double pose[7] = {0, 0, 0.1, 0, 0, 0, 1}, twist[6] = {2, 0, -1, 0, 0, 0}, share = 0.6 / 1.6;
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        lg_mechanism *m[2];
        lg_motion *mo[2];
        double lost;
        suite_case("%s, tolerance %g", ways[way].method, ways[way].tolerance);
        for (int down = 0; down < 2; down++) {
            lg_body b = lg_body_default("ball");
            lg_wheel w = lg_wheel_default("ball", "ball");
            b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.006, b.position[2] = 0.1;
            w.kind = LG_WHEEL_BALL, w.radius = 0.1, w.ground_velocity[0] = 0.5;
            mechanism_well(lg_mechanism_create(&m[down]), NULL);
            mechanism_well(lg_mechanism_add_body(m[down], NULL, &b), m[down]);
            if (down) mechanism_well(lg_mechanism_add_wheel(m[down], NULL, &w), m[down]);
            mechanism_well(lg_mechanism_compile(m[down]), m[down]);
            mo[down] = begin(m[down], way);
        }
        motion_well(lg_motion_start_poses(mo[0], 0, pose, twist, 1), mo[0]);
        const double H0 = lg_motion_energy(mo[0]);
        motion_well(lg_motion_continue(mo[1], &lost, mo[0]), mo[1]);
        for (int k = 0; k < 2; k++) {
            const lg_account a = account_of(mo[1]);
            suite_near1("normal", a.impact_normal, 0.5, 1e-13, 1);
            suite_near1("friction", a.impact_friction, 0.5 * share * 1.5 * 1.5, 1e-13, 1);
            suite_near1("belt", a.ground, -share * 1.5 * 0.5, 1e-13, 1);
            suite_near1("lost", lost, a.impact_normal + a.impact_friction - a.ground, 1e-13, 1);
            suite_near1("balance", lg_motion_energy(mo[1]) - H0, account_sum(mo[1]), 1e-13, 1);
            motion_well(lg_motion_step(mo[1], 10), mo[1]);
        }
        for (int i = 0; i < 2; i++) lg_motion_destroy(mo[i]), lg_mechanism_destroy(m[i]);
    }
}

/* The energy of rattle is bounded; what motors do is exact. */
static void of_rattle(void **unused)
{
    const double v[2] = {2, 0}, u = 1;
    lg_mechanism *m = carts(0), *chain;
    lg_motion *mo;
    (void)unused;
    motion_well(motion_create(&mo, m, "rattle", 0.01), mo);
    motion_well(lg_motion_set_control(mo, &u), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    motion_well(lg_motion_step(mo, 10), mo);
    suite_near1("motors", account_of(mo).motors, 0.205, 1e-13, 1);
    suite_near1("balance", lg_motion_energy(mo) - 2, account_sum(mo), 1e-13, 1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
    mechanism_well(lg_gallery_create(&chain, lg_gallery_index("chain")), chain);
    motion_well(motion_create(&mo, chain, "rattle", 0.01), mo);
    motion_well(lg_gallery_start(mo, lg_gallery_index("chain")), mo);
    const double H0 = lg_motion_energy(mo);
    motion_well(lg_motion_step(mo, 60), mo);
    suite_near1("nothing works", fabs(account_sum(mo)), 0, 1e-300, 1);
    suite_near1("balance", lg_motion_energy(mo), H0, 2e-2, fabs(H0));
    lg_motion_destroy(mo);
    lg_mechanism_destroy(chain);
}

int main(void)
{
    suite_begin("account_impacts");
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_impacts), cmocka_unit_test(of_scrubbing),
                                       cmocka_unit_test(of_rattle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
