/* SPDX-License-Identifier: BSD-3-Clause */
/* The contacts of surfaces: one for each corner, end or rim of one surface on another. */
#include <stdlib.h>

#include <liegrp/base/elementary.h>

#include "groups/rotation.h"
#include "multibody/contact/meet.h"
#include "multibody/contact/near.h"
#include "multibody/parts/part.h"

/* More pairs than MB_PAIRS_MOST share slots. */
enum { MB_FACE_POINTS = 12, MB_CONTACTS_MOST = 40000, MB_PAIRS_MOST = 1000 };

/* The place x of a surface's frame, on its body. */
static void place(double *out, const mb_surface *s, const double *x)
{
    for (int k = 0; k < 3; k++) out[k] = s->at[k] + lg_dot(s->frame + 3 * k, x, 3);
}

static int is_ball(const lg_surface *s)
{
    return s->kind == LG_SURFACE_SPHERE || s->kind == LG_SURFACE_POINT;
}

/* Surfaces a and b with what they are to each other; a plane is a. */
typedef struct mb_meet {
    lg_mechanism *m; /* NULL: it is compiled */
    int pair[2];
    mb_surface *a, *b;
    const lg_surface *of_a, *of_b;
    double friction, restitution, viscous;
    int wheel;
} mb_meet;

static int rows_of(double friction, double viscous)
{
    return friction > 0 || viscous > 0 ? 3 : 1;
}

/* The contact of a with the place x of b's frame. */
static void describe(mb_contact *c, const mb_meet *k, const double *x)
{
    memcpy(c->at[0], k->a->at, sizeof c->at[0]);
    place(c->at[1], k->b, x);
    memcpy(c->frame[0], k->a->frame, sizeof c->frame[0]), memcpy(c->frame[1], k->b->frame, sizeof c->frame[1]);
    memcpy(c->surface, k->pair, sizeof c->surface);
    c->friction = k->viscous > 0 ? 0 : k->friction, c->restitution = k->restitution, c->viscous = k->viscous;
    c->wheel = k->wheel;
    const int round = k->of_b->kind == LG_SURFACE_CAPSULE || k->of_b->kind == LG_SURFACE_CYLINDER ||
                      k->of_b->kind == LG_SURFACE_DISK || k->of_b->kind == LG_SURFACE_TORUS;
    const double along = k->of_b->friction_along;
    c->along = along >= 0 && along < c->friction ? along / c->friction : 1, c->axle = round ? 2 : -1;
}

/* A contact of a with the place x of b's frame; NULL: out of memory, or there are too many. */
static mb_contact *meet(const mb_meet *k, mb_contact_kind kind, const double *x)
{
    mb_contact *c = mb_contact_add(k->m, (int)kind, rows_of(k->friction, k->viscous), k->a->body, k->b->body);
    if (c != NULL) describe(c, k, x);
    return c;
}

static int points_meet(const mb_meet *k, const double *x, int count, double radius)
{
    for (int i = 0; i < count; i++) {
        mb_contact *c = meet(k, MB_CONTACT_POINT, x + 3 * i);
        if (c == NULL) return 0;
        c->radius[1] = radius;
    }
    return 1;
}

static mb_contact *round_meets(const mb_meet *k, double height, double x, double y, double z)
{
    const double centre[3] = {0, 0, height};
    mb_contact *c = meet(k, MB_CONTACT_ROUND, centre);
    if (c != NULL) c->half[0] = x, c->half[1] = y, c->half[2] = z;
    return c;
}

/* The rim of a face, or the ring of a torus with its tube; points on it stand for it where it is nearly flat on the
 * plane. */
static int face_meets(const mb_meet *k, double height, double radius, double tube)
{
    mb_contact *c = round_meets(k, height, radius, radius, 0);
    if (c == NULL) return 0;
    c->face = 1, c->radius[1] = tube;
    for (int i = 0; i < MB_FACE_POINTS; i++) {
        double at[3] = {0, 0, height};
        lg_real_sincos(&at[1], &at[0], 2 * LG_PI * i / MB_FACE_POINTS);
        at[0] *= radius, at[1] *= radius;
        c = meet(k, MB_CONTACT_POINT, at);
        if (c == NULL) return 0;
        c->face = -1, c->radius[1] = tube;
    }
    return 1;
}

