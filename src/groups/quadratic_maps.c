/* SPDX-License-Identifier: BSD-3-Clause */
/* Quadratic groups: exponential and Cayley, with their right-trivialised tangents.
 * [G] the theory page on groups, section 2. On the group Y* = Y^-1, on the algebra x* = -x, with M* = P^-1 M^T P.
 * [M] N. Higham, D. Mackey, N. Mackey, F. Tisseur, "Functions preserving
 * matrix groups and iterations for the matrix square root", SIAM J. Matrix Anal. Appl. 26 (2005). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/lane.h"
#include "groups/matrix_functions.h"
#include "groups/quadratic.h"

static size_t quadratic_maps_square(int n)
{
    return (size_t)n * (size_t)n;
}

static lg_status not_a_number(double *out, size_t count)
{
    lg_fill_nan(out, (int)count);
    return LG_OK;
}

/* ---- exponential ---- */

/* Up to this norm there are at most three doublings, and exp stays within a few units in the last place of the
 * group. */
#define LARGE_ALGEBRA_NORM 12.0

/* Doublings lose as many digits as the rounding of an angle: the bound is that of the other groups. NaN: 0. */
static int beyond(const double *X, int n)
{
    return lg_norm1(X, n) > LG_ANGLE_MOST;
}

/* The largest residual of a group element, relative to the squares of its numbers. */
#define OFF_GROUP 1e-9

/* Products of such numbers overflow. NaN: 0. */
static int too_large(const lg_quadratic *q, const double *xi)
{
    return lg_norm_max(xi, q->dim) > LG_NUMBER_MOST;
}

/* The result outside the domain: `count` numbers are NaN. */
static lg_status no_value(double *out, size_t count)
{
    lg_fill_nan(out, (int)count);
    return LG_ERROR_DOMAIN;
}

/* Y^T P Y - P relative to the terms that cancel in it. */
static double off_group(const lg_quadratic *q, const double *Y, double *work)
{
    const int nn = (int)quadratic_maps_square(q->n);
    const double size = fmax(1.0, lg_norm_max(Y, nn));
    lg_quadratic_defect(q, work, Y, work + nn);
    for (int i = 0; i < nn; i++) work[i] = work[i] / size / size;
    return lg_norm_max(work, nn) / lg_norm_max(q->P, nn);
}

/* After many doublings, or far from e: projects if that helps, and fails if the result is off the group. */
static lg_status keep_on_group(const lg_quadratic *q, double *Y, double *work)
{
    const size_t nn = quadratic_maps_square(q->n);
    double *better = work, *rest = better + nn;
    const double off = off_group(q, Y, rest);
    if (off <= 1e-13) return LG_OK;
    if (!(off <= OFF_GROUP)) return no_value(Y, nn);
    memcpy(better, Y, nn * sizeof *Y);
    if (lg_quadratic_project(q, better, rest) == LG_OK && off_group(q, better, rest) < off)
        memcpy(Y, better, nn * sizeof *Y);
    return LG_OK;
}

static lg_status exponential(const lg_group *G, double *out, const double *xi, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    double *X = work;
    lg_quadratic_hat(q, X, xi);
    const size_t nn = quadratic_maps_square(q->n);
    const int large = lg_norm1(X, q->n) > LARGE_ALGEBRA_NORM, given = lg_all_finite(X, (int)nn);
    if (beyond(X, q->n)) return no_value(out, nn);
    lg_expm(out, X, q->n, X + nn);
    if (given && !lg_all_finite(out, (int)nn)) return no_value(out, nn); /* hyperbolic: e^710 */
    if (!large || !given) return LG_OK;
    if (q->form == LG_FORM_GENERAL) return keep_on_group(q, out, X);
    memcpy(X, out, nn * sizeof *X); /* many doublings drift off the group; if it is compact, project back */
    if (lg_quadratic_project(q, X, X + nn) == LG_OK) memcpy(out, X, nn * sizeof *out);
    return LG_OK;
}

