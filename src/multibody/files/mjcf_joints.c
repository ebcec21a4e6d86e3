/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints of MJCF. A body may have several, one after the other with nothing in between; those that are together one
 * joint with fewer rows are read as that, the others are refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/small.h"
#include "multibody/files/mjcf.h"

enum { HINGE, SLIDE, BALL, FREE, MOST = 3 };
static const char *const type_names[] = {"hinge", "slide", "ball", "free", NULL};

typedef struct mj_joint {
    mb_element *at;
    const char *name;
    int type;
    double axis[3], point[3], ref, stiffness, rest, damping, lower, upper, armature;
} mj_joint;

/* ---- one joint ---- */

static void read_joint(mj_reader *o, mj_joint *j, mb_element *e, const char *childclass)
{
    mb_reader *r = o->r;
    *j = (mj_joint){.at = e, .axis = {0, 0, 1}, .lower = -INFINITY, .upper = INFINITY};
    j->name = mb_text(e, "name");
    j->type = FREE;
    if (mb_is(e, "freejoint")) return;
    mj_inherit(o, e, childclass);
    j->type = mb_choice(r, e, "type", type_names, HINGE);
    (void)mb_numbers(r, e, "axis", j->axis, 3, 3);
    (void)mb_numbers(r, e, "pos", j->point, 3, 3);
    if (j->type == HINGE || j->type == SLIDE) mb_unit(r, e, "axis", j->axis, 3);
    const double unit = j->type == HINGE ? o->unit : 1;
    double range[2];
    const int ranged = mb_numbers(r, e, "range", range, 2, 2) > 0;
    if (mj_is_limited(o, e, "limited", ranged) && (j->type == HINGE || j->type == SLIDE))
        j->lower = range[0] * unit, j->upper = range[1] * unit;
    else if (ranged && j->type == BALL)
        mb_note(r, e, "range of a ball joint is not watched");
    j->ref = mb_number(r, e, "ref", 0) * unit;
    j->rest = mb_number(r, e, "springref", 0) * unit;
    j->stiffness = mb_number(r, e, "stiffness", 0), j->damping = mb_number(r, e, "damping", 0);
    j->armature = mb_number(r, e, "armature", 0);
}

/* ---- several joints that are one ---- */

static int across(const double *a, const double *b)
{
    return fabs(small_dot(3, a, b)) < 1e-6;
}

static int same_way(const double *a, const double *b)
{
    return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]) < 1e-6;
}

/* order[i]: the joint that is position i. */

/* Two hinges that cross at a point. */
static int as_universal(mb_file_joint *to, const mj_joint *j, int *order)
{
    if (j[0].type != HINGE || j[1].type != HINGE || !across(j[0].axis, j[1].axis) || !same_way(j[0].point, j[1].point))
        return 0;
    to->kind = LG_JOINT_UNIVERSAL;
    order[0] = 0, order[1] = 1;
    memcpy(to->second, j[1].axis, sizeof to->second);
    return 1;
}

/* A slide and a hinge along one axis. */
static int as_cylindrical(mb_file_joint *to, const mj_joint *j, int *order)
{
    const int hinge = j[1].type == HINGE;
    if (j[hinge].type != HINGE || j[1 - hinge].type != SLIDE || !same_way(j[0].axis, j[1].axis)) return 0;
    to->kind = LG_JOINT_CYLINDRICAL;
    order[0] = 1 - hinge, order[1] = hinge;
    memcpy(to->point, j[hinge].point, sizeof to->point);
    return 1;
}

/* Two slides in a plane, then a hinge across it. The first axis of the frame is the slide from which the other one is
 * turned by +90 degrees about the hinge. */
static int as_planar(mb_file_joint *to, const mj_joint *j, int *order)
{
    double x[3];
    if (j[0].type != SLIDE || j[1].type != SLIDE || j[2].type != HINGE || !across(j[0].axis, j[1].axis) ||
        !across(j[0].axis, j[2].axis) || !across(j[1].axis, j[2].axis))
        return 0;
    small_cross(x, j[2].axis, j[0].axis);
    const int swapped = !same_way(x, j[1].axis);
    to->kind = LG_JOINT_PLANAR;
    order[0] = swapped, order[1] = 1 - swapped, order[2] = 2;
    memcpy(to->point, j[2].point, sizeof to->point);
    memcpy(to->axis, j[2].axis, sizeof to->axis);
    memcpy(to->second, j[swapped].axis, sizeof to->second);
    return 1;
}

static void refuse_several(mb_reader *r, const mj_joint *j, int count, const char *body)
{
    mb_refuse_as(
        r, LG_ERROR_UNSUPPORTED, j[1].at,
        "body '%.40s' has %d joints that are not one of: two hinges across each other at one point (universal), "
        "a slide and a hinge along one axis (cylindrical), two slides and a hinge across them (planar); put a "
        "body with a mass between them",
        body, count);
}

