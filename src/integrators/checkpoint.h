/* SPDX-License-Identifier: BSD-3-Clause */
/* What a checkpoint of an integrator has, for those that hold one (base/checkpoint.h). */
#ifndef LG_INTEGRATORS_CHECKPOINT_H
#define LG_INTEGRATORS_CHECKPOINT_H

#include "base/checkpoint.h"
#include "integrators/integrator.h"

void lg_integrator_describe(lg_lines *l, const void *it);
void lg_integrator_list(lg_tape *t, void *it);

#endif
