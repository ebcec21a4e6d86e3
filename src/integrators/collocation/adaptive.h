/* SPDX-License-Identifier: BSD-3-Clause */
/* Adaptive steps of collocation: a tolerance instead of a step size (docs/theory.md section 18).
 *
 * The integrator's steps are then output intervals. An *internal integrator* makes substeps along the same trajectory,
 * as long as the tolerance allows. The state at an output point inside a substep is delivered by a shorter step from
 * the beginning of that substep, which has the method's order. */
#ifndef LG_INTEGRATORS_ADAPTIVE_H
#define LG_INTEGRATORS_ADAPTIVE_H

#include "integrators/collocation/step_size.h"
#include "integrators/engine/node.h"

/* Nodes of the internal integrator: the present one, the beginning of its last substep, the end of the next one; and
 * those of a measurement: the ends of the whole step, its first half and its second half. */
enum {
    LG_INTERNAL_NOW,
    LG_INTERNAL_BEFORE,
    LG_INTERNAL_NEXT,
    LG_INTERNAL_WHOLE,
    LG_INTERNAL_HALF,
    LG_INTERNAL_END,
    LG_INTERNAL_NODES
};

#if LANES == 1
/* Adaptive steps with this tolerance from the next one on; 0: steps of the given length. */
void lg_adaptive_set(lg_workspace *w, double tolerance);
/* Copies the internal integrator of another workspace of the same plan. */
void lg_adaptive_copy(lg_workspace *to, const lg_workspace *from);
/* The nodes of the internal integrator, for a checkpoint. */
void lg_adaptive_list_nodes(lg_workspace *w, lg_tape *t);
/* The state was changed: the internal integrator restarts. */
void lg_adaptive_forget(lg_workspace *w);
/* The step from w->now to the output point at t1, h away. As lg_step(). */
int lg_adaptive_step(lg_workspace *w, double h, double t1);
/* The state at time t between the last two output points, at node `to`. */
int lg_adaptive_inside(lg_workspace *w, double t, lg_node *to);
/* *count: the number of equal substeps in a step of h from the state of w, with tolerance and step size of another
 * workspace of the same plan; 1 without a tolerance. 0, or nonzero with w->failure set. */
int lg_adaptive_substeps(lg_workspace *w, const lg_workspace *from, double h, double *count);
#endif

#endif
