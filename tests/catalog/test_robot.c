/* SPDX-License-Identifier: BSD-3-Clause */
/* two-wheeled-robot: its closed form and that of the sleigh which it is without motors and friction, against the
 * continuous equations; controls, the rows that are holonomic together. And other pairs of systems that are one body in
 * two groups or with two sets of rows. */
#include <math.h>
#include <string.h>

#include "support/energy_systems.h"
#include "support/models.h"
#include "support/motions.h"
#include "support/runs.h"

static const setting robots[][7] = {
    {{"a", 0}},
    {{"a", 0}, {"c", 0}},
    {{"a", 0}, {"c", 0}, {"tau_left", 0}, {"tau_right", 0}},
    {{"a", 0}, {"c", 1e-4}, {"tau_left", -0.1}},
    {{"a", 0}, {"c", 0.5}, {"b", 0.1}, {"r", 0.07}, {"Iw", 0.02}, {"tau_right", -0.3}},
};

static void check_exact(const setting *set, double T)
{
    test_system t;
    lg_model *M = model_with(&t, "two-wheeled-robot", set);
    const double b = model_parameter(M, "b"), r = model_parameter(M, "r");
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
    lg_model *M = model_with(&t, "two-wheeled-robot", NULL);
    assert_int_not_equal(
        lg_model_describe(M)->exact(&(lg_call){.param = t.S.parameter_values, .t = 1, .lanes = 1}, t.g0, t.xi0, g, xi),
        0);
    lg_model_destroy(M);
}

/* Without motors and friction the robot is a Chaplygin sleigh of mass M = m + 2 Iw/r^2 and moment I + m a^2 + 2 Iw
 * b^2/r^2 about the axle, with M a' = m a: the sleigh's closed form. */
