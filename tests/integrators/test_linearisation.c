/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a step: against extrapolated differences of the step itself, for every method and system; its
 * products from both sides; that it leaves the integrator alone; the symplectic form. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrators/integrator.h"
#include "support/bench.h"
#include "support/roster.h"
#include "support/runs.h"
#include "support/steered.h"
#include "support/step_derivative.h"

enum { ROWS = STEP_DERIVATIVE_ROWS, COLUMNS = STEP_DERIVATIVE_COLUMNS };

static const char *const retractions[] = {"exp", "cayley"};
static const char *const composed[] = {"sem@yoshida4", "gni@suzuki4", "dla@kahan-li6", NULL};

static void copy(double *to, const double *from, int count)
{
    if (count > 0) memcpy(to, from, sizeof(double) * (size_t)count);
}

/* The method on the system after three steps, if it takes it. */
static int check_method(const test_system *t, const char *method, const char *retraction, double h)
{
    lg_integrator *it = NULL;
    const int created = lg_integrator_create(&it, &t->S, method, retraction, h) == LG_OK;
    suite_case("%s, %s, %s", t->name, method, retraction);
    if (created) {
        if (lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_REACTION, 0) != LG_OK)
            suite_fail("%s", lg_integrator_message(it));
        run_steps(it, 3);
        step_derivative_check(it, bench_sharp(t));
    }
    lg_integrator_destroy(it);
    return created;
}

static void test_every_method(void **state)
{
    (void)state;
    test_system t;
    int count = 0;
    for (int i = 0; bench_system(&t, i); i += suite_reduced() ? 4 : 1)
        for (const char *const *method = lg_method_names(); *method; method++)
            for (int r = 0; r < 2; r++) count += check_method(&t, *method, retractions[r], t.h);
    if (!suite_reduced()) suite_above("combinations", count, 2500);
}

/* Not on the rattlebacks: multipliers of stages of h/5 that are solved to round-off are not known to 1e-7. On the disk
 * with a holonomic constraint, h = 0.01 elsewhere, with larger steps for the same reason. */
static void test_compositions(void **state)
{
    (void)state;
    test_system t;
    for (int i = 0; bench_system(&t, i); i += suite_reduced() ? 8 : 1)
        for (const char *const *method = composed; *method && !bench_sharp(&t); method++)
            for (int r = 0; r < 2; r++)
                (void)check_method(&t, *method, retractions[r], strcmp(t.name, "diskH") == 0 ? 4 * t.h : t.h);
}

/* Controls, parameters, time, and h < 0. */
static void test_steered(void **state)
{
    (void)state;
    static const char *const other[] = {"second-kind", "exp:order=2", NULL};
    const double u[2] = {0.3, -0.4};
    for (int kind = 0; kind < STEERED; kind++) {
        test_system t;
        steered_make(&t, kind);
        for (int list = 0; list < 2; list++)
            for (const char *const *method = list ? composed : lg_method_names(); *method; method++)
                for (int r = 0; r < 4; r += suite_reduced() ? 3 : 1) {
                    lg_integrator *it = NULL;
                    const char *retraction = r < 2 ? retractions[r] : other[r - 2];
                    suite_case("steered %d, %s, %s", kind, *method, retraction);
                    if (lg_integrator_create(&it, &t.S, *method, retraction, r & 1 ? t.h : -t.h) == LG_OK) {
                        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
                        if (t.S.callbacks.control_count) suite_ok("control", lg_integrator_set_control(it, u));
                        run_steps(it, 2);
                        step_derivative_check(it, 0);
                    }
                    lg_integrator_destroy(it);
                }
    }
}

/* A user-supplied group without exponential: the retraction serves as coordinates. */
static void test_user_group(void **state)
{
    (void)state;
    static const char *const methods[] = {"gni", "nsv", "sml", "dla:trapezoidal", "rkmk4"};
    static double J[2][ROWS * COLUMNS];
    for (int i = 0; i < TEST_SYSTEMS; i++)
        for (int k = 0; k < 5; k++) {
            test_system t;
            lg_group user;
            int count = 0;
            test_system_make(&t, test_system_names[i]);
            roster_user_group(&user, t.S.group, 0);
            user.exp = NULL;
            suite_case("%s on a user's group, %s", t.name, methods[k]);
            for (int own = 0; own < 2; own++) {
                lg_linearisation *lin = NULL;
                if (own) t.S.group = &user;
                lg_integrator *it = run_start(&t, methods[k], "cayley", t.h);
                suite_ok("create", lg_linearisation_create(&lin, it));
                suite_ok("linearise", lg_linearisation_compute(lin, it));
                suite_ok("jacobian", lg_linearisation_jacobian(lin, J[own]));
                count = lg_linearisation_rows(lin) * lg_linearisation_columns(lin);
                lg_linearisation_destroy(lin);
                run_end(&it);
            }
            double size = 1;
            for (int j = 0; j < count; j++) { /* parameters of the inertia: unknown */
                if (isnan(J[0][j]) && isnan(J[1][j])) J[0][j] = J[1][j] = 0;
                size = fmax(size, fabs(J[0][j]));
            }
            suite_near("J", J[1], J[0], count, 1e-10, size);
        }
}

/* ---- what it leaves alone ---- */

