/* SPDX-License-Identifier: BSD-3-Clause */
/* so3.h: kernels of SO(3). Elements are unit quaternions (x, y, z, w), Hamilton convention; W = hat(w), x = |w|^2.
 * Tangents are right-trivialised. Inputs may alias outputs. Formulas: docs/theory.md, section 2. */
#ifndef LIEGRP_SRC_GROUPS_SO3_H
#define LIEGRP_SRC_GROUPS_SO3_H

#include "base/small.h"
#include "groups/coefficients.h"
#include "groups/unit.h"

#define SO3_EPS 0x1p-52

KERNEL real so3_dot(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

KERNEL void so3_cross(real r[3], const real a[3], const real b[3])
{
    small_cross(r, a, b);
}

/* r = a b. No renormalisation. */
KERNEL void so3_compose(real r[4], const real a[4], const real b[4])
{
    const real x = (a[3] * b[0] + a[0] * b[3]) + (a[1] * b[2] - a[2] * b[1]);
    const real y = (a[3] * b[1] + a[1] * b[3]) + (a[2] * b[0] - a[0] * b[2]);
    const real z = (a[3] * b[2] + a[2] * b[3]) + (a[0] * b[1] - a[1] * b[0]);
    const real w = (a[3] * b[3] - a[0] * b[0]) - (a[1] * b[1] + a[2] * b[2]);
    r[0] = x;
    r[1] = y;
    r[2] = z;
    r[3] = w;
}

KERNEL void so3_inverse(real r[4], const real q[4])
{
    r[0] = -q[0];
    r[1] = -q[1];
    r[2] = -q[2];
    r[3] = q[3];
}

/* out = x + 2w (u x x) + 2 u x (u x x), u the vector part and w = +-q[3]: 30 operations. */
KERNEL void so3_turn(real out[3], const real u[3], real w, const real x[3])
{
    real a[3], b[3];
    so3_cross(a, u, x);
    for (int i = 0; i < 3; i++) a[i] = a[i] + a[i];
    so3_cross(b, u, a);
    for (int i = 0; i < 3; i++) out[i] = x[i] + (w * a[i] + b[i]);
}

/* y = R x. */
KERNEL void so3_rotate(real y[3], const real q[4], const real x[3])
{
    so3_turn(y, q, q[3], x);
}

/* y = R^T x, which is also Ad*_q x. */
KERNEL void so3_unrotate(real y[3], const real q[4], const real x[3])
{
    so3_turn(y, q, -q[3], x);
}

/* R, which is also Ad_q; row-major. */
KERNEL void so3_to_matrix(real R[9], const real q[4])
{
    const real x = q[0] + q[0], y = q[1] + q[1], z = q[2] + q[2], w = q[3];
    const real xx = q[0] * x, xy = q[0] * y, xz = q[0] * z, yy = q[1] * y, yz = q[1] * z, zz = q[2] * z;
    const real wx = w * x, wy = w * y, wz = w * z;
    R[0] = 1.0 - (yy + zz);
    R[1] = xy - wz;
    R[2] = xz + wy;
    R[3] = xy + wz;
    R[4] = 1.0 - (xx + zz);
    R[5] = yz - wx;
    R[6] = xz - wy;
    R[7] = yz + wx;
    R[8] = 1.0 - (xx + yy);
}

/* A matrix counts as a noisy rotation Q up to half of |Q|^2 = 3: LG_ROTATION_NEAR in rotation.h. */
#define SO3_NEAR2 0.75

/* X <- (X + X^-T)/2 where `active`, X^-T = cofactors/det; *correction: the largest number that was added. Returns the
 * lanes where det <= 0. */
KERNEL mask so3_polar_step(real X[9], mask active, real *correction)
{
    real C[9], most = splat(0.0);
    so3_cross(C, X + 3, X + 6);
    so3_cross(C + 3, X + 6, X);
    so3_cross(C + 6, X, X + 3);
    const real det = so3_dot(X, C);
    const mask positive = det > 0.0;
    const real by = sel(positive, det, splat(1.0));
    for (int i = 0; i < 9; i++) {
        const real d = 0.5 * (C[i] / by - X[i]);
        X[i] = sel(both(active, positive), X[i] + d, X[i]);
        most = greater(most, magnitude(d));
    }
    *correction = sel(active, most, *correction);
    return both(active, other(positive));
}

/* X = the polar factor of R by Newton's iteration, which is quadratic, so it ends after a correction below 1e-9. If the
 * result is accepted, all singular values of R are in [0.13, 1.87], which takes at most seven iterations. Returns the
 * lanes where R is far from a rotation; lanes with NaN are not among them. */
KERNEL mask so3_polar(real X[9], const real R[9])
{
    real n2 = splat(0.0), correction = splat(1.0), far = splat(0.0);
    for (int i = 0; i < 9; i++) {
        X[i] = R[i];
        n2 = n2 + R[i] * R[i];
    }
    const mask lost = n2 != n2, size = both(n2 > 0.7, n2 < 7.0); /* |R| within [1/2, 3/2] sqrt 3 of a rotation's */
    mask bad = other(either(lost, size)), active = size;
    for (int round = 0; round < 12 && any(active); round++) {
        bad = either(bad, so3_polar_step(X, active, &correction));
        active = both(active, both(correction > 1e-9, other(bad)));
    }
    for (int i = 0; i < 9; i++) {
        far = far + (R[i] - X[i]) * (R[i] - X[i]);
        X[i] = sel(lost, splat((double)NAN), X[i]);
    }
    return either(bad, both(size, other(both(correction <= 1e-9, far <= SO3_NEAR2))));
}

/* Of the rotation nearest to R: Shepperd begins with the largest of 4w^2, 4x^2, 4y^2, 4z^2, so that nothing cancels;
 * w >= 0. Returns the lanes where R is no rotation. */
KERNEL mask so3_from_matrix(real q[4], const real R[9])
{
    real X[9], p[4];
    const mask bad = so3_polar(X, R);
    const real trace = X[0] + X[4] + X[8];
    const mask second = X[4] > X[0];
    const real larger = sel(second, X[4], X[0]);
    const mask third = X[8] > larger, w = trace >= sel(third, X[8], larger);
    const real x0 = X[7] - X[5], y0 = X[2] - X[6], z0 = X[3] - X[1], xy = X[1] + X[3], xz = X[2] + X[6],
               yz = X[5] + X[7];
    p[0] = sel(w, x0, sel(third, xz, sel(second, xy, 1.0 + X[0] - X[4] - X[8])));
    p[1] = sel(w, y0, sel(third, yz, sel(second, 1.0 + X[4] - X[8] - X[0], xy)));
    p[2] = sel(w, z0, sel(third, 1.0 + X[8] - X[0] - X[4], sel(second, yz, xz)));
    p[3] = sel(w, 1.0 + trace, sel(third, z0, sel(second, y0, x0)));
    const mask back = p[3] < 0.0;
    for (int i = 0; i < 4; i++) p[i] = sel(back, -p[i], p[i]);
    return either(bad, lane_unit(q, p, 4));
}

/* Where there is no exponential, no Cayley map: too large an angle, too large numbers. Not where w is NaN. */
KERNEL mask so3_exp_beyond(const real w[3])
{
    return so3_dot(w, w) > COEF_FAR;
}

KERNEL mask so3_dexp_beyond(const real w[3])
{
    return so3_exp_beyond(w);
}

KERNEL mask so3_cay_beyond(const real w[3])
{
    return coef_too_large(so3_dot(w, w));
}

/* W = hat(w). */
KERNEL void so3_hat(real W[9], const real w[3])
{
    const real x = w[0], y = w[1], z = w[2];
    W[0] = W[4] = W[8] = splat(0.0);
    W[1] = -z;
    W[2] = y;
    W[3] = z;
    W[5] = -x;
    W[6] = -y;
    W[7] = x;
}

/* J = I + b W + c W^2. */
KERNEL void so3_quadratic(real J[9], const real w[3], real b, real c)
{
    const real cx = c * w[0], cy = c * w[1], cz = c * w[2], bx = b * w[0], by = b * w[1], bz = b * w[2];
    const real xx = cx * w[0], xy = cx * w[1], xz = cx * w[2], yy = cy * w[1], yz = cy * w[2], zz = cz * w[2];
    J[0] = 1.0 - (yy + zz);
    J[1] = xy - bz;
    J[2] = xz + by;
    J[3] = xy + bz;
    J[4] = 1.0 - (xx + zz);
    J[5] = yz - bx;
    J[6] = xz - by;
    J[7] = yz + bx;
    J[8] = 1.0 - (xx + yy);
}

/* out = mu + b w x mu + c w x (w x mu). */
KERNEL void so3_quadratic_apply(real out[3], const real w[3], real b, real c, const real mu[3])
{
    real m[3], n[3];
    so3_cross(m, w, mu);
    so3_cross(n, w, m);
    for (int i = 0; i < 3; i++) out[i] = mu[i] + (b * m[i] + c * n[i]);
}

/* q = exp(w) = (S w/2, c). */
KERNEL void so3_exp(real q[4], const real w[3])
{
    real S, c;
    coef_half(so3_dot(w, w), &S, &c);
    S = 0.5 * S;
    q[0] = S * w[0];
    q[1] = S * w[1];
    q[2] = S * w[2];
    q[3] = c;
}

/* w = log(q) = 2 arctan2(|v|, q_w)/|v| v with q_w >= 0 (q and -q are the same rotation). Returns the lanes where q is
 * not near a rotation: |q|^2 < 1/4, or it overflows. */
KERNEL mask so3_log(real w[3], const real q[4])
{
    const real n2 = so3_dot(q, q), f = 2.0 * arctan2_ratio(n2, magnitude(q[3])), s = sel(q[3] < 0.0, -f, f);
    const real norm2 = n2 + q[3] * q[3];
    const mask bad = either(norm2<0.25, norm2> 1e300);
    w[0] = s * q[0];
    w[1] = s * q[1];
    w[2] = s * q[2];
    return bad;
}

/* q = cay(w) = (w/2, 1)/sqrt(1 + x/4), scaled down first where x overflows. */
KERNEL void so3_cay(real q[4], const real w[3])
{
    const real x = so3_dot(w, w);
    real a = w[0], b = w[1], c = w[2], k = 1.0 / root(1.0 + 0.25 * x), s = k;
    const mask huge = x > 1e300;
    if (any(huge)) {
        const real f = sel(huge, splat(0x1p-600), splat(1.0));
        a = a * f;
        b = b * f;
        c = c * f;
        k = sel(huge, 2.0 / root(a * a + b * b + c * c), k);
        s = sel(huge, k * f, s);
    }
    k = 0.5 * k;
    q[0] = k * a;
    q[1] = k * b;
    q[2] = k * c;
    q[3] = s;
}

/* w = cay^-1(q) = 2 v/q_w. Returns the lanes where q is a rotation by pi within roundoff: |q_w| <= 4 eps |v| (q = 0
 * included). */
KERNEL mask so3_cay_inv(real w[3], const real q[4])
{
    const real k = 2.0 / q[3];
    const mask bad = q[3] * q[3] <= (16 * SO3_EPS * SO3_EPS) * so3_dot(q, q);
    w[0] = k * q[0];
    w[1] = k * q[1];
    w[2] = k * q[2];
    return bad;
}

/* dexp_w = I + B W + C W^2. */
KERNEL void so3_dexp(real J[9], const real w[3])
{
    const real v[3] = {w[0], w[1], w[2]};
    real B, C;
    coef_BC(so3_dot(v, v), &B, &C);
    so3_quadratic(J, v, B, C);
}

/* dexp^-1_w = I - W/2 + E W^2. */
KERNEL void so3_dexp_inv(real J[9], const real w[3])
{
    const real v[3] = {w[0], w[1], w[2]};
    so3_quadratic(J, v, splat(-0.5), coef_E(so3_dot(v, v)));
}

/* dcay_w = 2/(4 + x) (2I + W). */
KERNEL void so3_dcay(real J[9], const real w[3])
{
    const real k = coef_over(2.0, 4.0 + so3_dot(w, w)), x = k * w[0], y = k * w[1], z = k * w[2];
    J[0] = J[4] = J[8] = 2.0 * k;
    J[1] = -z;
    J[2] = y;
    J[3] = z;
    J[5] = -x;
    J[6] = -y;
    J[7] = x;
}

/* dcay^-1_w = I - W/2 + w w^T/4. */
KERNEL void so3_dcay_inv(real J[9], const real w[3])
{
    const real x = 0.5 * w[0], y = 0.5 * w[1], z = 0.5 * w[2];
    const real xy = x * y, xz = x * z, yz = y * z;
    J[0] = 1.0 + x * x;
    J[1] = xy + z;
    J[2] = xz - y;
    J[3] = xy - z;
    J[4] = 1.0 + y * y;
    J[5] = yz + x;
    J[6] = xz + y;
    J[7] = yz - x;
    J[8] = 1.0 + z * z;
}

/* (dexp^-1_w)^* mu = mu + w x mu/2 + E w x (w x mu). */
KERNEL void so3_dexp_inv_dual(real out[3], const real w[3], const real mu[3])
{
    so3_quadratic_apply(out, w, splat(0.5), coef_E(so3_dot(w, w)), mu);
}

/* (dcay^-1_w)^* mu = mu + w x mu/2 + (w.mu) w/4. */
KERNEL void so3_dcay_inv_dual(real out[3], const real w[3], const real mu[3])
{
    real m[3];
    so3_cross(m, w, mu);
    const real k = 0.25 * so3_dot(w, mu);
    for (int i = 0; i < 3; i++) m[i] = mu[i] + (0.5 * m[i] + k * w[i]);
    for (int i = 0; i < 3; i++) out[i] = m[i];
}

/* M += N(u) s, N(u) = (u.mu) I + u mu^T - 2 mu u^T: the derivative of w x (w x mu) at w = u. */
KERNEL void so3_add_bilinear(real M[9], const real u[3], const real mu[3], real s)
{
    const real d = s * so3_dot(u, mu);
    for (int i = 0; i < 3; i++) {
        const real a = s * u[i], b = -2.0 * s * mu[i];
        for (int j = 0; j < 3; j++) M[3 * i + j] = M[3 * i + j] + (a * mu[j] + b * u[j]);
        M[4 * i] = M[4 * i] + d;
    }
}

/* M += s a b^T. */
KERNEL void so3_add_outer(real M[9], const real a[3], const real b[3], real s)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) M[3 * i + j] = M[3 * i + j] + s * a[i] * b[j];
}

