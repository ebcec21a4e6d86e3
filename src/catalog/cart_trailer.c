/* SPDX-License-Identifier: BSD-3-Clause */
/* A cart and a trailer, two bodies of the plane that share a point: SE(2)^2, velocities (v1, v2, w1; v3, v4, w2) at the
 * middle of each axle, which does not slip sideways, v2 = v4 = 0. The hitch is a holonomic constraint: r1 + R1 (-b, 0)
 * = r2 + R2 (d, 0). */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

#include <stdio.h>
#include <string.h>

enum { M, A, I, B, MT, AT, IT, D, SPRING, KX, KY };

KERNEL int hitch(const lane_call *c, const real *g, real *phi)
{
    const real b = c->param[B], d = c->param[D];
    phi[0] = g[0] - b * g[2] - g[4] - d * g[6];
    phi[1] = g[1] - b * g[3] - g[5] - d * g[7];
    return 0;
}

/* R1 (v1, v2 - b w1) - R2 (v3, v4 + d w2). */
KERNEL int hitch_differential(const lane_call *c, const real *g, real *out)
{
    const real b = c->param[B], d = c->param[D];
    const real rows[12] = {g[2], -g[3], b * g[3],  -g[6], g[7],  d * g[7],
                           g[3], g[2],  -b * g[2], -g[7], -g[6], -d * g[6]};
    for (int i = 0; i < 12; i++) out[i] = rows[i];
    return 0;
}

KERNEL int cart_trailer_potential(const lane_call *c, const real *g, real *V)
{
    const real *param = c->param, aligned = g[2] * g[6] + g[3] * g[7]; /* cos(theta - theta_2) */
    *V = (param[KX] * g[0] * g[0] + param[KY] * g[5] * g[5]) / 2 - param[SPRING] * aligned;
    return 0;
}

KERNEL int cart_trailer_gradient(const lane_call *c, const real *g, real *dV)
{
    const real fx = c->param[KX] * g[0], fy = c->param[KY] * g[5];
    dV[0] = g[2] * fx;
    dV[1] = -g[3] * fx;
    dV[2] = c->param[SPRING] * (g[3] * g[6] - g[2] * g[7]);
    dV[3] = g[7] * fy;
    dV[4] = g[6] * fy;
    dV[5] = -dV[2];
    return 0;
}

KERNEL int cart_trailer_hessian(const lane_call *c, const real *g, const real *eta, real *out)
{
    const real kx = c->param[KX], ky = c->param[KY], aligned = g[2] * g[6] + g[3] * g[7];
    const real dx = kx * (g[2] * eta[0] - g[3] * eta[1]), turned_x = kx * g[0] * eta[2];
    const real dy = ky * (g[7] * eta[3] + g[6] * eta[4]), turned_y = ky * g[5] * eta[5];
    out[0] = g[2] * dx - g[3] * turned_x;
    out[1] = -g[3] * dx - g[2] * turned_x;
    out[2] = c->param[SPRING] * aligned * (eta[2] - eta[5]);
    out[3] = g[7] * dy + g[6] * turned_y;
    out[4] = g[6] * dy - g[7] * turned_y;
    out[5] = -out[2];
    return 0;
}

LG_LANED_FIELD(lg_cart_trailer_potential, cart_trailer_potential)
LG_LANED_FIELD(lg_cart_trailer_gradient, cart_trailer_gradient)
LG_LANED_FIELD(lg_cart_trailer_hitch, hitch)
LG_LANED_FIELD(lg_cart_trailer_hitch_differential, hitch_differential)
LG_LANED_ALONG(lg_cart_trailer_hessian, cart_trailer_hessian)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("m", "kg", "mass of the cart", 1),
    LG_ANY("a", "m", "distance of the cart's centre of mass ahead of its axle", 0.2),
    LG_POSITIVE("I", "kg m^2", "moment of inertia of the cart about its centre of mass", 0.4),
    LG_ANY("b", "m", "distance of the hitch behind the cart's axle", 0.3),
    LG_POSITIVE("mt", "kg", "mass of the trailer", 0.8),
    LG_ANY("at", "m", "distance of the trailer's centre of mass ahead of its axle", 0.1),
    LG_POSITIVE("It", "kg m^2", "moment of inertia of the trailer about its centre of mass", 0.3),
    LG_ANY("d", "m", "distance of the hitch ahead of the trailer's axle", 0.7),
    LG_ANY("k", "N m", "strength of a spring at the hitch, V = kx x^2/2 + ky y_2^2/2 - k cos(theta - theta_2)", 0.5),
    LG_ANY("kx", "N/m", "stiffness of the field in the cart's x", 0.2),
    LG_ANY("ky", "N/m", "stiffness of the field in the trailer's y", 0.2),
};

static const lg_group *(*const factors[])(void) = {lg_se2, lg_se2};

/* J of both bodies, block-diagonal. */
static void inertia(const double *param, double *J)
{
    const double m = param[M], a = param[A], mt = param[MT], at = param[AT];
    J[0] = J[7] = m;
    J[8] = J[13] = m * a;
    J[14] = param[I] + m * a * a;
    J[21] = J[28] = mt;
    J[29] = J[34] = mt * at;
    J[35] = param[IT] + mt * at * at;
}

static int cart_trailer_configure(const lg_call *c, double *J, double *rows, char *why)
{
    const double *param = c->param;
    if (param[B] == 0 && param[D] == 0) {
        (void)snprintf(why, LG_MESSAGE_SIZE,
                       "with b = d = 0 the hitch lies on both axles and its rows depend on theirs at theta = "
                       "theta_2; one of b, d must differ from 0");
        return 1;
    }
    inertia(param, J);
    rows[1] = 1;
    rows[6 + 4] = 1;
    return 0;
}

