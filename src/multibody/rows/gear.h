/* SPDX-License-Identifier: BSD-3-Clause */
/* gear.h: q_second - ratio q_first = offset, two coordinates that move together. A body that both have is one side. */
#ifndef LG_MULTIBODY_GEAR_H
#define LG_MULTIBODY_GEAR_H

#include "multibody/rows/coordinate.h"

enum { MB_DENOMINATOR_MOST = 64 };

/* The smallest q with ratio = p/q; 0: none that is small. */
static inline int mb_gear_denominator(const mb_gear *g)
{
    for (int q = 1; q <= MB_DENOMINATOR_MOST; q++)
        if (fabs(g->ratio * q - round(g->ratio * q)) <= 1e-14 * fmax(1, fabs(g->ratio * q))) return q;
    return 0;
}

static inline int mb_gear_turns(const mb_plan *plan, const mb_gear *g)
{
    return !plan->coordinate[g->first].slides && !plan->coordinate[g->second].slides;
}

/* phi of a configuration, which does not determine how often angles have turned: an angle tied to a length is on the
 * branch that suits it; between two angles phi holds up to the whole turns of both, which are 2 pi/q for a ratio p/q.
 */
RARELY void mb_gear_of_configuration(const mb_plan *plan, const mb_gear *g, const mb_site *at, real *phi)
{
    const int c[2] = {g->first, g->second}, turns = mb_gear_turns(plan, g);
    real q[2] = {splat(0), splat(0)};
    for (int pass = 0; pass < 2; pass++) /* lengths first */
        for (int i = 0; i < 2; i++) {
            const mb_coordinate *o = &plan->coordinate[c[i]];
            const mb_pose *a = &at->pose[at->body[g->side[i][0]]], *b = &at->pose[at->body[g->side[i][1]]];
            if (o->slides == pass) continue;
            const real other = pass == 0 || turns ? splat(0)
                               : i == 0           ? (q[1] - g->offset) / g->ratio
                                                  : g->ratio * q[0] + g->offset;
            q[i] = mb_coordinate_value(&plan->joint[o->joint], o, a->r, a->R, b->r, b->R, other);
        }
    *phi = q[1] - g->ratio * q[0] - g->offset;
    if (!turns) return;
    const double period = 2 * LG_PI / mb_gear_denominator(g);
    *phi = *phi - period * mb_nearest_whole(*phi / period);
}

KERNEL void mb_gear_rows(const mb_plan *plan, const mb_block *k, mb_pair *row, real *phi, const mb_site *at)
{
    const mb_gear *g = &plan->gear[k->source];
    mb_pair w[2];
    for (int s = 0; s < k->sides; s++)
        for (int i = 0; i < 6; i++) row[s].v[i] = splat(0);
    for (int c = 0; c < 2; c++) {
        mb_coordinate_row(plan, c ? g->second : g->first, w, at, at->body[g->side[c][0]], at->body[g->side[c][1]]);
        for (int s = 0; s < 2; s++) {
            mb_pair *to = &row[g->side[c][s]];
            for (int i = 0; i < 6; i++) to->v[i] = to->v[i] + (c ? 1.0 : -g->ratio) * w[s].v[i];
        }
    }
    if (at->q != NULL)
        *phi = at->q[g->second] - g->ratio * at->q[g->first] - g->offset;
    else
        mb_gear_of_configuration(plan, g, at, phi);
}

KERNEL void mb_gear_bend(const mb_plan *plan, const mb_block *k, real *bend, const mb_site *at)
{
    const mb_gear *g = &plan->gear[k->source];
    real rate, first;
    mb_coordinate_moves(plan, g->first, at, at->body[g->side[0][0]], at->body[g->side[0][1]], &rate, &first);
    mb_coordinate_moves(plan, g->second, at, at->body[g->side[1][0]], at->body[g->side[1][1]], &rate, bend);
    *bend = *bend - g->ratio * first;
}

#endif
