/* SPDX-License-Identifier: BSD-3-Clause */
/* coordinate.h: coordinates of joints, angles or lengths a_i.d. The row of a coordinate is an exact
 * discrete derivative: its product with h xi is q1 - q0, so that forces along it do work Q (q1 - q0). */
#ifndef LG_MULTIBODY_COORDINATE_H
#define LG_MULTIBODY_COORDINATE_H

#include "multibody/rows/composed.h"
#include "multibody/rows/slider.h"

/* The row of a length along a_i. */
KERNEL void mb_length_row(const mb_joint *j, int axis, mb_pair *row, const real *ra, const real *Ra, const real *rb,
                          const real *Rb)
{
    real xa[3], xb[3], d[3], a[3], value;
    mb_distance(j, ra, Ra, rb, Rb, xa, xb, d);
    mb_axis(a, Ra, j->frame_a, axis);
    mb_row_along(row, &value, a, xa, xb, d, 0);
}

/* The coordinate's value; an angle comes on the branch that is nearest to `near`. */
KERNEL real mb_coordinate_value(const mb_joint *j, const mb_coordinate *o, const real *ra, const real *Ra,
                                const real *rb, const real *Rb, real near)
{
    real xa[3], xb[3], d[3], a[3];
    if (!o->slides) return mb_angle_value(j, o->axis, Ra, Rb, near);
    mb_distance(j, ra, Ra, rb, Rb, xa, xb, d);
    mb_axis(a, Ra, j->frame_a, o->axis);
    return mb_dot(a, d);
}

/* The row of coordinate c, whose bodies are a and b of these poses. */
KERNEL void mb_coordinate_row(const mb_plan *plan, int c, mb_pair *row, const mb_site *at, int a, int b)
{
    const mb_coordinate *o = &plan->coordinate[c];
    const mb_joint *j = &plan->joint[o->joint];
    if (j->chain != NULL)
        mb_chain_row(j, row, at, a, b, o->axis);
    else if (o->slides)
        mb_length_row(j, o->axis, row, at->pose[a].r, at->pose[a].R, at->pose[b].r, at->pose[b].R);
    else
        mb_angle_row(j, o->axis, row, at->pose[a].R, at->pose[b].R, at->p0[a].R, at->p0[b].R, at->p1[a].R, at->p1[b].R);
}

/* The rate of coordinate c, and its second derivative while twists stay what they are. */
KERNEL void mb_coordinate_moves(const mb_plan *plan, int c, const mb_site *at, int a, int b, real *rate, real *bend)
{
    const mb_coordinate *o = &plan->coordinate[c];
    const mb_joint *j = &plan->joint[o->joint];
    const mb_ends e = mb_ends_of(at, a, b);
    if (j->chain != NULL) {
        mb_chain_moves(j, o->axis, at, a, b, rate, bend);
    } else if (o->slides) {
        mb_moving d, axis;
        mb_moving_distance(&d, j, &e);
        mb_moving_axis(&axis, e.Ra, j->frame_a, o->axis, e.a + 3);
        *rate = mb_product_rate(&axis, &d), *bend = mb_product_bend(&axis, &d);
    } else {
        mb_angle_moves(j, o->axis, &e, rate, bend);
    }
}

#endif
