/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy-momentum step in maximal coordinates (docs/theory.md section 17). Unknowns xi = (v, w), l, mu:
 *
 *   p- = p0 + (h/2) A0^T L0^-T l,     p+ = Ad*_W p- + h f - h G1^T mu,     p1 = p+ + (h/2) A1^T L1^-T l,
 *   A1 J^-1 p1 = 0,     Gb xi = -phi(g0)/h,     Gb J^-1 (p+ - p-) = 0,     xi = J^-1 (p- + p+)/2 + J^-1 Gb^T nu.
 *
 * Momenta are kept in space, where Ad* changes nothing; Gb are the holonomic rows at the averaged pose. A sweep
 * corrects mu, l and xi in turn with two sparse factors: C1 = L1 L1^T at the new node and Cb = Gb J^-1 Gb^T. */
#include "multibody/collocation.h"
#include "multibody/forces.h"
#include "multibody/mixing.h"
#include "multibody/newton.h"
#include "multibody/convergence.h"
#include "multibody/rattle.h"

#include <math.h>
#include <string.h>

enum {
    MB_STIFF = 64, /* steps that begin with Newton's correction after sweeps alone did not do */
    MB_SLOW = 3    /* sweeps in turn that hardly contract, after which they give up */
};

LG_ENGINE void mb_arc(mb_motion *m, const mb_node *n0, mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++) {
        const mb_pose *p0 = &n0->pose[b];
        mb_pose *p1 = &n1->pose[b], *pm = &m->mean_pose[b];
        const real *v = m->x.xi[b].v;
        const real x = 0.5 * h * v[3], y = 0.5 * h * v[4], z = 0.5 * h * v[5];
        const real s = 1.0 / root(1.0 + (x * x + y * y + z * z)), *q = p0->q;
        p1->q[0] = s * (q[0] + (q[3] * x + (q[1] * z - q[2] * y)));
        p1->q[1] = s * (q[1] + (q[3] * y + (q[2] * x - q[0] * z)));
        p1->q[2] = s * (q[2] + (q[3] * z + (q[0] * y - q[1] * x)));
        p1->q[3] = s * (q[3] - (q[0] * x + q[1] * y + q[2] * z));
        small_renormalise(4, p1->q);
        for (int k = 0; k < 3; k++) p1->r[k] = p0->r[k] + h * v[k], pm->r[k] = 0.5 * (p0->r[k] + p1->r[k]);
    }
    mb_turn_bodies(plan, n1);
    mb_coordinates(plan, n1, n0->q, 0, plan->driven);
    for (int b = 0; b < plan->bodies; b++) {
        mb_pose *pm = &m->mean_pose[b];
        for (int k = 0; k < 9; k++) pm->R[k] = 0.5 * (n0->pose[b].R[k] + n1->pose[b].R[k]);
        mb_mobility_of(&m->mean_mobility[b], pm->R, 1.0 / plan->mass[b], plan->inverse_inertia + 9 * b);
    }
}

static void mb_linearise(mb_motion *m, const mb_node *n0, mb_node *n1)
{
    const mb_plan *plan = m->plan;
    mb_node_gram(plan, n1);
    mb_rows_evaluate(plan, m->mean.row, m->y, m->y, m->mean_pose, n0->pose, n1->pose, n1->q, plan->holonomic_blocks);
    mb_products(plan, m->mean, m->mean_mobility, plan->holonomic_blocks);
    mb_gram(plan, &plan->mean, m->mean_factor, m->mean);
    if (plan->holonomic_blocks == plan->blocks) { /* then both are alike */
        mb_factor_two(plan, &plan->mean, n1->factor, m->mean_factor);
    } else {
        mb_factor(plan, &plan->node, n1->factor);
        mb_factor(plan, &plan->mean, m->mean_factor);
    }
    mb_slopes(plan, m->slope, m->mean_pose, n0->pose, n1->pose);
}

