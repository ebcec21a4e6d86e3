/* SPDX-License-Identifier: BSD-3-Clause */
/** @file level_sets.h
 *  A level set in R^s with a chart, for systems that are pulled back. */
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
    int s, r;
    lg_field_fn metric;
    lg_field_along_fn metric_gradient;
    lg_scalar_fn V;
    lg_field_fn dV, phi, dphi, chart, jacobian;
    lg_covectors_fn rows;
    double q0[3], u0[3];
} level_set;

/** S^2 x R in R^4, metric M(v), one row with a drift. */
extern const level_set sphere_set;

/** o->S = the system on R^4 with its holonomic constraint, and with the rule's L_d and omega_d as its own. */
void level_space_open(level_space *o, const discrete_rule *r);
/** Pulled back by the library's rule of that name. */
lg_pullback *level_set_pull_back(const level_space *o, const char *name);
/** Velocities in the chart: u0 with its last component such that the row holds. */
void level_set_initial(const lg_pullback *p, double *u);

#endif
