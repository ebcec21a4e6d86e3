/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps before: what they guess of the next one, and how far it is from the guess. */
#include <math.h>
#include <string.h>

#include "multibody/step.h"

/* How the last steps are extrapolated, by their number. Five save a quarter of the sweeps that three take, where steps
 * resolve the motion, and none where they hardly do; more would amplify rounding. */
static const double extrapolations[MB_PAST + 1][MB_PAST] = {
    {0}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};
#define MB_EXTRAPOLATE(field)                                                                                          \
    (w[0] * p[0].field + w[1] * p[1].field + w[2] * p[2].field + w[3] * p[3].field + w[4] * p[4].field)

/* The weights of the lanes. */
KERNEL void mb_weights(real *w, real known)
{
    for (int i = 0; i < MB_PAST; i++)
        for (int l = 0; l < LANES; l++) as_doubles(&w[i])[l] = extrapolations[(int)lane_of(known, l)][i];
}

LG_ENGINE void mb_guess(mb_motion *m, const mb_history *s)
{
    const mb_unknowns *p = s->past;
    const mb_plan *plan = m->plan;
    real w[MB_PAST];
    mb_weights(w, s->known);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) m->x.xi[b].v[k] = MB_EXTRAPOLATE(xi[b].v[k]);
    for (int i = 0; i < plan->rows; i++) m->x.l[i] = MB_EXTRAPOLATE(l[i]);
    for (int i = 0; i < plan->holonomic_rows; i++) m->x.mu[i] = MB_EXTRAPOLATE(mu[i]);
}

LG_ENGINE void mb_remember(mb_motion *m, mb_history *s)
{
    const mb_plan *plan = m->plan;
    const mb_unknowns last = s->past[MB_PAST];
    for (int k = MB_PAST; k > 0; k--) s->past[k] = s->past[k - 1];
    s->past[0] = last;
    memcpy(last.xi, m->x.xi, (size_t)plan->bodies * sizeof *last.xi);
    memcpy(last.l, m->x.l, (size_t)plan->rows * sizeof *last.l);
    memcpy(last.mu, m->x.mu, (size_t)plan->holonomic_rows * sizeof *last.mu);
    s->known = s->known + sel(s->known < (double)MB_PAST, splat(1), splat(0));
}

LG_ENGINE void mb_unremember(mb_history *s, real known, real theta)
{
    const mb_unknowns first = s->past[0];
    for (int k = 0; k < MB_PAST; k++) s->past[k] = s->past[k + 1];
    s->past[MB_PAST] = first;
    s->known = known, s->theta = theta;
}

LG_ENGINE void mb_first_guess(mb_motion *m, const mb_node *n0, mask first)
{
    for (int b = 0; b < m->plan->bodies; b++) {
        real p[3], v[6];
        mb_back(p, n0->pose[b].R, n0->p[b].v + 3);
        mb_inverse_inertia(m->plan, b, v + 3, p);
        for (int k = 0; k < 3; k++) v[k] = n0->p[b].v[k] * (1.0 / m->plan->mass[b]);
        for (int k = 0; k < 6; k++) m->x.xi[b].v[k] = sel(first, v[k], m->x.xi[b].v[k]);
    }
}

LG_ENGINE double mb_jitter(const mb_plan *plan, double h)
{
    return 1e-10 * plan->reach * sqrt(plan->whole_mass) / fabs(h);
}

/* How far the velocities of a step are from those extrapolated through `number` steps. */
static real mb_velocity_jump_from(const mb_motion *m, const mb_history *s, const mb_node *n0, double h, real number)
{
    const mb_unknowns *p = s->past;
    const mb_plan *plan = m->plan;
    const mask known = number > 0.0;
    real change = splat(0), scale = splat(0), w[MB_PAST];
    mb_weights(w, number);
    for (int b = 0; b < plan->bodies; b++) {
        const double *I = plan->inertia + 9 * b;
        real guess[6], spin[3];
        mb_back(spin, n0->pose[b].R, n0->p[b].v + 3);
        mb_inverse_inertia(plan, b, guess + 3, spin);
        for (int k = 0; k < 3; k++) guess[k] = n0->p[b].v[k] * (1.0 / plan->mass[b]);
        for (int k = 0; k < 6; k++) {
            const real x = m->x.xi[b].v[k], d = x - sel(known, MB_EXTRAPOLATE(xi[b].v[k]), guess[k]);
            const double mass = k < 3 ? plan->mass[b] : I[4 * (k - 3)];
            change = change + mass * (d * d), scale = scale + mass * (x * x);
        }
    }
    const double apart = fmax(m->span / fabs(h), 1); /* steps of one stage are a whole step apart */
    const real forced = sel(known, splat(4 * apart), splat(4)) * root(m->scale);
    return root(change) / (root(scale) + forced + 10 * mb_jitter(plan, h));
}

