/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces on bodies, in space, with their work: averaged over a step, and at a node. */
#include "multibody/forces/along.h"
#include "multibody/forces/ball.h"
#include "multibody/forces/thrust.h"

/* f += the thrusters, on bodies with these poses. */
KERNEL void mb_add_thrust(const mb_plan *plan, mb_pair *f, const mb_pose *pose, const real *control)
{
    mb_pair w;
    for (const mb_thruster *t = plan->thruster; t < plan->thruster + plan->thrusters; t++) {
        mb_thrust(&w, t, pose[t->body].R, control);
        for (int k = 0; k < 6; k++) f[t->body].v[k] = f[t->body].v[k] + w.v[k];
    }
}

/* Their work: the wrench of the averaged pose times h xi. */
KERNEL void mb_thrust_work(mb_motion *m, const mb_node *n0, double h)
{
    const mb_plan *plan = m->plan;
    mb_pair f;
    real w[3];
    for (const mb_thruster *t = plan->thruster; t < plan->thruster + plan->thrusters; t++) {
        const real *xi = m->x.xi[t->body].v;
        mb_thrust(&f, t, m->mean_pose[t->body].R, m->input);
        mb_turn(w, n0->pose[t->body].R, xi + 3);
        const real work = h * (mb_dot(f.v, xi) + mb_dot(f.v + 3, w));
        m->motor_work[t->control] = work;
        mb_did(m, LG_WORK_MOTORS, work);
    }
}

/* The angular velocity of a step of joint j's child relative to its parent, in space. */
KERNEL void mb_ball_turns(const mb_motion *m, const mb_joint *j, const mb_node *n0, real *w)
{
    real a[3];
    for (int k = 0; k < 3; k++) w[k] = a[k] = splat(0);
    if (j->a < m->plan->bodies) mb_turn(a, n0->pose[j->a].R, m->x.xi[j->a].v + 3);
    if (j->b < m->plan->bodies) mb_turn(w, n0->pose[j->b].R, m->x.xi[j->b].v + 3);
    for (int k = 0; k < 3; k++) w[k] = w[k] - a[k];
}

/* Torques on rotation vectors in a step; f = NULL: their work. */
KERNEL void mb_balls(mb_motion *m, mb_pair *f, const mb_node *n0, double h)
{
    const mb_plan *plan = m->plan;
    real T[3], w[3];
    for (const mb_ball *s = plan->ball; s < plan->ball + plan->balls; s++) {
        const mb_joint *j = &plan->joint[s->joint];
        mb_ball_turns(m, j, n0, w);
        const real own = h * mb_ball_torque(T, plan, s, m->mean_pose[j->a].R, w, m->input);
        if (f != NULL) {
            mb_ball_push(f, j, T);
            continue;
        }
        if (s->control >= 0) m->motor_work[s->control] = own;
        mb_did(m, mb_ball_kind(s), own);
    }
}

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
    mb_add_thrust(plan, f, m->mean_pose, m->input);
    mb_balls(m, f, n0, h);
}

LG_ENGINE void mb_forces_work(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, int motors)
{
    mb_action x;
    for (int i = 0; i < m->plan->forces; i++) {
        const mb_force *s = &m->plan->force[i];
        if (motors && !mb_is_held(s)) continue;
        mb_action_step(&x, m, s, n0, n1, n1->pose, h);
        const real work = x.drag * (x.q1 - x.q0);
        if (s->control >= 0) m->motor_work[s->control] = work;
        mb_did(m, mb_force_kind(s), work);
    }
    if (!motors) mb_thrust_work(m, n0, h), mb_balls(m, NULL, n0, h);
}

LG_ENGINE real mb_node_forces(const mb_plan *plan, mb_pair *f, const mb_node *n, const mb_pair *twist, mb_pair *slope,
                              const real *control, real *powers)
{
    real power = splat(0);
    mb_action x;
    for (int b = 0; b <= plan->bodies; b++)
        for (int k = 0; k < 6; k++) f[b].v[k] = splat(b < plan->bodies && k < 3 ? mb_gravity(plan, b, k) : 0.0);
    mb_slopes(plan, slope, n->pose, n, n);
    for (int i = 0; i < plan->forces; i++) {
        const mb_force *s = &plan->force[i];
        mb_action_of(&x, s, n, n, n->pose, 1, control);
        if (twist != NULL) x.rate = mb_action_rate(&x, plan, s, twist, slope);
        mb_force_law(&x, s);
        mb_action_push(&x, f, s, slope);
        if (!mb_is_held(s)) mb_add_work(plan, &power, powers, mb_force_kind(s), x.drag * x.rate);
        if (s->control >= 0 && powers != NULL) powers[s->control] = x.drag * x.rate;
    }
    for (const mb_ball *s = plan->ball; s < plan->ball + plan->balls; s++) {
        const mb_joint *j = &plan->joint[s->joint];
        real T[3], w[3];
        for (int k = 0; k < 3; k++) w[k] = twist != NULL ? twist[j->b].v[3 + k] - twist[j->a].v[3 + k] : splat(0);
        const real own = mb_ball_torque(T, plan, s, n->pose[j->a].R, w, control);
        mb_ball_push(f, j, T);
        mb_add_work(plan, &power, powers, mb_ball_kind(s), own);
        if (s->control >= 0 && powers != NULL) powers[s->control] = own;
    }
    mb_add_thrust(plan, f, n->pose, control);
    for (const mb_thruster *t = plan->thruster; twist != NULL && t < plan->thruster + plan->thrusters; t++) {
        mb_pair w;
        mb_thrust(&w, t, n->pose[t->body].R, control);
        const real own = mb_dot6(w.v, twist[t->body].v);
        mb_add_work(plan, &power, powers, LG_WORK_MOTORS, own);
        if (powers != NULL) powers[t->control] = own;
    }
    return power;
}
