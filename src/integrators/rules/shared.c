/* SPDX-License-Identifier: BSD-3-Clause */
/* The shared multiplier: one l kicks both ends, in orthonormal rows (docs/theory.md section 6),
 *   p^- = p_0 + (h/2) N_0^T l,   p_1 = p^+ + (h/2) N_1^T O l,   N_1 J_1^-1 p_1 = beta_1,
 * and with holonomic constraints the projected form: mu keeps H, nu keeps phi,
 *   p^+ = T p^- + c - h G_1^T mu - h alpha K^T nu,   xi = (v^- + v^+)/2 + u,   u = J_b G_b^T nu,
 *   G_b J_b (p^+ - p^-) + h alpha K xi = 0,   G_b (v_b + u) = G_b xi - phi(g_1)/h.
 * With exact discrete differentials G_b the last right side is -phi(g_0)/h, without the noise of phi(g_1)/h. `cholesky`
 * has O = 1. Given xi everything is linear in (l, mu, nu). */
#include "integrators/engine/compensation.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/rule.h"
#include "integrators/engine/sized.h"
#include "integrators/rules/state.h"

#include "base/small.h"

KERNEL real shared_dot(const real *a, const real *b, int n)
{
    return small_dot(n, a, b);
}

KERNEL void shared_add(real *y, real s, const real *x, int n)
{
    for (int i = 0; i < n; i++) y[i] = y[i] + s * x[i];
}

/* out = T p: Ad*_W p, or 0 if p^+ does not depend on p^-. */
static int shared_transport(lg_workspace *w, const real *p, real *out)
{
    const lg_trial *trial = &w->implicit->trial;
    if (trial->transported) return lg_transport_all(w, trial->W, p, out);
    for (int i = 0; i < w->plan->n; i++) out[i] = splat(0);
    return 0;
}

/* ---- the linear system of (l, mu, nu) ---- */

/* O, the orthogonal polar factor of N_1 (J_0^-1 + J_1^-1) N_0^T; `matrix` is scratch. */
KERNEL int shared_align(int m, int n, lg_workspace *w, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_shared_scratch *shared = &w->implicit->shared;
    real *B = w->implicit->multiplier.matrix;
    if (P->method.raw || P->method.cholesky || a->frame == b->frame) {
        for (int r = 0; r < m * m; r++) shared->alignment[r] = splat(r % (m + 1) == 0);
        return 0;
    }
    for (int r = 0; r < m; r++)
        for (int s = 0; s < m; s++) {
            const real x = shared_dot(b->frame_raised + r * n, a->frame + s * n, n);
            B[r * m + s] = x + (P->constant_metric ? x : shared_dot(b->frame + r * n, a->frame_raised + s * n, n));
        }
    if (lg_polar(shared->alignment, B, shared->polar, m))
        return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the alignment of the constraint frames", 0, 0, 0);
    return 0;
}

/* N_1 J_1^-1 p_1 = beta_1: the block (h/2) (N_1 J_1^-1 T N_0^T + O) of l, and the right side. */
KERNEL void shared_velocity_block(int m, int n, const lg_workspace *w, duration h, const lg_node *b, int k)
{
    const lg_plan *P = w->plan;
    const lg_shared_scratch *shared = &w->implicit->shared;
    const lg_multiplier_scratch *system = &w->implicit->multiplier;
    for (int r = 0; r < m; r++)
        for (int s = 0; s < m; s++) {
            const real x = shared_dot(b->frame_raised + r * n, shared->frame_transported + s * n, n);
            const real own = P->method.raw ? b->frame_factor[r * m + s] : shared->alignment[r * m + s];
            system->matrix[r * k + s] = (0.5 * h) * (x + own);
        }
    for (int r = 0; r < m; r++) {
        const real beta = b->frame_right_side ? b->frame_right_side[r] : splat(0);
        system->value[r] = beta - shared_dot(b->frame_raised + r * n, shared->free_momentum, n);
    }
}

/* Multiplies the first m rows of the system by O^T: their block of l is then close to h times the identity.
 */
