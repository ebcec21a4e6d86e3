/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid bodies with a fixed point and the affine line of the catalog: reference values, Euler's equations written here,
 * integrals of motion, and the axioms of the affine group. */
#include <math.h>
#include <string.h>

#include "energy_systems.h"
#include "matrix.h"
#include "models.h"
#include "reference.h"

static const model_example examples[] = {
    {"heavy-top", {{0}}, 0.01, -1, 2, 0},
    {"heavy-top", {{"I2", 1}, {"chi1", 0}, {"chi2", 0}, {"chi3", -0.2}}, 0.01, -1, 1, 0},
    {"heavy-top", {{"I2", 1}, {"I3", 0.5}, {"chi1", 0.2}, {"chi2", -0.1}, {"chi3", 0}}, 0.01, -1, 1, 0},
    {"heavy-top", {{"I2", 1}, {"I3", 0.5}, {"chi1", 0}, {"chi2", 0}, {"chi3", 0}}, 0.01, -1, 0, 0},
    {"veselova-top", {{0}}, 0.02, 0, 2, 0},
    {"veselova-top", {{"chi1", 0}, {"chi2", 0}, {"chi3", 0}}, 0.02, 0, 0, 0},
    {"affine-line", {{0}}, 0.02, 1, 0, 0},
    {"affine-line", {{"I1", 0.3}, {"I2", 0.7}}, 0.02, 1, 0, 0},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

static void test_derivatives(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = model_open(&examples[k]);
        model_derivatives(M);
        lg_model_destroy(M);
    }
}

static void test_invariants(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = model_open(&examples[k]);
        model_invariants(M, 3, 1500, 1e-8, examples[k].undefined);
        lg_model_destroy(M);
    }
}

static void test_methods(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = model_open(&examples[k]);
        model_methods(&examples[k], M, 400);
        lg_model_destroy(M);
    }
}

/* ---- tops ---- */

static double parameter(const lg_model *M, const char *name)
{
    double value = NAN;
    suite_ok(name, lg_model_get(M, &value, name));
    return value;
}

static void cross(double *out, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* I w' = I w x w - torque x gamma + lambda gamma, <gamma, w> = 0 where `held`; then <gamma, w'> = 0, too, as gamma' =
 * gamma x w is orthogonal to w. */
static void euler(double *out, const double *I, const double *torque, const double *gamma, const double *w, int held)
{
    double Iw[3], a[3], b[3], up[3];
    mat_apply(Iw, I, w, 3, 3);
    cross(a, Iw, w);
    cross(b, torque, gamma);
    for (int i = 0; i < 3; i++) a[i] -= b[i];
    assert_true(mat_solve(out, I, a, 3));
    assert_true(mat_solve(up, I, gamma, 3));
    const double lambda = held ? -mat_dot(gamma, out, 3) / mat_dot(gamma, up, 3) : 0;
    for (int i = 0; i < 3; i++) out[i] += lambda * up[i];
}

static void test_euler(void **state)
{
    static const char *const chi[] = {"chi1", "chi2", "chi3"}, *const I[] = {"I1", "I2", "I3"};
    static const char *const full[] = {"I11", "I12", "I13", "I12", "I22", "I23", "I13", "I23", "I33"};
    lg_rng rng = suite_rng(8);
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        if (strstr(examples[k].system, "top") == NULL) continue;
        lg_model *M = model_open(&examples[k]);
        const lg_system *S = model_system(M);
        const int held = S->constraint_count;
        const double weight = held ? 1 : parameter(M, "m") * parameter(M, "g");
        double J[9] = {0}, torque[3];
        for (int i = 0; i < 3; i++) torque[i] = weight * parameter(M, chi[i]);
        for (int i = 0; i < 3 && !held; i++) J[4 * i] = parameter(M, I[i]);
        for (int i = 0; i < 9 && held; i++) J[i] = parameter(M, full[i]);
        for (int trial = 0; trial < 20; trial++) {
            double g[4], R[9], w[3], want[3], got[3], V;
            const lg_call c = system_call(S, 0);
            suite_ok("random", lg_group_random(lg_so3(), g, &rng));
            suite_ok("matrix", lg_group_to_matrix(lg_so3(), R, g));
            suite_normal(w, 3, &rng);
            const double s = mat_dot(R + 6, w, 3);
            for (int i = 0; i < 3 && held; i++) w[i] -= s * R[6 + i];
            euler(want, J, torque, R + 6, w, held);
            system_acceleration(S, 0, g, w, got, NULL);
            suite_near("acceleration", got, want, 3, 1e-9, 1 + mat_norm(want, 3));
            assert_int_equal(S->callbacks.potential(&c, g, &V), 0);
            suite_near1("potential", V, mat_dot(torque, R + 6, 3), 8 * SUITE_EPS, 1 + mat_norm(torque, 3));
        }
        lg_model_destroy(M);
    }
}

