/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of a linearisation, shared by its files. One block: the struct and what carve() in linearisation.c takes;
 * and an implicit copy of the integrator that computes the residuals.
 *
 * A sub-step (a *stage*) is F(z; x) = 0, y = Y(z; x): z = (xi, dv, u) of solver.c, empty without implicit form;
 * x = (eta, p, controls, h, parameters); y = (eta, p, lambda). Collocation has another form (slopes.c). */
#ifndef LG_INTEGRATORS_LINEARISATION_H
#define LG_INTEGRATORS_LINEARISATION_H

#include <liegrp/integrators/linearisation.h>

#include "integrators/integrator.h"
#include "integrators/linearisation/exact.h"

typedef struct lg_stage {
    double *partial; /* of (F, y) with respect to (z, x), (nz + ny) x (nz + nx) */
    double *LU;      /* F_z */
    int *pivots;
    double *g, *p, *z; /* by tangents: the state that it starts from, and its solution */
} lg_stage;

/* The gradients of the potential that a residual evaluates, in that order, each with the user's second
 * derivative: while residuals are differenced, dV is replaced by its expansion of order one, which has the same
 * derivative. */
typedef struct lg_expansions {
    int capacity; /* 0: no second derivative is given */
    int recording, count, next;
    double *inverse, *dV, *H; /* per gradient: an element, n, n x n */
    double *relative, *eta;   /* an element, n */
} lg_expansions;

/* The arrays of the system, which depend on parameters (arrays.c). */
typedef struct lg_arrays {
    lg_arrays_fn make;     /* NULL: the system has no arrays, or no function that computes them */
    const lg_system *base; /* during a derivative: the integrator's, with its parameters */
    double *inertia, *rows;
    double *values; /* the parameters of the implicit copy's arrays */
    int constants;  /* number of the workspace's constants (spans.c), which depend on the arrays */
    double *slope;  /* their derivatives, parameter after parameter */
    double *size;   /* per constant: the largest of its array */
    double *known;  /* the parameters for which `slope` holds; NaN: for none */
    double inexact; /* the error estimate of `slope` */
    int *unknown;   /* 1 for a parameter without known derivatives */
    int refused;    /* 1: a sample failed because its parameters have no arrays */
    char why[LG_MESSAGE_SIZE];
} lg_arrays;

/* The stages of collocation and the node behind them (slopes.c). `more` are time, controls and parameters. */
typedef struct lg_slopes {
    int numbers;     /* of a stage, g, p, lambda: e + n + m */
    int unknowns;    /* of a stage in the linear system: without lambda in the rate form */
    int more;        /* 1 + controls + parameters */
    double *at;      /* g, p, lambda at the stages: number i of stage j at [i s + j] */
    double *trial;   /* `at`, displaced */
    double *fields;  /* at the stages: g', p', and A xi - b or lambda */
    double *partial; /* of the fields with respect to the stage's numbers and `more`: numbers x (numbers + more) x s */
    double *matrix;  /* of all stages, (s unknowns)^2, and for each input x a right side, then the solution */
    int stride;      /* of its rows */
    double *basis, *arriving_basis; /* of g xi^ at the start and at the end of the stages, e x n */
    double *left;                   /* eta from changes of the element at the end, n x e */
    double *gram;                   /* of arriving_basis, n x n */
    double *arriving_g;             /* the state at the end of the stages: an element, n */
    double *arriving_p;
    double factor;  /* the one that keeps the energy, or NaN */
    double kinetic; /* the energy before it */
    double *kept;   /* derivatives of the conserved energy, nx */
    double *node;   /* y and the energies before the factor, T and V, with respect to eta, p that arrive, the factor and
                       `more`: (ny + 2) x (2 n + 1 + more) */
    double *step;   /* J of this step, ny x nx */
    double *state;  /* the state's rows of J of the steps before, 2 n x nx */
    double *change; /* of the state at the end, e + n */
    double *node_change; /* 2 n + 1 + more */
} lg_slopes;

/* A change of controls (jump.c). */
typedef struct lg_jump {
    double *control, *wanted; /* the new controls; those of a sample */
    double *offset;           /* n: p~ less the projection of p^- */
} lg_jump;

