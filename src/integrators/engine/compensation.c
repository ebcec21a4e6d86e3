/* SPDX-License-Identifier: BSD-3-Clause */
/* Compensated steps: increments added to a state of twice the digits. */
#include "integrators/engine/compensation.h"

#include "integrators/engine/sized.h"
#include "integrators/engine/workspace.h"

KERNEL int compensated_sum(int n, real *to, real *rest, const real *from, const real *carry, const real *step)
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
    (void)LG_SIZED_COLUMNS(P->element_size, compensated_sum, b->g, b->carry, a->g, a->carry, dg);
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (!(f->table->facts & LG_FACTOR_ANGLES)) continue;
        for (int i = f->element_offset; i < f->element_offset + f->element_size; i++) b->g[i] = lg_wrap(b->g[i]);
    }
}

int lg_compensated_flow(lg_workspace *w, double h, const lg_node *a, const real *p, lg_node *b, real **dp)
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

void lg_compensated_push(const lg_workspace *w, const lg_node *a, const real *from, const real *dp, lg_node *b,
                         real *to)
{
    const int e = w->plan->element_size;
    (void)LG_SIZED_COLUMNS(w->plan->n, compensated_sum, to, b->carry + e, from, a->carry + e, dp);
}
