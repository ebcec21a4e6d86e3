/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball on a table that turns with Omega(t) = Omega0 + amplitude sin(rate t), on R^2 x SO(3): the rows of the
 * Chaplygin sphere with a drift that depends on time, x' - r <n_2, omega> = -Omega(t) y,   y' + r <n_1, omega> =
 * Omega(t) x,   n_i the rows of R. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/rigid.h"

#include <liegrp/groups/so3.h>

enum { AMPLITUDE = LG_BALL_I3 + 1, RATE };

KERNEL real table(const real *param, real t)
{
    return param[LG_BALL_OMEGA] + param[AMPLITUDE] * sin_of(param[RATE] * t);
}

KERNEL int turntable_rows(const lane_call *c, const real *g, real *mu, real *Y)
{
    const real Omega = table(c->param, time_of(c));
    surface s;
    ball_surface(&s, c->param[LG_BALL_R], NULL, g + 2);
    rolling_rows(mu, g + 2, &s, 2, 2);
    Y[0] = -Omega * g[1];
    Y[1] = Omega * g[0];
    return 0;
}

KERNEL int turntable_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu, real *dY)
{
    const real Omega = table(c->param, time_of(c));
    surface s;
    ball_surface(&s, c->param[LG_BALL_R], NULL, g + 2);
    rolling_rows_along(dmu, g + 2, eta + 2, &s, 2, 2);
    dY[0] = -Omega * eta[1];
    dY[1] = Omega * eta[0];
    return 0;
}

LG_LANED_COVECTORS(lg_turntable_rows, turntable_rows)
LG_LANED_COVECTORS_ALONG(lg_turntable_rows_along, turntable_rows_along)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("m", "kg", "mass", 3),
    LG_POSITIVE("r", "m", "radius", 1),
    LG_ANY("Omega0", "rad/s", "mean angular velocity of the table", 0.2),
    LG_POSITIVE("I1", "kg m^2", "first principal moment of inertia", 1),
    LG_POSITIVE("I2", "kg m^2", "second principal moment of inertia", 1.1),
    LG_POSITIVE("I3", "kg m^2", "third principal moment of inertia", 1.2),
    LG_ANY("amplitude", "rad/s", "amplitude of the table's angular velocity", 0.1),
    LG_ANY("rate", "rad/s", "angular frequency of this variation", 1),
};

static const lg_group *(*const factors[])(void) = {lg_catalog_r2, lg_so3};
static const char *const coordinates[] = {"x", "y"};

static int turntable_configure(const lg_call *c, double *J, double *turntable_rows, char *why)
{
    const double *param = c->param;
    (void)turntable_rows, (void)why;
    lg_catalog_ball_inertia(param, J);
    return 0;
}

static int turntable_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *param = c->param;
    double v[3];
    surface s;
    g0[0] = 1, g0[1] = 0;
    lg_so3_cay(g0 + 2, (const double[3]){0.4, -0.3, 0.7});
    xi0[2] = -0.2, xi0[3] = 0.5, xi0[4] = 0.4;
    ball_surface(&s, param[LG_BALL_R], NULL, g0 + 2);
    rolling_velocity(v, g0 + 2, xi0 + 2, &s);
    xi0[0] = v[0] - table(param, 0) * g0[1];
    xi0[1] = v[1] + table(param, 0) * g0[0];
    return 0;
}

static const lg_invariant invariants[] = {LG_BALL_CONTACT_MOMENTA};

/* phi(t) = mean * integral of Omega, without cancellation for a slow table. */
static double turn(const double *param, double mean, double t)
{
    const double half = param[RATE] * t / 2, chord = half == 0 ? 1 : lg_real_sin(half) / half;
    return mean * t * (param[LG_BALL_OMEGA] + param[AMPLITUDE] * lg_real_sin(half) * chord);
}

/* z = exp(i phi(t)) (z0 + c int_0^t exp(-i phi)) by Gauss quadrature of order 10 on panels in which no angle changes by
 * more than 0.1 rad: the relative error of a panel is below 0.1^10/10!. Returns 1 if that takes more than
 * MOST_PANELS. */
