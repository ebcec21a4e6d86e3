/* SPDX-License-Identifier: BSD-3-Clause */
/* so2.h: kernels of SO(2). Elements are (cos, sin), the algebra is (w). Inputs may alias outputs. The formulas are
 * those of the rotational part of se2.h, to the bit. */
#ifndef LIEGRP_SRC_GROUPS_SO2_H
#define LIEGRP_SRC_GROUPS_SO2_H

#include "groups/coefficients.h"

#define SO2_EPS 0x1p-52

/* `value`, or NaN where x is. */
KERNEL real so2_unless_nan(real value, real x)
{
    return sel(x != x, x, value);
}

/* Where there is no exponential, no Cayley map: too large numbers. exp takes any angle as it is. Not where xi is NaN.
 */
KERNEL mask so2_exp_beyond(const real xi[1])
{
    return coef_too_large(xi[0] * xi[0]);
}

KERNEL mask so2_dexp_beyond(const real xi[1])
{
    return so2_exp_beyond(xi);
}

KERNEL mask so2_cay_beyond(const real xi[1])
{
    return so2_exp_beyond(xi);
}

/* r = a b. No renormalisation. */
KERNEL void so2_compose(real r[2], const real a[2], const real b[2])
{
    const real c = a[0] * b[0] - a[1] * b[1], s = a[1] * b[0] + a[0] * b[1];
    r[0] = c;
    r[1] = s;
}

KERNEL void so2_inverse(real r[2], const real g[2])
{
    r[0] = g[0];
    r[1] = -g[1];
}

/* Ad_g = 1. */
KERNEL void so2_Ad(real M[1], const real g[2])
{
    M[0] = so2_unless_nan(so2_unless_nan(splat(1.0), g[0]), g[1]);
}

/* out = Ad*_g p = p. */
KERNEL void so2_coAd(real out[1], const real g[2], const real p[1])
{
    (void)g;
    out[0] = p[0];
}

/* g = exp(xi): cos w = 1 - w^2 B, sin w = w A. */
KERNEL void so2_exp(real g[2], const real xi[1])
{
    const real w = xi[0];
    real S, c;
    coef_half_angle(w, &S, &c);
    const real A = S * c, wB = 0.5 * w * S * S;
    g[0] = 1.0 - w * wB;
    g[1] = w * A;
}

/* xi = log(g), as in se2_log(). Returns where (cos, sin) is not a rotation: cos^2 + sin^2 < 1/4, or it
 * overflows. */
KERNEL mask so2_log(real xi[1], const real g[2])
{
    const real c = g[0], s = g[1], r2 = s * s + c * c, i = 1.0 / (root(r2) + magnitude(c));
    const real u = s * i, f = poly20(lane_arctan_terms, u * u), phi = 2.0 * u * f;
    const mask back = c < 0.0;
    const real turn = sel(s < 0.0, splat(-LG_PI), splat(LG_PI));
    const real low = sel(s < 0.0, splat(-LG_PI_LOW), splat(LG_PI_LOW));
    xi[0] = sel(back, turn - (phi - low), phi);
    return either(r2<0.25, r2> 1e300);
}

/* dexp = dexp^-1 = 1. */
KERNEL void so2_dexp(real M[1], const real xi[1])
{
    M[0] = so2_unless_nan(splat(1.0), xi[0]);
}

KERNEL void so2_dexp_inv(real M[1], const real xi[1])
{
    so2_dexp(M, xi);
}

/* g = cay(xi), i = 1/(1 + w^2/4): cos = 2i - 1, sin = w i. */
KERNEL void so2_cay(real g[2], const real xi[1])
{
    const real h = 0.5 * xi[0], i = 1.0 / (1.0 + h * h);
    g[0] = 2.0 * i - 1.0;
    g[1] = 2.0 * (h * i);
}

/* xi = cay^-1(g), as in se2_cay_inv(). Returns where g turns by pi within roundoff; also (cos, sin) = 0. */
KERNEL mask so2_cay_inv(real xi[1], const real g[2])
{
    const real c = g[0], s = g[1], sum = root(s * s + c * c) + magnitude(c);
    const mask back = c < 0.0;
    const real u = sel(back, sum, s) / sel(back, s, sum);
    const mask bad = either(both(back, magnitude(s) <= 4 * SO2_EPS * sum), sum <= 0.0);
    xi[0] = 2.0 * u;
    return bad;
}

/* dcay = 1/(1 + w^2/4). */
KERNEL void so2_dcay(real M[1], const real xi[1])
{
    const real h = 0.5 * xi[0];
    M[0] = 1.0 / (1.0 + h * h);
}

KERNEL void so2_dcay_inv(real M[1], const real xi[1])
{
    const real h = 0.5 * xi[0];
    M[0] = 1.0 + h * h;
}

/* (dcay^-1_xi)^* mu. */
KERNEL void so2_dcay_inv_dual(real out[1], const real xi[1], const real mu[1])
{
    const real h = 0.5 * xi[0];
    out[0] = (1.0 + h * h) * mu[0];
}

/* M = d/dxi [(dcay^-1_xi)^* mu]. */
KERNEL void so2_dcay_inv_dual_derivative(real M[1], const real xi[1], const real mu[1])
{
    M[0] = (0.5 * xi[0]) * mu[0];
}

KERNEL void so2_ad(real M[1], const real xi[1])
{
    M[0] = so2_unless_nan(splat(0.0), xi[0]);
}

KERNEL void so2_dexp_inv_dual(real out[1], const real xi[1], const real mu[1])
{
    out[0] = so2_unless_nan(mu[0], xi[0]);
}

/* ---- matrices ---- */

KERNEL void so2_to_matrix(real R[4], const real g[2])
{
    const real c = g[0], s = g[1];
    R[0] = R[3] = c;
    R[1] = -s;
    R[2] = s;
}

KERNEL void so2_hat(real X[4], const real xi[1])
{
    const real w = xi[0];
    X[0] = X[3] = splat(0.0);
    X[1] = -w;
    X[2] = w;
}

#endif
