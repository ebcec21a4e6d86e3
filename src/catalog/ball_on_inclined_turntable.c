/* SPDX-License-Identifier: BSD-3-Clause */
/* A homogeneous ball on an inclined turntable that a motor drives, with rolling friction, on R^2 x T^1 x SO(3): (x, y)
 * the ball in the plane of the table, x uphill, alpha the table's angle. The no-slip condition is linear in the
 * velocities:
 *   x' - r <n_2, omega> + alpha' y = 0,   y' + r <n_1, omega> - alpha' x = 0,   n_i the rows of R. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/rigid.h"

#include <liegrp/groups/so3.h>

enum { MASS, GRAVITY, RADIUS, MOMENT, TABLE, TILT, FRICTION, BEARING };

KERNEL int ball_on_inclined_turntable_potential(const lane_call *c, const real *g, real *V)
{
    *V = c->param[MASS] * c->param[GRAVITY] * sin_of(c->param[TILT]) * g[0];
    return 0;
}

KERNEL int ball_on_inclined_turntable_potential_gradient(const lane_call *c, const real *g, real *out)
{
    (void)g;
    out[0] = c->param[MASS] * c->param[GRAVITY] * sin_of(c->param[TILT]);
    return 0;
}

KERNEL int ball_on_inclined_turntable_rows(const lane_call *c, const real *g, real *mu, real *Y)
{
    surface s;
    (void)Y;
    ball_surface(&s, c->param[RADIUS], NULL, g + 3);
    rolling_rows(mu, g + 3, &s, 2, 3);
    mu[2] = g[1];
    mu[8] = -g[0];
    return 0;
}

/* Control: the motor's torque. Friction: -k (omega - alpha' gamma) on the ball, the opposite on the table, so that its
 * work is -k |omega - alpha' gamma|^2 - bearing alpha'^2. */
KERNEL int force(const lane_call *c, const real *g, const real *xi, real *out)
{
    const real k = c->param[FRICTION];
    real gamma[3];
    vertical(gamma, g + 3);
    out[2] = c->control[0] - c->param[BEARING] * xi[2];
    for (int i = 0; i < 3; i++) {
        const real moment = k * (xi[3 + i] - xi[2] * gamma[i]);
        out[3 + i] = -moment;
        out[2] += gamma[i] * moment;
    }
    return 0;
}

KERNEL int ball_on_inclined_turntable_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu,
                                                 real *dY)
{
    surface s;
    (void)dY;
    ball_surface(&s, c->param[RADIUS], NULL, g + 3);
    rolling_rows_along(dmu, g + 3, eta + 3, &s, 2, 3);
    dmu[2] = eta[1];
    dmu[8] = -eta[0];
    return 0;
}

LG_LANED_COVECTORS(lg_inclined_rows, ball_on_inclined_turntable_rows)
LG_LANED_FIELD(lg_inclined_potential, ball_on_inclined_turntable_potential)
LG_LANED_FIELD(lg_inclined_potential_gradient, ball_on_inclined_turntable_potential_gradient)
LG_LANED_ALONG(lg_inclined_force, force)
LG_LANED_COVECTORS_ALONG(lg_inclined_rows_along, ball_on_inclined_turntable_rows_along)

#if LANES == 1

#define RIGHT_ANGLE 1.5707963267948966

static const lg_parameter parameters[] = {
    LG_POSITIVE("m", "kg", "mass of the ball", 0.1),
    LG_NOT_NEGATIVE("g", "m/s^2", "gravity", 9.81),
    LG_POSITIVE("r", "m", "radius of the ball", 0.05),
    LG_POSITIVE("I", "kg m^2", "moment of inertia of the ball", 1e-4),
    LG_POSITIVE("It", "kg m^2", "moment of inertia of table and motor", 2),
    {"tilt", "rad", "inclination of the table", 0.005, -RIGHT_ANGLE, RIGHT_ANGLE, 1},
    LG_NOT_NEGATIVE("friction", "N m s", "rolling and spinning friction: moment per relative angular velocity", 1e-6),
    LG_NOT_NEGATIVE("bearing", "N m s", "friction of the table's bearing", 0.01),
};

static const lg_group *(*const factors[])(void) = {lg_catalog_r2, lg_catalog_t1, lg_so3};
static const char *const coordinates[] = {"x", "y", "alpha"};

static int ball_on_inclined_turntable_configure(const lg_call *c, double *J, double *ball_on_inclined_turntable_rows,
                                                char *why)
{
    const double *param = c->param;
    (void)ball_on_inclined_turntable_rows, (void)why;
    J[0] = J[7] = param[MASS];
    J[14] = param[TABLE];
    for (int i = 3; i < 6; i++) J[7 * i] = param[MOMENT];
    return 0;
}

/* The ball spins in place while the table turns below it. */
static int ball_on_inclined_turntable_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *param = c->param;
    const double r = param[RADIUS], turn = 2;
    g0[0] = 0.3, g0[1] = 0, g0[2] = 0;
    g0[3] = g0[4] = g0[5] = 0, g0[6] = 1;
    xi0[0] = xi0[1] = 0, xi0[2] = turn;
    xi0[3] = turn * g0[0] / r, xi0[4] = turn * g0[1] / r, xi0[5] = 0;
    return 0;
}

