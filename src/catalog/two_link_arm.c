/* SPDX-License-Identifier: BSD-3-Clause */
/* A planar arm of two links with point masses at their ends, hanging from its shoulder: angles q1 from the vertical and
 * q2 of the elbow on T^2, a metric that depends on q2, no constraints. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

enum { MASS_1, MASS_2, LENGTH_1, LENGTH_2, GRAVITY };

/* 2T = (m1 + m2) l1^2 q1'^2 + m2 l2^2 (q1' + q2')^2 + 2 m2 l1 l2 cos q2 q1' (q1' + q2'). */
KERNEL int two_link_arm_metric(const lane_call *c, const real *q, real *J)
{
    const real *k = c->param, cross = k[MASS_2] * k[LENGTH_1] * k[LENGTH_2] * cos_of(q[1]);
    const real lower = k[MASS_2] * k[LENGTH_2] * k[LENGTH_2];
    J[0] = (k[MASS_1] + k[MASS_2]) * k[LENGTH_1] * k[LENGTH_1] + lower + 2 * cross;
    J[1] = J[2] = lower + cross;
    J[3] = lower;
    return 0;
}

KERNEL int two_link_arm_metric_gradient(const lane_call *c, const real *q, const real *v, real *dT)
{
    const real *k = c->param;
    dT[1] = -k[MASS_2] * k[LENGTH_1] * k[LENGTH_2] * sin_of(q[1]) * v[0] * (v[0] + v[1]);
    return 0;
}

/* The coefficients of gravity: (m1 + m2) g l1 and m2 g l2. */
KERNEL void weights(const real *k, real *upper, real *lower)
{
    *upper = (k[MASS_1] + k[MASS_2]) * k[GRAVITY] * k[LENGTH_1];
    *lower = k[MASS_2] * k[GRAVITY] * k[LENGTH_2];
}

KERNEL int two_link_arm_potential(const lane_call *c, const real *q, real *V)
{
    real upper, lower;
    weights(c->param, &upper, &lower);
    *V = -upper * cos_of(q[0]) - lower * cos_of(q[0] + q[1]);
    return 0;
}

KERNEL int two_link_arm_gradient(const lane_call *c, const real *q, real *dV)
{
    real upper, lower;
    weights(c->param, &upper, &lower);
    dV[1] = lower * sin_of(q[0] + q[1]);
    dV[0] = upper * sin_of(q[0]) + dV[1];
    return 0;
}

KERNEL int two_link_arm_hessian(const lane_call *c, const real *q, const real *eta, real *out)
{
    real upper, lower;
    weights(c->param, &upper, &lower);
    out[1] = lower * cos_of(q[0] + q[1]) * (eta[0] + eta[1]);
    out[0] = upper * cos_of(q[0]) * eta[0] + out[1];
    return 0;
}

LG_LANED_FIELD(lg_arm_metric, two_link_arm_metric)
LG_LANED_ALONG(lg_arm_metric_gradient, two_link_arm_metric_gradient)
LG_LANED_FIELD(lg_arm_potential, two_link_arm_potential)
LG_LANED_FIELD(lg_arm_gradient, two_link_arm_gradient)
LG_LANED_ALONG(lg_arm_hessian, two_link_arm_hessian)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("m1", "kg", "mass at the elbow", 1),
    LG_POSITIVE("m2", "kg", "mass at the end", 1),
    LG_POSITIVE("l1", "m", "length of the upper link", 1),
    LG_POSITIVE("l2", "m", "length of the lower link", 1),
    LG_ANY("g", "m/s^2", "gravity; 0: the arm lies on a table", 9.81),
};

static const char *const coordinates[] = {"q1", "q2"};

static int two_link_arm_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)J, (void)rows, (void)why;
    return 0;
}

static int two_link_arm_initial(const lg_call *c, double *q0, double *v0)
{
    (void)c;
    q0[0] = 1.2, q0[1] = -0.7;
    v0[0] = 0.5, v0[1] = 0.3;
    return 0;
}

/* q1 is cyclic without gravity. */
static int angular_momentum(const lg_call *c, const double *q, const double *p, double *out)
{
    (void)q;
    *out = c->param[GRAVITY] == 0 ? p[0] : (double)NAN;
    return 0;
}

static const lg_invariant invariants[] = {
    {"angular_momentum", "p_1, angular momentum about the shoulder; nan unless g = 0", angular_momentum},
};

static int two_link_arm_look(const lg_call *c, lg_scene *scene)
{
    const double *p = c->param, size = p[LENGTH_1] + p[LENGTH_2];
    static const double origin[3] = {0, 0, 0};
    const int upper = lg_look_body(scene, "upper link"), lower = lg_look_body(scene, "lower link");
    const double elbow[3] = {0, 0, -p[LENGTH_1]}, hand[3] = {0, 0, -p[LENGTH_2]};
    lg_shape end = lg_look_at("mass at the end", LG_SHAPE_SPHERE, LG_SHADE_BODY, lower, 0, 0, hand[2]);
    lg_look_ball(scene, "shoulder", LG_SHADE_METAL, -1, origin, 0.025 * size);
    lg_look_rod(scene, "upper link", LG_SHADE_SECOND, upper, origin, elbow, 0.015 * size);
    lg_look_rod(scene, "lower link", LG_SHADE_SECOND, lower, origin, hand, 0.015 * size);
    lg_look_ball(scene, "hitch", LG_SHADE_BODY, upper, elbow, 0.04 * size);
    lg_look_ball(scene, "hitch", LG_SHADE_METAL, lower, origin, 0.02 * size);
    end.dimensions[0] = 0.04 * size * cbrt(p[MASS_2] / p[MASS_1]), end.trail = 1;
    lg_look_add(scene, &end);
    return 0;
}

/* In the plane of x and z: a turn about y by -q1 takes the link from straight down to x = l1 sin q1. */
static int two_link_arm_poses(const lg_call *c, const double *q, double *poses)
{
    double *lower = poses + LG_POSE_SIZE;
    lg_look_turn(poses, 1, -q[0]);
    lg_look_carry(lower, poses, 0, 0, -c->param[LENGTH_1]);
    lg_look_turn(lower, 1, -q[1]);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"q1", "rad", "angle of the upper link, unwrapped"},
    {"q2", "rad", "angle of the lower link, unwrapped"},
    {"inv_angular_momentum", "kg m^2/s", NULL},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_two_link_arm = {
    .size = sizeof(lg_model_definition),
    .name = "two-link-arm",
    .summary = "planar arm of two links under gravity, with a metric that depends on the elbow",
    .source = "the double pendulum of textbooks, for example L. D. Landau, E. M. Lifshitz, Mechanics, section 5, "
              "Problem 1, with q2 measured from the upper link; the data are our own",
    .remark = "xi = (q1', q2'). No constraints. The energy is conserved, and without gravity the angular momentum too.",
    .group = lg_catalog_t2,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    LG_INVARIANTS,
    .configure = two_link_arm_configure,
    .initial = two_link_arm_initial,
    .step = 0.02,
    .callbacks = {.columns = column_texts,
                  .metric = lg_arm_metric,
                  .metric_gradient = lg_arm_metric_gradient,
                  .potential = lg_arm_potential,
                  .potential_gradient = lg_arm_gradient,
                  .potential_hessian = lg_arm_hessian,
                  .lanes = LG_LANED_ALL,
                  .look = two_link_arm_look,
                  .poses = two_link_arm_poses},
};

#endif
