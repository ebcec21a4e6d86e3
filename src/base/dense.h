/* SPDX-License-Identifier: BSD-3-Clause */
/** @file dense.h
 *  Small dense kernels, row-major, size at run time. Solves of up to 32 unknowns and products of matrices of up to
 *  16 x 16 are loops, with the same bits on every machine (OpenBLAS' kernels depend on the processor); beyond that
 *  column-major LAPACKE `_work` routines are called on the transposed data. Nothing is allocated. Outputs do not alias
 * inputs unless the comment says "in place". */
#ifndef LIEGRP_SRC_BASE_DENSE_H
#define LIEGRP_SRC_BASE_DENSE_H

#include <stddef.h>

#include <liegrp/base/status.h>

/** 1 if all n entries are finite. */
int lg_all_finite(const double *v, int n);
/** Sets n entries to NaN. */
void lg_fill_nan(double *v, int n);
/** A = identity, n x n. */
void lg_set_identity(double *A, int n);
/** B = A^T, n x n; B = A (in place) is allowed. */
void lg_transpose(double *B, const double *A, int n);
/** Largest absolute column sum of an n x n matrix; NaN for NaN. */
double lg_norm1(const double *A, int n);
/** The larger one; b where a is NaN. Where b is no NaN this is fmax(), which is a call. */
static inline double lg_larger(double a, double b)
{
    return a > b ? a : b;
}
/** Largest absolute entry; NaN for NaN. */
double lg_norm_max(const double *v, int n);
/** Sum of products. */
double lg_dot(const double *a, const double *b, int n);

/** y = A x, A rows x columns. */
void lg_matvec(double *y, const double *A, const double *x, int rows, int columns);
/** y = A^T x, A rows x columns, y has `columns` entries. */
void lg_matvec_transposed(double *y, const double *A, const double *x, int rows, int columns);
/** C = A B, A rows x inner, B inner x columns. */
void lg_matmul(double *C, const double *A, const double *B, int rows, int inner, int columns);

/** Bytes for an n x n matrix followed by n pivots, a multiple of 16: what an LU factorisation takes. */
size_t lg_lu_bytes(int n);
/** LU with partial pivoting in place; pivots has n entries. LG_ERROR_SINGULAR: a pivot is zero or not finite. */
lg_status lg_lu_factor(double *A, int *pivots, int n);
/** b <- A^-1 b, in place. */
void lg_lu_solve(const double *LU, const int *pivots, int n, double *b);
/** lg_lu_factor() and lg_lu_solve() without LAPACK, at any n: their bits do not depend on it. */
lg_status lg_lu_factor_loops(double *A, int *pivots, int n);
void lg_lu_solve_loops(const double *LU, const int *pivots, int n, double *b);
/** b <- A^-T b, in place. */
void lg_lu_solve_transposed(const double *LU, const int *pivots, int n, double *b);
/** Every row b of the count x n matrix B becomes A^-1 b, in place: B <- B A^-T. */
void lg_lu_solve_rows(const double *LU, const int *pivots, int n, double *B, int count);
/** inverse = A^-1. */
void lg_lu_inverse(double *inverse, const double *LU, const int *pivots, int n);
/** Sign of the determinant, 1 or -1. */
int lg_lu_sign(const double *LU, const int *pivots, int n);

/** A = L L^T in place, from the lower triangle; the upper one is set to zero. LG_ERROR_SINGULAR: pivot i is not above
 *  8 n eps times the diagonal entry it came from; then *bad = i (bad may be NULL; -1 on success). */
lg_status lg_cholesky(double *A, int n, int *bad);
/** b <- (L L^T)^-1 b, in place. */
void lg_cholesky_solve(const double *L, int n, double *b);
/** What must be left of a diagonal entry of an inertia once all other unknowns give way, 1/(A_ii (A^-1)_ii): velocities
 *  A^-1 p have as many digits less than p. Scales do not matter, diag(1, 1e-12) has 1. */
#define LG_LEAST_SHARE 1e-7
/** The least share of A = L L^T, and where: *entry. L is destroyed. */
double lg_cholesky_share(double *L, const double *A, int n, int *entry);
/** inverse = A^-1 for a symmetric positive definite A; exactly symmetric; work has n*n entries; inverse = A is allowed.
 *  LG_ERROR_SINGULAR as lg_cholesky(), or a share below LG_LEAST_SHARE. */
lg_status lg_spd_inverse(double *inverse, const double *A, int n, double *work);

#endif
