/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense output: nodes at both ends, a one-parameter arc between them, its order, steps that turn by more than pi, what
 * is refused and when there is nothing to look into. */
#include <math.h>
#include <string.h>

#include "support/bench.h"
#include "support/roster.h"
#include "support/runs.h"

static const char *const methods[] = {"sem",         "gni",          "nsv", "dla",   "sml",
                                      "sem@suzuki4", "gni@yoshida4", "rk4", "rkmk4", "variational"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static void between(const lg_integrator *it, double *g, double *xi, double s)
{
    suite_ok("between", lg_integrator_interpolate(it, NULL, g, xi, s));
}

/* y = log(a^-1 b). */
static void difference(const lg_group *G, double *y, const double *a, const double *b)
{
    double W[SUITE_ELEMENT];
    suite_ok("inverse", lg_group_inverse(G, W, a));
    suite_ok("compose", lg_group_compose(G, W, W, b));
    suite_ok("log", lg_group_log(G, y, W));
}

/* ---- nodes and arc ---- */

/* Eighths of the arc are all the same piece of a one-parameter subgroup, to round-off of the elements. */
static void check_arc(const lg_integrator *it, const double *g0, const double *g1)
{
    const lg_group *G = lg_integrator_group(it);
    const int n = lg_group_dim(G), element_size = lg_group_element_size(G);
    double last[SUITE_ELEMENT], here[SUITE_ELEMENT], y[8][SUITE_DIM], size = 1;
    const double off = 4 * (lg_group_residual(G, g0) + lg_group_residual(G, g1)); /* rk4 leaves the group */
    for (int i = 0; i < element_size; i++) size = fmax(size, fabs(g1[i]));
    for (int k = 0; k <= 8; k++) {
        between(it, here, NULL, k / 8.0);
        if (k > 0) difference(G, y[k - 1], last, here);
        memcpy(last, here, sizeof last);
    }
    for (int k = 1; k < 8; k++) suite_near("an eighth of the arc", y[k], y[0], n, 2e-14 + off, size);
    between(it, here, NULL, 1e-15);
    suite_near("next to the first node", here, g0, element_size, 1e-14 + off, size);
    between(it, here, NULL, 1 - 1e-15);
    difference(G, y[0], here, g1); /* an element and its node may be two quaternions of a rotation */
    suite_below("next to the second node", suite_distance(y[0], (const double[SUITE_DIM]){0}, n), 1e-14 * size + off);
}

static void arcs_of(const test_system *t, const char *method)
{
    lg_integrator *it = NULL;
    double g0[SUITE_ELEMENT], v0[SUITE_DIM], v1[SUITE_DIM], g[SUITE_ELEMENT], xi[SUITE_DIM], time;
    const int n = lg_group_dim(t->S.group), element_size = lg_group_element_size(t->S.group);
    if (lg_integrator_create(&it, &t->S, method, "exp", t->h) != LG_OK) {
        run_end(&it);
        return;
    }
    suite_ok(lg_integrator_message(it), lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_REACTION, 0));
    for (int k = 0; k < 6; k++) {
        suite_case("arc %d of %s, %s", k, t->name, method);
        const double before = lg_integrator_time(it);
        memcpy(g0, lg_integrator_configuration(it), sizeof(double) * (size_t)element_size);
        suite_ok("velocity", lg_integrator_velocity(it, v0));
        if (k % 2 == 0)
            run_steps(it, 1);
        else
            suite_ok("a shorter step", lg_integrator_step_to(it, before + 0.3 * t->h));
        suite_ok("velocity", lg_integrator_velocity(it, v1));
        suite_ok("first node", lg_integrator_interpolate(it, &time, g, xi, 0));
        suite_same_bits("g at s = 0", g, g0, element_size);
        suite_same_bits("xi at s = 0", xi, v0, n);
        suite_near1("t at s = 0", time, before, 1e-15, 1);
        suite_ok("second node", lg_integrator_interpolate(it, &time, g, xi, 1));
        suite_same_bits("g at s = 1", g, lg_integrator_configuration(it), element_size);
        suite_same_bits("xi at s = 1", xi, v1, n);
        suite_near1("t at s = 1", time, lg_integrator_time(it), 0, 1);
        suite_ok("inside", lg_integrator_interpolate(it, &time, NULL, xi, 0.25));
        suite_near1("t inside", time, before + 0.25 * (lg_integrator_time(it) - before), 1e-15, 1);
        for (int i = 0; i < n; i++)
            suite_near1("xi inside", xi[i], 0.75 * v0[i] + 0.25 * v1[i], 1e-15, fabs(v0[i]) + 1);
        check_arc(it, g0, lg_integrator_configuration(it));
    }
    run_end(&it);
}

static void test_arcs(void **state)
{
    (void)state;
    test_system t;
    for (int i = 0; bench_system(&t, i); i++)
        for (int m = 0; m < METHODS; m++) arcs_of(&t, methods[m]);
}

