/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the steps by hand. Valid for all angles below 2 pi per step. */
#ifndef BENCH_HAND_INLINE_H
#define BENCH_HAND_INLINE_H

#include <math.h>

/* x -= M^-1 F by cofactors; returns whether that was less than 1e-8 of x. */
static inline int hand_correct(const double *M, const double *F, double *x)
{
    const double c00 = M[4] * M[8] - M[5] * M[7], c01 = M[5] * M[6] - M[3] * M[8], c02 = M[3] * M[7] - M[4] * M[6];
    const double i = 1 / (M[0] * c00 + M[1] * c01 + M[2] * c02);
    const double e0 = i * (c00 * F[0] + (M[2] * M[7] - M[1] * M[8]) * F[1] + (M[1] * M[5] - M[2] * M[4]) * F[2]);
    const double e1 = i * (c01 * F[0] + (M[0] * M[8] - M[2] * M[6]) * F[1] + (M[2] * M[3] - M[0] * M[5]) * F[2]);
    const double e2 = i * (c02 * F[0] + (M[1] * M[6] - M[0] * M[7]) * F[1] + (M[0] * M[4] - M[1] * M[3]) * F[2]);
    x[0] -= e0, x[1] -= e1, x[2] -= e2;
    return e0 * e0 + e1 * e1 + e2 * e2 <= 1e-16 * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* q <- q (u, c). */
static inline void hand_multiply(double *q, const double *u, double c)
{
    const double x = c * q[0] + q[3] * u[0] + (q[1] * u[2] - q[2] * u[1]);
    const double y = c * q[1] + q[3] * u[1] + (q[2] * u[0] - q[0] * u[2]);
    const double z = c * q[2] + q[3] * u[2] + (q[0] * u[1] - q[1] * u[0]);
    const double w = c * q[3] - q[0] * u[0] - q[1] * u[1] - q[2] * u[2];
    q[0] = x, q[1] = y, q[2] = z, q[3] = w;
}

static inline void hand_normalise(double *q)
{
    const double i = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    q[0] *= i, q[1] *= i, q[2] *= i, q[3] *= i;
}

/* p <- p + f (p x u + (p x u) x u). */
static inline void hand_unrotate(double *p, const double *u, double f)
{
    const double c0 = p[1] * u[2] - p[2] * u[1], c1 = p[2] * u[0] - p[0] * u[2], c2 = p[0] * u[1] - p[1] * u[0];
    p[0] += f * (c0 + (c1 * u[2] - c2 * u[1]));
    p[1] += f * (c1 + (c2 * u[0] - c0 * u[2]));
    p[2] += f * (c2 + (c0 * u[1] - c1 * u[0]));
}

#define HAND_SERIES 0.25 /* t^2 up to which series are used; beyond it, closed forms with libm */

/* E = (1 - (t/2) cot(t/2))/t^2 and its derivative in z = t^2. */
static inline void hand_E(double z, double *E, double *E1)
{
    static const double e[8] = {1.0 / 12,          1.0 / 720,
                                1.0 / 30240,       1.0 / 1209600,
                                1.0 / 47900160,    691.0 / 1307674368000,
                                1.0 / 74724249600, 3617.0 / 10670622842880000};
    if (z > HAND_SERIES) {
        const double t = sqrt(z), S = sin(t / 2) / (t / 2), gamma = cos(t / 2) / S;
        *E = (1 - gamma) / z;
        *E1 = (1 / (S * S) + gamma - 2) / (2 * z * z);
        return;
    }
    *E = e[0] + z * (e[1] + z * (e[2] + z * (e[3] + z * (e[4] + z * (e[5] + z * (e[6] + z * e[7]))))));
    *E1 = e[1] + z * (2 * e[2] + z * (3 * e[3] + z * (4 * e[4] + z * (5 * e[5] + z * (6 * e[6] + z * (7 * e[7]))))));
}

/* sin t/t and (1 - cos t)/t^2 from z = t^2. */
static inline double hand_sinc(double z)
{
    if (z > HAND_SERIES) return sin(sqrt(z)) / sqrt(z);
    return 1 - z / 6 * (1 - z / 20 * (1 - z / 42 * (1 - z / 72 * (1 - z / 110 * (1 - z / 156 * (1 - z / 210))))));
}

static inline double hand_versine(double z)
{
    if (z > HAND_SERIES) return (1 - cos(sqrt(z))) / z;
    return 0.5 * (1 - z / 12 * (1 - z / 30 * (1 - z / 56 * (1 - z / 90 * (1 - z / 132 * (1 - z / 182))))));
}

static inline double hand_cosine(double z)
{
    return 1 - z * hand_versine(z);
}

#endif
