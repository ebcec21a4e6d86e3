/* SPDX-License-Identifier: BSD-3-Clause */
/* A step, as the verbs that it consists of, in the order in which they happen (docs/architecture.md; the equations:
 * docs/theory.md sections 3 and 6).
 *
 * gni, from (g_0, p^-_0); with a constant metric every verb is explicit:
 *   depart       p = p^-_0                                                        rules/reflection.c
 *   kick         p <- p - w_0 h dV(g_0)                                           steps/variational.c
 *   flow         (dtau^-1_{h xi})^* J xi = p,  W = tau(h xi),  g_1 = g_0 W,  p^+ = Ad*_W p        factors/
 *   kick         p^+ <- p^+ - w_1 h dV(g_1)                                       steps/variational.c
 *   evaluate     A, Y (and J) at g_1                                              engine/node.c
 *   reflect      C u = A J^-1 (p^+ - J Y),  p~ = p^+ - A^T u,  p^- = p^+ - 2 A^T u        rules/reflection.c
 *
 * sem, from (g_0, p_0) with A_0 J_0^-1 p_0 = b_0; xi is solved for:
 *   depart       p_0 = p~_0                                                       rules/shared.c
 *   guess        xi from the steps before                                         engine/solver.c
 *   until R = 0, each trial of xi:
 *     arc          x = h xi,  W = tau(x),  g_1 = g_0 W,  log W = k x              steps/energy_momentum.c, factors/
 *     impulse      c = -h sum_i w_i Ad*_{R_i} k* [dV - dT(., v) + dT(., dv)](g_0 exp(c_i log W)) + h Ad*_{U} f
 *     evaluate     A, Y, J at g_1, and N_1 = L_1^-1 A_1, beta_1                   engine/node.c, rules/frame.c
 *     multipliers  l, mu, nu from N_1 J_1^-1 p_1 = beta_1, phi(g_1) = 0, ...      rules/shared.c
 *     momenta      p^- = p_0 + (h/2) N_0^T l
 *                  p^+ = Ad*_W p^- + c - h G_1^T mu - h alpha K^T nu
 *                  p_1 = p^+ + (h/2) N_1^T O l
 *     residual     R = xi - (J_0^-1 p^- + J_1^-1 p^+)/2 - u                       steps/energy_momentum.c
 *     correct      xi <- xi - H R                                                 engine/solver.c
 *   arrive       p~_1 = p_1,  lambda = L_1^-T O l - mu,  work                     rules/shared.c
 *   check        H_1 - H_0 = work,  A_1 xi_1 = b_1
 *   keep         xi for the next guess                                            engine/solver.c */
#include "integrators/engine/step.h"

#include "integrators/engine/free_step.h"
#include "integrators/engine/inexact.h"
#include "integrators/engine/rule.h"
#include "integrators/engine/sized.h"
#include "integrators/engine/workspace.h"

int lg_step_residual(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b, real *R)
{
    const lg_method *M = &w->plan->method;
    lg_trial *trial = &w->implicit->trial;
    trial->xi = xi;
    trial->size = splat(0);
    w->evaluations++;
    lg_inexact_forget(w);
    if (M->step->trial(w, h, a, xi, b)) return 1;   /* g_1, and c of p^+ = T p^- + c */
    if (lg_node_evaluate_trial(w, b)) return 1;     /* A_1, J_1; N_1, beta_1 */
    if (M->rule->multipliers(w, h, a, b)) return 1; /* p^-, p^+; p_1 */
    return M->step->residual(w, h, a, xi, b, R);    /* R(xi) */
}

int lg_step_move(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_rule *rule = P->method.rule;
    if (rule->middle_kick) return rule->middle_kick(w, h, a, b);
    const real *p_minus = rule->depart(w, h, a);
    b->iterations = splat(0);
    return P->fused ? P->method.step->advance(w, h, a, p_minus, b) : lg_solve_implicit(w, h, a, p_minus, b);
}

/* *s, which is v_0, becomes v_0 + ... + v_{n-1}. */
KERNEL int step_add_all(int n, real *s, const real *v)
{
    for (int i = 1; i < n; i++) *s = *s + v[i];
    return 0;
}

