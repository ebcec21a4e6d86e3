/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/corrections.h"

#include <math.h>
#include <string.h>

#include "multibody/contact/contact.h"
#include "multibody/convergence.h"

LG_ENGINE void mb_kick(mb_motion *m, const mb_node *n, mb_pair *f, double s, const real *l)
{
    const mb_plan *plan = m->plan;
    for (int i = 0; i < plan->rows; i++) m->y[i] = l[i];
    mb_backward(plan, &plan->node, n->factor, m->y);
    mb_push(plan, n->rows.row, f, s, m->y, plan->blocks);
}

LG_ENGINE void mb_momenta(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    mb_forces(m, m->wrench, n0, n1, h);
    m->scale = splat(0);
    for (int b = 0; b < plan->bodies; b++) {
        real w[3];
        mb_mobile(w, &n1->mobility[b], m->wrench[b].v + 3);
        m->scale = m->scale + (h * h) * (mb_dot(m->wrench[b].v, m->wrench[b].v) * n1->mobility[b].inverse_mass +
                                         mb_dot(w, m->wrench[b].v + 3));
    }
#if LANES == 1
    if (m->contacts != NULL) mb_contacts_push(m, h);
#endif
    mb_push(plan, m->mean.row, m->wrench, -1, m->x.mu, plan->holonomic_blocks);
    memcpy(m->minus, n0->p, (size_t)plan->bodies * sizeof *m->minus);
    mb_kick(m, n0, m->minus, 0.5 * h, m->x.l);
#if LANES == 1
    if (m->contacts != NULL && m->contacts->paired) mb_pairs_depart(m);
#endif
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) m->plus[b].v[k] = m->minus[b].v[k] + h * m->wrench[b].v[k];
}

LG_ENGINE real mb_correct_mu(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++) {
        real p0[3], p1[3], w[3];
        mb_back(p0, n0->pose[b].R, m->minus[b].v + 3);
        mb_back(p1, n1->pose[b].R, m->plus[b].v + 3);
        for (int k = 0; k < 3; k++) p1[k] = p1[k] - p0[k];
        mb_inverse_inertia(plan, b, w, p1);
        mb_turn(m->twist[b].v + 3, m->mean_pose[b].R, w);
        for (int k = 0; k < 3; k++) m->twist[b].v[k] = (m->plus[b].v[k] - m->minus[b].v[k]) * (1.0 / plan->mass[b]);
    }
    mb_ground_twists(plan, m->twist, NULL);
    mb_pull(plan, m->mean.row, m->y, m->twist, plan->holonomic_blocks);
    mb_forward(plan, &plan->mean, m->mean_factor, m->y);
    real size = splat(0);
    for (int i = 0; i < plan->holonomic_rows; i++) size = size + m->y[i] * m->y[i];
    mb_backward(plan, &plan->mean, m->mean_factor, m->y);
    mb_push(plan, m->mean.row, m->plus, -1, m->y, plan->holonomic_blocks);
    for (int i = 0; i < plan->holonomic_rows; i++) m->x.mu[i] = m->x.mu[i] + m->y[i] / h;
    return size;
}

LG_ENGINE real mb_correct_l(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++) {
        mb_mobile(m->twist[b].v + 3, &n1->mobility[b], m->plus[b].v + 3);
        for (int k = 0; k < 3; k++) m->twist[b].v[k] = m->plus[b].v[k] * n1->mobility[b].inverse_mass;
    }
    real *d = m->y, size = splat(0);
    mb_ground_twists(plan, m->twist, n1->given);
    mb_pull(plan, n1->rows.row, d, m->twist, plan->blocks);
    for (int i = plan->holonomic_rows; i < plan->rows; i++) d[i] = d[i] - n1->drift[i];
    mb_forward(plan, &plan->node, n1->factor, d);
    for (int i = 0; i < plan->rows; i++) {
        d[i] = -d[i] / h - 0.5 * m->x.l[i];
        m->x.l[i] = m->x.l[i] + d[i];
        size = size + d[i] * d[i];
    }
    mb_backward(plan, &plan->node, n0->factor, d);
    mb_clear(m->wrench, plan->bodies);
    mb_push(plan, n0->rows.row, m->wrench, 0.5 * h, d, plan->blocks);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) {
            m->minus[b].v[k] = m->minus[b].v[k] + m->wrench[b].v[k];
            m->plus[b].v[k] = m->plus[b].v[k] + m->wrench[b].v[k];
        }
    return size * (h * h);
}

