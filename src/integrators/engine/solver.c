/* SPDX-License-Identifier: BSD-3-Clause */
/* The one solver of implicit steps (docs/theory.md section 8). The unknown is xi alone; multipliers come out of each
 * residual by a small linear solve. Broyden's good updates of H = (dR/dxi)^-1, which starts as the identity and is kept
 * from step to step; the first guess extrapolates the previous steps, with the order that would have predicted the last
 * step best. A failed step does not change the history. */
#include "integrators/collocation/collocation.h"
#include "integrators/engine/solver.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/small.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/inexact.h"
#include "integrators/engine/rule.h"
#include "integrators/engine/scratch.h"
#include "integrators/engine/sized.h"
#include "integrators/engine/step.h"
#include "integrators/engine/workspace.h"

/* Evaluations after which H is rebuilt by differences. */
enum { SOLVER_REBUILD_AFTER = 12 };

int lg_implicit_size(const lg_plan *P)
{
    const int lagged = P->method.step->lagged;
    return P->n * (1 + (lagged && !P->constant_metric) + (lagged && P->holonomic > 0));
}

/* The largest magnitude without branches; NaN if there is one, since the sum of magnitudes is then NaN. */
KERNEL real solver_largest(const real *v, int n)
{
    real most = splat(0), sum = splat(0);
    for (int i = 0; i < n; i++) {
        const real a = magnitude(v[i]);
        most = greater(most, a);
        sum = sum + a;
    }
    return sel(sum != sum, splat((double)NAN), most);
}

/* z = (xi, dv, u), without missing parts. */
void lg_implicit_gather(const lg_workspace *w, const real *xi, real *z)
{
    const lg_trial *trial = &w->implicit->trial;
    const int n = w->plan->n, nz = lg_implicit_size(w->plan);
    int at = n;
    memcpy(z, xi, sz(n) * sizeof *z);
    if (at < nz && !w->plan->constant_metric) memcpy(z + at, trial->half_change, sz(n) * sizeof *z), at += n;
    if (at < nz) memcpy(z + at, trial->correction, sz(n) * sizeof *z);
}

void lg_implicit_scatter(lg_workspace *w, const real *z, real *xi)
{
    lg_trial *trial = &w->implicit->trial;
    const int n = w->plan->n, nz = lg_implicit_size(w->plan);
    int at = n;
    memcpy(xi, z, sz(n) * sizeof *z);
    if (at < nz && !w->plan->constant_metric) memcpy(trial->half_change, z + at, sz(n) * sizeof *z), at += n;
    if (at < nz) memcpy(trial->correction, z + at, sz(n) * sizeof *z);
}

/* Guesses xi (and dv, u) from the history; where it is empty or not wanted, from J^-1 of the departing
 * momentum. Returns the lanes that used the history. */
static mask solver_guess(lg_workspace *w, duration h, const lg_node *a, real *xi, mask wanted)
{
    const lg_plan *P = w->plan;
    lg_solver_scratch *o = &w->implicit->solver;
    lg_trial *trial = &w->implicit->trial;
    const lg_history *history = &w->history[w->substep];
    const int n = P->n, nz = lg_implicit_size(P);
    const mask warm = both(wanted, both(history->h == h, history->known > 0.0)), cold = other(warm);
    for (int i = 0; i < nz; i++) o->unknown[i] = splat(0);
    for (int q = 0; q < LG_HISTORY; q++) {
        const mask takes = both(warm, splat(q) <= history->order);
        if (!any(takes)) break;
        for (int i = 0; i < nz; i++)
            o->unknown[i] = sel(takes, o->unknown[i] + history->differences[q * nz + i], o->unknown[i]);
    }
    for (int i = 0; i < n * n; i++) o->inverse_jacobian[i] = history->inverse_jacobian[i];
    if (any(cold)) {
        lg_raise(P, trial->v_minus, a, trial->departing);
        for (int i = 0; i < nz; i++) o->unknown[i] = sel(cold, i < n ? trial->v_minus[i] : splat(0), o->unknown[i]);
        for (int i = 0; i < n * n; i++)
            o->inverse_jacobian[i] = sel(cold, splat(i % (n + 1) == 0), o->inverse_jacobian[i]);
    }
    lg_implicit_scatter(w, o->unknown, xi);
    return warm;
}

/* Stores the difference of order q, which is in z, in D and subtracts the old one from z, which gives the next order.
 * *size is the magnitude of that; it is meaningless if the old one was not known. */
