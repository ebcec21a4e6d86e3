/* SPDX-License-Identifier: BSD-3-Clause */
/* Motions of mechanisms for claims: opened from the gallery, watched. */
#ifndef CLAIMS_MULTIBODY_MOTIONS_H
#define CLAIMS_MULTIBODY_MOTIONS_H

#include "claims/sem/arcs.h"

#define CLAIM_MULTIBODY "this library, docs/theory.md section 17"

typedef struct claim_motion {
    lg_mechanism *m;
    lg_model *M;
    lg_motion *mo;
    double h;
} claim_motion;
/* The model of x->m, which is compiled, and a motion of it. Statuses of lg_motion_create(). */
lg_status claim_motion_create(claim_motion *x, const char *method, double h);

/* How many of the gallery have no contacts, its first: what every method takes. */
int claim_gallery_count(void);
/* A mechanism of the gallery with a motion from its own state, and claim_case() for it; h = 0: the gallery's step. 0
 * after claim_trouble(). Close it in any case. */
int claim_motion_open(claim_report *r, claim_motion *x, const char *name, const char *method, double h);
void claim_motion_close(claim_motion *x);
/* 0 after claim_trouble(). */
int claim_motion_steps(claim_report *r, claim_motion *x, int64_t steps);

/* Poses of all bodies after time T in `count` steps, or that many rows for a tolerance > 0; returns how many numbers
 * they are, 0 after claim_trouble(). */
int claim_motion_arrive(claim_report *r, const char *name, const char *method, double T, int count, double tolerance,
                        double *poses);

/* The largest deviations over `steps` steps, watched at every `every`-th. */
typedef struct claim_deviations {
    double balance, energy; /* |H - H_0 - work|, |H - H_0| */
    double gap, slip;
    double scale; /* the largest |H|, or kinetic energy and work: at least 1 J */
} claim_deviations;
int claim_motion_watch(claim_report *r, claim_motion *x, int64_t steps, int every, claim_deviations *d);

#endif