#define MOST_PANELS 1e6
static int path(const double *param, double mean, double t, const double *z0, const double *c, double *z)
{
    static const double node[3] = {0, 0.538469310105683091036314, 0.906179845938663992797627};
    static const double weight[3] = {0.568888888888888888888889, 0.478628670499366468041292,
                                     0.236926885056189087514264};
    const double rate = fabs(mean) * (fabs(param[LG_BALL_OMEGA]) + fabs(param[AMPLITUDE])) + fabs(param[RATE]);
    const double count = 1 + floor(fabs(t) * rate / 0.1), half = t / count / 2;
    double re = 0, im = 0;
    if (!(count <= MOST_PANELS)) return 1;
    for (double k = 0; k < count; k++) {
        for (int i = -2; i <= 2; i++) {
            const int j = i < 0 ? -i : i;
            const double phi = turn(param, mean, half * (2 * k + 1 + (i < 0 ? -node[j] : node[j])));
            re += half * weight[j] * lg_real_cos(phi);
            im -= half * weight[j] * lg_real_sin(phi);
        }
    }
    const double x = z0[0] + c[0] * re - c[1] * im, y = z0[1] + c[0] * im + c[1] * re;
    const double phi = turn(param, mean, t);
    z[0] = lg_real_cos(phi) * x - lg_real_sin(phi) * y;
    z[1] = lg_real_cos(phi) * y + lg_real_sin(phi) * x;
    return 0;
}

/* Homogeneous ball: with K = I w + m r (-y', x', 0) constant, w in space, the rows give
 * z' = i Omega(t) I/(I + m r^2) z + r (K_2 - i K_1)/(I + m r^2), z = x + i y. Attitude and body velocity are NaN. */
static int turntable_exact(const lg_call *call, const double *g0, const double *xi0, double *g, double *xi)
{
    const double *param = call->param;
    const double t = call->t;
    const double m = param[LG_BALL_M], r = param[LG_BALL_R], I = param[LG_BALL_I1], whole = I + m * r * r;
    double w[3];
    if (!lg_catalog_ball_homogeneous(param)) return 1;
    lg_so3_act(w, g0 + 2, xi0 + 2);
    const double k[2] = {I * w[0] - m * r * xi0[1], I * w[1] + m * r * xi0[0]};
    const double c[2] = {r * k[1] / whole, -r * k[0] / whole}, mean = I / whole, now = mean * table(param, t);
    if (path(param, mean, t, g0, c, g)) return 1;
    xi[0] = c[0] - now * g[1];
    xi[1] = c[1] + now * g[0];
    for (int i = 2; i < 6; i++) g[i] = (double)NAN;
    for (int i = 2; i < 5; i++) xi[i] = (double)NAN;
    return 0;
}

static int turntable_look(const lg_call *c, lg_scene *scene)
{
    return lg_look_ball_on_table(scene, c->param[LG_BALL_R]);
}

static int turntable_poses(const lg_call *c, const double *g, double *poses)
{
    lg_look_ball_poses(poses, turn(c->param, 1, c->times[0]), c->param[LG_BALL_R], g, g + 2);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "position of the ball, first coordinate"}, {"y", "m", "position of the ball, second coordinate"},
    {"inv_contact_momentum_1", "kg m^2/s", NULL},         {"inv_contact_momentum_2", "kg m^2/s", NULL},
    {"inv_contact_momentum_3", "kg m^2/s", NULL},         {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_turntable = {
    .size = sizeof(lg_model_definition),
    .name = "turntable",
    .summary = "ball on a table whose angular velocity changes with time",
    .source = LG_FERRARO_2015 ", section 7.4, equation (40) with the spatial angular velocity and Omega(t)",
    .remark = "Affine constraints that depend on time: the table does work on the ball and changes its energy. The "
              "exact solution gives the position for equal moments, by a quadrature. The data are our own.",
    LG_FACTORS,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    .constraint_count = 2,
    LG_INVARIANTS,
    .configure = turntable_configure,
    .initial = turntable_initial,
    .exact = turntable_exact,
    .step = 0.05,
    .callbacks = {.columns = column_texts,
                  .plot = "x:y/x,y/conserved",
                  .covectors = lg_turntable_rows,
                  .covectors_derivative = lg_turntable_rows_along,
                  .time_dependent = 1,
                  .lanes = LG_LANED_ALL,
                  .look = turntable_look,
                  .poses = turntable_poses},
};

#endif
