/* SPDX-License-Identifier: BSD-3-Clause */
/* On SO(3), SE(3) and products with them. */
#include "own.h"

static int inertia(const lg_call *c, double *J, double *rows, char *why)
{
    static const double diagonal[3] = {1.2, 0.9, 1.6};
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 3; i++) J[i * 4] = diagonal[i];
    return 0;
}

static int turned(const lg_call *c, double *g, double *xi)
{
    (void)c;
    g[0] = 0.2, g[1] = -0.4, g[2] = 0.4, g[3] = 0.8;
    xi[0] = 0.3, xi[1] = 1.1, xi[2] = -0.5;
    return 0;
}

/* Thrusters, and air. */
static int thrusters(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g;
    for (int i = 0; i < 3; i++) f[i] = c->control[i] - 0.05 * xi[i];
    return 0;
}

static const lg_model_definition satellite = {
    .size = sizeof(lg_model_definition),
    .name = "satellite",
    .summary = "attitude with thrusters",
    .group = lg_so3,
    .configure = inertia,
    .initial = turned,
    .step = 0.05,
    .callbacks = {.control_count = 3, .force = thrusters},
};

/* A homogeneous ball that spins: the metric is bi-invariant, every method is exact. */
static int ball_inertia(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 3; i++) J[i * 4] = 2;
    return 0;
}

static const lg_model_definition ball = {
    .size = sizeof(lg_model_definition),
    .name = "ball",
    .summary = "a homogeneous ball that spins",
    .group = lg_so3,
    .configure = ball_inertia,
    .initial = turned,
    .step = 0.1,
};

/* A homogeneous ball on a turning plane: R^2 x SO(3), v = omega x r + Omega x x. */
static const lg_group *plane(void)
{
    return lg_rn(2);
}

static const lg_group *(*const plane_and_ball[])(void) = {plane, lg_so3};

static int table_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = J[6] = 1;
    for (int i = 2; i < 5; i++) J[i * 6] = 0.4;
    return 0;
}

/* Rows: x' - r omega_2 = -Omega y, y' + r omega_1 = Omega x in space; omega in space is R times that in the body. */
static int table_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const double *q = g + 2, x = q[0], y = q[1], z = q[2], w = q[3];
    const double first[3] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)};
    const double second[3] = {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)};
    (void)c;
    mu[0] = mu[6] = 1;
    for (int i = 0; i < 3; i++) mu[2 + i] = -second[i], mu[7 + i] = first[i];
    Y[0] = -0.5 * g[1], Y[1] = 0.5 * g[0];
    return 0;
}

static int table_start(const lg_call *c, double *g, double *xi)
{
    (void)c;
    g[0] = 0.4, g[1] = 0.1, g[5] = 1;
    xi[0] = 0.2, xi[3] = 0.5, xi[4] = 0.7;
    return 0;
}

static const lg_model_definition table = {
    .size = sizeof(lg_model_definition),
    .name = "table",
    .summary = "a homogeneous ball on a turning plane",
    .factor_count = 2,
    .factors = plane_and_ball,
    .constraint_count = 2,
    .configure = table_configure,
    .initial = table_start,
    .step = 0.05,
    .callbacks = {.covectors = table_rows},
};

/* A body in water: SE(3), heavier across than along, buoyancy above its centre. */
static int submarine_configure(const lg_call *c, double *J, double *rows, char *why)
{
    static const double diagonal[6] = {2, 3, 3.5, 0.5, 1.2, 1.4};
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 6; i++) J[i * 7] = diagonal[i];
    return 0;
}

static int submarine_start(const lg_call *c, double *g, double *xi)
{
    (void)c;
    g[3] = 0.1, g[4] = 0.1, g[5] = 0.7, g[6] = 0.7;
    xi[0] = 0.8, xi[1] = 0.1, xi[3] = 0.2, xi[5] = 0.3;
    return 0;
}

static int buoyancy(const lg_call *c, const double *g, double *V)
{
    const double *q = g + 3;
    (void)c;
    *V = -0.6 * (1 - 2 * (q[0] * q[0] + q[1] * q[1]));
    return 0;
}

static const lg_model_definition submarine = {
    .size = sizeof(lg_model_definition),
    .name = "submarine",
    .summary = "a body in water",
    .group = lg_se3,
    .configure = submarine_configure,
    .initial = submarine_start,
    .step = 0.05,
    .callbacks = {.potential = buoyancy},
};

/* A gyroscope in a gimbal: phi = the height of its axis, R_33 = 0.5, by a holonomic constraint on SO(3). */
static int gimbal_phi(const lg_call *c, const double *g, double *phi)
{
    (void)c;
    phi[0] = 1 - 2 * (g[0] * g[0] + g[1] * g[1]) - 0.5;
    return 0;
}

static int gimbal_V(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = 0.8 * (2 * (g[0] * g[2] + g[3] * g[1]));
    return 0;
}

static int gimbal_start(const lg_call *c, double *g, double *xi)
{
    (void)c;
    g[0] = 0.5, g[3] = sqrt(0.75);
    xi[2] = 2, xi[1] = 0.4;
    return 0;
}

static const lg_model_definition gimbal = {
    .size = sizeof(lg_model_definition),
    .name = "gimbal",
    .summary = "a top whose axis keeps its height",
    .group = lg_so3,
    .configure = inertia,
    .initial = gimbal_start,
    .step = 0.02,
    .callbacks = {.holonomic_count = 1, .holonomic = gimbal_phi, .potential = gimbal_V},
};

const lg_model_definition *const own_space[] = {&satellite, &ball, &table, &submarine, &gimbal, NULL};
