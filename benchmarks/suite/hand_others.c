/* SPDX-License-Identifier: BSD-3-Clause */
/* On SE(2), SE(3) and R^3. */
#include <string.h>

#include <liegrp/liegrp.h>

#include "benchmarks/suite/hand.h"
#include "benchmarks/suite/hand_inline.h"

/* ---- the sleigh: J with a coupling of the second and third velocity ---- */

const double bench_sleigh_inertia[9] = {1, 0, 0, 0, 1, 0.2, 0, 0.2, 1.04};

/* With (dtau^-1_x)^* = [[a, -t/2, 0], [t/2, a, 0], [b, c, d]], x = h xi: one correction of it J xi = p. `rate` are the
 * derivatives of a, b, c, d along t; b and c have those along X, Y that follow. */
typedef struct planar {
    double a, b, c, d, at, bt, ct, dt, bX, bY, cX, cY;
} planar;

static inline int newton_planar(const planar *f, double h, double t, const double *p, double *xi)
{
    const double j = bench_sleigh_inertia[5], k = bench_sleigh_inertia[8];
    const double m[3] = {xi[0], xi[1] + j * xi[2], j * xi[1] + k * xi[2]};
    const double F[3] = {f->a * m[0] - t / 2 * m[1] - p[0], t / 2 * m[0] + f->a * m[1] - p[1],
                         f->b * m[0] + f->c * m[1] + f->d * m[2] - p[2]};
    const double M[9] = {
        f->a,
        -t / 2,
        -t / 2 * j + h * (f->at * m[0] - m[1] / 2),
        t / 2,
        f->a,
        f->a * j + h * (m[0] / 2 + f->at * m[1]),
        f->b + h * (f->bX * m[0] + f->cX * m[1]),
        f->c + f->d * j + h * (f->bY * m[0] + f->cY * m[1]),
        f->c * j + f->d * k + h * (f->bt * m[0] + f->ct * m[1] + f->dt * m[2]),
    };
    return hand_correct(M, F, xi);
}

static inline int newton_planar_cayley(double h, const double *p, double *xi)
{
    const double X = h * xi[0], Y = h * xi[1], t = h * xi[2];
    const planar f = {
        1, t * X / 4 - Y / 2, X / 2 + t * Y / 4, 1 + t * t / 4, 0, X / 4, Y / 4, t / 2, t / 4, -0.5, 0.5, t / 4};
    return newton_planar(&f, h, t, p, xi);
}

static inline int newton_planar_exp(double h, const double *p, double *xi)
{
    const double X = h * xi[0], Y = h * xi[1], t = h * xi[2], z = t * t;
    double E, E1;
    hand_E(z, &E, &E1);
    const double e = t * E, et = E + 2 * z * E1;
    const planar f = {1 - z * E, e * X - Y / 2, e * Y + X / 2, 1, -2 * t * (E + z * E1), et * X, et * Y, 0,
                      e,         -0.5,          0.5,           e};
    return newton_planar(&f, h, t, p, xi);
}

/* g <- g W and p <- Ad*_W p; W is the translation (X, Y) and the rotation (c, s). */
static inline void move_planar(double *g, double *p, double X, double Y, double c, double s)
{
    const double C = g[2] * c - g[3] * s, S = g[3] * c + g[2] * s, r = 1.5 - 0.5 * (C * C + S * S);
    const double p0 = p[0], p1 = p[1];
    g[0] += g[2] * X - g[3] * Y;
    g[1] += g[3] * X + g[2] * Y;
    g[2] = r * C, g[3] = r * S;
    p[0] = c * p0 + s * p1;
    p[1] = c * p1 - s * p0;
    p[2] += Y * p0 - X * p1;
}

static inline void advance_planar_cayley(double *g, double *p, double h, const double *xi)
{
    const double X = h * xi[0], Y = h * xi[1], t = h * xi[2] / 2, f = 1 / (1 + t * t);
    move_planar(g, p, f * (X - t * Y), f * (Y + t * X), f * (1 - t * t), 2 * f * t);
}

static inline void advance_planar_exp(double *g, double *p, double h, const double *xi)
{
    const double X = h * xi[0], Y = h * xi[1], t = h * xi[2], z = t * t, A = hand_sinc(z), B = t * hand_versine(z);
    move_planar(g, p, A * X - B * Y, B * X + A * Y, 1 - t * B, t * A);
}

typedef int (*newton)(double h, const double *p, double *xi);
typedef void (*advance)(double *g, double *p, double h, const double *xi);

