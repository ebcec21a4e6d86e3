/* SPDX-License-Identifier: BSD-3-Clause */
/* A snakeboard's gaits against values of a study: stability, strides, free periods, symmetries, free displacements. */
#include "gaits.h"

/* ---- the snakeboard ---- */

static void test_board(void **state)
{
    (void)state;
    static const double p0[N] = {0.247924227, 0, 0, 0.0168529302, 0.000105181209};
    double g[ELEMENT], p[N], re[2 * N], near[2];
    lg_group *G = NULL;
    const lg_system S = board(&G);
    const lg_optimum_problem problem = gait(&S, ahead);
    lg_optimum *o = open(&problem);
    guess(o, home, ahead);
    const lg_optimum_figures f = solve(o, 14, 1e-11);
    suite_near1("cost", f.cost, 0.37321136702691776, 1e-10, 1);
    suite_near("start", lg_optimum_momenta(o), p0, N, 2e-9, 1);
    suite_near1("phase", lg_optimum_configurations(o)[5], 0, 0, 1);
    suite_near1("rank", f.end_rank, 8, 0, 1);
    run(o, &S, 5, 0, g, p);
    const double far[ELEMENT] = {5, 0, 1, 0, 0, 0};
    suite_near("five periods", g, far, ELEMENT, 1e-12, 5);
    suite_near("momentum", p, lg_optimum_momenta(o), N, 1e-12, 1);
    multipliers(o, &S, re);
    for (int i = 0; i < 7; i++) suite_near1("multiplier", re[i], 1, 1e-6, 1); /* a block of Jordan */
    suite_near1("multiplier", re[7], 0.4463956518, 1e-8, 1);
    for (int i = 8; i < 10; i++) suite_near1("multiplier", re[i], 0, 1e-8, 1);
    for (int i = 0; i < 2; i++) {
        run(o, &S, 1, i ? 1e-5 : -1e-5, g, p);
        near[i] = p[0];
    }
    suite_near1("disturbed", (near[1] - near[0]) / 2e-5, re[7], 1e-8, 1);
    lg_optimum_destroy(o);
    lg_group_destroy(G);
}

