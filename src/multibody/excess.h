/* SPDX-License-Identifier: BSD-3-Clause */
/* excess.h: whether constraints hold at a node: those that are kept, and those that must hold by themselves. */
#ifndef LG_MULTIBODY_EXCESS_H
#define LG_MULTIBODY_EXCESS_H

#include "multibody/mechanism.h"
#include "multibody/sound.h"

/* assemble.c: the largest |phi| of the plan's rows relative to mb_row_scale(), and the block that has it; NaN if there
 * is one. */
double mb_kept_open(const lg_mechanism *m, const mb_plan *plan, const mb_node *n, int *block);
/* A joint whose axes on parent and child point against each other though its rows hold; -1: none. */
int mb_turned_over(const lg_mechanism *m, const mb_pose *pose);

#endif
