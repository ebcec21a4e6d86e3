/* SPDX-License-Identifier: BSD-3-Clause */
/* The continuously variable transmission: an oscillator (x, y) whose constraint sin s x' + y' = 0 is turned by a driver
 * s that feels no reaction, on R^2 x T^1. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

enum { SKEW, QUARTIC };

/* cos s + c2 sin 2s */
KERNEL real driver_potential(const real *param, real s)
{
    real sine, cosine;
    sincos_of(s, &sine, &cosine);
    return cosine + param[SKEW] * (2 * sine * cosine);
}

KERNEL real oscillator_potential(const real *param, const real *q)
{
    const real x = q[0] * q[0], y = q[1] * q[1];
    return (x + y) / 2 + param[QUARTIC] * (x * x / 4 + x * y / 2);
}

KERNEL int cvt_potential(const lane_call *c, const real *q, real *V)
{
    *V = oscillator_potential(c->param, q) + driver_potential(c->param, q[2]);
    return 0;
}

KERNEL int cvt_gradient(const lane_call *c, const real *q, real *dV)
{
    const real x = q[0], y = q[1], k = c->param[QUARTIC];
    real sine, cosine;
    sincos_of(q[2], &sine, &cosine);
    dV[0] = x + k * x * (x * x + y * y);
    dV[1] = y + k * x * x * y;
    dV[2] = 2 * c->param[SKEW] * (1 - 2 * sine * sine) - sine;
    return 0;
}

KERNEL int cvt_rows(const lane_call *c, const real *q, real *mu, real *Y)
{
    (void)c, (void)Y;
    mu[0] = sin_of(q[2]);
    mu[1] = splat(1);
    return 0;
}

KERNEL int cvt_hessian(const lane_call *c, const real *q, const real *eta, real *out)
{
    const real x = q[0], y = q[1], k = c->param[QUARTIC];
    real sine, cosine;
    sincos_of(q[2], &sine, &cosine);
    out[0] = (1 + k * (3 * x * x + y * y)) * eta[0] + 2 * k * x * y * eta[1];
    out[1] = 2 * k * x * y * eta[0] + (1 + k * x * x) * eta[1];
    out[2] = -(cosine + 4 * c->param[SKEW] * (2 * sine * cosine)) * eta[2];
    return 0;
}

KERNEL int cvt_rows_along(const lane_call *c, const real *q, const real *eta, real *dmu, real *dY)
{
    (void)c, (void)dY;
    dmu[0] = cos_of(q[2]) * eta[2];
    return 0;
}

LG_LANED_FIELD(lg_cvt_potential, cvt_potential)
LG_LANED_FIELD(lg_cvt_gradient, cvt_gradient)
LG_LANED_COVECTORS(lg_cvt_rows, cvt_rows)
LG_LANED_ALONG(lg_cvt_hessian, cvt_hessian)
LG_LANED_COVECTORS_ALONG(lg_cvt_rows_along, cvt_rows_along)
LG_LANED_TOGETHER(lg_cvt_together, 3, 3, cvt_rows, cvt_rows_along, cvt_gradient)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_ANY("c2", "", "second harmonic of the driver, c2 sin 2s; the motion is reversible only for c2 = 0", 0),
    {"quartic", "", "quartic (x^4/4 + x^2 y^2/2) in the potential of the oscillator", 0, 0, INFINITY, 0},
};

static const lg_group *(*const factors[])(void) = {lg_catalog_r2, lg_catalog_t1};
static const char *const coordinates[] = {"x", "y", "s"};

static int cvt_configure(const lg_call *c, double *J, double *cvt_rows, char *why)
{
    (void)c, (void)cvt_rows, (void)why;
    J[0] = J[4] = J[8] = 1;
    return 0;
}

static int cvt_initial(const lg_call *c, double *q0, double *v0)
{
    (void)c;
    q0[0] = 1, q0[1] = 0.2, q0[2] = 0;
    v0[0] = 0.3, v0[1] = 0, v0[2] = 1.5;
    return 0;
}

