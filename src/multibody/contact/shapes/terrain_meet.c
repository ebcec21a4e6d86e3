/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaps of a terrain and a convex guest: the least distance of the guest's corners from the terrain, of the terrain's
 * sharp vertices from the guest, and of edges of both that cross. What is inside all the same is as deep as the points
 * of its edges that are nearest to sharp edges. */
#include <math.h>
#include <string.h>

#include "multibody/contact/shapes/terrain.h"

enum { MB_DEEPEST_MOST = 64 };

/* What is smaller than this, relative to its like, is rounding of a direction. */
#define MB_PARALLEL 1e-8
/* A normal may go along a direction of a face by this. */
#define MB_ALONG 1e-9
/* Relative to the guest: a way that is shorter is rounded as a direction. */
#define MB_SHORT 1e-7
/* Of an edge: what is past its end by this crosses it. */
#define MB_PAST 1e-12
/* A solid whose faces are between a normal and its opposite by less than this is a blade: no normal is across it. */
#define MB_BLADE 0.1
/* Deeper than this, relative to the guest, is no rounding. */
#define MB_DEEP 1e-9

void mb_guest_set(mb_guest *k, const mb_shape *shape, const mb_placing *at)
{
    const int capsule = shape->kind == LG_SURFACE_CAPSULE;
    k->shape = shape, k->at = at;
    k->corners = shape->solid != NULL ? shape->solid->corners : capsule ? 2 : 1;
    k->edges = shape->solid != NULL ? shape->solid->edges : capsule ? 1 : 0;
    for (int x = 0; x < 3; x++) k->low[x] = INFINITY, k->high[x] = -INFINITY;
    for (int i = 0; i < k->corners; i++) {
        const double end[3] = {0, 0, capsule ? (i > 0 ? 1 : -1) * shape->half[1] : 0};
        mb_placed3(k->corner[i], at, shape->solid != NULL ? shape->solid->corner + 3 * i : end);
        for (int x = 0; x < 3; x++)
            k->low[x] = fmin(k->low[x], k->corner[i][x]), k->high[x] = fmax(k->high[x], k->corner[i][x]);
    }
}

void mb_guest_edge(const mb_guest *k, int j, int *from, int *to)
{
    *from = k->shape->solid != NULL ? k->shape->solid->edge[j][0] : 0;
    *to = k->shape->solid != NULL ? k->shape->solid->edge[j][1] : 1;
}

/* ---- edges ---- */

/* 1: n, from the guest outwards, is a normal at edge j, which is along e. */
static int edge_has(const mb_guest *k, int j, const double *e, const double *n)
{
    const mb_polytope *s = k->shape->solid;
    double m[2][3], in[3];
    if (s == NULL) return 1;
    for (int f = 0; f < 2; f++) mb_turn3(m[f], k->at->R, s->normal + 3 * s->edge[j][2 + f]);
    for (int f = 0; f < 2; f++) {
        mb_cross3(in, e, m[f]);
        const double along = (mb_dot3(in, m[!f]) > 0 ? -1 : 1) * mb_dot3(in, n);
        if (along > MB_ALONG * sqrt(mb_dot3(n, n) * mb_dot3(in, in))) return 0;
    }
    return mb_dot3(n, m[0]) + mb_dot3(n, m[1]) > 0;
}

/* The face of a solid that the point p + s e of its frame is nearest to; above: the height over it. */
static int face_at(const mb_polytope *solid, const double *p, const double *e, double s, double *above)
{
    int face = 0;
    *above = -INFINITY;
    for (int f = 0; f < solid->faces; f++) {
        const double *n = solid->normal + 3 * f, height = mb_dot3(n, p) + s * mb_dot3(n, e) - solid->height[f];
        if (height > *above) *above = height, face = f;
    }
    return face;
}

/* 1: the segment from a along d goes through a box or a hull: the depth of its deepest point, which is an end, or where
 * the faces `into` and `out` are as near; along the normal across the segment that is between theirs. */
