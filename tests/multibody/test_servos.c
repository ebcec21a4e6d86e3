/* SPDX-License-Identifier: BSD-3-Clause */
/* Servos and limited motors: closed forms, gains far beyond the step, limits that saturate, both
 * engines, work, lanes, what is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/multibody/linearise.h>
#include <liegrp/multibody/parameters.h>
#include <liegrp/run/ensemble.h>
#include <liegrp/run/model.h>

#include "support/mechanism_systems.h"

static const double none[3] = {0, 0, 0}, y[3] = {0, 1, 0}, inertia = 0.3;

/* A body of inertia 0.3 on a hinge, without weight, with these motors of joint "hinge". */
static lg_mechanism *hinge(const lg_motor *motors, int count)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_set_gravity(m, none), m);
    lg_body b = lg_body_default("body");
    b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = inertia;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    mechanism_add_joint(m, "hinge", LG_JOINT_REVOLUTE, NULL, "body", none, y);
    for (int i = 0; i < count; i++) mechanism_well(lg_mechanism_add_motor(m, NULL, &motors[i]), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static lg_motor servo(const char *name, double kp, double kv)
{
    lg_motor d = lg_motor_default(name, "hinge");
    d.position_gain = kp, d.velocity_gain = kv;
    return d;
}

static lg_motion *started(const lg_mechanism *m, const char *method, double h, const double *q, const double *v,
                          const double *u)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, q, v, 1), mo);
    motion_well(lg_motion_set_control(mo, u), mo);
    return mo;
}

/* ---- closed forms ---- */

/* I q'' = n kp (u - n q) - n^2 kv q' from q = 0.2 and q' = 1. */
static void oscillator(double *x, double n, double kp, double kv, double u, double t)
{
    const double a = n * n * kv / (2 * inertia), w = sqrt(n * n * kp / inertia - a * a), rest = u / n, d = 0.2 - rest;
    const double s = (1 + a * d) / w, e = exp(-a * t);
    x[0] = rest + e * (d * cos(w * t) + s * sin(w * t));
    x[1] = e * ((s * w - a * d) * cos(w * t) - (d * w + a * s) * sin(w * t));
}

static void closed_forms(void **unused)
{
    const double q = 0.2, v = 1, ratios[] = {1, -3};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        const double n = ratios[i / 2], u = 0.7, t = 0.8;
        lg_motor d = i % 2 ? servo("servo", 0, 0.5) : servo("servo", 4, 0.1);
        double right[2], to[3][2], error[2];
        suite_case("ratio %g, %s", n, i % 2 ? "velocity" : "position");
        d.ratio = n;
        oscillator(right, n, 4, 0.1, u, t);
        if (i % 2) { /* I q'' = n kv (u - n q') */
            const double rate = n * n * 0.5 / inertia, e = exp(-rate * t), wanted = u / n;
            right[1] = wanted + (v - wanted) * e, right[0] = q + wanted * t + (v - wanted) * (1 - e) / rate;
        }
        lg_mechanism *m = hinge(&d, 1);
        for (int k = 0; k < 3; k++) {
            lg_motion *mo = started(m, k == 2 ? "gauss" : "sem", k == 2 ? 0.02 : 0.01 / (1 + k), &q, &v, &u);
            const double H = lg_motion_energy(mo);
            motion_well(lg_motion_run_to(mo, t), mo);
            suite_ok("joint", lg_motion_joint(mo, &to[k][0], &to[k][1], 0));
            suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), k == 2 ? 1e-12 : 1e-13, 1);
            suite_near1("work", lg_motion_motor_work(mo, 0), lg_motion_work(mo), 1e-13, 1);
            lg_motion_destroy(mo);
        }
        suite_near("gauss", to[2], right, 2, 1e-11, 1);
        for (int k = 0; k < 2; k++) error[k] = fmax(fabs(to[k][0] - right[0]), fabs(to[k][1] - right[1]));
        suite_near1("order of sem", log2(error[0] / error[1]), 2, 0.1, 1);
        lg_mechanism_destroy(m);
    }
}

