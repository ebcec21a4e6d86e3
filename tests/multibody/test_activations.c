/* SPDX-License-Identifier: BSD-3-Clause */
/* Activations of controls: closed forms, orders, balances, states that are kept, what is refused. Files with them:
 * test_files_mjcf_actuators.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/dynamics.h>
#include <liegrp/multibody/linearise.h>
#include <liegrp/multibody/system.h>

#include "support/mechanisms.h"

enum { CONTROLS = 5 };
static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, origin[3] = {0, 0, 0};

static lg_motor motor(const char *name, const char *joint, lg_activation activation, double time)
{
    lg_motor d = lg_motor_default(name, joint);
    d.activation = activation, d.time_constant = time;
    return d;
}

/* A slide of 1 kg, which no other force moves, with one motor. */
static lg_mechanism *slide(const lg_motor *d)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", 0, 0, 0);
    mechanism_add_joint(m, "x", LG_JOINT_PRISMATIC, NULL, "a", origin, x_axis);
    mechanism_well(lg_mechanism_add_motor(m, NULL, d), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* An arm of two links with a filtered motor, a servo whose set-point is filtered, one whose set-point is integrated
 * between limits, a servo with limits of its control, and a thruster that is slow. */
static lg_mechanism *arm(void)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", 0.1, 0, -0.3), mechanism_add_body(m, "b", 0.1, 0.05, -0.8);
    const double knee[3] = {0, 0, -0.5};
    mechanism_add_joint(m, "x", LG_JOINT_REVOLUTE, NULL, "a", origin, y_axis);
    mechanism_add_joint(m, "y", LG_JOINT_REVOLUTE, "a", "b", knee, x_axis);
    lg_motor d[4] = {motor("filter", "x", LG_ACTIVATION_FILTER, 0.07), motor("slow", "y", LG_ACTIVATION_FILTER, 0.2),
                     motor("sum", "x", LG_ACTIVATION_INTEGRATOR, 0), motor("held", "y", LG_ACTIVATION_NONE, 0)};
    d[0].ratio = 1.5, d[1].position_gain = 8, d[1].velocity_gain = 0.2;
    d[2].position_gain = 5, d[2].activation_lower = -0.2, d[2].activation_upper = 0.25;
    d[3].velocity_gain = 0.5, d[3].control_lower = -1, d[3].control_upper = 0.4;
    for (int i = 0; i < 4; i++) mechanism_well(lg_mechanism_add_motor(m, NULL, &d[i]), m);
    lg_thruster t = lg_thruster_default("fan", "b");
    t.activation = LG_ACTIVATION_FILTER, t.time_constant = 0.1, t.point[0] = 0.1, t.upper = 0.8;
    mechanism_well(lg_mechanism_add_thruster(m, NULL, &t), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static const double push[CONTROLS] = {0.7, -0.4, 1.1, 2, 1.5}, other[CONTROLS] = {-0.5, 0.6, -0.8, 0.1, 0.3};

static lg_motion *started(const lg_mechanism *m, const char *method, double h, const double *u)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    motion_well(lg_motion_set_control(mo, u), mo);
    return mo;
}

static const char *const methods[] = {"sem", "rattle", "sem@suzuki4", "sem@yoshida4", "gauss:stages=4"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* The velocity of a slide is the integral of the activation, at nodes of any method and at any step: past a limit that
 * is reached inside a step too, where the polynomial of gauss is not exact: with a tolerance a substep ends there. */
static void closed_forms(void **unused)
{
    (void)unused;
    for (int k = 0; k < 3; k++) {
        lg_motor d = motor("m", "x", k == 1 ? LG_ACTIVATION_INTEGRATOR : LG_ACTIVATION_FILTER, k == 1 ? 0 : 0.3);
        const double T = 0.3, u = 2, end = 1, limit = k == 2 ? 1.2 : INFINITY;
        d.activation_upper = limit;
        lg_mechanism *m = slide(&d);
        const double until = k == 2 ? -T * log(1 - limit / u) : end; /* it waits at the limit from then on */
        const double sum = k == 1 ? u * end * end / 2 : u * (until - T * (1 - exp(-until / T)));
        const double v = sum + (k == 2 ? limit * (end - until) : 0);
        const double a = k == 1 ? u * end : fmin(limit, u * (1 - exp(-end / T)));
        for (int i = 0; i <= METHODS; i++) {
            if (k == 2 && i == METHODS - 1) continue;
            double q, rate;
            suite_case("%d %s", k, i < METHODS ? methods[i] : "with a tolerance");
            lg_motion *mo = started(m, i < METHODS ? methods[i] : "gauss", 0.1, &u);
            motion_well(i < METHODS ? LG_OK : lg_motion_set_tolerance(mo, 1e-11), mo);
            motion_well(lg_motion_step(mo, 10), mo);
            motion_well(lg_motion_joint(mo, &q, &rate, 0), mo);
            suite_near1("activation", lg_motion_activation(mo, 0), a, 1e-14, 1);
            suite_near1("velocity", rate, v, i >= METHODS - 1 ? 1e-11 : 1e-13, 1);
            suite_near1("balance", lg_motion_energy(mo), lg_motion_work(mo), 1e-13, 1);
            suite_near1("control", lg_motion_control(mo)[0], u, 0, 1);
            lg_motion_destroy(mo);
        }
        lg_mechanism_destroy(m);
    }
}

/* Its integral goes on from the activation that it has when the control changes, or that is set. */
static void changes(void **unused)
{
    static const double u[3] = {2, -1, -1}, T = 0.3, t = 0.2;
    const lg_motor d = motor("m", "x", LG_ACTIVATION_FILTER, T);
    (void)unused;
    lg_mechanism *m = slide(&d);
    for (int i = 0; i <= METHODS; i++) {
        double v = 0, a = 0, q, rate;
        suite_case("%s", i < METHODS ? methods[i] : "with a tolerance");
        lg_motion *mo = started(m, i < METHODS ? methods[i] : "gauss", 0.05, u);
        motion_well(i < METHODS ? LG_OK : lg_motion_set_tolerance(mo, 1e-12), mo);
        for (int k = 0; k < 3; k++) {
            motion_well(lg_motion_set_control(mo, &u[k]), mo);
            if (k == 2) motion_well(lg_motion_set_activation(mo, 0, a = 0.7), mo);
            motion_well(lg_motion_step(mo, 4), mo);
            const double b = u[k] + (a - u[k]) * exp(-t / T);
            v += u[k] * t - T * (b - a), a = b;
            motion_well(lg_motion_joint(mo, &q, &rate, 0), mo);
            suite_near1("activation", lg_motion_activation(mo, 0), a, 1e-14, 1);
            suite_near1("velocity", rate, v, i < METHODS - 1 ? 1e-13 : 1e-11, 1);
        }
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* Position of a slide that a filter of constant T pushes. */
static void orders(void **unused)
{
    static const struct {
        const char *method;
        int order;
    } cases[] = {{"sem", 2}, {"rattle", 2}, {"sem@suzuki4", 4}, {"sem@yoshida4", 4}, {"gauss:stages=2", 4}};
    const double T = 0.3, u = 2, t = 1, x = u * (t * t / 2 - T * t + T * T * (1 - exp(-t / T)));
    const lg_motor d = motor("m", "x", LG_ACTIVATION_FILTER, T);
    (void)unused;
    lg_mechanism *m = slide(&d);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double last = 0;
        suite_case("%s", cases[i].method);
        for (int n = 10; n <= 160; n *= 2) {
            double q;
            lg_motion *mo = started(m, cases[i].method, t / n, &u);
            motion_well(lg_motion_step(mo, n), mo);
            motion_well(lg_motion_joint(mo, &q, NULL, 0), mo);
            if (last > 1e-12) suite_near1("order", log2(last / fabs(q - x)), cases[i].order, 0.2, 1);
            last = fabs(q - x);
            lg_motion_destroy(mo);
        }
    }
    lg_mechanism_destroy(m);
}

/* ---- the state ---- */

static void figures(double *to, const lg_motion *mo)
{
    motion_well(lg_motion_positions(mo, to, to + 2), mo);
    for (int i = 0; i < CONTROLS; i++) to[4 + i] = lg_motion_activation(mo, i);
    to[9] = lg_motion_energy(mo), to[10] = lg_motion_work(mo);
}

/* Steps with a change of the controls; the balance holds, and a checkpoint, a reset and an ensemble have the same bits.
 */
static void states(void **unused)
{
    static const char *const all[] = {"sem", "sem@suzuki4", "gauss", "gauss"};
    (void)unused;
    lg_mechanism *m = arm();
    for (int i = 0; i < 4; i++) {
        double want[11], got[11], sum = 0;
        suite_case("%s %d", all[i], i);
        lg_motion *mo = started(m, all[i], 0.02, push), *copy;
        motion_well(i == 3 ? lg_motion_set_tolerance(mo, 1e-9) : LG_OK, mo);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_step(mo, 3), mo);
        motion_well(lg_motion_set_control(mo, other), mo);
        motion_well(lg_motion_step(mo, 4), mo);
        motion_well(motion_create(&copy, m, all[i], 0.02), copy);
        motion_well(i == 3 ? lg_motion_set_tolerance(copy, 1e-9) : LG_OK, copy);
        void *bytes = malloc(lg_motion_saved_bytes(mo));
        assert_non_null(bytes);
        motion_well(lg_motion_save(mo, bytes, lg_motion_saved_bytes(mo)), mo);
        motion_well(lg_motion_load(copy, bytes, lg_motion_saved_bytes(mo)), copy);
        free(bytes);
        for (int k = 0; k < 2; k++) {
            lg_motion *one = k ? copy : mo;
            motion_well(lg_motion_set_control(one, push), one);
            motion_well(lg_motion_step(one, 9), one);
            figures(k ? got : want, one);
        }
        suite_same_bits("checkpoint", got, want, 11);
        for (int k = 0; k < CONTROLS; k++) sum += lg_motion_motor_work(mo, k);
        suite_near1("works", sum, lg_motion_work(mo), 1e-13, 1);
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), i == 3 ? 1e-8 : 1e-12, 10);
        suite_near1("control that is held", want[4 + 3], 0.4, 0, 1);
        motion_well(lg_motion_set_activation(mo, 0, 0.3), mo);
        suite_near1("set", lg_motion_activation(mo, 0), 0.3, 0, 1);
        lg_motion_destroy(mo), lg_motion_destroy(copy);
    }
    lg_mechanism_destroy(m);
}

