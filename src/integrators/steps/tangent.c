/* SPDX-License-Identifier: BSD-3-Clause */
/* The baselines (baselines.c) in numbers that carry derivatives: a step from stage to stage, as it is made. The node
 * that it leads to is that of every stage, too. What it takes from collocation/sweep.c has no stages of its own. */
#include "integrators/engine/callbacks.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/rule.h"
#include "integrators/rules/state.h"
#include "integrators/steps/baselines.h"

/* Scratch, in lg_workspace::dense. */
typedef struct baseline_room {
    real *dg, *sum_g, *W;             /* elements */
    real *start, *xi, *dxi, *sum_xi;  /* n: velocities */
    real *sigma, *dsigma, *sum_sigma; /* n */
    real *force, *covector, *unit;    /* n */
    real *rates;                      /* of velocity rows and drift, (m + 1) x n */
} baseline_room;

static baseline_room baseline_carve(lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n), e = sz(P->element_size);
    baseline_room o;
    TANGENT_VECTORS(a, e, &o.dg, &o.sum_g, &o.W);
    TANGENT_VECTORS(a, n, &o.start, &o.xi, &o.dxi, &o.sum_xi, &o.sigma, &o.dsigma, &o.sum_sigma, &o.force, &o.covector,
                    &o.unit);
    TANGENT_VECTORS(a, (sz(P->nonholonomic) + 1) * n, &o.rates);
    return o;
}

static baseline_room baseline_room_of(const lg_workspace *w)
{
    lg_arena a = {(char *)w->dense, 0};
    return baseline_carve(&a, w->plan);
}

/* ---- the continuous equations (mechanics/acceleration.c) with a constant metric ---- */

/* force = ad*_xi J xi - dV + f. */
static int baseline_forces(lg_workspace *w, const lg_node *b, const real *xi, const baseline_room *o)
{
    const lg_plan *P = w->plan;
    const int n = P->n;
    lg_lower(P, o->covector, b, xi);
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        for (int i = f->offset; i < f->offset + f->n; i++) o->force[i] = splat(0);
        if (!f->group->abelian && lg_factor_turn(w, f, xi + f->offset, o->covector + f->offset, o->force + f->offset))
            return 1;
    }
    if (P->potential && lg_evaluate(w, LG_CALLBACK_GRADIENT, &b->t, b->g, NULL, o->covector, n)) return 1;
    for (int i = 0; P->potential && i < n; i++) o->force[i] -= o->covector[i];
    if (P->force && lg_evaluate(w, LG_CALLBACK_FORCE, &b->t, b->g, xi, o->covector, n)) return 1;
    for (int i = 0; P->force && i < n; i++) o->force[i] += o->covector[i];
    return 0;
}

/* lambda = -C^-1 (A J^-1 force - b' + A' xi), force += A^T lambda. */
static int baseline_react(lg_workspace *w, lg_node *b, const real *xi, const baseline_room *o)
{
    const lg_plan *P = w->plan;
    const int n = P->n, m = P->m, first = P->holonomic;
    real *raised = w->reflection.raised, *gram = w->reflection.gram, *right = w->reflection.u;
    const real *A = o->rates, *Y = A + P->nonholonomic * n;
    if (sweep_gram_of(m, n, w, b, raised, gram)) return 1;
    for (int r = 0; r < m; r++) right[r] = splat(0);
    if (first && lg_evaluate(w, LG_CALLBACK_HOLONOMIC_ACCELERATION, &b->t, b->g, xi, right, first)) return 1;
    for (int r = 0; r < first; r++) right[r] = -right[r];
    if (P->drift) {
        if (lg_evaluate_row_rates(w, b, xi, o->rates, o->rates + P->nonholonomic * n, NULL)) return 1;
        (void)sweep_bend(P->nonholonomic, n, b->rows + first * n, b->drift, A, Y, xi, right + first);
    }
    sweep_share(m, n, raised, gram, o->force, right, b->lambda);
    for (int r = 0; r < m; r++) b->lambda[r] = -b->lambda[r];
    return sweep_push(m, n, b->rows, b->lambda, o->force, 1.0);
}

/* out = xi' at b, and the multipliers there. */
static int baseline_accelerate(lg_workspace *w, lg_node *b, const real *xi, real *out)
{
    const baseline_room o = baseline_room_of(w);
    if (lg_node_evaluate_rows(w, b) || baseline_forces(w, b, xi, &o)) return 1;
    if (w->plan->m && baseline_react(w, b, xi, &o)) return 1;
    lg_raise(w->plan, out, b, o.force);
    return 0;
}

/* ---- steps ---- */

static void baseline_combine(real *out, const real *a, const real &s, const real *b, int n)
{
    for (int i = 0; i < n; i++) out[i] = a[i] + s * b[i];
}

/* Stage k begins: its time and its velocity. */
static duration baseline_begin(duration h, int k, const lg_node *a, lg_node *b, const baseline_room *o, int n)
{
    const duration s = lg_baseline_at[k] * h;
    b->t = a->t + s;
    baseline_combine(o->xi, o->start, s, o->dxi, n);
    return s;
}