KERNEL int solver_difference(int n, real *D, real *z, mask takes, real *size)
{
    for (int i = 0; i < n; i++) {
        const real now = z[i];
        z[i] = now - D[i];
        D[i] = sel(takes, now, D[i]);
    }
    *size = solver_largest(z, n);
    return 0;
}

/* Saves the history for lg_history_undo(). */
static void solver_keep(lg_workspace *w, lg_history *history)
{
    lg_history *undo = &w->undo[w->substep];
    const int n = w->plan->n, nz = lg_implicit_size(w->plan);
    undo->h = history->h, undo->known = history->known, undo->order = history->order;
    for (int i = 0; i < LG_HISTORY * nz; i++) undo->differences[i] = history->differences[i];
    for (int i = 0; i < n * n; i++) undo->inverse_jacobian[i] = history->inverse_jacobian[i];
}

void lg_history_undo(lg_workspace *w, int count)
{
    if (!w->undo) {
        lg_history_clear(w); /* part of it belongs to the step that failed */
        return;
    }
    for (int i = 0; i < count; i++) {
        const lg_history history = w->history[i];
        w->history[i] = w->undo[i], w->undo[i] = history;
    }
}

/* Updates the differences, and finds the order with the smallest error in predicting this step. */
void lg_history_push(lg_workspace *w, duration h, const lg_node *b)
{
    lg_solver_scratch *o = &w->implicit->solver;
    lg_history *history = &w->history[w->substep];
    const int n = w->plan->n, nz = lg_implicit_size(w->plan);
    real least = splat((double)INFINITY), size, rest;
    if (w->undo) solver_keep(w, history);
    history->known = sel(history->h == h, history->known, splat(0));
    history->h = splat(h), history->order = splat(0);
    lg_implicit_gather(w, b->xi, o->unknown);
    for (int q = 0; q < LG_HISTORY; q++) { /* `unknown` is the new difference of order q */
        const mask known = splat(q) < history->known, takes = splat(q) <= history->known;
        real *D = history->differences + q * nz;
        if (!any(takes)) break;
        (void)LG_SIZED_COLUMNS(n, solver_difference, D, o->unknown, takes, &size);
        if (nz > n) (void)solver_difference(nz - n, D + n, o->unknown + n, takes, &rest);
        const mask better = both(known, size < least);
        least = sel(better, size, least), history->order = sel(better, splat(q), history->order);
    }
    history->known = history->known + sel(history->known < splat(LG_HISTORY), splat(1), splat(0));
    real *H = history->inverse_jacobian;
    history->inverse_jacobian = o->inverse_jacobian, o->inverse_jacobian = H;
}

/* s = -H R and xi += s in lanes that have not converged. */
KERNEL int solver_correct(int n, lg_solver_scratch *o, real *xi, mask live)
{
    for (int i = 0; i < n; i++) {
        o->step[i] = -small_dot(n, o->inverse_jacobian + i * n, o->residual);
        xi[i] = sel(live, xi[i] + o->step[i], xi[i]);
    }
    return 0;
}

/* R <- the new residual in o->next_residual, and Broyden's good update of H for the step s that led to it. */
KERNEL int solver_broyden(int n, lg_solver_scratch *o, mask live)
{
    real *s = o->step, *y = o->next_residual, *Hy = o->H_change, *sH = o->step_H;
    for (int i = 0; i < n; i++) {
        const real now = y[i];
        y[i] = now - o->residual[i];
        o->residual[i] = now;
    }
    for (int i = 0; i < n; i++) Hy[i] = small_dot(n, o->inverse_jacobian + i * n, y), sH[i] = splat(0);
    const real denominator = small_dot(n, s, Hy), s2 = small_dot(n, s, s);
    const mask update = both(live, magnitude(denominator) > 1e-3 * s2);
    if (!any(update)) return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sH[j] = sH[j] + s[i] * o->inverse_jacobian[i * n + j];
    const real r = 1.0 / denominator;
    for (int i = 0; i < n; i++) {
        const real f = (s[i] - Hy[i]) * r;
        for (int j = 0; j < n; j++)
            o->inverse_jacobian[i * n + j] =
                sel(update, o->inverse_jacobian[i * n + j] + f * sH[j], o->inverse_jacobian[i * n + j]);
    }
    return 0;
}

