/* SPDX-License-Identifier: BSD-3-Clause */
/* Joint coordinates: poses and twists from positions and velocities along the tree, and back. */
#include <math.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "base/dense.h"

#include "multibody/motion.h"
#include "multibody/parts/joint.h"
#include "multibody/rows/composed.h"

/* C = A B of 3 x 3 matrices; C may be A or B. */
static void product(double *C, const double *A, const double *B)
{
    double M[9];
    for (int i = 0; i < 9; i += 3)
        for (int k = 0; k < 3; k++) M[i + k] = 0.0 + A[i] * B[k] + A[i + 1] * B[3 + k] + A[i + 2] * B[6 + k];
    memcpy(C, M, sizeof M);
}

/* C = A B, with the bits of product(), where B turns about an axis: its zeros and its 1 are left out. */
static void product_about(double *C, const double *A, const double *B, int axis)
{
    const int p = (axis + 1) % 3, q = (axis + 2) % 3;
    const double pp = B[3 * p + p], pq = B[3 * p + q], qp = B[3 * q + p], qq = B[3 * q + q];
    for (int i = 0; i < 9; i += 3) {
        C[i + axis] = 0.0 + A[i + axis];
        C[i + p] = 0.0 + A[i + p] * pp + A[i + q] * qp;
        C[i + q] = 0.0 + A[i + p] * pq + A[i + q] * qq;
    }
}

/* C = A B^T, with the bits of product(). */
static void product_transposed(double *C, const double *A, const double *B)
{
    double M[9];
    for (int i = 0; i < 9; i += 3)
        for (int k = 0; k < 3; k++)
            M[i + k] = 0.0 + A[i] * B[3 * k] + A[i + 1] * B[3 * k + 1] + A[i + 2] * B[3 * k + 2];
    memcpy(C, M, sizeof M);
}

static void rotation_vector(double *R, const double *x)
{
    double q[4];
    lg_so3_exp(q, x);
    lg_so3_to_matrix(R, q);
}

/* Rotation by q about axis 0 or 2. */
static void rotation(double *R, int axis, double q)
{
    double x[3] = {0, 0, 0};
    x[axis] = q;
    rotation_vector(R, x);
}

/* The frame on b relative to that on a: t and M from positions, t' and omega from velocities, in the frame on a. */
typedef struct joint_state {
    double t[3], M[9], dt[3], omega[3];
    int slides; /* 0: t and dt are 0 */
    int axis;   /* the only one about which it turns; -1: several, or another rotation */
    int moves;  /* 0: nothing does */
} joint_state;

/* Of a composed joint, motion by motion: w and u are the angular velocity, and the velocity where the joint begins. */
static void chain_state(joint_state *s, const mb_chain *chain, const double *q, const double *v)
{
    mb_links l = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    double u[3] = {0, 0, 0}, turn[3];
    for (int i = 0; i < chain->count; i++) {
        mb_links_pass(&l, &chain->motion[i], i, q[i]);
        const double *A = l.axes[i], axis[3] = {A[2], A[5], A[8]};
        small_cross(turn, l.point[i], axis);
        for (int k = 0; k < 3; k++) {
            if (!chain->motion[i].slides) s->omega[k] += v[i] * axis[k];
            u[k] += v[i] * (chain->motion[i].slides ? axis[k] : turn[k]);
        }
    }
    memcpy(s->t, l.end, sizeof s->t), memcpy(s->M, l.R, sizeof s->M);
    small_cross(turn, s->omega, s->t);
    for (int k = 0; k < 3; k++) s->dt[k] = u[k] + turn[k];
}

static joint_state joint_state_of(const mb_joint_kind *kind, const mb_chain *chain, const double *q, const double *v,
                                  int moves)
{
    joint_state s = {.M = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .slides = chain != NULL, .axis = -1, .moves = moves};
    int turns = 0;
    if (chain != NULL) chain_state(&s, chain, q, v);
    for (int i = 0; i < kind->positions; i++) {
        const int axis = kind->position[i]->axis;
        double turn[9];
        switch (kind->position[i]->kind) {
        case MB_SLIDES:
            s.t[axis] = q[i], s.dt[axis] = v[i], s.slides = 1;
            break;
        case MB_TURNS:
            for (int k = 0; k < 3; k++) s.omega[k] += s.M[3 * k + axis] * v[i];
            s.axis = turns == 0 ? axis : -1;
            rotation(turns == 0 ? s.M : turn, axis, q[i]);
            if (turns++ > 0) product(s.M, s.M, turn);
            break;
        case MB_VECTOR:
            if (axis == 0) rotation_vector(s.M, q + i);
            s.omega[axis] = v[i];
            break;
        }
    }
    return s;
}

