/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_retraction_check(): flags and tangents of a retraction, tested on random vectors. */
#include "retractions/check.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "groups/member.h"

enum { SHRINKS = 8, STEEP = 5 };

/* Parameters for long vectors, whose neighbourhoods differ. */
#define LOOSE 1e-3

/* The name in messages: within a check of the group it is one of the group's maps. */
static const char *member(const lg_check *k, const char *tau, const char *exp, const char *cay)
{
    return k->r->kind == LG_RETRACTION_EXP ? exp : k->r->kind == LG_RETRACTION_CAYLEY ? cay : tau;
}
#define MEMBER(k, name) member(k, name, "exp->" name, "cay->" name)

static lg_status tau(lg_check *k, double *g, const double *xi)
{
    lg_check_guard(g, k->e);
    return lg_check_watch(k, MEMBER(k, "tau"), lg_retraction_tau(k->r, k->G, g, xi), g, k->e);
}

static lg_status dtau(lg_check *k, double *M, const double *xi)
{
    lg_check_guard(M, k->n * k->n);
    return lg_check_watch(k, MEMBER(k, "dtau"), lg_retraction_dtau(k->r, k->G, M, xi), M, k->n * k->n);
}

static lg_status dtau_inv(lg_check *k, double *M, const double *xi)
{
    lg_check_guard(M, k->n * k->n);
    return lg_check_watch(k, MEMBER(k, "dtau_inv"), lg_retraction_dtau_inv(k->r, k->G, M, xi), M, k->n * k->n);
}

static int outside(lg_status st)
{
    return st == LG_ERROR_DOMAIN || st == LG_ERROR_SINGULAR || st == LG_ERROR_CONVERGENCE;
}

/* *is = 1: s xi is in the domain of the retraction; for long vectors also: it is not near a singular vector. */
static lg_status tame(lg_check *k, double s, int *is)
{
    const int nn = k->n * k->n;
    double *x = k->u[0], *g = k->u[1];
    for (int i = 0; i < k->n; i++) x[i] = s * k->xi[i];
    *is = 0;
    lg_status st = lg_retraction_tau(k->r, k->G, g, x);
    if (st == LG_OK) st = lg_retraction_dtau_inv(k->r, k->G, k->M[0], x);
    if (st == LG_OK && k->length > 1) {
        st = lg_retraction_dtau(k->r, k->G, k->M[1], x);
        if (st == LG_OK &&
            (lg_norm_max(k->M[0], nn) > STEEP || lg_norm_max(k->M[1], nn) > STEEP || lg_norm_max(g, k->e) > STEEP))
            return LG_OK;
    }
    *is = !outside(st);
    return st == LG_ERROR_MEMORY ? st : LG_OK; /* what else is wrong is found again */
}

/* Shortens the vectors until they and their neighbourhoods are in the domain. */
static lg_status shorten(lg_check *k)
{
    for (int j = 0; j < SHRINKS; j++) {
        int is;
        lg_status st = tame(k, 1.5, &is);
        if (st == LG_OK && is && k->length > 1) st = tame(k, 1, &is);
        if (st == LG_OK && is && k->length > 1) st = tame(k, 1.2, &is);
        if (st != LG_OK) return lg_fail(k->error, st, "out of memory");
        if (is) return LG_OK;
        for (int i = 0; i < k->n; i++) k->xi[i] *= k->length > 1 ? 0.8 : 0.5;
    }
    return LG_OK;
}

static lg_status check_origin(lg_check *k)
{
    double *zero = k->u[0], *g = k->u[1], *e = k->u[2];
    memset(zero, 0, (size_t)k->n * sizeof *zero);
    lg_status st = tau(k, g, zero);
    if (st == LG_OK) st = lg_check_identity(k, e);
    if (st == LG_OK) st = lg_check_elements(k, "tau(0) = e", g, e, NULL, NULL);
    if (st == LG_OK) st = dtau_inv(k, k->M[0], zero);
    if (st != LG_OK) return st;
    lg_matvec(g, k->M[0], k->eta, k->n, k->n);
    st = lg_check_numbers(k, "dtau^-1_0 = 1", MEMBER(k, "dtau_inv"), g, "the vector", k->eta, k->n, NULL, k->eta);
    if (st == LG_OK) st = dtau(k, k->M[0], zero);
    if (st != LG_OK) return st;
    lg_matvec(g, k->M[0], k->eta, k->n, k->n);
    return lg_check_numbers(k, "dtau_0 = 1", MEMBER(k, "dtau"), g, "the vector", k->eta, k->n, NULL, k->eta);
}

/* 1: tau^-1 works without the logarithm, which the group lacks and Newton's method needs. */
static int has_inverse(const lg_check *k)
{
    if (k->G->exp && k->G->exp->tau_inv) return 1;
    return k->r->kind != LG_RETRACTION_PRODUCT && LG_FIELD(lg_retraction, k->r, tau_inv) != NULL;
}

