/* SPDX-License-Identifier: BSD-3-Clause */
/* The exponential whose trivialised tangents are truncated series, for measuring what the truncation costs:
 *   dexp_xi    = sum_{k>=0} ad_xi^k / (k+1)!        dexp^-1_xi = sum_{k>=0} B_k/k! ad_xi^k,  B_1 = -1/2
 * (docs/theory.md section 1; right-trivialised). */
#include "retractions/retraction.h"

#include <string.h>

#include "base/arena.h"
#include "base/dense.h"

/* B_k/k!, k = 0..20. Numerators, denominators and factorials are doubles without rounding. */
static const double BERNOULLI[LG_SERIES_MAX + 1] = {
    1.0,
    -1.0 / 2.0,
    1.0 / 6.0 / 2.0,
    0.0,
    -1.0 / 30.0 / 24.0,
    0.0,
    1.0 / 42.0 / 720.0,
    0.0,
    -1.0 / 30.0 / 40320.0,
    0.0,
    5.0 / 66.0 / 3628800.0,
    0.0,
    -691.0 / 2730.0 / 479001600.0,
    0.0,
    7.0 / 6.0 / 87178291200.0,
    0.0,
    -3617.0 / 510.0 / 20922789888000.0,
    0.0,
    43867.0 / 798.0 / 6402373705728000.0,
    0.0,
    -174611.0 / 330.0 / 2432902008176640000.0,
};

/* A: ad_xi; B: a second matrix; u, w: vectors; v: `order` vectors; group: scratch of the group. */
typedef struct scratch {
    double *A, *B, *u, *w, *v;
    void *group;
} scratch;

static scratch series_carve(const lg_group *G, int order, lg_arena *arena)
{
    const size_t n = (size_t)G->dim;
    scratch s;
    s.A = lg_part_doubles(arena, n * n);
    s.B = lg_part_doubles(arena, n * n);
    s.u = lg_part_doubles(arena, n);
    s.w = lg_part_doubles(arena, n);
    s.v = lg_part_doubles(arena, n * (size_t)order);
    s.group = lg_part(arena, G->work_bytes);
    return s;
}

static scratch series_bind(const lg_group *G, int order, void *work)
{
    lg_arena arena = {work, 0};
    return series_carve(G, order, &arena);
}

static size_t series_work_bytes(const lg_retraction *r, const lg_group *G)
{
    lg_arena arena = {NULL, 0};
    (void)series_carve(G, r->order, &arena);
    return arena.used;
}

/* ---- the derivative of the dual ---- */

/* v_b = (ad^T)^b mu for b < order, then in place u_a = sum_{b < order-a} c_{a+b+1} v_b, kept in slot order-1-a: u_a
 * needs the slots up to its own, and those after it have been used. */
static void partial_sums(const scratch *s, int n, int order, const double *mu)
{
    memcpy(s->v, mu, (size_t)n * sizeof(double));
    for (int b = 1; b < order; b++) lg_matvec_transposed(s->v + b * n, s->A, s->v + (b - 1) * n, n, n);
    for (int a = 0; a < order; a++) {
        double *slot = s->v + (order - 1 - a) * n;
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int b = order - 1 - a; b >= 0; b--) sum += BERNOULLI[a + b + 1] * s->v[b * n + i];
            slot[i] = sum;
        }
    }
}

/* s->u = column j: by Horner's rule, u <- ad^T u + ad_{e_j}^T u_a. */
static lg_status derivative_column(const lg_group *G, int order, int j, const scratch *s)
{
    const int n = G->dim;
    memset(s->u, 0, (size_t)n * sizeof(double));
    s->u[j] = 1.0;
    const lg_status status = G->ad(G, s->B, s->u, s->group);
    if (status != LG_OK) return status;
    memset(s->u, 0, (size_t)n * sizeof(double));
    for (int a = order - 1; a >= 0; a--) {
        lg_matvec_transposed(s->w, s->A, s->u, n, n);
        lg_matvec_transposed(s->u, s->B, s->v + (order - 1 - a) * n, n, n);
        for (int i = 0; i < n; i++) s->u[i] += s->w[i];
    }
    return LG_OK;
}

/* Column j is sum_k c_k sum_{a+b=k-1} (ad^T)^a ad_{e_j}^T (ad^T)^b mu = sum_a (ad^T)^a ad_{e_j}^T u_a; 4 order n^2
 * operations each. */
