/* SPDX-License-Identifier: BSD-3-Clause */
/* Optima whose costs are known: in closed form, from Pontryagin's equations, from another solver; limits, a free time,
 * costs of one's own, guesses, gains; bad input. */
#include <math.h>
#include <string.h>

#include "suite.h"
#include "support/cart_pole.h"
#include "support/optima.h"

/* ---- helpers ---- */

static const double general[3] = {1, 1.5, 2.2};

/* ---- known optima ---- */

/* A body without preferred axes turns about a fixed axis: 6 theta^2/T^3/(1 - 1/N^2), in one step of Newton's. */
static void test_double_integrator(void **state)
{
    (void)state;
    static const char *const methods[] = {"sem", "gni", "nsv", "variational"};
    double target[4];
    turned(target);
    for (int i = 0; i < 4; i++)
        for (int N = 10; N <= 40; N *= 4) {
            suite_case("%s, %d steps", methods[i], N);
            const lg_system S = body(unit_inertia);
            lg_optimum_problem p = slew(&S, N, target);
            p.method = methods[i];
            lg_optimum *o = open(&p);
            const lg_optimum_figures f = solve(o, 3, 1e-10);
            const double known = 24 / 3.375 / (1 - 1.0 / (N * N));
            suite_near1("cost", f.cost, known, 1e-12, known);
            suite_below("iterations", f.iterations, 1);
            lg_optimum_destroy(o);
        }
}

/* Values of the discrete optimum, and Pontryagin's cost 24.354774534876256: order 2 of held controls. */
static void test_rigid_body(void **state)
{
    (void)state;
    static const double known[4] = {24.73728071422, 24.449688520964, 24.37845826254, 24.36069266505};
    double target[4], off[4];
    turned(target);
    for (int i = 0; i < 4; i++) {
        const lg_system S = body(general);
        const lg_optimum_problem p = slew(&S, 10 << i, target);
        lg_optimum *o = open(&p);
        const lg_optimum_figures f = solve(o, 8, 1e-10);
        suite_near1("cost", f.cost, known[i], 1e-12, known[i]);
        off[i] = f.cost - 24.354774534876256;
        lg_optimum_destroy(o);
    }
    suite_near1("order", log2(off[2] / off[3]), 2, 0.1, 1);
}

static void test_sleigh(void **state)
{
    (void)state;
    static const double known[2] = {4.703736292009, 4.619939278838}, target[4] = {0, 1, 1, 0};
    for (int i = 0; i < 2; i++) {
        const lg_system S = sleigh();
        lg_optimum_problem p = slew(&S, 20 << i, target);
        p.time = 4;
        lg_optimum *o = open(&p);
        const lg_optimum_figures f = solve(o, 60, 1e-9);
        suite_near1("cost", f.cost, known[i], 1e-9, known[i]);
        suite_near1("rank", f.end_rank, 5, 0, 1);
        lg_optimum_destroy(o);
    }
}

/* Two minima, from two guesses of the nodes, with three limits each; IPOPT's values. */
static void test_cart_pole(void **state)
{
    (void)state;
    static const double limit[3] = {INFINITY, 20, 12}, target[2] = {1, SUITE_PI}, rest[82], two = 2;
    static const double known[2][3] = {{60.106215996, 60.106215996, 60.4649226481},
                                       {59.3581643798, 59.3581643798, 59.3798042}};
    for (int i = 0; i < 6; i++) {
        const lg_system S = cart();
        lg_optimum_problem p = lg_optimum_problem_default(&S);
        const double high = limit[i % 3], low = -high;
        p.time = 2, p.effort = &two, p.target_g = target, p.target_p = zero;
        p.control_low = &low, p.control_high = &high;
        lg_optimum *o = open(&p);
        suite_case("cart with a pole, limit %g, nodes %s", high, i / 3 ? "at rest" : "on a line");
        if (i / 3) suite_ok("guess", lg_optimum_guess(o, rest, NULL, NULL, 0));
        const lg_optimum_figures f = solve(o, 20, 1e-9);
        suite_near1("cost", f.cost, known[i / 3][i % 3], i % 3 ? 1e-7 : 1e-9, known[0][0]);
        for (int k = 0; k < 40; k++) suite_below("force", fabs(lg_optimum_controls(o)[k]), high);
        lg_optimum_destroy(o);
    }
}

