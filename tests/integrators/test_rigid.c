/* SPDX-License-Identifier: BSD-3-Clause */
/* Longer runs against the other reference files: planar_particle_*.json (R^3 with midpoint, trapezoidal, Euler A),
 * rigid_suslov.json, rigid_sleigh.json (there SE(2) is ordered omega, v1, v2), rigid_so3_rigid_body.json (free body and
 * heavy top, no constraints) and rigid_disk.json (three rows that depend on the attitude). 1e-13 of the largest entry
 * up to ten steps, 1e-12 up to a hundred. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/suite.h"

static double tolerance_after(int steps)
{
    return steps <= 10 ? 1e-13 : steps <= 100 ? 1e-12 : 1e-10;
}

static void near_vector(const char *what, const double *got, const double *want, int n, double tolerance)
{
    double scale = 1;
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(want[i]));
    suite_near(what, got, want, n, tolerance, scale);
}

static lg_integrator *begin(const lg_system *S, const char *method, const char *retraction, double h, const double *g0,
                            const double *p_minus)
{
    lg_integrator *it = NULL;
    if (lg_integrator_create(&it, S, method, retraction, h) != LG_OK)
        suite_fail("create: %s", lg_integrator_message(it));
    if (lg_integrator_start_momentum(it, 0, g0, p_minus) != LG_OK) suite_fail("start: %s", lg_integrator_message(it));
    return it;
}

static void advance_to(lg_integrator *it, int k)
{
    while (lg_integrator_step_index(it) < k) {
        if (lg_integrator_step(it) != LG_OK) suite_fail("step: %s", lg_integrator_message(it));
    }
}

/* ---- the particle of the reference ---- */

static const double ones[3] = {1, 1, 1};

static int particle_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[0] = -g[1];
    mu[2] = 1;
    return 0;
}

static int particle_V(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = g[0] * g[0] + g[1] * g[1];
    return 0;
}

static int particle_dV(const lg_call *c, const double *g, double *out)
{
    (void)c;
    out[0] = 2 * g[0];
    out[1] = 2 * g[1];
    return 0;
}

static void particle(const char *file, const char *key, const char *method, int potential)
{
    cJSON *root = ref_load(file);
    const cJSON *run = ref_get(ref_get(root, "methods"), key);
    double q0[3], p_minus[3], want[3];
    ref_exactly(q0, 3, root, "q0");
    ref_exactly(p_minus, 3, run, "p_minus_0");
    lg_system S = lg_system_default(lg_rn(3));
    S.inertia_diagonal = ones;
    S.constraint_count = 1;
    S.callbacks.covectors = particle_rows;
    if (potential) S.callbacks.potential = particle_V;
    if (potential) S.callbacks.potential_gradient = particle_dV;
    lg_integrator *it = begin(&S, method, "exp", ref_number(ref_get(root, "h")), q0, p_minus);
    const cJSON *state;
    cJSON_ArrayForEach(state, ref_get(run, "states"))
    {
        int k = atoi(state->string);
        double tolerance = tolerance_after(k);
        suite_case("%s %s, step %d", file, key, k);
        advance_to(it, k);
        ref_exactly(want, 3, state, "q");
        near_vector("q", lg_integrator_configuration(it), want, 3, tolerance);
        ref_exactly(want, 3, state, "p_plus");
        near_vector("p+", lg_integrator_momentum_plus(it), want, 3, tolerance);
        ref_exactly(want, 3, state, "p_minus");
        near_vector("p-", lg_integrator_momentum_minus(it), want, 3, tolerance);
        ref_exactly(want, 3, state, "p_avg");
        near_vector("p~", lg_integrator_momentum(it), want, 3, tolerance);
        suite_near1("H(p-)", lg_integrator_energy_post(it), ref_number(ref_get(state, "H_minus")), tolerance, 14);
    }
    lg_integrator_destroy(it);
    cJSON_Delete(root);
}

static void test_particle(void **state)
{
    (void)state;
    particle("planar_particle_free.json", "gni_mid", "gni:midpoint", 0);
    particle("planar_particle_free.json", "gni_mid", "gni:trapezoidal", 0); /* V = 0: the same map */
    particle("planar_particle_quad.json", "gni_mid", "gni:midpoint", 1);
    particle("planar_particle_quad.json", "gni_sym0", "gni:trapezoidal", 1);
    particle("planar_particle_quad.json", "gni_a0", "gni:euler-a", 1);
}

/* ---- Suslov ---- */

