/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces of bodies, and pairs of them. contact/meet.c makes their contacts. */
#include <stdlib.h>

#include <liegrp/groups/so3.h>
#include <liegrp/multibody/parameters.h>

#include "groups/rotation.h"
#include "multibody/contact/meet.h"
#include "multibody/contact/shapes/terrain.h"
#include "multibody/parts/part.h"
#include "multibody/scene.h"
#include "scene/mesh/mesh.h"

static const char *const kinds[] = {"point",     "sphere", "capsule", "box",   "cylinder",  "disk",
                                    "ellipsoid", "torus",  "hull",    "plane", "triangles", "heights"};
/* How many of lg_surface::half count. */
static const int sizes[] = {0, 1, 2, 3, 2, 1, 3, 2, 0, 0, 0, 2};

const char *lg_surface_kind_name(lg_surface_kind kind)
{
    return (int)kind >= 0 && kind <= LG_SURFACE_HEIGHTS ? kinds[kind] : NULL;
}

static const mb_field fields[] = {
    {"friction", "", offsetof(lg_surface, friction)},
    {"restitution", "", offsetof(lg_surface, restitution)},
    {"viscous", "s/m", offsetof(lg_surface, viscous)},
    {"friction_along", "", offsetof(lg_surface, friction_along)},
    {NULL, NULL, 0},
};
static const mb_field pair_fields[] = {
    {"friction", "", offsetof(lg_surface_pair, friction)},
    {"restitution", "", offsetof(lg_surface_pair, restitution)},
    {"viscous", "s/m", offsetof(lg_surface_pair, viscous)},
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
            return lg_fail(e, LG_ERROR_ARGUMENT, "surface '%.60s': half[%d] is %g; of kind %s it must be positive",
                           own->name, i, own->half[i], kinds[own->kind]);
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
        if (!lg_all_finite(own->point, 3 * own->points))
            return lg_fail(e, LG_ERROR_ARGUMENT, "surface '%.60s': a point is not finite", own->name);
    } else if (own->points != 0 && own->kind != LG_SURFACE_TRIANGLES) {
        return lg_fail(e, LG_ERROR_ARGUMENT, "surface '%.60s': a %s has no points; only a hull has", own->name,
                       kinds[own->kind]);
    }
    const lg_status ground = mb_check_terrain(m, own);
    if (ground != LG_OK) return ground;
    if (!(own->viscous >= 0) || !isfinite(own->viscous))
        return lg_fail(e, LG_ERROR_ARGUMENT, "surface '%.60s': viscous is %g; it must be finite and not negative",
                       own->name, own->viscous);
    if ((int)own->rule < LG_FRICTION_SMALLER || (int)own->rule > LG_FRICTION_GREATER)
        return lg_fail(e, LG_ERROR_ARGUMENT, "surface '%.60s': rule %d is not an lg_friction_rule", own->name,
                       (int)own->rule);
    const lg_status st = check_values(m, "surface", own->name, own->friction, own->restitution);
    if (st != LG_OK) return st;
    if (own->friction_along > own->friction || !isfinite(own->friction_along))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "surface '%.60s': friction_along is %g; it must be from 0 to the friction, %g, which is that "
                       "across, or negative: turn the frame",
                       own->name, own->friction_along, own->friction);
    if (own->friction_along >= 0 && own->kind == LG_SURFACE_PLANE)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "surface '%.60s': a plane has no heading; friction_along is that of what slides on it",
                       own->name);
    return LG_OK;
}

/* Points, heights and triangles in one block. */
static int own_points(void *part)
{
    lg_surface *own = part;
    const size_t points = 3 * (size_t)own->points, heights = (size_t)own->rows * (size_t)own->columns;
    const size_t corners = 3 * (size_t)own->triangles, doubles = points + heights;
    const lg_surface given = *own;
    own->point = own->height = NULL, own->triangle = NULL;
    if (doubles == 0) return 1;
    double *copy = malloc(doubles * sizeof(double) + corners * sizeof(int));
    if (copy == NULL) return 0;
    if (points > 0) own->point = memcpy(copy, given.point, points * sizeof *copy);
    if (heights > 0) own->height = memcpy(copy + points, given.height, heights * sizeof *copy);
    if (corners > 0) own->triangle = memcpy(copy + doubles, given.triangle, corners * sizeof(int));
    return 1;
}

