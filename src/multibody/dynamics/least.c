/* SPDX-License-Identifier: BSD-3-Clause */
/* Least squares of any rank. */
#include "multibody/dynamics/least.h"

#include <math.h>
#include <stddef.h>

/* The square of the part of a column from row k on. */
static double square_from(const double *A, int k, int column, int rows, int columns)
{
    double s = 0;
    for (int i = k; i < rows; i++) {
        const double x = A[(size_t)i * (size_t)columns + (size_t)column];
        s += x * x;
    }
    return s;
}

/* Puts the longest column of those from k on there; returns its square. */
static double exchange(double *A, int *pivot, int k, int rows, int columns)
{
    double most = -1;
    int best = k;
    for (int j = k; j < columns; j++) {
        const double s = square_from(A, k, j, rows, columns);
        if (s > most) most = s, best = j;
    }
    for (int i = 0; i < rows && best != k; i++) {
        double *row = A + (size_t)i * (size_t)columns, x = row[k];
        row[k] = row[best], row[best] = x;
    }
    const int p = pivot[k];
    pivot[k] = pivot[best], pivot[best] = p;
    return most;
}

/* x <- (1 - beta v v^T) x with v = (first, A below the diagonal of column k). */
static void reflect_one(const double *A, const double *beta, int rows, int columns, int k, double *x, int stride)
{
    const size_t n = (size_t)columns, step = (size_t)stride;
    double s = beta[2 * k] * x[(size_t)k * step];
    for (int i = k + 1; i < rows; i++) s += A[(size_t)i * n + (size_t)k] * x[(size_t)i * step];
    s *= beta[2 * k + 1];
    x[(size_t)k * step] -= s * beta[2 * k];
    for (int i = k + 1; i < rows; i++) x[(size_t)i * step] -= s * A[(size_t)i * n + (size_t)k];
}

int mb_triangulate(double *A, int *pivot, double *beta, int rows, int columns, int most, double tolerance)
{
    double longest = 0;
    int k = 0;
    for (int j = 0; j < columns; j++) pivot[j] = j;
    for (; k < rows && k < columns && k < most; k++) {
        const double square = exchange(A, pivot, k, rows, columns), length = sqrt(square);
        double *diagonal = &A[(size_t)k * (size_t)columns + (size_t)k];
        if (k == 0) longest = length;
        if (!(length > tolerance * longest)) break;
        const double to = *diagonal > 0 ? -length : length, first = *diagonal - to;
        beta[2 * k] = first, beta[2 * k + 1] = 1 / (first * -to);
        for (int j = k + 1; j < columns; j++) reflect_one(A, beta, rows, columns, k, A + j, columns);
        *diagonal = to;
    }
    return k;
}

void mb_reflect(const double *A, const double *beta, int rows, int columns, int rank, double *x, int stride)
{
    for (int k = 0; k < rank; k++) reflect_one(A, beta, rows, columns, k, x, stride);
}

void mb_reflect_back(const double *A, const double *beta, int rows, int columns, int rank, double *x, int stride)
{
    for (int k = rank - 1; k >= 0; k--) reflect_one(A, beta, rows, columns, k, x, stride);
}

/* R z = y (rank rows, all columns) with the shortest z: R^T = Q S, S^T (Q^T z) = y. T is R^T, columns x rank. */
static void shortest(double *z, double *T, const double *y, int columns, int rank, double *beta, int *pivot)
{
    (void)mb_triangulate(T, pivot, beta, columns, rank, rank, 0);
    for (int k = 0; k < columns; k++) z[k] = 0;
    for (int k = 0; k < rank; k++) {
        double s = y[pivot[k]];
        for (int i = 0; i < k; i++) s -= T[(size_t)i * (size_t)rank + (size_t)k] * z[i];
        z[k] = s / T[(size_t)k * (size_t)rank + (size_t)k];
    }
    mb_reflect_back(T, beta, columns, rank, rank, z, 1);
}

int mb_least(double *x, double *off, double *A, double *b, int rows, int columns, int most, double tolerance,
             double *work, int *pivot)
{
    double *T = work, *z = T + (size_t)columns * (size_t)columns, *beta = z + columns;
    const int rank = mb_triangulate(A, pivot, beta, rows, columns, most, tolerance);
    double square = 0;
    mb_reflect(A, beta, rows, columns, rank, b, 1);
    for (int i = rank; i < rows; i++) square += b[i] * b[i];
    for (int k = 0; k < rank; k++)
        for (int j = 0; j < columns; j++)
            T[(size_t)j * (size_t)rank + (size_t)k] = j < k ? 0 : A[(size_t)k * (size_t)columns + (size_t)j];
    shortest(z, T, b, columns, rank, beta + 2 * columns, pivot + columns);
    for (int j = 0; j < columns; j++) x[pivot[j]] = z[j];
    *off = sqrt(square);
    return rank;
}
