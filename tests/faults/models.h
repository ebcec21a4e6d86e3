/* SPDX-License-Identifier: BSD-3-Clause */
/** @file models.h
 *  A model of the catalog, made by two verbs that rows of several tables begin with. */
#ifndef TESTS_FAULTS_MODELS_H
#define TESTS_FAULTS_MODELS_H

#include "faults.h"

typedef struct fault_model {
    lg_model_definition definition; /**< with callbacks that can fail */
    lg_model *M;
    const lg_system *S;
    double g[SUITE_ELEMENT], xi[SUITE_DIM]; /**< initial data */
} fault_model;

extern fault_model fault_own;

/** All systems of the catalog, and all mechanisms of the gallery, closed by a NULL. */
const char *const *fault_catalog(void);
const char *const *fault_gallery(void);
lg_status fault_model_make(fault_case *c);
lg_status fault_model_system(fault_case *c);
void fault_model_close(void);

/** The verbs that make it. */
#define MODEL fault_model_make, fault_model_system

#endif