/* g_1 has been reached: p_1 = J_1 xi_1. */
static int baseline_finish(lg_workspace *w, duration h, const lg_node *a, lg_node *b, const baseline_room *o)
{
    b->t = a->t + h;
    if (lg_node_evaluate_rows(w, b)) return 1;
    baseline_combine(o->xi, o->start, h, o->sum_xi, w->plan->n);
    lg_lower(w->plan, b->p_plus, b, o->xi);
    return 0;
}

static int baseline_rk4(lg_workspace *w, duration h, const lg_node *a, const real *p, lg_node *b)
{
    const lg_plan *P = w->plan;
    const int n = P->n, e = P->element_size;
    const baseline_room o = baseline_room_of(w);
    lg_raise(P, o.start, a, p);
    for (int i = 0; i < e; i++) o.dg[i] = o.sum_g[i] = splat(0);
    for (int i = 0; i < n; i++) o.dxi[i] = o.sum_xi[i] = splat(0);
    for (int k = 0; k < 4; k++) {
        baseline_combine(b->g, a->g, baseline_begin(h, k, a, b, &o, n), o.dg, e);
        if (baseline_accelerate(w, b, o.xi, o.dxi) || sweep_move_factors(w, b->g, o.xi, o.dg)) return 1;
        baseline_combine(o.sum_g, o.sum_g, splat(lg_baseline_weight[k]), o.dg, e);
        baseline_combine(o.sum_xi, o.sum_xi, splat(lg_baseline_weight[k]), o.dxi, n);
    }
    baseline_combine(b->g, a->g, h, o.sum_g, e);
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (f->table->facts & LG_FACTOR_ANGLES) f->table->settle(f, b->g + f->element_offset);
    }
    return baseline_finish(w, h, a, b, &o);
}

/* g = g_0 tau(sigma). */
static int baseline_advance(lg_workspace *w, const lg_node *a, const baseline_room *o, real *g)
{
    const lg_plan *P = w->plan;
    real scale;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        const int at = f->element_offset;
        if (f->table->advance(w, f, o->sigma + f->offset, a->g + at, o->W + at, g + at, &scale)) return 1;
    }
    return 0;
}

/* dsigma = dtau^-1_{-sigma} xi, of which number i is (dtau^-1_{-sigma})^* e_i . xi. */
static int baseline_increment_rate(lg_workspace *w, const baseline_room *o)
{
    const lg_plan *P = w->plan;
    for (int i = 0; i < P->n; i++) o->sigma[i] = -o->sigma[i];
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        const int first = f->offset;
        for (int j = 0; j < f->n; j++) {
            for (int i = 0; i < f->n; i++) o->unit[i] = splat(i == j);
            if (f->table->dual(w, f, o->sigma + first, o->unit, o->covector)) return 1;
            o->dsigma[first + j] = small_dot(f->n, o->covector, o->xi + first);
        }
    }
    return 0;
}

static int baseline_rkmk4(lg_workspace *w, duration h, const lg_node *a, const real *p, lg_node *b)
{
    const int n = w->plan->n;
    const baseline_room o = baseline_room_of(w);
    lg_raise(w->plan, o.start, a, p);
    for (int i = 0; i < n; i++) o.dsigma[i] = o.sum_sigma[i] = o.dxi[i] = o.sum_xi[i] = splat(0);
    for (int k = 0; k < 4; k++) {
        const duration s = baseline_begin(h, k, a, b, &o, n);
        for (int i = 0; i < n; i++) o.sigma[i] = s * o.dsigma[i];
        if (baseline_advance(w, a, &o, b->g) || baseline_accelerate(w, b, o.xi, o.dxi) ||
            baseline_increment_rate(w, &o))
            return 1;
        baseline_combine(o.sum_sigma, o.sum_sigma, splat(lg_baseline_weight[k]), o.dsigma, n);
        baseline_combine(o.sum_xi, o.sum_xi, splat(lg_baseline_weight[k]), o.dxi, n);
    }
    for (int i = 0; i < n; i++) o.sigma[i] = h * o.sum_sigma[i];
    return baseline_advance(w, a, &o, b->g) || baseline_finish(w, h, a, b, &o);
}

static int baseline_arrive(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    (void)lg_arrive_state(w, h, a, b);
    lg_raise(w->plan, w->vector, b, b->p_tilde);
    return w->plan->m ? baseline_accelerate(w, b, w->vector, baseline_room_of(w).dxi) : 0;
}

static const lg_rule baseline_rule = {
    .name = "accelerations", .wide = LG_WIDE_TANGENT, .depart = lg_depart_state, .arrive = baseline_arrive};
static const lg_free_step baseline_step_rk4 = {
    .name = "rk4", .needs = LG_IS_DIRECT, .wide = LG_WIDE_TANGENT, .advance = baseline_rk4};
static const lg_free_step baseline_step_rkmk4 = {
    .name = "rkmk4", .needs = LG_IS_DIRECT, .wide = LG_WIDE_TANGENT, .advance = baseline_rkmk4};