/* A half turn in minimum time (Bilimoria and Wie 1993): 3.2430832774523313, with five switches. */
static void test_minimum_time(void **state)
{
    (void)state;
    static const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1}, target[4] = {0, 0, 1, 0};
    static const double effort[9] = {1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1e-4};
    double u[120];
    for (int k = 0; k < 40; k++) {
        const double s = (k + 0.5) / 40;
        u[3 * k] = s < 0.3 || s > 0.8 ? 0.9 : -0.9;
        u[3 * k + 1] = s < 0.2 || s > 0.6 ? -0.9 : 0.9;
        u[3 * k + 2] = s < 0.5 ? 0.9 : -0.9;
    }
    const lg_system S = body(unit_inertia);
    lg_optimum_problem p = slew(&S, 40, target);
    p.time = 4, p.time_low = 1, p.time_high = 10, p.time_weight = 1, p.effort = effort;
    p.control_low = low, p.control_high = high;
    lg_optimum *o = open(&p);
    suite_ok("guess", lg_optimum_guess(o, NULL, NULL, u, 0));
    const lg_optimum_figures f = solve(o, 60, 1e-8);
    suite_near1("time", f.time, 3.24398777, 1e-6, 1);
    for (int i = 0; i < 120; i++) suite_below("torque", fabs(lg_optimum_controls(o)[i]), 1);
    lg_optimum_destroy(o);
}

/* ---- features ---- */

/* Runs the controls of an optimum. */
static void run(const lg_optimum *o, const lg_system *S, double h, const double *g0, const double *p0, double *g,
                double *p)
{
    lg_integrator *it = NULL;
    suite_ok("create", lg_integrator_create(&it, S, NULL, NULL, h));
    suite_ok("start", lg_integrator_start_momentum(it, 0, g0, p0));
    for (int k = 0; k < lg_optimum_steps(o); k++) {
        suite_ok("control", lg_integrator_set_control(it, lg_optimum_controls(o) + k * S->callbacks.control_count));
        suite_ok("step", lg_integrator_step(it));
    }
    memcpy(g, lg_integrator_configuration(it), (size_t)S->group->element_size * sizeof *g);
    memcpy(p, lg_integrator_momentum(it), (size_t)S->group->dim * sizeof *p);
    lg_integrator_destroy(it);
}

/* The controls are a motion to the target; a costate is the derivative of the cost with respect to the start. */
static void test_motion_and_costate(void **state)
{
    (void)state;
    double target[4], g[4], p_end[3], cost[2];
    const double start[4] = {0, 0, 0, 1}, e = 1e-4;
    turned(target);
    const lg_system S = body(general);
    lg_optimum_problem p = slew(&S, 20, target);
    lg_optimum *o = open(&p);
    solve(o, 20, 1e-11);
    run(o, &S, 1.5 / 20, start, zero, g, p_end);
    suite_near("target", g, target, 4, 1e-11, 1);
    suite_near("momentum", p_end, zero, 3, 1e-11, 1);
    const double costate = lg_optimum_costates(o)[3];
    for (int i = 0; i < 2; i++) {
        const double p0[3] = {i ? e : -e, 0, 0};
        suite_ok("move", lg_optimum_move(o, NULL, p0, NULL, NULL));
        const lg_optimum_figures f = solve(o, 5, 1e-11);
        cost[i] = f.cost;
    }
    suite_near1("costate", costate, (cost[1] - cost[0]) / (2 * e), 1e-6, fabs(costate));
    lg_optimum_destroy(o);
}

/* A pendulum at its target by a cost of the end and one on the way, against the same problem with gains: a small
 * deviation is answered by K, to second order of the deviation. */
static int drag(const lg_cost_call *c, double *value, double *gradient, double *hessian)
{
    const double *v = c->context;
    (void)c;
    *value = 0.5 * v[0] * (c->p[0] * c->p[0] + c->p[1] * c->p[1]);
    if (!gradient) return 0;
    for (int i = 0; i < 2; i++) gradient[2 + i] = v[0] * c->p[i], hessian[(2 + i) * (c->u ? 5 : 4) + 2 + i] = v[0];
    return 0;
}

