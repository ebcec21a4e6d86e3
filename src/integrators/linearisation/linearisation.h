/* SPDX-License-Identifier: BSD-3-Clause */
/* What a linearisation holds, and what its files share. One block: the struct, then what carve() in linearisation.c
 * takes; and an implicit copy of the integrator that works out the residuals.
 *
 * A sub-step (a *stage*) is F(z; x) = 0, y = Y(z; x): z = (xi, dv, u) of solver.c, empty for what has no implicit form;
 * x = (eta, p, controls, h, parameters); y = (eta, p, lambda). */
#ifndef LG_INTEGRATORS_LINEARISATION_H
#define LG_INTEGRATORS_LINEARISATION_H

#include <liegrp/integrators/linearisation.h>

#include "integrators/integrator.h"

typedef struct lg_stage {
    double *partial; /* of (F, y) with respect to (z, x), (nz + ny) x (nz + nx) */
    double *LU;      /* F_z */
    int *pivots;
} lg_stage;

/* The gradients of the potential that a residual evaluates, in that order, each with the user's second
 * derivative: while residuals are differenced, dV is its expansion of order one there, which has the same derivative.
 */
typedef struct lg_expansions {
    int capacity; /* 0: no second derivative is given */
    int recording, count, next;
    double *inverse, *dV, *H; /* one each: an element, n, n x n */
    double *relative, *eta;   /* an element, n */
} lg_expansions;

struct lg_linearisation {
    int made;  /* 0: only a message, from a creation that failed */
    int ready; /* holds a derivative */
    size_t bytes;
    lg_integrator *implicit_copy; /* the same method with every step in the implicit form */
    int nz, nx, ny;
    lg_stage *stages;
    /* the stage at hand */
    double t0, h;                         /* of the whole step */
    double before, share;                 /* where the stage begins, and its length, in units of h */
    double ratio;                         /* of the next stage's length to this one's; 0: there is none */
    double *g, *p, *control, *parameters; /* where it departs */
    double *z, *inverse;                  /* its solution, and the inverse of the configuration where it arrives */
    double *seen;                         /* the parameters that callbacks see */
    const lg_retraction *near;            /* coordinates near an element */
    void *scratch;                        /* of group and retractions */
    double *eta, *moved, *trial, *lagged; /* n, an element, nz twice */
    /* one column of derivatives */
    double *scale;                               /* by how much the inputs (z, x) change sensibly */
    double *plus, *minus, *eighth, *sixth, *big; /* nz + ny each: samples, differences, the largest sample */
    double *best, *error_of_best, *last;         /* derivatives, how far off they may be, those of the step before */
    /* of the products */
    double *input, *output, *unit; /* nz + nx, ny, nx */
    lg_expansions expansions;
    lg_error error;
};

/* linearisation_stage.c: the stage from lin->g and lin->p, into stage i's partial derivatives; then lin->g and lin->p
 * are where it arrives. 0, or nonzero with the implicit_copy's failure set. */
int lg_stage_differentiate(lg_linearisation *lin, int i);

/* linearisation_expansion.c */
void lg_expansions_carve(lg_expansions *o, lg_arena *a, const lg_system *S, const lg_plan *P);
/* The residuals that follow get the system's own gradients, which are recorded. */
void lg_expansions_record(lg_linearisation *lin);
/* They get the expansions, or (0) the system's own gradients. Each residual sets `next` to 0. */
void lg_expansions_use(lg_linearisation *lin, int on);

#endif
