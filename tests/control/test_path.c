/* SPDX-License-Identifier: BSD-3-Clause */
/* Inequalities at the nodes of an optimum: known optima with bounds of states, functions of one's own with and without
 * derivatives, multipliers, clearances of bodies, problems that have no solution. */
#include <math.h>
#include <string.h>

#include "control/mechanism.h"
#include "control/path.h"
#include "suite.h"
#include "support/allocations.h"
#include "support/reaching.h"

static int push(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g, (void)xi;
    for (int i = 0; i < 2 * c->lanes; i++) f[i] = c->control[i];
    return 0;
}

static int pull(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g, (void)xi;
    for (int i = 0; i < c->lanes; i++) f[i] = c->control[i];
    return 0;
}

/* A unit mass on a line or in a plane. */
static lg_system mass(int n)
{
    static const double unit[2] = {1, 1};
    lg_system S = lg_system_default(lg_rn(n));
    S.inertia_diagonal = unit, S.callbacks.force = n == 1 ? pull : push, S.callbacks.control_count = n;
    S.callbacks.lanes = LG_LANES_OWN_TIMES;
    return S;
}

static const double one[2] = {1, 0};

static lg_optimum_problem move(const lg_system *S, int steps)
{
    lg_optimum_problem p = lg_optimum_problem_default(S);
    p.steps = steps, p.time = 1, p.target_g = one, p.target_p = zero;
    return p;
}

/* ---- bounds ---- */

/* Distance 1 in time 1 with velocities up to v: the control falls linearly to 0 at t = 3/2 (1 - 1/v), then the mass
 * coasts; cost 4 v^2/(3 t). The multipliers are the derivative of the cost by v. */
static void test_velocity(void **state)
{
    (void)state;
    const lg_system S = mass(1);
    const double low[2] = {-INFINITY, -INFINITY}, known = 4 * 1.44 / (3 * 0.25);
    double off[3], cost[3];
    for (int i = 0; i < 3; i++) {
        const double high[2] = {INFINITY, 1.2};
        lg_optimum_problem p = move(&S, 20 << i);
        p.state_low = low, p.state_high = high;
        lg_optimum *o = open(&p);
        const lg_optimum_figures f = solve(o, 25, 1e-10);
        off[i] = f.cost - known;
        for (int k = 0; k <= p.steps; k++) suite_below("velocity", lg_optimum_momenta(o)[k], 1.2 + 1e-9);
        assert_int_equal(lg_optimum_path_count(o), 1);
        lg_optimum_destroy(o);
    }
    suite_near1("order", log2(off[1] / off[2]), 2, 0.1, 1);
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double high[2] = {INFINITY, 1.2 + (i - 1) * 1e-3};
        lg_optimum_problem p = move(&S, 20);
        p.state_low = low, p.state_high = high;
        lg_optimum *o = open(&p);
        cost[i] = solve(o, 25, 1e-11).cost;
        for (int k = 0; i == 1 && k <= 20; k++) sum += lg_optimum_path_multipliers(o)[k];
        lg_optimum_destroy(o);
    }
    suite_near1("multipliers", sum, (cost[0] - cost[2]) / 2e-3, 1e-4, sum);
}

/* Force up to 1 and velocity up to v in least time: d/v + v. */
static void test_free_time(void **state)
{
    (void)state;
    const lg_system S = mass(1);
    const double state_low[2] = {-INFINITY, -0.5}, state_high[2] = {INFINITY, 0.5}, low = -1, high = 1, effort = 1e-5;
    lg_optimum_problem p = move(&S, 40);
    p.time = 4, p.time_low = 1, p.time_high = 10, p.time_weight = 1, p.effort = &effort;
    p.control_low = &low, p.control_high = &high, p.state_low = state_low, p.state_high = state_high;
    lg_optimum *o = open(&p);
    suite_near1("time", solve(o, 60, 1e-8).time, 2.5, 2e-3, 1);
    for (int k = 0; k <= 40; k++) suite_below("velocity", fabs(lg_optimum_momenta(o)[k]), 0.5 + 1e-8);
    lg_optimum_destroy(o);
}

/* ---- functions ---- */

/* The velocity as test_velocity() bounds it, and no more power than `context` says, at nodes with a control. */
static int power(const lg_cost_call *c, double *values, double *jacobian)
{
    const double *most = c->context;
    values[0] = 1.2 - c->p[0];
    values[1] = c->u ? *most - c->u[0] * c->p[0] : INFINITY;
    if (!jacobian) return 0;
    const int s = c->u ? 3 : 2;
    jacobian[1] = -1;
    if (c->u) jacobian[s + 1] = -c->u[0], jacobian[s + 2] = -c->p[0];
    return 0;
}

