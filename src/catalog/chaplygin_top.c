/* SPDX-License-Identifier: BSD-3-Clause */
/* Chaplygin's top: a ball whose centre of mass lies at chi from its centre, rolling on a plane without slipping. The
 * height f = r + <chi, gamma> of the centre of mass is eliminated: on R^2 x SO(3), (x, y) the centre of mass,
 *   J = diag(m, m, I + m b b^T),   b = df = chi x gamma,   V = m g <chi, gamma>. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/rigid.h"

#include <stdio.h>

#include <liegrp/groups/so3.h>

enum { RADIUS = LG_ROLLING_G + 1, I1, I2, I3, CHI1, CHI2, CHI3 };

/* b = chi x gamma. */
KERNEL void lift(real *b, real *gamma, const real *param, const real *q)
{
    vertical(gamma, q);
    so3_cross(b, param + CHI1, gamma);
}

KERNEL int chaplygin_top_metric(const lane_call *c, const real *g, real *J)
{
    const real *param = c->param, m = param[LG_ROLLING_M];
    real b[3], gamma[3];
    lift(b, gamma, param, g + 2);
    J[0] = J[6] = m;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) J[5 * (2 + i) + 2 + j] = m * b[i] * b[j];
        J[6 * (2 + i)] += param[I1 + i];
    }
    return 0;
}

/* <b, omega> = <chi, gamma x omega>; gamma x eta for gamma: <(omega x chi) x gamma, eta>. */
KERNEL int chaplygin_top_metric_gradient(const lane_call *c, const real *g, const real *xi, real *out)
{
    real b[3], gamma[3];
    lift(b, gamma, c->param, g + 2);
    so3_cross(out + 2, xi + 2, c->param + CHI1);
    so3_cross(out + 2, out + 2, gamma);
    for (int i = 0; i < 3; i++) out[2 + i] *= c->param[LG_ROLLING_M] * so3_dot(b, xi + 2);
    return 0;
}

KERNEL int chaplygin_top_potential(const lane_call *c, const real *g, real *V)
{
    real b[3], gamma[3];
    lift(b, gamma, c->param, g + 2);
    *V = c->param[LG_ROLLING_M] * c->param[LG_ROLLING_G] * so3_dot(c->param + CHI1, gamma);
    return 0;
}

KERNEL int chaplygin_top_potential_gradient(const lane_call *c, const real *g, real *out)
{
    real gamma[3];
    lift(out + 2, gamma, c->param, g + 2);
    for (int i = 0; i < 3; i++) out[2 + i] *= c->param[LG_ROLLING_M] * c->param[LG_ROLLING_G];
    return 0;
}

KERNEL int chaplygin_top_rows(const lane_call *c, const real *g, real *mu, real *Y)
{
    surface s;
    (void)Y;
    ball_surface(&s, c->param[RADIUS], c->param + CHI1, g + 2);
    rolling_rows(mu, g + 2, &s, 2, 2);
    return 0;
}

KERNEL int chaplygin_top_potential_hessian(const lane_call *c, const real *g, const real *eta, real *out)
{
    real turn[3];
    vertical(turn, g + 2);
    so3_cross(turn, turn, eta + 2);
    so3_cross(out + 2, c->param + CHI1, turn);
    for (int i = 0; i < 3; i++) out[2 + i] *= c->param[LG_ROLLING_M] * c->param[LG_ROLLING_G];
    return 0;
}

KERNEL int chaplygin_top_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu, real *dY)
{
    surface s;
    (void)dY;
    ball_surface(&s, c->param[RADIUS], c->param + CHI1, g + 2);
    rolling_rows_along(dmu, g + 2, eta + 2, &s, 2, 2);
    return 0;
}

