/* SPDX-License-Identifier: BSD-3-Clause */
/** @file motion_ensemble.h
 *  Many motions of one mechanism side by side: each has its own state and controls, all share method and step.
 *
 *  Every instance ends, to the last bit, where it would have ended alone in an lg_motion, whatever the width, the
 *  number of threads and its neighbours. An instance that fails is retired: it keeps its last good state and the status
 *  with its message. The others continue unaffected.
 *
 *  Between runs an ensemble stores of each instance only what a step needs to continue bit for bit. In a run each
 *  thread takes the next instances, as many as the vector units handle at a time, loads them, makes all their steps and
 *  stores them. Loading costs about as much as a step: prefer few runs of many steps. Stepping allocates nothing; only
 *  the message of an instance that fails is allocated.
 *
 *  One thread at a time may use an ensemble; it starts its own if the library was built with OpenMP. Wrenches of your
 *  own (lg_motion_set_wrench()) do not exist here. */
#ifndef LIEGRP_MULTIBODY_MOTION_ENSEMBLE_H
#define LIEGRP_MULTIBODY_MOTION_ENSEMBLE_H

#include "motion.h"

LG_BEGIN

/** An ensemble of motions: opaque. */
typedef struct lg_motion_ensemble lg_motion_ensemble;

/** How an ensemble runs; start from lg_motion_ensemble_options_default(). */
typedef struct lg_motion_ensemble_options {
    size_t size;        /**< sizeof(lg_motion_ensemble_options), set by lg_motion_ensemble_options_default() */
    const char *method; /**< default "sem" */
    double step;        /**< h, negative: back in time; default 1e-3 */
    int threads;        /**< 0, the default: the number that OpenMP chooses, one per processor; 1 without OpenMP */
    int width;          /**< instances at a time: 1, 2, 4 or 8; 0, the default: lg_width_best() or LIEGRP_WIDTH.
                         * `gauss` has 1: its lanes hold stages */
    int64_t halvings;   /**< see lg_motion_set_halvings(); default 0 */
    double tolerance;   /**< 0, the default: steps of h. Else lg_motion_set_tolerance(), which the method `gauss` has:
                         *   every instance finds its steps, and `step` is the interval of its states */
} lg_motion_ensemble_options;

/** Initialises options of `size` bytes; see lg_motion_ensemble_options_default(). */
LG_API void lg_motion_ensemble_options_init(lg_motion_ensemble_options *options, size_t size);
/** The default options. */
static inline lg_motion_ensemble_options lg_motion_ensemble_options_default(void)
{
    lg_motion_ensemble_options options;
    lg_motion_ensemble_options_init(&options, sizeof options);
    return options;
}

/** *E = `count` motions of the mechanism, as assembled and at rest at time 0. The mechanism must outlive it. On failure
 *  *E still holds the message: read it with lg_motion_ensemble_message() and free it with
 *  lg_motion_ensemble_destroy(). Errors are those of lg_motion_create() and lg_motion_start(), and:
 *  - LG_ERROR_ARGUMENT: count < 1 or so large that the memory would exceed the address space, options without their
 *    size, a width that the machine lacks, threads < 0 or > 4096, or halvings < 0 or > 30.
 *  - LG_ERROR_UNSUPPORTED, LG_ERROR_ARGUMENT: the tolerance, as lg_motion_set_tolerance() says.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_motion_ensemble_create(lg_motion_ensemble **E, const lg_mechanism *mechanism,
                                                         int64_t count, const lg_motion_ensemble_options *options);
/** Frees it. NULL is allowed. */
LG_API void lg_motion_ensemble_destroy(lg_motion_ensemble *E);
/** The text of the last error; "" if there was none. Never NULL. */
LG_API const char *lg_motion_ensemble_message(const lg_motion_ensemble *E);
/** Number of instances. */
LG_API int64_t lg_motion_ensemble_count(const lg_motion_ensemble *E);
/** Instances at a time. */
LG_API int lg_motion_ensemble_width(const lg_motion_ensemble *E);
/** Number of threads of a run. */
LG_API int lg_motion_ensemble_threads(const lg_motion_ensemble *E);
/** Memory of the ensemble in bytes. */
LG_API size_t lg_motion_ensemble_bytes(const lg_motion_ensemble *E);

