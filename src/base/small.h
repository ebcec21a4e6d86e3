/* SPDX-License-Identifier: BSD-3-Clause */
/* Fixed-size linear algebra on `real`: n is a compile-time constant at every call, so the loops unroll. */
#ifndef LG_BASE_SMALL_H
#define LG_BASE_SMALL_H

#include "base/lane.h"

KERNEL real small_dot(int n, const real *a, const real *b)
{
    real s = a[0] * b[0];
    for (int i = 1; i < n; i++) s = s + a[i] * b[i];
    return s;
}

/* y = M x, with M its diagonal where `diagonal` is 1. */
KERNEL void small_apply(int n, int diagonal, real *y, const real *M, const real *x)
{
    for (int i = 0; i < n; i++) y[i] = diagonal ? M[i] * x[i] : small_dot(n, M + i * n, x);
}

/* b <- A^-1 b; A is destroyed. No pivoting: meant for matrices with a positive definite symmetric part, such as an
 * inertia plus the skew and O(h^2) terms of a Legendre transform. */
KERNEL void small_solve(int n, real *A, real *b)
{
    for (int k = 0; k < n; k++) {
        real r = 1.0 / A[k * n + k];
        for (int i = k + 1; i < n; i++) {
            real f = A[i * n + k] * r;
            for (int j = k + 1; j < n; j++) A[i * n + j] = A[i * n + j] - f * A[k * n + j];
            b[i] = b[i] - f * b[k];
        }
        A[k * n + k] = r;
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] = b[k] - A[k * n + j] * b[j];
        b[k] = b[k] * A[k * n + k];
    }
}

KERNEL void small_cross(real *c, const real *a, const real *b)
{
    real x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    c[0] = x, c[1] = y, c[2] = z;
}

/* Keeps a unit vector (a quaternion, (cos, sin)) from drifting: one Newton step for 1/|q|, without a root. */
KERNEL void small_renormalise(int n, real *q)
{
    real r = 1.5 - 0.5 * small_dot(n, q, q);
    for (int i = 0; i < n; i++) q[i] = q[i] * r;
}

#endif
