/* SPDX-License-Identifier: BSD-3-Clause */
/** @file groupoids.h
 *  Groupoids for the axioms, and the test systems again as discrete systems on groupoids: nothing but rows, metric and
 *  L_d = h (xi.J xi/2 - w_0 V(source) - w_1 V(target)), from the groups' public operations. */
#ifndef TESTS_SUPPORT_GROUPOIDS_H
#define TESTS_SUPPORT_GROUPOIDS_H

#include "systems.h"

/** A test system and the groupoid that it is put on. */
typedef struct groupoid_case {
    const char *system;
    lg_groupoid_kind kind;
} groupoid_case;

enum { GROUPOID_CASES = 23, GROUPOID_ELEMENT = 3 * SUITE_ELEMENT };
extern const groupoid_case groupoid_cases[GROUPOID_CASES];

/** The context of groupoid_world::S and its callbacks, so it must not move. */
typedef struct groupoid_world {
    test_system t;
    lg_groupoid_kind kind;
    const lg_retraction *r; /**< of L_d */
    double w0, w1;          /**< weights of V at source and target */
    lg_groupoid *gpd;
    lg_groupoid_system S;
    double limit; /**< L_d is NaN where an entry of h xi is larger */
} groupoid_world;

/** Fills *w: case k, L_d with retraction r and weights, the groupoid with sections by `chart` (NULL: exp). */
void groupoid_world_make(groupoid_world *w, int k, const lg_retraction *r, double w0, double w1,
                         const lg_retraction *chart);
void groupoid_world_free(groupoid_world *w);
/** The point of the base at which the configuration g of the test system lies. */
void groupoid_world_point(const groupoid_world *w, double *x, const double *g);
/** The element from the configuration a to the configuration b. */
void groupoid_world_element(const groupoid_world *w, double *k, const double *a, const double *b);
/** Slopes from the closed forms of the retraction's tangents (kinetic part) and from dV. */
int groupoid_exact_minus(const lg_call *c, double h, const double *k, double *out);
int groupoid_exact_plus(const lg_call *c, double h, const double *k, double *out);

/** A groupoid of the roster. */
typedef struct groupoid_entry {
    const lg_groupoid *gpd;
    const lg_group *M; /**< points of the base are elements of M; NULL: any vectors */
} groupoid_entry;

/** All supplied kinds over all groups of the roster, two actions on spaces, and one filled by hand; made once. */
const groupoid_entry *groupoid_roster(int *count);
/** A pair groupoid of R^2 filled by hand, with what is required only. */
lg_groupoid groupoid_by_hand(void);
/** gamma.R = R^T gamma, SO(3) acting on R^3 from the right. */
int groupoid_turn(const lg_call *c, const double *gamma, const double *R, double *out);

#endif
