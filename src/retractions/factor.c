/* SPDX-License-Identifier: BSD-3-Clause */
/* One retraction on one group that is not a product: its operations, and generic code from tau and dtau^-1 for missing
 * ones. In all tangents a NaN spreads to the whole factor, also to entries that do not depend on it. */
#include "retractions/retraction.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "base/differences.h"

#define NEWTON_STEPS 50 /* evaluations of tau */

/* M: a matrix; L and pivots: an LU factorisation; u, v, w: vectors; g, k: elements; op: scratch of the operations of
 * retraction and group, which never run at the same time. */
typedef struct scratch {
    double *M, *L, *u, *v, *w, *g, *k;
    int *pivots;
    void *op;
} scratch;

static scratch factor_carve(const lg_group *G, lg_arena *arena)
{
    const size_t n = (size_t)G->dim, e = (size_t)G->element_size;
    scratch s;
    s.M = lg_part_doubles(arena, n * n);
    s.L = lg_part_doubles(arena, n * n);
    s.u = lg_part_doubles(arena, n);
    s.v = lg_part_doubles(arena, n);
    s.w = lg_part_doubles(arena, n);
    s.g = lg_part_doubles(arena, e);
    s.k = lg_part_doubles(arena, e);
    s.pivots = lg_part(arena, n * sizeof(int));
    s.op = lg_part(arena, 0);
    return s;
}

static scratch factor_bind(const lg_group *G, void *work)
{
    lg_arena arena = {work, 0};
    return factor_carve(G, &arena);
}

size_t lg_retraction_factor_work_bytes(const lg_retraction *r, const lg_group *G)
{
    lg_arena arena = {NULL, 0};
    const size_t own = r->work_bytes ? r->work_bytes(r, G) : 0;
    (void)factor_carve(G, &arena);
    (void)lg_part(&arena, own > G->work_bytes ? own : G->work_bytes);
    return arena.used;
}

static int has_nan(const double *v, int n)
{
    for (int i = 0; i < n; i++)
        if (isnan(v[i])) return 1;
    return 0;
}

/* 1 if the input (xi, and mu unless NULL) has a NaN; then all `count` entries of the output are NaN. */
static int poison(double *out, int count, const double *xi, const double *mu, int n)
{
    if (!has_nan(xi, n) && !(mu && has_nan(mu, n))) return 0;
    lg_fill_nan(out, count);
    return 1;
}

lg_status lg_retraction_factor_tau(const lg_retraction *r, const lg_group *G, double *g, const double *xi,
                                   const double *unused, void *work)
{
    (void)unused;
    return r->tau(r, G, g, xi, factor_bind(G, work).op);
}

/* v = log(g tau(u)^-1): zero where tau(u) = g. */
static lg_status newton_residual(const lg_retraction *r, const lg_group *G, const scratch *s, const double *g)
{
    lg_status status = r->tau(r, G, s->k, s->u, s->op);
    if (status == LG_OK) status = G->inverse(G, s->k, s->k, s->op);
    if (status == LG_OK) status = G->compose(G, s->k, g, s->k, s->op);
    if (status == LG_OK) status = G->exp->tau_inv(G, s->v, s->k, s->op);
    return status;
}

/* w = dtau^-1_u v. */
static lg_status newton_correction(const lg_retraction *r, const lg_group *G, const scratch *s)
{
    const lg_status status = r->dtau_inv(r, G, s->M, s->u, s->op);
    if (status != LG_OK) return status == LG_ERROR_SINGULAR ? LG_ERROR_CONVERGENCE : status;
    lg_matvec(s->w, s->M, s->v, G->dim, G->dim);
    return lg_all_finite(s->w, G->dim) ? LG_OK : LG_ERROR_CONVERGENCE;
}

/* u = xi + factor w. */
static void advance(const scratch *s, const double *xi, double factor, int n)
{
    for (int i = 0; i < n; i++) s->u[i] = xi[i] + factor * s->w[i];
}

/* Newton's method from xi = log(g) with the correction w = dtau^-1_xi log(g tau(xi)^-1): to first order
 * tau(xi + w) = exp(dtau_xi w) tau(xi), tangents being right-trivialised. Near a pole of dtau^-1 whole corrections lead
 * through it and far away: they are kept below 1 + |xi|, and halved while they make the residual larger. The iteration
 * ends when the correction is round-off, or no longer shrinks near it. */
