/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ensemble.h
 *  Many motions of one model side by side: each has its own initial data and controls, and of a definition its own
 *  parameters; all share method, retraction and step, or a tolerance for which each finds steps of its own.
 *
 *  Every instance ends, to the last bit, where it would have ended alone in an lg_motion, whatever the width, the
 *  number of threads and its neighbours. For a definition this holds on products of R^n, T^n, SO(2), SO(3), SE(2) and
 *  SE(3); on other groups it holds for the same LAPACK and thread count. An instance that fails is retired: it keeps
 *  its last good state and the status with its message. The others continue unaffected.
 *
 *  Between runs an ensemble stores of each instance only its parameters and what a step needs to continue bit for bit.
 *  In a run each thread takes the next instances, as many as the vector units handle at a time, loads them into its own
 *  workspace, makes all their steps there and stores them. So the memory per instance is that of its state, its
 *  parameters and the solver's history. Loading costs about as much as a step: prefer few runs of many steps. Stepping
 *  allocates nothing; only the message of an instance that fails is allocated.
 *
 *  One thread at a time may use an ensemble. The ensemble starts its own threads if the library was built with OpenMP,
 *  and all of them call the model's callbacks. While a call works, setters, observers and callbacks may ask the
 *  ensemble for counts and, of the instance that they are called for, lg_ensemble_status(), lg_ensemble_reason() and
 *  lg_ensemble_read(). Functions that change the ensemble, run it or copy a state return LG_ERROR_ARGUMENT there,
 *  without a message.
 *
 *  After fork() both processes may continue with their copies of an ensemble, on threads of their own. A callback or an
 *  observer must not fork while an ensemble runs on several threads, unless the child does nothing but exec().
 *
 *  A motion of an instance, such as an observer sees, differs from one alone in three points. lg_motion_work() and
 *  lg_motion_account() are NaN for definitions. The angles of a definition's row are those of its element, not counted
 *  on from row to row: count them with lg_model_write(). Mechanisms have no wrenches of your own
 *  (lg_motion_set_wrench()). */
#ifndef LIEGRP_RUN_ENSEMBLE_H
#define LIEGRP_RUN_ENSEMBLE_H

#include "../base/width.h"
#include "../multibody/contact.h"
#include "motion.h"

LG_BEGIN

/** An ensemble: opaque. */
typedef struct lg_ensemble lg_ensemble;

/** How an ensemble runs; start from lg_ensemble_options_default(). */
typedef struct lg_ensemble_options {
    size_t size;            /**< sizeof(lg_ensemble_options), set by lg_ensemble_options_default() */
    const char *method;     /**< NULL, the default: "sem" */
    const char *retraction; /**< NULL, the default: "exp" */
    double step;            /**< h; 0, the default: the model's own step, lg_model_default_step() */
    double tolerance; /**< 0, the default: steps of h. Else lg_motion_set_tolerance(), which the method `gauss` has:
                       *   every instance finds its steps, and `step` is the interval of its states, which count
                       *   as steps here. Then the width is 1: the lanes hold stages */
    lg_start start;   /**< default LG_START_REACTION */
    int project;      /**< 1: project the initial data of the model, and those that setters give it, onto the
                       *   constraints; 0, the default: as lg_motion_start() */
    int64_t halvings; /**< lg_motion_set_halvings(); default 0 */
    int threads;      /**< 0, the default: the number that OpenMP chooses, one per processor; 1 without OpenMP. If
                       *   the system cannot provide that many, OpenMP decides what happens: GCC's ends the
                       *   program */
    int width;        /**< instances at a time: 1, 2, 4 or 8; 0, the default: lg_width_best() or LIEGRP_WIDTH */
    int64_t monitor;  /**< K: energy and constraints of every instance are evaluated after every K-th of its
                       *   steps, for lg_ensemble_read(); 0, the default: never */
    const lg_contact_options *contact; /**< of all instances, lg_motion_set_contact(); NULL, the default: the default
                                        *   ones. Copied */
} lg_ensemble_options;