static int wrong(const lg_cost_call *c, double *values, double *jacobian)
{
    const int code = power(c, values, jacobian);
    if (jacobian) jacobian[1] = -1.01;
    return code;
}

/* Derivatives and differences lead to the same optimum, in about as many iterations. */
static void test_functions(void **state)
{
    (void)state;
    const lg_system S = mass(1);
    const double low[2] = {-INFINITY, -INFINITY}, high[2] = {INFINITY, 1.2}, all = 100, little = 3;
    double cost[3];
    lg_optimum_problem p = move(&S, 20);
    p.state_low = low, p.state_high = high;
    lg_optimum *o = open(&p);
    cost[0] = solve(o, 25, 1e-11).cost;
    lg_optimum_destroy(o);
    p = move(&S, 20), p.path = power, p.path_count = 2, p.path_context = &all;
    o = open(&p);
    cost[1] = solve(o, 25, 1e-11).cost;
    suite_near1("bounds and functions", cost[1], cost[0], 1e-9, cost[0]);
    lg_optimum_destroy(o);
    p.path_context = &little;
    for (int exact = 0; exact < 2; exact++) {
        p.path_jacobian = exact;
        o = open(&p);
        suite_ok("check", lg_optimum_check(o, 0));
        const lg_optimum_figures f = solve(o, 40, 1e-11);
        cost[1 + exact] = f.cost;
        suite_near1("violation", f.path, 0, 1e-9, 1);
        double most = 0;
        for (int k = 0; k < 20; k++) most = fmax(most, lg_optimum_controls(o)[k] * lg_optimum_momenta(o)[k]);
        suite_near1("power", most, little, 1e-8, 1);
        lg_optimum_destroy(o);
    }
    suite_near1("differences", cost[2], cost[1], 1e-9, cost[1]);
    suite_above("cost", cost[2], cost[0] + 0.01);
    p.path = wrong;
    o = open(&p);
    suite_status("check", lg_optimum_check(o, 0), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_optimum_message(o), "path inequality 1 at node 0, coordinate 2, is -1.01");
    lg_optimum_destroy(o);
}

/* Outside of a circle that the line to the target crosses: order 2 of the cost; as often as at a bend there is no
 * derivative, and that is said. */
static int circle(const lg_cost_call *c, double *values, double *jacobian)
{
    (void)jacobian;
    values[0] = hypot(c->g[0] - 0.5, c->g[1] - 0.05) - 0.2;
    return 0;
}

static int bend(const lg_cost_call *c, double *values, double *jacobian)
{
    (void)jacobian;
    values[0] = 1 - fabs(c->g[1]);
    return 0;
}

static void test_circle(void **state)
{
    (void)state;
    const lg_system S = mass(2);
    double cost[3];
    for (int i = 0; i < 3; i++) {
        lg_optimum_problem p = move(&S, 20 << i);
        p.path = circle, p.path_count = 1;
        lg_optimum *o = open(&p);
        cost[i] = solve(o, 40, 1e-9).cost;
        for (int k = 0; k <= p.steps; k++) {
            const double *x = lg_optimum_configurations(o) + 2 * k;
            suite_above("distance", hypot(x[0] - 0.5, x[1] - 0.05), 0.2 - 1e-8);
        }
        lg_optimum_destroy(o);
    }
    suite_above("around", cost[0], 6.2);
    suite_near1("order", log2((cost[0] - cost[1]) / (cost[1] - cost[2])), 2, 0.5, 1);
    lg_optimum_problem p = move(&S, 10);
    p.path = bend, p.path_count = 1;
    lg_optimum *o = open(&p);
    suite_status("bend", lg_optimum_solve(o, 40, 1e-9), LG_ERROR_DOMAIN);
    suite_contains("message", lg_optimum_message(o), "differences do not find the derivative of path inequality 1");
    lg_optimum_destroy(o);
}

/* ---- clearances ---- */

/* The hand of an arm, 0.05 in radius. */
static lg_clearance hand(lg_obstacle obstacle, const double *place, const double *extent)
{
    lg_clearance c = lg_clearance_default("lower");
    c.obstacle = obstacle, c.radius = 0.05, c.point[2] = -0.25;
    memcpy(c.place, place, sizeof c.place), memcpy(c.extent, extent, sizeof c.extent);
    return c;
}

