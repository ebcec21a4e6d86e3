/* SPDX-License-Identifier: BSD-3-Clause */
/* A robot on two driven wheels (differential drive): SE(2) x T^2, velocities (v1, v2, w, phi_left', phi_right') at the
 * middle of the axle. The wheels roll without slipping: v2 = 0, v1 - b w = r phi_left', v1 + b w = r phi_right'. The
 * torques of the motors are the controls plus constants that are parameters; friction is viscous. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

enum { M, I, A, B, R, IW, C, TAU_LEFT, TAU_RIGHT };

KERNEL int torque(const lane_call *c, const real *g, const real *xi, real *f)
{
    (void)g;
    for (int i = 0; i < 2; i++) f[3 + i] = c->param[TAU_LEFT + i] + c->control[i] - c->param[C] * xi[3 + i];
    return 0;
}

LG_LANED_ALONG(lg_two_wheels_torque, torque)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("m", "kg", "mass of the robot, its wheels included", 10),
    LG_POSITIVE("I", "kg m^2", "moment of inertia of the robot about its centre of mass, vertical axis", 0.3),
    LG_ANY("a", "m", "distance of the centre of mass ahead of the axle", 0.05),
    LG_POSITIVE("b", "m", "half the distance between the wheels", 0.2),
    LG_POSITIVE("r", "m", "radius of the wheels", 0.1),
    LG_POSITIVE("Iw", "kg m^2", "moment of inertia of a wheel about its axle", 0.005),
    {"c", "N m s", "viscous friction of a wheel, torque -c phi'", 0.02, 0, INFINITY, 0},
    LG_ANY("tau_left", "N m", "constant torque on the left wheel, added to the control u_1", 0.1),
    LG_ANY("tau_right", "N m", "constant torque on the right wheel, added to the control u_2", 0.15),
};

static const lg_group *(*const factors[])(void) = {lg_se2, lg_catalog_t2};
static const char *const coordinates[] = {"phi_left", "phi_right"};

static int two_wheeled_robot_configure(const lg_call *c, double *J, double *rows, char *why)
{
    const double *param = c->param;
    const double m = param[M], a = param[A];
    (void)why;
    J[0] = J[6] = m;
    J[7] = J[11] = m * a;
    J[12] = param[I] + m * a * a;
    J[18] = J[24] = param[IW];
    rows[1] = 1;
    rows[5] = rows[10] = 1;
    rows[5 + 2] = -param[B];
    rows[10 + 2] = param[B];
    rows[5 + 3] = rows[10 + 4] = -param[R];
    return 0;
}

static int two_wheeled_robot_initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c;
    for (int i = 0; i < 6; i++) g0[i] = i == 2;
    for (int i = 0; i < 5; i++) xi0[i] = 0;
    return 0;
}

/* q' = v, v' = f - k v with constant f and k >= 0: v(t) and q(t) - q(0). With z = k t, (1 - e^-z)/z and
 * (z - 1 + e^-z)/z^2 are entire; the second cancels for small z: sum (-z)^j/(j + 2)!, 16 terms, is exact to round-off
 * for |z| <= 1. */
typedef struct damped {
    double v0, f, k;
} damped;

static double damped_velocity(const damped *d, double t)
{
    const double z = d->k * t;
    return d->v0 * lg_real_exp(-z) + d->f * t * (z == 0 ? 1 : -expm1(-z) / z);
}

static double damped_way(const damped *d, double t)
{
    const double z = d->k * t, first = z == 0 ? 1 : -expm1(-z) / z;
    double second = (1 - first) / z;
    if (fabs(z) <= 1) {
        second = 1;
        for (int j = 16; j > 0; j--) second = 1 - z / (j + 2) * second;
        second /= 2;
    }
    return t * (d->v0 * first + d->f * t * second);
}