/* y += s M x. */
static void add_turned(double *y, double s, const double *M, const double *x)
{
    double z[3];
    mb_turn(z, M, x);
    for (int k = 0; k < 3; k++) y[k] += s * z[k];
}

static void add_cross(double *y, double s, const double *a, const double *b)
{
    double c[3];
    small_cross(c, a, b);
    for (int k = 0; k < 3; k++) y[k] += s * c[k];
}

/* b from a. */
static void child_frame(mb_frame *b, const mb_frame *a, const mb_joint *j, const joint_state *s)
{
    double F[9], arm[3] = {0, 0, 0}, x[3];
    product(F, a->R, j->frame_a);
    add_turned(arm, 1, a->R, j->anchor_a);
    if (s->slides) add_turned(arm, 1, F, s->t);
    if (s->axis >= 0)
        product_about(b->R, F, s->M, s->axis);
    else
        product(b->R, F, s->M);
    product_transposed(b->R, b->R, j->frame_b);
    mb_turn(x, b->R, j->anchor_b);
    for (int k = 0; k < 3; k++) b->r[k] = a->r[k] + arm[k] - x[k];
    memcpy(b->w, a->w, sizeof b->w), memcpy(b->v, a->v, sizeof b->v);
    if (!s->moves) return;
    add_turned(b->w, 1, F, s->omega);
    add_cross(b->v, 1, a->w, arm);
    if (s->slides) add_turned(b->v, 1, F, s->dt);
    add_cross(b->v, -1, b->w, x);
}

/* a from b. */
static void parent_frame(mb_frame *a, const mb_frame *b, const mb_joint *j, const joint_state *s)
{
    double F[9], arm[3] = {0, 0, 0}, x[3];
    product(F, b->R, j->frame_b);
    product_transposed(F, F, s->M); /* the frame on a, in space */
    product_transposed(a->R, F, j->frame_a);
    add_turned(arm, 1, a->R, j->anchor_a);
    if (s->slides) add_turned(arm, 1, F, s->t);
    mb_turn(x, b->R, j->anchor_b);
    memcpy(a->w, b->w, sizeof a->w), memcpy(a->v, b->v, sizeof a->v);
    add_turned(a->w, -1, F, s->omega);
    for (int k = 0; k < 3; k++) a->r[k] = b->r[k] + x[k] - arm[k];
    add_cross(a->v, 1, b->w, x);
    if (s->slides) add_turned(a->v, -1, F, s->dt);
    add_cross(a->v, -1, a->w, arm);
}

/* A body that floats: its frame's origin and rotation vector. */
static void floating_frame(mb_frame *f, const double *centre, const double *q, const double *v)
{
    double x[3];
    rotation_vector(f->R, q + 3);
    mb_turn(x, f->R, centre);
    for (int k = 0; k < 3; k++) f->r[k] = q[k] + x[k], f->v[k] = v[k], f->w[k] = v[3 + k];
    add_cross(f->v, 1, f->w, x);
}

void mb_frames_from_positions(const mb_sparse *mo, mb_frame *frame, const double *positions, const double *velocities)
{
    static const double zeros[6] = {0, 0, 0, 0, 0, 0};
    const lg_mechanism *m = mo->mechanism;
    frame[m->plan.bodies] = mb_world;
    for (int i = 0; i < m->plan.bodies; i++) {
        const int b = m->walk[i],
                  at = m->link[b].joint >= 0 ? mo->position_of_joint[m->link[b].joint] : mo->position_of_body[b];
        const double *q = positions != NULL && at >= 0 ? positions + at : zeros;
        const double *v = velocities != NULL && at >= 0 ? velocities + at : zeros;
        const mb_link *l = &m->link[b];
        if (l->joint < 0) {
            floating_frame(&frame[b], MB_BODY(m, b)->centre, q, v);
            continue;
        }
        const joint_state s =
            joint_state_of(mb_joint_facts(m, l->joint), m->joint[l->joint].chain, q, v, velocities != NULL);
        if (l->reverse)
            parent_frame(&frame[b], &frame[l->parent], &m->joint[l->joint], &s);
        else
            child_frame(&frame[b], &frame[l->parent], &m->joint[l->joint], &s);
    }
}

/* ---- back ---- */

mb_frame mb_frame_of(const mb_sparse *mo, int b)
{
    const mb_node *n = mb_now(mo);
    mb_frame f = mb_world;
    if (b == mo->mechanism->plan.bodies) return f;
    memcpy(f.r, n->pose[b].r, sizeof f.r);
    memcpy(f.R, n->pose[b].R, sizeof f.R);
    for (int k = 0; k < 3; k++) f.v[k] = n->p[b].v[k] * n->mobility[b].inverse_mass;
    mb_mobile(f.w, &n->mobility[b], n->p[b].v + 3);
    return f;
}

