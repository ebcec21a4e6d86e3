/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of rows: which functions of rows.h, coordinates.h and curvature.h make the rows of a block and A' xi. */
#ifndef LG_MULTIBODY_BLOCKS_H
#define LG_MULTIBODY_BLOCKS_H

#include "multibody/curvature.h"
#include "multibody/step.h"

/* The row of a coordinate. */
KERNEL void mb_coordinate_row(const mb_plan *plan, int c, mb_pair *row, const mb_pose *pose, const mb_pose *p0,
                              const mb_pose *p1)
{
    const mb_joint *j = &plan->joint[plan->coordinate[c].joint];
    const int a = j->a, b = j->b;
    if (plan->coordinate[c].slides)
        mb_length_row(j, row, pose[a].r, pose[a].R, pose[b].r, pose[b].R);
    else
        mb_angle_row(j, row, pose[a].R, pose[b].R, p0[a].R, p0[b].R, p1[a].R, p1[b].R);
}

/* The row of a gear, the parts of a body that both coordinates have summed. */
KERNEL void mb_gear_row(const mb_plan *plan, const mb_gear *g, mb_pair *row, int sides, const mb_pose *pose,
                        const mb_pose *p0, const mb_pose *p1)
{
    mb_pair w[2];
    for (int s = 0; s < sides; s++)
        for (int k = 0; k < 6; k++) row[s].v[k] = splat(0);
    for (int c = 0; c < 2; c++) {
        mb_coordinate_row(plan, c ? g->second : g->first, w, pose, p0, p1);
        for (int s = 0; s < 2; s++) {
            mb_pair *to = &row[g->side[c][s]];
            for (int k = 0; k < 6; k++) to->v[k] = to->v[k] + (c ? 1.0 : -g->ratio) * w[s].v[k];
        }
    }
}

/* All rows of one block, and phi of a holonomic one or the drift of another. p0 and p1 are the ends of an averaged
 * pose. */
KERNEL void mb_block_rows(const mb_plan *plan, const mb_block *k, mb_pair *row, real *value, const mb_pose *pose,
                          const mb_pose *p0, const mb_pose *p1, const real *q)
{
    const mb_pose *a = &pose[k->body[0]], *b = &pose[k->body[k->sides - 1]];
    switch (k->kind) {
    case MB_JOINT:
        mb_joint_rows(&plan->joint[k->source], row, value, a->r, a->R, b->r, b->R);
        break;
    case MB_HEIGHT:
        mb_height_row(&plan->wheel[k->source], row, b->R, p0[k->body[0]].R, p1[k->body[0]].R);
        *value = mb_height(&plan->wheel[k->source], b->r, b->R);
        break;
    case MB_GEAR: {
        const mb_gear *g = &plan->gear[k->source];
        mb_gear_row(plan, g, row, k->sides, pose, p0, p1);
        *value = q[g->second] - g->ratio * q[g->first] - g->offset;
        break;
    }
    case MB_ROLL:
    case MB_SKATE:
        mb_roll_rows(&plan->wheel[k->source], row, value, b->r, b->R, k->kind == MB_SKATE);
        break;
    }
}

/* The rows of a block that the plan keeps, with their phi or drift. */
KERNEL void mb_block_kept(const mb_plan *plan, const mb_block *k, mb_pair *parts, real *value, const mb_pose *pose,
                          const mb_pose *p0, const mb_pose *p1, const real *q)
{
    if (k->rows == k->all) {
        mb_block_rows(plan, k, parts + k->part, value + k->at, pose, p0, p1, q);
        return;
    }
    mb_pair row[2 * MB_ROWS_MOST];
    real all[MB_ROWS_MOST];
    mb_block_rows(plan, k, row, all, pose, p0, p1, q);
    for (int i = 0; i < k->rows; i++) {
        for (int s = 0; s < k->sides; s++) parts[k->part + i * k->sides + s] = row[k->kept[i] * k->sides + s];
        value[k->at + i] = all[k->kept[i]];
    }
}

/* Bodies a and b of a joint. */
KERNEL mb_ends mb_ends_of(const mb_joint *j, const mb_pose *pose, const mb_pair *twist)
{
    return (mb_ends){pose[j->a].r, pose[j->a].R, twist[j->a].v, pose[j->b].r, pose[j->b].R, twist[j->b].v};
}

/* The rate of coordinate c, and its second derivative while twists stay what they are. */
KERNEL void mb_coordinate_moves(const mb_plan *plan, int c, const mb_pose *pose, const mb_pair *twist, real *rate,
                                real *bend)
{
    const mb_coordinate *q = &plan->coordinate[c];
    const mb_ends e = mb_ends_of(&plan->joint[q->joint], pose, twist);
    mb_coordinate_motion(&plan->joint[q->joint], q->slides, &e, rate, bend);
}

/* A' xi - drift' of all rows of one block. */
KERNEL void mb_block_bend(const mb_plan *plan, const mb_block *k, real *bend, const mb_pose *pose, const mb_pair *twist)
{
    const int b = k->body[k->sides - 1];
    switch (k->kind) {
    case MB_JOINT: {
        const mb_ends e = mb_ends_of(&plan->joint[k->source], pose, twist);
        mb_joint_bend(&plan->joint[k->source], bend, &e);
        break;
    }
    case MB_HEIGHT:
        *bend = mb_height_bend(&plan->wheel[k->source], pose[b].R, twist[b].v);
        break;
    case MB_GEAR: {
        const mb_gear *g = &plan->gear[k->source];
        real rate, first;
        mb_coordinate_moves(plan, g->first, pose, twist, &rate, &first);
        mb_coordinate_moves(plan, g->second, pose, twist, &rate, bend);
        *bend = *bend - g->ratio * first;
        break;
    }
    case MB_ROLL:
    case MB_SKATE:
        mb_roll_bend(&plan->wheel[k->source], bend, pose[b].r, pose[b].R, twist[b].v, k->kind == MB_SKATE);
        break;
    }
}

/* A' xi of the rows that the plan keeps. */
KERNEL void mb_block_curvature(const mb_plan *plan, const mb_block *k, real *bend, const mb_pose *pose,
                               const mb_pair *twist)
{
    real all[MB_ROWS_MOST];
    mb_block_bend(plan, k, all, pose, twist);
    for (int i = 0; i < k->rows; i++) bend[k->at + i] = all[k->kept[i]];
}

#endif