static lg_status series_dtau_inv_dual_derivative(const lg_retraction *r, const lg_group *G, double *M, const double *xi,
                                                 const double *mu, void *work)
{
    const int n = G->dim;
    const scratch s = series_bind(G, r->order, work);
    memset(M, 0, (size_t)n * (size_t)n * sizeof(double));
    if (r->order == 0 || G->abelian) return LG_OK;
    lg_status status = G->ad(G, s.A, xi, s.group);
    if (status != LG_OK) return status;
    partial_sums(&s, n, r->order, mu);
    for (int j = 0; j < n && status == LG_OK; j++) {
        status = derivative_column(G, r->order, j, &s);
        for (int i = 0; i < n; i++) M[i * n + j] = s.u[i];
    }
    return status;
}

/* ---- the operations ---- */

/* M = sum_{k<=order} c_k ad_xi^k by Horner's rule. */
static lg_status horner(const lg_group *G, double *M, const double *xi, const double *c, int order, const scratch *s)
{
    const int n = G->dim;
    const lg_status status = G->ad(G, s->A, xi, s->group);
    if (status != LG_OK) return status;
    lg_set_identity(M, n);
    for (int i = 0; i < n; i++) M[i * n + i] = c[order];
    for (int k = order - 1; k >= 0; k--) {
        lg_matmul(s->B, s->A, M, n, n, n);
        memcpy(M, s->B, (size_t)n * (size_t)n * sizeof(double));
        for (int i = 0; i < n; i++) M[i * n + i] += c[k];
    }
    return LG_OK;
}

static int series_supports(const lg_retraction *r, const lg_group *G)
{
    (void)r;
    return G->exp && G->exp->tau && G->ad;
}

static lg_status series_tau(const lg_retraction *r, const lg_group *G, double *g, const double *xi, void *work)
{
    return G->exp->tau(G, g, xi, series_bind(G, r->order, work).group);
}

static lg_status series_tau_inv(const lg_retraction *r, const lg_group *G, double *xi, const double *g, void *work)
{
    return lg_closed_unary(G->exp->tau_inv, G, xi, g, series_bind(G, r->order, work).group);
}

static lg_status series_dtau(const lg_retraction *r, const lg_group *G, double *M, const double *xi, void *work)
{
    const scratch s = series_bind(G, r->order, work);
    double c[LG_SERIES_MAX + 1] = {1.0};
    for (int k = 1; k <= r->order; k++) c[k] = c[k - 1] / (k + 1);
    return horner(G, M, xi, c, r->order, &s);
}

static lg_status series_dtau_inv(const lg_retraction *r, const lg_group *G, double *M, const double *xi, void *work)
{
    const scratch s = series_bind(G, r->order, work);
    return horner(G, M, xi, BERNOULLI, r->order, &s);
}

static lg_status series_dtau_inv_dual(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                      const double *mu, void *work)
{
    const scratch s = series_bind(G, r->order, work);
    const int n = G->dim;
    const lg_status status = G->ad(G, s.A, xi, s.group);
    if (status != LG_OK) return status;
    for (int i = 0; i < n; i++) out[i] = BERNOULLI[r->order] * mu[i];
    for (int k = r->order - 1; k >= 0; k--) {
        lg_matvec_transposed(s.u, s.A, out, n, n);
        for (int i = 0; i < n; i++) out[i] = s.u[i] + BERNOULLI[k] * mu[i];
    }
    return LG_OK;
}

/* ---- the descriptors, one an order ---- */

#define SERIES(N)                                                                                                      \
    {                                                                                                                  \
        .size = sizeof(lg_retraction), .name = "exp:order=" #N, .kind = LG_RETRACTION_SERIES,                          \
        .flags = LG_RETRACTION_SYMMETRIC | LG_RETRACTION_COMMUTING, .order = N, .work_bytes = series_work_bytes,       \
        .tau = series_tau, .tau_inv = series_tau_inv, .dtau = series_dtau, .dtau_inv = series_dtau_inv,                \
        .dtau_inv_dual = series_dtau_inv_dual, .dtau_inv_dual_derivative = series_dtau_inv_dual_derivative,            \
        .supports = series_supports                                                                                    \
    }

static const lg_retraction series[LG_SERIES_MAX + 1] = {
    SERIES(0),  SERIES(1),  SERIES(2),  SERIES(3),  SERIES(4),  SERIES(5),  SERIES(6),
    SERIES(7),  SERIES(8),  SERIES(9),  SERIES(10), SERIES(11), SERIES(12), SERIES(13),
    SERIES(14), SERIES(15), SERIES(16), SERIES(17), SERIES(18), SERIES(19), SERIES(20),
};

const lg_retraction *lg_retraction_series(int order)
{
    return order >= 0 && order <= LG_SERIES_MAX ? &series[order] : NULL;
}
