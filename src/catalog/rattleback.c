/* SPDX-License-Identifier: BSD-3-Clause */
/* The rattleback (celtic stone): an ellipsoid whose axes of inertia are turned against its axes of symmetry, rolling on
 * a plane without slipping, on R^3 x SO(3); three velocity rows of which the third is the differential of z - f. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/rigid.h"

#include <stdio.h>

#include <liegrp/groups/so3.h>

#include "scene/scene.h"

enum { B1 = LG_ROLLING_G + 1, B2, B3, OFFSET, I11, I12, I13, I22, I23, I33 };

/* f = sqrt(<gamma, B gamma>) + offset gamma_3, B the squares of the semi-axes. */
KERNEL void surface_at(surface *s, const real *param, const real *q)
{
    real gamma[3], sum = splat(0);
    vertical(gamma, q);
    for (int i = 0; i < 3; i++) {
        s->slope[i] = param[B1 + i] * param[B1 + i] * gamma[i];
        sum += s->slope[i] * gamma[i];
    }
    const real f = root(sum);
    for (int i = 0; i < 3; i++) s->slope[i] /= f;
    for (int i = 0; i < 9; i++) {
        const real square = i % 4 == 0 ? param[B1 + i / 4] * param[B1 + i / 4] : splat(0);
        s->hessian[i] = (square - s->slope[i / 3] * s->slope[i % 3]) / f;
    }
    s->height = f + param[OFFSET] * gamma[2];
    s->slope[2] += param[OFFSET];
}

KERNEL int rattleback_rows(const lane_call *c, const real *g, real *mu, real *Y)
{
    surface s;
    (void)Y;
    surface_at(&s, c->param, g + 3);
    rolling_rows(mu, g + 3, &s, 3, 3);
    return 0;
}

KERNEL int rattleback_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu, real *dY)
{
    surface s;
    (void)dY;
    surface_at(&s, c->param, g + 3);
    rolling_rows_along(dmu, g + 3, eta + 3, &s, 3, 3);
    return 0;
}

LG_LANED_COVECTORS(lg_rattleback_rows, rattleback_rows)
LG_LANED_COVECTORS_ALONG(lg_rattleback_rows_along, rattleback_rows_along)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("m", "kg", "mass", 1),
    LG_NOT_NEGATIVE("g", "m/s^2", "gravity", 9.81),
    LG_POSITIVE("b1", "m", "semi-axis of the ellipsoid, along the body", 0.2),
    LG_POSITIVE("b2", "m", "semi-axis across it", 0.03),
    LG_POSITIVE("b3", "m", "semi-axis upwards", 0.02),
    LG_ANY("offset", "m", "centre of mass from the ellipsoid's centre, upwards", -0.01),
    LG_POSITIVE("I11", "kg m^2", "inertia about the centre of mass, diagonal entry", 2e-4),
    LG_ANY("I12", "kg m^2", "inertia, off-diagonal entry", -2e-5),
    LG_ANY("I13", "kg m^2", "inertia, off-diagonal entry", 0),
    LG_POSITIVE("I22", "kg m^2", "inertia, diagonal entry", 1.6e-3),
    LG_ANY("I23", "kg m^2", "inertia, off-diagonal entry", 0),
    LG_POSITIVE("I33", "kg m^2", "inertia, diagonal entry", 1.7e-3),
};

static int rattleback_configure(const lg_call *c, double *J, double *rattleback_rows, char *why)
{
    const double *param = c->param;
    (void)rattleback_rows;
    if (!(fabs(param[OFFSET]) < param[B3])) {
        (void)snprintf(why, LG_MESSAGE_SIZE,
                       "the centre of mass lies outside the body: |offset| = %g must be less than b3 = %g",
                       fabs(param[OFFSET]), param[B3]);
        return 1;
    }
    for (int i = 0; i < 3; i++) J[7 * i] = param[LG_ROLLING_M];
    return lg_catalog_inertia(J + 21, why, param + I11, 6);
}

static int rattleback_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *param = c->param;
    static const double omega[3] = {0, 0, -1};
    const double half = 0.0043633231299858239; /* half of 0.5 degrees */
    surface s;
    g0[0] = g0[1] = 0;
    g0[3] = 0, g0[4] = lg_real_sin(half), g0[5] = 0, g0[6] = lg_real_cos(half);
    surface_at(&s, param, g0 + 3);
    g0[2] = s.height;
    rolling_velocity(xi0, g0 + 3, omega, &s);
    for (int i = 0; i < 3; i++) xi0[3 + i] = omega[i];
    return 0;
}

