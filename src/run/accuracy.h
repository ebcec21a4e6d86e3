/* SPDX-License-Identifier: BSD-3-Clause */
/** @file accuracy.h
 *  How accurate a run is: steps against two half steps, and the run's first steps once more against a run of h/2. */
#ifndef LIEGRP_SRC_RUN_ACCURACY_H
#define LIEGRP_SRC_RUN_ACCURACY_H

#include <liegrp/run/run.h>

#include "base/message.h"
#include "base/tape.h"
#include "run/engine.h"

/** The run that is looked at. */
typedef struct lg_accuracy_options {
    int64_t steps;
    size_t controls; /**< that are set before each step; 0: none */
    lg_progress progress;
    void *progress_context;
} lg_accuracy_options;

typedef struct lg_accuracy lg_accuracy;

/** For a run of `mo`, which has started and does not change. All memory is taken here: LG_ERROR_MEMORY. */
lg_status lg_accuracy_create(lg_accuracy **a, const lg_accuracy_options *o, const lg_motion *mo, lg_error *e);
void lg_accuracy_destroy(lg_accuracy *a);
/** Call them around every step, the first is number 0; `control` is what was held during it. NULL for a: nothing
 *  happens. */
void lg_accuracy_before(lg_accuracy *a, const lg_motion *mo, int64_t step);
void lg_accuracy_after(lg_accuracy *a, const lg_motion *mo, const double *control, int64_t step);
/** Instead of the latter: the step was stopped on its way and is made later. */
void lg_accuracy_not_yet(lg_accuracy *a, int64_t step);
/** Seconds that the calls above took. */
double lg_accuracy_seconds(const lg_accuracy *a);
/** For the checkpoint of a run; NULL: nothing is listed. */
void lg_accuracy_list(lg_tape *t, lg_accuracy *a);
/** The run is over: what is known of its accuracy into the result, whose steps and seconds are set. */
void lg_accuracy_conclude(lg_accuracy *a, lg_run_result *f);

#endif
