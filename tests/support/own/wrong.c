/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems with planted errors, which `liegrp verify --system` must find. */
#include "own.h"

static int unit(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 3; i++) J[i * 4] = 1;
    return 0;
}

static int start(const lg_call *c, double *g, double *xi)
{
    (void)c;
    g[0] = 0.5, g[1] = -0.2, g[2] = 0.8, g[3] = 0.6;
    xi[0] = 0.7, xi[1] = 0.1, xi[2] = -0.9;
    return 0;
}

static int bowl(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = (g[0] * g[0] + g[1] * g[1]) / 2;
    return 0;
}

/* In space axes, not in the body's. */
static int unturned(const lg_call *c, const double *g, double *out)
{
    (void)c;
    out[0] = g[0], out[1] = g[1];
    return 0;
}

static int rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[1] = 1, mu[2] = 0.3 * g[0];
    return 0;
}

/* Along eta x changes by cos eta_1 - sin eta_2; this forgets the second. */
static int rows_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)c, (void)dY;
    dmu[2] = 0.3 * g[2] * eta[0];
    return 0;
}

/* Depends on time without declaring it. */
static int secret(const lg_call *c, const double *g, double *V)
{
    *V = (g[0] * g[0] + g[1] * g[1]) / 2 * (1 + 0.5 * sin(c->t));
    return 0;
}

static int metric(const lg_call *c, const double *g, double *J)
{
    (void)c;
    J[0] = J[4] = 1 + 0.2 * g[0] * g[0], J[8] = 1;
    return 0;
}

static int metric_gradient(const lg_call *c, const double *g, const double *xi, double *out)
{
    const double k = 0.2 * g[0] * (xi[0] * xi[0] + xi[1] * xi[1]);
    (void)c;
    out[0] = k * g[2], out[1] = k * g[3]; /* the sign of the second */
    return 0;
}

#define COMMON .size = sizeof(lg_model_definition), .group = lg_se2, .configure = unit, .initial = start, .step = 0.02

static const lg_model_definition gradient = {
    COMMON,
    .name = "wrong-gradient",
    .callbacks = {.potential = bowl, .potential_gradient = unturned},
};

static const lg_model_definition derivative = {
    COMMON,
    .name = "wrong-derivative",
    .constraint_count = 1,
    .callbacks = {.covectors = rows, .covectors_derivative = rows_along},
};

static const lg_model_definition hidden_time = {
    COMMON,
    .name = "hidden-time",
    .callbacks = {.potential = secret},
};

static const lg_model_definition inertia = {
    COMMON,
    .name = "wrong-metric-gradient",
    .callbacks = {.metric = metric, .metric_gradient = metric_gradient},
};

const lg_model_definition *const own_wrong[] = {&gradient, &derivative, &hidden_time, &inertia, NULL};
