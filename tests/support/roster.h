/* SPDX-License-Identifier: BSD-3-Clause */
/** @file roster.h
 *  Every group and every retraction that the axiom suites run over. A new group is one line in roster.c. */
#ifndef TESTS_SUPPORT_ROSTER_H
#define TESTS_SUPPORT_ROSTER_H

#include "suite.h"

/** A group of the roster. */
typedef struct roster_group {
    const lg_group *G;
    const lg_group *like; /**< the built-in group that G imitates: its matrices compare elements */
    const char *label;
} roster_group;

enum { ROSTER_GROUPS = 32, ROSTER_RETRACTIONS = 8 };

/** All groups, made once; how many is ROSTER_GROUPS. */
const roster_group *roster_groups(void);
/** All retractions that take any number of factors; how many is ROSTER_RETRACTIONS. */
const lg_retraction *const *roster_retractions(void);

/** Fills U with a group of kind LG_KIND_USER that hands every operation to `base`. `full`: 0 leaves out all that is
 *  not required (but the closed forms of exp and Cayley without their duals). */
void roster_user_group(lg_group *U, const lg_group *base, int full);
/** Fills r with a user's retraction that hands tau and dtau_inv to `base`, and leaves the rest to generic code. */
void roster_user_retraction(lg_retraction *r, const lg_retraction *base);

/** 1 if no factor of G is Abelian (then every matrix made from an element depends on all of it). */
int roster_no_abelian_factor(const lg_group *G);

#endif
