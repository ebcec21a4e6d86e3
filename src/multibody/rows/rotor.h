/* SPDX-License-Identifier: BSD-3-Clause */
/* rotor.h: a joint's velocities turn its rotor, which has inertia and neither weight nor place. The rotor is a body
 * whose coordinates of space stand for the joint's: velocity number i of a joint is v_i/s_i of the rotor with the mass
 * I_i/s_i^2, and the angular velocity of a ball, in the parent's axes, is the rotor's, with inertia I in all
 * directions. Its kinetic energy is then 1/2 I_i q_i'^2 for each velocity. Where a rotor is has no meaning, so that its
 * rows are equations of velocities. None depends on more than the joint's own velocities: the rotor feels no turning of
 * the parent, as Lagrange's equations with this energy have it.
 *
 *   slides   (a_i.d)' - v_i/s_i = 0               turns   e.(w_b - w_a) - v_i/s_i = 0, e = a_3, or b_1 of a second axis
 *   ball     a_i.(w_b - w_a) - w_i = 0               composed   the row of the coordinate (composed.h) - v_i/s_i = 0 */
#ifndef LG_MULTIBODY_ROTOR_H
#define LG_MULTIBODY_ROTOR_H

#include "multibody/rows/composed.h"
#include "multibody/rows/slider.h"

/* The axis in space of a velocity, and the body, 0 or 1 of the joint, with which it turns. */
KERNEL int mb_rotor_axis(real *e, const mb_joint *j, const mb_rotor_rate *r, const real *Ra, const real *Rb)
{
    if (r->kind == MB_TURNS && r->axis != 2) {
        mb_axis(e, Rb, j->frame_b, r->axis);
        return 1;
    }
    mb_axis(e, Ra, j->frame_a, r->axis);
    return 0;
}

KERNEL void mb_rotor_rows(const mb_plan *plan, const mb_block *block, mb_pair *row, real *drift, const mb_site *at)
{
    const mb_joint *j = &plan->joint[block->source];
    const mb_pose *a = &at->pose[at->body[1]], *b = &at->pose[at->body[2]];
    real xa[3], xb[3], d[3], e[3], none;
    mb_distance(j, a->r, a->R, b->r, b->R, xa, xb, d);
    for (int i = 0; i < j->rates; i++) {
        const mb_rotor_rate *r = &j->rate[i];
        mb_pair *w = row + 3 * i;
        for (int k = 0; k < 6; k++) w[0].v[k] = w[1].v[k] = w[2].v[k] = splat(0);
        if (j->chain != NULL) {
            mb_chain_row(j, w + 1, at, at->body[1], at->body[2], r->axis);
        } else {
            (void)mb_rotor_axis(e, j, r, a->R, b->R);
            if (r->kind == MB_SLIDES)
                mb_row_along(w + 1, &none, e, xa, xb, d, 0);
            else
                for (int k = 0; k < 3; k++) w[1].v[3 + k] = -e[k], w[2].v[3 + k] = e[k];
        }
        w[0].v[mb_rotor_slot(r, i)] = splat(r->kind == MB_VECTOR ? -1 : -1 / r->scale);
        drift[i] = splat(0);
    }
}

KERNEL void mb_rotor_bend(const mb_plan *plan, const mb_block *block, real *bend, const mb_site *at)
{
    const mb_joint *j = &plan->joint[block->source];
    const mb_ends ends = mb_ends_of(at, at->body[1], at->body[2]);
    mb_moving d, e;
    mb_moving_distance(&d, j, &ends);
    for (int i = 0; i < j->rates; i++) {
        const mb_rotor_rate *r = &j->rate[i];
        if (j->chain != NULL) {
            real rate;
            mb_chain_moves(j, r->axis, at, at->body[1], at->body[2], &rate, &bend[i]);
            continue;
        }
        const int with = mb_rotor_axis(e.at, j, r, ends.Ra, ends.Rb);
        bend[i] = splat(0);
        mb_moving_with(&e, (with ? ends.b : ends.a) + 3);
        if (r->kind == MB_SLIDES)
            bend[i] = mb_product_bend(&e, &d);
        else
            for (int k = 0; k < 3; k++) bend[i] = bend[i] + e.rate[k] * (ends.b[3 + k] - ends.a[3 + k]);
    }
}

#endif
