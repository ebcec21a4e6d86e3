/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters as unknowns of an optimum: a wind in closed form, a spring whose bound is reached, with a free time, on
 * constraints; what is refused. */
#include <math.h>
#include <string.h>

#include "suite.h"
#include "support/allocations.h"
#include "support/optima.h"

/* A unit mass on a line with wind param[0] and a spring param[1]. */
static int metric(const lg_call *c, const double *g, double *J)
{
    (void)g;
    for (int i = 0; i < c->lanes; i++) J[i] = 1;
    return 0;
}

static int metric_gradient(const lg_call *c, const double *g, const double *xi, double *dT)
{
    (void)c, (void)g, (void)xi, (void)dT;
    return 0;
}

static int potential(const lg_call *c, const double *g, double *V)
{
    for (int i = 0; i < c->lanes; i++) V[i] = 0.5 * c->param[1] * g[i] * g[i];
    return 0;
}

static int potential_gradient(const lg_call *c, const double *g, double *dV)
{
    for (int i = 0; i < c->lanes; i++) dV[i] = c->param[1] * g[i];
    return 0;
}

static int force(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g, (void)xi;
    for (int i = 0; i < c->lanes; i++) f[i] = c->control[i] + c->param[0];
    return 0;
}

static lg_system mass(const double *values)
{
    lg_system S = lg_system_default(lg_rn(1));
    S.callbacks.metric = metric, S.callbacks.metric_gradient = metric_gradient;
    S.callbacks.potential = potential, S.callbacks.potential_gradient = potential_gradient;
    S.callbacks.force = force, S.callbacks.control_count = 1;
    S.parameter_count = 2, S.parameter_values = values;
    return S;
}

/* Distance d with velocity v at the end of time 1: wind v, cost 6 (d - v/2)^2/(1 - 1/N^2). */
static void test_wind(void **state)
{
    (void)state;
    static const double values[2] = {0, 0}, d = 1, v = 0.5;
    static const int free[2] = {1, 0};
    const lg_system S = mass(values);
    for (int N = 10; N <= 40; N *= 2) {
        suite_case("%d steps", N);
        lg_optimum_problem p = lg_optimum_problem_default(&S);
        p.steps = N, p.target_g = &d, p.target_p = &v, p.parameter_free = free;
        lg_optimum *o = open(&p);
        const long before = allocations;
        const lg_optimum_figures f = solve(o, 10, 1e-11);
        assert_int_equal(allocations, before);
        const double cost = 6 * 0.75 * 0.75 / (1 - 1.0 / (N * N));
        suite_near1("cost", f.cost, cost, 1e-11, cost);
        suite_near1("wind", lg_optimum_parameters(o)[0], v, 1e-10, 1);
        assert_true(lg_optimum_parameters(o)[1] == 0 && lg_optimum_parameter_count(o) == 2);
        suite_below("iterations", f.iterations, 3);
        lg_optimum_destroy(o);
    }
}

/* From 1 to -1, both at rest: the spring would do it alone with (pi/T)^2; up to 5 it is at its bound, and the optimum
 * is that of a spring of 5. With the time free the spring chooses the time. */
static void test_spring(void **state)
{
    (void)state;
    static const double values[2] = {0, 3}, stiff[2] = {0, 5}, start = 1, target = -1, low[2] = {0, 1},
                        high[2] = {0, 5};
    static const double wide[2] = {0, 20};
    static const int free[2] = {0, 1};
    const lg_system S = mass(values), T = mass(stiff);
    lg_optimum_problem p = lg_optimum_problem_default(&S);
    p.steps = 20, p.start_g = &start, p.target_g = &target, p.target_p = zero, p.parameter_free = free;
    p.parameter_low = low, p.parameter_high = high;
    lg_optimum *o = open(&p);
    const lg_optimum_figures bounded = solve(o, 30, 1e-10);
    const double cost = bounded.cost;
    suite_below("iterations", bounded.iterations, 7);
    suite_near1("bound", lg_optimum_parameters(o)[1], 5, 1e-6, 1);
    suite_below("inside", lg_optimum_parameters(o)[1], 5);
    lg_optimum_destroy(o);
    p.system = &T, p.parameter_free = NULL, p.parameter_low = p.parameter_high = NULL;
    o = open(&p);
    suite_near1("cost", cost, solve(o, 30, 1e-10).cost, 1e-8, cost);
    lg_optimum_destroy(o);
    p.system = &S, p.parameter_free = free, p.parameter_low = low, p.parameter_high = wide;
    p.time_low = 0.5, p.time_high = 1.2, p.time_weight = 1;
    o = open(&p);
    const lg_optimum_figures f = solve(o, 60, 1e-9);
    const double k = lg_optimum_parameters(o)[1];
    suite_below("cost", f.cost, 1);
    suite_below("iterations", f.iterations, 12);
    suite_near1("stiffest", k, 20, 1e-4, 1);
    lg_optimum_destroy(o);
}

static void refuse(const lg_optimum_problem *p, lg_status status, const char *text)
{
    lg_optimum *o = NULL;
    suite_case("%s", text);
    suite_status("create", lg_optimum_create(&o, p), status);
    suite_contains("message", lg_optimum_message(o), text);
    lg_optimum_destroy(o);
}

static int arrays(const lg_call *c, double *inertia, double *rows, char *why)
{
    (void)rows, (void)why;
    inertia[0] = c->param[1];
    return 0;
}

static void test_refusals(void **state)
{
    (void)state;
    static const double values[2] = {0, 3}, low[2] = {0, 5}, one = 3;
    static const int free[2] = {0, 1}, none[2] = {0, 0};
    lg_system S = mass(values);
    lg_optimum_problem p = lg_optimum_problem_default(&S);
    p.parameter_free = none;
    refuse(&p, LG_ERROR_ARGUMENT, "none of 2 parameters is free");
    p.parameter_free = NULL, p.parameter_low = low;
    refuse(&p, LG_ERROR_ARGUMENT, "set parameter_free");
    p.parameter_free = free, p.parameter_high = low;
    refuse(&p, LG_ERROR_ARGUMENT, "bounds 5 and 5 of parameter 2");
    S = mass(values), S.callbacks.metric = NULL, S.callbacks.metric_gradient = NULL, S.inertia_diagonal = &one;
    S.callbacks.arrays = arrays;
    p = lg_optimum_problem_default(&S), p.parameter_free = free;
    refuse(&p, LG_ERROR_UNSUPPORTED, "parameter 2 is in constant arrays");
    S.callbacks.arrays = NULL;
    lg_optimum *o = open(&p);
    suite_status("unknown", lg_optimum_solve(o, 10, 1e-9), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_optimum_message(o), "not known");
    lg_optimum_destroy(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wind),
        cmocka_unit_test(test_spring),
        cmocka_unit_test(test_refusals),
    };
    suite_begin("optimum_parameters");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
