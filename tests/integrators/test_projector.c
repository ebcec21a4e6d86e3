/* SPDX-License-Identifier: BSD-3-Clause */
/* The reflection in a step against the projectors of lg_system_projectors(): p^- = (P - Q)* p^+ + 2 Q* Pi and
 * p~ = P* p^+ + Q* Pi at every node, for every test system, with the kinetic metric and with one of the projectors'
 * own; rows that are constant also as a constant matrix, with the drift beside it. */
#include <math.h>
#include <string.h>

#include "suite.h"
#include "systems.h"

/* A symmetric positive definite matrix that is far from the kinetic one. */
static void own_metric(double *M, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) M[i * n + j] = i == j ? 1 + 0.3 * i : 0.2 * cos(i + j) / n;
}

static void compare(const lg_system *S, lg_integrator *it)
{
    int n = lg_group_dim(S->group);
    double P[SUITE_MATRIX], Q[SUITE_MATRIX], Pi[SUITE_DIM], minus[SUITE_DIM], mean[SUITE_DIM];
    const double *p_plus = lg_integrator_momentum_plus(it);
    lg_error error;
    suite_ok("projectors",
             lg_system_projectors(S, P, Q, Pi, lg_integrator_time(it), lg_integrator_configuration(it), &error));
    for (int i = 0; i < n; i++) {
        minus[i] = mean[i] = 0;
        for (int j = 0; j < n; j++) {
            minus[i] += (P[i * n + j] - Q[i * n + j]) * p_plus[j] + 2 * Q[i * n + j] * Pi[j];
            mean[i] += P[i * n + j] * p_plus[j] + Q[i * n + j] * Pi[j];
        }
    }
    suite_near("p-", lg_integrator_momentum_minus(it), minus, n, 1e-13, 1);
    suite_near("p~", lg_integrator_momentum(it), mean, n, 1e-13, 1);
}

static void walk(const test_system *t, const lg_system *S, const char *kind)
{
    lg_integrator *it = NULL;
    suite_case("%s, %s", t->name, kind);
    suite_ok("create", lg_integrator_create(&it, S, "gni", "exp", 0.05));
    suite_ok("start", lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_LEGENDRE, 0));
    for (int k = 0; k < 10; k++) {
        suite_ok("step", lg_integrator_step(it));
        compare(S, it);
    }
    lg_integrator_destroy(it);
}

/* A drift of its own beside constant rows; it must not push the start off, so it is 0 at the start's time. */
static int swelling_drift(const lg_call *c, const double *g, double *Y)
{
    (void)g;
    Y[0] = 0.1 * c->t;
    Y[1] = -0.2 * c->t;
    return 0;
}

static void test_reflection(void **state)
{
    (void)state;
    for (int i = 0; i < TEST_SYSTEMS; i++) {
        test_system t;
        double metric[SUITE_MATRIX];
        test_system_make(&t, test_system_names[i]);
        own_metric(metric, lg_group_dim(t.S.group));
        walk(&t, &t.S, "kinetic metric");
        t.S.projector_metric = metric;
        walk(&t, &t.S, "a metric of the projectors' own");
    }
}

static void test_constant_rows(void **state)
{
    (void)state;
    static const double inertia[9] = {1, 0.1, 0.3, 0.1, 1.4, 0.2, 0.3, 0.2, 2}, row[3] = {0, 0, 1};
    for (int i = 0; i < 8; i++) {
        test_system t;
        double metric[9];
        test_system_make(&t, "suslov");
        lg_system S = lg_system_default(lg_so3());
        const double diagonal[3] = {1, 1.4, 2};
        own_metric(metric, 3);
        if (i & 1)
            S.inertia = inertia;
        else
            S.inertia_diagonal = diagonal;
        S.constraint_count = 1;
        S.covector_matrix = row;
        if (i & 2) S.callbacks.drift = swelling_drift;
        if (i & 4) S.projector_metric = metric;
        walk(&t, &S, i & 4 ? "constant row, own metric" : "constant row");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reflection), cmocka_unit_test(test_constant_rows)};
    suite_begin("projectors in the step");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
