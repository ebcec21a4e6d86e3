/* SPDX-License-Identifier: BSD-3-Clause */
#include "claims/fedorov2005/map.h"

#include <stdio.h>

static const double pi = 3.14159265358979323846;

int sleigh_open(claim_report *r, sleigh *k, double m, double J, double a, double h)
{
    char settings[80];
    k->m = m, k->J = J, k->a = a, k->h = h, k->K = J + m * a * a;
    snprintf(settings, sizeof settings, "m=%.4g I=%.4g a=%.4g", m, J, a);
    return claim_open(r, &k->s, "chaplygin-sleigh-planar", settings);
}

int sleigh_numbered(claim_report *r, sleigh *k, int i)
{
    static const double own[3][4] = {{1, 1, 0.2, 0.1}, {2, 0.7, 0.3, 0.05}, {0.5, 1.5, -0.25, 0.2}};
    static const double low[4] = {0.5, 0.5, 0.05, 0.02}, high[4] = {2, 2, 0.45, 0.22};
    lg_rng rng = {(uint64_t)(300 + i)};
    double u[4];
    if (i < 3) return sleigh_open(r, k, own[i][0], own[i][1], own[i][2], own[i][3]);
    for (int j = 0; j < 4; j++) u[j] = round(100 * (low[j] + (high[j] - low[j]) * lg_rng_uniform(&rng))) / 100;
    return sleigh_open(r, k, u[0], u[1], u[2], u[3]);
}

lg_integrator *sleigh_launch(claim_report *r, const sleigh *k, const char *tau, const double *p, double theta,
                             double normal, double time)
{
    const double c = cos(theta), s = sin(theta), q[3] = {0.3, -0.2, theta};
    const double lifted[3] = {(p[1] * c - normal * s) / k->h, (p[1] * s + normal * c) / k->h, p[0] / k->h};
    lg_integrator *it = claim_start(r, &k->s, "dla:midpoint", tau, time * k->h, LG_START_REACTION);
    if (it == NULL) return NULL;
    if (claim_ok(r, lg_integrator_start_momentum(it, 0, q, lifted), "start", lg_integrator_message(it))) return it;
    lg_integrator_destroy(it);
    return NULL;
}

void sleigh_momenta(const sleigh *k, const lg_integrator *it, double *p)
{
    const double *plus = lg_integrator_momentum_plus(it), theta = lg_integrator_configuration(it)[2];
    p[0] = k->h * plus[2];
    p[1] = k->h * (plus[0] * cos(theta) + plus[1] * sin(theta));
}

int sleigh_derivative(claim_report *r, const sleigh *k, const double *p, double theta, double *D)
{
    enum { N = 3, ROWS = 7, MOST = 16 };
    double M[ROWS * MOST];
    lg_linearisation *lin = NULL;
    lg_integrator *it = sleigh_launch(r, k, "exp", p, theta, 0, 1);
    lg_status status;
    int ok, w;
    if (it == NULL) return 0;
    status = lg_linearisation_create(&lin, it);
    w = lg_linearisation_columns(lin);
    if (w > MOST) status = LG_ERROR_UNSUPPORTED;
    if (status == LG_OK) status = lg_linearisation_step(lin, it);
    if (status == LG_OK) status = lg_linearisation_jacobian(lin, M);
    ok = claim_ok(r, status, "derivative of a step", lg_linearisation_message(lin));
    lg_linearisation_destroy(lin);
    if (ok) {
        const double *plus = lg_integrator_momentum_plus(it), c = cos(lg_integrator_configuration(it)[2]),
                     s = sin(lg_integrator_configuration(it)[2]);
        for (int j = 0; j < 2; j++) {
            double out[2 * N];
            for (int i = 0; i < 2 * N; i++)
                out[i] = j == 0 ? M[i * w + 5] : cos(theta) * M[i * w + 3] + sin(theta) * M[i * w + 4];
            D[j] = out[5];
            D[2 + j] = c * out[3] + s * out[4] + (c * plus[1] - s * plus[0]) * out[2];
        }
    }
    lg_integrator_destroy(it);
    return ok;
}

double sleigh_heading(lg_rng *rng)
{
    return 6 * lg_rng_uniform(rng) - 3;
}

void sleigh_random(const sleigh *k, lg_rng *rng, double size, double *p)
{
    p[0] = k->K * size * lg_rng_normal(rng);
    p[1] = k->m * size * lg_rng_normal(rng);
}

int sleigh_travel(claim_report *r, const sleigh *k, const double *p, double theta, double time, int steps, double *out)
{
    lg_integrator *it = sleigh_launch(r, k, "exp", p, theta, 0, time);
    const int ok = it != NULL && claim_steps(r, it, steps);
    if (ok) sleigh_momenta(k, it, out);
    lg_integrator_destroy(it);
    return ok;
}

/* The map P -------------------------------------------------------------------------------------------------------- */

/* (23) and its derivative; `factor` is the 1/4 of the last term, which the paper omits. */
static double equation(const sleigh *k, const double *p, double d)
{
    return k->K * d + k->a / 2 * d / cos(d / 2) * (p[1] + k->m * k->a * d * sin(d / 2)) - p[0];
}

static double equation_slope(const sleigh *k, double p2, double d, double factor)
{
    const double c = cos(d / 2), s = sin(d / 2);
    return k->K + k->a * p2 * (2 * c + d * s) / (4 * c * c) +
           k->m * k->a * k->a * (d * s / c + factor * d * d / (c * c));
}

double sleigh_turn(const sleigh *k, const double *p)
{
    double d = p[0] / (k->K + k->a * p[1] / 2);
    for (int i = 0; i < 60; i++) {
        const double move = equation(k, p, d) / equation_slope(k, p[1], d, 0.25);
        d -= move;
        if (!(fabs(d) < pi)) return NAN;
        if (fabs(move) < 1e-15 * fabs(d)) break;
    }
    return d;
}

void sleigh_map(const sleigh *k, const double *p, double d, double *out)
{
    const double ma = k->m * k->a, p1 = p[0], p2 = p[1];
    out[0] = p1 - k->a * d / cos(d / 2) * p2 - ma * k->a * d * d * tan(d / 2);
    out[1] = p2 + 2 * ma * d * sin(d / 2);
}

double sleigh_determinant(const sleigh *k, const double *p, double factor)
{
    const double d = sleigh_turn(k, p), S = 2 * k->m * k->a * (sin(d / 2) + d / 2 * cos(d / 2));
    return (2 * k->K + S * k->a / 2 * d / cos(d / 2)) / equation_slope(k, p[1], d, factor) - 1;
}

double sleigh_multiplier(const sleigh *k, double p2)
{
    return (2 * k->K - k->a * p2) / (2 * k->K + k->a * p2);
}
