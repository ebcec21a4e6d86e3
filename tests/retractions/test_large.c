/* SPDX-License-Identifier: BSD-3-Clause */
/* Large arguments: for every group, retraction and size of the vector, a result with LG_OK is finite, on the group, and
 * keeps the promises of its description; others have an error status. Batches agree at every width. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/retractions/batch.h>

#include "matrix.h"
#include "roster.h"
#include "suite.h"

static const double sizes[] = {1,    10,   30,   100,     700,     1e3,     1e4,     1e5,   1e6,   1.05e6, 1e7,    1e8,
                               1e16, 1e50, 1e93, 0.9e100, 1.1e100, 1.3e154, 1.5e154, 1e160, 1e200, 1e300,  1.7e308};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static double size_of(const double *v, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(v[i]));
    return most;
}

/* A direction, often along an axis, and its multiple. */
static void draw(const lg_group *G, double *xi, double size, int k, lg_rng *rng)
{
    const int n = lg_group_dim(G);
    suite_normal(xi, n, rng);
    for (int i = 0; k % 3 == 1 && i < n; i++) xi[i] = i == k % n;
    const double norm = mat_norm(xi, n);
    for (int i = 0; i < n; i++) xi[i] = xi[i] / norm * size;
}

static int told(lg_status st)
{
    return st == LG_ERROR_DOMAIN || st == LG_ERROR_SINGULAR;
}

/* 1: there is a result, all of it finite. */
static int promised(const char *what, lg_status st, const double *out, int count)
{
    if (st != LG_OK && !told(st)) suite_fail("%s: %s", what, lg_status_name(st));
    for (int i = 0; st == LG_OK && i < count; i++)
        if (!isfinite(out[i])) suite_fail("%s: number %d is %g with LG_OK", what, i, out[i]);
    return st == LG_OK;
}

static void on_group(const lg_group *G, const double *g)
{
    const double size = fmax(1, size_of(g, lg_group_element_size(G)));
    if (size > 1e150) return; /* its square overflows */
    suite_below("residual", lg_group_residual(G, g) / size / size, 1e-8);
}

static void tangents(const lg_retraction *r, const lg_group *G, const double *xi, const double *mu)
{
    double D[SUITE_MATRIX], I[SUITE_MATRIX], v[SUITE_DIM], w[SUITE_DIM];
    const int n = lg_group_dim(G);
    const int inverse = promised("dtau_inv", lg_retraction_dtau_inv(r, G, I, xi), I, n * n);
    const int plain = promised("dtau", lg_retraction_dtau(r, G, D, xi), D, n * n);
    if (inverse && plain && (r->flags & LG_RETRACTION_EXACT) && r->kind != LG_RETRACTION_SERIES) {
        mat_apply(v, I, mu, n, n);
        mat_apply(w, D, v, n, n);
        const double scale = fmax(1, size_of(I, n * n)) * fmax(1, size_of(D, n * n));
        if (scale < 1e250) suite_near("dtau dtau^-1 = 1", w, mu, n, 1e-9, scale * size_of(mu, n));
    }
    if (promised("dual", lg_retraction_dtau_inv_dual(r, G, v, xi, mu), v, n) && inverse) {
        double T[SUITE_MATRIX];
        mat_transpose(T, I, n);
        mat_apply(w, T, mu, n, n);
        if (size_of(I, n * n) < 1e250) suite_near("dual", v, w, n, 1e-9, fmax(1, size_of(I, n * n)) * size_of(mu, n));
    }
    (void)promised("derivative", lg_retraction_dtau_inv_dual_derivative(r, G, D, xi, mu), D, n * n);
}

static void test_every_size(void **state)
{
    (void)state;
    for (int i = 0; i < ROSTER_GROUPS; i++)
        for (int j = 0; j < ROSTER_RETRACTIONS; j++) {
            const lg_group *G = roster_groups()[i].G;
            const lg_retraction *r = roster_retractions()[j];
            lg_rng rng = suite_rng(71000 + (uint64_t)(i * ROSTER_RETRACTIONS + j));
            for (int k = 0; k < SIZES * suite_count(2); k++) {
                double xi[SUITE_DIM], mu[SUITE_DIM], g[SUITE_ELEMENT];
                suite_case("%s on %s, size %g", r->name, roster_groups()[i].label, sizes[k % SIZES]);
                draw(G, xi, sizes[k % SIZES], k, &rng);
                suite_normal(mu, lg_group_dim(G), &rng);
                suite_input("xi", xi, lg_group_dim(G));
                if (promised("tau", lg_retraction_tau(r, G, g, xi), g, lg_group_element_size(G))) on_group(G, g);
                tangents(r, G, xi, mu);
            }
        }
}

/* exp(xi) = exp(xi/2)^2 up to the error of the angle, eps |xi|: the law that the headers state. */
static void test_law(void **state)
{
    const lg_group *const groups[] = {lg_so2(), lg_so3(), lg_se2(), lg_se3(), lg_torus(2), lg_se23()};
    (void)state;
    for (int i = 0; i < 6; i++) {
        lg_rng rng = suite_rng(72000 + (uint64_t)i);
        for (int k = 0; k < 400; k++) {
            const double size = pow(2, 20.0 * k / 400);
            double xi[SUITE_DIM], half[SUITE_DIM], g[SUITE_ELEMENT], h[SUITE_ELEMENT], M[SUITE_MATRIX], W[SUITE_MATRIX];
            const lg_group *G = groups[i];
            const int N = lg_group_matrix_size(G);
            suite_case("%s, size %g", G->name, size);
            draw(G, xi, size, k, &rng);
            for (int j = 0; j < lg_group_dim(G); j++) half[j] = 0.5 * xi[j];
            suite_ok("exp", lg_group_exp(G, g, xi));
            suite_ok("exp", lg_group_exp(G, h, half));
            suite_ok("compose", lg_group_compose(G, h, h, h));
            suite_ok("to_matrix", lg_group_to_matrix(G, M, g));
            suite_ok("to_matrix", lg_group_to_matrix(G, W, h));
            suite_near("exp(xi) = exp(xi/2)^2", M, W, N * N, 2e-15, size * fmax(1, size_of(W, N * N)));
        }
    }
}

