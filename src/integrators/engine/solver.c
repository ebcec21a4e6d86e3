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

int lg_open_size(const lg_plan *P)
{
    int lagged = P->method.inner == &lg_inner_energy_momentum;
    return P->n * (1 + (lagged && !P->constant_metric) + (lagged && P->mh > 0));
}

/* Largest magnitude, NaN if there is one; no branches. */
K double largest(const real *v, int n)
{
    double most = 0;
    int bad = 0;
    for (int i = 0; i < n; i++) {
        const double a = magnitude(v[i]);
        most = a > most ? a : most;
        bad |= a != a;
    }
    return bad ? NAN : most;
}

/* z = (xi, dv, u), as far as they exist. */
void lg_open_gather(const lg_work *w, const real *xi, real *z)
{
    const lg_open *o = w->open;
    const int n = w->plan->n, nz = lg_open_size(w->plan);
    int at = n;
    memcpy(z, xi, sz(n) * sizeof *z);
    if (at < nz && !w->plan->constant_metric) memcpy(z + at, o->dv, sz(n) * sizeof *z), at += n;
    if (at < nz) memcpy(z + at, o->u, sz(n) * sizeof *z);
}

void lg_open_scatter(lg_work *w, const real *z, real *xi)
{
    lg_open *o = w->open;
    const int n = w->plan->n, nz = lg_open_size(w->plan);
    int at = n;
    memcpy(xi, z, sz(n) * sizeof *z);
    if (at < nz && !w->plan->constant_metric) memcpy(o->dv, z + at, sz(n) * sizeof *z), at += n;
    if (at < nz) memcpy(o->u, z + at, sz(n) * sizeof *z);
}

int lg_open_residual(lg_work *w, double h, const lg_node *a, const real *xi, lg_node *b, real *R)
{
    const lg_plan *P = w->plan;
    const lg_method *M = &P->method;
    lg_open *o = w->open;
    o->xi = xi;
    o->size = splat(0);
    w->evaluations++;
    if (M->inner->open(w, h, a, xi, b)) return 1;
    if ((!P->constant_rows || P->drift || !P->constant_metric) && lg_work_evaluate_rows(w, b)) return 1;
    if (P->m && (M->rule->needs & LG_NEEDS_FRAME) && lg_frame(w, b)) return 1;
    int (*connect)(lg_work *, double, const lg_node *, lg_node *) = M->rule->connect;
    if ((connect ? connect : lg_connect_discrete)(w, h, a, b)) return 1;
    return M->inner->target(w, h, a, xi, b, R);
}

/* xi (and dv, u) from the memory, or J^-1 of the departing momentum. Returns 1 if there was something to remember. */
static int guess(lg_work *w, double h, const lg_node *a, real *xi)
{
    const lg_plan *P = w->plan;
    lg_open *o = w->open;
    const lg_memory *memory = &w->memory[w->slot];
    const int nz = lg_open_size(P), warm = memory->h == h && memory->known > 0;
    memset(o->zn, 0, sz(nz) * sizeof *o->zn);
    if (warm)
        for (int q = 0; q <= memory->order; q++)
            for (int i = 0; i < nz; i++) o->zn[i] = o->zn[i] + memory->D[q * nz + i];
    else
        lg_raise(P, o->zn, a, o->given);
    lg_open_scatter(w, o->zn, xi);
    if (warm)
        memcpy(o->H, memory->H, sz(P->n * P->n) * sizeof *o->H);
    else
        lg_set_identity(o->H, P->n);
    return warm;
}

/* One order of the differences at a time: D_q <- z, z <- z - D_q; how large the latter is. */
K int difference(int n, real *D, real *z, double *size)
{
    for (int i = 0; i < n; i++) {
        const real now = z[i];
        z[i] = now - D[i];
        D[i] = now;
    }
    *size = largest(z, n);
    return 0;
}

