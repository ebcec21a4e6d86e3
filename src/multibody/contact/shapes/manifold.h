/* SPDX-License-Identifier: BSD-3-Clause */
/* manifold.h: the features in which two shapes touch where they have faces or lines on each other. */
#ifndef LG_MULTIBODY_CONTACT_SHAPES_MANIFOLD_H
#define LG_MULTIBODY_CONTACT_SHAPES_MANIFOLD_H

#include "multibody/contact/shapes/shape.h"

enum { MB_FEATURES_MOST = 8, MB_FOUND_MOST = 64 };

/* Features are no farther apart than the nearest and this, of the size of both shapes. */
#define MB_FEATURE_FAR 0.25

typedef enum mb_feature_kind {
    MB_FEATURE_POINT, /* a point, or a ball about it, on the plane of a face */
    MB_FEATURE_RIM,   /* the rim of a cylinder on the plane of a face */
    MB_FEATURE_CROSS, /* two edges, or axes of what is round about them */
    MB_FEATURE_BALL,  /* the end of a capsule on a shape that has no face there */
    MB_FEATURE_LINE,  /* a ball on an edge of a terrain */
    MB_FEATURE_TIP,   /* a ball on a vertex of a terrain */
    MB_FEATURE_RING   /* the rim of a cylinder and an edge, or the axis of what is round about it */
} mb_feature_kind;

/* first: the shape with the face, or the first edge; `point` and `along` are in the frames of this and of the other. */
typedef struct mb_feature {
    mb_feature_kind kind;
    int first;
    double key; /* one number for each feature of two shapes, not 0 */
    double point[2][3], along[2][3], radius[2];
    double gap, at[3];
    double normal[3]; /* of a terrain's: two of them may be at one place */
} mb_feature;

/* f.first of a key. */
static inline int mb_feature_first(double key)
{
    return (int)((key - 1) / 4294967296.0) % 2;
}

/* Features that were found: of shapes at their placings, with this touch. */
typedef struct mb_found {
    const mb_shape *const *shape;
    const mb_placing *at;
    const mb_touch *touch;
    double size;
    int count;
    mb_feature list[MB_FOUND_MOST];
} mb_found;

/* The key of feature a of the first shape and b of the second. */
double mb_feature_key(mb_feature_kind kind, int first, int a, int b);
/* Adds it if it counts, and is not where another is. */
void mb_found_add(mb_found *k, const mb_feature *f);
/* At most MB_FEATURES_MOST of them. */
int mb_found_choose(const mb_found *k, mb_feature *to);

/* The size of two shapes, to which distances of features are relative: that of the smaller. */
double mb_manifold_size(const mb_shape *const shape[2]);
/* How many features two kinds have at most; a terrain is a. */
int mb_manifold_room(lg_surface_kind a, lg_surface_kind b);
/* The features, at most MB_FEATURES_MOST, of shapes whose gap and normal are known. */
int mb_manifold(const mb_shape *const shape[2], const mb_placing at[2], const mb_touch *touch, mb_feature *feature);

#endif
