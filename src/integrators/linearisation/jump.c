/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of what lg_integrator_set_control() does to p^-: it contains half the reaction of the coming step, and
 * so s A^T (lambda(u') - lambda(u)) is added to it, s = h/2 of the first stage, lambda of the continuous equations at
 * the velocity of p~. The jump is differenced with respect to all inputs of a step and to the new controls u'. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/instances.h"
#include "integrators/linearisation/linearisation.h"

/* The state with `column` displaced by e, its p~, and the copy's controls and h. Columns from nx on are new controls,
 * lin->jump.control. */
static int jump_place(lg_linearisation *lin, int column, double e)
{
    lg_integrator *copy = lin->implicit_copy;
    lg_workspace *w = copy->workspace;
    const int n = copy->plan.n, c = copy->S.callbacks.control_count, displaces = column < lin->nx;
    double h;
    lin->before = 0, lin->share = lg_plan_stage(&copy->plan, 0);
    if (lg_stage_displace(lin, displaces ? column : LG_NO_COLUMN, e, &h)) return 1;
    copy->h = h / lin->share, copy->started = 1;
    memset(w->now->lambda, 0, sz(copy->plan.m) * sizeof(double));
    if (copy->plan.method.rule->begin_momentum && copy->plan.method.rule->begin_momentum(w, h, w->now)) return 1;
    for (int i = 0; i < n; i++) w->now->p_tilde[i] += lin->jump.offset[i];
    memcpy(lin->jump.wanted, lin->jump.control, sz(c) * sizeof(double));
    if (!displaces) lin->jump.wanted[column - lin->nx] += e;
    return 0;
}

/* f = by how much p^- jumps. */
static int jump_sample(lg_linearisation *lin, int column, double e, double *f)
{
    lg_integrator *copy = lin->implicit_copy;
    const int n = copy->plan.n;
    if (jump_place(lin, column, e) || lg_integrator_jump(copy, lin->jump.wanted) != LG_OK) return 1;
    for (int i = 0; i < n; i++) {
        const double displaced = lin->p[i] + (column == n + i ? e : 0);
        f[i] = copy->workspace->now->p_minus[i] - displaced;
    }
    if (lg_all_finite(f, n)) return 0;
    return lg_workspace_fail_status(copy->workspace, LG_ERROR_NOT_FINITE, "the momentum after a change of controls");
}

/* What p~ of the integrator is beyond the projection of p^-: not 0 after a start with one-sided weights alone. */
static int jump_settle(lg_linearisation *lin, const lg_integrator *it)
{
    const int n = lin->implicit_copy->plan.n;
    memset(lin->jump.offset, 0, sz(n) * sizeof(double));
    if (jump_place(lin, LG_NO_COLUMN, 0)) return 1;
    for (int i = 0; i < n; i++)
        lin->jump.offset[i] = it->workspace->now->p_tilde[i] - lin->implicit_copy->workspace->now->p_tilde[i];
    return 0;
}

/* As stage_measure(). */
static double jump_scale(const lg_linearisation *lin, int column)
{
    const lg_integrator *copy = lin->implicit_copy;
    const lg_node *a = copy->workspace->now;
    const int n = copy->plan.n, c = copy->S.callbacks.control_count;
    if (column < n) return 1;
    if (column < 2 * n) {
        const int i = column - n;
        const double metric = copy->plan.diagonal ? a->metric[i] : a->metric[i * n + i];
        return fmax(metric, lg_norm_max(lin->p, n));
    }
    if (column < 2 * n + c) return fmax(1, fabs(lin->control[column - 2 * n]));
    if (column == 2 * n + c) return fabs(lin->h);
    if (column >= lin->nx) return fmax(1, fabs(lin->jump.control[column - lin->nx]));
    const double value = lin->parameters[column - 2 * n - c - 1];
    return value != 0 ? fabs(value) : 1;
}

int lg_jump_differentiate(lg_linearisation *lin, const lg_integrator *it, const double *u, double *D)
{
    const int n = it->plan.n, c = it->S.callbacks.control_count, columns = lin->nx + c;
    const lg_differenced f = {jump_sample, 1, {n}, {0}};
    memset(D, 0, sz(n) * sz(columns) * sizeof *D);
    for (int i = 0; i < n; i++) D[i * columns + n + i] = 1;
    if (!lg_instance_feels_control(it)) return 0;
    memcpy(lin->jump.control, u, sz(c) * sizeof *u);
    if (lg_arrays_begin(lin, it) || jump_settle(lin, it)) return 1;
    for (int column = 0; column < columns; column++) {
        const double scale = jump_scale(lin, column);
        const int input = column < lin->nx;
        if (input ? lg_differentiate_input(lin, &f, column, scale, column) : lg_differentiate(lin, &f, column, scale))
            return 1;
        const int unknown = input && lg_arrays_unknown(lin, column);
        for (int i = 0; i < n; i++) D[i * columns + column] += unknown ? (double)NAN : lin->best[i];
    }
    return 0;
}
