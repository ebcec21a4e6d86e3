/* SPDX-License-Identifier: BSD-3-Clause */
/* The snakeboard on SE(2) x T^2, velocities (v1, v2, theta', psi', phi') with v1 along the board: psi is the rotor's
 * angle in the plane, phi that of the front axle against the board; the rear axle is at -phi. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

#include <string.h>

enum { MASS, BOARD, ROTOR, AXLE, HALF_LENGTH };

/* The wheels' own conditions are cos phi mu_1 + mu_2 and cos phi mu_1 - mu_2, which are dependent at phi = pi/2, where
 * the axles point along the board. The rows used here never are: mu_1 = -v2, mu_2 = sin phi v1 + r cos phi theta'. */
KERNEL int snakeboard_rows(const lane_call *c, const real *g, real *mu, real *Y)
{
    real sine, cosine;
    (void)Y;
    sincos_of(g[5], &sine, &cosine);
    mu[1] = splat(-1);
    mu[5] = sine;
    mu[7] = c->param[HALF_LENGTH] * cosine;
    return 0;
}

KERNEL int snakeboard_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu, real *dY)
{
    real sine, cosine;
    (void)dY;
    sincos_of(g[5], &sine, &cosine);
    dmu[5] = cosine * eta[4];
    dmu[7] = -c->param[HALF_LENGTH] * sine * eta[4];
    return 0;
}

LG_LANED_COVECTORS(lg_snakeboard_rows, snakeboard_rows)
LG_LANED_COVECTORS_ALONG(lg_snakeboard_rows_along, snakeboard_rows_along)
LG_LANED_TOGETHER(lg_snakeboard_together, 6, 5, snakeboard_rows, snakeboard_rows_along, no_gradient)

#if LANES == 1

const lg_parameter lg_catalog_board_parameters[LG_BOARD_PARAMETERS] = {
    LG_POSITIVE("m", "kg", "mass", 1),
    LG_POSITIVE("J", "kg m^2", "moment of inertia of the board, the axles as point masses included", 0.5),
    LG_POSITIVE("J0", "kg m^2", "moment of inertia of the rotor", 0.25),
    LG_POSITIVE("J1", "kg m^2", "moment of inertia of each axle about its centre", 0.125),
    LG_POSITIVE("r", "m", "distance of each axle from the centre of the board", 1),
};

static const lg_group *(*const factors[])(void) = {lg_se2, lg_catalog_t2};
static const char *const coordinates[] = {"psi", "phi"};

int lg_catalog_board_configure(const lg_call *c, double *J, double *snakeboard_rows, char *why)
{
    const double *param = c->param;
    (void)snakeboard_rows, (void)why;
    J[0] = J[6] = param[MASS];
    J[12] = param[BOARD] + 2 * param[AXLE];
    J[18] = param[ROTOR];
    J[24] = 2 * param[AXLE];
    return 0;
}

static int snakeboard_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *param = c->param;
    const double speed = 0.8, phi = 0.3;
    const double start[6] = {0, 0, lg_real_cos(0.2), lg_real_sin(0.2), 0.1, phi};
    const double velocity[5] = {speed * param[HALF_LENGTH] * lg_real_cos(phi), 0, -speed * lg_real_sin(phi), 0.5, 0.4};
    memcpy(g0, start, sizeof start);
    memcpy(xi0, velocity, sizeof velocity);
    return 0;
}

/* The board moves along (v1, theta') = s (r cos phi, -sin phi); N(phi) = m r^2 cos^2 phi + (J + 2 J1) sin^2 phi is the
 * inertia of s. */
static double inertia(const double *param, double phi)
{
    const double c = param[HALF_LENGTH] * lg_real_cos(phi), s = lg_real_sin(phi);
    return param[MASS] * c * c + (param[BOARD] + 2 * param[AXLE]) * s * s;
}

/* No force moves phi, and H is conserved: s sqrt(N) = C. */
static int snakeboard_scaled_momentum(const lg_call *c, const double *g, const double *p, double *out)
{
    const double phi = g[5];
    *out = (c->param[HALF_LENGTH] * lg_real_cos(phi) * p[0] - lg_real_sin(phi) * p[2]) / sqrt(inertia(c->param, phi));
    return 0;
}

static int momentum_psi(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c, (void)g;
    *out = p[3];
    return 0;
}

static int momentum_phi(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c, (void)g;
    *out = p[4];
    return 0;
}

static const lg_invariant invariants[LG_BOARD_INVARIANTS] = {
    {"p_psi", "momentum of the rotor, a horizontal symmetry", momentum_psi},
    {"p_phi", "momentum of the axles, a horizontal symmetry", momentum_phi},
    {"scaled_momentum", "(r cos phi p_1 - sin phi p_3)/sqrt(m r^2 cos^2 phi + (J + 2 J1) sin^2 phi), body momenta",
     snakeboard_scaled_momentum},
};

