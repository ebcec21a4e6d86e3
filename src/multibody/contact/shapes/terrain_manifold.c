/* SPDX-License-Identifier: BSD-3-Clause */
/* Features of a terrain and a convex guest: corners and balls of the guest on faces, balls on sharp edges and vertices,
 * edges that cross, and vertices under faces of the guest, or beside a capsule. */
#include <math.h>
#include <string.h>

#include "multibody/contact/shapes/terrain.h"

#define MB_NARROW 1e-2 /* the sine of edges that cross */
#define MB_ALONG  1e-9 /* a normal may go inwards along an axis by this */

typedef struct mb_terrain_found {
    const mb_terrain *g;
    mb_guest guest;
    mb_found found;
    double radius, far; /* far: of what is nearer to the guest's core features are looked for */
} mb_terrain_found;

/* The guest's corner i in its own frame. */
static void own_corner(const mb_guest *k, int i, double *x)
{
    const mb_shape *s = k->shape;
    memset(x, 0, 3 * sizeof *x);
    if (s->solid != NULL)
        memcpy(x, s->solid->corner + 3 * i, 3 * sizeof *x);
    else if (k->corners == 2)
        x[2] = i > 0 ? s->half[1] : -s->half[1];
}

/* n: a normal, of any length. */
static mb_feature feature_at(mb_feature_kind kind, int first, double gap, const double *at, const double *n, double key)
{
    mb_feature f = {.kind = kind, .first = first, .gap = gap, .key = key};
    const double size = sqrt(mb_dot3(n, n));
    memcpy(f.at, at, sizeof f.at);
    for (int c = 0; c < 3; c++) f.normal[c] = n[c] / size;
    return f;
}

/* A corner, or a ball about it, on the face of t. A corner in a pit comes over all faces of it: near = its nearest. */
static void on_face(mb_terrain_found *k, int t, int near, int i)
{
    const mb_terrain *g = k->g;
    const double *p = k->guest.corner[i], *n = g->normal[t], height = mb_dot3(n, p) - g->height[t];
    double foot[3];
    if (!mb_terrain_is_over(g, t, near, p)) return;
    for (int c = 0; c < 3; c++) foot[c] = p[c] - height * n[c];
    mb_feature f = feature_at(MB_FEATURE_POINT, 0, height - k->radius, foot, n,
                              mb_feature_key(MB_FEATURE_POINT, 0, g->patch[t], i));
    memcpy(f.along[0], n, sizeof f.along[0]);
    memcpy(f.point[0], g->vertex[g->corner[g->patch[t]][0]], sizeof f.point[0]);
    own_corner(&k->guest, i, f.point[1]);
    f.radius[1] = k->radius;
    mb_found_add(&k->found, &f);
}

/* 1: the end i of a capsule, or a ball, is nearest to what is along -d. */
static int is_end(const mb_guest *k, int i, const double *d)
{
    double inwards = 0;
    for (int c = 0; c < 3 && k->corners == 2; c++) inwards -= d[c] * (k->corner[!i][c] - k->corner[i][c]);
    return inwards <= MB_ALONG * sqrt(mb_dot3(d, d)) * k->shape->half[1];
}

static void on_edge(mb_terrain_found *k, int t, int side, int i)
{
    const mb_terrain *g = k->g;
    const double *a = g->vertex[g->corner[t][side]], *b = g->vertex[g->corner[t][(side + 1) % 3]];
    const double *p = k->guest.corner[i];
    double e[3], d[3], foot[3];
    for (int c = 0; c < 3; c++) e[c] = b[c] - a[c], d[c] = p[c] - a[c];
    const double s = mb_dot3(d, e) / mb_dot3(e, e);
    if (!(s >= 0 && s <= 1)) return;
    for (int c = 0; c < 3; c++) foot[c] = a[c] + s * e[c], d[c] = p[c] - foot[c];
    const double apart = sqrt(mb_dot3(d, d));
    if (!(apart > 0) || !mb_terrain_side_has(g, t, side, d) || !is_end(&k->guest, i, d)) return;
    mb_feature f =
        feature_at(MB_FEATURE_LINE, 0, apart - k->radius, foot, d, mb_feature_key(MB_FEATURE_LINE, 0, 3 * t + side, i));
    memcpy(f.along[0], e, sizeof e), memcpy(f.point[0], a, sizeof f.point[0]);
    own_corner(&k->guest, i, f.point[1]);
    f.radius[1] = k->radius;
    mb_found_add(&k->found, &f);
}

