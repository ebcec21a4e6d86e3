/* SPDX-License-Identifier: BSD-3-Clause */
/* adaptive.h: adaptive steps of collocation of a mechanism, for a tolerance (docs/theory.md section 18). The motion's
 * steps are then output intervals; an internal integrator makes substeps along the same trajectory as long as the
 * tolerance allows (integrators/collocation/step_size.h). The state at an output point inside a substep is delivered
 * by a shorter step from the beginning of that substep. */
#ifndef LG_MULTIBODY_ADAPTIVE_H
#define LG_MULTIBODY_ADAPTIVE_H

#include "integrators/collocation/step_size.h"
#include "multibody/choice.h"

/* Time and work since the start; of reactions, what the blocks' add up to in time since the last output point. */
typedef struct mb_ledger {
    double t, work, *motor_work, *impulse;
} mb_ledger;

typedef struct mb_adaptive {
    lg_step_size step_size;
    lg_pause pause;           /* may stop the internal integrator */
    lg_substep_end end;       /* of the last substep: why no state was delivered */
    mb_choice *choice;        /* of the rows that are kept */
    mb_motion numbers;        /* node[now] is the internal node, the other the beginning of the last substep */
    mb_node probe;            /* of a measurement */
    double *whole;            /* of a measurement: the state after the whole step */
    double *around;           /* of a measurement: the rates of that step */
    mb_ledger now, before;    /* at those nodes */
    double momentum_scale[2]; /* the largest momentum and spin so far */
} mb_adaptive;

/* With memory for the motion's stages; NULL while the arena is measured. */
mb_adaptive *mb_adaptive_carve(lg_arena *a, const mb_plan *plan, int s);
/* Adaptive steps with this tolerance; 0: steps of the given length. */
void mb_adaptive_set(mb_adaptive *c, double tolerance);
/* The state was changed: the internal integrator restarts. */
static inline void mb_adaptive_forget(mb_adaptive *c)
{
    c->step_size = (lg_step_size){.tolerance = c->step_size.tolerance};
}
/* The step from m->node[m->now], whose ledger is `from`, to the output point at t1, h away; work goes into m, as by
 * mb_step(). 0; or 1 and m stays where it was: c->end may say why. */
int mb_adaptive_step(mb_adaptive *c, mb_motion *m, const mb_ledger *from, double h, double t1);

#endif
