/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler-Poincare-Suslov equations on any Lie algebra, and left-invariant systems on groups that have them. */
#include "claims/bloch2005/algebra.h"

#include <stdio.h>

static int from_group(claim_report *r, algebra *L, const lg_group *G)
{
    double e[ALGEBRA_DIM] = {0};
    memset(L, 0, sizeof *L);
    L->n = lg_group_dim(G);
    snprintf(L->name, sizeof L->name, "%s", lg_group_name(G));
    for (int i = 0; i < L->n; i++) {
        e[i] = 1;
        if (!claim_ok(r, lg_group_ad(G, L->ad[i], e), "lg_group_ad", NULL)) return 0;
        e[i] = 0;
    }
    return 1;
}

/* [e_1, e_i] = sum_k A_ki e_k for i, k > 1: R acting on R^2 by exp(t A); unimodular if and only if tr A = 0. */
static void semidirect(algebra *L, const double *A, const char *name)
{
    memset(L, 0, sizeof *L);
    L->n = 3;
    snprintf(L->name, sizeof L->name, "%s", name);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            L->ad[0][(k + 1) * 3 + i + 1] = A[k * 2 + i];
            L->ad[i + 1][(k + 1) * 3] = -A[k * 2 + i];
        }
}

double algebra_trace(const algebra *L, int j)
{
    double sum = 0;
    for (int k = 0; k < L->n; k++) sum += L->ad[j][k * L->n + k];
    return sum;
}

/* p' = ad*_Omega p + lambda a with Omega = J^-1 p, lambda eliminated: <a, Omega> is constant. */
int suslov_field(const suslov *S, const double *p, double *out)
{
    const int n = S->L->n;
    double omega[ALGEBRA_DIM], w[ALGEBRA_DIM], lambda = 0;
    if (!claim_solve(n, S->J, p, omega)) return 0;
    for (int b = 0; b < n; b++) {
        out[b] = 0; /* C^c_ab p_c Omega^a */
        for (int a = 0; a < n; a++)
            for (int c = 0; c < n; c++) out[b] += S->L->ad[a][c * n + b] * p[c] * omega[a];
    }
    if (!S->constrained) return 1;
    if (!claim_solve(n, S->J, S->a, w)) return 0;
    lambda = -survey_dot(w, out, n) / survey_dot(w, S->a, n);
    for (int b = 0; b < n; b++) out[b] += lambda * S->a[b];
    return 1;
}

/* The derivative of suslov_field() at p: exact up to rounding, since central differences of quadratic functions are. */
int suslov_slope(const suslov *S, const double *p, double *D)
{
    const int n = S->L->n;
    double moved[ALGEBRA_DIM], plus[ALGEBRA_DIM], minus[ALGEBRA_DIM];
    for (int i = 0; i < n; i++) {
        memcpy(moved, p, (size_t)n * sizeof *moved);
        moved[i] = p[i] + 1;
        if (!suslov_field(S, moved, plus)) return 0;
        moved[i] = p[i] - 1;
        if (!suslov_field(S, moved, minus)) return 0;
        for (int k = 0; k < n; k++) D[k * n + i] = (plus[k] - minus[k]) / 2;
    }
    return 1;
}

double suslov_divergence(const suslov *S, const double *p)
{
    double D[ALGEBRA_DIM * ALGEBRA_DIM], sum = 0;
    if (!suslov_slope(S, p, D)) return NAN;
    for (int i = 0; i < S->L->n; i++) sum += D[i * S->L->n + i];
    return sum;
}

void random_inertia(lg_rng *rng, int n, double *J)
{
    double B[ALGEBRA_DIM * ALGEBRA_DIM];
    for (int i = 0; i < n * n; i++) B[i] = 0.5 * lg_rng_normal(rng);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            J[i * n + j] = i == j ? 1 : 0;
            for (int k = 0; k < n; k++) J[i * n + j] += B[k * n + i] * B[k * n + j];
        }
}

void random_vector(lg_rng *rng, int n, double *v)
{
    for (int i = 0; i < n; i++) v[i] = lg_rng_normal(rng);
}

void random_momentum(const suslov *S, lg_rng *rng, double *p, double *omega)
{
    const int n = S->L->n;
    random_vector(rng, n, omega);
    if (S->constrained) {
        const double along = survey_dot(S->a, omega, n) / survey_dot(S->a, S->a, n);
        for (int i = 0; i < n; i++) omega[i] -= along * S->a[i];
    }
    for (int i = 0; i < n; i++) p[i] = survey_dot(S->J + i * n, omega, n);
}

