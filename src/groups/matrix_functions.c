/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of real matrices.
 * [H] N. Higham, "Functions of Matrices", SIAM 2008: exponential ch. 10, logarithm ch. 11, square root ch. 6. */
#include "groups/matrix_functions.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/lapack.h"

#define AT(A, n, i, j) (A)[(size_t)(i) * (size_t)(n) + (size_t)(j)]

static size_t matrix_functions_square(int n)
{
    return (size_t)n * (size_t)n;
}

/* ---- exponential ---- */

/* A <- A / 2^s with a norm of at most SCALED_NORM; returns s. Degree 19 then truncates phi_1 at 1.5^20/21! = 7e-17. */
#define SCALED_NORM 1.5

static int scale_down(double *A, int n)
{
    int s = 0;
    frexp(lg_norm1(A, n) / SCALED_NORM, &s);
    if (s <= 0) return 0;
    const double factor = ldexp(1.0, -s);
    for (size_t i = 0; i < matrix_functions_square(n); i++) A[i] *= factor;
    return s;
}

/* Phi = sum_{j<20} A^j/(j+1)! by Paterson and Stockmeyer, five blocks of four [H, 4.2]. Taylor instead of Pade: with a
 * norm below 1.5 it needs no linear solve and was measured to be a third more accurate on SO(4), SO(8), Sp(4). work: 4
 * n^2. */
static void phi1_taylor(double *Phi, const double *A, int n, double *work)
{
    static const double c[20] = {1.0,
                                 1.0 / 2,
                                 1.0 / 6,
                                 1.0 / 24,
                                 1.0 / 120,
                                 1.0 / 720,
                                 1.0 / 5040,
                                 1.0 / 40320,
                                 1.0 / 362880,
                                 1.0 / 3628800,
                                 1.0 / 39916800.,
                                 1.0 / 479001600.,
                                 1.0 / 6227020800.,
                                 1.0 / 87178291200.,
                                 1.0 / 1307674368000.,
                                 1.0 / 20922789888000.,
                                 1.0 / 355687428096000.,
                                 1.0 / 6402373705728000.,
                                 1.0 / 121645100408832000.,
                                 1.0 / 2432902008176640000.};
    const size_t nn = matrix_functions_square(n);
    double *A2 = work, *A3 = A2 + nn, *A4 = A3 + nn, *product = A4 + nn;
    lg_matmul(A2, A, A, n, n, n);
    lg_matmul(A3, A2, A, n, n, n);
    lg_matmul(A4, A2, A2, n, n, n);
    memset(product, 0, nn * sizeof *product);
    for (int block = 4; block >= 0; block--) {
        const double *b = c + 4 * block;
        if (block < 4) lg_matmul(product, Phi, A4, n, n, n);
        for (size_t i = 0; i < nn; i++) Phi[i] = product[i] + (b[3] * A3[i] + (b[2] * A2[i] + b[1] * A[i]));
        for (int i = 0; i < n; i++) AT(Phi, n, i, i) += b[0];
    }
}

/* With E = exp(A) - 1 = A phi_1(A), doubling is E <- 2 E + E^2, which keeps small entries accurate. */
void lg_expm(double *E, double *A, int n, double *work)
{
    const size_t nn = matrix_functions_square(n);
    if (!lg_all_finite(A, (int)nn)) {
        lg_fill_nan(E, (int)nn);
        return;
    }
    const int doublings = scale_down(A, n);
    double *product = work;
    phi1_taylor(E, A, n, work);
    lg_matmul(product, A, E, n, n, n);
    memcpy(E, product, nn * sizeof *E);
    for (int k = 0; k < doublings; k++) {
        lg_matmul(product, E, E, n, n, n);
        for (size_t i = 0; i < nn; i++) E[i] = 2.0 * E[i] + product[i];
    }
    for (int i = 0; i < n; i++) AT(E, n, i, i) += 1.0;
}

/* Doubling: phi(2A) = (1 + exp(A)) phi(A) / 2 = phi + E phi / 2 with E = exp(A) - 1 = A phi. The factor A multiplies
 * the errors of phi, by 2^k at the k-th doubling; after KEPT of them E is doubled by itself, E <- 2 E + E^2. */
#define KEPT 4

