/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism as a file: the tree, the numbers of positions, what the format cannot say, and the file itself. */
#include "multibody/files/write.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#include "base/decimal.h"
#include "base/dense.h"
#include "base/file.h"
#include "base/text.h"
#include "groups/rotation.h"
#include "multibody/motion.h"
#include "multibody/scene.h"

/* ---- text ---- */

void mb_put(mb_writer *w, const char *format, ...)
{
    va_list arguments;
    if (w->status != LG_OK) return;
    va_start(arguments, format);
    (void)vfprintf(w->out, format, arguments);
    va_end(arguments);
}

/* The characters of an attribute's value, or of a comment, where two hyphens must not meet. */
static void put_escaped(mb_writer *w, const char *text, int comment)
{
    for (const char *at = text; *at != '\0' && w->status == LG_OK;) {
        const int length = lg_text_character(at, NULL);
        const unsigned char c = (unsigned char)*at;
        if (length == 0 || (c < 0x20 && c != '\t' && c != '\n' && c != '\r')) {
            mb_write_fails(w, LG_ERROR_ARGUMENT, "the name '%.60s' has a character that no XML file can hold", text);
            return;
        }
        if (!comment && (c < 0x20 || strchr("&<>\"", c) != NULL))
            mb_put(w, "&#%d;", c);
        else
            mb_put(w, "%.*s%s", length, at, comment && c == '-' && at[1] == '-' ? " " : "");
        at += length;
    }
}

void mb_put_text(mb_writer *w, const char *attribute, const char *text, const char *suffix)
{
    mb_put(w, " %s=\"", attribute);
    put_escaped(w, text, 0);
    mb_put(w, "%s\"", suffix);
}

void mb_put_numbers(mb_writer *w, const char *attribute, const double *x, int count)
{
    mb_put(w, " %s=\"", attribute);
    for (int i = 0; i < count; i++) mb_put(w, "%s%.17g", i > 0 ? " " : "", x[i]);
    mb_put(w, "\"");
}

void mb_put_number(mb_writer *w, const char *attribute, double x, double otherwise)
{
    if (x < otherwise || x > otherwise) mb_put_numbers(w, attribute, &x, 1);
}

void mb_put_indent(mb_writer *w, int depth)
{
    enum { DEEPEST = 16 }; /* of a long chain the file would be spaces beyond */
    mb_put(w, "%*s", 2 * (depth < DEEPEST ? depth : DEEPEST), "");
}

/* ---- what is not the same ---- */

void mb_write_fails(mb_writer *w, lg_status status, const char *format, ...)
{
    char text[300];
    va_list arguments;
    if (w->status != LG_OK) return;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0) text[0] = '\0';
    va_end(arguments);
    w->status = lg_fail(&w->m->error, status, "lg_mechanism_write: %s", text);
}

static void keep(mb_writer *w, const char *text)
{
    lg_mechanism *m = w->m;
    char **more = realloc(m->lost, ((size_t)m->losses + 1) * sizeof *more);
    if (more != NULL) m->lost = more;
    char *copy = more != NULL ? strdup(text) : NULL;
    if (copy != NULL)
        m->lost[m->losses++] = copy;
    else
        mb_write_fails(w, LG_ERROR_MEMORY, "out of memory");
}

void mb_say(mb_writer *w, const char *format, ...)
{
    char text[300];
    va_list arguments;
    if (w->status != LG_OK) return;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0) text[0] = '\0';
    va_end(arguments);
    keep(w, text);
}

void mb_lose(mb_writer *w, const char *word, const char *format, ...)
{
    char text[200];
    int ignored = 0;
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0) text[0] = '\0';
    va_end(arguments);
    for (const char *const *at = w->ignore; at != NULL && *at != NULL; at++) ignored |= strcmp(*at, word) == 0;
    if (ignored)
        mb_say(w, "%s: ignored, as you ask", text);
    else
        mb_write_fails(w, LG_ERROR_UNSUPPORTED, "%s, which %s cannot say; without it: --ignore %s", text, w->what,
                       word);
}

static void put_comments(mb_writer *w)
{
    for (int i = 0; i < w->m->losses; i++) {
        mb_put(w, "  <!-- ");
        put_escaped(w, w->m->lost[i], 1);
        mb_put(w, " -->\n");
    }
}

static void forget(lg_mechanism *m)
{
    while (m->losses > 0) free(m->lost[--m->losses]);
}

/* ---- positions of joints ---- */

