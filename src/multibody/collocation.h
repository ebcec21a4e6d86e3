/* SPDX-License-Identifier: BSD-3-Clause */
/* collocation.h: Gauss collocation as the step of a motion, at width 1. Its stages are solved in lanes (stages.h). */
#ifndef LG_MULTIBODY_COLLOCATION_H
#define LG_MULTIBODY_COLLOCATION_H

#include "multibody/stages.h"
#include "multibody/step.h"

typedef struct mb_collocation {
    lg_tableau tableau;
    const mb_stages_table *table;
    void *stages;
    double *start;          /* the state of the step in the numbers of stages.h */
    double *rates, *memory; /* at the stages of this step, and of the last one that was accepted */
    double span;            /* its length; 0: no step was made yet */
    lg_extension extension; /* continues the memory */
    double t;               /* of the node that a step departs from */
    double size[2];         /* of momenta and spins in the last step, and of what may change them */
    int sweeps_most;
    double contraction;       /* of the last sweeps */
    double kept;              /* H since it is conserved; NaN: to be taken anew */
    double tolerance;         /* of the stages */
    double open;              /* |phi| before it was closed, relative to the reach or 1 */
    double miss;              /* the balance of energy before that was kept, relative to max(T, |V|), or `slight` */
    double slight;            /* an energy below which nothing is compared with energies */
    double defect;            /* the last change of the stages */
    double *reaction;         /* MB_REACTION a block of mb_room(): the means over the last step */
    mb_ask_fn ask;            /* the caller's wrenches at a stage; NULL: none */
    void *owner;              /* its first argument */
    struct mb_events *events; /* contacts (contact/events/events.h); NULL: nothing touches */
} mb_collocation;

/* Rates from which a step is predicted: those of one of length `span`, of which this one begins at the part `at`. */
typedef struct mb_guide {
    const double *rates;
    double span, at;
} mb_guide;

/* With memory for `s` stages; NULL while the arena is measured. */
mb_collocation *mb_collocation_carve(lg_arena *a, const mb_plan *plan, int s);
/* The next step is another trajectory's. */
void mb_collocation_forget(mb_collocation *o);
/* A step of h from node n0 to n1. 0: there is no solution, or the caller's function failed. */
int mb_collocate(mb_motion *m, const mb_node *n0, mb_node *n1, double h, const mb_guide *guide);
/* The rates at a node at time t: those of contacts, in mb_events, are of interest. 0: as of a step. */
int mb_collocation_probe(mb_motion *m, const mb_node *n, double t);
/* The step that was made is remembered: the next one continues from it. */
void mb_collocation_keep(mb_collocation *o, double h);
/* The guide from that memory. */
static inline mb_guide mb_collocation_memory(const mb_collocation *o)
{
    return (mb_guide){o->memory, o->span, 1};
}

#endif
