/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies, joints and motors of a file, described to the mechanism. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/se3.h>
#include <liegrp/groups/so3.h>

#include "multibody/files/reader.h"
#include "multibody/parts/joint.h"
#include "multibody/parts/part.h"

/* ---- bodies ---- */

void mb_turn_inertia(double *out, const double *q, const double *I)
{
    double M[9], R[9], T[9], S[9];
    mb_inertia_matrix(M, I);
    lg_so3_to_matrix(R, q);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            T[3 * i + k] = 0;
            for (int s = 0; s < 3; s++) T[3 * i + k] += R[3 * i + s] * M[3 * s + k];
        }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            S[3 * i + k] = 0;
            for (int s = 0; s < 3; s++) S[3 * i + k] += T[3 * i + s] * R[3 * k + s];
        }
    out[0] = S[0], out[1] = S[4], out[2] = S[8];
    out[3] = 0.5 * (S[1] + S[3]), out[4] = 0.5 * (S[2] + S[6]), out[5] = 0.5 * (S[5] + S[7]);
}

/* Notes moments that no distribution of mass has: the largest is at most the sum of the others. Files of real robots
 * contain such links, whose numbers were rounded or guessed; lg_mechanism_add_body() refuses bodies that could not
 * move.
 */
static void check(mb_reader *r, const mb_file_link *l)
{
    double I[3];
    mb_principal(I, l->inertia);
    const double slack = 1e-9 * (fabs(I[0]) + fabs(I[1]) + fabs(I[2])) + 1e-30;
    if (I[0] >= -slack && I[2] <= I[0] + I[1] + slack) return;
    mb_note(
        r, l->at,
        "%s '%.40s': no distribution of mass has its inertia, moments %.4g + %.4g < %.4g kg m^2; it is taken as it is",
        l->at->name, l->name, I[0], I[1], I[2]);
}

static int has_inertia(const mb_file_link *l)
{
    for (int k = 0; k < 6; k++)
        if (l->inertia[k] != 0) return 1;
    return l->mass > 0;
}

static mb_file_mass *sums_of(mb_reader *r)
{
    mb_file_mass *s = calloc((size_t)r->links + 1, sizeof *s);
    if (s == NULL) {
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
        return NULL;
    }
    for (int i = 0; i < r->links; i++) {
        const mb_file_link *l = &r->link[i];
        double c[3];
        if (l->leader < 0 || l->mass <= 0) continue;
        mb_file_mass *b = &s[l->leader];
        lg_se3_act(c, l->in_body.g, l->centre);
        if (b->mass > 0 && b->gravcomp != l->gravcomp)
            mb_refuse_as(r, LG_ERROR_UNSUPPORTED, l->at,
                         "gravcomp of '%.60s' is %g, and that of what it is fixed to %g; give both the same", l->name,
                         l->gravcomp, b->gravcomp);
        b->mass += l->mass, b->gravcomp = l->gravcomp;
        for (int k = 0; k < 3; k++) b->centre[k] += l->mass * c[k];
    }
    for (int i = 0; i < r->links; i++) {
        const mb_file_link *l = &r->link[i];
        double c[3], I[6];
        if (l->leader < 0 || !has_inertia(l)) continue;
        mb_file_mass *b = &s[l->leader];
        check(r, l);
        b->links++;
        lg_se3_act(c, l->in_body.g, l->centre);
        for (int k = 0; k < 3; k++) c[k] -= b->centre[k] / b->mass;
        mb_turn_inertia(I, l->in_body.g + 3, l->inertia);
        for (int k = 0; k < 6; k++) b->inertia[k] += I[k];
        mb_add_second(b->inertia, l->mass, c);
    }
    return s;
}