/* The contacts of a surface with a plane. 0: out of memory. */
static int meet_plane(const mb_meet *k)
{
    static const double origin[3] = {0, 0, 0};
    const double *half = k->of_b->half;
    double corner[24];
    switch (k->of_b->kind) {
    case LG_SURFACE_POINT:
        return points_meet(k, origin, 1, 0);
    case LG_SURFACE_SPHERE:
        return points_meet(k, origin, 1, half[0]);
    case LG_SURFACE_CAPSULE:
        memcpy(corner, (double[]){0, 0, -half[1], 0, 0, half[1]}, 6 * sizeof *corner);
        return points_meet(k, corner, 2, half[0]);
    case LG_SURFACE_BOX:
        for (int i = 0; i < 24; i++) corner[i] = (i / 3 >> i % 3 & 1 ? 1 : -1) * half[i % 3];
        return points_meet(k, corner, 8, 0);
    case LG_SURFACE_CYLINDER:
        return face_meets(k, -half[1], half[0], 0) && face_meets(k, half[1], half[0], 0);
    case LG_SURFACE_DISK:
        return face_meets(k, 0, half[0], 0);
    case LG_SURFACE_ELLIPSOID:
        return round_meets(k, 0, half[0], half[1], half[2]) != NULL;
    case LG_SURFACE_TORUS:
        return face_meets(k, 0, half[0], half[1]);
    default:
        return points_meet(k, k->of_b->point, k->of_b->points, 0);
    }
}

int mb_can_meet(const lg_surface *a, const lg_surface *b, int of_world)
{
    if (mb_shapes_can_touch(a->kind, b->kind)) return 1;
    if (a->kind != LG_SURFACE_PLANE || mb_is_ground(b->kind)) return 0;
    const int round = b->kind >= LG_SURFACE_CYLINDER && b->kind <= LG_SURFACE_TORUS;
    return !round || of_world;
}

/* ---- values of two surfaces ---- */

int mb_bits_meet(int contype, int conaffinity, int other_contype, int other_conaffinity)
{
    return (contype & other_conaffinity) != 0 || (other_contype & conaffinity) != 0;
}

lg_meeting_reason mb_friction_reason(const lg_surface *a, const lg_surface *b)
{
    return a->priority != b->priority                                         ? LG_MEETING_PRIORITY
           : a->rule == LG_FRICTION_GREATER && b->rule == LG_FRICTION_GREATER ? LG_MEETING_GREATER
                                                                              : LG_MEETING_SMALLER;
}

double mb_friction_of(const lg_surface *a, const lg_surface *b)
{
    if (a->priority != b->priority) return a->priority > b->priority ? a->friction : b->friction;
    return mb_friction_reason(a, b) == LG_MEETING_GREATER ? fmax(a->friction, b->friction)
                                                          : fmin(a->friction, b->friction);
}

/* The polytope of a box or a hull. */
static lg_status solidify(lg_mechanism *m, mb_surface *s, const lg_surface *from)
{
    const char *why = NULL;
    if ((from->kind != LG_SURFACE_BOX && from->kind != LG_SURFACE_HULL) || s->shape.solid != NULL) return LG_OK;
    mb_polytope *p = from->kind == LG_SURFACE_BOX ? mb_box(from->half) : mb_hull(from->point, from->points, &why);
    if (p == NULL && why == NULL) return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    if (p == NULL)
        return lg_fail(
            &m->error, LG_ERROR_UNSUPPORTED,
            "lg_mechanism_compile: surface '%.60s' is a hull that touches more than planes, and %s; or let it "
            "touch planes alone: --contacts ground (lg_mechanism_file::contacts), or pairs that are ignored",
            from->name, why);
    p->next = m->solid, m->solid = p, s->shape.solid = p;
    return LG_OK;
}

