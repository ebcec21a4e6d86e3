/* SPDX-License-Identifier: BSD-3-Clause */
#include "steered.h"

#include <math.h>
#include <string.h>

#include "energy_systems.h"

/* ---- the car: g = (x, y, cos, sin, two wheels), parameters (slope k, wheel radius r, friction f) ---- */

/* V = k(t) (1 - cos 2x) + y^2/2 + k(t) sin theta */
static double slope(const lg_call *c)
{
    return c->param[0] * (1 + 0.3 * sin(c->t));
}

static int car_potential(const lg_call *c, const double *g, double *V)
{
    *V = slope(c) * (1 - cos(2 * g[0])) + 0.5 * g[1] * g[1] + slope(c) * g[3];
    return 0;
}

static int car_gradient(const lg_call *c, const double *g, double *dV)
{
    const double Vx = 2 * slope(c) * sin(2 * g[0]), Vy = g[1];
    dV[0] = g[2] * Vx + g[3] * Vy;
    dV[1] = -g[3] * Vx + g[2] * Vy;
    dV[2] = slope(c) * g[2];
    return 0;
}

int steered_hessian(const lg_call *c, const double *g, const double *eta, double *out)
{
    const double Vx = 2 * slope(c) * sin(2 * g[0]), Vy = g[1], Vxx = 4 * slope(c) * cos(2 * g[0]);
    const double x = Vxx * (g[2] * eta[0] - g[3] * eta[1]), y = g[3] * eta[0] + g[2] * eta[1]; /* rates of Vx, Vy */
    out[0] = g[2] * x + g[3] * y + eta[2] * (-g[3] * Vx + g[2] * Vy);
    out[1] = -g[3] * x + g[2] * y + eta[2] * (-g[2] * Vx - g[3] * Vy);
    out[2] = -slope(c) * g[3] * eta[2];
    return 0;
}

/* No slip sideways but for a current across, which grows with y; the left wheel rolls. */
static int car_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const double row[2][5] = {{0, 1, 0.1 * sin(g[0]), 0, 0}, {1, 0, -0.3, -c->param[1], 0}};
    memcpy(mu, row, sizeof row);
    Y[0] = -g[3] * 0.1 * g[1], Y[1] = -g[2] * 0.1 * g[1];
    return 0;
}

static int car_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    const double wind = 0.2 * sin(3 * c->t);
    f[0] = g[2] * wind;
    f[1] = -g[3] * wind;
    for (int i = 0; i < 2; i++) f[3 + i] = c->control[i] - c->param[2] * tanh(xi[3 + i]);
    return 0;
}

static const double car_inertia[25] = {2, 0, 0, 0, 0, 0,   2, 0.3, 0, 0, 0, 0.3, 0.5,
                                       0, 0, 0, 0, 0, 0.1, 0, 0,   0, 0, 0, 0.1};

/* The inertia does not depend on the parameters. */
static int car_arrays(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    memcpy(J, car_inertia, sizeof car_inertia);
    return 0;
}

static void make_car(test_system *t)
{
    static const double value[3] = {0.7, 0.25, 0.05};
    static const double g0[6] = {0.4, -0.2, 0.8, 0.6, 0.1, 3.1}, xi0[5] = {0.5, 0, 0.4, 1, 2};
    static lg_group *G;
    if (!G) {
        const lg_group *factor[] = {lg_se2(), lg_torus(2)};
        suite_ok("product", lg_group_create_product(&G, factor, 2));
    }
    t->name = "car";
    t->S = lg_system_default(G);
    t->S.inertia = car_inertia, t->S.callbacks.arrays = car_arrays;
    t->S.callbacks.potential = car_potential, t->S.callbacks.potential_gradient = car_gradient,
    t->S.callbacks.potential_hessian = steered_hessian;
    t->S.constraint_count = 2, t->S.callbacks.covectors = car_rows;
    t->S.callbacks.force = car_force, t->S.callbacks.control_count = 2, t->S.callbacks.time_dependent = 1;
    t->S.parameter_count = 3, t->S.parameter_values = value;
    memcpy(t->g0, g0, sizeof g0);
    memcpy(t->xi0, xi0, sizeof xi0);
    system_project(&t->S, 0, t->g0, t->xi0);
}

