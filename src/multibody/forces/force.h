/* SPDX-License-Identifier: BSD-3-Clause */
/* force.h: the laws of forces. A force Q acts along a length q: a joint's coordinate, or the distance between points of
 * two bodies (along.h). The file of a law has a kernel mb_LAW(x, s) that answers all that the methods of both engines
 * ask (what a caller does not read is not computed), and the names of mb_force::number. The row of q times h xi is
 * q1 - q0, so that the work of a step, Q (q1 - q0), is -(V1 - V0) + drag (q1 - q0) to round-off. A new law is a file
 * here, a line of MB_LAWS, and the part that has it (parts/). */
#ifndef LG_MULTIBODY_FORCES_FORCE_H
#define LG_MULTIBODY_FORCES_FORCE_H

#include "integrators/engine/width.h"
#include "multibody/plan.h"

typedef struct mb_action {
    real q0, q1, rate, u; /* the length at both ends of a step, at a node q0 = q1; its rate; a motor's control */
    real potential;       /* V(q1) */
    real mean;            /* -(V(q1) - V(q0))/(q1 - q0), -V' at a node */
    real stiffness;       /* V'' */
    real drag;            /* what has no potential: Q = mean + drag */
    real damping;         /* -d drag/d rate */
    real xa[3], xb[3], d[3], over; /* of a line: levers, from point to point, and the mean length, 1 where it is 0 */
} mb_action;

#include "multibody/forces/drive.h"
#include "multibody/forces/friction.h"

#define MB_LAWS(X) X(drive) X(friction)

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

/* Gravity on body b, m g; V = -m g.r. */
KERNEL double mb_gravity(const mb_plan *plan, int b, int k)
{
    return plan->weight[b] * plan->gravity[k];
}

#endif
