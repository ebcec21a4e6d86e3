/* SPDX-License-Identifier: BSD-3-Clause */
/* Optima with controls that are polynomials inside a step of gauss: orders, known costs and costates; an ordinary run
 * with these controls; limits, a free time, gains, costs on the way; what is refused. */
#include <math.h>
#include <string.h>

#include "suite.h"
#include "support/optima.h"

/* ---- problems ---- */

static const double general[3] = {1, 1.5, 2.2};
static const double body_cost = 24.354774534876256, sleigh_cost = 4.5924985481594165; /* Pontryagin's equations */

/* 2 rad about (1, 2, 3) in time 1.5, from rest to rest. */
static lg_optimum_problem turning(const lg_system *S, int steps, int degree)
{
    static double target[4];
    turned(target);
    lg_optimum_problem p = slew(S, steps, target);
    p.method = degree < 4 ? "gauss:stages=4" : "gauss", p.degree = degree;
    return p;
}

/* Sideways by 1 in time 4, from rest to rest. */
static lg_optimum_problem parking(const lg_system *S, int steps, int degree)
{
    static const double target[4] = {0, 1, 1, 0};
    lg_optimum_problem p = lg_optimum_problem_default(S);
    p.steps = steps, p.time = 4, p.target_g = target, p.target_p = zero;
    p.method = degree < 4 ? "gauss:stages=4" : "gauss", p.degree = degree;
    return p;
}

/* ---- orders ---- */

static double body_error(int steps, int degree)
{
    const lg_system S = body(general);
    const lg_optimum_problem p = turning(&S, steps, degree);
    lg_optimum *o = open(&p);
    const double off = fabs(solve(o, 12, 1e-9).cost - body_cost);
    lg_optimum_destroy(o);
    return off;
}

static double sleigh_error(int steps, int degree)
{
    const lg_system S = sleigh();
    const lg_optimum_problem p = parking(&S, steps, degree);
    lg_optimum *o = open(&p);
    const double off = fabs(solve(o, 60, 1e-9).cost - sleigh_cost);
    lg_optimum_destroy(o);
    return off;
}

static void test_orders(void **state)
{
    (void)state;
    static const int degree[3] = {0, 1, 3}, body_steps[3] = {10, 10, 6}, sleigh_steps[3] = {20, 16, 10};
    for (int i = 0; i < 3; i++) {
        const int d = degree[i];
        suite_case("degree %d", d);
        const double coarse = body_error(body_steps[i], d), fine = body_error(2 * body_steps[i], d);
        const double rough = sleigh_error(sleigh_steps[i], d), smooth = sleigh_error(2 * sleigh_steps[i], d);
        suite_near1("order of the body's cost", log2(coarse / fine), 2 * (d + 1), 0.1, 1);
        suite_near1("order of the sleigh's cost", log2(rough / smooth), 2 * (d + 1), 0.1, 1);
    }
}

static void test_few_steps(void **state)
{
    (void)state;
    const double b = body_error(4, 7), s = sleigh_error(8, 7);
    suite_below("body, four steps", b, 1e-12);
    suite_below("sleigh, eight steps", s, 1e-11);
}

/* The costate of the start is Pontryagin's momentum of the configuration and p. */
static void test_costate(void **state)
{
    (void)state;
    static const double known[6] = {-9.69696124653667,  -1.331473384898875, -22.539064570120463,
                                    -4.997922014713481, -2.221389186727455, -8.21616113251427};
    const lg_system S = body(general);
    const lg_optimum_problem p = turning(&S, 4, 7);
    lg_optimum *o = open(&p);
    (void)solve(o, 12, 1e-12);
    suite_near("costate", lg_optimum_costates(o), known, 6, 1e-9, 10);
    lg_optimum_destroy(o);
}

/* A body without preferred axes: torques that are linear in time are the optimum, 6 theta^2/T^3, with any steps. */
static void test_double_integrator(void **state)
{
    (void)state;
    for (int steps = 3; steps <= 6; steps += 3)
        for (int d = 1; d <= 3; d++) {
            const lg_system S = body(unit_inertia);
            lg_optimum_problem p = turning(&S, steps, d);
            p.method = "gauss";
            lg_optimum *o = open(&p);
            double u[3];
            suite_case("%d steps, degree %d", steps, d);
            suite_near1("cost", solve(o, 4, 1e-10).cost, 24 / 3.375, 1e-12, 8);
            suite_ok("control", lg_optimum_control_at(o, 0.6, u));
            const double size = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
            suite_near1("torque", size, 12 / 2.25 * (1 - 2 * 0.6 / 1.5), 1e-10, 1);
            lg_optimum_destroy(o);
        }
}

