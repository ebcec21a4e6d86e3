/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems whose controls are velocities: as many constraints as velocities, whose drift reads the controls. Lengths of
 * sub-Riemannian geodesics are known in closed form. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "support/optima.h"

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double identity_5[25] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1};

/* The velocity is u in the first two directions and 0 in the third, in body axes. */
static int two_axes(const lg_call *c, const double *g, double *Y)
{
    (void)g;
    for (int i = 0; i < 2 * c->lanes; i++) Y[i] = c->control[i];
    return 0;
}

/* A cart moves along itself and turns: velocities 1 and 3 of SE(2). */
static int unicycle(const lg_call *c, const double *g, double *Y)
{
    const int L = c->lanes;
    (void)g;
    for (int i = 0; i < L; i++) Y[i] = c->control[i], Y[2 * L + i] = c->control[L + i];
    return 0;
}

/* Brockett's integrator on R^3: x' = u_1, y' = u_2, z' = (x u_2 - y u_1)/2. */
static int brockett(const lg_call *c, const double *g, double *Y)
{
    const int L = c->lanes;
    const double *u = c->control;
    for (int i = 0; i < L; i++) {
        Y[i] = u[i], Y[L + i] = u[L + i];
        Y[2 * L + i] = 0.5 * (g[i] * u[L + i] - g[L + i] * u[i]);
    }
    return 0;
}

static int no_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)c, (void)g, (void)xi, (void)f;
    return 0;
}

static lg_system kinematic(const lg_group *G, lg_field_fn drift)
{
    lg_system S = lg_system_default(G);
    S.inertia_diagonal = unit_inertia, S.constraint_count = 3, S.covector_matrix = identity;
    S.callbacks.drift = drift, S.callbacks.control_count = 2, S.callbacks.lanes = LG_LANES_OWN_TIMES;
    return S;
}

static lg_optimum_problem travel(const lg_system *S, int steps, double time, const double *target)
{
    lg_optimum_problem p = lg_optimum_problem_default(S);
    p.steps = steps, p.time = time, p.target_g = target;
    return p;
}

/* A run with the optimum's controls passes its nodes. */
static void replay(const lg_system *S, const lg_optimum *o, const double *start)
{
    lg_integrator *it = NULL;
    lg_optimum_figures f;
    const int N = lg_optimum_steps(o), e = S->group->element_size;
    suite_ok("read", lg_optimum_read(o, &f, sizeof f));
    suite_ok("create", lg_integrator_create(&it, S, NULL, NULL, f.time / N));
    suite_ok("start", lg_integrator_start_momentum(it, 0, start, zero));
    for (int k = 0; k < N; k++) {
        suite_ok("control", lg_integrator_set_control(it, lg_optimum_controls(o) + 2 * k));
        suite_ok("step", lg_integrator_step(it));
        suite_near("node", lg_integrator_configuration(it), lg_optimum_configurations(o) + (k + 1) * e, e, 1e-10, 1);
    }
    suite_near1("time", lg_integrator_time(it), f.time, 1e-12, 1);
    lg_integrator_destroy(it);
}

/* From 0 to (0, 0, z) with N held controls: a regular polygon, 2 N tan(pi/N) z/T. */
static void test_heisenberg(void **state)
{
    (void)state;
    static const char *const methods[] = {"sem", "gauss"};
    const double target[3] = {0, 0, 0.7}, T = 2;
    const lg_system S = kinematic(lg_rn(3), brockett);
    for (int i = 0; i < 4; i++) {
        const int N = 5 << i % 3;
        suite_case("%d steps of %s", N, methods[i / 3]);
        lg_optimum_problem p = travel(&S, N, T, target);
        p.method = methods[i / 3];
        lg_optimum *o = open(&p);
        const double known = 2 * N * tan(SUITE_PI / N) * target[2] / T;
        const lg_optimum_figures f = solve(o, 40, 1e-12);
        suite_near1("cost", f.cost, known, 1e-12, known);
        suite_below("iterations", f.iterations, 25);
        replay(&S, o, zero);
        lg_optimum_destroy(o);
    }
}

/* The last cost of 20, 40 and 80 steps, extrapolated; the order is 2. */
static double limit_of(const lg_system *S, double time, const double *start, const double *target)
{
    double cost[3];
    for (int i = 0; i < 3; i++) {
        suite_case("%d steps", 20 << i);
        const lg_optimum_problem p = travel(S, 20 << i, time, target);
        lg_optimum *o = open(&p);
        const lg_optimum_figures f = solve(o, 60, 1e-10);
        cost[i] = f.cost;
        suite_below("iterations", f.iterations, 40);
        suite_below("end", f.end, 1e-9);
        if (i == 0) replay(S, o, start);
        lg_optimum_destroy(o);
    }
    suite_near1("order", log2((cost[0] - cost[1]) / (cost[1] - cost[2])), 2, 0.05, 1);
    return cost[2] + (cost[2] - cost[1]) / 3;
}

