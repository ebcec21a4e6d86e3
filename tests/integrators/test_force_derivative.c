/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a force that the user gives: linearised steps are those of differences and ask the force less
 * often; wrong ones are found by lg_system_check(). */
#include <math.h>
#include <string.h>

#include <liegrp/groups/so3.h>
#include <liegrp/integrators/linearisation.h>

#include "support/suite.h"

enum { N = 3, CONTROLS = 2, INPUTS = 2 * N + CONTROLS + 1, ROWS = 2 * N };

static const double inertia[] = {1, 2, 3};
static int asked, wrong;

/* R^T e_3 of the attitude. */
static void axis(double *a, const double *q)
{
    a[0] = 2 * (q[0] * q[2] - q[3] * q[1]), a[1] = 2 * (q[1] * q[2] + q[3] * q[0]);
    a[2] = 1 - 2 * (q[0] * q[0] + q[1] * q[1]);
}

/* f = -(1 + |xi|^2) xi + u_1 a + sin(u_2) a x xi. */
static int force(const lg_call *c, const double *g, const double *xi, double *out)
{
    double a[3];
    asked++;
    axis(a, g);
    const double square = xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2], s = sin(c->control[1]);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = -(1 + square) * xi[i] + c->control[0] * a[i] + s * (a[j] * xi[k] - a[k] * xi[j]);
    }
    return 0;
}

static int derivative(const lg_call *c, const double *g, const double *xi, const double *eta, const double *dxi,
                      const double *du, double *out)
{
    double a[3], da[3], square = 0, dsquare = 0;
    axis(a, g);
    const double s = sin(c->control[1]), ds = cos(c->control[1]) * du[1];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        da[i] = a[j] * eta[k] - a[k] * eta[j];
        square += xi[i] * xi[i], dsquare += 2 * xi[i] * dxi[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = -(1 + square) * dxi[i] - dsquare * xi[i] + du[0] * a[i] + c->control[0] * da[i];
        out[i] += ds * (a[j] * xi[k] - a[k] * xi[j]) + s * (da[j] * xi[k] - da[k] * xi[j]);
        out[i] += s * (a[j] * dxi[k] - a[k] * dxi[j]);
    }
    if (wrong == 1) out[1] += 1e-3 * du[1];
    return wrong == 2 ? 7 : 0;
}

static lg_system body(int given)
{
    lg_system S = lg_system_default(lg_so3());
    S.inertia_diagonal = inertia;
    S.callbacks.force = force, S.callbacks.control_count = CONTROLS;
    if (given) S.callbacks.force_derivative = derivative;
    return S;
}

/* J of one step, and how often the force was asked. */
static int jacobian(double *J, const char *method, int given, int *reached)
{
    const lg_system S = body(given);
    const double g0[] = {0.1, 0.2, -0.3, sqrt(1 - 0.14)}, xi0[] = {0.5, -1, 0.7}, u[] = {0.3, 0.8};
    lg_integrator *it;
    lg_linearisation *lin;
    suite_ok("integrator", lg_integrator_create(&it, &S, method, "exp", 0.05));
    suite_ok("control", lg_integrator_set_control(it, u));
    suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1));
    suite_ok("linearisation", lg_linearisation_create(&lin, it));
    asked = 0;
    const lg_status st = lg_linearisation_compute(lin, it);
    *reached = asked;
    if (st == LG_OK) suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    if (st != LG_OK) suite_contains("message", lg_linearisation_message(lin), "force_derivative");
    lg_linearisation_destroy(lin), lg_integrator_destroy(it);
    return st == LG_OK;
}

static void steps(void **unused)
{
    static const char *const methods[] = {"sem", "gni", "gauss"};
    (void)unused;
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        double J[ROWS * INPUTS], K[ROWS * INPUTS];
        int with, without;
        suite_case("%s", methods[k]);
        assert_true(jacobian(J, methods[k], 1, &with) && jacobian(K, methods[k], 0, &without));
        suite_near("J", J, K, ROWS * INPUTS, 1e-11, 1);
#ifdef LG_TANGENTS
        if (k == 0) assert_true(with < without / 2);
        wrong = 2;
        if (k == 0) assert_false(jacobian(J, methods[k], 1, &with));
        wrong = 0;
#endif
    }
}

static void checks(void **unused)
{
    (void)unused;
    lg_error e = {LG_OK, ""};
    lg_rng rng = suite_rng(5);
    lg_system S = body(1);
    suite_case("lg_system_check");
    if (lg_system_check(&S, &rng, NULL, 20, 0, &e) != LG_OK) suite_fail("%s", e.message);
    wrong = 1;
    suite_status("a wrong one", lg_system_check(&S, &rng, NULL, 20, 0, &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, "force_derivative: entry 2");
    wrong = 2;
    suite_status("one that fails", lg_system_check(&S, &rng, NULL, 20, 0, &e), LG_ERROR_CALLBACK);
    suite_contains("message", e.message, "force_derivative returned 7");
    wrong = 0;
    S.callbacks.force = NULL, S.callbacks.control_count = 0;
    suite_status("without force", lg_system_validate(&S, &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, "force_derivative without force");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps), cmocka_unit_test(checks)};
    suite_begin("integrators/force_derivative");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
