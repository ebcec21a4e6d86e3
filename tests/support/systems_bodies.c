/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies that neither the catalog nor the ledger has: tops without constraint, a sleigh and a body in a potential, the
 * rattleback with its height as a holonomic constraint, the rolling disk with its height eliminated. */
#include <math.h>
#include <string.h>

#include "energy_systems.h"
#include "matrix.h"

static int drag(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)c;
    (void)g;
    out[0] = -0.1 * xi[0];
    out[1] = -0.05 * xi[1];
    out[2] = -0.2 * xi[2];
    return 0;
}

/* veselova_top without its constraint (`top`, `dtop`) or without its potential (`veselova`). */
static void make_top(test_system *t, const char *name)
{
    static const double xi0[3] = {0.9, -0.5, 0.6};
    test_system_make(t, "veselova_top");
    if (strcmp(name, "veselova") == 0) {
        t->S.callbacks.potential = NULL;
        t->S.callbacks.potential_gradient = NULL;
    }
    if (strcmp(name, "vtop") == 0 || strcmp(name, "veselova") == 0) return;
    t->S.constraint_count = 0;
    t->S.callbacks.covectors = NULL;
    t->S.callbacks.covectors_derivative = NULL;
    if (strcmp(name, "dtop") == 0) t->S.callbacks.force = drag;
    memcpy(t->xi0, xi0, sizeof xi0);
}

/* ---- a body on SE(3) with the rows of se3 and V = z/2 + 0.15 x^2 + chi.gamma ---- */

static const double chi[3] = {0.5, 0.2, -0.7};

static int body_V(const lg_call *c, const double *g, double *V)
{
    double T[16];
    (void)c;
    suite_ok("to_matrix", lg_group_to_matrix(lg_se3(), T, g));
    *V = g[2] / 2 + 0.15 * g[0] * g[0] + mat_dot(chi, T + 8, 3);
    return 0;
}

static int body_dV(const lg_call *c, const double *g, double *out)
{
    double T[16];
    (void)c;
    suite_ok("to_matrix", lg_group_to_matrix(lg_se3(), T, g));
    const double *gamma = T + 8;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = 0.3 * g[0] * T[i] + gamma[i] / 2;
        out[3 + i] = chi[j] * gamma[k] - chi[k] * gamma[j];
    }
    return 0;
}

static void make_body_in_field(test_system *t)
{
    test_system_make(t, "se3");
    t->S.callbacks.potential = body_V;
    t->S.callbacks.potential_gradient = body_dV;
}

/* ---- sleigh: V = 0.7 x + 0.1 y^2 + 0.5 sin theta ---- */

static int slope_V(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = 0.7 * g[0] + 0.1 * g[1] * g[1] + 0.5 * g[3];
    return 0;
}

static int slope_dV(const lg_call *c, const double *g, double *out)
{
    (void)c;
    out[0] = 0.7 * g[2] + 0.2 * g[1] * g[3];
    out[1] = -0.7 * g[3] + 0.2 * g[1] * g[2];
    out[2] = 0.5 * g[2];
    return 0;
}

static void make_slope(test_system *t)
{
    test_system_of_model(t, "chaplygin-sleigh", NULL);
    t->S.callbacks.potential = slope_V;
    t->S.callbacks.potential_gradient = slope_dV;
}

/* ---- H: the rattleback of the catalog, z = f(gamma) for its third row ---- */

static lg_covectors_fn stone_rows;
static lg_covectors_along_fn stone_along;

static int rows_H(const lg_call *c, const double *g, double *mu, double *Y)
{
    double all[18] = {0};
    const int code = stone_rows(c, g, all, Y);
    memcpy(mu, all, 12 * sizeof *mu);
    return code;
}

static int along_H(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    double all[18] = {0};
    const int code = stone_along(c, g, eta, all, dY);
    memcpy(dmu, all, 12 * sizeof *dmu);
    return code;
}

/* f = sqrt(sum b_i^2 gamma_i^2) + offset gamma_3; the parameters are m, g, b_1, b_2, b_3, offset, ... */
static int above(const lg_call *c, const double *g, double *phi)
{
    const double *semi = c->param + 2;
    double R[9], s = 0;
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g + 3));
    for (int i = 0; i < 3; i++) s += semi[i] * semi[i] * R[6 + i] * R[6 + i];
    phi[0] = g[2] - sqrt(s) - semi[3] * R[8];
    return 0;
}

static int above_differential(const lg_call *c, const double *g, double *out)
{
    double all[18] = {0}, Y[6] = {0};
    const int code = stone_rows(c, g, all, Y);
    memcpy(out, all + 12, 6 * sizeof *out);
    return code;
}

