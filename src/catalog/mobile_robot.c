/* SPDX-License-Identifier: BSD-3-Clause */
/* A planar robot on three wheels that roll in the direction theta, while its body keeps its orientation: (x, y, theta,
 * psi) on R^2 x T^2, psi the wheels' angle of rotation, V = 10 sin psi. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

enum { MASS, MOMENT, WHEEL, RADIUS };

KERNEL int mobile_robot_potential(const lane_call *c, const real *q, real *V)
{
    (void)c;
    *V = 10 * sin_of(q[3]);
    return 0;
}

KERNEL int mobile_robot_gradient(const lane_call *c, const real *q, real *dV)
{
    (void)c;
    dV[3] = 10 * cos_of(q[3]);
    return 0;
}

/* x' = r cos theta psi', y' = r sin theta psi'. */
KERNEL int mobile_robot_rows(const lane_call *c, const real *q, real *mu, real *Y)
{
    real sine, cosine;
    (void)Y;
    sincos_of(q[2], &sine, &cosine);
    mu[0] = mu[5] = splat(1);
    mu[3] = -c->param[RADIUS] * cosine;
    mu[7] = -c->param[RADIUS] * sine;
    return 0;
}

KERNEL int mobile_robot_hessian(const lane_call *c, const real *q, const real *eta, real *out)
{
    (void)c;
    out[3] = -10 * sin_of(q[3]) * eta[3];
    return 0;
}

KERNEL int mobile_robot_rows_along(const lane_call *c, const real *q, const real *eta, real *dmu, real *dY)
{
    real sine, cosine;
    (void)dY;
    sincos_of(q[2], &sine, &cosine);
    dmu[3] = c->param[RADIUS] * sine * eta[2];
    dmu[7] = -c->param[RADIUS] * cosine * eta[2];
    return 0;
}

LG_LANED_FIELD(lg_mobile_robot_potential, mobile_robot_potential)
LG_LANED_FIELD(lg_mobile_robot_gradient, mobile_robot_gradient)
LG_LANED_COVECTORS(lg_mobile_robot_rows, mobile_robot_rows)
LG_LANED_ALONG(lg_mobile_robot_hessian, mobile_robot_hessian)
LG_LANED_COVECTORS_ALONG(lg_mobile_robot_rows_along, mobile_robot_rows_along)
LG_LANED_TOGETHER(lg_mobile_robot_together, 4, 4, mobile_robot_rows, mobile_robot_rows_along, mobile_robot_gradient)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("m", "kg", "mass", 1),
    LG_POSITIVE("I", "kg m^2", "moment of inertia that steering moves", 1),
    LG_POSITIVE("Iw", "kg m^2", "axial moment of inertia of each of the three wheels", 1),
    LG_POSITIVE("r", "m", "radius of the wheels", 1),
};

static const lg_group *(*const factors[])(void) = {lg_catalog_r2, lg_catalog_t2};
static const char *const coordinates[] = {"x", "y", "theta", "psi"};

static int mobile_robot_configure(const lg_call *c, double *J, double *mobile_robot_rows, char *why)
{
    const double *param = c->param;
    (void)mobile_robot_rows, (void)why;
    J[0] = J[5] = param[MASS];
    J[10] = param[MOMENT];
    J[15] = 3 * param[WHEEL];
    return 0;
}

static int mobile_robot_initial(const lg_call *c, double *q0, double *v0)
{
    const double *param = c->param;
    const double spin = 1.1, theta = 0.3;
    q0[0] = q0[1] = 0, q0[2] = theta, q0[3] = -0.5;
    v0[0] = param[RADIUS] * spin * lg_real_cos(theta);
    v0[1] = param[RADIUS] * spin * lg_real_sin(theta);
    v0[2] = 0.7, v0[3] = spin;
    return 0;
}

/* theta is cyclic and the rows have no theta component. */
static int momentum_theta(const lg_call *c, const double *q, const double *p, double *out)
{
    (void)c, (void)q;
    *out = p[2];
    return 0;
}

/* (m r^2 + 3 Iw) psi'^2/2 + V on the constraint. */
static int drive_energy(const lg_call *c, const double *q, const double *p, double *out)
{
    const double *param = c->param;
    *out = (p[0] * p[0] + p[1] * p[1]) / (2 * param[MASS]) + p[3] * p[3] / (6 * param[WHEEL]) + 10 * lg_real_sin(q[3]);
    return 0;
}

