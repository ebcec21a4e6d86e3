/* SPDX-License-Identifier: BSD-3-Clause */
/* se3.h: kernels of SE(3). Elements are (translation r, unit quaternion q); the algebra is (v, w) and covectors are
 * (m, n), translations first. V = hat(v), W = hat(w), x = |w|^2. se(3) is the tangent bundle of so(3): with
 * D(w) = dexp_w the upper right block of dexp is d/de D(w + e v), and so for the inverse.
 * Tangents are right-trivialised. Inputs may alias outputs. Formulas: docs/theory.md, section 2. */
#ifndef LIEGRP_SRC_GROUPS_SE3_H
#define LIEGRP_SRC_GROUPS_SE3_H

#include "groups/so3.h"

/* r = a b. No renormalisation. */
KERNEL void se3_compose(real r[7], const real a[7], const real b[7])
{
    real t[3];
    so3_rotate(t, a + 3, b);
    for (int i = 0; i < 3; i++) t[i] = a[i] + t[i];
    so3_compose(r + 3, a + 3, b + 3);
    for (int i = 0; i < 3; i++) r[i] = t[i];
}

KERNEL void se3_inverse(real r[7], const real g[7])
{
    real t[3];
    so3_unrotate(t, g + 3, g);
    so3_inverse(r + 3, g + 3);
    for (int i = 0; i < 3; i++) r[i] = -t[i];
}

/* y = R x + r for a point x. */
KERNEL void se3_act(real y[3], const real g[7], const real x[3])
{
    real t[3];
    so3_rotate(t, g + 3, x);
    for (int i = 0; i < 3; i++) t[i] = g[i] + t[i];
    for (int i = 0; i < 3; i++) y[i] = t[i];
}

/* y = R^T (x - r). */
KERNEL void se3_act_inverse(real y[3], const real g[7], const real x[3])
{
    const real d[3] = {x[0] - g[0], x[1] - g[1], x[2] - g[2]};
    real t[3];
    so3_unrotate(t, g + 3, d);
    for (int i = 0; i < 3; i++) y[i] = t[i];
}

/* As so3_exp_beyond() and so3_cay_beyond(), translations too. */
KERNEL mask se3_exp_beyond(const real xi[6])
{
    return either(so3_exp_beyond(xi + 3), coef_too_large(so3_dot(xi, xi)));
}

KERNEL mask se3_dexp_beyond(const real xi[6])
{
    return se3_exp_beyond(xi);
}

KERNEL mask se3_cay_beyond(const real xi[6])
{
    return coef_too_large(so3_dot(xi, xi) + so3_dot(xi + 3, xi + 3));
}

/* M = [[D, Q], [0, D']]. */
KERNEL void se3_fill(real M[36], const real D[9], const real Q[9], const real Dlow[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            M[6 * i + j] = D[3 * i + j];
            M[6 * i + j + 3] = Q[3 * i + j];
            M[6 * i + j + 18] = splat(0.0);
            M[6 * i + j + 21] = Dlow[3 * i + j];
        }
}

/* Ad_g = [[R, r^ R], [0, R]]. */
KERNEL void se3_Ad(real M[36], const real g[7])
{
    real R[9], Q[9];
    so3_to_matrix(R, g + 3);
    for (int j = 0; j < 3; j++) {
        const real x = R[j], y = R[3 + j], z = R[6 + j];
        Q[j] = g[1] * z - g[2] * y;
        Q[3 + j] = g[2] * x - g[0] * z;
        Q[6 + j] = g[0] * y - g[1] * x;
    }
    se3_fill(M, R, Q, R);
}

/* out = Ad*_g p = (R^T m, R^T (n - r x m)). */
KERNEL void se3_coAd(real out[6], const real g[7], const real p[6])
{
    real a[3], b[3];
    so3_cross(b, g, p);
    for (int i = 0; i < 3; i++) b[i] = p[3 + i] - b[i];
    so3_unrotate(a, g + 3, p);
    so3_unrotate(b, g + 3, b);
    for (int i = 0; i < 3; i++) {
        out[i] = a[i];
        out[3 + i] = b[i];
    }
}

