/* SPDX-License-Identifier: BSD-3-Clause */
/* Hooks of rules whose state is p~ itself. */
#ifndef LG_INTEGRATORS_STATE_H
#define LG_INTEGRATORS_STATE_H

#include "integrators/engine/workspace.h"

LG_ENGINE const real *lg_depart_state(lg_workspace *w, duration h, const lg_node *a);
LG_ENGINE int lg_arrive_state(lg_workspace *w, duration h, const lg_node *a, lg_node *b);
LG_ENGINE int lg_begin_state(lg_workspace *w, duration h, lg_node *b, int start);

#endif