static inline __attribute__((always_inline)) void walk_sleigh(bench_hand *b, long steps, newton correct, advance move)
{
    const double j = bench_sleigh_inertia[5], k = bench_sleigh_inertia[8], i = 1 / (k - j * j);
    const double s = 2 / (i * k); /* 2/(mu.J^-1 mu) for mu = (0, 1, 0) */
    double g[4], p[3];
    memcpy(g, b->g0, sizeof g);
    memcpy(p, b->p0, sizeof p);
    for (long n = 0; n < steps; n++) {
        double xi[3] = {p[0], i * (k * p[1] - j * p[2]), i * (p[2] - j * p[1])};
        for (int it = 0; it < 50 && !correct(b->h, p, xi); it++) {
        }
        move(g, p, b->h, xi);
        p[1] -= s * i * (k * p[1] - j * p[2]);
    }
    memcpy(b->g, g, sizeof g);
    memcpy(b->p, p, sizeof p);
}

void bench_hand_sleigh_cayley(bench_hand *b, long steps)
{
    walk_sleigh(b, steps, newton_planar_cayley, advance_planar_cayley);
}

void bench_hand_sleigh_exp(bench_hand *b, long steps)
{
    walk_sleigh(b, steps, newton_planar_exp, advance_planar_exp);
}

/* ---- a free body on SE(3) ---- */

/* x = M^-1 x, 6 x 6, elimination without pivots: M is near a diagonal matrix. */
static inline void solve6(double *M, double *x)
{
    for (int k = 0; k < 6; k++) {
        const double i = 1 / M[7 * k];
        for (int r = k + 1; r < 6; r++) {
            const double f = M[6 * r + k] * i;
            for (int c = k + 1; c < 6; c++) M[6 * r + c] -= f * M[6 * k + c];
            x[r] -= f * x[k];
        }
    }
    for (int k = 5; k >= 0; k--) {
        for (int c = k + 1; c < 6; c++) x[k] -= M[6 * k + c] * x[c];
        x[k] /= M[7 * k];
    }
}

typedef struct space {
    void (*map)(double *, const double *);
    void (*tangent)(double *, const double *);
    void (*dual)(double *, const double *, const double *);
    void (*derivative)(double *, const double *, const double *);
} space;

static inline int newton_space(const space *s, double h, const double *p, double *xi)
{
    const double *J = bench_body_inertia;
    double x[6], m[6], F[6], D[36], T[36], M[36], e = 0, size = 0;
    for (int i = 0; i < 6; i++) x[i] = h * xi[i], m[i] = J[i] * xi[i];
    s->dual(F, x, m);
    s->derivative(D, x, m);
    s->tangent(T, x);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) M[6 * i + j] = T[6 * j + i] * J[j] + h * D[6 * i + j];
    for (int i = 0; i < 6; i++) F[i] -= p[i];
    solve6(M, F);
    for (int i = 0; i < 6; i++) xi[i] -= F[i], e += F[i] * F[i], size += xi[i] * xi[i];
    return e <= 1e-16 * size;
}

static void walk_space(bench_hand *b, long steps, const space *s)
{
    double g[7], p[6], x[6], W[7];
    memcpy(g, b->g0, sizeof g);
    memcpy(p, b->p0, sizeof p);
    for (long n = 0; n < steps; n++) {
        double xi[6];
        for (int i = 0; i < 6; i++) xi[i] = p[i] / bench_body_inertia[i];
        for (int it = 0; it < 50 && !newton_space(s, b->h, p, xi); it++) {
        }
        for (int i = 0; i < 6; i++) x[i] = b->h * xi[i];
        s->map(W, x);
        lg_se3_compose(g, g, W);
        hand_normalise(g + 3);
        lg_se3_coAd_apply(p, W, p);
    }
    memcpy(b->g, g, sizeof g);
    memcpy(b->p, p, sizeof p);
}

void bench_hand_space_cayley(bench_hand *b, long steps)
{
    static const space s = {lg_se3_cay, lg_se3_dcay_inv, lg_se3_dcay_inv_dual, lg_se3_dcay_inv_dual_derivative};
    walk_space(b, steps, &s);
}

void bench_hand_space_exp(bench_hand *b, long steps)
{
    static const space s = {lg_se3_exp, lg_se3_dexp_inv, lg_se3_dexp_inv_dual, lg_se3_dexp_inv_dual_derivative};
    walk_space(b, steps, &s);
}

/* ---- the particle: row (-y, 0, 1), kicks of dV/2 at both ends ---- */

void bench_hand_particle(bench_hand *b, long steps)
{
    const double h = b->h;
    double g[3], p[3];
    memcpy(g, b->g0, sizeof g);
    memcpy(p, b->p0, sizeof p);
    for (long n = 0; n < steps; n++) {
        p[0] -= h * g[0], p[1] -= h * g[1];
        for (int i = 0; i < 3; i++) g[i] += h * p[i];
        p[0] -= h * g[0], p[1] -= h * g[1];
        const double l = 2 * (p[2] - g[1] * p[0]) / (1 + g[1] * g[1]);
        p[0] += l * g[1], p[2] -= l;
    }
    memcpy(b->g, g, sizeof g);
    memcpy(b->p, p, sizeof p);
}