/* Adds a spring, a damper and limits to those that a position has; two springs are one at rest between them. */
static void add_numbers(mb_written *p, double stiffness, double rest, double damping, double lower, double upper)
{
    const double k = p->stiffness + stiffness;
    if (p->stiffness == 0)
        p->rest = rest;
    else if (stiffness > 0)
        p->rest = (p->stiffness * p->rest + stiffness * rest) / k;
    p->stiffness = k, p->damping += damping;
    p->lower = fmax(p->lower, lower), p->upper = fmin(p->upper, upper);
}

static int is_taken(const lg_mechanism *m, const char *name)
{
    return mb_find(m, MB_JOINTS, name) >= 0 || mb_find(m, MB_COORDINATES, name) >= 0;
}

static void name_position(mb_writer *w, mb_written *p, const lg_joint *j, int i, const char *own)
{
    char text[200];
    if (own == NULL && mb_position_count(j) > 1 && mb_position_of(j, mb_position_count(j) - 1)->kind != MB_VECTOR) {
        int at = snprintf(text, sizeof text - 8, "%.180s_%d", j->name, i + 1);
        while (is_taken(w->m, text) && at < (int)sizeof text - 1) text[at++] = '_', text[at] = '\0';
        own = text;
    }
    free(p->name);
    p->name = strdup(own != NULL ? own : j->name);
    if (p->name == NULL) mb_write_fails(w, LG_ERROR_MEMORY, "out of memory");
}

/* Dry friction adds up; friction that a speed rounds off is lost. */
static void add_friction(mb_writer *w, mb_written *p, double friction, double speed, const char *noun, const char *name)
{
    if (speed == 0)
        p->friction += friction;
    else if (friction > 0)
        mb_lose(w, "friction", "%s '%.60s' has dry friction that a speed rounds off", noun, name);
}

static void add_stops(mb_written *p, int64_t stops, double restitution)
{
    if (stops != 0) p->stops = 1, p->stop_restitution = restitution;
}

/* What readers have to be asked for. */
static void say_contacts(mb_writer *w)
{
    int stops = 0, dry = 0;
    for (int i = 0; i < w->joints * MB_POSITIONS_MOST; i++)
        stops += w->position[i].stops, dry += w->position[i].friction > 0;
    if (stops + dry > 0)
        mb_say(w, "%d position%s stops and %d dry friction: liegrp reads them so with --contacts", stops,
               stops == 1 ? " has" : "s have", dry);
}

static void take_positions(mb_writer *w, const mb_sparse *mo)
{
    const lg_mechanism *m = w->m;
    for (int k = 0; k < w->joints && w->status == LG_OK; k++) {
        const lg_joint *j = MB_JOINT_OF(m, k);
        double q[MB_POSITIONS_MOST] = {0};
        w->status = lg_motion_joint(&mo->head, q, NULL, k);
        for (int i = 0; i < mb_position_count(j) && w->status == LG_OK; i++) {
            mb_written *p = &w->position[MB_POSITIONS_MOST * k + i];
            *p = (mb_written){.q = fabs(q[i]) > 1e-14 ? q[i] : 0, .lower = -INFINITY, .upper = INFINITY};
            p->armature = m->rotor_inertia[MB_POSITIONS_MOST * k + i];
            add_friction(w, p, j->friction, j->friction_speed, "joint", j->name);
            add_stops(p, j->stops, j->stop_restitution);
            add_numbers(p, j->stiffness, j->rest, j->damping, j->lower, j->upper);
            name_position(w, p, j, i, NULL);
        }
    }
    for (int k = 0; k < m->part[MB_COORDINATES].count && w->status == LG_OK; k++) {
        const lg_coordinate *c = MB_COORDINATE_OF(m, k);
        int joint, i;
        if (mb_position_named(m, &joint, &i, c->name) == NULL) continue;
        mb_written *p = &w->position[MB_POSITIONS_MOST * joint + i];
        add_friction(w, p, c->friction, c->friction_speed, "coordinate", c->name);
        add_stops(p, c->stops, c->stop_restitution);
        add_numbers(p, c->stiffness, c->rest, c->damping, c->lower, c->upper);
        name_position(w, p, MB_JOINT_OF(m, joint), i, c->name);
    }
}

