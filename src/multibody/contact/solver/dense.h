/* SPDX-License-Identifier: BSD-3-Clause */
/* dense.h: the operator of a dense W: the reference, and quick for a few contacts. */
#ifndef LG_MULTIBODY_CONTACT_SOLVER_DENSE_H
#define LG_MULTIBODY_CONTACT_SOLVER_DENSE_H

#include "base/arena.h"
#include "multibody/contact/solver/problem.h"

typedef struct mb_ncp_dense {
    mb_ncp_kernel kernel; /* first: what mb_ncp::kernel points to */
    int contacts, rows;
    const mb_ncp_contact *contact;
    const double *W;       /* rows x rows, row-major */
    double *local, *K, *P; /* blocks of W and of the last factor; impulses that Gauss-Seidel keeps */
    double *LU, *right;
    int *pivot, *active; /* rows whose contact has K != 0 */
    int count;           /* of them */
} mb_ncp_dense;

/* Divides an arena for at most this many contacts; over an empty arena it sizes. */
void mb_ncp_dense_take(mb_ncp_dense *s, lg_arena *a, int contacts);
/* The operator of W for these contacts; both stay the caller's and must outlive the calls. */
void mb_ncp_dense_set(mb_ncp_dense *s, const double *W, const mb_ncp_contact *contact, int contacts);

#endif
