/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaps of polytopes: the greatest F over the normals of faces and over those across two edges, and with cylinders and
 * ellipsoids over those of faces and those where an edge comes nearest. */
#include "multibody/contact/shapes/separate.h"

#include <math.h>
#include <string.h>

/* What is smaller than this, relative to its like, is rounding of a direction. */
#define MB_PARALLEL 1e-8
/* Relative to a cylinder: a shorter way from its rim to an edge is rounded as a direction; that across both is not. */
#define MB_SHORT  1e-2
#define MB_BETTER 1e-12

static double lowest(const double *corner, int corners, const double *n, int *which)
{
    double least = INFINITY;
    for (int i = 0; i < corners; i++) {
        const double along = mb_dot3(n, corner + 3 * i);
        if (along < least) least = along, *which = i;
    }
    return least;
}

static double highest(const mb_polytope *s, const double *n)
{
    double most = -INFINITY;
    for (int i = 0; i < s->corners; i++) most = fmax(most, mb_dot3(n, s->corner + 3 * i));
    return most;
}

static void keep(mb_apart *to, double gap, const double *normal, const double *foot)
{
    if (!(gap > to->gap)) return;
    to->gap = gap;
    for (int k = 0; k < 3; k++) to->normal[k] = normal[k], to->foot[k] = foot[k];
}

/* ---- two polytopes ---- */

/* The faces of both, as separating planes. */
static void by_faces(const mb_polytope *a, const mb_polytope *b, const mb_placing *at, const double *corner,
                     mb_apart *to)
{
    int which = 0;
    double n[3], foot[3];
    for (int f = 0; f < a->faces; f++) {
        const double gap = lowest(corner, b->corners, a->normal + 3 * f, &which) - a->height[f];
        keep(to, gap, a->normal + 3 * f, corner + 3 * which);
    }
    for (int f = 0; f < b->faces; f++) {
        mb_turn3(n, at->R, b->normal + 3 * f);
        const double gap = lowest(a->corner, a->corners, n, &which) - (b->height[f] + mb_dot3(n, at->x));
        for (int k = 0; k < 3; k++) foot[k] = a->corner[3 * which + k] - gap * n[k], n[k] = -n[k];
        keep(to, gap, n, foot);
    }
}

/* 1: the arcs of normals a to b and c to d, of edges along ab and cd, cross: both edges are on the boundary of the
 * difference of the bodies. */
static int arcs_cross(const double *a, const double *b, const double *ab, const double *c, const double *d,
                      const double *cd)
{
    const double cb = mb_dot3(c, ab), db = mb_dot3(d, ab), ad = mb_dot3(a, cd), bd = mb_dot3(b, cd);
    double side[3], other[3];
    mb_cross3(side, b, a), mb_cross3(other, d, c);
    const double turn = mb_dot3(side, ab) < 0 ? -1 : 1, back = mb_dot3(other, cd) < 0 ? -1 : 1;
    return cb * db <= 0 && ad * bd <= 0 && turn * cb * back * bd >= 0;
}

/* The point of the line b + t e that is nearest to the line a + s d, of directions with the normal d x e = n |d x e|.
 */
static void nearest_on(double *foot, const double *a, const double *d, const double *b, const double *e,
                       const double *cross, double square)
{
    double apart[3], x[3];
    for (int k = 0; k < 3; k++) apart[k] = b[k] - a[k];
    mb_cross3(x, apart, d);
    const double t = fmin(fmax(mb_dot3(x, cross) / square, 0), 1);
    for (int k = 0; k < 3; k++) foot[k] = b[k] + t * e[k];
}