/* Attitude and velocity at t = 1 and 5, and 100 steps of the variational method (no rows: the GNI). The file's error is
 * below 6e-16, that of the integration here below 1e-10. */
static void test_top_reference(void **state)
{
    const model_example x = {.system = "heavy-top"};
    lg_model *M = model_open(&x);
    const lg_system *S = model_system(M);
    cJSON *file = ref_load("rigid_so3_rigid_body.json");
    const cJSON *top = ref_get(file, "heavy_top"), *node;
    double g[4], w[3], R[9], want[9], H, p[3];
    (void)state;
    cJSON_ArrayForEach(node, ref_get(top, "truth"))
    {
        const double t = ref_number(ref_get(node, "t"));
        model_start(M, g, w);
        if (t > 0) system_truth(S, t, (int)(2000 * t), g, w);
        suite_ok("matrix", lg_group_to_matrix(lg_so3(), R, g));
        ref_exactly(want, 9, node, "R");
        suite_near("R", R, want, 9, 1e-9, 1);
        ref_exactly(want, 3, node, "Omega");
        suite_near("Omega", w, want, 3, 1e-9, 1);
    }
    model_start(M, g, w);
    system_momentum(S, 0, g, w, p);
    suite_ok("energy", lg_system_energy(S, &H, 0, g, p, NULL));
    suite_near1("energy", H, ref_number(ref_get(top, "energy")), 1e-13, 30);
    cJSON_Delete(file);
    lg_model_destroy(M);
}

/* System and start are those of the tests' own. */
static void test_veselova_start(void **state)
{
    const model_example x = {.system = "veselova-top"};
    lg_model *M = model_open(&x);
    double g[4], xi[3];
    test_system t;
    (void)state;
    memset(&t, 0, sizeof t);
    test_system_make(&t, "veselova_top");
    model_start(M, g, xi);
    suite_near("g0", g, t.g0, 4, 4 * SUITE_EPS, 1);
    suite_near("xi0", xi, t.xi0, 3, 4 * SUITE_EPS, 1);
    lg_model_destroy(M);
}

/* A body without preferred axes turns uniformly about a horizontal axis. */
static void test_exact(void **state)
{
    lg_model *M = NULL;
    const model_example ball = {.system = "veselova-top", .h = 0.02, .exact = 1}, heavy = {.system = "veselova-top"};
    static const char *const zero[] = {"chi1", "chi2", "chi3", "I12", "I13", "I23"};
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        M = model_open(&examples[k]);
        const int known = model_exact(&examples[k], M, 5, 4000, 1e-9);
        assert_int_equal(known, examples[k].exact == 1 ? 4 : 0);
        lg_model_destroy(M);
    }
    M = model_open(&ball);
    for (int i = 0; i < 6; i++) suite_ok("set", lg_model_set(M, zero[i], 0));
    suite_ok("set", lg_model_set(M, "I11", 1.4));
    suite_ok("set", lg_model_set(M, "I33", 1.4));
    assert_int_equal(model_exact(&ball, M, 5, 4000, 1e-9), 7);
    suite_ok("set", lg_model_set(M, "chi2", 0.1));
    assert_int_equal(model_exact(&heavy, M, 5, 4000, 1e-9), 0);
    lg_model_destroy(M);
}

/* ---- the affine line ---- */

