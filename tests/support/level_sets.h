/* SPDX-License-Identifier: BSD-3-Clause */
/** @file level_sets.h
 *  Level sets in R^s with charts, for the two formulations of DLA, and DLA with a user's discrete Lagrangian written
 * for the tests. */
#ifndef TESTS_SUPPORT_LEVEL_SETS_H
#define TESTS_SUPPORT_LEVEL_SETS_H

#include "suite.h"

/** A discretisation: L_d = h sum w_i L(v_i, v), v_i = (1 - a_i) v_0 + a_i v_1; omega_d with nodes b_i, weights u_i. */
typedef struct discrete_rule {
    const char *name;
    double a[2], w[2]; /* of L_d */
    double b[2], u[2]; /* of omega_d */
} discrete_rule;

enum { RULES = 5 };
extern const discrete_rule discrete_rules[RULES];

/** The context of every system on V here: its rule, and itself for the slopes below. */
typedef struct level_space {
    const discrete_rule *rule;
    lg_system S;
} level_space;

/** A level set phi = 0 in R^s with a chart of R^r, a system on R^s and initial data in the chart. */
typedef struct level_set {
    const char *name;
    int s, r;
    lg_field_fn metric;
    lg_field_along_fn metric_gradient;
    lg_scalar_fn V;
    lg_field_fn dV, phi, dphi, chart, jacobian;
    lg_covectors_fn rows;
    double q0[3], u0[3]; /* satisfies the rows */
} level_set;

enum { SETS = 3 };
/** linear: R^4, v4 = .5 v1 - .3 v2 + .2 v3, one row. pendulum: the circle, V = -3 x, no row. sphere: S^2 x R in R^4,
 *  metric M(v), one row with a drift. */
extern const level_set level_sets[SETS];

/** o->S = the system on R^s with its holonomic constraint, and with the rule's L_d and omega_d as its own. */
void level_space_open(level_space *o, const level_set *L, const discrete_rule *r);
/** Pulled back by the library's rule of that name. */
lg_pullback *level_set_pull_back(const level_set *L, const level_space *o, const char *name);
/** Velocities in the chart, satisfying the row, and point and velocity in R^s. */
void level_set_initial(const level_set *L, const lg_pullback *p, double *u, double *v, double *w);

/** The state of DLA on R^n. */
typedef struct user_dla {
    const lg_system *S;
    double h, q[8], p[8];
    double step[8];             /* last q_{k+1} - q_k */
    double lambda[2], sigma[2]; /* impulses of the row and of phi at the node left */
} user_dla;

/** p^+_0 = M(q0) u0. */
void user_dla_start(user_dla *d, const lg_system *S, double h, const double *q0, const double *u0);
/** One step; fails the test if it does not converge. */
void user_dla_step(user_dla *d);

#endif