/* Phi = dexp_xi = phi_1(ad_xi) [G] and its LU factors, laid out in the scratch of an operation. */
typedef struct tangent_room {
    double *X;    /* n^2: hat(xi) */
    double *Phi;  /* dim^2 */
    int *pivots;  /* dim */
    double *rest; /* the rest: 5 dim^2 + n^2 are used here and free afterwards */
} tangent_room;

/* LG_ERROR_DOMAIN: xi is too large. */
static lg_status tangent(const lg_quadratic *q, tangent_room *r, const double *xi, double *work)
{
    const int dd = (int)quadratic_maps_square(q->dim);
    r->X = work;
    r->Phi = r->X + quadratic_maps_square(q->n);
    r->pivots = (int *)(void *)(r->Phi + quadratic_maps_square(q->dim));
    r->rest = r->Phi + quadratic_maps_square(q->dim) + q->dim;
    double *A = r->rest, *scratch = A + quadratic_maps_square(q->dim);
    lg_quadratic_hat(q, r->X, xi);
    lg_quadratic_ad(q, A, r->X, scratch);
    if (beyond(r->X, q->n)) return LG_ERROR_DOMAIN;
    const int given = lg_all_finite(xi, q->dim);
    lg_phi1(r->Phi, A, q->dim, scratch);
    return given && !lg_all_finite(r->Phi, dd) ? LG_ERROR_DOMAIN : LG_OK;
}

static lg_status factor_tangent(const lg_quadratic *q, tangent_room *r, const double *xi, double *work)
{
    const lg_status status = tangent(q, r, xi, work);
    return status != LG_OK ? status : lg_lu_factor(r->Phi, r->pivots, q->dim);
}

static lg_status dexp(const lg_group *G, double *out, const double *xi, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    tangent_room r;
    if (tangent(q, &r, xi, work) != LG_OK) return no_value(out, quadratic_maps_square(q->dim));
    memcpy(out, r.Phi, quadratic_maps_square(q->dim) * sizeof *out);
    return LG_OK;
}

static lg_status dexp_inv(const lg_group *G, double *out, const double *xi, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    tangent_room r;
    if (!lg_all_finite(xi, q->dim)) return not_a_number(out, quadratic_maps_square(q->dim));
    if (factor_tangent(q, &r, xi, work) != LG_OK) return LG_ERROR_DOMAIN;
    lg_lu_inverse(out, r.Phi, r.pivots, q->dim);
    return LG_OK;
}

static lg_status dexp_inv_dual(const lg_group *G, double *out, const double *xi, const double *mu, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    tangent_room r;
    if (!lg_all_finite(xi, q->dim)) return not_a_number(out, (size_t)q->dim);
    if (factor_tangent(q, &r, xi, work) != LG_OK) return LG_ERROR_DOMAIN;
    memmove(out, mu, (size_t)q->dim * sizeof *out);
    lg_lu_solve_transposed(r.Phi, r.pivots, q->dim, out);
    return LG_OK;
}

/* For larger arguments the series below loses more digits by cancellation than differences do. */
#define SERIES_NORM 8.0

/* K = d/dxi [dexp_xi^T w] = sum_{j>=1} D_j/(j+1)! for fixed w, with A = ad_xi^T, v_j = A^j w and
 * D_j = d v_j = A D_{j-1} + C[v_{j-1}], C[v] eta = ad_eta^T v. work: 4 dim^2 + 2 dim + 2 n^2. */
