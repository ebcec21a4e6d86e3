/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism as URDF: a tree with one root, the link `world`. The frame of a link is at its joint, so that a body
 * whose hinge is off its origin has a frame that is moved. */
#include "multibody/files/write.h"

#include <math.h>
#include <string.h>

#include <liegrp/groups/euler.h>
#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>
#include <liegrp/multibody/contact.h>

#include "multibody/scene.h"

/* The joint of a body to its parent; FREE of one that floats. */
static lg_joint_kind kind_of(const mb_writer *w, int b)
{
    const int j = w->branch[b].joint;
    return j >= 0 ? MB_JOINT_OF(w->m, j)->kind : LG_JOINT_FREE;
}

static const mb_written *position_of(const mb_writer *w, int b)
{
    return &w->position[MB_POSITIONS_MOST * w->branch[b].joint];
}

/* The link's frame in that of its body (the number of bodies: the world). */
static mb_place link_in_body(const mb_writer *w, int b)
{
    mb_place at = mb_here;
    const int turns = b < w->bodies && (kind_of(w, b) == LG_JOINT_REVOLUTE || kind_of(w, b) == LG_JOINT_PLANAR);
    if (turns) mb_point_on(w, at.g, w->branch[b].joint, !w->branch[b].reverse);
    return at;
}

static void put_origin(mb_writer *w, const double *g, int depth)
{
    double rpy[3];
    const int moved = g[0] != 0 || g[1] != 0 || g[2] != 0, turned = g[3] != 0 || g[4] != 0 || g[5] != 0;
    if (!moved && !turned) return;
    mb_put_indent(w, depth);
    mb_put(w, "<origin");
    mb_put_numbers(w, "xyz", g, 3);
    if (turned && lg_so3_to_euler(rpy, g + 3, "xyz") == LG_OK) mb_put_numbers(w, "rpy", rpy, 3);
    mb_put(w, "/>\n");
}

/* ---- links ---- */

static void put_visual(mb_writer *w, const lg_shape *s, const mb_place *link)
{
    mb_place at, back, in_link;
    memcpy(at.g, s->position, sizeof s->position), memcpy(at.g + 3, s->attitude, sizeof s->attitude);
    if (s->kind != LG_SHAPE_BOX && s->kind != LG_SHAPE_CYLINDER && s->kind != LG_SHAPE_SPHERE) {
        mb_say(w, "shape '%.60s' is left out: URDF has none of its kind", s->name != NULL ? s->name : "");
        return;
    }
    lg_se3_inverse(back.g, link->g);
    lg_se3_compose(in_link.g, back.g, at.g);
    mb_put(w, "    <visual>\n");
    put_origin(w, in_link.g, 3);
    mb_put(w, "      <geometry><%s",
           s->kind == LG_SHAPE_BOX      ? "box"
           : s->kind == LG_SHAPE_SPHERE ? "sphere"
                                        : "cylinder");
    if (s->kind == LG_SHAPE_BOX)
        mb_put_numbers(w, "size", s->dimensions, 3);
    else
        mb_put_numbers(w, "radius", s->dimensions, 1);
    if (s->kind == LG_SHAPE_CYLINDER) mb_put_numbers(w, "length", s->dimensions + 1, 1);
    mb_put(w, "/></geometry>\n    </visual>\n");
}

static void put_link(mb_writer *w, int b)
{
    static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const lg_body *body = b < w->bodies ? MB_BODY(w->m, b) : NULL;
    const mb_place link = link_in_body(w, b);
    mb_put(w, "  <link");
    mb_put_text(w, "name", body != NULL ? body->name : "world", "");
    mb_put(w, ">\n");
    if (body != NULL) {
        double centre[7] = {0, 0, 0, 0, 0, 0, 1};
        for (int k = 0; k < 3; k++) centre[k] = body->centre[k] - link.g[k];
        mb_put(w, "    <inertial>\n");
        put_origin(w, centre, 3);
        mb_put(w, "      <mass");
        mb_put_numbers(w, "value", &body->mass, 1);
        mb_put(w, "/>\n      <inertia");
        for (int k = 0; k < 6; k++) mb_put_numbers(w, names[k], &body->inertia[k], 1);
        mb_put(w, "/>\n    </inertial>\n");
    }
    for (int k = w->first_thing[b]; k < w->first_thing[b + 1]; k++)
        if (w->thing[k] >= 0) put_visual(w, lg_scene_shape(w->m->look, w->thing[k]), &link);
    mb_put(w, "  </link>\n");
    if (body != NULL && (body->gravity < 1 || body->gravity > 1))
        mb_lose(w, "gravcomp", "gravity acts %g times on body '%.60s'", body->gravity, body->name);
}

