/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of collocation that the library finds: a tolerance instead of a step (docs/theory.md section 18).
 *
 * The integrator's own steps are then the rows that somebody wants; a *carrier* goes its own steps along the same
 * trajectory, as long as the tolerance allows. Where a row falls inside one of these, its state is that of a shorter
 * step from where the carrier's began, to the method's order. */
#ifndef LG_INTEGRATORS_PACE_H
#define LG_INTEGRATORS_PACE_H

#include "integrators/collocation/length.h"
#include "integrators/engine/node.h"

/* The carrier's nodes: where it is, where its last step began, where the next one ends; and those of a measurement. */
enum { LG_CARRIER, LG_CARRIER_BEFORE, LG_CARRIER_NEXT, LG_CARRIER_WHOLE, LG_CARRIER_HALF, LG_CARRIER_END, LG_CARRIERS };

#if LANES == 1
/* Steps of that tolerance from the next one on; 0: of the method's own length. */
void lg_pace_set(lg_workspace *w, double tolerance);
/* What another workspace of the same plan is at. */
void lg_pace_copy(lg_workspace *to, const lg_workspace *from);
/* Where its carrier is, for a checkpoint. */
void lg_pace_list_nodes(lg_workspace *w, lg_tape *t);
/* The trajectory is another one from here on. */
void lg_pace_forget(lg_workspace *w);
/* The row at t1 from that at w->now, which is h away. As lg_step(). */
int lg_pace_step(lg_workspace *w, double h, double t1);
/* The state at time t between the last two rows, at node `to`. */
int lg_pace_inside(lg_workspace *w, double t, lg_node *to);
/* Into how many steps of one length a step of h falls from where w is, with the tolerance and the length that another
 * workspace of the same plan has; 1 without a tolerance. 0, or nonzero with w->failure set. */
int lg_pace_legs(lg_workspace *w, const lg_workspace *from, double h, double *count);
#endif

#endif
