/* SPDX-License-Identifier: BSD-3-Clause */
/* What variational steps need beyond a constant metric and a potential at the nodes, at width 1: metrics, forces and
 * points along the arc (docs/theory.md section 7), and the user's own discrete Lagrangian. */
#include <string.h>

#include "base/dense.h"
#include "integrators/engine/scratch.h"

static int failed(lg_workspace *w, lg_status st)
{
    return st == LG_OK ? 0 : lg_workspace_fail_status(w, st, w->plan->S->group->name);
}

int lg_arc_logarithm(lg_workspace *w)
{
    const lg_group *G = w->plan->S->group;
    return failed(w, G->exp->tau_inv(G, w->implicit->y, w->implicit->W, w->scratch));
}

/* U = exp(s y) and g = g_0 U. */
static int point(lg_workspace *w, double s, const lg_node *a, real *U, real *g)
{
    const lg_plan *P = w->plan;
    const lg_group *G = P->S->group;
    lg_implicit *o = w->implicit;
    for (int i = 0; i < P->n; i++) o->step[i] = s * o->y[i];
    lg_status st = G->exp->tau(G, U, o->step, w->scratch);
    if (st == LG_OK && g) st = G->compose(G, g, a->g, U, w->scratch);
    return failed(w, st);
}

int lg_point_on_arc(lg_workspace *w, double s, const lg_node *a, const lg_node *b, real *g)
{
    lg_dense d = lg_dense_of(w);
    if (s > 0 && s < 1) return point(w, s, a, d.U, g);
    memcpy(g, s > 0 ? b->g : a->g, sz(w->plan->element_size) * sizeof *g);
    return 0;
}

void lg_raise_mean(const lg_workspace *w, real *v, const lg_node *a, const real *p)
{
    const lg_plan *P = w->plan;
    if (w->implicit->Jm && P->method.inner == &lg_inner_variational)
        lg_matvec(v, w->implicit->Jm, p, P->n, P->n);
    else
        lg_raise(P, v, a, p);
}

/* o->Jm = (sum_i w_i J(g_i))^-1 and v = that mean times xi. */
int lg_mean_metric(lg_workspace *w, double h, const lg_node *a, const lg_node *b, const real *xi, real *v)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    lg_dense d = lg_dense_of(w);
    const int nn = P->n * P->n;
    memset(d.J, 0, sz(nn) * sizeof *d.J);
    for (int k = 0; k < P->method.points; k++) {
        const lg_point q = P->method.point[k];
        if (lg_point_on_arc(w, q.s, a, b, o->mid)) return 1;
        int code = lg_field_metric(w->field, a->t + q.s * h, o->mid, d.M);
        if (code) return lg_workspace_fail_callback(w, code);
        for (int i = 0; i < nn; i++) d.J[i] += q.weight * d.M[i];
    }
    lg_matvec(v, d.J, xi, P->n, P->n);
    if (!lg_all_finite(d.J, nn)) return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "metric");
    lg_status st = lg_spd_inverse(o->Jm, d.J, P->n, d.M);
    return st == LG_OK ? 0 : lg_workspace_fail_status(w, st, "metric");
}

/* f = dL(g, xi) + force = dT(g, xi) - dV(g) + f(t, g, xi). */
static int slope(lg_workspace *w, double t, const real *g, const real *xi, real *f)
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
static int spread(lg_workspace *w, double s, const lg_node *a, double weight, const real *f, real *S0, real *S1)
{
    const lg_plan *P = w->plan;
    const lg_group *G = P->S->group;
    const lg_retraction *e = lg_retraction_exp();
    lg_implicit *o = w->implicit;
    lg_dense d = lg_dense_of(w);
    const int n = P->n;
    for (int i = 0; i < n; i++) d.x[i] = -s * o->y[i], d.half[i] = -o->y[i];
    lg_status st = lg_retraction_dtau_dual_with(e, G, d.v, d.x, f, w->scratch);
    if (st == LG_OK) st = lg_retraction_dtau_inv_dual_with(e, G, d.delta, d.half, d.v, w->scratch);
    if (st != LG_OK) return failed(w, st);
    if (point(w, -s, a, d.U, NULL) || lg_transport_all(w, d.U, f, d.v)) return 1;
    if (point(w, -1, a, d.U, NULL) || lg_transport_all(w, d.U, d.delta, d.x)) return 1;
    for (int i = 0; i < n; i++) {
        S1[i] += weight * s * d.delta[i];
        S0[i] += weight * (d.v[i] - s * d.x[i]);
    }
    return 0;
}

int lg_point_shares(lg_workspace *w, double h, const lg_node *a, const lg_node *b, const real *xi, real *S0, real *S1)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    lg_dense d = lg_dense_of(w);
    memset(S0, 0, sz(P->n) * sizeof *S0);
    memset(S1, 0, sz(P->n) * sizeof *S1);
    for (int k = 0; k < P->method.points; k++) {
        const lg_point q = P->method.point[k];
        if (lg_point_on_arc(w, q.s, a, b, o->mid)) return 1;
        if (slope(w, a->t + q.s * h, o->mid, xi, d.f)) return 1;
        if (q.s > 0 && q.s < 1) {
            if (spread(w, q.s, a, q.weight, d.f, S0, S1)) return 1;
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
    lg_implicit *o = w->implicit;
    lg_dense d = lg_dense_of(w);
    lg_status st = lg_retraction_dtau_inv_dual_with(P->retraction, G, o->D, o->x, v, w->scratch);
    if (st != LG_OK) return failed(w, st);
    for (int i = 0; i < P->n; i++) d.x[i] = -o->x[i];
    return failed(w, lg_retraction_dtau_inv_dual_with(P->retraction, G, o->c, d.x, v, w->scratch));
}

/* Forces beside a discrete Lagrangian of the user's own act at both ends, half each. */
static int user_force(lg_workspace *w, double h, const lg_node *a, const real *xi, const lg_node *b)
{
    lg_implicit *o = w->implicit;
    const int n = w->plan->n;
    if (!w->plan->force) return 0;
    int code = lg_field_force(w->field, a->t, a->g, xi, o->f);
    if (!code) code = lg_field_force(w->field, b->t, b->g, xi, o->f1);
    for (int i = 0; i < n; i++) o->D[i] -= 0.5 * h * o->f[i], o->c[i] += 0.5 * h * o->f1[i];
    return code ? lg_workspace_fail_callback(w, code) : 0;
}

static int user_implicit(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_system *S = P->S;
    lg_implicit *o = w->implicit;
    lg_call c = lg_field_call(w->field, &a->t);
    const int n = P->n;
    int code;
    o->transported = 0;
    if (lg_variational_advance(w, h, a, xi, b)) return 1;
    memset(o->D, 0, sz(n) * sizeof *o->D);
    memset(o->c, 0, sz(n) * sizeof *o->c);
    w->field->failed = "discrete_slope_1";
    if ((code = S->callbacks.discrete_slope_1(&c, h, a->g, b->g, o->D))) return lg_workspace_fail_callback(w, code);
    w->field->failed = "discrete_slope_2";
    if ((code = S->callbacks.discrete_slope_2(&c, h, a->g, b->g, o->c))) return lg_workspace_fail_callback(w, code);
    for (int i = 0; i < n; i++) o->D[i] = -o->D[i];
    return user_force(w, h, a, xi, b);
}

const lg_inner lg_inner_user = {"user",
                                LG_CAN_POSITION | LG_CAN_CONSTRAIN,
                                LG_NEEDS_SLOPES | LG_NEEDS_SOLVER,
                                lg_solve_implicit,
                                user_implicit,
                                lg_variational_target};
