/* SPDX-License-Identifier: BSD-3-Clause */
/** @file motion_event.h
 *  Events of a motion, a joint that reaches its limit or a wheel that lands, and what follows: the motion goes on with
 *  other constraints. */
#ifndef LIEGRP_MULTIBODY_MOTION_EVENT_H
#define LIEGRP_MULTIBODY_MOTION_EVENT_H

#include "../integrators/event.h"
#include "motion.h"

LG_BEGIN

/** *f = a function of the motion's state, continuous along a step; all functions of motion.h that read may be called,
 *  but for reactions. A nonzero return stops the search. */
typedef int (*lg_motion_event_fn)(const lg_motion *mo, double *f, void *context);

/** What to wait for; start from lg_motion_event_default(). */
typedef struct lg_motion_event {
    size_t size;              /**< sizeof(lg_motion_event), set by lg_motion_event_default() */
    lg_motion_event_fn value; /**< f: the event is its change of sign */
    void *context;            /**< passed to it */
    lg_crossing direction;    /**< default LG_CROSSING_BOTH */
    double tolerance;         /**< in steps, from 1e-12 to 0.1; 0, the default: 1e-10 */
} lg_motion_event;

/** Initialises an event of `size` bytes; see lg_motion_event_default(). */
LG_API void lg_motion_event_init(lg_motion_event *event, size_t size, lg_motion_event_fn value, void *context);
/** An event in both directions. */
static inline lg_motion_event lg_motion_event_default(lg_motion_event_fn value, void *context)
{
    lg_motion_event event;
    lg_motion_event_init(&event, sizeof event, value, context);
    return event;
}

/** Makes one step, or the part of it up to the event: it is made again with other lengths, so that constraints and the
 *  balance of energy hold at the event as at any node. *found = 1: f rises there, -1: it falls, 0: no event in the
 *  whole step. The state is just beyond the root, later by at most the tolerance, or 1e-6 of a step after the state
 *  before; time counts from there. A zero of f at the state before the step is not an event. Errors are those of
 *  lg_motion_step(), and:
 *  - LG_ERROR_ARGUMENT: `found`, the event or its function is NULL, or its direction or tolerance is impossible.
 *  - LG_ERROR_CALLBACK: the function failed.
 *  - LG_ERROR_NOT_FINITE: f is NaN. */
LG_API LG_MUST_CHECK lg_status lg_motion_step_to_event(lg_motion *mo, int *found, const lg_motion_event *event);

/** `mo` starts where `from` is: a motion of another mechanism with the same bodies, in the same order, but other
 *  joints, wheels or gears, such as a robot in the air and on the ground. Momenta are projected onto the new
 *  constraints in the kinetic metric: a plastic impact where there are more, nothing where there are fewer. *lost (may
 *  be NULL) is the kinetic energy that the impact takes; lg_motion_work() goes on from that of `from` with what the
 *  energy has changed by, lg_motion_motor_work() from that of the motor of the same name. Joints of the same name keep
 *  the turns of their angles. Controls are those of `mo`. Errors are those of lg_motion_start(), and:
 *  - LG_ERROR_ARGUMENT: a motion is NULL, `from` is not started, or the bodies differ.
 *  - LG_ERROR_INCONSISTENT: the poses violate the new constraints by more than 1e-6 of the mechanism's size. */
LG_API LG_MUST_CHECK lg_status lg_motion_continue(lg_motion *mo, double *lost, const lg_motion *from);

LG_END

#endif
