/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- a mass on a rod of length l whose pivot (a sin 2t, 0, 0) moves: R^3, phi = (|q - P|^2 - l^2)/2 ---- */

enum { LENGTH, AMPLITUDE };

static const lg_parameter rod_parameters[] = {
    {"l", "m", "length of the rod", 1, 0, INFINITY, 1},
    {"a", "m", "amplitude of the pivot", 0, -INFINITY, INFINITY, 0},
};

static const lg_group *space(void)
{
    return lg_rn(3);
}

static int unit_mass(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = J[4] = J[8] = 1;
    return 0;
}

static int rod_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *param = c->param;
    const double q[3] = {0.8, 0, -0.6}, v[3] = {0.3, 0.7, 0.2}; /* v is not tangent */
    for (int i = 0; i < 3; i++) g0[i] = param[LENGTH] * q[i], xi0[i] = v[i];
    return 0;
}

static int rod_phi(const lg_call *c, const double *q, double *phi)
{
    const double x = q[0] - c->param[AMPLITUDE] * sin(2 * c->t), l = c->param[LENGTH];
    phi[0] = (x * x + q[1] * q[1] + q[2] * q[2] - l * l) / 2;
    return 0;
}

static int rod_dphi(const lg_call *c, const double *q, double *out)
{
    memcpy(out, q, 3 * sizeof *q);
    out[0] -= c->param[AMPLITUDE] * sin(2 * c->t);
    return 0;
}

static int rod_rate(const lg_call *c, const double *q, double *out)
{
    const double a = c->param[AMPLITUDE];
    out[0] = -(q[0] - a * sin(2 * c->t)) * 2 * a * cos(2 * c->t);
    return 0;
}

static int weight(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = 9.81 * q[2];
    return 0;
}

static int weight_slope(const lg_call *c, const double *q, double *out)
{
    (void)c, (void)q;
    out[2] = 9.81;
    return 0;
}

const lg_model_definition run_models_rod = {
    .size = sizeof(lg_model_definition),
    .name = "rod",
    .group = space,
    .parameter_count = 2,
    .parameters = rod_parameters,
    .configure = unit_mass,
    .initial = rod_initial,
    .callbacks = {.potential = weight,
                  .potential_gradient = weight_slope,
                  .holonomic_count = 1,
                  .holonomic = rod_phi,
                  .holonomic_differential = rod_dphi,
                  .holonomic_rate = rod_rate,
                  .time_dependent = 1},
};

/* ---- a sleigh with two motors u and drag c: SE(2), blade (0, 1, 0) ---- */

static const lg_parameter sleigh_parameters[] = {{"c", "", "drag", 0.1, 0, INFINITY, 0}};

static int sleigh_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)why;
    J[0] = J[4] = 1, J[8] = 1.04, J[5] = J[7] = 0.2;
    rows[1] = 1;
    return 0;
}

static int sleigh_initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[2] = 1;
    xi0[0] = -0.6, xi0[2] = 1;
    return 0;
}

static int sleigh_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g;
    f[0] = c->control[0] - c->param[0] * xi[0];
    f[2] = c->control[1] - c->param[0] * xi[2];
    return 0;
}

/* Sees the controls that were held, like every callback. */
static int first_control(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)g, (void)p;
    *out = c->control[0];
    return 0;
}

static const lg_invariant sleigh_monitors[] = {{"u", "the first control", first_control}};

const lg_model_definition run_models_sleigh = {
    .size = sizeof(lg_model_definition),
    .name = "motor-sleigh",
    .group = lg_se2,
    .parameter_count = 1,
    .parameters = sleigh_parameters,
    .constraint_count = 1,
    .has_constant_rows = 1,
    .invariant_count = 1,
    .invariants = sleigh_monitors,
    .configure = sleigh_configure,
    .initial = sleigh_initial,
    .callbacks = {.force = sleigh_force, .control_count = 2},
};

/* ---- two links with J(q), and an artificial discrete Lagrangian ---- */

static const lg_group *plane(void)
{
    return lg_rn(2);
}

static int nothing(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)J, (void)rows, (void)why;
    return 0;
}

static int links_initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[0] = 1.2, g0[1] = -0.7, xi0[0] = 0.5, xi0[1] = 0.3;
    return 0;
}

static int links_metric(const lg_call *c, const double *q, double *J)
{
    (void)c;
    J[0] = 3 + 2 * cos(q[1]);
    J[1] = J[2] = 1 + cos(q[1]);
    J[3] = 1;
    return 0;
}

static int links_slope(const lg_call *c, const double *q, const double *v, double *out)
{
    (void)c;
    out[1] = -sin(q[1]) * v[0] * (v[0] + v[1]);
    return 0;
}

static int slope(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    (void)c, (void)h, (void)g0, (void)g1, (void)out;
    return 0;
}

const lg_model_definition run_models_links = {
    .size = sizeof(lg_model_definition),
    .name = "links",
    .group = plane,
    .configure = nothing,
    .initial = links_initial,
    .callbacks = {.metric = links_metric,
                  .metric_gradient = links_slope,
                  .discrete_slope_1 = slope,
                  .discrete_slope_2 = slope},
};
