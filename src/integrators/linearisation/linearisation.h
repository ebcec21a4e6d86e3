/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of a linearisation, shared by its files. One block: the struct and what carve() in linearisation.c takes;
 * and an implicit copy of the integrator that computes the residuals.
 *
 * A sub-step (a *stage*) is F(z; x) = 0, y = Y(z; x): z = (xi, dv, u) of solver.c, empty for what has no implicit form;
 * x = (eta, p, controls, h, parameters); y = (eta, p, lambda). Collocation has a form of its own (slopes.c). */
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

/* The arrays of the system, which depend on parameters (arrays.c). */
typedef struct lg_arrays {
    lg_arrays_fn make;     /* NULL: the system has none, or nothing that computes them */
    const lg_system *base; /* while a derivative is worked out: the integrator's, for the parameters as they are */
    double *inertia, *rows;
    double *values; /* the parameters whose arrays the implicit copy has */
    int *unknown;   /* of each parameter: its derivatives are not known */
    int refused;    /* a sample failed since there are no arrays for its parameters */
    char why[LG_MESSAGE_SIZE];
} lg_arrays;

/* The stages of collocation and the node behind them (slopes.c). `more` are time, controls and parameters. */
typedef struct lg_slopes {
    int numbers;     /* of a stage, g, p, lambda: e + n + m */
    int unknowns;    /* those that all stages share: without lambda in the rate form */
    int more;        /* 1 + controls + parameters */
    double *at;      /* g, p, lambda at the stages, and displaced: number i of stage j at [i s + j] */
    double *trial;   /* g, p, lambda at the stages */
    double *fields;  /* at the stages: g', p', and A xi - b or lambda */
    double *partial; /* of these with respect to a stage's own numbers and to `more`: numbers x (numbers + more) x s */
    double *matrix;  /* of all stages, s unknowns square, and a right side, then a solution, for each input x */
    int stride;      /* of its rows */
    double *basis, *arriving_basis; /* of g xi^ where the step departs and where the stages arrive, e x n */
    double *left;                   /* eta from changes of an element where it arrives, n x e */
    double *gram;                   /* n x n, of that */
    double *arriving_g;             /* what the stages lead to: an element, n */
    double *arriving_p;
    double factor;  /* that keeps the energy; NaN: none does */
    double kinetic; /* the energy before it */
    double *kept;   /* derivatives of the energy that is kept, nx */
    double *node;   /* y and the energies before the factor, T and V, with respect to eta, p that arrive, the factor and
                       `more`: (ny + 2) x (2 n + 1 + more) */
    double *step;   /* J of this step, ny x nx */
    double *state;  /* the state's rows of J of the steps before, 2 n x nx */
    double *change; /* e + n: of the state that arrives */
    double *node_change; /* 2 n + 1 + more */
} lg_slopes;

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
    double ratio;                         /* of the next stage's length to this one's; 0: no next stage */
    double *g, *p, *control, *parameters; /* where it departs */
    double *z, *inverse;                  /* its solution, and the inverse of the configuration where it arrives */
    double *seen;                         /* the parameters that callbacks see */
    const lg_retraction *near;            /* coordinates near an element */
    void *scratch;                        /* of group and retractions */
    double *eta, *moved, *trial, *lagged; /* n, an element, nz twice */
    /* one column of derivatives */
    double *scale;                               /* by how much the inputs (z, x) change sensibly */
    double *plus, *minus, *eighth, *sixth, *big; /* all outputs each: samples, differences, the largest sample */
    double *best, *error_of_best, *last;         /* derivatives, how far off they may be, those of the step before */
    /* of the products */
    double *input, *output, *unit; /* nz + nx, ny, nx */
    lg_expansions expansions;
    lg_slopes slopes;
    lg_arrays arrays;
    lg_error error;
};

/* difference.c: a function of all inputs at the state at hand, in groups of outputs whose terms are of one size. */
enum { LG_DIFFERENCED_GROUPS = 5 };
typedef struct lg_differenced {
    /* f with input `column` displaced by e. 0, or nonzero with the implicit_copy's failure set */
    int (*sample)(lg_linearisation *lin, int column, double e, double *f);
    int groups, end[LG_DIFFERENCED_GROUPS];
    double size[LG_DIFFERENCED_GROUPS]; /* of the terms, at least */
} lg_differenced;
/* Its derivatives with respect to `column`, which changes sensibly by `scale`, into lin->best. 0, or nonzero. */
int lg_differentiate(lg_linearisation *lin, const lg_differenced *f, int column, double scale);

/* stage.c: the stage from lin->g and lin->p, into stage i's partial derivatives; then lin->g and lin->p are where it
 * arrives. This and the functions below return 0, or nonzero with the implicit_copy's failure set. */
int lg_stage_differentiate(lg_linearisation *lin, int i);
/* Node now with `column` of x displaced by e, and all that a step from there needs. *h: the stage's length. */
int lg_stage_displace(lg_linearisation *lin, int column, double e, double *h);
/* The solution from the state as it is, and the scales of all inputs. */
int lg_stage_settle(lg_linearisation *lin);
/* y at node next, eta in coordinates near lin->inverse. */
int lg_stage_read(lg_linearisation *lin, double h, double *y);
enum { LG_NO_COLUMN = -1 };

/* g = from tau(e e_j). */
int lg_linearisation_move(lg_linearisation *lin, double *g, const double *from, int j, double e);
/* lin->inverse becomes that of node next. */
int lg_linearisation_centre(lg_linearisation *lin);

/* arrays.c */
void lg_arrays_carve(lg_arrays *o, lg_arena *a, const lg_system *S);
/* *wide = S with a place in its constant inertia for every entry that a parameter may make; *memory (to be freed) holds
 * it. LG_ERROR_MEMORY. */
lg_status lg_arrays_widen(lg_system *wide, double **memory, const lg_system *S);
/* Before a derivative of a step of `it` (its arrays are taken), and behind it: what is not known goes into the message.
 */
int lg_arrays_begin(lg_linearisation *lin, const lg_integrator *it);
void lg_arrays_end(lg_linearisation *lin);
/* The implicit copy gets the arrays for the parameters that callbacks see. */
int lg_arrays_follow(lg_linearisation *lin);
/* lg_differentiate() for a column of the sampled function that is `input` of x; one whose derivatives are not known
 * gives zeros. */
int lg_differentiate_input(lg_linearisation *lin, const lg_differenced *f, int column, double scale, int input);
/* Are derivatives with respect to input x not known? */
int lg_arrays_unknown(const lg_linearisation *lin, int input);

/* slopes.c: the same as lg_stage_differentiate() for collocation, but stage 0's partial derivatives become those of
 * all steps since lin->before was 0. */
int lg_slopes_differentiate(lg_linearisation *lin);
/* Sizes; nothing where the method is another one. */
void lg_slopes_carve(lg_slopes *o, lg_arena *a, const lg_integrator *it, int nx, int ny);
/* So many outputs are differenced at once. */
int lg_slopes_outputs(const lg_plan *P);

/* expansion.c */
void lg_expansions_carve(lg_expansions *o, lg_arena *a, const lg_system *S, const lg_plan *P);
/* The residuals that follow get the system's own gradients, which are recorded. */
void lg_expansions_record(lg_linearisation *lin);
/* They get the expansions, or (0) the system's own gradients. Each residual sets `next` to 0. */
void lg_expansions_use(lg_linearisation *lin, int on);

#endif