/* M = s hat(mu) + d I. */
KERNEL void so3_start(real M[9], const real mu[3], real s, real d)
{
    M[0] = M[4] = M[8] = d;
    M[1] = -s * mu[2];
    M[2] = s * mu[1];
    M[3] = s * mu[2];
    M[5] = -s * mu[0];
    M[6] = -s * mu[1];
    M[7] = s * mu[0];
}

/* From E, E': M = d/dw [(dexp^-1_w)^* mu] = -hat(mu)/2 + E N(w) + 2E' (w x (w x mu)) w^T. */
KERNEL void so3_dexp_inv_dual_derivative_from(real M[9], const real w[3], const real mu[3], const real E[2])
{
    real n[3];
    so3_cross(n, w, mu);
    so3_cross(n, w, n);
    so3_start(M, mu, splat(-0.5), splat(0.0));
    so3_add_bilinear(M, w, mu, E[0]);
    so3_add_outer(M, n, w, 2.0 * E[1]);
}

/* M = d/dw [(dexp^-1_w)^* mu], 3 x 3. */
KERNEL void so3_dexp_inv_dual_derivative(real M[9], const real w[3], const real mu[3])
{
    real E[2], T[9];
    coef_E1(so3_dot(w, w), E);
    so3_dexp_inv_dual_derivative_from(T, w, mu, E);
    for (int i = 0; i < 9; i++) M[i] = T[i];
}

