/* SPDX-License-Identifier: BSD-3-Clause */
/* Assembly: bodies move to the nearest poses that close all joints (Newton in the kinetic metric, with a regularised
 * factor, since rows may depend on each other). Where that leads nowhere, or turns a joint over, the bodies are first
 * seated one by one along the tree, each turned as little as its joint asks for. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "base/dense.h"
#include "groups/rotation.h"
#include "multibody/excess.h"
#include "multibody/parts/part.h"
#include "multibody/rows/composed.h"
#include "multibody/work.h"

enum { MB_ROUNDS_MOST = 60 };

double mb_kept_open(const lg_mechanism *m, const mb_plan *plan, const mb_node *n, int *block)
{
    double worst = 0;
    for (int e = 0; e < plan->holonomic_blocks; e++) {
        const mb_block *k = &plan->block[e];
        for (int i = 0; i < k->rows; i++) {
            const double open = fabs(n->phi[k->at + i]) / mb_row_scale(&m->plan, k, k->kept[i]);
            if (open <= worst || isnan(worst)) continue;
            worst = open;
            *block = e;
        }
    }
    return worst;
}

double mb_reach(const lg_mechanism *m)
{
    double reach = 0;
    for (int b = 0; b < m->plan.bodies - m->rotors; b++) {
        const double *I = m->inertia + 9 * b;
        reach = fmax(reach, fmax(lg_length(m->pose + 7 * b, 3), sqrt((I[0] + I[4] + I[8]) / m->mass[b])));
    }
    for (int kind = 0; kind < MB_KINDS; kind++)
        for (int i = 0; mb_kind_of(kind)->reach != NULL && i < m->part[kind].count; i++)
            reach = fmax(reach, mb_kind_of(kind)->reach(m, i));
    return reach;
}

/* ---- joints that are turned over ---- */

int mb_turned_over(const lg_mechanism *m, const mb_pose *pose)
{
    for (int j = 0; j < m->part[MB_JOINTS].count; j++) {
        const mb_joint *k = &m->joint[j];
        for (int i = 0; i < k->rotational; i++) {
            if (k->rotational == 1) continue; /* a universal joint has no other side */
            const int axis = k->pair[i][1] == 2 ? 2 : 0;
            double a[3], b[3];
            mb_axis(a, pose[k->a].R, k->frame_a, axis);
            mb_axis(b, pose[k->b].R, k->frame_b, axis);
            if (!(mb_dot(a, b) > 0)) return j;
        }
    }
    return -1;
}

/* ---- bodies seated along the tree ---- */

/* The rotation that turns the unit vector u into v the short way. */
static void short_way(double *q, const double *u, const double *v)
{
    small_cross(q, u, v);
    q[3] = 1 + mb_dot(u, v);
    if (q[3] > 1e-9) return;
    const double across[3] = {fabs(u[0]) < 0.6, fabs(u[0]) >= 0.6, 0};
    small_cross(q, u, across);
    q[3] = 0;
}

/* Turns a body so that a direction u of it becomes v. */
static void turn_to(mb_pose *p, const double *u, const double *v)
{
    double q[4], Q[9], R[9];
    short_way(q, u, v);
    lg_status_ignore(lg_so3_project(q, q));
    lg_so3_to_matrix(Q, q);
    for (int k = 0; k < 3; k++) {
        const double column[3] = {p->R[k], p->R[3 + k], p->R[6 + k]};
        double turned[3];
        mb_turn(turned, Q, column);
        for (int i = 0; i < 3; i++) R[3 * i + k] = turned[i];
    }
    memcpy(p->R, R, sizeof R);
}

/* Brings the frames of a joint together. */
static void seat_frames(const mb_joint *j, mb_pose *a, mb_pose *b, int reverse)
{
    const mb_pose *stays = reverse ? b : a;
    mb_pose *moves = reverse ? a : b;
    const double *F = reverse ? j->frame_b : j->frame_a, *G = reverse ? j->frame_a : j->frame_b;
    double S[9], x[3], y[3];
    mb_turn_frame(S, stays->R, F);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) moves->R[3 * i + k] = mb_dot(S + 3 * i, G + 3 * k);
    mb_turn(x, stays->R, reverse ? j->anchor_b : j->anchor_a);
    mb_turn(y, moves->R, reverse ? j->anchor_a : j->anchor_b);
    for (int k = 0; k < 3; k++) moves->r[k] = stays->r[k] + (x[k] - y[k]);
}

