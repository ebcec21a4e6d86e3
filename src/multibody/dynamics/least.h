/* SPDX-License-Identifier: BSD-3-Clause */
/* least.h: least squares of any rank, by Householder reflections with the longest column first. Row-major; a reflection
 * is kept below the diagonal of its column, its first entry and its factor in `beta`, two numbers a column. */
#ifndef LG_MULTIBODY_LEAST_H
#define LG_MULTIBODY_LEAST_H

/* A P = Q R of A (rows x columns) in place; returns the rank: columns stop where the longest that is left is not longer
 * than `tolerance` times the longest of A, or where there are `most`. pivot: of column k, its place in A. */
int mb_triangulate(double *A, int *pivot, double *beta, int rows, int columns, int most, double tolerance);
/* x <- Q^T x, or Q x, of one vector whose entries are `stride` apart. */
void mb_reflect(const double *A, const double *beta, int rows, int columns, int rank, double *x, int stride);
void mb_reflect_back(const double *A, const double *beta, int rows, int columns, int rank, double *x, int stride);
/* Of all x with the least |A x - b| the shortest; returns the rank, at most `most`, and *off = |A x - b|. A and b
 * (rows) are destroyed. work: columns (columns + 5) numbers, pivot: 2 columns. */
int mb_least(double *x, double *off, double *A, double *b, int rows, int columns, int most, double tolerance,
             double *work, int *pivot);

#endif
