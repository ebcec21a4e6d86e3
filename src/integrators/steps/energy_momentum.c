/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy-momentum step along geodesic arcs (docs/theory.md section 6), W_i = exp(c_i y), y = log tau(h xi) = k h
 * xi: p^+ = Ad*_W p^- - h sum_i w_i Ad*_{R_i} k* [dV - dT(., v_b) + dT(., (v^+ - v^-)/2)](g_0 W_i) + h Ad*_{W_1/2} f,
 *   xi = (J_0^-1 p^- + J_1^-1 p^+)/2 + u,   R_i = exp((1 - c_i) y) = W_{NG-1-i} by the nodes' symmetry.
 * The arguments of dT and u come from the evaluation before: at the solution they agree. */
#include "integrators/engine/engine.h"
#include "integrators/steps/gauss.h"
#include "integrators/engine/sized.h"

#include "base/differences.h"
#include "base/small.h"

/* U_i = exp(c_i y) and g_0 U_i at `count` nodes. */
static int arc_points(lg_workspace *w, const lg_gauss *c, int count, const lg_node *a)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (w->arcs[k]->points(w, f, c, count, o->y + f->offset, a->g + f->element_offset, o->U + f->element_offset,
                               o->points + f->element_offset, P->element_size))
            return 1;
    }
    return 0;
}

/* out += s q. */
KERNEL int accumulate(int n, real *restrict out, real s, const real *restrict q)
{
    for (int j = 0; j < n; j++) out[j] = out[j] + s * q[j];
    return 0;
}

/* out += s q in some lanes. */
KERNEL int accumulate_some(int n, real *restrict out, real s, const real *restrict q, mask some)
{
    for (int j = 0; j < n; j++) out[j] = sel(some, out[j] + s * q[j], out[j]);
    return 0;
}

/* Where p is not zero; at width 1 the first number that is not decides. */
KERNEL mask not_zero(const real *p, int n)
{
    mask some = p[0] != 0.0;
    for (int i = 1; i < n && !(LANES == 1 && any(some)); i++) some = either(some, p[i] != 0.0);
    return some;
}

/* out += s k* sum_i w_i Ad*_{R_i} p_i over `count` nodes, R_i = U_{count - 1 - i}; weights NULL: 1, k only if scaled.
 */
static int gather(lg_workspace *w, real *out, double s, const lg_gauss *weights, int count, const real *p,
                  const real *U, int scaled)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const int n = P->n, element_size = P->element_size;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        const real factor = scaled ? s * o->k[k] : splat(s);
        for (int i = 0; i < count; i++) {
            const real *q = p + i * n + f->offset, scale = weights ? factor * weights[i].w : factor;
            if (f->group->abelian) {
                (void)LG_SIZED_COLUMNS(f->n, accumulate, out + f->offset, scale, q);
                continue;
            }
            const mask some = not_zero(q, f->n);
            if (!any(some)) continue; /* gravity on the attitude, for example */
            if (w->arcs[k]->transport(w, f, U + (count - 1 - i) * element_size + f->element_offset, q, o->f1)) return 1;
            (void)LG_SIZED_COLUMNS(f->n, accumulate_some, out + f->offset, scale, o->f1, some);
        }
    }
    return 0;
}

/* G = dV - dT(g, v_b) + dT(g, dv) at a point of the arc. */
static int arc_force(lg_workspace *w, real t, const real *g, real *G)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const int n = P->n;
    if (lg_evaluate(w, LG_CALLBACK_GRADIENT, &t, g, NULL, G, n)) return 1;
    if (P->constant_metric) return 0;
    for (int i = 0; i < n; i++) o->f[i] = o->xi[i] - (P->holonomic ? o->u[i] : splat(0));
    if (lg_evaluate(w, LG_CALLBACK_METRIC_GRADIENT, &t, g, o->f, o->f1, n)) return 1;
    for (int i = 0; i < n; i++) G[i] = G[i] - o->f1[i];
    if (lg_evaluate(w, LG_CALLBACK_METRIC_GRADIENT, &t, g, o->dv, o->f1, n)) return 1;
    for (int i = 0; i < n; i++) G[i] = G[i] + o->f1[i];
    return 0;
}

