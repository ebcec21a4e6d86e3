/* SPDX-License-Identifier: BSD-3-Clause */
/* Optima of mechanisms: a slide in closed form; arms, a loop and wheels, whose controls are replayed by a motion and
 * whose slopes an adjoint sweep finds; order; limits of motors. */
#include <math.h>
#include <string.h>

#include "support/reaching.h"

/* The motion that starts as the optimum does. */
static lg_motion *begin(const lg_mechanism *m, const lg_optimum *o, double time)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, "sem", time / lg_optimum_steps(o)), mo);
    motion_well(lg_motion_start_joints(mo, 0, lg_optimum_configurations(o), lg_optimum_momenta(o), 0), mo);
    return mo;
}

/* A motion with the optimum's controls passes its nodes, and ends at the target where that is asked for (rows). */
static void replay(const lg_mechanism *m, const lg_optimum *o, const lg_optimum_problem *p, double tolerance)
{
    lg_motion *mo = begin(m, o, p->time);
    const int n = lg_motion_position_count(mo), c = lg_model_control_count(lg_motion_model(mo));
    double q[64], v[64];
    for (int k = 1; k <= p->steps; k++) {
        motion_well(lg_motion_set_control(mo, lg_optimum_controls(o) + (k - 1) * c), mo);
        motion_well(lg_motion_step(mo, 1), mo);
        motion_well(lg_motion_positions(mo, q, v), mo);
        for (int i = 0; i < n; i++) {
            suite_near1("position", q[i], lg_optimum_configurations(o)[k * n + i], tolerance, 1);
            suite_near1("velocity", v[i], lg_optimum_momenta(o)[k * n + i], tolerance, 1);
        }
    }
    for (int i = 0; i < n; i++) {
        if (!p->target_rows || p->target_rows[i]) suite_near1("target", q[i], p->target_g[i], tolerance, 1);
        if (!p->target_rows || p->target_rows[n + i]) suite_near1("its velocity", v[i], zero[i], tolerance, 1);
    }
    suite_below("gap", lg_motion_gap(mo), 1e-12);
    lg_motion_destroy(mo);
}

/* Cost and end together do not change with the controls: an adjoint sweep from the last costate. */
static void slopes(const lg_mechanism *m, const lg_optimum *o, const lg_optimum_problem *p, double tolerance)
{
    static double nodes[81 * 40], direct[81 * 8], gradient[40 + 81 * 8 + 1], C[40 * 40];
    lg_motion *mo = begin(m, o, p->time);
    lg_trajectory *tr;
    assert_int_equal(lg_trajectory_of_motion(&tr, mo, p->steps), LG_OK);
    suite_ok("run", lg_trajectory_run(tr, lg_optimum_controls(o)));
    const int k = lg_trajectory_deviations(tr), c = lg_trajectory_controls(tr), x = lg_trajectory_state_size(tr);
    const double *last = lg_optimum_costates(o) + p->steps * x, *u = lg_optimum_controls(o), h = p->time / p->steps;
    double most = 0;
    memset(nodes, 0, sizeof nodes);
    suite_ok("basis", lg_trajectory_basis(tr, C, p->steps));
    for (int i = 0; i < k; i++)
        for (int l = 0; l < x; l++) nodes[p->steps * k + i] += C[l * k + i] * last[l];
    for (int i = 0; i < p->steps * c; i++) direct[i] = h * u[i], most = fmax(most, fabs(direct[i]));
    suite_ok("gradient", lg_trajectory_gradient(tr, gradient, nodes, direct));
    for (int i = 0; i < p->steps * c; i++) suite_near1("slope", gradient[k + i], 0, tolerance, most);
    lg_trajectory_destroy(tr);
    lg_motion_destroy(mo);
}

/* ---- known optima ---- */

/* A mass in a line: 6 (m d)^2/T^3/(1 - 1/N^2), in one step of Newton's. */
static void test_slide(void **state)
{
    (void)state;
    lg_mechanism *m = slide();
    const double target = 3;
    for (int N = 10; N <= 40; N *= 2) {
        suite_case("%d steps", N);
        const lg_optimum_problem p = problem_of(m, N, 2, &target);
        lg_optimum *o = open(&p);
        const lg_optimum_figures f = solve(o, 3, 1e-10);
        const double known = 6 * 36 / 8.0 / (1 - 1.0 / (N * N));
        suite_near1("cost", f.cost, known, 1e-11, known);
        suite_below("iterations", f.iterations, 1);
        replay(m, o, &p, 1e-11);
        suite_near1("costate", lg_optimum_costates(o)[0], lg_optimum_costates(o)[2 * N], 1e-9, known);
        lg_optimum_destroy(o);
    }
    lg_mechanism_destroy(m);
}