static void test_robot_as_sleigh(void **state)
{
    static const setting free_robot[] = {{"c", 0}, {"tau_left", 0}, {"tau_right", 0}, {"a", 0.3}, {"Iw", 0.03}, {0}};
    const double u = -0.6, w = 1.1, T = 5;
    test_system t, s;
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    (void)state;
    suite_case("robot as sleigh");
    lg_model *M = model_with(&t, "two-wheeled-robot", free_robot);
    const double b = model_parameter(M, "b"), r = model_parameter(M, "r"), m = model_parameter(M, "m"),
                 a = model_parameter(M, "a");
    const double spin = 2 * model_parameter(M, "Iw") / (r * r), mass = m + spin, offset = m * a / mass;
    const double about = model_parameter(M, "I") + m * a * a + b * b * spin;
    const setting body[] = {{"m", mass}, {"a", offset}, {"I", about - mass * offset * offset}, {0}};
    lg_model *N = model_with(&s, "chaplygin-sleigh", body);
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
    for (int i = 0; i < lg_model_column_count(w->M); i++)
        if (strcmp(lg_model_column(w->M, i)->name, name) == 0) return row[i];
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

static int push(const lg_motion *mo, double *u, void *context)
{
    (void)mo;
    memcpy(u, context, 2 * sizeof *u);
    return 0;
}

static watch drive(const setting *set, const double *u, const char *method, int64_t steps)
{
    test_system t;
    watch w = {.M = model_with(&t, "two-wheeled-robot", set)};
    model_run o = model_run_default();
    lg_run_result f = lg_run_result_default();
    o.motion.step = 0.02;
    o.run.steps = steps;
    o.motion.method = method;
    o.run.row = see;
    o.run.row_context = &w;
    o.run.control = push;
    o.run.control_context = (void *)(uintptr_t)u;
    if (model_run_whole(w.M, &f, &o) != LG_OK) suite_fail("%s", f.message);
    if (strcmp(method, "sem") == 0) suite_below("balance", f.balance, 1e-11);
    lg_model_destroy(w.M);
    return w;
}

/* Controls are torques like those of the parameters; the wheels' angles tell the heading; a robot with the centre of
 * mass on the axle ends at u = r (tau_left + tau_right)/(2 c), w = r (tau_right - tau_left)/(2 b c). */
static void test_robot_driven(void **state)
{
    static const double none[2] = {0, 0}, both[2] = {0.1, 0.15};
    static const setting plain[7] = {{0}}, idle[7] = {{"tau_left", 0}, {"tau_right", 0}}, centred[7] = {{"a", 0}};
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

/* ---- one body, two systems ---- */

static void same_energy(const lg_system *SB, const double *g, const double *xi, const lg_system *SP, const double *q,
                        const double *v)
{
    double p[2][SUITE_DIM], H[2] = {0, 1};
    for (int i = 0; i < lg_group_dim(SB->group); i++) { /* with every velocity alone, too: the metric's diagonal */
        double alone[SUITE_DIM] = {0};
        alone[i] = 1;
        system_momentum(SB, 0, g, alone, p[0]);
        system_momentum(SP, 0, q, alone, p[1]);
        suite_near1("diagonal of J", p[0][i], p[1][i], 1e-15, 1);
    }
    system_momentum(SB, 0, g, xi, p[0]);
    system_momentum(SP, 0, q, v, p[1]);
    suite_ok("H", lg_system_energy(SB, &H[0], 0, g, p[0], NULL));
    suite_ok("H", lg_system_energy(SP, &H[1], 0, q, p[1], NULL));
    suite_near1("H", H[0], H[1], 1e-14, 1);
}

/* Rows of the plane in the body's axes. */
static void same_rows(const lg_system *SB, const double *g, const lg_system *SP, const double *q)
{
    double A[2][SUITE_MATRIX], b[6];
    const int n = lg_group_dim(SB->group), m = system_rows(SB, 0, g, A[0], b);
    assert_int_equal(system_rows(SP, 0, q, A[1], b), m);
    for (int i = 0; i < m; i++) {
        double *row = A[1] + i * n;
        const double along = g[2] * row[0] + g[3] * row[1], across = g[2] * row[1] - g[3] * row[0];
        row[0] = along;
        row[1] = across;
    }
    suite_near("rows", A[0], A[1], m * n, 4 * SUITE_EPS, 1);
}

/* Both group structures show the same motion of the same body. */
static void test_same_board_and_sleigh(void **state)
{
    static const char *const pairs[][2] = {{"snakeboard", "snakeboard-planar"},
                                           {"chaplygin-sleigh", "chaplygin-sleigh-planar"}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        const model_example body = {.system = pairs[k][0]}, plane = {.system = pairs[k][1]};
        lg_model *B = model_open(&body), *P = model_open(&plane);
        double g[SUITE_ELEMENT], xi[SUITE_DIM], q[SUITE_ELEMENT], v[SUITE_DIM], p[2][SUITE_DIM], value[2];
        const lg_system *SB = model_system(B), *SP = model_system(P);
        model_start(B, g, xi), model_start(P, q, v);
        const int n = lg_group_dim(SB->group);
        const lg_call c = system_call(SB, 0);
        g[0] = q[0], g[1] = q[1], g[2] = cos(q[2]), g[3] = sin(q[2]);
        for (int i = 2; i < n; i++) xi[i] = v[i];
        xi[0] = v[0] * g[2] + v[1] * g[3];
        xi[1] = v[1] * g[2] - v[0] * g[3];
        same_energy(SB, g, xi, SP, q, v);
        if (k == 0) same_rows(SB, g, SP, q);
        system_truth(SB, 2, 4000, g, xi);
        system_truth(SP, 2, 4000, q, v);
        const double speed[2] = {g[2] * xi[0] - g[3] * xi[1], g[3] * xi[0] + g[2] * xi[1]};
        suite_near("(x, y)", g, q, 2, 1e-11, 1);
        suite_near1("theta", sin(atan2(g[3], g[2]) - q[2]), 0, 1e-11, 1);
        suite_near("(x', y')", speed, v, 2, 1e-11, 1);
        suite_near("other velocities", xi + 2, v + 2, n - 2, 1e-11, 1);
        system_momentum(SB, 0, g, xi, p[0]);
        system_momentum(SP, 0, q, v, p[1]);
        for (int i = 0; i < lg_model_describe(B)->invariant_count; i++) {
            assert_int_equal(lg_model_describe(B)->invariants[i].value(&c, g, p[0], &value[0]), 0);
            assert_int_equal(lg_model_describe(P)->invariants[i].value(&c, q, p[1], &value[1]), 0);
            suite_near1(lg_model_describe(B)->invariants[i].name, value[0], value[1], 1e-10, 1);
        }
        lg_model_destroy(B);
        lg_model_destroy(P);
    }
}

static double angle_of(const double *g)
{
    return atan2(g[3], g[2]);
}

/* The roller racer is the cart with a trailer whose hitch is in front of the cart and whose drawbar points back:
 * b -> -b, d -> -d, at = l - d, a = 0, no springs. Two groups, two sets of rows, one motion. */
static void check_racer_as_trailer(const setting *s)
{
    const setting free_racer[7] = {{"k", 0}, s[0], s[1], s[2], s[3], s[4]};
    test_system a, b;
    lg_model *M = model_with(&a, "roller-racer", free_racer);
    const double bb = model_parameter(M, "b"), d = model_parameter(M, "d");
    const setting as_trailer[] = {{"m", model_parameter(M, "m")},
                                  {"I", model_parameter(M, "I")},
                                  {"mt", model_parameter(M, "ml")},
                                  {"It", model_parameter(M, "Il")},
                                  {"at", model_parameter(M, "l") - d},
                                  {"a", 0},
                                  {"b", -bb},
                                  {"d", -d},
                                  {"k", 0},
                                  {"kx", 0},
                                  {"ky", 0},
                                  {0}};
    lg_model *N = model_with(&b, "cart-trailer", as_trailer);
    const double alpha = a.g0[4], w = a.xi0[2] + a.xi0[3], v1 = a.xi0[0], v2 = bb * a.xi0[2];
    const double g0[8] = {0, 0, 1, 0, bb + d * cos(alpha), d * sin(alpha), cos(alpha), sin(alpha)};
    const double xi0[6] = {v1, 0, a.xi0[2], cos(alpha) * v1 + sin(alpha) * v2, 0, w}; /* the hitch's along the link */
    memcpy(b.g0, g0, sizeof g0);
    memcpy(b.xi0, xi0, sizeof xi0);
    system_truth(&a.S, 2, 2000, a.g0, a.xi0);
    system_truth(&b.S, 2, 2000, b.g0, b.xi0);
    suite_near("the car", b.g0, a.g0, 4, 1e-9, 1);
    suite_near("its velocity", b.xi0, a.xi0, 3, 1e-9, 1);
    suite_near1("alpha", remainder(angle_of(b.g0 + 4) - angle_of(b.g0) - a.g0[4], 2 * SUITE_PI), 0, 1e-9, 1);
    lg_model_destroy(M);
    lg_model_destroy(N);
}

static void test_racer_as_trailer(void **state)
{
    static const setting sets[][5] = {{{0}}, {{"b", 0.9}, {"d", 0.2}, {"l", 0.6}, {"m", 2}, {"Il", 0.7}}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        suite_case("roller racer as cart with trailer, %d", k);
        check_racer_as_trailer(sets[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_robot_as_sleigh),
        cmocka_unit_test(test_robot_driven),
        cmocka_unit_test(test_same_board_and_sleigh),
        cmocka_unit_test(test_racer_as_trailer),
    };
    suite_begin("catalog robot");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
