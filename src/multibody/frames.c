/* SPDX-License-Identifier: BSD-3-Clause */
/* From descriptions to numbers on bodies: names become indices, points and axes at assembly become anchors and frames
 * relative to the centres of mass. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "base/small.h"
#include "groups/rotation.h"
#include "multibody/mechanism.h"

/* A pose at assembly: the centre of mass and the matrix of the body's axes. */
typedef struct placed {
    double r[3], R[9], centre[3];
} placed;

/* Body i, or the world for i = body_count. */
static placed place_of(const lg_mechanism *m, int i)
{
    placed p = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
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

/* The axes (columns) of a frame with its third along `axis` and its first along `second`, or, where that is zero, along
 * the axis of space that is farthest from `axis`. 0: second is parallel to axis. */
static int frame_from(double *S, const double *axis, const double *second)
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

/* The index of a body by name, of the world for NULL; -1: there is none. */
static int body_index(const lg_mechanism *m, const char *name)
{
    return name == NULL ? m->part[MB_BODIES].count : mb_find(m, MB_BODIES, name);
}

static lg_status unknown(lg_mechanism *m, const char *noun, const char *name, const char *kind, const char *what)
{
    return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s '%.60s': there is no %s '%.60s'", noun, name, kind,
                   what != NULL ? what : "");
}

static lg_status both_bodies(lg_mechanism *m, const char *noun, const char *name, const char *parent, const char *child,
                             int *a, int *b)
{
    *a = body_index(m, parent), *b = body_index(m, child);
    if (*a < 0 || *b < 0) return unknown(m, noun, name, "body", *a < 0 ? parent : child);
    if (*a == *b)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s '%.60s' connects %s%.60s%s with itself", noun, name,
                       parent != NULL ? "body '" : "the world", parent != NULL ? parent : "",
                       parent != NULL ? "'" : "");
    return LG_OK;
}

/* ---- joints ---- */

/* The rows of each kind (docs/theory.md section 17): which a_i.d and which a_i.b_j. */
typedef struct row_table {
    int translational, axis[3], rotational, pair[3][2];
} row_table;

static const row_table tables[] = {
    [LG_JOINT_FIXED] = {3, {0, 1, 2}, 3, {{0, 2}, {1, 2}, {0, 1}}},
    [LG_JOINT_REVOLUTE] = {3, {0, 1, 2}, 2, {{0, 2}, {1, 2}}},
    [LG_JOINT_PRISMATIC] = {2, {0, 1}, 3, {{0, 2}, {1, 2}, {0, 1}}},
    [LG_JOINT_CYLINDRICAL] = {2, {0, 1}, 2, {{0, 2}, {1, 2}}},
    [LG_JOINT_UNIVERSAL] = {3, {0, 1, 2}, 1, {{2, 0}}},
    [LG_JOINT_SPHERICAL] = {3, {0, 1, 2}, 0, {{0}}},
    [LG_JOINT_PLANAR] = {1, {2}, 2, {{0, 2}, {1, 2}}},
    [LG_JOINT_DISTANCE] = {1, {0}, 0, {{0}}},
    [LG_JOINT_FREE] = {0, {0}, 0, {{0}}},
};

static void anchor(double *out, const placed *p, const double *point_in_frame)
{
    for (int k = 0; k < 3; k++) out[k] = point_in_frame[k] - p->centre[k];
}

/* Anchor and frame on one body, from those in space. */
static void attach(double *out, double *frame, const placed *p, const double *point, const double *S)
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

static double apart(const placed *a, const double *s, const placed *b, const double *t)
{
    double d[3];
    for (int k = 0; k < 3; k++) {
        d[k] = b->r[k] - a->r[k];
        for (int j = 0; j < 3; j++) d[k] += b->R[3 * k + j] * t[j] - a->R[3 * k + j] * s[j];
    }
    return lg_length(d, 3);
}

static void take_rows(mb_joint *j, lg_joint_kind kind)
{
    const row_table *t = &tables[kind];
    memset(j, 0, sizeof *j);
    j->translational = t->translational, j->rotational = t->rotational;
    memcpy(j->axis, t->axis, sizeof j->axis);
    memcpy(j->pair, t->pair, sizeof j->pair);
}

