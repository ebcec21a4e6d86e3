/* SPDX-License-Identifier: BSD-3-Clause */
/* A workspace: the numbers of one integrator, in `real`, in one block that workspace.c sizes and binds. Each part of
 * the engine keeps its numbers in a struct of its own header. */
#ifndef LG_INTEGRATORS_WORKSPACE_H
#define LG_INTEGRATORS_WORKSPACE_H

#include "base/arena.h"
#include "integrators/collocation/adaptive.h"
#include "integrators/collocation/stages.h"
#include "integrators/engine/failure.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/solver.h"
#include "integrators/engine/span.h"
#include "integrators/factors/factor.h"
#include "integrators/rules/multipliers.h"
#include "integrators/rules/reflection.h"
#include "integrators/steps/energy_momentum.h"
#include "integrators/steps/variational.h"
#include "mechanics/field.h"

/* What does not change from step to step; NULL where it does. Nodes point to the first six. */
typedef struct lg_constants {
    real *metric, *metric_inverse;             /* J, J^-1, n x n, or diagonals where plan->diagonal */
    real *rows;                                /* A, m x n */
    real *frame, *frame_raised, *frame_factor; /* N, N J^-1, L, as in lg_node */
    real *projector_inverse;                   /* J'^-1, n x n, where the projectors' metric is not the kinetic one */
    real *reflector;                           /* K = C^-1 A J'^-1, m x n: p^- = p^+ - 2 A^T (K p^+ - K J Y) */
    real *reflector_rest;                      /* what rounding took off K, of compensated steps; else NULL */
    real *reflector_drift;                     /* K J, m x n */
    real *given_rows, *given_projector;        /* the system's covector_matrix and projector_metric */
} lg_constants;

/* rules/middle.c */
typedef struct lg_middle_scratch {
    lg_node *node;     /* in the middle of the step */
    real *kicked;      /* its momentum after the kick of the potential, n */
    real *rows_raised; /* A_1 J_1^-1, m x n */
    real *matrix;      /* h A_1 J_1^-1 A_m^T, m x m */
    real *residual;    /* b_1 - A_1 J_1^-1 p_1, m */
} lg_middle_scratch;

/* Implicit steps. A plan has one rule and one free step. */
typedef struct lg_implicit {
    lg_trial trial;
    lg_solver_scratch solver;
    lg_multiplier_scratch multiplier;
    lg_holonomic_scratch holonomic;
    union {
        lg_shared_scratch shared;     /* LG_NEEDS_FRAME */
        lg_discrete_scratch discrete; /* else */
    };
    union {
        lg_arc_scratch arc;               /* LG_ACTS_ALONG_ARC */
        lg_lagrangian_scratch lagrangian; /* else */
    };
} lg_implicit;

struct lg_workspace {
    const lg_plan *plan;
    lg_field *field;
    lg_constants constants;

    lg_node *now, *next;        /* where the last step ended, and where the next one does; then they change places */
    lg_node *spare;             /* with several sub-steps */
    const lg_node *destination; /* the node that the step is on its way to */
    real length;                /* of the step from next to now; 0: next is no node of the trajectory */

    lg_block *blocks; /* explicit steps: a flow a factor */
    real *kicked;     /* p^- - w_0 h dV, n */
    union {
        real flow_iterations; /* explicit: of the step's flows so far, beyond width 1 */
        real energy;          /* solved: H(t, g, p~) where the last step or sub-step ended; NaN: not known */
    };
    lg_reflection_scratch reflection;
    real *compensation;          /* of compensated steps: dp, x of n, dg, W of an element */
    lg_middle_scratch *middle;   /* NULL unless LG_NEEDS_MIDDLE */
    lg_implicit *implicit;       /* NULL where every step is explicit */
    lg_history *history;         /* one a sub-step; NULL where every step is explicit */
    lg_history *undo;            /* the history before the step, beyond width 1 with several sub-steps */
    double advice;               /* a step that would succeed, where one failed for its length; 0: not known */
    int sweeps;                  /* of the stages of collocation */
    int evaluations;             /* of the residual in this step */
    real force_noise, row_noise; /* lg_field's, in every lane (inexact.h) */
    int substep;                 /* the one at work */

