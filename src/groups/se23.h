/* SPDX-License-Identifier: BSD-3-Clause */
/* se23.h: kernels of SE_2(3). Elements are (position r, velocity v, unit quaternion q); the algebra is (a, b, w),
 * covectors are (k, m, n). Two motions (r, q) and (v, q) of SE(3) with one rotation: every map of (a, b, w) is that of
 * SE(3) at (a, w) and at (b, w), every matrix [[D, 0, Q(a)], [0, D, Q(b)], [0, 0, D']], and its dual adds the two.
 * Tangents are right-trivialised. Inputs may alias outputs. Formulas: docs/theory.md, section 2. */
#ifndef LIEGRP_SRC_GROUPS_SE23_H
#define LIEGRP_SRC_GROUPS_SE23_H

#include "groups/se3.h"

/* a = (r, q) and b = (v, q) of an element. */
KERNEL void se23_motions(real a[7], real b[7], const real g[10])
{
    for (int i = 0; i < 3; i++) {
        a[i] = g[i];
        b[i] = g[3 + i];
    }
    for (int i = 0; i < 4; i++) a[3 + i] = b[3 + i] = g[6 + i];
}

KERNEL void se23_element(real g[10], const real a[7], const real b[7])
{
    for (int i = 0; i < 3; i++) {
        g[i] = a[i];
        g[3 + i] = b[i];
    }
    for (int i = 0; i < 4; i++) g[6 + i] = a[3 + i];
}

/* x = (a, w) and y = (b, w) of an algebra vector. */
KERNEL void se23_twists(real x[6], real y[6], const real xi[9])
{
    for (int i = 0; i < 3; i++) {
        x[i] = xi[i];
        y[i] = xi[3 + i];
        x[3 + i] = y[3 + i] = xi[6 + i];
    }
}

KERNEL void se23_vector(real xi[9], const real x[6], const real y[6])
{
    for (int i = 0; i < 3; i++) {
        xi[i] = x[i];
        xi[3 + i] = y[i];
        xi[6 + i] = x[3 + i];
    }
}

/* x = (k, n) and y = (m, 0) of a covector: what is linear in it is the sum of both. */
KERNEL void se23_wrenches(real x[6], real y[6], const real mu[9])
{
    for (int i = 0; i < 3; i++) {
        x[i] = mu[i];
        y[i] = mu[3 + i];
        x[3 + i] = mu[6 + i];
        y[3 + i] = splat(0.0);
    }
}

KERNEL void se23_covector(real mu[9], const real x[6], const real y[6])
{
    for (int i = 0; i < 3; i++) {
        mu[i] = x[i];
        mu[3 + i] = y[i];
        mu[6 + i] = x[3 + i] + y[3 + i];
    }
}

/* M = [[D, 0, Q], [0, D, P], [0, 0, D']] of X = [[D, Q], [0, D']] and Y = [[D, P], [0, D']]. */
KERNEL void se23_fill(real M[81], const real X[36], const real Y[36])
{
    for (int i = 0; i < 81; i++) M[i] = splat(0.0);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            M[9 * i + j] = M[9 * i + j + 30] = X[6 * i + j];
            M[9 * i + j + 6] = X[6 * i + j + 3];
            M[9 * i + j + 33] = Y[6 * i + j + 3];
            M[9 * i + j + 60] = X[6 * i + j + 21];
        }
    }
}

/* r = a b. No renormalisation. */
KERNEL void se23_compose(real r[10], const real a[10], const real b[10])
{
    real s[3], t[3];
    so3_rotate(s, a + 6, b);
    so3_rotate(t, a + 6, b + 3);
    for (int i = 0; i < 3; i++) {
        s[i] = a[i] + s[i];
        t[i] = a[3 + i] + t[i];
    }
    so3_compose(r + 6, a + 6, b + 6);
    for (int i = 0; i < 3; i++) {
        r[i] = s[i];
        r[3 + i] = t[i];
    }
}

KERNEL void se23_inverse(real r[10], const real g[10])
{
    real s[3], t[3];
    so3_unrotate(s, g + 6, g);
    so3_unrotate(t, g + 6, g + 3);
    so3_inverse(r + 6, g + 6);
    for (int i = 0; i < 3; i++) {
        r[i] = -s[i];
        r[3 + i] = -t[i];
    }
}

/* As so3_exp_beyond() and so3_cay_beyond(), positions and velocities too. */
KERNEL mask se23_exp_beyond(const real xi[9])
{
    return either(so3_exp_beyond(xi + 6), coef_too_large(so3_dot(xi, xi) + so3_dot(xi + 3, xi + 3)));
}

KERNEL mask se23_dexp_beyond(const real xi[9])
{
    return se23_exp_beyond(xi);
}

KERNEL mask se23_cay_beyond(const real xi[9])
{
    return coef_too_large(so3_dot(xi, xi) + so3_dot(xi + 3, xi + 3) + so3_dot(xi + 6, xi + 6));
}

/* Ad_g = [[R, 0, r^ R], [0, R, v^ R], [0, 0, R]]. */
KERNEL void se23_Ad(real M[81], const real g[10])
{
    real a[7], b[7], X[36], Y[36];
    se23_motions(a, b, g);
    se3_Ad(X, a);
    se3_Ad(Y, b);
    se23_fill(M, X, Y);
}

