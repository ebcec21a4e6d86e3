/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/forces.h"

#include <string.h>

/* The rate of a spring's length l, d along it. */
KERNEL real mb_spring_rate(const mb_spring *s, const mb_pair *twist, const real *xa, const real *xb, const real *d,
                           real l)
{
    real va[3], vb[3];
    small_cross(va, twist[s->a].v + 3, xa), small_cross(vb, twist[s->b].v + 3, xb);
    for (int k = 0; k < 3; k++) vb[k] = vb[k] + ((twist[s->b].v[k] - twist[s->a].v[k]) - va[k]);
    return mb_dot(vb, d) / l;
}

/* Of no length a spring has no direction, and d is 0. */
KERNEL real mb_spring_bottom(real l)
{
    return sel(l > 0.0, l, splat(1));
}

LG_ENGINE void mb_node_forces(const mb_plan *plan, mb_pair *f, const mb_node *n, const mb_pair *twist, mb_pair *slope,
                              const real *control)
{
    for (int b = 0; b <= plan->bodies; b++)
        for (int k = 0; k < 6; k++)
            f[b].v[k] = splat(b < plan->bodies && k < 3 ? plan->mass[b] * plan->gravity[k] : 0.0);
    mb_slopes(plan, slope, n->pose, n->pose, n->pose);
    for (int i = 0; i < plan->drives; i++) {
        const mb_drive *d = &plan->drive[i];
        real Q = -d->stiffness * (n->q[d->coordinate] - d->rest);
        if (twist != NULL) Q = Q - d->damping * mb_rate_along(plan, slope, twist, d->coordinate);
        if (d->control >= 0) Q = Q + control[d->control];
        mb_push_coordinate(plan, slope, f, d->coordinate, Q);
    }
    for (int i = 0; i < plan->springs; i++) {
        const mb_spring *s = &plan->spring[i];
        real xa[3], xb[3], d[3];
        const real l = mb_spring_length(s, n->pose, xa, xb, d), bottom = mb_spring_bottom(l);
        real tension = s->stiffness * (l - s->rest);
        if (twist != NULL) tension = tension + s->damping * mb_spring_rate(s, twist, xa, xb, d, bottom);
        for (int k = 0; k < 3; k++) d[k] = d[k] * (tension / bottom);
        mb_push_spring(f, s, xa, xb, d);
    }
}

LG_ENGINE real mb_damping_power(const mb_plan *plan, const mb_node *n, const mb_pair *twist, const mb_pair *slope)
{
    real power = splat(0);
    for (int i = 0; i < plan->drives; i++) {
        const mb_drive *d = &plan->drive[i];
        const real rate = mb_rate_along(plan, slope, twist, d->coordinate);
        power = power - d->damping * (rate * rate);
    }
    for (int i = 0; i < plan->springs; i++) {
        const mb_spring *s = &plan->spring[i];
        real xa[3], xb[3], d[3];
        const real l = mb_spring_length(s, n->pose, xa, xb, d);
        const real rate = mb_spring_rate(s, twist, xa, xb, d, mb_spring_bottom(l));
        power = power - s->damping * (rate * rate);
    }
    return power;
}
