/* SPDX-License-Identifier: BSD-3-Clause */
/* A node: poses, coordinates, rows with their factor, energy. */
#include "groups/so3.h"
#include "multibody/forces/along.h"
#include "multibody/rows/block.h"
#include "multibody/step.h"

LG_ENGINE void mb_slopes(const mb_plan *plan, mb_pair *slope, const mb_pose *pose, const mb_node *n0, const mb_node *n1)
{
    const mb_site at = {NULL, pose, n0->pose, n1->pose, n0->q, n1->q, NULL};
    for (int c = 0; c < plan->driven; c++) {
        const mb_joint *j = &plan->joint[plan->coordinate[c].joint];
        if (j->chain != NULL)
            mb_chain_slopes(j, slope + 2 * c, &at), c += j->chain->count - 1;
        else
            mb_coordinate_row(plan, c, slope + 2 * c, &at, j->a, j->b);
    }
    for (int i = 0; i < plan->tendons; i++)
        if (plan->tendon[i].row >= 0) mb_tendon_row(&plan->tendon[i], slope, pose, n0, n1);
}

LG_ENGINE void mb_rows_evaluate(const mb_plan *plan, mb_pair *parts, real *phi, real *drift, const mb_pose *pose,
                                const mb_node *n0, const mb_node *n1, int blocks)
{
    for (int e = 0; e < blocks; e++) {
        const mb_site at = {plan->block[e].body, pose, n0->pose, n1->pose, n0->q, n1->q, NULL};
        mb_block_kept(plan, &plan->block[e], parts, e < plan->holonomic_blocks ? phi : drift, &at);
    }
}

LG_ENGINE void mb_curvature(const mb_plan *plan, real *bend, const mb_node *n, const mb_pair *twist)
{
    for (int e = 0; e < plan->blocks; e++) {
        const mb_site at = {plan->block[e].body, n->pose, n->pose, n->pose, n->q, n->q, twist};
        mb_block_curvature(plan, &plan->block[e], bend, &at);
    }
}

LG_ENGINE void mb_coordinates(const mb_plan *plan, mb_node *n, const real *near, int from, int to)
{
    for (int c = from; c < to; c++) {
        const mb_joint *j = &plan->joint[plan->coordinate[c].joint];
        const mb_pose *a = &n->pose[j->a], *b = &n->pose[j->b];
        if (j->chain != NULL) {
            mb_chain_solve(j, n->q + c, a, b, near + c), c += j->chain->count - 1;
            continue;
        }
        n->q[c] = mb_coordinate_value(j, &plan->coordinate[c], a->r, a->R, b->r, b->R, near[c]);
    }
}

LG_ENGINE int mb_node_lead(const mb_plan *plan, mb_node *n, double t, int l, mb_stray *why)
{
    mb_led led;
    for (int i = 0; i < plan->drives; i++) {
        mb_pose *p = &n->pose[plan->bodies + 1 + i], all;
        mb_pair *given = &n->given[1 + i], *changes = given + plan->grounds;
        if (mb_lead(plan, i, t, &led, why)) return 1;
        mb_pose_load(&all, led.pose);
        for (int lane = 0; lane < LANES; lane++) {
            if (l >= 0 && lane != l) continue;
            for (size_t k = 0; k < sizeof all / sizeof(real); k++)
                as_doubles((real *)p + k)[lane] = as_doubles((real *)&all + k)[lane];
            for (int k = 0; k < 6; k++) {
                as_doubles(&given->v[k])[lane] = led.twist[k];
                as_doubles(&changes->v[k])[lane] = led.acceleration[k];
            }
        }
    }
    return 0;
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

LG_ENGINE void mb_world_load(mb_pose *p)
{
    static const double world[7] = {0, 0, 0, 0, 0, 0, 1};
    mb_pose_load(p, world);
}

LG_ENGINE void mb_node_load(const mb_plan *plan, mb_node *n, const double *pose)
{
    for (int b = 0; b < plan->bodies; b++) mb_pose_load(&n->pose[b], pose + 7 * b);
    mb_world_load(&n->pose[plan->bodies]);
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
    const mb_site at = {k->body, n->pose, n->pose, n->pose, n->q, n->q, NULL};
    mb_block_rows(plan, k, row, value, &at);
}

LG_ENGINE void mb_node_gram(const mb_plan *plan, mb_node *n)
{
    mb_rows_evaluate(plan, n->rows.row, n->phi, n->drift, n->pose, n, n, plan->blocks);
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
    mb_action x;
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 3; k++) V = V - mb_gravity(plan, b, k) * n->pose[b].r[k];
    for (int i = 0; i < plan->forces; i++) {
        mb_action_of(&x, &plan->force[i], n, n, n->pose, 1, NULL);
        mb_force_law(&x, &plan->force[i]);
        V = V + x.potential;
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