/* ad_xi = [[W, V], [0, W]]. */
KERNEL void se3_ad(real M[36], const real xi[6])
{
    real W[9], V[9];
    so3_hat(W, xi + 3);
    so3_hat(V, xi);
    se3_fill(M, W, V, W);
}

/* g = exp(xi): translation v + B w x v + C w x (w x v). */
KERNEL void se3_exp(real g[7], const real xi[6])
{
    const real x = so3_dot(xi + 3, xi + 3);
    real S, c, t[3];
    coef_half(x, &S, &c);
    so3_quadratic_apply(t, xi + 3, 0.5 * S * S, coef_C(x, S * c), xi);
    S = 0.5 * S;
    const real a = S * xi[3], b = S * xi[4], d = S * xi[5];
    for (int i = 0; i < 3; i++) g[i] = t[i];
    g[3] = a;
    g[4] = b;
    g[5] = d;
    g[6] = c;
}

/* xi = log(g): w = log(q), v = dexp^-1_w r. Returns the lanes that so3_log returns. */
KERNEL mask se3_log(real xi[6], const real g[7])
{
    real w[3], v[3];
    const mask bad = so3_log(w, g + 3);
    so3_quadratic_apply(v, w, splat(-0.5), coef_E(so3_dot(w, w)), g);
    for (int i = 0; i < 3; i++) {
        xi[i] = v[i];
        xi[3 + i] = w[i];
    }
    return bad;
}

/* g = cay(xi): translation v + 2/(4 + x) (w x v + w x (w x v)/2). */
KERNEL void se3_cay(real g[7], const real xi[6])
{
    const real k = coef_over(2.0, 4.0 + so3_dot(xi + 3, xi + 3));
    real t[3], q[4];
    so3_cay(q, xi + 3);
    so3_quadratic_apply(t, xi + 3, k, 0.5 * k, xi);
    for (int i = 0; i < 3; i++) g[i] = t[i];
    for (int i = 0; i < 4; i++) g[3 + i] = q[i];
}

/* xi = cay^-1(g): w, v = r - w x r/2. Returns the lanes that so3_cay_inv returns. */
KERNEL mask se3_cay_inv(real xi[6], const real g[7])
{
    real w[3], t[3];
    const mask bad = so3_cay_inv(w, g + 3);
    so3_cross(t, w, g);
    for (int i = 0; i < 3; i++) t[i] = g[i] - 0.5 * t[i];
    for (int i = 0; i < 3; i++) {
        xi[i] = t[i];
        xi[3 + i] = w[i];
    }
    return bad;
}

/* M = [[D, Q], [0, D]], D = I + b W + c W^2, Q = hat(a) + p w^T + w p^T - 2 (p.w) I. */
KERNEL void se3_tangent(real M[36], const real w[3], real b, real c, const real a[3], const real p[3])
{
    real D[9], Q[9];
    so3_quadratic(D, w, b, c);
    const real px = p[0] * w[0], py = p[1] * w[1], pz = p[2] * w[2];
    const real xy = p[0] * w[1] + w[0] * p[1], xz = p[0] * w[2] + w[0] * p[2], yz = p[1] * w[2] + w[1] * p[2];
    Q[0] = -2.0 * (py + pz);
    Q[1] = xy - a[2];
    Q[2] = xz + a[1];
    Q[3] = xy + a[2];
    Q[4] = -2.0 * (px + pz);
    Q[5] = yz - a[0];
    Q[6] = xz - a[1];
    Q[7] = yz + a[0];
    Q[8] = -2.0 * (px + py);
    se3_fill(M, D, Q, D);
}

