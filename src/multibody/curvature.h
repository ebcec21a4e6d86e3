/* SPDX-License-Identifier: BSD-3-Clause */
/* A' xi of the rows of rows.h and coordinates.h: the derivative of A xi as the poses move with xi = (v, w) in space and
 * xi stays what it is (docs/theory.md section 18). With it a row's equation of acceleration is A xi' = drift' - A' xi.
 */
#ifndef LG_MULTIBODY_CURVATURE_H
#define LG_MULTIBODY_CURVATURE_H

#include "multibody/coordinates.h"

/* A vector that moves with constant twists: x, x', x''. */
typedef struct mb_moving {
    real at[3], rate[3], bend[3];
} mb_moving;

/* x of a body that turns with w: x' = w x x, x'' = w x (w x x). */
KERNEL void mb_moving_with(mb_moving *x, const real *w)
{
    small_cross(x->rate, w, x->at);
    small_cross(x->bend, w, x->rate);
}
KERNEL void mb_moving_point(mb_moving *x, const real *R, const double *at, const real *w)
{
    mb_turn_constant(x->at, R, at);
    mb_moving_with(x, w);
}
KERNEL void mb_moving_axis(mb_moving *x, const real *R, const double *F, int i, const real *w)
{
    mb_axis(x->at, R, F, i);
    mb_moving_with(x, w);
}
/* (x.y)' and (x.y)''. */
KERNEL real mb_product_rate(const mb_moving *x, const mb_moving *y)
{
    return mb_dot(x->rate, y->at) + mb_dot(x->at, y->rate);
}
KERNEL real mb_product_bend(const mb_moving *x, const mb_moving *y)
{
    return (mb_dot(x->bend, y->at) + mb_dot(x->at, y->bend)) + 2.0 * mb_dot(x->rate, y->rate);
}

/* What joints are made of: two bodies with their poses and twists. */
typedef struct mb_ends {
    const real *ra, *Ra, *a; /* body a: r, R, (v, w) */
    const real *rb, *Rb, *b;
} mb_ends;

/* d from the anchor on a to the anchor on b. */
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

/* z with a.z = (a.x)'' for every a that turns with w: w x (w x x) - 2 w x x' + x''. */
KERNEL void mb_seen_from(real *z, const real *w, const mb_moving *x)
{
    small_cross(z, w, x->at);
    for (int k = 0; k < 3; k++) z[k] = z[k] - 2.0 * x->rate[k];
    small_cross(z, w, z);
    for (int k = 0; k < 3; k++) z[k] = z[k] + x->bend[k];
}

/* All rows of a joint. */
KERNEL void mb_joint_bend(const mb_joint *j, real *bend, const mb_ends *e)
{
    mb_moving d, b;
    real a[3], z[3];
    mb_moving_distance(&d, j, e);
    if (j->length > 0) {
        *bend = mb_product_bend(&d, &d) / (2 * j->length);
        return;
    }
    if (!j->in_space) mb_seen_from(z, e->a + 3, &d);
    for (int i = 0; i < j->translational; i++) {
        if (!j->in_space) mb_axis(a, e->Ra, j->frame_a, j->axis[i]);
        bend[i] = j->in_space ? d.bend[j->axis[i]] : mb_dot(a, z);
    }
    for (int i = 0; i < j->rotational; i++) {
        if (i == 0 || j->pair[i][1] != j->pair[i - 1][1]) {
            mb_moving_axis(&b, e->Rb, j->frame_b, j->pair[i][1], e->b + 3);
            mb_seen_from(z, e->a + 3, &b);
        }
        mb_axis(a, e->Ra, j->frame_a, j->pair[i][0]);
        bend[j->translational + i] = mb_dot(a, z);
    }
}

/* q' and q'' of a coordinate; an angle's are (c s' - s c')/(c^2 + s^2) and its derivative. */
KERNEL void mb_coordinate_motion(const mb_joint *j, int slides, const mb_ends *e, real *rate, real *bend)
{
    mb_moving a1, a2, b1;
    if (slides) {
        mb_moving_distance(&b1, j, e);
        mb_moving_axis(&a1, e->Ra, j->frame_a, 2, e->a + 3);
        *rate = mb_product_rate(&a1, &b1), *bend = mb_product_bend(&a1, &b1);
        return;
    }
    mb_moving_axis(&a1, e->Ra, j->frame_a, 0, e->a + 3);
    mb_moving_axis(&a2, e->Ra, j->frame_a, 1, e->a + 3);
    mb_moving_axis(&b1, e->Rb, j->frame_b, 0, e->b + 3);
    const real c = mb_dot(a1.at, b1.at), s = mb_dot(a2.at, b1.at), size = 1.0 / (c * c + s * s);
    const real dc = mb_product_rate(&a1, &b1), ds = mb_product_rate(&a2, &b1);
    const real ddc = mb_product_bend(&a1, &b1), dds = mb_product_bend(&a2, &b1);
    *rate = (c * ds - s * dc) * size;
    *bend = (c * dds - s * ddc) * size - *rate * (2.0 * (c * dc + s * ds)) * size;
}

