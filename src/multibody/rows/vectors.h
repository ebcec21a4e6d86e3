/* SPDX-License-Identifier: BSD-3-Clause */
/* vectors.h: what rows are made of: vectors of space at a pose, and vectors that move with a body. */
#ifndef LG_MULTIBODY_VECTORS_H
#define LG_MULTIBODY_VECTORS_H

#include "base/small.h"
#include "multibody/plan.h"

/* A wrench or twist of one body, in space: force or velocity, then torque or angular velocity. A row is one of these
 * for each body that it acts on, row.(v_a, w_a, v_b, w_b, ...): a joint's for a, then b; a wheel's for its body. */
typedef struct mb_pair {
    real v[6];
} mb_pair;

/* A pose: centre of mass, quaternion x, y, z, w, and its matrix. */
typedef struct mb_pose {
    real r[3], q[4], R[9];
} mb_pose;

/* Where rows are evaluated. Body s of a row has pose[body[s]] and twist[body[s]]. An averaged pose (r0 + r1)/2,
 * (R0 + R1)/2 has the ends p0 and p1; at a node these are the pose itself. */
typedef struct mb_site {
    const int *body;
    const mb_pose *pose, *p0, *p1;
    const real *q0, *q;   /* the plan's coordinates at p0 and p1; NULL: only the poses are known */
    const mb_pair *twist; /* NULL: not wanted */
} mb_site;

/* y = M x and y = M^T x of a 3 x 3 matrix. */
KERNEL void mb_turn(real *y, const real *M, const real *x)
{
    const real a = x[0], b = x[1], c = x[2];
    for (int i = 0; i < 3; i++) y[i] = M[3 * i] * a + M[3 * i + 1] * b + M[3 * i + 2] * c;
}
KERNEL void mb_back(real *y, const real *M, const real *x)
{
    const real a = x[0], b = x[1], c = x[2];
    for (int i = 0; i < 3; i++) y[i] = M[i] * a + M[3 + i] * b + M[6 + i] * c;
}
/* y = M x with constant x. */
KERNEL void mb_turn_constant(real *y, const real *M, const double *x)
{
    for (int i = 0; i < 3; i++) y[i] = M[3 * i] * x[0] + M[3 * i + 1] * x[1] + M[3 * i + 2] * x[2];
}
KERNEL real mb_dot(const real *a, const real *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* y = R F e_i: axis i of a joint's frame in space. */
KERNEL void mb_axis(real *y, const real *R, const double *F, int i)
{
    const double e[3] = {F[i], F[3 + i], F[6 + i]};
    mb_turn_constant(y, R, e);
}

KERNEL void mb_axis_of_space(real *y, int i)
{
    for (int k = 0; k < 3; k++) y[k] = splat(k == i ? 1 : 0);
}

/* A vector that moves with constant twists: x, x', x''. */
typedef struct mb_moving {
    real at[3], rate[3], bend[3];
} mb_moving;

/* x of a body that turns with w: x' = w x x, x'' = w x (w x x). */
KERNEL void mb_moving_with(mb_moving *x, const real *w)
{
    small_cross(x->rate, w, x->at);
    small_cross(x->bend, w, x->rate);
}
KERNEL void mb_moving_point(mb_moving *x, const real *R, const double *at, const real *w)
{
    mb_turn_constant(x->at, R, at);
    mb_moving_with(x, w);
}
KERNEL void mb_moving_axis(mb_moving *x, const real *R, const double *F, int i, const real *w)
{
    mb_axis(x->at, R, F, i);
    mb_moving_with(x, w);
}
/* (x.y)' and (x.y)''. */
KERNEL real mb_product_rate(const mb_moving *x, const mb_moving *y)
{
    return mb_dot(x->rate, y->at) + mb_dot(x->at, y->rate);
}
KERNEL real mb_product_bend(const mb_moving *x, const mb_moving *y)
{
    return (mb_dot(x->bend, y->at) + mb_dot(x->at, y->bend)) + 2.0 * mb_dot(x->rate, y->rate);
}

/* Two bodies with their poses and twists. */
typedef struct mb_ends {
    const real *ra, *Ra, *a; /* body a: r, R, (v, w) */
    const real *rb, *Rb, *b;
} mb_ends;

KERNEL mb_ends mb_ends_of(const mb_site *at, int a, int b)
{
    return (mb_ends){at->pose[a].r, at->pose[a].R, at->twist[a].v, at->pose[b].r, at->pose[b].R, at->twist[b].v};
}

/* z with a.z = (a.x)'' for every a that turns with w: w x (w x x) - 2 w x x' + x''. */
KERNEL void mb_seen_from(real *z, const real *w, const mb_moving *x)
{
    small_cross(z, w, x->at);
    for (int k = 0; k < 3; k++) z[k] = z[k] - 2.0 * x->rate[k];
    small_cross(z, w, z);
    for (int k = 0; k < 3; k++) z[k] = z[k] + x->bend[k];
}

#endif