static void log_of(double *x, const double *M)
{
    double q[4];
    if (lg_so3_from_matrix(q, M) != LG_OK || lg_so3_log(x, q) != LG_OK) x[0] = x[1] = x[2] = NAN;
}

/* t, M, t', omega of a joint at the present node. */
static joint_state joint_now(const mb_sparse *mo, int joint)
{
    const mb_joint *j = &mo->mechanism->joint[joint];
    const mb_frame a = mb_frame_of(mo, j->a), b = mb_frame_of(mo, j->b);
    joint_state s;
    double F[9], G[9], T[9], x[3], arm[3], d[3], dw[3];
    product(F, a.R, j->frame_a);
    product(G, b.R, j->frame_b);
    lg_transpose(T, F, 3);
    product(s.M, T, G);
    mb_turn(x, b.R, j->anchor_b);
    mb_turn(arm, a.R, j->anchor_a);
    for (int k = 0; k < 3; k++) {
        d[k] = (b.r[k] - a.r[k]) + (x[k] - arm[k]);
        arm[k] += d[k];
        dw[k] = b.w[k] - a.w[k];
    }
    mb_back(s.t, F, d);
    mb_back(s.omega, F, dw);
    for (int k = 0; k < 3; k++) d[k] = b.v[k] - a.v[k];
    add_cross(d, 1, b.w, x);
    add_cross(d, -1, a.w, arm);
    mb_back(s.dt, F, d);
    return s;
}

/* An angle about the second axis, after the one about the first. */
static void read_second(const joint_state *s, double first, double *q, double *v)
{
    double A[9], B[9];
    rotation(A, 2, first);
    lg_transpose(A, A, 3);
    product(B, A, s->M);
    *q = atan2(B[7], B[4]);
    *v = A[0] * s->omega[0] + A[1] * s->omega[1] + A[2] * s->omega[2];
}

static void read_chain(const mb_sparse *mo, const mb_joint *j, double *q, double *v)
{
    const mb_node *n = mb_now(mo);
    const mb_site at = {NULL, n->pose, n->pose, n->pose, n->q, n->q, NULL};
    const mb_frame a = mb_frame_of(mo, j->a), b = mb_frame_of(mo, j->b);
    mb_pair row[2 * MB_CHAIN_MOST];
    mb_chain_slopes(j, row, &at);
    for (int i = 0; i < j->chain->count; i++) {
        const double *one = row[2 * i].v, *two = row[2 * i + 1].v;
        q[i] = n->q[j->chain->coordinate + i];
        v[i] = (mb_dot(one, a.v) + mb_dot(one + 3, a.w)) + (mb_dot(two, b.v) + mb_dot(two + 3, b.w));
    }
}

/* Positions and velocities of a joint at the present node. */
static void read_joint(const mb_sparse *mo, int joint, double *q, double *v)
{
    const lg_mechanism *m = mo->mechanism;
    const mb_joint_kind *kind = mb_joint_facts(m, joint);
    if (m->joint[joint].chain != NULL) {
        read_chain(mo, &m->joint[joint], q, v);
        return;
    }
    const joint_state s = joint_now(mo, joint);
    const int *own = m->coordinate_of + MB_POSITIONS_MOST * joint, first = mb_joint_angle(MB_JOINT_OF(m, joint));
    const double angle = first >= 0 ? mb_now(mo)->q[own[first] - 1] : 0;
    for (int i = 0; i < kind->positions; i++) {
        const int axis = kind->position[i]->axis;
        switch (kind->position[i]->kind) {
        case MB_SLIDES:
            q[i] = s.t[axis], v[i] = s.dt[axis];
            break;
        case MB_TURNS:
            if (axis == 2)
                q[i] = angle, v[i] = s.omega[2];
            else
                read_second(&s, angle, &q[i], &v[i]);
            if (own[i] > 0) q[i] = mb_now(mo)->q[own[i] - 1];
            break;
        case MB_VECTOR:
            if (axis == 0) log_of(q + i, s.M);
            v[i] = s.omega[axis];
            break;
        }
    }
}

static void read_floating(const mb_sparse *mo, int body, double *q, double *v)
{
    const mb_frame f = mb_frame_of(mo, body);
    double x[3];
    mb_turn(x, f.R, MB_BODY(mo->mechanism, body)->centre);
    for (int k = 0; k < 3; k++) q[k] = f.r[k] - x[k], v[k] = f.v[k], v[3 + k] = f.w[k];
    add_cross(v, -1, f.w, x);
    log_of(q + 3, f.R);
}

/* ---- public ---- */

static int is_started(const mb_sparse *mo)
{
    return mo != NULL && mo->started;
}