static void check_rotation(const lg_integrator *it, const cJSON *state, double tolerance)
{
    double R[9], want[9];
    ref_exactly(want, 9, state, "R");
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, lg_integrator_configuration(it)));
    near_vector("R", R, want, 9, tolerance);
}

static void check_vectors(const lg_integrator *it, const cJSON *state, double tolerance)
{
    double want[3];
    ref_exactly(want, 3, state, "p_minus");
    near_vector("p-", lg_integrator_momentum_minus(it), want, 3, tolerance);
    ref_exactly(want, 3, state, "p_tilde");
    near_vector("p~", lg_integrator_momentum(it), want, 3, tolerance);
    ref_exactly(want, 3, state, "xi_last");
    near_vector("xi", lg_integrator_step_velocity(it), want, 3, 20 * tolerance);
    suite_near1("H(p~)", lg_integrator_energy(it), ref_number(ref_get(state, "energy_tilde")), tolerance, 1.3);
}

/* The four runs cay/exp x S0 (`legendre`)/S1 (`reaction`). */
static const char *const runs[] = {"cay_S0", "cay_S1", "exp_S0", "exp_S1"};

static void test_suslov(void **state)
{
    (void)state;
    cJSON *root = ref_load("rigid_suslov.json");
    double J[9], a[3], Omega[3], p_minus[3];
    const double one[4] = {0, 0, 0, 1};
    ref_exactly(J, 9, root, "I");
    ref_exactly(a, 3, root, "a");
    ref_exactly(Omega, 3, root, "Omega0");
    lg_system S = lg_system_default(lg_so3());
    S.inertia = J;
    S.constraint_count = 1;
    S.covector_matrix = a;
    for (int k = 0; k < 4; k++) {
        const cJSON *run = ref_get(ref_get(root, "discrete"), runs[k]), *item;
        suite_case("Suslov %s", runs[k]);
        ref_exactly(p_minus, 3, run, "p_minus_0");
        lg_integrator *it = begin(&S, "gni", k < 2 ? "cayley" : "exp", ref_number(ref_get(run, "h")), one, p_minus);
        suite_ok("start", lg_integrator_start(it, 0, one, Omega, k % 2 ? LG_START_REACTION : LG_START_LEGENDRE, 0));
        near_vector("p-_0", lg_integrator_momentum_minus(it), p_minus, 3, 1e-14);
        cJSON_ArrayForEach(item, ref_get(run, "states"))
        {
            int steps = ref_get(item, "k")->valueint;
            suite_case("Suslov %s, step %d", runs[k], steps);
            advance_to(it, steps);
            check_rotation(it, item, tolerance_after(steps));
            check_vectors(it, item, tolerance_after(steps));
        }
        lg_integrator_destroy(it);
    }
    cJSON_Delete(root);
}

/* ---- sleigh ---- */

/* (omega, v1, v2) of the file to our (v1, v2, omega). */
static void reordered(double *out, const cJSON *node, const char *key)
{
    double x[3];
    ref_exactly(x, 3, node, key);
    out[0] = x[1];
    out[1] = x[2];
    out[2] = x[0];
}

static void check_sleigh(const lg_integrator *it, const cJSON *state, double tolerance)
{
    double x[3], want[4];
    ref_exactly(x, 3, state, "g"); /* theta, x, y */
    want[0] = x[1];
    want[1] = x[2];
    want[2] = cos(x[0]);
    want[3] = sin(x[0]);
    near_vector("g", lg_integrator_configuration(it), want, 4, tolerance);
    reordered(want, state, "p_minus");
    near_vector("p-", lg_integrator_momentum_minus(it), want, 3, tolerance);
    reordered(want, state, "p_tilde");
    near_vector("p~", lg_integrator_momentum(it), want, 3, tolerance);
    reordered(want, state, "xi_last");
    near_vector("xi", lg_integrator_step_velocity(it), want, 3, 20 * tolerance);
    suite_near1("H(p~)", lg_integrator_energy(it), ref_number(ref_get(state, "energy_tilde")), tolerance, 1);
}

