/* SPDX-License-Identifier: BSD-3-Clause */
/* Are the right-hand sides that the peers get those of the library's systems? The accelerations from the callbacks of
 * lg_system, J xi' = F + A^T lambda with F = ad*_xi J xi - dV and A xi' = -A' xi, and g' as the derivative of
 * g exp(s xi), at states along a motion; where J depends on g, F also has dT - J' xi. Drift and forces do not occur
 * here. The tapes of the Taylor peer are other texts of the same equations: they are compared with these. */
#include <math.h>
#include <string.h>

#include "benchmarks/peers_taylor.h"
#include "benchmarks/race/race.h"

enum { N = 12, STATES = 8, STRIDE = 25 };

/* x = M^-1 b by elimination with pivoting; M and b are used up. */
static void solve(double *x, double M[N][N], double *b, int n)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(M[i][k]) > fabs(M[p][k])) p = i;
        for (int j = 0; j < n; j++) {
            const double t = M[k][j];
            M[k][j] = M[p][j], M[p][j] = t;
        }
        const double t = b[k];
        b[k] = b[p], b[p] = t;
        for (int i = k + 1; i < n; i++) {
            const double f = M[i][k] / M[k][k];
            for (int j = k; j < n; j++) M[i][j] -= f * M[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = b[i];
        for (int j = i + 1; j < n; j++) x[i] -= M[i][j] * x[j];
        x[i] /= M[i][i];
    }
}

/* J at g; nonzero: the callback failed. */
static int load_inertia(const lg_system *S, const lg_call *c, const double *g, int n, double J[N][N])
{
    double M[N * N] = {0};
    if (S->callbacks.metric != NULL && S->callbacks.metric(c, g, M) != 0) return 1;
    memset(J, 0, sizeof(double[N][N]));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            J[i][k] = S->callbacks.metric != NULL ? M[i * n + k]
                      : S->inertia != NULL        ? S->inertia[i * n + k]
                      : i == k                    ? S->inertia_diagonal[i]
                                                  : 0;
    return 0;
}

/* Numbers at g, into `out`; nonzero: a callback failed. */
typedef int (*field)(const lg_system *S, const lg_call *c, const double *g, double *out);

/* d/ds of a field at g exp(s xi), count numbers, angles if the differences are taken modulo 2 pi, over 2^-k/64,
 * extrapolated three times. */
static int differentiate(const lg_system *S, const lg_call *c, const double *y, field f, int count, int angles,
                         double *out)
{
    const lg_group *G = S->group;
    const int element = lg_group_element_size(G), n = lg_group_dim(G);
    double D[4][N * N], at[2][N * N], x[N], W[BENCH_STATE], g[BENCH_STATE];
    for (int k = 0; k < 4; k++) {
        const double s = ldexp(1, -6 - k);
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < n; i++) x[i] = (side ? -s : s) * y[element + i];
            if (lg_group_exp(G, W, x) != LG_OK || lg_group_compose(G, g, y, W) != LG_OK || f(S, c, g, at[side]))
                return 1;
        }
        for (int i = 0; i < count; i++) {
            const double d = at[0][i] - at[1][i];
            D[k][i] = (angles ? remainder(d, 2 * 3.14159265358979323846) : d) / (2 * s);
        }
    }
    for (int order = 1; order < 4; order++)
        for (int k = 3; k >= order; k--)
            for (int i = 0; i < count; i++) D[k][i] += (D[k][i] - D[k - 1][i]) / (ldexp(1, 2 * order) - 1);
    memcpy(out, D[3], (size_t)count * sizeof *out);
    return 0;
}

static int element_of(const lg_system *S, const lg_call *c, const double *g, double *out)
{
    (void)c;
    memcpy(out, g, (size_t)lg_group_element_size(S->group) * sizeof *out);
    return 0;
}

static int metric_of(const lg_system *S, const lg_call *c, const double *g, double *out)
{
    const int n = lg_group_dim(S->group);
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    return S->callbacks.metric(c, g, out);
}

