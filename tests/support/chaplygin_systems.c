/* SPDX-License-Identifier: BSD-3-Clause */
#include "chaplygin_systems.h"

#include <math.h>
#include <string.h>

#include "matrix.h"

const char *const chaplygin_names[CHAPLYGIN_CASES] = {"particle", "free",     "flat", "robot",
                                                      "wheels",   "carriage", "knot", "mirror"};

/* ---- particle, free, flat: R^3 = (x, y; z) ---- */

static int bowl(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = g[0] * g[0] + g[1] * g[1];
    return 0;
}

static int bowl_slope(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[0] = 2 * g[0], dV[1] = 2 * g[1];
    return 0;
}

static int contact(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = -g[1], mu[2] = 1;
    return 0;
}

static int contact_rate(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)c, (void)g, (void)dY;
    dmu[0] = -eta[1];
    return 0;
}

/* 1/2 (x'^2 + y'^2 + (z' - y x')^2) */
static int flat_metric(const lg_call *c, const double *g, double *J)
{
    double y = g[1];
    (void)c;
    J[0] = 1 + y * y, J[2] = J[6] = -y, J[4] = J[8] = 1;
    return 0;
}

static int flat_metric_gradient(const lg_call *c, const double *g, const double *v, double *dT)
{
    (void)c;
    dT[1] = -v[0] * (v[2] - g[1] * v[0]);
    return 0;
}

static void make_particle(chaplygin_case *t, int potential, int flat)
{
    static const double one[3] = {1, 1, 1};
    t->S = lg_system_default(lg_rn(3));
    t->S.inertia_diagonal = flat ? NULL : one;
    if (flat) t->S.callbacks.metric = flat_metric, t->S.callbacks.metric_gradient = flat_metric_gradient;
    if (potential) t->S.callbacks.potential = bowl, t->S.callbacks.potential_gradient = bowl_slope;
    t->S.constraint_count = 1;
    t->S.callbacks.covectors = contact;
    t->S.callbacks.covectors_derivative = contact_rate;
    t->count = 2, t->shape[0] = 0, t->shape[1] = 1;
    t->g0[0] = potential ? 1 : 0, t->g0[1] = potential ? 0 : -5;
    t->v0[0] = 1, t->v0[1] = potential ? 1.4142135623730951 : 1;
}

/* ---- robot, wheels: (x, y; theta, psi), m = I = I_omega = R = 1 ---- */

static int hills(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = 10 * sin(g[3]);
    return 0;
}

static int hills_slope(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[3] = 10 * cos(g[3]);
    return 0;
}

static int rolling(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = mu[5] = 1;
    mu[3] = -cos(g[2]), mu[7] = -sin(g[2]);
    return 0;
}

static int rolling_rate(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)c, (void)dY;
    dmu[3] = sin(g[2]) * eta[2], dmu[7] = -cos(g[2]) * eta[2];
    return 0;
}

/* The product of two factors, made once for the test program. */
static const lg_group *product(int slot, const lg_group *first, const lg_group *second)
{
    static lg_group *made[4];
    const lg_group *factors[2] = {first, second};
    if (!made[slot]) suite_ok("product", lg_group_create_product(&made[slot], factors, 2));
    return made[slot];
}

static void make_robot(chaplygin_case *t, int torus)
{
    static const double J[4] = {1, 1, 1, 3}, v0[2] = {0.7, 1.1};
    t->S = lg_system_default(torus ? product(0, lg_rn(2), lg_torus(2)) : lg_rn(4));
    t->S.inertia_diagonal = J;
    t->S.callbacks.potential = hills;
    t->S.callbacks.potential_gradient = hills_slope;
    t->S.constraint_count = 2;
    t->S.callbacks.covectors = rolling;
    t->S.callbacks.covectors_derivative = rolling_rate;
    t->count = 2, t->shape[0] = 2, t->shape[1] = 3;
    t->g0[2] = torus ? 3.0 : 0.3, t->g0[3] = -0.5; /* the torus wraps soon */
    memcpy(t->v0, v0, sizeof v0);
}

/* ---- carriage: T^2 x SE(2), wheels of radius .5 at distance .8 from the middle, centre of mass .2 ahead ---- */

static int springs(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = cos(g[0]) + 0.5 * sin(g[0] - 2 * g[1]);
    return 0;
}