static void by_edges(const mb_polytope *a, const mb_polytope *b, const mb_placing *at, const double *corner,
                     mb_apart *to)
{
    double c[3], d[3], ea[3], eb[3], n[3], foot[3];
    int which = 0;
    for (int j = 0; j < b->edges; j++) {
        const int *of_b = b->edge[j];
        mb_turn3(c, at->R, b->normal + 3 * of_b[2]), mb_turn3(d, at->R, b->normal + 3 * of_b[3]);
        for (int k = 0; k < 3; k++)
            c[k] = -c[k], d[k] = -d[k], eb[k] = corner[3 * of_b[1] + k] - corner[3 * of_b[0] + k];
        for (int i = 0; i < a->edges; i++) {
            const int *of_a = a->edge[i];
            const double *p = a->corner + 3 * of_a[0], *q = corner + 3 * of_b[0];
            for (int k = 0; k < 3; k++) ea[k] = a->corner[3 * of_a[1] + k] - p[k];
            const double *na = a->normal + 3 * of_a[2], *nb = a->normal + 3 * of_a[3];
            if (!arcs_cross(na, nb, ea, c, d, eb)) continue;
            mb_cross3(n, ea, eb);
            const double square = mb_dot3(n, n);
            if (square <= MB_PARALLEL * MB_PARALLEL * mb_dot3(ea, ea) * mb_dot3(eb, eb)) continue;
            const double side = mb_dot3(n, na) + mb_dot3(n, nb) < 0 ? -1 : 1, length = sqrt(square);
            nearest_on(foot, p, ea, q, eb, n, square);
            for (int k = 0; k < 3; k++) n[k] = side * n[k] / length;
            keep(to, lowest(corner, b->corners, n, &which) - highest(a, n), n, foot);
        }
    }
}

/* What is apart may be nearest at a corner. */
static void by_corners(const mb_polytope *a, const mb_polytope *b, const mb_placing *at, const double *corner,
                       mb_apart *to)
{
    const mb_shape shape[2] = {{.kind = LG_SURFACE_HULL, .solid = a}, {.kind = LG_SURFACE_HULL, .solid = b}};
    int which = 0;
    double n[3], p[3];
    for (int i = 0; i < b->corners; i++) {
        (void)mb_point_apart(&shape[0], corner + 3 * i, n);
        keep(to, lowest(corner, b->corners, n, &which) - highest(a, n), n, corner + 3 * i);
    }
    for (int i = 0; i < a->corners; i++) {
        for (int k = 0; k < 3; k++) p[k] = a->corner[3 * i + k] - at->x[k];
        mb_back3(p, at->R, p);
        (void)mb_point_apart(&shape[1], p, n);
        mb_turn3(n, at->R, n);
        for (int k = 0; k < 3; k++) n[k] = -n[k];
        const double gap = lowest(corner, b->corners, n, &which) - highest(a, n);
        for (int k = 0; k < 3; k++) p[k] = a->corner[3 * i + k] + gap * n[k];
        keep(to, gap, n, p);
    }
}

void mb_polytopes_apart(const mb_polytope *a, const mb_polytope *b, const mb_placing *at, mb_apart *to)
{
    double corner[3 * MB_CORNERS_MOST];
    for (int i = 0; i < b->corners; i++) mb_placed3(corner + 3 * i, at, b->corner + 3 * i);
    to->gap = -INFINITY;
    by_faces(a, b, at, corner, to);
    by_edges(a, b, at, corner, to);
    if (to->gap > 0) by_corners(a, b, at, corner, to);
}

/* ---- a polytope and something round ---- */

/* Tries n, at a foot that is on the guest's boundary. A direction that is rounded must be better than rounding. */
static void try_normal(const mb_shape *host, const mb_polytope *b, const double *corner, const double *n,
                       const double *foot, int rounded, mb_apart *to)
{
    double y[3];
    int which = 0;
    const double gap = lowest(corner, b->corners, n, &which) - mb_round_support(host, n, y);
    if (!rounded || gap > to->gap + MB_BETTER * host->half[0]) keep(to, gap, n, foot);
}

/* The rim of a cylinder near p, a point of the line along e. */
static void try_rim(const mb_shape *host, const mb_polytope *b, const double *corner, const double *p, const double *e,
                    mb_apart *to)
{
    double n[3], y[3], foot[3];
    if (!mb_rim_apart(host, p, e, n)) return;
    (void)mb_round_support(host, n, y);
    const double along = (mb_dot3(y, e) - mb_dot3(p, e)) / mb_dot3(e, e);
    for (int k = 0; k < 3; k++) foot[k] = p[k] + along * e[k];
    try_normal(host, b, corner, n, foot, 0, to);
}

