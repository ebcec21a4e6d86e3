/* SPDX-License-Identifier: BSD-3-Clause */
/* Tendons: what they are equal to, energy, order, dead bands, motors, servos, checkpoints, refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/dynamics.h>
#include <liegrp/multibody/tendon.h>

#include "support/mechanism_systems.h"

static const double y[3] = {0, 1, 0}, skew[3] = {0.2, 1, 0.3};

#define JOINT(joint, c)                                                                                                \
    {                                                                                                                  \
        LG_TENDON_JOINT, joint, c,                                                                                     \
        {                                                                                                              \
            0, 0, 0                                                                                                    \
        }                                                                                                              \
    }
#define POINT(body, a, b, c)                                                                                           \
    {                                                                                                                  \
        LG_TENDON_POINT, body, 0,                                                                                      \
        {                                                                                                              \
            a, b, c                                                                                                    \
        }                                                                                                              \
    }
#define PULLEY(divisor)                                                                                                \
    {                                                                                                                  \
        LG_TENDON_PULLEY, NULL, divisor,                                                                               \
        {                                                                                                              \
            0, 0, 0                                                                                                    \
        }                                                                                                              \
    }

static const lg_tendon_term cord[] = {
    POINT(NULL, 0.4, 0, 0.3), POINT("a", 0.05, 0.02, 0.1), POINT("b", 0.1, 0, 0.05), PULLEY(2),
    POINT("b", 0, 0.1, 0),    JOINT("knee", 0.07),         POINT("c", 0.02, 0, 0.1), JOINT("hip", -0.04)};

/* Three bodies on skew hinges below each other. */
static lg_mechanism *leg(void)
{
    static const double at[3][3] = {{0, 0, 0.2}, {0.1, 0, -0.2}, {0, 0.1, -0.6}};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", 0.05, 0, 0), mechanism_add_body(m, "b", 0.1, 0.05, -0.4);
    mechanism_add_body(m, "c", 0, 0, -0.8);
    mechanism_add_joint(m, "hip", LG_JOINT_REVOLUTE, NULL, "a", at[0], y);
    mechanism_add_joint(m, "knee", LG_JOINT_REVOLUTE, "a", "b", at[1], skew);
    mechanism_add_joint(m, "ankle", LG_JOINT_REVOLUTE, "b", "c", at[2], y);
    return m;
}

static void tendon(lg_mechanism *m, const char *name, const lg_tendon_term *term, int terms, double stiffness,
                   double damping, double slack)
{
    lg_tendon t = lg_tendon_default(name);
    t.term = term, t.terms = terms, t.stiffness = stiffness, t.damping = damping;
    if (slack >= 0) t.rest_lower = 0.6, t.rest_upper = 0.6 + slack;
    mechanism_well(lg_mechanism_add_tendon(m, NULL, &t), m);
}

static lg_mechanism *sprung(double stiffness, double damping, double slack)
{
    lg_mechanism *m = leg();
    tendon(m, "cord", cord, 8, stiffness, damping, slack);
    return m;
}

static lg_motion *started(const lg_mechanism *m, const char *method, double h)
{
    static const double v[3] = {2, -1, 3};
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    return mo;
}

static void positions_after(const lg_mechanism *m, const char *method, double *x)
{
    lg_motion *mo = started(m, method, 0.005);
    motion_well(lg_motion_run_to(mo, 0.5), mo);
    suite_ok("positions", lg_motion_positions(mo, x, x + 3));
    lg_motion_destroy(mo);
}

/* ---- what they are equal to ---- */

