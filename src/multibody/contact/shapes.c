/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaps and rows of shapes. The gap phi has no exact row of its own between two poses. With the means n, x of the
 * normals and of the points that touch at both, and U, W, by which body b's material there moves and turns against body
 * a's, the row
 *
 *   f = n + (d/N) U,    t = x x f + (d/N) L^2 W,    d = phi_1 - phi_0 - n.U,  N = |U|^2 + L^2 |W|^2,
 *
 * has h row.xi = phi_1 - phi_0 (Gonzalez 1996): both bodies get opposite forces and torques about one point, so that
 * momenta stay. d is of the third order in the step. */
#include "multibody/contact/contact.h"
#include "multibody/contact/shapes/ring.h"
#include "multibody/contact/shapes/shape.h"

#include <float.h>
#include <math.h>

static mb_placing placing_of(const mb_contact *c, const mb_pose *pose, int s)
{
    const double *R = pose[c->body[s]].R;
    mb_placing at;
    mb_turn_constant(at.x, R, c->at[s]);
    mb_product3(at.R, R, c->frame[s]);
    return at;
}

/* A circle about the third axis of b, and the plane of a. */
static void rim_touch(mb_touch *t, const mb_contact *c, const mb_placing *at, const double *apart)
{
    double y[3] = {0};
    for (int k = 0; k < 3; k++) t->normal[k] = at[0].R[3 * k + 2];
    mb_back3(y, at[1].R, t->normal), y[2] = 0;
    const double s = sqrt(y[0] * y[0] + y[1] * y[1]);
    for (int i = 0; i < 2; i++) y[i] = s > 0 ? -c->half[0] * y[i] / s : 0;
    mb_turn3(t->on[1], at[1].R, y);
    t->gap = mb_dot3(t->normal, apart) - c->half[0] * s;
    for (int k = 0; k < 3; k++) t->on[0][k] = apart[k] + t->on[1][k] - t->gap * t->normal[k];
}

/* A circle about the third axis of a, and a line of b with a radius about it. */
static void ring_touch(mb_touch *t, const mb_contact *c, const mb_placing *at, const double *apart)
{
    const double line[3] = {at[1].R[2], at[1].R[5], at[1].R[8]};
    double m[3], e[3];
    mb_ring ring = {.gap = INFINITY, .normal = {0, 0, 1}};
    mb_back3(m, at[0].R, apart), mb_back3(e, at[0].R, line);
    (void)mb_ring_meets(c->half[0], m, e, &ring);
    mb_turn3(t->normal, at[0].R, ring.normal), mb_turn3(t->on[0], at[0].R, ring.on);
    for (int k = 0; k < 3; k++) t->on[1][k] = ring.along * line[k] - c->radius[1] * t->normal[k];
    t->gap = ring.gap - c->radius[1];
}

/* Lines with radii about them. */
static void edges_touch(mb_touch *t, const mb_contact *c, const mb_placing *at, const double *apart)
{
    double d[2][3], n[3], x[3];
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++) d[s][k] = at[s].R[3 * k + 2];
    mb_cross3(n, d[0], d[1]);
    const double square = mb_dot3(n, n), length = sqrt(square);
    mb_cross3(x, apart, d[1]);
    const double s = mb_dot3(x, n) / square;
    mb_cross3(x, apart, d[0]);
    const double u = mb_dot3(x, n) / square;
    for (int k = 0; k < 3; k++) {
        t->normal[k] = n[k] / length;
        t->on[0][k] = s * d[0][k] + c->radius[0] * t->normal[k],
        t->on[1][k] = u * d[1][k] - c->radius[1] * t->normal[k];
    }
    t->gap = mb_dot3(t->normal, apart) - (c->radius[0] + c->radius[1]);
}

