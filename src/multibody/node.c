/* SPDX-License-Identifier: BSD-3-Clause */
/* A node: poses, coordinates, rows with their factor, energy. */
#include "groups/so3.h"
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

LG_ENGINE void mb_slopes(const mb_plan *plan, mb_pair *slope, const mb_pose *pose, const mb_pose *p0, const mb_pose *p1)
{
    for (int c = 0; c < plan->driven; c++) mb_coordinate_row(plan, c, slope + 2 * c, pose, p0, p1);
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

LG_ENGINE void mb_rows_evaluate(const mb_plan *plan, mb_pair *parts, real *phi, real *drift, const mb_pose *pose,
                                const mb_pose *p0, const mb_pose *p1, const real *q, int blocks)
{
    for (int e = 0; e < blocks; e++)
        mb_block_kept(plan, &plan->block[e], parts, e < plan->holonomic_blocks ? phi : drift, pose, p0, p1, q);
}

/* Bodies a and b of a joint. */
KERNEL mb_ends mb_ends_of(const mb_joint *j, const mb_pose *pose, const mb_pair *twist)
{
    return (mb_ends){pose[j->a].r, pose[j->a].R, twist[j->a].v, pose[j->b].r, pose[j->b].R, twist[j->b].v};
}

LG_ENGINE void mb_coordinate_moves(const mb_plan *plan, int c, const mb_pose *pose, const mb_pair *twist, real *rate,
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

/* The same of the rows that the plan keeps. */
KERNEL void mb_block_curvature(const mb_plan *plan, const mb_block *k, real *bend, const mb_pose *pose,
                               const mb_pair *twist)
{
    real all[MB_ROWS_MOST];
    mb_block_bend(plan, k, all, pose, twist);
    for (int i = 0; i < k->rows; i++) bend[k->at + i] = all[k->kept[i]];
}

LG_ENGINE void mb_curvature(const mb_plan *plan, real *bend, const mb_pose *pose, const mb_pair *twist)
{
    for (int e = 0; e < plan->blocks; e++) mb_block_curvature(plan, &plan->block[e], bend, pose, twist);
}

LG_ENGINE void mb_coordinates(const mb_plan *plan, mb_node *n, const real *near, int from, int to)
{
    for (int c = from; c < to; c++) {
        const mb_joint *j = &plan->joint[plan->coordinate[c].joint];
        const mb_pose *a = &n->pose[j->a], *b = &n->pose[j->b];
        n->q[c] = mb_coordinate_value(j, plan->coordinate[c].slides, a->r, a->R, b->r, b->R, near[c]);
    }
}

/* The matrices and mobilities of a node. */
LG_ENGINE void mb_turn_bodies(const mb_plan *plan, mb_node *n)
{
    for (int b = 0; b < plan->bodies; b++) {
        so3_to_matrix(n->pose[b].R, n->pose[b].q);
        mb_mobility_of(&n->mobility[b], n->pose[b].R, 1.0 / plan->mass[b], plan->inverse_inertia + 9 * b);
    }
}

LG_ENGINE void mb_node_place(const mb_plan *plan, mb_node *n, const real *near)
{
    mb_turn_bodies(plan, n);
    mb_coordinates(plan, n, near, 0, plan->coordinates);
}

LG_ENGINE void mb_pose_load(mb_pose *p, const double *pose)
{
    for (int k = 0; k < 3; k++) p->r[k] = splat(pose[k]);
    for (int k = 0; k < 4; k++) p->q[k] = splat(pose[3 + k]);
    so3_to_matrix(p->R, p->q);
}

LG_ENGINE void mb_node_load(const mb_plan *plan, mb_node *n, const double *pose)
{
    static const double world[7] = {0, 0, 0, 0, 0, 0, 1};
    for (int b = 0; b < plan->bodies; b++) mb_pose_load(&n->pose[b], pose + 7 * b);
    mb_pose_load(&n->pose[plan->bodies], world);
}

LG_ENGINE void mb_turn_pose(mb_pose *p, const real *turn)
{
    const real x = 0.5 * turn[0], y = 0.5 * turn[1], z = 0.5 * turn[2], *q = p->q;
    const real s = 1.0 / root(1.0 + (x * x + y * y + z * z));
    const real to[4] = {s * (q[0] + (x * q[3] + (y * q[2] - z * q[1]))),
                        s * (q[1] + (y * q[3] + (z * q[0] - x * q[2]))),
                        s * (q[2] + (z * q[3] + (x * q[1] - y * q[0]))), s * (q[3] - (x * q[0] + y * q[1] + z * q[2]))};
    for (int k = 0; k < 4; k++) p->q[k] = to[k];
    small_renormalise(4, p->q);
}

LG_ENGINE void mb_rows_of(const mb_plan *plan, const mb_block *k, mb_pair *row, real *value, const mb_node *n)
{
    mb_block_rows(plan, k, row, value, n->pose, n->pose, n->pose, n->q);
}

LG_ENGINE void mb_node_gram(const mb_plan *plan, mb_node *n)
{
    mb_rows_evaluate(plan, n->rows.row, n->phi, n->drift, n->pose, n->pose, n->pose, n->q, plan->blocks);
    mb_products(plan, n->rows, n->mobility, plan->blocks);
    mb_gram(plan, &plan->node, n->factor, n->rows);
}

LG_ENGINE void mb_node_rows(const mb_plan *plan, mb_node *n, double regular)
{
    mb_node_gram(plan, n);
    for (int k = 0; regular > 0 && k < plan->node.count; k++) {
        const int m = plan->block[plan->node.block[k]].rows;
        real *D = n->factor + plan->node.diagonal[k];
        for (int i = 0; i < m; i++) D[i * m + i] = D[i * m + i] * (1.0 + regular);
    }
    mb_factor(plan, &plan->node, n->factor);
}

static real mb_potential(const mb_plan *plan, const mb_node *n)
{
    real V = splat(0);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 3; k++) V = V - plan->mass[b] * plan->gravity[k] * n->pose[b].r[k];
    for (int i = 0; i < plan->drives; i++) {
        const mb_drive *f = &plan->drive[i];
        const real x = n->q[f->coordinate] - f->rest;
        V = V + 0.5 * f->stiffness * (x * x);
    }
    for (int i = 0; i < plan->springs; i++) {
        const mb_spring *s = &plan->spring[i];
        real xa[3], xb[3], d[3];
        const real x = mb_spring_length(s, n->pose, xa, xb, d) - s->rest;
        V = V + 0.5 * s->stiffness * (x * x);
    }
    return V;
}

LG_ENGINE real mb_kinetic(const mb_plan *plan, const mb_node *n)
{
    real T = splat(0);
    for (int b = 0; b < plan->bodies; b++) {
        real w[3];
        mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
        T = T + 0.5 * (n->mobility[b].inverse_mass * mb_dot(n->p[b].v, n->p[b].v) + mb_dot(w, n->p[b].v + 3));
    }
    return T;
}

LG_ENGINE real mb_energy(const mb_plan *plan, const mb_node *n, real *size)
{
    const real T = mb_kinetic(plan, n), V = mb_potential(plan, n);
    *size = greater(T, magnitude(V));
    return T + V;
}
