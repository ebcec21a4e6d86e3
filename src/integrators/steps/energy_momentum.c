/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy-momentum step along geodesic arcs (docs/theory.md section 6), W_i = exp(c_i y), y = log tau(h xi) = k h
 * xi: p^+ = Ad*_W p^- + c - ..., the impulse
 *   c = -h sum_i w_i Ad*_{R_i} k* [dV - dT(., v_b) + dT(., (v^+ - v^-)/2)](g_0 W_i) + h Ad*_{W_1/2} f,
 *   xi = (J_0^-1 p^- + J_1^-1 p^+)/2 + u,   R_i = exp((1 - c_i) y) = W_{NG-1-i} by the nodes' symmetry.
 * The arguments of dT and u come from the previous trial; at the solution both agree. */
#include "integrators/steps/energy_momentum.h"

#include "base/differences.h"
#include "base/small.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/compensation.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/sized.h"
#include "integrators/steps/quadrature.h"

/* ---- the arc ---- */

/* x = h xi, W = tau(x), g_1 = g_0 W, and log W = k x. */
static int arc_advance(lg_workspace *w, duration h, const lg_node *a, const real *xi, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_trial *trial = &w->implicit->trial;
    for (int i = 0; i < P->n; i++) trial->x[i] = h * xi[i];
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (f->table->advance(w, f, trial->x + f->offset, a->g + f->element_offset, trial->W + f->element_offset,
                              b->g + f->element_offset, trial->scale + k))
            return 1;
        for (int i = f->offset; i < f->offset + f->n; i++) trial->log_W[i] = trial->scale[k] * trial->x[i];
    }
    if (P->compensated) lg_compensated_move(w, a, trial->W, a->p_tilde, b, &w->implicit->shared.momentum_change);
    return 0;
}

/* U_i = exp(c_i log W) and g_0 U_i at `count` nodes. */
static int arc_points(lg_workspace *w, const lg_quadrature_node *c, int count, const lg_node *a)
{
    const lg_plan *P = w->plan;
    const lg_arc_scratch *arc = &w->implicit->arc;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (f->table->points(w, f, c, count, w->implicit->trial.log_W + f->offset, a->g + f->element_offset,
                             arc->U + f->element_offset, arc->points + f->element_offset, P->element_size))
            return 1;
    }
    return 0;
}

/* out += s q. */
KERNEL int arc_accumulate(int n, real *restrict out, real s, const real *restrict q)
{
    for (int j = 0; j < n; j++) out[j] = out[j] + s * q[j];
    return 0;
}

/* out += s q in some lanes. */
KERNEL int arc_accumulate_some(int n, real *restrict out, real s, const real *restrict q, mask some)
{
    for (int j = 0; j < n; j++) out[j] = sel(some, out[j] + s * q[j], out[j]);
    return 0;
}

/* Lanes where p is not zero; at width 1 it stops at the first nonzero number. */
KERNEL mask arc_not_zero(const real *p, int n)
{
    mask some = nonzero(p[0]);
    for (int i = 1; i < n && !(LANES == 1 && any(some)); i++) some = either(some, nonzero(p[i]));
    return some;
}

/* out += s k* sum_i w_i Ad*_{R_i} p_i over `count` nodes, R_i = U_{count - 1 - i}; weights NULL: 1, k only if scaled.
 */
static int arc_gather(lg_workspace *w, real *out, duration s, const lg_quadrature_node *weights, int count,
                      const real *p, const real *U, int scaled)
{
    const lg_plan *P = w->plan;
    real *transported = w->implicit->arc.transported;
    const int n = P->n, element_size = P->element_size;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        const real factor = scaled ? s * w->implicit->trial.scale[k] : splat(s);
        for (int i = 0; i < count; i++) {
            const real *q = p + i * n + f->offset, scale = weights ? factor * weights[i].w : factor;
            const real *R = U + (count - 1 - i) * element_size + f->element_offset;
            if (f->group->abelian) {
                (void)LG_SIZED_COLUMNS(f->n, arc_accumulate, out + f->offset, scale, q);
                continue;
            }
            const mask some = arc_not_zero(q, f->n);
            if (!any(some)) continue; /* gravity on the attitude, for example */
            if (f->table->transport(w, f, R, q, transported)) return 1;
            (void)LG_SIZED_COLUMNS(f->n, arc_accumulate_some, out + f->offset, scale, transported, some);
        }
    }
    return 0;
}