/* Turns and moves one body of a joint until it fits on the other. */
static void seat(const mb_joint *j, mb_pose *a, mb_pose *b, int reverse)
{
    mb_pose *moves = reverse ? a : b;
    double x[3], y[3], d[3], along[3] = {0, 0, 0};
    if (j->chain != NULL) {
        seat_frames(j, a, b, reverse);
        return;
    }
    for (int i = 0; i < j->rotational; i++) {
        if (j->rotational > 1 && i == 1) continue; /* the first row's turn does for both */
        const int first = j->rotational == 1 ? 2 : j->pair[i][1] == 2 ? 2 : 0;
        mb_axis(x, a->R, j->frame_a, first);
        mb_axis(y, b->R, j->frame_b, j->rotational == 1 ? 0 : first);
        if (j->rotational == 1) { /* across each other: y without what it has of x */
            const double c = mb_dot(x, y), rest = sqrt(fmax(1 - c * c, 0));
            if (rest < 1e-9) continue;
            for (int k = 0; k < 3; k++) d[k] = reverse ? (x[k] - c * y[k]) / rest : (y[k] - c * x[k]) / rest;
            turn_to(moves, reverse ? x : y, d);
        } else {
            turn_to(moves, reverse ? x : y, reverse ? y : x);
        }
    }
    mb_turn(x, a->R, j->anchor_a);
    mb_turn(y, b->R, j->anchor_b);
    for (int k = 0; k < 3; k++) d[k] = (b->r[k] - a->r[k]) + (y[k] - x[k]);
    for (int i = 0; i < j->translational; i++) {
        mb_axis(x, a->R, j->frame_a, j->axis[i]);
        const double c = mb_dot(x, d);
        for (int k = 0; k < 3; k++) along[k] += c * x[k];
    }
    for (int k = 0; k < 3; k++) moves->r[k] += reverse ? along[k] : -along[k];
}

static void seat_all(const lg_mechanism *m, mb_work *w)
{
    mb_node_load(&w->plan, &w->node, m->pose);
    mb_begin_near(&w->plan, w->node.q);
    mb_turn_bodies(&w->plan, &w->node);
    for (int i = 0; i < m->plan.bodies; i++) {
        const mb_link *l = &m->link[m->walk[i]];
        if (l->joint < 0) continue;
        const mb_joint *j = &m->joint[l->joint];
        seat(j, &w->node.pose[j->a], &w->node.pose[j->b], l->reverse);
        lg_status_ignore(lg_so3_from_matrix(w->node.pose[m->walk[i]].q, w->node.pose[m->walk[i]].R));
    }
}

/* ---- Newton ---- */

double mb_newton(const lg_mechanism *m, mb_work *w, double regular, int *open, int *rounds)
{
    double last = INFINITY, phi = 0;
    for (*rounds = 0; *rounds < MB_ROUNDS_MOST; ++*rounds) {
        mb_node_place(&w->plan, &w->node, w->node.q);
        mb_node_rows(&w->plan, &w->node, regular);
        phi = mb_kept_open(m, &w->plan, &w->node, open);
        if (!(phi > 1e-15) || (phi < 1e-12 && phi >= 0.5 * last) || !(phi < 1e9)) return phi;
        last = phi;
        mb_close(&w->plan, &w->node, w->x, w->wrench);
    }
    return phi;
}

static lg_status not_closed(lg_mechanism *m, const mb_block *open, double phi, int rounds)
{
    const char *name, *noun = mb_block_noun(m, open, &name);
    if (!isfinite(phi))
        return lg_fail(&m->error, LG_ERROR_CONVERGENCE,
                       "lg_mechanism_compile: the joints do not close from the poses at assembly: %s '%.60s' has no "
                       "finite numbers after %d rounds (a disk that lies flat on its plane has no point of contact)",
                       noun, name, rounds);
    return lg_fail(
        &m->error, LG_ERROR_CONVERGENCE,
        "lg_mechanism_compile: the joints do not close from the poses at assembly: %s '%.60s' stays open by %.3g "
        "(lengths relative to %.3g m) after %d rounds; give poses that are nearer, or look for parts that cannot fit",
        noun, name, phi, m->plan.reach, rounds);
}

