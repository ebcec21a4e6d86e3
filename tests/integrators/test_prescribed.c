/* SPDX-License-Identifier: BSD-3-Clause */
/* As many constraints as velocities: motions that are prescribed. An attitude of given angular velocity, a point on a
 * given path, alone and in ensembles. */
#include <math.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "support/suite.h"

/* Coning. */
static int coning(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)g;
    mu[0] = mu[4] = mu[8] = 1;
    Y[0] = 0.3 * cos(5 * c->t), Y[1] = 0.3 * sin(5 * c->t), Y[2] = 0.05;
    return 0;
}

static int start_coning(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[3] = 1, xi0[0] = 0.3, xi0[2] = 0.05;
    return 0;
}

static int inertia(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = 1, J[4] = 2, J[8] = 2.5;
    return 0;
}

static const lg_model_definition attitude = {.size = sizeof attitude,
                                             .name = "coning",
                                             .summary = "an attitude of given angular velocity",
                                             .source = "this test",
                                             .group = lg_so3,
                                             .constraint_count = 3,
                                             .configure = inertia,
                                             .initial = start_coning,
                                             .step = 0.05,
                                             .callbacks = {.covectors = coning, .time_dependent = 1}};

/* The attitude at t = 1. */
static void arrive(double *g, lg_model *M, const char *method, double h)
{
    lg_motion *mo;
    lg_motion_options o = lg_motion_options_default();
    o.method = method, o.step = h;
    if (lg_motion_create(&mo, M, &o) != LG_OK) suite_fail("%s", lg_motion_message(mo));
    if (lg_motion_start(mo, 0, NULL, 1) != LG_OK || lg_motion_run_to(mo, 1) != LG_OK)
        suite_fail("%s", lg_motion_message(mo));
    suite_below("slip", lg_motion_slip(mo), 1e-12);
    suite_ok("state", lg_motion_state(mo, g, NULL, NULL));
    lg_motion_destroy(mo);
}

static void angular_velocity(void **unused)
{
    static const char *const methods[] = {"sem", "gni", "dla", "nsv", "sem@suzuki4", "gauss:stages=2"};
    static const int order[] = {2, 2, 2, 2, 4, 4};
    double exact[4], g[4], error[2];
    lg_model *M;
    (void)unused;
    suite_ok("model", lg_model_create(&M, &attitude));
    arrive(exact, M, "gauss", 0.02);
    arrive(g, M, "gauss:stages=16", 0.1);
    suite_below("gauss", lg_so3_distance(exact, g), 1e-14);
    for (int i = 0; i < 6; i++) {
        suite_case("%s", methods[i]);
        for (int k = 0; k < 2; k++) {
            arrive(g, M, methods[i], 0.05 / (1 << k));
            error[k] = lg_so3_distance(exact, g);
        }
        suite_near1("order", log2(error[0] / error[1]), order[i], 0.2, 1);
    }
    lg_model_destroy(M);
}

/* ---- a point on a path ---- */

static int path(const lg_call *c, const double *g, double *phi)
{
    phi[0] = g[0] - sin(c->t), phi[1] = g[1] - cos(2 * c->t);
    return 0;
}

static int path_differential(const lg_call *c, const double *g, double *out)
{
    (void)c, (void)g;
    out[0] = out[3] = 1;
    return 0;
}

static int path_rate(const lg_call *c, const double *g, double *out)
{
    (void)g;
    out[0] = -cos(c->t), out[1] = 2 * sin(2 * c->t);
    return 0;
}

static void along_a_path(void **unused)
{
    static const char *const methods[] = {"sem", "rattle", "gauss"};
    static const double g0[2] = {0, 1}, xi0[2] = {1, 0}, J[2] = {3, 5};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        suite_case("%s", methods[i]);
        lg_system S = lg_system_default(lg_rn(2));
        lg_integrator *it;
        S.inertia_diagonal = J;
        S.callbacks.holonomic_count = 2, S.callbacks.time_dependent = 1;
        S.callbacks.holonomic = path, S.callbacks.holonomic_differential = path_differential;
        S.callbacks.holonomic_rate = path_rate;
        if (lg_integrator_create(&it, &S, methods[i], "exp", 0.02) != LG_OK)
            suite_fail("%s", lg_integrator_message(it));
        if (lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0) != LG_OK)
            suite_fail("%s", lg_integrator_message(it));
        for (int k = 0; k < 100; k++)
            if (lg_integrator_step(it) != LG_OK) suite_fail("%s", lg_integrator_message(it));
        const double want[2] = {sin(2.), cos(4.)}, *g = lg_integrator_configuration(it);
        suite_near("place", g, want, 2, 1e-13, 1);
        lg_integrator_destroy(it);
    }
}

/* ---- ensembles ---- */

static void ensembles(void **unused)
{
    enum { INSTANCES = 9 };
    static const char *const methods[] = {"sem", "gauss"};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        lg_model *M;
        lg_ensemble *E;
        lg_ensemble_options o = lg_ensemble_options_default();
        double alone[4];
        suite_case("%s, width %d", methods[i % 2], i / 2 ? 0 : 1);
        suite_ok("model", lg_model_create(&M, &attitude));
        o.method = methods[i % 2], o.width = i / 2 ? 0 : 1 /* 0: the largest of the machine */, o.step = 0.05;
        if (lg_ensemble_create(&E, M, INSTANCES, &o) != LG_OK) suite_fail("%s", lg_ensemble_message(E));
        for (int k = 0; k < INSTANCES; k++) suite_ok("start", lg_ensemble_start(E, k, 0, NULL, 1));
        suite_ok("run", lg_ensemble_run(E, 20, 1, NULL, NULL));
        arrive(alone, M, methods[i % 2], 0.05);
        for (int k = 0; k < INSTANCES; k++) {
            double g[4];
            lg_motion *mo;
            suite_ok("motion", lg_ensemble_motion(&mo, E, k));
            suite_ok("state", lg_motion_state(mo, g, NULL, NULL));
            lg_motion_destroy(mo);
            suite_near("attitude", g, alone, 4, 1e-15, 1);
        }
        lg_ensemble_destroy(E), lg_model_destroy(M);
    }
}

static void refused(void **unused)
{
    lg_model_definition d = attitude;
    lg_model *M;
    const lg_system *S;
    (void)unused;
    d.constraint_count = 4;
    const lg_status st = lg_model_create(&M, &d);
    suite_status("four", st != LG_OK ? st : lg_model_system(M, &S), LG_ERROR_ARGUMENT);
    suite_contains("four", lg_model_message(M), "4 constraints on a group of dimension 3; expected 0 to 3");
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(angular_velocity), cmocka_unit_test(along_a_path),
                                       cmocka_unit_test(ensembles), cmocka_unit_test(refused)};
    suite_begin("integrators/prescribed");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
