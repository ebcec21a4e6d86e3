/* SPDX-License-Identifier: BSD-3-Clause */
/* Variational steps with more than a constant metric and a potential at the nodes, at width 1: metrics, forces and
 * points along the arc (docs/theory.md section 7). */
#include "integrators/steps/variational.h"

#include <string.h>

#include "base/dense.h"
#include "integrators/engine/scratch.h"
#include "integrators/engine/workspace.h"
#include "retractions/retraction.h"

static int points_failed(lg_workspace *w, lg_status st)
{
    return st == LG_OK ? 0 : lg_workspace_fail_status(w, st, w->plan->S->group->name);
}

int lg_arc_logarithm(lg_workspace *w)
{
    const lg_group *G = w->plan->S->group;
    return points_failed(w, G->exp->tau_inv(G, w->implicit->trial.log_W, w->implicit->trial.W, w->scratch));
}

/* U = exp(s y) and g = g_0 U. */
static int points_at(lg_workspace *w, double s, const lg_node *a, real *U, real *g)
{
    const lg_plan *P = w->plan;
    const lg_group *G = P->S->group;
    const lg_lagrangian_scratch *o = &w->implicit->lagrangian;
    const lg_trial *trial = &w->implicit->trial;
    for (int i = 0; i < P->n; i++) o->fraction[i] = s * trial->log_W[i];
    lg_status st = G->exp->tau(G, U, o->fraction, w->scratch);
    if (st == LG_OK && g) st = G->compose(G, g, a->g, U, w->scratch);
    return points_failed(w, st);
}

int lg_point_on_arc(lg_workspace *w, double s, const lg_node *a, const lg_node *b, real *g)
{
    lg_dense d = lg_dense_of(w);
    if (s > 0 && s < 1) return points_at(w, s, a, d.U, g);
    memcpy(g, s > 0 ? b->g : a->g, sz(w->plan->element_size) * sizeof *g);
    return 0;
}

void lg_raise_mean(const lg_workspace *w, real *v, const lg_node *a, const real *p)
{
    const lg_plan *P = w->plan;
    const real *mean_inverse = w->implicit->lagrangian.mean_inverse;
    if (mean_inverse)
        lg_matvec(v, mean_inverse, p, P->n, P->n);
    else
        lg_raise(P, v, a, p);
}

/* o->mean_inverse = (sum_i w_i J(g_i))^-1 and v = that mean times xi. */
int lg_mean_metric(lg_workspace *w, double h, const lg_node *a, const lg_node *b, const real *xi, real *v)
{
    const lg_plan *P = w->plan;
    const lg_lagrangian_scratch *o = &w->implicit->lagrangian;
    lg_dense d = lg_dense_of(w);
    const int nn = P->n * P->n;
    memset(d.J, 0, sz(nn) * sizeof *d.J);
    for (int k = 0; k < P->method.points; k++) {
        const lg_point q = P->method.point[k];
        if (lg_point_on_arc(w, q.s, a, b, o->point)) return 1;
        int code = lg_field_metric(w->field, a->t + q.s * h, o->point, d.M);
        if (code) return lg_workspace_fail_callback(w, code);
        for (int i = 0; i < nn; i++) d.J[i] += q.weight * d.M[i];
    }
    lg_matvec(v, d.J, xi, P->n, P->n);
    if (!lg_all_finite(d.J, nn)) return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "metric");
    lg_status st = lg_spd_inverse(o->mean_inverse, d.J, P->n, d.M);
    return st == LG_OK ? 0 : lg_workspace_fail_status(w, st, "metric");
}

