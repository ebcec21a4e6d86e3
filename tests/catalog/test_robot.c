/* SPDX-License-Identifier: BSD-3-Clause */
/* two-wheeled-robot: its closed form and that of the sleigh which it is without motors and friction, against the
 * continuous equations; controls, the rows that are holonomic together, friction. */
#include <math.h>
#include <string.h>

#include "support/runs.h"
#include "support/vehicles.h"

static const setting robots[][6] = {
    {{"a", 0}},
    {{"a", 0}, {"c", 0}},
    {{"a", 0}, {"c", 0}, {"tau_left", 0}, {"tau_right", 0}},
    {{"a", 0}, {"c", 1e-4}, {"tau_left", -0.1}},
    {{"a", 0}, {"c", 0.5}, {"b", 0.1}, {"r", 0.07}, {"Iw", 0.02}, {"tau_right", -0.3}},
};

static void check_exact(const setting *set, double T)
{
    test_system t;
    lg_model *M = open_vehicle(&t, "two-wheeled-robot", set, 6);
    const double b = vehicle_parameter(&t.S, "b"), r = vehicle_parameter(&t.S, "r");
    const double xi0[5] = {0.4, 0, -0.7, (0.4 + b * 0.7) / r, (0.4 - b * 0.7) / r};
    double g[SUITE_ELEMENT] = {0.3, -0.2, cos(2), sin(2), 1, -1.5}, xi[SUITE_DIM], want_g[SUITE_ELEMENT], want[5];
    const lg_model_definition *d = lg_model_describe(M);
    assert_int_equal(d->exact(&(lg_call){.param = t.S.parameter_values, .t = T, .lanes = 1}, g, xi0, want_g, want), 0);
    memcpy(xi, xi0, sizeof xi0);
    system_truth(&t.S, T, 4000, g, xi);
    suite_near("g", g, want_g, 4, 1e-10, 1);
    for (int i = 4; i < 6; i++) suite_near1("wheel", remainder(g[i] - want_g[i], 2 * SUITE_PI), 0, 1e-9, 1);
    suite_near("xi", xi, want, 5, 1e-9, 1);
    lg_model_destroy(M);
}

static void test_exact(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof robots / sizeof robots[0]; k++)
        for (int i = 0; i < 4; i++) {
            static const double times[4] = {-0.3, 0, 0.8, 4};
            suite_case("exact robot %d, t = %g", (int)k, times[i]);
            check_exact(robots[k], times[i]);
        }
    test_system t;
    double g[6], xi[5];
    lg_model *M = open_vehicle(&t, "two-wheeled-robot", NULL, 0);
    assert_int_not_equal(
        lg_model_describe(M)->exact(&(lg_call){.param = t.S.parameter_values, .t = 1, .lanes = 1}, t.g0, t.xi0, g, xi),
        0);
    lg_model_destroy(M);
}

/* Without motors and friction the robot is a Chaplygin sleigh of mass M = m + 2 Iw/r^2 and moment I + m a^2 + 2 Iw
 * b^2/r^2 about the axle, with M a' = m a: the sleigh's closed form. */
static void test_robot_as_sleigh(void **state)
{
    static const setting free_robot[] = {{"c", 0}, {"tau_left", 0}, {"tau_right", 0}, {"a", 0.3}, {"Iw", 0.03}};
    const double u = -0.6, w = 1.1, T = 5;
    test_system t, s;
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    (void)state;
    suite_case("robot as sleigh");
    lg_model *M = open_vehicle(&t, "two-wheeled-robot", free_robot, 5);
    const double b = vehicle_parameter(&t.S, "b"), r = vehicle_parameter(&t.S, "r"), m = vehicle_parameter(&t.S, "m"),
                 a = vehicle_parameter(&t.S, "a");
    const double spin = 2 * vehicle_parameter(&t.S, "Iw") / (r * r), mass = m + spin, offset = m * a / mass;
    const double about = vehicle_parameter(&t.S, "I") + m * a * a + b * b * spin;
    const setting body[] = {{"m", mass}, {"a", offset}, {"I", about - mass * offset * offset}};
    lg_model *N = open_vehicle(&s, "chaplygin-sleigh", body, 3);
    const double sleigh[3] = {u, 0, w}, robot[5] = {u, 0, w, (u - b * w) / r, (u + b * w) / r};
    memcpy(t.xi0, robot, sizeof robot);
    system_truth(&t.S, T, 2000, t.g0, t.xi0);
    assert_int_equal(
        lg_model_describe(N)->exact(&(lg_call){.param = s.S.parameter_values, .t = T, .lanes = 1}, s.g0, sleigh, g, xi),
        0);
    suite_near("g", t.g0, g, 4, 1e-9, 1);
    suite_near("xi", t.xi0, xi, 3, 1e-9, 1);
    lg_model_destroy(M);
    lg_model_destroy(N);
}