static void reset(void **unused)
{
    double want[11], got[11];
    (void)unused;
    lg_mechanism *m = arm();
    lg_motion *mo = started(m, "sem", 0.02, push), *after = NULL;
    motion_well(lg_motion_step(mo, 5), mo);
    figures(want, mo);
    suite_near1("held", want[4 + 3], 0.4, 0, 1);
    motion_well(lg_motion_set_control(mo, other), mo);
    motion_well(lg_motion_step(mo, 5), mo);
    motion_well(motion_create(&after, m, "sem", 0.02), after);
    motion_well(lg_motion_set_control(after, push), after);
    motion_well(lg_motion_continue(after, NULL, mo), after);
    for (int i = 0; i < CONTROLS; i++)
        if (i != 3) suite_near1("goes on", lg_motion_activation(after, i), lg_motion_activation(mo, i), 0, 1);
    motion_well(lg_motion_reset(mo), mo);
    suite_near1("at the start", lg_motion_activation(mo, 0), 0, 0, 1);
    motion_well(lg_motion_set_control(mo, push), mo);
    motion_well(lg_motion_step(mo, 5), mo);
    figures(got, mo);
    suite_near("after a reset", got, want, 11, 1e-12, 1);
    lg_motion_destroy(mo), lg_motion_destroy(after);
    lg_mechanism_destroy(m);
}