/* K = R p_omega + r (-p_y, p_x, 0): the weight turns its second component at the rate -r m g sin(tilt). */
static int contact_momentum(const lg_call *c, const double *g, const double *p, int i, double *out)
{
    const double *param = c->param, weight = param[MASS] * param[GRAVITY] * lg_real_sin(param[TILT]);
    *out = lg_catalog_contact_momentum(g + 3, p, p + 3, param[RADIUS], i);
    if (i == 1) *out += param[RADIUS] * weight * c->t;
    if (param[FRICTION] != 0) *out = (double)NAN;
    return 0;
}

static int contact_momentum_1(const lg_call *c, const double *g, const double *p, double *out)
{
    return contact_momentum(c, g, p, 0, out);
}

static int contact_momentum_2(const lg_call *c, const double *g, const double *p, double *out)
{
    return contact_momentum(c, g, p, 1, out);
}

static int contact_momentum_3(const lg_call *c, const double *g, const double *p, double *out)
{
    return contact_momentum(c, g, p, 2, out);
}

/* A turn of everything about the table's axis keeps the rows; friction between ball and table is internal. */
static int axial_momentum(const lg_call *c, const double *g, const double *p, double *out)
{
    double L[3];
    const int level = c->param[GRAVITY] == 0 || c->param[TILT] == 0;
    lg_so3_act(L, g + 3, p + 3);
    *out = level && c->param[BEARING] == 0 ? g[0] * p[1] - g[1] * p[0] + p[2] + L[2] : (double)NAN;
    return 0;
}

static const lg_invariant invariants[] = {
    {"contact_momentum_1", "first component of the ball's angular momentum about the contact; nan unless friction = 0",
     contact_momentum_1},
    {"contact_momentum_2", "its second component + m g r sin(tilt) t; nan unless friction = 0", contact_momentum_2},
    {"contact_momentum_3", "its third component; nan unless friction = 0", contact_momentum_3},
    {"axial_momentum",
     "angular momentum of ball and table about the axis, without drive; nan unless tilt = bearing = 0", axial_momentum},
};

static int ball_on_inclined_turntable_look(const lg_call *c, lg_scene *scene)
{
    return lg_look_ball_on_table(scene, c->param[RADIUS]);
}

/* All that moves in the plane of the table is inclined with it: x goes uphill. */
static int ball_on_inclined_turntable_poses(const lg_call *c, const double *g, double *poses)
{
    double *ball = poses + LG_POSE_SIZE, slope[LG_POSE_SIZE];
    lg_look_place(slope, 0, 0, 0);
    lg_look_turn(slope, 1, -c->param[TILT]);
    lg_look_carry(poses, slope, 0, 0, 0);
    lg_look_turn(poses, 2, g[2]);
    lg_look_carry(ball, slope, g[0], g[1], c->param[RADIUS]);
    lg_so3_compose(ball + 3, slope + 3, g + 3);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "position of the ball, along the slope"},
    {"y", "m", "position of the ball, across the slope"},
    {"alpha", "rad", "angle of the table, unwrapped"},
    {"inv_contact_momentum_1", "kg m^2/s", NULL},
    {"inv_contact_momentum_2", "kg m^2/s", NULL},
    {"inv_contact_momentum_3", "kg m^2/s", NULL},
    {"inv_axial_momentum", "kg m^2/s", NULL},
    {NULL, NULL, NULL},
};

static const lg_column_text control_texts[] = {
    {"torque", "N m", "torque on the table"},
};

const lg_model_definition lg_catalog_ball_on_inclined_turntable = {
    .size = sizeof(lg_model_definition),
    .name = "ball-on-inclined-turntable",
    .summary = "ball on an inclined turntable with a driven table and rolling friction",
    .source = LG_FERRARO_2015
    ", section 7.4, equation (40) with the spatial angular velocity, the table as a body of its own",
    .remark =
        "Control: the torque on the table (0 on the command line). On a heavy table without friction the ball drifts "
        "across the slope instead of down. sem balances the work of drive and friction. The data are our own.",
    LG_FACTORS,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    .constraint_count = 2,
    LG_INVARIANTS,
    .configure = ball_on_inclined_turntable_configure,
    .initial = ball_on_inclined_turntable_initial,
    .step = 0.02,
    .callbacks = {.columns = column_texts,
                  .controls = control_texts,
                  .plot = "x:y/x,y/conserved",
                  .potential = lg_inclined_potential,
                  .potential_gradient = lg_inclined_potential_gradient,
                  .potential_hessian = lg_catalog_no_hessian,
                  .covectors = lg_inclined_rows,
                  .covectors_derivative = lg_inclined_rows_along,
                  .force = lg_inclined_force,
                  .control_count = 1,
                  .lanes = LG_LANED_ALL,
                  .look = ball_on_inclined_turntable_look,
                  .poses = ball_on_inclined_turntable_poses},
};

#endif
