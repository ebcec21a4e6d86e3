/* SPDX-License-Identifier: BSD-3-Clause */
/* A step in its verbs, in their order (docs/architecture.md; the equations:
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
 *   guess        xi from the previous steps                                       engine/solver.c
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
 *   keep         xi for the next guess                                            engine/solver.c
 *
 * The walk of gauss is in collocation/collocation.c, that of mechanisms in multibody/step.c. */
#include "integrators/engine/step.h"

#include "base/small.h"
#include "integrators/collocation/collocation.h"
#include "integrators/engine/compensation.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/inexact.h"
#include "integrators/engine/rule.h"
#include "integrators/engine/sized.h"
#include "integrators/engine/workspace.h"

int lg_step_residual(lg_workspace *w, duration h, const lg_node *a, const real *xi, lg_node *b, real *R)
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

KERNEL int step_move(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_rule *rule = P->method.rule;
    if (rule->middle_kick) return rule->middle_kick(w, h, a, b);
    const real *p_minus = rule->depart(w, h, a);
    b->iterations = splat(0);
    return P->fused ? P->method.step->advance(w, h, a, p_minus, b) : lg_solve_implicit(w, h, a, p_minus, b);
}

int lg_step_move(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    return step_move(w, h, a, b);
}

/* Has an angle become so large that it lost the digits that the step relies on, with any retraction? */
static int step_turned_too_far(lg_workspace *w, duration h, const lg_node *b)
{
    const lg_plan *P = w->plan;
    real s = splat(0);
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        for (int i = f->turn; i < f->turn + f->turns; i++) s = s + b->xi[i] * b->xi[i];
    }
    if (!any(h * h * s > LG_ANGLE_MOST * LG_ANGLE_MOST)) return 0;
    return lg_workspace_fail(w, LG_ERROR_DOMAIN, "rotation", 0, 0, fabs(seconds(h)) * sqrt(lane_of(s, 0)));
}

/* *s: the sum of v, by fours. */
KERNEL int step_sum(int n, const real *v, real *s)
{
    int i = 1;
    *s = v[0];
    for (; i + 3 < n; i += 4) *s = *s + v[i] + v[i + 1] + v[i + 2] + v[i + 3];
    for (; i < n; i++) *s = *s + v[i];
    return 0;
}

/* *s: the sum of p^-; *squares: |xi|^2. */
KERNEL int step_sums(int n, const lg_node *b, real *s, real *squares)
{
    const real *p = b->p_minus, *xi = b->xi;
    *s = p[0], *squares = xi[0] * xi[0];
    for (int i = 1; i < n; i++) *s = *s + p[i], *squares = *squares + xi[i] * xi[i];
    return 0;
}

/* Fails unless every number of the new state is finite (then their sum less itself is 0, else NaN) and no angle exceeds
 * LG_ANGLE_MOST. Most steps are short in all directions, which one comparison shows. */
KERNEL int step_check_result(lg_workspace *w, duration h, const lg_node *b)
{
    real elements, s, squares;
    (void)LG_SIZED_COLUMNS(w->plan->element_size, step_sum, b->g, &elements);
    (void)LG_SIZED_COLUMNS(w->plan->n, step_sums, b, &s, &squares);
    s = s + elements;
    const mask good = h * h * squares + (s - s) <= LG_ANGLE_MOST * LG_ANGLE_MOST;
    if (!any(other(good))) return 0;
    if (any(other(s - s == 0.0)))
        return lg_workspace_fail(w, LG_ERROR_NOT_FINITE, "the new state", 0, (int)lane_of(b->iterations, 0), 0);
    return step_turned_too_far(w, h, b);
}

/* ---- does the step keep what its method promises? ---- */

/* Bounds on |A (v - Y)| and on the error of H, relative to their terms: far above round-off, which stays below 1e-7 for
 * all accepted rows and inertias. */
#define PROMISED_ROWS 1e-6
/* With `gauss` nodes the error of H includes that of the quadrature. */
static const double step_promised_energy[] = {INFINITY, INFINITY, 1e-2, 1e-4, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6};

static void step_forget_energy(lg_workspace *w)
{
    if (!w->plan->fused) w->energy = splat((double)NAN);
}

/* Lanes in which a row is violated at node b with velocity v. At rest, forces and multipliers of holonomic constraints
 * cancel within the step, so the change by forces alone is one of the terms. */