static void emit_bodies(mb_reader *r, int *number)
{
    mb_file_mass *s = sums_of(r);
    if (s != NULL) mb_share_masses(r, s);
    for (int i = 0; s != NULL && i < r->links && r->status == LG_OK; i++) {
        const mb_file_link *l = &r->link[i];
        if (l->leader != i) continue;
        lg_body b = lg_body_default(l->name);
        b.mass = s[i].mass, b.gravity = 1 - s[i].gravcomp;
        for (int k = 0; k < 3; k++) b.centre[k] = s[i].centre[k] / s[i].mass;
        memcpy(b.inertia, s[i].inertia, sizeof b.inertia);
        if (s[i].links == 1 && l->mass > 0 && !s[i].changed) { /* the numbers of the file */
            memcpy(b.centre, l->centre, sizeof b.centre);
            memcpy(b.inertia, l->inertia, sizeof b.inertia);
        }
        memcpy(b.position, l->place.g, sizeof b.position);
        memcpy(b.attitude, l->place.g + 3, sizeof b.attitude);
        r->m->reading = 1;
        const lg_status st = lg_mechanism_add_body(r->m, &number[i], &b);
        r->m->reading = 0, r->m->unchecked += st == LG_OK;
        mb_pass_on(r, l->at, st);
    }
    free(s);
}

/* Remembers where links are whose names are no bodies. */
static void keep_merged(mb_reader *r, const int *number)
{
    lg_mechanism *m = r->m;
    m->merged = calloc((size_t)r->links + 1, sizeof *m->merged);
    for (int i = 0; m->merged != NULL && i < r->links && r->status == LG_OK; i++) {
        const mb_file_link *l = &r->link[i];
        const size_t room = strlen(l->name) + 1;
        if (l->leader == i || l->leader == MB_NO_BODY) continue;
        mb_merged *to = &m->merged[m->merged_count];
        *to = (mb_merged){.name = malloc(room), .body = l->leader >= 0 ? number[l->leader] : -1};
        if (to->name == NULL) break;
        memcpy(to->name, l->name, room);
        memcpy(to->pose, l->in_body.g, sizeof to->pose);
        m->merged_count++;
    }
    int bodies = 0;
    for (int i = 0; i < r->links; i++) bodies += r->link[i].leader == i || r->link[i].leader == MB_NO_BODY;
    if (r->status == LG_OK && (m->merged == NULL || m->merged_count < r->links - bodies))
        mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
}

const char *mb_body_of(const mb_reader *r, int link)
{
    return link >= 0 && r->link[link].leader >= 0 ? r->link[r->link[link].leader].name : NULL;
}

/* ---- joints ---- */

int mb_frame_about(double *q, const double *axis, const double *second)
{
    double R[9];
    return mb_frame_from(R, axis, second) && lg_so3_from_matrix(q, R) == LG_OK;
}

void mb_put_on(const mb_reader *r, double *point, double *frame, int link, const mb_place *in_space)
{
    mb_place back, on = *in_space;
    if (link >= 0 && r->link[link].leader >= 0) {
        lg_se3_inverse(back.g, r->link[r->link[link].leader].place.g);
        lg_se3_compose(on.g, back.g, in_space->g);
    }
    memcpy(point, on.g, 3 * sizeof *point);
    lg_so3_to_matrix(frame, on.g + 3);
}

/* The frame on the child in that on the parent at assembly, in two parts: what comes before the last rotation, which
 * turns the axes of all before it, and that. Axes are those at assembly. */
static void at_assembly(const mb_file_joint *j, mb_place *before, mb_place *last)
{
    double about_z[3] = {0, 0, 0}, about_x[3] = {0, 0, 0};
    const mb_joint_kind *kind = &mb_joint_kinds[j->kind];
    *before = *last = mb_here;
    for (int i = 0; i < kind->positions && i < 3; i++) {
        const mb_position *at = kind->position[i];
        if (at->kind == MB_SLIDES) before->g[at->axis] = j->zero[i];
        if (at->kind == MB_TURNS) (at->axis == 2 ? about_z : about_x)[at->axis] = j->zero[i];
    }
    const int two = about_x[0] != 0 || j->kind == LG_JOINT_UNIVERSAL;
    lg_so3_exp((two ? before : last)->g + 3, about_z);
    if (two) lg_so3_exp(last->g + 3, about_x);
}

