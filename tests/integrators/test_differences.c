/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps without the user's derivatives: the same far from the origin as with them, and refused where differences say
 * nothing. */
#include <math.h>

#include "support/suite.h"

static const double unit_inertia[3] = {1, 1, 1};
static const char *const methods[] = {"sem",          "sem:gonzalez", "dla", "gni",
                                      "gni:midpoint", "nsv",          "rk4", "sem@yoshida4"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static int bowl(const lg_call *c, const double *g, double *V)
{
    const double *offset = c->context;
    *V = (g[0] * g[0] + g[1] * g[1]) / 2 + *offset;
    return 0;
}

static int bowl_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[0] = g[0], dV[1] = g[1];
    return 0;
}

/* A metric that changes with the place, and no larger far away. */
static int metric(const lg_call *c, const double *g, double *J)
{
    (void)c;
    J[0] = 2 + g[0] * g[0] / (1 + g[0] * g[0]), J[3] = 1.5;
    return 0;
}

static int metric_gradient(const lg_call *c, const double *g, const double *xi, double *dT)
{
    (void)c;
    const double u = 1 + g[0] * g[0];
    dT[0] = xi[0] * xi[0] * g[0] / (u * u);
    return 0;
}

static int circle(const lg_call *c, const double *g, double *phi)
{
    const double *L = c->context;
    *phi = (g[0] * g[0] + g[1] * g[1] - *L * *L) / 2;
    return 0;
}

static lg_system system_on_plane(const double *context)
{
    lg_system S = lg_system_default(lg_rn(2));
    S.inertia_diagonal = unit_inertia;
    S.context = context;
    S.callbacks.potential = bowl;
    return S;
}

/* 100 steps from rest at (x, y): the state, and by how much H varied. */
static void run(const lg_system *S, const char *method, const double *g0, const double *xi0, double *g, double *varied)
{
    lg_integrator *it = NULL;
    if (lg_integrator_create(&it, S, method, "cayley", 0.01) != LG_OK) suite_fail("%s", lg_integrator_message(it));
    suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0));
    const double H = lg_integrator_energy(it);
    *varied = 0;
    for (int i = 0; i < 100; i++) {
        if (lg_integrator_step(it) != LG_OK) suite_fail("step %d: %s", i + 1, lg_integrator_message(it));
        *varied = fmax(*varied, fabs(lg_integrator_energy(it) - H) / H);
    }
    g[0] = lg_integrator_configuration(it)[0], g[1] = lg_integrator_configuration(it)[1];
    lg_integrator_destroy(it);
}

static void test_far_away(void **state)
{
    static const double at[] = {0.5, 100, 1000, 1e6, 4e13}, none = 0, xi0[2] = {0, 0};
    (void)state;
    for (int i = 0; i < METHODS; i++)
        for (int k = 0; k < 5; k++) {
            lg_system S = system_on_plane(&none), exact = S;
            double g[2], want[2], varied, exactly;
            const double g0[2] = {at[k], 0.7 * at[k]};
            exact.callbacks.potential_gradient = bowl_gradient;
            suite_case("%s at %g", methods[i], at[k]);
            run(&S, methods[i], g0, xi0, g, &varied);
            run(&exact, methods[i], g0, xi0, want, &exactly);
            suite_near("g", g, want, 2, 1e-11, at[k]);
            suite_below("H varied more than with the gradient", varied, exactly + 1e-11);
        }
}

static void test_metric_and_positions(void **state)
{
    static const double at[] = {1, 100, 1000, 1e6}, none = 0;
    (void)state;
    for (int k = 0; k < 4; k++) {
        const double L = at[k], g0[2] = {0.6 * L, 0.8 * L}, across[2] = {-0.8 * L, 0.6 * L}, slow[2] = {-0.8, 0.6};
        lg_system S = system_on_plane(&none);
        double g[2], want[2], varied, exactly;
        suite_case("a changing metric at %g", L);
        S.inertia_diagonal = NULL;
        S.callbacks.metric = metric;
        run(&S, "sem", g0, slow, g, &varied); /* the metric varies on lengths of 1 */
        S.callbacks.metric_gradient = metric_gradient;
        run(&S, "sem", g0, slow, want, &exactly);
        suite_below("H varied more than with the gradient", varied, exactly * (1 + 1e-6) + 1e-11);
        suite_near("g", g, want, 2, 1e-9, L);
        suite_case("a circle of radius %g", L);
        S = system_on_plane(&L);
        S.callbacks.potential = NULL;
        S.callbacks.holonomic_count = 1;
        S.callbacks.holonomic = circle;
        run(&S, "sem", g0, across, g, &varied);
        suite_below("H", varied, 1e-10);
        suite_near1("phi", hypot(g[0], g[1]), L, 1e-12, L);
        run(&S, "rattle", g0, across, g, &varied);
        suite_near1("phi", hypot(g[0], g[1]), L, 1e-12, L);
    }
}

/* No energy of 1e20 leaves anything of a bowl of 1: an error with words, whatever the method. */
static void test_refused(void **state)
{
    static const double most = 1e20, g0[2] = {1, 0.5}, xi0[2] = {0.1, 0};
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        lg_system S = system_on_plane(&most);
        lg_integrator *it = NULL;
        suite_case("%s", methods[i]);
        suite_ok("create", lg_integrator_create(&it, &S, methods[i], "cayley", 0.01));
        suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0));
        suite_status("step", lg_integrator_step(it), LG_ERROR_CONVERGENCE);
        suite_contains("message", lg_integrator_message(it), "potential_gradient");
        suite_near("the state stays", lg_integrator_configuration(it), g0, 2, 0, 1);
        lg_integrator_destroy(it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_far_away), cmocka_unit_test(test_metric_and_positions),
                                       cmocka_unit_test(test_refused)};
    suite_begin("differences");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
