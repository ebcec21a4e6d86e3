/* SPDX-License-Identifier: BSD-3-Clause */
#include "claims/ferraro2015/reduced.h"

/* Two systems with a metric that couples M and G, on R^2 x SO(3) and R^2 x SE(2), linear and affine -----------------
 */

static const lg_group *plane(void)
{
    return lg_rn(2);
}

static const lg_group *(*const attitudes[])(void) = {plane, lg_so3};
static const lg_group *(*const motions[])(void) = {plane, lg_se2};

static int mixed_configure(const lg_call *c, double *J, double *rows, char *why)
{
    static const double diagonal[5] = {2, 2.4, 1, 1.3, 1.7};
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 5; i++) J[i * 6] = diagonal[i];
    J[0 * 5 + 1] = J[1 * 5 + 0] = 0.2;
    J[0 * 5 + 2] = J[2 * 5 + 0] = 0.3;
    J[1 * 5 + 3] = J[3 * 5 + 1] = -0.4;
    J[1 * 5 + 4] = J[4 * 5 + 1] = 0.25;
    J[2 * 5 + 3] = J[3 * 5 + 2] = 0.1;
    return 0;
}

static int mixed_potential(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = g[0] * g[0] / 2 + g[1] * g[1] + g[0] * g[1] / 3;
    return 0;
}

static int mixed_gradient(const lg_call *c, const double *g, double *out)
{
    (void)c;
    out[0] = g[0] + g[1] / 3;
    out[1] = 2 * g[1] + g[0] / 3;
    return 0;
}

static int mixed_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const double x = g[0], y = g[1];
    (void)c, (void)Y;
    mu[0] = 1, mu[1] = x, mu[2] = -1 - y / 2, mu[4] = sin(y);
    mu[6] = 1, mu[7] = cos(x), mu[8] = x * y, mu[9] = 1;
    return 0;
}

static int mixed_affine_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    Y[0] = -g[1] / 2, Y[1] = g[0] / 2, Y[3] = 0.2;
    return mixed_rows(c, g, mu, Y);
}

static int on_attitudes(const lg_call *c, double *g, double *xi)
{
    const double turn[3] = {0.4, -0.3, 0.7}, xi0[5] = {0.4, -0.3, 0.5, 0.7, -0.6};
    (void)c;
    g[0] = 0.3, g[1] = -0.5;
    memcpy(xi, xi0, sizeof xi0);
    return lg_group_exp(lg_so3(), g + 2, turn) != LG_OK;
}

static int on_motions(const lg_call *c, double *g, double *xi)
{
    const double move[3] = {0.4, -0.3, 0.7};
    if (on_attitudes(c, g, xi)) return 1;
    return lg_group_exp(lg_se2(), g + 2, move) != LG_OK;
}

#define MIXED(title, groups, from, rows)                                                                               \
    {                                                                                                                  \
        .size = sizeof(lg_model_definition), .name = title, .summary = "coupled metric, reducible", .factor_count = 2, \
        .factors = groups, .constraint_count = 2, .configure = mixed_configure, .initial = from,                       \
        .callbacks.potential = mixed_potential, .callbacks.potential_gradient = mixed_gradient,                        \
        .callbacks.covectors = rows, .step = 0.1                                                                       \
    }

static const lg_model_definition mixed[] = {
    MIXED("reduced-so3", attitudes, on_attitudes, mixed_rows),
    MIXED("reduced-so3-affine", attitudes, on_attitudes, mixed_affine_rows),
    MIXED("reduced-se2", motions, on_motions, mixed_rows),
    MIXED("reduced-se2-affine", motions, on_motions, mixed_affine_rows),
};

const lg_model_definition *reduced_example(int i)
{
    return i >= 0 && i < (int)(sizeof mixed / sizeof mixed[0]) ? &mixed[i] : NULL;
}

/* Reducible systems ------------------------------------------------------------------------------------------------ */

int reduced_split(const claim_system *s, int *in_G)
{
    int at = 0, count = 0;
    for (int k = 0; k < lg_group_factor_count(s->G); k++) {
        const lg_group *F = lg_group_factor(s->G, k);
        for (int i = 0; i < lg_group_dim(F); i++) in_G[at++] = !F->abelian;
        count += F->abelian ? 0 : lg_group_dim(F);
    }
    return count;
}

int reduced_invariant(const claim_system *s, const int *in_G)
{
    double A[2][CLAIM_ROWS * CLAIM_DIM], b[2][CLAIM_ROWS], dV[2][CLAIM_DIM], xi[CLAIM_DIM], g[CLAIM_ELEMENT];
    lg_rng rng = {41};
    for (int k = 0; k < 4; k++) {
        memcpy(g, s->g0, sizeof g);
        for (int end = 0; end < 2; end++) {
            for (int i = 0; i < s->n; i++) xi[i] = (end == 1) == in_G[i] ? 0.4 * lg_rng_normal(&rng) : 0;
            double move[CLAIM_ELEMENT];
            if (lg_group_exp(s->G, move, xi) != LG_OK || lg_group_compose(s->G, g, g, move) != LG_OK) return 0;
            claim_rows(s, 0, g, A[end], b[end]);
            claim_gradient(s, 0, g, dV[end]);
        }
        if (claim_gap(A[0], A[1], s->m * s->n) > 1e-12 || claim_gap(b[0], b[1], s->m) > 1e-12) return 0;
        if (claim_gap(dV[0], dV[1], s->n) > 1e-9) return 0;
        for (int i = 0; i < s->n; i++)
            if (in_G[i] && fabs(dV[0][i]) > 1e-9) return 0;
    }
    return 1;
}
