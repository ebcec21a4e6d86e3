/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalog's systems as one would write them for a general integrator: y = (g, xi) with quaternions (x, y, z, w) and
 * body velocities, the multipliers eliminated by hand. */
#ifndef BENCHMARKS_PROBLEMS_H
#define BENCHMARKS_PROBLEMS_H

#include "benchmarks/suite/peer.h"

/* A run with more steps is abandoned: a disk that has fallen because its energy has drifted needs ever smaller
 * steps. */
enum { PROBLEM_STATE = 16, PROBLEM_ROWS = 3, PROBLEM_STEPS = 500000 };

/* The data of a right-hand side: the parameters, and what can be computed in advance. */
typedef struct problem_data {
    const double *param;
    double inverse[9]; /* of the inertia, or what takes its place */
} problem_data;

typedef struct problem {
    const char *system;
    int unit, units; /* the offset in y of a quaternion, or of (cos, sin), and how many numbers it is; 0: none */
    int velocity;    /* the offset of velocities */
    int size, rows;  /* numbers of y; velocity constraints */
    void (*prepare)(problem_data *d);
    void (*equations)(const problem_data *d, const double *y, double *dy);
    /* The rows A(g), rows x (size - velocity); NULL: none. */
    void (*constraints)(const problem_data *d, const double *y, double *A);
    /* Kinetic and potential energy. */
    void (*energies)(const problem_data *d, const double *y, double *T, double *V);
} problem;

extern const problem problem_list[];
extern const int problem_count;

/* The motion in fewer numbers, from equations in which constrained velocities are eliminated:
 * problems_reduced.c. Its `system` is "NAME, reduced"; it has no rows and no energies. */
typedef struct problem_reduction {
    const char *system; /* NAME */
    problem reduced;
    int place[PROBLEM_STATE]; /* which numbers of the full y its y has */
    void (*expand)(const problem_data *d, const double *y, double *full);
} problem_reduction;

/* NULL: the system has no equations here. */
const problem *problem_find(const char *system);
/* NULL: the system has no equations here, or nothing can be eliminated. */
const problem_reduction *problem_reduced(const char *system);
/* Projects y onto |q| = 1 and A(g) xi = 0, to the nearest xi; an error estimate (may be NULL) loses its part normal to
 * these. */
void problem_project(const problem *p, const problem_data *d, double *y, double *error);
/* NaN: it has no energies. */
double problem_energy(const problem *p, const problem_data *d, const double *y);
/* Scales xi to the energy H. */
void problem_project_energy(const problem *p, const problem_data *d, double *y, double H);

/* q' for the body velocity w. */
static inline void problem_turn(double *dq, const double *q, const double *w)
{
    dq[0] = 0.5 * (q[3] * w[0] + q[1] * w[2] - q[2] * w[1]);
    dq[1] = 0.5 * (q[3] * w[1] + q[2] * w[0] - q[0] * w[2]);
    dq[2] = 0.5 * (q[3] * w[2] + q[0] * w[1] - q[1] * w[0]);
    dq[3] = -0.5 * (q[0] * w[0] + q[1] * w[1] + q[2] * w[2]);
}

#endif