/* x' + i y' = u exp(i theta) by Gauss quadrature of order 10 on panels in which no quantity changes by more than a
 * tenth: the relative error of a panel is below 0.1^10/10!. Returns 1 if that takes more than MOST_PANELS. */
#define MOST_PANELS 1e6
static int position(const damped *u, const damped *w, double theta0, double t, double *xy)
{
    static const double node[3] = {0, 0.538469310105683091036314, 0.906179845938663992797627};
    static const double weight[3] = {0.568888888888888888888889, 0.478628670499366468041292,
                                     0.236926885056189087514264};
    const double turning = fmax(fabs(w->v0), fabs(damped_velocity(w, t))); /* w is monotonic */
    const double count = 1 + floor(fabs(t) * (turning + u->k + w->k) / 0.1), half = t / count / 2;
    double x = 0, y = 0;
    if (!(count <= MOST_PANELS)) return 1;
    for (double k = 0; k < count; k++) {
        for (int i = -2; i <= 2; i++) {
            const int j = i < 0 ? -i : i;
            const double s = half * (2 * k + 1 + (i < 0 ? -node[j] : node[j]));
            const double theta = theta0 + damped_way(w, s), speed = weight[j] * damped_velocity(u, s);
            x += speed * lg_real_cos(theta);
            y += speed * lg_real_sin(theta);
        }
    }
    xy[0] += half * x;
    xy[1] += half * y;
    return 0;
}

/* In (-pi, pi]. */
static double wrapped(double angle)
{
    return lg_real_atan2(lg_real_sin(angle), lg_real_cos(angle));
}

/* For a = 0 the velocities along the robot and of its turning are independent:
 * (m + 2 Iw/r^2) u' = (tau_left + tau_right)/r - 2 c u/r^2,
 * (I + 2 Iw b^2/r^2) w' = b (tau_right - tau_left)/r - 2 c b^2 w/r^2, without controls. */
static int two_wheeled_robot_exact(const lg_call *c, const double *g0, const double *xi0, double *g, double *xi)
{
    const double *param = c->param;
    const double t = c->t;
    const double b = param[B], r = param[R], drag = 2 * param[C] / (r * r), spin = 2 * param[IW] / (r * r);
    const double along = param[M] + spin, about = param[I] + b * b * spin;
    const damped u = {xi0[0], (param[TAU_LEFT] + param[TAU_RIGHT]) / r / along, drag / along};
    const damped w = {xi0[2], b * (param[TAU_RIGHT] - param[TAU_LEFT]) / r / about, b * b * drag / about};
    const double theta0 = lg_real_atan2(g0[3], g0[2]), theta = theta0 + damped_way(&w, t);
    if (param[A] != 0 || fabs(xi0[1]) > 1e-12 * (fabs(xi0[0]) + fabs(b * xi0[2]))) return 1;
    g[0] = g0[0], g[1] = g0[1];
    if (position(&u, &w, theta0, t, g)) return 1;
    g[2] = lg_real_cos(theta);
    g[3] = lg_real_sin(theta);
    xi[0] = damped_velocity(&u, t);
    xi[1] = 0;
    xi[2] = damped_velocity(&w, t);
    for (int i = 0; i < 2; i++) {
        const double side = i == 0 ? -b : b;
        xi[3 + i] = (xi[0] + side * xi[2]) / r;
        g[4 + i] = wrapped(g0[4 + i] + (damped_way(&u, t) + side * damped_way(&w, t)) / r);
    }
    return 0;
}

