/* SPDX-License-Identifier: BSD-3-Clause */
/* Theorem 4.3 of [P1]: DLA in constrained coordinates, Q = {phi = 0} in R^s, and in generalised coordinates by a chart,
 * give the same trajectory and the same multipliers if L_d and omega_d are pulled back. Linear, circle and sphere; by
 * the engine and by a solver of the test's own; with the chart's own midpoint as the control. */
#include <math.h>
#include <string.h>

#include "level_sets.h"
#include "matrix.h"

/* ---- theorem 4.3 ---- */

/* p on Q is DJ^T of p on V: what is left of it across a basis of velocities. */
static void same_momentum(const lg_pullback *p, int s, int r, const double *q, const double *on_Q, const double *on_V)
{
    for (int i = 0; i < r; i++) {
        double e[3] = {0}, w[8];
        e[i] = 1;
        suite_ok("velocity", lg_pullback_velocity(p, w, q, e));
        suite_near1("p+", on_Q[i], mat_dot(w, on_V, s), 1e-11, 5);
    }
}

/* By the solver above; `name` is the rule by which the library pulls back. */
static void plain_comparison(const level_set *L, const discrete_rule *rule_of_V, const char *name)
{
    level_space o;
    user_dla on_V, on_Q;
    double u[3], v[8], w[8];
    level_space_open(&o, L, rule_of_V);
    lg_pullback *p = level_set_pull_back(L, &o, name);
    level_set_initial(L, p, u, v, w);
    user_dla_start(&on_V, &o.S, 0.1, v, w);
    user_dla_start(&on_Q, lg_pullback_system(p), 0.1, L->q0, u);
    for (int k = 1; k <= 30; k++) {
        suite_case("%s, %s by '%s', step %d", L->name, rule_of_V->name, name, k);
        user_dla_step(&on_V);
        user_dla_step(&on_Q);
        suite_ok("point", lg_pullback_point(p, v, on_Q.q));
        suite_near("J(q) = v", v, on_V.q, L->s, 1e-11, 1);
        suite_near1("multiplier", on_Q.lambda[0], on_V.lambda[0], 1e-11, 1);
        same_momentum(p, L->s, L->r, on_Q.q, on_Q.p, on_V.p);
    }
    lg_pullback_destroy(p);
}

static void test_theorem_4_3(void **state)
{
    (void)state;
    for (int i = 0; i < SETS; i++)
        for (int k = 0; k < RULES; k++) {
            plain_comparison(&level_sets[i], &discrete_rules[k], discrete_rules[k].name);
            plain_comparison(&level_sets[i], &discrete_rules[k], "user");
        }
}

static lg_integrator *launch(const lg_system *S, const char *method, double h, const double *q0, const double *u0)
{
    lg_integrator *it = NULL;
    lg_status st = lg_integrator_create(&it, S, method, "exp", h);
    if (st == LG_OK) st = lg_integrator_start(it, 0, q0, u0, LG_START_REACTION, 0);
    if (st != LG_OK) suite_fail("%s: %s", method, lg_integrator_message(it));
    return it;
}