/* tau^-1(e) = 0; a wrong branch gives NaN. */
static lg_status check_inverse_at_origin(lg_check *k)
{
    double *zero = k->u[0], *e = k->u[1], *x = k->u[2];
    if (!has_inverse(k)) return LG_OK;
    memset(zero, 0, (size_t)k->n * sizeof *zero);
    lg_status st = lg_check_identity(k, e);
    lg_check_guard(x, k->n);
    if (st == LG_OK) st = lg_check_watch(k, MEMBER(k, "tau_inv"), lg_retraction_tau_inv(k->r, k->G, x, e), x, k->n);
    return st == LG_OK ? lg_check_numbers(k, "tau^-1(e) = 0", "tau_inv", x, "0", zero, k->n, e, NULL) : st;
}

static lg_status check_round_trip(lg_check *k)
{
    double *g = k->u[0], *back = k->u[1];
    lg_status st = tau(k, g, k->xi);
    if (st != LG_OK) return st;
    if (k->G->residual) {
        const double off = k->G->residual(k->G, g, k->work);
        if (!(off <= k->tolerance * fmax(1, lg_norm_max(g, k->e))))
            return lg_check_fail(k, LG_ERROR_ARGUMENT, "%s leaves the group: its residual there is %.3g",
                                 MEMBER(k, "tau"), off);
    }
    if (!has_inverse(k)) return LG_OK;
    lg_check_guard(back, k->n);
    st = lg_retraction_tau_inv(k->r, k->G, back, g);
    if (k->length > 1 && outside(st)) return LG_OK;
    st = lg_check_watch(k, MEMBER(k, "tau_inv"), st, back, k->n);
    if (st != LG_OK) return st;
    if (k->length > 1) { /* angles have branches */
        st = tau(k, k->u[2], back);
        return st == LG_OK ? lg_check_elements(k, "tau(tau^-1(g)) = g, g = tau(xi)", k->u[2], g, g, k->xi) : st;
    }
    for (int i = 0; i < k->n; i++) {
        back[i] /= k->length;
        k->u[2][i] = k->xi[i] / k->length;
    }
    return lg_check_numbers(
        k, k->length < 1 ? "tau^-1(tau(xi)) = xi (both divided by the length of xi)" : "tau^-1(tau(xi)) = xi",
        "tau_inv", back, "the vector", k->u[2], k->n, NULL, k->xi);
}

static lg_status check_flags(lg_check *k)
{
    const int n = k->n;
    double *g = k->u[0], *back = k->u[1], *e = k->u[2], *x = k->u[3];
    lg_status st = tau(k, g, k->xi);
    if (st == LG_OK && (k->r->flags & LG_RETRACTION_SYMMETRIC)) {
        for (int i = 0; i < n; i++) x[i] = -k->xi[i];
        st = tau(k, back, x);
        if (st == LG_OK) st = lg_check_compose(k, back, g, back);
        if (st == LG_OK) st = lg_check_identity(k, e);
        if (st == LG_OK)
            st = lg_check_elements(k, "tau(xi) tau(-xi) = e (flag LG_RETRACTION_SYMMETRIC)", back, e, NULL, k->xi);
    }
    if (st != LG_OK || !(k->r->flags & LG_RETRACTION_COMMUTING)) return st;
    st = lg_check_Ad(k, k->M[0], g);
    if (st != LG_OK) return st;
    lg_matvec(x, k->M[0], k->xi, n, n);
    return lg_check_numbers(k, "Ad_tau(xi) xi = xi (flag LG_RETRACTION_COMMUTING)", "Ad", x, "the vector", k->xi, n,
                            NULL, k->xi);
}

/* The chart of tau(xi + s eta) tau(xi)^-1, whose derivative is dtau_xi eta. */
static lg_status images(lg_check *k, double s, double *out)
{
    double *x = k->u[3], *g = k->u[4], *back = k->u[5];
    for (int i = 0; i < k->n; i++) x[i] = k->xi[i] + s * k->eta[i];
    lg_status st = tau(k, g, x);
    if (st == LG_OK) st = tau(k, back, k->xi);
    if (st == LG_OK) st = lg_check_inverse(k, back, back);
    if (st == LG_OK) st = lg_check_compose(k, g, g, back);
    return st == LG_OK ? lg_check_chart(k, out, g) : st;
}

static lg_status check_tangents(lg_check *k)
{
    const int n = k->n;
    double *slope = k->u[0], *got = k->u[1];
    if (!(k->r->flags & LG_RETRACTION_EXACT) || !lg_check_has_chart(k)) return LG_OK;
    lg_status st = lg_check_slope(k, images, slope, n);
    if (st == LG_OK) st = dtau_inv(k, k->M[0], k->xi);
    if (st != LG_OK) return st;
    lg_matvec(got, k->M[0], slope, n, n);
    st = lg_check_numbers(k, "dtau^-1_xi (D tau(xi).eta tau(xi)^-1) = eta (flag LG_RETRACTION_EXACT)",
                          MEMBER(k, "dtau_inv"), got, "differences of tau", k->eta, n, NULL, k->xi);
    if (st == LG_OK) st = dtau(k, k->M[1], k->xi);
    if (st != LG_OK) return st;
    lg_matvec(got, k->M[1], k->eta, n, n);
    return lg_check_numbers(k, "D tau(xi).eta = (dtau_xi eta) tau(xi) (flag LG_RETRACTION_EXACT)", MEMBER(k, "dtau"),
                            got, "differences of tau", slope, n, NULL, k->xi);
}

