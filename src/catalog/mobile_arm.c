/* SPDX-License-Identifier: BSD-3-Clause */
/* A car with an arm: SE(2) x R, velocities (v1, v2, w, alpha') at the middle of the car's axle, which does not slip
 * sideways, v2 = 0. The arm turns about a joint at distance b ahead of the axle. The inertia depends on alpha. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

enum { SPRING = LG_LINK_COUNT, KX };

KERNEL int mobile_arm_potential(const lane_call *c, const real *g, real *V)
{
    const real half = sin_of(g[4] / 2); /* 1 - cos alpha = 2 sin^2(alpha/2), without cancellation */
    *V = 2 * c->param[SPRING] * half * half + c->param[KX] * g[0] * g[0] / 2;
    return 0;
}

/* The covector (kx x, 0) of space in body axes. */
KERNEL int mobile_arm_gradient(const lane_call *c, const real *g, real *dV)
{
    const real fx = c->param[KX] * g[0];
    dV[0] = g[2] * fx;
    dV[1] = -g[3] * fx;
    dV[3] = c->param[SPRING] * sin_of(g[4]);
    return 0;
}

KERNEL int mobile_arm_hessian(const lane_call *c, const real *g, const real *eta, real *out)
{
    const real kx = c->param[KX], dx = kx * (g[2] * eta[0] - g[3] * eta[1]), turned = kx * g[0] * eta[2];
    out[0] = g[2] * dx - g[3] * turned;
    out[1] = -g[3] * dx - g[2] * turned;
    out[3] = c->param[SPRING] * cos_of(g[4]) * eta[3];
    return 0;
}

LG_LANED_FIELD(lg_mobile_arm_potential, mobile_arm_potential)
LG_LANED_FIELD(lg_mobile_arm_gradient, mobile_arm_gradient)
LG_LANED_ALONG(lg_mobile_arm_hessian, mobile_arm_hessian)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_LINK_PARAMETERS("arm", 0.3),
    LG_ANY("k", "N m", "strength of the joint's spring, V = k (1 - cos alpha) + kx x^2/2", 2),
    LG_ANY("kx", "N/m", "stiffness of the field in x", 0.2),
};

static const lg_group *(*const factors[])(void) = {lg_se2, lg_catalog_r1};
static const char *const coordinates[] = {"alpha"};

static int mobile_arm_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c;
    (void)J;
    (void)why;
    rows[1] = 1;
    return 0;
}

static int mobile_arm_initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    g0[0] = g0[1] = g0[3] = 0, g0[2] = 1, g0[4] = 0.6;
    xi0[0] = 0.5, xi0[1] = 0, xi0[2] = 0.4, xi0[3] = -0.8;
    return 0;
}

static int mobile_arm_look(const lg_call *c, lg_scene *scene)
{
    const double *p = c->param;
    const int ground = lg_look_ground(scene, "ground", -1, 0);
    const int car = lg_look_body(scene, "car"), arm = lg_look_body(scene, "arm");
    const double size = lg_look_plate(scene, "car", LG_SHADE_BODY, car, p[LG_LINK_M], p[LG_LINK_I], 0);
    const double z = 0.2 * size,
                 length = p[LG_LINK_L] != 0 ? 2 * p[LG_LINK_L] : sqrt(12 * p[LG_LINK_IL] / p[LG_LINK_ML]);
    lg_look_axle(scene, "axle", car, ground, 0, 0.3 * size, 0.12 * size);
    lg_look_hitch(scene, car, p[LG_LINK_B], arm, 0, z, 0.04 * size);
    lg_look_rod(scene, "arm", LG_SHADE_SECOND, arm, (const double[3]){0, 0, z}, (const double[3]){length, 0, z},
                0.025 * size);
    lg_look_ball(scene, "centre of mass", LG_SHADE_MARK, arm, (const double[3]){p[LG_LINK_L], 0, z}, 0.035 * size);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "middle of the axle, first coordinate"}, {"y", "m", "middle of the axle, second coordinate"},
    {"theta", "rad", "heading of the car, unwrapped"},  {"alpha", "rad", "angle of the arm to the car"},
    {"xi_1", "m/s", "velocity along the car"},          {"xi_2", "m/s", "velocity across the car"},
    {"xi_3", "rad/s", "angular velocity of the car"},   {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_mobile_arm = {
    .size = sizeof(lg_model_definition),
    .name = "mobile-arm",
    .summary = "car with an arm on a joint; the axle does not slip sideways and the inertia depends on the joint",
    .source = "a mobile manipulator; equations and data are our own",
    .remark = "x, y are the coordinates of the middle of the axle, xi = (velocity along the car, across it, its "
              "angular velocity, alpha'), alpha is the arm's angle to the car. The energy is the only invariant; for l "
              "= k = 0 so is p_4. A light arm on a strong spring is stiff: make sure that the step resolves it.",
    LG_FACTORS,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    .constraint_count = 1,
    .has_constant_rows = 1,
    .configure = mobile_arm_configure,
    .initial = mobile_arm_initial,
    .step = 0.02,
    .callbacks = {.columns = column_texts,
                  .plot = "x:y/theta,alpha/conserved",
                  .metric = lg_catalog_link_inertia,
                  .metric_gradient = lg_catalog_link_inertia_gradient,
                  .potential = lg_mobile_arm_potential,
                  .potential_gradient = lg_mobile_arm_gradient,
                  .potential_hessian = lg_mobile_arm_hessian,
                  .lanes = LG_LANED_ALL,
                  .look = mobile_arm_look,
                  .poses = lg_catalog_link_poses},
};

#endif
