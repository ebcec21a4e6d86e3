/* SPDX-License-Identifier: BSD-3-Clause */
/* The rolling ball on a rotating table as in the paper, on R^2 x SO(3): its constraints (40) relate the velocity of the
 * centre to the left-trivialised angular velocity, that is to the angular velocity in the body. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

#include <string.h>

KERNEL int drift(const lane_call *c, const real *g, real *Y)
{
    const real Omega = c->param[LG_BALL_OMEGA];
    Y[0] = -Omega * g[1];
    Y[1] = Omega * g[0];
    return 0;
}

KERNEL int rolling_ball_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu, real *dY)
{
    (void)dmu;
    (void)g;
    return drift(c, eta, dY); /* linear in (x, y), and R^2 is moved by adding (eta_1, eta_2) */
}

LG_LANED_FIELD(lg_ball_drift, drift)
LG_LANED_COVECTORS_ALONG(lg_ball_rows_along, rolling_ball_rows_along)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("m", "kg", "mass", 1),
    LG_POSITIVE("r", "m", "radius", 1),
    LG_ANY("Omega", "rad/s", "angular velocity of the table", 1),
    LG_POSITIVE("I1", "kg m^2", "first principal moment of inertia", 2.0 / 3),
    LG_POSITIVE("I2", "kg m^2", "second principal moment of inertia", 2.0 / 3),
    LG_POSITIVE("I3", "kg m^2", "third principal moment of inertia", 2.0 / 3),
};

static const lg_group *(*const factors[])(void) = {lg_catalog_r2, lg_so3};
static const char *const coordinates[] = {"x", "y"};

void lg_catalog_ball_inertia(const double *param, double *J)
{
    J[0] = J[6] = param[LG_BALL_M];
    for (int i = 0; i < 3; i++) J[12 + 6 * i] = param[LG_BALL_I1 + i];
}

int lg_catalog_ball_homogeneous(const double *param)
{
    return param[LG_BALL_I1] == param[LG_BALL_I2] && param[LG_BALL_I2] == param[LG_BALL_I3];
}

/* With lambda the forces at the contact, H' = lambda.Y and (x p_y - y p_x)' = x lambda_2 - y lambda_1 = lambda.Y/Omega.
 */
int lg_catalog_ball_moving_energy(const lg_call *c, const double *g, const double *p, double *out)
{
    const double *param = c->param;
    double H = (p[0] * p[0] + p[1] * p[1]) / param[LG_BALL_M];
    for (int i = 0; i < 3; i++) H += p[2 + i] * p[2 + i] / param[LG_BALL_I1 + i];
    *out = H / 2 - param[LG_BALL_OMEGA] * (g[0] * p[1] - g[1] * p[0]);
    return 0;
}

/* z'' = i kappa z' with kappa = Omega I/(I + m r^2), z = x + i y:
 * z = z0 + v0 (e^{i kappa t} - 1)/(i kappa), w_1 + i w_2 = (Omega z + i z')/r, w_3 constant. */
void lg_catalog_ball_path(const double *param, double t, const double *z0, const double *v0, double w0_3, double *z,
                          double *v, double *w)
{
    const double r = param[LG_BALL_R], Omega = param[LG_BALL_OMEGA], I = param[LG_BALL_I1];
    const double half = Omega * I / (I + param[LG_BALL_M] * r * r) * t / 2;
    const double c = lg_real_cos(half), s = lg_real_sin(half), chord = t * (half == 0 ? 1 : s / half);
    const double vx = v0[0], vy = v0[1];
    z[0] = z0[0] + chord * (c * vx - s * vy);
    z[1] = z0[1] + chord * (s * vx + c * vy);
    v[0] = lg_real_cos(2 * half) * vx - lg_real_sin(2 * half) * vy;
    v[1] = lg_real_sin(2 * half) * vx + lg_real_cos(2 * half) * vy;
    w[0] = (Omega * z[0] - v[1]) / r;
    w[1] = (Omega * z[1] + v[0]) / r;
    w[2] = w0_3;
}

/* Rows of (40): x' - r w_2 + Omega y = 0, y' + r w_1 - Omega x = 0. */
static int rolling_ball_configure(const lg_call *c, double *J, double *rows, char *why)
{
    const double *param = c->param;
    (void)why;
    lg_catalog_ball_inertia(param, J);
    rows[0] = 1;
    rows[3] = -param[LG_BALL_R];
    rows[6] = 1;
    rows[7] = param[LG_BALL_R];
    return 0;
}

static int rolling_ball_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *param = c->param;
    static const double start[6] = {1, 1, 0, 0, 0, 1}; /* (x, y), quaternion */
    const double r = param[LG_BALL_R], Omega = param[LG_BALL_OMEGA];
    memcpy(g0, start, sizeof start);
    xi0[2] = 0, xi0[3] = 2, xi0[4] = 0;
    xi0[0] = r * xi0[3] - Omega * g0[1];
    xi0[1] = -r * xi0[2] + Omega * g0[0];
    return 0;
}

