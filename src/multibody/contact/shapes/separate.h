/* SPDX-License-Identifier: BSD-3-Clause */
/* separate.h: gaps of a host and a guest, in the host's frame. */
#ifndef LG_MULTIBODY_CONTACT_SHAPES_SEPARATE_H
#define LG_MULTIBODY_CONTACT_SHAPES_SEPARATE_H

#include "multibody/contact/shapes/shape.h"

/* The gap of two cores, the normal from the host to the guest, and the guest's point that is nearest. */
typedef struct mb_apart {
    double gap, normal[3], foot[3];
} mb_apart;

/* `at` is the guest's frame. Of two polytopes; of a polytope and a cylinder or an ellipsoid, the host; of two of
 * these. */
void mb_polytopes_apart(const mb_polytope *host, const mb_polytope *guest, const mb_placing *at, mb_apart *to);
void mb_polytope_apart(const mb_shape *host, const mb_polytope *guest, const mb_placing *at, mb_apart *to);
void mb_rounds_apart(const mb_shape *host, const mb_shape *guest, const mb_placing *at, mb_apart *to);

/* round.c: the point y of a cylinder or an ellipsoid with the greatest n.y, which is returned. */
double mb_round_support(const mb_shape *s, const double *n, double *y);
/* The normal across `edge`, of a line through p within a cylinder, with the greatest F near the rim. 0: there is none.
 */
int mb_rim_apart(const mb_shape *host, const double *p, const double *edge, double *normal);

#endif
