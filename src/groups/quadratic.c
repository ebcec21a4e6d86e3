/* SPDX-License-Identifier: BSD-3-Clause */
/* Quadratic groups Y^T P Y = P, elements n x n matrices, row-major: the group operations.
 * [G] the theory page on groups, section 2. [M] D. Mackey, N. Mackey, F. Tisseur, "Structured factorizations in scalar
 * product spaces", SIAM J. Matrix Anal. Appl. 27 (2006): generalised polar decomposition. */
#include "groups/quadratic.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "groups/matrix_functions.h"

#define AT(A, n, i, j) (A)[(size_t)(i) * (size_t)(n) + (size_t)(j)]

static size_t quadratic_square(int n)
{
    return (size_t)n * (size_t)n;
}

/* ---- the basis ---- */

static double pair_with(const lg_quadratic *q, const double *M, int k)
{
    double sum = 0.0;
    for (int e = q->first[k]; e < q->first[k + 1]; e++)
        sum += q->entry[e].value * AT(M, q->n, q->entry[e].row, q->entry[e].column);
    return sum;
}

void lg_quadratic_hat(const lg_quadratic *q, double *X, const double *xi)
{
    memset(X, 0, quadratic_square(q->n) * sizeof *X);
    for (int k = 0; k < q->dim; k++)
        for (int e = q->first[k]; e < q->first[k + 1]; e++)
            AT(X, q->n, q->entry[e].row, q->entry[e].column) += q->entry[e].value * xi[k];
}

void lg_quadratic_vee(const lg_quadratic *q, double *xi, const double *X)
{
    for (int k = 0; k < q->dim; k++) xi[k] = q->weight[k] * pair_with(q, X, k);
}

void lg_quadratic_covector(const lg_quadratic *q, double *M, const double *p)
{
    memset(M, 0, quadratic_square(q->n) * sizeof *M);
    for (int k = 0; k < q->dim; k++)
        for (int e = q->first[k]; e < q->first[k + 1]; e++)
            AT(M, q->n, q->entry[e].row, q->entry[e].column) += q->entry[e].value * (q->weight[k] * p[k]);
}

void lg_quadratic_adjoint(const lg_quadratic *q, double *out, const double *M, double *scratch)
{
    const int n = q->n;
    if (q->image != NULL) { /* P e_image[i] = sign[i] e_i only moves and signs the entries of M^T */
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) AT(out, n, q->image[i], q->image[j]) = q->sign[i] * q->sign[j] * AT(M, n, j, i);
        return;
    }
    lg_transpose(out, M, n);
    lg_matmul(scratch, q->P_inverse, out, n, n, n);
    lg_matmul(out, scratch, q->P, n, n, n);
}

/* Column k is vee(X B_k - B_k X); an entry b e_r e_c^T of B_k gives b (X e_r e_c^T - e_r e_c^T X). */
void lg_quadratic_ad(const lg_quadratic *q, double *out, const double *X, double *scratch)
{
    const int n = q->n, d = q->dim;
    for (int k = 0; k < d; k++) {
        memset(scratch, 0, quadratic_square(n) * sizeof *scratch);
        for (int e = q->first[k]; e < q->first[k + 1]; e++) {
            const lg_quadratic_entry *b = &q->entry[e];
            for (int i = 0; i < n; i++) {
                AT(scratch, n, i, b->column) += b->value * AT(X, n, i, b->row);
                AT(scratch, n, b->row, i) -= b->value * AT(X, n, b->column, i);
            }
        }
        for (int l = 0; l < d; l++) AT(out, d, l, k) = q->weight[l] * pair_with(q, scratch, l);
    }
}

/* Column k is vee(L B_k R); an entry b e_r e_c^T of B_k gives b (column r of L)(row c of R). */
void lg_quadratic_sandwich(const lg_quadratic *q, double *out, const double *L, const double *R, double *scratch)
{
    const int n = q->n, d = q->dim;
    for (int k = 0; k < d; k++) {
        memset(scratch, 0, quadratic_square(n) * sizeof *scratch);
        for (int e = q->first[k]; e < q->first[k + 1]; e++) {
            const lg_quadratic_entry *b = &q->entry[e];
            for (int i = 0; i < n; i++) {
                const double left = b->value * AT(L, n, i, b->row);
                for (int j = 0; j < n; j++) AT(scratch, n, i, j) += left * AT(R, n, b->column, j);
            }
        }
        for (int l = 0; l < d; l++) AT(out, d, l, k) = q->weight[l] * pair_with(q, scratch, l);
    }
}

