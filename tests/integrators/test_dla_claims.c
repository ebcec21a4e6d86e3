/* SPDX-License-Identifier: BSD-3-Clause */
/* What the papers say of DLA (docs/theory.md section 7): the momentum map of the discrete sleigh [P3], dependence on
 * the frame of the rows, the energies of the figures of [P0] and [P1]. */
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/runs.h"

/* ---- the discrete Chaplygin sleigh ([P3]) ---- */

typedef struct sleigh {
    double m, J, a;
} sleigh;

static int sleigh_metric(const lg_call *c, const double *q, double *M)
{
    const sleigh *k = c->context;
    M[0] = M[4] = k->m;
    M[2] = M[6] = -k->m * k->a * sin(q[2]);
    M[5] = M[7] = k->m * k->a * cos(q[2]);
    M[8] = k->J + k->m * k->a * k->a;
    return 0;
}

static int sleigh_slope(const lg_call *c, const double *q, const double *v, double *out)
{
    const sleigh *k = c->context;
    out[2] = -k->m * k->a * v[2] * (v[0] * cos(q[2]) + v[1] * sin(q[2]));
    return 0;
}

static int sleigh_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[0] = sin(q[2]);
    mu[1] = -cos(q[2]);
    return 0;
}

static const double sleigh_h = 0.1;

/* dla:midpoint with [P3]'s momenta (p1, p2) = h (p_theta, p along the blade); they leave h out of L_d. */
static lg_integrator *sleigh_start(const sleigh *k, double p1, double p2)
{
    lg_system S = lg_system_default(lg_rn(3));
    const double q0[3] = {0}, p[3] = {p2 / sleigh_h, 0, p1 / sleigh_h};
    lg_integrator *it = NULL;
    S.context = k;
    S.callbacks.metric = sleigh_metric;
    S.callbacks.metric_gradient = sleigh_slope;
    S.constraint_count = 1;
    S.callbacks.covectors = sleigh_rows;
    if (lg_integrator_create(&it, &S, "dla:midpoint", NULL, sleigh_h) != LG_OK)
        suite_fail("%s", lg_integrator_message(it));
    if (lg_integrator_start_momentum(it, 0, q0, p) != LG_OK) suite_fail("%s", lg_integrator_message(it));
    return it;
}

static void sleigh_read(const lg_integrator *it, double *out)
{
    const double *p = lg_integrator_momentum_plus(it), theta = lg_integrator_configuration(it)[2];
    out[0] = sleigh_h * p[2];
    out[1] = sleigh_h * (p[0] * cos(theta) + p[1] * sin(theta));
}

/* D of (p1, p2) -> (p1', p2'), 2 x 2, by differences of order 4; straight motion is as good a point as any. */
static void sleigh_derivative(const sleigh *k, const double *p, double *D)
{
    static const double e = 2e-4, at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    memset(D, 0, 4 * sizeof *D);
    for (int j = 0; j < 2; j++)
        for (int s = 0; s < 4; s++) {
            double out[2];
            lg_integrator *it = sleigh_start(k, p[0] + (j == 0 ? at[s] * e : 0), p[1] + (j == 1 ? at[s] * e : 0));
            run_steps(it, 1);
            sleigh_read(it, out);
            run_end(&it);
            for (int i = 0; i < 2; i++) D[2 * i + j] += weight[s] * out[i] / (12 * e);
        }
}