const mb_written *mb_written_named(const mb_writer *w, int *joint, const char *name)
{
    int i;
    const mb_position *p = mb_position_named(w->m, joint, &i, name);
    return p != NULL && p->kind != MB_VECTOR && w->in_tree[*joint] && MB_JOINT_OF(w->m, *joint)->kind != LG_JOINT_FREE
               ? &w->position[MB_POSITIONS_MOST * *joint + i]
               : NULL;
}

/* ---- the tree ---- */

static int host_of(const lg_mechanism *m, int b)
{
    return b >= m->plan.bodies ? mb_seen(m, MB_BODIES) : m->hub != NULL ? m->hub[b].host : b;
}

/* The plan's tree, without shares of wide bodies and rotors. Free joints hold nothing: their bodies float. */
static void take_tree(mb_writer *w)
{
    const lg_mechanism *m = w->m;
    for (int b = 0; b <= w->bodies; b++) w->branch[b] = (mb_branch){-1, w->bodies, 0, -1, -1};
    for (int b = 0; b < m->plan.bodies; b++) {
        const mb_link *l = &m->link[b];
        if (mb_is_rotor(&m->plan, b) || l->joint < 0 || l->joint >= w->joints) continue;
        mb_branch *to = &w->branch[host_of(m, b)];
        to->joint = l->joint, to->reverse = l->reverse, w->in_tree[l->joint] = 1;
        if (MB_JOINT_OF(m, l->joint)->kind != LG_JOINT_FREE) to->parent = host_of(m, l->parent);
    }
    for (int b = w->bodies - 1; b >= 0; b--) {
        mb_branch *parent = &w->branch[w->branch[b].parent];
        w->branch[b].next = parent->first, parent->first = b;
    }
}

int mb_walk_on(const mb_writer *w, int b, int *depth, int *closed)
{
    *closed = 0;
    if (w->branch[b].first >= 0) {
        ++*depth;
        return w->branch[b].first;
    }
    while (b < w->bodies && w->branch[b].next < 0) b = w->branch[b].parent, ++*closed, --*depth;
    if (b == w->bodies) return -1;
    ++*closed;
    return w->branch[b].next;
}

/* As described where assembly changed nothing but the last bits, so that a file that is read and written stays. */
static void take_places(mb_writer *w, const mb_sparse *mo)
{
    for (int b = 0; b < w->bodies && w->status == LG_OK; b++) {
        const lg_body *body = MB_BODY(w->m, b);
        double *g = w->place[b].g, off = 0, given[7];
        w->status = lg_motion_body_pose(&mo->head, g, b);
        memcpy(given, body->position, sizeof body->position), memcpy(given + 3, body->attitude, sizeof body->attitude);
        const double sign = lg_dot(g + 3, given + 3, 4) < 0 ? -1 : 1;
        for (int k = 0; k < 7; k++) off = fmax(off, fabs(g[k] - (k < 3 ? 1 : sign) * given[k]));
        if (off <= 1e-14 * (1 + w->m->plan.reach)) memcpy(g, given, sizeof given);
    }
    w->place[w->bodies] = mb_here;
}

/* Moves an axis and a point along with a motion by x. */
static void pass(mb_motion_of_child *to, const mb_motion_of_child *by, double x)
{
    double step[7] = {0, 0, 0, 0, 0, 0, 1}, v[3], p[3];
    for (int k = 0; k < 3; k++) v[k] = x * by->axis[k];
    if (by->slides) {
        for (int k = 0; k < 3; k++) to->point[k] += v[k];
        return;
    }
    lg_so3_exp(step + 3, v);
    for (int k = 0; k < 3; k++) p[k] = to->point[k] - by->point[k];
    lg_so3_act(p, step + 3, p);
    for (int k = 0; k < 3; k++) to->point[k] = by->point[k] + p[k];
    lg_so3_act(to->axis, step + 3, to->axis);
}

/* In the joint's frame, where all positions are 0. */
static int motions_of_joint(const mb_writer *w, mb_motion_of_child *to, int joint)
{
    const lg_joint *j = MB_JOINT_OF(w->m, joint);
    const mb_chain *chain = w->m->joint[joint].chain;
    const int count = mb_position_count(j);
    for (int i = 0; i < count; i++) {
        const mb_position *p = mb_position_of(j, i);
        to[i] = (mb_motion_of_child){.slides = p->kind == MB_SLIDES, .position = i};
        if (chain == NULL) {
            to[i].axis[p->axis] = 1;
            continue;
        }
        const mb_elementary *e = &chain->motion[i];
        to[i].slides = e->slides;
        for (int k = 0; k < 3; k++) to[i].axis[k] = e->frame[3 * k + 2], to[i].point[k] = e->point[k];
    }
    return count;
}

