/* SPDX-License-Identifier: BSD-3-Clause */
/* A system with one change: one that does not matter according to a theorem, or a deliberate error for a control; and
 * comparisons of two runs. */
#ifndef CLAIMS_VARIANTS_H
#define CLAIMS_VARIANTS_H

#include "claims/framework/harness.h"

/* Set what is to change, then call claim_vary(). */
typedef struct claim_variant {
    double later;           /* a shift of the time of everything */
    double friction;        /* f_i - friction (1 + i/2) J_ii xi_i, J of the start */
    double slope;           /* added to 1 as a factor of dT: a wrong coefficient */
    double turned;          /* velocity rows A (1 + turned sin t P), P a permutation: they turn with time */
    int mixed;              /* velocity rows B(t, g) A with an invertible B */
    int freed;              /* no velocity rows */
    int lowered;            /* holonomic constraints (at rest) as velocity rows */
    int spread;             /* the constant metric by a callback */
    lg_system S;            /* the rest is set by claim_vary() */
    const claim_system *of; /* the original system */
    double resistance[CLAIM_DIM];
} claim_variant;

/* *out is *s with a->S instead of its system; *s and *a must outlive it, and it must not be closed. */
void claim_vary(claim_system *out, claim_variant *a, const claim_system *s);
/* *out is *s with other initial data: g0 moved by about `amount` along every direction, velocities by the same fraction
 * of the largest one, then projected onto the constraints. 0 after claim_trouble(). It must not be closed either. */
int claim_move(claim_report *r, claim_system *out, const claim_system *s, lg_rng *rng, double amount);

/* The state after `steps` steps. 0: refused, or after claim_trouble(). */
int claim_state_after(claim_report *r, const claim_system *s, const char *method, const char *retraction, double h,
                      int64_t steps, claim_state *out);
/* Largest difference of two states: of the elements, and of the momenta as parts of the largest. */
double claim_state_gap(const claim_system *s, const claim_state *a, const claim_state *b);
/* `steps` steps of h, then as many of -h: the distance from the start. NaN: refused, or after claim_trouble(). */
double claim_there_and_back(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                            double h, int64_t steps);
/* A measurement: a composition of `base` ("sem") agrees with the continuous equations, that is with rkmk4, which uses
 * accelerations and multipliers but nothing of the step. */
void claim_agrees(claim_report *r, const claim_system *s, const char *base, const char *retraction);

#endif
