/* SPDX-License-Identifier: BSD-3-Clause */
/* T^n: angles in (-pi, pi] under addition modulo 2 pi. The matrix representation is block diagonal, one plane rotation
 * per angle. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include <liegrp/base/elementary.h>

#include "groups/abelian.h"
#include "groups/blocks.h"
#include "groups/nearest.h"

static lg_status wrap(const lg_group *G, double *r, const double *a, void *work)
{
    (void)work;
    for (int i = 0; i < G->dim; i++) r[i] = lg_wrap(a[i]);
    return LG_OK;
}

static lg_status torus_compose(const lg_group *G, double *r, const double *a, const double *b, void *work)
{
    (void)work;
    for (int i = 0; i < G->dim; i++) r[i] = lg_wrap(a[i] + b[i]);
    return LG_OK;
}

static lg_status torus_inverse(const lg_group *G, double *r, const double *a, void *work)
{
    (void)work;
    for (int i = 0; i < G->dim; i++) r[i] = lg_wrap(-a[i]);
    return LG_OK;
}

/* 2 x 2 blocks [[c, -s], [s, c]]. */
static void put(double *X, int n, int i, double c, double s)
{
    size_t N = 2 * (size_t)n, k = 2 * (size_t)i;
    X[k * N + k] = X[(k + 1) * N + k + 1] = c;
    X[k * N + k + 1] = -s;
    X[(k + 1) * N + k] = s;
}

static lg_status torus_hat(const lg_group *G, double *X, const double *xi, void *work)
{
    double *v = work;
    memcpy(v, xi, (size_t)G->dim * sizeof *v);
    memset(X, 0, 4 * (size_t)G->dim * (size_t)G->dim * sizeof *X);
    for (int i = 0; i < G->dim; i++) put(X, G->dim, i, 0, v[i]);
    return LG_OK;
}

static lg_status torus_to_matrix(const lg_group *G, double *X, const double *g, void *work)
{
    double *v = work;
    memcpy(v, g, (size_t)G->dim * sizeof *v);
    memset(X, 0, 4 * (size_t)G->dim * (size_t)G->dim * sizeof *X);
    for (int i = 0; i < G->dim; i++) {
        double s, c;
        lg_real_sincos(&s, &c, v[i]);
        put(X, G->dim, i, c, s);
    }
    return LG_OK;
}

/* The skew part of each block. */
static lg_status torus_vee(const lg_group *G, double *xi, const double *X, void *work)
{
    size_t N = 2 * (size_t)G->dim;
    (void)work;
    for (int i = 0; i < G->dim; i++) {
        size_t k = 2 * (size_t)i;
        xi[i] = 0.5 * (X[(k + 1) * N + k] - X[k * N + k + 1]);
    }
    return LG_OK;
}

static lg_status torus_from_matrix(const lg_group *G, double *g, const double *X, void *work)
{
    size_t N = 2 * (size_t)G->dim;
    double *angle = work;
    for (int i = 0; i < G->dim; i++) {
        const double *b = X + 2 * (size_t)i * N + 2 * (size_t)i;
        double cs[2];
        if (lane_plane_rotation(cs, b[0], b[1], b[N], b[N + 1])) return LG_ERROR_DOMAIN;
        angle[i] = lg_wrap(lg_real_atan2(cs[1], cs[0]));
    }
    memcpy(g, angle, (size_t)G->dim * sizeof *g);
    return LG_OK;
}

static double torus_residual(const lg_group *G, const double *g, void *work)
{
    double most = 0;
    (void)work;
    for (int i = 0; i < G->dim; i++) {
        double off = fabs(g[i]) - LG_PI;
        if (g[i] == -LG_PI) off = 2 * LG_PI;
        if (!(off <= most)) most = off;
        if (isnan(off)) return off;
    }
    return most;
}

static const lg_group_maps maps = {
    wrap, lg_abelian_copy, lg_abelian_unit, lg_abelian_unit, lg_abelian_second, lg_abelian_zero2};

static const lg_group_block torus_blocks[] = {{.kind = LG_BLOCK_ANGLES}};

/* clang-format off */
#define TN(n)                                                                                                          \
    {                                                                                                                  \
        .size = sizeof(lg_group), .name = "T^" #n, .kind = LG_KIND_TORUS, .dim = n, .element_size = n,                 \
        .matrix_size = 2 * n,                                                                                          \
        .abelian = 1, .work_bytes = n * sizeof(double), .identity = lg_abelian_identity, .compose = torus_compose,           \
        .inverse = torus_inverse, .Ad = lg_abelian_unit, .ad = lg_abelian_zero, .coAd = lg_abelian_second, .hat = torus_hat,       \
        .vee = torus_vee, .to_matrix = torus_to_matrix, .from_matrix = torus_from_matrix, .residual = torus_residual, .project = wrap,         \
        .random = lg_blocks_random, .exp = &maps, .cay = &maps, .block_count = 1, .blocks = torus_blocks                       \
    }
/* clang-format on */

static const lg_group table[LG_ABELIAN_TABLE] = {TN(1),  TN(2),  TN(3),  TN(4),  TN(5),  TN(6),  TN(7),  TN(8),
                                                 TN(9),  TN(10), TN(11), TN(12), TN(13), TN(14), TN(15), TN(16),
                                                 TN(17), TN(18), TN(19), TN(20), TN(21), TN(22), TN(23), TN(24),
                                                 TN(25), TN(26), TN(27), TN(28), TN(29), TN(30), TN(31), TN(32)};

const lg_group *lg_torus(int n)
{
    return n >= 1 && n <= LG_ABELIAN_TABLE ? &table[n - 1] : NULL;
}

lg_status lg_group_create_torus(lg_group **G, int n)
{
    return lg_abelian_create(G, &table[0], 'T', n, n <= INT_MAX / 2 ? 2 * n : n); /* it refuses such an n */
}
