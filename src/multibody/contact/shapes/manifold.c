/* SPDX-License-Identifier: BSD-3-Clause */
/* Features in which shapes touch: what faces each other is projected on the plane between them, and clipped. The
 * corners of what two polygons have in common are corners of one above the other's face, and crossings of their edges.
 */
#include "multibody/contact/shapes/manifold.h"
#include "multibody/contact/shapes/ring.h"
#include "multibody/contact/shapes/separate.h"
#include "multibody/contact/shapes/terrain.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MB_CAP_CORNERS = 12 };

#define MB_FLAT    1e-10 /* a face of a cylinder lies on another below this tilt, rad */
#define MB_STEEP   0.8   /* n.axis of a cylinder beyond which its faces count, not its side */
#define MB_FACING  0.7   /* n.normal of a rim that faces the other shape */
#define MB_INWARDS 0.1   /* the normal of a rim may go into its face or side by this */
#define MB_NARROW  1e-2  /* the sine of edges that cross */
#define MB_BORDER  1e-9  /* of the size: what is so far outside is inside */
#define MB_APART   1e-6  /* of the size: what is nearer to another feature is that feature */
#define MB_LEVEL   1e-3  /* of the size: as near as the nearest */

/* What a shape turns to another: a polygon, or a line with what is round about it. */
typedef struct mb_side {
    int corners, face; /* face: the polygon is one, with the normal `normal` in space */
    int edges, rims;   /* rims: its corners are the middles of rims */
    int id;
    double radius, normal[3], own_normal[3];
    double own[MB_CORNERS_MOST][3], in_space[MB_CORNERS_MOST][3]; /* in its frame; from the first frame's origin */
    int name[MB_CORNERS_MOST];
} mb_side;

static int has_line(lg_surface_kind kind)
{
    return kind == LG_SURFACE_CAPSULE || kind == LG_SURFACE_BOX || kind == LG_SURFACE_HULL ||
           kind == LG_SURFACE_CYLINDER;
}

int mb_manifold_room(lg_surface_kind a, lg_surface_kind b)
{
    if (a == LG_SURFACE_TRIANGLES || a == LG_SURFACE_HEIGHTS) return MB_FEATURES_MOST;
    if (!has_line(a) || !has_line(b)) return 0;
    return a == LG_SURFACE_CAPSULE || b == LG_SURFACE_CAPSULE ? 4 : MB_FEATURES_MOST;
}

double mb_manifold_size(const mb_shape *const shape[2])
{
    const double less = fmin(shape[0]->reach, shape[1]->reach);
    return shape[0]->terrain != NULL ? fmax(less, shape[0]->terrain->size) : less;
}

/* ---- sides ---- */

static void add_corner(mb_side *s, double x, double y, double z, int name)
{
    s->own[s->corners][0] = x, s->own[s->corners][1] = y, s->own[s->corners][2] = z;
    s->name[s->corners++] = name;
}

/* n: towards the other, in the shape's frame. */
static void turn_face(mb_side *s, const mb_polytope *p, const double *n)
{
    double most = -INFINITY;
    for (int f = 0; f < p->faces; f++) {
        const double along = mb_dot3(n, p->normal + 3 * f);
        if (along > most) most = along, s->id = f;
    }
    s->face = 1;
    memcpy(s->own_normal, p->normal + 3 * s->id, sizeof s->own_normal);
    for (int i = p->first[s->id]; i < p->first[s->id + 1]; i++) {
        const double *x = p->corner + 3 * p->loop[i];
        add_corner(s, x[0], x[1], x[2], p->loop[i]);
    }
    s->edges = s->corners;
}

/* other: the normal of the other's face, or NULL; round: it is a cylinder's. */
static void turn_cylinder(mb_side *s, const mb_shape *c, const double *n, const double *other, int round)
{
    static const double third = 0.86602540378443865; /* cos 30 degrees */
    static const double turn[MB_CAP_CORNERS] = {1, third, 0.5, 0, -0.5, -third, -1, -third, -0.5, 0, 0.5, third};
    const double up = n[2] < 0 ? -1 : 1;
    s->face = fabs(n[2]) > MB_STEEP, s->own_normal[2] = up, s->id = up > 0;
    if (s->face && other != NULL && other[0] * other[0] + other[1] * other[1] < MB_FLAT * MB_FLAT) {
        for (int i = 0; i < MB_CAP_CORNERS; i++)
            add_corner(s, c->half[0] * turn[i], up * c->half[0] * turn[(i + 9) % MB_CAP_CORNERS], up * c->half[1],
                       s->id * MB_CAP_CORNERS + i);
        s->edges = round ? s->corners : 0; /* else its rim crosses edges */
        return;
    }
    for (int end = -1; end < 2; end += 2) add_corner(s, 0, 0, end * c->half[1], 100 + (end > 0));
    s->rims = 1, s->radius = c->half[0];
    s->edges = !s->face;
}