int algebra_collect(claim_report *r, algebras *all)
{
    static const double A[4][4] = {{1, 0, 0, 0.5}, {1, 1, 0, 1}, {0.3, -1, 1, 0.3}, {1, 0, 0, -1}};
    static const char *const names[4] = {"R x R^2, diag(1, 1/2)", "R x R^2, Jordan block", "R x R^2, spiral",
                                         "R x R^2, diag(1, -1)"};
    const lg_group *groups[8] = {lg_so3(), lg_se2(), lg_se3()};
    lg_group *made[3] = {0};
    int ok = claim_ok(r, lg_group_create_so(&made[0], 4), "SO(4)", NULL) &&
             claim_ok(r, lg_group_create_so_pq(&made[1], 2, 1), "SO(2,1)", NULL) &&
             claim_ok(r, lg_group_create_sp(&made[2], 1), "Sp(2)", NULL);
    memset(all, 0, sizeof *all);
    for (int i = 0; i < 3; i++) groups[3 + i] = made[i];
    groups[6] = lg_catalog_definition("affine-line")->group();
    for (int i = 0; ok && i < 7; i++) ok = from_group(r, &all->list[all->count++], groups[i]);
    for (int i = 0; i < 4; i++) semidirect(&all->list[all->count++], A[i], names[i]);
    for (int i = 0; i < 3; i++) lg_group_destroy(made[i]);
    return ok;
}

/* Left-invariant systems on groups ----------------------------------------------------------------------------------
 */

/* R acting on R^2 by diag(e^t, e^kappa t): (t, v)(t', v') = (t + t', v + diag v'), unimodular if and only if kappa =
 * -1; implemented like a group of the user. */
static lg_status line_identity(const lg_group *G, double *g)
{
    (void)G;
    g[0] = g[1] = g[2] = 0;
    return LG_OK;
}

static lg_status line_compose(const lg_group *G, double *out, const double *g, const double *h, void *work)
{
    const double kappa = *(const double *)G->data, t = g[0];
    const double b = g[1] + exp(t) * h[1], c = g[2] + exp(kappa * t) * h[2];
    (void)work;
    out[0] = t + h[0], out[1] = b, out[2] = c;
    return LG_OK;
}

static lg_status line_inverse(const lg_group *G, double *out, const double *g, void *work)
{
    const double kappa = *(const double *)G->data, t = g[0];
    (void)work;
    out[0] = -t, out[1] = -exp(-t) * g[1], out[2] = -exp(-kappa * t) * g[2];
    return LG_OK;
}

/* Ad_(t, v) (x, w) = (x, diag w - x A v), ad_(x, w) (x', w') = (0, x A w' - x' A w). */
static lg_status line_Ad(const lg_group *G, double *M, const double *g, void *work)
{
    const double kappa = *(const double *)G->data, t = g[0], b = g[1], c = g[2];
    (void)work;
    memset(M, 0, 9 * sizeof *M);
    M[0] = 1, M[3] = -b, M[6] = -kappa * c, M[4] = exp(t), M[8] = exp(kappa * t);
    return LG_OK;
}

static lg_status line_ad(const lg_group *G, double *M, const double *xi, void *work)
{
    const double kappa = *(const double *)G->data, x = xi[0], y = xi[1], z = xi[2];
    (void)work;
    memset(M, 0, 9 * sizeof *M);
    M[3] = -y, M[6] = -kappa * z, M[4] = x, M[8] = kappa * x;
    return LG_OK;
}

static lg_status line_exp(const lg_group *G, double *g, const double *xi, void *work)
{
    const double kappa = *(const double *)G->data, x = xi[0], y = kappa * x;
    (void)work;
    g[0] = x, g[1] = xi[1] * (x != 0 ? expm1(x) / x : 1), g[2] = xi[2] * (y != 0 ? expm1(y) / y : 1);
    return LG_OK;
}

static lg_status line_log(const lg_group *G, double *xi, const double *g, void *work)
{
    const double kappa = *(const double *)G->data, x = g[0], y = kappa * x;
    (void)work;
    xi[0] = x, xi[1] = g[1] * (x != 0 ? x / expm1(x) : 1), xi[2] = g[2] * (y != 0 ? y / expm1(y) : 1);
    return LG_OK;
}