/* Gb += w k* d phi, G1 += w Ad*_R k* d phi at one node. */
static int add_positions(lg_workspace *w, real t, double weight, const real *g, const real *R)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const int n = P->n;
    if (lg_evaluate(w, LG_CALLBACK_HOLONOMIC_ROWS, &t, g, NULL, o->GJ0, P->holonomic * n))
        return 1; /* scratch until connect */
    for (int r = 0; r < P->holonomic; r++) {
        real *row = o->GJ0 + r * n;
        for (int k = 0; k < P->factor_count; k++)
            for (int i = P->factors[k].offset; i < P->factors[k].offset + P->factors[k].n; i++)
                o->Gb[r * n + i] = o->Gb[r * n + i] + weight * o->k[k] * row[i];
        if (gather(w, o->G1 + r * n, weight, NULL, 1, row, R, 1)) return 1;
    }
    return 0;
}

/* The quadrature along the arc. */
static int arcs(lg_workspace *w, double h, const lg_node *a)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const int gauss = P->method.gauss, element_size = P->element_size;
    const lg_gauss *node = lg_gauss_nodes[gauss - 1];
    if (arc_points(w, node, gauss, a)) return 1;
    for (int i = 0; i < P->holonomic * P->n; i++) o->Gb[i] = o->G1[i] = splat(0);
    for (int i = 0; i < gauss; i++) {
        const real t = a->t + node[i].c * h;
        if ((P->potential || !P->constant_metric) && arc_force(w, t, o->points + i * element_size, o->G + i * P->n))
            return 1;
        if (P->holonomic &&
            add_positions(w, t, node[i].w, o->points + i * element_size, o->U + (gauss - 1 - i) * element_size))
            return 1;
    }
    if (!P->potential && P->constant_metric) return 0;
    return gather(w, o->c, -h, node, gauss, o->G, o->U, 1);
}

/* The force at the geodesic midpoint and at xi: its work is h <f, xi> exactly. */
static int push_force(lg_workspace *w, double h, const lg_node *a)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    if (arc_points(w, lg_gauss_nodes[0], 1, a)) return 1; /* the nodes before are no longer needed */
    const real t = a->t + 0.5 * h;
    if (lg_evaluate(w, LG_CALLBACK_FORCE, &t, o->points, o->xi, o->f, P->n)) return 1;
    o->fxi = h * small_dot(P->n, o->f, o->xi);
    return gather(w, o->c, h, NULL, 1, o->f, o->U, 0);
}

/* V and dV at both ends: those of the nodes, or at the middle's time where V may depend on t, lest its change in time
 * count as a force. */
static int end_potentials(lg_workspace *w, double h, const lg_node *a, lg_node *b, real *V, const real **dV)
{
    lg_implicit *o = w->implicit;
    const real t = a->t + 0.5 * h;
    const int n = w->plan->n;
    if (!w->plan->S->callbacks.time_dependent) {
        V[0] = a->V, dV[0] = a->dV, dV[1] = b->dV;
        if (lg_workspace_evaluate_gradient(w, b)) return 1;
        V[1] = b->V;
        return 0;
    }
    dV[0] = o->D, dV[1] = o->p_plus; /* free until connect */
    return lg_evaluate(w, LG_CALLBACK_POTENTIAL, &t, a->g, NULL, &V[0], 1) ||
           lg_evaluate(w, LG_CALLBACK_POTENTIAL, &t, b->g, NULL, &V[1], 1) ||
           lg_evaluate(w, LG_CALLBACK_GRADIENT, &t, a->g, NULL, o->D, n) ||
           lg_evaluate(w, LG_CALLBACK_GRADIENT, &t, b->g, NULL, o->p_plus, n);
}

/* Gonzalez' discrete gradient: one V and one dV, at the ends. */
static int push_ends(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const int n = P->n;
    real V[2];
    const real *dV[2];
    if (!P->potential) return 0;
    if (end_potentials(w, h, a, b, V, dV)) return 1;
    lg_lower(P, o->f, a, o->xi);
    real slope = splat(0), size = splat(0);
    for (int i = 0; i < n; i++) slope = slope + (dV[0][i] + dV[1][i]) * o->xi[i], size = size + o->xi[i] * o->xi[i];
    const real twice = small_dot(n, o->f, o->xi);
    const mask tiny = size < 1e-12;
    const real c = sel(tiny, splat(0), (V[1] - V[0] - (0.5 * h) * slope) / (h * sel(tiny, splat(1), twice)));
    for (int i = 0; i < n; i++) {
        o->c[i] = (-0.5 * h) * (dV[1][i] + c * o->f[i]);
        o->f[i] = dV[0][i] + c * o->f[i];
    }
    return gather(w, o->c, -0.5 * h, NULL, 1, o->f, o->W, 0);
}

