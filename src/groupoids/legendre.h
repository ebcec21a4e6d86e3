/* SPDX-License-Identifier: BSD-3-Clause */
/* The discrete Legendre transformations of a system on a groupoid: the user's slopes, or differences of L_d. Needs a
 * workspace, allocates nothing. */
#ifndef LG_GROUPOIDS_LEGENDRE_H
#define LG_GROUPOIDS_LEGENDRE_H

#include <liegrp/groupoids/gni.h>

#include "base/arena.h"

typedef enum lg_side { LG_MINUS, LG_PLUS } lg_side;

typedef struct lg_legendre {
    lg_groupoid_system S; /* its `scales` are set by carving */
    double h, t;          /* the step, and the time at which it begins */
    double accuracy;      /* largest estimated error since the owner reset it to 0 */
    lg_error *error;      /* receives the message of a failure; may be NULL */
    double *scales;       /* n */
    double *x, *eta;      /* a point, a vector */
    double *near, *moved; /* elements: a section's value, the displaced one */
    void *work;           /* the groupoid's */
} lg_legendre;

/* *S = the caller's system in the library's size. Checks that it is complete and consistent, except for the numbers in
 * its arrays. */
lg_status lg_legendre_take(lg_groupoid_system *S, const lg_groupoid_system *given, double h, lg_error *error);
/* Carves the workspace for o->S, and copies the scales. */
void lg_legendre_carve(lg_legendre *o, lg_arena *a);
/* out = F^-L_d(g) or F^+L_d(g); o->accuracy grows to the estimated error. */
lg_status lg_legendre_slope(lg_legendre *o, lg_side side, const double *g, double *out);
/* F^-L_d(g) to about LG_ROUGH_STEP^2: for Jacobians. */
lg_status lg_legendre_rough_minus(lg_legendre *o, const double *g, double *out);

/* Displacement of rough differences, in units of the scales. */
#define LG_ROUGH_STEP 1e-3

/* The arguments of a callback. */
lg_call lg_legendre_call(const lg_legendre *o, double t);

#endif
