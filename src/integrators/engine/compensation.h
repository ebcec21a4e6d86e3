/* SPDX-License-Identifier: BSD-3-Clause */
/* Compensated steps (docs/theory.md section 19): the state is g + carry and p + carry, where lg_node::carry is what
 * rounding took off. A step forms its increments, which are wrong by round-off of themselves, and adds them to both. */
#ifndef LG_INTEGRATORS_COMPENSATION_H
#define LG_INTEGRATORS_COMPENSATION_H

#include "base/exact.h"
#include "integrators/engine/node.h"

/* *to + *rest = from + carry + step, however large the step is. */
KERNEL void compensated_add(real *to, real *rest, real from, real carry, real step)
{
    real sum, low;
    exact_sum(&sum, &low, from, step);
    exact_sum(to, rest, sum, low + carry);
}

/* *sum + *rest += a + b, where |b| is much smaller than |a|. */
KERNEL void compensated_gather(real *sum, real *rest, real a, real b)
{
    real low;
    exact_sum(sum, &low, *sum, a);
    *rest = *rest + (low + b);
}

/* *sum + *rest = a.(b + carry). */
KERNEL void compensated_dot(int n, const real *a, const real *b, const real *carry, real *sum, real *rest)
{
    *sum = *rest = splat(0);
    for (int i = 0; i < n; i++) {
        real x, e;
        exact_product(&x, &e, a[i], b[i]);
        compensated_gather(sum, rest, x, e + a[i] * carry[i]);
    }
}

/* g_1 = g_0 W with its carry at b, from W = tau(x) of every factor; Ad*_W p - p into *dp, which lasts until the next
 * call. */
LG_ENGINE void lg_compensated_move(lg_workspace *w, const lg_node *a, const real *W, const real *p, lg_node *b,
                                   real **dp);
/* lg_compensated_move() from x = h b->xi. */
LG_ENGINE int lg_compensated_flow(lg_workspace *w, duration h, const lg_node *a, const real *p, lg_node *b, real **dp);
/* to = from + carry + dp, a momentum of node b, with its carry. */
LG_ENGINE void lg_compensated_push(const lg_plan *P, const real *carry, const real *from, const real *dp, lg_node *b,
                                   real *to);

/* ---- the energy ---- */

#if LANES == 1
/* Nothing has been rounded off yet, and no H is kept. */
void lg_compensated_begin(const lg_plan *P, lg_node *b);
#endif
/* b's balance, where T and V are its energies as they round, from that of a: what is kept changes by b->work. Where H
 * is off by more than round-off of its terms, what it is now is kept from then on. */
LG_ENGINE void lg_compensated_balance(const lg_plan *P, const lg_node *a, lg_node *b, real T, real V);
/* R -= s (v^+ - v^-), with which the step to be solved changes H by -s K, K = (p^+ - p^-).(v^+ - v^-): a share of the
 * excess at a, of round-off of the velocities at most. */
LG_ENGINE void lg_compensated_return(const lg_workspace *w, const lg_node *a, real *R);

#endif