/* M = d/dw [(dcay^-1_w)^* mu] = -hat(mu)/2 + ((w.mu) I + w mu^T)/4. */
KERNEL void so3_dcay_inv_dual_derivative(real M[9], const real w[3], const real mu[3])
{
    real T[9];
    so3_start(T, mu, splat(-0.5), 0.25 * so3_dot(w, mu));
    so3_add_outer(T, w, mu, splat(0.25));
    for (int i = 0; i < 9; i++) M[i] = T[i];
}

/* ---- under the names that every group has ---- */

KERNEL void so3_Ad(real R[9], const real q[4])
{
    so3_to_matrix(R, q);
}

KERNEL void so3_coAd(real y[3], const real q[4], const real x[3])
{
    so3_unrotate(y, q, x);
}

KERNEL void so3_ad(real W[9], const real w[3])
{
    so3_hat(W, w);
}

/* ---- matrices of groups that contain SO(3) ---- */

/* [[R, r...], [0, d]] with R in the corner, `vectors` columns to the right of it, the last one first in x, at most 3.
 */
KERNEL void so3_embed(real *M, int vectors, const real R[9], const real *x, double d)
{
    const int m = 3 + vectors;
    real r[9];
    for (int i = 0; i < 3 * vectors; i++) r[i] = x[i];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            M[i * m + j] = i >= 3 ? splat(i == j ? d : 0.0) : j >= 3 ? r[3 * (m - 1 - j) + i] : R[3 * i + j];
}

/* The matrix of an element (e numbers) and of an algebra vector (n), m x m. */
#define SO3_EMBEDDED(group, n, e, m)                                                                                   \
    KERNEL void group##_to_matrix(real M[(m) * (m)], const real g[e])                                                  \
    {                                                                                                                  \
        real R[9];                                                                                                     \
        so3_to_matrix(R, g + (e)-4);                                                                                   \
        so3_embed(M, (m)-3, R, g, 1.0);                                                                                \
    }                                                                                                                  \
    KERNEL void group##_hat(real M[(m) * (m)], const real xi[n])                                                       \
    {                                                                                                                  \
        real W[9];                                                                                                     \
        so3_hat(W, xi + (n)-3);                                                                                        \
        so3_embed(M, (m)-3, W, xi, 0.0);                                                                               \
    }

#endif