/* The matrices of a group with a matrix representation decide what the operations must be. */
static void test_affine_group(void **state)
{
    const lg_group *G = lg_catalog_definition("affine-line")->group();
    lg_rng rng = suite_rng(9);
    (void)state;
    assert_int_equal(G->kind, LG_KIND_USER);
    for (int trial = 0; trial < suite_count(300); trial++) {
        double a[2], b[2], c[2], A[4], B[4], C[4], X[4], Y[4], Ad[4], xi[2], eta[2], out[2], want[4], inverse[2];
        suite_case("affine group, trial %d", trial);
        suite_ok("random", lg_group_random(G, a, &rng));
        suite_ok("random", lg_group_random(G, b, &rng));
        suite_normal(xi, 2, &rng);
        suite_normal(eta, 2, &rng);
        suite_ok("compose", lg_group_compose(G, c, a, b));
        suite_ok("matrix", lg_group_to_matrix(G, A, a));
        suite_ok("matrix", lg_group_to_matrix(G, B, b));
        suite_ok("matrix", lg_group_to_matrix(G, C, c));
        mat_mul(want, A, B, 2, 2, 2);
        suite_near("product", C, want, 4, 1e-15, 1 + mat_norm(want, 4));
        suite_ok("inverse", lg_group_inverse(G, inverse, a));
        suite_ok("compose", lg_group_compose(G, c, a, inverse));
        suite_near("a a^-1", c, (const double[2]){1, 0}, 2, 1e-15, 1 + fabs(a[1]));
        suite_ok("hat", lg_group_hat(G, X, xi));
        suite_ok("hat", lg_group_hat(G, Y, eta));
        suite_ok("matrix", lg_group_to_matrix(G, B, inverse));
        mat_mul(C, A, X, 2, 2, 2);
        mat_mul(want, C, B, 2, 2, 2);
        suite_ok("Ad", lg_group_Ad(G, Ad, a));
        mat_apply(out, Ad, xi, 2, 2);
        suite_near("Ad", out, want, 2, 1e-14, 1 + mat_norm(A, 4) * mat_norm(B, 4));
        mat_mul(C, X, Y, 2, 2, 2);
        mat_mul(want, Y, X, 2, 2, 2);
        suite_ok("ad", lg_group_ad_apply(G, out, xi, eta));
        for (int i = 0; i < 2; i++) suite_near1("ad", out[i], C[i] - want[i], 1e-15, 1 + mat_norm(C, 4));
        suite_ok("vee", lg_group_vee(G, out, X));
        suite_near("vee", out, xi, 2, 0, 1);
        suite_ok("exp", lg_group_exp(G, c, xi));
        suite_ok("matrix", lg_group_to_matrix(G, C, c));
        mat_exp(want, X, 2);
        suite_near("exp", C, want, 4, 4e-15, 1 + mat_norm(want, 4));
    }
}

/* tau and tau^-1, dtau against differences of tau: D tau(xi) eta = hat(dtau eta) tau(xi). */
static void check_retraction(const lg_retraction *r, const lg_group *G, const double *xi, const double *eta)
{
    double g[2], back[2], J[4], inverse[4], one[4], rate[2], moved[2][2], T[4], X[4], want[4], v[2];
    const double e = 1e-5;
    suite_input("xi", xi, 2);
    suite_ok("tau", lg_retraction_tau(r, G, g, xi));
    suite_ok("tau_inv", lg_retraction_tau_inv(r, G, back, g));
    suite_near("tau^-1 tau", back, xi, 2, 4e-15, 1 + mat_norm(xi, 2));
    suite_ok("dtau", lg_retraction_dtau(r, G, J, xi));
    suite_ok("dtau_inv", lg_retraction_dtau_inv(r, G, inverse, xi));
    mat_mul(one, J, inverse, 2, 2, 2);
    suite_near("dtau dtau^-1", one, (const double[4]){1, 0, 0, 1}, 4, 1e-14, 1 + mat_norm(J, 4) * mat_norm(inverse, 4));
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < 2; i++) v[i] = xi[i] + (s == 0 ? e : -e) * eta[i];
        suite_ok("tau", lg_retraction_tau(r, G, moved[s], v));
    }
    for (int i = 0; i < 2; i++) rate[i] = (moved[0][i] - moved[1][i]) / (2 * e);
    mat_apply(v, J, eta, 2, 2);
    suite_ok("hat", lg_group_hat(G, X, v));
    suite_ok("matrix", lg_group_to_matrix(G, T, g));
    mat_mul(want, X, T, 2, 2, 2);
    suite_near("dtau", rate, want, 2, 1e-6, 1 + mat_norm(want, 2) + mat_norm(xi, 2) * mat_norm(xi, 2));
}

static void test_affine_retractions(void **state)
{
    static const double special[] = {0, 1e-9, -1e-3, 0.0999, 0.1001, -0.0999, -0.1001, 1, -1.5};
    const lg_group *G = lg_catalog_definition("affine-line")->group();
    lg_rng rng = suite_rng(10);
    double g[2];
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        double xi[2], eta[2];
        suite_normal(xi, 2, &rng);
        suite_normal(eta, 2, &rng);
        if (trial < 9) xi[0] = special[trial];
        xi[0] = fmax(-1.5, fmin(1.5, xi[0]));
        suite_case("affine retractions, trial %d", trial);
        check_retraction(lg_retraction_exp(), G, xi, eta);
        check_retraction(lg_retraction_cayley(), G, xi, eta);
    }
    suite_status("no Cayley map", lg_retraction_tau(lg_retraction_cayley(), G, g, (const double[2]){2, 1}),
                 LG_ERROR_DOMAIN);
    suite_status("no logarithm", lg_retraction_tau_inv(lg_retraction_exp(), G, g, (const double[2]){-1, 1}),
                 LG_ERROR_DOMAIN);
    assert_false(lg_group_is_valid(G, (const double[2]){0, 1}, 1e-12));
    assert_true(lg_group_is_valid(G, (const double[2]){1e-300, 1}, 0));
}

