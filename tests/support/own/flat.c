/* SPDX-License-Identifier: BSD-3-Clause */
/* On R^n and T^n: without and with rows, drift, a metric that varies, friction; very large, very small, and at rest. */
#include "own.h"

static const lg_group *line(void)
{
    return lg_rn(1);
}

static const lg_group *plane(void)
{
    return lg_rn(2);
}

static const lg_group *space(void)
{
    return lg_rn(3);
}

static const lg_group *four(void)
{
    return lg_rn(4);
}

static const lg_group *angle(void)
{
    return lg_torus(1);
}

static const lg_group *angles(void)
{
    return lg_torus(2);
}

static int unit_4(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 4; i++) J[i * 5] = 1;
    return 0;
}

static int unit_3(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 3; i++) J[i * 4] = 1;
    return 0;
}

static int unit_2(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = J[3] = 1;
    return 0;
}

static int unit_1(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = 1;
    return 0;
}

/* Four coupled oscillators, without a gradient. */
static int lattice_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = 0;
    for (int i = 0; i < 4; i++) {
        const double d = q[(i + 1) % 4] - q[i];
        *V += q[i] * q[i] / 2 + d * d * d * d / 4;
    }
    return 0;
}

static int lattice_start(const lg_call *c, double *q, double *v)
{
    (void)c;
    q[0] = 0.8, q[2] = -0.3, v[1] = 0.5;
    return 0;
}

static const lg_model_definition lattice = {
    .size = sizeof(lg_model_definition),
    .name = "lattice",
    .summary = "four coupled oscillators",
    .group = four,
    .configure = unit_4,
    .initial = lattice_start,
    .step = 0.05,
    .callbacks = {.potential = lattice_V},
};

/* Nothing acts at all. */
static int glide_start(const lg_call *c, double *q, double *v)
{
    (void)c, (void)q;
    v[0] = 1, v[1] = -0.4;
    return 0;
}

static const lg_model_definition glider = {
    .size = sizeof(lg_model_definition),
    .name = "glider",
    .summary = "free particle of the plane",
    .group = plane,
    .configure = unit_2,
    .initial = glide_start,
    .step = 0.1,
};

/* A pendulum that hangs: nothing moves. */
static int hanging_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = -9.81 * cos(q[0]);
    return 0;
}

static int hanging_start(const lg_call *c, double *q, double *v)
{
    (void)c, (void)q, (void)v;
    return 0;
}

static const lg_model_definition hanging = {
    .size = sizeof(lg_model_definition),
    .name = "hanging",
    .summary = "pendulum at rest in its equilibrium",
    .group = angle,
    .configure = unit_1,
    .initial = hanging_start,
    .step = 0.02,
    .callbacks = {.potential = hanging_V},
};

/* The system, released from rest. */
static int dropped_start(const lg_call *c, double *q, double *v)
{
    (void)c, (void)v;
    q[0] = 2;
    return 0;
}

static const lg_model_definition dropped = {
    .size = sizeof(lg_model_definition),
    .name = "dropped",
    .summary = "pendulum that is let go",
    .group = angle,
    .configure = unit_1,
    .initial = dropped_start,
    .step = 0.02,
    .callbacks = {.potential = hanging_V},
};

/* A double pendulum in absolute angles: the metric varies, no derivative is given. */
static int clock_metric(const lg_call *c, const double *q, double *J)
{
    (void)c;
    J[0] = 2, J[3] = 1;
    J[1] = J[2] = cos(q[0] - q[1]);
    return 0;
}

static int clock_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = -9.81 * (2 * cos(q[0]) + cos(q[1]));
    return 0;
}

static int clock_start(const lg_call *c, double *q, double *v)
{
    (void)c;
    q[0] = 0.7, q[1] = -0.2, v[0] = 0.3;
    return 0;
}

static const lg_model_definition clock_work = {
    .size = sizeof(lg_model_definition),
    .name = "clock-work",
    .summary = "double pendulum in absolute angles",
    .group = angles,
    .configure = unit_2,
    .initial = clock_start,
    .step = 0.01,
    .callbacks = {.metric = clock_metric, .potential = clock_V},
};

/* A row and a drift that change with time. */
static int belt_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    mu[0] = -sin(q[1]), mu[2] = 1 + 0.2 * cos(c->t);
    Y[0] = 0.3 * sin(2 * c->t), Y[2] = 0.5 + 0.1 * q[0];
    return 0;
}

static int belt_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) / 2;
    return 0;
}

static int belt_dV(const lg_call *c, const double *q, double *out)
{
    (void)c;
    for (int i = 0; i < 3; i++) out[i] = q[i];
    return 0;
}

static int belt_start(const lg_call *c, double *q, double *v)
{
    (void)c;
    q[0] = 0.4, q[1] = 0.6, v[0] = 0.5, v[1] = 0.2;
    return 0;
}

static const lg_model_definition belt = {
    .size = sizeof(lg_model_definition),
    .name = "belt",
    .summary = "particle on a belt whose speed and direction change",
    .group = space,
    .constraint_count = 1,
    .configure = unit_3,
    .initial = belt_start,
    .step = 0.05,
    .callbacks = {.potential = belt_V, .potential_gradient = belt_dV, .covectors = belt_rows, .time_dependent = 1},
};

/* Friction, and a drive. */
static int shaker_force(const lg_call *c, const double *q, const double *v, double *f)
{
    f[0] = -0.8 * v[0] - q[0] + cos(1.3 * c->t), f[1] = -0.5 * v[1] * fabs(v[1]) + 0.2 * v[0];
    return 0;
}

