/* SPDX-License-Identifier: BSD-3-Clause */
/* A metric that depends on the time, and no potential: momentum is conserved and energy is not. Who keeps energy where
 * it changes for a reason is off by what it changed. R^2, J = diag(1 + t/2, 2): p = p_0, x = x_0 + 2 p_1 ln(1 + t/2).
 */
#include <math.h>
#include <stdlib.h>

#include <liegrp/liegrp.h>

#include "support/suite.h"

static const lg_group *plane(void)
{
    return lg_rn(2);
}

static int no_numbers(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)J, (void)rows, (void)why;
    return 0;
}

static int initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c, (void)g0;
    xi0[0] = 0.6, xi0[1] = 0.4;
    return 0;
}

static int metric(const lg_call *c, const double *g, double *J)
{
    const int L = c->lanes;
    (void)g;
    for (int l = 0; l < L; l++) J[l] = 1 + 0.5 * c->times[l], J[3 * L + l] = 2;
    return 0;
}

/* The derivative along the plane: none. */
static int no_slope(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)c, (void)g, (void)xi, (void)out;
    return 0;
}

static const lg_model_definition swelling = {
    .size = sizeof(lg_model_definition),
    .name = "swelling",
    .group = plane,
    .configure = no_numbers,
    .initial = initial,
    .callbacks = {.metric = metric, .metric_gradient = no_slope, .time_dependent = 1, .lanes = LG_LANES_OWN_TIMES},
};

static void check(double t, const double *g, const double *p, double H)
{
    const double p0[2] = {0.6, 0.8};
    suite_near("p", p, p0, 2, 1e-14, 1);
    suite_near("g", g, (const double[]){2 * p0[0] * log1p(0.5 * t), 0.5 * p0[1] * t}, 2, 1e-13, 1);
    suite_near1("H", H, 0.5 * (p0[0] * p0[0] / (1 + 0.5 * t) + 0.5 * p0[1] * p0[1]), 1e-14, 1);
}

static void one(const char *method, double tolerance)
{
    lg_model *M = NULL;
    lg_integrator *it = NULL;
    const lg_system *S = NULL;
    double g[2], xi[2];
    suite_case("%s, tolerance %g", method, tolerance);
    suite_ok("model", lg_model_create(&M, &swelling));
    suite_ok("system", lg_model_system(M, &S));
    suite_ok("initial", lg_model_initial(M, g, xi, NULL));
    suite_ok("create", lg_integrator_create(&it, S, method, "exp", 0.05));
    if (tolerance > 0) suite_ok("tolerance", lg_integrator_set_tolerance(it, tolerance));
    suite_ok("start", lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 0));
    suite_ok("run", lg_integrator_run(it, 40, 1, NULL, NULL));
    check(lg_integrator_time(it), lg_integrator_configuration(it), lg_integrator_momentum(it),
          lg_integrator_energy(it));
    lg_integrator_destroy(it);
    lg_model_destroy(M);
}

static void many(const char *method, int width)
{
    lg_model *M = NULL;
    lg_ensemble *E = NULL;
    lg_ensemble_options o = lg_ensemble_options_default();
    o.method = method, o.width = width, o.step = 0.05, o.monitor = 1;
    suite_case("%s, width %d", method, width);
    suite_ok("model", lg_model_create(&M, &swelling));
    suite_ok("create", lg_ensemble_create(&E, M, 9, &o));
    assert_int_equal(lg_ensemble_width(E), width);
    suite_ok("run", lg_ensemble_run(E, 40, 40, NULL, NULL));
    for (int i = 0; i < 9; i++) {
        lg_motion *mo = NULL;
        double t, g[2], p[2];
        suite_ok("state", lg_ensemble_state(E, &t, g, p, i));
        suite_ok("copy", lg_ensemble_motion(&mo, E, i));
        check(t, g, p, lg_motion_energy(mo));
        lg_motion_destroy(mo);
    }
    lg_ensemble_destroy(E);
    lg_model_destroy(M);
}

static void energy_changes(void **state)
{
    static const char *const methods[] = {"gauss", "gauss:stages=6", "gauss:stages=16"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        one(methods[i], 0), one(methods[i], 1e-12);
        for (int width = 1; width <= lg_width_best(); width *= 2) many(methods[i], width);
    }
}

int main(void)
{
    suite_begin("timed metric");
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_changes)};
    return cmocka_run_group_tests_name("timed metric", tests, NULL, NULL);
}
