/* SPDX-License-Identifier: BSD-3-Clause */
/** @file dynamic_states.h
 *  States of mechanisms for tests of what a controller asks. */
#ifndef TESTS_SUPPORT_DYNAMIC_STATES_H
#define TESTS_SUPPORT_DYNAMIC_STATES_H

#include <liegrp/multibody/dynamics.h>

#include "support/mechanism_systems.h"
#include "support/random_mechanisms.h"

enum { DYNAMIC_MOST = 6 * RANDOM_BODIES /**< coordinates */ };

/** A state, and rates of its velocities. */
typedef struct dynamic_state {
    const lg_mechanism *m;
    lg_dynamics *d;
    int n;
    double q[DYNAMIC_MOST], v[DYNAMIC_MOST], a[DYNAMIC_MOST];
} dynamic_state;

/** Fails the test unless `st` is LG_OK. */
void dynamics_well(lg_status st, const lg_dynamics *d);
/** A random state, which loops and wheels need not allow; the caller destroys s->d. */
void dynamic_draw(dynamic_state *s, const lg_mechanism *m, double size, lg_rng *rng);
/** q (n) after the time t with the velocities v. */
void dynamic_move(double *q, const dynamic_state *s, double t);
/** A compiled mechanism of a body on a universal joint, and on it one whose joint has a rotor: the child carries the
 *  parent. */
lg_mechanism *dynamic_rotor(lg_joint_kind kind);
/** The weights of central differences, of order 8. */
extern const double dynamic_weight[4];
/** sum of products, and the largest absolute entry. */
double dynamic_dot(const double *a, const double *b, int n);
double dynamic_largest(const double *x, int n);

#endif
