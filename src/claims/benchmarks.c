/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include "claims/harness.h"

enum { NODES = 1024 };

/* The axis a(s) of the period map of the oscillator's linear equations, for a driver of given energy. */
typedef struct axis {
    double energy, skew;
    double a[NODES + 1][3], slope[NODES + 1][3]; /* at s = -pi + 2 pi i/NODES, and da/ds */
} axis;

static const double pi = 3.14159265358979323846;

static void unit(double s, double *e)
{
    const double size = sqrt(1 + sin(s) * sin(s));
    e[0] = 1 / size, e[1] = -sin(s) / size;
}

/* dw/ds of w = (x, y, u): x' = u e_1, y' = u e_2, u' = -(x e_1 + y e_2), s' = sqrt(2 (E - V)). */
static void field(const axis *k, double s, const double *w, double *out)
{
    const double rate = sqrt(2 * (k->energy - cos(s) - k->skew * sin(2 * s)));
    double e[2];
    unit(s, e);
    out[0] = w[2] * e[0] / rate, out[1] = w[2] * e[1] / rate;
    out[2] = -(w[0] * e[0] + w[1] * e[1]) / rate;
}

static void advance(const axis *k, double s, double h, double *w)
{
    double f[4][3], x[3];
    field(k, s, w, f[0]);
    for (int i = 0; i < 3; i++) x[i] = w[i] + h / 2 * f[0][i];
    field(k, s + h / 2, x, f[1]);
    for (int i = 0; i < 3; i++) x[i] = w[i] + h / 2 * f[1][i];
    field(k, s + h / 2, x, f[2]);
    for (int i = 0; i < 3; i++) x[i] = w[i] + h * f[2][i];
    field(k, s + h, x, f[3]);
    for (int i = 0; i < 3; i++) w[i] += h / 6 * (f[0][i] + 2 * f[1][i] + 2 * f[2][i] + f[3][i]);
}

static void find_axis(axis *k, double energy, double skew)
{
    const double h = 2 * pi / NODES;
    double M[3][3], size;
    k->energy = energy, k->skew = skew;
    for (int j = 0; j < 3; j++) {
        double w[3] = {j == 0, j == 1, j == 2};
        for (int i = 0; i < NODES; i++) advance(k, -pi + i * h, h, w);
        for (int i = 0; i < 3; i++) M[i][j] = w[i];
    }
    k->a[0][0] = M[2][1] - M[1][2], k->a[0][1] = M[0][2] - M[2][0], k->a[0][2] = M[1][0] - M[0][1];
    size = sqrt(k->a[0][0] * k->a[0][0] + k->a[0][1] * k->a[0][1] + k->a[0][2] * k->a[0][2]);
    for (int i = 0; i < 3; i++) k->a[0][i] /= size;
    for (int i = 0; i <= NODES; i++) {
        field(k, -pi + i * h, k->a[i], k->slope[i]);
        if (i == NODES) break;
        memcpy(k->a[i + 1], k->a[i], sizeof k->a[i]);
        advance(k, -pi + i * h, h, k->a[i + 1]);
    }
}

static double third(const axis *k, const double *q, const double *p)
{
    const double h = 2 * pi / NODES, at = (q[2] + pi) / h;
    const int i = at < 0 ? 0 : at >= NODES ? NODES - 1 : (int)at;
    const double z = at - i;
    const double c0 = (1 + 2 * z) * (1 - z) * (1 - z), c1 = z * z * (3 - 2 * z), d0 = z * (1 - z) * (1 - z),
                 d1 = z * z * (z - 1);
    double e[2], w[3], sum = 0;
    unit(q[2], e);
    w[0] = q[0], w[1] = q[1], w[2] = p[0] * e[0] + p[1] * e[1];
    for (int j = 0; j < 3; j++)
        sum += w[j] * (c0 * k->a[i][j] + c1 * k->a[i + 1][j] + h * (d0 * k->slope[i][j] + d1 * k->slope[i + 1][j]));
    return sum;
}

static void explore(claim_report *r, const char *settings, double c2)
{
    static const char *const methods[] = {"sem","gni","nsv","smv","sml","dla","dla:trapezoidal","sem:gonzalez","gni-r","rk4","rkmk4"};
    claim_system s;
    axis k;
    find_axis(&k, 2.125, c2);
    printf("%s axis at 0: %.6f %.6f %.6f closure %.3g\n", settings, k.a[NODES/2][0],k.a[NODES/2][1],k.a[NODES/2][2], fabs(k.a[0][0]-k.a[NODES][0])+fabs(k.a[0][1]-k.a[NODES][1]));
    if (!claim_open(r, &s, "cvt", settings)) return;
    for (int m = 0; m < 11; m++) for (double T = 1000; T <= (r->full ? 10000 : 1000); T *= 10) {
        lg_trend t[3]; double first[3], dev[4][3] = {{0}}, half;
        lg_integrator *it = claim_start(r, &s, methods[m], "exp", 0.1, LG_START_REACTION);
        int64_t steps = (int64_t)(T / 0.1 + .5); int ok = 1;
        if (it == NULL) continue;
        for (int j = 0; j < 3; j++) lg_trend_begin(&t[j]);
        for (int64_t n = 0; n <= steps; n++) {
            const double *q = lg_configuration(it), *p = lg_momentum(it);
            double x[3] = {lg_energy(it), p[2]*p[2]/2 + cos(q[2]) + c2 * sin(2*q[2]), third(&k, q, p)};
            for (int j = 0; j < 3; j++) { if (n == 0) first[j] = x[j]; lg_trend_add(&t[j], lg_time(it), x[j]);
                double d = fabs(x[j]-first[j]); int quarter = (int)(4*n/(steps+1)); if (!(dev[quarter][j] >= d)) dev[quarter][j] = d; }
            if (lg_step(it) != LG_OK) { ok = 0; break; }
        }
        printf("%-16s T %g %s", methods[m], T, ok ? "" : "STOP ");
        for (int j = 0; j < 3; j++) { double sl = lg_trend_slope(&t[j], &half); printf(" | %.2g > %.2g slope*T %.3g +- %.2g", dev[0][j], dev[3][j], sl*T, half*T); }
        printf("\n");
        lg_integrator_destroy(it);
    }
    claim_close(&s);
}

static void cvt(claim_report *r)
{
    explore(r, "c2=0", 0);
    explore(r, "c2=-0.1", -0.1);
    explore(r, "c2=-0.1 quartic=1", -0.1);
}

const claim claims_benchmarks[] = {
    {"cvt-nonreversible", "x", "x", 1, cvt},
    {0},
};