#if LANES == 1
/* H by forward differences at xi, where the residual is o->residual. */
static int solver_rebuild(lg_workspace *w, duration h, const lg_node *a, lg_node *b, real *xi)
{
    lg_solver_scratch *o = &w->implicit->solver;
    const int n = w->plan->n;
    double e = 1e-7 * fmax(1, lg_norm_max(xi, n)), *J = o->inverse_jacobian;
    lg_implicit_gather(w, xi, o->unknown);
    for (int j = 0; j < n; j++) {
        double keep = xi[j];
        xi[j] = keep + e;
        int bad = lg_step_residual(w, h, a, xi, b, o->next_residual);
        for (int i = 0; i < n; i++) J[i * n + j] = (o->next_residual[i] - o->residual[i]) / (xi[j] - keep);
        lg_implicit_scatter(w, o->unknown, xi); /* dv and u back to where they were */
        if (bad) return 1;
    }
    if (!lg_all_finite(J, n * n)) return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "the residual of the step");
    lg_dense d = lg_dense_of(w);
    memcpy(d.M, J, sz(n * n) * sizeof *J);
    if (lg_lu_factor(d.M, d.pivots, n) != LG_OK)
        return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the step", 0, w->evaluations, lg_norm_max(o->residual, n));
    lg_lu_inverse(J, d.M, d.pivots, n);
    return 0;
}
#endif

/* The residual that errors of differenced forces and rows cause. */
static real solver_noise(lg_workspace *w, duration h, const lg_node *a)
{
    if (!w->plan->differenced) return splat(0);
    const real forces = lg_inexact_velocity(w, h, a);
    return 4 * (forces + w->row_noise * w->implicit->trial.size);
}

/* Is |R| round-off? Yes if it no longer shrinks and is far below its velocities, or moves g by less than the
 * precision of g, or is below the error of differences; less strictly after SOLVER_REBUILD_AFTER. */
KERNEL mask solver_is_round_off(duration h, int it, real size, real last, real scale, real place, real noise)
{
    const double low = it > SOLVER_REBUILD_AFTER ? 2e-12 : 1e-13, held = it > SOLVER_REBUILD_AFTER ? 2e-15 : 4e-16;
    const mask still = size >= 0.5 * last, stuck = fabs(seconds(h)) * size <= held * place;
    const mask small = either(size <= low * scale, either(stuck, size <= noise));
    return it > 2 ? both(still, small) : other(every_lane());
}

/* phi(g_1) = 0 is tested separately, since the residual contains it divided by h. */
static mask solver_holds_phi(const lg_workspace *w, const lg_node *b, int it, real place)
{
    const int n = w->plan->n;
    mask holds = every_lane();
    if (w->plan->mean_rows) return holds; /* there it is: G R = phi(g_1)/h */
    for (int r = 0; r < w->plan->holonomic && it <= SOLVER_REBUILD_AFTER; r++) {
        const real bound = 0.4 * w->implicit_tolerance * place * solver_largest(b->rows + r * n, n);
        holds = both(holds, magnitude(w->implicit->holonomic.phi[r]) <= bound);
    }
    return holds;
}

/* dv and u are results of an evaluation and inputs of the next one. A lane that has converged is evaluated again with
 * its neighbours, each time from its last inputs. */
static void solver_hold_solved(const lg_workspace *w, mask live)
{
    const lg_solver_scratch *o = &w->implicit->solver;
    const lg_trial *trial = &w->implicit->trial;
    const int n = w->plan->n, nz = lg_implicit_size(w->plan);
    real *held = o->held;
    if (LANES == 1) return;
    for (int i = 0; i < n && nz > n && !w->plan->constant_metric; i++, held++)
        *held = trial->half_change[i] = sel(live, trial->half_change[i], *held);
    for (int i = 0; i < n && nz > n && w->plan->holonomic; i++, held++)
        *held = trial->correction[i] = sel(live, trial->correction[i], *held);
}

static int solver_gives_up(lg_workspace *w, const lg_node *b, const real *xi, real size)
{
#if LANES == 1
    const int n = w->plan->n;
    if (!lg_all_finite(w->implicit->solver.residual, n) && lg_all_finite(xi, n) && lg_norm_max(xi, n) < 1e8)
        return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "the residual of the step"); /* a callback did it */
#endif
    (void)xi;
    return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the step", 0, (int)lane_of(b->iterations, 0), lane_of(size, 0));
}

/* Iterates with at most `most` evaluations since w->evaluations was 0. Beyond width 1 it fails when H
 * would be rebuilt. */
