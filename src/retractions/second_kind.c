/* SPDX-License-Identifier: BSD-3-Clause */
/* Canonical coordinates of the second kind, left to right, on any group that has an exponential:
 *   tau(xi) = exp(xi_1 e_1) ... exp(xi_n e_n).
 * With P_i = exp(xi_1 e_1) ... exp(xi_i e_i) the columns of the right-trivialised tangent are c_i = Ad_{P_{i-1}} e_i,
 * and d c_i / d xi_j = [c_j, c_i] for j < i, else 0 (because exp(xi_j e_j) commutes with e_j). dtau is singular where
 * two of the axes fall together (gimbal); it does not depend on xi_n. On an abelian group this is the exponential. */
#include "retractions/retraction.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "groups/member.h"

/* M, C: matrices; L and pivots: an LU factorisation; u, nu, v: vectors; p, k: elements; group: scratch of the group. */
typedef struct scratch {
    double *M, *C, *L, *u, *nu, *v, *p, *k;
    int *pivots;
    void *group;
} scratch;

static scratch second_kind_carve(const lg_group *G, lg_arena *arena)
{
    const size_t n = (size_t)G->dim, e = (size_t)G->element_size;
    scratch s;
    s.M = lg_part_doubles(arena, n * n);
    s.C = lg_part_doubles(arena, n * n);
    s.L = lg_part_doubles(arena, n * n);
    s.u = lg_part_doubles(arena, n);
    s.nu = lg_part_doubles(arena, n);
    s.v = lg_part_doubles(arena, n);
    s.p = lg_part_doubles(arena, e);
    s.k = lg_part_doubles(arena, e);
    s.pivots = lg_part(arena, n * sizeof(int));
    s.group = lg_part(arena, G->work_bytes);
    return s;
}

static scratch second_kind_bind(const lg_group *G, void *work)
{
    lg_arena arena = {work, 0};
    return second_kind_carve(G, &arena);
}

static size_t second_kind_work_bytes(const lg_retraction *r, const lg_group *G)
{
    lg_arena arena = {NULL, 0};
    (void)r;
    (void)second_kind_carve(G, &arena);
    return arena.used;
}

static int second_kind_supports(const lg_retraction *r, const lg_group *G)
{
    (void)r;
    return G->exp && G->exp->tau && G->Ad && G->ad;
}

/* ---- tau and its inverse ---- */

/* p <- p exp(x e_i). */
static lg_status append(const lg_group *G, double *p, int i, double x, const scratch *s)
{
    memset(s->u, 0, (size_t)G->dim * sizeof(double));
    s->u[i] = x;
    const lg_status status = G->exp->tau(G, s->k, s->u, s->group);
    return status == LG_OK ? G->compose(G, p, p, s->k, s->group) : status;
}

static lg_status second_kind_tau(const lg_retraction *r, const lg_group *G, double *g, const double *xi, void *work)
{
    const scratch s = second_kind_bind(G, work);
    (void)r;
    if (G->abelian) return G->exp->tau(G, g, xi, s.group);
    lg_status status = G->identity(G, g);
    for (int i = 0; i < G->dim && status == LG_OK; i++) status = append(G, g, i, xi[i], &s);
    return status;
}

static lg_status second_kind_tau_inv(const lg_retraction *r, const lg_group *G, double *xi, const double *g, void *work)
{
    (void)r;
    if (G->abelian) return lg_closed_unary(G->exp->tau_inv, G, xi, g, second_kind_bind(G, work).group);
    /* without it leaf.c takes Newton's method */
    return lg_closed_unary(LG_FIELD(lg_group, G, second_kind_inv), G, xi, g, second_kind_bind(G, work).group);
}

/* ---- tangents ---- */

static lg_status second_kind_dtau(const lg_retraction *r, const lg_group *G, double *M, const double *xi, void *work)
{
    const scratch s = second_kind_bind(G, work);
    const int n = G->dim;
    (void)r;
    if (G->abelian) {
        lg_set_identity(M, n);
        return LG_OK;
    }
    lg_status status = G->identity(G, s.p);
    for (int i = 0; i < n && status == LG_OK; i++) {
        status = G->Ad(G, s.M, s.p, s.group);
        if (status != LG_OK) return status;
        for (int k = 0; k < n; k++) M[k * n + i] = s.M[k * n + i];
        if (i + 1 < n) status = append(G, s.p, i, xi[i], &s);
    }
    return status;
}

