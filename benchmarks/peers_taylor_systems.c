/* SPDX-License-Identifier: BSD-3-Clause */
/* The right-hand sides of problems.c as tapes: the same functions of y, also where |q| is not exactly 1, in as few
 * products of series as come without reducing the equations further. */
#include <math.h>
#include <string.h>

#include "benchmarks/peers_taylor.h"

typedef taylor_node node;

enum { ONE = TAYLOR_ONE };

#define SUM(...) TAYLOR_SUM(t, __VA_ARGS__)

/* q'. */
static void turn(taylor_tape *t, node *dq, const node *q, const node *w)
{
    dq[0] = SUM(0, {0.5, q[3], w[0]}, {0.5, q[1], w[2]}, {-0.5, q[2], w[1]});
    dq[1] = SUM(0, {0.5, q[3], w[1]}, {0.5, q[2], w[0]}, {-0.5, q[0], w[2]});
    dq[2] = SUM(0, {0.5, q[3], w[2]}, {0.5, q[0], w[1]}, {-0.5, q[1], w[0]});
    dq[3] = SUM(0, {-0.5, q[0], w[0]}, {-0.5, q[1], w[1]}, {-0.5, q[2], w[2]});
}

/* Row k of R, its entries times c[i]. */
static void row(taylor_tape *t, node *R, const node *q, int k, const double *c)
{
    const node x = q[0], y = q[1], z = q[2], w = q[3];
    const double a = 2 * c[0], b = 2 * c[1], d = 2 * c[2];
    if (k == 0) {
        R[0] = SUM(c[0], {-a, y, y}, {-a, z, z});
        R[1] = SUM(0, {b, x, y}, {-b, w, z});
        R[2] = SUM(0, {d, x, z}, {d, w, y});
    } else if (k == 1) {
        R[0] = SUM(0, {a, x, y}, {a, w, z});
        R[1] = SUM(c[1], {-b, x, x}, {-b, z, z});
        R[2] = SUM(0, {d, y, z}, {-d, w, x});
    } else {
        R[0] = SUM(0, {a, x, z}, {-a, w, y});
        R[1] = SUM(0, {b, y, z}, {b, w, x});
        R[2] = SUM(c[2], {-d, x, x}, {-d, y, y});
    }
}

static node dot(taylor_tape *t, double constant, const node *a, const node *b)
{
    return SUM(constant, {1, a[0], b[0]}, {1, a[1], b[1]}, {1, a[2], b[2]});
}

/* Chaplygin's sphere: m, r, Omega, I1, I2, I3. With b_i = r R_1i / sqrt(I_i), c_i = r R_2i / sqrt(I_i) and
 * a_i = (I w x w)_i / sqrt(I_i), the matrix of the multipliers is 1/m + (c.c, -b.c; -b.c, b.b). */
static void sphere(taylor_tape *t, const problem_data *d, const node *y, node *dy)
{
    const double m = d->param[0], r = d->param[1], Omega = d->param[2], *J = d->param + 3;
    const double s[3] = {1 / sqrt(J[0]), 1 / sqrt(J[1]), 1 / sqrt(J[2])}, rs[3] = {r * s[0], r * s[1], r * s[2]};
    const node *v = y + 6, *w = y + 8;
    node b[3], c[3];
    row(t, b, y + 2, 0, rs), row(t, c, y + 2, 1, rs);
    const node a[3] = {SUM(0, {s[0] * (J[1] - J[2]), w[1], w[2]}), SUM(0, {s[1] * (J[2] - J[0]), w[2], w[0]}),
                       SUM(0, {s[2] * (J[0] - J[1]), w[0], w[1]})};
    const node A = dot(t, 1 / m, c, c), B = dot(t, 0, b, c), C = dot(t, 1 / m, b, b);
    const node f = SUM(0, {1, c[0], a[0]}, {1, c[1], a[1]}, {1, c[2], a[2]}, {-Omega, v[1], ONE});
    const node g = SUM(0, {-1, b[0], a[0]}, {-1, b[1], a[1]}, {-1, b[2], a[2]}, {Omega, v[0], ONE});
    const node det = SUM(0, {1, A, C}, {-1, B, B});
    const node l1 = taylor_quotient(t, 1, SUM(0, {1, C, f}, {1, B, g}), det);
    const node l2 = taylor_quotient(t, 1, SUM(0, {1, A, g}, {1, B, f}), det);
    dy[0] = v[0], dy[1] = v[1];
    turn(t, dy + 2, y + 2, w);
    dy[6] = SUM(0, {1 / m, l1, ONE}), dy[7] = SUM(0, {1 / m, l2, ONE});
    for (int i = 0; i < 3; i++) dy[8 + i] = SUM(0, {s[i], l2, b[i]}, {-s[i], l1, c[i]}, {s[i], a[i], ONE});
}