static void disown_points(void *part)
{
    const lg_surface *own = part;
    free((void *)(uintptr_t)(own->points > 0 ? own->point : own->height));
}

static lg_status check_pair(lg_mechanism *m, void *part)
{
    const lg_surface_pair *own = part;
    if (own->ignored != 0 && own->ignored != 1)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "surface pair '%.60s': ignored is %d; it must be 0 or 1",
                       own->name, own->ignored);
    if (!isfinite(own->viscous))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "surface pair '%.60s': viscous is %g; it must be finite",
                       own->name, own->viscous);
    return check_values(m, "surface pair", own->name, own->friction < 0 ? 0 : own->friction,
                        own->restitution < 0 ? 0 : own->restitution);
}

/* ---- on bodies ---- */

/* The point farthest from the origin of its frame. */
static double far_of(const lg_surface *from)
{
    double far = from->kind == LG_SURFACE_CAPSULE || from->kind == LG_SURFACE_TORUS ? from->half[0] + from->half[1]
                                                                                    : lg_length(from->half, 3);
    for (int k = 0; k < from->points; k++) far = fmax(far, lg_length(from->point + 3 * k, 3));
    for (int k = 0; k < from->rows * from->columns; k++)
        far = fmax(far, lg_length((const double[]){from->half[0], from->half[1], from->height[k]}, 3));
    return far;
}

static lg_status make_surface(lg_mechanism *m, int i)
{
    const lg_surface *from = MB_SURFACE_OF(m, i);
    mb_surface *s = &((mb_surface *)m->made[MB_SURFACES])[i];
    s->body = from->body == NULL ? m->part[MB_BODIES].count : mb_find(m, MB_BODIES, from->body);
    if (s->body < 0) return mb_unknown(m, "surface", from->name, "body", from->body);
    const mb_placed at = mb_placed_of(m, s->body);
    mb_anchor(s->at, &at, from->position);
    lg_so3_to_matrix(s->frame, from->attitude);
    s->shape = (mb_shape){.kind = from->kind, .reach = far_of(from)};
    memcpy(s->shape.half, from->half, sizeof s->shape.half);
    if (from->kind == LG_SURFACE_SPHERE || from->kind == LG_SURFACE_CAPSULE) s->shape.radius = from->half[0];
    if (from->kind == LG_SURFACE_TORUS) s->shape.radius = from->half[1];
    return from->kind >= LG_SURFACE_TRIANGLES ? mb_make_terrain(m, s, from) : LG_OK;
}