static void ensemble(const char *method, double tolerance)
{
    enum { COUNT = 5 };
    double u[COUNT * CONTROLS], got[11], want[11];
    lg_mechanism *m = arm();
    lg_ensemble *E;
    lg_ensemble_options o = lg_ensemble_options_default();
    o.method = method, o.step = 0.02, o.tolerance = tolerance;
    suite_case("%s %g", method, tolerance);
    suite_ok("create", lg_ensemble_create(&E, motion_model(m), COUNT, &o));
    for (int i = 0; i < COUNT; i++) suite_ok("start", lg_ensemble_start(E, i, 0, NULL, 1));
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < COUNT * CONTROLS; i++) u[i] = (part ? other : push)[i % CONTROLS] + 0.01 * (i / CONTROLS);
        suite_ok("controls", lg_ensemble_set_controls(E, 0, u, COUNT));
        suite_ok("run", lg_ensemble_run(E, 6, 1, NULL, NULL));
    }
    for (int i = 0; i < COUNT; i++) {
        lg_motion *mo, *one;
        motion_well(motion_create(&mo, m, method, 0.02), mo);
        motion_well(tolerance > 0 ? lg_motion_set_tolerance(mo, tolerance) : LG_OK, mo);
        motion_well(lg_motion_start(mo, 0, NULL, 1), mo);
        for (int part = 0; part < 2; part++) {
            for (int k = 0; k < CONTROLS; k++) u[k] = (part ? other : push)[k] + 0.01 * i;
            motion_well(lg_motion_set_control(mo, u), mo);
            motion_well(lg_motion_step(mo, 6), mo);
        }
        figures(want, mo);
        suite_ok("motion", lg_ensemble_motion(&one, E, i));
        figures(got, one);
        suite_same_bits("instance", got, want, 11);
        lg_motion_destroy(mo), lg_motion_destroy(one);
    }
    lg_ensemble_destroy(E);
    lg_mechanism_destroy(m);
}

