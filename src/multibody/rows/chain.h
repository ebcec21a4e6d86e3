/* SPDX-License-Identifier: BSD-3-Clause */
/* chain.h: the motions of a composed joint (docs/theory.md section 17). Hinges and slides move frames f_1, ..., f_k one
 * after the other, f_0 on body a; f_k is that on body b. The frames between have no mass, so that each motion transmits
 * one and the same wrench. Screws and wrenches are about a point c, the joint's anchor on a: a screw is (angular;
 * linear/l), a wrench (torque; l force), with a length l that makes both comparable. The screw of a hinge is (u; p x
 * u/l), that of a slide (0; a_1 x a_2), its coordinate then being a length over l.
 *
 * At an averaged pose, u, p, a_1 and a_2 are the means of those at both ends. A wrench W with W.s_i = 0 for all of
 * these s_i is an exact discrete row, since it is one of each motion: W.(h xi) = 0 for what the joint can do in a step.
 * Motion i takes part in that as (q_1 - q_0)/c_i times s_i, so that a wrench with W.s_j = c_i for j = i and otherwise 0
 * is the row of coordinate i. */
#ifndef LG_MULTIBODY_CHAIN_H
#define LG_MULTIBODY_CHAIN_H

#include "multibody/rows/angle.h"
#include "multibody/rows/slider.h"

/* Functions, since their callers are many: nothing by value. */
#define MB_APART static __attribute__((noinline, unused))

/* Where the motions are: frames before each of them, and what the angle's row needs. */
typedef struct mb_links {
    real axes[MB_CHAIN_MOST][9];  /* columns a_1, a_2, a_3 of the frame before a motion */
    real first[MB_CHAIN_MOST][3]; /* b_1: a_1 of the frame behind it */
    real point[MB_CHAIN_MOST][3]; /* of hinges, from the anchor on a */
    real middle[9], origin[3];    /* the frame before motion number `middle` */
    real R[9], end[3];            /* the last frame */
} mb_links;

KERNEL void mb_turn_frame(real *y, const real *A, const double *F)
{
    for (int i = 0; i < 3; i++) {
        real column[3];
        mb_axis(column, A, F, i);
        for (int k = 0; k < 3; k++) y[3 * k + i] = column[k];
    }
}

/* Passes motion i of position q: the frame (l->R, l->end) becomes the one behind it. */
KERNEL void mb_links_pass(mb_links *l, const mb_elementary *e, int i, real q)
{
    real *A = l->axes[i], B[9], s, c;
    mb_turn_frame(A, l->R, e->frame);
    for (int k = 0; k < 3; k++) l->point[i][k] = l->end[k], l->first[i][k] = A[3 * k];
    if (e->slides) {
        for (int k = 0; k < 3; k++) l->end[k] = l->end[k] + q * A[3 * k + 2];
        return;
    }
    real p[3];
    mb_turn_constant(p, l->R, e->point);
    for (int k = 0; k < 3; k++) l->point[i][k] = l->end[k] + p[k];
    lane_sincos(q, &s, &c);
    for (int k = 0; k < 9; k += 3) {
        B[k] = c * A[k] + s * A[k + 1], B[k + 1] = c * A[k + 1] - s * A[k], B[k + 2] = A[k + 2];
        l->first[i][k / 3] = B[k];
    }
    for (int k = 0; k < 9; k += 3)
        for (int n = 0; n < 3; n++)
            l->R[k + n] = B[k] * e->frame[3 * n] + B[k + 1] * e->frame[3 * n + 1] + B[k + 2] * e->frame[3 * n + 2];
    mb_turn_constant(p, l->R, e->point);
    for (int k = 0; k < 3; k++) l->end[k] = l->point[i][k] - p[k];
}

/* The frames from that on body a, with positions q. */
MB_APART void mb_links_of(mb_links *l, const mb_joint *j, const real *Ra, const real *q)
{
    const mb_chain *of = j->chain;
    mb_turn_frame(l->R, Ra, j->frame_a);
    for (int k = 0; k < 3; k++) l->end[k] = splat(0);
    for (int i = 0; i <= of->count; i++) {
        if (i == of->middle) {
            for (int k = 0; k < 9; k++) l->middle[k] = l->R[k];
            for (int k = 0; k < 3; k++) l->origin[k] = l->end[k];
        }
        if (i < of->count) mb_links_pass(l, &of->motion[i], i, q[i]);
    }
}

/* l <- (l + m)/2. */
KERNEL void mb_links_average(mb_links *l, const mb_links *m, int count)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 9; k++) l->axes[i][k] = 0.5 * (l->axes[i][k] + m->axes[i][k]);
        for (int k = 0; k < 3; k++) {
            l->first[i][k] = 0.5 * (l->first[i][k] + m->first[i][k]);
            l->point[i][k] = 0.5 * (l->point[i][k] + m->point[i][k]);
        }
    }
    for (int k = 0; k < 9; k++) l->middle[k] = 0.5 * (l->middle[k] + m->middle[k]);
    for (int k = 0; k < 3; k++) l->origin[k] = 0.5 * (l->origin[k] + m->origin[k]);
}

/* ---- screws ---- */

/* Screws, with the factor of their Gram matrix. */
typedef struct mb_screws {
    mb_pair s[MB_CHAIN_MOST];
    real L[MB_CHAIN_MOST][MB_CHAIN_MOST]; /* lower triangle; the reciprocals of its diagonal on it */
    real pivot; /* the least square of what a screw has besides those before it, relative to its own */
} mb_screws;