static void tangent_dual_derivative(const lg_quadratic *q, double *K, const double *X, const double *w, double *work)
{
    enum { LIMIT = 400 };
    const int d = q->dim;
    const size_t dd = quadratic_maps_square(d), nn = quadratic_maps_square(q->n);
    double *A = work, *D = A + dd, *AD = D + dd, *C = AD + dd, *v = C + dd, *Av = v + d, *M = Av + d, *scratch = M + nn;
    double factor = 1.0;
    lg_quadratic_ad(q, A, X, scratch);
    lg_transpose(A, A, d);
    memset(D, 0, dd * sizeof *D);
    memset(K, 0, dd * sizeof *K);
    memcpy(v, w, (size_t)d * sizeof *v);
    for (int j = 1; j <= LIMIT; j++) {
        double largest = 0.0;
        factor /= j + 1.0;
        lg_quadratic_covector(q, M, v); /* C[l][k] = <M, B_k B_l - B_l B_k> = -<M B_k^T - B_k^T M, B_l> */
        lg_quadratic_bracket_dual(q, C, -1.0, M, M, scratch);
        lg_matmul(AD, A, D, d, d, d);
        for (size_t i = 0; i < dd; i++) {
            D[i] = AD[i] + C[i];
            K[i] += factor * D[i];
            largest = fmax(largest, fabs(factor * D[i]));
        }
        if (!(largest > 0.25 * DBL_EPSILON * lg_norm_max(K, (int)dd))) break;
        lg_matvec(Av, A, v, d, d);
        memcpy(v, Av, (size_t)d * sizeof *v);
    }
}

/* w = dexp^-T mu obeys dexp^T w = mu; differentiated, dw = -dexp^-T d(dexp^T) w. */
static lg_status dexp_inv_dual_derivative(const lg_group *G, double *out, const double *xi, const double *mu,
                                          void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    const int d = q->dim;
    tangent_room r;
    if (!lg_all_finite(xi, d) || !lg_all_finite(mu, d)) return not_a_number(out, quadratic_maps_square(d));
    double *w = work;
    memcpy(w, mu, (size_t)d * sizeof *w);
    if (factor_tangent(q, &r, xi, w + d) != LG_OK) return LG_ERROR_DOMAIN;
    if (lg_norm1(r.X, q->n) > SERIES_NORM) return LG_ERROR_UNSUPPORTED; /* differences are better */
    lg_lu_solve_transposed(r.Phi, r.pivots, d, w);
    double *K = r.rest;
    tangent_dual_derivative(q, K, r.X, w, K + quadratic_maps_square(d));
    lg_transpose(K, K, d);
    for (int k = 0; k < d; k++) lg_lu_solve_transposed(r.Phi, r.pivots, d, K + (size_t)k * (size_t)d);
    lg_transpose(out, K, d);
    for (size_t i = 0; i < quadratic_maps_square(d); i++) out[i] = -out[i];
    return LG_OK;
}

/* ---- logarithm ---- */

/* log Y for P = K K^T through Q = K^T Y K^-T in O(n): log Y = K^-T log(Q) K^T. work: 2 n^2 more than the rotation. */
static lg_status log_definite(const lg_quadratic *q, double *X, const double *Y, double *work)
{
    const int n = q->n;
    double *Q = work, *transposed = Q + quadratic_maps_square(n), *rest = transposed + quadratic_maps_square(n);
    lg_transpose(transposed, q->root, n);
    lg_matmul(X, transposed, Y, n, n, n);
    lg_transpose(transposed, q->root_inverse, n);
    lg_matmul(Q, X, transposed, n, n, n);
    const lg_status status = lg_log_rotation(X, Q, n, rest);
    if (status != LG_OK) return status;
    lg_matmul(Q, transposed, X, n, n, n);
    lg_transpose(transposed, q->root, n);
    lg_matmul(X, Q, transposed, n, n, n);
    return LG_OK;
}

/* One Newton correction of xi ~ log Y: Y exp(-xi) = exp(dexp_xi delta + ...), *size = |delta|/max(1, |xi|). A
 * correction above the limit is not applied. LG_ERROR_DOMAIN: above the limit, or it does not exist. work: as
 * dexp^-1. */
