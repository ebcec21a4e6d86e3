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

/* Constants of all steps; NULL for those that change. Nodes point to the first six. */
typedef struct lg_constants {
    real *metric, *metric_inverse;             /* J, J^-1, n x n, or diagonals where plan->diagonal */
    real *rows;                                /* A, m x n */
    real *frame, *frame_raised, *frame_factor; /* N, N J^-1, L, as in lg_node */
    real *projector_inverse;                   /* J'^-1, n x n, if the projectors' metric is not the kinetic one */
    real *reflector;                           /* K = C^-1 A J'^-1, m x n: p^- = p^+ - 2 A^T (K p^+ - K J Y) */
    real *reflector_rest;                      /* the rounding error of K, for compensated steps; else NULL */
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

    lg_node *now, *next;        /* ends of the last and of the next step; swapped after each step */
    lg_node *spare;             /* with several sub-steps */
    const lg_node *destination; /* the node to which the step leads */
    real length;                /* of the step from next to now; 0: next is not a node of the trajectory */

    lg_block *blocks; /* explicit steps: one flow per factor */
    real *kicked;     /* p^- - w_0 h dV, n */
    union {
        real flow_iterations; /* explicit steps: total of the step's flows so far, beyond width 1 */
        real energy;          /* implicit steps: H(t, g, p~) at the end of the last (sub-)step; NaN: unknown */
    };
    lg_reflection_scratch reflection;
    real *compensation;          /* of compensated steps: dp, x of n, dg, W of an element */
    lg_middle_scratch *middle;   /* NULL unless LG_NEEDS_MIDDLE */
    lg_implicit *implicit;       /* NULL where every step is explicit */
    lg_history *history;         /* one a sub-step; NULL where every step is explicit */
    lg_history *undo;            /* the history before the step, beyond width 1 with several sub-steps */
    double advice;               /* a step that would succeed, where one failed for its length; 0: not known */
    int sweeps;                  /* number of sweeps of collocation */
    int evaluations;             /* number of residuals in this step */
    real force_noise, row_noise; /* those of lg_field, in every lane (inexact.h) */
    int substep;                 /* the current one */

    struct lg_collocation *collocation;   /* collocation at width 1; else NULL */
    lg_node *internal[LG_INTERNAL_NODES]; /* of substeps under a tolerance */
    lg_stages *stages;                    /* collocation, at the width of its stages; else NULL */
    struct lg_instances *instances;       /* collocation beyond width 1, with instances as lanes; else NULL */
    struct lg_lanes *lanes;               /* arguments for callbacks that see one lane, beyond width 1 */
    real *vector;                         /* n numbers, free for use within one function */
    double *dense;                        /* scratch of generic factors, of starts and of continuous multipliers */
    void *scratch;                        /* of group and retraction */

    double tolerance; /* of Newton's iteration in explicit steps */
    int iterations_max;
    double implicit_tolerance;
    int evaluations_max;
    lg_failure failure;
};

LG_ENGINE size_t lg_workspace_bytes(const lg_plan *plan, lg_field *field);
#if LG_IS_SMOOTH
/* The size of lg_workspace::dense for generic.c and points.c. */
LG_ENGINE size_t lg_dense_bytes(const lg_plan *plan);
#endif
LG_ENGINE lg_workspace *lg_workspace_bind(void *memory, const lg_plan *plan, lg_field *field);
#if LANES == 1
/* Computes the constants from the system's numbers. 0, or nonzero with w->failure set. */
int lg_workspace_load(lg_workspace *w);
/* The size of lg_workspace::dense for start.c, accelerations.c. */
size_t lg_start_bytes(const lg_plan *plan, const lg_field *field);
size_t lg_accelerations_bytes(const lg_field *field);
#endif

/* spans.c: list the arrays that differ between instances, in one order at every width: the constants, of the
 * whole and of a block; a node (0: now, 1: next); the history of a sub-step. Each returns the number of spans, at most
 * LG_SPANS. */
LG_ENGINE int lg_workspace_constants(const lg_workspace *w, lg_span *s);
LG_ENGINE int lg_workspace_block(const lg_workspace *w, int block, lg_span *s);
LG_ENGINE int lg_workspace_node(const lg_workspace *w, int which, lg_span *s);
/* The spans of any node of the workspace. */
LG_ENGINE int lg_workspace_node_spans(const lg_workspace *w, const lg_node *b, lg_span *s);
LG_ENGINE int lg_workspace_history(const lg_workspace *w, int stage, lg_span *s);
/* The spans of node now from which the next step begins: the snapshot (wide.h) without the history. */
LG_ENGINE int lg_workspace_state(const lg_workspace *w, lg_span *s);
/* The sizes of lg_workspace_state() and lg_workspace_history(), the latter for one sub-step of an implicit step. */
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

/* The callback that failed according to w->field returned `code`. */
static inline int lg_workspace_fail_callback(lg_workspace *w, int code)
{
    return lg_workspace_fail(w, LG_ERROR_CALLBACK, w->field->failed, code, 0, 0);
}

#endif
