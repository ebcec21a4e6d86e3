/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner steps from discrete Lagrangians, ours and the user's own, open and closed.
 *   variational: L_d = h sum_i w_i L(g_i, xi),  -D_1 L_d = (dtau^-1_{h xi})^* J xi - h w_0 dL(g_0) - ...,  J = sum_i
 * w_i J(g_i). */
#include <string.h>

#include "base/dense.h"
#include "integrators/scratch.h"

/* d->J = sum_i w_i J(g_i); M is scratch. */
static int mean_metric(lg_work *w, lg_dense *d, const lg_node *a, const lg_node *b, double middle)
{
    const lg_plan *P = w->plan;
    const double weight[3] = {P->w0, P->w1, P->wm}, t[3] = {a->t, b->t, middle};
    const double *g[3] = {a->g, b->g, d->mid};
    int nn = P->n * P->n;
    memset(d->J, 0, (size_t)nn * sizeof *d->J);
    for (int k = 0; k < 3; k++) {
        if (weight[k] == 0) continue;
        int code = lg_field_metric(w->field, t[k], g[k], d->M);
        if (code) return lg_work_fail_callback(w, code);
        for (int i = 0; i < nn; i++) d->J[i] += weight[k] * d->M[i];
    }
    return 0;
}

/* f = dL(g, xi) = dT(g, xi) - dV(g); x is scratch. */
static int lagrangian_slope(lg_work *w, double t, const double *g, const double *xi, double *f, double *x)
{
    int code = lg_field_metric_gradient(w->field, t, g, xi, f);
    if (!code) code = lg_field_gradient(w->field, t, g, x);
    if (code) return lg_work_fail_callback(w, code);
    for (int i = 0; i < w->plan->n; i++) f[i] -= x[i];
    return 0;
}

/* U = exp(log(W)/2), mid = g_0 U. */
static lg_status geodesic_middle(lg_work *w, lg_dense *d, const double *g0)
{
    const lg_group *G = w->plan->S->group;
    lg_status st = G->exp->tau_inv(G, d->half, d->W, w->scratch);
    for (int i = 0; i < G->dim; i++) d->half[i] *= 0.5;
    if (st == LG_OK) st = G->exp->tau(G, d->U, d->half, w->scratch);
    if (st == LG_OK) st = G->compose(G, d->mid, g0, d->U, w->scratch);
    return st;
}

/* The midpoint's share: with B = Ad_{U^-1} a variation of the ends moves the midpoint by
 * eta_m = (1 + B)^-1 (B eta_0 + eta_1), so s = (1 + B^T)^-1 f goes to p^+ as h s and to the residual as -h B^T s. */
static lg_status spread_middle(lg_work *w, lg_dense *d, double h, double *R, double *pp)
{
    const lg_group *G = w->plan->S->group;
    int n = G->dim;
    lg_status st = G->inverse(G, d->U, d->U, w->scratch);
    if (st == LG_OK) st = G->Ad(G, d->D, d->U, w->scratch);
    if (st != LG_OK) return st;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) d->M[i * n + j] = d->D[j * n + i] + (i == j);
    st = lg_lu_factor(d->M, d->pivots, n);
    if (st != LG_OK) return st;
    lg_lu_solve(d->M, d->pivots, n, d->f);
    for (int i = 0; i < n; i++) {
        pp[i] += h * d->f[i];
        for (int j = 0; j < n; j++) R[i] -= h * d->D[j * n + i] * d->f[j];
    }
    return LG_OK;
}

/* The slopes of L at the nodes, added to residual and p^+. */
static int add_slopes(lg_work *w, lg_dense *d, double h, const lg_node *a, lg_node *b, double middle, const double *xi,
                      double *R)
{
    const lg_plan *P = w->plan;
    int n = P->n;
    if (P->w0 > 0) {
        if (lagrangian_slope(w, a->t, a->g, xi, d->f, d->v)) return 1;
        for (int i = 0; i < n; i++) R[i] -= h * P->w0 * d->f[i];
    }
    if (P->w1 > 0) {
        if (lagrangian_slope(w, b->t, b->g, xi, d->f, d->v)) return 1;
        for (int i = 0; i < n; i++) b->pp[i] += h * P->w1 * d->f[i];
    }
    if (P->wm == 0) return 0;
    if (lagrangian_slope(w, middle, d->mid, xi, d->f, d->v)) return 1;
    lg_status st = spread_middle(w, d, h, R, b->pp);
    return st == LG_OK ? 0 : lg_work_fail_status(w, st, "the geodesic midpoint");
}

