/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates of joints and what acts on them. The row of a coordinate is an exact discrete derivative: its product
 * with h xi is q1 - q0, so that forces along it do work Q (q1 - q0). */
#ifndef LG_MULTIBODY_COORDINATES_H
#define LG_MULTIBODY_COORDINATES_H

#include "multibody/rows.h"

/* atan2(s, c) in (-pi, pi]. */
KERNEL real mb_arctan2(real s, real c)
{
    const real r = s * arctan2_ratio(s * s, magnitude(c));
    return sel(c < 0.0, sel(s < 0.0, -LG_PI - r, LG_PI - r), r);
}

/* c = a_1.b_1 and s = a_2.b_1 of a joint: the cosine and sine of its angle. */
KERNEL void mb_angle(const mb_joint *j, const real *Ra, const real *Rb, real *c, real *s)
{
    real a1[3], a2[3], b1[3];
    mb_axis(a1, Ra, j->frame_a, 0);
    mb_axis(a2, Ra, j->frame_a, 1);
    mb_axis(b1, Rb, j->frame_b, 0);
    *c = mb_dot(a1, b1), *s = mb_dot(a2, b1);
}

/* d from the anchor on a to the anchor on b, x_a and x_b from the centres of mass. */
KERNEL void mb_distance(const mb_joint *j, const real *ra, const real *Ra, const real *rb, const real *Rb, real *xa,
                        real *xb, real *d)
{
    mb_turn_constant(xa, Ra, j->anchor_a);
    mb_turn_constant(xb, Rb, j->anchor_b);
    for (int k = 0; k < 3; k++) d[k] = (rb[k] - ra[k]) + (xb[k] - xa[k]);
}

/* The coordinate's value; an angle comes on the branch that is nearest to `near`. */
KERNEL real mb_coordinate_value(const mb_joint *j, int slides, const real *ra, const real *Ra, const real *rb,
                                const real *Rb, real near)
{
    if (slides) {
        real xa[3], xb[3], d[3], a[3];
        mb_distance(j, ra, Ra, rb, Rb, xa, xb, d);
        mb_axis(a, Ra, j->frame_a, 2);
        return mb_dot(a, d);
    }
    real c, s;
    mb_angle(j, Ra, Rb, &c, &s);
    const real theta = mb_arctan2(s, c);
    const real turns = ((near - theta) * 0.15915494309189535 + 0x1.8p52) - 0x1.8p52;
    return theta + turns * (2.0 * LG_PI);
}

/* The row of an angle at the averaged rotations Ra, Rb between the ends (Ra0, Rb0) and (Ra1, Rb1): with n = s1 c0 - c1
 * s0 and w = c0 c1 + s0 s1 it is (atan2(n, w)/n) (mean c row(a_2.b_1) - mean s row(a_1.b_1)). */
KERNEL void mb_angle_row(const mb_joint *j, mb_pair *row, const real *Ra, const real *Rb, const real *Ra0,
                         const real *Rb0, const real *Ra1, const real *Rb1)
{
    real c0, s0, c1, s1, a1[3], a2[3], b1[3], a[3], value;
    mb_angle(j, Ra0, Rb0, &c0, &s0);
    mb_angle(j, Ra1, Rb1, &c1, &s1);
    const real n = s1 * c0 - c1 * s0, w = c0 * c1 + s0 * s1;
    const mask beyond = w < 0.0; /* a quarter turn */
    const real near = arctan2_ratio(n * n, magnitude(w)), far = LG_PI / sel(beyond, magnitude(n), splat(1)) - near;
    const real ratio = sel(beyond, far, near), c = 0.5 * ratio * (c0 + c1), s = 0.5 * ratio * (s0 + s1);
    mb_axis(a1, Ra, j->frame_a, 0);
    mb_axis(a2, Ra, j->frame_a, 1);
    mb_axis(b1, Rb, j->frame_b, 0);
    for (int k = 0; k < 3; k++) a[k] = c * a2[k] - s * a1[k];
    mb_row_across(row, &value, a, b1);
}

/* The row of a length along a_3. */
KERNEL void mb_length_row(const mb_joint *j, mb_pair *row, const real *ra, const real *Ra, const real *rb,
                          const real *Rb)
{
    real xa[3], xb[3], d[3], a[3], value;
    mb_distance(j, ra, Ra, rb, Rb, xa, xb, d);
    mb_axis(a, Ra, j->frame_a, 2);
    mb_row_along(row, &value, a, xa, xb, d, 0);
}

#endif
