/* SPDX-License-Identifier: BSD-3-Clause */
/* The free step of discrete Lagrangians, explicit and implicit.
 *   L_d = h sum_i w_i L(g_0 exp(s_i log W), xi),   D = -D_1 L_d = (dtau^-1_{h xi})^* J xi - h S_0,  J = sum_i w_i
 * J(g_i), p^+ = D_2 L_d = Ad*_W (p^- + h S_0) + h S_1, where S_0, S_1 are the shares of the slopes f_i = dT - dV + f at
 * the points (docs/theory.md sections 3 and 7). Steps with more than a constant metric and a potential at the ends are
 * in points.c. */
#include "integrators/steps/variational.h"

#include "integrators/engine/callbacks.h"
#include "integrators/engine/compensation.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/sized.h"

/* ---- explicit: factor by factor where the structure allows ---- */

/* out = p - s dV; out may be p. */
KERNEL int variational_kick(int n, real *out, const real *p, duration s, const real *dV)
{
    for (int i = 0; i < n; i++) out[i] = p[i] - s * dV[i];
    return 0;
}

/* dp + rest -= s dV. */
KERNEL int variational_kick_twice(int n, real *dp, real *rest, duration s, const real *dV)
{
    for (int i = 0; i < n; i++) {
        real x, e, low;
        exact_product(&x, &e, splat(s), dV[i]);
        exact_sum(&dp[i], &low, dp[i], -x);
        rest[i] = rest[i] + (low - e);
    }
    return 0;
}

/* The step with twice the digits of the state, after b->xi: p^+ = p^- + (-w_0 h dV_0 + (Ad*_W - 1) p - w_1 h
 * dV_1), where p is p^- after its kick. */
static int variational_compensated(lg_workspace *w, duration h, const lg_node *a, const real *p_minus, const real *p,
                                   lg_node *b)
{
    const lg_plan *P = w->plan;
    real *dp, *rest = w->vector;
    if (lg_compensated_flow(w, h, a, p, b, &dp)) return 1;
    for (int i = 0; i < P->n; i++) rest[i] = a->carry[P->element_size + i];
    if (P->potential) {
        if (P->w0 > 0) (void)LG_SIZED_COLUMNS(P->n, variational_kick_twice, dp, rest, h * P->w0, a->gradient);
        if (lg_node_evaluate_gradient(w, b)) return 1;
        if (P->w1 > 0) (void)LG_SIZED_COLUMNS(P->n, variational_kick_twice, dp, rest, h * P->w1, b->gradient);
    }
    lg_compensated_push(P, rest, p_minus, dp, b, b->p_plus);
    return 0;
}

static int variational_explicit(lg_workspace *w, duration h, const lg_node *a, const real *p_minus, lg_node *b)
{
    const lg_plan *P = w->plan;
    const real *p = p_minus;
    if (P->potential && P->w0 > 0) { /* p = p^- - w_0 h dV_0 */
        (void)LG_SIZED_COLUMNS(P->n, variational_kick, w->kicked, p_minus, h * P->w0, a->gradient);
        p = w->kicked;
    }
    int most = 0;
    w->flow_iterations = splat(0);
    for (const lg_block *f = w->blocks, *end = f + P->flow_count; f < end; f++) { /* xi, g_1, p^+ = Ad*_W p */
        int it = f->flow(w, f, h, p + f->offset, b->xi + f->offset, a->g + f->element_offset, b->g + f->element_offset,
                         b->p_plus + f->offset);
        if (it < 0) return 1;
        if (it > most) most = it;
    }
    b->iterations = LANES == 1 ? splat(most) : w->flow_iterations;
    if (P->compensated) return variational_compensated(w, h, a, p_minus, p, b);
    if (!P->potential) return 0;
    if (lg_node_evaluate_gradient(w, b)) return 1;
    if (!(P->w1 > 0)) return 0; /* p^+ <- p^+ - w_1 h dV_1 */
    return LG_SIZED_COLUMNS(P->n, variational_kick, b->p_plus, b->p_plus, h * P->w1, b->gradient);
}

/* ---- implicit ---- */

int lg_variational_advance(lg_workspace *w, duration h, const lg_node *a, const real *xi, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_trial *trial = &w->implicit->trial;
    for (int i = 0; i < P->n; i++) trial->x[i] = h * xi[i];
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (f->table->advance(w, f, trial->x + f->offset, a->g + f->element_offset, trial->W + f->element_offset,
                              b->g + f->element_offset, trial->scale + k))
            return 1;
    }
    return P->geodesics ? LG_SMOOTH_CALL(lg_arc_logarithm(w)) : 0;
}