void mb_moved_most(mb_moved *most, const lg_mechanism *m, const double *from, const mb_pose *pose)
{
    *most = (mb_moved){0, 0, 0, 0};
    for (int b = 0; b < mb_seen(m, MB_BODIES); b++) {
        const double *r = from + 7 * b, *q = r + 3, *p = pose[b].q;
        double d[3], turn = 0;
        for (int k = 0; k < 3; k++) d[k] = pose[b].r[k] - r[k];
        for (int k = 0; k < 4; k++) turn += q[k] * p[k];
        turn = 2 * acos(fmin(fabs(turn), 1));
        if (lg_length(d, 3) > most->far) most->far = lg_length(d, 3), most->farthest = b;
        if (turn > most->angle) most->angle = turn, most->turned = b;
    }
}

size_t mb_print_moved(char *text, size_t size, const lg_mechanism *m, const mb_moved *most)
{
    const int far = most->far > MB_NOTICED * m->plan.reach, turned = most->angle > MB_NOTICED;
    size_t at = 0;
    if (far)
        at += (size_t)snprintf(text, size, "moved body '%.60s' by %.3g m", MB_BODY(m, most->farthest)->name, most->far);
    if (turned)
        at += (size_t)snprintf(text + at, size - at, "%sturned body '%.60s' by %.3g rad", far ? " and " : "",
                               MB_BODY(m, most->turned)->name, most->angle);
    return at;
}

/* What assembly moved, since it may have been meant otherwise: a wheel that was in the air is on its ground. */
static void note_moved(lg_mechanism *m, const mb_pose *pose)
{
    static const char head[] = "assembly ", tail[] = " to close joints and put wheels on their grounds";
    mb_moved most;
    mb_moved_most(&most, m, m->pose, pose);
    const size_t at = mb_print_moved(m->moved + sizeof head - 1, sizeof m->moved - sizeof head - sizeof tail, m, &most);
    if (at == 0) return;
    memcpy(m->moved, head, sizeof head - 1);
    memcpy(m->moved + sizeof head - 1 + at, tail, sizeof tail);
}

lg_status mb_assemble(lg_mechanism *m, const mb_block *block, int count)
{
    mb_work w;
    if (!mb_work_make(&w, m, block, count))
        return lg_fail(&m->error, LG_ERROR_MEMORY, "lg_mechanism_compile: out of memory");
    m->plan.reach = mb_reach(m);
    int open = 0, rounds = 0, over = -1, closed = 0;
    double phi = 0;
    for (int attempt = 0; attempt < 2 && !(closed && over < 0); attempt++) {
        if (attempt > 0) seat_all(m, &w);
        phi = mb_newton(m, &w, 1e-9, &open, &rounds);
        closed = phi < 1e-11;
        over = closed ? mb_turned_over(m, w.node.pose) : -1;
    }
    if (closed && over < 0) note_moved(m, w.node.pose);
    for (int b = 0; closed && over < 0 && b < m->plan.bodies; b++) {
        memcpy(m->pose + 7 * b, w.node.pose[b].r, 3 * sizeof(double));
        memcpy(m->pose + 7 * b + 3, w.node.pose[b].q, 4 * sizeof(double));
    }
    m->plan.reach = mb_reach(m);
    mb_work_free(&w);
    if (!closed) return not_closed(m, &block[open], phi, rounds);
    if (over >= 0)
        return lg_fail(&m->error, LG_ERROR_CONVERGENCE,
                       "lg_mechanism_compile: joint '%.60s' closes the wrong way round from the poses at assembly: its "
                       "axes on parent and child point against each other; give poses that are nearer",
                       MB_JOINT_OF(m, over)->name);
    return LG_OK;
}