/* ---- the impulse c ---- */

/* dV - dT(g, v_b) + dT(g, dv) at a point of the arc. */
static int em_covector(lg_workspace *w, real t, const real *g, real *covector)
{
    const lg_plan *P = w->plan;
    const lg_trial *trial = &w->implicit->trial;
    const lg_arc_scratch *arc = &w->implicit->arc;
    const int n = P->n;
    if (P->mean_gradient) {
        for (int i = 0; i < n; i++) covector[i] = splat(0);
    } else if (lg_evaluate(w, LG_CALLBACK_GRADIENT, &t, g, NULL, covector, n))
        return 1;
    if (P->constant_metric) return 0;
    for (int i = 0; i < n; i++) arc->velocity[i] = trial->xi[i] - (P->holonomic ? trial->correction[i] : splat(0));
    if (lg_evaluate(w, LG_CALLBACK_METRIC_GRADIENT, &t, g, arc->velocity, arc->covector, n)) return 1;
    for (int i = 0; i < n; i++) covector[i] = covector[i] - arc->covector[i];
    if (lg_evaluate(w, LG_CALLBACK_METRIC_GRADIENT, &t, g, trial->half_change, arc->covector, n)) return 1;
    for (int i = 0; i < n; i++) covector[i] = covector[i] + arc->covector[i];
    return 0;
}

/* G_b += w k* d phi, G_1 += w Ad*_R k* d phi at one node. */
static int em_add_holonomic_rows(lg_workspace *w, real t, double weight, const real *g, const real *R)
{
    const lg_plan *P = w->plan;
    const lg_holonomic_scratch *o = &w->implicit->holonomic;
    const int n = P->n;
    if (lg_evaluate(w, LG_CALLBACK_HOLONOMIC_ROWS, &t, g, NULL, o->point_rows, P->holonomic * n)) return 1;
    for (int r = 0; r < P->holonomic; r++) {
        const real *row = o->point_rows + r * n;
        real *mean = o->mean_rows + r * n;
        for (int k = 0; k < P->factor_count; k++) {
            const lg_factor_plan *f = &P->factors[k];
            for (int i = f->offset; i < f->offset + f->n; i++)
                mean[i] = mean[i] + weight * w->implicit->trial.scale[k] * row[i];
        }
        if (arc_gather(w, o->end_rows + r * n, lasting(weight), NULL, 1, row, R, 1)) return 1;
    }
    return 0;
}

/* c += -h sum_i w_i Ad*_{R_i} k* [...](g_i), and the rows of holonomic constraints: the quadrature along the arc. */
static int em_add_arc(lg_workspace *w, duration h, const lg_node *a)
{
    const lg_plan *P = w->plan;
    const lg_arc_scratch *arc = &w->implicit->arc;
    const lg_holonomic_scratch *o = &w->implicit->holonomic;
    const int nodes = P->method.nodes, element_size = P->element_size;
    const lg_quadrature_node *node = lg_quadrature_nodes[nodes - 1];
    if (arc_points(w, node, nodes, a)) return 1;
    const int rows = P->mean_rows ? 0 : P->holonomic, acts = (P->potential && !P->mean_gradient) || !P->constant_metric;
    for (int i = 0; i < rows * P->n; i++) o->mean_rows[i] = o->end_rows[i] = splat(0);
    for (int i = 0; i < nodes; i++) {
        const real t = a->t + node[i].c * h, *g = arc->points + i * element_size;
        const real *R = arc->U + (nodes - 1 - i) * element_size;
        if (acts && em_covector(w, t, g, arc->covectors + i * P->n)) return 1;
        if (rows && em_add_holonomic_rows(w, t, node[i].w, g, R)) return 1;
    }
    if (!acts) return 0;
    return arc_gather(w, w->implicit->trial.impulse, -h, node, nodes, arc->covectors, arc->U, 1);
}