static int goes_through(const mb_guest *k, const double *a, const double *d, mb_crossing *to)
{
    const mb_polytope *solid = k->shape->solid;
    double p[3], e[3], n[3], s = 0.5, above, share = 1;
    int into = -1, out = -1, face = -1;
    if (solid == NULL) return 0;
    for (int c = 0; c < 3; c++) p[c] = a[c] - k->at->x[c];
    mb_back3(p, k->at->R, p), mb_back3(e, k->at->R, d);
    for (int i = 0; i < MB_DEEPEST_MOST; i++) {
        face = face_at(solid, p, e, s, &above);
        const double rise = mb_dot3(solid->normal + 3 * face, e);
        if (rise == 0 || face == into || face == out) break;
        *(rise < 0 ? &into : &out) = face;
        if (into < 0 || out < 0) {
            s = into < 0 ? 0 : 1;
            continue;
        }
        const double *u = solid->normal + 3 * into, *w = solid->normal + 3 * out;
        const double fall = -mb_dot3(u, e), climb = mb_dot3(w, e);
        s = (mb_dot3(u, p) - solid->height[into] - (mb_dot3(w, p) - solid->height[out])) / (fall + climb);
        share = s > 0 && s < 1 ? climb / (fall + climb) : 1;
        s = fmin(fmax(s, 0), 1);
    }
    if (face != into && face != out) share = 1;
    if (!(above < 0)) return 0;
    const double *m = solid->normal + 3 * (share < 1 ? into : face), *q = solid->normal + 3 * (share < 1 ? out : face);
    for (int c = 0; c < 3; c++) n[c] = share * m[c] + (1 - share) * q[c];
    const double size = sqrt(mb_dot3(n, n));
    for (int c = 0; c < 3; c++) n[c] = size > MB_PARALLEL ? -n[c] / size : -solid->normal[3 * face + c];
    mb_turn3(to->normal, k->at->R, n);
    to->gap = to->depth = above / fmax(size, MB_BLADE);
    for (int c = 0; c < 3; c++) to->foot[c] = a[c] + s * d[c] + to->gap * to->normal[c];
    return 1;
}

int mb_terrain_crosses(const mb_terrain *g, int t, int i, const mb_guest *k, int j, mb_crossing *to)
{
    const double *a = g->vertex[g->corner[t][i]], *b = g->vertex[g->corner[t][(i + 1) % 3]];
    int from, end;
    double d[3], e[3], apart[3], n[3], x[3], back[3], none[3];
    mb_crossing deepest;
    mb_guest_edge(k, j, &from, &end);
    for (int c = 0; c < 3; c++) {
        d[c] = b[c] - a[c], e[c] = k->corner[end][c] - k->corner[from][c];
        apart[c] = k->corner[from][c] - a[c];
    }
    mb_cross3(n, d, e);
    const double square = mb_dot3(n, n), sides = mb_dot3(d, d) * mb_dot3(e, e);
    if (!(square > MB_PARALLEL * MB_PARALLEL * sides)) return 0;
    mb_cross3(x, apart, e);
    const double s = mb_dot3(x, n) / square;
    if (!(s >= -MB_PAST && s <= 1 + MB_PAST)) return 0;
    mb_cross3(x, apart, d);
    const double u = mb_dot3(x, n) / square;
    if (!(u >= -MB_PAST && u <= 1 + MB_PAST)) return 0;
    double size = sqrt(square);
    if (!mb_terrain_side_has(g, t, i, n)) {
        for (int c = 0; c < 3; c++) n[c] = -n[c];
        if (!mb_terrain_side_has(g, t, i, n)) return 0;
    }
    for (int c = 0; c < 3; c++) back[c] = -n[c];
    if (!edge_has(k, j, e, back)) return 0;
    to->slant = size / sqrt(sides);
    to->gap = mb_dot3(n, apart) / size;
    for (int c = 0; c < 3; c++) to->normal[c] = n[c] / size, to->foot[c] = k->corner[from][c] + u * e[c];
    to->depth = to->gap; /* beneath an acute edge the foot may be outside on the other side */
    if (to->gap >= -MB_DEEP * k->shape->reach || goes_through(k, a, d, &deepest)) return 1;
    to->depth = mb_terrain_point_apart(g, to->foot, none);
    return to->depth < 0;
}

/* ---- the nearest ---- */

static void keep(mb_apart *to, double gap, const double *normal, const double *foot)
{
    if (!(gap < to->gap)) return;
    to->gap = gap;
    for (int k = 0; k < 3; k++) to->normal[k] = normal[k], to->foot[k] = foot[k];
}

static void by_corners(const mb_terrain *g, const mb_guest *k, mb_apart *to)
{
    double n[3];
    for (int i = 0; i < k->corners; i++) {
        const double gap = mb_terrain_point_apart(g, k->corner[i], n);
        keep(to, gap, n, k->corner[i]);
    }
}

