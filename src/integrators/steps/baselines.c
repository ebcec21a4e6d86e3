/* SPDX-License-Identifier: BSD-3-Clause */
/* H. Munthe-Kaas, High order Runge-Kutta methods on manifolds, Appl. Numer. Math. 29 (1999),
 * doi:10.1016/S0168-9274(98)00030-0, for lg_rkmk4_step(). */
#include "integrators/steps/baselines.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/differences.h"
#include "integrators/factors/factor.h"
#include "retractions/retraction.h"

void lg_baseline_carve(lg_baseline *o, const lg_field *f, lg_arena *a)
{
    size_t n = sz(f->n), element_size = sz(f->element_size);
    double **element[] = {&o->g, &o->dg, &o->sum_g, &o->W, &o->moved};
    double **vector[] = {&o->xi, &o->dxi, &o->sum_xi, &o->sigma, &o->dsigma, &o->sum_sigma, &o->eta};
    lg_acceleration_carve(&o->acceleration, f, a);
    for (size_t i = 0; i < sizeof element / sizeof element[0]; i++) *element[i] = lg_borrow_doubles(a, element_size);
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++) *vector[i] = lg_borrow_doubles(a, n);
    o->M = lg_borrow_doubles(a, n * n);
}

/* ---- the rate of an element, d/ds g exp(s xi) at s = 0 ---- */

/* By differences of order four, as in mechanics/field.c. */
static lg_status baseline_differenced_rate(lg_baseline *o, const lg_factor_plan *f, double *out, const double *g,
                                           const double *xi, void *work)
{
    static const double at[4] = {LG_CENTRAL_4_OFFSETS}, weight[4] = {LG_CENTRAL_4_WEIGHTS};
    const lg_group *G = f->group;
    double e = 1e-3 / fmax(1, lg_norm_max(xi, G->dim));
    memset(out, 0, sz(G->element_size) * sizeof *out);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < G->dim; i++) o->eta[i] = at[k] * e * xi[i];
        lg_status st = lg_retraction_tau_with(f->retraction, G, o->W, o->eta, work);
        if (st == LG_OK) st = G->compose(G, o->moved, g, o->W, work);
        if (st != LG_OK) return st;
        for (int i = 0; i < G->element_size; i++) out[i] += weight[k] / e * o->moved[i];
    }
    return LG_OK;
}

static lg_status baseline_element_rate(lg_baseline *o, double *out, const double *g, const double *xi, void *work)
{
    lg_status st = LG_OK;
    for (int k = 0; st == LG_OK && k < o->factor_count; k++) {
        const lg_factor_plan *f = &o->factors[k];
        const int at = f->element_offset;
        st = f->table->rate ? f->table->rate(f, out + at, g + at, xi + f->offset, o->W, work)
                            : baseline_differenced_rate(o, f, out + at, g + at, xi + f->offset, work);
    }
    return st;
}

static lg_status baseline_wrap_angles(const lg_baseline *o, double *g, void *work)
{
    lg_status st = LG_OK;
    for (int k = 0; st == LG_OK && k < o->factor_count; k++) {
        const lg_factor_plan *f = &o->factors[k];
        double *angles = g + f->element_offset;
        if (f->table->facts & LG_FACTOR_ANGLES) st = f->group->project(f->group, angles, angles, work);
    }
    return st;
}

/* ---- steps ---- */

/* out = a + s b. */
static void baseline_combine(double *out, const double *a, double s, const double *b, int n)
{
    for (int i = 0; i < n; i++) out[i] = a[i] + s * b[i];
}

/* Returns the new velocity and the new element, which is in o->moved. */
static lg_status baseline_finish(const lg_field *f, lg_baseline *o, double h, const double *xi0, double *g1,
                                 double *xi1)
{
    baseline_combine(o->xi, xi0, h, o->sum_xi, f->n);
    if (!lg_all_finite(o->moved, f->element_size) || !lg_all_finite(o->xi, f->n)) return LG_ERROR_NOT_FINITE;
    memcpy(g1, o->moved, sz(f->element_size) * sizeof *g1);
    memcpy(xi1, o->xi, sz(f->n) * sizeof *xi1);
    return LG_OK;
}

