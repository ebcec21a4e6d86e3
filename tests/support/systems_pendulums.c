/* SPDX-License-Identifier: BSD-3-Clause */
/* Links and strings on R^n: a two-link arm with J(q), spherical pendulums with holonomic constraints. */
#include <math.h>
#include <string.h>

#include "energy_systems.h"

/* ---- two links, unit masses at their ends, angles from the vertical and from each other, g = 9.81 ---- */

static int links_metric(const lg_call *c, const double *q, double *J)
{
    (void)c;
    J[0] = 3 + 2 * cos(q[1]);
    J[1] = J[2] = 1 + cos(q[1]);
    J[3] = 1;
    return 0;
}

static int links_slope(const lg_call *c, const double *q, const double *v, double *out)
{
    (void)c;
    out[1] = -sin(q[1]) * v[0] * (v[0] + v[1]);
    return 0;
}

static int links_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = -9.81 * (2 * cos(q[0]) + cos(q[0] + q[1]));
    return 0;
}

static int links_dV(const lg_call *c, const double *q, double *out)
{
    (void)c;
    out[1] = 9.81 * sin(q[0] + q[1]);
    out[0] = 9.81 * 2 * sin(q[0]) + out[1];
    return 0;
}

static void make_links(test_system *t)
{
    t->S = lg_system_default(lg_rn(2));
    t->S.callbacks.metric = links_metric;
    t->S.callbacks.metric_gradient = links_slope;
    t->S.callbacks.potential = links_V;
    t->S.callbacks.potential_gradient = links_dV;
    t->g0[0] = 1.2;
    t->g0[1] = -0.7;
    t->xi0[0] = 0.5;
    t->xi0[1] = 0.3;
}

/* ---- a mass on a rod of length 1: V = z + k x z, the pivot at rest or moving ---- */

typedef struct rod {
    double k;
    int moving; /* pivot (0.1 sin 2t, 0, 0.2 cos 3t) */
} rod;

static void pivot(const rod *r, double t, double *at, double *velocity)
{
    at[0] = r->moving ? 0.1 * sin(2 * t) : 0;
    at[1] = velocity[1] = 0;
    at[2] = r->moving ? 0.2 * cos(3 * t) : 0;
    velocity[0] = r->moving ? 0.2 * cos(2 * t) : 0;
    velocity[2] = r->moving ? -0.6 * sin(3 * t) : 0;
}

static int rod_V(const lg_call *c, const double *q, double *V)
{
    const rod *r = c->context;
    *V = q[2] + r->k * q[0] * q[2];
    return 0;
}

static int rod_dV(const lg_call *c, const double *q, double *out)
{
    const rod *r = c->context;
    out[0] = r->k * q[2];
    out[2] = 1 + r->k * q[0];
    return 0;
}

static int rod_length(const lg_call *c, const double *q, double *phi)
{
    double at[3], velocity[3], s = 0;
    pivot(c->context, c->t, at, velocity);
    for (int i = 0; i < 3; i++) s += (q[i] - at[i]) * (q[i] - at[i]);
    phi[0] = (s - 1) / 2;
    return 0;
}

static int rod_differential(const lg_call *c, const double *q, double *out)
{
    double at[3], velocity[3];
    pivot(c->context, c->t, at, velocity);
    for (int i = 0; i < 3; i++) out[i] = q[i] - at[i];
    return 0;
}

static int rod_rate(const lg_call *c, const double *q, double *out)
{
    double at[3], velocity[3];
    pivot(c->context, c->t, at, velocity);
    for (int i = 0; i < 3; i++) out[0] -= (q[i] - at[i]) * velocity[i];
    return 0;
}

