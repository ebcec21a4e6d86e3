/* SPDX-License-Identifier: BSD-3-Clause */
/** @file matrix_functions.h
 *  Exponential, square root and logarithm of real n x n matrices, row-major, without allocation.
 *  Outputs do not alias inputs. */
#ifndef LIEGRP_SRC_GROUPS_MATRIX_FUNCTIONS_H
#define LIEGRP_SRC_GROUPS_MATRIX_FUNCTIONS_H

#include <stddef.h>

#include <liegrp/base/status.h>

/** E = exp(A); A is overwritten; work: 4 n^2. NaN, or overflow: NaN or infinite entries. */
void lg_expm(double *E, double *A, int n, double *work);
/** Phi = phi_1(A) = sum_j A^j / (j+1)! = (exp(A) - 1) / A; A is overwritten; work: 4 n^2. */
void lg_phi1(double *Phi, double *A, int n, double *work);

/** Doubles of workspace that lg_sqrtm() needs. */
size_t lg_sqrtm_work(int n);
/** S = principal square root of A. LG_ERROR_CONVERGENCE, LG_ERROR_SINGULAR: an eigenvalue is zero or negative. */
lg_status lg_sqrtm(double *S, const double *A, int n, double *work);

/** 1 if A has an eigenvalue on the closed negative real axis, to roundoff; work: n^2 + 5 n. */
int lg_has_negative_eigenvalue(const double *A, int n, double *work);

/** X = principal logarithm of A; work: 5 n^2 + 8 n. LG_ERROR_DOMAIN: an eigenvalue lies on the closed negative real
 * axis. */
lg_status lg_logm(double *X, const double *A, int n, double *work);

/** X = principal logarithm of a rotation R, angles up to pi inclusive, where the sense of the rotation is free; work:
 * the larger of 2 n^2 + 5 n and 3 n^2 + n. LG_ERROR_DOMAIN: det R < 0. */
lg_status lg_log_rotation(double *X, const double *R, int n, double *work);

#endif
