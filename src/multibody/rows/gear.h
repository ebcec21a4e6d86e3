/* SPDX-License-Identifier: BSD-3-Clause */
/* gear.h: q_second = P(q_first), P(q) = offset + ratio q + c_0 q^2 + c_1 q^3 + c_2 q^4, two coordinates that move
 * together. The row has the slope of P's chord between the two nodes, which is a polynomial too, so that h G xi is the
 * change of phi. A body that both have is one side. */
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

/* P(q) less its linear part. */
KERNEL real mb_gear_curve(const mb_gear *g, real q)
{
    return q * q * (g->curve[0] + q * (g->curve[1] + q * g->curve[2]));
}

/* (P(x) - P(y))/(x - y). */
KERNEL real mb_gear_chord(const mb_gear *g, real x, real y)
{
    const real sum = x + y, squares = x * x + y * y;
    return g->ratio + g->curve[0] * sum + g->curve[1] * (squares + x * y) + g->curve[2] * (sum * squares);
}

static inline int mb_gear_turns(const mb_plan *plan, const mb_gear *g)
{
    return g->first >= 0 && !plan->coordinate[g->first].slides && !plan->coordinate[g->second].slides;
}

/* The coordinate on one side of the gear at these poses, an angle on the branch nearest to `near`. */
KERNEL real mb_gear_value(const mb_plan *plan, const mb_gear *g, int side, const mb_site *at, const mb_pose *pose,
                          real near)
{
    const mb_coordinate *o = &plan->coordinate[side ? g->second : g->first];
    const mb_pose *a = &pose[at->body[g->side[side][0]]], *b = &pose[at->body[g->side[side][1]]];
    return mb_coordinate_value(&plan->joint[o->joint], o, a->r, a->R, b->r, b->R, near);
}

/* phi of a configuration, which does not determine how often angles have turned: an angle tied to a length is on the
 * branch that suits it; between two angles phi holds up to the whole turns of both, which are 2 pi/q for a ratio p/q.
 * The driver of a curved gear is a length.
 */
RARELY void mb_gear_of_configuration(const mb_plan *plan, const mb_gear *g, const mb_site *at, real *phi)
{
    const int c[2] = {g->first, g->second}, turns = mb_gear_turns(plan, g);
    real q[2] = {splat(0), splat(0)};
    for (int pass = 0; pass < 2; pass++) /* lengths first */
        for (int i = 0; i < 2; i++) {
            if (c[i] < 0 || plan->coordinate[c[i]].slides == pass) continue;
            const real other = pass == 0 || turns ? splat(0)
                               : i == 0           ? (q[1] - g->offset) / g->ratio
                                                  : g->ratio * q[0] + g->offset + mb_gear_curve(g, q[0]);
            q[i] = mb_gear_value(plan, g, i, at, at->pose, other);
        }
    *phi = q[1] - g->ratio * q[0] - g->offset - mb_gear_curve(g, q[0]);
    if (!turns) return;
    const double period = 2 * LG_PI / mb_gear_denominator(g);
    *phi = *phi - period * mb_nearest_whole(*phi / period);
}

KERNEL void mb_gear_rows(const mb_plan *plan, const mb_block *k, mb_pair *row, real *phi, const mb_site *at)
{
    const mb_gear *g = &plan->gear[k->source];
    const int known = at->q != NULL;
    real slope = splat(g->ratio);
    mb_pair w[2];
    if (g->curved) {
        const real x = known ? at->q0[g->first] : mb_gear_value(plan, g, 0, at, at->p0, splat(0));
        const real y = known ? at->q[g->first] : mb_gear_value(plan, g, 0, at, at->p1, splat(0));
        slope = mb_gear_chord(g, x, y);
    }
    for (int s = 0; s < k->sides; s++)
        for (int i = 0; i < 6; i++) row[s].v[i] = splat(0);
    for (int c = g->first < 0; c < 2; c++) {
        mb_coordinate_row(plan, c ? g->second : g->first, w, at, at->body[g->side[c][0]], at->body[g->side[c][1]]);
        for (int s = 0; s < 2; s++) {
            mb_pair *to = &row[g->side[c][s]];
            for (int i = 0; i < 6; i++) to->v[i] = to->v[i] + (c ? splat(1) : -slope) * w[s].v[i];
        }
    }
    if (!known) {
        mb_gear_of_configuration(plan, g, at, phi);
        return;
    }
    const real first = g->first < 0 ? splat(0) : at->q[g->first];
    *phi = at->q[g->second] - g->ratio * first - g->offset;
    if (g->curved) *phi = *phi - mb_gear_curve(g, first);
}

KERNEL void mb_gear_bend(const mb_plan *plan, const mb_block *k, real *bend, const mb_site *at)
{
    const mb_gear *g = &plan->gear[k->source];
    real rate, first, own;
    mb_coordinate_moves(plan, g->second, at, at->body[g->side[1][0]], at->body[g->side[1][1]], &own, bend);
    if (g->first < 0) return;
    mb_coordinate_moves(plan, g->first, at, at->body[g->side[0][0]], at->body[g->side[0][1]], &rate, &first);
    if (!g->curved) {
        *bend = *bend - g->ratio * first;
        return;
    }
    const real q = at->q[g->first];
    *bend = *bend - mb_gear_chord(g, q, q) * first -
            (2.0 * g->curve[0] + q * (6.0 * g->curve[1] + q * (12.0 * g->curve[2]))) * (rate * rate);
}

#endif