static const lg_invariant invariants[] = {
    {"p_theta", "momentum of steering, a horizontal symmetry", momentum_theta},
    {"drive_energy", "energy of the pendulum motion of psi, without that of steering", drive_energy},
};

/* Three wheels of radius r on a disk that holds them. */
static int mobile_robot_look(const lg_call *c, lg_scene *scene)
{
    static const char *const names[3] = {"wheel 1", "wheel 2", "wheel 3"};
    const double r = c->param[RADIUS];
    const int ground = lg_look_ground(scene, "ground", -1, 0), body = lg_look_body(scene, "robot");
    lg_shape disk = lg_look_at("robot", LG_SHAPE_CYLINDER, LG_SHADE_BODY, body, 0, 0, 2.2 * r);
    lg_shape front =
        lg_look_at("its front, which keeps its direction", LG_SHAPE_BOX, LG_SHADE_MARK, body, 3 * r, 0, 2.2 * r);
    disk.dimensions[0] = 3 * r, disk.dimensions[1] = 0.2 * r, disk.trail = 1;
    front.dimensions[0] = front.dimensions[1] = 0.5 * r, front.dimensions[2] = 0.22 * r;
    lg_look_add(scene, &disk);
    lg_look_add(scene, &front);
    for (int i = 0; i < 3; i++) {
        lg_shape wheel =
            lg_look_at(names[i], LG_SHAPE_CYLINDER, LG_SHADE_WHEEL, lg_look_body(scene, names[i]), 0, 0, 0);
        lg_look_along(&wheel, 0, 1, 0);
        wheel.dimensions[0] = r, wheel.rolls_on = ground;
        lg_look_add(scene, &wheel);
    }
    return 0;
}

static int mobile_robot_poses(const lg_call *c, const double *q, double *poses)
{
    static const double place[3][2] = {{2, 0}, {-1, 1.7320508075688772}, {-1, -1.7320508075688772}};
    const double r = c->param[RADIUS];
    lg_look_place(poses, q[0], q[1], 0);
    for (int i = 0; i < 3; i++) {
        double *wheel = poses + LG_POSE_SIZE * (1 + i);
        lg_look_place(wheel, q[0] + place[i][0] * r, q[1] + place[i][1] * r, r);
        lg_look_turn(wheel, 2, q[2]);
        lg_look_turn(wheel, 1, q[3]);
    }
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "position, first coordinate"},
    {"y", "m", "position, second coordinate"},
    {"theta", "rad", "direction in which the wheels roll, unwrapped"},
    {"psi", "rad", "angle of the wheels, unwrapped"},
    {"inv_p_theta", "kg m^2/s", NULL},
    {"inv_drive_energy", "J", NULL},
    {NULL, NULL, NULL},
};

static const lg_together together = {lg_mobile_robot_together, lg_mobile_robot_rows, lg_mobile_robot_rows_along,
                                     lg_mobile_robot_gradient};

const lg_model_definition lg_catalog_mobile_robot = {
    .size = sizeof(lg_model_definition),
    .name = "mobile-robot",
    .summary = "planar robot of fixed orientation on three steered wheels, in the potential 10 sin psi",
    .source = LG_CORTES_2001 ", section 6.2; parameters and initial data are our own, the paper gives none",
    .remark = "xi = (x', y', theta', psi'). The reduced motion is that of a pendulum, (m r^2 + 3 Iw) psi'' = -10 cos "
              "psi, and theta'' = 0.",
    LG_FACTORS,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    .constraint_count = 2,
    LG_INVARIANTS,
    .configure = mobile_robot_configure,
    .initial = mobile_robot_initial,
    .step = 0.05,
    .callbacks = {.columns = column_texts,
                  .plot = "x:y/theta,psi/conserved",
                  .potential = lg_mobile_robot_potential,
                  .potential_gradient = lg_mobile_robot_gradient,
                  .potential_hessian = lg_mobile_robot_hessian,
                  .covectors = lg_mobile_robot_rows,
                  .covectors_derivative = lg_mobile_robot_rows_along,
                  .together = &together,
                  .lanes = LG_LANED_ALL,
                  .look = mobile_robot_look,
                  .poses = mobile_robot_poses},
};

#endif
