/* SPDX-License-Identifier: BSD-3-Clause */
/** @file lapack.h
 *  LAPACKE and CBLAS. A build without them (meson's -Dlapack=disabled, for kernels on a machine that lacks them)
 *  replaces the few functions in use by substitutes that fail. Then loops solve all sizes (dense.h), and features that
 *  need more (quadratic groups, lg_diagnostics_parasitic_growth()) return LG_ERROR_UNSUPPORTED, by LG_HAS_LAPACK. */
#ifndef LIEGRP_SRC_BASE_LAPACK_H
#define LIEGRP_SRC_BASE_LAPACK_H

#ifndef LG_WITHOUT_LAPACK

#include <cblas.h>
#include <lapacke.h>

#define LG_HAS_LAPACK 1

#else

#define LG_HAS_LAPACK       0

typedef int lapack_int;

enum { LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR, CblasRowMajor, CblasNoTrans };

static inline int lapack_missing(int layout, ...)
{
    (void)layout;
    return -1;
}
#define LAPACKE_dgetrf_work lapack_missing
#define LAPACKE_dgetrs_work lapack_missing
#define LAPACKE_dpotrf_work lapack_missing
#define LAPACKE_dpotrs_work lapack_missing
#define LAPACKE_dgesvd_work lapack_missing
#define LAPACKE_dgees_work  lapack_missing
#define LAPACKE_dgeev_work  lapack_missing
#define cblas_dgemm         lapack_missing

#endif

#endif