/* 0 where every number of the new state is finite: then so is their sum, and it less itself is 0. */
static int step_not_finite(lg_workspace *w, const lg_node *b)
{
    const int n = w->plan->n, element_size = w->plan->element_size;
    real s = b->g[0], r = b->p_minus[0];
    (void)LG_SIZED_COLUMNS(element_size, step_add_all, &s, b->g);
    (void)LG_SIZED_COLUMNS(n, step_add_all, &r, b->p_minus);
    s = s + r;
    if (!any((s - s == 0.0) == 0)) return 0;
    return lg_workspace_fail(w, LG_ERROR_NOT_FINITE, "the new state", 0, (int)lane_of(b->iterations, 0), 0);
}

/* *s becomes v_0^2 + ... + v_{n-1}^2. */
KERNEL int step_add_squares(int n, real *s, const real *v)
{
    *s = v[0] * v[0];
    for (int i = 1; i < n; i++) *s = *s + v[i] * v[i];
    return 0;
}

/* The angles alone. */
static int step_turned_too_far(lg_workspace *w, double h, const lg_node *b)
{
    const lg_plan *P = w->plan;
    real s = splat(0);
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        for (int i = f->offset + f->n - f->turns; i < f->offset + f->n; i++) s = s + b->xi[i] * b->xi[i];
    }
    if (!any(h * h * s > LG_ANGLE_MOST * LG_ANGLE_MOST)) return 0;
    return lg_workspace_fail(w, LG_ERROR_DOMAIN, "rotation", 0, 0, fabs(h) * sqrt(lane_of(s, 0)));
}

/* 0 unless something turned by more than LG_ANGLE_MOST: so large an angle has lost the digits that the step relies on,
 * whatever the retraction. Most steps are short in all directions. */
static int step_too_far(lg_workspace *w, double h, const lg_node *b)
{
    real s;
    (void)LG_SIZED_COLUMNS(w->plan->n, step_add_squares, &s, b->xi);
    return any(h * h * s > LG_ANGLE_MOST * LG_ANGLE_MOST) ? step_turned_too_far(w, h, b) : 0;
}

/* ---- does the step keep what its method promises? ---- */

/* |A (v - Y)| and the part of H that is not accounted for, relative to their terms: far above round-off, which with the
 * rows and inertias that are taken stays below 1e-7. */
#define PROMISED_ROWS 1e-6
/* With `gauss` nodes the second has the error of the quadrature, too. */
static const double step_promised_energy[] = {INFINITY, INFINITY, 1e-2, 1e-4, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6};

static void step_forget_energy(lg_workspace *w)
{
    if (!w->plan->fused) w->energy = splat((double)NAN);
}

/* Lanes in which a row is not kept at node b, where the velocity is v. */
KERNEL int step_rows_broken(int n, const lg_workspace *w, const lg_node *b, const real *v, mask *broken)
{
    const lg_plan *P = w->plan;
    real fast = w->implicit->trial.size; /* of the velocities that the step is made of */
    for (int i = 0; i < n; i++) fast = greater(fast, magnitude(v[i]));
    for (int i = 0; P->drift && i < n; i++) fast = greater(fast, magnitude(b->drift[i]));
    *broken = other(every_lane());
    for (int r = 0; r < P->m; r++) {
        real off, size = splat(0);
        lg_row_residual(&off, P, b, r, v);
        for (int i = 0; i < n; i++) size = greater(size, magnitude(b->rows[r * n + i]));
        size = size * fast;
        if (P->affine) size = greater(size, magnitude(b->right_side[r]));
        *broken = either(*broken, magnitude(off) > PROMISED_ROWS * size);
    }
    return 0;
}

/* Has anybody moved the state off its constraints since the last step? New controls may, where rows depend on them. */
static int step_departs_beside(lg_workspace *w, const lg_node *a)
{
    mask broken;
    lg_raise(w->plan, w->vector, a, a->p_tilde);
    (void)step_rows_broken(w->plan->n, w, a, w->vector, &broken);
    const int holonomic = w->plan->holonomic;
    real *phi = w->implicit->holonomic.phi, most = splat(0);
    if (holonomic && lg_evaluate(w, LG_CALLBACK_HOLONOMIC, &a->t, a->g, NULL, phi, holonomic)) return 1;
    for (int r = 0; r < holonomic; r++) most = greater(most, magnitude(phi[r]));
    return any(broken) || any(most > PROMISED_ROWS);
}