/* The limits themselves: on this side a result, on that LG_ERROR_DOMAIN and NaN; the angle of SO(2), SE(2), T^n is
 * taken as it is. */
static void test_limits(void **state)
{
    const double inside[3] = {0, 0, 1048576}, outside[3] = {0, 0, 1048577}, far[3] = {0, 0, 1e93};
    double g[7], M[36], xi6[6] = {0, 0, 1e101, 0, 0, 1};
    (void)state;
    suite_case("limits");
    suite_ok("SO(3)", lg_group_exp(lg_so3(), g, inside));
    suite_status("SO(3)", lg_group_exp(lg_so3(), g, outside), LG_ERROR_DOMAIN);
    assert_true(isnan(g[0]) && isnan(g[3]));
    lg_so3_exp(g, far);
    assert_true(isnan(g[0]) && isnan(g[3]));
    suite_status("dexp", lg_retraction_dtau(lg_retraction_exp(), lg_so3(), M, far), LG_ERROR_DOMAIN);
    suite_status("dexp_inv", lg_retraction_dtau_inv(lg_retraction_exp(), lg_se2(), M, far), LG_ERROR_DOMAIN);
    suite_status("SE(3)", lg_group_exp(lg_se3(), g, xi6), LG_ERROR_DOMAIN);
    suite_ok("SE(2)", lg_group_exp(lg_se2(), g, far));
    suite_near1("cos", g[2], lg_real_cos(1e93), 4 * SUITE_EPS, 1);
    suite_ok("SO(2)", lg_group_exp(lg_so2(), g, far + 2));
    suite_near1("sin", g[1], lg_real_sin(1e93), 4 * SUITE_EPS, 1);
    suite_ok("cay", lg_retraction_tau(lg_retraction_cayley(), lg_so3(), g, far));
    const double q[4] = {1e200, 0, 0, 1e200};
    suite_status("log of no quaternion", lg_group_log(lg_so3(), M, q), LG_ERROR_DOMAIN);
    suite_status("log of no rotation", lg_group_log(lg_se2(), M, q), LG_ERROR_DOMAIN);
    suite_status("extrapolation", lg_so3_interpolate(g, (double[4]){0, 0, 0, 1}, (double[4]){1, 0, 0, 0}, 1e7),
                 LG_ERROR_DOMAIN);
}

enum { COUNT = SIZES * 3, MOST = 81 }; /* a matrix of SE_2(3) */

typedef lg_status (*batched)(const lg_retraction *r, const lg_group *G, const lg_batch *b, double *out,
                             const double *xi);
typedef lg_status (*single)(const lg_retraction *r, const lg_group *G, double *out, const double *xi);

/* Batches give what single calls give, at every width that the machine has. */
static void compare(const lg_retraction *r, const lg_group *G, const double *xi, batched many, single one, int count)
{
    static double out[COUNT * MOST];
    for (int width = 1; width <= 8; width *= 2) {
        lg_batch b = lg_batch_default(COUNT);
        lg_status want = LG_OK;
        if (!lg_width_supported(width)) continue;
        b.width = width;
        const lg_status got = many(r, G, &b, out, xi);
        for (int k = 0; k < COUNT; k++) {
            double x[SUITE_MATRIX];
            const lg_status st = one(r, G, x, xi + k * lg_group_dim(G));
            if (want == LG_OK) want = st;
            for (int i = 0; i < count; i++) {
                const double y = out[k * count + i];
                if (st != LG_OK ? !isnan(y) : memcmp(&y, &x[i], sizeof y) != 0)
                    suite_fail("width %d, size %g, number %d: %g, alone %g (%s)", width, sizes[k % SIZES], i, y, x[i],
                               lg_status_name(st));
            }
        }
        assert_int_equal(got, want);
    }
}

static void test_batches(void **state)
{
    const lg_group *const groups[] = {lg_rn(2), lg_torus(2), lg_so2(), lg_so3(), lg_se2(), lg_se3(), lg_se23()};
    const lg_retraction *const retractions[] = {lg_retraction_exp(), lg_retraction_cayley()};
    (void)state;
    for (int i = 0; i < 14; i++) {
        const lg_group *G = groups[i % 7];
        const lg_retraction *r = retractions[i / 7];
        const int n = lg_group_dim(G);
        double xi[COUNT * 9];
        lg_rng rng = suite_rng(73000 + (uint64_t)i);
        suite_case("%s on %s", r->name, G->name);
        for (int k = 0; k < COUNT; k++) draw(G, xi + k * n, sizes[k % SIZES], k / SIZES, &rng);
        compare(r, G, xi, lg_batch_tau, lg_retraction_tau, lg_group_element_size(G));
        compare(r, G, xi, lg_batch_dtau, lg_retraction_dtau, n * n);
        compare(r, G, xi, lg_batch_dtau_inv, lg_retraction_dtau_inv, n * n);
    }
}

int main(void)
{
    suite_begin("large arguments");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size),
        cmocka_unit_test(test_law),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_batches),
    };
    return cmocka_run_group_tests_name("large", tests, NULL, NULL);
}
