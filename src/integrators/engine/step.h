/* SPDX-License-Identifier: BSD-3-Clause */
/* A step, and its parts for those who need one of them alone (linearisations). */
#ifndef LG_INTEGRATORS_STEP_H
#define LG_INTEGRATORS_STEP_H

#include "integrators/engine/node.h"

/* One step from w->now to w->next, lane l to time t1[l], then they change places. On failure nothing changes but
 * w->failure, and the history where a step has several sub-steps; beyond width 1 not even that. */
LG_ENGINE int lg_step(lg_workspace *w, double h, const double *t1);
/* The step from a to b without its arrival: b->g, b->xi, b->p_plus. */
LG_ENGINE int lg_step_move(lg_workspace *w, double h, const lg_node *a, lg_node *b);
/* An implicit step's residual R at a trial xi. */
LG_ENGINE int lg_step_residual(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b, real *R);
#if LANES == 1
/* Is the node that a step of length h led to worth nothing? With w->failure set. */
int lg_step_is_astray(lg_workspace *w, double h, const lg_node *b);
/* Takes the last step back. */
void lg_step_back(lg_workspace *w);
#endif

#endif