/* The names with + between them. */
static const char *joined(mj_reader *o, const mj_joint *j, int count, const char *body)
{
    size_t room = 1;
    int named = 1;
    for (int i = 0; i < count; i++) {
        named &= j[i].name != NULL;
        room += j[i].name != NULL ? strlen(j[i].name) + 1 : 0;
    }
    if (!named || count == 1) return named ? j[0].name : body;
    char *name = mb_document_take(&o->r->document, room);
    if (name == NULL) {
        mb_refuse_as(o->r, LG_ERROR_MEMORY, NULL, "out of memory");
        return body;
    }
    name[0] = '\0';
    for (int i = 0; i < count; i++) {
        if (i > 0) strcat(name, "+");
        strcat(name, j[i].name);
    }
    return name;
}

static void as_single(mb_file_joint *to, const mj_joint *j, double *second)
{
    static const lg_joint_kind kinds[] = {LG_JOINT_REVOLUTE, LG_JOINT_PRISMATIC, LG_JOINT_SPHERICAL, LG_JOINT_FREE};
    to->kind = kinds[j->type];
    to->zero[0] = j->ref, to->stiffness = j->stiffness, to->rest = j->rest, to->damping = j->damping;
    to->lower = j->lower, to->upper = j->upper, to->armature = j->armature;
    if (j->type == FREE) {
        to->absolute = 1, to->zero[0] = 0;
        memset(to->point, 0, sizeof to->point);
    }
    if (j->type == BALL) { /* the rotation vector is in the axes of the body */
        memcpy(to->axis, (const double[3]){0, 0, 1}, sizeof to->axis);
        second[0] = 1, to->zero[0] = 0;
    }
}

/* `name` and a number after a mark, kept as long as the document. */
static const char *numbered(mj_reader *o, const char *name, const char *mark, int number)
{
    const size_t room = strlen(name) + strlen(mark) + 1;
    char *base = mb_document_take(&o->r->document, room);
    if (base == NULL) {
        mb_refuse_as(o->r, LG_ERROR_MEMORY, NULL, "out of memory");
        return name;
    }
    (void)snprintf(base, room, "%s%s", name, mark);
    return mj_name(o, base, number);
}

/* Names and numbers of the positions of several joints that are one. */
static void take_positions(mj_reader *o, mb_file_joint *to, const mj_joint *j, int count, const int *order)
{
    to->several = count;
    for (int i = 0; i < count && o->r->status == LG_OK; i++) {
        const mj_joint *own = &j[order[i]];
        mb_file_position *p = &to->each[i];
        p->name = own->name != NULL ? own->name : numbered(o, to->name, "_", i + 1);
        p->place = numbered(o, to->name, ".", i + 1);
        p->stiffness = own->stiffness, p->rest = own->rest, p->damping = own->damping, p->armature = own->armature;
        p->lower = own->lower, p->upper = own->upper;
        to->zero[i] = own->ref;
    }
}

/* ---- the joints of a body ---- */

static int read_all(mj_reader *o, mj_joint *j, mb_element *body, const char *childclass)
{
    int count = 0;
    for (mb_element *e = body->child; e != NULL && o->r->status == LG_OK; e = e->next) {
        if (!mb_is(e, "joint") && !mb_is(e, "freejoint")) continue;
        e->read = 1;
        if (count == MOST)
            mb_refuse_as(o->r, LG_ERROR_UNSUPPORTED, e,
                         "a fourth joint of this body; put a body with a mass between them");
        else
            read_joint(o, &j[count++], e, childclass);
    }
    return count;
}

void mj_joints(mj_reader *o, mb_element *body, int link, int parent, const char *childclass)
{
    mb_reader *r = o->r;
    mj_joint j[MOST];
    const char *name = r->link[link].name;
    const int count = read_all(o, j, body, childclass);
    if (r->status != LG_OK) return;
    const int k = mb_new_joint(r, joined(o, j, count, name), count > 0 ? j[0].at : body, LG_JOINT_FIXED, parent, link);
    if (r->status != LG_OK) return;
    r->link[link].joint = k, r->link[link].parent = parent;
    if (count == 0) return;
    mb_file_joint *to = &r->joint[k];
    memcpy(to->axis, j[0].axis, sizeof to->axis);
    memcpy(to->point, j[0].point, sizeof to->point);
    int order[MOST] = {0, 1, 2};
    if (count == 1)
        as_single(to, j, to->second);
    else if (!(count == 2 && (as_universal(to, j, order) || as_cylindrical(to, j, order))) &&
             !(count == 3 && as_planar(to, j, order)))
        refuse_several(r, j, count, name);
    if (count > 1) take_positions(o, to, j, count, order);
    if (to->kind == LG_JOINT_FREE && parent >= 0)
        mb_refuse(r, j[0].at, "body '%.60s' is free, but not a child of <worldbody>; move it there", name);
}