/** Initialises options of `size` bytes; see lg_ensemble_options_default(). */
LG_API void lg_ensemble_options_init(lg_ensemble_options *options, size_t size);
/** The default options. */
static inline lg_ensemble_options lg_ensemble_options_default(void)
{
    lg_ensemble_options options;
    lg_ensemble_options_init(&options, sizeof options);
    return options;
}

/** *E = `count` instances of the model, all with the model's present parameters and initial data. If these cannot be
 *  started from, all instances are retired with the reason until they are set. The ensemble reads the model but does
 *  not keep it; what its definition points to, or its mechanism, must outlive the ensemble. On failure *E still holds
 *  the message: read it with lg_ensemble_message() and free it with lg_ensemble_destroy(). Errors are those of
 *  lg_motion_create(), and:
 *  - LG_ERROR_ARGUMENT: count < 1 or so large that the memory would exceed the address space, options without their
 *    size, a width that the machine lacks, threads < 0 or > 4096, or monitor < 0.
 *  - LG_ERROR_UNSUPPORTED: a mechanism with another method than sem, rattle, their compositions and gauss[:stages=S]:
 *    step its motions one by one.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_create(lg_ensemble **E, const lg_model *M, int64_t count,
                                                  const lg_ensemble_options *options);
/** Frees the object. NULL is allowed. */
LG_API void lg_ensemble_destroy(lg_ensemble *E);
/** Message of the last failed call; "" if no call has failed. For NULL it says that there is no object. */
LG_API const char *lg_ensemble_message(const lg_ensemble *E);
/** Number of instances. */
LG_API int64_t lg_ensemble_count(const lg_ensemble *E);
/** Instances at a time: the requested width, or 1 if method, system or retraction have no wide form, if there is a
 *  tolerance, or for a mechanism's `gauss`, whose lanes hold stages. */
LG_API int lg_ensemble_width(const lg_ensemble *E);
/** Number of threads of a run: those requested, but no more than there is work for. */
LG_API int lg_ensemble_threads(const lg_ensemble *E);
/** Memory of the ensemble in bytes: the instances, the messages of those that are retired, and one workspace per
 *  thread. */
LG_API size_t lg_ensemble_bytes(const lg_ensemble *E);

/** Instance i continues from the motion: with its state, its controls, its parameters and, of a mechanism, its work
 *  so far.
 *  - LG_ERROR_ARGUMENT: no such instance; the motion is NULL or not started, or it has another definition or mechanism
 *    ("mixed systems"), method, retraction, start, step, tolerance, solver, number of halvings or options of contact.
 *  - LG_ERROR_UNSUPPORTED: it has wrenches of your own; its state is larger than that of the first instance; or its
 *    parameters make one structure too many, 64 fit, which retires the instance. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_set(lg_ensemble *E, int64_t i, const lg_motion *mo);
/** Sets up one instance. Of a definition: set M, which on entry is like the model that the ensemble was made from, by
 *  lg_model_set() and lg_model_set_initial(); the instance then starts from it at time 0, with controls 0; mo is NULL.
 *  Of a mechanism: mo is on entry started as the model says, or not at all where that fails; start it elsewhere by
 *  lg_motion_start() or the starts of multibody/motion.h and set its controls; M is NULL. Returns LG_OK, or a status
 *  with which the instance is retired; the text is the message of M or mo. A number that is not a status counts as
 *  LG_ERROR_CALLBACK. */
