/* SPDX-License-Identifier: BSD-3-Clause */
/* SE_2(3): the direct functions against the descriptor and against SE(3), matrices, refusals, lg_group_check(), and its
 * motions by the engine. */
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/suite.h"

static const double inertia[9] = {1.3, 0.9, 2.1, 1, 1, 1, 1.1, 1.7, 2.5};

static void test_checks(void **state)
{
    lg_rng rng = suite_rng(99000);
    lg_error e;
    (void)state;
    if (lg_group_check(lg_se23(), &rng, 40, 0, &e) != LG_OK) suite_fail("%s", e.message);
    static const char *const names[] = {"exp", "cayley", "second-kind", "exp:order=4"};
    for (int i = 0; i < 4; i++)
        if (lg_retraction_check(lg_retraction_named(names[i]), lg_se23(), &rng, 40, 0, &e) != LG_OK)
            suite_fail("%s: %s", names[i], e.message);
}

typedef void (*matrix_fn)(double *M, const double *x);

static void same_matrix(const char *name, matrix_fn f, lg_status (*of)(const lg_group *, double *, const double *),
                        const double *x)
{
    double got[81], want[81];
    f(got, x);
    suite_ok(name, of(lg_se23(), want, x));
    suite_same_bits(name, got, want, 81);
}

static void Ad_of(double *M, const double *x)
{
    lg_se23_Ad(M, x);
}

static void ad_of(double *M, const double *x)
{
    lg_se23_ad(M, x);
}

/* The products with Ad and ad by their formulas are those with the matrices. */
static void test_direct(void **state)
{
    const lg_group *G = lg_se23();
    lg_rng rng = suite_rng(99001);
    (void)state;
    for (int k = 0; k < 200; k++) {
        double g[10], h[10], r[10], xi[9], p[9], got[9], want[9], A[25], B[25], P[25], x[3], y[3];
        suite_element(G, g, &rng);
        suite_element(G, h, &rng);
        suite_algebra(G, xi, &rng, 3);
        suite_normal(p, 9, &rng);
        suite_normal(x, 3, &rng);
        suite_case("SE_2(3)");
        suite_input("g", g, 10);
        suite_input("xi", xi, 9);
        const double big = 1 + mat_norm(g, 10), far = 1 + mat_norm(xi, 9);
        same_matrix("Ad", Ad_of, lg_group_Ad, g);
        same_matrix("ad", ad_of, lg_group_ad, xi);
        lg_se23_coAd_apply(got, g, p);
        suite_ok("coAd", lg_group_coAd_apply(G, want, g, p));
        suite_near("coAd", got, want, 9, 4e-15, big * 8);
        lg_se23_coad_apply(got, xi, p);
        suite_ok("coad", lg_group_coad_apply(G, want, xi, p));
        suite_near("coad", got, want, 9, 4e-15, far * 8);
        lg_se23_compose(r, g, h);
        lg_se23_to_matrix(A, g);
        lg_se23_to_matrix(B, h);
        mat_mul(P, A, B, 5, 5, 5);
        lg_se23_to_matrix(A, r);
        suite_near("compose", A, P, 25, 4e-15, big * (1 + mat_norm(h, 10)));
        lg_se23_act(y, g, x);
        for (int i = 0; i < 3; i++) want[i] = y[i];
        lg_se23_act_inverse(y, g, want);
        suite_near("action there and back", y, x, 3, 4e-15, 4 * big);
        lg_se23_inverse(r, g);
        lg_se23_act(y, r, want);
        suite_near("action of the inverse", y, x, 3, 4e-15, 4 * big);
    }
}

/* Forgetting the velocity, or the position, is a homomorphism to SE(3). */
static void test_projections(void **state)
{
    lg_rng rng = suite_rng(99002);
    (void)state;
    for (int k = 0; k < 400; k++) {
        double xi[9], x[6], g[10], h[7], D[81], E[36];
        const int part = k % 2 ? 3 : 0, cayley = k / 2 % 2;
        const lg_retraction *r = cayley ? lg_retraction_cayley() : lg_retraction_exp();
        suite_algebra(lg_se23(), xi, &rng, 3.1);
        memcpy(x, xi + part, 3 * sizeof *x);
        memcpy(x + 3, xi + 6, 3 * sizeof *x);
        suite_case("%s, part %d", lg_retraction_names()[cayley], part);
        suite_input("xi", xi, 9);
        suite_ok("tau", lg_retraction_tau(r, lg_se23(), g, xi));
        suite_ok("tau", lg_retraction_tau(r, lg_se3(), h, x));
        suite_same_bits("translation", g + part, h, 3);
        suite_same_bits("rotation", g + 6, h + 3, 4);
        suite_ok("dtau", lg_retraction_dtau(r, lg_se23(), D, xi));
        suite_ok("dtau", lg_retraction_dtau(r, lg_se3(), E, x));
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                const int row = i < 3 ? i + part : i + 3, column = j < 3 ? j + part : j + 3;
                suite_near1("dtau", D[9 * row + column], E[6 * i + j], 0, 1);
            }
    }
}