static void make_rod(test_system *t, const rod *r, const double *J)
{
    static const double from_pivot[3] = {0.8, 0, -0.6}, v0[3] = {0.3, 0.7, 0.2};
    double at[3], velocity[3];
    t->S = lg_system_default(lg_rn(3));
    t->S.context = r;
    t->S.inertia_diagonal = J;
    t->S.callbacks.potential = rod_V;
    t->S.callbacks.potential_gradient = rod_dV;
    t->S.callbacks.holonomic_count = 1;
    t->S.callbacks.holonomic = rod_length;
    t->S.callbacks.holonomic_differential = rod_differential;
    t->S.callbacks.holonomic_rate = rod_rate;
    t->S.callbacks.time_dependent = r->moving;
    pivot(r, 0, at, velocity);
    for (int i = 0; i < 3; i++) t->g0[i] = at[i] + from_pivot[i];
    memcpy(t->xi0, v0, sizeof v0);
}

/* ---- the same with a metric that depends on the place: J = diag(1 + 0.4 y^2, 1.3, 1.6 + 0.5 x^2), k = 0.3 ---- */

static int curved_metric(const lg_call *c, const double *q, double *J)
{
    (void)c;
    J[0] = 1 + 0.4 * q[1] * q[1];
    J[4] = 1.3;
    J[8] = 1.6 + 0.5 * q[0] * q[0];
    return 0;
}

static int curved_slope(const lg_call *c, const double *q, const double *v, double *out)
{
    (void)c;
    out[0] = 0.5 * q[0] * v[2] * v[2];
    out[1] = 0.4 * q[1] * v[0] * v[0];
    return 0;
}

/* ---- two of them, one below the other: masses 1 and 0.5, V = z1 + z2/2 ---- */

static int chain_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = q[2] + q[5] / 2;
    return 0;
}

static int chain_dV(const lg_call *c, const double *q, double *out)
{
    (void)c;
    (void)q;
    out[2] = 1;
    out[5] = 0.5;
    return 0;
}

static int chain_lengths(const lg_call *c, const double *q, double *phi)
{
    double a = -1, b = -1;
    (void)c;
    for (int i = 0; i < 3; i++) {
        a += q[i] * q[i];
        b += (q[3 + i] - q[i]) * (q[3 + i] - q[i]);
    }
    phi[0] = a / 2;
    phi[1] = b / 2;
    return 0;
}

static int chain_differential(const lg_call *c, const double *q, double *out)
{
    (void)c;
    for (int i = 0; i < 3; i++) {
        out[i] = q[i];
        out[6 + i] = q[i] - q[3 + i];
        out[9 + i] = q[3 + i] - q[i];
    }
    return 0;
}

static void make_chain(test_system *t)
{
    static const double J[6] = {1, 1, 1, 0.5, 0.5, 0.5}, v0[6] = {0.3, 0.7, 0.2, -0.4, 0.1, 0.5};
    static const double q0[6] = {0.8, 0, -0.6, 0.8 + 0.36, 0.48, -0.6 - 0.8};
    t->S = lg_system_default(lg_rn(6));
    t->S.inertia_diagonal = J;
    t->S.callbacks.potential = chain_V;
    t->S.callbacks.potential_gradient = chain_dV;
    t->S.callbacks.holonomic_count = 2;
    t->S.callbacks.holonomic = chain_lengths;
    t->S.callbacks.holonomic_differential = chain_differential;
    memcpy(t->g0, q0, sizeof q0);
    memcpy(t->xi0, v0, sizeof v0);
}

void make_pendulum(test_system *t, const char *name)
{
    static const rod asymmetric = {0.3, 0}, symmetric = {0, 0}, moving = {0, 1};
    static const double J[3] = {1, 1.3, 1.6}, unit[3] = {1, 1, 1};
    const int curved = strcmp(name, "sphm") == 0;
    if (strcmp(name, "twolink") == 0)
        make_links(t);
    else if (strcmp(name, "dsp") == 0)
        make_chain(t);
    else if (strcmp(name, "sphp") == 0 || curved)
        make_rod(t, &asymmetric, J);
    else
        make_rod(t, strcmp(name, "movpend") == 0 ? &moving : &symmetric, unit);
    if (!curved) return;
    t->S.inertia_diagonal = NULL;
    t->S.callbacks.metric = curved_metric;
    t->S.callbacks.metric_gradient = curved_slope;
}
