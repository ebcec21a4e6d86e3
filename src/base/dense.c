/* SPDX-License-Identifier: BSD-3-Clause */
/* Small dense kernels. Row-major data read by column-major LAPACK are the transpose, so systems are solved with
 * trans = 'T' and the upper Cholesky factor that LAPACK computes is our lower one. */
#include "base/dense.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/lapack.h"

_Static_assert(sizeof(lapack_int) == sizeof(int), "pivots are int: LAPACKE with 32-bit integers is needed");

/* Largest sizes for which loops are used. For factorisations they are as fast as LAPACK there. */
#define LOOPS             (LG_HAS_LAPACK ? 32 : 1 << 30)
#define LOOPS_OF_PRODUCTS (LG_HAS_LAPACK ? 16 : 1 << 30)

#define AT(A, n, i, j) (A)[(size_t)(i) * (size_t)(n) + (size_t)(j)]

int lg_all_finite(const double *v, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(v[i])) return 0;
    return 1;
}

void lg_fill_nan(double *v, int n)
{
    for (int i = 0; i < n; i++) v[i] = NAN;
}

void lg_set_identity(double *A, int n)
{
    memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
    for (int i = 0; i < n; i++) AT(A, n, i, i) = 1.0;
}

void lg_transpose(double *B, const double *A, int n)
{
    for (int i = 0; i < n; i++) {
        AT(B, n, i, i) = AT(A, n, i, i);
        for (int j = 0; j < i; j++) {
            const double below = AT(A, n, i, j), above = AT(A, n, j, i);
            AT(B, n, i, j) = above;
            AT(B, n, j, i) = below;
        }
    }
}

double lg_norm1(const double *A, int n)
{
    double largest = 0.0;
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) sum += fabs(AT(A, n, i, j));
        if (!(sum <= largest)) largest = sum;
        if (isnan(largest)) return largest;
    }
    return largest;
}

double lg_norm_max(const double *v, int n)
{
    uint64_t most = 0; /* the order of sizes is that of their bits, and NaN is above all */
    double largest;
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, v + i, sizeof bits);
        bits &= UINT64_MAX >> 1;
        most = bits > most ? bits : most;
    }
    memcpy(&largest, &most, sizeof largest);
    return largest;
}

double lg_dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

void lg_matvec(double *y, const double *A, const double *x, int rows, int columns)
{
    for (int i = 0; i < rows; i++) y[i] = lg_dot(&AT(A, columns, i, 0), x, columns);
}

void lg_matvec_transposed(double *y, const double *A, const double *x, int rows, int columns)
{
    for (int j = 0; j < columns; j++) y[j] = 0.0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) y[j] += AT(A, columns, i, j) * x[i];
}

void lg_matmul(double *C, const double *A, const double *B, int rows, int inner, int columns)
{
    if (rows > LOOPS_OF_PRODUCTS || inner > LOOPS_OF_PRODUCTS || columns > LOOPS_OF_PRODUCTS) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, inner, 1.0, A, inner, B, columns, 0.0, C,
                    columns);
        return;
    }
    for (int i = 0; i < rows; i++) {
        double *row = &AT(C, columns, i, 0);
        for (int j = 0; j < columns; j++) row[j] = 0.0;
        for (int k = 0; k < inner; k++) {
            const double a = AT(A, inner, i, k);
            for (int j = 0; j < columns; j++) row[j] += a * AT(B, columns, k, j);
        }
    }
}

size_t lg_lu_bytes(int n)
{
    const size_t bytes = (size_t)n * (size_t)n * sizeof(double) + (size_t)n * sizeof(int);
    return (bytes + 15) / 16 * 16;
}

