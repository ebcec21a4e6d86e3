/* SPDX-License-Identifier: BSD-3-Clause */
/* Links without mass. One that carries nothing stays where it is on its parent; one between two joints is no body, and
 * its joints become motions of one. Joints of several motions that are a kind of their own are read as that. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#include "base/small.h"
#include "multibody/files/reader.h"
#include "multibody/parts/part.h"

/* ---- several motions that are one kind ---- */

static int across(const double *a, const double *b)
{
    return fabs(small_dot(3, a, b)) < 1e-6;
}

static int same_way(const double *a, const double *b)
{
    return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]) < 1e-6;
}

static int is_hinge(const lg_joint_motion *m)
{
    return m->kind == LG_JOINT_REVOLUTE;
}

/* order[i]: the motion that is position i. */

/* Two hinges that cross at a point. */
static int as_universal(mb_file_joint *to, int *order)
{
    const lg_joint_motion *m = to->motion;
    if (!is_hinge(&m[0]) || !is_hinge(&m[1]) || !across(m[0].axis, m[1].axis) || !same_way(m[0].point, m[1].point))
        return 0;
    to->kind = LG_JOINT_UNIVERSAL;
    order[0] = 0, order[1] = 1;
    memcpy(to->second, m[1].axis, sizeof to->second);
    return 1;
}

/* A slide and a hinge along one axis. */
static int as_cylindrical(mb_file_joint *to, int *order)
{
    const lg_joint_motion *m = to->motion;
    const int hinge = is_hinge(&m[1]);
    if (!is_hinge(&m[hinge]) || is_hinge(&m[1 - hinge]) || !same_way(m[0].axis, m[1].axis)) return 0;
    to->kind = LG_JOINT_CYLINDRICAL;
    order[0] = 1 - hinge, order[1] = hinge;
    memcpy(to->point, m[hinge].point, sizeof to->point);
    return 1;
}

/* Two slides in a plane, then a hinge across it. The first axis of the frame is the slide from which the other one is
 * turned by +90 degrees about the hinge. */
static int as_planar(mb_file_joint *to, int *order)
{
    const lg_joint_motion *m = to->motion;
    double x[3];
    if (is_hinge(&m[0]) || is_hinge(&m[1]) || !is_hinge(&m[2]) || !across(m[0].axis, m[1].axis) ||
        !across(m[0].axis, m[2].axis) || !across(m[1].axis, m[2].axis))
        return 0;
    small_cross(x, m[2].axis, m[0].axis);
    const int swapped = !same_way(x, m[1].axis);
    to->kind = LG_JOINT_PLANAR;
    order[0] = swapped, order[1] = 1 - swapped, order[2] = 2;
    memcpy(to->point, m[2].point, sizeof to->point);
    memcpy(to->axis, m[2].axis, sizeof to->axis);
    memcpy(to->second, m[swapped].axis, sizeof to->second);
    return 1;
}

void mb_name_kind(mb_file_joint *j)
{
    mb_file_joint from = *j;
    int order[3];
    memcpy(j->axis, j->motion[0].axis, sizeof j->axis);
    memcpy(j->point, j->motion[0].point, sizeof j->point);
    if (!(j->motions == 2 && (as_universal(j, order) || as_cylindrical(j, order))) &&
        !(j->motions == 3 && as_planar(j, order)))
        return;
    for (int i = 0; i < from.motions; i++) j->each[i] = from.each[order[i]], j->zero[i] = from.zero[order[i]];
    j->motions = 0;
}

/* ---- motions of a joint ---- */