static lg_status make_pair(lg_mechanism *m, int i)
{
    const lg_surface_pair *from = MB_PAIR_OF(m, i);
    mb_surfaces *p = &((mb_surfaces *)m->made[MB_SURFACE_PAIRS])[i];
    const int a = mb_find(m, MB_SURFACES, from->first), b = mb_find(m, MB_SURFACES, from->second);
    if (a < 0 || b < 0) return mb_unknown(m, "surface pair", from->name, "surface", a < 0 ? from->first : from->second);
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

/* ---- the rest of the part ---- */

static double surface_reach(const lg_mechanism *m, int i)
{
    const lg_surface *from = MB_SURFACE_OF(m, i);
    const mb_surface *s = &((const mb_surface *)m->made[MB_SURFACES])[i];
    return mb_is_ground(from->kind) ? 0 : lg_length(s->at, 3) + far_of(from);
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
    if (from->rows > 0) lg_lines_number(l, "rows", from->rows);
    if (from->rows > 0) lg_lines_numbers(l, "heights", from->height, (size_t)from->rows * (size_t)from->columns);
    for (int k = 0; k < 3 * from->triangles; k++) lg_lines_number(l, "triangle", from->triangle[k]);
    lg_lines_number(l, "friction", from->friction), lg_lines_number(l, "restitution", from->restitution);
    lg_lines_number(l, "group", from->group), lg_lines_number(l, "viscous", from->viscous);
    lg_lines_number(l, "contype", from->contype), lg_lines_number(l, "conaffinity", from->conaffinity);
    lg_lines_number(l, "priority", from->priority), lg_lines_number(l, "rule", (double)from->rule);
    if (from->friction_along >= 0) lg_lines_number(l, "friction-along", from->friction_along);
}

static void describe_pair(lg_lines *l, const lg_mechanism *m, int i)
{
    const lg_surface_pair *from = MB_PAIR_OF(m, i);
    lg_lines_text(l, "surface-pair", from->name);
    lg_lines_text(l, "first", from->first), lg_lines_text(l, "second", from->second);
    lg_lines_number(l, "ignored", from->ignored);
    lg_lines_number(l, "friction", from->friction), lg_lines_number(l, "restitution", from->restitution);
    lg_lines_number(l, "viscous", from->viscous);
}

static int body_of(const struct mb_maker *k, const lg_surface *from)
{
    return from->body != NULL ? mb_find(k->m, MB_BODIES, from->body) : -1;
}

static void add_look(const struct mb_maker *k, const lg_surface *from, lg_shape_kind kind, double x, double y, double z,
                     double up)
{
    lg_shape s = lg_shape_default(from->name, (int)kind, body_of(k, from));
    double R[9];
    lg_so3_to_matrix(R, from->attitude);
    for (int i = 0; i < 3; i++) s.position[i] = from->position[i] + up * R[3 * i + 2];
    memcpy(s.attitude, from->attitude, sizeof s.attitude);
    s.dimensions[0] = x, s.dimensions[1] = y, s.dimensions[2] = z;
    s.shade = kind == LG_SHAPE_PLANE ? LG_SHADE_GROUND : LG_SHADE_WHEEL;
    mb_look_add(k, &s);
}

/* A point as a small ball of `size`. */
static void add_mark(const struct mb_maker *k, const lg_surface *from, const double *at, double size)
{
    lg_surface s = *from;
    double x[3];
    lg_so3_act(x, from->attitude, at);
    for (int i = 0; i < 3; i++) s.position[i] += x[i];
    add_look(k, &s, LG_SHAPE_SPHERE, size, 0, 0, 0);
}

/* The size of its body, or of the mechanism. */
static double mark_size(const struct mb_maker *k, const lg_surface *from)
{
    const int body = body_of(k, from);
    return body >= 0 && k->size[body] > 0 ? k->size[body] : k->m->plan.reach;
}

/* 1: the points of a hull fill a volume, which may be shown. */
static int has_volume(const lg_surface *from)
{
    lg_mesh points = {0}, hull = {0};
    lg_error error;
    lg_status st = lg_mesh_of_points(&points, from->point, from->points, from->name, &error);
    if (st == LG_OK) st = lg_mesh_hull(&hull, &points, from->name, &error);
    lg_mesh_free(&points), lg_mesh_free(&hull);
    return st == LG_OK;
}

static void show_hull(const struct mb_maker *k, const lg_surface *from)
{
    if (from->points >= 4 && has_volume(from)) {
        lg_shape s = lg_shape_default(from->name, LG_SHAPE_MESH, body_of(k, from));
        memcpy(s.position, from->position, sizeof s.position), memcpy(s.attitude, from->attitude, sizeof s.attitude);
        s.points = from->points, s.point = from->point;
        mb_look_add(k, &s);
        return;
    }
    for (int i = 0; i < from->points; i++) add_mark(k, from, from->point + 3 * i, 0.02 * mark_size(k, from));
}

static void show_terrain(const struct mb_maker *k, const lg_surface *from, const mb_terrain *g)
{
    lg_shape s = lg_shape_default(from->name, LG_SHAPE_MESH, -1);
    memcpy(s.position, from->position, sizeof s.position), memcpy(s.attitude, from->attitude, sizeof s.attitude);
    s.points = g->vertices, s.point = g->vertex[0], s.triangles = g->triangles, s.triangle = g->corner[0];
    s.shade = LG_SHADE_GROUND;
    mb_look_add(k, &s);
}

/* Drawn without end, that of a body would hide what is behind it: it is a sheet about as large as the body, or nothing
 * where other surfaces or shapes of its own show the body. */
static void show_plane(const struct mb_maker *k, const lg_surface *from)
{
    double far = 0;
    const int body = body_of(k, from);
    if (body < 0) {
        add_look(k, from, LG_SHAPE_PLANE, 0, 0, 0, 0);
        return;
    }
    if (k->shown[body] == MB_SHOWN_PART || k->shown[body] == MB_SHOWN_OWN) return;
    lg_shape s = lg_shape_default(from->name, LG_SHAPE_BOX, body);
    memcpy(s.position, from->position, sizeof s.position), memcpy(s.attitude, from->attitude, sizeof s.attitude);
    for (int i = 0; i < mb_seen(k->m, MB_SURFACES); i++)
        if (body_of(k, MB_SURFACE_OF(k->m, i)) == body) far = fmax(far, surface_reach(k->m, i));
    s.dimensions[0] = s.dimensions[1] = far > 0 ? 1.6 * far : mark_size(k, from), s.shade = LG_SHADE_GHOST;
    mb_look_add(k, &s);
}

/* A hull without a volume is shown by its points. Shapes of a file that shows the body itself are not shown. */
static void show_surface(const struct mb_maker *k, int i)
{
    const lg_surface *from = MB_SURFACE_OF(k->m, i);
    const double *half = from->half;
    const int body = body_of(k, from);
    const mb_terrain *terrain = ((const mb_surface *)k->m->made[MB_SURFACES])[i].shape.terrain;
    if (i < k->m->shaped && terrain == NULL && (body < 0 || k->shown[body] == MB_SHOWN_OWN)) return;
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
        show_plane(k, from);
        break;
    case LG_SURFACE_TRIANGLES:
    case LG_SURFACE_HEIGHTS:
        show_terrain(k, from, terrain);
        break;
    case LG_SURFACE_HULL:
        show_hull(k, from);
        break;
    case LG_SURFACE_POINT:
        add_mark(k, from, (const double[3]){0, 0, 0}, 0.02 * mark_size(k, from));
        break;
    }
}

