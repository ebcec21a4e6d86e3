/* SPDX-License-Identifier: BSD-3-Clause */
/* Trials whose steps cannot be solved, or whose derivatives do not exist, shorten a correction; what is said where all
 * corrections lead to such steps. */
#include <math.h>
#include <string.h>

#include "support/optima.h"

static const double origin[4] = {0, 0, 1, 0};

typedef struct exists {
    double speed, control; /* the sleigh's force exists up to these */
} exists;

static int limited_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    const exists *most = c->context;
    for (int i = 0; i < 3 * c->lanes; i++)
        if (fabs(xi[i]) > most->speed) return 1;
    for (int i = 0; i < 2 * c->lanes; i++)
        if (fabs(c->control[i]) > most->control) return 1;
    return sleigh_force(c, g, xi, f);
}

static lg_system limited_sleigh(const exists *most)
{
    lg_system S = sleigh();
    S.callbacks.force = limited_force, S.context = most;
    return S;
}

static lg_optimum_problem parking(const lg_system *S, const double *target)
{
    lg_optimum_problem p = slew(S, 20, target);
    p.start_g = origin, p.time = 4;
    return p;
}

/* From a straight line the iteration begins at a motion with random controls, which are beyond those that can be solved
 * here. The optimum is the one without a limit. */
static void test_controls(void **state)
{
    (void)state;
    static const double target[4] = {0, 0.1, 1, 0};
    const exists most[2] = {{1e9, 1e9}, {1e9, 1}};
    double cost[2], largest = 0;
    for (int i = 0; i < 2; i++) {
        suite_case("controls up to %g", most[i].control);
        const lg_system S = limited_sleigh(&most[i]);
        const lg_optimum_problem p = parking(&S, target);
        lg_optimum *o = open(&p);
        cost[i] = solve(o, 60, 1e-10).cost;
        for (int k = 0; k < 2 * 20; k++) largest = fmax(largest, fabs(lg_optimum_controls(o)[k]));
        lg_optimum_destroy(o);
    }
    suite_near1("cost", cost[1], cost[0], 1e-9, cost[0]);
    suite_below("largest control", largest, 1);
}

/* Where no motion is slow enough, the message names a node and the reason, and the best point stays readable. */
static void test_hopeless(void **state)
{
    (void)state;
    static const double target[4] = {0, 1, 1, 0};
    const exists most = {0.3, 1e9};
    const lg_system S = limited_sleigh(&most);
    const lg_optimum_problem p = parking(&S, target);
    lg_optimum *o = open(&p);
    lg_optimum_figures f;
    assert_int_equal(lg_optimum_solve(o, 200, 1e-10), LG_ERROR_CONVERGENCE);
    suite_case("%s", lg_optimum_message(o));
    assert_non_null(strstr(lg_optimum_message(o), "node "));
    assert_non_null(strstr(lg_optimum_message(o), "force returned 1"));
    suite_ok("read", lg_optimum_read(o, &f, sizeof f));
    assert_true(!f.solved && isfinite(f.cost) && isfinite(f.defect));
    for (int i = 0; i < 4 * 21; i++) assert_true(isfinite(lg_optimum_configurations(o)[i]));
    for (int i = 0; i < 2 * 20; i++) assert_true(isfinite(lg_optimum_controls(o)[i]));
    lg_optimum_destroy(o);
}

/* 1/2 |p|^2, whose derivatives are refused beyond a momentum: context. */
static int smooth_near(const lg_cost_call *c, double *value, double *gradient, double *hessian)
{
    const double most = *(const double *)c->context;
    const int s = c->u ? 9 : 6;
    for (int i = 0; i < 3; i++) {
        *value += 0.5 * c->p[i] * c->p[i];
        if (gradient && fabs(c->p[i]) > most) return 1;
        if (gradient) gradient[3 + i] = c->p[i], hessian[(3 + i) * s + 3 + i] = 1;
    }
    return 0;
}

/* A trial that has a value and no model is too long, too. */
static void test_no_model(void **state)
{
    (void)state;
    const double most[2] = {1e9, 2.9}, inertia[3] = {1, 1.5, 2.2};
    double target[4], cost[2];
    const lg_system S = body(inertia);
    turned(target);
    for (int i = 0; i < 2; i++) {
        suite_case("momenta up to %g", most[i]);
        lg_optimum_problem p = slew(&S, 20, target);
        p.running_cost = smooth_near, p.cost_context = &most[i];
        lg_optimum *o = open(&p);
        cost[i] = solve(o, 60, 1e-10).cost;
        lg_optimum_destroy(o);
    }
    suite_near1("cost", cost[1], cost[0], 1e-9, cost[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_hopeless),
        cmocka_unit_test(test_no_model),
    };
    suite_begin("optimum_unsolved");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
