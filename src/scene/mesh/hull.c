/* SPDX-License-Identifier: BSD-3-Clause */
/* The convex hull by quickhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, ACM Trans. Math. Softw. 22, 1996): a facet
 * keeps the points that are above it; the farthest point above a facet joins the hull, and its tent replaces the facets
 * that it sees. Which side of a plane a point is on is decided exactly (J. R. Shewchuk, Discrete Comput. Geom. 18,
 * 1997), and a point in the plane is not above it. So the facets that a point sees always form one patch whose border
 * is a simple loop, also where many points lie in a plane or on a line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/exact.h"
#include "scene/mesh/mesh.h"

#define TESTS 1000000000LL /* the most side tests: a hull that needs more is refused */

enum { FREE, KEPT, SEEN };

typedef struct facet {
    int corner[3];   /* counterclockwise from outside */
    int next[3];     /* the facet across the edge from corner i to corner i + 1 */
    int above;       /* the first point above it, -1: none */
    int farthest;    /* of these points */
    double distance; /* of that point, times twice the area of the facet */
    int state;
    int listed, after; /* in the list of facets that got points; the next one there */
} facet;

typedef struct edge {
    int from, to, outside; /* an edge of the patch that is seen, and the facet beyond */
} edge;

typedef struct hull {
    const lg_mesh *m;
    double *x;         /* points: vertices times a power of two, at most 1 */
    int *chain;        /* the next point above the facet that has this point */
    int *starts;       /* the new facet whose border edge begins at this point */
    facet *facets;     /* with room for all that there can be at once */
    int count, spare;  /* facets so far; the first that is free, -1: none */
    int todo;          /* the first facet that got points, -1: none */
    int *stack, *seen; /* facets to look at; facets that are seen */
    edge *border;
    long long tests;
} hull;

/* Exact side of a plane ------------------------------------------------------------------------------------------- */

/* Adds a number to an expansion: parts that do not overlap, by growing magnitude, without zeros. */
static int grow(double *part, int parts, double x)
{
    int kept = 0;
    for (int i = 0; i < parts; i++) {
        double rest;
        exact_sum(&x, &rest, x, part[i]);
        if (fabs(rest) > 0) part[kept++] = rest;
    }
    if (fabs(x) > 0) part[kept++] = x;
    return kept;
}

static int grow_product(double *part, int parts, double x, double y, double z)
{
    double p, rest, q, tail;
    exact_product(&p, &rest, x, y);
    exact_product(&q, &tail, p, z);
    parts = grow(part, grow(part, parts, tail), q);
    if (!(fabs(rest) > 0)) return parts;
    exact_product(&q, &tail, rest, z);
    return grow(part, grow(part, parts, tail), q);
}

/* det(b - a, c - a, d - a) without rounding, as a number of its sign. Six products of three differences, each of which
 * is two doubles. */
static double exact_side(const double *a, const double *b, const double *c, const double *d)
{
    static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const double *const to[3] = {b, c, d};
    double difference[3][3][2], part[200];
    int parts = 0;
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < 3; i++) exact_sum(&difference[r][i][0], &difference[r][i][1], to[r][i], -a[i]);
    for (int k = 0; k < 6; k++) {
        const double *u = difference[0][order[k][0]], *v = difference[1][order[k][1]], *w = difference[2][order[k][2]];
        for (int i = 0; i < 8; i++) {
            const double x = u[i & 1], y = v[i >> 1 & 1], z = w[i >> 2];
            if (fabs(x) > 0 && fabs(y) > 0 && fabs(z) > 0) parts = grow_product(part, parts, k < 3 ? x : -x, y, z);
        }
    }
    return parts > 0 ? part[parts - 1] : 0;
}

/* The determinant where rounding cannot change its sign; otherwise exact_side(). */
static double side(const double *a, const double *b, const double *c, const double *d)
{
    double det = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double one = (c[j] - a[j]) * (d[k] - a[k]), two = (c[k] - a[k]) * (d[j] - a[j]), x = b[i] - a[i];
        det += x * (one - two);
        size += fabs(x) * (fabs(one) + fabs(two));
    }
    return fabs(det) > 1e-14 * size ? det : exact_side(a, b, c, d); /* 1e-14: some 90 roundings */
}

static double height(hull *h, const facet *f, int point)
{
    const double *x = h->x;
    const int *v = f->corner;
    h->tests++;
    return side(x + 3 * (size_t)v[0], x + 3 * (size_t)v[1], x + 3 * (size_t)v[2], x + 3 * (size_t)point);
}

/* Facets ---------------------------------------------------------------------------------------------------------- */

static int new_facet(hull *h, int a, int b, int c)
{
    const int recycled = h->spare >= 0, at = recycled ? h->spare : h->count++;
    facet *f = &h->facets[at];
    const facet old = recycled ? *f : (facet){.listed = 0, .after = -1};
    if (recycled) h->spare = f->above;
    *f = (facet){.corner = {a, b, c}, .next = {-1, -1, -1}, .above = -1, .state = KEPT};
    f->listed = old.listed, f->after = old.after; /* the list may still hold the dropped one */
    return at;
}

