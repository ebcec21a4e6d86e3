/* SPDX-License-Identifier: BSD-3-Clause */
/* The Chaplygin systems among all systems: which directions belong to the shape, which to the structure group. */
#ifndef CLAIMS_CHAPLYGIN_SPLITS_H
#define CLAIMS_CHAPLYGIN_SPLITS_H

#include "claims/cortes2001/dla.h"

typedef struct chaplygin_split {
    int shape[CLAIM_DIM], fibre[CLAIM_DIM], s, d;
} chaplygin_split;

/* `S` is the system without its forces. */
typedef void (*chaplygin_body)(claim_report *r, const claim_system *s, const lg_system *S, const chaplygin_split *part);

/* Calls body() for every way in which a system of the ledger, or our own one on R^2 x SO(3), is a Chaplygin system. */
void chaplygin_each(claim_report *r, chaplygin_body body);
/* |det| of the group's block of the rows at g, the rows made unit vectors: 0 if they determine no connection. */
double chaplygin_block(const claim_system *s, const chaplygin_split *part, const double *g);
/* Checks the values read from the current state, and a step from it at another time: L + E = <P, v>, shapes that move
 * by h v, the time. */
void chaplygin_figures(claim_report *r, lg_chaplygin *o, const chaplygin_split *part, double h);

#endif