static void test_conversions(void **state)
{
    lg_rng rng = suite_rng(99003);
    double g[10], back[10], T[25], xi[9], eta[9], X[25], far[10] = {0};
    (void)state;
    suite_case("conversions");
    suite_ok("random", lg_group_random(lg_se23(), g, &rng));
    lg_se23_to_matrix(T, g);
    suite_near1("position in the last column", T[9], g[1], 0, 1);
    suite_near1("velocity before it", T[8], g[4], 0, 1);
    for (int i = 0; i < 25; i++) T[i] += 1e-3 * lg_rng_normal(&rng);
    suite_ok("from_matrix", lg_se23_from_matrix(back, T));
    suite_below("near", lg_se23_distance(g, back), 2e-2);
    suite_below("on it", lg_group_residual(lg_se23(), back), 4e-16);
    T[24] = 2;
    suite_status("last row", lg_se23_from_matrix(back, T), LG_ERROR_DOMAIN);
    T[24] = 1, T[18] = 0.4;
    suite_status("row before it", lg_se23_from_matrix(back, T), LG_ERROR_DOMAIN);
    T[18] = NAN;
    suite_ok("NaN", lg_se23_from_matrix(back, T));
    assert_true(isnan(back[0]));
    suite_normal(xi, 9, &rng);
    lg_se23_hat(X, xi);
    lg_se23_vee(eta, X);
    suite_near("vee hat", eta, xi, 9, 0, 1);
    suite_ok("interpolate", lg_se23_interpolate(back, g, g, 0.3));
    suite_below("interpolate", lg_se23_distance(g, back), 1e-14);
    suite_status("no rotation", lg_se23_log(xi, far), LG_ERROR_DOMAIN);
    suite_status("no rotation", lg_se23_project(back, far), LG_ERROR_DOMAIN);
    assert_true(isnan(lg_se23_distance(g, far)));
}

static void steps(lg_integrator **it, const lg_group *G, const double *J, const char *method, const double *xi)
{
    lg_system S = lg_system_default(G);
    double g[10];
    S.inertia_diagonal = J;
    suite_ok("identity", lg_group_identity(G, g));
    suite_ok("create", lg_integrator_create(it, &S, method, "cayley", 0.01));
    suite_ok("start", lg_integrator_start(*it, 0, g, xi, LG_START_REACTION, 0));
    for (int k = 0; k < 200; k++) suite_ok(method, lg_integrator_step(*it));
}

/* The engine: without b a motion is that of SE(3); with it the momentum in space stays. */
static void test_motion(void **state)
{
    static const char *const methods[] = {"variational", "gni", "sem", "rkmk4"};
    const double xi[9] = {0.3, -0.2, 0.5, 0, 0, 0, 1, 0.4, -0.7},
                 whole[9] = {0.3, -0.2, 0.5, 0.6, -0.1, 0.2, 1, 0.4, -0.7};
    const double xi3[6] = {0.3, -0.2, 0.5, 1, 0.4, -0.7}, J3[6] = {1.3, 0.9, 2.1, 1.1, 1.7, 2.5};
    (void)state;
    for (int m = 0; m < 4; m++) {
        lg_integrator *a = NULL, *b = NULL;
        double inverse[10], p[9], P[9];
        suite_case("%s", methods[m]);
        steps(&a, lg_se23(), inertia, methods[m], xi);
        steps(&b, lg_se3(), J3, methods[m], xi3);
        const double *g = lg_integrator_configuration(a), *h = lg_integrator_configuration(b);
        suite_near("position", g, h, 3, 1e-12, 1);
        suite_near("velocity", g + 3, (const double[3]){0}, 3, 1e-12, 1);
        suite_near("attitude", g + 6, h + 3, 4, 1e-12, 1);
        lg_integrator_destroy(a);
        lg_integrator_destroy(b);
        if (m > 1) continue;
        steps(&a, lg_se23(), inertia, methods[m], whole);
        lg_se23_inverse(inverse, lg_integrator_configuration(a));
        memcpy(p, lg_integrator_momentum(a), sizeof p);
        lg_se23_coAd_apply(P, inverse, p);
        for (int i = 0; i < 9; i++) p[i] = inertia[i] * whole[i];
        suite_near("momentum in space", P, p, 9, 1e-4, 1);
        lg_integrator_destroy(a);
    }
}

int main(void)
{
    suite_begin("SE_2(3)");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checks),      cmocka_unit_test(test_direct), cmocka_unit_test(test_projections),
        cmocka_unit_test(test_conversions), cmocka_unit_test(test_motion),
    };
    return cmocka_run_group_tests_name("SE_2(3)", tests, NULL, NULL);
}