/* Where they touch at a pose, the points from the origins of frames. */
static void touch_at(mb_touch *t, const mb_contact *c, const mb_pose *pose)
{
    const mb_pose *a = &pose[c->body[0]], *b = &pose[c->body[1]];
    mb_placing at[2] = {placing_of(c, pose, 0), placing_of(c, pose, 1)};
    double apart[3];
    for (int k = 0; k < 3; k++) apart[k] = (b->r[k] - a->r[k]) + (at[1].x[k] - at[0].x[k]);
    if (c->kind == MB_CONTACT_RIM) {
        rim_touch(t, c, at, apart);
    } else if (c->kind == MB_CONTACT_RING) {
        ring_touch(t, c, at, apart);
    } else if (c->kind == MB_CONTACT_EDGES) {
        edges_touch(t, c, at, apart);
    } else {
        mb_shape ball[2];
        for (int s = 0; s < 2; s++) ball[s] = (mb_shape){.kind = LG_SURFACE_SPHERE, .radius = c->radius[s]};
        for (int k = 0; k < 3; k++) at[0].x[k] = 0, at[1].x[k] = apart[k];
        mb_shapes_touch(c->shape[0] != NULL ? c->shape[0] : &ball[0], &at[0],
                        c->shape[1] != NULL ? c->shape[1] : &ball[1], &at[1], t);
    }
}

double mb_shapes_gap(const mb_contact *c, const mb_pose *pose)
{
    mb_touch t;
    if (c->kind == MB_CONTACT_EMPTY) return INFINITY;
    touch_at(&t, c, pose);
    return t.gap;
}

/* The rotation vector w of Cayley's map from R0 to R1: h w of a step, in space. */
static void turn_between(double *w, const double *R0, const double *R1)
{
    double M[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) M[3 * i + j] = mb_dot3(R1 + 3 * i, R0 + 3 * j);
    const double scale = 2 / (1 + (M[0] + M[4] + M[8]));
    w[0] = scale * (M[7] - M[5]), w[1] = scale * (M[2] - M[6]), w[2] = scale * (M[3] - M[1]);
}

/* U += sign times the way of a body's material at x from its centre, and W += that it turns by. */
static void way_of(double *U, double *W, const mb_pose *p0, const mb_pose *p1, const double *x, double sign)
{
    double w[3], turn[3];
    turn_between(w, p0->R, p1->R);
    mb_cross3(turn, w, x);
    for (int k = 0; k < 3; k++) U[k] += sign * ((p1->r[k] - p0->r[k]) + turn[k]), W[k] += sign * w[k];
}

void mb_shapes_rows(const mb_contact *c, mb_meeting *k, mb_pair *row, const mb_site *at)
{
    const mb_pose *const node[2] = {at->p0, at->p1};
    const int a = c->body[0], b = c->body[1], nodes = at->p0 == at->p1 ? 1 : 2;
    double on[3] = {0}, U[3] = {0}, W[3] = {0}, gap[2];
    for (int i = 0; i < 3; i++) k->normal[i] = 0;
    for (int i = 0; i < nodes; i++) {
        mb_touch t;
        touch_at(&t, c, node[i]);
        mb_back3(t.on[1], node[i][b].R, t.on[1]);
        for (int n = 0; n < 3; n++) on[n] += (c->at[1][n] + t.on[1][n]) / nodes, k->normal[n] += t.normal[n] / nodes;
        gap[i] = t.gap;
    }
    mb_turn_constant(k->xb, at->pose[b].R, on);
    for (int i = 0; i < 3; i++) k->xa[i] = k->xb[i] + (at->pose[b].r[i] - at->pose[a].r[i]);
    double share = 0, arm = mb_dot3(k->xa, k->xa) + mb_dot3(k->xb, k->xb);
    if (nodes == 2) {
        way_of(U, W, &at->p0[b], &at->p1[b], k->xb, 1), way_of(U, W, &at->p0[a], &at->p1[a], k->xa, -1);
        const double noise = MB_SHAPES_NOISE * (sqrt(arm) + fabs(gap[0])),
                     miss = (gap[1] - gap[0]) - mb_dot3(k->normal, U);
        const double square = mb_dot3(U, U) + arm * mb_dot3(W, W);
        if (fabs(miss) > noise) share = (miss > 0 ? miss - noise : miss + noise) / square;
    }
    double *of_a = row[0].v, *of_b = row[1].v;
    for (int i = 0; i < 3; i++) of_b[i] = k->normal[i] + share * U[i], of_a[i] = -of_b[i];
    mb_cross3(of_b + 3, k->xb, of_b), mb_cross3(of_a + 3, k->xa, of_a);
    for (int i = 0; i < 3; i++) of_b[3 + i] += share * arm * W[i], of_a[3 + i] -= share * arm * W[i];
}
