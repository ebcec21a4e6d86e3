/* SPDX-License-Identifier: BSD-3-Clause */
/* Convex bodies that roll without slip. gamma = R^T e_3, height f(gamma) of the centre of mass, contact at -grad f:
 *   C  R^3 x SO(3), V = m g z, three velocity rows; the height is kept by the third row only (disk, rattleback+-)
 *   H  the same with phi = z - f as a holonomic constraint and two rows (diskH, rattle+-)
 *   B  R^2 x SO(3), z eliminated: J = diag(m, m, I + m c c^T), c = grad f x gamma = df, V = m g f (diskB) */
#include <math.h>
#include <string.h>

#include "energy_systems.h"
#include "matrix.h"

typedef struct body {
    double I[9];
    double semi[3]; /* squares of an ellipsoid's semi-axes; 0: a disk of radius 1 */
    double below;   /* the centre of mass is below the centre */
} body;

static const double gravity = 9.81; /* m = 1 */

static void cross(double *out, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* f, its gradient and its second derivative by gamma: sqrt(g1^2 + g2^2), or sqrt(gamma.B gamma) - below g3. */
static double height(const body *k, const double *gamma, double *grad, double *H)
{
    static const double plate[3] = {1, 1, 0};
    const double *B = k->semi[0] > 0 ? k->semi : plate;
    double s = 0;
    for (int i = 0; i < 3; i++) s += B[i] * gamma[i] * gamma[i];
    s = sqrt(s);
    for (int i = 0; i < 3; i++) grad[i] = B[i] * gamma[i] / s;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) H[3 * i + j] = ((i == j ? B[i] : 0) - grad[i] * grad[j]) / s;
    grad[2] -= k->below;
    return s - k->below * gamma[2];
}

/* Row a is (e_a ; rho x r_a), rho = -grad f, r_a the rows of R; `width` is n, `shift` the length of the vector part. */
static void rolling(const body *k, const double *q, int rows, int shift, double *mu)
{
    double R[9], grad[3], H[9];
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, q));
    height(k, R + 6, grad, H);
    for (int a = 0; a < rows; a++) {
        mu[a * (shift + 3) + a] = 1;
        cross(mu + a * (shift + 3) + shift, R + 3 * a, grad);
    }
}

static void rolling_along(const body *k, const double *q, const double *eta, int rows, int shift, double *dmu)
{
    double R[9], grad[3], H[9], turn[3], dgrad[3];
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, q));
    height(k, R + 6, grad, H);
    cross(turn, R + 6, eta);
    mat_apply(dgrad, H, turn, 3, 3);
    for (int a = 0; a < rows; a++) {
        double dr[3], one[3], two[3];
        cross(dr, R + 3 * a, eta);
        cross(one, dr, grad);
        cross(two, R + 3 * a, dgrad);
        for (int i = 0; i < 3; i++) dmu[a * (shift + 3) + shift + i] = one[i] + two[i];
    }
}

/* ---- C and H ---- */

static int rows_C(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)Y;
    rolling(c->context, g + 3, 3, 3, mu);
    return 0;
}

static int along_C(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)dY;
    rolling_along(c->context, g + 3, eta + 3, 3, 3, dmu);
    return 0;
}

static int rows_H(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)Y;
    rolling(c->context, g + 3, 2, 3, mu);
    return 0;
}

static int along_H(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)dY;
    rolling_along(c->context, g + 3, eta + 3, 2, 3, dmu);
    return 0;
}

static int weight_V(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = gravity * g[2];
    return 0;
}

static int weight_dV(const lg_call *c, const double *g, double *out)
{
    (void)c;
    (void)g;
    out[2] = gravity;
    return 0;
}

static int above(const lg_call *c, const double *g, double *phi)
{
    double R[9], grad[3], H[9];
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g + 3));
    phi[0] = g[2] - height(c->context, R + 6, grad, H);
    return 0;
}

static int above_differential(const lg_call *c, const double *g, double *out)
{
    double mu[18] = {0};
    rolling(c->context, g + 3, 3, 3, mu);
    memcpy(out, mu + 12, 6 * sizeof *mu);
    return 0;
}

/* ---- B ---- */

static int rows_B(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)Y;
    rolling(c->context, g + 2, 2, 2, mu);
    return 0;
}

static int along_B(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)dY;
    rolling_along(c->context, g + 2, eta + 2, 2, 2, dmu);
    return 0;
}

/* f, c = df and, where w is given, the left differential of (c.w)^2/2: F dF, F = grad f.(gamma x w). */
static double lift(const body *k, const double *q, double *df, const double *w, double *slope)
{
    double R[9], grad[3], H[9], turn[3], one[3], two[3], dF[3];
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, q));
    const double f = height(k, R + 6, grad, H);
    cross(df, grad, R + 6);
    if (w == NULL) return f;
    cross(turn, R + 6, w);
    mat_apply(one, H, turn, 3, 3);
    cross(two, w, grad);
    for (int i = 0; i < 3; i++) one[i] += two[i];
    cross(dF, one, R + 6);
    for (int i = 0; i < 3; i++) slope[i] = mat_dot(df, w, 3) * dF[i];
    return f;
}