/* c += h Ad*_U f, the force at the geodesic midpoint and at xi: its work is h <f, xi> exactly. */
static int em_add_force(lg_workspace *w, duration h, const lg_node *a)
{
    const lg_plan *P = w->plan;
    const lg_arc_scratch *arc = &w->implicit->arc;
    lg_trial *trial = &w->implicit->trial;
    if (arc_points(w, lg_quadrature_nodes[0], 1, a)) return 1; /* the nodes before are no longer needed */
    const real t = a->t + 0.5 * h;
    if (lg_evaluate(w, LG_CALLBACK_FORCE, &t, arc->points, trial->xi, arc->covector, P->n)) return 1;
    trial->force_work = h * small_dot(P->n, arc->covector, trial->xi);
    return arc_gather(w, trial->impulse, h, NULL, 1, arc->covector, arc->U, 0);
}

/* ---- the system's own means ---- */

/* A covector q paired with the displacement x' between a and b, as one that is paired with h xi, in mean[], and
 * transported to b, in end[]. On SO(3) x' = s h xi, tan(|x'|/2) = sin/cos of half the angle of W, and the end is
 * R_1^T T of a torque T in space whose mean is Rb^T T, Rb = (R_0 + R_1)/2 = R_1 (1 + x'/2)^-1. */
static void mean_split(const lg_workspace *w, const real *q, real *mean, real *end)
{
    const lg_plan *P = w->plan;
    const lg_trial *trial = &w->implicit->trial;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        for (int i = f->offset; i < f->offset + f->n; i++) mean[i] = end[i] = q[i];
        if (f->group->abelian) continue;
        const real *x = trial->x + f->offset, *W = trial->W + f->element_offset, half = 1.0 / W[3];
        const real y[3] = {half * W[0], half * W[1], half * W[2]}, xx = small_dot(3, x, x); /* x'/2 */
        const int cayley = f->retraction->kind == LG_RETRACTION_CAYLEY;
        const real s = cayley ? splat(1) : sel(xx > 0.0, 2.0 * small_dot(3, y, x) / xx, splat(1));
        real turned[3];
        small_cross(turned, y, q + f->offset);
        for (int i = 0; i < 3; i++) {
            mean[f->offset + i] = s * q[f->offset + i];
            end[f->offset + i] = s * (q[f->offset + i] - turned[i]);
        }
    }
}

/* The rows between the nodes, and phi(g_0). */
static int mean_rows(lg_workspace *w, duration h, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_holonomic_scratch *o = &w->implicit->holonomic;
    const int n = P->n;
    if (lg_evaluate_mean(w, LG_MEAN_HOLONOMIC, h, a, b, o->point_rows, P->holonomic * n)) return 1;
    for (int r = 0; r < P->holonomic; r++)
        mean_split(w, o->point_rows + r * n, o->mean_rows + r * n, o->end_rows + r * n);
    return lg_evaluate(w, LG_CALLBACK_HOLONOMIC, &a->t, a->g, NULL, o->phi, P->holonomic);
}

/* c += s times the end of a mean covector, and *work += s times its product with xi. */
static int mean_push(lg_workspace *w, lg_mean_kind kind, duration h, duration s, const lg_node *a, const lg_node *b,
                     real *work)
{
    const int n = w->plan->n;
    lg_trial *trial = &w->implicit->trial;
    const lg_arc_scratch *arc = &w->implicit->arc;
    if (lg_evaluate_mean(w, kind, h, a, b, arc->covector, n)) return 1;
    mean_split(w, arc->covector, arc->mean, arc->transported);
    for (int i = 0; i < n; i++) trial->impulse[i] = trial->impulse[i] + s * arc->transported[i];
    *work = *work + s * small_dot(n, arc->mean, trial->xi);
    return 0;
}

