/* SPDX-License-Identifier: BSD-3-Clause */
/* excess.h: whether constraints hold at a node: those that are kept, and those that must hold by themselves. */
#ifndef LG_MULTIBODY_EXCESS_H
#define LG_MULTIBODY_EXCESS_H

#include <math.h>

#include "multibody/mechanism.h"
#include "multibody/step.h"

#define MB_EXCESS_OPEN 1e-11 /* what redundant rows may be open in motion, of mb_row_scale() */
#define MB_EXCESS_SLIP 2e-11 /* and what their velocities may miss, of the fastest */

/* assemble.c: the largest |phi| of the plan's rows relative to mb_row_scale(), and the block that has it; NaN if there
 * is one. */
double mb_kept_open(const lg_mechanism *m, const mb_plan *plan, const mb_node *n, int *block);
/* A joint whose axes on parent and child point against each other though its rows hold; -1: none. */
int mb_turned_over(const lg_mechanism *m, const mb_pose *pose);

/* excess.c: how far redundant rows are open, relative to mb_row_scale(), and how much their velocities miss, relative
 * to the fastest and to `least` (1/s, of the reach); *where becomes the block of the worst, if there is one. */
double mb_excess_open(const lg_mechanism *m, const mb_node *n, const mb_block **where);
double mb_excess_slip(const lg_mechanism *m, const mb_node *n, double least, const mb_block **where);
/* The velocity, 1/s of the reach, beside which the rounding of poses over a step of h is small. */
static inline double mb_excess_least(double h)
{
    return 1e-4 / fabs(h);
}

#endif
