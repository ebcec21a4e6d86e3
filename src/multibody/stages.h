/* SPDX-License-Identifier: BSD-3-Clause */
/* stages.h: the stages of Gauss collocation of a mechanism, side by side in the lanes of `real` (docs/theory.md section
 * 18). Per body, momenta P in space and L in its axes, w = I^-1 L:
 *
 *   r' = P/m,   q' = q (w, 0)/2,   P' = F,   L' = L x w + R^T T,
 *   (F, T) = f + A^T lambda,   C lambda = drift' - A' xi - A J^-1 (f + gyroscopic),   C = A J^-1 A^T,
 *
 * at g_i = g_0 + h sum_j a_ij g_j'. A sweep takes momenta first and poses with the new velocities; where it hardly
 * moves anything, it keeps the factor of C of an earlier one and corrects lambda. */
#ifndef LG_MULTIBODY_STAGES_H
#define LG_MULTIBODY_STAGES_H

#include <stddef.h>

#include "integrators/collocation/tableau.h"
#include "multibody/lead.h"

/* Numbers of a body's state and rates: q, r, P, L. Those of the coordinates follow all bodies'. */
enum { MB_AT_Q = 0, MB_AT_R = 4, MB_AT_P = 7, MB_AT_L = 10, MB_STATE = 13 };

/* User-supplied wrenches at a stage: adds to wrench[]; nonzero: it failed. */
typedef int (*mb_ask_fn)(void *owner, double t, const double *poses, const double *twists, double *wrench);

/* The task of a solution and its results: doubles, of no width. */
typedef struct mb_stage_task {
    const lg_tableau *tableau;
    double h, t;                   /* the step, from time t */
    const double *start;           /* the state where it departs */
    const double *control;         /* u of the motors */
    const double *act;             /* mb_motion::act */
    const double *memory;          /* rates of the last step, number i of stage j at [i s + j]; NULL: none */
    const lg_extension *extension; /* by which they continue to this one */
    double contraction;            /* of the last step's sweeps, then of these */
    double tolerance;              /* of the stages, relative */
    int sweeps_most;               /* 0: only the rates where the step departs are wanted, of all stages there */
    mb_ask_fn ask;                 /* NULL: none */
    void *owner;
    struct mb_events *events; /* contacts, at width 1 (contact/events/events.h); NULL: nothing touches */
    int accounts;             /* 1: `work` is wanted */
    double *rates;            /* as memory */
    double *reaction;         /* MB_REACTION a block of mb_room(): their means */
    double work;              /* of dampers, servos, drives, moving ground and the caller's wrenches */
    double *motor_work;       /* of each motor, drive and kind, if accounts is 1 */
    double size[2];           /* what momenta and spins were compared with */
    double defect;            /* the last change of a stage, relative */
    int sweeps;
    int callback;   /* what `ask` returned */
    mb_stray stray; /* the leader that is nowhere */
} mb_stage_task;

/* Numbers of a state. */
static inline int mb_state_numbers(const mb_plan *plan)
{
    return MB_STATE * plan->bodies + plan->coordinates;
}

/* What exists at each width. */
typedef struct mb_stages_table {
    size_t (*bytes)(const mb_plan *plan, int stages);
    /* In zeroed memory aligned to LG_ALIGN. */
    void *(*make)(void *memory, const mb_plan *plan, int stages);
    /* The plan keeps other rows than before. */
    void (*choose)(void *stages);
    /* 0; or 1: no solution, or task->callback, or task->stray. */
    int (*solve)(void *stages, mb_stage_task *task);
} mb_stages_table;

extern const mb_stages_table mb_stages_1, mb_stages_2, mb_stages_4, mb_stages_8;

#endif
