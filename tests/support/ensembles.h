/* SPDX-License-Identifier: BSD-3-Clause */
/** @file ensembles.h
 *  Ensembles in tests: instances that all differ, what each of them does alone, and the comparison to the last bit. */
#ifndef TESTS_SUPPORT_ENSEMBLES_H
#define TESTS_SUPPORT_ENSEMBLES_H

#include "run_models.h"
#include "suite.h"

/** The system and method of an ensemble. */
typedef struct ensemble_case {
    const lg_model_definition *definition;
    const char *method, *retraction;
    lg_ensemble_setter vary; /**< makes instance i */
    double tolerance;        /**< of adaptive steps; 0: the system's fixed step */
} ensemble_case;

/** Two runs of these lengths, and single steps after them. */
typedef struct ensemble_plan {
    int64_t count, steps[2], every[2], after;
} ensemble_plan;

/** The results of stepping every instance alone. */
typedef struct ensemble_truth ensemble_truth;

/** A setter that changes parameters and velocities by up to 2 %, as far as the system allows it. */
lg_status ensemble_vary(int64_t i, lg_model *M, lg_motion *mo, void *context);
/** A setter that also gives every third instance products of inertia, which are 0 in the others. */
lg_status ensemble_mix(int64_t i, lg_model *M, lg_motion *mo, void *context);

/** All instances alone; NULL: the method or the retraction refuses the system. */
ensemble_truth *ensemble_alone(const ensemble_case *x, const ensemble_plan *plan);
/** Equality with an ensemble: states, everything that observers can read, steps that follow alone, to the last bit. */
void ensemble_compare(const ensemble_case *x, const ensemble_plan *plan, ensemble_truth *truth, int width, int threads);
void ensemble_forget(ensemble_truth *truth, const ensemble_plan *plan);

/** The rolling ball with parameters `kind` and `when`: how its drift fails from that time on (1: returns 7, 2: NaN), or
 *  how it cannot be stepped (3: infinite, 4: so large that no step is solved). */
enum { FRAIL_KINDS = 4 };
/** `lanes` 1: with callbacks that are called for several instances at once. */
lg_model_definition ensemble_frail_ball(int lanes);
/** How often its drift was asked for so many lanes at a time. */
long ensemble_frail_calls(int lanes);

#endif
