/* SPDX-License-Identifier: BSD-3-Clause */
/** @file motions.h
 *  Motions of mechanisms with a model that lives until the program ends, and runs of models. */
#ifndef TESTS_SUPPORT_MOTIONS_H
#define TESTS_SUPPORT_MOTIONS_H

#include <liegrp/liegrp.h>

/** A motion of the mechanism's model, which lives until the program ends. Statuses of lg_motion_create(). */
lg_status motion_create(lg_motion **mo, const lg_mechanism *m, const char *method, double h);
/** The model of a compiled mechanism; it lives until the program ends. */
lg_model *motion_model(const lg_mechanism *m);

/** How many mechanisms of the gallery have no contacts: its first ones. Methods other than sem, systems of equations
 *  and files take no others. */
int gallery_without_contacts(void);
/** 1: a column that no state determines: forces and modes of contacts, of the step before it, and the number of impacts
 *  since the start. */
int column_is_past(const char *name);

/** A motion of the model from its initial state, and a run of it. */
typedef struct model_run {
    lg_motion_options motion;
    lg_run_options run;
    int project; /**< as for lg_motion_start() */
} model_run;
/** The default options of both. */
model_run model_run_default(void);
/** Creates, starts and runs a motion, and destroys it. The message of what failed
 * is the result's. */
lg_status model_run_whole(lg_model *M, lg_run_result *result, const model_run *r);
/** The motion is the caller's, *mo. */
lg_status model_run_motion(lg_motion **mo, lg_model *M, lg_run_result *result, const model_run *r);

#endif
