/* SPDX-License-Identifier: BSD-3-Clause */
/* rolling.h: two spheres do not slip where they touch: t_i.(v_b + w_b x k_b - v_a - w_a x k_a) = 0 along two directions
 * across n = d/l. These are e_i of body a after the rotation that turns e_3 into n the short way,
 *
 *   t_i = e_i - (e_i.n)/(1 + e_3.n) (e_3 + n),
 *
 * which is smooth but where n = -e_3: opposite to the contact at assembly. */
#ifndef LG_MULTIBODY_ROLLING_H
#define LG_MULTIBODY_ROLLING_H

#include "multibody/rows/touch.h"

KERNEL void mb_rolling_rows(const mb_plan *plan, const mb_block *k, mb_pair *row, real *drift, const mb_site *at)
{
    const mb_spheres *s = mb_spheres_of(plan, k);
    const mb_pose *a = &at->pose[at->body[0]], *b = &at->pose[at->body[1]];
    real xa[3], xb[3], n[3], pole[3], none;
    mb_distance(&s->line, a->r, a->R, b->r, b->R, xa, xb, n);
    for (int c = 0; c < 3; c++)
        n[c] = n[c] / s->line.length, xa[c] = xa[c] + s->ra * n[c], xb[c] = xb[c] - s->rb * n[c];
    mb_axis(pole, a->R, s->line.frame_a, 2);
    for (int i = 0; i < 2; i++) {
        real t[3];
        mb_axis(t, a->R, s->line.frame_a, i);
        const real g = mb_dot(t, n) / (1.0 + mb_dot(pole, n));
        for (int c = 0; c < 3; c++) t[c] = t[c] - g * (pole[c] + n[c]);
        mb_row_along(row + 2 * i, &none, t, xa, xb, n, 1);
        drift[i] = splat(0);
    }
}

KERNEL void mb_rolling_bend(const mb_plan *plan, const mb_block *k, real *bend, const mb_site *at)
{
    const mb_spheres *s = mb_spheres_of(plan, k);
    const mb_ends e = mb_ends_of(at, at->body[0], at->body[1]);
    mb_moving n, ka, kb, pole, t;
    real slip[3], change[3], x[3];
    mb_moving_distance(&n, &s->line, &e);
    mb_moving_point(&ka, e.Ra, s->line.anchor_a, e.a + 3);
    mb_moving_point(&kb, e.Rb, s->line.anchor_b, e.b + 3);
    for (int c = 0; c < 3; c++) {
        n.at[c] = n.at[c] / s->line.length, n.rate[c] = n.rate[c] / s->line.length;
        ka.at[c] = ka.at[c] + s->ra * n.at[c], ka.rate[c] = ka.rate[c] + s->ra * n.rate[c];
        kb.at[c] = kb.at[c] - s->rb * n.at[c], kb.rate[c] = kb.rate[c] - s->rb * n.rate[c];
    }
    small_cross(slip, e.b + 3, kb.at), small_cross(x, e.a + 3, ka.at);
    for (int c = 0; c < 3; c++) slip[c] = (e.b[c] + slip[c]) - (e.a[c] + x[c]);
    small_cross(change, e.b + 3, kb.rate), small_cross(x, e.a + 3, ka.rate);
    for (int c = 0; c < 3; c++) change[c] = change[c] - x[c];
    mb_moving_axis(&pole, e.Ra, s->line.frame_a, 2, e.a + 3);
    const real f = 1.0 / (1.0 + mb_dot(pole.at, n.at)), df = mb_product_rate(&pole, &n);
    for (int i = 0; i < 2; i++) {
        mb_moving_axis(&t, e.Ra, s->line.frame_a, i, e.a + 3);
        const real g = mb_dot(t.at, n.at) * f, dg = (mb_product_rate(&t, &n) - g * df) * f;
        for (int c = 0; c < 3; c++) {
            t.at[c] = t.at[c] - g * (pole.at[c] + n.at[c]);
            t.rate[c] = t.rate[c] - dg * (pole.at[c] + n.at[c]) - g * (pole.rate[c] + n.rate[c]);
        }
        bend[i] = mb_dot(t.rate, slip) + mb_dot(t.at, change);
    }
}

#endif