LG_LANED_FIELD(lg_chaplygin_top_metric, chaplygin_top_metric)
LG_LANED_ALONG(lg_chaplygin_top_metric_gradient, chaplygin_top_metric_gradient)
LG_LANED_FIELD(lg_chaplygin_top_potential, chaplygin_top_potential)
LG_LANED_FIELD(lg_chaplygin_top_potential_gradient, chaplygin_top_potential_gradient)
LG_LANED_COVECTORS(lg_chaplygin_top_rows, chaplygin_top_rows)
LG_LANED_ALONG(lg_chaplygin_top_potential_hessian, chaplygin_top_potential_hessian)
LG_LANED_COVECTORS_ALONG(lg_chaplygin_top_rows_along, chaplygin_top_rows_along)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("m", "kg", "mass", 1),
    LG_NOT_NEGATIVE("g", "m/s^2", "gravity", 9.81),
    LG_POSITIVE("r", "m", "radius", 1),
    LG_POSITIVE("I1", "kg m^2", "first principal moment of inertia about the centre of mass", 0.38),
    LG_POSITIVE("I2", "kg m^2", "second principal moment of inertia", 0.38),
    LG_POSITIVE("I3", "kg m^2", "third principal moment of inertia", 0.4),
    LG_ANY("chi1", "m", "centre of mass from the ball's centre, first component in the body", 0),
    LG_ANY("chi2", "m", "centre of mass, second component", 0),
    LG_ANY("chi3", "m", "centre of mass, third component", -0.1),
};

static const lg_group *(*const factors[])(void) = {lg_catalog_r2, lg_so3};
static const char *const coordinates[] = {"x", "y"};

static int chaplygin_top_configure(const lg_call *c, double *J, double *chaplygin_top_rows, char *why)
{
    const double *param = c->param;
    const double d = sqrt(so3_dot(param + CHI1, param + CHI1));
    (void)J, (void)chaplygin_top_rows;
    if (d < param[RADIUS]) return 0;
    (void)snprintf(why, LG_MESSAGE_SIZE,
                   "the centre of mass lies outside the ball: |chi| = %g must be less than r = %g", d, param[RADIUS]);
    return 1;
}

static int chaplygin_top_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *param = c->param;
    double v[3];
    surface s;
    g0[0] = g0[1] = 0;
    lg_so3_cay(g0 + 2, (const double[3]){0.4, -0.3, 0.7});
    xi0[2] = 0.3, xi0[3] = -0.5, xi0[4] = 4;
    ball_surface(&s, param[RADIUS], param + CHI1, g0 + 2);
    rolling_velocity(v, g0 + 2, xi0 + 2, &s);
    xi0[0] = v[0];
    xi0[1] = v[1];
    return 0;
}

/* omega = (I + m b b^T)^-1 p by the formula of Sherman and Morrison. */
static void angular_velocity(double *omega, double *rho, const double *param, const double *g, const double *p)
{
    double b[3], gamma[3], bb = 1 / param[LG_ROLLING_M], bp = 0;
    lift(b, gamma, param, g + 2);
    for (int i = 0; i < 3; i++) {
        bb += b[i] * b[i] / param[I1 + i];
        bp += b[i] * p[2 + i] / param[I1 + i];
    }
    for (int i = 0; i < 3; i++) {
        omega[i] = (p[2 + i] - b[i] * bp / bb) / param[I1 + i];
        rho[i] = -param[RADIUS] * gamma[i] - param[CHI1 + i];
    }
}

static int is_symmetric(const double *param)
{
    return param[I1] == param[I2] && param[CHI1] == 0 && param[CHI2] == 0;
}

/* <I omega, rho>, rho from the centre of mass to the contact. */
static int jellett(const lg_call *c, const double *g, const double *p, double *out)
{
    double omega[3], rho[3], sum = 0;
    angular_velocity(omega, rho, c->param, g, p);
    for (int i = 0; i < 3; i++) sum += c->param[I1 + i] * omega[i] * rho[i];
    *out = is_symmetric(c->param) ? sum : (double)NAN;
    return 0;
}