/* p_1' = -p_2^2/I2, p_2' = p_1 p_2/I1, the half ellipse I2 a^2 + I1 (b - c)^2 = const, and p -> (-sqrt(2 E I1), 0). */
static void test_affine_line(void **state)
{
    const model_example x = {"affine-line", {{"I1", 0.3}, {"I2", 0.7}}, 0.02, 1, 0, 0};
    lg_model *M = model_open(&x);
    const lg_system *S = model_system(M);
    const lg_model_definition *d = lg_model_describe(M);
    double g0[2], xi0[2], g[2], xi[2], rate[2], mirror[2];
    (void)state;
    model_start(M, g0, xi0);
    const double p0[2] = {0.3 * xi0[0], 0.7 * xi0[1]}, E = p0[0] * p0[0] / 0.6 + p0[1] * p0[1] / 1.4;
    suite_near("p0", p0, (const double[2]){0.5, 0.8}, 2, 4 * SUITE_EPS, 1);
    system_acceleration(S, 0, g0, xi0, rate, NULL);
    suite_near1("p_1'", 0.3 * rate[0], -p0[1] * p0[1] / 0.7, 1e-14, 1);
    suite_near1("p_2'", 0.7 * rate[1], p0[0] * p0[1] / 0.3, 1e-14, 1);
    const double centre = g0[1] + p0[0] * g0[0] / p0[1];
    const double size = 0.3 * g0[0] * g0[0] / 0.7 * 0.7 / 0.3 * 2 * E * 0.7 / (p0[1] * p0[1]);
    for (double t = -30; t <= 30; t += 1.5) {
        assert_int_equal(d->exact(&(lg_call){.param = S->parameter_values, .t = t, .lanes = 1}, g0, xi0, g, xi), 0);
        suite_near1("energy", 0.15 * xi[0] * xi[0] + 0.35 * xi[1] * xi[1], E, 1e-14, 1);
        suite_near1("ellipse", g[0] * g[0] + 0.7 / 0.3 * (g[1] - centre) * (g[1] - centre), size, 1e-13, size);
    }
    suite_near("the end", xi, (const double[2]){-sqrt(2 * E / 0.3), 0}, 2, 1e-12, 1);
    const double down[2] = {xi0[0], -xi0[1]}; /* the mirror image b -> -b */
    assert_int_equal(d->exact(&(lg_call){.param = S->parameter_values, .t = 1, .lanes = 1}, g0, down, rate, mirror), 0);
    assert_int_equal(d->exact(&(lg_call){.param = S->parameter_values, .t = 1, .lanes = 1}, g0, xi0, g, xi), 0);
    suite_near("mirror", (const double[4]){rate[0], -rate[1], mirror[0], -mirror[1]},
               (const double[4]){g[0], g[1], xi[0], xi[1]}, 4, 1e-14, 2);
    const double straight[2] = {-1.3, 0};
    assert_int_equal(d->exact(&(lg_call){.param = S->parameter_values, .t = 2, .lanes = 1}, g0, straight, g, xi), 0);
    suite_near("straight", g, (const double[2]){exp(-2.6), 0}, 2, 1e-15, 1);
    suite_near("straight", xi, straight, 2, 0, 1);
    lg_model_destroy(M);
}

static void test_refusals(void **state)
{
    (void)state;
    model_refused("heavy-top", "I1", 0, "'I1'");
    model_refused("heavy-top", "g", -1, "'g'");
    model_refused("heavy-top", "m", -1, "'m'");
    model_refused("heavy-top", "chi4", 1, "chi3");
    model_refused("veselova-top", "I12", 2, "not positive definite");
    model_refused("veselova-top", "I13", 1.5, "not positive definite");
    model_refused("veselova-top", "I33", -2, "'I33'");
    model_refused("affine-line", "I2", 0, "'I2'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_euler),
        cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_top_reference),
        cmocka_unit_test(test_veselova_start),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_affine_group),
        cmocka_unit_test(test_affine_retractions),
        cmocka_unit_test(test_affine_line),
        cmocka_unit_test(test_refusals),
    };
    suite_begin("catalog: rigid");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
