/* SPDX-License-Identifier: BSD-3-Clause */
/** @file models.h
 *  Models of the catalog in tests: opening, and the properties that each of them must have. Failures end the test. */
#ifndef TESTS_SUPPORT_MODELS_H
#define TESTS_SUPPORT_MODELS_H

#include "systems.h"

/** A system of the catalog with some parameters set. */
typedef struct model_example {
    const char *system; /**< its name */
    setting set[12];    /**< a NULL name ends them */
    double h;           /**< a good step */
    int exact;          /**< 1: exact() holds, 0: it must refuse, -1: not defined */
    int undefined;      /**< number of invariants that are NaN */
    int steady;         /**< 1: a steady motion from the default data, on which no order shows */
} model_example;

/** Reduced runs take every fifth name of lg_catalog_names(): 1 for the others, where `name` points into that list. */
int model_left_out(const char *const *name);
/** Opens it. */
lg_model *model_open(const model_example *x);
/** Its system. */
const lg_system *model_system(lg_model *M);
/** A model with `set` (NULL: none), and *t its system and default data as they are, which lasts as long as the model.
 */
lg_model *model_with(test_system *t, const char *system, const setting *set);
/** The value of a parameter. */
double model_parameter(const lg_model *M, const char *name);
/** Its initial data: the default velocity satisfies the constraints and the positions before any projection. */
void model_start(lg_model *M, double *g, double *xi);
/** Every derivative of the user agrees with differences. */
void model_derivatives(lg_model *M);
/** Along the true motion (system_truth()) until T each invariant changes by less than `bound`, but for one whose
 *  meaning says "not conserved", which must change; `undefined` of them are NaN. */
void model_invariants(lg_model *M, double T, int steps, double bound, int undefined);
/** exact() is there, or refuses, as x says, and agrees with system_truth() at T wherever it is no NaN. Returns how many
 *  numbers were known. */
int model_exact(const model_example *x, lg_model *M, double T, int steps, double bound);
/** sem keeps the energy (where nothing does work) or its balance, the constraints and the positions over `steps` steps,
 *  and sem, gni and dla run and are of order 2. */
void model_methods(const model_example *x, lg_model *M, int64_t steps);
/** Setting this is refused, or the system is, with a message that contains `word`. */
void model_refused(const char *system, const char *parameter, double value, const char *word);

#endif