typedef struct watch {
    lg_model *M;
    double last[32], holonomic;
} watch;

static double column(const watch *w, const double *row, const char *name)
{
    for (int i = 0; i < lg_run_column_count(w->M); i++)
        if (strcmp(lg_run_column(w->M, i), name) == 0) return row[i];
    suite_fail("no column %s", name);
}

static int see(const double *row, int columns, void *context)
{
    watch *w = context;
    const double b = 0.2, r = 0.1;
    const double kept =
        2 * b * column(w, row, "theta") - r * (column(w, row, "phi_right") - column(w, row, "phi_left"));
    w->holonomic = fmax(w->holonomic, fabs(kept));
    memcpy(w->last, row, (size_t)columns * sizeof *row);
    return 0;
}

static int push(const lg_integrator *it, double *u, void *context)
{
    (void)it;
    memcpy(u, context, 2 * sizeof *u);
    return 0;
}

static watch drive(const setting *set, const double *u, const char *method, int64_t steps)
{
    test_system t;
    watch w = {.M = open_vehicle(&t, "two-wheeled-robot", set, 6)};
    lg_run_options o = lg_run_options_default();
    lg_run_result f = lg_run_result_default();
    o.step = 0.02;
    o.steps = steps;
    o.method = method;
    o.row = see;
    o.row_context = &w;
    o.control = push;
    o.control_context = (void *)(uintptr_t)u;
    if (lg_run(w.M, &f, &o) != LG_OK) suite_fail("%s", f.message);
    if (strcmp(method, "sem") == 0) suite_below("balance", f.balance, 1e-11);
    lg_model_destroy(w.M);
    return w;
}

/* Controls are torques like those of the parameters; the wheels' angles tell the heading; a robot with the centre of
 * mass on the axle ends at u = r (tau_left + tau_right)/(2 c), w = r (tau_right - tau_left)/(2 b c). */
static void test_robot_driven(void **state)
{
    static const double none[2] = {0, 0}, both[2] = {0.1, 0.15};
    static const setting plain[6] = {{0}}, idle[6] = {{"tau_left", 0}, {"tau_right", 0}}, centred[6] = {{"a", 0}};
    (void)state;
    suite_case("driven robot");
    const watch own = drive(plain, none, "sem", 500), told = drive(idle, both, "sem", 500);
    suite_near("controls and parameters", told.last, own.last, 17, 1e-13, 10);
    suite_above("it moves", fabs(own.last[2]), 0.1);
    suite_below("2 b theta - r (phi_right - phi_left)", own.holonomic, 1e-12);
    const watch end = drive(centred, none, "sem", 5000);
    suite_near1("final speed", end.last[7], 0.1 * 0.25 / 0.04, 1e-12, 1);
    suite_near1("final turning", end.last[9], 0.1 * 0.05 / (2 * 0.2 * 0.02), 1e-12, 1);
    for (int k = 0; k < 2; k++) {
        const watch w = drive(plain, none, k == 0 ? "gni" : "dla", 500);
        suite_near("other methods", w.last + 2, own.last + 2, 10, 2e-3, 1);
    }
}

/* Friction alone: the energy falls at every step, to nothing. */
static void test_robot_idle(void **state)
{
    static const setting idle[] = {{"tau_left", 0}, {"tau_right", 0}};
    test_system t;
    (void)state;
    suite_case("idle robot");
    lg_model *M = open_vehicle(&t, "two-wheeled-robot", idle, 2);
    const double b = 0.2, r = 0.1, xi0[5] = {1, 0, 2, (1 - 2 * b) / r, (1 + 2 * b) / r};
    memcpy(t.xi0, xi0, sizeof xi0);
    for (double h = 0.01; h < 2; h *= 10) {
        lg_integrator *it = run_start(&t, "sem", "exp", h);
        const double first = lg_integrator_energy(it);
        const run_extremes w = run_watch(it, (int64_t)(20 / h), 1);
        suite_below("rise", w.rise, 0);
        suite_below("what is left", lg_integrator_energy(it), 0.02 * first);
        run_end(&it);
    }
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_robot_as_sleigh),
        cmocka_unit_test(test_robot_driven),
        cmocka_unit_test(test_robot_idle),
    };
    suite_begin("catalog robot");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
