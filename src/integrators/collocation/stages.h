/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages of Gauss collocation, side by side in the lanes of `real` (docs/theory.md section 18). With nodes c_i and
 * coefficients a_ij on [0, 1],
 *   g_i = g_0 + h sum_j a_ij g_j',          g_i' = g_i xi_i^ in the numbers of an element, xi_i = J^-1 p_i
 *   p_i = p_0 + h sum_j a_ij p_j',          p_i' = ad*_xi p_i + dT - dV + f + A_i^T lambda_i
 *   stage form: A_i xi_i = b_i              rate form: A_i xi_i' = b_i' - A_i' xi_i
 * solved by fixed-point iteration from the prediction of the last step's polynomial. The sums have one order at every
 * width, so the results have the same bits. */
#ifndef LG_INTEGRATORS_STAGES_H
#define LG_INTEGRATORS_STAGES_H

#include "integrators/collocation/tableau.h"
#include "integrators/engine/node.h"

/* The task and its result, as doubles, at every width. */
typedef struct lg_stage_task {
    const lg_tableau *tableau;
    int anew;                      /* 1: constant rows and metric may have changed since the task before */
    double h, t;                   /* the step, from time t */
    const double *g, *p;           /* its initial state */
    const double *controls;        /* at the stages, stage after stage; NULL: those that are held */
    const double *memory;          /* rates at the stages of another step, number by number; may be NULL */
    const lg_extension *extension; /* which continues them to this step */
    double tolerance;              /* of the stages, relative */
    double momentum_scale;         /* the least size with which changes of momenta are compared */
    int sweeps_most;
    double *rates;      /* g', p', lambda at the stages: number i of stage j at [i s + j] */
    double defect;      /* the last change of a stage, relative */
    double contraction; /* of the sweeps */
    int sweeps;
    int moving; /* 1: rows with a right side that is not 0 at some stage */
} lg_stage_task;

/* Both work on all blocks. lg_stages_rates: g' alone, by momenta that have been placed, or all rates. lg_stages_puts
 * (stage form): first the free momenta onto their rows, and each block's largest change in every lane. The first of
 * the two to run evaluates the fields. 0, or 1 with w->failure set. */
typedef int (*lg_stages_rates)(lg_workspace *w);
typedef int (*lg_stages_puts)(lg_workspace *w, real *change);

/* The stages at one width. A block is LANES stages; lanes beyond the last stage repeat it. */
typedef struct lg_stages {
    int blocks;
    lg_stages_rates follow, rates; /* for the plan's shape (sweep.c) */
    lg_stages_puts puts;
    int can_lead; /* momenta lead from the second sweep on */
    int leads;    /* in this sweep momenta are placed before elements, by the fields of the sweep before */
    int at_once, along_at_once; /* in this step callbacks, and derivatives of rows, see a block at once */
    int spreads;                /* at least one of the callbacks here sees one lane at a time */
    /* callbacks; NULL: engine/callbacks.h evaluates them */
    lg_covectors_fn covectors;
    lg_field_fn gradient;
    lg_covectors_along_fn row_rates;
    lg_together_fn together;       /* these three in one; NULL: they are called one by one */
    lg_call *call;                 /* their arguments, block by block */
    lg_node *node[LG_STAGES_MOST]; /* a block's configuration, momentum (p_tilde), rows, ... */
    /* where sweeps place each block's g and p; the stage form first places momenta in `free_momenta` */
    real *elements[LG_STAGES_MOST], *momenta[LG_STAGES_MOST];
    double at, span;                 /* of the prediction; span 0: not computed yet */
    real *columns;                   /* of the prediction's matrix; not computed if span is 0 */
    real *weights;                   /* h a_ij, s columns of blocks; for the length `h` */
    double h;                        /* 0: not computed yet */
    real *inverse;                   /* a^-1 / h for the length `h`, in the stage form */
    real *rate;                      /* g', p', lambda, block by block */
    real *vector, *element, *matrix; /* n, two elements, n x n: scratch of generic factors, at width 1 */
    /* for callbacks that see one lane, lane after lane; LANES > 1 */
    lg_call *lane_call;    /* their arguments */
    double *apart;         /* configurations */
    real *answers;         /* their results, for one block */
    real *free_momenta;    /* of a sweep, before their projection onto the rows, block by block */
    real *velocity;        /* xi, of one block */
    real *force, *extra;   /* n: for one block */
    real *raised, *gram;   /* A J^-1, its Gram matrix: of one block */
    real *residual;        /* m, block by block */
    real *rows_rate;       /* A' (m x n), Y' (n) of one block: the rate form's */
    real *partial;         /* the same at fixed g */
    int steered;           /* in this step forces take these controls, not those that are held: */
    real *controls;        /* block by block */
    double *lane_controls; /* lane after lane; LANES > 1 */
} lg_stages;

LG_ENGINE void lg_sweep_choose(lg_stages *o, const lg_plan *P);
/* Both functions return 0, or 1 with w->failure set. */
LG_ENGINE int lg_stages_solve(lg_workspace *w, lg_stage_task *task);
/* Evaluates the right sides: task->memory is g, p, lambda at the stages; task->rates becomes g', p' and A xi - b there
 * (rate form: g', p', lambda; the lambda of memory is not read). */
LG_ENGINE int lg_stages_fields(lg_workspace *w, lg_stage_task *task);

/* The length of a row of n numbers and `sides` right sides, both rounded up to whole vectors of any width. */
enum { LG_ROW_STEP = 8 };
static inline int lg_row_stride(int n, int sides)
{
    return (n + LG_ROW_STEP - 1) / LG_ROW_STEP * LG_ROW_STEP + (sides + LG_ROW_STEP - 1) / LG_ROW_STEP * LG_ROW_STEP;
}
/* Solves A [x_1, x_2, ...] = right sides, which become x_1, x_2, ...; A is overwritten. Rows are aligned to LG_ALIGN,
 * and their padding must be finite. Returns 1 if a pivot is 0 or not finite. */
LG_ENGINE int lg_stages_eliminate(double *A, int n, int stride);

#endif
