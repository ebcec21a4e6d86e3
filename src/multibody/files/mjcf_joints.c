/* SPDX-License-Identifier: BSD-3-Clause */
/* Joints of MJCF. A body may have several, one after the other with nothing in between: they are motions of one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#include "base/small.h"
#include "base/sum.h"
#include "multibody/files/mjcf.h"

enum { HINGE, SLIDE, BALL, FREE, MOST = LG_JOINT_MOTIONS };
static const char *const type_names[] = {"hinge", "slide", "ball", "free", NULL};
static const lg_joint_kind kinds[] = {LG_JOINT_REVOLUTE, LG_JOINT_PRISMATIC, LG_JOINT_SPHERICAL, LG_JOINT_FREE};

typedef struct mj_joint {
    mb_element *at;
    const char *name;
    int type;
    double axis[3], point[3], ref;
    mb_file_position own;
    double spring[2]; /* time constant and damping ratio; 0: stiffness and damping count */
} mj_joint;

/* ---- one joint ---- */

/* Dry friction, which hinges and slides have with contacts; without them mb_judge_unread() says what it would be. */
static void read_friction(mj_reader *o, mj_joint *j, mb_element *e)
{
    mb_reader *r = o->r;
    if (o->free || o->smooth) (void)mb_text(e, "frictionloss");
    if (o->free || o->smooth || !r->options.contacts) return;
    const double friction = mb_number(r, e, "frictionloss", 0);
    if (j->type == HINGE || j->type == SLIDE) j->own.friction = friction;
    if (j->type == HINGE || j->type == SLIDE || (friction >= 0 && friction <= 0)) return;
    if (mb_ignores(r, "frictionloss"))
        mb_note(r, e, "frictionloss of a %s joint is ignored, as you ask", type_names[j->type]);
    else
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                     "a %s joint has no dry friction here, and its frictionloss, perhaps that of a <default>, would "
                     "change the motion; without it, and with that of hinges and slides: --ignore frictionloss "
                     "(lg_mechanism_file::ignore)",
                     type_names[j->type]);
}

static void read_joint(mj_reader *o, mj_joint *j, mb_element *e, const char *childclass)
{
    mb_reader *r = o->r;
    *j = (mj_joint){.at = e, .axis = {0, 0, 1}, .own = {.lower = -INFINITY, .upper = INFINITY}};
    j->name = mb_text(e, "name");
    j->type = FREE;
    if (mb_is(e, "freejoint")) return;
    mj_inherit(o, e, childclass);
    j->type = mb_choice(r, e, "type", type_names, HINGE);
    (void)mb_numbers(r, e, "axis", j->axis, 3, 3);
    (void)mb_numbers(r, e, "pos", j->point, 3, 3);
    if (j->type == HINGE || j->type == SLIDE) mb_unit(r, e, "axis", j->axis, 3);
    if (e->mark != NULL) {
        lg_se3_act(j->point, ((const mb_place *)e->mark)->g, j->point);
        lg_so3_act(j->axis, ((const mb_place *)e->mark)->g + 3, j->axis);
    }
    const double unit = j->type == HINGE ? mj_settings_of(o, e)->unit : 1;
    double range[2];
    const int ranged = mb_numbers(r, e, "range", range, 2, 2) > 0;
    if (mj_is_limited(o, e, "limited", ranged) && (j->type == HINGE || j->type == SLIDE))
        j->own.lower = range[0] * unit, j->own.upper = range[1] * unit;
    else if (ranged && j->type == BALL)
        mb_note(r, e, "range of a ball joint is not watched");
    j->ref = mb_number(r, e, "ref", 0) * unit;
    j->own.rest = mb_number(r, e, "springref", 0) * unit;
    j->own.stiffness = mb_number(r, e, "stiffness", 0), j->own.damping = mb_number(r, e, "damping", 0);
    if (o->slack) j->own.stiffness = 0;
    if (o->undamped) j->own.damping = 0;
    j->own.armature = mb_number(r, e, "armature", 0);
    (void)mb_numbers(r, e, "springdamper", j->spring, 2, 2);
    read_friction(o, j, e);
    j->own.stops = r->options.contacts && !o->free && !o->unlimited && mb_is_limited(&j->own);
    if (j->spring[0] > 0 && j->spring[1] > 0 && j->type != HINGE && j->type != SLIDE)
        mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e, "springdamper of a %s joint is not read; give it damping",
                     type_names[j->type]);
}

/* A joint without a name has that of its body, with `number` if that is not 0, and more where another joint is called
 * so. mj_settle_names() writes it. */
static const char *name_from(mj_reader *o, const char *body, int number)
{
    mj_unnamed *u = mb_take(o->r, sizeof *u);
    const size_t room = strlen(body) + 32;
    char *name = u != NULL ? mb_take(o->r, room) : NULL;
    if (name == NULL) return "";
    name[0] = '\0';
    *u = (mj_unnamed){o->unnamed_joint, body, name, room, number};
    o->unnamed_joint = u;
    return name;
}