/* Three motors on one joint: kp (q* - q) + kv (v* - q') + u follows q* = sin t to round-off of its feed-forward. */
static void feed_forward(void **unused)
{
    const lg_motor motors[] = {servo("p", 40, 0), servo("v", 0, 5), servo("u", 0, 0)};
    const double q = 0, v = 1, h = 0.001;
    (void)unused;
    lg_mechanism *m = hinge(motors, 3);
    const double start[3] = {0, 1, 0};
    lg_motion *mo = started(m, "sem", h, &q, &v, start);
    for (int i = 0; i < 2000; i++) {
        const double t = (i + 0.5) * h, u[3] = {sin(t), cos(t), -inertia * sin(t)};
        double to;
        motion_well(lg_motion_set_control(mo, u), mo);
        motion_well(lg_motion_step(mo, 1), mo);
        suite_ok("joint", lg_motion_joint(mo, &to, NULL, 0));
        suite_near1("follows", to, sin((i + 1) * h), 2e-7, 1);
    }
    suite_near1("sum", lg_motion_motor_work(mo, 0) + lg_motion_motor_work(mo, 1) + lg_motion_motor_work(mo, 2),
                lg_motion_work(mo), 1e-13, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* A motor of 5 N m at most from rest: half of the way at full torque, then a servo would follow. */
static void limited(void **unused)
{
    const double q = 0, v = 0, u = 9, t = 0.4;
    (void)unused;
    for (int i = 0; i < 3; i++) {
        static const char *const methods[3] = {"sem", "gauss", "rattle"};
        lg_motor d = servo("motor", 0, 0);
        double to[2];
        suite_case("%s", methods[i]);
        d.ratio = -2, d.lower = -1, d.upper = 2.5;
        lg_mechanism *m = hinge(&d, 1);
        lg_motion *mo = started(m, methods[i], 0.01, &q, &v, &u);
        motion_well(lg_motion_run_to(mo, t), mo);
        suite_ok("joint", lg_motion_joint(mo, &to[0], &to[1], 0));
        suite_near1("rate", to[1], -2 * 2.5 / inertia * t, i == 1 ? 1e-12 : 2e-3, 1);
        suite_near1("work", lg_motion_motor_work(mo, 0), -2 * 2.5 * to[0], 1e-12, 10);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* ---- stiff and saturated ---- */

/* An arm of links on hinges about y with a servo each. */
static lg_mechanism *arm(int links, double kp, double kv, double most)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < links; i++) {
        char name[3][16], parent[16];
        for (int k = 0; k < 3; k++) (void)snprintf(name[k], sizeof name[k], "%c%d", "bjs"[k], i);
        (void)snprintf(parent, sizeof parent, "b%d", i - 1);
        lg_body b = lg_body_default(name[0]);
        lg_joint j = lg_joint_default(name[1], LG_JOINT_REVOLUTE, i > 0 ? parent : NULL, name[0]);
        lg_motor d = lg_motor_default(name[2], name[1]);
        b.mass = 1, b.inertia[0] = 0.01, b.inertia[1] = 0.01, b.inertia[2] = 0.002;
        b.centre[2] = -0.15, b.position[2] = -0.3 * i;
        memcpy(j.axis, y, sizeof y), j.point[2] = -0.3 * i;
        d.position_gain = kp, d.velocity_gain = kv, d.lower = -most, d.upper = most;
        mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Set-points that jump now and then. Returns for which part of the time a servo is at its limit. */
static double follow(int links, double kp, double kv, double most, double h, int steps)
{
    lg_mechanism *m = arm(links, kp, kv, most);
    double u[8] = {0};
    lg_motion *mo = started(m, "sem", h, NULL, NULL, u);
    const double H = lg_motion_energy(mo);
    double scale = 10, sweeps = 0;
    int saturated = 0, total = 0;
    for (int i = 0; i < steps; i++) {
        double q[8], q1[8], before[8], after[8];
        for (int k = 0; k < links; k++) u[k] = (i / 50 + k) % 2 ? 0.4 : -0.3 + 0.1 * k;
        for (int k = 0; k < links; k++) before[k] = lg_motion_motor_work(mo, k);
        suite_ok("q", lg_motion_positions(mo, q, NULL));
        motion_well(lg_motion_set_control(mo, u), mo);
        motion_well(lg_motion_step(mo, 1), mo);
        suite_ok("q", lg_motion_positions(mo, q1, NULL));
        for (int k = 0; k < links; k++) {
            after[k] = lg_motion_motor_work(mo, k) - before[k];
            const double wanted = kp * (u[k] - 0.5 * (q[k] + q1[k])) - kv * (q1[k] - q[k]) / h;
            const double force = fmin(fmax(wanted, -most), most);
            suite_near1("work of the clamped force", after[k], force * (q1[k] - q[k]),
                        1e-11 + 1e-14 * (kp + 2 * kv / h), 1);
            saturated += fabs(wanted) > most, total++, scale += fabs(after[k]);
        }
        sweeps += lg_motion_iterations(mo);
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-12, scale);
    }
    suite_below("sweeps of a step", sweeps / steps, 60);
    suite_below("gap", lg_motion_gap(mo), 1e-13);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
    return saturated / (double)total;
}

static void saturated(void **unused)
{
    static const double delays[] = {0, 0.002, 0.05, 0.2}; /* kv/kp: from limit to limit; then into the set-point */
    (void)unused;
    for (int links = 1; links <= 6; links++)
        for (double kp = 1e2; kp < 2e8; kp *= 100)
            for (int i = links > 2 ? 2 : 0; i < 4; i++) {
                const double kv = delays[i] * kp;
                suite_case("%d links, kp = %g, kv = %g", links, kp, kv);
                const double part = follow(links, kp, kv, 2.0 * links * links, 0.005, 400);
                if (i == 2 && kp > 1e3) suite_above("at a limit", part, 0.15);
                if (i == 2) suite_below("at a limit", part, 0.8);
            }
}

/* Without limits the force of the first trial is millions of times that of the step. */
static void stiff(void **unused)
{
    (void)unused;
    for (int links = 1; links <= 6; links++)
        for (double kp = 1e2; kp < 2e8; kp *= 100) {
            suite_case("%d links, kp = %g", links, kp);
            suite_near1("at a limit", follow(links, kp, 0.05 * kp, INFINITY, 0.005, 200), 0, 0, 1);
        }
}

/* A servo that is first at its limit: sem with its tiny steps, and gauss with a tolerance. */
static void tolerance(void **unused)
{
    const double q = 0, v = 0, u = 1;
    double to[2][2];
    (void)unused;
    lg_motor d = servo("servo", 10, 2);
    d.upper = 3, d.lower = -3;
    lg_mechanism *m = hinge(&d, 1);
    for (int i = 0; i < 2; i++) {
        lg_motion *mo = started(m, i ? "gauss" : "sem", i ? 0.1 : 1e-4, &q, &v, &u);
        if (i) motion_well(lg_motion_set_tolerance(mo, 1e-10), mo);
        motion_well(lg_motion_run_to(mo, 1), mo);
        suite_ok("joint", lg_motion_joint(mo, &to[i][0], &to[i][1], 0));
        suite_near1("work", lg_motion_motor_work(mo, 0), lg_motion_energy(mo), 1e-8, 1);
        lg_motion_destroy(mo);
    }
    suite_near("state", to[1], to[0], 2, 1e-7, 1);
    lg_mechanism_destroy(m);
}

/* ---- other engines ---- */

static void engines(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        suite_case("case %d", i);
        lg_mechanism *m = arm(3, i < 2 ? 30 : 0, i % 2 ? 0.5 : i < 2 ? 0 : 2, i < 2 ? 2 : 0.1);
        lg_rng rng = {5};
        lg_motion *mo = motion_started(m, "sem", 0.002, &rng);
        mechanism_derivatives(m, mo, 2, &rng);
        mechanism_both_steps(m, mo, 0.002, 20, 1e-11);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

enum { INSTANCES = 11 };

static lg_status begin(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    const double q[3] = {0.05 * (double)i, -0.1}, u[3] = {0.3, 0.02 * (double)i, -0.4};
    (void)M, (void)context;
    const lg_status st = lg_motion_start_joints(mo, 0, q, NULL, 1);
    return st == LG_OK ? lg_motion_set_control(mo, u) : st;
}

/* Side by side as alone, to the last bit. */
static void lanes(void **unused)
{
    (void)unused;
    for (double kp = 10; kp < 2e6; kp *= 1e5) {
        lg_mechanism *m = arm(3, kp, 0.05 * kp, 6);
        lg_ensemble_options o = lg_ensemble_options_default();
        lg_ensemble *E;
        o.step = 0.005;
        suite_case("kp = %g", kp);
        suite_ok("create", lg_ensemble_create(&E, motion_model(m), INSTANCES, &o));
        suite_ok("set all", lg_ensemble_set_all(E, begin, NULL));
        suite_ok("run", lg_ensemble_run(E, 60, 1, NULL, NULL));
        for (int i = 0; i < INSTANCES; i++) {
            lg_motion *mo, *read;
            double q[2][6];
            motion_well(motion_create(&mo, m, NULL, 0.005), mo);
            suite_ok("begin", begin(i, NULL, mo, NULL));
            motion_well(lg_motion_step(mo, 60), mo);
            suite_ok("motion", lg_ensemble_motion(&read, E, i));
            suite_ok("alone", lg_motion_positions(mo, q[0], q[0] + 3));
            suite_ok("of many", lg_motion_positions(read, q[1], q[1] + 3));
            assert_memory_equal(q[0], q[1], sizeof q[0]);
            assert_true(lg_motion_motor_work(mo, 1) == lg_motion_motor_work(read, 1));
            lg_motion_destroy(mo), lg_motion_destroy(read);
        }
        lg_ensemble_destroy(E), lg_mechanism_destroy(m);
    }
}

/* y' = A y + B u' of a hinge with a servo. */
static void linearised(void **unused)
{
    const double q = 0.1, v = 0, u = 0.1, kp = 4, kv = 0.1;
    double A[4], B[2];
    (void)unused;
    lg_motor d = servo("servo", kp, kv);
    lg_mechanism *m = hinge(&d, 1);
    lg_motion *mo = started(m, "sem", 0.01, &q, &v, &u);
    motion_well(lg_motion_linearise(mo, A, B, NULL, NULL), mo);
    suite_near1("frequency", A[2] * A[1], -kp / inertia, 1e-8, 10);
    suite_near1("damping", A[3], -kv / inertia, 1e-8, 1);
    suite_near1("control", B[1] * B[1], kp * kp / inertia, 1e-8, 100);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* ---- controls in units of their own ---- */

/* g u = kp w, w being the wanted position; or kv w, a velocity. */
static void control_gains(void **unused)
{
    static const char *const methods[] = {"sem", "gauss", "sem@suzuki4"};
    const double q = 0.2, v = 1, g = -0.25;
    (void)unused;
    for (int i = 0; i < 6; i++) {
        const double kp = i < 3 ? 5 : 0, kv = 0.4, wanted = 0.7, u = (kp > 0 ? kp : kv) * wanted / g;
        lg_motor plain = servo("servo", kp, kv), own = plain;
        own.ratio = plain.ratio = 1.5, own.control_gain = g, plain.upper = own.upper = 2;
        lg_mechanism *m[2] = {hinge(&plain, 1), hinge(&own, 1)};
        lg_motion *mo[2] = {started(m[0], methods[i % 3], 0.01, &q, &v, &wanted),
                            started(m[1], methods[i % 3], 0.01, &q, &v, &u)};
        double x[2][3];
        for (int k = 0; k < 2; k++) {
            motion_well(lg_motion_step(mo[k], 40), mo[k]);
            suite_ok("joint", lg_motion_joint(mo[k], x[k], x[k] + 1, 0));
            x[k][2] = lg_motion_motor_work(mo[k], 0);
            lg_motion_destroy(mo[k]), lg_mechanism_destroy(m[k]);
        }
        suite_near("state and work", x[1], x[0], 3, 1e-13, 10);
    }
}

/* ---- what is refused ---- */

static void refused(void **unused)
{
    static const double bad[] = {-0.1, NAN, INFINITY};
    lg_mechanism *m;
    lg_motion *mo;
    (void)unused;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 6; i++) {
        lg_motor d = i < 3 ? servo("motor", bad[i], 0) : servo("motor", 0, bad[i - 3]);
        suite_status("gain", lg_mechanism_add_motor(m, NULL, &d), LG_ERROR_ARGUMENT);
        suite_contains("gain", lg_mechanism_message(m), i < 3 ? "position_gain is" : "velocity_gain is");
    }
    for (int i = 0; i < 3; i++) {
        lg_motor d = servo("motor", i == 2 ? 0 : 1, 0);
        d.control_gain = i == 2 ? 1 : bad[1 + i];
        suite_status("control gain", lg_mechanism_add_motor(m, NULL, &d), LG_ERROR_ARGUMENT);
        suite_contains("control gain", lg_mechanism_message(m), "control_gain is");
    }
    for (int i = 0; i < 2; i++) {
        lg_motor d = servo("motor", 1, 0);
        d.lower = i ? NAN : 2, d.upper = 1;
        suite_status("limits", lg_mechanism_add_motor(m, NULL, &d), LG_ERROR_ARGUMENT);
        suite_contains("limits", lg_mechanism_message(m), "it must be lower <= upper");
    }
    lg_mechanism_destroy(m);
    lg_motor d[3] = {servo("p", 1, 0), servo("v", 0, 1), servo("on", 0, 0)};
    d[2].lower = 1;
    for (int i = 0; i < 3; i++) {
        m = hinge(&d[i], 1);
        suite_status("rattle", motion_create(&mo, m, "rattle", 0.01), LG_ERROR_UNSUPPORTED);
        suite_contains("rattle", lg_motion_message(mo), "is a servo, or its limits do not let it rest; use sem");
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
    m = hinge(d, 2);
    suite_near1("parameter", lg_mechanism_parameter_value(m, lg_mechanism_parameter(m, "v.velocity_gain")), 1, 0, 1);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms), cmocka_unit_test(feed_forward),  cmocka_unit_test(limited),
        cmocka_unit_test(saturated),    cmocka_unit_test(stiff),         cmocka_unit_test(tolerance),
        cmocka_unit_test(engines),      cmocka_unit_test(lanes),         cmocka_unit_test(linearised),
        cmocka_unit_test(refused),      cmocka_unit_test(control_gains),
    };
    suite_begin("multibody/servos");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
