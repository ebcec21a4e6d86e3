/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts that are free in part, gaits that are known in closed form, a roller racer with limits; bad input. */
#include <liegrp/catalog/catalog.h>

#include "gaits.h"

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_start_free), cmocka_unit_test(test_cart),
                                       cmocka_unit_test(test_forced), cmocka_unit_test(test_racer),
                                       cmocka_unit_test(test_refusals)};
    suite_begin("gait_starts");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
