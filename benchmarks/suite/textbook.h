/* SPDX-License-Identifier: BSD-3-Clause */
/* Group operations as in textbooks, with libm: what a user without a library would write. They are fast enough, and
 * wrong near the angles 0 and pi: a point of comparison, not a model. SO(3) as quaternions (x, y, z, w); SE(2) as (x,
 * y, cos, sin); SE(3) as (translation, quaternion), algebra (v, w). */
#ifndef BENCH_TEXTBOOK_H
#define BENCH_TEXTBOOK_H

#include <math.h>

#define LG_BENCH_PI 3.14159265358979312
#define TINY        1e-10 /* below: the limit */

/* ---- SO(3) ---- */

static inline double textbook_norm(const double *w)
{
    return sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

/* J = I + b W + c W^2. */
static inline void textbook_series(double *J, const double *w, double b, double c)
{
    const double x = w[0], y = w[1], z = w[2];
    J[0] = 1 - c * (y * y + z * z), J[1] = c * x * y - b * z, J[2] = c * x * z + b * y;
    J[3] = c * x * y + b * z, J[4] = 1 - c * (x * x + z * z), J[5] = c * y * z - b * x;
    J[6] = c * x * z - b * y, J[7] = c * y * z + b * x, J[8] = 1 - c * (x * x + y * y);
}

/* y = M x, 3 x 3. */
static inline void textbook_times(double *y, const double *M, const double *x)
{
    for (int i = 0; i < 3; i++) y[i] = M[3 * i] * x[0] + M[3 * i + 1] * x[1] + M[3 * i + 2] * x[2];
}

static inline void textbook_so3_exp(double *q, const double *w)
{
    const double t = textbook_norm(w), s = t < TINY ? 0.5 : sin(t / 2) / t;
    for (int i = 0; i < 3; i++) q[i] = s * w[i];
    q[3] = cos(t / 2);
}

static inline void textbook_so3_log(double *w, const double *q)
{
    const double n = textbook_norm(q), s = n < TINY ? 2 : 2 * atan2(q[3] < 0 ? -n : n, fabs(q[3])) / n;
    for (int i = 0; i < 3; i++) w[i] = s * q[i];
}

static inline void textbook_so3_dexp(double *J, const double *w)
{
    const double t = textbook_norm(w);
    if (t < TINY)
        textbook_series(J, w, 0.5, 1.0 / 6);
    else
        textbook_series(J, w, (1 - cos(t)) / (t * t), (t - sin(t)) / (t * t * t));
}

static inline void textbook_so3_dexp_inv(double *J, const double *w)
{
    const double t = textbook_norm(w);
    if (t < TINY)
        textbook_series(J, w, -0.5, 1.0 / 12);
    else
        textbook_series(J, w, -0.5, 1 / (t * t) - (1 + cos(t)) / (2 * t * sin(t)));
}

static inline void textbook_so3_compose(double *r, const double *a, const double *b)
{
    r[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    r[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    r[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    r[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static inline void textbook_so3_inverse(double *r, const double *q)
{
    r[0] = -q[0], r[1] = -q[1], r[2] = -q[2], r[3] = q[3];
}

static inline void textbook_so3_Ad(double *R, const double *q)
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    R[0] = 1 - 2 * (y * y + z * z), R[1] = 2 * (x * y - w * z), R[2] = 2 * (x * z + w * y);
    R[3] = 2 * (x * y + w * z), R[4] = 1 - 2 * (x * x + z * z), R[5] = 2 * (y * z - w * x);
    R[6] = 2 * (x * z - w * y), R[7] = 2 * (y * z + w * x), R[8] = 1 - 2 * (x * x + y * y);
}

/* y = M^T x, 3 x 3. */
static inline void textbook_times_transposed(double *y, const double *M, const double *x)
{
    for (int i = 0; i < 3; i++) y[i] = M[i] * x[0] + M[3 + i] * x[1] + M[6 + i] * x[2];
}

static inline void textbook_so3_coAd_apply(double *out, const double *q, const double *p)
{
    double R[9];
    textbook_so3_Ad(R, q);
    textbook_times_transposed(out, R, p);
}

static inline void textbook_so3_cay(double *q, const double *w)
{
    const double s = 1 / sqrt(4 + w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    for (int i = 0; i < 3; i++) q[i] = s * w[i];
    q[3] = 2 * s;
}

static inline void textbook_so3_cay_inv(double *w, const double *q)
{
    for (int i = 0; i < 3; i++) w[i] = 2 * q[i] / q[3];
}

static inline void textbook_so3_dcay(double *J, const double *w)
{
    const double s = 2 / (4 + w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    J[0] = J[4] = J[8] = 2 * s;
    J[1] = -s * w[2], J[2] = s * w[1], J[3] = s * w[2], J[5] = -s * w[0], J[6] = -s * w[1], J[7] = s * w[0];
}

static inline void textbook_so3_dcay_inv(double *J, const double *w)
{
    const double W[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
    for (int i = 0; i < 9; i++) J[i] = (i % 4 == 0) - W[i] / 2 + w[i / 3] * w[i % 3] / 4;
}

/* ---- SE(2) ---- */

static inline void textbook_se2_exp(double *g, const double *xi)
{
    const double t = xi[2], c = cos(t), s = sin(t), A = fabs(t) < TINY ? 1 : s / t,
                 B = fabs(t) < TINY ? t / 2 : (1 - c) / t;
    g[0] = A * xi[0] - B * xi[1];
    g[1] = B * xi[0] + A * xi[1];
    g[2] = c;
    g[3] = s;
}

static inline void textbook_se2_log(double *xi, const double *g)
{
    const double t = atan2(g[3], g[2]), c = fabs(t) < TINY ? 1 : t / 2 * g[3] / (1 - g[2]);
    xi[0] = c * g[0] + t / 2 * g[1];
    xi[1] = c * g[1] - t / 2 * g[0];
    xi[2] = t;
}

static inline void textbook_planar(double *J, double a, double b, double p, double q)
{
    J[0] = J[4] = a, J[1] = -b, J[2] = p, J[3] = b, J[5] = q, J[6] = J[7] = 0, J[8] = 1;
}

static inline void textbook_se2_dexp(double *J, const double *xi)
{
    const double t = xi[2], x = xi[0], y = xi[1], c = cos(t), s = sin(t);
    if (fabs(t) < TINY)
        textbook_planar(J, 1, 0, y / 2, -x / 2);
    else
        textbook_planar(J, s / t, (1 - c) / t, ((t - s) * x + (1 - c) * y) / (t * t),
                        ((t - s) * y - (1 - c) * x) / (t * t));
}

static inline void textbook_se2_dexp_inv(double *J, const double *xi)
{
    const double t = xi[2], x = xi[0], y = xi[1], c = fabs(t) < TINY ? 1 : t / 2 / tan(t / 2);
    const double e = fabs(t) < TINY ? 0 : (1 - c) / t;
    textbook_planar(J, c, -t / 2, e * x - y / 2, e * y + x / 2);
}

static inline void textbook_se2_compose(double *r, const double *a, const double *b)
{
    r[0] = a[0] + a[2] * b[0] - a[3] * b[1];
    r[1] = a[1] + a[3] * b[0] + a[2] * b[1];
    r[2] = a[2] * b[2] - a[3] * b[3];
    r[3] = a[3] * b[2] + a[2] * b[3];
}

static inline void textbook_se2_inverse(double *r, const double *a)
{
    r[0] = -a[2] * a[0] - a[3] * a[1];
    r[1] = a[3] * a[0] - a[2] * a[1];
    r[2] = a[2], r[3] = -a[3];
}

static inline void textbook_se2_Ad(double *M, const double *a)
{
    M[0] = a[2], M[1] = -a[3], M[2] = a[1];
    M[3] = a[3], M[4] = a[2], M[5] = -a[0];
    M[6] = M[7] = 0, M[8] = 1;
}

static inline void textbook_se2_coAd_apply(double *out, const double *a, const double *p)
{
    double M[9];
    textbook_se2_Ad(M, a);
    textbook_times_transposed(out, M, p);
}

/* ---- SE(3) ---- */

static inline void textbook_hat(double *W, const double *w)
{
    W[0] = W[4] = W[8] = 0;
    W[1] = -w[2], W[2] = w[1], W[3] = w[2], W[5] = -w[0], W[6] = -w[1], W[7] = w[0];
}

static inline void textbook_product(double *C, const double *A, const double *B)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

static inline void textbook_se3_exp(double *g, const double *xi)
{
    double V[9];
    textbook_so3_dexp(V, xi + 3);
    textbook_times(g, V, xi);
    textbook_so3_exp(g + 3, xi + 3);
}

static inline void textbook_se3_log(double *xi, const double *g)
{
    double V[9];
    textbook_so3_log(xi + 3, g + 3);
    textbook_so3_dexp_inv(V, xi + 3);
    textbook_times(xi, V, g);
}

/* The upper right block of dexp; T. Barfoot, State Estimation for Robotics, equation (7.86b). */
static inline void textbook_block(double *Q, const double *xi)
{
    const double t = textbook_norm(xi + 3), t2 = t * t, c = cos(t), s = sin(t);
    const double a = t < TINY ? 1.0 / 6 : (t - s) / (t2 * t),
                 b = t < TINY ? 1.0 / 24 : (t2 + 2 * c - 2) / (2 * t2 * t2);
    const double d = t < TINY ? 1.0 / 120 : (2 * t - 3 * s + t * c) / (2 * t2 * t2 * t);
    double R[9], W[9], WR[9], RW[9], WRW[9], WWR[9], RWW[9], WRWW[9], WWRW[9];
    textbook_hat(R, xi);
    textbook_hat(W, xi + 3);
    textbook_product(WR, W, R);
    textbook_product(RW, R, W);
    textbook_product(WRW, WR, W);
    textbook_product(WWR, W, WR);
    textbook_product(RWW, RW, W);
    textbook_product(WRWW, WRW, W);
    textbook_product(WWRW, W, WRW);
    for (int i = 0; i < 9; i++)
        Q[i] = R[i] / 2 + a * (WR[i] + RW[i] + WRW[i]) + b * (WWR[i] + RWW[i] - 3 * WRW[i]) + d * (WRWW[i] + WWRW[i]);
}

static inline void textbook_blocks(double *J, const double *D, const double *Q)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            J[6 * i + j] = J[6 * i + j + 21] = D[3 * i + j];
            J[6 * i + j + 3] = Q[3 * i + j];
            J[6 * i + j + 18] = 0;
        }
}

static inline void textbook_se3_dexp(double *J, const double *xi)
{
    double D[9], Q[9];
    textbook_so3_dexp(D, xi + 3);
    textbook_block(Q, xi);
    textbook_blocks(J, D, Q);
}

/* [[D, -D Q D], [0, D]] with D = dexp^-1 of SO(3). */
static inline void textbook_se3_dexp_inv(double *J, const double *xi)
{
    double D[9], Q[9], DQ[9], P[9];
    textbook_so3_dexp_inv(D, xi + 3);
    textbook_block(Q, xi);
    textbook_product(DQ, D, Q);
    textbook_product(P, DQ, D);
    for (int i = 0; i < 9; i++) P[i] = -P[i];
    textbook_blocks(J, D, P);
}

static inline void textbook_se3_compose(double *r, const double *a, const double *b)
{
    double R[9];
    textbook_so3_Ad(R, a + 3);
    textbook_times(r, R, b);
    for (int i = 0; i < 3; i++) r[i] += a[i];
    textbook_so3_compose(r + 3, a + 3, b + 3);
}

static inline void textbook_se3_inverse(double *r, const double *a)
{
    double R[9];
    textbook_so3_Ad(R, a + 3);
    textbook_times_transposed(r, R, a);
    for (int i = 0; i < 3; i++) r[i] = -r[i];
    textbook_so3_inverse(r + 3, a + 3);
}

/* [[R, hat(t) R], [0, R]]. */
static inline void textbook_se3_Ad(double *M, const double *a)
{
    double R[9], T[9], TR[9];
    textbook_so3_Ad(R, a + 3);
    textbook_hat(T, a);
    textbook_product(TR, T, R);
    textbook_blocks(M, R, TR);
}

static inline void textbook_se3_coAd_apply(double *out, const double *a, const double *p)
{
    double M[36];
    textbook_se3_Ad(M, a);
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int j = 0; j < 6; j++) sum += M[6 * j + i] * p[j];
        out[i] = sum;
    }
}

#endif