/* Slopes of clearances are those of their values. */
static void slopes_agree(lg_optimum *o)
{
    for (int k = 1; k < 10; k += 3)
        for (int i = 0; i < 2; i++) {
            double by[8] = {0}, value[2];
            for (int side = 0; side < 2; side++) {
                by[i] = side ? 1e-5 : -1e-5;
                suite_ok("displaced", lg_path_displaced(o, k, by, &value[side]));
            }
            const double slope = (value[1] - value[0]) / 2e-5;
            suite_near1("slope", o->path.jacobian[k * lg_optimum_w(o) + i], slope, 1e-8, 1);
        }
}

/* The hand passes a ball, a box and a ceiling from a guess that goes through; no iteration allocates. The cost without
 * them is 4.4401. */
static void test_clearance(void **state)
{
    (void)state;
    static const double place[3][3] = {{-0.4, 0, -0.4}, {-0.4, 0.02, -0.4}, {0, 0, -0.35}};
    static const double extent[3][3] = {{0.1, 0, 0}, {0.1, 0.2, 0.1}, {0, 0, -2}};
    static const double cost[3] = {5.66097308772, 5.82011402981, 5.27487160158};
    lg_mechanism *m = arm(INFINITY);
    const double target[2] = {1, 0};
    for (int i = 0; i < 3; i++) {
        suite_case("obstacle %d", i);
        const lg_clearance c = hand((lg_obstacle)i, place[i], extent[i]);
        lg_optimum_problem p = problem_of(m, 10, 0.6, target);
        p.clearances = &c, p.clearance_count = 1;
        lg_optimum *o = open(&p);
        suite_ok("check", lg_optimum_check(o, 0));
        slopes_agree(o);
        const long before = allocations;
        const lg_optimum_figures f = solve(o, 20, 1e-9);
        assert_int_equal(allocations, before);
        suite_near1("cost", f.cost, cost[i], 1e-8, cost[i]);
        suite_below("violation", f.path, 1e-8);
        double most = 0;
        for (int k = 0; k <= 10; k++) {
            const double z = lg_optimum_path_multipliers(o)[k], gap = lg_optimum_path(o)[k];
            suite_below("complementarity", fabs(z * gap), 1e-6);
            most = fmax(most, z);
        }
        suite_above("multiplier", most, 1);
        lg_optimum_destroy(o);
    }
    lg_mechanism_destroy(m);
}

/* Bounds of positions and velocities at all nodes, with target and start at some of them. */
static void test_joints(void **state)
{
    (void)state;
    lg_mechanism *m = arm(INFINITY);
    const double target[2] = {1, 0}, low[4] = {0, -INFINITY, -INFINITY, -6}, high[4] = {1, 1, 3, 6};
    lg_optimum_problem p = problem_of(m, 20, 0.6, target);
    p.state_low = low, p.state_high = high;
    lg_optimum *o = open(&p);
    assert_int_equal(lg_optimum_path_count(o), 6);
    (void)solve(o, 40, 1e-8);
    double least = 1, most[2] = {0, 0};
    for (int k = 0; k <= 20; k++) {
        const double *q = lg_optimum_configurations(o) + 2 * k, *v = lg_optimum_momenta(o) + 2 * k;
        least = fmin(least, q[0]), most[0] = fmax(most[0], q[1]), most[1] = fmax(most[1], v[0]);
        suite_below("position", q[0], 1 + 1e-8);
        suite_below("velocity", fabs(v[1]), 6 + 1e-7);
    }
    suite_near1("least", least, 0, 1e-6, 1);
    suite_near1("bend", most[0], 1, 1e-6, 1);
    suite_near1("rate", most[1], 3, 1e-5, 1);
    lg_optimum_destroy(o);
    lg_mechanism_destroy(m);
}

/* ---- impossible ones ---- */

static int short_of(const lg_cost_call *c, double *values, double *jacobian)
{
    (void)jacobian;
    values[0] = 0.5 - c->g[0];
    return 0;
}

