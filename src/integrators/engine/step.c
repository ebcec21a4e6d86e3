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

/* The step from node a to node b, whose time is set. */
static int step_once(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    b->work = splat(0);
    w->destination = b;
    lg_inexact_forget(w);
    if (lg_step_move(w, h, a, b)) return 1;
    if (w->plan->method.rule->arrive(w, h, a, b)) return 1;
    if (step_not_finite(w, b) || lg_inexact_spoils(w, h, a, b)) return 1;
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
        if (step_once(w, h, a, b)) return 1;
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
}
#endif
