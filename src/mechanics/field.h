/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a system (rows, drift, potential, metric and their derivatives) evaluated at a configuration, with
 * differences where the user gave no derivative. Needs a workspace, allocates nothing.
 *
 * Each function returns 0, or what a callback returned; `failed` then names the callback. */
#ifndef LG_MECHANICS_FIELD_H
#define LG_MECHANICS_FIELD_H

#include <liegrp/mechanics/system.h>
#include <liegrp/retractions/retraction.h>

#include "base/arena.h"

typedef struct lg_field {
    const lg_system *S;
    const lg_retraction *r; /* moves the configuration in differences; NULL: the group's exponential */
    const char *failed;     /* the callback that failed last */
    int n, gn, m;
    double *eta, *step, *moved; /* a direction, its image on the group, the displaced element */
    double *rows, *drift;       /* m x n and n, for differences of rows */
    double *metric;             /* n x n */
    void *work;                 /* the group's and the retraction's scratch, lg_field_work_bytes(); the caller's */
} lg_field;

/* Sets everything but the pointers that lg_field_carve() sets. */
void lg_field_init(lg_field *f, const lg_system *S, const lg_retraction *r);
/* Takes the workspace, all but `work`. */
void lg_field_carve(lg_field *f, lg_arena *a);
size_t lg_field_work_bytes(const lg_field *f);

/* A (m x n) and Y (n) at g, whatever mixture of constants and callbacks they come from. */
int lg_field_rows(lg_field *f, double t, const double *g, double *A, double *Y);
/* dA, dY = d/ds at s = 0 of A, Y at (t + s, g exp(s eta)). */
int lg_field_rows_rate(lg_field *f, double t, const double *g, const double *eta, double *dA, double *dY);
/* V(g); 0 without potential. */
int lg_field_potential(lg_field *f, double t, const double *g, double *V);
/* dV(g); zeros without potential. */
int lg_field_gradient(lg_field *f, double t, const double *g, double *dV);
/* J(g), n x n, constant or not. */
int lg_field_metric(lg_field *f, double t, const double *g, double *J);
/* dT(g, xi): left differential of 1/2 xi.J(g) xi at fixed xi; zeros for a constant metric. */
int lg_field_metric_gradient(lg_field *f, double t, const double *g, const double *xi, double *dT);
/* d/ds at s = 0 of J at (t + s, g exp(s xi)), times xi. */
int lg_field_metric_rate(lg_field *f, double t, const double *g, const double *xi, double *dJxi);
/* moved = g exp(eta), or with the retraction; nonzero: it failed. */
int lg_field_move(lg_field *f, double *moved, const double *g, const double *eta);

#endif
