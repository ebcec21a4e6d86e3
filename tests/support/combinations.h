/* SPDX-License-Identifier: BSD-3-Clause */
/** @file combinations.h
 *  Every system of the catalog (and a rod on a moving pivot, and a steered sleigh), under every method and retraction
 *  that takes it. */
#ifndef TESTS_SUPPORT_COMBINATIONS_H
#define TESTS_SUPPORT_COMBINATIONS_H

#include "suite.h"

/** A system at its default data. */
typedef struct combination {
    lg_model *M;
    const lg_system *S;
    const char *name;
    double h; /**< its step */
    double g0[SUITE_ELEMENT], xi0[SUITE_DIM];
} combination;

/** System i; 0 beyond the last. Free it with lg_model_destroy(). */
int combination_open(combination *c, int i);
/** Started there, with projection; opens a case. NULL: the method or retraction is refused as unsupported. */
lg_integrator *combination_start(const combination *c, const char *method, const char *retraction);
/** Calls body() for every combination that fits; the retractions are exp, cayley and second-kind. */
typedef void (*combination_body)(const combination *c, lg_integrator *it, const char *method, const char *retraction);
void combination_each(combination_body body);

#endif