/* Into m, in the frame of the child at assembly, in the order of its positions. -1: it is none of hinges and slides. */
static int motions_of(const mb_file_joint *j, lg_joint_motion *m)
{
    double S[9];
    switch (j->kind) {
    default:
        return -1;
    case LG_JOINT_FIXED:
        return 0;
    case LG_JOINT_COMPOSED:
        memcpy(m, j->motion, sizeof j->motion);
        return j->motions;
    case LG_JOINT_REVOLUTE:
    case LG_JOINT_PRISMATIC:
    case LG_JOINT_UNIVERSAL:
    case LG_JOINT_CYLINDRICAL:
    case LG_JOINT_PLANAR:
        break;
    }
    (void)mb_frame_from(S, j->axis, j->second);
    const int planar = j->kind == LG_JOINT_PLANAR, universal = j->kind == LG_JOINT_UNIVERSAL;
    const int count = planar ? 3 : universal || j->kind == LG_JOINT_CYLINDRICAL ? 2 : 1;
    const int slides = planar ? 2 : count == 2 ? !universal : j->kind == LG_JOINT_PRISMATIC;
    for (int i = 0; i < count; i++) {
        const int column = planar ? i : universal && i == 1 ? 0 : 2;
        m[i].kind = i < slides ? LG_JOINT_PRISMATIC : LG_JOINT_REVOLUTE;
        for (int k = 0; k < 3; k++) m[i].axis[k] = S[3 * k + (planar && i == 2 ? 2 : column)];
        memcpy(m[i].point, j->point, sizeof m[i].point);
    }
    return count;
}

/* Names and numbers of the `count` positions of a joint. */
static void positions_of(mb_reader *r, const mb_file_joint *j, mb_file_position *to, int count)
{
    for (int i = 0; i < count; i++) {
        to[i] = j->several > 0 ? j->each[i] : j->all;
        if (j->several == 0) to[i].name = count == 1 ? j->name : mb_print(r, "%s_%d", j->name, i + 1);
    }
}

/* Joint `to` takes the motions of `first`, which leads to its parent, before its own. 0: they are not all hinges and
 * slides, or too many. */
static int join(mb_reader *r, mb_file_joint *first, mb_file_joint *to)
{
    lg_joint_motion m[2 * LG_JOINT_MOTIONS];
    mb_file_position each[2 * LG_JOINT_MOTIONS];
    double zero[2 * LG_JOINT_MOTIONS] = {0}, back[7], turn[7];
    const int a = motions_of(first, m), b = a >= 0 ? motions_of(to, m + a) : -1;
    if (a < 0 || b < 0 || a + b > LG_JOINT_MOTIONS) return 0;
    lg_se3_inverse(back, r->link[to->child].place.g);
    lg_se3_compose(turn, back, r->link[first->child].place.g);
    for (int i = 0; i < a; i++) {
        const lg_joint_motion own = m[i];
        lg_so3_act(m[i].axis, turn + 3, own.axis);
        lg_se3_act(m[i].point, turn, own.point);
    }
    positions_of(r, first, each, a), positions_of(r, to, each + a, b);
    memcpy(zero, first->zero, (size_t)a * sizeof *zero), memcpy(zero + a, to->zero, (size_t)b * sizeof *zero);
    to->kind = LG_JOINT_COMPOSED, to->motions = to->several = a + b;
    memcpy(to->motion, m, sizeof to->motion), memcpy(to->each, each, sizeof to->each);
    memcpy(to->zero, zero, sizeof to->zero);
    to->all = (mb_file_position){.lower = -INFINITY, .upper = INFINITY};
    to->name = mb_print(r, "%s+%s", first->name, to->name), to->parent = first->parent;
    first->left_out = 1;
    return 1;
}

/* ---- links ---- */

/* Of each cluster, by the link that it is numbered by: joints that hang on it, the last of them, and 1 if a loop, a
 * wheel or another part names one of its links. */
typedef struct hanging {
    int *count, *last;
    char *named;
} hanging;

/* Marks what elements of constraints and parts name, all but the joints of the tree and pairs that do not collide. */
static void mark_named(mb_reader *r, hanging *h)
{
    static const char *const others[] = {"parent", "child", "exclude"};
    static const char *const names[] = {"link", "link1", "link2", "body1", "body2"};
    for (const mb_element *e = r->document.root; e != NULL;) {
        int part = 1;
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) part &= !mb_is(e, others[i]);
        for (const mb_attribute *a = part ? e->attribute : NULL; a != NULL; a = a->next)
            for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
                const int k = strcmp(a->name, names[i]) == 0 ? mb_link_named(r, a->value) : -1;
                if (k >= 0) h->named[r->link[k].leader] = 1;
            }
        const mb_element *next = e->child;
        for (; next == NULL && e != NULL; e = e->parent) next = e->next;
        e = next;
    }
}