static mask step_rows_broken(const lg_workspace *w, const lg_node *b, const real *v)
{
    const lg_plan *P = w->plan;
    const int n = P->n;
    real fast = w->implicit->trial.size; /* of the velocities that the step is made of */
    real *pushed = w->implicit->shared.free_momentum;
    mask broken = other(every_lane());
    lg_raise(P, pushed, b, w->implicit->trial.impulse);
    for (int i = 0; i < n; i++) fast = greater(fast, greater(magnitude(v[i]), magnitude(pushed[i])));
    for (int i = 0; P->drift && i < n; i++) fast = greater(fast, magnitude(b->drift[i]));
    for (int r = 0; r < P->m; r++) {
        real off, size = splat(0);
        lg_row_residual(&off, P, b, r, v);
        for (int i = 0; i < n; i++) size = greater(size, magnitude(b->rows[r * n + i]));
        size = size * fast;
        if (P->affine) size = greater(size, magnitude(b->right_side[r]));
        broken = either(broken, magnitude(off) > PROMISED_ROWS * size);
    }
    return broken;
}

/* A cheaper and stricter test for the lanes of step_rows_broken(): the mean of |A_1|, ..., |A_n| is at most the largest
 * one, and it uses only some of the step's velocities. */
KERNEL int step_rows_suspect(int n, const lg_workspace *w, const lg_node *b, const real *v, mask *suspect)
{
    const lg_plan *P = w->plan;
    const real share = (PROMISED_ROWS / n) * w->implicit->trial.size;
    *suspect = other(every_lane());
    for (int r = 0; r < P->m; r++) {
        const real *A = b->rows + r * n;
        real off = small_dot(n, A, v), sum = magnitude(A[0]);
        for (int i = 1; i < n; i++) sum = sum + magnitude(A[i]);
        if (P->affine) off = off - b->right_side[r];
        *suspect = either(*suspect, magnitude(off) > share * sum);
    }
    return 0;
}

/* Does the state violate its constraints at the start? New controls may cause that, if rows depend on them. */
static int step_departs_off_constraints(lg_workspace *w, const lg_node *a)
{
    lg_raise(w->plan, w->vector, a, a->p_tilde);
    const mask broken = step_rows_broken(w, a, w->vector);
    const int holonomic = w->plan->holonomic;
    real *phi = w->implicit->holonomic.phi, most = splat(0);
    if (holonomic && lg_evaluate(w, LG_CALLBACK_HOLONOMIC, &a->t, a->g, NULL, phi, holonomic)) return 1;
    for (int r = 0; r < holonomic; r++) most = greater(most, magnitude(phi[r]));
    return any(broken) || any(most > PROMISED_ROWS);
}

KERNEL int step_double_kinetic(int n, const real *p, const real *v, real *T)
{
    *T = small_dot(n, p, v);
    return 0;
}

/* The two terms of H(t, g, p~) for velocity v. */
static int step_energies(lg_workspace *w, const lg_node *b, const real *v, real *T, real *V)
{
    const lg_plan *P = w->plan;
    *V = splat(0);
    (void)LG_SIZED_COLUMNS(P->n, step_double_kinetic, b->p_tilde, v, T);
    if (P->potential && lg_evaluate(w, LG_CALLBACK_POTENTIAL, &b->t, b->g, NULL, V, 1)) return 1;
    *T = 0.5 * *T;
    return 0;
}

/* Sets w->energy to that of node a in lanes where it is unknown. */
static int step_recall_energy(lg_workspace *w, const lg_node *a)
{
    const mask unknown = w->energy != w->energy;
    real T, V;
    lg_raise(w->plan, w->vector, a, a->p_tilde);
    if (step_energies(w, a, w->vector, &T, &V)) return 1;
    w->energy = sel(unknown, T + V, w->energy);
    return 0;
}

/* 1: round-off of the configuration changes V by as much. At rest, with T = V = 0, the terms of H do not show this. */
static int step_is_rounding(lg_workspace *w, const lg_node *b, real off)
{
    const lg_plan *P = w->plan;
    real slope = splat(0), size = splat(1);
    if (!P->potential || lg_evaluate(w, LG_CALLBACK_GRADIENT, &b->t, b->g, NULL, w->vector, P->n)) return 0;
    for (int i = 0; i < P->n; i++) slope = slope + magnitude(w->vector[i]);
    for (int i = 0; i < P->element_size; i++) size = greater(size, magnitude(b->g[i]));
    return !any(off > 64 * DBL_EPSILON * size * slope);
}

