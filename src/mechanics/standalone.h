/* SPDX-License-Identifier: BSD-3-Clause */
/* A system's fields with a private workspace, for calls outside an integrator. */
#ifndef LG_MECHANICS_STANDALONE_H
#define LG_MECHANICS_STANDALONE_H

#include "mechanics/field.h"

typedef struct lg_standalone {
    lg_system S;
    lg_field f;
    double *A, *AW;          /* all rows [d phi; mu] and A J^-1, (holonomic + m) x n */
    double *Y, *b;           /* n; holonomic + m: A xi = b */
    double *C;               /* (holonomic + m)^2 */
    double *J, *Jinv;        /* n x n */
    double *extra, *control; /* 2 n^2 + n of scratch, then the parameters' values; zeros */
    void *block;             /* lg_release() it */
} lg_standalone;

/* *own = S in the library's size, with zeros for missing members. LG_ERROR_ARGUMENT: S is NULL, its size is wrong.
 */
lg_status lg_system_take(lg_system *own, const lg_system *S, lg_error *e);
/* Validates S and makes the workspace; o->block is NULL after a failure. */
lg_status lg_standalone_open(lg_standalone *o, const lg_system *S, lg_error *e);
/* Writes the message of a failed callback. */
lg_status lg_standalone_failed(const lg_standalone *o, int code, lg_error *e);
/* o->Jinv = J^-1; LG_ERROR_SINGULAR or LG_ERROR_NOT_FINITE with `what` in the message. */
lg_status lg_standalone_invert(lg_standalone *o, const double *J, const char *what, lg_error *e);
/* o->AW and the factors o->C of A J^-1 A^T from o->A and o->Jinv. Returns 0, or the row (from 1) that depends on those
 * before it. */
int lg_standalone_gram(lg_standalone *o);
/* check_lanes.c: if the callbacks are declared to understand lanes, does each give the same values for several
 * instances near (t, g) as for each instance alone? */
lg_status lg_check_lanes(const lg_standalone *o, double t, const double *g, const double *xi, lg_error *e);
/* check_means.c: do the means between g and a configuration near it satisfy their definitions? */
lg_status lg_check_means(lg_standalone *o, double t, const double *g, const double *xi, double tolerance, lg_error *e);
/* Is J symmetric positive definite? `scratch` holds n x n. */
lg_status lg_check_definite(const double *J, int n, const char *what, double *scratch, lg_error *e);

#endif
