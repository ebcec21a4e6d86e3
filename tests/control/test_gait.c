/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaits: motions that close on their displaced start. A snakeboard against values of a study; stability, strides, free
 * periods, free displacements and starts; a roller racer with limits; bad input. */
#include <math.h>
#include <string.h>

#include <liegrp/catalog/catalog.h>

#include "suite.h"

/* ---- systems ---- */

enum { K = 20, N = 5, ELEMENT = 6 };

/* A snakeboard on SE(2) x T^2 (rotor, axles) with friction, m = r = 1, and motors at rotor and axles. */
static const double board_inertia[25] = {1, 0, 0, 0, 0, 0,    1, 0, 0, 0, 0, 0,   0.75,
                                         0, 0, 0, 0, 0, 0.25, 0, 0, 0, 0, 0, 0.25};
static const double FRICTION = 0.2, PERIOD = 4;

static int board_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const int L = c->lanes;
    (void)Y;
    for (int i = 0; i < L; i++)
        mu[L + i] = -1, mu[5 * L + i] = lg_real_sin(g[5 * L + i]), mu[7 * L + i] = lg_real_cos(g[5 * L + i]);
    return 0;
}

static int board_rows_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    const int L = c->lanes;
    (void)dY;
    for (int i = 0; i < L; i++) {
        dmu[5 * L + i] = lg_real_cos(g[5 * L + i]) * eta[4 * L + i];
        dmu[7 * L + i] = -lg_real_sin(g[5 * L + i]) * eta[4 * L + i];
    }
    return 0;
}

static int board_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    const int L = c->lanes;
    (void)g;
    for (int i = 0; i < L; i++) {
        f[i] = -FRICTION * xi[i], f[2 * L + i] = -FRICTION * xi[2 * L + i] - c->control[i];
        f[3 * L + i] = c->control[i], f[4 * L + i] = c->control[L + i];
    }
    return 0;
}

static lg_system board(lg_group **G)
{
    const lg_group *const factors[2] = {lg_se2(), lg_torus(2)};
    suite_ok("group", lg_group_create_product(G, factors, 2));
    lg_system S = lg_system_default(*G);
    S.inertia = board_inertia, S.constraint_count = 2;
    S.callbacks.covectors = board_rows, S.callbacks.covectors_derivative = board_rows_along;
    S.callbacks.force = board_force, S.callbacks.control_count = 2, S.callbacks.lanes = LG_LANES_OWN_TIMES;
    return S;
}

static const double home[ELEMENT] = {0, 0, 1, 0, 0, 0}, ahead[ELEMENT] = {1, 0, 1, 0, 0, 0};

static lg_optimum_problem gait(const lg_system *S, const double *displacement)
{
    lg_optimum_problem p = lg_optimum_problem_default(S);
    p.steps = K, p.time = PERIOD, p.closes = 1, p.target_g = displacement;
    return p;
}

/* ---- helpers ---- */

/* Rotor and axles swing as a sine, the board rolls from its start along the displacement. */
static void guess(lg_optimum *o, const double *start, const double *displacement)
{
    double g[ELEMENT * (2 * K + 1)], p[N * (2 * K + 1)] = {0}, u[4 * K];
    const double amplitude = 0.3, w = 2 * SUITE_PI / PERIOD;
    const int steps = lg_optimum_steps(o);
    const double heading = atan2(start[3], start[2]), turn = atan2(displacement[3], displacement[2]);
    for (int k = 0; k <= steps; k++) {
        const double share = (double)k / steps, phase = 2 * SUITE_PI * share, middle = phase + SUITE_PI / steps;
        double *x = g + ELEMENT * k;
        x[0] = start[0] + share * displacement[0], x[1] = start[1] + share * displacement[1];
        x[2] = cos(heading + share * turn), x[3] = sin(heading + share * turn);
        x[4] = start[4] - amplitude * sin(phase), x[5] = -amplitude * sin(phase);
        p[N * k] = 1 / PERIOD, p[N * k + 3] = p[N * k + 4] = -0.25 * amplitude * w * cos(phase);
        if (k < steps) u[2 * k] = u[2 * k + 1] = 0.25 * amplitude * w * w * sin(middle);
    }
    suite_ok("guess", lg_optimum_guess(o, g, p, u, 0));
}

static lg_optimum *open(const lg_optimum_problem *p)
{
    lg_optimum *o = NULL;
    if (lg_optimum_create(&o, p) != LG_OK) suite_fail("create: %s", lg_optimum_message(o));
    return o;
}