/* H_1 - H_0 is the work that the step accounts for. Not judged: a V(t, g) that may change suddenly. */
static int step_balances(lg_workspace *w, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    real before = w->energy, now, size, first, scale;
    w->energy = splat((double)NAN);
    if (lg_node_energy(w, b, &now, &size)) return 1;
    if (P->potential && P->S->callbacks.time_dependent) return 0;
    const mask unknown = before != before;
    if (any(unknown)) {
        if (lg_node_energy(w, a, &first, &scale)) return 1;
        before = sel(unknown, first, before);
    }
    size = greater(greater(size, magnitude(before)), magnitude(b->work));
    const real off = magnitude(now - before - b->work);
    const double bound = step_promised_energy[P->method.gauss] + 10 * w->implicit_tolerance;
    w->energy = now;
    if (!any(off > bound * size) || (LANES == 1 && step_departs_beside(w, a))) return 0;
    return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the energy", LG_FAILED_PROMISE, 0, lane_of(off / size, 0));
}

/* Both, after the arrival at b. */
static int step_keeps_promises(lg_workspace *w, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    mask broken;
    if (P->accounts_work && step_balances(w, a, b)) return 1;
    if (!P->m || !(P->method.rule->needs & LG_NEEDS_FRAME)) return 0;
    lg_raise(P, w->vector, b, b->p_tilde);
    (void)LG_SIZED_COLUMNS(P->n, step_rows_broken, w, b, w->vector, &broken);
    if (!any(broken)) return 0;
    return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the constraints", LG_FAILED_PROMISE, 0, PROMISED_ROWS);
}

/* The step from node a to node b, whose time is set. */
static int step_once(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    b->work = splat(0);
    w->destination = b;
    lg_inexact_forget(w);
    if (lg_step_move(w, h, a, b)) return 1;
    if (w->plan->method.rule->arrive(w, h, a, b)) return 1;
    if (step_not_finite(w, b) || step_too_far(w, h, b) || lg_inexact_spoils(w, h, a, b)) return 1;
    if (w->history && step_keeps_promises(w, a, b)) return 1;
    if (w->history) lg_history_push(w, h, b);
    return 0;
}

/* A composition: sub-steps of unequal length, each with a history of its own; the state stays in w->now until the end.
 */
static int step_composed(lg_workspace *w, double h, real t1)
{
    const lg_plan *P = w->plan;
    lg_node *a = w->now, *b = w->next;
    const real t0 = a->t;
    double sum = 0, last = 1;
    real work = splat(0), most = splat(0);
    for (int i = 0; i < P->stages; i++) {
        double c = lg_plan_stage(P, i);
        sum += c;
        b->t = i == P->stages - 1 ? t1 : t0 + sum * h;
        w->substep = i;
        if (i && P->method.rule->rescale) P->method.rule->rescale(w, c / last, a);
        if (step_once(w, c * h, a, b)) {
            lg_history_undo(w, i);
            step_forget_energy(w);
            return 1;
        }
        most = greater(most, b->iterations);
        work = work + b->work;
        last = c;
        lg_node *free_one = i ? a : w->spare; /* the state itself is never written to */
        a = b;
        b = free_one;
    }
    a->iterations = most;
    a->work = work;
    w->spare = b;
    w->next = w->now;
    w->now = a;
    return 0;
}

int lg_step(lg_workspace *w, double h, const double *t1)
{
    lg_node *a = w->now, *b = w->next;
    real end = splat(t1[0]);
#if LANES > 1
    for (int l = 1; l < LANES; l++) end[l] = t1[l];
#endif
    w->length = splat(0);
    if (w->plan->stages > 1) {
        if (step_composed(w, h, end)) return 1;
    } else {
        b->t = end;
        if (step_once(w, h, a, b)) {
            step_forget_energy(w);
            return 1;
        }
        w->now = b, w->next = a;
    }
    w->length = splat(h);
    return 0;
}

#if LANES == 1
void lg_step_back(lg_workspace *w)
{
    lg_node *b = w->now;
    w->now = w->next, w->next = b;
    w->length = splat(0);
    step_forget_energy(w);
}
#endif