/* Points and frames on both bodies, for a joint whose position at assembly is not 0, or whose frames are the links'. */
static void put_frames(const mb_reader *r, lg_joint *d, const mb_file_joint *j)
{
    mb_place local = mb_here, joint, back, on_parent, on_child, before, last;
    const mb_place child = mb_place_of(r, j->child);
    at_assembly(j, &before, &last);
    memcpy(local.g, j->point, sizeof j->point);
    if (mb_joint_kinds[j->kind].rows.translational > 0) (void)mb_frame_about(local.g + 3, j->axis, j->second);
    lg_se3_compose(joint.g, child.g, local.g);
    lg_se3_inverse(back.g, before.g);
    lg_se3_compose(on_parent.g, joint.g, back.g);
    lg_se3_compose(on_child.g, joint.g, last.g);
    if (j->absolute) on_parent = mb_place_of(r, j->parent);
    d->on_bodies = 1;
    mb_put_on(r, d->parent_point, d->parent_frame, j->parent, &on_parent);
    mb_put_on(r, d->child_point, d->child_frame, j->child, &on_child);
}

/* Motions in the joint's frame, which is that of the child at assembly, where all positions are 0: they are given where
 * these are zero[], so that each has moved with those before it. */
static void put_motions(const mb_reader *r, lg_joint *d, const mb_file_joint *j)
{
    mb_place moved = mb_here, back;
    const mb_place child = mb_place_of(r, j->child);
    d->on_bodies = 1, d->motions = j->motions;
    for (int i = 0; i < j->motions; i++) {
        const lg_joint_motion *from = &j->motion[i];
        double x[3] = {0, 0, 0}, to[3], step[7] = {0, 0, 0, 0, 0, 0, 1};
        d->motion[i].kind = from->kind;
        lg_so3_act(d->motion[i].axis, moved.g + 3, from->axis);
        lg_se3_act(d->motion[i].point, moved.g, from->point);
        for (int k = 0; k < 3; k++) x[k] = -j->zero[i] * from->axis[k];
        if (from->kind == LG_JOINT_PRISMATIC) {
            memcpy(step, x, sizeof x);
        } else {
            lg_so3_exp(step + 3, x);
            lg_so3_act(to, step + 3, from->point);
            for (int k = 0; k < 3; k++) step[k] = from->point[k] - to[k];
        }
        lg_se3_compose(back.g, moved.g, step);
        moved = back;
    }
    lg_se3_inverse(back.g, moved.g);
    mb_put_on(r, d->parent_point, d->parent_frame, j->parent, &child);
    lg_se3_compose(moved.g, child.g, back.g);
    mb_put_on(r, d->child_point, d->child_frame, j->child, &moved);
}