/* A turn by phi about the third axis, by turns about the others: phi (4 pi - phi)/(2 T). */
static void test_turn(void **state)
{
    (void)state;
    const double phi = 1, T = 1.5, start[4] = {0, 0, 0, 1}, target[4] = {0, 0, sin(phi / 2), cos(phi / 2)};
    const double known = phi * (4 * SUITE_PI - phi) / (2 * T);
    const lg_system S = kinematic(lg_so3(), two_axes);
    suite_near1("cost", limit_of(&S, T, start, target), known, 1e-5, known);
}

/* A cart parks sideways by 1. Where it turns little the cost is that of Heisenberg's problem with larger steps: its
 * order and its replay are what is checked, and that a mirrored target costs the same. */
static void test_unicycle(void **state)
{
    (void)state;
    const double start[4] = {0, 0, 1, 0}, target[2][4] = {{0, 1, 1, 0}, {0, -1, 1, 0}};
    const lg_system S = kinematic(lg_se2(), unicycle);
    const double cost = limit_of(&S, 2, start, target[0]);
    suite_near1("mirrored", limit_of(&S, 2, start, target[1]), cost, 1e-8, cost);
}

/* A ball of radius 1 rolls: velocities of its centre, and w = R^T (-u_2, u_1, 0). */
static int rolling(const lg_call *c, const double *g, double *Y)
{
    const int L = c->lanes;
    for (int l = 0; l < L; l++) {
        const double *u = c->control + l, q[4] = {g[2 * L + l], g[3 * L + l], g[4 * L + l], g[5 * L + l]};
        const double W[3] = {-u[L], u[0], 0};
        double w[3];
        lg_so3_act_inverse(w, q, W);
        Y[l] = u[0], Y[L + l] = u[L];
        for (int i = 0; i < 3; i++) Y[(2 + i) * L + l] = w[i];
    }
    return 0;
}

/* The largest distance of the curvature of the way from an affine function of the place. */
static double off_affine(const lg_optimum *o)
{
    const int N = lg_optimum_steps(o);
    const double *u = lg_optimum_controls(o), *g = lg_optimum_configurations(o), h = 1.0 / N;
    double M[9] = {0}, b[3] = {0}, kappa[80], off = 0;
    for (int k = 1; k < N; k++) {
        const double *v = u + 2 * k, *w = v - 2, x[3] = {g[6 * k], g[6 * k + 1], 1};
        kappa[k] = atan2(w[0] * v[1] - w[1] * v[0], w[0] * v[0] + w[1] * v[1]) /
                   (0.5 * h * (hypot(v[0], v[1]) + hypot(w[0], w[1])));
        for (int i = 0; i < 3; i++) {
            b[i] += x[i] * kappa[k];
            for (int j = 0; j < 3; j++) M[3 * i + j] += x[i] * x[j];
        }
    }
    assert_int_equal(lg_cholesky(M, 3, NULL), LG_OK);
    lg_cholesky_solve(M, 3, b);
    for (int k = 1; k < N; k++) off = fmax(off, fabs(kappa[k] - b[0] * g[6 * k] - b[1] * g[6 * k + 1] - b[2]));
    return off;
}

/* A ball rolls to a place and an attitude: the shortest ways are elasticae (V. Jurdjevic, The geometry of the
 * plate-ball problem, Arch. Rational Mech. Anal. 124, 1993), whose curvature is an affine function of the place. */
static void test_plate_ball(void **state)
{
    (void)state;
    const lg_group *factors[] = {lg_rn(2), lg_so3()};
    const double target[6] = {0, 2, 0, 0, sin(0.5), cos(0.5)}, inertia[5] = {1, 1, 1, 1, 1};
    double off[3], cost[3];
    lg_group *G = NULL;
    suite_ok("group", lg_group_create_product(&G, factors, 2));
    lg_system S = kinematic(G, rolling);
    S.constraint_count = 5, S.covector_matrix = identity_5, S.inertia_diagonal = inertia;
    for (int i = 0; i < 3; i++) {
        suite_case("%d steps", 20 << i);
        const lg_optimum_problem p = travel(&S, 20 << i, 1, target);
        lg_optimum *o = open(&p);
        cost[i] = solve(o, 100, 1e-10).cost, off[i] = off_affine(o);
        lg_optimum_destroy(o);
    }
    suite_near1("cost", cost[2] + (cost[2] - cost[1]) / 3, 16.6207, 1e-3, 1);
    suite_near1("order", log2((cost[0] - cost[1]) / (cost[1] - cost[2])), 2, 0.05, 1);
    suite_below("curvature", off[2], 1e-3);
    suite_near1("order of the curvature", log2(off[1] / off[2]), 2, 0.1, 1);
    lg_group_destroy(G);
}