/* The names with + between them. */
static const char *joined(mj_reader *o, const mj_joint *j, int count, const char *body)
{
    for (int i = 0; i < count; i++)
        if (j[i].name == NULL) return name_from(o, body, 0);
    if (count == 0) return name_from(o, body, 0);
    const char *name = j[0].name;
    for (int i = 1; i < count; i++) name = mb_print(o->r, "%s+%s", name, j[i].name);
    return name;
}

/* The spring and the damper of a position that the inertia determines. */
static void wish_for_spring(mj_reader *o, const mj_joint *j, const char *name)
{
    if (j->spring[0] > 0 && j->spring[1] > 0) mj_wish_for(o, j->at, name, -1, j->spring);
}

static void as_single(mj_reader *o, mb_file_joint *to, const mj_joint *j, double *second)
{
    to->kind = kinds[j->type];
    to->zero[0] = j->ref, to->all = j->own;
    wish_for_spring(o, j, to->name);
    if (j->type == FREE) {
        to->absolute = 1, to->zero[0] = 0;
        memset(to->point, 0, sizeof to->point);
    }
    if (j->type == BALL) { /* the rotation vector is in the axes of the body */
        memcpy(to->axis, (const double[3]){0, 0, 1}, sizeof to->axis);
        second[0] = 1, to->zero[0] = 0;
    }
}

/* Several joints, from the parent on: motions of one. */
static void as_several(mj_reader *o, mb_file_joint *to, const mj_joint *j, int count, const char *body)
{
    to->kind = LG_JOINT_COMPOSED, to->motions = to->several = count;
    for (int i = 0; i < count && o->r->status == LG_OK; i++) {
        mb_file_position *p = &to->each[i];
        lg_joint_motion *m = &to->motion[i];
        if (j[i].type != HINGE && j[i].type != SLIDE)
            mb_refuse_as(
                o->r, LG_ERROR_UNSUPPORTED, j[i].at,
                "body '%.40s' has %d joints, and one of them is a %s; only hinges and slides act in series. Put "
                "a body with a mass between them",
                body, count, type_names[j[i].type]);
        m->kind = kinds[j[i].type];
        memcpy(m->axis, j[i].axis, sizeof m->axis), memcpy(m->point, j[i].point, sizeof m->point);
        *p = j[i].own, p->name = j[i].name != NULL ? j[i].name : name_from(o, body, i + 1);
        to->zero[i] = j[i].ref;
        wish_for_spring(o, &j[i], p->name);
    }
    mb_name_kind(to);
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
                         "a seventh joint of this body; put a body with a mass between them");
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
    if (count == 1)
        as_single(o, to, j, to->second);
    else
        as_several(o, to, j, count, name);
    for (int i = 0; i < count; i++)
        mj_keep_joint(o, j[i].at, count == 1 ? to->name : to->each[i].name, kinds[j[i].type], link);
    if (to->kind == LG_JOINT_FREE && parent >= 0)
        mb_refuse(r, j[0].at, "body '%.60s' is free, but not a child of <worldbody>; move it there", name);
}

/* ---- names ---- */

/* 1: the name is new, and takes a slot; 0: it has one. */
static int insert(const char **slot, size_t slots, const char *name)
{
    size_t i = (size_t)(lg_sum(LG_SUM, name, strlen(name)) % slots);
    for (; slot[i] != NULL; i = (i + 1) % slots)
        if (strcmp(slot[i], name) == 0) return 0;
    slot[i] = name;
    return 1;
}

static void write_name(const mj_unnamed *u, const char **slot, size_t slots)
{
    char end[16] = "";
    if (u->number > 0) (void)snprintf(end, sizeof end, "_%d", u->number);
    (void)snprintf(u->name, u->room, "%s%s", u->body, end);
    for (int k = 2; !insert(slot, slots, u->name); k++) (void)snprintf(u->name, u->room, "%s%s_%d", u->body, end, k);
}

void mj_settle_names(mj_reader *o)
{
    mb_reader *r = o->r;
    size_t slots = 1;
    for (int i = 0; i < r->joints; i++) slots += 2 * (size_t)(1 + r->joint[i].several);
    const char **slot = r->status == LG_OK ? calloc(slots, sizeof *slot) : NULL;
    if (slot == NULL) {
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
        return;
    }
    for (int i = 0; i < r->joints; i++) {
        const mb_file_joint *j = &r->joint[i];
        if (j->name[0] != '\0') (void)insert(slot, slots, j->name);
        for (int k = 0; k < j->several; k++)
            if (j->each[k].name[0] != '\0') (void)insert(slot, slots, j->each[k].name);
    }
    for (const mj_unnamed *u = o->unnamed_joint; u != NULL; u = u->next) write_name(u, slot, slots);
    free(slot);
}
