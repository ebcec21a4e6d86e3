/* SPDX-License-Identifier: BSD-3-Clause */
/** @file matrix.h
 *  Plain square-matrix arithmetic of the tests' own, so that no test leans on the kernels it judges. Row-major. */
#ifndef TESTS_SUPPORT_MATRIX_H
#define TESTS_SUPPORT_MATRIX_H

/** C = A B for an r x k and a k x c matrix; C is neither A nor B. */
void mat_mul(double *C, const double *A, const double *B, int r, int k, int c);
/** T = A^T for a square A; T is not A. */
void mat_transpose(double *T, const double *A, int n);
/** y = A x for an r x c matrix; y is not x. */
void mat_apply(double *y, const double *A, const double *x, int r, int c);
/** Frobenius norm of n numbers. */
double mat_norm(const double *A, int n);
/** A = 1. */
void mat_identity(double *A, int n);
/** E = exp(A) by scaling, squaring and a Taylor series in long double; E may be A. */
void mat_exp(double *E, const double *A, int n);
/** Solves A x = b by Gaussian elimination with pivoting; returns 0 if A is singular. */
int mat_solve(double *x, const double *A, const double *b, int n);
/** Scalar product. */
double mat_dot(const double *a, const double *b, int n);

#endif