/* ---- Gonzalez' discrete gradient: one V and one dV, at the ends ---- */

/* V and dV at both ends: those of the nodes, or at the time of the middle if V may depend on t, so that its change in
 * time does not count as a force. */
static int gonzalez_potentials(lg_workspace *w, duration h, const lg_node *a, lg_node *b, real *V, const real **dV)
{
    const real t = a->t + 0.5 * h;
    const int n = w->plan->n;
    real *dV0 = w->implicit->arc.gradients, *dV1 = dV0 + n;
    if (!w->plan->S->callbacks.time_dependent) {
        V[0] = a->potential, dV[0] = a->gradient, dV[1] = b->gradient;
        if (lg_node_evaluate_gradient(w, b)) return 1;
        V[1] = b->potential;
        return 0;
    }
    dV[0] = dV0, dV[1] = dV1;
    return lg_evaluate(w, LG_CALLBACK_POTENTIAL, &t, a->g, NULL, &V[0], 1) ||
           lg_evaluate(w, LG_CALLBACK_POTENTIAL, &t, b->g, NULL, &V[1], 1) ||
           lg_evaluate(w, LG_CALLBACK_GRADIENT, &t, a->g, NULL, dV0, n) ||
           lg_evaluate(w, LG_CALLBACK_GRADIENT, &t, b->g, NULL, dV1, n);
}

/* c = -(h/2) (Ad*_W [dV_0 + s J xi] + [dV_1 + s J xi]), s such that the work is V_0 - V_1. */
static int gonzalez_impulse(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_trial *trial = &w->implicit->trial;
    const real *xi = trial->xi;
    real *f = w->implicit->arc.covector;
    const int n = P->n;
    real V[2];
    const real *dV[2];
    if (!P->potential) return 0;
    if (gonzalez_potentials(w, h, a, b, V, dV)) return 1;
    lg_lower(P, f, a, xi);
    real slope = splat(0), size = splat(0);
    for (int i = 0; i < n; i++) slope = slope + (dV[0][i] + dV[1][i]) * xi[i], size = size + xi[i] * xi[i];
    const real twice = small_dot(n, f, xi);
    const mask tiny = size < 1e-12;
    const real s = sel(tiny, splat(0), (V[1] - V[0] - (0.5 * h) * slope) / (h * sel(tiny, splat(1), twice)));
    for (int i = 0; i < n; i++) {
        trial->impulse[i] = (-0.5 * h) * (dV[1][i] + s * f[i]);
        f[i] = dV[0][i] + s * f[i];
    }
    return arc_gather(w, trial->impulse, -0.5 * h, NULL, 1, f, trial->W, 0);
}

/* ---- the step ---- */

static int em_trial(lg_workspace *w, duration h, const lg_node *a, const real *xi, lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_trial *trial = &w->implicit->trial;
    trial->transported = 1; /* T = Ad*_W */
    trial->force_work = splat(0);
    for (int i = 0; i < P->n; i++) trial->impulse[i] = splat(0);
    if (arc_advance(w, h, a, xi, b)) return 1;
    if (P->method.gonzalez) return gonzalez_impulse(w, h, a, b);
    if (P->geodesics && em_add_arc(w, h, a)) return 1;
    real unused = splat(0);
    if (P->mean_gradient && mean_push(w, LG_MEAN_POTENTIAL, h, -h, a, b, &unused)) return 1;
    if (P->mean_force && mean_push(w, LG_MEAN_FORCE, h, h, a, b, &trial->force_work)) return 1;
    if (P->force && !P->mean_force && em_add_force(w, h, a)) return 1;
    if (P->mean_rows) return mean_rows(w, h, a, b);
    return P->holonomic
               ? lg_evaluate(w, LG_CALLBACK_HOLONOMIC, &b->t, b->g, NULL, w->implicit->holonomic.phi, P->holonomic)
               : 0;
}