static int variational_open(lg_work *w, double h, const lg_node *a, const real *pm, const real *xi, lg_node *b, real *R)
{
    const lg_plan *P = w->plan;
    const lg_group *G = P->S->group;
    const lg_retraction *r = P->retraction;
    lg_dense d = lg_dense_of(w);
    double middle = 0.5 * (a->t + b->t);
    int n = P->n;
    for (int i = 0; i < n; i++) d.x[i] = h * xi[i];
    lg_status st = lg_retraction_tau_with(r, G, d.W, d.x, w->scratch);
    if (st == LG_OK) st = G->compose(G, b->g, a->g, d.W, w->scratch);
    if (st == LG_OK && P->wm > 0) st = geodesic_middle(w, &d, a->g);
    if (st != LG_OK) return lg_work_fail_status(w, st, G->name);
    if (mean_metric(w, &d, a, b, middle)) return 1;
    lg_matvec(d.v, d.J, xi, n, n);
    st = lg_retraction_dtau_inv_dual_with(r, G, R, d.x, d.v, w->scratch);
    if (st == LG_OK) st = lg_transport(w, G, r, d.x, d.W, d.v, R, b->pp, d.M);
    if (st != LG_OK) return lg_work_fail_status(w, st, G->name);
    for (int i = 0; i < n; i++) R[i] -= pm[i];
    return add_slopes(w, &d, h, a, b, middle, xi, R);
}

static int user_open(lg_work *w, double h, const lg_node *a, const real *pm, const real *xi, lg_node *b, real *R)
{
    const lg_system *S = w->plan->S;
    const lg_group *G = S->group;
    lg_dense d = lg_dense_of(w);
    lg_call c = {S->context, S->parameter_values, a->t, 1};
    int n = G->dim, code;
    for (int i = 0; i < n; i++) d.x[i] = h * xi[i];
    lg_status st = lg_retraction_tau_with(w->plan->retraction, G, d.W, d.x, w->scratch);
    if (st == LG_OK) st = G->compose(G, b->g, a->g, d.W, w->scratch);
    if (st != LG_OK) return lg_work_fail_status(w, st, G->name);
    memset(R, 0, (size_t)n * sizeof *R);
    memset(b->pp, 0, (size_t)n * sizeof *b->pp);
    w->field->failed = "discrete_slope_1";
    if ((code = S->discrete_slope_1(&c, h, a->g, b->g, R))) return lg_work_fail_callback(w, code);
    w->field->failed = "discrete_slope_2";
    if ((code = S->discrete_slope_2(&c, h, a->g, b->g, b->pp))) return lg_work_fail_callback(w, code);
    for (int i = 0; i < n; i++) R[i] = -R[i] - pm[i];
    return 0;
}

/* ---- closed: factor by factor where the structure allows ---- */

static int variational_closed(lg_work *w, double h, const lg_node *a, const real *pm, lg_node *b)
{
    const lg_plan *P = w->plan;
    b->iterations = 0;
    if (!P->fused) return lg_solve_open(w, h, a, pm, b);
    if (P->potential && P->w0 > 0) {
        for (int i = 0; i < P->n; i++) w->kick[i] = pm[i] - (h * P->w0) * a->dV[i];
        pm = w->kick;
    }
    int most = 0;
    for (const lg_block *f = w->blocks, *end = f + P->factor_count; f < end; f++) {
        int it = f->flow(w, f, h, pm + f->at, b->xi + f->at, a->g + f->gat, b->g + f->gat, b->pp + f->at);
        if (it < 0) return 1;
        if (it > most) most = it;
    }
    b->iterations = most;
    if (!P->potential) return 0;
    if (lg_work_evaluate_gradient(w, b)) return 1;
    if (P->w1 > 0)
        for (int i = 0; i < P->n; i++) b->pp[i] = b->pp[i] - (h * P->w1) * b->dV[i];
    return 0;
}

const lg_inner lg_inner_variational = {"variational", LG_GIVES_SYMMETRIC, 0, variational_closed, variational_open};
const lg_inner lg_inner_user = {"user", 0, LG_NEEDS_SLOPES, lg_solve_open, user_open};
