/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems with work or moving parts: a driven sleigh, a damped top, a pendulum on a moving pivot, a steered blade; and
 * a bead on a sphere with a metric that depends on the place. */
#include <math.h>
#include <string.h>

#include "claims/framework/examples.h"

static const lg_group *space(void)
{
    return lg_rn(3);
}

/* A covector (fx, 0) of the plane in body axes; g = (x, y, cos, sin). */
static void to_body(double *out, const double *g, double fx)
{
    out[0] = g[2] * fx;
    out[1] = -g[3] * fx;
}

/* Sleighs: m = I = 1, centre of mass 0.2 ahead of the blade. --------------------------------------------------------
 */

static int sleigh_inertia(double *J)
{
    J[0] = J[4] = 1, J[5] = J[7] = 0.2, J[8] = 1.04;
    return 0;
}

static int driven_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)why;
    rows[1] = 1;
    return sleigh_inertia(J);
}

static int sleigh_initial(const lg_call *c, double *g, double *xi)
{
    (void)c;
    g[0] = g[1] = g[3] = 0, g[2] = 1;
    xi[0] = -0.6, xi[1] = 0, xi[2] = 1;
    return 0;
}

/* The slope changes with time. */
static int slope_potential(const lg_call *c, const double *g, double *V)
{
    *V = (0.2 + 0.1 * sin(c->t)) * g[0];
    return 0;
}

static int slope_gradient(const lg_call *c, const double *g, double *out)
{
    to_body(out, g, 0.2 + 0.1 * sin(c->t));
    return 0;
}

static int motors(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)g;
    out[0] = 0.5 * cos(c->t) - 0.1 * xi[0];
    out[2] = 0.4 * sin(2 * c->t) - 0.1 * xi[2];
    return 0;
}

const lg_model_definition claim_example_driven_sleigh = {
    .size = sizeof(lg_model_definition),
    .name = "driven-sleigh",
    .summary = "sleigh with motors and drag on a slope that changes with time",
    .group = lg_se2,
    .constraint_count = 1,
    .has_constant_rows = 1,
    .configure = driven_configure,
    .initial = sleigh_initial,
    .step = 0.1,
    .callbacks = {.potential = slope_potential,
                  .potential_gradient = slope_gradient,
                  .force = motors,
                  .time_dependent = 1},
};

static int steered_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    return sleigh_inertia(J);
}

static int steered_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const double angle = 0.3 * sin(c->t);
    (void)g, (void)Y;
    mu[0] = -sin(angle), mu[1] = cos(angle);
    return 0;
}

static int bowl_potential(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = g[0] * g[0] / 10;
    return 0;
}

static int bowl_gradient(const lg_call *c, const double *g, double *out)
{
    (void)c;
    to_body(out, g, g[0] / 5);
    return 0;
}

const lg_model_definition claim_example_steered_blade = {
    .size = sizeof(lg_model_definition),
    .name = "steered-blade",
    .summary = "sleigh whose blade is steered, A(t) xi = 0: time dependent, and conservative",
    .group = lg_se2,
    .constraint_count = 1,
    .configure = steered_configure,
    .initial = sleigh_initial,
    .step = 0.1,
    .callbacks = {.potential = bowl_potential,
                  .potential_gradient = bowl_gradient,
                  .covectors = steered_rows,
                  .time_dependent = 1},
};

/* A heavy top with drag: V = chi.gamma, gamma the third row of R; least V is -|chi|. ------------------------------- */

static const double chi[3] = {0.5, 0.2, -0.7};

static int top_configure(const lg_call *c, double *J, double *rows, char *why)
{
    static const double inertia[9] = {1, 0.1, 0.2, 0.1, 1.5, -0.3, 0.2, -0.3, 2};
    (void)c, (void)rows, (void)why;
    memcpy(J, inertia, sizeof inertia);
    return 0;
}

static int top_initial(const lg_call *c, double *g, double *xi)
{
    static const double turned[3] = {0.3, -0.2, 0.4};
    (void)c;
    xi[0] = 0.9, xi[1] = -0.5, xi[2] = 0.6;
    return lg_group_exp(lg_so3(), g, turned) != LG_OK;
}

static int top_potential(const lg_call *c, const double *g, double *V)
{
    double R[9];
    (void)c;
    if (lg_group_to_matrix(lg_so3(), R, g) != LG_OK) return 1;
    *V = chi[0] * R[6] + chi[1] * R[7] + chi[2] * R[8];
    return 0;
}

static int top_gradient(const lg_call *c, const double *g, double *out)
{
    double R[9];
    (void)c;
    if (lg_group_to_matrix(lg_so3(), R, g) != LG_OK) return 1;
    for (int i = 0; i < 3; i++) out[i] = chi[(i + 1) % 3] * R[6 + (i + 2) % 3] - chi[(i + 2) % 3] * R[6 + (i + 1) % 3];
    return 0;
}

static int drag(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)c, (void)g;
    out[0] = -0.1 * xi[0], out[1] = -0.05 * xi[1], out[2] = -0.2 * xi[2];
    return 0;
}