/* ---- runs, gains and costates ---- */

/* An ordinary run with these controls makes the same states. */
static void test_run(void **state)
{
    (void)state;
    const lg_system S = sleigh();
    const lg_optimum_problem p = parking(&S, 8, 3);
    lg_optimum *o = open(&p);
    (void)solve(o, 60, 1e-11);
    lg_integrator *it = NULL;
    suite_ok("create", lg_integrator_create(&it, &S, p.method, NULL, 0.5));
    suite_ok("start", lg_integrator_start_momentum(it, 0, lg_optimum_configurations(o), zero));
    for (int k = 0; k < 8; k++) {
        suite_ok("controls", lg_integrator_set_control_nodes(it, 3, lg_optimum_controls(o) + k * 8));
        suite_ok("step", lg_integrator_step(it));
        suite_near("g", lg_integrator_configuration(it), lg_optimum_configurations(o) + (k + 1) * 4, 4, 1e-9, 1);
        suite_near("p", lg_integrator_momentum(it), lg_optimum_momenta(o) + (k + 1) * 3, 3, 1e-9, 1);
    }
    lg_integrator_destroy(it);
    lg_optimum_destroy(o);
}

/* Limits hold at the nodes, and cost. */
static void test_limits(void **state)
{
    (void)state;
    static const double low[3] = {-5.5, -5.5, -20}, high[3] = {5.5, 5.5, 20};
    const lg_system S = body(general);
    lg_optimum_problem p = turning(&S, 8, 3);
    lg_optimum *o = open(&p);
    double most = 0;
    (void)solve(o, 12, 1e-10);
    for (int i = 0; i < 96; i++)
        if (i % 3 < 2) most = fmax(most, fabs(lg_optimum_controls(o)[i]));
    suite_above("torque without limits", most, 5.6);
    lg_optimum_destroy(o);
    p.control_low = low, p.control_high = high;
    o = open(&p);
    const lg_optimum_figures f = solve(o, 40, 1e-9);
    for (int i = 0; i < 96; i++) suite_below("torque", fabs(lg_optimum_controls(o)[i]), high[i % 3]);
    suite_above("cost", f.cost, body_cost + 1e-3);
    lg_optimum_destroy(o);
}

/* A unit of time costs 2, and 6 theta^2/T^3 + 2 T is least at T^4 = 9 theta^2. */
static void test_free_time(void **state)
{
    (void)state;
    const lg_system S = body(unit_inertia);
    lg_optimum_problem p = turning(&S, 2, 1);
    p.method = "gauss", p.time_low = 0.5, p.time_high = 5, p.time_weight = 2;
    lg_optimum *o = open(&p);
    suite_near1("time", solve(o, 40, 1e-11).time, sqrt(6.0), 1e-9, 1);
    lg_optimum_destroy(o);
}

static int land(const lg_cost_call *c, double *value, double *gradient, double *hessian)
{
    static const double goal[4] = {1, 0.5, 0, 0.2};
    *value = 0;
    for (int i = 0; i < 4; i++) {
        const double off = (i < 2 ? c->g[i] : c->p[i - 2]) - goal[i];
        *value += 5 * off * off;
        if (gradient) gradient[i] = 10 * off, hessian[i * 4 + i] = 10;
    }
    return 0;
}

static int pull(const lg_call *c, const double *g, const double *xi, double *f)
{
    const int L = c->lanes;
    for (int i = 0; i < 2 * L; i++) f[i] = c->control[i] - 0.3 * xi[i] - lg_real_sin(g[i]);
    return 0;
}

/* A deviation of the start is answered by K, at all nodes. */
static void test_gains(void **state)
{
    (void)state;
    enum { NODES = 3, CONTROLS = 2 * NODES };
    lg_system S = lg_system_default(lg_rn(2));
    S.inertia_diagonal = unit_inertia;
    S.callbacks.force = pull, S.callbacks.control_count = 2, S.callbacks.lanes = LG_LANES_OWN_TIMES;
    lg_optimum_problem p = lg_optimum_problem_default(&S);
    p.steps = 4, p.method = "gauss", p.degree = NODES - 1, p.end_cost = land;
    lg_optimum *o = open(&p);
    double K[4 * CONTROLS * 4], u[2][CONTROLS];
    const double e = 1e-4;
    (void)solve(o, 12, 1e-12);
    suite_ok("gains", lg_optimum_gains(o, K));
    for (int j = 0; j < 4; j++) {
        for (int side = 0; side < 2; side++) {
            double x[4] = {0};
            x[j] = side ? e : -e;
            suite_ok("move", lg_optimum_move(o, x, x + 2, NULL, NULL));
            (void)solve(o, 12, 1e-12);
            memcpy(u[side], lg_optimum_controls(o), sizeof u[side]);
        }
        for (int i = 0; i < CONTROLS; i++) suite_near1("gain", (u[1][i] - u[0][i]) / (2 * e), K[i * 4 + j], 1e-6, 1);
    }
    lg_optimum_destroy(o);
}

