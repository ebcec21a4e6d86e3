/* SPDX-License-Identifier: BSD-3-Clause */
/* A small symmetric indefinite matrix, factored by Bunch and Parlett's method: complete pivoting with blocks of 1 and 2
 * rows, which shows rank and inertia. */
#include <math.h>
#include <string.h>

#include "control/riccati.h"

/* Exchanges rows and columns i and j; rows of L that are finished move along. */
static void border_swap(double *M, int *order, int n, int i, int j)
{
    if (i == j) return;
    for (int c = 0; c < n; c++) {
        const double t = M[i * n + c];
        M[i * n + c] = M[j * n + c], M[j * n + c] = t;
    }
    for (int r = 0; r < n; r++) {
        const double t = M[r * n + i];
        M[r * n + i] = M[r * n + j], M[r * n + j] = t;
    }
    const int t = order[i];
    order[i] = order[j], order[j] = t;
}

/* The largest diagonal entry and the largest one off the diagonal, from row k on. */
static void border_search(const double *M, int n, int k, int *diagonal, int *row, int *column)
{
    *diagonal = k, *row = k, *column = k;
    double most = -1, other = -1;
    for (int i = k; i < n; i++) {
        if (fabs(M[i * n + i]) > most) most = fabs(M[i * n + i]), *diagonal = i;
        for (int j = k; j < i; j++)
            if (fabs(M[i * n + j]) > other) other = fabs(M[i * n + j]), *row = i, *column = j;
    }
}

/* Eliminates row k by its diagonal entry; the entries of L replace the column. */
static void border_eliminate(double *M, int n, int k)
{
    const double pivot = M[k * n + k];
    for (int i = k + 1; i < n; i++) {
        const double l = M[i * n + k] / pivot;
        for (int j = k + 1; j < n; j++) M[i * n + j] -= l * M[k * n + j];
        M[i * n + k] = l;
    }
}

/* Eliminates rows k and k + 1 by the block [a b; b c]. */
static void border_eliminate_two(double *M, int n, int k)
{
    const double a = M[k * n + k], b = M[k * n + k + 1], c = M[(k + 1) * n + k + 1], det = a * c - b * b;
    for (int i = k + 2; i < n; i++) {
        const double u = M[i * n + k], v = M[i * n + k + 1];
        const double l = (c * u - b * v) / det, m = (a * v - b * u) / det;
        for (int j = k + 2; j < n; j++) M[i * n + j] -= l * M[k * n + j] + m * M[(k + 1) * n + j];
        M[i * n + k] = l, M[i * n + k + 1] = m;
    }
}

int lg_border_factor(double *M, int *order, int *width, int n, double tolerance, int *positive)
{
    const double balance = 0.6403882032022076; /* (1 + sqrt 17)/8 bounds the growth of entries */
    *positive = 0;
    for (int i = 0; i < n; i++) order[i] = i, width[i] = 1;
    for (int k = 0; k < n;) {
        int diagonal, row, column;
        border_search(M, n, k, &diagonal, &row, &column);
        const double one = fabs(M[diagonal * n + diagonal]), two = row == column ? 0 : fabs(M[row * n + column]);
        if (!(one > tolerance) && !(two > tolerance)) return k;
        if (one >= balance * two) {
            border_swap(M, order, n, k, diagonal);
            *positive += M[k * n + k] > 0;
            border_eliminate(M, n, k);
            k++;
            continue;
        }
        border_swap(M, order, n, k, column);
        border_swap(M, order, n, k + 1, row);
        ++*positive; /* such a block has eigenvalues of both signs */
        border_eliminate_two(M, n, k);
        width[k] = 2, width[k + 1] = 0;
        k += 2;
    }
    return n;
}

void lg_border_solve(const double *M, const int *order, const int *width, int n, int rank, double *x, double *work)
{
    for (int i = 0; i < n; i++) work[i] = x[order[i]];
    for (int i = 0; i < n; i++) {
        const int end = i < rank ? (width[i] ? i : i - 1) : rank; /* the second row of a block has no L in it */
        for (int j = 0; j < end; j++) work[i] -= M[i * n + j] * work[j];
    }
    for (int k = 0; k < rank; k++) {
        if (width[k] == 1) {
            work[k] /= M[k * n + k];
            continue;
        }
        const double a = M[k * n + k], b = M[k * n + k + 1], c = M[(k + 1) * n + k + 1], det = a * c - b * b;
        const double u = work[k], v = work[k + 1];
        work[k] = (c * u - b * v) / det, work[k + 1] = (a * v - b * u) / det;
        k++;
    }
    for (int j = rank - 1; j >= 0; j--)
        for (int i = j + 1; i < rank; i++)
            if (!(width[j] == 2 && i == j + 1)) work[j] -= M[i * n + j] * work[i];
    for (int i = 0; i < n; i++) x[order[i]] = work[i];
}
