/* SPDX-License-Identifier: BSD-3-Clause */
/* sound.h: what a step must satisfy besides its equations, at any width: its balance of energy, the rows that were left
 * out, and velocities that do not jump. */
#ifndef LG_MULTIBODY_SOUND_H
#define LG_MULTIBODY_SOUND_H

#include <math.h>

#include "multibody/step.h"

#define MB_EXCESS_OPEN 1e-11 /* what redundant rows may be open in motion, of mb_row_scale() */
#define MB_EXCESS_SLIP 2e-11 /* and what their velocities may miss, of the fastest */

/* The largest error of a gauss step's energy balance before the energy is kept, relative to max(T + |V|). A resolved
 * motion has a smaller one. */
#define MB_RESOLVED 1e-3

/* Redundant rows are looked at (choice.h) where a pivot is smaller, each time that it has fallen to this part. */
#define MB_FALLEN  0.45
#define MB_WATCHED 0.8

/* The scale of a row's phi: the reach or 1. */
static inline double mb_row_scale(const mb_plan *plan, const mb_block *k, int row)
{
    return row < k->lengths ? plan->reach : 1;
}

/* The velocity, relative to the reach, 1/s, compared with which the rounding of poses over a step of h is small. */
static inline double mb_excess_least(double h)
{
    return 1e-4 / fabs(h);
}

/* The square of the length of row i of a block in the metric. */
LG_ENGINE real mb_row_square(const mb_plan *plan, const mb_block *k, int i, mb_rows A);
/* The largest (length/pivot)^2 of all rows of a factor, in the metric; NaN if there is one. */
LG_ENGINE real mb_slender(const mb_plan *plan, const mb_symbolic *S, const real *factor, mb_rows A);
/* The smallest pivot relative to its row's length, from that; 0 if it is NaN, 1 without rows. */
KERNEL real mb_pivot_of(real slender)
{
    return sel(slender > 0.0, 1.0 / root(slender), sel(slender >= 0.0, splat(1), splat(0)));
}
/* Has a pivot at a node fallen to MB_WATCHED of what it was since the limits were set? They follow pivots that grow. */
LG_ENGINE mask mb_falls(const mb_plan *plan, const mb_node *n, real *limit);
/* Sets the limits of these lanes. */
LG_ENGINE void mb_watch(const mb_plan *plan, const mb_node *n, real *limit, mask lanes);
/* The fastest of all points within reach. */
LG_ENGINE real mb_fastest(const mb_plan *plan, const mb_node *n);
/* How far redundant rows are open, relative to mb_row_scale(), and how much their velocities miss, relative to the
 * fastest and to `least` (1/s, of the reach); NaN if there is one. *where becomes the block of the worst, if there is
 * one; may be NULL. */
LG_ENGINE real mb_excess_open(const mb_plan *plan, const mb_node *n, const mb_block **where);
LG_ENGINE real mb_excess_slip(const mb_plan *plan, const mb_node *n, double least, const mb_block **where);
/* The error of the last step's energy balance, and its upper bound *most; *scale is that of the energies' terms so far.
 */
LG_ENGINE real mb_imbalance(const mb_motion *m, real *scale, real *most);
/* The upper bound of the jump of velocities in the last step; jumped = 1: a step of the motion was refused. */
LG_ENGINE real mb_jump_most(const mb_motion *m, real jumped);

#endif
