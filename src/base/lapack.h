/* SPDX-License-Identifier: BSD-3-Clause */
/** @file lapack.h
 *  LAPACKE and CBLAS; or, in a build without them (meson's -Dlapack=disabled: kernels on a machine that has none), the
 *  few functions that are used as stand-ins which fail. Then all sizes are solved by loops (dense.h), and what needs
 *  more (quadratic groups, lg_probe_growth()) asks LG_HAS_LAPACK and says LG_ERROR_UNSUPPORTED. */
#ifndef LIEGRP_SRC_BASE_LAPACK_H
#define LIEGRP_SRC_BASE_LAPACK_H

#ifndef LG_WITHOUT_LAPACK

#include <cblas.h>
#include <lapacke.h>

#define LG_HAS_LAPACK 1

#else

#define LG_HAS_LAPACK 0

typedef int lapack_int;

enum { LAPACK_COL_MAJOR, LAPACK_ROW_MAJOR };

#define LAPACKE_dgetrf_work(...) (-1)
#define LAPACKE_dgetrs_work(...) (-1)
#define LAPACKE_dpotrf_work(...) (-1)
#define LAPACKE_dpotrs_work(...) (-1)
#define LAPACKE_dgesvd_work(...) (-1)
#define LAPACKE_dgees_work(...)  (-1)
#define LAPACKE_dgeev(...)       (-1)
#define cblas_dgemm(...)         ((void)0)

#endif

#endif
