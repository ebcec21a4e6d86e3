/* SPDX-License-Identifier: BSD-3-Clause */
/** @file accuracy.h
 *  How accurate a run is: steps against two half steps, and the run's first steps once more against a run of h/2. */
#ifndef LIEGRP_SRC_RUN_ACCURACY_H
#define LIEGRP_SRC_RUN_ACCURACY_H

#include <liegrp/run/run.h>

#include "base/message.h"
#include "base/tape.h"
#include "integrators/diagnostics/diagnostics.h"

/** What an accuracy asks of that which moves: an integrator of a model, or a motion of a mechanism. */
typedef struct lg_mover_kind {
    /** A new one with step h from the initial data and options of `source`. */
    lg_status (*begin)(void **it, const void *source, double h);
    lg_status (*clone)(void **copy, const void *it);
    void (*destroy)(void *it);
    lg_status (*follow)(void *it, const void *other); /**< takes the other's state */
    lg_status (*step)(void *it);
    lg_status (*set_control)(void *it, const double *u);
    double (*step_size)(const void *it);
    double (*time)(const void *it);
    int (*iterations)(const void *it);
    int (*order)(const void *it);
    size_t (*size)(const void *it); /**< numbers of a configuration */
    void (*configuration)(double *g, const void *it);
    lg_apart (*apart)(const void *it, const double *a, const double *b); /**< of configurations */
    /** |velocity of a - velocity of b|, and that of a. */
    double (*velocities)(const void *a, const void *b, double *speed);
    /** As lg_resolution_add(). */
    double (*repeat)(lg_resolution *r, const void *it, void *before);
    /** 1: its steps are found for a tolerance, which tighten() makes a thousand times smaller. NULL: they never are. */
    int (*controlled)(const void *it);
    void (*tighten)(void *it);
} lg_mover_kind;

/** Integrators; the source is an lg_model_source. */
extern const lg_mover_kind lg_mover_integrator;

typedef struct lg_model_source {
    lg_model *M;
    const lg_run_options *o;
} lg_model_source;

/** The run that is looked at. */
typedef struct lg_accuracy_options {
    const lg_mover_kind *kind;
    const void *source; /**< must outlive the accuracy */
    int64_t steps;
    size_t controls; /**< that are set before each step; 0: none */
    lg_progress progress;
    void *progress_context;
} lg_accuracy_options;

typedef struct lg_accuracy lg_accuracy;

/** For a run of `it`, which has started and does not change. All memory is taken here: LG_ERROR_MEMORY. */
lg_status lg_accuracy_create(lg_accuracy **a, const lg_accuracy_options *o, const void *it, lg_error *e);
void lg_accuracy_destroy(lg_accuracy *a);
/** Call them around every step, the first is number 0; `control` is what was held during it. NULL for a: nothing
 *  happens. */
void lg_accuracy_before(lg_accuracy *a, const void *it, int64_t step);
void lg_accuracy_after(lg_accuracy *a, const void *it, const double *control, int64_t step);
/** Instead of the latter: the step was stopped on its way and is made later. */
void lg_accuracy_not_yet(lg_accuracy *a, int64_t step);
/** Seconds that the calls above took. */
double lg_accuracy_seconds(const lg_accuracy *a);
/** For the checkpoint of a run; NULL: nothing is listed. */
void lg_accuracy_list(lg_tape *t, lg_accuracy *a);
/** The run is over: what is known of its accuracy into the result, whose steps and seconds are set. */
void lg_accuracy_conclude(lg_accuracy *a, lg_run_result *f);

#endif
