/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense output: the geodesic arc between the last two nodes, factor by factor. */
#include <liegrp/integrators/event.h>

#include <math.h>
#include <string.h>

#include "base/lane.h"
#include "integrators/collocation/collocation.h"
#include "integrators/integrator.h"
#include "retractions/retraction.h"

/* Is g_k = g_{k-1} tau(h xi) for the last step, rather than a composition? */
static int interpolate_is_one_arc(const lg_plan *P)
{
    return P->stages == 1 && !P->method.rule->middle_kick && !(P->method.step->needs & LG_IS_DIRECT);
}

/* y = log(g_{k-1}^-1 g_k), W is scratch; angles are on the branch nearest to x = h xi. */
static lg_status interpolate_difference(const lg_factor_plan *f, double *y, double *W, const double *g0,
                                        const double *g1, const double *x, double h, void *work)
{
    const lg_group *G = f->group;
    if (!G->exp || !G->exp->tau || !G->exp->tau_inv) return LG_ERROR_UNSUPPORTED;
    lg_status st = G->inverse(G, W, g0, work);
    if (st == LG_OK) st = G->compose(G, W, W, g1, work);
    if (st == LG_OK) st = G->exp->tau_inv(G, y, W, work);
    const double turn = 2 * LG_PI;
    for (int i = 0; st == LG_OK && (f->table->facts & LG_FACTOR_TURNS) && i < f->n; i++)
        y[i] += turn * nearbyint((h * x[i] - y[i]) / turn);
    return st;
}

/* g at s along one factor. */
static lg_status interpolate_along(const lg_integrator *it, const lg_factor_plan *f, double *g, double s)
{
    const lg_workspace *w = it->workspace;
    const lg_group *G = f->group;
    const double *xi = w->now->xi + f->offset, *g0 = w->next->g + f->element_offset, h = w->length;
    double *y = it->report, *W = y + it->plan.n;
    int one = interpolate_is_one_arc(&it->plan);
    lg_status st = LG_OK;
    if (one && (f->table->facts & LG_FACTOR_EXPONENTIAL))
        for (int i = 0; i < f->n; i++) y[i] = h * xi[i];
    else
        st = interpolate_difference(f, y, W, g0, w->now->g + f->element_offset, xi, h, w->scratch);
    if (st != LG_OK && !one) return st;
    if (st == LG_OK) {
        for (int i = 0; i < f->n; i++) y[i] *= s;
        st = G->exp->tau(G, W, y, w->scratch);
    } else {
        for (int i = 0; i < f->n; i++) y[i] = s * h * xi[i];
        st = lg_retraction_tau_with(f->retraction, G, W, y, w->scratch);
    }
    return st == LG_OK ? G->compose(G, g + f->element_offset, g0, W, w->scratch) : st;
}

/* Collocation: the state after a step to that time. */
static lg_status interpolate_collocation(const lg_integrator *it, double *t, double *g, double *xi, double s)
{
    lg_integrator *own = (lg_integrator *)(uintptr_t)it; /* what callbacks must not call, and scratch */
    lg_workspace *w = it->workspace;
    const lg_node *b = s == 0 ? w->next : s == 1 ? w->now : w->spare;
    if (b == w->spare) {
        own->busy = 1;
        const int bad = lg_collocation_inside(w, s, w->spare);
        own->busy = 0;
        if (bad) return w->failure.status;
    }
    if (t) *t = w->now->t - (1 - s) * w->length;
    if (g) memcpy(g, b->g, sz(it->plan.element_size) * sizeof *g);
    if (xi) lg_raise(&it->plan, xi, b, b->p_tilde);
    return LG_OK;
}

lg_status lg_integrator_interpolate(const lg_integrator *it, double *t, double *g, double *xi, double s)
{
    if (!it || !it->started || it->busy || it->workspace->length == 0 || !(s >= 0 && s <= 1)) return LG_ERROR_ARGUMENT;
    const lg_plan *P = &it->plan;
    const lg_node *a = it->workspace->next, *b = it->workspace->now;
    lg_status st = LG_OK;
    if (P->method.collocation_stages) return interpolate_collocation(it, t, g, xi, s);
    if (g && (s == 0 || s == 1))
        memcpy(g, s == 0 ? a->g : b->g, sz(P->element_size) * sizeof *g);
    else
        for (int k = 0; g && st == LG_OK && k < P->factor_count; k++) st = interpolate_along(it, &P->factors[k], g, s);
    if (st != LG_OK) return st;
    if (t) *t = b->t - (1 - s) * it->workspace->length;
    if (!xi) return LG_OK;
    double *v = it->report;
    lg_raise(P, v, a, a->p_tilde);
    lg_raise(P, xi, b, b->p_tilde);
    for (int i = 0; i < P->n; i++) xi[i] = (1 - s) * v[i] + s * xi[i];
    return LG_OK;
}