/* x = C^-1 b by C = L D L^T; C symmetric and positive, its entries 00, 01, 02, 11, 12, 22. */
static void solve(taylor_tape *t, node *x, const node *C, const node *b)
{
    const node l1 = taylor_quotient(t, 1, C[1], C[0]), l2 = taylor_quotient(t, 1, C[2], C[0]);
    const node d1 = SUM(0, {1, C[3], ONE}, {-1, l1, C[1]}), e = SUM(0, {1, C[4], ONE}, {-1, l1, C[2]});
    const node l3 = taylor_quotient(t, 1, e, d1);
    const node d2 = SUM(0, {1, C[5], ONE}, {-1, l2, C[2]}, {-1, l3, e});
    const node f1 = SUM(0, {1, b[1], ONE}, {-1, l1, b[0]}), f2 = SUM(0, {1, b[2], ONE}, {-1, l2, b[0]}, {-1, l3, f1});
    x[2] = taylor_quotient(t, 1, f2, d2);
    x[1] = SUM(0, {1, taylor_quotient(t, 1, f1, d1), ONE}, {-1, l3, x[2]});
    x[0] = SUM(0, {1, taylor_quotient(t, 1, b[0], C[0]), ONE}, {-1, l1, x[1]}, {-1, l2, x[2]});
}

/* A' xi + A M^-1 (forces) of the disk without its weight: its rows are R_k.z. From rho' = tau e_3 x rho and
 * (rho x R_k)'.w = R_k.(w x rho' + w x (w x rho)), (rho x R_k).a = R_k.(a x rho) follows, with s = rho.w,
 * tau = -gamma_3 s / (r |gamma_1, gamma_2|) - w_3: z = s (w + tau e_3) - (tau w_3 + w.w) rho + a x rho. */
static void disk_rates(taylor_tape *t, node *z, double r, const node *gamma, node root, const node *rho, const node *a,
                       const node *w)
{
    const node s = SUM(0, {1, rho[0], w[0]}, {1, rho[1], w[1]});
    const node q = taylor_quotient(t, -1 / r, SUM(0, {1, gamma[2], s}), root),
               tau = SUM(0, {1, q, ONE}, {-1, w[2], ONE});
    const node n = SUM(0, {1, w[0], w[0]}, {1, w[1], w[1]}, {1, w[2], w[2]}, {1, tau, w[2]});
    z[0] = SUM(0, {1, s, w[0]}, {-1, n, rho[0]});
    z[1] = SUM(0, {1, s, w[1]}, {-1, n, rho[1]});
    z[2] = SUM(0, {1, s, q}, {1, a[0], rho[1]}, {-1, a[1], rho[0]});
}