/* Second derivatives (curvature.c). */
typedef struct lg_curvature {
    double *inverse;        /* of the configuration after the step */
    double *turn, *apart;   /* n: the displacement of the configuration; how far the step ends from there */
    double *D;              /* n x n */
    double *weights;        /* ny: of the outputs in their own chart */
    double *gradient, *sum; /* nx */
    /* without differences (curved.c) */
    double *scale;           /* nx: of the inputs */
    double *stage_weights;   /* of F and the outputs of each stage: nz + ny */
    double *columns, *state; /* along each input, in scales: changes of (z, x) at a stage, of the state behind it */
    double *directions;      /* of a block: lg_tangent_task::directions */
    double *curve;           /* of a block */
} lg_curvature;

struct lg_linearisation {
    int made;  /* 0: only a message, from a creation that failed */
    int ready; /* holds a derivative */
    size_t bytes;
    lg_integrator *implicit_copy; /* the same method, with every step in the implicit form unless tangents
                                     differentiate the explicit one */
    int nz, nx, ny;
    int controls; /* numbers that give them */
    lg_stage *stages;
    /* the current stage */
    double t0, h;                         /* of the whole step */
    double before, share;                 /* where the stage begins, and its length, in units of h */
    double ratio;                         /* of the next stage's length to this one's; 0: no next stage */
    double *g, *p, *control, *parameters; /* its initial state */
    double *z, *inverse;                  /* its solution, and the inverse of its final configuration */
    double *seen;                         /* the parameters that callbacks see */
    const lg_retraction *near;            /* coordinates near an element */
    void *scratch;                        /* of group and retractions */
    double *eta, *moved, *trial, *lagged; /* n, an element, nz twice */
    /* one column of derivatives */
    double *scale;                               /* scales of the inputs (z, x) */
    double *plus, *minus, *eighth, *sixth, *big; /* per output: samples, differences, the largest sample */
    double *best, *error_of_best, *last;         /* derivatives, their error bounds, those of the previous step */
    /* of the products */
    double *input, *output, *unit; /* nz + nx, ny, nx */
    lg_expansions expansions;
    lg_slopes slopes;
    lg_arrays arrays;
    lg_exact exact;
    lg_jump jump;
    lg_curvature curvature;
    int solved;     /* 1: z is known */
    double inexact; /* the largest estimate of the relative error of a difference */
    lg_error error;
};

/* difference.c: a function of all inputs at the current state, with groups of outputs whose terms have one scale. */
enum { LG_DIFFERENCED_GROUPS = 5 };
typedef struct lg_differenced {
    /* Evaluates it with input `column` displaced by e. 0, or nonzero with the implicit_copy's failure set. */
    int (*sample)(lg_linearisation *lin, int column, double e, double *f);
    int groups, end[LG_DIFFERENCED_GROUPS];
    double size[LG_DIFFERENCED_GROUPS]; /* least scale of the terms */
} lg_differenced;
/* Writes its derivatives with respect to `column`, whose scale is `scale`, to lin->best. 0, or nonzero. */
int lg_differentiate(lg_linearisation *lin, const lg_differenced *f, int column, double scale);

/* exact.c: memory, for a copy of the integrator; the outputs of a callback that are differenced at once; all partial
 * derivatives of a stage. */
void lg_exact_carve(lg_linearisation *lin, lg_arena *a, const lg_integrator *copy);
int lg_exact_outputs(const lg_plan *P);
int lg_exact_differentiate(lg_linearisation *lin, lg_stage *stage);
/* Second derivatives of F and the outputs, `weights`, of the stage that lin is at, along `count` directions of
 * curvature.directions: curvature.curve. */
int lg_exact_curve(lg_linearisation *lin, const lg_stage *stage, const double *weights, int count);

/* stage.c: computes the partial derivatives of stage i, which starts from lin->g and lin->p; these become its final
 * state. This and the functions below return 0, or nonzero with the implicit_copy's failure set. */
int lg_stage_differentiate(lg_linearisation *lin, int i);
/* Prepares node now with `column` of x displaced by e for a step. *h = the stage's length. */
int lg_stage_displace(lg_linearisation *lin, int column, double e, double *h);
/* The copy's controls become those of the stage, number `which` displaced by e; of polynomials in `whole`, at all nodes
 * from number `which` on. */
void lg_stage_steer(lg_linearisation *lin, int which, double e, int whole);
/* Computes the solution for the undisplaced state, and the scales of all inputs. */
int lg_stage_settle(lg_linearisation *lin);
/* Computes y at node next, eta in coordinates near lin->inverse. */
int lg_stage_read(lg_linearisation *lin, double h, double *y);
enum { LG_NO_COLUMN = -1 };