/* Stiff forces turn velocities back and forth faster than steps see: then those at the step's begin will do as well. */
LG_ENGINE real mb_velocity_jump(const mb_motion *m, const mb_history *s, const mb_node *n0, double h)
{
    const real three = splat(3), most = mb_velocity_jump_from(m, s, n0, h, sel(s->known < three, s->known, three));
    const mask stiff = s->stiff > 0.0;
    if (!any(stiff)) return most;
    const real begin = mb_velocity_jump_from(m, s, n0, h, splat(0));
    return sel(both(stiff, begin < most), begin, most);
}

/* |v|^2 + |w|^2 tr I/m, the square of a velocity of body b. */
KERNEL real mb_squared(const mb_plan *plan, int b, const real *v)
{
    const double *I = plan->inertia + 9 * b;
    return mb_dot(v, v) + (I[0] + I[4] + I[8]) / plan->mass[b] * mb_dot(v + 3, v + 3);
}

/* The velocity of a body at a node, angular in the body. */
KERNEL void mb_velocity_of(const mb_plan *plan, int b, const mb_node *n, real *v)
{
    real spin[3];
    mb_back(spin, n->pose[b].R, n->p[b].v + 3);
    mb_inverse_inertia(plan, b, v + 3, spin);
    for (int k = 0; k < 3; k++) v[k] = n->p[b].v[k] * (1.0 / plan->mass[b]);
}

LG_ENGINE real mb_velocities_apart(const mb_plan *plan, const mb_node *n0, const mb_node *n1)
{
    real apart = splat(0), speed = splat(0);
    for (int b = 0; b < plan->bodies; b++) {
        real v0[6], v1[6], d[6];
        mb_velocity_of(plan, b, n0, v0), mb_velocity_of(plan, b, n1, v1);
        for (int k = 0; k < 6; k++) d[k] = v1[k] - v0[k];
        apart = greater(apart, mb_squared(plan, b, d));
        speed = greater(speed, greater(mb_squared(plan, b, v0), mb_squared(plan, b, v1)));
    }
    return root(apart) / (root(speed) + 1e-300);
}

/* Beside heavy bodies the kinetic metric does not see how a light one turns back. So the largest velocities are
 * compared: those at both ends of the step, with what forces can do and with the speed, and the step's with those
 * extrapolated through at least two before, with the speed of late. */
LG_ENGINE real mb_abruptness(const mb_motion *m, const mb_history *s, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    const mb_unknowns *p = s->past;
    const mask known = s->known >= 2.0;
    real w[MB_PAST], jump = splat(0), extra = splat(0), before = splat(0), after = splat(0), late = splat(0);
    mb_weights(w, sel(s->known < 3.0, s->known, splat(3)));
    for (int b = 0; b < plan->bodies; b++) {
        real v0[6], v1[6], d[6], e[6];
        mb_velocity_of(plan, b, n0, v0), mb_velocity_of(plan, b, n1, v1);
        for (int k = 0; k < 6; k++) {
            d[k] = v1[k] - v0[k];
            e[k] = sel(known, m->x.xi[b].v[k] - MB_EXTRAPOLATE(xi[b].v[k]), splat(0));
        }
        jump = greater(jump, mb_squared(plan, b, d)), extra = greater(extra, mb_squared(plan, b, e));
        before = greater(before, mb_squared(plan, b, v0)), after = greater(after, mb_squared(plan, b, v1));
        late = greater(late, mb_squared(plan, b, m->x.xi[b].v));
        for (int k = 0; k < 2; k++) late = greater(late, sel(known, mb_squared(plan, b, p[k].xi[b].v), splat(0)));
    }
    const real least = splat(1e-9 * plan->reach / fabs(h)), forced = root(m->scale / plan->whole_mass);
    const real most = sel(root(before) < 2.0 * forced, splat(0.5), splat(0.15)); /* from rest all is new */
    jump = root(jump) / (most * (root(greater(before, after)) + 4.0 * forced + least));
    return greater(jump, root(extra) / (0.06 * (root(late) + least)));
}