static void drop_facet(hull *h, int at)
{
    h->facets[at].state = FREE;
    h->facets[at].above = h->spare;
    h->spare = at;
}

/* Gives a point to a facet if it is above it. */
static int give(hull *h, int at, int point)
{
    facet *f = &h->facets[at];
    const double distance = height(h, f, point);
    if (!(distance > 0)) return 0;
    if (f->above < 0 || distance > f->distance) f->distance = distance, f->farthest = point;
    h->chain[point] = f->above;
    f->above = point;
    if (!f->listed) f->listed = 1, f->after = h->todo, h->todo = at;
    return 1;
}

/* The first tetrahedron ------------------------------------------------------------------------------------------- */

static double length2(const double *a, const double *b)
{
    double d = 0;
    for (int i = 0; i < 3; i++) d += (a[i] - b[i]) * (a[i] - b[i]);
    return d;
}

/* Twice the area, squared. */
static double area2(const double *a, const double *b, const double *c)
{
    double n2 = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double n = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
        n2 += n * n;
    }
    return n2;
}

/* Four points, each as far as can be from those before; 0: all points lie in a plane. */
static int choose_corners(const hull *h, int *v)
{
    const double *x = h->x;
    double best[3] = {0, 0, 0};
    v[0] = v[1] = v[2] = v[3] = 0;
    for (int i = 0; i < h->m->vertices; i++)
        if (x[3 * (size_t)i] < x[3 * (size_t)v[0]]) v[0] = i;
    const double *a = x + 3 * (size_t)v[0];
    for (int i = 0; i < h->m->vertices; i++) {
        const double d = length2(a, x + 3 * (size_t)i);
        if (d > best[0]) best[0] = d, v[1] = i;
    }
    const double *b = x + 3 * (size_t)v[1];
    for (int i = 0; i < h->m->vertices; i++) {
        const double d = area2(a, b, x + 3 * (size_t)i);
        if (d > best[1]) best[1] = d, v[2] = i;
    }
    const double *c = x + 3 * (size_t)v[2];
    for (int i = 0; i < h->m->vertices; i++) {
        const double d = side(a, b, c, x + 3 * (size_t)i);
        if (fabs(d) > fabs(best[2])) best[2] = d, v[3] = i;
    }
    if (best[2] > 0) { /* the fourth point must be below the plane of the first three */
        const int swap = v[1];
        v[1] = v[2], v[2] = swap;
    }
    return fabs(best[2]) > 0;
}

static void first_tetrahedron(hull *h, const int *v)
{
    static const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int next[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int f = 0; f < 4; f++) {
        const int at = new_facet(h, v[corner[f][0]], v[corner[f][1]], v[corner[f][2]]);
        memcpy(h->facets[at].next, next[f], sizeof next[f]);
    }
    for (int p = 0; p < h->m->vertices; p++)
        for (int f = 0; f < 4 && !give(h, f, p); f++) continue;
}

/* Growth ---------------------------------------------------------------------------------------------------------- */

/* The patch of facets that a point sees, from one of them, and its border. */
static int find_patch(hull *h, int *patch, int from, int point)
{
    int todo = 1, edges = 0;
    *patch = 1;
    h->stack[0] = h->seen[0] = from;
    h->facets[from].state = SEEN;
    while (todo > 0) {
        const facet *f = &h->facets[h->stack[--todo]];
        for (int i = 0; i < 3; i++) {
            facet *g = &h->facets[f->next[i]];
            if (g->state == SEEN) continue;
            if (height(h, g, point) > 0) {
                g->state = SEEN;
                h->stack[todo++] = h->seen[(*patch)++] = f->next[i];
            } else {
                h->border[edges++] = (edge){f->corner[i], f->corner[(i + 1) % 3], f->next[i]};
            }
        }
    }
    return edges;
}

/* New facets from the border to the point. h->stack = these facets. */
static void raise_tent(hull *h, int edges, int point)
{
    for (int i = 0; i < edges; i++) {
        const edge *b = &h->border[i];
        const int at = new_facet(h, b->from, b->to, point);
        facet *outside = &h->facets[b->outside];
        h->facets[at].next[0] = b->outside;
        for (int k = 0; k < 3; k++)
            if (outside->corner[k] == b->to && outside->corner[(k + 1) % 3] == b->from) outside->next[k] = at;
        h->stack[i] = h->starts[b->from] = at;
    }
    for (int i = 0; i < edges; i++) {
        const int at = h->stack[i], after = h->starts[h->border[i].to];
        h->facets[at].next[1] = after;
        h->facets[after].next[2] = at;
    }
}

