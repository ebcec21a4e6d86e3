/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues, determinants and solves through LAPACK, and the matrix of a step. */
#include <lapacke.h>

#include "claims/framework/harness.h"

enum { MOST = 2 * CLAIM_DIM };

int claim_eigenvalues(int n, const double *A, double *re, double *im)
{
    double copy[MOST * MOST];
    if (n > MOST) return 0;
    memcpy(copy, A, (size_t)(n * n) * sizeof *copy);
    return LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, copy, n, re, im, NULL, n, NULL, n) == 0;
}

double claim_determinant(int n, const double *A)
{
    double copy[MOST * MOST], det = 1;
    lapack_int pivot[MOST];
    if (n > MOST) return NAN;
    memcpy(copy, A, (size_t)(n * n) * sizeof *copy);
    if (LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, copy, n, pivot) < 0) return NAN;
    for (int i = 0; i < n; i++) det *= copy[i * n + i] * (pivot[i] == i + 1 ? 1 : -1);
    return det;
}

int claim_solve(int n, const double *A, const double *b, double *x)
{
    double copy[MOST * MOST], right[MOST];
    lapack_int pivot[MOST];
    if (n > MOST) return 0;
    memcpy(copy, A, (size_t)(n * n) * sizeof *copy);
    memcpy(right, b, (size_t)n * sizeof *right);
    if (LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, copy, n, pivot, right, 1) != 0) return 0;
    memcpy(x, right, (size_t)n * sizeof *x);
    return 1;
}

int claim_step_matrix(claim_report *r, const claim_system *s, const lg_integrator *it, double *M)
{
    const int n2 = 2 * s->n;
    double big[(MOST + CLAIM_ROWS) * (MOST + 32)];
    lg_linearisation *lin = NULL;
    lg_status status = lg_linearisation_create(&lin, it);
    int ok, columns;
    if (status == LG_OK) status = lg_linearisation_compute(lin, it);
    columns = lg_linearisation_columns(lin);
    if (status == LG_OK && columns > MOST + 32) status = LG_ERROR_UNSUPPORTED;
    if (status == LG_OK) status = lg_linearisation_jacobian(lin, big);
    ok = claim_ok(r, status, "derivative of a step", lg_linearisation_message(lin));
    lg_linearisation_destroy(lin);
    for (int i = 0; ok && i < n2; i++) memcpy(M + i * n2, big + i * columns, (size_t)n2 * sizeof *M);
    return ok;
}