LG_ENGINE real mb_correct_xi(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, real *scale)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++) {
        real p0[3], p1[3];
        mb_back(p0, n0->pose[b].R, m->minus[b].v + 3);
        mb_back(p1, n1->pose[b].R, m->plus[b].v + 3);
        for (int k = 0; k < 3; k++) p1[k] = 0.5 * (p0[k] + p1[k]);
        mb_inverse_inertia(plan, b, p0, p1);
        for (int k = 0; k < 3; k++) {
            m->twist[b].v[k] = 0.5 * (m->minus[b].v[k] + m->plus[b].v[k]) * (1.0 / plan->mass[b]);
            m->wrench[b].v[3 + k] = p0[k]; /* w in the body, without nu */
        }
        mb_turn(m->twist[b].v + 3, m->mean_pose[b].R, p0);
    }
    mb_ground_twists(plan, m->twist, m->led);
    mb_pull(plan, m->mean.row, m->y, m->twist, plan->holonomic_blocks);
    double over = h;
#if LANES == 1
    if (m->contacts != NULL) over = fmax(h, m->contacts->whole); /* a short part leaves what is round-off */
#endif
    for (int i = 0; i < plan->holonomic_rows; i++) m->y[i] = -n0->phi[i] / over - m->y[i];
    mb_forward(plan, &plan->mean, m->mean_factor, m->y);
    mb_backward(plan, &plan->mean, m->mean_factor, m->y);
    mb_pair *nu = m->wrench;
    real change = splat(0);
    *scale = splat(0);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 3; k++) {
            const real w = nu[b].v[3 + k];
            nu[b].v[k] = nu[b].v[3 + k] = splat(0);
            m->twist[b].v[3 + k] = w;
        }
    mb_ground_twists(plan, nu, NULL);
    mb_push(plan, m->mean.row, nu, 1, m->y, plan->holonomic_blocks);
    for (int b = 0; b < plan->bodies; b++) {
        real t[3], w[3], next[6], d[6];
        mb_back(t, m->mean_pose[b].R, nu[b].v + 3);
        mb_inverse_inertia(plan, b, w, t);
        for (int k = 0; k < 3; k++) {
            next[k] = m->twist[b].v[k] + nu[b].v[k] * (1.0 / plan->mass[b]);
            next[3 + k] = m->twist[b].v[3 + k] + w[k];
        }
        const double *I = plan->inertia + 9 * b;
        for (int k = 0; k < 6; k++) d[k] = next[k] - m->x.xi[b].v[k], m->x.xi[b].v[k] = next[k];
        change = change + plan->mass[b] * mb_dot(d, d);
        *scale = *scale + plan->mass[b] * mb_dot(next, next);
        for (int k = 0; k < 3; k++) {
            change = change + I[4 * k] * (d[3 + k] * d[3 + k]);
            *scale = *scale + I[4 * k] * (next[3 + k] * next[3 + k]);
        }
    }
    return change;
}

/* How far the last corrections of sweeps that came to a standstill leave the rows of velocity open, relative to the
 * fastest point: 0 is exact, NaN if a number is not finite. Sums over bodies hide what a light one does. */
static real mb_open(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    (void)mb_correct_l(m, n0, n1, h);
    memcpy(m->wrench, m->plus, (size_t)plan->bodies * sizeof *m->wrench);
    mb_kick(m, n1, m->wrench, 0.5 * h, m->x.l);
    real speed = splat(0), open = splat(0);
    for (int b = 0; b < plan->bodies; b++) {
        mb_mobile(m->twist[b].v + 3, &n1->mobility[b], m->wrench[b].v + 3);
        for (int k = 0; k < 3; k++) m->twist[b].v[k] = m->wrench[b].v[k] * n1->mobility[b].inverse_mass;
        for (int k = 0; k < 6; k++) speed = greater(speed, magnitude(m->twist[b].v[k]));
    }
    mb_ground_twists(plan, m->twist, n1->given);
    mb_pull(plan, n1->rows.row, m->y, m->twist, plan->blocks);
    for (int i = 0; i < plan->rows; i++) {
        const real v = i < plan->holonomic_rows ? m->y[i] : m->y[i] - n1->drift[i];
        open = greater(open, magnitude(v));
    }
    return open / (speed + 1e-4 * plan->reach / fabs(h));
}

LG_ENGINE int mb_stands(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, mask still)
{
    const mb_plan *plan = m->plan;
    if (!any(still)) return 1;
    if (LANES > 1) {
        memcpy(m->held.xi, m->plus, (size_t)plan->bodies * sizeof *m->plus);
        memcpy(m->held.l, m->x.l, (size_t)plan->rows * sizeof *m->x.l);
    }
    const real open = mb_open(m, n0, n1, h);
    if (LANES > 1) {
        mb_choose(other(still), m->plus->v, m->held.xi->v, 6 * plan->bodies);
        mb_choose(other(still), m->x.l, m->held.l, plan->rows);
    }
    const mask closed = open < 1e-11;
    return !any(both(still, other(closed)));
}
