/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism as MJCF. Joints are hinges, slides and balls of the tree's child, loops are equalities, springs between
 * points are tendons. */
#include "multibody/files/write.h"

#include <math.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>
#include <liegrp/multibody/contact.h>

#include "groups/rotation.h"
#include "multibody/scene.h"

enum { NESTED_MOST = 990 }; /* readers refuse a document that is much deeper */

static void put_place(mb_writer *w, const mb_place *at)
{
    const double *g = at->g, q[4] = {g[6], g[3], g[4], g[5]};
    if (g[0] != 0 || g[1] != 0 || g[2] != 0) mb_put_numbers(w, "pos", g, 3);
    if (q[0] != 1) mb_put_numbers(w, "quat", q, 4);
}

/* Two ends, one of which may be infinite. */
static void put_range(mb_writer *w, const char *attribute, double lower, double upper, const char *name)
{
    const double far = 1e30, range[2] = {fmax(lower, -far), fmin(upper, far)};
    if (lower == -INFINITY && upper == INFINITY) return;
    if (!(range[0] < range[1])) mb_lose(w, "limits", "both limits of '%.60s' are %g", name, lower);
    mb_put_numbers(w, attribute, range, 2);
}

/* ---- bodies ---- */

static void put_shape(mb_writer *w, const lg_shape *s, int depth)
{
    static const char *const types[] = {
        [LG_SHAPE_SPHERE] = "sphere", [LG_SHAPE_ELLIPSOID] = "ellipsoid", [LG_SHAPE_CYLINDER] = "cylinder",
        [LG_SHAPE_BOX] = "box",       [LG_SHAPE_ROD] = "cylinder",        [LG_SHAPE_PLANE] = "plane"};
    static const char *const colours[] = {"0.8 0.55 0.25 1", "0.4 0.55 0.7 1", "0.3 0.3 0.35 1", "0.6 0.6 0.65 1",
                                          "0.85 0.3 0.25 1", "0.8 0.8 0.75 1", "0.6 0.7 0.8 0.3"};
    const int flat = s->kind == LG_SHAPE_PLANE;
    const double *d = s->dimensions, thin = 1e-3 * (d[0] > 0 ? d[0] : 1);
    const double half[3] = {0.5 * d[0], 0.5 * d[1], flat ? 1 : 0.5 * d[2]}, round[2] = {d[0], fmax(0.5 * d[1], thin)};
    const double ends[6] = {s->position[0], s->position[1], s->position[2], s->end[0], s->end[1], s->end[2]};
    const int rod = s->kind == LG_SHAPE_ROD, halves = flat || s->kind == LG_SHAPE_BOX;
    if (types[s->kind] == NULL || (rod && s->end_body != s->body) || (flat && s->body >= 0)) {
        mb_say(w, "shape '%.60s' is left out: MJCF has none of its kind", s->name != NULL ? s->name : "");
        return;
    }
    mb_put_indent(w, depth);
    mb_put(w, "<geom type=\"%s\"", types[s->kind]);
    mb_put_numbers(w, "size",
                   halves                         ? half
                   : s->kind == LG_SHAPE_CYLINDER ? round
                                                  : d,
                   halves || s->kind == LG_SHAPE_ELLIPSOID ? 3
                   : s->kind == LG_SHAPE_CYLINDER          ? 2
                                                           : 1);
    mb_place at;
    memcpy(at.g, s->position, sizeof s->position), memcpy(at.g + 3, s->attitude, sizeof s->attitude);
    if (rod)
        mb_put_numbers(w, "fromto", ends, 6);
    else
        put_place(w, &at);
    mb_put(w, " rgba=\"%s\"/>\n", colours[s->shade]);
}

/* Shapes of a body and the ends of springs on it. */
static void put_things_on(mb_writer *w, int body, int depth)
{
    for (int k = w->first_thing[body]; k < w->first_thing[body + 1]; k++) {
        const int i = w->thing[k];
        char suffix[16];
        if (i >= 0) {
            put_shape(w, lg_scene_shape(w->m->look, i), depth);
            continue;
        }
        const mb_site_of_tendon *at = &w->site[-1 - i];
        (void)snprintf(suffix, sizeof suffix, "_%d", at->number);
        mb_put_indent(w, depth);
        mb_put(w, "<site");
        mb_put_text(w, "name", at->of, suffix);
        mb_put_numbers(w, "pos", at->point, 3);
        mb_put(w, "/>\n");
    }
}