static int gap(const lg_call *c, const double *g, const double *p, double *out)
{
    surface s;
    (void)p;
    surface_at(&s, c->param, g + 3);
    *out = g[2] - s.height;
    return 0;
}

/* <gamma, Omega>, Omega = I^-1 p by Cramer's rule; its change of sign is the reversal of the rattleback. */
static int vertical_spin(const lg_call *c, const double *g, const double *p, double *out)
{
    const double *I = c->param + I11;
    const double a[3] = {I[0], I[1], I[2]}, b[3] = {I[1], I[3], I[4]}, d[3] = {I[2], I[4], I[5]};
    double bd[3], pd[3], bp[3], gamma[3], omega[3];
    so3_cross(bd, b, d);
    so3_cross(pd, p + 3, d);
    so3_cross(bp, b, p + 3);
    const double det = so3_dot(a, bd);
    omega[0] = so3_dot(p + 3, bd) / det;
    omega[1] = so3_dot(a, pd) / det;
    omega[2] = so3_dot(a, bp) / det;
    vertical(gamma, g + 3);
    *out = so3_dot(gamma, omega);
    return 0;
}

static const lg_invariant invariants[] = {
    {"gap", "height of the body's lowest point", gap},
    {"vertical_spin", "angular velocity about the vertical, rad/s; not conserved, changes its sign at a reversal",
     vertical_spin},
};

static int rattleback_look(const lg_call *c, lg_scene *scene)
{
    const double *p = c->param;
    const int ground = lg_look_ground(scene, "ground", -1, 0), body = lg_look_body(scene, "stone");
    const double J[9] = {p[I11], p[I12], p[I13], p[I12], p[I22], p[I23], p[I13], p[I23], p[I33]};
    lg_shape stone = lg_look_at("stone", LG_SHAPE_ELLIPSOID, LG_SHADE_WHEEL, body, 0, 0, -p[OFFSET]);
    lg_shape axes = lg_look_at("axes of inertia", LG_SHAPE_AXES, LG_SHADE_MARK, body, 0, 0, 0);
    for (int i = 0; i < 3; i++) stone.dimensions[i] = p[B1 + i];
    stone.rolls_on = ground, stone.trail = 2;
    lg_look_add(scene, &stone);
    lg_shape_take_inertia(&axes, p[LG_ROLLING_M], J);
    axes.dimensions[0] = 0.7 * p[B1], axes.dimensions[1] = axes.dimensions[2] = 0; /* its directions alone */
    lg_look_add(scene, &axes);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "centre of mass, first coordinate"},
    {"y", "m", "centre of mass, second coordinate"},
    {"z", "m", "centre of mass, height"},
    {"inv_gap", "m", NULL},
    {"inv_vertical_spin", "rad/s",
     "angular velocity about the vertical; not conserved, changes its sign at a reversal"},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_rattleback = {
    .size = sizeof(lg_model_definition),
    .name = "rattleback",
    .summary = "rattleback (celtic stone): an ellipsoid with skew inertia that rolls on a plane and reverses its spin",
    .source =
        LG_BLOCH_2005 ", section The rattleback; data: T. R. Kane, D. A. Levinson, Realistic mathematical modeling "
                      "of the rattleback, Int. J. Non-Linear Mech. 17 (1982)",
    .remark =
        "x, y, z are the coordinates of the centre of mass. Take steps of at most 1e-3: the body rocks at 107 "
        "rad/s. Spin -1 reverses at t = 1.93 and, since there are no losses, again at 43.31; a negative step "
        "shows the motion of the opposite spin, which changes its sign at 39.429, 39.442 and 39.491: it wobbles as "
        "it reverses. The height is constrained through its "
        "velocity only (column inv_gap).",
    .factor_count = 2,
    .factors = lg_catalog_space_and_attitude,
    .coordinate_names = lg_catalog_disk_coordinates,
    LG_PARAMETERS,
    .constraint_count = 3,
    LG_INVARIANTS,
    .configure = rattleback_configure,
    .initial = rattleback_initial,
    .step = 0.001,
    .callbacks = {.columns = column_texts,
                  .plot = "x:y/inv_vertical_spin/z/energy_change,energy_post_change/inv_gap/constraint",
                  .potential = lg_catalog_weight,
                  .potential_gradient = lg_catalog_weight_gradient,
                  .potential_hessian = lg_catalog_no_hessian,
                  .covectors = lg_rattleback_rows,
                  .covectors_derivative = lg_rattleback_rows_along,
                  .lanes = LG_LANED_ALL,
                  .look = rattleback_look,
                  .poses = lg_catalog_disk_poses},
};

#endif