static void turn(mb_side *s, const mb_found *k, int which, const double *other_normal)
{
    const mb_shape *shape = k->shape[which];
    const mb_placing *at = &k->at[which];
    double n[3], other[3];
    memset(s, 0, offsetof(mb_side, own));
    for (int i = 0; i < 3; i++) n[i] = which ? -k->touch->normal[i] : k->touch->normal[i];
    mb_back3(n, at->R, n);
    if (other_normal != NULL) mb_back3(other, at->R, other_normal);
    if (shape->solid != NULL) {
        turn_face(s, shape->solid, n);
    } else if (shape->kind == LG_SURFACE_CYLINDER) {
        turn_cylinder(s, shape, n, other_normal != NULL ? other : NULL, k->shape[!which]->kind == LG_SURFACE_CYLINDER);
    } else {
        for (int end = -1; end < 2; end += 2) add_corner(s, 0, 0, end * shape->half[1], end > 0);
        s->edges = 1, s->radius = shape->radius;
    }
    mb_turn3(s->normal, at->R, s->own_normal);
    for (int i = 0; i < s->corners; i++) {
        mb_turn3(s->in_space[i], at->R, s->own[i]);
        for (int c = 0; c < 3; c++) s->in_space[i][c] += at->x[c] - k->at[0].x[c];
    }
}

/* ---- features ---- */

static double square_apart(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return mb_dot3(d, d);
}

void mb_found_add(mb_found *k, const mb_feature *f)
{
    const double near = MB_APART * k->size;
    if (!(f->gap >= fmin(k->touch->gap, 0) - MB_BORDER * k->size && f->gap <= k->touch->gap + MB_FEATURE_FAR * k->size))
        return;
    for (int i = 0; i < k->count; i++)
        if (square_apart(k->list[i].at, f->at) < near * near &&
            square_apart(k->list[i].normal, f->normal) < MB_APART * MB_APART)
            return;
    int at = k->count;
    if (at < MB_FOUND_MOST) {
        k->count++;
    } else {
        at = 0;
        for (int i = 1; i < k->count; i++)
            if (k->list[i].gap > k->list[at].gap) at = i;
        if (k->list[at].gap <= f->gap) return;
    }
    k->list[at] = *f;
}

double mb_feature_key(mb_feature_kind kind, int first, int a, int b)
{
    return 1 + ((double)(a / 65536 * 16 + 2 * (int)kind + first) * 65536 + a % 65536) * 65536 + b;
}

/* 1: the foot of p is in the face. */
static int is_over(const mb_found *k, const mb_side *s, int which, const double *p)
{
    const double border = MB_BORDER * k->size;
    double d[3], e[3], out[3];
    if (k->shape[which]->kind == LG_SURFACE_CYLINDER) {
        for (int c = 0; c < 3; c++) d[c] = p[c] - (k->at[which].x[c] - k->at[0].x[c]);
        mb_back3(d, k->at[which].R, d);
        const double radius = k->shape[which]->half[0] + border;
        return d[0] * d[0] + d[1] * d[1] <= radius * radius;
    }
    for (int i = 0, before = s->corners - 1; i < s->corners; before = i++) {
        for (int c = 0; c < 3; c++) {
            e[c] = s->in_space[i][c] - s->in_space[before][c];
            d[c] = p[c] - s->in_space[before][c];
        }
        mb_cross3(out, e, s->normal);
        if (mb_dot3(out, d) > border * sqrt(mb_dot3(out, out))) return 0;
    }
    return 1;
}

/* Corners of b over the face of a, or rims. */
static void over_face(mb_found *k, const mb_side *a, const mb_side *b, int first)
{
    for (int i = 0; i < b->corners; i++) {
        mb_feature f = {.kind = b->rims ? MB_FEATURE_RIM : MB_FEATURE_POINT, .first = first};
        const mb_shape *other = k->shape[!first];
        double d[3], n[3], y[3], out;
        memcpy(f.at, b->in_space[i], sizeof f.at);
        if (b->rims) { /* its lowest point */
            for (int c = 0; c < 3; c++) n[c] = -a->normal[c];
            mb_back3(n, k->at[!first].R, n);
            out = sqrt(n[0] * n[0] + n[1] * n[1]);
            if (!(out > MB_FLAT)) continue;
            for (int c = 0; c < 3; c++) y[c] = c < 2 ? other->half[0] * n[c] / out : 0;
            mb_turn3(y, k->at[!first].R, y);
            for (int c = 0; c < 3; c++) f.at[c] += y[c];
        } else {
            f.radius[1] = b->radius;
        }
        if (!is_over(k, a, first, f.at)) continue;
        for (int c = 0; c < 3; c++)
            d[c] = f.at[c] - (k->at[first].x[c] - k->at[0].x[c]), f.along[0][c] = a->own_normal[c];
        if (k->shape[first]->solid != NULL)
            memcpy(f.point[0], a->own[0], sizeof f.point[0]);
        else
            f.point[0][2] = a->own_normal[2] * k->shape[first]->half[1];
        memcpy(f.point[1], b->own[i], sizeof f.point[1]);
        mb_turn3(y, k->at[first].R, f.point[0]);
        for (int c = 0; c < 3; c++) d[c] -= y[c];
        f.gap = mb_dot3(a->normal, d) - f.radius[1];
        f.key = mb_feature_key(f.kind, first, b->name[i], a->id);
        mb_found_add(k, &f);
    }
}

