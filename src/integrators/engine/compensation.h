/* SPDX-License-Identifier: BSD-3-Clause */
/* Compensated steps (docs/theory.md section 19): the state is g + carry and p + carry, where lg_node::carry is what
 * rounding took off. A step forms its increments, which are wrong by round-off of themselves, and adds them to both. */
#ifndef LG_INTEGRATORS_COMPENSATION_H
#define LG_INTEGRATORS_COMPENSATION_H

#include "integrators/engine/node.h"

/* *to + *rest = from + carry + step: the sum as it rounds, and what that takes off (Knuth). */
KERNEL void compensated_add(real *to, real *rest, real from, real carry, real step)
{
    const real change = step + carry, sum = from + change, back = sum - from;
    *rest = (from - (sum - back)) + (change - back);
    *to = sum;
}

/* g_1 = g_0 W with its carry at b, from W = tau(x) of every factor; Ad*_W p - p into *dp, which lasts until the next
 * call. */
LG_ENGINE void lg_compensated_move(lg_workspace *w, const lg_node *a, const real *W, const real *p, lg_node *b,
                                   real **dp);
/* The same from x = h b->xi. */
LG_ENGINE int lg_compensated_flow(lg_workspace *w, double h, const lg_node *a, const real *p, lg_node *b, real **dp);
/* to = from + dp, with the carries of the two nodes' momenta; to is of node b. */
LG_ENGINE void lg_compensated_push(const lg_workspace *w, const lg_node *a, const real *from, const real *dp,
                                   lg_node *b, real *to);

#endif
