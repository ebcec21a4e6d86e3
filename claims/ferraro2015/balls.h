/* SPDX-License-Identifier: BSD-3-Clause */
/* The balls of [P2] section 7.4: rolling-ball, whose constraints concern the body's omega, and chaplygin-sphere. */
#ifndef CLAIMS_BALLS_H
#define CLAIMS_BALLS_H

#include <complex.h>

#include "claims/framework/harness.h"

/* A ball, its closed form if it is homogeneous. */
typedef struct ball {
    claim_system s;
    double m, r, Omega, inertia[3], kappa;
    double complex z0, v0;
    double w0[3];
    int spatial; /* chaplygin-sphere: the constraints concern R omega */
} ball;

/* The angular velocity of the constraints for the body's omega at g. */
void ball_seen(const ball *b, const double *g, const double *omega, double *w);
/* Velocity and closed form of the system's initial place, attitude and omega. */
void ball_roll(ball *b);
/* The system with "NAME=VALUE ..." (NULL: its defaults); an `rng` (or NULL) draws the initial data too. Close b->s. */
int ball_open(claim_report *r, ball *b, const char *name, const char *settings, lg_rng *rng);
/* Ball k of the homogeneous ones: 0 is the paper's, the others are random, a rolling-ball or, k odd, a
 * chaplygin-sphere. */
int ball_homogeneous(claim_report *r, ball *b, int k, lg_rng *rng);
/* z = z0 + v0 (e^{i kappa t} - 1)/(i kappa), z' = v0 e^{i kappa t}, w_1 + i w_2 = (Omega z + i z')/r, w_3 constant. */
void ball_closed_form(const ball *b, double t, double complex *z, double complex *v, double *w);

#endif
