/* SPDX-License-Identifier: BSD-3-Clause */
/* Linear systems of all stages at once, for derivatives: Gauss elimination of matrix and right sides with row
 * exchanges, the numbers of a row in lanes. Every number is computed by equal operations at every width, so the bits
 * are equal; those of LAPACK would depend on the processor. */
#include "integrators/collocation/stages.h"

#include <math.h>
#include <stddef.h>

/* a <- a - factor b from number `from` on, rounded down to a multiple of LG_ROW_STEP: earlier numbers are no longer
 * read. */
KERNEL void eliminate_take(double *row, const double *other, double factor, int from, int stride)
{
    real *a = (real *)row;
    const real *b = (const real *)other, f = splat(factor);
    for (int j = from / LG_ROW_STEP * LG_ROW_STEP / LANES; j < stride / LANES; j++) a[j] = a[j] - f * b[j];
}

/* Eliminates column k from the rows below k. 1: the column is 0 from row k on. */
static int eliminate_column(double *A, int n, int stride, int k)
{
    double *pivot = A + (ptrdiff_t)k * stride, *best = pivot;
    for (int i = k + 1; i < n; i++) {
        double *row = A + (ptrdiff_t)i * stride;
        if (fabs(row[k]) > fabs(best[k])) best = row;
    }
    for (int j = k; j < stride && best != pivot; j++) {
        const double other = best[j];
        best[j] = pivot[j], pivot[j] = other;
    }
    if (pivot[k] == 0 || !isfinite(pivot[k])) return 1;
    for (int i = k + 1; i < n; i++) {
        double *row = A + (ptrdiff_t)i * stride;
        if (row[k] != 0) eliminate_take(row, pivot, row[k] / pivot[k], k + 1, stride);
    }
    return 0;
}

int lg_stages_eliminate(double *A, int n, int stride)
{
    const int sides = lg_row_stride(n, 0);
    for (int k = 0; k < n; k++)
        if (eliminate_column(A, n, stride, k)) return 1;
    for (int k = n - 1; k >= 0; k--) {
        double *row = A + (ptrdiff_t)k * stride;
        for (int i = k + 1; i < n; i++)
            if (row[i] != 0) eliminate_take(row, A + (ptrdiff_t)i * stride, row[i], sides, stride);
        for (int j = sides; j < stride; j++) row[j] /= row[k];
    }
    return 0;
}