static void on_tip(mb_terrain_found *k, int v, int i)
{
    const double *x = k->g->vertex[v];
    double d[3];
    for (int c = 0; c < 3; c++) d[c] = k->guest.corner[i][c] - x[c];
    const double apart = sqrt(mb_dot3(d, d));
    if (!(apart > 0) || !mb_terrain_vertex_has(k->g, v, d) || !is_end(&k->guest, i, d)) return;
    mb_feature f = feature_at(MB_FEATURE_TIP, 0, apart - k->radius, x, d, mb_feature_key(MB_FEATURE_TIP, 0, v, i));
    memcpy(f.point[0], x, sizeof f.point[0]);
    own_corner(&k->guest, i, f.point[1]);
    f.radius[1] = k->radius;
    mb_found_add(&k->found, &f);
}

/* What is about a corner: faces first, which are kept where an edge or a vertex is at the same place. */
static void about_corner(mb_terrain_found *k, int i)
{
    const mb_terrain *g = k->g;
    const int near = k->radius > 0 ? -1 : mb_terrain_nearest(g, k->guest.corner[i]);
    double low[3], high[3];
    for (int c = 0; c < 3; c++) low[c] = k->guest.corner[i][c] - k->far, high[c] = k->guest.corner[i][c] + k->far;
    mb_terrain_walk w = mb_terrain_within(g, low, high);
    for (int t = mb_terrain_next(&w); t >= 0; t = mb_terrain_next(&w)) on_face(k, t, near, i);
    w = mb_terrain_within(g, low, high);
    for (int t = mb_terrain_next(&w); t >= 0 && k->radius > 0; t = mb_terrain_next(&w))
        for (int s = 0; s < 3; s++)
            if (g->sharp[t] >> s & 1) on_edge(k, t, s, i);
    w = mb_terrain_within(g, low, high);
    for (int t = mb_terrain_next(&w); t >= 0 && k->radius > 0; t = mb_terrain_next(&w))
        for (int s = 0; s < 3; s++)
            if (g->sharp[t] >> (3 + s) & 1) on_tip(k, g->corner[t][s], i);
}

static void crossing(mb_terrain_found *k, int t, int side, int j)
{
    const mb_terrain *g = k->g;
    mb_crossing at;
    double d[3], e[3], n[3];
    int from, to;
    if (!mb_terrain_crosses(g, t, side, &k->guest, j, &at) || at.slant < MB_NARROW) return;
    mb_guest_edge(&k->guest, j, &from, &to);
    mb_feature f = feature_at(MB_FEATURE_CROSS, 0, at.gap - k->radius, at.foot, at.normal,
                              mb_feature_key(MB_FEATURE_CROSS, 0, 3 * t + side, j));
    memcpy(f.point[0], g->vertex[g->corner[t][side]], sizeof f.point[0]);
    own_corner(&k->guest, from, f.point[1]), own_corner(&k->guest, to, f.along[1]);
    for (int c = 0; c < 3; c++) {
        f.along[0][c] = d[c] = g->vertex[g->corner[t][(side + 1) % 3]][c] - f.point[0][c];
        f.along[1][c] -= f.point[1][c], e[c] = k->guest.corner[to][c] - k->guest.corner[from][c];
    }
    mb_cross3(n, d, e);
    for (int c = 0; c < 3 && mb_dot3(n, at.normal) < 0; c++) f.along[1][c] = -f.along[1][c];
    f.radius[1] = k->radius;
    mb_found_add(&k->found, &f);
}

