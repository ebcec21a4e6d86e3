/* SPDX-License-Identifier: BSD-3-Clause */
/* Work: of each motor u times its turn, for every method; of moving ground what the energy changes by. */
#include <math.h>
#include <string.h>

#include "support/mechanisms.h"

static const struct {
    const char *method;
    double tolerance, exact;
} ways[] = {{"sem", 0, 1e-12},      {"sem@suzuki4", 0, 1e-12}, {"gauss", 0, 1e-12}, {"gauss:stages=3", 0, 1e-12},
            {"gauss", 1e-6, 1e-11}, {"gauss", 1e-10, 1e-11}};
enum { WAYS = sizeof ways / sizeof *ways };

static lg_motion *begin(const lg_mechanism *m, int way, double h)
{
    lg_motion *mo = NULL;
    suite_case("%s, tolerance %g", ways[way].method, ways[way].tolerance);
    motion_well(motion_create(&mo, m, ways[way].method, h), mo);
    if (ways[way].tolerance > 0) motion_well(lg_motion_set_tolerance(mo, ways[way].tolerance), mo);
    return mo;
}

/* Two links with a motor each. */
static lg_mechanism *arm(void)
{
    static const double y_axis[3] = {0, 1, 0};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 2; i++) {
        const double at[3] = {i, 0, 0};
        const lg_motor motor = lg_motor_default(i ? "bends" : "lifts", i ? "elbow" : "shoulder");
        mechanism_add_body(m, i ? "fore" : "upper", i + 0.5, 0, 0);
        mechanism_add_joint(m, i ? "elbow" : "shoulder", LG_JOINT_REVOLUTE, i ? "upper" : NULL, i ? "fore" : "upper",
                            at, y_axis);
        mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void of_motors(void **unused)
{
    const double controls[3][2] = {{3, -1}, {-2, 0.5}, {0, 4}}, v[2] = {0.5, -1};
    lg_mechanism *m = arm();
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        lg_motion *mo = begin(m, way, 0.02);
        double work[2] = {0, 0}, q[2] = {0, 0};
        motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
        const double H = lg_motion_energy(mo);
        for (int k = 0; k < 36; k++) {
            if (k % 12 == 0) motion_well(lg_motion_set_control(mo, controls[k / 12]), mo);
            motion_well(lg_motion_step(mo, 1), mo);
            for (int i = 0; i < 2; i++) {
                double now;
                suite_ok("angle", lg_motion_joint(mo, &now, NULL, i));
                work[i] += controls[k / 12][i] * (now - q[i]);
                q[i] = now;
                suite_near1("work of a motor", lg_motion_motor_work(mo, i), work[i], ways[way].exact, 10);
            }
            suite_near1("work", lg_motion_work(mo), work[0] + work[1], ways[way].exact, 10);
        }
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), ways[way].tolerance > 0 ? 1e-4 : 1e-2, 10);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* The work of each motor continues in another mechanism that takes over. */
static void of_motors_that_continue(void **unused)
{
    const double u[2] = {3, -1};
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        lg_mechanism *m = arm(), *n = arm();
        lg_motion *a = begin(m, way, 0.02), *b = begin(n, way, 0.02);
        motion_well(lg_motion_set_control(a, u), a);
        motion_well(lg_motion_set_control(b, u), b);
        motion_well(lg_motion_start_joints(a, 0, NULL, NULL, 0), a);
        motion_well(lg_motion_step(a, 10), a);
        motion_well(lg_motion_continue(b, NULL, a), b);
        for (int k = 0; k < 6; k++) {
            for (int i = 0; i < 2; i++) {
                suite_above("it has worked", fabs(lg_motion_motor_work(a, i)), 1e-3);
                suite_near1("work of a motor", lg_motion_motor_work(b, i), lg_motion_motor_work(a, i), 1e-5, 1);
            }
            suite_near1("work", lg_motion_work(b), lg_motion_motor_work(b, 0) + lg_motion_motor_work(b, 1), 1e-11, 1);
            motion_well(lg_motion_step(a, 1), a);
            motion_well(lg_motion_step(b, 1), b);
        }
        lg_motion_destroy(a), lg_motion_destroy(b);
        lg_mechanism_destroy(m), lg_mechanism_destroy(n);
    }
}

/* A ball on a turntable, and on a belt, which are not level. */
static void of_moving_ground(void **unused)
{
    const double pose[7] = {0.3, 0, 0.1, 0, 0, 0, 1}, twist[6] = {0.4, 0.2, 0, 0, 0, 1}, gravity[3] = {1, 0, -9.81};
    (void)unused;
    for (int belt = 0; belt < 2; belt++) {
        lg_mechanism *m;
        lg_wheel w = lg_wheel_default("ball", "ball");
        mechanism_well(lg_mechanism_create(&m), NULL);
        mechanism_well(lg_mechanism_set_gravity(m, gravity), m);
        mechanism_add_body(m, "ball", 0, 0, 0.1);
        w.kind = LG_WHEEL_BALL, w.radius = 0.1;
        w.ground_spin = belt ? 0 : 2, w.ground_velocity[0] = belt ? 0.7 : 0;
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
        mechanism_well(lg_mechanism_compile(m), m);
        for (int way = 0; way < WAYS; way++) {
            lg_motion *mo = begin(m, way, 0.01);
            motion_well(lg_motion_start_poses(mo, 0, pose, twist, 1), mo);
            const double H = lg_motion_energy(mo);
            double most = 0;
            for (int k = 0; k < 100; k++) {
                motion_well(lg_motion_step(mo, 1), mo);
                const double change = lg_motion_energy(mo) - H;
                suite_near1("work", lg_motion_work(mo), change, 1e-6, 1);
                most = fmax(most, fabs(change));
            }
            suite_above("it works", most, 0.01);
            lg_motion_destroy(mo);
        }
        lg_mechanism_destroy(m);
    }
}

int main(void)
{
    suite_begin("work");
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_motors), cmocka_unit_test(of_motors_that_continue),
                                       cmocka_unit_test(of_moving_ground)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