static void same_state(const lg_integrator *a, const lg_integrator *b)
{
    const int n = a->plan.n;
    suite_same_bits("g", lg_integrator_configuration(a), lg_integrator_configuration(b), a->plan.element_size);
    suite_same_bits("p+", lg_integrator_momentum_plus(a), lg_integrator_momentum_plus(b), n);
    suite_same_bits("p-", lg_integrator_momentum_minus(a), lg_integrator_momentum_minus(b), n);
    suite_same_bits("p", lg_integrator_momentum(a), lg_integrator_momentum(b), n);
    suite_same_bits("xi", lg_integrator_step_velocity(a), lg_integrator_step_velocity(b), n);
    suite_same_bits("lambda", a->workspace->now->lambda, b->workspace->now->lambda, a->plan.m);
    assert_true(lg_integrator_time(a) == lg_integrator_time(b) &&
                lg_integrator_step_index(a) == lg_integrator_step_index(b));
}

/* Steps with a linearisation are lg_integrator_step()'s, bit by bit, and the derivative does not depend on what was
 * linearised before. */
static void test_same_steps(void **state)
{
    (void)state;
    static double first[ROWS * COLUMNS], second[ROWS * COLUMNS];
    test_system t;
    for (int i = 0; bench_system(&t, i); i += 3)
        for (const char *const *method = lg_method_names(); *method; method++) {
            lg_integrator *it = NULL, *other = NULL;
            lg_linearisation *lin = NULL, *fresh = NULL;
            suite_case("%s, %s", t.name, *method);
            if (lg_integrator_create(&it, &t.S, *method, "exp", t.h) == LG_OK) {
                suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
                suite_ok("clone", lg_integrator_clone(&other, it));
                suite_ok("create", lg_linearisation_create(&lin, it));
                for (int k = 0; k < 4; k++) {
                    suite_ok("linearise", lg_linearisation_compute(lin, it));
                    same_state(it, other);
                    suite_ok("linearised step", lg_linearisation_step(lin, it));
                    suite_ok("step", lg_integrator_step(other));
                    same_state(it, other);
                }
                suite_ok("create", lg_linearisation_create(&fresh, it));
                suite_ok("linearise", lg_linearisation_compute(lin, it));
                suite_ok("linearise", lg_linearisation_compute(fresh, it));
                suite_ok("jacobian", lg_linearisation_jacobian(lin, first));
                suite_ok("jacobian", lg_linearisation_jacobian(fresh, second));
                suite_same_bits("J", first, second, lg_linearisation_rows(lin) * lg_linearisation_columns(lin));
            }
            lg_linearisation_destroy(lin), lg_linearisation_destroy(fresh);
            lg_integrator_destroy(it), lg_integrator_destroy(other);
        }
}

/* ---- the symplectic form ---- */

/* Omega((eta, mu), (zeta, nu)) = <mu, zeta> - <nu, eta> - <p, [eta, zeta]>, that of the cotangent bundle,
 * left-trivialised. */
static double form(const lg_group *G, const double *p, const double *a, const double *b)
{
    const int n = lg_group_dim(G);
    double bracket[SUITE_DIM], s = 0;
    suite_ok("ad", lg_group_ad_apply(G, bracket, a, b));
    for (int i = 0; i < n; i++) s += a[n + i] * b[i] - b[n + i] * a[i] - p[i] * bracket[i];
    return s;
}

/* Variational steps keep it: discrete Lagrangians of constant and of configuration-dependent metrics, potentials, the
 * geodesic midpoint, compositions. */
static void test_symplectic(void **state)
{
    (void)state;
    static const char *const methods[] = {"variational",
                                          "variational:euler-a",
                                          "variational:euler-b",
                                          "variational:midpoint",
                                          "variational:symmetric-alpha=0.25",
                                          "variational@yoshida4"};
    static const char *const systems[] = {"top", "twolink", "se3_free"};
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < 6; k++)
            for (int r = 0; r < 2; r++) {
                test_system t;
                double J[ROWS * COLUMNS], a[2 * SUITE_DIM], b[2 * SUITE_DIM], Ja[ROWS], Jb[ROWS], in[COLUMNS] = {0};
                lg_linearisation *lin = NULL;
                lg_rng rng = suite_rng(3);
                if (s < 2)
                    energy_system_make(&t, systems[s]);
                else
                    steered_make(&t, STEERED_FREE);
                suite_case("%s, %s, %s", systems[s], methods[k], retractions[r]);
                lg_integrator *it = run_start(&t, methods[k], retractions[r], t.h);
                run_steps(it, 2);
                const int n = it->plan.n;
                double p[SUITE_DIM];
                copy(p, lg_integrator_momentum(it), n);
                suite_ok("create", lg_linearisation_create(&lin, it));
                suite_ok("linearised step", lg_linearisation_step(lin, it));
                suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
                suite_normal(a, 2 * n, &rng), suite_normal(b, 2 * n, &rng);
                copy(in, a, 2 * n);
                suite_ok("apply", lg_linearisation_apply(lin, Ja, in));
                copy(in, b, 2 * n);
                suite_ok("apply", lg_linearisation_apply(lin, Jb, in));
                const double before = form(t.S.group, p, a, b),
                             after = form(t.S.group, lg_integrator_momentum(it), Ja, Jb);
                suite_near1("Omega", after, before, 1e-11, fmax(1, fabs(before)));
                lg_linearisation_destroy(lin);
                run_end(&it);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_method), cmocka_unit_test(test_compositions),
                                       cmocka_unit_test(test_steered),      cmocka_unit_test(test_user_group),
                                       cmocka_unit_test(test_same_steps),   cmocka_unit_test(test_symplectic)};
    suite_begin("linearisation");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
