/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss collocation as a method: the part that an integrator keeps, at width 1. The stages are solved in the lanes
 * of a wide workspace (stages.h), or here if the machine, the system's groups or the number of stages require that. The
 * engine calls these functions. */
#ifndef LG_INTEGRATORS_COLLOCATION_H
#define LG_INTEGRATORS_COLLOCATION_H

#include "integrators/collocation/adaptive.h"
#include "integrators/collocation/controls.h"
#include "integrators/collocation/stages.h"
#include "integrators/engine/wide.h"

/* A larger relative error of the kinetic energy is neither round-off nor truncation of the method. */
#define PROJECTION_SHARE 0.1
/* Projections onto phi = 0 stop at round-off, or when they no longer improve. */
enum { PROJECTION_ITERATIONS = 20 };

typedef struct lg_collocation {
    lg_tableau tableau;
    lg_wide *wide;              /* NULL: stages are solved at width 1 */
    double *rates, *memory;     /* at the stages of this step, and of the last accepted one */
    double span;                /* the length of that step; 0: no step yet */
    double at;                  /* the position of the state in it: 1 its end, 0 its beginning */
    lg_extension extension;     /* continues the memory */
    double *values;             /* copies of the parameters and controls of the wide workspace */
    int current;                /* the wide workspace has the constants, and `values` are set */
    int moving;                 /* that of lg_stage_task, of this step */
    double factor;              /* the one that kept the energy at the last node; NaN: it was not kept */
    int fixed;                  /* 1 while nodes are differenced: they use this factor, and set the energies below */
    double kinetic, potential;  /* energies at the node before the factor is applied */
    double defect, contraction; /* those of lg_stage_task, of this step */
    lg_step_size step_size;     /* of a tolerance */
    lg_pause pause;             /* may stop it between nodes */
    double *around;             /* rates of the step that an error measurement halves */
    lg_controls controls;       /* inside a step */
} lg_collocation;

/* The size in bytes of an lg_collocation with its wide workspace, and its binding; `memory` is aligned to LG_ALIGN. */
size_t lg_collocation_bytes(const lg_plan *plan);
/* The number of rates at all stages. */
size_t lg_collocation_rates(const lg_plan *plan);
lg_collocation *lg_collocation_bind(void *memory, const lg_plan *plan);

#if LANES == 1

/* Call this after the constants have changed. */
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

/* Solves for the rates at the stages of a step of length h from node a, which is at `at` of the remembered step. */
int lg_collocation_solve(lg_workspace *w, double h, double at, const lg_node *a);
/* lg_collocation_solve(), predicted from the rates of a step of length `span` in which it begins at `at`; NULL: from
 * nothing. */
int lg_collocation_solve_from(lg_workspace *w, double h, const lg_node *a, const double *rates, double span, double at);
/* The right sides g', p' and A xi - b (rate form: lambda) at the stages of a step of length h from time t; `at` holds
 * g, p, lambda there. Both arrays are in the order of the rates. */
int lg_collocation_fields(lg_workspace *w, double h, double t, const double *at, double *fields);
/* lg_stages_eliminate() at the width at which stages are solved. */
int lg_collocation_eliminate(const lg_workspace *w, double *A, int n, int stride);
/* Computes b->g and b->p_plus from the rates. */
void lg_collocation_sum(lg_workspace *w, double h, const lg_node *a, lg_node *b);
/* The state at the fraction s of the last step, at node `to`: a step of that length from its beginning. Later steps are
 * not affected. */
int lg_collocation_inside(lg_workspace *w, double s, lg_node *to);
/* Projects node b, whose g and p_plus the stages gave, onto the constraints, and completes it. */
int lg_collocation_arrive(lg_workspace *w, const lg_node *a, lg_node *b);
/* *H = the energy at node b, whose metric must be set. */
int lg_collocation_energy(lg_workspace *w, const lg_node *b, double *H);
/* Removes round-off from an element. */
void lg_collocation_settle(const lg_plan *P, double *g, void *work);

#endif

#endif
