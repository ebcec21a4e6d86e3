/* SPDX-License-Identifier: BSD-3-Clause */
/* Thrusters: closed forms, work, both engines, order, together with motors, what is refused. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/parameters.h>

#include "support/mechanism_systems.h"

static const double none[3] = {0, 0, 0}, y[3] = {0, 1, 0};

static void thruster(lg_mechanism *m, const char *name, const char *body, double x, double torque)
{
    lg_thruster t = lg_thruster_default(name, body);
    t.point[0] = x, t.axis[2] = 2, t.force = 3, t.torque = torque;
    mechanism_well(lg_mechanism_add_thruster(m, NULL, &t), m);
}

static lg_motion *started(const lg_mechanism *m, const char *method, double h, const double *u)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    motion_well(lg_motion_set_control(mo, u), mo);
    return mo;
}

/* ---- one body ---- */

/* A frame with four propellers in a row, which floats: it rises and turns about the vertical. */
static void closed_forms(void **unused)
{
    static const char *const methods[] = {"sem", "gauss"};
    const double g = 9.81, t = 1, w = 0.2;
    (void)unused;
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    lg_body b = lg_body_default("frame");
    b.mass = 2, b.inertia[0] = 0.02, b.inertia[1] = 0.03, b.inertia[2] = 0.04;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    for (int i = 0; i < 4; i++) {
        const char name[3] = {'p', (char)('0' + i), 0};
        thruster(m, name, "frame", 0.1 * (i - 1.5), i % 2 ? 0.1 : -0.1);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    for (int i = 0; i < 2; i++) {
        double u[4], pose[7], twist[6], sum = 0;
        suite_case("%s", methods[i]);
        for (int k = 0; k < 4; k++) u[k] = 2 * g / 12 * 1.1 + (k % 2 ? w : -w);
        const double pitch = u[0] * -0.15 + u[1] * -0.05 + u[2] * 0.05 + u[3] * 0.15; /* becomes 0 */
        u[1] += pitch / 0.1, u[2] -= pitch / 0.1;
        const double lift = 3 * (u[0] + u[1] + u[2] + u[3]), turn = 0.1 * (-u[0] + u[1] - u[2] + u[3]);
        lg_motion *mo = started(m, methods[i], 0.01, u);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_run_to(mo, t), mo);
        suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
        suite_ok("twist", lg_motion_body_twist(mo, twist, 0));
        suite_near1("height", pose[2], (lift / 2 - g) * t * t / 2, i ? 1e-12 : 1e-10, 10);
        suite_near1("velocity", twist[2], (lift / 2 - g) * t, i ? 1e-12 : 1e-10, 10);
        suite_near1("turns", twist[5], turn / 0.04 * t, i ? 1e-12 : 1e-3, 10);
        for (int k = 0; k < 4; k++) sum += lg_motion_motor_work(mo, k);
        suite_near1("sum", sum, lg_motion_work(mo), 1e-12, 10);
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-12, 10);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* The wrench about the centre of mass: what it does to a body at rest in a short time. */
static void levers(void **unused)
{
    const double h = 1e-5, u = 2, point[3] = {0.2, -0.3, 0.5}, axis[3] = {2. / 3, -1. / 3, 2. / 3},
                 centre[3] = {0.1, 0, -0.2};
    double twist[6], right[6];
    (void)unused;
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_set_gravity(m, none), m);
    lg_body b = lg_body_default("body");
    b.mass = 2, b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.4;
    memcpy(b.centre, centre, sizeof centre);
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    lg_thruster t = lg_thruster_default("t", "body");
    for (int k = 0; k < 3; k++) t.point[k] = point[k], t.axis[k] = 7 * axis[k];
    t.force = 3, t.torque = -0.6;
    mechanism_well(lg_mechanism_add_thruster(m, NULL, &t), m);
    mechanism_well(lg_mechanism_compile(m), m);
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        const double lever = (point[p] - centre[p]) * axis[q] - (point[q] - centre[q]) * axis[p];
        right[k] = 3 * u * axis[k] / 2 * h, right[3 + k] = u * (3 * lever - 0.6 * axis[k]) / 0.4 * h;
    }
    for (int i = 0; i < 2; i++) {
        lg_motion *mo = started(m, i ? "gauss" : "sem", h, &u);
        motion_well(lg_motion_step(mo, 1), mo);
        suite_ok("twist", lg_motion_body_twist(mo, twist, 0));
        suite_near("twist", twist, right, 6, 1e-8, h);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* ---- together with motors ---- */

/* A double pendulum with two thrusters and a motor between them in the order of addition. */
static lg_mechanism *arm(void)
{
    static const double at[3] = {0, 0, 0.3}, elbow[3] = {0, 0, -0.25};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", 0, 0, 0), mechanism_add_body(m, "b", 0.1, 0.1, -0.5);
    mechanism_add_joint(m, "pivot", LG_JOINT_SPHERICAL, NULL, "a", at, y);
    mechanism_add_joint(m, "elbow", LG_JOINT_REVOLUTE, "a", "b", elbow, y);
    thruster(m, "t", "b", 0.2, 0.3);
    const lg_motor d = lg_motor_default("motor", "elbow");
    mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    thruster(m, "s", "a", -0.1, 0);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void order(void **unused)
{
    const double u[3] = {0.2, 1.5, -0.7};
    (void)unused;
    lg_mechanism *m = arm();
    mechanism_sem_order(m, NULL, u, 0.01, 1e-10);
    lg_mechanism_destroy(m);
}

static void engines(void **unused)
{
    (void)unused;
    lg_mechanism *m = arm();
    lg_rng rng = {5};
    lg_motion *mo = motion_started(m, "sem", 0.002, &rng);
    mechanism_derivatives(m, mo, 2, &rng);
    mechanism_both_steps(m, mo, 0.002, 10, 1e-12);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* Beyond its limits a control does no more, in both engines and with gauss; also where 0 is beyond one. */
static void limits(void **unused)
{
    static const char *const methods[] = {"sem", "gauss"};
    (void)unused;
    for (int i = 0; i < 8; i++) {
        lg_mechanism *m;
        double at[2][7], work[2];
        suite_case("%s, %d", methods[i % 2], i / 2);
        for (int held = 0; held < 2; held++) {
            const double lower = i / 4 ? 0.4 : -0.5, u = (i / 2) % 2 ? 3 : -3 * (i < 4);
            mechanism_well(lg_mechanism_create(&m), NULL);
            mechanism_add_body(m, "a", 0, 0, 0);
            lg_thruster t = lg_thruster_default("t", "a");
            t.point[0] = 0.1;
            if (!held) t.lower = lower, t.upper = 0.7;
            mechanism_well(lg_mechanism_add_thruster(m, NULL, &t), m);
            mechanism_well(lg_mechanism_compile(m), m);
            const double given = held ? fmin(fmax(u, lower), 0.7) : u;
            lg_motion *mo = started(m, methods[i % 2], 0.01, &given);
            const double H = lg_motion_energy(mo);
            motion_well(lg_motion_run_to(mo, 0.5), mo);
            suite_ok("pose", lg_motion_body_pose(mo, at[held], 0));
            work[held] = lg_motion_motor_work(mo, 0);
            suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-11, 10);
            lg_motion_destroy(mo), lg_mechanism_destroy(m);
        }
        suite_near("pose", at[0], at[1], 7, 0, 1);
        suite_near1("work", work[0], work[1], 0, 1);
    }
}

static void refused(void **unused)
{
    lg_mechanism *m;
    lg_motion *mo;
    (void)unused;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 4; i++) {
        lg_thruster t = lg_thruster_default("t", "none");
        if (i == 0) memcpy(t.axis, none, sizeof none);
        if (i == 1) t.force = NAN;
        if (i == 2) t.point[1] = INFINITY;
        if (i == 3) t.lower = 1, t.upper = (double)NAN;
        suite_status("thruster", lg_mechanism_add_thruster(m, NULL, &t), LG_ERROR_ARGUMENT);
        suite_contains("thruster", lg_mechanism_message(m),
                       i == 3 ? "it must be lower <= upper"
                       : i    ? "not finite"
                              : "the axis is zero");
    }
    mechanism_add_body(m, "a", 0, 0, 0);
    thruster(m, "t", "none", 0, 0);
    suite_status("body", lg_mechanism_compile(m), LG_ERROR_ARGUMENT);
    suite_contains("body", lg_mechanism_message(m), "thruster 't': there is no body 'none'");
    lg_mechanism_destroy(m);
    m = arm();
    suite_status("rattle", motion_create(&mo, m, "rattle", 0.01), LG_ERROR_UNSUPPORTED);
    suite_contains("rattle", lg_motion_message(mo), "that of thruster 't'; use sem");
    lg_motion_destroy(mo);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    suite_status("control", lg_motion_set_control(mo, (const double[3]){0, 0, NAN}), LG_ERROR_NOT_FINITE);
    suite_contains("control", lg_motion_message(mo), "thruster 's' gets nan");
    lg_motion_destroy(mo);
    suite_near1("count", lg_mechanism_thruster_count(m), 2, 0, 1);
    assert_string_equal(lg_mechanism_thruster_name(m, 1), "s");
    suite_near1("parameter", lg_mechanism_parameter_value(m, lg_mechanism_parameter(m, "t.torque")), 0.3, 0, 1);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms), cmocka_unit_test(levers),  cmocka_unit_test(order),
        cmocka_unit_test(engines),      cmocka_unit_test(refused), cmocka_unit_test(limits),
    };
    suite_begin("multibody/thrusters");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
