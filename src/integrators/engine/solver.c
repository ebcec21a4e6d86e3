/* SPDX-License-Identifier: BSD-3-Clause */
/* The one solver of open steps (docs/theory.md section 8). The unknown is xi alone; multipliers come out of each
 * residual by a small linear solve. Broyden's good updates of H = (dR/dxi)^-1, which starts as the identity and is kept
 * from step to step; the first guess extrapolates the steps before, with the order that would have predicted the last
 * step best. A step that fails leaves what is remembered as it was. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/small.h"
#include "integrators/engine/scratch.h"
#include "integrators/engine/sized.h"

/* Evaluations after which H is rebuilt by differences. */
#define PATIENCE 12

int lg_implicit_size(const lg_plan *P)
{
    int lagged = P->method.inner == &lg_inner_energy_momentum;
    return P->n * (1 + (lagged && !P->constant_metric) + (lagged && P->holonomic > 0));
}

/* Largest magnitude, NaN if there is one; no branches. */
KERNEL real largest(const real *v, int n)
{
    real most = splat(0);
    mask bad = other(every_lane());
    for (int i = 0; i < n; i++) {
        const real a = magnitude(v[i]);
        most = greater(most, a);
        bad = either(bad, a != a);
    }
    return sel(bad, splat((double)NAN), most);
}

/* z = (xi, dv, u), as far as they exist. */
void lg_implicit_gather(const lg_workspace *w, const real *xi, real *z)
{
    const lg_implicit *o = w->implicit;
    const int n = w->plan->n, nz = lg_implicit_size(w->plan);
    int at = n;
    memcpy(z, xi, sz(n) * sizeof *z);
    if (at < nz && !w->plan->constant_metric) memcpy(z + at, o->dv, sz(n) * sizeof *z), at += n;
    if (at < nz) memcpy(z + at, o->u, sz(n) * sizeof *z);
}

void lg_implicit_scatter(lg_workspace *w, const real *z, real *xi)
{
    lg_implicit *o = w->implicit;
    const int n = w->plan->n, nz = lg_implicit_size(w->plan);
    int at = n;
    memcpy(xi, z, sz(n) * sizeof *z);
    if (at < nz && !w->plan->constant_metric) memcpy(o->dv, z + at, sz(n) * sizeof *z), at += n;
    if (at < nz) memcpy(o->u, z + at, sz(n) * sizeof *z);
}

int lg_implicit_residual(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b, real *R)
{
    const lg_plan *P = w->plan;
    const lg_method *M = &P->method;
    lg_implicit *o = w->implicit;
    o->xi = xi;
    o->size = splat(0);
    w->evaluations++;
    if (M->inner->implicit(w, h, a, xi, b)) return 1;
    if ((!P->constant_rows || P->drift || !P->constant_metric) && lg_workspace_evaluate_rows(w, b)) return 1;
    if (P->m && (M->rule->needs & LG_NEEDS_FRAME) && lg_frame(w, b)) return 1;
    if (M->rule->multipliers(w, h, a, b)) return 1;
    return M->inner->residual(w, h, a, xi, b, R);
}

/* xi (and dv, u) from the memory, or, where there is nothing to remember or it is not wanted, J^-1 of the departing
 * momentum. Returns the lanes that remember. */
static mask guess(lg_workspace *w, double h, const lg_node *a, real *xi, mask wanted)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const lg_history *memory = &w->history[w->slot];
    const int n = P->n, nz = lg_implicit_size(P);
    const mask warm = both(wanted, both(memory->h == h, memory->known > 0.0)), cold = other(warm);
    for (int i = 0; i < nz; i++) o->zn[i] = splat(0);
    for (int q = 0; q < LG_HISTORY; q++) {
        const mask takes = both(warm, splat(q) <= memory->order);
        if (!any(takes)) break;
        for (int i = 0; i < nz; i++) o->zn[i] = sel(takes, o->zn[i] + memory->D[q * nz + i], o->zn[i]);
    }
    for (int i = 0; i < n * n; i++) o->H[i] = memory->H[i];
    if (any(cold)) {
        lg_raise(P, o->f, a, o->given);
        for (int i = 0; i < nz; i++) o->zn[i] = sel(cold, i < n ? o->f[i] : splat(0), o->zn[i]);
        for (int i = 0; i < n * n; i++) o->H[i] = sel(cold, splat(i % (n + 1) == 0), o->H[i]);
    }
    lg_implicit_scatter(w, o->zn, xi);
    return warm;
}

