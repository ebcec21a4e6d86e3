/* SPDX-License-Identifier: BSD-3-Clause */
/* What the engine calls of collocation, at width 1. */
#ifndef LG_INTEGRATORS_ARRIVAL_H
#define LG_INTEGRATORS_ARRIVAL_H

#include "integrators/engine/workspace.h"

#if LANES == 1

/* The constants have changed. */
void lg_collocation_reload(lg_workspace *w);
/* Nothing is known of a step before; the state is where the last one began; what is known in another workspace. */
void lg_collocation_forget(lg_workspace *w);
void lg_collocation_back(lg_workspace *w);
void lg_collocation_copy(lg_workspace *to, const lg_workspace *from);
/* What is known, for a snapshot: how many spans. */
int lg_collocation_spans(const lg_workspace *w, lg_span *s);

/* The rates at the stages of a step of length h from node a, which is at `at` of the remembered step. */
int lg_collocation_solve(lg_workspace *w, double h, double at, const lg_node *a);
/* Node b, whose g and p_plus the stages gave, onto the constraints, and all that follows. */
int lg_collocation_arrive(lg_workspace *w, const lg_node *a, lg_node *b);
/* The state at the fraction s of the last step, 0 < s <= 1 and w->length not 0, as a step of that length from w->next
 * gives it: of the method's order, on the constraints. `to` is a node beside these two, such as w->spare; what later
 * steps do stays the same to the bit. 0; or 1 with w->failure set. */
int lg_collocation_inside(lg_workspace *w, double s, lg_node *to);
/* Node a is a state by itself: its own energy is kept, and no round-off is known; nothing but for collocation. */
void lg_collocation_depart(lg_workspace *w, lg_node *a);
/* What the next arrival decides on its energy holds for those that follow. */
void lg_collocation_pin(lg_workspace *w);
/* The same, and the steps that follow begin near the beginning of the one just solved, of length h. */
void lg_collocation_stay(lg_workspace *w, double h);
/* Takes round-off off an element. */
void lg_collocation_settle(const lg_plan *P, double *g, void *work);

#endif

#endif
