/* SPDX-License-Identifier: BSD-3-Clause */
/* Suslov's problem: a rigid body on SO(3) whose angular velocity has no component along a body-fixed direction,
 * <a, Omega> = 0. The row is left-invariant: a constant in body coordinates. */
#include "catalog/look.h"
#include "catalog/systems.h"

#include <stdio.h>

enum { I11, I12, I13, I22, I23, I33, A1, A2, A3 };

static const lg_parameter parameters[] = {
    LG_POSITIVE("I11", "kg m^2", "inertia, diagonal entry", 1),
    LG_ANY("I12", "kg m^2", "inertia, off-diagonal entry", 0.1),
    LG_ANY("I13", "kg m^2", "inertia, off-diagonal entry", 0.2),
    LG_POSITIVE("I22", "kg m^2", "inertia, diagonal entry", 1.5),
    LG_ANY("I23", "kg m^2", "inertia, off-diagonal entry", -0.3),
    LG_POSITIVE("I33", "kg m^2", "inertia, diagonal entry", 2),
    LG_ANY("a1", "", "body-fixed direction without rotation, first component", 0),
    LG_ANY("a2", "", "body-fixed direction without rotation, second component", 0),
    LG_ANY("a3", "", "body-fixed direction without rotation, third component", 1),
};

static int suslov_configure(const lg_call *c, double *J, double *rows, char *why)
{
    const double *p = c->param;
    const double minor = p[I11] * p[I22] - p[I12] * p[I12];
    const double det =
        p[I33] * minor - p[I11] * p[I23] * p[I23] - p[I22] * p[I13] * p[I13] + 2 * p[I12] * p[I13] * p[I23];
    if (!(minor > 0) || !(det > 0)) {
        (void)snprintf(
            why, LG_MESSAGE_SIZE,
            "the inertia is not positive definite: I11 = %g, I11 I22 - I12^2 = %g, determinant = %g must be positive",
            p[I11], minor, det);
        return 1;
    }
    if (p[A1] == 0 && p[A2] == 0 && p[A3] == 0) {
        (void)snprintf(why, LG_MESSAGE_SIZE, "a = (0, 0, 0) is not a constraint; one of a1, a2, a3 must differ from 0");
        return 1;
    }
    const int entry[9] = {I11, I12, I13, I12, I22, I23, I13, I23, I33};
    for (int i = 0; i < 9; i++) J[i] = p[entry[i]];
    for (int i = 0; i < 3; i++) rows[i] = p[A1 + i];
    return 0;
}

static int suslov_initial(const lg_call *c, double *g0, double *xi0)
{
    const double *p = c->param;
    const double v[3] = {0.9, -1.1, 0};
    const double s = (p[A1] * v[0] + p[A2] * v[1] + p[A3] * v[2]) / (p[A1] * p[A1] + p[A2] * p[A2] + p[A3] * p[A3]);
    g0[0] = g0[1] = g0[2] = 0, g0[3] = 1;
    for (int i = 0; i < 3; i++) xi0[i] = v[i] - s * p[A1 + i];
    return 0;
}

/* Angular velocity for a along e3, where I2 w' = <b, w> (-w2, w1) with I2 the upper 2 x 2 block and b = (I13, I23). In
 * the I2-orthonormal basis e = I2^-1 b / |I2^-1 b|, f = sqrt(det I2) I2^-1 (-e2, e1): w = sqrt(2E) (cos phi e + sin phi
 * f), phi' = kappa cos phi, sin phi = tanh(kappa t + s0). Returns 1 where w is constant. */
