/* SPDX-License-Identifier: BSD-3-Clause */
/* The solver of implicit steps (docs/theory.md section 8), and its memory of previous steps. */
#ifndef LG_INTEGRATORS_SOLVER_H
#define LG_INTEGRATORS_SOLVER_H

#include "integrators/engine/node.h"

enum { LG_HISTORY = 8 };

/* Results of previous steps of equal length. z = (xi, dv, u) is the unknown: xi and, if the free step is lagged,
 * lg_trial's half_change and correction. */
typedef struct lg_history {
    real h;                 /* of these steps; 0: the history is empty */
    real known;             /* number of differences */
    real order;             /* of the best extrapolation so far */
    real *inverse_jacobian; /* H, n x n */
    real *differences;      /* backward differences of z, LG_HISTORY x nz */
} lg_history;

typedef struct lg_solver_scratch {
    real *residual;         /* R at xi, n */
    real *next_residual;    /* R at the next xi, n */
    real *inverse_jacobian; /* H, an approximation of (dR/dxi)^-1, n x n */
    real *step;             /* s = -H R, n */
    real *H_change;         /* H y, y the change of R, n */
    real *step_H;           /* s^T H, n */
    real *unknown;          /* z, nz */
    real *held;             /* dv and u of lanes that have converged, beyond width 1 */
} lg_solver_scratch;

/* (g_1, p^+) from p^- by the implicit form: b->g, b->xi, b->p_plus and b->iterations. */
LG_ENGINE int lg_solve_implicit(lg_workspace *w, duration h, const lg_node *a, const real *p_minus, lg_node *b);
/* The size nz of z; z from xi and the trial; xi and the trial from z. */
LG_ENGINE int lg_implicit_size(const lg_plan *plan);
LG_ENGINE void lg_implicit_gather(const lg_workspace *w, const real *xi, real *z);
LG_ENGINE void lg_implicit_scatter(lg_workspace *w, const real *z, real *xi);
/* Adds the accepted step to b to the history. */
LG_ENGINE void lg_history_push(lg_workspace *w, duration h, const lg_node *b);
/* A step of several sub-steps has failed after `count` of them were pushed: restores the history before the step, or
 * clears it at width 1. */
LG_ENGINE void lg_history_undo(lg_workspace *w, int count);
/* Clears the history. */
LG_ENGINE void lg_history_clear(lg_workspace *w);
#if LANES == 1
/* Copies the history to another workspace of the same plan. */
void lg_history_copy(lg_workspace *to, const lg_workspace *from);
#endif

#endif
