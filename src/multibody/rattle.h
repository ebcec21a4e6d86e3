/* SPDX-License-Identifier: BSD-3-Clause */
/* rattle.h: the variational step, for mechanisms whose rows are all holonomic. */
#ifndef LG_MULTIBODY_RATTLE_H
#define LG_MULTIBODY_RATTLE_H

#include "multibody/convergence.h"

/* From guesses of xi and lambda0 (x.mu) to node n1. 0: in a lane there is no solution. */
LG_ENGINE int mb_rattle(mb_motion *m, const mb_node *n0, mb_node *n1, double h, mb_convergence *convergence);

#endif
