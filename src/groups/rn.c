/* SPDX-License-Identifier: BSD-3-Clause */
/* R^n: vectors under addition. Every retraction is the identity and every tangent the identity matrix. The operations
 * that T^n shares are in abelian.h. */
#include "groups/abelian.h"
#include "groups/blocks.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static lg_status rn_compose(const lg_group *G, double *r, const double *a, const double *b, void *work)
{
    (void)work;
    for (int i = 0; i < G->dim; i++) r[i] = a[i] + b[i];
    return LG_OK;
}

static lg_status rn_inverse(const lg_group *G, double *r, const double *a, void *work)
{
    (void)work;
    for (int i = 0; i < G->dim; i++) r[i] = -a[i];
    return LG_OK;
}

/* The (n+1) x (n+1) matrix [[1, q], [0, 1]] and its algebra [[0, v], [0, 0]]. */
static void rn_fill(double *X, const double *v, int n, double diagonal)
{
    size_t N = (size_t)n + 1;
    for (int i = n - 1; i >= 0; i--) X[(size_t)i * N + (size_t)n] = v[i];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            if (j != N - 1 || i == N - 1) X[i * N + j] = i == j ? diagonal : 0;
}

static lg_status matrix(const lg_group *G, double *X, const double *v, double diagonal, void *work)
{
    double *copy = work;
    memcpy(copy, v, (size_t)G->dim * sizeof *v);
    rn_fill(X, copy, G->dim, diagonal);
    return LG_OK;
}

static lg_status rn_hat(const lg_group *G, double *X, const double *xi, void *work)
{
    return matrix(G, X, xi, 0, work);
}

static lg_status rn_to_matrix(const lg_group *G, double *X, const double *g, void *work)
{
    return matrix(G, X, g, 1, work);
}

static lg_status last_column(const lg_group *G, double *v, const double *X, void *work)
{
    (void)work;
    for (int i = 0; i < G->dim; i++) v[i] = X[(size_t)i * (size_t)(G->dim + 1) + (size_t)G->dim];
    return LG_OK;
}

/* All columns but the last must be those of the identity, to within 1/2 in total; a NaN in them does not vanish. */
static lg_status rn_from_matrix(const lg_group *G, double *g, const double *X, void *work)
{
    int N = G->dim + 1;
    double off = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (j < N - 1 || i == N - 1) off += fabs(X[i * N + j] - (i == j));
    if (off > 0.5) return LG_ERROR_DOMAIN;
    lg_status_ignore(last_column(G, g, X, work));
    if (isnan(off)) g[0] = NAN;
    return LG_OK;
}

static const lg_group_maps maps = {lg_abelian_copy, lg_abelian_copy,   lg_abelian_unit,
                                   lg_abelian_unit, lg_abelian_second, lg_abelian_zero2};

static const lg_group_block rn_blocks[] = {{.kind = LG_BLOCK_VECTOR}};

/* clang-format off */
#define RN(n)                                                                                                          \
    {                                                                                                                  \
        .size = sizeof(lg_group), .name = "R^" #n, .kind = LG_KIND_RN, .dim = n, .element_size = n,                    \
        .matrix_size = n + 1,                                                                                          \
        .abelian = 1, .work_bytes = n * sizeof(double), .identity = lg_abelian_identity, .compose = rn_compose,           \
        .inverse = rn_inverse, .Ad = lg_abelian_unit, .ad = lg_abelian_zero, .coAd = lg_abelian_second, .hat = rn_hat,       \
        .vee = last_column, .to_matrix = rn_to_matrix, .from_matrix = rn_from_matrix, .residual = lg_blocks_residual,                  \
        .project = lg_abelian_copy,                                                                                    \
        .random = lg_blocks_random, .exp = &maps, .cay = &maps, .block_count = 1, .blocks = rn_blocks                       \
    }
/* clang-format on */

static const lg_group table[LG_ABELIAN_TABLE] = {RN(1),  RN(2),  RN(3),  RN(4),  RN(5),  RN(6),  RN(7),  RN(8),
                                                 RN(9),  RN(10), RN(11), RN(12), RN(13), RN(14), RN(15), RN(16),
                                                 RN(17), RN(18), RN(19), RN(20), RN(21), RN(22), RN(23), RN(24),
                                                 RN(25), RN(26), RN(27), RN(28), RN(29), RN(30), RN(31), RN(32)};

const lg_group *lg_rn(int n)
{
    return n >= 1 && n <= LG_ABELIAN_TABLE ? &table[n - 1] : NULL;
}

lg_status lg_group_create_rn(lg_group **G, int n)
{
    return lg_abelian_create(G, &table[0], 'R', n, n < INT_MAX ? n + 1 : n); /* it refuses such an n */
}