/* omega_3 sqrt(I1 I3 + m <rho, I rho>). */
static int routh(const lg_call *c, const double *g, const double *p, double *out)
{
    const double *I = c->param + I1;
    double omega[3], rho[3], sum = 0;
    angular_velocity(omega, rho, c->param, g, p);
    for (int i = 0; i < 3; i++) sum += I[i] * rho[i] * rho[i];
    *out = is_symmetric(c->param) ? omega[2] * sqrt(I[0] * I[2] + c->param[LG_ROLLING_M] * sum) : (double)NAN;
    return 0;
}

static const lg_invariant invariants[] = {
    {"jellett",
     "Jellett's integral <I omega, rho>, rho from the centre of mass to the contact; nan unless I1 = I2, chi1 "
     "= chi2 = 0",
     jellett},
    {"routh", "Routh's integral omega_3 sqrt(I1 I3 + m <rho, I rho>); nan unless I1 = I2, chi1 = chi2 = 0", routh},
};

static int chaplygin_top_look(const lg_call *c, lg_scene *scene)
{
    const double r = c->param[RADIUS];
    const int ground = lg_look_ground(scene, "ground", -1, 0), body = lg_look_body(scene, "ball");
    lg_shape ball = lg_look_at("ball", LG_SHAPE_SPHERE, LG_SHADE_WHEEL, body, 0, 0, 0);
    ball.dimensions[0] = r, ball.rolls_on = ground, ball.trail = 2;
    lg_look_add(scene, &ball);
    lg_look_ball(scene, "centre of mass", LG_SHADE_MARK, body, c->param + CHI1, 0.08 * r);
    lg_shape axes = lg_look_at("principal axes", LG_SHAPE_AXES, LG_SHADE_METAL, body, 0, 0, 0);
    axes.dimensions[0] = 1.4 * r;
    lg_look_add(scene, &axes);
    return 0;
}

/* The frame of the body is at the centre of the ball: z - chi, z the centre of mass. */
static int chaplygin_top_poses(const lg_call *c, const double *g, double *poses)
{
    double arm[3];
    lg_so3_act(arm, g + 2, c->param + CHI1);
    lg_look_place(poses, g[0] - arm[0], g[1] - arm[1], c->param[RADIUS]);
    for (int i = 0; i < 4; i++) poses[3 + i] = g[2 + i];
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "centre of mass, first coordinate"},
    {"y", "m", "centre of mass, second coordinate"},
    {"inv_jellett", "kg m^3/s", NULL},
    {"inv_routh", "kg m^2/s", NULL},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_chaplygin_top = {
    .size = sizeof(lg_model_definition),
    .name = "chaplygin-top",
    .summary = "Chaplygin's top: ball with an offset centre of mass that rolls on a plane without slipping",
    .source = "E. J. Routh, Advanced Part of a Treatise on the Dynamics of a System of Rigid Bodies (1884); "
              "S. A. Chaplygin, On a motion of a heavy body of revolution on a horizontal plane (1897)",
    .remark = "x, y are the coordinates of the centre of mass; its height is eliminated, so the metric depends on the "
              "attitude. Routh's sphere (axial symmetry, the default) has two linear integrals. The data are our own.",
    LG_FACTORS,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    .constraint_count = 2,
    LG_INVARIANTS,
    .configure = chaplygin_top_configure,
    .initial = chaplygin_top_initial,
    .step = 0.01,
    .callbacks = {.columns = column_texts,
                  .metric = lg_chaplygin_top_metric,
                  .metric_gradient = lg_chaplygin_top_metric_gradient,
                  .potential = lg_chaplygin_top_potential,
                  .potential_gradient = lg_chaplygin_top_potential_gradient,
                  .potential_hessian = lg_chaplygin_top_potential_hessian,
                  .covectors = lg_chaplygin_top_rows,
                  .covectors_derivative = lg_chaplygin_top_rows_along,
                  .lanes = LG_LANED_ALL,
                  .look = chaplygin_top_look,
                  .poses = chaplygin_top_poses},
};

#endif