/* Edges of both that cross, seen along the normal. */
static void cross(mb_found *k, const mb_side *a, const mb_side *b, int i, int j)
{
    const int u = (i + 1) % a->corners, v = (j + 1) % b->corners;
    mb_feature f = {.kind = MB_FEATURE_CROSS, .radius = {a->radius, b->radius}};
    double d[3], e[3], apart[3], n[3], x[3];
    for (int c = 0; c < 3; c++) {
        d[c] = a->in_space[u][c] - a->in_space[i][c], e[c] = b->in_space[v][c] - b->in_space[j][c];
        apart[c] = b->in_space[j][c] - a->in_space[i][c];
        f.along[0][c] = a->own[u][c] - a->own[i][c], f.along[1][c] = b->own[v][c] - b->own[j][c];
        f.point[0][c] = a->own[i][c], f.point[1][c] = b->own[j][c];
    }
    mb_cross3(n, d, e);
    const double square = mb_dot3(n, n), along = mb_dot3(n, k->touch->normal);
    if (square < MB_NARROW * MB_NARROW * mb_dot3(d, d) * mb_dot3(e, e)) return;
    mb_cross3(x, apart, e);
    const double s = mb_dot3(x, n) / square;
    mb_cross3(x, apart, d);
    const double t = mb_dot3(x, n) / square;
    if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1) || along * along < 0.5 * square) return;
    if (along < 0)
        for (int c = 0; c < 3; c++) f.along[1][c] = -f.along[1][c];
    f.gap = (along < 0 ? -1 : 1) * mb_dot3(n, apart) / sqrt(square) - (a->radius + b->radius);
    for (int c = 0; c < 3; c++) f.at[c] = b->in_space[j][c] + t * e[c];
    const int p = a->name[i], q = a->name[u], r = b->name[j], w = b->name[v];
    f.key = mb_feature_key(f.kind, 0, p < q ? p * MB_CORNERS_MOST + q : q * MB_CORNERS_MOST + p,
                           r < w ? r * MB_CORNERS_MOST + w : w * MB_CORNERS_MOST + r);
    mb_found_add(k, &f);
}

/* Ends of a capsule and corners over the side of what is round. */
static void ends(mb_found *k, const mb_side *b, int first)
{
    for (int i = 0; i < b->corners; i++) {
        mb_feature f = {.kind = MB_FEATURE_BALL, .first = first, .radius = {0, b->radius}};
        const mb_shape *a = k->shape[first];
        double x[3], n[3];
        for (int c = 0; c < 3; c++) x[c] = b->in_space[i][c] - (k->at[first].x[c] - k->at[0].x[c]);
        mb_back3(x, k->at[first].R, x);
        if (fabs(x[2]) > a->half[1]) continue;
        f.gap = mb_point_apart(a, x, n) - (a->radius + b->radius);
        memcpy(f.point[1], b->own[i], sizeof f.point[1]), memcpy(f.at, b->in_space[i], sizeof f.at);
        f.key = mb_feature_key(f.kind, first, b->name[i], 0);
        mb_found_add(k, &f);
    }
}

/* The rim of the cylinder at its end `up` = 1 or -1, and edge i of b: where it leaves the face in the direction `way`,
 * or where it passes beside. */