/* Differences one order up, and the order with the smallest error in predicting this step. */
void lg_remember(lg_work *w, double h, const lg_node *b)
{
    lg_open *o = w->open;
    lg_memory *memory = &w->memory[w->slot];
    const int n = w->plan->n, nz = lg_open_size(w->plan);
    if (memory->h != h) memory->known = 0;
    memory->h = h;
    lg_open_gather(w, b->xi, o->zn);
    double least = INFINITY, size, rest;
    memory->order = 0;
    for (int q = 0; q < memory->known; q++) { /* zn is the new difference of order q */
        real *D = memory->D + q * nz;
        (void)LG_SIZED_COLUMNS(n, difference, D, o->zn, &size);
        if (nz > n) (void)difference(nz - n, D + n, o->zn + n, &rest);
        if (size < least) least = size, memory->order = q;
    }
    if (memory->known < LG_MEMORY) {
        memcpy(memory->D + memory->known * nz, o->zn, sz(nz) * sizeof *o->zn);
        memory->known++;
    }
    real *H = memory->H;
    memory->H = o->H, o->H = H;
}

/* s = -H R and xi += s. */
K int correct(int n, lg_open *o, real *xi)
{
    for (int i = 0; i < n; i++) {
        o->S[i] = -small_dot(n, o->H + i * n, o->R);
        xi[i] = xi[i] + o->S[i];
    }
    return 0;
}

/* R <- the new residual in o->trial, and Broyden's good update of H for the step o->S that led to it. */
K int broyden(int n, lg_open *o)
{
    real *s = o->S, *y = o->trial, *Hy = o->Hy, *sH = o->sH;
    for (int i = 0; i < n; i++) {
        const real now = y[i];
        y[i] = now - o->R[i];
        o->R[i] = now;
    }
    for (int i = 0; i < n; i++) Hy[i] = small_dot(n, o->H + i * n, y), sH[i] = splat(0);
    const real denominator = small_dot(n, s, Hy), s2 = small_dot(n, s, s);
    if (!(magnitude(denominator) > 1e-3 * s2)) return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sH[j] = sH[j] + s[i] * o->H[i * n + j];
    const real r = 1.0 / denominator;
    for (int i = 0; i < n; i++) {
        const real f = (s[i] - Hy[i]) * r;
        for (int j = 0; j < n; j++) o->H[i * n + j] = o->H[i * n + j] + f * sH[j];
    }
    return 0;
}

/* H by forward differences at xi, where the residual is o->R. */
static int rebuild(lg_work *w, double h, const lg_node *a, lg_node *b, real *xi)
{
    lg_open *o = w->open;
    const int n = w->plan->n;
    double e = 1e-7 * fmax(1, lg_norm_max(xi, n)), *J = o->H;
    lg_open_gather(w, xi, o->zn);
    for (int j = 0; j < n; j++) {
        double keep = xi[j];
        xi[j] = keep + e;
        int bad = lg_open_residual(w, h, a, xi, b, o->trial);
        for (int i = 0; i < n; i++) J[i * n + j] = (o->trial[i] - o->R[i]) / (xi[j] - keep);
        lg_open_scatter(w, o->zn, xi); /* dv and u back to where they were */
        if (bad) return 1;
    }
    if (!lg_all_finite(J, n * n)) return lg_work_fail_status(w, LG_ERROR_NOT_FINITE, "the residual of the step");
    lg_dense d = lg_dense_of(w);
    memcpy(d.M, J, sz(n * n) * sizeof *J);
    if (lg_lu_factor(d.M, d.pivots, n) != LG_OK)
        return lg_work_fail(w, LG_ERROR_CONVERGENCE, "the step", 0, w->evaluations, lg_norm_max(o->R, n));
    lg_lu_inverse(J, d.M, d.pivots, n);
    return 0;
}

/* Is |R| round-off? It is where it stands still far below the velocities that it is made of, or moves g by less than g
 * can hold. */
static int is_round_off(double h, int it, double size, double last, double scale, double place)
{
    const double low = it > PATIENCE ? 2e-12 : 1e-13;
    return it > 2 && size >= 0.5 * last && (size <= low * scale || fabs(h) * size <= 4e-16 * place);
}

