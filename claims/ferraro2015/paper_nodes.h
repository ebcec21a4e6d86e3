/* SPDX-License-Identifier: BSD-3-Clause */
/* The state (q, p~, lambda~) of [P2] section 5 in terms of the library's (q, p-) and (q, p+):
 *   p- = p~ + (w0 - 1/2) h dV - (h/2) A^T lambda~,   p+ = p~ + (w0 - 1/2) h dV + (h/2) A^T lambda~,
 * for L_d = h [L at the ends with weights w0, 1 - w0]: 1 is Euler A, 0 is Euler B, 1/2 is RATTLE. */
#ifndef CLAIMS_PAPER_NODES_H
#define CLAIMS_PAPER_NODES_H

#include "claims/framework/harness.h"

/* The traits that these maps do not cover. */
enum { PAPER_WITHOUT = CLAIM_POSITION_ROWS | CLAIM_FORCE | CLAIM_TIME | CLAIM_METRIC };

typedef struct paper_node {
    double g[CLAIM_ELEMENT], p[CLAIM_DIM], lambda[CLAIM_ROWS];
} paper_node;

/* "gni:euler-a", "gni:euler-b", "gni:trapezoidal". */
const char *paper_method(double w0);
/* out = p~ + shift h dV + (h/2) sign A^T lambda~. */
void paper_momentum(const claim_system *s, const paper_node *x, double h, double shift, double sign, double *out);
/* The current node of a GNI. */
void paper_read(const claim_system *s, double w0, const lg_integrator *it, paper_node *x);
/* u = C^-1 (A J^-1 p - b) with C = A J^-1 A^T at g. 0: singular. */
int paper_multipliers(const claim_system *s, const double *g, const double *p, double *u);
/* p = J xi at g. */
void paper_lower(const claim_system *s, const double *g, const double *xi, double *p);
/* 1 if the Lagrangian or the force has slopes at the start, so that the end at which they are evaluated matters. */
int paper_has_slopes(const claim_system *s);
/* The larger of two; a NaN stays. */
double paper_larger(double a, double b);
/* Largest |a_i|. */
double paper_largest(const double *a, int n);
/* The order of a state is the lesser of those of g and p~, between `low` and `high`; an exact result (a motion along a
 * one-parameter subgroup) has no order and must be exact. */
void paper_order(claim_report *r, const claim_order *x, double floor, double low, double high, const char *why,
                 const char *what);
/* That order, NaN if all is exact. */
double paper_least_order(const claim_order *x);

#endif
