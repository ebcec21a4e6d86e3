/* SPDX-License-Identifier: BSD-3-Clause */
/* joint.h: the rows of a joint (docs/theory.md section 17): sliders and then directions, or a distance. They are
 * bilinear in the poses of both bodies, so that rows at an average are exact discrete derivatives. */
#ifndef LG_MULTIBODY_JOINT_H
#define LG_MULTIBODY_JOINT_H

#include "multibody/rows/direction.h"
#include "multibody/rows/distance.h"

KERNEL void mb_rows_of_joint(const mb_joint *j, mb_pair *row, real *phi, const mb_site *at)
{
    const mb_pose *a = &at->pose[at->body[0]], *b = &at->pose[at->body[1]];
    real xa[3], xb[3], d[3];
    mb_distance(j, a->r, a->R, b->r, b->R, xa, xb, d);
    if (j->length > 0) {
        mb_distance_row(j, row, phi, xa, xb, d);
        return;
    }
    mb_slider_rows(j, row, phi, a->R, xa, xb, d);
    mb_direction_rows(j, row + 2 * j->translational, phi + j->translational, a->R, b->R);
}

KERNEL void mb_joint_rows(const mb_plan *plan, const mb_block *k, mb_pair *row, real *phi, const mb_site *at)
{
    mb_rows_of_joint(&plan->joint[k->source], row, phi, at);
}

KERNEL void mb_bend_of_joint(const mb_joint *j, real *bend, const mb_site *at)
{
    const mb_ends e = mb_ends_of(at, at->body[0], at->body[1]);
    mb_moving d;
    mb_moving_distance(&d, j, &e);
    if (j->length > 0) {
        *bend = mb_distance_bend(j, &d);
        return;
    }
    mb_slider_bend(j, bend, &e, &d);
    mb_direction_bend(j, NULL, bend + j->translational, &e);
}

KERNEL void mb_joint_bend(const mb_plan *plan, const mb_block *k, real *bend, const mb_site *at)
{
    mb_bend_of_joint(&plan->joint[k->source], bend, at);
}

#endif