typedef struct motion {
    const double *param;
    double C, phi, rate; /* C = s sqrt(N), phi + rate t */
} motion;

static const double node[3] = {0, 0.538469310105683091036314, 0.906179845938663992797627};
static const double weight[3] = {0.568888888888888888888889, 0.478628670499366468041292, 0.236926885056189087514264};

/* Node i of -2 ... 2 on [from, from + length]. */
static double gauss_node(int i, double from, double length)
{
    return from + length / 2 * (1 + (i < 0 ? -node[-i] : node[i]));
}

static double gauss_weight(int i, double length)
{
    return length / 2 * weight[i < 0 ? -i : i];
}

/* Integral of theta' = -s sin phi over [from, from + length]. */
static double turn(const motion *M, double from, double length)
{
    double sum = 0;
    for (int i = -2; i <= 2; i++) {
        const double phi = M->phi + M->rate * gauss_node(i, from, length);
        sum -= gauss_weight(i, length) * lg_real_sin(phi) * M->C / sqrt(inertia(M->param, phi));
    }
    return sum;
}

/* Pose (x, y, theta) at t by Gauss quadrature of order 10, on panels in which neither theta nor the angle scaled by the
 * condition of N turns by more than 0.1: N vanishes at an imaginary distance of at least 1/condition from any phi, and
 * the relative error of a panel is below 40^-10. Returns 1 if that takes more than MOST_PANELS. */
#define MOST_PANELS 1e6
static int pose_at(const motion *M, double t, double *pose)
{
    const double along = inertia(M->param, 0), across = M->param[BOARD] + 2 * M->param[AXLE];
    const double least = fmin(along, across), condition = sqrt(fmax(along, across) / least);
    const double rate = fabs(M->rate) * condition + fabs(M->C) / sqrt(least);
    const double count = 1 + floor(fabs(t) * rate / 0.1), length = t / count;
    if (!(count <= MOST_PANELS)) return 1;
    for (double k = 0; k < count; k++) {
        for (int i = -2; i <= 2; i++) {
            const double at = gauss_node(i, k * length, length), phi = M->phi + M->rate * at;
            const double theta = pose[2] + turn(M, k * length, at - k * length);
            const double v = M->param[HALF_LENGTH] * lg_real_cos(phi) * M->C / sqrt(inertia(M->param, phi));
            pose[0] += gauss_weight(i, length) * v * lg_real_cos(theta);
            pose[1] += gauss_weight(i, length) * v * lg_real_sin(theta);
        }
        pose[2] += turn(M, k * length, length);
    }
    return 0;
}

/* psi and phi turn uniformly, s = C/sqrt(N(phi)), the pose from a quadrature. */
static int snakeboard_exact(const lg_call *call, const double *g0, const double *xi0, double *g, double *xi)
{
    const double *param = call->param;
    const double t = call->t;
    const double r = param[HALF_LENGTH], c = r * lg_real_cos(g0[5]), s = lg_real_sin(g0[5]);
    const double speed = (c * xi0[0] - s * xi0[2]) / (c * c + s * s);
    const motion M = {param, speed * sqrt(inertia(param, g0[5])), g0[5], xi0[4]};
    const double phi = g0[5] + xi0[4] * t, tolerance = 1e-12 * (fabs(xi0[0]) + r * fabs(xi0[2]));
    double pose[3] = {g0[0], g0[1], lg_real_atan2(g0[3], g0[2])};
    if (fabs(xi0[1]) > tolerance || fabs(s * xi0[0] + c * xi0[2]) > tolerance) return 1;
    if (pose_at(&M, t, pose)) return 1;
    g[0] = pose[0];
    g[1] = pose[1];
    g[2] = lg_real_cos(pose[2]);
    g[3] = lg_real_sin(pose[2]);
    g[4] = lg_catalog_angle(g0[4] + xi0[3] * t);
    g[5] = lg_catalog_angle(phi);
    xi[0] = r * lg_real_cos(phi) * M.C / sqrt(inertia(param, phi));
    xi[1] = 0;
    xi[2] = -lg_real_sin(phi) * M.C / sqrt(inertia(param, phi));
    xi[3] = xi0[3];
    xi[4] = xi0[4];
    return 0;
}