static void ensembles(void **unused)
{
    (void)unused;
    ensemble("sem", 0), ensemble("sem@suzuki4", 0), ensemble("gauss", 0), ensemble("gauss", 1e-8);
}

/* Rows have activations, and start with those that are given. */
static void rows(void **unused)
{
    (void)unused;
    lg_mechanism *m = arm();
    lg_model *M = motion_model(m);
    lg_motion *mo;
    const int at = lg_model_column_find(M, "sum_act"), count = lg_model_column_count(M);
    assert_true(at > 0);
    assert_int_equal(lg_model_column(M, at)->kind, LG_COLUMN_ACTIVATION);
    assert_int_equal(lg_model_column_find(M, "held_act"), -1);
    double *row = malloc((size_t)count * sizeof *row);
    assert_non_null(row);
    for (int i = 0; i < count; i++) row[i] = NAN;
    row[at] = 0.1;
    motion_well(motion_create(&mo, m, "sem", 0.02), mo);
    motion_well(lg_motion_start(mo, 0.5, row, 1), mo);
    motion_well(lg_motion_set_control(mo, push), mo);
    motion_well(lg_motion_step(mo, 3), mo);
    motion_well(lg_motion_row(mo, row), mo);
    suite_near1("row", row[at], 0.1 + 1.1 * 0.06, 1e-15, 1);
    for (int k = 0; k < 2; k++) {
        motion_well(k ? lg_motion_set_control(mo, other) : LG_OK, mo);
        motion_well(lg_motion_interpolate(mo, row, 0.5), mo);
        suite_near1("inside a step", row[at], 0.1 + 1.1 * 0.05, 1e-15, 1);
    }
    free(row);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* ---- brakes ---- */

/* A slide of 1 kg with damping d u: v = v0 e^(-d u t); a step of sem has v1 = v0 (1 - h d u/2)/(1 + h d u/2), however
 * stiff. Negative controls do nothing. */
static void brakes(void **unused)
{
    static const double v0 = 2, u[4] = {0.7, -1, 1e6, 0.7};
    lg_motor d = lg_motor_default("b", "x");
    d.damping_gain = 3, d.ratio = 2;
    (void)unused;
    lg_mechanism *m = slide(&d);
    for (int i = 0; i < 4; i++) {
        const double h = 0.05, c = 3 * 4 * fmax(u[i], 0), n = 10;
        const double want = v0 * (i < 3 ? pow((1 - h * c / 2) / (1 + h * c / 2), n) : exp(-c * n * h));
        double q, v;
        lg_motion *mo;
        suite_case("%g", u[i]);
        motion_well(motion_create(&mo, m, i < 3 ? "sem" : "gauss:stages=6", h), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, &v0, 1), mo);
        motion_well(lg_motion_set_control(mo, &u[i]), mo);
        motion_well(lg_motion_step(mo, (int)n), mo);
        motion_well(lg_motion_joint(mo, &q, &v, 0), mo);
        suite_near1("velocity", v, want, i == 2 ? 1e-10 : 1e-12, v0);
        suite_near1("balance", lg_motion_energy(mo) - v0 * v0 / 2, lg_motion_motor_work(mo, 0), i == 2 ? 1e-10 : 1e-12,
                    1);
        suite_near1("activation", lg_motion_activation(mo, 0), fmax(u[i], 0), 0, 1);
        lg_motion_destroy(mo);
    }
    lg_motion *none;
    suite_status("rattle", motion_create(&none, m, "rattle", 0.1), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_motion_message(none), "motor 'b' brakes");
    lg_motion_destroy(none);
    lg_dynamics *dynamics;
    double tau[1], a[1] = {0}, q[1] = {0}, v[1] = {1};
    suite_ok("dynamics", lg_dynamics_create(&dynamics, m));
    suite_ok("state", lg_dynamics_set(dynamics, q, v));
    suite_status("motors", lg_dynamics_motors(dynamics, tau, a, 0), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_dynamics_message(dynamics), "motor 'b' is a brake");
    lg_dynamics_destroy(dynamics);
    lg_mechanism_destroy(m);
}