/* A surface that holds the centre of mass shows its body. */
static void mark_surface(const struct mb_maker *k, int i)
{
    const lg_surface *from = MB_SURFACE_OF(k->m, i);
    const int body = body_of(k, from);
    const mb_surface *s = &((const mb_surface *)k->m->made[MB_SURFACES])[i];
    const int fills = from->kind == LG_SURFACE_HULL ? from->points >= 4 && has_volume(from)
                                                    : !mb_is_ground(from->kind) && from->kind != LG_SURFACE_POINT;
    if (body >= 0 && k->shown[body] == MB_SHOWN_BOX && fills && lg_length(s->at, 3) < far_of(from))
        k->shown[body] = MB_SHOWN_PART;
}

static const lg_surface standard = {.size = sizeof standard,
                                    .kind = LG_SURFACE_SPHERE,
                                    .attitude = {0, 0, 0, 1},
                                    .friction = 0.5,
                                    .contype = 1,
                                    .conaffinity = 1,
                                    .friction_along = -1};
static const lg_surface_pair pair_standard = {
    .size = sizeof pair_standard, .friction = -1, .restitution = -1, .viscous = -1};

const mb_part_kind mb_surface_part = {
    .noun = "surface",
    .size = LG_SIZED_AS(lg_surface, viscous, "start from lg_surface_default()"),
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
    .size = LG_SIZED_AS(lg_surface_pair, viscous, "start from lg_surface_pair_default()"),
    .standard = &pair_standard,
    .strings = 3,
    .string = {offsetof(lg_surface_pair, name), offsetof(lg_surface_pair, first), offsetof(lg_surface_pair, second)},
    .fields = pair_fields,
    .check = check_pair,
    .numbers = sizeof(mb_surfaces),
    .make = make_pair,
    .describe = describe_pair,
};