KERNEL void shared_turn_rows(int m, const lg_workspace *w, int k)
{
    const lg_multiplier_scratch *system = &w->implicit->multiplier;
    const real *O = w->implicit->shared.alignment;
    real *y = w->implicit->shared.column;
    for (int c = 0; c <= k; c++) { /* the last column is the right side */
        for (int r = 0; r < m; r++) {
            y[r] = splat(0);
            for (int s = 0; s < m; s++)
                y[r] = y[r] + O[s * m + r] * (c < k ? system->matrix[s * k + c] : system->value[s]);
        }
        for (int r = 0; r < m; r++) *(c < k ? &system->matrix[r * k + c] : &system->value[r]) = y[r];
    }
}

/* G_b J_0^-1 and G_b J_1^-1; K = (d phi_1 - Ad*_W d phi_0)/h for alpha = 1. */
static int shared_holonomic_rows(lg_workspace *w, duration h, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_holonomic_scratch *o = &w->implicit->holonomic;
    const int n = P->n;
    for (int r = 0; r < P->holonomic; r++) {
        lg_raise(P, o->raised_0 + r * n, a, o->mean_rows + r * n);
        lg_raise(P, o->raised_1 + r * n, b, o->mean_rows + r * n);
    }
    for (int r = 0; P->method.rotational && r < P->holonomic; r++) {
        real *K = o->momentum_rows + r * n;
        if (lg_transport_all(w, w->implicit->trial.W, a->rows + r * n, K)) return 1;
        for (int i = 0; i < n; i++) K[i] = (b->rows[r * n + i] - K[i]) / h;
    }
    return 0;
}

/* Row r of mu and of nu in the system: the columns of l. */
static void shared_rows_of_l(const lg_implicit *o, duration h, const lg_node *a, int r, int m, int n, real *dynamic,
                             real *kinematic)
{
    const real *raised_0 = o->holonomic.raised_0 + r * n, *raised_1 = o->holonomic.raised_1 + r * n;
    const real *transported = o->shared.frame_transported;
    for (int s = 0; s < m; s++) {
        const real n00 = shared_dot(raised_0, a->frame + s * n, n), n01 = shared_dot(raised_0, transported + s * n, n);
        const real n10 = shared_dot(raised_1, a->frame + s * n, n), n11 = shared_dot(raised_1, transported + s * n, n);
        dynamic[s] = (0.25 * h) * ((n01 - n00) + (n11 - n10));
        kinematic[s] = (0.25 * h) * (n00 + n11);
    }
}

/* Rows of holonomic constraints: the columns of mu, then those of nu. */
static void shared_rows_of_positions(const lg_implicit *o, duration h, int r, int holonomic, int n, int alpha,
                                     real *dynamic, real *kinematic)
{
    const real *raised_0 = o->holonomic.raised_0 + r * n, *raised_1 = o->holonomic.raised_1 + r * n;
    for (int s = 0; s < holonomic; s++) {
        const real *G1 = o->holonomic.end_rows + s * n, *K = o->holonomic.momentum_rows + s * n;
        const real *Gb = o->holonomic.mean_rows + s * n;
        const real g00 = shared_dot(raised_0, Gb, n), g10 = shared_dot(raised_1, Gb, n);
        dynamic[s] = (-0.5 * h) * (shared_dot(raised_0, G1, n) + shared_dot(raised_1, G1, n));
        kinematic[s] = (-0.5 * h) * shared_dot(raised_1, G1, n);
        dynamic[holonomic + s] =
            alpha ? (-0.5 * h) * (shared_dot(raised_0, K, n) + shared_dot(raised_1, K, n)) : splat(0);
        kinematic[holonomic + s] = 0.5 * (g00 + g10) - (alpha ? (0.5 * h) * shared_dot(raised_1, K, n) : splat(0));
    }
}

/* Holonomic constraints: the columns of mu and nu in the rows of l, the rows of mu (after l) and of nu (after mu), and
 * their right sides. */
