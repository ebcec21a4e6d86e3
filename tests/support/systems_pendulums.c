/* SPDX-License-Identifier: BSD-3-Clause */
/* A mass on a rod in R^3: spherical pendulums with a holonomic constraint. */
#include <math.h>
#include <string.h>

#include "energy_systems.h"

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

void make_pendulum(test_system *t, const char *name)
{
    static const rod asymmetric = {0.3, 0}, symmetric = {0, 0}, moving = {0, 1};
    static const double J[3] = {1, 1.3, 1.6}, unit[3] = {1, 1, 1};
    const int curved = strcmp(name, "sphm") == 0;
    if (strcmp(name, "sphp") == 0 || curved)
        make_rod(t, &asymmetric, J);
    else
        make_rod(t, strcmp(name, "movpend") == 0 ? &moving : &symmetric, unit);
    if (!curved) return;
    t->S.inertia_diagonal = NULL;
    t->S.callbacks.metric = curved_metric;
    t->S.callbacks.metric_gradient = curved_slope;
}
