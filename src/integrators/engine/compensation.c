/* SPDX-License-Identifier: BSD-3-Clause */
/* Compensated steps: increments are added to a state with twice the digits. */
#include "integrators/engine/compensation.h"

#include <math.h>

#include "integrators/engine/sized.h"
#include "integrators/engine/workspace.h"

KERNEL int compensated_sums(int n, real *to, real *rest, const real *from, const real *carry, const real *step)
{
    for (int i = 0; i < n; i++) compensated_add(&to[i], &rest[i], from[i], carry[i], step[i]);
    return 0;
}

void lg_compensated_move(lg_workspace *w, const lg_node *a, const real *W, const real *p, lg_node *b, real **dp)
{
    const lg_plan *P = w->plan;
    real *dg = w->compensation + 2 * P->n;
    *dp = w->compensation;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        const int at = f->element_offset;
        f->table->increments(f, W + at, a->g + at, a->carry + at, p + f->offset, dg + at, *dp + f->offset);
    }
    (void)LG_SIZED_COLUMNS(P->element_size, compensated_sums, b->g, b->carry, a->g, a->carry, dg);
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (!(f->table->facts & LG_FACTOR_ANGLES)) continue;
        for (int i = f->element_offset; i < f->element_offset + f->element_size; i++) b->g[i] = lg_wrap(b->g[i]);
    }
}

int lg_compensated_flow(lg_workspace *w, duration h, const lg_node *a, const real *p, lg_node *b, real **dp)
{
    const lg_plan *P = w->plan;
    real *x = w->compensation + P->n, *W = x + P->n + P->element_size, k;
    for (int i = 0; i < P->n; i++) x[i] = h * b->xi[i];
    for (int j = 0; j < P->factor_count; j++) {
        const lg_factor_plan *f = &P->factors[j];
        const int at = f->element_offset;
        if (f->table->advance(w, f, x + f->offset, a->g + at, W + at, b->g + at, &k)) return 1;
    }
    lg_compensated_move(w, a, W, p, b, dp);
    return 0;
}

void lg_compensated_push(const lg_plan *P, const real *carry, const real *from, const real *dp, lg_node *b, real *to)
{
    (void)LG_SIZED_COLUMNS(P->n, compensated_sums, to, b->carry + P->element_size, from, carry, dp);
}

/* ---- the energy ---- */

/* The share of the excess that a step is to return, and the most by which it changes a velocity for that, relative to
 * it: two units of round-off of numbers near 1. */
#define RETURNED_SHARE 0.25
#define RETURNED_MOST  0x1p-51
/* A larger excess, relative to H, is not round-off. */
#define BALANCE_SHARE 0x1p-46

#if LANES == 1
void lg_compensated_begin(const lg_plan *P, lg_node *b)
{
    for (int i = 0; b->carry && i < P->element_size + P->n; i++) b->carry[i] = 0;
    for (int i = 0; b->balance && i < LG_BALANCE_ENTRIES; i++) b->balance[i] = NAN;
}
#endif

/* p.M p = *sum + *rest, with p + carry for p. */
KERNEL int compensated_square(int n, int diagonal, const real *M, const real *p, const real *carry, real *sum,
                              real *rest)
{
    *sum = *rest = splat(0);
    for (int i = 0; i < n; i++) {
        real v, low, x, e;
        if (diagonal)
            compensated_dot(1, M + i, p + i, carry + i, &v, &low);
        else
            compensated_dot(n, M + i * n, p, carry, &v, &low);
        exact_product(&x, &e, v, p[i]);
        compensated_gather(sum, rest, x, e + (v * carry[i] + low * p[i]));
    }
    return 0;
}

void lg_compensated_balance(const lg_plan *P, const lg_node *a, lg_node *b, real T, real V)
{
    const real *carry = b->carry + P->element_size, *before = a->balance;
    real sum, low, H, rest, kept, kept_rest;
    if (P->diagonal)
        (void)LG_SIZED_COLUMNS(P->n, compensated_square, 1, b->metric_inverse, b->p_tilde, carry, &sum, &low);
    else
        (void)LG_SIZED_COLUMNS(P->n, compensated_square, 0, b->metric_inverse, b->p_tilde, carry, &sum, &low);
    compensated_add(&H, &rest, 0.5 * sum, 0.5 * low, V);
    compensated_add(&kept, &kept_rest, before[LG_BALANCE_KEPT], before[LG_BALANCE_REST], b->work);
    const real excess = (H - kept) + (rest - kept_rest);
    const mask holds = magnitude(excess) <= BALANCE_SHARE * (T + magnitude(V)); /* not where it is NaN */
    b->balance[LG_BALANCE_KEPT] = sel(holds, kept, H);
    b->balance[LG_BALANCE_REST] = sel(holds, kept_rest, rest);
    b->balance[LG_BALANCE_EXCESS] = sel(holds, excess, splat(0));
}

KERNEL int compensated_return(int n, const lg_trial *trial, real excess, real *R)
{
    const real *p_minus = trial->p_minus, *p_plus = trial->p_plus, *v_minus = trial->v_minus, *v_plus = trial->v_plus;
    real K = splat(0), size = splat(0);
    for (int i = 0; i < n; i++) {
        K = K + (p_plus[i] - p_minus[i]) * (v_plus[i] - v_minus[i]);
        size = size + (p_plus[i] * v_plus[i] + p_minus[i] * v_minus[i]);
    }
    const mask turns = K > 1e-30 * size; /* not where the excess is NaN either, below */
    const real divisor = sel(turns, K, splat(1)), most = RETURNED_MOST * root(sel(turns, size, splat(0)) / divisor);
    const real wanted = RETURNED_SHARE * excess / divisor;
    const real s = sel(magnitude(wanted) <= most, wanted, sel(wanted > 0.0, most, sel(wanted < 0.0, -most, splat(0))));
    for (int i = 0; i < n; i++) R[i] = R[i] - sel(turns, s, splat(0)) * (v_plus[i] - v_minus[i]);
    return 0;
}

void lg_compensated_return(const lg_workspace *w, const lg_node *a, real *R)
{
    (void)LG_SIZED_COLUMNS(w->plan->n, compensated_return, &w->implicit->trial, a->balance[LG_BALANCE_EXCESS], R);
}