/* (dtau^-1_{xi + s eta})^* zeta. */
static lg_status duals(lg_check *k, double s, double *out)
{
    double *x = k->u[3];
    for (int i = 0; i < k->n; i++) x[i] = k->xi[i] + s * k->eta[i];
    lg_check_guard(out, k->n);
    return lg_check_watch(k, MEMBER(k, "dtau_inv_dual"), lg_retraction_dtau_inv_dual(k->r, k->G, out, x, k->zeta), out,
                          k->n);
}

static lg_status check_duals(lg_check *k)
{
    const int n = k->n;
    double *got = k->u[0], *want = k->u[1];
    lg_status st = duals(k, 0, got);
    if (st == LG_OK) st = dtau_inv(k, k->M[0], k->xi);
    if (st != LG_OK) return st;
    lg_matvec_transposed(want, k->M[0], k->zeta, n, n);
    st = lg_check_numbers(k, "(dtau^-1_xi)^* mu = (dtau^-1_xi)^T mu", MEMBER(k, "dtau_inv_dual"), got, "dtau_inv", want,
                          n, NULL, k->xi);
    if (st != LG_OK || k->length > 1) return st;
    st = lg_check_slope(k, duals, want, n);
    lg_check_guard(k->M[1], n * n);
    if (st == LG_OK)
        st =
            lg_check_watch(k, MEMBER(k, "dtau_inv_dual_derivative"),
                           lg_retraction_dtau_inv_dual_derivative(k->r, k->G, k->M[1], k->xi, k->zeta), k->M[1], n * n);
    if (st != LG_OK) return st;
    lg_matvec(got, k->M[1], k->eta, n, n);
    return lg_check_numbers(k, "d/ds (dtau^-1_{xi + s eta})^* mu", MEMBER(k, "dtau_inv_dual_derivative"), got,
                            "differences", want, n, NULL, k->xi);
}

/* The tests at the vector xi. */
static lg_status check_vector(lg_check *k)
{
    static lg_status (*const steps[])(lg_check *) = {check_round_trip, check_flags, check_tangents, check_duals};
    lg_status st = LG_OK;
    for (size_t i = 0; st == LG_OK && i < sizeof steps / sizeof steps[0]; i++) st = steps[i](k);
    return st;
}

/* Closed forms have branches, so the tests run near 0, at the length of a step, and for long vectors. */
static lg_status check_lengths(lg_check *k)
{
    static const double lengths[] = {2.5, 1e-1, 1e-2, 1e-4, 1e-6};
    const double tolerance = k->tolerance;
    double *xi = k->xi;
    lg_status st = LG_OK;
    k->xi = k->short_xi;
    for (size_t j = 0; st == LG_OK && j < sizeof lengths / sizeof lengths[0]; j++) {
        const double norm = sqrt(lg_dot(xi, xi, k->n));
        for (int i = 0; i < k->n; i++) k->xi[i] = lengths[j] / norm * xi[i];
        k->length = lengths[j];
        k->tolerance = lengths[j] > 1 ? fmax(tolerance, LOOSE) : tolerance;
        if (lengths[j] > 1) st = shorten(k);
        if (st == LG_OK) st = check_vector(k);
    }
    k->tolerance = tolerance;
    k->length = 1;
    k->xi = xi;
    return st;
}

lg_status lg_check_retraction_here(lg_check *k)
{
    for (int i = 0; i < k->n; i++) k->xi[i] = fmax(-0.7, fmin(0.7, k->xi[i]));
    lg_status st = shorten(k);
    if (st == LG_OK) st = check_origin(k);
    if (st == LG_OK) st = check_inverse_at_origin(k);
    if (st == LG_OK) st = check_vector(k);
    return st == LG_OK ? check_lengths(k) : st;
}

lg_status lg_retraction_check(const lg_retraction *r, const lg_group *G, lg_rng *rng, int points, double tolerance,
                              lg_error *e)
{
    lg_check k;
    if (points < 1 || !rng)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_retraction_check: %d points, expected at least 1, and a generator",
                       points);
    lg_status st = lg_retraction_validate(r, "lg_retraction_check", e);
    if (st != LG_OK) return st;
    st = lg_check_open(&k, "lg_retraction_check", G, r, rng, tolerance, e);
    if (st == LG_OK && !lg_retraction_supports(r, G))
        st = lg_check_fail(&k, LG_ERROR_UNSUPPORTED, "the retraction does not work on this group");
    for (int i = 0; i < points && st == LG_OK; i++) {
        st = lg_check_draw(&k);
        if (st == LG_OK) st = lg_check_retraction_here(&k);
    }
    lg_check_close(&k);
    return st;
}
