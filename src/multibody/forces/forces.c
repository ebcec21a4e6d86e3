/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces on bodies, in space, with their work: averaged over a step, and at a node. */
#include "multibody/forces/along.h"

LG_ENGINE void mb_forces(mb_motion *m, mb_pair *f, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    mb_action x;
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) f[b].v[k] = m->force[b].v[k] + (k < 3 ? mb_gravity(plan, b, k) : 0.0);
    for (int i = 0; i < plan->forces; i++) {
        mb_action_step(&x, m, &plan->force[i], n0, n1, m->mean_pose, h);
        mb_action_push(&x, f, &plan->force[i], m->slope);
    }
}

LG_ENGINE void mb_forces_work(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, int motors)
{
    mb_action x;
    for (int i = 0; i < m->plan->forces; i++) {
        const mb_force *s = &m->plan->force[i];
        if (motors && (s->control < 0 || mb_is_servo(s))) continue;
        mb_action_step(&x, m, s, n0, n1, n1->pose, h);
        const real work = x.drag * (x.q1 - x.q0);
        if (s->control >= 0) m->motor_work[s->control] = work;
        m->work = m->work + work;
    }
}

LG_ENGINE real mb_node_forces(const mb_plan *plan, mb_pair *f, const mb_node *n, const mb_pair *twist, mb_pair *slope,
                              const real *control, real *powers)
{
    real power = splat(0);
    mb_action x;
    for (int b = 0; b <= plan->bodies; b++)
        for (int k = 0; k < 6; k++) f[b].v[k] = splat(b < plan->bodies && k < 3 ? mb_gravity(plan, b, k) : 0.0);
    mb_slopes(plan, slope, n->pose, n->pose, n->pose);
    for (int i = 0; i < plan->forces; i++) {
        const mb_force *s = &plan->force[i];
        mb_action_of(&x, s, n, n, n->pose, 1, control);
        if (twist != NULL) x.rate = mb_action_rate(&x, plan, s, twist, slope);
        mb_force_law(&x, s);
        mb_action_push(&x, f, s, slope);
        if (s->control < 0 || mb_is_servo(s)) power = power + x.drag * x.rate;
        if (s->control >= 0 && powers != NULL) powers[s->control] = x.drag * x.rate;
    }
    return power;
}