/* An arm lifts both links: the controls lead there, nothing is gained by other ones, and the cost has order 2. */
static void test_arm(void **state)
{
    (void)state;
    lg_mechanism *m = arm(INFINITY);
    const double target[2] = {0.3, 0};
    double cost[3];
    for (int i = 0; i < 3; i++) {
        suite_case("%d steps", 20 << i);
        const lg_optimum_problem p = problem_of(m, 20 << i, 0.25, target);
        lg_optimum *o = open(&p);
        cost[i] = solve(o, 40, 1e-10).cost;
        replay(m, o, &p, 1e-9);
        if (i == 0) slopes(m, o, &p, 1e-8);
        lg_optimum_destroy(o);
    }
    suite_case("order");
    suite_near1("ratio", (cost[0] - cost[1]) / (cost[1] - cost[2]), 4, 0.1, 1);
    lg_mechanism_destroy(m);
}

/* ---- loops, wheels, several freedoms ---- */

/* The rotor turns by 1, wherever the pendulum is on the way; a four-bar's crank by half a radian, whose other joints
 * follow; a cart on wheels drives forward. The first position and all velocities have targets. */
static void test_exhibits(void **state)
{
    (void)state;
    static const struct {
        const char *name, *joint;
        int held;
        double by, time, cost;
    } cases[] = {{"furuta", NULL, 0, 1, 0.5, 0.00446570946494},
                 {"four-bar", "a", 0, 0.3, 0.5, 0.972501521032},
                 {"balancing-robot", NULL, 2, 0.02, 0.5, 0.0554674388181}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double target[32];
        int rows[64] = {0};
        suite_case("%s", cases[i].name);
        lg_mechanism *m = exhibit(cases[i].name, cases[i].joint);
        const int n = assembled(m, target);
        rows[cases[i].held] = 1, target[cases[i].held] += cases[i].by;
        for (int j = 0; j < n; j++) rows[n + j] = 1;
        lg_optimum_problem p = problem_of(m, 20, cases[i].time, target);
        p.target_rows = rows;
        lg_optimum *o = open(&p);
        const lg_optimum_figures f = solve(o, 60, 1e-9);
        suite_near1("cost", f.cost, cases[i].cost, 1e-9, cases[i].cost);
        suite_below("iterations", f.iterations, 8);
        replay(m, o, &p, 1e-9);
        slopes(m, o, &p, 1e-7);
        lg_optimum_destroy(o);
        lg_mechanism_destroy(m);
    }
}

/* ---- limits, time, costs, memory ---- */

/* Motors hold their own limits, narrower ones are obeyed, and wider ones refused. */
static void test_limits(void **state)
{
    (void)state;
    lg_mechanism *m = arm(2.5);
    const double target[2] = {0.3, 0}, low[2] = {-2.3, -1.5}, high[2] = {2.3, 1.5}, wide[2] = {2.5, 5};
    lg_optimum_problem p = problem_of(m, 20, 0.5, target);
    double most[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        suite_case("%s limits", i ? "narrower" : "own");
        if (i) p.control_low = low, p.control_high = high;
        lg_optimum *o = open(&p);
        (void)solve(o, 60, 1e-6); /* without tangents, derivatives next to a limit are no better */
        replay(m, o, &p, 1e-6);
        for (int k = 0; k < 20; k++)
            for (int j = 0; j < 2; j++) {
                const double u = fabs(lg_optimum_controls(o)[2 * k + j]);
                suite_below("control", u, i ? high[j] : 2.5);
                most[i] = fmax(most[i], u);
            }
        lg_optimum_destroy(o);
    }
    if (!(most[0] > 2.49 && most[1] > 2.29)) suite_fail("no limit is active: %g, %g", most[0], most[1]);
    p.control_high = wide;
    lg_optimum *o;
    assert_int_equal(lg_optimum_create(&o, &p), LG_ERROR_ARGUMENT);
    assert_non_null(strstr(lg_optimum_message(o), "'bend' go beyond its own, -2.5 and 2.5"));
    lg_optimum_destroy(o);
    lg_mechanism_destroy(m);
}

/* A mass in minimum time, force up to 1: 2 sqrt(m d). */
static void test_time(void **state)
{
    (void)state;
    lg_mechanism *m = slide();
    const double target = 2, low = -1, high = 1, effort = 1e-5;
    lg_optimum_problem p = problem_of(m, 40, 3, &target);
    p.time_low = 1, p.time_high = 10, p.time_weight = 1, p.control_low = &low, p.control_high = &high;
    p.effort = &effort;
    lg_optimum *o = open(&p);
    const lg_optimum_figures f = solve(o, 60, 1e-8);
    suite_near1("time", f.time, 4, 2e-3, 1);
    lg_optimum_destroy(o);
    lg_mechanism_destroy(m);
}

/* 1/2 weight |q - far|^2 while the arm moves, and at the end with its velocity. */
static int pulls(const lg_cost_call *c, double *value, double *gradient, double *hessian)
{
    const double *weight = c->context, at[4] = {c->g[0] - 0.2, c->g[1] + 0.1, c->p[0], c->p[1]};
    const int s = c->u ? 6 : 4;
    for (int i = 0; i < (c->u ? 2 : 4); i++) {
        *value += 0.5 * *weight * at[i] * at[i];
        if (gradient) gradient[i] = *weight * at[i], hessian[i * s + i] = *weight;
    }
    return 0;
}

