/* SPDX-License-Identifier: BSD-3-Clause */
/* reactions.h: what the rows of a block do, with the multipliers x: the wrench on its last body, in space, of joints
 * about the joint's point on the child, of others about that body's centre of mass; and the multiplier of its first
 * row, which is the normal force where there is one (row.h). */
#ifndef LG_MULTIBODY_REACTIONS_H
#define LG_MULTIBODY_REACTIONS_H

#include "multibody/rows/row.h"

KERNEL void mb_reaction_add(const mb_plan *plan, const mb_block *k, real *to, const mb_pair *row, const mb_pose *pose,
                            const real *x)
{
    real sum[6] = {splat(0)}, arm[3], turn[3];
    for (int i = 0; i < k->rows; i++) {
        const real *part = row[k->part + (i + 1) * k->sides - 1].v, l = x[k->at + i];
        for (int c = 0; c < 6; c++) sum[c] = sum[c] + l * part[c];
    }
    if (mb_facts_of(k)->part == MB_JOINTS) {
        const mb_joint *j = &plan->joint[k->source];
        mb_turn_constant(arm, pose[j->b].R, j->anchor_b);
        small_cross(turn, arm, sum);
        for (int c = 0; c < 3; c++) sum[3 + c] = sum[3 + c] - turn[c];
    }
    for (int c = 0; c < 6; c++) to[c] = to[c] + sum[c];
    to[MB_REACTION - 1] = to[MB_REACTION - 1] + x[k->at];
}

#endif
