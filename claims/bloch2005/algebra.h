/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler-Poincare-Suslov equations on any Lie algebra, and left-invariant systems on groups that have them. */
#ifndef CLAIMS_SURVEY_ALGEBRA_H
#define CLAIMS_SURVEY_ALGEBRA_H

#include "claims/bloch2005/survey.h"

enum { ALGEBRA_DIM = 8 };

/* A Lie algebra: ad_e_i has the matrix ad[i], ad[i][k * n + j] = C^k_ij. */
typedef struct algebra {
    char name[48];
    int n;
    double ad[ALGEBRA_DIM][ALGEBRA_DIM * ALGEBRA_DIM];
} algebra;

/* The algebras of groups of the library, then of semidirect products R x R^2: three that are not unimodular, one that
 * is. */
typedef struct algebras {
    algebra list[12];
    int count;
} algebras;
int algebra_collect(claim_report *r, algebras *all);
/* C^k_jk, the trace of ad_e_j: zero for all j if and only if the algebra is unimodular. */
double algebra_trace(const algebra *L, int j);

/* Equations p' = ad*_Omega p + lambda a, Omega = J^-1 p, <a, Omega> = const. */
typedef struct suslov {
    const algebra *L;
    double J[ALGEBRA_DIM * ALGEBRA_DIM], a[ALGEBRA_DIM];
    int constrained; /* 0: without lambda a */
} suslov;
/* The right-hand side, lambda eliminated, also where <a, Omega> != 0. 0: singular. */
int suslov_field(const suslov *S, const double *p, double *out);
/* Its derivative at p, n x n, and its divergence: central differences with steps of 1, exact for quadratic equations.
 */
int suslov_slope(const suslov *S, const double *p, double *D);
double suslov_divergence(const suslov *S, const double *p);

/* A random J; a random Omega with <a, Omega> = 0 if constrained, and p = J Omega. */
void random_inertia(lg_rng *rng, int n, double *J);
void random_vector(lg_rng *rng, int n, double *v);
void random_momentum(const suslov *S, lg_rng *rng, double *p, double *omega);

/* R acting on R^2 by diag(e^t, e^(kappa t)): unimodular if and only if kappa = -1. kappa = 1/2 and -1. */
extern const lg_group group_line_half, group_line_minus;

/* A random left-invariant system on G: inertia, `rows` (0, 1) constant rows, initial data at the identity. */
typedef struct free_system {
    lg_system S;
    claim_system s;
    double J[ALGEBRA_DIM * ALGEBRA_DIM], a[ALGEBRA_DIM];
} free_system;
int free_system_make(claim_report *r, free_system *f, const lg_group *G, int rows, uint64_t seed);
/* *step: the determinant of p_k -> p_k+1 for the step that it makes; *ad: that of Ad_W, W = g_k^-1 g_k+1. 0 after
 * claim_trouble(). */
int step_determinants(claim_report *r, const claim_system *s, lg_integrator *it, double *step, double *ad);

#endif
