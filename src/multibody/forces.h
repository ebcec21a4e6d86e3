/* SPDX-License-Identifier: BSD-3-Clause */
/* forces.h: what gravity, drives and springs do to bodies, in space. */
#ifndef LG_MULTIBODY_FORCES_H
#define LG_MULTIBODY_FORCES_H

#include "multibody/step.h"

/* f += Q times the row of a coordinate; slope: two parts for each. */
KERNEL void mb_push_coordinate(const mb_plan *plan, const mb_pair *slope, mb_pair *f, int c, real Q)
{
    const mb_joint *j = &plan->joint[plan->coordinate[c].joint];
    for (int k = 0; k < 6; k++) {
        f[j->a].v[k] = f[j->a].v[k] + Q * slope[2 * c].v[k];
        f[j->b].v[k] = f[j->b].v[k] + Q * slope[2 * c + 1].v[k];
    }
}

/* The force d on the anchor x_a of a spring and -d on x_b. */
KERNEL void mb_push_spring(mb_pair *f, const mb_spring *s, const real *xa, const real *xb, const real *d)
{
    real t[3];
    for (int k = 0; k < 3; k++) f[s->a].v[k] = f[s->a].v[k] + d[k], f[s->b].v[k] = f[s->b].v[k] - d[k];
    small_cross(t, xa, d);
    for (int k = 0; k < 3; k++) f[s->a].v[3 + k] = f[s->a].v[3 + k] + t[k];
    small_cross(t, xb, d);
    for (int k = 0; k < 3; k++) f[s->b].v[3 + k] = f[s->b].v[3 + k] - t[k];
}

/* The rate of a coordinate: its row times the twists. */
KERNEL real mb_rate_along(const mb_plan *plan, const mb_pair *slope, const mb_pair *twist, int c)
{
    const mb_joint *j = &plan->joint[plan->coordinate[c].joint];
    return mb_dot6(slope[2 * c].v, twist[j->a].v) + mb_dot6(slope[2 * c + 1].v, twist[j->b].v);
}

/* Forces at a node whose bodies move with these twists, those of the world too; NULL: at rest. `slope` becomes the rows
 * of the driven coordinates. */
LG_ENGINE void mb_node_forces(const mb_plan *plan, mb_pair *f, const mb_node *n, const mb_pair *twist, mb_pair *slope,
                              const real *control);
/* The power of dampers there, after the call above. */
LG_ENGINE real mb_damping_power(const mb_plan *plan, const mb_node *n, const mb_pair *twist, const mb_pair *slope);

#endif