static void put_position(mb_writer *w, const mb_written *p)
{
    mb_put_text(w, "name", p->name, "");
    mb_put_number(w, "damping", p->damping, 0);
    mb_put_number(w, "armature", p->armature, 0);
    mb_put_number(w, "frictionloss", p->friction, 0);
    if (p->stops && p->stop_restitution > 0)
        mb_lose(w, "restitution", "the stops of '%.60s' have a restitution of %g", p->name, p->stop_restitution);
}

static void put_joint(mb_writer *w, int b, int depth)
{
    const int j = w->branch[b].joint;
    const lg_joint *joint = j >= 0 ? MB_JOINT_OF(w->m, j) : NULL;
    mb_motion_of_child motion[MB_POSITIONS_MOST];
    double point[3];
    if (joint == NULL) {
        const char *name = MB_BODY(w->m, b)->name;
        mb_put_indent(w, depth);
        mb_put(w, "<freejoint");
        mb_put_text(w, "name", name, mb_find(w->m, MB_JOINTS, name) >= 0 ? "_free" : "");
        mb_put(w, "/>\n");
        return;
    }
    if (joint->kind == LG_JOINT_FREE || joint->kind == LG_JOINT_SPHERICAL) {
        mb_put_indent(w, depth);
        mb_put(w, "<joint type=\"%s\"", joint->kind == LG_JOINT_FREE ? "free" : "ball");
        mb_point_on(w, point, j, !w->branch[b].reverse);
        if (joint->kind == LG_JOINT_SPHERICAL) mb_put_numbers(w, "pos", point, 3);
        put_position(w, &w->position[MB_POSITIONS_MOST * j]);
        mb_put(w, "/>\n");
        return;
    }
    const int count = mb_motions_of_child(w, motion, b);
    for (int i = 0; i < count; i++) {
        const mb_written *p = &w->position[MB_POSITIONS_MOST * j + motion[i].position];
        mb_put_indent(w, depth);
        mb_put(w, "<joint type=\"%s\"", motion[i].slides ? "slide" : "hinge");
        mb_put_numbers(w, "axis", motion[i].axis, 3);
        if (!motion[i].slides) mb_put_numbers(w, "pos", motion[i].point, 3);
        put_position(w, p);
        mb_put_number(w, "ref", p->q, 0);
        mb_put_number(w, "stiffness", p->stiffness, 0);
        if (p->stiffness > 0) mb_put_number(w, "springref", p->rest, 0);
        put_range(w, "range", p->lower, p->upper, p->name);
        mb_put(w, "/>\n");
    }
}

static void put_body(mb_writer *w, int b, int depth)
{
    const lg_body *body = MB_BODY(w->m, b);
    mb_place back, relative;
    lg_se3_inverse(back.g, w->place[w->branch[b].parent].g);
    lg_se3_compose(relative.g, back.g, w->place[b].g);
    mb_put_indent(w, depth);
    mb_put(w, "<body");
    mb_put_text(w, "name", body->name, "");
    put_place(w, w->branch[b].parent < w->bodies ? &relative : &w->place[b]);
    mb_put_number(w, "gravcomp", 1 - body->gravity, 0);
    mb_put(w, ">\n");
    mb_put_indent(w, depth + 1);
    mb_put(w, "<inertial");
    mb_put_numbers(w, "pos", body->centre, 3);
    mb_put_numbers(w, "mass", &body->mass, 1);
    mb_put_numbers(w, "fullinertia", body->inertia, 6);
    mb_put(w, "/>\n");
    put_joint(w, b, depth + 1);
    put_things_on(w, b, depth + 1);
}

static void put_bodies(mb_writer *w)
{
    int depth = 1, closed;
    mb_put(w, "  <worldbody>\n");
    put_things_on(w, w->bodies, 2);
    for (int b = w->bodies; b >= 0 && w->status == LG_OK;) {
        const int before = depth;
        b = mb_walk_on(w, b, &depth, &closed);
        for (int i = 0; i < (b >= 0 ? closed : before - 1); i++) {
            mb_put_indent(w, before - i);
            mb_put(w, "</body>\n");
        }
        if (depth > NESTED_MOST)
            mb_write_fails(w, LG_ERROR_UNSUPPORTED, "more than %d bodies hang on each other, and elements of MJCF nest",
                           NESTED_MOST);
        if (b >= 0) put_body(w, b, depth);
    }
    mb_put(w, "  </worldbody>\n");
}

/* ---- loops and gears ---- */

static void put_end(mb_writer *w, const char *attribute, const char *body)
{
    if (body != NULL) mb_put_text(w, attribute, body, "");
}

