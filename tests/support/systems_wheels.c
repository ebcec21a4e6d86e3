/* SPDX-License-Identifier: BSD-3-Clause */
/* Planar systems in coordinates, on R^n: nonholonomic particle, snakeboard, two-wheeled robot, Chaplygin's sleigh with
 * M(theta). Data of planar_*.json. */
#include <math.h>
#include <string.h>

#include "energy_systems.h"

/* ---- particle with a quadratic potential: (x, y, z), z' = y x' ---- */

static int particle_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = q[0] * q[0] + q[1] * q[1];
    return 0;
}

static int particle_dV(const lg_call *c, const double *q, double *out)
{
    (void)c;
    out[0] = 2 * q[0];
    out[1] = 2 * q[1];
    return 0;
}

static int particle_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[0] = -q[1];
    mu[2] = 1;
    return 0;
}

static int particle_along(const lg_call *c, const double *q, const double *eta, double *dmu, double *dY)
{
    (void)c;
    (void)q;
    (void)dY;
    dmu[0] = -eta[1];
    return 0;
}

static void make_particle_quad(test_system *t)
{
    static const double J[3] = {1, 1, 1};
    t->S = lg_system_default(lg_rn(3));
    t->S.inertia_diagonal = J;
    t->S.callbacks.potential = particle_V;
    t->S.callbacks.potential_gradient = particle_dV;
    t->S.constraint_count = 1;
    t->S.callbacks.covectors = particle_rows;
    t->S.callbacks.covectors_derivative = particle_along;
    t->g0[0] = 1;
    t->xi0[0] = 1;
    t->xi0[1] = sqrt(2);
}

/* ---- snakeboard: (x, y, theta, psi, phi), m = r = 1, J = 0.5, J0 = 0.25, J1 = 0.125 ---- */

static int board_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    const double st = sin(q[2]), ct = cos(q[2]), sp = sin(q[4]), cp = cos(q[4]);
    const double rows[10] = {st, -ct, 0, 0, 0, sp * ct, sp * st, cp, 0, 0};
    (void)c;
    (void)Y;
    memcpy(mu, rows, sizeof rows);
    return 0;
}

static int board_along(const lg_call *c, const double *q, const double *eta, double *dmu, double *dY)
{
    const double st = sin(q[2]), ct = cos(q[2]), sp = sin(q[4]), cp = cos(q[4]), a = eta[2], b = eta[4];
    const double rows[10] = {ct * a,  st * a, 0, 0, 0, cp * b * ct - sp * st * a, cp * b * st + sp * ct * a,
                             -sp * b, 0,      0};
    (void)c;
    (void)dY;
    memcpy(dmu, rows, sizeof rows);
    return 0;
}

static void make_snakeboard(test_system *t)
{
    static const double J[5] = {1, 1, 0.75, 0.25, 0.25}, q0[5] = {0, 0, 0.2, 0.1, 0.3}, s = 0.8;
    const double v0[5] = {s * cos(0.2) * cos(0.3), s * sin(0.2) * cos(0.3), -s * sin(0.3), 0.5, 0.4};
    t->S = lg_system_default(lg_rn(5));
    t->S.inertia_diagonal = J;
    t->S.constraint_count = 2;
    t->S.callbacks.covectors = board_rows;
    t->S.callbacks.covectors_derivative = board_along;
    memcpy(t->g0, q0, sizeof q0);
    memcpy(t->xi0, v0, sizeof v0);
}

/* ---- robot: (x, y, theta, psi), a wheel of radius 1 that rolls where theta points, V = 10 sin psi ---- */

static int robot_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = 10 * sin(q[3]);
    return 0;
}

static int robot_dV(const lg_call *c, const double *q, double *out)
{
    (void)c;
    out[3] = 10 * cos(q[3]);
    return 0;
}

static int robot_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[0] = mu[5] = 1;
    mu[3] = -cos(q[2]);
    mu[7] = -sin(q[2]);
    return 0;
}

static int robot_along(const lg_call *c, const double *q, const double *eta, double *dmu, double *dY)
{
    (void)c;
    (void)dY;
    dmu[3] = sin(q[2]) * eta[2];
    dmu[7] = -cos(q[2]) * eta[2];
    return 0;
}

static void make_robot(test_system *t)
{
    static const double J[4] = {1, 1, 1, 3}, q0[4] = {0, 0, 0.3, -0.5};
    const double v0[4] = {1.1 * cos(0.3), 1.1 * sin(0.3), 0.7, 1.1};
    t->S = lg_system_default(lg_rn(4));
    t->S.inertia_diagonal = J;
    t->S.callbacks.potential = robot_V;
    t->S.callbacks.potential_gradient = robot_dV;
    t->S.constraint_count = 2;
    t->S.callbacks.covectors = robot_rows;
    t->S.callbacks.covectors_derivative = robot_along;
    memcpy(t->g0, q0, sizeof q0);
    memcpy(t->xi0, v0, sizeof v0);
}

/* ---- Chaplygin's sleigh in (x, y, theta) of the contact: m = J = 1, a = 0.2 ---- */

static int blade_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[0] = sin(q[2]);
    mu[1] = -cos(q[2]);
    return 0;
}

static int blade_along(const lg_call *c, const double *q, const double *eta, double *dmu, double *dY)
{
    (void)c;
    (void)dY;
    dmu[0] = cos(q[2]) * eta[2];
    dmu[1] = sin(q[2]) * eta[2];
    return 0;
}

static int sleigh_metric(const lg_call *c, const double *q, double *J)
{
    const double s = 0.2 * sin(q[2]), k = 0.2 * cos(q[2]);
    const double M[9] = {1, 0, -s, 0, 1, k, -s, k, 1.04};
    (void)c;
    memcpy(J, M, sizeof M);
    return 0;
}

/* T = (x'^2 + y'^2 + 1.04 theta'^2)/2 + 0.2 theta' (y' cos theta - x' sin theta). */
static int sleigh_slope(const lg_call *c, const double *q, const double *v, double *out)
{
    (void)c;
    out[2] = -0.2 * v[2] * (v[0] * cos(q[2]) + v[1] * sin(q[2]));
    return 0;
}

static void make_sleigh_in_the_plane(test_system *t)
{
    t->S = lg_system_default(lg_rn(3));
    t->S.callbacks.metric = sleigh_metric;
    t->S.callbacks.metric_gradient = sleigh_slope;
    t->S.constraint_count = 1;
    t->S.callbacks.covectors = blade_rows;
    t->S.callbacks.covectors_derivative = blade_along;
    t->xi0[0] = -0.6;
    t->xi0[2] = 1;
}

void make_wheel(test_system *t, const char *name)
{
    if (strcmp(name, "particle_quad") == 0)
        make_particle_quad(t);
    else if (strcmp(name, "snakeboard") == 0)
        make_snakeboard(t);
    else if (strcmp(name, "robot") == 0)
        make_robot(t);
    else
        make_sleigh_in_the_plane(t);
}
