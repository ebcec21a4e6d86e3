/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the claims on DLA: its rules, places near the initial data, small arithmetic. */
#ifndef CLAIMS_DLA_H
#define CLAIMS_DLA_H

#include "claims/framework/harness.h"

enum { CLAIM_DLA_RULES = 5, CLAIM_DLA_TAUS = 2, CLAIM_DLA_CASES = CLAIM_DLA_RULES * CLAIM_DLA_TAUS };

/* A rule of L_d and omega_d. */
typedef struct claim_dla_rule {
    const char *method;
    int symmetric; /* 1: of order 2 */
    int moves_L;   /* 1: L_d evaluates L at one point off the middle */
} claim_dla_rule;

/* Case i of CLAIM_DLA_CASES: rule x retraction. */
const claim_dla_rule *claim_dla_case(int i, const char **retraction);
/* g0 exp(a random vector of that size), and a time if the system depends on it. 0: the group failed. */
int claim_near(const claim_system *s, lg_rng *rng, double size, double *t, double *g);
/* out = g exp(by eta); out may be g. 0: the group failed. */
int claim_shift(const lg_group *G, double *out, const double *g, const double *eta, double by);
/* The larger one; a NaN stays. */
double claim_larger(double a, double b);
double claim_dot(int n, const double *a, const double *b);
/* Largest defect of the discrete Lagrange-d'Alembert equation of "dla:RULE" with its multipliers, on R^n without
 * forces, relative to the reaction. NaN: refused or trouble. */
double claim_reaction_defect(claim_report *r, const claim_system *s, const char *rule, const char *retraction,
                             int steps);

#endif
