/* SPDX-License-Identifier: BSD-3-Clause */
/* drive.h: what follows a leader, a frame whose motion is given (lead.h): a coordinate q = r_1, the leader's first
 * coordinate of space, or a body whose frame is the leader's. Rows act on the leader as on a body, so that they depend
 * on time through its pose, twist and acceleration alone. */
#ifndef LG_MULTIBODY_ROW_DRIVE_H
#define LG_MULTIBODY_ROW_DRIVE_H

#include "multibody/rows/coordinate.h"
#include "multibody/rows/joint.h"

KERNEL void mb_drive_rows(const mb_plan *plan, const mb_block *k, mb_pair *row, real *phi, const mb_site *at)
{
    const mb_follower *d = &plan->drive[k->source];
    if (d->coordinate < 0) {
        mb_rows_of_joint(&d->weld, row, phi, at);
        return;
    }
    const mb_pose *a = &at->pose[at->body[0]], *b = &at->pose[at->body[1]];
    const real wanted = at->pose[at->body[2]].r[0];
    const mb_coordinate *o = &plan->coordinate[d->coordinate];
    mb_coordinate_row(plan, d->coordinate, row, at, at->body[0], at->body[1]);
    for (int i = 0; i < 6; i++) row[2].v[i] = splat(i == 0 ? -1 : 0);
    const real q = at->q != NULL ? at->q[d->coordinate]
                                 : mb_coordinate_value(&plan->joint[o->joint], o, a->r, a->R, b->r, b->R, wanted);
    *phi = q - wanted;
}

KERNEL void mb_drive_bend(const mb_plan *plan, const mb_block *k, real *bend, const mb_site *at)
{
    const mb_follower *d = &plan->drive[k->source];
    real rate;
    if (d->coordinate < 0)
        mb_bend_of_joint(&d->weld, bend, at);
    else
        mb_coordinate_moves(plan, d->coordinate, at, at->body[0], at->body[1], &rate, bend);
}

#endif
