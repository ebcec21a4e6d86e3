/* SPDX-License-Identifier: BSD-3-Clause */
/* ball.h: torques between the bodies of a joint with a rotation vector: T = -c w + u e, w the angular velocity of b
 * relative to a, e an axis of the joint's frame on a. */
#ifndef LG_MULTIBODY_FORCES_BALL_H
#define LG_MULTIBODY_FORCES_BALL_H

#include "multibody/rows/vectors.h"

/* T on body b, its opposite on a with the matrix Ra; control = NULL: it is off. Returns T.w. */
KERNEL real mb_ball_torque(real *T, const mb_plan *plan, const mb_ball *s, const real *Ra, const real *w,
                           const real *control)
{
    real e[3];
    const real u = s->control >= 0 && control != NULL ? s->gain * control[s->control] : splat(0);
    mb_axis(e, Ra, plan->joint[s->joint].frame_a, s->axis);
    for (int k = 0; k < 3; k++) T[k] = u * e[k] - s->damping * w[k];
    return mb_dot(T, w);
}

/* The kind of work that they do. */
static inline lg_work mb_ball_kind(const mb_ball *s)
{
    return s->control < 0 ? LG_WORK_DAMPERS : LG_WORK_MOTORS;
}

/* f += the torques on both bodies. */
KERNEL void mb_ball_push(mb_pair *f, const mb_joint *j, const real *T)
{
    for (int k = 0; k < 3; k++) {
        f[j->a].v[3 + k] = f[j->a].v[3 + k] - T[k];
        f[j->b].v[3 + k] = f[j->b].v[3 + k] + T[k];
    }
}

#endif
