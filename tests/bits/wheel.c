/* SPDX-License-Identifier: BSD-3-Clause */
/* A wheel that rolls upright, with its two angles as unit complex numbers: SO(2) x SO(2) x R^2, which no system of the
 * catalog has. */
#include <math.h>
#include <stddef.h>

#include "bits.h"

enum { RADIUS = 0, STRENGTH = 1 };

static const lg_group *plane(void)
{
    return lg_rn(2);
}
static const lg_group *(*const factors[])(void) = {lg_so2, lg_so2, plane};
static const char *const coordinates[] = {"x", "y"};

static const lg_parameter parameters[] = {{"r", "", "radius", 0.7, 0, INFINITY, 1},
                                          {"k", "", "strength of the potential", 0.8, 0, INFINITY, 0}};

/* Of turning, of rolling, and the mass. */
static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)rows, (void)why;
    J[0] = 0.3, J[5] = 0.5 * c->param[RADIUS] * c->param[RADIUS], J[10] = J[15] = 1;
    return 0;
}

static int initial(const lg_call *c, double *g0, double *xi0)
{
    g0[0] = 0.8, g0[1] = 0.6, g0[2] = -1, g0[4] = 0.2;
    xi0[0] = 1.1, xi0[1] = 0.9;
    xi0[2] = c->param[RADIUS] * xi0[1] * g0[0], xi0[3] = c->param[RADIUS] * xi0[1] * g0[1];
    return 0;
}

/* A slope along x, and a weight on the rim. */
static int potential(const lg_call *c, const double *g, double *V)
{
    *V = c->param[STRENGTH] * (0.1 * g[4] - g[2]);
    return 0;
}

static int gradient(const lg_call *c, const double *g, double *dV)
{
    dV[1] = c->param[STRENGTH] * g[3];
    dV[2] = 0.1 * c->param[STRENGTH];
    return 0;
}

/* No slip: (x, y)' = r psi' (cos theta, sin theta). */
static int covectors(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)Y;
    mu[1] = -c->param[RADIUS] * g[0], mu[2] = 1;
    mu[4 + 1] = -c->param[RADIUS] * g[1], mu[4 + 3] = 1;
    return 0;
}

const lg_model_definition bits_wheel = {
    .size = sizeof(lg_model_definition),
    .name = "wheel",
    .summary = "an upright wheel on SO(2) x SO(2) x R^2",
    .source = "made up",
    .factor_count = 3,
    .factors = factors,
    .coordinate_names = coordinates,
    .parameter_count = 2,
    .parameters = parameters,
    .constraint_count = 2,
    .configure = configure,
    .initial = initial,
    .step = 0.02,
    .callbacks = {.potential = potential, .potential_gradient = gradient, .covectors = covectors},
};