static void sleigh_orbit(const cJSON *orbit)
{
    const sleigh k = {ref_number(ref_get(orbit, "m")), ref_number(ref_get(orbit, "J")),
                      ref_number(ref_get(orbit, "a"))};
    double p[2], p0[2], want[2], D[4], growth = 1;
    const cJSON *state;
    ref_exactly(p0, 2, orbit, "p0");
    lg_integrator *it = sleigh_start(&k, p0[0], p0[1]);
    cJSON_ArrayForEach(state, ref_get(orbit, "orbit"))
    {
        const int step = ref_get(state, "k")->valueint;
        run_steps(it, step - lg_integrator_step_index(it));
        suite_case("sleigh m = %g, J = %g, a = %g, step %d", k.m, k.J, k.a, step);
        sleigh_read(it, p);
        ref_exactly(want, 2, state, "p");
        growth = fmax(growth, fabs(want[0] / p0[0])); /* of what the roundings of straight motion put into p1 */
        const double tolerance = 1e-13 + growth * SUITE_EPS / 2;
        suite_near("(p1, p2)", p, want, 2, tolerance, 1);
        sleigh_derivative(&k, p, D);
        suite_near1("det", D[0] * D[3] - D[1] * D[2], ref_number(ref_get(state, "det")), 1e-9, 1);
        lg_integrator *next = NULL;
        suite_ok("clone", lg_integrator_clone(&next, it));
        run_steps(next, 1);
        suite_near1("dtheta", lg_integrator_configuration(next)[2] - lg_integrator_configuration(it)[2],
                    ref_number(ref_get(state, "dtheta")), tolerance, 1);
        run_end(&next);
    }
    run_end(&it);
}

/* Theorem 6: straight motion (0, p2) has the multiplier (2K - a p2)/(2K + a p2), K = J + m a^2. */
static void test_sleigh_map(void **state)
{
    (void)state;
    cJSON *root = ref_load("planar_sleigh_map.json");
    static const sleigh k = {1, 1, 0.2};
    const cJSON *item;
    int count = 0;
    cJSON_ArrayForEach(item, ref_get(root, "orbits"))
    {
        sleigh_orbit(item);
        count++;
    }
    assert_int_equal(count, 4);
    cJSON_ArrayForEach(item, ref_get(root, "eigenvalues_m1_J1_a02"))
    {
        const double p[2] = {0, ref_number(ref_get(item, "p2"))};
        const double want = ref_number(ref_get(item, "lambda1"));
        double D[4];
        suite_case("straight sleigh, p2 = %g", p[1]);
        sleigh_derivative(&k, p, D);
        suite_near1("the formula", (2 * 1.04 - 0.2 * p[1]) / (2 * 1.04 + 0.2 * p[1]), want, 1e-14, fmax(1, fabs(want)));
        suite_near1("eigenvalue", D[0], want, 1e-9, fmax(1, fabs(want)));
        suite_near1("the other one", D[3], 1, 1e-9, 1);
        suite_near1("triangular", D[2] * D[1], 0, 1e-9, 1);
    }
    cJSON_Delete(root);
}

/* ---- frames ---- */

/* The snakeboard's wheels instead of the rows of full rank: cos(phi) mu_1 + mu_2 and cos(phi) mu_1 - mu_2. */
static lg_covectors_fn board_rows;

static int wheel_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    double rows[10] = {0};
    const int code = board_rows(c, q, rows, Y);
    for (int i = 0; i < 5; i++) {
        mu[i] = cos(q[4]) * rows[i] + rows[5 + i];
        mu[5 + i] = cos(q[4]) * rows[i] - rows[5 + i];
    }
    return code;
}

static void test_frames(void **state)
{
    (void)state;
    static const char *const methods[] = {"dla:midpoint", "dla:trapezoidal"};
    test_system t, wheels;
    run_state a, b;
    energy_system_make(&t, "snakeboard");
    board_rows = t.S.callbacks.covectors;
    wheels = t;
    wheels.S.callbacks.covectors = wheel_rows;
    wheels.S.callbacks.covectors_derivative = NULL;
    for (int k = 0; k < 2; k++) {
        suite_case("snakeboard by its wheels, %s, 20 steps", methods[k]);
        run_to(&a, &t, methods[k], "exp", 2, 20);
        run_to(&b, &wheels, methods[k], "exp", 2, 20);
        const double difference = run_difference(t.S.group, &a, &b);
        if (k == 0)
            suite_below("difference", difference, 1e-13);
        else
            suite_near1("difference", suite_distance(a.M, b.M, SUITE_MATRIX), 6.6e-4, 1, 0.5e-4);
    }
}

/* ---- energies of the papers' figures ---- */

/* H(t, q, p). */
static double energy_of(const test_system *t, double time, const double *q, const double *p)
{
    double H = NAN;
    suite_ok("energy", lg_system_energy(&t->S, &H, time, q, p, NULL));
    return H;
}

