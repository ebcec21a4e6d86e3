/* SPDX-License-Identifier: BSD-3-Clause */
/** @file chaplygin_systems.h
 *  Chaplygin systems for the tests of reduction, each with its shape directions and initial data. */
#ifndef TESTS_SUPPORT_CHAPLYGIN_SYSTEMS_H
#define TESTS_SUPPORT_CHAPLYGIN_SYSTEMS_H

#include "suite.h"

/** Callbacks need no context; the group must outlive copies. */
typedef struct chaplygin_case {
    const char *name;
    lg_system S;
    int shape[4], count;      /**< directions of shape space */
    double g0[SUITE_ELEMENT]; /**< configuration */
    double v0[4];             /**< shape velocity */
} chaplygin_case;

enum { CHAPLYGIN_CASES = 8 };

/** particle: R^3, V = x^2 + y^2, (-y, 0, 1). free: V = 0. flat: the example of theorem 5.6, J(q), no force.
 *  robot: R^2 x R^2, V = 10 sin psi, shape last. wheels: R^2 x T^2, the same on the torus. carriage: T^2 x SE(2),
 *  two wheels, constant connection. knot: R^2 x SO(3), everything depends on r. mirror: SO(3) x R^2, the same with
 * other rows and with the factors exchanged. */
extern const char *const chaplygin_names[CHAPLYGIN_CASES];
/** Fills *t; an unknown name fails the test. */
void chaplygin_make(chaplygin_case *t, const char *name);

#endif
