/* SPDX-License-Identifier: BSD-3-Clause */
/* The level sets of theorem 4.3 of [P1]: a plane, a circle, and a sphere times a line with every feature of a
 * system. */
#include "claims/cortes2001/level_sets.h"

#include <math.h>
#include <string.h>

static const lg_group *r2(void)
{
    return lg_rn(2);
}

static const lg_group *r4(void)
{
    return lg_rn(4);
}

static int unit_inertia(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 4; i++) J[5 * i] = 1;
    return 0;
}

static int plane_potential(const lg_call *c, const double *v, double *V)
{
    (void)c;
    *V = v[0] * v[0] + v[1] * v[1] + v[3] * v[3];
    return 0;
}

static int plane_gradient(const lg_call *c, const double *v, double *dV)
{
    (void)c;
    dV[0] = 2 * v[0], dV[1] = 2 * v[1], dV[3] = 2 * v[3];
    return 0;
}

static int plane_rows(const lg_call *c, const double *v, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = -v[1], mu[2] = 1;
    return 0;
}

static int plane(const lg_call *c, const double *v, double *phi)
{
    (void)c;
    *phi = v[3] - 0.5 * v[0] + 0.3 * v[1] - 0.2 * v[2];
    return 0;
}

static int plane_differential(const lg_call *c, const double *v, double *d)
{
    (void)c, (void)v;
    d[0] = -0.5, d[1] = 0.3, d[2] = -0.2, d[3] = 1;
    return 0;
}

static int plane_initial(const lg_call *c, double *v, double *w)
{
    (void)c;
    v[0] = 0.3, v[1] = -0.2, v[2] = 0.5, v[3] = 0.5 * 0.3 + 0.3 * 0.2 + 0.2 * 0.5;
    w[0] = 0.9, w[1] = 0.6, w[2] = -0.18, w[3] = 0.234;
    return 0;
}

static int circle_inertia(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = J[3] = 1;
    return 0;
}

static int circle_potential(const lg_call *c, const double *v, double *V)
{
    (void)c;
    *V = -3 * v[0];
    return 0;
}

static int circle_gradient(const lg_call *c, const double *v, double *dV)
{
    (void)c, (void)v;
    dV[0] = -3;
    return 0;
}

static int circle(const lg_call *c, const double *v, double *phi)
{
    (void)c;
    *phi = (v[0] * v[0] + v[1] * v[1] - 1) / 2;
    return 0;
}

static int circle_differential(const lg_call *c, const double *v, double *d)
{
    (void)c;
    d[0] = v[0], d[1] = v[1];
    return 0;
}

static int circle_initial(const lg_call *c, double *v, double *w)
{
    (void)c;
    v[0] = cos(0.9), v[1] = sin(0.9);
    w[0] = -0.5 * sin(0.9), w[1] = 0.5 * cos(0.9);
    return 0;
}

static int no_inertia(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)J, (void)rows, (void)why;
    return 0;
}

static int sphere_metric(const lg_call *c, const double *v, double *M)
{
    (void)c;
    M[0] = 1 + 0.3 * v[3] * v[3], M[5] = 1.4, M[10] = 1.1, M[15] = 0.8 + 0.5 * v[0] * v[0];
    M[1] = M[4] = 0.2 * v[2];
    return 0;
}

static int sphere_metric_gradient(const lg_call *c, const double *v, const double *u, double *dT)
{
    (void)c;
    dT[0] = 0.5 * v[0] * u[3] * u[3], dT[2] = 0.2 * u[0] * u[1], dT[3] = 0.3 * v[3] * u[0] * u[0];
    return 0;
}

static int sphere_potential(const lg_call *c, const double *v, double *V)
{
    (void)c;
    *V = v[2] / 2 + v[3] * v[3] / 2 + v[0] * v[3] / 3;
    return 0;
}

static int sphere_gradient(const lg_call *c, const double *v, double *dV)
{
    (void)c;
    dV[0] = v[3] / 3, dV[2] = 0.5, dV[3] = v[3] + v[0] / 3;
    return 0;
}

static int sphere_rows(const lg_call *c, const double *v, double *mu, double *Y)
{
    (void)c;
    mu[0] = -v[1], mu[1] = -v[2] / 2, mu[3] = 1;
    Y[0] = -0.2 * v[1], Y[1] = 0.2 * v[0], Y[3] = 0.1 * v[2]; /* tangent */
    return 0;
}

static int sphere(const lg_call *c, const double *v, double *phi)
{
    (void)c;
    *phi = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - 1) / 2;
    return 0;
}

static int sphere_differential(const lg_call *c, const double *v, double *d)
{
    (void)c;
    memcpy(d, v, 3 * sizeof *d);
    return 0;
}

static int sphere_initial(const lg_call *c, double *v, double *w)
{
    (void)c;
    v[0] = 0.6, v[1] = 0.48, v[2] = 0.64, v[3] = 0.3;
    w[0] = -0.4, w[1] = 0.8, w[2] = -0.2, w[3] = 0.1; /* projected onto both constraints at the start */
    return 0;
}

static const lg_model_definition sets[] = {{.size = sizeof(lg_model_definition),
                                            .name = "plane",
                                            .summary = "the particle z' = y x' in R^4, on a plane",
                                            .group = r4,
                                            .constraint_count = 1,
                                            .configure = unit_inertia,
                                            .initial = plane_initial,
                                            .callbacks.potential = plane_potential,
                                            .callbacks.potential_gradient = plane_gradient,
                                            .callbacks.covectors = plane_rows,
                                            .callbacks.holonomic_count = 1,
                                            .callbacks.holonomic = plane,
                                            .callbacks.holonomic_differential = plane_differential,
                                            .step = 0.1},
                                           {.size = sizeof(lg_model_definition),
                                            .name = "circle",
                                            .summary = "pendulum in the plane",
                                            .group = r2,
                                            .configure = circle_inertia,
                                            .initial = circle_initial,
                                            .callbacks.potential = circle_potential,
                                            .callbacks.potential_gradient = circle_gradient,
                                            .callbacks.holonomic_count = 1,
                                            .callbacks.holonomic = circle,
                                            .callbacks.holonomic_differential = circle_differential,
                                            .step = 0.1},
                                           {.size = sizeof(lg_model_definition),
                                            .name = "sphere",
                                            .summary = "S^2 x R with a metric and an affine constraint",
                                            .group = r4,
                                            .constraint_count = 1,
                                            .configure = no_inertia,
                                            .initial = sphere_initial,
                                            .callbacks.metric = sphere_metric,
                                            .callbacks.metric_gradient = sphere_metric_gradient,
                                            .callbacks.potential = sphere_potential,
                                            .callbacks.potential_gradient = sphere_gradient,
                                            .callbacks.covectors = sphere_rows,
                                            .callbacks.holonomic_count = 1,
                                            .callbacks.holonomic = sphere,
                                            .callbacks.holonomic_differential = sphere_differential,
                                            .step = 0.1}};

const lg_model_definition *claim_level_set(int i)
{
    return i >= 0 && i < (int)(sizeof sets / sizeof sets[0]) ? &sets[i] : NULL;
}