typedef struct band {
    double low, high;           /* of H(p~) */
    double plus_low, plus_high; /* of H(p+) */
    double drift;               /* H(p~) at the end */
    double residual;            /* largest |A v|, for rk4 */
} band;

static band energies(const test_system *t, const char *method, double h, double T)
{
    band b = {INFINITY, -INFINITY, INFINITY, -INFINITY, 0, 0};
    lg_integrator *it = run_start(t, method, "exp", h);
    for (int k = 0; k < (int)lround(T / h); k++) {
        run_steps(it, 1);
        const double H = lg_integrator_energy(it),
                     plus = energy_of(t, 0, lg_integrator_configuration(it), lg_integrator_momentum_plus(it));
        b.low = fmin(b.low, H), b.high = fmax(b.high, H);
        b.plus_low = fmin(b.plus_low, plus), b.plus_high = fmax(b.plus_high, plus);
        b.drift = H;
        b.residual = fmax(b.residual, lg_integrator_constraint_residual(it));
    }
    run_end(&it);
    return b;
}

/* [P1] figures 1 to 4, h = 0.2, t <= 250: DLA oscillates in a band, Runge and Kutta's method drifts out of it. */
static void test_bands(void **state)
{
    (void)state;
    test_system t;
    energy_system_make(&t, "particle_quad");
    suite_case("particle in a bowl, h = 0.2");
    band b = energies(&t, "dla:midpoint", 0.2, 250);
    suite_near1("least H(p+)", b.plus_low, 2.490, 1, 5e-4);
    suite_near1("largest H(p+)", b.plus_high, 2.520, 1, 5e-4);
    suite_below("A v~", b.residual, 1e-14);
    b = energies(&t, "rk4", 0.2, 250);
    suite_near1("H of rk4", b.low, 2.4843, 1, 5e-4);
    suite_near1("A v of rk4", b.residual, 6.1e-4, 1, 5e-6);
    energy_system_make(&t, "robot");
    suite_case("robot, h = 0.2");
    b = energies(&t, "dla:midpoint", 0.2, 250);
    suite_near1("least H(p~)", b.low, -2.130, 1, 5e-4);
    suite_near1("largest H(p~)", b.high, -2.111, 1, 5e-4);
    suite_below("A v~", b.residual, 1e-14);
    b = energies(&t, "rk4", 0.2, 250);
    suite_near1("H of rk4", b.low, -2.2085, 1, 1e-4);
    suite_near1("A v of rk4", b.residual, 3.8e-5, 1, 1e-6);
}

/* [P0] figure 2, h = 0.2: H(p+) of DLA rises by 4.7e-3 of itself where the free particle passes y = 0 and comes back.
 */
static void test_hump(void **state)
{
    (void)state;
    static const double q0[3] = {0, -5, 0}, v0[3] = {1, 1, -5};
    test_system t;
    double first = 0, top = 0, at = 0, H = 0;
    energy_system_make(&t, "particle_quad");
    t.S.callbacks.potential = NULL, t.S.callbacks.potential_gradient = NULL;
    memcpy(t.g0, q0, sizeof q0);
    memcpy(t.xi0, v0, sizeof v0);
    suite_case("free particle, h = 0.2");
    lg_integrator *it = run_start(&t, "dla:midpoint", "exp", 0.2);
    for (int k = 0; k < 50; k++) {
        run_steps(it, 1);
        const double *p = lg_integrator_momentum_plus(it);
        H = mat_dot(p, p, 3) / 2;
        if (k == 0) first = H;
        if (H > top) top = H, at = lg_integrator_configuration(it)[1];
    }
    suite_near1("hump", (top - first) / 13.5, 4.7e-3, 1, 0.5e-4);
    suite_below("where", fabs(at), 0.21); /* H is even in y, and 0 and 0.2 are nodes */
    suite_near1("H(p+) at y = 5", H, first, 1e-13, 13.5);
    run_end(&it);
}

int main(void)
{
    suite_begin("claims on DLA");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sleigh_map),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_bands),
        cmocka_unit_test(test_hump),
    };
    return cmocka_run_group_tests_name("dla_claims", tests, NULL, NULL);
}
