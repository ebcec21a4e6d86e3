/* SPDX-License-Identifier: BSD-3-Clause */
/* The momentum equation of the last step, evaluated from its two ends and not from what the solver knows. */
#ifndef LG_RUN_EQUATION_H
#define LG_RUN_EQUATION_H

#include "base/arena.h"
#include "integrators/integrator.h"

enum { LG_EQUATION_POINTS = LG_GAUSS_MAX + 1 };

/* A point of the arc at which something pushes. */
typedef struct lg_push {
    double s, weight; /* g_k exp(s log W), and how much of h */
    int slope;        /* -dV and dT act there */
    int force;        /* and the force */
} lg_push;

typedef struct lg_equation {
    int stated; /* 0: there is none for this system and method */
    int arcs;   /* 1: points inside the step are needed */
    int scaled; /* 1: slopes are taken along log W, which is k h xi factor by factor */
    int count;
    lg_push push[LG_EQUATION_POINTS];
    double *V, *U, *g, *M;  /* W^-1, U^-1 and a point, elements; n x n, of groups without coAd */
    double *x, *y, *f, *r;  /* h xi, log W, a push, the residual; n each */
    double *z, *dv;         /* scratch; (v^+ - v^-)/2; n each */
    double *A, *AW, *C, *u; /* rows, m x n twice, m x m, m */
    void *work;             /* the group's scratch */
} lg_equation;

/* Finds out what the equation of `it` is. */
void lg_equation_choose(lg_equation *e, const lg_integrator *it);
/* Takes the memory. */
void lg_equation_carve(lg_equation *e, lg_arena *a, const lg_integrator *it);
/* The relative residual; NaN: it cannot be told for this step. */
double lg_equation_residual(lg_equation *e, const lg_integrator *it);

#endif
