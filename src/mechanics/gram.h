/* SPDX-License-Identifier: BSD-3-Clause */
/* The small symmetric systems C = A J^-1 A^T that projectors, multipliers and starts share, on `real`. */
#ifndef LG_MECHANICS_GRAM_H
#define LG_MECHANICS_GRAM_H

#include <float.h>

#include "base/lane.h"

/* A pivot below this fraction of its diagonal entry means that the row is dependent: the sine of its angle to the span
 * of the rows before is then below 3e-7, and a reflection would have fewer than three correct digits. */
#define GRAM_RANK (450 * DBL_EPSILON)
/* Below this fraction a pivot that was computed by subtracting squares has fewer than ten digits: it is computed again
 * from the remaining part of the row, which is as exact as the rows. */
#define GRAM_CANCELLED 1e-6

/* AW = A J^-1 (m x n), with Jinv its diagonal where `diagonal`. */
KERNEL void gram_rows(real *AW, const real *A, const real *Jinv, int diagonal, int m, int n)
{
    for (int a = 0; a < m; a++)
        for (int j = 0; j < n; j++) {
            real s = diagonal ? A[a * n + j] * Jinv[j] : A[a * n] * Jinv[j];
            for (int i = 1; !diagonal && i < n; i++) s = s + A[a * n + i] * Jinv[i * n + j];
            AW[a * n + j] = s;
        }
}

/* D_a = n J^-1 n with n = a_a - sum_k x_k a_k, the part of row a that is orthogonal to those before it: x L = L_a. The
 * numbers x are stored above the diagonal of C, which is otherwise unused. An error of x is along these rows, to which
 * n is orthogonal, so it has a second-order effect. */
RARELY real gram_pivot(real *C, const real *AW, const real *A, int a, int m, int n)
{
    real pivot = splat(0);
    for (int k = a - 1; k >= 0; k--) {
        real x = C[a * m + k];
        for (int j = k + 1; j < a; j++) x = x - C[j * m + k] * C[j * m + a];
        C[k * m + a] = x;
    }
    for (int i = 0; i < n; i++) {
        real row = A[a * n + i], raised = AW[a * n + i];
        for (int k = 0; k < a; k++) {
            row = row - C[k * m + a] * A[k * n + i];
            raised = raised - C[k * m + a] * AW[k * n + i];
        }
        pivot = pivot + row * raised;
    }
    return pivot;
}

/* C = AW A^T = L D L^T: unit lower L below the diagonal, 1/D on it. Returns 0, or 1 + the first row that depends on
 * those before it (in any lane). */
KERNEL int gram_factor(real *C, const real *AW, const real *A, int m, int n)
{
    for (int a = 0; a < m; a++)
        for (int b = 0; b <= a; b++) {
            real s = AW[a * n] * A[b * n];
            for (int i = 1; i < n; i++) s = s + AW[a * n + i] * A[b * n + i];
            const real full = s;
            if (b < a) { /* L_ab D_b for now */
                for (int k = 0; k < b; k++) s = s - C[a * m + k] * C[b * m + k];
                C[a * m + b] = s;
                continue;
            }
            for (int k = 0; k < a; k++) {
                const real scaled = C[a * m + k];
                C[a * m + k] = scaled * C[k * m + k];
                s = s - scaled * C[a * m + k];
            }
            const mask cancelled = s <= GRAM_CANCELLED * full;
            if (a && any(cancelled)) s = sel(cancelled, gram_pivot(C, AW, A, a, m, n), s);
            if (any(s <= GRAM_RANK * full)) return a + 1; /* NaN passes; it is reported later */
            C[a * m + a] = 1.0 / s;
        }
    return 0;
}

/* b <- C^-1 b. */
KERNEL void gram_solve(const real *C, real *b, int m)
{
    for (int i = 1; i < m; i++)
        for (int k = 0; k < i; k++) b[i] = b[i] - C[i * m + k] * b[k];
    for (int i = 0; i < m; i++) b[i] = b[i] * C[i * m + i];
    for (int i = m - 2; i >= 0; i--)
        for (int k = i + 1; k < m; k++) b[i] = b[i] - C[k * m + i] * b[k];
}

#endif
