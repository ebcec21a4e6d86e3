/* SPDX-License-Identifier: BSD-3-Clause */
/* The shared multiplier: one l kicks both ends, in orthonormal rows (docs/theory.md section 6),
 *   p^- = p_0 + (h/2) N_0^T l,   p_1 = p^+ + (h/2) N_1^T O l,   N_1 J_1^-1 p_1 = beta_1,
 * and with position constraints the projected form: mu keeps H, nu keeps phi,
 *   p^+ += -h G_1^T mu - h alpha K^T nu,   xi = (v^- + v^+)/2 + u,   u = J_b G_b^T nu,
 *   G_b J_b (p^+ - p^-) + h alpha K xi = 0,   G_b (v_b + u) = G_b xi - phi(g_1)/h.
 * Given xi everything is linear in (l, mu, nu). */
#include "integrators/engine/engine.h"
#include "integrators/engine/sized.h"

#include "base/small.h"

KERNEL real dot(const real *a, const real *b, int n)
{
    return small_dot(n, a, b);
}

KERNEL void add(real *y, real s, const real *x, int n)
{
    for (int i = 0; i < n; i++) y[i] = y[i] + s * x[i];
}

/* out = T p: Ad*_W p, or 0 where p^+ does not come from p^-. */
static int push(lg_workspace *w, const real *p, real *out)
{
    if (w->implicit->transported) return lg_transport_all(w, w->implicit->W, p, out);
    for (int i = 0; i < w->plan->n; i++) out[i] = splat(0);
    return 0;
}

/* Without rows or position constraints: p^- is given. */
static int connect_free(lg_workspace *w, const lg_node *a, lg_node *b)
{
    lg_implicit *o = w->implicit;
    const int n = w->plan->n;
    for (int i = 0; i < n; i++) o->p_minus[i] = a->p_tilde[i];
    if (push(w, o->p_minus, o->p_plus)) return 1;
    for (int i = 0; i < n; i++) b->p_tilde[i] = o->p_plus[i] = o->p_plus[i] + o->c[i];
    return 0;
}

/* O and, in o->M (m x m, stride k), (h/2)(N_1 J_1^-1 T N_0^T + O). */
KERNEL int align(int m, int n, lg_workspace *w, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    if (P->method.raw || a->N == b->N) {
        for (int r = 0; r < m * m; r++) o->O[r] = splat(r % (m + 1) == 0);
        return 0;
    }
    for (int r = 0; r < m; r++)
        for (int s = 0; s < m; s++) {
            const real x = dot(b->NJ + r * n, a->N + s * n, n);
            o->M[r * m + s] = x + (P->constant_metric ? x : dot(b->N + r * n, a->NJ + s * n, n));
        }
    if (lg_polar(o->O, o->M, o->Y, m))
        return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the alignment of the constraint frames", 0, 0, 0);
    return 0;
}

/* The block of l in the linear system, multiplied by O^T so that it is close to h times the identity. */
KERNEL void velocity_block(int m, int n, const lg_workspace *w, double h, const lg_node *b, int k)
{
    const lg_plan *P = w->plan;
    const lg_implicit *o = w->implicit;
    for (int r = 0; r < m; r++)
        for (int s = 0; s < m; s++) {
            const real x = dot(b->NJ + r * n, o->NT + s * n, n);
            o->M[r * k + s] = (0.5 * h) * (x + (P->method.raw ? b->L[r * m + s] : o->O[r * m + s]));
        }
}

/* The first m rows of the system become O^T times themselves. */
KERNEL void turn_rows(int m, const lg_workspace *w, int k)
{
    const lg_implicit *o = w->implicit;
    real *y = o->z1;
    for (int c = 0; c <= k; c++) { /* the last column is the right side */
        for (int r = 0; r < m; r++) {
            y[r] = splat(0);
            for (int s = 0; s < m; s++) y[r] = y[r] + o->O[s * m + r] * (c < k ? o->M[s * k + c] : o->z[s]);
        }
        for (int r = 0; r < m; r++) *(c < k ? &o->M[r * k + c] : &o->z[r]) = y[r];
    }
}