static void test_impossible(void **state)
{
    (void)state;
    const lg_system S = mass(1);
    const double low[2] = {-INFINITY, -INFINITY}, high[2] = {0.5, INFINITY}, above[2] = {0.5, -INFINITY};
    lg_optimum_problem p = move(&S, 10);
    p.path = short_of, p.path_count = 1;
    lg_optimum *o = open(&p);
    suite_status("solve", lg_optimum_solve(o, 60, 1e-9), LG_ERROR_CONVERGENCE);
    suite_contains("message", lg_optimum_message(o), "path inequality 1 stays violated by 0.5 at node 10");
    lg_optimum_destroy(o);
    p = move(&S, 10), p.state_low = low, p.state_high = high;
    o = open(&p);
    suite_status("target", lg_optimum_solve(o, 60, 1e-9), LG_ERROR_INCONSISTENT);
    suite_contains("message", lg_optimum_message(o),
                   "the upper bound 0.5 of number 1 of the configuration is violated by 0.5 at the target");
    lg_optimum_destroy(o);
    p.state_low = above, p.state_high = NULL;
    o = open(&p);
    suite_status("start", lg_optimum_solve(o, 60, 1e-9), LG_ERROR_INCONSISTENT);
    suite_contains("message", lg_optimum_message(o), "at the start, which is given");
    lg_optimum_destroy(o);
}

/* A ball around the target: the body that cannot go there is named, with its node. */
static void test_blocked(void **state)
{
    (void)state;
    static const double place[3] = {-0.84, 0, -0.54}, extent[3] = {0.2, 0, 0};
    lg_mechanism *m = arm(INFINITY);
    const double target[2] = {1, 0};
    const lg_clearance c = hand(LG_OBSTACLE_SPHERE, place, extent);
    lg_optimum_problem p = problem_of(m, 10, 0.6, target);
    p.clearances = &c, p.clearance_count = 1;
    lg_optimum *o = open(&p);
    suite_status("solve", lg_optimum_solve(o, 60, 1e-9), LG_ERROR_CONVERGENCE);
    suite_contains("message", lg_optimum_message(o),
                   "the distance of body 'lower' from sphere 1 stays violated by 0.24");
    suite_contains("message", lg_optimum_message(o), "at node 10");
    lg_optimum_destroy(o);
    lg_mechanism_destroy(m);
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

static int broken(const lg_cost_call *c, double *values, double *jacobian)
{
    (void)jacobian;
    values[0] = c->node == 3 ? (double)NAN : 1;
    return c->node == 7 ? 5 : 0;
}

static void test_refusals(void **state)
{
    (void)state;
    const lg_system S = mass(1);
    lg_mechanism *m = arm(INFINITY);
    const double target[2] = {1, 0}, low[2] = {1, 0}, place[3] = {0, 0, 0}, extent[3] = {0, 1, 1};
    lg_clearance c = hand(LG_OBSTACLE_BOX, place, extent);
    lg_optimum_problem p = move(&S, 10);
    p.path_count = 1;
    refuse(&p, LG_ERROR_ARGUMENT, "there is no path");
    p.path_count = 0, p.path = broken;
    refuse(&p, LG_ERROR_ARGUMENT, "path_count is 0");
    p = move(&S, 10), p.state_low = p.state_high = low;
    refuse(&p, LG_ERROR_ARGUMENT, "bounds 1 and 1 of number 1");
    p = move(&S, 10), p.clearances = &c, p.clearance_count = 1;
    refuse(&p, LG_ERROR_UNSUPPORTED, "bodies of a mechanism");
    p = problem_of(m, 10, 1, target), p.clearances = &c, p.clearance_count = 1;
    refuse(&p, LG_ERROR_ARGUMENT, "half edges of a box");
    c.extent[0] = 1, c.body = "hand";
    refuse(&p, LG_ERROR_ARGUMENT, "no body 'hand'");
    c.body = "lower", c.radius = -1;
    refuse(&p, LG_ERROR_ARGUMENT, "radius -1");
    p.clearance_count = -1;
    refuse(&p, LG_ERROR_ARGUMENT, "-1 clearances");
    p = move(&S, 10), p.path = broken, p.path_count = 1;
    lg_optimum *o = open(&p);
    suite_status("solve", lg_optimum_solve(o, 60, 1e-9), LG_ERROR_NOT_FINITE);
    suite_contains("message", lg_optimum_message(o), "path inequality 1 is not finite at node 3");
    lg_optimum_destroy(o);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_velocity),   cmocka_unit_test(test_free_time), cmocka_unit_test(test_functions),
        cmocka_unit_test(test_circle),     cmocka_unit_test(test_clearance), cmocka_unit_test(test_joints),
        cmocka_unit_test(test_impossible), cmocka_unit_test(test_blocked),   cmocka_unit_test(test_refusals),
    };
    suite_begin("path");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