static void emit_joint(mb_reader *r, int index)
{
    const mb_file_joint *j = &r->joint[index];
    lg_joint d = lg_joint_default(j->name, j->kind, mb_body_of(r, j->parent), mb_body_of(r, j->child));
    const mb_place child = mb_place_of(r, j->child);
    const mb_file_position *all = &j->all;
    d.stiffness = all->stiffness, d.rest = all->rest, d.damping = all->damping, d.armature = all->armature;
    d.lower = all->lower, d.upper = all->upper, d.friction = all->friction;
    d.stops = all->stops, d.stop_restitution = all->stop_restitution;
    lg_se3_act(d.point, child.g, j->point);
    lg_so3_act(d.axis, child.g + 3, j->axis);
    lg_so3_act(d.second, child.g + 3, j->second);
    if (j->kind == LG_JOINT_COMPOSED)
        put_motions(r, &d, j);
    else if (j->kind == LG_JOINT_FREE || j->zero[0] != 0 || j->zero[1] != 0 || j->zero[2] != 0)
        put_frames(r, &d, j);
    int number = -1, moved = 0;
    mb_pass_on(r, j->at, lg_mechanism_add_joint(r->m, &number, &d));
    if (r->status == LG_OK) r->of_joint[r->emitted++] = index;
    for (int i = 0; i < LG_JOINT_MOTIONS; i++) moved |= j->zero[i] != 0;
    if (r->status == LG_OK && moved) mb_pass_on(r, j->at, mb_keep_near(r->m, number, j->zero, LG_JOINT_MOTIONS));
    for (int i = 0; i < j->several && r->status == LG_OK; i++) {
        const mb_file_position *p = &j->each[i];
        lg_coordinate c = lg_coordinate_default(p->name, mb_print(r, "%s.%d", j->name, i + 1));
        c.stiffness = p->stiffness, c.rest = p->rest, c.damping = p->damping, c.armature = p->armature;
        c.lower = p->lower, c.upper = p->upper, c.friction = p->friction;
        c.stops = p->stops, c.stop_restitution = p->stop_restitution;
        if (r->status == LG_OK) mb_pass_on(r, j->at, lg_mechanism_add_coordinate(r->m, NULL, &c));
    }
}

void mb_emit(mb_reader *r)
{
    int *number = malloc(((size_t)r->links + 1) * sizeof *number);
    if (number == NULL) mb_refuse_as(r, LG_ERROR_MEMORY, NULL, "out of memory");
    if (r->status == LG_OK) emit_bodies(r, number);
    if (r->status == LG_OK) keep_merged(r, number);
    free(number);
    if (r->status == LG_OK) r->of_joint = mb_take(r, ((size_t)r->joints + 1) * sizeof *r->of_joint);
    for (int i = 0; i < r->joints && r->status == LG_OK; i++) {
        const mb_file_joint *j = &r->joint[i];
        const char *a = mb_body_of(r, j->parent), *b = mb_body_of(r, j->child);
        const int same = a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
        if (!j->left_out && (j->kind != LG_JOINT_FIXED || !same)) emit_joint(r, i);
    }
    for (int i = 0; i < r->joints && r->status == LG_OK; i++) {
        const mb_file_joint *j = &r->joint[i];
        lg_motor motor = lg_motor_default(j->motor, j->motor);
        if (j->ratio != 0) motor.ratio = j->ratio;
        if (j->motor != NULL) mb_pass_on(r, j->at, lg_mechanism_add_motor(r->m, NULL, &motor));
    }
}

void mb_apart(mb_reader *r, const mb_element *e, const char *a, const char *b)
{
    if (a != b && (a == NULL || b == NULL || strcmp(a, b) != 0)) return;
    mb_refuse(r, e, "<%s> connects %s%.60s%s with itself", e->name, a != NULL ? "body '" : "the world",
              a != NULL ? a : "", a != NULL ? "'" : "");
}

void mb_needs_body(mb_reader *r, const mb_element *e, int link)
{
    if (r->link[link].leader != MB_NO_BODY) return;
    mb_refuse_as(r, LG_ERROR_UNSUPPORTED, e,
                 "'%.60s' has no mass and is a frame between motions, to which <%s> cannot be attached; give it a mass",
                 r->link[link].name, e->name);
}

int mb_attached(mb_reader *r, mb_element *e, const char *attribute, const char **body, int *link, mb_place *in_body)
{
    const char *name = mb_text(e, attribute);
    *body = NULL, *link = -1, *in_body = mb_place_of(r, -1);
    if (name == NULL || r->status != LG_OK) return 0;
    *link = mb_link_named(r, name);
    if (*link < 0 && strcmp(name, "world") == 0) {
        *in_body = mb_here;
        return 1;
    }
    if (*link < 0) {
        mb_refuse(r, e, "%s of <%s>: there is no link '%.60s'", attribute, e->name, name);
        return 0;
    }
    *body = mb_body_of(r, *link), *in_body = r->link[*link].in_body;
    return 1;
}