/* Share `b` of a body is fixed to another at the centre of mass. */
static void make_share_joint(const lg_mechanism *m, int b, mb_joint *j)
{
    take_rows(j, LG_JOINT_FIXED);
    j->a = m->hub[b].fixed_to, j->b = b;
    for (int k = 0; k < 9; k++) j->frame_a[k] = j->frame_b[k] = k % 4 == 0;
}

static lg_status make_joint(lg_mechanism *m, const lg_joint *from, mb_joint *j)
{
    take_rows(j, from->kind);
    const lg_status st = both_bodies(m, "joint", from->name, from->parent, from->child, &j->a, &j->b);
    if (st != LG_OK) return st;
    const placed a = place_of(m, j->a), b = place_of(m, j->b);
    j->in_space = from->in_space;
    if (from->kind != LG_JOINT_FREE) j->a = mb_seat(m, j->a), j->b = mb_seat(m, j->b);
    if (from->on_bodies || from->kind == LG_JOINT_DISTANCE) {
        anchor(j->anchor_a, &a, from->parent_point);
        anchor(j->anchor_b, &b, from->child_point);
        memcpy(j->frame_a, from->parent_frame, sizeof j->frame_a);
        memcpy(j->frame_b, from->child_frame, sizeof j->frame_b);
    } else {
        double S[9];
        if (!frame_from(S, from->axis, from->second))
            return lg_fail(&m->error, LG_ERROR_ARGUMENT, "joint '%.60s': the second axis is parallel to the axis",
                           from->name);
        attach(j->anchor_a, j->frame_a, &a, from->point, S);
        attach(j->anchor_b, j->frame_b, &b, from->point, S);
    }
    if (from->kind != LG_JOINT_DISTANCE) return LG_OK;
    j->length = from->length > 0 ? from->length : apart(&a, j->anchor_a, &b, j->anchor_b);
    if (!(j->length > 0))
        return lg_fail(
            &m->error, LG_ERROR_ARGUMENT,
            "joint '%.60s': its points coincide at assembly; a distance must be positive (use a spherical joint)",
            from->name);
    return LG_OK;
}

/* ---- wheels and springs ---- */

static lg_status make_wheel(lg_mechanism *m, const lg_wheel *from, mb_wheel *w)
{
    const int b = mb_find(m, MB_BODIES, from->body);
    if (from->body == NULL)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "wheel '%.60s' is on no body: a wheel is part of a body, not of the world", from->name);
    if (b < 0) return unknown(m, "wheel", from->name, "body", from->body);
    const placed p = place_of(m, b);
    double S[9] = {0};
    const double none[3] = {0, 0, 0};
    (void)frame_from(S, from->ground_normal, none);
    *w = (mb_wheel){.kind = from->kind == LG_WHEEL_BALL ? MB_WHEEL_BALL : MB_WHEEL_DISK,
                    .b = mb_seat(m, b),
                    .radius = from->radius,
                    .tube = from->tube,
                    .spin = from->ground_spin};
    anchor(w->centre, &p, from->centre);
    for (int k = 0; k < 3; k++) {
        w->axle[k] = from->axle[k] / lg_length(from->axle, 3);
        w->normal[k] = S[3 * k + 2], w->tangent[k] = S[3 * k];
        w->origin[k] = from->ground_point[k], w->velocity[k] = from->ground_velocity[k];
    }
    return LG_OK;
}

static lg_status make_spring(lg_mechanism *m, const lg_spring *from, mb_spring *s)
{
    const lg_status st = both_bodies(m, "spring", from->name, from->parent, from->child, &s->a, &s->b);
    if (st != LG_OK) return st;
    const placed a = place_of(m, s->a), b = place_of(m, s->b);
    anchor(s->anchor_a, &a, from->parent_point);
    anchor(s->anchor_b, &b, from->child_point);
    s->stiffness = from->stiffness, s->damping = from->damping;
    s->rest = from->rest >= 0 ? from->rest : apart(&a, s->anchor_a, &b, s->anchor_b);
    return LG_OK;
}

/* ---- coordinates, drives, gears ---- */

