/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense kernels at sizes on both sides of those that loops do, 16 and 32: what is solved solves, and what is singular
 * is said to be. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "suite.h"

enum { MOST = 40 };

static double A[MOST * MOST], L[MOST * MOST], B[MOST * MOST], C[MOST * MOST], x[MOST], b[MOST];
static int pivots[MOST];

static void random_matrix(double *M, int n, lg_rng *rng)
{
    for (int i = 0; i < n * n; i++) M[i] = 2 * lg_rng_uniform(rng) - 1;
}

static void solves(int n, lg_rng *rng)
{
    random_matrix(A, n, rng);
    for (int i = 0; i < n; i++) A[i * n + i] += 2, x[i] = 1 + 0.1 * i;
    memcpy(L, A, sizeof A);
    suite_ok("factor", lg_lu_factor(L, pivots, n));
    lg_matvec(b, A, x, n, n);
    lg_lu_solve(L, pivots, n, b);
    suite_near("A^-1 A x", b, x, n, 1e4 * SUITE_EPS, 4 * n);
    lg_matvec_transposed(b, A, x, n, n);
    lg_lu_solve_transposed(L, pivots, n, b);
    suite_near("A^-T A^T x", b, x, n, 1e4 * SUITE_EPS, 4 * n);
    lg_lu_inverse(B, L, pivots, n);
    lg_matmul(C, A, B, n, n, n);
    for (int i = 0; i < n; i++) C[i * n + i] -= 1;
    suite_below("A A^-1 - 1", lg_norm_max(C, n * n), 1e4 * SUITE_EPS * n);
    for (int i = 0; i < n; i++) A[i * n + n - 1] = 0;
    memcpy(L, A, sizeof A);
    suite_status("singular", lg_lu_factor(L, pivots, n), LG_ERROR_SINGULAR);
    A[n * n - 1] = INFINITY;
    suite_status("infinite", lg_lu_factor(A, pivots, n), LG_ERROR_SINGULAR);
}

static void roots(int n, lg_rng *rng)
{
    int bad = 0;
    random_matrix(B, n, rng);
    lg_transpose(C, B, n);
    lg_matmul(A, B, C, n, n, n);
    for (int i = 0; i < n; i++) A[i * n + i] += 1, x[i] = 1 - 0.1 * i;
    memcpy(L, A, sizeof A);
    suite_ok("root", lg_cholesky(L, n, &bad));
    assert_int_equal(bad, -1);
    lg_matvec(b, A, x, n, n);
    lg_cholesky_solve(L, n, b);
    suite_near("A^-1 A x", b, x, n, 1e3 * SUITE_EPS, 4 * n);
    lg_transpose(B, L, n);
    lg_matmul(C, L, B, n, n, n);
    suite_near("L L^T", C, A, n * n, 16 * SUITE_EPS, n);
    memcpy(L, A, sizeof A);
    L[(n - 1) * n + n - 1] = -1;
    suite_status("indefinite", lg_cholesky(L, n, &bad), LG_ERROR_SINGULAR);
    assert_int_equal(bad, n - 1);
    memcpy(L, A, sizeof A);
    L[(n - 1) * n + n - 1] = INFINITY;
    suite_status("infinite", lg_cholesky(L, n, &bad), LG_ERROR_SINGULAR);
    assert_int_equal(bad, n - 1);
    suite_ok("inverse", lg_spd_inverse(B, A, n, L));
    lg_matmul(C, A, B, n, n, n);
    for (int i = 0; i < n; i++) C[i * n + i] -= 1;
    suite_below("A A^-1 - 1", lg_norm_max(C, n * n), 1e4 * SUITE_EPS * n);
}

/* A thin matrix takes the loops only if all its sides are short. */
static void test_products(void **state)
{
    enum { LONG = 128 };
    static double wide[2 * LONG], tall[2 * LONG], small[4], large[LONG * LONG];
    (void)state;
    for (int i = 0; i < 2 * LONG; i++) wide[i] = 1 + i % 3, tall[i] = 2 - i % 5;
    lg_matmul(small, wide, tall, 2, LONG, 2);
    double want = 0;
    for (int i = 0; i < LONG; i++) want += wide[LONG + i] * tall[2 * i];
    suite_near1("inner", small[2], want, 16 * SUITE_EPS, LONG);
    lg_matmul(large, tall, wide, LONG, 2, LONG);
    want = tall[6] * wide[5] + tall[7] * wide[LONG + 5];
    suite_near1("outer", large[3 * LONG + 5], want, 16 * SUITE_EPS, 10);
    lg_matmul(large, small, wide, 2, 2, LONG);
    want = small[2] * wide[5] + small[3] * wide[LONG + 5];
    suite_near1("wide", large[LONG + 5], want, 16 * SUITE_EPS, fabs(want));
}

static void test_sizes(void **state)
{
    lg_rng rng = suite_rng(1);
    (void)state;
    for (int n = 1; n <= MOST; n++) {
        suite_case("size %d", n);
        solves(n, &rng);
        roots(n, &rng);
    }
}

int main(void)
{
    suite_begin("dense");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes), cmocka_unit_test(test_products)};
    return cmocka_run_group_tests_name("dense", tests, NULL, NULL);
}
