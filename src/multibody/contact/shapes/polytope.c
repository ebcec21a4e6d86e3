/* SPDX-License-Identifier: BSD-3-Clause */
/* Polytopes: the convex hull of points by gift wrapping. A face takes all points that are on its plane, but for MB_SAME
 * of the size. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/contact/shapes/shape.h"

#define MB_SAME 1e-10

/* What can be built: a simple polytope of C corners has 2C - 4 faces and 3C - 6 edges at most. */
enum { MB_FACES_MOST = 2 * MB_CORNERS_MOST, MB_EDGES_MOST = 3 * MB_CORNERS_MOST };

typedef struct mb_wrap {
    const double *point;
    int count;
    double near;
    int *on, *ring; /* points on a plane; those of its boundary, in order */
    double normal[3 * MB_FACES_MOST];
    int first[MB_FACES_MOST + 1], loop[2 * MB_EDGES_MOST];
    int faces;
    const char *why;
} mb_wrap;

static const char *const many = "has more than 128 corners: take fewer points";
static const char *const flat = "is flat: give it four points or more that are not in one plane";
static const char *const close = "has points that are nearly, but not quite, on one plane: move them apart";

static void towards(double *v, const mb_wrap *w, int from, int to)
{
    for (int k = 0; k < 3; k++) v[k] = w->point[3 * to + k] - w->point[3 * from + k];
}

static int unit(double *v)
{
    const double length = sqrt(mb_dot3(v, v));
    for (int k = 0; k < 3; k++) v[k] /= length;
    return length > 0;
}

/* Turns the plane through point o with the normal n towards t, about the axis across both, until it meets a point:
 * that, or -1. */
static int pivot(const mb_wrap *w, int o, const double *n, const double *t, double *to)
{
    double best = -2;
    int met = -1;
    for (int q = 0; q < w->count; q++) {
        double d[3];
        towards(d, w, o, q);
        const double along = mb_dot3(d, t), deep = fmax(-mb_dot3(d, n), 0), far = sqrt(along * along + deep * deep);
        if (far <= w->near || along / far <= best) continue;
        best = along / far, met = q;
        for (int k = 0; k < 3; k++) to[k] = (along * n[k] + deep * t[k]) / far;
    }

    return met;
}

/* The boundary of the points on the plane through o, counterclockwise about n; 0: they are on a line. */
static int ring_of(mb_wrap *w, int o, const double *n)
{
    double d[3], side[3], farthest = 0;
    int count = 0, corners = 0, start = o;
    for (int q = 0; q < w->count; q++) {
        towards(d, w, o, q);
        if (fabs(mb_dot3(d, n)) > w->near) continue;
        w->on[count++] = q;
        if (mb_dot3(d, d) > farthest) farthest = mb_dot3(d, d), start = q;
    }
    int now = start;
    do {
        int next = -1;
        double e[3] = {0}, length = 0;
        for (int i = 0; i < count; i++) {
            const int q = w->on[i];
            towards(d, w, now, q);
            const double far = sqrt(mb_dot3(d, d));
            if (q == now || far <= w->near) continue;
            mb_cross3(side, e, d);
            const double left = length > 0 ? mb_dot3(side, n) / length : -INFINITY;
            if (left < -w->near || (left <= w->near && mb_dot3(e, d) > 0 && far > length))
                next = q, length = far, memcpy(e, d, sizeof e);
        }
        if (next < 0 || corners == count) return 0;
        w->ring[corners++] = now = next;
    } while (now != start);
    return corners > 2 ? corners : 0;
}

/* Adds the face through o with about the normal n. */
static int add_face(mb_wrap *w, int o, const double *n)
{
    const int corners = ring_of(w, o, n), at = w->first[w->faces];
    if (corners == 0) return w->why = w->faces == 0 ? flat : close, 0;
    if (w->faces == MB_FACES_MOST || at + corners > 2 * MB_EDGES_MOST) return w->why = many, 0;
    double *normal = w->normal + 3 * w->faces, a[3], b[3], c[3];
    memset(normal, 0, 3 * sizeof *normal);
    for (int i = 1; i + 1 < corners; i++) {
        towards(a, w, w->ring[0], w->ring[i]), towards(b, w, w->ring[0], w->ring[i + 1]);
        mb_cross3(c, a, b);
        for (int k = 0; k < 3; k++) normal[k] += c[k];
    }
    if (!unit(normal)) return w->why = close, 0;
    memcpy(w->loop + at, w->ring, (size_t)corners * sizeof *w->loop);
    w->first[++w->faces] = at + corners;
    return 1;
}

/* The first face: the lowest point, then two turns of the plane below it. */
static int begin(mb_wrap *w)
{
    int low = 0;
    for (int q = 1; q < w->count; q++)
        if (w->point[3 * q + 2] < w->point[3 * low + 2]) low = q;
    double n[3] = {0, 0, -1}, t[3] = {0, 1, 0}, u[3] = {1, 0, 0}, next[3];
    int q = pivot(w, low, n, t, next);
    if (q < 0) return w->why = flat, 0;
    memcpy(n, next, sizeof n);
    towards(u, w, low, q);
    (void)unit(u);
    mb_cross3(t, u, n);
    for (int side = 0; side < 2; side++) {
        if (pivot(w, low, n, t, next) >= 0 && add_face(w, low, next)) return 1;
        for (int k = 0; k < 3; k++) t[k] = -t[k];
    }
    return w->why = flat, 0;
}

