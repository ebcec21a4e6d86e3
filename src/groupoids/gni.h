/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of the GNI, shared by gni.c (creation, start, step, reading) and solver.c. */
#ifndef LG_GROUPOIDS_GNI_H
#define LG_GROUPOIDS_GNI_H

#include "groupoids/legendre.h"

/* A state: a point of the base, the element that led to it, the momenta there. */
typedef struct lg_gni_node {
    double *x, *g;
    double *p_plus, *p_minus, *p_tilde, *lambda;
    double *A, *Y, *Jinv; /* m x n, n, n x n */
    double accuracy;
    int iterations;
} lg_gni_node;

/* Scratch of the solver and of the reflection: unknown, residuals, Broyden's vectors, matrices. */
typedef struct lg_gni_scratch {
    double *eta, *from, *R, *trial, *s, *v, *w; /* n */
    double *H, *M, *J;                          /* n x n */
    double *AW, *C, *u;                         /* m x n, m x m, m */
    int *pivots;
} lg_gni_scratch;

struct lg_groupoid_gni {
    lg_error error; /* the first member, so that a failed creation has it, too */
    size_t bytes;
    lg_legendre slopes; /* holds the system */
    double h, t0, tolerance;
    int64_t k;
    int iterations_max, started, busy; /* busy 1: a function is running; callers are then its callbacks */
    lg_gni_node now, next;
    lg_gni_scratch s;
};

/* it->next.g = sigma(q, eta) with F^-L_d(it->next.g) = p^-, q and p^- being those of it->now. */
lg_status lg_gni_solve(lg_groupoid_gni *it);

#endif