/* K = p_omega + r (-p_y, p_x, 0): K' = p_omega x omega, which is 0 for the homogeneous ball only. */
static int contact_momentum(const lg_call *c, const double *p, int i, double *out)
{
    const double r = c->param[LG_BALL_R], lever[3] = {-p[1], p[0], 0};
    *out = lg_catalog_ball_homogeneous(c->param) ? p[2 + i] + r * lever[i] : (double)NAN;
    return 0;
}

static int contact_momentum_1(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)g;
    return contact_momentum(c, p, 0, out);
}

static int contact_momentum_2(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)g;
    return contact_momentum(c, p, 1, out);
}

static int contact_momentum_3(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)g;
    return contact_momentum(c, p, 2, out);
}

static const lg_invariant invariants[] = {
    {"moving_energy", "H - Omega (x p_y - y p_x)", lg_catalog_ball_moving_energy},
    {"contact_momentum_1", "p_omega_1 - r p_y, angular momentum about the contact; nan unless homogeneous",
     contact_momentum_1},
    {"contact_momentum_2", "p_omega_2 + r p_x; nan unless homogeneous", contact_momentum_2},
    {"contact_momentum_3", "p_omega_3; nan unless homogeneous", contact_momentum_3},
};

/* Homogeneous ball. The attitude is known on a table at rest, where omega is constant; elsewhere it is NaN. */
static int rolling_ball_exact(const lg_call *c, const double *g0, const double *xi0, double *g, double *xi)
{
    const double *param = c->param;
    const double t = c->t;
    if (!lg_catalog_ball_homogeneous(param)) return 1;
    lg_catalog_ball_path(param, t, g0, xi0, xi0[4], g, xi, xi + 2);
    if (param[LG_BALL_OMEGA] == 0) return lg_catalog_uniform_rotation(g + 2, g0 + 2, xi + 2, t);
    for (int i = 2; i < 6; i++) g[i] = (double)NAN;
    return 0;
}

/* K = R p_omega + r (-p_y, p_x, 0): the reaction acts at the contact, for any motion of the table. */
static int physical_momentum(const lg_call *c, const double *g, const double *p, int i, double *out)
{
    *out = lg_catalog_contact_momentum(g + 2, p, p + 2, c->param[LG_BALL_R], i);
    return 0;
}

int lg_catalog_ball_contact_momentum_1(const lg_call *c, const double *g, const double *p, double *out)
{
    return physical_momentum(c, g, p, 0, out);
}

int lg_catalog_ball_contact_momentum_2(const lg_call *c, const double *g, const double *p, double *out)
{
    return physical_momentum(c, g, p, 1, out);
}

int lg_catalog_ball_contact_momentum_3(const lg_call *c, const double *g, const double *p, double *out)
{
    return physical_momentum(c, g, p, 2, out);
}

/* The constraints use the angular velocity in the body, so that the quaternion is not the attitude of a rolling ball:
 * the ball is shown unturned. */
static int rolling_ball_look(const lg_call *c, lg_scene *scene)
{
    const double r = c->param[LG_BALL_R];
    const int turning = lg_look_body(scene, "table"), body = lg_look_body(scene, "ball");
    const int table = lg_look_ground(scene, "table", turning, 0);
    lg_shape ball = lg_look_at("ball, shown without its attitude, which is formal here", LG_SHAPE_SPHERE, LG_SHADE_BODY,
                               body, 0, 0, 0);
    ball.dimensions[0] = r, ball.rolls_on = table, ball.trail = 2;
    lg_look_add(scene, &ball);
    return 0;
}

static int rolling_ball_poses(const lg_call *c, const double *g, double *poses)
{
    lg_look_turn(poses, 2, c->param[LG_BALL_OMEGA] * c->times[0]);
    lg_look_place(poses + LG_POSE_SIZE, g[0], g[1], c->param[LG_BALL_R]);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "position of the ball, first coordinate"},
    {"y", "m", "position of the ball, second coordinate"},
    {"inv_moving_energy", "J", NULL},
    {"inv_contact_momentum_1", "kg m^2/s", NULL},
    {"inv_contact_momentum_2", "kg m^2/s", NULL},
    {"inv_contact_momentum_3", "kg m^2/s", NULL},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_rolling_ball = {
    .size = sizeof(lg_model_definition),
    .name = "rolling-ball",
    .summary = "rolling ball on a rotating table, with the constraints of the paper",
    .source = LG_FERRARO_2015 ", section 7.4, equations (40), (41)",
    .remark = "Formal unless I1 = I2 = I3: the constraints use the angular velocity in the body, while rolling without "
              "slipping needs the one in space. With equal moments x, y, omega are those of a real ball if the columns "
              "of omega are taken in space; for unequal moments use chaplygin-sphere. The exact solution gives "
              "position and omega for equal moments, and the attitude on a table at rest.",
    LG_FACTORS,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    .constraint_count = 2,
    LG_INVARIANTS,
    .has_constant_rows = 1,
    .configure = rolling_ball_configure,
    .initial = rolling_ball_initial,
    .exact = rolling_ball_exact,
    .step = 0.1,
    .callbacks = {.columns = column_texts,
                  .plot = "x:y/x,y/conserved",
                  .drift = lg_ball_drift,
                  .covectors_derivative = lg_ball_rows_along,
                  .lanes = LG_LANED_ALL,
                  .look = rolling_ball_look,
                  .poses = rolling_ball_poses},
};

#endif
