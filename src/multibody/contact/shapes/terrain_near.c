/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances of points from a terrain, and normals at its edges and vertices. */
#include <math.h>
#include <string.h>

#include <liegrp/base/elementary.h>

#include "multibody/contact/shapes/terrain.h"

/* Relative to triangles: what is so far beyond a side is over the face, and nearer to a side by this is nearer to the
 * face. */
#define MB_BESIDE 1e-12
/* A normal may go along a direction of the terrain by this. */
#define MB_ALONG 1e-9

/* What is nearest to a point: a face, side `part` - 1 of it, or its corner `part` - 4. */
typedef struct mb_nearest {
    int triangle, part;
    double apart, to[3]; /* `to`: from there to the point */
} mb_nearest;

static const double *vertex_of(const mb_terrain *g, int t, int i)
{
    return g->vertex[g->corner[t][i % 3]];
}

/* e: along side i; out: out of the triangle, in its plane, as long as e. */
static void side_of(const mb_terrain *g, int t, int i, double *e, double *out)
{
    const double *a = vertex_of(g, t, i), *b = vertex_of(g, t, i + 1);
    for (int k = 0; k < 3; k++) e[k] = b[k] - a[k];
    mb_cross3(out, e, g->normal[t]);
}

/* 1: the foot of p is not beyond side i. */
static int is_within(const mb_terrain *g, int t, int i, const double *p)
{
    double e[3], out[3], d[3];
    side_of(g, t, i, e, out);
    for (int k = 0; k < 3; k++) d[k] = p[k] - vertex_of(g, t, i)[k];
    return mb_dot3(out, d) <= MB_BESIDE * g->size * sqrt(mb_dot3(e, e));
}

/* 1: triangle b is above the plane of t, but for rounding. */
static int is_above(const mb_terrain *g, int b, int t)
{
    for (int i = 0; i < 3; i++)
        if (mb_dot3(g->normal[t], vertex_of(g, b, i)) - g->height[t] < -MB_BESIDE * g->size) return 0;
    return 1;
}

int mb_terrain_is_over(const mb_terrain *g, int t, int near, const double *p)
{
    int beyond = 0;
    for (int i = 0; i < 3; i++) {
        if (is_within(g, t, i, p)) continue;
        const int b = g->beyond[t][i];
        if (near < 0 || b < 0 || g->patch[b] == g->patch[t] || !is_above(g, b, t)) return 0;
        beyond = 1;
    }
    return !beyond || is_above(g, near, t);
}

/* Looks whether a triangle is nearer. */
static void look(const mb_terrain *g, int t, const double *p, mb_nearest *to)
{
    int inside = 1;
    for (int i = 0; i < 3; i++) {
        double e[3], out[3], d[3];
        if (is_within(g, t, i, p)) continue;
        inside = 0;
        side_of(g, t, i, e, out);
        const double *a = vertex_of(g, t, i), *b = vertex_of(g, t, i + 1);
        for (int k = 0; k < 3; k++) d[k] = p[k] - a[k];
        const double s = mb_dot3(d, e) / mb_dot3(e, e);
        const int part = s <= 0 ? 4 + i : s >= 1 ? 4 + (i + 1) % 3 : 1 + i;
        for (int k = 0; k < 3; k++) d[k] = s <= 0 ? p[k] - a[k] : s >= 1 ? p[k] - b[k] : d[k] - s * e[k];
        const double apart = sqrt(mb_dot3(d, d)) + (part > 3 ? 2 : 1) * MB_BESIDE * g->size;
        if (!(apart < to->apart)) continue;
        to->apart = apart, to->triangle = t, to->part = part;
        memcpy(to->to, d, sizeof d);
    }
    const double height = mb_dot3(g->normal[t], p) - g->height[t];
    if (inside && fabs(height) < to->apart) to->apart = fabs(height), to->triangle = t, to->part = 0;
}

static double box_apart(const mb_terrain_box *b, const double *p)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double d = fmax(fmax(b->low[k] - p[k], p[k] - b->high[k]), 0);
        square += d * d;
    }
    return sqrt(square);
}

static mb_nearest nearest_to(const mb_terrain *g, const double *p)
{
    mb_nearest to = {.apart = INFINITY};
    int stack[MB_TERRAIN_DEEP], top = 0;
    double far[MB_TERRAIN_DEEP];
    stack[top] = 0, far[top++] = 0;
    while (top > 0) {
        const int i = stack[--top];
        const mb_terrain_box *b = &g->box[i];
        if (far[top] > to.apart) continue;
        if (b->other < 0) {
            for (int k = b->first; k < b->first + b->count; k++) look(g, g->order[k], p, &to);
            continue;
        }
        const double one = box_apart(b + 1, p), other = box_apart(&g->box[b->other], p);
        const int later = one > other; /* the nearer is looked at first */
        stack[top] = later ? i + 1 : b->other, far[top++] = later ? one : other;
        stack[top] = later ? b->other : i + 1, far[top++] = later ? other : one;
    }
    return to;
}

