/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaps of a terrain and a ball or a capsule: the least distance of the ends of its axis from the terrain, of the
 * terrain's sharp vertices from the axis, and of sharp edges that it crosses. An axis that is inside all the same is as
 * deep as the points of it that are nearest to sharp edges. */
#include <math.h>
#include <string.h>

#include "multibody/contact/shapes/terrain.h"

/* What is smaller than this, relative to its like, is rounding of a direction. */
#define MB_PARALLEL 1e-8
/* Deeper than this, relative to the guest, is no rounding. */
#define MB_DEEP 1e-9

void mb_guest_set(mb_guest *k, const mb_shape *shape, const mb_placing *at)
{
    const int capsule = shape->kind == LG_SURFACE_CAPSULE;
    k->shape = shape, k->at = at, k->corners = capsule ? 2 : 1;
    for (int x = 0; x < 3; x++) k->low[x] = INFINITY, k->high[x] = -INFINITY;
    for (int i = 0; i < k->corners; i++) {
        const double end[3] = {0, 0, capsule ? (i > 0 ? 1 : -1) * shape->half[1] : 0};
        mb_placed3(k->corner[i], at, end);
        for (int x = 0; x < 3; x++)
            k->low[x] = fmin(k->low[x], k->corner[i][x]), k->high[x] = fmax(k->high[x], k->corner[i][x]);
    }
}

/* ---- edges ---- */

int mb_terrain_crosses(const mb_terrain *g, int t, int i, const mb_guest *k, mb_crossing *to)
{
    const double *a = g->vertex[g->corner[t][i]], *b = g->vertex[g->corner[t][(i + 1) % 3]];
    double d[3], e[3], apart[3], n[3], x[3], none[3];
    for (int c = 0; c < 3; c++) {
        d[c] = b[c] - a[c], e[c] = k->corner[1][c] - k->corner[0][c];
        apart[c] = k->corner[0][c] - a[c];
    }
    mb_cross3(n, d, e);
    const double square = mb_dot3(n, n), sides = mb_dot3(d, d) * mb_dot3(e, e);
    if (!(square > MB_PARALLEL * MB_PARALLEL * sides)) return 0;
    mb_cross3(x, apart, e);
    const double s = mb_dot3(x, n) / square;
    if (!(s >= 0 && s <= 1)) return 0;
    mb_cross3(x, apart, d);
    const double u = mb_dot3(x, n) / square;
    if (!(u >= 0 && u <= 1)) return 0;
    const double size = sqrt(square);
    if (!mb_terrain_side_has(g, t, i, n)) {
        for (int c = 0; c < 3; c++) n[c] = -n[c];
        if (!mb_terrain_side_has(g, t, i, n)) return 0;
    }
    to->slant = size / sqrt(sides);
    to->gap = mb_dot3(n, apart) / size;
    for (int c = 0; c < 3; c++) to->normal[c] = n[c] / size, to->foot[c] = k->corner[0][c] + u * e[c];
    to->depth = to->gap >= -MB_DEEP * k->shape->reach ? to->gap : mb_terrain_point_apart(g, to->foot, none);
    return to->depth == to->gap || to->depth < 0;
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
        for (int i = 0; i < 3; i++)
            if (g->sharp[t] >> (3 + i) & 1) axis_from(g, k, g->corner[t][i], to);
}

/* x: the point of a capsule's axis that is nearest to side i of t. 1: it seems to be inside. */
static int nearest_on_axis(const mb_terrain *g, int t, int i, const mb_guest *k, double *x)
{
    const double *a = g->vertex[g->corner[t][i]], *b = g->vertex[g->corner[t][(i + 1) % 3]];
    double d[3], e[3], apart[3], out[3];
    for (int c = 0; c < 3; c++) {
        d[c] = b[c] - a[c], e[c] = k->corner[1][c] - k->corner[0][c];
        apart[c] = k->corner[0][c] - a[c];
    }
    const double dd = mb_dot3(d, d), ee = mb_dot3(e, e), de = mb_dot3(d, e), da = mb_dot3(d, apart),
                 ea = mb_dot3(e, apart), square = dd * ee - de * de;
    double s = square > MB_PARALLEL * dd * ee ? fmin(fmax((da * ee - ea * de) / square, 0), 1) : 0.5;
    const double u = fmin(fmax((s * de - ea) / ee, 0), 1);
    s = fmin(fmax((da + u * de) / dd, 0), 1);
    mb_terrain_beside(g, t, i, out);
    for (int c = 0; c < 3; c++) x[c] = k->corner[0][c] + u * e[c], apart[c] += u * e[c] - s * d[c];
    return mb_dot3(out, apart) < 0;
}

static void by_edges(const mb_terrain *g, const mb_guest *k, mb_apart *to)
{
    mb_terrain_walk w = around(g, k, to->gap);
    for (int t = mb_terrain_next(&w); t >= 0; t = mb_terrain_next(&w))
        for (int i = 0; i < 3; i++) {
            mb_crossing at;
            double x[3], n[3], gap = 0;
            if (!(g->sharp[t] >> i & 1)) continue;
            if (mb_terrain_crosses(g, t, i, k, &at))
                keep(to, at.depth, at.normal, at.foot);
            else if (nearest_on_axis(g, t, i, k, x) && (gap = mb_terrain_point_apart(g, x, n)) < 0)
                keep(to, gap, n, x);
        }
}

/* What is farther away than it is large is nearest at a corner, or a little nearer. */
void mb_terrain_apart(const mb_terrain *g, const mb_shape *guest, const mb_placing *at, mb_apart *to)
{
    mb_guest k;
    mb_guest_set(&k, guest, at);
    to->gap = INFINITY;
    by_corners(g, &k, to);
    if (k.corners == 1 || to->gap > guest->reach) return;
    by_vertices(g, &k, to);
    by_edges(g, &k, to);
}