/* <p, vee(L B R)> = <M, L B R> = <L^T M R^T, B>, evaluated as (R (L^T M)^T)^T. */
void lg_quadratic_sandwich_dual(const lg_quadratic *q, double *p, const double *L, const double *R, double *work)
{
    const int n = q->n;
    double *first = work, *second = work + quadratic_square(n);
    lg_quadratic_covector(q, first, p);
    lg_transpose(first, first, n);
    lg_matmul(second, first, L, n, n, n); /* M^T L = (L^T M)^T */
    lg_matmul(first, R, second, n, n, n);
    lg_transpose(first, first, n);
    for (int k = 0; k < q->dim; k++) p[k] = pair_with(q, first, k);
}

void lg_quadratic_bracket_dual(const lg_quadratic *q, double *out, double c, const double *V, const double *U,
                               double *scratch)
{
    const int n = q->n, d = q->dim;
    for (int k = 0; k < d; k++) {
        memset(scratch, 0, quadratic_square(n) * sizeof *scratch);
        for (int e = q->first[k]; e < q->first[k + 1]; e++) {
            const lg_quadratic_entry *b = &q->entry[e];
            for (int i = 0; i < n; i++) {
                AT(scratch, n, i, b->row) += b->value * AT(V, n, i, b->column);
                AT(scratch, n, b->column, i) -= b->value * AT(U, n, b->row, i);
            }
        }
        for (int l = 0; l < d; l++) AT(out, d, l, k) = c * pair_with(q, scratch, l);
    }
}

/* ---- identity, compose, inverse ---- */

static lg_status quadratic_identity(const lg_group *G, double *g)
{
    lg_set_identity(g, lg_quadratic_of(G)->n);
    return LG_OK;
}

static lg_status quadratic_compose(const lg_group *G, double *out, const double *a, const double *b, void *work)
{
    const int n = lg_quadratic_of(G)->n;
    double *product = work;
    lg_matmul(product, a, b, n, n, n);
    memcpy(out, product, quadratic_square(n) * sizeof *out);
    return LG_OK;
}

static lg_status quadratic_inverse(const lg_group *G, double *out, const double *g, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    double *result = work, *scratch = result + quadratic_square(q->n);
    lg_quadratic_adjoint(q, result, g, scratch);
    memcpy(out, result, quadratic_square(q->n) * sizeof *out);
    return LG_OK;
}

/* ---- hat, vee, matrices ---- */

static lg_status quadratic_hat(const lg_group *G, double *out, const double *in, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    double *X = work;
    lg_quadratic_hat(q, X, in);
    memcpy(out, X, quadratic_square(q->n) * sizeof *out);
    return LG_OK;
}

static lg_status quadratic_vee(const lg_group *G, double *out, const double *in, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    double *xi = work;
    lg_quadratic_vee(q, xi, in);
    memcpy(out, xi, (size_t)q->dim * sizeof *out);
    return LG_OK;
}

static lg_status quadratic_to_matrix(const lg_group *G, double *out, const double *in, void *work)
{
    (void)work;
    memmove(out, in, quadratic_square(lg_quadratic_of(G)->n) * sizeof *out);
    return LG_OK;
}

/* ---- Ad, ad, Ad* ---- */

static lg_status quadratic_Ad(const lg_group *G, double *out, const double *g, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    double *Y = work, *Y_inverse = Y + quadratic_square(q->n), *scratch = Y_inverse + quadratic_square(q->n);
    memcpy(Y, g, quadratic_square(q->n) * sizeof *Y);
    lg_quadratic_adjoint(q, Y_inverse, Y, scratch);
    lg_quadratic_sandwich(q, out, Y, Y_inverse, scratch);
    return LG_OK;
}

static lg_status quadratic_ad(const lg_group *G, double *out, const double *xi, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    double *X = work, *scratch = X + quadratic_square(q->n);
    lg_quadratic_hat(q, X, xi);
    lg_quadratic_ad(q, out, X, scratch);
    return LG_OK;
}