/* Both bodies, the world second; 1: the child came first. */
static int put_ends(mb_writer *w, const char *element, const lg_joint *j, const char *suffix)
{
    const int swapped = j->parent == NULL;
    mb_put(w, "    <%s", element);
    mb_put_text(w, "name", j->name, suffix);
    put_end(w, "body1", swapped ? j->child : j->parent);
    put_end(w, "body2", swapped ? j->parent : j->child);
    return swapped;
}

/* The bodies hold together at a point of the joint's axis. */
static void put_connect(mb_writer *w, int j, double along, const char *suffix)
{
    const mb_joint *made = &w->m->joint[j];
    const int swapped = put_ends(w, "connect", MB_JOINT_OF(w->m, j), suffix);
    const double *F = swapped ? made->frame_b : made->frame_a;
    double point[3];
    mb_point_on(w, point, j, swapped);
    for (int k = 0; k < 3; k++) point[k] += along * F[3 * k + 2];
    mb_put_numbers(w, "anchor", point, 3);
    mb_put(w, "/>\n");
}

static int is_passive(const mb_writer *w, int j)
{
    int any = 0;
    for (int i = 0; i < mb_position_count(MB_JOINT_OF(w->m, j)); i++) {
        const mb_written *p = &w->position[MB_POSITIONS_MOST * j + i];
        any |= p->stiffness > 0 || p->damping > 0 || p->armature > 0 || p->friction > 0 || p->stops;
    }
    return any;
}

static void put_loop(mb_writer *w, int j)
{
    const lg_joint *joint = MB_JOINT_OF(w->m, j);
    const char *kind = lg_joint_kind_name(joint->kind);
    if (is_passive(w, j))
        mb_lose(w, "loop", "joint '%.60s' closes a loop and has a spring, a damper, dry friction, stops or a rotor",
                joint->name);
    if (joint->kind == LG_JOINT_FIXED) {
        (void)put_ends(w, "weld", joint, "");
        mb_put(w, "/>\n");
    } else if (joint->kind == LG_JOINT_SPHERICAL) {
        put_connect(w, j, 0, "");
    } else if (joint->kind == LG_JOINT_REVOLUTE) {
        const double arm = fmax(lg_length(w->m->joint[j].anchor_a, 3), lg_length(w->m->joint[j].anchor_b, 3));
        put_connect(w, j, 0, ""), put_connect(w, j, arm > 0 ? arm : w->m->plan.reach, "_2");
        mb_say(w, "joint '%.60s' closes a loop: two points of its axis are held", joint->name);
    } else if (joint->kind != LG_JOINT_FREE) {
        mb_lose(w, "loop", "%s joint '%.60s' closes a loop", kind, joint->name);
    }
}

/* q1 - ref1 = P(q2 - ref2), or without a driver P(0). */
static void put_gear(mb_writer *w, const lg_gear *g)
{
    int j;
    const mb_written *to = mb_written_named(w, &j, g->joint),
                     *from = g->driver != NULL ? mb_written_named(w, &j, g->driver) : NULL;
    if (to == NULL || (from == NULL && g->driver != NULL)) {
        mb_lose(w, "gear", "gear '%.60s' acts on a joint that closes a loop or on a rotation vector", g->name);
        return;
    }
    double c[5] = {g->offset - to->q, g->ratio, g->quadratic, g->cubic, g->quartic};
    if (from != NULL) mb_shift_polynomial(c, from->q);
    mb_put(w, "    <joint");
    mb_put_text(w, "name", g->name, "");
    mb_put_text(w, "joint1", to->name, "");
    if (from != NULL) mb_put_text(w, "joint2", from->name, "");
    mb_put_numbers(w, "polycoef", c, 5);
    mb_put(w, "/>\n");
}

static void put_held(mb_writer *w, const lg_tendon *t)
{
    if (!t->held || !mb_tendon_fits(w, t)) return;
    mb_put(w, "    <tendon");
    mb_put_text(w, "name", t->name, ""), mb_put_text(w, "tendon1", t->name, "");
    mb_put(w, "/>\n");
}

static void put_equalities(mb_writer *w)
{
    int loops = 0;
    const int tendons = w->m->part[MB_TENDONS].count;
    for (int i = 0; i < tendons; i++) loops += MB_TENDON_OF(w->m, i)->held != 0;
    const int gears = w->m->part[MB_GEARS].count;
    for (int j = 0; j < w->joints; j++) loops += !w->in_tree[j] && MB_JOINT_OF(w->m, j)->kind != LG_JOINT_DISTANCE;
    if (loops + gears == 0) return;
    mb_put(w, "  <equality>\n");
    for (int j = 0; j < w->joints; j++)
        if (!w->in_tree[j] && MB_JOINT_OF(w->m, j)->kind != LG_JOINT_DISTANCE) put_loop(w, j);
    for (int i = 0; i < gears; i++) put_gear(w, MB_GEAR_OF(w->m, i));
    for (int i = 0; i < tendons; i++) put_held(w, MB_TENDON_OF(w->m, i));
    mb_put(w, "  </equality>\n");
    mb_say(w, "MuJoCo holds loops, gears and tendons softly, by solref and solimp; here they are exact");
}