/* D = (dtau^-1_x)^* v; for a truncated series also c = (dtau^-1_{-x})^* v, which keeps the step symmetric. */
static int variational_duals(lg_workspace *w, const real *v)
{
    const lg_plan *P = w->plan;
    const lg_trial *trial = &w->implicit->trial;
    real *D = w->implicit->lagrangian.slope;
    if (!trial->transported) return LG_AT_WIDTH_1(lg_truncated_duals(w, v));
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (f->table->dual(w, f, trial->x + f->offset, v + f->offset, D + f->offset)) return 1;
    }
    return 0;
}

/* S_0 and S_1 for a potential alone, evaluated at the nodes. */
static int variational_end_shares(lg_workspace *w, duration h, const lg_node *a, const lg_node *b, real *S0, real *S1)
{
    const lg_plan *P = w->plan;
    real *dV = w->implicit->lagrangian.gradient;
    for (int k = 0; k < P->method.points; k++) {
        const lg_point q = P->method.point[k];
        const real t = a->t + q.s * h;
        real *S = q.s > 0 ? S1 : S0;
        if (lg_evaluate(w, LG_CALLBACK_GRADIENT, &t, q.s > 0 ? b->g : a->g, NULL, dV, P->n)) return 1;
        for (int i = 0; i < P->n; i++) S[i] = S[i] + q.weight * (splat(0) - dV[i]);
    }
    return 0;
}

static int variational_shares(lg_workspace *w, duration h, const lg_node *a, const lg_node *b, const real *xi, real *S0,
                              real *S1)
{
    const lg_plan *P = w->plan;
    (void)xi;
    for (int i = 0; i < P->n; i++) S0[i] = S1[i] = splat(0);
    if (!P->constant_metric || P->force || P->geodesics) return LG_SMOOTH_CALL(lg_point_shares(w, h, a, b, xi, S0, S1));
    return P->potential ? variational_end_shares(w, h, a, b, S0, S1) : 0;
}

static int variational_trial(lg_workspace *w, duration h, const lg_node *a, const real *xi, lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_trial *trial = &w->implicit->trial;
    const lg_lagrangian_scratch *o = &w->implicit->lagrangian;
    real *c = trial->impulse, *D = o->slope;
    const real *S0 = o->share_0, *S1 = o->share_1;
    trial->transported = P->exact_tangent;
    if (lg_variational_advance(w, h, a, xi, b)) return 1; /* W = tau(h xi), g_1 = g_0 W */
    if (P->constant_metric)
        lg_lower(P, o->momentum, a, xi);
    else if (LG_SMOOTH_CALL(lg_mean_metric(w, h, a, b, xi, o->momentum)))
        return 1;
    if (variational_duals(w, o->momentum)) return 1;                                  /* D */
    if (variational_shares(w, h, a, b, xi, o->share_0, o->share_1)) return 1;         /* S_0, S_1 */
    if (trial->transported && lg_transport_all(w, trial->W, o->share_0, c)) return 1; /* Ad*_W S_0 */
    for (int i = 0; i < P->n; i++) {
        D[i] = D[i] - h * S0[i];
        c[i] = trial->transported ? h * (c[i] + S1[i]) : c[i] + h * S1[i];
    }
    return 0;
}

static void variational_raise_mean(const lg_workspace *w, real *v, const lg_node *a, const real *p)
{
#if LG_IS_SMOOTH
    lg_raise_mean(w, v, a, p);
#else
    lg_raise(w->plan, v, a, p);
#endif
}

/* R = J^-1 (D - p^-). */
int lg_variational_residual(lg_workspace *w, duration h, const lg_node *a, const real *xi, lg_node *b, real *R)
{
    lg_trial *trial = &w->implicit->trial;
    const int n = w->plan->n;
    (void)h, (void)xi, (void)b;
    variational_raise_mean(w, trial->v_plus, a, w->implicit->lagrangian.slope);
    variational_raise_mean(w, trial->v_minus, a, trial->p_minus);
    for (int i = 0; i < n; i++) {
        const real size = magnitude(trial->v_plus[i]) + magnitude(trial->v_minus[i]);
        trial->size = sel(size > trial->size, size, trial->size);
        R[i] = trial->v_plus[i] - trial->v_minus[i];
    }
    return 0;
}

LG_ENGINE const lg_free_step lg_free_step_variational = {.name = "variational",
                                                         .gives = LG_CAN_POSITION | LG_CAN_CONSTRAIN,
                                                         .wide = LG_WIDE_EXPLICIT | LG_WIDE_IMPLICIT |
                                                                 LG_WIDE_POTENTIAL_ONLY | LG_WIDE_TANGENT,
                                                         .acts = LG_ACTS_AT_POINTS,
                                                         .advance = variational_explicit,
                                                         .trial = variational_trial,
                                                         .residual = lg_variational_residual};
