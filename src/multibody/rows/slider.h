/* SPDX-License-Identifier: BSD-3-Clause */
/* slider.h: a.d = c, d from the anchor on body a to the anchor on body b: a point of b stays in a plane. Three of them
 * hold the point. The direction turns with body a or is fixed in space. */
#ifndef LG_MULTIBODY_SLIDER_H
#define LG_MULTIBODY_SLIDER_H

#include "multibody/rows/vectors.h"

/* d from the anchor on a to the anchor on b, x_a and x_b from the centres of mass. */
KERNEL void mb_distance(const mb_joint *j, const real *ra, const real *Ra, const real *rb, const real *Rb, real *xa,
                        real *xb, real *d)
{
    mb_turn_constant(xa, Ra, j->anchor_a);
    mb_turn_constant(xb, Rb, j->anchor_b);
    for (int k = 0; k < 3; k++) d[k] = (rb[k] - ra[k]) + (xb[k] - xa[k]);
}

KERNEL void mb_moving_distance(mb_moving *d, const mb_joint *j, const mb_ends *e)
{
    mb_moving xa, xb;
    mb_moving_point(&xa, e->Ra, j->anchor_a, e->a + 3);
    mb_moving_point(&xb, e->Rb, j->anchor_b, e->b + 3);
    for (int k = 0; k < 3; k++) {
        d->at[k] = (e->rb[k] - e->ra[k]) + (xb.at[k] - xa.at[k]);
        d->rate[k] = (e->b[k] - e->a[k]) + (xb.rate[k] - xa.rate[k]);
        d->bend[k] = xb.bend[k] - xa.bend[k];
    }
}

/* The row of a.d, along a direction `a` that turns with body a (or is fixed in space, then a x d is left out). */
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

KERNEL void mb_slider_axis(real *a, const mb_joint *j, int i, const real *Ra)
{
    if (j->in_space)
        mb_axis_of_space(a, j->axis[i]);
    else
        mb_axis(a, Ra, j->frame_a, j->axis[i]);
}

/* All sliders of a joint. */
KERNEL void mb_slider_rows(const mb_joint *j, mb_pair *w, real *phi, const real *Ra, const real *xa, const real *xb,
                           const real *d)
{
    real a[3];
    for (int i = 0; i < j->translational; i++) {
        mb_slider_axis(a, j, i, Ra);
        mb_row_along(w + 2 * i, &phi[i], a, xa, xb, d, j->in_space);
    }
}

KERNEL void mb_slider_bend(const mb_joint *j, real *bend, const mb_ends *e, const mb_moving *d)
{
    real a[3], z[3];
    if (!j->in_space) mb_seen_from(z, e->a + 3, d);
    for (int i = 0; i < j->translational; i++) {
        if (!j->in_space) mb_axis(a, e->Ra, j->frame_a, j->axis[i]);
        bend[i] = j->in_space ? d->bend[j->axis[i]] : mb_dot(a, z);
    }
}

#endif