static int solver_iterate(lg_workspace *w, duration h, const lg_node *a, lg_node *b, int most)
{
    lg_solver_scratch *o = &w->implicit->solver;
    lg_trial *trial = &w->implicit->trial;
    const int n = w->plan->n;
    real *xi = b->xi;
    const double share = w->plan->holonomic ? 1 : 0.5; /* |v^-| + |v^+|: with positions phi decides too */
    real last = splat((double)INFINITY), size;
    mask live = every_lane();
    solver_hold_solved(w, live);
    if (lg_step_residual(w, h, a, xi, b, o->residual)) return 1;
    const real place =
        greater(splat(1), solver_largest(a->g, w->plan->element_size)); /* what g can hold, in units of round-off */
    const real still = place * (4e-16 / fabs(seconds(h)));              /* near rest all roots are near */
    const real reach = 16 * greater(solver_largest(xi, n) + trial->size, still);
    for (int it = 1;; it++) {
        b->iterations = sel(live, splat(w->evaluations), b->iterations);
        const real scale = greater(solver_largest(xi, n), share * trial->size);
        size = solver_largest(o->residual, n);
        const real noise = solver_noise(w, h, a);
        mask solved =
            either(size <= w->implicit_tolerance * scale, solver_is_round_off(h, it, size, last, scale, place, noise));
        solved = both(live, solved);
        if (any(solved)) {
            if (w->plan->holonomic) solved = both(solved, solver_holds_phi(w, b, it, place));
            if (any(both(solved, other(solver_largest(xi, n) <= reach))))
                break; /* a root, but not the one near the state */
            live = both(live, other(solved));
            if (!any(live)) return 0;
        }
        if (any(both(live, other(size < 1e100))) || w->evaluations >= most) break;
        if (LANES > 1 && it == SOLVER_REBUILD_AFTER) break;
#if LANES == 1
        if (it % SOLVER_REBUILD_AFTER == 0 && solver_rebuild(w, h, a, b, xi)) return 1;
#endif
        (void)LG_SIZED_COLUMNS(n, solver_correct, o, xi, live);
        solver_hold_solved(w, live);
        if (lg_step_residual(w, h, a, xi, b, o->next_residual)) return 1;
        (void)LG_SIZED_COLUMNS(n, solver_broyden, o, live);
        last = size;
    }
    return solver_gives_up(w, b, xi, size);
}

#if LANES == 1
/* Can another guess avoid this failure? Not if a user callback reported it. */
static int solver_may_retry(const lg_workspace *w)
{
    const lg_status st = w->failure.status;
    return st == LG_ERROR_CONVERGENCE || st == LG_ERROR_SINGULAR || st == LG_ERROR_DOMAIN;
}
#endif

int lg_solve_implicit(lg_workspace *w, duration h, const lg_node *a, const real *p_minus, lg_node *b)
{
    lg_trial *trial = &w->implicit->trial;
    trial->departing = p_minus;
    w->evaluations = 0;
    const mask warm = solver_guess(w, h, a, b->xi, every_lane());
    int bad = solver_iterate(w, h, a, b, any(warm) ? (w->evaluations_max + 1) / 2 : w->evaluations_max);
#if LANES == 1
    if (bad && warm && solver_may_retry(w)) { /* once more without the history */
        (void)solver_guess(w, h, a, b->xi, 0);
        bad = solver_iterate(w, h, a, b, w->evaluations_max);
    }
#endif
    if (bad) return 1;
    for (int i = 0; i < w->plan->n; i++) b->p_plus[i] = trial->p_plus[i];
    return 0;
}

void lg_history_clear(lg_workspace *w)
{
    for (int i = 0; w->history && i < w->plan->stages; i++) w->history[i].h = splat(0);
#if LANES == 1
    lg_collocation_forget(w);
#endif
}

#if LANES == 1
void lg_history_copy(lg_workspace *to, const lg_workspace *from)
{
    const lg_plan *P = to->plan;
    lg_collocation_copy(to, from);
    for (int i = 0; to->history && i < P->stages; i++) {
        lg_history *a = &to->history[i];
        const lg_history *b = &from->history[i];
        a->h = b->h, a->known = b->known, a->order = b->order;
        memcpy(a->inverse_jacobian, b->inverse_jacobian, sz(P->n * P->n) * sizeof *a->inverse_jacobian);
        memcpy(a->differences, b->differences, LG_HISTORY * sz(lg_implicit_size(P)) * sizeof *a->differences);
    }
}
#endif
