/* SPDX-License-Identifier: BSD-3-Clause */
/* Wheels: a disk, torus or ball of a body on a plane. */
#include <liegrp/base/elementary.h>

#include "groups/rotation.h"
#include "multibody/contact/contact.h"
#include "multibody/motion.h"
#include "multibody/parts/part.h"
#include "multibody/scene.h"

const char *const mb_wheel_kinds[] = {"disk", "ball", NULL}, *const mb_wheel_contacts[] = {"rolls", "edge", "slides",
                                                                                           "omni",  "real", NULL};

const char *lg_wheel_kind_name(lg_wheel_kind kind)
{
    return (int)kind >= 0 && kind <= LG_WHEEL_BALL ? mb_wheel_kinds[kind] : NULL;
}

const char *lg_contact_name(lg_contact contact)
{
    return (int)contact >= 0 && contact <= LG_CONTACT_REAL ? mb_wheel_contacts[contact] : NULL;
}

static const mb_field fields[] = {
    {"roller_angle", "rad", offsetof(lg_wheel, roller_angle)}, /* first: only wheels with rollers have it */
    {"radius", "m", offsetof(lg_wheel, radius)},
    {"tube", "m", offsetof(lg_wheel, tube)},
    {"ground_velocity_x", "m/s", offsetof(lg_wheel, ground_velocity[0])},
    {"ground_velocity_y", "m/s", offsetof(lg_wheel, ground_velocity[1])},
    {"ground_velocity_z", "m/s", offsetof(lg_wheel, ground_velocity[2])},
    {"ground_spin", "rad/s", offsetof(lg_wheel, ground_spin)},
    {NULL, NULL, 0},
};

static const mb_field *wheel_fields(const void *part)
{
    return ((const lg_wheel *)part)->contact == LG_CONTACT_OMNI ? fields : fields + 1;
}

static lg_status check_rollers(lg_mechanism *m, const lg_wheel *own)
{
    static const double quarter = 1.5707963267948966;
    lg_error *e = &m->error;
    if (own->contact != LG_CONTACT_OMNI && own->roller_angle != 0)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "wheel '%.60s': roller_angle %g belongs to a wheel with rollers, contact omni; this one has the "
                       "contact %s",
                       own->name, own->roller_angle, lg_contact_name(own->contact));
    if (!(fabs(own->roller_angle) <= quarter))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "wheel '%.60s': roller_angle %g must be in [-pi/2, pi/2] rad; a mecanum wheel's 45 degrees are "
                       "0.7853981633974483",
                       own->name, own->roller_angle);
    if (own->contact == LG_CONTACT_OMNI && own->kind == LG_WHEEL_BALL)
        return lg_fail(e, LG_ERROR_ARGUMENT, "wheel '%.60s': a ball has no rollers; contact omni needs kind disk",
                       own->name);
    return LG_OK;
}

static lg_status check_wheel(lg_mechanism *m, void *part)
{
    const lg_wheel *own = part;
    lg_error *e = &m->error;
    if (lg_wheel_kind_name(own->kind) == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT, "wheel '%.60s': kind %d is not an lg_wheel_kind", own->name,
                       (int)own->kind);
    if (lg_contact_name(own->contact) == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT, "wheel '%.60s': contact %d is not an lg_contact", own->name,
                       (int)own->contact);
    if (own->kind == LG_WHEEL_BALL && own->contact == LG_CONTACT_EDGE)
        return lg_fail(e, LG_ERROR_ARGUMENT, "wheel '%.60s': a ball has no edge; it rolls or slides", own->name);
    if (!(own->radius > 0) || !(own->tube >= 0) || !isfinite(own->radius + own->tube + own->ground_spin) ||
        !lg_all_finite(own->centre, 3) || !lg_all_finite(own->axle, 3) || !lg_all_finite(own->ground_normal, 3) ||
        !lg_all_finite(own->ground_point, 3) || !lg_all_finite(own->ground_velocity, 3))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "wheel '%.60s': radius %g must be positive, tube %g not negative, and all values finite",
                       own->name, own->radius, own->tube);
    if (own->kind == LG_WHEEL_BALL && own->tube != 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "wheel '%.60s': a ball has no tube; tube must be 0, not %g", own->name,
                       own->tube);
    if (!(lg_length(own->axle, 3) > 0) || !(lg_length(own->ground_normal, 3) > 0))
        return lg_fail(e, LG_ERROR_ARGUMENT, "wheel '%.60s': %s is zero", own->name,
                       lg_length(own->axle, 3) > 0 ? "ground_normal" : "axle");
    const double *n = own->ground_normal, *v = own->ground_velocity;
    const double rises = (n[0] * v[0] + n[1] * v[1] + n[2] * v[2]) / lg_length(n, 3);
    if (fabs(rises) > 1e-6 * lg_length(v, 3))
        return lg_fail(
            e, LG_ERROR_ARGUMENT,
            "wheel '%.60s': ground_velocity leaves the plane with %g m/s along ground_normal; a plane slides "
            "along itself",
            own->name, rises);
    if (!(own->friction >= 0) || !isfinite(own->friction) || !(own->restitution >= 0 && own->restitution <= 1))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "wheel '%.60s': friction %g must be finite and not negative, restitution %g from 0 to 1",
                       own->name, own->friction, own->restitution);
    if (own->contact == LG_CONTACT_REAL && (own->ground_spin != 0 || lg_length(v, 3) > 0))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "wheel '%.60s': real contact is on ground that stands; for a belt take a surface on a plane of "
                       "a body that a drive moves",
                       own->name);
    const int along = own->friction_along >= 0;
    if (own->friction_along > own->friction || !isfinite(own->friction_along))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "wheel '%.60s': friction_along is %g; it must be from 0 to the friction, %g, which is that "
                       "across the heading, or negative",
                       own->name, own->friction_along, own->friction);
    if (along && (own->contact != LG_CONTACT_REAL || own->kind == LG_WHEEL_BALL))
        return lg_fail(e, LG_ERROR_ARGUMENT, "wheel '%.60s': friction_along belongs to a disk with contact real",
                       own->name);
    return check_rollers(m, own);
}

