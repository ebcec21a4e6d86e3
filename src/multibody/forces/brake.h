/* SPDX-License-Identifier: BSD-3-Clause */
/* Damper whose constant a control sets: Q = -u q', u >= 0. */
#ifndef LG_MULTIBODY_FORCES_BRAKE_H
#define LG_MULTIBODY_FORCES_BRAKE_H

static const char *const mb_brake_numbers[] = {NULL};
enum { mb_brake_work = LG_WORK_DAMPERS };

KERNEL void mb_brake(mb_action *x, const mb_force *s)
{
    (void)s;
    x->potential = x->mean = x->stiffness = splat(0);
    x->drag = -x->u * x->rate;
    x->damping = x->u;
}

#endif
