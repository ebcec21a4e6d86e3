/* SPDX-License-Identifier: BSD-3-Clause */
/* The solver of open steps: it stops exactly where the residual is round-off, after any trials; units of rows and
 * positions do not matter; its counts are those of its calls. */
#include <math.h>
#include <string.h>

#include "support/suite.h"
#include "support/systems.h"

typedef struct spring {
    double K, scale, t_least;
    long calls;
} spring;

static const double unit[3] = {1, 1, 1};

/* Quartic: four Gauss nodes are exact, so that H changes by round-off only. */
static int quartic(const lg_call *c, const double *g, double *V)
{
    const spring *s = c->context;
    const double r2 = g[0] * g[0] + 2 * g[1] * g[1] + 3 * g[2] * g[2];
    *V = s->K * r2 * r2 / 4;
    return 0;
}

static int quartic_gradient(const lg_call *c, const double *g, double *dV)
{
    const spring *s = c->context;
    const double r2 = g[0] * g[0] + 2 * g[1] * g[1] + 3 * g[2] * g[2];
    for (int i = 0; i < 3; i++) dV[i] = s->K * r2 * (i + 1) * g[i];
    return 0;
}

/* An accepted step keeps H, also where the springs are far too stiff for it; other steps fail with a message. */
static void test_stops(void **state)
{
    (void)state;
    static const double g0[3] = {0.3, -0.2, 0.5}, xi0[3] = {1, 0.5, -0.7};
    for (double K = 10; K < 2e7; K *= 10) {
        spring s = {.K = K};
        lg_system S = lg_system_default(lg_rn(3));
        lg_integrator *it = NULL;
        S.inertia_diagonal = unit;
        S.callbacks.potential = quartic, S.callbacks.potential_gradient = quartic_gradient, S.context = &s;
        suite_case("K = %g", K);
        suite_ok("create", lg_integrator_create(&it, &S, "sem", "exp", 0.1));
        suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0));
        for (int k = 0; k < 50; k++) {
            const double H = lg_integrator_energy(it);
            lg_status st = lg_integrator_step(it);
            if (st != LG_OK) {
                suite_status("a step that is too large", st, LG_ERROR_CONVERGENCE);
                suite_near1("H", lg_integrator_energy(it), H, 0, 1);
                break;
            }
            suite_near1("H", lg_integrator_energy(it), H, 2e-12, fmax(1, fabs(H)));
        }
        lg_integrator_destroy(it);
    }
}

static int sine(const lg_call *c, const double *g, double *V)
{
    (void)g;
    *V = sin(c->t);
    return 0;
}

static int no_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c, (void)g, (void)dV;
    return 0;
}

/* A potential that depends on time alone moves nothing, and its work is its own change. */
static void test_potential_of_time(void **state)
{
    (void)state;
    static const double g0[3] = {0}, xi0[3] = {1, 2, 3};
    static const char *const methods[] = {"sem", "sem:gonzalez", "nsv", "gni", "dla"};
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        lg_system S = lg_system_default(lg_rn(3));
        lg_integrator *it = NULL;
        S.inertia_diagonal = unit;
        S.callbacks.potential = sine, S.callbacks.potential_gradient = no_gradient, S.callbacks.time_dependent = 1;
        suite_case("%s", methods[k]);
        suite_ok("create", lg_integrator_create(&it, &S, methods[k], "exp", 0.1));
        suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0));
        for (int i = 0; i < 10; i++) {
            const double H = lg_integrator_energy(it);
            suite_ok("step", lg_integrator_step(it));
            if (k == 0) suite_near1("work", lg_integrator_step_work(it), lg_integrator_energy(it) - H, 1e-12, 1);
        }
        const double straight[3] = {1, 2, 3};
        suite_near("x = v t", lg_integrator_configuration(it), straight, 3, 1e-14, 3);
        lg_integrator_destroy(it);
    }
}

static int early(const lg_call *c, const double *g, double *V)
{
    const spring *s = c->context;
    *V = sin(c->t) * g[0];
    return c->t < s->t_least;
}

/* The work is a diagnostic: a potential that is not there before t = 0 does not make steps fail. */
static void test_potential_that_begins(void **state)
{
    (void)state;
    static const double g0[3] = {0}, xi0[3] = {1, 2, 3};
    spring s = {.t_least = 0};
    lg_system S = lg_system_default(lg_rn(3));
    lg_integrator *it = NULL;
    S.inertia_diagonal = unit;
    S.callbacks.potential = early, S.callbacks.potential_gradient = no_gradient, S.callbacks.time_dependent = 1,
    S.context = &s;
    suite_case("V from t = 0");
    suite_ok("create", lg_integrator_create(&it, &S, "sem", "exp", 0.1));
    suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0));
    suite_ok("steps", lg_integrator_run(it, 10, 1, NULL, NULL));
    lg_integrator_destroy(it);
}

