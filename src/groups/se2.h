/* SPDX-License-Identifier: BSD-3-Clause */
/* se2.h: kernels of SE(2). Elements are (x, y, cos, sin); the algebra is (v1, v2, w), J2 = [[0,-1],[1,0]].
 * Tangents are right-trivialised. Inputs may alias outputs. Formulas: docs/theory.md, section 2. */
#ifndef LIEGRP_SRC_GROUPS_SE2_H
#define LIEGRP_SRC_GROUPS_SE2_H

#include "groups/coefficients.h"

#define SE2_EPS 0x1p-52

/* r = a b. No renormalisation. */
KERNEL void se2_compose(real r[4], const real a[4], const real b[4])
{
    const real x = a[0] + (a[2] * b[0] - a[3] * b[1]), y = a[1] + (a[3] * b[0] + a[2] * b[1]);
    const real c = a[2] * b[2] - a[3] * b[3], s = a[3] * b[2] + a[2] * b[3];
    r[0] = x;
    r[1] = y;
    r[2] = c;
    r[3] = s;
}

KERNEL void se2_inverse(real r[4], const real g[4])
{
    const real x = -(g[2] * g[0] + g[3] * g[1]), y = g[3] * g[0] - g[2] * g[1];
    r[0] = x;
    r[1] = y;
    r[2] = g[2];
    r[3] = -g[3];
}

/* y = R x + r for a point x. */
KERNEL void se2_act(real y[2], const real g[4], const real x[2])
{
    const real a = g[0] + (g[2] * x[0] - g[3] * x[1]), b = g[1] + (g[3] * x[0] + g[2] * x[1]);
    y[0] = a;
    y[1] = b;
}

/* y = R^T (x - r). */
KERNEL void se2_act_inverse(real y[2], const real g[4], const real x[2])
{
    const real dx = x[0] - g[0], dy = x[1] - g[1], a = g[2] * dx + g[3] * dy, b = g[2] * dy - g[3] * dx;
    y[0] = a;
    y[1] = b;
}

/* Where there is no exponential, no Cayley map: too large numbers. exp takes any angle as it is; its tangents do not
 * (se2_dexp_beyond()). Not where xi is NaN. */
KERNEL mask se2_cay_beyond(const real xi[3])
{
    return coef_too_large(xi[0] * xi[0] + xi[1] * xi[1] + xi[2] * xi[2]);
}

KERNEL mask se2_exp_beyond(const real xi[3])
{
    return se2_cay_beyond(xi);
}

KERNEL mask se2_dexp_beyond(const real xi[3])
{
    return either(xi[2] * xi[2] > COEF_FAR, se2_cay_beyond(xi));
}

/* M = [[a, -b, p], [b, a, q], [0, 0, d]]: the form of every matrix of SE(2). */
KERNEL void se2_fill(real M[9], real a, real b, real p, real q, real d)
{
    M[0] = M[4] = a;
    M[1] = -b;
    M[2] = p;
    M[3] = b;
    M[5] = q;
    M[6] = M[7] = splat(0.0);
    M[8] = d;
}

/* Ad_g = [[R, -J2 r], [0, 1]]. */
KERNEL void se2_Ad(real M[9], const real g[4])
{
    se2_fill(M, g[2], g[3], g[1], -g[0], splat(1.0));
}

/* out = Ad*_g p = (R^T m, y m1 - x m2 + p3). */
KERNEL void se2_coAd(real out[3], const real g[4], const real p[3])
{
    const real a = g[2] * p[0] + g[3] * p[1], b = g[2] * p[1] - g[3] * p[0], c = p[2] + (g[1] * p[0] - g[0] * p[1]);
    out[0] = a;
    out[1] = b;
    out[2] = c;
}

/* ad_xi = [[w J2, -J2 v], [0, 0]]. */
KERNEL void se2_ad(real M[9], const real xi[3])
{
    se2_fill(M, splat(0.0), xi[2], xi[1], -xi[0], splat(0.0));
}

