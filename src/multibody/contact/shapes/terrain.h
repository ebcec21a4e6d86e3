/* SPDX-License-Identifier: BSD-3-Clause */
/* terrain.h: triangles that do not move, with all that is below them: a point is inside if it is behind what is nearest
 * to it. Beyond a border nothing is there.
 *
 * Two sides of triangles are one edge. An edge is sharp if it is convex, or a border: nothing else is ever nearest to a
 * convex shape by itself. Triangles of one plane that are connected are one patch, with one normal, so that what slides
 * over them does not feel their sides. */
#ifndef LG_MULTIBODY_CONTACT_SHAPES_TERRAIN_H
#define LG_MULTIBODY_CONTACT_SHAPES_TERRAIN_H

#include "multibody/contact/shapes/manifold.h"
#include "multibody/contact/shapes/separate.h"

enum { MB_TERRAIN_LEAF = 4, MB_TERRAIN_DEEP = 64 };

/* A box about triangles: those of a leaf are order[first] to order[first + count - 1]; another has two boxes in it, the
 * next one and `other`. */
typedef struct mb_terrain_box {
    double low[3], high[3];
    int first, count, other;
} mb_terrain_box;

typedef struct mb_terrain {
    mb_polytope link; /* of a mechanism's list; it has no corners */
    int vertices, triangles, boxes;
    double (*vertex)[3], (*normal)[3]; /* of a triangle: that of its patch, whose plane is normal.x = height */
    double *height;
    int (*corner)[3];  /* counterclockwise as seen from outside */
    int (*beyond)[3];  /* the triangle beyond the side from corner i to the next; -1: a border */
    int *patch;        /* the least triangle of it */
    int *first, *star; /* triangles about vertex v: star[first[v]] to star[first[v + 1] - 1], ascending */
    int *order;
    unsigned char *sharp; /* bit i: side i is sharp, and this triangle's is the lesser number of both; bit 3 + i: a
                           * sharp side ends at corner i, and this is the first triangle about it */
    mb_terrain_box *box;
    double size; /* of its triangles: the mean length of their sides */
} mb_terrain;

/* terrain.c: NULL: `why` says what is wrong, at triangle *where, NULL: out of memory. One block, for free(). */
mb_terrain *mb_terrain_make(const double *vertex, int vertices, const int *triangle, int triangles, const char **why,
                            int *where);
/* Of heights over a grid of x and y, from -half to half, row by row of equal y. */
mb_terrain *mb_terrain_of_heights(const double *height, int rows, int columns, const double *half, const char **why);

/* terrain_tree.c: boxes about all triangles. */
void mb_terrain_plant(mb_terrain *g);

/* Triangles whose boxes have something in common with the box from low to high, one after the other; -1: no more. */
typedef struct mb_terrain_walk {
    const mb_terrain *terrain;
    double low[3], high[3];
    int top, at, end, stack[MB_TERRAIN_DEEP];
} mb_terrain_walk;
mb_terrain_walk mb_terrain_within(const mb_terrain *g, const double *low, const double *high);
int mb_terrain_next(mb_terrain_walk *w);

/* terrain_near.c: the distance of p, negative inside, with the normal there. */
double mb_terrain_point_apart(const mb_terrain *g, const double *p, double *normal);
/* The triangle that is nearest to p. */
int mb_terrain_nearest(const mb_terrain *g, const double *p);
/* 1: the foot of p on the plane of triangle t is in it; `near` >= 0: or beyond sides that are not convex, and triangle
 * `near` is above the plane. */
int mb_terrain_is_over(const mb_terrain *g, int t, int near, const double *p);
/* 1: n, of any length, is a normal at side i of t, at vertex v: no direction on the terrain goes along it, but for
 * rounding. */
int mb_terrain_side_has(const mb_terrain *g, int t, int i, const double *n);
int mb_terrain_vertex_has(const mb_terrain *g, int v, const double *n);
/* A direction out of the terrain at side i of t, and at a vertex. */
void mb_terrain_beside(const mb_terrain *g, int t, int i, double *normal);
void mb_terrain_outwards(const mb_terrain *g, int v, double *normal);

/* terrain_meet.c: as mb_polytopes_apart(), the guest being a point, a ball, a capsule, a box or a hull. */
void mb_terrain_apart(const mb_terrain *g, const mb_shape *guest, const mb_placing *at, mb_apart *to);

/* A guest in the terrain's frame: its corners, or middles of balls, and its edges. */
typedef struct mb_guest {
    const mb_shape *shape;
    const mb_placing *at;
    int corners, edges;
    double low[3], high[3];
    double corner[MB_CORNERS_MOST][3];
} mb_guest;
void mb_guest_set(mb_guest *k, const mb_shape *shape, const mb_placing *at);
/* The ends of edge j. */
void mb_guest_edge(const mb_guest *k, int j, int *from, int *to);

/* Where side i of t and edge j of the guest cross, as seen along the normal across both, which both have. */
typedef struct mb_crossing {
    double gap, normal[3], foot[3]; /* the foot on the guest's edge */
    double depth;                   /* the gap, but of a foot that is inside where the side goes through no solid its
                                     * distance */
    double slant;                   /* the sine of their angle */
} mb_crossing;
int mb_terrain_crosses(const mb_terrain *g, int t, int i, const mb_guest *k, int j, mb_crossing *to);

/* terrain_manifold.c: as mb_manifold(), of shape[0] = a terrain. */
int mb_terrain_manifold(const mb_shape *const shape[2], const mb_placing at[2], const mb_touch *touch,
                        mb_feature *feature);

#endif