static int scaled_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const spring *s = c->context;
    (void)Y;
    mu[0] = -s->scale * g[1], mu[2] = s->scale;
    return 0;
}

static int scaled_sphere(const lg_call *c, const double *g, double *phi)
{
    const spring *s = c->context;
    *phi = s->scale * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2] - 1) / 2;
    return 0;
}

static int scaled_normal(const lg_call *c, const double *g, double *rows)
{
    const spring *s = c->context;
    for (int i = 0; i < 3; i++) rows[i] = s->scale * g[i];
    return 0;
}

static long count(const lg_system *S, const char *method, const double *g0, const double *xi0)
{
    lg_integrator *it = NULL;
    long sum = 0;
    suite_ok("create", lg_integrator_create(&it, S, method, "exp", 0.1));
    suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1));
    for (int i = 0; i < 200; i++) {
        if (lg_integrator_step(it) != LG_OK) suite_fail("%s", lg_integrator_message(it));
        sum += lg_integrator_iterations(it);
    }
    lg_integrator_destroy(it);
    return sum;
}

/* Rows and positions in other units cost nothing. */
static void test_units(void **state)
{
    (void)state;
    static const double g0[3] = {0.6, 0, -0.8}, xi0[3] = {0.3, 0.7, 0.2};
    static const char *const methods[] = {"sem", "gni", "dla", "sml", "nsv"};
    for (int positions = 0; positions < 2; positions++)
        for (int k = 0; k < (positions ? 3 : 5); k++) {
            long first = 0;
            for (double scale = 1; scale < 2e9; scale *= 1e3) {
                spring s = {.K = 1, .scale = scale};
                lg_system S = lg_system_default(lg_rn(3));
                S.inertia_diagonal = unit, S.context = &s;
                S.callbacks.potential = quartic, S.callbacks.potential_gradient = quartic_gradient;
                if (positions) {
                    S.callbacks.holonomic_count = 1, S.callbacks.holonomic = scaled_sphere,
                    S.callbacks.holonomic_differential = scaled_normal;
                } else {
                    S.constraint_count = 1, S.callbacks.covectors = scaled_rows;
                }
                suite_case("%s, %s times %g", methods[k], positions ? "positions" : "rows", scale);
                const long now = count(&S, methods[k], g0, xi0);
                if (scale == 1) first = now;
                suite_below("evaluations", (double)now, 1.05 * (double)first + 20);
            }
        }
}

static int counted(const lg_call *c, const double *g, double *V)
{
    return quartic(c, g, V); /* one a step, for the balance */
}

static int counted_gradient(const lg_call *c, const double *g, double *dV)
{
    spring *s = (spring *)(uintptr_t)c->context;
    s->calls++;
    return quartic_gradient(c, g, dV);
}

/* Four gradients an evaluation: the number that is reported is that of all, rebuilds and second tries included, and
 * the cap is one. */
static void test_count(void **state)
{
    (void)state;
    static const double g0[3] = {0.3, -0.2, 0.5}, xi0[3] = {1, 0.5, -0.7};
    spring s = {.K = 1e4};
    lg_system S = lg_system_default(lg_rn(3));
    lg_integrator *it = NULL;
    S.inertia_diagonal = unit;
    S.callbacks.potential = counted, S.callbacks.potential_gradient = counted_gradient, S.context = &s;
    suite_case("counting");
    suite_ok("create", lg_integrator_create(&it, &S, "sem", "exp", 0.1));
    suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0));
    suite_ok("room", lg_integrator_set_solver(it, 1e-14, 1000));
    int most = 0;
    for (int i = 0; i < 50; i++) {
        s.calls = 0;
        suite_ok("step", lg_integrator_step(it));
        const int made = lg_integrator_iterations(it);
        assert_int_equal(s.calls, 4 * made);
        if (made > most) most = made;
    }
    suite_above("some steps are hard", most, 12);
    suite_ok("cap", lg_integrator_set_solver(it, 1e-14, 3));
    s.calls = 0;
    suite_status("too few", lg_integrator_step(it), LG_ERROR_CONVERGENCE);
    suite_below("calls", (double)s.calls, 4 * 3);
    lg_integrator_destroy(it);
}

int main(void)
{
    suite_begin("the solver of open steps");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stops), cmocka_unit_test(test_potential_of_time),
                                       cmocka_unit_test(test_potential_that_begins), cmocka_unit_test(test_units),
                                       cmocka_unit_test(test_count)};
    return cmocka_run_group_tests_name("solver", tests, NULL, NULL);
}
