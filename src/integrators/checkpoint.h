/* SPDX-License-Identifier: BSD-3-Clause */
/* The checkpoint of an integrator, for objects that contain one (base/checkpoint.h). */
#ifndef LG_INTEGRATORS_CHECKPOINT_H
#define LG_INTEGRATORS_CHECKPOINT_H

#include "base/checkpoint.h"
#include "integrators/integrator.h"

void lg_integrator_describe(lg_lines *l, const void *it);
void lg_integrator_list(lg_tape *t, void *it);

#endif