KERNEL real mb_pair_dot(const mb_pair *a, const mb_pair *b)
{
    return mb_dot(a->v, b->v) + mb_dot(a->v + 3, b->v + 3);
}

MB_APART void mb_screws_of(mb_screws *o, const mb_chain *of, const mb_links *l)
{
    o->pivot = splat(1);
    for (int i = 0; i < of->count; i++) {
        const real *A = l->axes[i], a1[3] = {A[0], A[3], A[6]}, a2[3] = {A[1], A[4], A[7]}, u[3] = {A[2], A[5], A[8]};
        real *s = o->s[i].v;
        if (of->motion[i].slides) {
            for (int k = 0; k < 3; k++) s[k] = splat(0);
            small_cross(s + 3, a1, a2);
        } else {
            small_cross(s + 3, l->point[i], u);
            for (int k = 0; k < 3; k++) s[k] = u[k], s[3 + k] = s[3 + k] * (1.0 / of->length);
        }
    }
    for (int i = 0; i < of->count; i++)
        for (int k = 0; k <= i; k++) {
            const real whole = mb_pair_dot(&o->s[i], &o->s[k]);
            real x = whole;
            for (int n = 0; n < k; n++) x = x - o->L[i][n] * o->L[k][n];
            o->L[i][k] = i == k ? 1.0 / root(x) : x * o->L[k][k];
            if (i == k) o->pivot = sel(x < o->pivot * whole, x / whole, o->pivot);
        }
}

/* x <- (S^T S)^-1 x. */
MB_APART void mb_screws_solve(const mb_screws *o, int count, real *x)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++) x[i] = x[i] - o->L[i][k] * x[k];
        x[i] = x[i] * o->L[i][i];
    }
    for (int i = count - 1; i >= 0; i--) {
        for (int k = i + 1; k < count; k++) x[i] = x[i] - o->L[k][i] * x[k];
        x[i] = x[i] * o->L[i][i];
    }
}

/* ---- positions ---- */

/* The screw from the last frame of the motions to the frame on b: half the sines of the rotation between them, or a
 * radian if it is more than a quarter turn. */
MB_APART void mb_chain_gap(mb_pair *gap, const mb_joint *j, const mb_links *l, const mb_pose *a, const mb_pose *b)
{
    real x[3], d[3], at[3], F[9], cosine = splat(-1);
    real *turn = gap->v;
    mb_turn_frame(F, b->R, j->frame_b);
    for (int k = 0; k < 3; k++) turn[k] = splat(0);
    for (int i = 0; i < 3; i++) {
        const real p[3] = {l->R[i], l->R[3 + i], l->R[6 + i]}, f[3] = {F[i], F[3 + i], F[6 + i]};
        small_cross(x, p, f);
        for (int k = 0; k < 3; k++) turn[k] = turn[k] + 0.5 * x[k];
        cosine = cosine + mb_dot(p, f);
    }
    const real size = root(mb_dot(turn, turn));
    for (int k = 0; k < 3; k++) turn[k] = turn[k] / sel(both(cosine<0.0, size> 0.0), size, splat(1));
    mb_distance(j, a->r, a->R, b->r, b->R, x, at, d); /* d: from the anchor on a to that on b */
    for (int k = 0; k < 3; k++) at[k] = 0.5 * (l->end[k] + d[k]), d[k] = d[k] - l->end[k];
    small_cross(x, turn, at);
    for (int k = 0; k < 3; k++) gap->v[3 + k] = (d[k] - x[k]) * (1.0 / j->chain->length);
}

enum { MB_CHAIN_ROUNDS = 40 };

/* The positions that bring the last frame nearest to that on b, by Newton from near[]; lanes stop one by one, after a
 * correction that is rounding. */
MB_APART void mb_chain_solve(const mb_joint *j, real *q, const mb_pose *a, const mb_pose *b, const real *near)
{
    const mb_chain *of = j->chain;
    mb_links l;
    mb_screws o;
    mb_pair gap;
    mask moves = every_lane();
    for (int i = 0; i < of->count; i++) q[i] = near[i];
    for (int round = 0; round < MB_CHAIN_ROUNDS; round++) {
        real x[MB_CHAIN_MOST], most = splat(0), turn = splat(1), size = splat(1);
        mb_links_of(&l, j, a->R, q);
        mb_screws_of(&o, of, &l);
        mb_chain_gap(&gap, j, &l, a, b);
        for (int i = 0; i < of->count; i++) x[i] = mb_pair_dot(&o.s[i], &gap);
        mb_screws_solve(&o, of->count, x);
        for (int i = 0; i < of->count; i++) {
            most = greater(most, magnitude(x[i]));
            if (!of->motion[i].slides) turn = greater(turn, magnitude(x[i]));
            size = greater(size, magnitude(q[i]) * (of->motion[i].slides ? 1.0 / of->length : 1.0));
        }
        const mask is_off = most * root(o.pivot) > 4e-15 * size;
        if (round == 0) moves = is_off;     /* positions that were solved for stay what they are */
        for (int i = 0; i < of->count; i++) /* a radian at most */
            q[i] = sel(moves, q[i] + x[i] / turn * (of->motion[i].slides ? of->length : 1.0), q[i]);
        moves = both(moves, is_off);
        if (!any(moves)) return;
    }
}

/* How far the last frame of these positions is from that on b. */
KERNEL real mb_chain_open(const mb_joint *j, const real *q, const mb_pose *a, const mb_pose *b)
{
    mb_links l;
    mb_pair gap;
    mb_links_of(&l, j, a->R, q);
    mb_chain_gap(&gap, j, &l, a, b);
    return root(mb_pair_dot(&gap, &gap));
}

#endif