typedef lg_status (*lg_ensemble_setter)(int64_t instance, lg_model *M, lg_motion *mo, void *context);
/** Sets up all instances, from several threads at a time. Returns LG_OK even if some instances are retired: those that
 *  the setter refuses or that do not start, and a mechanism's that the setter leaves without a state, with another
 *  tolerance or solver, or with wrenches of its own.
 *  - LG_ERROR_ARGUMENT: the setter is NULL. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_set_all(lg_ensemble *E, lg_ensemble_setter setter, void *context);
/** Starts instance i as lg_motion_start() does, with its present parameters and controls; it is retired if that fails.
 *  NaN in the row, or the row NULL: what the model had. An exhibit of the gallery starts with the controls that it has
 *  there. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_start(lg_ensemble *E, int64_t i, double t0, const double *row, int project);
/** Starts instance i as lg_motion_start_state() does, with its present parameters and controls; it is retired if that
 *  fails. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_start_state(lg_ensemble *E, int64_t i, double t0, const double *g,
                                                       const double *xi, int project);

/** Gives the instances `first` to `first + count - 1` the controls u, lg_model_control_count() numbers each, one
 *  instance after the other. As with lg_motion_set_control(), they hold until set again. lg_ensemble_start() and
 *  lg_ensemble_start_state() leave them. Returns LG_OK even if some instances are retired because a callback failed;
 *  their controls stay as they were.
 *  - LG_ERROR_ARGUMENT: no such instances, u is NULL, or the model has no controls.
 *  - LG_ERROR_NOT_FINITE: a control is not finite; none are set. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_set_controls(lg_ensemble *E, int64_t first, const double *u, int64_t count);

/** Called for one instance. Instances come in any order and from several threads at a time; the calls for one instance
 *  come in the order of its steps and never overlap. `mo` is a motion that holds the instance's state during the call;
 *  all functions that read a motion may be called. A nonzero return retires the instance with LG_ERROR_INTERRUPTED. */
typedef int (*lg_ensemble_observer)(int64_t instance, const lg_motion *mo, void *context);
/** Makes `steps` steps of every instance that is not retired and calls the observer (NULL: none) after every
 *  `every`-th. Returns LG_OK even if some instances are retired on the way: see lg_ensemble_retired().
 *  - LG_ERROR_ARGUMENT: steps < 0, or every < 1. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_run(lg_ensemble *E, int64_t steps, int64_t every,
                                               lg_ensemble_observer observer, void *context);
/** Shows every instance that has a state to the observer without a step, including retired ones (their last good
 *  state). The observer's return value is ignored. Of the last step's velocity, multipliers, wrenches, work and
 *  iterations only what the next step needs is known here; the others are NaN and 0, or refused. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_visit(lg_ensemble *E, lg_ensemble_observer observer, void *context);

/** Number of retired instances. */
LG_API int64_t lg_ensemble_retired(const lg_ensemble *E);
/** LG_OK, or the status with which instance i was retired.
 *  - LG_ERROR_ARGUMENT: no such instance. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_status(const lg_ensemble *E, int64_t i);
/** The message to that status, with the step and its time; "" while the instance runs. Valid until the ensemble
 *  changes. */
LG_API const char *lg_ensemble_reason(const lg_ensemble *E, int64_t i);
/** Steps of instance i since it was started; -1: no such instance. */
LG_API int64_t lg_ensemble_steps(const lg_ensemble *E, int64_t i);
/** t, g (element) and p~ (n numbers, the momentum at the node, docs/conventions.md) of instance i, of a mechanism those
 *  of lg_mechanism_system(). Each may be NULL. For an instance that could not be started, returns its status.
 *  - LG_ERROR_ARGUMENT: no such instance, or the ensemble is at work (see above). */
LG_API LG_MUST_CHECK lg_status lg_ensemble_state(const lg_ensemble *E, double *t, double *g, double *p, int64_t i);
/** Extremes of an instance since its start. */
typedef struct lg_ensemble_figures {
    double energy_first; /**< lg_motion_energy() at the start */
    double energy_low;   /**< the smallest one; once NaN it stays NaN, here and below */
    double energy_high;  /**< the largest one */
    double constraint;   /**< the largest lg_motion_slip(), of a mechanism also lg_motion_gap() */
} lg_ensemble_figures;
/** The figures of instance i. An observer may call it for the instance that it is shown. For an instance that could not
 *  be started, returns its status.
 *  - LG_ERROR_ARGUMENT: no such instance, NULL, or lg_ensemble_options::monitor was 0. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_read(const lg_ensemble *E, lg_ensemble_figures *figures, int64_t i);
/** *copy = a motion that continues independently from instance i's state with its parameters and controls.
 *  lg_motion_reset() returns it to this state. The ensemble must outlive it; free it with lg_motion_destroy(). On
 *  failure *copy is NULL. Errors are those of lg_ensemble_state(), and:
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_motion(lg_motion **copy, const lg_ensemble *E, int64_t i);

LG_END

#endif