/* The tension of a spring along the averaged d, over the averaged length: its work is -(V1 - V0) - damping. */
KERNEL void mb_push_mean_spring(const mb_motion *m, mb_pair *f, const mb_spring *s, const mb_node *n0,
                                const mb_node *n1, double h)
{
    real xa[3], xb[3], d[3];
    const real l0 = mb_spring_length(s, n0->pose, xa, xb, d), l1 = mb_spring_length(s, n1->pose, xa, xb, d);
    const real l = 0.5 * (l0 + l1);
    (void)mb_spring_length(s, m->mean_pose, xa, xb, d);
    const real bottom = sel(l > 0.0, l, splat(1)); /* of no length it has no direction, and d is 0 */
    const real tension = (s->stiffness * (l - s->rest) + s->damping * ((l1 - l0) / h)) / bottom;
    for (int k = 0; k < 3; k++) d[k] = d[k] * tension;
    mb_push_spring(f, s, xa, xb, d);
}

LG_ENGINE void mb_forces(mb_motion *m, mb_pair *f, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) f[b].v[k] = m->force[b].v[k] + (k < 3 ? plan->mass[b] * plan->gravity[k] : 0.0);
    for (int i = 0; i < plan->drives; i++) {
        const mb_drive *d = &plan->drive[i];
        const real q0 = n0->q[d->coordinate], q1 = n1->q[d->coordinate];
        real Q = -d->stiffness * (0.5 * (q0 + q1) - d->rest) - d->damping * ((q1 - q0) / h);
        if (d->control >= 0) Q = Q + m->control[d->control];
        mb_push_coordinate(plan, m->slope, f, d->coordinate, Q);
    }
    for (int i = 0; i < plan->springs; i++) mb_push_mean_spring(m, f, &plan->spring[i], n0, n1, h);
}

/* f += s A^T L^-T l. */
static void mb_kick(mb_motion *m, const mb_node *n, mb_pair *f, double s, const real *l)
{
    const mb_plan *plan = m->plan;
    for (int i = 0; i < plan->rows; i++) m->y[i] = l[i];
    mb_backward(plan, &plan->node, n->factor, m->y);
    mb_push(plan, n->rows.row, f, s, m->y, plan->blocks);
}

/* p- and p+ from l and mu. */
static void mb_momenta(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
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
    mb_push(plan, m->mean.row, m->wrench, -1, m->x.mu, plan->holonomic_blocks);
    memcpy(m->minus, n0->p, (size_t)plan->bodies * sizeof *m->minus);
    mb_kick(m, n0, m->minus, 0.5 * h, m->x.l);
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) m->plus[b].v[k] = m->minus[b].v[k] + h * m->wrench[b].v[k];
}

/* Gb J^-1 (p+ - p-) = 0 corrects mu and p+; returns the size of the correction. */
static real mb_correct_mu(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
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
    mb_pull(plan, m->mean.row, m->y, m->twist, plan->holonomic_blocks);
    mb_forward(plan, &plan->mean, m->mean_factor, m->y);
    real size = splat(0);
    for (int i = 0; i < plan->holonomic_rows; i++) size = size + m->y[i] * m->y[i];
    mb_backward(plan, &plan->mean, m->mean_factor, m->y);
    mb_push(plan, m->mean.row, m->plus, -1, m->y, plan->holonomic_blocks);
    for (int i = 0; i < plan->holonomic_rows; i++) m->x.mu[i] = m->x.mu[i] + m->y[i] / h;
    return size;
}

