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
    suite_status("singular", lg_lu_factor(A, pivots, n), LG_ERROR_SINGULAR);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes)};
    return cmocka_run_group_tests_name("dense", tests, NULL, NULL);
}