/* The contact where two surfaces that are no planes are nearest, and what it is about. */
static void near_of(mb_contact *c, const mb_meet *k)
{
    const double origin[3] = {0, 0, 0};
    const int balls = is_ball(k->of_a) && is_ball(k->of_b);
    describe(c, k, origin);
    c->kind = balls ? MB_CONTACT_SPHERES : MB_CONTACT_SHAPES;
    if (balls) {
        c->radius[0] = k->of_a->half[0], c->radius[1] = k->of_b->half[0];
    } else {
        c->room = mb_manifold_room(k->of_a->kind, k->of_b->kind);
        c->shape[0] = &k->a->shape, c->shape[1] = &k->b->shape;
    }
}

/* The polytopes of a pair that is no pair of balls. */
static lg_status solidify_both(const mb_meet *k)
{
    if (is_ball(k->of_a) && is_ball(k->of_b)) return LG_OK;
    const lg_status st = solidify(k->m, k->a, k->of_a);
    return st == LG_OK ? solidify(k->m, k->b, k->of_b) : st;
}

/* Where two surfaces that are no planes are nearest, and room for their features. */
static lg_status surfaces_meet(const mb_meet *k)
{
    const double origin[3] = {0, 0, 0};
    const lg_status st = solidify_both(k);
    if (st != LG_OK) return st;
    mb_contact *c = meet(k, MB_CONTACT_EMPTY, origin);
    if (c == NULL) return LG_ERROR_MEMORY;
    near_of(c, k);
    for (int i = c->room; i > 0; i--)
        if (meet(k, MB_CONTACT_EMPTY, origin) == NULL) return LG_ERROR_MEMORY;
    return LG_OK;
}

/* Why two kinds cannot touch, and what to take. */
static const char *instead_of(const mb_meet *k)
{
    const lg_surface_kind a = k->of_a->kind, b = k->of_b->kind;
    if (a == LG_SURFACE_PLANE && b == LG_SURFACE_PLANE) return "planes touch no planes; take a box for one";
    if (mb_is_ground(k->of_a->kind) && mb_is_ground(k->of_b->kind))
        return "planes and terrain touch neither planes nor terrain; take a box for one";
    if (mb_is_ground(k->of_a->kind) && a != LG_SURFACE_PLANE)
        return "terrain touches points, spheres, capsules, boxes and hulls alone; take these for the other";
    if (a == LG_SURFACE_PLANE) return "round surfaces touch no plane that moves; take a box for the plane, or a sphere";
    if (a == LG_SURFACE_DISK || b == LG_SURFACE_DISK)
        return "disks touch planes and spheres alone; take a thin cylinder for the disk";
    return "tori touch planes and spheres alone; take spheres along the torus";
}

/* The wheel of b's body that is on the plane a of the world already; NULL: none. */
static const lg_wheel *wheel_on(const mb_meet *k, int bodies)
{
    const lg_mechanism *m = k->m;
    if (k->of_a->kind != LG_SURFACE_PLANE || k->a->body != bodies || k->b->body >= bodies) return NULL;
    for (int i = 0; i < mb_seen(m, MB_WHEELS); i++) {
        const lg_wheel *w = MB_WHEEL_OF(m, i);
        const double length = lg_length(w->ground_normal, 3);
        double along = 0, off = 0;
        for (int c = 0; c < 3; c++) {
            const double n = k->a->frame[3 * c + 2];
            along += n * w->ground_normal[c] / length, off += n * (w->ground_point[c] - k->a->at[c]);
        }
        if (mb_find(m, MB_BODIES, w->body) == k->b->body && along > 1 - 1e-9 && fabs(off) < 1e-9) return w;
    }
    return NULL;
}