/* The new difference of order q, which is in z, takes its place in D; the one that was known there is taken off, which
 * leaves the next order in z. *size: how large what is left is. Where none was known, what is left means nothing. */
KERNEL int difference(int n, real *D, real *z, mask takes, real *size)
{
    for (int i = 0; i < n; i++) {
        const real now = z[i];
        z[i] = now - D[i];
        D[i] = sel(takes, now, D[i]);
    }
    *size = largest(z, n);
    return 0;
}

/* What lg_history_undo() needs. */
static void keep(lg_workspace *w, lg_history *memory)
{
    lg_history *undo = &w->undo[w->slot];
    const int n = w->plan->n, nz = lg_implicit_size(w->plan);
    undo->h = memory->h, undo->known = memory->known, undo->order = memory->order;
    for (int i = 0; i < LG_HISTORY * nz; i++) undo->D[i] = memory->D[i];
    for (int i = 0; i < n * n; i++) undo->H[i] = memory->H[i];
}

void lg_history_undo(lg_workspace *w, int count)
{
    if (!w->undo) {
        lg_workspace_forget(w); /* some of it is of the step that failed */
        return;
    }
    for (int i = 0; i < count; i++) {
        const lg_history memory = w->history[i];
        w->history[i] = w->undo[i], w->undo[i] = memory;
    }
}

/* Differences one order up, and the order with the smallest error in predicting this step. */
void lg_history_push(lg_workspace *w, double h, const lg_node *b)
{
    lg_implicit *o = w->implicit;
    lg_history *memory = &w->history[w->slot];
    const int n = w->plan->n, nz = lg_implicit_size(w->plan);
    real least = splat((double)INFINITY), size, rest;
    if (w->undo) keep(w, memory);
    memory->known = sel(memory->h == h, memory->known, splat(0));
    memory->h = splat(h), memory->order = splat(0);
    lg_implicit_gather(w, b->xi, o->zn);
    for (int q = 0; q < LG_HISTORY; q++) { /* zn is the new difference of order q */
        const mask known = splat(q) < memory->known, takes = splat(q) <= memory->known;
        real *D = memory->D + q * nz;
        if (!any(takes)) break;
        (void)LG_SIZED_COLUMNS(n, difference, D, o->zn, takes, &size);
        if (nz > n) (void)difference(nz - n, D + n, o->zn + n, takes, &rest);
        const mask better = both(known, size < least);
        least = sel(better, size, least), memory->order = sel(better, splat(q), memory->order);
    }
    memory->known = memory->known + sel(memory->known < splat(LG_HISTORY), splat(1), splat(0));
    real *H = memory->H;
    memory->H = o->H, o->H = H;
}

/* s = -H R and xi += s in lanes that are not solved yet. */
KERNEL int correct(int n, lg_implicit *o, real *xi, mask live)
{
    for (int i = 0; i < n; i++) {
        o->S[i] = -small_dot(n, o->H + i * n, o->R);
        xi[i] = sel(live, xi[i] + o->S[i], xi[i]);
    }
    return 0;
}

