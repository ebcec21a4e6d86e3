/* SPDX-License-Identifier: BSD-3-Clause */
/* direction.h: a.b = 0 of two directions, a on body a and b on body b. */
#ifndef LG_MULTIBODY_DIRECTION_H
#define LG_MULTIBODY_DIRECTION_H

#include "multibody/rows/vectors.h"

KERNEL void mb_row_across(mb_pair *w, real *phi, const real *a, const real *b)
{
    small_cross(w[0].v + 3, a, b);
    for (int k = 0; k < 3; k++) w[1].v[3 + k] = -w[0].v[3 + k], w[0].v[k] = w[1].v[k] = splat(0);
    *phi = mb_dot(a, b);
}

/* All directions of a joint. */
KERNEL void mb_direction_rows(const mb_joint *j, mb_pair *w, real *phi, const real *Ra, const real *Rb)
{
    real a[3], b[3];
    for (int i = 0; i < j->rotational; i++) {
        mb_axis(a, Ra, j->frame_a, j->pair[i][0]);
        mb_axis(b, Rb, j->frame_b, j->pair[i][1]);
        mb_row_across(w + 2 * i, &phi[i], a, b);
    }
}

/* A' xi, and the torques of the rows; w = NULL: not those. */
KERNEL void mb_direction_bend(const mb_joint *j, mb_pair *w, real *bend, const mb_ends *e)
{
    mb_moving b;
    real a[3], z[3];
    for (int i = 0; i < j->rotational; i++) {
        if (i == 0 || j->pair[i][1] != j->pair[i - 1][1]) {
            mb_moving_axis(&b, e->Rb, j->frame_b, j->pair[i][1], e->b + 3);
            mb_seen_from(z, e->a + 3, &b);
        }
        mb_axis(a, e->Ra, j->frame_a, j->pair[i][0]);
        if (w != NULL) {
            real *t = w[2 * i].v + 3, *back = w[2 * i + 1].v + 3;
            small_cross(t, a, b.at);
            for (int c = 0; c < 3; c++) back[c] = -t[c];
        }
        bend[i] = mb_dot(a, z);
    }
}

#endif
