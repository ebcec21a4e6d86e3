/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a system and its continuous equations, written a second time for the tests. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "energy_systems.h"
#include "matrix.h"

enum { ROWS = 6 };

lg_call system_call(const lg_system *S, double t)
{
    static const double idle[4] = {0};
    return (lg_call){.context = S->context, .param = S->parameter_values, .t = t, .lanes = 1, .control = idle};
}

static void called(const char *what, int code)
{
    if (code != 0) suite_fail("callback %s returned %d", what, code);
}

/* A Y at g added to b, A's rows written. */
static void velocity_rows(const lg_system *S, const lg_call *c, const double *g, double *A, double *b)
{
    int n = lg_group_dim(S->group), m = S->constraint_count;
    double Y[SUITE_DIM] = {0};
    if (m == 0) return;
    memset(A, 0, sizeof(double) * (size_t)(m * n));
    if (S->callbacks.covectors != NULL) {
        called("covectors", S->callbacks.covectors(c, g, A, Y));
    } else {
        memcpy(A, S->covector_matrix, sizeof(double) * (size_t)(m * n));
        if (S->callbacks.drift != NULL) called("drift", S->callbacks.drift(c, g, Y));
    }
    mat_apply(b, A, Y, m, n);
}

int system_rows(const lg_system *S, double t, const double *g, double *A, double *b)
{
    int n = lg_group_dim(S->group), holonomic = S->callbacks.holonomic_count;
    lg_call c = system_call(S, t);
    if (holonomic + S->constraint_count > ROWS) suite_fail("more rows than the tests expect");
    if (holonomic > 0) {
        memset(A, 0, sizeof(double) * (size_t)(holonomic * n));
        memset(b, 0, sizeof(double) * (size_t)holonomic);
        called("holonomic_differential", S->callbacks.holonomic_differential(&c, g, A));
        if (S->callbacks.holonomic_rate != NULL) called("holonomic_rate", S->callbacks.holonomic_rate(&c, g, b));
        for (int i = 0; i < holonomic; i++) b[i] = -b[i];
    }
    velocity_rows(S, &c, g, A + holonomic * n, b + holonomic);
    return holonomic + S->constraint_count;
}

void system_metric(const lg_system *S, double t, const double *g, double *J)
{
    int n = lg_group_dim(S->group);
    lg_call c = system_call(S, t);
    memset(J, 0, sizeof(double) * (size_t)(n * n));
    for (int i = 0; i < n && S->inertia_diagonal != NULL; i++) J[i * n + i] = S->inertia_diagonal[i];
    if (S->inertia != NULL) memcpy(J, S->inertia, sizeof(double) * (size_t)(n * n));
    if (S->callbacks.metric != NULL) called("metric", S->callbacks.metric(&c, g, J));
}

void system_momentum(const lg_system *S, double t, const double *g, const double *xi, double *p)
{
    int n = lg_group_dim(S->group);
    double J[SUITE_MATRIX];
    system_metric(S, t, g, J);
    mat_apply(p, J, xi, n, n);
}

/* U = J^-1 A^T by rows (row a is J^-1 applied to row a of A) and C = A J^-1 A^T. */
static void gram(const double *J, const double *A, double *U, double *C, int m, int n)
{
    for (int a = 0; a < m; a++) assert_true(mat_solve(U + a * n, J, A + a * n, n));
    for (int a = 0; a < m; a++)
        for (int k = 0; k < m; k++) C[a * m + k] = mat_dot(A + a * n, U + k * n, n);
}

void system_project(const lg_system *S, double t, const double *g, double *xi)
{
    int n = lg_group_dim(S->group);
    double A[ROWS * SUITE_DIM], U[ROWS * SUITE_DIM], C[ROWS * ROWS], b[ROWS], x[ROWS], J[SUITE_MATRIX];
    int m = system_rows(S, t, g, A, b);
    if (m == 0) return;
    system_metric(S, t, g, J);
    gram(J, A, U, C, m, n);
    for (int a = 0; a < m; a++) b[a] = mat_dot(A + a * n, xi, n) - b[a];
    assert_true(mat_solve(x, C, b, m));
    for (int a = 0; a < m; a++)
        for (int i = 0; i < n; i++) xi[i] -= x[a] * U[a * n + i];
}

int system_frame(const lg_system *S, double t, const double *g, double *L, double *N)
{
    int n = lg_group_dim(S->group);
    double A[ROWS * SUITE_DIM], U[ROWS * SUITE_DIM], C[ROWS * ROWS], b[ROWS], J[SUITE_MATRIX];
    int m = system_rows(S, t, g, A, b);
    if (m == 0) return 0;
    system_metric(S, t, g, J);
    gram(J, A, U, C, m, n);
    memset(L, 0, sizeof(double) * (size_t)(m * m));
    for (int a = 0; a < m; a++) {
        for (int k = 0; k <= a; k++) {
            double s = C[a * m + k] - mat_dot(L + a * m, L + k * m, k);
            L[a * m + k] = k < a ? s / L[k * m + k] : sqrt(s);
        }
        for (int i = 0; i < n; i++) {
            double s = A[a * n + i];
            for (int k = 0; k < a; k++) s -= L[a * m + k] * N[k * n + i];
            N[a * n + i] = s / L[a * m + a];
        }
    }
    return m;
}

/* ---- continuous equations ---- */

/* What changes along the motion: J xi at fixed xi, A xi - b. */
static void along(const lg_system *S, double t, const double *g, const double *xi, double *Jxi, double *defect)
{
    int n = lg_group_dim(S->group);
    double A[ROWS * SUITE_DIM], b[ROWS];
    system_momentum(S, t, g, xi, Jxi);
    int m = system_rows(S, t, g, A, b);
    for (int a = 0; a < m; a++) defect[a] = mat_dot(A + a * n, xi, n) - b[a];
}

