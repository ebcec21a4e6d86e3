/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.h: a circle, the rim of a cylinder, and a line that passes over it. */
#ifndef LG_MULTIBODY_CONTACT_SHAPES_RING_H
#define LG_MULTIBODY_CONTACT_SHAPES_RING_H

#include "multibody/contact/shapes/shape.h"

/* The normal points out of the rim, to the line; on: the point of the circle; along: where the line is nearest, from
 * its given point; slant: the sine of the angle of both. */
typedef struct mb_ring {
    double gap, normal[3], on[3], along, slant;
} mb_ring;

/* Of the circle about the third axis, whose face looks along it, and the line m + u e, e of length 1: where they are
 * nearest near m. 0: there is no such place. */
int mb_ring_meets(double radius, const double *m, const double *e, mb_ring *to);
/* The u about where a line leaves the face, as seen along the axis, or where it passes beside it if it is upright. */
double mb_ring_near(double radius, const double *m, const double *e);
int mb_ring_is_upright(const double *e);

#endif
