/* SPDX-License-Identifier: BSD-3-Clause */
/* Friction of joints, -c q' - T tanh(q'/v): its work balances, a block slows down as its equation in closed form says,
 * and creeps under a load. Every kind of joint is in test_oracle.c, the dense engine in test_system.c. */
#include <math.h>
#include <string.h>

#include "support/mechanisms.h"

/* A mass of 1 kg on a level rail, with a motor. */
static lg_mechanism *block(double damping, double friction, double speed)
{
    static const double x_axis[3] = {1, 0, 0};
    lg_mechanism *m;
    lg_joint rail = lg_joint_default("rail", LG_JOINT_PRISMATIC, NULL, "block");
    const lg_motor motor = lg_motor_default("motor", "rail");
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "block", 0, 0, 0);
    memcpy(rail.axis, x_axis, sizeof x_axis);
    rail.damping = damping, rail.friction = friction, rail.friction_speed = speed;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &rail), m);
    mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Position and speed after steps from 0 with speed v under a load u. */
static void move(double *q, double *v, const lg_mechanism *m, const char *method, double h, double u, int steps)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_set_control(mo, &u), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    motion_well(lg_motion_step(mo, steps), mo);
    suite_ok("joint", lg_motion_joint(mo, q, v, 0));
    lg_motion_destroy(mo);
}

static double speed_after(const lg_mechanism *m, const char *method, double h, double v, int steps)
{
    double q;
    move(&q, &v, m, method, h, 0, steps);
    return v;
}

/* v' = -T tanh(v/s): sinh(v/s) falls as exp(-T t/s). */
static void slows_down(void **unused)
{
    const double T = 0.8, s = 0.3, v0 = 0.7, time = 1.2;
    const double want = s * asinh(sinh(v0 / s) * exp(-T * time / s));
    lg_mechanism *m = block(0, T, s);
    (void)unused;
    const double coarse = speed_after(m, "sem", 0.02, v0, 60) - want;
    const double fine = speed_after(m, "sem", 0.01, v0, 120) - want;
    suite_near1("order 2", coarse / fine, 4, 0.02, 1);
    suite_near1("order 4", speed_after(m, "sem@suzuki4", 0.01, v0, 120), want, 1e-7, 1);
    suite_near1("gauss", speed_after(m, "gauss", 0.02, v0, 60), want, 1e-10, 1);
    lg_mechanism_destroy(m);
}

/* Under a load below T it stops except for a creep, u = T tanh(v/s) + c v, at steps of up to five times s/T. */
static void creeps(void **unused)
{
    static const double speeds[] = {0.5, 0.1, 0.02};
    (void)unused;
    for (int i = 0; i < 6; i++) {
        const double s = speeds[i / 2], creep = i % 2 ? -0.5 * s : 0.5 * s, u = 2 * tanh(creep / s) + 3 * creep;
        double q[2], v[2] = {4, 4};
        lg_mechanism *m = block(3, 2, s);
        suite_case("friction_speed %g", s);
        move(&q[0], &v[0], m, "sem", 0.05, u, 400);
        move(&q[1], &v[1], m, "sem", 0.05, u, 800);
        suite_near1("creep", (q[1] - q[0]) / 20, creep, 1e-3, s);
        suite_near1("speed", v[1], creep, 1e-9, s);
        lg_mechanism_destroy(m);
    }
}

/* Two links that swing, one joint dry and one dry and viscous. */
static lg_mechanism *arm(double speed)
{
    static const double y_axis[3] = {0, 1, 0};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 2; i++) {
        lg_joint j =
            lg_joint_default(i ? "elbow" : "shoulder", LG_JOINT_REVOLUTE, i ? "upper" : NULL, i ? "fore" : "upper");
        mechanism_add_body(m, i ? "fore" : "upper", i + 0.5, 0, 0);
        memcpy(j.axis, y_axis, sizeof y_axis);
        j.point[0] = i, j.damping = 0.1 * i, j.friction = 0.7, j.friction_speed = speed;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void work_balances(void **unused)
{
    static const char *const methods[] = {"sem", "sem@suzuki4", "gauss"};
    (void)unused;
    for (int k = 0; k < 3; k++) {
        lg_motion *mo;
        lg_mechanism *m = arm(k == 1 ? 0.5 : 0.05); /* compositions step back, where friction is to be resolved */
        const int gauss = k == 2;
        suite_case("%s", methods[k]);
        motion_well(motion_create(&mo, m, methods[k], gauss ? 0.002 : 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
        const double H = lg_motion_energy(mo);
        double last = 0;
        for (int i = 0; i < 200; i++, last = lg_motion_work(mo)) {
            motion_well(lg_motion_step(mo, 1), mo);
            suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), gauss ? 1e-9 : 4e-14, 20);
            if (k == 0) suite_below("it takes energy", lg_motion_work(mo), last);
        }
        suite_below("work", lg_motion_work(mo), -0.1);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slows_down), cmocka_unit_test(creeps),
                                       cmocka_unit_test(work_balances)};
    suite_begin("multibody/friction");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