/* The falling disk: m, g, r, Id, Ia. B_k = rho x R_k is divided by the roots of the moments. */
static void disk(taylor_tape *t, const problem_data *d, const node *y, node *dy)
{
    static const double ones[3] = {1, 1, 1};
    const double m = d->param[0], g = d->param[1], r = d->param[2], Id = d->param[3], Ia = d->param[4];
    const double sd = 1 / sqrt(Id), sa = 1 / sqrt(Ia);
    const node *v = y + 7, *w = y + 10;
    node R[3][3], B[3][3], C[6], z[3], right[3], l[3];
    for (int k = 0; k < 3; k++) row(t, R[k], y + 3, k, ones);
    const node *gamma = R[2], root = taylor_root(t, SUM(0, {1, gamma[0], gamma[0]}, {1, gamma[1], gamma[1]}));
    const node rho[2] = {taylor_quotient(t, -r, gamma[0], root), taylor_quotient(t, -r, gamma[1], root)};
    const node a[2] = {SUM(0, {(Id - Ia) / Id, w[1], w[2]}), SUM(0, {(Ia - Id) / Id, w[2], w[0]})};
    disk_rates(t, z, r, gamma, root, rho, a, w);
    for (int k = 0; k < 3; k++) {
        B[k][0] = SUM(0, {sd, rho[1], R[k][2]});
        B[k][1] = SUM(0, {-sd, rho[0], R[k][2]});
        B[k][2] = SUM(0, {sa, rho[0], R[k][1]}, {-sa, rho[1], R[k][0]});
        right[k] = SUM(k == 2 ? g : 0, {-1, R[k][0], z[0]}, {-1, R[k][1], z[1]}, {-1, R[k][2], z[2]});
    }
    for (int k = 0, at = 0; k < 3; k++)
        for (int j = k; j < 3; j++) C[at++] = dot(t, j == k ? 1 / m : 0, B[k], B[j]);
    solve(t, l, C, right);
    for (int k = 0; k < 3; k++) dy[k] = v[k], dy[7 + k] = SUM(k == 2 ? -g : 0, {1 / m, l[k], ONE});
    for (int i = 0; i < 2; i++)
        dy[10 + i] = SUM(0, {1, a[i], ONE}, {sd, l[0], B[0][i]}, {sd, l[1], B[1][i]}, {sd, l[2], B[2][i]});
    dy[12] = SUM(0, {sa, l[0], B[0][2]}, {sa, l[1], B[1][2]}, {sa, l[2], B[2][2]});
    turn(t, dy + 3, y + 3, w);
}

/* The particle with z' = y x' and V = x^2 + y^2. */
static void particle(taylor_tape *t, const problem_data *d, const node *y, node *dy)
{
    (void)d;
    dy[0] = y[3], dy[1] = y[4], dy[2] = y[5];
    dy[4] = SUM(0, {-2, y[1], ONE});
    const node l = taylor_quotient(t, 1, SUM(0, {1, y[3], y[4]}, {1, y[0], dy[4]}), SUM(1, {1, y[1], y[1]}));
    dy[3] = SUM(0, {-2, y[0], ONE}, {-1, l, y[1]});
    dy[5] = l;
}

/* The heavy top: m, g, I1, I2, I3, chi. */
static void top(taylor_tape *t, const problem_data *d, const node *y, node *dy)
{
    static const double ones[3] = {1, 1, 1};
    const double *J = d->param + 2, *chi = d->param + 5, weight = d->param[0] * d->param[1];
    const node *w = y + 4;
    node gamma[3];
    row(t, gamma, y, 2, ones);
    turn(t, dy, y, w);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        dy[4 + i] = SUM(0, {(J[j] - J[k]) / J[i], w[j], w[k]}, {weight * chi[k] / J[i], gamma[j], ONE},
                        {-weight * chi[j] / J[i], gamma[k], ONE});
    }
}

/* The transmission: V = (x^2 + y^2)/2 + cos s, sin s x' + y' = 0. */
static void transmission(taylor_tape *t, const problem_data *d, const node *y, node *dy)
{
    node s, c;
    (void)d;
    taylor_turn(t, y[2], &s, &c);
    const node f = SUM(0, {1, y[0], s}, {1, y[1], ONE}, {-1, c, SUM(0, {1, y[5], y[3]})});
    const node l = taylor_quotient(t, 1, f, SUM(1, {1, s, s}));
    dy[0] = y[3], dy[1] = y[4], dy[2] = y[5];
    dy[3] = SUM(0, {-1, y[0], ONE}, {1, l, s});
    dy[4] = SUM(0, {-1, y[1], ONE}, {1, l, ONE});
    dy[5] = s;
}