/* Row-major Doolittle with row exchanges; pivots are 1-based as in LAPACK. */
static void lu_factor_small(double *A, int *pivots, int n)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(AT(A, n, i, k)) > fabs(AT(A, n, p, k))) p = i;
        pivots[k] = p + 1;
        if (p != k)
            for (int j = 0; j < n; j++) {
                const double swap = AT(A, n, k, j);
                AT(A, n, k, j) = AT(A, n, p, j);
                AT(A, n, p, j) = swap;
            }
        if (AT(A, n, k, k) == 0.0) continue;
        for (int i = k + 1; i < n; i++) {
            const double m = AT(A, n, i, k) /= AT(A, n, k, k);
            for (int j = k + 1; j < n; j++) AT(A, n, i, j) -= m * AT(A, n, k, j);
        }
    }
}

static lg_status lu_pivots(const double *A, int n)
{
    for (int i = 0; i < n; i++)
        if (AT(A, n, i, i) == 0.0 || !isfinite(AT(A, n, i, i))) return LG_ERROR_SINGULAR;
    return LG_OK;
}

lg_status lg_lu_factor(double *A, int *pivots, int n)
{
    if (n <= LOOPS)
        lu_factor_small(A, pivots, n);
    else
        LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivots);
    return lu_pivots(A, n);
}

lg_status lg_lu_factor_loops(double *A, int *pivots, int n)
{
    lu_factor_small(A, pivots, n);
    return lu_pivots(A, n);
}

static void lu_solve_small(const double *LU, const int *pivots, int n, double *b)
{
    for (int k = 0; k < n; k++) {
        const int p = pivots[k] - 1;
        const double swap = b[k];
        b[k] = b[p];
        b[p] = swap;
    }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) b[i] -= AT(LU, n, i, j) * b[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= AT(LU, n, i, j) * b[j];
        b[i] /= AT(LU, n, i, i);
    }
}

static void lu_solve_transposed_small(const double *LU, const int *pivots, int n, double *b)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) b[i] -= AT(LU, n, j, i) * b[j];
        b[i] /= AT(LU, n, i, i);
    }
    for (int i = n - 2; i >= 0; i--)
        for (int j = i + 1; j < n; j++) b[i] -= AT(LU, n, j, i) * b[j];
    for (int k = n - 1; k >= 0; k--) {
        const int p = pivots[k] - 1;
        const double swap = b[k];
        b[k] = b[p];
        b[p] = swap;
    }
}

void lg_lu_solve(const double *LU, const int *pivots, int n, double *b)
{
    lg_lu_solve_rows(LU, pivots, n, b, 1);
}

void lg_lu_solve_loops(const double *LU, const int *pivots, int n, double *b)
{
    lu_solve_small(LU, pivots, n, b);
}

void lg_lu_solve_transposed(const double *LU, const int *pivots, int n, double *b)
{
    if (n <= LOOPS)
        lu_solve_transposed_small(LU, pivots, n, b);
    else
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, LU, n, pivots, b, n);
}

void lg_lu_solve_rows(const double *LU, const int *pivots, int n, double *B, int count)
{
    if (n > LOOPS) {
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, count, LU, n, pivots, B, n);
        return;
    }
    for (int i = 0; i < count; i++) lu_solve_small(LU, pivots, n, &AT(B, n, i, 0));
}

void lg_lu_inverse(double *inverse, const double *LU, const int *pivots, int n)
{
    lg_set_identity(inverse, n);
    lg_lu_solve_rows(LU, pivots, n, inverse, n);
    lg_transpose(inverse, inverse, n);
}

int lg_lu_sign(const double *LU, const int *pivots, int n)
{
    int sign = 1;
    for (int i = 0; i < n; i++) {
        if (AT(LU, n, i, i) < 0.0) sign = -sign;
        if (pivots[i] != i + 1) sign = -sign;
    }
    return sign;
}