static int springs_slope(const lg_call *c, const double *g, double *dV)
{
    double k = cos(g[0] - 2 * g[1]);
    (void)c;
    dV[0] = -sin(g[0]) + 0.5 * k, dV[1] = -k;
    return 0;
}

static void make_carriage(chaplygin_case *t)
{
    static const double J[25] = {0.3, 0, 0, 0, 0, 0, 0.4, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 2.0, 0.4, 0, 0, 0, 0.4, 1.3};
    static const double rows[15] = {-0.25, -0.25, 1, 0, 0, 0, 0, 0, 1, 0, 0.3125, -0.3125, 0, 0, 1};
    static const double place[3] = {0.3, -0.2, 0.4}, v0[2] = {1.9, 0.4};
    t->S = lg_system_default(product(1, lg_torus(2), lg_se2()));
    t->S.inertia = J;
    t->S.callbacks.potential = springs;
    t->S.callbacks.potential_gradient = springs_slope;
    t->S.constraint_count = 3;
    t->S.covector_matrix = rows;
    t->count = 2, t->shape[0] = 0, t->shape[1] = 1;
    t->g0[0] = 0.4, t->g0[1] = -0.3;
    suite_ok("place", lg_group_exp(lg_se2(), t->g0 + 2, place));
    memcpy(t->v0, v0, sizeof v0);
}

/* ---- knot and mirror: R^2 x SO(3) with metric, potential and connection that depend on r = (x, y) ---- */

/* A(r), 3 x 2, and its derivative along (dx, dy). */
static void knot_connection(const double *r, double A[6])
{
    A[0] = 0.4 + sin(r[1]), A[1] = 0.3 * r[0] * r[1];
    A[2] = -0.6 * r[0], A[3] = 0.5 + 0.2 * cos(r[0]);
    A[4] = 0.7 * r[1] * r[1], A[5] = -0.8 + 0.5 * r[0];
}

static void knot_connection_rate(const double *r, const double *e, double A[6])
{
    A[0] = cos(r[1]) * e[1], A[1] = 0.3 * (e[0] * r[1] + r[0] * e[1]);
    A[2] = -0.6 * e[0], A[3] = -0.2 * sin(r[0]) * e[0];
    A[4] = 1.4 * r[1] * e[1], A[5] = 0.5 * e[0];
}

/* Places of (x, y, omega) in an algebra vector, and of r in an element. */
static const int straight[5] = {0, 1, 2, 3, 4}, exchanged[5] = {3, 4, 0, 1, 2};

/* J = J_0 + (x J_1 + y^2 J_2), symmetric, positive near the data. */
static const double knot_J[3][25] = {
    {2, 0.3, 0.2, 0, 0.1, 0.3, 1.5, 0, -0.2, 0.3, 0.2, 0, 1, 0.1, 0, 0, -0.2, 0.1, 1.3, 0.2, 0.1, 0.3, 0, 0.2, 1.7},
    {0.1, 0, 0.05, 0, 0, 0, 0.2, 0, 0.1, 0, 0.05, 0, 0.1, 0, 0.08, 0, 0.1, 0, 0, 0, 0, 0, 0.08, 0, 0.15},
    {0, 0.1, 0, 0, 0.1, 0.1, 0.1, 0, 0, 0, 0, 0, 0.2, 0.05, 0, 0, 0, 0.05, 0.1, 0, 0.1, 0, 0, 0, 0.1}};

static void knot_metric_at(const double *r, const int *where, double *J)
{
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            int k = 5 * i + j;
            J[5 * where[i] + where[j]] = knot_J[0][k] + r[0] * knot_J[1][k] + r[1] * r[1] * knot_J[2][k];
        }
}

static void knot_metric_gradient_at(const double *r, const int *where, const double *xi, double *dT)
{
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            double both = 0.5 * xi[where[i]] * xi[where[j]];
            dT[where[0]] += both * knot_J[1][5 * i + j];
            dT[where[1]] += both * 2 * r[1] * knot_J[2][5 * i + j];
        }
}

static void knot_potential_at(const double *r, double *V, double *dx, double *dy)
{
    *V = 0.5 * r[0] * r[0] + r[1] * r[1] + r[0] * r[1] / 3 + 0.2 * sin(r[0]);
    *dx = r[0] + r[1] / 3 + 0.2 * cos(r[0]);
    *dy = 2 * r[1] + r[0] / 3;
}

static int knot_metric(const lg_call *c, const double *g, double *J)
{
    (void)c;
    knot_metric_at(g, straight, J);
    return 0;
}

