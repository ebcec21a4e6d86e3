/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ensemble.h
 *  Many instances of one model side by side: each with its own parameters and initial data, all with the same method,
 *  retraction and step.
 *
 *  Every instance ends, to the last bit, where it would have ended alone in an lg_integrator, whatever the width, the
 *  number of threads and its neighbours (on products of R^n, T^n, SO(3), SE(2), SE(3); other groups promise it for the
 *  same LAPACK and thread count). An instance that fails is retired: it keeps its last good state and the status with
 *  its message, and the others go on as if it had never been.
 *
 *  Between runs an instance is its parameters and the least from which a step goes on bit for bit. A run loads as many
 *  instances as the vector units take at a time into a thread's own workspace, does all its steps there, and stores
 *  them; the threads take what is left in turn. So memory per instance is that of its state, its parameters and what
 * the solver remembers, and loading, some microseconds an instance, is paid once a run: prefer few runs of many steps.
 *  Stepping allocates nothing; only an instance that fails has its message allocated. An ensemble is used by one thread
 *  at a time; it starts its own, if the library was built with OpenMP, and the model's callbacks are called from all of
 *  them. While it works for its caller, setters, observers and callbacks may ask it for counts and, of the instance
 * that they are called for, lg_ensemble_status(), lg_ensemble_reason() and lg_ensemble_read(); what changes it,
 * runs it or copies a state is LG_ERROR_ARGUMENT there, without a message. */
#ifndef LIEGRP_RUN_ENSEMBLE_H
#define LIEGRP_RUN_ENSEMBLE_H

#include "../base/width.h"
#include "../integrators/integrator.h"
#include "model.h"

LG_BEGIN

/** An ensemble: opaque. */
typedef struct lg_ensemble lg_ensemble;

/** How an ensemble runs; start from lg_ensemble_options_default(). */
typedef struct lg_ensemble_options {
    size_t size;            /**< sizeof(lg_ensemble_options), set by lg_ensemble_options_default() */
    const char *method;     /**< default "sem" */
    const char *retraction; /**< default "exp" */
    double step;            /**< h; 0, the default: the model's own step, lg_model_default_step() */
    lg_start start;         /**< default LG_START_REACTION */
    int project;            /**< 1: project all initial data onto the constraints; 0, the default: as lg_run(), which
                             * projects default velocities and checks what was given */
    int threads;            /**< 0, the default: as many as OpenMP would take, one a processor; 1 without OpenMP. Where
                             * the system has not as many, it is OpenMP that decides: GCC's ends the program */
    int width;              /**< instances at a time: 1, 2, 4, 8; 0, the default: lg_width_best() or LIEGRP_WIDTH */
    int64_t monitor;        /**< K: energy and constraints of every instance are looked at after every K-th of its
                             * steps, for lg_ensemble_read(); 0, the default: never */
} lg_ensemble_options;

/** Initialises options of `size` bytes; see lg_ensemble_options_default(). */
LG_API void lg_ensemble_options_init(lg_ensemble_options *options, size_t size);
/** The defaults. */
static inline lg_ensemble_options lg_ensemble_options_default(void)
{
    lg_ensemble_options options;
    lg_ensemble_options_init(&options, sizeof options);
    return options;
}

/** *E = `count` instances of the model, all with the model's present parameters and initial data (where these cannot be
 *  started from, all are retired with the reason, until lg_ensemble_set() mends it). The model is read, not kept;
 *  what its definition points to must outlive the ensemble. On failure *E still holds the message, to be read by
 *  lg_ensemble_message() and freed by lg_ensemble_destroy(). LG_ERROR_ARGUMENT: count < 1 or so large that the memory
 *  would exceed the address space, options without their size, a width that the machine lacks, threads < 0 or > 4096,
 *  unknown method, retraction or start; the statuses of lg_model_system() and lg_integrator_create();
 *  LG_ERROR_MEMORY. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_create(lg_ensemble **E, const lg_model *M, int64_t count,
                                                  const lg_ensemble_options *options);
/** Frees the object. NULL is allowed. */
LG_API void lg_ensemble_destroy(lg_ensemble *E);
/** The text of the last error; "" if there was none. If the object is NULL, it says out of memory. */
LG_API const char *lg_ensemble_message(const lg_ensemble *E);
/** Number of instances. */
LG_API int64_t lg_ensemble_count(const lg_ensemble *E);
/** Instances at a time: the width that was requested, or 1 where method, system or retraction have no wide form. */
LG_API int lg_ensemble_width(const lg_ensemble *E);
/** Threads that a run takes: those requested, but no more than there is work for. */
LG_API int lg_ensemble_threads(const lg_ensemble *E);
/** Bytes that it takes: the instances, the messages of those that are retired, and a workspace a thread. */
LG_API size_t lg_ensemble_bytes(const lg_ensemble *E);