/* (0.6, 0, 0.5; 0.5, 0, 0.3) projected onto all rows in the metric J. With delta = theta_2 - theta the hitch requires
 * v1 = cos delta v3 - d sin delta w2 and b w1 + sin delta v3 + d cos delta w2 = 0. */
static int cart_trailer_initial(const lg_call *call, double *g0, double *xi0)
{
    const double *param = call->param;
    static const double wanted[6] = {0.6, 0, 0.5, 0.5, 0, 0.3};
    const double s = lg_real_sin(-0.5), c = lg_real_cos(-0.5), b = param[B], d = param[D], row[3] = {b, s, d * c};
    double J[36] = {0}, p[3], q[3];
    g0[0] = g0[1] = 0, g0[2] = lg_real_cos(0.2), g0[3] = lg_real_sin(0.2), g0[6] = lg_real_cos(-0.3),
    g0[7] = lg_real_sin(-0.3);
    g0[4] = -b * g0[2] - d * g0[6];
    g0[5] = -b * g0[3] - d * g0[7];
    memcpy(xi0, wanted, sizeof wanted);
    lg_catalog_across(p, q, row); /* on (w1, v3, w2) */
    const double u[6] = {c * p[1] - d * s * p[2], 0, p[0], p[1], 0, p[2]};
    const double v[6] = {c * q[1] - d * s * q[2], 0, q[0], q[1], 0, q[2]};
    inertia(param, J);
    lg_catalog_onto_plane(xi0, J, u, v, 6);
    return 0;
}

static int cart_trailer_look(const lg_call *c, lg_scene *scene)
{
    const double *p = c->param;
    const int ground = lg_look_ground(scene, "ground", -1, 0);
    const int cart = lg_look_body(scene, "cart"), trailer = lg_look_body(scene, "trailer");
    const double size = lg_look_plate(scene, "cart", LG_SHADE_BODY, cart, p[M], p[I], p[A]), r = 0.12 * size;
    const double z = 0.12 * lg_look_plate(scene, "trailer", LG_SHADE_SECOND, trailer, p[MT], p[IT], p[AT]);
    lg_look_axle(scene, "axle", cart, ground, 0, 0.3 * size, r);
    lg_look_axle(scene, "axle of the trailer", trailer, ground, 0, 0.3 * size, r);
    lg_look_rod(scene, "bar", LG_SHADE_METAL, cart, (const double[3]){0, 0, r}, (const double[3]){-p[B], 0, z}, r / 4);
    lg_look_rod(scene, "bar", LG_SHADE_METAL, trailer, (const double[3]){0, 0, r}, (const double[3]){p[D], 0, z},
                r / 4);
    lg_look_hitch(scene, cart, -p[B], trailer, p[D], z, r / 3);
    return 0;
}

static int cart_trailer_poses(const lg_call *c, const double *g, double *poses)
{
    (void)c;
    for (int i = 0; i < 2; i++)
        lg_look_plane_pose(poses + LG_POSE_SIZE * i, g[4 * i], g[4 * i + 1], g[4 * i + 2], g[4 * i + 3]);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x", "m", "middle of the cart's axle, first coordinate"},
    {"y", "m", "middle of the cart's axle, second coordinate"},
    {"theta", "rad", "heading of the cart, unwrapped"},
    {"x_2", "m", "middle of the trailer's axle, first coordinate"},
    {"y_2", "m", "middle of the trailer's axle, second coordinate"},
    {"theta_2", "rad", "heading of the trailer, unwrapped"},
    {"xi_1", "m/s", "velocity of the cart along its heading"},
    {"xi_2", "m/s", "velocity of the cart across it"},
    {"xi_3", "rad/s", "angular velocity of the cart"},
    {"xi_4", "m/s", "velocity of the trailer along its heading"},
    {"xi_5", "m/s", "velocity of the trailer across it"},
    {"xi_6", "rad/s", "angular velocity of the trailer"},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_cart_trailer = {
    .size = sizeof(lg_model_definition),
    .name = "cart-trailer",
    .summary = "cart with a trailer: two axles that do not slip sideways, the hitch as a holonomic constraint",
    .source = "a wheeled vehicle with one trailer; equations and data are our own",
    .remark = "x, y, theta and the first three xi belong to the cart at the middle of its axle, x_2, y_2, theta_2 and "
              "the last three xi to the trailer at its own. An initial configuration that you give must close the "
              "hitch; --project ensures this. The energy is the only invariant; for a = b = k = 0 the true motion also "
              "conserves p_3.",
    LG_FACTORS,
    LG_PARAMETERS,
    .constraint_count = 2,
    .has_constant_rows = 1,
    .configure = cart_trailer_configure,
    .initial = cart_trailer_initial,
    .step = 0.05,
    .callbacks = {.columns = column_texts,
                  .plot = "x:y,x_2:y_2/theta,theta_2/conserved",
                  .potential = lg_cart_trailer_potential,
                  .potential_gradient = lg_cart_trailer_gradient,
                  .potential_hessian = lg_cart_trailer_hessian,
                  .holonomic_count = 2,
                  .holonomic = lg_cart_trailer_hitch,
                  .holonomic_differential = lg_cart_trailer_hitch_differential,
                  .lanes = LG_LANED_ALL,
                  .look = cart_trailer_look,
                  .poses = cart_trailer_poses},
};

#endif