int mb_terrain_nearest(const mb_terrain *g, const double *p)
{
    return nearest_to(g, p).triangle;
}

/* The sum of the normals beside side i; 0: it is a border. */
static int side_normal(const mb_terrain *g, int t, int i, double *n)
{
    const int b = g->beyond[t][i];
    double e[3];
    if (b < 0) side_of(g, t, i, e, n);
    const double size = b < 0 ? sqrt(mb_dot3(n, n)) : 1;
    for (int k = 0; k < 3; k++) n[k] = g->normal[t][k] + (b < 0 ? n[k] / size : g->normal[b][k]);
    return b >= 0;
}

/* The mean of normals about a vertex, by the angles of their triangles; 0: it is on a border. */
static int vertex_normal(const mb_terrain *g, int v, double *n)
{
    int whole = 1;
    memset(n, 0, 3 * sizeof *n);
    for (int k = g->first[v]; k < g->first[v + 1]; k++) {
        const int t = g->star[k], i = g->corner[t][0] == v ? 0 : g->corner[t][1] == v ? 1 : 2;
        double a[3], b[3], c[3];
        for (int x = 0; x < 3; x++)
            a[x] = vertex_of(g, t, i + 1)[x] - g->vertex[v][x], b[x] = vertex_of(g, t, i + 2)[x] - g->vertex[v][x];
        mb_cross3(c, a, b);
        const double angle = lg_real_atan2(sqrt(mb_dot3(c, c)), mb_dot3(a, b));
        for (int x = 0; x < 3; x++) n[x] += angle * g->normal[t][x];
        whole &= g->beyond[t][i] >= 0 && g->beyond[t][(i + 2) % 3] >= 0;
    }
    return whole;
}

void mb_terrain_beside(const mb_terrain *g, int t, int i, double *normal)
{
    (void)side_normal(g, t, i, normal);
}

void mb_terrain_outwards(const mb_terrain *g, int v, double *normal)
{
    (void)vertex_normal(g, v, normal);
}

double mb_terrain_point_apart(const mb_terrain *g, const double *p, double *normal)
{
    const mb_nearest at = nearest_to(g, p);
    if (at.part == 0) {
        memcpy(normal, g->normal[at.triangle], 3 * sizeof *normal);
        return mb_dot3(normal, p) - g->height[at.triangle];
    }
    const int whole = at.part < 4 ? side_normal(g, at.triangle, at.part - 1, normal)
                                  : vertex_normal(g, g->corner[at.triangle][at.part - 4], normal);
    const double apart = sqrt(mb_dot3(at.to, at.to)), side = whole && mb_dot3(at.to, normal) < 0 ? -1 : 1;
    const double size = sqrt(mb_dot3(normal, normal));
    for (int k = 0; k < 3; k++)
        normal[k] = apart > 2 * MB_BESIDE * g->size ? side * at.to[k] / apart : normal[k] / size;
    return side * apart;
}

/* 1: n goes along d by no more than rounding. */
static int leaves(const double *n, const double *d)
{
    return mb_dot3(n, d) <= MB_ALONG * sqrt(mb_dot3(n, n) * mb_dot3(d, d));
}

int mb_terrain_side_has(const mb_terrain *g, int t, int i, const double *n)
{
    const int b = g->beyond[t][i];
    double e[3], out[3], mean[3], in[3];
    side_of(g, t, i, e, out);
    (void)side_normal(g, t, i, mean);
    for (int k = 0; k < 3; k++) in[k] = b < 0 ? -g->normal[t][k] : 0; /* of a border: n goes up or out */
    if (b >= 0) mb_cross3(in, e, g->normal[b]);
    for (int k = 0; k < 3; k++) out[k] = -out[k];
    return mb_dot3(n, mean) > 0 && leaves(n, out) && leaves(n, in);
}

int mb_terrain_vertex_has(const mb_terrain *g, int v, const double *n)
{
    for (int k = g->first[v]; k < g->first[v + 1]; k++)
        for (int i = 0; i < 3; i++) {
            double d[3];
            for (int x = 0; x < 3; x++) d[x] = vertex_of(g, g->star[k], i)[x] - g->vertex[v][x];
            if (!leaves(n, d)) return 0;
        }
    return 1;
}