static void make_stone(test_system *t, const char *name)
{
    test_system_of_model(t, "rattleback", NULL);
    if (name[strlen(name) - 1] == '+')
        for (int i = 0; i < 6; i++) t->xi0[i] = -t->xi0[i];
    if (strncmp(name, "rattleback", 10) == 0) return;
    stone_rows = t->S.callbacks.covectors, stone_along = t->S.callbacks.covectors_derivative;
    t->S.constraint_count = 2;
    t->S.callbacks.covectors = rows_H, t->S.callbacks.covectors_derivative = along_H;
    t->S.callbacks.holonomic_count = 1, t->S.callbacks.holonomic = above;
    t->S.callbacks.holonomic_differential = above_differential;
}

/* ---- B: the disk on R^2 x SO(3), f = sqrt(gamma_1^2 + gamma_2^2), J = diag(1, 1, I + c c^T), c = grad f x gamma = df,
 * V = 9.81 f ---- */

static void cross(double *out, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++) out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* f, its gradient and its second derivative. */
static double height(const double *gamma, double *grad, double *H)
{
    const double s = hypot(gamma[0], gamma[1]);
    for (int i = 0; i < 3; i++) grad[i] = i < 2 ? gamma[i] / s : 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) H[3 * i + j] = ((i == j && i < 2) - grad[i] * grad[j]) / s;
    return s;
}

/* Row a is (e_a ; rho x r_a), rho = -grad f, r_a the rows of R. */
static int rows_B(const lg_call *c, const double *g, double *mu, double *Y)
{
    double R[9], grad[3], H[9];
    (void)c, (void)Y;
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g + 2));
    height(R + 6, grad, H);
    for (int a = 0; a < 2; a++) {
        mu[6 * a] = 1;
        cross(mu + 5 * a + 2, R + 3 * a, grad);
    }
    return 0;
}

static int along_B(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    double R[9], grad[3], H[9], turn[3], dgrad[3];
    (void)c, (void)dY;
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g + 2));
    height(R + 6, grad, H);
    cross(turn, R + 6, eta + 2);
    mat_apply(dgrad, H, turn, 3, 3);
    for (int a = 0; a < 2; a++) {
        double dr[3], one[3], two[3];
        cross(dr, R + 3 * a, eta + 2);
        cross(one, dr, grad);
        cross(two, R + 3 * a, dgrad);
        for (int i = 0; i < 3; i++) dmu[5 * a + 2 + i] = one[i] + two[i];
    }
    return 0;
}

/* f, c = df and, where w is given, the left differential of (c.w)^2/2: F dF, F = grad f.(gamma x w). */
static double lift(const double *q, double *df, const double *w, double *slope)
{
    double R[9], grad[3], H[9], turn[3], one[3], two[3], dF[3];
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, q));
    const double f = height(R + 6, grad, H);
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
    static const double I[3] = {0.25, 0.25, 0.5};
    (void)c;
    double df[3];
    lift(g + 2, df, NULL, NULL);
    J[0] = J[6] = 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) J[5 * (2 + i) + 2 + j] = (i == j ? I[i] : 0) + df[i] * df[j];
    return 0;
}

static int slope_B(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)c;
    double df[3];
    lift(g + 2, df, xi + 2, out + 2);
    return 0;
}

static int V_B(const lg_call *c, const double *g, double *V)
{
    (void)c;
    double df[3];
    *V = 9.81 * lift(g + 2, df, NULL, NULL);
    return 0;
}

static int dV_B(const lg_call *c, const double *g, double *out)
{
    (void)c;
    lift(g + 2, out + 2, NULL, NULL);
    for (int i = 0; i < 3; i++) out[2 + i] *= 9.81;
    return 0;
}

/* From the state of the disk in the catalog, without z. */
static void make_disk_B(test_system *t)
{
    test_system_of_model(t, "rolling-disk", NULL);
    memmove(t->g0 + 2, t->g0 + 3, 4 * sizeof *t->g0);
    memmove(t->xi0 + 2, t->xi0 + 3, 3 * sizeof *t->xi0);
    t->S = lg_system_default(test_system_plane_and_attitude());
    t->S.callbacks.metric = metric_B;
    t->S.callbacks.metric_gradient = slope_B;
    t->S.callbacks.potential = V_B;
    t->S.callbacks.potential_gradient = dV_B;
    t->S.constraint_count = 2;
    t->S.callbacks.covectors = rows_B;
    t->S.callbacks.covectors_derivative = along_B;
}

void make_body(test_system *t, const char *name)
{
    if (strcmp(name, "sleigh_pot") == 0)
        make_slope(t);
    else if (strcmp(name, "se3_pot") == 0)
        make_body_in_field(t);
    else if (strncmp(name, "rattle", 6) == 0)
        make_stone(t, name);
    else if (strcmp(name, "diskB") == 0)
        make_disk_B(t);
    else
        make_top(t, name);
}