static void shared_holonomic_blocks(const lg_workspace *w, duration h, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_implicit *o = w->implicit;
    const real *xi = o->trial.xi, *p_free = o->shared.free_momentum;
    real *M = o->multiplier.matrix, *value = o->multiplier.value;
    const int m = P->m, holonomic = P->holonomic, n = P->n, k = m + 2 * holonomic, alpha = P->method.rotational;
    for (int r = 0; r < m; r++)
        for (int s = 0; s < holonomic; s++) {
            const real *G1 = o->holonomic.end_rows + s * n, *K = o->holonomic.momentum_rows + s * n;
            M[r * k + m + s] = -h * shared_dot(b->frame_raised + r * n, G1, n);
            M[r * k + m + holonomic + s] = alpha ? -h * shared_dot(b->frame_raised + r * n, K, n) : splat(0);
        }
    for (int r = 0; r < holonomic; r++) {
        const real *raised_0 = o->holonomic.raised_0 + r * n, *raised_1 = o->holonomic.raised_1 + r * n;
        const real *Gb = o->holonomic.mean_rows + r * n, *K = o->holonomic.momentum_rows + r * n;
        real *dynamic = M + (m + r) * k, *kinematic = M + (m + holonomic + r) * k;
        shared_rows_of_l(o, h, a, r, m, n, dynamic, kinematic);
        shared_rows_of_positions(o, h, r, holonomic, n, alpha, dynamic + m, kinematic + m);
        real change = splat(0), mean = splat(0), along = splat(0);
        for (int i = 0; i < n; i++) {
            change = change + 0.5 * (raised_0[i] + raised_1[i]) * (p_free[i] - a->p_tilde[i]);
            mean = mean + 0.5 * (raised_0[i] * a->p_tilde[i] + raised_1[i] * p_free[i]);
            along = along + Gb[i] * xi[i];
        }
        value[m + r] = -change - (alpha ? h * shared_dot(K, xi, n) : splat(0));
        value[m + holonomic + r] = (P->mean_rows ? splat(0) : along) - o->holonomic.phi[r] / h - mean;
    }
}

/* ---- the momenta ---- */

/* From (l, mu, nu): O l, u and
 *   p_minus = p_0 + (h/2) N_0^T l
 *   p_plus  = T p_minus + c - h G_1^T mu - h alpha K^T nu,   T p_minus + c = (T p_0 + c) + (h/2) T N_0^T l
 *   p_1     = p_plus + (h/2) N_1^T O l. */
KERNEL void shared_momenta(int m, int n, lg_workspace *w, duration h, const lg_node *a, lg_node *b, int holonomic)
{
    lg_trial *trial = &w->implicit->trial;
    const lg_shared_scratch *shared = &w->implicit->shared;
    const lg_holonomic_scratch *o = &w->implicit->holonomic;
    const real *l = w->implicit->multiplier.value, *mu = l + m, *nu = mu + holonomic;
    real *p_minus = trial->p_minus, *p_plus = trial->p_plus, *p_1 = b->p_tilde, *Ol = shared->aligned;

    for (int r = 0; r < m; r++) {
        Ol[r] = splat(0);
        for (int s = 0; s < m; s++) Ol[r] = Ol[r] + shared->alignment[r * m + s] * l[s];
    }
    for (int i = 0; i < n; i++) p_minus[i] = a->p_tilde[i];
    for (int r = 0; r < m; r++) shared_add(p_minus, (0.5 * h) * l[r], a->frame + r * n, n);

    for (int i = 0; i < n; i++) p_plus[i] = shared->free_momentum[i];
    for (int r = 0; r < m; r++) shared_add(p_plus, (0.5 * h) * l[r], shared->frame_transported + r * n, n);
    for (int r = 0; r < holonomic; r++) {
        shared_add(p_plus, -h * mu[r], o->end_rows + r * n, n);
        if (w->plan->method.rotational) shared_add(p_plus, -h * nu[r], o->momentum_rows + r * n, n);
    }

    for (int i = 0; i < n; i++) p_1[i] = p_plus[i];
    for (int r = 0; r < m; r++) shared_add(p_1, (0.5 * h) * Ol[r], b->frame + r * n, n);

    for (int i = 0; holonomic && i < n; i++) trial->correction[i] = splat(0);
    for (int r = 0; r < holonomic; r++) {
        shared_add(trial->correction, 0.5 * nu[r], o->raised_0 + r * n, n);
        shared_add(trial->correction, 0.5 * nu[r], o->raised_1 + r * n, n);
    }
}

