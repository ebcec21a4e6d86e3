/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss collocation as a method: what an integrator keeps of it, at width 1. The stages themselves are solved in the
 * lanes of a wide workspace (stages.h), or here where the machine, the system's groups or the number of stages want
 * it. The functions are what the engine calls. */
#ifndef LG_INTEGRATORS_COLLOCATION_H
#define LG_INTEGRATORS_COLLOCATION_H

#include "integrators/collocation/adaptive.h"
#include "integrators/collocation/stages.h"
#include "integrators/engine/wide.h"

/* A kinetic energy that is off by more than this share is no round-off or truncation of ours. */
#define PROJECTION_SHARE 0.1
/* Projections onto phi = 0 stop at round-off, or where they no longer help. */
enum { PROJECTION_ITERATIONS = 20 };

typedef struct lg_collocation {
    lg_tableau tableau;
    lg_wide *wide;              /* NULL: stages are solved at width 1 */
    double *rates, *memory;     /* at the stages of this step, and of the last accepted one */
    double span;                /* the length of that step; 0: no step yet */
    double at;                  /* the position of the state in it: 1 its end, 0 its beginning */
    lg_extension extension;     /* continues the memory */
    double *values;             /* parameters and controls that the wide workspace has */
    int current;                /* it has the constants, and `values` are set */
    int moving;                 /* lg_stage_task's, of this step */
    double factor;              /* that kept the energy at the last node; NaN: it was not kept */
    int fixed;                  /* while nodes are differenced they take the factor as it is, and leave these */
    double kinetic, potential;  /* energies at the node before it */
    double defect, contraction; /* at the node before it */
    lg_step_size step_size;     /* of a tolerance */
    lg_pause pause;             /* who may stop it */
    double *around;             /* rates of the step that a measurement halves */
} lg_collocation;

/* Bytes and binding of one, with its wide workspace; `memory` is a multiple of LG_ALIGN. */
size_t lg_collocation_bytes(const lg_plan *plan);
/* Numbers of the rates at all stages. */
size_t lg_collocation_rates(const lg_plan *plan);
lg_collocation *lg_collocation_bind(void *memory, const lg_plan *plan);

#if LANES == 1

/* The constants have changed. */
void lg_collocation_reload(lg_workspace *w);
/* Forget the previous step; put the state back to its beginning; copy the memory of another workspace. */
void lg_collocation_forget(lg_workspace *w);
void lg_collocation_back(lg_workspace *w);
void lg_collocation_copy(lg_workspace *to, const lg_workspace *from);
/* Prepares node a as after a start: nothing carried, no energy to keep, no previous step. */
void lg_collocation_begin(lg_workspace *w, lg_node *a);
/* Lists the numbers that a snapshot keeps; returns the number of spans. */
int lg_collocation_spans(const lg_workspace *w, lg_span *s);
/* Lists what lg_collocation_spans() leaves out, for a checkpoint: the substeps under a tolerance. */
void lg_collocation_list(lg_workspace *w, lg_tape *t);

/* The rates at the stages of a step of length h from node a, which is at `at` of the remembered step. */
int lg_collocation_solve(lg_workspace *w, double h, double at, const lg_node *a);
/* lg_collocation_solve(), predicted from the rates of a step of length `span` in which it begins at `at`; NULL: from
 * nothing. */
int lg_collocation_solve_from(lg_workspace *w, double h, const lg_node *a, const double *rates, double span, double at);
/* The right sides of the stages of a step of length h from time t, where g, p, lambda are `at`: g', p' and A xi - b, or
 * lambda in the rate form. Both number by number as rates are. */
int lg_collocation_fields(lg_workspace *w, double h, double t, const double *at, double *fields);
/* lg_stages_eliminate(), in the lanes that the stages have. */
int lg_collocation_eliminate(const lg_workspace *w, double *A, int n, int stride);
/* Computes b->g and b->p_plus from the rates. */
void lg_collocation_sum(lg_workspace *w, double h, const lg_node *a, lg_node *b);
/* The state at the fraction s of the last step, at node `to`: a step of that length from its beginning. Later steps are
 * not affected. */
int lg_collocation_inside(lg_workspace *w, double s, lg_node *to);
/* Projects node b, whose g and p_plus the stages gave, onto the constraints, and completes it. */
int lg_collocation_arrive(lg_workspace *w, const lg_node *a, lg_node *b);
/* *H: the energy at node b, whose metric is known. */
int lg_collocation_energy(lg_workspace *w, const lg_node *b, double *H);
/* Takes round-off off an element. */
void lg_collocation_settle(const lg_plan *P, double *g, void *work);

#endif

#endif
