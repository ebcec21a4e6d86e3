/* SPDX-License-Identifier: BSD-3-Clause */
/** @file riccati.h
 *  The linear system of one iteration of optimal control, solved by a sweep over the stages.
 *
 *  Stages k = 0 ... steps-1 with states x_k, controls u_k and border variables theta that all stages share; z_k = (x_k,
 *  theta). Minimise
 *
 *      sum_k 1/2 z'Qz + q'z + u'Sz + 1/2 u'Ru + r'u  +  1/2 z_N'Q_N z_N + q_N'z_N
 *
 *  subject to x_{k+1} = A z_k + B u_k + d, x_0 = E f with free f, and C z_N + C_0 x_0 + e = 0. The sweep goes back over
 *  the value
 *
 *      1/2 z'Pz + p'z + nu'(Vz + w) - 1/2 nu'W nu,
 *
 *  solves a small symmetric system for (f, theta, nu), and goes forward. It allocates nothing. Matrices are row-major.
 */
#ifndef LIEGRP_SRC_CONTROL_RICCATI_H
#define LIEGRP_SRC_CONTROL_RICCATI_H

#include "base/arena.h"

/** Sizes: of x, theta, u, f, and the number of end conditions. z has states + borders numbers. */
typedef struct lg_riccati_size {
    int steps, states, borders, controls, frees, ends;
} lg_riccati_size;

/** One stage of the model, and its solution. */
typedef struct lg_riccati_stage {
    double *A, *B, *d;         /**< states x z, states x controls, states */
    double *Q, *S, *R, *q, *r; /**< z x z, controls x z, controls x controls, z, controls */
    double *K, *k, *N;         /**< feedback u = k + N nu + K z: controls x z, controls, controls x ends */
    double *P, *p, *V;         /**< value at the stage: z x z, z, ends x z */
    double *x, *u, *costate;   /**< solution: states, controls, and the states' part of P z + p + V'nu */
} lg_riccati_stage;

/** The model with its solution. The last of steps + 1 stages has Q, q, P, p, V, x and costate only. */
typedef struct lg_riccati {
    lg_riccati_size size;
    lg_riccati_stage *stages;
    double *E, *C, *C0, *e; /**< states x frees, ends x z, ends x states, ends */
    double penalty;         /**< rho >= 0: adds rho/2 |C z_N + e|^2 - rho/2 |C_0 x_0|^2, which changes no solution */
    double *border;         /**< solution: f and theta */
    double *nu;             /**< solution: multipliers of the end conditions */
    int *dropped;           /**< 1: this end condition follows from the others, or nothing moves it; its nu is 0 */
    /* scratch */
    double *G, *a, *Pa, *Pb, *Pd, *Vb, *Qux, *W, *w, *reach;
    double *matrix, *right, *scale, *work, *start, *product, *ends;
    int *order, *width;
} lg_riccati;

/** Divides the memory of a model. */
void lg_riccati_carve(lg_riccati *o, lg_arena *a, lg_riccati_size size);
/** Solves the model. 0; or 1: it is not convex on its constraints, or not finite. */
int lg_riccati_solve(lg_riccati *o);

/** border.c: M = L D L^T of a symmetric n x n matrix in place, with complete pivoting and blocks of 1 and 2 rows.
 *  Entries below `tolerance` count as 0. order[i] is the row that became row i; width[i] is 1, or 2 and 0 for the two
 *  rows of a block. Returns the rank; *positive = number of positive eigenvalues. */
int lg_border_factor(double *M, int *order, int *width, int n, double tolerance, int *positive);
/** x <- M^-1 x with the first `rank` rows; the x of the others become what is left of their equations. `work` has n
 *  entries. */
void lg_border_solve(const double *M, const int *order, const int *width, int n, int rank, double *x, double *work);

#endif