const lg_model_definition claim_example_damped_top = {
    .size = sizeof(lg_model_definition),
    .name = "damped-top",
    .summary = "heavy top with linear drag",
    .group = lg_so3,
    .configure = top_configure,
    .initial = top_initial,
    .step = 0.1,
    .callbacks = {.potential = top_potential, .potential_gradient = top_gradient, .force = drag},
};

/* A mass on a rod of length 1 whose pivot moves. ------------------------------------------------------------------- */

static void pivot(double t, double *at, double *velocity)
{
    at[0] = 0.1 * sin(2 * t), at[1] = 0, at[2] = 0.2 * cos(3 * t);
    velocity[0] = 0.2 * cos(2 * t), velocity[1] = 0, velocity[2] = -0.6 * sin(3 * t);
}

static int unit_mass(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = J[4] = J[8] = 1;
    return 0;
}

static const double from_pivot[3] = {0.8, 0, -0.6}, push[3] = {0.3, 0.7, 0.2}; /* pushed along the sphere, nearly */

static int pivot_initial(const lg_call *c, double *q, double *v)
{
    double at[3], velocity[3];
    (void)c;
    pivot(0, at, velocity);
    for (int i = 0; i < 3; i++) q[i] = at[i] + from_pivot[i], v[i] = push[i];
    return 0;
}

static int pivot_length(const lg_call *c, const double *q, double *phi)
{
    double at[3], velocity[3];
    pivot(c->t, at, velocity);
    phi[0] = -0.5;
    for (int i = 0; i < 3; i++) phi[0] += (q[i] - at[i]) * (q[i] - at[i]) / 2;
    return 0;
}

static int pivot_differential(const lg_call *c, const double *q, double *out)
{
    double at[3], velocity[3];
    pivot(c->t, at, velocity);
    for (int i = 0; i < 3; i++) out[i] = q[i] - at[i];
    return 0;
}

static int pivot_rate(const lg_call *c, const double *q, double *out)
{
    double at[3], velocity[3];
    pivot(c->t, at, velocity);
    for (int i = 0; i < 3; i++) out[0] -= (q[i] - at[i]) * velocity[i];
    return 0;
}

static int weight(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = q[2];
    return 0;
}

static int weight_gradient(const lg_call *c, const double *q, double *out)
{
    (void)c, (void)q;
    out[2] = 1;
    return 0;
}

const lg_model_definition claim_example_moving_pivot = {
    .size = sizeof(lg_model_definition),
    .name = "moving-pivot",
    .summary = "spherical pendulum whose pivot moves on a given path, a holonomic constraint that depends on time",
    .group = space,
    .configure = unit_mass,
    .initial = pivot_initial,
    .step = 0.1,
    .callbacks = {.potential = weight,
                  .potential_gradient = weight_gradient,
                  .holonomic_count = 1,
                  .holonomic = pivot_length,
                  .holonomic_differential = pivot_differential,
                  .holonomic_rate = pivot_rate,
                  .time_dependent = 1},
};

/* A bead on the unit sphere with a metric that depends on the place, V = z + 0.3 x z^2: no symmetry. ------------------
 */

static int nothing(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)J, (void)rows, (void)why;
    return 0;
}

static int bead_initial(const lg_call *c, double *q, double *v)
{
    (void)c;
    memcpy(q, from_pivot, sizeof from_pivot);
    memcpy(v, push, sizeof push);
    return 0;
}

static int bead_metric(const lg_call *c, const double *q, double *J)
{
    (void)c;
    J[0] = 1 + 0.4 * q[1] * q[1], J[4] = 1.3, J[8] = 1.6 + 0.5 * q[0] * q[0];
    return 0;
}

static int bead_slope(const lg_call *c, const double *q, const double *v, double *out)
{
    (void)c;
    out[0] = 0.5 * q[0] * v[2] * v[2], out[1] = 0.4 * q[1] * v[0] * v[0];
    return 0;
}

static int bead_potential(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = q[2] + 0.3 * q[0] * q[2] * q[2];
    return 0;
}

static int bead_gradient(const lg_call *c, const double *q, double *out)
{
    (void)c;
    out[0] = 0.3 * q[2] * q[2], out[2] = 1 + 0.6 * q[0] * q[2];
    return 0;
}

static int sphere(const lg_call *c, const double *q, double *phi)
{
    (void)c;
    phi[0] = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1) / 2;
    return 0;
}

static int sphere_differential(const lg_call *c, const double *q, double *out)
{
    (void)c;
    memcpy(out, q, 3 * sizeof *q);
    return 0;
}

const lg_model_definition claim_example_bead = {
    .size = sizeof(lg_model_definition),
    .name = "bead-on-sphere",
    .summary = "bead on a sphere with a metric that depends on the place, in a potential without symmetry",
    .group = space,
    .configure = nothing,
    .initial = bead_initial,
    .step = 0.1,
    .callbacks = {.metric = bead_metric,
                  .metric_gradient = bead_slope,
                  .potential = bead_potential,
                  .potential_gradient = bead_gradient,
                  .holonomic_count = 1,
                  .holonomic = sphere,
                  .holonomic_differential = sphere_differential},
};
