/* SPDX-License-Identifier: BSD-3-Clause */
/** @file chaplygin_systems.h
 *  Chaplygin systems for the tests of reduction, each with its shape directions and initial data, and DLA written a
 *  second time: one Newton iteration on (xi, lambda) together. */
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

/** The state of DLA with L_d and omega_d at the midpoint. */
typedef struct plain_dla {
    const lg_system *S;
    const lg_retraction *r;
    double h;
    double g[SUITE_ELEMENT], p[SUITE_DIM]; /**< g_k, p^+_k */
    double xi[SUITE_DIM];                  /**< of the last step */
    double lambda[SUITE_DIM];              /**< impulses of (6) at the node that the last step left */
} plain_dla;

/** p^+_0 = J(g0) xi0. */
void plain_dla_start(plain_dla *d, const lg_system *S, const char *retraction, double h, const double *g0,
                     const double *xi0);
/** One step; fails the test if it does not converge. */
void plain_dla_step(plain_dla *d);
/** J, rows and slope dT(xi) - dV of S at g. Any of the outputs may be NULL. */
void plain_fields(const lg_system *S, const double *g, const double *xi, double *J, double *rows, double *slope);

#endif