    struct lg_collocation *collocation;   /* width 1, of such a method; else NULL */
    lg_node *internal[LG_INTERNAL_NODES]; /* of its tolerance */
    lg_stages *stages;                    /* at the width at which its stages are solved; else NULL */
    struct lg_instances *instances;       /* of collocation beyond width 1, where the lanes are instances; else NULL */
    struct lg_lanes *lanes;               /* how callbacks see them, beyond width 1 */
    real *vector;                         /* n numbers, free for use within one function */
    double *dense;                        /* scratch of generic factors, of starts and of continuous multipliers */
    void *scratch;                        /* of group and retraction */

    double tolerance; /* of Newton in explicit steps */
    int iterations_max;
    double implicit_tolerance;
    int evaluations_max;
    lg_failure failure;
};

LG_ENGINE size_t lg_workspace_bytes(const lg_plan *plan, lg_field *field);
LG_ENGINE lg_workspace *lg_workspace_bind(void *memory, const lg_plan *plan, lg_field *field);
#if LANES == 1
/* The constants from the system's numbers. 0, or nonzero with w->failure set. */
int lg_workspace_load(lg_workspace *w);
/* What lg_workspace::dense takes: generic.c, start.c, accelerations.c. */
size_t lg_dense_bytes(const lg_plan *plan);
size_t lg_start_bytes(const lg_plan *plan, const lg_field *field);
size_t lg_accelerations_bytes(const lg_field *field);
#endif

/* spans.c: the arrays that differ between instances, in the same order at every width: what never changes, of the whole
 * and of a block; a node (0: now, 1: next), the history of a sub-step. Each returns how many; there are at most
 * LG_SPANS. */
LG_ENGINE int lg_workspace_constants(const lg_workspace *w, lg_span *s);
LG_ENGINE int lg_workspace_block(const lg_workspace *w, int block, lg_span *s);
LG_ENGINE int lg_workspace_node(const lg_workspace *w, int which, lg_span *s);
/* Of any node of the workspace. */
LG_ENGINE int lg_workspace_node_spans(const lg_workspace *w, const lg_node *b, lg_span *s);
LG_ENGINE int lg_workspace_history(const lg_workspace *w, int stage, lg_span *s);
/* Of node now, what the step to come begins with: the snapshot (wide.h) without the history. */
LG_ENGINE int lg_workspace_state(const lg_workspace *w, lg_span *s);
/* How many numbers lg_workspace_state() and lg_workspace_history() have, the latter for a sub-step of a solved step. */
LG_ENGINE size_t lg_state_size(const lg_plan *plan);
LG_ENGINE size_t lg_history_size(const lg_plan *plan);

/* ---- failures: each returns 1 ---- */

static inline int lg_workspace_fail(lg_workspace *w, lg_status status, const char *what, int code, int iterations,
                                    double residual)
{
    w->failure = (lg_failure){status, what, code, iterations, residual};
    return 1;
}

static inline int lg_workspace_fail_status(lg_workspace *w, lg_status status, const char *what)
{
    return lg_workspace_fail(w, status, what, 0, 0, 0);
}

/* Row `bad` (from 1, holonomic constraints first) depends on those before it. */
static inline int lg_workspace_fail_row(lg_workspace *w, int bad)
{
    const int holonomic = w->plan->holonomic;
    return lg_workspace_fail(w, LG_ERROR_SINGULAR, bad <= holonomic ? "holonomic_differential" : "covectors",
                             bad <= holonomic ? bad : bad - holonomic, 0, 0);
}

/* The callback that w->field says failed returned `code`. */
static inline int lg_workspace_fail_callback(lg_workspace *w, int code)
{
    return lg_workspace_fail(w, LG_ERROR_CALLBACK, w->field->failed, code, 0, 0);
}

#endif
