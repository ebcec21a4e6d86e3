/* SPDX-License-Identifier: BSD-3-Clause */
/* Variational steps with more than a constant metric and a potential at the nodes: metrics, forces and points along the
 * arc (docs/theory.md section 7). At width 1 by the descriptors of group and exponential; in numbers that carry
 * derivatives, where tau is geodesic, by the factors. */
#include "integrators/steps/variational.h"

#include <string.h>

#include "base/dense.h"
#include "base/small.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/scratch.h"
#include "integrators/engine/workspace.h"
#include "integrators/steps/quadrature.h"
#include "retractions/retraction.h"

/* ---- the exponential, and metrics ---- */

#if LANES == 1

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

/* out = (dexp^-1_{-y})^* (dexp_{-s y})^* f, y = log W. */
static int points_bring(lg_workspace *w, double s, const real *f, real *out)
{
    const lg_group *G = w->plan->S->group;
    const lg_retraction *e = lg_retraction_exp();
    const lg_trial *trial = &w->implicit->trial;
    lg_dense d = lg_dense_of(w);
    for (int i = 0; i < w->plan->n; i++) d.x[i] = -s * trial->log_W[i], d.half[i] = -trial->log_W[i];
    lg_status st = lg_retraction_dtau_dual_with(e, G, d.v, d.x, f, w->scratch);
    if (st == LG_OK) st = lg_retraction_dtau_inv_dual_with(e, G, out, d.half, d.v, w->scratch);
    return points_failed(w, st);
}

static int points_invert(lg_workspace *w, real *Jinv, const real *J, real *scratch)
{
    const int n = w->plan->n;
    if (!lg_all_finite(J, n * n)) return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "metric");
    lg_status st = lg_spd_inverse(Jinv, J, n, scratch);
    return st == LG_OK ? 0 : lg_workspace_fail_status(w, st, "metric");
}

static void points_apply(int n, real *v, const real *M, const real *x)
{
    lg_matvec(v, M, x, n, n);
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

#else

int lg_arc_logarithm(lg_workspace *w)
{
    const lg_trial *trial = &w->implicit->trial;
    for (int k = 0; k < w->plan->factor_count; k++) {
        const lg_factor_plan *f = &w->plan->factors[k];
        for (int i = f->offset; i < f->offset + f->n; i++) trial->log_W[i] = trial->scale[k] * trial->x[i];
    }
    return 0;
}

/* U = exp(s y) and g = g_0 U; g may be NULL. */
static int points_at(lg_workspace *w, double s, const lg_node *a, real *U, real *g)
{
    const lg_plan *P = w->plan;
    const lg_quadrature_node node = {s, 1};
    real *to = g ? g : lg_dense_of(w).W;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        const int at = f->element_offset;
        if (f->table->points(w, f, &node, 1, w->implicit->trial.log_W + f->offset, a->g + at, U + at, to + at, 0))
            return 1;
    }
    return 0;
}

/* out = (dexp^-1_{-y})^* (dexp_{-s y})^* f, y = log W, with dexp as the inverse of its inverse. */
static int points_bring(lg_workspace *w, double s, const real *f, real *out)
{
    const lg_plan *P = w->plan;
    lg_dense d = lg_dense_of(w);
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *of = &P->factors[k];
        const lg_factor *e = lg_factor_choose(of->group, lg_retraction_exp());
        const int n = of->n, at = of->offset;
        const real *y = w->implicit->trial.log_W + at;
        for (int i = 0; i < n; i++) d.x[i] = -s * y[i], d.half[i] = -y[i], d.v[i] = f[at + i];
        for (int j = 0; !of->group->abelian && j < n; j++) {
            for (int i = 0; i < n; i++) d.trial[i] = splat(i == j);
            if (e->dual(w, of, d.x, d.trial, d.W)) return 1;
            for (int i = 0; i < n; i++) d.D[i * n + j] = d.W[i];
        }
        if (!of->group->abelian) small_solve(n, d.D, d.v);
        if (e->dual(w, of, d.half, d.v, out + at)) return 1;
    }
    return 0;
}

static int points_invert(lg_workspace *w, real *Jinv, const real *J, real *)
{
    return lg_invert_metric(w, Jinv, J);
}

static void points_apply(int n, real *v, const real *M, const real *x)
{
    small_apply(n, 0, v, M, x);
}

#endif