static int leader_of(const mb_reader *r, int link)
{
    return link >= 0 ? r->link[link].leader : r->links;
}

/* 1: a cluster without mass, on a joint, that nothing but joints holds. */
static int is_frame(const mb_reader *r, const hanging *h, int k, const int *massive)
{
    const mb_file_link *l = &r->link[k];
    return l->leader == k && !massive[k] && l->joint >= 0 && !h->named[k];
}

static void drop_ends(mb_reader *r, hanging *h, const int *massive)
{
    for (int i = r->links - 1; i >= 0; i--) {
        const int k = r->walk[i];
        mb_file_link *l = &r->link[k];
        if (!is_frame(r, h, k, massive) || h->count[k] > 0) continue;
        mb_file_joint *j = &r->joint[l->joint];
        int rotor = j->all.armature > 0;
        for (int n = 0; n < j->several; n++) rotor |= j->each[n].armature > 0;
        if (rotor) continue;
        l->leader = leader_of(r, l->parent);
        h->count[l->leader]--;
        mb_note(r, l->at,
                "%s '%.60s' has no mass and carries nothing: joint '%.60s' is left out, it stays on its parent",
                l->at->name, l->name, j->name);
        j->kind = LG_JOINT_FIXED, j->motor = NULL, j->left_out = 1, j->motions = j->several = 0;
    }
    for (int i = 0; i < r->links; i++) { /* parents first */
        mb_file_link *l = &r->link[r->walk[i]];
        if (l->leader < r->links && l->leader != r->walk[i]) l->leader = r->link[l->leader].leader;
    }
}

static void join_joints(mb_reader *r, hanging *h, const int *massive)
{
    for (int i = 0; i < r->links && r->status == LG_OK; i++) {
        const int k = r->walk[i];
        mb_file_link *l = &r->link[k];
        if (l->leader >= 0 && l->leader < r->links && r->link[l->leader].leader == MB_NO_BODY) l->leader = MB_NO_BODY;
        if (l->leader != k || !is_frame(r, h, k, massive) || h->count[k] != 1) continue;
        const char *first = r->joint[l->joint].name, *second = r->joint[h->last[k]].name;
        if (!join(r, &r->joint[l->joint], &r->joint[h->last[k]])) continue;
        l->leader = MB_NO_BODY;
        mb_note(r, l->at, "%s '%.60s' has no mass and is no body: joints '%.60s' and '%.60s' act in series",
                l->at->name, l->name, first, second);
    }
}

void mb_compose(mb_reader *r, const int *massive)
{
    const size_t room = (size_t)r->links + 1;
    hanging h = {calloc(room, sizeof *h.count), calloc(room, sizeof *h.last), calloc(room, 1)};
    if (h.count != NULL && h.last != NULL && h.named != NULL) {
        for (int i = 0; i < r->joints; i++) {
            const int a = leader_of(r, r->joint[i].parent), b = leader_of(r, r->joint[i].child);
            if (a != b) h.count[a]++, h.last[a] = i;
        }
        mark_named(r, &h);
        drop_ends(r, &h, massive);
        for (int i = 0; i < r->joints; i++) { /* the last that is left */
            const mb_file_joint *j = &r->joint[i];
            if (!j->left_out && leader_of(r, j->parent) != leader_of(r, j->child)) h.last[leader_of(r, j->parent)] = i;
        }
        join_joints(r, &h, massive);
        for (int i = 0; i < r->joints; i++)
            if (r->joint[i].kind == LG_JOINT_COMPOSED) mb_name_kind(&r->joint[i]);
    } else {
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    }
    free(h.count), free(h.last), free(h.named);
}

const char *mb_left_out(const mb_reader *r, const char *joint)
{
    for (int i = 0; i < r->joints; i++)
        if (r->joint[i].left_out && r->joint[i].kind == LG_JOINT_FIXED && strcmp(r->joint[i].name, joint) == 0)
            return ": its link has no mass, and it is left out";
    return "";
}