/* R = xi - (v^- + v^+)/2 - u. */
static int em_residual(lg_workspace *w, duration h, const lg_node *a, const real *xi, lg_node *b, real *R)
{
    const lg_plan *P = w->plan;
    lg_trial *trial = &w->implicit->trial;
    const real *v_minus = trial->v_minus, *v_plus = trial->v_plus;
    (void)h;
    lg_raise(P, trial->v_minus, a, trial->p_minus), lg_raise(P, trial->v_plus, b, trial->p_plus);
    for (int i = 0; i < P->n; i++) {
        const real size = magnitude(v_minus[i]) + magnitude(v_plus[i]);
        R[i] = xi[i] - 0.5 * (v_minus[i] + v_plus[i]) - (P->holonomic ? trial->correction[i] : splat(0));
        trial->size = sel(size > trial->size, size, trial->size);
        if (!P->constant_metric) trial->half_change[i] = 0.5 * (v_plus[i] - v_minus[i]);
    }
    if (a->balance) lg_compensated_return(w, a, R);
    return 0;
}

/* ---- what changes in time ---- */

/* *work += scale V_t at the part c of the step, by differences of order 6 over steps e. Nonzero: V failed; *late = how
 * far from the middle of the step, in steps. */
static int em_add_potential_rate(lg_workspace *w, double c, duration h, real t, real e, const real *g, duration scale,
                                 real *work, double *late)
{
    static const double weight[3] = {LG_CENTRAL_6};
    for (int j = 0; j < 3; j++) {
        const real t1 = t + (j + 1) * e, t0 = t - (j + 1) * e;
        const double part = (j + 1) * lane_of(e, 0) / seconds(h);
        real later, earlier;
        *late = fabs(c + part - 0.5);
        if (lg_evaluate(w, LG_CALLBACK_POTENTIAL, &t1, g, NULL, &later, 1)) return 1;
        *late = fabs(c - part - 0.5);
        if (lg_evaluate(w, LG_CALLBACK_POTENTIAL, &t0, g, NULL, &earlier, 1)) return 1;
        *work = *work + scale * weight[j] / e * (later - earlier);
    }
    return 0;
}

/* h sum_i w_i (V_t + mu.phi_t) along the arc; the steps of V_t are such that t can hold them: they evaluate V up to 3/8
 * h from the nodes. If V fails before or after the step, the work is unknown; a wide step is done again. */
int lg_energy_momentum_rates(lg_workspace *w, duration h, const lg_node *a, const real *mu, real *work)
{
    const lg_plan *P = w->plan;
    const real *g = w->implicit->arc.points;
    real *phi_t = w->implicit->holonomic.rate;
    double late = 0;
    const double wanted = fmin(0x1p-7, 0.125 * fabs(seconds(h)));
    const real e = still((a->t + wanted) - a->t);
    for (int i = 0; P->geodesics && i < P->method.nodes; i++) {
        const lg_quadrature_node node = lg_quadrature_nodes[P->method.nodes - 1][i];
        const real t = a->t + node.c * h;
        if (arc_points(w, &node, 1, a)) return 1;
        if (P->potential && em_add_potential_rate(w, node.c, h, t, e, g, h * node.w, work, &late)) {
            *work = splat((double)NAN);
            return LANES > 1 || late <= 0.5;
        }
        if (P->holonomic && lg_evaluate(w, LG_CALLBACK_HOLONOMIC_RATE, &t, g, NULL, phi_t, P->holonomic)) return 1;
        for (int r = 0; r < P->holonomic; r++) *work = *work + h * node.w * mu[r] * phi_t[r];
    }
    return 0;
}

LG_ENGINE const lg_free_step lg_free_step_energy_momentum = {.name = "energy-momentum",
                                                             .gives =
                                                                 LG_CAN_POSITION | LG_CAN_PROJECT | LG_CAN_CONSTRAIN,
                                                             .needs = LG_NEEDS_GEODESICS | LG_NEEDS_SOLVER,
                                                             .wide = LG_WIDE_IMPLICIT,
                                                             .acts = LG_ACTS_ALONG_ARC,
                                                             .lagged = 1,
                                                             .accounts_work = 1,
                                                             .trial = em_trial,
                                                             .residual = em_residual};