static lg_status newton(const lg_retraction *r, const lg_group *G, double *xi, const double *g, const scratch *s)
{
    const int n = G->dim;
    double factor = 0.0, smallest = INFINITY, previous = INFINITY;
    lg_status status = G->exp->tau_inv(G, s->u, g, s->op);
    if (status != LG_OK) return status;
    if (poison(xi, n, s->u, NULL, n)) return LG_OK;
    for (int step = 0; step < NEWTON_STEPS; step++) {
        status = newton_residual(r, G, s, g);
        const double residual = lg_norm_max(s->v, n);
        if (factor > 0x1p-10 && (status != LG_OK || !(residual < smallest || residual < 1e-8))) {
            factor /= 2;
            advance(s, xi, factor, n);
            continue;
        }
        if (status == LG_OK) status = newton_correction(r, G, s);
        if (status != LG_OK) return status;

        memcpy(xi, s->u, (size_t)n * sizeof(double));
        const double size = lg_norm_max(xi, n), correction = lg_norm_max(s->w, n);
        factor = correction > 1 + size ? (1 + size) / correction : 1.0;
        advance(s, xi, factor, n);
        if (correction <= 4 * DBL_EPSILON * size || (correction <= 1e-9 * (1 + size) && correction >= previous / 2)) {
            memcpy(xi, s->u, (size_t)n * sizeof(double));
            return LG_OK;
        }
        smallest = residual;
        previous = correction;
    }
    return LG_ERROR_CONVERGENCE;
}

lg_status lg_retraction_factor_tau_inv(const lg_retraction *r, const lg_group *G, double *xi, const double *g,
                                       const double *unused, void *work)
{
    const scratch s = factor_bind(G, work);
    (void)unused;
    if (r->tau_inv) {
        const lg_status status = r->tau_inv(r, G, xi, g, s.op);
        if (status != LG_ERROR_UNSUPPORTED) return status;
    }
    if (!G->exp || !G->exp->tau_inv) return LG_ERROR_UNSUPPORTED;
    return newton(r, G, xi, g, &s);
}

static lg_status inverse_tangent(const lg_retraction *r, const lg_group *G, double *M, const double *xi,
                                 const scratch *s)
{
    if (poison(M, G->dim * G->dim, xi, NULL, G->dim)) return LG_OK;
    return r->dtau_inv(r, G, M, xi, s->op);
}

/* dtau_xi, else the inverse of dtau^-1_xi. */
static lg_status tangent(const lg_retraction *r, const lg_group *G, double *M, const double *xi, const scratch *s)
{
    const int n = G->dim;
    if (poison(M, n * n, xi, NULL, n)) return LG_OK;
    if (r->dtau) {
        const lg_status given = r->dtau(r, G, M, xi, s->op);
        if (given != LG_ERROR_UNSUPPORTED) return given;
    }
    lg_status status = r->dtau_inv(r, G, s->L, xi, s->op);
    if (status != LG_OK) return status;
    if (!lg_all_finite(s->L, n * n)) {
        lg_fill_nan(M, n * n);
        return LG_OK;
    }
    status = lg_lu_factor(s->L, s->pivots, n);
    if (status == LG_OK) lg_lu_inverse(M, s->L, s->pivots, n);
    return status;
}

lg_status lg_retraction_factor_dtau(const lg_retraction *r, const lg_group *G, double *M, const double *xi,
                                    const double *unused, void *work)
{
    const scratch s = factor_bind(G, work);
    (void)unused;
    return tangent(r, G, M, xi, &s);
}

lg_status lg_retraction_factor_dtau_inv(const lg_retraction *r, const lg_group *G, double *M, const double *xi,
                                        const double *unused, void *work)
{
    const scratch s = factor_bind(G, work);
    (void)unused;
    return inverse_tangent(r, G, M, xi, &s);
}

lg_status lg_retraction_factor_dtau_apply(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                          const double *eta, void *work)
{
    const scratch s = factor_bind(G, work);
    const lg_status status = tangent(r, G, s.M, xi, &s);
    if (status == LG_OK) lg_matvec(out, s.M, eta, G->dim, G->dim);
    return status;
}

lg_status lg_retraction_factor_dtau_inv_apply(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                              const double *eta, void *work)
{
    const scratch s = factor_bind(G, work);
    const lg_status status = inverse_tangent(r, G, s.M, xi, &s);
    if (status == LG_OK) lg_matvec(out, s.M, eta, G->dim, G->dim);
    return status;
}

lg_status lg_retraction_factor_dtau_dual(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                         const double *mu, void *work)
{
    const scratch s = factor_bind(G, work);
    const lg_status status = tangent(r, G, s.M, xi, &s);
    if (status == LG_OK) lg_matvec_transposed(out, s.M, mu, G->dim, G->dim);
    return status;
}