static lg_status correct_log(const lg_quadratic *q, double *xi, const double *Y, double *work, double limit,
                             double *size)
{
    const int n = q->n, d = q->dim;
    const size_t nn = quadratic_maps_square(n);
    double *delta = work, *rest = delta + d;
    double *X = rest, *E = X + nn, *scratch = E + nn;
    lg_quadratic_hat(q, X, xi);
    for (size_t i = 0; i < nn; i++) X[i] = -X[i];
    lg_expm(E, X, n, scratch);
    lg_matmul(X, Y, E, n, n, n);
    for (int i = 0; i < n; i++) X[(size_t)i * (size_t)(n + 1)] -= 1.0;
    lg_quadratic_vee(q, delta, X);
    tangent_room r;
    if (factor_tangent(q, &r, xi, rest) != LG_OK) return LG_ERROR_DOMAIN;
    lg_lu_solve(r.Phi, r.pivots, d, delta);
    *size = lg_norm_max(delta, d) / fmax(1.0, lg_norm_max(xi, d));
    if (!(*size <= limit)) return LG_ERROR_DOMAIN;
    for (int k = 0; k < d; k++) xi[k] += delta[k];
    return LG_OK;
}

/* X = log Y up to the digits that the square roots lose. Where P^T = +-P the polar factor of e + Y is the first root
 * [M]: unlike a root of the bare matrix it stays accurate next to the negative axis. work: 7 n^2 + 8 n. */
static lg_status rough_log(const lg_quadratic *q, double *X, const double *Y, double *work)
{
    const int n = q->n;
    const size_t nn = quadratic_maps_square(n);
    double *root = work, *rest = root + nn;
    if (lg_has_negative_eigenvalue(Y, n, rest)) return LG_ERROR_DOMAIN;
    memcpy(root, Y, nn * sizeof *root);
    for (int i = 0; i < n; i++) root[(size_t)i * (size_t)(n + 1)] += 1.0;
    if (q->correction != NULL || lg_quadratic_project(q, root, rest) != LG_OK) return lg_logm(X, Y, n, rest);
    const lg_status status = lg_logm(X, root, n, rest);
    for (size_t i = 0; i < nn; i++) X[i] *= 2.0;
    return status;
}

/* A general P: inverse scaling and squaring loses digits with every square root; corrections restore them, and a large
 * correction shows that the root was not the principal one. */
static lg_status log_general(const lg_quadratic *q, double *xi, const double *Y, double *work)
{
    enum { LIMIT = 4 };
    double *X = work, size = 0.0;
    if (rough_log(q, X, Y, X + quadratic_maps_square(q->n)) != LG_OK) return LG_ERROR_DOMAIN;
    lg_quadratic_vee(q, xi, X);
    for (int k = 0; k < LIMIT; k++) {
        if (correct_log(q, xi, Y, work, 1e-2, &size) != LG_OK) return LG_ERROR_DOMAIN;
        if (size <= 1e-9) break;
    }
    return LG_OK; /* corrections do not shrink: dexp is nearly singular there, and so is the problem itself */
}

static lg_status logarithm(const lg_group *G, double *out, const double *g, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    const size_t nn = quadratic_maps_square(q->n);
    double *xi = work, *Y = xi + q->dim, *X = Y + nn;
    lg_status status;
    if (!lg_all_finite(g, (int)nn)) return not_a_number(out, (size_t)q->dim);
    memcpy(Y, g, nn * sizeof *Y);
    if (q->form == LG_FORM_GENERAL) {
        status = log_general(q, xi, Y, X);
    } else {
        status = q->form == LG_FORM_ORTHOGONAL ? lg_log_rotation(X, Y, q->n, X + nn) : log_definite(q, X, Y, X + nn);
        lg_quadratic_vee(q, xi, X);
        double size = 0.0; /* K loses digits; a correction that is not small means that dexp is nearly singular */
        if (status == LG_OK && q->form == LG_FORM_DEFINITE) (void)correct_log(q, xi, Y, X, 1e-11, &size);
    }
    if (status == LG_OK) memcpy(out, xi, (size_t)q->dim * sizeof *out);
    return status;
}

