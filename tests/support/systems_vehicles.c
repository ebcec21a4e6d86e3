/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies on SE(2), velocities (v1, v2, w), elements (x, y, cos, sin): sleighs with potentials, forces and a steered
 * blade; a car with a link on it; two bodies joined by a hinge as a holonomic constraint. */
#include <math.h>
#include <string.h>

#include "energy_systems.h"

/* A covector (fx, fy) of space in body axes. */
static void to_body(double *out, const double *g, double fx, double fy)
{
    out[0] = g[2] * fx + g[3] * fy;
    out[1] = -g[3] * fx + g[2] * fy;
}

/* ---- sleighs: m = I = 1, a = 0.2, V = a x + b y^2 + c sin theta ---- */

typedef struct field {
    double x, y2, xx, sine, swing; /* V = (x + swing sin t) X + y2 Y^2 + xx X^2 + sine sin theta */
} field;

static int field_V(const lg_call *c, const double *g, double *V)
{
    const field *k = c->context;
    *V = (k->x + k->swing * sin(c->t)) * g[0] + k->y2 * g[1] * g[1] + k->xx * g[0] * g[0] + k->sine * g[3];
    return 0;
}

static int field_dV(const lg_call *c, const double *g, double *out)
{
    const field *k = c->context;
    to_body(out, g, k->x + k->swing * sin(c->t) + 2 * k->xx * g[0], 2 * k->y2 * g[1]);
    out[2] = k->sine * g[2];
    return 0;
}

static int motor(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)g;
    out[0] = 0.5 * cos(c->t) - 0.1 * xi[0];
    out[2] = 0.4 * sin(2 * c->t) - 0.1 * xi[2];
    return 0;
}

static int steered_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const double d = 0.3 * sin(c->t);
    (void)g;
    (void)Y;
    mu[0] = -sin(d);
    mu[1] = cos(d);
    return 0;
}

static void make_sleigh(test_system *t, const char *name)
{
    static const double J[9] = {1, 0, 0, 0, 1, 0.2, 0, 0.2, 1.04}, row[3] = {0, 1, 0}, xi0[3] = {-0.6, 0, 1};
    static const field slope = {.x = 0.7, .y2 = 0.1, .sine = 0.5}, drive = {.x = 0.2, .swing = 0.1}, bowl = {.xx = 0.1};
    const field *k = strcmp(name, "sleigh_pot") == 0 ? &slope : strcmp(name, "sdrive") == 0 ? &drive : &bowl;
    t->S = lg_system_default(lg_se2());
    t->S.inertia = J;
    t->S.constraint_count = 1;
    t->S.covector_matrix = row;
    t->S.context = k;
    if (strcmp(name, "sleigh") != 0) {
        t->S.callbacks.potential = field_V;
        t->S.callbacks.potential_gradient = field_dV;
    }
    if (k == &drive) t->S.callbacks.force = motor;
    if (strcmp(name, "blade") == 0) {
        t->S.covector_matrix = NULL;
        t->S.callbacks.covectors = steered_rows;
    }
    t->S.callbacks.time_dependent = k == &drive || t->S.callbacks.covectors != NULL;
    t->left_invariant = strcmp(name, "sleigh") == 0;
    t->g0[2] = 1;
    memcpy(t->xi0, xi0, sizeof xi0);
}

/* ---- a car and a link: SE(2) x R, (v1, v2, w, a'); body 1, 0.3; hinge at 0.4; link 0.6, 0.1 with its centre at l ----
 */

typedef struct car {
    double l;
    int racer; /* V = a^2/4 instead of 2 (1 - cos a) + x^2/10 */
    double xx;
} car;

/* Derivatives of the link's velocity and turn by (v1, v2, w, a'). */
static void link_rows(double *u1, double *u2, double l, double a)
{
    u1[0] = u2[1] = 1;
    u1[1] = u2[0] = 0;
    u1[2] = u1[3] = -l * sin(a);
    u2[3] = l * cos(a);
    u2[2] = 0.4 + u2[3];
}

static int car_metric(const lg_call *c, const double *g, double *J)
{
    static const double body[4] = {1, 1, 0.3, 0}, turn[4] = {0, 0, 1, 1};
    const car *k = c->context;
    double u1[4], u2[4];
    link_rows(u1, u2, k->l, g[4]);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            J[4 * i + j] = (i == j ? body[i] : 0) + 0.6 * (u1[i] * u1[j] + u2[i] * u2[j]) + 0.1 * turn[i] * turn[j];
    return 0;
}

static int car_slope(const lg_call *c, const double *g, const double *xi, double *out)
{
    const car *k = c->context;
    const double s = sin(g[4]), p = cos(g[4]), turn = xi[2] + xi[3];
    const double u1 = xi[0] - k->l * s * turn, u2 = xi[1] + 0.4 * xi[2] + k->l * p * turn;
    out[3] = -0.6 * k->l * turn * (u1 * p + u2 * s);
    return 0;
}

static int car_V(const lg_call *c, const double *g, double *V)
{
    const car *k = c->context;
    *V = k->racer ? g[4] * g[4] / 4 : 2 * (1 - cos(g[4])) + k->xx * g[0] * g[0];
    return 0;
}

static int car_dV(const lg_call *c, const double *g, double *out)
{
    const car *k = c->context;
    to_body(out, g, 2 * k->xx * g[0], 0);
    out[3] = k->racer ? g[4] / 2 : 2 * sin(g[4]);
    return 0;
}

