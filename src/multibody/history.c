/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps before: what they guess of the next one, and how far it is from the guess. */
#include <math.h>
#include <string.h>

#include "multibody/step.h"

/* How the last steps are extrapolated, by their number. Five save a quarter of the sweeps that three take, where steps
 * resolve the motion, and none where they hardly do; more would amplify rounding. */
static const double weights[MB_PAST + 1][MB_PAST] = {
    {0}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};
#define MB_EXTRAPOLATE(field)                                                                                          \
    (w[0] * p[0].field + w[1] * p[1].field + w[2] * p[2].field + w[3] * p[3].field + w[4] * p[4].field)

/* The weights of the lanes. */
KERNEL void mb_weights(real *w, real known)
{
    for (int i = 0; i < MB_PAST; i++)
        for (int l = 0; l < LANES; l++) as_doubles(&w[i])[l] = weights[(int)lane_of(known, l)][i];
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
static real mb_surprise_of(const mb_motion *m, const mb_history *s, const mb_node *n0, double h, real number)
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
    return root(change) / (root(scale) + 4.0 * root(m->scale) + 10 * mb_jitter(plan, h));
}

/* Stiff forces turn velocities back and forth faster than steps see: then those at the step's begin will do as well. */
LG_ENGINE real mb_surprise(const mb_motion *m, const mb_history *s, const mb_node *n0, double h)
{
    const real three = splat(3), most = mb_surprise_of(m, s, n0, h, sel(s->known < three, s->known, three));
    const mask stiff = s->stiff > 0.0;
    if (!any(stiff)) return most;
    const real begin = mb_surprise_of(m, s, n0, h, splat(0));
    return sel(both(stiff, begin < most), begin, most);
}