/* Their rates along (1, xi), by differences of order 6. */
static void rates(const lg_system *S, double t, const double *g, const double *xi, double *Jxi, double *defect)
{
    static const double weight[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60}, step = 1e-3;
    int n = lg_group_dim(S->group), m = S->callbacks.holonomic_count + S->constraint_count;
    memset(Jxi, 0, sizeof(double) * (size_t)n);
    memset(defect, 0, sizeof(double) * ROWS);
    for (int k = -3; k <= 3; k++) {
        double w[SUITE_DIM], moved[SUITE_ELEMENT], p[SUITE_DIM], d[ROWS];
        if (k == 0) continue;
        for (int i = 0; i < n; i++) w[i] = k * step * xi[i];
        suite_ok("exp", lg_group_exp(S->group, moved, w));
        suite_ok("compose", lg_group_compose(S->group, moved, g, moved));
        along(S, t + k * step, moved, xi, p, d);
        double c = weight[abs(k) - 1] / step * (k < 0 ? -1 : 1);
        for (int i = 0; i < n; i++) Jxi[i] += c * p[i];
        for (int a = 0; a < m; a++) defect[a] += c * d[a];
    }
}

void system_acceleration(const lg_system *S, double t, const double *g, const double *xi, double *xidot, double *lambda)
{
    int n = lg_group_dim(S->group);
    lg_call c = system_call(S, t);
    double J[SUITE_MATRIX], A[ROWS * SUITE_DIM], U[ROWS * SUITE_DIM], C[ROWS * ROWS], b[ROWS], x[ROWS];
    double p[SUITE_DIM], rate[SUITE_DIM], sum[SUITE_DIM], extra[SUITE_DIM] = {0};
    system_momentum(S, t, g, xi, p);
    suite_ok("coad", lg_group_coad_apply(S->group, sum, xi, p));
    rates(S, t, g, xi, rate, b);
    for (int i = 0; i < n; i++) sum[i] -= S->callbacks.metric != NULL ? rate[i] : 0;
    if (S->callbacks.metric_gradient != NULL) called("metric_gradient", S->callbacks.metric_gradient(&c, g, xi, extra));
    for (int i = 0; i < n; i++) sum[i] += extra[i];
    memset(extra, 0, sizeof extra);
    if (S->callbacks.potential_gradient != NULL)
        called("potential_gradient", S->callbacks.potential_gradient(&c, g, extra));
    for (int i = 0; i < n; i++) sum[i] -= extra[i];
    memset(extra, 0, sizeof extra);
    if (S->callbacks.force != NULL) called("force", S->callbacks.force(&c, g, xi, extra));
    for (int i = 0; i < n; i++) sum[i] += extra[i];
    system_metric(S, t, g, J);
    assert_true(mat_solve(xidot, J, sum, n));
    double unused[ROWS];
    int m = system_rows(S, t, g, A, unused);
    if (m == 0) return;
    gram(J, A, U, C, m, n);
    for (int a = 0; a < m; a++) b[a] += mat_dot(A + a * n, xidot, n);
    assert_true(mat_solve(x, C, b, m));
    for (int a = 0; a < m; a++) {
        for (int i = 0; i < n; i++) xidot[i] -= x[a] * U[a * n + i];
        if (lambda != NULL) lambda[a] = -x[a];
    }
}

/* One stage of the Munthe-Kaas method: theta' = dexp^-1_{-theta} xi (theta moves g from the right), xi' at g
 * exp(theta). */
static void stage(const lg_system *S, double t, const double *g, const double *theta, const double *xi, double *dtheta,
                  double *dxi)
{
    double moved[SUITE_ELEMENT], minus[SUITE_DIM];
    int n = lg_group_dim(S->group);
    suite_ok("exp", lg_group_exp(S->group, moved, theta));
    suite_ok("compose", lg_group_compose(S->group, moved, g, moved));
    for (int i = 0; i < n; i++) minus[i] = -theta[i];
    suite_ok("dexp_inv", lg_retraction_dtau_inv_apply(lg_retraction_exp(), S->group, dtheta, minus, xi));
    system_acceleration(S, t, moved, xi, dxi, NULL);
}

void system_truth(const lg_system *S, double T, int steps, double *g, double *xi)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    int n = lg_group_dim(S->group);
    double h = T / steps;
    for (int k = 0; k < steps; k++) {
        double th[4][SUITE_DIM], dx[4][SUITE_DIM], theta[SUITE_DIM] = {0}, next[SUITE_DIM], move[SUITE_ELEMENT];
        memcpy(next, xi, sizeof(double) * (size_t)n);
        for (int s = 0; s < 4; s++) {
            double q[SUITE_DIM] = {0}, v[SUITE_DIM];
            for (int i = 0; i < n; i++) {
                q[i] = s > 0 ? h * at[s] * th[s - 1][i] : 0;
                v[i] = s > 0 ? xi[i] + h * at[s] * dx[s - 1][i] : xi[i];
            }
            stage(S, k * h + at[s] * h, g, q, v, th[s], dx[s]);
            for (int i = 0; i < n; i++) {
                theta[i] += h * weight[s] * th[s][i];
                next[i] += h * weight[s] * dx[s][i];
            }
        }
        suite_ok("exp", lg_group_exp(S->group, move, theta));
        suite_ok("compose", lg_group_compose(S->group, g, g, move));
        memcpy(xi, next, sizeof(double) * (size_t)n);
    }
}
