/* SPDX-License-Identifier: BSD-3-Clause */
/* On SO(3) and R^2 x SO(3): quaternion (x, y, z, w), body angular velocity w, p the momentum that leaves a node. */
#include <math.h>
#include <string.h>

#include "benchmarks/suite/hand.h"
#include "benchmarks/suite/hand_inline.h"

const double bench_ball_inertia[5] = {3, 3, 1, 1.1, 1.2}, bench_ball_table = 0.2;
const double bench_body_inertia[6] = {2, 2.5, 3, 1, 1.5, 2};

/* ---- Cayley ---- */

/* One correction of J w + k w x J w + k^2 (w.J w) w = p, k = h/2; returns whether it was the last. */
static inline int newton_cayley(const double *J, double k, const double *p, double *w)
{
    const double x = w[0], y = w[1], z = w[2], A = J[0], B = J[1], C = J[2];
    const double a = A * x, c = B * y, d = C * z, s = k * k * (x * a + y * c + z * d), t = 2 * k * k;
    const double F[3] = {a + k * (y * d - z * c) + s * x - p[0], c + k * (z * a - x * d) + s * y - p[1],
                         d + k * (x * c - y * a) + s * z - p[2]};
    const double M[9] = {A + s + t * x * a,           k * (d - z * B) + t * x * c, k * (y * C - c) + t * x * d,
                         k * (z * A - d) + t * y * a, B + s + t * y * c,           k * (a - x * C) + t * y * d,
                         k * (c - y * A) + t * z * a, k * (x * B - a) + t * z * c, C + s + t * z * d};
    return hand_correct(M, F, w);
}

static inline void legendre_cayley(const double *J, double h, const double *p, double *w)
{
    for (int i = 0; i < 3; i++) w[i] = p[i] / J[i];
    for (int i = 0; i < 50 && !newton_cayley(J, h / 2, p, w); i++) {
    }
}

/* q <- q (u, 1)/|q (u, 1)| and p <- R(u)^T p, u = h w/2. */
static inline void turn_cayley(double h, const double *w, double *q, double *p)
{
    const double u[3] = {h / 2 * w[0], h / 2 * w[1], h / 2 * w[2]};
    const double f = 2 / (1 + u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    hand_multiply(q, u, 1);
    hand_normalise(q);
    hand_unrotate(p, u, f);
}

/* ---- exp: p = mu + x x mu/2 + E x x (x x mu), x = h w, mu = J w ---- */

static inline int newton_exp(const double *J, double h, const double *p, double *w)
{
    const double x[3] = {h * w[0], h * w[1], h * w[2]}, m[3] = {J[0] * w[0], J[1] * w[1], J[2] * w[2]};
    const double z = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], along = x[0] * m[0] + x[1] * m[1] + x[2] * m[2];
    double E, E1, F[3], M[9];
    hand_E(z, &E, &E1);
    const double t[3] = {x[0] * along - z * m[0], x[1] * along - z * m[1], x[2] * along - z * m[2]};
    F[0] = m[0] + (x[1] * m[2] - x[2] * m[1]) / 2 + E * t[0] - p[0];
    F[1] = m[1] + (x[2] * m[0] - x[0] * m[2]) / 2 + E * t[1] - p[1];
    F[2] = m[2] + (x[0] * m[1] - x[1] * m[0]) / 2 + E * t[2] - p[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            M[3 * i + j] = E * (x[i] * (h * m[j] + J[j] * x[j]) - 2 * h * m[i] * x[j]) + 2 * h * E1 * t[i] * x[j];
    for (int i = 0; i < 3; i++) M[4 * i] += (1 - E * z) * J[i] + E * h * along;
    M[1] += (h * m[2] - x[2] * J[1]) / 2, M[2] += (x[1] * J[2] - h * m[1]) / 2;
    M[3] += (x[2] * J[0] - h * m[2]) / 2, M[5] += (h * m[0] - x[0] * J[2]) / 2;
    M[6] += (h * m[1] - x[1] * J[0]) / 2, M[7] += (x[0] * J[1] - h * m[0]) / 2;
    return hand_correct(M, F, w);
}

static inline void legendre_exp(const double *J, double h, const double *p, double *w)
{
    for (int i = 0; i < 3; i++) w[i] = p[i] / J[i];
    for (int i = 0; i < 50 && !newton_exp(J, h, p, w); i++) {
    }
}

static inline void turn_exp(double h, const double *w, double *q, double *p)
{
    const double z = h * h / 4 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]); /* (t/2)^2 */
    const double s = h / 2 * hand_sinc(z), c = hand_cosine(z);
    const double u[3] = {s * w[0], s * w[1], s * w[2]}, v[3] = {u[0] / c, u[1] / c, u[2] / c};
    hand_multiply(q, u, c);
    hand_normalise(q);
    hand_unrotate(p, v, 2 * c * c);
}

/* ---- the ball: rows (1, 0, 0, -r, 0), (0, 1, r, 0, 0), drift Omega (-y, x), r = 1 ---- */

typedef void (*legendre)(const double *J, double h, const double *p, double *w);
typedef void (*turn)(double h, const double *w, double *q, double *p);

static inline __attribute__((always_inline)) void walk_ball(bench_hand *b, long steps, legendre solve, turn advance)
{
    const double *J = bench_ball_inertia, minv = 1 / J[0], J1 = 1 / J[2], J2 = 1 / J[3], Omega = bench_ball_table;
    const double s1 = 2 / (minv + J2), s2 = 2 / (minv + J1), h = b->h;
    double g[6], p[5], w[3];
    memcpy(g, b->g0, sizeof g);
    memcpy(p, b->p0, sizeof p);
    for (long n = 0; n < steps; n++) {
        solve(J + 2, h, p + 2, w);
        g[0] += h * minv * p[0];
        g[1] += h * minv * p[1];
        advance(h, w, g + 2, p + 2);
        const double l1 = s1 * (minv * p[0] - J2 * p[3] + Omega * g[1]);
        const double l2 = s2 * (minv * p[1] + J1 * p[2] - Omega * g[0]);
        p[0] -= l1, p[3] += l1;
        p[1] -= l2, p[2] -= l2;
    }
    memcpy(b->g, g, sizeof g);
    memcpy(b->p, p, sizeof p);
}

void bench_hand_ball_cayley(bench_hand *b, long steps)
{
    walk_ball(b, steps, legendre_cayley, turn_cayley);
}

void bench_hand_ball_exp(bench_hand *b, long steps)
{
    walk_ball(b, steps, legendre_exp, turn_exp);
}

/* ---- a free body ---- */

static inline __attribute__((always_inline)) void walk_body(bench_hand *b, long steps, legendre solve, turn advance)
{
    double g[4], p[3], w[3];
    memcpy(g, b->g0, sizeof g);
    memcpy(p, b->p0, sizeof p);
    for (long n = 0; n < steps; n++) {
        solve(bench_body_inertia + 3, b->h, p, w);
        advance(b->h, w, g, p);
    }
    memcpy(b->g, g, sizeof g);
    memcpy(b->p, p, sizeof p);
}

void bench_hand_body_cayley(bench_hand *b, long steps)
{
    walk_body(b, steps, legendre_cayley, turn_cayley);
}

void bench_hand_body_exp(bench_hand *b, long steps)
{
    walk_body(b, steps, legendre_exp, turn_exp);
}
