/* SPDX-License-Identifier: BSD-3-Clause */
/* Two point masses in space, one hanging from the other and that from a fixed pivot, on rods of fixed length: R^6 with
 * the holonomic constraints phi_1 = (|q1|^2 - l1^2)/2, phi_2 = (|q2 - q1|^2 - l2^2)/2. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"

#include <string.h>

enum { MASS_1, MASS_2, LENGTH_1, LENGTH_2, GRAVITY };

KERNEL int double_spherical_pendulum_potential(const lane_call *c, const real *q, real *V)
{
    const real *k = c->param;
    *V = k[GRAVITY] * (k[MASS_1] * q[2] + k[MASS_2] * q[5]);
    return 0;
}

KERNEL int double_spherical_pendulum_gradient(const lane_call *c, const real *q, real *dV)
{
    const real *k = c->param;
    (void)q;
    dV[2] = k[GRAVITY] * k[MASS_1];
    dV[5] = k[GRAVITY] * k[MASS_2];
    return 0;
}

KERNEL int lengths(const lane_call *c, const real *q, real *phi)
{
    const real *k = c->param;
    real upper = splat(0), lower = splat(0);
    for (int i = 0; i < 3; i++) {
        upper += q[i] * q[i];
        lower += (q[3 + i] - q[i]) * (q[3 + i] - q[i]);
    }
    phi[0] = (upper - k[LENGTH_1] * k[LENGTH_1]) / 2;
    phi[1] = (lower - k[LENGTH_2] * k[LENGTH_2]) / 2;
    return 0;
}

KERNEL int differential(const lane_call *c, const real *q, real *out)
{
    (void)c;
    for (int i = 0; i < 3; i++) {
        out[i] = q[i];
        out[6 + i] = q[i] - q[3 + i];
        out[9 + i] = q[3 + i] - q[i];
    }
    return 0;
}

LG_LANED_FIELD(lg_pendulum_potential, double_spherical_pendulum_potential)
LG_LANED_FIELD(lg_pendulum_gradient, double_spherical_pendulum_gradient)
LG_LANED_FIELD(lg_pendulum_lengths, lengths)
LG_LANED_FIELD(lg_pendulum_differential, differential)

#if LANES == 1

static const lg_parameter parameters[] = {
    LG_POSITIVE("m1", "kg", "upper mass", 1),
    LG_POSITIVE("m2", "kg", "lower mass", 0.5),
    LG_POSITIVE("l1", "m", "length of the upper rod", 1),
    LG_POSITIVE("l2", "m", "length of the lower rod", 1),
    LG_ANY("g", "m/s^2", "gravity", 1),
};

static const char *const coordinates[] = {"x1", "y1", "z1", "x2", "y2", "z2"};

static int double_spherical_pendulum_configure(const lg_call *c, double *J, double *rows, char *why)
{
    const double *param = c->param;
    (void)rows, (void)why;
    for (int i = 0; i < 6; i++) J[7 * i] = param[i < 3 ? MASS_1 : MASS_2];
    return 0;
}

static int double_spherical_pendulum_hessian(const lg_call *c, const double *q, const double *eta, double *out)
{
    (void)c, (void)q, (void)eta, (void)out; /* V is linear */
    return 0;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* v moved onto q1.v1 = 0, d.(v2 - v1) = 0 with d = q2 - q1 in the metric: v -= J^-1 A^T (A J^-1 A^T)^-1 A v. */
static void double_spherical_pendulum_project(const double *k, const double *q, double *v)
{
    double d[3], relative[3];
    for (int i = 0; i < 3; i++) {
        d[i] = q[3 + i] - q[i];
        relative[i] = v[3 + i] - v[i];
    }
    const double a = dot(q, q) / k[MASS_1], b = -dot(q, d) / k[MASS_1];
    const double e = dot(d, d) * (1 / k[MASS_1] + 1 / k[MASS_2]), det = a * e - b * b;
    const double u = dot(q, v), w = dot(d, relative), s = (e * u - b * w) / det, t = (a * w - b * u) / det;
    for (int i = 0; i < 3; i++) {
        v[i] -= (s * q[i] - t * d[i]) / k[MASS_1];
        v[3 + i] -= t * d[i] / k[MASS_2];
    }
}