int lg_catalog_board_look(const lg_call *c, lg_scene *scene)
{
    const double r = c->param[HALF_LENGTH];
    const int ground = lg_look_ground(scene, "ground", -1, 0), body = lg_look_body(scene, "board");
    const int rotor = lg_look_body(scene, "rotor");
    lg_shape board = lg_look_at("board", LG_SHAPE_BOX, LG_SHADE_BODY, body, 0, 0, 0.25 * r);
    lg_shape ring = lg_look_at("rotor", LG_SHAPE_TORUS, LG_SHADE_SECOND, rotor, 0, 0, 0.4 * r);
    board.dimensions[0] = 2 * r, board.dimensions[1] = 0.25 * r, board.dimensions[2] = 0.05 * r, board.trail = 1;
    ring.dimensions[0] = 0.4 * r, ring.dimensions[1] = 0.03 * r;
    lg_look_add(scene, &board);
    lg_look_add(scene, &ring);
    lg_look_rod(scene, "spoke of the rotor", LG_SHADE_MARK, rotor, (const double[3]){0, 0, 0.4 * r},
                (const double[3]){0.4 * r, 0, 0.4 * r}, 0.03 * r);
    lg_look_axle(scene, "front axle", lg_look_body(scene, "front axle"), ground, 0, 0.25 * r, 0.1 * r);
    lg_look_axle(scene, "rear axle", lg_look_body(scene, "rear axle"), ground, 0, 0.25 * r, 0.1 * r);
    return 0;
}

/* sin phi v1 + r cos phi theta' = 0 is that of an axle at r ahead which is turned by -phi, and of one behind by phi. */
void lg_catalog_board_poses(double *poses, double r, const double *g)
{
    double *front = poses + 2 * LG_POSE_SIZE, *rear = front + LG_POSE_SIZE;
    lg_look_plane_pose(poses, g[0], g[1], g[2], g[3]);
    lg_look_place(poses + LG_POSE_SIZE, g[0], g[1], 0);
    lg_look_turn(poses + LG_POSE_SIZE, 2, g[4]);
    lg_look_carry(front, poses, r, 0, 0);
    lg_look_carry(rear, poses, -r, 0, 0);
    lg_look_turn(front, 2, -g[5]);
    lg_look_turn(rear, 2, g[5]);
}

static int snakeboard_poses(const lg_call *c, const double *g, double *poses)
{
    lg_catalog_board_poses(poses, c->param[HALF_LENGTH], g);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "centre of the board, first coordinate"},
    {"y", "m", "centre of the board, second coordinate"},
    {"theta", "rad", "heading of the board, unwrapped"},
    {"psi", "rad", "angle of the rotor in the plane, unwrapped"},
    {"phi", "rad", "angle of the axles to the board, unwrapped"},
    {"xi_1", "m/s", "velocity along the board"},
    {"xi_2", "m/s", "velocity across the board"},
    {"xi_3", "rad/s", "angular velocity of the board"},
    {"inv_p_psi", "kg m^2/s", NULL},
    {"inv_p_phi", "kg m^2/s", NULL},
    {"inv_scaled_momentum", "J^(1/2)", NULL},
    {NULL, NULL, NULL},
};

static const lg_together together = {lg_snakeboard_together, lg_snakeboard_rows, lg_snakeboard_rows_along, NULL};

const lg_model_definition lg_catalog_snakeboard = {
    .size = sizeof(lg_model_definition),
    .name = "snakeboard",
    .summary = "snakeboard on SE(2) x T^2: a board whose axles steer against each other, with a rotor",
    .source =
        LG_FERRARO_2008 ", section 5, Example 2; rows of full rank instead of the wheels' own; the data are our own",
    .remark = "xi = (velocity along the board, across it, theta', psi', phi'). psi is measured in the plane, so the "
              "rotor turns independently of the board. The constraints keep their rank where the axles point along the "
              "board (phi = pi/2); those of the wheels lose it. The exact solution gives psi, phi and the speeds in "
              "closed form, the pose by a quadrature.",
    LG_FACTORS,
    .coordinate_names = coordinates,
    .parameter_count = LG_BOARD_PARAMETERS,
    .parameters = lg_catalog_board_parameters,
    .constraint_count = 2,
    .invariant_count = LG_BOARD_INVARIANTS,
    .invariants = invariants,
    .configure = lg_catalog_board_configure,
    .initial = snakeboard_initial,
    .exact = snakeboard_exact,
    .step = 0.1,
    .callbacks = {.columns = column_texts,
                  .plot = "x:y/theta,psi,phi/conserved",
                  .covectors = lg_snakeboard_rows,
                  .covectors_derivative = lg_snakeboard_rows_along,
                  .together = &together,
                  .lanes = LG_LANED_ALL,
                  .look = lg_catalog_board_look,
                  .poses = snakeboard_poses},
};

#endif