/* A vertex beside a capsule. */
static void beside(mb_terrain_found *k, int v)
{
    const mb_guest *q = &k->guest;
    double p[3], n[3];
    for (int c = 0; c < 3; c++) p[c] = k->g->vertex[v][c] - q->at->x[c];
    mb_back3(p, q->at->R, p);
    if (!(fabs(p[2]) < q->shape->half[1])) return;
    const double apart = mb_point_apart(q->shape, p, n);
    mb_turn3(n, q->at->R, n);
    for (int c = 0; c < 3; c++) n[c] = -n[c];
    if (!(apart > 0) || !mb_terrain_vertex_has(k->g, v, n)) return;
    mb_feature f =
        feature_at(MB_FEATURE_BALL, 1, apart - k->radius, k->g->vertex[v], n, mb_feature_key(MB_FEATURE_BALL, 1, v, 0));
    memcpy(f.point[1], k->g->vertex[v], sizeof f.point[1]);
    mb_found_add(&k->found, &f);
}

/* A vertex on a face of a box or a hull that looks at it. */
static void under_face(mb_terrain_found *k, int v)
{
    const mb_guest *q = &k->guest;
    const mb_polytope *s = q->shape->solid;
    double p[3], n[3], up[3], way[3];
    for (int c = 0; c < 3; c++) p[c] = k->g->vertex[v][c] - q->at->x[c];
    mb_back3(p, q->at->R, p);
    (void)mb_point_apart(q->shape, p, n);
    int face = 0;
    while (face < s->faces && memcmp(n, s->normal + 3 * face, sizeof n) != 0) face++;
    mb_terrain_outwards(k->g, v, up);
    mb_turn3(way, q->at->R, n);
    for (int c = 0; c < 3; c++) way[c] = -way[c];
    if (face == s->faces || mb_dot3(up, way) <= 0) return;
    mb_feature f = feature_at(MB_FEATURE_POINT, 1, mb_dot3(n, p) - s->height[face], k->g->vertex[v], way,
                              mb_feature_key(MB_FEATURE_POINT, 1, v, face));
    memcpy(f.along[0], n, sizeof n);
    memcpy(f.point[0], s->corner + 3 * s->loop[s->first[face]], sizeof f.point[0]);
    memcpy(f.point[1], k->g->vertex[v], sizeof f.point[1]);
    mb_found_add(&k->found, &f);
}

static void about_guest(mb_terrain_found *k)
{
    const mb_terrain *g = k->g;
    double low[3], high[3];
    for (int c = 0; c < 3; c++) low[c] = k->guest.low[c] - k->far, high[c] = k->guest.high[c] + k->far;
    mb_terrain_walk w = mb_terrain_within(g, low, high);
    for (int t = mb_terrain_next(&w); t >= 0; t = mb_terrain_next(&w))
        for (int s = 0; s < 3; s++) {
            for (int j = 0; j < k->guest.edges && (g->sharp[t] >> s & 1); j++) crossing(k, t, s, j);
            if (!(g->sharp[t] >> (3 + s) & 1)) continue;
            if (k->guest.shape->solid != NULL)
                under_face(k, g->corner[t][s]);
            else
                beside(k, g->corner[t][s]);
        }
}

int mb_terrain_manifold(const mb_shape *const shape[2], const mb_placing at[2], const mb_touch *touch,
                        mb_feature *feature)
{
    mb_terrain_found k = {.g = shape[0]->terrain, .radius = shape[1]->radius};
    const mb_placing in = mb_placing_in(&at[0], &at[1]);
    k.found.shape = shape, k.found.at = at, k.found.touch = touch, k.found.size = mb_manifold_size(shape);
    k.found.count = 0;
    k.far = fmax(touch->gap, 0) + MB_FEATURE_FAR * k.found.size + k.radius;
    mb_guest_set(&k.guest, shape[1], &in);
    for (int i = 0; i < k.guest.corners; i++) about_corner(&k, i);
    if (k.guest.edges > 0) about_guest(&k);
    return mb_found_choose(&k.found, feature);
}
