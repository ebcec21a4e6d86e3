/* SPDX-License-Identifier: BSD-3-Clause */
/* checkpoint.h: what a checkpoint of a motion has, for those that hold one (base/checkpoint.h). */
#ifndef LG_MULTIBODY_CHECKPOINT_H
#define LG_MULTIBODY_CHECKPOINT_H

#include "base/checkpoint.h"
#include "multibody/motion.h"

void lg_motion_describe(lg_lines *l, const void *mo);
void lg_motion_list(lg_tape *t, void *mo);
/* The part of it that belongs to collocation: the internal integrator of adaptive steps. */
void mb_list_adaptive(lg_tape *t, lg_motion *mo);

#endif
