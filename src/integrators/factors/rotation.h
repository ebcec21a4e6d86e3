/* SPDX-License-Identifier: BSD-3-Clause */
/* What SO(3) and SE(3) share. */
#ifndef LG_INTEGRATORS_FACTORS_ROTATION_H
#define LG_INTEGRATORS_FACTORS_ROTATION_H

#include "base/small.h"
#include "groups/so3.h"

/* q' = q (w, 0)/2. */
KERNEL void quaternion_rate(real *out, const real *q, const real *w)
{
    out[0] = 0.5 * (q[3] * w[0] + q[1] * w[2] - q[2] * w[1]);
    out[1] = 0.5 * (q[3] * w[1] + q[2] * w[0] - q[0] * w[2]);
    out[2] = 0.5 * (q[3] * w[2] + q[0] * w[1] - q[1] * w[0]);
    out[3] = -0.5 * (q[0] * w[0] + q[1] * w[1] + q[2] * w[2]);
}

/* |u|^2 - 1 without a bias, u = g + rest near the unit sphere: g_n^2 - 1 is a product, whose error is its own. */
KERNEL real unit_excess(int n, const real *g, const real *rest)
{
    real s = (g[n - 1] - 1.0) * (g[n - 1] + 1.0);
    for (int i = 0; i < n - 1; i++) s = s + g[i] * g[i];
    return s + 2.0 * small_dot(n, g, rest);
}

/* |W|^2 - 1 of a quaternion W = (v, 1 - d), to round-off of |v|^2. */
KERNEL real quaternion_excess(const real *W, real d)
{
    return small_dot(3, W, W) - d * (1.0 + W[3]);
}

/* |W|^2 - 1 in the plane, W = (1 - d, s). */
KERNEL real plane_excess(const real *W, real d)
{
    return W[1] * W[1] - d * (1.0 + W[0]);
}

KERNEL void plane_increment(real *du, const real *u, const real *rest, const real *W)
{
    const real d = 1.0 - W[0], r = 0.5 * (plane_excess(W, d) + unit_excess(2, u, rest));
    const real x = u[0], y = u[1];
    du[0] = (-W[1] * y - d * x) - r * x;
    du[1] = (W[1] * x - d * y) - r * y;
}

/* dq = q W/|W| - q and what is missing to |q| = 1, W = (v, 1 - d). */
KERNEL void quaternion_increment(real *dq, const real *q, const real *rest, const real *W)
{
    const real d = 1.0 - W[3], step[4] = {W[0], W[1], W[2], -d};
    const real r = 0.5 * (quaternion_excess(W, d) + unit_excess(4, q, rest));
    so3_compose(dq, q, step);
    for (int i = 0; i < 4; i++) dq[i] = dq[i] - r * q[i];
}

/* out = R^T p - p with the rotation R of W/|W|: out = (2/|W|^2) (w p x v + (p x v) x v). */
KERNEL void quaternion_turn_increment(real *out, const real *W, const real *p)
{
    const real e = quaternion_excess(W, 1.0 - W[3]);
    real a[3], b[3];
    small_cross(a, p, W);
    small_cross(b, a, W);
    for (int i = 0; i < 3; i++) {
        const real half = W[3] * a[i] + b[i];
        out[i] = 2.0 * (half - e * half); /* 2 - 2 e would round */
    }
}

#endif