/* Where a cylinder overlaps: corners and edges at its side, and edges at its rims. */
static void try_inside(const mb_shape *host, const mb_polytope *b, const double *corner, mb_apart *to)
{
    double n[3], y[3], m[3], e[3], t;
    for (int i = 0; i < b->corners; i++) {
        const double *p = corner + 3 * i;
        const double far = sqrt(p[0] * p[0] + p[1] * p[1]);
        if (!(far > 0)) continue;
        n[0] = p[0] / far, n[1] = p[1] / far, n[2] = 0;
        try_normal(host, b, corner, n, p, 0, to);
    }
    for (int i = 0; i < b->edges; i++) {
        const double *p = corner + 3 * b->edge[i][0], *q = corner + 3 * b->edge[i][1];
        for (int k = 0; k < 3; k++) m[k] = 0.5 * (p[k] + q[k]), e[k] = 0.5 * (q[k] - p[k]);
        const double across = e[0] * e[0] + e[1] * e[1], past = e[0] * m[1] - e[1] * m[0];
        const double side = (past < 0 ? -1 : 1) / sqrt(across);
        if (across > MB_PARALLEL * MB_PARALLEL * mb_dot3(e, e)) {
            n[0] = -side * e[1], n[1] = side * e[0], n[2] = 0;
            for (int k = 0; k < 3; k++) y[k] = m[k] - (m[0] * e[0] + m[1] * e[1]) / across * e[k];
            try_normal(host, b, corner, n, y, 0, to);
        }
        if (mb_segment_apart(host, m, e, &t, n) > 0) continue;
        for (int k = 0; k < 3; k++) m[k] += t * e[k];
        try_rim(host, b, corner, m, e, to);
    }
}

void mb_polytope_apart(const mb_shape *host, const mb_polytope *b, const mb_placing *at, mb_apart *to)
{
    double corner[3 * MB_CORNERS_MOST], n[3], y[3], m[3], e[3], t;
    const int cylinder = host->kind == LG_SURFACE_CYLINDER;
    int which = 0;
    for (int i = 0; i < b->corners; i++) mb_placed3(corner + 3 * i, at, b->corner + 3 * i);
    to->gap = -INFINITY;
    for (int f = 0; f < b->faces; f++) { /* the plane of a face of the guest */
        mb_turn3(n, at->R, b->normal + 3 * f);
        const double height = b->height[f] + mb_dot3(n, at->x);
        for (int k = 0; k < 3; k++) n[k] = -n[k];
        const double gap = -height - mb_round_support(host, n, y);
        for (int k = 0; k < 3; k++) y[k] += gap * n[k];
        keep(to, gap, n, y);
    }
    for (int side = -1; side < 2 && cylinder; side += 2) { /* its own faces */
        const double axis[3] = {0, 0, side};
        keep(to, lowest(corner, b->corners, axis, &which) - host->half[1], axis, corner + 3 * which);
    }
    for (int i = 0; i < b->edges; i++) {
        const double *p = corner + 3 * b->edge[i][0], *q = corner + 3 * b->edge[i][1];
        for (int k = 0; k < 3; k++) m[k] = 0.5 * (p[k] + q[k]), e[k] = 0.5 * (q[k] - p[k]);
        const double apart = mb_segment_apart(host, m, e, &t, n);
        for (int k = 0; k < 3; k++) m[k] += t * e[k];
        const int rim = cylinder && apart > 0 && apart < MB_SHORT * host->half[0] && n[2] != 0 && fabs(n[2]) < 1;
        if (rim) try_rim(host, b, corner, m, e, to);
        try_normal(host, b, corner, n, m, rim, to);
    }
    if (cylinder && !(to->gap > 0)) try_inside(host, b, corner, to);
}