static void add_point(hull *h, int from)
{
    int patch, orphans = -1;
    const int point = h->facets[from].farthest, edges = find_patch(h, &patch, from, point);
    for (int i = 0; i < patch; i++) {
        for (int p = h->facets[h->seen[i]].above, after; p >= 0; p = after) {
            after = h->chain[p];
            h->chain[p] = orphans;
            orphans = p;
        }
        drop_facet(h, h->seen[i]);
    }
    raise_tent(h, edges, point);
    for (int p = orphans, after; p >= 0; p = after) {
        after = h->chain[p];
        for (int i = 0; p != point && i < edges && !give(h, h->stack[i], p); i++) continue;
    }
}

/* The object ------------------------------------------------------------------------------------------------------ */

/* Points at most 1, and products of three without underflow. */
static void scale_points(hull *h)
{
    double most = 0;
    int power;
    const size_t numbers = 3 * (size_t)h->m->vertices;
    for (size_t k = 0; k < numbers; k++) most = fmax(most, fabs(h->m->vertex[k]));
    (void)frexp(most, &power);
    for (size_t k = 0; k < numbers; k++) {
        h->x[k] = ldexp(h->m->vertex[k], -power);
        if (fabs(h->x[k]) < 0x1p-200) h->x[k] = 0;
    }
}

static lg_status write_hull(lg_mesh *to, hull *h, const char *name, lg_error *e)
{
    int facets = 0, vertices = 0;
    for (int v = 0; v < h->m->vertices; v++) h->starts[v] = -1;
    for (int f = 0; f < h->count; f++) {
        facets += h->facets[f].state == KEPT;
        for (int i = 0; i < 3 && h->facets[f].state == KEPT; i++) h->starts[h->facets[f].corner[i]] = 0;
    }
    for (int v = 0; v < h->m->vertices; v++)
        if (h->starts[v] == 0) h->starts[v] = vertices++;
    to->vertex = malloc(3 * (size_t)vertices * sizeof *to->vertex);
    to->triangle = malloc(3 * (size_t)facets * sizeof *to->triangle);
    if (to->vertex == NULL || to->triangle == NULL) {
        lg_mesh_free(to);
        return lg_fail(e, LG_ERROR_MEMORY, "%.120s: out of memory", name);
    }
    for (int v = 0; v < h->m->vertices; v++)
        if (h->starts[v] >= 0)
            memcpy(to->vertex + 3 * (size_t)h->starts[v], h->m->vertex + 3 * (size_t)v, 3 * sizeof(double));
    for (int f = 0; f < h->count; f++) {
        if (h->facets[f].state != KEPT) continue;
        for (int i = 0; i < 3; i++)
            to->triangle[3 * (size_t)to->triangles + (size_t)i] = h->starts[h->facets[f].corner[i]];
        to->triangles++;
    }
    to->vertices = vertices;
    to->first = to->triangles;
    to->mirrored = h->m->mirrored;
    return LG_OK;
}

static lg_status find_hull(lg_mesh *to, hull *h, const char *name, lg_error *e)
{
    int corner[4];
    scale_points(h);
    if (h->m->vertices < 4 || !choose_corners(h, corner))
        return lg_fail(e, LG_ERROR_DOMAIN,
                       "%.120s: its %d vertices lie in a plane, so their convex hull has no volume; take the mass of "
                       "its surface (inertia=\"shell\"), or a thin box",
                       name, h->m->vertices);
    first_tetrahedron(h, corner);
    while (h->todo >= 0 && h->tests < TESTS) {
        const int at = h->todo;
        h->todo = h->facets[at].after;
        h->facets[at].listed = 0;
        if (h->facets[at].state == KEPT && h->facets[at].above >= 0) add_point(h, at);
    }
    if (h->tests >= TESTS)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "%.120s: its %d vertices lie so that their convex hull takes too long; make the mesh coarser",
                       name, h->m->vertices);
    return write_hull(to, h, name, e);
}

lg_status lg_mesh_hull(lg_mesh *to, const lg_mesh *m, const char *name, lg_error *e)
{
    const size_t points = (size_t)m->vertices, facets = 2 * points + 8;
    hull h = {.m = m, .spare = -1, .todo = -1};
    *to = (lg_mesh){0};
    h.x = malloc((3 * points + 1) * sizeof *h.x);
    h.chain = malloc((points + 1) * sizeof *h.chain);
    h.starts = malloc((points + 1) * sizeof *h.starts);
    h.facets = malloc(facets * sizeof *h.facets);
    h.stack = malloc(facets * sizeof *h.stack);
    h.seen = malloc(facets * sizeof *h.seen);
    h.border = malloc(facets * sizeof *h.border);
    const int room = h.x && h.chain && h.starts && h.facets && h.stack && h.seen && h.border;
    const lg_status st = room ? find_hull(to, &h, name, e) : lg_fail(e, LG_ERROR_MEMORY, "%.120s: out of memory", name);
    free(h.x), free(h.chain), free(h.starts), free(h.facets), free(h.stack), free(h.seen), free(h.border);
    return st;
}