static int has_angle(lg_joint_kind kind)
{
    return kind == LG_JOINT_REVOLUTE || kind == LG_JOINT_CYLINDRICAL || kind == LG_JOINT_UNIVERSAL ||
           kind == LG_JOINT_PLANAR;
}

/* Gives joint j a coordinate, if it has none of this kind yet. */
static int coordinate_add(lg_mechanism *m, int j, int slides)
{
    for (int c = 0; c < m->plan.coordinates; c++)
        if (m->coordinate[c].joint == j && m->coordinate[c].slides == slides) return c;
    const int c = m->plan.coordinates++;
    m->coordinate[c] = (mb_coordinate){j, slides};
    return c;
}

/* The coordinate of the revolute or prismatic joint `joint`. */
static lg_status driven(lg_mechanism *m, const char *noun, const char *name, const char *joint, int *coordinate)
{
    const int j = mb_find(m, MB_JOINTS, joint);
    if (j < 0) return unknown(m, noun, name, "joint", joint);
    const lg_joint_kind kind = MB_JOINT_OF(m, j)->kind;
    if (kind != LG_JOINT_REVOLUTE && kind != LG_JOINT_PRISMATIC)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "%s '%.60s': joint '%.60s' is neither revolute nor prismatic",
                       noun, name, joint);
    *coordinate = coordinate_add(m, j, kind == LG_JOINT_PRISMATIC);
    return LG_OK;
}

static void gear_sides(lg_mechanism *m, mb_gear *g)
{
    int body[MB_SIDES_MOST], count = 0;
    for (int c = 0; c < 2; c++) {
        const mb_joint *j = &m->joint[m->coordinate[c ? g->second : g->first].joint];
        for (int s = 0; s < 2; s++) {
            const int b = s ? j->b : j->a;
            int at = 0;
            while (at < count && body[at] != b) at++;
            if (at == count) body[count++] = b;
            g->side[c][s] = at;
        }
    }
}

static lg_status make_gear(lg_mechanism *m, const lg_gear *from, mb_gear *g)
{
    lg_status st = driven(m, "gear", from->name, from->driver, &g->first);
    if (st == LG_OK) st = driven(m, "gear", from->name, from->joint, &g->second);
    if (st != LG_OK) return st;
    if (g->first == g->second)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT, "gear '%.60s': joint and driver are both '%.60s'", from->name,
                       from->joint);
    g->ratio = from->ratio, g->offset = from->offset;
    gear_sides(m, g);
    return LG_OK;
}

