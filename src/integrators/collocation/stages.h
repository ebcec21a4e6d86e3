/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages of Gauss collocation, side by side in the lanes of `real` (docs/theory.md section 18). With nodes c_i and
 * coefficients a_ij on [0, 1],
 *   g_i = g_0 + h sum_j a_ij g_j',          g_i' = g_i xi_i^ in the numbers of an element, xi_i = J^-1 p_i
 *   p_i = p_0 + h sum_j a_ij p_j',          p_i' = ad*_xi p_i + dT - dV + f + A_i^T lambda_i
 *   stage form: A_i xi_i = b_i              rate form: A_i xi_i' = b_i' - A_i' xi_i
 * solved by fixed-point iteration from what the last step's polynomial predicts. The sums have one order at every
 * width, and so the results the same bits. */
#ifndef LG_INTEGRATORS_STAGES_H
#define LG_INTEGRATORS_STAGES_H

#include "integrators/collocation/tableau.h"
#include "integrators/engine/node.h"

/* The task and its result, as doubles, at every width. */
typedef struct lg_stage_task {
    const lg_tableau *tableau;
    int anew;                      /* 1: constant rows and metric may have changed since the task before */
    double h, t;                   /* the step, from time t */
    const double *g, *p;           /* where it departs */
    const double *memory;          /* rates at the stages of another step, number by number; NULL: none */
    const lg_extension *extension; /* by which they continue to this one */
    double tolerance;              /* of the stages, relative */
    double momentum_scale;         /* what changes of momenta are compared with at least */
    int sweeps_most;
    double *rates;      /* g', p', lambda at the stages: number i of stage j at [i s + j] */
    double defect;      /* the last change of a stage, relative */
    double contraction; /* of the sweeps */
    int sweeps;
    int moving; /* 1: rows with a right side that is not 0 at some stage */
} lg_stage_task;

/* Of all blocks: g' alone, by momenta that have been placed; all rates. Stage form: before that the free momenta onto
 * their rows, and each block's largest change in every lane. Whichever of these two is first looks at the fields. 0, or
 * 1 with w->failure set. */
typedef int (*lg_stages_rates)(lg_workspace *w);
typedef int (*lg_stages_puts)(lg_workspace *w, real *change);

/* At one width. A block is LANES stages; lanes beyond the last stage repeat it. */
typedef struct lg_stages {
    int blocks;
    lg_stages_rates follow, rates; /* for the plan's shape (sweep.c) */
    lg_stages_puts puts;
    int can_lead; /* momenta lead from the second sweep on */
    int leads;    /* in this sweep momenta are placed before elements, by the fields of the sweep before */
    int at_once, along_at_once; /* callbacks see a block at once in this step; derivatives of rows do */
    int spreads;                /* some callback that is called here sees one lane */
    /* callbacks; NULL: by engine/callbacks.h */
    lg_covectors_fn covectors;
    lg_field_fn gradient;
    lg_covectors_along_fn row_rates;
    lg_together_fn together;       /* these three in one; NULL: one after another */
    lg_call *call;                 /* what they get, block by block */
    lg_node *node[LG_STAGES_MOST]; /* a block's configuration, momentum (p_tilde), rows, ... */
    /* where sweeps place each block's g and p; the stage form's momenta, not on their rows yet, in `free_momenta` */
    real *elements[LG_STAGES_MOST], *momenta[LG_STAGES_MOST];
    double at, span;                 /* of the prediction; span 0: not computed yet */
    real *columns;                   /* of the prediction's matrix; not computed if span is 0 */
    real *weights;                   /* h a_ij, s columns of blocks; for the length `h` */
    double h;                        /* 0: not computed yet */
    real *inverse;                   /* a^-1 / h for the length `h`, in the stage form */
    real *rate;                      /* g', p', lambda, block by block */
    real *vector, *element, *matrix; /* n, two elements, n x n: scratch of generic factors, at width 1 */
    /* for callbacks that see one lane, lane after lane; LANES > 1 */
    lg_call *lane_call;  /* what they get */
    double *apart;       /* configurations */
    real *answers;       /* what they return, of one block */
    real *free_momenta;  /* of a sweep, before they are put onto their rows, block by block */
    real *velocity;      /* xi, of one block */
    real *force, *extra; /* n: of one block */
    real *raised, *gram; /* A J^-1, its Gram matrix: of one block */
    real *residual;      /* m, block by block */
    real *rows_rate;     /* A' (m x n), Y' (n) of one block: the rate form's */
    real *partial;       /* the same at fixed g */
} lg_stages;

LG_ENGINE void lg_sweep_choose(lg_stages *o, const lg_plan *P);
/* Both: 0; or 1 with w->failure set. */
LG_ENGINE int lg_stages_solve(lg_workspace *w, lg_stage_task *task);
/* The right sides alone: task->memory is g, p, lambda at the stages, task->rates becomes g', p' and A xi - b there (in
 * the rate form g', p', lambda, and that in memory is not read). */
LG_ENGINE int lg_stages_fields(lg_workspace *w, lg_stage_task *task);

/* Rows of n numbers and of `sides` right sides, each rounded up to whole vectors of any width. */
enum { LG_ROW_STEP = 8 };
static inline int lg_row_stride(int n, int sides)
{
    return (n + LG_ROW_STEP - 1) / LG_ROW_STEP * LG_ROW_STEP + (sides + LG_ROW_STEP - 1) / LG_ROW_STEP * LG_ROW_STEP;
}
/* A [x_1, x_2, ...] = the right sides, which become x_1, x_2, ...; A is lost. Aligned to LG_ALIGN; what rounding up
 * added is finite. 1: a pivot is 0 or not finite. */
LG_ENGINE int lg_stages_eliminate(double *A, int n, int stride);

#endif