/* Checks that H_1 - H_0 is the work of the step; v is the velocity at b. */
static int step_balances(lg_workspace *w, const lg_node *a, lg_node *b, const real *v)
{
    const real before = w->energy;
    real T, V;
    w->energy = splat((double)NAN);
    if (step_energies(w, b, v, &T, &V)) return 1;
    const real now = T + V, size = greater(greater(greater(T, magnitude(V)), magnitude(before)), magnitude(b->work));
    const real off = magnitude(now - before - b->work);
    const double bound = step_promised_energy[w->plan->method.nodes] + 10 * w->implicit_tolerance;
    w->energy = now;
    if (b->balance) lg_compensated_balance(w->plan, a, b, T, V);
    if (!any(off > bound * size)) return 0;
    if (LANES == 1 && (step_is_rounding(w, b, off) || step_departs_off_constraints(w, a)))
        return 0; /* lanes one by one */
    return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the energy", LG_FAILED_PROMISE, 0, lane_of(off / size, 0));
}

/* Both checks, at b; except for the energy if V(t, g) may jump. */
static int step_keeps_promises(lg_workspace *w, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    const int energy = P->accounts_work && !(P->potential && P->S->callbacks.time_dependent);
    const int rows = P->m && (P->method.rule->needs & LG_NEEDS_FRAME);
    mask broken = other(every_lane());
    if (!energy && !rows) return 0;
    if (energy && any(w->energy != w->energy) && step_recall_energy(w, a)) return 1;
    lg_raise(P, w->vector, b, b->p_tilde);
    if (rows) (void)LG_SIZED_COLUMNS(P->n, step_rows_suspect, w, b, w->vector, &broken);
    if (any(broken)) broken = step_rows_broken(w, b, w->vector);
    if (energy && step_balances(w, a, b, w->vector)) return 1;
    if (!any(broken)) return 0;
    return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the constraints", LG_FAILED_PROMISE, 0, PROMISED_ROWS);
}

/* Completes a solved step. */
static int step_conclude(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    if (step_keeps_promises(w, a, b)) return 1;
    lg_history_push(w, h, b);
    return 0;
}

/* The step from node a to node b, whose time is set. */
KERNEL int step_once(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    b->work = b->force_work = splat(0);
    w->destination = b;
    lg_inexact_forget(w);
    if (step_move(w, h, a, b)) return 1;
    if (w->plan->method.rule->arrive(w, h, a, b)) return 1;
    if (step_check_result(w, h, b)) return 1;
    if (w->plan->differenced && lg_inexact_spoils(w, h, a, b)) return 1;
    if (w->history) return step_conclude(w, h, a, b);
    if (w->plan->method.rule->keep) w->plan->method.rule->keep(w, h, b);
    return 0;
}

/* A composition: sub-steps of unequal length, each with a history of its own; the state stays in w->now until the end.
 */
static int step_composed(lg_workspace *w, duration h, real t1)
{
    const lg_plan *P = w->plan;
    lg_node *a = w->now, *b = w->next;
    const real t0 = a->t;
    double sum = 0, last = 1;
    real work = splat(0), force_work = splat(0), most = splat(0);
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
        work = work + b->work, force_work = force_work + b->force_work;
        last = c;
        lg_node *free_one = i ? a : w->spare; /* the state itself is never written to */
        a = b;
        b = free_one;
    }
    a->iterations = most;
    a->work = work, a->force_work = force_work;
    w->spare = b;
    w->next = w->now;
    w->now = a;
    return 0;
}

static int step_whole(lg_workspace *w, duration h, real t1)
{
    lg_node *a = w->now, *b = w->next;
    b->t = t1;
    if (step_once(w, h, a, b)) {
        step_forget_energy(w);
        return 1;
    }
    w->now = b, w->next = a;
    return 0;
}

#if LANES == 1
int lg_step_is_astray(lg_workspace *w, duration h, const lg_node *b)
{
    return step_check_result(w, h, b);
}
#endif

int lg_step(lg_workspace *w, duration h, const double *t1)
{
#if LANES == 1
    if (w->collocation && w->collocation->step_size.tolerance > 0) return lg_adaptive_step(w, h, *t1);
#endif
    real end = splat(t1[0]);
#if LANES > 1
    for (int l = 1; l < LANES; l++) end = lane_put(end, l, t1[l]);
#endif
    w->length = splat(0);
    if (w->plan->stages > 1 ? step_composed(w, h, end) : step_whole(w, h, end)) return 1;
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
    lg_collocation_back(w);
}
#endif