/* ---- the bead: parameters (radius, how much it moves, softness) ---- */

static int bead_metric(const lg_call *c, const double *g, double *J)
{
    J[0] = 1 + c->param[2] * g[1] * g[1], J[4] = 1.5 + 0.3 * sin(g[0]), J[8] = 2;
    J[1] = J[3] = 0.2 * g[2];
    return 0;
}

static int bead_position(const lg_call *c, const double *g, double *phi)
{
    const double r = c->param[0] + c->param[1] * sin(c->t);
    phi[0] = 0.5 * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2] - r * r);
    return 0;
}

static int bead_differential(const lg_call *c, const double *g, double *rows)
{
    (void)c;
    memcpy(rows, g, 3 * sizeof *rows);
    return 0;
}

static int bead_rate(const lg_call *c, const double *g, double *rate)
{
    (void)g;
    rate[0] = -(c->param[0] + c->param[1] * sin(c->t)) * c->param[1] * cos(c->t);
    return 0;
}

static int bead_pull(const lg_call *c, const double *g, const double *xi, double *f)
{
    f[0] = c->control[0] * g[1], f[1] = c->control[1] + cos(c->t), f[2] = -1 - 0.1 * xi[2] * c->control[0];
    return 0;
}

static void make_bead(test_system *t)
{
    static const double value[3] = {1, 0.1, 0.2};
    t->name = "bead";
    t->S = lg_system_default(lg_rn(3));
    t->S.callbacks.metric = bead_metric;
    t->S.callbacks.holonomic_count = 1, t->S.callbacks.holonomic = bead_position;
    t->S.callbacks.holonomic_differential = bead_differential, t->S.callbacks.holonomic_rate = bead_rate;
    t->S.callbacks.force = bead_pull, t->S.callbacks.control_count = 2, t->S.callbacks.time_dependent = 1;
    t->S.parameter_count = 3, t->S.parameter_values = value;
    t->g0[0] = 0.6, t->g0[1] = 0, t->g0[2] = -0.8;
    t->xi0[0] = 0.06, t->xi0[1] = 0.7, t->xi0[2] = -0.08; /* x.x' = r r' */
}

/* ---- the free body ---- */

/* V = sin(x) + k y z + the attitude's first and last matrix entries */
static int free_potential(const lg_call *c, const double *g, double *V)
{
    double R[9];
    lg_so3_to_matrix(R, g + 3);
    *V = sin(g[0]) + c->param[0] * g[1] * g[2] + R[0] - 0.5 * R[8];
    return 0;
}

static int free_arrays(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) J[i * 6 + j] = (i == j ? 2 + 0.3 * i : 0) + 0.1 * cos(i * j);
    return 0;
}

static void make_free(test_system *t)
{
    static const double value[1] = {0.4};
    static double inertia[36];
    static const double g0[7] = {0.2, -0.3, 0.5, 0.5, -0.1, 0.7, 0.5}, xi0[6] = {0.5, -0.2, 0.3, 0.9, 0.4, -0.6};
    (void)free_arrays(NULL, inertia, NULL, NULL);
    t->name = "free";
    t->S = lg_system_default(lg_se3());
    t->S.inertia = inertia, t->S.callbacks.arrays = free_arrays;
    t->S.callbacks.potential = free_potential;
    t->S.parameter_count = 1, t->S.parameter_values = value;
    memcpy(t->g0, g0, sizeof g0);
    memcpy(t->xi0, xi0, sizeof xi0);
}

void steered_make(test_system *t, int kind)
{
    memset(t, 0, sizeof *t);
    t->h = 0.1;
    if (kind == STEERED_CAR) make_car(t);
    if (kind == STEERED_BEAD) make_bead(t);
    if (kind == STEERED_FREE) make_free(t);
}