/** Instance i takes the parameters and the initial data of model M, which must have the definition that the ensemble
 * was made from, and starts at time 0. LG_ERROR_ARGUMENT: no such instance, another definition ("mixed systems"); the
 *  statuses of lg_model_system(), lg_model_initial() and lg_integrator_start(), and LG_ERROR_UNSUPPORTED where the
 *  parameters make a system that the method refuses: the instance is retired with it. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_set(lg_ensemble *E, int64_t i, const lg_model *M);
/** Makes M, which is as the one that the ensemble was made from, what instance i is to be, by lg_model_set() and
 *  lg_model_set_initial(). LG_OK, or a status that the instance is retired with; its text is that of the model. Numbers
 *  that are no status count as LG_ERROR_CALLBACK. */
typedef lg_status (*lg_ensemble_setter)(int64_t instance, lg_model *M, void *context);
/** lg_ensemble_set() for all instances, from several threads at a time. Returns LG_OK even if some are retired. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_set_all(lg_ensemble *E, lg_ensemble_setter setter, void *context);
/** Instance i starts at (t0, g0) with body velocity xi0 and the parameters it has. As lg_integrator_start(), the
 *  instance is retired where that fails. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_start(lg_ensemble *E, int64_t i, double t0, const double *g0,
                                                 const double *xi0);

/** The instances `first` to `first + count - 1` take the controls u, lg_model_definition::control_count numbers each,
 * one instance after the other: as lg_integrator_set_control(), held until they are set again; lg_ensemble_set() and
 *  lg_ensemble_set_all() make them zeros, lg_ensemble_start() leaves them. Returns LG_OK even if some are retired: a callback
 *  failed, theirs are as before. LG_ERROR_ARGUMENT: no such instances, NULL, the model has none; LG_ERROR_NOT_FINITE:
 *  then none are set. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_set_controls(lg_ensemble *E, int64_t first, const double *u, int64_t count);

/** Called for an instance, in any order of the instances and from several threads at a time, but for one instance in
 * the order of its steps and never twice at once. `it` is an integrator that holds the instance's state for the time of
 * the call: everything of integrator.h that reads may be called. Nonzero retires the instance with
 * LG_ERROR_INTERRUPTED.
 */
typedef int (*lg_ensemble_observer)(int64_t instance, const lg_integrator *it, void *context);
/** `steps` steps of every instance that is not retired, the observer (NULL: none) after every `every`-th. Returns LG_OK even if
 *  some are retired on the way: ask lg_ensemble_retired(). LG_ERROR_ARGUMENT: steps < 0, every < 1. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_run(lg_ensemble *E, int64_t steps, int64_t every,
                                               lg_ensemble_observer observer, void *context);
/** Shows every instance that has a state to the observer, the retired ones too (their last good state), without a step.
 *  What the observer returns is ignored. Of the last step's velocity, multipliers, work and iterations only what the
 *  next step needs is known here, the others are NaN and 0. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_visit(lg_ensemble *E, lg_ensemble_observer observer, void *context);

/** How many instances are retired. */
LG_API int64_t lg_ensemble_retired(const lg_ensemble *E);
/** LG_OK, or why instance i was retired; LG_ERROR_ARGUMENT: no such instance. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_status(const lg_ensemble *E, int64_t i);
/** The text to it, with the step and its time; "" while it runs. Valid until the ensemble changes. */
LG_API const char *lg_ensemble_reason(const lg_ensemble *E, int64_t i);
/** Steps done by instance i since it was started; -1: no such instance. */
LG_API int64_t lg_ensemble_steps(const lg_ensemble *E, int64_t i);
/** t, g (element) and p~ (n) of instance i; any of them may be NULL. LG_ERROR_ARGUMENT: no such instance, or it is at
 *  work (see above); the status of one that could not be started. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_state(const lg_ensemble *E, double *t, double *g, double *p, int64_t i);
/** Extremes of an instance from its start on, as of lg_run_result and lg_monitor_figures. */
typedef struct lg_ensemble_figures {
    double energy_first; /**< H(g, p~) at the start */
    double energy_low;   /**< least H; a NaN stays, here and below */
    double energy_high;  /**< largest H */
    double constraint;   /**< largest lg_integrator_constraint_residual() */
} lg_ensemble_figures;
/** Figures of instance i; an observer may ask for those of the instance that it is shown. LG_ERROR_ARGUMENT: no such
 *  instance, NULL, or lg_ensemble_options::monitor was 0; the status of an instance that could not be started. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_read(const lg_ensemble *E, lg_ensemble_figures *figures, int64_t i);
/** An integrator that goes on from instance i's state on its own, with its parameters: for what only integrators can be
 *  asked. lg_integrator_reset() takes it back to this state. The ensemble must outlive it; free it by
 *  lg_integrator_destroy(). As lg_ensemble_state(), and LG_ERROR_MEMORY; *copy is NULL then. */
LG_API LG_MUST_CHECK lg_status lg_ensemble_integrator(lg_integrator **copy, const lg_ensemble *E, int64_t i);

LG_END

#endif