static int two_wheeled_robot_look(const lg_call *c, lg_scene *scene)
{
    const double *p = c->param;
    const int ground = lg_look_ground(scene, "ground", -1, 0), robot = lg_look_body(scene, "robot");
    lg_shape plate = lg_look_at("robot", LG_SHAPE_BOX, LG_SHADE_BODY, robot, p[A], 0, p[R]);
    plate.dimensions[0] = sqrt(fmax(p[B] * p[B], 12 * p[I] / p[M] - 3 * p[B] * p[B])); /* its width is 1.7 b */
    plate.dimensions[1] = 1.7 * p[B], plate.dimensions[2] = 0.4 * p[R], plate.trail = 1;
    lg_look_add(scene, &plate);
    lg_look_rod(scene, "axle", LG_SHADE_METAL, robot, (const double[3]){0, -p[B], p[R]},
                (const double[3]){0, p[B], p[R]}, 0.1 * p[R]);
    lg_look_ball(scene, "centre of mass", LG_SHADE_MARK, robot, (const double[3]){p[A], 0, 1.2 * p[R]}, 0.15 * p[R]);
    for (int side = 0; side < 2; side++) {
        const char *name = side == 0 ? "left wheel" : "right wheel";
        lg_shape wheel = lg_look_at(name, LG_SHAPE_CYLINDER, LG_SHADE_WHEEL, lg_look_body(scene, name), 0, 0, 0);
        lg_look_along(&wheel, 0, 1, 0);
        wheel.dimensions[0] = p[R], wheel.rolls_on = ground;
        lg_look_add(scene, &wheel);
    }
    return 0;
}

/* A wheel that turns by phi about the axle, y, goes along x. */
static int two_wheeled_robot_poses(const lg_call *c, const double *g, double *poses)
{
    const double b = c->param[B];
    lg_look_plane_pose(poses, g[0], g[1], g[2], g[3]);
    for (int side = 0; side < 2; side++) {
        double *wheel = poses + LG_POSE_SIZE * (1 + side);
        lg_look_carry(wheel, poses, 0, side == 0 ? b : -b, c->param[R]);
        lg_look_turn(wheel, 1, g[4 + side]);
    }
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "middle of the axle, first coordinate"},
    {"y", "m", "middle of the axle, second coordinate"},
    {"theta", "rad", "heading of the robot, unwrapped"},
    {"phi_left", "rad", "angle of the left wheel, unwrapped"},
    {"phi_right", "rad", "angle of the right wheel, unwrapped"},
    {"xi_1", "m/s", "velocity along the robot"},
    {"xi_2", "m/s", "velocity across the robot"},
    {"xi_3", "rad/s", "angular velocity of the robot"},
    {NULL, NULL, NULL},
};

static const lg_column_text control_texts[] = {
    {"u_1", "N m", "torque of the motor on the left wheel, in addition to tau_left"},
    {"u_2", "N m", "torque of the motor on the right wheel, in addition to tau_right"},
};

const lg_model_definition lg_catalog_two_wheeled_robot = {
    .size = sizeof(lg_model_definition),
    .name = "two-wheeled-robot",
    .summary = "robot on two driven wheels: rolling without slipping, motors as controls, viscous friction",
    .source = "the differential drive of robotics; equations and data are our own",
    .remark = "x, y are the coordinates of the middle of the axle, xi = (velocity along the robot, across it, its "
              "angular velocity, those of the left and the right wheel). The robot starts at rest; its motors work "
              "against friction, so the energy is not conserved but balanced by the work, and tends to a constant. The "
              "parasitic mode of the GNI grows here (column normal). Two of the three rows are holonomic together: 2 b "
              "theta - r (phi_right - phi_left) is constant. The exact solution holds for a = 0 without controls; its "
              "position comes from a quadrature.",
    LG_FACTORS,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    .constraint_count = 3,
    .has_constant_rows = 1,
    .configure = two_wheeled_robot_configure,
    .initial = two_wheeled_robot_initial,
    .exact = two_wheeled_robot_exact,
    .step = 0.02,
    .callbacks = {.columns = column_texts,
                  .controls = control_texts,
                  .plot = "x:y/theta,phi_left,phi_right/conserved",
                  .force = lg_two_wheels_torque,
                  .control_count = 2,
                  .lanes = LG_LANED_ALL,
                  .look = two_wheeled_robot_look,
                  .poses = two_wheeled_robot_poses},
};

#endif