/* ---- forces ---- */

static void put_motor(mb_writer *w, const lg_motor *a)
{
    int j;
    const mb_written *p = mb_written_named(w, &j, a->joint);
    const int t = p == NULL ? mb_find(w->m, MB_TENDONS, a->joint) : -1;
    if (p == NULL && (t < 0 || !mb_tendon_fits(w, MB_TENDON_OF(w->m, t)))) {
        mb_lose(w, "motor",
                "motor '%.60s' drives a joint that closes a loop, a component of a rotation, or a tendon of both "
                "joints and points",
                a->name);
        return;
    }
    const int position = a->position_gain > 0, velocity = !position && a->velocity_gain > 0;
    const int acts = a->activation != LG_ACTIVATION_NONE, scaled = a->control_gain != 0 || acts;
    const double gain = a->control_gain != 0 ? a->control_gain
                        : position           ? a->position_gain
                        : velocity           ? a->velocity_gain
                                             : 1;
    const double bias[3] = {0, -a->position_gain, -a->velocity_gain};
    const int brakes = a->damping_gain > 0;
    mb_put(w, "    <%s",
           brakes && !acts ? "damper"
           : scaled        ? "general"
           : position      ? "position"
           : velocity      ? "velocity"
                           : "motor");
    mb_put_text(w, "name", a->name, "");
    mb_put_text(w, p != NULL ? "joint" : "tendon", p != NULL ? p->name : a->joint, "");
    mb_put_number(w, "gear", a->ratio, 1);
    const double braking[3] = {0, 0, -a->damping_gain};
    if (brakes && !acts) mb_put_numbers(w, "kv", &a->damping_gain, 1);
    if (brakes && acts) mb_put(w, " gaintype=\"affine\""), mb_put_numbers(w, "gainprm", braking, 3);
    if (scaled && !brakes) mb_put(w, " biastype=\"affine\"");
    if (scaled && !brakes) mb_put_numbers(w, "gainprm", &gain, 1), mb_put_numbers(w, "biasprm", bias, 3);
    if (position && !scaled) mb_put_numbers(w, "kp", &a->position_gain, 1);
    if ((position || velocity) && !scaled) mb_put_numbers(w, "kv", &a->velocity_gain, 1);
    if (acts) mb_put_text(w, "dyntype", a->time_constant > 0 ? "filterexact" : "integrator", "");
    if (a->time_constant > 0) mb_put_numbers(w, "dynprm", &a->time_constant, 1);
    put_range(w, "actrange", a->activation_lower, a->activation_upper, a->name);
    put_range(w, "ctrlrange", brakes ? fmax(a->control_lower, 0) : a->control_lower, a->control_upper, a->name);
    put_range(w, "forcerange", a->lower, a->upper, a->name);
    mb_put(w, "/>\n");
}

static void put_motors(mb_writer *w)
{
    const int count = w->m->part[MB_MOTORS].count;
    if (count == 0) return;
    mb_put(w, "  <actuator>\n");
    for (int i = 0; i < count; i++) put_motor(w, MB_MOTOR_OF(w->m, i));
    mb_put(w, "  </actuator>\n");
}

/* MJCF has geoms, whose contacts are springs. */
static void lose_surfaces(mb_writer *w)
{
    for (int i = 0; i < mb_seen(w->m, MB_SURFACES); i++)
        mb_lose(w, "surface", "surface '%.60s' touches others", lg_mechanism_surface_name(w->m, i));
    for (int i = 0; i < mb_seen(w->m, MB_SURFACE_PAIRS); i++)
        mb_lose(w, "surface", "'%.60s' is a pair of surfaces", lg_mechanism_surface_pair_name(w->m, i));
}

void mb_write_mjcf(mb_writer *w)
{
    lose_surfaces(w);
    mb_put(w, "  <compiler angle=\"radian\"/>\n  <option");
    if (w->m->file_step > 0) mb_put_numbers(w, "timestep", &w->m->file_step, 1);
    mb_put_numbers(w, "gravity", w->m->gravity, 3);
    mb_put(w, "/>\n  <default>\n    <geom contype=\"0\" conaffinity=\"0\" mass=\"0\"/>\n  </default>\n");
    put_bodies(w);
    put_equalities(w);
    mb_put_tendons(w);
    put_motors(w);
}
