/* SPDX-License-Identifier: BSD-3-Clause */
/* From descriptions to numbers on bodies: names become indices, points and axes at assembly become anchors and frames
 * relative to the centres of mass. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "base/small.h"
#include "groups/rotation.h"
#include "multibody/contact/contact.h"
#include "multibody/forces/force.h"
#include "multibody/parts/joint.h"
#include "multibody/parts/part.h"

mb_placed mb_placed_of(const lg_mechanism *m, int i)
{
    mb_placed p = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    if (i >= m->part[MB_BODIES].count) return p;
    const lg_body *b = MB_BODY(m, i);
    lg_so3_to_matrix(p.R, b->attitude);
    memcpy(p.centre, b->centre, sizeof p.centre);
    for (int k = 0; k < 3; k++)
        p.r[k] =
            b->position[k] + p.R[3 * k] * b->centre[0] + p.R[3 * k + 1] * b->centre[1] + p.R[3 * k + 2] * b->centre[2];
    return p;
}

/* out = R^T x. */
static void into_body(double *out, const double *R, const double *x)
{
    const double a = x[0], b = x[1], c = x[2];
    for (int k = 0; k < 3; k++) out[k] = R[k] * a + R[3 + k] * b + R[6 + k] * c;
}

int mb_frame_from(double *S, const double *axis, const double *second)
{
    double e[3][3], given = lg_length(second, 3);
    const double length = lg_length(axis, 3);
    for (int k = 0; k < 3; k++) e[2][k] = axis[k] / length;
    if (given > 0) {
        for (int k = 0; k < 3; k++) e[0][k] = second[k] / given;
    } else {
        int least = 0;
        for (int k = 1; k < 3; k++)
            if (fabs(e[2][k]) < fabs(e[2][least]) - 1e-12) least = k;
        for (int k = 0; k < 3; k++) e[0][k] = k == least;
    }
    const double along = e[0][0] * e[2][0] + e[0][1] * e[2][1] + e[0][2] * e[2][2];
    for (int k = 0; k < 3; k++) e[0][k] -= along * e[2][k];
    const double rest = lg_length(e[0], 3);
    if (!(rest > 1e-6)) return 0;
    for (int k = 0; k < 3; k++) e[0][k] /= rest;
    small_cross(e[1], e[2], e[0]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) S[3 * k + i] = e[i][k];
    return 1;
}

/* The index of a body by name, of the world for NULL; -1: no body has it. */
static int body_index(const lg_mechanism *m, const char *name)
{
    return name == NULL ? m->part[MB_BODIES].count : mb_find(m, MB_BODIES, name);
}

lg_status mb_unknown(lg_mechanism *m, const char *noun, const char *name, const char *kind, const char *what)
{
    return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s '%.60s': there is no %s '%.60s'", noun, name, kind,
                   what != NULL ? what : "");
}

lg_status mb_both_bodies(lg_mechanism *m, const char *noun, const char *name, const char *parent, const char *child,
                         int *a, int *b)
{
    *a = body_index(m, parent), *b = body_index(m, child);
    if (*a < 0 || *b < 0) return mb_unknown(m, noun, name, "body", *a < 0 ? parent : child);
    if (*a == *b)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s '%.60s' connects %s%.60s%s with itself", noun, name,
                       parent != NULL ? "body '" : "the world", parent != NULL ? parent : "",
                       parent != NULL ? "'" : "");
    return LG_OK;
}

void mb_anchor(double *out, const mb_placed *p, const double *point_in_frame)
{
    for (int k = 0; k < 3; k++) out[k] = point_in_frame[k] - p->centre[k];
}

void mb_attach(double *out, double *frame, const mb_placed *p, const double *point, const double *S)
{
    double d[3], e[3];
    for (int k = 0; k < 3; k++) d[k] = point[k] - p->r[k];
    into_body(out, p->R, d);
    for (int i = 0; i < 3; i++) {
        const double s[3] = {S[i], S[3 + i], S[6 + i]};
        into_body(e, p->R, s);
        for (int k = 0; k < 3; k++) frame[3 * k + i] = e[k];
    }
}