/* ---- joints ---- */

/* A frame of the joint on a body. */
static mb_place frame_on(const mb_writer *w, int j, int child)
{
    mb_place at = mb_here;
    mb_point_on(w, at.g, j, child);
    lg_status_ignore(lg_so3_from_matrix(at.g + 3, child ? w->m->joint[j].frame_b : w->m->joint[j].frame_a));
    return at;
}

/* The frame of body b in that of its parent where the joint's positions are 0. */
static mb_place at_zero(mb_writer *w, int b)
{
    const mb_branch *at = &w->branch[b];
    const int count =
        at->joint >= 0 && kind_of(w, b) != LG_JOINT_FREE ? mb_position_count(MB_JOINT_OF(w->m, at->joint)) : 0;
    mb_place back, to;
    int moved = 0;
    for (int i = 0; i < count; i++) moved |= position_of(w, b)[i].q != 0;
    if (moved) {
        const mb_place parent = frame_on(w, at->joint, at->reverse), child = frame_on(w, at->joint, !at->reverse);
        lg_se3_inverse(back.g, child.g);
        lg_se3_compose(to.g, parent.g, back.g);
        mb_say(w, "URDF has no start: joint '%.60s' is written at 0, and as assembled at %g", position_of(w, b)->name,
               position_of(w, b)->q);
    } else {
        lg_se3_inverse(back.g, w->place[at->parent].g);
        lg_se3_compose(to.g, back.g, w->place[b].g);
    }
    return to;
}

static void put_limits(mb_writer *w, const mb_written *p, int always)
{
    const double ends[2] = {fmax(p->lower, -1e30), fmin(p->upper, 1e30)};
    const int limited = p->lower > -INFINITY || p->upper < INFINITY;
    if (!limited && !always) return;
    mb_put(w, "    <limit");
    if (limited) mb_put_numbers(w, "lower", &ends[0], 1), mb_put_numbers(w, "upper", &ends[1], 1);
    mb_put(w, " effort=\"1e9\" velocity=\"1e9\"/>\n");
}

/* Axis, damping, limits and gear of a joint of one position. */
static void put_motion(mb_writer *w, int b, lg_joint_kind kind)
{
    mb_motion_of_child motion[MB_POSITIONS_MOST];
    const mb_written *p = position_of(w, b), *from;
    const int count = mb_motions_of_child(w, motion, b);
    int driver;
    mb_put(w, "    <axis");
    for (int i = 0; i < count; i++) { /* of a planar joint the hinge's */
        if (count == 1 || !motion[i].slides) mb_put_numbers(w, "xyz", motion[i].axis, 3);
        const mb_written *at = &p[motion[i].position];
        if (at->stiffness > 0) mb_lose(w, "stiffness", "joint '%.60s' has a spring", at->name);
        if (at->armature > 0) mb_lose(w, "armature", "joint '%.60s' has a rotor", at->name);
        if (at->damping > 0 && count > 1) mb_lose(w, "damping", "planar joint '%.60s' has a damper", at->name);
        if (at->friction > 0 && count > 1) mb_lose(w, "friction", "planar joint '%.60s' has dry friction", at->name);
    }
    mb_put(w, "/>\n");
    if (count > 1) return;
    if (p->damping > 0 || p->friction > 0) {
        mb_put(w, "    <dynamics");
        mb_put_number(w, "damping", p->damping, 0), mb_put_number(w, "friction", p->friction, 0);
        mb_put(w, "/>\n");
    }
    put_limits(w, p, kind == LG_JOINT_PRISMATIC);
    const int gear = w->gear[w->branch[b].joint] - 1;
    const lg_gear *g = gear >= 0 ? MB_GEAR_OF(w->m, gear) : NULL;
    if (g == NULL || (from = mb_written_named(w, &driver, g->driver)) == NULL) return;
    mb_put(w, "    <mimic");
    mb_put_text(w, "joint", from->name, "");
    mb_put_numbers(w, "multiplier", &g->ratio, 1), mb_put_numbers(w, "offset", &g->offset, 1);
    mb_put(w, "/>\n");
}