/* The axis of a capsule: its ends are corners. */
static void axis_from(const mb_terrain *g, const mb_guest *k, int v, mb_apart *to)
{
    double e[3], n[3], foot[3], none[3];
    const double *a = k->corner[0], *x = g->vertex[v];
    for (int c = 0; c < 3; c++) e[c] = k->corner[1][c] - a[c], n[c] = x[c] - a[c];
    const double u = mb_dot3(n, e) / mb_dot3(e, e);
    if (!(u > 0 && u < 1)) return;
    for (int c = 0; c < 3; c++) foot[c] = a[c] + u * e[c], n[c] = foot[c] - x[c];
    const double apart = sqrt(mb_dot3(n, n));
    if (!(apart > 0)) return;
    const int outside = mb_terrain_vertex_has(g, v, n);
    for (int c = 0; c < 3; c++) n[c] /= outside ? apart : -apart;
    if (outside || (mb_terrain_vertex_has(g, v, n) && mb_terrain_point_apart(g, foot, none) < 0))
        keep(to, outside ? apart : -apart, n, foot);
}

/* Tries n, from the terrain to the guest, as a plane between the triangles about v and the guest. */
static void try_between(const mb_terrain *g, const mb_guest *k, int v, const double *n, mb_apart *to)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < k->corners; i++) low = fmin(low, mb_dot3(n, k->corner[i]));
    for (int i = g->first[v]; i < g->first[v + 1]; i++)
        for (int c = 0; c < 3; c++) high = fmax(high, mb_dot3(n, g->vertex[g->corner[g->star[i]][c]]));
    if (!(low - high > to->gap)) return;
    to->gap = low - high;
    for (int c = 0; c < 3; c++) to->normal[c] = n[c], to->foot[c] = g->vertex[v][c] + to->gap * n[c];
}

/* A vertex that all but touches an edge: the way between both is no direction, but one of the planes between the
 * triangles about it and the guest is: that of a face of either, or across two edges. */
static void tip_at_edge(const mb_terrain *g, const mb_guest *k, int v, mb_apart *to)
{
    const mb_polytope *s = k->shape->solid;
    double n[3], d[3], e[3];
    for (int f = 0; f < s->faces; f++) {
        mb_turn3(n, k->at->R, s->normal + 3 * f);
        for (int c = 0; c < 3; c++) n[c] = -n[c];
        try_between(g, k, v, n, to);
    }
    for (int i = g->first[v]; i < g->first[v + 1]; i++) {
        const int *corner = g->corner[g->star[i]];
        try_between(g, k, v, g->normal[g->star[i]], to);
        for (int j = 0; j < 3 * s->edges; j++) {
            const double *w = g->vertex[corner[j % 3]];
            int from, end;
            if (corner[j % 3] == v) continue;
            mb_guest_edge(k, j / 3, &from, &end);
            for (int c = 0; c < 3; c++) d[c] = w[c] - g->vertex[v][c], e[c] = k->corner[end][c] - k->corner[from][c];
            mb_cross3(n, d, e);
            const double size = sqrt(mb_dot3(n, n));
            if (!(size > MB_PARALLEL * sqrt(mb_dot3(d, d) * mb_dot3(e, e)))) continue;
            for (int sign = -1; sign < 2; sign += 2) {
                for (int c = 0; c < 3; c++) d[c] = sign * n[c] / size;
                try_between(g, k, v, d, to);
            }
        }
    }
}

/* 1: the point p of a guest's frame, which is not far from it, is as near to an edge. */
static int is_at_edge(const mb_polytope *s, const double *p, double near)
{
    int faces = 0;
    for (int f = 0; f < s->faces; f++) faces += mb_dot3(s->normal + 3 * f, p) - s->height[f] > -near;
    return faces > 1;
}

static void solid_from(const mb_terrain *g, const mb_guest *k, int v, mb_apart *to)
{
    const double near = MB_SHORT * k->shape->reach;
    double p[3], n[3], foot[3];
    for (int c = 0; c < 3; c++) p[c] = g->vertex[v][c] - k->at->x[c];
    mb_back3(p, k->at->R, p);
    const double gap = mb_point_apart(k->shape, p, n);
    if (fabs(gap) < near && is_at_edge(k->shape->solid, p, near)) {
        mb_apart tip = {.gap = -INFINITY};
        tip_at_edge(g, k, v, &tip);
        if (fabs(tip.gap) <= near) {
            keep(to, tip.gap, tip.normal, tip.foot);
            return;
        }
    }
    mb_turn3(n, k->at->R, n);
    for (int c = 0; c < 3; c++) n[c] = -n[c], foot[c] = g->vertex[v][c] + gap * n[c];
    keep(to, gap, n, foot);
}