void lg_phi1(double *Phi, double *A, int n, double *work)
{
    const size_t nn = matrix_functions_square(n);
    if (!lg_all_finite(A, (int)nn)) {
        lg_fill_nan(Phi, (int)nn);
        return;
    }
    const int doublings = scale_down(A, n);
    double *E = work, *product = work + nn;
    phi1_taylor(Phi, A, n, work);
    for (int k = 0; k < doublings; k++) {
        if (k < KEPT) {
            lg_matmul(E, A, Phi, n, n, n);
        } else {
            lg_matmul(product, E, E, n, n, n);
            for (size_t i = 0; i < nn; i++) E[i] = 2.0 * E[i] + product[i];
        }
        lg_matmul(product, E, Phi, n, n, n);
        for (size_t i = 0; i < nn; i++) Phi[i] += 0.5 * product[i];
        for (size_t i = 0; i < nn; i++) A[i] *= 2.0;
    }
}

/* ---- square root ---- */

size_t lg_sqrtm_work(int n)
{
    return 3 * matrix_functions_square(n) + (size_t)n;
}

/* Product form of the Denman-Beavers iteration [H, (6.29)]: M -> 1, S -> A^(1/2). Quadratic: a step that starts with
 * |M - 1| < 1e-8 is the last one. */
lg_status lg_sqrtm(double *S, const double *A, int n, double *work)
{
    enum { LIMIT = 100 };
    const size_t nn = matrix_functions_square(n);
    double *M = work, *inverse = M + nn, *scratch = inverse + nn;
    int *pivots = (int *)(void *)(scratch + nn);
    memcpy(M, A, nn * sizeof *M);
    memcpy(S, A, nn * sizeof *S);
    for (int k = 0; k < LIMIT; k++) {
        double distance = 0.0;
        memcpy(scratch, M, nn * sizeof *M);
        if (lg_lu_factor(scratch, pivots, n) != LG_OK) return LG_ERROR_SINGULAR;
        lg_lu_inverse(inverse, scratch, pivots, n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) distance = fmax(distance, fabs(AT(M, n, i, j) - (i == j)));
        lg_matmul(scratch, S, inverse, n, n, n);
        for (size_t i = 0; i < nn; i++) S[i] = 0.5 * (S[i] + scratch[i]);
        for (size_t i = 0; i < nn; i++) M[i] = 0.25 * (M[i] + inverse[i]);
        for (int i = 0; i < n; i++) AT(M, n, i, i) += 0.5;
        if (distance < 1e-8) return lg_all_finite(S, (int)nn) ? LG_OK : LG_ERROR_CONVERGENCE;
    }
    return LG_ERROR_CONVERGENCE;
}

/* ---- logarithm ---- */

/* Real Schur form of the column-major matrix T (T on return), with vectors Z if Z is not NULL. */
static int real_schur(double *T, double *Z, double *wr, double *wi, int n, double *work)
{
    lapack_int sorted = 0;
    return LAPACKE_dgees_work(LAPACK_COL_MAJOR, Z != NULL ? 'V' : 'N', 'N', NULL, n, T, n, &sorted, wr, wi, Z, n, work,
                              3 * n, NULL);
}

int lg_has_negative_eigenvalue(const double *A, int n, double *work)
{
    double *T = work, *wr = T + matrix_functions_square(n), *wi = wr + n, *rest = wi + n;
    memcpy(T, A, matrix_functions_square(n) * sizeof *T);
    const double noise = 8.0 * n * DBL_EPSILON * lg_norm1(A, n);
    if (real_schur(T, NULL, wr, wi, n, rest) != 0) return 1;
    for (int i = 0; i < n; i++)
        if (wr[i] <= 0.0 && fabs(wi[i]) <= noise) return 1;
    return 0;
}

static double distance_to_identity(const double *A, int n)
{
    double largest = 0.0;
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) sum += fabs(AT(A, n, i, j) - (i == j));
        largest = fmax(largest, sum);
    }
    return largest;
}

/* Where the series below is used: then |z| <= 1/3, and 17 terms truncate at 3^-34/35 = 2e-18. */
#define SERIES_RADIUS 0.5