/* ---- limits of a control ---- */

/* A servo of a velocity on a slide of 1 kg, v' = kv (u - v) with u held at 0.4; a system of callbacks has it too, and
 * small changes of u do nothing. */
static void limits(void **unused)
{
    static const char *const all[] = {"sem", "gauss:stages=4", "gni"};
    const double u = 2, kv = 3, t = 1, want = 0.4 * (1 - exp(-kv * t));
    lg_motor d = lg_motor_default("m", "x");
    d.velocity_gain = kv, d.control_upper = 0.4;
    (void)unused;
    lg_mechanism *m = slide(&d);
    for (int i = 0; i < 3; i++) {
        double q, v, A[4], B[2];
        suite_case("%s", all[i]);
        lg_motion *mo = started(m, all[i], 0.01, &u);
        motion_well(lg_motion_step(mo, 100), mo);
        motion_well(lg_motion_joint(mo, &q, &v, 0), mo);
        suite_near1("velocity", v, want, i == 1 ? 1e-10 : 1e-4, 1);
        suite_near1("control", lg_motion_control(mo)[0], u, 0, 1);
        for (int k = 0; k < 2 && i == 0; k++) {
            const double low = 0.1;
            motion_well(lg_motion_set_control(mo, k ? &low : &u), mo);
            motion_well(lg_motion_linearise(mo, A, B, NULL, NULL), mo);
            suite_near1("B", fabs(B[1]), k ? kv : 0, 1e-9, 1);
        }
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* ---- what is refused ---- */

static void refused_motor(const lg_motor *d, const char *words)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    suite_status(words, lg_mechanism_add_motor(m, NULL, d), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), words);
    lg_mechanism_destroy(m);
}

static void refusals(void **unused)
{
    double A[64], B[64];
    lg_motor d = motor("m", "x", LG_ACTIVATION_FILTER, 0);
    const lg_system *S;
    (void)unused;
    refused_motor(&d, "the time_constant of its filter is 0");
    d.activation = LG_ACTIVATION_INTEGRATOR, d.time_constant = 1;
    refused_motor(&d, "time_constant 1 without a filter");
    d.time_constant = 0, d.activation_lower = 1, d.activation_upper = 0;
    refused_motor(&d, "lower limit 1, upper limit 0");
    d.activation = LG_ACTIVATION_NONE;
    refused_motor(&d, "limits of an activation that it does not have");
    d.activation_lower = -INFINITY, d.activation_upper = INFINITY, d.damping_gain = 1, d.velocity_gain = 1;
    refused_motor(&d, "a damping_gain excludes other gains");
    d.damping_gain = -1;
    refused_motor(&d, "damping_gain is -1");
    d.activation = (lg_activation)7, d.damping_gain = d.velocity_gain = 0;
    refused_motor(&d, "activation 7 is not an lg_activation");
    assert_null(lg_activation_name((lg_activation)7));
    assert_string_equal(lg_activation_name(LG_ACTIVATION_INTEGRATOR), "integrator");
    lg_mechanism *m = arm();
    lg_motion *mo = started(m, "sem", 0.02, push);
    suite_status("linearise", lg_motion_linearise(mo, A, B, NULL, NULL), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_motion_message(mo), "motor 'filter' has an activation");
    suite_status("at once", lg_motion_set_activation(mo, 3, 0.1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "motor 'held' has no activation");
    suite_status("limits", lg_motion_set_activation(mo, 2, 0.3), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "held between -0.2 and 0.25");
    suite_status("number", lg_motion_set_activation(mo, CONTROLS, 0.3), LG_ERROR_ARGUMENT);
    suite_status("value", lg_motion_set_activation(mo, 0, (double)NAN), LG_ERROR_NOT_FINITE);
    suite_status("system", lg_mechanism_system(m, &S), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_mechanism_message(m), "motor 'filter' has an activation");
    assert_true(isnan(lg_motion_activation(mo, -1)) && isnan(lg_motion_activation(NULL, 0)));
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

int main(void)
{
    suite_begin("activations");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms), cmocka_unit_test(changes),   cmocka_unit_test(orders), cmocka_unit_test(states),
        cmocka_unit_test(reset),        cmocka_unit_test(ensembles), cmocka_unit_test(rows),   cmocka_unit_test(brakes),
        cmocka_unit_test(limits),       cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