int mb_motions_of_child(const mb_writer *w, mb_motion_of_child *to, int b)
{
    mb_motion_of_child in_joint[MB_POSITIONS_MOST];
    const mb_branch *at = &w->branch[b];
    const mb_joint *j = &w->m->joint[at->joint];
    const int count = motions_of_joint(w, in_joint, at->joint);
    const double *F = at->reverse ? j->frame_a : j->frame_b, sign = at->reverse ? -1 : 1;
    double anchor[3];
    mb_point_on(w, anchor, at->joint, !at->reverse);
    for (int i = 0; i < count; i++) { /* each goes back over those between it and the child, the nearest last */
        mb_motion_of_child whole = in_joint[at->reverse ? count - 1 - i : i];
        for (int n = 1; i + n < count; n++) {
            const mb_motion_of_child *by = &in_joint[at->reverse ? count - 1 - i - n : i + n];
            const double q = w->position[MB_POSITIONS_MOST * at->joint + by->position].q;
            if (q != 0) pass(&whole, by, at->reverse ? q : -q);
        }
        to[i] = whole;
        for (int k = 0; k < 3; k++) {
            to[i].axis[k] = sign * lg_dot(F + 3 * k, whole.axis, 3);
            to[i].point[k] = anchor[k] + lg_dot(F + 3 * k, whole.point, 3);
        }
    }
    return count;
}

void mb_point_on(const mb_writer *w, double *point, int j, int child)
{
    const mb_joint *of = &w->m->joint[j];
    const int b = host_of(w->m, child ? of->b : of->a);
    for (int k = 0; k < 3; k++)
        point[k] = (child ? of->anchor_b : of->anchor_a)[k] + (b < w->bodies ? MB_BODY(w->m, b)->centre[k] : 0);
}

/* ---- what neither format says ---- */

static void refuse_of_body(mb_writer *w, int b)
{
    const mb_branch *at = &w->branch[b];
    const lg_body *body = MB_BODY(w->m, b);
    const lg_joint *j = at->joint >= 0 ? MB_JOINT_OF(w->m, at->joint) : NULL;
    double I[3], at_body[3];
    mb_principal(I, body->inertia);
    if (I[2] > (I[0] + I[1]) * (1 + 1e-9))
        mb_lose(w, "inertia", "no distribution of mass has the inertia of body '%.60s', moments %.4g + %.4g < %.4g",
                body->name, I[0], I[1], I[2]);
    if (strcmp(body->name, "world") == 0)
        mb_write_fails(w, LG_ERROR_UNSUPPORTED, "a body is called 'world', which is the world in %s", w->what);
    if (j == NULL || j->kind != LG_JOINT_FREE) return;
    const mb_written *p = &w->position[MB_POSITIONS_MOST * at->joint];
    mb_point_on(w, at_body, at->joint, 1);
    if (j->parent != NULL)
        mb_lose(w, "free", "joint '%.60s' is free, and not from the world to a body", j->name);
    else if (lg_length(at_body, 3) > 0 && (p->damping > 0 || p->armature > 0))
        mb_lose(w, "free", "joint '%.60s' is free and damped or with a rotor, off its body's origin", j->name);
}

static void refuse_parts(mb_writer *w)
{
    const lg_mechanism *m = w->m;
    for (int i = 0; i < m->part[MB_WHEELS].count; i++)
        mb_lose(w, "wheel", "wheel '%.60s' touches a plane (%s)", MB_WHEEL_OF(m, i)->name,
                lg_contact_name(MB_WHEEL_OF(m, i)->contact));
    for (int i = 0; i < m->part[MB_SPHERE_CONTACTS].count; i++)
        mb_lose(w, "sphere_contact", "two spheres touch at '%.60s'", lg_mechanism_sphere_contact_name(m, i));
    for (int i = 0; i < m->part[MB_THRUSTERS].count; i++)
        mb_lose(w, "thruster", "thruster '%.60s' pushes a body", MB_THRUSTER_OF(m, i)->name);
    for (int i = 0; i < m->part[MB_DRIVES].count; i++)
        mb_lose(w, "drive", "drive '%.60s' gives a motion", MB_DRIVE_OF(m, i)->name);
    for (int i = 0; i < w->joints; i++)
        if (MB_JOINT_OF(m, i)->kind == LG_JOINT_DISTANCE)
            mb_lose(w, "distance", "joint '%.60s' keeps a distance", MB_JOINT_OF(m, i)->name);
    for (int b = 0; b < w->bodies; b++) refuse_of_body(w, b);
}

