/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/sound.h"

#define MB_BALANCE 1e-10 /* what a step may miss its balance by, relative to max(T + |V|) */
#define MB_BOUNDED 0.02  /* the same of rattle, whose energy is bounded but not constant */

/* *worst becomes the larger, and stays NaN once it is; *where follows. */
KERNEL void mb_worsen(real *worst, real x, const mb_block **where, const mb_block *k)
{
    const mask more = other(either(x <= *worst, other(*worst >= 0.0)));
    if (where != NULL && any(more)) *where = k;
    *worst = sel(more, x, *worst);
}

LG_ENGINE real mb_row_square(const mb_plan *plan, const mb_block *k, int i, mb_rows A)
{
    real square = splat(0);
    for (int s = 0; s < k->sides; s++) {
        const int p = k->part + i * k->sides + s;
        if (k->body[s] < plan->bodies) square = square + small_dot(6, A.row[p].v, A.product[p].v);
    }
    return square;
}

LG_ENGINE real mb_slender(const mb_plan *plan, const mb_symbolic *S, const real *factor, mb_rows A)
{
    real most = splat(0);
    for (int k = 0; k < S->count; k++) {
        const mb_block *e = &plan->block[S->block[k]];
        for (int i = 0; i < e->rows; i++) {
            const real r = factor[S->diagonal[k] + i * e->rows + i];
            mb_worsen(&most, r * r * mb_row_square(plan, e, i, A), NULL, NULL);
        }
    }
    return most;
}

/* Lengths of rows hardly change, so that reciprocal pivots themselves do. */
LG_ENGINE mask mb_falls(const mb_plan *plan, const mb_node *n, real *limit)
{
    const mb_symbolic *S = &plan->node;
    mask well = every_lane();
    for (int k = 0; k < S->count; k++) {
        const mb_block *e = &plan->block[S->block[k]];
        const real *D = n->factor + S->diagonal[k];
        for (int i = 0; i < e->rows; i++) {
            const real r = D[i * e->rows + i], up = r * (1 / MB_WATCHED), old = limit[e->at + i];
            well = both(well, r <= old);
            limit[e->at + i] = sel(up < old, up, old);
        }
    }
    return other(well);
}

LG_ENGINE void mb_watch(const mb_plan *plan, const mb_node *n, real *limit, mask lanes)
{
    const mb_symbolic *S = &plan->node;
    for (int k = 0; k < S->count; k++) {
        const mb_block *e = &plan->block[S->block[k]];
        const real *D = n->factor + S->diagonal[k];
        for (int i = 0; i < e->rows; i++)
            limit[e->at + i] = sel(lanes, D[i * e->rows + i] * (1 / MB_WATCHED), limit[e->at + i]);
    }
}

LG_ENGINE real mb_excess_open(const mb_plan *plan, const mb_node *n, const mb_block **where)
{
    real worst = splat(0);
    for (int e = 0; e < plan->excess_count; e++) {
        const mb_block *k = &plan->excess[e];
        mb_pair row[MB_SIDES_MOST * MB_ROWS_MOST];
        real value[MB_ROWS_MOST];
        if (mb_facts_of(k)->velocity) continue;
        mb_rows_of(plan, k, row, value, n);
        for (int i = 0; i < k->rows; i++)
            mb_worsen(&worst, magnitude(value[k->kept[i]]) / mb_row_scale(plan, k, k->kept[i]), where, k);
    }
    return worst;
}

LG_ENGINE real mb_fastest(const mb_plan *plan, const mb_node *n)
{
    real speed = splat(0);
    for (int b = 0; b < plan->bodies; b++) {
        real w[3];
        mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
        const real v =
            n->mobility[b].inverse_mass * root(mb_dot(n->p[b].v, n->p[b].v)) + plan->reach * root(mb_dot(w, w));
        speed = sel(v <= speed, speed, v);
    }
    return speed;
}

/* Row i of all rows of a block times the velocities. */
KERNEL real mb_velocity_along(const mb_plan *plan, const mb_block *k, int i, const mb_pair *row, const mb_node *n,
                              real v)
{
    for (int s = 0; s < k->sides; s++) {
        const int b = k->body[s];
        const mb_pair *part = &row[i * k->sides + s];
        real w[3];
        if (b >= plan->bodies) {
            v = v + mb_dot6(part->v, n->given[b - plan->bodies].v);
            continue;
        }
        mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
        v = v + (n->mobility[b].inverse_mass * mb_dot(part->v, n->p[b].v) + mb_dot(part->v + 3, w));
    }
    return v;
}

LG_ENGINE real mb_excess_slip(const mb_plan *plan, const mb_node *n, double least, const mb_block **where)
{
    real worst = splat(0);
    if (plan->excess_count == 0) return worst;
    for (int e = 0; e < plan->excess_count; e++) {
        const mb_block *k = &plan->excess[e];
        mb_pair row[MB_SIDES_MOST * MB_ROWS_MOST];
        real value[MB_ROWS_MOST];
        mb_rows_of(plan, k, row, value, n);
        for (int i = 0; i < k->rows; i++) {
            const real drift = mb_facts_of(k)->velocity ? -value[k->kept[i]] : splat(0);
            const real v = mb_velocity_along(plan, k, k->kept[i], row, n, drift);
            mb_worsen(&worst, magnitude(v) / mb_row_scale(plan, k, k->kept[i]), where, k);
        }
    }
    /* v and the drift are velocities of points or rates of angles: both are compared with reach/s and 1/s */
    const real speed = mb_fastest(plan, n) / plan->reach;
    return sel(worst > 0.0, worst / greater(splat(1e-300), speed + least), worst);
}

LG_ENGINE real mb_imbalance(const mb_motion *m, real *scale, real *most)
{
    real size0, size1;
    const real H0 = mb_energy(m->plan, &m->node[m->now ^ 1], &size0);
    const real H1 = mb_energy(m->plan, &m->node[m->now], &size1);
    *scale = greater(*scale, size1);
    *most = (m->rattle                ? MB_BOUNDED
             : m->collocation != NULL ? MB_RESOLVED
                                      : MB_BALANCE) *
            (*scale + magnitude(m->work));
    return magnitude((H1 - H0) - m->work);
}

LG_ENGINE real mb_jump_most(const mb_motion *m, real jumped)
{
    const real known = sel(m->extrapolated >= 2.0, splat(0.3), sel(jumped > 0.0, splat(0.25), splat(0.45)));
    return sel(m->sweeps > 60.0, splat(0.1), known); /* hard to find is another sign */
}