static lg_status coAd(const lg_group *G, double *out, const double *g, const double *p, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    double *Y = work, *Y_inverse = Y + quadratic_square(q->n), *scratch = Y_inverse + quadratic_square(q->n);
    memcpy(Y, g, quadratic_square(q->n) * sizeof *Y);
    lg_quadratic_adjoint(q, Y_inverse, Y, scratch);
    memmove(out, p, (size_t)q->dim * sizeof *out);
    lg_quadratic_sandwich_dual(q, out, Y, Y_inverse, scratch);
    return LG_OK;
}

/* ---- validity, projection, random elements ---- */

void lg_quadratic_defect(const lg_quadratic *q, double *F, const double *Y, double *scratch)
{
    const int n = q->n;
    lg_matmul(scratch, q->P, Y, n, n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += AT(Y, n, k, i) * AT(scratch, n, k, j);
            AT(F, n, i, j) = sum - AT(q->P, n, i, j);
        }
}

/* Sign of det Y; 0: singular. work: n^2 + n. */
static int determinant_sign(const double *Y, int n, double *work)
{
    int *pivots = (int *)(void *)(work + quadratic_square(n));
    memcpy(work, Y, quadratic_square(n) * sizeof *work);
    return lg_lu_factor(work, pivots, n) == LG_OK ? lg_lu_sign(work, pivots, n) : 0;
}

/* The largest entry of Y^T P Y - P; a reflection is off by the 2 that separates det = -1 from det = 1. */
static double quadratic_residual(const lg_group *G, const double *g, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    double *F = work, *scratch = F + quadratic_square(q->n);
    lg_quadratic_defect(q, F, g, scratch);
    const double largest = lg_norm_max(F, (int)quadratic_square(q->n));
    if (!q->proper || isnan(largest) || determinant_sign(g, q->n, F) >= 0) return largest;
    return fmax(largest, 2.0);
}

/* P^T = +-P: Newton's iteration Y <- (Y + (Y^-1)*)/2 for the factor W of the polar decomposition Y = W S, S* = S [M].
 * It is quadratic: a change below 1e-8 is the last one. */
static lg_status polar(const lg_quadratic *q, double *Y, double *work)
{
    enum { LIMIT = 100 };
    const int n = q->n;
    double *LU = work, *inverted = LU + quadratic_square(n), *dual = inverted + quadratic_square(n);
    int *pivots = (int *)(void *)(dual + quadratic_square(n));
    for (int k = 0; k < LIMIT; k++) {
        double change = 0.0, size = 0.0;
        memcpy(LU, Y, quadratic_square(n) * sizeof *LU);
        if (lg_lu_factor(LU, pivots, n) != LG_OK) return LG_ERROR_DOMAIN;
        lg_lu_inverse(inverted, LU, pivots, n);
        lg_quadratic_adjoint(q, dual, inverted, LU);
        for (size_t i = 0; i < quadratic_square(n); i++) {
            const double next = 0.5 * (Y[i] + dual[i]);
            change = fmax(change, fabs(next - Y[i]));
            size = fmax(size, fabs(next));
            Y[i] = next;
        }
        if (!isfinite(size)) return LG_ERROR_DOMAIN;
        if (change <= 1e-8 * size) return LG_OK;
    }
    return LG_ERROR_DOMAIN;
}

/* General P: Gauss-Newton on Y (1 - delta), where delta is the least solution of delta^T P + P delta = Y^T P Y - P. */
static lg_status gauss_newton(const lg_quadratic *q, double *Y, double *work)
{
    enum { LIMIT = 50 };
    const int n = q->n, nn = (int)quadratic_square(n);
    double *F = work, *delta = F + nn, *scratch = delta + nn;
    for (int k = 0; k < LIMIT; k++) {
        lg_quadratic_defect(q, F, Y, scratch);
        lg_matvec(delta, q->correction, F, nn, nn);
        lg_matmul(scratch, Y, delta, n, n, n);
        for (int i = 0; i < nn; i++) Y[i] -= scratch[i];
        const double change = lg_norm_max(delta, nn);
        if (!isfinite(change)) return LG_ERROR_DOMAIN;
        if (change <= 1e-8) return LG_OK;
    }
    return LG_ERROR_DOMAIN;
}