static lg_optimum_figures solve(lg_optimum *o, int iterations, double tolerance)
{
    lg_optimum_figures f;
    if (lg_optimum_solve(o, iterations, tolerance) != LG_OK) suite_fail("solve: %s", lg_optimum_message(o));
    suite_ok("read", lg_optimum_read(o, &f, sizeof f));
    return f;
}

/* `periods` of the controls from the start of the gait, whose first momentum is changed by `by`. */
static void run(const lg_optimum *o, const lg_system *S, int periods, double by, double *g, double *p)
{
    const int n = S->group->dim, c = S->callbacks.control_count, steps = lg_optimum_steps(o);
    lg_integrator *it = NULL;
    double start[8];
    memcpy(start, lg_optimum_momenta(o), (size_t)n * sizeof *start), start[0] += by;
    suite_ok("create", lg_integrator_create(&it, S, NULL, NULL, PERIOD / steps));
    suite_ok("start", lg_integrator_start_momentum(it, 0, lg_optimum_configurations(o), start));
    for (int k = 0; k < periods * steps; k++) {
        suite_ok("control", lg_integrator_set_control(it, lg_optimum_controls(o) + k % steps * c));
        suite_ok("step", lg_integrator_step(it));
    }
    memcpy(g, lg_integrator_configuration(it), (size_t)S->group->element_size * sizeof *g);
    memcpy(p, lg_integrator_momentum(it), (size_t)n * sizeof *p);
    lg_integrator_destroy(it);
}

/* The Floquet multipliers, 2 n, the largest first. */
static void multipliers(const lg_optimum *o, const lg_system *S, double *re)
{
    lg_integrator *it = NULL;
    lg_trajectory *tr = NULL;
    double im[16];
    suite_ok("create", lg_integrator_create(&it, S, NULL, NULL, PERIOD / lg_optimum_steps(o)));
    suite_ok("start", lg_integrator_start_momentum(it, 0, lg_optimum_configurations(o), lg_optimum_momenta(o)));
    suite_ok("trajectory", lg_trajectory_create(&tr, it, lg_optimum_steps(o)));
    suite_ok("run", lg_trajectory_run(tr, lg_optimum_controls(o)));
    suite_ok("multipliers", lg_trajectory_multipliers(tr, re, im));
    lg_trajectory_destroy(tr);
    lg_integrator_destroy(it);
}

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

/* Held momenta of the start: a rotor that is free to turn starts with the momentum that is given. Without a gait, a
 * free start chooses itself: a body that must reach a momentum without torques has it from the start. */
static int no_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g, (void)xi;
    for (int i = 0; i < 2 * c->lanes; i++) f[i] = c->control[i];
    return 0;
}

static void test_start_free(void **state)
{
    (void)state;
    static const int rows[2 * N] = {1, 1, 1, 0, 1, 1, 1, 1, 1, 1}, board_free[2 * N] = {0, 0, 0, 0, 0, 1, 1, 1, 0, 1};
    static const int momentum[4] = {0, 0, 1, 0};
    static const double unit[2] = {1, 1}, target[2] = {2, 2}, low[2] = {-9, -9};
    lg_group *G = NULL;
    const lg_system S = board(&G);
    lg_optimum_problem problem = gait(&S, ahead);
    problem.target_rows = rows, problem.start_free = board_free;
    lg_optimum *o = open(&problem);
    guess(o, home, ahead);
    suite_near1("cost", solve(o, 20, 1e-10).cost, 0.37321136702691776, 1e-10, 1);
    suite_near1("momentum of the rotor", lg_optimum_momenta(o)[3], 0, 0, 1);
    suite_above("turn of the rotor", fabs(lg_optimum_configurations(o)[ELEMENT * K + 4]), 0.2);
    lg_optimum_destroy(o);
    lg_group_destroy(G);

    lg_system flat = lg_system_default(lg_rn(2));
    flat.inertia_diagonal = unit, flat.callbacks.force = no_force, flat.callbacks.control_count = 2;
    problem = lg_optimum_problem_default(&flat);
    problem.target_g = target, problem.start_free = momentum, problem.control_low = low;
    o = open(&problem);
    const lg_optimum_figures f = solve(o, 20, 1e-9);
    suite_near1("cost", f.cost, 2 * 3 / (1 - 1.0 / (4 * 40 * 40)), 1e-6, 1); /* of the second direction alone */
    suite_near1("momentum", lg_optimum_momenta(o)[0], 2, 1e-8, 1);
    lg_optimum_destroy(o);
}

/* A cart with friction c v goes by d in T at the force c d/T; with w a unit of time T is c d/sqrt(2 w). Its cost
 * depends on the free start by the end conditions alone. */