/* f(ad_xi) has the diagonal f(0), f(x), f(kappa x) and in its first column -A w (f(z) - f(0))/z, z = x, kappa x. Here
 * f = (e^z - 1)/z, or its inverse; slope = (f(z) - 1)/z by its series near 0. */
static void line_tangent(const lg_group *G, double *M, const double *xi, int inverse)
{
    const double alpha[2] = {1, *(const double *)G->data};
    memset(M, 0, 9 * sizeof *M);
    M[0] = 1;
    for (int i = 0; i < 2; i++) {
        const double z = alpha[i] * xi[0], f = z == 0 ? 1 : inverse ? z / expm1(z) : expm1(z) / z;
        double slope = inverse ? -0.5 + z / 12 * (1 - z * z / 60 * (1 - z * z / 42)) : 0.5;
        for (int k = 9; !inverse && k > 2; k--) slope = k == 9 ? 1 + z / k : 1 + z / k * slope;
        if (!inverse) slope /= 2;
        M[(i + 1) * 4] = f;
        M[(i + 1) * 3] = -alpha[i] * xi[i + 1] * (fabs(z) < 0.05 ? slope : (f - 1) / z);
    }
}

static lg_status line_dexp(const lg_group *G, double *M, const double *xi, void *work)
{
    (void)work;
    line_tangent(G, M, xi, 0);
    return LG_OK;
}

static lg_status line_dexp_inv(const lg_group *G, double *M, const double *xi, void *work)
{
    (void)work;
    line_tangent(G, M, xi, 1);
    return LG_OK;
}

static const lg_group_maps line_maps = {
    .tau = line_exp, .tau_inv = line_log, .dtau = line_dexp, .dtau_inv = line_dexp_inv};
static const double half = 0.5, minus_one = -1;
#define LINE(title, kappa)                                                                                             \
    {                                                                                                                  \
        .size = sizeof(lg_group), .name = title, .kind = LG_KIND_USER, .dim = 3, .element_size = 3, .data = kappa,     \
        .identity = line_identity, .compose = line_compose, .inverse = line_inverse, .Ad = line_Ad, .ad = line_ad,     \
        .exp = &line_maps                                                                                              \
    }
const lg_group group_line_half = LINE("R x R^2, kappa = 1/2", &half);
const lg_group group_line_minus = LINE("R x R^2, kappa = -1", &minus_one);

int free_system_make(claim_report *r, free_system *f, const lg_group *G, int rows, uint64_t seed)
{
    lg_rng rng = {seed};
    memset(f, 0, sizeof *f);
    f->S = lg_system_default(G);
    f->s.S = &f->S, f->s.G = G, f->s.n = lg_group_dim(G), f->s.size = lg_group_element_size(G), f->s.m = rows,
    f->s.h = 0.1;
    f->s.name = lg_group_name(G);
    random_inertia(&rng, f->s.n, f->J);
    random_vector(&rng, f->s.n, f->a);
    random_vector(&rng, f->s.n, f->s.xi0);
    f->S.inertia = f->J;
    f->S.constraint_count = rows;
    if (rows > 0) {
        const double along = survey_dot(f->a, f->s.xi0, f->s.n) / survey_dot(f->a, f->a, f->s.n);
        f->S.covector_matrix = f->a;
        for (int i = 0; i < f->s.n; i++) f->s.xi0[i] -= along * f->a[i];
    }
    return claim_ok(r, lg_group_identity(G, f->s.g0), "identity", NULL);
}

int step_determinants(claim_report *r, const claim_system *s, lg_integrator *it, double *step, double *ad)
{
    const int n = s->n;
    double M[4 * ALGEBRA_DIM * ALGEBRA_DIM], block[ALGEBRA_DIM * ALGEBRA_DIM], W[CLAIM_ELEMENT];
    if (!claim_step_matrix(r, s, it, M)) return 0;
    for (int i = 0; i < n * n; i++) block[i] = M[(n + i / n) * 2 * n + n + i % n];
    *step = claim_determinant(n, block);
    if (!claim_ok(r, lg_group_inverse(s->G, W, lg_integrator_configuration(it)), "inverse", NULL) ||
        !claim_steps(r, it, 1))
        return 0;
    if (!claim_ok(r, lg_group_compose(s->G, W, W, lg_integrator_configuration(it)), "compose", NULL)) return 0;
    if (!claim_ok(r, lg_group_Ad(s->G, block, W), "Ad", NULL)) return 0;
    *ad = claim_determinant(n, block);
    return 1;
}