static const char *type_of(const mb_writer *w, int b, lg_joint_kind kind)
{
    static const char *const types[LG_JOINT_COMPOSED + 1] = {
        [LG_JOINT_FIXED] = "fixed",   [LG_JOINT_REVOLUTE] = "revolute", [LG_JOINT_PRISMATIC] = "prismatic",
        [LG_JOINT_PLANAR] = "planar", [LG_JOINT_FREE] = "floating",
    };
    const mb_written *p = position_of(w, b);
    return kind == LG_JOINT_REVOLUTE && p->lower == -INFINITY && p->upper == INFINITY ? "continuous" : types[kind];
}

static void put_joint(mb_writer *w, int b)
{
    const mb_branch *at = &w->branch[b];
    const lg_joint_kind kind = kind_of(w, b);
    const char *type = type_of(w, b, kind), *body = MB_BODY(w->m, b)->name;
    const int several = at->joint >= 0 && (kind == LG_JOINT_PLANAR || kind == LG_JOINT_FIXED);
    const mb_place parent = link_in_body(w, at->parent), child = link_in_body(w, b), zero = at_zero(w, b);
    mb_place back, to;
    if (type == NULL) {
        mb_write_fails(w, LG_ERROR_UNSUPPORTED, "joint '%.60s' is %s, which URDF cannot say; write a file .xml",
                       MB_JOINT_OF(w->m, at->joint)->name, lg_joint_kind_name(kind));
        return;
    }
    mb_put(w, "  <joint");
    if (at->joint < 0)
        mb_put_text(w, "name", body, mb_find(w->m, MB_JOINTS, body) >= 0 ? "_free" : "");
    else
        mb_put_text(w, "name", several ? MB_JOINT_OF(w->m, at->joint)->name : position_of(w, b)->name, "");
    mb_put(w, " type=\"%s\">\n", type);
    lg_se3_inverse(back.g, parent.g);
    lg_se3_compose(to.g, back.g, zero.g);
    lg_se3_compose(to.g, to.g, child.g);
    put_origin(w, to.g, 2);
    mb_put(w, "    <parent");
    mb_put_text(w, "link", at->parent < w->bodies ? MB_BODY(w->m, at->parent)->name : "world", "");
    mb_put(w, "/>\n    <child");
    mb_put_text(w, "link", body, "");
    mb_put(w, "/>\n");
    if (kind == LG_JOINT_FREE && at->joint >= 0 && (position_of(w, b)->damping > 0 || position_of(w, b)->armature > 0))
        mb_lose(w, "damping", "joint '%.60s' is free and has a damper or a rotor", MB_JOINT_OF(w->m, at->joint)->name);
    if (kind != LG_JOINT_FREE && kind != LG_JOINT_FIXED) put_motion(w, b, kind);
    mb_put(w, "  </joint>\n");
}

/* ---- what URDF lacks ---- */