static int metric_B(const lg_call *c, const double *g, double *J)
{
    const body *k = c->context;
    double df[3];
    lift(k, g + 2, df, NULL, NULL);
    J[0] = J[6] = 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) J[5 * (2 + i) + 2 + j] = k->I[3 * i + j] + df[i] * df[j];
    return 0;
}

static int slope_B(const lg_call *c, const double *g, const double *xi, double *out)
{
    double df[3];
    lift(c->context, g + 2, df, xi + 2, out + 2);
    return 0;
}

static int V_B(const lg_call *c, const double *g, double *V)
{
    double df[3];
    *V = gravity * lift(c->context, g + 2, df, NULL, NULL);
    return 0;
}

static int dV_B(const lg_call *c, const double *g, double *out)
{
    lift(c->context, g + 2, out + 2, NULL, NULL);
    for (int i = 0; i < 3; i++) out[2 + i] *= gravity;
    return 0;
}

/* ---- making them ---- */

static const lg_group *space_and_attitude(void)
{
    static lg_group *G;
    if (G == NULL) {
        const lg_group *factors[2] = {lg_rn(3), lg_so3()};
        suite_ok("product", lg_group_create_product(&G, factors, 2));
    }
    return G;
}

static void make_B(test_system *t, const body *k)
{
    t->S = lg_system_default(test_system_plane_and_attitude());
    t->S.context = k;
    t->S.callbacks.metric = metric_B;
    t->S.callbacks.metric_gradient = slope_B;
    t->S.callbacks.potential = V_B;
    t->S.callbacks.potential_gradient = dV_B;
    t->S.constraint_count = 2;
    t->S.callbacks.covectors = rows_B;
    t->S.callbacks.covectors_derivative = along_B;
}

static void make_C(test_system *t, const body *k, const double *J, int held)
{
    t->S = lg_system_default(space_and_attitude());
    t->S.context = k;
    t->S.inertia = J;
    t->S.callbacks.potential = weight_V;
    t->S.callbacks.potential_gradient = weight_dV;
    t->S.constraint_count = held ? 2 : 3;
    t->S.callbacks.covectors = held ? rows_H : rows_C;
    t->S.callbacks.covectors_derivative = held ? along_H : along_C;
    if (!held) return;
    t->S.callbacks.holonomic_count = 1;
    t->S.callbacks.holonomic = above;
    t->S.callbacks.holonomic_differential = above_differential;
}

/* Attitude q, body rate w; the centre of mass above the origin, its velocity that of rolling. */
static void place(test_system *t, const body *k, const double *q, const double *w, int shift)
{
    double R[9], grad[3], H[9], v[3], u[3];
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, q));
    if (shift == 3)
        t->g0[2] = height(k, R + 6, grad, H);
    else
        height(k, R + 6, grad, H);
    cross(v, w, grad); /* rho x w */
    mat_apply(u, R, v, 3, 3);
    memcpy(t->g0 + shift, q, 4 * sizeof *q);
    memcpy(t->xi0, u, sizeof(double) * (size_t)shift);
    memcpy(t->xi0 + shift, w, 3 * sizeof *w);
}

void make_rolling(test_system *t, const char *name)
{
    static const body plate = {.I = {0.25, 0, 0, 0, 0.25, 0, 0, 0, 0.5}};
    static const body stone = {.I = {2e-4, -2e-5, 0, -2e-5, 1.6e-3, 0, 0, 0, 1.7e-3},
                               .semi = {0.2 * 0.2, 0.03 * 0.03, 0.02 * 0.02},
                               .below = 0.01};
    static const double J_plate[36] = {1, 0, 0, 0,    0, 0, 0, 1, 0, 0, 0,    0, 0, 0, 1, 0, 0, 0,
                                       0, 0, 0, 0.25, 0, 0, 0, 0, 0, 0, 0.25, 0, 0, 0, 0, 0, 0, 0.5};
    static const double J_stone[36] = {1, 0, 0, 0,    0,     0, 0, 1, 0, 0,     0,      0, 0, 0, 1, 0, 0, 0,
                                       0, 0, 0, 2e-4, -2e-5, 0, 0, 0, 0, -2e-5, 1.6e-3, 0, 0, 0, 0, 0, 0, 1.7e-3};
    const int disk = strncmp(name, "disk", 4) == 0, B = strcmp(name, "diskB") == 0;
    const int held = strcmp(name, "diskH") == 0 || strncmp(name, "rattle-", 7) == 0 || strncmp(name, "rattle+", 7) == 0;
    const double tilt = SUITE_PI / 360 / 2; /* half of 0.5 degrees */
    const double q_disk[4] = {sin(0.65), 0, 0, cos(0.65)}, w_disk[3] = {0.2, 0.5, 4};
    const double q_stone[4] = {0, sin(tilt), 0, cos(tilt)};
    const double w_stone[3] = {0, 0, name[strlen(name) - 1] == '-' ? -1 : 1};
    if (B)
        make_B(t, &plate);
    else
        make_C(t, disk ? &plate : &stone, disk ? J_plate : J_stone, held);
    place(t, disk ? &plate : &stone, disk ? q_disk : q_stone, disk ? w_disk : w_stone, B ? 2 : 3);
}