/* phi(g_1) = 0 is not left to the residual, where it is divided by h. */
static int holds_positions(const lg_work *w, const lg_node *b, int it, double place)
{
    const int n = w->plan->n;
    for (int r = 0; r < w->plan->mh && it <= PATIENCE; r++)
        if (!(fabs(w->open->phi[r]) <= 0.4 * w->open_tolerance * place * largest(b->A + r * n, n))) return 0;
    return 1;
}

/* At most `most` evaluations since w->evaluations was 0. */
static int iterate(lg_work *w, double h, const lg_node *a, lg_node *b, int most)
{
    lg_open *o = w->open;
    const int n = w->plan->n;
    real *xi = b->xi;
    const double share = w->plan->mh ? 1 : 0.5; /* |v^-| + |v^+|: with positions phi decides too */
    double last = INFINITY, size, reach;
    if (lg_open_residual(w, h, a, xi, b, o->R)) return 1;
    reach = 16 * (largest(xi, n) + o->size);
    const double place = fmax(1, largest(a->g, w->plan->gn)); /* what g can hold, in units of round-off */
    for (int it = 1;; it++) {
        b->iterations = w->evaluations;
        double scale = largest(xi, n);
        if (share * o->size > scale) scale = share * o->size;
        size = largest(o->R, n);
        if ((size <= w->open_tolerance * scale || is_round_off(h, it, size, last, scale, place)) &&
            holds_positions(w, b, it, place)) {
            if (largest(xi, n) <= reach) return 0;
            break; /* a root, but not the one near the state */
        }
        if (!(size < 1e100) || w->evaluations >= most) break;
        if (it % PATIENCE == 0 && rebuild(w, h, a, b, xi)) return 1;
        (void)LG_SIZED_COLUMNS(n, correct, o, xi);
        if (lg_open_residual(w, h, a, xi, b, o->trial)) return 1;
        (void)LG_SIZED_COLUMNS(n, broyden, o);
        last = size;
    }
    if (!lg_all_finite(o->R, n) && lg_all_finite(xi, n) && lg_norm_max(xi, n) < 1e8)
        return lg_work_fail_status(w, LG_ERROR_NOT_FINITE, "the residual of the step"); /* a callback did it */
    return lg_work_fail(w, LG_ERROR_CONVERGENCE, "the step", 0, b->iterations, size);
}

/* A failure that another guess may avoid: not one that a callback of the user's asked for. */
static int may_retry(const lg_work *w)
{
    const lg_status st = w->failure.status;
    return st == LG_ERROR_CONVERGENCE || st == LG_ERROR_SINGULAR || st == LG_ERROR_DOMAIN;
}

int lg_solve_open(lg_work *w, double h, const lg_node *a, const real *pm, lg_node *b)
{
    lg_open *o = w->open;
    o->given = pm;
    w->evaluations = 0;
    int warm = guess(w, h, a, b->xi);
    int bad = iterate(w, h, a, b, warm ? (w->evaluations_max + 1) / 2 : w->evaluations_max);
    if (bad && warm && may_retry(w)) { /* once more without what was remembered */
        lg_memory *memory = &w->memory[w->slot];
        double keep = memory->h;
        memory->h = 0;
        (void)guess(w, h, a, b->xi);
        memory->h = keep;
        bad = iterate(w, h, a, b, w->evaluations_max);
    }
    if (bad) return 1;
    memcpy(b->pp, o->pp, sz(w->plan->n) * sizeof *b->pp);
    return 0;
}

void lg_copy_memory(lg_work *to, const lg_work *from)
{
    const lg_plan *P = to->plan;
    for (int i = 0; to->memory && i < P->stages; i++) {
        lg_memory *a = &to->memory[i];
        const lg_memory *b = &from->memory[i];
        a->h = b->h, a->known = b->known, a->order = b->order;
        memcpy(a->H, b->H, sz(P->n * P->n) * sizeof *a->H);
        memcpy(a->D, b->D, LG_MEMORY * sz(lg_open_size(P)) * sizeof *a->D);
    }
}
