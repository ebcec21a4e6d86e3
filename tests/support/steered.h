/* SPDX-License-Identifier: BSD-3-Clause */
/** @file steered.h
 *  Systems with controls, parameters and time together, for what is differentiated. */
#ifndef TESTS_SUPPORT_STEERED_H
#define TESTS_SUPPORT_STEERED_H

#include "systems.h"

/** STEERED_CAR: SE(2) x T^2, two rows and a drift by a callback, motors, wind that depends on time, a potential with
 *  its second derivative. STEERED_BEAD: R^3 with J(g), on a sphere whose radius moves, and pulled about. STEERED_FREE:
 *  SE(3), full inertia, no constraints, a potential. */
enum { STEERED_CAR, STEERED_BEAD, STEERED_FREE, STEERED };

/** Fills *t. */
void steered_make(test_system *t, int kind);
/** The second derivative of STEERED_CAR's potential. */
int steered_hessian(const lg_call *c, const double *g, const double *eta, double *out);

#endif