static void lose_gears(mb_writer *w)
{
    for (int i = 0, j, driver; i < w->m->part[MB_GEARS].count; i++) {
        const lg_gear *g = MB_GEAR_OF(w->m, i);
        const mb_written *to = mb_written_named(w, &j, g->joint),
                         *from = g->driver != NULL ? mb_written_named(w, &driver, g->driver) : NULL;
        if (to != NULL && w->gear[j] == 0) w->gear[j] = i + 1;
        const int others = to != NULL && w->gear[j] != i + 1,
                  curved = g->quadratic != 0 || g->cubic != 0 || g->quartic != 0;
        if (to != NULL && from != NULL && !others && !curved && mb_position_count(MB_JOINT_OF(w->m, j)) == 1 &&
            mb_position_count(MB_JOINT_OF(w->m, driver)) == 1)
            continue;
        if (to != NULL && !others) w->gear[j] = 0;
        mb_lose(w, "gear",
                curved ? "gear '%.60s' has powers of its driver"
                       : "gear '%.60s' does not drive a hinge or slide of its own by another one",
                g->name);
    }
}

/* Readers give each hinge and slide that no gear drives a motor, whose control is a torque. */
static void lose_motors(mb_writer *w)
{
    const lg_mechanism *m = w->m;
    for (int i = 0, j; i < m->part[MB_MOTORS].count; i++) {
        const lg_motor *a = MB_MOTOR_OF(m, i);
        const mb_written *p = mb_written_named(w, &j, a->joint);
        int own = p != NULL && mb_position_count(MB_JOINT_OF(m, j)) == 1 && w->gear[j] == 0 && a->ratio == 1;
        own = own && a->position_gain == 0 && a->velocity_gain == 0 && a->lower == -INFINITY && a->upper == INFINITY;
        own = own && a->activation == LG_ACTIVATION_NONE && a->damping_gain == 0 && !(a->control_lower > -INFINITY) &&
              !(a->control_upper < INFINITY);
        own = own && w->motor[j] == 0;
        if (p != NULL) w->motor[j] = i + 1;
        if (!own)
            mb_lose(w, "motor", "motor '%.60s' is not the one torque on its hinge or slide", a->name);
        else if (strcmp(a->name, p->name) != 0)
            mb_say(w, "motor '%.60s' has the name of its joint, '%.60s'", a->name, p->name);
    }
}

static void lose_others(mb_writer *w)
{
    const lg_mechanism *m = w->m;
    const double *g = m->gravity;
    if (g[0] != 0 || g[1] != 0 || g[2] < -9.81 || g[2] > -9.81)
        mb_lose(w, "gravity", "gravity is (%g, %g, %g)", g[0], g[1], g[2]);
    for (int j = 0; j < w->joints; j++) {
        const lg_joint *joint = MB_JOINT_OF(m, j);
        if (!w->in_tree[j] && joint->kind != LG_JOINT_DISTANCE && joint->kind != LG_JOINT_FREE)
            mb_lose(w, "loop", "joint '%.60s' closes a loop", joint->name);
    }
    for (int i = 0; i < m->part[MB_SPRINGS].count; i++)
        mb_lose(w, "spring", "spring '%.60s' acts between points", MB_SPRING_OF(m, i)->name);
    for (int i = 0; i < m->part[MB_TENDONS].count; i++)
        mb_lose(w, "tendon", "'%.60s' is a tendon", MB_TENDON_OF(m, i)->name);
    lose_gears(w), lose_motors(w);
}

/* ---- <liegrp> ---- */