/* g = exp(xi): translation (A I + w B J2) v, cos w = 1 - w^2 B, sin w = w A. */
KERNEL void se2_exp(real g[4], const real xi[3])
{
    const real a = xi[0], b = xi[1], w = xi[2];
    real S, c;
    coef_half_angle(w, &S, &c);
    const real A = S * c, wB = 0.5 * w * S * S;
    g[0] = A * a - wB * b;
    g[1] = A * b + wB * a;
    g[2] = 1.0 - w * wB;
    g[3] = w * A;
}

/* xi = log(g): w = arctan2(sin, cos) in (-pi, pi], v = (gamma I - (w/2) J2) r, gamma = (w/2) cot(w/2). With r = |(cos,
 * sin)|, u = sin/(r + |cos|): cos >= 0: w/2 = arctan u, gamma = arctan(u)/u; cos < 0: w = +-pi - 2 arctan u, gamma =
 * (w/2) u. Returns the lanes where (cos, sin) is not near a rotation: r^2 < 1/4, or it overflows. */
KERNEL mask se2_log(real xi[3], const real g[4])
{
    const real c = g[2], s = g[3], r2 = s * s + c * c, i = 1.0 / (root(r2) + magnitude(c));
    const real u = s * i, f = poly20(lane_arctan_terms, u * u), phi = 2.0 * u * f;
    const mask back = c < 0.0;
    const real turn = sel(s < 0.0, splat(-LG_PI), splat(LG_PI));
    const real low = sel(s < 0.0, splat(-LG_PI_LOW), splat(LG_PI_LOW));
    const real w = sel(back, turn - (phi - low), phi), h = 0.5 * w, gamma = sel(back, h * u, f);
    const real a = gamma * g[0] + h * g[1], b = gamma * g[1] - h * g[0];
    xi[0] = a;
    xi[1] = b;
    xi[2] = w;
    return either(r2<0.25, r2> 1e300);
}

/* g = cay(xi), i = 1/(1 + w^2/4): translation (I + w J2/2) v i, cos = 2i - 1, sin = w i. */
KERNEL void se2_cay(real g[4], const real xi[3])
{
    const real a = xi[0], b = xi[1], w = xi[2], h = 0.5 * w, i = coef_over(1.0, 1.0 + h * h), hi = h * i;
    g[0] = i * a - hi * b;
    g[1] = i * b + hi * a;
    g[2] = 2.0 * i - 1.0;
    g[3] = 2.0 * hi;
}

/* xi = cay^-1(g): w = 2 tan(angle/2) = 2 sin/(r + cos) = 2 (r - cos)/sin, whichever does not cancel; v = (I - w J2/2)
 * r. Returns the lanes where g turns by pi within roundoff: tan(angle/2) >= 1/(4 eps); also (cos, sin) = 0. */
KERNEL mask se2_cay_inv(real xi[3], const real g[4])
{
    const real c = g[2], s = g[3], sum = root(s * s + c * c) + magnitude(c);
    const mask back = c < 0.0;
    const real u = sel(back, sum, s) / sel(back, s, sum);
    const mask bad = either(both(back, magnitude(s) <= 4 * SE2_EPS * sum), sum <= 0.0);
    const real a = g[0] + u * g[1], b = g[1] - u * g[0];
    xi[0] = a;
    xi[1] = b;
    xi[2] = 2.0 * u;
    return bad;
}

/* dexp = [[A I + w B J2, (-B J2 + w C) v], [0, 1]]. */
KERNEL void se2_dexp(real M[9], const real xi[3])
{
    const real a = xi[0], b = xi[1], w = xi[2];
    real A, B, C;
    coef_ABC_angle(w, &A, &B, &C);
    const real wC = w * C;
    se2_fill(M, A, w * B, B * b + wC * a, wC * b - B * a, splat(1.0));
}

/* dexp^-1 = [[gamma I - (w/2) J2, (J2/2 + w E) v], [0, 1]], gamma = 1 - w^2 E. */
KERNEL void se2_dexp_inv(real M[9], const real xi[3])
{
    const real a = xi[0], b = xi[1], w = xi[2], wE = w * coef_E(w * w);
    se2_fill(M, 1.0 - w * wE, -0.5 * w, wE * a - 0.5 * b, wE * b + 0.5 * a, splat(1.0));
}