/* Suslov's problem: w' = P (J w x w), P in d->inverse. */
static void suslov(taylor_tape *t, const problem_data *d, const node *y, node *dy)
{
    const double *p = d->param, *P = d->inverse;
    const node *w = y + 4;
    const node M[3] = {SUM(0, {p[0], w[0], ONE}, {p[1], w[1], ONE}, {p[2], w[2], ONE}),
                       SUM(0, {p[1], w[0], ONE}, {p[3], w[1], ONE}, {p[4], w[2], ONE}),
                       SUM(0, {p[2], w[0], ONE}, {p[4], w[1], ONE}, {p[5], w[2], ONE})};
    const node f[3] = {SUM(0, {1, M[1], w[2]}, {-1, M[2], w[1]}), SUM(0, {1, M[2], w[0]}, {-1, M[0], w[2]}),
                       SUM(0, {1, M[0], w[1]}, {-1, M[1], w[0]})};
    turn(t, dy, y, w);
    for (int i = 0; i < 3; i++)
        dy[4 + i] = SUM(0, {P[3 * i], f[0], ONE}, {P[3 * i + 1], f[1], ONE}, {P[3 * i + 2], f[2], ONE});
}

/* The car with an arm: m, I, b, ml, Il, l, k, kx. */
static void arm(taylor_tape *t, const problem_data *d, const node *y, node *dy)
{
    const double *p = d->param, b = p[2], ml = p[3], n = ml * p[5], link = p[4] + n * p[5];
    const node v = y[5], w = y[7], u = y[8];
    node sine, cosine, a[3];
    taylor_turn(t, y[4], &sine, &cosine);
    const node s = SUM(0, {-n, sine, ONE}), c = SUM(0, {n, cosine, ONE});
    const node both = SUM(link, {b, c, ONE}), car = SUM(p[1] + link + ml * b * b, {2 * b, c, ONE});
    const node turned = SUM(0, {1, w, ONE}, {1, u, ONE}), ct = SUM(0, {1, c, turned});
    const node across = SUM(0, {ml * b, w, ONE}, {1, ct, ONE});
    const node su = SUM(0, {1, s, u}), sw = SUM(0, {1, s, w}), slide = SUM(0, {1, c, v});
    const node M[6] = {SUM(p[0] + ml, {0, ONE, ONE}), s, s, car, both, SUM(link, {0, ONE, ONE})};
    const node f[3] = {SUM(0, {1, w, across}, {-p[7], y[0], y[2]}, {1, u, ct}),
                       SUM(0, {-1, v, across}, {1, slide, u}, {-b, su, w}, {-b, su, turned}),
                       SUM(0, {-1, slide, w}, {b, sw, w}, {-p[6], sine, ONE})};
    solve(t, a, M, f);
    dy[0] = SUM(0, {1, y[2], v}, {-1, y[3], y[6]}), dy[1] = SUM(0, {1, y[3], v}, {1, y[2], y[6]});
    dy[2] = SUM(0, {-1, y[3], w}), dy[3] = SUM(0, {1, y[2], w}), dy[4] = u;
    dy[5] = a[0], dy[6] = SUM(0, {0, ONE, ONE}), dy[7] = a[1], dy[8] = a[2];
}

taylor_equations *taylor_find(const char *system)
{
    static const struct {
        const char *system;
        taylor_equations *equations;
    } all[] = {
        {"chaplygin-sphere", sphere}, {"rolling-disk", disk}, {"heavy-top", top}, {"particle-quadratic", particle},
        {"cvt", transmission},        {"suslov", suslov},     {"mobile-arm", arm}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].system, system) == 0) return all[i].equations;
    return NULL;
}