/* ---- a running cost ---- */

/* Work of the control against the velocity, and the distance from a point, which moves where there is no context. */
static int way(const lg_cost_call *c, double *value, double *gradient, double *hessian)
{
    *value = 0;
    for (int i = 0; i < 2; i++) {
        const double off = c->g[i] - lg_real_sin((c->context ? 0 : 3 * c->t) + i), v = c->p[i];
        *value += 2 * off * off + 0.3 * c->u[i] * v + v * v;
        if (!gradient) continue;
        gradient[i] = 4 * off, gradient[2 + i] = 0.3 * c->u[i] + 2 * v, gradient[4 + i] = 0.3 * v;
        hessian[i * 6 + i] = 4, hessian[(2 + i) * 6 + 2 + i] = 2;
        hessian[(2 + i) * 6 + 4 + i] = hessian[(4 + i) * 6 + 2 + i] = 0.3;
    }
    return 0;
}

static lg_optimum_figures along(int steps, int degree, double time_high)
{
    lg_system S = lg_system_default(lg_rn(2));
    S.inertia_diagonal = unit_inertia;
    S.callbacks.force = pull, S.callbacks.control_count = 2, S.callbacks.lanes = LG_LANES_OWN_TIMES;
    lg_optimum_problem p = lg_optimum_problem_default(&S);
    p.steps = steps, p.method = "gauss", p.degree = degree, p.running_cost = way, p.end_cost = land;
    p.cost_context = time_high > 0 ? &S : NULL;
    p.time_low = time_high > 0 ? 0.5 : 0, p.time_high = time_high;
    lg_optimum *o = open(&p);
    suite_ok("check", lg_optimum_check(o, 0));
    const lg_optimum_figures f = solve(o, 60, 1e-11);
    lg_optimum_destroy(o);
    return f;
}

static void test_running_cost(void **state)
{
    (void)state;
    const double known = along(4, 7, 0).cost;
    for (int d = 1; d <= 2; d++) {
        const double coarse = fabs(along(4, d, 0).cost - known), fine = fabs(along(8, d, 0).cost - known);
        suite_case("degree %d", d);
        suite_near1("order", log2(coarse / fine), 2 * (d + 1), 0.15, 1);
    }
    const lg_optimum_figures a = along(4, 5, 4), b = along(6, 3, 4);
    suite_near1("free time", a.time, b.time, 1e-6, 1);
    suite_near1("its cost", a.cost, b.cost, 1e-8, 1);
}

/* ---- refusals ---- */

static void refuse(const lg_optimum_problem *p, lg_status want, const char *part)
{
    lg_optimum *o = NULL;
    suite_status(part, lg_optimum_create(&o, p), want);
    suite_contains("message", lg_optimum_message(o), part);
    lg_optimum_destroy(o);
}

static void test_refusals(void **state)
{
    (void)state;
    const lg_system S = body(unit_inertia);
    lg_optimum_problem p = turning(&S, 4, 3);
    double u[3];
    p.method = "sem";
    refuse(&p, LG_ERROR_UNSUPPORTED, "use gauss");
    p.method = "gauss:stages=2";
    refuse(&p, LG_ERROR_ARGUMENT, "gauss:stages=4");
    p.method = "gauss", p.degree = 8;
    refuse(&p, LG_ERROR_ARGUMENT, "degree 8");
    p.degree = -1;
    refuse(&p, LG_ERROR_ARGUMENT, "degree -1");
    p.degree = 1;
    lg_optimum *o = open(&p);
    suite_near1("degree", lg_optimum_degree(o), 1, 0, 1);
    suite_status("time", lg_optimum_control_at(o, 1.6, u), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_optimum_control_at(o, 0, NULL), LG_ERROR_ARGUMENT);
    lg_optimum_destroy(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders),
                                       cmocka_unit_test(test_few_steps),
                                       cmocka_unit_test(test_costate),
                                       cmocka_unit_test(test_run),
                                       cmocka_unit_test(test_double_integrator),
                                       cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_free_time),
                                       cmocka_unit_test(test_gains),
                                       cmocka_unit_test(test_running_cost),
                                       cmocka_unit_test(test_refusals)};
    suite_begin("optima with controls inside a step");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
