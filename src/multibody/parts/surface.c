/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces of bodies, and the contacts between them: one for each corner, end or rim of one surface on another. */
#include <stdlib.h>

#include <liegrp/groups/so3.h>
#include <liegrp/multibody/parameters.h>

#include "groups/rotation.h"
#include "multibody/contact/contact.h"
#include "multibody/parts/part.h"
#include "multibody/scene.h"

enum { MB_FACE_POINTS = 12, MB_CONTACTS_MOST = 40000 };

static const char *const kinds[] = {"point", "sphere",    "capsule", "box",  "cylinder",
                                    "disk",  "ellipsoid", "torus",   "hull", "plane"};
/* How many of lg_surface::half count. */
static const int sizes[] = {0, 1, 2, 3, 2, 1, 3, 2, 0, 0};

const char *lg_surface_kind_name(lg_surface_kind kind)
{
    return (int)kind >= 0 && kind <= LG_SURFACE_PLANE ? kinds[kind] : NULL;
}

static const mb_field fields[] = {
    {"friction", "", offsetof(lg_surface, friction)},
    {"restitution", "", offsetof(lg_surface, restitution)},
    {NULL, NULL, 0},
};
static const mb_field pair_fields[] = {
    {"friction", "", offsetof(lg_surface_pair, friction)},
    {"restitution", "", offsetof(lg_surface_pair, restitution)},
    {NULL, NULL, 0},
};

/* ---- descriptions ---- */

static lg_status check_values(lg_mechanism *m, const char *noun, const char *name, double friction, double restitution)
{
    if (!(friction >= 0) || !isfinite(friction))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s '%.60s': friction is %g; it must be finite and not negative",
                       noun, name, friction);
    if (!(restitution >= 0 && restitution <= 1))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s '%.60s': restitution is %g; it must be from 0 to 1", noun,
                       name, restitution);
    return LG_OK;
}

static lg_status check_surface(lg_mechanism *m, void *part)
{
    lg_surface *own = part;
    lg_error *e = &m->error;
    if (lg_surface_kind_name(own->kind) == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT, "surface '%.60s': kind %d is not an lg_surface_kind", own->name,
                       (int)own->kind);
    for (int i = sizes[own->kind]; i < 3; i++) own->half[i] = 0;
    for (int i = 0; i < sizes[own->kind]; i++)
        if (!(own->half[i] > 0) || !isfinite(own->half[i]))
            return lg_fail(e, LG_ERROR_ARGUMENT, "surface '%.60s': half[%d] of a %s is %g; it must be positive",
                           own->name, i, kinds[own->kind], own->half[i]);
    if (!lg_all_finite(own->position, 3) || !lg_all_finite(own->attitude, 4))
        return lg_fail(e, LG_ERROR_ARGUMENT, "surface '%.60s': position or attitude is not finite", own->name);
    const double length = lg_length(own->attitude, 4);
    if (!(length > 0))
        return lg_fail(e, LG_ERROR_ARGUMENT, "surface '%.60s': the attitude is a quaternion of length 0", own->name);
    for (int k = 0; k < 4; k++) own->attitude[k] /= length;
    if (own->kind == LG_SURFACE_HULL) {
        if (own->points < 1 || own->points > LG_SURFACE_POINTS || own->point == NULL)
            return lg_fail(e, LG_ERROR_ARGUMENT, "surface '%.60s': a hull has %d points; give 1 to %d", own->name,
                           own->point != NULL ? own->points : 0, LG_SURFACE_POINTS);
        if (!lg_all_finite(own->point, 3 * (size_t)own->points))
            return lg_fail(e, LG_ERROR_ARGUMENT, "surface '%.60s': a point is not finite", own->name);
    } else if (own->points != 0) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "surface '%.60s': a %s has no points; only a hull has", own->name,
                       kinds[own->kind]);
    }
    return check_values(m, "surface", own->name, own->friction, own->restitution);
}

