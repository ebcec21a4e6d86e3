/* SPDX-License-Identifier: BSD-3-Clause */
/* Constraints of a system in other rows. */
#include <math.h>
#include <string.h>

#include "energy_systems.h"

static const lg_system *framed; /* the system before the change; the callbacks' context stays as it is */
static double period;           /* of the rows' change of sign; 0: none */
static const double mixing[4] = {2, -0.5, 0.3, 1.5};

/* B(t, g): rows are mixed with numbers that vary with the configuration; then each changes its sign now and then. */
static void mix(double t, const double *g, int r, int m, double *weights)
{
    for (int k = 0; k < m; k++) {
        const double swing = sin(3 * t + g[0] + 2 * g[1] + 0.7 * (r + k));
        weights[k] = k == r ? 1.5 + 0.4 * swing : 0.4 * swing * (k < r ? 1 : -1);
    }
    if (period > 0 && ((long)floor(t / period + 0.5) * (r + 2) / 3) % 2 != 0)
        for (int k = 0; k < m; k++) weights[k] = -weights[k];
}

static int mixed_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const int n = lg_group_dim(framed->group), m = framed->constraint_count;
    double rows[4 * SUITE_DIM] = {0}, weights[4];
    if (framed->callbacks.covectors != NULL) {
        const int code = framed->callbacks.covectors(c, g, rows, Y);
        if (code != 0) return code;
    } else {
        memcpy(rows, framed->covector_matrix, sizeof(double) * (size_t)(m * n));
        if (framed->callbacks.drift != NULL) framed->callbacks.drift(c, g, Y);
    }
    for (int r = 0; r < m; r++) {
        mix(c->t, g, r, m, weights);
        for (int k = 0; k < m; k++)
            for (int i = 0; i < n; i++) mu[r * n + i] += weights[k] * rows[k * n + i];
    }
    return 0;
}

static void mix_constant(double *out, const double *in, int columns)
{
    const int holonomic = framed->callbacks.holonomic_count;
    for (int r = 0; r < holonomic; r++)
        for (int i = 0; i < columns; i++) {
            out[r * columns + i] = 0;
            for (int k = 0; k < holonomic; k++) out[r * columns + i] += mixing[2 * r + k] * in[k * columns + i];
        }
}

static int mixed_position(const lg_call *c, const double *g, double *phi)
{
    double in[2] = {0};
    const int code = framed->callbacks.holonomic(c, g, in);
    mix_constant(phi, in, 1);
    return code;
}

static int mixed_differential(const lg_call *c, const double *g, double *out)
{
    double in[2 * SUITE_DIM] = {0};
    const int code = framed->callbacks.holonomic_differential(c, g, in);
    mix_constant(out, in, lg_group_dim(framed->group));
    return code;
}

static int mixed_rate(const lg_call *c, const double *g, double *out)
{
    double in[2] = {0};
    const int code = framed->callbacks.holonomic_rate != NULL ? framed->callbacks.holonomic_rate(c, g, in) : 0;
    mix_constant(out, in, 1);
    return code;
}

void system_reframe(test_system *out, const test_system *t, double flips)
{
    *out = *t;
    out->S.callbacks.lanes = LG_LANES_ONE, out->S.callbacks.holonomic_acceleration = NULL;
    framed = &t->S;
    period = flips;
    if (t->S.constraint_count > 0) {
        out->S.covector_matrix = NULL;
        out->S.callbacks.drift = NULL;
        out->S.callbacks.covectors = mixed_rows;
        out->S.callbacks.covectors_derivative = NULL, out->S.callbacks.covectors_rate = NULL;
        out->S.callbacks.time_dependent = 1;
    }
    if (t->S.callbacks.holonomic_count > 0) {
        out->S.callbacks.holonomic = mixed_position;
        out->S.callbacks.holonomic_differential = mixed_differential;
        out->S.callbacks.holonomic_rate = mixed_rate;
    }
}