/* dexp: the upper right block is B V + 2 (w.v) B' W + C (W V + V W) + 2 (w.v) C' W^2. */
KERNEL void se3_dexp(real M[36], const real xi[6])
{
    const real v[3] = {xi[0], xi[1], xi[2]}, w[3] = {xi[3], xi[4], xi[5]}, s = so3_dot(w, v);
    real B[2], C[2], a[3], p[3];
    coef_BC1(so3_dot(w, w), B, C);
    const real sb = 2.0 * s * B[1], sc = s * C[1];
    for (int i = 0; i < 3; i++) {
        a[i] = B[0] * v[i] + sb * w[i];
        p[i] = C[0] * v[i] + sc * w[i];
    }
    se3_tangent(M, w, B[0], C[0], a, p);
}

/* dexp^-1: the upper right block is -V/2 + E (W V + V W) + 2 (w.v) E' W^2. */
KERNEL void se3_dexp_inv(real M[36], const real xi[6])
{
    const real v[3] = {xi[0], xi[1], xi[2]}, w[3] = {xi[3], xi[4], xi[5]}, s = so3_dot(w, v);
    real E[2], a[3], p[3];
    coef_E1(so3_dot(w, w), E);
    const real se = s * E[1];
    for (int i = 0; i < 3; i++) {
        a[i] = -0.5 * v[i];
        p[i] = E[0] * v[i] + se * w[i];
    }
    se3_tangent(M, w, splat(-0.5), E[0], a, p);
}

/* dcay = [[I + k (W + W^2/2), V dcay_w/2], [0, dcay_w]], k = 2/(4 + x). */
KERNEL void se3_dcay(real M[36], const real xi[6])
{
    const real w[3] = {xi[3], xi[4], xi[5]}, h[3] = {0.5 * xi[0], 0.5 * xi[1], 0.5 * xi[2]};
    const real k = coef_over(2.0, 4.0 + so3_dot(w, w));
    real D[9], P[9], Q[9];
    so3_dcay(D, w);
    so3_quadratic(P, w, k, 0.5 * k);
    for (int j = 0; j < 3; j++) {
        Q[j] = h[1] * D[6 + j] - h[2] * D[3 + j];
        Q[3 + j] = h[2] * D[j] - h[0] * D[6 + j];
        Q[6 + j] = h[0] * D[3 + j] - h[1] * D[j];
    }
    se3_fill(M, P, Q, D);
}

/* dcay^-1 = [[I - W/2, -V/2 + W V/4], [0, I - W/2 + w w^T/4]]; W V = v w^T - (w.v) I. */
KERNEL void se3_dcay_inv(real M[36], const real xi[6])
{
    const real v[3] = {xi[0], xi[1], xi[2]}, w[3] = {xi[3], xi[4], xi[5]};
    real D[9], P[9], Q[9];
    so3_dcay_inv(D, w);
    so3_start(P, w, splat(-0.5), splat(1.0));
    so3_start(Q, v, splat(-0.5), -0.25 * so3_dot(w, v));
    so3_add_outer(Q, v, w, splat(0.25));
    se3_fill(M, P, Q, D);
}

/* (dexp^-1_xi)^* mu = (f(w, m), D_w f(w, m) v + f(w, n)), f(w, m) = (dexp^-1_w)^* m of SO(3);
 * D_w f v = v x m/2 + 2 (w.v) E' w x (w x m) + E (v x (w x m) + w x (v x m)). */
KERNEL void se3_dexp_inv_dual(real out[6], const real xi[6], const real mu[6])
{
    const real *v = xi, *w = xi + 3, *m = mu;
    real E[2], a[3], b[3], vm[3], wm[3], wwm[3], wvm[3], vwm[3];
    coef_E1(so3_dot(w, w), E);
    const real se = 2.0 * so3_dot(w, v) * E[1];
    so3_cross(vm, v, m);
    so3_cross(wm, w, m);
    so3_cross(wwm, w, wm);
    so3_cross(wvm, w, vm);
    so3_cross(vwm, v, wm);
    so3_quadratic_apply(b, w, splat(0.5), E[0], mu + 3);
    for (int i = 0; i < 3; i++) {
        a[i] = m[i] + (0.5 * wm[i] + E[0] * wwm[i]);
        b[i] = b[i] + (0.5 * vm[i] + (se * wwm[i] + E[0] * (wvm[i] + vwm[i])));
    }
    for (int i = 0; i < 3; i++) {
        out[i] = a[i];
        out[3 + i] = b[i];
    }
}