/* ---- order ---- */

/* Largest errors of g and xi at quarters of the middle one of `count` steps to T = 1. */
static void errors_between(const test_system *t, const char *method, int count, double *at_g, double *at_xi)
{
    lg_integrator *it = run_start(t, method, "exp", 1.0 / count);
    const int n = lg_group_dim(t->S.group), N = lg_group_matrix_size(t->S.group);
    *at_g = *at_xi = 0;
    run_steps(it, count / 2);
    for (int k = 1; k <= 3; k++) {
        double g[SUITE_ELEMENT], xi[SUITE_DIM], q[SUITE_ELEMENT], v[SUITE_DIM], time, M[SUITE_MATRIX], W[SUITE_MATRIX];
        suite_ok("between", lg_integrator_interpolate(it, &time, g, xi, k / 4.0));
        memcpy(q, t->g0, sizeof q);
        memcpy(v, t->xi0, sizeof v);
        system_truth(&t->S, time, 400, q, v);
        suite_ok("to_matrix", lg_group_to_matrix(t->S.group, M, g));
        suite_ok("to_matrix", lg_group_to_matrix(t->S.group, W, q));
        *at_g = fmax(*at_g, suite_distance(M, W, N * N));
        *at_xi = fmax(*at_xi, suite_distance(xi, v, n));
    }
    run_end(&it);
}

/* h^2 whatever the order of the nodes: the arc bends as the motion does up to h^2 g''/8. */
static void test_order(void **state)
{
    (void)state;
    static const char *const names[] = {"particle", "suslov", "sleigh", "ball_phys", "vtop", "sphp", "sleighM"};
    static const char *const list[] = {"sem", "gni", "sem@suzuki4", "rk4"};
    for (int i = 0; i < 7; i++)
        for (int m = 0; m < 4; m++) {
            test_system t;
            double coarse[2], fine[2];
            energy_system_make(&t, names[i]);
            errors_between(&t, list[m], 40, &coarse[0], &coarse[1]);
            errors_between(&t, list[m], 160, &fine[0], &fine[1]);
            suite_case("order between nodes of %s, %s", t.name, list[m]);
            suite_near1("order of g", log(coarse[0] / fine[0]) / log(4), 2, 0.25, 1);
            suite_near1("order of xi", log(coarse[1] / fine[1]) / log(4), 2, 0.25, 1);
        }
}

/* ---- more than half a turn in a step ---- */

static void test_turns(void **state)
{
    (void)state;
    static const double J[3] = {1, 1, 1}, axis[3] = {0.6, 0, 0.8};
    static const char *const on_torus[] = {"sem", "variational", "nsv@yoshida4", "rk4", "rkmk4"};
    double g[SUITE_ELEMENT], zero[3] = {0}, xi[3], want[4], q[4] = {0, 0, 0, 1};
    for (int m = 0; m < 5; m++)
        for (int k = 1; k <= 9; k++) { /* k radians a step, T^3 */
            const double angles[3] = {k, -k, 0.5 * k};
            lg_system S = lg_system_default(lg_torus(3));
            S.inertia_diagonal = J;
            lg_integrator *it = run_start_at(&S, on_torus[m], "cayley", 1, 0, zero, angles);
            suite_case("%d radians a step on a torus, %s", k, on_torus[m]);
            run_steps(it, 2);
            for (int j = 0; j <= 10; j++) {
                between(it, g, NULL, 0.1 * j);
                for (int i = 0; i < 3; i++)
                    suite_near1("angle", remainder(g[i] - (1 + 0.1 * j) * angles[i], 2 * SUITE_PI), 0, 1e-13, 1);
            }
            run_end(&it);
        }
    for (int k = 1; k <= 6; k++) { /* k radians a step about a fixed axis of a ball */
        lg_system S = lg_system_default(lg_so3());
        S.inertia_diagonal = J;
        for (int i = 0; i < 3; i++) xi[i] = k * axis[i];
        lg_integrator *it = run_start_at(&S, "variational", "exp", 1, 0, q, xi);
        suite_case("%d radians a step on SO(3)", k);
        run_steps(it, 1);
        for (int j = 0; j <= 10; j++) {
            double R[9], want_R[9];
            for (int i = 0; i < 3; i++) xi[i] = 0.1 * j * k * axis[i];
            suite_ok("exp", lg_group_exp(lg_so3(), want, xi));
            between(it, g, NULL, 0.1 * j);
            lg_so3_to_matrix(R, g);
            lg_so3_to_matrix(want_R, want);
            suite_near("attitude", R, want_R, 9, 1e-14, 1);
        }
        run_end(&it);
    }
}

/* ---- groups without exponential ---- */

