/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner step from discrete Lagrangians, closed and open.
 *   L_d = h sum_i w_i L(g_0 exp(s_i log W), xi),   -D_1 L_d = (dtau^-1_{h xi})^* J xi - h S_0,  J = sum_i w_i J(g_i),
 *   p^+ = D_2 L_d = Ad*_W (p^- + h S_0) + h S_1,
 * where S_0, S_1 are the shares of the slopes f_i = dT - dV + f at the points (docs/theory.md sections 3 and 7). What
 * needs more than a constant metric and a potential at the ends is in points.c. */
#include "integrators/engine/engine.h"
#include "integrators/engine/sized.h"

/* b->g = g_0 W, W = tau(h xi), and y = log W where there are inner points. */
int lg_variational_advance(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    for (int i = 0; i < P->n; i++) o->x[i] = h * xi[i];
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (w->arcs[k]->advance(w, f, o->x + f->offset, a->g + f->element_offset, o->W + f->element_offset,
                                b->g + f->element_offset, o->k + k))
            return 1;
    }
    return LANES == 1 && P->geodesics ? LG_AT_WIDTH_1(lg_arc_logarithm(w)) : 0;
}

/* D = (dtau^-1_x)^* v; of a truncated series, c = (dtau^-1_{-x})^* v too: it keeps the step symmetric that way. */
static int duals(lg_workspace *w, const real *v)
{
    const lg_plan *P = w->plan;
    const lg_implicit *o = w->implicit;
    if (!o->transported) return LG_AT_WIDTH_1(lg_truncated_duals(w, v));
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (w->arcs[k]->dual(w, f, o->x + f->offset, v + f->offset, o->D + f->offset)) return 1;
    }
    return 0;
}

/* S_0 and S_1 where there is no more than a potential, asked for at the nodes. */
static int end_shares(lg_workspace *w, double h, const lg_node *a, const lg_node *b, real *S0, real *S1)
{
    const lg_plan *P = w->plan;
    real *dV = w->implicit->step;
    for (int k = 0; k < P->method.points; k++) {
        const lg_point q = P->method.point[k];
        const real t = a->t + q.s * h;
        real *S = q.s > 0 ? S1 : S0;
        if (lg_evaluate(w, LG_CALLBACK_GRADIENT, &t, q.s > 0 ? b->g : a->g, NULL, dV, P->n)) return 1;
        for (int i = 0; i < P->n; i++) S[i] = S[i] + q.weight * (splat(0) - dV[i]);
    }
    return 0;
}

static int shares(lg_workspace *w, double h, const lg_node *a, const lg_node *b, const real *xi, real *S0, real *S1)
{
    const lg_plan *P = w->plan;
    (void)xi;
    for (int i = 0; i < P->n; i++) S0[i] = S1[i] = splat(0);
    if (!P->constant_metric || P->force || P->geodesics) return LG_AT_WIDTH_1(lg_point_shares(w, h, a, b, xi, S0, S1));
    return P->potential ? end_shares(w, h, a, b, S0, S1) : 0;
}

static int variational_implicit(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const int n = P->n;
    real *S0 = o->f, *S1 = o->f1, *v = o->step;
    o->transported = P->exact_tangent;
    if (lg_variational_advance(w, h, a, xi, b)) return 1;
    if (P->constant_metric)
        lg_lower(P, v, a, xi);
    else if (LG_AT_WIDTH_1(lg_mean_metric(w, h, a, b, xi, v)))
        return 1;
    if (duals(w, v)) return 1;
    if (shares(w, h, a, b, xi, S0, S1)) return 1;
    if (o->transported && lg_transport_all(w, o->W, S0, o->c)) return 1;
    for (int i = 0; i < n; i++) {
        o->D[i] = o->D[i] - h * S0[i];
        o->c[i] = o->transported ? h * (o->c[i] + S1[i]) : o->c[i] + h * S1[i];
    }
    return 0;
}

static void raise_mean(const lg_workspace *w, real *v, const lg_node *a, const real *p)
{
#if LANES == 1
    lg_raise_mean(w, v, a, p);
#else
    lg_raise(w->plan, v, a, p);
#endif
}

/* R = J^-1 (-D_1 L_d - p^-). */
int lg_variational_target(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b, real *R)
{
    lg_implicit *o = w->implicit;
    const int n = w->plan->n;
    (void)h, (void)xi, (void)b;
    raise_mean(w, o->f, a, o->D);
    raise_mean(w, R, a, o->p_minus);
    for (int i = 0; i < n; i++) {
        const real size = magnitude(o->f[i]) + magnitude(R[i]);
        o->size = sel(size > o->size, size, o->size);
        R[i] = o->f[i] - R[i];
    }
    return 0;
}

/* ---- closed: factor by factor where the structure allows ---- */

/* out = p - s dV; out may be p. */
KERNEL int kick(int n, real *out, const real *p, double s, const real *dV)
{
    for (int i = 0; i < n; i++) out[i] = p[i] - s * dV[i];
    return 0;
}

static int variational_explicit(lg_workspace *w, double h, const lg_node *a, const real *p_minus, lg_node *b)
{
    const lg_plan *P = w->plan;
    b->iterations = splat(0);
    if (!P->fused) return lg_solve_implicit(w, h, a, p_minus, b);
    if (P->potential && P->w0 > 0) {
        (void)LG_SIZED_COLUMNS(P->n, kick, w->kick, p_minus, h * P->w0, a->dV);
        p_minus = w->kick;
    }
    int most = 0;
    w->newton = splat(0);
    for (const lg_block *f = w->blocks, *end = f + P->flow_count; f < end; f++) {
        int it = f->flow(w, f, h, p_minus + f->offset, b->xi + f->offset, a->g + f->element_offset,
                         b->g + f->element_offset, b->p_plus + f->offset);
        if (it < 0) return 1;
        if (it > most) most = it;
    }
    b->iterations = LANES == 1 ? splat(most) : w->newton;
    if (!P->potential) return 0;
    if (lg_workspace_evaluate_gradient(w, b)) return 1;
    return P->w1 > 0 ? LG_SIZED_COLUMNS(P->n, kick, b->p_plus, b->p_plus, h * P->w1, b->dV) : 0;
}

const lg_inner lg_inner_variational = {"variational",
                                       LG_GIVES_SYMMETRIC | LG_CAN_POSITION | LG_CAN_CONSTRAIN,
                                       0,
                                       variational_explicit,
                                       variational_implicit,
                                       lg_variational_target};