static int double_spherical_pendulum_initial(const lg_call *c, double *q0, double *v0)
{
    const double *param = c->param;
    static const double upper[3] = {0.8, 0, -0.6}, lower[3] = {0.36, 0.48, -0.8};
    static const double velocity[6] = {0.3, 0.7, 0.2, -0.4, 0.1, 0.5};
    for (int i = 0; i < 3; i++) {
        q0[i] = param[LENGTH_1] * upper[i];
        q0[3 + i] = q0[i] + param[LENGTH_2] * lower[i];
    }
    memcpy(v0, velocity, sizeof velocity);
    double_spherical_pendulum_project(param, q0, v0);
    return 0;
}

static int vertical_momentum(const lg_call *c, const double *q, const double *p, double *out)
{
    (void)c;
    *out = q[0] * p[1] - q[1] * p[0] + q[3] * p[4] - q[4] * p[3];
    return 0;
}

static const lg_invariant invariants[] = {
    {"vertical_momentum", "angular momentum about the vertical through the pivot", vertical_momentum},
};

static int double_spherical_pendulum_look(const lg_call *c, lg_scene *scene)
{
    const double *p = c->param, size = p[LENGTH_1] + p[LENGTH_2];
    static const double origin[3] = {0, 0, 0};
    const int upper = lg_look_body(scene, "upper mass"), lower = lg_look_body(scene, "lower mass");
    lg_look_ball(scene, "pivot", LG_SHADE_METAL, -1, origin, 0.025 * size);
    for (int i = 0; i < 2; i++) {
        const int body = i == 0 ? upper : lower;
        lg_shape mass = lg_look_at(i == 0 ? "upper mass" : "lower mass", LG_SHAPE_SPHERE,
                                   i == 0 ? LG_SHADE_BODY : LG_SHADE_SECOND, body, 0, 0, 0);
        lg_shape rod =
            lg_look_at(i == 0 ? "upper rod" : "lower rod", LG_SHAPE_ROD, LG_SHADE_METAL, i == 0 ? -1 : upper, 0, 0, 0);
        mass.dimensions[0] = 0.05 * size * cbrt(p[MASS_1 + i] / p[MASS_1]), mass.trail = 1;
        rod.end_body = body, rod.dimensions[0] = 0.012 * size;
        lg_look_add(scene, &mass);
        lg_look_add(scene, &rod);
    }
    return 0;
}

static int double_spherical_pendulum_poses(const lg_call *c, const double *q, double *poses)
{
    (void)c;
    lg_look_place(poses, q[0], q[1], q[2]);
    lg_look_place(poses + LG_POSE_SIZE, q[3], q[4], q[5]);
    return 0;
}

static const lg_column_text column_texts[] = {
    {"x1", "m", "position of the upper mass, first coordinate"},
    {"y1", "m", "position of the upper mass, second coordinate"},
    {"z1", "m", "position of the upper mass, third coordinate, upwards"},
    {"x2", "m", "position of the lower mass, first coordinate"},
    {"y2", "m", "position of the lower mass, second coordinate"},
    {"z2", "m", "position of the lower mass, third coordinate, upwards"},
    {"inv_vertical_momentum", "kg m^2/s", NULL},
    {NULL, NULL, NULL},
};

const lg_model_definition lg_catalog_double_spherical_pendulum = {
    .size = sizeof(lg_model_definition),
    .name = "double-spherical-pendulum",
    .summary = "two masses in space on rods, one hanging from the other, with holonomic constraints",
    .source = "J. E. Marsden, J. Scheurle, Lagrangian reduction and the double spherical pendulum, ZAMP 44 (1993); "
              "the data are our own",
    .remark = "sem keeps lengths and energy to round-off and the vertical momentum to order 2, sem:momentum keeps all "
              "three; rattle, gni and dla keep lengths and momentum. Other methods, except the baselines, do not take "
              "holonomic constraints.",
    .group = lg_catalog_r6,
    .coordinate_names = coordinates,
    LG_PARAMETERS,
    LG_INVARIANTS,
    .configure = double_spherical_pendulum_configure,
    .initial = double_spherical_pendulum_initial,
    .step = 0.05,
    .callbacks = {.columns = column_texts,
                  .plot = "x1:y1,x2:y2/z1,z2/conserved",
                  .potential = lg_pendulum_potential,
                  .potential_gradient = lg_pendulum_gradient,
                  .potential_hessian = double_spherical_pendulum_hessian,
                  .holonomic_count = 2,
                  .holonomic = lg_pendulum_lengths,
                  .holonomic_differential = lg_pendulum_differential,
                  .lanes = LG_LANED_ALL,
                  .look = double_spherical_pendulum_look,
                  .poses = double_spherical_pendulum_poses},
};

#endif
