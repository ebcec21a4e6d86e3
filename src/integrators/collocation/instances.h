/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss collocation with instances in the lanes, beyond width 1: the stages of a step follow one another. Where one
 * instance has its stages side by side (stages.h), a block here is one stage of LANES instances. Each number is made by
 * the same operations in the same order, and so each instance has the bits that it has alone. */
#ifndef LG_INTEGRATORS_COLLOCATION_INSTANCES_H
#define LG_INTEGRATORS_COLLOCATION_INSTANCES_H

#include "integrators/collocation/stages.h"
#include "integrators/engine/span.h"

/* What collocation.h has of one instance. */
typedef struct lg_instances {
    lg_tableau tableau;
    real *rates, *memory; /* of this step, and of the last accepted one: number i of stage j at [i s + j] */
    real span, at;        /* the length of that step, 0 if there is no step yet, and the state's position in it */
    mask moving;          /* rows with a right side that is not 0 at some stage */
    real sweeps;
    double weights[LG_STAGES_MOST * LG_STAGES_MOST]; /* h a_ij */
    double inverse[LG_STAGES_MOST * LG_STAGES_MOST]; /* a^-1 / h */
    double h;                                        /* of these; 0: not made yet */
    duration length;                                 /* of the step */
    lg_extension extension;                          /* continues the memory */
} lg_instances;

#if LANES > 1
/* Lists the memory of the previous step, the spans of lg_collocation_spans(); returns their number. */
LG_ENGINE int lg_instances_spans(lg_instances *o, const lg_plan *P, lg_span *s);
#endif

#endif