/** Instance i continues from the state of a motion of the same mechanism, method, step and tolerance, with its controls
 *  and its work so far.
 *  - LG_ERROR_ARGUMENT: no such instance, another mechanism, method, step or tolerance, or the motion is not started.
 *  - LG_ERROR_UNSUPPORTED: the motion has wrenches of your own. */
LG_API LG_MUST_CHECK lg_status lg_motion_ensemble_set(lg_motion_ensemble *E, int64_t i, const lg_motion *mo);
/** Starts one instance: call lg_motion_start() or lg_motion_start_poses() and, if you like, lg_motion_set_control() of
 *  `mo`, which on entry is as assembled and at rest; its tolerance stays. Returns LG_OK, or a status with which the
 *  instance is retired; the text is the motion's message. A number that is not a status counts as LG_ERROR_CALLBACK. */
typedef lg_status (*lg_motion_ensemble_setter)(int64_t instance, lg_motion *mo, void *context);
/** Starts all instances, from several threads at a time. Returns LG_OK even if some instances are retired.
 *  - LG_ERROR_ARGUMENT: the setter is NULL. */
LG_API LG_MUST_CHECK lg_status lg_motion_ensemble_set_all(lg_motion_ensemble *E, lg_motion_ensemble_setter setter,
                                                          void *context);
/** Gives the instances `first` to `first + count - 1` the controls u, as many numbers each as the mechanism has motors,
 *  one instance after the other. They hold until set again.
 *  - LG_ERROR_ARGUMENT: no such instances, u is NULL, or the mechanism has no motors.
 *  - LG_ERROR_NOT_FINITE: a control is not finite; none are set. */
LG_API LG_MUST_CHECK lg_status lg_motion_ensemble_set_controls(lg_motion_ensemble *E, int64_t first, const double *u,
                                                               int64_t count);

/** Called for one instance. Instances come in any order and from several threads at a time; the calls for one instance
 *  come in the order of its steps and never overlap. `mo` is a motion that holds the instance's state during the call;
 *  all functions of motion.h that read may be called. A nonzero return retires the instance with
 *  LG_ERROR_INTERRUPTED. */
typedef int (*lg_motion_ensemble_observer)(int64_t instance, const lg_motion *mo, void *context);
/** Makes `steps` steps of every instance that is not retired and calls the observer (NULL: none) after every
 *  `every`-th. Returns LG_OK even if some instances are retired on the way: see lg_motion_ensemble_retired().
 *  - LG_ERROR_ARGUMENT: steps < 0, every < 1, or the call comes from an observer. */
LG_API LG_MUST_CHECK lg_status lg_motion_ensemble_run(lg_motion_ensemble *E, int64_t steps, int64_t every,
                                                      lg_motion_ensemble_observer observer, void *context);
/** The motion `mo`, of the same mechanism, method, step and tolerance, becomes what instance i is: it can be read, and
 *  continue alone. Wrenches of joints and wheels are known after its next step. For an instance that could not be
 *  started, returns its status.
 *  - LG_ERROR_ARGUMENT: no such instance, or another mechanism, method, step or tolerance. */
LG_API LG_MUST_CHECK lg_status lg_motion_ensemble_read(const lg_motion_ensemble *E, lg_motion *mo, int64_t i);

/** Number of retired instances. */
LG_API int64_t lg_motion_ensemble_retired(const lg_motion_ensemble *E);
/** LG_OK, or the status with which instance i was retired.
 *  - LG_ERROR_ARGUMENT: no such instance. */
LG_API LG_MUST_CHECK lg_status lg_motion_ensemble_status(const lg_motion_ensemble *E, int64_t i);
/** The message to that status; "" while the instance runs. Valid until the ensemble changes. */
LG_API const char *lg_motion_ensemble_reason(const lg_motion_ensemble *E, int64_t i);
/** Steps of instance i since it was started; -1: no such instance. */
LG_API int64_t lg_motion_ensemble_steps(const lg_motion_ensemble *E, int64_t i);

LG_END

#endif
