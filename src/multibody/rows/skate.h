/* SPDX-License-Identifier: BSD-3-Clause */
/* skate.h: the centre of a disk does not slip across its heading. */
#ifndef LG_MULTIBODY_SKATE_H
#define LG_MULTIBODY_SKATE_H

#include "multibody/rows/wheel.h"

KERNEL void mb_skate_rows(const mb_plan *plan, const mb_block *block, mb_pair *row, real *drift, const mb_site *at)
{
    const mb_wheel *w = &plan->wheel[block->source];
    const mb_pose *b = &at->pose[at->body[0]];
    real k[3], t[3], a[3], n[3], u[3], cs, sn;
    mb_normal(n, w);
    mb_turn_constant(k, b->R, w->centre);
    mb_heading(w, b->R, n, t, u, &cs, &sn);
    small_cross(a, n, t);
    mb_slip_row(w, row, drift, a, n, b->r, k);
}

KERNEL void mb_skate_bend(const mb_plan *plan, const mb_block *block, real *bend, const mb_site *at)
{
    const mb_wheel *w = &plan->wheel[block->source];
    const mb_pose *b = &at->pose[at->body[0]];
    const real *twist = at->twist[at->body[0]].v;
    real n[3];
    mb_moving t, a, k;
    mb_leaning l;
    mb_normal(n, w);
    mb_moving_point(&k, b->R, w->centre, twist + 3);
    mb_moving_heading(&l, &t, w, b->R, n, twist);
    small_cross(a.at, n, t.at);
    small_cross(a.rate, n, t.rate);
    *bend = mb_slip_bend(w, n, twist, b->r, &a, &k);
}

#endif