static int own_points(void *part)
{
    lg_surface *own = part;
    const size_t bytes = 3 * (size_t)own->points * sizeof(double);
    if (own->points == 0) {
        own->point = NULL;
        return 1;
    }
    double *copy = malloc(bytes);
    if (copy == NULL) return 0;
    memcpy(copy, own->point, bytes);
    own->point = copy;
    return 1;
}

static void disown_points(void *part)
{
    free((void *)(uintptr_t)((lg_surface *)part)->point);
}

static lg_status check_pair(lg_mechanism *m, void *part)
{
    const lg_surface_pair *own = part;
    if (own->ignored != 0 && own->ignored != 1)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "surface pair '%.60s': ignored is %d; it must be 0 or 1",
                       own->name, own->ignored);
    return check_values(m, "surface pair", own->name, own->friction < 0 ? 0 : own->friction,
                        own->restitution < 0 ? 0 : own->restitution);
}

/* ---- on bodies ---- */

/* A surface on its body: its frame from the centre of mass, in the body's axes. */
typedef struct mb_surface {
    int body;
    double at[3], frame[9];
} mb_surface;

#define MB_SURFACE_OF(m, i) MB_PART(m, MB_SURFACES, lg_surface, i)
#define MB_PAIR_OF(m, i)    MB_PART(m, MB_SURFACE_PAIRS, lg_surface_pair, i)

static lg_status make_surface(lg_mechanism *m, int i)
{
    const lg_surface *from = MB_SURFACE_OF(m, i);
    mb_surface *s = &((mb_surface *)m->made[MB_SURFACES])[i];
    s->body = from->body == NULL ? m->part[MB_BODIES].count : mb_find(m, MB_BODIES, from->body);
    if (s->body < 0) return mb_unknown(m, "surface", from->name, "body", from->body);
    const mb_placed at = mb_placed_of(m, s->body);
    mb_anchor(s->at, &at, from->position);
    lg_so3_to_matrix(s->frame, from->attitude);
    return LG_OK;
}

/* What a pair is about: its surfaces, in ascending order. */
typedef struct mb_surfaces {
    int first, second;
} mb_surfaces;

static lg_status make_pair(lg_mechanism *m, int i)
{
    const lg_surface_pair *from = MB_PAIR_OF(m, i);
    mb_surfaces *p = &((mb_surfaces *)m->made[MB_SURFACE_PAIRS])[i];
    const int a = mb_find(m, MB_SURFACES, from->first), b = mb_find(m, MB_SURFACES, from->second);
    if (a < 0 || b < 0)
        return mb_unknown(m, "surface pair", from->name, "surface", a < 0 ? from->first : from->second);
    if (a == b)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "surface pair '%.60s' pairs '%.60s' with itself", from->name,
                       from->first);
    const mb_surface *s = m->made[MB_SURFACES];
    if (s[a].body == s[b].body)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "surface pair '%.60s': '%.60s' and '%.60s' are both of %s, and never touch", from->name,
                       from->first, from->second, s[a].body < m->part[MB_BODIES].count ? "one body" : "the world");
    *p = (mb_surfaces){a < b ? a : b, a < b ? b : a};
    for (int k = 0; k < i; k++) {
        const mb_surfaces *other = p - i + k;
        if (other->first == p->first && other->second == p->second)
            return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                           "surface pair '%.60s': pair '%.60s' is of the same surfaces; give one", from->name,
                           MB_PAIR_OF(m, k)->name);
    }
    return LG_OK;
}

/* The place x of a surface's frame, on its body. */
static void place(double *out, const mb_surface *s, const double *x)
{
    for (int k = 0; k < 3; k++) out[k] = s->at[k] + lg_dot(s->frame + 3 * k, x, 3);
}

/* Surfaces a and b with what they are to each other; a plane is a. */
typedef struct mb_meet {
    lg_mechanism *m;
    int pair[2];
    const mb_surface *a, *b;
    const lg_surface *of_a, *of_b;
    double friction, restitution;
} mb_meet;

