/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems pulled back along a chart: their fields, a user-supplied L_d against the library's rules, refusals. The claim
 * dla-formulations covers theorem 4.3 of [P1], that DLA agrees in both formulations. */
#include <math.h>
#include <string.h>

#include "level_sets.h"
#include "matrix.h"
#include "runs.h"

/* L_d and omega_d of the space, written by the user and pulled back, are those of the rule of that name. */
static void test_own_rules(void **state)
{
    (void)state;
    for (int k = 0; k < RULES; k++) {
        level_space o;
        double u[3];
        lg_pullback *p[2];
        lg_integrator *it[2];
        level_space_open(&o, &discrete_rules[k]);
        for (int i = 0; i < 2; i++) {
            p[i] = level_set_pull_back(&o, i ? "user" : discrete_rules[k].name);
            level_set_initial(p[i], u);
            it[i] = run_start_at(lg_pullback_system(p[i]), "dla:user", "exp", 0.1, 0, sphere_set.q0, u);
        }
        for (int step = 1; step <= 30; step++) {
            suite_case("%s, step %d", discrete_rules[k].name, step);
            for (int i = 0; i < 2; i++) run_steps(it[i], 1);
            suite_near("q", lg_integrator_configuration(it[1]), lg_integrator_configuration(it[0]), 3, 1e-12, 1);
            suite_near("p+", lg_integrator_momentum_plus(it[1]), lg_integrator_momentum_plus(it[0]), 3, 1e-12, 5);
        }
        for (int i = 0; i < 2; i++) run_end(&it[i]), lg_pullback_destroy(p[i]);
    }
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
    const level_set *L = &sphere_set;
    lg_rng rng = suite_rng(1);
    level_space o;
    level_space_open(&o, &discrete_rules[0]);
    o.S.callbacks.force = push, o.S.callbacks.control_count = 1;
    lg_pullback *p = level_set_pull_back(&o, "midpoint");
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
    sphere_set.jacobian(c, q, D);
    D[4] += 1e-3;
    return 0;
}

static int wrong_chart(const lg_call *c, const double *q, double *v)
{
    sphere_set.chart(c, q, v);
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
    const level_set *L = &sphere_set;
    const lg_field_fn polar = L->chart, polar_slope = L->jacobian;
    level_space o;
    level_space_open(&o, &discrete_rules[0]);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_rules), cmocka_unit_test(test_continuous),
                                       cmocka_unit_test(test_refusals)};
    suite_begin("formulations");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