static int wheel_loads(const void *part)
{
    (void)part;
    return 1;
}

static lg_status make_wheel(lg_mechanism *m, int i)
{
    const lg_wheel *from = MB_WHEEL_OF(m, i);
    mb_wheel *w = &m->wheel[i];
    const int b = mb_find(m, MB_BODIES, from->body);
    if (from->body == NULL)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "wheel '%.60s' is on no body: a wheel is part of a body, not of the world", from->name);
    if (b < 0) return mb_unknown(m, "wheel", from->name, "body", from->body);
    const mb_placed p = mb_placed_of(m, b);
    double S[9] = {0};
    const double none[3] = {0, 0, 0};
    (void)mb_frame_from(S, from->ground_normal, none);
    *w = (mb_wheel){.kind = from->kind == LG_WHEEL_BALL ? MB_WHEEL_BALL : MB_WHEEL_DISK,
                    .b = mb_seat(m, b),
                    .radius = from->radius,
                    .tube = from->tube,
                    .spin = from->ground_spin};
    mb_anchor(w->centre, &p, from->centre);
    for (int k = 0; k < 3; k++) {
        w->axle[k] = from->axle[k] / lg_length(from->axle, 3);
        w->normal[k] = S[3 * k + 2], w->tangent[k] = S[3 * k];
        w->origin[k] = from->ground_point[k], w->velocity[k] = from->ground_velocity[k];
    }
    lg_real_sincos(&w->roller[1], &w->roller[0], from->roller_angle);
    if (from->contact != LG_CONTACT_SLIDES && from->contact != LG_CONTACT_REAL &&
        (w->spin != 0 || lg_length(w->velocity, 3) > 0))
        m->plan.drifts = 1;
    return LG_OK;
}

static double wheel_reach(const lg_mechanism *m, int i)
{
    return fmax(m->wheel[i].radius, lg_length(m->wheel[i].centre, 3));
}

static int wheel_blocks(const lg_mechanism *m, int i, int velocities, mb_block *block)
{
    const lg_contact contact = MB_WHEEL_OF(m, i)->contact;
    if (contact == LG_CONTACT_REAL || (velocities && contact == LG_CONTACT_SLIDES)) return 0;
    const mb_block_kind kind = !velocities ? MB_HEIGHT : contact == LG_CONTACT_EDGE ? MB_SKATE : MB_ROLL;
    const int rows = velocities && contact == LG_CONTACT_ROLLS ? 2 : 1;
    *block = (mb_block){.kind = kind, .source = i, .sides = 1, .body = {m->wheel[i].b}, .rows = rows, .lengths = rows};
    return 1;
}

static void describe_wheel(lg_lines *l, const lg_mechanism *m, int i)
{
    const mb_wheel *w = &m->wheel[i];
    lg_lines_text(l, "wheel", MB_WHEEL_OF(m, i)->name);
    lg_lines_number(l, "contact", (double)MB_WHEEL_OF(m, i)->contact);
    lg_lines_number(l, "radius", w->radius), lg_lines_number(l, "tube", w->tube);
    lg_lines_numbers(l, "axle", w->axle, 3), lg_lines_numbers(l, "centre", w->centre, 3);
    lg_lines_numbers(l, "normal", w->normal, 3), lg_lines_numbers(l, "origin", w->origin, 3);
    lg_lines_numbers(l, "ground-velocity", w->velocity, 3), lg_lines_number(l, "ground-spin", w->spin);
    if (MB_WHEEL_OF(m, i)->contact == LG_CONTACT_REAL)
        lg_lines_numbers(l, "friction", (double[]){MB_WHEEL_OF(m, i)->friction, MB_WHEEL_OF(m, i)->restitution}, 2);
    if (MB_WHEEL_OF(m, i)->friction_along >= 0) lg_lines_number(l, "friction-along", MB_WHEEL_OF(m, i)->friction_along);
    if (MB_WHEEL_OF(m, i)->contact == LG_CONTACT_OMNI) lg_lines_numbers(l, "roller", w->roller, 2);
}

