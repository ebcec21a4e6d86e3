/* SPDX-License-Identifier: BSD-3-Clause */
/* roll.h: a wheel does not slip where it touches its plane, along the heading t and across it, a = n x t. A ball has no
 * heading: t is a fixed direction. A wheel with rollers has one row, along the axis of the roller that touches, which
 * is t turned about n by the rollers' angle; across it the roller turns. */
#ifndef LG_MULTIBODY_ROLL_H
#define LG_MULTIBODY_ROLL_H

#include "multibody/rows/wheel.h"

/* The axis of the roller that touches. */
KERNEL void mb_roller_axis(real *y, const mb_wheel *w, const real *t, const real *a)
{
    for (int i = 0; i < 3; i++) y[i] = w->roller[0] * t[i] + w->roller[1] * a[i];
}

KERNEL void mb_roll_rows(const mb_plan *plan, const mb_block *block, mb_pair *row, real *drift, const mb_site *at)
{
    const mb_wheel *w = &plan->wheel[block->source];
    const mb_pose *b = &at->pose[at->body[0]];
    real k[3], t[3], a[3], n[3];
    mb_normal(n, w);
    mb_turn_constant(k, b->R, w->centre);
    if (w->kind == MB_WHEEL_DISK) {
        real u[3], cs, sn;
        mb_heading(w, b->R, n, t, u, &cs, &sn);
        for (int i = 0; i < 3; i++) k[i] = k[i] - w->radius * (n[i] - cs * u[i]) / sn - w->tube * n[i];
    } else {
        for (int i = 0; i < 3; i++) t[i] = splat(w->tangent[i]), k[i] = k[i] - w->radius * n[i];
    }
    small_cross(a, n, t);
    if (block->all == 1) mb_roller_axis(t, w, t, a);
    mb_slip_row(w, &row[0], &drift[0], t, n, b->r, k);
    if (block->all > 1) mb_slip_row(w, &row[1], &drift[1], a, n, b->r, k);
}

KERNEL void mb_roll_bend(const mb_plan *plan, const mb_block *block, real *bend, const mb_site *at)
{
    const mb_wheel *w = &plan->wheel[block->source];
    const mb_pose *b = &at->pose[at->body[0]];
    const real *twist = at->twist[at->body[0]].v;
    real n[3];
    mb_moving t, a, k;
    mb_normal(n, w);
    mb_moving_point(&k, b->R, w->centre, twist + 3);
    if (w->kind == MB_WHEEL_DISK) {
        mb_leaning l;
        mb_moving_heading(&l, &t, w, b->R, n, twist);
        for (int i = 0; i < 3; i++) {
            const real e = (n[i] - l.cs * l.u.at[i]) / l.sn;
            const real de = (-(l.dcs * l.u.at[i] + l.cs * l.u.rate[i]) - e * l.dsn) / l.sn;
            k.at[i] = k.at[i] - w->radius * e - w->tube * n[i];
            k.rate[i] = k.rate[i] - w->radius * de;
        }
    } else {
        for (int i = 0; i < 3; i++)
            t.at[i] = splat(w->tangent[i]), t.rate[i] = splat(0), k.at[i] = k.at[i] - w->radius * n[i];
    }
    small_cross(a.at, n, t.at);
    small_cross(a.rate, n, t.rate);
    if (block->all == 1) mb_roller_axis(t.at, w, t.at, a.at), mb_roller_axis(t.rate, w, t.rate, a.rate);
    bend[0] = mb_slip_bend(w, n, twist, b->r, &t, &k);
    if (block->all > 1) bend[1] = mb_slip_bend(w, n, twist, b->r, &a, &k);
}

#endif
