/* SPDX-License-Identifier: BSD-3-Clause */
/* Linearisations of steps: user-supplied second derivatives, wrong use, failing callbacks. */
#include <math.h>
#include <string.h>

#include "support/runs.h"
#include "support/steered.h"

/* ---- the user's second derivatives ---- */

/* V = (1 - cos(x/a)) a^2 on R^1 with a = 1e-5, far below what differences of the configuration resolve; and closed
 * forms of the trapezoidal step: x_1 = x + h (p - h V'(x)/2), p_1 = p - h (V'(x) + V'(x_1))/2. */
static const double a = 1e-5;

static int ripple(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = a * a * (1 - cos(g[0] / a));
    return 0;
}

static int ripple_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[0] = a * sin(g[0] / a);
    return 0;
}

static int ripple_hessian(const lg_call *c, const double *g, const double *eta, double *out)
{
    (void)c;
    out[0] = cos(g[0] / a) * eta[0];
    return 0;
}

static void test_second_derivatives(void **state)
{
    (void)state;
    const double one[1] = {1}, h = 0.5, x = 0.3, p = 0.7, x1 = x + h * (p - 0.5 * h * a * sin(x / a));
    const double V = cos(x / a), V1 = cos(x1 / a), q = 1 - 0.5 * h * h * V;
    const double want[4] = {q, h, -0.5 * h * (V + V1 * q), 1 - 0.5 * h * h * V1};
    lg_system S = lg_system_default(lg_rn(1));
    S.inertia_diagonal = one, S.callbacks.potential = ripple, S.callbacks.potential_gradient = ripple_gradient;
    S.callbacks.potential_hessian = ripple_hessian;
    for (int given = 1; given >= 0; given--) {
        double J[6];
        lg_linearisation *lin = NULL;
        suite_case("ripple %s second derivative", given ? "with" : "without");
        if (!given) S.callbacks.potential_hessian = NULL;
        lg_integrator *it = run_start_at(&S, "variational", "exp", h, 0, &x, &p);
        suite_ok("start", lg_integrator_start_momentum(it, 0, &x, &p));
        suite_ok("create", lg_linearisation_create(&lin, it));
        suite_ok("linearise", lg_linearisation_compute(lin, it));
        suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
        const double got[4] = {J[0], J[1], J[3], J[4]};
        if (given)
            suite_near("J", got, want, 4, 1e-11, 1); /* x/a is rounded: eps 3e4 */
        else
            suite_above("distance", suite_distance(got, want, 4), 1e-6);
        lg_linearisation_destroy(lin);
        run_end(&it);
    }
}

/* lg_system_check() and lg_system_validate() know them. */
static int wrong_hessian(const lg_call *c, const double *g, const double *eta, double *out)
{
    int code = steered_hessian(c, g, eta, out);
    out[1] += 1e-3 * eta[0];
    return code;
}