double mb_apart_at_assembly(const mb_placed *a, const double *s, const mb_placed *b, const double *t)
{
    double d[3];
    for (int k = 0; k < 3; k++) {
        d[k] = b->r[k] - a->r[k];
        for (int j = 0; j < 3; j++) d[k] += b->R[3 * k + j] * t[j] - a->R[3 * k + j] * s[j];
    }
    return lg_length(d, 3);
}

/* ---- coordinates, forces ---- */

int mb_coordinate_add(lg_mechanism *m, int j, int position)
{
    const mb_position *p = mb_position_of(MB_JOINT_OF(m, j), position);
    int *own = &m->coordinate_of[MB_POSITIONS_MOST * j + position];
    if (*own > 0) return *own - 1;
    const int c = m->plan.coordinates++;
    m->coordinate[c] = (mb_coordinate){j, position, p->kind == MB_SLIDES, p->axis, mb_near_of(m, j, position)};
    *own = c + 1;
    return c;
}

lg_status mb_driven(lg_mechanism *m, const char *noun, const char *name, const char *joint, int *coordinate)
{
    int i;
    const int j = lg_mechanism_joint_position(m, &i, joint);
    if (j < 0) return mb_unknown(m, noun, name, "joint", joint);
    const lg_joint *of = MB_JOINT_OF(m, j);
    const char *own = of->name;
    const int positions = mb_position_count(of);
    if (positions == 0)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s '%.60s': joint '%.60s' has no position: it is %s", noun, name,
                       own, mb_joint_kinds[of->kind].name);
    if (i < 0 || i >= positions)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "%s '%.60s': joint '%.60s' has %d positions; name one, from '%.60s.1' to '%.60s.%d'", noun, name,
                       own, positions, own, own, positions);
    if (mb_position_of(of, i)->kind == MB_VECTOR)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "%s '%.60s': position %d of joint '%.60s' is a component of a rotation vector; it acts on "
                       "lengths and angles. Take a motor without gains, limits and rotor, or revolute joints",
                       noun, name, i + 1, own);
    *coordinate = mb_coordinate_add(m, j, i);
    return LG_OK;
}

lg_status mb_check_stops(lg_mechanism *m, const char *noun, const char *name, int64_t stops, double restitution,
                         double lower, double upper)
{
    if (!(restitution >= 0 && restitution <= 1))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s '%.60s': stop_restitution is %g; it must be from 0 to 1", noun,
                       name, restitution);
    if (stops != 0 && stops != 1)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s '%.60s': stops is %d; it must be 0 or 1", noun, name,
                       (int)stops);
    if (stops != 0 && !(lower > -INFINITY) && !(upper < INFINITY))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "%s '%.60s': it has stops, but no limits; give lower or upper, at which they are", noun, name);
    if (stops != 0 && !(lower < upper))
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "%s '%.60s': stops at %g and %g leave no room; lower must be less than upper", noun, name, lower,
                       upper);
    return LG_OK;
}

lg_status mb_check_limits(lg_mechanism *m, const char *noun, const char *name, double lower, double upper)
{
    if (lower <= upper) return LG_OK;
    return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                   "%s '%.60s': lower limit %g, upper limit %g; it must be lower <= upper", noun, name, lower, upper);
}

mb_ball *mb_ball_add(lg_mechanism *m, int j)
{
    mb_ball *s = &m->ball[m->plan.balls++];
    *s = (mb_ball){.joint = j, .control = -1};
    return s;
}

mb_force *mb_force_add(lg_mechanism *m, int law, int c, double first, double second)
{
    mb_force *s = &m->force[m->plan.forces++];
    *s = (mb_force){.law = law, .coordinate = c, .control = -1, .number = {first, second}};
    if (c >= 0) s->a = m->joint[m->coordinate[c].joint].a, s->b = m->joint[m->coordinate[c].joint].b;
    return s;
}