/* Whether surfaces may have contacts. */
static lg_status check_meeting(const mb_meet *k, int bodies)
{
    const lg_wheel *wheel = k->wheel < 0 ? wheel_on(k, bodies) : NULL;
    if (wheel != NULL)
        return lg_fail(
            &k->m->error, LG_ERROR_ARGUMENT,
            "lg_mechanism_compile: surface '%.60s' touches plane '%.60s', on which wheel '%.60s' of its body is: "
            "two models of one contact; leave one, or let an lg_surface_pair ignore them",
            k->of_b->name, k->of_a->name, wheel->name);
    if (!mb_can_meet(k->of_a, k->of_b, k->a->body == bodies))
        return lg_fail(
            &k->m->error, LG_ERROR_UNSUPPORTED,
            "lg_mechanism_compile: surfaces '%.60s' (%s) and '%.60s' (%s) cannot touch: %s, let an lg_surface_pair "
            "ignore them, or give them one group",
            k->of_a->name, lg_surface_kind_name(k->of_a->kind), k->of_b->name, lg_surface_kind_name(k->of_b->kind),
            instead_of(k));
    if (k->of_a->kind != LG_SURFACE_PLANE && (k->of_a->friction_along >= 0 || k->of_b->friction_along >= 0))
        return lg_fail(&k->m->error, LG_ERROR_UNSUPPORTED,
                       "lg_mechanism_compile: surfaces '%.60s' and '%.60s': one has friction_along, which counts on "
                       "planes alone; let an lg_surface_pair ignore them, or leave it out",
                       k->of_a->name, k->of_b->name);
    return LG_OK;
}

static lg_status meet_all(const mb_meet *k, int bodies)
{
    lg_status st = check_meeting(k, bodies);
    if (st == LG_OK && k->of_a->kind != LG_SURFACE_PLANE)
        st = surfaces_meet(k);
    else if (st == LG_OK && !meet_plane(k))
        st = LG_ERROR_MEMORY;
    if (st != LG_OK) return st;
    if (k->m->plan.contacts <= MB_CONTACTS_MOST) return LG_OK;
    return lg_fail(&k->m->error, LG_ERROR_UNSUPPORTED,
                   "lg_mechanism_compile: the surfaces have more than %d contacts, corner by corner; give those that "
                   "never touch one group, or ignore their pairs",
                   MB_CONTACTS_MOST);
}

/* ---- which surfaces touch ---- */