static void mark_wheel(const mb_maker *k, int i)
{
    const mb_wheel *w = &k->m->wheel[i];
    mb_look_mark(k, w->b, w->centre, w->radius);
}

/* The plane of wheel i among the shapes of wheels, or a new one: its number; -1: the scene refused it. */
static int ground_of(const mb_maker *k, int i)
{
    const mb_wheel *w = &k->m->wheel[i];
    lg_shape shape = lg_shape_default("ground", LG_SHAPE_PLANE, -1);
    int index = -1;
    memcpy(shape.position, w->origin, sizeof shape.position);
    mb_look_along(shape.attitude, w->normal);
    shape.shade = LG_SHADE_GROUND;
    for (int s = lg_scene_shape_count(k->m->look); s < lg_scene_shape_count(k->scene); s++) {
        const lg_shape *other = lg_scene_shape(k->scene, s);
        double apart = 0;
        for (int n = 0; n < 3; n++) apart += w->normal[n] * (w->origin[n] - other->position[n]);
        if (other->kind == LG_SHAPE_PLANE && apart == 0 &&
            memcmp(other->attitude, shape.attitude, sizeof shape.attitude) == 0)
            return s;
    }
    lg_status_ignore(lg_scene_add(k->scene, &index, &shape));
    return index;
}

/* Rollers around the rim: each one's axis is the rim's direction of motion, turned into the axle by their angle. */
static void show_rollers(const mb_maker *k, const char *name, const mb_wheel *w, int body)
{
    enum { ROLLERS = 12 };
    const double none[3] = {0, 0, 0}, half = 0.2 * w->radius;
    double S[9] = {0};
    (void)mb_frame_from(S, w->axle, none);
    for (int i = 0; i < ROLLERS; i++) {
        double s, c, from[3], to[3];
        lg_real_sincos(&s, &c, 6.2831853071795865 * i / ROLLERS);
        for (int n = 0; n < 3; n++) {
            const double out = c * S[3 * n] + s * S[3 * n + 1], along = s * S[3 * n] - c * S[3 * n + 1];
            const double axis = w->roller[0] * along + w->roller[1] * w->axle[n];
            from[n] = w->centre[n] + w->radius * out - half * axis, to[n] = from[n] + 2 * half * axis;
        }
        mb_look_rod(k, name, body, body, from, to, LG_SHADE_MARK);
    }
}

static void show_wheel(const mb_maker *k, int i)
{
    const mb_wheel *w = &k->m->wheel[i];
    const lg_wheel *described = MB_WHEEL_OF(k->m, i);
    const int ball = w->kind == MB_WHEEL_BALL, body = mb_look_host(k, w->b), plane = ground_of(k, i);
    lg_shape s = lg_shape_default(described->name,
                                  ball          ? LG_SHAPE_SPHERE
                                  : w->tube > 0 ? LG_SHAPE_TORUS
                                                : LG_SHAPE_CYLINDER,
                                  body);
    mb_look_from_centre(k, s.position, body, w->centre);
    mb_look_along(s.attitude, w->axle);
    s.dimensions[0] = w->radius, s.dimensions[1] = ball ? 0 : w->tube;
    s.shade = described->contact == LG_CONTACT_ROLLS || described->contact == LG_CONTACT_OMNI ? LG_SHADE_WHEEL
                                                                                              : LG_SHADE_MARK;
    s.rolls_on = plane, s.trail = plane >= 0 ? 2 : 0;
    mb_look_add(k, &s);
    if (described->contact == LG_CONTACT_OMNI) show_rollers(k, described->name, w, body);
}

static const lg_wheel standard = {
    .size = sizeof standard, .axle = {0, 1, 0}, .ground_normal = {0, 0, 1}, .friction = 0.5, .friction_along = -1};

const mb_part_kind mb_wheel_part = {
    .noun = "wheel",
    .size = LG_SIZED_AS(lg_wheel, ground_velocity, "start from lg_wheel_default()"),
    .standard = &standard,
    .strings = 2,
    .string = {offsetof(lg_wheel, name), offsetof(lg_wheel, body)},
    .fields_of = wheel_fields,
    .check = check_wheel,
    .loads = wheel_loads,
    .numbers = sizeof(mb_wheel),
    .make = make_wheel,
    .blocks = wheel_blocks,
    .reach = wheel_reach,
    .normal = 1,
    .describe = describe_wheel,
    .mark = mark_wheel,
    .show = show_wheel,
    .show_first = 1,
};

/* ---- reading ---- */

lg_status lg_motion_wheel_force(const lg_motion *motion, double *force, int wheel)
{
    const mb_sparse *mo = mb_of(motion);
    const lg_status st = mb_read_force(motion, force, MB_WHEELS, wheel);
    const mb_contacts *c = st == LG_OK ? mo->numbers.contacts : NULL;
    for (int i = 0; c != NULL && i < c->count; i++)
        for (int k = 0; k < 3 && c->contact[i].wheel == wheel; k++) force[k] += c->force[3 * i + k];
    return st;
}

lg_status lg_motion_wheel_normal(const lg_motion *motion, double *force, double *time, int wheel)
{
    return mb_read_normal(motion, force, time, MB_WHEELS, wheel);
}
