/* SPDX-License-Identifier: BSD-3-Clause */
/* Inverse dynamics: the recursive Newton-Euler algorithm. Accelerations go out along the tree, forces come back:
 *
 *   a_b = a_p + alpha_p x (r_b - r_p) + bend_b + sum_i s_i a_i,   f_b = (m a, I alpha + w x I w) - forces on b,
 *   tau_i = s_i . (sum of f over all that i carries) + armature_i a_i. */
#include "multibody/dynamics/rows.h"

#include "multibody/forces/along.h"

enum { INERTIA = 1, GRAVITY = 2, PASSIVE = 4 }; /* what forces are wanted for */

void mb_dynamics_gather(const lg_dynamics *d, double *tau, mb_pair *f)
{
    const mb_frame *frame = d->mo->frame;
    for (int i = d->m->plan.bodies - 1; i >= 0; i--) {
        const int b = d->m->walk[i], p = d->m->link[b].parent;
        double x[3], t[3];
        if (b >= d->bodies) continue;
        for (int c = d->first[b]; c < d->first[b] + d->count[b]; c++) {
            mb_screw_at(x, &d->screw[c], frame[b].r);
            tau[c] += mb_dot(x, f[b].v) + (d->screw[c].turns ? mb_dot(d->screw[c].axis, f[b].v + 3) : 0);
        }
        for (int k = 0; k < 3; k++) x[k] = frame[b].r[k] - frame[p].r[k];
        small_cross(t, x, f[b].v);
        for (int k = 0; k < 3; k++) f[p].v[k] += f[b].v[k], f[p].v[3 + k] += f[b].v[3 + k] + t[k];
    }
}

void mb_dynamics_accelerate(lg_dynamics *d, const double *a, int coupling)
{
    const mb_frame *frame = d->mo->frame;
    memset(&d->acceleration[d->m->plan.bodies], 0, sizeof *d->acceleration);
    for (int i = 0; i < d->m->plan.bodies; i++) {
        const int b = d->m->walk[i], p = d->m->link[b].parent;
        double *to = d->acceleration[b].v, x[3];
        const double *from = d->acceleration[p].v;
        if (b >= d->bodies) continue;
        for (int k = 0; k < 3; k++) x[k] = frame[b].r[k] - frame[p].r[k];
        small_cross(to, from + 3, x);
        for (int k = 0; k < 3; k++) to[k] += from[k], to[3 + k] = from[3 + k];
        for (int k = 0; coupling && k < 6; k++) to[k] += d->bend[b].v[k];
        for (int c = d->first[b]; a != NULL && c < d->first[b] + d->count[b]; c++) {
            mb_screw_at(x, &d->screw[c], frame[b].r);
            for (int k = 0; k < 3; k++) {
                to[k] += a[c] * x[k];
                if (d->screw[c].turns) to[3 + k] += a[c] * d->screw[c].axis[k];
            }
        }
    }
}

/* f = (m a, I alpha + w x I w) of body b. */
static void inertia_of(mb_pair *f, const lg_dynamics *d, int b, int coupling)
{
    const mb_frame *at = &d->mo->frame[b];
    const double *I = d->m->inertia + 9 * b, *a = d->acceleration[b].v;
    double alpha[3], w[3], p[3], *turn = f->v + 3;
    mb_back(alpha, at->R, a + 3);
    mb_turn(turn, I, alpha);
    if (coupling) {
        mb_back(w, at->R, at->w);
        mb_turn(p, I, w);
        small_cross(p, w, p);
        for (int k = 0; k < 3; k++) turn[k] += p[k];
    }
    mb_turn(turn, at->R, turn);
    for (int k = 0; k < 3; k++) f->v[k] = d->m->mass[b] * a[k];
}

void mb_dynamics_inertia(lg_dynamics *d, mb_pair *f, const double *a, int coupling)
{
    mb_dynamics_accelerate(d, a, coupling);
    for (int b = 0; b < d->bodies; b++) inertia_of(&f[b], d, b, coupling);
}

