/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of joints and wheels in space: row.(v_a, w_a, v_b, w_b), w in space. A joint's function is called at a node
 * with its pose, and for the discrete derivative with the averaged pose (r0 + r1)/2, (R0 + R1)/2: all its constraints
 * are bilinear, so h G xi = phi(g1) - phi(g0) holds identically. */
#ifndef LG_MULTIBODY_ROWS_H
#define LG_MULTIBODY_ROWS_H

#include "base/small.h"
#include "multibody/plan.h"

/* A wrench or twist of one body, in space: force or velocity, then torque or angular velocity. A row is one of these
 * for each body that it acts on: a joint's for a, then b; a wheel's for its body. */
typedef struct mb_pair {
    real v[6];
} mb_pair;

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

/* "a.d = 0" along a direction `a` that turns with body a (or stands in space, then a x d is left out). */
KERNEL void mb_row_along(mb_pair *w, real *phi, const real *a, const real *xa, const real *xb, const real *d,
                         int in_space)
{
    for (int k = 0; k < 3; k++) w[0].v[k] = -a[k], w[1].v[k] = a[k];
    small_cross(w[0].v + 3, a, xa);
    small_cross(w[1].v + 3, xb, a);
    if (!in_space) {
        real t[3];
        small_cross(t, a, d);
        for (int k = 0; k < 3; k++) w[0].v[3 + k] = w[0].v[3 + k] + t[k];
    }
    *phi = mb_dot(a, d);
}

/* "a.b = 0" of two directions, a on body a and b on body b. */
KERNEL void mb_row_across(mb_pair *w, real *phi, const real *a, const real *b)
{
    small_cross(w[0].v + 3, a, b);
    for (int k = 0; k < 3; k++) w[1].v[3 + k] = -w[0].v[3 + k], w[0].v[k] = w[1].v[k] = splat(0);
    *phi = mb_dot(a, b);
}

/* All rows of a joint and its phi, at poses (r_a, R_a), (r_b, R_b). `length2` is |d|^2 at the node, which the averaged
 * pose does not show. */
KERNEL void mb_joint_rows(const mb_joint *j, mb_pair *w, real *phi, const real *ra, const real *Ra, const real *rb,
                          const real *Rb)
{
    real xa[3], xb[3], d[3], a[3], b[3];
    mb_turn_constant(xa, Ra, j->anchor_a);
    mb_turn_constant(xb, Rb, j->anchor_b);
    for (int k = 0; k < 3; k++) d[k] = (rb[k] - ra[k]) + (xb[k] - xa[k]);
    if (j->length > 0) {
        for (int k = 0; k < 3; k++) a[k] = d[k] / j->length;
        mb_row_along(w, phi, a, xa, xb, d, 1);
        *phi = 0.5 * (*phi - j->length);
        return;
    }
    for (int i = 0; i < j->translational; i++) {
        if (j->in_space)
            mb_axis_of_space(a, j->axis[i]);
        else
            mb_axis(a, Ra, j->frame_a, j->axis[i]);
        mb_row_along(w + 2 * i, &phi[i], a, xa, xb, d, j->in_space);
    }
    for (int i = 0; i < j->rotational; i++) {
        mb_axis(a, Ra, j->frame_a, j->pair[i][0]);
        mb_axis(b, Rb, j->frame_b, j->pair[i][1]);
        mb_row_across(w + 2 * (j->translational + i), &phi[j->translational + i], a, b);
    }
}

/* A row of a wheel: force F and torque T on its body. */
KERNEL void mb_wheel_row(mb_pair *w, const real *F, const real *T)
{
    for (int k = 0; k < 3; k++) w->v[k] = F[k], w->v[3 + k] = T[k];
}

/* cos and sin of the angle between the axle and the normal. */
KERNEL void mb_lean(const mb_wheel *w, const real *R, real *u, real *cs, real *sn)
{
    mb_turn_constant(u, R, w->axle);
    *cs = u[0] * w->normal[0] + u[1] * w->normal[1] + u[2] * w->normal[2];
    *sn = root(1.0 - *cs * *cs);
}

/* The height of the wheel's lowest point, phi = n.(r + R c - origin) - radius sin - tube. */
KERNEL real mb_height(const mb_wheel *w, const real *r, const real *R)
{
    real x[3], u[3], cs, sn = splat(1);
    mb_turn_constant(x, R, w->centre);
    if (w->kind == MB_WHEEL_DISK) mb_lean(w, R, u, &cs, &sn);
    const double *n = w->normal;
    real z =
        (r[0] - w->origin[0] + x[0]) * n[0] + (r[1] - w->origin[1] + x[1]) * n[1] + (r[2] - w->origin[2] + x[2]) * n[2];
    return z - w->radius * sn - w->tube;
}

/* The row of the height: its differential where R0 = R1 = R, its exact discrete derivative where R is their average. */
KERNEL void mb_height_row(const mb_wheel *w, mb_pair *row, const real *R, const real *R0, const real *R1)
{
    real x[3], n[3] = {splat(w->normal[0]), splat(w->normal[1]), splat(w->normal[2])}, T[3];
    mb_turn_constant(x, R, w->centre);
    if (w->kind == MB_WHEEL_DISK) {
        real u0[3], u1[3], cs0, cs1, sn0, sn1;
        mb_lean(w, R0, u0, &cs0, &sn0);
        mb_lean(w, R1, u1, &cs1, &sn1);
        const real ratio = w->radius * (cs0 + cs1) / (sn0 + sn1);
        for (int k = 0; k < 3; k++) x[k] = x[k] + ratio * (0.5 * (u0[k] + u1[k]));
    }
    small_cross(T, x, n);
    mb_wheel_row(row, n, T);
}

/* The velocity of the ground along x where the wheel touches it, at r + k. */
KERNEL real mb_ground(const mb_wheel *w, const real *x, const real *n, const real *r, const real *k)
{
    real d[3], v[3];
    for (int i = 0; i < 3; i++) d[i] = r[i] - w->origin[i] + k[i];
    small_cross(v, n, d);
    for (int i = 0; i < 3; i++) v[i] = w->velocity[i] + w->spin * v[i];
    return mb_dot(x, v);
}

/* The rows of rolling, in the plane along the heading t and across it, a = n x t; of a ball along fixed directions. A
 * skate has the second alone. */
KERNEL void mb_roll_rows(const mb_wheel *w, mb_pair *row, real *drift, const real *r, const real *R, int skate)
{
    real k[3], t[3], a[3], T[3];
    const real n[3] = {splat(w->normal[0]), splat(w->normal[1]), splat(w->normal[2])};
    mb_turn_constant(k, R, w->centre);
    if (w->kind == MB_WHEEL_DISK) {
        real u[3], cs, sn;
        mb_lean(w, R, u, &cs, &sn);
        small_cross(t, u, n);
        for (int i = 0; i < 3; i++) {
            t[i] = t[i] / sn;
            if (!skate) k[i] = k[i] - w->radius * (n[i] - cs * u[i]) / sn - w->tube * n[i];
        }
    } else {
        for (int i = 0; i < 3; i++) t[i] = splat(w->tangent[i]), k[i] = k[i] - w->radius * n[i];
    }
    small_cross(a, n, t);
    if (!skate) {
        small_cross(T, k, t);
        mb_wheel_row(row++, t, T);
        *drift++ = mb_ground(w, t, n, r, k);
    }
    small_cross(T, k, a);
    mb_wheel_row(row, a, T);
    *drift = mb_ground(w, a, n, r, k);
}

#endif