struct mb_contact *mb_contact_add(lg_mechanism *m, int kind, int rows, int a, int b)
{
    if (m->plan.contacts == m->contact_room) {
        const int room = m->contact_room > 0 ? 2 * m->contact_room : 16;
        mb_contact *more = realloc(m->contact, (size_t)room * sizeof *more);
        if (more == NULL) {
            lg_status_ignore(lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory"));
            return NULL;
        }
        m->contact = more, m->contact_room = room;
    }
    mb_contact *c = &m->contact[m->plan.contacts++];
    *c = (mb_contact){
        .kind = (mb_contact_kind)kind, .rows = rows, .side = 1, .surface = {-1, -1}, .wheel = -1, .body = {a, b}};
    return c;
}

/* A stop or dry friction of coordinate c. */
static mb_contact *coordinate_contact(lg_mechanism *m, int kind, int c)
{
    const mb_joint *j = &m->joint[m->coordinate[c].joint];
    mb_contact *k = mb_contact_add(m, kind, 1, j->a, j->b);
    if (k != NULL) k->source = c;
    return k;
}

lg_status mb_passive_add(lg_mechanism *m, int c, const mb_passive *p)
{
    if (p->stiffness != 0 || p->damping != 0 || p->friction != 0)
        mb_force_add(m, MB_LAW_drive, c, p->stiffness, p->damping)->rest = p->rest;
    if (p->friction != 0 && p->friction_speed != 0) mb_force_add(m, MB_LAW_friction, c, p->friction, p->friction_speed);
    if (p->friction != 0 && p->friction_speed == 0) {
        mb_contact *k = coordinate_contact(m, MB_CONTACT_DRY, c);
        if (k == NULL) return LG_ERROR_MEMORY;
        k->bound = p->friction;
    }
    for (int upper = 0; upper < 2; upper++) {
        const double limit = upper ? p->upper : p->lower;
        if (isinf(limit)) continue;
        mb_contact *k = coordinate_contact(m, MB_CONTACT_STOP, c);
        if (k == NULL) return LG_ERROR_MEMORY;
        k->side = upper ? -1 : 1, k->limit = limit, k->restitution = p->restitution;
    }
    return LG_OK;
}

/* All other angles and lengths that readers unwind; then the rows of tendons have their places. */
static void make_readings(lg_mechanism *m)
{
    mb_tendon *tendon = m->made[MB_TENDONS];
    m->plan.driven = m->plan.coordinates;
    for (int j = 0; j < m->part[MB_JOINTS].count; j++) {
        const int angle = mb_joint_angle(MB_JOINT_OF(m, j));
        if (angle >= 0) (void)mb_coordinate_add(m, j, angle);
    }
    m->plan.slopes = 2 * m->plan.coordinates;
    for (int i = 0; i < m->plan.tendons; i++) tendon[i].row = -1;
    for (const mb_force *s = m->force; s < m->force + m->plan.forces; s++) {
        mb_tendon *t = s->tendon != NULL ? tendon + (s->tendon - m->plan.tendon) : NULL;
        if (t != NULL && t->row < 0) t->row = m->plan.slopes, m->plan.slopes += t->bodies;
    }
}

/* Terms of tendons, their bodies, and pairs of these. */
static int allocate_tendons(lg_mechanism *m)
{
    const size_t all = (size_t)m->part[MB_BODIES].count + 1;
    size_t terms = 0, pairs = 0;
    for (int i = 0; i < m->part[MB_TENDONS].count; i++) {
        const size_t own = (size_t)MB_TENDON_OF(m, i)->terms, bodies = 2 * own < all ? 2 * own : all;
        terms += own, pairs += bodies * (bodies - 1) / 2;
    }
    m->tendon_term = calloc(terms + 1, sizeof *m->tendon_term);
    m->tendon_body = calloc(2 * terms + 1, sizeof *m->tendon_body);
    m->tendon_pair = calloc(2 * pairs + 1, sizeof *m->tendon_pair);
    return m->tendon_term && m->tendon_body && m->tendon_pair;
}

static int allocate(lg_mechanism *m)
{
    const int bodies = m->part[MB_BODIES].count, joints = m->part[MB_JOINTS].count;
    m->mass = calloc((size_t)bodies + 1, sizeof *m->mass);
    m->weight = calloc((size_t)bodies + 1, sizeof *m->weight);
    m->inertia = calloc((size_t)bodies + 1, 9 * sizeof *m->inertia);
    m->inverse_inertia = calloc((size_t)bodies + 1, 9 * sizeof *m->inertia);
    int well = 1;
    for (int kind = 0; kind < MB_KINDS; kind++) {
        m->made[kind] = calloc((size_t)m->part[kind].count + 1, mb_kind_of(kind)->numbers + 1);
        well &= m->made[kind] != NULL;
    }
    m->joint = m->made[MB_JOINTS], m->wheel = m->made[MB_WHEELS], m->gear = m->made[MB_GEARS];
    const int along = MB_LAW_COUNT * (MB_POSITIONS_MOST * joints + m->part[MB_COORDINATES].count);
    m->force =
        calloc((size_t)(along + m->part[MB_MOTORS].count + m->part[MB_SPRINGS].count + m->part[MB_TENDONS].count) + 1,
               sizeof *m->force);
    m->ball = calloc((size_t)joints + (size_t)m->part[MB_MOTORS].count + 1, sizeof *m->ball);
    m->activation =
        calloc((size_t)m->part[MB_MOTORS].count + (size_t)m->part[MB_THRUSTERS].count + 1, sizeof *m->activation);
    int composed = 0;
    for (int j = 0; j < joints; j++) composed += MB_JOINT_OF(m, j)->kind == LG_JOINT_COMPOSED;
    m->chain = calloc((size_t)composed + 1, sizeof *m->chain);
    m->coordinate = calloc(MB_POSITIONS_MOST * (size_t)joints + 1, sizeof *m->coordinate);
    m->coordinate_of = calloc(MB_POSITIONS_MOST * (size_t)joints + 1, sizeof *m->coordinate_of);
    m->pose = calloc((size_t)bodies + 1, 7 * sizeof *m->pose);
    well &= allocate_tendons(m);
    return well && m->mass && m->weight && m->inertia && m->inverse_inertia && m->force && m->ball && m->activation &&
           m->chain && m->coordinate && m->coordinate_of && m->pose;
}

lg_status mb_make_parts(lg_mechanism *m)
{
    if (!allocate(m)) return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    mb_plan *p = &m->plan;
    *p = (mb_plan){.bodies = m->part[MB_BODIES].count,
                   .joints = m->part[MB_JOINTS].count,
                   .controls = m->part[MB_MOTORS].count + m->part[MB_THRUSTERS].count,
                   .grounds = 1 + m->part[MB_DRIVES].count,
                   .drives = m->part[MB_DRIVES].count,
                   .drive = m->made[MB_DRIVES],
                   .thrusters = m->part[MB_THRUSTERS].count,
                   .thruster = m->made[MB_THRUSTERS],
                   .lines = m->part[MB_SPRINGS].count,
                   .rotors = m->rotors,
                   .mass = m->mass,
                   .weight = m->weight,
                   .inertia = m->inertia,
                   .inverse_inertia = m->inverse_inertia,
                   .made = (const void *const *)m->made,
                   .joint = m->joint,
                   .wheel = m->wheel,
                   .gear = m->gear,
                   .coordinate = m->coordinate,
                   .tendons = m->part[MB_TENDONS].count,
                   .tendon = m->made[MB_TENDONS],
                   .pair = m->tendon_pair,
                   .force = m->force,
                   .ball = m->ball,
                   .activation = m->activation};
    p->works = p->controls + p->drives + LG_WORKS;
    memcpy(p->gravity, m->gravity, sizeof p->gravity);
    lg_status st = LG_OK;
    for (int kind = 0; kind < MB_KINDS; kind++)
        for (int i = 0; st == LG_OK && mb_kind_of(kind)->make != NULL && i < m->part[kind].count; i++)
            st = mb_kind_of(kind)->make(m, i);
    p->line = p->force + (p->forces - p->lines);
    if (st == LG_OK) st = mb_make_contacts(m);
    p->contact = m->contact, p->near = m->nearby;
    if (st == LG_OK) make_readings(m);
    return st;
}
