/* SPDX-License-Identifier: BSD-3-Clause */
/* A metric that depends on the configuration: the Chaplygin sleigh in R^2 x S^1 coordinates (x, y, theta) of the
 * contact point, M = [[m, 0, -ma sin], [0, m, ma cos], [., ., J + m a^2]], blade (sin, -cos, 0), against
 * planar_sleigh.json with L_d at the midpoint, at both ends and at the left end; with the metric's gradient given and
 * by differences; and the same L_d handed over as a discrete Lagrangian of the user's own. */
#include <math.h>
#include <stdlib.h>

#include "reference.h"
#include "suite.h"

static const double m = 1, moment = 1, a = 0.2;

static int metric(const lg_call *c, const double *g, double *M)
{
    (void)c;
    M[0] = M[4] = m;
    M[2] = M[6] = -m * a * sin(g[2]);
    M[5] = M[7] = m * a * cos(g[2]);
    M[8] = moment + m * a * a;
    return 0;
}

/* d/dtheta of 1/2 v.M v = m a v_theta (-v_x cos - v_y sin) */
static int metric_gradient(const lg_call *c, const double *g, const double *v, double *dT)
{
    (void)c;
    dT[2] = -m * a * v[2] * (v[0] * cos(g[2]) + v[1] * sin(g[2]));
    return 0;
}

static int blade(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[0] = sin(g[2]);
    mu[1] = -cos(g[2]);
    return 0;
}

/* L_d = h L((q0 + q1)/2, (q1 - q0)/h): D_1 = -M v + (h/2) dT, D_2 = M v + (h/2) dT at the middle. */
static int slope(const lg_call *c, double h, const double *q0, const double *q1, double *out, double sign)
{
    double q[3], v[3], M[9] = {0}, dT[3] = {0};
    for (int i = 0; i < 3; i++) {
        q[i] = 0.5 * (q0[i] + q1[i]);
        v[i] = (q1[i] - q0[i]) / h;
    }
    metric(c, q, M);
    metric_gradient(c, q, v, dT);
    for (int i = 0; i < 3; i++)
        out[i] = sign * (M[3 * i] * v[0] + M[3 * i + 1] * v[1] + M[3 * i + 2] * v[2]) + 0.5 * h * dT[i];
    return 0;
}

static int slope_1(const lg_call *c, double h, const double *q0, const double *q1, double *out)
{
    return slope(c, h, q0, q1, out, -1);
}

static int slope_2(const lg_call *c, double h, const double *q0, const double *q1, double *out)
{
    return slope(c, h, q0, q1, out, 1);
}

static lg_system sleigh(int gradient)
{
    lg_system S = lg_system_default(lg_rn(3));
    S.callbacks.metric = metric;
    if (gradient) S.callbacks.metric_gradient = metric_gradient;
    S.constraint_count = 1;
    S.callbacks.covectors = blade;
    S.callbacks.discrete_slope_1 = slope_1;
    S.callbacks.discrete_slope_2 = slope_2;
    return S;
}

/* Up to step 100: then the parasitic mode has grown by e^{5} (docs/theory.md section 5) and with it every rounding. */
static void against(const char *key, const char *method, int gradient, double tolerance)
{
    cJSON *root = ref_load("planar_sleigh.json");
    const cJSON *run = ref_get(ref_get(root, "methods"), key), *state;
    const lg_system S = sleigh(gradient);
    double q0[3], v0[3], p_minus[3], want[3];
    lg_integrator *it = NULL;
    ref_exactly(q0, 3, root, "q0");
    ref_exactly(v0, 3, root, "v0");
    ref_exactly(p_minus, 3, run, "p_minus_0");
    suite_case("%s, %s, gradient %d", key, method, gradient);
    suite_ok("create", lg_integrator_create(&it, &S, method, "exp", 0.1));
    suite_ok("start", lg_integrator_start(it, 0, q0, v0, LG_START_REACTION, 0));
    suite_near("p-_0 of the start", lg_integrator_momentum_minus(it), p_minus, 3, 1e-9,
               2.4); /* the rows' rate is a difference */
    suite_ok("start", lg_integrator_start_momentum(it, 0, q0, p_minus));
    cJSON_ArrayForEach(state, ref_get(run, "states"))
    {
        int k = atoi(state->string);
        if (k > 100) continue;
        suite_case("%s, %s, gradient %d, step %d", key, method, gradient, k);
        suite_ok("run", lg_integrator_run(it, k - lg_integrator_step_index(it), 1, NULL, NULL));
        double scale = tolerance * (1 + k);
        ref_exactly(want, 3, state, "q");
        suite_near("q", lg_integrator_configuration(it), want, 3, scale, 2.4);
        ref_exactly(want, 3, state, "p_plus");
        suite_near("p+", lg_integrator_momentum_plus(it), want, 3, scale, 2.4);
        ref_exactly(want, 3, state, "p_minus");
        suite_near("p-", lg_integrator_momentum_minus(it), want, 3, scale, 2.4);
        suite_near1("H(p-)", lg_integrator_energy_post(it), ref_number(ref_get(state, "H_minus")), scale, 3);
        suite_below("constraint", lg_integrator_constraint_residual(it), 1e-14);
    }
    lg_integrator_destroy(it);
    cJSON_Delete(root);
}

static void test_reference(void **state)
{
    (void)state;
    for (int gradient = 0; gradient < 2; gradient++) {
        double tolerance = gradient ? 1e-14 : 1e-12; /* differences are good to 1e-12 a step */
        against("gni_mid", "gni:midpoint", gradient, tolerance);
        against("gni_sym0", "gni", gradient, tolerance);
        against("gni_a0", "gni:euler-a", gradient, tolerance);
    }
    against("gni_mid", "gni:user", 1, 1e-14);
}

static void test_check(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(1);
    lg_error error;
    lg_system S = sleigh(1);
    suite_case("lg_system_check of the sleigh");
    suite_ok("check", lg_system_check(&S, &rng, NULL, 20, 0, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference), cmocka_unit_test(test_check)};
    suite_begin("metrics that depend on the configuration");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
