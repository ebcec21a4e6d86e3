/* SPDX-License-Identifier: BSD-3-Clause */
/* equations.h: what the sweeps of collocation work with, and the equations of motion at the stages of a block. A block
 * is LANES stages. */
#ifndef LG_MULTIBODY_EQUATIONS_H
#define LG_MULTIBODY_EQUATIONS_H

#include "multibody/stages.h"
#include "multibody/step.h"

typedef struct mb_stage_workspace {
    const mb_plan *plan;
    int s, blocks, numbers;
    mb_node *node;                     /* of each block: poses, coordinates, rows with their factor */
    real *state, *rate;                /* numbers, block by block */
    real *spin;                        /* w in the body's axes, block by block */
    real *lambda;                      /* block by block */
    mb_pair *own;                      /* user-supplied wrenches, block by block */
    real *columns;                     /* of the prediction */
    double at, span;                   /* its task's; span 0: not made yet */
    real *weights;                     /* h a_ij, for the length `h` */
    double h;                          /* 0: not made yet */
    mb_pair *force, *twist;            /* bodies and the world: of one block */
    mb_pair *acceleration;             /* bodies and the world: of one block */
    mb_pair *slope;                    /* two parts for each coordinate */
    real *control, *power;             /* of each motor: what its force takes, block by block; its power, and that of
                                        * drives and kinds */
    double *inputs;                    /* of one stage, what forces take of the controls */
    real *bend, *x;                    /* rows */
    double *poses, *twists, *wrenches; /* of one stage, for the caller's function */
    char *plain;                       /* blocks: 1: its rows are those of rows/point.h */
    double pushed[2];                  /* the largest force and torque on a body */
} mb_stage_workspace;

/* Lanes of a block whose stages are not repetitions. */
static inline int mb_stages_of(const mb_stage_workspace *o, int block)
{
    return o->s - block * LANES < LANES ? o->s - block * LANES : LANES;
}

/* Velocities in space of a block, into o->twist, from r' and the spins. */
LG_ENGINE void mb_stage_twists(mb_stage_workspace *o, int block);
/* f += A^T x over all rows of a block. */
LG_ENGINE void mb_stage_push(const mb_stage_workspace *o, int block, mb_pair *f, const real *x);
/* P', L', the rates of driven coordinates and lambda of a block whose poses, momenta, r' and spins are known. `factor`:
 * C is factored anew. Nonzero: the caller's function failed. */
LG_ENGINE int mb_stage_rates(mb_stage_workspace *o, mb_stage_task *task, int block, int factor);

#if LANES == 1
/* contact/events/stage.c: adds the forces of contacts to the rates of a stage. */
void mb_events_react(struct mb_events *E, mb_stage_workspace *o, const mb_stage_task *task, int stage);
#endif

#endif