static int cart_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g;
    for (int i = 0; i < c->lanes; i++) f[i] = c->control[i] - 0.5 * xi[i];
    return 0;
}

static void test_cart(void **state)
{
    (void)state;
    static const double mass = 2, displacement = 3;
    lg_system S = lg_system_default(lg_rn(1));
    S.inertia_diagonal = &mass;
    S.callbacks.force = cart_force, S.callbacks.control_count = 1, S.callbacks.lanes = LG_LANES_OWN_TIMES;
    for (int i = 0; i < 2; i++) {
        suite_case(i ? "free period" : "period 2");
        lg_optimum_problem problem = gait(&S, &displacement);
        problem.time = 2;
        if (i) problem.time_low = 1, problem.time_high = 9, problem.time_weight = 0.1;
        lg_optimum *o = open(&problem);
        const lg_optimum_figures f = solve(o, i ? 25 : 1, 1e-9);
        const double time = i ? 1.5 / sqrt(0.2) : 2;
        suite_near1("period", f.time, time, 1e-7, 1);
        suite_near1("cost", f.cost, 0.5 * 2.25 / time + (i ? 0.1 * time : 0), 1e-9, 1);
        suite_near1("momentum", lg_optimum_momenta(o)[0], 2 * displacement / time, 1e-7, 1);
        lg_optimum_destroy(o);
    }
}

/* A spring that is pushed with a period: the force fixes the phase, the start is free, and closes without controls
 * where the forced oscillation is. */
static int pushed(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g, (void)xi;
    for (int i = 0; i < c->lanes; i++) f[i] = c->control[i] + lg_real_cos(c->t * SUITE_PI / 2);
    return 0;
}

static int spring(const lg_call *c, const double *g, double *V)
{
    for (int i = 0; i < c->lanes; i++) V[i] = 0.5 * g[i] * g[i];
    return 0;
}

static void test_forced(void **state)
{
    (void)state;
    static const double mass = 1;
    lg_system S = lg_system_default(lg_rn(1));
    S.inertia_diagonal = &mass, S.callbacks.potential = spring;
    S.callbacks.force = pushed, S.callbacks.control_count = 1, S.callbacks.time_dependent = 1;
    lg_optimum_problem problem = gait(&S, NULL);
    problem.steps = 2 * K;
    lg_optimum *o = open(&problem);
    const lg_optimum_figures f = solve(o, 8, 1e-10);
    suite_below("cost", f.cost, 1e-18);
    suite_near1("start", lg_optimum_configurations(o)[0], 1 / (1 - SUITE_PI * SUITE_PI / 4), 1e-2, 1);
    lg_optimum_destroy(o);
}

/* ---- a roller racer ---- */

enum { RACER = 4, RACER_ELEMENT = 5 };

static int racer_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    const int L = c->lanes;
    (void)g;
    for (int i = 0; i < L; i++) f[i] = -FRICTION * xi[i], f[3 * L + i] = c->control[i];
    return 0;
}

/* By swinging its link a racer moves against it, which takes a sine of the shape as a guess, and more effort with a
 * weaker motor. It cannot move the other way. */
static void test_racer(void **state)
{
    (void)state;
    static const double displacement[RACER_ELEMENT] = {-1, 0, 1, 0, 0}, limits[3] = {INFINITY, 0.2, 0.18};
    static const double ahead_too[RACER_ELEMENT] = {1, 0, 1, 0, 0};
    double g[RACER_ELEMENT * (K + 1)], before = 0, last[RACER_ELEMENT], end[RACER];
    const lg_system *catalog = NULL;
    lg_model *M = NULL;
    suite_ok("model", lg_catalog_create(&M, "roller-racer"));
    suite_ok("system", lg_model_system(M, &catalog));
    lg_system S = *catalog;
    S.callbacks.force = racer_force, S.callbacks.control_count = 1;
    for (int k = 0; k <= K; k++) {
        const double x[RACER_ELEMENT] = {-(double)k / K, 0, 1, 0, 0.5 * sin(2 * SUITE_PI * k / K)};
        memcpy(g + RACER_ELEMENT * k, x, sizeof x);
    }
    for (int i = 0; i < 3; i++) {
        const double high = limits[i], low = -high;
        suite_case("limit %g", high);
        lg_optimum_problem problem = gait(&S, displacement);
        problem.control_low = &low, problem.control_high = &high;
        lg_optimum *o = open(&problem);
        suite_ok("guess", lg_optimum_guess(o, g, NULL, NULL, 0));
        const lg_optimum_figures f = solve(o, 30, 1e-9);
        double most = 0;
        for (int k = 0; k < K; k++) most = fmax(most, fabs(lg_optimum_controls(o)[k]));
        suite_below("torque", most, high);
        suite_above("cost", f.cost, before);
        run(o, &S, 3, 0, last, end);
        const double far[RACER_ELEMENT] = {-3, 0, 1, 0, 0};
        suite_near("three periods", last, far, RACER_ELEMENT, 1e-8, 1);
        suite_near("momentum", end, lg_optimum_momenta(o), RACER, 1e-8, 1);
        before = f.cost;
        lg_optimum_destroy(o);
    }
    const lg_optimum_problem problem = gait(&S, ahead_too);
    lg_optimum *o = open(&problem);
    suite_status("solve", lg_optimum_solve(o, 60, 1e-9), LG_ERROR_CONVERGENCE);
    lg_optimum_destroy(o);
    lg_model_destroy(M);
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
        lg_optimum_problem p = gait(&S, ahead);                                                                        \
        __VA_ARGS__;                                                                                                   \
        refuse(&p, status, text);                                                                                      \
    } while (0)