/* n.u of a wheel's axle u and the sine of its angle to the normal, which move with it. */
typedef struct mb_leaning {
    mb_moving u;
    real cs, dcs, sn, dsn;
} mb_leaning;

KERNEL void mb_moving_lean(mb_leaning *l, const mb_wheel *w, const real *R, const real *twist)
{
    const real n[3] = {splat(w->normal[0]), splat(w->normal[1]), splat(w->normal[2])};
    mb_lean(w, R, l->u.at, &l->cs, &l->sn);
    mb_moving_with(&l->u, twist + 3);
    l->dcs = mb_dot(n, l->u.rate);
    l->dsn = -(l->cs * l->dcs) / l->sn;
}

/* The row of the height, n.(r + R c) - radius sn. */
KERNEL real mb_height_bend(const mb_wheel *w, const real *R, const real *twist)
{
    const real n[3] = {splat(w->normal[0]), splat(w->normal[1]), splat(w->normal[2])};
    mb_moving x;
    mb_moving_point(&x, R, w->centre, twist + 3);
    const real bend = mb_dot(n, x.bend);
    if (w->kind != MB_WHEEL_DISK) return bend;
    mb_leaning l;
    mb_moving_lean(&l, w, R, twist);
    const real ddcs = mb_dot(n, l.u.bend);
    return bend + w->radius * (((l.dcs * l.dcs + l.cs * ddcs) + l.dsn * l.dsn) / l.sn);
}

/* y.(v + w x k) minus the ground's velocity along y, where y and k turn as told. */
KERNEL real mb_slip_bend(const mb_wheel *w, const real *twist, const real *r, const mb_moving *y, const mb_moving *k)
{
    const real n[3] = {splat(w->normal[0]), splat(w->normal[1]), splat(w->normal[2])};
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

/* The heading t and the lever k to where the wheel touches, with their rates. */
KERNEL void mb_moving_contact(const mb_wheel *w, const real *R, const real *twist, int skate, mb_moving *t,
                              mb_moving *k)
{
    const real n[3] = {splat(w->normal[0]), splat(w->normal[1]), splat(w->normal[2])};
    mb_moving_point(k, R, w->centre, twist + 3);
    if (w->kind != MB_WHEEL_DISK) {
        for (int i = 0; i < 3; i++)
            t->at[i] = splat(w->tangent[i]), t->rate[i] = splat(0), k->at[i] = k->at[i] - w->radius * n[i];
        return;
    }
    mb_leaning l;
    mb_moving_lean(&l, w, R, twist);
    small_cross(t->at, l.u.at, n);
    small_cross(t->rate, l.u.rate, n);
    for (int i = 0; i < 3; i++) {
        t->at[i] = t->at[i] / l.sn;
        t->rate[i] = (t->rate[i] - t->at[i] * l.dsn) / l.sn;
        if (skate) continue;
        const real e = (n[i] - l.cs * l.u.at[i]) / l.sn;
        const real de = (-(l.dcs * l.u.at[i] + l.cs * l.u.rate[i]) - e * l.dsn) / l.sn;
        k->at[i] = k->at[i] - w->radius * e - w->tube * n[i];
        k->rate[i] = k->rate[i] - w->radius * de;
    }
}

/* The rows of rolling, their drift's derivative taken off: A' xi - drift'. */
KERNEL void mb_roll_bend(const mb_wheel *w, real *bend, const real *r, const real *R, const real *twist, int skate)
{
    const real n[3] = {splat(w->normal[0]), splat(w->normal[1]), splat(w->normal[2])};
    mb_moving t, a, k;
    mb_moving_contact(w, R, twist, skate, &t, &k);
    small_cross(a.at, n, t.at);
    small_cross(a.rate, n, t.rate);
    if (!skate) *bend++ = mb_slip_bend(w, twist, r, &t, &k);
    *bend = mb_slip_bend(w, twist, r, &a, &k);
}

#endif