/* K = (d phi_1 - Ad*_W d phi_0)/h, for alpha = 1. */
static int momentum_rows(lg_workspace *w, double h, const lg_node *a, const lg_node *b)
{
    lg_implicit *o = w->implicit;
    const int n = w->plan->n;
    for (int r = 0; r < w->plan->holonomic; r++) {
        real *row = o->Kh + r * n;
        if (lg_transport_all(w, o->W, a->A + r * n, row)) return 1;
        for (int i = 0; i < n; i++) row[i] = (b->A[r * n + i] - row[i]) / h;
    }
    return 0;
}

/* The rows and columns of mu (after l) and nu (after mu). */
static void position_blocks(const lg_workspace *w, double h, const lg_node *a, const lg_node *b, const real *v)
{
    const lg_plan *P = w->plan;
    const lg_implicit *o = w->implicit;
    const int m = P->m, holonomic = P->holonomic, n = P->n, k = m + 2 * holonomic, alpha = P->method.momentum;
    for (int r = 0; r < m; r++)
        for (int s = 0; s < holonomic; s++) {
            o->M[r * k + m + s] = -h * dot(b->NJ + r * n, o->G1 + s * n, n);
            o->M[r * k + m + holonomic + s] = alpha ? -h * dot(b->NJ + r * n, o->Kh + s * n, n) : splat(0);
        }
    for (int r = 0; r < holonomic; r++) {
        const real *g0 = o->GJ0 + r * n, *g1 = o->GJ1 + r * n, *G = o->Gb + r * n;
        real *dynamic = o->M + (m + r) * k, *kinematic = o->M + (m + holonomic + r) * k;
        for (int s = 0; s < m; s++) {
            const real n00 = dot(g0, a->N + s * n, n), n01 = dot(g0, o->NT + s * n, n);
            const real n10 = dot(g1, a->N + s * n, n), n11 = dot(g1, o->NT + s * n, n);
            dynamic[s] = (0.25 * h) * ((n01 - n00) + (n11 - n10));
            kinematic[s] = (0.25 * h) * (n00 + n11);
        }
        for (int s = 0; s < holonomic; s++) {
            const real *G1 = o->G1 + s * n, *Ks = o->Kh + s * n;
            const real g00 = dot(g0, o->Gb + s * n, n), g10 = dot(g1, o->Gb + s * n, n);
            dynamic[m + s] = (-0.5 * h) * (dot(g0, G1, n) + dot(g1, G1, n));
            kinematic[m + s] = (-0.5 * h) * dot(g1, G1, n);
            dynamic[m + holonomic + s] = alpha ? (-0.5 * h) * (dot(g0, Ks, n) + dot(g1, Ks, n)) : splat(0);
            kinematic[m + holonomic + s] = 0.5 * (g00 + g10) - (alpha ? (0.5 * h) * dot(g1, Ks, n) : splat(0));
        }
        real change = splat(0), mean = splat(0), along = splat(0);
        for (int i = 0; i < n; i++) {
            change = change + 0.5 * (g0[i] + g1[i]) * (o->p_plus[i] - a->p_tilde[i]);
            mean = mean + 0.5 * (g0[i] * a->p_tilde[i] + g1[i] * o->p_plus[i]);
            along = along + G[i] * v[i];
        }
        o->z[m + r] = -change - (alpha ? h * dot(o->Kh + r * n, v, n) : splat(0));
        o->z[m + holonomic + r] = along - o->phi[r] / h - mean;
    }
}