/* (dtau^-1_xi)^T mu, by the transposed matrix if the retraction has no dual. */
static lg_status inverse_dual(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                              const double *mu, const scratch *s)
{
    if (poison(out, G->dim, xi, mu, G->dim)) return LG_OK;
    if (r->dtau_inv_dual) {
        const lg_status given = r->dtau_inv_dual(r, G, out, xi, mu, s->op);
        if (given != LG_ERROR_UNSUPPORTED) return given;
    }
    const lg_status status = r->dtau_inv(r, G, s->M, xi, s->op);
    if (status == LG_OK) lg_matvec_transposed(out, s->M, mu, G->dim, G->dim);
    return status;
}

lg_status lg_retraction_factor_dtau_inv_dual(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                             const double *mu, void *work)
{
    const scratch s = factor_bind(G, work);
    return inverse_dual(r, G, out, xi, mu, &s);
}

/* A central difference for d/dxi_j: sum of weight[i] (f(offset[i] h) - f(-offset[i] h)) / h. */
typedef struct stencil {
    int points;
    double step, offset[2], weight[2];
} stencil;

/* Fourth order, the step near eps^(1/5), a power of two. */
static const stencil FOURTH = {2, 0x1p-10, {1.0, 2.0}, {LG_CENTRAL_4}};
/* dcay^-1_x y = (1 - x/2) y (1 + x/2) (docs/theory.md section 2) is quadratic in x: exact with any step. */
static const stencil QUADRATIC = {1, 1.0, {1.0, 0.0}, {0.5, 0.0}};

/* The largest power of two that is at most max(1, |x|). */
static double power_of_two(double x)
{
    int exponent = 0;
    if (!isfinite(x) || !(fabs(x) >= 2.0)) return 1.0;
    (void)frexp(x, &exponent);
    return ldexp(1.0, exponent - 1);
}

/* v = d/dxi_j [(dtau^-1_xi)^T mu] with step h. */
static lg_status factor_difference(const lg_retraction *r, const lg_group *G, const stencil *d, double h, int j,
                                   const double *xi, const double *mu, const scratch *s)
{
    const int n = G->dim;
    for (int i = 0; i < n; i++) {
        s->u[i] = xi[i];
        s->v[i] = 0.0;
    }
    for (int p = 0; p < 2 * d->points; p++) {
        const double sign = p % 2 ? -1.0 : 1.0, weight = sign * d->weight[p / 2] / h;
        s->u[j] = xi[j] + sign * d->offset[p / 2] * h;
        const lg_status status = inverse_dual(r, G, s->w, s->u, mu, s);
        if (status != LG_OK) return status;
        for (int i = 0; i < n; i++) s->v[i] += weight * s->w[i];
    }
    return LG_OK;
}

/* All columns. A pole of dtau^-1 (gimbal) is about 1/|dtau^-1| away, and the step shrinks with that distance; but only
 * by 16, because a large translation makes dtau^-1 large too, and there a small step only costs digits. */
static lg_status differences(const lg_retraction *r, const lg_group *G, double *M, const double *xi, const double *mu,
                             const scratch *s)
{
    const int n = G->dim;
    const stencil *d = r->kind == LG_RETRACTION_CAYLEY ? &QUADRATIC : &FOURTH;
    double step = d->step;
    if (d == &FOURTH) {
        const lg_status status = r->dtau_inv(r, G, s->M, xi, s->op);
        if (status != LG_OK) return status;
        step /= power_of_two(fmin(lg_norm_max(s->M, n * n), 16.0));
    }
    for (int j = 0; j < n; j++) {
        const lg_status status = factor_difference(r, G, d, step * power_of_two(xi[j]), j, xi, mu, s);
        if (status != LG_OK) return status;
        for (int i = 0; i < n; i++) M[i * n + j] = s->v[i];
    }
    return LG_OK;
}

lg_status lg_retraction_factor_dtau_inv_dual_derivative(const lg_retraction *r, const lg_group *G, double *M,
                                                        const double *xi, const double *mu, void *work)
{
    const scratch s = factor_bind(G, work);
    const int n = G->dim;
    if (poison(M, n * n, xi, mu, n)) return LG_OK;
    if (r->dtau_inv_dual_derivative) {
        const lg_status given = r->dtau_inv_dual_derivative(r, G, M, xi, mu, s.op);
        if (given != LG_ERROR_UNSUPPORTED) return given;
    }
    return differences(r, G, M, xi, mu, &s);
}