/* R <- the new residual in o->trial, and Broyden's good update of H for the step o->S that led to it. */
KERNEL int broyden(int n, lg_implicit *o, mask live)
{
    real *s = o->S, *y = o->trial, *Hy = o->Hy, *sH = o->sH;
    for (int i = 0; i < n; i++) {
        const real now = y[i];
        y[i] = now - o->R[i];
        o->R[i] = now;
    }
    for (int i = 0; i < n; i++) Hy[i] = small_dot(n, o->H + i * n, y), sH[i] = splat(0);
    const real denominator = small_dot(n, s, Hy), s2 = small_dot(n, s, s);
    const mask update = both(live, magnitude(denominator) > 1e-3 * s2);
    if (!any(update)) return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sH[j] = sH[j] + s[i] * o->H[i * n + j];
    const real r = 1.0 / denominator;
    for (int i = 0; i < n; i++) {
        const real f = (s[i] - Hy[i]) * r;
        for (int j = 0; j < n; j++) o->H[i * n + j] = sel(update, o->H[i * n + j] + f * sH[j], o->H[i * n + j]);
    }
    return 0;
}

#if LANES == 1
/* H by forward differences at xi, where the residual is o->R. */
static int rebuild(lg_workspace *w, double h, const lg_node *a, lg_node *b, real *xi)
{
    lg_implicit *o = w->implicit;
    const int n = w->plan->n;
    double e = 1e-7 * fmax(1, lg_norm_max(xi, n)), *J = o->H;
    lg_implicit_gather(w, xi, o->zn);
    for (int j = 0; j < n; j++) {
        double keep = xi[j];
        xi[j] = keep + e;
        int bad = lg_implicit_residual(w, h, a, xi, b, o->trial);
        for (int i = 0; i < n; i++) J[i * n + j] = (o->trial[i] - o->R[i]) / (xi[j] - keep);
        lg_implicit_scatter(w, o->zn, xi); /* dv and u back to where they were */
        if (bad) return 1;
    }
    if (!lg_all_finite(J, n * n)) return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "the residual of the step");
    lg_dense d = lg_dense_of(w);
    memcpy(d.M, J, sz(n * n) * sizeof *J);
    if (lg_lu_factor(d.M, d.pivots, n) != LG_OK)
        return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the step", 0, w->evaluations, lg_norm_max(o->R, n));
    lg_lu_inverse(J, d.M, d.pivots, n);
    return 0;
}
#endif

/* Is |R| round-off? It is where it stands still far below the velocities that it is made of, or moves g by less than g
 * can hold. */
KERNEL mask is_round_off(double h, int it, real size, real last, real scale, real place)
{
    const double low = it > PATIENCE ? 2e-12 : 1e-13;
    const mask still = size >= 0.5 * last, small = either(size <= low * scale, fabs(h) * size <= 4e-16 * place);
    return it > 2 ? both(still, small) : other(every_lane());
}

/* phi(g_1) = 0 is not left to the residual, where it is divided by h. */
static mask holds_positions(const lg_workspace *w, const lg_node *b, int it, real place)
{
    const int n = w->plan->n;
    mask holds = every_lane();
    for (int r = 0; r < w->plan->holonomic && it <= PATIENCE; r++) {
        const real bound = 0.4 * w->implicit_tolerance * place * largest(b->A + r * n, n);
        holds = both(holds, magnitude(w->implicit->phi[r]) <= bound);
    }
    return holds;
}

/* dv and u are results of an evaluation and inputs of the next one. A lane that is solved is evaluated again and again
 * with its neighbours, from what it was evaluated from last. */
static void hold_solved(const lg_workspace *w, mask live)
{
    const lg_implicit *o = w->implicit;
    const int n = w->plan->n, nz = lg_implicit_size(w->plan);
    real *held = o->held;
    if (LANES == 1) return;
    for (int i = 0; i < n && nz > n && !w->plan->constant_metric; i++, held++)
        *held = o->dv[i] = sel(live, o->dv[i], *held);
    for (int i = 0; i < n && nz > n && w->plan->holonomic; i++, held++) *held = o->u[i] = sel(live, o->u[i], *held);
}

static int gives_up(lg_workspace *w, const lg_node *b, const real *xi, real size)
{
#if LANES == 1
    const int n = w->plan->n;
    if (!lg_all_finite(w->implicit->R, n) && lg_all_finite(xi, n) && lg_norm_max(xi, n) < 1e8)
        return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "the residual of the step"); /* a callback did it */