/* out = Ad*_g p = (R^T k, R^T m, R^T (n - r x k - v x m)). */
KERNEL void se23_coAd(real out[9], const real g[10], const real p[9])
{
    real x[3], y[3], s[3], t[3];
    so3_cross(s, g, p);
    so3_cross(t, g + 3, p + 3);
    for (int i = 0; i < 3; i++) s[i] = (p[6 + i] - s[i]) - t[i];
    so3_unrotate(x, g + 6, p);
    so3_unrotate(y, g + 6, p + 3);
    so3_unrotate(s, g + 6, s);
    for (int i = 0; i < 3; i++) {
        out[i] = x[i];
        out[3 + i] = y[i];
        out[6 + i] = s[i];
    }
}

/* ad_xi = [[W, 0, A], [0, W, B], [0, 0, W]]. */
KERNEL void se23_ad(real M[81], const real xi[9])
{
    real x[6], y[6], X[36], Y[36];
    se23_twists(x, y, xi);
    se3_ad(X, x);
    se3_ad(Y, y);
    se23_fill(M, X, Y);
}

/* A map of the algebra into the group, and back: the lanes without a value. */
#define SE23_MAP(name)                                                                                                 \
    KERNEL void se23_##name(real g[10], const real xi[9])                                                              \
    {                                                                                                                  \
        real x[6], y[6], a[7], b[7];                                                                                   \
        se23_twists(x, y, xi);                                                                                         \
        se3_##name(a, x);                                                                                              \
        se3_##name(b, y);                                                                                              \
        se23_element(g, a, b);                                                                                         \
    }

#define SE23_MAP_BACK(name)                                                                                            \
    KERNEL mask se23_##name(real xi[9], const real g[10])                                                              \
    {                                                                                                                  \
        real x[6], y[6], a[7], b[7];                                                                                   \
        se23_motions(a, b, g);                                                                                         \
        const mask bad = se3_##name(x, a);                                                                             \
        const mask same = se3_##name(y, b);                                                                            \
        se23_vector(xi, x, y);                                                                                         \
        return either(bad, same);                                                                                      \
    }

/* A tangent, its dual applied to a covector, and the derivative of that. */
#define SE23_TANGENT(name)                                                                                             \
    KERNEL void se23_##name(real M[81], const real xi[9])                                                              \
    {                                                                                                                  \
        real x[6], y[6], X[36], Y[36];                                                                                 \
        se23_twists(x, y, xi);                                                                                         \
        se3_##name(X, x);                                                                                              \
        se3_##name(Y, y);                                                                                              \
        se23_fill(M, X, Y);                                                                                            \
    }

#define SE23_DUAL(name)                                                                                                \
    KERNEL void se23_##name(real out[9], const real xi[9], const real mu[9])                                           \
    {                                                                                                                  \
        real x[6], y[6], k[6], m[6];                                                                                   \
        se23_twists(x, y, xi);                                                                                         \
        se23_wrenches(k, m, mu);                                                                                       \
        se3_##name(k, x, k);                                                                                           \
        se3_##name(m, y, m);                                                                                           \
        se23_covector(out, k, m);                                                                                      \
    }

/* Of X = [[0, F], [L, G]] at (k, n) and Y = [[0, F'], [L', G']] at (m, 0): [[0, 0, F], [0, 0, F'], [L, L', G + G']]. */
#define SE23_DERIVATIVE(name)                                                                                          \
    KERNEL void se23_##name(real M[81], const real xi[9], const real mu[9])                                            \
    {                                                                                                                  \
        real x[6], y[6], k[6], m[6], X[36], Y[36];                                                                     \
        se23_twists(x, y, xi);                                                                                         \
        se23_wrenches(k, m, mu);                                                                                       \
        se3_##name(X, x, k);                                                                                           \
        se3_##name(Y, y, m);                                                                                           \
        se23_fill_derivative(M, X, Y);                                                                                 \
    }

KERNEL void se23_fill_derivative(real M[81], const real X[36], const real Y[36])
{
    for (int i = 0; i < 81; i++) M[i] = splat(0.0);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            M[9 * i + j + 6] = X[6 * i + j + 3];
            M[9 * i + j + 33] = Y[6 * i + j + 3];
            M[9 * i + j + 54] = X[6 * i + j + 18];
            M[9 * i + j + 57] = Y[6 * i + j + 18];
            M[9 * i + j + 60] = X[6 * i + j + 21] + Y[6 * i + j + 21];
        }
    }
}

SE23_MAP(exp)
SE23_MAP_BACK(log)
SE23_TANGENT(dexp)
SE23_TANGENT(dexp_inv)
SE23_DUAL(dexp_inv_dual)
SE23_DERIVATIVE(dexp_inv_dual_derivative)
SE23_MAP(cay)
SE23_MAP_BACK(cay_inv)
SE23_DUAL(dcay_inv_dual)
SE23_DERIVATIVE(dcay_inv_dual_derivative)
SE23_TANGENT(dcay)
SE23_TANGENT(dcay_inv)

SO3_EMBEDDED(se23, 9, 10, 5)

#endif
