/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems without potential on many groups, with random metrics and distributions: those that a theorem calls
 * arbitrary. */
#ifndef CLAIMS_RANDOM_SYSTEMS_H
#define CLAIMS_RANDOM_SYSTEMS_H

#include "claims/framework/harness.h"

/* Rows B, left-invariant; C Ad_g, right-invariant; both: B + f C Ad_g with f a number that depends on C Ad_g. (B + C
 * Ad_g would not be a test: the free motions of a bi-invariant metric satisfy it, as they satisfy B and C Ad_g.) */
enum { RANDOM_LEFT = 1, RANDOM_RIGHT = 2 };
/* SO(3), R^2 x SO(3), SO(4), SE(3), SE(2) x SO(3), SO(2,1); the first three have bi-invariant metrics. */
enum { RANDOM_GROUPS = 6, RANDOM_WITH_BIINVARIANT = 3 };

typedef struct random_system {
    claim_system s; /* whose M is NULL: start it with projection */
    lg_system S;
    lg_group *made;
    int general; /* the factor of C Ad_g */
    double B[CLAIM_ROWS * CLAIM_DIM], C[CLAIM_ROWS * CLAIM_DIM], J[CLAIM_DIM * CLAIM_DIM];
} random_system;

/* System number `seed` on group `which` with m rows. 0 after claim_trouble(). Free it in either case. */
int claim_random_system(claim_report *r, random_system *d, int which, int rows, int m, int biinvariant, uint64_t seed);
void claim_random_system_free(random_system *d);

#endif
