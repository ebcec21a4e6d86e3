/* SPDX-License-Identifier: BSD-3-Clause */
/* Unknown multipliers: scratch of the rules that have them, and small operations that these share. */
#ifndef LG_INTEGRATORS_MULTIPLIERS_H
#define LG_INTEGRATORS_MULTIPLIERS_H

#include "integrators/engine/node.h"

/* The linear system of a trial's multipliers: (l, mu, nu) of shared.c, k = m + 2 holonomic; z of discrete.c. */
typedef struct lg_multiplier_scratch {
    real *matrix; /* k x k */
    real *value;  /* the right side, which lg_eliminate() turns into the multipliers, k */
} lg_multiplier_scratch;

/* shared.c: one multiplier at both ends. */
typedef struct lg_shared_scratch {
    real *free_momentum;     /* T p_0 + c: p^+ without multipliers, n */
    real *frame_transported; /* T N_0^T, row by row, m x n */
    real *alignment;         /* O, m x m */
    real *polar;             /* scratch of lg_polar(), m x m */
    real *aligned;           /* O l, m */
    real *column;            /* one column of the system, m */
    real *momentum_change;   /* of compensated steps: (Ad*_W - 1) p_0, n, in lg_workspace::compensation */
} lg_shared_scratch;

/* discrete.c: multipliers at the start of the step. */
typedef struct lg_discrete_scratch {
    real *differential; /* D = d psi/d xi, m x n */
    real *residual;     /* R_0: R at p^- = p, n */
    real *raised;       /* J^-1 B^T of one row, n */
    real *point;        /* g at a point of omega_d, an element */
    real *rows, *drift; /* mu and Y there */
} lg_discrete_scratch;

/* Holonomic constraints of an energy-momentum step: the free step sets G_b and G_1, shared.c the rest. */
typedef struct lg_holonomic_scratch {
    real *phi;           /* phi(g_1), with mean rows phi(g_0): holonomic numbers */
    real *mean_rows;     /* G_b = sum_i w_i k* d phi_i, holonomic x n, as the following */
    real *end_rows;      /* G_1 = sum_i w_i Ad*_{R_i} k* d phi_i */
    real *momentum_rows; /* K = (d phi_1 - Ad*_W d phi_0)/h, sem:momentum */
    real *raised_0;      /* G_b J_0^-1 */
    real *raised_1;      /* G_b J_1^-1 */
    real *point_rows;    /* d phi at a node of the arc */
    real *rate;          /* phi_t there, holonomic numbers */
} lg_holonomic_scratch;

/* frame.c: N, N J^-1, L and beta at node b, whose rows and metric must be set. */
LG_ENGINE int lg_frame(lg_workspace *w, lg_node *b);
/* O = the orthogonal polar factor of the m x m matrix B, which is overwritten; Y is scratch. 1: B is singular. */
LG_ENGINE int lg_polar(real *O, real *B, real *Y, int m);
/* z <- M^-1 z without pivoting; M is overwritten. */
LG_ENGINE void lg_eliminate(real *M, real *z, int m);
#if LG_IS_SMOOTH
/* discrete.c: multipliers of discrete and of holonomic constraints, p^- = p + h B^T z; without these, p^- = p. */
LG_ENGINE int lg_multipliers_discrete(lg_workspace *w, duration h, const lg_node *a, lg_node *b);
#endif
#if LANES == 1
/* lg_frame() of constant rows, once. */
int lg_frame_constant(lg_workspace *w);
/* ../start.c: lambda of the continuous equations at b with velocity xi into b->lambda; rate: d xi/dt, or NULL. */
int lg_continuous_multipliers(lg_workspace *w, lg_node *b, const real *xi, real *rate);
#endif

#endif
