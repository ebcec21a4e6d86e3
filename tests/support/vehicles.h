/* SPDX-License-Identifier: BSD-3-Clause */
/** @file vehicles.h
 *  Models of the catalog as test systems, with parameters of the test's own. */
#ifndef TESTS_SUPPORT_VEHICLES_H
#define TESTS_SUPPORT_VEHICLES_H

#include "systems.h"

/** A parameter and its value; a NULL name ends a list. */
typedef struct setting {
    const char *name;
    double value;
} setting;

/** The model with at most `count` of its parameters set, and *t its system and default data as they are, which lasts as
 *  long as the model. A failure fails the test. */
lg_model *open_vehicle(test_system *t, const char *system, const setting *set, int count);
/** The value of a parameter. */
double vehicle_parameter(const lg_system *S, const char *name);

#endif