static void test_sleigh(void **state)
{
    (void)state;
    cJSON *root = ref_load("rigid_sleigh.json");
    static const double J[9] = {1, 0, 0, 0, 1, 0.2, 0, 0.2, 1.04}, row[3] = {0, 1, 0}, xi0[3] = {-0.6, 0, 1},
                        g0[4] = {0, 0, 1, 0};
    lg_system S = lg_system_default(lg_se2());
    S.inertia = J;
    S.constraint_count = 1;
    S.covector_matrix = row;
    for (int k = 0; k < 4; k++) {
        const cJSON *run = ref_get(ref_get(ref_get(root, "chaplygin_sleigh"), "discrete"), runs[k]), *item;
        double p_minus[3];
        suite_case("sleigh %s", runs[k]);
        reordered(p_minus, run, "p_minus_0");
        lg_integrator *it = begin(&S, "gni", k < 2 ? "cayley" : "exp", ref_number(ref_get(run, "h")), g0, p_minus);
        suite_ok("start", lg_integrator_start(it, 0, g0, xi0, k % 2 ? LG_START_REACTION : LG_START_LEGENDRE, 0));
        near_vector("p-_0", lg_integrator_momentum_minus(it), p_minus, 3, 1e-14);
        cJSON_ArrayForEach(item, ref_get(run, "states"))
        {
            int steps = ref_get(item, "k")->valueint;
            suite_case("sleigh %s, step %d", runs[k], steps);
            advance_to(it, steps);
            check_sleigh(it, item, tolerance_after(steps));
        }
        lg_integrator_destroy(it);
    }
    cJSON_Delete(root);
}

/* ---- free body and heavy top ---- */

static const double weight_arm[3] = {0.05 * 9.81, 0.02 * 9.81, 0.3 * 9.81}; /* m g chi, m = 1 */

static int top_V(const lg_call *c, const double *g, double *V)
{
    double R[9];
    (void)c;
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g));
    *V = mat_dot(weight_arm, R + 6, 3);
    return 0;
}

static int top_dV(const lg_call *c, const double *g, double *out)
{
    double R[9];
    (void)c;
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g));
    for (int i = 0; i < 3; i++)
        out[i] = weight_arm[(i + 1) % 3] * R[6 + (i + 2) % 3] - weight_arm[(i + 2) % 3] * R[6 + (i + 1) % 3];
    return 0;
}

static void body(const char *name, int top, const char *method)
{
    cJSON *root = ref_load("rigid_so3_rigid_body.json");
    const cJSON *system = ref_get(root, name), *item;
    static const double J[3] = {1, 1.5, 2.2}, one[4] = {0, 0, 0, 1};
    double Omega[3], p_minus[3], want[3];
    ref_exactly(Omega, 3, system, "Omega0");
    for (int i = 0; i < 3; i++) p_minus[i] = J[i] * Omega[i];
    lg_system S = lg_system_default(lg_so3());
    S.inertia_diagonal = J;
    if (top) S.callbacks.potential = top_V;
    if (top) S.callbacks.potential_gradient = top_dV;
    for (int k = 0; k < 2; k++) {
        const cJSON *run = ref_get(ref_get(system, "discrete"), k ? "exp" : "cay");
        lg_integrator *it = begin(&S, method, k ? "exp" : "cayley", ref_number(ref_get(run, "h")), one, p_minus);
        suite_case("%s %s", name, k ? "exp" : "cay");
        suite_ok("start", lg_integrator_start(it, 0, one, Omega, LG_START_LEGENDRE, 0));
        near_vector("p-_0", lg_integrator_momentum_minus(it), p_minus, 3, 1e-15);
        cJSON_ArrayForEach(item, ref_get(run, "states"))
        {
            int steps = ref_get(item, "k")->valueint;
            double tolerance = tolerance_after(steps);
            suite_case("%s %s %s, step %d", name, method, k ? "exp" : "cay", steps);
            advance_to(it, steps);
            check_rotation(it, item, tolerance);
            ref_exactly(want, 3, item, "p");
            near_vector("p", lg_integrator_momentum_minus(it), want, 3, tolerance);
            near_vector("p+ = p- without constraints", lg_integrator_momentum_plus(it), want, 3, tolerance);
            ref_exactly(want, 3, item, "xi_last");
            near_vector("xi", lg_integrator_step_velocity(it), want, 3, 100 * tolerance);
            suite_near1("H", lg_integrator_energy(it), ref_number(ref_get(item, "energy_p")), tolerance, 32);
        }
        lg_integrator_destroy(it);
    }
    cJSON_Delete(root);
}

static void test_body(void **state)
{
    (void)state;
    body("free_rigid_body", 0, "variational");
    body("free_rigid_body", 0, "gni");                  /* no rows: the reflection is the identity */
    body("free_rigid_body", 0, "variational:midpoint"); /* V = 0: all four discrete Lagrangians agree */
    body("heavy_top", 1, "variational");
    body("heavy_top", 1, "variational:trapezoidal");
}

/* ---- rolling disk on R^3 x SO(3): all three rows of the contact as velocity constraints ---- */

