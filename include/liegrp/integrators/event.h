/* SPDX-License-Identifier: BSD-3-Clause */
/** @file event.h
 *  Between the nodes: events, steps that end at a given time, and dense output.
 *
 *  An event is a root of f(t, g, xi) along the trajectory. It is found by *re-stepping*: the step is repeated from the
 *  state before it with a length s h, 0 < s < 1, until f(s) = 0. So the state at an event is a state of the method:
 *  constraints, holonomic constraints, energy and momenta hold there as at every node, and its error is that of a node.
 *  Nothing is interpolated. Steps after an event have the full h again, t_k = t_event + j h, never accumulated.
 *
 *  p^- leaves a node, p^+ arrives there, p~ is the momentum at the node that satisfies the constraints
 *  (docs/conventions.md). The p^- of the GNI and the p^+ of `dla` have a normal part proportional to a step: it is
 *  shortened by s before a step of s h and lengthened by 1/s after it. So lg_integrator_momentum_minus() of the GNI is
 *  always that of a full step, lg_integrator_normal_part() does not jump, and multipliers are right at both ends. H(g,
 *  p^-) is conserved only as long as the step stays the same.
 *
 *  Nothing here allocates, locks or prints. A call that fails leaves the state unchanged, and lg_integrator_message()
 *  says why. */
#ifndef LIEGRP_INTEGRATORS_EVENT_H
#define LIEGRP_INTEGRATORS_EVENT_H

#include "integrator.h"

LG_BEGIN

/** *f = f(t, g, xi), where xi = J^-1 p~ is the body velocity of lg_integrator_velocity(). c->context is
 *  lg_event::context; time, parameters and controls are the system's. f must depend on these alone and be continuous
 *  along the motion; NaN is an error. A nonzero return aborts the step and is reported. */
typedef int (*lg_event_fn)(const lg_call *c, const double *g, const double *xi, double *f);

/** Which changes of sign count. */
typedef enum lg_crossing {
    LG_CROSSING_DOWN = -1, /**< from f > 0 to f <= 0 */
    LG_CROSSING_BOTH = 0,  /**< either */
    LG_CROSSING_UP = 1     /**< from f < 0 to f >= 0 */
} lg_crossing;

/** An event; start from lg_event_default(). To watch several at once, such as gaps that close, let f be the
 *  smallest. */
typedef struct lg_event {
    size_t size;           /**< sizeof(lg_event), set by lg_event_default() */
    lg_event_fn value;     /**< the function f */
    const void *context;   /**< passed to f */
    lg_crossing direction; /**< default LG_CROSSING_BOTH */
    double tolerance;      /**< tolerance of the event's time in units of h, from 1e-15 to 0.1; 0: the default 1e-12 */
} lg_event;

/** Initialises an event of `size` bytes; see lg_event_default(). */
LG_API void lg_event_init(lg_event *event, size_t size, lg_event_fn value, const void *context);
/** The event that f = value() changes sign in either direction, with the default tolerance. */
static inline lg_event lg_event_default(lg_event_fn value, const void *context)
{
    lg_event event;
    lg_event_init(&event, sizeof event, value, context);
    return event;
}

/** Makes one step, shortened to end at the event if there is one. *found = 1: f rose through 0; -1: it fell; 0:
 *  neither, and the step is that of lg_integrator_step(), bit for bit. At an event t is the event's time, at most
 *  `tolerance` h late: the new state lies on the far side of the root (or on it), so the next call does not find it
 *  again. The shortened step counts in lg_integrator_step_index().
 *
 *  The call detects a change of sign between the two ends of a full step. If a step contains several roots, an odd
 *  number gives one event, at any root that crosses in the observed direction; an even number gives none: h must
 *  resolve f. f = 0 at the start of a step is not an event (it belonged to the previous step); f = 0 at its end is one.
 *  If f jumps across 0, the event is the jump. A step costs 2 calls of f and, with an event, 5 to 7 re-steps where f is
 *  smooth.
 *
 *  On failure *found = 0. Errors are those of lg_integrator_step(), for the full step or a re-step, and:
 *  - LG_ERROR_ARGUMENT: no event function, a tolerance or direction out of range, or the integrator is not started.
 *  - LG_ERROR_NOT_FINITE: f is NaN; the message says where.
 *  - LG_ERROR_CALLBACK: f returned a nonzero code. */
LG_API LG_MUST_CHECK lg_status lg_integrator_step_to_event(lg_integrator *it, int *found, const lg_event *event);

/** Makes one step that ends at time t exactly, t_k < t <= t_k + h (backward for h < 0). Later steps have the full h:
 *  t_k = t + j h. Errors are those of lg_integrator_step(), and:
 *  - LG_ERROR_ARGUMENT: t lies elsewhere or is NaN. */
LG_API LG_MUST_CHECK lg_status lg_integrator_step_to(lg_integrator *it, double t);
/** Makes full steps while they fit, then one that ends at t exactly; no step if the time is already t. The observer
 *  (NULL: none) is called after every `every`-th step as by lg_integrator_run(). Errors are those of
 *  lg_integrator_step(), and:
 *  - LG_ERROR_ARGUMENT: t is not ahead, or `every` < 1.
 *  - LG_ERROR_INTERRUPTED: the observer stopped the run. */
LG_API LG_MUST_CHECK lg_status lg_integrator_run_to(lg_integrator *it, double t, int64_t every, lg_observer observer,
                                                    void *context);

/** Dense output within the last step at the fraction s, 0 <= s <= 1: the time t = (1 - s) t_{k-1} + s t_k, the
 *  configuration g = g_{k-1} exp(s log(g_{k-1}^-1 g_k)) (on factors without a logarithm g_{k-1} tau(s h xi_{k-1})), and
 *  the body velocity xi = (1 - s) xi(t_{k-1}) + s xi(t_k). s = 0 and s = 1 are the nodes. Between them g and xi deviate
 *  from the motion by O(h^2), whatever the method's order: use them for drawing, not for invariants. With `gauss` they
 *  are those of a step that ends there, of the method's order, and all invariants hold. A step that turns by more than
 *  pi is followed where the retraction is exp, and on tori; elsewhere the shorter way is taken. Any output may be NULL.
 *
 *  lg_integrator_message() has no text for these errors: `it` is const so that observers may call this function.
 *  - LG_ERROR_ARGUMENT: s is not in [0, 1], or there is no last step: before the first step since the start, after a
 *    step that failed, or in a fresh copy.
 *  - LG_ERROR_UNSUPPORTED: there is neither a logarithm nor tau(s h xi), as with compositions on a group without
 *    exponential.
 *  - LG_ERROR_DOMAIN: the logarithm or tau(s h xi) is not defined there. */
LG_API LG_MUST_CHECK lg_status lg_integrator_interpolate(const lg_integrator *it, double *t, double *g, double *xi,
                                                         double s);

/** A motion, of any engine (run/motion.h). */
typedef struct lg_motion lg_motion;
/** *f = a function of the motion's state, continuous along a step; all functions that read may be called, but for
 *  reactions. A nonzero return stops the search. */
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

LG_END

#endif
