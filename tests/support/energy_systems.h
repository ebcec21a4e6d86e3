/* SPDX-License-Identifier: BSD-3-Clause */
/** @file energy_systems.h
 *  Systems that exercise every term of the energy-momentum step: metrics J(g), holonomic constraints, forces, time, and
 *  the problems on which methods are known to fail; those of the catalog among them by short names. All first
 *  derivatives are the user's. */
#ifndef TESTS_SUPPORT_ENERGY_SYSTEMS_H
#define TESTS_SUPPORT_ENERGY_SYSTEMS_H

#include "systems.h"

/** The i-th name; NULL beyond the last. */
const char *energy_system_name(int i);
/** Fills *t; an unknown name fails the test. `sleigh` and `suslov` are not those of test_system_make(): the sleigh
 * starts at the identity with (-0.6, 0, 1), Suslov's inertia is that of rigid_suslov.json. */
void energy_system_make(test_system *t, const char *name);

/* ---- what neither the catalog nor the ledger has; energy_systems.c knows which name belongs where ---- */

void make_pendulum(test_system *t, const char *name); /**< systems_pendulums.c: a mass on a rod */
void make_body(test_system *t, const char *name);     /**< systems_bodies.c */

/* ---- what is known of any system, with arithmetic of the tests' own ---- */

/** All rows A xi = b at (t, g): holonomic constraints first, b = (-phi_t; A Y). Returns how many. */
int system_rows(const lg_system *S, double t, const double *g, double *A, double *b);
/** J(t, g), n x n. */
void system_metric(const lg_system *S, double t, const double *g, double *J);
/** p = J(g) xi. */
void system_momentum(const lg_system *S, double t, const double *g, const double *xi, double *p);
/** xi moved onto A xi = b at (t, g) in the metric J. */
void system_project(const lg_system *S, double t, const double *g, double *xi);
/** Orthonormal rows N = L^-1 A with A J^-1 A^T = L L^T (L is m x m, lower). Returns how many. */
int system_frame(const lg_system *S, double t, const double *g, double *L, double *N);
/** *t with rows B(t, g) A instead of A, B invertible, and a constant matrix times its holonomic constraints. With
 *  `flips` > 0 the rows change their signs at odd multiples of flips/2: between the nodes of steps `flips`. One system
 *  at a time: the callbacks remember `t`, which must outlive *out. */
void system_reframe(test_system *out, const test_system *t, double flips);
/** The call that a callback sees at time t. */
lg_call system_call(const lg_system *S, double t);
/** xi' of the continuous equations J xi' = ... + A^T lambda at (t, g, xi), and the multipliers (NULL: not wanted) of
 *  system_rows(). */
void system_acceleration(const lg_system *S, double t, const double *g, const double *xi, double *xidot,
                         double *lambda);
/** Integrates them from (0, g, xi) to time T with `steps` steps of order 4 on the group: g and xi are replaced. */
void system_truth(const lg_system *S, double T, int steps, double *g, double *xi);

#endif