/* One joint with a coefficient, or two points, are its spring and a spring; a pulley halves the length. */
static void equals(void **unused)
{
    static const lg_tendon_term joint[] = {JOINT("knee", -3)},
                                line[] = {POINT(NULL, 0.4, 0, 0.3), POINT("b", 0.1, 0, 0.05)},
                                block[] = {PULLEY(2), POINT("b", 0.1, 0, 0.05), POINT(NULL, 0.4, 0, 0.3)};
    (void)unused;
    for (int i = 0; i < 6; i++) {
        const char *method = i % 2 ? "gauss" : "sem";
        double x[2][6];
        suite_case("%s, %d", method, i / 2);
        for (int k = 0; k < 2; k++) {
            lg_mechanism *m = leg();
            if (k == 0 && i < 2) tendon(m, "t", joint, 1, 5, 0.2, -1);
            if (k == 0 && i / 2 == 1) tendon(m, "t", line, 2, 80, 3, -1);
            if (k == 0 && i / 2 == 2) tendon(m, "t", block, 3, 320, 12, -1);
            lg_spring s = lg_spring_default("s", NULL, "b");
            s.parent_point[0] = 0.4, s.parent_point[2] = 0.3, s.child_point[0] = 0.1, s.child_point[2] = 0.05;
            s.stiffness = 80, s.damping = 3;
            lg_coordinate c = lg_coordinate_default("s", "knee");
            c.stiffness = 45, c.damping = 1.8;
            if (k == 1 && i < 2) mechanism_well(lg_mechanism_add_coordinate(m, NULL, &c), m);
            if (k == 1 && i >= 2) mechanism_well(lg_mechanism_add_spring(m, NULL, &s), m);
            mechanism_well(lg_mechanism_compile(m), m);
            positions_after(m, method, x[k]);
            lg_mechanism_destroy(m);
        }
        suite_near("motion", x[0], x[1], 6, 1e-12, 10);
    }
}

/* ---- energy, order ---- */

static void order(void **unused)
{
    static const double v[3] = {1, -1, 2};
    (void)unused;
    lg_mechanism *m = sprung(60, 2, -1);
    const lg_motor d = lg_motor_default("winch", "cord");
    mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    mechanism_well(lg_mechanism_compile(m), m);
    mechanism_sem_order(m, v, (const double[1]){-7}, 0.005, 1e-10);
    lg_mechanism_destroy(m);
}

