/* SPDX-License-Identifier: BSD-3-Clause */
/** @file catalog_examples.h
 *  Systems of the catalog with some of their parameters set; what fails, fails the test. */
#ifndef TESTS_SUPPORT_CATALOG_EXAMPLES_H
#define TESTS_SUPPORT_CATALOG_EXAMPLES_H

#include "suite.h"

/** A system with parameters; a name NULL ends them. */
typedef struct catalog_example {
    const char *system;
    struct {
        const char *name;
        double value;
    } set[5];
} catalog_example;

/** The model, to be freed with lg_model_destroy(); opens a case of its name. */
lg_model *catalog_open(const catalog_example *x);
/** Its system and default initial data. */
const lg_system *catalog_start(lg_model *M, double *g, double *xi);
/** lg_run() without output. */
lg_run_result catalog_run(lg_model *M, const char *method, double h, int64_t steps);

enum { CATALOG_INVARIANTS = 8 };

/** The invariants along a run from the default data: at the start and their largest changes, overall and in the first
 *  and last quarter of the steps. */
typedef struct catalog_changes {
    double first[CATALOG_INVARIANTS], largest[CATALOG_INVARIANTS];
    double early[CATALOG_INVARIANTS], late[CATALOG_INVARIANTS];
    double energy_early, energy_late; /**< of H(p~) likewise */
} catalog_changes;

void catalog_watch(catalog_changes *out, lg_model *M, const char *method, double h, int64_t steps);

#endif
