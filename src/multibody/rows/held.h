/* SPDX-License-Identifier: BSD-3-Clause */
/* held.h: L - length = 0, a tendon whose length is held (forces/tendon.h). Its row is the sum of the rows of its terms,
 * whose products with h xi are the changes of their lengths. */
#ifndef LG_MULTIBODY_HELD_H
#define LG_MULTIBODY_HELD_H

#include "multibody/rows/coordinate.h"
#include "multibody/rows/line.h"

KERNEL void mb_held_rows(const mb_plan *plan, const mb_block *k, mb_pair *row, real *phi, const mb_site *at)
{
    const mb_tendon *t = &plan->tendon[k->source];
    real L = splat(t->constant), xa[3], xb[3], d[3];
    for (int s = 0; s < k->sides; s++)
        for (int i = 0; i < 6; i++) row[s].v[i] = splat(0);
    for (const mb_tendon_term *e = t->term; e < t->term + t->terms; e++) {
        const int c = e->along.coordinate, a = at->body[e->side[0]], b = at->body[e->side[1]];
        mb_pair own[2];
        if (c >= 0) {
            mb_coordinate_row(plan, c, own, at, a, b);
            L = L + e->weight * at->q[c];
        } else {
            const real l0 = mb_line_at(xa, xb, d, &e->along, &at->p0[a], &at->p0[b]);
            const real l1 = mb_line_at(xa, xb, d, &e->along, &at->p1[a], &at->p1[b]);
            mb_line_row(own, &e->along, &at->pose[a], &at->pose[b], 0.5 * (l0 + l1));
            L = L + e->weight * l1;
        }
        for (int s = 0; s < 2; s++)
            for (int i = 0; i < 6; i++) {
                real *to = &row[e->side[s]].v[i];
                *to = *to + e->weight * own[s].v[i];
            }
    }
    *phi = L - t->length;
}

KERNEL void mb_held_bend(const mb_plan *plan, const mb_block *k, real *bend, const mb_site *at)
{
    const mb_tendon *t = &plan->tendon[k->source];
    *bend = splat(0);
    for (const mb_tendon_term *e = t->term; e < t->term + t->terms; e++) {
        const int c = e->along.coordinate, a = at->body[e->side[0]], b = at->body[e->side[1]];
        real rate, own;
        if (c >= 0) {
            mb_coordinate_moves(plan, c, at, a, b, &rate, &own);
        } else {
            const mb_ends ends = mb_ends_of(at, a, b);
            own = mb_line_bend(&e->along, &ends);
        }
        *bend = *bend + e->weight * own;
    }
}

#endif