lg_status lg_rk4_step(lg_field *f, lg_baseline *o, double t, double h, const double *g0, const double *xi0, double *g1,
                      double *xi1, int *code)
{
    int n = f->n, element_size = f->element_size;
    *code = 0;
    memset(o->dg, 0, sz(element_size) * sizeof *o->dg), memset(o->sum_g, 0, sz(element_size) * sizeof *o->sum_g);
    memset(o->dxi, 0, sz(n) * sizeof *o->dxi), memset(o->sum_xi, 0, sz(n) * sizeof *o->sum_xi);
    for (int k = 0; k < 4; k++) {
        double s = lg_baseline_at[k] * h;
        baseline_combine(o->g, g0, s, o->dg, element_size);
        baseline_combine(o->xi, xi0, s, o->dxi, n);
        lg_status st = lg_field_acceleration(f, &o->acceleration, t + s, o->g, o->xi, o->dxi, code);
        if (st == LG_OK) st = baseline_element_rate(o, o->dg, o->g, o->xi, f->work);
        if (st != LG_OK) return st;
        baseline_combine(o->sum_g, o->sum_g, lg_baseline_weight[k], o->dg, element_size);
        baseline_combine(o->sum_xi, o->sum_xi, lg_baseline_weight[k], o->dxi, n);
    }
    baseline_combine(o->moved, g0, h, o->sum_g, element_size);
    lg_status st = baseline_wrap_angles(o, o->moved, f->work);
    return st == LG_OK ? baseline_finish(f, o, h, xi0, g1, xi1) : st;
}

/* rate = sigma' for g = g_0 tau(sigma) and g' = g xi: the right-trivialised dtau_sigma sigma' is Ad_tau(sigma) xi; if
 * tau(sigma) tau(-sigma) = e that is sigma' = dtau^-1_{-sigma} xi (docs/theory.md section 2). W = tau(sigma). */
static lg_status baseline_increment_rate(const lg_field *f, lg_baseline *o, double *rate, const double *sigma,
                                         const double *xi)
{
    const lg_group *G = f->S->group;
    if (f->r->flags & LG_RETRACTION_SYMMETRIC) {
        for (int i = 0; i < f->n; i++) o->eta[i] = -sigma[i];
        return lg_retraction_dtau_inv_apply_with(f->r, G, rate, o->eta, xi, f->work);
    }
    lg_status st = G->Ad(G, o->M, o->W, f->work);
    if (st != LG_OK) return st;
    lg_matvec(o->eta, o->M, xi, f->n, f->n);
    return lg_retraction_dtau_inv_apply_with(f->r, G, rate, sigma, o->eta, f->work);
}

/* to = g0 tau(sigma). */
static lg_status baseline_advance(const lg_field *f, lg_baseline *o, double *to, const double *g0, const double *sigma)
{
    const lg_group *G = f->S->group;
    lg_status st = lg_retraction_tau_with(f->r, G, o->W, sigma, f->work);
    return st == LG_OK ? G->compose(G, to, g0, o->W, f->work) : st;
}

lg_status lg_rkmk4_step(lg_field *f, lg_baseline *o, double t, double h, const double *g0, const double *xi0,
                        double *g1, double *xi1, int *code)
{
    const lg_group *G = f->S->group;
    int n = f->n;
    *code = 0;
    memset(o->dsigma, 0, sz(n) * sizeof *o->dsigma), memset(o->sum_sigma, 0, sz(n) * sizeof *o->sum_sigma);
    memset(o->dxi, 0, sz(n) * sizeof *o->dxi), memset(o->sum_xi, 0, sz(n) * sizeof *o->sum_xi);
    for (int k = 0; k < 4; k++) {
        double s = lg_baseline_at[k] * h;
        for (int i = 0; i < n; i++) o->sigma[i] = s * o->dsigma[i];
        baseline_combine(o->xi, xi0, s, o->dxi, n);
        lg_status st = baseline_advance(f, o, o->g, g0, o->sigma);
        if (st == LG_OK) st = lg_field_acceleration(f, &o->acceleration, t + s, o->g, o->xi, o->dxi, code);
        if (st == LG_OK) st = baseline_increment_rate(f, o, o->dsigma, o->sigma, o->xi);
        if (st != LG_OK) return st;
        baseline_combine(o->sum_sigma, o->sum_sigma, lg_baseline_weight[k], o->dsigma, n);
        baseline_combine(o->sum_xi, o->sum_xi, lg_baseline_weight[k], o->dxi, n);
    }
    for (int i = 0; i < n; i++) o->sum_sigma[i] *= h;
    lg_status st = baseline_advance(f, o, o->moved, g0, o->sum_sigma);
    if (st == LG_OK && G->project) st = G->project(G, o->moved, o->moved, f->work);
    return st == LG_OK ? baseline_finish(f, o, h, xi0, g1, xi1) : st;
}
