/* SPDX-License-Identifier: BSD-3-Clause */
/* A node of the trajectory: quantities at (t, g), evaluated once. In formulas J is the metric, A the rows, Y the
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
    real *metric, *metric_inverse;    /* J, J^-1, n x n; the workspace's if constant; diagonals if plan->diagonal */
    real *rows;                       /* A = [d phi; mu], m x n; the workspace's if constant */
    real *drift;                      /* Y, n, or NULL */
    real *right_side;                 /* b = [-phi_t; mu Y] of A xi = b, m; NULL: not needed */
    real *frame;                      /* N = L^-1 A, m x n, orthonormal in J^-1 (rules/frame.c) */
    real *frame_raised;               /* N J^-1, m x n */
    real *frame_factor;               /* L, A J^-1 A^T = L L^T, m x m; reciprocals on its diagonal */
    real *frame_right_side;           /* beta = L^-1 b, m; NULL: 0 */
    real potential, *gradient;        /* V and dV, if the free step needs them at the ends */
    real *p_plus, *p_minus, *p_tilde; /* arriving, departing, and on the constraints */
    real *lambda;                     /* multipliers, m, of holonomic constraints first */
    real *xi;                         /* velocity of the step that led here */
    real *carry;     /* rounding errors of g and p, e + n, of collocation and compensated steps; else NULL */
    real kept;       /* collocation: the H that is kept, or NaN */
    real *balance;   /* LG_BALANCE_... of compensated steps that undo the effect of round-off on H; else NULL */
    real work;       /* of forces, moving constraints and a potential that depends on time */
    real force_work; /* of forces alone; only known right after the step */
    real iterations; /* of the step that led here */
} lg_node;

/* They evaluate node b, whose g and t are set: metric, rows and drift; V and dV; all that a step from b needs; the
 * parts that depend on g and that an implicit step's rule needs at a trial. 0, or nonzero with w->failure set. */
LG_ENGINE int lg_node_evaluate_rows(lg_workspace *w, lg_node *b);
/* b of the velocity rows, from rows and drift, which must be set. */
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