/* "dla:RULE" on V with its holonomic constraint, "dla:user" on R^r, and the solver above, step by step. */
static void test_engine(void **state)
{
    (void)state;
    for (int i = 0; i < SETS; i++)
        for (int k = 0; k < RULES; k++) {
            const level_set *L = &level_sets[i];
            level_space o;
            user_dla on_V;
            char method[40] = "dla:";
            double u[3], v[8], w[8];
            level_space_open(&o, L, &discrete_rules[k]);
            strcat(method, discrete_rules[k].name);
            suite_case("%s, %s", L->name, method);
            lg_pullback *p = level_set_pull_back(L, &o, discrete_rules[k].name);
            level_set_initial(L, p, u, v, w);
            user_dla_start(&on_V, &o.S, 0.1, v, w);
            lg_integrator *a = launch(&o.S, method, 0.1, v, w);
            lg_integrator *b = launch(lg_pullback_system(p), "dla:user", 0.1, L->q0, u);
            for (int step = 1; step <= 30; step++) {
                suite_case("%s, %s, step %d", L->name, method, step);
                if (lg_integrator_step(a) != LG_OK) suite_fail("on V: %s", lg_integrator_message(a));
                if (lg_integrator_step(b) != LG_OK) suite_fail("on Q: %s", lg_integrator_message(b));
                user_dla_step(&on_V);
                suite_ok("point", lg_pullback_point(p, v, lg_integrator_configuration(b)));
                suite_near("on Q", v, on_V.q, L->s, 1e-11, 1);
                suite_near("on V", lg_integrator_configuration(a), on_V.q, L->s, 1e-11, 1);
                suite_near("p+ on V", lg_integrator_momentum_plus(a), on_V.p, L->s, 1e-11, 5);
                same_momentum(p, L->s, L->r, lg_integrator_configuration(b), lg_integrator_momentum_plus(b), on_V.p);
                if (L->rows)
                    suite_near1("multiplier on V", lg_integrator_multipliers(a)[0], -on_V.lambda[0] / 0.1, 1e-10, 5);
                if (L->rows)
                    suite_near1("multiplier on Q", lg_integrator_multipliers(b)[0], -on_V.lambda[0] / 0.1, 1e-10, 5);
                suite_near1("of phi", lg_integrator_holonomic_multipliers(a)[0], -on_V.sigma[0] / 0.1, 1e-10, 5);
                suite_below("phi", lg_integrator_holonomic_residual(a), 1e-13);
            }
            lg_integrator_destroy(a);
            lg_integrator_destroy(b);
            lg_pullback_destroy(p);
        }
}

/* A linear chart maps midpoints to midpoints: there the chart's own "dla:midpoint" is the same again. */
static void test_linear_charts_need_no_pull_back(void **state)
{
    (void)state;
    static const char *const own[2] = {"dla:midpoint", "dla:trapezoidal"};
    for (int k = 0; k < 2; k++) {
        level_space o;
        double u[3], v[8], w[8];
        level_space_open(&o, &level_sets[0], &discrete_rules[2 * k]);
        lg_pullback *p = level_set_pull_back(&level_sets[0], &o, discrete_rules[2 * k].name);
        level_set_initial(&level_sets[0], p, u, v, w);
        lg_integrator *a = launch(lg_pullback_system(p), "dla:user", 0.1, level_sets[0].q0, u);
        lg_integrator *b = launch(lg_pullback_system(p), own[k], 0.1, level_sets[0].q0, u);
        for (int step = 1; step <= 30; step++) {
            suite_case("linear, %s, step %d", own[k], step);
            suite_ok("step", lg_integrator_step(a));
            suite_ok("step", lg_integrator_step(b));
            suite_near("q", lg_integrator_configuration(a), lg_integrator_configuration(b), 3, 1e-11, 1);
        }
        lg_integrator_destroy(a);
        lg_integrator_destroy(b);
        lg_pullback_destroy(p);
    }
}

/* ---- the control: a curved Q, and the midpoint of the chart ---- */

static int angle_metric(const lg_call *c, const double *q, double *M)
{
    (void)c, (void)q;
    *M = 1;
    return 0;
}

static int angle_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = -3 * cos(q[0]);
    return 0;
}

static int angle_dV(const lg_call *c, const double *q, double *dV)
{
    (void)c;
    *dV = 3 * sin(q[0]);
    return 0;
}

/* theta at t = 1, by the chart's midpoint and by the pulled-back one. */
static double gap(double h)
{
    const level_set *L = &level_sets[1];
    level_space circle_space, line;
    user_dla a, b;
    level_space_open(&circle_space, L, &discrete_rules[0]);
    line.rule = &discrete_rules[0];
    line.S = lg_system_default(lg_rn(1));
    line.S.context = &line;
    line.S.callbacks.metric = angle_metric, line.S.callbacks.metric_gradient = L->metric_gradient;
    line.S.callbacks.potential = angle_V, line.S.callbacks.potential_gradient = angle_dV;
    line.S.callbacks.discrete_slope_1 = circle_space.S.callbacks.discrete_slope_1;
    line.S.callbacks.discrete_slope_2 = circle_space.S.callbacks.discrete_slope_2;
    lg_pullback *p = level_set_pull_back(L, &circle_space, "midpoint");
    user_dla_start(&a, lg_pullback_system(p), h, L->q0, L->u0);
    user_dla_start(&b, &line.S, h, L->q0, L->u0);
    for (int k = 0; k < (int)lround(1 / h); k++) {
        user_dla_step(&a);
        user_dla_step(&b);
    }
    lg_pullback_destroy(p);
    return fabs(a.q[0] - b.q[0]);
}

