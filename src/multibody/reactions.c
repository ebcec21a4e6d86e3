/* SPDX-License-Identifier: BSD-3-Clause */
/* What a joint or a wheel exerts: the impulse of its rows in the last step, over its length,
 * 1/2 A0^T L0^-T l + 1/2 A1^T L1^-T l - G^T mu. */
#include <math.h>
#include <string.h>

#include "multibody/motion.h"

/* Adds s times the rows of a block, weighted with x, on the part of body `side`. */
static void add_rows(mb_pair *f, const mb_block *k, int side, const mb_pair *row, const double *x, double s)
{
    for (int i = 0; i < k->rows; i++)
        for (int j = 0; j < 6; j++) f->v[j] += s * x[k->at + i] * row[k->part + i * k->sides + side].v[j];
}

/* The mean wrench of a source's blocks of these kinds on the last body of each, about its centre of mass. */
static void reaction(const lg_motion *mo, mb_pair *f, int source, int joints)
{
    const mb_motion *n = &mo->numbers;
    const mb_plan *plan = n->plan;
    memset(f, 0, sizeof *f);
    for (int end = 0; end < 2; end++) {
        const mb_node *node = &n->node[n->now ^ 1 ^ end];
        memcpy(mo->multiplier, n->x.l, (size_t)plan->rows * sizeof *mo->multiplier);
        mb_backward(plan, &plan->node, node->factor, mo->multiplier);
        for (int e = 0; e < plan->blocks; e++) {
            const mb_block *k = &plan->block[e];
            if (k->source == source && (k->kind == MB_JOINT) == joints && k->kind != MB_GEAR)
                add_rows(f, k, k->sides - 1, node->rows.row, mo->multiplier, 0.5);
        }
    }
    for (int e = 0; e < plan->holonomic_blocks; e++) {
        const mb_block *k = &plan->block[e];
        if (k->source == source && (k->kind == MB_JOINT) == joints && k->kind != MB_GEAR)
            add_rows(f, k, k->sides - 1, n->mean.row, n->x.mu, -1);
    }
}

lg_status lg_motion_joint_wrench(const lg_motion *mo, double *wrench, int joint)
{
    if (mo == NULL || wrench == NULL || !mo->started || !mo->stepped) return LG_ERROR_ARGUMENT;
    if (joint < 0 || joint >= mo->mechanism->part[MB_JOINTS].count) return LG_ERROR_ARGUMENT;
    const mb_joint *j = &mo->mechanism->joint[joint];
    mb_pair f;
    double x[3], t[3];
    reaction(mo, &f, joint, 1);
    mb_turn_constant(x, mb_now(mo)->pose[j->b].R, j->anchor_b);
    small_cross(t, x, f.v);
    for (int k = 0; k < 3; k++) wrench[k] = f.v[k], wrench[3 + k] = f.v[3 + k] - t[k];
    return LG_OK;
}

lg_status lg_motion_wheel_force(const lg_motion *mo, double *force, int wheel)
{
    if (mo == NULL || force == NULL || !mo->started || !mo->stepped) return LG_ERROR_ARGUMENT;
    if (wheel < 0 || wheel >= mo->mechanism->part[MB_WHEELS].count) return LG_ERROR_ARGUMENT;
    mb_pair f;
    reaction(mo, &f, wheel, 0);
    memcpy(force, f.v, 3 * sizeof *force);
    return LG_OK;
}
