/* SPDX-License-Identifier: BSD-3-Clause */
/* Variational steps: their scratch, and functions that variational.c, points.c and user.c share. */
#ifndef LG_INTEGRATORS_VARIATIONAL_H
#define LG_INTEGRATORS_VARIATIONAL_H

#include "integrators/engine/node.h"

typedef struct lg_lagrangian_scratch {
    real *slope;             /* D = -D_1 L_d, n, as the following */
    real *share_0, *share_1; /* S_0, S_1: potential and forces, divided between the ends */
    real *momentum;          /* J xi, J the mean metric */
    real *gradient;          /* dV at an end */
    real *fraction;          /* s log W */
    real *point;             /* g at a point of the arc, an element */
    real *mean_inverse;      /* of J = sum_i w_i J(g_i), n x n; NULL: the metric is constant */
} lg_lagrangian_scratch;

/* variational.c: b->g, tau(h xi) and, with inner points, its logarithm; R = J^-1 (D - p^-). */
LG_ENGINE int lg_variational_advance(lg_workspace *w, duration h, const lg_node *a, const real *xi, lg_node *b);
LG_ENGINE int lg_variational_residual(lg_workspace *w, duration h, const lg_node *a, const real *xi, lg_node *b,
                                      real *R);

#if LG_IS_SMOOTH
/* points.c: v = (mean J)^-1 p; g = g_0 exp(s log W), the nodes themselves at s = 0 and 1. */
LG_ENGINE void lg_raise_mean(const lg_workspace *w, real *v, const lg_node *a, const real *p);
LG_ENGINE int lg_point_on_arc(lg_workspace *w, double s, const lg_node *a, const lg_node *b, real *g);
/* The inverse of the mean metric, and v = that metric times xi. */
LG_ENGINE int lg_mean_metric(lg_workspace *w, duration h, const lg_node *a, const lg_node *b, const real *xi, real *v);
/* S_0 and S_1. */
LG_ENGINE int lg_point_shares(lg_workspace *w, duration h, const lg_node *a, const lg_node *b, const real *xi, real *S0,
                              real *S1);
/* log W. */
LG_ENGINE int lg_arc_logarithm(lg_workspace *w);
#endif
#if LANES == 1
/* D and c of J xi = v for a truncated series. */
int lg_truncated_duals(lg_workspace *w, const real *v);
#endif

#endif