/* b += dT - J' xi. */
static int add_metric_forces(const lg_system *S, const lg_call *c, const double *y, double *b)
{
    const int n = lg_group_dim(S->group);
    const double *xi = y + lg_group_element_size(S->group);
    double dJ[N * N], dT[N] = {0};
    if (S->callbacks.metric == NULL) return 0;
    if (differentiate(S, c, y, metric_of, n * n, 0, dJ) || S->callbacks.metric_gradient(c, y, xi, dT) != 0) return 1;
    for (int i = 0; i < n; i++) {
        b[i] += dT[i];
        for (int k = 0; k < n; k++) b[i] -= dJ[i * n + k] * xi[k];
    }
    return 0;
}

/* The rows and their derivative along xi; nonzero: a callback failed, or there is a drift. */
static int load_rows(const lg_system *S, const lg_call *c, const double *y, int n, double *A, double *dA)
{
    const int m = S->constraint_count, element = lg_group_element_size(S->group);
    double Y[N] = {0}, dY[N] = {0};
    memset(A, 0, sizeof(double[N * N])), memset(dA, 0, sizeof(double[N * N]));
    if (m == 0) return 0;
    if (S->covector_matrix != NULL) {
        memcpy(A, S->covector_matrix, (size_t)(m * n) * sizeof *A);
    } else if (S->callbacks.covectors(c, y, A, Y) != 0 || S->callbacks.covectors_derivative == NULL ||
               S->callbacks.covectors_derivative(c, y, y + element, dA, dY) != 0) {
        return 1;
    }
    for (int i = 0; i < n; i++)
        if (Y[i] != 0 || dY[i] != 0) return 1;
    return 0;
}

/* Both unknowns at once: (J, -A^T; A, 0) (xi', lambda) = (F, -A' xi). Nonzero: a callback failed. */
static int accelerate(const lg_system *S, const double *y, double *dxi)
{
    static const double t = 0;
    const int n = lg_group_dim(S->group), m = S->constraint_count;
    const double *xi = y + lg_group_element_size(S->group);
    const lg_call c = lg_system_call(S, &t, NULL);
    double M[N][N], A[N * N], dA[N * N], p[N] = {0}, b[N] = {0}, dV[N] = {0}, x[N];
    if (n + m > N || load_rows(S, &c, y, n, A, dA) || load_inertia(S, &c, y, n, M)) return 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) p[i] += M[i][k] * xi[k];
    if (lg_group_coad_apply(S->group, b, xi, p) != LG_OK || add_metric_forces(S, &c, y, b)) return 1;
    if (S->callbacks.potential_gradient != NULL && S->callbacks.potential_gradient(&c, y, dV) != 0) return 1;
    for (int i = 0; i < n; i++) b[i] -= dV[i];
    for (int a = 0; a < m; a++)
        for (int i = 0; i < n; i++) {
            M[n + a][i] = A[a * n + i], M[i][n + a] = -A[a * n + i];
            b[n + a] -= dA[a * n + i] * xi[i];
        }
    solve(x, M, b, n + m);
    memcpy(dxi, x, (size_t)n * sizeof *dxi);
    return 0;
}

/* The largest difference between right-hand side and library relative to the largest number. */
static double compare(const race_course *c, const double *y)
{
    const bench_motion *m = &c->motion;
    double ours[BENCH_STATE], theirs[PROBLEM_STATE], scale = 0, worst = 0;
    if (differentiate(m->S, NULL, y, element_of, m->element, 1, ours) || accelerate(m->S, y, ours + m->element))
        return (double)NAN;
    c->equations->equations(&c->data, y, theirs);
    for (int i = 0; i < c->equations->size; i++) {
        const double part = i < m->element ? 0.1 : 1; /* differences are less accurate */
        worst = race_larger(worst, part * fabs(ours[i] - theirs[i]));
        scale = fmax(scale, fabs(ours[i]));
    }
    return worst / scale;
}

