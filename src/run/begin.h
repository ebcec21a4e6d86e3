/* SPDX-License-Identifier: BSD-3-Clause */
/** @file begin.h
 *  What a run, an ensemble and a measurement of orders share: the beginning and the steps. */
#ifndef LIEGRP_SRC_RUN_BEGIN_H
#define LIEGRP_SRC_RUN_BEGIN_H

#include <liegrp/run/run.h>

#include "base/message.h"

/** *own = the caller's options in the library's size. LG_ERROR_ARGUMENT: their size is wrong. */
lg_status lg_run_options_take(lg_run_options *own, const lg_run_options *given, lg_error *e);
/** LG_ERROR_ARGUMENT: an option that makes no sense, whatever the model. */
lg_status lg_run_check(const lg_run_options *o, lg_error *e);
/** The step h of a run: that of the options, or the model's own where they have 0. */
double lg_run_step(const lg_model *M, const lg_run_options *o);
/** Initial data of the model, whose system is ready, as a run begins with them: what the user gave is checked, or
 *  projected where *project is 1; *project becomes 1 where the start is to project, as it does a default velocity. */
lg_status lg_run_initial(lg_model *M, int *project, double *g0, double *xi0, lg_error *e);
/** An integrator of the model at its initial state, with step h, whatever o->step is. On failure *it may hold what
 * there is of it, to be destroyed. Statuses of lg_integrator_create() and lg_integrator_start(). */
lg_status lg_run_begin(lg_integrator **it, lg_model *M, const lg_run_options *o, double h, lg_error *e);
/** One step, with the controls of the caller's where there are some. */
lg_status lg_run_advance(lg_integrator *it, const lg_run_options *o, double *control, lg_error *e);
/** `steps` of them, controls 0 at first. */
lg_status lg_run_advance_by(lg_integrator *it, const lg_run_options *o, int64_t steps, lg_error *e);
/** 1 for what another step size may mend: the numerics failed. */
int lg_run_is_numeric(lg_status status);

#endif