/* By loops; returns the row whose pivot is not above tolerance times its diagonal entry, or -1. */
static int cholesky_small(double *A, int n, double tolerance)
{
    for (int i = 0; i < n; i++) {
        const double diagonal = AT(A, n, i, i);
        for (int j = 0; j < i; j++) {
            double sum = AT(A, n, i, j);
            for (int k = 0; k < j; k++) sum -= AT(A, n, i, k) * AT(A, n, j, k);
            AT(A, n, i, j) = sum / AT(A, n, j, j);
        }
        double pivot = diagonal;
        for (int k = 0; k < i; k++) pivot -= AT(A, n, i, k) * AT(A, n, i, k);
        if (!(pivot > tolerance * fabs(diagonal)) || !isfinite(pivot)) return i;
        AT(A, n, i, i) = sqrt(pivot);
    }
    return -1;
}

/* The diagonal entries that dpotrf has overwritten are the squared norms of the rows of L. */
static int cholesky_large(double *A, int n, double tolerance)
{
    const int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, A, n);
    const int rows = info > 0 ? info - 1 : n;
    for (int i = 0; i < rows; i++) {
        const double diagonal = lg_dot(&AT(A, n, i, 0), &AT(A, n, i, 0), i + 1);
        const double pivot = AT(A, n, i, i) * AT(A, n, i, i);
        if (!(pivot > tolerance * diagonal) || !isfinite(pivot)) return i;
    }
    return info > 0 ? rows : -1;
}

lg_status lg_cholesky(double *A, int n, int *bad)
{
    const double tolerance = 8.0 * n * DBL_EPSILON;
    const int row = n <= LOOPS ? cholesky_small(A, n, tolerance) : cholesky_large(A, n, tolerance);
    if (bad != NULL) *bad = row;
    if (row >= 0) return LG_ERROR_SINGULAR;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) AT(A, n, i, j) = 0.0;
    return LG_OK;
}

void lg_cholesky_solve(const double *L, int n, double *b)
{
    if (n > LOOPS) {
        LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', n, 1, L, n, b, n);
        return;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) b[i] -= AT(L, n, i, j) * b[j];
        b[i] /= AT(L, n, i, i);
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= AT(L, n, j, i) * b[j];
        b[i] /= AT(L, n, i, i);
    }
}

/* (A^-1)_jj is the square of column j of L^-1, which takes the place of L. */
double lg_cholesky_share(double *L, const double *A, int n, int *entry)
{
    double least = INFINITY;
    for (int j = 0; j < n; j++) {
        AT(L, n, j, j) = 1.0 / AT(L, n, j, j);
        double square = AT(L, n, j, j) * AT(L, n, j, j);
        for (int i = j + 1; i < n; i++) {
            double sum = 0.0;
            for (int k = j; k < i; k++) sum -= AT(L, n, i, k) * AT(L, n, k, j);
            AT(L, n, i, j) = sum / AT(L, n, i, i);
            square += AT(L, n, i, j) * AT(L, n, i, j);
        }
        const double share = 1.0 / (AT(A, n, j, j) * square);
        if (share < least) least = share, *entry = j;
    }
    return least;
}

lg_status lg_spd_inverse(double *inverse, const double *A, int n, double *work)
{
    memcpy(work, A, (size_t)n * (size_t)n * sizeof *work);
    const lg_status status = lg_cholesky(work, n, NULL);
    if (status != LG_OK) return status;
    lg_set_identity(inverse, n);
    for (int i = 0; i < n; i++) lg_cholesky_solve(work, n, &AT(inverse, n, i, 0));
    for (int i = 0; i < n; i++) {
        const double diagonal = lg_dot(&AT(work, n, i, 0), &AT(work, n, i, 0), i + 1);
        if (diagonal * AT(inverse, n, i, i) > 1 / LG_LEAST_SHARE) return LG_ERROR_SINGULAR;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const double mean = 0.5 * (AT(inverse, n, i, j) + AT(inverse, n, j, i));
            AT(inverse, n, i, j) = mean;
            AT(inverse, n, j, i) = mean;
        }
    return LG_OK;
}