/* A1 J^-1 p1 = drift corrects l, p- and p+. */
static real mb_correct_l(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    for (int b = 0; b < plan->bodies; b++) {
        mb_mobile(m->twist[b].v + 3, &n1->mobility[b], m->plus[b].v + 3);
        for (int k = 0; k < 3; k++) m->twist[b].v[k] = m->plus[b].v[k] * n1->mobility[b].inverse_mass;
    }
    real *d = m->y, size = splat(0);
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

/* xi = J^-1 (p- + p+)/2 + J^-1 Gb^T nu with Gb xi = -phi(g0)/h; returns |change|^2 in the metric, *scale = |xi|^2. */
static real mb_correct_xi(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, real *scale)
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
    mb_pull(plan, m->mean.row, m->y, m->twist, plan->holonomic_blocks);
    for (int i = 0; i < plan->holonomic_rows; i++) m->y[i] = -n0->phi[i] / h - m->y[i];
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
    for (int k = 0; k < 6; k++) nu[plan->bodies].v[k] = splat(0);
    mb_push(plan, m->mean.row, nu, 1, m->y, plan->holonomic_blocks);
    for (int b = 0; b < plan->bodies; b++) {
        real t[3], w[3], new[6], d[6];
        mb_back(t, m->mean_pose[b].R, nu[b].v + 3);
        mb_inverse_inertia(plan, b, w, t);
        for (int k = 0; k < 3; k++) {
            new[k] = m->twist[b].v[k] + nu[b].v[k] * (1.0 / plan->mass[b]);
            new[3 + k] = m->twist[b].v[3 + k] + w[k];
        }
        const double *I = plan->inertia + 9 * b;
        for (int k = 0; k < 6; k++) d[k] = new[k] - m->x.xi[b].v[k], m->x.xi[b].v[k] = new[k];
        change = change + plan->mass[b] * mb_dot(d, d);
        *scale = *scale + plan->mass[b] * mb_dot(new, new);
        for (int k = 0; k < 3; k++) {
            change = change + I[4 * k] * (d[3 + k] * d[3 + k]);
            *scale = *scale + I[4 * k] * (new[3 + k] * new[3 + k]);
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
    mb_pull(plan, n1->rows.row, m->y, m->twist, plan->blocks);
    for (int i = 0; i < plan->rows; i++) {
        const real v = i < plan->holonomic_rows ? m->y[i] : m->y[i] - n1->drift[i];
        open = greater(open, magnitude(v));
    }
    return open / (speed + 1e-4 * plan->reach / fabs(h));
}

/* 1: lanes that stand still satisfy the rows of velocity. Only they take the correction by which that is seen. */
static int mb_stands(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, mask still)
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

/* How sweeps go. What is beyond MB_SWEEPS exists at width 1: a wide step gives up. */
typedef enum mb_way {
    MB_SWEEPS,   /* by themselves; they give up where they hardly contract */
    MB_NEWTON,   /* with the multipliers of their poses, Newton's correction and Anderson's acceleration */
    MB_ANDERSON, /* without Newton's correction */
    MB_WAYS
} mb_way;

/* The corrections of a sweep; returns their size, *scale = |xi|^2. */
static real mb_correct(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, real *scale)
{
    mb_momenta(m, n0, n1, h);
    real size = mb_correct_mu(m, n0, n1, h);
    size = size + mb_correct_l(m, n0, n1, h);
    return size + mb_correct_xi(m, n0, n1, h, scale);
}

#if LANES == 1

enum { MB_TURNS_MOST = 30 };

/* The corrections of a sweep where bodies turn fast or forces are stiff: mu and l are corrected in turn until they fit
 * the poses, since l turns p- and p+ differently; Newton's matrix is factored anew if `factor` is 1. */
static double mb_correct_stiff(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, double *scale,
                               const mb_convergence *convergence, int newton, int factor)
{
    mb_momenta(m, n0, n1, h);
    double size = mb_correct_mu(m, n0, n1, h);
    size = size + mb_correct_l(m, n0, n1, h);
    double last = INFINITY, next = size;
    for (int i = 0; i < MB_TURNS_MOST && convergence->theta > 0.05 && next > 1e-3 * size && next < 0.8 * last; i++) {
        last = next;
        next = mb_correct_mu(m, n0, n1, h);
        next = next + mb_correct_l(m, n0, n1, h);
    }
    memcpy(m->mixing.before, m->x.xi, (size_t)m->plan->bodies * sizeof *m->mixing.before);
    double change = mb_correct_xi(m, n0, n1, h, scale);
    if (newton) {
        if (factor) mb_newton_factor(m, n0, n1, h);
        change = mb_newton_correct(m, n1);
    }
    return size + change;
}

/* Sweeps until nothing moves any more. 1: they converged. */
static int mb_sweep_stiff(mb_motion *m, const mb_node *n0, mb_node *n1, double h, mb_convergence *convergence,
                          mb_way way)
{
    const double jitter = mb_jitter(m->plan, h);
    int mixes = 0;
    mb_mixing_begin(m);
    for (int sweep = 1; sweep <= MB_SWEEPS_MOST; sweep++) {
        double scale;
        mb_arc(m, n0, n1, h);
        mb_linearise(m, n0, n1);
        if (m->ask != NULL && (m->callback = m->ask(m, n0, n1, h)) != 0) return 0;
        const int factor = sweep == 1 || convergence->theta > 0.1;
        const double size = mb_correct_stiff(m, n0, n1, h, &scale, convergence, way == MB_NEWTON, factor);
        if (sweep > 2) convergence->floor = fmax(convergence->floor, mb_newton_floor(m, n0, n1, h));
        mb_judge(convergence, sqrt(size / (scale + m->scale + 1e-300)), sqrt(size) / jitter, sweep, mixes ? 0.3 : 1e-3);
        m->sweeps++;
        if (convergence->done < 0) return 0;
        if (convergence->done > 0) return mb_stands(m, n0, n1, h, convergence->done == 2);
        mixes |= sweep > 2 && convergence->theta > 0.3;
        mb_mixing_sweep(m, mixes);
    }
    return 0;
}

#endif

/* Sweeps until nothing moves any more. 1: all lanes converged. */
static int mb_sweep(mb_motion *m, const mb_node *n0, mb_node *n1, double h, mb_convergence *convergence)
{
    const double jitter = mb_jitter(m->plan, h);
    for (int sweep = 1; sweep <= MB_SWEEPS_MOST; sweep++) {
        real scale;
        if (LANES > 1) mb_hold(m, mb_done(convergence, 0));
        mb_arc(m, n0, n1, h);
        mb_linearise(m, n0, n1);
        if (m->ask != NULL && (m->callback = m->ask(m, n0, n1, h)) != 0) return 0;
        const real size = mb_correct(m, n0, n1, h, &scale);
        const real e = root(size / (scale + m->scale + 1e-300)), moved = root(size) / jitter;
        int going = 0;
        for (int l = 0; l < LANES; l++) {
            if (convergence[l].done) continue;
            mb_judge(&convergence[l], lane_of(e, l), lane_of(moved, l), sweep, 1e-3);
            as_doubles(&m->sweeps)[l] += 1;
            if (convergence[l].done < 0 || convergence[l].slow >= MB_SLOW) return 0;
            going |= !convergence[l].done;
        }
        if (!going) return mb_stands(m, n0, n1, h, mb_done(convergence, 2));
    }
    return 0;
}

/* The guess from which a step is solved, and what is known of the contraction. */
static void mb_begin(mb_motion *m, const mb_node *n0, const mb_history *s, mb_convergence *convergence)
{
    const mask first = s->known < 1.0;
    mb_convergence_begin(convergence, sel(first, splat(0.1), s->theta));
    mb_guess(m, s);
    if (any(first)) mb_first_guess(m, n0, first);
}

/* Solves the step from its guess, in the way that did last time, or else in the next. 1: all lanes converged. */
static int mb_solve(mb_motion *m, const mb_node *n0, mb_node *n1, double h, mb_history *s, mb_convergence *convergence)
{
#if LANES == 1
    for (int i = 0; i < MB_WAYS; i++) {
        const mb_way way = s->stiff > 0 ? (mb_way)((i + MB_NEWTON) % MB_WAYS) : (mb_way)i;
        mb_begin(m, n0, s, convergence);
        if (way == MB_SWEEPS ? mb_sweep(m, n0, n1, h, convergence) : mb_sweep_stiff(m, n0, n1, h, convergence, way)) {
            s->stiff = way != MB_NEWTON ? 0 : s->stiff > 0 ? s->stiff - 1 : MB_STIFF;
            return 1;
        }
        if (m->callback != 0) break;
        m->lost = convergence->lost;
    }
    return 0;
#else
    if (any(s->stiff > 0.0)) return 0;
    mb_begin(m, n0, s, convergence);
    return mb_sweep(m, n0, n1, h, convergence);
#endif
}

/* What the ground does: (h/2) l.(L0^-1 b0 + L1^-1 b1) with the drifts b. */
static real mb_ground_work(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    real work = splat(0);
    for (int end = 0; end < 2; end++) {
        const mb_node *n = end ? n1 : n0;
        for (int i = 0; i < plan->rows; i++) m->y[i] = i < plan->holonomic_rows ? splat(0) : n->drift[i];
        mb_forward(plan, &plan->node, n->factor, m->y);
        for (int i = 0; i < plan->rows; i++) work = work + m->x.l[i] * m->y[i];
    }
    return 0.5 * h * work;
}

/* The work of the step: motors, dampers, moving ground, the caller's wrenches. */
static void mb_work(mb_motion *m, const mb_node *n0, const mb_node *n1, double h)
{
    const mb_plan *plan = m->plan;
    m->work = plan->holonomic_rows < plan->rows ? mb_ground_work(m, n0, n1, h) : splat(0);
    for (int i = 0; i < plan->drives; i++) {
        const mb_drive *d = &plan->drive[i];
        const real change = n1->q[d->coordinate] - n0->q[d->coordinate];
        m->work = m->work - d->damping * (change * change) / h;
        if (d->control < 0) continue;
        m->motor_work[d->control] = m->control[d->control] * change;
        m->work = m->work + m->motor_work[d->control];
    }
    for (int i = 0; i < plan->springs; i++) {
        const mb_spring *s = &plan->spring[i];
        real xa[3], xb[3], d[3];
        const real change = mb_spring_length(s, n1->pose, xa, xb, d) - mb_spring_length(s, n0->pose, xa, xb, d);
        m->work = m->work - s->damping * (change * change) / h;
    }
    for (int b = 0; m->ask != NULL && b < plan->bodies; b++) {
        real w[3];
        mb_turn(w, n0->pose[b].R, m->x.xi[b].v + 3);
        m->work = m->work + h * (mb_dot(m->force[b].v, m->x.xi[b].v) + mb_dot(m->force[b].v + 3, w));
    }
}

/* p1 = p+ + (h/2) A1^T L1^-T l. */
static void mb_arrive(mb_motion *m, mb_node *n1, double h)
{
    const int bodies = m->plan->bodies;
    for (int k = 0; k < 6; k++) m->plus[bodies].v[k] = splat(0);
    memcpy(m->wrench, m->plus, (size_t)(bodies + 1) * sizeof *m->wrench);
    mb_kick(m, n1, m->wrench, 0.5 * h, m->x.l);
    memcpy(n1->p, m->wrench, (size_t)bodies * sizeof *n1->p);
}

static int mb_solve_rattle(mb_motion *m, const mb_node *n0, mb_node *n1, double h, mb_history *s,
                           mb_convergence *convergence)
{
    mb_begin(m, n0, s, convergence);
    return mb_rattle(m, n0, n1, h, convergence);
}

#if LANES == 1

/* Its nodes are those of a motion that is resolved: velocities say nothing about jumps. */
static int mb_step_collocation(mb_motion *m, const mb_node *n0, mb_node *n1, double h)
{
    const mb_guide guide = mb_collocation_memory(m->collocation);
    if (!mb_collocate(m, n0, n1, h, &guide)) return 1;
    mb_collocation_keep(m->collocation, h);
    m->velocity_jump = m->abrupt = 0;
    m->now ^= 1;
    return 0;
}

#endif

LG_ENGINE int mb_step(mb_motion *m, double h, int stage)
{
    const mb_plan *plan = m->plan;
    const mb_node *n0 = &m->node[m->now];
    mb_node *n1 = &m->node[m->now ^ 1];
    mb_history *s = &m->history[stage];
    mb_convergence convergence[LANES];
    m->sweeps = splat(0), m->lost = 0;
#if LANES == 1
    if (m->collocation != NULL) return mb_step_collocation(m, n0, n1, h);
#endif
    if (!(m->rattle ? mb_solve_rattle : mb_solve)(m, n0, n1, h, s, convergence)) return 1;
    if (!m->rattle) mb_arrive(m, n1, h);
    mb_coordinates(plan, n1, n0->q, plan->driven, plan->coordinates);
    mb_work(m, n0, n1, h);
    m->extrapolated = s->known;
    m->velocity_jump = plan->closes ? mb_velocity_jump(m, s, n0, h) : splat(0);
    m->abrupt = plan->closes ? mb_abruptness(m, s, n0, n1, h) : splat(0);
    mb_remember(m, s);
    for (int l = 0; l < LANES; l++) as_doubles(&s->theta)[l] = convergence[l].theta;
    m->now ^= 1;
    return 0;
}