/* tau -= springs, dampers and frictions along coordinates. */
static void subtract_along(const lg_dynamics *d, double *tau)
{
    for (int i = 0; i < d->m->plan.forces; i++) {
        const mb_force *s = &d->m->plan.force[i];
        const int at = mb_dynamics_along(d, s);
        if (s->control >= 0) continue;
        mb_action x = {.q0 = d->q[at], .q1 = d->q[at], .rate = d->v[at]};
        mb_force_law(&x, s);
        tau[at] -= x.mean + x.drag;
    }
}

/* f -= springs, dampers and frictions of all kinds, without motors, servos among them. */
static void subtract_forces(lg_dynamics *d, mb_pair *f)
{
    const mb_plan *plan = &d->m->plan;
    mb_motion *n = &d->mo->numbers;
    const mb_node *at = &n->node[0];
    mb_dynamics_node(d);
    (void)mb_node_forces(plan, n->wrench, at, n->twist, n->slope, NULL, NULL);
    for (const mb_force *s = plan->force; plan->servos > 0 && s < plan->force + plan->forces; s++) {
        mb_action x;
        if (s->control < 0) continue;
        mb_action_of(&x, s, at, at, at->pose, 1, NULL);
        x.rate = mb_action_rate(&x, plan, s, n->twist, n->slope);
        mb_force_law(&x, s);
        x.mean = -x.mean, x.drag = -x.drag;
        mb_action_push(&x, n->wrench, s, n->slope);
    }
    for (int b = 0; b < d->bodies; b++)
        for (int k = 0; k < 6; k++) f[b].v[k] -= n->wrench[b].v[k] - (k < 3 ? mb_gravity(plan, b, k) : 0);
}

/* tau <- what is wanted, at rates a. */
static void newton_euler(lg_dynamics *d, double *tau, const double *a, int wanted)
{
    mb_pair *f = d->force;
    memset(f, 0, sz(d->m->plan.bodies + 1) * sizeof *f);
    if (wanted & INERTIA) mb_dynamics_inertia(d, f, a, 1), mb_dynamics_rotors(d, NULL, f);
    for (int b = 0; b < d->bodies && (wanted & GRAVITY); b++)
        for (int k = 0; k < 3; k++) f[b].v[k] -= mb_gravity(&d->m->plan, b, k);
    if ((wanted & PASSIVE) && (d->passive & MB_PASSIVE_ANY)) subtract_forces(d, f);
    for (int i = 0; i < d->n; i++) tau[i] = a != NULL ? d->armature[i] * a[i] : 0;
    if ((wanted & PASSIVE) && d->passive == MB_PASSIVE_ALONG) subtract_along(d, tau);
    mb_dynamics_gather(d, tau, f);
}

lg_status lg_dynamics_inverse(lg_dynamics *d, double *tau, const double *a)
{
    static const char who[] = "lg_dynamics_inverse";
    lg_status st = mb_dynamics_begin(d, tau, who);
    if (st == LG_OK) st = mb_dynamics_finite(d, a, d->n, "acceleration", who);
    if (st == LG_OK) newton_euler(d, tau, a, INERTIA | GRAVITY | PASSIVE);
    return st;
}

lg_status lg_dynamics_bias(lg_dynamics *d, double *c)
{
    const lg_status st = mb_dynamics_begin(d, c, "lg_dynamics_bias");
    if (st == LG_OK) newton_euler(d, c, NULL, INERTIA | GRAVITY | PASSIVE);
    return st;
}

lg_status lg_dynamics_gravity(lg_dynamics *d, double *g)
{
    const lg_status st = mb_dynamics_begin(d, g, "lg_dynamics_gravity");
    if (st == LG_OK) newton_euler(d, g, NULL, GRAVITY);
    return st;
}

lg_status lg_dynamics_passive(lg_dynamics *d, double *p)
{
    const lg_status st = mb_dynamics_begin(d, p, "lg_dynamics_passive");
    if (st != LG_OK) return st;
    newton_euler(d, p, NULL, PASSIVE);
    for (int i = 0; i < d->n; i++) p[i] = -p[i];
    return st;
}