int mb_compare_keys(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t mb_pair_key(const lg_mechanism *m, int a, int b)
{
    const int64_t count = m->part[MB_BODIES].count + 1;
    return a < b ? a * count + b : b * count + a;
}

int64_t *mb_neighbours_of(const lg_mechanism *m, int *count)
{
    const int joints = mb_seen(m, MB_JOINTS), world = m->part[MB_BODIES].count;
    int64_t *key = malloc(((size_t)joints + 1) * sizeof *key);
    *count = 0;
    for (int j = 0; key != NULL && j < joints; j++) {
        const lg_joint *of = MB_JOINT_OF(m, j);
        if (of->kind == LG_JOINT_FREE) continue;
        if (of->kind != LG_JOINT_FIXED && (of->parent == NULL || of->child == NULL)) continue;
        const int a = of->parent != NULL ? mb_find(m, MB_BODIES, of->parent) : world;
        const int b = of->child != NULL ? mb_find(m, MB_BODIES, of->child) : world;
        key[(*count)++] = mb_pair_key(m, a, b);
    }
    if (key != NULL) qsort(key, (size_t)*count, sizeof *key, mb_compare_keys);
    return key;
}

/* The lg_surface_pair of two surfaces; NULL: none. */
static const lg_surface_pair *pair_of(const lg_mechanism *m, int first, int second)
{
    const mb_surfaces *p = m->made[MB_SURFACE_PAIRS];
    for (int i = 0; i < m->part[MB_SURFACE_PAIRS].count; i++)
        if (p[i].first == first && p[i].second == second) return MB_PAIR_OF(m, i);
    return NULL;
}

/* What surfaces i < j are to each other. */
static lg_surface_meeting meeting_of(const lg_mechanism *m, int i, int j)
{
    const mb_surface *s = m->made[MB_SURFACES];
    const lg_surface *a = MB_SURFACE_OF(m, i), *b = MB_SURFACE_OF(m, j);
    lg_surface_meeting is = {0};
    if (s[i].body == s[j].body) return is;
    const lg_surface_pair *own = pair_of(m, i, j);
    const int64_t key = mb_pair_key(m, s[i].body, s[j].body);
    if (own != NULL)
        is.reason = own->ignored ? LG_MEETING_IGNORED : LG_MEETING_PAIR;
    else if (a->group != 0 && a->group == b->group)
        is.reason = LG_MEETING_GROUP;
    else if (!mb_bits_meet(a->contype, a->conaffinity, b->contype, b->conaffinity))
        is.reason = LG_MEETING_BITS;
    else if (bsearch(&key, m->neighbour, (size_t)m->neighbours, sizeof key, mb_compare_keys) != NULL)
        is.reason = LG_MEETING_NEIGHBOURS;
    else
        is.reason = mb_friction_reason(a, b);
    is.touch = is.reason >= LG_MEETING_PAIR;
    if (!is.touch) return is;
    is.friction = mb_friction_of(a, b);
    const lg_surface *one = a->priority < b->priority ? b : a, *other = a->priority > b->priority ? a : b;
    is.restitution = fmin(one->restitution, other->restitution), is.viscous = fmax(one->viscous, other->viscous);
    if (own == NULL) return is;
    if (own->friction >= 0) is.friction = own->friction;
    if (own->restitution >= 0) is.restitution = own->restitution;
    if (own->viscous >= 0) is.viscous = own->viscous;
    if (own->friction < 0 && own->restitution < 0 && own->viscous < 0) is.reason = mb_friction_reason(a, b);
    return is;
}

lg_status lg_mechanism_surface_meeting(const lg_mechanism *m, lg_surface_meeting *meeting, int first, int second)
{
    if (m == NULL || meeting == NULL || !m->compiled || first < 0 || second < 0) return LG_ERROR_ARGUMENT;
    if (first >= m->part[MB_SURFACES].count || second >= m->part[MB_SURFACES].count) return LG_ERROR_ARGUMENT;
    *meeting = first < second ? meeting_of(m, first, second) : meeting_of(m, second, first);
    return LG_OK;
}

const char *lg_meeting_reason_text(lg_meeting_reason reason)
{
    static const char *const texts[] = {
        "both are of one body",           "a pair ignores them",
        "both are of one group",          "contype and conaffinity have no bit in common",
        "a joint connects their bodies",  "values of their pair",
        "values of the greater priority", "the smaller friction of both",
        "the greater friction of both"};
    return (int)reason >= 0 && reason <= LG_MEETING_GREATER ? texts[reason] : NULL;
}

/* What surfaces i < j are about. */
static mb_meet pair_meet(const lg_mechanism *m, int i, int j, const lg_surface_meeting *is)
{
    mb_surface *s = m->made[MB_SURFACES];
    const lg_surface *a = MB_SURFACE_OF(m, i), *b = MB_SURFACE_OF(m, j);
    const int turned = mb_is_ground(b->kind), p = turned ? j : i, q = turned ? i : j;
    return (mb_meet){.pair = {p, q},
                     .a = &s[p],
                     .b = &s[q],
                     .of_a = turned ? b : a,
                     .of_b = turned ? a : b,
                     .friction = is->friction,
                     .restitution = is->restitution,
                     .viscous = is->viscous,
                     .wheel = -1};
}

/* The contacts of surfaces i < j, if they may touch; with slots, only those of planes and terrain. */
static lg_status meet_pair(lg_mechanism *m, int i, int j, int slots)
{
    const lg_surface_meeting is = meeting_of(m, i, j);
    if (!is.touch) return LG_OK;
    mb_meet k = pair_meet(m, i, j, &is);
    k.m = m;
    const int bodies = m->part[MB_BODIES].count;
    if (!slots || mb_is_ground(k.of_a->kind)) return meet_all(&k, bodies);
    const lg_status st = check_meeting(&k, bodies);
    return st == LG_OK ? solidify_both(&k) : st;
}

int mb_pair_touches(const lg_mechanism *m, int i, int j)
{
    return meeting_of(m, i, j).touch;
}

void mb_pair_contacts(const lg_mechanism *m, mb_contact *c, int i, int j, int count)
{
    const lg_surface_meeting is = meeting_of(m, i, j);
    const mb_meet k = pair_meet(m, i, j, &is);
    const double origin[3] = {0, 0, 0};
    for (int e = 0; e < count; e++) {
        c[e] = (mb_contact){.kind = MB_CONTACT_EMPTY,
                            .rows = rows_of(is.friction, is.viscous),
                            .side = 1,
                            .body = {k.a->body, k.b->body}};
        if (e == 0)
            near_of(c, &k);
        else
            describe(c + e, &k, origin);
    }
}

/* Pairs without a plane or a terrain that touch, the most features of one, and the rows of a contact. */
static int64_t count_pairs(const lg_mechanism *m, int *room, int *rows)
{
    const int surfaces = m->part[MB_SURFACES].count;
    int64_t count = 0;
    *room = 0, *rows = 1;
    for (int i = 0; i < surfaces; i++)
        for (int j = i + 1; j < surfaces; j++) {
            const lg_surface *a = MB_SURFACE_OF(m, i), *b = MB_SURFACE_OF(m, j);
            if (mb_is_ground(a->kind) || mb_is_ground(b->kind)) continue;
            const lg_surface_meeting is = meeting_of(m, i, j);
            if (!is.touch) continue;
            const int own = mb_manifold_room(a->kind, b->kind), most = rows_of(is.friction, is.viscous);
            count++, *room = own > *room ? own : *room, *rows = most > *rows ? most : *rows;
        }
    return count;
}

/* A wheel with real contact is a surface on a plane of the world. */
static lg_status meet_ground(lg_mechanism *m, int i)
{
    const lg_wheel *from = MB_WHEEL_OF(m, i);
    const mb_wheel *w = &m->wheel[i];
    const double none[3] = {0, 0, 0};
    mb_surface ground = {.body = m->part[MB_BODIES].count}, rim = {.body = w->b};
    const lg_surface plane = {.kind = LG_SURFACE_PLANE, .name = "ground", .friction_along = -1};
    const lg_surface own = {.kind = from->kind == LG_WHEEL_BALL ? LG_SURFACE_SPHERE
                                    : from->tube > 0            ? LG_SURFACE_TORUS
                                                                : LG_SURFACE_DISK,
                            .name = from->name,
                            .half = {from->radius, from->tube},
                            .friction_along = from->friction_along};
    memcpy(ground.at, w->origin, sizeof ground.at), memcpy(rim.at, w->centre, sizeof rim.at);
    (void)mb_frame_from(ground.frame, w->normal, none), (void)mb_frame_from(rim.frame, w->axle, none);
    const mb_meet k = {.m = m,
                       .pair = {-1, -1},
                       .a = &ground,
                       .b = &rim,
                       .of_a = &plane,
                       .of_b = &own,
                       .friction = from->friction,
                       .restitution = from->restitution,
                       .wheel = i};
    return meet_all(&k, ground.body);
}

lg_status mb_make_contacts(lg_mechanism *m)
{
    const int surfaces = m->part[MB_SURFACES].count;
    lg_status st = LG_OK;
    for (int i = 0; i < m->part[MB_WHEELS].count && st == LG_OK; i++)
        if (MB_WHEEL_OF(m, i)->contact == LG_CONTACT_REAL) st = meet_ground(m, i);
    if (surfaces == 0 || st != LG_OK) return st;
    m->neighbour = mb_neighbours_of(m, &m->neighbours);
    if (m->neighbour == NULL) return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    int room, rows;
    const int64_t pairs = count_pairs(m, &room, &rows);
    const int slots = pairs > MB_PAIRS_MOST;
    for (int i = 0; i < surfaces && st == LG_OK; i++)
        for (int j = i + 1; j < surfaces && st == LG_OK; j++) st = meet_pair(m, i, j, slots);
    if (!slots || st != LG_OK) return st;
    m->nearby = mb_near_make(m, pairs, room, rows);
    return m->nearby != NULL ? LG_OK : lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
}
