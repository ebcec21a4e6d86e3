/* SPDX-License-Identifier: BSD-3-Clause */
/* [P3]: the discrete Chaplygin sleigh. dla:midpoint in the coordinates (x, y, theta), and the map P of its momenta. The
 * paper omits h in L_d: its momenta p1 (about the contact) and p2 (along the blade) are h times ours, its multiplier is
 * h^2 times ours. */
#ifndef CLAIMS_SLEIGH_MAP_H
#define CLAIMS_SLEIGH_MAP_H

#include "claims/cortes2001/dla.h"

/* A sleigh and a step. */
typedef struct sleigh {
    double m, J, a, h, K; /* K = J + m a^2 */
    claim_system s;
} sleigh;

enum { SLEIGHS = 8 };

/* Opens chaplygin-sleigh-planar; close k->s. 0 after trouble. */
int sleigh_open(claim_report *r, sleigh *k, double m, double J, double a, double h);
/* Sleigh i of SLEIGHS: the paper's; one far from it; one with the centre of mass behind the blade; random ones. */
int sleigh_numbered(claim_report *r, sleigh *k, int i);
/* A random heading of the blade. */
double sleigh_heading(lg_rng *rng);
/* Momenta of a step that turns by about `size` and moves by about the same length. */
void sleigh_random(const sleigh *k, lg_rng *rng, double size, double *p);

/* dla:midpoint at heading theta with momenta p; `normal` is the component of p^+ across the blade, which the reaction
 * removes; time = -1 goes back. NULL after trouble. */
lg_integrator *sleigh_launch(claim_report *r, const sleigh *k, const char *tau, const double *p, double theta,
                             double normal, double time);
/* The paper's momenta of the state. */
void sleigh_momenta(const sleigh *k, const lg_integrator *it, double *p);
/* The paper's momenta after some steps from p. 0 after trouble. */
int sleigh_travel(claim_report *r, const sleigh *k, const double *p, double theta, double time, int steps, double *out);
/* DP, 2 x 2, by the derivative of the step of dla:midpoint, at heading theta. 0 after trouble. */
int sleigh_derivative(claim_report *r, const sleigh *k, const double *p, double theta, double *D);

/* dtheta: the root of (23) on the branch through 0, NAN if |dtheta| >= pi. */
double sleigh_turn(const sleigh *k, const double *p);
/* (22) with that dtheta. */
void sleigh_map(const sleigh *k, const double *p, double d, double *out);
/* lambda_1 of theorem 6, 1 - 2 a p2/(2 K + a p2). */
double sleigh_multiplier(const sleigh *k, double p2);
/* det DP in closed form; `factor` is 1/4, the factor of the last term of dF/ddtheta, which the paper omits. */
double sleigh_determinant(const sleigh *k, const double *p, double factor);

#endif
