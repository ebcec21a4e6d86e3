/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.h: gaps between two convex shapes, to rounding: positive apart, negative where they overlap, and smooth in the
 * poses where the features that are nearest stay the same. A shape is a core and a radius about it: a point, a segment,
 * a circle, a polytope, a cylinder or an ellipsoid.
 *
 * For a normal n with support functions s, F(n) = n.d - s_a(n) - s_b(-n) is no more than the gap, and the gap of shapes
 * that are not deep in each other is the greatest F. Every candidate n may be tried: a bad one gives a lower bound. */
#ifndef LG_MULTIBODY_CONTACT_SHAPES_SHAPE_H
#define LG_MULTIBODY_CONTACT_SHAPES_SHAPE_H

#include <liegrp/multibody/contact.h>

enum { MB_CORNERS_MOST = 128 }; /* of a polytope that touches others */

/* Faces are polygons, seen from outside counterclockwise. An edge has its two corners and its two faces. */
typedef struct mb_polytope {
    struct mb_polytope *next; /* of a mechanism's list */
    int corners, faces, edges;
    double *corner, *normal, *height; /* of faces: normal.x = height */
    int *first, *loop;                /* corners of face f: loop[first[f]] to loop[first[f + 1] - 1] */
    int (*edge)[4];
} mb_polytope;

typedef struct mb_shape {
    lg_surface_kind kind;
    double half[3];
    double radius;            /* of a sphere, a capsule, the tube of a torus */
    double reach;             /* no point is farther from the origin of its frame */
    const mb_polytope *solid; /* of a box, of a hull */
    const struct mb_terrain *terrain;
} mb_shape;

/* The frame of a shape, in space. */
typedef struct mb_placing {
    double x[3], R[9];
} mb_placing;

/* Where two shapes meet: the normal from a to b, and a point on each, from the origin of its frame, in space. */
typedef struct mb_touch {
    double gap, normal[3], on[2][3];
} mb_touch;

/* polytope.c: the convex hull of points; NULL: `why` says why not, NULL: out of memory. One block, for free(). */
mb_polytope *mb_hull(const double *point, int count, const char **why);
mb_polytope *mb_box(const double *half);

/* point.c: the distance of p from a core, in its frame, negative inside, and its gradient, the normal. */
double mb_point_apart(const mb_shape *s, const double *p, double *normal);
/* segment.c: the least of it on the segment m + t e, |t| <= 1. */
double mb_segment_apart(const mb_shape *s, const double *m, const double *e, double *t, double *normal);

/* gap.c: the gap of two shapes. 1: these kinds have one. */
void mb_shapes_touch(const mb_shape *a, const mb_placing *A, const mb_shape *b, const mb_placing *B, mb_touch *to);
int mb_shapes_can_touch(lg_surface_kind a, lg_surface_kind b);

/* vectors */
static inline double mb_dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void mb_cross3(double *c, const double *a, const double *b)
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    c[0] = x, c[1] = y, c[2] = z;
}
/* y = M x and y = M^T x; y may be x. */
static inline void mb_turn3(double *y, const double *M, const double *x)
{
    const double a = x[0], b = x[1], c = x[2];
    for (int i = 0; i < 3; i++) y[i] = M[3 * i] * a + M[3 * i + 1] * b + M[3 * i + 2] * c;
}
static inline void mb_back3(double *y, const double *M, const double *x)
{
    const double a = x[0], b = x[1], c = x[2];
    for (int i = 0; i < 3; i++) y[i] = M[i] * a + M[3 + i] * b + M[6 + i] * c;
}
/* C = A B. */
static inline void mb_product3(double *C, const double *A, const double *B)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}
/* The place x of a frame, in space. */
static inline void mb_placed3(double *out, const mb_placing *at, const double *x)
{
    mb_turn3(out, at->R, x);
    for (int k = 0; k < 3; k++) out[k] += at->x[k];
}
/* The frame `guest` in the frame `host`. */
static inline mb_placing mb_placing_in(const mb_placing *host, const mb_placing *guest)
{
    mb_placing at;
    for (int k = 0; k < 3; k++) at.x[k] = guest->x[k] - host->x[k];
    mb_back3(at.x, host->R, at.x);
    for (int j = 0; j < 3; j++) {
        const double axis[3] = {guest->R[j], guest->R[3 + j], guest->R[6 + j]};
        double in[3];
        mb_back3(in, host->R, axis);
        for (int i = 0; i < 3; i++) at.R[3 * i + j] = in[i];
    }
    return at;
}

#endif