/* A contact of a with the place x of b's frame; NULL: out of memory, or there are too many. */
static mb_contact *meet(const mb_meet *k, mb_contact_kind kind, const double *x)
{
    mb_contact *c = mb_contact_add(k->m, (int)kind, k->friction > 0 ? 3 : 1, k->a->body, k->b->body);
    if (c == NULL) return NULL;
    memcpy(c->at[0], k->a->at, sizeof c->at[0]);
    place(c->at[1], k->b, x);
    memcpy(c->frame[0], k->a->frame, sizeof c->frame[0]), memcpy(c->frame[1], k->b->frame, sizeof c->frame[1]);
    memcpy(c->surface, k->pair, sizeof c->surface);
    c->friction = k->friction, c->restitution = k->restitution;
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
        const double turn = 2 * LG_PI * i / MB_FACE_POINTS, at[3] = {radius * cos(turn), radius * sin(turn), height};
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

static int is_ball(const lg_surface *s)
{
    return s->kind == LG_SURFACE_SPHERE || s->kind == LG_SURFACE_POINT;
}

/* 1: contacts of these surfaces have rows. */
static int can_meet(const mb_meet *k, int bodies)
{
    if (is_ball(k->of_a) && is_ball(k->of_b)) return 1;
    if (k->of_a->kind != LG_SURFACE_PLANE || k->of_b->kind == LG_SURFACE_PLANE) return 0;
    const int round = k->of_b->kind >= LG_SURFACE_CYLINDER && k->of_b->kind <= LG_SURFACE_TORUS;
    return !round || k->a->body == bodies;
}

static lg_status meet_all(const mb_meet *k, int bodies)
{
    if (!can_meet(k, bodies))
        return lg_fail(&k->m->error, LG_ERROR_UNSUPPORTED,
                       "lg_mechanism_compile: surfaces '%.60s' (%s) and '%.60s' (%s) cannot touch: surfaces touch planes, "
                       "points and spheres each other, and round ones planes of the world alone; let an lg_surface_pair "
                       "ignore them, give them one group, or take spheres and points",
                       k->of_a->name, kinds[k->of_a->kind], k->of_b->name, kinds[k->of_b->kind]);
    int well;
    if (is_ball(k->of_a)) {
        mb_contact *c = meet(k, MB_CONTACT_SPHERES, (double[3]){0, 0, 0});
        well = c != NULL;
        if (well) c->radius[0] = k->of_a->half[0], c->radius[1] = k->of_b->half[0];
    } else {
        well = meet_plane(k);
    }
    if (!well) return LG_ERROR_MEMORY;
    if (k->m->plan.contacts <= MB_CONTACTS_MOST) return LG_OK;
    return lg_fail(&k->m->error, LG_ERROR_UNSUPPORTED,
                   "lg_mechanism_compile: the surfaces have more than %d contacts, corner by corner; give those that "
                   "never touch one group, or ignore their pairs",
                   MB_CONTACTS_MOST);
}

/* ---- which surfaces touch ---- */

static int descending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t key_of(const lg_mechanism *m, int a, int b)
{
    const int64_t count = m->part[MB_BODIES].count + 1;
    return a < b ? a * count + b : b * count + a;
}

/* Keys of the `count` pairs of bodies with a joint between them that is not free, ascending; NULL: out of memory. */
static int64_t *neighbours_of(const lg_mechanism *m, int *count)
{
    const int joints = mb_seen(m, MB_JOINTS), world = m->part[MB_BODIES].count;
    int64_t *key = malloc(((size_t)joints + 1) * sizeof *key);
    *count = 0;
    for (int j = 0; key != NULL && j < joints; j++) {
        const lg_joint *of = MB_JOINT_OF(m, j);
        if (of->kind == LG_JOINT_FREE) continue;
        const int a = of->parent != NULL ? mb_find(m, MB_BODIES, of->parent) : world;
        const int b = of->child != NULL ? mb_find(m, MB_BODIES, of->child) : world;
        key[(*count)++] = key_of(m, a, b);
    }
    if (key != NULL) qsort(key, (size_t)*count, sizeof *key, descending);
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

/* The contacts of surfaces i < j, if they may touch. */
static lg_status meet_pair(lg_mechanism *m, int i, int j, const int64_t *neighbours, int count)
{
    const mb_surface *s = m->made[MB_SURFACES];
    const lg_surface *a = MB_SURFACE_OF(m, i), *b = MB_SURFACE_OF(m, j);
    const int world = m->part[MB_BODIES].count;
    if (s[i].body == s[j].body) return LG_OK;
    const lg_surface_pair *own = pair_of(m, i, j);
    const int64_t key = key_of(m, s[i].body, s[j].body);
    if (own != NULL ? own->ignored
                    : (a->group != 0 && a->group == b->group) ||
                          bsearch(&key, neighbours, (size_t)count, sizeof key, descending) != NULL)
        return LG_OK;
    const int turned = b->kind == LG_SURFACE_PLANE, p = turned ? j : i, q = turned ? i : j;
    mb_meet k = {m, {p, q}, &s[p], &s[q], turned ? b : a, turned ? a : b, 0, 0};
    k.friction = own != NULL && own->friction >= 0 ? own->friction : fmin(a->friction, b->friction);
    k.restitution = own != NULL && own->restitution >= 0 ? own->restitution : fmin(a->restitution, b->restitution);
    return meet_all(&k, world);
}

lg_status mb_make_contacts(lg_mechanism *m)
{
    const int surfaces = m->part[MB_SURFACES].count;
    lg_status st = LG_OK;
    if (surfaces == 0) return LG_OK;
    int count;
    int64_t *neighbours = neighbours_of(m, &count);
    if (neighbours == NULL) return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    for (int i = 0; i < surfaces && st == LG_OK; i++)
        for (int j = i + 1; j < surfaces && st == LG_OK; j++) st = meet_pair(m, i, j, neighbours, count);
    free(neighbours);
    return st;
}

/* ---- the rest of the part ---- */

static double surface_reach(const lg_mechanism *m, int i)
{
    const lg_surface *from = MB_SURFACE_OF(m, i);
    const mb_surface *s = &((const mb_surface *)m->made[MB_SURFACES])[i];
    double far = from->kind == LG_SURFACE_CAPSULE || from->kind == LG_SURFACE_TORUS ? from->half[0] + from->half[1]
                                                                                    : lg_length(from->half, 3);
    for (int k = 0; k < from->points; k++) far = fmax(far, lg_length(from->point + 3 * k, 3));
    return from->kind == LG_SURFACE_PLANE ? 0 : lg_length(s->at, 3) + far;
}

static void describe_surface(lg_lines *l, const lg_mechanism *m, int i)
{
    const lg_surface *from = MB_SURFACE_OF(m, i);
    const mb_surface *s = &((const mb_surface *)m->made[MB_SURFACES])[i];
    lg_lines_text(l, "surface", from->name);
    lg_lines_number(l, "kind", (double)from->kind), lg_lines_number(l, "body", s->body);
    lg_lines_numbers(l, "half", from->half, 3);
    lg_lines_numbers(l, "at", s->at, 3), lg_lines_numbers(l, "frame", s->frame, 9);
    lg_lines_numbers(l, "points", from->point, 3 * (size_t)from->points);
    lg_lines_number(l, "friction", from->friction), lg_lines_number(l, "restitution", from->restitution);
    lg_lines_number(l, "group", from->group);
}

static void describe_pair(lg_lines *l, const lg_mechanism *m, int i)
{
    const lg_surface_pair *from = MB_PAIR_OF(m, i);
    lg_lines_text(l, "surface-pair", from->name);
    lg_lines_text(l, "first", from->first), lg_lines_text(l, "second", from->second);
    lg_lines_number(l, "ignored", from->ignored);
    lg_lines_number(l, "friction", from->friction), lg_lines_number(l, "restitution", from->restitution);
}

static void add_look(const struct mb_maker *k, const lg_surface *from, lg_shape_kind kind, double x, double y, double z,
                     double up)
{
    const int body = from->body != NULL ? mb_find(k->m, MB_BODIES, from->body) : -1;
    lg_shape s = lg_shape_default(from->name, kind, body);
    double R[9];
    lg_so3_to_matrix(R, from->attitude);
    for (int i = 0; i < 3; i++) s.position[i] = from->position[i] + up * R[3 * i + 2];
    memcpy(s.attitude, from->attitude, sizeof s.attitude);
    s.dimensions[0] = x, s.dimensions[1] = y, s.dimensions[2] = z;
    s.shade = kind == LG_SHAPE_PLANE ? LG_SHADE_GROUND : LG_SHADE_WHEEL;
    mb_look_add(k, &s);
}

/* Points and hulls are not shown. */
static void show_surface(const struct mb_maker *k, int i)
{
    const lg_surface *from = MB_SURFACE_OF(k->m, i);
    const double *half = from->half;
    switch (from->kind) {
    case LG_SURFACE_SPHERE:
        add_look(k, from, LG_SHAPE_SPHERE, half[0], 0, 0, 0);
        break;
    case LG_SURFACE_CAPSULE:
        add_look(k, from, LG_SHAPE_CYLINDER, half[0], 2 * half[1], 0, 0);
        for (int end = -1; end < 2; end += 2) add_look(k, from, LG_SHAPE_SPHERE, half[0], 0, 0, end * half[1]);
        break;
    case LG_SURFACE_BOX:
        add_look(k, from, LG_SHAPE_BOX, 2 * half[0], 2 * half[1], 2 * half[2], 0);
        break;
    case LG_SURFACE_CYLINDER:
    case LG_SURFACE_DISK:
        add_look(k, from, LG_SHAPE_CYLINDER, half[0], 2 * half[1], 0, 0);
        break;
    case LG_SURFACE_ELLIPSOID:
        add_look(k, from, LG_SHAPE_ELLIPSOID, half[0], half[1], half[2], 0);
        break;
    case LG_SURFACE_TORUS:
        add_look(k, from, LG_SHAPE_TORUS, half[0], half[1], 0, 0);
        break;
    case LG_SURFACE_PLANE:
        add_look(k, from, LG_SHAPE_PLANE, 0, 0, 0, 0);
        break;
    default:
        break;
    }
}

static void mark_surface(const struct mb_maker *k, int i)
{
    const lg_surface *from = MB_SURFACE_OF(k->m, i);
    const int body = from->body != NULL ? mb_find(k->m, MB_BODIES, from->body) : -1;
    if (body >= 0 && from->kind != LG_SURFACE_PLANE && from->kind != LG_SURFACE_POINT && from->kind != LG_SURFACE_HULL &&
        k->shown[body] == MB_SHOWN_BOX)
        k->shown[body] = MB_SHOWN_PART;
}

static const lg_surface standard = {
    .size = sizeof standard, .kind = LG_SURFACE_SPHERE, .attitude = {0, 0, 0, 1}, .friction = 0.5};
static const lg_surface_pair pair_standard = {.size = sizeof pair_standard, .friction = -1, .restitution = -1};

const mb_part_kind mb_surface_part = {
    .noun = "surface",
    .size = LG_SIZED_AS(lg_surface, point, "start from lg_surface_default()"),
    .standard = &standard,
    .strings = 2,
    .string = {offsetof(lg_surface, name), offsetof(lg_surface, body)},
    .own = own_points,
    .disown = disown_points,
    .fields = fields,
    .check = check_surface,
    .numbers = sizeof(mb_surface),
    .make = make_surface,
    .reach = surface_reach,
    .describe = describe_surface,
    .mark = mark_surface,
    .show = show_surface,
};

const mb_part_kind mb_surface_pair_part = {
    .noun = "surface pair",
    .size = LG_SIZED_AS(lg_surface_pair, restitution, "start from lg_surface_pair_default()"),
    .standard = &pair_standard,
    .strings = 3,
    .string = {offsetof(lg_surface_pair, name), offsetof(lg_surface_pair, first), offsetof(lg_surface_pair, second)},
    .fields = pair_fields,
    .check = check_pair,
    .numbers = sizeof(mb_surfaces),
    .make = make_pair,
    .describe = describe_pair,
};