/* Springs that become slack and taut again, soft and stiff. */
static void energy(void **unused)
{
    static const double stiffness[3] = {50, 5e3, 1e6};
    (void)unused;
    for (int i = 0; i < 5; i++) { /* the stiffest has one length */
        lg_mechanism *m = sprung(stiffness[i / 2], 0, i % 2 ? 0.15 : -1);
        mechanism_well(lg_mechanism_compile(m), m);
        suite_case("%g N/m, %s", stiffness[i / 2], i % 2 ? "slack" : "one length");
        lg_motion *mo = started(m, "sem", 0.01);
        const double H = lg_motion_energy(mo);
        for (int k = 0; k < 300; k++) {
            motion_well(lg_motion_step(mo, 1), mo);
            suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-12, 10 + stiffness[i / 2] / 50);
        }
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* ---- held lengths ---- */

static lg_mechanism *bound(double change)
{
    lg_mechanism *m = leg();
    lg_tendon t = lg_tendon_default("cord");
    t.term = cord, t.terms = 8, t.held = 1, t.change = change;
    mechanism_well(lg_mechanism_add_tendon(m, NULL, &t), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* The cord's length at these positions: from the potential k/2 (L - rest)^2 at two rests. */
static double length_at(const double *q)
{
    double H[2];
    for (int k = 0; k < 2; k++) {
        lg_mechanism *m = leg();
        lg_motion *mo;
        lg_tendon t = lg_tendon_default("cord");
        t.term = cord, t.terms = 8, t.stiffness = 1, t.rest_lower = t.rest_upper = -k;
        mechanism_well(lg_mechanism_add_tendon(m, NULL, &t), m);
        mechanism_well(lg_mechanism_compile(m), m);
        motion_well(motion_create(&mo, m, "sem", 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, q, NULL, 0), mo);
        H[k] = lg_motion_energy(mo);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
    return H[1] - H[0] - 0.5; /* 1/2 (L + 1)^2 - 1/2 L^2 */
}

/* A length that is held takes a freedom and no energy; a stiff spring of that length comes near it. */
static void held(void **unused)
{
    static const char *const methods[] = {"sem", "gauss", "rattle"};
    (void)unused;
    lg_mechanism *m = bound(-0.03);
    assert_int_equal(lg_mechanism_freedoms(m), 2);
    for (int k = 0; k < 3; k++) {
        suite_case("%s", methods[k]);
        lg_motion *mo = started(m, methods[k], 0.005);
        const double H = lg_motion_energy(mo);
        for (int n = 0; n < 100; n++) {
            motion_well(lg_motion_step(mo, 1), mo);
            suite_near1("gap", lg_motion_gap(mo), 0, 1e-12, 1), suite_near1("slip", lg_motion_slip(mo), 0, 1e-11, 1);
            suite_near1("energy", lg_motion_energy(mo), H, k == 2 ? 1e-2 : 1e-12, 10);
        }
        lg_motion_destroy(mo);
    }
    double x[3][6];
    positions_after(m, "gauss:stages=4", x[0]);
    for (int k = 0; k < 2; k++) {
        lg_mechanism *n = leg();
        lg_tendon t = lg_tendon_default("cord"), own = lg_tendon_default(NULL);
        suite_ok("read", lg_mechanism_read_tendon(m, &own, 0));
        assert_int_equal(own.held, 1);
        const double stiffness = k ? 1e7 : 1e4;
        double q[3], rate[3];
        lg_motion *mo = started(m, "gauss", 0.005), *spring;
        suite_ok("positions", lg_motion_positions(mo, q, rate));
        lg_motion_destroy(mo);
        t.term = cord, t.terms = 8, t.stiffness = stiffness, t.rest_lower = t.rest_upper = length_at(q);
        mechanism_well(lg_mechanism_add_tendon(n, NULL, &t), n);
        mechanism_well(lg_mechanism_compile(n), n);
        motion_well(motion_create(&spring, n, "gauss:stages=4", 5e-4), spring);
        motion_well(lg_motion_start_joints(spring, 0, q, rate, 0), spring);
        motion_well(lg_motion_run_to(spring, 0.5), spring);
        suite_ok("positions", lg_motion_positions(spring, x[1 + k], x[1 + k] + 3));
        lg_motion_destroy(spring), lg_mechanism_destroy(n);
    }
    suite_near("a spring of 1e7 N/m", x[2], x[0], 3, 2e-5, 1);
    suite_below("it comes nearer", suite_distance(x[2], x[0], 3), 0.1 * suite_distance(x[1], x[0], 3));
    lg_mechanism_destroy(m);
}

static void held_order(void **unused)
{
    static const double v[3] = {1, -1, 2};
    (void)unused;
    lg_mechanism *m = bound(0);
    mechanism_sem_order(m, v, NULL, 0.005, 1e-10);
    lg_mechanism_destroy(m);
}

static void held_refused(void **unused)
{
    lg_tendon_term terms[5];
    const lg_system *S;
    (void)unused;
    lg_mechanism *m = leg();
    for (int i = 0; i < 4; i++) {
        lg_tendon t = lg_tendon_default("t");
        t.term = cord, t.terms = 8,
        t.held = i == 0   ? 2
                 : i == 1 ? -1
                          : i == 2,
        t.change = i == 2 ? (double)NAN : i == 3;
        suite_status("held", lg_mechanism_add_tendon(m, NULL, &t), LG_ERROR_ARGUMENT);
        suite_contains("held", lg_mechanism_message(m), "held must be 0 or 1, change finite");
    }
    lg_mechanism_destroy(m);
    m = bound(0);
    suite_status("system", lg_mechanism_system(m, &S), LG_ERROR_UNSUPPORTED);
    suite_contains("system", lg_mechanism_message(m), "tendon 'cord'");
    lg_mechanism_destroy(m);
    mechanism_well(lg_mechanism_create(&m), NULL);
    static const char *const names[] = {"0", "1", "2", "3", "4"};
    for (int i = 0; i < 5; i++) {
        mechanism_add_body(m, names[i], i, 0, 0);
        terms[i] = (lg_tendon_term)POINT(names[i], 0, 0, 0.1);
    }
    lg_tendon t = lg_tendon_default("long");
    t.term = terms, t.terms = 5, t.held = 1;
    mechanism_well(lg_mechanism_add_tendon(m, NULL, &t), m);
    suite_status("bodies", lg_mechanism_compile(m), LG_ERROR_UNSUPPORTED);
    suite_contains("bodies", lg_mechanism_message(m), "tendon 'long' is held and joins 5 bodies; up to 4 are possible");
    lg_mechanism_destroy(m);
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 4; i++) mechanism_add_body(m, names[i], i, 0, 0);
    t.terms = 4;
    mechanism_well(lg_mechanism_add_tendon(m, NULL, &t), m);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_motion *mo;
    motion_well(motion_create(&mo, m, "sem", 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    motion_well(lg_motion_step(mo, 50), mo);
    suite_near1("four bodies", lg_motion_gap(mo), 0, 1e-12, 10);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* ---- motors ---- */

/* Held, following a length and a velocity, within limits: works of both are all that enters. */
static void motors(void **unused)
{
    static const char *const methods[] = {"sem", "gauss"};
    (void)unused;
    lg_mechanism *m = sprung(30, 1, -1);
    lg_motor d[3] = {lg_motor_default("held", "cord"), lg_motor_default("length", "cord"),
                     lg_motor_default("velocity", "cord")};
    d[0].ratio = 2, d[1].position_gain = 4e3, d[1].velocity_gain = 50, d[1].lower = -20, d[2].velocity_gain = 10;
    for (int i = 0; i < 3; i++) mechanism_well(lg_mechanism_add_motor(m, NULL, &d[i]), m);
    mechanism_well(lg_mechanism_compile(m), m);
    double x[2][6];
    for (int i = 0; i < 2; i++) {
        suite_case("%s", methods[i]);
        lg_motion *mo = started(m, methods[i], 0.001);
        motion_well(lg_motion_set_control(mo, (const double[3]){-3, 0.9, 0.4}), mo);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_run_to(mo, 0.5), mo);
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), i ? 1e-7 : 1e-12, 30);
        suite_ok("positions", lg_motion_positions(mo, x[i], x[i] + 3));
        lg_motion_destroy(mo);
    }
    suite_near("both", x[0], x[1], 6, 1e-4, 10);
    lg_mechanism_destroy(m);
}

/* A stiff servo, for whose steps Newton's correction needs all pairs of the tendon's bodies. */
static void stiff_servo(void **unused)
{
    (void)unused;
    lg_mechanism *m = sprung(10, 0, -1);
    lg_motor d = lg_motor_default("servo", "cord");
    d.position_gain = 1e6, d.velocity_gain = 1e4, d.lower = -50;
    mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_motion *mo = started(m, "sem", 0.01);
    motion_well(lg_motion_set_control(mo, (const double[1]){0.7}), mo);
    const double H = lg_motion_energy(mo);
    int sweeps = 0;
    for (int k = 0; k < 200; k++) {
        motion_well(lg_motion_step(mo, 1), mo);
        sweeps += lg_motion_iterations(mo);
    }
    suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-12, 100);
    assert_in_range(sweeps, 1, 200 * 13);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* Inverse dynamics is the inverse of forward dynamics, springs of tendons included, and finds the winch's pull. */
static void dynamics(void **unused)
{
    static const double q[3] = {0.3, -0.2, 0.5}, v[3] = {1, 0.4, -2};
    double a[3], again[3], tau[3], u = 0;
    lg_dynamics *d;
    (void)unused;
    lg_mechanism *m = sprung(70, 3, -1);
    const lg_motor winch = lg_motor_default("winch", "cord");
    mechanism_well(lg_mechanism_add_motor(m, NULL, &winch), m);
    mechanism_well(lg_mechanism_compile(m), m);
    suite_ok("create", lg_dynamics_create(&d, m));
    suite_ok("state", lg_dynamics_set(d, q, v));
    suite_ok("acceleration", lg_dynamics_acceleration(d, a, (const double[1]){-12}, NULL));
    suite_ok("motors", lg_dynamics_motors(d, &u, a, 0));
    suite_near1("pull", u, -12, 1e-11, 10);
    suite_ok("inverse", lg_dynamics_inverse(d, tau, a));
    suite_ok("acceleration", lg_dynamics_acceleration(d, again, NULL, tau));
    suite_near("inverse", again, a, 3, 1e-12, 100);
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
}

/* ---- checkpoints ---- */

static void checkpoints(void **unused)
{
    double x[2][6];
    (void)unused;
    lg_mechanism *m = sprung(200, 1, 0.1), *other = sprung(200, 1, 0.2);
    mechanism_well(lg_mechanism_compile(m), m), mechanism_well(lg_mechanism_compile(other), other);
    lg_motion *mo = started(m, "sem", 0.01), *from = started(m, "sem", 0.01), *stranger = started(other, "sem", 0.01);
    motion_well(lg_motion_step(mo, 20), mo);
    const size_t size = lg_motion_saved_bytes(mo);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    motion_well(lg_motion_save(mo, bytes, size), mo);
    motion_well(lg_motion_load(from, bytes, size), from);
    suite_status("another tendon", lg_motion_load(stranger, bytes, size), LG_ERROR_ARGUMENT);
    suite_contains("another tendon", lg_motion_message(stranger), "band-upper");
    motion_well(lg_motion_step(mo, 20), mo), motion_well(lg_motion_step(from, 20), from);
    suite_ok("positions", lg_motion_positions(mo, x[0], x[0] + 3));
    suite_ok("positions", lg_motion_positions(from, x[1], x[1] + 3));
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    free(bytes), lg_motion_destroy(mo), lg_motion_destroy(from), lg_motion_destroy(stranger);
    lg_mechanism_destroy(m), lg_mechanism_destroy(other);
}

/* ---- refusals, and what is no fault ---- */

typedef struct refusal {
    lg_tendon_term term[3];
    int terms;
    const char *words;
} refusal;

static void refused(void **unused)
{
    static const refusal cases[] = {
        {{JOINT("hip", 1)}, 0, "has 0 terms; give 1 to 256"},
        {{JOINT("hip", (double)NAN)}, 1, "coefficient nan"},
        {{POINT("a", 0, (double)INFINITY, 0), POINT("b", 0, 0, 0)}, 2, "point of term 1 is not finite"},
        {{POINT("a", 0, 0, 0)}, 1, "only point of its branch"},
        {{POINT("a", 0, 0, 0), PULLEY(2), POINT("b", 0, 0, 0)}, 3, "only point of its branch"},
        {{PULLEY(0), JOINT("hip", 1)}, 2, "divisor 0; it must be positive"},
        {{{(lg_tendon_kind)7, "hip", 1, {0, 0, 0}}}, 1, "kind 7"},
    };
    static const refusal compiled[] = {
        {{JOINT("none", 1)}, 1, "there is no joint 'none'"},
        {{POINT("none", 0, 0, 0), POINT("a", 0, 0, 0)}, 2, "there is no body 'none'"},
        {{POINT("a", 0, 0, 0), POINT("a", 1, 0, 0)}, 2, "its length never changes"},
    };
    (void)unused;
    lg_mechanism *m = leg();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lg_tendon t = lg_tendon_default("t");
        t.term = cases[i].term, t.terms = cases[i].terms;
        suite_status(cases[i].words, lg_mechanism_add_tendon(m, NULL, &t), LG_ERROR_ARGUMENT);
        suite_contains(cases[i].words, lg_mechanism_message(m), cases[i].words);
    }
    for (int i = 0; i < 3; i++) {
        lg_tendon t = lg_tendon_default("t");
        t.term = cord, t.terms = 8;
        *(i == 0 ? &t.stiffness : i == 1 ? &t.damping : &t.rest_lower) = i == 1 ? -1 : (double)NAN;
        suite_status("number", lg_mechanism_add_tendon(m, NULL, &t), LG_ERROR_ARGUMENT);
        suite_contains("number", lg_mechanism_message(m), i < 2 ? "finite and not negative" : "rest_lower nan");
    }
    lg_mechanism_destroy(m);
    for (size_t i = 0; i < sizeof compiled / sizeof compiled[0]; i++) {
        m = leg();
        tendon(m, "t", compiled[i].term, compiled[i].terms, 1, 0, -1);
        suite_status(compiled[i].words, lg_mechanism_compile(m), LG_ERROR_ARGUMENT);
        suite_contains(compiled[i].words, lg_mechanism_message(m), compiled[i].words);
        lg_mechanism_destroy(m);
    }
}

static void refused_elsewhere(void **unused)
{
    lg_motion *mo;
    (void)unused;
    lg_mechanism *m = leg();
    tendon(m, "knee", cord, 8, 1, 0, -1);
    suite_status("name", lg_mechanism_compile(m), LG_ERROR_ARGUMENT);
    suite_contains("name", lg_mechanism_message(m), "motors could not tell them apart");
    lg_mechanism_destroy(m);
    m = sprung(1, 0, -1);
    lg_motor d = lg_motor_default("winch", "cord");
    d.rotor_inertia = 1;
    mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    suite_status("rotor", lg_mechanism_compile(m), LG_ERROR_UNSUPPORTED);
    suite_contains("rotor", lg_mechanism_message(m), "no rotor turns with");
    lg_mechanism_destroy(m);
    m = sprung(1, 0.5, -1);
    mechanism_well(lg_mechanism_compile(m), m);
    const lg_system *s = NULL;
    suite_status("system", lg_mechanism_system(m, &s), LG_ERROR_UNSUPPORTED);
    suite_contains("system", lg_mechanism_message(m), "tendon 'cord'");
    suite_status("rattle", motion_create(&mo, m, "rattle", 0.01), LG_ERROR_UNSUPPORTED);
    suite_contains("rattle", lg_motion_message(mo), "tendon 'cord' has one; use sem");
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* Points that meet have no direction and no force between them; terms within a body are constants. */
static void meetings(void **unused)
{
    static const lg_tendon_term terms[] = {POINT("a", 0, 0, 0.2), POINT(NULL, 0.05, 0, 0.2), POINT(NULL, 0.5, 0, 0.2),
                                           POINT(NULL, 0.5, 0, 0.2), JOINT("hip", 0)};
    (void)unused;
    lg_mechanism *m = leg();
    tendon(m, "t", terms, 5, 10, 1, -1);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_motion *mo = started(m, "sem", 0.01);
    const double H = lg_motion_energy(mo);
    motion_well(lg_motion_run_to(mo, 1), mo);
    suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-12, 10);
    lg_motion_destroy(mo);
    lg_tendon t = lg_tendon_default(NULL);
    suite_ok("read", lg_mechanism_read_tendon(m, &t, 0));
    assert_string_equal(t.term[0].name, "a");
    assert_null(t.term[1].name);
    suite_near1("terms", t.terms, 5, 0, 1);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals),       cmocka_unit_test(order),
        cmocka_unit_test(energy),       cmocka_unit_test(motors),
        cmocka_unit_test(dynamics),     cmocka_unit_test(checkpoints),
        cmocka_unit_test(refused),      cmocka_unit_test(refused_elsewhere),
        cmocka_unit_test(meetings),     cmocka_unit_test(stiff_servo),
        cmocka_unit_test(held),         cmocka_unit_test(held_order),
        cmocka_unit_test(held_refused),
    };
    suite_begin("multibody/tendons");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