/* mu^a = (e_a; rho x R^T e_a), rho = -(gamma_1, gamma_2, 0)/|.|, gamma = R^T e_3. */
static int disk_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    double R[9];
    (void)c;
    (void)Y;
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g + 3));
    double size = hypot(R[6], R[7]), rho[3] = {-R[6] / size, -R[7] / size, 0};
    for (int a = 0; a < 3; a++) {
        const double *e = R + 3 * a; /* R^T e_a is row a */
        mu[6 * a + a] = 1;
        for (int i = 0; i < 3; i++) {
            mu[6 * a + 3 + i] = rho[(i + 1) % 3] * e[(i + 2) % 3] - rho[(i + 2) % 3] * e[(i + 1) % 3];
        }
    }
    return 0;
}

static int disk_V(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = 9.81 * g[2];
    return 0;
}

static int disk_dV(const lg_call *c, const double *g, double *out)
{
    (void)c;
    (void)g;
    out[2] = 9.81;
    return 0;
}

static void check_disk(const lg_integrator *it, const cJSON *state, double tolerance)
{
    double want[9], R[9];
    ref_exactly(want, 3, state, "x");
    near_vector("x", lg_integrator_configuration(it), want, 3, tolerance);
    ref_exactly(want, 9, state, "R");
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, lg_integrator_configuration(it) + 3));
    near_vector("R", R, want, 9, tolerance);
    ref_exactly(want, 6, state, "p_minus");
    near_vector("p-", lg_integrator_momentum_minus(it), want, 6, tolerance);
    ref_exactly(want, 6, state, "p_tilde");
    near_vector("p~", lg_integrator_momentum(it), want, 6, tolerance);
    suite_near1("H(p~)", lg_integrator_energy(it), ref_number(ref_get(state, "energy_tilde")), tolerance, 22);
}

static void test_disk(void **state)
{
    (void)state;
    cJSON *root = ref_load("rigid_disk.json");
    static const double J[6] = {1, 1, 1, 0.25, 0.25, 0.5};
    static const double tilt[3] = {1.3, 0, 0};
    double g0[7] = {0}, xi0[6] = {0, 0, 0, 0.2, 0.5, 4}, R[9], mu[18] = {0}, p_minus[6];
    suite_ok("attitude", lg_group_exp(lg_so3(), g0 + 3, tilt));
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g0 + 3));
    g0[2] = hypot(R[6], R[7]);
    disk_rows(NULL, g0, mu, NULL);
    for (int a = 0; a < 3; a++) xi0[a] = -mat_dot(mu + 6 * a + 3, xi0 + 3, 3);
    const lg_group *factors[2] = {lg_rn(3), lg_so3()};
    lg_group *G = NULL;
    suite_ok("product", lg_group_create_product(&G, factors, 2));
    lg_system S = lg_system_default(G);
    S.inertia_diagonal = J;
    S.constraint_count = 3;
    S.callbacks.covectors = disk_rows;
    S.callbacks.potential = disk_V;
    S.callbacks.potential_gradient = disk_dV;
    for (int k = 0; k < 4; k++) {
        char key[16];
        snprintf(key, sizeof key, "C_%s", runs[k]);
        const cJSON *run = ref_get(ref_get(root, "discrete"), key), *item;
        suite_case("disk %s", key);
        ref_exactly(p_minus, 6, run, "p_minus_0");
        lg_integrator *it = begin(&S, "gni", k < 2 ? "cayley" : "exp", ref_number(ref_get(run, "h")), g0, xi0);
        suite_ok("start", lg_integrator_start(it, 0, g0, xi0, k % 2 ? LG_START_REACTION : LG_START_LEGENDRE, 0));
        near_vector("p-_0", lg_integrator_momentum_minus(it), p_minus, 6,
                    k % 2 ? 1e-9 : 1e-14); /* dA/dt by differences */
        suite_ok("start", lg_integrator_start_momentum(it, 0, g0, p_minus));
        cJSON_ArrayForEach(item, ref_get(run, "states"))
        {
            int steps = ref_get(item, "k")->valueint;
            suite_case("disk %s, step %d", key, steps);
            advance_to(it, steps);
            check_disk(it, item, tolerance_after(steps));
        }
        lg_integrator_destroy(it);
    }
    lg_group_destroy(G);
    cJSON_Delete(root);
}

int main(void)
{
    suite_begin("longer runs against the reference");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_particle), cmocka_unit_test(test_suslov),
                                       cmocka_unit_test(test_sleigh), cmocka_unit_test(test_body),
                                       cmocka_unit_test(test_disk)};
    return cmocka_run_group_tests_name("rigid", tests, NULL, NULL);
}