static int land(const lg_cost_call *c, double *value, double *gradient, double *hessian)
{
    const double goal[2] = {1, 0.5};
    *value = 0;
    for (int i = 0; i < 4; i++) {
        const double off = i < 2 ? c->g[i] - goal[i] : c->p[i - 2];
        *value += 50 * off * off;
        if (gradient) gradient[i] = 100 * off, hessian[i * 4 + i] = 100;
    }
    return 0;
}

static void test_costs_and_gains(void **state)
{
    (void)state;
    const lg_system S = cart();
    const double weight = 0.3;
    lg_optimum_problem p = lg_optimum_problem_default(&S);
    p.steps = 30, p.time = 1.5, p.running_cost = drag, p.end_cost = land, p.cost_context = &weight;
    lg_optimum *o = open(&p);
    suite_ok("check", lg_optimum_check(o, 0));
    const lg_optimum_figures f = solve(o, 30, 1e-11);
    suite_above("iterations", f.iterations, 1);
    suite_ok("check", lg_optimum_check(o, 0));
    double K[30 * 4], u[2], e = 1e-4;
    suite_ok("gains", lg_optimum_gains(o, K));
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 2; i++) {
            double x[4] = {0};
            x[j] = i ? e : -e;
            suite_ok("move", lg_optimum_move(o, x, x + 2, NULL, NULL));
            solve(o, 10, 1e-11);
            u[i] = lg_optimum_controls(o)[0];
        }
        suite_near1("gain", K[j], (u[1] - u[0]) / (2 * e), 1e-5, 1 + fabs(K[j]));
    }
    lg_optimum_destroy(o);
}

/* Only the second joint's target, which is free of the first; a cost whose derivative is wrong is found. */
static int wrong(const lg_cost_call *c, double *value, double *gradient, double *hessian)
{
    (void)hessian;
    *value = c->g[1];
    if (gradient) gradient[1] = 1.01;
    return 0;
}

static void test_rows_and_checks(void **state)
{
    (void)state;
    const lg_system S = cart();
    const double target[2] = {5, 0.3};
    const int rows[4] = {0, 1, 0, 1};
    lg_optimum_problem p = lg_optimum_problem_default(&S);
    p.target_g = target, p.target_p = zero, p.target_rows = rows;
    lg_optimum *o = open(&p);
    const lg_optimum_figures f = solve(o, 20, 1e-9);
    suite_near1("conditions", f.end_count, 2, 0, 1);
    suite_near1("angle", lg_optimum_configurations(o)[81], 0.3, 1e-8, 1);
    suite_above("cart", fabs(lg_optimum_configurations(o)[80] - 5), 1);
    lg_optimum_destroy(o);
    p.end_cost = wrong;
    o = open(&p);
    suite_status("check", lg_optimum_check(o, 0), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_optimum_message(o), "end_cost");
    lg_optimum_destroy(o);
}

/* A cost that calls its own optimum. */
static int caller(const lg_cost_call *c, double *value, double *gradient, double *hessian)
{
    lg_optimum *const *o = c->context;
    (void)gradient, (void)hessian;
    *value = 0;
    if (*o && (lg_optimum_solve(*o, 1, 1e-9) != LG_ERROR_ARGUMENT || lg_optimum_check(*o, 0) != LG_ERROR_ARGUMENT ||
               lg_optimum_guess(*o, NULL, NULL, NULL, 0) != LG_ERROR_ARGUMENT ||
               lg_optimum_move(*o, NULL, NULL, NULL, NULL) != LG_ERROR_ARGUMENT))
        return 7;
    lg_optimum_destroy(*o);
    return 0;
}

static void test_reentry(void **state)
{
    (void)state;
    const lg_system S = cart();
    const double target[2] = {0.5, 0};
    lg_optimum *o = NULL;
    lg_optimum_problem p = lg_optimum_problem_default(&S);
    p.steps = 5, p.target_g = target, p.target_p = zero, p.running_cost = caller, p.cost_context = &o;
    o = open(&p);
    solve(o, 20, 1e-9);
    lg_optimum_destroy(o);
}

/* ---- watching ---- */