/* f = dL(g, xi) + force = dT(g, xi) - dV(g) + f(t, g, xi). */
static int points_slope(lg_workspace *w, double t, const real *g, const real *xi, real *f)
{
    lg_dense d = lg_dense_of(w);
    const int n = w->plan->n;
    int code = lg_field_metric_gradient(w->field, t, g, xi, f);
    if (!code) code = lg_field_gradient(w->field, t, g, d.x);
    for (int i = 0; !code && i < n; i++) f[i] -= d.x[i];
    if (!code && w->plan->force) code = lg_field_force(w->field, t, g, xi, d.x);
    for (int i = 0; !code && w->plan->force && i < n; i++) f[i] += d.x[i];
    return code ? lg_workspace_fail_callback(w, code) : 0;
}

/* The shares of f at the inner point s. A variation (eta_0, eta_1) of the ends moves it by
 *   Ad_{U^-1} eta_0 + s dexp_{-s y} dexp^-1_{-y} (eta_1 - Ad_{W^-1} eta_0),   U = exp(s y);
 * so q = s (dexp^-1_{-y})^* (dexp_{-s y})^* f goes to S_1 and Ad*_{U^-1} f - Ad*_{W^-1} q to S_0. */
static int points_spread(lg_workspace *w, double s, const lg_node *a, double weight, const real *f, real *S0, real *S1)
{
    const lg_plan *P = w->plan;
    const lg_group *G = P->S->group;
    const lg_retraction *e = lg_retraction_exp();
    const lg_trial *trial = &w->implicit->trial;
    lg_dense d = lg_dense_of(w);
    const int n = P->n;
    for (int i = 0; i < n; i++) d.x[i] = -s * trial->log_W[i], d.half[i] = -trial->log_W[i];
    lg_status st = lg_retraction_dtau_dual_with(e, G, d.v, d.x, f, w->scratch);
    if (st == LG_OK) st = lg_retraction_dtau_inv_dual_with(e, G, d.delta, d.half, d.v, w->scratch);
    if (st != LG_OK) return points_failed(w, st);
    if (points_at(w, -s, a, d.U, NULL) || lg_transport_all(w, d.U, f, d.v)) return 1;
    if (points_at(w, -1, a, d.U, NULL) || lg_transport_all(w, d.U, d.delta, d.x)) return 1;
    for (int i = 0; i < n; i++) {
        S1[i] += weight * s * d.delta[i];
        S0[i] += weight * (d.v[i] - s * d.x[i]);
    }
    return 0;
}

int lg_point_shares(lg_workspace *w, double h, const lg_node *a, const lg_node *b, const real *xi, real *S0, real *S1)
{
    const lg_plan *P = w->plan;
    const lg_lagrangian_scratch *o = &w->implicit->lagrangian;
    lg_dense d = lg_dense_of(w);
    memset(S0, 0, sz(P->n) * sizeof *S0);
    memset(S1, 0, sz(P->n) * sizeof *S1);
    for (int k = 0; k < P->method.points; k++) {
        const lg_point q = P->method.point[k];
        if (lg_point_on_arc(w, q.s, a, b, o->point)) return 1;
        if (points_slope(w, a->t + q.s * h, o->point, xi, d.f)) return 1;
        if (q.s > 0 && q.s < 1) {
            if (points_spread(w, q.s, a, q.weight, d.f, S0, S1)) return 1;
        } else {
            real *S = q.s > 0 ? S1 : S0;
            for (int i = 0; i < P->n; i++) S[i] += q.weight * d.f[i];
        }
    }
    return 0;
}

int lg_truncated_duals(lg_workspace *w, const real *v)
{
    const lg_plan *P = w->plan;
    const lg_group *G = P->S->group;
    const lg_lagrangian_scratch *o = &w->implicit->lagrangian;
    const lg_trial *trial = &w->implicit->trial;
    lg_dense d = lg_dense_of(w);
    lg_status st = lg_retraction_dtau_inv_dual_with(P->retraction, G, o->slope, trial->x, v, w->scratch);
    if (st != LG_OK) return points_failed(w, st);
    for (int i = 0; i < P->n; i++) d.x[i] = -trial->x[i];
    return points_failed(w, lg_retraction_dtau_inv_dual_with(P->retraction, G, trial->impulse, d.x, v, w->scratch));
}
