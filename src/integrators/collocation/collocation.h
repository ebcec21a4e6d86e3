/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss collocation as a method: what an integrator keeps of it, at width 1. The stages themselves are solved in the
 * lanes of a wide workspace (stages.h), or here where the machine, the system's groups or the number of stages want
 * it. */
#ifndef LG_INTEGRATORS_COLLOCATION_H
#define LG_INTEGRATORS_COLLOCATION_H

#include "integrators/collocation/pace.h"
#include "integrators/collocation/stages.h"
#include "integrators/engine/wide.h"

typedef struct lg_collocation {
    lg_tableau tableau;
    lg_wide *wide;              /* NULL: stages are solved at width 1 */
    double *rates, *memory;     /* at the stages of this step, and of the last one that was accepted */
    double span;                /* its length; 0: there is none */
    double at;                  /* where the state is in it: 1 its end, 0 its beginning */
    lg_extension extension;     /* continues the memory */
    double *values;             /* parameters and controls that the wide workspace has */
    int current;                /* it has the constants, and `values` are set */
    int moving;                 /* lg_stage_task's, of this step */
    double factor;              /* that kept the energy at the last node; NaN: it was not kept */
    int fixed;                  /* while nodes are differenced they take the factor as it is, and leave these */
    double kinetic, potential;  /* energies at the node before it */
    double defect, contraction; /* likewise */
    lg_pace pace;               /* of a tolerance */
    lg_pause pause;             /* who may stop it */
    double *around;             /* rates of the step that a measurement halves */
} lg_collocation;

/* Bytes and binding of one, with its wide workspace; `memory` is a multiple of LG_ALIGN. */
size_t lg_collocation_bytes(const lg_plan *plan);
/* Numbers of the rates at all stages. */
size_t lg_collocation_rates(const lg_plan *plan);
lg_collocation *lg_collocation_bind(void *memory, const lg_plan *plan);

#endif