/* With costs of one's own the cost is the least of its neighbours', and gains say how another start changes controls.
 */
static void test_costs(void **state)
{
    (void)state;
    lg_mechanism *m = arm(INFINITY);
    const double weight = 30;
    lg_optimum_problem p = problem_of(m, 10, 0.4, NULL);
    p.target_p = NULL, p.running_cost = pulls, p.end_cost = pulls, p.cost_context = &weight;
    lg_optimum *o = open(&p);
    suite_ok("check", lg_optimum_check(o, 0));
    const lg_optimum_figures f = solve(o, 60, 1e-10);
    suite_below("iterations", f.iterations, 12);
    static double u[20];
    memcpy(u, lg_optimum_controls(o), sizeof u);
    for (int i = 0; i < 20; i += 3)
        for (int side = -1; side <= 1; side += 2) {
            double cost = 0, v = 0;
            lg_motion *mo = begin(m, o, p.time);
            u[i] += side * 1e-4;
            for (int k = 0; k <= 10; k++) {
                double q[2], w[2];
                motion_well(lg_motion_positions(mo, q, w), mo);
                const lg_cost_call call = {&weight, 0.04 * k, k, 10, q, w, k < 10 ? u + 2 * k : NULL};
                v = 0;
                pulls(&call, &v, NULL, NULL);
                cost += k < 10 ? 0.04 * (v + 0.5 * (u[2 * k] * u[2 * k] + u[2 * k + 1] * u[2 * k + 1])) : v;
                if (k == 10) break;
                motion_well(lg_motion_set_control(mo, u + 2 * k), mo);
                motion_well(lg_motion_step(mo, 1), mo);
            }
            u[i] -= side * 1e-4;
            if (!(cost > f.cost)) suite_fail("control %d: %.17g is not above %.17g", i, cost, f.cost);
            suite_near1("next to it", cost, f.cost, 1e-5, f.cost);
            lg_motion_destroy(mo);
        }
    double K[10 * 2 * 4], moved[2];
    const double by[4] = {1e-5, -2e-5, 3e-5, -1e-5};
    suite_ok("gains", lg_optimum_gains(o, K));
    suite_ok("move", lg_optimum_move(o, by, by + 2, NULL, NULL));
    (void)solve(o, 10, 1e-10);
    for (int j = 0; j < 2; j++) {
        moved[j] = 0;
        for (int i = 0; i < 4; i++) moved[j] += K[4 * j + i] * by[i];
        suite_near1("gain", lg_optimum_controls(o)[j] - u[j], moved[j], 1e-3, fabs(moved[j]));
    }
    lg_optimum_destroy(o);
    lg_mechanism_destroy(m);
}

/* The gains bring a disturbed arm nearer; moved targets are reached from the optimum in few iterations. */
static void test_gains(void **state)
{
    (void)state;
    lg_mechanism *m = arm(INFINITY);
    double target[2] = {0.3, 0}, K[20 * 8], q[2], v[2], off[2];
    const lg_optimum_problem p = problem_of(m, 20, 0.25, target);
    lg_optimum *o = open(&p);
    (void)solve(o, 60, 1e-9);
    suite_ok("gains", lg_optimum_gains(o, K));
    for (int with = 0; with < 2; with++) {
        lg_motion *mo = begin(m, o, p.time);
        const double start[2] = {0.01, -0.01};
        motion_well(lg_motion_start_joints(mo, 0, start, zero, 0), mo);
        for (int k = 0; k < 20; k++) {
            double u[2];
            motion_well(lg_motion_positions(mo, q, v), mo);
            for (int j = 0; j < 2; j++) {
                u[j] = lg_optimum_controls(o)[2 * k + j];
                for (int i = 0; with && i < 2; i++)
                    u[j] += K[(2 * k + j) * 4 + i] * (q[i] - lg_optimum_configurations(o)[2 * k + i]) +
                            K[(2 * k + j) * 4 + 2 + i] * (v[i] - lg_optimum_momenta(o)[2 * k + i]);
            }
            motion_well(lg_motion_set_control(mo, u), mo);
            motion_well(lg_motion_step(mo, 1), mo);
        }
        motion_well(lg_motion_positions(mo, q, v), mo);
        off[with] = hypot(hypot(q[0] - 0.3, q[1]), hypot(v[0], v[1]));
        lg_motion_destroy(mo);
    }
    if (!(off[1] < 0.5 * off[0])) suite_fail("with gains %g off, without %g", off[1], off[0]);
    target[0] = 0.31;
    suite_ok("move", lg_optimum_move(o, NULL, NULL, target, NULL));
    suite_below("iterations", solve(o, 10, 1e-9).iterations, 4);
    replay(m, o, &p, 1e-9);
    lg_optimum_destroy(o);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slide),  cmocka_unit_test(test_arm),  cmocka_unit_test(test_exhibits),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_time), cmocka_unit_test(test_costs),
        cmocka_unit_test(test_gains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