#endif
    (void)xi;
    return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the step", 0, (int)lane_of(b->iterations, 0), lane_of(size, 0));
}

/* At most `most` evaluations since w->evaluations was 0. Beyond width 1 patience is the end of the ordinary course. */
static int iterate(lg_workspace *w, double h, const lg_node *a, lg_node *b, int most)
{
    lg_implicit *o = w->implicit;
    const int n = w->plan->n;
    real *xi = b->xi;
    const double share = w->plan->holonomic ? 1 : 0.5; /* |v^-| + |v^+|: with positions phi decides too */
    real last = splat((double)INFINITY), size;
    mask live = every_lane();
    hold_solved(w, live);
    if (lg_implicit_residual(w, h, a, xi, b, o->R)) return 1;
    const real reach = 16 * (largest(xi, n) + o->size);
    const real place =
        greater(splat(1), largest(a->g, w->plan->element_size)); /* what g can hold, in units of round-off */
    for (int it = 1;; it++) {
        b->iterations = sel(live, splat(w->evaluations), b->iterations);
        const real scale = greater(largest(xi, n), share * o->size);
        size = largest(o->R, n);
        mask solved = either(size <= w->implicit_tolerance * scale, is_round_off(h, it, size, last, scale, place));
        solved = both(live, solved);
        if (any(solved)) {
            if (w->plan->holonomic) solved = both(solved, holds_positions(w, b, it, place));
            if (any(both(solved, other(largest(xi, n) <= reach)))) break; /* a root, but not the one near the state */
            live = both(live, other(solved));
            if (!any(live)) return 0;
        }
        if (any(both(live, other(size < 1e100))) || w->evaluations >= most) break;
        if (LANES > 1 && it == PATIENCE) break;
#if LANES == 1
        if (it % PATIENCE == 0 && rebuild(w, h, a, b, xi)) return 1;
#endif
        (void)LG_SIZED_COLUMNS(n, correct, o, xi, live);
        hold_solved(w, live);
        if (lg_implicit_residual(w, h, a, xi, b, o->trial)) return 1;
        (void)LG_SIZED_COLUMNS(n, broyden, o, live);
        last = size;
    }
    return gives_up(w, b, xi, size);
}

#if LANES == 1
/* A failure that another guess may avoid: not one that a callback of the user's asked for. */
static int may_retry(const lg_workspace *w)
{
    const lg_status st = w->failure.status;
    return st == LG_ERROR_CONVERGENCE || st == LG_ERROR_SINGULAR || st == LG_ERROR_DOMAIN;
}
#endif

int lg_solve_implicit(lg_workspace *w, double h, const lg_node *a, const real *p_minus, lg_node *b)
{
    lg_implicit *o = w->implicit;
    o->given = p_minus;
    w->evaluations = 0;
    const mask warm = guess(w, h, a, b->xi, every_lane());
    int bad = iterate(w, h, a, b, any(warm) ? (w->evaluations_max + 1) / 2 : w->evaluations_max);
#if LANES == 1
    if (bad && warm && may_retry(w)) { /* once more without what was remembered */
        (void)guess(w, h, a, b->xi, 0);
        bad = iterate(w, h, a, b, w->evaluations_max);
    }
#endif
    if (bad) return 1;
    for (int i = 0; i < w->plan->n; i++) b->p_plus[i] = o->p_plus[i];
    return 0;
}

void lg_history_copy(lg_workspace *to, const lg_workspace *from)
{
    const lg_plan *P = to->plan;
    for (int i = 0; to->history && i < P->stages; i++) {
        lg_history *a = &to->history[i];
        const lg_history *b = &from->history[i];
        a->h = b->h, a->known = b->known, a->order = b->order;
        memcpy(a->H, b->H, sz(P->n * P->n) * sizeof *a->H);
        memcpy(a->D, b->D, LG_HISTORY * sz(lg_implicit_size(P)) * sizeof *a->D);
    }
}