static int knot_metric_gradient(const lg_call *c, const double *g, const double *xi, double *dT)
{
    (void)c;
    knot_metric_gradient_at(g, straight, xi, dT);
    return 0;
}

static int knot_potential(const lg_call *c, const double *g, double *V)
{
    double d[2];
    (void)c;
    knot_potential_at(g, V, d, d + 1);
    return 0;
}

static int knot_slope(const lg_call *c, const double *g, double *dV)
{
    double V;
    (void)c;
    knot_potential_at(g, &V, dV, dV + 1);
    return 0;
}

static int knot_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    double A[6];
    (void)c, (void)Y;
    knot_connection(g, A);
    for (int a = 0; a < 3; a++) mu[5 * a] = A[2 * a], mu[5 * a + 1] = A[2 * a + 1], mu[5 * a + 2 + a] = 1;
    return 0;
}

static int knot_rows_rate(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    double A[6];
    (void)c, (void)dY;
    knot_connection_rate(g, eta, A);
    for (int a = 0; a < 3; a++) dmu[5 * a] = A[2 * a], dmu[5 * a + 1] = A[2 * a + 1];
    return 0;
}

static int mirror_metric(const lg_call *c, const double *g, double *J)
{
    (void)c;
    knot_metric_at(g + 4, exchanged, J);
    return 0;
}

static int mirror_potential(const lg_call *c, const double *g, double *V)
{
    return knot_potential(c, g + 4, V);
}

/* B(r) [A(r), 1] with B(r) = 1 + x N: the same kernel. No derivatives are given. */
static int mirror_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    static const double N[9] = {0.1, 0.5, 0, -0.3, 0.2, 0.4, 0, 0.6, -0.1};
    double A[6], B[9];
    (void)c, (void)Y;
    knot_connection(g + 4, A);
    for (int i = 0; i < 9; i++) B[i] = (i % 4 == 0) + g[4] * N[i];
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++) {
            mu[5 * a + k] = B[3 * a + k];
            mu[5 * a + 3] += B[3 * a + k] * A[2 * k];
            mu[5 * a + 4] += B[3 * a + k] * A[2 * k + 1];
        }
    return 0;
}

static void make_knot(chaplygin_case *t, int mirrored)
{
    static const double r0[2] = {0.3, -0.4}, v0[2] = {0.8, 0.5}, attitude[3] = {0.4, -0.3, 0.7};
    t->S = lg_system_default(mirrored ? product(2, lg_so3(), lg_rn(2)) : product(3, lg_rn(2), lg_so3()));
    t->S.callbacks.metric = mirrored ? mirror_metric : knot_metric;
    t->S.callbacks.metric_gradient = mirrored ? NULL : knot_metric_gradient;
    t->S.callbacks.potential = mirrored ? mirror_potential : knot_potential;
    t->S.callbacks.potential_gradient = mirrored ? NULL : knot_slope;
    t->S.constraint_count = 3;
    t->S.callbacks.covectors = mirrored ? mirror_rows : knot_rows;
    t->S.callbacks.covectors_derivative = mirrored ? NULL : knot_rows_rate;
    t->count = 2, t->shape[0] = mirrored ? 3 : 0, t->shape[1] = mirrored ? 4 : 1;
    memcpy(t->g0 + (mirrored ? 4 : 0), r0, sizeof r0);
    suite_ok("attitude", lg_group_exp(lg_so3(), t->g0 + (mirrored ? 0 : 2), attitude));
    memcpy(t->v0, v0, sizeof v0);
}

void chaplygin_make(chaplygin_case *t, const char *name)
{
    memset(t, 0, sizeof *t);
    t->name = name;
    if (strcmp(name, "particle") == 0)
        make_particle(t, 1, 0);
    else if (strcmp(name, "free") == 0)
        make_particle(t, 0, 0);
    else if (strcmp(name, "flat") == 0)
        make_particle(t, 1, 1);
    else if (strcmp(name, "robot") == 0)
        make_robot(t, 0);
    else if (strcmp(name, "wheels") == 0)
        make_robot(t, 1);
    else if (strcmp(name, "carriage") == 0)
        make_carriage(t);
    else if (strcmp(name, "knot") == 0)
        make_knot(t, 0);
    else if (strcmp(name, "mirror") == 0)
        make_knot(t, 1);
    else
        suite_fail("no Chaplygin system '%s'", name);
}
