/* SPDX-License-Identifier: BSD-3-Clause */
/* manifold.h: the features in which two shapes touch where they have faces or lines on each other. */
#ifndef LG_MULTIBODY_CONTACT_SHAPES_MANIFOLD_H
#define LG_MULTIBODY_CONTACT_SHAPES_MANIFOLD_H

#include "multibody/contact/shapes/shape.h"

enum { MB_FEATURES_MOST = 8 };

typedef enum mb_feature_kind {
    MB_FEATURE_POINT, /* a point, or a ball about it, on the plane of a face */
    MB_FEATURE_RIM,   /* the rim of a cylinder on the plane of a face */
    MB_FEATURE_CROSS, /* two edges, or axes of what is round about them */
    MB_FEATURE_BALL   /* the end of a capsule on a shape that has no face there */
} mb_feature_kind;

/* first: the shape with the face, or the first edge; `point` and `along` are in the frames of this and of the other. */
typedef struct mb_feature {
    mb_feature_kind kind;
    int first;
    double key; /* one number for each feature of two shapes, not 0 */
    double point[2][3], along[2][3], radius[2];
    double gap, at[3];
} mb_feature;

/* f.first of a key. */
static inline int mb_feature_first(double key)
{
    return (int)((key - 1) / 4294967296.0) % 2;
}

/* How many features two kinds have at most. */
int mb_manifold_room(lg_surface_kind a, lg_surface_kind b);
/* The features, at most MB_FEATURES_MOST, of shapes whose gap and normal are known. */
int mb_manifold(const mb_shape *const shape[2], const mb_placing at[2], const mb_touch *touch, mb_feature *feature);

#endif
