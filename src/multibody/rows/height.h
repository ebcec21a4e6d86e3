/* SPDX-License-Identifier: BSD-3-Clause */
/* height.h: the lowest point of a wheel is on its plane, phi = n.(r + R c - origin) - radius sin - tube. */
#ifndef LG_MULTIBODY_HEIGHT_H
#define LG_MULTIBODY_HEIGHT_H

#include "multibody/rows/wheel.h"

KERNEL void mb_height_rows(const mb_plan *plan, const mb_block *k, mb_pair *row, real *phi, const mb_site *at)
{
    const mb_wheel *w = &plan->wheel[k->source];
    const int b = at->body[0];
    const real *r = at->pose[b].r;
    real x[3], n[3], sn = splat(1);
    mb_normal(n, w);
    mb_turn_constant(x, at->pose[b].R, w->centre);
    const real z =
        (r[0] - w->origin[0] + x[0]) * n[0] + (r[1] - w->origin[1] + x[1]) * n[1] + (r[2] - w->origin[2] + x[2]) * n[2];
    if (w->kind == MB_WHEEL_DISK) {
        real u[3], u0[3], u1[3], cs, cs0, cs1, sn0, sn1;
        mb_lean(w, at->pose[b].R, u, &cs, &sn);
        mb_lean(w, at->p0[b].R, u0, &cs0, &sn0);
        mb_lean(w, at->p1[b].R, u1, &cs1, &sn1);
        const real ratio = w->radius * (cs0 + cs1) / (sn0 + sn1);
        for (int i = 0; i < 3; i++) x[i] = x[i] + ratio * (0.5 * (u0[i] + u1[i]));
    }
    for (int i = 0; i < 3; i++) row->v[i] = n[i];
    small_cross(row->v + 3, x, n);
    *phi = z - w->radius * sn - w->tube;
}

KERNEL void mb_height_bend(const mb_plan *plan, const mb_block *k, real *bend, const mb_site *at)
{
    const mb_wheel *w = &plan->wheel[k->source];
    const real *R = at->pose[at->body[0]].R, *twist = at->twist[at->body[0]].v;
    real n[3];
    mb_moving x;
    mb_normal(n, w);
    mb_moving_point(&x, R, w->centre, twist + 3);
    *bend = mb_dot(n, x.bend);
    if (w->kind != MB_WHEEL_DISK) return;
    mb_leaning l;
    mb_moving_lean(&l, w, R, n, twist);
    const real ddcs = mb_dot(n, l.u.bend);
    *bend = *bend + w->radius * (((l.dcs * l.dcs + l.cs * ddcs) + l.dsn * l.dsn) / l.sn);
}

#endif