static int shaker_start(const lg_call *c, double *q, double *v)
{
    (void)c;
    q[0] = 1, v[0] = 0.2, v[1] = 0.7;
    return 0;
}

static const lg_model_definition shaker = {
    .size = sizeof(lg_model_definition),
    .name = "shaker",
    .summary = "damped and driven",
    .group = plane,
    .configure = unit_2,
    .initial = shaker_start,
    .step = 0.05,
    .callbacks = {.force = shaker_force, .time_dependent = 1},
};

/* The earth about the sun, in kg, m and s. */
static const double GM = 1.32712440018e20, earth = 5.972e24;

static int planet_mass(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 3; i++) J[i * 4] = earth;
    return 0;
}

static int planet_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = -GM * earth / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    return 0;
}

static int planet_dV(const lg_call *c, const double *q, double *out)
{
    const double r2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
    (void)c;
    for (int i = 0; i < 3; i++) out[i] = GM * earth * q[i] / (r2 * sqrt(r2));
    return 0;
}

static int planet_start(const lg_call *c, double *q, double *v)
{
    (void)c;
    q[0] = 1.47098e11, v[1] = 3.029e4;
    return 0;
}

static const lg_model_definition planet = {
    .size = sizeof(lg_model_definition),
    .name = "planet",
    .summary = "the earth about the sun in SI units",
    .group = space,
    .configure = planet_mass,
    .initial = planet_start,
    .step = 86400,
    .callbacks = {.potential = planet_V, .potential_gradient = planet_dV},
};

/* Two coordinates that a row couples, with a metric that varies: a mass of its own at every place. */
static int slope_metric(const lg_call *c, const double *q, double *J)
{
    (void)c;
    J[0] = 1 + q[0] * q[0], J[4] = 2 + sin(q[2]), J[8] = 1.5;
    J[1] = J[3] = 0.3 * q[1];
    return 0;
}

static int slope_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = cos(q[2]), mu[1] = sin(q[2]), mu[2] = 0.1;
    return 0;
}

static const lg_model_definition valley = {
    .size = sizeof(lg_model_definition),
    .name = "valley",
    .summary = "a knife edge with a metric that varies",
    .group = space,
    .constraint_count = 1,
    .configure = unit_3,
    .initial = belt_start,
    .step = 0.05,
    .callbacks = {.metric = slope_metric, .potential = belt_V, .potential_gradient = belt_dV, .covectors = slope_rows},
};

/* An ellipsoid, x^2 + 2 y^2 + 3 z^2 = 1, with weight. */
static int ellipsoid_phi(const lg_call *c, const double *q, double *phi)
{
    (void)c;
    phi[0] = q[0] * q[0] + 2 * q[1] * q[1] + 3 * q[2] * q[2] - 1;
    return 0;
}

static int ellipsoid_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = 9.81 * q[2];
    return 0;
}

static int ellipsoid_start(const lg_call *c, double *q, double *v)
{
    (void)c;
    q[0] = 1, v[1] = 0.8, v[2] = 0.3;
    return 0;
}

static const lg_model_definition marble = {
    .size = sizeof(lg_model_definition),
    .name = "marble",
    .summary = "mass on an ellipsoid",
    .group = space,
    .configure = unit_3,
    .initial = ellipsoid_start,
    .step = 0.01,
    .callbacks = {.holonomic_count = 1, .holonomic = ellipsoid_phi, .potential = ellipsoid_V},
};

/* A stiff spring: 6 steps a period. */
static int stiff_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = 5000 * q[0] * q[0] + q[0] * q[0] * q[0] * q[0];
    return 0;
}

static int stiff_dV(const lg_call *c, const double *q, double *out)
{
    (void)c;
    out[0] = 10000 * q[0] + 4 * q[0] * q[0] * q[0];
    return 0;
}

static int stiff_start(const lg_call *c, double *q, double *v)
{
    (void)c;
    q[0] = 1, v[0] = 20;
    return 0;
}

static const lg_model_definition stiff = {
    .size = sizeof(lg_model_definition),
    .name = "stiff",
    .summary = "a spring for which the default step is long",
    .group = line,
    .configure = unit_1,
    .initial = stiff_start,
    .callbacks = {.potential = stiff_V, .potential_gradient = stiff_dV},
};

/* x' = 1 and (1 - x/8) y' = 0: the rows become dependent at t = 8, where no method can continue. */
static int finite_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c;
    mu[0] = 1, mu[3] = 1, mu[4] = 1 - q[0] / 8;
    Y[0] = 1;
    return 0;
}

static int finite_mass(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = J[4] = J[8] = 1;
    return 0;
}

static int finite_start(const lg_call *c, double *q, double *v)
{
    (void)c;
    q[2] = 0.5;
    v[0] = 1, v[2] = 0.3;
    return 0;
}

static int finite_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = q[2] * q[2] / 2;
    return 0;
}

static const lg_model_definition finite = {
    .size = sizeof(lg_model_definition),
    .name = "finite",
    .summary = "a motion that ends where rows become dependent",
    .group = space,
    .constraint_count = 2,
    .configure = finite_mass,
    .initial = finite_start,
    .step = 0.01,
    .callbacks = {.covectors = finite_rows, .potential = finite_V},
};

const lg_model_definition *const own_flat[] = {&lattice, &glider, &hanging, &dropped, &clock_work, &belt, &shaker,
                                               &planet,  &valley, &marble,  &stiff,   &finite,     NULL};
