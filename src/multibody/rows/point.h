/* SPDX-License-Identifier: BSD-3-Clause */
/* point.h: joints that hold a point, for stages of collocation: three rows along the axes of space, which need not be
 * the axes of the plan's rows, and rows across. Both kinds describe the same joint, and multipliers come out of the
 * solution; but of these rows
 *
 *   e_i.(v_b + w_b x x_b - v_a - w_a x x_a)   and   t.(w_a - w_b),   t = a x b,
 *
 * the forces are +-e_i or 0 and never change. Only torques are written and read, in the places of sparse.h, whose sums
 * these kernels shorten. */
#ifndef LG_MULTIBODY_POINT_H
#define LG_MULTIBODY_POINT_H

#include "multibody/rows/direction.h"
#include "multibody/sparse.h"

/* Is this block one of them? */
static inline int mb_is_plain(const mb_plan *plan, const mb_block *k)
{
    if (k->kind != MB_JOINT || k->rows != k->all || k->sides != 2 || k->body[0] == k->body[1]) return 0;
    const mb_joint *j = &plan->joint[k->source];
    return j->translational == 3 && j->length == 0;
}

/* What never changes: forces of the rows, and of their products with J^-1. */
static inline void mb_plain_begin(const mb_plan *plan, const mb_block *k, mb_rows A)
{
    for (int i = 0; i < k->rows; i++)
        for (int s = 0; s < 2; s++) {
            const int p = k->part + 2 * i + s, b = k->body[s];
            const double inverse = b < plan->bodies ? 1.0 / plan->mass[b] : 0, one = i < 3 ? (s ? 1 : -1) : 0;
            for (int c = 0; c < 3; c++) {
                A.row[p].v[c] = splat(c == i ? one : 0);
                A.product[p].v[c] = splat(c == i ? one * inverse : 0);
            }
        }
}

/* Row i along e_i has the torque e_i x x or x x e_i: the first three contain the lever x. */
KERNEL void mb_plain_lever(mb_pair *w, const real *x, double sign)
{
    w[0].v[4] = -sign * x[2], w[0].v[5] = sign * x[1];
    w[2].v[3] = sign * x[2], w[2].v[5] = -sign * x[0];
    w[4].v[3] = -sign * x[1], w[4].v[4] = sign * x[0];
}
KERNEL void mb_plain_lever_of(real *x, const mb_pair *w, double sign)
{
    x[0] = sign * w[4].v[4], x[1] = sign * w[0].v[5], x[2] = sign * w[2].v[3];
}

/* The torques of a joint's rows, and A' xi. */
KERNEL void mb_plain_rows(const mb_joint *j, mb_pair *w, real *bend, const mb_ends *e)
{
    mb_moving xa, xb;
    mb_moving_point(&xa, e->Ra, j->anchor_a, e->a + 3);
    mb_moving_point(&xb, e->Rb, j->anchor_b, e->b + 3);
    mb_plain_lever(w, xa.at, 1), mb_plain_lever(w + 1, xb.at, -1);
    for (int c = 0; c < 3; c++) bend[c] = xb.bend[c] - xa.bend[c];
    mb_direction_bend(j, w + 6, bend + 3, e);
}

/* f += A^T x of a block. */
KERNEL void mb_plain_push(const mb_block *k, const mb_pair *row, mb_pair *f, const real *x)
{
    const mb_pair *w = row + k->part;
    const real *y = x + k->at;
    real *a = f[k->body[0]].v, *b = f[k->body[1]].v, lever[3], t[3], back[3];
    mb_plain_lever_of(lever, w, 1);
    small_cross(t, y, lever);
    mb_plain_lever_of(lever, w + 1, -1);
    small_cross(back, lever, y);
    for (int i = 3; i < k->rows; i++)
        for (int c = 0; c < 3; c++) {
            const real turn = y[i] * w[2 * i].v[3 + c];
            t[c] = t[c] + turn, back[c] = back[c] - turn;
        }
    for (int c = 0; c < 3; c++) {
        a[c] = a[c] - y[c], b[c] = b[c] + y[c];
        a[3 + c] = a[3 + c] + t[c], b[3 + c] = b[3 + c] + back[c];
    }
}

/* y = A v of a block. */
KERNEL void mb_plain_pull(const mb_block *k, const mb_pair *row, real *y, const mb_pair *v)
{
    const mb_pair *w = row + k->part;
    const real *a = v[k->body[0]].v, *b = v[k->body[1]].v;
    real lever[3], near[3], far[3], turn[3];
    mb_plain_lever_of(lever, w, 1);
    small_cross(near, a + 3, lever);
    mb_plain_lever_of(lever, w + 1, -1);
    small_cross(far, b + 3, lever);
    for (int c = 0; c < 3; c++) {
        y[k->at + c] = (b[c] - a[c]) + (far[c] - near[c]);
        turn[c] = a[3 + c] - b[3 + c];
    }
    for (int i = 3; i < k->rows; i++) y[k->at + i] = mb_dot(w[2 * i].v + 3, turn);
}

/* The torques of J^-1 A^T. */
KERNEL void mb_plain_products(const mb_block *k, mb_rows A, const mb_mobility *M)
{
    for (int i = 0; i < k->rows; i++)
        for (int s = 0; s < 2; s++) {
            const int p = k->part + 2 * i + s;
            mb_mobile(A.product[p].v + 3, &M[k->body[s]], A.row[p].v + 3);
        }
}

/* value += P Q^T over the parts of one body, of two such blocks; the lower triangle where they are the same. */
KERNEL void mb_plain_gram(real *value, int m, int n, const mb_pair *P, const mb_pair *Q, int square)
{
    for (int i = 0; i < m; i++)
        for (int k = 0; k < (square ? i + 1 : n); k++) {
            real s = mb_dot(P[2 * i].v + 3, Q[2 * k].v + 3);
            if (i == k && i < 3) s = s + P[2 * i].v[i] * Q[2 * i].v[i];
            value[i * n + k] = value[i * n + k] + s;
        }
}

#endif