/* C = dtau_xi and its factorisation. At a gimbal position in floating point a pivot is not zero but round-off. */
static lg_status factorised(const lg_retraction *r, const lg_group *G, const double *xi, const scratch *s, void *work)
{
    const int n = G->dim;
    lg_status status = second_kind_dtau(r, G, s->C, xi, work);
    if (status != LG_OK) return status;
    memcpy(s->L, s->C, (size_t)n * (size_t)n * sizeof(double));
    if (!lg_all_finite(s->L, n * n)) return LG_ERROR_NOT_FINITE;
    status = lg_lu_factor(s->L, s->pivots, n);
    const double round_off = 4 * n * DBL_EPSILON * lg_norm_max(s->C, n * n);
    for (int i = 0; i < n && status == LG_OK; i++)
        if (fabs(s->L[i * n + i]) <= round_off) status = LG_ERROR_SINGULAR;
    return status;
}

static lg_status nan_if_not_finite(lg_status status, double *out, int count)
{
    if (status != LG_ERROR_NOT_FINITE) return status;
    lg_fill_nan(out, count);
    return LG_OK;
}

static lg_status second_kind_dtau_inv(const lg_retraction *r, const lg_group *G, double *M, const double *xi,
                                      void *work)
{
    const scratch s = second_kind_bind(G, work);
    const int n = G->dim;
    const lg_status status = factorised(r, G, xi, &s, work);
    if (status != LG_OK) return nan_if_not_finite(status, M, n * n);
    lg_lu_inverse(M, s.L, s.pivots, n);
    return LG_OK;
}

static lg_status second_kind_dtau_inv_dual(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                           const double *mu, void *work)
{
    const scratch s = second_kind_bind(G, work);
    const int n = G->dim;
    const lg_status status = factorised(r, G, xi, &s, work);
    if (status != LG_OK) return nan_if_not_finite(status, out, n);
    memcpy(out, mu, (size_t)n * sizeof(double));
    lg_lu_solve_transposed(s.L, s.pivots, n, out);
    return LG_OK;
}

/* With nu = dtau^-T mu: d_j nu = -dtau^-T (d_j dtau)^T nu, and ((d_j dtau)^T nu)_i = <nu, [c_j, c_i]> for i > j. */
static lg_status second_kind_derivative(const lg_retraction *r, const lg_group *G, double *M, const double *xi,
                                        const double *mu, void *work)
{
    const scratch s = second_kind_bind(G, work);
    const int n = G->dim;
    lg_status status = factorised(r, G, xi, &s, work);
    if (status != LG_OK) return nan_if_not_finite(status, M, n * n);
    double *column = s.u;
    memcpy(s.nu, mu, (size_t)n * sizeof(double));
    lg_lu_solve_transposed(s.L, s.pivots, n, s.nu);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) column[i] = s.C[i * n + j];
        status = G->ad(G, s.M, column, s.group);
        if (status != LG_OK) return status;
        lg_matvec_transposed(s.v, s.M, s.nu, n, n);
        for (int i = 0; i < n; i++) {
            column[i] = 0.0;
            for (int k = 0; i > j && k < n; k++) column[i] -= s.v[k] * s.C[k * n + i];
        }
        lg_lu_solve_transposed(s.L, s.pivots, n, column);
        for (int i = 0; i < n; i++) M[i * n + j] = column[i];
    }
    return LG_OK;
}

static const lg_retraction second_kind = {
    .size = sizeof(lg_retraction),
    .name = "second-kind",
    .kind = LG_RETRACTION_SECOND_KIND,
    .flags = LG_RETRACTION_EXACT,
    .work_bytes = second_kind_work_bytes,
    .tau = second_kind_tau,
    .tau_inv = second_kind_tau_inv,
    .dtau = second_kind_dtau,
    .dtau_inv = second_kind_dtau_inv,
    .dtau_inv_dual = second_kind_dtau_inv_dual,
    .dtau_inv_dual_derivative = second_kind_derivative,
    .supports = second_kind_supports,
};

const lg_retraction *lg_retraction_second_kind(void)
{
    return &second_kind;
}
