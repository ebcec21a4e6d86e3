/* SPDX-License-Identifier: BSD-3-Clause */
/* saddle.h: the symbolic factor that Newton's method uses. */
#ifndef LG_MULTIBODY_SADDLE_H
#define LG_MULTIBODY_SADDLE_H

#include "multibody/graph.h"

/* Makes plan->saddle from the plan's blocks, joints and springs. 0: out of memory; then there is nothing to free. */
int mb_saddle_make(mb_plan *plan);
void mb_saddle_free(mb_saddle *s);

#endif