/* g = from tau(e e_j). */
int lg_linearisation_move(lg_linearisation *lin, double *g, const double *from, int j, double e);
/* Sets lin->inverse to the inverse of node next. */
int lg_linearisation_centre(lg_linearisation *lin);

/* jump.c: D = dp^-/d(x, u'), n x (nx + controls), of lg_integrator_set_control(it, u). 0, or nonzero with the copy's
 * failure set. */
int lg_jump_differentiate(lg_linearisation *lin, const lg_integrator *it, const double *u, double *D);

/* linearisation.c: fails unless the derivative of a step of `it` can be computed now; adopts its state. Then computes
 * it, at the state that lin has. */
lg_status lg_linearisation_enter(lg_linearisation *lin, const lg_integrator *it);
lg_status lg_linearisation_go(lg_linearisation *lin, const lg_integrator *it);

/* linearisation.c: z of lin->input from the x behind it; lin->output from both; and from weights of the outputs in
 * lin->output those of F, with the other sign, and of x, in lin->input. */
void lg_linearisation_respond(const lg_linearisation *lin, const lg_stage *stage);
void lg_linearisation_push(const lg_linearisation *lin, const lg_stage *stage);
void lg_linearisation_pull(const lg_linearisation *lin, const lg_stage *stage);

/* curvature.c; curved.c: memory, for a linearisation whose sizes are known. */
void lg_curvature_carve(lg_curvature *o, lg_arena *a, const lg_plan *P, int nx, int ny);
void lg_curved_carve(lg_linearisation *lin, lg_arena *a, const lg_integrator *copy);
/* curved.c: of the first `count` inputs, those with respect to which the engine has second derivatives. */
int lg_curved_inputs(const lg_linearisation *lin, int count);
/* Their part of H of lg_linearisation_curvature(), in rows of `stride`, where lin holds the derivative, and
 * curvature.scale is known, which is NaN for parameters whose derivatives are not. 0, or 1: a callback has none, or
 * failed. */
int lg_curved(lg_linearisation *lin, double *H, int stride, const double *weights, int count);

/* arrays.c */
void lg_arrays_carve(lg_arrays *o, lg_arena *a, const lg_integrator *copy);
/* *wide = S, with space in its constant inertia for every entry that may depend on a parameter; *memory (to be freed)
 * holds it. LG_ERROR_MEMORY. */
lg_status lg_arrays_widen(lg_system *wide, double **memory, const lg_system *S);
/* Call these before and after a derivative of a step of `it`: they copy its arrays, and report unknown derivatives in
 * the message. */
int lg_arrays_begin(lg_linearisation *lin, const lg_integrator *it);
void lg_arrays_end(lg_linearisation *lin);
/* Computes the implicit copy's arrays for the parameters that callbacks see. */
int lg_arrays_follow(lg_linearisation *lin);
/* Computes lg_arrays::slope, unless it is known; by differences of lg_callbacks::arrays and of what is made of them. */
int lg_arrays_differentiate(lg_linearisation *lin);
/* The number of constants. */
int lg_arrays_constants(const lg_integrator *it);
/* lg_differentiate() for a column of the sampled function that is `input` of x; zeros if its derivatives are not
 * known. */
int lg_differentiate_input(lg_linearisation *lin, const lg_differenced *f, int column, double scale, int input);
/* Are derivatives with respect to input x unknown? */
int lg_arrays_unknown(const lg_linearisation *lin, int input);

/* slopes.c: lg_stage_differentiate() for collocation, but stage 0's partial derivatives become those of
 * all steps since lin->before was 0. */
int lg_slopes_differentiate(lg_linearisation *lin);
/* Computes the sizes, for collocation only. */
void lg_slopes_carve(lg_slopes *o, lg_arena *a, const lg_integrator *it, int nx, int ny);
/* The number of outputs that are differenced at once. */
int lg_slopes_outputs(const lg_plan *P);

/* expansion.c */
void lg_expansions_carve(lg_expansions *o, lg_arena *a, const lg_system *S, const lg_plan *P);
/* Residuals after this call use the system's gradients, which are recorded. */
void lg_expansions_record(lg_linearisation *lin);
/* Residuals after this call use the expansions (1) or the system's gradients (0). Each residual sets `next` to 0. */
void lg_expansions_use(lg_linearisation *lin, int on);

#endif