typedef struct seen {
    int calls, most; /* ends the solution at call `most` */
    double cost;
} seen;

static int watch(const lg_optimum *o, void *context)
{
    seen *s = context;
    lg_optimum_figures f;
    suite_ok("read", lg_optimum_read(o, &f, sizeof f));
    assert_int_equal(f.iterations, s->calls);
    s->cost = f.cost;
    return ++s->calls == s->most;
}

/* Every iteration and the last point are seen, which changes no bit; and the iteration can be ended. */
static void test_watch(void **state)
{
    (void)state;
    double target[4];
    turned(target);
    const lg_system S = body(general);
    const lg_optimum_problem p = slew(&S, 10, target);
    lg_optimum *alone = open(&p), *o = open(&p);
    seen all = {0}, some = {.most = 3};
    const lg_optimum_figures f = solve(alone, 8, 1e-10);
    lg_optimum_watch(o, watch, &all);
    assert_true(solve(o, 8, 1e-10).cost == f.cost && all.cost == f.cost);
    assert_int_equal(all.calls, f.iterations + 1);
    suite_ok("guess", lg_optimum_guess(o, NULL, NULL, NULL, 0));
    lg_optimum_watch(o, watch, &some);
    suite_status("ended", lg_optimum_solve(o, 8, 1e-10), LG_ERROR_INTERRUPTED);
    suite_contains("message", lg_optimum_message(o), "watches it");
    assert_int_equal(some.calls, 3);
    lg_optimum_watch(o, NULL, NULL);
    assert_true(solve(o, 8, 1e-10).solved);
    lg_optimum_watch(NULL, watch, &all);
    lg_optimum_destroy(alone), lg_optimum_destroy(o);
}

/* ---- bad input ---- */

static void refuse(const lg_optimum_problem *p, lg_status status, const char *text)
{
    lg_optimum *o = NULL;
    suite_case("%s", text);
    suite_status("create", lg_optimum_create(&o, p), status);
    suite_contains("message", lg_optimum_message(o), text);
    lg_optimum_destroy(o);
}

#define REFUSE(status, text, ...)                                                                                      \
    do {                                                                                                               \
        lg_optimum_problem p = slew(&S, 10, target);                                                                   \
        __VA_ARGS__;                                                                                                   \
        refuse(&p, status, text);                                                                                      \
    } while (0)

static int blade(const lg_call *c, const double *g, double *phi)
{
    (void)c;
    phi[0] = g[0];
    return 0;
}

static void test_refusals(void **state)
{
    (void)state;
    double target[4];
    static const double off[4] = {1, 1, 1, 1}, bad[9] = {1, 2, 0, 2, 1, 0, 0, 0, 1},
                        askew[9] = {1, 1, 0, 0, 1, 0, 0, 0, 1};
    static const double one[3] = {1, 1, 1}, nan[3] = {NAN, 0, 0}, across[3] = {0, 1, 0};
    static const int rows[6] = {1, 0, 0, 0, 0, 1};
    turned(target);
    lg_system S = body(unit_inertia), none = body(unit_inertia), held = body(unit_inertia), sled = sleigh(),
              timed = body(unit_inertia);
    none.callbacks.force = NULL, none.callbacks.control_count = 0;
    held.callbacks.holonomic = blade, held.callbacks.holonomic_count = 1;
    timed.callbacks.time_dependent = 1;
    REFUSE(LG_ERROR_ARGUMENT, "no controls", p.system = &none);
    REFUSE(LG_ERROR_ARGUMENT, "no system", p.system = NULL);
    REFUSE(LG_ERROR_UNSUPPORTED, "holonomic", p.system = &held);
    REFUSE(LG_ERROR_UNSUPPORTED, "depends on time", p.system = &timed; p.time_low = 1; p.time_high = 2);
    REFUSE(LG_ERROR_ARGUMENT, "0 steps", p.steps = 0);
    REFUSE(LG_ERROR_ARGUMENT, "time -1", p.time = -1);
    REFUSE(LG_ERROR_ARGUMENT, "time_low < time_high", p.time_low = 2; p.time_high = 1);
    REFUSE(LG_ERROR_ARGUMENT, "time_low < time_high", p.time_low = 0; p.time_high = 3);
    REFUSE(LG_ERROR_ARGUMENT, "not within its bounds", p.time_low = 2; p.time_high = 3);
    REFUSE(LG_ERROR_ARGUMENT, "the time is given", p.time_weight = 1);
    REFUSE(LG_ERROR_SINGULAR, "pivot 2", p.effort = bad);
    REFUSE(LG_ERROR_ARGUMENT, "not symmetric", p.effort = askew);
    REFUSE(LG_ERROR_ARGUMENT, "limits 1 and 1", p.control_low = one; p.control_high = one);
    REFUSE(LG_ERROR_ARGUMENT, "control 1", p.control_low = nan);
    REFUSE(LG_ERROR_ARGUMENT, "target_g is off the group", p.target_g = off);
    REFUSE(LG_ERROR_ARGUMENT, "start_g is off the group", p.start_g = off);
    REFUSE(LG_ERROR_NOT_FINITE, "start_p", p.start_p = nan);
    REFUSE(LG_ERROR_ARGUMENT, "no target_p", p.target_p = NULL; p.target_rows = rows);
    REFUSE(LG_ERROR_ARGUMENT, "unknown method", p.method = "best");
    REFUSE(LG_ERROR_ARGUMENT, "too many", p.steps = 100000000);
    REFUSE(LG_ERROR_INCONSISTENT, "start_p", p.system = &sled; p.target_g = NULL; p.target_p = NULL;
           p.start_p = across);
    REFUSE(LG_ERROR_UNSUPPORTED, "use sem or gauss", p.system = &sled; p.target_g = NULL; p.target_p = NULL;
           p.method = "gni");
}

