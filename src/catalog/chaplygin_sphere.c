/* SPDX-License-Identifier: BSD-3-Clause */
/* The Chaplygin sphere: a ball with its centre of mass in the middle and unequal moments, rolling without slipping on a
 * table at rest or rotating. The no-slip condition involves the spatial angular velocity R omega, so the rows depend on
 * the attitude:
 *   x' - r <n_2, omega> = -Omega y,   y' + r <n_1, omega> = Omega x,   n_i the rows of R, d n_i = n_i x eta. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/rigid.h"

#include <liegrp/groups/so3.h>

KERNEL int chaplygin_sphere_rows(const lane_call *c, const real *g, real *mu, real *Y)
{
    const real r = c->param[LG_BALL_R], Omega = c->param[LG_BALL_OMEGA];
    real R[9];
    so3_to_matrix(R, g + 2);
    mu[0] = mu[6] = splat(1);
    for (int i = 0; i < 3; i++) {
        mu[2 + i] = -r * R[3 + i];
        mu[7 + i] = r * R[i];
    }
    Y[0] = -Omega * g[1];
    Y[1] = Omega * g[0];
    return 0;
}

KERNEL int chaplygin_sphere_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu, real *dY)
{
    const real r = c->param[LG_BALL_R], Omega = c->param[LG_BALL_OMEGA];
    real R[9], dn1[3], dn2[3];
    so3_to_matrix(R, g + 2);
    so3_cross(dn1, R, eta + 2);
    so3_cross(dn2, R + 3, eta + 2);
    for (int i = 0; i < 3; i++) {
        dmu[2 + i] = -r * dn2[i];
        dmu[7 + i] = r * dn1[i];
    }
    dY[0] = -Omega * eta[1];
    dY[1] = Omega * eta[0];
    return 0;
}

LG_LANED_COVECTORS(lg_chaplygin_sphere_rows, chaplygin_sphere_rows)
LG_LANED_COVECTORS_ALONG(lg_chaplygin_sphere_rows_along, chaplygin_sphere_rows_along)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("m", "kg", "mass", 3),
    LG_POSITIVE("r", "m", "radius", 1),
    LG_ANY("Omega", "rad/s", "angular velocity of the table, 0: at rest", 0.2),
    LG_POSITIVE("I1", "kg m^2", "first principal moment of inertia", 1),
    LG_POSITIVE("I2", "kg m^2", "second principal moment of inertia", 1.1),
    LG_POSITIVE("I3", "kg m^2", "third principal moment of inertia", 1.2),
};

static const lg_group *(*const factors[])(void) = {lg_catalog_r2, lg_so3};
static const char *const coordinates[] = {"x", "y"};

static int chaplygin_sphere_configure(const lg_call *c, double *J, double *chaplygin_sphere_rows, char *why)
{
    const double *param = c->param;
    (void)chaplygin_sphere_rows, (void)why;
    lg_catalog_ball_inertia(param, J);
    return 0;
}

static int chaplygin_sphere_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *param = c->param;
    const double r = param[LG_BALL_R];
    double w[3];
    g0[0] = 1, g0[1] = 0;
    lg_so3_cay(g0 + 2, (const double[3]){0.4, -0.3, 0.7});
    xi0[2] = -0.2, xi0[3] = 0.5, xi0[4] = 0.4;
    lg_so3_act(w, g0 + 2, xi0 + 2);
    xi0[0] = r * w[1] - param[LG_BALL_OMEGA] * g0[1];
    xi0[1] = -r * w[0] + param[LG_BALL_OMEGA] * g0[0];
    return 0;
}

static const lg_invariant invariants[] = {
    LG_BALL_CONTACT_MOMENTA,
    {"moving_energy", "H - Omega (x p_y - y p_x)", lg_catalog_ball_moving_energy},
};

/* Homogeneous ball. Attitude and body velocity are known on a table at rest, where omega is constant; elsewhere NaN. */
static int chaplygin_sphere_exact(const lg_call *c, const double *g0, const double *xi0, double *g, double *xi)
{
    const double *param = c->param;
    const double t = c->t;
    double w[3];
    if (!lg_catalog_ball_homogeneous(param)) return 1;
    lg_so3_act(w, g0 + 2, xi0 + 2);
    lg_catalog_ball_path(param, t, g0, xi0, w[2], g, xi, w);
    for (int i = 2; i < 5; i++) xi[i] = param[LG_BALL_OMEGA] == 0 ? xi0[i] : (double)NAN;
    if (param[LG_BALL_OMEGA] == 0) return lg_catalog_uniform_rotation(g + 2, g0 + 2, xi0 + 2, t);
    for (int i = 2; i < 6; i++) g[i] = (double)NAN;
    return 0;
}

static int chaplygin_sphere_look(const lg_call *c, lg_scene *scene)
{
    return lg_look_ball_on_table(scene, c->param[LG_BALL_R]);
}

static int chaplygin_sphere_poses(const lg_call *c, const double *g, double *poses)
{
    lg_look_ball_poses(poses, c->param[LG_BALL_OMEGA] * c->times[0], c->param[LG_BALL_R], g, g + 2);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "position of the ball, first coordinate"},
    {"y", "m", "position of the ball, second coordinate"},
    {"inv_contact_momentum_1", "kg m^2/s", NULL},
    {"inv_contact_momentum_2", "kg m^2/s", NULL},
    {"inv_contact_momentum_3", "kg m^2/s", NULL},
    {"inv_moving_energy", "J", NULL},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_chaplygin_sphere = {
    .size = sizeof(lg_model_definition),
    .name = "chaplygin-sphere",
    .summary = "Chaplygin sphere rolling without slipping on a table at rest or rotating",
    .source = "S. A. Chaplygin, On a ball's rolling on a horizontal plane (1903); " LG_FERRARO_2015
              ", section 7.4, equations (40) with the spatial angular velocity, (41)",
    .remark = "The exact solution gives the position for equal moments, and attitude and omega on a table at rest.",
    LG_FACTORS,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    .constraint_count = 2,
    LG_INVARIANTS,
    .configure = chaplygin_sphere_configure,
    .initial = chaplygin_sphere_initial,
    .exact = chaplygin_sphere_exact,
    .step = 0.1,
    .callbacks = {.columns = column_texts,
                  .plot = "x:y/x,y/conserved",
                  .covectors = lg_chaplygin_sphere_rows,
                  .covectors_derivative = lg_chaplygin_sphere_rows_along,
                  .lanes = LG_LANED_ALL,
                  .look = chaplygin_sphere_look,
                  .poses = chaplygin_sphere_poses},
};

#endif
