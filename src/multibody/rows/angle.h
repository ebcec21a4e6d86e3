/* SPDX-License-Identifier: BSD-3-Clause */
/* angle.h: the angles of a joint. That about a_3 (axis 2) has the cosine and sine c = a_1.b_1 and s = a_2.b_1, the
 * second one of a universal joint about b_1 (axis 0) c = a_3.b_3 and s = a_3.b_2. */
#ifndef LG_MULTIBODY_ANGLE_H
#define LG_MULTIBODY_ANGLE_H

#include "multibody/rows/direction.h"

/* atan2(s, c) in (-pi, pi]. */
KERNEL real mb_arctan2(real s, real c)
{
    const real r = s * arctan2_ratio(s * s, magnitude(c));
    return sel(c < 0.0, sel(s < 0.0, -LG_PI - r, LG_PI - r), r);
}

/* The whole number nearest to x. */
KERNEL real mb_nearest_whole(real x)
{
    return still((x + 0x1.8p52) - 0x1.8p52);
}

KERNEL void mb_angle(const mb_joint *j, int axis, const real *Ra, const real *Rb, real *c, real *s)
{
    real a1[3], a2[3], b1[3], b2[3];
    if (axis == 2) {
        mb_axis(a1, Ra, j->frame_a, 0);
        mb_axis(a2, Ra, j->frame_a, 1);
        mb_axis(b1, Rb, j->frame_b, 0);
        *c = mb_dot(a1, b1), *s = mb_dot(a2, b1);
    } else {
        mb_axis(a1, Ra, j->frame_a, 2);
        mb_axis(b1, Rb, j->frame_b, 2);
        mb_axis(b2, Rb, j->frame_b, 1);
        *c = mb_dot(a1, b1), *s = mb_dot(a1, b2);
    }
}

/* The angle on the branch that is nearest to `near`. */
KERNEL real mb_angle_value(const mb_joint *j, int axis, const real *Ra, const real *Rb, real near)
{
    real c, s;
    mb_angle(j, axis, Ra, Rb, &c, &s);
    const real theta = mb_arctan2(s, c);
    return theta + mb_nearest_whole((near - theta) * 0.15915494309189535) * (2.0 * LG_PI);
}

/* atan2(n, w)/n. */
KERNEL real mb_angle_ratio(real n, real w)
{
    const mask beyond = w < 0.0; /* a quarter turn */
    const real near = arctan2_ratio(n * n, magnitude(w)), far = LG_PI / sel(beyond, magnitude(n), splat(1)) - near;
    return sel(beyond, far, near);
}

/* The row of an angle at the averaged rotations Ra, Rb between the ends (Ra0, Rb0) and (Ra1, Rb1): with n = s1 c0 - c1
 * s0 and w = c0 c1 + s0 s1 it is (atan2(n, w)/n) (mean c row(s) - mean s row(c)). */
KERNEL void mb_angle_row(const mb_joint *j, int axis, mb_pair *row, const real *Ra, const real *Rb, const real *Ra0,
                         const real *Rb0, const real *Ra1, const real *Rb1)
{
    real c0, s0, c1, s1, a1[3], a2[3], b1[3], a[3], value;
    mb_angle(j, axis, Ra0, Rb0, &c0, &s0);
    mb_angle(j, axis, Ra1, Rb1, &c1, &s1);
    const real n = s1 * c0 - c1 * s0, w = c0 * c1 + s0 * s1;
    const real ratio = mb_angle_ratio(n, w), c = 0.5 * ratio * (c0 + c1), s = 0.5 * ratio * (s0 + s1);
    if (axis == 2) {
        mb_axis(a1, Ra, j->frame_a, 0);
        mb_axis(a2, Ra, j->frame_a, 1);
        mb_axis(b1, Rb, j->frame_b, 0);
        for (int k = 0; k < 3; k++) a[k] = c * a2[k] - s * a1[k];
    } else {
        mb_axis(a, Ra, j->frame_a, 2);
        mb_axis(a1, Rb, j->frame_b, 2);
        mb_axis(a2, Rb, j->frame_b, 1);
        for (int k = 0; k < 3; k++) b1[k] = c * a2[k] - s * a1[k];
    }
    mb_row_across(row, &value, a, b1);
}

/* Its rate (c s' - s c')/(c^2 + s^2), and the derivative of that. */
KERNEL void mb_angle_moves(const mb_joint *j, int axis, const mb_ends *e, real *rate, real *bend)
{
    mb_moving x, y, z; /* c = x.z and s = y.z */
    if (axis == 2) {
        mb_moving_axis(&x, e->Ra, j->frame_a, 0, e->a + 3);
        mb_moving_axis(&y, e->Ra, j->frame_a, 1, e->a + 3);
        mb_moving_axis(&z, e->Rb, j->frame_b, 0, e->b + 3);
    } else {
        mb_moving_axis(&x, e->Rb, j->frame_b, 2, e->b + 3);
        mb_moving_axis(&y, e->Rb, j->frame_b, 1, e->b + 3);
        mb_moving_axis(&z, e->Ra, j->frame_a, 2, e->a + 3);
    }
    const real c = mb_dot(x.at, z.at), s = mb_dot(y.at, z.at), size = 1.0 / (c * c + s * s);
    const real dc = mb_product_rate(&x, &z), ds = mb_product_rate(&y, &z);
    const real ddc = mb_product_bend(&x, &z), dds = mb_product_bend(&y, &z);
    *rate = (c * ds - s * dc) * size;
    *bend = (c * dds - s * ddc) * size - *rate * (2.0 * (c * dc + s * ds)) * size;
}

#endif