lg_status lg_motion_joint(const lg_motion *motion, double *positions, double *velocities, int joint)
{
    const mb_sparse *mo = mb_of(motion);
    double q[6] = {0}, v[6] = {0};
    if (!is_started(mo) || joint < 0 || joint >= mb_seen(mo->mechanism, MB_JOINTS)) return LG_ERROR_ARGUMENT;
    read_joint(mo, joint, q, v);
    const size_t bytes = (size_t)mb_position_count(MB_JOINT_OF(mo->mechanism, joint)) * sizeof *q;
    if (positions != NULL) memcpy(positions, q, bytes);
    if (velocities != NULL) memcpy(velocities, v, bytes);
    return LG_OK;
}

lg_status lg_motion_positions(const lg_motion *motion, double *positions, double *velocities)
{
    const mb_sparse *mo = mb_of(motion);
    if (!is_started(mo)) return LG_ERROR_ARGUMENT;
    const lg_mechanism *m = mo->mechanism;
    for (int b = 0; b < m->plan.bodies; b++) {
        const int j = m->link[b].joint, at = j >= 0 ? mo->position_of_joint[j] : mo->position_of_body[b];
        double q[6] = {0}, v[6] = {0};
        if (mb_is_rotor(&m->plan, b)) break;
        if (j >= 0)
            read_joint(mo, j, q, v);
        else
            read_floating(mo, b, q, v);
        const size_t bytes = (size_t)(j >= 0 ? mb_position_count(MB_JOINT_OF(m, j)) : 6) * sizeof *q;
        if (positions != NULL && bytes > 0) memcpy(positions + at, q, bytes);
        if (velocities != NULL && bytes > 0) memcpy(velocities + at, v, bytes);
    }
    return LG_OK;
}

lg_status lg_motion_body_pose(const lg_motion *motion, double *pose, int body)
{
    const mb_sparse *mo = mb_of(motion);
    if (!is_started(mo) || pose == NULL || body < 0 || body >= mb_seen(mo->mechanism, MB_BODIES))
        return LG_ERROR_ARGUMENT;
    const mb_pose *p = &mb_now(mo)->pose[body];
    double x[3];
    mb_turn(x, p->R, MB_BODY(mo->mechanism, body)->centre);
    for (int k = 0; k < 3; k++) pose[k] = p->r[k] - x[k];
    memcpy(pose + 3, p->q, 4 * sizeof *pose);
    return LG_OK;
}

lg_status lg_motion_body_twist(const lg_motion *motion, double *twist, int body)
{
    const mb_sparse *mo = mb_of(motion);
    if (!is_started(mo) || twist == NULL || body < 0 || body >= mb_seen(mo->mechanism, MB_BODIES))
        return LG_ERROR_ARGUMENT;
    const mb_frame f = mb_frame_of(mo, body);
    memcpy(twist, f.v, sizeof f.v);
    memcpy(twist + 3, f.w, sizeof f.w);
    return LG_OK;
}

lg_status lg_motion_point(const lg_motion *motion, double *position, double *velocity, int body, const double *point)
{
    const mb_sparse *mo = mb_of(motion);
    if (!is_started(mo) || point == NULL || body < 0 || body >= mb_seen(mo->mechanism, MB_BODIES))
        return LG_ERROR_ARGUMENT;
    const mb_frame f = mb_frame_of(mo, body);
    double d[3], x[3];
    for (int k = 0; k < 3; k++) d[k] = point[k] - MB_BODY(mo->mechanism, body)->centre[k];
    mb_turn(x, f.R, d);
    for (int k = 0; position != NULL && k < 3; k++) position[k] = f.r[k] + x[k];
    if (velocity == NULL) return LG_OK;
    memcpy(velocity, f.v, sizeof f.v);
    add_cross(velocity, 1, f.w, x);
    return LG_OK;
}

lg_status lg_motion_momentum(const lg_motion *motion, double *linear, double *angular)
{
    const mb_sparse *mo = mb_of(motion);
    if (!is_started(mo)) return LG_ERROR_ARGUMENT;
    const mb_node *n = mb_now(mo);
    double P[3] = {0, 0, 0}, L[3] = {0, 0, 0};
    for (int b = 0; !mb_is_rotor(&mo->mechanism->plan, b) && b < mo->mechanism->plan.bodies; b++) {
        for (int k = 0; k < 3; k++) P[k] += n->p[b].v[k], L[k] += n->p[b].v[3 + k];
        add_cross(L, 1, n->pose[b].r, n->p[b].v);
    }
    if (linear != NULL) memcpy(linear, P, sizeof P);
    if (angular != NULL) memcpy(angular, L, sizeof L);
    return LG_OK;
}
