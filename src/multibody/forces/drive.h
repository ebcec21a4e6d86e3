/* SPDX-License-Identifier: BSD-3-Clause */
/* Spring, damper and motor: Q = -k (q - rest) - c q' + u. */
#ifndef LG_MULTIBODY_FORCES_DRIVE_H
#define LG_MULTIBODY_FORCES_DRIVE_H

static const char *const mb_drive_numbers[] = {"drive-stiffness", "drive-damping", NULL};
enum { mb_drive_work = LG_WORK_DAMPERS };

KERNEL void mb_drive(mb_action *x, const mb_force *s)
{
    const double k = s->number[0], c = s->number[1];
    x->potential = 0.5 * k * ((x->q1 - s->rest) * (x->q1 - s->rest));
    x->mean = -k * (0.5 * (x->q0 + x->q1) - s->rest);
    x->stiffness = splat(k);
    x->drag = x->u - c * x->rate;
    x->damping = splat(c);
}

#endif