static int squares(const lg_cost_call *c, double *value, double *gradient, double *hessian)
{
    const int s = c->u ? 8 : 6;
    *value = 0.5 * c->p[0] * c->p[0];
    if (gradient) gradient[3] = c->p[0], hessian[3 * s + 3] = 1;
    return 0;
}

static void refuse(const lg_optimum_problem *p, lg_status status, const char *words)
{
    lg_optimum *o;
    suite_case("%s", words);
    assert_int_equal(lg_optimum_create(&o, p), status);
    if (!strstr(lg_optimum_message(o), words)) suite_fail("message: %s", lg_optimum_message(o));
    lg_optimum_destroy(o);
}

static void test_refusals(void **state)
{
    (void)state;
    const double target[3] = {0, 0, 0.7};
    const int some[6] = {1};
    lg_system S = kinematic(lg_rn(3), brockett);
    lg_optimum_problem p = travel(&S, 5, 1, target);
    p.target_p = zero;
    refuse(&p, LG_ERROR_ARGUMENT, "leave target_p NULL");
    p.target_p = NULL, p.start_p = zero;
    refuse(&p, LG_ERROR_ARGUMENT, "leave start_p NULL");
    p.start_p = NULL, p.closes = 1;
    refuse(&p, LG_ERROR_UNSUPPORTED, "a gait of a system");
    p.closes = 0, p.start_free = some;
    refuse(&p, LG_ERROR_UNSUPPORTED, "a free start of a system");
    p.start_free = NULL, p.method = "gauss", p.degree = 1;
    refuse(&p, LG_ERROR_UNSUPPORTED, "so that their degree must be 0");
    p.degree = 0, p.running_cost = squares;
    lg_optimum *o = open(&p);
    assert_int_equal(lg_optimum_solve(o, 10, 1e-9), LG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(lg_optimum_message(o), "running_cost depends on the momentum at node 0"));
    lg_optimum_destroy(o);
    p.running_cost = NULL, S.constraint_count = 2, S.callbacks.force = no_force;
    refuse(&p, LG_ERROR_UNSUPPORTED, "2 constraints of 3 velocities depend on controls");
}

/* What would take the velocity for a state, or for one that does not change with the controls. */
static void test_elsewhere(void **state)
{
    (void)state;
    const double u[4] = {1, 0, 0, 1}, start[3] = {0.1, 0.2, 0};
    const lg_system S = kinematic(lg_rn(3), brockett);
    lg_integrator *it = NULL;
    lg_linearisation *lin = NULL;
    suite_ok("create", lg_integrator_create(&it, &S, "gni", NULL, 0.1));
    suite_ok("before the start", lg_integrator_set_control(it, u));
    suite_ok("start", lg_integrator_start(it, 0, start, u, LG_START_REACTION, 1));
    suite_ok("the same", lg_integrator_set_control(it, u));
    suite_status("gni", lg_integrator_set_control(it, u + 1), LG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(lg_integrator_message(it), "use sem"));
    lg_integrator_destroy(it);
    suite_ok("create", lg_integrator_create(&it, &S, "gauss", NULL, 0.1));
    suite_status("degree", lg_integrator_set_control_nodes(it, 1, u), LG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(lg_integrator_message(it), "constraints prescribe the velocity"));
    suite_ok("control", lg_integrator_set_control(it, u));
    suite_ok("start", lg_integrator_start(it, 0, start, u, LG_START_REACTION, 1));
    suite_ok("create", lg_linearisation_create(&lin, it));
    suite_status("derivative", lg_linearisation_step(lin, it), LG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(lg_linearisation_message(lin), "no inputs of the step"));
    suite_near1("time", lg_integrator_time(it), 0, 0, 1);
    lg_linearisation_destroy(lin), lg_integrator_destroy(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heisenberg), cmocka_unit_test(test_turn),     cmocka_unit_test(test_unicycle),
        cmocka_unit_test(test_plate_ball), cmocka_unit_test(test_refusals), cmocka_unit_test(test_elsewhere),
    };
    suite_begin("optimum_kinematic");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
