/* SPDX-License-Identifier: BSD-3-Clause */
/* Projections in the kinetic metric: poses onto phi = 0, momenta onto A J^-1 p = drift. */
#include <string.h>

#include "multibody/step.h"

LG_ENGINE void mb_close(const mb_plan *plan, mb_node *n, real *x, mb_pair *wrench)
{
    mb_close_with(plan, &plan->node, n->factor, n, x, wrench);
}

LG_ENGINE void mb_close_with(const mb_plan *plan, const mb_symbolic *S, const real *factor, mb_node *n, real *x,
                             mb_pair *wrench)
{
    for (int i = 0; i < plan->rows; i++) x[i] = i < plan->holonomic_rows ? n->phi[i] : splat(0);
    mb_forward(plan, S, factor, x);
    mb_backward(plan, S, factor, x);
    memset(wrench, 0, sz(mb_frames(plan)) * sizeof *wrench);
    mb_push(plan, n->rows.row, wrench, -1, x, plan->blocks);
    for (int b = 0; b < plan->bodies; b++) {
        real turn[3];
        mb_mobile(turn, &n->mobility[b], wrench[b].v + 3);
        for (int k = 0; k < 3; k++) n->pose[b].r[k] = n->pose[b].r[k] + wrench[b].v[k] * n->mobility[b].inverse_mass;
        mb_turn_pose(&n->pose[b], turn);
    }
}

LG_ENGINE void mb_settle(const mb_plan *plan, mb_node *n, real *x, mb_pair *twist)
{
    for (int round = 0; round < 2; round++) {
        mb_ground_twists(plan, twist, n->given), mb_ground_twists(plan, n->p, NULL);
        for (int b = 0; b < plan->bodies; b++) {
            for (int k = 0; k < 3; k++) twist[b].v[k] = n->p[b].v[k] * n->mobility[b].inverse_mass;
            mb_mobile(twist[b].v + 3, &n->mobility[b], n->p[b].v + 3);
        }
        mb_pull(plan, n->rows.row, x, twist, plan->blocks);
        for (int i = plan->holonomic_rows; i < plan->rows; i++) x[i] = x[i] - n->drift[i];
        mb_forward(plan, &plan->node, n->factor, x);
        mb_backward(plan, &plan->node, n->factor, x);
        mb_push(plan, n->rows.row, n->p, -1, x, plan->blocks);
    }
}