/* p^-, p^+ and p_1 from (l, mu, nu) in o->z; O l goes to o->z1. */
KERNEL void kick(int m, int n, lg_workspace *w, double h, const lg_node *a, lg_node *b, int holonomic)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const real *l = o->z, *mu = l + m, *nu = mu + holonomic;
    for (int i = 0; i < n; i++) o->p_minus[i] = a->p_tilde[i];
    for (int r = 0; r < m; r++) {
        add(o->p_minus, (0.5 * h) * l[r], a->N + r * n, n);
        add(o->p_plus, (0.5 * h) * l[r], o->NT + r * n, n);
    }
    for (int i = 0; holonomic && i < n; i++) o->u[i] = splat(0);
    for (int r = 0; r < holonomic; r++) {
        add(o->p_plus, -h * mu[r], o->G1 + r * n, n);
        if (P->method.momentum) add(o->p_plus, -h * nu[r], o->Kh + r * n, n);
        add(o->u, 0.5 * nu[r], o->GJ0 + r * n, n);
        add(o->u, 0.5 * nu[r], o->GJ1 + r * n, n);
    }
    for (int r = 0; r < m; r++) {
        o->z1[r] = splat(0);
        for (int s = 0; s < m; s++) o->z1[r] = o->z1[r] + o->O[r * m + s] * l[s];
    }
    for (int i = 0; i < n; i++) b->p_tilde[i] = o->p_plus[i];
    for (int r = 0; r < m; r++) add(b->p_tilde, (0.5 * h) * o->z1[r], b->N + r * n, n);
}

KERNEL int connect_rows(int m, int n, lg_workspace *w, double h, const lg_node *a, lg_node *b, int holonomic)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const int k = m + 2 * holonomic;
    if (push(w, a->p_tilde, o->p_plus)) return 1;
    for (int i = 0; i < n; i++) o->p_plus[i] = o->p_plus[i] + o->c[i];
    for (int r = 0; r < m; r++)
        if (push(w, a->N + r * n, o->NT + r * n)) return 1;
    if (align(m, n, w, a, b)) return 1;
    velocity_block(m, n, w, h, b, k);
    for (int r = 0; r < m; r++) o->z[r] = (b->beta ? b->beta[r] : splat(0)) - dot(b->NJ + r * n, o->p_plus, n);
    if (holonomic) {
        for (int r = 0; r < holonomic; r++) {
            lg_raise(P, o->GJ0 + r * n, a, o->Gb + r * n);
            lg_raise(P, o->GJ1 + r * n, b, o->Gb + r * n);
        }
        if (P->method.momentum && momentum_rows(w, h, a, b)) return 1;
        position_blocks(w, h, a, b, o->xi);
    }
    if (!P->method.raw && a->N != b->N) turn_rows(m, w, k);
    lg_eliminate(o->M, o->z, k);
    kick(m, n, w, h, a, b, holonomic);
    return 0;
}

static int connect(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    if (!P->m) return connect_free(w, a, b);
    if (P->holonomic) return connect_rows(P->m, P->n, w, h, a, b, P->holonomic);
    return LG_SIZED(P->m, P->n, connect_rows, w, h, a, b, 0);
}

/* lambda = L_1^-T O l in the user's rows; the position constraints' forces have -mu as well. */
static void multipliers(const lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_implicit *o = w->implicit;
    const int m = P->m;
    for (int r = m - 1; r >= 0; r--) {
        real s = o->z1[r];
        if (!P->method.raw) {
            for (int c = r + 1; c < m; c++) s = s - b->L[c * m + r] * b->lambda[c];
            s = s * b->L[r * m + r];
        }
        b->lambda[r] = s;
    }
    for (int r = 0; r < P->holonomic; r++) b->lambda[r] = b->lambda[r] - o->z[m + r];
}

/* What the step did to H (docs/theory.md section 6). */
static int balance(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_implicit *o = w->implicit;
    b->work = o->fxi;
    for (int r = 0; P->affine && r < P->m; r++)
        b->work = b->work + (0.5 * h) * (o->z[r] * a->beta[r] + o->z1[r] * b->beta[r]);
    return P->S->callbacks.time_dependent ? lg_energy_momentum_rates(w, h, a, o->z + P->m, &b->work) : 0;
}

static int arrive(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    for (int i = 0; i < P->n; i++) b->p_minus[i] = b->p_tilde[i];
    multipliers(w, b);
    if (P->method.inner == &lg_inner_energy_momentum && !P->method.gonzalez) return balance(w, h, a, b);
    b->work = splat((double)NAN);
    return 0;
}

const lg_rule lg_rule_shared = {.name = "shared multiplier",
                                .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION | LG_GIVES_SYMMETRIC,
                                .needs = LG_NEEDS_FRAME | LG_NEEDS_SOLVER,
                                .depart = lg_depart_state,
                                .multipliers = connect,
                                .arrive = arrive,
                                .begin = lg_begin_state};
