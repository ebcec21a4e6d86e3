/* SPDX-License-Identifier: BSD-3-Clause */
/* vary.h: mechanisms next to that of a motion, in which one of its parameters is a little larger or smaller, for
 * derivatives with respect to it. They are differences of order eight of steps from states with the same poses and
 * velocities, projected onto the constraints of the neighbour. */
#ifndef LG_MULTIBODY_VARY_H
#define LG_MULTIBODY_VARY_H

#include "multibody/linear.h"

typedef struct mb_variation mb_variation;

/* *v = the neighbours of a motion's mechanism for `count` of its parameters. Messages are the motion's, and name `who`.
 *  - LG_ERROR_ARGUMENT: there is no such parameter, or it is named twice.
 *  - LG_ERROR_UNSUPPORTED: the mechanism has contacts, or activations; or a parameter cannot vary, since mechanisms
 *    next to this one are refused or have other rows.
 *  - LG_ERROR_MEMORY: out of memory. */
lg_status mb_vary_create(mb_variation **v, mb_sparse *mo, const int *which, int count, const char *who);
/* NULL is allowed. */
void mb_vary_destroy(mb_variation *v);
/* 1: it belongs to the mechanism that the motion has now. */
int mb_vary_fits(const mb_variation *v, const mb_sparse *mo);
/* P (may be NULL) <- the derivative of the step on the basis of L->end, k x count; L->after are its poses. D (may be
 * NULL) <- that of joint positions, then velocities, of the present state, 2 positions x count. */
lg_status mb_vary_columns(const mb_variation *v, mb_linear *L, double *P, double *D);

/* along.c: what is wanted of the step that the motion would make next; NULL: not that. */
typedef struct mb_along {
    double *A, *B, *h; /* of lg_motion_linearise_along() */
    const mb_variation *v;
    double *P, *D; /* of lg_motion_linearise_parameters() */
} mb_along;

lg_status mb_sparse_along(mb_sparse *mo, const mb_along *to, const char *who);

#endif
