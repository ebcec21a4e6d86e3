/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems of the literature on which methods drift: the continuously variable transmission, reversible and not, the
 * contact oscillator (Modin, Verdier, Numer. Math. 145, 2020), a chaotic system on R^7. J = 1 throughout. */
#include <math.h>
#include <string.h>

#include "energy_systems.h"
#include "matrix.h"

static const double unit[7] = {1, 1, 1, 1, 1, 1, 1};

/* ---- transmission: (x, y, s), sin s x' + y' = 0, driver s ---- */

typedef struct transmission {
    double skew, quartic; /* V = (x^2 + y^2)/2 + cos s - skew sin 2s + quartic (x^4/4 + x^2 y^2/2) */
} transmission;

static int cvt_V(const lg_call *c, const double *q, double *V)
{
    const transmission *k = c->context;
    const double x = q[0] * q[0], y = q[1] * q[1];
    *V = (x + y) / 2 + cos(q[2]) - k->skew * sin(2 * q[2]) + k->quartic * (x * x / 4 + x * y / 2);
    return 0;
}

static int cvt_dV(const lg_call *c, const double *q, double *out)
{
    const transmission *k = c->context;
    const double x = q[0], y = q[1];
    out[0] = x + k->quartic * (x * x * x + x * y * y);
    out[1] = y + k->quartic * x * x * y;
    out[2] = -sin(q[2]) - 2 * k->skew * cos(2 * q[2]);
    return 0;
}

static int cvt_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[0] = sin(q[2]);
    mu[1] = 1;
    return 0;
}

static int cvt_along(const lg_call *c, const double *q, const double *eta, double *dmu, double *dY)
{
    (void)c;
    (void)dY;
    dmu[0] = cos(q[2]) * eta[2];
    return 0;
}

static void make_cvt(test_system *t, const transmission *k)
{
    static const double q0[3] = {1, 0.2, 0}, v0[3] = {0.3, 0, 1.5};
    t->S = lg_system_default(lg_rn(3));
    t->S.context = k;
    t->S.inertia_diagonal = unit;
    t->S.callbacks.potential = cvt_V;
    t->S.callbacks.potential_gradient = cvt_dV;
    t->S.constraint_count = 1;
    t->S.callbacks.covectors = cvt_rows;
    t->S.callbacks.covectors_derivative = cvt_along;
    memcpy(t->g0, q0, sizeof q0);
    memcpy(t->xi0, v0, sizeof v0);
}

/* ---- contact oscillator: (x, y, z), x' + y z' = 0, V = |q|^2/2 + eps x^2 z^2/2 ---- */

static const double eps_zero = 0, eps_some = 0.3;

static int contact_V(const lg_call *c, const double *q, double *V)
{
    const double *eps = c->context;
    *V = mat_dot(q, q, 3) / 2 + *eps * q[0] * q[0] * q[2] * q[2] / 2;
    return 0;
}

static int contact_dV(const lg_call *c, const double *q, double *out)
{
    const double *eps = c->context;
    out[0] = q[0] + *eps * q[0] * q[2] * q[2];
    out[1] = q[1];
    out[2] = q[2] + *eps * q[0] * q[0] * q[2];
    return 0;
}

static int contact_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[0] = 1;
    mu[2] = q[1];
    return 0;
}

static int contact_along(const lg_call *c, const double *q, const double *eta, double *dmu, double *dY)
{
    (void)c;
    (void)q;
    (void)dY;
    dmu[2] = eta[1];
    return 0;
}

/* The momentum-shifted oscillator H = |q|^2/2 + |p + grad cos z|^2/2 is this one in kinetic momenta; what is left of
 * the shift is the start p = 0, that is v = grad cos z. */
static void make_contact(test_system *t, const double *eps, int shifted)
{
    static const double z = -0.7;
    t->S = lg_system_default(lg_rn(3));
    t->S.context = eps;
    t->S.inertia_diagonal = unit;
    t->S.callbacks.potential = contact_V;
    t->S.callbacks.potential_gradient = contact_dV;
    t->S.constraint_count = 1;
    t->S.callbacks.covectors = contact_rows;
    t->S.callbacks.covectors_derivative = contact_along;
    t->g0[0] = sqrt((2 - z * z) / (1 + *eps * z * z));
    t->g0[1] = 1;
    t->g0[2] = z;
    if (shifted) t->xi0[2] = -sin(z);
}

/* ---- chaotic: (x, y1..3, z1..3), x' + sum y_i z_i' = 0, V = (|q|^2 + z1^2 z2^2 + sum y_i^2 z_i^2)/2 ---- */

static int chaotic_V(const lg_call *c, const double *q, double *V)
{
    const double *y = q + 1, *z = q + 4;
    (void)c;
    *V = mat_dot(q, q, 7) / 2 + z[0] * z[0] * z[1] * z[1] / 2;
    for (int i = 0; i < 3; i++) *V += y[i] * y[i] * z[i] * z[i] / 2;
    return 0;
}

static int chaotic_dV(const lg_call *c, const double *q, double *out)
{
    const double *y = q + 1, *z = q + 4;
    (void)c;
    memcpy(out, q, 7 * sizeof *q);
    for (int i = 0; i < 3; i++) {
        out[1 + i] += y[i] * z[i] * z[i];
        out[4 + i] += y[i] * y[i] * z[i];
    }
    out[4] += z[0] * z[1] * z[1];
    out[5] += z[0] * z[0] * z[1];
    return 0;
}

static int chaotic_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[0] = 1;
    for (int i = 0; i < 3; i++) mu[4 + i] = q[1 + i];
    return 0;
}

static int chaotic_along(const lg_call *c, const double *q, const double *eta, double *dmu, double *dY)
{
    (void)c;
    (void)q;
    (void)dY;
    for (int i = 0; i < 3; i++) dmu[4 + i] = eta[1 + i];
    return 0;
}

static void make_chaotic(test_system *t)
{
    static const double q0[7] = {0.9, 0.6, 0.4, 0.2, 1, 1, 1};
    t->S = lg_system_default(lg_rn(7));
    t->S.inertia_diagonal = unit;
    t->S.callbacks.potential = chaotic_V;
    t->S.callbacks.potential_gradient = chaotic_dV;
    t->S.constraint_count = 1;
    t->S.callbacks.covectors = chaotic_rows;
    t->S.callbacks.covectors_derivative = chaotic_along;
    memcpy(t->g0, q0, sizeof q0);
    t->xi0[1] = 0.3;
    t->xi0[4] = 0.2;
}

void make_benchmark(test_system *t, const char *name)
{
    static const transmission reversible = {0, 0}, skew = {0.1, 0}, quartic = {0.1, 1};
    if (strcmp(name, "cvt_rev") == 0)
        make_cvt(t, &reversible);
    else if (strcmp(name, "cvt_non") == 0)
        make_cvt(t, &skew);
    else if (strcmp(name, "cvt_non4") == 0)
        make_cvt(t, &quartic);
    else if (strcmp(name, "chaotic") == 0)
        make_chaotic(t);
    else
        make_contact(t, strcmp(name, "contact_eps") == 0 ? &eps_some : &eps_zero, strcmp(name, "contact_shift") == 0);
}