static mb_terrain_walk around(const mb_terrain *g, const mb_guest *k, double far)
{
    double low[3], high[3];
    const double more = fmax(far, 0) + MB_DEEP * k->shape->reach;
    for (int c = 0; c < 3; c++) low[c] = k->low[c] - more, high[c] = k->high[c] + more;
    return mb_terrain_within(g, low, high);
}

static void by_vertices(const mb_terrain *g, const mb_guest *k, mb_apart *to)
{
    mb_terrain_walk w = around(g, k, to->gap);
    for (int t = mb_terrain_next(&w); t >= 0; t = mb_terrain_next(&w))
        for (int i = 0; i < 3; i++) {
            if (!(g->sharp[t] >> (3 + i) & 1)) continue;
            if (k->shape->solid != NULL)
                solid_from(g, k, g->corner[t][i], to);
            else
                axis_from(g, k, g->corner[t][i], to);
        }
}

/* x: the point of the guest's edge j that is nearest to side i of t. 1: it seems to be inside. */
static int nearest_on_edge(const mb_terrain *g, int t, int i, const mb_guest *k, int j, double *x)
{
    const double *a = g->vertex[g->corner[t][i]], *b = g->vertex[g->corner[t][(i + 1) % 3]];
    double d[3], e[3], apart[3], out[3];
    int from, end;
    mb_guest_edge(k, j, &from, &end);
    for (int c = 0; c < 3; c++) {
        d[c] = b[c] - a[c], e[c] = k->corner[end][c] - k->corner[from][c];
        apart[c] = k->corner[from][c] - a[c];
    }
    const double dd = mb_dot3(d, d), ee = mb_dot3(e, e), de = mb_dot3(d, e), da = mb_dot3(d, apart),
                 ea = mb_dot3(e, apart), square = dd * ee - de * de;
    double s = square > MB_PARALLEL * dd * ee ? fmin(fmax((da * ee - ea * de) / square, 0), 1) : 0.5;
    const double u = fmin(fmax((s * de - ea) / ee, 0), 1);
    s = fmin(fmax((da + u * de) / dd, 0), 1);
    mb_terrain_beside(g, t, i, out);
    for (int c = 0; c < 3; c++) x[c] = k->corner[from][c] + u * e[c], apart[c] += u * e[c] - s * d[c];
    return mb_dot3(out, apart) < 0;
}

/* Of normals across a side and edges of a guest, and that at the deepest point of a side that goes through it, the one
 * which parts them most tells their gap. Where the side turns from one edge of a face to another, both have normals for
 * a moment, and that of the lesser gap is the true one. */
static void by_side(const mb_terrain *g, int t, int i, const mb_guest *k, mb_apart *to)
{
    const double *a = g->vertex[g->corner[t][i]], *b = g->vertex[g->corner[t][(i + 1) % 3]];
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    mb_crossing most = {.depth = -INFINITY}, at;
    const double alike = 4 * MB_ALONG * k->shape->reach;
    double x[3], n[3], gap = 0;
    for (int j = 0; j < k->edges; j++) {
        if (mb_terrain_crosses(g, t, i, k, j, &at)) {
            const double more = at.depth - most.depth;
            if (more > alike || (more < 0 && more >= -alike)) most = at;
        } else if (nearest_on_edge(g, t, i, k, j, x) && (gap = mb_terrain_point_apart(g, x, n)) < 0) {
            keep(to, gap, n, x);
        }
    }
    if (most.depth < 0 && goes_through(k, a, d, &at) && at.depth > most.depth) most = at;
    if (most.depth > -INFINITY) keep(to, most.depth, most.normal, most.foot);
}

static void by_edges(const mb_terrain *g, const mb_guest *k, mb_apart *to)
{
    mb_terrain_walk w = around(g, k, to->gap);
    for (int t = mb_terrain_next(&w); t >= 0; t = mb_terrain_next(&w))
        for (int i = 0; i < 3; i++)
            if (g->sharp[t] >> i & 1) by_side(g, t, i, k, to);
}

/* What is farther away than it is large is nearest at a corner, or a little nearer. */
void mb_terrain_apart(const mb_terrain *g, const mb_shape *guest, const mb_placing *at, mb_apart *to)
{
    mb_guest k;
    mb_guest_set(&k, guest, at);
    to->gap = INFINITY;
    by_corners(g, &k, to);
    if (k.edges == 0 || to->gap > guest->reach) return;
    by_vertices(g, &k, to);
    by_edges(g, &k, to);
}
