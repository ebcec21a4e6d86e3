/* SPDX-License-Identifier: BSD-3-Clause */
/* On SO(3): Suslov's problem, tops with Veselova's constraint, without, damped. On R^2 x SO(3): a ball on a table that
 * turns evenly, not at all, or with Omega(t). On SE(3): a body in a potential. */
#include <math.h>
#include <string.h>

#include "energy_systems.h"
#include "matrix.h"

static void make_suslov(test_system *t)
{
    static const double J[9] = {1, 0.1, 0.2, 0.1, 1.5, -0.3, 0.2, -0.3, 2}, row[3] = {0, 0, 1}, xi0[3] = {0.9, -1.1, 0};
    t->S = lg_system_default(lg_so3());
    t->S.inertia = J;
    t->S.constraint_count = 1;
    t->S.covector_matrix = row;
    t->left_invariant = 1;
    t->g0[3] = 1;
    memcpy(t->xi0, xi0, sizeof xi0);
}

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

static void make_body(test_system *t)
{
    test_system_make(t, "se3");
    t->S.callbacks.potential = body_V;
    t->S.callbacks.potential_gradient = body_dV;
    t->left_invariant = 0;
}

/* ---- ball of radius 1 on a table with Omega = even + swing sin t; no slip: x' + e_z x w = Omega e_z x x ---- */

typedef struct table {
    double even, swing;
} table;

static int ball_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const table *k = c->context;
    const double Omega = k->even + k->swing * sin(c->t);
    double R[9];
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g + 2));
    mu[0] = mu[6] = 1;
    for (int i = 0; i < 3; i++) {
        mu[2 + i] = -R[3 + i];
        mu[7 + i] = R[i];
    }
    Y[0] = -Omega * g[1];
    Y[1] = Omega * g[0];
    return 0;
}

static int ball_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    const table *k = c->context;
    const double Omega = k->even + k->swing * sin(c->t);
    double R[9], X[9], D[9];
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g + 2));
    suite_ok("hat", lg_group_hat(lg_so3(), X, eta + 2));
    mat_mul(D, R, X, 3, 3, 3);
    for (int i = 0; i < 3; i++) {
        dmu[2 + i] = -D[3 + i];
        dmu[7 + i] = D[i];
    }
    dY[0] = -Omega * eta[1];
    dY[1] = Omega * eta[0];
    return 0;
}

static void make_ball(test_system *t, const table *k)
{
    static const double J[5] = {3, 3, 1, 1.1, 1.2}, attitude[3] = {0.4, -0.3, 0.7}, w[3] = {-0.2, 0.5, 0.4};
    double mu[10] = {0}, Y[5] = {0};
    t->S = lg_system_default(test_system_plane_and_attitude());
    t->S.context = k;
    t->S.inertia_diagonal = J;
    t->S.constraint_count = 2;
    t->S.callbacks.covectors = ball_rows;
    t->S.callbacks.covectors_derivative = ball_along;
    t->S.callbacks.time_dependent = k->swing > 0;
    t->g0[0] = 1;
    suite_ok("attitude", lg_retraction_tau(lg_retraction_cayley(), lg_so3(), t->g0 + 2, attitude));
    lg_call c = system_call(&t->S, 0);
    ball_rows(&c, t->g0, mu, Y);
    t->xi0[0] = Y[0] - mat_dot(mu + 2, w, 3);
    t->xi0[1] = Y[1] - mat_dot(mu + 7, w, 3);
    memcpy(t->xi0 + 2, w, sizeof w);
}

void make_attitude(test_system *t, const char *name)
{
    static const table at_rest = {0, 0}, swinging = {0.2, 0.1};
    if (strcmp(name, "suslov") == 0)
        make_suslov(t);
    else if (strcmp(name, "se3_pot") == 0)
        make_body(t);
    else if (strncmp(name, "ball", 4) == 0)
        make_ball(t, strcmp(name, "ballt") == 0 ? &swinging : &at_rest);
    else
        make_top(t, name);
}