static int angular_velocity(const double *p, double t, const double *w0, double *w)
{
    const double det = p[I11] * p[I22] - p[I12] * p[I12];
    const double d[2] = {(p[I22] * p[I13] - p[I12] * p[I23]) / det, (p[I11] * p[I23] - p[I12] * p[I13]) / det};
    const double c = sqrt(d[0] * p[I13] + d[1] * p[I23]); /* sqrt(b.I2^-1 b) = |I2^-1 b| in the norm of I2 */
    w[0] = w0[0], w[1] = w0[1], w[2] = 0;
    if (!(c > 0)) return 1;
    const double e[2] = {d[0] / c, d[1] / c};
    const double Je[2] = {p[I11] * e[0] + p[I12] * e[1], p[I12] * e[0] + p[I22] * e[1]};
    const double f[2] = {-Je[1] / sqrt(det),
                         Je[0] / sqrt(det)}; /* the same f: I2^-1 J2 = J2 I2 / det for 2 x 2 matrices */
    const double Jf[2] = {p[I11] * f[0] + p[I12] * f[1], p[I12] * f[0] + p[I22] * f[1]};
    const double along = Je[0] * w0[0] + Je[1] * w0[1], across = Jf[0] * w0[0] + Jf[1] * w0[1];
    if (along == 0) return 1;
    const double size = hypot(along, across), kappa = size * c / sqrt(det);
    const double s = asinh(across / fabs(along)) + kappa * t;
    const double x = copysign(size / cosh(s), along), y = size * tanh(s);
    w[0] = x * e[0] + y * f[0];
    w[1] = x * e[1] + y * f[1];
    return 0;
}

/* Closed form for a along e3. The attitude is known where Omega is constant; elsewhere it is NaN. */
static int suslov_exact(const lg_call *c, const double *g0, const double *xi0, double *g, double *xi)
{
    const double *p = c->param;
    const double t = c->t;
    if (p[A1] != 0 || p[A2] != 0 || fabs(xi0[2]) > 1e-12 * (fabs(xi0[0]) + fabs(xi0[1]))) return 1;
    const double w0[2] = {xi0[0], xi0[1]};
    if (angular_velocity(p, t, w0, xi)) return lg_catalog_uniform_rotation(g, g0, xi, t);
    for (int i = 0; i < 4; i++) g[i] = (double)NAN;
    return 0;
}

/* The ring shows the plane in which the angular velocity lies. */
static int suslov_look(const lg_call *c, lg_scene *scene)
{
    const double *p = c->param, mass = p[I11] + p[I22] + p[I33];
    const double J[9] = {p[I11], p[I12], p[I13], p[I12], p[I22], p[I23], p[I13], p[I23], p[I33]};
    const int body = lg_look_body(scene, "body");
    const double length = sqrt(p[A1] * p[A1] + p[A2] * p[A2] + p[A3] * p[A3]);
    lg_shape ring = lg_look_at("plane of the angular velocity", LG_SHAPE_TORUS, LG_SHADE_GHOST, body, 0, 0, 0);
    double tip[3];
    lg_look_inertia(scene, "body with this inertia", body, mass, J);
    lg_look_along(&ring, p[A1], p[A2], p[A3]);
    ring.dimensions[0] = 1.6, ring.dimensions[1] = 0.03;
    lg_look_add(scene, &ring);
    for (int i = 0; i < 3; i++) tip[i] = length > 0 ? 1.6 * p[A1 + i] / length : 0;
    lg_look_rod(scene, "axis without rotation", LG_SHADE_MARK, body, (const double[3]){0, 0, 0}, tip, 0.03);
    return 0;
}

const lg_model_definition lg_catalog_suslov = {
    .size = sizeof(lg_model_definition),
    .name = "suslov",
    .summary = "Suslov's problem: rigid body with <a, Omega> = 0 for a body-fixed direction a",
    .source = LG_BLOCH_2005 ", equations (14), (18), after G. K. Suslov, Theoretical Mechanics (1902)",
    .remark = "The energy is the only invariant. Attracting motions excite the parasitic mode of the GNI (column "
              "normal). For a1 = a2 = 0 the exact solution gives the angular velocity; the attitude has a closed form "
              "only if the body turns uniformly.",
    .group = lg_so3,
    LG_PARAMETERS,
    .constraint_count = 1,
    .has_constant_rows = 1,
    .configure = suslov_configure,
    .initial = suslov_initial,
    .exact = suslov_exact,
    .step = 0.05,
    .callbacks = {.look = suslov_look, .poses = lg_catalog_attitude_pose},
};