static void test_check(void **state)
{
    (void)state;
    lg_error e;
    test_system t;
    steered_make(&t, 0);
    suite_case("lg_system_check");
    lg_rng rng = suite_rng(5);
    assert_non_null(t.S.callbacks.potential_hessian);
    if (lg_system_check(&t.S, &rng, t.g0, 20, 0, &e) != LG_OK) suite_fail("%s", e.message);
    t.S.callbacks.potential_hessian = wrong_hessian;
    suite_status("a wrong one", lg_system_check(&t.S, &rng, t.g0, 20, 0, &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, "potential_hessian: entry 2");
    t.S.callbacks.potential_gradient = NULL;
    suite_status("without gradient", lg_system_validate(&t.S, &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, "potential_hessian without potential_gradient");
}

/* ---- wrong use ---- */

static int broken; /* the callback's return value */

static int broken_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c, (void)g;
    dV[0] = 1;
    return broken;
}

static int level(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = g[0];
    return 0;
}

static void test_errors(void **state)
{
    (void)state;
    const double one[1] = {1}, zero[1] = {0};
    double J[6];
    lg_integrator *it = NULL, *other = NULL;
    lg_linearisation *lin = NULL;
    lg_system S = lg_system_default(lg_rn(1));
    S.inertia_diagonal = one, S.callbacks.potential = level, S.callbacks.potential_gradient = broken_gradient;
    suite_case("errors");
    suite_status("NULL", lg_linearisation_create(&lin, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_linearisation_message(lin), "no integrator");
    suite_status("fail_creation", lg_linearisation_compute(lin, NULL), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_linearisation_rows(lin), 0);
    lg_linearisation_destroy(lin);
    suite_ok("create", lg_integrator_create(&it, &S, "variational", "exp", 0.1));
    suite_ok("create", lg_integrator_create(&other, &S, "sem", "exp", 0.1));
    suite_ok("create", lg_linearisation_create(&lin, it));
    suite_status("not started", lg_linearisation_compute(lin, it), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_linearisation_message(lin), "not started");
    suite_status("no derivative", lg_linearisation_jacobian(lin, J), LG_ERROR_ARGUMENT);
    suite_status("no derivative", lg_linearisation_apply(lin, J, J + 3), LG_ERROR_ARGUMENT);
    suite_status("no derivative", lg_linearisation_apply_transposed(lin, J, J + 3), LG_ERROR_ARGUMENT);
    suite_ok("start", lg_integrator_start(it, 0, zero, one, LG_START_REACTION, 0));
    suite_ok("start", lg_integrator_start(other, 0, zero, one, LG_START_REACTION, 0));
    suite_status("another method", lg_linearisation_compute(lin, other), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_linearisation_message(lin), "'variational'");
    suite_ok("linearise", lg_linearisation_compute(lin, it));
    assert_string_equal(lg_linearisation_message(lin), "");
    suite_status("J is NULL", lg_linearisation_jacobian(lin, NULL), LG_ERROR_ARGUMENT);
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    broken = 77;
    suite_status("callback", lg_linearisation_step(lin, it), LG_ERROR_CALLBACK);
    suite_contains("message", lg_linearisation_message(lin), "potential_gradient returned 77");
    suite_status("no derivative", lg_linearisation_jacobian(lin, J), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_integrator_step_index(it), 0);
    broken = 0;
    suite_ok("again", lg_linearisation_step(lin, it));
    assert_int_equal(lg_integrator_step_index(it), 1);
    assert_true(lg_linearisation_bytes(lin) > lg_integrator_bytes(it));
    lg_linearisation_destroy(lin), lg_linearisation_destroy(NULL);
    lg_integrator_destroy(it), lg_integrator_destroy(other);
}

/* V = -2 x^2/h^2 makes the midpoint step's equation lose its unknown; at x = p = 0 it holds all the same. */
static int hill(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = -8 * g[0] * g[0];
    return 0;
}

static int hill_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[0] = -16 * g[0];
    return 0;
}

static void test_singular(void **state)
{
    (void)state;
    const double one[1] = {1}, zero[1] = {0};
    lg_linearisation *lin = NULL;
    lg_system S = lg_system_default(lg_rn(1));
    S.inertia_diagonal = one, S.callbacks.potential = hill, S.callbacks.potential_gradient = hill_gradient;
    suite_case("singular");
    lg_integrator *it = run_start_at(&S, "variational:midpoint", "exp", 0.5, 0, zero, zero);
    suite_ok("create", lg_linearisation_create(&lin, it));
    suite_status("singular", lg_linearisation_compute(lin, it), LG_ERROR_SINGULAR);
    suite_contains("message", lg_linearisation_message(lin), "the Jacobian of the step is singular");
    lg_linearisation_destroy(lin);
    run_end(&it);
}

/* Where callbacks fail a little away from the state, differences go nearer. */
static int narrow_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[0] = sin(g[0]);
    return fabs(g[0] - 1) > 0.02;
}

static int narrow(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = 1 - cos(g[0]);
    return 0;
}

static void test_narrow(void **state)
{
    (void)state;
    const double one[1] = {1}, x = 1, v = 0.1, h = 0.1, x1 = x + h * (v - 0.5 * h * sin(x)),
                 q = 1 - 0.5 * h * h * cos(x);
    double J[6];
    lg_linearisation *lin = NULL;
    lg_system S = lg_system_default(lg_rn(1));
    S.inertia_diagonal = one, S.callbacks.potential = narrow, S.callbacks.potential_gradient = narrow_gradient;
    suite_case("narrow");
    lg_integrator *it = run_start_at(&S, "variational", "exp", h, 0, &x, &v);
    suite_ok("create", lg_linearisation_create(&lin, it));
    suite_ok("linearise", lg_linearisation_compute(lin, it));
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    suite_near1("dp/dx", J[3], -0.5 * h * (cos(x) + cos(x1) * q), 1e-11, 1);
    lg_linearisation_destroy(lin);
    run_end(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_second_derivatives), cmocka_unit_test(test_check),
                                       cmocka_unit_test(test_errors), cmocka_unit_test(test_singular),
                                       cmocka_unit_test(test_narrow)};
    suite_begin("linearisation contracts");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