/* compare() for the reduced equations, and for the numbers from `first` on, which they reconstruct. */
static double compare_reduced(const race_course *c, const double *y, int first)
{
    const problem_reduction *o = c->reduction;
    double less[PROBLEM_STATE], theirs[PROBLEM_STATE], ours[PROBLEM_STATE], full[PROBLEM_STATE], worst = 0, scale = 0;
    if (o == NULL) return 0;
    for (int i = 0; i < o->reduced.size; i++) less[i] = y[o->place[i]];
    o->reduced.equations(&c->reduced, less, theirs);
    o->expand(&c->reduced, less, full);
    c->equations->equations(&c->data, y, ours);
    for (int i = 0; i < c->equations->size; i++) scale = fmax(scale, fmax(fabs(ours[i]), fabs(y[i])));
    for (int i = 0; i < o->reduced.size; i++) worst = race_larger(worst, fabs(theirs[i] - ours[o->place[i]]));
    for (int i = first; i < c->equations->size; i++) worst = race_larger(worst, fabs(full[i] - y[i]));
    return worst / scale;
}

/* The largest difference between the derivative of the Taylor peer's series and the equations, relative to the largest
 * number: at y, and half a step on, where all orders count. */
static double compare_series(const race_course *c, void *taylor, const double *y)
{
    double x[PROBLEM_STATE], dx[PROBLEM_STATE], theirs[PROBLEM_STATE], all = 0;
    for (int half = 0; half < 2; half++) {
        double worst = 0, scale = 0;
        taylor_expand(taylor, y, half ? 0.5 : 0, x, dx);
        c->equations->equations(&c->data, x, theirs);
        for (int i = 0; i < c->equations->size; i++) {
            worst = race_larger(worst, fabs(dx[i] - theirs[i]));
            scale = fmax(scale, fabs(theirs[i]));
        }
        all = race_larger(all, worst / scale);
    }
    return all;
}

/* The next of the states along a motion; nonzero: it failed. */
static int travel(lg_integrator *it, const bench_motion *m, double *y)
{
    const int bad =
        lg_integrator_run(it, STRIDE, 1, NULL, NULL) != LG_OK || lg_integrator_velocity(it, y + m->element) != LG_OK;
    memcpy(y, lg_integrator_configuration(it), (size_t)m->element * sizeof *y);
    return bad;
}

/* The height of the disk follows from its attitude at the start; along the motion of another method it does not quite.
 */
double race_check(race_course *c)
{
    bench_motion *m = &c->motion;
    lg_integrator *it = bench_motion_integrator(m, "sem", lg_retraction_exp(), m->step);
    double worst = it != NULL ? compare_reduced(c, m->y0, 0) : (double)NAN, y[BENCH_STATE];
    for (int k = 0; it != NULL && k < STATES; k++) {
        const int bad = travel(it, m, y);
        worst = race_larger(worst, bad ? (double)NAN : compare(c, y));
        worst = race_larger(worst, bad ? (double)NAN : compare_reduced(c, y, m->element));
    }
    lg_integrator_destroy(it);
    return worst;
}

double race_check_series(race_course *c)
{
    bench_motion *m = &c->motion;
    const bench_problem p = {m->label, c->data.param, m->element, m->dim, m->y0};
    lg_integrator *it = bench_motion_integrator(m, "sem", lg_retraction_exp(), m->step);
    void *taylor = peer_taylor.open(&p, 1e-14);
    double worst = it != NULL && taylor != NULL ? compare_series(c, taylor, m->y0) : (double)NAN, y[BENCH_STATE];
    for (int k = 0; worst == worst && k < STATES; k++)
        worst = race_larger(worst, travel(it, m, y) ? (double)NAN : compare_series(c, taylor, y));
    lg_integrator_destroy(it);
    if (taylor != NULL) peer_taylor.close(taylor);
    return worst;
}