static void put_surface(mb_writer *w, const lg_surface *s)
{
    const int b = s->body != NULL ? mb_find(w->m, MB_BODIES, s->body) : w->bodies;
    const mb_place link = link_in_body(w, b);
    mb_place at, back, in_link;
    int sizes = 0;
    memcpy(at.g, s->position, sizeof s->position), memcpy(at.g + 3, s->attitude, sizeof s->attitude);
    lg_se3_inverse(back.g, link.g);
    lg_se3_compose(in_link.g, back.g, at.g);
    while (sizes < 3 && s->half[sizes] > 0) sizes++;
    mb_put(w, "    <surface");
    mb_put_text(w, "name", s->name, ""), mb_put_text(w, "link", s->body != NULL ? s->body : "world", "");
    mb_put(w, " kind=\"%s\"", lg_surface_kind_name(s->kind));
    if (sizes > 0) mb_put_numbers(w, "half", s->half, sizes);
    mb_put_numbers(w, "position", in_link.g, 3), mb_put_numbers(w, "attitude", in_link.g + 3, 4);
    mb_put_numbers(w, "friction", &s->friction, 1), mb_put_numbers(w, "restitution", &s->restitution, 1);
    if (s->viscous > 0) mb_put_numbers(w, "viscous", &s->viscous, 1);
    if (s->friction_along >= 0) mb_put_numbers(w, "friction_along", &s->friction_along, 1);
    if (s->group != 0) mb_put(w, " group=\"%d\"", s->group);
    if (s->contype != 1) mb_put(w, " contype=\"%d\"", s->contype);
    if (s->conaffinity != 1) mb_put(w, " conaffinity=\"%d\"", s->conaffinity);
    if (s->priority != 0) mb_put(w, " priority=\"%d\"", s->priority);
    if (s->rule == LG_FRICTION_GREATER) mb_put(w, " rule=\"greater\"");
    if (s->points > 0) mb_put_numbers(w, "points", s->point, 3 * s->points);
    if (s->triangles > 0) mb_put(w, " triangles=\"");
    for (int i = 0; i < 3 * s->triangles; i++) mb_put(w, "%s%d", i > 0 ? " " : "", s->triangle[i]);
    if (s->triangles > 0) mb_put(w, "\"");
    if (s->rows > 0) mb_put(w, " rows=\"%d\"", s->rows), mb_put_numbers(w, "heights", s->height, s->rows * s->columns);
    mb_put(w, "/>\n");
}

static void put_pair(mb_writer *w, const lg_surface_pair *p)
{
    mb_put(w, "    <surface_pair");
    mb_put_text(w, "name", p->name, ""), mb_put_text(w, "first", p->first, "");
    mb_put_text(w, "second", p->second, "");
    if (p->ignored) mb_put(w, " ignored=\"true\"");
    if (p->friction >= 0) mb_put_numbers(w, "friction", &p->friction, 1);
    if (p->restitution >= 0) mb_put_numbers(w, "restitution", &p->restitution, 1);
    if (p->viscous >= 0) mb_put_numbers(w, "viscous", &p->viscous, 1);
    mb_put(w, "/>\n");
}

static void put_stops(mb_writer *w, int b)
{
    const int one = w->branch[b].joint >= 0 && mb_position_count(MB_JOINT_OF(w->m, w->branch[b].joint)) == 1;
    const mb_written *p = one ? position_of(w, b) : NULL;
    if (p == NULL || !p->stops) return;
    mb_put(w, "    <stops");
    mb_put_text(w, "joint", p->name, "");
    mb_put_numbers(w, "restitution", &p->stop_restitution, 1);
    mb_put(w, "/>\n");
}

static void put_contacts(mb_writer *w)
{
    const int surfaces = mb_seen(w->m, MB_SURFACES), pairs = mb_seen(w->m, MB_SURFACE_PAIRS);
    int any = surfaces;
    for (int i = 0; i < w->joints * MB_POSITIONS_MOST; i++) any += w->position[i].stops;
    if (any == 0) return;
    mb_put(w, "  <liegrp>\n");
    for (int i = 0; i < surfaces; i++) put_surface(w, MB_PART(w->m, MB_SURFACES, lg_surface, i));
    for (int i = 0; i < pairs; i++) put_pair(w, MB_PART(w->m, MB_SURFACE_PAIRS, lg_surface_pair, i));
    for (int b = 0; b < w->bodies; b++) put_stops(w, b);
    mb_put(w, "  </liegrp>\n");
}

void mb_write_urdf(mb_writer *w)
{
    int depth = 1, closed;
    lose_others(w);
    for (int b = w->bodies; b >= 0 && w->status == LG_OK; b = mb_walk_on(w, b, &depth, &closed)) {
        put_link(w, b);
        if (b < w->bodies) put_joint(w, b);
    }
    put_contacts(w);
}