/* ---- the file ---- */

static int take_memory(mb_writer *w)
{
    const size_t bodies = (size_t)w->bodies + 1, joints = (size_t)w->joints + 1;
    w->branch = calloc(bodies, sizeof *w->branch), w->place = calloc(bodies, sizeof *w->place);
    w->position = calloc(joints * MB_POSITIONS_MOST, sizeof *w->position);
    w->in_tree = calloc(joints, 1);
    w->gear = calloc(joints, sizeof *w->gear), w->motor = calloc(joints, sizeof *w->motor);
    return w->branch != NULL && w->place != NULL && w->position != NULL && w->in_tree != NULL && w->gear != NULL &&
           w->motor != NULL;
}

static void free_memory(mb_writer *w)
{
    for (int i = 0; w->position != NULL && i < w->joints * MB_POSITIONS_MOST; i++) free(w->position[i].name);
    free(w->branch), free(w->place), free(w->position), free(w->in_tree);
    free(w->first_thing), free(w->thing), free(w->site), free(w->gear), free(w->motor);
}

static void take_mechanism(mb_writer *w)
{
    mb_sparse *mo = NULL;
    w->status = mb_sparse_create(&mo, w->m, NULL, 1);
    if (w->status == LG_OK) w->status = mb_sparse_start(mo, 0, NULL, NULL, 1);
    if (w->status != LG_OK)
        w->status = lg_fail(&w->m->error, w->status, "%s", mo != NULL ? mo->head.error.message : "out of memory");
    if (w->status == LG_OK) {
        take_tree(w);
        take_positions(w, mo);
        take_places(w, mo);
        mb_take_things(w);
        say_contacts(w);
    }
    mb_sparse_destroy(mo);
}

static void write_document(mb_writer *w)
{
    const int urdf = strcmp(w->what, "URDF") == 0;
    mb_put(w, urdf ? "<?xml version=\"1.0\"?>\n<robot name=\"mechanism\">\n" : "<mujoco model=\"mechanism\">\n");
    refuse_parts(w);
    (urdf ? mb_write_urdf : mb_write_mjcf)(w);
    put_comments(w);
    mb_put(w, urdf ? "</robot>\n" : "</mujoco>\n");
}

/* "MJCF" or "URDF" by the file's ending; NULL: another one. */
static const char *format_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot == NULL) return NULL;
    if (strcmp(dot, ".urdf") == 0) return "URDF";
    return strcmp(dot, ".xml") == 0 || strcmp(dot, ".mjcf") == 0 ? "MJCF" : NULL;
}

static lg_status write_file(mb_writer *w, const char *path)
{
    lg_file *file;
    take_mechanism(w);
    if (w->status != LG_OK) return w->status;
    const lg_status opened = lg_file_open(&file, path, &w->m->error);
    if (opened != LG_OK) return opened;
    lg_decimal numbers = lg_decimal_enter();
    w->out = lg_file_stream(file);
    write_document(w);
    lg_decimal_leave(&numbers);
    const lg_error failed = w->m->error;
    const lg_status closed = lg_file_close(file, w->status == LG_OK, &w->m->error);
    if (w->status == LG_OK) return closed;
    w->m->error = failed;
    return w->status;
}

lg_status lg_mechanism_write(lg_mechanism *m, const char *path, const char *const *ignore)
{
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&m->error);
    if (path == NULL) return lg_fail(&m->error, LG_ERROR_ARGUMENT, "lg_mechanism_write: the path is NULL");
    if (!m->compiled)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "lg_mechanism_write: the mechanism is not compiled; call lg_mechanism_compile() first");
    mb_writer w = {.m = m, .what = format_of(path), .ignore = ignore};
    if (w.what == NULL)
        return lg_fail(&m->error, LG_ERROR_ARGUMENT,
                       "lg_mechanism_write: '%.100s' ends neither in .xml or .mjcf nor in .urdf", path);
    w.bodies = mb_seen(m, MB_BODIES), w.joints = mb_seen(m, MB_JOINTS);
    forget(m);
    const lg_status status = take_memory(&w) ? write_file(&w, path)
                                             : lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_write: out of memory");
    free_memory(&w);
    if (status != LG_OK) forget(m);
    return status;
}
