/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"

#include <math.h>
#include <string.h>

enum { SIDE = 20, SIZE = SIDE * SIDE };

void mat_mul(double *C, const double *A, const double *B, int r, int k, int c)
{
    for (int i = 0; i < r; i++) {
        for (int j = 0; j < c; j++) {
            long double s = 0;
            for (int l = 0; l < k; l++) s += (long double)A[i * k + l] * B[l * c + j];
            C[i * c + j] = (double)s;
        }
    }
}

void mat_transpose(double *T, const double *A, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) T[j * n + i] = A[i * n + j];
    }
}

void mat_apply(double *y, const double *A, const double *x, int r, int c)
{
    mat_mul(y, A, x, r, c, 1);
}

double mat_norm(const double *A, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s = hypot(s, A[i]);
    return s;
}

void mat_identity(double *A, int n)
{
    for (int i = 0; i < n * n; i++) A[i] = i % (n + 1) == 0 ? 1 : 0;
}

static void long_mul(long double *C, const long double *A, const long double *B, int n)
{
    long double T[SIZE];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            long double s = 0;
            for (int l = 0; l < n; l++) s += A[i * n + l] * B[l * n + j];
            T[i * n + j] = s;
        }
    }
    memcpy(C, T, sizeof(long double) * (size_t)(n * n));
}

void mat_exp(double *E, const double *A, int n)
{
    int squarings = 0;
    double norm = mat_norm(A, n * n);
    while (norm > 0.25) {
        norm /= 2;
        squarings++;
    }
    long double X[SIZE], term[SIZE], sum[SIZE];
    for (int i = 0; i < n * n; i++) {
        X[i] = ldexpl((long double)A[i], -squarings);
        term[i] = sum[i] = i % (n + 1) == 0 ? 1 : 0;
    }
    for (int k = 1; k <= 18; k++) { /* 0.25^18 / 18! < 1e-26 */
        long_mul(term, term, X, n);
        for (int i = 0; i < n * n; i++) sum[i] += (term[i] /= k);
    }
    for (int s = 0; s < squarings; s++) long_mul(sum, sum, sum, n);
    for (int i = 0; i < n * n; i++) E[i] = (double)sum[i];
}

int mat_solve(double *x, const double *A, const double *b, int n)
{
    long double M[SIZE], r[SIDE];
    for (int i = 0; i < n * n; i++) M[i] = A[i];
    for (int i = 0; i < n; i++) r[i] = b[i];
    for (int c = 0; c < n; c++) {
        int p = c;
        for (int i = c + 1; i < n; i++) {
            if (fabsl(M[i * n + c]) > fabsl(M[p * n + c])) p = i;
        }
        if (M[p * n + c] == 0) return 0;
        for (int j = 0; j < n; j++) {
            long double t = M[c * n + j];
            M[c * n + j] = M[p * n + j];
            M[p * n + j] = t;
        }
        long double t = r[c];
        r[c] = r[p];
        r[p] = t;
        for (int i = c + 1; i < n; i++) {
            long double f = M[i * n + c] / M[c * n + c];
            for (int j = c; j < n; j++) M[i * n + j] -= f * M[c * n + j];
            r[i] -= f * r[c];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) r[i] -= M[i * n + j] * r[j];
        r[i] /= M[i * n + i];
    }
    for (int i = 0; i < n; i++) x[i] = (double)r[i];
    return 1;
}

double mat_dot(const double *a, const double *b, int n)
{
    long double s = 0;
    for (int i = 0; i < n; i++) s += (long double)a[i] * b[i];
    return (double)s;
}