static int slope(const lg_call *c, const double *g, double *V)
{
    for (int i = 0; i < c->lanes; i++) V[i] = 0.1 * g[c->lanes + i] * g[c->lanes + i];
    return 0;
}

static int push(const lg_call *c, const double *g, const double *xi, double *f)
{
    board_force(c, g, xi, f);
    for (int i = 0; i < c->lanes; i++) f[4 * c->lanes + i] += lg_real_sin(c->t * 2 * SUITE_PI / PERIOD);
    return 0;
}

static void test_refusals(void **state)
{
    (void)state;
    static const double off[ELEMENT] = {1, 0, 1, 1, 0, 0}, bent[ELEMENT] = {1, 0, 1, 0, 0, 0.3},
                        aside[ELEMENT] = {0, 1, 1, 0, 0, 0};
    static const int shape[2 * N] = {1, 1, 1, 1, 0, 1, 1, 1, 1, 1}, momentum[2 * N] = {1, 1, 1, 1, 1, 1, 1, 0, 1, 1};
    static const int pose[2 * N] = {1, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    lg_group *G = NULL;
    const lg_system S = board(&G);
    lg_system none = S, hill = S, driven = S;
    none.callbacks.force = NULL, none.callbacks.control_count = 0;
    hill.callbacks.potential = slope;
    driven.callbacks.force = push, driven.callbacks.time_dependent = 1;
    REFUSE(LG_ERROR_ARGUMENT, "no controls", p.system = &none);
    REFUSE(LG_ERROR_ARGUMENT, "target_g is off the group", p.target_g = off);
    REFUSE(LG_ERROR_ARGUMENT, "target_g, the displacement of a motion that closes, is no symmetry", p.target_g = bent);
    REFUSE(LG_ERROR_ARGUMENT, "no symmetry", p.target_g = aside; p.system = &hill);
    REFUSE(LG_ERROR_ARGUMENT, "no symmetry of the system in this time", p.time = 3; p.system = &driven);
    REFUSE(LG_ERROR_ARGUMENT, "end condition 5 must hold", p.target_rows = shape);
    REFUSE(LG_ERROR_ARGUMENT, "end condition 8 must hold", p.target_rows = momentum);
    REFUSE(LG_ERROR_ARGUMENT, "start_free 1 must be 0", p.start_free = pose);
    REFUSE(LG_ERROR_ARGUMENT, "set target_p to NULL", p.target_p = home);
    REFUSE(LG_ERROR_ARGUMENT, "closes is 2", p.closes = 2);
    REFUSE(LG_ERROR_ARGUMENT, "time_low < time_high", p.time_low = 8; p.time_high = 1);
    REFUSE(LG_ERROR_ARGUMENT, "not within its bounds", p.time_low = 5; p.time_high = 8);
    lg_optimum_problem p = gait(&driven, ahead); /* the force has this period */
    lg_optimum *o = open(&p);
    lg_optimum_destroy(o);
    lg_group_destroy(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_board),       cmocka_unit_test(test_strides),    cmocka_unit_test(test_order),
        cmocka_unit_test(test_free_period), cmocka_unit_test(test_symmetries), cmocka_unit_test(test_free_stride),
        cmocka_unit_test(test_start_free),  cmocka_unit_test(test_cart),       cmocka_unit_test(test_forced),
        cmocka_unit_test(test_racer),       cmocka_unit_test(test_refusals)};
    suite_begin("gait");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