/* The face with the edge from a to b; -1: none. */
static int face_with(const mb_wrap *w, int a, int b)
{
    for (int f = 0; f < w->faces; f++)
        for (int i = w->first[f], before = w->first[f + 1] - 1; i < w->first[f + 1]; before = i++)
            if (w->loop[before] == a && w->loop[i] == b) return f;
    return -1;
}

/* The faces on the other side of the edges of f. */
static int wrap_face(mb_wrap *w, int f)
{
    for (int i = w->first[f], before = w->first[f + 1] - 1; i < w->first[f + 1]; before = i++) {
        const int a = w->loop[before], b = w->loop[i];
        double u[3], t[3], next[3];
        if (face_with(w, b, a) >= 0) continue;
        towards(u, w, a, b);
        (void)unit(u);
        mb_cross3(t, u, w->normal + 3 * f);
        if (pivot(w, a, w->normal + 3 * f, t, next) < 0) return w->why = flat, 0;
        const double turn = mb_dot3(next, w->normal + 3 * f);
        if (fabs(turn) > 1 - DBL_EPSILON) return w->why = turn < 0 ? flat : close, 0;
        if (!add_face(w, a, next)) return 0;
        if (face_with(w, b, a) < 0) return w->why = close, 0;
    }
    return 1;
}

/* ---- from faces to a polytope ---- */

static mb_polytope *make(const mb_wrap *w, int corners, int edges, const int *name)
{
    const int sides = w->first[w->faces], faces = w->faces;
    const size_t doubles = 3 * (size_t)corners + 4 * (size_t)faces, ints = (size_t)(faces + 1 + sides + 4 * edges);
    mb_polytope *p = malloc(sizeof *p + doubles * sizeof(double) + ints * sizeof(int));
    if (p == NULL) return NULL;
    *p = (mb_polytope){.corners = corners, .faces = faces, .corner = (double *)(void *)(p + 1)};
    p->normal = p->corner + 3 * corners, p->height = p->normal + 3 * faces;
    p->first = (int *)(void *)(p->height + faces), p->loop = p->first + faces + 1;
    p->edge = (int(*)[4])(void *)(p->loop + sides);
    memcpy(p->normal, w->normal, 3 * (size_t)faces * sizeof *p->normal);
    memcpy(p->first, w->first, ((size_t)faces + 1) * sizeof *p->first);
    for (int q = 0; q < w->count; q++)
        if (name[q] >= 0) memcpy(p->corner + 3 * name[q], w->point + 3 * q, 3 * sizeof *p->corner);
    for (int i = 0; i < sides; i++) p->loop[i] = name[w->loop[i]];
    for (int f = 0; f < faces; f++) {
        p->height[f] = -INFINITY;
        for (int i = p->first[f], before = p->first[f + 1] - 1; i < p->first[f + 1]; before = i++) {
            p->height[f] = fmax(p->height[f], mb_dot3(p->normal + 3 * f, p->corner + 3 * p->loop[i]));
            const int a = w->loop[before], b = w->loop[i], other = face_with(w, b, a);
            if (name[a] > name[b]) continue;
            memcpy(p->edge[p->edges++], (const int[]){name[a], name[b], f, other}, sizeof *p->edge);
        }
    }
    return p;
}

/* Takes the points, but those that are where another is. */
static void take(mb_wrap *w, double *to, const double *point, int count)
{
    double size = 0, d[3];
    w->point = to, w->count = 0;
    for (int q = 0; q < 3 * count; q++) size = fmax(size, fabs(point[q] - point[q % 3]));
    w->near = MB_SAME * size;
    for (int q = 0; q < count; q++) {
        int known = 0;
        memcpy(to + 3 * w->count, point + 3 * q, sizeof d);
        for (int i = 0; i < w->count && !known; i++) {
            towards(d, w, i, w->count);
            known = mb_dot3(d, d) <= w->near * w->near;
        }
        w->count += !known;
    }
}

static mb_polytope *wrap(mb_wrap *w)
{
    if (!begin(w)) return NULL;
    for (int f = 0; f < w->faces; f++)
        if (!wrap_face(w, f)) return NULL;
    int corners = 0, *name = w->on; /* the faces are known */
    for (int q = 0; q < w->count; q++) name[q] = -1;
    for (int i = 0; i < w->first[w->faces]; i++) name[w->loop[i]] = 0;
    for (int q = 0; q < w->count; q++)
        if (name[q] == 0) name[q] = corners++;
    if (corners > MB_CORNERS_MOST) return w->why = many, NULL;
    w->why = NULL;
    return make(w, corners, w->first[w->faces] / 2, name);
}

mb_polytope *mb_hull(const double *point, int count, const char **why)
{
    mb_wrap *w = malloc(sizeof *w + (size_t)count * (3 * sizeof(double) + 2 * sizeof(int)));
    *why = NULL;
    if (w == NULL) return NULL;
    double *point_of = (double *)(void *)(w + 1);
    w->faces = w->first[0] = 0, w->why = NULL;
    w->on = (int *)(void *)(point_of + 3 * count), w->ring = w->on + count;
    take(w, point_of, point, count);
    mb_polytope *made = wrap(w);
    *why = w->why;
    free(w);
    return made;
}

mb_polytope *mb_box(const double *half)
{
    const char *why;
    double corner[24];
    for (int i = 0; i < 24; i++) corner[i] = (i / 3 >> i % 3 & 1 ? 1 : -1) * half[i % 3];
    return mb_hull(corner, 8, &why);
}
