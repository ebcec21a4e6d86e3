/* SPDX-License-Identifier: BSD-3-Clause */
/* line.h: the length l of a line between points of two bodies. */
#ifndef LG_MULTIBODY_LINE_H
#define LG_MULTIBODY_LINE_H

#include "multibody/rows/slider.h"

/* l; d from point to point, and the levers of both. */
KERNEL real mb_line_at(real *xa, real *xb, real *d, const mb_force *s, const mb_pose *a, const mb_pose *b)
{
    mb_turn_constant(xa, a->R, s->point_a);
    mb_turn_constant(xb, b->R, s->point_b);
    for (int k = 0; k < 3; k++) d[k] = (b->r[k] - a->r[k]) + (xb[k] - xa[k]);
    return root(mb_dot(d, d));
}

/* The row at averaged poses a, b; l is the mean of the lengths at both ends. Where it is 0 the line has no direction.
 */
KERNEL void mb_line_row(mb_pair *w, const mb_force *s, const mb_pose *a, const mb_pose *b, real l)
{
    real xa[3], xb[3], d[3], u[3], phi;
    (void)mb_line_at(xa, xb, d, s, a, b);
    for (int k = 0; k < 3; k++) u[k] = d[k] / sel(l > 0.0, l, splat(1));
    mb_row_along(w, &phi, u, xa, xb, d, 1);
}

/* l'' while twists stay what they are: (d'.d' + d.d'' - l'^2)/l. */
KERNEL real mb_line_bend(const mb_force *s, const mb_ends *e)
{
    mb_moving xa, xb, d;
    mb_moving_point(&xa, e->Ra, s->point_a, e->a + 3);
    mb_moving_point(&xb, e->Rb, s->point_b, e->b + 3);
    for (int k = 0; k < 3; k++) {
        d.at[k] = (e->rb[k] - e->ra[k]) + (xb.at[k] - xa.at[k]);
        d.rate[k] = (e->b[k] - e->a[k]) + (xb.rate[k] - xa.rate[k]);
        d.bend[k] = xb.bend[k] - xa.bend[k];
    }
    const real l = root(mb_dot(d.at, d.at)), over = 1.0 / sel(l > 0.0, l, splat(1));
    const real rate = mb_dot(d.at, d.rate) * over;
    return (mb_dot(d.rate, d.rate) + mb_dot(d.at, d.bend) - rate * rate) * over;
}

#endif
