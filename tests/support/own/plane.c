/* SPDX-License-Identifier: BSD-3-Clause */
/* On SE(2), SO(2) and products with them. */
#include "own.h"

static int body(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = 1.5, J[4] = 1.1, J[8] = 0.7, J[5] = J[7] = 0.2;
    return 0;
}

static int blade(const lg_call *c, double *J, double *rows, char *why)
{
    rows[1] = 1, rows[2] = 0.1;
    return body(c, J, rows, why);
}

static int start(const lg_call *c, double *g, double *xi)
{
    (void)c;
    g[0] = 0.5, g[1] = -0.2, g[2] = 0.8, g[3] = 0.6;
    xi[0] = 0.7, xi[1] = 0.1, xi[2] = -0.9;
    return 0;
}

/* Springs to the origin, and one that turns. */
static int springs(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = (g[0] * g[0] + 1.5 * g[1] * g[1]) / 2 - 0.4 * g[2] + 0.1 * g[0] * g[3];
    return 0;
}

static const lg_model_definition puck = {
    .size = sizeof(lg_model_definition),
    .name = "puck",
    .summary = "smooth motion of a body in the plane",
    .group = lg_se2,
    .configure = body,
    .initial = start,
    .step = 0.02,
    .callbacks = {.potential = springs},
};

static const lg_model_definition skate = {
    .size = sizeof(lg_model_definition),
    .name = "skate",
    .summary = "the same on a blade",
    .group = lg_se2,
    .constraint_count = 1,
    .has_constant_rows = 1,
    .configure = blade,
    .initial = start,
    .step = 0.02,
    .callbacks = {.potential = springs},
};

/* A robot of some micrometres: 1e-15 kg, 1e-6 m, 1e-6 s. */
static int micro(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)why;
    J[0] = J[4] = 1e-15, J[8] = 3e-28;
    rows[1] = 1;
    return 0;
}

static int micro_start(const lg_call *c, double *g, double *xi)
{
    (void)c;
    g[0] = 1e-6, g[2] = 1;
    xi[0] = 1, xi[2] = 4e5;
    return 0;
}

static int micro_V(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = 1e-3 * (g[0] * g[0] + g[1] * g[1]) / 2;
    return 0;
}

static int micro_dV(const lg_call *c, const double *g, double *out)
{
    (void)c;
    out[0] = 1e-3 * (g[2] * g[0] + g[3] * g[1]);
    out[1] = 1e-3 * (g[2] * g[1] - g[3] * g[0]);
    return 0;
}

static const lg_model_definition microbe = {
    .size = sizeof(lg_model_definition),
    .name = "microbe",
    .summary = "a robot of some micrometres",
    .group = lg_se2,
    .constraint_count = 1,
    .has_constant_rows = 1,
    .configure = micro,
    .initial = micro_start,
    .step = 1e-7,
    .callbacks = {.potential = micro_V, .potential_gradient = micro_dV},
};

/* A unicycle: SE(2) x T^1, two rows that do not depend on the place; motor and brake. */
static const lg_group *wheel(void)
{
    return lg_torus(1);
}

static const lg_group *(*const plane_and_wheel[])(void) = {lg_se2, wheel};

static int unicycle_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)why;
    J[0] = J[5] = 2, J[10] = 0.4, J[15] = 0.1;
    rows[0] = 1, rows[3] = -0.3;
    rows[5] = 1;
    return 0;
}

static int unicycle_start(const lg_call *c, double *g, double *xi)
{
    (void)c;
    g[2] = 1;
    xi[0] = 0.3, xi[2] = 0.5, xi[3] = 1;
    return 0;
}

static int unicycle_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g;
    f[2] = c->control[0] - 0.1 * xi[2];
    f[3] = c->control[1] + 0.3 - 0.2 * xi[3];
    return 0;
}

static const lg_model_definition unicycle = {
    .size = sizeof(lg_model_definition),
    .name = "unicycle",
    .summary = "a wheel that turns and rolls, with a motor",
    .factor_count = 2,
    .factors = plane_and_wheel,
    .constraint_count = 2,
    .has_constant_rows = 1,
    .configure = unicycle_configure,
    .initial = unicycle_start,
    .step = 0.05,
    .callbacks = {.control_count = 2, .force = unicycle_force},
};

/* A hand of a clock on SO(2) with a weight, and a cart: SO(2) x R^1, the metric varies. */
static const lg_group *line(void)
{
    return lg_rn(1);
}

static const lg_group *(*const hand_and_cart[])(void) = {lg_so2, line};

static int cart_metric(const lg_call *c, const double *g, double *J)
{
    (void)c;
    J[0] = 1, J[3] = 3;
    J[1] = J[2] = g[0];
    return 0;
}

static int cart_none(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)J, (void)rows, (void)why;
    return 0;
}

static int cart_start(const lg_call *c, double *g, double *xi)
{
    (void)c;
    g[0] = 0.6, g[1] = 0.8;
    xi[0] = 0.5, xi[1] = 0.2;
    return 0;
}

static int cart_V(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = -g[0] + g[2] * g[2] / 2;
    return 0;
}

static const lg_model_definition cart = {
    .size = sizeof(lg_model_definition),
    .name = "cart",
    .summary = "a pendulum on a cart with a spring",
    .factor_count = 2,
    .factors = hand_and_cart,
    .configure = cart_none,
    .initial = cart_start,
    .step = 0.02,
    .callbacks = {.metric = cart_metric, .potential = cart_V},
};

/* A cart that a drum pulls, R^1 x SO(2): x' = (1 + sin(theta)/2) theta', and one angle has two numbers. */
static const lg_group *(*const cart_and_drum[])(void) = {line, lg_so2};

static int winch_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = 1, J[3] = 0.7;
    return 0;
}

static int winch_start(const lg_call *c, double *g, double *xi)
{
    (void)c;
    g[1] = 0.8, g[2] = 0.6;
    xi[0] = 0.65, xi[1] = 0.5;
    return 0;
}

static int winch_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = 1, mu[1] = -1 - g[2] / 2;
    return 0;
}

static const lg_model_definition winch = {
    .size = sizeof(lg_model_definition),
    .name = "winch",
    .summary = "a cart that an eccentric drum pulls",
    .factor_count = 2,
    .factors = cart_and_drum,
    .constraint_count = 1,
    .configure = winch_configure,
    .initial = winch_start,
    .step = 0.05,
    .callbacks = {.covectors = winch_rows},
};

const lg_model_definition *const own_plane[] = {&puck, &skate, &microbe, &unicycle, &cart, &winch, NULL};