static void ring(mb_found *k, const mb_side *b, int first, int up, int i, int way)
{
    const mb_placing *at = &k->at[first];
    const int j = (i + 1) % b->corners, from = way > 0 ? i : j, to = way > 0 ? j : i, p = b->name[i], q = b->name[j];
    mb_feature f = {.kind = MB_FEATURE_RING, .first = first, .radius = {0, b->radius}};
    double m[3], e[3], n[3];
    mb_ring r;
    for (int c = 0; c < 3; c++) {
        m[c] = b->in_space[from][c] - (at->x[c] - k->at[0].x[c]), e[c] = b->in_space[to][c] - b->in_space[from][c];
        f.along[1][c] = b->own[to][c] - b->own[from][c];
    }
    mb_back3(m, at->R, m), mb_back3(e, at->R, e);
    const double length = sqrt(mb_dot3(e, e));
    /* The end looks along the third axis, in axes that are turned about the first one. */
    m[1] *= up, m[2] = up * m[2] - k->shape[first]->half[1];
    for (int c = 0; c < 3; c++) e[c] *= (c > 0 ? up : 1) / length;
    if (way < 0 && mb_ring_is_upright(e)) return;
    double along = mb_ring_near(k->shape[first]->half[0], m, e);
    for (int c = 0; c < 3; c++) m[c] += along * e[c];
    if (!mb_ring_meets(k->shape[first]->half[0], m, e, &r) || r.slant < MB_NARROW) return;
    along += r.along;
    if (r.normal[2] < -MB_INWARDS || mb_dot3(r.normal, r.on) < -MB_INWARDS * k->shape[first]->half[0]) return;
    if (!(along >= 0 && along <= length) || (!mb_ring_is_upright(e) && mb_dot3(e, r.on) < 0)) return;
    for (int c = 0; c < 3; c++) n[c] = (c > 0 ? up : 1) * r.normal[c];
    mb_turn3(n, at->R, n);
    if (mb_dot3(n, k->touch->normal) * (first ? -1 : 1) < MB_FACING) return;
    f.gap = r.gap - b->radius;
    f.along[0][2] = up, f.point[0][2] = up * k->shape[first]->half[1];
    for (int c = 0; c < 3; c++) {
        f.point[1][c] = b->own[from][c] + along / length * f.along[1][c];
        f.at[c] = b->in_space[from][c] + along / length * (b->in_space[to][c] - b->in_space[from][c]);
    }
    f.key = mb_feature_key(f.kind, first, p < q ? p * MB_CORNERS_MOST + q : q * MB_CORNERS_MOST + p,
                           2 * (up > 0) + ((p < q) == (way > 0)));
    mb_found_add(k, &f);
}

/* The rims of a cylinder and what b has of edges; its side and the ends of these. */
static void round_cylinder(mb_found *k, const mb_side *a, const mb_side *b, int first)
{
    if (k->shape[first]->kind != LG_SURFACE_CYLINDER) return;
    for (int i = 0; i < b->edges; i++)
        for (int up = -1; up < 2; up += 2)
            for (int way = -1; way < 2; way += 2) ring(k, b, first, up, i, way);
    if (!a->face && !b->rims) ends(k, b, first);
}

/* ---- at most eight ---- */

/* The nearest, then what is farthest from those taken, of those as near; then by their gaps. */
int mb_found_choose(const mb_found *k, mb_feature *to)
{
    int taken[MB_FOUND_MOST] = {0}, count = 0;
    double low = INFINITY;
    for (int i = 0; i < k->count; i++) low = fmin(low, k->list[i].gap);
    while (count < MB_FEATURES_MOST && count < k->count) {
        int best = -1;
        double worth = -INFINITY;
        for (int i = 0; i < k->count; i++) {
            const int level = count > 0 && k->list[i].gap <= low + MB_LEVEL * k->size;
            double own = level ? INFINITY : -k->list[i].gap;
            for (int j = 0; j < count && level; j++) own = fmin(own, square_apart(k->list[i].at, to[j].at));
            if (!taken[i] && (best < 0 || own > worth)) best = i, worth = own;
        }
        taken[best] = 1, to[count++] = k->list[best];
    }
    return count;
}

int mb_manifold(const mb_shape *const shape[2], const mb_placing at[2], const mb_touch *touch, mb_feature *feature)
{
    mb_found k = {.shape = shape, .at = at, .touch = touch, .size = mb_manifold_size(shape)};
    mb_side a, b;
    if (shape[0]->terrain != NULL) return mb_terrain_manifold(shape, at, touch, feature);
    /* Whether a cylinder lies flat is seen from the other's face, or axis. */
    const int later = shape[0]->kind == LG_SURFACE_CYLINDER;
    const double axis[3] = {at[0].R[2], at[0].R[5], at[0].R[8]};
    mb_side *first = later ? &b : &a, *second = later ? &a : &b;
    turn(first, &k, later, later && shape[1]->kind == LG_SURFACE_CYLINDER ? axis : NULL);
    turn(second, &k, !later, first->face ? first->normal : NULL);
    if (a.face) over_face(&k, &a, &b, 0);
    if (b.face) over_face(&k, &b, &a, 1);
    for (int i = 0; i < a.edges; i++)
        for (int j = 0; j < b.edges; j++) cross(&k, &a, &b, i, j);
    round_cylinder(&k, &a, &b, 0), round_cylinder(&k, &b, &a, 1);
    if (shape[0]->kind == LG_SURFACE_CAPSULE && shape[1]->kind == LG_SURFACE_CAPSULE) ends(&k, &b, 0), ends(&k, &a, 1);
    return mb_found_choose(&k, feature);
}
