/* SPDX-License-Identifier: BSD-3-Clause */
/* Servo and limited motor: Q = u - k q - c q', held between two limits. The control makes u and may jump, so that the
 * spring is no potential of the mechanism: all that a servo does is work. */
#ifndef LG_MULTIBODY_FORCES_SERVO_H
#define LG_MULTIBODY_FORCES_SERVO_H

static const char *const mb_servo_numbers[] = {"servo-position", "servo-velocity", "servo-lower", "servo-upper", NULL};
enum { mb_servo_work = LG_WORK_SERVOS };

KERNEL void mb_servo(mb_action *x, const mb_force *s)
{
    const double k = s->number[0], c = s->number[1], lower = s->number[2], upper = s->number[3];
    const real wanted = (x->u - k * (0.5 * (x->q0 + x->q1))) - c * x->rate;
    const mask low = wanted<lower, high = wanted> upper, beyond = either(low, high);
    x->potential = x->mean = splat(0);
    x->wanted = wanted;
    x->drag = sel(low, splat(lower), sel(high, splat(upper), wanted));
    x->stiffness = sel(beyond, splat(0), splat(k)), x->damping = sel(beyond, splat(0), splat(c));
}

/* A servo whose force is an unknown of the step (limits.h). */
KERNEL void mb_servo_at(mb_action *x, const mb_force *s, mb_limit at, real force)
{
    const int free = at == MB_LIMIT_NONE;
    if (at == MB_LIMIT_LAW) return;
    x->drag = force;
    x->stiffness = splat(free ? s->number[0] : 0), x->damping = splat(free ? s->number[1] : 0);
}

#endif