/* Computes the multipliers of a trial, and its momenta. */
KERNEL int shared_solve(int m, int n, lg_workspace *w, duration h, const lg_node *a, lg_node *b, int holonomic)
{
    const lg_plan *P = w->plan;
    const lg_shared_scratch *shared = &w->implicit->shared;
    const lg_multiplier_scratch *system = &w->implicit->multiplier;
    const real *c = w->implicit->trial.impulse;
    real *p_free = shared->free_momentum;
    const int k = m + 2 * holonomic;
    if (shared_transport(w, a->p_tilde, p_free)) return 1;
    for (int i = 0; i < n; i++) p_free[i] = p_free[i] + c[i];
    for (int r = 0; r < m; r++)
        if (shared_transport(w, a->frame + r * n, shared->frame_transported + r * n)) return 1;
    if (m && shared_align(m, n, w, a, b)) return 1;
    shared_velocity_block(m, n, w, h, b, k);
    if (holonomic) {
        if (shared_holonomic_rows(w, h, a, b)) return 1;
        shared_holonomic_blocks(w, h, a, b);
    }
    if (!P->method.raw && !P->method.cholesky && a->frame != b->frame) shared_turn_rows(m, w, k);
    if (k) lg_eliminate(system->matrix, system->value, k);
    shared_momenta(m, n, w, h, a, b, holonomic);
    return 0;
}

static int shared_multipliers(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    if (!P->m) return shared_solve(0, P->n, w, h, a, b, 0);
    if (P->holonomic) return shared_solve(P->m, P->n, w, h, a, b, P->holonomic);
    return LG_SIZED(P->m, P->n, shared_solve, w, h, a, b, 0);
}

/* ---- the arrival ---- */

/* lambda = L_1^-T O l in the user's rows; forces of holonomic constraints also have -mu. */
static void shared_lambda(const lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const real *Ol = w->implicit->shared.aligned, *mu = w->implicit->multiplier.value + P->m, *L = b->frame_factor;
    const int m = P->m;
    for (int r = m - 1; r >= 0; r--) {
        real s = Ol[r];
        if (!P->method.raw) {
            for (int c = r + 1; c < m; c++) s = s - L[c * m + r] * b->lambda[c];
            s = s * L[r * m + r];
        }
        b->lambda[r] = s;
    }
    for (int r = 0; r < P->holonomic; r++) b->lambda[r] = b->lambda[r] - mu[r];
}

/* H_1 - H_0 = h <f, xi> + (h/2) (l . beta_0 + O l . beta_1) + the work of time-dependent parts. */
static int shared_work(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    const real *l = w->implicit->multiplier.value, *Ol = w->implicit->shared.aligned;
    b->work = b->force_work = w->implicit->trial.force_work;
    for (int r = 0; P->affine && r < P->m; r++)
        b->work = b->work + (0.5 * h) * (l[r] * a->frame_right_side[r] + Ol[r] * b->frame_right_side[r]);
    return P->S->callbacks.time_dependent ? lg_energy_momentum_rates(w, h, a, l + P->m, &b->work) : 0;
}

/* p_1 again, as p_0 and a change: (Ad*_W - 1) p_0 + c + (h/2) (T N_0^T l + N_1^T O l). */
static void shared_compensated(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_shared_scratch *shared = &w->implicit->shared;
    const real *l = w->implicit->multiplier.value, *c = w->implicit->trial.impulse, *Ol = shared->aligned;
    real *change = shared->momentum_change;
    for (int i = 0; i < P->n; i++) change[i] = change[i] + c[i];
    for (int r = 0; r < P->m; r++) {
        shared_add(change, (0.5 * h) * l[r], shared->frame_transported + r * P->n, P->n);
        shared_add(change, (0.5 * h) * Ol[r], b->frame + r * P->n, P->n);
    }
    lg_compensated_push(P, a->carry + P->element_size, a->p_tilde, change, b, b->p_tilde);
}

static int shared_arrive(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    if (P->compensated) shared_compensated(w, h, a, b);
    for (int i = 0; i < P->n; i++) b->p_minus[i] = b->p_tilde[i];
    shared_lambda(w, b);
    if (P->accounts_work) return shared_work(w, h, a, b);
    b->work = splat((double)NAN);
    return 0;
}

LG_ENGINE const lg_rule lg_rule_shared = {.name = "shared multiplier",
                                          .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION,
                                          .needs = LG_NEEDS_FRAME | LG_NEEDS_SOLVER,
                                          .wide = LG_WIDE_IMPLICIT | LG_WIDE_TANGENT,
                                          .state = LG_STATE_P_TILDE,
                                          .accounts_work = 1,
                                          .snapshot_is_state = 1,
                                          .depart = lg_depart_state,
                                          .multipliers = shared_multipliers,
                                          .arrive = shared_arrive,
                                          .begin = lg_begin_state};