static lg_status make_drives(lg_mechanism *m)
{
    for (int j = 0; j < m->part[MB_JOINTS].count; j++) {
        const lg_joint *from = MB_JOINT_OF(m, j);
        if (from->stiffness == 0 && from->damping == 0) continue;
        const int c = coordinate_add(m, j, from->kind == LG_JOINT_PRISMATIC);
        m->drive[m->plan.drives++] = (mb_drive){c, from->stiffness, from->rest, from->damping, -1};
    }
    for (int i = 0; i < m->part[MB_MOTORS].count; i++) {
        const lg_motor *from = MB_MOTOR_OF(m, i);
        mb_drive *d = &m->drive[m->plan.drives++];
        *d = (mb_drive){.control = i};
        const lg_status st = driven(m, "motor", from->name, from->joint, &d->coordinate);
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

/* All other angles and lengths that readers unwind. */
static void make_readings(lg_mechanism *m)
{
    m->plan.driven = m->plan.coordinates;
    for (int j = 0; j < m->part[MB_JOINTS].count; j++) {
        const lg_joint_kind kind = MB_JOINT_OF(m, j)->kind;
        m->coordinate_of[j] = -1;
        if (has_angle(kind)) m->coordinate_of[j] = coordinate_add(m, j, 0);
    }
}

static int allocate(lg_mechanism *m)
{
    const int bodies = m->part[MB_BODIES].count, joints = m->part[MB_JOINTS].count;
    m->mass = calloc((size_t)bodies + 1, sizeof *m->mass);
    m->inertia = calloc((size_t)bodies + 1, 9 * sizeof *m->inertia);
    m->inverse_inertia = calloc((size_t)bodies + 1, 9 * sizeof *m->inertia);
    m->joint = calloc((size_t)joints + 1, sizeof *m->joint);
    m->wheel = calloc((size_t)m->part[MB_WHEELS].count + 1, sizeof *m->wheel);
    m->gear = calloc((size_t)m->part[MB_GEARS].count + 1, sizeof *m->gear);
    m->spring = calloc((size_t)m->part[MB_SPRINGS].count + 1, sizeof *m->spring);
    m->drive = calloc((size_t)(joints + m->part[MB_MOTORS].count) + 1, sizeof *m->drive);
    m->coordinate = calloc(2 * (size_t)joints + 1, sizeof *m->coordinate);
    m->coordinate_of = calloc((size_t)joints + 1, sizeof *m->coordinate_of);
    m->pose = calloc((size_t)bodies + 1, 7 * sizeof *m->pose);
    return m->mass && m->inertia && m->inverse_inertia && m->joint && m->wheel && m->gear && m->spring && m->drive &&
           m->coordinate && m->coordinate_of && m->pose;
}

static void make_body(lg_mechanism *m, int i)
{
    const lg_body *b = MB_BODY(m, i);
    const int shares = m->hub[m->hub[i].host].shares;
    double I[9];
    mb_inertia_matrix(I, b->inertia);
    for (int k = 0; k < 9; k++) I[k] /= shares;
    const double C[6] = {I[4] * I[8] - I[5] * I[5], I[2] * I[5] - I[1] * I[8], I[1] * I[5] - I[2] * I[4],
                         I[0] * I[8] - I[2] * I[2], I[1] * I[2] - I[0] * I[5], I[0] * I[4] - I[1] * I[1]};
    const double det = I[0] * C[0] + I[1] * C[1] + I[2] * C[2];
    const double inverse[9] = {C[0] / det, C[1] / det, C[2] / det, C[1] / det, C[3] / det,
                               C[4] / det, C[2] / det, C[4] / det, C[5] / det};
    const placed p = place_of(m, i);
    m->mass[i] = b->mass / shares;
    m->plan.whole_mass += b->mass;
    memcpy(m->inertia + 9 * i, I, sizeof I);
    memcpy(m->inverse_inertia + 9 * i, inverse, sizeof inverse);
    memcpy(m->pose + 7 * i, p.r, sizeof p.r);
    memcpy(m->pose + 7 * i + 3, b->attitude, sizeof b->attitude);
}

lg_status mb_make_parts(lg_mechanism *m)
{
    if (!allocate(m)) return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    mb_plan *p = &m->plan;
    *p = (mb_plan){.bodies = m->part[MB_BODIES].count,
                   .joints = m->part[MB_JOINTS].count,
                   .springs = m->part[MB_SPRINGS].count,
                   .controls = m->part[MB_MOTORS].count,
                   .mass = m->mass,
                   .inertia = m->inertia,
                   .inverse_inertia = m->inverse_inertia,
                   .joint = m->joint,
                   .wheel = m->wheel,
                   .gear = m->gear,
                   .coordinate = m->coordinate,
                   .drive = m->drive,
                   .spring = m->spring};
    memcpy(p->gravity, m->gravity, sizeof p->gravity);
    lg_status st = LG_OK;
    for (int i = 0; i < p->bodies; i++) make_body(m, i);
    for (int i = 0; st == LG_OK && i < mb_seen(m, MB_JOINTS); i++) st = make_joint(m, MB_JOINT_OF(m, i), &m->joint[i]);
    for (int i = 0; i < m->hidden; i++)
        make_share_joint(m, mb_seen(m, MB_BODIES) + i, &m->joint[mb_seen(m, MB_JOINTS) + i]);
    for (int i = 0; st == LG_OK && i < m->part[MB_WHEELS].count; i++)
        st = make_wheel(m, MB_WHEEL_OF(m, i), &m->wheel[i]);
    for (int i = 0; st == LG_OK && i < p->springs; i++) st = make_spring(m, MB_SPRING_OF(m, i), &m->spring[i]);
    if (st == LG_OK) st = make_drives(m);
    for (int i = 0; st == LG_OK && i < m->part[MB_GEARS].count; i++) st = make_gear(m, MB_GEAR_OF(m, i), &m->gear[i]);
    if (st == LG_OK) make_readings(m);
    return st;
}
