/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the claims of [P4]: statements on the continuous motion, by differences along it. */
#ifndef CLAIMS_SURVEY_H
#define CLAIMS_SURVEY_H

#include "claims/framework/harness.h"

/* Computes some numbers of a state (g, p~). Nonzero: failure. */
typedef int (*survey_value)(const claim_system *s, const double *g, const double *p, const void *context, double *out);

/* 1 + |xi'|/|xi| of the true motion at (g, xi): the rate of change, which sets the step of differences. NAN after
 * claim_trouble(). */
double survey_pace(claim_report *r, const claim_system *s, const double *g, const double *xi);
/* out = d/dt of `count` numbers along the true motion through (g, xi) at t = 0: central differences of order 6 of
 * states of rkmk4 with a step of 3e-4/survey_pace(), which leaves about 1e-12 of the numbers' size times that pace.
 * 0 after claim_trouble(). */
int survey_rate(claim_report *r, const claim_system *s, const double *g, const double *xi, int count,
                survey_value value, const void *context, double *out);
/* A random state on the constraints, `spread` away from the initial configuration; xi normal, projected. */
int survey_state(claim_report *r, const claim_system *s, lg_rng *rng, double spread, double *g, double *xi);
/* Formula of order 6 for a derivative from f(j step), j = +-1, +-2, +-3: the weight of (f(j) - f(-j))/step. */
double survey_weight(int j);

double survey_dot(const double *a, const double *b, int n);
double survey_norm(const double *a, int n);

#endif