static int racer_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const double s = sin(g[4]), p = cos(g[4]);
    const double rows[8] = {0, 1, 0, 0, -s, p, 0.4 * p + 0.5, 0.5};
    (void)c;
    (void)Y;
    memcpy(mu, rows, sizeof rows);
    return 0;
}

static int racer_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    const double s = sin(g[4]) * eta[3], p = cos(g[4]) * eta[3];
    (void)c;
    (void)dY;
    dmu[4] = -p;
    dmu[5] = -s;
    dmu[6] = -0.4 * s;
    return 0;
}

static void make_car(test_system *t, const char *name)
{
    static lg_group *G;
    static const car arm = {0.3, 0, 0.1}, free_arm = {0.3, 0, 0}, racer = {0.25, 1, 0};
    static const double wheel[4] = {0, 1, 0, 0};
    static const double arm_xi[4] = {0.5, 0, 0.4, -0.8}, racer_xi[4] = {0.6, 0, 0.9, -0.7};
    const int racing = strcmp(name, "racer") == 0;
    if (G == NULL) {
        const lg_group *factors[2] = {lg_se2(), lg_rn(1)};
        suite_ok("product", lg_group_create_product(&G, factors, 2));
    }
    t->S = lg_system_default(G);
    t->S.context = racing ? &racer : strcmp(name, "arm") == 0 ? &arm : &free_arm;
    t->S.callbacks.metric = car_metric;
    t->S.callbacks.metric_gradient = car_slope;
    t->S.callbacks.potential = car_V;
    t->S.callbacks.potential_gradient = car_dV;
    if (racing) {
        t->S.constraint_count = 2;
        t->S.callbacks.covectors = racer_rows;
        t->S.callbacks.covectors_derivative = racer_along;
    } else if (t->S.context == &arm) {
        t->S.constraint_count = 1;
        t->S.covector_matrix = wheel;
    }
    t->g0[2] = 1;
    t->g0[4] = racing ? 0.4 : 0.6;
    memcpy(t->xi0, racing ? racer_xi : arm_xi, sizeof arm_xi);
}

/* ---- trailer: bodies (m, a, I) = (1, 0.2, 0.4), (0.8, 0.1, 0.3), joined at (-0.3, 0) of one and (0.7, 0) of the
 * other, a wheel each; V = (x1^2 + y2^2)/10 - cos(theta1 - theta2)/2 ---- */

static int trailer_V(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = (g[0] * g[0] + g[5] * g[5]) / 10 - (g[2] * g[6] + g[3] * g[7]) / 2;
    return 0;
}

static int trailer_dV(const lg_call *c, const double *g, double *out)
{
    (void)c;
    to_body(out, g, g[0] / 5, 0);
    to_body(out + 3, g + 4, 0, g[5] / 5);
    out[2] = (g[3] * g[6] - g[2] * g[7]) / 2;
    out[5] = -out[2];
    return 0;
}

static int hinge(const lg_call *c, const double *g, double *phi)
{
    (void)c;
    phi[0] = g[0] - 0.3 * g[2] - g[4] - 0.7 * g[6];
    phi[1] = g[1] - 0.3 * g[3] - g[5] - 0.7 * g[7];
    return 0;
}

static int hinge_differential(const lg_call *c, const double *g, double *out)
{
    const double rows[12] = {g[2], -g[3], 0.3 * g[3],  -g[6], g[7],  0.7 * g[7],
                             g[3], g[2],  -0.3 * g[2], -g[7], -g[6], -0.7 * g[6]};
    (void)c;
    memcpy(out, rows, sizeof rows);
    return 0;
}

static void make_trailer(test_system *t)
{
    static lg_group *G;
    static const double J[36] = {1, 0, 0, 0,   0, 0, 0, 1, 0.2, 0, 0,   0,    0, 0.2, 0.44, 0, 0,    0,
                                 0, 0, 0, 0.8, 0, 0, 0, 0, 0,   0, 0.8, 0.08, 0, 0,   0,    0, 0.08, 0.308};
    static const double rows[12] = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}, xi0[6] = {0.6, 0, 0.5, 0.5, 0, 0.3};
    if (G == NULL) {
        const lg_group *factors[2] = {lg_se2(), lg_se2()};
        suite_ok("product", lg_group_create_product(&G, factors, 2));
    }
    t->S = lg_system_default(G);
    t->S.inertia = J;
    t->S.callbacks.potential = trailer_V;
    t->S.callbacks.potential_gradient = trailer_dV;
    t->S.constraint_count = 2;
    t->S.covector_matrix = rows;
    t->S.callbacks.holonomic_count = 2;
    t->S.callbacks.holonomic = hinge;
    t->S.callbacks.holonomic_differential = hinge_differential;
    t->g0[2] = cos(0.2);
    t->g0[3] = sin(0.2);
    t->g0[6] = cos(-0.3);
    t->g0[7] = sin(-0.3);
    t->g0[4] = -0.3 * t->g0[2] - 0.7 * t->g0[6];
    t->g0[5] = -0.3 * t->g0[3] - 0.7 * t->g0[7];
    memcpy(t->xi0, xi0, sizeof xi0);
}

void make_vehicle(test_system *t, const char *name)
{
    if (strcmp(name, "trailer") == 0)
        make_trailer(t);
    else if (strcmp(name, "racer") == 0 || strncmp(name, "arm", 3) == 0)
        make_car(t, name);
    else
        make_sleigh(t, name);
}
