/* SPDX-License-Identifier: BSD-3-Clause */
/* Optima whose order and limits are known: minimum time on finer steps, the energy of a sleigh; the engine's second
 * derivatives and differences in their place; and what is said of bad targets, guesses and costs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/catalog/catalog.h>

#include "control/optimum.h"
#include "suite.h"
#include "support/optima.h"

/* ---- known optima ---- */

/* A half turn in minimum time with 80 steps, within 3e-5 of 3.2430832774523313 (Bilimoria and Wie 1993). */
static void test_minimum_time(void **state)
{
    (void)state;
    enum { N = 80 };
    static const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1}, target[4] = {0, 0, 1, 0};
    static const double effort[9] = {1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1e-4};
    double u[3 * N];
    for (int k = 0; k < N; k++) {
        const double s = (k + 0.5) / N;
        u[3 * k] = s < 0.3 || s > 0.8 ? 0.9 : -0.9;
        u[3 * k + 1] = s < 0.2 || s > 0.6 ? -0.9 : 0.9;
        u[3 * k + 2] = s < 0.5 ? 0.9 : -0.9;
    }
    const lg_system S = body(unit_inertia);
    lg_optimum_problem p = slew(&S, N, target);
    p.time = 4, p.time_low = 1, p.time_high = 10, p.time_weight = 1, p.effort = effort;
    p.control_low = low, p.control_high = high;
    lg_optimum *o = open(&p);
    suite_ok("guess", lg_optimum_guess(o, NULL, NULL, u, 0));
    const lg_optimum_figures f = solve(o, 60, 1e-8);
    suite_near1("time", f.time, 3.24305552, 1e-6, 1);
    suite_near1("continuous", f.time, 3.2430832774523313, 3e-5, 1);
    for (int i = 0; i < 3 * N; i++) suite_below("torque", fabs(lg_optimum_controls(o)[i]), 1);
    lg_optimum_destroy(o);
}

/* The controls of a sleigh's optimum, replayed: energy comes from their work alone, and it ends at rest. */
static void test_energy(void **state)
{
    (void)state;
    static const double target[4] = {0, 1, 1, 0}, start[4] = {0, 0, 1, 0};
    const lg_system S = sleigh();
    lg_optimum_problem p = slew(&S, 40, target);
    p.time = 4;
    lg_optimum *o = open(&p);
    (void)solve(o, 60, 1e-11);
    lg_integrator *it = NULL;
    suite_ok("create", lg_integrator_create(&it, &S, NULL, NULL, 0.1));
    suite_ok("start", lg_integrator_start_momentum(it, 0, start, zero));
    double work = 0, before[4], eta[3];
    for (int k = 0; k < 40; k++) {
        const double *u = lg_optimum_controls(o) + 2 * k;
        memcpy(before, lg_integrator_configuration(it), sizeof before);
        suite_ok("control", lg_integrator_set_control(it, u));
        suite_ok("step", lg_integrator_step(it));
        suite_ok("inverse", lg_group_inverse(lg_se2(), before, before));
        suite_ok("between", lg_group_compose(lg_se2(), before, before, lg_integrator_configuration(it)));
        suite_ok("log", lg_group_log(lg_se2(), eta, before));
        work += u[0] * eta[0] + u[1] * eta[2];
        suite_near1("balance", lg_integrator_energy(it), work, 1e-13, 1);
    }
    suite_near("target", lg_integrator_configuration(it), target, 4, 1e-10, 1);
    lg_integrator_destroy(it);
    lg_optimum_destroy(o);
}

/* ---- bad input ---- */

/* A guess beyond its limits is moved inside, and leads to the same optimum. */
static void test_guess_outside(void **state)
{
    (void)state;
    static const double low[3] = {-4, -9, -9}, high[3] = {4, 9, 9}, target[4] = {0.6, 0, 0, 0.8};
    const lg_system S = body(unit_inertia);
    lg_optimum_problem p = slew(&S, 10, target);
    p.control_low = low, p.control_high = high;
    double u[30], cost[2];
    for (int i = 0; i < 2; i++) {
        lg_optimum *o = open(&p);
        for (int k = 0; k < 30; k++) u[k] = 50;
        if (i) suite_ok("guess", lg_optimum_guess(o, NULL, NULL, u, 0));
        for (int k = 0; k < 30; k++) suite_below("inside", lg_optimum_controls(o)[k], k % 3 ? 9 : 4);
        cost[i] = solve(o, 40, 1e-9).cost;
        lg_optimum_destroy(o);
    }
    suite_near1("cost", cost[1], cost[0], 1e-8, cost[0]);
}

static void refuse(const lg_optimum_problem *p, lg_status status, const char *text)
{
    lg_optimum *o = NULL;
    suite_case("%s", text);
    suite_status("create", lg_optimum_create(&o, p), status);
    suite_contains("message", lg_optimum_message(o), text);
    lg_optimum_destroy(o);
}

/* A target that moves across the blade, or whose numbers are not finite; a free time from below 0. */
static void test_targets(void **state)
{
    (void)state;
    static const double target[4] = {0, 1, 1, 0}, across[3] = {0, 1, 0}, broken[4] = {0, NAN, 1, 0};
    const lg_system S = sleigh();
    lg_optimum_problem p = slew(&S, 10, target);
    p.target_p = across;
    refuse(&p, LG_ERROR_INCONSISTENT, "target_p");
    p = slew(&S, 10, broken);
    refuse(&p, LG_ERROR_NOT_FINITE, "target_g");
    p = slew(&S, 10, target), p.time_low = -1, p.time_high = 3;
    refuse(&p, LG_ERROR_ARGUMENT, "0 < time_low < time_high");
    p = slew(&S, 10, target), p.time = NAN;
    refuse(&p, LG_ERROR_ARGUMENT, "finite positive");
}

