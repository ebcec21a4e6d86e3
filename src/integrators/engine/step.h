/* SPDX-License-Identifier: BSD-3-Clause */
/* A step, and its parts for linearisations. */
#ifndef LG_INTEGRATORS_STEP_H
#define LG_INTEGRATORS_STEP_H

#include "integrators/engine/node.h"

/* One step from w->now to w->next, lane l to time t1[l]; then the two are swapped. A failure changes only
 * w->failure, and at width 1 the history if a step has several sub-steps. */
LG_ENGINE int lg_step(lg_workspace *w, duration h, const double *t1);
/* The step from a to b without its arrival: b->g, b->xi, b->p_plus. */
LG_ENGINE int lg_step_move(lg_workspace *w, duration h, const lg_node *a, lg_node *b);
/* An implicit step's residual R at a trial xi. */
LG_ENGINE int lg_step_residual(lg_workspace *w, duration h, const lg_node *a, const real *xi, lg_node *b, real *R);
#if LANES == 1
/* Is the node at the end of a step of length h invalid? If so, sets w->failure. */
int lg_step_is_astray(lg_workspace *w, duration h, const lg_node *b);
/* Undoes the last step. */
void lg_step_back(lg_workspace *w);
#endif

#endif