/* (dcay^-1_xi)^* mu = (m + w x m/2, v x m/2 + v x (w x m)/4 + n + w x n/2 + (w.n) w/4). */
KERNEL void se3_dcay_inv_dual(real out[6], const real xi[6], const real mu[6])
{
    real a[3], b[3], c[3];
    so3_cross(a, xi + 3, mu);
    for (int i = 0; i < 3; i++) a[i] = mu[i] + 0.5 * a[i];
    so3_cross(b, xi, a);
    so3_dcay_inv_dual(c, xi + 3, mu + 3);
    for (int i = 0; i < 3; i++) {
        out[i] = a[i];
        out[3 + i] = 0.5 * b[i] + c[i];
    }
}

/* M = d/dxi [(dexp^-1_xi)^* mu] = [[0, F], [F, G]], F = D_w f(w, m), and with k = w x (w x m), N as in
 * so3_add_bilinear, G = D_w f(w, n) + 2E' k v^T + 4E'' (w.v) k w^T + 2E' (w.v) N(w) + 2E' (N(w) v) w^T + E N(v). */
KERNEL void se3_dexp_inv_dual_derivative(real M[36], const real xi[6], const real mu[6])
{
    const real *v = xi, *w = xi + 3, *m = mu;
    real E[3], F[9], G[9], Z[9], k[3], nv, t[3];
    const real s = so3_dot(w, v), wm = so3_dot(w, m), vm = so3_dot(v, m);
    coef_E2(so3_dot(w, w), E);
    so3_cross(k, w, m);
    so3_cross(k, w, k);
    so3_dexp_inv_dual_derivative_from(F, w, m, E);
    so3_dexp_inv_dual_derivative_from(G, w, mu + 3, E);
    for (int i = 0; i < 3; i++) {
        nv = wm * v[i] + vm * w[i] - 2.0 * s * m[i]; /* N(w) v */
        t[i] = 4.0 * s * E[2] * k[i] + 2.0 * E[1] * nv;
    }
    so3_add_outer(G, k, v, 2.0 * E[1]);
    so3_add_outer(G, t, w, splat(1.0));
    so3_add_bilinear(G, w, m, 2.0 * s * E[1]);
    so3_add_bilinear(G, v, m, E[0]);
    for (int i = 0; i < 9; i++) Z[i] = splat(0.0);
    se3_fill(M, Z, F, G);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) M[6 * i + j + 18] = F[3 * i + j];
}

/* M = d/dxi [(dcay^-1_xi)^* mu] = [[0, -hat(m)/2], [-hat(m + w x m/2)/2, G]],
 * G = ((v.m) I - m v^T)/4 - hat(n)/2 + ((w.n) I + w n^T)/4. */
KERNEL void se3_dcay_inv_dual_derivative(real M[36], const real xi[6], const real mu[6])
{
    const real *v = xi, *w = xi + 3, *m = mu, *n = mu + 3;
    real F[9], G[9], L[9], Z[9], a[3];
    so3_cross(a, w, m);
    for (int i = 0; i < 3; i++) a[i] = m[i] + 0.5 * a[i];
    so3_start(F, m, splat(-0.5), splat(0.0));
    so3_start(L, a, splat(-0.5), splat(0.0));
    so3_start(G, n, splat(-0.5), 0.25 * (so3_dot(v, m) + so3_dot(w, n)));
    so3_add_outer(G, m, v, splat(-0.25));
    so3_add_outer(G, w, n, splat(0.25));
    for (int i = 0; i < 9; i++) Z[i] = splat(0.0);
    se3_fill(M, Z, F, G);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) M[6 * i + j + 18] = L[3 * i + j];
}

SO3_EMBEDDED(se3, 6, 7, 4)

#endif
