/* SPDX-License-Identifier: BSD-3-Clause */
/** @file accuracy.h
 *  How accurate a run is: steps against two half steps, and the run's first steps once more against a run of h/2. */
#ifndef LIEGRP_SRC_RUN_ACCURACY_H
#define LIEGRP_SRC_RUN_ACCURACY_H

#include <liegrp/run/run.h>

#include "base/message.h"

typedef struct lg_accuracy lg_accuracy;

/** For a run of `it`, which has started and does not change. All memory is taken here: LG_ERROR_MEMORY. */
lg_status lg_accuracy_create(lg_accuracy **a, lg_model *M, const lg_run_options *o, const lg_integrator *it,
                             lg_error *e);
void lg_accuracy_destroy(lg_accuracy *a);
/** Call them around every step; `control` is what was held during it. NULL for a: nothing happens. */
void lg_accuracy_before(lg_accuracy *a, const lg_integrator *it);
void lg_accuracy_after(lg_accuracy *a, const lg_integrator *it, const double *control);
/** Seconds that the calls above took. */
double lg_accuracy_seconds(const lg_accuracy *a);
/** The run is over: what is known of its accuracy into the result, whose steps and seconds are set. */
void lg_accuracy_conclude(lg_accuracy *a, lg_run_result *f);

#endif
