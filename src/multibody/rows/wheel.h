/* SPDX-License-Identifier: BSD-3-Clause */
/* wheel.h: a disk or ball on its plane: how it leans, and its velocity where it touches. */
#ifndef LG_MULTIBODY_WHEEL_H
#define LG_MULTIBODY_WHEEL_H

#include "multibody/rows/vectors.h"

KERNEL void mb_normal(real *n, const mb_wheel *w)
{
    for (int k = 0; k < 3; k++) n[k] = splat(w->normal[k]);
}

/* cos and sin of the angle between the axle and the normal. */
KERNEL void mb_lean(const mb_wheel *w, const real *R, real *u, real *cs, real *sn)
{
    mb_turn_constant(u, R, w->axle);
    *cs = u[0] * w->normal[0] + u[1] * w->normal[1] + u[2] * w->normal[2];
    *sn = root(1.0 - *cs * *cs);
}

/* The heading t along the plane of a disk, with what mb_lean() says. */
KERNEL void mb_heading(const mb_wheel *w, const real *R, const real *n, real *t, real *u, real *cs, real *sn)
{
    mb_lean(w, R, u, cs, sn);
    small_cross(t, u, n);
    for (int i = 0; i < 3; i++) t[i] = t[i] / *sn;
}

/* The velocity of the ground along x where the wheel touches it, at r + k. */
KERNEL real mb_ground(const mb_wheel *w, const real *x, const real *n, const real *r, const real *k)
{
    real d[3], v[3];
    for (int i = 0; i < 3; i++) d[i] = r[i] - w->origin[i] + k[i];
    small_cross(v, n, d);
    for (int i = 0; i < 3; i++) v[i] = w->velocity[i] + w->spin * v[i];
    return mb_dot(x, v);
}

/* The row of y.(v + w x k), y along the plane, and its drift. */
KERNEL void mb_slip_row(const mb_wheel *w, mb_pair *row, real *drift, const real *y, const real *n, const real *r,
                        const real *k)
{
    for (int i = 0; i < 3; i++) row->v[i] = y[i];
    small_cross(row->v + 3, k, y);
    *drift = mb_ground(w, y, n, r, k);
}

/* n.u of a wheel's axle u and the sine of its angle to the normal, which move with it. */
typedef struct mb_leaning {
    mb_moving u;
    real cs, dcs, sn, dsn;
} mb_leaning;

KERNEL void mb_moving_lean(mb_leaning *l, const mb_wheel *w, const real *R, const real *n, const real *twist)
{
    mb_lean(w, R, l->u.at, &l->cs, &l->sn);
    mb_moving_with(&l->u, twist + 3);
    l->dcs = mb_dot(n, l->u.rate);
    l->dsn = -(l->cs * l->dcs) / l->sn;
}

/* The heading of a disk, with its rate. */
KERNEL void mb_moving_heading(mb_leaning *l, mb_moving *t, const mb_wheel *w, const real *R, const real *n,
                              const real *twist)
{
    mb_moving_lean(l, w, R, n, twist);
    small_cross(t->at, l->u.at, n);
    small_cross(t->rate, l->u.rate, n);
    for (int i = 0; i < 3; i++) {
        t->at[i] = t->at[i] / l->sn;
        t->rate[i] = (t->rate[i] - t->at[i] * l->dsn) / l->sn;
    }
}

/* y.(v + w x k) minus the ground's velocity along y, where y and k move as given. */
KERNEL real mb_slip_bend(const mb_wheel *w, const real *n, const real *twist, const real *r, const mb_moving *y,
                         const mb_moving *k)
{
    real slip[3], change[3], d[3], dd[3], ground[3];
    small_cross(slip, twist + 3, k->at);
    small_cross(change, twist + 3, k->rate);
    for (int i = 0; i < 3; i++) d[i] = r[i] - w->origin[i] + k->at[i], dd[i] = twist[i] + k->rate[i];
    small_cross(ground, n, d);
    for (int i = 0; i < 3; i++) slip[i] = (twist[i] + slip[i]) - (w->velocity[i] + w->spin * ground[i]);
    small_cross(ground, n, dd);
    for (int i = 0; i < 3; i++) change[i] = change[i] - w->spin * ground[i];
    return mb_dot(y->rate, slip) + mb_dot(y->at, change);
}

#endif