/* log A = 2 artanh z = 2 (z + z^3/3 + z^5/5 + ...), z = (A - 1)(A + 1)^-1. A is kept. work: 3 n^2 + n. */
static lg_status log_series(double *X, const double *A, int n, double *work)
{
    enum { TERMS = 17 };
    const size_t nn = matrix_functions_square(n);
    double *z = work, *z2 = z + nn, *product = z2 + nn;
    int *pivots = (int *)(void *)(product + nn);
    lg_transpose(z2, A, n); /* a row of z solves (A + 1)^T z = row of A - 1 */
    memcpy(z, A, nn * sizeof *z);
    for (int i = 0; i < n; i++) {
        AT(z2, n, i, i) += 1.0;
        AT(z, n, i, i) -= 1.0;
    }
    if (lg_lu_factor(z2, pivots, n) != LG_OK) return LG_ERROR_DOMAIN;
    lg_lu_solve_rows(z2, pivots, n, z, n);
    lg_matmul(z2, z, z, n, n, n);
    memset(X, 0, nn * sizeof *X);
    for (int k = TERMS - 1; k >= 0; k--) { /* X = sum of z^(2k)/(2k+1) */
        lg_matmul(product, X, z2, n, n, n);
        memcpy(X, product, nn * sizeof *X);
        for (int i = 0; i < n; i++) AT(X, n, i, i) += 1.0 / (2 * k + 1);
    }
    lg_matmul(product, X, z, n, n, n);
    for (size_t i = 0; i < nn; i++) X[i] = 2.0 * product[i];
    return LG_OK;
}

/* Inverse scaling and squaring [H, 11.5]: log A = 2^s log A^(1/2^s). */
lg_status lg_logm(double *X, const double *A, int n, double *work)
{
    enum { LIMIT = 60 };
    const size_t nn = matrix_functions_square(n);
    double *root = work, *next = root + nn, *rest = next + nn;
    double factor = 1.0;
    memcpy(root, A, nn * sizeof *root);
    if (distance_to_identity(A, n) > SERIES_RADIUS && lg_has_negative_eigenvalue(A, n, rest)) return LG_ERROR_DOMAIN;
    for (int s = 0; distance_to_identity(root, n) > SERIES_RADIUS; s++) {
        if (s == LIMIT || lg_sqrtm(next, root, n, rest) != LG_OK) return LG_ERROR_DOMAIN;
        memcpy(root, next, nn * sizeof *root);
        factor *= 2.0;
    }
    const lg_status status = log_series(X, root, n, rest);
    for (size_t i = 0; i < nn; i++) X[i] *= factor;
    return status;
}

/* ---- logarithm of a rotation ---- */

/* Angle of the plane (i, j), whose block of T is a rotation up to roundoff (T column-major). Only trace and skew part
 * are invariant under an orthogonal change of the plane's basis; using both, this holds up to pi. */
static double plane_angle(const double *T, int n, int i, int j)
{
    return atan2(0.5 * (AT(T, n, i, j) - AT(T, n, j, i)), 0.5 * (AT(T, n, i, i) + AT(T, n, j, j)));
}

/* X += angle (z_j z_i^T - z_i z_j^T) with the columns z of Z (column-major: rows of the array). */
static void add_plane(double *X, const double *Z, int n, int i, int j, double angle)
{
    const double *zi = &AT(Z, n, i, 0), *zj = &AT(Z, n, j, 0);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) AT(X, n, r, c) += angle * (zj[r] * zi[c] - zi[r] * zj[c]);
}

/* Real Schur form R = Z T Z^T: for a rotation T is block diagonal up to roundoff. Real eigenvalues -1 come in pairs. */
lg_status lg_log_rotation(double *X, const double *R, int n, double *work)
{
    if (distance_to_identity(R, n) <= SERIES_RADIUS) return log_series(X, R, n, work);
    double *T = work, *Z = T + matrix_functions_square(n), *wr = Z + matrix_functions_square(n), *wi = wr + n,
           *rest = wi + n;
    int waiting = -1; /* an eigenvalue -1 that still lacks its partner */
    lg_transpose(T, R, n);
    if (real_schur(T, Z, wr, wi, n, rest) != 0) return LG_ERROR_DOMAIN;
    memset(X, 0, matrix_functions_square(n) * sizeof *X);
    for (int i = 0; i < n; i++) {
        if (wi[i] != 0.0 && i + 1 < n) {
            add_plane(X, Z, n, i, i + 1, plane_angle(T, n, i, i + 1));
            i++;
        } else if (AT(T, n, i, i) < 0.0) {
            if (waiting >= 0) add_plane(X, Z, n, waiting, i, plane_angle(T, n, waiting, i));
            waiting = waiting >= 0 ? -1 : i;
        }
    }
    return waiting < 0 ? LG_OK : LG_ERROR_DOMAIN;
}