/* The row has no s component. */
static int driver_energy(const lg_call *c, const double *q, const double *p, double *out)
{
    *out = p[2] * p[2] / 2 + driver_potential(c->param, q[2]);
    return 0;
}

static int oscillator_energy(const lg_call *c, const double *q, const double *p, double *out)
{
    *out = (p[0] * p[0] + p[1] * p[1]) / 2 + oscillator_potential(c->param, q);
    return 0;
}

static const lg_invariant invariants[] = {
    {"driver_energy", "p_3^2/2 + cos s + c2 sin 2s", driver_energy},
    {"oscillator_energy", "the rest of the energy", oscillator_energy},
};

/* The oscillator as a skate on its plane, which the driver steers: a disk on a shaft above. */
static int cvt_look(const lg_call *c, lg_scene *scene)
{
    const int ground = lg_look_ground(scene, "plane of the oscillator", -1, 4),
              skate = lg_look_body(scene, "oscillator");
    const int driver = lg_look_body(scene, "driver");
    lg_shape blade = lg_look_at("oscillator", LG_SHAPE_BOX, LG_SHADE_MARK, skate, 0, 0, 0.05);
    lg_shape disk = lg_look_at("driver", LG_SHAPE_CYLINDER, LG_SHADE_SECOND, driver, 0, 0, 1);
    lg_shape spring = lg_look_at("spring", LG_SHAPE_ROD, LG_SHADE_METAL, -1, 0, 0, 0.1);
    (void)c;
    blade.dimensions[0] = 0.4, blade.dimensions[1] = 0.03, blade.dimensions[2] = 0.1;
    blade.rolls_on = ground, blade.trail = 1;
    disk.dimensions[0] = 0.4, disk.dimensions[1] = 0.05;
    spring.end_body = skate, spring.end[2] = 0.1, spring.dimensions[0] = 0.01;
    lg_look_add(scene, &blade);
    lg_look_add(scene, &disk);
    lg_look_add(scene, &spring);
    lg_look_rod(scene, "angle of the driver", LG_SHADE_MARK, driver, (const double[3]){0, 0, 1.04},
                (const double[3]){0.4, 0, 1.04}, 0.02);
    return 0;
}

/* sin s x' + y' = 0: along (1, -sin s). */
static int cvt_poses(const lg_call *c, const double *q, double *poses)
{
    (void)c;
    lg_look_plane_pose(poses, q[0], q[1], 1, -lg_real_sin(q[2]));
    lg_look_turn(poses + LG_POSE_SIZE, 2, q[2]);
    return 0;
}

static const lg_together together = {lg_cvt_together, lg_cvt_rows, lg_cvt_rows_along, lg_cvt_gradient};

const lg_model_definition lg_catalog_cvt = {
    .size = sizeof(lg_model_definition),
    .name = "cvt",
    .summary = "continuously variable transmission: an oscillator with sin s x' + y' = 0 and a driver s",
    .source = "after " LG_MODIN_2020 "; the potential of the driver and all data are our own",
    .remark = "A hard test for integrators. With c2 = -0.1 the motion is not reversible: the energy of smv, sml and "
              "dla drifts, with quartic = 1 also that of nsv and gni, and sem:gonzalez lets energy pass from the "
              "driver to the oscillator. In the default motion the driver makes full turns.",
    LG_FACTORS,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    .constraint_count = 1,
    LG_INVARIANTS,
    .configure = cvt_configure,
    .initial = cvt_initial,
    .step = 0.1,
    .callbacks = {.plot = "x:y/s/conserved",
                  .potential = lg_cvt_potential,
                  .potential_gradient = lg_cvt_gradient,
                  .potential_hessian = lg_cvt_hessian,
                  .covectors = lg_cvt_rows,
                  .covectors_derivative = lg_cvt_rows_along,
                  .together = &together,
                  .lanes = LG_LANED_ALL,
                  .look = cvt_look,
                  .poses = cvt_poses},
};

#endif