/* dcay = i [[I + w J2/2, -J2 v/2], [0, 1]], i = 1/(1 + w^2/4). */
KERNEL void se2_dcay(real M[9], const real xi[3])
{
    const real a = xi[0], b = xi[1], h = 0.5 * xi[2], i = coef_over(1.0, 1.0 + h * h), k = 0.5 * i;
    se2_fill(M, i, h * i, k * b, -k * a, i);
}

/* dcay^-1 = [[I - w J2/2, J2 v/2 + w v/4], [0, 1 + w^2/4]]. */
KERNEL void se2_dcay_inv(real M[9], const real xi[3])
{
    const real a = 0.5 * xi[0], b = 0.5 * xi[1], h = 0.5 * xi[2];
    se2_fill(M, splat(1.0), -h, h * a - b, h * b + a, 1.0 + h * h);
}

/* out = transpose of [[a, -b, p], [b, a, q], [0, 0, d]] times mu. */
KERNEL void se2_dual(real out[3], real a, real b, real p, real q, real d, const real mu[3])
{
    const real x = a * mu[0] + b * mu[1], y = a * mu[1] - b * mu[0], z = d * mu[2] + (p * mu[0] + q * mu[1]);
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/* (dexp^-1_xi)^* mu. */
KERNEL void se2_dexp_inv_dual(real out[3], const real xi[3], const real mu[3])
{
    const real a = xi[0], b = xi[1], w = xi[2], wE = w * coef_E(w * w);
    se2_dual(out, 1.0 - w * wE, -0.5 * w, wE * a - 0.5 * b, wE * b + 0.5 * a, splat(1.0), mu);
}

/* (dcay^-1_xi)^* mu. */
KERNEL void se2_dcay_inv_dual(real out[3], const real xi[3], const real mu[3])
{
    const real a = 0.5 * xi[0], b = 0.5 * xi[1], h = 0.5 * xi[2];
    se2_dual(out, splat(1.0), -h, h * a - b, h * b + a, 1.0 + h * h, mu);
}

/* M = d/dxi [(dexp^-1_xi)^* mu]: d gamma/dw = -2w (E + w^2 E'), d(w E)/dw = E + 2 w^2 E'. */
KERNEL void se2_dexp_inv_dual_derivative(real M[9], const real xi[3], const real mu[3])
{
    const real w = xi[2], x = w * w, a = 0.5 * mu[0], b = 0.5 * mu[1], m = mu[0], n = mu[1];
    const real vm = xi[0] * m + xi[1] * n;
    real E[2];
    coef_E1(x, E);
    const real wE = w * E[0], xE1 = x * E[1], g1 = -2.0 * w * (E[0] + xE1);
    M[0] = M[1] = M[3] = M[4] = splat(0.0);
    M[2] = g1 * m - b;
    M[5] = g1 * n + a;
    M[6] = wE * m + b;
    M[7] = wE * n - a;
    M[8] = (E[0] + 2.0 * xE1) * vm;
}

/* M = d/dxi [(dcay^-1_xi)^* mu]. */
KERNEL void se2_dcay_inv_dual_derivative(real M[9], const real xi[3], const real mu[3])
{
    const real h = 0.5 * xi[2], a = 0.5 * mu[0], b = 0.5 * mu[1];
    const real d = 0.5 * (xi[0] * a + xi[1] * b) + h * mu[2];
    M[0] = M[1] = M[3] = M[4] = splat(0.0);
    M[2] = -b;
    M[5] = a;
    M[6] = h * a + b;
    M[7] = h * b - a;
    M[8] = d;
}

/* ---- matrices ---- */

KERNEL void se2_to_matrix(real M[9], const real g[4])
{
    se2_fill(M, g[2], g[3], g[0], g[1], splat(1.0));
}

KERNEL void se2_hat(real M[9], const real xi[3])
{
    se2_fill(M, splat(0.0), xi[2], xi[0], xi[1], splat(0.0));
}

#endif