/* A torque that does not exist, and one that is too small: what is said, and that the point stays readable. */
static int two_torques(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g, (void)xi;
    for (int i = 0; i < 2 * c->lanes; i++) f[i] = c->control[i];
    return 0;
}

static void test_impossible(void **state)
{
    (void)state;
    lg_system S = lg_system_default(lg_rn(3));
    const double target[3] = {0.1, 0.2, 0.3}, low[3] = {-0.1, -0.1, -0.1}, high[3] = {0.1, 0.1, 0.1};
    S.inertia_diagonal = unit_inertia, S.callbacks.force = two_torques, S.callbacks.control_count = 2;
    lg_optimum_problem p = slew(&S, 10, target);
    lg_optimum *o = open(&p);
    suite_status("solve", lg_optimum_solve(o, 100, 1e-9), LG_ERROR_CONVERGENCE);
    suite_contains("message", lg_optimum_message(o), "end condition 3");
    suite_contains("message", lg_optimum_message(o), "no control moves it");
    suite_below("defect", fabs(lg_optimum_configurations(o)[30] - 0.1), 1);
    double K[120];
    suite_status("gains", lg_optimum_gains(o, K), LG_ERROR_ARGUMENT);
    suite_status("solve", lg_optimum_solve(o, -1, 1e-9), LG_ERROR_ARGUMENT);
    suite_status("solve", lg_optimum_solve(o, 1, 0), LG_ERROR_ARGUMENT);
    suite_status("guess", lg_optimum_guess(o, NULL, NULL, NULL, 2), LG_ERROR_ARGUMENT);
    lg_optimum_destroy(o);
    const double far[3] = {9, 0, 0};
    S.callbacks.force = torque, S.callbacks.control_count = 3;
    p = slew(&S, 10, far);
    p.control_low = low, p.control_high = high;
    o = open(&p);
    suite_status("solve", lg_optimum_solve(o, 100, 1e-9), LG_ERROR_CONVERGENCE);
    suite_contains("message", lg_optimum_message(o), "larger controls");
    lg_optimum_destroy(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_double_integrator),
                                       cmocka_unit_test(test_rigid_body),
                                       cmocka_unit_test(test_sleigh),
                                       cmocka_unit_test(test_cart_pole),
                                       cmocka_unit_test(test_minimum_time),
                                       cmocka_unit_test(test_motion_and_costate),
                                       cmocka_unit_test(test_costs_and_gains),
                                       cmocka_unit_test(test_rows_and_checks),
                                       cmocka_unit_test(test_reentry),
                                       cmocka_unit_test(test_watch),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_impossible)};
    suite_begin("optimum");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
