/* SPDX-License-Identifier: BSD-3-Clause */
/* checkpoint.h: what a checkpoint of a motion has, for those that hold one (base/checkpoint.h). */
#ifndef LG_MULTIBODY_CHECKPOINT_H
#define LG_MULTIBODY_CHECKPOINT_H

#include "base/checkpoint.h"
#include "multibody/motion.h"

void mb_sparse_describe(lg_lines *l, const void *mo);
void mb_sparse_list(lg_tape *t, void *mo);
/* The part of it that belongs to collocation: the internal integrator of adaptive steps. */
void mb_list_adaptive(lg_tape *t, mb_sparse *mo);

#endif