/* *context: 0: not finite; 1: refuses all; 2: refuses controls that a full correction would take. */
static int picky(const lg_cost_call *c, double *value, double *gradient, double *hessian)
{
    const int how = *(const int *)c->context;
    (void)gradient, (void)hessian;
    if (how == 0) *value = c->node == 4 ? (double)NAN : 0;
    return how == 1 || (how == 2 && c->u && fabs(c->u[0]) > 1 + c->steps);
}

static void test_costs(void **state)
{
    (void)state;
    static const double target[4] = {0.6, 0, 0, 0.8};
    static const lg_status known[2] = {LG_ERROR_NOT_FINITE, LG_ERROR_CALLBACK};
    static const char *const words[2] = {"running_cost is not finite at node 4", "running_cost returned 1 at node 0"};
    const lg_system S = body(unit_inertia);
    for (int how = 0; how < 3; how++) {
        lg_optimum_problem p = slew(&S, 10, target);
        p.running_cost = picky, p.cost_context = &how;
        lg_optimum *o = open(&p);
        if (how < 2) {
            suite_status("solve", lg_optimum_solve(o, 40, 1e-9), known[how]);
            suite_contains("message", lg_optimum_message(o), words[how]);
            suite_near1("readable", lg_optimum_configurations(o)[3], 1, 0, 1);
        } else {
            const double theta = 2 * atan2(0.6, 0.8), cost = 6 * theta * theta / 3.375 / (1 - 0.01);
            suite_near1("cost", solve(o, 40, 1e-9).cost, cost, 1e-9, cost);
        }
        lg_optimum_destroy(o);
    }
}

/* Half a turn has a guess and an optimum, more than that is the other way. */
static void test_half_turn(void **state)
{
    (void)state;
    const lg_system S = body(unit_inertia);
    for (int i = 0; i < 2; i++) {
        const double turn = SUITE_PI + 0.2 * i, target[4] = {0, sin(turn / 2), 0, cos(turn / 2)};
        const lg_optimum_problem p = slew(&S, 10, target);
        lg_optimum *o = open(&p);
        const double theta = SUITE_PI - 0.2 * i, cost = 6 * theta * theta / 3.375 / (1 - 0.01);
        suite_near1("cost", solve(o, 20, 1e-9).cost, cost, 1e-10, cost);
        lg_optimum_destroy(o);
    }
}

#ifdef LG_TANGENTS
/* Curvature of all steps from the engine, at an optimum and where steps miss the next node by some hundredths, is that
 * of differences, and so are optimum and number of iterations. */
static void check_curvature(const char *method, double latest)
{
    static const double target[6] = {0.6, 0.35, 0.76484218728448838, 0.64421768723769102, 0, 0};
    static const int rows[10] = {1, 1, 1, 0, 0, 1, 1, 1, 1, 1};
    lg_optimum_figures f[2];
    const lg_system *S = NULL;
    lg_model *M = NULL;
    suite_case("%s", method);
    suite_ok("model", lg_catalog_create(&M, "two-wheeled-robot"));
    suite_ok("system", lg_model_system(M, &S));
    lg_optimum_problem p = slew(S, 10, target);
    p.method = method, p.target_rows = rows;
    if (latest > 0) p.time_low = 0.5, p.time_high = latest, p.time_weight = 1;
    for (int differences = 0; differences < 2; differences++) {
        lg_optimum *o = open(&p);
        lg_wide *curved = o->lin->exact.curved;
        assert_true(lg_curve_has(o));
        if (differences) o->lin->exact.curved = NULL;
        f[differences] = solve(o, 30, 1e-9);
        const int count = o->steps * lg_optimum_w(o) * lg_optimum_w(o);
        double off = 0, size = 0, *kept = malloc((size_t)count * sizeof *kept);
        assert_non_null(kept);
        for (int i = 0; i < 3 * o->steps; i++) /* defects */
            o->now.p[o->n + i] += 0.02 * cos(i), o->now.u[i % (2 * o->steps)] += 0.1;
        suite_ok("evaluate", lg_point_evaluate(o, &o->now));
        o->lin->exact.curved = curved;
        lg_optimum_curve(o), memcpy(kept, o->curvature, (size_t)count * sizeof *kept);
        o->lin->exact.curved = NULL;
        lg_optimum_curve(o);
        for (int i = 0; i < count; i++)
            off = fmax(off, fabs(o->curvature[i] - kept[i])), size = fmax(size, fabs(kept[i]));
        assert_true(size > 0);
        suite_below("curvature", off / size, 3e-5); /* round-off of differences */
        free(kept);
        o->lin->exact.curved = curved;
        lg_optimum_destroy(o);
    }
    suite_near1("cost", f[0].cost, f[1].cost, 1e-12, f[1].cost);
    assert_true(f[0].iterations <= f[1].iterations);
    lg_model_destroy(M);
}

static void test_curvature(void **state)
{
    (void)state;
    check_curvature("sem", 0), check_curvature("sem@yoshida4", 0), check_curvature("sem", 8);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimum_time), cmocka_unit_test(test_energy), cmocka_unit_test(test_guess_outside),
        cmocka_unit_test(test_targets),      cmocka_unit_test(test_costs),  cmocka_unit_test(test_half_turn),
#ifdef LG_TANGENTS
        cmocka_unit_test(test_curvature),
#endif
    };
    suite_begin("optimum_more");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
