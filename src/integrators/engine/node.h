/* SPDX-License-Identifier: BSD-3-Clause */
/* A node of the trajectory: what is known at (t, g), evaluated once. In formulas J is the metric, A the rows, Y the
 * drift, b the right side, N, L and beta the frame (docs/theory.md section 6). */
#ifndef LG_INTEGRATORS_NODE_H
#define LG_INTEGRATORS_NODE_H

#include "base/lane.h"
#include "integrators/engine/width.h"
#include "integrators/engine/plan.h"

typedef struct lg_workspace lg_workspace;

/* Entries of a node's energy balance: the H that is kept, in two parts, and by how much the energy of g + carry and
 * p + carry is larger; NaN before the first step. */
enum { LG_BALANCE_KEPT, LG_BALANCE_REST, LG_BALANCE_EXCESS, LG_BALANCE_ENTRIES };

typedef struct lg_node {
    real t;
    real *g;                          /* configuration */
    real *metric, *metric_inverse;    /* J, J^-1, n x n; where constant the workspace's, diagonals if plan->diagonal */
    real *rows;                       /* A = [d phi; mu], m x n; where constant the workspace's */
    real *drift;                      /* Y, n; NULL: none */
    real *right_side;                 /* b = [-phi_t; mu Y] of A xi = b, m; NULL: not needed */
    real *frame;                      /* N = L^-1 A, m x n, orthonormal in J^-1 (rules/frame.c) */
    real *frame_raised;               /* N J^-1, m x n */
    real *frame_factor;               /* L, A J^-1 A^T = L L^T, m x m; reciprocals on its diagonal */
    real *frame_right_side;           /* beta = L^-1 b, m; NULL: 0 */
    real potential, *gradient;        /* V and dV, where the free step needs them at the ends */
    real *p_plus, *p_minus, *p_tilde; /* the momentum that arrives, the one that leaves, and on the constraints */
    real *lambda;                     /* multipliers, m, of holonomic constraints first */
    real *xi;                         /* velocity of the step that led here */
    real *carry;   /* collocation and compensated steps: what rounding took off g and the state's p, e + n; else NULL */
    real kept;     /* collocation: the H that is kept, or NaN */
    real *balance; /* LG_BALANCE_... of compensated steps that return what round-off did to H; else NULL */
    real work;     /* that its forces and moving constraints did */
    real iterations; /* that it took */
} lg_node;

/* At node b, whose g and t are set: metric, rows and drift; V and dV; all that a step departs with; what changes with g
 * of that which an implicit step's rule needs at a trial. 0, or nonzero with w->failure set. */
LG_ENGINE int lg_node_evaluate_rows(lg_workspace *w, lg_node *b);
/* b of the velocity rows, from rows and drift that are known. */
LG_ENGINE void lg_node_sides(lg_workspace *w, lg_node *b);
LG_ENGINE int lg_node_evaluate_gradient(lg_workspace *w, lg_node *b);
LG_ENGINE int lg_node_evaluate(lg_workspace *w, lg_node *b);
LG_ENGINE int lg_node_evaluate_trial(lg_workspace *w, lg_node *b);
/* v = J^-1 p; p = J v. */
LG_ENGINE void lg_raise(const lg_plan *P, real *v, const lg_node *b, const real *p);
LG_ENGINE void lg_lower(const lg_plan *P, real *p, const lg_node *b, const real *v);
/* *s = A_r (v - Y) of a velocity row, A_r v + phi_t of a hidden one. */
LG_ENGINE void lg_row_residual(real *s, const lg_plan *P, const lg_node *b, int r, const real *v);

#endif