/* ---- Cayley ---- */

/* inverse = A^-1, A overwritten; *loss is the error that its condition in the 1-norm allows, 8 n eps without one. */
static lg_status invert(double *inverse, double *A, int n, int *pivots, double *loss)
{
    const double norm = lg_norm1(A, n);
    if (lg_lu_factor(A, pivots, n) != LG_OK) return LG_ERROR_SINGULAR;
    lg_lu_inverse(inverse, A, pivots, n);
    *loss = norm * lg_norm1(inverse, n) * (8.0 * n * DBL_EPSILON);
    return LG_OK;
}

/* M = e + s x/2. */
static void shifted(const lg_quadratic *q, double *M, double s, const double *xi)
{
    lg_quadratic_hat(q, M, xi);
    for (size_t i = 0; i < quadratic_maps_square(q->n); i++) M[i] *= 0.5 * s;
    for (int i = 0; i < q->n; i++) M[(size_t)i * (size_t)(q->n + 1)] += 1.0;
}

/* The largest loss of digits at which (e - x/2)^-1 is accepted for large x. */
#define LOST 1e-6

/* M = (e - x/2)^-1. LG_ERROR_DOMAIN: singular, up to round-off. In a compact group the inverse always exists, but large
 * x leave no digits of it in the plane that x does not move. work: n^2 + n. */
static lg_status resolvent(const lg_quadratic *q, double *M, const double *xi, double *work)
{
    int *pivots = (int *)(void *)(work + quadratic_maps_square(q->n));
    double loss = 0;
    shifted(q, work, -1.0, xi);
    const int large = lg_norm1(work, q->n) > 1e3;
    if (invert(M, work, q->n, pivots, &loss) != LG_OK) return LG_ERROR_DOMAIN;
    return loss < (large ? LOST : 1.0) ? LG_OK : LG_ERROR_DOMAIN;
}

/* cay x = (e - x/2)^-1 (e + x/2) = e + M x = 2 M - e: the first is accurate for small x, the second for large x. */
static lg_status cayley(const lg_group *G, double *out, const double *xi, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    const int n = q->n;
    const size_t nn = quadratic_maps_square(n);
    double *X = work, *M = X + nn, *rest = M + nn;
    if (too_large(q, xi)) return no_value(out, nn);
    if (!lg_all_finite(xi, q->dim)) return not_a_number(out, nn);
    if (resolvent(q, M, xi, rest) != LG_OK) return LG_ERROR_DOMAIN;
    lg_quadratic_hat(q, X, xi);
    const int large = lg_norm1(X, n) > 4.0;
    if (large)
        for (size_t i = 0; i < nn; i++) out[i] = 2.0 * M[i];
    else
        lg_matmul(out, M, X, n, n, n);
    for (int i = 0; i < n; i++) out[(size_t)i * (size_t)(n + 1)] += large ? -1.0 : 1.0;
    return large ? keep_on_group(q, out, work) : LG_OK;
}

/* cay^-1 Y = 2 (Y - e)(Y + e)^-1. */
static lg_status cayley_inv(const lg_group *G, double *out, const double *g, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    const int n = q->n;
    const size_t nn = quadratic_maps_square(n);
    double *minus = work, *plus = minus + nn, *inverse = plus + nn;
    double loss = 0;
    int *pivots = (int *)(void *)(inverse + nn);
    if (!lg_all_finite(g, (int)nn)) return not_a_number(out, (size_t)q->dim);
    memcpy(minus, g, nn * sizeof *minus);
    memcpy(plus, g, nn * sizeof *plus);
    for (int i = 0; i < n; i++) {
        minus[(size_t)i * (size_t)(n + 1)] -= 1.0;
        plus[(size_t)i * (size_t)(n + 1)] += 1.0;
    }
    if (invert(inverse, plus, n, pivots, &loss) != LG_OK || !(loss < 1.0)) return LG_ERROR_DOMAIN;
    lg_matmul(plus, minus, inverse, n, n, n);
    for (size_t i = 0; i < nn; i++) plus[i] *= 2.0;
    lg_quadratic_vee(q, out, plus);
    return LG_OK;
}

