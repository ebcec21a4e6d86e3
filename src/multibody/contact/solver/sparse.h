/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse.h: the operator on the graph of bodies. dP = k - K du and du = G dv + r give
 *   [J/f + G^T K G, A^T; A, 0] (dv, lambda) = (G^T (k - K r), 0):
 * vertices are bodies and blocks of joint rows. The order of elimination is kept while contacts join the same bodies.
 */
#ifndef LG_MULTIBODY_CONTACT_SOLVER_SPARSE_H
#define LG_MULTIBODY_CONTACT_SOLVER_SPARSE_H

#include "multibody/contact/solver/elimination.h"
#include "multibody/contact/solver/problem.h"
#include "multibody/contact/solver/system.h"

typedef struct mb_ncp_sparse {
    mb_ncp_kernel kernel; /* first: what mb_ncp::kernel points to */
    mb_ncp_system system;
    const mb_ncp_contact *contact;
    mb_elimination graph;
    mb_blocks free, held; /* the factors without contacts, used where there are joints, and with the last K */
    double *local, *K;
    double *inverse;         /* of inertia times f: 6 a body, as inertia is stored */
    double *x;               /* 6 numbers a vertex */
    double *velocity;        /* that Gauss-Seidel keeps */
    int *joins, joins_count; /* the bodies that the present order was made for */
    int joins_made;
} mb_ncp_sparse;

/* Divides an arena; over an empty arena it sizes. At most this many bodies, contacts and joints, and off-diagonal
 * blocks of the factor: twice the edges of the graph and of its fill; n (n - 1) of n bodies and joints are always
 * enough. */
void mb_ncp_sparse_take(mb_ncp_sparse *s, lg_arena *a, int bodies, int contacts, int joints, int blocks);

typedef enum mb_ncp_fit {
    MB_NCP_FITS,
    MB_NCP_NO_ROOM,  /* for the blocks of the factor: s->graph.blocks or more are needed */
    MB_NCP_DEPENDENT /* joint rows depend on each other, or an inertia is not definite */
} mb_ncp_fit;

/* The operator of these bodies and contacts; arrays stay the caller's and must outlive the calls. */
mb_ncp_fit mb_ncp_sparse_set(mb_ncp_sparse *s, const mb_ncp_system *system, const mb_ncp_contact *contact);

#endif