static void test_without_exponential(void **state)
{
    (void)state;
    static const double J[3] = {1, 1.5, 2.2}, q[4] = {0, 0, 0, 1}, xi0[3] = {0.7, -0.4, 1.1};
    lg_group bare;
    lg_retraction mine;
    lg_integrator *it = NULL;
    double g[4], W[4], x[3];
    roster_user_group(&bare, lg_so3(), 0);
    roster_user_retraction(&mine, lg_retraction_cayley());
    bare.exp = NULL;
    lg_system S = lg_system_default(&bare);
    S.inertia_diagonal = J;
    suite_case("user's retraction on a user's group without exponential");
    suite_ok("create", lg_integrator_create_with(&it, &S, "variational", &mine, 0.2));
    suite_ok("start", lg_integrator_start(it, 0, q, xi0, LG_START_REACTION, 0));
    run_steps(it, 1);
    for (int k = 0; k <= 4; k++) {
        for (int i = 0; i < 3; i++) x[i] = k / 4.0 * 0.2 * lg_integrator_step_velocity(it)[i];
        suite_ok("tau", lg_retraction_tau(lg_retraction_cayley(), lg_so3(), W, x));
        between(it, g, NULL, k / 4.0);
        suite_near("g", g, W, 4, 1e-15, 1);
    }
    run_end(&it);
    suite_ok("create", lg_integrator_create_with(&it, &S, "variational@yoshida4", &mine, 0.2));
    suite_ok("start", lg_integrator_start(it, 0, q, xi0, LG_START_REACTION, 0));
    run_steps(it, 1);
    suite_status("a composition", lg_integrator_interpolate(it, NULL, g, NULL, 0.5), LG_ERROR_UNSUPPORTED);
    suite_ok("its velocity", lg_integrator_interpolate(it, NULL, NULL, x, 0.5));
    suite_ok("its nodes", lg_integrator_interpolate(it, NULL, g, x, 0));
    suite_near("first node", g, q, 4, 0, 1);
    run_end(&it);
}

/* ---- nothing to look into ---- */

static lg_field_fn gradient;
static int broken;

static int fragile(const lg_call *c, const double *g, double *out)
{
    return broken ? 3 : gradient(c, g, out);
}

static void refuses(const char *when, const lg_integrator *it)
{
    double t, g[SUITE_ELEMENT], xi[SUITE_DIM];
    suite_case("%s", when);
    suite_status("between", lg_integrator_interpolate(it, &t, g, xi, 0.5), LG_ERROR_ARGUMENT);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const list[] = {"sem", "gni", "sem@suzuki4", "gni@yoshida4", "sml"};
    static const double wrong[] = {-1e-9, 1 + 1e-9, NAN, INFINITY};
    for (int m = 0; m < 5; m++) {
        test_system t;
        lg_integrator *it = NULL, *copy = NULL;
        double g[SUITE_ELEMENT], bad[SUITE_ELEMENT] = {0};
        energy_system_make(&t, "vtop");
        gradient = t.S.callbacks.potential_gradient;
        t.S.callbacks.potential_gradient = fragile;
        refuses("no integrator", NULL);
        suite_ok("create", lg_integrator_create(&it, &t.S, list[m], "exp", 0.1));
        refuses("not started", it);
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
        refuses("before the first step", it);
        run_steps(it, 3);
        for (int k = 0; k < 4; k++)
            suite_status("s", lg_integrator_interpolate(it, NULL, g, NULL, wrong[k]), LG_ERROR_ARGUMENT);
        between(it, g, NULL, 0.5);
        broken = 1;
        suite_status("step", lg_integrator_step(it), LG_ERROR_CALLBACK);
        broken = 0;
        refuses("after a step that failed", it);
        run_steps(it, 1);
        between(it, g, NULL, 0.5);
        suite_ok("clone", lg_integrator_clone(&copy, it));
        refuses("a fresh copy", copy);
        run_steps(copy, 1);
        between(copy, g, NULL, 0.5);
        suite_ok("reset", lg_integrator_reset(copy));
        refuses("after a reset", copy);
        run_end(&copy);
        suite_status("a start off the group", lg_integrator_start(it, 0, bad, t.xi0, LG_START_REACTION, 0),
                     LG_ERROR_ARGUMENT);
        double time;
        suite_ok("the arc is still there", lg_integrator_interpolate(it, &time, g, NULL, 0.5));
        suite_near1("t", time, 0.35, 1e-15, 1);
        t.xi0[0] += 1, t.xi0[1] += 1, t.xi0[2] += 1;
        suite_status("a start off the constraints", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0),
                     LG_ERROR_INCONSISTENT);
        refuses("after a start that failed", it);
        run_end(&it);
    }
}

int main(void)
{
    suite_begin("dense output");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arcs),    cmocka_unit_test(test_order),
        cmocka_unit_test(test_turns),   cmocka_unit_test(test_without_exponential),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("dense output", tests, NULL, NULL);
}
