/* SPDX-License-Identifier: BSD-3-Clause */
/* force.h: the laws of forces. A force Q acts along a length q: a joint's coordinate, a tendon's length, or the
 * distance between points of two bodies (along.h). The file of a law has a kernel mb_LAW(x, s) that answers all that
 * the methods of both engines ask (what a caller does not read is not computed), the kind of work that its drag does
 * without a control, and the names of mb_force::number. The row of q times h xi is q1 - q0, so that the work of a step,
 * Q (q1 - q0), is -(V1 - V0) + drag (q1 - q0) to round-off. A new law is a file here, a line of MB_LAWS, and the part
 * that has it (parts/). */
#ifndef LG_MULTIBODY_FORCES_FORCE_H
#define LG_MULTIBODY_FORCES_FORCE_H

#include "integrators/engine/width.h"
#include "multibody/plan.h"

typedef struct mb_action {
    real q0, q1, rate, u; /* the length at both ends of a step, at a node q0 = q1; its rate; a motor's control */
    real potential;       /* V(q1) */
    real mean;            /* -(V(q1) - V(q0))/(q1 - q0), -V' at a node */
    real stiffness;       /* -dQ/dq: V'' and that of the drag */
    real drag;            /* what has no potential: Q = mean + drag */
    real damping;         /* -d drag/d rate */
    real wanted;          /* of a servo: its force without limits */
    real xa[3], xb[3], d[3], over; /* of a line: levers, from point to point, and the mean length, 1 where it is 0 */
} mb_action;

/* How a servo acts: as its law says, with a force that is an unknown, at a limit (limits.h). */
typedef enum mb_limit { MB_LIMIT_LAW, MB_LIMIT_NONE, MB_LIMIT_LOWER, MB_LIMIT_UPPER } mb_limit;

#include "multibody/forces/band.h"
#include "multibody/forces/brake.h"
#include "multibody/forces/drive.h"
#include "multibody/forces/friction.h"
#include "multibody/forces/servo.h"

#define MB_LAWS(X) X(drive) X(friction) X(servo) X(band) X(brake)

#define MB_LAW(name) MB_LAW_##name,
enum { MB_LAWS(MB_LAW) MB_LAW_COUNT };

KERNEL void mb_force_law(mb_action *x, const mb_force *s)
{
    switch (s->law) {
    default:
#define MB_OF_LAW(name)                                                                                                \
    case MB_LAW_##name:                                                                                                \
        mb_##name(x, s);                                                                                               \
        break;
        MB_LAWS(MB_OF_LAW)
    }
}

/* Far off its rest and at a rate of 1: has it a potential, does it damp? */
static inline mb_action mb_force_probe(const mb_force *s)
{
    const real q = splat(s->rest + (1 + fabs(s->rest)));
    mb_action x = {.q0 = q, .q1 = q, .rate = splat(1), .u = splat(0)};
    mb_force_law(&x, s);
    return x;
}

/* 1: a motor whose force follows the motion, other than a held one. */
static inline int mb_is_servo(const mb_force *s)
{
    return s->law == MB_LAW_servo && (s->number[0] > 0 || s->number[1] > 0);
}

/* 1: a motor whose force is held during a step, so that both ends of the step tell its work. */
static inline int mb_is_held(const mb_force *s)
{
    return s->control >= 0 && !s->varies && !mb_is_servo(s) && s->law != MB_LAW_brake;
}

/* The kind of work that its drag does. */
static inline lg_work mb_force_kind(const mb_force *s)
{
#define MB_WORK_OF_LAW(name) mb_##name##_work,
    static const int kind[] = {MB_LAWS(MB_WORK_OF_LAW)};
#undef MB_WORK_OF_LAW
    return s->control < 0 || s->law == MB_LAW_brake ? (lg_work)kind[s->law] : mb_is_servo(s) ? LG_WORK_SERVOS : LG_WORK_MOTORS;
}

/* 1: it does work that no potential accounts for, even if its control is 0, or it brakes. */
static inline int mb_force_works(const mb_force *s)
{
    return mb_is_servo(s) || s->law == MB_LAW_brake || any(mb_force_probe(s).drag != 0.0);
}

/* Gravity on body b, m g; V = -m g.r. */
KERNEL double mb_gravity(const mb_plan *plan, int b, int k)
{
    return plan->weight[b] * plan->gravity[k];
}

#endif