/* Longer strides, each from the gait before; the costates are the derivative of the cost by the stride. */
static void test_strides(void **state)
{
    (void)state;
    static const double stride[5] = {1 - 1e-4, 1 + 1e-4, 1.25, 1.5, 2};
    static const double known[5] = {0, 0, 0.46896932, 0.5658214053, 0.7631299012};
    double displacement[ELEMENT], cost[5], slope[2];
    lg_group *G = NULL;
    const lg_system S = board(&G);
    const lg_optimum_problem problem = gait(&S, ahead);
    lg_optimum *o = open(&problem);
    guess(o, home, ahead);
    solve(o, 14, 1e-9);
    for (int i = 0; i < 5; i++) {
        memcpy(displacement, ahead, sizeof displacement), displacement[0] = stride[i];
        suite_ok("move", lg_optimum_move(o, NULL, NULL, displacement, NULL));
        cost[i] = solve(o, 6, 1e-9).cost;
        if (i < 2) slope[i] = lg_optimum_costates(o)[K * 2 * N];
        if (i > 1) suite_near1("cost", cost[i], known[i], 1e-8, 1);
        suite_near1("stride", lg_optimum_configurations(o)[ELEMENT * K], stride[i], 1e-12, 1);
    }
    suite_near1("slope", -0.5 * (slope[0] + slope[1]), (cost[1] - cost[0]) / 2e-4, 1e-7, 1);
    const double bent[ELEMENT] = {1, 0, 1, 0, 0, 0.3};
    suite_status("move", lg_optimum_move(o, NULL, NULL, bent, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_optimum_message(o), "no symmetry");
    suite_status("move", lg_optimum_move(o, NULL, NULL, NULL, home), LG_ERROR_ARGUMENT);
    suite_near1("cost", solve(o, 1, 1e-9).cost, cost[4], 1e-12, 1);
    lg_optimum_destroy(o);
    lg_group_destroy(G);
}

/* Order 2, as controls are held. */
static void test_order(void **state)
{
    (void)state;
    static const double known[2] = {0.37321136702691776, 0.359688578876};
    double cost[3];
    lg_group *G = NULL;
    const lg_system S = board(&G);
    lg_optimum_problem problem = gait(&S, ahead);
    for (int i = 0; i < 3; i++) {
        problem.steps = 10 << i;
        lg_optimum *o = open(&problem);
        guess(o, home, ahead);
        cost[i] = solve(o, 40, 1e-9).cost;
        if (i > 0) suite_near1("cost", cost[i], known[i - 1], 1e-10, 1);
        lg_optimum_destroy(o);
    }
    suite_near1("order", log2((cost[0] - cost[1]) / (cost[1] - cost[2])), 2, 0.5, 1);
    lg_group_destroy(G);
}

static void test_free_period(void **state)
{
    (void)state;
    lg_group *G = NULL;
    const lg_system S = board(&G);
    lg_optimum_problem problem = gait(&S, ahead);
    lg_optimum *given = open(&problem), *o = NULL;
    guess(given, home, ahead);
    solve(given, 14, 1e-9);
    problem.time_low = 1, problem.time_high = 8, problem.time_weight = 0.1;
    for (int i = 0; i < 2; i++) {
        suite_case(i ? "from a sine" : "from the gait with a given period");
        o = open(&problem);
        guess(o, home, ahead);
        const double *g = lg_optimum_configurations(given), *p = lg_optimum_momenta(given);
        if (!i) suite_ok("guess", lg_optimum_guess(o, g, p, lg_optimum_controls(given), 0));
        const lg_optimum_figures f = solve(o, i ? 40 : 8, 1e-9);
        suite_near1("period", f.time, 4.9057171677, 1e-7, 1);
        suite_near1("effort", f.cost - 0.1 * f.time, 0.2497135313, 1e-8, 1);
        lg_optimum_destroy(o);
    }
    lg_optimum_destroy(given);
    lg_group_destroy(G);
}

/* A start that is turned, with the displacement that belongs to it, costs what the other one costs; a turn costs what
 * its mirror image costs. */
static void test_symmetries(void **state)
{
    (void)state;
    const double start[ELEMENT] = {3, -1, cos(0.7), sin(0.7), 0.3, 0},
                 along[ELEMENT] = {cos(0.7), sin(0.7), 1, 0, 0, 0};
    double turn[2] = {0}, cost = 0;
    lg_group *G = NULL;
    const lg_system S = board(&G);
    lg_optimum_problem problem = gait(&S, along);
    problem.start_g = start;
    lg_optimum *o = open(&problem);
    guess(o, start, along);
    cost = solve(o, 20, 1e-10).cost;
    suite_near1("cost", cost, 0.37321136702691776, 1e-10, 1);
    suite_near("start", lg_optimum_configurations(o), start, ELEMENT, 1e-15, 1);
    lg_optimum_destroy(o);
    for (int i = 0; i < 2; i++) {
        const double by = i ? 0.2 : -0.2, bend[ELEMENT] = {0.8, i ? 0.1 : -0.1, cos(by), sin(by), 0, 0};
        problem = gait(&S, bend);
        o = open(&problem);
        guess(o, home, bend);
        turn[i] = solve(o, 40, 1e-10).cost;
        suite_near("end", lg_optimum_configurations(o) + ELEMENT * K, bend, 4, 1e-12, 1);
        lg_optimum_destroy(o);
    }
    suite_near1("turn", turn[0], turn[1], 1e-9, 1);
    lg_group_destroy(G);
}

/* 1/2 (x_N - 2)^2 */
static int goal(const lg_cost_call *c, double *value, double *gradient, double *hessian)
{
    const double off = c->g[0] - 2, cosine = c->g[2], sine = c->g[3];
    *value = 0.5 * off * off;
    if (!gradient) return 0;
    gradient[0] = off * cosine, gradient[1] = -off * sine;
    hessian[0] = cosine * cosine, hessian[1] = hessian[2 * N] = -cosine * sine, hessian[2 * N + 1] = sine * sine;
    return 0;
}

/* The stride that costs of one's own choose is the one whose prescribed gait has their slope. */
static void test_free_stride(void **state)
{
    (void)state;
    static const int rows[2 * N] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    lg_group *G = NULL;
    const lg_system S = board(&G);
    lg_optimum_problem problem = gait(&S, ahead);
    problem.target_rows = rows, problem.end_cost = goal;
    lg_optimum *o = open(&problem);
    guess(o, home, ahead);
    const lg_optimum_figures f = solve(o, 20, 1e-10);
    const double stride = lg_optimum_configurations(o)[ELEMENT * K], end[ELEMENT] = {stride, 0, 1, 0, 0, 0};
    suite_near1("conditions", f.end_count, 9, 0, 1);
    suite_above("stride", stride, 1.5);
    lg_optimum_destroy(o);
    problem = gait(&S, end);
    o = open(&problem);
    guess(o, home, end);
    suite_near1("cost", solve(o, 20, 1e-10).cost, f.cost - 0.5 * (stride - 2) * (stride - 2), 1e-10, 1);
    suite_near1("slope", -lg_optimum_costates(o)[K * 2 * N], 2 - stride, 1e-8, 1);
    lg_optimum_destroy(o);
    lg_group_destroy(G);
}

/* A robot whose left motor has nothing to do: constant torques of 0.1 and 0.15 against friction of 0.02 times 5. What
 * is left of the slopes of an idle control is rounding. */
static void test_idle(void **state)
{
    (void)state;
    static const int rows[2 * N] = {1, 1, 1, 0, 0, 1, 1, 1, 1, 1};
    const double metre[7] = {1, 0, 1, 0, 0, 0, 0};
    const lg_system *S = NULL;
    lg_model *M = NULL;
    suite_ok("model", lg_catalog_create(&M, "two-wheeled-robot"));
    suite_ok("system", lg_model_system(M, &S));
    lg_optimum_problem problem = lg_optimum_problem_default(S);
    problem.steps = 4, problem.time = 2, problem.closes = 1, problem.target_g = metre, problem.target_rows = rows;
    lg_optimum *o = open(&problem);
    suite_near1("cost", solve(o, 8, 1e-9).cost, 0.0025, 1e-12, 1);
    for (int k = 0; k < 4; k++) {
        suite_near1("left", lg_optimum_controls(o)[2 * k], 0, 1e-9, 1);
        suite_near1("right", lg_optimum_controls(o)[2 * k + 1], -0.05, 1e-9, 1);
    }
    lg_optimum_destroy(o);
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_board),      cmocka_unit_test(test_strides),
                                       cmocka_unit_test(test_order),      cmocka_unit_test(test_free_period),
                                       cmocka_unit_test(test_symmetries), cmocka_unit_test(test_free_stride),
                                       cmocka_unit_test(test_idle)};
    suite_begin("gait");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