/* ---- points ---- */

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
        points_apply(P->n, v, mean_inverse, p);
    else
        lg_raise(P, v, a, p);
}

/* o->mean_inverse = (sum_i w_i J(g_i))^-1 and v = that mean times xi. */
int lg_mean_metric(lg_workspace *w, duration h, const lg_node *a, const lg_node *b, const real *xi, real *v)
{
    const lg_plan *P = w->plan;
    const lg_lagrangian_scratch *o = &w->implicit->lagrangian;
    lg_dense d = lg_dense_of(w);
    const int nn = P->n * P->n;
    for (int i = 0; i < nn; i++) d.J[i] = splat(0);
    for (int k = 0; k < P->method.points; k++) {
        const lg_point q = P->method.point[k];
        if (lg_point_on_arc(w, q.s, a, b, o->point)) return 1;
        const real t = a->t + q.s * h;
        if (lg_evaluate(w, LG_CALLBACK_METRIC, &t, o->point, NULL, d.M, nn)) return 1;
        for (int i = 0; i < nn; i++) d.J[i] += q.weight * d.M[i];
    }
    points_apply(P->n, v, d.J, xi);
    return points_invert(w, o->mean_inverse, d.J, d.M);
}

/* f = dL(g, xi) + force = dT(g, xi) - dV(g) + f(t, g, xi). */
static int points_slope(lg_workspace *w, const real *t, const real *g, const real *xi, real *f)
{
    const lg_plan *P = w->plan;
    lg_dense d = lg_dense_of(w);
    const int n = P->n;
    for (int i = 0; P->constant_metric && i < n; i++) f[i] = splat(0);
    if (!P->constant_metric && lg_evaluate(w, LG_CALLBACK_METRIC_GRADIENT, t, g, xi, f, n)) return 1;
    if (P->potential && lg_evaluate(w, LG_CALLBACK_GRADIENT, t, g, NULL, d.x, n)) return 1;
    for (int i = 0; P->potential && i < n; i++) f[i] -= d.x[i];
    if (P->force && lg_evaluate(w, LG_CALLBACK_FORCE, t, g, xi, d.x, n)) return 1;
    for (int i = 0; P->force && i < n; i++) f[i] += d.x[i];
    return 0;
}

/* The shares of f at the inner point s. A variation (eta_0, eta_1) of the ends moves it by
 *   Ad_{U^-1} eta_0 + s dexp_{-s y} dexp^-1_{-y} (eta_1 - Ad_{W^-1} eta_0),   U = exp(s y);
 * so q = s (dexp^-1_{-y})^* (dexp_{-s y})^* f goes to S_1 and Ad*_{U^-1} f - Ad*_{W^-1} q to S_0. */
static int points_spread(lg_workspace *w, double s, const lg_node *a, double weight, const real *f, real *S0, real *S1)
{
    lg_dense d = lg_dense_of(w);
    const int n = w->plan->n;
    if (points_bring(w, s, f, d.delta)) return 1;
    if (points_at(w, -s, a, d.U, NULL) || lg_transport_all(w, d.U, f, d.v)) return 1;
    if (points_at(w, -1, a, d.U, NULL) || lg_transport_all(w, d.U, d.delta, d.x)) return 1;
    for (int i = 0; i < n; i++) {
        S1[i] += weight * s * d.delta[i];
        S0[i] += weight * (d.v[i] - s * d.x[i]);
    }
    return 0;
}

int lg_point_shares(lg_workspace *w, duration h, const lg_node *a, const lg_node *b, const real *xi, real *S0, real *S1)
{
    const lg_plan *P = w->plan;
    const lg_lagrangian_scratch *o = &w->implicit->lagrangian;
    lg_dense d = lg_dense_of(w);
    for (int i = 0; i < P->n; i++) S0[i] = S1[i] = splat(0);
    for (int k = 0; k < P->method.points; k++) {
        const lg_point q = P->method.point[k];
        if (lg_point_on_arc(w, q.s, a, b, o->point)) return 1;
        const real t = a->t + q.s * h;
        if (points_slope(w, &t, o->point, xi, d.f)) return 1;
        if (q.s > 0 && q.s < 1) {
            if (points_spread(w, q.s, a, q.weight, d.f, S0, S1)) return 1;
        } else {
            real *S = q.s > 0 ? S1 : S0;
            for (int i = 0; i < P->n; i++) S[i] += q.weight * d.f[i];
        }
    }
    return 0;
}