static void test_control(void **state)
{
    (void)state;
    double error[5];
    for (int k = 0; k < 5; k++) error[k] = gap(0.1 / (1 << k));
    suite_case("pendulum: chart midpoint against pulled-back midpoint");
    suite_above("they differ", error[0], 1e-3);
    for (int k = 1; k < 5; k++) suite_near1("order", log2(error[k - 1] / error[k]), 2, 0.05, 1);
}

/* ---- the continuous system pulled back ---- */

static int push(const lg_call *c, const double *v, const double *w, double *f)
{
    for (int i = 0; i < 4; i++) f[i] = (i + 1) * v[(i + 1) % 4] - 0.3 * w[i] + c->control[0] * v[i];
    return 0;
}

static void test_continuous(void **state)
{
    (void)state;
    const level_set *L = &level_sets[2];
    lg_rng rng = suite_rng(1);
    level_space o;
    level_space_open(&o, L, &discrete_rules[0]);
    o.S.callbacks.force = push, o.S.callbacks.control_count = 1;
    lg_pullback *p = level_set_pull_back(L, &o, "midpoint");
    const lg_system *Q = lg_pullback_system(p);
    const double control = 0.7;
    const lg_call c = {.context = Q->context, .lanes = 1, .control = &control};
    const lg_call onV = {.context = &o, .lanes = 1, .control = &control};
    lg_error e;
    suite_case("sphere");
    if (lg_system_check(Q, &rng, L->q0, 20, 0, &e) != LG_OK) suite_fail("%s", e.message);
    for (int k = 0; k < 20; k++) {
        double q[3], u[3], v[8], w[8], J[9] = {0}, M[16] = {0}, pq[3], pv[4], E[2], V[2];
        double mu[3] = {0}, Y[3] = {0}, rows[4] = {0}, drift[4] = {0}, image[8], f[3] = {0}, fv[4] = {0};
        for (int i = 0; i < 3; i++) q[i] = L->q0[i] + 0.2 * lg_rng_normal(&rng);
        suite_normal(u, 3, &rng);
        suite_input("q", q, 3), suite_input("u", u, 3);
        if (lg_pullback_check(p, q) != LG_OK) suite_fail("%s", lg_pullback_message(p));
        suite_ok("point", lg_pullback_point(p, v, q));
        suite_ok("velocity", lg_pullback_velocity(p, w, q, u));
        Q->callbacks.metric(&c, q, J), L->metric(&onV, v, M);
        Q->callbacks.potential(&c, q, &V[0]), L->V(&onV, v, &V[1]);
        mat_apply(pq, J, u, 3, 3), mat_apply(pv, M, w, 4, 4);
        E[0] = 0.5 * mat_dot(u, pq, 3) + V[0], E[1] = 0.5 * mat_dot(w, pv, 4) + V[1];
        suite_near1("energy", E[0], E[1], 1e-14, 1 + fabs(E[1]));
        Q->callbacks.covectors(&c, q, mu, Y), L->rows(&onV, v, rows, drift);
        suite_near1("rows", mat_dot(mu, u, 3), mat_dot(rows, w, 4), 1e-14, 10);
        suite_ok("drift", lg_pullback_velocity(p, image, q, Y));
        suite_near("drift", image, drift, 4, 1e-14, 10);
        Q->callbacks.force(&c, q, u, f), push(&onV, v, w, fv);
        suite_near1("power of the force", mat_dot(f, u, 3), mat_dot(fv, w, 4), 1e-14, 50);
    }
    lg_pullback_destroy(p);
}

/* ---- wrong input ---- */

static int wrong_jacobian(const lg_call *c, const double *q, double *D)
{
    level_sets[2].jacobian(c, q, D);
    D[4] += 1e-3;
    return 0;
}

static int wrong_chart(const lg_call *c, const double *q, double *v)
{
    level_sets[2].chart(c, q, v);
    v[2] += 1e-6;
    return 0;
}

static int failing_chart(const lg_call *c, const double *q, double *v)
{
    (void)c, (void)q, (void)v;
    return 5;
}