lg_status lg_quadratic_project(const lg_quadratic *q, double *Y, double *work)
{
    const int n = q->n, nn = (int)quadratic_square(n);
    if (!lg_all_finite(Y, nn)) {
        lg_fill_nan(Y, nn);
        return LG_OK;
    }
    const lg_status status = q->correction != NULL ? gauss_newton(q, Y, work) : polar(q, Y, work);
    if (status != LG_OK) return status;
    const double size = lg_norm_max(Y, nn);
    lg_quadratic_defect(q, work, Y, work + nn); /* Y was not near the group: the limit is off it */
    if (!(lg_norm_max(work, nn) <= 1e-7 * fmax(size * size, 1.0) * lg_norm_max(q->P, nn))) return LG_ERROR_DOMAIN;
    return !q->proper || determinant_sign(Y, n, work) > 0 ? LG_OK : LG_ERROR_DOMAIN;
}

static lg_status quadratic_project(const lg_group *G, double *out, const double *in, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    double *Y = work;
    memcpy(Y, in, quadratic_square(q->n) * sizeof *Y);
    const lg_status status = lg_quadratic_project(q, Y, Y + quadratic_square(q->n));
    if (status == LG_OK) memcpy(out, Y, quadratic_square(q->n) * sizeof *out);
    return status;
}

/* Haar measure on SO(n): the polar factor of a matrix of independent normals is Haar on O(n), since the density and
 * the factor follow orthogonal transformations from either side; a row changes sign where det = -1. */
static void random_rotation(const lg_quadratic *q, double *Y, lg_rng *rng, double *work)
{
    const int n = q->n;
    lg_quadratic plain = *q; /* polar() with P = 1 */
    double *identity_matrix = work, *scratch = work + quadratic_square(n);
    lg_set_identity(identity_matrix, n);
    plain.image = NULL;
    plain.P = plain.P_inverse = identity_matrix;
    do {
        for (size_t i = 0; i < quadratic_square(n); i++) Y[i] = lg_rng_normal(rng);
    } while (polar(&plain, Y, scratch) != LG_OK);
    if (determinant_sign(Y, n, scratch) < 0)
        for (int j = 0; j < n; j++) Y[j] = -Y[j];
}

static lg_status quadratic_random_element(const lg_group *G, double *g, lg_rng *rng, void *work)
{
    const lg_quadratic *q = lg_quadratic_of(G);
    const int n = q->n;
    double *scratch = work;
    if (q->form == LG_FORM_GENERAL) {
        double *xi = scratch, *rest = scratch + q->dim;
        for (int k = 0; k < q->dim; k++) xi[k] = lg_rng_normal(rng);
        return lg_quadratic_exp.tau(G, g, xi, rest);
    }
    random_rotation(q, g, rng, scratch);
    if (q->form == LG_FORM_DEFINITE) { /* Y = K^-T Q K^T */
        double *transposed = scratch, *product = scratch + quadratic_square(n);
        lg_transpose(transposed, q->root_inverse, n);
        lg_matmul(product, transposed, g, n, n, n);
        lg_transpose(transposed, q->root, n);
        lg_matmul(g, product, transposed, n, n, n);
    }
    return LG_OK;
}

/* ---- the descriptor ---- */

/* The operations with the largest scratch: dexp^-1 and the derivative of its dual, 6 dim^2 + 4 dim + 4 n^2; the
 * logarithm, 8 n^2 + 8 n + dim, and dexp^-1 again for its correction. */
size_t lg_quadratic_work(int n, int dim)
{
    return 7 * quadratic_square(dim) + 4 * (size_t)dim + 9 * quadratic_square(n) + 12 * (size_t)n;
}

void lg_quadratic_bind(lg_group *G)
{
    G->identity = quadratic_identity;
    G->compose = quadratic_compose;
    G->inverse = quadratic_inverse;
    G->Ad = quadratic_Ad;
    G->ad = quadratic_ad;
    G->coAd = coAd;
    G->hat = quadratic_hat;
    G->vee = quadratic_vee;
    G->to_matrix = quadratic_to_matrix;
    G->from_matrix = quadratic_project;
    G->residual = quadratic_residual;
    G->project = quadratic_project;
    G->random = quadratic_random_element;
    G->exp = &lg_quadratic_exp;
    G->cay = &lg_quadratic_cay;
}
