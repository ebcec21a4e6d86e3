/* SPDX-License-Identifier: BSD-3-Clause */
/* A system larger than the catalog's, of dimension 17 with 5 constraints: its solves are those that small kernels do
 * not do, and that LAPACK with the processor's own kernels might. */
#include <math.h>
#include <stddef.h>

#include "bits.h"

enum { N = 17, ROWS = 5, STRENGTH = 0, COUPLING = 1 };

static const lg_group *space(void)
{
    return lg_rn(3);
}
static const lg_group *angles(void)
{
    return lg_torus(2);
}
static const lg_group *(*const factors[])(void) = {space, lg_se3, lg_so3, angles, lg_se2};
static const char *const coordinates[] = {"a", "b", "c", "phi", "psi"};

static const lg_parameter parameters[] = {{"k", "", "strength of the potential", 0.8, 0, INFINITY, 0},
                                          {"c", "", "coupling", 0.02, 0, 0.05, 0}};

/* Full, and diagonally dominant. */
static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    const double *param = c->param;
    (void)rows, (void)why;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) J[i * N + k] = i == k ? 1 + 0.1 * i : param[COUPLING] * ((i + k) % 3 + 1) / 3.0;
    return 0;
}

static int initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[0] = 0.2, g0[1] = -0.1, g0[9] = 1, g0[13] = 1; /* places in R^3, SE(3), SO(3), T^2, SE(2) */
    g0[14] = 0.3, g0[15] = -0.4, g0[18] = 1;
    for (int i = 0; i < N; i++) xi0[i] = 0.3 - 0.05 * (i % 7);
    return 0;
}

static int potential(const lg_call *c, const double *g, double *V)
{
    *V = c->param[STRENGTH] * (0.5 * (g[0] * g[0] + g[1] * g[1]) - lg_real_cos(g[14]) - lg_real_cos(g[14] - g[15]));
    return 0;
}

static int gradient(const lg_call *c, const double *g, double *dV)
{
    const double k = c->param[STRENGTH];
    dV[0] = k * g[0], dV[1] = k * g[1];
    dV[12] = k * (lg_real_sin(g[14]) + lg_real_sin(g[14] - g[15]));
    dV[13] = -k * lg_real_sin(g[14] - g[15]);
    return 0;
}

static int covectors(const lg_call *c, const double *g, double *mu, double *Y)
{
    double s, k;
    (void)c, (void)Y;
    lg_real_sincos(&s, &k, g[14]);
    for (int a = 0; a < ROWS; a++) mu[a * N + 3 * a] = 1, mu[a * N + 3 * a + 1] = 0.2;
    mu[2] = s, mu[N + 13] = k, mu[2 * N + 0] = 0.3 * s, mu[3 * N + 16] = g[0], mu[4 * N + 5] = k;
    return 0;
}

const lg_model_definition bits_large = {
    .size = sizeof(lg_model_definition),
    .name = "large",
    .summary = "dimension 17, 5 constraints",
    .source = "made up",
    .factor_count = 5,
    .factors = factors,
    .coordinate_names = coordinates,
    .parameter_count = 2,
    .parameters = parameters,
    .constraint_count = ROWS,
    .configure = configure,
    .initial = initial,
    .step = 0.01,
    .callbacks = {.potential = potential, .potential_gradient = gradient, .covectors = covectors},
};