/* dcay_x y = (e - x/2)^-1 y (e + x/2)^-1; the second factor is the adjoint of the first. */
static lg_status dcay(const lg_group *G, double *out, const double *xi, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    const size_t nn = quadratic_maps_square(q->n);
    double *L = work, *R = L + nn, *rest = R + nn;
    if (too_large(q, xi)) return no_value(out, quadratic_maps_square(q->dim));
    if (!lg_all_finite(xi, q->dim)) return not_a_number(out, quadratic_maps_square(q->dim));
    if (resolvent(q, L, xi, rest) != LG_OK) return LG_ERROR_DOMAIN;
    lg_quadratic_adjoint(q, R, L, rest);
    lg_quadratic_sandwich(q, out, L, R, rest);
    return LG_OK;
}

/* dcay^-1_x y = (e - x/2) y (e + x/2). */
static lg_status dcay_inv(const lg_group *G, double *out, const double *xi, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    const size_t nn = quadratic_maps_square(q->n);
    double *L = work, *R = L + nn, *rest = R + nn;
    if (too_large(q, xi)) return no_value(out, quadratic_maps_square(q->dim));
    shifted(q, L, -1.0, xi);
    shifted(q, R, 1.0, xi);
    lg_quadratic_sandwich(q, out, L, R, rest);
    return LG_OK;
}

static lg_status dcay_inv_dual(const lg_group *G, double *out, const double *xi, const double *mu, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    const size_t nn = quadratic_maps_square(q->n);
    double *L = work, *R = L + nn, *rest = R + nn;
    if (too_large(q, xi)) return no_value(out, (size_t)q->dim);
    shifted(q, L, -1.0, xi);
    shifted(q, R, 1.0, xi);
    memmove(out, mu, (size_t)q->dim * sizeof *out);
    lg_quadratic_sandwich_dual(q, out, L, R, rest);
    return LG_OK;
}

/* <mu, L y R> = <N, L y R> with dL = -eta/2, dR = eta/2: the derivative along B_k pairs with y as
 * (L^T N B_k^T - B_k^T N R^T)/2. */
static lg_status dcay_inv_dual_derivative(const lg_group *G, double *out, const double *xi, const double *mu,
                                          void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    const int n = q->n;
    const size_t nn = quadratic_maps_square(n);
    double *N = work, *factor = N + nn, *V = factor + nn, *U = V + nn, *scratch = U + nn;
    if (too_large(q, xi)) return no_value(out, quadratic_maps_square(q->dim));
    lg_quadratic_covector(q, N, mu);
    shifted(q, scratch, -1.0, xi);
    lg_transpose(factor, scratch, n);
    lg_matmul(V, factor, N, n, n, n);
    shifted(q, scratch, 1.0, xi);
    lg_transpose(factor, scratch, n);
    lg_matmul(U, N, factor, n, n, n);
    lg_quadratic_bracket_dual(q, out, 0.5, V, U, scratch);
    return LG_OK;
}

/* ---- the descriptors ---- */

const lg_group_maps lg_quadratic_exp = {
    .tau = exponential,
    .tau_inv = logarithm,
    .dtau = dexp,
    .dtau_inv = dexp_inv,
    .dtau_inv_dual = dexp_inv_dual,
    .dtau_inv_dual_derivative = dexp_inv_dual_derivative,
};

const lg_group_maps lg_quadratic_cay = {
    .tau = cayley,
    .tau_inv = cayley_inv,
    .dtau = dcay,
    .dtau_inv = dcay_inv,
    .dtau_inv_dual = dcay_inv_dual,
    .dtau_inv_dual_derivative = dcay_inv_dual_derivative,
};
