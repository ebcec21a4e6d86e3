/* SPDX-License-Identifier: BSD-3-Clause */
/* Baselines without geometry, for comparison: Runge-Kutta steps of order four on the accelerations of the
 * multiplier system (mechanics/field.h). They keep neither constraints nor energy.
 *
 * Both steps write g1 and xi1 when they succeed and not before, so these may be g0 and xi0. Failures are those of
 * lg_field_acceleration(), with o->acceleration.bad; LG_ERROR_NOT_FINITE also for the new state, and what an operation
 * of group or retraction returned. They use f->work. o->acceleration.lambda holds the multipliers of the last stage. */
#ifndef LG_INTEGRATORS_BASELINES_H
#define LG_INTEGRATORS_BASELINES_H

#include "mechanics/field.h"

/* The tableau of both: where stages are, and their weights; a stage departs from the rate of the one before alone. */
static const double lg_baseline_at[4] = {0, 0.5, 0.5, 1};
static const double lg_baseline_weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

typedef struct lg_baseline {
    const struct lg_factor_plan *factors; /* of the field's group and retraction; the caller sets both */
    int factor_count;
    lg_acceleration acceleration;
    double *g, *dg, *sum_g;             /* elements: at a stage, its rate, the weighted sum of rates */
    double *W, *moved;                  /* elements */
    double *xi, *dxi, *sum_xi;          /* n: at a stage, its rate, the weighted sum */
    double *sigma, *dsigma, *sum_sigma; /* n: at a stage, its rate, the weighted sum */
    double *eta, *M;                    /* n, n x n */
} lg_baseline;

void lg_baseline_carve(lg_baseline *o, const lg_field *f, lg_arena *a);

/* The classical method on the embedded equations: the numbers of an element are integrated as they are, with the
 * derivative of s -> g exp(s xi), and not projected back: the state drifts off the group with order four. Only the
 * angles of T^n are wrapped at the end. The composition of a user-supplied group must be smooth in the numbers of its
 * elements: use lg_torus() for angles that jump. */
lg_status lg_rk4_step(lg_field *f, lg_baseline *o, double t, double h, const double *g0, const double *xi0, double *g1,
                      double *xi1, int *code);

/* The method of Munthe-Kaas on the group: g = g0 tau(sigma) with the field's retraction, one tableau for sigma and
 * xi; g1 is projected onto the group. */
lg_status lg_rkmk4_step(lg_field *f, lg_baseline *o, double t, double h, const double *g0, const double *xi0,
                        double *g1, double *xi1, int *code);

#endif