static int em_implicit(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const int n = P->n;
    o->transported = 1;
    o->fxi = splat(0);
    for (int i = 0; i < n; i++) o->x[i] = h * xi[i], o->c[i] = splat(0);
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (w->arcs[k]->advance(w, f, o->x + f->offset, a->g + f->element_offset, o->W + f->element_offset,
                                b->g + f->element_offset, o->k + k))
            return 1;
        for (int i = f->offset; i < f->offset + f->n; i++) o->y[i] = o->k[k] * o->x[i];
    }
    if (P->method.gonzalez) return push_ends(w, h, a, b);
    if (!P->geodesics) return 0;
    if (arcs(w, h, a)) return 1;
    if (P->force && push_force(w, h, a)) return 1;
    return P->holonomic ? lg_evaluate(w, LG_CALLBACK_HOLONOMIC, &b->t, b->g, NULL, o->phi, P->holonomic) : 0;
}

static int em_target(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b, real *R)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const int n = P->n;
    (void)h;
    lg_raise(P, o->f, a, o->p_minus), lg_raise(P, o->f1, b, o->p_plus);
    for (int i = 0; i < n; i++) {
        const real size = magnitude(o->f[i]) + magnitude(o->f1[i]);
        R[i] = xi[i] - 0.5 * (o->f[i] + o->f1[i]) - (P->holonomic ? o->u[i] : splat(0));
        o->size = sel(size > o->size, size, o->size);
        if (!P->constant_metric) o->dv[i] = 0.5 * (o->f1[i] - o->f[i]);
    }
    return 0;
}

/* *work += scale V_t at t, by differences of order 6 over steps e. */
static int add_potential_rate(lg_workspace *w, real t, real e, const real *g, double scale, real *work)
{
    static const double weight[3] = {LG_CENTRAL_6};
    for (int j = 0; j < 3; j++) {
        const real t1 = t + (j + 1) * e, t0 = t - (j + 1) * e;
        real later, earlier;
        if (lg_evaluate(w, LG_CALLBACK_POTENTIAL, &t1, g, NULL, &later, 1)) return 1;
        if (lg_evaluate(w, LG_CALLBACK_POTENTIAL, &t0, g, NULL, &earlier, 1)) return 1;
        *work = *work + scale * weight[j] / e * (later - earlier);
    }
    return 0;
}

/* h sum_i w_i (V_t + mu.phi_t) along the arc; the steps of V_t are such that t can hold them: they ask V up to 3/8 h
 * beside the nodes. A callback that fails is no reason for the step to fail, but for a wide step to be done again. */
int lg_energy_momentum_rates(lg_workspace *w, double h, const lg_node *a, const real *mu, real *work)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const double wish = fmin(0x1p-7, 0.125 * fabs(h));
    const real e = (a->t + wish) - a->t;
    for (int i = 0; P->geodesics && i < P->method.gauss; i++) {
        const lg_gauss node = lg_gauss_nodes[P->method.gauss - 1][i];
        const real t = a->t + node.c * h;
        if (arc_points(w, &node, 1, a)) return 1;
        if ((P->potential && add_potential_rate(w, t, e, o->points, h * node.w, work)) ||
            (P->holonomic && lg_evaluate(w, LG_CALLBACK_HOLONOMIC_RATE, &t, o->points, NULL, o->phi, P->holonomic))) {
            *work = splat((double)NAN);
            return LANES > 1;
        }
        for (int r = 0; r < P->holonomic; r++) *work = *work + h * node.w * mu[r] * o->phi[r];
    }
    return 0;
}

const lg_inner lg_inner_energy_momentum = {"energy-momentum",
                                           LG_CAN_POSITION | LG_CAN_PROJECT | LG_GIVES_SYMMETRIC | LG_CAN_CONSTRAIN,
                                           LG_NEEDS_GEODESICS | LG_NEEDS_SOLVER,
                                           lg_solve_implicit,
                                           em_implicit,
                                           em_target};
