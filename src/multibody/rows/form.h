/* SPDX-License-Identifier: BSD-3-Clause */
/* form.h: second derivatives of rows of joints under their multipliers, and of lengths, for Newton's correction
 * (newton.c). */
#ifndef LG_MULTIBODY_FORM_H
#define LG_MULTIBODY_FORM_H

#include <string.h>

#include "multibody/rows/direction.h"
#include "multibody/rows/slider.h"

/* A quadratic form over r_a, theta_a, r_b, theta_b. */
typedef struct mb_form {
    real K[12][12];
} mb_form;

/* += s [sym(F x^T) - (F.x) 1] on the rotation at `at`: that of F.(theta x (theta x x)). */
KERNEL void mb_form_lever(mb_form *f, int at, double s, const real *F, const real *x)
{
    const real dot = mb_dot(F, x);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const real v = 0.5 * (F[i] * x[k] + x[i] * F[k]);
            f->K[at + i][at + k] = f->K[at + i][at + k] + s * (i == k ? v - dot : v);
        }
}

/* M = hat(x). */
KERNEL void mb_hat(real *M, const real *x)
{
    M[0] = M[4] = M[8] = splat(0);
    M[1] = -x[2], M[2] = x[1], M[3] = x[2], M[5] = -x[0], M[6] = -x[1], M[7] = x[0];
}

/* The velocity of d from the anchor on a to that on b: 3 x 12. */
KERNEL void mb_form_gap(real (*D)[12], const real *xa, const real *xb)
{
    real A[9], B[9];
    mb_hat(A, xa), mb_hat(B, xb);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            D[i][k] = splat(i == k ? -1 : 0), D[i][6 + k] = splat(i == k ? 1 : 0);
            D[i][3 + k] = A[3 * i + k], D[i][9 + k] = -B[3 * i + k];
        }
}

/* A tension along u between two points: across |d'|^2 + along (u.d')^2 + F.d''. */
static inline void mb_form_tension(mb_form *f, const real *xa, const real *xb, const real *u, real across, real along,
                                   const real *F)
{
    real D[3][12], t[12];
    mb_form_gap(D, xa, xb);
    for (int k = 0; k < 12; k++) t[k] = u[0] * D[0][k] + u[1] * D[1][k] + u[2] * D[2][k];
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 12; k++)
            f->K[i][k] = f->K[i][k] + across * (D[0][i] * D[0][k] + D[1][i] * D[1][k] + D[2][i] * D[2][k]) +
                         along * (t[i] * t[k]);
    mb_form_lever(f, 9, 1, F, xb);
    mb_form_lever(f, 3, -1, F, xa);
}

/* F.d'' where F is fixed in space, or turns with a (then 2 F'.d' + F''.d too). */
static inline void mb_form_force(mb_form *f, const real *xa, const real *xb, const real *d, const real *F, int in_space)
{
    mb_form_lever(f, 9, 1, F, xb);
    mb_form_lever(f, 3, -1, F, xa);
    if (in_space) return;
    real D[3][12], H[9];
    mb_form_gap(D, xa, xb);
    mb_form_lever(f, 3, 1, F, d);
    mb_hat(H, F);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 12; k++) {
            const real v = H[3 * i] * D[0][k] + H[3 * i + 1] * D[1][k] + H[3 * i + 2] * D[2][k];
            f->K[3 + i][k] = f->K[3 + i][k] + v;
            f->K[k][3 + i] = f->K[k][3 + i] + v;
        }
}

/* x (a.b)'' of directions on a and b. */
static inline void mb_form_across(mb_form *f, const real *a, const real *b, real x)
{
    const real dot = mb_dot(a, b);
    real s[3];
    for (int k = 0; k < 3; k++) s[k] = x * a[k];
    mb_form_lever(f, 3, 1, s, b);
    mb_form_lever(f, 9, 1, s, b);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const real v = x * (i == k ? dot - b[i] * a[k] : -(b[i] * a[k]));
            f->K[3 + i][9 + k] = f->K[3 + i][9 + k] + v;
            f->K[9 + k][3 + i] = f->K[9 + k][3 + i] + v;
        }
}

/* mu.phi'' of a joint at the averaged pose; x has a multiplier for all its rows. */
static inline void mb_form_joint(mb_form *f, const mb_joint *j, const mb_pose *a, const mb_pose *b, const real *x)
{
    real xa[3], xb[3], d[3], F[3] = {splat(0), splat(0), splat(0)}, u[3], v[3];
    mb_distance(j, a->r, a->R, b->r, b->R, xa, xb, d);
    if (j->length > 0) {
        for (int k = 0; k < 3; k++) F[k] = x[0] * d[k] / j->length;
        mb_form_tension(f, xa, xb, d, x[0] / j->length, splat(0), F);
        return;
    }
    for (int i = 0; i < j->translational; i++) {
        mb_slider_axis(u, j, i, a->R);
        for (int k = 0; k < 3; k++) F[k] = F[k] + x[i] * u[k];
    }
    mb_form_force(f, xa, xb, d, F, j->in_space);
    for (int i = 0; i < j->rotational; i++) {
        mb_axis(u, a->R, j->frame_a, j->pair[i][0]);
        mb_axis(v, b->R, j->frame_b, j->pair[i][1]);
        mb_form_across(f, u, v, x[j->translational + i]);
    }
}

/* mu.phi'' of a block's rows at these poses. 0: those of joints alone are known, and what else a row bends is left out
 * of Newton's matrix. */
static inline int mb_block_form(const mb_plan *plan, const mb_block *k, mb_form *f, const mb_pose *pose, const real *mu)
{
    real x[MB_ROWS_MOST];
    if (k->kind != MB_JOINT) return 0;
    memset(f, 0, sizeof *f);
    for (int i = 0; i < k->all; i++) x[i] = splat(0);
    for (int i = 0; i < k->rows; i++) x[k->kept[i]] = mu[k->at + i];
    mb_form_joint(f, &plan->joint[k->source], &pose[k->body[0]], &pose[k->body[1]], x);
    return 1;
}

#endif