static void refused(const level_space *o, int r, lg_field_fn chart, lg_field_fn jacobian, const char *name,
                    lg_status want, const char *part)
{
    lg_pullback *p = NULL;
    double x[8] = {0};
    suite_case("%s", part);
    suite_status("create", lg_pullback_create(&p, &o->S, r, name, chart, jacobian, NULL), want);
    suite_contains("message", lg_pullback_message(p), part);
    if (lg_pullback_system(p)) suite_fail("there is a system");
    suite_status("point", lg_pullback_point(p, x, x), LG_ERROR_ARGUMENT);
    suite_status("check", lg_pullback_check(p, x), LG_ERROR_ARGUMENT);
    lg_pullback_destroy(p);
}

static void unfit(const level_space *o, lg_field_fn chart, lg_field_fn jacobian, const double *q, lg_status want,
                  const char *part)
{
    lg_pullback *p = NULL;
    suite_case("%s", part);
    suite_ok("create", lg_pullback_create(&p, &o->S, 3, NULL, chart, jacobian, NULL));
    suite_status("check", lg_pullback_check(p, q), want);
    suite_contains("message", lg_pullback_message(p), part);
    lg_pullback_destroy(p);
}

static void test_refusals(void **state)
{
    (void)state;
    const double pole[3] = {0, 0, 0}, nan[3] = {NAN, 0, 0};
    const level_set *L = &level_sets[2];
    const lg_field_fn polar = L->chart, polar_slope = L->jacobian;
    level_space o;
    level_space_open(&o, L, &discrete_rules[0]);
    refused(&o, 3, NULL, polar_slope, NULL, LG_ERROR_ARGUMENT, "chart or jacobian is NULL");
    refused(&o, 1, polar, polar_slope, NULL, LG_ERROR_ARGUMENT, "dimension 1; expected 2 to 4");
    refused(&o, 5, polar, polar_slope, NULL, LG_ERROR_ARGUMENT, "dimension 5");
    refused(&o, 3, polar, polar_slope, "simpson", LG_ERROR_ARGUMENT, "unknown rule 'simpson'");
    refused(&o, 3, polar, polar_slope, "alpha=1.5", LG_ERROR_ARGUMENT, "unknown rule 'alpha=1.5'");
    refused(&o, 3, polar, polar_slope, "alpha=nan", LG_ERROR_ARGUMENT, "unknown rule 'alpha=nan'");
    unfit(&o, polar, wrong_jacobian, L->q0, LG_ERROR_ARGUMENT, "entry (2,2)");
    unfit(&o, wrong_chart, polar_slope, L->q0, LG_ERROR_INCONSISTENT, "leaves phi = 0");
    unfit(&o, failing_chart, polar_slope, L->q0, LG_ERROR_CALLBACK, "returned 5");
    unfit(&o, polar, polar_slope, pole, LG_ERROR_SINGULAR, "dependent columns");
    unfit(&o, polar, polar_slope, nan, LG_ERROR_NOT_FINITE, "not finite");
    unfit(&o, polar, polar_slope, NULL, LG_ERROR_ARGUMENT, "q is NULL");
    o.S.callbacks.discrete_constraint = NULL;
    refused(&o, 3, polar, polar_slope, "user", LG_ERROR_ARGUMENT, "rule 'user' needs");
    o.S.group = lg_so3();
    refused(&o, 3, polar, polar_slope, NULL, LG_ERROR_ARGUMENT, "expected a vector space");
    o.S.group = lg_rn(LG_PULLBACK_MAX + 1);
    refused(&o, 3, polar, polar_slope, NULL, LG_ERROR_UNSUPPORTED, "at most R^16");
    o.S.group = NULL;
    refused(&o, 3, polar, polar_slope, NULL, LG_ERROR_ARGUMENT, "group is NULL");
    suite_status("NULL", lg_pullback_create(NULL, &o.S, 3, NULL, polar, polar_slope, NULL), LG_ERROR_ARGUMENT);
    suite_contains("NULL", lg_pullback_message(NULL), "memory");
    lg_pullback_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_theorem_4_3), cmocka_unit_test(test_control),
        cmocka_unit_test(test_continuous),  cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_engine),      cmocka_unit_test(test_linear_charts_need_no_pull_back)};
    suite_begin("formulations");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
